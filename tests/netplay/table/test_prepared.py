"""Moves on condition as windows ask for them, and are shown them."""

from netplay.errors import Code
from netplay.messages.door import Play
from netplay.messages.table_questions import DropPrepared, Prepare, PreparedLine
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.joined_nodes import Net
from tests.netplay.table.test_guests_away import gone, lent
from tests.netplay.table.test_offers_made import begin
from tests.said import says


def line(net: Net, count: int) -> list[tuple[int, bytes]]:
    """Return the first legal moves from now on, with who makes them."""
    match = net["ann"].match
    game, state, found = match.fold.game, match.fold.state, list[tuple[int, bytes]]()
    for _turn in range(count):
        seat = min(game.actors(state))
        move = next(iter(game.moves(state, seat)))
        found.append((seat, pack(move)))
        state = game.play(state, seat, move)
    return found


def number(net: Net, name: str) -> int:
    match = net[name].match
    return match.fold.number


def test_a_line_is_shown_to_the_own_windows_alone_and_played(net: Net) -> None:
    begin(net)
    moves = line(net, 4)
    raws = tuple(raw for _seat, raw in moves)
    assert net.status("bob").made.prepares == (1,)
    assert net.status("ann").made.prepares == ()
    net.done("bob", Prepare(1, raws, number(net, "bob")))
    net.settle()
    assert net.status("bob").made.prepared == (PreparedLine(1, tuple(moves)),)
    assert net.status("ann").made.prepared == ()
    net.done("ann", Play(0, raws[0], number(net, "ann")))
    net.settle()
    assert net.status("bob").made.prepared == (PreparedLine(1, tuple(moves[2:])),)
    assert net.status("ann").turn == (0,)
    assert says(net["bob"].lines("system"), Says.PREPARED_MADE)
    net.done("bob", DropPrepared(1, raws[2:]))
    assert net.status("bob").made.prepared == ()
    net.done("ann", Play(0, raws[2], number(net, "ann")))
    net.settle()
    assert net.status("ann").turn == (1,)


def test_what_cannot_be_prepared_or_dropped_is_refused(net: Net) -> None:
    assert net.failed("bob", Prepare(1, (b"",))) is Code.NO_TABLE
    begin(net)
    raws = tuple(raw for _seat, raw in line(net, 2))
    assert net.failed("ann", Prepare(0, raws)) is Code.USAGE
    assert net.failed("ann", Prepare(1, raws)) is Code.NOT_A_MEMBER
    assert net.failed("bob", Prepare(0, raws)) is Code.NOT_A_MEMBER
    assert net.failed("bob", Prepare(7, raws)) is Code.NOT_A_MEMBER
    assert net.failed("bob", Prepare(1, (raws[0], raws[0]))) is Code.ILLEGAL_MOVE
    assert net.failed("bob", DropPrepared(1)) is Code.USAGE
    before = number(net, "bob")
    net.done("ann", Play(0, raws[0], number(net, "ann")))
    net.settle()
    net.done("bob", Play(1, raws[1], number(net, "bob")))
    net.settle()
    late = tuple(raw for _seat, raw in line(net, 2))
    assert net.failed("bob", Prepare(1, late, before)) is Code.STALE
    net.done("bob", Prepare(1, late, number(net, "bob")))
    net.done("bob", Play(1, pack(Resign()), number(net, "bob")))
    net.settle()
    assert net.status("bob").made.prepared == ()
    assert net.failed("bob", Prepare(1, late)) is Code.USAGE


def test_a_game_with_tiles_takes_no_prepared_move(net: Net) -> None:
    begin(net, game="networdz")
    for name, seat in (("ann", 0), ("bob", 1)):
        assert net.status(name).made.prepares == ()
        assert net.failed(name, Prepare(seat, (b"x", b"y"))) is Code.USAGE


def test_what_was_prepared_is_not_played_for_a_guest_who_has_the_seat(net: Net) -> None:
    begin(net)
    first, second = (raw for _seat, raw in line(net, 2))
    net.done("bob", Prepare(1, (first, second), number(net, "bob")))
    lending = lent(net, "bob")
    lending.all = frozenset({1})
    gone(net, "bob", 1, away=False)
    told = net.status("bob").made
    assert (told.prepared, told.prepares) == ((), ())
    assert net.failed("bob", Prepare(1, (first, second))) is Code.USAGE
    net.done("ann", Play(0, first, number(net, "ann")))
    net.settle()
    assert net.status("ann").turn == (1,)
    assert not says(net["bob"].lines("system"), Says.PREPARED_MADE)
