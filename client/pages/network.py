"""The page Connection: addresses, keys and ports, for those who look for them.

Nothing of this stands on any other page: there players are people with names.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from client.app.clicks import Asks, Closes, taker
from client.app.model import (
    Change,
    Give,
    Model,
    Over,
    Who,
    ask,
    edit_of,
    same,
    untouched,
    with_edit,
)
from client.pages import bar, link_offer, person, preferences
from client.pages.router import MayDht
from client.ui import hand, typefaces, widgets
from client.ui.layout import rows as split
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _, phrase
from client.ui.widgets import Tone, label
from netplay import wire
from netplay.messages import door, node_questions
from netplay.text.phrases import carrier, dht, known, letters

FORGET: Final = "set.forget"
PORT: Final = "field.port"
OPEN: Final = "connection"
"""The button that opens the page, here and there."""

LIST: Final = "connection.list"
RECENT: Final = "recent"
THROUGH: Final = "field.through"
ENTRIES: Final = "field.entries"
FIELDS: Final = frozenset({PORT, THROUGH, ENTRIES})
"""What was typed there is taken by leaving them, too."""

CARRY: Final = "set.carry"
CARRIERS: Final = "set.carriers"
REACH: Final = "set.reach"
BLOCK: Final = "set.block"
UNBLOCK: Final = "set.unblock"


class MayForget(Means, frozen=True):
    """Ask whether to forget a player: there is no way back."""

    node: node_questions.KnownNode


class Connect(Means, frozen=True):
    """Open the page."""


class Address(Means, frozen=True):
    """Take an address that was used before."""

    line: str
    """With its comment."""


class TryReach(Means, frozen=True):
    """Have friends' programs try whether this computer can be reached."""


LISTS: Final[Mapping[str, Callable[[node_questions.KnownNode], Means]]] = {
    FORGET: MayForget,
    BLOCK: lambda node: person.Forgo(node_questions.Block(node.key)),
    UNBLOCK: lambda node: person.Forgo(node_questions.Unblock(node.key)),
}
"""Drop-downs with players, and what is done with the one that is chosen."""


def opened(model: Model) -> Change:
    """Open the page, and ask the node whom it knows."""
    model = replace(untouched(model, *FIELDS), over=Over.CONNECTION, open="")
    return (
        ask(model, node_questions.GetKnown(), "peers") if model.linked else same(model)
    )


def answered(model: Model, answer: door.Done) -> Change:
    """Take whom the node knows."""
    found: tuple[node_questions.KnownNode, ...]
    found = wire.unpack(answer.data, tuple[node_questions.KnownNode, ...])
    return replace(model, known=found), ()


def lists(model: Model) -> dict[str, list[tuple[str, Means]]]:
    """Return what each drop-down offers, as (words, what they mean)."""
    found: dict[str, list[tuple[str, Means]]] = {
        name: [
            (f"{one.name} {one.key}".strip(), does(one)) for one in _listed(model, name)
        ]
        for name, does in LISTS.items()
    }
    found[CARRY] = [
        (words, Asks(node_questions.SetCarry(whom), "network"))
        for whom, words in _whom().items()
    ]
    carry = model.status.network.carry if model.status else node_questions.CarryStatus()
    found[CARRIERS] = [
        (carrier(one), Asks(node_questions.RemoveCarrier(one.invitation), "network"))
        for one in carry.carriers
    ]
    found[RECENT] = [(line, Address(line)) for line in model.settings.recent]
    return found


def _whom() -> dict[node_questions.Carry, str]:
    """Return for whom this node may carry, in words."""
    return {
        "off": _("for nobody"),
        "known": _("for players I know"),
        "friends": _("and those whom they name"),
    }


