"""The tables in hand: what the list says of each, and the way from one to the next."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client.app import board
from client.app.clicks import taker
from client.app.model import (
    Change,
    Model,
    Over,
    Page,
    ask,
    computer,
    edit_of,
    same,
    tell,
)
from client.app.thumbnails import Glimpse
from client.pages import agreeing
from client.ui import widgets
from client.ui.layout import columns
from client.ui.scene import Align, Means, Node, Rect
from client.ui.texts import _, capital, local, ngettext, phrase
from client.ui.widgets import Tone, label
from netplay import wire
from netplay.messages import door
from netplay.messages.table_questions import (
    FREE,
    Finished,
    GameStatus,
    Glance,
    OpenStatus,
    has_words,
)
from netplay.said import Said
from netplay.sentences import Says
from netplay.text import phrases
from rules import GAMES, title_of

ROW: Final = "in-hand"
"""Begins the names of the rows, each with its table's number.

The list changes by itself: what is pressed or has the keyboard must stay that table.
"""

OFFER: Final = "offer"
"""Begins the names of the rows of tables to choose from."""

ASKED: Final = "look-at"
"""What a wish to look at another table is remembered as."""

GLANCE: Final = "glance"
"""Begins what a wish for a picture of a board is remembered as."""

_PLACE: Final = re.compile(r"\[?[0-9A-Fa-f]*[.:][0-9A-Fa-f.:%\]]*|.*:\d+")
"""An address that was typed: lists are of people."""

_INVITED: Final = re.compile(r"netplay:(?://)?([^#\s,]*)[^#\s]*#\S*")
"""An invitation, and the first place that it names."""

AT_ONCE: Final = 4
"""Boards asked for before the first has come."""


FILTER: Final = "field.in-hand"
"""The field above the list: words of a game or a friend."""

MANY: Final = 8
"""Tables from which on there is that field."""

LIVE, TURN, WAITS, ENDED = range(4)
"""What a table needs of the player, in the order of the list's sections."""


def section(model: Model, one: GameStatus) -> int:
    """Return in which section of the list a table stands.

    Under the pointer it stays where it is, or a click would open another one.
    """
    needs = ENDED if one.phase in {"over", "stopped"} else WAITS
    if one.live or one.mine:
        needs = LIVE if one.live else TURN
    return dict(model.start.held).get(one.table, needs)


def heading(number: int) -> str:
    """Return what a section is called."""
    names = _("Live now"), _("Your turn"), _("Waiting"), _("Finished lately")
    return names[number]


def listed(model: Model) -> tuple[GameStatus, ...]:
    """Return the tables in hand by sections, each in the order of its numbers."""
    found = () if model.status is None else model.status.games
    kept = {table for table, _section in model.start.held}
    fresh = bool(kept)  # what comes while the list is held still stands below

    def place(one: GameStatus) -> tuple[bool, int, int]:
        return fresh and one.table not in kept, section(model, one), one.table

    return tuple(sorted(found, key=place))


def shown(model: Model) -> tuple[GameStatus, ...]:
    """Return the tables of the list with every word that was typed above it."""
    words = edit_of(model, FILTER).text if filtered(model) else ""
    if not words.strip():
        return listed(model)
    return tuple(
        one
        for one in listed(model)
        if has_words(f"{title_of(one.game)} {who(one)} {turn(one)}", words)
    )


def filtered(model: Model) -> bool:
    """Tell whether there are so many tables that one may look for some by name."""
    return len(listed(model)) >= MANY


def pointed(model: Model) -> Model:
    """Hold the list still while the pointer is over one of its rows."""
    over = model.hover.startswith((f"{ROW}:", f"{LATE}:"))
    if over is bool(model.start.held):
        return model
    found = listed(model) if over else ()
    held = tuple((one.table, section(model, one)) for one in found)
    return replace(model, start=replace(model.start, held=held))


def others(model: Model) -> tuple[GameStatus, ...]:
    """Return the other tables that wait for the player."""
    here = 0 if model.table is None else model.table.number
    return tuple(one for one in listed(model) if one.mine and one.table != here)


def waiting(model: Model) -> int:
    """Return how many tables wait for the player, this one among them."""
    return sum(one.mine for one in listed(model))


