"""The card of the start page with what was found on the network."""

from collections.abc import Sequence
from typing import Final

from client import widgets
from client.layout import columns
from client.model import Model
from client.pages import cards, person
from client.scene import Node, Rect
from client.texts import _, ngettext
from client.widgets import Tone, label
from netplay.messages.nodes import Neighbour
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
        made, pitch = _listed(model, found, space.w)
        offset = model.scrolls.get("near", 0)
        kids.append(widgets.scroll("near", space, made, pitch, look, offset=offset))
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


def _listed(
    model: Model, found: Sequence[Neighbour], wide: int
) -> tuple[list[widgets.Row], int]:
    """Return a row a table found, and their height: two lines where one is short."""
    look = model.look
    said = [_near_words(each, model) for each in found]
    free = [_free(each.free) if each.game else "" for each in found]
    spare = (
        wide - look.px(20 + 12 + 8) - max(look.width(each, look.body) for each in free)
    )
    tall = any(look.width(JOINED.join(each), look.body) > spare for each in said)
    made = [
        widgets.row(
            f"near:{i}", words[0] if tall else JOINED.join(filter(None, words)), look,
            right=free[i], selected=i == model.chosen, below=words[1] if tall else "",
            tone=Tone.DANGER if each.doubt else Tone.PLAIN,
        )
        for i, (each, words) in enumerate(zip(found, said, strict=True))
    ]  # fmt: skip
    return made, look.row + (round(look.small * 1.3) if tall else 0)


JOINED: Final = " · "


def _near_words(each: Neighbour, model: Model) -> tuple[str, str]:
    """Return who waits, and at what; another version is said, with both numbers."""
    host, game, version = each.name, each.game, each.version
    if each.doubt:
        return f"{host}: {person.short()}", ""
    title = title_of(game) or _("waits to be called")
    own = model.status.version if model.status else ""
    if version != own:
        words = _("{host}: other version (yours {own}, theirs {other})")
        return words.format(host=host, own=own, other=version), ""
    return host, title


def _free(count: int) -> str:
    """Return how many seats are free, in words; a match in play may be watched."""
    if not count:
        return _("playing")
    return ngettext("{n} free", "{n} free", count).format(n=count)
