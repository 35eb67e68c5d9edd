"""The score sheet of one of our own matches of Networdz."""

import re
from itertools import chain, count
from typing import Final

from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.formats import placing
from netplay.formats.placing import At, written
from netplay.formats.sheet import Event, Kind, Sheet, own_edition
from netplay.record.fold import Fold
from netplay.record.views import Moment, moments
from netplay.sentences import Says
from rules import editions, lexicon, networdz
from rules.game import CHANCE, Resign
from rules.networdz import (
    PENALTY,
    Accept,
    Challenge,
    Expire,
    Ground,
    Lay,
    Overtime,
    Pass,
    Placed,
    Renew,
    State,
    Trade,
)
from rules.networdz.judging import square_name
from rules.networdz.values import Phase
from rules.tiles import kind_of

WIDEST: Final = 26
"""Columns that a record has letters for."""


def sheet_of(fold: Fold) -> Sheet:
    """Return the score sheet of a match.

    Raises:
        LocalError: USAGE, it is another game, or something happened in it that records
            have no line for; the words say what.
    """
    if not fold.game.ABOUT.crossword:
        raise LocalError(Code.USAGE, Says.NO_RECORD_OF(game=fold.game.ABOUT.title))
    options = fold.playable.options
    ground = networdz.ground(options)
    if ground.width > WIDEST:
        raise LocalError(Code.USAGE, Says.BOARD_TOO_WIDE(columns=WIDEST))
    secretary = _Secretary(ground, len(fold.names))
    for moment in moments(fold):
        secretary.write_down(moment)
    players: list[tuple[str, str]] = []
    for number, name in enumerate(fold.names, 1):
        plain, taken = re.sub(r"[\s:]+", "_", name), {nick for nick, _ in players}
        tried = chain([plain], (f"{plain}_{more}" for more in count(number)))
        nick = next(each for each in tried if each not in taken)
        players.append((nick, " ".join(name.split())))
    return Sheet(
        players=tuple(players),
        edition=options.edition,
        lexicon=options.lexicon,
        events=tuple(secretary.events),
        left=secretary.left(),
        pragmas=_pragmas(ground, options.lexicon, over=fold.over),
        own=own_edition(options.edition),
    )


def _pragmas(ground: Ground, words: str, *, over: bool) -> tuple[tuple[str, str], ...]:
    """Return what is told about a match: whose tiles and board, and which words."""
    shipped = {digest: name for name, digest in editions.shipped().items()}
    edition = ground.edition
    named = shipped.get(edition.digest, edition.name)
    lists = {digest: name for name, digest in lexicon.shipped().items()}
    told = [("lexicon", lists.get(words, words))]
    if named != "standard":
        told.insert(0, ("tile-set", named))
    if not over:
        told.append(("incomplete", ""))
    return tuple(told)


