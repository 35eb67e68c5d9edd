"""Matches played in real windows by a real mouse and real keys.

The first moves of one are played always.  NETPLAY_LONG=1 plays all games to their
ends, by mouse and by keyboard, alone with a computer player and over two nodes.
"""

import os
import shutil
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from netplay.record.verify import verify
from rules import GAMES, lhexicon, networdz
from rules.lhexicon import Challenge, Insist, Move, Withdraw
from tests.client import playing
from tests.client.hands import HANDS
from tests.client.test_window import TOOLS
from tests.test_second_rules import jumbled
from tools.protocol.games import phony

MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]
LONG = pytest.mark.skipif(
    os.environ.get("NETPLAY_LONG") != "1",
    reason="takes minutes: set NETPLAY_LONG=1 to play whole matches in windows",
)

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


def test_the_first_moves_are_made_with_the_keyboard(tmp_path: Path) -> None:
    plan = playing.Plan("numlo", mouse=False, most=2)
    moves, _seconds = playing.play(plan, tmp_path)
    assert moves == 2


def test_escape_goes_from_lhexicon_to_the_games_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    with playing.tables(tmp_path, 1) as (at,):
        playing.sit(playing.Plan("lhexicon"), (at,))
        at.until(lambda: 0 in lhexicon.actors(at.view()[0]))
        tile = at.view()[0].tiles.racks[0][0]
        at.drag(f"tile:{tile}", "cell:40")
        at.until(lambda: at.local()["laid"])
        at.keys("escape")
        at.until(lambda: not at.local()["laid"])
        at.keys("escape")
        row = at.until(partial(at.ask, "find", "in-hand:1"))
        assert "Lhexicon" in str(row)
        at.click("in-hand:1")
        assert at.until(at.match)["game"] == "lhexicon"


@pytest.mark.parametrize(
    # What comes of the other answer is the rules' and tried there.
    "answer",
    [Withdraw(), pytest.param(Insist(), marks=pytest.mark.slow)],
)
def test_a_challenged_word_is_withdrawn_or_stood_by_over_two_nodes(
    tmp_path: Path, answer: Withdraw | Insist
) -> None:
    mouse = isinstance(answer, Withdraw)
    plan = playing.Plan(
        "lhexicon", mouse, 2, options=("challenge=on",), fairness="committed"
    )

    def does(at: playing.Table, move: Move) -> None:
        at.front()
        at.until(lambda: at.view()[1] in lhexicon.actors(at.view()[0]))
        HANDS["lhexicon"](at, at.view()[0], move, mouse=mouse)

    with playing.tables(tmp_path, 2) as (host, guest):
        playing.sit(plan, (host, guest))
        host.until(lambda: 0 in lhexicon.actors(host.view()[0]))
        first = host.view()[0]
        word = phony(first, 0)
        does(host, word)
        does(guest, Challenge())
        does(host, answer)
        for each in (host, guest):
            each.until(lambda at=each: at.view()[0].turn == 1)
            state = each.view()[0]
            assert (state.scores, state.debts) == ((0, 0), (0, 0))
            assert state.letters == first.letters
        assert host.view()[0].tiles.racks == first.tiles.racks


@pytest.mark.slow
@pytest.mark.parametrize("mouse", [True, False])
def test_a_word_of_networdz_is_challenged_over_two_nodes(
    tmp_path: Path, *, mouse: bool
) -> None:
    plan = playing.Plan(
        "networdz", mouse, 2, options=("challenge=double",), fairness="committed"
    )
    shots = os.environ.get("NETPLAY_SHOTS")

    def does(at: playing.Table, move: networdz.Move) -> None:
        at.front()
        at.until(lambda: at.view()[1] in networdz.actors(at.view()[0]))
        HANDS["networdz"](at, at.view()[0], move, mouse=mouse)

    def look(at: playing.Table, name: str) -> None:
        if shots is not None:
            at.front()
            at.shoot(Path(shots), f"{name}-{'mouse' if mouse else 'keys'}")

    with playing.tables(tmp_path, 2) as (host, guest):
        playing.sit(plan, (host, guest))
        host.until(lambda: host.view()[0].phase is networdz.Phase.PLAY)
        host.until(partial(_on_turn, host))
        [seat] = _on_turn(host)
        own, other = (host, guest) if seat == host.view()[1] else (guest, host)
        own.until(lambda: next(networdz.lays(own.view()[0], seat), None))
        before = own.view()[0]
        words = islice(networdz.lays(before, seat), 50)
        turned = (jumbled(word, Random(7)) for word in words)
        does(own, next(w for w in turned if networdz.wrong(_laid(before, w))))
        other.until(lambda: other.view()[0].pending)
        look(other, "pending")
        look(own, "waiting")
        does(other, networdz.Challenge())
        own.until(lambda: own.view()[0].lists[seat])
        look(own, "taken-back")
        look(other, "was-right")
        state = own.view()[0]
        assert not any(state.letters)
        assert (state.turn, state.scores) == (1 - seat, (0, 0))
        assert state.tiles.racks == before.tiles.racks
        good = next(networdz.lays(other.view()[0], 1 - seat))
        does(other, good)
        own.until(lambda: own.view()[0].pending)
        does(own, networdz.Challenge())
        own.until(lambda: own.view()[0].turn == 1 - seat)
        look(own, "in-vain")


def _on_turn(at: playing.Table) -> frozenset[int]:
    return networdz.actors(at.view()[0]) & {0, 1}


def _laid(state: networdz.State, move: networdz.Lay) -> networdz.State:
    return networdz.play(state, state.turn, move)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_an_encrypted_match_is_played_to_its_end_by_two_mice(
    tmp_path: Path, game: str
) -> None:
    plan = playing.Plan(game, nodes=2, fairness="encrypted")
    moves, _seconds = playing.play(plan, tmp_path)
    assert moves > 20
    logs = [path.read_bytes() for path in sorted(tmp_path.glob("*/matches/*.netplay"))]
    assert len(logs) == 2
    assert logs[0] == logs[1]
    found = verify(logs[0])
    assert (found.verdict, found.audit, found.fairness) == ("good", "ok", "encrypted")


@LONG
@pytest.mark.slow
@pytest.mark.parametrize("nodes", [1, 2])
@pytest.mark.parametrize("mouse", [True, False], ids=["mouse", "keyboard"])
@pytest.mark.parametrize("game", list(GAMES))
def test_a_match_is_played_to_its_end(
    tmp_path: Path, game: str, nodes: int, *, mouse: bool
) -> None:
    moves, _seconds = playing.play(playing.Plan(game, mouse, nodes), tmp_path)
    assert moves > 0
