"""What packages say of the program, read where it stands and nowhere written twice."""

import gettext
import re
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
LOCALE: Final = ROOT / "client" / "assets" / "locale"
LANGUAGES: Final = ("de", "es", "fr", "ru")

_TOLD: Final[Mapping[str, Any]] = tomllib.loads(
    (ROOT / "pyproject.toml").read_text("utf-8")
)
NAME: Final = "Netplay"
COMMAND: Final[str] = _TOLD["project"]["name"]
DESCRIPTION: Final[str] = _TOLD["project"]["description"]
LICENCE: Final[str] = _TOLD["project"]["license"]
NEEDS: Final[list[str]] = _TOLD["project"]["dependencies"]
HOMEPAGE: Final[str] = _TOLD["project"].get("urls", {}).get("Homepage", "")
ID: Final[str] = _TOLD["tool"]["netplay"]["id"]
"""What desktops call the program, unlike all others."""
MAINTAINER: Final[str] = _TOLD["tool"]["netplay"]["maintainer"]
SUMMARY: Final = "Play word and board games with friends, from computer to computer."
"""As `--help` begins, which is translated."""


def version(root: Path = ROOT) -> str:
    """Return the version that the sources name."""
    text = (root / "netplay" / "__init__.py").read_text("utf-8")
    found = re.search(r'^VERSION: Final = "([^"]+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


def spoken(text: str) -> dict[str, str]:
    """Return a text of the program in every language, by its code."""
    others = {
        code: gettext.translation("netplay", LOCALE, [code]).gettext(text)
        for code in LANGUAGES
    }
    return {"en": text, **others}


def commit_time() -> int:
    """Return when the last commit was made, in seconds since 1970."""
    words = ["git", "log", "-1", "--format=%ct"]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return int(told.stdout)


def changes(of: str, root: Path = ROOT) -> str:
    """Return the changelog's section of a version as it stands.

    Args:
        of: The version, or *Unreleased*.
        root: The sources.

    Returns:
        Markdown, empty if there is no such section.
    """
    text = (root / "CHANGELOG.md").read_text("utf-8")
    begin = rf"^## {re.escape(of)}(?: [^\n]*)?\n"
    found = re.search(rf"{begin}(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def rows() -> list[str]:
    """Return what is new in this version, or in the next one: one line a change."""
    section = changes(version()) or changes("Unreleased")
    plain = section.replace("*", "").replace("`", "")
    return [one[2:] for one in plain.splitlines() if one.startswith("- ")]
