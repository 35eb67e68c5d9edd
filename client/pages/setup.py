"""The table page: who sits where, what is played, who is awaited."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from client.app import board, options
from client.app.clicks import Asks, taker
from client.app.drafts import Draft, Kind, SeatDraft
from client.app.model import (
    Change,
    Give,
    Model,
    ask,
    drafted,
    same,
    tell,
    unscrolled,
    untouched,
    with_edit,
)
from client.pages import (
    agreeing,
    bar,
    bystanders,
    chat,
    here,
    host_terms,
    lending,
    link_offer,
    preferences,
    seating,
)
from client.pages.host_terms import (
    SetAdmission,
    SetDays,
    SetEdition,
    SetFairness,
    SetGame,
    SetOption,
    SetWords,
)
from client.pages.network import own_addresses
from client.pages.person import elsewhere
from client.pages.seating import SeatAddress, SeatKind, SeatLevel
from client.pages.start import call_words, remember, to_call
from client.ui import hand, typefaces, widgets
from client.ui.intents import Intent, Slide
from client.ui.layout import centred, columns, rows
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _, phrase
from client.ui.theme import TABLET, Look, stands
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.node_questions import GetInvitation
from netplay.messages.table import COUNTED
from netplay.messages.types import Admission
from netplay.sentences import Says
from rules import GAMES, LISTED, title_of

BYSTANDERS: Final = "bystanders"
"""The drop-down with who may watch."""

TERMS: Final = ("change", "host")
AGREED: Final = ("start", "accept", "invitation")
"""What is asked for from a card: its faults stand there."""

hosting = seating.is_host

RULES: Final = "rules"
"""The button that shows the rules one by one; whether they are is among the scrolls."""

PICTURED: Final = (520, 230)
"""Pixels at 100 % of the card with the game from which on it has a picture."""

OPTIONS: Final = "options"
"""The list of the rules."""

TABS: Final = "table.tab"
"""The tabs of a window that stands upright; the chosen one is kept among the scrolls.

They are who plays, the rules, and the chat."""


class ToTab(Means, frozen=True):
    """Show another tab."""

    number: int


class ShowRules(Means, frozen=True):
    """Show the rules one by one, or no more."""


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the table page."""
    look = model.look
    top, rest, line = rows(area, [bar.height(look), 1, bar.foot_height(look)])
    nodes = [bar.strip(model, top, headline(model))]
    body, tall = bar.body(rest, look), _has_tabs(model)
    cut, share = (rows, 0.62) if stands(model.size) else (columns, 0.66)
    halves = cut(body, [share, 1 - share], look.px(12))
    left, right = (body, body) if tall else halves
    wrong = typefaces.height(
        bar.fault(model, *AGREED), look.small, right.w - look.px(24)
    )
    foot = look.row + look.px(32) + max(3 * round(look.small * 1.3), wrong)
    foot += look.px(24) if bar.fault(model, *AGREED) else 0
    if hosting(model):
        foot += look.row + look.gap
    upper, lower = rows(right, [1, foot], look.px(12))
    nodes += _tabbed(model, upper) if tall else _cards(model, left)
    nodes += [] if tall else [chat.card(model, upper)]
    nodes.append(_actions(model, lower))
    calls = (f"call{i}" for i in range(4))
    placed = bool(bar.fault(model, *calls, *TERMS, *AGREED))
    names = [name.partition(":")[0] for name in (model.hover, model.focus)]
    keys = (
        name.removeprefix("option.") for name in names if name.startswith("option.")
    )
    meant = (options.note(game_of(model), key) for key in keys)
    opening = _("Opening the table…") if model.table is None else ""
    note = next(filter(None, meant), "") or host_terms.level_note(model) or opening
    nodes.append(bar.foot(model, line, note, placed=placed))
    return (*nodes, *bar.open_list(model, area, nodes, {model.open: _choices(model)}))


def talks(model: Model) -> bool:
    """Tell whether the chat is seen."""
    return not _has_tabs(model) or _tab(model) == _CHAT


