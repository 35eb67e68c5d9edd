"""The computer player of Lhexicon: legal, in time, and no fool."""

import gc
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import count, islice, product
from random import Random

import pytest
from msgspec.structs import replace

from netplay.players import player
from netplay.players.deepening import gc_paused
from netplay.players.evaluating import advised, evaluate
from netplay.players.lhexicon import NAMED, choose
from netplay.players.lhexicon.board import Ground
from netplay.players.lhexicon.evaluation import worth_kept
from netplay.players.lhexicon.search import Seeker
from netplay.review.grading import Choice, compare
from netplay.sentences import Says
from netplay.wire import pack
from rules import lexicon, lhexicon, tiles
from rules.game import CHANCE
from rules.lhexicon import (
    Accept,
    Challenge,
    Discard,
    Insist,
    Lay,
    Move,
    Options,
    Pass,
    State,
    Verdict,
    Withdraw,
)
from tests.rules.lhexicon import matches, worked


def _never() -> bool:
    return False


def _ticking(step: float) -> Callable[[], float]:
    """Return a clock that goes on by a step whenever it is looked at."""
    ticks = count()
    return lambda: step * next(ticks)


def _revealed(state: State, rng: Random) -> State:
    while lhexicon.actors(state) == {CHANCE}:
        state = lhexicon.play(
            state, CHANCE, rng.choice(list(lhexicon.moves(state, CHANCE)))
        )
    return state


def _chosen(state: State, skill: int, rng: Random) -> Move:
    """Return a computer's move on a clock that knows only how often it is asked."""
    (seat,) = lhexicon.actors(state)
    seen = lhexicon.view(state, seat)
    return choose(seen, seat, skill, rng, clock=_ticking(0.03))


def _position(seed: int, turns: int, options: Options) -> State:
    """Return a match some turns in."""
    rng = Random(seed)
    state = _revealed(lhexicon.start(2, options), rng)
    for _ in range(turns):
        state = lhexicon.play(state, state.turn, _chosen(state, 70, rng))
        state = _revealed(state, rng)
    return state


@cache
def _short_words() -> str:
    """Return a dictionary in which the whole list of plays is soon made."""
    english = lexicon.load("english")
    words = (word for word in english.words() if len(word) <= 4)
    made = lexicon.Lexicon(lexicon.build(lhexicon.LETTERS, words))
    lexicon.register(made)
    return made.digest


def _points(state: State, move: Move) -> int:
    assert isinstance(move, Lay)
    verdict = lhexicon.judge_lay(state, state.turn, move)
    assert isinstance(verdict, Verdict)
    return verdict.points


@pytest.mark.parametrize("rack", ["AEILVTJ", "DOVEWZI", "UUQIERS"])
def test_the_best_play_of_a_plain_rack_is_that_of_the_whole_list(rack: str) -> None:
    state = _position(ord(rack[0]), 6, Options(side=6, lexicon=_short_words()))
    plain = tuple(matches.kinds(rack))
    kinds = [plain, plain]
    state = replace(state, tiles=replace(state.tiles, kinds=tuple(kinds)))
    seeker = Seeker(Ground(state), state.options.lexicon, _never)
    assert seeker.seek(tuple(sorted(plain)))
    words = (m for m in lhexicon.moves(state, state.turn) if isinstance(m, Lay))
    assert seeker.best()[0].score == max(_points(state, move) for move in words)


def test_little_of_a_thought_is_left_for_the_search_for_circles() -> None:
    state = matches.begin("?AEILTR", "CODEDIJ")
    state = matches.give(lhexicon.play(state, 0, Pass()))
    state = matches.give(matches.lay(state, worked.CODED))
    view = lhexicon.view(state, state.turn)
    gc.collect()
    with gc_paused():
        choose(view, state.turn, 100, Random(1))
        left = gc.collect()
    assert left < 20_000  # of the hundreds of thousands of things it works out


@pytest.mark.parametrize(("skill", "seats"), [(0, 3), (55, 2), (100, 2)])
def test_matches_of_computers_are_legal_to_the_end(skill: int, seats: int) -> None:
    rng = Random(skill)
    options = Options(side=6, lexicon=_short_words())
    state = _revealed(lhexicon.start(seats, options), rng)
    words = 0
    while lhexicon.actors(state):
        move = _chosen(state, skill, rng)
        words += isinstance(move, Lay)
        state = _revealed(lhexicon.play(state, state.turn, move), rng)
    assert words > 10


