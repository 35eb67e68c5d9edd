"""Looking back at games whose computer players search: their move beside each made."""

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from client.board import Entry, Recalled, Traits
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

    def is_turn(self, move: Any) -> bool:  # noqa: ANN401 (each game its own)
        """Tell whether a move is one that is judged."""
        return isinstance(move, self.turns)

    def laid(self, before: Any, seat: Seat, offer: Offer) -> Any:  # noqa: ANN401 (each game its own)
        """Return the view after another move than the one made."""
        game = GAMES[self.game]
        return game.play(before, seat, wire.unpack(offer.move, game.ABOUT.move))

    def letters(self, view: Any, rack: tuple[int, ...]) -> str:  # noqa: ANN401, ARG002 (see `Analysed`)
        """Return nothing: what was held is not told."""
        return ""


class Told(Protocol):
    """What the module `text` of such a game has for its traits."""

    def entered(self, step: Any, /) -> Entry | None:  # noqa: ANN401 (each game its own)
        """Return a move as the list of moves has it, in columns."""
        ...

    def heard(self, step: Any, after: Any, /) -> Sound | None:  # noqa: ANN401 (likewise)
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
