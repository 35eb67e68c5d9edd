"""Positions of Networdz written down as text."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec.structs import replace

from rules import editions, lexicon, networdz
from rules.editions import Edition
from rules.game import CHANCE
from rules.networdz import Laid, Lay, Options, Phase, State
from rules.tiles import EVERYTHING, Show, Tiles, kind_of

Word = tuple[str, int, int, str]
""""across" or "down", row, column, letters; small letters are blanks."""

WORDS = "CAT CATS AT TA AN ANT TAN TOAD TO TOE SO NO ON OX AS DO ZOO QUIZ TRAINED EAT"


@cache
def dictionary(text: str = WORDS, edition: str = "networdz") -> str:
    """Return the digest of a word list of these words."""
    alphabet = editions.load(edition).alphabet
    folds = {alphabet.index("Ё"): alphabet.index("Е")} if "Ё" in alphabet else {}
    words = [[alphabet.index(letter) for letter in word] for word in text.split()]
    made = lexicon.read(lexicon.build(alphabet, words, folds))
    lexicon.register(made)
    return made.digest


def registered(edition: Edition) -> str:
    """Return the digest of an edition that can be found from now on."""
    editions.register(edition)
    return edition.digest


def options(words: str = WORDS, edition: str = "networdz", **chosen: Any) -> Options:
    """Return options with a shipped edition, or one given by digest."""
    named = editions.shipped().get(edition, edition)
    digest = dictionary(words, edition if edition in editions.shipped() else "networdz")
    return Options(edition=named, lexicon=digest, **chosen)


def position(
    *racks: str, bag: str = "", board: Iterable[Word] = (), opts: Options | None = None
) -> State:
    """Return a full state with seat 0 to play.

    Args:
        racks: Each seat's letters, "?" for the blank; numbered from 0 on.
        bag: The letters undrawn.
        board: Words that lie there already.
        opts: What `options` returns.
    """
    chosen = opts or options()
    field = networdz.ground(chosen)
    letters = field.edition.alphabet

    def kinds(text: str) -> tuple[int, ...]:
        return tuple(field.blank if c == "?" else letters.index(c) for c in text)

    starts = [sum(map(len, racks[:seat])) for seat in range(len(racks) + 1)]
    everything = kinds("".join(racks) + bag)
    state = State(
        options=chosen,
        phase=Phase.PLAY,
        turn=0,
        tiles=Tiles(
            eye=EVERYTHING,
            deal=0,
            first=starts[-1],
            end=starts[-1] + len(bag),
            counts=tuple(map(everything.count, range(field.blank + 1))),
            racks=tuple(
                tuple(range(start, start + len(rack)))
                for start, rack in zip(starts, racks, strict=False)
            ),
            kinds=tuple(map(kinds, racks)),
        ),
        letters=bytes(field.size),
        kinds=bytes(field.size),
        scores=(0,) * len(racks),
        lists=((),) * len(racks),
    )
    for way, row, column, word in board:
        state = _written(state, way, row * field.width + column, word)
    return state


def _written(state: State, way: str, cell: int, word: str) -> State:
    field = networdz.ground(state.options)
    letters, kinds = bytearray(state.letters), bytearray(state.kinds)
    blanks = list(state.blanks)
    for letter in word:
        index = field.alphabet.index(letter.upper())
        letters[cell] = index + 1
        kinds[cell] = (field.blank if letter.islower() else index) + 1
        if letter.islower():
            blanks.append((cell, 1000 + cell))
        cell += 1 if way == "across" else field.width
    return replace(
        state, letters=bytes(letters), kinds=bytes(kinds), blanks=tuple(blanks)
    )


def tiles(state: State, seat: int, way: str, row: int, column: int, word: str) -> Any:
    """Return the tiles of a seat's rack laid from a square on, over those there.

    A small letter is a blank that stands for it.
    """
    field = networdz.ground(state.options)
    rack = dict(zip(state.tiles.racks[seat], state.tiles.kinds[seat], strict=True))
    cell = row * field.width + column
    laid = []
    for letter in word:
        while state.letters[cell]:
            cell += 1 if way == "across" else field.width
        index = field.alphabet.index(letter.upper())
        kind = field.blank if letter.islower() else index
        tile = next(number for number, each in rack.items() if each == kind)
        del rack[tile]
        laid.append(Laid(cell, tile, index))
        cell += 1 if way == "across" else field.width
    return tuple(laid)


def lay(state: State, way: str, row: int, column: int, word: str, seat: int = 0) -> Lay:
    """Return the move that lays these tiles."""
    return networdz.lay(state, seat, tiles(state, seat, way, row, column, word))


def laid(state: State, way: str, row: int, column: int, word: str) -> State:
    """Return the state after the seat whose turn it is laid these tiles."""
    seat = state.turn
    move = lay(state, way, row, column, word, seat)
    return networdz.play(state, seat, move)


def revealed(state: State, letters: str) -> State:
    """Return the state after CHANCE turned up these tiles."""
    field = networdz.ground(state.options)
    for letter in letters:
        kind = field.blank if letter == "?" else field.alphabet.index(letter)
        move = next(
            move for move in networdz.moves(state, CHANCE) if _kind(move) == kind
        )
        state = networdz.play(state, CHANCE, move)
    return state


def _kind(move: Any) -> int:
    kind: int = move.kind
    return kind


def settled(state: State) -> State:
    """Return the state after everything is revealed or shown that has to be."""
    while networdz.actors(state) == {CHANCE}:
        state = networdz.play(state, CHANCE, next(networdz.moves(state, CHANCE)))
    return state


def words(state: State, seat: int) -> list[tuple[str, int]]:
    """Return a seat's word list."""
    return [(line.word, line.points) for line in state.lists[seat]]


def held(state: State, seat: int) -> str:
    """Return the letters on a rack."""
    kinds = networdz.ground(state.options).edition.kinds
    return "".join(
        kinds[kind_of(state.tiles, tile)].letters for tile in state.tiles.racks[seat]
    )


def shown(state: State) -> list[int]:
    """Return the numbers of the tiles that CHANCE shows, in order, to the end."""
    numbers: list[int] = []
    while CHANCE in networdz.actors(state):
        move = next(networdz.moves(state, CHANCE))
        if isinstance(move, Show):
            numbers.append(move.tile)
        state = networdz.play(state, CHANCE, move)
    return numbers
