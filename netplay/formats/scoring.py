"""A score sheet played again by our rules: every position, every point.

A word that is not in the dictionary is no fault of a record (other clubs play with
other lists, and a play that nobody challenged stays).  Where tiles lie and whose turn
it is must be right, or there is no position.  What people count by hand - points,
totals, racks - may be wrong: it stays as it was written, and is remarked on.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.formats import GAME, placing
from netplay.formats.meant import wordless
from netplay.formats.placing import At, Faults, Racks, place, written
from netplay.formats.sheet import Event, Kind, Sheet, from_bytes
from netplay.record.verify import Finding, Verdict
from netplay.said import chained, spoken, worded
from netplay.sentences import Says
from rules import editions, lexicon, networdz
from rules.game import IllegalMoveError, OptionsError
from rules.networdz import NOBODY, Ground, Last, Line, Options, Placed, State
from rules.networdz.values import Phase
from rules.sentence import sentence
from rules.tiles import EVERYTHING, UNKNOWN, Tiles

TURNS: Final = frozenset({Kind.PLAY, Kind.PASS, Kind.EXCHANGE})

CHALLENGED: Final = 10
"""Points that a word which was challenged and was good earns at most; mostly it is 5 a
play."""

SCORELESS: Final = 6
"""As many turns without points end a game in most clubs."""


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
    rack: tuple[int, ...]
    """What was held, as far as it is known."""
    words: tuple[Line, ...]
    """What it scored for."""
    scoreless: int = 0
    """Turns without points before it, one after the other."""


class Scorer:
    """Takes the events of a record one after the other."""

    def __init__(self, ground: Ground, seats: int) -> None:
        self.ground: Final = ground
        self.seats: Final = seats
        empty = bytes(ground.size)
        self.position = Position(empty, empty, (0,) * seats, ((),) * seats)
        self.played: Played | None = None
        """The last turn, if it was a play."""
        self.remarks: list[str] = []
        """What is odd about the last event, in words."""
        self.believed = Event(0, Kind.PASS, "", "", "", 0, 0)
        """The last event without what cannot be true of its racks."""
        self._racks: Final = Racks(ground, seats)
        self._scoreless = 0
        """Turns without points, one after the other, up to now."""
        self._scoreless_before = 0
        """Likewise, before the last turn."""
        self._late = False
        """Somebody has been charged for time, and no turn has followed."""
        self._charged: Final[set[int]] = set()
        """Who has been, ever."""
        self._challenged: Played | None = None
        """The last play that was challenged and was good."""
        self._rested: Final[set[int]] = set()
        """Whose tiles left have been counted."""

    def score(self, event: Event) -> Event:
        """Play an event; return it as it is written canonically.

        Raises:
            Faults: Something in it cannot be; the position has not changed.
        """
        self.remarks = []
        due = self.position.scores[event.seat] + event.points
        if event.total != due:
            self._remark(
                "the total is {total}, but {points} makes {due}",
                total=event.total,
                points=f"{event.points:+d}",
                due=due,
            )
        if event.kind in TURNS:
            self._count_turn(event)
        self.believed = event
        match event.kind:
            case Kind.PLAY:
                return self._play(event)
            case Kind.PASS:
                self._pass(event, self._stated(event))
            case Kind.EXCHANGE:
                self._exchange(event)
            case Kind.WITHDRAWN:
                self._withdraw(event)
            case Kind.CHALLENGE | Kind.TIME:
                self._adjust(event)
            case Kind.REST:
                self._rest(event)
        return event

    def _remark(self, template: str, **values: object) -> None:
        self.remarks.append(sentence(template, **values))

    def check_left(self, seat: int, rack: str) -> None:
        """Remark on what is said to be on a rack at the end.

        Raises:
            Faults: There is no such tile.
        """
        kinds = self._racks.kinds_of(rack)
        doubt = self._racks.doubt(seat, kinds, self.position.kinds)
        self.remarks = [doubt] if doubt else []

    def _stated(self, event: Event) -> tuple[int, ...]:
        """Return the rack that an event states; nothing if it cannot be that.

        Raises:
            Faults: There is no such tile.
        """
        kinds = self._racks.kinds_of(event.rack)
        doubt = self._racks.doubt(event.seat, kinds, self.position.kinds)
        if kinds and doubt:
            self._disbelieve(event, doubt)
            return ()
        return kinds

    def _disbelieve(
        self, event: Event, doubt: str, instead: Iterable[int] = ()
    ) -> None:
        """Remark on a rack, and forget what was known of it."""
        self.remarks.append(doubt)
        self._racks.forget(event.seat)
        rack = placing.spell(instead, self.ground)
        self.believed = replace(self.believed, rack=rack)

    def _count_turn(self, event: Event) -> None:
        """Remark on a turn out of order, or of a game that others would have ended.

        Raises:
            Faults: The game was over, or it is the turn of the other one of two.
        """
        if self.position.over:
            raise Faults("the game was over")
        mover = self.position.mover
        if self.seats == 2 and event.seat == mover:
            raise Faults("it is the other player's turn")
        if mover != NOBODY and event.seat != (mover + 1) % self.seats:
            self._remark("it is the turn of another player, by their order")
        if self._scoreless == SCORELESS:
            self._remark(
                "{count} turns without points came before: by the usual rules the game "
                "was over",
                count=SCORELESS,
            )
        if self._late:
            self._remark("what time costs is counted at the end, and a turn follows")
            self._late = False
        self._scoreless_before = self._scoreless
        self._scoreless = 0 if event.points else self._scoreless + 1

    def _play(self, event: Event) -> Event:
        board = self.position
        at = place(self.ground, board.letters, event.where, event.tiles)
        verdict = networdz.judge_placed(
            self.ground, board.letters, board.kinds, at.placed
        )
        if not verdict.lines:
            raise Faults(verdict.error)
        if len(verdict.cells) < 2:
            raise Faults("a word has at least two letters")
        if verdict.points != event.points:
            scored = ", ".join(f"{line.word} {line.points}" for line in verdict.lines)
            self._remark(
                "the play scores {points} ({scored}), not {other}",
                points=verdict.points,
                scored=scored,
                other=event.points,
            )
        plain = replace(event, where=at.where, tiles=written(self.ground, at))
        self.believed = plain
        rack = self._take_tiles(plain, at)
        cells = tuple(each.cell for each in at.placed)
        last = Last(event.seat, cells, event.points)
        after = self._scored(event, verdict.lines, last, mover=event.seat)
        letters, kinds = bytearray(board.letters), bytearray(board.kinds)
        for each in at.placed:
            letters[each.cell], kinds[each.cell] = each.letter + 1, each.kind + 1
        self.played = Played(
            plain, board, at.placed, rack, verdict.lines, self._scoreless_before
        )
        self.position = replace(after, letters=bytes(letters), kinds=bytes(kinds))
        return plain

    def _take_tiles(self, event: Event, at: At) -> tuple[int, ...]:
        """Take the tiles of a play from the rack; return what was on it before."""
        laid = tuple(each.kind for each in at.placed)
        rack = self._stated(event)
        if rack and Counter(laid) - Counter(rack):
            doubt = sentence("the tiles played are not on the rack")
            self._disbelieve(event, doubt, laid)
            rack = ()
        elif event.rack and not rack:
            self.believed = replace(event, rack=placing.spell(laid, self.ground))
        elif wrong := self._racks.overdrawn(laid, self.position.kinds):
            self.remarks.append(wrong)
        self._racks.keep(event.seat, rack, laid)
        return rack or laid

    def _scored(
        self, event: Event, lines: Sequence[Line], last: Last, mover: int
    ) -> Position:
        now = self.position
        scores, lists = list(now.scores), list(now.lists)
        scores[event.seat] = event.total
        lists[event.seat] = (*lists[event.seat], *lines)
        return replace(
            now, scores=tuple(scores), lists=tuple(lists), mover=mover, last=last
        )

    def _pass(
        self,
        event: Event,
        rack: Sequence[int],
        given: Sequence[int] = (),
        count: int = 0,
    ) -> None:
        if event.points:
            self._remark("a turn without a play scores nothing")
        self._racks.keep(event.seat, rack, given)
        last = Last(event.seat, discards=count)
        self.position = self._scored(event, (Line("-", 0),), last, mover=event.seat)
        self.played = None

    def _exchange(self, event: Event) -> None:
        """Exchange tiles, named or only counted."""
        rack, given = self._stated(event), tuple[int, ...]()
        if event.tiles.isdecimal():
            count = int(event.tiles)
            most = len(rack) or self.ground.edition.rack
            if not 1 <= count <= most:
                self._remark(
                    "{count} tiles cannot be exchanged from {most}",
                    count=count,
                    most=most,
                )
        else:
            given = self._racks.kinds_of(event.tiles)
            count = len(given)
            if rack and Counter(given) - Counter(rack):
                doubt = sentence("the tiles exchanged are not on the rack")
                self._disbelieve(event, doubt, given)
                rack = ()
        pool = pool_size(self.ground, self.position, self.seats)
        if count > pool:
            self._remark(
                "{count} tiles are exchanged, but the pool holds {pool}",
                count=count,
                pool=pool,
            )
        self._pass(event, rack, given, count)
        if not given:  # nobody knows which
            self._racks.forget(event.seat)

    def _withdraw(self, event: Event) -> None:
        """Take the last play off the board: until here its tiles counted as laid."""
        played = self.played
        if played is None or played.event.seat != event.seat:
            raise Faults("there is no play of that player's to withdraw")
        kinds = self._racks.kinds_of(event.rack)
        if event.points != -played.event.points:
            self._remark(
                "the play scored {points}, not {other}",
                points=played.event.points,
                other=-event.points,
            )
        self.position = played.before
        self._scoreless = played.scoreless + 1
        self._racks.forget(event.seat)
        self._racks.keep(event.seat, played.rack)
        doubt = self._racks.doubt(event.seat, kinds, self.position.kinds)
        if kinds and doubt:
            self._disbelieve(event, doubt, played.rack)
        last = Last(event.seat, error="The play is no good")
        self.position = self._scored(event, (Line("-", 0),), last, mover=event.seat)
        self.played = None

    def _adjust(self, event: Event) -> None:
        """Count points that no tile earned."""
        late = event.kind is Kind.TIME
        if event.points * (-1 if late else 1) < 0:
            raise Faults("time costs points, a challenge earns them")
        if late:
            # Remark on a second charge for time
            seat = event.seat
            if seat in self._charged:
                self._remark("what time costs was counted for that player already")
            self._charged.add(seat)
            self._late = True
        else:
            played = self.played
            if played is None or played.event.seat != event.seat:
                self._remark("the turn before is no play of that player's to challenge")
            elif played is self._challenged:
                self._remark("that play was challenged already, and counted as good")
            words = 1 if played is None else len(played.words)
            if event.points > CHALLENGED * words:
                self._remark(
                    "no rules give {points} points for a challenge", points=event.points
                )
            self._challenged = played
        before = self.played.rack if self.played else ()
        # A rack with all that was laid on it is the one before the play
        stated = Counter(self._racks.kinds_of(event.rack))
        if not before or Counter(before) - stated:
            self._racks.keep(event.seat, self._stated(event))
        now = self.position
        line = Line("(time)" if late else "(challenge)", event.points)
        self.position = self._scored(event, (line,), now.last, now.mover)

    def _rest(self, event: Event) -> None:
        kinds = self._racks.kinds_of(event.tiles)
        self._stated(event)
        if event.seat in self._rested:
            self._remark("the tiles left were counted for that player already")
        self._rested.add(event.seat)
        if doubt := self._left_wrongly(event, kinds):
            self.remarks.append(doubt)
            self.believed = replace(self.believed, tiles="")
        elif (
            event.points > 0
            and self.seats == 2
            and self.played is not None
            and self.played.event.seat != event.seat
        ):
            self._remark("it was the other player who went out")
        worth = sum(self.ground.points[kind] for kind in kinds)
        fair = {worth, 2 * worth} if event.points >= 0 else {-worth}
        if event.points not in fair:
            self._remark(
                "the tiles {tiles} are worth {worth}, not {points}",
                tiles=event.tiles,
                worth=worth,
                points=abs(event.points),
            )
        line = Line(f"({event.tiles})", event.points)
        now = self.position
        after = self._scored(event, (line,), now.last, now.mover)
        self.position = replace(after, over=True)

    def _left_wrongly(self, event: Event, kinds: Sequence[int]) -> str:
        """Return why these cannot be the tiles left, empty if they can."""
        board = self.position.kinds
        if event.points < 0:
            return self._racks.doubt(event.seat, kinds, board)
        unseen = self._racks.unseen(board)
        if self.seats != 2:
            return self._racks.overdrawn(kinds, board)
        if Counter(kinds) == unseen:
            return ""
        if unseen.total() > self.ground.edition.rack:
            return sentence(
                "{unseen} tiles are not on the board, not {count}",
                unseen=unseen.total(),
                count=len(kinds),
            )
        left = placing.spell(sorted(unseen.elements()), self.ground)
        return sentence(
            "the tiles left are {left}, not {tiles}"
            if left
            else "the tiles left are none, not {tiles}",
            left=left,
            tiles=event.tiles,
        )


def ground_of(sheet: Sheet) -> Ground:
    """Return the ground that a game was played on.

    Raises:
        OptionsError: Its edition is not here.
    """
    return networdz.ground(options_of(sheet))


def options_of(sheet: Sheet) -> Options:
    """Return the options of a record's game; without its words, those of no word."""
    try:
        edition = editions.find(sheet.edition)
    except LookupError:
        raise OptionsError("The edition of the record is not here") from None
    try:
        words = lexicon.find(sheet.lexicon).digest
    except LookupError:
        words = wordless(edition)
    return Options(edition=sheet.edition, lexicon=words)


