"""The card of the start page with what was found on the network."""

from typing import Final

from client import widgets
from client.layout import columns
from client.model import Model
from client.pages import cards, person
from client.scene import Node, Rect
from client.texts import _, ngettext
from client.widgets import Tone, label
from netplay.messages import door
from rules import title_of

ACROSS: Final = 400
"""Pixels at 100 % from which on two buttons stand beside each other in a card."""

ASKED: Final = ("join.near", "watch.at")
"""What is asked for from the card: its faults stand there."""


def card(model: Model, rect: Rect) -> Node:
    """Return the card with the tables found on the network."""
    look = model.look
    room, kids = cards.headed(
        model, rect, _("Nearby"), _("Tables found on your own network."), ASKED
    )
    found = model.status.nearby if model.status else ()
    beside = rect.w >= look.px(ACROSS)
    lines = look.row if beside else 2 * look.row + look.gap
    space = Rect(room.x, room.y, room.w, room.h - lines - look.gap)
    if found:
        made = [
            widgets.row(
                f"near:{i}", _near_words(each, model), look,
                right=_free(each.free) if each.game else "",
                selected=i == model.chosen,
                tone=Tone.DANGER if each.doubt else Tone.PLAIN,
            )
            for i, each in enumerate(found)
        ]  # fmt: skip
        offset = model.scrolls.get("near", 0)
        kids.append(widgets.scroll("near", space, made, look.row, look, offset=offset))
    else:
        text = _(
            "Nobody found yet. Are both computers on the same network, and does a "
            "firewall let Netplay through? Otherwise use an address."
        )
        kids.append(
            label(space, text, look, name="near.none", tone=Tone.DIM, wrap=True)
        )
    foot = Rect(room.x, room.bottom - lines, room.w, look.row)
    ready = model.linked and 0 <= model.chosen < len(found)
    picked = ready
    ready = ready and bool(found[model.chosen].game)
    word = _("Join") if not ready or found[model.chosen].free else _("Watch")
    below = foot.moved(0, look.row + look.gap)
    if beside:
        foot, below = columns(foot, [0.42, 0.58], look.gap)
    go, who = columns(foot, [1, look.row], look.gap)
    kids.append(widgets.button("join.near", go, word, look, enabled=ready))
    kids.append(widgets.button("who.near", who, person.MORE, look, enabled=picked))
    kids.append(
        widgets.button(
            "open", below, _("Open a table for others"), look, enabled=model.linked
        )
    )
    return widgets.panel(rect, look, kids, name="nearby")


def _near_words(each: door.Neighbour, model: Model) -> str:
    """Return a found table in words; another version is said, with both numbers."""
    host, game, version = each.name, each.game, each.version
    if each.doubt:
        return f"{host}: {person.short()}"
    title = title_of(game) or _("waits to be called")
    own = model.status.version if model.status else ""
    if version != own:
        words = _("{host}: other version (yours {own}, theirs {other})")
        return words.format(host=host, own=own, other=version)
    return f"{host} · {title}"


def _free(count: int) -> str:
    """Return how many seats are free, in words; a match in play may be watched."""
    if not count:
        return _("playing")
    return ngettext("{n} free", "{n} free", count).format(n=count)
