"""The table page: who sits where, what is played, who is awaited."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client import options, widgets
from client.edit import Edit
from client.intents import Click, Intent, Slide
from client.layout import columns, rows
from client.model import (
    Change,
    Draft,
    Kind,
    Model,
    SeatDraft,
    ask,
    edit_of,
    same,
)
from client.pages import bar, talk
from client.pages.start import own_addresses
from client.scene import Align, Mark, Node, Rect, find
from client.texts import _
from client.widgets import Tone, label
from netplay.messages import door
from rules import GAMES, editions, lexicon

WORD_GAMES: Final = ("networdz", "lhexicon")
"""Games with a dictionary."""


def _kinds() -> tuple[str, ...]:
    """Return what a position can be, in the words of the source document."""
    return _("NONE"), _("PERSON"), _("COMPUTER"), _("REMOTE")


def hosting(model: Model) -> bool:
    """Tell whether the terms are ours to set."""
    return model.table is None or model.table.hosting


def adopt(model: Model) -> Model:
    """Return the model with a draft that agrees with the table the node has.

    The table may have been opened by a command, or loaded from a file.
    """
    table, draft = model.table, model.draft
    if table is None or not table.hosting:
        return model
    drafted = [s for s in draft.seats if s.kind is not Kind.NONE]
    kinds = [Kind(s.kind) for s in table.seats]
    if draft.game == table.game and [s.kind for s in drafted] == kinds:
        return model
    seats = [
        SeatDraft(Kind(s.kind), "" if s.kind == "computer" else s.name, s.skill)
        for s in table.seats
    ]
    spare = [SeatDraft()] * (len(draft.seats) - len(seats))
    agreed = options.agreed(table.game, table.options)
    changed = tuple(
        (field.key, agreed[field.key])
        for field in options.fields(table.game)
        if agreed[field.key] != field.default
    )
    fresh = Draft(table.game, (*seats, *spare), changed, table.edition, table.lexicon)
    return replace(model, draft=fresh)


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the table page."""
    look = model.look
    top, rest = rows(area, [bar.height(look), 1])
    title = GAMES[_game(model)].ABOUT.title
    nodes = [bar.scene(model, top, title, _note(model))]
    body = bar.body(rest, look)
    foot = look.row + look.px(32) + 3 * round(look.small * 1.3)
    seats, terms, right = columns(body, [0.36, 0.36, 0.28], look.px(12))
    upper, lower = rows(right, [1, foot], look.px(12))
    nodes += [_seats(model, seats), _terms(model, terms)]
    nodes += [talk.card(model, upper), _actions(model, lower)]
    return (*nodes, *_popups(model, area, nodes))


def _game(model: Model) -> str:
    """Return the game agreed on, or the one drafted."""
    return model.table.game if model.table else model.draft.game


def _note(model: Model) -> str:
    """Return who is awaited, in words."""
    table = model.table
    if table is None:
        return _("Opening the table…")
    if table.waiting:
        return _("Waiting for {who}").format(who=table.waiting)
    return _("Everybody is here.")


