"""Several matches joined in memory: members that play, cut links, crash and come back.

No sockets, no clock: messages wait in queues until `settle` delivers them.
"""

import hashlib
from collections import deque
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from msgspec.structs import replace

from netplay.errors import LocalError
from netplay.match.match import Match
from netplay.messages.log import Ack, Have, LogMessage
from netplay.messages.table import Days, Fairness, Member, SeatTerms, Terms, fair_rules
from netplay.record.fold import Fold
from netplay.record.ledger import Ledger, make_genesis
from netplay.record.letter import unseal
from netplay.record.log import SecretKey, terms_data
from netplay.record.verify import replay
from netplay.said import Said
from netplay.wire import Frame, decode, encode, pack
from rules import GAMES
from rules.game import Resign
from tests.netplay.memory_archive import MemoryArchive


def _note(lines: list[str], said: Said) -> None:
    lines.append(str(said))


class Key(SecretKey):
    """A node's identity, from a name."""

    def __init__(self, name: str) -> None:
        self.seed = hashlib.sha256(name.encode()).digest()
        super().__init__(self.seed)

    def unseal(self, letter: bytes) -> bytes:
        return unseal(self.seed, self.key, letter)


class Dice:
    """Random bytes that can be had again."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def __call__(self, count: int) -> bytes:
        return self._random.randbytes(count)


def make_terms(game: str, keys: list[Key], options: Any, seats: int = 0) -> Terms:
    """Return terms with a seat a member, or more seats dealt round the members."""
    count = seats or len(keys)
    return Terms(
        game=game,
        rules=GAMES[game].ABOUT.version,
        options=pack(options),
        edition=bytes.fromhex(getattr(options, "edition", "")),
        lexicon=bytes.fromhex(getattr(options, "lexicon", "")),
        members=tuple(Member(key.key, f"M{n}") for n, key in enumerate(keys)),
        seats=tuple(
            SeatTerms("person", f"S{seat}", seat % len(keys), 0)
            for seat in range(count)
        ),
        nonce=bytes(32),
        days=0,
        keepers=(),
    )


class Party:
    """The members of one match."""

    def __init__(
        self,
        game: str,
        members: int,
        options: Any = None,
        seats: int = 0,
        fairness: Fairness = "committed",
        days: Days = 0,
        keepers: tuple[bytes, ...] = (),
    ) -> None:
        options = GAMES[game].ABOUT.options() if options is None else options
        self.game = GAMES[game]
        self.keys = [Key(f"member {n}") for n in range(members)]
        self.numbers = {key.key: n for n, key in enumerate(self.keys)}
        self.terms = make_terms(game, self.keys, options, seats)
        rules = fair_rules(self.terms.version, fairness)
        self.terms = replace(self.terms, rules=rules, days=days, keepers=keepers)
        self.archives = [MemoryArchive() for _ in self.keys]
        self.notices: list[list[str]] = [[] for _ in self.keys]
        self.sent: dict[tuple[int, int], list[Any]] = {}
        """(from, to) -> every message that was ever sent."""
        self.wire: deque[tuple[int, int, Any]] = deque()
        self.links: set[tuple[int, int]] = set()
        self.now = 0.0
        signatures = [key.sign(terms_data(self.terms)) for key in self.keys]
        self.genesis = make_genesis(self.keys[0], self.terms, signatures)
        self.runs = 0
        self.matches: list[Match | None] = [None] * members
        for n in range(members):
            self.start(n)

    def start(self, n: int) -> None:
        """Let a member begin or come back with what its disk has."""
        archive, name = self.archives[n], self.terms.nonce
        self.runs += 1
        ledger = Ledger(archive.open(name), (self.genesis,))
        self.matches[n] = Match(
            self.keys[n],
            ledger,
            archive.open_secrets(name),
            Dice(f"{n} {self.runs}"),
            partial(_note, self.notices[n]),
        )
        self.member(n).relaying.unseal = self.keys[n].unseal
        self.member(n).step(self.now)

    def crash(self, n: int) -> None:
        """Kill a member: what it has not synced is lost, and its links break."""
        for m in range(len(self.keys)):
            self.cut(n, m)
        self.matches[n] = None
        for disk in self.archives[n].disks.values():
            del disk.data[disk.synced :]

    def member(self, n: int) -> Match:
        match = self.matches[n]
        assert match is not None
        return match

    @property
    def running(self) -> list[Match]:
        return [match for match in self.matches if match is not None]

    def link(self, a: int, b: int) -> None:
        if a == b or (a, b) in self.links or None in (self.matches[a], self.matches[b]):
            return
        self.links |= {(a, b), (b, a)}
        self.member(a).link_up(self.keys[b].key, self.now)
        self.member(b).link_up(self.keys[a].key, self.now)

    def link_all(self) -> None:
        for a in range(len(self.keys)):
            for b in range(a):
                self.link(a, b)

    def cut(self, a: int, b: int) -> None:
        """Break a link; what is under way on it is lost."""
        if (a, b) not in self.links:
            return
        self.links -= {(a, b), (b, a)}
        self.wire = deque(m for m in self.wire if {m[0], m[1]} != {a, b})
        for here, there in ((a, b), (b, a)):
            if self.matches[here] is not None:
                self.member(here).link_down(self.keys[there].key, self.now)

    def collect(self) -> None:
        """Put what the members have to say on the wire."""
        for n in range(len(self.keys)):
            self.collect_from(n)

    def collect_from(self, n: int) -> None:
        """Put what one member has to say on the wire."""
        match = self.matches[n]
        if match is None:
            return
        self.work(match)
        for out in match.outgoing():
            if isinstance(out.message, Ack | Have):
                # What a member says it has is in its log, now and on the disk.
                said, log = out.message, match.ledger.log
                assert said.head == log.heads[said.number]
                assert not match.ledger.dirty
            for key in out.keys:
                to = self.numbers[key]
                if (n, to) in self.links:
                    self.wire.append((n, to, out.message))
                    self.sent.setdefault((n, to), []).append(out.message)

    def work(self, match: Match) -> None:
        """Do at once what a member has to do beside the loop."""
        while jobs := match.jobs():
            match.done(jobs[0].work(), self.now)

    def sync(self) -> None:
        """Let the moment pass that members wait before they sync."""
        for match in self.running:
            match.journal.ring(match.journal.due or 0.0)

    def deliver(self) -> bool:
        """Deliver one message, as bytes; return whether there was one."""
        self.collect()
        return self.pass_on() >= 0

    def pass_on(self) -> int:
        """Deliver what is first on the wire; return to whom, or -1 for nothing."""
        if not self.wire:
            self.sync()
            self.collect()
        if not self.wire:
            return -1
        a, b, message = self.wire.popleft()
        data = encode(message)
        arrived = decode(Frame(data[4], data[5:]))
        assert isinstance(arrived, LogMessage)
        assert arrived == message
        self.member(b).receive(self.keys[a].key, arrived, self.now)
        return b

    def settle(self, most: int = 100_000) -> None:
        """Deliver until nobody has anything to say.

        Whom nothing has come to has no more to say than before.
        """
        self.collect()
        for _ in range(most):
            if (came_to := self.pass_on()) < 0:
                return
            self.collect_from(came_to)
        raise AssertionError("the members never stop talking")

    def wake(self, seconds: float) -> None:
        self.now += seconds
        for match in self.running:
            match.wake(self.now)
        self.settle()

    def movers(self) -> list[tuple[int, int]]:
        """Return (member, seat) of those whose turn it is."""
        return [
            (n, seat)
            for n, match in enumerate(self.matches)
            if match is not None
            for seat in match.on_turn()
            if match.fold.holders[seat] == match.me
        ]

    def play_one(self, rng: Random) -> bool:
        """Let somebody whose turn it is make a legal move; return whether one could."""
        for n, seat in self.movers():
            match = self.member(n)
            state = match.seats.view(seat).state
            if seat not in self.game.actors(state):
                continue
            moves = list(islice(self.game.moves(state, seat), 40))
            move = rng.choice(moves)
            try:
                match.play(seat, pack(move), -1, self.now)
            except LocalError:
                continue
            return True
        return False

    def play_out(self, rng: Random, most: int = 2000) -> None:
        """Play random moves to the end."""
        self.settle()
        for _ in range(most):
            if not self.play_one(rng):
                break
            self.settle()
        assert all(match.fold.over for match in self.running), [
            (m.fold.actors, m.fold.next_chance(), m.quorate) for m in self.running
        ]

    def logs(self) -> list[tuple[bytes, ...]]:
        return [match.ledger.raws(0) for match in self.running]


def have(match: Match) -> Have:
    log = match.ledger.log
    return Have(log.match, log.term, len(log), log.head)


def out_of_time(options: Any, game: str) -> tuple[Fold, list[int]]:
    """Return a match of two in which three turns ran out, and whose each was.

    Args:
        options: With a minute for a turn.
        game: Its name.
    """
    party, seats = Party(game, 2, options), list[int]()
    party.link_all()
    party.settle()
    for _ in range(3):
        [(_member, seat)] = party.movers()
        seats.append(seat)
        party.wake(61)
    party.member(1).play(1, pack(Resign()), -1, party.now)
    party.settle()
    return replay(list(party.logs()[0])), seats
