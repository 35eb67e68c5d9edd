"""The computer player of Networdz: legal, in time, and better the higher its skill."""

from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.players.evaluating import advised
from netplay.players.networdz import NAMED, choose, evaluation
from netplay.players.words.plays import Finder
from netplay.players.words.squares import board_of, lay_of, made, rack_of, words_of
from rules import editions, networdz
from rules.game import CHANCE
from rules.networdz import Accept, Challenge, Lay, Move, Pass, Renew, State, Trade
from tests.rules.networdz.positions import Word, lay, options, position

WORDS = """
CAT CATS AT TA AN ANT TAN TOAD TO TOE SO NO ON OX AS DO EAT TEA ATE SEA EAR ARE ERA
NET TEN ONE ROE ORE ROD DOT TOT OAT ART RAT TAR STAR RATS TARS NEAR EARN STONE NOTES
TONES ONSET RETAINS NASTIER STAINER QUIZ ZOO
"""
CAT: list[Word] = [("across", 7, 6, "CaT")]


def _ticking(step: float) -> Callable[[], float]:
    """Return a clock that goes on by a step whenever it is looked at."""
    ticks = count()
    return lambda: step * next(ticks)


def _settled(state: State, rng: Random) -> State:
    while CHANCE in networdz.actors(state):
        moves = list(networdz.moves(state, CHANCE))
        state = networdz.play(state, CHANCE, rng.choice(moves))
    return state


def _chosen(state: State, skill: int = 100, rng: Random | None = None) -> Move:
    seat = state.turn
    seen = networdz.view(state, seat)
    return choose(seen, seat, skill, rng or Random(1), clock=_ticking(0.001))


def _points(state: State, move: Move) -> int:
    assert isinstance(move, Lay)
    return networdz.judge_lay(state, move).points


@pytest.mark.parametrize(
    ("skill", "seats", "edition", "chosen"),
    [
        (0, 3, "networdz", {}),
        (30, 1, "networdz", {"trade_blanks": True, "four_of_a_kind": True}),
        (60, 4, "standard", {"tournament": True}),
        (85, 2, "networdz", {"four_of_a_kind": True, "timed": 2}),
        (100, 2, "standard", {"tournament": True, "american": True}),
        (100, 3, "networdz", {"trade_blanks": True, "show_racks": True}),
    ],
)
def test_matches_of_computers_are_legal_to_the_end(
    skill: int, seats: int, edition: str, chosen: dict[str, Any]
) -> None:
    rng = Random(skill + seats)
    setting = replace(options(WORDS, **chosen), edition=editions.shipped()[edition])
    state = _settled(networdz.start(seats, setting), rng)
    words = 0
    while networdz.actors(state):
        move = _chosen(state, skill, rng)
        words += isinstance(move, Lay)
        state = _settled(networdz.play(state, state.turn, move), rng)
    assert words > 3 * seats


@pytest.mark.parametrize("edition", ["spanish", "russian", "german", "french"])
def test_words_of_other_alphabets_are_laid_as_well(edition: str) -> None:
    named = editions.load(edition)
    letters = [named.alphabet.index(letter) for letter in named.alphabet[:5]]
    words = " ".join(
        named.alphabet[a] + named.alphabet[b]
        for a in letters
        for b in letters
        if len(named.alphabet[a]) == len(named.alphabet[b]) == 1
    )
    rng = Random(2)
    setting = options(words, edition)
    state = _settled(networdz.start(2, setting), rng)
    for _ in range(4):
        state = _settled(networdz.play(state, state.turn, _chosen(state)), rng)
    assert sum(state.scores) > 0


@pytest.mark.parametrize("skill", [0, 45, 100])
def test_the_same_position_and_rng_give_the_same_move(skill: int) -> None:
    state = position("RETAINS", "EEEEEEE", bag="ABC", board=CAT, opts=options(WORDS))
    moves = [_chosen(state, skill, Random(4)) for _ in range(2)]
    assert moves[0] == moves[1]


