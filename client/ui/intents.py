"""What the user wants: the only thing that pages and games hear of the input.

Below, what hands do before it is known what it means, the same from every screen.
Keys, typed text and a screen that nobody looks at any more come as the intents that
they mostly are.
"""

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from client.ui.scene import Means, Point


class Button(Enum):
    """Which mouse button."""

    LEFT = "left"
    RIGHT = "right"


class Click(Struct, frozen=True, tag=True):
    """A live node was clicked, or activated with Enter or space while focused.

    Right clicks beside any live node come with an empty name.
    """

    name: str
    button: Button = Button.LEFT
    count: int = 1
    """2 for the second click of a double click (its first came with 1)."""
    x: int = 0
    """Pixels from the node's left side."""
    w: int = 0
    """The node's width."""
    means: Means | None = None
    """The node's own: never taken from anywhere but the scene that is shown."""


class Lift(Struct, frozen=True, tag=True):
    """A `drag` node was picked up; a `Drop` follows unless the drag is called off."""

    name: str


class Drop(Struct, frozen=True, tag=True):
    """A `drag` node was dragged and let go; the picture of it is drawn for you."""

    name: str
    onto: str
    """The `drop` node under the pointer; empty for none."""


class Hover(Struct, frozen=True, tag=True):
    """The pointer came upon another live node; empty when it left."""

    name: str


class Slide(Struct, frozen=True, tag=True):
    """A slider's knob was put somewhere."""

    name: str
    at: float
    """From 0 at the left to 1."""


class Scroll(Struct, frozen=True, tag=True):
    """A list was scrolled to this offset, already within its bounds."""

    name: str
    offset: int


class Key(Struct, frozen=True, tag=True):
    """A key that is no text: "enter", "escape", "backspace", "left", "f1", "kp+"...

    Letters come as `Text`, and as `Key` only with ctrl or alt held - or where the
    page asked for held keys (real-time games): then every key comes as `Key`, going
    down and up, named by its unshifted letter.
    """

    key: str
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    down: bool = True
    """False when the key was let go (only where the page asked for held keys)."""


class Text(Struct, frozen=True, tag=True):
    """Typed or pasted text, in the user's own keyboard layout, NFC."""

    text: str


class Compose(Struct, frozen=True, tag=True):
    """An input method shows a text that is not typed yet; empty when done."""

    text: str


class Focus(Struct, frozen=True, tag=True):
    """Tab or a click moved the keyboard to another node; empty for none."""

    name: str


class Blur(Struct, frozen=True, tag=True):
    """Nobody looks any more: another window, or a dialog, has the keyboard.

    Games hear of it only in real time, and only if no other person waits for them.
    """


Intent: TypeAlias = (
    Click | Lift | Drop | Hover | Slide | Scroll | Key | Text | Compose | Focus | Blur
)


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
