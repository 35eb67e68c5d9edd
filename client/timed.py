"""What is shown of the time: a scene is built anew only where it is to be seen."""

from client import counting
from client.model import Model
from client.pages import bar, games, person
from client.update import lively
from rules import GAMES


def shows(before: Model, after: Model) -> bool:
    """Tell whether the passing of time is to be seen."""
    if before.notice != after.notice or before.match is not after.match:
        return True
    silent = bar.trouble_with_node(before) != bar.trouble_with_node(after)
    if silent or counting.goes_on(before):
        return True
    if before.learning is not after.learning or before.chooser is not after.chooser:
        return True
    moving = lively(before) or lively(after)  # the last frame of a movement, too
    if moving and not (after.match and GAMES[after.match.game].ABOUT.hz):
        return True  # a game in real time shows its wells, never the time
    if games.aged(before, after):
        return True
    seats = () if after.table is None else after.table.seats
    return any(seat.ticking or person.missed(seat) for seat in seats)