def test_nothing_is_known_of_the_other_rack() -> None:
    opts = options(WORDS)
    state = position("RETAINS", "EEEEEEE", bag="TTTTTTT", board=CAT, opts=opts)
    other = position("RETAINS", "TTTTTTT", bag="EEEEEEE", board=CAT, opts=opts)
    for skill in (50, 100):
        assert _chosen(state, skill) == _chosen(other, skill)


def test_what_is_left_counts_and_not_the_score_alone() -> None:
    """Whatever the blank scores in AT is less than keeping it is worth."""
    opts = options("AT TA EAT")
    state = position("TE?UVWQ", "EEEEEEE", bag="E" * 20, opts=opts)
    blank = networdz.ground(opts).blank
    assert _points(state, NAMED["best"](networdz.view(state, 0), 0, Random(1))) >= 1
    move = _chosen(state)
    held = dict(zip(state.tiles.racks[0], state.tiles.kinds[0], strict=True))
    gone = move.discards if isinstance(move, Pass) else ()
    assert isinstance(move, Pass)
    assert blank not in [held[tile] for tile in gone]


def test_a_tile_is_traded_for_the_blank_it_stands_for() -> None:
    opts = options(WORDS, trade_blanks=True)
    state = position("AEINRST", "EEEEEEE", bag="EEE", board=CAT, opts=opts)
    assert isinstance(_chosen(state), Trade)
    assert not isinstance(_chosen(state, 5), Trade)
    none = position("EEINRST", "EEEEEEE", bag="EEE", board=CAT, opts=opts)
    assert not isinstance(_chosen(none), Trade)


def test_four_of_a_kind_are_given_up_while_the_pool_lasts() -> None:
    opts = options(WORDS, four_of_a_kind=True)
    state = position("EEEETAN", "CATSTOE", bag="ANTANTANT", board=CAT, opts=opts)
    move = _chosen(state)
    assert isinstance(move, Renew)
    assert isinstance(advised("networdz", state, 0, Random(1)), Renew)
    assert networdz.play(state, 0, move).turn == 0
    few = position("EEEETAN", "CATSTOE", bag="ANTANT", board=CAT, opts=opts)
    assert not isinstance(_chosen(few), Renew)


@pytest.mark.parametrize("tournament", [False, True])
def test_without_a_word_tiles_are_exchanged_as_far_as_the_rules_allow(
    tournament: bool,
) -> None:
    opts = options("ZZZ ZOO", tournament=tournament)
    state = position("AEINRST", "EEEEEEE", bag="EEE", opts=opts)
    for skill in (10, 100):
        move = _chosen(state, skill)
        assert isinstance(move, Pass)
        assert bool(move.discards) == (not tournament)
        networdz.play(state, 0, move)


def test_without_a_word_and_without_a_pool_there_is_a_pass() -> None:
    state = position("AEI", "EEE", opts=options("ZZZ ZOO"))
    assert _chosen(state) == Pass()


def test_whoever_can_go_out_does() -> None:
    """CATS uses the last tile; what the other holds then counts for us."""
    opts = options("CAT CATS AS SO")
    state = position("S", "QZQZ", board=CAT, opts=opts)
    move = _chosen(state)
    assert isinstance(move, Lay)
    assert not networdz.play(state, 0, move).tiles.racks[0]


def test_the_end_is_read_out_and_not_only_the_next_play_counted() -> None:
    rng = Random(3)
    ends = [_ending(rng) for _ in range(8)]
    read = [_outcome(state, _chosen(state)) for state in ends]
    plain = [
        _outcome(state, NAMED["best"](state, state.turn, Random(1))) for state in ends
    ]
    assert sum(read) > sum(plain)


def _ending(rng: Random) -> State:
    """Return a position with an empty pool."""
    letters = list("AENORSTTDQZUI")
    rng.shuffle(letters)
    hand, other = "".join(letters[:5]), "".join(letters[5:9])
    return position(hand, other, board=CAT, opts=options(WORDS))


