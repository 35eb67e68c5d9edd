"""Ask for a passphrase without showing it, or read it from a file."""

import argparse
import getpass
import sys
from pathlib import Path

from netplay.errors import Code, LocalError
from netplay.language import _
from netplay.named_files import EDITION_BYTES, read_named
from netplay.sentences import Says


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
        return _first_line(Path(arguments.passphrase_file).expanduser())
    if not sys.stdin.isatty():
        raise LocalError(Code.USAGE, Says.PHRASE_NEEDED())
    try:
        typed = getpass.getpass(_("Passphrase: "))
        if new and getpass.getpass(_("Once more: ")) != typed:
            raise LocalError(Code.USAGE, Says.PHRASES_DIFFER())
    except EOFError:
        raise LocalError(Code.USAGE, Says.PHRASE_NEEDED()) from None
    return typed


def _first_line(path: Path) -> str:
    try:
        lines = read_named(path, EDITION_BYTES).decode().splitlines()
    except (OSError, ValueError) as error:
        raise LocalError(Code.FILE, Says.AT(place=path, why=error)) from None
    return lines[0] if lines else ""
