"""Hexcolumns, by appendix C of protocol.md."""

from typing import Any

from tests.second_rules.game import CHANCE, CLOCK, Game
from tests.second_rules.wells import Well


class Hexcolumns(Game):
    """Falling columns, a well for each seat."""

    def __init__(
        self, seats: int, options: list[Any], _edition: Any, _words: Any
    ) -> None:
        super().__init__(seats)
        size, level, attacks = options
        self.wells = [
            Well(size, level, attacks=attacks and seats > 1) for _ in range(seats)
        ]
        self.gems, self.need = b"", 1

    def waits_for(self) -> set[int]:
        live = {seat for seat, well in enumerate(self.wells) if not well.over}
        if live and len(self.gems) < 3 * self.need:
            return {CHANCE}
        return live | {CLOCK} if live else live

    def outcomes(self) -> list[list[Any]]:
        found = []
        for index in range(720):
            colour, rest = divmod(index, 120)
            motif = 0 if rest < 108 else 1 if rest < 116 else rest - 114
            found.append(["gem", 1 + 6 * motif + colour])
        return found

    def play(self, actor: int, move: list[Any]) -> None:
        if move[0] == "gem":
            self.gems += bytes([move[1]])
        elif move[0] == "resign":
            well = self.wells[actor]
            well.piece, well.paused, well.over = b"", False, True
            well.resigned = True
        elif move[0] == "rise":
            assert 1 <= move[1] <= min(self.owed(actor), 4)
            self.wells[actor].rise(move[1])
        else:
            self.wells[actor].input(*move)
        self.follow(actor)

    def owed(self, seat: int) -> int:
        sent = [well.sent for n, well in enumerate(self.wells) if n != seat]
        return sum(sent) - self.wells[seat].taken

    def tick(self, seat: int) -> None:
        self.wells[seat].tick()
        self.follow(seat)

    def follow(self, seat: int) -> None:
        if seat >= 0 and not self.wells[seat].over:
            well = self.wells[seat]
            self.need = max(self.need, well.pieces + (not well.piece) + well.radar)
        for well in self.wells:
            at = 3 * well.pieces
            if not (well.over or well.piece) and len(self.gems) >= at + 3:
                well.appear(self.gems[at : at + 3])
        self.scores = [well.score for well in self.wells]

    def better(self) -> list[Any]:
        return list(self.scores)

    def position(self) -> list[Any]:
        return [self.wells[0].n, [well.position() for well in self.wells]]

    def end(self) -> dict[str, Any]:
        return {
            "wells": [
                [w.cells.hex(), *w.times(), w.pieces, w.multiples, w.taken]
                for w in self.wells
            ]
        }
