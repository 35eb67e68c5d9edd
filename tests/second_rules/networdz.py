"""Networdz, by appendix C of protocol.md."""

from typing import Any

from tests.second_rules.game import CHANCE, CLOCK, Game, Tiles, Words


class Networdz(Game):
    """Words on a board of squares."""

    def __init__(
        self, seats: int, options: list[Any], edition: Any, words: Words
    ) -> None:
        super().__init__(seats)
        names = ("hints", "show_racks", "trade", "four", "timed", "tournament")
        more = ("american", "unseen", "challenge")
        self.options = dict(zip((*names, *more), options[2:], strict=True))
        self.waiting: tuple[int, list[Any], list[Any], int] | None = None
        self.kinds_counts = [kind[1] for kind in edition.kinds]
        self.points = [kind[2] for kind in edition.kinds]
        self.blank = len(edition.kinds) - 1
        self.edition, self.words = edition, words
        self.width = len(edition.board[0])
        self.squares = [square for row in edition.board for square in row]
        self.letters, self.kinds = (
            bytearray(len(self.squares)),
            bytearray(len(self.squares)),
        )
        self.blanks: dict[int, int] = {}
        self.tiles = Tiles(sum(self.kinds_counts), seats)
        self.rivals, self.round = list(range(seats)), list[int]()
        self.passes = self.zeros = 0
        self.out, self.tally = -1, list[int]()
        self.phase = "draw"
        if seats == 1:
            self.begin(0)

    def outcomes(self) -> list[list[Any]]:
        seat = self.rivals[len(self.round)]
        left = list(self.kinds_counts)
        for kind in self.round:
            left[kind] -= 1
        return [["draw", seat, k] for k, count in enumerate(left) for _ in range(count)]

    def begin(self, seat: int) -> None:
        self.turn = seat if seat in self.present else self.following(seat)
        order = sorted(self.present, key=lambda each: (each < self.turn, each))
        for each in order:
            self.tiles.draw(each, self.edition.rack)
        self.phase = "play"

    def next_reveal(self) -> bool:
        return bool(self.tiles.unrevealed)

    def next_show(self) -> int | None:
        whose = self.present if self.phase == "tally" else [self.turn]
        if self.phase == "draw" or (
            self.phase == "play" and not self.options["show_racks"]
        ):
            return None
        racks = [tile for seat in whose for tile in self.tiles.racks[seat]]
        return min((t for t in racks if t not in self.tiles.public), default=None)

    def waits_for(self) -> set[int]:
        if self.phase == "over":
            return set()
        if self.phase != "play" or self.next_reveal() or self.next_show() is not None:
            return {CHANCE}
        clock = self.options["timed"] or self.options["tournament"]
        return {self.turn, CLOCK} if clock else {self.turn}

    def play(self, actor: int, move: list[Any]) -> None:
        tag, rest = move[0], move[1:]
        takes = actor >= 0 or tag == "expire"
        if self.waiting and takes and tag not in ("challenge", "resign"):
            self.stand()
        if self.phase == "play" or tag not in ("accept", "expire"):
            getattr(self, f"on_{tag}")(actor, *rest)
        if self.phase == "tally" and not self.tiles.unrevealed:
            self.count()

    def on_draw(self, _actor: int, _seat: int, kind: int) -> None:
        self.round.append(kind)
        if len(self.round) == len(self.rivals):
            ranks = [-1 if kind == self.blank else kind for kind in self.round]
            lowest = min(ranks)
            self.rivals = [
                seat
                for seat, rank in zip(self.rivals, ranks, strict=True)
                if rank == lowest
            ]
            self.round = []
            if len(self.rivals) == 1:
                self.begin(self.rivals[0])

    def on_reveal(self, *_: Any) -> None:
        self.tiles.reveal()

    def on_show(self, _actor: int, tile: int, kind: int) -> None:
        self.tiles.public[tile] = kind

    def on_lay(self, seat: int, laid: list[Any], shown: list[Any]) -> None:
        for (cell, tile, letter), (_, kind) in zip(laid, shown, strict=True):
            self.letters[cell], self.kinds[cell] = letter + 1, kind + 1
            if kind == self.blank:
                self.blanks[cell] = tile
        free = self.options["challenge"] != "none" and len(self.present) > 1
        points = self.worth([cell for cell, _, _ in laid], any_word=free)
        if points is None:  # only legal as a lost turn of a tournament
            self.lift(laid, shown)
            self.passes, self.zeros = 0, self.zeros + 1
        elif free:
            self.tiles.lay(seat, [tile for _, tile, _ in laid])
            self.scores[seat] += points
            self.passes, self.waiting = 0, (seat, laid, shown, points)
            self.turn = self.following(seat)
            return
        else:
            self.tiles.lay(seat, [tile for _, tile, _ in laid])
            self.tiles.draw(seat, self.edition.rack)
            self.scores[seat] += points
            self.passes, self.zeros = 0, 0 if points else self.zeros + 1
        self.end_turn(seat)

    def lift(self, laid: list[Any], shown: list[Any]) -> None:
        """Take tiles off the board; everybody has seen them."""
        for (cell, tile, _), (_, kind) in zip(laid, shown, strict=True):
            self.letters[cell] = self.kinds[cell] = 0
            self.blanks.pop(cell, None)
            self.tiles.public[tile] = kind

    def stand(self) -> None:
        """Let the play that waits stand: its seat draws, and its turn ends."""
        assert self.waiting is not None
        (seat, _, _, points), self.waiting = self.waiting, None
        if seat in self.present:
            self.tiles.draw(seat, self.edition.rack)
        self.zeros = 0 if points else self.zeros + 1
        self.end_turn(seat)

    def on_accept(self, _seat: int) -> None:
        pass  # the play stands already

    def on_challenge(self, challenger: int) -> None:
        assert self.waiting is not None
        seat, laid, shown, points = self.waiting
        if self.worth([cell for cell, _, _ in laid]) is None:
            self.waiting = None
            self.lift(laid, shown)
            self.tiles.take(seat, [(tile, kind) for tile, kind in shown])
            self.scores[seat] -= points
            self.passes, self.zeros = 0, self.zeros + 1
            self.end_turn(seat)
            return
        if self.options["challenge"] == "five":
            self.scores[seat] += 5
        self.stand()
        if self.options["challenge"] == "double" and self.phase == "play":
            self.passes, self.zeros = 0, self.zeros + 1
            self.end_turn(challenger)

    def run(self, cell: int, step: int) -> list[int]:
        """Return the cells with tiles around one, in a row (1) or a column."""
        found = [cell]
        for way in (-step, step):
            at = cell + way
            while 0 <= at < len(self.letters) and self.letters[at]:
                if step == 1 and at // self.width != cell // self.width:
                    break
                found.append(at)
                at += way
        return sorted(found)

    def worth(self, cells: list[int], *, any_word: bool = False) -> int | None:
        """Return the points of tiles that lie already; None if they are no play."""
        row = len({cell // self.width for cell in cells}) == 1
        if not row and len({cell % self.width for cell in cells}) != 1:
            return None
        step = 1 if row else self.width
        main = self.run(cells[0], step)
        across = [self.run(cell, self.width if row else 1) for cell in cells]
        across = [run for run in across if len(run) > 1]
        if main[-1] < cells[-1]:
            return None
        if sum(map(bool, self.letters)) == len(cells):
            start = self.edition.start[0] * self.width + self.edition.start[1]
            if start not in cells:
                return None
        elif len(main) == len(cells) and not across:
            return None
        if len(main) == 1 and across:
            main, across = across[0], []
        total = self.edition.bingo if len(cells) == self.edition.rack else 0
        for run in (main, *across):
            word = [self.letters[cell] - 1 for cell in run]
            good = len(word) <= self.edition.longest and self.words(word)
            if len(word) < 2 or not (good or any_word):
                return None
            points, times = 0, 1
            for cell in run:
                square, worth = self.squares[cell], self.points[self.kinds[cell] - 1]
                if cell in cells and square[0] == "L":
                    worth *= int(square[1])
                if cell in cells and square[0] == "W":
                    times *= int(square[1])
                points += worth
            total += points * times
        return total

    def on_pass(self, seat: int, discards: list[int]) -> None:
        if discards:
            self.tiles.exchange(seat, discards)
        self.passes, self.zeros = self.passes + 1, self.zeros + 1
        self.end_turn(seat)

    def on_renew(self, seat: int, _shown: list[Any]) -> None:
        self.tiles.exchange(seat, list(self.tiles.racks[seat]))

    def on_trade(self, seat: int, cell: int, shown: list[Any]) -> None:
        [(tile, kind)] = shown
        self.tiles.lay(seat, [tile])
        self.letters[cell] = self.kinds[cell] = kind + 1
        self.tiles.take(seat, [(self.blanks.pop(cell), self.blank)])

    def on_expire(self, _actor: int) -> None:
        self.passes, self.zeros = self.passes + 1, self.zeros + 1
        self.end_turn(self.turn)

    def on_overtime(self, _actor: int, seat: int) -> None:
        self.scores[seat] -= 10

    def on_resign(self, seat: int) -> None:
        self.gone.append(seat)
        self.passes = self.zeros = 0
        if len(self.present) <= 1:
            self.phase, self.waiting = "over", None
        elif self.phase == "play" and self.turn == seat:
            self.turn = self.following(seat)

    def end_turn(self, seat: int) -> None:
        rounds = 3 if self.options["tournament"] else 6
        players = len(self.present)
        if not self.tiles.bag and not self.tiles.racks[seat]:
            self.out, self.phase = seat, "tally"
        elif (not self.tiles.bag and self.passes >= players) or (
            self.zeros >= rounds * players
        ):
            self.phase = "tally"
        else:
            self.turn = self.following(seat)

    def count(self) -> None:
        if self.next_show() is not None:
            return
        left = [
            sum(self.points[self.tiles.public[tile]] for tile in rack)
            if seat in self.present
            else 0
            for seat, rack in enumerate(self.tiles.racks)
        ]
        self.tally = [-points for points in left]
        if self.out >= 0:
            if self.options["american"]:
                self.tally = [0] * self.seats
            self.tally[self.out] = sum(left) * (2 if self.options["american"] else 1)
        self.scores = [a + b for a, b in zip(self.scores, self.tally, strict=True)]
        self.phase = "over"

    def better(self) -> list[Any]:
        tally = self.tally or [0] * self.seats
        return [
            (0, 0, 0)
            if seat in self.gone
            else (1, self.scores[seat], self.scores[seat] - tally[seat])
            for seat in range(self.seats)
        ]

    def position(self) -> list[Any]:
        return [
            ("draw", "play", "tally", "over").index(self.phase),
            -1 if self.phase == "draw" else self.turn,
            self.tiles.position(),
            bytes(self.letters),
            bytes(self.kinds),
            self.scores,
            sorted(map(list, self.blanks.items())),
            self.gone,
            self.passes,
            self.zeros,
            self.out,
            self.waiting
            and [
                self.waiting[0],
                [cell for cell, _, _ in self.waiting[1]],
                self.waiting[3],
            ],
        ]

    def end(self) -> dict[str, Any]:
        return {
            "letters": self.letters.hex(),
            "kinds": self.kinds.hex(),
            "passes": self.passes,
            "zeros": self.zeros,
            "out": self.out,
            "tally": self.tally,
            "racks": self.tiles.racks,
        }
