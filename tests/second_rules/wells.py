"""A well of Hexcolumns, by appendix C of protocol.md."""

from collections.abc import Iterator
from typing import Any

PLAIN, SQUARE, PLUS, MINUS, STAR, BOMB = range(6)


class Well:
    """A well of Hexcolumns."""

    def __init__(self, size: int, level: int, *, attacks: bool) -> None:
        self.n, self.attacks = size, attacks
        self.cells = bytearray(2 * size * (2 * size - 1))
        self.columns = [
            range(start, start + 2 * size - 1 - abs(c))
            for c in range(1 - size, size)
            for start in [(c + size - 1) * 2 * size + max(0, -c)]
        ]
        self.inside = {at for column in self.columns for at in column}
        self.level, self.clock = level, 1800 * (level + 1)
        self.piece = b""
        self.column = self.height = self.fall = self.ticks = self.score = 0
        self.pieces = self.multiples = self.sent = self.taken = self.rounds = 0
        self.radar = self.paused = self.over = self.resigned = False

    @property
    def limit(self) -> int:
        whole = 100**self.level
        return int(30 * ((2 * 1000 * 88**self.level + whole) // (2 * whole)))

    def fits(self, column: int, height: int) -> bool:
        if abs(column) >= self.n or height < 0:
            return False
        cells = self.columns[column + self.n - 1]
        place = cells[height : height + 3]
        return len(place) == 3 and not any(self.cells[at] for at in place)

    def appear(self, piece: bytes) -> None:
        self.piece, self.column, self.height = piece, 0, 2 * self.n - 4
        self.fall, self.pieces = 0, self.pieces + 1
        if self.clock == 0 and self.level < 25:
            self.level, self.clock = self.level + 1, 1800

    def tick(self) -> None:
        self.ticks, self.clock = self.ticks + 1, max(0, self.clock - 1)
        if self.paused:
            return
        self.fall += 1000
        if self.fall >= self.limit:
            self.fall -= self.limit
            self.down()

    def rise(self, rows: int) -> None:
        gone = False
        for row in range(self.taken, self.taken + rows):
            for c, column in enumerate(self.columns, 1 - self.n):
                if c == 7 * row % (2 * self.n - 1) - (self.n - 1):
                    continue
                pile = [self.cells[at] for at in column]
                gone |= pile.pop() != 0
                pile.insert(0, 1 + (2 * c - row) % 6)
                self.cells[column.start : column.stop] = bytes(pile)
        self.taken += rows
        free = [h for h in range(self.height, 2 * self.n) if self.fits(self.column, h)]
        if gone or not free:
            self.piece, self.paused, self.over = b"", False, True
        else:
            self.height = free[0]

    def input(self, tag: str, *rest: Any) -> None:
        assert tag == "resume" or not self.paused
        if tag in {"shift", "slant"}:
            column = self.column + rest[0]
            lower = tag == "slant" and abs(column) > abs(self.column)
            assert self.fits(column, self.height - lower)
            self.column, self.height = column, self.height - lower
        elif tag == "rotate":
            self.piece = self.piece[1:] + self.piece[:1]
        elif tag == "lower":
            self.fall -= self.limit
            self.down()
        elif tag == "drop":
            while self.fits(self.column, self.height - 1):
                self.height -= 1
            self.land()
        elif tag == "radar":
            self.radar = rest[0]
            self.score -= min(200, self.score) if self.radar else 0
        elif tag == "faster":
            self.level, self.clock = self.level + 1, self.clock + 1800
            self.fall = min(self.fall, self.limit - 1)
        else:
            self.paused = tag == "pause"

    def down(self) -> None:
        cells = self.columns[self.column + self.n - 1]
        if self.height and not self.cells[cells[self.height - 1]]:
            self.height -= 1
        else:
            self.land()

    def land(self) -> None:
        cells = self.columns[self.column + self.n - 1]
        for at, one in zip(cells[self.height :], self.piece, strict=False):
            self.cells[at] = one
        reached = self.score // (2500 * self.n - 12500)
        worth = self.settle(purge=reached > self.multiples)
        self.score += 5 + worth * ((7 if self.radar else 10) + self.level)
        self.multiples = max(self.multiples, reached)
        self.piece = b""
        self.sent += max(0, self.rounds - 1) if self.attacks else 0
        self.over = not self.fits(0, 2 * self.n - 4)

    def times(self) -> list[int]:
        return [self.level, self.clock, self.ticks]

    def position(self) -> list[Any]:
        return [
            bytes(self.cells),
            self.level,
            self.clock,
            self.piece,
            self.column,
            self.height,
            self.fall,
            self.ticks,
            self.score,
            self.pieces,
            self.multiples,
            self.sent,
            self.taken,
            self.radar,
            self.paused,
            self.over,
            self.resigned,
        ]

    def hexes(self) -> Iterator[tuple[int, int, int]]:
        """Yield byte, colour and motif of every hex."""
        for at in sorted(self.inside):
            if self.cells[at]:
                yield at, (self.cells[at] - 1) % 6, (self.cells[at] - 1) // 6

    def beside(self, at: int) -> set[int]:
        steps = (1, 2 * self.n, 2 * self.n - 1)
        near = {at + way * step for step in steps for way in (-1, 1)} & self.inside
        return {each for each in near if self.cells[each]}

    def settle(self, *, purge: bool) -> int:
        worth = stage = 0
        found = True
        while found:
            found, stage = False, stage + 1
            for look in (self.stars, self.bombs, self.squares, self.pluses, self.runs):
                if look == self.pluses and not (purge and stage == 1):
                    continue
                gone, points = look()
                worth += stage * points
                found = found or bool(gone)
                self.remove(gone)
        self.rounds = stage - 1
        return worth

    def remove(self, gone: set[int]) -> None:
        for at in gone:
            self.cells[at] = 0
        for column in self.columns:
            left = bytes(self.cells[at] for at in column if self.cells[at])
            self.cells[column.start : column.stop] = left.ljust(len(column), b"\0")

    def stars(self) -> tuple[set[int], int]:
        gone = set[int]()
        for at, _, motif in self.hexes():
            if motif == STAR:
                gone |= {at} | self.beside(at)
        return gone, len(gone)

    def bombs(self) -> tuple[set[int], int]:
        colours = {at: colour for at, colour, _ in self.hexes()}
        gone = set[int]()
        for at, colour, motif in self.hexes():
            if motif == BOMB:
                group, grown = set[int](), {at}
                while grown:
                    group |= grown
                    near = {n for each in grown for n in self.beside(each)}
                    grown = {n for n in near if colours[n] == colour} - group
                gone |= group if len(group) >= 3 else set()
        return gone, len(gone)

    def squares(self) -> tuple[set[int], int]:
        squares = {at for at, _, motif in self.hexes() if motif == SQUARE}
        gone = {at for at in squares if self.beside(at) & squares}
        return gone, len(gone)

    def pluses(self) -> tuple[set[int], int]:
        gone = {at for at, _, motif in self.hexes() if motif == PLUS}
        return gone, len(gone)

    def runs(self) -> tuple[set[int], int]:
        hexes = {at: (colour, motif) for at, colour, motif in self.hexes()}
        gone, worth = set[int](), 0
        for step in (1, 2 * self.n, 2 * self.n - 1):
            found = set[tuple[int, ...]]()
            for colour in range(6):
                alike = {
                    at
                    for at, (own, motif) in hexes.items()
                    if (own == colour) != (motif == MINUS)
                }
                for run in self.longest(alike, step):
                    if sum(hexes[at][1] != PLUS for at in run) >= 3:
                        found.add(run)
            plus = {at for at, (_, motif) in hexes.items() if motif == PLUS}
            found |= {run for run in self.longest(plus, step) if len(run) >= 4}
            for run in found:
                if not any(set(run) < set(other) for other in found):
                    gone |= set(run)
                    worth += len(run) * (len(run) - 2)
        return gone, worth

    def longest(self, cells: set[int], step: int) -> Iterator[tuple[int, ...]]:
        for at in sorted(cells):
            if at - step not in cells:
                run = [at]
                while run[-1] + step in cells:
                    run.append(run[-1] + step)
                yield tuple(run)
