"""Tiles drawn by hand, and tiles that fly, on the Networdz board."""

from typing import Any

from msgspec.structs import replace

from client import networdz as shown
from client.app.board import Seen, Step
from client.networdz.local import Doing
from client.ui.intents import Click, Drop, Key, Text
from client.ui.scene import find, walk
from rules import networdz
from tests.client.networdz_hands import AREA, LOOK, a_lay, after
from tests.client.worlds import NAMES
from tests.client.worlds import networdz as played


def by_hand(moves: int) -> Seen[Any, Any]:
    """Return a view just before and after a draw, for somebody who draws by hand."""
    state, past = played(2, moves)
    steps = tuple(
        Step(networdz.view(b, 0), a, networdz.mask(b, a, m, 0)) for b, a, m in past
    )
    return Seen(networdz.view(state, 0), 0, NAMES[:2], steps, by_hand=True)


def test_the_start_and_the_first_rack_are_drawn_by_hand() -> None:
    seen = by_hand(0)
    local = shown.begin(seen)
    assert local.doing is Doing.LOTS
    assert "lowest" in shown.status(seen, local)
    assert not any(
        n.name.startswith("tile:") for n in walk(shown.scene(seen, local, AREA, LOOK))
    )
    local, _move = after(seen, local, Click("pool:4"))
    assert "starts" in shown.status(seen, local)
    for i in range(7):
        assert local.doing is Doing.DRAWING
        node = find(shown.scene(seen, local, AREA, LOOK), f"pool:{i}")
        assert node is not None
        picks: tuple[Any, ...] = (
            Click(f"pool:{i}"),
            Drop(f"pool:{i}", "rack:0"),
            Key("enter"),
        )
        local, _move = after(seen, local, picks[i % 3])
    assert local.doing is Doing.PLAYING
    rack = [
        n
        for n in walk(shown.scene(seen, local, AREA, LOOK))
        if n.name.startswith("tile:")
    ]
    assert len(rack) == 7


def test_nothing_can_be_played_before_all_tiles_are_drawn_by_hand() -> None:
    seen = by_hand(0)
    local, _move = after(seen, shown.begin(seen), Click("pool:0"), Click("pool:1"))
    left = len(local.unseen)
    local, move = after(
        seen, local, Click("done"), Key("escape"), Text("abc"), Drop("pool:5", "cell:3")
    )
    assert move is None
    assert len(local.unseen) == left
    assert local.laid == ()


def test_tiles_drawn_after_a_turn_wait_in_the_pool() -> None:
    state, _past = played(2, 8)
    me = state.turn
    seen = Seen(networdz.view(state, me), me, NAMES[:2], by_hand=True)
    local = shown.begin(replace(seen, by_hand=False))
    lay = a_lay(seen)
    after_ = networdz.play(state, me, lay)
    later = Seen(
        networdz.view(after_, me),
        me,
        NAMES[:2],
        (Step(seen.view, me, lay),),
        by_hand=True,
    )
    fresh = shown.renew(later, local)
    assert fresh.doing is Doing.DRAWING
    assert len(fresh.unseen) == len(lay.laid)


def test_anothers_tiles_fly_to_the_board_and_stay_there() -> None:
    state, _past = played(2, 8)
    me = 1 - state.turn
    seen = Seen(networdz.view(state, me), me, NAMES[:2], now=5.0, pace=1.0)
    local = shown.begin(seen)
    assert not shown.busy(seen, local)
    other = replace(seen, seat=state.turn, view=networdz.view(state, state.turn))
    lay = a_lay(other)
    moved = networdz.play(state, state.turn, lay)
    later = replace(seen, view=networdz.view(moved, me))
    flying = shown.renew(later, local)
    assert shown.busy(later, flying)
    cell = lay.laid[0].cell
    tree = shown.scene(later, flying, AREA, LOOK)
    bare = find(tree, f"cell:{cell}")
    assert bare is not None
    assert not bare.text
    assert all(AREA.holds(n.rect) for n in walk(tree))
    landed = replace(later, now=6.5)
    assert not shown.busy(landed, flying)
    there = find(shown.scene(landed, flying, AREA, LOOK), f"cell:{cell}")
    assert there is not None
    assert there.text
    assert not shown.busy(replace(later, pace=0.0), flying)
