"""`netplay watchers`: who looks on at the match here, and whether they may."""

import argparse
from typing import Literal

from netplay.commands.asking import add_table, ask, meant, node_status
from netplay.commands.status import asking
from netplay.language import _, phrase
from netplay.messages.table_questions import AnswerWatcher, LetWatch
from netplay.messages.types import Admission
from netplay.sentences import Says

HELP = "who looks on at the match here; let them, or not"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "verdict",
        nargs="?",
        choices=("allow", "refuse", "ask", "anybody", "nobody"),
        help="allow or refuse one; or for this match: ask about each, let anybody "
        "watch, let nobody (nothing: only say who is there)",
    )
    parser.add_argument(
        "whom", nargs="?", default="", help="name or key; not needed if only one asks"
    )
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node, or print who watches."""
    verdict: Literal["allow", "refuse"] | Admission | None = arguments.verdict
    if verdict == "allow" or verdict == "refuse":  # noqa: PLR1714 (so that types follow)
        return ask(AnswerWatcher(verdict == "allow", arguments.whom), arguments.table)
    if verdict is not None:
        return ask(LetWatch(verdict), arguments.table)
    table = meant(node_status(arguments.table))
    if table is None:
        print(_("no table"))
        return 0
    for name in table.watchers:
        print(phrase(Says.WATCHES(name=name)))
    for line in asking(table):
        print(line)
    print(_("who may watch: {who}").format(who=_(table.bystanders)))
    return 0
