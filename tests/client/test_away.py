"""The window while the others are away: a move that is made and not delivered."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.app.model import Over, seen
from client.pages import screen
from client.ui.intents import Click, Key
from client.ui.scene import find
from netplay import wire
from netplay.messages import door
from netplay.messages.table_questions import TakeBack
from netplay.text import phrases
from netplay.text.phrases import held
from rules import GAMES
from tests.client import games
from tests.client.clicking import update
from tests.client.during import AWAY, made, made_move, on_turn, ready
from tests.client.worlds import (
    asks,
    base,
    fed,
    playing,
    seat,
    status,
    table,
    texts,
    view,
)


def test_who_is_on_turn_can_move_while_the_other_is_away() -> None:
    model = ready()
    assert model.match is not None

    assert seen(model, model.match).live


@pytest.mark.parametrize("size", [(1280, 800), (800, 500)])
def test_a_move_that_is_made_stands_on_the_board_and_can_be_taken_back(
    size: tuple[int, int],
) -> None:
    model = made(ready(size))
    state, past = on_turn()
    assert model.match is not None
    game = GAMES["networdz"]

    after = game.play(game.view(state, 0), 0, made_move())
    assert model.match.state == after
    assert model.match.past[-1].move == made_move()
    assert find(screen.scene(model), "made.back") is not None
    assert asks(model, Click("made.back")) == [TakeBack(0)]
    assert asks(model, Key("z", ctrl=True)) == [TakeBack(0)]

    there = playing(state, 2, waiting="Bert", seats=AWAY)
    back = fed(model, view(state, past, 0, start=len(past)), status(table=there))
    assert back.match is not None
    assert back.match.state == game.view(state, 0)
    assert len(back.match.past) == len(past)


def test_one_that_has_left_cannot_be_taken_back_in_the_window() -> None:
    model = made(ready(), back=())

    assert find(screen.scene(model), "made.back") is None
    assert asks(model, Key("z", ctrl=True)) == []


def test_when_it_is_delivered_the_history_has_it_once() -> None:
    state, past = on_turn()
    game, move = GAMES["networdz"], made_move()
    before = (state, 0, move)
    later = game.play(state, 0, move)
    arrived = door.View(
        b"m", 0, len(past) + 1, wire.pack(game.view(later, 0)),
        (door.Happened(len(past), 0, wire.pack(move), 0),), True,
    )  # fmt: skip
    there = (seat("Anna"), seat("Bert", "remote", state="connected"))

    model = fed(
        made(ready()), arrived, status(table=playing(later, 2, turn=(), seats=there))
    )

    assert model.match is not None
    assert [step.move for step in model.match.past[len(past) :]] == [before[2]]
    assert model.match.state == game.view(later, 0)
    assert not model.match.made
    assert find(screen.scene(model), "made.back") is None


@pytest.mark.parametrize("game", ["numlo", "hexagrams", "lhexicon"])
def test_every_game_shows_a_move_that_waits(game: str) -> None:
    rules = GAMES[game]
    state = rules.start(2, rules.ABOUT.options())
    past: list[Any] = []
    while 0 not in rules.actors(state):
        actor = min(rules.actors(state))
        move = next(iter(rules.moves(state, actor)))
        past.append((state, actor, move))
        state = rules.play(state, actor, move)
    model = games.page(base(), game, state, tuple(past))
    move = next(iter(rules.moves(rules.view(state, 0), 0)))
    shown = replace(games.pushed(game, state, (), 0), made=(wire.pack(move),))
    shown = replace(shown, number=len(past))

    waiting = fed(model, shown)

    assert waiting.match is not None
    assert waiting.match.state == rules.play(rules.view(state, 0), 0, move)
    assert waiting.match.past[-1].move == move
    assert screen.scene(waiting)


def test_the_key_that_takes_back_is_among_the_keys() -> None:
    model, _effects = update(ready(), Key("f1"))
    assert model.over is Over.HELP
    assert "Ctrl+Z" in texts(screen.scene(model))


@pytest.mark.parametrize("game", ["hexcolumns", "numlo"])
def test_that_a_move_is_kept_is_told_where_one_moves_in_turn(game: str) -> None:
    rules = GAMES[game]
    model = games.page(base(), game, rules.start(3, rules.ABOUT.options()), (), 0, 3)
    assert model.table is not None
    there = replace(model.table, seats=(*AWAY, seat("Clara", "remote")), turn=(0, 1, 2))
    without = fed(model, status(table=there))
    absent = fed(model, status(table=replace(there, waiting="Bert")))
    boxes = [find(screen.scene(each), "instructions") for each in (without, absent)]
    assert None not in boxes
    before, after = (box.text for box in boxes if box is not None)
    assert (after == before) == bool(rules.ABOUT.hz)
    assert texts(screen.scene(absent)) != texts(screen.scene(without)), "the bar tells"
    made = door.Made(consents=((1, "Clara"),))
    agreed = fed(absent, status(table=replace(there, waiting="Bert", made=made)))
    box = find(screen.scene(agreed), "instructions")
    assert box is not None and "Clara" in box.text, "what waits for somebody is told"


@pytest.mark.parametrize("state", ["away", "elsewhere"])
def test_why_a_game_waits_for_somebody_who_is_there_is_told(state: str) -> None:
    there = seat("Bert", "remote", state=state, since=-1)
    now, past = on_turn()
    paused = playing(
        now, 2, waiting="Bert", phase="paused", seats=(seat("Anna"), there)
    )
    model = fed(base(), status(table=paused), view(now, past, 0))
    assert bool(held(paused)) == (state == "elsewhere")
    assert held(paused) in texts(screen.scene(model)).replace("\n", " ")


def test_a_line_is_kept_by_those_who_have_so_many_lines_and_nobody_else() -> None:
    """Lines are numbered from 0."""
    keeps = (("Carla", 2), ("Dora", 1), ("Emil", 0))
    there = table(made=door.Made(lines_kept=keeps))
    for number in range(4):
        said = phrases.line(there, number)
        told = [name for name, _lines in keeps if name in said]
        assert told == [name for name, lines in keeps if number in range(lines)]
