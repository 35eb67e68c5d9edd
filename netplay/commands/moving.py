"""Everything of a player's in one file: to another computer, or kept fresh here."""

import argparse
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from netplay import home
from netplay.commands import Command, sharing
from netplay.commands.sharing import progress
from netplay.errors import Code, LocalError
from netplay.home import Home, spare, write_whole
from netplay.language import _, ngettext, phrase
from netplay.moving import copies, homes
from netplay.named_files import command_memory, place_of, read_named
from netplay.record.archive import written
from netplay.record.store import SUFFIX
from netplay.sanitize import visible
from netplay.sentences import Says

# `netplay export`: take everything to another computer, in one file.


def add_export(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", nargs="?", metavar="FILE")
    sharing.add(parser)
    parser.add_argument("--force", action="store_true", help="write over a file")
    parser.add_argument(
        "--undo",
        action="store_true",
        help="play here again, if the file was not imported elsewhere",
    )


def run_export(arguments: argparse.Namespace) -> int:
    """Write the file, or play here again."""
    place = home.find(None)
    if arguments.undo is (arguments.file is not None):
        raise LocalError(Code.USAGE, Says.EXPORT_WHERE())
    if not place.path.is_dir() or not homes.occupied(place):
        raise LocalError(Code.USAGE, Says.NOTHING_TO_EXPORT(path=place.path))
    if arguments.undo:
        with place.hold():
            if not place.stay():
                raise LocalError(Code.USAGE, Says.NOT_MOVED(path=place.path))
        print(phrase(Says.MOVED_BACK()))
        return 0
    path = spare(Path(arguments.file), over=arguments.force, instead="--force")
    with place.hold(reading=True) as held:
        words = sharing.passphrase(arguments, new=True)
        with progress(_("packing")):
            packed = homes.pack(place)
            data = homes.lock(homes.to_bytes(packed), words)
        if noted := held.writable():  # first: nobody is to have the file and play here
            homes.mark(place, path)
        try:
            _write(path, data)
        except LocalError:
            if noted:
                place.stay()
            raise
    games = packed.count("matches", SUFFIX)
    told = ngettext(
        "{path} has your key, friends, words, settings and {n} game: now `netplay "
        "import` it at the other computer. This one plays no more with your key",
        "{path} has your key, friends, words, settings and {n} games: now `netplay "
        "import` it at the other computer. This one plays no more with your key",
        games,
    )
    print(told.format(path=visible(str(path)), n=games))
    if not noted:
        print(phrase(Says.MOVE_NOT_NOTED(path=place.path)))
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


# `netplay import`: take up at this computer what another has exported.


def add_import(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", metavar="FILE")
    sharing.add(parser)
    parser.add_argument(
        "--force",
        action="store_true",
        help="put aside what this computer has already, and do not ask",
    )


def run_import(arguments: argparse.Namespace) -> int:
    """Read the file and put it into the home."""
    place, path = home.find(None), place_of(arguments.file)
    data = homes.read_exported(path)
    homes.check(data, path)  # before anybody types a passphrase for nothing
    words = sharing.passphrase(arguments)
    unlocking = progress(_("unlocking"))
    with command_memory(path, 4 * homes.MOST_BYTES), unlocking:
        packed = homes.from_bytes(homes.unlock(data, words, path), path)
    place.prepare()
    with place.hold():
        kept = homes.aside(place) if homes.occupied(place) else None
        if kept is not None and not (arguments.force or _agrees(place, kept)):
            raise LocalError(Code.TAKEN, Says.HOME_TAKEN(path=place.path, aside=kept))
        with progress(_("putting files in place")):
            homes.install(place, packed)
    games = packed.count("matches", SUFFIX)
    told = ngettext(
        "{path} has your key, friends, words, settings and {n} game. Play here from "
        "now on, and no more at the other computer",
        "{path} has your key, friends, words, settings and {n} games. Play here from "
        "now on, and no more at the other computer",
        games,
    )
    print(told.format(path=visible(str(place.path)), n=games))
    if kept is not None:
        print(phrase(Says.PUT_ASIDE(path=kept)))
    return 0


def _agrees(place: Home, aside: Path) -> bool:
    """Ask on a terminal whether what is there may go aside."""
    if not sys.stdin.isatty():
        return False
    question = _("{path} is in use already. Put what is there into {aside}? [y/N] ")
    try:
        answer = input(question.format(path=place.path, aside=aside))
    except EOFError:  # Ctrl-D
        return False
    return answer.strip().lower() in {"y", "yes", *_("yes").split()}


# `netplay backup`: an encrypted copy of everything, kept fresh by the node.


def add_backup(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("folder", nargs="?", metavar="DIR")
    sharing.add(parser)
    parser.add_argument("--off", action="store_true", help="make no more copies")


def run_backup(arguments: argparse.Namespace) -> int:
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
        path = copies.first_copy(place, Path(arguments.folder), words)
        homes.check(path.read_bytes(), path)
    print(phrase(Says.COPY_BEGUN(path=path)))
    return 0


def _tell(place: Home) -> int:
    """Make the copy anew, and say where it is, and of when; 1 if that cannot be.

    A copy that merely lies there says nothing of the disk: it may have been full, or
    not to be written, since.
    """
    copying = copies.kept(place)
    if copying is None:
        print(phrase(Says.COPY_NONE()))
        return 1
    failed = False
    try:
        with progress(_("packing")):
            copies.write_again(place, copying)
    except LocalError:
        print(phrase(Says.COPY_FAILED(path=copying.folder)), file=sys.stderr)
        failed = True
    with suppress(OSError):  # then there is none, which has been said
        path = copying.file(place)
        if at := written(path):
            made = datetime.fromtimestamp(at, UTC).astimezone()
            day = made.isoformat(" ", "minutes")[:16]
            print(phrase(Says.COPY_THERE(path=path, day=day)))
    return int(failed)


ROWS: Final[Mapping[str, Command]] = {
    "export": Command(
        HELP=(
            "put key, friends, games, words and settings into one file under "
            "a passphrase, for another computer; this one plays no more with "
            "that key"
        ),
        add=add_export,
        run=run_export,
    ),
    "import": Command(
        HELP=(
            "take key, friends, games, words and settings from a file of "
            "`netplay export`"
        ),
        add=add_import,
        run=run_import,
    ),
    "backup": Command(
        HELP=(
            "keep an encrypted copy of key, friends, games, words and "
            "settings in a folder, best on another disk; without a folder, make "
            "it anew and say where it is"
        ),
        add=add_backup,
        run=run_backup,
    ),
}
"""The commands, by what is typed."""
