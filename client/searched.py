"""Looking back at games whose computer players search: their move beside each made."""

from msgspec import Struct

from client.board import AnyMove, AnyState
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
