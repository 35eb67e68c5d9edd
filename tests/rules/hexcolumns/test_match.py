"""Several wells and one sequence of pieces; order, replay and the end."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import hexcolumns as game
from rules.game import CHANCE, CLOCK, IllegalMoveError
from tests.rules.hexcolumns.wells import alone, chance, draw, ticks

OPTIONS = game.Options(size=6, level=12)


class Stream:
    """CHANCE with outcomes fixed beforehand by a seed, as the network has it."""

    def __init__(self, seed: int) -> None:
        self.outcomes = [Random(f"{seed} {n}").randrange(720) for n in range(900)]

    def draw(self, state: game.State) -> game.State:
        while game.chance_count(state):
            move = game.chance_move(state, self.outcomes[len(state.gems)])
            state = game.play(state, CHANCE, move)
        return state


inputs = st.sampled_from(
    [
        *(game.Shift(1), game.Shift(-1), game.Slant(1), game.Slant(-1)) * 2,
        *(game.Rotate(), game.Lower(), game.Drop()) * 3,
        *(game.Radar(on=True), game.Radar(on=False), game.Faster()),
        *(game.Pause(), game.Resume(), game.Resume()),
    ]
)
batches = st.lists(st.one_of(inputs, inputs, inputs, st.integers(1, 60)), max_size=60)
"""What one seat's node sends: inputs, and numbers of ticks between them."""


def fold(state: game.State, seat: int, batch: Any, stream: Stream) -> game.State:
    """Fold one batch; what the rules forbid is left out, as its author would."""
    state = stream.draw(state)
    if state.wells[seat].over:
        return state
    if isinstance(batch, int):
        left = batch
        while left and not state.wells[seat].over:
            state, left = game.advance(state, seat, left)
            state = stream.draw(state)
        return state
    try:
        state = game.play(state, seat, batch)
    except IllegalMoveError:
        return state
    return stream.draw(state)


# ---- order does not matter


def in_two_orders(
    start: game.State, seats: list[list[Any]], stream: Stream, order: Random
) -> tuple[game.State, game.State]:
    """Return what comes of the seats' batches, seat by seat and as chance orders them.

    Args:
        start: The state before.
        seats: The batches of each seat.
        stream: What CHANCE draws.
        order: Chooses whose batch comes next.
    """
    in_turn = mixed = start
    for seat, each in enumerate(seats):
        for batch in each:
            in_turn = fold(in_turn, seat, batch, stream)
    queues = [[(seat, batch) for batch in each] for seat, each in enumerate(seats)]
    while queue := order.choice([q for q in queues if q] or [[]]):
        mixed = fold(mixed, *queue.pop(0), stream)
    return in_turn, mixed


@given(
    seats=st.lists(batches, min_size=2, max_size=4),
    seed=st.integers(0, 999),
    order=st.randoms(use_true_random=False),
)
def test_batches_of_different_seats_may_be_folded_in_any_order(
    seats: list[list[Any]], seed: int, order: Random
) -> None:
    stream = Stream(seed)
    start = game.start(len(seats), OPTIONS)
    in_turn, mixed = in_two_orders(start, seats, stream, order)
    assert stream.draw(mixed) == stream.draw(in_turn)


@given(
    mine=batches,
    others=batches,
    seed=st.integers(0, 99),
    order=st.randoms(use_true_random=False),
)
def test_giving_up_commutes_with_what_the_others_do(
    mine: list[Any], others: list[Any], seed: int, order: Random
) -> None:
    stream = Stream(seed)
    start = stream.draw(game.start(2, OPTIONS))
    mine = [*mine, game.Resign()]
    first = second = start
    for batch in mine:
        first = fold(first, 0, batch, stream)
    for batch in others:
        first = fold(first, 1, batch, stream)
        second = fold(second, 1, batch, stream)
    for batch in mine:
        second = fold(second, 0, batch, stream)
    assert first == second


@given(batch=batches, seed=st.integers(0, 99))
def test_a_seat_touches_no_well_but_its_own(batch: list[Any], seed: int) -> None:
    stream = Stream(seed)
    state = stream.draw(game.start(3, OPTIONS))
    others = state.wells[0], state.wells[2]
    for each in batch:
        state = fold(state, 1, each, stream)
    assert (state.wells[0], state.wells[2]) == others


