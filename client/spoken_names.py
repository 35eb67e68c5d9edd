"""Names of computers and programs at a table, in the language of the user."""

from msgspec.structs import replace

from client.texts import _
from netplay.messages import door


def named(table: door.TableStatus) -> door.TableStatus:
    """Return a table with its computers' names in the language that is spoken."""
    if not any(seat.kind == "computer" or seat.program for seat in table.seats):
        return table
    return replace(table, seats=tuple(map(_in_language, table.seats)))


def _in_language(seat: door.SeatStatus) -> door.SeatStatus:
    """Return a seat; a computer that bears the node's name for it, in the language."""
    if seat.program:
        return replace(seat, name=_numbered(seat.name, "Program", _("Program {n}")))
    if seat.kind != "computer":
        return seat
    return replace(seat, name=computer(seat.name))


def computer(name: str) -> str:
    """Return what the node calls a computer, in the language; else the name."""
    return _numbered(name, "Computer", _("Computer {n}"))


def _numbered(name: str, head: str, words: str) -> str:
    """Return words with a name's number, if it has that head and a number."""
    first, _space, number = name.partition(" ")
    return words.format(n=number) if first == head and number.isdecimal() else name
