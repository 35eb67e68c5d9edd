"""A job object of Windows: what runs in it ends when the node lets go of it.

The system closes the handle of a node that is ended in whatever way, and with the last
handle everything in the job ends.
"""

import ctypes
import sys
from typing import Final

_END_WITH_HANDLE: Final = 0x2000
"""JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE."""

_EXTENDED_LIMITS: Final = 9
"""JobObjectExtendedLimitInformation."""

_SET_QUOTA_AND_TERMINATE: Final = 0x0100 | 0x0001
"""What AssignProcessToJobObject asks for of the process."""


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class _Limits(ctypes.Structure):
    _fields_ = (
        ("basic", _BasicLimits),
        ("transfers", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


if sys.platform == "win32":  # pragma: no cover (the tests run on Linux)

    class Job:
        """A job with one process and all that it starts."""

        def __init__(self, pid: int) -> None:
            """Put a process that has just been started into a job of its own."""
            kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            kernel.CreateJobObjectW.restype = ctypes.c_void_p
            kernel.OpenProcess.restype = ctypes.c_void_p
            self._kernel: Final = kernel
            self._handle: int | None = kernel.CreateJobObjectW(None, None)
            limits = _Limits()
            limits.basic.flags = _END_WITH_HANDLE
            size = ctypes.sizeof(limits)
            job = ctypes.c_void_p(self._handle)
            kernel.SetInformationJobObject(
                job, _EXTENDED_LIMITS, ctypes.byref(limits), size
            )
            process = kernel.OpenProcess(_SET_QUOTA_AND_TERMINATE, False, pid)
            kernel.AssignProcessToJobObject(job, ctypes.c_void_p(process))
            kernel.CloseHandle(ctypes.c_void_p(process))

        def end(self) -> None:
            """End everything in the job."""
            if self._handle is not None:
                self._kernel.TerminateJobObject(ctypes.c_void_p(self._handle), 1)
                self._kernel.CloseHandle(ctypes.c_void_p(self._handle))
                self._handle = None
