"""Every page of the window as a picture, to be looked at: a tool, not a test.

    python -m tests.client.page_pictures FOLDER [--size 1280x800] [--theme light]
        [--language en] [--scale 100] [--before OTHER] [--sheets] [PAGE...]

Without names all pages are drawn; `?` lists them.  `--before OTHER` takes a folder in
which an earlier commit has drawn the same, and shows each picture at the right of what
it was.  `--sheets` puts all of them small on a few large pictures, with their names,
to be looked over.  A size below the window's usual smallest is laid out as a phone of
so many CSS pixels has it.  `--book` renews the pictures in docs/pictures instead, and
puts what they were and what they are side by side into the folder, if one is given.
"""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import argparse
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pygame
from msgspec.structs import replace

from client.app import follow
from client.app.lessons import Course
from client.app.model import Model, Over
from client.browser.session import fitting
from client.hexcolumns.lessons import lessons
from client.pages import courses, learn, screen, tryout
from client.ui import texts
from client.ui.scene import Touch
from client.ui.texts import LANGUAGES
from client.ui.theme import SCALES, THEMES
from client.window.painter import Painter
from rules import GAMES
from tests.client import crowded, crowded_matches, games, listed, past, worlds
from tests.client.worlds import fed

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"

BOOK = {
    "start": ("start", "light"),
    "networdz": ("match of networdz", "light"),
    "lhexicon": ("match of lhexicon", "light"),
    "numlo": ("match of numlo", "light"),
    "hexagrams": ("match of hexagrams", "dark"),
    "hexcolumns": ("filled wells", "dark"),
    "networdz-bingo": ("lesson 4 of networdz", "light"),
    "lhexicon-trap": ("lesson 3 of lhexicon", "light"),
    "numlo-lines": ("lesson 4 of numlo", "light"),
    "hexagrams-way": ("lesson 4 of hexagrams", "dark"),
    "hexcolumns-chain": ("lesson 5 of hexcolumns", "dark"),
}
"""Pictures of the book and the README: file, page, theme."""

PHONES = ("your games", "match of networdz", "match of hexagrams")
"""Beside each other in one more, as phones show them."""

PHONE = 390, 844
"""CSS pixels."""


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    for make in (
        worlds.pages,
        games.pages,
        crowded.pages,
        crowded_matches.pages,
        listed.pages,
        past.pages,
        taught,
    ):
        yield from make(model)


def every() -> tuple[tuple[str, Model], ...]:
    """Return all of them as the usual window has them, made once for all tests."""
    return _every(texts.spoken())


@cache
def _every(_language: str) -> tuple[tuple[str, Model], ...]:
    return tuple(pages(worlds.base()))


