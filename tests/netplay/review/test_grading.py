"""What a turn lost, by the same judge that the strongest player goes by."""

import json
import random
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay import wire
from netplay.__main__ import main
from netplay.arena import Chance
from netplay.formats import gcg
from netplay.messages.table_questions import TOTAL, Appraisal, Offer, accuracy
from netplay.players import player
from netplay.players.evaluating import Candidate, Evaluation, evaluate
from netplay.players.networdz.evaluation import leaving
from netplay.record.verify import replay
from netplay.review import grading
from netplay.review.appraising import appraise, offer, reason
from netplay.review.grading import Choice, Turn, compare
from netplay.sentences import Says
from netplay.text import writer
from netplay.wire import pack
from rules import GAMES, hexagrams, networdz, numlo
from rules.game import CHANCE, Resign
from rules.networdz.judging import placed
from rules.numlo.grid import grid
from rules.numlo.state import open_to, unpack
from rules.tiles import kind_of
from tests.client import worlds
from tests.netplay.party import Party
from tests.rules.numlo.positions import board, position
from tests.said import says
from tests.test_second_rules import jumbled

SLOW_HEXAGRAMS = pytest.param("hexagrams", marks=pytest.mark.slow)
MOST = pytest.mark.parametrize("most", [2, pytest.param(12, marks=pytest.mark.slow)])
"""Turns that are judged, a second or two each: the opening tells a mistake at once."""

HEAD = "#player1 ann Ann\n#player2 ben Ben\n"


def appraised(line: str) -> Appraisal:
    """Return the last turn of a record, judged."""
    return appraise(list(grading.of_sheet(gcg.read((HEAD + line).encode())))[-1])


def networdz_turns(skill: int, seed: int, most: int) -> list[Appraisal]:
    """Return the first turns of a computer player against itself, judged."""
    game, rng = networdz, random.Random(seed)
    state, chance = game.start(2, game.ABOUT.options()), Chance(GAMES["networdz"], seed)
    found: list[Appraisal] = []
    while len(found) < most:
        actors = game.actors(state)
        if CHANCE in actors:
            state = game.play(state, CHANCE, chance.choose(state))
            continue
        seat = min(actors)
        move = player("networdz").choose(game.view(state, seat), seat, skill, rng)
        if isinstance(move, networdz.Lay):
            laid = tuple(placed(game.ground(state.options), state, move))
            found.append(appraise(Turn(len(found), seat, state, laid)))
        elif isinstance(move, networdz.Pass):
            gone = tuple(kind_of(state.tiles, tile) for tile in move.discards)
            found.append(appraise(Turn(len(found), seat, state, (), gone)))
        state = game.play(state, seat, move)
    return found


@MOST
def test_the_strongest_player_s_own_turns_are_not_called_worse(most: int) -> None:
    judged = networdz_turns(100, 3, most)
    assert {each.grade for each in judged} == {"none"}


@MOST
def test_a_weak_player_s_mistakes_are_found_and_have_a_reason(most: int) -> None:
    judged = networdz_turns(20, 3, most)
    worse = [each for each in judged if each.grade != "none"]
    assert len(worse) > len(judged) * 0.2
    assert all(each.why is not None and each.equity_lost > 0 for each in worse)


@given(
    st.floats(0, 1), st.floats(0, 1), st.floats(0, 0.2), st.floats(-50, 50),
    st.floats(0, 50),
)  # fmt: skip
def test_only_what_is_lost_beyond_what_the_judging_may_err_is_called_a_loss(
    best: float, made: float, error: float, value: float, more: float
) -> None:
    first, second = _two()
    better = Candidate(first, value + more, max(best, made), 0.0)
    mine = Candidate(second, value, min(best, made), error)
    empty = Offer("", 0, (), ())
    judged = Appraisal(0, 0, (), empty, (), 0)
    why = Says.WHY_AHEAD(play="8G ES")
    found = grading.graded(judged, Evaluation((better, mine), 7), second, why)
    lost = better.chance - mine.chance
    if lost <= error:
        assert (found.grade, found.chance_lost, found.why) == ("none", 0, None)
    else:
        assert found.chance_lost == pytest.approx(TOTAL * lost, abs=0.5)
        assert found.equity_lost == pytest.approx(100 * more, abs=0.6)
        assert found.why == why
    assert found.work == 7


