"""Lines that are typed in a terminal, while others may be printed at any time."""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import Final

from netplay.language import _
from netplay.sanitize import visible

PROMPT: Final = "> "

NARROWEST: Final = 30
"""Characters across for what a word means, however narrow the terminal is."""


def more_words() -> tuple[tuple[str, str], ...]:
    """Return (what is typed, what it does) of all but moves."""
    return (
        ("board", _("show the board again")),
        ("say TEXT", _("say a line to the table")),
        ("hint", _("ask for the best move, where the table allows it")),
        ("resign", _("give up at this seat")),
        ("undo", _("take back your move, as long as it has not been delivered")),
        (
            "offer WHAT",
            _("draw, stop, back (your turn), or days and a number of days off"),
        ),
        (
            "if X then Y",
            _("prepare Y for X; if alone lists what is prepared, if none drops"),
        ),
        ("yes", _("agree to what another offers")),
        ("no", _("decline it, or take back your own offer")),
        ("help", _("what can be typed")),
        ("quit", _("stop playing here; the match stays at the node")),
    )


def said(text: str) -> None:
    """Print what comes while the player may be typing, in one go."""
    lines = f"{visible(text)}\n"
    if sys.stdin.isatty() and threading.current_thread() is not threading.main_thread():
        lines = f"\r{lines}{PROMPT}"  # over the prompt that stands there, and again
    sys.stdout.write(lines)
    sys.stdout.flush()


def print_ways(ways: Sequence[tuple[str, str]]) -> None:
    """Print what may be typed, in two columns as wide as the terminal."""
    wide = max(len(words) for words, _meaning in ways)
    room = max(NARROWEST, get_terminal_size().columns - wide - len("    "))
    for typed, meaning in ways:
        first, *rest = wrap(meaning, room)
        print(f"  {typed:{wide}}  {first}")
        for line in rest:
            print(f"  {'':{wide}}  {line}")


def typed_lines() -> Iterator[str]:
    """Yield the lines that are typed, without blanks around them, until the end."""
    while True:
        try:
            words = input(PROMPT if sys.stdin.isatty() else "").strip()
        except EOFError:
            return
        if words:
            yield words


def complete(offered: Callable[[], Iterator[str]]) -> None:
    """Let the tabulator complete what is typed, where the system can."""
    try:
        import readline  # noqa: PLC0415 (not on every system)
    except ImportError:
        return

    def completed(begun: str, number: int) -> str | None:
        fits = [each for each in offered() if each.lower().startswith(begun.lower())]
        return fits[number] if number < len(fits) else None

    readline.set_completer_delims("")
    readline.set_completer(completed)
    readline.parse_and_bind("tab: complete")
