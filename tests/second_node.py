"""A reader of match files written from protocol.md alone.

Nothing of netplay or rules is imported here: MessagePack, SHA-256, SHAKE-256, Ed25519
and the page are enough to check who said what, in which order, and that the first bag
is the one that all seeds give.  It knows no game, so it judges no move.
"""

import hashlib
import zlib
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

GENESIS, COMMIT, SEED, ROOT, TURN, TICKS, CLOCK, OPEN, TERM, HAND, FACE, POSITION = (
    range(12)
)
LATE, WISH, RESPONSE, JUDGEMENT = 17, 18, 19, 20
ZERO = bytes(32)


class RefusedError(Exception):
    """The file is no log of a match."""


def tag(name: str) -> bytes:
    return b"netplay/1 " + name.encode() + b"\0"


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def pack(value: Any) -> bytes:
    data = msgpack.packb(value, use_bin_type=True)
    assert isinstance(data, bytes)
    return data


def read(data: bytes) -> Any:
    """Return the value of one canonical encoding."""
    try:
        value = msgpack.unpackb(data, raw=False)
    except (ValueError, msgpack.UnpackException):
        raise RefusedError("no MessagePack") from None
    need(pack(value) == data, "not the shortest encoding")
    return value


def need(holds: bool, what: str) -> None:
    if not holds:
        raise RefusedError(what)


def verified(key: bytes, signature: bytes, data: bytes, what: str) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
    except (InvalidSignature, ValueError):
        raise RefusedError(f"{what}: the signature fails") from None


def records(data: bytes) -> list[bytes]:
    need(data[:8] == b"NPMATCH\x01", "magic")
    found, at = [], 8
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        checksum = int.from_bytes(data[at + 4 : at + 8], "big")
        entry = data[at + 8 : at + 8 + length]
        need(0 < length <= 60_000 and len(entry) == length, "length of a record")
        need(zlib.crc32(entry) == checksum, "checksum of a record")
        found.append(entry)
        at += 8 + length
    need(bool(found), "no entries")
    return found


def turn(rest: list[Any]) -> tuple[int, list[Any], list[Any]]:
    """Return seat, move and proofs of a Turn."""
    seat, _head, _state, move, proofs = rest
    return seat, read(move), proofs


class Stream:
    def __init__(self, key: bytes) -> None:
        data = hashlib.shake_256(key).digest(1 << 14)
        self.words = iter(
            int.from_bytes(data[at : at + 8], "big") for at in range(0, len(data), 8)
        )

    def below(self, count: int) -> int:
        bound = 2**64 - 2**64 % count
        return next(word for word in self.words if word < bound) % count


