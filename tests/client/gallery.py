"""Every page of the window as a picture, to be looked at: a tool, not a test.

    python -m tests.client.gallery FOLDER [--size 1280x800] [--theme light]
        [--language en] [--scale 100] [PAGE...]

Without names all pages are drawn; `?` lists them.  `--readme` renews the pictures in
client/pictures instead.
"""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import argparse
from collections.abc import Iterator
from pathlib import Path

import pygame
from msgspec.structs import replace

from client import texts
from client.hexcolumns.lessons import lessons
from client.model import Model
from client.pages import screen
from client.paint import Painter
from client.scene import Touch
from client.texts import LANGUAGES
from client.theme import SCALES, THEMES
from tests.client import crowded, crowded_matches, games, listed, worlds

PICTURES = Path(__file__).parents[2] / "client" / "pictures"

README = {
    "start": ("start", "light"),
    "networdz": ("match of networdz", "light"),
    "lhexicon": ("match of lhexicon", "light"),
    "numlo": ("match of numlo", "light"),
    "hexagrams": ("match of hexagrams", "dark"),
    "hexcolumns": ("filled wells", "dark"),
}
"""Pictures of the README: file, page, theme."""


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    for make in (
        worlds.pages,
        games.pages,
        crowded.pages,
        crowded_matches.pages,
        listed.pages,
    ):
        yield from make(model)


def draw(model: Model, file: Path) -> None:
    surface = pygame.Surface(model.size)
    Painter(surface, model.look).paint(screen.scene(model), Touch())
    pygame.image.save(surface, str(file))


def filled(model: Model) -> Model:
    """Return a match of Hexcolumns with something in its wells."""
    fits = (each.position().state for each in lessons())
    state = max(fits, key=lambda state: sum(map(bool, state.wells[0].cells)))
    own = state.wells[0]
    state = replace(state, wells=(own, own))
    return games.page(model, "hexcolumns", state, ())


def renew() -> None:
    for file, (wanted, theme) in README.items():
        model = worlds.base((1280, 800), theme)
        found = {**dict(pages(model)), "filled wells": filled(model)}
        draw(found[wanted], PICTURES / f"{file}.png")


def main() -> None:
    words = argparse.ArgumentParser()
    words.add_argument("folder", type=Path, nargs="?", default=Path())
    words.add_argument("pages", nargs="*")
    words.add_argument("--size", default="1280x800")
    words.add_argument("--theme", choices=list(THEMES), default="light")
    words.add_argument("--language", choices=list(LANGUAGES), default="en")
    words.add_argument("--scale", type=int, choices=SCALES, default=100)
    words.add_argument("--readme", action="store_true")
    said = words.parse_args()
    if said.readme:
        renew()
        return
    texts.speak(said.language)
    wide, _x, high = said.size.partition("x")
    model = worlds.base((int(wide), int(high)), said.theme, said.scale)
    model = replace(model, settings=replace(model.settings, language=said.language))
    said.folder.mkdir(parents=True, exist_ok=True)
    for name, page in pages(model):
        if said.pages == ["?"]:
            print(name)
        elif not said.pages or name in said.pages:
            spec = f"{said.size}-{said.theme}-{said.language}-{said.scale}"
            draw(page, said.folder / f"{name.replace(' ', '_')}-{spec}.png")


if __name__ == "__main__":
    main()
