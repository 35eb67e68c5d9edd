"""The bar along the top of every page, and what may lie over any page."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from client.app.model import Model, Over, Page
from client.pages import games, leaving
from client.ui import typefaces, widgets
from client.ui.intents import Intent, Key
from client.ui.layout import columns
from client.ui.scene import Means, Node, Rect, Unfold, find
from client.ui.texts import _, ngettext, phrase
from client.ui.theme import FLAT_THUMB, Look, upright
from client.ui.widgets import Tone, button, button_width, group, label, piece
from netplay.said import Words
from netplay.sentences import Says
from netplay.text import phrases
from rules import GAMES, title_of

HIGH: Final = 52
"""Pixels of the bar at 100 %."""

DISMISS: Final = "fault.close"


class Dismiss(Means, frozen=True):
    """Put a fault away."""


class Help(Means, frozen=True):
    """Show the keys, or no more."""


class Preferences(Means, frozen=True):
    """Show the preferences, or no more."""


class Rename(Means, frozen=True):
    """Ask for another name of the player."""


class Load(Means, frozen=True):
    """Choose a file to go on from."""


class Save(Means, frozen=True):
    """Choose where to save the game."""


class History(Means, frozen=True):
    """Show the games that are over."""


class Leave(Means, frozen=True):
    """Ask whether to leave the table."""


class Games(Means, frozen=True):
    """Go to the list of games."""


class NextGame(Means, frozen=True):
    """Go to the next game that waits for the player."""


class Dictionary(Means, frozen=True):
    """Open the dictionary."""


Control: TypeAlias = (
    Help
    | Preferences
    | Rename
    | Load
    | Save
    | History
    | Leave
    | Games
    | NextGame
    | Dictionary
)

ANSWER_SECONDS: Final = 4.0
"""A node that has not answered a move for so long has stopped, or its disk has."""

LOGO: Final = (("N", "1"), ("E", "1"), ("T", "1"))
"""The first letters of the program's name, as tiles."""


def height(look: Look) -> int:
    """Return the height of a bar in pixels."""
    if look.lying:
        return look.px(FLAT_THUMB)
    return look.row if look.thumb else look.px(HIGH)


