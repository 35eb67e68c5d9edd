"""Numbers on the command line: what is none is said in the user's language."""

import argparse
import getpass
import math
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from netplay import home
from netplay.errors import Code, LocalError
from netplay.language import _
from netplay.named_files import EDITION_BYTES, place_of, read_named
from netplay.said import spoken
from netplay.sentences import Says
from rules.game import Game, IllegalMoveError

LARGEST: Final = 2**63 - 1
"""What a number in a message may be."""


def whole(least: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number, for `add_argument`.

    Args:
        least: The smallest that will do; None for any.
    """

    def read(text: str) -> int:
        try:
            found = int(text)
        except ValueError:
            why = _("{text} is not a whole number").format(text=repr(text))
            raise argparse.ArgumentTypeError(why) from None
        if abs(found) > LARGEST:
            raise argparse.ArgumentTypeError(_("a number is too large"))
        if least is not None and found < least:
            why = _("{text} is less than {least}").format(text=text, least=least)
            raise argparse.ArgumentTypeError(why)
        return found

    return read


def port(text: str) -> int:
    """Return a port from the command line.

    Raises:
        argparse.ArgumentTypeError: It is none.
    """
    if not (text.isascii() and text.isdigit() and int(text) < 65536):
        why = _("{text} is not a port (0 to 65535)").format(text=repr(text))
        raise argparse.ArgumentTypeError(why)
    return int(text)


def real(text: str) -> float:
    """Return a number that may have a fraction.

    Raises:
        argparse.ArgumentTypeError: It is none.
    """
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        why = _("{text} is not a number").format(text=repr(text))
        raise argparse.ArgumentTypeError(why)
    return found


# What the commands that write a file share: none is lost by writing over it.


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


# Ask for a passphrase without showing it, or read it from a file.


def add(parser: argparse.ArgumentParser) -> None:
    """Take the option that names a file."""
    parser.add_argument(
        "--passphrase-file",
        metavar="FILE",
        help="read the passphrase from its first line, and do not ask for it",
    )


def passphrase(arguments: argparse.Namespace, *, new: bool = False) -> str:
    """Return the passphrase.

    Args:
        arguments: May name a file.
        new: It is chosen just now: ask twice.

    Raises:
        LocalError: FILE, the file cannot be read; USAGE, nobody can be asked, or two
            different ones were typed.
    """
    if arguments.passphrase_file is not None:
        path = place_of(arguments.passphrase_file)
        try:
            lines = read_named(path, EDITION_BYTES).decode().splitlines()
        except (OSError, ValueError) as error:
            raise LocalError(Code.FILE, Says.AT(place=path, why=error)) from None
        return lines[0] if lines else ""
    if not sys.stdin.isatty():
        raise LocalError(Code.USAGE, Says.PHRASE_NEEDED())
    try:
        typed = getpass.getpass(_("Passphrase: "))
        if new and getpass.getpass(_("Once more: ")) != typed:
            raise LocalError(Code.USAGE, Says.PHRASES_DIFFER())
    except EOFError:
        raise LocalError(Code.USAGE, Says.PHRASE_NEEDED()) from None
    return typed


# The beginning of a match that is played by nobody at a table.


def set_up(
    game: Game[Any, Any], seats: int, pairs: Iterable[tuple[str, str]]
) -> tuple[Any, Any]:
    """Return the options that a user wishes for, and the state before the first move.

    Args:
        game: What is played.
        seats: How many play.
        pairs: (key, value) as typed; editions and word lists by their names.

    Raises:
        LocalError: It cannot be played so; see `chosen_options`.
    """
    # Imported late: most commands need neither tables nor words, and the window waits.
    from netplay.table.chosen_options import chosen_options  # noqa: PLC0415 (as above)
    from netplay.table.resources import OwnFiles  # noqa: PLC0415 (as above)

    OwnFiles(home.find(None)).refresh()
    options = chosen_options(game, pairs)
    try:
        return options, game.start(seats, options)
    except IllegalMoveError as error:
        raise LocalError(Code.USAGE, spoken(error)) from error


# How far long work is, on a terminal.


T = TypeVar("T")


@contextmanager
def progress(text: str, total: int | None = None) -> Generator[Callable[[int], None]]:
    """Show a bar while something goes on.

    Args:
        text: What goes on, in the user's language.
        total: How much there is to do; None if nobody knows.

    Yields:
        What is told how much is done.
    """
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    # Imported late: it takes longer than most commands.
    from rich.console import Console  # noqa: PLC0415 (as above)
    from rich.progress import Progress  # noqa: PLC0415 (as above)

    console = Console(stderr=True, highlight=False)
    # What is written into a pipe has to go there, not over the bar.
    shown = sys.stdout.isatty()
    with Progress(console=console, transient=True, redirect_stdout=shown) as bar:
        task = bar.add_task(text, total=total)
        yield lambda done: bar.update(task, completed=done)


def counted(text: str, what: Iterable[T] | Sequence[T]) -> Iterator[T]:
    """Yield one thing after the other, and show how many have been done."""
    things = list(what)
    with progress(text, len(things)) as tell:
        for number, thing in enumerate(things):
            tell(number)
            yield thing
