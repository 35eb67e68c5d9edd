"""What hands do, before it is known what it means: the same from every screen.

Keys, typed text and a screen that nobody looks at any more come as the intents that
they mostly are.
"""

from typing import TypeAlias

from msgspec import Struct

from client.ui.intents import Blur, Button, Compose, Key, Text
from client.ui.scene import Point


class Pressed(Struct, frozen=True, tag=True):
    """A button of the mouse, or a finger, went down."""

    pos: Point
    button: Button = Button.LEFT


class Moved(Struct, frozen=True, tag=True):
    """The pointer came to another place."""

    pos: Point


class Released(Struct, frozen=True, tag=True):
    """The left button, or the finger, went up."""

    pos: Point


class Wheeled(Struct, frozen=True, tag=True):
    """The wheel turned, above 0 away from the user."""

    notches: float


class Left(Struct, frozen=True, tag=True):
    """The pointer is over nothing of ours any more."""


Event: TypeAlias = (
    Pressed | Moved | Released | Wheeled | Left | Key | Text | Compose | Blur
)
