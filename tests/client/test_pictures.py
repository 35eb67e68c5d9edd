"""Pictures, compared node by node with ones that somebody has looked at.

A tolerance over a whole picture would hide a wrong letter: it changes a dozen pixels
of a million.  `NETPLAY_PICTURES=write` writes them anew, to be looked at again.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import pygame
import pytest
from msgspec.structs import replace

from client.__main__ import main
from client.app import follow
from client.app.model import Model
from client.app.settings import Settings
from client.pages import screen
from client.ui import texts, widgets
from client.ui.hand import Edit
from client.ui.intents import Click, Key, Text
from client.ui.scene import Node, Rect, Touch, around, changes, touched, walk
from client.ui.theme import THEMES, Look
from client.window.painter import Painter
from client.window.picture import Picture, model_of, png, scene
from netplay import wire
from rules import GAMES, networdz
from tests.client.reviewing_pages import KINDS
from tests.client.worlds import NAMES, at_match, base, fed, status, table
from tests.client.worlds import networdz as played

PLACE = Path(__file__).parent / "pictures"
WRITE = os.environ.get("NETPLAY_PICTURES") == "write"
FAR = 24
"""Steps of a channel that count as different."""

FEW = 3
"""Channel values of one node that may differ; smooth scaling differs by versions."""


SMALL = (800, 500)
CASES: dict[str, Callable[[], Model]] = {
    "start-light": lambda: fed(base(SMALL), status()),
    "table-dark": lambda: fed(base(SMALL, "dark"), status(table=table())),
    "match-light": lambda: at_match(base(SMALL)),
    "match-contrast-four": lambda: at_match(base((1000, 640), "contrast"), 4),
    "discards-dark": lambda: fed(at_match(base(SMALL, "dark")), Click("pass")),
}
"""Made in the tests: computers play the matches, and collecting should not wait."""


def draw(model: Model) -> tuple[pygame.Surface, Node]:
    surface = pygame.Surface(model.size)
    root = screen.scene(model)
    Painter(surface, model.look).paint(root, Touch())
    return surface, root


def crop(surface: pygame.Surface, rect: Rect) -> bytes:
    part = surface.subsurface(pygame.Rect(rect).clip(surface.get_rect()))
    return pygame.image.tobytes(part, "RGB")


def different(one: pygame.Surface, other: pygame.Surface, root: Node) -> list[str]:
    """Return the names or texts of the nodes that look different."""
    found: list[str] = []
    for node in walk(root):
        leaf = not node.kids and node.rect.w and node.rect.h
        if not leaf or not root.rect.holds(node.rect):
            continue
        pairs = zip(crop(one, node.rect), crop(other, node.rect), strict=True)
        if sum(abs(a - b) > FAR for a, b in pairs) > FEW:
            found.append(node.name or node.text or str(node.rect))
    return found


class Shot(NamedTuple):
    """How a page is drawn that the reviewed texts tell of, too."""

    kind: str
    """Which pages, of `reviewing_pages.KINDS`."""
    page: str
    size: tuple[int, int] = (1000, 640)
    theme: str = "light"
    language: str = "en"
    scale: int = 100


SHOTS: Final = (
    Shot("pages", "match of lhexicon"),
    Shot("boards", "lhexicon marking", SMALL, "dark", "de"),
    Shot("boards", "lhexicon challenged", SMALL, "contrast", "fr"),
    Shot("work", "full lhexicon discarding", theme="dark", scale=125),
    Shot("pages", "match of numlo", language="ru"),
    Shot("work", "full numlo, shown", theme="contrast"),
    Shot("pages", "match of hexagrams", theme="dark", language="es"),
    Shot("boards", "hexagrams", (1280, 800), "contrast", scale=150),
    Shot("boards", "hexcolumns", SMALL),
    Shot("boards", "hexcolumns with rows coming", theme="dark", language="de"),
    Shot("pages", "match of hexcolumns", theme="contrast", scale=75),
    Shot("work", "full networdz, all laid", SMALL, "light", "es"),
    Shot("work", "full networdz, drawing", SMALL, "light", "ru"),
    Shot("ends", "review", (1280, 800), "light", "de"),
    Shot("ends", "analysis", SMALL, "dark", "fr"),
    Shot("ends", "over, its result", SMALL, "contrast", "ru"),
    Shot("moments", "looking back", SMALL, "dark"),
    Shot("moments", "paused", SMALL, "light", "fr"),
    Shot("pages", "curtain", SMALL),
    Shot("games", "your games", language="fr"),
    Shot("games", "full games", SMALL, "dark", "de"),
    Shot("games", "full games, friends", scale=150, language="ru"),
    Shot("finished", "full finished games", scale=75, language="es"),
    Shot("full", "full guest", SMALL, "contrast"),
    Shot("full", "full table", (1280, 800), "light", "ru", 150),
    Shot("dialogs", "full preferences", (1280, 800), "dark", "de", 250),
    Shot("dialogs", "full help of hexagrams", SMALL, "light", "es"),
    Shot("dialogs", "an offer to answer", SMALL, "contrast", "de"),
)


def named(shot: Shot) -> str:
    """Return the name of a picture's file."""
    words = re.findall(r"\w+", shot.page)
    return "-".join((*words, shot.theme, shot.language, str(shot.scale)))


