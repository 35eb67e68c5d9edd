"""The parser of command lines: it tells what is wrong in a line, and in the language.

It is a module of its own because `--help` of the whole program needs no parser.
"""

import argparse
import gettext
import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NoReturn

from netplay.catalogues import DOMAIN, LOCALE, _, spoken
from netplay.sanitize import clean

if TYPE_CHECKING:
    from typing_extensions import override
else:  # which takes a third of the time in which this program starts another

    def override(method: Any) -> Any:  # noqa: ANN401 (as it is)
        """Return the method; only the type checkers look."""
        return method


MESSAGE_CHARACTERS: Final = 500
"""Told of what is wrong in a line: it may be a whole book that was pasted."""


class _Formatter(argparse.HelpFormatter):
    """Shows what arguments mean in the user's language."""

    @override
    def _get_help_string(self, action: argparse.Action) -> str | None:
        """Return what an argument means; it is English where it is added."""
        return _(action.help) if action.help else None


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what was wrong and where to read what is right."""

    def __init__(self, **wishes: Any) -> None:  # noqa: ANN401 (argparse's own)
        """Prepare; see `argparse`."""
        super().__init__(formatter_class=_Formatter, **wishes)

    @override
    def error(self, message: str) -> NoReturn:
        """Print one line and exit with 2."""
        more = _("(see {command} --help)").format(command=self.prog)
        # What somebody has sent may have been pasted here, such as an invitation
        self.exit(2, f"{self.prog}: {clean(message, MESSAGE_CHARACTERS)} {more}\n")


@contextmanager
def usage() -> Generator[None]:
    """Let `argparse`, which asks gettext by itself, say what is wrong in that language.

    What it says is in our catalogue, too; it looks for the language in the
    environment.
    """
    before = os.environ.get("LANGUAGE")
    gettext.bindtextdomain(DOMAIN, LOCALE)
    domain = gettext.textdomain()
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = spoken()
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before