def offered(model: Model) -> tuple[OpenStatus, ...]:
    """Return the tables at a host that was called, of which one is to be chosen."""
    return () if model.status is None else model.status.open


def any_of(model: Model) -> bool:
    """Tell whether there is a game in hand, a table to choose, or one over lately."""
    return bool(listed(model) or offered(model) or lately(model))


LATE: Final = "in-hand.late"
"""Begins the names of the rows of games that are in hand no more."""

LATELY: Final = 7
"""Days for which a game that is over stands among those in hand."""


def lately(model: Model) -> list[Finished]:
    """Return the games of the last days that are in hand no more, the latest first."""
    kept = {one.match for one in listed(model)}
    found = (one for one in model.past.found if one.match not in kept)
    return [
        one
        for one in found
        if 0 <= model.day - local(one.at).date().toordinal() < LATELY
    ]


# What is said of a table.


def offer_words(one: OpenStatus) -> tuple[str, str]:
    """Return what is said of a table at a host that was called, and its free seats."""
    words = _("Choose: {game} with {names}").format(
        game=title_of(one.game), names=", ".join(one.players)
    )
    return words, free(one.free)


def free(count: int) -> str:
    """Return how many seats are free, in words; a match in play may be watched."""
    if not count:
        return _("playing")
    return ngettext("{n} free", "{n} free", count).format(n=count)


def _name(one: GameStatus, seat: int) -> str:
    """Return who has a seat, a computer in the language."""
    return computer(one.players[seat])


def who(one: GameStatus) -> str:
    """Return whom one plays with; where nobody else does, or one looks on, all.

    Before anybody has come, whom the table waits for: of an invitation the place.
    """
    every = range(len(one.players))
    rest = [seat for seat in every if seat not in one.own] or list(every)
    if one.mode == "calling" and any(map(_PLACE.fullmatch, one.players)):
        return _("a computer that you call")
    come = {one.players[seat] for seat in rest} - {"", FREE}
    if come or (rest and not one.waiting):
        return ", ".join(_name(one, seat) for seat in rest if one.players[seat])
    return _INVITED.sub(r"\1", phrase(one.waiting))


def turn(one: GameStatus) -> str:
    """Return whom the table waits for: a capital first, but no name is changed."""
    text = _turn(one)
    named = any(text.startswith(name) for name in one.players if name)
    return text if named else capital(text)


def _turn(one: GameStatus) -> str:
    names = ", ".join(_name(one, seat) for seat in one.turn)
    if one.mine and one.mode == "hosting" and one.phase == "forming":
        return _("The game can begin")
    if one.mine:
        return _mine(one)
    if awaits := _awaits(one):
        return awaits
    timed = one.result in ("won on time", "lost on time", "contested", "unanswered")
    owed = isinstance(one.waiting, Said) and one.waiting.code == Says.TILES_FROM.name
    if one.phase == "paused" and (owed or set(one.turn) & set(one.own)) and not timed:
        return _("Waiting for {who}").format(who=phrase(one.waiting))
    if names and one.phase in {"playing", "paused"} and not timed:
        return _("{name} to move").format(name=names)
    ended = timed or one.phase == "over"
    return (phrases.result(one.result) if ended else "") or _(one.phase)


def _awaits(one: GameStatus) -> str:
    """Return what a table waits for that is no move; empty if that is not known."""
    if one.asked:
        return phrases.asked(one.asked)
    if one.mode == "calling":
        return _("Waiting for an answer")
    if one.mode == "fetching":
        return _("Waiting for its words")
    if _on_its_way(one):
        return _("not delivered yet")
    guest = one.phase == "forming" and one.mode == "joined" and one.waiting
    return phrases.awaited(one.phase, one.waiting) if guest else ""


def _on_its_way(one: GameStatus) -> bool:
    """Tell whether nobody is on turn until a move of the player's is delivered."""
    return one.undelivered and one.phase == "playing" and not one.turn


def _mine(one: GameStatus) -> str:
    """Return what a table wants of the player."""
    if one.live and not one.match:
        return _("Are you ready?")
    if one.mode == "called":
        return _("you are asked")
    return _("Your turn") if phrases.moves_here(one) else _("you are asked")


