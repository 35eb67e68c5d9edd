"""The review of games that computers search: their move beside the one made."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.app.model import Model
from client.pages import play, review, screen
from client.ui.intents import Click
from client.ui.scene import find, walk
from netplay import wire
from netplay.messages import door
from netplay.messages.table_questions import Appraisal, Offer
from rules import GAMES
from tests.client import worlds
from tests.client.test_result import told
from tests.client.worlds import base, fed, in_match

MOVES = {"numlo": 30, "hexagrams": 8}


def reviewed(game: str, size: tuple[int, int] = (800, 500)) -> Model:
    model = fed(told(in_match(base(size), game, 2, MOVES[game])), Click("result.close"))
    return fed(model, Click("side:2"))


def answered(model: Model, game: str) -> Model:
    """Let the node answer the one question for a turn that is open."""
    (asked,) = (n for n, what in model.asked.items() if what.startswith(review.ASKED))
    number = int(model.asked[asked].partition(".")[2])
    before, actor, move = worlds.some_match(game, 2, MOVES[game])[1][number]
    view = wire.pack(GAMES[game].view(before, actor))
    judged = worlds.compared(number, actor, game, view, wire.pack(move))
    return fed(model, door.Done(asked, data=wire.pack(judged)))


def texts(model: Model) -> str:
    return "\n".join(n.text for n in walk(screen.scene(model)) if n.text)


def other(model: Model, game: str, *, same: bool) -> Model:
    """Let the node answer that the computer would have done the same, or another."""
    (asked,) = (n for n, what in model.asked.items() if what.startswith(review.ASKED))
    number = int(model.asked[asked].partition(".")[2])
    before, actor, move = worlds.some_match(game, 2, MOVES[game])[1][number]
    moves = list(GAMES[game].moves(before, actor))
    best = move if same else next(each for each in moves if each != move)
    played, better = (Offer("x", 0, (), (), wire.pack(each)) for each in (move, best))
    judged = Appraisal(number, actor, (), played, (better,))
    return fed(model, door.Done(asked, data=wire.pack(judged)))


@pytest.mark.parametrize("game", list(MOVES))
def test_the_computer_s_move_stands_beside_the_one_made_and_is_laid(game: str) -> None:
    model = reviewed(game)
    assert play.chosen(model) == play.REVIEW
    same = other(model, game, same=True)
    assert find(screen.scene(same), "offer:0") is None
    model = other(model, game, same=False)
    assert board_of(fed(model, Click("offer:0"))) != board_of(model)


def board_of(model: Model) -> Any:
    return [
        (n.name, n.value, n.mark, n.bg)
        for n in walk(screen.scene(model))
        if n.name.startswith(("cell", "h", "t"))
    ]


def test_own_turns_are_asked_for_one_after_the_other_and_summed_up() -> None:
    model = reviewed("numlo")
    match = model.match
    assert match is not None
    own = sum(step.actor == match.seat for step in match.past)
    for _turn in range(own + 1):
        if any(what.startswith(review.ASKED) for what in model.asked.values()):
            model = answered(model, "numlo")
    assert not any(what.startswith(review.ASKED) for what in model.asked.values())
    match = model.match
    assert match is not None
    looked, worse, _points = review.missed(model, match)
    assert looked == own
    assert 0 < worse <= own
    assert f"in {own} turns" in texts(model)


@pytest.mark.parametrize(("game", "there"), [("hexagrams", True), ("numlo", False)])
def test_who_plays_alone_against_computers_may_ask_for_a_hint(
    game: str, there: bool
) -> None:
    model = in_match(base(), game, 2, 0)
    assert model.match is not None
    assert model.table is not None
    turn = replace(model.table, turn=(model.match.seat,))
    model = fed(model, worlds.status(table=turn))
    assert (find(screen.scene(model), "ask.hint") is not None) == there
    both = replace(turn, seats=(worlds.seat("Anna"), worlds.seat("Bert")))
    model = fed(model, worlds.status(table=both))
    assert find(screen.scene(model), "ask.hint") is None
