"""Computers' moves come to be seen one at a time, however quick they are."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from client.app import follow
from client.app.model import Model, Page
from client.app.settings import WAITS, Settings
from client.pages import play
from client.update import Tick
from netplay import wire
from netplay.errors import Code
from netplay.messages import door
from rules import GAMES
from rules import numlo as game
from rules.game import Resign
from rules.numlo import Place
from rules.tiles import UNKNOWN, Reveal
from tests.client import games
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import base, fed, networdz, status, table
from tests.client.worlds import seat as seated


def squares(model: Model) -> int:
    """Return how many tiles lie on the board that the window shows."""
    assert model.match is not None
    state = model.match.state
    return sum(owner is not None for owner in game.owners(state))


@needs_dummy
@pytest.mark.parametrize("pause", WAITS)
async def test_each_computers_move_is_seen_for_its_moment(
    pause: str, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    own = Settings(sound=False, animation="off", pause=pause)
    async with window(tmp_path, settings=own) as script:
        await script.click("game:2")
        await script.click("play")
        seen = await watched(script)
        times = [at for _count, at in seen[1:]]
        gaps = [b - a for a, b in pairwise(times)]
        assert len(seen) == 4 or pause == "none"  # before, mine, and two computers'
        assert all(gap >= WAITS[pause] for gap in gaps)
        assert squares(script.loop.model) == sum(
            owner is not None for owner in game.owners(script.node.state)
        )
        assert script.loop.model.table == script.node.status.table


async def watched(script: Scripted) -> list[tuple[int, float]]:
    """Lay a tile by mouse; return how many lay on the board, and since when."""
    await trio.sleep(5)
    model = script.loop.model
    assert not model.play.waiting
    before = squares(model)
    move = next(m for m in game.moves(script.node.state, 0) if isinstance(m, Place))
    at = script.node_named(f"cell:{move.square}").rect.centre
    script.press(at)
    script.post(1026, pos=at, button=1)
    seen = [(before, trio.current_time())]
    for _ in range(400):
        await trio.sleep(0.01)
        now = squares(script.loop.model)
        if now != seen[-1][0]:
            seen.append((now, trio.current_time()))
    return seen


def at_numlo(pause: str = "normal") -> tuple[Model, list[Any]]:
    """Return a window with a match of three, and the states of its next moves."""
    state, states = game.start(3, game.Options()), []
    while state.turn < 0:
        state = game.play(state, state.turn, next(iter(game.moves(state, state.turn))))
    model = replace(base(), settings=Settings(pause=pause, animation="off"), now=100.0)
    model = fed(model, told(state, 0), view(state, ()))
    for _ in range(5):
        move = next(m for m in game.moves(state, state.turn))
        states.append((state, state.turn, move))
        state = game.play(state, state.turn, move)
    states.append((state, state.turn, None))
    return model, states


def told(state: Any, entries: int) -> door.Status:
    names = ("Anna", "Bert", "Charlie")
    seats = (seated("Anna"), *(seated(name, "computer") for name in names[1:]))
    return status(
        table=table(
            "numlo", match=b"m", phase="playing", waiting="", seats=seats,
            turn=(state.turn,), entries=entries,
        )
    )  # fmt: skip


def view(state: Any, made: tuple[tuple[int, int, Any], ...]) -> door.View:
    happened = tuple(door.Happened(n, a, wire.pack(m), 0) for n, a, m in made)
    number = made[-1][0] + 1 if made else 1
    return door.View(b"m", 0, number, wire.pack(state), happened, True)


def shown_turn(model: Model) -> tuple[int, ...]:
    assert model.table is not None
    return model.table.turn


def test_several_moves_in_one_view_are_taken_apart() -> None:
    model, states = at_numlo()
    first = states[0][1]
    made = tuple((n + 1, actor, move) for n, (_s, actor, move) in enumerate(states[:3]))
    end = states[3][0]
    model = fed(model, told(end, 4), view(end, made))
    counts = []
    for tenth in range(40):
        model = fed(model, Tick(100.0 + tenth / 10))
        counts.append(squares(model))
    assert sorted(set(counts)) == [counts[0] + n for n in range(len(set(counts)))]
    assert len(set(counts)) >= 2
    assert shown_turn(model) == (end.turn,)
    assert model.play.waiting == ()
    assert first >= 0


def test_moves_that_come_while_others_wait_are_shown_where_they_were_made() -> None:
    model, states = at_numlo()
    made = tuple((n + 1, a, m) for n, (_s, a, m) in enumerate(states[:5]))
    model = fed(model, told(states[3][0], 4), view(states[3][0], made[:3]))
    model = fed(model, told(states[5][0], 6), view(states[5][0], made[3:]))
    shown = []
    for second in range(5):
        model = fed(model, Tick(100.0 + second))
        assert model.match is not None
        shown.append(game.owners(model.match.state))
    # The fourth is one's own, which follows at once.
    assert shown[:4] == [game.owners(states[n][0]) for n in (1, 2, 4, 5)]


def test_nothing_can_be_laid_while_something_is_still_to_be_seen() -> None:
    model, states = at_numlo()
    made = tuple((n + 1, a, m) for n, (_s, a, m) in enumerate(states[:3]))
    model = fed(model, told(states[3][0], 4), view(states[3][0], made))
    assert model.play.waiting
    assert model.match is not None
    assert "it is your turn" not in play.instruction(model).lower()


def test_a_table_that_is_gone_waits_for_no_picture() -> None:
    model, states = at_numlo()
    made = tuple((n + 1, a, m) for n, (_s, a, m) in enumerate(states[:3]))
    model = fed(model, told(states[3][0], 4), view(states[3][0], made))
    model = fed(model, status(table=None))
    assert model.page is Page.START
    assert model.play.waiting == ()


def test_without_a_pause_everything_is_seen_at_once() -> None:
    model, states = at_numlo("none")
    made = tuple((n + 1, a, m) for n, (_s, a, m) in enumerate(states[:3]))
    model = fed(model, told(states[3][0], 4), view(states[3][0], made))
    assert model.play.waiting == ()
    assert model.match is not None
    assert model.match.state == states[3][0]


def test_ones_own_move_on_its_way_lies_on_the_board_behind_those_that_wait() -> None:
    model, states = at_numlo()
    made = tuple((n + 1, a, m) for n, (_s, a, m) in enumerate(states[:3]))
    mine = wire.pack(states[3][2])
    came = replace(view(states[3][0], made), made=(mine,))
    model = fed(model, told(states[3][0], 4), came)
    shown, numbers = [], []
    for second in range(4):
        model = fed(model, Tick(100.0 + second))
        assert model.match is not None
        shown.append(game.owners(model.match.state))
        numbers.append((model.match.number, model.match.made))
    assert shown == [game.owners(states[n][0]) for n in (1, 2, 4, 4)]
    # What is sent names the entries that were seen: all at the end, and not before.
    assert numbers == [(1, 0), (1, 0), (4, 1), (4, 1)]


def test_own_tiles_are_known_in_each_position_of_what_waits_to_be_shown() -> None:
    state, past = networdz(3, 8)
    turns = [n for n, (_before, actor, _move) in enumerate(past) if actor >= 0]
    start = next(n for n in turns[1:] if past[n][1] == 1)
    one, mine, next_ones, end = (turns[turns.index(start) + n] for n in (0, 2, 3, 5))
    model = replace(base(), settings=Settings(pause="normal", animation="off"))
    model = games.page(
        fed(model, Tick(50.0)), "networdz", past[one][0], past[:one], 0, 3
    )
    whole = games.pushed("networdz", state, past, -1)
    whole = replace(whole, seat=0)
    known = [wire.pack(GAMES["networdz"].view(before, 0)) for before, _a, _m in past]
    for first, after in ((one, mine), (mine, next_ones), (next_ones, end)):
        part = whole.happened[first:after]
        seen = (GAMES["networdz"].mask(*step, 0) for step in past[first:after])
        own = [m for m in seen if isinstance(m, Reveal) and m.kind != UNKNOWN]
        learnt = tuple((one.tile, one.kind) for one in own)
        told = replace(whole, number=after, state=known[after], happened=part)
        model = fed(model, replace(told, known=learnt))
    shown = []
    for second in range(9):
        model = fed(model, Tick(50.0 + second))
        assert model.match is not None
        state = wire.pack(model.match.state)
        shown.append(known.index(state) if state in known else -1)
    assert not model.play.waiting
    # What is behind one's own move follows at once.
    others = [n for n in turns if one <= n <= end and n != mine]
    assert list(dict.fromkeys(shown)) == others


def test_behind_a_move_of_ones_own_that_came_to_nothing_none_is_shown() -> None:
    model, states = at_numlo("none")
    own = wire.pack(states[0][2])
    wrong = wire.pack(Place(next(taken(states[0][0]))))
    model = fed(model, replace(view(states[0][0], ()), made=(wrong, own)))
    assert model.match is not None
    assert (model.match.made, model.match.state) == (0, states[0][0])


def taken(state: Any) -> Iterator[int]:
    """Yield the squares where a tile lies."""
    return (at for at, owner in enumerate(game.owners(state)) if owner is not None)


def test_moves_that_cannot_be_followed_begin_a_history_without_a_hole() -> None:
    model, states = at_numlo("none")
    made = tuple((n + 1, a, m) for n, (_s, a, m) in enumerate(states[:3]))
    model = fed(model, told(states[2][0], 3), view(states[2][0], made[:2]))
    assert model.match is not None
    assert len(model.match.past) == 2
    looking = replace(model, match=replace(model.match, back=1))
    hole = ((9, states[4][1], Place(next(taken(states[4][0])))),)
    after = fed(looking, told(states[5][0], 10), view(states[5][0], hole)).match
    assert after is not None
    assert after.state == states[5][0]
    assert (after.past, after.back) == ((), -1)


def test_a_piece_of_the_history_is_asked_for_once_until_it_comes() -> None:
    model, states = at_numlo("none")
    made = tuple((n + 5, a, m) for n, (_s, a, m) in enumerate(states[:2]))
    late = replace(view(states[2][0], made), before=wire.pack(states[0][0]))
    model = fed(model, told(states[2][0], 7), late)
    assert model.match is not None
    assert model.match.missed == 5
    for _ in range(3):
        model, _effects = follow.earlier(model)
    assert list(model.asked.values()).count(follow.PIECE) == 1
    [number] = [n for n, what in model.asked.items() if what == follow.PIECE]
    model = fed(model, door.Failed(number, Code.USAGE.number))
    model, _effects = follow.earlier(model)
    assert list(model.asked.values()).count(follow.PIECE) == 1


@pytest.mark.parametrize("waiting", [1, 2])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_before_moves_that_are_not_delivered_no_earlier_one_is_missing(
    count: int, waiting: int
) -> None:
    model, states = at_numlo("none")
    first = 3 - count  # the fourth is one's own
    made = tuple((n + 5, a, m) for n, (_s, a, m) in enumerate(states[first:3]))
    waits = (wire.pack(states[3][2]), wire.pack(Resign()))[:waiting]
    came = view(states[3][0], made)
    late = replace(came, made=waits, before=wire.pack(states[first][0]))
    model = fed(model, told(states[3][0], 5 + count), late)
    assert model.match is not None
    assert model.match.missed == 5
    assert len(model.match.past) == count + waiting
    # As they are delivered, one by one or both at once, each stands there once.
    own = (states[3][2], Resign())[:waiting]
    for some in (1, waiting):
        after, state = model, states[3][0]
        for at in range(0, waiting, some):
            moves = [(5 + count + n, 0, own[n]) for n in range(at, at + some)]
            for _number, actor, move in moves:
                state = game.play(state, actor, move)
            news = replace(view(state, tuple(moves)), made=waits[at + some :])
            after = fed(after, told(state, 6 + count + at), news)
            assert after.match is not None
            past = [step.move for step in after.match.past]
            assert past == [*(move for _s, _a, move in states[first:3]), *own]
            assert after.match.missed == 5
