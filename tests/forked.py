"""Nodes and servers of pages, forked off a process that has imported all they import.

To import it is two thirds of what the short life of a node costs, and tests start
hundreds.  So `python -m netplay node` and `netplay web`, with the two programs that
this starts, are forked instead, as children of who starts them: with their own words,
folder, environment, streams and network.  They begin where they would after their
imports, in `main`.  Whatever is asked for in another way is started as it stands: any
other command, with options or variables of Python's own, behind another prefix.
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
from pathlib import Path
from typing import Any, Final, NoReturn

LARGEST: Final = 1 << 17
"""Bytes of what is asked for."""

CLONE: Final = {"x86_64": 56, "aarch64": 220}.get(platform.machine())
"""The number of Linux's call; elsewhere every program is started as a user's is."""

CLONE_PARENT: Final = 0x8000
"""The child is the asking process's, which waits for it and gets its exit code."""

NEW_NETWORK: Final = 0x40000000
"""CLONE_NEWNET: Python has a name for it from 3.12 on."""

SPACES: Final = "/run/netns/"
"""Where `ip` keeps the networks that it has made."""

PYTHONS: Final = "PYTHON", "LC_", "LD_"
"""What begins the name of a variable that Python itself reads."""

UNUSUAL: Final = (True, None, None, None, -1), (-1,)
"""What Popen passes on around the wish for a session, where nobody wants any of it."""

PAGES: Final = "client.browser"

IMPORTED: Final = {
    "node": ("netplay.__main__", "netplay.commands.node", "netplay.daemon.node"),
    "web": ("netplay.__main__", "netplay.commands.web", f"{PAGES}.__main__"),
}
"""By the first word after the program: what each imports sooner or later."""

EXECUTE: Final = "_execute_child"
"""Where Popen starts what it is asked for: Python has no public name for it."""

_start: Final[Any] = getattr(subprocess.Popen, EXECUTE)
_asked: Final = threading.Lock()
_lines: Final[dict[str, socket.socket]] = {}
"""To what forks, by what it has imported."""
_forkers: Final[list[subprocess.Popen[bytes]]] = []


_began: Final[dict[str, str]] = {}


def _around(env: Mapping[str, str]) -> dict[str, str]:
    """Return what makes Python another one, and the network of this thread."""
    found = {name: env[name] for name in env if name.startswith(PYTHONS)}
    return found | {"": str(Path("/proc/thread-self/ns/net").readlink())}


def begin() -> None:
    """Fork them from now on."""
    if CLONE is not None and sys.platform == "linux":
        _began.update(_around(os.environ))
        setattr(subprocess.Popen, EXECUTE, _execute)


def end() -> None:
    """End the processes that they come from."""
    setattr(subprocess.Popen, EXECUTE, _start)
    for line in _lines.values():
        line.close()
    for process in _forkers:
        process.wait()


def _execute(popen: Any, words: Any, *rest: Any) -> None:
    """Do what Popen does at `EXECUTE`, whose arguments these are."""
    executable, preexec, close, kept, folder, env, _info, _flags, shell = rest[:9]
    ends, more = rest[9:15], rest[15:]
    given = dict(os.environ if env is None else env)
    space, asked = _forked(words)
    usual = close and not (executable or preexec or kept or shell)
    usual = usual and (more[:5], more[6:]) == UNUSUAL
    if not (asked and usual and _around(given) == _began):
        _start(popen, words, *rest)
        return
    places = enumerate((ends[0], ends[3], ends[5]))
    streams = [own if end == -1 else end for own, end in places]
    wanted = asked, given, str(folder or Path.cwd()), space, more[5]
    close_ends = getattr(popen, "_close_pipe_fds")  # noqa: B009 (as `EXECUTE` is)
    with _asked:
        line = _line("node" if "node" in asked[1][:1] else "web")
        socket.send_fds(line, [json.dumps(wanted).encode()], streams)
        pid = int(line.recv(16))
    if pid <= 0:  # a signal to it would go to everybody
        raise OSError("nothing can be forked here", words)
    vars(popen).update(pid=pid, _child_created=True)
    close_ends(*ends)


def _forked(words: Any) -> tuple[str, tuple[str, list[str]] | None]:
    """Return where a program is wanted, and its name and words if it is forked."""
    if not isinstance(words, list | tuple):
        return "", None
    space, rest = "", list(words)
    if rest[:3] == ["ip", "netns", "exec"]:
        space, rest = rest[3], rest[4:]
    if rest[:3] == [sys.executable, "-m", PAGES]:
        return space, (PAGES, rest[3:])
    if rest[:3] == [sys.executable, "-m", "netplay"] and {*rest[3:4]} & {*IMPORTED}:
        return space, ("netplay", rest[3:])
    return space, None


def _line(kind: str) -> socket.socket:
    if kind not in _lines:
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            number = there.fileno()
            words = [sys.executable, "-m", "tests.forked", kind, str(number)]
            _forkers.append(
                subprocess.Popen(words, pass_fds=[number], stdin=subprocess.DEVNULL)
            )
        _lines[kind] = here
    return _lines[kind]


def main(kind: str, number: str) -> None:
    """Fork a program each time one is asked for, and become it; or return at last."""
    gc.disable()
    for each in IMPORTED[kind] + IMPORTED["node"]:
        import_module(each)
    gc.freeze()
    _fork(socket.socket(fileno=int(number)))


def _fork(line: socket.socket) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    call = ctypes.PyDLL(None).syscall
    while True:
        asked, streams, _, _ = socket.recv_fds(line, LARGEST, 3)
        if not asked:
            return
        # Not os.fork: the child would be this process's.
        pid = call(CLONE, CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
        if pid == 0:
            ctypes.pythonapi.PyOS_AfterFork_Child()
            line.close()
            _become(streams, *json.loads(asked))
        for stream in streams:
            os.close(stream)
        line.send(str(pid).encode())


def _become(
    streams: Sequence[int],
    asked: tuple[str, list[str]],
    env: Mapping[str, str],
    folder: str,
    space: str,
    session: bool,
) -> NoReturn:
    """Be the program that is asked for, to its end."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if session:
        os.setsid()
    if space:
        with Path(SPACES + space).open("rb") as network:
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
    name, words = asked
    program = import_module(f"{name}.__main__")
    sys.path[0], sys.argv = folder, [str(program.__file__), *words]
    sys.modules["__main__"] = program  # workers of its own look for it
    if words[:1] == ["web"]:
        _have_own()
    sys.exit(program.main())


def _have_own() -> None:
    """Let what this program starts be forked off it as it is now."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        here.close()
        _fork(there)
        os._exit(0)
    there.close()
    _lines.update(dict.fromkeys(IMPORTED, here))
    begin()


if __name__ == "__main__":
    main(*sys.argv[1:])
