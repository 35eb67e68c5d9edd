"""Matches in which chance gives what a test asks for."""

import re

from rules import lexicon, lhexicon, tiles
from rules.game import CHANCE, IllegalMoveError
from rules.lexicon import Lexicon
from rules.lhexicon import Move, Options, Placed, State, Swap
from rules.tiles import Reveal
from tests.rules.lhexicon import worked

FACES = (*lhexicon.LETTERS, "?")


def kinds(letters: str) -> list[int]:
    """Return the kinds of tiles written as letters, `?` for a blank."""
    return [FACES.index(letter) for letter in letters]


def small(*words: str) -> str:
    """Register a dictionary of a few words and return its digest."""
    spelled = [[FACES.index(letter) for letter in word] for word in words]
    made = Lexicon(lexicon.build(lhexicon.LETTERS, spelled))
    lexicon.register(made)
    return made.digest


def give(state: State, letters: str = "") -> State:
    """Reveal the tiles drawn: those asked for first, then the first kinds left."""
    wanted = kinds(letters)
    while lhexicon.actors(state) == {CHANCE}:
        number = tiles.pending(state.tiles)
        assert number is not None
        kind = wanted.pop(0) if wanted else _spare(state)
        state = lhexicon.play(state, CHANCE, Reveal(number, kind))
    assert not wanted
    return state


def _spare(state: State) -> int:
    """Return a kind left in the bag that is least likely to be asked for."""
    left = tiles.bag(state.tiles)
    for kind in kinds("IJKNOSTZ"):
        if kind in left:
            return kind
    return left[0]


def begin(*racks: str, options: Options | None = None) -> State:
    """Return a match whose seats hold these racks of seven letters."""
    state = lhexicon.start(len(racks), options or Options())
    return give(state, "".join(racks))


def placed(state: State, seat: int, word: str) -> tuple[list[Placed], tuple[int, ...]]:
    """Return tiles and path of a word written as in `worked`, from a seat's rack.

    A lower-case letter is laid with a blank.
    """
    rack = list(zip(state.tiles.racks[seat], state.tiles.kinds[seat], strict=True))
    side = state.options.side
    laid: list[Placed] = []
    faces = re.findall(r"(\w)\(", word)
    for face, (letter, cell, new) in zip(
        faces, worked.steps(word.upper(), side), strict=True
    ):
        if new:
            wanted = lhexicon.BLANK if face.islower() else letter
            held = next(pair for pair in rack if pair[1] == wanted)
            rack.remove(held)
            laid.append(Placed(held[0], cell, letter))
    return laid, worked.path(word.upper(), side)


def lay(state: State, word: str) -> State:
    """Return the state after whoever's turn it is lays a word."""
    laid, path = placed(state, state.turn, word)
    return lhexicon.play(state, state.turn, lhexicon.lay(state, laid, path))


def tile(state: State, seat: int, letter: str) -> int:
    """Return the number of a tile with this letter on a rack."""
    own = state.tiles.kinds[seat]
    return state.tiles.racks[seat][own.index(FACES.index(letter))]


def swap(state: State, seat: int, letter: str, cell: int) -> Move:
    """Return the move that takes a blank off a cell for a letter."""
    return lhexicon.pick_up(state, [Swap(tile(state, seat, letter), cell)])


def refused(state: State, actor: int, move: Move) -> str:
    """Return the words in which a move is refused."""
    try:
        lhexicon.play(state, actor, move)
    except IllegalMoveError as error:
        return str(error)
    raise AssertionError(f"{move} was accepted")
