"""Pygame's events as plain ones."""

from typing import Final

import pygame

from client.ui.events import Event, Left, Moved, Pressed, Released, Wheeled
from client.ui.intents import Blur, Button, Compose, Key, Text

NAMES: Final = {
    pygame.K_RETURN: "enter", pygame.K_KP_ENTER: "enter",
    pygame.K_ESCAPE: "escape", pygame.K_BACKSPACE: "backspace",
    pygame.K_DELETE: "delete", pygame.K_LEFT: "left", pygame.K_RIGHT: "right",
    pygame.K_UP: "up", pygame.K_DOWN: "down", pygame.K_HOME: "home",
    pygame.K_END: "end", pygame.K_PAGEUP: "page up", pygame.K_PAGEDOWN: "page down",
    pygame.K_TAB: "tab", pygame.K_SPACE: "space", pygame.K_INSERT: "insert",
    pygame.K_KP_PLUS: "kp+", pygame.K_KP_MINUS: "kp-", pygame.K_PAUSE: "pause",
}  # fmt: skip
"""Keys that are no text, by the names intents give them."""


def key_of(event: pygame.event.Event) -> Key | None:
    """Return the key of a KEYDOWN or KEYUP event; None for a mere modifier."""
    name = NAMES.get(event.key) or pygame.key.name(event.key)
    if not name or name.endswith((" shift", " ctrl", " alt", " meta", "lock")):
        return None
    held = event.mod
    return Key(
        name,
        shift=bool(held & pygame.KMOD_SHIFT),
        ctrl=bool(held & (pygame.KMOD_CTRL | pygame.KMOD_META)),
        alt=bool(held & pygame.KMOD_ALT),
        down=event.type == pygame.KEYDOWN,
    )


def plain(  # noqa: PLR0911 (one a kind of event)
    event: pygame.event.Event,
) -> Event | None:
    """Return what hands did; None for what is of the window or of nobody."""
    match event.type:
        case pygame.MOUSEBUTTONDOWN if event.button in (1, 3):
            button = Button.LEFT if event.button == 1 else Button.RIGHT
            return Pressed(event.pos, button)
        case pygame.MOUSEMOTION:
            return Moved(event.pos)
        case pygame.MOUSEBUTTONUP if event.button == 1:
            return Released(event.pos)
        case pygame.MOUSEWHEEL:
            return Wheeled(event.y)
        case pygame.KEYDOWN | pygame.KEYUP:
            return key_of(event)
        case pygame.TEXTINPUT:
            return Text(event.text)
        case pygame.TEXTEDITING:
            return Compose(event.text)
        case pygame.WINDOWLEAVE:
            return Left()
        case pygame.WINDOWFOCUSLOST:
            return Blur()
        case _:
            return None
