"""The commands that ask the running node one question and print what it says."""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from netplay import home
from netplay.commands import Command
from netplay.commands.asking import add_address, add_table, ask, consent, dial, follow
from netplay.commands.sharing import add_force, spare, whole
from netplay.daemon.visit import Visit
from netplay.errors import LocalError
from netplay.fingerprint import invitation_or
from netplay.language import phrase
from netplay.messages import door, node_questions, table_questions
from netplay.messages.table import COUNTED
from netplay.said import Said
from netplay.sentences import Says
from netplay.text import phrases

Run: TypeAlias = Callable[[argparse.Namespace], int]
"""What a command does; it returns the exit code."""


def _at_table(question: Callable[[], door.Question]) -> Run:
    """Return what asks a question that has no values, at the table meant."""

    def run(arguments: argparse.Namespace) -> int:
        return ask(question(), arguments.table)

    return run


def _stop(arguments: argparse.Namespace) -> int:
    """End the node, also one that an update of this program has left behind."""
    del arguments
    try:
        return ask(door.StopNode())
    except LocalError as error:
        said = error.detail
        if not isinstance(said, Said) or said.code != Says.OTHER_VERSION.name:
            raise
        version = str(dict(said.values)["node"])
    with Visit(home.find(None), version=version) as visit:
        print(phrase(visit.ask(door.StopNode()).text))
    return 0


def _invite(arguments: argparse.Namespace) -> int:
    """Print the line that invites, and beside it what is to be known of it."""
    del arguments
    with Visit(home.find(None)) as visit:
        print(phrase(visit.ask(node_questions.GetInvitation()).text))
        visit.ask(door.InviteTo(None))
        if words := phrases.inviting(visit.status().network):
            print(words, file=sys.stderr)
    return 0


def _consents(*, accept: bool) -> Run:
    """Return what says yes or no to a call."""

    def run(arguments: argparse.Namespace) -> int:
        return consent(arguments.table, accept=accept)

    return run


def _nothing(parser: argparse.ArgumentParser) -> None:
    del parser


def _whom_at_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("whom", metavar="NAME", help="the player's name or key")
    add_table(parser)


def _kick(arguments: argparse.Namespace) -> int:
    return ask(table_questions.Kick(arguments.whom), arguments.table)


def _anybody(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "whom", metavar="NAME", help="the player's name or key, here, met or nearby"
    )


def _block(arguments: argparse.Namespace) -> int:
    return ask(node_questions.Block(arguments.whom))


def _line(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="+", metavar="TEXT", help="the line")
    add_table(parser)


def _say(arguments: argparse.Namespace) -> int:
    return ask(door.Say(" ".join(arguments.text)), arguments.table)


def _new_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    add_force(parser)
    add_table(parser)


def _save(arguments: argparse.Namespace) -> int:
    path = spare(arguments.file, arguments)
    return ask(door.Save(str(path), arguments.force), arguments.table)


def _old_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="none: the last game"
    )


def _load(arguments: argparse.Namespace) -> int:
    return ask(door.Load(str(arguments.file.absolute()) if arguments.file else ""))


def _peer(parser: argparse.ArgumentParser) -> None:
    add_address(parser)
    add_table(parser)


def _call(arguments: argparse.Namespace) -> int:
    call = door.Call(arguments.address, arguments.seat - 1)
    return dial(call, arguments.table)


def _host(parser: argparse.ArgumentParser) -> None:
    add_address(parser)
    parser.add_argument(
        "--open", type=whole(), default=0, metavar="N",
        help="which of several tables that are open there, from 1",
    )  # fmt: skip


def _join(arguments: argparse.Namespace) -> int:
    join = door.Join(arguments.address, arguments.seat - 1)
    return dial(join, chosen=arguments.open)


def _whom_to_watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "address",
        type=invitation_or,
        metavar="ADDRESS",
        help="of a player: host, host:port, [IPv6]:port or an invitation",
    )
    parser.add_argument(
        "--pass-on",
        action=argparse.BooleanOptionalAction,
        help="if many watch a game, pass it on to some of them or get it from one, who "
        "see this computer's address (on)",
    )


