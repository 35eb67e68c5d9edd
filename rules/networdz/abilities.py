"""What Networdz can do beside what every game can; the Protocols of rules.game."""

from rules.game import Seat
from rules.networdz import values
from rules.networdz.playing import MINUTES, accepted
from rules.tiles import Shown, Tiles


def scores(state: values.State) -> tuple[int, ...]:
    """Return each seat's points."""
    return state.scores


def tiles(state: values.State) -> Tiles:
    """Return the bag and the racks."""
    return state.tiles


def shown(move: values.Move) -> tuple[Shown, ...]:
    """Return the tiles that a move makes public."""
    return (
        move.shown if isinstance(move, values.Lay | values.Renew | values.Trade) else ()
    )


def turn_minutes(options: values.Options) -> int:
    """Return the minutes of a timed turn, 0 where turns are not timed."""
    return options.timed


def match_minutes(options: values.Options) -> int:
    """Return a seat's minutes by the tournament rules, 0 without them."""
    return MINUTES if options.tournament else 0


def fined(move: values.Move) -> Seat | None:
    """Return who goes over its time by a move of the clock."""
    return move.seat if isinstance(move, values.Overtime) else None


def answering(state: values.State) -> bool:
    """Return False: who may challenge a play is on turn."""
    return False


def lapse(state: values.State, _seat: Seat) -> values.Accept | values.Pass:
    """Return the move of who lets its turn lapse, or says nothing to the last play."""
    return (
        values.Pass() if accepted(state).phase == values.Phase.PLAY else values.Accept()
    )


def hints(options: values.Options) -> bool:
    """Tell whether the rules dialog allows hints."""
    return options.hints
