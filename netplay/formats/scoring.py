"""A score sheet played again by our rules: every position, every point.

A word that is not in the dictionary is no fault of a record (other clubs play with
other lists, and a play that nobody challenged stays).  All else is checked: squares,
tiles, points, whose turn it is.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.formats import lettering
from netplay.formats.placing import Faults, place, written
from netplay.formats.sheet import Event, Kind, Sheet
from rules import networdz
from rules.networdz import NOBODY, Ground, Last, Line, Options, Placed

TURNS: Final = frozenset({Kind.PLAY, Kind.PASS, Kind.EXCHANGE})


class Position(Struct, frozen=True):
    """A game after some of its events."""

    letters: bytes
    """As in a state of Networdz."""
    kinds: bytes
    scores: tuple[int, ...]
    lists: tuple[tuple[Line, ...], ...]
    mover: int = NOBODY
    """Who made the last turn."""
    last: Last = Last()
    over: bool = False


class Played(Struct, frozen=True):
    """A play that is on the board, and what it was before."""

    event: Event
    before: Position
    placed: tuple[Placed, ...]


class Scorer:
    """Takes the events of a record one after the other."""

    def __init__(self, ground: Ground, seats: int) -> None:
        """Begin with an empty board."""
        self.ground: Final = ground
        self.seats: Final = seats
        empty = bytes(ground.size)
        self.position = Position(empty, empty, (0,) * seats, ((),) * seats)
        self.played: Played | None = None
        """The last turn, if it was a play."""

    def take(self, event: Event) -> Event:
        """Play an event; return it as it is written canonically.

        Raises:
            Faults: Something in it cannot be; the position has not changed.
        """
        points = event.total - self.position.scores[event.seat]
        if event.points != points:
            message = (
                f"the total is {event.total}, but {event.points:+d} makes "
                f"{self.position.scores[event.seat] + event.points}"
            )
            raise Faults(message)
        self.check_rack(event.rack)
        if event.kind in TURNS:
            self._check_turn(event.seat)
        match event.kind:
            case Kind.PLAY:
                return self._play(event)
            case Kind.PASS | Kind.EXCHANGE:
                self._pass(event)
            case Kind.WITHDRAWN:
                self._withdraw(event)
            case Kind.CHALLENGE | Kind.TIME:
                self._adjust(event)
            case Kind.REST:
                self._rest(event)
        return event

    def check_rack(self, rack: str) -> tuple[int, ...]:
        """Return the kinds on a rack that there may be.

        Raises:
            Faults: There is no such tile, or not so many of them.
        """
        try:
            kinds = lettering.kinds(rack, self.ground)
        except ValueError as error:
            raise Faults(str(error)) from None
        if len(kinds) > self.ground.edition.rack:
            message = f"a rack has at most {self.ground.edition.rack} tiles"
            raise Faults(message)
        self._check_counts(kinds)
        return kinds

    def _check_counts(self, kinds: Sequence[int]) -> None:
        """Refuse more tiles of a kind than there are."""
        used = Counter(kind - 1 for kind in self.position.kinds if kind)
        used.update(kinds)
        for kind, count in used.items():
            tile = self.ground.edition.kinds[kind]
            if count > tile.count:
                name = tile.letters or "?"
                message = f"that makes {count} tiles {name}, but there are {tile.count}"
                raise Faults(message)

    def _check_turn(self, seat: int) -> None:
        """Refuse a turn after the end, or of the wrong one of two players."""
        if self.position.over:
            raise Faults("the game was over")
        if self.seats == 2 and seat == self.position.mover:
            raise Faults("it is the other player's turn")

    def _play(self, event: Event) -> Event:
        """Lay a word."""
        board = self.position
        at = place(self.ground, board.letters, event.where, event.tiles)
        laid = [each.kind for each in at.placed]
        rack = self.check_rack(event.rack)
        if rack and Counter(laid) - Counter(rack):
            raise Faults("the tiles played are not on the rack")
        self._check_counts(laid)
        verdict = networdz.judge_placed(
            self.ground, board.letters, board.kinds, at.placed
        )
        if not verdict.lines:
            raise Faults(verdict.error)
        if len(verdict.cells) < 2:
            raise Faults("a word has at least two letters")
        if verdict.points != event.points:
            scored = ", ".join(f"{line.word} {line.points}" for line in verdict.lines)
            message = f"the play scores {verdict.points} ({scored}), not {event.points}"
            raise Faults(message)
        cells = tuple(each.cell for each in at.placed)
        last = Last(event.seat, cells, event.points)
        after = self._scored(event, verdict.lines, last, mover=event.seat)
        letters, kinds = bytearray(board.letters), bytearray(board.kinds)
        for each in at.placed:
            letters[each.cell], kinds[each.cell] = each.letter + 1, each.kind + 1
        plain = replace(event, where=at.where, tiles=written(self.ground, at))
        self.played = Played(plain, board, at.placed)
        self.position = replace(after, letters=bytes(letters), kinds=bytes(kinds))
        return plain

    def _scored(
        self, event: Event, lines: Sequence[Line], last: Last, mover: int
    ) -> Position:
        """Return the position with points counted."""
        now = self.position
        scores, lists = list(now.scores), list(now.lists)
        scores[event.seat] = event.total
        lists[event.seat] = (*lists[event.seat], *lines)
        return replace(
            now, scores=tuple(scores), lists=tuple(lists), mover=mover, last=last
        )

    def _pass(self, event: Event) -> None:
        """Pass, or exchange tiles."""
        if event.points:
            raise Faults("a turn without a play scores nothing")
        count = 0
        if event.kind is Kind.EXCHANGE:
            count = self._exchanged(event)
        last = Last(event.seat, discards=count)
        self.position = self._scored(event, (Line("-", 0),), last, mover=event.seat)
        self.played = None

    def _exchanged(self, event: Event) -> int:
        """Return how many tiles are exchanged."""
        rack = self.check_rack(event.rack)
        if event.tiles.isdecimal():
            count = int(event.tiles)
            most = len(rack) or self.ground.edition.rack
            if not 1 <= count <= most:
                message = f"{count} tiles cannot be exchanged from {most}"
                raise Faults(message)
        else:
            kinds = self.check_rack(event.tiles)
            count = len(kinds)
            if rack and Counter(kinds) - Counter(rack):
                raise Faults("the tiles exchanged are not on the rack")
        pool = pool_size(self.ground, self.position, self.seats)
        if count > pool:
            message = f"{count} tiles are exchanged, but the pool holds {pool}"
            raise Faults(message)
        return count

    def _withdraw(self, event: Event) -> None:
        """Take the last play off the board."""
        played = self.played
        if played is None or played.event.seat != event.seat:
            raise Faults("there is no play of that player's to withdraw")
        if event.points != -played.event.points:
            message = f"the play scored {played.event.points}, not {-event.points}"
            raise Faults(message)
        self.position = played.before
        last = Last(event.seat, error="The play is no good")
        self.position = self._scored(event, (Line("-", 0),), last, mover=event.seat)
        self.played = None

    def _adjust(self, event: Event) -> None:
        """Count points that no tile earned."""
        late = event.kind is Kind.TIME
        if event.points * (-1 if late else 1) < 0:
            raise Faults("time costs points, a challenge earns them")
        now = self.position
        line = Line("(time)" if late else "(challenge)", event.points)
        self.position = self._scored(event, (line,), now.last, now.mover)

    def _rest(self, event: Event) -> None:
        """Count the tiles left."""
        kinds = self._check_rack_of_all(event.tiles)
        worth = sum(self.ground.points[kind] for kind in kinds)
        fair = {worth, 2 * worth} if event.points >= 0 else {-worth}
        if event.points not in fair:
            message = (
                f"the tiles {event.tiles} are worth {worth}, not {abs(event.points)}"
            )
            raise Faults(message)
        line = Line(f"({event.tiles})", event.points)
        now = self.position
        after = self._scored(event, (line,), now.last, now.mover)
        self.position = replace(after, over=True)

    def _check_rack_of_all(self, text: str) -> tuple[int, ...]:
        """Return the kinds of tiles from any number of racks."""
        try:
            kinds = lettering.kinds(text, self.ground)
        except ValueError as error:
            raise Faults(str(error)) from None
        self._check_counts(kinds)
        return kinds


def ground_of(sheet: Sheet) -> Ground:
    """Return the ground that a game was played on.

    Raises:
        OptionsError: Its edition or word list is not here.
    """
    return networdz.ground(Options(edition=sheet.edition, lexicon=sheet.lexicon))


def pool_size(ground: Ground, position: Position, seats: int) -> int:
    """Return how many tiles are undrawn, if racks are as full as they can be."""
    on_board = sum(map(bool, position.kinds))
    return max(0, sum(ground.edition.counts) - on_board - seats * ground.edition.rack)
