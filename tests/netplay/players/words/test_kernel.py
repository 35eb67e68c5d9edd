"""The compiled kernel beside the search in Python, where it is built.

    python -m tests.netplay.players.words.test_kernel 10000

compares so many positions of real matches, with none, one and two blanks.
"""

import random
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.arena import Chance
from netplay.players.words import kernel as kernels
from netplay.players.words.kernel import Kernel, kernel
from netplay.players.words.leaves import Keep, Table, best_of, best_play, table
from netplay.players.words.plays import Finder, Play
from netplay.players.words.position import BLOCKED, EMPTY, Board, Rack
from netplay.players.words.squares import (
    board_of,
    finder_in_time,
    lay_of,
    rack_of,
    words_of,
)
from netplay.players.words.wordmap import WordMap
from rules import GAMES, editions, lexicon, networdz
from rules.game import CHANCE
from tests.netplay.players.words.test_plays import (
    ALPHABET,
    MAP,
    POINTS,
    board,
    grow,
    rack,
)

built = pytest.mark.skipif(kernels.module() is None, reason="the kernel is not built")

LEAVES = Table(
    tiles=tuple(at * 1.5 - 2 for at in range(len(ALPHABET) + 1)),
    pairs=tuple(
        tuple((at * 7 + other * 3) % 5 - 2.0 for other in range(len(ALPHABET) + 1))
        for at in range(len(ALPHABET) + 1)
    ),
)


def compiled(words: WordMap, field: Board, points: set[tuple[int, int]]) -> Kernel:
    found = kernel(words, field, points)
    assert found is not None
    return found


def compare(
    made: Kernel, words: WordMap, field: Board, hand: Rack, kept: Table
) -> None:
    """Find all plays and the best one in both ways, the same one of several best."""
    finder = finder_in_time(field, hand, words)
    keep = Keep(hand, kept.worth, words)

    def key(play: Play) -> tuple[object, ...]:
        return (tuple(finder.tiles(play)), play.score, play.word, play.blanks)

    plays = finder.plays()
    found = [(each, each.play(finder)) for each in made.plays(field, hand, kept)]
    assert sorted(map(key, plays)) == sorted(key(play) for _each, play in found)
    for each, play in found:
        assert each.worth == play.score + keep.worth(play)
    best, worth = best_of(finder, keep)
    told = made.best(field, hand, kept)
    assert (best is None) == (told is None)
    if told is not None and best is not None:
        assert (told.worth, key(told.play(finder))) == (worth, key(best))


@built
@given(
    seed=st.integers(0, 10**6),
    turns=st.integers(0, 4),
    hand=st.text(ALPHABET + "?", min_size=1, max_size=4),
)
def test_it_finds_what_the_search_in_python_finds(
    seed: int, turns: int, hand: str
) -> None:
    field = board(grow(seed, turns))
    points = {(ALPHABET.index(letter), each) for letter, each in POINTS.items()}
    compare(compiled(MAP, field, points), MAP, field, rack(hand), LEAVES)


@built
@given(
    side=st.integers(9, 21),
    data=st.data(),
    tiles=st.integers(0, 15),
    blanks=st.integers(0, 15),
)
def test_it_takes_any_board_and_rack(
    side: int, data: st.DataObject, tiles: int, blanks: int
) -> None:
    blanks = min(blanks, tiles)
    letters = st.sampled_from([EMPTY] * 9 + [BLOCKED, *range(len(ALPHABET))])
    lying = data.draw(st.lists(letters, min_size=side**2, max_size=side**2))
    times = tuple(data.draw(st.integers(1, 3)) for _ in range(side)) * side
    held = data.draw(
        st.lists(
            st.sampled_from(range(len(ALPHABET))),
            min_size=tiles - blanks,
            max_size=tiles - blanks,
        )
    )
    points = [POINTS[letter] for letter in ALPHABET]
    field = Board(
        width=side,
        height=side,
        letters=tuple(lying),
        worth=tuple(points[each] if each >= 0 else 0 for each in lying),
        letter_times=times,
        word_times=times[::-1],
        start=side * side // 2,
    )
    hand = Rack(tuple((each, points[each]) for each in held), blanks, size=7, bonus=50)

    compare(compiled(MAP, field, set()), MAP, field, hand, LEAVES)


