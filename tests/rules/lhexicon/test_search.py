"""The moves found are exactly those that brute force finds legal."""

from collections.abc import Iterator
from itertools import islice, product

import pytest

from rules import hexes, lexicon, lhexicon
from rules.lhexicon import EMPTY, Lay, Options, Placed, State, Verdict
from rules.lhexicon.search import Anything, Walk
from tests.rules.lhexicon import matches

SIDE = 6


def _paths(length: int, start: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    near = hexes.adjacent(SIDE)[start[-1]] if start else range(91)
    for cell in near:
        if cell not in start:
            longer = (*start, cell)
            if len(longer) == length:
                yield longer
            else:
                yield from _paths(length, longer)


def _spellings(word: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield a word as letters of cells: Q U may lie on one cell."""
    yield word
    for place in range(len(word) - 1):
        if word[place : place + 2] == tuple(matches.kinds("QU")):
            yield (*word[:place], lhexicon.QU, *word[place + 2 :])


def _by_brute_force(state: State, seat: int) -> Iterator[Lay]:
    """Try each tile for each letter of each word on each path, and ask the judge."""
    words = lexicon.find(state.options.lexicon)
    # All that a letter may be laid with: its own tiles and blanks; QU blanks alone.
    rack = list(zip(state.tiles.racks[seat], state.tiles.kinds[seat], strict=True))
    fitting = [
        [tile for tile, kind in rack if kind in (letter, lhexicon.BLANK)]
        for letter in range(lhexicon.BLANK + 1)
    ]
    for word in words.words():
        for letters in _spellings(word):
            for path in _paths(len(letters)):
                old = [state.letters[cell] for cell in path]
                if any(x not in (EMPTY, y) for x, y in zip(old, letters, strict=True)):
                    continue
                new = [
                    (cell, letter)
                    for cell, letter, x in zip(path, letters, old, strict=True)
                    if x == EMPTY
                ]
                held = [fitting[min(letter, lhexicon.BLANK)] for _, letter in new]
                for tiles in product(*held):
                    laid = [
                        Placed(tile, cell, letter)
                        for tile, (cell, letter) in zip(tiles, new, strict=True)
                    ]
                    if isinstance(lhexicon.judge(state, seat, laid, path), Verdict):
                        yield lhexicon.lay(state, laid, path)


def _compare(state: State) -> int:
    found = [m for m in lhexicon.moves(state, state.turn) if isinstance(m, Lay)]
    assert len(found) == len(set(found))
    assert set(found) == set(_by_brute_force(state, state.turn))
    return len(found)


def _opening(rack: str, *words: str) -> State:
    options = Options(side=SIDE, lexicon=matches.small(*words))
    return matches.begin(rack, "AAAAAAA", options=options)


@pytest.mark.parametrize(
    ("rack", "words"), [("CATXYZE", ("CAT", "AT", "TEA")), ("?ITXYZW", ("QUIT", "IT"))]
)
def test_opening_words_are_those_of_brute_force(
    rack: str, words: tuple[str, ...]
) -> None:
    assert _compare(_opening(rack, *words)) > 10


@pytest.mark.parametrize("reply", ["?EEAXYZ", "TEESAXQ"])
def test_words_on_a_filled_board_are_those_of_brute_force(reply: str) -> None:
    words = ("CAT", "AT", "TEA", "CATE", "SET")
    options = Options(side=SIDE, lexicon=matches.small(*words))
    state = matches.begin("CATTEAS", reply, options=options)
    state = matches.lay(state, "C(-1,0)* A(0,0)* T(0,1)*")
    assert _compare(matches.give(state)) > 10


def test_every_move_found_is_one_that_play_accepts() -> None:
    options = Options(side=SIDE, lexicon=matches.small("COED", "COD", "DOC"))
    state = matches.begin("??EDIJK", "COCOAAA", options=options)
    state = matches.lay(state, "c(-1,0)* o(0,0)* E(1,0)* D(2,0)*")
    state = matches.give(state)
    kinds: set[type] = set()
    for move in lhexicon.moves(state, 1):
        assert lhexicon.play(state, 1, move).turn == 0
        kinds.add(type(move))
    assert kinds == {Lay, lhexicon.Discard, lhexicon.PickUp, lhexicon.Pass}
    swaps = [m for m in lhexicon.moves(state, 1) if isinstance(m, lhexicon.PickUp)]
    assert len(swaps) == 2 + 2 + 2 * 2


def test_words_longer_than_any_are_not_followed() -> None:
    # Two A's touch three letters; no word is long enough to use all of them.
    state = _opening("CATXYZE", "CAT", "AT")
    state = matches.give(matches.lay(state, "C(-1,0)* A(0,0)* T(0,1)*"))
    assert _compare(state) > 0


def test_a_view_finds_no_words_of_letters_it_does_not_know() -> None:
    state = _opening("CATXYZE", "CAT")
    kinds = {type(m) for m in lhexicon.moves(lhexicon.view(state, 1), 0)}
    assert kinds == {lhexicon.Discard, lhexicon.Pass}


def test_a_walk_in_vain_over_a_board_of_holes_comes_to_its_end() -> None:
    """To lay an A anywhere owes letters that no path takes in, and many nearly do."""
    lain = (
        "DNE.HE.O...RE.HS.AH.E....ATT.E...X.S.EGO.ROD.AYE.TI..E.ZND.....ST.N.NE.NEWIN"
        ".O..D...MEW....LD.A.ERA...OROL.Y.H..RMARU.LOU.A.E....P...S.CIG.....I....I"
    ).ljust(len(hexes.hexagon(8)), ".")
    letters = [EMPTY if each == "." else ord(each) - ord("A") for each in lain]
    rack = list(enumerate((9, 5, 11, 5, 19)))
    assert len(list(islice(Walk(letters, 8, Anything()).plays(rack), 9_999))) < 9_999


def test_a_crowded_board_is_not_walked_in_vain() -> None:
    """Its paths of any letters are beyond counting, but none of them lays a tile."""
    full = [0] * len(hexes.hexagon(6))
    hole = [*full]
    hole[40] = EMPTY

    assert not list(Walk(full, 6, Anything()).plays([(7, 3)]))
    assert len(list(islice(Walk(hole, 6, Anything()).plays([(7, 3)]), 100))) == 100
    assert not list(Walk(hole, 6, Anything()).plays([]))
