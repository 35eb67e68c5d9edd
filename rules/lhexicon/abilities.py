"""What Lhexicon can do beside what every game can; the Protocols of rules.game."""

from rules.game import Seat
from rules.lhexicon.state import (
    Accept,
    Lay,
    Move,
    Options,
    Pass,
    PickUp,
    State,
    Withdraw,
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
    return move.shown if isinstance(move, Lay | PickUp) else ()


def turn_minutes(options: Options) -> int:
    """Return the minutes of a timed turn, 0 where turns are not timed."""
    return options.timed


def match_minutes(options: Options) -> int:
    """Return 0: time is limited by turns alone."""
    return 0


def fined(move: Move) -> Seat | None:
    """Return None: whoever is too slow loses the turn, and pays no fine."""
    return None


def answering(state: State) -> bool:
    """Tell whether an announced word waits for the opponents' answers."""
    return state.announced is not None


def lapse(state: State, _seat: Seat) -> Accept | Pass | Withdraw:
    """Return the move of who lets its turn lapse, or says nothing to a word."""
    if state.announced is None:
        return Pass()
    return Accept() if state.announced.challenger is None else Withdraw()