def _watch(arguments: argparse.Namespace) -> int:
    """Ask to look on; 0 once this node watches or the players are asked, else 1."""
    with Visit(home.find(None), pushes=True) as visit:
        if arguments.pass_on is not None:
            visit.ask(node_questions.Switch("pass-on", arguments.pass_on))
        question = table_questions.WatchAt(arguments.address)
        print(phrase(visit.ask(question).text))
        return follow(visit, _watched)


def _watched(message: door.FromNode) -> str | None:
    """Return what to say once this node watches or has asked to; None before."""
    if isinstance(message, door.Notice):
        return "" if message.said.code == Says.ASKED_TO_WATCH.name else None
    if isinstance(message, door.Status) and message.mode == "watching":
        return phrase(Says.WATCHING())
    return None


def _what_to_mute(parser: argparse.ArgumentParser) -> None:
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


def _mute(arguments: argparse.Namespace) -> int:
    if arguments.quiet is not None:
        off = arguments.off or arguments.quiet.strip().lower() == "off"
        return ask(table_questions.SetQuiet("" if off else arguments.quiet))
    on = not arguments.off
    if arguments.player is not None:
        return ask(table_questions.Mute(on, arguments.player))
    return ask(table_questions.Mute(on), arguments.table)


ROWS: Final[Mapping[str, Command]] = {
    "accept": Command(
        HELP="sit down at the table that somebody calls to",
        add=add_table,
        run=_consents(accept=True),
    ),
    "decline": Command(
        HELP=("do not sit down at the table that somebody calls to, or get up from it"),
        add=add_table,
        run=_consents(accept=False),
    ),
    "start": Command(
        HELP="as host: start the game, once everybody has accepted",
        add=add_table,
        run=_at_table(lambda: door.StartMatch(COUNTED)),
    ),
    "claim": Command(
        HELP="say that a player's time is over, or that tiles are withheld",
        add=add_table,
        run=_at_table(table_questions.ClaimTime),
    ),
    "leave": Command(
        HELP=("leave the table or stop watching; a game can be loaded again"),
        add=add_table,
        run=_at_table(door.LeaveTable),
    ),
    "rematch": Command(
        HELP=("play again: propose it as host, ask for it or agree to it as guest"),
        add=add_table,
        run=_at_table(table_questions.PlayAgain),
    ),
    "kick": Command(
        HELP=("free a player's seat at the open table, which they cannot take again"),
        add=_whom_at_table,
        run=_kick,
    ),
    "block": Command(
        HELP="free a player's seat and never hear from their key again",
        add=_anybody,
        run=_block,
    ),
    "say": Command(HELP="say a line to everybody at the table", add=_line, run=_say),
    "save": Command(
        HELP="write the game to a file, to keep or to hand on", add=_new_file, run=_save
    ),
    "load": Command(
        HELP="open the file of a game and wait for its players",
        add=_old_file,
        run=_load,
    ),
    "stop": Command(
        HELP="save the game, say goodbye to the peers and end the node",
        add=_nothing,
        run=_stop,
    ),
    "call": Command(
        HELP=("call a peer that waits (`netplay answer`) to a free remote seat"),
        add=_peer,
        run=_call,
    ),
    "join": Command(
        HELP="call a host whose table is open and ask for a seat", add=_host, run=_join
    ),
    "invite": Command(
        HELP=(
            "print one line with the addresses and the key of the running node."
            ' A friend pastes it into the window, or gives it to "netplay join"'
            ' or "netplay call" (in quotes).'
        ),
        add=_nothing,
        run=_invite,
    ),
    "watch": Command(
        HELP=("ask to look on at a game; its players are asked whether they agree"),
        add=_whom_to_watch,
        run=_watch,
    ),
    "mute": Command(
        HELP=("be told nothing of a table, of what a player writes, or in quiet hours"),
        add=_what_to_mute,
        run=_mute,
    ),
}
"""Command -> what it is; `netplay.commands.ROWS` lists them among the others."""