def test_a_bingo_that_was_missed_is_named() -> None:
    judged = appraised(">ann: ?AEINRT 8G AI +4 4\n")
    assert judged.why is not None
    assert judged.why.code == "WHY_BINGO"


@pytest.mark.parametrize("moves", [8, 9])
@pytest.mark.parametrize("own", [2, 3, 4])
@pytest.mark.parametrize("other", [1, 3, 6])
def test_going_out_is_the_reason_where_a_play_would_have_used_the_last_tiles(
    moves: int, own: int, other: int
) -> None:
    state, _past = worlds.networdz(2, moves)
    (seat,) = networdz.actors(state)
    held = [own if i == seat else other for i in range(2)]

    def cut(racks: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(rack[:n] for rack, n in zip(racks, held, strict=True))

    few = state.tiles
    few = replace(few, first=few.end, racks=cut(few.racks), kinds=cut(few.kinds))
    state = replace(state, tiles=few)
    plays = {len(each.laid): each for each in networdz.lays(state, seat)}
    for best, made in product(plays, plays):
        more = Candidate(plays[best], 90.0, 0.9, 0.0)
        less = Candidate(plays[made], 0.0, 0.1, 0.0)
        why = reason(state, seat, Evaluation((more, less), 1), plays[made])
        goes_out = best == own > made
        if best != made:
            assert why is not None
            assert (why.code == "WHY_GOING_OUT") == goes_out, (best, made)


def test_tiles_are_a_reason_only_where_those_kept_are_worth_more() -> None:
    """Between two plays of two points it can only be what comes after them."""
    turn = list(grading.of_sheet(gcg.read((HEAD + TWO).encode())))[-1]
    state = turn.before
    plays = {offer(state, _tiles(state, each)).text: each for each in _pairs(state)}
    made, best = plays["8G AI"], plays["8G ES"]
    better, worse = (Candidate(best, 20.0, 0.6, 0.0), Candidate(made, 10.0, 0.5, 0.0))
    told = reason(state, 0, Evaluation((better, worse), 1), made)
    assert told == Says.WHY_AHEAD(play="8G ES")
    better, worse = better._replace(move=made), worse._replace(move=best)
    told = reason(state, 0, Evaluation((better, worse), 1), best)
    assert told is not None
    gained = leaving(state, 0, made) - leaving(state, 0, best)
    assert gained > 5
    assert told == Says.WHY_KEPT(letters="A I")


def test_one_tile_that_was_kept_is_not_told_of_as_several() -> None:
    turn = list(grading.of_sheet(gcg.read((HEAD + ">ann: AEINRST - +0 0\n").encode())))
    state = turn[-1].before
    plays = {
        tuple(sorted(tile.letter for tile in _tiles(state, each))): each
        for each in _pairs(state)
    }
    told = Counter[str]()
    for best, made in product(plays.values(), plays.values()):
        more, less = Candidate(best, 1.5, 0.6, 0.0), Candidate(made, 1.0, 0.5, 0.0)
        said = reason(state, 0, Evaluation((more, less), 1), made)
        if said is not None and said.code.startswith("WHY_KEPT"):
            letters = str(dict(said.values)["letters"]).split()
            assert (said.code == "WHY_KEPT_ONE") == (len(letters) == 1)
            told[said.code] += 1
    assert set(told) == {"WHY_KEPT", "WHY_KEPT_ONE"}


TWO = ">ann: AEINRST 8G AI +4 4\n"


def _pairs(state: networdz.State) -> list[networdz.Lay]:
    return [each for each in networdz.lays(state, 0) if len(each.laid) == 2]


@cache
def _two() -> tuple[networdz.Lay, networdz.Lay]:
    """Return two plays of one position."""
    (turn,) = grading.of_sheet(gcg.read((HEAD + TWO).encode()))
    first, second, *_more = _pairs(turn.before)
    return first, second


def _tiles(state: networdz.State, move: networdz.Lay) -> list[networdz.Placed]:
    return list(placed(networdz.ground(state.options), state, move))


def test_a_word_that_was_taken_back_is_a_turn_without_a_play() -> None:
    record = HEAD + ">ann: ATRBNIW 8H TRWB +20 20\n"
    stood, taken = (
        list(grading.of_sheet(gcg.read((record + more).encode())))
        for more in ("", ">ann: ATRBNIW -- -20 0\n>ben: AAGLMOU 8H AA +4 4\n")
    )
    assert [len(turn.laid) for turn in stood] == [4]
    assert [len(turn.laid) for turn in taken] == [0, 2]
    judged = appraise(taken[0], at_sight=True)
    assert judged.played.points == 0
    assert judged.why is not None
    assert judged.why.code == "WHY_NO_PLAY"
    assert (judged.back, judged.played.text) == ("8H TRWB", "")
    assert appraise(stood[0], at_sight=True).back == ""


def test_a_wrong_word_of_a_tournament_is_a_turn_without_a_play() -> None:
    options = networdz.Options(tournament=True)
    party = Party("networdz", 2, options)
    party.link_all()
    party.settle()
    ((member, seat),) = party.movers()
    match = party.member(member)
    view = match.seats.view(seat).state
    plays = (m for m in networdz.lays(view, seat) if len(m.laid) > 2)
    turned = (jumbled(play, random.Random(7)) for play in plays)
    wrong = next(m for m in turned if networdz.judge_lay(view, m).error)
    match.play(seat, pack(wrong), -1, 0.0)
    party.settle()
    party.member(1 - member).play(1 - seat, pack(Resign()), -1, 0.0)
    party.settle()
    (turn,) = grading.of_match(replay([one.raw for one in match.ledger.log.lines]))
    assert (turn.seat, turn.laid) == (seat, ())
    assert [each.cell for each in turn.back] == [each.cell for each in wrong.laid]


def test_a_first_look_takes_next_to_no_work_and_sees_what_is_plain() -> None:
    turn = list(
        grading.of_sheet(gcg.read((HEAD + ">ann: ?AEINRT 8G AI +4 4\n").encode()))
    )[-1]
    judged = appraise(turn, at_sight=True)
    assert judged.at_sight
    assert judged.work <= 50
    assert judged.grade != "none"
    assert judged.why is not None
    assert judged.why.code == "WHY_BINGO"


@pytest.mark.parametrize("game", ["numlo", SLOW_HEXAGRAMS])
def test_a_first_look_at_a_searched_move_says_that_it_is_one(game: str) -> None:
    state: Any = numlo_state() if game == "numlo" else hexagrams_state(3, 20)
    (seat,) = GAMES[game].actors(state)
    move = list(GAMES[game].moves(state, seat))[-1]
    choice = Choice(0, seat, game, pack(state), pack(move))
    hasty = compare(choice, random.Random(1), at_sight=True)
    deep = compare(choice, random.Random(1))
    assert (hasty.at_sight, deep.at_sight) == (True, False)
    assert hasty.work * 5 < deep.work


def test_an_exchange_is_told_of_where_it_is_worth_more_than_any_play() -> None:
    judged = appraised(">ann: IIIUUVV 8G VI +10 10\n")
    assert judged.why is not None
    assert judged.why.code == "WHY_EXCHANGE"
    ((_name, letters),) = judged.why.values
    assert set(str(letters)) <= set("IUV")


def test_who_exchanges_the_tiles_that_the_judge_would_has_lost_nothing() -> None:
    best = appraised(">ann: IIIUUVV - +0 0\n")
    assert best.chance_lost > 0
    assert best.why is not None
    ((_name, letters),) = best.why.values
    same = appraised(f">ann: IIIUUVV -{letters} +0 0\n")
    assert same.chance_lost == 0
    assert same.played.text == f"-{letters}"


def numlo_state(
    seed: int = 3, moves: int = 20, seats: int = 2, size: int = 8
) -> numlo.State:
    rng, start = random.Random(seed), "latin" if seats > 2 else "othello"
    state = numlo.start(seats, numlo.Options(size=size, values=False, start=start))
    for _ in range(moves):
        for seat in numlo.actors(state):
            state = numlo.play(state, seat, rng.choice(list(numlo.moves(state, seat))))
    return state


def hexagrams_state(seed: int = 3, moves: int = 12) -> hexagrams.State:
    rng = random.Random(seed)
    state = hexagrams.start(2, hexagrams.ABOUT.options())
    for _ in range(moves):
        for seat in hexagrams.actors(state):
            plies = list(hexagrams.moves(state, seat))
            state = hexagrams.play(state, seat, rng.choice(plies))
    return state


@pytest.mark.parametrize("game", ["numlo", "hexagrams"])
def test_the_same_work_gives_the_same_answer(game: str) -> None:
    state: Any = numlo_state() if game == "numlo" else hexagrams_state()
    (seat,) = GAMES[game].actors(state)
    also = tuple(GAMES[game].moves(state, seat))[:2]
    first, second = (
        evaluate(game, state, seat, random.Random(seed), 800, also) for seed in (1, 2)
    )
    assert first == second
    assert first.work <= 800 * 20
    assert all(first.of(move) for move in also)
    chances = [each.chance for each in first.candidates]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= chance <= 1 for chance in chances)


