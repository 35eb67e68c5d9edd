"""Moves on condition as windows ask for them, and are shown them."""

from collections.abc import Iterator

import pytest

from netplay.errors import Code
from netplay.messages.door import Play
from netplay.messages.table_questions import DropPrepared, Prepare, PreparedLine
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.joined_nodes import Net
from tests.netplay.table.test_guests_away import gone, lent
from tests.netplay.table.test_offers_made import begin
from tests.netplay.tables import failed, status
from tests.said import says


@pytest.fixture
def net() -> Iterator[Net]:
    found = Net("ann", "bob")
    yield found
    found.close()


def line(net: Net, count: int) -> list[tuple[int, bytes]]:
    """Return the first legal moves from now on, with who makes them."""
    match = net["ann"].match
    assert match is not None
    game, state, found = match.fold.game, match.fold.state, list[tuple[int, bytes]]()
    for _turn in range(count):
        seat = min(game.actors(state))
        move = next(iter(game.moves(state, seat)))
        found.append((seat, pack(move)))
        state = game.play(state, seat, move)
    return found


def number(net: Net, name: str) -> int:
    match = net[name].match
    assert match is not None
    return match.fold.number


def test_a_line_is_shown_to_the_own_windows_alone_and_played(net: Net) -> None:
    begin(net)
    moves = line(net, 4)
    raws = tuple(raw for _seat, raw in moves)
    assert status(net, "bob").made.prepares == (1,)
    assert status(net, "ann").made.prepares == ()
    net.done("bob", Prepare(1, raws, number(net, "bob")))
    net.settle()
    assert status(net, "bob").made.prepared == (PreparedLine(1, tuple(moves)),)
    assert status(net, "ann").made.prepared == ()
    net.done("ann", Play(0, raws[0], number(net, "ann")))
    net.settle()
    assert status(net, "bob").made.prepared == (PreparedLine(1, tuple(moves[2:])),)
    assert status(net, "ann").turn == (0,)
    assert says(net["bob"].lines("system"), Says.PREPARED_MADE)
    net.done("bob", DropPrepared(1, raws[2:]))
    assert status(net, "bob").made.prepared == ()
    net.done("ann", Play(0, raws[2], number(net, "ann")))
    net.settle()
    assert status(net, "ann").turn == (1,)


def test_what_cannot_be_prepared_or_dropped_is_refused(net: Net) -> None:
    assert failed(net, "bob", Prepare(1, (b"",))) is Code.NO_TABLE
    begin(net)
    raws = tuple(raw for _seat, raw in line(net, 2))
    assert failed(net, "ann", Prepare(0, raws)) is Code.USAGE
    assert failed(net, "ann", Prepare(1, raws)) is Code.NOT_A_MEMBER
    assert failed(net, "bob", Prepare(0, raws)) is Code.NOT_A_MEMBER
    assert failed(net, "bob", Prepare(7, raws)) is Code.NOT_A_MEMBER
    assert failed(net, "bob", Prepare(1, (raws[0], raws[0]))) is Code.ILLEGAL_MOVE
    assert failed(net, "bob", DropPrepared(1)) is Code.USAGE
    before = number(net, "bob")
    net.done("ann", Play(0, raws[0], number(net, "ann")))
    net.settle()
    net.done("bob", Play(1, raws[1], number(net, "bob")))
    net.settle()
    late = tuple(raw for _seat, raw in line(net, 2))
    assert failed(net, "bob", Prepare(1, late, before)) is Code.STALE
    net.done("bob", Prepare(1, late, number(net, "bob")))
    net.done("bob", Play(1, pack(Resign()), number(net, "bob")))
    net.settle()
    assert status(net, "bob").made.prepared == ()
    assert failed(net, "bob", Prepare(1, late)) is Code.USAGE


def test_a_game_with_tiles_takes_no_prepared_move(net: Net) -> None:
    begin(net, game="networdz")
    for name, seat in (("ann", 0), ("bob", 1)):
        assert status(net, name).made.prepares == ()
        assert failed(net, name, Prepare(seat, (b"x", b"y"))) is Code.USAGE


def test_what_was_prepared_is_not_played_for_a_guest_who_has_the_seat(net: Net) -> None:
    begin(net)
    first, second = (raw for _seat, raw in line(net, 2))
    net.done("bob", Prepare(1, (first, second), number(net, "bob")))
    lending = lent(net, "bob")
    lending.all = frozenset({1})
    gone(net, "bob", 1, away=False)
    told = status(net, "bob").made
    assert (told.prepared, told.prepares) == ((), ())
    assert failed(net, "bob", Prepare(1, (first, second))) is Code.USAGE
    net.done("ann", Play(0, first, number(net, "ann")))
    net.settle()
    assert status(net, "ann").turn == (1,)
    assert not says(net["bob"].lines("system"), Says.PREPARED_MADE)
