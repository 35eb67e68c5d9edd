"""Names and chat in any alphabet: measured and drawn, never nothing."""

import os
from collections.abc import Iterator
from pathlib import Path
from struct import pack, unpack_from

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
import pytest
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from client.ui import typefaces
from client.ui.scene import walk
from client.ui.typefaces import FONTS, Cut, Face
from client.window import painter
from netplay.messages import door
from tests.client.lettering import fits
from tests.client.scripted import needs_dummy, window

FOREIGN = (
    "李明",
    "王芳",
    "שלום",
    "مريم",
    "한국",
    "ひらがな",
    "😀🎲",
    "नमस्ते",
    "Anna 李 😀",
)
BLACK = (0, 0, 0)


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let the system have no fonts but those of a folder, which is empty."""
    monkeypatch.setattr(typefaces, "folders", lambda: (str(tmp_path),))
    forget()
    yield
    forget()


def forget() -> None:
    for kept in (*vars(typefaces).values(), painter.text):
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()


def inked(surface: pygame.Surface) -> tuple[bytes, int]:
    """Return a picture, and how many of its pixels are not empty."""
    mask = pygame.mask.from_surface(surface, 40)
    return pygame.image.tobytes(surface, "RGBA"), mask.count()


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("size", [8, 14, 40])
def test_what_no_font_knows_is_drawn_as_its_code_each_its_own(
    size: int, bold: bool
) -> None:
    seen: set[bytes] = set()
    for text in FOREIGN:
        surface = painter.text(text, size, BLACK, bold=bold)
        picture, ink = inked(surface)
        assert ink > len(text) * size // 2, text
        seen.add(picture)
        drawn = surface.get_width()
        assert abs(typefaces.width(text, size, bold=bold) - drawn) <= 1 + len(text), (
            text
        )
    assert len(seen) == len(FOREIGN)
    two = [inked(painter.text(c, 20, BLACK, bold=bold))[0] for c in "李王"]
    assert two[0] != two[1]  # two names never look the same


@pytest.mark.parametrize("cut", list(Cut))
def test_every_letter_takes_what_the_renderer_gives_it(cut: Cut) -> None:
    """Blanks at size 16 are 4.5 pixels wide: where they were 4, texts were cut."""
    apart = set()
    for size in range(7, 60):
        face = painter.font(size, bold=cut)
        for letter in map(chr, (*range(32, 127), *range(0xC0, 0x180), 0x2013, 0x2026)):
            if typefaces.source(letter, cut) is typefaces.own(cut):
                (metrics,) = face.metrics(letter)
                assert metrics is not None
                if typefaces.width(letter, size, bold=cut) != metrics[4]:
                    apart.add((letter, size))
    assert not apart


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf")), max_size=12))
def test_any_text_is_measured_and_drawn(text: str) -> None:
    surface = painter.text(text.strip() or "x", 14, BLACK, bold=False)
    assert surface.get_width() >= 0
    assert typefaces.width(typefaces.shorten(text, 14, 60), 14) <= 60


def test_a_font_of_the_system_is_used_where_the_bundled_one_has_no_glyph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Face(FONTS[Cut.TEXT])
    only = "\u0180"
    assert usual.knows(only)
    monkeypatch.setitem(FONTS, Cut.BOLD, FONTS[Cut.TILE])
    monkeypatch.setattr(typefaces, "MORE", FONTS[Cut.TILE])
    forget()
    assert typefaces.source(only, True) is None
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "msyh.ttc").write_bytes(
        collection(typefaces.ASSETS / "DejaVuSans.ttf")
    )
    (tmp_path / "simsun.ttc").write_bytes(b"torn")
    (tmp_path / "seguiemj.ttf").touch()
    forget()
    face = typefaces.source(only, True)
    assert face is not None
    assert face.path.name == "msyh.ttc"
    assert typefaces.width(only, 100, bold=True) == round(face.width(only) * 100)
    assert inked(painter.text(f"A{only}", 20, BLACK, bold=True))[1] > 20


def collection(path: Path) -> bytes:
    """Return a collection (.ttc) with one font in it."""
    font, head = bytearray(path.read_bytes()), 16
    (count,) = unpack_from(">H", font, 4)
    for i in range(count):
        place = 12 + 16 * i + 8
        (offset,) = unpack_from(">I", font, place)
        font[place : place + 4] = pack(">I", offset + head)
    return b"ttcf" + pack(">HHII", 1, 0, 1, head) + bytes(font)


def test_both_tables_of_a_font_say_the_same() -> None:
    for path in (typefaces.MORE,):  # the others have one table
        face = Face(path)
        for code in range(0x20, 0xFFFE, 7):
            assert face.glyph_of_plane(code) == face.glyph_of_all(code), hex(code)


@needs_dummy
async def test_names_and_chat_in_other_scripts_are_shown(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path, name="李明") as script:
        await script.click("play")
        script.loop.hear(door.Line("مريم", "你好 😀 ありがとう", 0))
        await script.settle()
        texts = [n for n in walk(script.loop.root) if "你好" in n.text]
        assert texts
        assert any(fits(node, script.loop.model) for node in texts)
        assert "李明" in script.reads()
        script.loop.draw()


@pytest.mark.parametrize("size", range(8, 41))
@pytest.mark.parametrize("bold", [False, True])
def test_no_line_of_a_wrapped_text_is_wider_than_its_room(
    size: int, *, bold: bool
) -> None:
    text = "Instead of a word you may pass, DISCARD letters for new ones, or so. " * 9
    for room in range(15 * size, 60 * size, 3 * size):
        for line in typefaces.wrap(text, size, room, bold=bold):
            assert typefaces.width(line, size, bold=bold) <= room, (room, line)