def test_a_corner_given_away_is_told_only_where_the_other_can_take_it() -> None:
    """The reason is checked here by playing: the other takes a corner next."""
    told = 0
    for seed in range(2, 40):  # nothing is given away in those before
        state = numlo_state(seed, 36)
        actors = numlo.actors(state)
        if not actors:
            continue
        (seat,) = actors
        for move in numlo.moves(state, seat):
            if not isinstance(move, numlo.Place) or move.square not in {9, 14, 49, 54}:
                continue
            choice = Choice(0, seat, "numlo", pack(state), pack(move))
            judged = compare(choice, random.Random(1))
            if judged.why is None or judged.why.code != "WHY_CORNER_GIVEN":
                continue
            told += 1
            after = numlo.play(state, seat, move)
            replies = numlo.moves(after, after.turn)
            assert after.turn != seat
            assert any(
                isinstance(m, numlo.Place) and m.square in {0, 7, 56, 63}
                for m in replies
            )
        if told:
            return
    assert told


def test_a_corner_that_was_open_before_is_left_and_not_given() -> None:
    """The reason is checked here by playing, as above."""
    corners, told = {0, 7, 56, 63}, Counter[str]()

    def takes(state: numlo.State, of: int) -> set[int]:
        found = open_to(grid(8), unpack(state), of)
        return {at for at in corners if found >> at & 1}

    told_why = player("numlo").ABILITIES.reason
    assert told_why is not None
    for seed in range(16, 36):
        state = numlo_state(seed, 36)
        if state.turn not in {0, 1}:
            continue
        seat, moves = state.turn, list(numlo.moves(state, state.turn))
        for best, made in product(moves, moves):
            said = told_why(state, seat, best, made)
            if said is None or said.code == "WHY_CORNER_MISSED":
                continue
            told[said.code] += 1
            after, other = (numlo.play(state, seat, each) for each in (made, best))
            given = takes(after, 1 - seat) - (
                takes(other, 1 - seat) if other.turn == 1 - seat else set()
            )
            fresh = given - takes(state, 1 - seat)
            assert given
            assert bool(fresh) == (said.code == "WHY_CORNER_GIVEN")
    assert {"WHY_CORNER_GIVEN", "WHY_CORNER_LEFT"} == set(told)