@built
def test_what_no_word_has_is_refused() -> None:
    field = board(["......", "......", "..AB..", "......", "......", "......"])
    made = compiled(MAP, field, set())
    strange = replace(field, letters=(len(ALPHABET), *field.letters[1:]))

    for bad, hand, kept in (
        (strange, rack("CDEA"), LEAVES),
        (field, replace(rack("CD"), tiles=((len(ALPHABET), 1),)), LEAVES),
        (field, replace(rack("CD"), blanks=17), LEAVES),
        (field, rack("CD"), Table((1.0,), ((1.0,),))),
    ):
        for find in (made.best, made.plays):
            with pytest.raises(ValueError, match=r"kernel|letter|alphabet"):
                find(bad, hand, kept)


@built
def test_without_a_table_what_is_kept_costs_its_points() -> None:
    field = board(["......", "......", "..AB..", "......", "......", "......"])
    made = compiled(MAP, field, set())

    told = made.best(field, rack("CDEA"), None)

    assert told is not None
    play = told.play(Finder(field, rack("CDEA"), MAP))
    left = sum(POINTS[x] for x in "CDEA") - sum(
        points for _sq, _letter, points in Finder(field, rack("CDEA"), MAP).tiles(play)
    )
    assert told.worth == play.score - left


@built
def test_of_more_plays_than_there_is_room_for_none_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernels, "ROOM", (1, 2, 3))
    field = board(["......", "......", "..AB..", "......", "......", "......"])
    for hand in ("CDEA", "CDE?", "CD??"):
        compare(compiled(MAP, field, set()), MAP, field, rack(hand), LEAVES)


def test_it_is_left_out_where_it_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    field = board(["." * 6] * 6)
    assert kernel(MAP, field, {(0, 1), (0, 3)}) is None  # one letter, two points
    assert kernel(MAP, replace(field, width=41), {(0, 1)}) is None
    monkeypatch.setenv(kernels.VARIABLE, kernels.OFF)
    kernels.module.cache_clear()
    assert kernel(MAP, field, {(0, 1)}) is None
    monkeypatch.undo()
    kernels.module.cache_clear()


def positions(blanks: int) -> Iterator[tuple[WordMap, Board, Rack, Table]]:
    """Yield positions of matches, with racks drawn anew and so many blanks."""
    options = networdz.Options(edition=editions.shipped()["standard"])
    rng = random.Random(blanks)
    for seed in range(10**6):
        state, chance = networdz.start(2, options), Chance(GAMES["networdz"], seed)
        words = words_of(state)
        kept = table(lexicon.find(options.lexicon), words)
        points = networdz.ground(options).points
        while actors := networdz.actors(state):
            if CHANCE in actors:
                state = networdz.play(state, CHANCE, chance.choose(state))
                continue
            field, hand = board_of(state), rack_of(state, state.turn)
            for _ in range(8):
                kinds = rng.choices(range(26), k=7 - blanks)
                drawn = tuple((kind, points[kind]) for kind in kinds)
                yield words, field, replace(hand, tiles=drawn, blanks=blanks), kept
            finder = Finder(field, hand, words)
            play = best_play(finder)
            if play is None:
                break
            state = networdz.play(
                state, state.turn, lay_of(state, state.turn, finder, play)
            )


def run(count: int) -> None:
    """Compare so many positions, most of them without blanks."""
    for blanks, share in ((0, 0.9), (1, 0.08), (2, 0.02)):
        source = positions(blanks)
        for _ in range(max(1, round(count * share))):
            words, field, hand, kept = next(source)
            compare(compiled(words, field, set()), words, field, hand, kept)


@built
def test_positions_of_matches_are_the_same_in_both() -> None:
    run(120)


if __name__ == "__main__":
    run(int(sys.argv[1]))
    print(f"{sys.argv[1]} positions: the same plays, scores and worths")
