"""Looking back at games whose computer players search: their move beside each made."""

from typing import Any

from msgspec import Struct

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
