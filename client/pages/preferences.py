"""Rows of the preferences: a title and beside it what chooses, or a box to tick."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from msgspec.structs import replace

from client.app.board import Bindings, find
from client.app.clicks import Asks, taker
from client.app.model import Change, Give, Model, Store, ask, edit_of, same
from client.app.settings import SPEEDS, WAITS
from client.ui import texts, tiles, widgets
from client.ui.intents import Intent, Key
from client.ui.layout import columns
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from client.ui.theme import SCALES, Look, largest
from client.ui.widgets import Row, Tone, label
from netplay.messages.node_questions import Switch
from netplay.messages.table_questions import Mute, SetQuiet
from rules import GAMES


def line(rect: Rect, look: Look) -> Rect:
    """Return the part of a row that is filled."""
    return Rect(rect.x, rect.y, rect.w, look.row)


def titled(
    title: str, look: Look, made: Row, *, share: float = 0.5, gap: int = 0
) -> Row:
    """Return a row with a title at its left, and at its right what is made there."""

    def row(rect: Rect) -> Node:
        parts = [share, 1 - share]
        left, right = columns(line(rect, look), parts, gap or look.gap)
        return widgets.group(rect, [label(left, title, look), made(right)])

    return row


def choice(
    name: str, title: str, value: str, look: Look, *, enabled: bool = True
) -> Row:
    """Return a row with a drop-down."""
    return titled(
        title, look,
        lambda spot: widgets.choice(name, spot, value, look, enabled=enabled),
    )  # fmt: skip


def field(model: Model, name: str, title: str, start: str, hint: str = "") -> Row:
    """Return a row with a field of what the node keeps; `start` until it is typed."""
    edit, look, can = edit_of(model, name, start), model.look, model.linked
    return titled(
        title, look,
        lambda spot: widgets.entry(name, spot, edit, look, hint=hint, enabled=can),
    )  # fmt: skip


def box(
    name: str, title: str, look: Look, *, on: bool, enabled: bool = True,
    means: Means,
) -> Row:  # fmt: skip
    """Return a row with a box to tick."""
    return lambda rect: widgets.check(
        name, line(rect, look), title, look, on=on, enabled=enabled, means=means
    )


class Set(Means, frozen=True):
    """Let a setting be something else, at once and for the next start."""

    key: str
    value: str | bool
    """In words where it is chosen from a list."""


class Bind(Means, frozen=True):
    """Take the next key for a button of a game."""

    button: str


class Unbind(Means, frozen=True):
    """Have the usual keys again."""


# The preferences about games in real time: keys, and how held ones repeat.


PREFIX: Final = "key."
"""Of the buttons' names; the one that waits for its key is the model's `open`."""

KEPT: Final = frozenset({"escape", "tab", "f1", "f11"})
"""Keys that have a meaning in every window."""

RESET: Final = "key.reset"

DELAYS: Final = (100, 140, 180, 220, 260, 300, 400, 500)
REPEATS: Final = (20, 30, 40, 50, 70, 100, 150)
"""Milliseconds to choose from."""


def key_lists() -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the drop-downs as (value, words)."""
    return {"set.delay": _times(DELAYS), "set.repeat": _times(REPEATS)}


