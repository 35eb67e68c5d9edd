"""Numlo, by appendix C of protocol.md."""

from typing import Any

from tests.second_rules.game import CHANCE, OVER, Game


class Numlo(Game):
    """Othello for three, on squares of different worth."""

    def __init__(
        self, seats: int, options: list[Any], _edition: Any, _words: Any
    ) -> None:
        super().__init__(seats)
        self.size, self.first, self.with_values = options
        self.owner: list[int] = [-1] * self.size**2
        self.values = [0] * self.size**2
        middle, size = self.size // 2, self.size
        if self.first == "latin":
            for row in range(middle - 3, middle + 3):
                for column in range(middle - 3, middle + 3):
                    self.owner[row * size + column] = (row + column) % seats
        elif self.first == "othello":
            for row in (middle - 1, middle):
                for column in (middle - 1, middle):
                    self.owner[row * size + column] = 0 if row != column else 1
        self.turn = CHANCE
        if self.first == "othello" and self.outcomes()[0][0] == "first":
            self.begin(0)
        self.count()

    def outcomes(self) -> list[list[Any]]:
        empty = [at for at, owner in enumerate(self.owner) if owner < 0]
        taken, valued = len(self.owner) - len(empty), sum(map(bool, self.values))
        if self.first == "scatter" and taken < 12 * self.seats:
            return [["disc", at, taken % self.seats] for at in empty]
        alike = min(6, len(empty) // 6) if self.with_values else 0
        if valued < 6 * alike:
            points = valued // alike + 1
            return [["value", at, points] for at in empty if not self.values[at]]
        return [["first", seat] for seat in self.present]

    def play(self, actor: int, move: list[Any]) -> None:
        getattr(self, f"on_{move[0]}")(actor, *move[1:])
        self.count()

    def count(self) -> None:
        self.scores = [
            sum(
                1 + self.values[at] for at, owner in enumerate(self.owner) if owner == s
            )
            for s in range(self.seats)
        ]

    def on_disc(self, _actor: int, square: int, seat: int) -> None:
        self.owner[square] = seat
        if sum(owner >= 0 for owner in self.owner) == 12 * self.seats and not all(
            any(map(self.flips, [s] * len(self.owner), range(len(self.owner))))
            for s in range(self.seats)
        ):
            self.owner = [-1] * len(self.owner)

    def on_value(self, _actor: int, square: int, points: int) -> None:
        self.values[square] = points
        if self.first == "othello" and self.outcomes()[0][0] == "first":
            self.begin(0)

    def on_first(self, _actor: int, seat: int) -> None:
        self.begin(seat)

    def begin(self, seat: int) -> None:
        self.hand_on((seat - 1) % self.seats)

    def flips(self, seat: int, square: int) -> list[int]:
        if self.owner[square] >= 0:
            return []
        found: list[int] = []
        row, column = divmod(square, self.size)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                found += self.ray(seat, row, column, (down, right))
        return found

    def ray(self, seat: int, row: int, column: int, way: tuple[int, int]) -> list[int]:
        passed: list[int] = []
        while way != (0, 0):
            row, column = row + way[0], column + way[1]
            if not (0 <= row < self.size and 0 <= column < self.size):
                return []
            at = row * self.size + column
            if self.owner[at] == seat:
                return passed
            if self.owner[at] < 0 or (
                passed and self.owner[at] != self.owner[passed[0]]
            ):
                return []
            passed.append(at)
        return []

    def on_place(self, seat: int, square: int) -> None:
        taken = self.flips(seat, square)
        assert taken
        for at in (*taken, square):
            self.owner[at] = seat
        self.hand_on(seat)

    def hand_on(self, seat: int) -> None:
        for step in range(1, self.seats + 1):
            after = (seat + step) % self.seats
            if after not in self.gone and any(
                self.flips(after, at) for at in range(len(self.owner))
            ):
                self.turn = after
                return
        self.turn = OVER

    def on_resign(self, seat: int) -> None:
        self.gone.append(seat)
        if len(self.present) == 1:
            self.turn = OVER
        elif self.turn == seat:
            self.hand_on(seat)

    def better(self) -> list[Any]:
        return [
            (0, self.gone.index(seat)) if seat in self.gone else (1, self.scores[seat])
            for seat in range(self.seats)
        ]

    def squares(self) -> list[bytes]:
        """Return the squares of each seat, a bit a square."""
        return [
            sum(
                1 << at for at, owner in enumerate(self.owner) if owner == seat
            ).to_bytes((len(self.owner) + 7) // 8, "little")
            for seat in range(self.seats)
        ]

    def position(self) -> list[Any]:
        return [self.turn, self.squares(), bytes(self.values), self.gone]

    def end(self) -> dict[str, Any]:
        held = [tiles.hex() for tiles in self.squares()]
        return {"tiles": held, "values": bytes(self.values).hex()}