def _outcome(state: State, move: Move) -> int:
    """Return by how much a seat wins if both go on by score after its move."""
    seat = state.turn
    state = networdz.play(state, seat, move)
    while actors := networdz.actors(state):
        if CHANCE in actors:
            (show,) = networdz.moves(state, CHANCE)
            state = networdz.play(state, CHANCE, show)
        else:
            best = NAMED["best"](state, state.turn, Random(1))
            state = networdz.play(state, state.turn, best)
    return state.scores[seat] - state.scores[1 - seat]


def test_reading_out_the_end_stops_in_time() -> None:
    looks = count()

    def clock() -> float:
        return 0.01 * next(looks)

    state = position("STONERS", "NASTIER", board=CAT, opts=options(WORDS))
    choose(networdz.view(state, 0), 0, 100, Random(1), budget=0.2, clock=clock)
    assert next(looks) <= 1.1 * 20 + 2


@pytest.mark.parametrize("bag", ["", "ABC"])
@pytest.mark.parametrize("skill", [20, 100])
def test_looking_for_plays_stops_in_time(skill: int, bag: str) -> None:
    looks = count()

    def clock() -> float:
        return 0.01 * next(looks)

    state = position("STONERS", "NASTIER", bag=bag, board=CAT, opts=options(WORDS))
    view = networdz.view(state, 0)
    choose(view, 0, skill, Random(1), budget=0.1, clock=clock)
    assert next(looks) <= 1.1 * 10 + 2


def test_what_is_not_looked_at_in_time_is_overlooked() -> None:
    class Counting(Random):
        noticed = 0

        def random(self) -> float:
            self.noticed += 1
            return super().random()

    state = position("RETAINS", "EEEEEEE", bag="ABC", board=CAT, opts=options(WORDS))
    hasty, calm = Counting(1), Counting(1)
    view = networdz.view(state, 0)
    choose(view, 0, 50, hasty, budget=0.0, clock=_ticking(1.0))
    choose(view, 0, 50, calm)
    assert 0 < hasty.noticed < calm.noticed


@pytest.mark.parametrize("bag", ["", "ABC"])
@pytest.mark.parametrize("skill", [95, 100])
def test_without_any_time_a_word_is_laid_all_the_same(skill: int, bag: str) -> None:
    state = position("STONERS", "NASTIER", bag=bag, board=CAT, opts=options(WORDS))
    seen = networdz.view(state, 0)
    move = choose(seen, 0, skill, Random(1), budget=0.0, clock=_ticking(1.0))
    assert isinstance(move, Lay)
    assert networdz.play(state, 0, move).turn == 1


@pytest.mark.parametrize("skill", [20, 60, 100])
def test_a_rack_of_nothing_but_blanks_is_played(skill: int) -> None:
    opts = replace(options(), lexicon=networdz.Options().lexicon)
    state = position("???????", "EEEEEEE", bag="E" * 20, board=CAT, opts=opts)
    move = _chosen(state, skill)
    assert isinstance(move, Lay) or skill == 100  # blanks are worth keeping, too
    assert networdz.play(state, 0, move).turn == 1


@pytest.mark.parametrize("skill", [0, 30, 60])
def test_nobody_passes_who_could_lay_a_word(skill: int) -> None:
    for seed in range(30):
        state = position(
            "RETAINS", "EEEEEEE", bag="ABC", board=CAT, opts=options(WORDS)
        )
        assert isinstance(_chosen(state, skill, Random(seed)), Lay)


def test_more_skill_scores_more() -> None:
    def mean(skill: int) -> float:
        rng = Random(skill)
        total = 0
        for _ in range(30):
            letters = rng.sample("AAEEEINNOORRSSTTTDCC", 7)
            state = position("".join(letters), "EEE", bag="EE", board=CAT, opts=opts)
            move = _chosen(state, skill, rng)
            total += _points(state, move) if isinstance(move, Lay) else 0
        return total / 30

    opts = replace(options(), lexicon=networdz.Options().lexicon)
    scores = [mean(skill) for skill in (0, 50, 99)]
    assert scores == sorted(scores)
    assert scores[2] > 2 * scores[0]


