"""What was done here and has not come to the others, in words."""

from collections.abc import Iterator

from netplay.language import _
from netplay.messages.door import TableStatus
from netplay.messages.listed_tables import AskedState
from netplay.text import spans


def undelivered(table: TableStatus) -> Iterator[str]:
    """Yield, for a terminal, what waits to be delivered, and what may be done."""
    if table.made.moves:
        yield from moves(table)
    elif held := left(table):
        yield held
    if table.made.back:
        yield _('"undo" takes it back.')
    yield from consents(table)


def moves(table: TableStatus) -> Iterator[str]:
    """Yield what is said of a move that waits."""
    line = _("Your move is made, and not delivered yet.")
    if table.made.kept:
        line = f"{line} {kept(table)}"
    elif names := away(table):
        more = _("It goes by itself as soon as {who} can be reached.")
        line = f"{line} {more.format(who=names)}"
    yield line
    yield from unconfirmed(table)
    if table.made.draws:
        yield _("Your new tiles come when it is delivered.")


def unconfirmed(table: TableStatus) -> Iterator[str]:
    """Yield that nobody can say yet when a move was made, if there is little time."""
    if table.made.unconfirmed is not None:
        more = _("Nobody confirms your move yet: {time} left.")
        yield more.format(time=spans.left(table.made.unconfirmed))


def consents(table: TableStatus) -> Iterator[str]:
    """Yield what is said of each seat that is agreed to pass to another."""
    for seat, name in table.made.consents:
        line = _("You agree that {other} plays for {seat}: not delivered yet.")
        yield line.format(other=name, seat=table.seats[seat].name)


def left(table: TableStatus) -> str:
    """Return who keeps what for somebody who is away, where no move waits here."""
    held = (_("Not delivered to everybody yet."), kept(table))
    return " ".join([*(held if table.made.kept else ()), *unconfirmed(table)])


def kept(table: TableStatus) -> str:
    """Return who keeps letters, and for whom."""
    keepers: dict[str, list[str]] = {}
    for name, keeper in table.made.kept:
        keepers.setdefault(keeper, []).append(name)
    line = _("{keeper} keeps it for {who}.")
    found = keepers.items()
    return " ".join(line.format(keeper=k, who=", ".join(names)) for k, names in found)


def line(table: TableStatus, number: int) -> str:
    """Return what is said of a line of chat that has not come to anybody yet."""
    keepers = [who for who, lines in table.made.lines_kept if number < lines]
    if not keepers:
        return _("not delivered yet")
    told = _("not delivered yet: {keeper} keeps it")
    return told.format(keeper=", ".join(dict.fromkeys(keepers)))


def asked(state: AskedState) -> str:
    """Return how far somebody who is away was asked to a table."""
    if state == "undelivered":
        return _("asked, not delivered yet")
    if state == "left":
        return _("asked, a friend keeps it")
    return _("asked, no answer yet")


def away(table: TableStatus) -> str:
    """Return the names of those who cannot be reached."""
    names = [seat.name for seat in table.seats if seat.state in ("away", "elsewhere")]
    return ", ".join(dict.fromkeys(names))