def taught(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the lessons, a puzzle of each game, the solitaire, and moves tried."""
    there = fed(replace(model, over=Over.LEARN))
    for game in GAMES:
        for at in range(len(courses.lessons(game))):
            yield f"lesson {at + 1} of {game}", courses.begun(there, game, at)[0]
    for game in courses.games(Course.PUZZLES):
        yield f"puzzle of {game}", learn.at_number(there, game, 0)[0]
    for game in courses.games(Course.SOLITAIRE):
        yield "solitaire", courses.begun(there, game, 0, Course.SOLITAIRE)[0]
    for game in GAMES:
        tried = tryout.opened(worlds.in_match(model, game, 2, 8))[0]
        if tried.over is Over.LEARN:
            yield f"moves tried in {game}", tried


def drawn(model: Model) -> pygame.Surface:
    surface = pygame.Surface(model.size)
    scene = screen.scene(follow.ended(model))
    Painter(surface, model.look).paint(scene, Touch())
    return surface


def beside(before: Path, after: pygame.Surface) -> pygame.Surface:
    """Return a picture at the right of what it was; alone if it is a new one."""
    if not before.is_file():
        return after
    was = pygame.image.load(str(before))
    high = max(was.get_height(), after.get_height())
    both = pygame.Surface((was.get_width() + BETWEEN + after.get_width(), high))
    both.fill((255, 0, 255))
    both.blit(was, (0, 0))
    both.blit(after, (was.get_width() + BETWEEN, 0))
    return both


BETWEEN = 8
"""Pixels between a picture and what it was."""


SHEET = 1900, 1000
"""Pixels of a large picture with many small ones."""

ACROSS = 3


def sheets(made: Sequence[tuple[str, pygame.Surface]]) -> Iterator[pygame.Surface]:
    """Yield large pictures with all pages small on them, their names below."""
    wide, high = made[0][1].get_size()
    w = SHEET[0] // ACROSS - BETWEEN
    h, line = w * high // wide, 22
    down = max(1, SHEET[1] // (h + line))
    font = pygame.font.Font(None, 20)
    for first in range(0, len(made), ACROSS * down):
        sheet = pygame.Surface((SHEET[0], down * (h + line)))
        sheet.fill((255, 0, 255))
        for i, (name, surface) in enumerate(made[first : first + ACROSS * down]):
            x, y = i % ACROSS * (w + BETWEEN), i // ACROSS * (h + line)
            sheet.blit(pygame.transform.smoothscale(surface, (w, h)), (x, y))
            sheet.blit(font.render(name, True, (0, 0, 0)), (x + 4, y + h + 2))
        yield sheet


def filled(model: Model) -> Model:
    """Return a match of Hexcolumns with something in its wells."""
    fits = (each.position().state for each in lessons())
    state = max(fits, key=lambda state: sum(map(bool, state.wells[0].cells)))
    own = state.wells[0]
    state = replace(state, wells=(own, own))
    return games.page(model, "hexcolumns", state, ())


def phones() -> pygame.Surface:
    """Return pages as phones show them, each in an edge."""
    found = dict(every())
    size = fitting(*PHONE)
    wide, high = (each + 2 * EDGE for each in size)
    row = pygame.Surface((len(PHONES) * (wide + EDGE) - EDGE, high), pygame.SRCALPHA)
    for i, name in enumerate(PHONES):
        x = i * (wide + EDGE)
        pygame.draw.rect(row, (60, 60, 60), (x, 0, wide, high), border_radius=2 * EDGE)
        row.blit(drawn(replace(found[name], size=size)), (x + EDGE, EDGE))
    return pygame.transform.smoothscale_by(row, 2 / 3)


EDGE = 18


def renew(folder: Path | None) -> None:
    made = {"phones": phones()}
    for file, (wanted, theme) in BOOK.items():
        model = worlds.base((1280, 800), theme)
        found = {**dict(pages(model)), "filled wells": filled(model)}
        made[file] = drawn(found[wanted])
    for file, fresh in made.items():
        place = PICTURES / f"{file}.png"
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            pygame.image.save(beside(place, fresh), str(folder / place.name))
        pygame.image.save(fresh, str(place))


def main() -> None:
    words = argparse.ArgumentParser()
    words.add_argument("folder", type=Path, nargs="?")
    words.add_argument("pages", nargs="*")
    words.add_argument("--size", default="1280x800")
    words.add_argument("--theme", choices=list(THEMES), default="light")
    words.add_argument("--language", choices=list(LANGUAGES), default="en")
    words.add_argument("--scale", type=int, choices=SCALES, default=100)
    words.add_argument("--before", type=Path, default=Path("none"))
    words.add_argument("--sheets", action="store_true")
    words.add_argument("--book", action="store_true")
    said = words.parse_intermixed_args()
    if said.book:
        renew(said.folder)
        return
    folder = said.folder or Path()
    texts.speak(said.language)
    wide, _x, high = said.size.partition("x")
    size = fitting(int(wide), int(high))
    # Made as in a usual window: in a small one what is pressed may stand behind a tab.
    model = worlds.base(theme=said.theme, scale=said.scale)
    model = replace(model, settings=replace(model.settings, language=said.language))
    folder.mkdir(parents=True, exist_ok=True)
    spec = f"{said.size}-{said.theme}-{said.language}-{said.scale}"
    made: list[tuple[str, pygame.Surface]] = []
    for name, page in pages(model):
        if said.pages == ["?"]:
            print(name)
        elif not said.pages or name in said.pages:
            file = f"{name.replace(' ', '_')}-{spec}.png"
            shown = beside(said.before / file, drawn(replace(page, size=size)))
            if said.sheets:
                made.append((name, shown))
            else:
                pygame.image.save(shown, str(folder / file))
    if not made:
        return
    pygame.font.init()
    for number, sheet in enumerate(sheets(made), 1):
        pygame.image.save(sheet, str(folder / f"sheet-{spec}-{number}.png"))


if __name__ == "__main__":
    main()
