"""Colours, type sizes and distances; one place, three themes, any scale."""

from math import sqrt
from typing import Final

from msgspec import Struct

from client.ui import typefaces
from client.ui.scene import Colour


class Theme(Struct, frozen=True):
    """The colours of one theme.  Texts keep 4.5:1 on what they stand on."""

    name: str
    ground: Colour
    """Behind everything."""
    panel: Colour
    """Cards and dialogs."""
    raised: Colour
    """Buttons and fields at rest."""
    line: Colour
    """Edges of cards, buttons and fields; 3:1 on `panel`."""
    text: Colour
    dim: Colour
    """Less important text, still 4.5:1 on ground and panel."""
    accent: Colour
    """The main button and what is chosen."""
    on_accent: Colour
    focus: Colour
    """The ring round what has the keyboard; 3:1 on ground and panel."""
    good: Colour
    bad: Colour
    """Errors; readable on ground and panel."""
    unlinked: Colour
    """Names of players not connected: blue, as the source document has it."""
    linked: Colour
    """Names of connected players: red, as the source document has it."""

    board: Colour
    """Behind the cells."""
    cell: Colour
    cell_text: Colour
    blocked: Colour
    tile: Colour
    tile_text: Colour
    tile_edge: Colour
    """The lower, shaded edge of a tile."""
    fresh: Colour
    """A tile laid but not yet committed."""
    blank: Colour
    """The letter of a blank: grey, as the source document has it."""
    latest: Colour
    """The last move."""
    word: tuple[Colour, Colour, Colour]
    """Squares of double, triple, quadruple word."""
    letter: tuple[Colour, Colour, Colour]
    """Squares of double, triple, quadruple letter."""
    players: tuple[Colour, Colour, Colour, Colour]
    """The seats' colours on boards; with a mark, never alone."""
    pieces: tuple[Colour, Colour, Colour, Colour, Colour, Colour]
    """Six colours of pieces; each also has a pattern or mark."""
    veil: Colour
    """Mixed over the page below a dialog."""


LIGHT: Final = Theme(
    name="light",
    ground=(243, 238, 228),
    panel=(252, 250, 245),
    raised=(245, 240, 230),
    line=(138, 130, 116),
    text=(30, 36, 34),
    dim=(92, 98, 92),
    accent=(20, 96, 106),
    on_accent=(255, 255, 255),
    focus=(190, 84, 8),
    good=(34, 108, 66),
    bad=(176, 32, 28),
    unlinked=(28, 74, 170),
    linked=(176, 32, 28),
    board=(211, 202, 184),
    cell=(234, 227, 212),
    cell_text=(70, 66, 58),
    blocked=(40, 38, 36),
    tile=(248, 227, 178),
    tile_text=(34, 30, 24),
    tile_edge=(201, 164, 92),
    fresh=(255, 241, 205),
    blank=(100, 100, 100),
    latest=(190, 84, 8),
    word=((240, 178, 165), (196, 66, 56), (122, 52, 122)),
    letter=((174, 208, 230), (40, 104, 164), (30, 104, 92)),
    players=((0, 96, 168), (205, 92, 0), (250, 250, 250), (64, 64, 64)),
    pieces=(
        (208, 62, 52), (240, 196, 50), (50, 140, 80),
        (46, 116, 190), (146, 84, 166), (232, 232, 228),
    ),
    veil=(60, 58, 54),
)  # fmt: skip

DARK: Final = Theme(
    name="dark",
    ground=(26, 29, 33),
    panel=(36, 40, 46),
    raised=(52, 58, 66),
    line=(128, 136, 148),
    text=(236, 236, 232),
    dim=(176, 180, 186),
    accent=(94, 196, 206),
    on_accent=(14, 24, 28),
    focus=(255, 184, 92),
    good=(126, 214, 148),
    bad=(255, 138, 128),
    unlinked=(138, 178, 255),
    linked=(255, 138, 128),
    board=(20, 22, 26),
    cell=(56, 62, 70),
    cell_text=(222, 224, 226),
    blocked=(0, 0, 0),
    tile=(226, 204, 154),
    tile_text=(30, 24, 16),
    tile_edge=(150, 122, 70),
    fresh=(252, 236, 198),
    blank=(80, 80, 80),
    latest=(255, 184, 92),
    word=((122, 66, 60), (180, 62, 54), (132, 72, 142)),
    letter=((56, 88, 116), (42, 106, 168), (32, 106, 94)),
    players=((86, 170, 240), (242, 142, 56), (250, 250, 250), (150, 150, 150)),
    pieces=(
        (232, 92, 82), (244, 206, 84), (84, 176, 112),
        (92, 158, 226), (184, 126, 204), (236, 236, 232),
    ),
    veil=(6, 7, 9),
)  # fmt: skip

CONTRAST: Final = Theme(
    name="contrast",
    ground=(0, 0, 0),
    panel=(0, 0, 0),
    raised=(28, 28, 28),
    line=(255, 255, 255),
    text=(255, 255, 255),
    dim=(228, 228, 228),
    accent=(255, 235, 0),
    on_accent=(0, 0, 0),
    focus=(0, 230, 255),
    good=(100, 255, 130),
    bad=(255, 150, 140),
    unlinked=(150, 195, 255),
    linked=(255, 150, 140),
    board=(0, 0, 0),
    cell=(38, 38, 38),
    cell_text=(255, 255, 255),
    blocked=(0, 0, 0),
    tile=(255, 250, 232),
    tile_text=(0, 0, 0),
    tile_edge=(150, 146, 130),
    fresh=(255, 240, 120),
    blank=(84, 84, 84),
    latest=(0, 230, 255),
    word=((150, 30, 30), (255, 120, 110), (255, 150, 255)),
    letter=((20, 60, 150), (120, 190, 255), (110, 240, 190)),
    players=((70, 170, 255), (255, 150, 40), (255, 255, 255), (130, 130, 130)),
    pieces=(
        (255, 90, 80), (255, 230, 60), (60, 200, 100),
        (80, 170, 255), (215, 130, 255), (255, 255, 255),
    ),
    veil=(0, 0, 0),
)  # fmt: skip

