"""What a page says, as JSON, each a frozen struct; nothing else is taken from it."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from netplay.limits import WEB_MESSAGE_BYTES

Pixel: TypeAlias = Annotated[int, Meta(ge=-20_000, le=20_000)]
Size: TypeAlias = Annotated[int, Meta(ge=100, le=10_000)]
Short: TypeAlias = Annotated[str, Meta(max_length=200)]
Line: TypeAlias = Annotated[str, Meta(max_length=4000)]
Place: TypeAlias = Annotated[int, Meta(ge=0, le=4000)]


class Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Anything that a page says."""


class Hello(Said, frozen=True, tag="hello"):
    """The first: who is there."""

    tab: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    """Made by chance by the page, the same after a reload."""
    w: Size
    h: Size
    entry: Short = ""
    """What the link has behind its #, good for once;"""
    token: Short = ""
    """or what the page was given for it."""
    lang: Short = ""
    """What the browser is set to, for whoever has no preferences here;"""
    dark: bool = False
    contrast: bool = False
    still: bool = False
    """and that nothing is to move."""


class Sized(Said, frozen=True, tag="size"):
    """The page has another size, in CSS pixels."""

    w: Size
    h: Size


class Point(Said, frozen=True, tag="point"):
    """The pointer did something.

    At "cancel" it has gone without being lifted: there is a second finger, or a call.
    """

    what: Annotated[str, Meta(pattern=r"\A(down|menu|move|up|cancel|left)\Z")]
    x: Pixel = 0
    y: Pixel = 0
    at: Short = ""
    """What the page shows there, by its name: the scene may have moved since."""


class Wheel(Said, frozen=True, tag="wheel"):
    """The wheel turned, or a finger drew a list along."""

    x: Pixel
    y: Pixel
    by: Annotated[int, Meta(ge=-20_000, le=20_000)]
    """Pixels, above 0 downwards."""


class Pushed(Said, frozen=True, tag="key"):
    """A key went down or up."""

    key: Annotated[str, Meta(max_length=20)]
    text: Annotated[str, Meta(max_length=8)] = ""
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    down: bool = True


class Typed(Said, frozen=True, tag="text"):
    """Text was pasted beside any field, or composed."""

    text: Line


class Used(Said, frozen=True, tag="use"):
    """The element that stands for a node was pressed, as screen readers do."""

    name: Short


class Focused(Said, frozen=True, tag="focus"):
    """The keyboard went to the element that stands for a node; empty for none."""

    name: Short


class Edited(Said, frozen=True, tag="edit"):
    """A field holds another text, or its cursor is elsewhere."""

    name: Short
    text: Line
    anchor: Place
    caret: Place
    turn: Annotated[int, Meta(ge=0, le=2**31)] = 0
    """Counts what was typed into it, so that an older text is not put back."""


class Away(Said, frozen=True, tag="away"):
    """Nobody looks at the page any more."""


class There(Said, frozen=True, tag="there"):
    """The page asks whether anybody is there: what is broken may say nothing."""


class Brought(Said, frozen=True, tag="file"):
    """A piece of a file that was chosen there; it waits for `more` before the next."""

    name: Short
    size: Annotated[int, Meta(ge=-1, le=2**53)]
    """Of the whole file; -1 if it cannot be read."""
    at: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """Bytes that came before this piece."""
    data: Annotated[bytes, Meta(max_length=WEB_MESSAGE_BYTES // 2)] = b""


class Drawn(Said, frozen=True, tag="drawn"):
    """A frame is painted."""

    frame: Annotated[int, Meta(ge=0, le=2**53)]


FromPage: TypeAlias = (
    Hello
    | Sized
    | Point
    | Wheel
    | Pushed
    | Typed
    | Used
    | Focused
    | Edited
    | Away
    | There
    | Brought
    | Drawn
)