def _times(choices: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((str(n), _("{n} ms").format(n=n)) for n in choices)


def key_titles() -> dict[str, str]:
    """Return the titles of the drop-downs' rows."""
    return {"set.delay": _("Held keys repeat after"), "set.repeat": _("and then every")}


def waits(model: Model) -> bool:
    """Tell whether the next key is taken for a button."""
    return model.open.startswith(PREFIX)


@cache
def _bound() -> tuple[tuple[str, Bindings], ...]:
    found = ((GAMES[name].ABOUT.title, find(name).TRAITS.bindings) for name in GAMES)
    return tuple((title, keys) for title, keys in found if keys is not None)


def key_rows(model: Model) -> list[widgets.Row]:
    """Return the rows of the preferences: of each game a heading and its buttons."""
    return [row for title, keys in _bound() for row in _rows(model, title, keys)]


def _rows(model: Model, title: str, keys: Bindings) -> list[widgets.Row]:
    """Return the rows of a game: a heading, and two buttons a row."""
    look, buttons = model.look, tuple(keys.USUAL)

    def heading(rect: Rect) -> Node:
        left, right = columns(line(rect, look), [0.6, 0.4], look.gap)
        words = _("Keys of {game}").format(game=title)
        changed = bool(model.settings.keys)
        back = widgets.button(
            RESET, right, _("The usual ones"), look, enabled=changed, means=Unbind()
        )
        return widgets.group(rect, [label(left, words, look, bold=True), back])

    def pair(names: tuple[str, ...]) -> widgets.Row:
        def make(rect: Rect) -> Node:
            halves = columns(line(rect, look), [0.5, 0.5], look.gap)
            kids = [
                kid
                for name, half in zip(names, halves, strict=False)
                for kid in _choice(model, keys, name, half)
            ]
            return widgets.group(rect, kids)

        return make

    pairs = [pair(buttons[i : i + 2]) for i in range(0, len(buttons), 2)]
    return [heading, *pairs]


def _choice(model: Model, bindings: Bindings, name: str, rect: Rect) -> list[Node]:
    """Return what a button is called, and the key that presses it."""
    look, chosen = model.look, model.settings.keys
    left, right = columns(rect, [0.42, 0.58], look.px(4))
    waiting = model.open == PREFIX + name
    keys = bindings.keys_of(name, chosen)
    words = bindings.called(keys[0]) if keys else "–"
    if waiting:
        words = _("press a key")
    face = widgets.button(
        PREFIX + name, right, words, look, selected=waiting, means=Bind(name)
    )
    return [
        label(left, bindings.short(name), look, tone=Tone.DIM),
        replace(face, value=", ".join(keys)),
    ]


@taker
def _awaited(model: Model, message: Bind) -> Change:
    wanted = PREFIX + message.button
    return replace(model, open=wanted), (Give(""),)  # else Enter would press it


@taker
def _unbound(model: Model, _message: Unbind) -> Change:
    return _kept(model, ())


def keyed(model: Model, intent: Intent) -> Change | None:
    """Take the key that a button waits for; None if none waits."""
    if not waits(model) or not isinstance(intent, Key):
        return None
    if not intent.down:
        return model, ()
    if intent.key in KEPT or intent.ctrl or intent.alt:
        return replace(model, open=""), ()
    button = model.open.removeprefix(PREFIX)
    chosen = model.settings.keys
    for _title, bindings in _bound():
        if button in bindings.USUAL:
            chosen = bindings.choose(chosen, button, intent.key)
    return _kept(model, chosen)


def _kept(model: Model, chosen: tuple[tuple[str, str], ...]) -> Change:
    """Keep the keys, at once and for the next start."""
    settings = replace(model.settings, keys=chosen)
    return replace(model, settings=settings, open=""), (Store(),)


# What there is to choose from in the preferences, in the user's language.


def look_lists(size: tuple[int, int]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return, for each drop-down, (value, words).

    Args:
        size: The window's.
    """
    themes = (
        ("light", _("light")),
        ("dark", _("dark")),
        ("contrast", _("high contrast")),
    )
    examples = zip(*_two_named().values(), strict=True)
    both = zip((tiles.LETTERS, tiles.PAGE), examples, strict=False)
    return {
        "set.theme": themes,
        "set.scale": tuple((str(s), f"{s} %") for s in scales(size)),
        "set.language": tuple(texts.LANGUAGES.items()),
        "set.animation": _named(SPEEDS, _("off"), _("slow"), _("normal"), _("fast")),
        "set.cells": tuple((way, ", ".join(names)) for way, names in both),
        **key_lists(),
    }


def look_titles() -> dict[str, str]:
    """Return what stands before each drop-down."""
    return {
        "set.theme": _("Colours"),
        "set.scale": _("Size of everything"),
        "set.language": _("Language"),
        "set.animation": _("Animation"),
        "set.cells": _("Names of cells in {game}").format(game=", ".join(_two_named())),
        **key_titles(),
    }


def scales(size: tuple[int, int]) -> tuple[int, ...]:
    """Return the scales for which a window has room."""
    return tuple(s for s in SCALES if s <= largest(size)) or SCALES[:1]


def _named(values: Iterable[str], *names: str) -> tuple[tuple[str, str], ...]:
    return tuple(zip(values, names, strict=True))


@cache
def _two_named() -> dict[str, tuple[str, str]]:
    """Return the titles of games in which cells have two names, and an example."""
    found = {each.ABOUT.title: find(name).TRAITS.cells for name, each in GAMES.items()}
    return {title: names for title, names in found.items() if names is not None}


# The preferences of being told: notifications, quiet hours, and this game or not.


NOTIFY: Final = "set.notify"
QUIET: Final = "set.quiet"
MILD: Final = "set.mild"
PACE: Final = "set.pace"
GAME: Final = "set.told"

HOURS: Final = (
    "", "20:00-08:00", "21:00-07:00", "22:00-07:00", "22:00-08:00", "23:00-07:00",
    "23:00-08:00", "00:00-08:00",
)  # fmt: skip
"""To choose from; a command sets others."""


def _now(model: Model) -> str:
    return model.status.quiet if model.status else ""


class SetPace(Means, frozen=True):
    """Let computers move at another pace: a name of those in `WAITS`."""

    pace: str


def _paces() -> tuple[tuple[str, str], ...]:
    """Return how fast computers move, with the words for it."""
    words = _("at once"), _("after a short pause"), _("as if they were thinking")
    return _named(WAITS, *words)


@taker
def _set_pace(model: Model, message: SetPace) -> Change:
    """Have the node take time for hard choices, or only the window wait a moment."""
    settings = replace(model.settings, pause=message.pace)
    model, effects = same(replace(model, settings=settings, open=""))
    if model.linked:
        switch = Switch("pace", on=message.pace == "normal")
        model, effects = ask(model, switch, "network")
    return model, (Store(), *effects)


def told_lists(model: Model) -> dict[str, list[tuple[str, Means]]]:
    """Return the drop-downs as (words, what they mean)."""
    now = _now(model)
    hours = HOURS if now in HOURS else (*HOURS, now)
    return {
        PACE: [(words, SetPace(pace)) for pace, words in _paces()],
        QUIET: [(_shown(one), Asks(SetQuiet(one), "network")) for one in hours],
    }


def _shown(hours: str) -> str:
    return hours.replace("-", " – ") if hours else _("none")


def is_muted(model: Model, number: int) -> bool:
    """Tell whether the player wants to be told nothing of a table."""
    games = () if model.status is None else model.status.games
    return any(one.muted for one in games if one.table == number)


def told_rows(model: Model) -> list[widgets.Row]:
    """Return the rows of the preferences."""
    look, table, own = model.look, model.table, model.settings
    words = _("Notify me while another window is in front")
    hours = _shown(_now(model))
    notify = Set("notify", not own.notify)
    mild = model.status is None or not model.status.offensive
    swear = Asks(Switch("offensive-words", mild), "network")
    # The node takes time, or the window waits.
    paced = model.status is None or model.status.paced
    pace = "normal" if paced else "none" if own.pause == "none" else "short"
    look_there = Set("clipboard", not own.clipboard)
    made = [
        choice(PACE, _("Computers move"), dict(_paces())[pace], look),
        box(NOTIFY, words, look, on=own.notify, means=notify),
        choice(QUIET, _("Quiet hours"), hours, look, enabled=model.linked),
        box(MILD, _("No offensive words from computers"), look, on=mild,
            enabled=model.linked, means=swear),
    ]  # fmt: skip
    if model.fronts:
        words = _("Notice invitations that I have copied")
        made.append(box("set.clipboard", words, look, on=own.clipboard,
                        means=look_there))  # fmt: skip
    if table is not None:
        on = not is_muted(model, table.number)
        words, mute = _("Tell me of this game"), Asks(Mute(on), "network")
        made.append(box(GAME, words, look, on=on, means=mute))
    return made
