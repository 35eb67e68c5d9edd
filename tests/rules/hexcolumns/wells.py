"""Wells and matches written down in a few words."""

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from rules import hexcolumns as game
from rules.game import CHANCE, CLOCK

COLOURS = "roygbv"
MOTIFS = " #+-*@"


def hexes(words: str) -> bytes:
    """Return the bytes of hexes: a colour's letter and a motif's sign each."""
    return bytes(
        game.cell(COLOURS.index(word[0]), game.Motif(MOTIFS.index(word[1:] or " ")))
        for word in words.split()
    )


def cells(size: int, columns: Mapping[int, str]) -> bytes:
    """Return a well's bytes; each column's hexes from the lowest up, `.` for none."""
    board = bytearray(2 * size * (2 * size - 1))
    for column, words in columns.items():
        for height, word in enumerate(words.split()):
            if word != ".":
                board[game.index(size, column, height)] = hexes(word)[0]
    return bytes(board)


def columns(size: int, board: bytes) -> dict[int, str]:
    """Return what `cells` was made from, empty columns left out."""
    found = {}
    for column in range(1 - size, size):
        start = game.index(size, column, 0)
        line = board[start : start + game.depth(size, column)]
        words = [
            "." if not c else COLOURS[game.colour(c)] + MOTIFS[game.motif(c)].strip()
            for c in line.rstrip(b"\0")
        ]
        if words:
            found[column] = " ".join(words)
    return found


def settled(
    size: int, spec: Mapping[int, str], **more: Any
) -> tuple[Any, dict[int, str]]:
    """Settle a well; return all of it, and the hexes that are left."""
    after = game.settle(size, cells(size, spec), **more)
    return after, columns(size, after.cells)


def draw(state: game.State, words: str) -> game.State:
    """Let CHANCE draw these hexes."""
    for c in hexes(words):
        state = game.play(state, CHANCE, game.Gem(c))
    return state


def chance(state: game.State, rng: Random) -> game.State:
    """Let CHANCE draw what it must."""
    while count := game.chance_count(state):
        move = game.chance_move(state, rng.randrange(count))
        state = game.play(state, CHANCE, move)
    return state


def alone(
    spec: Mapping[int, str] | None = None, piece: str = "r g b", **more: Any
) -> game.State:
    """Return a match of one, size 6, with a well and the piece that has appeared.

    Further arguments replace fields of the well.
    """
    size = more.pop("size", 6)
    state = draw(game.start(1, game.Options(size=size)), piece)
    well = replace(state.wells[0], cells=cells(size, spec or {}), **more)
    return replace(state, wells=(well,))


def do(state: game.State, *inputs: game.Input) -> game.Well:
    """Return the only well after some inputs."""
    for move in inputs:
        state = game.play(state, 0, move)
    return state.wells[0]


def ticks(state: game.State, count: int, seat: int = 0) -> game.State:
    """Return the state after some ticks."""
    for _ in range(count):
        state = game.play(state, CLOCK, game.Tick(seat))
    return state