def _has_tabs(model: Model) -> bool:
    """Tell whether one card is shown at a time: on a phone held upright."""
    return stands(model.size) and model.size[1] < model.look.px(TABLET + 100)


_RULES, _CHAT = 1, 2
"""Two of the tabs; the first is who plays."""


def _tab(model: Model) -> int:
    """Return the tab that is shown: the rules first where something is to be read."""
    return model.scrolls.get(TABS, _RULES if _is_opened(model) else 0)


def _tabbed(model: Model, area: Rect) -> list[Node]:
    """Return the tabs, and below them the card of the one that is chosen."""
    look, shown = model.look, _tab(model)
    top, room = rows(area, [look.row, 1], look.px(6))
    unread = f" ({model.chat.unread})" if model.chat.unread else ""
    titles = (_("Who plays"), _("Rules"), _("Chat") + unread)
    row = widgets.tab_row(TABS, top, titles, shown, look, means=ToTab)
    if shown == _RULES:
        return [row, _terms(model, room) if _is_opened(model) else _game(model, room)]
    made = chat.card if shown == _CHAT else seating.card
    return [row, made(model, room)]


def _cards(model: Model, area: Rect) -> list[Node]:
    """Return who plays, and what by which rules.

    Where there is no room for both, the rules that are opened stand alone.
    """
    look, opened = model.look, _is_opened(model)
    wanted = seating.height(model, area.w)
    told = look.px(36) + look.row + 2 * round(look.small * typefaces.LINE)
    least = look.px(520) if opened else max(look.px(106), told)
    if opened and area.h - wanted < least:
        return [_terms(model, area)]
    upper, lower = rows(area, [min(wanted, area.h - least), 1], look.px(12))
    what = _terms(model, lower) if opened else _game(model, lower)
    return [seating.card(model, upper), what]


def _is_opened(model: Model) -> bool:
    """Tell whether the rules are shown one by one: also where they have changed."""
    changes = model.table is not None and bool(model.table.changes)
    return changes or bool(bar.fault(model, *TERMS)) or bool(model.scrolls.get(RULES))


def headline(model: Model) -> str:
    """Return for whom the table is, as far as that is known."""
    names = [seating.named(model, i) for i in range(4)]
    others = [
        name
        for i, name in enumerate(names)
        if name and model.setup.draft.seats[i].kind is Kind.REMOTE
    ]
    table = model.table
    if not hosting(model) and table is not None:
        return _("{name}'s table").format(name=table.host) if table.host else _("Table")
    if others:
        return _("A table for {names}").format(names=", ".join(others))
    return _("A new game")