def pool_size(ground: Ground, position: Position, seats: int) -> int:
    """Return how many tiles are undrawn, if racks are as full as they can be."""
    on_board = sum(map(bool, position.kinds))
    return max(0, sum(ground.edition.counts) - on_board - seats * ground.edition.rack)


# The positions of a score sheet as states of Networdz, to be shown and judged.
#
# A record says what each player held when making a turn. Nothing is drawn between two
# turns of one player, so the rack of the next turn is what is held all the while.


class Replayed(Struct, frozen=True):
    """A score sheet, played again."""

    sheet: Sheet
    """Without what cannot be true of its racks."""
    positions: tuple[Position, ...]
    """Before each event and after the last."""
    plays: tuple[Played | None, ...]
    """Of each event what was played, if it was a play."""
    remarks: tuple[tuple[int, str], ...]
    """(event, what is odd about it), from 1."""


def replayed(sheet: Sheet) -> Replayed:
    """Return the same as `replay`; what is wrong is the file's fault.

    Raises:
        LocalError: BAD_LOG, the sheet contradicts itself, or its edition is not here.
    """
    try:
        return replay(sheet)
    except (Faults, IllegalMoveError) as error:
        raise LocalError(Code.BAD_LOG, spoken(error)) from error


def replay(sheet: Sheet) -> Replayed:
    """Return a score sheet, played again.

    Raises:
        Faults: The sheet contradicts itself.
        OptionsError: Its edition is not here.
    """
    scorer = Scorer(ground_of(sheet), len(sheet.players))
    found, plays = [scorer.position], list[Played | None]()
    believed, remarks = list[Event](), list[tuple[int, str]]()
    for number, event in enumerate(sheet.events, 1):
        scorer.score(event)
        found.append(scorer.position)
        plays.append(scorer.played if event.kind is Kind.PLAY else None)
        believed.append(scorer.believed)
        remarks += [(number, text) for text in scorer.remarks]
    left = list(sheet.left)
    for seat, rack in enumerate(sheet.left):
        scorer.check_left(seat, rack)
        remarks += [(len(sheet.events), text) for text in scorer.remarks]
        left[seat] = "" if scorer.remarks else rack
    plain = replace(sheet, events=tuple(believed), left=tuple(left))
    return Replayed(plain, tuple(found), tuple(plays), tuple(remarks))


