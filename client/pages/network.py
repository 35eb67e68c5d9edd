"""The preferences kept outside the window: being found, words, peers, clicks."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from client.app.model import (
    Change,
    Copy,
    Model,
    Over,
    ask,
    edit_of,
    same,
    tell,
    untouched,
)
from client.pages import link_offer, person, preferences
from client.ui import widgets
from client.ui.scene import Node, Rect
from client.ui.texts import _, phrase
from netplay import wire
from netplay.messages import door
from netplay.messages.node_questions import (
    AddCarrier,
    Block,
    Carry,
    CarryStatus,
    CheckReach,
    Forget,
    GetKnown,
    KnownNode,
    Network,
    RemoveCarrier,
    SetCarry,
    SetPort,
    Switch,
    Unblock,
)
from netplay.text.phrases import carrier, inviting, known, letters

FORGET: Final = "set.forget"
PORT: Final = "field.port"
PORT_ROW: Final = 3
"""Which of `rows` it stands in, from 0."""

THROUGH: Final = "field.through"
FIELDS: Final = frozenset({PORT, THROUGH})
"""What was typed there is taken by leaving them, too."""

CARRY: Final = "set.carry"
CARRIERS: Final = "set.carriers"
MILD: Final = "set.mild"
REACH: Final = "set.reach"
BLOCK: Final = "set.block"
UNBLOCK: Final = "set.unblock"
LISTS: Final[Mapping[str, type[Forget | Block | Unblock]]] = {
    FORGET: Forget,
    BLOCK: Block,
    UNBLOCK: Unblock,
}
"""Drop-downs with players, and what the node is asked of the one that is chosen."""


def opened(model: Model) -> Change:
    """Ask the node whom it knows, when the preferences are opened."""
    return ask(untouched(model, *FIELDS), GetKnown(), "peers")


def answered(model: Model, what: str, answer: door.Done) -> Change:
    """Take whom the node knows, or its invitation."""
    if what == "peers":
        found: tuple[KnownNode, ...]
        found = wire.unpack(answer.data, tuple[KnownNode, ...])
        return replace(model, known=found), ()
    text = str(answer.text)
    words = _("Copied: {what}").format(what=text)
    more = inviting(model.status.network) if model.status else ""
    told = tell(model, f"{words} - {more}" if more else words)
    return link_offer.offered((told, (Copy(text),)))


def lists(model: Model) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return what each drop-down offers, as (key, words)."""
    found = {
        name: tuple((one.key, f"{one.name} {one.key}".strip()) for one in listed)
        for name, listed in ((name, _listed(model, name)) for name in LISTS)
    }
    found[CARRY] = tuple(_whom().items())
    carriers = _carry(model).carriers
    found[CARRIERS] = tuple((one.invitation, carrier(one)) for one in carriers)
    return found


def _whom() -> dict[Carry, str]:
    """Return for whom this node may carry, in words."""
    return {
        "off": _("for nobody"),
        "known": _("for players I know"),
        "friends": _("and those whom they name"),
    }


def _carry(model: Model) -> CarryStatus:
    return model.status.network.carry if model.status else CarryStatus()


def _listed(model: Model, name: str) -> tuple[KnownNode, ...]:
    return tuple(one for one in model.known if one.blocked == (name == UNBLOCK))