def test_the_time_is_kept_with_two_blanks() -> None:
    state = matches.begin("??ERSTA", "CODEDIJ")
    state = matches.give(lhexicon.play(state, 0, Pass()))
    state = matches.give(matches.lay(state, worked.CODED))
    looks = count()

    def clock() -> float:
        return 0.001 * next(looks)

    choose(lhexicon.view(state, 0), 0, 100, Random(1), budget=1.0, clock=clock)
    assert next(looks) < 1.1 * 1000


def test_without_any_time_a_legal_move_comes_all_the_same() -> None:
    state = matches.begin("CATEDOG", "CODEDIJ")
    move = choose(state, 0, 100, Random(1), budget=0.0, clock=_ticking(1.0))
    assert lhexicon.play(state, 0, move).turn == 1


def test_a_trap_is_closed_where_there_is_one_to_close() -> None:
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    state = matches.give(matches.lay(state, worked.CRUEL))
    assert _points(state, _chosen(state, 100, Random(1))) >= 21


def test_without_a_word_the_worst_tiles_are_discarded() -> None:
    options = Options(lexicon=matches.small("ZZZ"))
    state = matches.begin("QVES?JW", "AAAAAAA", options=options)
    move = _chosen(state, 100, Random(1))
    assert isinstance(move, Discard)
    gone = [tiles.kind_of(state.tiles, number) for number in move.tiles]
    assert sorted(gone) == sorted(matches.kinds("QVJW"))


def test_without_a_word_and_without_a_bank_there_is_a_pass() -> None:
    options = Options(lexicon=matches.small("ZZZ"))
    state = matches.begin("QVES?JW", "AAAAAAA", options=options)
    empty = replace(state, tiles=replace(state.tiles, first=state.tiles.end))
    assert _chosen(empty, 100, Random(1)) == Pass()


def test_with_nothing_bad_on_the_rack_one_tile_goes() -> None:
    options = Options(lexicon=matches.small("ZZZ"))
    state = matches.begin("SSSS??E", "AAAAAAA", options=options)
    move = _chosen(state, 100, Random(1))
    assert isinstance(move, Discard)
    assert len(move.tiles) == 1


def test_going_out_is_worth_it_for_whoever_wins_by_it() -> None:
    options = Options(lexicon=matches.small("CODED", "COED"))
    state = matches.begin("CODEDIJ", "AAAAAAA", options=options)
    held = replace(
        state.tiles,
        first=state.tiles.end,
        racks=(state.tiles.racks[0][:5], state.tiles.racks[1]),
        kinds=(state.tiles.kinds[0][:5], state.tiles.kinds[1]),
    )
    ahead = replace(state, tiles=held)
    assert _points(ahead, _chosen(ahead, 100, Random(1))) == 8
    behind = replace(ahead, scores=(0, 50))
    assert _points(behind, _chosen(behind, 100, Random(1))) == 7
    reason = player("lhexicon").ABILITIES.reason
    assert reason is not None
    out, stay = (_chosen(each, 100, Random(1)) for each in (ahead, behind))
    assert reason(ahead, 0, out, stay) == Says.WHY_WON(play="CODED")
    assert reason(behind, 0, stay, out) == Says.WHY_LOST()


@pytest.mark.parametrize(
    ("word", "skill", "answer"),
    [
        (worked.CODED, 100, Accept()),
        ("J(0,0)* I(1,0)* D(2,0)*", 100, Challenge()),
        ("J(0,0)* I(1,0)* D(2,0)*", 0, Accept()),
    ],
)
def test_a_false_word_is_challenged_by_whoever_notices(
    word: str, skill: int, answer: Move
) -> None:
    options = Options(challenge=True)
    state = matches.begin("CODEDIJ", "AAAAAAA", options=options)
    state = matches.lay(state, word)
    seen = lhexicon.view(state, 1)
    assert choose(seen, 1, skill, Random(1)) == answer


@pytest.mark.parametrize(
    ("word", "right", "wrong"),
    [
        (worked.CODED, Accept(), Challenge()),
        ("J(0,0)* I(1,0)* D(2,0)*", Challenge(), Accept()),
    ],
)
def test_answers_to_a_word_are_judged_by_the_dictionary(
    word: str, right: Move, wrong: Move
) -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA", options=Options(challenge=True))
    seen = lhexicon.view(matches.lay(state, word), 1)
    assert advised("lhexicon", seen, 1, Random(1)) == right
    choice = Choice(0, 1, "lhexicon", pack(seen), pack(wrong))
    assert compare(choice, Random(1)).chance_lost > 0


