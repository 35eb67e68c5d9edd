"""Hexagrams, by appendix C of protocol.md."""

from typing import Any, ClassVar

from tests.second_rules.game import OVER, Game


class Hexagrams(Game):
    """Triads on triangles, hexads on hexagons."""

    ROWS = ((1, 3, 5), (0, 2, 4, 6), (0, 2, 4, 6), (-1, 1, 3, 5, 7))
    HEXAGONS: ClassVar = [
        (r, x)
        for r, row in enumerate(((1, 3, 5), (0, 2, 4, 6), (1, 3, 5)))
        for x in row
    ]

    def __init__(
        self, seats: int, options: list[Any], _edition: Any, _words: Any
    ) -> None:
        super().__init__(seats)
        self.turn = 0 if options[0] == "white" else 1
        rows = (*self.ROWS, *reversed(self.ROWS))
        places = [(t, x) for t, row in enumerate(rows, 1) for x in row]
        self.number = {(t, x): 5 * (t - 1) + (x + 1) // 2 for t, x in places}
        self.triads = [
            {n for (t, _), n in self.number.items() if t <= 4},
            {n for (t, _), n in self.number.items() if t > 4},
        ]
        self.hexads = [set(range(5)), set(range(5, 10))]
        self.steps: list[dict[int, set[int]]] = [{}, {}]
        for (t, x), n in self.number.items():
            for dx in (-1, 1) if t % 2 else (0,):
                to = self.number.get((t + 1, x + dx))
                if to is not None:
                    self.steps[0].setdefault(n, set()).add(to)
                    self.steps[1].setdefault(to, set()).add(n)
        self.quiet, self.winner, self.ending = 0, -1, ""
        self.count()

    def between(self, a: int, b: int) -> set[int] | None:
        (r, x), (s, y) = sorted((self.HEXAGONS[a], self.HEXAGONS[b]))
        if (r, x + 2) == (s, y):
            cells = (2 * r + 2, x + 1), (2 * r + 3, x + 1)
        elif s == r + 1 and abs(x - y) == 1:
            cells = (2 * r + 3, y), (2 * r + 4, x)
        else:
            return None
        return {self.number[cell] for cell in cells}

    def free(self, seat: int) -> bool:
        """Tell whether a hexad of a seat could go anywhere."""
        standing = self.triads[0] | self.triads[1]
        return any(
            not between & standing
            for origin in self.hexads[seat]
            for target in set(range(10)) - self.hexads[seat]
            if (between := self.between(origin, target)) is not None
        )

    def play(self, actor: int, move: list[Any]) -> None:
        if move[0] == "resign":
            self.finish(1 - actor, "resigned")
        else:
            self.move(actor, *move)
        self.count()

    def move(self, seat: int, tag: str, origin: int, target: int) -> None:
        other = 1 - seat
        could = self.free(other)
        cells = self.triads if tag == "triad" else self.hexads
        if tag == "triad":
            assert target in self.steps[seat][origin]
        else:
            between = self.between(origin, target)
            assert between is not None
            assert not between & (self.triads[0] | self.triads[1])
        cells[seat].remove(origin)
        cells[seat].add(target)
        taken = target in cells[other]
        cells[other].discard(target)
        self.quiet = 0 if taken or tag == "triad" else self.quiet + 1
        self.judge(seat, other, could=could)

    def judge(self, seat: int, other: int, *, could: bool) -> None:
        steps = any(
            self.steps[other].get(n, set()) - self.triads[other]
            for n in self.triads[other]
        )
        if not self.hexads[other]:
            self.finish(seat, "hexads")
        elif not self.free(other) and could:
            self.finish(seat, "blocked")
        elif not self.free(other) and not steps:
            self.finish(seat, "stuck")
        elif self.quiet >= 60:
            lead = len(self.triads[seat]) - len(self.triads[other])
            self.finish(-1 if not lead else seat if lead > 0 else other, "count")
        else:
            self.turn = other

    def finish(self, winner: int, ending: str) -> None:
        self.turn, self.winner, self.ending = OVER, winner, ending

    def count(self) -> None:
        self.scores = [len(cells) for cells in (*self.triads, *self.hexads)]

    def better(self) -> list[Any]:
        return [seat == self.winner for seat in range(2)]

    def position(self) -> list[Any]:
        found = self.end()
        return [
            self.turn,
            found["hexads"],
            found["triads"],
            self.quiet,
            self.winner,
            self.ending,
        ]

    def end(self) -> dict[str, Any]:
        return {
            "triads": [sum(1 << cell for cell in cells) for cells in self.triads],
            "hexads": [sum(1 << cell for cell in cells) for cells in self.hexads],
            "quiet": self.quiet,
            "winner": self.winner,
            "ending": self.ending,
        }
