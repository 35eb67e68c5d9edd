"""The values of a match of Hexcolumns: its options and all wells."""

from typing import Annotated

from msgspec import Meta, Struct

from rules.hexcolumns.grid import SIZES
from rules.hexcolumns.well import TOP_LEVEL, Well


class Options(Struct, frozen=True, array_like=True):
    """What is agreed before a match."""

    size: Annotated[int, Meta(ge=SIZES[0], le=SIZES[-1])] = 8
    """Hexes on a side of the wells."""

    level: Annotated[int, Meta(ge=0, le=TOP_LEVEL)] = 0
    """The level to start at; the time of the levels left out is added to it."""

    attacks: bool = False
    """Whether long chains send rows into the others' wells."""


class State(Struct, frozen=True, array_like=True):
    """All wells, and the pieces drawn for them."""

    size: int
    """Hexes on a side of the wells."""

    wells: tuple[Well, ...]
    """One a seat."""

    gems: bytes = b""
    """Every hex drawn so far, three a piece, lowest first."""

    need: int = 1
    """How many pieces must have been drawn; never falls, so order does not matter."""

    attacks: bool = False
    """Whether wells send rows to one another; never with a single one."""