def score(model: Model, one: GameStatus) -> str:
    """Return how a game stands, own seats first; empty while that is not known."""
    seen = model.start.boards.get(one.match)
    recalled = board.find(one.game).TRAITS.recalled if one.game in GAMES else None
    if seen is None or seen.state is None or recalled is None:
        return ""
    found = recalled.standing(seen.state)
    rest = [seat for seat in range(len(found)) if seat not in one.own]
    counts = " : ".join(str(found[seat]) for seat in (*one.own, *rest))
    word = recalled.measure()
    return counts if word == _("Points") else f"{word} {counts}"


def what(model: Model, one: GameStatus, *, short: bool = False) -> str:
    """Return which game it is and how it stands, its age, and how much time is left.

    What is `short` does not tell for how long it has waited.
    """
    since = phrases.lasting(one.since + round(model.now - model.told))
    since = "" if short else since
    parts = [title_of(one.game), score(model, one)]
    if since and one.phase not in {"over", "stopped"}:
        parts.append(_("for {time}").format(time=since))
    parts += agreeing.absent(one.off)
    if one.left is not None and one.clock < 0:
        parts.append(agreeing.left(one.left))
    if one.clock >= 0 and one.phase in {"playing", "paused"}:
        parts.append(_("{time} left").format(time=phrases.time_left(one.clock // 1000)))
    return " · ".join(filter(None, parts))


def besides(one: GameStatus) -> str:
    """Return what else is to be known: chat, what has not left, who is away."""
    parts = new(one)
    if one.undelivered and not _on_its_way(one):
        parts.append(_("not delivered yet"))
    if one.muted:
        parts.append(_("muted"))
    if one.away and one.phase != "over":  # nobody waits for them there
        names = ", ".join(map(computer, one.away))
        there = ngettext("away: {names}", "away: {names}", len(one.away))
        parts.append(there.format(names=names))
    if one.blocked:
        parts.append(_("blocked: {names}").format(names=", ".join(one.blocked)))
    return " · ".join(parts)


def new(one: GameStatus) -> list[str]:
    """Return what else asks for attention: a wish for a rematch, chat not read."""
    parts: list[str] = []
    if one.rematch:
        names = ", ".join(computer(one.players[seat]) for seat in one.rematch)
        parts.append(phrase(Says.WOULD_REMATCH(name=names)))
    if one.unread:
        lines = ngettext("{n} new line", "{n} new lines", one.unread)
        parts.append(lines.format(n=one.unread))
    return parts


def spoken(model: Model, one: GameStatus) -> str:
    """Return all that the list says of a table, to be spoken."""
    parts = (who(one), turn(one), what(model, one), besides(one))
    return ", ".join(filter(None, parts))


def aged(before: Model, after: Model) -> bool:
    """Tell whether another minute has gone by that the list of games shows."""
    if after.page is not Page.START or not listed(after):
        return False
    return (before.now - after.told) // 60 != (after.now - after.told) // 60


# The finished ones, on a phone.


FOLD: Final = "in-hand.ended"
"""The row for finished games, and whether they are shown (1) or folded (0)."""

FOLDED: Final = 66
"""Pixels of that row at 100 %, with the space round it: a finger needs so many."""


def folded(model: Model, found: Sequence[GameStatus]) -> widgets.Row:
    """Return the row for which finished games stand, and which shows them and hides.

    Those of which there is more to be known are always shown.
    """
    look, shown = model.look, model.scrolls.get(FOLD, 0)
    ended = [one for one in found if section(model, one) == ENDED]
    last = min(ended, key=lambda one: one.since)
    name, count = heading(ENDED), str(len(ended))
    text = f"{who(last)} · {turn(last)}"

    def make(rect: Rect) -> Node:
        room = rect.inset(look.px(10), look.px(3))
        wide = look.width(name, look.body, bold=True) + look.px(8)
        left, number, far, sign = columns(room, [wide, look.px(30), 1, look.px(20)])
        kids = [
            label(left, name, look, bold=True),
            label(number, count, look, tone=Tone.DIM),
            label(far, text, look, name="in-hand.own:ended", size=look.small,
                  tone=Tone.DIM, align=Align.RIGHT),
            label(sign, "▾" if shown else "▸", look, align=Align.RIGHT),
        ]  # fmt: skip
        value = f"{name}: {count}, {text}"
        face = widgets.item(FOLD, rect.inset(0, look.px(3)), value, kids, look, Fold())
        return replace(widgets.edged(face, 8, look), selected=bool(shown))

    return make


class Fold(Means, frozen=True):
    """Show the finished games of a phone's list, or hide them."""


@taker
def _turned_over(model: Model, _message: Fold) -> Change:
    shown = 1 - model.scrolls.get(FOLD, 0)
    return same(replace(model, scrolls={**model.scrolls, FOLD: shown}))


# What is done.


class Look(Means, frozen=True):
    """Go to a table of the list, or choose one at a host."""

    question: door.LookAt | door.Choose


@taker
def _picked(model: Model, message: Look) -> Change:
    return _look(model, message.question)


def back(model: Model) -> Change:
    """Go to the list of games; nothing is left by that."""
    return _look(model, door.LookAt(0))


_STAYS: Final = frozenset({Over.NAME, Over.KEYLESS, Over.MOVED})
"""Dialogs without whose answer nothing goes on."""


def live(model: Model) -> GameStatus | None:
    """Return another game in which time runs, first one that waits for the player."""
    return next(iter(lively(model)), None)


def lively(model: Model) -> list[GameStatus]:
    """Return all other games in which time runs, in the order that F4 takes."""
    here = 0 if model.table is None else model.table.number
    found = [one for one in listed(model) if one.live and one.table != here]
    return sorted(found, key=lambda one: not one.mine)


def to_table(model: Model, table: int) -> Change:
    """Go to a table."""
    return _look(model, door.LookAt(table))


def foreseen(status: door.Status) -> None:
    """Load what shows the live games that are listed, before one of them is looked at.

    On a computer that has much else to do that takes a quarter of a second.
    """
    for one in status.games:
        if one.game in GAMES and (one.live or GAMES[one.game].ABOUT.hz):
            board.find(one.game)


def onward(model: Model) -> Change:
    """Go to the next table that waits for the player, first where time runs."""
    first, found = live(model), others(model)
    if first is not None and (first.mine or not found):
        return to_table(model, first.table)
    if not found:
        return same(tell(model, _("No other game waits for you.")))
    here = 0 if model.table is None else model.table.number
    later = [one for one in found if one.table > here]
    return _look(model, door.LookAt((later or found)[0].table))


def _look(model: Model, question: door.LookAt | door.Choose) -> Change:
    """Look elsewhere; what went wrong here stays here, and so does a dialog."""
    if model.over not in _STAYS:
        model = replace(model, over=Over.NONE, open="")
    return ask(replace(model, fault=None), question, ASKED)


# Pictures of the boards.


def glances(change: Change) -> Change:
    """Ask for the boards of the list that are not known as they are now, a few."""
    model, effects = change
    if model.page is not Page.START or not model.linked:
        return change
    asked = {what for what in model.asked.values() if what.startswith(GLANCE)}
    for one in listed(model):
        name = f"{GLANCE}.{one.table}"
        if len(asked) >= AT_ONCE:
            break
        seen = model.start.boards.get(one.match)
        old = seen is None or seen.number < one.entries
        is_new = bool(one.match) and one.game in GAMES and old
        if name not in asked and is_new:
            model, more = ask(model, Glance(one.table), name)
            effects, asked = (*effects, *more), {*asked, name}
    return model, effects


def glanced(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take the board of a table; one that cannot be had is not asked for again."""
    number = int(what.partition(".")[2])
    every = {one.match: one for one in listed(model)}
    one = next((one for one in every.values() if one.table == number), None)
    if one is None or not one.match:
        return same(model)
    below = min(one.own, default=-1)
    seen = Glimpse(one.game, one.players, one.entries, None, below)
    if isinstance(answer, door.Done):
        view = wire.unpack(answer.data, door.View)
        state = wire.unpack(view.state, GAMES[one.game].ABOUT.state)
        seen = replace(seen, number=max(view.number, one.entries), state=state)
    boards = model.start.boards.items()
    kept = {match: board for match, board in boards if match in every}
    page = replace(model.start, boards={**kept, one.match: seen})
    return same(replace(model, start=page))
