"""What players offer one another, as words for the terminal."""

from collections.abc import Iterator

from netplay.language import _, phrase
from netplay.messages.agreeing import OfferStatus
from netplay.messages.door import TableStatus
from netplay.sentences import Says
from netplay.text import spans


def offered(table: TableStatus) -> Iterator[str]:
    """Yield the offers that stand, with who has yet to answer, and days off."""
    for one in table.offers.standing:
        line = _("{offer}; yet to answer: {names} (yes | no)")
        names = ", ".join(table.seats[seat].name for seat in one.asked)
        yield line.format(offer=said(one, table.seats[one.seat].name), names=names)
    for seat, seconds in table.offers.off:
        line = _("{name} has days off, for {time}")
        yield line.format(name=table.seats[seat].name, time=spans.left(seconds))
    if table.offers.ended:
        yield ended(table)


def said(one: OfferStatus, name: str) -> str:
    """Return an offer in words."""
    match one.what:
        case "draw":
            return phrase(Says.OFFERS_DRAW(name=name))
        case "stop":
            return phrase(Says.OFFERS_STOP(name=name))
        case "back":
            return phrase(Says.OFFERS_BACK(name=name))
        case "days":
            return phrase(Says.OFFERS_DAYS(name=name, days=one.days))


def ended(table: TableStatus) -> str:
    """Return how the players have ended a match, empty if they have not."""
    match table.offers.ended:
        case "draw":
            return phrase(Says.AGREED_DRAW())
        case "stop":
            return phrase(Says.AGREED_STOP())
        case _:
            return ""