def why_by_playing(
    state: numlo.State, seat: int, best: numlo.Move, made: numlo.Move
) -> str:
    """Return which reason there is, found out by playing both moves."""
    size = state.options.size
    corners = {0, size - 1, size * size - size, size * size - 1}

    def lays(each: numlo.State) -> set[int]:
        if each.turn in {seat, numlo.OVER}:
            return set()
        moves = numlo.moves(each, each.turn)
        return {m.square for m in moves if isinstance(m, numlo.Place)} & corners

    assert isinstance(best, numlo.Place)
    assert isinstance(made, numlo.Place)
    if best.square in corners and made.square not in corners:
        return "WHY_CORNER_MISSED"
    after = numlo.play(state, seat, made)
    given = lays(after) - lays(numlo.play(state, seat, best))
    if not given:
        return ""
    was_open = open_to(grid(size), unpack(state), after.turn)
    fresh = any(not was_open >> at & 1 for at in given)
    return "WHY_CORNER_GIVEN" if fresh else "WHY_CORNER_LEFT"


@pytest.mark.parametrize(
    ("seats", "size", "plies"), [(2, 8, 48), (3, 8, 16), (2, 12, 108)]
)
def test_a_reason_about_corners_is_told_where_it_holds_and_nowhere_else(
    seats: int, size: int, plies: int
) -> None:
    told, why = Counter[str](), player("numlo").ABILITIES.reason
    assert why is not None
    for seed in range(14):
        state = numlo_state(seed, plies, seats, size)
        if state.turn == numlo.OVER:
            continue
        seat, moves = state.turn, list(numlo.moves(state, state.turn))
        for best, made in product(moves, moves):
            if not isinstance(best, numlo.Place) or not isinstance(made, numlo.Place):
                continue
            said = why(state, seat, best, made)
            expected = why_by_playing(state, seat, best, made)
            assert (said.code if said else "") == expected
            told[expected] += 1
    assert {"WHY_CORNER_MISSED", "WHY_CORNER_GIVEN", "WHY_CORNER_LEFT"} <= set(told)


