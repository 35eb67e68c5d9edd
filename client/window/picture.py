"""A picture of a match without a display: `python -m client picture VIEW OUT.png`.

The view file is the msgpack encoding of a map:

    game    name of the game, a key of `rules.GAMES`
    state   the state or view, encoded (bytes)
    names   the seats' names
    seat    whose hand is drawn; absent or nil: a bystander's picture

With it come, where the match has them, editions and word lists that are not shipped:

    editions   encoded editions (list of bytes)
    lexicons   word graphs (list of bytes)
"""

import json
from pathlib import Path
from struct import pack
from time import perf_counter  # noqa: TID251 (time is what is measured)
from typing import Final
from zlib import compress, crc32

import msgspec
import pygame
from msgspec import Struct
from msgspec.structs import replace

from client.app import board
from client.app.drafts import Draft, TablePage
from client.app.model import Match, Model, Page, seen
from client.app.settings import Settings
from client.pages import play, players
from client.ui.layout import columns, rows
from client.ui.scene import Node, Rect, Role, Shape, Touch
from client.ui.theme import LIGHT, Look
from client.ui.widgets import piece
from client.window.painter import Painter
from netplay import wire
from netplay.messages import door
from netplay.named_files import read_named
from rules import GAMES, editions, lexicon

PICTURE_BYTES: Final = 64 << 20
"""Of a view file: a position, and the editions and word lists that come with it."""

PNG: Final = b"\x89PNG\r\n\x1a\n"
"""How such a file begins."""


class Picture(Struct, frozen=True):
    """What a view file says."""

    game: str
    state: bytes
    names: tuple[str, ...]
    seat: int | None = None
    editions: tuple[bytes, ...] = ()
    lexicons: tuple[bytes, ...] = ()


def read(path: Path) -> Picture:
    """Return the content of a view file.

    Raises:
        ValueError: It is none.
        OSError: It cannot be read.
        LocalError: It is no plain file, or too large.
    """
    picture = msgspec.msgpack.decode(read_named(path, PICTURE_BYTES), type=Picture)
    for data in picture.editions:
        editions.register(editions.decode(data))
    for data in picture.lexicons:
        lexicon.register(lexicon.read(data))
    return picture


def model_of(picture: Picture, settings: Settings, size: tuple[int, int]) -> Model:
    """Return a window's model that shows the view on its match page."""
    game = GAMES[picture.game]
    state = wire.unpack(picture.state, game.ABOUT.state)
    seat = -1 if picture.seat is None else picture.seat
    turn = tuple(sorted(a for a in game.actors(state) if a >= 0))
    over = not game.actors(state)
    seats = tuple(
        door.SeatStatus("person", n, "", "connected", 0, True, "", 0, -1, False)
        for n in picture.names
    )
    table = door.TableStatus(
        match=b"picture", phase="over" if over else "playing", game=picture.game,
        options=b"", edition="", lexicon="", host="", hosting=False, revision=0,
        seats=seats, turn=turn, entries=0, final=0,
        places=game.places(state) if over else (), audit="", waiting="", watchers=(),
    )  # fmt: skip
    status = door.Status("", "", "", (), 0, "idle", (), table, (), ())
    match = Match(b"picture", picture.game, seat, 0, state, (), 0, None)
    model = Model(
        settings=settings, size=size, linked=True, status=status, page=Page.MATCH,
        setup=TablePage(draft=Draft(picture.game)), match=match,
    )  # fmt: skip
    local = board.find(picture.game).begin(seen(model, match))
    return replace(model, match=replace(match, local=local))


def _parts(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return board, instructions and players alone, for a picture of a match."""
    look, match = model.look, model.match
    body = area.inset(look.px(14))
    left, right = columns(body, [1, play.side_width(model, body)], look.px(16))
    if match is None:
        return ()
    box, panels = rows(right, [look.px(40) + 4 * look.line, 1], look.gap)
    across = players.across(model, panels.w, panels.h)
    return (
        *play.game(model, match, left, look),
        play.instructions(model, box, (), look),
        players.scene(model, panels, across),
    )


def scene(model: Model) -> Node:
    """Return the match page without the bar's buttons and the chat."""
    area = Rect(0, 0, *model.size)
    return Node(
        Role.PANEL, "window", area, kids=_parts(model, area), shape=Shape.RECT,
        bg=model.look.theme.ground,
    )  # fmt: skip


def draw(
    picture: Picture, out: Path, settings: Settings, size: tuple[int, int]
) -> None:
    """Draw a view and write it as a PNG file."""
    model = model_of(picture, settings, size)
    surface = pygame.Surface(size)
    Painter(surface, model.look).paint(scene(model), Touch())
    out.write_bytes(png(surface))


def png(surface: pygame.Surface) -> bytes:
    """Return a surface's colours as a PNG file.

    Written here, since pygame brings libraries for it, and for the formats that it
    reads besides, that a program with everything in it would have to carry.
    """
    wide, high = surface.get_size()
    data = pygame.image.tobytes(surface, "RGB")
    # Each row after the number of its filter: none.
    rows = b"".join(
        b"\0" + data[n : n + 3 * wide] for n in range(0, len(data), 3 * wide)
    )
    chunks = (
        (b"IHDR", pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)),
        (b"IDAT", compress(rows, 9)),
        (b"IEND", b""),
    )
    return PNG + b"".join(
        pack(">I", len(body)) + name + body + pack(">I", crc32(name + body))
        for name, body in chunks
    )


# How long the window takes for a frame: `python -m client frames VIEW`.
#
# For whoever measures: prints the milliseconds of each of so many frames of a view, the
# scene made and painted anew, as a line of JSON.


WARM: Final = 3
"""Frames drawn before, which load fonts and round corners once."""


def measure(
    picture: Picture, settings: Settings, size: tuple[int, int], count: int
) -> str:
    """Return the milliseconds of each frame as JSON."""
    model = model_of(picture, settings, size)
    painter = Painter(pygame.Surface(size), model.look)
    times: list[float] = []
    for _ in range(WARM + count):
        began = perf_counter()
        painter.paint(scene(model), Touch())
        times.append((perf_counter() - began) * 1000)
    return json.dumps(times[WARM:])


# The program's icon.


def icon(side: int) -> pygame.Surface:
    """Return the program's icon: a tile, with nothing around its round corners."""
    whole = pygame.Surface((side, side))
    look = Look(LIGHT)
    face = piece("", Rect(0, 0, side, side), "N", "1", look)
    Painter(whole, look).paint(face, Touch())
    large = pygame.Surface((4 * side, 4 * side), pygame.SRCALPHA)
    # A little rounder than the tile, whose corners end in the colour of the ground.
    pygame.draw.rect(large, "white", large.get_rect(), border_radius=6 * face.radius)
    surface = pygame.transform.smoothscale(large, (side, side))
    surface.blit(whole, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
    return surface
