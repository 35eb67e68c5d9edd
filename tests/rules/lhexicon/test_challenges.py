"""The option *challenge*: words stand unless an opponent doubts them with reason."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import hexes, lhexicon
from rules.game import CHANCE, CLOCK, Resign
from rules.lhexicon import (
    OFFICIAL_MINUTES,
    Accept,
    Challenge,
    Discard,
    Expire,
    Insist,
    Lay,
    Move,
    Options,
    Pass,
    Withdraw,
)
from tests.rules.lhexicon import matches, worked

NUMBER = hexes.numbers(9)
FALSE = "J(0,0)* I(1,0)* D(2,0)*"


def _begin(*racks: str, timed: int = 0) -> lhexicon.State:
    options = Options(challenge=True, timed=timed)
    return matches.begin("CODEDIJ", *racks, options=options)


def test_a_word_waits_for_every_opponents_answer_before_it_scores() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), worked.CODED)
    assert lhexicon.actors(state) == {1, 2}
    assert list(lhexicon.moves(state, 2)) == [Accept(), Challenge()]
    assert matches.refused(state, 1, Pass()) == "That is not possible now"
    state = lhexicon.play(state, 2, Accept())
    assert lhexicon.actors(state) == {1}
    assert state.scores == (0, 0, 0)
    assert len(state.tiles.racks[0]) == 2
    state = lhexicon.play(state, 1, Accept())
    assert state.scores == (8, 0, 0)
    assert lhexicon.actors(state) == {CHANCE}
    assert matches.give(state).turn == 1


def test_a_false_word_that_nobody_challenges_stands() -> None:
    state = matches.lay(_begin("AAAAAAA"), FALSE)
    state = matches.give(lhexicon.play(state, 1, Accept()))
    assert state.scores == (7, 0)


@pytest.mark.parametrize(
    ("word", "mistakes"),
    [(FALSE, {Accept(), Insist()}), (worked.CODED, {Challenge(), Withdraw()})],
)
def test_an_answer_that_goes_against_the_dictionary_is_a_mistake_and_no_other_is(
    word: str, mistakes: set[Move]
) -> None:
    asked = matches.lay(_begin("AAAAAAA"), word)
    doubted = lhexicon.play(asked, 1, Challenge())
    for state, seat, others in ((asked, 1, [Resign()]), (doubted, 0, [Resign()])):
        for move in [*lhexicon.moves(state, seat), *others]:
            assert lhexicon.mistaken(state, move) is (move in mistakes)


def _challenged(state: lhexicon.State, seat: int, answer: Move) -> lhexicon.State:
    """Return the state after a challenge, and what was said to it."""
    state = lhexicon.play(state, seat, Challenge())
    assert lhexicon.actors(state) - {CLOCK} == {state.turn}
    return lhexicon.play(state, state.turn, answer)


def test_who_announced_a_challenged_word_is_asked_and_nobody_else() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), FALSE)
    state = lhexicon.play(state, 2, Challenge())
    assert lhexicon.actors(state) == {0}
    assert list(lhexicon.moves(state, 0)) == [Withdraw(), Insist()]
    assert matches.refused(state, 1, Accept()) == "It is not your turn"
    assert matches.refused(state, 0, Pass()) == "That is not possible now"


def test_nobody_withdraws_or_stands_by_what_is_not_challenged() -> None:
    before = _begin("AAAAAAA")
    assert matches.refused(before, 0, Withdraw()) == "That is not possible now"
    state = matches.lay(before, FALSE)
    assert matches.refused(state, 0, Insist()) == "It is not your turn"
    assert matches.refused(state, 1, Withdraw()) == "That is not possible now"


@pytest.mark.parametrize("word", [FALSE, worked.CODED])
def test_a_withdrawn_word_costs_the_turn_and_the_challenger_nothing(word: str) -> None:
    before = _begin("AAAAAAA", "EEEEEEE")
    state = _challenged(matches.lay(before, word), 1, Withdraw())
    assert state.letters == before.letters
    assert state.numbers == before.numbers
    assert state.tiles.racks == before.tiles.racks
    assert state.scores == (0, 0, 0)
    assert state.debts == (0, 0, 0)
    assert state.announced is None
    assert lhexicon.actors(state) == {1}


@given(st.lists(st.integers(0, 99), max_size=12), st.booleans())
def test_whatever_is_said_a_word_scores_once_or_every_tile_is_back(
    said: list[int], right: bool
) -> None:
    before = _begin("AAAAAAA", "EEEEEEE", timed=OFFICIAL_MINUTES)
    state = matches.lay(before, worked.CODED if right else FALSE)
    for number in said:
        if state.announced is None:
            break
        actors = lhexicon.actors(state)
        listed = [(a, m) for a in actors for m in lhexicon.moves(state, a)]
        listed += [(a, Resign()) for a in actors if a >= 0]
        state = lhexicon.play(state, *listed[number % len(listed)])
    if state.announced is None and any(state.scores):
        assert state.scores == (8 if right else 7, 0, 0)
        assert sum(state.debts) <= right
    elif state.announced is None:
        assert state.letters == before.letters
        assert state.tiles.racks == before.tiles.racks
        assert not any(state.debts)


class Account:
    """Whose turn it is, and until when, kept by the rules of the page."""

    def __init__(self, seats: int, *, challenge: bool) -> None:
        self.challenge, self.turn = challenge, 0
        self.passes, self.missing, self.scores = ([0] * seats for _ in range(3))
        self.there = list(range(seats))
        self.without_word = 0
        self.asked: list[int] = []
        self.doubter: int | None = None
        self.word = 0, False
        """The points of the word on the board that is not settled, whether it is one"""
        self.open = False

    def actors(self) -> set[int]:
        if len(self.there) < 2:
            return set()
        if self.open:
            return set(self.asked) if self.doubter is None else {self.turn}
        passed = all(self.passes[seat] > 1 for seat in self.there)
        over = passed or self.without_word >= 10 * len(self.there)
        return set() if over else {self.turn}

    def take(self, actor: int, move: Move, points: int, *, good: bool) -> None:
        match move:
            case Pass():
                self.passes[actor] += 1
                self.on()
            case Discard():
                self.done()
            case Lay():
                self.word, self.open = (points, good), True
                self.asked = [seat for seat in self.there if seat != actor]
                if not self.challenge or not self.asked:
                    self.asked = []
                self.settled()
            case Accept():
                self.asked.remove(actor)
                self.settled()
            case Challenge():
                self.doubter = actor
            case Insist() if self.word[1]:
                assert self.doubter is not None
                self.missing[self.doubter] += 1
                self.asked = []
                self.settled()
            case Resign():
                self.there.remove(actor)
                if actor == self.turn:
                    self.open, self.doubter = False, None
                    self.on()
                elif self.open:
                    self.doubter = None if self.doubter == actor else self.doubter
                    self.asked = [seat for seat in self.asked if seat != actor]
                    self.settled()
            case _:  # a false word, or one that was taken back
                self.open, self.doubter = False, None
                self.done()

    def settled(self) -> None:
        if self.open and not self.asked:
            self.open, self.doubter = False, None
            self.scores[self.turn] += self.word[0]
            self.done()
            self.without_word = 0

    def done(self) -> None:
        self.passes = [0] * len(self.passes)
        self.on()

    def on(self) -> None:
        self.without_word += 1
        while self.there:
            self.turn = (self.turn + 1) % len(self.passes)
            if self.turn in self.there:
                if not self.missing[self.turn]:
                    return
                self.missing[self.turn] -= 1


SHORT = [
    "ID",
    "DO",
    "DE",
    "JO",
    "ON",
    "NO",
    "SO",
    "IT",
    "TO",
    "IS",
    "AA",
    "EA",
    "AE",
    "OE",
]


def _choices(state: lhexicon.State, actor: int) -> list[Move]:
    """Return a word, one that is none, a pass, a discard; or what may be answered."""
    if state.announced is not None:
        return list(lhexicon.moves(state, actor))
    rack = state.tiles.racks[actor]
    found: list[Move] = [Pass(), Discard(rack[:1])]
    word = next(lhexicon.moves(state, actor))
    if isinstance(word, Lay):
        found += [word, word]
    if isinstance(word, Lay) and state.options.challenge and len(word.laid) == 1:
        cell = word.laid[0].cell
        for tile, kind in zip(rack, state.tiles.kinds[actor], strict=True):
            if kind != word.laid[0].letter and kind != lhexicon.BLANK:
                laid = [lhexicon.Placed(tile, cell, kind)]
                found.append(lhexicon.lay(state, laid, word.path))
                break
    return found


@given(
    st.sampled_from([2, 3, 3, 4]),
    st.sampled_from([(Lay, Challenge, Insist), (Lay,), (Pass,), (Pass,), (Discard,)]),
    st.sampled_from([True, True, False]),
    st.integers(0, 2**32),
)
def test_turns_go_as_an_account_kept_by_the_rules_has_it(
    seats: int, mostly: tuple[type[Move], ...], challenge: bool, seed: int
) -> None:
    options = Options(lexicon=matches.small(*SHORT), challenge=challenge)
    racks = ["CODEDIJ", "AAAAAAA", "EEEEEEE", "NOTISSO"][:seats]
    state, rng = matches.begin(*racks, options=options), Random(seed)
    account = Account(seats, challenge=challenge)
    for _ in range(40):
        actors = sorted(account.actors())
        assert lhexicon.actors(state) == set(actors)
        if not actors:
            break
        actor = rng.choice(actors)
        moves = _choices(state, actor)
        move = rng.choice([each for each in moves if isinstance(each, mostly)] or moves)
        if rng.random() < 0.2:
            move = rng.choice(moves)
        if rng.random() < 0.1:
            actor, move = rng.choice(account.there), Resign()
        points, good = 0, False
        if isinstance(move, Lay):
            told = lhexicon.judge_lay(state, actor, move)
            assert isinstance(told, lhexicon.Verdict)
            spelled = "".join(lhexicon.LETTERS[letter] for letter in told.word)
            points, good = told.points, spelled in SHORT
        state = matches.give(lhexicon.play(state, actor, move))
        account.take(actor, move, points, good=good)
        assert list(state.scores) == account.scores


def test_a_false_word_goes_back_when_it_is_challenged() -> None:
    before = _begin("AAAAAAA", "EEEEEEE")
    state = _challenged(matches.lay(before, FALSE), 2, Insist())
    assert state.letters == before.letters
    assert state.numbers == before.numbers
    assert state.tiles.racks == before.tiles.racks
    assert state.scores == (0, 0, 0)
    assert lhexicon.actors(state) == {1}
    seen = lhexicon.view(state, 1).tiles.kinds[0]
    assert sorted(kind for kind in seen if kind >= 0) == sorted(matches.kinds("JID"))


def test_a_blank_goes_back_as_a_blank() -> None:
    options = Options(challenge=True)
    state = matches.begin("?ODEDIJ", "AAAAAAA", options=options)
    state = matches.lay(state, "j(0,0)* I(1,0)* D(2,0)*")
    assert state.blanks == (NUMBER[0, 0],)
    state = _challenged(state, 1, Withdraw())
    assert state.blanks == ()
    assert lhexicon.BLANK in state.tiles.kinds[0]


def test_whoever_challenges_a_good_word_loses_the_next_turn() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), worked.CODED)
    state = matches.give(_challenged(state, 1, Insist()))
    assert state.scores == (8, 0, 0)
    assert lhexicon.actors(state) == {2}
    state = lhexicon.play(state, 2, Pass())
    state = lhexicon.play(state, 0, Pass())
    assert lhexicon.actors(state) == {1}


def test_who_has_lost_two_challenges_misses_two_turns() -> None:
    state = replace(_begin("AAAAAAA", "EEEEEEE"), debts=(0, 0, 2))
    turns = []
    for _ in range(7):
        turns.append(state.turn)
        rack = state.tiles.racks[state.turn]
        state = matches.give(lhexicon.play(state, state.turn, Discard(rack[:1])))
    assert turns == [0, 1, 0, 1, 0, 1, 2]


def test_a_word_waits_for_no_answer_of_somebody_who_resigned_before() -> None:
    state = lhexicon.play(_begin("AAAAAAA", "EEEEEEE"), 1, Resign())
    state = matches.lay(state, FALSE)
    assert lhexicon.actors(state) == {2}
    state = matches.give(lhexicon.play(state, 2, Accept()))
    assert state.scores == (7, 0, 0)


def test_of_two_the_other_moves_again_when_a_turn_is_lost() -> None:
    state = matches.lay(_begin("AAAAAAA"), worked.CODED)
    state = matches.give(_challenged(state, 1, Insist()))
    assert lhexicon.actors(state) == {0}


@pytest.mark.parametrize(("word", "points"), [(FALSE, 0), (worked.CODED, 8)])
def test_silence_to_a_challenge_is_to_stand_by_the_word(word: str, points: int) -> None:
    state = matches.lay(_begin("AAAAAAA", timed=OFFICIAL_MINUTES), word)
    state = lhexicon.play(state, 1, Challenge())
    assert lhexicon.actors(state) == {0, CLOCK}
    assert list(lhexicon.moves(state, CLOCK)) == [Expire()]
    state = matches.give(lhexicon.play(state, CLOCK, Expire()))
    assert state.scores == (points, 0)
    assert state.turn == (0 if points else 1)


def test_a_challenger_who_resigns_challenges_no_more() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), FALSE)
    state = lhexicon.play(lhexicon.play(state, 1, Challenge()), 1, Resign())
    assert lhexicon.actors(state) == {2}
    state = matches.give(lhexicon.play(state, 2, Accept()))
    assert state.scores == (7, 0, 0)


def test_another_who_resigns_meanwhile_leaves_the_challenge_as_it_is() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), FALSE)
    state = lhexicon.play(lhexicon.play(state, 1, Challenge()), 2, Resign())
    assert lhexicon.actors(state) == {0}
    assert lhexicon.play(state, 0, Insist()).scores == (0, 0, 0)


def test_whoever_resigns_takes_a_challenged_word_along() -> None:
    before = _begin("AAAAAAA", "EEEEEEE")
    state = lhexicon.play(matches.lay(before, worked.CODED), 1, Challenge())
    state = lhexicon.play(state, 0, Resign())
    assert state.letters == before.letters
    assert state.debts == (0, 0, 0)
    assert lhexicon.actors(state) == {1}


def test_silence_is_assent_when_the_time_is_up() -> None:
    state = matches.lay(_begin("AAAAAAA", timed=OFFICIAL_MINUTES), FALSE)
    assert lhexicon.actors(state) == {1, CLOCK}
    state = lhexicon.play(state, CLOCK, Expire())
    assert state.scores == (7, 0)


def test_placement_is_checked_even_where_words_are_not() -> None:
    state = _begin("AAAAAAA")
    laid, path = matches.placed(state, 0, "J(1,0)* I(2,0)* D(3,0)*")
    assert matches.refused(state, 0, lhexicon.lay(state, laid, path)) == (
        "The first word must cover the centre"
    )


def test_an_opponent_who_resigns_need_not_answer() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), FALSE)
    state = lhexicon.play(state, 1, Resign())
    assert lhexicon.actors(state) == {2}
    state = matches.give(lhexicon.play(state, 2, Accept()))
    assert state.scores == (7, 0, 0)
    assert lhexicon.actors(state) == {2}


def test_the_last_answer_may_be_to_resign() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), FALSE)
    state = lhexicon.play(state, 2, Accept())
    state = matches.give(lhexicon.play(state, 1, Resign()))
    assert state.scores == (7, 0, 0)
    assert lhexicon.actors(state) == {2}


def test_whoever_resigns_takes_an_unanswered_word_along() -> None:
    before = _begin("AAAAAAA", "EEEEEEE")
    state = lhexicon.play(matches.lay(before, FALSE), 0, Resign())
    assert state.letters == before.letters
    assert lhexicon.actors(state) == {1}


def test_alone_words_are_checked_all_the_same() -> None:
    state = matches.begin("CODEDIJ", options=Options(challenge=True))
    laid, path = matches.placed(state, 0, FALSE)
    assert matches.refused(state, 0, lhexicon.lay(state, laid, path)) == (
        "JID is not in the dictionary"
    )


def test_where_words_are_not_checked_false_ones_are_among_the_moves() -> None:
    options = Options(side=6, challenge=True, lexicon=matches.small("AB"))
    state = matches.begin("ABAAAAA", "EEEEEEE", options=options)
    found: list[str] = []
    laid = (m for m in lhexicon.moves(state, 0) if isinstance(m, Lay))
    for move in islice(laid, 400):
        after = lhexicon.play(state, 0, move)
        assert after.announced is not None
        found.append("".join(lhexicon.LETTERS[x] for x in after.announced.word))
    count = found.count("AB")
    assert count == 6 * 12  # each A first, B on or next to the centre
    assert found[:count] == ["AB"] * count
    assert len(found) == 400


def test_words_of_the_dictionary_come_first_and_all_others_last() -> None:
    options = Options(side=6, challenge=True, lexicon=matches.small("AB"))
    state = matches.begin("ABAAAAA", "EEEEEEE", options=options)
    two = state.tiles.racks[0][:2]
    held = replace(
        state.tiles,
        racks=(two, state.tiles.racks[1]),
        kinds=((0, 1), state.tiles.kinds[1]),
    )
    moves = list(lhexicon.moves(replace(state, tiles=held), 0))
    kinds = [type(move) for move in moves]
    known = kinds.index(Discard)
    assert kinds == [Lay] * known + [Discard] * 3 + [Pass] + [Lay] * (24 - known)
    words = [
        laid.announced.word
        for move in moves
        if isinstance(move, Lay)
        and (laid := lhexicon.play(replace(state, tiles=held), 0, move)).announced
    ]
    assert words == [(0, 1)] * known + [(1, 0)] * (24 - known)
