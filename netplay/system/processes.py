"""Commands of the user's, signals that end a program, and all that it has started.

On Linux and macOS what is started gets a session of its own, and so a group that is
killed as one.  Windows has *jobs* for that: what runs in one ends when the node lets go
of it, and as the system closes the handles of a node that is ended in whatever way,
nothing outlives it.
"""

import ctypes
import os
import shlex
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

NEEDED: Final[Mapping[str, tuple[str, ...]]] = {"win32": ("SYSTEMROOT", "SYSTEMDRIVE")}
"""Of the environment, by system: without these hardly a program starts there."""

_NO_CONSOLE_OWN_GROUP: Final = 0x0800_0000 | 0x0000_0200
"""CREATE_NO_WINDOW and CREATE_NEW_PROCESS_GROUP, which Python names on Windows only."""

_END_WITH_HANDLE: Final = 0x2000
"""JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE."""

_EXTENDED_LIMITS: Final = 9
"""JobObjectExtendedLimitInformation."""

_SET_QUOTA_AND_TERMINATE: Final = 0x0100 | 0x0001
"""What AssignProcessToJobObject asks for of the process."""


def split(command: str, platform: str = sys.platform) -> list[str]:
    """Return the words of a command that a user wrote down.

    On Windows a backslash parts the folders of a path, and an apostrophe is a letter.

    Raises:
        ValueError: A quotation mark has no fellow.
    """
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    if platform == "win32":
        lexer.escape, lexer.quotes = "", '"'
    return list(lexer)


def apart(platform: str = sys.platform) -> dict[str, Any]:
    """Return what starts a program so that no key of our terminal reaches it.

    Returns:
        More for `subprocess.Popen` and what is like it.
    """
    if platform == "win32":
        return {"creationflags": _NO_CONSOLE_OWN_GROUP}
    return {"start_new_session": True}


def ender(
    number: int,
    platform: str = sys.platform,
    kernel: Any = None,  # noqa: ANN401 (Windows' own)
) -> Callable[[], None]:
    """Return what ends a program that was started `apart`, and all it has started.

    Args:
        number: Of its process.
        platform: Which system's way.
        kernel: Windows' kernel32, for tests.
    """
    if platform == "win32":
        return Job(number, kernel).end

    def end() -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(number, signal.SIGKILL)

    return end


def is_left(number: int, platform: str = sys.platform) -> bool:
    """Tell whether anything is left of what was started with a program.

    Windows says nothing of that: there the job ends all of it with the program.
    """
    if platform == "win32":
        return False
    try:
        os.killpg(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says so of what has ended
        return False
    return True


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


class Job:
    """A job of Windows with one process and all that it starts."""

    def __init__(self, pid: int, kernel: Any = None) -> None:  # noqa: ANN401 (as above)
        """Put a process that has just been started into a job of its own."""
        if kernel is None:
            load: Any = vars(ctypes)["WinDLL"]  # there on Windows only
            kernel = load("kernel32", use_last_error=True)
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
        """End everything in the job; the second time there is nothing to end."""
        if self._handle is not None:
            self._kernel.TerminateJobObject(ctypes.c_void_p(self._handle), 1)
            self._kernel.CloseHandle(ctypes.c_void_p(self._handle))
            self._handle = None
