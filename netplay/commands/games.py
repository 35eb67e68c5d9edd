"""`netplay games`: the tables in hand: who plays, whose turn it is and since when."""

import argparse
import json
from collections.abc import Iterator

from netplay import home
from netplay.commands.status import plain
from netplay.daemon.visit import Visit
from netplay.language import _, phrase
from netplay.messages.door import GameStatus
from netplay.text.delivery import asked
from rules import GAMES

HELP = "the tables in hand, those that wait for you first"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """List the tables."""
    with Visit(home.find(None)) as visit:
        games = visit.status().games
    if arguments.json:
        print(json.dumps(plain(games), ensure_ascii=False))
        return 0
    for game in games:
        print("; ".join(_told(game)))
    if not games:
        print(_("no table"))
    return 0


def _told(game: GameStatus) -> Iterator[str]:
    """Yield what there is to say of a table."""
    title = GAMES[game.game].ABOUT.title if game.game in GAMES else game.game
    mark = "*" if game.yours else " "
    what = title or _(game.mode)
    yield f"{mark}{game.number}  {what}: {', '.join(game.players)}"
    yield _(game.phase)
    turn = ", ".join(game.players[seat] for seat in game.turn)
    if turn:
        line = _("{name} is on turn, for {seconds} s")
        yield line.format(name=turn, seconds=game.since)
    if game.waiting:
        yield _("waiting for {what}").format(what=phrase(game.waiting))
    if game.asked:
        yield asked(game.asked)
    if game.unread:
        yield _("{count} unread").format(count=game.unread)
    if game.undelivered:
        yield _("not delivered yet")
    if game.muted:
        yield _("muted")
    if game.away:
        yield _("away: {names}").format(names=", ".join(game.away))
