"""Who plays at a table: a card a seat, with a person or a computer player."""

import re
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from client.app.drafts import Kind
from client.app.model import Model, edit_of
from client.pages import bar, friends, host_terms, lending, person
from client.pages.start import to_call
from client.ui import typefaces, widgets
from client.ui.layout import columns, rows
from client.ui.scene import Mark, Means, Node, Rect, mix
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.node_questions import Personal
from netplay.text import phrases

SEATS: Final = 4
"""Cards of a host who sets a table up."""

TILED: Final = 340
"""Pixels at 100 % from which on a card has room for a tile."""

_PLACE: Final = re.compile(r"[.:\[\]/]")
"""What addresses and invitations have and names do not."""

ACROSS: Final = 440
"""Pixels at 100 % from which on two cards stand beside each other."""


class SeatKind(Means, frozen=True):
    """Let somebody else, or nobody, have a position."""

    place: int
    kind: Kind


class SeatAddress(Means, frozen=True):
    """Take somebody known for a position."""

    place: int
    address: str


class SeatLevel(Means, frozen=True):
    """Let a computer player play so well, by the number in the list."""

    place: int
    index: int


class Invite(Means, frozen=True):
    """Ask whose address stands at a position."""

    place: int


def kinds() -> tuple[str, ...]:
    """Return who can play at a seat, in the order of `Kind`."""
    return (_("Nobody"), _("Person here"), _("Computer"), _("Friend"), _("By a link"))


