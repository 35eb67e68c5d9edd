"""Moves of searched games beside those of their computer players."""

import re
from pathlib import Path
from random import Random

import pytest

from netplay.__main__ import main
from netplay.record.fold import Fold
from netplay.record.verify import replay
from netplay.review import grading
from netplay.review.grading import Choice, compare
from netplay.wire import pack, unpack
from rules import GAMES, numlo
from rules.game import Resign
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


def test_the_terminal_tells_each_move_and_the_better_one_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    party, rng = Party("hexagrams", 2), Random(5)
    party.link_all()
    party.settle()
    for _move in range(5):
        party.play_one(rng)
        party.settle()
    party.member(0).play(0, pack(Resign()), -1, party.now)
    party.settle()
    path = tmp_path / "match.netplay"
    path.write_bytes(party.archives[0].open(party.terms.nonce).read())
    assert main(["--home", str(tmp_path / "home"), "analyse", str(path)]) == 0
    *lines, _white, _black = capsys.readouterr().out.splitlines()
    ply, names = r"\w\d+[-x]\w\d+", tuple(party.member(0).fold.names)
    told = [line for line in lines if line.startswith(names)]
    assert len(told) == 5
    for line in told:
        assert re.fullmatch(rf"\w+: {ply}(   \(.*\))?", line)
    better = [line for line in lines if re.fullmatch(rf" +\d+ %  {ply}", line)]
    assert better


def test_a_corner_given_away_is_told() -> None:
    start = numlo.start(2, numlo.Options(size=8, values=False, start="othello"))
    moves = [move for move in numlo.moves(start, 0) if isinstance(move, Place)]
    judged = compare(Choice(0, 0, "numlo", pack(start), pack(moves[0])), Random(1))
    assert judged.played.points == numlo.gain(start, 0, moves[0].square)
    assert judged.seat == 0
