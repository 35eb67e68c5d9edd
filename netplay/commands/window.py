"""`netplay`: the window, with a node of its own if none runs for this home."""

import argparse
import os
import re
import signal
import subprocess
import sys
import threading
import time  # noqa: TID251 (a process waits)
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import IO, Any, Final, Self, TypeAlias

from netplay import ending, home
from netplay.commands import COMMANDS, Command
from netplay.commands.sharing import port
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.home_folder import VARIABLE
from netplay.journal import make_room
from netplay.language import _, phrase
from netplay.named_files import open_to_append
from netplay.sentences import Says

HELP = "the window: play, alone or with others"

Child: TypeAlias = "subprocess.Popen[bytes]"

GOODBYE_SECONDS: Final = 10.0
"""For window and node to end, each, before they are ended."""

AGAIN_SECONDS: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Before a node that has died is started again; after the last it stays away."""

STEADY_SECONDS: Final = 60.0
"""A node that has run so long is given all its chances again."""

ANSWER_SECONDS: Final = 2.0
"""For a node to say how many windows it has."""

LOOK_AGAIN_SECONDS: Final = 0.3
"""For a node to notice that a window has gone."""

LOOK_SECONDS: Final = 1.0
"""Between looks whether a window has come to a node that has none of its own."""

SIGNALLED: Final = 128
"""Plus the signal: the exit code after one, as shells have it."""

FAULT: Final = "window.fault"
"""There while the last window has ended by a fault, and no other was shown since."""


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--port", type=port, metavar="P", help="where a node of its own listens"
    )
    parser.add_argument("--debug-port", type=port, help="serve the scene to scripts")
    parser.add_argument(
        "--speak", metavar="PROGRAM", nargs="?", const="-",
        help="say what is focused and what happens, as lines to a program or to "
        "standard output",
    )  # fmt: skip
    parser.add_argument(
        "--size", type=_size, metavar="WxH", help="of the window, as in 1280x800"
    )
    parser.add_argument(
        "--open",
        metavar="LINE",
        nargs="?",  # desktops leave it out when no line was clicked
        help="show the table of an invitation (netplay:...)",
    )


def _size(text: str) -> str:
    """Return the size of a window as the window reads it."""
    if not re.fullmatch("[1-9][0-9]{2,3}x[1-9][0-9]{2,3}", text):
        raise argparse.ArgumentTypeError(_("write a size as 1280x800"))
    return text


def run(arguments: argparse.Namespace) -> int:
    """Open the window and wait until it is closed."""
    if arguments.open:
        from netplay.peering.invitation import clicked  # noqa: PLC0415 (seldom wanted)

        arguments.open = clicked(arguments.open)
        if _is_shown(home.find(None), arguments.open):
            return 0
    if not has_display(os.environ, sys.platform):
        said = phrase(Says.NO_DISPLAY(names=", ".join(COMMANDS)))
        print(f"netplay: {said}", file=sys.stderr)
        return 1
    place = home.find(None)
    try:
        place.prepare()
    except LocalError as error:  # the window says so, too
        print(f"netplay: {phrase(error.said)}", file=sys.stderr)
    with Leader() as leader:
        alone = not runs(place)
        code = _ask_first(place, arguments, leader) if alone else 0
        if code in {0, ending.NEW_KEY} and not leader.told:
            code = _play(place, arguments, leader, alone=alone, new=code != 0)
    if leader.told:
        return SIGNALLED + leader.told
    return 0 if code in ending.WANTED else 1


def _play(
    place: Home,
    arguments: argparse.Namespace,
    leader: "Leader",
    *,
    alone: bool,
    new: bool,
) -> int:
    """Show the window, beside a node if none runs; return its exit code."""
    shown = _window(place, arguments, *_after_fault(place))  # first: it takes longer
    if not alone:
        return _watched(place, arguments, leader, shown)
    node = Keeper(partial(start_node, place, arguments.port, new=new))
    try:
        code = _watched(place, arguments, leader, shown)
        if code not in ending.WANTED and not leader.told:
            _go_on(place, leader, node)
        return code
    finally:
        leader.end(node.release(), wanted=partial(is_wanted, place))


def _watched(
    place: Home, arguments: argparse.Namespace, leader: "Leader", shown: Child
) -> int:
    """Wait for a window that its player closes; show another after one with a fault.

    Returns:
        The exit code of the last; a second fault within a minute is not tried again.
    """
    tried = -STEADY_SECONDS
    while True:
        code = leader.wait(shown)
        if code in ending.WANTED or leader.told:
            return code
        if code < 0:
            text = _("the window was ended by signal {number}").format(number=-code)
            print(f"netplay: {text}", file=sys.stderr)
        with suppress(OSError):  # then the next start says nothing of it
            (place.path / FAULT).touch()
        now = time.monotonic()
        if code == ending.NO_WINDOW or now - tried < STEADY_SECONDS:
            return code
        tried = now
        shown = _window(place, arguments, *_after_fault(place))


def _after_fault(place: Home) -> tuple[str, ...]:
    """Return what a window is to be told if the one before ended by a fault."""
    mark = place.path / FAULT
    found = mark.exists()
    with suppress(OSError):
        mark.unlink(missing_ok=True)
    return ("--crashed",) if found else ()


def _go_on(place: Home, leader: "Leader", node: "Keeper") -> None:
    """Keep the node for the friends, though no window can be shown.

    It goes on until a signal, until it is stopped, or until a window that is opened
    meanwhile has been closed.
    """
    text = _("No window is shown. The node goes on: end it with Ctrl-C.")
    print(f"netplay: {text}", file=sys.stderr)
    seen = False
    while not leader.told and node.lasts:
        time.sleep(LOOK_SECONDS)  # nothing tells us of windows, or of a signal
        count = _windows(place)
        if seen and not count:
            return
        seen = seen or count > 0


def _ask_first(place: Home, arguments: argparse.Namespace, leader: "Leader") -> int:
    """Ask in a window what to do about a home that has moved, or has lost its key.

    Returns:
        0 if there is nothing to ask any more, NEW_KEY to begin with another key, or how
        else the window ended.

    Raises:
        LocalError: The player chose nothing.
    """
    while (moved := place.moved_in()) is not None:
        code = leader.wait(_window(place, arguments, "--moved", moved))
        if code == ending.PLAY_HERE and not leader.told:
            with place.hold():
                place.stay()
        elif code == 0 and not leader.told:
            place.look_for_move()  # says so on the terminal, too
        else:
            return code
    while place.keyless:
        code = leader.wait(_window(place, arguments, "--keyless"))
        if code == 0 and not leader.told:
            from netplay.peering.identity import look_for_key  # noqa: PLC0415 (late)

            look_for_key(place)  # says so on the terminal, too
        elif code != ending.LOOK_AGAIN:
            return code
    return 0


class Keeper:
    """A node that is started again when it ends otherwise than it was told to.

    What it had told others is on the disk: the match goes on.
    """

    def __init__(
        self, start: Callable[[], Child], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Start the node.

        Args:
            start: Does so.
            clock: Tells the time in seconds.
        """
        self._start = start
        self._clock = clock
        self._child = start()
        self._released = threading.Event()
        self._starting = threading.Lock()
        self._tending = threading.Thread(target=self._tend, daemon=True)
        self._tending.start()

    @property
    def lasts(self) -> bool:
        """Whether the node runs, or will be started again."""
        return self._tending.is_alive()

    def release(self) -> Child:
        """Return the node, which is not started again from now on."""
        with self._starting:
            self._released.set()
            return self._child

    def _tend(self) -> None:
        """Start the node again when it has died, some times in a row."""
        pauses = iter(AGAIN_SECONDS)
        while True:
            began = self._clock()
            told = self._child.wait() == 0
            if self._clock() - began >= STEADY_SECONDS:
                pauses = iter(AGAIN_SECONDS)
            pause = next(pauses, None)
            if told or pause is None or self._released.wait(pause):
                return
            with self._starting:
                if self._released.is_set():
                    return
                self._child = self._start()


