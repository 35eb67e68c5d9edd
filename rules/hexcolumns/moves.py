"""The moves of Hexcolumns: inputs by a seat, ticks by CLOCK, hexes by CHANCE."""

from typing import TypeAlias

from msgspec import Struct

from rules.game import Resign
from rules.hexcolumns.gems import Gem


class Tick(Struct, frozen=True, array_like=True, gc=False, tag="tick"):
    """CLOCK: 1/30 second of one seat's own well has gone by."""

    seat: int
    """Whose well."""


class Shift(Struct, frozen=True, array_like=True, gc=False, tag="shift"):
    """Move the piece *in V*: to the next column, at the same height."""

    by: int
    """-1 to the left, 1 to the right."""


class Slant(Struct, frozen=True, array_like=True, gc=False, tag="slant"):
    """Move the piece downwards to the left (8 o'clock) or right (4 o'clock)."""

    by: int
    """-1 to the left, 1 to the right."""


class Rotate(Struct, frozen=True, array_like=True, gc=False, tag="rotate"):
    """Move the three hexes one place down, the lowest to the top."""


class Lower(Struct, frozen=True, array_like=True, gc=False, tag="lower"):
    """Move the piece one hex down at once, or land it: the soft drop."""


class Drop(Struct, frozen=True, array_like=True, gc=False, tag="drop"):
    """Let the piece fall as far as it goes, and land it."""


class Radar(Struct, frozen=True, array_like=True, gc=False, tag="radar"):
    """Show the next piece from now on, or no longer."""

    on: bool
    """Whether to show it."""


class Faster(Struct, frozen=True, array_like=True, gc=False, tag="faster"):
    """Go up one level, with 60 seconds more: the `+` on the keypad."""


class Pause(Struct, frozen=True, array_like=True, gc=False, tag="pause"):
    """Stop the piece; the clock runs on."""


class Resume(Struct, frozen=True, array_like=True, gc=False, tag="resume"):
    """Go on after a pause."""


class Rise(Struct, frozen=True, array_like=True, gc=False, tag="rise"):
    """Let rows that others have sent rise: what a seat's node does, not its player."""

    rows: int
    """How many."""


Input: TypeAlias = (
    Shift | Slant | Rotate | Lower | Drop | Radar | Faster | Pause | Resume
)
"""What a player may do to the own well, but for giving up."""

Move: TypeAlias = Tick | Input | Rise | Gem | Resign
"""Every move of the game."""

INPUTS: tuple[Input, ...] = (
    Shift(-1),
    Shift(1),
    Slant(-1),
    Slant(1),
    Rotate(),
    Lower(),
    Drop(),
    Radar(on=True),
    Radar(on=False),
    Faster(),
    Pause(),
    Resume(),
)
"""Every input there is, in the order in which legal ones are listed."""
