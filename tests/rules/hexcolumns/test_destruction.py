"""What goes, in which order, and what it is worth: rule by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import hexcolumns as game
from rules.hexcolumns import Cause
from rules.hexcolumns.grid import grid
from tests.rules.hexcolumns import plain
from tests.rules.hexcolumns.wells import cells, columns, settled

sizes = st.sampled_from(game.SIZES)


@st.composite
def wells(draw: st.DrawFn) -> tuple[int, bytes]:
    """Return a well of any size with compact columns of any hexes."""
    size = draw(sizes)
    colours = draw(st.integers(1, 6))
    motifs = draw(
        st.sampled_from([[0], [0, 0, 0, 1], [0, 2, 3], [0, 0, 2, 5], list(range(6))])
    )
    board = bytearray(grid(size).length)
    for start, stop in grid(size).columns:
        hexes = draw(
            st.lists(
                st.tuples(st.integers(0, colours - 1), st.sampled_from(motifs)),
                max_size=stop - start,
            )
        )
        board[start : start + len(hexes)] = bytes(
            game.cell(c, game.Motif(m)) for c, m in hexes
        )
    return size, bytes(board)


def causes(after: game.Settled) -> list[Cause]:
    return [gone.cause for gone in after.gone]


# ---- the law: the same as cell by cell


@given(well=wells(), purge=st.booleans())
def test_shifting_whole_wells_finds_what_looking_at_each_cell_finds(
    well: tuple[int, bytes], purge: bool
) -> None:
    size, board = well
    after = game.settle(size, board, purge=purge)
    quiet, worth, steps = plain.settle(size, board, purge)
    assert plain.read(size, after.cells) == quiet
    assert after.worth == worth
    went = [{game.position(size, i) for i in gone.cells} for gone in after.gone]
    assert went == steps


@given(well=wells(), purge=st.booleans())
def test_a_settled_well_stays_as_it_is(well: tuple[int, bytes], purge: bool) -> None:
    size, board = well
    after = game.settle(size, board, purge=purge)
    assert game.settle(size, after.cells) == game.Settled(after.cells, (), 0)


@given(well=wells(), purge=st.booleans())
def test_what_went_and_what_is_left_is_all_there_was(
    well: tuple[int, bytes], purge: bool
) -> None:
    size, board = well
    after = game.settle(size, board, purge=purge)
    went = sum(len(gone.cells) for gone in after.gone)
    assert len(board) == len(after.cells)
    assert went + board.count(0) == after.cells.count(0)
    for start, stop in grid(size).columns:
        assert b"\0" not in after.cells[start:stop].rstrip(b"\0")


@given(well=wells(), purge=st.booleans())
def test_a_well_seen_in_a_mirror_settles_to_the_mirrored_well(
    well: tuple[int, bytes], purge: bool
) -> None:
    size, board = well
    after = game.settle(size, board, purge=purge)
    mirrored = game.settle(size, mirror(size, board), purge=purge)
    assert mirrored.cells == mirror(size, after.cells)
    assert mirrored.worth == after.worth


def mirror(size: int, board: bytes) -> bytes:
    spec = columns(size, board)
    return cells(size, {-column: words for column, words in spec.items()})


# ---- alignments


@pytest.mark.parametrize(
    ("spec", "left"),
    [
        pytest.param({0: "r r r"}, {}, id="a column"),
        pytest.param({0: "r", 1: "r", 2: "r"}, {}, id="rising to the right"),
        pytest.param({-2: "r", -1: "r", 0: "r"}, {}, id="rising to the left"),
        pytest.param(
            {0: "b v r", 1: "b r", 2: "r"},
            {0: "b v", 1: "b"},
            id="falling to the right",
        ),
        pytest.param(
            {-2: "r", -1: "b r", 0: "b v r"},
            {-1: "b", 0: "b v"},
            id="falling to the left",
        ),
        pytest.param(
            {-1: "r", 0: "b r", 1: "v r"}, {0: "b", 1: "v"}, id="across the middle"
        ),
        pytest.param(
            {-1: "v r", 0: "b r", 1: "r"}, {-1: "v", 0: "b"}, id="across, the other way"
        ),
    ],
)
def test_three_of_a_colour_go_in_each_of_the_three_directions(
    spec: dict[int, str], left: dict[int, str]
) -> None:
    after, quiet = settled(6, spec)
    assert quiet == left
    assert causes(after) == [Cause.LINE]


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({-1: "r", 0: "r", 1: "r"}, id="a V is bent in the middle"),
        pytest.param({0: "r", 1: "b", 2: "r", 3: "r"}, id="a run is unbroken"),
        pytest.param({0: "r r"}, id="two are too few"),
        pytest.param({0: "r r b"}, id="colours do not mix"),
        pytest.param({-5: "b r", -4: "r", 5: "r"}, id="no run goes around the edge"),
    ],
)
def test_what_is_no_straight_run_of_three_stays(spec: dict[int, str]) -> None:
    assert settled(6, spec) == (game.Settled(cells(6, spec), (), 0), spec)


def test_runs_that_cross_go_together_and_each_counts() -> None:
    after, quiet = settled(6, {0: "r r r", 1: "r", 2: "r"})
    assert quiet == {}
    assert after.worth == 3 + 3


# ---- "+": one hex more for each, or four of any colours


@pytest.mark.parametrize(
    ("words", "goes"),
    [
        ("r r r+", False),
        ("r r r r+", True),
        ("r r+ r r", True),
        ("r r r+ r+", False),
        ("r r r+ r+ r", True),
        ("r+ g+ b+", False),
        ("r+ g+ b+ v+", True),
        ("r+ r+ r+ r+", True),
        ("r+ r+ r r+ r", False),
    ],
)
def test_each_plus_asks_for_one_hex_more_in_its_line(words: str, goes: bool) -> None:
    after, quiet = settled(6, {0: words})
    assert quiet == ({} if goes else {0: words})
    assert causes(after) == [Cause.LINE] * goes


# ---- "-": any alignment but one of its own colour


@pytest.mark.parametrize("colour", "oygbv")
def test_a_minus_aligns_with_every_other_colour(colour: str) -> None:
    assert settled(6, {0: f"{colour} r- {colour}"})[1] == {}


def test_a_minus_does_not_align_with_its_own_colour() -> None:
    spec = {0: "r r- r"}
    assert settled(6, spec)[1] == spec


def test_a_minus_serves_runs_of_two_colours_at_once() -> None:
    after, quiet = settled(6, {0: "b b r- y y"})
    assert quiet == {}
    assert after.worth == 3 + 3


def test_three_minuses_align_as_a_colour_that_none_of_them_has() -> None:
    after, quiet = settled(6, {0: "r- g- b-"})
    assert quiet == {}
    assert after.worth == 3


def test_a_run_within_a_longer_one_is_not_counted_again() -> None:
    after, quiet = settled(6, {0: "r- r- r- b"})
    assert quiet == {}
    assert after.worth == 4 * 2


def test_runs_side_by_side_are_not_taken_for_parts_of_one_another() -> None:
    wide = {0: "r b", 1: "r b", 2: "r b", 3: "r"}
    assert settled(6, wide)[0].worth == 4 * 2 + 3


# ---- "*": itself and its six neighbours


def test_a_star_takes_its_six_neighbours_with_it() -> None:
    spec = {-1: "r g", 0: "b y* v", 1: "o r", 2: "g b"}
    after, quiet = settled(6, spec)
    assert quiet == {2: "g b"}
    assert causes(after) == [Cause.STAR]
    assert after.worth == 7


def test_a_star_at_the_edge_takes_what_there_is() -> None:
    after, quiet = settled(6, {5: "r* g b"})
    assert quiet == {5: "b"}
    assert after.worth == 2


def test_two_stars_go_at_once_and_each_hex_counts_once() -> None:
    after, quiet = settled(6, {0: "b r* g* y v"})
    assert quiet == {0: "v"}
    assert after.worth == 4


# ---- bombs


@pytest.mark.parametrize(
    ("spec", "goes"),
    [
        pytest.param({0: "r@ r"}, False, id="two are too few"),
        pytest.param({0: "r@ b r r"}, False, id="the others do not touch it"),
        pytest.param({-1: "r", 0: "r@", 1: "r"}, True, id="three, bent"),
        pytest.param({-1: "b r", 0: "r@", 1: "r"}, False, id="one is too high"),
        pytest.param({-1: "r", 0: "r@", 1: "r@"}, True, id="two bombs in it"),
        pytest.param({-1: "r-", 0: "r@", 1: "r+"}, True, id="motifs do not matter"),
    ],
)
def test_a_bomb_goes_off_in_three_or_more_of_its_colour_that_touch(
    spec: dict[int, str], goes: bool
) -> None:
    after, quiet = settled(6, spec)
    assert causes(after) == [Cause.BOMB] * goes
    assert after.worth == 3 * goes
    assert (quiet == spec) is not goes


# ---- squares


def test_squares_that_touch_go_whatever_their_colours() -> None:
    after, quiet = settled(6, {0: "r# b", 1: "g#", 3: "v#"})
    assert quiet == {0: "b", 3: "v#"}
    assert causes(after) == [Cause.SQUARE]
    assert after.worth == 2


# ---- all "+"


def test_every_plus_goes_when_the_score_says_so() -> None:
    after, quiet = settled(6, {-3: "r+ b", 0: "r g+", 2: "y+"}, purge=True)
    assert quiet == {-3: "b", 0: "r"}
    assert causes(after) == [Cause.PLUS]
    assert after.worth == 3


def test_nothing_happens_when_there_is_no_plus_to_go() -> None:
    assert causes(settled(6, {0: "r g"}, purge=True)[0]) == []


def test_pluses_that_are_not_due_stay() -> None:
    after, quiet = settled(6, {0: "r+ g r# b#"})
    assert quiet == {0: "r+ g"}
    assert causes(after) == [Cause.SQUARE]


def test_pluses_go_in_the_first_round_only() -> None:
    after, _ = settled(6, {0: "r+ b b b", 1: "v v"}, purge=True)
    assert [(gone.cause, gone.round) for gone in after.gone] == [
        (Cause.PLUS, 1),
        (Cause.LINE, 1),
    ]


# ---- order and rounds


def test_the_order_is_stars_bombs_squares_pluses_alignments() -> None:
    spec = {-5: "r* o", -3: "g@ g g", -1: "b# v#", 1: "y+", 3: "o o o"}
    after, quiet = settled(6, spec, purge=True)
    assert causes(after) == list(Cause)
    assert quiet == {}


@pytest.mark.parametrize(
    ("spec", "purge", "expected"),
    [
        pytest.param({0: "r* r@ r r"}, False, [Cause.STAR], id="star before bomb"),
        pytest.param({0: "b# b# b@"}, False, [Cause.BOMB], id="bomb before squares"),
        pytest.param(
            {0: "r r r# b#"}, False, [Cause.SQUARE], id="squares before alignments"
        ),
        pytest.param(
            {0: "r+ g+ b+ v+"}, True, [Cause.PLUS], id="all pluses before alignments"
        ),
    ],
)
def test_what_goes_first_is_missing_later(
    spec: dict[int, str], purge: bool, expected: list[Cause]
) -> None:
    assert causes(settled(6, spec, purge=purge)[0]) == expected


def test_columns_fall_together_after_each_destruction() -> None:
    after, quiet = settled(6, {0: "r b# v# r r"})
    assert causes(after) == [Cause.SQUARE, Cause.LINE]
    assert [gone.round for gone in after.gone] == [1, 1]
    assert quiet == {}
    assert after.worth == 2 + 3


def test_later_rounds_count_so_many_times() -> None:
    after, quiet = settled(6, {0: "b r r r b b"})
    assert [(gone.cause, gone.round) for gone in after.gone] == [
        (Cause.LINE, 1),
        (Cause.LINE, 2),
    ]
    assert quiet == {}
    assert after.worth == 1 * 3 + 2 * 3


@pytest.mark.parametrize(("length", "worth"), [(3, 3), (4, 8), (5, 15), (6, 24)])
def test_an_alignment_of_m_is_worth_m_times_m_less_two(length: int, worth: int) -> None:
    assert settled(6, {0: "r " * length})[0].worth == worth


def test_what_goes_is_kept_step_by_step_for_the_window() -> None:
    after, _ = settled(6, {0: "b r r r b b"})
    first = [game.index(6, 0, height) for height in (1, 2, 3)]
    second = [game.index(6, 0, height) for height in (0, 1, 2)]
    assert [list(gone.cells) for gone in after.gone] == [first, second]
