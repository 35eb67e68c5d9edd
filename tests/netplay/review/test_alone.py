"""What a turn lost in a match of one: points, for there is nobody to win against."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from netplay.__main__ import main
from netplay.review.appraising import appraise
from netplay.review.grading import Turn
from netplay.wire import pack
from rules import networdz
from rules.game import Resign
from tests.client import worlds
from tests.netplay.party import Party
from tests.rules.networdz import positions


def test_alone_a_point_counts_the_same_however_many_one_has() -> None:
    """There is nobody to be ahead of: a late mistake is as bad as an early one."""
    _state, past = worlds.networdz(1, 6)
    before = next(before for before, actor, _move in past if actor == 0)
    rich = replace(before, scores=(before.scores[0] + 400,))
    poor, late = (appraise(Turn(0, 0, each, ())) for each in (before, rich))
    assert poor.grade == late.grade != "none"
    assert poor.equity_lost == late.equity_lost > 1000
    assert poor.chance_lost == late.chance_lost


def test_alone_one_need_not_go_out_first_with_the_last_tiles() -> None:
    """Who waits can lay the same words next, if nobody else ends the match."""
    words = [("across", 7, 7, "CAT")]
    waits = Turn(0, 0, positions.position("SAT", board=words), ())
    assert appraise(waits).grade == "none"
    hurries = Turn(0, 0, positions.position("SAT", "ATE", board=words), ())
    assert appraise(hurries).grade != "none"


def test_the_command_speaks_of_points_only_to_who_played_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    party = Party("networdz", 1)
    party.settle()
    for _turn in range(2):
        party.member(0).play(0, pack(networdz.Pass()), -1, party.now)
        party.settle()
    party.member(0).play(0, pack(Resign()), -1, party.now)
    party.settle()
    path = tmp_path / "match.netplay"
    path.write_bytes(party.archives[0].open(party.terms.nonce).read())
    home = ("--home", str(tmp_path / "home"))
    assert main([*home, "analyse", str(path), "--json"]) == 0
    for each in json.loads(capsys.readouterr().out):
        assert each["chance_lost"] is None
        assert each["class"] in {"inaccuracy", "mistake", "blunder"}
        assert each["equity_lost"] > 5
        assert {offer["chance"] for offer in each["best"]} == {None}
    assert main([*home, "analyse", str(path)]) == 0
    text = capsys.readouterr().out
    assert "worth " in text
    assert "chance" not in text