def body(rest: Rect, look: Look) -> Rect:
    """Return the room for a page of cards: no larger than is good to read."""
    room = rest.inset(look.px(16), look.px(6))
    wide, high = min(room.w, look.px(2000)), min(room.h, look.px(1200))
    return Rect(room.x + (room.w - wide) // 2, room.y, wide, high)


def strip(model: Model, area: Rect, title: str, note: str = "") -> Node:
    """Return the bar.

    Args:
        model: As it is.
        area: The bar's rectangle.
        title: What this page is about.
        note: What is going on, beside the title, if there is room to say it all.
    """
    inner = _inner(area, model.look)
    parts, side = _parts(model, inner, title), inner.h
    kids = [
        piece("", Rect(inner.x + i * (side + 2), inner.y, side, side), c, p, model.look)
        for i, (c, p) in enumerate(LOGO if _has_logo(model) else ())
    ]
    left, top, _wide, high = parts.title  # in place of the title
    called = call(model, Rect(left, top, max(0, parts.note.right - left), high))
    kids.append(called or _title(parts.title, title, model.look))
    if called is None and (said := _noted(model, parts.note, note)):
        kids.append(said)
    kids += parts.buttons
    return group(area, kids, name="bar", clip=True)


class _Parts(NamedTuple):
    """What stands at the right of the logo."""

    title: Rect
    note: Rect
    buttons: tuple[Node, ...]


def _calls(model: Model) -> bool:
    """Tell whether the bar calls to a game in which time runs."""
    elsewhere = not model.guest and model.page is not Page.START
    return elsewhere and games.live(model) is not None


def call(model: Model, area: Rect) -> Node | None:
    """Return what calls to a game in which time runs.

    On the start page it is the first of the list.
    """
    one = games.live(model)
    if one is None or not _calls(model):
        return None
    look, theme = model.look, model.look.theme
    who = games.who(one)
    words = _("{game} goes on: {names}") if one.match else _("{game} begins: {names}")
    if one.match and one.mine and one.clock >= 0 and phrases.moves_here(one):
        words = _("Your turn in {game}: {names}")  # it is one's own time that runs
    text = words.format(game=title_of(one.game), names=who)
    more = [f"{title_of(o.game)}: {games.who(o)}" for o in games.lively(model)[1:]]
    plus = f" +{len(more)}" if more else ""
    title = f"{title_of(one.game)}{plus}"
    tries = (" · ".join([text, *more]), f"{text}{plus}", title)
    room = area.w - look.px(20)
    fits = (each for each in tries if look.width(each, look.body, bold=True) <= room)
    text = next(fits, title)
    made = button("games.next", area, text, look, tone=Tone.MAIN, means=NextGame())
    return replace(made, bg=theme.latest, fg=theme.panel, edge=theme.latest)


def _inner(area: Rect, look: Look) -> Rect:
    """Return the room within a line of the bar; what a thumb touches is higher."""
    return area.inset(look.px(12), look.px(13 if look.lying else 9))


def _parts(model: Model, inner: Rect, title: str) -> _Parts:
    """Return where title and note stand, and the buttons that leave them room."""
    look = model.look
    logo = (inner.h + 2) * len(LOGO) + look.px(12) if _has_logo(model) else 0
    left = inner.x + logo
    wanted = look.width(title, look.head, bold=True) + look.px(16)
    buttons = _buttons(model, inner)
    right = min((b.rect.x for b in buttons), default=inner.right) - look.gap
    aside = buttons and buttons[0].name == "dictionary"
    if right - left < wanted and aside:
        buttons = buttons[1:]  # whose turn it is matters more; F2 opens it, too
        right = min((b.rect.x for b in buttons), default=inner.right) - look.gap
    head = Rect(left, inner.y, max(0, min(right - left, wanted)), inner.h)
    rest = Rect(head.right, inner.y, max(0, right - head.right), inner.h)
    return _Parts(head, rest, buttons)


def _title(room: Rect, title: str, look: Look) -> Node:
    """Return the title: on one line, or small on as many as the bar has room for."""
    if typefaces.fit(title, look.head, room.w, bold=True)[0] == title:
        return label(room, title, look, name="title", size=look.head, bold=True)
    size = look.body
    while size > look.px(9) and (
        typefaces.height(title, size, room.w, bold=True) > room.h
    ):
        size -= 1
    high = min(room.h, typefaces.height(title, size, room.w, bold=True))
    middle = Rect(room.x, room.y + (room.h - high) // 2, room.w, high)
    return label(middle, title, look, name="title", size=size, bold=True, wrap=True)


def _noted(model: Model, room: Rect, note: str) -> Node | None:
    if not note or room.w <= model.look.px(60):
        return None
    said = widgets.note(room, note, model.look, name="note")
    whole = not said.wrap or typefaces.height(note, said.size, room.w) <= room.h
    return said if whole else None


def says(model: Model, title: str, note: str) -> bool:
    """Tell whether the bar of this window has room for a note."""
    area = Rect(0, 0, model.size[0], height(model.look))
    parts = _parts(model, _inner(area, model.look), title)
    return _noted(model, parts.note, note) is not None


def _has_logo(model: Model) -> bool:
    """Tell whether there is room for it: on a phone whose turn it is matters more."""
    return model.guest or model.page is Page.START or not upright(model.size)


def _buttons(model: Model, inner: Rect) -> tuple[Node, ...]:
    """Return the buttons at the right end, the last one outermost.

    A phone that is held upright has one for the list of them.
    """
    look = model.look
    if look.thumb or look.lying:
        high = height(look)
        inner = Rect(inner.x, inner.y - (high - inner.h) // 2, inner.w, high)
    if look.held and not model.guest:
        side = max(inner.h, look.px(40))
        return (menu_button(Rect(inner.right - side, inner.y, side, inner.h), look),)
    x, y = inner.right, inner.y
    made: list[Node] = []
    for name, text, means in _wanted(model):
        wide = min(button_width(text, look), inner.w // 4)
        x -= wide
        spot = Rect(x, y, wide, inner.h)
        made.append(
            button(name, spot, text, look, tone=Tone.QUIET, means=means,
                   said=onward(model) if name == "games.next" else "")
        )  # fmt: skip
        x -= look.px(4)
    return tuple(reversed(made))


MENU: Final = "menu"
"""The button of a phone's page that opens the list of all else that can be done."""


def menu(model: Model) -> list[tuple[str, Means]]:
    """Return the rows of that list, and what they mean."""
    found = [each for each in reversed(_wanted(model)) if each[0] != "games.next"]
    return [(text, means) for _name, text, means in found]


def menu_button(rect: Rect, look: Look) -> Node:
    """Return the button that opens the list."""
    face = button(
        MENU, rect, "☰", look, tone=Tone.QUIET, means=Unfold(MENU), said=_("Menu")
    )
    return replace(face, size=look.head)


WORDY: Final = 1200
"""Pixels at 100 % from which on the start page says in words what waits."""


def onward(model: Model) -> str:
    """Return what the sign for the next game means."""
    waits = len(games.others(model))
    words = ngettext("Next game: {n} waits for you", "Next game: {n} wait for you",
                     waits)  # fmt: skip
    return words.format(n=waits)


def _wanted(model: Model) -> list[tuple[str, str, Means]]:
    """Return the buttons, from the right: name, text, and what they mean."""
    wanted: list[tuple[str, str, Means]] = [
        ("help", _("Help"), Help()),
        ("preferences", _("Preferences"), Preferences()),
    ]
    if model.page is Page.START:  # where *Save* is in a match
        wanted.append(("load", _("Load"), Load()))
    if model.status is not None and model.page is Page.START and model.status.name:
        wanted.append(("rename", model.status.name, Rename()))
    if model.page is Page.START and not games.any_of(model):
        # Else their card has it.
        wanted.append(("finished", _("History"), History()))
    if model.page is Page.MATCH:
        wanted.append(("save", _("Save"), Save()))
    if model.page is not Page.START:
        wanted.append(("leave", _("Leave"), Leave()))
    if model.page is not Page.START and games.listed(model):
        wanted.append(("games", _("Games"), Games()))
    if (waits := len(games.others(model))) and not _calls(model):
        sign = f"▸ {waits}"
        if model.page is Page.START and model.size[0] >= model.look.px(WORDY):
            told = ngettext("{n} game waits for you", "{n} games wait for you", waits)
            sign = f"▸ {told.format(n=waits)}"
        wanted.append(("games.next", sign, NextGame()))
    if words(model):
        wanted.append(("dictionary", _("Dictionary"), Dictionary()))
    resign = ("resign", _("Resign …"), leaving.ToResign())
    own = [resign] if model.guest and leaving.may_resign(model) else []
    return [*wanted[:1], *own] if model.guest else wanted


def words(model: Model) -> bool:
    """Tell whether a dictionary is of use here."""
    table = model.table
    return table is None or "lexicon" in GAMES[table.game].ABOUT.resources


def trouble_with_node(model: Model) -> Words:
    """Return why the node cannot be spoken with; empty if it can.

    One that is there and does not answer may be waiting for its disk.
    """
    if not model.linked:
        return model.trouble
    late = model.now > model.play.played_at + ANSWER_SECONDS
    return Says.NODE_SILENT() if late and "play" in model.asked.values() else ""


def passing(model: Model) -> tuple[str, bool]:
    """Return what is to be said now, and whether it is bad news; empty for nothing."""
    if model.settled and not model.linked and not model.trouble:
        return _("Netplay is starting …"), False
    trouble = trouble_with_node(model)
    if trouble and model.brought:
        return _("Bringing it …"), False
    if trouble:
        text = _("No connection to the node: {why}")
        if model.guest:  # who can start nothing there
            text = _(
                "The computer your link leads to does not answer. "
                "The game goes on once it does."
            )
        elif model.apart and trouble == Says.NODE_ENDED():
            text = _(
                "Netplay has ended on your computer. Start it there: "
                "this page comes back by itself."
            )
        return text.format(why=phrase(trouble)), True
    if model.fault is not None:
        return model.fault.text, True
    if model.notice is not None and model.notice.until > model.now:
        return model.notice.text, False
    return "", False


def fault(model: Model, *about: str) -> str:
    """Return what went wrong with one of these wishes; empty if nothing did."""
    found = model.fault
    return found.text if found is not None and found.about in about else ""


def dismissing(rect: Rect, look: Look) -> Node:
    """Return the button that puts a fault away, at the right end of a row."""
    side = min(rect.h, look.px(24))
    spot = Rect(rect.right - side, rect.y + (rect.h - side) // 2, side, side)
    return button(DISMISS, spot, "×", look, tone=Tone.QUIET, means=Dismiss())


def wrong(text: str, rect: Rect, look: Look) -> list[Node]:
    """Return what went wrong, and at its right the button that puts it away."""
    words, away = columns(rect, [1, look.px(24)], look.px(6))
    return [
        label(words, text, look, name="fault", size=look.small, tone=Tone.DANGER,
              wrap=True),
        dismissing(away, look),
    ]  # fmt: skip


def foot_height(look: Look) -> int:
    """Return the height of the line of notices at the foot of a page."""
    return 2 * round(look.small * typefaces.LINE)


def foot(model: Model, area: Rect, note: str = "", *, placed: bool = False) -> Node:
    """Return the line of notices below the cards; it is always there: nothing moves.

    Args:
        model: As it is.
        area: The line's rectangle.
        note: What is said while there is no notice.
        placed: The fault stands in a card already.
    """
    look = model.look
    text, bad = passing(replace(model, fault=None) if placed else model)
    inner = area.inset(look.px(16), 0)
    kids: list[Node] = []
    if bad and model.fault is not None and not placed and model.linked:
        kids.append(dismissing(inner, look))
        inner = Rect(inner.x, inner.y, inner.w - look.px(30), inner.h)
    if text or note:
        said = widgets.reading(
            "notice" if text else "note", inner, text or note, look, size=look.small,
            tone=Tone.DANGER if bad else Tone.MAIN if text else Tone.DIM,
            offset=model.scrolls.get("notice", 0),
        )  # fmt: skip
        kids.append(said)
    return group(area, kids, name="foot")


def dismisses(model: Model, intent: Intent) -> bool:
    """Tell whether what went wrong is put away by Escape, which is free for it."""
    if not isinstance(intent, Key) or intent.key != "escape" or model.fault is None:
        return False
    return not (model.over is not Over.NONE or model.open or model.page is Page.MATCH)


# The list of the drop-down that is open, on a page or in a dialog.


def open_list(
    model: Model,
    window: Rect,
    nodes: Sequence[Node],
    lists: Mapping[str, Sequence[tuple[str, Means]]],
) -> tuple[Node, ...]:
    """Return the list that is open, if it is one of these; its choice is marked.

    The menu of a phone is one of them on every page, behind rows of the page's own.

    Args:
        model: As it is.
        window: Where it may be.
        nodes: What stands below it, the drop-down among them.
        lists: The text of each drop-down's rows and what it means, by its name.
    """
    rows = [*lists.get(model.open, ()), *(menu(model) if model.open == MENU else ())]
    items = [text for text, _means in rows]
    by = next((found for root in nodes if (found := find(root, model.open))), None)
    if by is None or not items:
        return ()
    chosen = items.index(by.value) if by.value in items else -1
    at = model.scrolls.get(f"{model.open}:list")
    face = widgets.popup(
        model.open,
        by.rect,
        items,
        chosen,
        window,
        model.look,
        offset=at,
        means=[means for _text, means in rows],
    )
    return (face,)
