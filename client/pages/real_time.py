"""The preferences about games in real time: keys, and how held ones repeat."""

from functools import cache
from typing import Final

from msgspec.structs import replace

from client import widgets
from client.board import Bindings, find
from client.intents import Intent, Key
from client.layout import columns
from client.model import Change, Give, Model, Store
from client.pages import form
from client.scene import Node, Rect
from client.texts import _
from client.widgets import Tone, label
from rules import GAMES

PREFIX: Final = "key."
"""Of the buttons' names; the one that waits for its key is the model's `open`."""

KEPT: Final = frozenset({"escape", "tab", "f1", "f11"})
"""Keys that have a meaning in every window."""

RESET: Final = "key.reset"

DELAYS: Final = (100, 140, 180, 220, 260, 300, 400, 500)
REPEATS: Final = (20, 30, 40, 50, 70, 100, 150)
"""Milliseconds to choose from."""


def lists() -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the drop-downs as (value, words)."""
    return {"set.delay": _times(DELAYS), "set.repeat": _times(REPEATS)}


def _times(choices: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((str(n), _("{n} ms").format(n=n)) for n in choices)


def titles() -> dict[str, str]:
    """Return the titles of the drop-downs' rows."""
    return {"set.delay": _("Held keys repeat after"), "set.repeat": _("and then every")}


def waits(model: Model) -> bool:
    """Tell whether the next key is taken for a button."""
    return model.open.startswith(PREFIX)


@cache
def _bound() -> tuple[tuple[str, Bindings], ...]:
    found = ((GAMES[name].ABOUT.title, find(name).TRAITS.bindings) for name in GAMES)
    return tuple((title, keys) for title, keys in found if keys is not None)


def rows(model: Model) -> list[widgets.Row]:
    """Return the rows of the preferences: of each game a heading and its buttons."""
    return [row for title, keys in _bound() for row in _rows(model, title, keys)]


def _rows(model: Model, title: str, keys: Bindings) -> list[widgets.Row]:
    """Return the rows of a game: a heading, and two buttons a row."""
    look, buttons = model.look, tuple(keys.USUAL)

    def heading(rect: Rect) -> Node:
        left, right = columns(form.line(rect, look), [0.6, 0.4], look.gap)
        words = _("Keys of {game}").format(game=title)
        changed = bool(model.settings.keys)
        back = widgets.button(RESET, right, _("The usual ones"), look, enabled=changed)
        return widgets.group(rect, [label(left, words, look, bold=True), back])

    def pair(names: tuple[str, ...]) -> widgets.Row:
        def make(rect: Rect) -> Node:
            halves = columns(form.line(rect, look), [0.5, 0.5], look.gap)
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
    face = widgets.button(PREFIX + name, right, words, look, selected=waiting)
    return [
        label(left, bindings.short(name), look, tone=Tone.DIM),
        replace(face, value=", ".join(keys)),
    ]


def clicked(model: Model, name: str) -> Change | None:
    """React to a click on one of the rows; None if it was none."""
    if name == RESET:
        return _kept(model, ())
    if not name.startswith(PREFIX):
        return None
    wanted = "" if model.open == name else name
    return replace(model, open=wanted), (Give(""),)  # else Enter would press it


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
