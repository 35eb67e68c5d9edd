"""Looking back at games whose computer players search: their move beside each made."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from client.board import AnyMove, AnyState, AnyStep, Entry, Recalled, Traits
from client.sound import Sound
from netplay import wire
from netplay.messages.review import Offer
from rules import GAMES
from rules.game import Seat


class Searched(Struct, frozen=True):
    """What the review must know of such a game; see `client.board.Analysed`."""

    game: str
    turns: tuple[type, ...]
    """The kinds of moves that are judged."""

    def is_turn(self, move: AnyMove) -> bool:
        """Tell whether a move is one that is judged."""
        return isinstance(move, self.turns)

    def laid(self, before: AnyState, seat: Seat, offer: Offer) -> AnyState:
        """Return the view after another move than the one made."""
        game = GAMES[self.game]
        return game.play(before, seat, wire.unpack(offer.move, game.ABOUT.move))

    def letters(self, view: AnyState, rack: tuple[int, ...]) -> str:  # noqa: ARG002 (see `Analysed`)
        """Return nothing: what was held is not told."""
        return ""


class Told(Protocol):
    """What the module `text` of such a game has for its traits."""

    def entered(self, step: AnyStep, /) -> Entry | None:
        """Return a move as the list of moves has it, in columns."""
        ...

    def heard(self, step: AnyStep, after: AnyState, /) -> Sound | None:
        """Return what a move sounds like, if not usual."""
        ...

    def option_notes(self) -> Mapping[str, str]:
        """Return what each option means."""
        ...


def traits(game: str, turns: tuple[type, ...], text: Told, result: Recalled) -> Traits:
    """Return the traits that games have whose computer players search.

    Args:
        game: Which.
        turns: The kinds of moves that are judged.
        text: The game's module of that name.
        result: Likewise.
    """
    return Traits(
        taught=True,
        recalled=result,
        entered=text.entered,
        notes=text.option_notes,
        heard=text.heard,
        analysed=Searched(game, turns),
    )
