"""Every play by trying every word everywhere: slow, plain, and sharing no code.

Boards and racks are text: `.` an empty square, `#` a blocked one, lower case for a
blank on the board, `?` for a blank on the rack.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

Placed = frozenset[tuple[int, int, str]]
"""(row, column, letter) of the tiles laid; a blank's letter in lower case."""


class Brute:
    """A position as somebody reading the rules for the first time would hold it."""

    def __init__(
        self,
        rows: list[str],
        words: set[str],
        points: dict[str, int],
        premiums: dict[tuple[int, int], tuple[int, int]],
        rack_size: int = 7,
        bonus: int = 50,
    ) -> None:
        self.rows = rows
        self.words = words
        self.points = points
        self.premiums = premiums
        self.rack_size = rack_size
        self.bonus = bonus

    def at(self, row: int, column: int) -> str:
        if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[0]):
            return self.rows[row][column]
        return "#"

    def empty_board(self) -> bool:
        return not any(ch.isalpha() for row in self.rows for ch in row)

    def plays(self, rack: str, start: tuple[int, int]) -> dict[Placed, int]:
        found: dict[Placed, int] = {}
        for down in (False, True):
            for word in self.words:
                for row in range(len(self.rows)):
                    for column in range(len(self.rows[0])):
                        for placed in self.spell(word, row, column, down, rack):
                            score = self.score(placed, start)
                            if score is not None:
                                found[placed] = score
        return found

    def spell(
        self, word: str, row: int, column: int, down: bool, rack: str
    ) -> Iterator[Placed]:
        step = (1, 0) if down else (0, 1)
        if self.at(row - step[0], column - step[1]) not in ".#":
            return
        new = []
        for i, letter in enumerate(word):
            r, c = row + i * step[0], column + i * step[1]
            here = self.at(r, c)
            if here == "#":
                return
            if here == ".":
                new.append((r, c, letter))
            elif here.upper() != letter:
                return
        end = len(word)
        if self.at(row + end * step[0], column + end * step[1]) not in ".#":
            return
        if not new or len(new) > len(rack):
            return
        have = Counter(rack)
        blanks = have.pop("?", 0)
        for count in range(min(blanks, len(new)) + 1):
            for chosen in combinations(range(len(new)), count):
                need = Counter(t[2] for i, t in enumerate(new) if i not in chosen)
                if all(have[letter] >= n for letter, n in need.items()):
                    yield frozenset(
                        (r, c, letter.lower() if i in chosen else letter)
                        for i, (r, c, letter) in enumerate(new)
                    )

    def score(self, placed: Placed, start: tuple[int, int]) -> int | None:
        tiles = {(r, c): letter for r, c, letter in placed}
        if self.empty_board():
            if start not in tiles or len(tiles) < 2:
                return None
        elif not any(
            self.at(r + dr, c + dc).isalpha()
            for r, c in tiles
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
        ):
            return None
        total = 0
        for squares in self.lines(tiles):
            text = "".join(tiles.get(at) or self.at(*at) for at in squares)
            if text.upper() not in self.words:
                return None
            total += self.word_score(squares, tiles)
        return total + (self.bonus if len(tiles) == self.rack_size else 0)

    def lines(
        self, tiles: dict[tuple[int, int], str]
    ) -> Iterator[list[tuple[int, int]]]:
        seen: set[tuple[tuple[int, int], ...]] = set()
        for r, c in tiles:
            for dr, dc in ((0, 1), (1, 0)):
                a, b = r, c
                while self.filled(a - dr, b - dc, tiles):
                    a, b = a - dr, b - dc
                squares = []
                while self.filled(a, b, tiles):
                    squares.append((a, b))
                    a, b = a + dr, b + dc
                if len(squares) > 1 and tuple(squares) not in seen:
                    seen.add(tuple(squares))
                    yield squares

    def filled(self, r: int, c: int, tiles: dict[tuple[int, int], str]) -> bool:
        return (r, c) in tiles or self.at(r, c).isalpha()

    def word_score(
        self, squares: list[tuple[int, int]], tiles: dict[tuple[int, int], str]
    ) -> int:
        total, times = 0, 1
        for at in squares:
            letter = tiles.get(at) or self.at(*at)
            worth = self.points[letter] if letter.isupper() else 0
            if at in tiles:
                letter_times, word_times = self.premiums[at]
                worth *= letter_times
                times *= word_times
            total += worth
        return total * times
