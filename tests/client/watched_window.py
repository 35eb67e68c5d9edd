"""A window that notes when it draws, and a hand that plays Hexcolumns in it.

For `hexcolumns_speed`, which must start a display before pygame is loaded.
"""

import random
import subprocess
from contextlib import suppress
from time import perf_counter
from typing import IO, Any, Final

import trio
from msgspec import Struct, field
from msgspec.structs import replace
from typing_extensions import override

from client.ui.intents import Key
from client.ui.scene import Node, Rect, Touch
from client.window import loop
from netplay.messages import door
from rules.hexcolumns import Rotate, Shift, Well, depth, index, refusal

LEVEL: Final = 25
SEATS: Final = 4
SIZE: Final = 9

PRESS_SECONDS: Final = 0.06
"""Between two keys of the hand: as a held key repeats."""

LATE: Final = 0.5
"""Seconds after which a key is taken to have done nothing."""

WARM: Final = 0.5
"""Seconds of each match that are not counted: sprites are drawn, wells begin."""


class Figures(Struct):
    """What is noted."""

    flips: int = 0
    frames: list[float] = field(default_factory=list[float])
    """Seconds between frames."""
    inputs: list[float] = field(default_factory=list[float])
    """Seconds from key to screen."""
    ticks: list[int] = field(default_factory=lambda: [0] * SEATS)
    """Of each well while all lived."""
    seconds: float = 0.0
    """While all wells lived."""
    matches: int = 0
    lost: int = 0
    """Keys that did nothing."""


class Keyboard:
    """Presses keys through the X server, with as little ado as can be."""

    def __init__(self) -> None:
        """Start the tool once: it reads what to press from its input."""
        pipe = subprocess.PIPE
        self._tool = subprocess.Popen(["xdotool", "-"], stdin=pipe)

    def press(self, key: str) -> float:
        """Press a key, and return when."""
        stdin: IO[bytes] | None = self._tool.stdin
        assert stdin is not None  # asked for above
        now = perf_counter()
        stdin.write(f"key --delay 0 {key}\n".encode())
        stdin.flush()
        return now

    def close(self) -> None:
        """End the tool."""
        with suppress(BrokenPipeError):
            self._tool.communicate()


def wanted(well: Well) -> str:
    """Return the key that does something visible and sensible now; "" for none.

    Pieces are brought to where there is most room, so that wells last.
    """

    def room(column: int) -> int:
        heights = range(depth(SIZE, column))
        return sum(not well.cells[index(SIZE, column, h)] for h in heights)

    goal = max(range(1 - SIZE, SIZE), key=lambda c: (room(c) - abs(c), c))
    by = (goal > well.column) - (goal < well.column)
    moves = {Shift(-1): "Left", Shift(1): "Right", Rotate(): "Up"}
    wish = Shift(by) if by else Rotate()
    same = not by and len(set(well.piece)) == 1  # a rotation would not show
    if not well.piece or same or refusal(SIZE, well, wish):
        return ""
    return moves[wish]


def shows(well: Well) -> tuple[int, int, bytes]:
    """Return what a key changes and falling does not."""
    return well.pieces, well.column, well.piece


class Watched(loop.WindowLoop):
    """A window that notes when it has drawn."""

    def __init__(self, figures: Figures, *shown: Any) -> None:
        """Show what a window shows, and note it in the figures."""
        super().__init__(*shown)
        self.figures = figures
        self.counting = False
        self.pressed: tuple[float, tuple[int, int, bytes]] | None = None
        self.news = trio.Event()
        self._before: float | None = None
        self._counted = 0.0

    def wells(self) -> tuple[Well, ...]:
        """Return the wells as the model has them."""
        match = self.model.match
        return match.state.wells if match is not None else ()

    def count(self, *, on: bool) -> None:
        """Count frames from now on, or no longer."""
        self.counting, self._before = on, None

    @override
    def show(self) -> None:
        """Show what is drawn, and note when, and whether a key's work is seen."""
        super().show()
        now = perf_counter()
        if self.counting and self._beat != self._counted:
            if self._before is not None:
                self.figures.frames.append(now - self._before)
            self._before, self._counted = now, self._beat
        wells = self.wells()
        if self.pressed is not None and wells:
            when, was = self.pressed
            is_ = shows(wells[0])
            if is_ != was:
                if is_[0] == was[0]:  # else another piece has come meanwhile
                    self.figures.inputs.append(now - when)
                self.pressed = None
        self.news.set()
        self.news = trio.Event()

    @override
    def _parts(self, showing: tuple[Node, Touch]) -> tuple[Rect, ...]:
        """Note that something is drawn."""
        parts = super()._parts(showing)
        self.figures.flips += bool(parts) and self.counting
        return parts


class Player:
    """Plays matches in a watched window until the time is up."""

    def __init__(self, window_loop: Watched, until: float) -> None:
        """Play here."""
        self._desk, self._until = window_loop, until
        self._figures = window_loop.figures
        self._rng = random.Random(1)

    async def run(self) -> None:
        """Play one match after another, then close the window."""
        keyboard = Keyboard()
        try:
            await trio.sleep(1)
            await self._ask(door.SetName("Anna"))
            self._desk.on_event(Key("escape"))  # closes the question for a name
            while perf_counter() < self._until:
                await self._match(keyboard)
        finally:
            keyboard.close()
            self._desk.done = True

    async def _ask(self, question: door.Question) -> None:
        """Ask the node, and give it time."""
        window_loop = self._desk
        assert window_loop.link is not None  # the loop has made it
        number = window_loop.model.next_id
        window_loop.model = replace(window_loop.model, next_id=number + 1)
        window_loop.link.ask(door.Request(number, question))
        await trio.sleep(0.3)

    async def _match(self, keyboard: Keyboard) -> None:
        """Play a match, and count what goes on while all wells live."""
        window_loop, figures = self._desk, self._figures
        options = (("level", str(LEVEL)), ("size", str(SIZE)))
        foes = ("computer:100",) * (SEATS - 1)
        seats = ("person", *foes)
        await self._ask(door.HostTable("hexcolumns", seats, options, "", ""))
        await self._ask(door.StartMatch())
        with trio.move_on_after(20):
            while not any(well.piece for well in window_loop.wells()):
                await window_loop.news.wait()
        await trio.sleep(WARM)
        start, first = perf_counter(), [well.ticks for well in window_loop.wells()]
        now, last = start, first
        window_loop.count(on=True)
        while not any(w.over for w in window_loop.wells()) and now < self._until:
            now, last = perf_counter(), [well.ticks for well in window_loop.wells()]
            await self._press(keyboard)
        window_loop.count(on=False)
        figures.matches += 1
        figures.seconds += now - start
        for seat, (was, is_) in enumerate(zip(first, last, strict=True)):
            figures.ticks[seat] += is_ - was
        await self._ask(door.LeaveTable())

    async def _press(self, keyboard: Keyboard) -> None:
        """Press a key that makes sense, and wait for what comes of it."""
        window_loop, wells = self._desk, self._desk.wells()
        key = wanted(wells[0]) if wells else ""
        if key:
            was = shows(wells[0])
            window_loop.pressed = (keyboard.press(key), was)
            with trio.move_on_after(LATE):
                while window_loop.pressed is not None:
                    await window_loop.news.wait()
            if window_loop.pressed is not None:
                self._figures.lost += 1
                window_loop.pressed = None
        await trio.sleep(PRESS_SECONDS * (0.5 + self._rng.random()))