# ---- folding again


@given(batch=batches, seed=st.integers(0, 99), back=st.integers(1, 30))
def test_a_well_taken_back_some_batches_and_folded_again_is_the_same(
    batch: list[Any], seed: int, back: int
) -> None:
    stream = Stream(seed)
    states = [stream.draw(game.start(2, OPTIONS))]
    for each in batch:
        states.append(fold(states[-1], 0, each, stream))
    again = states[max(0, len(states) - 1 - back)]
    for each in batch[max(0, len(batch) - back) :]:
        again = fold(again, 0, each, stream)
    assert msgspec.msgpack.encode(again) == msgspec.msgpack.encode(states[-1])


@given(batch=batches, count=st.integers(0, 400), seed=st.integers(0, 99))
def test_many_ticks_at_once_are_as_many_single_ticks(
    batch: list[Any], count: int, seed: int
) -> None:
    stream = Stream(seed)
    state = stream.draw(game.start(2, OPTIONS))
    for each in batch:
        state = fold(state, 0, each, stream)
    if state.wells[0].over:
        return

    quick, left = game.advance(state, 0, count)

    slow = state
    for _ in range(count - left):
        slow = game.play(slow, CLOCK, game.Tick(0))
    assert quick == slow
    stopped = game.chance_count(quick) or quick.wells[0].over
    assert bool(left) <= bool(stopped)


def test_ticks_cannot_be_played_at_once_where_none_could() -> None:
    waiting = game.start(1, game.Options())
    with pytest.raises(IllegalMoveError, match="still being drawn"):
        game.advance(waiting, 0, 5)
    assert game.advance(waiting, 0, 0) == (waiting, 0)


def test_pieces_drawn_for_others_already_appear_within_the_same_ticks() -> None:
    state = draw(game.start(2, game.Options(size=6)), "r g b")
    state = draw(game.play(state, 0, game.Drop()), "b g r")
    later, left = game.advance(state, 1, 9 * game.HZ + 1)
    assert left == 0
    assert later.wells[1].piece == state.wells[0].piece
    assert later.wells[1].ticks == 9 * game.HZ + 1


# ---- the pieces


def test_all_wells_get_the_same_pieces() -> None:
    rng = Random(5)
    state = chance(game.start(3, game.Options()), rng)
    seen: list[list[bytes]] = [[], [], []]
    for seat in (0, 1, 1, 0, 2, 2, 2, 0, 1):
        seen[seat].append(state.wells[seat].piece)
        state = chance(game.play(state, seat, game.Drop()), rng)
    assert seen[0] == seen[1] == seen[2]


def test_chance_moves_alone_and_only_when_a_piece_is_wanted() -> None:
    state = game.start(2, game.Options())
    assert game.actors(state) == {CHANCE}
    assert (list(game.moves(state, 0)), list(game.moves(state, CLOCK))) == ([], [])

    state = draw(state, "r g b")
    assert game.actors(state) == {0, 1, CLOCK}
    assert (list(game.moves(state, CHANCE)), game.chance_count(state)) == ([], 0)

    ahead = game.play(state, 1, game.Drop())
    assert game.actors(ahead) == {CHANCE}

    ahead = draw(ahead, "b v o")
    behind = game.play(ahead, 0, game.Drop())
    assert game.actors(behind) == {0, 1, CLOCK}
    assert behind.wells[0].piece == ahead.wells[1].piece


def test_an_outcome_by_number_is_the_one_listed_there() -> None:
    state = game.start(1, game.Options())
    listed = list(game.moves(state, CHANCE))
    count = game.chance_count(state)
    assert count == len(listed) == 720
    assert [game.chance_move(state, n) for n in range(count)] == listed


@pytest.mark.parametrize("cell", [0, -1, game.KINDS + 1, 2**63])
def test_chance_draws_only_hexes_there_are(cell: int) -> None:
    with pytest.raises(IllegalMoveError, match="no such hex"):
        game.play(game.start(1, game.Options()), CHANCE, game.Gem(cell))


