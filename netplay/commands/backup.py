"""`netplay backup`: an encrypted copy of everything, kept fresh by the node."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from netplay import home
from netplay.commands import sharing
from netplay.commands.progress import progress
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.language import _, phrase
from netplay.moving import copies, homes
from netplay.sentences import Says

HELP = (
    "keep an encrypted copy of key, friends, matches, words and settings in a folder, "
    "best on another disk; without a folder, say where it is"
)


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("folder", nargs="?", metavar="DIR")
    sharing.add(parser)
    parser.add_argument("--off", action="store_true", help="make no more copies")


def run(arguments: argparse.Namespace) -> int:
    """Begin or end it, or tell how it is."""
    place = home.find(None)
    if arguments.off and arguments.folder is not None:
        raise LocalError(Code.USAGE, Says.COPY_OR_OFF())
    if arguments.off:
        told = Says.COPY_ENDED() if copies.end(place) else Says.COPY_NONE()
        print(phrase(told))
        return 0
    if arguments.folder is None:
        return _tell(place)
    if not place.key.exists():
        raise LocalError(Code.USAGE, Says.NOTHING_TO_EXPORT(path=place.path))
    words = sharing.passphrase(arguments, new=True)
    with progress(_("packing")):
        path = copies.begin(place, Path(arguments.folder), words)
        homes.check(path.read_bytes(), path)
    print(phrase(Says.COPY_BEGUN(path=path)))
    return 0


def _tell(place: Home) -> int:
    """Say where the copy is, and of when; 1 if there is none."""
    copying = copies.kept(place)
    if copying is None:
        print(phrase(Says.COPY_NONE()))
        return 1
    try:
        path = copying.file(place)
        made = datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone()
    except OSError:
        print(phrase(Says.COPY_FAILED(path=copying.folder)))
        return 1
    day = made.isoformat(" ", "minutes")[:16]
    print(phrase(Says.COPY_THERE(path=path, day=day)))
    return 0
