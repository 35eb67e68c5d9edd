"""Makes what a Linux desktop is to know: `python -m tools.release.share PREFIX`.

Below the prefix (as `/usr` or `/app`): the entry for menus, which opens `netplay:`
lines too, icons, AppStream's description, manual pages, completion for three shells,
and a systemd user unit.
"""

import gzip
import os
import sys
import time
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pygame
import shtab

from client.window.picture import icon
from netplay.commands.upkeep import whole_parser
from netplay.daemon.starting import unit
from netplay.system.links import SCHEME
from rules import LISTED
from tools.release import about, manual

SIDES: Final = (16, 24, 32, 48, 64, 128, 256)
"""Of icons, in pixels."""

COMPLETIONS: Final = {
    "bash": "share/bash-completion/completions/netplay",
    "zsh": "share/zsh/vendor-completions/_netplay",
    "fish": "share/fish/vendor_completions.d/netplay.fish",
}
CHANGES: Final = 5
"""Named in software centres, of each section at the most."""


def main() -> None:
    """Write everything below a prefix."""
    prefix = Path(sys.argv[1])
    told = os.environ.get("SOURCE_DATE_EPOCH")
    day = time.strftime("%Y-%m-%d", time.gmtime(int(told) if told else None))
    lay(prefix, f"share/applications/{about.ID}.desktop", desktop_entry())
    lay(prefix, f"share/metainfo/{about.ID}.metainfo.xml", metainfo(day))
    for name, page in manual.pages(day).items():
        packed = gzip.compress(page.encode(), 9, mtime=0)  # nothing of the hour
        lay(prefix, f"share/man/man1/{name}.gz", packed)
    for shell, place in COMPLETIONS.items():
        lay(prefix, place, shtab.complete(whole_parser(), shell=shell) + "\n")
    service = unit([f"/usr/bin/{about.COMMAND}", "node"])
    lay(prefix, "lib/systemd/user/netplay.service", service[service.index("[Unit]") :])
    pygame.font.init()
    for side in SIDES:
        picture = prefix / f"share/icons/hicolor/{side}x{side}/apps/{about.ID}.png"
        picture.parent.mkdir(parents=True, exist_ok=True)
        pygame.image.save(icon(side), str(picture))


def lay(prefix: Path, name: str, text: str | bytes) -> None:
    """Write one file and the folders above it."""
    place = prefix / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode() if isinstance(text, str) else text)


def desktop_entry() -> str:
    """Return the entry for menus."""
    said = {code: one.rstrip(".") for code, one in about.spoken(about.SUMMARY).items()}
    others = (f"Comment[{one}]={said[one]}" for one in about.LANGUAGES)
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        f"Name={about.NAME}",
        f"Comment={said['en']}",
        *others,
        f"Exec={about.COMMAND} --open %u",
        f"Icon={about.ID}",
        "Terminal=false",
        "Categories=Game;BoardGame;LogicGame;",
        f"Keywords={';'.join(LISTED)};words;",
        f"MimeType={SCHEME};",
    )
    return "\n".join([*lines, ""])


def metainfo(day: str) -> str:
    """Return what software centres show.

    Args:
        day: Of the release, as 2026-11-27.
    """
    root = ET.Element("component", type="desktop-application")
    _add(root, "id", about.ID)
    _add(root, "metadata_license", "CC0-1.0")
    _add(root, "project_license", about.LICENCE)
    _add(root, "name", about.NAME)
    _say(root, "summary", about.SUMMARY)
    developer = _add(root, "developer", id=about.ID.rpartition(".")[0].lower())
    _add(developer, "name", about.MAINTAINER.partition(" <")[0])
    description = _add(root, "description")
    _add(description, "p", f"{about.DESCRIPTION}. There is no server and no account.")
    rows = _add(description, "ul")
    for game in LISTED.values():
        _say(rows, "li", game.motto, f"{game.title}: ")
    _add(root, "launchable", f"{about.ID}.desktop", type="desktop-id")
    if about.HOMEPAGE:
        _add(root, "url", about.HOMEPAGE, type="homepage")
    provides = _add(root, "provides")
    _add(provides, "binary", about.COMMAND)
    _add(provides, "mediatype", SCHEME)
    rating = _add(root, "content_rating", type="oars-1.1")
    _add(rating, "content_attribute", "intense", id="social-chat")
    releases = _add(root, "releases")
    release = _add(releases, "release", version=about.version(), date=day)
    told = _add(_add(release, "description"), "ul")
    for change in about.rows()[:CHANGES]:
        _add(told, "li", change)
    ET.indent(root)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"
    )


def _say(parent: ET.Element, tag: str, text: str, before: str = "") -> None:
    """Add a text of the program's in every language."""
    for code, said in about.spoken(text).items():
        language = {} if code == "en" else {"xml:lang": code}
        _add(parent, tag, before + said.rstrip("."), **language)


def _add(parent: ET.Element, tag: str, text: str = "", **about_it: str) -> ET.Element:
    """Add an element to another one, and return it."""
    made = ET.SubElement(parent, tag, about_it)
    made.text = text or None
    return made


if __name__ == "__main__":
    main()
