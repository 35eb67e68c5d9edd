"""What all games of the second rules have: tiles, seats, who is waited for."""

from collections.abc import Callable, Sequence
from typing import Any

CHANCE, CLOCK, OVER = -1, -2, -3

Words = Callable[[Sequence[int]], bool]
"""Tells whether letters are a word."""


class Tiles:
    """Numbered tiles as a bystander knows them."""

    def __init__(self, count: int, seats: int) -> None:
        self.first, self.end, self.deal = 0, count, 0
        self.racks: list[list[int]] = [[] for _ in range(seats)]
        self.unrevealed: set[int] = set()
        self.public: dict[int, int] = {}
        self.back: list[int] = []

    @property
    def bag(self) -> int:
        return self.end - self.first

    def draw(self, seat: int, size: int) -> None:
        while len(self.racks[seat]) < size and self.first < self.end:
            self.racks[seat].append(self.first)
            self.unrevealed.add(self.first)
            self.first += 1

    def exchange(self, seat: int, tiles: Sequence[int]) -> None:
        size = len(self.racks[seat])
        self.racks[seat] = [t for t in self.racks[seat] if t not in tiles]
        self.back = list(tiles)
        self.draw(seat, size)

    def reveal(self) -> None:
        self.unrevealed.remove(min(self.unrevealed))
        if self.back and not self.unrevealed:
            left = self.bag + len(self.back)
            self.first, self.end = self.end, self.end + left
            self.deal += 1
            for tile in self.back:
                self.public.pop(tile, None)
            self.back = []

    def lay(self, seat: int, tiles: Sequence[int]) -> None:
        self.racks[seat] = [t for t in self.racks[seat] if t not in tiles]

    def position(self) -> list[Any]:
        kinds = [
            [-2 if t in self.unrevealed else self.public.get(t, -1) for t in rack]
            for rack in self.racks
        ]
        return [self.deal, self.first, self.end, self.racks, kinds]

    def take(self, seat: int, shown: Sequence[Sequence[int]]) -> None:
        self.racks[seat] = sorted([*self.racks[seat], *(tile for tile, _ in shown)])
        self.public.update((tile, kind) for tile, kind in shown)


class Game:
    """What all five have."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.scores = [0] * seats
        self.gone: list[int] = []
        self.turn = 0

    @property
    def present(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.gone]

    def following(self, seat: int) -> int:
        after = [each for each in self.present if each > seat]
        return after[0] if after else self.present[0]

    def waits_for(self) -> set[int]:
        return set() if self.turn == OVER else {self.turn}

    def next_reveal(self) -> bool:
        """Tell whether the next move of CHANCE is a Reveal."""
        return False

    def next_show(self) -> int | None:
        """Return the tile that the next move of CHANCE turns up, if that is a Show."""
        return None

    def outcomes(self) -> list[list[Any]]:
        """Return the outcomes of public chance."""
        return []

    def better(self) -> list[Any]:
        """Return a key for each seat, the best the highest."""
        return [
            (seat not in self.gone, self.scores[seat]) for seat in range(self.seats)
        ]

    def places(self) -> list[int]:
        keys = self.better()
        return [1 + sum(other > key for other in keys) for key in keys]
