"""What a player sees of a match before it thinks."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final

from netplay.players.words import squares
from netplay.players.words.leaves import Keep, Table, table
from netplay.players.words.position import Board, Rack
from netplay.players.words.wordmap import WordMap
from rules import lexicon, networdz, tiles
from rules.game import Seat
from rules.networdz import State

_TABLES_KEPT: Final = 4


class Seen:
    """A position as one seat sees it, ready to look for plays."""

    def __init__(self, view: State, seat: Seat) -> None:
        """Look at a match.

        Args:
            view: The match as the seat knows it.
            seat: Whose turn it is.
        """
        self.view: Final = view
        self.seat: Final = seat
        self.ground: Final = networdz.ground(view.options)
        self.board: Final[Board] = squares.board_of(view)
        self.rack: Final[Rack] = squares.rack_of(view, seat)
        self.words: Final[WordMap] = squares.words_of(view)
        self.finder: Final = squares.finder_in_time(self.board, self.rack, self.words)
        self.pool: Final = tiles.bag_size(view.tiles)
        """Tiles still to be drawn."""

    @cached_property
    def table(self) -> Table:
        """What tiles are worth while there are more to be drawn."""
        return _table(self.view.options.lexicon, self.words)

    @cached_property
    def keep(self) -> Keep:
        """What a play leaves: tiles to play with, or points to lose at the end."""
        worth = self.table.worth if self.pool else self.burden
        return Keep(self.rack, worth, self.words)

    def burden(self, kept: Sequence[int]) -> float:
        """Return what tiles that nobody may play any more cost, as less than 0."""
        points = dict(self.rack.tiles)
        return -float(sum(points.get(tile, 0) for tile in kept))

    @property
    def last_two(self) -> bool:
        """Whether the pool is empty and two are left: the other's rack is known."""
        view = self.view
        return not self.pool and len(view.scores) == 2 and not view.resigned

    @property
    def other(self) -> Rack:
        """The rack of the other of two players, once the pool is empty."""
        unseen = tiles.unseen(self.view.tiles)
        kinds = [kind for kind, count in enumerate(unseen) for _ in range(count)]
        return squares.rack(self.ground, tuple(kinds))


@lru_cache(maxsize=_TABLES_KEPT)
def _table(digest: str, words: WordMap) -> Table:
    """Return the table of a word list, made once in each process."""
    return table(lexicon.find(digest), words)
