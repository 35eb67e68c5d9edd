"""Lhexicon, by appendix C of protocol.md."""

from itertools import pairwise
from typing import Any

from tests.second_rules.game import CHANCE, CLOCK, Game, Tiles, Words


class Lhexicon(Game):
    """Words along paths of hexes."""

    COUNTS = (
        8,
        2,
        2,
        5,
        12,
        2,
        3,
        3,
        8,
        1,
        1,
        5,
        3,
        6,
        7,
        2,
        1,
        6,
        4,
        6,
        3,
        2,
        2,
        1,
        2,
        1,
        2,
    )
    POINTS = (
        1,
        3,
        4,
        1,
        1,
        3,
        2,
        2,
        1,
        5,
        4,
        1,
        2,
        1,
        1,
        4,
        8,
        1,
        1,
        1,
        2,
        3,
        3,
        5,
        3,
        8,
        0,
    )
    BLANK, QU = 26, 27

    def __init__(
        self, seats: int, options: list[Any], _edition: Any, words: Words
    ) -> None:
        super().__init__(seats)
        side, _, self.challenge, self.timed, _ = options
        reach = range(1 - side, side)
        hexes = [(q, r) for r in reach for q in reach if abs(q + r) < side]
        number = {cell: n for n, cell in enumerate(hexes)}
        steps = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
        self.near = [
            [number[c] for dq, dr in steps if (c := (q + dq, r + dr)) in number]
            for q, r in hexes
        ]
        self.words = words
        self.letters, self.numbers = [-1] * len(hexes), [-1] * len(hexes)
        self.blanks: set[int] = set()
        self.tiles = Tiles(sum(self.COUNTS), seats)
        for seat in range(seats):
            self.tiles.draw(seat, 7)
        self.passes, self.debts, self.barren = [0] * seats, [0] * seats, 0
        self.word: Any = None

    def next_reveal(self) -> bool:
        return bool(self.tiles.unrevealed)

    def over(self) -> bool:
        there = self.present
        if len(there) < min(2, self.seats):
            return True
        if self.word:
            return False
        if self.barren >= 10 * len(there) or all(self.passes[s] >= 2 for s in there):
            return True
        if self.tiles.bag or self.tiles.back:
            return False
        return self.seats == 1 or any(not self.tiles.racks[seat] for seat in there)

    def waits_for(self) -> set[int]:
        if self.over():
            return set()
        if self.tiles.unrevealed:
            return {CHANCE}
        open_ = self.word and self.word["challenger"] is None
        seats = set(self.word["answers"]) if open_ else {self.turn}
        return seats | {CLOCK} if self.timed else seats

    def play(self, actor: int, move: list[Any]) -> None:
        getattr(self, f"on_{move[0]}")(actor, *move[1:])

    def on_reveal(self, *_: Any) -> None:
        self.tiles.reveal()

    def traps(self) -> list[set[int]]:
        left = {cell for cell, letter in enumerate(self.letters) if letter == -1}
        found = []
        while left:
            group, grown = set[int](), {min(left)}
            while grown:
                group |= grown
                grown = {n for cell in grown for n in self.near[cell]} & left - group
            left -= group
            if all(len(self.near[cell]) == 6 for cell in group):
                found.append(group)
        return found

    def bonus(self, before: list[set[int]]) -> int:
        after = self.traps()
        closed = [trap for trap in after if not any(trap & old for old in before)]
        for old in before:
            parts = [trap for trap in after if trap & old]
            closed += parts if len(parts) > 1 else []
        return 3 * sum(map(len, closed))

    def on_lay(
        self, seat: int, laid: list[Any], path: list[int], shown: list[Any]
    ) -> None:
        before = self.traps()
        for (tile, cell, letter), (_, kind) in zip(laid, shown, strict=True):
            self.letters[cell], self.numbers[cell] = letter, tile
            if kind == self.BLANK:
                self.blanks.add(cell)
        self.tiles.lay(seat, [tile for tile, _, _ in laid])
        spelled: list[int] = []
        points = self.bonus(before)
        for cell in path:
            letter = self.letters[cell]
            spelled += [16, 20] if letter == self.QU else [letter]
            points += 0 if cell in self.blanks else self.POINTS[letter]
        for a, b in pairwise(path):
            assert b in self.near[a]
        others = [each for each in self.present if each != seat]
        unchecked = self.challenge and len(self.present) >= 2
        self.word = {
            "cells": [cell for _, cell, _ in laid],
            "shown": shown,
            "letters": spelled,
            "points": points,
            "answers": others if unchecked else [],
            "challenger": None,
        }
        assert unchecked or self.words(spelled)
        if not self.word["answers"]:
            self.stand()

    def stand(self) -> None:
        self.scores[self.turn] += self.word["points"]
        self.word = None
        self.tiles.draw(self.turn, 7)
        self.barren = -1
        self.busy()
        self.go_on()

    def busy(self) -> None:
        self.passes = [0] * self.seats

    def go_on(self) -> None:
        self.barren += 1
        while self.present:
            self.turn = (self.turn + 1) % self.seats
            if self.turn in self.gone:
                continue
            if not self.debts[self.turn]:
                return
            self.debts[self.turn] -= 1

    def take_back(self) -> None:
        for cell in self.word["cells"]:
            self.letters[cell] = self.numbers[cell] = -1
            self.blanks.discard(cell)
        self.tiles.take(self.turn, self.word["shown"])
        self.word = None

    def on_accept(self, seat: int) -> None:
        self.word["answers"].remove(seat)
        if self.word["challenger"] == seat:
            self.word["challenger"] = None
        if not self.word["answers"]:
            self.stand()

    def on_challenge(self, seat: int) -> None:
        self.word["challenger"] = seat

    def on_withdraw(self, _seat: int) -> None:
        self.take_back()
        self.busy()
        self.go_on()

    def on_insist(self, seat: int) -> None:
        if self.words(self.word["letters"]):
            self.debts[self.word["challenger"]] += 1
            self.stand()
        else:
            self.on_withdraw(seat)

    def on_discard(self, seat: int, tiles: list[int]) -> None:
        self.tiles.exchange(seat, tiles)
        self.busy()
        self.go_on()

    def on_pickup(self, seat: int, swaps: list[Any], shown: list[Any]) -> None:
        for (tile, cell), (_, kind) in zip(swaps, shown, strict=True):
            self.tiles.lay(seat, [tile])
            self.tiles.take(seat, [(self.numbers[cell], self.BLANK)])
            self.letters[cell], self.numbers[cell] = kind, tile
            self.blanks.remove(cell)
        self.busy()
        self.go_on()

    def on_pass(self, seat: int) -> None:
        self.passes[seat] += 1
        self.go_on()

    def on_expire(self, _actor: int) -> None:
        if not self.word:
            self.on_pass(self.turn)
        elif self.word["challenger"] is None:
            self.stand()
        else:
            self.on_insist(self.turn)

    def on_resign(self, seat: int) -> None:
        self.gone.append(seat)
        mine = seat == self.turn
        if self.word and mine:
            self.take_back()
        elif self.word and seat in self.word["answers"]:
            self.on_accept(seat)
        if mine:
            self.go_on()

    def position(self) -> list[Any]:
        word = self.word
        return [
            self.turn,
            self.tiles.position(),
            self.letters,
            self.numbers,
            sorted(self.blanks),
            self.scores,
            self.passes,
            self.barren,
            self.debts,
            [seat in self.gone for seat in range(self.seats)],
            word
            and [word["letters"], word["points"], word["answers"], word["challenger"]],
        ]

    def end(self) -> dict[str, Any]:
        return {
            "letters": self.letters,
            "numbers": self.numbers,
            "blanks": sorted(self.blanks),
            "passes": self.passes,
            "barren": self.barren,
            "debts": self.debts,
            "racks": self.tiles.racks,
        }
