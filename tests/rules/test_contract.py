"""What every game must hold to: one suite over all of `rules.GAMES`.

Games are found, not listed.  Each is played at random, in every combination of
seats and options it declares, and then looked at through every seat's eyes.
"""

from itertools import islice
from random import Random
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rules import GAMES, LISTED
from rules.game import CHANCE, CLOCK, IllegalMoveError, Resign
from tests.rules.matches import (
    POOL,
    Match,
    begin,
    encoded,
    finish,
    pool,
    refused,
    some_moves,
)
from tests.rules.strategies import instances, options

every_game = pytest.mark.parametrize("name", tuple(GAMES))
seeds = st.integers(0, 2**32)
spots = st.tuples(st.integers(0, POOL - 1), st.floats(0, 1), seeds)
"""Where to look: the number of a match, how far into it, and a seed."""

STEPS = 250
"""Entries of a match that are looked at one by one; of longer ones, a sample."""

few = settings(
    max_examples=max(3, settings.default.max_examples // 15),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
"""For properties that play a match anew in each example."""


def entries(match: Match, seed: int = 0) -> list[int]:
    """Return the numbers of the entries to look at."""
    every = range(len(match.log))
    return sorted(Random(seed).sample(every, min(STEPS, len(every))))


def at(match: Match, fraction: float) -> int:
    """Return the number of an entry, from the first (0) to the last (1)."""
    return round(fraction * (len(match.log) - 1))


def is_listed(match: Match, state: Any, actor: int, move: Any, most: int) -> bool:
    return any(move == each for each in islice(match.game.moves(state, actor), most))


def is_a_bluff(match: Match, state: Any, actor: int, move: Any) -> bool:
    """Say whether a move lays what is no word, where the rules let that happen.

    In tournaments of Networdz it loses the turn; with Lhexicon's option `challenge`
    it stands until somebody doubts it.  Such moves are too many for any list.
    """
    last = getattr(match.game.play(state, actor, move), "last", None)
    unchecked = getattr(match.options, "challenge", False) and hasattr(move, "laid")
    return bool(unchecked or getattr(last, "error", ""))


def changed_in_one_number(move: Any, rng: Random) -> Any:
    """Return a move as plain values with one of its numbers changed a little."""
    plain = msgspec.to_builtins(move)
    lists, numbers = [plain], []
    for each in lists:
        for at_, value in enumerate(each):
            if isinstance(value, list | tuple):
                each[at_] = list(value)
                lists.append(each[at_])
            elif isinstance(value, int) and not isinstance(value, bool):
                numbers.append((each, at_))
    if numbers:
        inner, place = rng.choice(numbers)
        inner[place] += rng.choice((-2, -1, 1, 2, rng.randrange(-30, 31)))
    return plain


def is_a_ranking(places: tuple[int, ...]) -> bool:
    """Say whether ties share a place and the next ones are skipped: 1, 2, 2, 4."""
    return places == tuple(1 + sum(b < a for b in places) for a in places)


@every_game
def test_a_game_is_called_what_is_known_before_it_is_loaded(name: str) -> None:
    assert GAMES[name].ABOUT.title == LISTED[name].title


@every_game
@few
@given(data=st.data())
def test_random_matches_end(name: str, data: st.DataObject) -> None:
    game = GAMES[name]
    seats = data.draw(st.sampled_from(game.ABOUT.seats))
    try:
        match = begin(name, seats, data.draw(options(game.ABOUT.options)))
    except ValueError:
        assume(False)
        raise
    rng = Random(data.draw(seeds))
    finish(match, rng, resigning=rng.choice((0, 0.02)))
    over = match.states[-1]
    assert len(game.places(over)) == seats
    for actor in (*range(seats), CHANCE, CLOCK):
        assert not list(game.moves(over, actor))
        assert refused(game, over, actor, Resign())


@every_game
@given(number=st.integers(0, POOL - 1))
def test_folding_a_log_again_gives_the_same_bytes(name: str, number: int) -> None:
    match = pool(name)[number]
    state = match.game.start(match.seats, match.options)
    for (actor, move), after in zip(match.log, match.states[1:], strict=True):
        state = match.game.play(state, actor, move)
        assert encoded(state) == encoded(after)


@every_game
@given(number=st.integers(0, POOL - 1))
def test_a_peer_without_secrets_can_apply_every_move(name: str, number: int) -> None:
    match = pool(name)[number]
    game = match.game
    for index in entries(match):
        (actor, move), before = match.log[index], match.states[index]
        for viewer in match.viewers:
            masked = game.mask(before, actor, move, viewer)
            seen = game.play(game.view(before, viewer), actor, masked)
            assert seen == game.view(match.states[index + 1], viewer)


@every_game
@given(number=st.integers(0, POOL - 1))
def test_a_view_of_a_view_is_that_view(name: str, number: int) -> None:
    match = pool(name)[number]
    for index in entries(match):
        for viewer in match.viewers:
            seen = match.game.view(match.states[index], viewer)
            assert match.game.view(seen, viewer) == seen


@every_game
@given(number=st.integers(0, POOL - 1))
def test_a_view_keeps_actors_and_places(name: str, number: int) -> None:
    match = pool(name)[number]
    game = match.game
    for state in (match.states[i] for i in (*entries(match), -1)):
        places = game.places(state)
        assert match.seats == len(places)
        assert is_a_ranking(places)
        for viewer in match.viewers:
            seen = game.view(state, viewer)
            assert game.actors(seen) == game.actors(state)
            assert game.places(seen) == places


@every_game
@given(spot=spots)
def test_a_seat_finds_its_own_moves_in_its_view(
    name: str, spot: tuple[int, float, int]
) -> None:
    match = pool(name)[spot[0]]
    game, state = match.game, match.states[at(match, spot[1])]
    for seat in game.actors(state) - {CHANCE, CLOCK}:
        known = islice(game.moves(game.view(state, seat), seat), 60)
        assert list(known) == list(islice(game.moves(state, seat), 60))


@every_game
@given(number=st.integers(0, POOL - 1))
def test_states_and_moves_survive_the_wire(name: str, number: int) -> None:
    match = pool(name)[number]
    about = match.game.ABOUT

    def received(value: Any, declared: Any) -> Any:
        plain = msgpack.unpackb(msgspec.msgpack.encode(value), use_list=False)
        return msgspec.convert(plain, declared)

    assert received(match.options, about.options) == match.options
    for index in entries(match):
        actor, move = match.log[index]
        state = match.states[index]
        assert received(move, about.move) == move
        assert received(state, about.state) == state
        for viewer in match.viewers:
            seen = match.game.view(state, viewer)
            masked = match.game.mask(state, actor, move, viewer)
            assert received(seen, about.state) == seen
            assert received(masked, about.move) == masked


@every_game
@given(spot=spots, data=st.data())
def test_hostile_moves_are_refused_in_words(
    name: str, spot: tuple[int, float, int], data: st.DataObject
) -> None:
    match = pool(name)[spot[0]]
    index = at(match, spot[1])
    state = match.states[index]
    actor = data.draw(st.sampled_from([*match.game.actors(state), *range(-4, 6)]))
    move = data.draw(instances(match.game.ABOUT.move))
    for seen in (state, match.game.view(state, None)):
        if not refused(match.game, seen, actor, move):
            assert (
                isinstance(move, Resign)
                or is_listed(match, seen, actor, move, 200_000)
                or is_a_bluff(match, seen, actor, move)
            )


@every_game
@given(spot=spots, elsewhere=st.floats(0, 1), data=st.data())
def test_moves_legal_elsewhere_are_played_only_if_listed_here(
    name: str, spot: tuple[int, float, int], elsewhere: float, data: st.DataObject
) -> None:
    match = pool(name)[spot[0]]
    state = match.states[at(match, spot[1])]
    there, move = match.log[at(match, elsewhere)]
    assume(not isinstance(move, Resign))
    for actor in {there, *match.game.actors(state)}:
        if refused(match.game, state, actor, move):
            assert not is_listed(match, state, actor, move, 200)
        elif not is_a_bluff(match, state, actor, move):
            assert is_listed(match, state, actor, move, 200_000)


@every_game
@given(spot=spots)
def test_a_move_with_one_number_changed_is_played_only_if_listed(
    name: str, spot: tuple[int, float, int]
) -> None:
    match = pool(name)[spot[0]]
    game, index, rng = match.game, at(match, spot[1]), Random(spot[2])
    (actor, move), state = match.log[index], match.states[index]
    for changed in [changed_in_one_number(move, rng) for _ in range(8)]:
        near = msgspec.convert(changed, game.ABOUT.move)
        if isinstance(near, Resign):
            continue
        if refused(game, state, actor, near):
            assert not is_listed(match, state, actor, near, 200)
        elif not is_a_bluff(match, state, actor, near):
            assert is_listed(match, state, actor, near, 200_000)


@every_game
@given(spot=spots)
def test_every_listed_move_may_be_played(
    name: str, spot: tuple[int, float, int]
) -> None:
    match = pool(name)[spot[0]]
    game, state = match.game, match.states[at(match, spot[1])]
    for actor in game.actors(state):
        for move in some_moves(game, state, actor, Random(spot[2]), most=12):
            assert not isinstance(move, Resign)
            assert not refused(game, state, actor, move)


@every_game
@given(spot=spots)
def test_who_is_not_waited_for_has_no_move(
    name: str, spot: tuple[int, float, int]
) -> None:
    match = pool(name)[spot[0]]
    game, state = match.game, match.states[at(match, spot[1])]
    for actor in {*range(-4, match.seats + 2)} - game.actors(state):
        assert not list(game.moves(state, actor))


@every_game
@given(spot=spots)
def test_what_a_seat_cannot_see_does_not_touch_it(
    name: str, spot: tuple[int, float, int]
) -> None:
    """Replay a match with other secrets: the seat sees no difference.

    From some entry on, chance decides otherwise wherever the seat would be told the
    same.  That goes on until somebody makes a move that only the first secrets allow.
    """
    match = pool(name)[spot[0]]
    game, start, rng = match.game, at(match, spot[1]), Random(spot[2])
    viewer = rng.choice(match.viewers)
    other = match.states[start]
    for index in range(start, min(start + STEPS, len(match.log))):
        (actor, move), state = match.log[index], match.states[index]
        told = game.mask(state, actor, move, viewer)
        if actor == CHANCE:
            alike = [
                each
                for each in game.moves(other, CHANCE)
                if game.mask(other, CHANCE, each, viewer) == told
            ]
            move = rng.choice(alike or [move])
        try:
            other = game.play(other, actor, move)
        except IllegalMoveError:
            return
        after = match.states[index + 1]
        assert game.view(other, viewer) == game.view(after, viewer)
        if viewer in game.actors(after):
            assert viewer is not None
            moves = islice(game.moves(other, viewer), 20)
            assert list(moves) == list(islice(game.moves(after, viewer), 20))


@every_game
@few
@given(spot=spots)
def test_anyone_may_resign_at_any_time_once_and_the_rest_finish(
    name: str, spot: tuple[int, float, int]
) -> None:
    match = pool(name)[spot[0]]
    index, rng, game = at(match, spot[1]), Random(spot[2]), match.game
    gone = match.gone(index)
    again = Match(
        name, match.seats, match.options, match.states[: index + 1], match.log[:index]
    )
    for seat in range(match.seats):
        assert refused(game, again.states[-1], seat, Resign()) == (seat in gone)
    leaver = rng.choice([seat for seat in range(match.seats) if seat not in gone])
    again.add(leaver, Resign())
    for viewer in match.viewers:
        seen = game.play(game.view(match.states[index], viewer), leaver, Resign())
        assert seen == game.view(again.states[-1], viewer)
    assert leaver not in game.actors(again.states[-1])
    assert refused(game, again.states[-1], leaver, Resign())
    finish(again, rng)