def state(sheet: Sheet, position: Position, number: int) -> State:
    """Return a position as a state; tiles that nobody wrote down are unknown.

    Args:
        sheet: The record, as `replay` gave it back.
        position: One of those that it gave.
        number: How many events came before it.
    """
    ground = ground_of(sheet)
    seats = range(len(sheet.players))
    racks = [_held(sheet, ground, position, number, seat) for seat in seats]
    # Whose turn it is: who makes the next, or follows the last
    coming = (event.seat for event in sheet.events[number:] if event.kind in TURNS)
    turn = next(coming, (position.mover + 1) % len(seats))
    # A record has no numbers of tiles: give them to the racks and the pool
    counts = list(ground.edition.counts)
    for kind in position.kinds:
        if kind:  # a record may have more of a kind than there are
            counts[kind - 1] = max(0, counts[kind - 1] - 1)
    numbers: list[tuple[int, ...]] = []
    first = 0
    for rack in racks:
        numbers.append(tuple(range(first, first + len(rack))))
        first += len(rack)
    end = max(first, sum(counts))
    return State(
        options=options_of(sheet),
        phase=Phase.OVER if position.over else Phase.PLAY,
        turn=NOBODY if position.over else turn,
        tiles=Tiles(
            EVERYTHING, 0, first, end, tuple(counts), tuple(numbers), tuple(racks)
        ),
        letters=position.letters,
        kinds=position.kinds,
        scores=position.scores,
        lists=position.lists,
        last=position.last,
    )


