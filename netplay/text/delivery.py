"""What was done here and has not come to the others, in words for a terminal."""

from collections.abc import Iterator

from netplay.language import _
from netplay.messages.door import AskedState, TableStatus


def undelivered(table: TableStatus) -> Iterator[str]:
    """Yield what waits to be delivered, and what may be done about it."""
    made, seats = table.made, table.seats
    if made.moves:
        line = _("Your move is made, and not delivered yet.")
        names = away(table)
        if names:
            more = _("It goes by itself as soon as {who} can be reached.")
            line = f"{line} {more.format(who=names)}"
        yield line
    if made.draws:
        yield _("Your new tiles come when it is delivered.")
    if made.back:
        yield _('"undo" takes it back.')
    for seat, name in made.consents:
        line = _("You agree that {other} plays for {seat}: not delivered yet.")
        yield line.format(other=name, seat=seats[seat].name)


def asked(state: AskedState) -> str:
    """Return how far somebody who is away was asked to a table."""
    if state == "undelivered":
        return _("asked, not delivered yet")
    return _("asked, no answer yet")


def away(table: TableStatus) -> str:
    """Return the names of those who cannot be reached."""
    names = [seat.name for seat in table.seats if seat.state in ("away", "elsewhere")]
    return ", ".join(dict.fromkeys(names))