def rows(model: Model) -> list[widgets.Row]:
    """Return the rows of the preferences."""
    look, linked = model.look, model.linked
    now = model.status.network if model.status else Network()
    some = now.carry.carriers

    def box(name: str, words: str, *, on: bool) -> widgets.Row:
        return preferences.box(name, words, look, on=on, enabled=linked)

    def pick(name: str, words: str) -> widgets.Row:
        known = bool(_listed(model, name))
        return preferences.choice(name, words, "–", look, enabled=known)

    def field(name: str, words: str, start: str, hint: str = "") -> widgets.Row:
        edit = edit_of(model, name, start)
        return preferences.titled(
            words, look,
            lambda spot: widgets.entry(
                name, spot, edit, look, hint=hint, enabled=linked
            ),
        )  # fmt: skip

    def reach(rect: Rect) -> Node:
        words, spot = _("Can others reach me?"), preferences.line(rect, look)
        return widgets.button(REACH, spot, words, look, enabled=linked)

    return [
        box("set.beacon", _("Show my tables on this network"), on=now.beacon),
        box("set.map", _("Ask the router to let players in"), on=now.map_port),
        reach,
        field(PORT, _("Port, from the next start"), typed(model)),
        box(MILD, _("No offensive words from computers"), on=_is_mild(model)),
        pick(FORGET, _("Forget a player's key")),
        pick(BLOCK, _("Block a player")),
        pick(UNBLOCK, _("Unblock a player")),
        preferences.choice(
            CARRY, _("Pass messages on"), _whom()[now.carry.carry], look
        ),
        field(THROUGH, _("Be reached through"), "", _("a friend's invitation")),
        preferences.choice(
            CARRIERS, _("No longer be reached through"),
            carrier(some[0]) if some else "–", look, enabled=bool(some),
        ),
        *link_offer.rows(model),
    ]  # fmt: skip


def _is_mild(model: Model) -> bool:
    """Tell whether computers and hints leave out what would offend."""
    return model.status is None or not model.status.offensive


def typed(model: Model) -> str:
    """Return the port that the field shows before it is touched."""
    return str(model.status.next_port) if model.status else ""


def submit(model: Model) -> Change:
    """Take the port that was typed, if it is another one, or who is to carry."""
    text = edit_of(model, PORT, typed(model)).text.strip()
    line = edit_of(model, THROUGH, "").text.strip()
    model = untouched(model, *FIELDS)
    if line:
        return ask(model, AddCarrier(line), "network")
    if text == typed(model):
        return same(model)
    return ask(model, SetPort(text), "network")


def places(model: Model) -> tuple[str, ...]:
    """Return each of this computer's places with what is known of it, in words."""
    if model.status is None:
        return ()
    told = model.status.network.places
    return tuple(f"{place.address} – {known(place)}" for place in told)


def lines(model: Model) -> tuple[str, ...]:
    """Return what the node says of being reached, where it has something to say."""
    if model.status is None:
        return ()
    now = model.status.network
    reached = now.reached if now.reach in {"no", "network", "internet"} else ""
    found = (now.mapping, reached, letters(now.carry))
    return tuple(phrase(line) for line in found if line)


def clicked(  # noqa: PLR0911 (one a kind of row)
    model: Model, name: str
) -> Change | None:
    """React to a click on one of the rows; None if it was none."""
    head, _colon, tail = name.partition(":")
    if head == CARRY and tail.isdigit():
        chosen = tuple(_whom())[int(tail)]
        return ask(replace(model, open=""), SetCarry(chosen), "network")
    if head == CARRIERS and tail.isdigit():
        line = _carry(model).carriers[int(tail)].invitation
        return ask(replace(model, open=""), RemoveCarrier(line), "network")
    if head in LISTS and tail.isdigit():
        key = _listed(model, head)[int(tail)].key
        left = tuple(one for one in model.known if one.key != key)
        model = replace(model, open="", known=left)
        return ask(model, LISTS[head](key), person.ASKED)
    if name == link_offer.SWITCH:
        return link_offer.switched(model)
    if model.status is None:
        return None
    if name == REACH:  # what comes of it stands on the page below
        told = tell(replace(model, over=Over.NONE), _("Friends' programs try it …"))
        return ask(told, CheckReach(), REACH)
    now = model.status.network
    switches = {
        MILD: Switch("offensive-words", _is_mild(model)),
        "set.beacon": Switch("beacon", not now.beacon),
        "set.map": Switch("map-port", not now.map_port),
    }
    return ask(model, switches[name], "network") if name in switches else None
