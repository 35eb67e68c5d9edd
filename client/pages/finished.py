"""The games that are over: looked up, opened, exported; results against each friend.

The node tells of them a hundred at a time, the latest first; what is typed is looked
for here, in the words that a row shows.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from msgspec.structs import replace

from client.app.browsing import Purpose
from client.app.clicks import Asks, Closes, taker
from client.app.model import (
    Change,
    Give,
    Model,
    Over,
    Page,
    PastGames,
    ask,
    computer,
    edit_of,
    same,
    tell,
    untouched,
)
from client.pages import bar, chooser, games, progress, unfinished
from client.ui import typefaces, widgets
from client.ui.layout import columns, rows
from client.ui.scene import Align, Means, Node, Rect
from client.ui.texts import _, capital, local, ngettext, phrase, spoken
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay import wire
from netplay.messages import door, table_questions
from netplay.text import phrases

FIELD: Final = "field.finished"

FIELD_WIDTH: Final = 90
"""Pixels at 100 %: in a narrower field nobody reads what is typed."""

LIST: Final = "finished.list"
TABS: Final = "finished.tab"
ALL: Final = "finished.all"
"""The button that tells of all friends again."""

GAME: Final = "finished.game"
EXPORT: Final = "finished.export"
FRIEND: Final = "finished.friend"
"""Begin the names of rows and their buttons."""

ASKED: Final = "finished"
"""Begins what wishes of this page are remembered as."""

MORE: Final = f"{ASKED}.more"
HEADS: Final = f"{ASKED}.heads"
"""The same, for the results against each friend on the start page."""
OPEN: Final = f"{ASKED}.open"

PITCH: Final = 46
"""Pixels of a row's two lines at 100 %."""


class ShowTab(Means, frozen=True):
    """Show the games, the results against friends, or how well one plays."""

    number: int


class OfFriend(Means, frozen=True):
    """Show the games with one friend; with all for nobody."""

    whom: str


class Open(Means, frozen=True):
    """Look at a game."""

    game: table_questions.Finished


class Export(Means, frozen=True):
    """Choose where to save a game."""

    game: table_questions.Finished


def opened(model: Model) -> Change:
    """Open the page, with all games."""
    fresh = replace(untouched(model, FIELD), past=PastGames())
    return shown_again(replace(fresh, scrolls={**model.scrolls, LIST: 0}))


def shown_again(model: Model) -> Change:
    """Open the page as it was, and look what is new."""
    past = replace(model.past, opened=b"", reading=True)
    model = replace(model, past=past, over=Over.FINISHED, open="")
    model, effects = ask(model, table_questions.GetFinished(), MORE)
    return model, (*effects, Give(FIELD))


def back(model: Model) -> Change:
    """Go to the list of games, or put one back that was opened to be looked at."""
    looked = model.past.opened
    if not looked or model.table is None or model.table.match != looked:
        return games.back(model)
    model, effects = ask(model, door.LeaveTable(), "left")
    model, more = shown_again(model)
    return model, (*effects, *more)


def listed(model: Model) -> Sequence[table_questions.Finished]:
    """Return the games that are shown: with the friend, and with the words typed."""
    words, past = edit_of(model, FIELD).text, model.past
    if not words.strip():
        return past.chosen()
    return [one for one in past.chosen() if _has(one, words)]


def _has(one: table_questions.Finished, words: str) -> bool:
    """Tell whether what the row of a game says has every word that is typed."""
    return table_questions.has_words(_all_words(one, spoken()), words)


# What is told of a game.


def _others(one: table_questions.Finished) -> list[str]:
    """Return whom one played with; where nobody else did, all."""
    every = range(len(one.players))
    rest = [seat for seat in every if seat not in one.own] or list(every)
    return [computer(one.players[seat]) for seat in rest]


def _what(one: table_questions.Finished) -> str:
    """Return which game it was, and the points, one's own first."""
    if not one.scores:
        return one.title
    own = [str(one.scores[seat]) for seat in one.own]
    rest = [str(n) for seat, n in enumerate(one.scores) if seat not in one.own]
    return f"{one.title} · {' : '.join((*own, *rest))}"


def _result(one: table_questions.Finished) -> tuple[str, Tone]:
    """Return how it ended for whoever played here."""
    won = one.result in ("won", "won on time")
    told = capital(phrases.result(one.result))  # as games in hand say it
    return told, Tone.GOOD if won else Tone.PLAIN


def _day(one: table_questions.Finished) -> str:
    """Return when it ended, here and in every language alike."""
    return f"{local(one.at):%Y-%m-%d}"


@lru_cache(maxsize=4096)
def _all_words(one: table_questions.Finished, _language: str) -> str:
    """Return all that the row of a game says, in the language that is spoken."""
    told = (*_others(one), _what(one), _result(one)[0], _day(one))
    return ", ".join(filter(None, told))


