"""Which key presses which button of Hexcolumns, as the player has chosen.

The source document's keys are those of another computer: arrows left and right, the
space bar, Help for the radar, Undo for a pause, Return to go on, `+` on the keypad.
What it leaves open, or what today's keyboards lack, has a key of its own here.
Ctrl-Esc gives up and cannot be chosen otherwise.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from client.app.board import Chosen
from client.ui.texts import _

USUAL: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "left": ("left", "a"),
    "right": ("right", "d"),
    "slant-left": ("insert", "q"),
    "slant-right": ("home", "e"),
    "rotate": ("up", "w"),
    "lower": ("down", "s"),
    "drop": ("space",),
    "radar": ("help", "r"),
    "pause": ("undo", "p", "pause"),
    "resume": ("enter",),
    "faster": ("kp+",),
})  # fmt: skip
"""Buttons, and their keys as long as no other is chosen."""


def keys_of(button: str, chosen: Chosen) -> tuple[str, ...]:
    """Return the keys that press a button, the chosen one alone if there is one."""
    return tuple(key for key, name in table(chosen).items() if name == button)


@lru_cache(maxsize=8)
def table(chosen: Chosen) -> Mapping[str, str]:
    """Return the button of each key; a chosen key is taken from all other buttons."""
    own = dict(chosen)
    found = {
        key: button
        for button, keys in USUAL.items()
        for key in keys
        if button not in own
    }
    found.update({key: button for button, key in own.items() if button in USUAL})
    return MappingProxyType(found)


def choose(chosen: Chosen, button: str, key: str) -> Chosen:
    """Return the choices with another key for a button.

    A key that another button was given before is taken from it; a key that the button
    has anyway only needs to be chosen if it has more of them.
    """
    kept = tuple((b, k) for b, k in chosen if b != button and k != key)
    return (*kept, (button, key))


def title(button: str) -> str:
    """Return what a button does, in words."""
    return {
        "left": _("to the next column, at the same height"),
        "right": _("to the next column, at the same height"),
        "slant-left": _("downwards to the left"),
        "slant-right": _("downwards to the right"),
        "rotate": _("rotate the three hexes downwards"),
        "lower": _("one hex down"),
        "drop": _("drop"),
        "radar": _("radar: see the next piece, for 200 points"),
        "pause": _("pause; the time runs on"),
        "resume": _("go on after a pause"),
        "faster": _("a level up, and 60 seconds more"),
    }[button]


def short(button: str) -> str:
    """Return what a button is called where there is little room."""
    return {
        "left": "←",
        "right": "→",
        "slant-left": "↙",
        "slant-right": "↘",
        "rotate": _("Rotate"),
        "lower": "↓",
        "drop": _("Drop"),
        "radar": _("Next piece"),
        "pause": _("Pause"),
        "resume": _("Go on"),
        "faster": _("Level +"),
    }[button]


def called(key: str) -> str:
    """Return a key's name for the user."""
    names = {
        "left": "←", "right": "→", "up": "↑", "down": "↓",
        "space": _("Space"), "enter": _("Enter"), "kp+": _("+ on the keypad"),
        "kp-": _("- on the keypad"), "backspace": _("Backspace"),
    }  # fmt: skip
    return names.get(key, key.capitalize())


def keys(chosen: Chosen) -> tuple[tuple[str, str], ...]:
    """Return (keys, what they do) for the help page."""
    lines = [
        (", ".join(map(called, own)), title(button))
        for button in USUAL
        if (own := keys_of(button, chosen))
    ]
    return (*lines, (_("Ctrl+Esc"), _("resign")))