def test_nobody_else_draws_or_ticks() -> None:
    waiting = game.start(1, game.Options())
    running = alone()
    for state, actor, move in (
        (waiting, 0, game.Gem(1)),
        (running, CHANCE, game.Gem(1)),
        (running, 0, game.Tick(0)),
        (running, CLOCK, game.Tick(1)),
        (running, CLOCK, game.Tick(-1)),
        (running, CLOCK, game.Drop()),
        (running, 1, game.Drop()),
        (waiting, 0, game.Drop()),
        (running, CLOCK, game.Resign()),
        (running, 1, game.Resign()),
    ):
        with pytest.raises(IllegalMoveError):
            game.play(state, actor, move)


# ---- seats, the end, places


def test_the_clock_ticks_for_each_well_that_plays_on() -> None:
    state = draw(game.start(3, game.Options()), "r g b")
    state = game.play(state, 1, game.Resign())
    assert list(game.moves(state, CLOCK)) == [game.Tick(0), game.Tick(2)]
    assert game.actors(state) == {0, 2, CLOCK}


def test_a_pause_by_one_seat_stops_only_that_seats_falling() -> None:
    state = draw(game.start(2, game.Options(size=6)), "r g b")
    state = game.play(state, 0, game.Pause())
    state = ticks(ticks(state, 30, seat=0), 30, seat=1)
    assert [well.height for well in state.wells] == [8, 7]
    assert [well.clock for well in state.wells] == [1770, 1770]


def test_the_last_one_plays_on_after_the_others_have_ended() -> None:
    state = draw(game.start(2, game.Options()), "r g b")
    state = game.play(state, 0, game.Resign())
    assert game.actors(state) == {1, CLOCK}
    state = game.play(state, 1, game.Resign())
    assert game.actors(state) == frozenset()


def test_a_seat_that_lost_may_still_give_up_but_only_once() -> None:
    state = draw(game.start(2, game.Options()), "r g b")
    full = replace(state.wells[0], over=True, piece=b"", score=9)
    state = replace(state, wells=(full, state.wells[1]))
    state = game.play(state, 0, game.Resign())
    assert (state.wells[0].score, state.wells[0].resigned) == (9, True)
    with pytest.raises(IllegalMoveError, match="resigned already"):
        game.play(state, 0, game.Resign())


def test_nobody_gives_up_when_all_have_ended() -> None:
    state = game.play(alone(), 0, game.Resign())
    with pytest.raises(IllegalMoveError, match="game is over"):
        game.play(state, 0, game.Resign())


def test_the_rest_go_on_when_a_seat_gives_up_while_a_piece_is_drawn() -> None:
    state = draw(game.start(2, game.Options()), "r g")
    state = game.play(state, 0, game.Resign())
    assert game.actors(state) == {CHANCE}
    state = draw(state, "b")
    assert [well.pieces for well in state.wells] == [0, 1]


@pytest.mark.parametrize(
    ("scores", "places"),
    [((3, 9), (2, 1)), ((5, 5, 4), (1, 1, 3)), ((1, 7, 7, 9), (4, 2, 2, 1))],
)
def test_the_highest_score_is_first_and_ties_share(
    scores: tuple[int, ...], places: tuple[int, ...]
) -> None:
    state = game.start(len(scores), game.Options())
    wells = [
        replace(well, score=score)
        for well, score in zip(state.wells, scores, strict=True)
    ]
    assert game.places(replace(state, wells=tuple(wells))) == places


@pytest.mark.parametrize(
    ("seats", "options", "words"),
    [
        (0, game.Options(), "1 to 4"),
        (5, game.Options(), "1 to 4"),
        (1, game.Options(size=5), "size"),
        (1, game.Options(size=10), "size"),
        (1, game.Options(level=-1), "level"),
        (1, game.Options(level=26), "level"),
    ],
)
def test_what_cannot_be_played_is_not_started(
    seats: int, options: game.Options, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        game.start(seats, options)


def test_everybody_sees_everything() -> None:
    state = chance(game.start(2, game.Options()), Random(1))
    move = game.Drop()
    for viewer in (0, 1, None):
        assert game.view(state, viewer) is state
        assert game.mask(state, 0, move, viewer) is move