def shown(shot: Shot) -> Model:
    """Return a page as a window shows it."""
    # Made as in a usual window: in a small one what is pressed may stand behind a tab.
    model = base(theme=shot.theme, scale=shot.scale)
    own = replace(model.settings, language=shot.language)
    pages = KINDS[shot.kind](replace(model, settings=own))
    page = next(page for name, page in pages if name == shot.page)
    return replace(follow.ended(page), size=shot.size)


def compared(name: str, make: Callable[[], Model]) -> None:
    """Compare a page with the picture of it, or make that anew."""
    surface, root = draw(make())
    file = PLACE / f"{name}.png"
    if WRITE:
        PLACE.mkdir(exist_ok=True)
        pygame.image.save(surface, str(file))
    assert not different(surface, pygame.image.load(str(file)), root)


@pytest.mark.parametrize("name", CASES)
def test_a_page_looks_as_it_did_when_somebody_looked_at_it(name: str) -> None:
    compared(name, CASES[name])


@pytest.mark.parametrize("shot", SHOTS, ids=named)
def test_pages_of_all_games_look_as_they_did_in_every_language(shot: Shot) -> None:
    texts.speak(shot.language)
    try:
        compared(named(shot), lambda: shown(shot))
    finally:
        texts.speak("en")


def test_no_picture_is_of_nothing() -> None:
    """Each is compared with a page; and all games, languages and themes are there."""
    kept = {file.stem for file in PLACE.glob("*.png")}
    assert kept == {*CASES, *map(named, SHOTS)}
    assert {shot.language for shot in SHOTS} == {*texts.LANGUAGES}
    assert {shot.theme for shot in SHOTS} == {*THEMES}
    drawn = " ".join(named(shot) for shot in SHOTS)
    assert all(game in drawn for game in GAMES)


def replaced(root: Node, old: Node, new: Node) -> Node:
    """Return a scene with one node for another."""
    if root is old:
        return new
    kids = type(root.kids)(replaced(each, old, new) for each in root.kids)
    return msgspec.structs.replace(root, kids=kids)


def test_the_comparison_finds_one_wrong_letter() -> None:
    model = CASES["match-light"]()
    surface, root = draw(model)
    tile = next(n for n in walk(root) if n.name.startswith("tile:") and n.text)
    other = surface.copy()
    wrong = msgspec.structs.replace(tile, text="Ж")
    scene = replaced(root, tile, wrong)
    Painter(other, model.look).paint(scene, Touch(), tile.rect)
    assert tile.name in different(surface, other, root)
    assert len(different(surface, other, root)) == 2  # and the slot below it


def test_a_drawing_twice_is_the_same_to_the_pixel() -> None:
    for case in CASES.values():
        model = case()
        (one, root), (other, _root) = draw(model), draw(model)
        assert crop(one, root.rect) == crop(other, root.rect)


def test_a_view_file_is_drawn_by_a_command_without_a_display(tmp_path: Path) -> None:
    state, _past = played(2, 8)
    packed = wire.pack(networdz.view(state, 0))
    picture = Picture("networdz", packed, NAMES[:2], 0)
    file, out = tmp_path / "view", tmp_path / "out.png"
    file.write_bytes(msgspec.msgpack.encode(picture))
    env = {
        k: v for k, v in os.environ.items() if k not in ("DISPLAY", "SDL_VIDEODRIVER")
    }
    words = [sys.executable, "-m", "client", "picture", str(file), str(out)]
    done = subprocess.run([*words, "--size", "900x600"], env=env, check=False)
    assert done.returncode == 0
    drawn = pygame.image.load(str(out))
    assert drawn.get_size() == (900, 600)
    assert len({drawn.get_at((x, 300))[:3] for x in range(0, 900, 7)}) > 5


