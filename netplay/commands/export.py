"""`netplay export`: take everything to another computer, in one file."""

import argparse
from pathlib import Path

from netplay import home
from netplay.commands import sharing
from netplay.commands.progress import progress
from netplay.errors import Code, LocalError
from netplay.home import Home, spare, write_whole
from netplay.language import _, phrase
from netplay.moving import homes
from netplay.named_files import read_named
from netplay.record.store import SUFFIX
from netplay.sentences import Says

HELP = (
    "put key, friends, matches, words and settings into one file under a passphrase, "
    "for another computer; this one plays no more with that key"
)


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", nargs="?", metavar="FILE")
    sharing.add(parser)
    parser.add_argument("--force", action="store_true", help="write over a file")
    parser.add_argument(
        "--undo",
        action="store_true",
        help="play here again, if the file was not imported elsewhere",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the file, or play here again."""
    place = home.find(None)
    if arguments.undo is (arguments.file is not None):
        raise LocalError(Code.USAGE, Says.EXPORT_WHERE())
    if not place.path.is_dir() or not homes.occupied(place):
        raise LocalError(Code.USAGE, Says.NOTHING_TO_EXPORT(path=place.path))
    if arguments.undo:
        return _undo(place)
    path = spare(Path(arguments.file), over=arguments.force, instead="--force")
    with place.hold():
        words = sharing.passphrase(arguments, new=True)
        with progress(_("packing")):
            packed = homes.pack(place)
            data = homes.lock(homes.to_bytes(packed), words)
        homes.mark(place, path)  # first: nobody is to have the file and play here too
        try:
            _write(path, data)
        except LocalError:
            place.stay()
            raise
    matches = packed.count("matches", SUFFIX)
    print(phrase(Says.MOVED_OUT(path=path, matches=matches)))
    return 0


def _undo(place: Home) -> int:
    with place.hold():
        if not place.stay():
            raise LocalError(Code.USAGE, Says.NOT_MOVED(path=place.path))
    print(phrase(Says.MOVED_BACK()))
    return 0


def _write(path: Path, data: bytes) -> None:
    """Write the file durably, for its owner alone, or leave nothing.

    Raises:
        LocalError: DISK.
    """
    write_whole(path, data)
    try:
        written = read_named(path, len(data))
    except OSError as error:
        raise LocalError(Code.DISK, Says.AT(place=path, why=error.strerror)) from None
    if written != data:
        raise LocalError(Code.DISK, str(path))