THEMES: Final = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST)}

USUAL: Final = (1600, 1080)
"""Pixels of a screen, or a window, in which texts have their usual size."""


def filling(size: tuple[int, int]) -> int:
    """Return the scale, in per cent, at which a page fills so many pixels."""
    return min(each * 100 // usual for each, usual in zip(size, USUAL, strict=True))


def grown(scale: int, size: tuple[int, int]) -> int:
    """Return the scale that is drawn: in a window with much room all grows a little.

    Half of the way to what fills it, as a ratio; the rest is the board's.
    """
    return round(scale * sqrt(max(1.0, filling(size) / max(100, scale))))


LEAST: Final = 360
"""The least width, and height, of a window in pixels: all in it is drawn smaller."""

SMALLEST: Final = (800, 500)
"""The smallest window, in pixels, in which all has its usual size."""

UPRIGHT: Final = (480, 800)
"""The same of one that stands upright, for pages that lay themselves out for it."""


def stands(size: tuple[int, int]) -> bool:
    """Tell whether a screen stands upright, as phones are held."""
    return size[1] * 4 > size[0] * 5


SCALES: Final = (75, 100, 125, 150, 175, 200, 225, 250)
"""What the scale may be, in per cent."""


def largest(size: tuple[int, int]) -> int:
    """Return the largest scale, in per cent, for which a window has room."""
    least = UPRIGHT if stands(size) else SMALLEST
    return min(size[0] * 100 // least[0], size[1] * 100 // least[1])


PHONE: Final = 600
"""A screen that stands upright and is no wider is held in a hand, in pixels."""

THUMB: Final = 59
"""The height of a button there: 44 pixels of the phone's, as it paints all smaller.

The narrowest, 360 pixels wide, paints 480 of the window's."""

FLAT_THUMB: Final = 61
"""The same on one that lies, whose height of 360 pixels paints 500 of the window's."""


def upright(size: tuple[int, int]) -> bool:
    """Tell whether a screen is a phone's that is held upright."""
    return stands(size) and size[0] <= PHONE


TABLET: Final = 800
"""Pixels at 100 % of height from which on a page that stands has room for two cards
below each other."""


FLAT: Final = 540
"""A screen that lies and is no higher is held in two hands, in pixels."""


def lies(size: tuple[int, int]) -> bool:
    """Tell whether a screen is a phone's that lies."""
    return size[0] * 5 > size[1] * 8 and size[1] <= FLAT


class Look(Struct, frozen=True):
    """A theme at a scale: what every scene is drawn with."""

    theme: Theme = LIGHT
    scale: int = 100
    """Per cent."""
    large: bool = False
    """Easy to read: letters and points of pieces fill more of the piece."""
    thumb: bool = False
    """On a phone: what is touched is as high as a thumb needs it."""
    lying: bool = False
    """On a phone held lying: thumbs reach its left and right edges."""
    upright: bool = False
    """On a screen that stands, a phone's or a tablet's: thumbs reach its lower half."""
    held: bool = False
    """On a phone held upright: nothing has room beside the board."""

    def px(self, length: float) -> int:
        """Return a length at 100 % in this look's pixels, at least 1 if not 0."""
        scaled = round(length * self.scale / 100)
        return scaled if scaled or not length else 1

    @property
    def small(self) -> int:
        """Return the text height of notes and captions."""
        return self.px(13 if self.large else 12)

    @property
    def body(self) -> int:
        """Return the text height of everything usual."""
        return self.px(16 if self.large else 14)

    @property
    def head(self) -> int:
        """Return the text height of headings."""
        return self.px(20 if self.large else 18)

    @property
    def title(self) -> int:
        """Return the text height of a page's title, and of what counts most."""
        return self.px(26)

    @property
    def gap(self) -> int:
        """Return the distance between neighbours."""
        return self.px(8)

    @property
    def row(self) -> int:
        """Return the height of a button, field or list row."""
        if self.thumb:
            return self.px(FLAT_THUMB if self.lying else THUMB)
        return self.px(36 if self.large else 34)

    @property
    def apart(self) -> bool:
        """Tell whether the board of a lying phone has what is pressed beside it."""
        return self.lying and self.thumb

    @property
    def line(self) -> int:
        """Return the height of a line of usual text."""
        return round(self.body * typefaces.LINE)

    def width(self, text: str, size: int, *, bold: int = False) -> int:
        """Return how wide one line of text is, in pixels."""
        return typefaces.width(text, size, bold=bold)

    def letter(self, side: int) -> int:
        """Return the height of a letter on a tile of that side."""
        return max(8, round(side * (0.68 if self.large else 0.56)))

    def points(self, side: int) -> int:
        """Return the height of the points on a tile of that side."""
        return max(6, round(side * (0.30 if self.large else 0.24)))
