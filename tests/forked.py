"""Nodes and servers of pages, forked off a process that has imported all they import.

To import it is two thirds of what the short life of a node costs, and tests start
hundreds.  `subprocess` has every program started by one function, which returns the
number of a process.  For `python -m netplay node` and `web`, and for the server of
pages that the latter starts, another one asks for a fork here.  It is the child of who
asks, with all that was given for it, and begins at `main`.  What is asked for in any
other way is started as it stands.
"""

import ctypes
import gc
import json
import os
import platform
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import Any, Final, NoReturn

CLONE: Final = {"x86_64": 56, "aarch64": 220}.get(platform.machine())
"""The number of Linux's call; elsewhere every program is started as a user's is."""

CLONE_PARENT: Final = 0x8000
"""The child is the asking process's, which waits for it and gets its exit code."""

NEW_NETWORK: Final = 0x40000000
"""CLONE_NEWNET: Python has a name for it from 3.12 on."""

NODE: Final = "netplay.__main__", "netplay.commands.node", "netplay.daemon.node"
IMPORTED: Final = {
    "one": NODE,
    "other": NODE,
    "web": (*NODE, "netplay.commands.web", "client.browser.__main__"),
}
"""What each process that forks imports.  Nodes come from two in turn: what two players'
programs do must not follow from the order of a set, which each process has its own."""

NODES: Final = cycle(("one", "other"))

START: Final = "_fork_exec"
_start: Final[Any] = vars(subprocess).get(START)
_began: Final[dict[str, str]] = {}
"""The environment of this process before its first test."""
_usual: Final[list[str]] = []
_asked: Final = threading.Lock()
_lines: Final[dict[str, socket.socket]] = {}
"""To what forks, by what it has imported."""


def begin() -> None:
    """Fork them from now on; what forks ends with this process."""
    if CLONE is not None and sys.platform == "linux":
        _began.update(os.environ)
        _usual[:] = _around(_began)
        setattr(subprocess, START, _fork)


def _around(env: Mapping[str, str]) -> list[str]:
    """Return what makes Python another one, and what a thread hands down."""
    own = [f"{n}={env[n]}" for n in env if n.startswith(("PYTHON", "LC_", "LD_"))]
    here = Path("/proc/thread-self")
    return [*own, str((here / "ns/net").readlink()), (here / "limits").read_text()]


def _fork(words: Any, *rest: Any) -> int:
    """Start a program, as `START` does, whose arguments these are."""
    close, kept, folder, given = rest[1:5]
    line, kind, space = [*map(os.fsdecode, words)], "", ""
    if line[:3] == ["ip", "netns", "exec"]:
        space, line = line[3], line[4:]
    if line[:2] == [sys.executable, "-m"]:
        if line[2:4] == ["netplay", "node"]:
            kind = next(NODES)
        elif line[2:4] == ["netplay", "web"] or line[2] == "client.browser":
            kind = "web"
    env = dict(os.environ)
    if given is not None:
        env = dict(os.fsdecode(one).split("=", 1) for one in given)
    usual = (close, len(kept), rest[13], *rest[15:21])
    expected = (True, 1, True, -1, None, None, None, -1, None)
    if not kind or usual != expected or _around(env) != _usual:
        return int(_start(words, *rest))
    ends = rest[5], rest[8], rest[10]
    streams = [own if end == -1 else end for own, end in enumerate(ends)]
    wanted = line[2:], env, os.fsdecode(folder or Path.cwd()), space, rest[14]
    with _asked:
        socket.send_fds(_line(kind), [json.dumps(wanted).encode()], streams)
        pid = int(_line(kind).recv(16) or 0)
    if pid <= 0:  # a signal to it would go to everybody
        raise OSError("nothing can be forked here", words)
    return pid


def _line(kind: str) -> socket.socket:
    """Return the line to what forks programs of a kind; it has it as its input."""
    if kind not in _lines:
        _lines[kind], there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            moved = (os.POSIX_SPAWN_DUP2, there.fileno(), 0)
            words = [sys.executable, __file__, kind]
            os.posix_spawn(sys.executable, words, _began, file_actions=[moved])
    return _lines[kind]


def _serve(line: socket.socket) -> None:
    """Fork a program each time one is asked for, and become it; or return at last."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    call = ctypes.PyDLL(None).syscall
    while True:
        asked, streams, _, _ = socket.recv_fds(line, 1 << 17, 3)
        if not asked:
            return
        # Not os.fork: the child would be this process's.
        pid = call(CLONE, CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
        if pid == 0:
            ctypes.pythonapi.PyOS_AfterFork_Child()
            os.close(line.detach())
            _become(streams, *json.loads(asked))
        for stream in streams:
            os.close(stream)
        line.send(str(pid).encode())


def _become(
    streams: Sequence[int],
    words: Sequence[str],
    env: Mapping[str, str],
    folder: str,
    space: str,
    session: bool,
) -> NoReturn:
    """Be the program that is asked for, to its end."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if session:
        os.setsid()
    if space:  # where `ip` keeps the networks that it has made
        with Path("/run/netns", space).open("rb") as network:
            if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), NEW_NETWORK):
                raise OSError(ctypes.get_errno(), space)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)
    program = import_module(f"{words[0]}.__main__")
    sys.path[0], sys.argv = folder, [str(program.__file__), *words[1:]]
    sys.modules["__main__"] = program  # workers of its own look for it
    if words[:2] == ["netplay", "web"]:  # what it starts is forked off it as it is now
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            here.close()
            _serve(there)
            os._exit(0)
        there.close()
        _lines.update(dict.fromkeys(IMPORTED, here))
        begin()
    gc.enable()
    sys.exit(program.main())


def main(kind: str) -> None:
    """Import what programs of a kind do, and fork them."""
    os.closerange(3, 1 << 16)
    sys.path[0] = str(Path(__file__).parents[1])
    gc.disable()
    for each in IMPORTED[kind]:
        import_module(each)
    gc.freeze()
    _serve(socket.socket(fileno=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
