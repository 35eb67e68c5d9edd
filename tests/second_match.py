"""Folding a whole log with the second reader and the second rules: no line of ours."""

from typing import Any

from tests import second_node, second_rules
from tests.second_node import (
    CLOCK,
    FACE,
    JUDGEMENT,
    LATE,
    TICKS,
    TURN,
    WISH,
    Stream,
    read,
    sha,
)


class Match(second_node.Reader):
    """A match as its log has it, chance filled in (protocol.md, section 16)."""

    def __init__(self, resources: Any) -> None:
        """Wait for the genesis.

        Args:
            resources: From the digests of edition and word list to their contents.
        """
        super().__init__()
        self.resources = resources
        self.game: Any = None
        self.public_moves = 0
        self.proved: dict[int, int] = {}
        self.ticked: list[int] = []
        self.lapses: list[int] = []
        """Turns of each seat that lapsed in a row."""
        self.happened: list[list[Any]] = []
        self.agreed = 0
        """Positions in the log that were equal to this one."""

    def begin(self, said: Any) -> None:
        super().begin(said)
        seats = self.terms[6]
        self.game = self.new_game()
        self.ticked = [0] * len(seats)
        self.owed: list[list[tuple[int, int]]] = [[] for _ in seats]
        self.lapses = [0] * len(seats)

    def new_game(self) -> Any:
        name, _, options, edition, lexicon, _, seats = self.terms[:7]
        given = self.resources(edition, lexicon)
        return second_rules.GAMES[name](len(seats), read(options), *given)

    def take(self, author: bytes, said: Any, place: tuple[int, int, bytes]) -> None:
        super().take(author, said, place)
        kind, rest = said[0], said[1:]
        if kind == TURN:
            seat, move, proofs = second_node.turn(rest)
            if move[0] != "resign":
                self.agree("state", b"", self.game.position(), rest[2])
            self.prove(proofs)
            self.play(seat, move)
            self.lapses[seat] = 0
        elif kind == LATE:
            self.agree("state", b"", self.game.position(), rest[2])
        elif kind == JUDGEMENT:
            if self.lapsing >= 0:
                self.lapse(self.lapsing)
        elif kind == WISH:
            self.agree("state", b"", self.game.position(), rest[4])
        elif kind == CLOCK:
            self.play(second_rules.CLOCK, read(rest[0]))
        elif kind == FACE:
            self.prove(rest[0])
        elif kind == TICKS:
            self.stretch(*rest[:3])
            self.owe(*rest[:2])
            if rest[3]:
                part = self.game.wells[rest[0]].position()
                self.agree("well", second_node.u64(rest[0]), part, rest[3])
        self.settle()

    def agree(self, name: str, seat: bytes, position: Any, digest: bytes) -> None:
        """Compare a position with what the log says of it (section 12)."""
        data = second_node.tag(name) + self.match + seat + second_node.pack(position)
        assert sha(data) == digest, self.number
        self.agreed += 1

    def prove(self, proofs: list[Any]) -> None:
        self.proved.update((proof[0], proof[1]) for proof in proofs)

    def play(self, actor: int, move: list[Any]) -> None:
        self.happened.append([actor, move])
        self.game.play(actor, move)

    def back(self, seat: int) -> None:
        """Play the match again up to a seat's last turn (section 17)."""
        place = max(n for n, (by, _) in enumerate(self.happened) if by == seat)
        assert all(by >= 0 for by, _ in self.happened[place:])
        del self.happened[place:]
        self.game = self.new_game()
        for actor, move in self.happened:
            self.game.play(actor, move)

    def is_over(self) -> bool:
        return super().is_over() or not self.game.waits_for()

    def lapse(self, seat: int) -> None:
        """Let a seat's turn pass, or resign it (section 17)."""
        passes = {"networdz": ["pass", []], "lhexicon": ["pass"]}
        move: Any = passes.get(self.terms[0])
        if self.terms[0] == "lhexicon" and self.game.word:
            doubted = self.game.word["challenger"] is not None
            move = ["withdraw"] if doubted else ["accept"]
        self.lapses[seat] += 1
        if move is None or self.lapses[seat] >= 3 or seat not in self.game.waits_for():
            move = ["resign"]
            self.resigned.add(seat)
        self.play(seat, move)

    def stretch(self, seat: int, until: int, inputs: list[Any]) -> None:
        for tick, move in inputs:
            self.pass_to(seat, tick)
            self.play(seat, read(move))
            self.settle()
        self.pass_to(seat, until)

    def owe(self, seat: int, until: int) -> None:
        """Hold a seat to taking what others send, and note what it sends (K33)."""
        wells = self.game.wells
        for amount, at in self.owed[seat]:
            taken = wells[seat].over or wells[seat].taken >= amount
            assert taken or until <= at + 900
        for other, noted in enumerate(self.owed):
            amount = sum(w.sent for n, w in enumerate(wells) if n != other)
            if other != seat and amount > max((sent for sent, _ in noted), default=0):
                noted.append((amount, self.ticked[other]))

    def pass_to(self, seat: int, tick: int) -> None:
        while self.ticked[seat] < tick:
            self.ticked[seat] += 1
            if not self.game.wells[seat].over:
                self.game.tick(seat)
                self.settle()

    def settle(self) -> None:
        while second_rules.CHANCE in self.game.waits_for() and not self.ended:
            move = self.chosen()
            if move is None:
                return
            self.play(second_rules.CHANCE, move)

    def chosen(self) -> list[Any] | None:
        """Return the next move of CHANCE, if the log has decided it."""
        if self.game.next_reveal():
            if self.game.tiles.deal + 1 not in self.roots:
                return None
            return ["reveal", min(self.game.tiles.unrevealed), -1]
        tile = self.game.next_show()
        if tile is not None:
            known = self.proved.get(tile)
            return None if known is None else ["show", tile, known]
        shown = self.seeds.get(0, {})
        parties = {key for number, key in self.commits if number == 0}
        if not parties or parties != shown.keys():
            return None
        joined = b"".join(shown[key] for key in sorted(shown))
        key = sha(second_node.tag("public"), self.match, joined)
        outcomes = self.game.outcomes()
        numbered = second_node.u64(self.public_moves)
        self.public_moves += 1
        stream = Stream(second_node.tag("pick") + key + numbered)
        found: list[Any] = outcomes[stream.below(len(outcomes))]
        return found
