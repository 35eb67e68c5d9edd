"""Moves of searched games beside those of their computer players."""

from random import Random

import pytest

from netplay.record.fold import Fold
from netplay.record.verify import replay
from netplay.review import grading
from netplay.review.grading import Choice, compare
from netplay.wire import pack, unpack
from rules import GAMES, numlo
from rules.numlo import Place
from tests.netplay.party import Party

SMALL = {"numlo": {"size": 8, "values": False, "start": "othello"}}


def whole(game: str) -> Fold:
    party = Party(game, 2, GAMES[game].ABOUT.options(**SMALL.get(game, {})))
    party.link_all()
    party.play_out(Random(5))
    return replay([line.raw for line in party.member(0).ledger.log.lines])


@pytest.mark.parametrize("game", ["numlo", "hexagrams"])
def test_each_move_of_a_finished_match_stands_beside_the_computer_s(game: str) -> None:
    fold = whole(game)
    found = [each for each in grading.judged(fold) if isinstance(each, Choice)]
    assert len(found) == sum(past.actor >= 0 for past in fold.history)
    for choice in found[-3:]:
        judged = compare(choice, Random(1))
        assert judged.played.move == choice.move
        (best,) = judged.best
        about = GAMES[game].ABOUT
        view = unpack(choice.before, about.state)
        move = unpack(best.move, about.move)
        assert move in list(GAMES[game].moves(view, choice.seat))
        assert best.text


def test_a_corner_given_away_is_told() -> None:
    start = numlo.start(2, numlo.Options(size=8, values=False, start="othello"))
    moves = [move for move in numlo.moves(start, 0) if isinstance(move, Place)]
    judged = compare(Choice(0, 0, "numlo", pack(start), pack(moves[0])), Random(1))
    assert judged.played.points == numlo.gain(start, 0, moves[0].square)
    assert judged.seat == 0
