"""The commands of the program: a module for a large one, a row of a table for others.

A module has what `Runs` says; only that of the command that is run is imported.
Smaller commands are rows of the table `ROWS` of the module that `ROOMS` names; what
asks the running node one question is a row of `netplay.commands.questions`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

if TYPE_CHECKING:  # the list of commands, which `--help` shows, needs no parser
    from argparse import ArgumentParser, Namespace

COMMANDS: Final[Mapping[str, str]] = {
    "node": "the daemon in the foreground",
    "host": "open a table on the running node",
    "start": "start the game at the open table",
    "answer": "wait for a host's call",
    "accept": "sit down at the table that somebody calls to",
    "decline": "do not sit down there",
    "call": "call a waiting peer to the open table",
    "join": "call a waiting host and take a seat",
    "kick": "free a player's seat at the open table",
    "block": "hear from a player never again",
    "claim": "say that a player's time is over, or that tiles are withheld",
    "offer": "offer a draw, to stop, to take back, days off; or answer",
    "mute": "be told nothing of a table, a player's chat, or in quiet hours",
    "leave": "leave the table, or watch no longer",
    "watch": "look on at a game that others play",
    "watchers": "who looks on at the game here, and whether they may",
    "rematch": "play again, the seats one place on",
    "play": "play in the terminal",
    "games": "the tables in hand, those that wait for you first",
    "status": "what the running node is doing",
    "say": "say a line to the table",
    "write": "write to a friend, with or without a game",
    "save": "write the game to a file",
    "load": "go on with a game from a file",
    "stop": "end the running node",
    "web": "the same window in a browser on this computer",
    "lend": "lend a person's seat to a browser, by a link that is good once",
    "nearby": "tables found on this network",
    "invite": "a line that invites others to the running node",
    "link": "open netplay: lines that you click, or no more",
    "peers": "the nodes met so far, and their keys",
    "reach": "find out whether others can reach the running node",
    "demo": "nodes of computer players on this computer, playing a whole game",
    "verify": "check the file of a game, trusting nobody",
    "show": "the board of a game's file as text",
    "picture": "the board of a game's file as a picture",
    "gcg": "read and write the game records of other programs",
    "analyse": "the best plays of a finished game beside those made",
    "plays": "every legal play in a position",
    "perft": "count the positions after some plies",
    "arena": "two computer players against each other, many times",
    "levels": "how well the levels of computer players play",
    "puzzle": "a position with one best move: today's, or one by its number",
    "words": "the dictionary tools",
    "export": "take everything to another computer, in one file",
    "import": "take up what another computer has exported",
    "backup": "an encrypted copy of everything, kept fresh in another place",
    "news": "notices of security releases, signed; off until you want them",
    "report": "one file to send with a complaint, without anything private",
    "completion": "completion of words for bash, zsh or fish",
    "bench": "measure speed, as ratios in one run",
}
"""Command -> what it does, in the order in which they are listed."""


ROOMS: Final[Mapping[str, str]] = {
    "analyse": "plays",
    "answer": "games",
    "backup": "moving",
    "bench": "upkeep",
    "completion": "upkeep",
    "export": "moving",
    "gcg": "show",
    "import": "moving",
    "lend": "host",
    "levels": "arena",
    "link": "window",
    "nearby": "peers",
    "news": "upkeep",
    "offer": "games",
    "perft": "plays",
    "picture": "show",
    "puzzle": "plays",
    "reach": "peers",
    "report": "upkeep",
    "watchers": "games",
    "write": "peers",
}
"""Command -> the module with others of its subject, which has a table of them."""


class Runs(Protocol):
    """A command: a module, or a row of a table."""

    @property
    def HELP(self) -> str:  # noqa: N802 (a module's constant)
        """One line on what it does."""
        ...

    def add(self, parser: "ArgumentParser") -> None:
        """Say what the command takes."""
        ...

    def run(self, arguments: "Namespace") -> int:
        """Do it; return the exit code.

        Raises:
            LocalError: In words that the user reads.
        """
        ...


class Command(NamedTuple):
    """A command that has no module of its own."""

    HELP: str
    add: "Callable[[ArgumentParser], None]"
    run: "Callable[[Namespace], int]"


def command(name: str) -> Runs:
    """Return a command; nothing else is imported."""
    if find_spec(f"{__name__}.{name}"):
        return cast("Runs", import_module(f"{__name__}.{name}"))
    room = import_module(f"{__name__}.{ROOMS.get(name, 'questions')}")
    return cast("Runs", room.ROWS[name])