def end_of(state: numlo.State, seat: int) -> int:
    """Return by how much a seat of two is ahead if both play as well as one can."""
    if state.turn == numlo.OVER:
        scores = numlo.scores(state)
        return scores[seat] - scores[1 - seat]
    pick = max if state.turn == seat else min
    moves = numlo.moves(state, state.turn)
    return pick(end_of(numlo.play(state, state.turn, move), seat) for move in moves)


def test_a_win_that_was_sure_and_a_match_that_was_lost_are_told_as_such() -> None:
    """The reason is checked here by trying out every end."""
    told = Counter[str]()
    for seed in range(60):
        state = numlo_state(seed, 57)
        if state.turn == numlo.OVER:
            continue
        seat, moves = state.turn, list(numlo.moves(state, state.turn))
        ends = {move: end_of(numlo.play(state, seat, move), seat) for move in moves}
        best = max(ends.values())
        for move, end in ends.items():
            judged = compare(
                Choice(0, seat, "numlo", pack(state), pack(move)), random.Random(1)
            )
            code = judged.why.code if judged.why else ""
            assert (code == "WHY_WIN_MISSED") == (best > 0 >= end)
            assert (code == "WHY_LOST") == (best == 0 > end)
            told[code] += 1
    assert {"WHY_WIN_MISSED", "WHY_LOST"} <= set(told)


def ahead_of_all(state: numlo.State, seat: int) -> int:
    """Return by how much a seat is ahead of the next if all others play against it."""
    if state.turn == numlo.OVER:
        scores = numlo.scores(state)
        return scores[seat] - max(scores[:seat] + scores[seat + 1 :])
    pick = max if state.turn == seat else min
    moves = numlo.moves(state, state.turn)
    after = (numlo.play(state, state.turn, move) for move in moves)
    return pick(ahead_of_all(each, seat) for each in after)


def test_among_three_a_sure_win_is_one_ahead_of_both() -> None:
    """The reason is checked here by trying out every end."""
    told = Counter[str]()
    for seed in range(20):
        state = numlo_state(seed, 25, 3)
        if state.turn == numlo.OVER:
            continue
        seat, moves = state.turn, list(numlo.moves(state, state.turn))
        ends = {
            move: ahead_of_all(numlo.play(state, seat, move), seat) for move in moves
        }
        for move, end in ends.items():
            judged = compare(
                Choice(0, seat, "numlo", pack(state), pack(move)), random.Random(1)
            )
            code = judged.why.code if judged.why else ""
            assert (code == "WHY_WIN_MISSED") == (max(ends.values()) > 0 >= end)
            assert judged.played.chance < 10_000 or end > 0
            told[code] += 1
    assert told["WHY_WIN_MISSED"]
    assert not told["WHY_LOST"]


def is_won(state: numlo.State, seat: int) -> bool:
    """Tell by trying out the ends whether a seat of two wins if both play well."""
    if state.turn == numlo.OVER:
        scores = numlo.scores(state)
        return scores[seat] > scores[1 - seat]
    ends = (
        is_won(numlo.play(state, state.turn, move), seat)
        for move in numlo.moves(state, state.turn)
    )
    return any(ends) if state.turn == seat else all(ends)


