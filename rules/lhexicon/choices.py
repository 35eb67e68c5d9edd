"""Every legal move, one after another in a fixed order."""

from collections.abc import Iterator
from itertools import combinations, permutations

from rules import lexicon, tiles
from rules.game import CHANCE, CLOCK, Actor, Seat
from rules.lhexicon.ending import actors
from rules.lhexicon.judging import checked, lay, pick_up, spelled
from rules.lhexicon.letters import EMPTY
from rules.lhexicon.search import Step, Walk
from rules.lhexicon.spellings import Anything, Spellings, known
from rules.lhexicon.state import (
    Accept,
    Challenge,
    Discard,
    Expire,
    Insist,
    Lay,
    Move,
    Pass,
    PickUp,
    Placed,
    State,
    Swap,
    Withdraw,
)


def moves(state: State, actor: Actor) -> Iterator[Move]:
    """Yield every legal move but `Resign`.

    Words of the dictionary come first, then discards, blanks to pick up and a pass.
    Where words are not checked, others come last: there is no end of them, and on a
    crowded board those that are hard to find are left out.  On a view only the moves
    that need no unknown letter are found.
    """
    if actor not in actors(state):
        return
    if actor == CHANCE:
        yield from tiles.reveals(state.tiles)
    elif actor == CLOCK:
        yield Expire()
    elif state.announced:
        doubted = state.announced.challenger is not None
        yield from (Withdraw(), Insist()) if doubted else (Accept(), Challenge())
    else:
        yield from _words(state, actor)
        yield from _discards(state, actor)
        yield from _pick_ups(state, actor)
        yield Pass()
        if not checked(state):
            yield from _unheard_of(state, actor)


def _words(state: State, seat: Seat) -> Iterator[Lay]:
    for steps in _walk(state, seat, known(state.options.lexicon)):
        yield _lay(state, steps)


def _unheard_of(state: State, seat: Seat) -> Iterator[Lay]:
    """Yield the words that are not in the dictionary."""
    words = lexicon.find(state.options.lexicon)
    for steps in _walk(state, seat, Anything()):
        letters = {step.cell: step.letter for step in steps}
        if not words.has(spelled(state.letters, letters, tuple(letters))):
            yield _lay(state, steps)


def _walk(state: State, seat: Seat, words: Spellings) -> Iterator[tuple[Step, ...]]:
    walk = Walk(state.letters, state.options.side, words)
    return walk.plays(_held(state, seat))


def _held(state: State, seat: Seat) -> tuple[tuple[int, int], ...]:
    rack = tiles.on_rack(state.tiles, seat)
    return tuple((tile, kind) for tile, kind in rack.items() if kind >= 0)


def _lay(state: State, steps: tuple[Step, ...]) -> Lay:
    laid = [
        Placed(step.tile, step.cell, step.letter)
        for step in steps
        if step.tile != EMPTY
    ]
    return lay(state, laid, [step.cell for step in steps])


def _discards(state: State, seat: Seat) -> Iterator[Discard]:
    rack = state.tiles.racks[seat]
    most = min(len(rack), tiles.bag_size(state.tiles))
    for size in range(1, most + 1):
        for numbers in combinations(rack, size):
            yield Discard(numbers)


def _pick_ups(state: State, seat: Seat) -> Iterator[PickUp]:
    held = _held(state, seat)
    for size in range(1, len(state.blanks) + 1):
        for where in combinations(state.blanks, size):
            for chosen in permutations(held, size):
                kinds = [kind for _, kind in chosen]
                if kinds == [state.letters[cell] for cell in where]:
                    numbers = [tile for tile, _ in chosen]
                    yield pick_up(state, list(map(Swap, numbers, where)))
