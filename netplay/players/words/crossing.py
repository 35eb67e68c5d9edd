"""The words that a play makes."""

from netplay.players.words.plays import Play
from netplay.players.words.position import EMPTY, Board


def made(board: Board, play: Play) -> list[bytes]:
    """Return every word that a play makes, its own first."""
    lane, begin = play.window.lane, play.window.begin
    step = 1 if lane.down else board.width
    found = [play.word]
    for at, letter in enumerate(play.word, begin):
        if lane.letters[at] == EMPTY and lane.across[at] >= 0:
            square = lane.squares[at]
            before = _run(board, square, -step)
            after = _run(board, square, step)
            found.append(bytes([*reversed(before), letter, *after]))
    return found


def _run(board: Board, square: int, step: int) -> list[int]:
    """Return the letters from beside a square on, up to a gap or the edge."""
    found: list[int] = []
    width = board.width
    at = square + step
    while 0 <= at < len(board.letters) and board.letters[at] >= 0:
        if abs(step) == 1 and at // width != square // width:
            break
        found.append(board.letters[at])
        at += step
    return found