def test_a_move_that_wins_is_no_mistake_though_it_is_seen_only_from_behind_it() -> None:
    """From before it the end is too far; another move seemed 13 % better."""
    state = numlo.State(
        options=numlo.Options(size=8),
        tiles=(bytes.fromhex("817264e240081000"), bytes.fromhex("7a0c1a1d3f776efc")),
        values=bytes.fromhex(
            "02060100040301030400000000000001050000000000000006000000000000040500000000"
            "000001020000000000000304000000000000030200050506060002"
        ),
        turn=0,
        open=bytes.fromhex("0400010000808103"),
        passed=(),
        gone=(),
    )
    move = numlo.Place(47)
    assert is_won(numlo.play(state, 0, move), 0)
    choice = Choice(45, 0, "numlo", pack(state), pack(move))
    first = compare(choice, random.Random(1), at_sight=True)
    assert first.played.chance < first.best[0].chance
    judged = compare(choice, random.Random(1))
    assert (judged.grade, judged.chance_lost, judged.why) == ("none", 0, None)
    assert judged.played.chance == 10_000


def test_a_great_lead_is_no_sure_win_before_its_end_is_seen() -> None:
    rng, seat = random.Random(12), 0
    state = numlo.start(2, numlo.Options(size=8, values=False, start="othello"))

    def greed(move: numlo.Move) -> tuple[int, int]:
        assert isinstance(move, numlo.Place)
        return numlo.scores(numlo.play(state, seat, move))[seat], -move.square

    for _ in range(48):  # whoever takes most against chance is far ahead
        moves = list(numlo.moves(state, state.turn))
        chosen = max(moves, key=greed) if state.turn == seat else rng.choice(moves)
        state = numlo.play(state, state.turn, chosen)
    choice = Choice(0, seat, "numlo", pack(state), pack(numlo.Place(55)))
    judged = compare(choice, random.Random(1), at_sight=True)
    assert judged.played.chance < 9_000 < judged.best[0].chance < 10_000
    assert judged.grade != "none"
    assert judged.why is None or judged.why.code != "WHY_WIN_MISSED"


def test_a_corner_that_is_open_to_oneself_next_was_not_given_away() -> None:
    rows = (".RBBBBBB", "", "", "", ".RB", "", "BR")
    state = position(board(*rows), seats=2)
    best, made = numlo.Place(6 * 8 + 2), numlo.Place(4 * 8)
    assert numlo.play(state, 0, best).turn == 1
    assert numlo.play(state, 0, made).turn == 0  # the other can lay nowhere
    why = player("numlo").ABILITIES.reason
    assert why is not None
    assert why(state, 0, best, made) is None
    assert why_by_playing(state, 0, best, made) == ""


def test_a_hexad_that_was_traded_for_another_was_not_left_to_be_taken() -> None:
    """The reason is checked here by playing each answer."""
    told, why = Counter[str](), player("hexagrams").ABILITIES.reason
    assert why is not None

    def balance(state: hexagrams.State, of: int) -> int:
        return state.hexads[of].bit_count() - state.hexads[1 - of].bit_count()

    def worst(state: hexagrams.State, of: int) -> int:
        if state.turn != 1 - of:
            return balance(state, of)
        answers = hexagrams.moves(state, state.turn)
        after = (hexagrams.play(state, state.turn, each) for each in answers)
        return min((balance(each, of) for each in after), default=balance(state, of))

    for seed in range(24):
        state = hexagrams_state(seed, 24)
        if state.turn not in {0, 1}:
            continue
        seat, plies = state.turn, list(hexagrams.moves(state, state.turn))
        ends = {ply: worst(hexagrams.play(state, seat, ply), seat) for ply in plies}
        for best, made in product(plies[:12], plies[:12]):
            said = why(state, seat, best, made)
            if said is not None and said.code == "WHY_HEXAD_LEFT":
                assert ends[made] < ends[best]
                told[said.code] += 1
    assert told["WHY_HEXAD_LEFT"]