def _held(
    sheet: Sheet, ground: Ground, position: Position, number: int, seat: int
) -> tuple[int, ...]:
    """Return the kinds on a rack; those missing from a full one are unknown."""
    text = _written(sheet, sheet.events[number:], seat)
    known = placing.kinds(text, ground)
    seats, size = len(sheet.players), ground.edition.rack
    left = sum(ground.edition.counts) - sum(map(bool, position.kinds))
    if left < seats * size:  # near the end racks may be short
        return known
    return (*known, *(UNKNOWN for _ in range(size - len(known))))


def _written(sheet: Sheet, events: Sequence[Event], seat: int) -> str:
    """Return what a player holds, as the next line that says so has it."""
    for event in events:
        if event.seat == seat and event.rack:
            return event.rack
        others = len(sheet.players) == 2 and event.seat != seat
        if event.kind is Kind.REST and others and event.points >= 0:
            return event.tiles
        if event.seat == seat:
            return event.tiles if event.kind is Kind.REST and event.points < 0 else ""
    return sheet.left[seat]


# Check the file of a score sheet: what a verdict can say of what nobody signed.


UNSIGNED = sentence("none: a score sheet, which nobody has signed")
"""In place of an audit."""


def verify(data: bytes) -> Verdict:
    """Check a score sheet: all of it is played and counted again.

    Args:
        data: The whole file.
    """
    try:
        sheet = from_bytes(data)
    except LocalError as error:
        return Verdict("bad", "", 0, 0, (), "", error.said)
    events = len(sheet.events)
    moves = sum(event.kind in TURNS for event in sheet.events)
    try:
        found = replay(sheet)
    except OptionsError as error:
        return Verdict("unknown", GAME, events, moves, (), "", spoken(error))
    except (Faults, IllegalMoveError) as error:
        return Verdict("bad", GAME, events, moves, (), "", spoken(error))
    last = found.positions[-1]
    places = (
        tuple(1 + sum(other > own for other in last.scores) for own in last.scores)
        if last.over
        else ()
    )
    odd = chained(
        [Says.SHEET_EVENT(number=n, why=worded(why)) for n, why in found.remarks]
    )
    verdict: Finding = "good" if last.over else "unfinished"
    return Verdict(verdict, GAME, events, moves, places, UNSIGNED, odd)
