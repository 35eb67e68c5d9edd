"""The rules of Numlo written from their description alone, slowly and plainly.

Nothing of rules is imported: what this shows is that two programs that share no line
come to the same public position, and so to the same digests.
"""

from typing import Any, Final

from tests.second_node import Stream, pack, read, sha, tag, u64

CHANCE, OVER = -1, -3
AROUND: Final = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


class Board:
    """A match of Numlo with any start but a scattered one."""

    def __init__(self, match: bytes, terms: Any, *, backwards: bool = False) -> None:
        """Set up what chance does not decide.

        Args:
            match: Its name.
            terms: What all have agreed to.
            backwards: List what chance may do from the last on, as no other does.
        """
        self.match = match
        self.backwards = backwards
        self.size, self.start, self.valued = read(terms[2])
        self.seats = len(terms[6])
        self.owner: dict[int, int] = {}
        self.values = [0] * self.size**2
        self.turn = CHANCE
        self.gone: list[int] = []
        self._begin()
        self.drawn = 0

    def _begin(self) -> None:
        low = self.size // 2
        if self.start == "latin":
            middle = range(low - 3, low + 3)
            for row in middle:
                for column in middle:
                    self.owner[row * self.size + column] = (row + column) % self.seats
        else:
            a, b = low - 1, low
            for row, column, seat in ((a, b, 0), (b, a, 0), (a, a, 1), (b, b, 1)):
                self.owner[row * self.size + column] = seat

    # What chance decides.

    def set_up(self, key: bytes) -> None:
        """Let chance decide all that it has to."""
        empty = self.size**2 - len(self.owner)
        alike = min(6, empty // 6) if self.valued else 0
        for nth in range(6 * alike):
            free = [
                square
                for square in range(self.size**2)
                if square not in self.owner and not self.values[square]
            ]
            self.values[self._drawn(key, free)] = nth // alike + 1
        decided = self.start == "othello" and not alike
        first = 0 if decided else self._drawn(key, list(range(self.seats)))
        self._next(first - 1)

    def _drawn(self, key: bytes, outcomes: list[int]) -> int:
        if self.backwards:
            outcomes.reverse()
        at = Stream(tag("pick") + key + u64(self.drawn)).below(len(outcomes))
        self.drawn += 1
        return outcomes[at]

    # Moves.

    def flips(self, seat: int, square: int) -> list[int]:
        """Return the squares that a tile there would take, empty if it may not lie."""
        found: list[int] = []
        if square in self.owner:
            return found
        for ray in self._rays(square):
            run: list[int] = []
            for at in ray:
                holder = self.owner.get(at)
                if holder == seat:
                    found += run
                    break
                if holder is None or (run and holder != self.owner[run[0]]):
                    break
                run.append(at)
        return found

    def _rays(self, square: int) -> list[list[int]]:
        rays = []
        for down, right in AROUND:
            row, column = divmod(square, self.size)
            ray = []
            while True:
                row, column = row + down, column + right
                if not (0 <= row < self.size and 0 <= column < self.size):
                    break
                ray.append(row * self.size + column)
            rays.append(ray)
        return rays

    def legal(self, seat: int) -> list[int]:
        """Return where a seat may lay."""
        return [s for s in range(self.size**2) if self.flips(seat, s)]

    def play(self, seat: int, move: list[Any]) -> None:
        """Lay a tile, or take a seat out."""
        if move[0] == "resign":
            self.gone.append(seat)
            if len(self.gone) == self.seats - 1:
                self.turn = OVER
            elif self.turn == seat:
                self._next(seat)
            return
        for at in self.flips(seat, move[1]):
            self.owner[at] = seat
        self.owner[move[1]] = seat
        self._next(seat)

    def _next(self, after: int) -> None:
        for n in range(1, self.seats + 1):
            seat = (after + n) % self.seats
            if seat not in self.gone and self.legal(seat):
                self.turn = seat
                return
        self.turn = OVER

    def scores(self) -> list[int]:
        """Return each seat's points."""
        return [
            sum(1 + self.values[at] for at, one in self.owner.items() if one == seat)
            for seat in range(self.seats)
        ]

    # What others compare.

    def public(self) -> list[Any]:
        """Return the public position (appendix A)."""
        width = (self.size**2 + 7) // 8
        tiles = []
        for seat in range(self.seats):
            bits = sum(1 << at for at, one in self.owner.items() if one == seat)
            tiles.append(bits.to_bytes(width, "little"))
        return [self.turn, tiles, bytes(self.values), self.gone]

    def digest(self) -> bytes:
        """Return its digest (section 12)."""
        return sha(tag("state"), self.match, pack(self.public()))