def _listed(model: Model, name: str) -> tuple[node_questions.KnownNode, ...]:
    return tuple(one for one in model.known if one.blocked == (name == UNBLOCK))


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the page."""
    look = model.look
    wide = min(look.px(620), window.w - look.px(20))

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        space = Rect(room.x, room.y, room.w, foot.y - room.y - look.gap)
        wrong = bar.fault(model, "network", "peers", REACH, person.ASKED)
        kids = list[Node]()
        if wrong:
            high = typefaces.height(wrong, look.small, room.w - look.px(30))
            told, space = split(space, [max(look.px(24), high), 1], look.px(4))
            kids = bar.wrong(wrong, told, look)
        inner = space.w - look.px(10)
        made = [
            _text(model, inner, _("This computer"), bold=True),
            _text(model, inner, _own(model), "own"),
            _text(model, inner, _("Settings"), bold=True),
            *_rows(model, inner),
        ]
        heights = [high for _row, high in made]
        offset = model.scrolls.get(LIST, 0)
        if wrong and model.focus == PORT:  # the field stays in sight
            low = sum(heights[: len(made) - _BELOW_PORT]) - space.h
            offset = max(offset, low)
        listed = widgets.scroll(
            LIST, space, [row for row, _high in made], look.row, look,
            offset=offset, heights=heights,
        )  # fmt: skip
        done = [("close", _("Close"), Tone.MAIN, True, Closes())]
        return *kids, listed, *widgets.flow(foot, look, done)

    size = wide, min(look.px(700), window.h - look.px(20))
    face = widgets.dialog(f"{OPEN}.page", window, size, _("Network"), look, body)
    return face, *bar.open_list(model, window, (face,), lists(model))


def _text(
    model: Model, wide: int, words: str, name: str = "", *, bold: bool = False
) -> tuple[widgets.Row, int]:
    """Return a row with something to read, and how high it is."""
    look = model.look
    size, tone = (look.body, Tone.PLAIN) if bold else (look.small, Tone.DIM)
    high = typefaces.height(words, size, wide) + look.px(6)
    return (
        lambda rect: label(
            Rect(rect.x, rect.y, wide, rect.h), words, look, name=name, size=size,
            bold=bold, tone=tone, wrap=True,
        )
    ), high  # fmt: skip


def own_addresses(model: Model) -> tuple[str, ...]:
    """Return this computer's addresses, each as others must type it."""
    status = model.status
    if status is None:
        return ()
    if status.network.places:
        return tuple(place.address for place in status.network.places)
    return tuple(
        f"[{a}]:{status.port}" if ":" in a else f"{a}:{status.port}"
        for a in status.addresses
    )


def _own(model: Model) -> str:
    """Return where this computer is reached, and how that stands."""
    status, addresses = model.status, own_addresses(model)
    if status is not None and model.computer and addresses:
        # Source document, Communicate: both the IP name and the IP address are shown.
        addresses = (f"{model.computer}:{status.port}", *addresses)
    found = [_("Your address: {where}").format(where=", ".join(addresses) or "–")]
    if status is not None and status.key:
        found.append(_("Your key: {key}").format(key=status.key))
    if status is not None:
        now = status.network
        found += [f"{place.address} – {known(place)}" for place in now.places]
        reached = now.reached if now.reach in {"no", "network", "internet"} else ""
        told = (now.mapping, reached, dht(now), letters(now.carry))
        found += [phrase(line) for line in told if line]
    if model.start.in_vain:
        found.append(_("The last call: {why}").format(why=model.start.in_vain))
    if REACH in model.asked.values():
        found.append(_("Friends’ computers are trying …"))
    return "\n".join(found)


_BELOW_PORT: Final = 7
"""Rows of `_rows` below the port at least."""


def _switches(model: Model) -> tuple[list[widgets.Row], list[widgets.Row]]:
    """Return the rows of how others find this node and come to it, or do not.

    Returns:
        Those down to the calls to friends, of which there is more to say, and the rest.
    """
    look, linked = model.look, model.linked
    now = model.status.network if model.status else node_questions.Network()

    def box(
        name: str, words: str, *, on: bool, what: node_questions.Setting, to: bool
    ) -> widgets.Row:
        switch = Asks(node_questions.Switch(what, to), "network")
        return preferences.box(name, words, look, on=on, enabled=linked, means=switch)

    def reach(rect: Rect) -> Node:
        words, spot = _("Can others reach me?"), preferences.line(rect, look)
        return widgets.button(
            REACH, spot, words, look, enabled=linked, means=TryReach()
        )

    seen = [
        reach,
        box(
            "set.beacon", _("Show my tables on this network"), on=now.beacon,
            what="beacon", to=not now.beacon,
        ),
        box(
            "set.greet", _("Call friends to see who is awake"), on=now.greet,
            what="greet", to=not now.greet,
        ),
    ]  # fmt: skip
    return seen, [
        box(
            "set.map", _("Ask the router to let players in"), on=now.map_port,
            what="map-port", to=not now.map_port,
        ),
        preferences.box(
            "set.pass", _("Pass on games that I watch"), look,
            on=_passes(model), enabled=linked,
            means=Asks(node_questions.Switch("pass-on", not _passes(model)), "network"),
        ),
        preferences.box(
            "set.dht", _("Look for missing friends in public"), look, on=now.dht,
            enabled=linked,
            means=Asks(node_questions.Switch("dht", False), "network")
            if now.dht else MayDht(),
        ),
    ]  # fmt: skip


