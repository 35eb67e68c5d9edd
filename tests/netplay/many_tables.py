"""Several matches among the nodes of a net, for tests."""

from itertools import islice
from random import Random

from netplay.messages.door import Answer, LookAt, Request, StartMatch, TableStatus
from netplay.messages.table_questions import GameStatus, StandIn
from rules import GAMES
from tests.netplay.joined_nodes import Net, table
from tests.netplay.tables import SMALL

GAMES_AT_ONCE = ("networdz", "numlo", "hexagrams")


def games(net: Net, name: str) -> dict[str, GameStatus]:
    """Return the tables of a node, by their games."""
    found = net[name].tables.games(net.now)
    assert len({one.game for one in found}) == len(found)
    return {one.game: one for one in found}


def of(net: Net, name: str, game: str) -> TableStatus:
    """Return a table of a node as the window sees it that looks at it."""
    tables, number = net[name].tables, games(net, name)[game].table
    tables.window_up(77)
    tables.ask(77, Request(0, LookAt(number)), net.now)
    found = tables.table_status(net.now, 77)
    tables.window_down(77)
    assert found is not None
    assert found.number == number
    return found


def begin(net: Net, host: str, guest: str, *named: str, computers: bool = True) -> None:
    """Let two begin matches of several games."""
    net.done(guest, Answer(on=True))
    kind = "computer:40" if computers else "person"
    for name in (host, guest) if computers else ():
        net.done(name, StandIn(40))
    for game in named:
        options = SMALL if game == "numlo" else ()
        net.done(host, table(game, kind, f"remote:{guest}", options=options))
        net.settle()
        net.done(host, StartMatch(), on=games(net, host)[game].table)
        net.settle()


def raws(net: Net, name: str, game: str) -> tuple[bytes, ...]:
    """Return the log of a match at a node."""
    match = games(net, name)[game].match
    place = net[name].tables.places.of_match(match)
    assert place is not None
    assert place.table.match is not None
    return place.table.match.ledger.raws(0)


def moves(net: Net, rng: Random, count: int) -> None:
    """Let computers move, whose turn it is at any table."""
    for _ in range(count):
        wanted = [
            (node, thought)
            for node in net.nodes.values()
            for thought in node.tables.wants().thoughts
        ]
        if not wanted:
            return
        node, thought = rng.choice(wanted)
        some = islice(GAMES[thought.game].moves(thought.view, thought.seat), 30)
        node.tables.thought(thought, rng.choice(list(some)), net.now)
        net.settle()
