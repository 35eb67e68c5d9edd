"""The table page: who sits where, what is played, who is awaited."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from client.app import options
from client.app.model import (
    Change,
    Draft,
    Kind,
    Model,
    SeatDraft,
    ask,
    edit_of,
    same,
    toggled,
    untouched,
)
from client.pages import agreeing, bar, bystanders, chat, host_terms, lending, person
from client.pages.start import call_words, own_addresses, remember, to_call
from client.ui import typefaces, widgets
from client.ui.hand import Edit
from client.ui.intents import Click, Intent, Slide
from client.ui.layout import columns, rows
from client.ui.scene import Mark, Node, Rect
from client.ui.texts import _, phrase
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.node_questions import GetInvitation
from netplay.messages.table import COUNTED
from netplay.messages.types import Admission
from netplay.text import phrases
from rules import GAMES, LISTED, title_of

# What the host has changed of the terms since the player said yes, in red.


def changed_rows(model: Model, game: str) -> list[widgets.Row]:
    """Return a row for each change."""
    changes = () if model.table is None else model.table.changes
    return [_row(model, each[0], _words(game, *each)) for each in changes]


def _row(model: Model, what: str, words: str) -> widgets.Row:
    look = model.look
    return lambda rect: label(
        Rect(rect.x, rect.y, rect.w, look.row), words, look, name=f"changed:{what}",
        size=look.small, tone=Tone.DANGER, wrap=True,
    )  # fmt: skip


def _words(game: str, what: str, before: str, now: str) -> str:
    titles = {
        "game": _("Game"),
        "players": _("Players"),
        "edition": _("Edition"),
        "words": _("Words"),
        "bystanders": _("Who may watch"),
        "fairness": _("How tiles are drawn"),
        "days": _("Days to think"),
        "keepers": _("Who is believed about letters"),
    }
    if what in {"players", "edition", "words", "keepers"}:
        return _("Changed: {what}").format(what=titles[what])
    shown: dict[str, Callable[[str], str]] = {
        "game": title_of,
        "bystanders": bystanders.wish,
        "fairness": host_terms.wish,
        "days": lambda count: agreeing.day_words(int(count)),
    }
    if what in shown:
        return f"{titles[what]}: {shown[what](now)}"
    old, new = (options.shown(game, what, each) for each in (before, now))
    return f"{options.label(game, what)}: {old} → {new}"


BYSTANDERS: Final = "bystanders"
"""The drop-down with who may watch."""


TERMS: Final = ("change", "host")
AGREED: Final = ("start", "accept", "invitation")
"""What is asked for from a card: its faults stand there."""


def _kinds() -> tuple[str, ...]:
    """Return what a position can be, in the words of the source document."""
    return _("NONE"), _("PERSON"), _("COMPUTER"), _("REMOTE"), _("BROWSER")


def hosting(model: Model) -> bool:
    """Tell whether the terms are ours to set."""
    return model.table is None or model.table.hosting


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the table page."""
    look = model.look
    top, rest, line = rows(area, [bar.height(look), 1, bar.foot_height(look)])
    title = GAMES[game_of(model)].ABOUT.title
    nodes = [bar.scene(model, top, title)]
    body = bar.body(rest, look)
    seats, terms, right = columns(body, [0.38, 0.36, 0.26], look.px(12))
    wrong = typefaces.height(
        bar.fault(model, *AGREED), look.small, right.w - look.px(24)
    )
    foot = look.row + look.px(32) + max(3 * round(look.small * 1.3), wrong)
    foot += look.px(24) if bar.fault(model, *AGREED) else 0
    if hosting(model):
        foot += look.row + look.gap
    upper, lower = rows(right, [1, foot], look.px(12))
    nodes += [_seats(model, seats), _terms(model, terms)]
    nodes += [chat.card(model, upper), _actions(model, lower)]
    calls = (f"call{i}" for i in range(4))
    placed = bool(bar.fault(model, *calls, *TERMS, *AGREED))
    nodes.append(bar.foot(model, line, _note(model), placed=placed))
    return (*nodes, *bar.opened(model, area, nodes, {model.open: _choices(model)}))


