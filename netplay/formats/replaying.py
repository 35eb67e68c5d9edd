"""The positions of a score sheet as states of Networdz, to be shown and judged.

A record says what each player held when making a turn.  Nothing is drawn between two
turns of one player, so the rack of the next turn is what is held all the while.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.formats import lettering
from netplay.formats.placing import Faults
from netplay.formats.scoring import Played, Position, Scorer, ground_of, options_of
from netplay.formats.sheet import Event, Kind, Sheet
from netplay.said import spoken
from rules.game import IllegalMoveError
from rules.networdz import NOBODY, Ground, State
from rules.networdz.values import Phase
from rules.tiles import EVERYTHING, UNKNOWN, Tiles


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
        scorer.take(event)
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
    return State(
        options=options_of(sheet),
        phase=Phase.OVER if position.over else Phase.PLAY,
        turn=_turn(sheet, position, number),
        tiles=_tiles(ground, position, racks),
        letters=position.letters,
        kinds=position.kinds,
        scores=position.scores,
        lists=position.lists,
        last=position.last,
    )


def _turn(sheet: Sheet, position: Position, number: int) -> int:
    """Return whose turn it is: who makes the next, or follows the last."""
    turns = {Kind.PLAY, Kind.PASS, Kind.EXCHANGE}
    coming = [event.seat for event in sheet.events[number:] if event.kind in turns]
    if position.over:
        return NOBODY
    return coming[0] if coming else (position.mover + 1) % len(sheet.players)


def _held(
    sheet: Sheet, ground: Ground, position: Position, number: int, seat: int
) -> tuple[int, ...]:
    """Return the kinds on a rack; those missing from a full one are unknown."""
    text = _written(sheet, sheet.events[number:], seat)
    known = lettering.kinds(text, ground)
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


def _tiles(
    ground: Ground, position: Position, racks: Sequence[tuple[int, ...]]
) -> Tiles:
    """Return racks and pool with numbers, which a record does not have."""
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
    return Tiles(EVERYTHING, 0, first, end, tuple(counts), tuple(numbers), tuple(racks))