def card(model: Model, rect: Rect) -> Node:
    """Return the card with all seats."""
    look = model.look
    inner = rect.inset(look.px(14), look.px(12))
    head, room = rows(inner, [look.px(26), 1], look.px(6))
    kids = [label(head, _("Who plays"), look, size=look.head, bold=True)]
    shown = _count(model)
    across = 2 if room.w >= look.px(ACROSS) and shown > 1 else 1
    down = -(-shown // across)
    wide = columns(room, [1.0] * across, look.px(10))[0].w - 2 * look.px(10)
    wrongs = _wrongs(model)
    extra = [
        max((_high(w, wide, look) for w in wrongs[i * across : (i + 1) * across]),
            default=0)
        for i in range(down)
    ]  # fmt: skip
    gaps = look.px(8) * (down - 1)
    wanted = [_wanted(model, i * across, across) for i in range(down)]
    spare = room.h - sum(extra) - gaps - sum(wanted)
    y = room.y
    for i in range(down):
        high = wanted[i] + min(0, spare) * wanted[i] // sum(wanted)
        band = Rect(room.x, y, room.w, high + extra[i])
        y = band.bottom + look.px(8)
        for j, spot in enumerate(columns(band, [1.0] * across, look.px(10))):
            if (seat := i * across + j) < shown:
                kids.append(_seat(model, seat, spot, wrongs[seat]))
    if any(wrongs):
        kids.append(bar.dismissing(head, look))
    return widgets.panel(rect, look, kids, name="seats")


def height(model: Model, wide: int) -> int:
    """Return how high the card wants to be."""
    look, shown = model.look, _count(model)
    inner = wide - 2 * look.px(14)
    across = 2 if inner >= look.px(ACROSS) and shown > 1 else 1
    down = -(-shown // across)
    more = max((_high(w, inner // across, look) for w in _wrongs(model)), default=0)
    highs = sum(_wanted(model, i * across, across) for i in range(down))
    return look.px(26 + 6 + 24) + highs + (down - 1) * look.px(8) + more


def _wanted(model: Model, first: int, count: int) -> int:
    """Return how high a row of cards is, from its first seat on."""
    look = model.look
    if not is_host(model):
        return look.row + look.px(34)
    used = [s.kind for s in model.setup.draft.seats[first : first + count]]
    if set(used) <= {Kind.NONE}:
        return look.row + look.px(16)
    if all(
        kind in {Kind.NONE, Kind.PERSON} or _taken_by(model, i)
        for i, kind in enumerate(used, first)
    ):  # in two rows: beside the name, or in its place, is what is pressed or typed
        return 2 * look.row + look.px(22)
    return look.line + 2 * look.row + look.px(26)


def is_host(model: Model) -> bool:
    """Tell whether the terms are ours to set."""
    return model.table is None or model.table.hosting


def _count(model: Model) -> int:
    if is_host(model) or model.table is None:
        return SEATS
    return max(1, min(SEATS, len(model.table.seats)))


def _wrongs(model: Model) -> list[str]:
    return [bar.fault(model, f"call{i}") for i in range(SEATS)]


def _high(text: str, wide: int, look: Look) -> int:
    return typefaces.height(text, look.small, wide) if text else 0


def _seat(model: Model, i: int, rect: Rect, wrong: str) -> Node:
    """Return the card of a seat: who, how they are, and what the host may do."""
    look, theme, status = model.look, model.look.theme, status_of(model, i)
    used = status is not None or model.setup.draft.seats[i].kind is not Kind.NONE
    inner = rect.inset(look.px(10), look.px(8))
    kids: list[Node] = []
    if wrong:
        high = _high(wrong, inner.w, look)
        inner, low = rows(inner, [1, high])
        kids.append(
            label(low, wrong, look, name="fault", size=look.small, tone=Tone.DANGER,
                  wrap=True)
        )  # fmt: skip
    if used and rect.w >= look.px(TILED):
        side = min(look.px(52), inner.h)
        spot, inner = columns(inner, [side, 1], look.px(10))
        keys = {status.key, address_of(model, i).partition(" ")[0]} if status else ()
        known = (one.personal for one in friends.known(model) if one.key in keys)
        own, place = next(known, Personal()), Rect(spot.x, spot.y, side, side)
        face = person.face(look, place, named(model, i), own)
        if status is None or status.state not in ("here", "connected"):
            pale = mix(theme.panel, face.bg or theme.tile, 0.35)
            face = replace(face, bg=pale, fg=widgets.ink(pale, look))
        kids.append(face)
    if not is_host(model):
        kids += [] if status is None else _taken(model, status, i, inner)
    else:
        kids += _position(model, i, inner)
    face = widgets.panel(rect, look, kids, name=f"seat{i}")
    if _own(model, i):
        return replace(face, bg=mix(theme.panel, theme.accent, 0.08), edge=theme.accent)
    return face if used else replace(face, bg=mix(theme.panel, theme.ground, 0.5))


def _own(model: Model, i: int) -> bool:
    """Tell whether it is the seat of the player at this window."""
    if is_host(model):
        kinds_ = [seat.kind for seat in model.setup.draft.seats]
        return kinds_[i] is Kind.PERSON and kinds_.index(Kind.PERSON) == i
    status, found = model.status, status_of(model, i)
    if status is None or found is None or not found.name:
        return False
    return found.key == status.key


def _position(model: Model, i: int, rect: Rect) -> list[Node]:
    """Return a seat as its host sets it up."""
    look, seat, status = model.look, model.setup.draft.seats[i], status_of(model, i)
    alone, about = seat.kind is Kind.PERSON, _taken_by(model, i)
    two = [look.row, look.row]
    highs = two if alone or about else [look.line, *two]
    first, second, *more = rows(rect, highs, look.px(4))
    word = kinds()[list(Kind).index(seat.kind)]
    if seat.kind is Kind.NONE:
        whole = Rect(rect.x, rect.y, rect.w, min(rect.h, look.row))
        return [widgets.choice(f"kind{i}", whole, word, look)]
    widest = max(look.width(each, look.body) for each in kinds()) + look.px(50)
    kind, state = columns(second, [min(widest, second.w // 2), 1], look.px(8))
    if alone:
        name = f"field.seat{i}"
        edit = edit_of(model, name, seat.name)
        kids = [widgets.entry(name, first, edit, look, hint=named(model, i))]
    elif status is not None and about:
        first, spot = columns(first, [1, look.row], look.px(4))
        kids = [_title(model, i, first), person.button(model, i, spot, status.doubt)]
    else:
        kids = [_title(model, i, first)]
    kids.append(widgets.choice(f"kind{i}", kind, word, look))
    if status is not None:
        kids.append(sign(model, status, state, f"seat{i}.state"))
    for third in more:
        kids += _control(model, i, third)
    return kids


def _taken_by(model: Model, i: int) -> bool:
    """Tell whether a friend has a seat: the card leads to more about them."""
    status = status_of(model, i)
    remote = model.setup.draft.seats[i].kind is Kind.REMOTE
    return remote and status is not None and person.elsewhere(status)


def _title(model: Model, i: int, rect: Rect) -> Node:
    look, name = model.look, named(model, i)
    text = name or _("Free seat")
    tone = Tone.PLAIN if name else Tone.DIM
    face = widgets.note(rect, text, look, name=f"seat{i}.name", tone=tone)
    fits = look.width(text, face.size, bold=True) <= rect.w
    return replace(face, bold=bool(name) and fits and not face.wrap)


def _control(model: Model, i: int, rect: Rect) -> list[Node]:
    """Return what the host may do at a seat: call, set the skill, show a link."""
    look, seat, status = model.look, model.setup.draft.seats[i], status_of(model, i)
    match seat.kind:
        case Kind.REMOTE:
            return _remote(model, i, rect)
        case Kind.COMPUTER if seat.program:
            words = _("a program of yours")
            return [widgets.note(rect, words, look, name=f"program{i}")]
        case Kind.COMPUTER:
            game = model.setup.draft.game
            return host_terms.control(
                game, (f"{host_terms.LEVEL}{i}", f"skill{i}"), rect, seat, look
            )
        case Kind.BROWSER:
            wide = widgets.button_width(_("Link"), look)
            room, link = columns(rect, [1, wide], look.px(4))
            can = status is not None and lending.mine(status)
            come = status is not None and status.name  # it is the title of the card
            text = "" if come else _("nobody has come yet")
            return [
                widgets.note(room, text, look, name=f"seat{i}.guest"),
                widgets.button(
                    f"who{i}", link, _("Link"), look, enabled=can, means=person.About(i)
                ),
            ]
        case _:
            return []


def _remote(model: Model, i: int, rect: Rect) -> list[Node]:
    """Return a field for whom to ask, friends to choose from, and the button."""
    look, status = model.look, status_of(model, i)
    name, text = f"field.seat{i}", _("Ask")
    if status is not None and status.asked:
        text = _("Ask again")
    edit = edit_of(model, name, typed(model, i))
    wide = widgets.button_width(text, look)
    field, recent, call = columns(rect, [1, look.row, wide], look.px(4))
    return [
        widgets.entry(name, field, edit, look, hint=_("name")),
        widgets.choice(f"recent{i}", recent, "", look, enabled=bool(to_call(model))),
        widgets.button(
            f"call{i}",
            call,
            text,
            look,
            enabled=bool(edit.text.strip()),
            means=Invite(i),
        ),
    ]


def address_of(model: Model, i: int) -> str:
    """Return where a seat of the draft is called, also of a table that was found."""
    status = status_of(model, i)
    return model.setup.draft.seats[i].address or (status.address if status else "")


def place_of(model: Model, i: int) -> str:
    """Return the same without what is said of it; a name has all its words."""
    address = address_of(model, i)
    place = address.partition(" ")[0]
    known = model.status.friends if model.status else ()
    alone = _PLACE.search(place) or any(key == place for _name, key in known)
    return place if alone else address


def typed(model: Model, i: int) -> str:
    """Return what a seat's field shows before it is touched: no key of a friend."""
    seat = model.setup.draft.seats[i]
    if seat.kind is Kind.PERSON:
        return seat.name
    return called(model, address_of(model, i)) if seat.kind is Kind.REMOTE else ""


def called(model: Model, address: str) -> str:
    """Return what a seat's address is called: of a friend's key the name alone."""
    place, _space, comment = address.partition(" ")
    known = model.status.friends if model.status else ()
    return next((name for name, key in known if key == place and name), "") or (
        comment if place.startswith("netplay:") and comment else address
    )


def status_of(model: Model, i: int) -> door.SeatStatus | None:
    """Return what the node says of a seat; of a drafted one nothing while unused."""
    if is_host(model) and model.setup.draft.seats[i].kind is Kind.NONE:
        return None
    return person.seat_at(model, i)


def named(model: Model, i: int) -> str:
    """Return who sits at a seat, or is to sit there, as far as it is known."""
    status, seat = status_of(model, i), model.setup.draft.seats[i]
    if status is not None and status.name:
        return status.name
    if not is_host(model):
        return "" if status is None else called(model, status.address)
    if seat.kind is Kind.REMOTE:
        return called(model, address_of(model, i))
    own = model.status.name if model.status is not None else ""
    return seat.name or (own if _own(model, i) else "")


# How the player of a seat is: a sign, a word and a colour.


_STATES: Final[dict[str, tuple[Callable[[], str], Mark]]] = {
    "here": (lambda: _("here"), Mark.LINKED),
    "connected": (lambda: _("connected"), Mark.LINKED),
    "elsewhere": (lambda: _("not at the table"), Mark.CUT),
    "away": (lambda: _("not connected"), Mark.CUT),
    "blocked": (lambda: _("blocked by you"), Mark.CROSS),
    "awaited": (lambda: _("awaited"), Mark.CUT),
    "resigned": (lambda: _("resigned"), Mark.CROSS),
    "late": (lambda: _("out of time"), Mark.CROSS),
}


def _state(model: Model, seat: door.SeatStatus) -> tuple[str, Mark]:
    """Return a seat's connection in words, and its sign."""
    said, mark = _STATES[seat.state]
    words = said()
    if seat.state == "here" and seat.kind == "computer":
        words = _("computer")
    if seat.program and seat.state in ("here", "connected"):
        words = _("program")
    if seat.browser and seat.state in ("here", "connected"):
        words = _("in a browser")
        begun = model.phase in {"starting", "playing", "paused"}
        if begun and not model.guest and lending.mine(seat) and not seat.lent:
            words, mark = _("nobody plays here now"), Mark.CUT
    if person.missed(seat):
        words = person.away_for(round(seat.since + model.now - model.told))
    linked = seat.state in ("here", "connected")
    words = (linked and person.through(model, seat.key)) or words
    # Guests hear of no other guest whether they have accepted.
    hosting = model.table is not None and model.table.hosting
    known = model.page.value == "table" and (hosting or seat.state == "here")
    if seat.asked:
        words = _asked(model, seat)
    elif not seat.accepted and linked and known:
        words = _("has not accepted yet")
    if seat.doubt:
        words, mark = person.short(), Mark.CROSS
    return words, mark


def _asked(model: Model, seat: door.SeatStatus) -> str:
    """Return how far somebody was asked, and whether they are awake to hear it."""
    place = seat.key or seat.address.partition(" ")[0]
    known = {one.key: one for one in friends.known(model)}
    words = phrases.asked(seat.asked) if seat.asked else ""
    if place not in known:
        return words
    if seat.asked == "unanswered":  # whoever has answered is seen to have
        words = _("asked")
    return f"{words} · {friends.told(model, known[place])[0]}"


def state_width(model: Model, seat: door.SeatStatus) -> int:
    """Return how wide `sign` must be for its words to be on one line."""
    look = model.look
    words = _state(model, seat)[0]
    return look.width(words, look.small) + round(look.small * 1.6) + look.px(2)


def sign(model: Model, seat: door.SeatStatus, rect: Rect, name: str) -> Node:
    """Return a seat's connection as word, sign and colour.

    Who is there is a quiet matter, who is not is a loud one.
    """
    look, theme = model.look, model.look.theme
    words, mark = _state(model, seat)
    linked = seat.state in ("here", "connected")
    loud = theme.bad if seat.doubt else theme.latest
    quiet = linked and not seat.doubt
    face = label(
        rect, words, look, name=name, size=look.small,
        colour=theme.good if quiet else loud,
    )  # fmt: skip
    dot = Rect(rect.x, rect.y, min(rect.h, round(look.small * 1.6)), rect.h)
    side = round(look.small * 0.8)
    spot = Rect(dot.x, dot.y + (dot.h - side) // 2, side, side)
    icon = replace(face, name="", text="", mark=mark, rect=spot)
    room = Rect(dot.right, rect.y, max(0, rect.right - dot.right), rect.h)
    lines = widgets.note(room, words, look, name=name, size=look.small)
    ink = theme.dim if quiet else face.fg
    return widgets.group(rect, [icon, replace(lines, fg=ink)])


def _taken(model: Model, seat: door.SeatStatus, i: int, rect: Rect) -> list[Node]:
    """Return a seat as a guest sees it, who can change nothing about it."""
    look = model.look
    upper, lower = rows(rect, [min(look.row, rect.h // 2 + look.px(8)), 1])
    elsewhere = person.elsewhere(seat)
    name, more = columns(upper, [1, look.row if elsewhere else 2], look.px(4))
    kids = [_title(model, i, name)]
    if seat.browser:  # in two lines, where it has to be
        words = lending.at(seat)
        kids.append(
            label(lower, words, look, name=f"seat{i}.browser", size=look.small,
                  tone=Tone.DIM, wrap=True)
        )  # fmt: skip
    else:
        line = Rect(lower.x, lower.y, lower.w, min(lower.h, look.line))
        kids.append(sign(model, seat, line, f"seat{i}.state"))
    if elsewhere:
        kids.append(person.button(model, i, more, seat.doubt))
    return kids
