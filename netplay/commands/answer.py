"""`netplay answer`: wait for a host's call."""

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import chain

from netplay import home
from netplay.commands.asking import consent, invite
from netplay.daemon.visit import Visit
from netplay.language import _, phrase
from netplay.messages.door import Answer, Notice, Status
from netplay.sentences import Says
from rules import title_of

HELP = (
    "wait for a host's call: friends are sat down with; of anybody else you are asked "
    "here, or say so by `netplay accept`"
)


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--anybody",
        action="store_true",
        help="sit down with the first who calls, whoever it is, without asking",
    )
    parser.add_argument("--off", action="store_true", help="wait no longer")


def run(arguments: argparse.Namespace) -> int:
    """Tell the node to wait; on a terminal, ask of whoever calls."""
    waits = not arguments.off
    question = Answer(on=waits, first=waits and arguments.anybody)
    # Who calls while the command starts is met as well: a friend is sat down with at
    # once, perhaps before the next visit.
    before = _joined() if waits else frozenset[int]()
    code = invite(question, comes=waits)
    if not waits or arguments.anybody:
        return code
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(phrase(Says.YES_BY_ACCEPT()))
        return code
    with suppress(KeyboardInterrupt, EOFError):  # Ctrl-C, Ctrl-D
        return attend(before)
    return code


def _joined() -> frozenset[int]:
    """Return the tables of others at which this node sits."""
    with Visit(home.find(None)) as visit:
        return frozenset(x.table for x in visit.status().games if x.mode == "joined")


def attend(before: frozenset[int], answer: Callable[[str], str] = input) -> int:
    """Wait for a call, and ask the player of it where somebody unknown calls.

    Args:
        before: The tables of others at which this node sat before it was to wait.
        answer: Shows a question and returns what was typed.

    Returns:
        0 as soon as this node sits at another's table, or nobody is to be asked.
    """
    print(_("Ctrl-C ends this; the node goes on waiting."))
    refused = set[int]()
    while (number := _next_call(before, refused)) is not None:
        typed = answer(" / ".join((_("Yes"), _("No"))) + ": ").strip().casefold()
        yes = bool(typed) and typed[0] in {"y", _("Yes")[0].casefold()}
        consent(number, accept=yes)
        if yes:
            return 0
        refused.add(number)
    return 0


def _next_call(before: frozenset[int], refused: set[int]) -> int | None:
    """Wait until somebody calls; say who.

    Returns:
        The table of one that the player is to be asked of, None where there is none:
        a friend was sat down with, or the node waits no longer.
    """
    with Visit(home.find(None), pushes=True) as visit:
        # What stands already is looked at first: nothing new may be said of a call
        # that came while the player answered the one before.
        for message in chain([visit.status()], visit.heard(None)):
            if isinstance(message, Notice):
                print(phrase(message.said))  # a key that is new is told so
            if not isinstance(message, Status):
                continue
            for one in message.games:
                if one.mode == "called" and one.table not in refused:
                    names = ", ".join(filter(None, one.players))
                    print(phrase(Says.CALLS_YOU(names=names, game=title_of(one.game))))
                    return one.table
                if one.mode == "joined" and one.table not in before:
                    return None
            if message.mode == "idle":
                return None
    return None