class _Secretary:
    """Writes down what happens in a match."""

    def __init__(self, ground: Ground, seats: int) -> None:
        self.ground: Final = ground
        self.events: list[Event] = []
        self._totals = [0] * seats
        self._last: State | None = None
        self._held: State | None = None
        """Before the last play."""

    def write_down(self, moment: Moment) -> None:
        """Write a move down, if records have a line for it."""
        before, after, seat = moment.before, moment.after, moment.actor
        match moment.move:
            case Lay():
                self._lay(before, after, seat, moment.move)
            case Pass(discards):
                kinds = [kind_of(before.tiles, number) for number in discards]
                known = min(kinds, default=0) >= 0
                tiles = placing.spell(kinds, self.ground) if known else str(len(kinds))
                self._add(before, seat, Kind.EXCHANGE if kinds else Kind.PASS, tiles)
            case Expire() if networdz.forfeited(before, moment.move) is not None:
                self._add(before, before.turn, Kind.PASS)
                self._note("the time was over")
            case Overtime():
                self._add(before, moment.move.seat, Kind.TIME, points=-PENALTY)
            case Resign():
                if self.events:
                    self._note(f"player {seat + 1} resigns")
            case Challenge():
                self._challenged(before, after, seat)
            case Renew() | Trade():
                is_trade = isinstance(moment.move, Trade)
                says = Says.TRADE_UNRECORDED if is_trade else Says.RENEWAL_UNRECORDED
                raise LocalError(Code.USAGE, says(number=seat + 1))
            case _:
                # Whose time ends behind the last word accepts it, and loses no turn
                assert seat == CHANCE or isinstance(moment.move, Accept | Expire)
        self._last = after
        if before.phase != Phase.OVER and after.phase == Phase.OVER and after.tally:
            self._tally(after)

    def _add(
        self,
        state: State,
        seat: int,
        kind: Kind,
        tiles: str = "",
        where: str = "",
        points: int = 0,
    ) -> None:
        self._totals[seat] += points
        rack = _rack(self.ground, state, seat)
        total = self._totals[seat]
        self.events.append(Event(seat, kind, rack, where, tiles, points, total))

    def _note(self, text: str) -> None:
        """Write a note behind the last line."""
        event = self.events[-1]
        self.events[-1] = replace(event, note=(*event.note, text))

    def _lay(self, before: State, after: State, seat: int, move: Lay) -> None:
        """Write a play down; one that lost its turn is withdrawn again."""
        self._held = before
        verdict = networdz.judge_lay(before, move)
        cells, points = verdict.cells, verdict.points
        if after.last.error and (not verdict.lines or len(cells) < 2):
            self._add(before, seat, Kind.PASS)
            self._note(f"the play was no good: {after.last.error}")
            return
        down = cells[1] - cells[0] == self.ground.width
        where = square_name(self.ground, cells[0], down=down)
        placed = tuple(
            Placed(laid.cell, shown.kind, laid.letter)
            for laid, shown in zip(move.laid, move.shown, strict=True)
        )
        tiles = written(self.ground, At(where, tuple(cells), placed))
        self._add(before, seat, Kind.PLAY, tiles, where, points)
        if after.last.error:
            self._add(before, seat, Kind.WITHDRAWN, points=-points)
            self._note(after.last.error)

    def _challenged(self, before: State, after: State, seat: int) -> None:
        """Write down what came of a challenge; one in vain may cost the turn."""
        play, held = before.pending, self._held
        assert play is not None  # else nothing could be challenged
        assert held is not None
        if why := networdz.wrong(before):
            self._add(held, play.seat, Kind.WITHDRAWN, points=-play.points)
            self._note(why)
            return
        if before.options.challenge == "five":
            self._add(held, play.seat, Kind.CHALLENGE, points=networdz.BONUS)
            return
        if after.last.error:
            self._add(before, seat, Kind.PASS)
        self._note(f"player {seat + 1} challenged in vain")

    def _tally(self, after: State) -> None:
        left = [_rack(self.ground, after, seat) for seat in range(len(self._totals))]
        for seat, points in enumerate(after.tally):
            if points < 0:
                self._add(after, seat, Kind.REST, left[seat], points=points)
        if after.out >= 0 and after.tally[after.out]:
            points = after.tally[after.out]
            others = "".join(
                rack
                for seat, rack in enumerate(left)
                if seat != after.out and seat not in after.resigned
            )
            self._add(after, after.out, Kind.REST, others, points=points)

    def left(self) -> tuple[str, ...]:
        """Return the racks at the end of a match that is not over."""
        seats = range(len(self._totals))
        last = self._last
        if last is None or last.phase == Phase.OVER:
            return tuple("" for _ in seats)
        return tuple(_rack(self.ground, last, seat) for seat in seats)


def _rack(ground: Ground, state: State, seat: int) -> str:
    """Return a rack, empty unless all of it is known."""
    kinds = state.tiles.kinds[seat]
    return "" if min(kinds, default=0) < 0 else placing.spell(kinds, ground)
