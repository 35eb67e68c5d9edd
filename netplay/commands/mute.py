"""`netplay mute`: be told nothing of a table, of a player's chat, or in some hours."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.table_questions import Mute, SetQuiet

HELP = "be told nothing of a table, of what a player writes, or in quiet hours"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--player", metavar="NAME", help="what this player writes: a name or a key"
    )
    what.add_argument(
        "--quiet",
        metavar="HOURS",
        help="everything in these hours, as 22:00-07:00; `off` for none",
    )
    parser.add_argument("--off", action="store_true", help="be told of it again")
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    if arguments.quiet is not None:
        off = arguments.off or arguments.quiet.strip().lower() == "off"
        return ask(SetQuiet("" if off else arguments.quiet))
    on = not arguments.off
    if arguments.player is not None:
        return ask(Mute(on, arguments.player))
    return ask(Mute(on), arguments.table)
