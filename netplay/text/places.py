"""What a node knows of its places, as the window and the command line say it."""

from netplay.language import _
from netplay.messages.door import PlaceStatus


def known(place: PlaceStatus) -> str:
    """Return from where a place works, and who has been there."""
    if place.scope == "link":
        words = _("only over this cable or link")
    elif place.scope == "network":
        words = _("only from inside this network")
    else:
        words = _("from the internet")
    if place.by:
        return f"{words}, {_confirmed(place)}"
    if place.scope != "internet":
        return words
    if place.source == "router":
        return words + ", " + _("the router passes it on")
    if place.source == "outside":
        return words + ", " + _("if the router passes the port on")
    return words + ", " + _("not tried yet")


def _confirmed(place: PlaceStatus) -> str:
    minutes = place.ago // 60
    if minutes < 1:
        return _("confirmed by {name} just now").format(name=place.by)
    if minutes < 60:
        words = _("confirmed by {name} {n} min ago")
        return words.format(name=place.by, n=minutes)
    return _("confirmed by {name} {n} h ago").format(name=place.by, n=minutes // 60)