class Leader:
    """Leads window and node on leashes, and tells them of signals in good order.

    They are in sessions of their own where that can be, so that Ctrl-C on the terminal
    comes to us alone: the window goes first, then its node.
    """

    def __init__(self) -> None:
        self.told = 0
        """The signal that ended it all."""
        self._child: Child | None = None
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        """Take signals from now on."""
        for number in ending.signals():
            self._before[number] = signal.signal(number, self._take)
        return self

    def __exit__(self, *_raised: object) -> None:
        """Let signals be taken as before."""
        for number, before in self._before.items():
            signal.signal(number, before)

    def wait(self, child: Child) -> int:
        """Return the exit code of a child, once it has ended."""
        self._child = child
        if self.told:
            _let_go(child)
        return child.wait()

    def end(self, node: Child, wanted: Callable[[], bool]) -> None:
        """Let a node go, and wait until it has ended, unless others want it."""
        if wanted():
            assert node.stdin is not None
            node.stdin.close()
            return
        self._child = node
        _let_go(node)
        node.wait()

    def _take(self, number: int, _frame: FrameType | None) -> None:
        """Let the child go at the first signal, and end it at once at the second."""
        again, self.told = self.told, self.told or number
        if self._child is None:
            return
        if again:
            self._child.kill()
        else:
            _let_go(self._child)


