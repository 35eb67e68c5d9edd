"""The turns of a match that can be judged: who held what, and did what."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from netplay.errors import Code, LocalError
from netplay.formats import scoring
from netplay.formats.placing import kinds
from netplay.formats.scoring import TURNS, ground_of
from netplay.formats.sheet import Event, Kind, Sheet
from netplay.record.fold import Fold
from netplay.record.views import moments
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from rules.networdz import Expire, Lay, Pass, Placed, State, ground
from rules.networdz.judging import placed
from rules.tiles import kind_of


class Turn(Struct, frozen=True, array_like=True):
    """A turn to be judged, for another process."""

    number: int
    """Place in the history of moves, or among the events of a sheet."""
    seat: int
    before: State
    laid: tuple[Placed, ...]
    """Empty for a turn without a play."""
    gone: tuple[int, ...] = ()
    """Kinds of the tiles that were exchanged; -1 for one that nobody wrote down."""


class Choice(Struct, frozen=True, array_like=True):
    """A move of a game that is judged by its computer player, for another process."""

    number: int
    """Place in the history of moves."""
    seat: int
    game: str
    before: bytes
    """What the seat knew."""
    move: bytes


Judged: TypeAlias = Turn | Choice


def judged(fold: Fold) -> Iterator[Judged]:
    """Yield the turns of a match that is over, whatever was played.

    Raises:
        LocalError: USAGE, it goes on, or it is a game without turns.
    """
    about = fold.game.ABOUT
    return of_match(fold) if about.crossword or about.hz else _choices(fold)


def _choices(fold: Fold) -> Iterator[Choice]:
    for number, moment in enumerate(moments(fold)):
        if not moment.full or not fold.over:
            raise LocalError(Code.USAGE, Says.ANALYSE_LATER())
        seat, game = moment.actor, fold.terms.game
        if seat >= 0 and not isinstance(moment.move, Resign):
            before = pack(fold.game.view(moment.before, seat))
            yield Choice(number, seat, game, before, pack(moment.move))


def of_match(fold: Fold) -> Iterator[Turn]:
    """Yield the turns of a match that is over.

    Raises:
        LocalError: USAGE, it is another game, or goes on: racks are not known then.
    """
    if not fold.game.ABOUT.crossword:
        raise LocalError(Code.USAGE, Says.ONLY_NETWORDZ())
    field = ground(fold.playable.options)
    for number, moment in enumerate(moments(fold)):
        if not moment.full or not fold.over:
            raise LocalError(Code.USAGE, Says.ANALYSE_LATER())
        before: State = moment.before
        match moment.move:
            case Lay():
                laid = tuple(placed(field, before, moment.move))
                yield Turn(number, moment.actor, before, laid)
            case Pass(discards=tiles):
                gone = tuple(kind_of(before.tiles, tile) for tile in tiles)
                yield Turn(number, moment.actor, before, (), gone)
            case Expire():
                yield Turn(number, before.turn, before, ())
            case _:
                continue


def of_sheet(sheet: Sheet) -> Iterator[Turn]:
    """Yield the turns of a score sheet.

    Raises:
        LocalError: BAD_LOG, it contradicts itself; BAD_WORDS, its words are not here.
    """
    found = scoring.replayed(sheet)
    if not ground_of(sheet).words.count:
        raise LocalError(Code.BAD_WORDS, Says.NO_LIST_FOR_LETTERS())
    for number, event in enumerate(sheet.events):
        if event.kind in TURNS:
            played = found.plays[number]
            laid: Sequence[Placed] = () if played is None else played.placed
            before = scoring.state(found.sheet, found.positions[number], number)
            yield Turn(number, event.seat, before, tuple(laid), _gone(sheet, event))


def _gone(sheet: Sheet, event: Event) -> tuple[int, ...]:
    """Return the kinds of the tiles that an event exchanges."""
    if event.kind is not Kind.EXCHANGE:
        return ()
    if event.tiles.isdecimal():
        return (-1,) * int(event.tiles)
    return kinds(event.tiles, ground_of(sheet))