class Reader:
    """Reads a log and remembers what it says of chance."""

    def __init__(self) -> None:
        self.match = b""
        self.terms: list[Any] = []
        self.members: list[bytes] = []
        self.holders: list[bytes] = []
        self.resigned: set[int] = set()
        self.claims: dict[bytes, tuple[int, set[bytes]]] = {}
        """Those that stand: the head behind each -> the seat, who has agreed."""
        self.lapsing = -1
        """The seat of the claim that the present entry gives effect."""
        self.handed = 0
        self.host = b""
        self.head = ZERO
        self.number = self.term = self.at = 0
        self.own: dict[bytes, int] = {}
        self.commits: dict[tuple[int, bytes], bytes] = {}
        self.seeds: dict[int, dict[bytes, bytes]] = {}
        self.roots: dict[int, tuple[bytes, bytes, int]] = {}
        self.opened: dict[int, bytes] = {}
        self.proofs = 0
        self.since: set[bytes] = set()
        """Heads since the last move."""
        self.ticks = False
        self.first: dict[int, int] = {}
        self.offered: dict[bytes, tuple[int, str, set[int]]] = {}
        """Head behind an offer -> seat, what it offers, and who has agreed."""
        self.offers: dict[int, int] = {}
        """How many offers each seat has made since the last move."""
        self.off: list[int] = []
        """Whose days off were granted."""
        self.ended = ""
        self.went_back = False

    def file(self, data: bytes) -> None:
        for raw in records(data):
            self.entry(raw)

    def entry(self, raw: bytes) -> None:
        fields = read(raw)
        need(isinstance(fields, list) and len(fields) == 9, "no entry")
        number, term, prev, at, author, own, body, signature, seal = fields
        said = read(body)
        if self.number == 0:
            self.begin(said)
        need(number == self.number, "number")
        need(prev == self.head, "chain")
        need(at >= self.at, "time")
        need((said[0] == TERM) == (term > self.term) and term >= self.term, "term")
        need((said[0] == GENESIS) == (number == 0), "genesis")
        need(author in self.own and own == self.own[author], "own number")
        data = tag("author") + self.match + u64(own) + body
        verified(author, signature, data, "author")
        host = self.members[said[1]] if said[0] == TERM else self.host
        verified(host, seal, tag("entry") + self.match + pack(fields[:8]), "host")
        need(
            not self.ended or said[0] not in {TURN, CLOCK, JUDGEMENT},
            "a move at the end",
        )
        self.went_back, self.lapsing = False, -1
        if self.gone:
            need(said[0] in {TERM, HAND}, "a seat waits for somebody new")
        self.take(author, said, (number, term, prev))
        if said[0] == WISH:
            self.offer(said[1], said[2], sha(raw))
        if said[0] == LATE:
            self.claims[sha(raw)] = said[1], {author}
        lapsed = self.lapsing >= 0
        moved = said[0] in {TURN, CLOCK} or lapsed or not number or self.went_back
        self.since = set() if moved else self.since | {prev}
        if moved:
            self.claims = {}
            self.after_move()
        self.host, self.term, self.at, self.head = host, term, at, sha(raw)
        self.own[author] += 1
        self.number += 1

    def begin(self, said: Any) -> None:
        need(said[0] == GENESIS, "no genesis")
        _, self.terms, signatures = said
        self.match = sha(pack(self.terms))
        self.ticks = self.terms[0] == "hexcolumns"
        self.members = [key for key, _ in self.terms[5]]
        self.holders = [self.members[member] for _, _, member, _ in self.terms[6]]
        self.own = dict.fromkeys(self.members, 0)
        self.host = self.members[0]
        self.gone = b""
        need(len(signatures) == len(self.members), "signatures of the terms")
        for key, signature in zip(self.members, signatures, strict=True):
            verified(key, signature, tag("terms") + self.match, "terms")

    def judge(
        self, author: bytes, head: bytes, agrees: bool, receipts: list[Any]
    ) -> None:
        """Take what a member's record says of a claim (section 17)."""
        need(not receipts, "what keepers show is not in the vectors")
        need(head in self.claims and author in self.electors(), "no such claim")
        seat, agreed = self.claims[head]
        need(author not in agreed, "judged before")
        own = self.holders[seat] == author
        if not agrees:
            need(not own, "a turn is the answer; contests are not in the vectors")
            del self.claims[head]
            return
        agreed.add(author)
        several = len(self.electors())
        if own or len(agreed) >= max(2, several - 1):
            self.lapsing = seat

    def take(self, author: bytes, said: Any, place: tuple[int, int, bytes]) -> None:
        kind, rest = said[0], said[1:]
        if kind == COMMIT:
            self.commits[rest[0], author] = rest[1]
        elif kind == SEED:
            self.fits(rest[0], author, rest[1])
            self.seeds.setdefault(rest[0], {})[author] = rest[1]
        elif kind == ROOT:
            need(author == self.host, "a root by no host")
            self.roots[rest[0]] = (author, rest[1], rest[2])
            last = max((r for r in self.first), default=0)
            start = self.first[last] + self.roots[last][2] if last else 0
            self.first[rest[0]] = start
        elif kind == OPEN:
            self.fits(rest[0], self.roots[rest[0]][0], rest[1])
            self.opened[rest[0]] = rest[1]
        elif kind == TURN:
            seat, move, proofs = turn(rest)
            need(self.holders[seat] == author, "another's seat")
            if move[0] == "resign":
                self.resigned.add(seat)
            elif not self.ticks:
                need(rest[1] in self.since | {place[2]}, "a move in another history")
            for proof in proofs:
                self.proof(*proof)
        elif kind == LATE:
            need(self.terms[8] > 0, "no days to think")
            need(
                author in self.electors() - {self.holders[rest[0]]},
                "a claim of nobody's",
            )
            need(rest[1] in self.since | {place[2]}, "a claim in another history")
        elif kind == JUDGEMENT:
            self.judge(author, *rest)
        elif kind in {WISH, RESPONSE}:
            need(self.holders[rest[0]] == author, "another's offer")
            need(rest[0] not in self.resigned and not self.ended, "it plays no more")
            need(not self.ticks, "an offer in a game of ticks")
            if kind == WISH:
                need(rest[3] in self.since | {place[2]}, "an offer in another history")
            else:
                self.respond(*rest)
        elif kind == FACE:
            for proof in rest[0]:
                self.proof(*proof)
        elif kind == POSITION:
            need(author in self.holders, "a position of nobody's")
        elif kind == TERM:
            self.elected(author, rest, place)
        elif kind == HAND:
            self.hand(author, *rest)

    def electors(self) -> set[bytes]:
        """Return who plays a seat that has not resigned."""
        seats = range(len(self.holders))
        playing = {self.holders[seat] for seat in seats if seat not in self.resigned}
        return playing - {self.gone}

    def hand(self, author: bytes, seat: int, key: bytes, name: str, by: Any) -> None:
        """Let a seat pass to another player, and its word with it (section 15)."""
        numbers = u64(seat) + u64(self.handed)
        data = tag("hand") + self.match + numbers + key + name.encode()
        for member, signature in by:
            verified(self.members[member], signature, data, "consent")
        voters = {self.members[member] for member, _ in by}
        asked = (self.electors() - {self.holders[seat]}) | {self.host}
        need(author == self.host and seat not in self.resigned, "nobody's to hand over")
        need(voters >= asked, "a seat handed over without consent")
        if self.gone:
            need(self.holders[seat] == self.gone, "another seat before those")
            need(key not in {self.gone, self.host}, "nobody new")
        if key not in self.own:
            self.members.append(key)
            self.own[key] = 0
        self.holders[seat] = key
        self.handed += 1
        left = (s for s, holder in enumerate(self.holders) if holder == self.gone)
        if all(s in self.resigned for s in left):
            self.gone = b""
        self.offered = {
            head: (by, what, agreed - {seat})
            for head, (by, what, agreed) in self.offered.items()
            if by != seat
        }

    def offer(self, seat: int, what: str, head: bytes) -> None:
        """Take an offer, or another's of the same as agreed to (section 17)."""
        self.offers[seat] = self.offers.get(seat, 0) + 1
        need(self.offers[seat] <= 4, "a fifth offer")
        need(what != "days" or self.off.count(seat) < 3, "days off for the fourth time")
        drawn = self.terms[0] in {"numlo", "hexagrams"}
        need(what != "draw" or drawn, "a draw in a game without")
        need(what != "days" or self.terms[8] > 0, "days off without days")
        for other, (by, same, agreed) in self.offered.items():
            fresh = seat not in agreed | {by}
            if what == same and what in {"draw", "stop"} and fresh:
                self.settle_offer(other, by, what, agreed | {seat})
                return
        self.offered = {k: one for k, one in self.offered.items() if one[0] != seat}
        self.settle_offer(head, seat, what, set())

    def respond(self, seat: int, head: bytes, agrees: bool) -> None:
        need(head in self.offered, "an answer to no offer")
        by, what, agreed = self.offered.pop(head)
        if agrees:
            need(seat != by and seat not in agreed, "an answer twice")
            self.settle_offer(head, by, what, agreed | {seat})

    def settle_offer(self, head: bytes, by: int, what: str, agreed: set[int]) -> None:
        """Do what is offered once all others have agreed."""
        self.offered.pop(head, None)
        if set(range(len(self.holders))) - self.resigned - agreed - {by}:
            self.offered[head] = by, what, agreed
        elif what == "back":
            self.went_back = True
            self.back(by)
        elif what == "days":
            self.off.append(by)
        else:
            self.ended, self.offered = what, {}

    def after_move(self) -> None:
        """Let only days off stand, and wait for nobody who has resigned."""
        standing, self.offered, self.offers = self.offered, {}, {}
        for head, (by, what, agreed) in standing.items():
            if what == "days" and by not in self.resigned and not self.is_over():
                self.settle_offer(head, by, what, agreed)

    def is_over(self) -> bool:
        """Tell whether the match is over; who knows games says more."""
        return bool(self.ended)

    def back(self, seat: int) -> None:
        """Take back a seat's last turn, and what followed it; who knows games does."""

    def fits(self, round_: int, author: bytes, seed: bytes) -> None:
        made = sha(tag("commit"), self.match, u64(round_), author, seed)
        need(self.commits.get((round_, author)) == made, "a seed not committed to")

    def elected(
        self, author: bytes, rest: list[Any], place: tuple[int, int, bytes]
    ) -> None:
        number, term, prev = place
        data = tag("term") + self.match + u64(term) + author + u64(number) + prev
        voters = set()
        for member, signature in rest[1]:
            verified(self.members[member], signature, data, "vote")
            voters.add(self.members[member])
        electors = self.electors()
        quorum = len(electors) if len(electors) <= 2 else len(electors) - 1
        need(self.members[rest[0]] == author, "a term for another")
        if len(voters & electors) < quorum:
            alone = len(electors) == 2 and electors >= {author, self.host}
            need(alone and author in voters and not self.is_over(), "no quorum")
            (other,) = electors - {author}
            shut = (n for n, root in self.roots.items() if root[0] == other)
            need(all(n in self.opened for n in shut), "a bag that nobody can open")
            self.gone = other

    def proof(self, tile: int, kind: int, salt: bytes, path: list[bytes]) -> None:
        round_ = max(r for r, first in self.first.items() if first <= tile)
        _, root, size = self.roots[round_]
        at = tile - self.first[round_]
        need(at < size and len(path) == (size - 1).bit_length(), "shape of a proof")
        node = sha(tag("leaf"), u64(tile), u64(kind), salt)
        for depth, other in enumerate(path):
            pair = (other, node) if at >> depth & 1 else (node, other)
            node = sha(tag("node"), *pair)
        need(node == root, "a proof that leads elsewhere")
        self.proofs += 1

    def order(self, round_: int, kinds: list[int]) -> list[int]:
        """Return the order of a bag whose dealer's seed is open."""
        seeds = {**self.seeds[round_], self.roots[round_][0]: self.opened[round_]}
        joined = b"".join(seeds[key] for key in sorted(seeds))
        stream = Stream(tag("bag") + self.match + u64(round_) + joined)
        order = list(kinds)
        for last in range(len(order) - 1, 0, -1):
            other = stream.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def root(self, round_: int, order: list[int]) -> bytes:
        """Return the root that a bag must have."""
        secret, first = self.opened[round_], self.first[round_]
        level = []
        for tile, kind in enumerate(order, first):
            salt = sha(tag("salt"), self.match, u64(round_), secret, u64(tile))
            level.append(sha(tag("leaf"), u64(tile), u64(kind), salt))
        level += [ZERO] * ((1 << (len(level) - 1).bit_length()) - len(level))
        while len(level) > 1:
            pairs = zip(level[::2], level[1::2], strict=True)
            level = [sha(tag("node"), left, right) for left, right in pairs]
        return level[0]