def test_a_picture_has_the_colours_of_what_was_drawn() -> None:
    surface = pygame.Surface((3, 2))
    colours = [(0, 0, 0), (255, 0, 1), (2, 255, 3), (4, 5, 255), (9, 9, 9), (7, 8, 10)]
    for n, colour in enumerate(colours):
        surface.set_at((n % 3, n // 3), colour)
    read = pygame.image.load(BytesIO(png(surface)), "a.png")
    found = [read.get_at((n % 3, n // 3))[:3] for n in range(len(colours))]
    assert found == colours


def test_a_file_that_is_no_view_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "view"
    file.write_bytes(b"\x00nonsense")
    words = [sys.executable, "-m", "client", "picture", str(file), str(tmp_path / "o")]
    done = subprocess.run(words, check=False, capture_output=True)
    assert done.returncode == 1
    assert len(done.stderr.decode().splitlines()) == 1


def test_drawing_what_changed_gives_the_same_picture_as_drawing_all() -> None:
    model = CASES["match-light"]()
    rack = [n.name for n in walk(screen.scene(model)) if n.name.startswith("tile:")]
    does = [
        Click(rack[0]), Click("cell:17"), Click("side:1"), Key("page up"),
        Key("escape"), Click("pass"), Click(rack[1]), Key("escape"), Click("cell:40"),
        Click("cell:40"), Text("e"), Click("preferences"), Click("set.theme"),
        Click("set.theme:0"), Key("escape"), Click("shuffle"),
    ]  # fmt: skip
    touches = [
        Touch(), Touch(hover="shuffle"), Touch(hover="shuffle", pressed="shuffle"),
        Touch(focus="field.chat"), Touch(focus="recall", hover=rack[2]),
        Touch(lift=rack[3], by=(40, -90), over="cell:52"), Touch(),
    ]  # fmt: skip
    root, touch = screen.scene(model), Touch()
    kept, _root = draw(model)
    for i, does_ in enumerate(does):
        model = fed(model, does_)
        fresh, hand = screen.scene(model), touches[i % len(touches)]
        parts = [
            part
            for part in (around(*changes(root, fresh)), touched(fresh, touch, hand))
            if part is not None
        ]
        part = around(*parts)
        if part is not None:
            Painter(kept, model.look).paint(fresh, hand, part.cut(fresh.rect))
        full = pygame.Surface(model.size)
        Painter(full, model.look).paint(fresh, hand)
        assert crop(kept, fresh.rect) == crop(full, fresh.rect), does_
        root, touch = fresh, hand


def painted(node: Node, touch: Touch) -> bytes:
    surface = pygame.Surface((220, 60))
    Painter(surface, Look()).paint(node, touch)
    return pygame.image.tobytes(surface, "RGB")


def test_only_a_field_with_the_keyboard_shows_what_is_marked() -> None:
    room = Rect(10, 10, 180, 30)
    marked, plain = (
        widgets.entry("field", room, Edit("abc", 3, anchor), Look())
        for anchor in (0, 3)
    )
    assert painted(marked, Touch()) == painted(plain, Touch())
    focused = Touch(focus="field")
    assert painted(marked, focused) != painted(plain, focused)


@pytest.mark.parametrize("enabled", [True, False])
def test_a_button_answers_the_pointer_only_if_it_can_be_pressed(
    *, enabled: bool
) -> None:
    button = widgets.button("go", Rect(10, 10, 180, 30), "Go", Look(), enabled=enabled)
    still = painted(button, Touch())
    for touch in (Touch(hover="go"), Touch(hover="go", pressed="go")):
        assert (painted(button, touch) != still) is enabled


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_picture_for_a_seat_shows_its_tiles_and_no_others(seat: int | None) -> None:
    state, _past = played(3, 9)
    view = networdz.view(state, seat)
    model = model_of(
        Picture("networdz", wire.pack(view), NAMES[:3], seat), Settings(), (1280, 800)
    )
    root = scene(model)
    shown = {node.name for node in walk(root) if node.name.startswith("tile:")}
    own = () if seat is None else state.tiles.racks[seat]
    assert shown == {f"tile:{number}" for number in own}


@pytest.mark.parametrize(
    "view", [b"", b"\x81\xa4more" + b"\x91" * 20_000], ids=["empty", "deep"]
)
def test_a_view_that_cannot_be_read_is_named_and_drawn_by_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], view: bytes
) -> None:
    given, out = tmp_path / "given", tmp_path / "out.png"
    given.write_bytes(view)
    assert main(["picture", str(given), str(out)]) == 1
    assert str(given) in capsys.readouterr().err
    assert not out.exists()