def test_words_across_are_read_from_the_board() -> None:
    state = position("STONE", "EEE", board=CAT, opts=options(WORDS))
    finder = Finder(board_of(state), rack_of(state, 0), words_of(state))
    alphabet = networdz.ground(state.options).alphabet

    def spelled(words: Sequence[bytes]) -> list[str]:
        return sorted("".join(alphabet[n] for n in word) for word in words)

    checked = 0
    for play in finder.plays():
        lay = lay_of(state, 0, finder, play)
        lines = networdz.judge_lay(state, lay).lines
        across = [x.word[1:] for x in lines[1:] if x.word != "++"]
        assert spelled(made(board_of(state), play)[1:]) == sorted(across)
        checked += bool(across)
    assert checked > 3


def _doubtful(word: str, rest: str = "EE", bag: str = "EEEEEEE") -> State:
    """Return a match in which a word was laid that seat 1 may challenge."""
    state = position(
        f"{word}{rest}", "SSOOTAN", bag=bag, opts=options(challenge="five")
    )
    return networdz.play(state, 0, lay(state, "across", 7, 6, word))


def test_a_computer_challenges_what_is_no_word_as_often_as_it_notices() -> None:
    wrong, right = _doubtful("TCA"), _doubtful("CAT")
    assert _chosen(wrong) == Challenge()
    assert isinstance(_chosen(right), Lay)
    assert isinstance(_chosen(wrong, 0), Lay)
    often = sum(_chosen(wrong, 60, Random(n)) == Challenge() for n in range(60))
    assert 20 < often < 52  # 36 are expected


def test_a_computer_accepts_the_last_word_and_judges_what_may_be_said() -> None:
    last = _doubtful("CAT", rest="", bag="")
    assert _chosen(last) == Accept()
    assert _chosen(_doubtful("ACT", rest="", bag="")) == Challenge()
    for state, best in ((last, Accept()), (_doubtful("TCA"), Challenge())):
        seen = networdz.view(state, 1)
        found = evaluation.evaluate(seen, 1, 0, Random(1), (Accept(), Challenge()))
        assert found.candidates[0].move == best
        assert found.of(Challenge()) is not None


@pytest.mark.parametrize("way", ["single", "double", "five"])
def test_computers_play_on_over_words_that_are_none(way: str) -> None:
    rng = Random(3)
    state = position(
        "TCAEESN", "SSOOTAN", bag="EATENTOASTDOG", opts=options(challenge=way)
    )
    state = networdz.play(state, 0, lay(state, "across", 7, 6, "TCA"))
    state = _settled(networdz.play(state, 1, Accept()), rng)
    while networdz.actors(state):
        move = _chosen(state, 100, rng)
        assert not isinstance(move, Challenge)
        state = _settled(networdz.play(state, state.turn, move), rng)
    assert any(state.tally) or state.zeros


@pytest.mark.parametrize("seed", range(4))
def test_of_a_play_that_ends_the_match_it_is_known_who_wins(seed: int) -> None:
    rng = Random(seed)
    hand, other = rng.choice(["S", "AN", "ON", "TO"]), rng.choice(["E", "RT", "QZ"])
    start = position(hand, other, board=CAT, opts=options(WORDS))
    for lead in range(-30, 31):
        state = replace(start, scores=(100 + lead, 100))
        seen = networdz.view(state, 0)
        told = evaluation.evaluate(seen, 0, 400, rng)
        outs = [each for each in told.candidates if laid_out(state, each.move)]
        for each in outs:
            over = networdz.play(state, 0, each.move)
            while networdz.actors(over):
                (show,) = networdz.moves(over, CHANCE)
                over = networdz.play(over, CHANCE, show)
            mine, theirs = networdz.places(over)
            assert each.chance == 0.5 + (mine < theirs) / 2 - (mine > theirs) / 2
        assert outs


def laid_out(state: State, move: Move) -> bool:
    """Tell whether a move lays all that its player has."""
    return isinstance(move, Lay) and len(move.laid) == len(state.tiles.racks[0])
