"""`netplay import`: take up at this computer what another has exported."""  # noqa: N999 (what the user types)

import argparse
import sys
from pathlib import Path

from netplay import home
from netplay.commands import sharing
from netplay.commands.progress import progress
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.language import _, phrase
from netplay.moving import homes
from netplay.named_files import command_memory, read_named
from netplay.record.store import SUFFIX
from netplay.sentences import Says

HELP = "take key, friends, matches, words and settings from a file of `netplay export`"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", metavar="FILE")
    sharing.add(parser)
    parser.add_argument(
        "--force",
        action="store_true",
        help="put aside what this computer has already, and do not ask",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read the file and put it into the home."""
    place, path = home.find(None), Path(arguments.file).expanduser()
    data = _read(path)
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
    matches = packed.count("matches", SUFFIX)
    print(phrase(Says.MOVED_IN(path=place.path, matches=matches)))
    if kept is not None:
        print(phrase(Says.PUT_ASIDE(path=kept)))
    return 0


def _read(path: Path) -> bytes:
    """Return what is in a file.

    Raises:
        LocalError: FILE, it cannot be read, or is no such file by its size.
    """
    try:
        if path.stat().st_size > homes.MOST_BYTES:
            raise LocalError(Code.FILE, Says.NOT_EXPORTED(path=path))
        return read_named(path, homes.MOST_BYTES)
    except (OSError, ValueError) as error:
        raise LocalError(Code.FILE, Says.AT(place=path, why=error)) from None


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
