"""The card of the start page with what was found on the network."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from client.app.clicks import taker
from client.app.model import Change, Model, Who, same
from client.pages import bar, friends, games, person
from client.ui import typefaces, widgets
from client.ui.layout import columns
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay.messages.node_questions import Neighbour
from rules import title_of

# The cards of the start page: a heading, and below it what is for or went wrong.


_WIDE: Final = 400
"""Pixels at 100 % from which on a card begins right below a note of one line.

Narrow cards stand beside each other, and should begin at the same height.
"""


class Near(Means, frozen=True):
    """Choose one of the tables found; twice, join it."""

    row: str


class JoinNear(Means, frozen=True):
    """Join the table that is chosen, or watch there."""


class AboutNear(Means, frozen=True):
    """Open the dialog about the one chosen of those nearby."""


class OpenTable(Means, frozen=True):
    """Open a table for others."""


def note_height(text: str, wide: int, look: Look) -> int:
    """Return the height of what stands below a card's heading."""
    least = round(look.small * 1.3) * 2
    if not text:
        return least
    most = 4 * round(look.small * typefaces.LINE)  # the rest is scrolled to
    return max(least, min(most, typefaces.height(text, look.small, wide)))


def headed(
    model: Model, rect: Rect, title: str, text: str, about: tuple[str, ...]
) -> tuple[Rect, list[Node]]:
    """Return the room below a card's heading, and the heading.

    Below it stands what the card is for, or what went wrong with it.
    """
    look, wrong = model.look, bar.fault(model, *about)
    inner = rect.inset(look.px(16), look.px(12))
    head = Rect(inner.x, inner.y, inner.w, look.px(26))
    high = note_height(wrong, inner.w, look) if wrong or text else 1
    if (
        not wrong
        and rect.w >= look.px(_WIDE)
        and look.width(text, look.small) <= inner.w
    ):
        high = round(look.small * typefaces.LINE)
    note = Rect(inner.x, head.bottom, inner.w, high)
    tone = Tone.DANGER if wrong else Tone.DIM
    kids = [
        label(head, title, look, size=look.head, bold=True),
        widgets.reading(
            "fault" if wrong else f"{about[0]}.note", note, wrong or text, look,
            size=look.small, tone=tone, offset=model.scrolls.get("fault", 0),
        ),
        *([bar.dismissing(head, look)] if wrong else []),
    ]  # fmt: skip
    y = note.bottom + look.gap
    return Rect(inner.x, y, inner.w, inner.bottom - y), kids


ACROSS: Final = 400
"""Pixels at 100 % from which on two buttons stand beside each other in a card."""

ASKED: Final = ("join.near", "watch.at")
"""What is asked for from the card: its faults stand there."""


def card(model: Model, rect: Rect) -> Node:
    """Return the card with the tables found on the network."""
    look = model.look
    people = friends.everybody(model)
    title, note = _("Nearby"), _("Tables found on your own network.")
    if people:
        wide = rect.w >= look.px(friends.ROOMY)  # the results are seen
        title, note = _("Friends"), _("Games won: you : them") if wide else ""
    room, kids = headed(model, rect, title, note, ASKED)
    found = named(model)
    beside = rect.w >= look.px(ACROSS)
    lines = look.row if beside or not found else 2 * look.row + look.gap
    space = Rect(room.x, room.y, room.w, room.h - lines - look.gap)
    if found or people:
        made, pitch = _listed(model, found, space.w) if found else ([], look.row)
        listed, heights = friends.listed(model, people, space.w)
        high = [*heights, *[pitch] * len(made)] if people else ()
        offset = model.scrolls.get("near", 0)
        kids.append(
            widgets.scroll("near", space, [*listed, *made], pitch, look,
                           offset=offset, heights=high)
        )  # fmt: skip
    else:
        text = _(
            "Nobody found yet. Are both computers on the same network, and does the "
            "firewall let Netplay through? If not, send an invitation."
        )
        kids.append(
            label(space, text, look, name="near.none", tone=Tone.DIM, wrap=True)
        )
    foot = Rect(room.x, room.bottom - lines, room.w, look.row)
    below = foot
    if found:
        foot, below = (
            columns(foot, [0.42, 0.58], look.gap)
            if beside
            else (foot, foot.moved(0, look.row + look.gap))
        )
        kids += _joining(model, foot)
    can, text = model.linked, _("Open a table for others")
    kids.append(
        widgets.button("open", below, text, look, enabled=can, means=OpenTable())
    )
    return widgets.panel(rect, look, kids, name="nearby")


