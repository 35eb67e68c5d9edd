"""`netplay games`: the tables in hand: who plays, whose turn it is and since when."""

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec.structs import asdict

from netplay import home
from netplay.commands.asking import node_status
from netplay.commands.status import plain
from netplay.daemon.finished_matches import FinishedFiles
from netplay.language import _, ngettext, phrase
from netplay.messages.table_questions import (
    Finished,
    GameStatus,
    has_words,
    records,
    told_apart,
)
from netplay.peering.identity import open_identity
from netplay.text import phrases
from netplay.text.phrases import asked
from rules import title_of

HELP = "the tables in hand, those that wait for you first"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--all", action="store_true", help="those that are over, too")
    parser.add_argument(
        "--finished", nargs="?", const="", metavar="TEXT",
        help="instead those that are over, with results against each friend; "
        "of TEXT only those with its words in game, names or result",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """List the tables."""
    if arguments.finished is not None:
        return _finished(arguments.finished, as_json=arguments.json)
    games = node_status().games
    known, now = {game.match for game in games}, datetime.now(UTC).timestamp()
    over = [] if not arguments.all else [
        one for one in _matching(home.find(None), "") if one.match not in known
    ]  # fmt: skip
    if arguments.json:
        rows = [*games, *(as_game(one, now) for one in over)]
        print(json.dumps(plain(tuple(rows)), ensure_ascii=False))
        return 0
    for line in (*map(lines, games), *map(_line, over)):
        print(line)
    if not games and not over:
        print(_("no table"))
    return 0


def as_game(one: Finished, now: float) -> GameStatus:
    """Return a match that is over as the list of tables has those in hand.

    Its table is 0, for it is at none; and nothing is said of an audit, which is not
    worked out again for a list.
    """
    return GameStatus(
        table=0, match=one.match, mode="finished", phase="over", game=one.game,
        players=one.players, turn=(), mine=False, since=max(0, int(now - one.at)),
        clock=-1, unread=0, undelivered=False, away=(), own=one.own, result=one.result,
    )  # fmt: skip


def _finished(text: str, *, as_json: bool) -> int:
    """List the matches of the home that are over; no node need run for that."""
    place = home.find(None)
    found = list(_matching(place, text)) if place.key.exists() else []
    if as_json:
        print(json.dumps(plain(tuple(found)), ensure_ascii=False))
        return 0
    for one in found:
        print(_line(one))
    every = records(found)
    for against in every:
        words = _("{name}: {won} won, {lost} lost, {tied} tied")
        name = told_apart(against, every)
        print(words.format(**{**asdict(against), "name": name}))
    if not found:
        print(_("no finished match"))
    return 0


def _line(one: Finished) -> str:
    """Return what there is to say of a match that is over."""
    day = datetime.fromtimestamp(one.at, UTC).date().isoformat()
    told = f"{day}  {one.title}: {', '.join(one.players)}", phrases.result(one.result)
    return "; ".join(filter(None, (*told, one.path)))


def _matching(place: home.Home, text: str) -> Iterator[Finished]:
    """Yield the finished matches with every word of a text in what is told of them."""
    for one in FinishedFiles(place, open_identity(place).key).all():
        names = " ".join(
            (one.title, *one.players, one.result, phrases.result(one.result))
        )
        if has_words(names, text):
            yield one


def lines(game: GameStatus) -> str:
    """Return what there is to say of a table in hand, on one line."""
    return "; ".join(_told(game))


def _told(game: GameStatus) -> Iterator[str]:
    title = title_of(game.game)
    mark = "*" if game.mine else " "
    what = title or _(game.mode)
    yield f"{mark}{game.table}  {what}: {', '.join(game.players)}"
    yield _(game.phase)
    if game.result:
        yield phrases.result(game.result)
    if game.audit:
        yield _("audit: {result}").format(result=phrase(game.audit))
    turn = ", ".join(game.players[seat] for seat in game.turn)
    if turn:
        since = phrases.lasting(game.since)
        line = _("{name} is on turn, for {time}") if since else _("{name} is on turn")
        yield line.format(name=turn, time=since)
    yield from _besides(game)


def _besides(game: GameStatus) -> Iterator[str]:
    """Yield what else is to be known: time, chat, what has not left, who is away."""
    if game.left is not None and game.turn:
        over = game.left <= 0
        line = _("time is over") if over else _("{time} left")
        yield line.format(time=phrases.time_left(game.left))
    for name, seconds in game.off:
        line = _("{name} has days off, for {time}")
        yield line.format(name=name, time=phrases.time_left(seconds))
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
        away = ngettext("away: {names}", "away: {names}", len(game.away))
        yield away.format(names=", ".join(game.away))