def _let_go(child: Child) -> None:
    """End a child politely, and after some seconds not so."""
    assert child.stdin is not None
    child.stdin.close()
    late = threading.Timer(GOODBYE_SECONDS, child.kill)
    late.daemon = True
    late.start()


def has_display(environment: Mapping[str, str], platform: str) -> bool:
    """Return whether a window can be shown, as far as can be told beforehand."""
    if platform in {"win32", "darwin"}:
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    return any(environment.get(name) for name in names)


def runs(place: Home) -> bool:
    """Return whether a node of that home is running."""
    if not (place.door.exists() or place.token.exists()):
        return False
    from netplay.daemon.visit import Visit  # noqa: PLC0415 (late: the window waits)

    try:
        with Visit(place):
            return True
    except LocalError:
        return False


def _is_shown(place: Home, line: str) -> bool:
    """Have an invitation shown in a window that is open; return whether one does."""
    from netplay.daemon.visit import Visit  # noqa: PLC0415 (late: the window waits)
    from netplay.messages.node_questions import ShowLine  # noqa: PLC0415 (likewise)

    try:
        with Visit(place) as visit:
            told = phrase(visit.ask(ShowLine(line)).text)
    except LocalError:  # no node, or one that cannot: a window will say so
        return False
    if told:
        print(told)
    return bool(told)


def is_wanted(place: Home) -> bool:
    """Return whether other windows are at the node of a home; it ends with the last.

    The one that has just been closed may count at the first look.
    """
    found = _windows(place)
    if found:
        time.sleep(LOOK_AGAIN_SECONDS)  # nothing tells us when the node has noticed
        found = _windows(place)
    return found > 0


def _windows(place: Home) -> int:
    """Return how many windows a node says that it has, none if it says nothing."""
    from netplay.daemon.visit import Visit  # noqa: PLC0415 (late: the window waits)
    from netplay.messages.node_questions import CountWindows  # noqa: PLC0415 (likewise)

    try:
        with Visit(place) as visit:
            return int(str(visit.ask(CountWindows(), ANSWER_SECONDS).text))
    except LocalError:
        return 0


def start_node(place: Home, port: int | None, *, new: bool = False) -> Child:
    """Start a node for the window, with a new key if the player wants that."""
    words = [sys.executable, "-m", "netplay", "node", "--home", str(place.path)]
    if port is not None:
        words += ["--port", str(port)]
    if new:
        words.append("--new-key")
    log = place.path / home.NODE_LOG
    with suppress(OSError):  # a disk that refuses is told of elsewhere
        make_room(log)
    try:
        number = open_to_append(log)
    except OSError:  # where no file can be, nobody is told
        number = os.open(os.devnull, os.O_WRONLY)
    with os.fdopen(number, "ab") as out:
        return start([*words, "--any-port"], out)


def _window(place: Home, arguments: argparse.Namespace, *options: str) -> Child:
    words = [sys.executable, "-m", "client", "--home", str(place.path), *options]
    if arguments.debug_port is not None:
        words += ["--debug-port", str(arguments.debug_port)]
    if arguments.size:
        words += ["--size", arguments.size]
    if arguments.open:
        words.append(f"--open={arguments.open}")
    if arguments.speak:
        words.append(f"--speak={arguments.speak}")
    return start(words)


def start(words: Sequence[str], output: IO[bytes] | None = None) -> Child:
    """Start a program of ours on a leash.

    Args:
        words: Its command line.
        output: Where it writes; None for where we do.
    """
    return subprocess.Popen(  # noqa: S603 (our own program)
        [*words, ending.LEASH],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=output,
        start_new_session=True,  # where there are none, it changes nothing
    )


# `netplay link`: have clicked `netplay:` lines opened by this program, or no more.


def add_link(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("verb", metavar="VERB", choices=("install", "remove"))


def run_link(arguments: argparse.Namespace) -> int:
    """Tell the system of this user; no node need run."""
    from netplay.system.links import handler, opener  # noqa: PLC0415 (seldom wanted)

    found = handler(sys.platform, os.environ)
    try:
        if arguments.verb == "install":
            chosen = os.environ.get(VARIABLE)  # from wherever a line is clicked
            done = found.install(opener(str(home.find(None).path) if chosen else ""))
        else:
            done = found.remove()
    except OSError as error:
        raise LocalError(Code.DISK, error.strerror or "") from None
    print(phrase(done))
    return 0


ROWS: Final[Mapping[str, Command]] = {
    "link": Command(
        HELP=("have netplay: lines that you click opened in the window, or no more"),
        add=add_link,
        run=run_link,
    )
}
"""What else is here, beside the command of this name."""