def _seats(model: Model, rect: Rect) -> Node:
    """Return the card with the positions."""
    look = model.look
    inner = rect.inset(look.px(14), look.px(12))
    head = Rect(inner.x, inner.y, inner.w, look.px(26))
    kids = [label(head, _("Players"), look, size=look.head, bold=True)]
    y = head.bottom + look.px(4)
    high = min((inner.bottom - y) // 4, 2 * look.row + look.px(30))
    for i in range(4):
        spot = Rect(inner.x, y + i * high, inner.w, high - look.px(6))
        if hosting(model):
            kids += _position(model, i, spot)
        elif model.table is not None and i < len(model.table.seats):
            kids += _taken(model, model.table.seats[i], i, spot)
    return widgets.panel(rect, look, kids, name="seats")


def _position(model: Model, i: int, rect: Rect) -> list[Node]:
    """Return the controls of one position, for the host."""
    look, seat = model.look, model.draft.seats[i]
    upper, lower = rows(rect, [look.row, 1], look.px(4))
    number, kind, state = columns(upper, [look.px(20), 0.58, 0.42], look.px(4))
    kids = [
        label(number, str(i + 1), look, bold=True, tone=Tone.DIM),
        widgets.choice(f"kind{i}", kind, _kinds()[list(Kind).index(seat.kind)], look),
    ]
    status = _status(model, i)
    if status is not None:
        kids.append(sign(model, status, state, f"seat{i}.state"))
    low = Rect(kind.x, lower.y, rect.right - kind.x, min(lower.h, look.row))
    match seat.kind:
        case Kind.PERSON | Kind.REMOTE:
            name = f"field.seat{i}"
            person = seat.kind is Kind.PERSON
            start = seat.name if person else seat.address
            hint = _("name") if person else _("IP name or address, comment")
            edit = edit_of(model, name, start)
            if person:
                kids.append(widgets.entry(name, low, edit, look, hint=hint))
            else:
                kids += _remote(model, i, low, edit, hint)
        case Kind.COMPUTER:
            kids += _slider(model, i, low, seat.skill)
        case Kind.NONE:
            pass
    return kids


def _remote(model: Model, i: int, low: Rect, edit: Edit, hint: str) -> list[Node]:
    """Return address, recent addresses and the call button of a remote position."""
    look = model.look
    words = _("Call")
    wide = widgets.button_width(words, look)
    field, recent, call = columns(low, [1, look.row, wide], look.px(4))
    return [
        widgets.entry(f"field.seat{i}", field, edit, look, hint=hint),
        widgets.choice(
            f"recent{i}", recent, "", look, enabled=bool(model.settings.recent)
        ),
        widgets.button(f"call{i}", call, words, look, enabled=bool(edit.text.strip())),
    ]


def _slider(model: Model, i: int, low: Rect, skill: int) -> list[Node]:
    """Return the slider labelled "dumb smart" (source document, Players)."""
    look = model.look
    left, right = _("dumb"), _("smart")
    wides = [look.width(t, look.small) + look.px(6) for t in (left, right)]
    ends = columns(low, [wides[0], 1, wides[1]], look.px(4))
    far = Align.RIGHT
    return [
        label(ends[0], left, look, size=look.small, tone=Tone.DIM),
        widgets.slider(f"skill{i}", ends[1], skill / 100, look, value=str(skill)),
        label(ends[2], right, look, size=look.small, tone=Tone.DIM, align=far),
    ]


def _status(model: Model, i: int) -> door.SeatStatus | None:
    """Return what the node says of a drafted position."""
    table = model.table
    if table is None or model.draft.seats[i].kind is Kind.NONE:
        return None
    index = sum(s.kind is not Kind.NONE for s in model.draft.seats[:i])
    return table.seats[index] if index < len(table.seats) else None


def _states() -> dict[str, tuple[str, Mark]]:
    """Return word and sign of each state of a seat."""
    return {
        "here": (_("here"), Mark.LINKED),
        "connected": (_("connected"), Mark.LINKED),
        "away": (_("not connected"), Mark.CUT),
        "awaited": (_("awaited"), Mark.CUT),
        "resigned": (_("resigned"), Mark.CROSS),
    }


def sign(model: Model, seat: door.SeatStatus, rect: Rect, name: str) -> Node:
    """Return a seat's connection as word, sign and colour.

    Blue while not connected, red once connected (source document, Network play), with
    a full disc or a broken ring besides.
    """
    look, theme = model.look, model.look.theme
    words, mark = _states()[seat.state]
    if seat.state == "here" and seat.kind == "computer":
        words = _("computer")
    linked = seat.state in ("here", "connected")
    if not seat.accepted and linked and model.page.value == "table":
        words = _("has not accepted yet")
    face = label(
        rect, words, look, name=name, size=look.small,
        colour=theme.linked if linked else theme.unlinked,
    )  # fmt: skip
    dot = Rect(rect.x, rect.y, min(rect.h, round(look.small * 1.6)), rect.h)
    side = round(look.small * 0.8)
    spot = Rect(dot.x, dot.y + (dot.h - side) // 2, side, side)
    icon = replace(face, name="", text="", mark=mark, rect=spot)
    room = Rect(dot.right, rect.y, max(0, rect.right - dot.right), rect.h)
    return widgets.group(rect, [icon, replace(face, rect=room)])


def _taken(model: Model, seat: door.SeatStatus, i: int, rect: Rect) -> list[Node]:
    """Return a position as a guest sees it."""
    look = model.look
    upper = Rect(rect.x, rect.y, rect.w, min(rect.h, look.row))
    lower = Rect(rect.x, upper.bottom, rect.w, max(0, rect.bottom - upper.bottom))
    number, name, state = columns(upper, [look.px(20), 0.5, 0.5], look.px(4))
    names = [kind.value for kind in Kind]
    kinds = dict(zip(names, _kinds(), strict=True))
    return [
        label(number, str(i + 1), look, bold=True, tone=Tone.DIM),
        label(name, seat.name or "–", look, name=f"seat{i}.name", bold=True),
        sign(model, seat, state, f"seat{i}.state"),
        label(
            Rect(name.x, lower.y, lower.w, min(lower.h, look.line)),
            kinds.get(seat.kind, seat.kind), look, size=look.small, tone=Tone.DIM,
        ),
    ]  # fmt: skip


def _terms(model: Model, rect: Rect) -> Node:
    """Return the card with game, edition, dictionary and options."""
    look, game = model.look, _game(model)
    inner = rect.inset(look.px(14), look.px(12))
    head = Rect(inner.x, inner.y, inner.w, look.px(26))
    kids = [label(head, _("Rules"), look, size=look.head, bold=True)]
    made = _top_rows(model, game)
    made += [_option(model, field) for field in options.fields(game)]
    room = Rect(inner.x, head.bottom + look.px(4), inner.w, 0)
    room = Rect(room.x, room.y, room.w, inner.bottom - room.y)
    pitch = look.row + look.px(6)
    offset = model.scrolls.get("options", 0)
    kids.append(widgets.scroll("options", room, made, pitch, look, offset=offset))
    return widgets.panel(rect, look, kids, name="terms")


def _top_rows(model: Model, game: str) -> list[widgets.Row]:
    """Return the rows for game, edition and dictionary."""
    table = model.table
    made = [_pick("game", _("Game"), GAMES[game].ABOUT.title, model)]
    if game == "networdz":
        edition = table.edition if table else model.draft.edition
        made.append(_pick("edition", _("Edition"), edition or "networdz", model))
    if game in WORD_GAMES:
        words = table.lexicon if table else model.draft.words
        made.append(_pick("words", _("Words"), words or _("its own"), model))
    return made


def _pick(name: str, title: str, value: str, model: Model) -> widgets.Row:
    """Return a row with a title and a drop-down."""
    look = model.look

    def make(rect: Rect) -> Node:
        left, right = columns(rect, [0.48, 0.52], look.px(4))
        face = Rect(right.x, right.y, right.w, look.row)
        return widgets.group(
            rect,
            [
                label(Rect(left.x, left.y, left.w, look.row), title, look),
                widgets.choice(name, face, value, look, enabled=hosting(model)),
            ],
        )

    return make


def _value(model: Model, field: options.Field) -> str:
    """Return what an option is set to."""
    if hosting(model) or model.table is None:
        return dict(model.draft.options).get(field.key, field.default)
    return options.agreed(model.table.game, model.table.options).get(
        field.key, field.default
    )


def _option(model: Model, field: options.Field) -> widgets.Row:
    """Return the row of one option."""
    look, value = model.look, _value(model, field)
    if not field.switch:
        return _pick(
            f"option.{field.key}",
            options.label(field.key),
            options.shown(value),
            model,
        )

    def make(rect: Rect) -> Node:
        face = Rect(rect.x, rect.y, rect.w, look.row)
        name = f"option.{field.key}"
        title, on = options.label(field.key), value == "on"
        return widgets.check(name, face, title, look, on=on, enabled=hosting(model))

    return make


def _actions(model: Model, rect: Rect) -> Node:
    """Return the card with start, accept and the way others can come."""
    look, table = model.look, model.table
    inner = rect.inset(look.px(12), look.px(12))
    if hosting(model):
        ready = table is not None and not table.waiting and model.linked
        where = ", ".join(own_addresses(model))
        words = _("Others join at {where}").format(where=where) if where else ""
        text, name = _("Start"), "start"
    else:
        ready = model.linked and not _accepted(model)
        words = _("The host has set these terms.")
        if _accepted(model):
            words = _("You have accepted. The host starts the game.")
        text, name = _("Accept"), "accept"
    upper, lower = rows(inner, [1, look.row], look.gap)
    kids = [
        label(upper, words, look, size=look.small, tone=Tone.DIM, wrap=True),
        widgets.button(name, lower, text, look, tone=Tone.MAIN, enabled=ready),
    ]
    return widgets.panel(rect, look, kids, name="actions")


def _accepted(model: Model) -> bool:
    """Tell whether this node has accepted the terms as they stand."""
    table, status = model.table, model.status
    if table is None or status is None:
        return False
    own = [s for s in table.seats if s.key == status.key]
    return bool(own) and all(s.accepted for s in own)


def _choices(model: Model) -> tuple[str, ...]:
    """Return what the open drop-down offers."""
    name = model.open
    if name.startswith("kind"):
        return _kinds()
    if name.startswith("recent"):
        return model.settings.recent
    if name.startswith("option."):
        for field in options.fields(_game(model)):
            if f"option.{field.key}" == name:
                return tuple(map(options.shown, field.choices))
    lists = {
        "game": tuple(g.ABOUT.title for g in GAMES.values()),
        "edition": tuple(editions.shipped()),
        "words": (_("its own"), *lexicon.shipped()),
    }
    return lists.get(name, ())


def _popups(model: Model, area: Rect, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return the open drop-down, if one is open."""
    face = next((n for root in nodes if (n := find(root, model.open))), None)
    items = _choices(model) if model.open else ()
    if face is None or not items:
        return ()
    chosen = items.index(face.value) if face.value in items else -1
    offset = model.scrolls.get(f"{model.open}:list", 0)
    look = model.look
    return (widgets.popup(model.open, face.rect, items, chosen, area, look, offset),)


def handle(model: Model, intent: Intent) -> Change | None:
    """React to the table page's own intents."""
    match intent:
        case Slide(name=name, at=at) if name.startswith("skill") and hosting(model):
            i = int(name.removeprefix("skill"))
            seat = replace(model.draft.seats[i], skill=round(at * 100))
            return _changed(model, _with_seat(model.draft, i, seat))
        case Click(name=name) if name:
            head, _colon, tail = name.partition(":")
            if tail.isdigit() and head == model.open:
                closed = replace(model, open="")
                return _picked(closed, head, int(tail))
            return _pressed(model, name)
        case _:
            return None


def submit(model: Model, name: str) -> Change:
    """React to Enter in, or leaving, a field."""
    if name == talk.FIELD:
        return talk.say(model)
    if not name.startswith("field.seat") or name not in model.edits:
        return same(model)
    i = int(name.removeprefix("field.seat"))
    text, seat = model.edits[name].text.strip(), model.draft.seats[i]
    person = seat.kind is Kind.PERSON
    fresh = replace(seat, name=text) if person else replace(seat, address=text)
    if fresh == seat:
        return same(model)
    return _changed(model, _with_seat(model.draft, i, fresh))


def _with_seat(draft: Draft, i: int, seat: SeatDraft) -> Draft:
    """Return the draft with another position."""
    seats = (*draft.seats[:i], seat, *draft.seats[i + 1 :])
    return replace(draft, seats=seats)


def _changed(model: Model, draft: Draft) -> Change:
    """Take a new draft, and tell the node if it can be a table."""
    if draft == model.draft:
        return same(model)
    model = replace(model, draft=draft)
    count = sum(s.kind is not Kind.NONE for s in draft.seats)
    if count not in GAMES[draft.game].ABOUT.seats or model.table is None:
        return same(model)
    return ask(model, door.ChangeTable(draft.terms), "change")


def _picked(model: Model, head: str, index: int) -> Change | None:
    """Take what was chosen from the drop-down that was open."""
    draft = model.draft
    for prefix in ("kind", "recent"):
        if head.startswith(prefix) and head.removeprefix(prefix).isdigit():
            return _seat_picked(model, prefix, int(head.removeprefix(prefix)), index)
    if head.startswith("option."):
        key = head.removeprefix("option.")
        field = next(f for f in options.fields(draft.game) if f.key == key)
        return _changed(model, _with_option(draft, key, field.choices[index]))
    match head:
        case "game":
            return _changed(model, _with_game(draft, tuple(GAMES)[index]))
        case "edition":
            name = tuple(editions.shipped())[index]
            return _changed(model, replace(draft, edition=name, words=""))
        case "words":
            name = ("", *lexicon.shipped())[index]
            return _changed(model, replace(draft, words=name))
        case _:
            return None


def _with_option(draft: Draft, key: str, value: str) -> Draft:
    """Return the draft with an option set."""
    others = tuple(pair for pair in draft.options if pair[0] != key)
    return replace(draft, options=(*others, (key, value)))


def _with_game(draft: Draft, game: str) -> Draft:
    """Return the draft for another game, with no more seats than that has."""
    most = GAMES[game].ABOUT.seats[-1]
    seats = list(draft.seats)
    used = [i for i, s in enumerate(seats) if s.kind is not Kind.NONE]
    for i in used[most:]:
        seats[i] = replace(seats[i], kind=Kind.NONE)
    return Draft(game, tuple(seats))


def _seat_picked(model: Model, prefix: str, i: int, index: int) -> Change:
    """Take the kind or the recent address chosen for a position."""
    seat = model.draft.seats[i]
    edits = {k: e for k, e in model.edits.items() if k != f"field.seat{i}"}
    if prefix == "recent":
        seat = replace(seat, address=model.settings.recent[index])
    else:
        seat = replace(seat, kind=list(Kind)[index])
    return _changed(replace(model, edits=edits), _with_seat(model.draft, i, seat))


def _pressed(  # noqa: PLR0911 (one a button)
    model: Model, name: str
) -> Change | None:
    """React to a click on a button, box or drop-down."""
    if name == "start":
        return ask(model, door.StartMatch(), "start")
    if name == "accept" and model.table is not None:
        consent = door.Consent(True, model.table.revision)
        return ask(model, consent, "accept")
    if not hosting(model):
        return None
    if name.startswith("call") and name[4:].isdigit():
        return _call(model, int(name[4:]))
    if name.startswith("option."):
        key = name.removeprefix("option.")
        field = next(f for f in options.fields(_game(model)) if f.key == key)
        if field.switch:
            value = "off" if _value(model, field) == "on" else "on"
            return _changed(model, _with_option(model.draft, key, value))
    if name in ("game", "edition", "words") or name.startswith(
        ("kind", "recent", "option.")
    ):
        return replace(model, open="" if model.open == name else name), ()
    return None


def _call(model: Model, i: int) -> Change:
    """Call the peer whose address stands at a position."""
    model, effects = submit(model, f"field.seat{i}")
    address = model.draft.seats[i].address
    recent = tuple(a for a in model.settings.recent if a != address)
    settings = replace(model.settings, recent=(address, *recent)[:8])
    index = sum(s.kind is not Kind.NONE for s in model.draft.seats[:i])
    call = door.Call(address.partition(" ")[0], index)
    model, more = ask(replace(model, settings=settings), call, "call")
    return model, (*effects, *more)
