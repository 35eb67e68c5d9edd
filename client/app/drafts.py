"""A table as its host is setting it up, before the node hears of it."""

from enum import Enum
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from netplay.levels import SKILLS
from netplay.messages import door
from netplay.messages.table import Days, Fairness
from netplay.messages.types import Admission
from rules import GAMES, LISTED


class Kind(Enum):
    """Who plays at a position (source document, Players)."""

    NONE = "none"
    PERSON = "person"
    COMPUTER = "computer"
    REMOTE = "remote"
    BROWSER = "browser"
    """A guest at this computer, who comes by a link."""


class SeatDraft(Struct, frozen=True):
    """A position as the host is setting it up."""

    kind: Kind = Kind.NONE
    name: str = ""
    skill: int = SKILLS["medium"]
    custom: bool = False
    """The skill is chosen by a slider although a level may have the same."""
    address: str = ""
    """With an optional comment after a space."""
    program: bool = False
    """Of the table there is: a computer player is a program that a command named."""


SEATS: Final = (
    SeatDraft(Kind.PERSON),
    SeatDraft(Kind.COMPUTER),
    SeatDraft(),
    SeatDraft(),
)


class Draft(Struct, frozen=True):
    """The terms of a table as the host is setting them up."""

    game: str = next(iter(LISTED))
    seats: tuple[SeatDraft, ...] = SEATS
    options: tuple[tuple[str, str], ...] = ()
    """Only those changed from the game's own defaults."""
    edition: str = ""
    words: str = ""
    bystanders: Admission = "ask"
    fairness: Fairness | Literal[""] = ""
    """How tiles are drawn; empty for the usual way."""
    days: Days = 0

    @property
    def taken(self) -> tuple[SeatDraft, ...]:
        """Return the positions at which somebody is to play."""
        return tuple(seat for seat in self.seats if seat.kind is not Kind.NONE)

    def seat_of(self, place: int) -> int:
        """Return which seat of the table a position is, both from 0."""
        return sum(seat.kind is not Kind.NONE for seat in self.seats[:place])

    @property
    def terms(self) -> door.HostTable:
        """Return the draft as the node wants to hear it of another table."""
        seats = tuple(map(_seat, self.taken))
        files = self.edition, self.words
        others = any(s.kind is Kind.REMOTE for s in self.seats)
        tiled = others and GAMES[self.game].ABOUT.tiled is not None
        return door.HostTable(
            self.game,
            seats,
            self.options,
            *files,
            self.bystanders,
            self.fairness if tiled else "",
            self.days if others and not GAMES[self.game].ABOUT.hz else 0,
        )

    @property
    def changes(self) -> door.HostTable:
        """Return it as the node wants to hear it of the table there is."""
        seats = zip(self.taken, self.terms.seats, strict=True)
        stay = tuple("program" if s.program else words for s, words in seats)
        return replace(self.terms, seats=stay)


def _seat(seat: SeatDraft) -> str:
    match seat.kind:
        case Kind.COMPUTER:
            return f"computer:{seat.skill}"
        case Kind.BROWSER:
            return "browser"
        case Kind.REMOTE:
            return f"remote:{seat.address}" if seat.address else "remote"
        case _:
            return f"person:{seat.name}" if seat.name else "person"


class TablePage(Struct, frozen=True):
    """What the page of a table remembers, and the start page where one is opened."""

    draft: Draft = Draft()
    here: Draft | None = None
    """What was chosen for games here before a table was opened for who is invited."""
    agreed: Draft = Draft()
    """The last draft that the node has taken."""
    wanted: tuple[door.HostTable, str] | None = None
    """The terms last asked for, and what for."""