def _game(model: Model, rect: Rect) -> Node:
    """Return the card with the game's picture, and its rules in a sentence."""
    look, game = model.look, game_of(model)
    inner = rect.inset(look.px(14), look.px(12))
    kids: list[Node] = []
    least, tall = tuple(map(look.px, PICTURED)), inner.w < look.px(PICTURED[0])
    side = min(inner.h, inner.w * 55 // 100)
    if tall:  # what the words below it leave
        words = typefaces.height(told_terms(model), look.head, inner.w)
        side = min(inner.w, inner.h - words - look.px(PICTURED[1]))
    if side >= look.px(150) if tall else inner.h >= least[1]:
        spot, inner = (rows if tall else columns)(inner, [side, 1], look.px(20))
        spot = centred(spot, side, side) if tall else Rect(*spot[:2], side, side)
        kids.append(here.picture(model, spot, game, look.px(8)))
    changes = _("Change rules") if hosting(model) else _("All the rules")
    items: list[widgets.Item] = [
        (RULES, changes, Tone.PLAIN, True, ShowRules()),
        ("learn", _("How to play"), Tone.QUIET, True, here.Teach(game)),
    ]
    roomy = inner.h >= look.px(150)
    if roomy:
        items += lending.way(model, Tone.QUIET)
    low = widgets.flow_height(items, inner.w, look)
    if roomy:
        title, told, foot = rows(inner, [round(look.title * 1.3), 1, low], look.px(4))
    else:
        head, told = rows(inner, [look.row, 1], look.px(6))
        wide = look.width(title_of(game), look.head, bold=True) + look.px(12)
        title, foot = columns(head, [wide, 1])
    if roomy:
        motto = typefaces.height(_(LISTED[game].motto), look.small, inner.w)
        below, told = rows(told, [motto, 1], look.px(8))
        kids.append(
            label(below, _(LISTED[game].motto), look, size=look.small, tone=Tone.DIM,
                  wrap=True)
        )  # fmt: skip
    size = look.title if roomy else look.head
    kids.append(label(title, title_of(game), look, size=size, bold=True))
    offset = model.scrolls.get("rules.told", 0)
    kids.append(
        widgets.reading("rules.told", told, told_terms(model), look,
                        size=look.head if roomy else look.small, offset=offset)
    )  # fmt: skip
    kids += widgets.flows(foot, look, items)
    return widgets.panel(rect, look, kids, name="game.card")


def told_terms(model: Model) -> str:
    """Return by which rules is played, in a sentence of plain words."""
    game = game_of(model)
    values = {field.key: value_of(model, field) for field in options.fields(game)}
    traits = board.find(game).TRAITS
    if traits.terms is not None:
        parts = list(traits.terms(values))
    else:
        parts = [
            f"{options.label(game, f.key)}: {options.shown(game, f.key, values[f.key])}"
            for f in options.fields(game)
        ]
    table, resources = model.table, GAMES[game].ABOUT.resources
    if "lexicon" in resources:
        words = table.lexicon if table else model.setup.draft.words
        parts.insert(0, host_terms.language_of(words) if words else _("its own words"))
        edition = table.edition if table else model.setup.draft.edition
        if tiles := host_terms.tiles_beside(words, edition):
            parts.insert(1, _("tiles: {name}").format(name=tiles))
    if (count := agreeing.chosen(model)) is not None and count:
        parts.append(_("{days} for a turn").format(days=agreeing.day_words(count)))
    how = host_terms.chosen(model)
    if how is not None:
        parts.append(host_terms.secrecy(how))
    if (admission := table_admission(model)) != "ask":
        anybody, nobody = _("anybody may watch"), _("nobody may watch")
        parts.append(anybody if admission == "anybody" else nobody)
    if not parts:
        return ""
    said = ", ".join(parts)
    return f"{said[0].upper()}{said[1:]}."


def game_of(model: Model) -> str:
    """Return the game agreed on, or the one drafted."""
    return model.table.game if model.table else model.setup.draft.game


def _wrong(rect: Rect, text: str, head: Rect, look: Look) -> list[Node]:
    """Return what went wrong, and in a heading the button that puts it away."""
    size = typefaces.within(text, look.small, look.px(9), (rect.w, rect.h))
    words = label(
        rect, text, look, name="fault", size=size, tone=Tone.DANGER, wrap=True
    )
    return [words, bar.dismissing(head, look)]


def _terms(model: Model, rect: Rect) -> Node:
    """Return the card with game, edition, dictionary and options."""
    look, game = model.look, game_of(model)
    inner = rect.inset(look.px(14), look.px(12))
    head = Rect(inner.x, inner.y, inner.w, look.px(26))
    kids = [label(head, _("Rules"), look, size=look.head, bold=True)]
    shut = _("Close the rules")
    wide = widgets.button_width(shut, look)
    spot = Rect(head.right - wide, head.y, wide, head.h)
    if model.scrolls.get(RULES) and not bar.fault(model, *TERMS):
        kids.append(
            widgets.button(RULES, spot, shut, look, tone=Tone.QUIET, means=ShowRules())
        )
    told, high = host_terms.changed_rows(model, game, inner.w - look.px(10))
    made = [*told, *_top_rows(model, game)]
    how = host_terms.chosen(model)
    if how is not None:
        word = host_terms.wish(how)
        made.append(_pick(host_terms.FAIRNESS, _("The pool"), word, model))
        made += _sentence(host_terms.promised(model, how), inner.w - look.px(16), look)
    made += [_option(model, field) for field in options.fields(game)]
    if (count := agreeing.chosen(model)) is not None:
        days = agreeing.day_words(count)
        made.append(_pick(agreeing.DAYS, _("Days to think"), days, model))
    watch = bystanders.words(table_admission(model))
    made.append(_pick(BYSTANDERS, _("Who may watch"), watch, model))
    made += [lending.row(look)] if lending.can_look(model) else []
    y = head.bottom + look.px(4)
    if wrong := bar.fault(model, *TERMS):
        spot = Rect(inner.x, y, inner.w, typefaces.height(wrong, look.small, inner.w))
        kids += _wrong(spot, wrong, head, look)
        y = spot.bottom + look.px(4)
    room = Rect(inner.x, y, inner.w, inner.bottom - y)
    pitch = look.row + look.px(6)
    high = [*high, *[pitch] * (len(made) - len(high))] if high else []
    at = model.scrolls.get(OPTIONS, 0)
    kids.append(
        widgets.scroll(OPTIONS, room, made, pitch, look, offset=at, heights=high)
    )
    return widgets.panel(rect, look, kids, name="terms")


def table_admission(model: Model) -> Admission:
    """Return who may watch the match that is being agreed on."""
    if hosting(model) or model.table is None:
        return model.setup.draft.bystanders
    return model.table.bystanders


def _top_rows(model: Model, game: str) -> list[widgets.Row]:
    table = model.table
    made = [_pick("game", _("Game"), GAMES[game].ABOUT.title, model)]
    resources = GAMES[game].ABOUT.resources
    if "edition" in resources:
        edition = table.edition if table else model.setup.draft.edition
        words = host_terms.spoken_name(edition)
        made.append(_pick("edition", _("Tiles"), words, model))
    if "lexicon" in resources:
        words = table.lexicon if table else model.setup.draft.words
        words = host_terms.spoken_name(words) if words else _("its own")
        made.append(_pick("words", _("Words"), words, model))
    return made


def _pick(name: str, title: str, value: str, model: Model) -> widgets.Row:
    look, may = model.look, hosting(model)
    return preferences.titled(
        title, look,
        lambda face: widgets.choice(name, face, value, look, enabled=may),
        share=0.48, gap=look.px(4),
    )  # fmt: skip


def value_of(model: Model, field: options.Field) -> str:
    """Return what an option is set to."""
    if hosting(model) or model.table is None:
        return dict(model.setup.draft.options).get(field.key, field.default)
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

    title, on = options.label(game, field.key), value == "on"
    turn = SetOption(field.key, "off" if on else "on")
    return preferences.box(
        f"option.{field.key}", title, look, on=on, enabled=hosting(model), means=turn
    )


def _actions(model: Model, rect: Rect) -> Node:
    """Return the card with start, accept and the way others can come."""
    look, table = model.look, model.table
    inner = rect.inset(look.px(12), look.px(12))
    if hosting(model):
        ready = table is not None and not table.waiting and model.linked
        ready = ready and model.setup.draft == model.setup.agreed
        text, words = _awaited(model)
        name = "start"
    else:
        ready = model.linked and not _accepted(model)
        words = _("{name} has set these rules.").format(
            name=table.host if table else ""
        )
        if table is not None and table.called:
            words = _("{name} would like to play with you.").format(name=table.host)
        if table is not None and table.changes:
            words = _("The host has changed the rules. Accept them, or leave.")
        text, name = _("Accept"), "accept"
        if _accepted(model) and table is not None:
            words = _("You have accepted. You may go elsewhere until it begins.")
            text = _("{name} starts the game").format(name=table.host)
    text, words, ready = _beginning(model, text, words, ready=ready)
    upper, lower = rows(inner, [1, look.row], look.gap)
    kids: list[Node] = []
    if not hosting(model) and table is not None and table.called:
        left, lower = columns(lower, [1, 1], look.gap)
        no, refuse = _("Not now"), Asks(door.Consent(False, table.revision), "accept")
        kids.append(widgets.button("decline", left, no, look, means=refuse))
    if look.width(text, look.body, bold=True) > lower.w - look.px(16):
        text = _("Waiting for the others") if hosting(model) else _("Waiting")
    means: Means = Asks(door.StartMatch(COUNTED), "start")
    if not hosting(model):
        revision = 0 if table is None else table.revision
        means = Asks(door.Consent(True, revision), "accept")
    main = widgets.button(
        name, lower, text, look, tone=Tone.MAIN, enabled=ready, means=means
    )
    kids.append(main)
    if hosting(model):
        upper, middle = rows(upper, [1, look.row], look.gap)
        can = model.linked and bool(own_addresses(model))
        copy = widgets.button(
            "copy", middle, _("Copy invitation"), look, enabled=can,
            means=Asks(GetInvitation(), "invitation"),
        )  # fmt: skip
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


def _awaited(model: Model) -> tuple[str, str]:
    """Return what a host's main button says it waits for, and the words above it."""
    table = model.table
    if table is None:
        return _("Opening the table…"), ""
    if not table.waiting:
        return _("Start"), _("Everybody is here.")
    stay = _("You don’t have to stay: the table waits under Your games.")
    anybody = _("Waiting for somebody to join")  # a sentence with its own grammar
    lacking = [seat for seat in table.seats if seat.state == "awaited"]
    asked = [
        name for i, seat in enumerate(model.setup.draft.seats)
        if seat.kind is Kind.REMOTE and (name := seating.named(model, i))
        and (found := seating.status_of(model, i)) and found in lacking
    ]  # fmt: skip
    names = ", ".join(asked)
    if asked and all(seat.asked not in ("", "declined", "full") for seat in lacking):
        return _("Starts when {names} says yes").format(names=names), stay
    if any(seat.asked in {"declined", "full"} for seat in lacking):
        return anybody, _("Ask again, or ask somebody else.")
    text = _("Waiting for {who}").format(who=phrase(table.waiting))
    text = anybody if table.waiting == Says.SOMEBODY_TO_JOIN() else text
    if asked and len(asked) < len(lacking):
        text = _("Waiting for {names} and whoever joins").format(names=names)
    if lacking and not asked:
        stay = lending.to_send(lacking)
    return text, stay


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


def _choices(model: Model) -> list[tuple[str, Means]]:
    """Return what the list that is open offers, and what each of its rows means."""
    name, game = model.open, game_of(model)
    for i in range(4):
        if found := _of_seat(model, name, i):
            return found
    for field in options.fields(game):
        if name == f"option.{field.key}":
            return [
                (options.shown(game, field.key, value), SetOption(field.key, value))
                for value in field.choices
            ]
    lists: dict[str, Iterable[tuple[str, Means]]] = {
        BYSTANDERS: zip(
            bystanders.wishes(), map(SetAdmission, bystanders.WISHES), strict=True
        ),
        host_terms.FAIRNESS: zip(
            host_terms.wishes(), map(SetFairness, host_terms.WISHES), strict=True
        ),
        agreeing.DAYS: zip(
            agreeing.wishes(), map(SetDays, agreeing.WISHES), strict=True
        ),
        "game": ((listed.title, SetGame(one)) for one, listed in LISTED.items()),
        "edition": (
            (host_terms.spoken_name(one), SetEdition(one))
            for one in model.edition_names
        ),
        "words": (
            (host_terms.spoken_name(one) if one else _("its own"), SetWords(one))
            for one in ("", *model.list_names)
        ),
    }
    return list(lists.get(name, ()))


def _of_seat(model: Model, name: str, i: int) -> list[tuple[str, Means]]:
    """Return what a list of one position offers; nothing for other lists."""
    if name == f"kind{i}":
        words = zip(seating.kinds(), Kind, strict=True)
        return [(text, SeatKind(i, kind)) for text, kind in words]
    if name == f"recent{i}":
        return [(call_words(one), SeatAddress(i, one)) for one in to_call(model)]
    if name == f"{host_terms.LEVEL}{i}":
        items = enumerate(host_terms.level_items(model.setup.draft.game))
        return [(text, SeatLevel(i, at)) for at, text in items]
    return []


# What the user does on the table page: set the terms, call, accept, start.


def adopt(model: Model) -> Model:
    """Return the model with a draft that agrees with the table the node has.

    The table may have been opened by a command, or loaded from a file.
    """
    table, draft = model.table, model.setup.draft
    if table is None or not table.hosting:
        return model
    kinds = [(kind_of(s), s.kind == "computer" and s.program) for s in table.seats]
    changed = options.chosen(table.game, options.agreed(table.game, table.options))
    same_seats = (
        draft.game == table.game and [(s.kind, s.program) for s in draft.taken] == kinds
    )
    if same_seats and options.chosen(table.game, dict(draft.options)) == changed:
        return replace(model, setup=replace(model.setup, agreed=draft))
    own = model.status.name if model.status else ""
    usual = draft.seats[1].skill  # of computer players; a person or friend has none
    seats = [
        SeatDraft(
            kind_of(s),
            # Of a person here; who plays elsewhere has a name of their own.
            s.name if kind_of(s) is Kind.PERSON and s.name != own else "",
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
    return replace(model, setup=replace(model.setup, draft=fresh, agreed=fresh))


def kind_of(seat: door.SeatStatus) -> Kind:
    """Return what a position of a draft is that is this seat of the host's table."""
    guest = seat.kind == "person" and seat.browser
    return Kind.BROWSER if guest else Kind(seat.kind)


def settled(model: Model, *, taken: bool) -> Model:
    """Return the model after the node's answer to a draft: what is shown is agreed.

    A refused change goes back to the terms that stand, or nobody would see which do.
    """
    if not taken:
        return drafted(model, model.setup.agreed)
    waits = {"change", "host"}.intersection(model.asked.values())
    if waits:
        return model
    return replace(model, setup=replace(model.setup, agreed=model.setup.draft))


def at_fault(model: Model) -> str:
    """Return where a refused change is told: at the seat that it was of, if one."""
    at = model.setup
    pairs = enumerate(zip(at.draft.seats, at.agreed.seats, strict=True))
    seats = [i for i, (wished, stands) in pairs if wished != stands]
    return f"call{seats[0]}" if len(seats) == 1 else "change"


def handle(model: Model, intent: Intent) -> Change | None:
    """React to the table page's own intents."""
    match intent:
        case Slide(name=name, at=at) if name.startswith("skill") and hosting(model):
            # Let the computer player whose slider this is play so well
            value = round(at * 100)
            i = int(name.removeprefix("skill"))
            seat = replace(model.setup.draft.seats[i], skill=value, custom=True)
            return changed(model, _with_seat(model.setup.draft, i, seat))
        case _:
            return None


def submit(model: Model, name: str) -> Change:
    """React to Enter in, or leaving, a field."""
    if name == chat.FIELD:
        return chat.say(model)
    if not name.startswith("field.seat") or name not in model.edits:
        return same(model)
    i = int(name.removeprefix("field.seat"))
    text, seat = model.edits[name].text.strip(), model.setup.draft.seats[i]
    person = seat.kind is Kind.PERSON
    address = text if person else link_offer.whole(name, text) or text
    fresh = replace(seat, name=text) if person else replace(seat, address=address)
    unchanged = not person and text == seating.typed(model, i)
    if fresh == seat or unchanged:
        return same(model)
    return changed(model, _with_seat(model.setup.draft, i, fresh))


def _with_seat(draft: Draft, i: int, seat: SeatDraft) -> Draft:
    seats = (*draft.seats[:i], seat, *draft.seats[i + 1 :])
    return host_terms.seated(draft, replace(draft, seats=seats))


def invited(model: Model, line: str) -> Change:
    """Lay an invitation that was pasted at a seat that is free for a friend."""
    seats, most = model.setup.draft.seats, GAMES[model.setup.draft.game].ABOUT.seats[-1]
    for i, seat in enumerate(seats):
        status = seating.status_of(model, i)
        if seat.kind is Kind.REMOTE and not (status and elsewhere(status)):
            laid = with_edit(model, f"field.seat{i}", hand.of(line))
            return laid, (Give(f"field.seat{i}"),)
    spare = [i for i, seat in enumerate(seats) if seat.kind is Kind.NONE]
    if not spare or len(model.setup.draft.taken) >= most:
        return same(tell(model, _("No seat is free for whoever sent the invitation.")))
    friend = replace(seats[spare[0]], kind=Kind.REMOTE, address=line, program=False)
    fresh = untouched(model, f"field.seat{spare[0]}")
    return changed(fresh, _with_seat(model.setup.draft, spare[0], friend))


def changed(model: Model, draft: Draft) -> Change:
    """Take a new draft, and tell the node if it can be a table."""
    if draft == model.setup.draft:
        return same(model)
    model = drafted(model, draft)
    if len(draft.taken) not in GAMES[draft.game].ABOUT.seats or model.table is None:
        return same(model)
    return ask(model, door.ChangeTable(draft.changes), "change")


@taker
def _picked(  # noqa: PLR0911 (one a drop-down)
    model: Model, message: host_terms.Terms
) -> Change:
    draft = model.setup.draft
    if not hosting(model):
        return same(model)
    match message:
        case SetGame(game=game):
            used = [i for i, s in enumerate(draft.seats) if s.kind is not Kind.NONE]
            spare = used[GAMES[game].ABOUT.seats[-1] :]
            seats = tuple(
                replace(s, kind=Kind.NONE) if i in spare else s
                for i, s in enumerate(draft.seats)
            )
            fresh = Draft(game, seats, bystanders=draft.bystanders)
            fresh = host_terms.in_language(model, host_terms.with_hints(fresh))
            return changed(model, fresh)
        case SetEdition(name=name):
            return changed(model, replace(draft, edition=name, words=""))
        case SetWords(name=name):
            return changed(model, replace(draft, words=name))
        case SetAdmission(to=to):
            return changed(model, replace(draft, bystanders=to))
        case SetDays(days=days):
            return changed(model, replace(draft, days=days))
        case SetFairness(to=how):
            return changed(model, replace(draft, fairness=how))
        case SetOption(key=key, value=value):
            others = tuple(pair for pair in draft.options if pair[0] != key)
            return changed(model, replace(draft, options=(*others, (key, value))))


@taker
def _seat_picked(model: Model, message: SeatKind | SeatAddress | SeatLevel) -> Change:
    if not hosting(model):
        return same(model)
    seat = model.setup.draft.seats[message.place]
    match message:
        case SeatKind(kind=kind):
            seat = replace(seat, kind=kind, program=False)
        case SeatAddress(address=address):
            seat = replace(seat, address=address)
        case SeatLevel(index=index):
            seat = host_terms.level_picked(seat, index)
    fresh = untouched(model, f"field.seat{message.place}")
    return changed(fresh, _with_seat(model.setup.draft, message.place, seat))


@taker
def _pressed(model: Model, message: ShowRules | ToTab) -> Change:
    if isinstance(message, ToTab):
        talk = model.chat
        talk = replace(talk, unread=0) if message.number == _CHAT else talk
        scrolls = {**model.scrolls, TABS: message.number}
        return same(replace(model, scrolls=scrolls, chat=talk))
    shown = 0 if model.scrolls.get(RULES) else 1
    return same(replace(model, scrolls={**model.scrolls, RULES: shown}))


@taker
def _called(model: Model, message: seating.Invite) -> Change:
    """Call the peer whose address stands at a position."""
    if not hosting(model):
        return same(model)
    i = message.place
    model, effects = submit(model, f"field.seat{i}")
    address = seating.address_of(model, i)
    call = door.Call(seating.place_of(model, i), model.setup.draft.seat_of(i))
    model, more = ask(remember(model, address), call, f"call{i}")
    return model, (*effects, *more)


def begun(model: Model, before: door.TableStatus) -> Model:
    """Close the rules once the match has begun; say why if it was not started here."""
    changing = bool(model.scrolls.get(RULES)) and before.hosting and before.waiting
    model = replace(unscrolled(model, RULES), notice=None, open="")
    said = _("Everybody has accepted: the game has begun, by the rules as they were.")
    return tell(model, said) if changing else model