def _passes(model: Model) -> bool:
    return model.status is None or model.status.passes_on


def _rows(model: Model, wide: int) -> list[tuple[widgets.Row, int]]:
    """Return the rows in which something is chosen, each as high as it is."""
    look = model.look
    now = model.status.network if model.status else node_questions.Network()
    some = now.carry.carriers

    def pick(name: str, words: str) -> widgets.Row:
        known = bool(_listed(model, name))
        return preferences.choice(name, words, "–", look, enabled=known)

    field = partial(preferences.field, model)
    greeted = _text(
        model, wide,
        _("Friends see you as well. At the start, the network you are in is told your"
          " port once: friends in it find you at a new one."),
    )  # fmt: skip
    seen, switches = _switches(model)
    rows = [
        *switches,
        field(ENTRIES, _("Through these computers of strangers"), _entries(model)),
        *link_offer.rows(model),
        field(PORT, _("Port, from the next start"), typed(model)),
        preferences.choice(
            RECENT, _("Addresses used lately"), "–", look,
            enabled=bool(model.settings.recent),
        ),
        preferences.choice(
            CARRY, _("Pass messages on"), _whom()[now.carry.carry], look
        ),
        field(THROUGH, _("Be reached through"), "", _("a friend's invitation")),
        preferences.choice(
            CARRIERS, _("No longer be reached through"),
            carrier(some[0]) if some else "–", look, enabled=bool(some),
        ),
        pick(FORGET, _("Forget a player's key")),
        pick(BLOCK, _("Block a player")),
        pick(UNBLOCK, _("Unblock a player")),
    ]  # fmt: skip
    high = look.row + look.px(6)
    return [*((row, high) for row in seen), greeted, *((row, high) for row in rows)]


def typed(model: Model) -> str:
    """Return the port that the field shows before it is touched."""
    return str(model.status.next_port) if model.status else ""


def submit(model: Model) -> Change:
    """Take the port that was typed, if it is another one, or who is to carry."""
    text = edit_of(model, PORT, typed(model)).text.strip()
    line = link_offer.typed(model, THROUGH)
    entries = _entries(model)
    nodes = edit_of(model, ENTRIES, entries).text.strip()
    model = untouched(model, *FIELDS)
    if nodes != entries:
        return ask(model, node_questions.NameEntries(nodes), "network")
    if line:
        return ask(model, node_questions.AddCarrier(line), "network")
    if text == typed(model):
        return same(model)
    return ask(model, node_questions.SetPort(text), "network")


def _entries(model: Model) -> str:
    """Return the nodes that the field shows before it is touched."""
    return " ".join(model.status.network.dht_nodes) if model.status else ""


@taker
def _may_forget(model: Model, message: MayForget) -> Change:
    node = message.node
    who = Who(node.key, node.name or node.key, forgets=True, listed=True)
    return same(replace(model, over=Over.PERSON, who=who, open="", focus=""))


@taker
def _tried(model: Model, _message: TryReach) -> Change:
    return ask(model, node_questions.CheckReach(), REACH)


@taker
def _opened(model: Model, _message: Connect) -> Change:
    return opened(model)


@taker
def _filled(model: Model, message: Address) -> Change:
    """Lay an address that was used before where one is joined."""
    typed_ = message.line.partition(" ")[0]
    model = with_edit(model, link_offer.ADDRESS, hand.of(typed_))
    return replace(model, over=Over.NONE), (Give(link_offer.ADDRESS),)