def named(model: Model) -> dict[str, Neighbour]:
    """Return what was found nearby by the names of the rows.

    The list changes by itself: what is pressed, chosen or has the keyboard must stay
    the same player.  Who has opened several tables has a row for each, below the name.
    """
    made: dict[str, Neighbour] = {}
    for one in _others(model):
        name, number = f"near:{one.key}", 1
        while name in made:
            number += 1
            name = f"near:{one.key}.{number}"
        made[name] = one
    return made


def picked(model: Model) -> Neighbour | None:
    """Return the one that is chosen, while it is there."""
    return named(model).get(model.start.chosen)


def _joining(model: Model, rect: Rect) -> list[Node]:
    """Return the buttons for the table that is chosen: join it, and who that is."""
    look, one = model.look, picked(model) if model.linked else None
    ready = one is not None and bool(one.game)
    word = _("Join") if one is None or not ready or one.free else _("Watch")
    go, who = columns(rect, [1, look.row], look.gap)
    about = AboutNear()
    return [
        widgets.button("join.near", go, word, look, enabled=ready, means=JoinNear()),
        widgets.button("who.near", who, person.MORE, look, enabled=one is not None,
                       means=about, said=_("About this player")),
    ]  # fmt: skip


def _others(model: Model) -> Iterator[Neighbour]:
    """Yield what was found, but for matches that one plays oneself.

    Who hosts tells of a match, so each of one's own there stands for one of its game.
    Of the others there one is not a member: whoever asks to watch is led to these.
    """
    status = model.status
    if status is None:
        return
    own = Counter(
        (one.keys[one.host], one.game)
        for one in status.games
        if one.match
        and 0 <= one.host < len(one.keys)
        and one.mode != "watching"
        and one.phase not in {"over", "stopped"}
    )
    for each in status.nearby:
        known = each.key, each.game
        if each.game and not each.free and own[known]:
            own[known] -= 1
        else:
            yield each


def _listed(
    model: Model, found: Mapping[str, Neighbour], wide: int
) -> tuple[list[widgets.Row], int]:
    """Return a row a table found, and their height: two lines where one is short.

    Who has several is named once; the others stand below, a little to the right.
    """
    look = model.look
    hosts = [*dict.fromkeys(each.key for each in found.values())]
    made: list[tuple[str, Neighbour, tuple[str, str]]] = []
    named_: set[str] = set()
    own = model.status.version if model.status else ""
    for name, each in sorted(found.items(), key=lambda one: hosts.index(one[1].key)):
        host, title = each.name, title_of(each.game) or _("waits to be called")
        if each.doubt:
            host, title = f"{host}: {person.short()}", ""
        elif each.version != own:  # it is said, with both numbers
            host = _("{host}: other version (yours {own}, theirs {other})").format(
                host=host, own=own, other=each.version
            )
            title = ""
        again = each.key in named_ and bool(title)
        made.append((name, each, ("" if again else host, title)))
        named_.add(each.key)
    free = (games.free(each.free) if each.game else "" for each in found.values())
    spare = (
        wide - look.px(20 + 12 + 8) - max(look.width(text, look.body) for text in free)
    )
    tall = any(
        look.width(JOINED.join(words), look.body) > spare
        for _name, _each, words in made
        if all(words)
    )
    rows = [_near(model, *one, tall=tall) for one in made]
    return rows, look.row + (round(look.small * 1.3) if tall else 0)


def _near(
    model: Model, name: str, each: Neighbour, words: tuple[str, str], *, tall: bool
) -> widgets.Row:
    """Return the row of a table."""
    look = model.look
    two = tall and all(words)
    made = widgets.row(
        name, words[0] if two else JOINED.join(filter(None, words)), look,
        right=games.free(each.free) if each.game else "",
        selected=name == model.start.chosen, below=words[1] if two else "",
        tone=Tone.DANGER if each.doubt else Tone.PLAIN, means=Near(name),
    )  # fmt: skip
    if words[0]:
        return made
    said, step = JOINED.join((each.name, words[1])), look.px(14)
    return lambda rect: replace(
        made(Rect(rect.x + step, rect.y, rect.w - step, rect.h)), value=said
    )


@taker
def _about(model: Model, _message: AboutNear) -> Change:
    """Open the dialog about the one that is chosen."""
    one = picked(model)
    if one is None:
        return same(model)
    return person.opened(model, Who(one.key, one.name, one.doubt))


JOINED: Final = " · "