@pytest.mark.parametrize("game", ["numlo", SLOW_HEXAGRAMS])
def test_a_mistake_allowed_what_can_be_answered_to_it_and_not_to_the_better_move(
    game: str,
) -> None:
    rules, tell = GAMES[game], writer(game).written
    # From a position on in which one of the first moves is such a mistake.
    some: list[tuple[Any, Any]]
    if game == "hexagrams":
        state = hexagrams.start(2, hexagrams.ABOUT.options())
        read = writer(game).read
        for ply in ["E5xE7", "C7xC5", "E7xD8", "C5xB4"]:
            state = hexagrams.play(state, state.turn, read(state, state.turn, ply))
        some = [(state, read(state, state.turn, "D8xD10"))]
    else:
        states: list[Any] = [numlo_state(seed, 24) for seed in range(3, 8)]
        some = [(state, m) for state in states for m in rules.moves(state, state.turn)]
    for state, made in some:
        seat = state.turn
        choice = Choice(0, seat, game, pack(state), pack(made))
        judged = compare(choice, random.Random(1))
        if judged.why is None or judged.why.code != "WHY_ALLOWED":
            continue
        better = wire.unpack(judged.best[0].move, rules.ABOUT.move)
        answers: list[set[str]] = []
        for move in (made, better):
            after = rules.play(state, seat, move)
            assert seat not in rules.actors(after)
            moves = rules.moves(after, 1 - seat)
            answers.append({tell(after, 1 - seat, each) for each in moves})
        assert dict(judged.why.values)["move"] in answers[0] - answers[1]
        return
    pytest.fail("no mistake allowed anything")


def test_hexads_that_can_go_fewer_ways_later_are_told_of_and_counted() -> None:
    reads, tells = writer("hexagrams").read, player("hexagrams").ABILITIES.later
    assert tells is not None
    state = hexagrams.start(2, hexagrams.ABOUT.options())
    before = (
        "E5xE7 C7xC5 E7xD8 C5xB4 D8xD10 B4xB2 D10xE11 B2xC1 G5xG7 F8xG7 A5xA7 B8xA7 "
        "I5xI7 H8xI7"
    )
    for ply in before.split():
        state = hexagrams.play(state, state.turn, reads(state, state.turn, ply))

    def ways(state: hexagrams.State, seat: int) -> int:
        moves = hexagrams.moves(replace(state, turn=seat), seat)
        return sum(isinstance(each, hexagrams.Hexad) for each in moves)

    made, best = (reads(state, 0, ply) for ply in ("B6xC9", "D6xF6"))
    assert tells(state, 0, best, made) == Says.WHY_WAYS_COST(count=3)
    # The strongest lines, ply by ply as they were read.
    lines = (
        "B6xC9 E9xD6 C9xD6 F6xD6 H4-I5 I7xI5 G3xH6",
        "D6xF6 E9xF6 B6xC9 I7-I5 H4xI5 H6xG3 D4-E5",
    )
    ends = []
    for line in lines:
        end = state
        for ply in line.split():
            end = hexagrams.play(end, end.turn, reads(end, end.turn, ply))
        ends.append(ways(end, 0))
    assert ends[1] - ends[0] == 3


def test_squares_to_choose_from_are_told_as_the_rules_count_them() -> None:
    tells, found = player("numlo").ABILITIES.later, 0
    assert tells is not None
    for seed in range(6):
        state = numlo_state(seed, 16)
        if state.turn not in {0, 1}:
            continue
        seat, places = state.turn, list(numlo.moves(state, state.turn))
        many = {
            place: sum(1 for _ in numlo.moves(after, after.turn))
            for place in places
            if (after := numlo.play(state, seat, place)).turn == 1 - seat
        }
        if len(many) < 2:
            continue
        made, best = max(many, key=many.__getitem__), min(many, key=many.__getitem__)
        said = tells(state, seat, best, made)
        if said is not None and said.code == "WHY_CHOICES":
            values = dict(said.values)
            assert values["count"] == many[made]
            assert values["fewer"] == many[best]
            assert many[made] >= many[best] + 3
            found += 1
    assert found