# What is drawn.


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the page."""
    look = model.look

    def body(room: Rect) -> Sequence[Node]:
        wrong, high = bar.fault(model, OPEN, MORE), 2
        if wrong:
            told = typefaces.height(wrong, look.small, room.w - look.px(30))
            high = max(look.px(24), told)
        head, said, middle, foot = rows(room, [look.row, high, 1, look.row], look.px(6))
        shown = progress.inside if model.past.tab == progress.TAB else _list
        kids = [*_head(model, head), *shown(model, middle), *_foot(model, foot)]
        return [*kids, *(bar.wrong(wrong, said, look) if wrong else [])]

    size, room = (look.px(760), look.px(640)), window.inset(look.px(10))
    title = _("Finished games")
    return (widgets.dialog("finished.box", room, size, title, look, body),)


def _head(model: Model, room: Rect) -> Sequence[Node]:
    """Return the tabs, and what the list is narrowed by."""
    look, past = model.look, model.past
    titles = (_("Games"), _("Friends"), _("Progress"))
    wide = sum(widgets.button_width(title, look) for title in titles) + look.px(4)
    left, rest = columns(room, [wide, 1], look.px(12))
    kids = [widgets.tab_row(TABS, left, titles, past.tab, look, means=ShowTab)]
    if past.tab == progress.TAB:
        return [*kids, *progress.games(model, rest)]
    if past.tab:
        return kids
    if past.whom:
        name = _names(model).get(past.whom, "")
        text = typefaces.shorten(f"{name} ×", look.body, rest.w // 2)
        chip, rest = columns(rest, [widgets.button_width(text, look), 1], look.gap)
        kids.append(
            widgets.button(ALL, chip, text, look, selected=True, means=OfFriend(""))
        )
        if rest.w < look.px(FIELD_WIDTH):  # on a phone
            return kids
    hint = _("name, game, result or date")
    return [*kids, widgets.entry(FIELD, rest, edit_of(model, FIELD), look, hint=hint)]


def _names(model: Model) -> dict[str, str]:
    """Return by key what each friend is called here; several of one name by numbers."""
    found = {one.key: one.name for one in table_questions.records(model.past.found)}
    known = model.status.friends if model.status else ()
    found |= {key: name for name, key in known if key in found and name}
    counts: Counter[str] = Counter()
    made: dict[str, str] = {}
    for key in sorted(found):
        counts[found[key]] += 1
        number = counts[found[key]]
        made[key] = f"{found[key]} ({number})" if number > 1 else found[key]
    return made


def _list(model: Model, room: Rect) -> Sequence[Node]:
    look, offset = model.look, model.scrolls.get(LIST, 0)

    def game(i: int, one: table_questions.Finished, rect: Rect) -> Node:
        """Return the row of a game, which opens it, and the button that exports it."""
        text = _("Save") + "…"
        wide = widgets.button_width(text, look)
        left, far = columns(rect, [1, wide + look.px(6)], look.px(4))
        spot = Rect(far.x, far.y + (far.h - look.row) // 2, wide, look.row)
        export = widgets.button(
            f"{EXPORT}:{i}", spot, text, look, tone=Tone.QUIET, means=Export(one)
        )
        face = row(f"{GAME}:{i}", one, look, Open(one))(left)
        return widgets.group(rect, [face, export])

    if model.past.tab:
        told = table_questions.records(model.past.found)
        names = _names(model)
        every = [_against(i, one, names, look) for i, one in enumerate(told)]
    else:
        every = [partial(game, i, one) for i, one in enumerate(listed(model))]
    if every:
        pitch = look.px(PITCH)
        return [widgets.scroll(LIST, room, every, pitch, look, offset=offset)]
    text = _("No game has these words.")
    if model.past.reading:
        text = _("Looking for games…")
    elif model.past.tab:
        text = _("You have not finished a game with a friend yet.")
    elif not model.past.found:
        text = _("You have not finished a game yet.")
    return [label(room, text, look, name="finished.none", tone=Tone.DIM, wrap=True)]


def _lines(room: Rect, look: Look) -> tuple[Rect, Rect]:
    first, second = rows(room.inset(look.px(6), look.px(4)), [0.55, 0.45])
    return first, second


def row(
    name: str, one: table_questions.Finished, look: Look, means: Means
) -> widgets.Row:
    """Return a row that tells of a game in two lines."""

    def make(rect: Rect) -> Node:
        first, second = _lines(rect, look)
        how, tone = _result(one)
        at_end = look.width(how, look.body, bold=True) + look.px(10) if how else 2
        who, result = columns(first, [1, at_end])
        day, others = _day(one), _others(one)
        names = ", ".join(others)
        # Each name is cut before any is too small.
        size = typefaces.fitting((names,), look.body, look.small, who.w, bold=True)
        commas = look.width(", ", size, bold=True) * (len(others) - 1)
        if look.width(names, size, bold=True) > who.w:
            each = max(0, who.w - commas) // len(others)
            cut = (typefaces.shorten(n, size, each, bold=True) for n in others)
            names = ", ".join(cut)
        what, date = columns(second, [1, look.width(day, look.small) + look.px(10)])
        kids = [
            label(who, names, look, name=name.replace(":", ".who"), size=size,
                  bold=True),
            label(result, how, look, bold=tone is Tone.GOOD, tone=tone,
                  align=Align.RIGHT),
            label(what, _what(one), look, size=look.small, tone=Tone.DIM),
            label(date, day, look, size=look.small, tone=Tone.DIM, align=Align.RIGHT),
        ]  # fmt: skip
        return widgets.item(name, rect, _all_words(one, spoken()), kids, look, means)

    return make


def _against(
    i: int, one: table_questions.Record, names: Mapping[str, str], look: Look
) -> widgets.Row:
    """Return the row of a friend, which narrows the games to those with that one."""

    def make(rect: Rect) -> Node:
        first, second = _lines(rect, look)
        name = names[one.key]
        count = one.won + one.lost + one.tied
        sums = _("{won} won, {lost} lost, {tied} tied").format(
            won=one.won, lost=one.lost, tied=one.tied
        )
        played = ngettext("{n} game", "{n} games", count).format(n=count)
        kids = [
            label(first, name, look, name=f"{FRIEND}.who{i}", bold=True),
            label(second, f"{played} · {sums}", look, size=look.small, tone=Tone.DIM),
        ]
        means = OfFriend(one.key)
        return widgets.item(f"{FRIEND}:{i}", rect, f"{name}, {sums}", kids, look, means)

    return make


def _foot(model: Model, room: Rect) -> Sequence[Node]:
    """Return how many games there are, and the way out."""
    look, past = model.look, model.past
    close = _("Close")
    left, right = columns(room, [1, widgets.button_width(close, look)], look.gap)
    count = len(past.found) if past.tab else len(listed(model))
    if past.tab == progress.TAB:
        count = len(progress.figures(model))
    text = ngettext("{n} game", "{n} games", count).format(n=count)
    if past.reading and count:
        more = _("looking for more…")
        text = f"{text} · {more}"
    return [
        label(left, text, look, name="finished.count", tone=Tone.DIM),
        *widgets.flow(right, look, [("close", close, Tone.PLAIN, True, Closes())]),
    ]


def late(model: Model) -> list[widgets.Row]:
    """Return a row for each game of the last days that is in hand no more.

    They stand in the list of games; what is typed there is looked for in them, too.
    """
    words = edit_of(model, games.FILTER).text if games.filtered(model) else ""
    return [
        row(f"{games.LATE}:{one.match.hex()}", one, model.look,
            Asks(door.Load(one.path), unfinished.ASKED))
        for one in games.lately(model)
        if _has(one, words)
    ]  # fmt: skip


# What is done.


@taker
def _clicked(model: Model, message: ShowTab | OfFriend | Open | Export) -> Change:
    match message:
        case ShowTab(number=number):
            past = replace(model.past, tab=number)
            return same(replace(model, past=past, scrolls={**model.scrolls, LIST: 0}))
        case OfFriend(whom=whom):
            past = replace(model.past, whom=whom, tab=0)
            return same(replace(model, past=past, scrolls={**model.scrolls, LIST: 0}))
        case Open(game=game):
            return _open(model, game)
        case Export(game=game):
            names = "-".join(each for each in game.players if each)
            wish = f"{game.game}-{names}-{_day(game)}"
            model, effects = chooser.opened(model, Purpose.SAVE, wish)
            assert model.chooser is not None  # it has just been opened
            named = replace(model.chooser, kept=game.path)
            return replace(model, chooser=named), effects


def _open(model: Model, one: table_questions.Finished) -> Change:
    """Look at a game that is over, where it stands in hand or from its file."""
    for game in games.listed(model):
        if game.match == one.match:
            return ask(model, door.LookAt(game.table), OPEN)
    past = replace(model.past, opened=one.match)
    return ask(replace(model, past=past), door.Load(one.path), OPEN)


def submit(model: Model) -> Change:
    """React to Enter in the field: the only game that is left is opened."""
    found = listed(model)
    return _open(model, found[0]) if len(found) == 1 else same(model)


def answered(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take what the node tells of games, or that it has opened one."""
    if isinstance(answer, door.Failed):
        past = replace(model.past, reading=False, opened=b"")
        model = replace(model, past=past)
        return same(tell(model, phrase(answer.error.said), bad=True, about=what))
    if what == OPEN:
        if model.over is not Over.FINISHED:
            return same(model)
        return replace(model, over=Over.NONE, focus=""), (Give(""),)
    page = wire.unpack(answer.data, table_questions.FinishedMatches)
    model = replace(model, past=model.past.with_more(page))
    reads = model.over in {Over.FINISHED, Over.FILE} or (
        what == HEADS and (model.page is Page.START or model.phase == "over")
    )
    if not page.more or not reads:
        return same(model)
    return ask(model, table_questions.GetFinished(page.next), what)