def test_who_is_challenged_is_advised_by_the_dictionary() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA", options=Options(challenge=True))
    for word, best in (
        (worked.CODED, Insist()),
        ("J(0,0)* I(1,0)* D(2,0)*", Withdraw()),
    ):
        doubted = lhexicon.play(matches.lay(state, word), 1, Challenge())
        seen = lhexicon.view(doubted, 0)
        assert advised("lhexicon", seen, 0, Random(1)) == best


def test_a_computer_stands_by_its_word() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA", options=Options(challenge=True))
    state = lhexicon.play(matches.lay(state, worked.CODED), 1, Challenge())
    for skill in (0, 100):
        assert choose(lhexicon.view(state, 0), 0, skill, Random(1)) == Insist()
    assert NAMED["best"](lhexicon.view(state, 0), 0, Random(1)) == Insist()


def test_the_same_position_and_rng_give_the_same_move() -> None:
    state = _position(3, 4, Options())
    assert _chosen(state, 40, Random(5)) == _chosen(state, 40, Random(5))


def test_the_plain_rival_takes_the_highest_score() -> None:
    options = Options(lexicon=matches.small("CODED", "CRUEL", "RUE", "CAP"))
    state = matches.begin("CODEDIJ", "RUELCPA", options=options)
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    move = NAMED["best"](lhexicon.view(state, 1), 1, Random(1))
    words = (m for m in lhexicon.moves(state, 1) if isinstance(m, Lay))
    assert _points(state, move) == max(_points(state, each) for each in words)
    false = matches.lay(
        matches.begin("CODEDIJ", "AAAAAAA", options=Options(challenge=True)),
        "J(0,0)* I(1,0)* D(2,0)*",
    )
    assert NAMED["best"](lhexicon.view(false, 1), 1, Random(1)) == Challenge()


def test_the_reason_told_accounts_for_at_least_half_of_what_was_lost() -> None:
    reason, told = player("lhexicon").ABILITIES.reason, Counter[str]()
    assert reason is not None
    state = _position(5, 4, Options(lexicon=_short_words()))
    seat = state.turn
    listed = islice(lhexicon.moves(state, seat), 400)
    words = [move for move in listed if isinstance(move, Lay)][::5]
    judged = evaluate("lhexicon", state, seat, Random(1), 20, also=words)
    values = {each.move: each.value for each in judged.candidates}
    rack = tiles.on_rack(state.tiles, seat)

    def rest(move: Lay) -> Counter[int]:
        laid = {each.tile for each in move.laid}
        return Counter(kind for tile, kind in rack.items() if tile not in laid)

    for best, made in product(words, words):
        lost = values[best] - values[made]
        if lost <= 0:
            continue
        said = reason(state, seat, best, made)
        assert said is not None
        told[said.code] += 1
        more = _points(state, best) - _points(state, made)
        left = worth_kept(tuple(sorted(rest(best).elements())))
        left -= worth_kept(tuple(sorted(rest(made).elements())))
        assert (said.code == "WHY_POINTS") == (more > 0 and 2 * more >= lost)
        if said.code in {"WHY_KEPT", "WHY_KEPT_ONE", "WHY_LEAVE"}:
            assert 2 * left >= lost
        if said.code.startswith("WHY_KEPT"):
            letters = sorted((rest(made) - rest(best)).elements())
            spelled = " ".join(matches.FACES[kind] for kind in letters)
            says = Says.WHY_KEPT_ONE if len(letters) == 1 else Says.WHY_KEPT
            assert said == says(letters=spelled)
    assert {"WHY_POINTS", "WHY_KEPT", "WHY_KEPT_ONE"} <= set(told)


@pytest.mark.parametrize("word", [worked.CODED, "J(0,0)* I(1,0)* D(2,0)*"])
def test_of_a_word_that_may_be_challenged_it_is_told_whether_it_is_one(
    word: str,
) -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA", options=Options(challenge=True))
    laid = lhexicon.lay(state, *matches.placed(state, 0, word))
    good = word == worked.CODED
    made = compare(Choice(0, 0, "lhexicon", pack(state), pack(laid)), Random(1))
    assert (made.why == Says.WHY_NO_WORD(word="JID")) != good
    assert made.chance_lost or good
    state = lhexicon.play(state, 0, laid)
    answer: Move = Challenge() if good else Accept()
    said = compare(Choice(1, 1, "lhexicon", pack(state), pack(answer)), Random(1))
    told = Says.WHY_WORD(word="CODED") if good else Says.WHY_NO_WORD(word="JID")
    assert said.why == told
