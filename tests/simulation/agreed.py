"""The offers of a log, read from protocol.md (section 17) and not by the program."""

from collections.abc import Collection
from typing import NamedTuple

from netplay.messages.log import Hand, LogBody, Response, Wish


class Stands(NamedTuple):
    """An offer that stands."""

    head: bytes
    seat: int
    what: str
    agreed: frozenset[int]


class After(NamedTuple):
    """What stands after an entry, and what was agreed on by it."""

    standing: tuple[Stands, ...]
    done: str


def after(
    standing: tuple[Stands, ...], body: LogBody, head: bytes, seats: Collection[int]
) -> After:
    """Return what an entry makes of the offers.

    Args:
        standing: Those before it.
        body: What it says.
        head: Behind it.
        seats: Those that still play.
    """
    match body:
        case Wish(seat=seat, what=what):
            rest = tuple(one for one in standing if one.seat != seat)
            for one in standing:
                same = one.what == what and what in ("draw", "stop")
                if same and seat not in {one.seat, *one.agreed}:
                    return _agreed(standing, one, seat, seats)
            made = Stands(head, seat, what, frozenset())
            return _agreed((*rest, made), made, seat, seats)
        case Response(seat=seat, offer=offer, agrees=agrees):
            (one,) = (each for each in standing if each.head == offer)
            if agrees:
                return _agreed(standing, one, seat, seats)
            return After(tuple(each for each in standing if each != one), "")
        case Hand(seat=seat):
            kept = (one for one in standing if one.seat != seat)
            passed = (one._replace(agreed=one.agreed - {seat}) for one in kept)
            return After(tuple(passed), "")
        case _:
            return After(standing, "")


def _agreed(
    standing: tuple[Stands, ...], one: Stands, seat: int, seats: Collection[int]
) -> After:
    """Return what stands once a seat has agreed to an offer."""
    rest = tuple(each for each in standing if each != one)
    agreed = one.agreed | {seat}
    if {*seats} - agreed - {one.seat}:
        return After((*rest, one._replace(agreed=agreed - {one.seat})), "")
    return After(() if one.what in ("draw", "stop") else rest, one.what)


def moved(standing: tuple[Stands, ...], seats: Collection[int]) -> tuple[Stands, ...]:
    """Return what stands after a move: days off that still wait for somebody."""
    days = (one for one in standing if one.what == "days" and one.seat in seats)
    return tuple(one for one in days if {*seats} - one.agreed - {one.seat})
