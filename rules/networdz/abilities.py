"""What Networdz can do beside what every game can; the Protocols of rules.game."""

from rules.game import Seat
from rules.networdz.playing import MINUTES, accepted
from rules.networdz.values import (
    Accept,
    Lay,
    Move,
    Options,
    Overtime,
    Pass,
    Phase,
    Renew,
    State,
    Trade,
)
from rules.tiles import Shown, Tiles


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's points."""
    return state.scores


def tiles(state: State) -> Tiles:
    """Return the bag and the racks."""
    return state.tiles


def shown(move: Move) -> tuple[Shown, ...]:
    """Return the tiles that a move makes public."""
    return move.shown if isinstance(move, Lay | Renew | Trade) else ()


def turn_minutes(options: Options) -> int:
    """Return the minutes of a timed turn, 0 where turns are not timed."""
    return options.timed


def match_minutes(options: Options) -> int:
    """Return a seat's minutes by the tournament rules, 0 without them."""
    return MINUTES if options.tournament else 0


def fined(move: Move) -> Seat | None:
    """Return who goes over its time by a move of the clock."""
    return move.seat if isinstance(move, Overtime) else None


def answering(state: State) -> bool:
    """Return False: who may challenge a play is on turn."""
    return False


def lapse(state: State, _seat: Seat) -> Accept | Pass:
    """Return the move of who lets its turn lapse, or says nothing to the last play."""
    return Pass() if accepted(state).phase == Phase.PLAY else Accept()


def hints(options: Options) -> bool:
    """Tell whether the rules dialog allows hints."""
    return options.hints