def test_a_play_that_ends_the_match_has_won_or_lost_for_sure() -> None:
    game, rng = networdz, random.Random(1)
    state = game.start(2, game.ABOUT.options())
    chance, last = Chance(GAMES["networdz"], 1), None
    while actors := game.actors(state):
        if CHANCE in actors:
            state = game.play(state, CHANCE, chance.choose(state))
            continue
        seat = min(actors)
        move = player("networdz").choose(game.view(state, seat), seat, 60, rng)
        last = (seat, state, move)
        state = game.play(state, seat, move)
    assert last is not None
    seat, before, move = last
    assert isinstance(move, networdz.Lay)
    laid = tuple(placed(game.ground(before.options), before, move))
    assert game.ABOUT.scored is not None
    ends = game.ABOUT.scored.scores(state)
    ahead = ends[seat] - ends[1 - seat]
    for lead in (2, -2):  # as close as can be
        scores = list(before.scores)
        scores[seat] += lead - ahead
        close = replace(before, scores=tuple(scores))
        end = game.play(close, seat, move)
        while CHANCE in game.actors(end):  # what is left on the other rack is shown
            end = game.play(end, CHANCE, next(iter(game.moves(end, CHANCE))))
        assert not game.actors(end)
        places = game.places(end)
        found = appraise(Turn(0, seat, close, laid))
        won = places[seat] < places[1 - seat]
        assert won == (lead > 0)
        assert found.played.chance == (TOTAL if won else 0)


def test_a_turn_lost_by_a_challenge_in_vain_is_judged_where_it_costs_one() -> None:
    double = networdz.Options(challenge="double")
    single = networdz.Options(challenge="single")
    for options, judged in ((double, [False, True]), (single, [False])):
        party = Party("networdz", 2, options)
        party.link_all()
        party.settle()
        ((member, seat),) = party.movers()
        match = party.member(member)
        view = match.seats.view(seat).state
        match.play(seat, pack(next(networdz.lays(view, seat))), -1, 0.0)
        party.settle()
        doubter = party.member(1 - member)
        doubter.play(1 - seat, pack(networdz.Challenge()), -1, 0.0)
        party.settle()
        match.play(seat, pack(Resign()), -1, 0.0)
        party.settle()
        lines = [one.raw for one in match.ledger.log.lines]
        turns = list(grading.of_match(replay(lines)))
        assert [not turn.laid for turn in turns] == judged
        if options == double:
            lost = turns[-1]
            assert lost.seat == 1 - seat
            found = appraise(lost, at_sight=True)
            assert (found.played.text, found.seat) == ("", 1 - seat)
            assert len(found.rack) == 7
            assert found.equity_lost > 0


def lost(chance: int) -> Appraisal:
    return Appraisal(0, 0, (), Offer("", 0, (), ()), (), chance_lost=chance)


def test_accuracy_is_whole_without_losses_and_falls_with_them() -> None:
    good, bad, worst = 5 * [lost(0)], 5 * [lost(1500)], 5 * [lost(10_000)]
    assert accuracy(good) == pytest.approx(100.0)
    assert accuracy(good + bad) == pytest.approx((100 + 50.5) / 2, abs=0.2)
    assert accuracy(worst) == pytest.approx(0.0)


@pytest.mark.parametrize("turns", range(5))
def test_a_few_turns_say_nothing_of_how_well_somebody_plays(turns: int) -> None:
    assert accuracy(turns * [lost(0)]) is None


def test_turns_out_of_time_are_no_moves_good_or_bad() -> None:
    played = [lost(800), lost(0), lost(0), lost(0), lost(0)]
    late = [replace(lost(much), lapsed=True) for much in (0, 0, 5000)]
    assert accuracy(late + played) == accuracy(played)
    assert accuracy(played[1:] + late) is None  # four moves say nothing


def test_the_command_tells_what_each_turn_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, sheet = tmp_path / "a.gcg", str(tmp_path / "a.netplay")
    record = HEAD + ">ann: ?AEINRT 8G AI +4 4\n>ben: EEIOUVV - +0 0\n"
    file.write_text(record, encoding="utf-8")
    home = ("--home", str(tmp_path))
    assert main([*home, "gcg", "import", str(file), sheet]) == 0
    assert "analyse`" in capsys.readouterr().out  # what to do with it now
    assert main([*home, "analyse", sheet, "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    for each in (first, second):
        assert {"played", "best", "loss", "work", "accuracy"} <= set(each)
    assert first["class"] in {"inaccuracy", "mistake", "blunder"}
    assert 0.03 < first["chance_lost"] < 1
    assert first["equity_lost"] > 15
    assert says(first["why"], Says.WHY_BINGO)
    assert second["chance_lost"] != first["chance_lost"]
    assert first["accuracy"] is second["accuracy"] is None  # of a turn each
    assert main([*home, "analyse", sheet]) == 0
    text = capsys.readouterr().out
    assert f" {100 * first['chance_lost']:.1f} %" in text
    assert "accuracy" in text
