"""One whole match, whose every byte stays the same until `ABOUT.version` is raised."""

from collections.abc import Iterator
from hashlib import sha256

import msgspec

from rules import hexcolumns as game
from rules.game import CHANCE, CLOCK

GOLDEN = {2: "539b204e0e9044979b993055895ee54c8b2d9898f03ffe56b740d743072ac439"}
"""By version, the digest of all states of the match below."""


def numbers() -> Iterator[int]:
    """Yield numbers that no library changes (Knuth's MMIX generator)."""
    x = 1
    while True:
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        yield x >> 33


def match() -> Iterator[game.State]:
    """Yield the states of a match of three on side 7, until all wells are full."""
    stream = numbers()
    state = game.start(3, game.Options(size=7, level=3))
    while actors := sorted(game.actors(state)):
        yield state
        if actors == [CHANCE]:
            outcome = next(stream) % game.chance_count(state)
            state = game.play(state, CHANCE, game.chance_move(state, outcome))
            continue
        actor = actors[next(stream) % len(actors)]
        moves = list(game.moves(state, actor))
        state = game.play(state, actor, moves[next(stream) % len(moves)])
        if actor == CLOCK:
            for seat in sorted(game.actors(state) - {CHANCE, CLOCK}):
                state, _ = game.advance(state, seat, 11)
                if game.chance_count(state):
                    break
    yield state


def test_a_whole_match_folds_to_the_same_bytes_as_ever() -> None:
    digest = sha256()
    for state in match():
        digest.update(msgspec.msgpack.encode(state))
    assert digest.hexdigest() == GOLDEN[game.ABOUT.version]
