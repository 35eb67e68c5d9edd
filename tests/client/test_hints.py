"""Hints are where the window shows a button for them, in the terminal too."""

from random import Random

import pytest

from client.pages import screen
from client.ui.intents import Click
from client.ui.scene import find
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.door import HostTable, Join, StartMatch
from netplay.wire import pack
from rules import GAMES, numlo
from tests.client.worlds import base, fed, status
from tests.netplay.joined_nodes import Net, Node

ALLOWED = (("hints", "yes"),)
TYPED = [game for game in GAMES if not GAMES[game].ABOUT.hz]
TABLES = [
    *((game, (), other) for game in TYPED
      for other in ("computer:20", "person:B", "remote")),
    ("networdz", ALLOWED, "computer:20"), ("networdz", ALLOWED, "person:B"),
]  # fmt: skip


def begun(game: str, options: tuple[tuple[str, str], ...], other: str) -> Net:
    """Begin a match of Ada's with somebody; a computer moves until a person must."""
    net = Net("ada", "ben")
    net.done("ada", HostTable(game, ("person:A", other), options, "", ""))
    if other == "remote":
        net.done("ben", Join("ada", -1))
        net.settle()
    net.done("ada", StartMatch())
    net.settle()
    while net.think(Random(1)):
        net.settle()
    return net


def on_turn(net: Net, other: str) -> tuple[Node, int]:
    """Return the node at which somebody is on turn, and the seat."""
    assert net["ada"].table.match is not None
    (seat,) = net["ada"].match.on_turn()
    return net["ben" if seat and other == "remote" else "ada"], seat


def offered(net: Net, node: Node, seat: int) -> bool:
    """Tell whether the window has a button for hints, of the page's or the game's."""
    table, match = node.tables.table_status(net.now), node.match
    assert table is not None
    view = match.seats.view(seat).state
    pushed = door.View(table.match, seat, table.entries, pack(view), (), True)
    model = fed(base(), status(table=table), pushed, Click("ready"))
    assert model.match is not None
    assert not model.match.covered
    root = screen.scene(model)
    return any(find(root, name) is not None for name in ("ask.hint", "hint"))


@pytest.mark.parametrize(("game", "options", "other"), TABLES)
def test_a_node_has_hints_for_the_terminal_wherever_its_window_has_them(
    game: str, options: tuple[tuple[str, str], ...], other: str
) -> None:
    net = begun(game, options, other)
    node, seat = on_turn(net, other)
    shown = offered(net, node, seat)
    assert shown or game != "numlo"  # its source document has a button for them
    try:
        node.hint(seat)
    except LocalError as error:
        assert error.code is Code.USAGE
        assert not shown
    else:
        assert shown


def test_a_hint_in_numlo_is_of_the_own_turn_alone() -> None:
    net = begun("numlo", (), "remote")
    node, seat = on_turn(net, "remote")
    (other,) = (each for each in net.nodes.values() if each is not node)
    for asked in (seat, 1 - seat):
        with pytest.raises(LocalError) as caught:
            other.hint(asked)
        assert caught.value.code is Code.NOT_YOUR_TURN


def test_the_hint_of_numlo_is_the_square_with_the_most_points_now() -> None:
    advised = GAMES["numlo"].ABOUT.advised
    assert advised is not None
    rng, state = Random(2), numlo.start(2, numlo.Options())
    for _move in range(30):
        actor = min(numlo.actors(state))
        moves = [*numlo.moves(state, actor)]
        if actor >= 0:
            move = advised(numlo.view(state, actor))
            assert move in moves
            before = numlo.scores(state)[actor]
            best = max(numlo.scores(numlo.play(state, actor, m))[actor] for m in moves)
            assert numlo.scores(numlo.play(state, actor, move))[actor] == best
            assert best > before
        state = numlo.play(state, actor, rng.choice(moves))
