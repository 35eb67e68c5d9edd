"""What ends programs, and all that they have started, on each of the three systems."""

# ruff: noqa: N802 (as Windows has it)
import ctypes
import os
import signal
import struct
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from netplay import ending
from netplay.system import processes
from tests.patience import PATIENCE


class Kernel:
    """Windows' kernel32, that notes what is asked of it."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.flags = 0

    def CreateJobObjectW(self, _safe: None, _name: None) -> int:
        self.told.append("made")
        return 71

    def SetInformationJobObject(
        self, job: Any, what: int, limits: Any, size: int
    ) -> None:
        self.told.append(f"limits {job.value}: {what}, {size > 100}")
        # Behind two numbers of eight bytes
        (self.flags,) = struct.unpack_from("I", ctypes.string_at(limits, size), 16)

    def OpenProcess(self, rights: int, _inherit: bool, pid: int) -> int:
        self.told.append(f"process {pid}: {rights:#x}")
        return 72

    def AssignProcessToJobObject(self, job: Any, process: Any) -> None:
        self.told.append(f"{process.value} into {job.value}")

    def TerminateJobObject(self, job: Any, _code: int) -> None:
        self.told.append(f"{job.value} ended")

    def CloseHandle(self, handle: Any) -> None:
        self.told.append(f"{handle.value} closed")


def test_a_job_of_windows_has_the_program_and_ends_it_once() -> None:
    kernel = Kernel()
    end = processes.ender(1234, "win32", kernel)
    assert kernel.told == [
        "made",
        "limits 71: 9, True",
        "process 1234: 0x101",
        "72 into 71",
        "72 closed",
    ]
    assert kernel.flags == 0x2000  # it ends with its last handle
    kernel.told.clear()
    end()
    end()
    assert kernel.told == ["71 ended", "71 closed"]
    assert not processes.is_left(os.getpid(), "win32")


@pytest.mark.parametrize(
    ("platform", "names"),
    [
        ("linux", ["SIGTERM", "SIGINT", "SIGHUP"]),
        ("darwin", ["SIGTERM", "SIGINT", "SIGHUP"]),
        ("win32", ["SIGTERM", "SIGINT", "SIGBREAK"]),
    ],
)
def test_each_system_has_its_signals(platform: str, names: list[str]) -> None:
    every = {"SIGTERM": 15, "SIGINT": 2, "SIGHUP": 1, "SIGBREAK": 21}
    module = SimpleNamespace(**every)
    assert ending.endings(platform, module) == tuple(every[name] for name in names)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_no_key_of_the_terminal_reaches_a_program_that_is_apart(platform: str) -> None:
    own = processes.apart(platform)
    if platform == "win32":
        assert own == {"creationflags": 0x0800_0200}
        assert processes.NEEDED[platform] == ("SYSTEMROOT", "SYSTEMDRIVE")
    else:
        assert own == {"start_new_session": True}
        assert platform not in processes.NEEDED


@pytest.mark.parametrize(
    ("platform", "command", "words"),
    [
        (
            "win32",
            r"""'C:\it's "C:\Program Files\say.exe" --to="a b" #1""",
            [r"'C:\it's", r"C:\Program Files\say.exe", "--to=a b", "#1"],
        ),
        ("linux", r"say a\ b 'c d' #1 \\", ["say", "a b", "c d", "#1", "\\"]),
        ("darwin", "'/Applications/My App/say' -", ["/Applications/My App/say", "-"]),
        ("linux", " ", []),
    ],
)
def test_a_command_is_read_as_users_of_that_system_write_paths(
    platform: str, command: str, words: list[str]
) -> None:
    assert processes.split(command, platform) == words
    with pytest.raises(ValueError, match="quotation"):
        processes.split('say "a', platform)


@pytest.mark.skipif(sys.platform == "win32", reason="has jobs instead of groups")
def test_a_group_is_ended_with_what_it_has_started_and_then_gone() -> None:
    script = "sleep 60 & echo $!; wait"
    with subprocess.Popen(
        ["sh", "-c", script], stdout=subprocess.PIPE, **processes.apart()
    ) as group:
        assert group.stdout is not None
        child = int(group.stdout.readline())
        assert processes.is_left(group.pid)
        end = processes.ender(group.pid)
        end()
        assert group.wait(PATIENCE) == -signal.SIGKILL
    end()  # nobody is there any more, or nobody who could be ended
    # It is killed at once, but dies when it is next scheduled, and stays a zombie
    # where nobody asks how it ended.
    end_by = time.monotonic() + PATIENCE
    while lives(child):
        assert time.monotonic() < end_by
        time.sleep(0.01)


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
