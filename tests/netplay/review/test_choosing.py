"""Moves of searched games beside those of their computer players."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from client.app import board
from client.app.board import Step
from netplay.__main__ import main
from netplay.catalogues import SETTINGS
from netplay.language import speak
from netplay.messages.table_questions import TOTAL
from netplay.players import player
from netplay.players.evaluating import evaluate
from netplay.record.fold import Fold
from netplay.record.verify import replay
from netplay.record.views import moments
from netplay.review import grading
from netplay.review.grading import Choice, compare
from netplay.said import Said
from netplay.text import writer
from netplay.wire import pack, unpack
from rules import GAMES, hexagrams, lhexicon, numlo
from rules.game import CHANCE, Resign
from rules.numlo import Place, State
from tests.netplay.party import Party, out_of_time

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


def test_of_answers_to_a_word_only_the_wrong_ones_are_judged() -> None:
    """Accepted, then doubted although it is good, which costs a turn."""
    party = Party("lhexicon", 2, lhexicon.Options(challenge=True))
    party.link_all()
    party.settle()
    for answers in ((lhexicon.Accept(),), (lhexicon.Challenge(), lhexicon.Insist())):
        laid = False
        while not laid:
            ((member, seat),) = party.movers()
            match = party.member(member)
            view = match.seats.view(seat).state
            word = player("lhexicon").choose(view, seat, 60, Random(1))
            match.play(seat, pack(word), -1, party.now)
            party.settle()
            laid = isinstance(word, lhexicon.Lay)
        for each in answers:
            ((member, seat),) = party.movers()
            party.member(member).play(seat, pack(each), -1, party.now)
            party.settle()
    ((member, seat),) = party.movers()
    party.member(member).play(seat, pack(Resign()), -1, party.now)
    party.settle()
    fold = replay([line.raw for line in party.member(0).ledger.log.lines])
    found = [each for each in grading.judged(fold) if isinstance(each, Choice)]
    moves = [unpack(each.move, lhexicon.ABOUT.move) for each in found]
    assert not {lhexicon.Accept(), lhexicon.Insist()} & {*moves}
    (doubt,) = (each for each in found if each.move == pack(lhexicon.Challenge()))
    judged = compare(doubt, Random(1))
    assert judged.chance_lost > 0
    assert unpack(judged.best[0].move, lhexicon.ABOUT.move) == lhexicon.Accept()
    shown = board.find("lhexicon").TRAITS.analysed
    assert shown is not None
    steps = (Step(each.before, each.actor, each.move) for each in moments(fold))
    turns = {n: shown.turn_of(step) for n, step in enumerate(steps)}
    seats = {each.number: each.seat for each in found}
    assert {n: seat for n, seat in turns.items() if seat is not None} == seats


def test_the_terminal_tells_each_move_and_the_better_one_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = GAMES["numlo"].ABOUT.options(**SMALL["numlo"])
    party, rng = Party("numlo", 2, options), Random(5)
    party.link_all()
    party.settle()
    for _move in range(5):
        party.play_one(rng)
        party.settle()
    party.member(0).play(0, pack(Resign()), -1, party.now)
    party.settle()
    path = tmp_path / "match.netplay"
    path.write_bytes(party.archives[0].open(party.terms.nonce).read())
    hasty = ["--home", str(tmp_path / "home"), "analyse", str(path), "--quick"]
    assert main(hasty) == 0
    *lines, _white, _black = capsys.readouterr().out.splitlines()
    ply, names = r"lays at \w\d+, flips \d+: [+-]\d+", tuple(party.member(0).fold.names)
    told = [line for line in lines if line.startswith(names)]
    assert len(told) == 5
    for line in told:
        assert re.fullmatch(rf"\w+: {ply}(   \(.*\))?", line)
    better = [line for line in lines if re.fullmatch(rf" +\d+ %  {ply}", line)]
    assert better
    works: list[list[int]] = []
    for line in hasty, hasty[:-1]:
        assert main([*line, "--json"]) == 0
        works.append([each["work"] for each in json.loads(capsys.readouterr().out)])
    assert len(works[0]) == len(works[1]) == 5
    assert 20 * sum(works[0]) < sum(works[1])
    (tmp_path / "home").mkdir(exist_ok=True)
    monkeypatch.delenv("LANGUAGE", raising=False)
    (tmp_path / "home" / SETTINGS).write_text('{"language": "de"}', encoding="utf-8")
    assert main(hasty) == 0
    *_lines, white, black = capsys.readouterr().out.splitlines()
    speak("en")
    for line in (white, black):
        assert line.endswith("Genauigkeit: –")  # of so few turns


def test_a_corner_given_away_is_told() -> None:
    start = numlo.start(2, numlo.Options(size=8, values=False, start="othello"))
    moves = [move for move in numlo.moves(start, 0) if isinstance(move, Place)]
    judged = compare(Choice(0, 0, "numlo", pack(start), pack(moves[0])), Random(1))
    assert judged.played.points == numlo.gain(start, 0, moves[0].square)
    assert judged.seat == 0


OTHELLO = numlo.Options(size=8, values=False, start="othello")
CORNERS = {0, 7, 56, 63}


def after(*squares: int) -> State:
    """Return the position of Othello after these squares."""
    state = numlo.start(2, OTHELLO)
    for square in squares:
        state = numlo.play(state, state.turn, Place(square))
    return state


def why(state: State, square: int) -> tuple[Said, Place]:
    """Return what is said of a mistake, and the better move."""
    choice = Choice(0, state.turn, "numlo", pack(state), pack(Place(square)))
    judged = compare(choice, Random(1))
    assert judged.grade != "none"
    assert judged.why is not None
    return judged.why, unpack(judged.best[0].move, Place)


def squares(state: State, seat: int) -> set[int]:
    return {m.square for m in numlo.moves(state, seat) if isinstance(m, Place)}


def wins_a_corner(state: State, seat: int, *, soon: bool = False) -> bool:
    """Tell whether who is on turn gets a corner now, or else whatever is answered."""
    if state.turn != seat:
        return False
    if squares(state, seat) & CORNERS:
        return True
    if soon:
        return False
    for square in squares(state, seat):
        then = numlo.play(state, seat, Place(square))
        if then.turn == 1 - seat and all(
            wins_a_corner(numlo.play(then, 1 - seat, Place(own)), seat, soon=True)
            for own in squares(then, 1 - seat)
        ):
            return True
    return False


@pytest.mark.parametrize(
    ("before", "square"),
    [
        ((19, 18, 26, 20, 21, 34, 17, 12, 42, 33, 44, 30, 40, 37, 4, 3, 5, 16, 10, 52,
          60, 2, 41, 32, 46, 55, 23), 48),
        ((26, 20, 21, 18, 10, 29, 30, 34, 42, 31, 19, 33, 44, 25, 32, 12, 22, 2, 17,
          50, 4), 8),
    ],
)  # fmt: skip
def test_a_corner_that_is_lost_a_few_moves_on_is_told(
    before: tuple[int, ...], square: int
) -> None:
    state = after(*before)
    said, better = why(state, square)
    assert said.code == "WHY_CORNER_COST"
    other = 1 - state.turn
    mistake = numlo.play(state, state.turn, Place(square))
    assert not squares(mistake, other) & CORNERS  # none is given away at once
    assert wins_a_corner(mistake, other)
    assert not wins_a_corner(numlo.play(state, state.turn, better), other)


def test_points_that_a_move_costs_later_are_told() -> None:
    before = (
        19, 20, 13, 26, 34, 33, 44, 53, 32, 12, 37, 6, 21, 43, 52, 14, 62, 45, 11, 50,
        5, 61, 23, 2, 3, 4, 54, 7, 42, 51, 49, 47, 60, 25,
    )  # fmt: skip
    state = after(*before)
    seat, (said, better) = state.turn, why(state, 10)
    assert (said.code, better.square) == ("WHY_LATER", 16)
    told = int(str(said).partition("+")[2])
    # Each line goes on as both play best.
    lines = after(*before, 10, 56), after(*before, 16, 56)
    leads = [numlo.scores(each)[seat] - numlo.scores(each)[1 - seat] for each in lines]
    assert told == leads[1] - leads[0] == 2


@pytest.mark.parametrize(
    ("game", "most"),
    [("numlo", 3), pytest.param("hexagrams", 2, marks=pytest.mark.slow)],
)
def test_no_mistake_is_left_without_a_reason(game: str, most: int) -> None:
    rules, rng = GAMES[game], Random(2)
    options = rules.ABOUT.options(**SMALL.get(game, {}))
    state, mistakes, made = rules.start(2, options), 0, 0
    while mistakes < most:
        seat = max(rules.actors(state), default=CHANCE)
        if seat < 0:
            state, made = rules.start(2, options), 0
            continue
        moves = [m for m in rules.moves(state, seat) if not isinstance(m, Resign)]
        move, made = rng.choice(moves), made + 1
        if made <= 12:  # an opening takes longest to judge
            state = rules.play(state, seat, move)
            continue
        judged = compare(Choice(0, seat, game, pack(state), pack(move)), Random(1))
        if judged.grade != "none":
            mistakes += 1
            assert judged.why is not None
        state = rules.play(state, seat, move)


def test_a_turn_of_lhexicon_that_ran_out_is_judged_as_a_pass_of_its_seat() -> None:
    fold, seats = out_of_time(lhexicon.Options(timed=1), "lhexicon")
    found = [each for each in grading.judged(fold) if isinstance(each, Choice)]
    passed = pack(lhexicon.Pass())
    assert [(each.seat, each.move) for each in found] == [(s, passed) for s in seats]
    assert all(compare(each, Random(1), at_sight=True).lapsed for each in found)


def test_a_move_that_looks_as_good_as_any_is_looked_at_from_behind_it() -> None:
    """At the start of Hexagrams, where who moves second can win by force."""
    state = hexagrams.start(2, hexagrams.ABOUT.options())
    move = next(iter(hexagrams.moves(state, state.turn)))
    choice = Choice(0, state.turn, "hexagrams", pack(state), pack(move))
    judged = compare(choice, Random(1))
    assert judged.grade == "none"  # for so does every other move
    assert judged.played.chance == 0


@pytest.mark.slow
def test_a_mistake_that_is_seen_only_from_behind_it_is_found() -> None:
    """Who answers thinks more of what it leaves than of what the best move leaves."""
    read = writer("hexagrams").read
    state = hexagrams.start(2, hexagrams.ABOUT.options())
    for ply in ("E5xE7", "C7xC5"):
        state = hexagrams.play(state, state.turn, read(state, state.turn, ply))
    seat = state.turn
    made = read(state, seat, "E7xD8")
    choice = Choice(2, seat, "hexagrams", pack(state), pack(made))
    judged = compare(choice, Random(1))
    assert judged.grade in {"mistake", "blunder"}
    best = read(state, seat, judged.best[0].text)

    def left(move: Any) -> float:
        after = hexagrams.play(state, seat, move)
        found = evaluate("hexagrams", after, after.turn, Random(2), 320_000)
        return 1 - found.candidates[0].chance

    assert left(best) - left(made) >= 0.07


def test_a_forced_move_is_worth_what_comes_of_it() -> None:
    """Every move before it loses, so the answer that is forced wins as well."""
    read = writer("hexagrams").read
    state = hexagrams.start(2, hexagrams.ABOUT.options())
    before = "G5xG7 E7xE5 F4xE5 C7xC5 I5xI7 A7xA5 B4xC5 F8xG7"
    for ply in before.split():
        state = hexagrams.play(state, state.turn, read(state, state.turn, ply))
    seat = state.turn
    (forced,) = hexagrams.moves(state, seat)
    choice = Choice(8, seat, "hexagrams", pack(state), pack(forced))
    for at_sight in (True, False):
        judged = compare(choice, Random(1), at_sight=at_sight)
        assert judged.played.chance == TOTAL
        assert judged.chance_lost == 0