def game_of(model: Model) -> str:
    """Return the game agreed on, or the one drafted."""
    return model.table.game if model.table else model.draft.game


def _note(model: Model) -> str:
    table = model.table
    for name in (model.hover, model.focus):
        key = name.partition(":")[0].removeprefix("option.")
        if key != name and (meaning := options.note(game_of(model), key)):
            return meaning
    if table is None:
        return _("Opening the table…")
    if table.called or table.changes:
        return ""
    if table.waiting:
        return _("Waiting for {who}").format(who=phrase(table.waiting))
    return _("Everybody is here.")


def _seats(model: Model, rect: Rect) -> Node:
    look = model.look
    inner = rect.inset(look.px(14), look.px(12))
    head = Rect(inner.x, inner.y, inner.w, look.px(26))
    kids = [label(head, _("Players"), look, size=look.head, bold=True)]
    y = head.bottom + look.px(4)
    wrongs = [bar.fault(model, f"call{i}") for i in range(4)]
    heights = [typefaces.height(w, look.small, inner.w) if w else 0 for w in wrongs]
    least = 2 * look.row + look.px(10)
    high = min((inner.bottom - y - sum(heights)) // 4, least + look.px(20))
    for i in range(4):
        spot = Rect(inner.x, y, inner.w, high - look.px(6))
        y += high + heights[i]
        if wrongs[i]:
            kids += _wrong(
                Rect(inner.x, y - heights[i], inner.w, heights[i]),
                wrongs[i],
                head,
                look,
            )
        if hosting(model):
            kids += _position(model, i, spot)
        elif model.table is not None and i < len(model.table.seats):
            kids += _taken(model, model.table.seats[i], i, spot)
    return widgets.panel(rect, look, kids, name="seats")


def _wrong(rect: Rect, text: str, head: Rect, look: Look) -> list[Node]:
    """Return what went wrong, and in a heading the button that puts it away."""
    words = label(
        rect, text, look, name="fault", size=look.small, tone=Tone.DANGER, wrap=True
    )
    return [words, bar.dismissing(head, look)]


def _position(model: Model, i: int, rect: Rect) -> list[Node]:
    look, seat = model.look, model.draft.seats[i]
    upper, lower = rows(rect, [look.row, 1], look.px(4))
    number, kind, state = columns(upper, [look.px(20), 0.58, 0.42], look.px(4))
    status = _status(model, i)
    if status is not None and not status.accepted:
        widest = max(look.width(each, look.body) for each in _kinds()) + look.px(38)
        number, kind, state = columns(upper, [look.px(20), widest, 1], look.px(4))
    kids = [
        label(number, str(i + 1), look, bold=True, tone=Tone.DIM),
        widgets.choice(f"kind{i}", kind, _kinds()[list(Kind).index(seat.kind)], look),
    ]
    if status is not None:
        kids.append(sign(model, status, state, f"seat{i}.state"))
    low = Rect(kind.x, lower.y, rect.right - kind.x, min(lower.h, look.row))
    match seat.kind:
        case Kind.PERSON | Kind.REMOTE:
            name = f"field.seat{i}"
            person = seat.kind is Kind.PERSON
            start = seat.name if person else seat.address
            hint = _name_of(model, i, status) or (
                _("name") if person else _("IP name or address, comment")
            )
            edit = edit_of(model, name, start)
            if person:
                kids.append(widgets.entry(name, low, edit, look, hint=hint))
            else:
                kids += _remote(model, i, low, edit, hint)
        case Kind.COMPUTER if seat.program:
            words = _("a program of yours")
            kids.append(widgets.note(low, words, look, name=f"program{i}"))
        case Kind.COMPUTER:
            kids += host_terms.control(
                model.draft.game, f"skill{i}", low, seat.skill, look
            )
        case Kind.BROWSER:
            face, link = columns(
                low, [1, widgets.button_width(_("Link"), look)], look.px(4)
            )
            words = _name_of(model, i, status) or _("nobody has come yet")
            can = status is not None and lending.mine(status)
            kids += [
                widgets.note(face, words, look, name=f"seat{i}.guest"),
                widgets.button(f"who{i}", link, _("Link"), look, enabled=can),
            ]
        case Kind.NONE:
            pass
    return kids


def _remote(model: Model, i: int, low: Rect, edit: Edit, hint: str) -> list[Node]:
    """Return address, recent addresses and the call button of a remote position.

    Who has taken it needs no call: there is the way to more about them.
    """
    look, status = model.look, _status(model, i)
    words = _("Call")
    wide = widgets.button_width(words, look)
    field, recent, call = columns(low, [1, look.row, wide], look.px(4))
    last = widgets.button(
        f"call{i}", call, words, look, enabled=bool(edit.text.strip())
    )
    if status is not None and person.elsewhere(status):
        last = person.button(model, f"who{i}", call, status.doubt)
    return [
        widgets.entry(f"field.seat{i}", field, edit, look, hint=hint),
        widgets.choice(f"recent{i}", recent, "", look, enabled=bool(to_call(model))),
        last,
    ]


def _status(model: Model, i: int) -> door.SeatStatus | None:
    """Return what the node says of a drafted position."""
    unused = model.draft.seats[i].kind is Kind.NONE
    return None if unused else person.seat_at(model, i)


def _states() -> dict[str, tuple[str, Mark]]:
    return {
        "here": (_("here"), Mark.LINKED),
        "connected": (_("connected"), Mark.LINKED),
        "elsewhere": (_("plays something else"), Mark.CUT),
        "away": (_("not connected"), Mark.CUT),
        "awaited": (_("awaited"), Mark.CUT),
        "resigned": (_("resigned"), Mark.CROSS),
        "late": (_("out of time"), Mark.CROSS),
    }


def _name_of(model: Model, i: int, status: door.SeatStatus | None) -> str:
    """Return who sits at a position already, to be read where one may type."""
    if status is not None and status.name:
        return status.name
    kinds = [seat.kind for seat in model.draft.seats]
    own = kinds[i] is Kind.PERSON and kinds.index(Kind.PERSON) == i
    return model.status.name if own and model.status is not None else ""


def _state(model: Model, seat: door.SeatStatus) -> tuple[str, Mark]:
    """Return a seat's connection in words, and its sign."""
    words, mark = _states()[seat.state]
    if seat.state == "here" and seat.kind == "computer":
        words = _("computer")
    if seat.program and seat.state in ("here", "connected"):
        words = _("program")
    if seat.browser and seat.state in ("here", "connected"):
        words = _("in a browser")
    if person.missed(seat):
        words = person.away_for(round(seat.since + model.now - model.told))
    linked = seat.state in ("here", "connected")
    words = (linked and person.through(model, seat.key)) or words
    if seat.asked:
        words = phrases.asked(seat.asked)
    elif not seat.accepted and linked and model.page.value == "table":
        words = _("has not accepted yet")
    if seat.doubt:
        words, mark = person.short(), Mark.CROSS
    return words, mark


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
    look = model.look
    upper = Rect(rect.x, rect.y, rect.w, min(rect.h, look.row))
    lower = Rect(rect.x, upper.bottom, rect.w, max(0, rect.bottom - upper.bottom))
    elsewhere = person.elsewhere(seat)
    side = look.row if elsewhere else 1
    number, name, more = columns(upper, [look.px(20), 1, max(2, side)], look.px(4))
    names = [kind.value for kind in Kind]
    kinds = dict(zip(names, _kinds(), strict=True))
    word = _("PROGRAM") if seat.program else kinds.get(seat.kind, seat.kind)
    wide = look.width(word, look.small) + look.gap
    below = Rect(name.x, lower.y, rect.right - name.x, min(lower.h, look.line))
    kind, state = columns(below, [max(2, wide), 1], look.px(4))
    signs = [
        label(kind, word, look, size=look.small, tone=Tone.DIM),
        sign(model, seat, state, f"seat{i}.state"),
    ]
    if seat.browser:  # in two lines, where it has to be
        whole = Rect(name.x, lower.y, rect.right - name.x, lower.h)
        words = lending.at(seat)
        signs = [
            label(
                whole, words, look, name=f"seat{i}.browser", size=look.small,
                tone=Tone.DIM, wrap=True,
            )
        ]  # fmt: skip
    return [
        label(number, str(i + 1), look, bold=True, tone=Tone.DIM),
        widgets.note(
            name, seat.name or "–", look, name=f"seat{i}.name", tone=Tone.PLAIN
        ),
        *signs,
        *([person.button(model, f"who{i}", more, seat.doubt)] if elsewhere else []),
    ]


def _terms(model: Model, rect: Rect) -> Node:
    """Return the card with game, edition, dictionary and options."""
    look, game = model.look, game_of(model)
    inner = rect.inset(look.px(14), look.px(12))
    head = Rect(inner.x, inner.y, inner.w, look.px(26))
    kids = [label(head, _("Rules"), look, size=look.head, bold=True)]
    made = [*changed_rows(model, game), *_top_rows(model, game)]
    how = host_terms.chosen(model)
    if how is not None:
        word = host_terms.wish(how)
        made.append(_pick(host_terms.FAIRNESS, _("The bag"), word, model))
        made += _sentence(host_terms.promised(model, how), inner.w - look.px(16), look)
    made += [_option(model, field) for field in options.fields(game)]
    if (count := agreeing.chosen(model)) is not None:
        made.append(
            _pick(agreeing.DAYS, _("Days to think"), agreeing.day_words(count), model)
        )
    admission = table_admission(model)
    made.append(
        _pick(BYSTANDERS, _("Who may watch"), bystanders.words(admission), model)
    )
    y = head.bottom + look.px(4)
    if wrong := bar.fault(model, *TERMS):
        spot = Rect(inner.x, y, inner.w, typefaces.height(wrong, look.small, inner.w))
        kids += _wrong(spot, wrong, head, look)
        y = spot.bottom + look.px(4)
    room = Rect(inner.x, y, inner.w, inner.bottom - y)
    pitch = look.row + look.px(6)
    offset = model.scrolls.get("options", 0)
    kids.append(widgets.scroll("options", room, made, pitch, look, offset=offset))
    return widgets.panel(rect, look, kids, name="terms")


def table_admission(model: Model) -> Admission:
    """Return who may watch the match that is being agreed on."""
    if hosting(model) or model.table is None:
        return model.draft.bystanders
    return model.table.bystanders


def _top_rows(model: Model, game: str) -> list[widgets.Row]:
    table = model.table
    made = [_pick("game", _("Game"), GAMES[game].ABOUT.title, model)]
    resources = GAMES[game].ABOUT.resources
    if "edition" in resources:
        edition = table.edition if table else model.draft.edition
        made.append(_pick("edition", _("Edition"), edition or "networdz", model))
    if "lexicon" in resources:
        words = table.lexicon if table else model.draft.words
        made.append(_pick("words", _("Words"), words or _("its own"), model))
    return made


def _pick(name: str, title: str, value: str, model: Model) -> widgets.Row:
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


def value_of(model: Model, field: options.Field) -> str:
    """Return what an option is set to."""
    if hosting(model) or model.table is None:
        return dict(model.draft.options).get(field.key, field.default)
    return options.agreed(model.table.game, model.table.options).get(
        field.key, field.default
    )


def _option(model: Model, field: options.Field) -> widgets.Row:
    look, value, game = model.look, value_of(model, field), game_of(model)
    if not field.switch:
        return _pick(
            f"option.{field.key}",
            options.label(game, field.key),
            options.shown(game, field.key, value),
            model,
        )

    def make(rect: Rect) -> Node:
        face = Rect(rect.x, rect.y, rect.w, look.row)
        name = f"option.{field.key}"
        title, on = options.label(game, field.key), value == "on"
        return widgets.check(name, face, title, look, on=on, enabled=hosting(model))

    return make


def _actions(model: Model, rect: Rect) -> Node:
    """Return the card with start, accept and the way others can come."""
    look, table = model.look, model.table
    inner = rect.inset(look.px(12), look.px(12))
    if hosting(model):
        ready = table is not None and not table.waiting and model.linked
        ready = ready and model.draft == model.agreed
        where = ", ".join(own_addresses(model))
        words = _("Others join at {where}").format(where=where) if where else ""
        text, name = _("Start"), "start"
    else:
        ready = model.linked and not _accepted(model)
        words = _("The host has set these terms.")
        if table is not None and table.called:
            words = _("{name} calls you to this table. Accept, or leave it.")
            words = words.format(name=table.host)
        if table is not None and table.changes:
            words = _("The host has changed the rules. Accept again, or leave it.")
        if _accepted(model):
            words = _("You have accepted. The host starts the game.")
        text, name = _("Accept"), "accept"
    text, words, ready = _beginning(model, text, words, ready=ready)
    upper, lower = rows(inner, [1, look.row], look.gap)
    kids = [widgets.button(name, lower, text, look, tone=Tone.MAIN, enabled=ready)]
    if hosting(model):
        upper, middle = rows(upper, [1, look.row], look.gap)
        can = model.linked and bool(own_addresses(model))
        copy = widgets.button("copy", middle, _("Copy invitation"), look, enabled=can)
        kids.insert(0, copy)
    if wrong := bar.fault(model, *AGREED):
        head, upper = rows(upper, [look.px(24), 1])
        kids += _wrong(upper, wrong, head, look)
    else:
        offset = model.scrolls.get("actions.note", 0)
        kids.append(
            widgets.reading("actions.note", upper, words, look, size=look.small,
                            tone=Tone.DIM, offset=offset)
        )  # fmt: skip
    return widgets.panel(rect, look, kids, name="actions")


def _beginning(
    model: Model, text: str, words: str, *, ready: bool
) -> tuple[str, str, bool]:
    """Return the main button and what is said above it, before time begins to run."""
    table = model.table
    if table is None or not model.linked:
        return text, words, ready
    stands = table.beginning
    if stands.seconds:
        count = _("Begins in {n}").format(n=stands.seconds)
        return count, _("Everyone is ready."), False
    if stands.asked:
        told = _("{name} is ready to start. Are you?")
        return _("I am ready"), told.format(name=table.host), True
    if stands.lacking:
        names = ", ".join(stands.lacking)
        told = _("Waiting for {names} to be ready. The game starts when everyone is.")
        return (
            _("Waiting for {names}").format(names=names),
            told.format(names=names),
            False,
        )
    return text, words, ready


def _sentence(text: str, width: int, look: Look) -> list[widgets.Row]:
    """Return rows with a sentence that may take several lines, the first with all."""
    pitch = look.row + look.px(6)
    height = typefaces.height(text, look.small, width)

    def first(rect: Rect) -> Node:
        place = Rect(rect.x, rect.y, width, height)
        return label(place, text, look, size=look.small, tone=Tone.DIM, wrap=True)

    def rest(rect: Rect) -> Node:
        return widgets.group(rect, [])

    return [first, *[rest] * (max(1, -(-height // pitch)) - 1)]


def _accepted(model: Model) -> bool:
    table, status = model.table, model.status
    if table is None or status is None:
        return False
    own = [s for s in table.seats if s.key == status.key]
    return bool(own) and all(s.accepted for s in own)


def _choices(model: Model) -> tuple[str, ...]:
    name = model.open
    if name.startswith("kind"):
        return _kinds()
    if name.startswith("recent"):
        return tuple(map(call_words, to_call(model)))
    if name.startswith("option."):
        game = game_of(model)
        for field in options.fields(game):
            if f"option.{field.key}" == name:
                return tuple(options.shown(game, field.key, v) for v in field.choices)
    lists = {
        BYSTANDERS: bystanders.wishes(),
        host_terms.FAIRNESS: host_terms.wishes(),
        agreeing.DAYS: agreeing.wishes(),
        "game": tuple(listed.title for listed in LISTED.values()),
        "edition": model.edition_names,
        "words": (_("its own"), *model.list_names),
    }
    return lists.get(name, ())


# What the user does on the table page: set the terms, call, accept, start.


def adopt(model: Model) -> Model:
    """Return the model with a draft that agrees with the table the node has.

    The table may have been opened by a command, or loaded from a file.
    """
    table, draft = model.table, model.draft
    if table is None or not table.hosting:
        return model
    kinds = [(kind_of(s), s.kind == "computer" and s.program) for s in table.seats]
    changed = _chosen(table.game, options.agreed(table.game, table.options))
    same_seats = (
        draft.game == table.game and [(s.kind, s.program) for s in draft.taken] == kinds
    )
    if same_seats and _chosen(table.game, dict(draft.options)) == changed:
        return replace(model, agreed=draft)
    usual = draft.seats[1].skill  # of computer players; a person or friend has none
    seats = [
        SeatDraft(
            kind_of(s),
            _typed_name(model, s),
            s.skill if s.kind == "computer" else usual,
            program=s.kind == "computer" and s.program,
        )
        for s in table.seats
    ]
    spare = [SeatDraft(skill=usual)] * (len(draft.seats) - len(seats))
    words = table.edition, table.lexicon
    apart = table.bystanders, host_terms.wished(table)
    fresh = Draft(table.game, (*seats, *spare), changed, *words, *apart)
    fresh = replace(fresh, days=table.thinking.days)
    return replace(model, draft=fresh, agreed=fresh)


def kind_of(seat: door.SeatStatus) -> Kind:
    """Return what a position of a draft is that is this seat of the host's table."""
    guest = seat.kind == "person" and seat.browser
    return Kind.BROWSER if guest else Kind(seat.kind)


def _typed_name(model: Model, seat: door.SeatStatus) -> str:
    """Return the name that a person here was given for a seat, not the player's own.

    Whoever plays elsewhere has a name of their own, which is not for the next table.
    """
    own = model.status.name if model.status else ""
    if kind_of(seat) is not Kind.PERSON:
        return ""
    return seat.name if seat.name != own else ""


def _chosen(game: str, values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the options that are not as the game has them by itself."""
    return tuple(
        (field.key, values[field.key])
        for field in options.fields(game)
        if values.get(field.key, field.default) != field.default
    )


def settled(model: Model, *, taken: bool) -> Model:
    """Return the model after the node's answer to a draft: what is shown is agreed.

    A refused change goes back to the terms that stand, or nobody would see which do.
    """
    if not taken:
        return replace(model, draft=model.agreed)
    waits = {"change", "host"}.intersection(model.asked.values())
    return model if waits else replace(model, agreed=model.draft)


def handle(model: Model, intent: Intent) -> Change | None:
    """React to the table page's own intents."""
    match intent:
        case Slide(name=name, at=at) if name.startswith("skill") and hosting(model):
            return _with_skill(model, name, round(at * 100))
        case Click(name=name) if (chosen := host_terms.read(name)) and hosting(model):
            return _with_skill(model, *chosen)
        case Click(name=name) if name:
            head, _colon, tail = name.partition(":")
            if tail.isdigit() and head == model.open:
                closed = replace(model, open="")
                return _picked(closed, head, int(tail))
            return _pressed(model, name)
        case _:
            return None


def _with_skill(model: Model, name: str, value: int) -> Change:
    """Let the computer player whose slider or levels these are play so well."""
    i = int(name.removeprefix("skill"))
    seat = replace(model.draft.seats[i], skill=value)
    return changed(model, _with_seat(model.draft, i, seat))


def submit(model: Model, name: str) -> Change:
    """React to Enter in, or leaving, a field."""
    if name == chat.FIELD:
        return chat.say(model)
    if not name.startswith("field.seat") or name not in model.edits:
        return same(model)
    i = int(name.removeprefix("field.seat"))
    text, seat = model.edits[name].text.strip(), model.draft.seats[i]
    person = seat.kind is Kind.PERSON
    fresh = replace(seat, name=text) if person else replace(seat, address=text)
    if fresh == seat:
        return same(model)
    return changed(model, _with_seat(model.draft, i, fresh))


def _with_seat(draft: Draft, i: int, seat: SeatDraft) -> Draft:
    seats = (*draft.seats[:i], seat, *draft.seats[i + 1 :])
    return replace(draft, seats=seats)


def changed(model: Model, draft: Draft) -> Change:
    """Take a new draft, and tell the node if it can be a table."""
    if draft == model.draft:
        return same(model)
    model = replace(model, draft=draft)
    if len(draft.taken) not in GAMES[draft.game].ABOUT.seats or model.table is None:
        return same(model)
    return ask(model, door.ChangeTable(draft.changes), "change")


def _picked(  # noqa: PLR0911 (one a drop-down)
    model: Model, head: str, index: int
) -> Change | None:
    draft = model.draft
    for prefix in ("kind", "recent"):
        if head.startswith(prefix) and head.removeprefix(prefix).isdigit():
            return _seat_picked(model, prefix, int(head.removeprefix(prefix)), index)
    if head.startswith("option."):
        key = head.removeprefix("option.")
        field = next(f for f in options.fields(draft.game) if f.key == key)
        return changed(model, _with_option(draft, key, field.choices[index]))
    match head:
        case "game":
            return changed(model, _with_game(draft, tuple(GAMES)[index]))
        case "edition":
            name = model.edition_names[index]
            return changed(model, replace(draft, edition=name, words=""))
        case "bystanders":
            return changed(model, replace(draft, bystanders=bystanders.WISHES[index]))
        case agreeing.DAYS:
            return changed(model, replace(draft, days=agreeing.WISHES[index]))
        case host_terms.FAIRNESS:
            return changed(model, replace(draft, fairness=host_terms.WISHES[index]))
        case "words":
            name = ("", *model.list_names)[index]
            return changed(model, replace(draft, words=name))
        case _:
            return None


def _with_option(draft: Draft, key: str, value: str) -> Draft:
    others = tuple(pair for pair in draft.options if pair[0] != key)
    return replace(draft, options=(*others, (key, value)))


def _with_game(draft: Draft, game: str) -> Draft:
    most = GAMES[game].ABOUT.seats[-1]
    seats = list(draft.seats)
    used = [i for i, s in enumerate(seats) if s.kind is not Kind.NONE]
    for i in used[most:]:
        seats[i] = replace(seats[i], kind=Kind.NONE)
    return Draft(game, tuple(seats), bystanders=draft.bystanders)


def _seat_picked(model: Model, prefix: str, i: int, index: int) -> Change:
    """Take the kind or the recent address chosen for a position."""
    seat = model.draft.seats[i]
    if prefix == "recent":
        seat = replace(seat, address=to_call(model)[index])
    else:
        seat = replace(seat, kind=list(Kind)[index], program=False)
    fresh = untouched(model, f"field.seat{i}")
    return changed(fresh, _with_seat(model.draft, i, seat))


def _pressed(  # noqa: PLR0911 (one a button)
    model: Model, name: str
) -> Change | None:
    if found := person.clicked(model, name):
        return found
    if name == "start":
        return ask(model, door.StartMatch(COUNTED), "start")
    if name == "accept" and model.table is not None:
        consent = door.Consent(True, model.table.revision)
        return ask(model, consent, "accept")
    if not hosting(model):
        return None
    if name == "copy":
        return ask(model, GetInvitation(), "invitation")
    if name.startswith("call") and name[4:].isdigit():
        return _call(model, int(name[4:]))
    if name.startswith("option."):
        key = name.removeprefix("option.")
        field = next(f for f in options.fields(game_of(model)) if f.key == key)
        if field.switch:
            value = "off" if value_of(model, field) == "on" else "on"
            return changed(model, _with_option(model.draft, key, value))
    lists = (
        "game",
        "edition",
        "words",
        "bystanders",
        host_terms.FAIRNESS,
        agreeing.DAYS,
    )
    if name in lists or name.startswith(("kind", "recent", "option.")):
        return toggled(model, name)
    return None


def _call(model: Model, i: int) -> Change:
    """Call the peer whose address stands at a position."""
    model, effects = submit(model, f"field.seat{i}")
    address = model.draft.seats[i].address
    call = door.Call(address.partition(" ")[0], model.draft.seat_of(i))
    model, more = ask(remember(model, address), call, f"call{i}")
    return model, (*effects, *more)
