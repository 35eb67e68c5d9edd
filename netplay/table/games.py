"""A table in hand as a line of the list of games: who, whose turn, since when."""

from collections.abc import Sequence
from typing import Final

from netplay.match.match import Match
from netplay.messages.door import TableStatus
from netplay.messages.finished import Result
from netplay.messages.listed_tables import AskedState, GameStatus
from netplay.record.finished import on_time, result_of
from netplay.said import brief
from netplay.sanitize import shown_name
from netplay.table.state import State
from rules import title_of

ASKED: Final[tuple[AskedState, ...]] = ("undelivered", "left", "unanswered")
"""What is told of several who were asked: the first of these that is so of one."""

NO_CLOCK: Final = -1

PAIR: Final = 2
"""Where one of so few is late, the other has won."""

FREE: Final = "?"
"""Who has a seat that is kept for nobody, or for somebody of whom no name is known."""


def described(number: int, table: State) -> str:
    """Return what a table is called where somebody has to say which is meant."""
    names = ", ".join(_players(table)) or table.mode
    game = _game(table)
    title = title_of(game)
    what = f"{title}: {names}" if title else names
    return f"{number} ({what})"


def titled(table: State) -> str:
    """Return what a table is called where another is looked at: the game, with whom."""
    terms, me = table.terms, table.shared.me
    if terms is None:
        return table.address
    members = {n for n, member in enumerate(terms.members) if member.key != me}
    seats = [seat for seat in terms.seats if seat.kind == "person"]
    names = (shown_name(seat.name) for seat in seats if seat.member in members)
    title, who = title_of(_game(table)), ", ".join(dict.fromkeys(filter(None, names)))
    return f"{title} ({who})" if who else title


def _game(table: State) -> str:
    """Return the game that is played, empty while it is not known."""
    terms = table.terms
    return "" if terms is None else shown_name(terms.game)


def _players(table: State) -> tuple[str, ...]:
    """Return who plays, in turn order; whom this node calls."""
    if table.match is not None:
        return tuple(shown_name(name) for name in table.match.fold.names)
    if table.terms is None:
        return (str(brief(table.address)),) if table.address else ()
    return tuple(shown_name(seat.name) for seat in table.terms.seats)


def _shown(table: State, status: TableStatus) -> tuple[str, ...]:
    """Return who plays, and for whom seats are kept, in turn order."""
    if table.match is not None:
        return _players(table)
    return tuple(seat.name or FREE for seat in status.seats)


def game_status(number: int, table: State, now: float) -> GameStatus:
    """Return a table as the list of games shows it.

    Since when it waits, and what is unread, its place knows.
    """
    match, status = table.match, table.status(now)
    own = _here(status) if match is None else _persons(match)
    return GameStatus(
        table=number,
        match=b"" if match is None else match.match,
        mode=table.mode or "called",
        phase="forming" if status is None else status.phase,
        game=_game(table),
        players=_players(table) if status is None else _shown(table, status),
        turn=() if status is None else status.turn,
        mine=_waits(table, status),
        since=0,
        clock=_clock(status),
        unread=0,
        undelivered=table.undelivered if match is None else _undelivered(match),
        away=_away(status),
        waiting="" if status is None else brief(status.waiting),
        asked=_asked(status),
        entries=0 if match is None else match.fold.number,
        left=_left(match, status),
        off=() if status is None else _off(status),
        own=own,
        result=_result(match, status, own),
        audit="" if status is None else brief(status.audit),
    )


def _waits(table: State, status: TableStatus | None) -> bool:
    """Tell whether a table waits for the player here: a move, a yes, the start."""
    match = table.match
    if status is None or status.phase in {"over", "stopped"}:
        return False
    if match is None:
        return status.called or bool(status.changes) or table.ready
    if match.fold.offers.standing and match.offering.waits():
        return True
    persons = [n for n in status.turn if match.seats.by_computer(n) is None]
    return any(_is_ours(match, seat) for seat in persons)


def _result(
    match: Match | None, status: TableStatus | None, own: tuple[int, ...]
) -> Result:
    """Return how a match has ended for the player here, or ends if nobody answers."""
    if match is None or status is None:
        return ""
    if status.contested:
        return "contested"
    now = status.thinking
    if now.claim == "made" and now.ends and len(status.seats) == PAIR:
        return "unanswered"
    if status.offers.ended == "stop":
        return ""
    return on_time(result_of(status.places, own), match.fold)


def _here(status: TableStatus | None) -> tuple[int, ...]:
    """Return the seats that persons here are to have."""
    seats = () if status is None else status.seats
    kinds = [(seat.kind, seat.state) for seat in seats]
    return tuple(n for n, kind in enumerate(kinds) if kind == ("person", "here"))


def _persons(match: Match) -> tuple[int, ...]:
    """Return the seats of persons here, also where a computer stands in for them."""
    seats, fold = match.fold.terms.seats, match.fold
    return tuple(
        n
        for n, seat in enumerate(seats)
        if seat.kind == "person" and fold.holders[n] == match.me
    )


def _is_ours(match: Match, seat: int) -> bool:
    """Tell whether a seat is played here, and its move is not on its way."""
    return match.fold.holders[seat] == match.me and not match.seats.is_moving(seat)


def _asked(status: TableStatus | None) -> AskedState:
    """Return how far those were asked who are away."""
    if status is None:
        return ""
    states = {seat.asked for seat in status.seats}
    for state in ASKED:
        if state in states:
            return state
    return ""


def _clock(status: TableStatus | None) -> int:
    """Return what is left on the clock of who is on turn."""
    if status is None:
        return NO_CLOCK
    clocks = [status.seats[seat].clock for seat in status.turn]
    return min((clock for clock in clocks if clock >= 0), default=NO_CLOCK)


def _left(match: Match | None, status: TableStatus | None) -> int | None:
    """Return the seconds that the turn may yet take, None without a limit."""
    days, clock = (None if match is None else match.thinking.left), _clock(status)
    if days is None:
        return clock // 1000 if clock >= 0 else None
    return max(0, days)  # how long ago it was over is nothing that is left


def _off(status: TableStatus) -> tuple[tuple[str, int], ...]:
    """Return who has days off, and for how long."""
    return tuple((status.seats[seat].name, left) for seat, left in status.offers.off)


def _away(status: TableStatus | None) -> tuple[str, ...]:
    """Return the players who cannot be reached."""
    seats: Sequence[str] = ()
    if status is not None:
        seats = [seat.name for seat in status.seats if seat.state == "away"]
    return tuple(dict.fromkeys(seats))


def _undelivered(match: Match) -> bool:
    """Tell whether what a player here did last is at no other node yet.

    Only a move can be that: what a node adds by itself, for draws say, is nobody's
    news.  And nothing is said while somebody is there who takes it in a moment.
    """
    if not match.others or match.watching:
        return False
    if match.submitting.early:
        return True
    if not match.hosting or match.members.greeted:
        return False
    own, others = match.members.seats, match.others
    for past in reversed(match.fold.history):
        if past.actor in own:
            return all(match.is_new_to(key, past.number) for key in others)
        if past.actor >= 0:
            return False  # whoever moved after it has seen it
    return False
