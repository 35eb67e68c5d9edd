"""What a node knows of its places, as the window and the command line say it."""

from netplay.language import _, phrase
from netplay.messages.carry_status import CarrierStatus, CarryStatus
from netplay.messages.network import PlaceStatus


def carrier(one: CarrierStatus) -> str:
    """Return how it stands with a node that is to carry."""
    if one.state == "carries":
        return _("{name}: carries").format(name=one.name)
    if one.state == "declines":
        return _("{name}: does not carry for you").format(name=one.name)
    return _("{name}: away").format(name=one.name)


def letters(carry: CarryStatus) -> str:
    """Return how many letters are kept for others; empty for none."""
    if not carry.letters:
        return ""
    return _("letters kept for others: {count}").format(count=carry.letters)


def known(place: PlaceStatus) -> str:
    """Return from where a place works, and who has been there."""
    if place.scope == "link":
        words = _("only over this cable or link")
    elif place.scope == "network":
        words = _("only from inside this network")
    else:
        words = _("from the internet")
    if place.by and place.failed:
        tried = _("{name} tried it {when}: {why}")
        why, name = phrase(place.failed), place.by
        return f"{words}, {tried.format(name=name, when=_when(place), why=why)}"
    if place.by:
        done = _("confirmed by {name} {when}")
        return f"{words}, {done.format(name=place.by, when=_when(place))}"
    if place.scope != "internet":
        return words
    if place.source == "router":
        return words + ", " + _("the router passes it on")
    if place.source == "outside":
        return words + ", " + _("if the router passes the port on")
    return words + ", " + _("not tried yet")


def _when(place: PlaceStatus) -> str:
    minutes = place.ago // 60
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return _("{n} min ago").format(n=minutes)
    return _("{n} h ago").format(n=minutes // 60)
