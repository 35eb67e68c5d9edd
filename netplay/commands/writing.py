"""What the commands that write a file share: none is lost by writing over it."""

import argparse
from pathlib import Path
from typing import Final

from netplay import home
from netplay.language import _

INSTEAD: Final = "; take another name, or --force to write over it"
"""What to do where a file is there already."""


def add_force(parser: argparse.ArgumentParser) -> None:
    """Take leave to write over a file."""
    parser.add_argument(
        "--force", action="store_true", help="write over a file that is there already"
    )


def png(text: str) -> Path:
    """Return where a picture is to be written, which is a PNG file.

    Raises:
        argparse.ArgumentTypeError: Its name says that it is another kind of file.
    """
    path = Path(text)
    if path.suffix.lower() != ".png":
        why = _("the picture is a PNG file: its name ends with .png, unlike {name}")
        raise argparse.ArgumentTypeError(why.format(name=repr(path.name)))
    return path


def spare(path: Path, arguments: argparse.Namespace) -> Path:
    """Return the whole path of a file to write; a relative one is in this folder.

    Raises:
        LocalError: TAKEN, it is there already, and nobody said `--force`.
    """
    return home.spare(path, over=arguments.force, instead=INSTEAD)
