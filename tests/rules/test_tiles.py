"""Numbered tiles: drawing, revealing, showing, exchanging, and the laws they keep."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import tiles as numbered
from rules.game import IllegalMoveError
from rules.tiles import (
    BYSTANDER,
    EVERYTHING,
    UNKNOWN,
    UNREVEALED,
    Reveal,
    Show,
    Shown,
    Tiles,
)

COUNTS = (3, 2, 1)
"""Kinds A, B and a blank."""


def revealed(tiles: Tiles, *kinds: int) -> Tiles:
    """Reveal the next tiles as these kinds."""
    for kind in kinds:
        tile = numbered.pending(tiles)
        assert tile is not None
        tiles = numbered.reveal(tiles, Reveal(tile, kind))
    return tiles


def dealt() -> Tiles:
    """Return two racks of two: seat 0 holds A B, seat 1 A and the blank."""
    tiles = numbered.begin(COUNTS, 2)
    tiles = numbered.draw(numbered.draw(tiles, 0, 2), 1, 2)
    return revealed(tiles, 0, 1, 0, 2)


def refused(move: Callable[[], object]) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        move()
    return str(caught.value)


def test_a_match_begins_with_a_full_bag_and_empty_racks() -> None:
    tiles = numbered.begin(COUNTS, 2)
    assert (tiles.eye, tiles.deal, tiles.first, tiles.end) == (EVERYTHING, 0, 0, 6)
    assert tiles.racks == tiles.kinds == ((), ())
    assert numbered.bag(tiles) == (0, 0, 0, 1, 1, 2)
    assert numbered.bag_size(tiles) == 6
    assert numbered.pending(tiles) is None
    assert not list(numbered.reveals(tiles))


def test_drawing_takes_the_next_numbers_and_tells_no_letters() -> None:
    tiles = numbered.draw(numbered.begin(COUNTS, 2), 1, 2)
    assert tiles.racks == ((), (0, 1))
    assert tiles.kinds == ((), (UNREVEALED, UNREVEALED))
    assert tiles.first == 2
    assert numbered.pending(tiles) == 0


def test_drawing_stops_at_the_rack_size_and_at_the_end_of_the_bag() -> None:
    tiles = numbered.draw(numbered.begin(COUNTS, 2), 0, 4)
    assert numbered.draw(tiles, 0, 4) == tiles
    assert numbered.draw(tiles, 0, 3) == tiles
    rest = numbered.draw(tiles, 1, 4)
    assert rest.racks[1] == (4, 5)
    assert numbered.bag_size(rest) == 0


def test_the_lowest_number_is_revealed_first() -> None:
    tiles = numbered.draw(numbered.draw(numbered.begin(COUNTS, 2), 1, 1), 0, 1)
    assert "first" in refused(lambda: numbered.reveal(tiles, Reveal(1, 0)))
    assert numbered.pending(revealed(tiles, 0)) == 1


def test_a_reveal_is_listed_as_often_as_it_is_likely() -> None:
    tiles = revealed(numbered.draw(numbered.begin(COUNTS, 2), 0, 2), 0)
    assert list(numbered.reveals(tiles)) == [
        *(Reveal(1, 0), Reveal(1, 0), Reveal(1, 1), Reveal(1, 1), Reveal(1, 2))
    ]


@pytest.mark.parametrize("kind", [2, 3, -1, -2, 2**70])
def test_a_kind_that_is_used_up_or_is_none_is_not_revealed(kind: int) -> None:
    tiles = numbered.draw(dealt(), 0, 3)
    message = refused(lambda: numbered.reveal(tiles, Reveal(4, kind)))
    assert message == "There is no such tile left"


def test_nothing_is_revealed_when_nothing_was_drawn() -> None:
    assert "first" in refused(lambda: numbered.reveal(dealt(), Reveal(0, 0)))


def test_others_are_told_that_a_tile_was_looked_at_but_not_its_letter() -> None:
    tiles = numbered.draw(dealt(), 0, 3)
    for seat in (1, None):
        view = numbered.view(tiles, seat)
        told = numbered.mask(tiles, Reveal(4, 1), seat)
        assert told == Reveal(4, UNKNOWN)
        assert list(numbered.reveals(view)) == [told]
        assert numbered.pending(numbered.reveal(view, told)) is None
        message = refused(lambda view=view: numbered.reveal(view, Reveal(4, 1)))
        assert message == "That letter is not for everybody to see"


def test_the_owner_is_told_the_letter() -> None:
    tiles = numbered.draw(dealt(), 0, 3)
    view = numbered.view(tiles, 0)
    assert numbered.mask(tiles, Reveal(4, 1), 0) == Reveal(4, 1)
    assert numbered.reveal(view, Reveal(4, 1)).kinds[0] == (0, 1, 1)
    assert "left" in refused(lambda: numbered.reveal(view, Reveal(4, UNKNOWN)))


def test_the_full_state_takes_no_unknown_letter() -> None:
    tiles = numbered.draw(dealt(), 0, 3)
    assert "left" in refused(lambda: numbered.reveal(tiles, Reveal(4, UNKNOWN)))


def test_a_view_hides_other_racks_but_keeps_their_numbers() -> None:
    view = numbered.view(dealt(), 0)
    assert view.eye == 0
    assert view.racks == ((0, 1), (2, 3))
    assert view.kinds == ((0, 1), (UNKNOWN, UNKNOWN))
    bystander = numbered.view(dealt(), None)
    assert bystander.eye == BYSTANDER
    assert bystander.kinds == ((UNKNOWN, UNKNOWN), (UNKNOWN, UNKNOWN))


def test_a_view_counts_what_it_cannot_see() -> None:
    assert numbered.unseen(numbered.view(dealt(), 0)) == (2, 1, 1)
    assert numbered.unseen(dealt()) == (1, 1, 0)


def test_owner_and_kind_of_a_tile_are_found_by_its_number() -> None:
    tiles = numbered.draw(dealt(), 0, 3)
    assert [numbered.owner(tiles, number) for number in (0, 3, 4, 5)] == [0, 1, 0, None]
    assert [numbered.kind_of(tiles, number) for number in (1, 3, 4, 5)] == [
        *(1, 2, UNKNOWN, UNKNOWN)
    ]


def test_tiles_put_on_the_board_leave_rack_and_counts() -> None:
    tiles = numbered.put(dealt(), 1, (Shown(3, 2),))
    assert tiles.racks[1] == (2,)
    assert tiles.counts == (3, 2, 0)
    assert tiles.open == ()


def test_a_view_believes_letters_it_does_not_know_while_there_are_enough() -> None:
    view = numbered.view(dealt(), 0)
    told = numbered.believe(view, 1, (Shown(2, 0), Shown(3, 2)))
    assert told.kinds[1] == (0, 2)
    assert told.open == (2, 3)
    two_blanks = (Shown(2, 2), Shown(3, 2))
    assert "left" in refused(lambda: numbered.believe(view, 1, two_blanks))
    assert "left" in refused(lambda: numbered.believe(view, 1, (Shown(2, 99),)))


def test_what_is_known_must_be_shown_as_it_is() -> None:
    tiles = dealt()
    message = refused(lambda: numbered.believe(tiles, 0, (Shown(0, 1),)))
    assert message == "That tile has another letter"


@pytest.mark.parametrize("tile", [2, 5, 99, -1])
def test_only_tiles_on_ones_rack_are_shown(tile: int) -> None:
    message = refused(lambda: numbered.believe(dealt(), 0, (Shown(tile, 0),)))
    assert message == "That tile is not on the rack"


def test_a_tile_nobody_has_looked_at_is_not_shown() -> None:
    tiles = numbered.draw(dealt(), 0, 3)
    assert "rack" in refused(lambda: numbered.believe(tiles, 0, (Shown(4, 0),)))


def test_a_tile_is_shown_once() -> None:
    twice = (Shown(0, 0), Shown(0, 0))
    message = refused(lambda: numbered.believe(dealt(), 0, twice))
    assert message == "A tile is shown twice"


def test_chance_shows_racks_to_all_lowest_number_first() -> None:
    tiles = dealt()
    assert numbered.closed(tiles, (1, 0)) == 0
    assert list(numbered.shows(tiles, 0)) == [Show(0, 0)]
    tiles = numbered.show(tiles, Show(0, 0))
    assert numbered.closed(tiles, (0, 1)) == 1
    assert numbered.closed(tiles, (1,)) == 2
    assert numbered.closed(tiles, ()) is None
    assert numbered.view(tiles, 1).kinds[0] == (0, UNKNOWN)


def test_a_view_lists_every_letter_a_shown_tile_may_have() -> None:
    view = numbered.view(dealt(), 0)
    assert list(numbered.shows(view, 2)) == [
        *(Show(2, 0), Show(2, 0), Show(2, 1), Show(2, 2))
    ]
    assert "rack" in refused(lambda: numbered.show(view, Show(5, 0)))


def test_a_tile_taken_from_the_board_is_public() -> None:
    tiles = numbered.put(dealt(), 1, (Shown(3, 2),))
    tiles = numbered.take(tiles, 0, (Shown(3, 2),))
    assert tiles.racks[0] == (0, 1, 3)
    assert tiles.kinds[0] == (0, 1, 2)
    assert tiles.counts == COUNTS
    assert numbered.view(tiles, 1).kinds[0] == (UNKNOWN, UNKNOWN, 2)


def test_an_exchange_draws_first_and_then_deals_anew() -> None:
    tiles = numbered.exchange(dealt(), 0, (0,))
    assert tiles.racks[0] == (1, 4)
    assert tiles.returned == (Shown(0, 0),)
    assert (tiles.deal, tiles.first, tiles.end) == (0, 5, 6)
    assert list(numbered.reveals(tiles)) == [Reveal(4, 0), Reveal(4, 1)]
    after = revealed(tiles, 1)
    assert (after.deal, after.first, after.end) == (1, 6, 8)
    assert after.returned == ()
    assert numbered.bag(after) == (0, 0)


def test_facts_about_returned_tiles_are_forgotten() -> None:
    tiles = numbered.show(numbered.show(dealt(), Show(0, 0)), Show(1, 1))
    after = revealed(numbered.exchange(tiles, 0, (0,)), 1)
    assert after.open == (1,)
    assert numbered.owner(after, 0) is None


def test_discards_are_seen_by_their_owner_and_where_they_were_public() -> None:
    tiles = numbered.exchange(numbered.show(dealt(), Show(0, 0)), 0, (0, 1))
    assert numbered.view(tiles, 0).returned == (Shown(0, 0), Shown(1, 1))
    assert numbered.view(tiles, 1).returned == (Shown(0, 0), Shown(1, UNKNOWN))
    assert numbered.unseen(tiles) == (1, 1, 0)
    assert numbered.unseen(numbered.view(tiles, 1)) == (1, 2, 0)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((0, 0), "That tile is not on the rack"),
        ((2,), "That tile is not on the rack"),
        ((-1,), "That tile is not on the rack"),
        ((0, 1, 2), "There are not enough tiles left in the pool"),
    ],
)
def test_only_tiles_held_are_exchanged_and_no_more_than_the_bag_has(
    numbers: tuple[int, ...], message: str
) -> None:
    assert refused(lambda: numbered.exchange(dealt(), 0, numbers)) == message


SIZE = 4
"""The rack size of the random matches."""

Step = Callable[[Tiles, int | None], Tiles]
"""Something done to tiles, in the view of a seat or (None, full) of a bystander."""


def any_step(tiles: Tiles, rng: Random) -> Step:
    """Choose something that can be done to tiles."""
    if numbered.pending(tiles) is not None:
        told = rng.choice(list(numbered.reveals(tiles)))
        return lambda seen, seat: numbered.reveal(
            seen, told if seen.eye == EVERYTHING else numbered.mask(tiles, told, seat)
        )
    seat = rng.randrange(len(tiles.racks))
    held = zip(tiles.racks[seat], tiles.kinds[seat], strict=True)
    every = [Shown(tile, kind) for tile, kind in held]
    some = tuple(rng.sample(every, rng.randint(0, len(every))))
    fit = [each.tile for each in some][: numbered.bag_size(tiles)]
    steps: list[Step] = [
        lambda seen, _: numbered.draw(seen, seat, SIZE),
        lambda seen, _: numbered.put(seen, seat, some),
        lambda seen, _: numbered.believe(seen, seat, some),
        lambda seen, _: numbered.take(numbered.put(seen, seat, some), 0, some),
    ]
    if some:
        shown = Show(some[0].tile, some[0].kind)
        steps.append(lambda seen, _: numbered.show(seen, shown))
    if fit:
        steps.append(lambda seen, _: numbered.exchange(seen, seat, fit))
    return rng.choice(steps)


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=6),
    st.integers(1, 4),
    st.integers(0, 2**32),
)
def test_whatever_is_done_every_view_agrees_and_no_tile_is_lost(
    counts: list[int], seats: int, seed: int
) -> None:
    rng = Random(seed)
    tiles = numbered.begin(counts, seats)
    for _ in range(40):
        step = any_step(tiles, rng)
        after = step(tiles, None)
        for seat in (*range(seats), None):
            seen = step(numbered.view(tiles, seat), seat)
            assert seen == numbered.view(after, seat)
            assert numbered.view(seen, seat) == seen
        held = sum(map(len, after.racks)) + len(after.returned)
        assert sum(after.counts) == numbered.bag_size(after) + held
        assert all(
            0 <= now <= all_ for now, all_ in zip(after.counts, counts, strict=True)
        )
        assert min(numbered.unseen(after)) >= 0
        if after.deal == tiles.deal:
            assert (after.end, after.first >= tiles.first) == (tiles.end, True)
        else:
            assert after.first == tiles.end
        tiles = after


@given(st.integers(1, 4), st.integers(0, 2**32))
def test_a_full_state_with_nothing_to_reveal_knows_the_bag_exactly(
    seats: int, seed: int
) -> None:
    rng = Random(seed)
    tiles = numbered.begin((4, 3, 2, 1), seats)
    for _ in range(30):
        tiles = any_step(tiles, rng)(tiles, None)
        if numbered.pending(tiles) is None:
            assert len(numbered.bag(tiles)) == numbered.bag_size(tiles)


def test_a_view_of_the_first_deal_can_be_dealt_too() -> None:
    view = numbered.view(numbered.begin(COUNTS, 2), 0)
    drawn = numbered.draw(view, 0, 1)
    assert next(numbered.reveals(drawn)) == Reveal(0, 0)
    assert replace(drawn, eye=EVERYTHING) == numbered.draw(
        numbered.begin(COUNTS, 2), 0, 1
    )
