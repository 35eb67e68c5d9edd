"""The first frame: shown before the loop, which takes as long again to load.

It is the page the window starts with, as far as it is known without the node: what
the loop draws, it finds on the screen already, or draws anew where it knows more.
"""

import socket
from typing import Final

import pygame
from msgspec.structs import replace

from client.app.model import Model
from client.app.settings import Settings
from client.pages import screen
from client.ui import texts, tiles
from client.ui.scene import Touch
from client.ui.texts import _
from client.ui.theme import LEAST, SCALES, filling
from client.window.painter import Painter

HOST: Final = "127.0.0.1"
"""Where scripts may ask."""

BESIDE: Final = (40, 120)
"""Pixels of a screen, across and down, that bars, docks and the window's own frame may
take: SDL tells the whole of a screen, what is free of it pygame does not pass on."""


def fitting(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size for the first window: that wished for, if the screen has room."""
    screen_size = display()
    if screen_size is None:
        return size
    room = screen_size[0] - BESIDE[0], screen_size[1] - BESIDE[1]
    return (max(LEAST, min(size[0], room[0])), max(LEAST, min(size[1], room[1])))


def display() -> tuple[int, int] | None:
    """Return the size of the screen; None if there is none, which is said later."""
    try:
        pygame.display.init()
        return pygame.display.get_desktop_sizes()[0]
    except pygame.error:
        return None


def at_first(own: Settings) -> Settings:
    """Return the settings of a first start: size and scale as the display has them."""
    across, high = display() or (0, 0)
    most = max(100, filling((across, high)))
    scale = max(each for each in SCALES if each <= most)
    wide, tall = own.size
    return replace(own, scale=scale, size=(wide * scale // 100, tall * scale // 100))


def make_window(size: tuple[int, int]) -> pygame.Window:
    """Open the window, with its smallest size.

    Raises:
        RuntimeError: The other pygame is installed, or there is no display.
    """
    if not getattr(pygame, "IS_CE", False):
        raise RuntimeError(
            "Netplay needs pygame-ce, but the package pygame hides it: "
            "uninstall pygame, then install pygame-ce again"
        )
    try:
        pygame.display.init()
        window = pygame.Window("Netplay", size, resizable=True)
    except pygame.error as error:
        raise RuntimeError(f"no window can be opened here: {error}") from None
    window.minimum_size = (LEAST, LEAST)
    return window


def show(model: Model, window: pygame.Window) -> None:
    """Draw the model's page, in its language, and bring it to the screen."""
    texts.speak(model.settings.language)
    tiles.call(model.settings.cells)
    pygame.event.pump()  # a window manager may have had a word on the size
    Painter(window.get_surface(), model.look).paint(screen.scene(model), Touch())
    window.flip()


def crashed(language: str) -> str:
    """Return what is said after a window that ended by a fault."""
    texts.speak(language)
    return _(
        "The window closed because of a fault. Your games went on and are in the "
        "list; “Write a report” is in Help."
    )


def listen(port: int) -> socket.socket:
    """Return a socket at which scripts may knock, and tell them its port.

    Args:
        port: On the loopback address; 0 for any free one.
    """
    found = socket.create_server((HOST, port))
    print(f"debug port {found.getsockname()[1]}", flush=True)  # noqa: T201 (asked for on the command line)
    return found
