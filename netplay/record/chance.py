"""Chance without a trusted dealer: commitments, streams, the order of the bag.

Theory of operation.  Public chance (dice, who begins) follows from seeds of all
members, each committed before any is shown.  Hidden chance (tiles) follows from
*rounds*: all members commit to a seed, all but the dealer show theirs, and the order of
the bag is a shuffle keyed by all of them.  The dealer alone knows the whole key; it
publishes the root of a Merkle tree over (number, kind, salt) and opens single leaves to
those who draw.  At the end it shows its seed, and everybody computes the order again.

Nobody can choose an order: to do so one would have to know every seed before
committing to one's own.  The dealer's program can see the order; that is known.

Only hashes here: no state, no time, no source of randomness.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from typing import Final, TypeAlias

from msgspec import Struct

from netplay.errors import Code, PeerError
from netplay.messages.log import PATH_DIGESTS, Commit, Open, Proof, Root, Seed
from netplay.stream import Stream

ZERO: Final = bytes(32)
"""The digest of nothing: pads trees, precedes the first entry."""


def tag(name: str) -> bytes:
    """Return the prefix that keeps digests and signatures of one use from another."""
    return b"netplay/1 " + name.encode() + b"\0"


def number_bytes(value: int) -> bytes:
    """Return a number as it is hashed: 8 bytes, big-endian."""
    return value.to_bytes(8, "big")


def commitment(match: bytes, round_: int, author: bytes, seed: bytes) -> bytes:
    """Return the digest by which an author binds itself to a seed."""
    data = tag("commit") + match + number_bytes(round_) + author + seed
    return hashlib.sha256(data).digest()


def public_key(match: bytes, seeds: Iterable[bytes]) -> bytes:
    """Return the key of public chance.

    Args:
        match: The match.
        seeds: Of the members that showed one, in ascending order of keys.
    """
    return hashlib.sha256(tag("public") + match + b"".join(seeds)).digest()


def pick(key: bytes, number: int, count: int) -> int:
    """Return the outcome, from 0, of the n-th public chance move of a match.

    Each has a stream of its own, so that none depends on how many words another took.
    """
    return Stream(tag("pick") + key + number_bytes(number)).below(count)


def order(
    kinds: Sequence[int], match: bytes, round_: int, seeds: Iterable[bytes]
) -> tuple[int, ...]:
    """Return the kinds in the order in which the bag is drawn (Fisher-Yates).

    Args:
        kinds: All in the bag, ascending.
        match: The match.
        round_: The round of chance.
        seeds: Of all members that took part, the dealer too, by ascending key.
    """
    stream = Stream(tag("bag") + match + number_bytes(round_) + b"".join(seeds))
    left = list(kinds)
    for last in range(len(left) - 1, 0, -1):
        other = stream.below(last + 1)
        left[last], left[other] = left[other], left[last]
    return tuple(left)


def salt(match: bytes, round_: int, seed: bytes, tile: int) -> bytes:
    """Return what hides a leaf from guessing; the dealer's seed makes it."""
    data = tag("salt") + match + number_bytes(round_) + seed + number_bytes(tile)
    return hashlib.sha256(data).digest()


def leaf(tile: int, kind: int, salt_: bytes) -> bytes:
    """Return the leaf of a tile."""
    data = tag("leaf") + number_bytes(tile) + number_bytes(kind) + salt_
    return hashlib.sha256(data).digest()


def _join(left: bytes, right: bytes) -> bytes:
    """Return the parent of two nodes."""
    return hashlib.sha256(tag("node") + left + right).digest()


class Tree:
    """A Merkle tree; missing leaves up to a power of two are `ZERO`."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        """Hash the leaves together; at least one."""
        level = list(leaves)
        level += [ZERO] * ((1 << (len(level) - 1).bit_length()) - len(level))
        self._levels = [level]
        while len(level) > 1:
            level = [
                _join(left, right)
                for left, right in zip(level[::2], level[1::2], strict=True)
            ]
            self._levels.append(level)

    @property
    def root(self) -> bytes:
        """The digest that fixes all leaves."""
        return self._levels[-1][0]

    def path(self, index: int) -> tuple[bytes, ...]:
        """Return the neighbours on the way from a leaf to the root."""
        return tuple(
            level[(index >> depth) ^ 1] for depth, level in enumerate(self._levels[:-1])
        )


def climb(start: bytes, index: int, path: Sequence[bytes]) -> bytes:
    """Return the root that a leaf and its path lead to."""
    node = start
    for depth, neighbour in enumerate(path):
        left = not index >> depth & 1
        node = _join(node, neighbour) if left else _join(neighbour, node)
    return node


class Deal(Struct, frozen=True):
    """A bag whose order is fixed: what everybody knows of it."""

    round: int
    first: int
    """Number of the tile at the first leaf."""
    size: int
    root: bytes

    def holds(self, tile: int) -> bool:
        """Tell whether a number belongs to this deal."""
        return self.first <= tile < self.first + self.size

    def check(self, proof: Proof) -> None:
        """Check that a tile is what a proof says.

        Raises:
            PeerError: BAD_PROOF.
        """
        depth = (self.size - 1).bit_length()
        if not self.holds(proof.tile) or len(proof.path) != depth:
            raise PeerError(Code.BAD_PROOF, f"tile {proof.tile}")
        start = leaf(proof.tile, proof.kind, proof.salt)
        if climb(start, proof.tile - self.first, proof.path) != self.root:
            raise PeerError(Code.BAD_PROOF, f"tile {proof.tile}")


class Bag:
    """A bag as its dealer sees it: the order, the salts, the tree."""

    def __init__(
        self,
        match: bytes,
        round_: int,
        first: int,
        kinds: Sequence[int],
        secret: bytes,
        seeds: Iterable[bytes],
    ) -> None:
        """Shuffle the bag.

        Args:
            match: The match.
            round_: The round of chance.
            first: Number of the tile drawn first.
            kinds: All in the bag, ascending; at least one.
            secret: The dealer's seed.
            seeds: Of all members that took part, the dealer's too, by ascending key.
        """
        self.first = first
        self.kinds = order(kinds, match, round_, seeds)
        numbers = range(first, first + len(kinds))
        self._salts = tuple(salt(match, round_, secret, tile) for tile in numbers)
        parts = zip(numbers, self.kinds, self._salts, strict=True)
        self._tree = Tree([leaf(*part) for part in parts])
        assert len(kinds) <= 1 << PATH_DIGESTS  # no edition has so many tiles
        self.deal = Deal(round_, first, len(kinds), self._tree.root)

    def kind(self, tile: int) -> int:
        """Return what a tile of this deal is."""
        return self.kinds[tile - self.first]

    def proof(self, tile: int) -> Proof:
        """Return the opening of a tile of this deal."""
        at = tile - self.first
        return Proof(tile, self.kinds[at], self._salts[at], self._tree.path(at))


def _xor(left: bytes, right: bytes) -> bytes:
    """Return two digests added bit by bit."""
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


def split(seed: bytes, pads: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return shares of a seed, all of which together give it back.

    Args:
        seed: The secret.
        pads: Random digests, one fewer than the shares wanted.
    """
    return (*pads, reduce(_xor, pads, seed))


def join(shares: Sequence[bytes]) -> bytes:
    """Return the seed that was split into these shares."""
    return reduce(_xor, shares, ZERO)


def share_digest(match: bytes, round_: int, key: bytes, share: bytes) -> bytes:
    """Return what a Root says of the share that a member was given."""
    data = tag("share") + match + number_bytes(round_) + key + share
    return hashlib.sha256(data).digest()


# The rounds of chance in a log: who has committed, who has shown, what is fixed.
#
# Round 0 is public chance; round d + 1 is deal d of the bag. A round goes
#
# opened -> every required member commits -> they show their seeds -> fixed
#
# and a deal's dealer (the host) shows none: it logs a `Root` instead, and its seed by
# an `Open` when the match has ended. Required are those who play a seat, and the host.
#
# Whoever sees a seed may know the outcome, so nobody may choose by then who takes part.
# Once all who are required have committed, the round is *closed*: nobody may commit any
# more, and it waits for the seeds of these very members. A round whose outcome somebody
# could know begins again in two cases only, each of which everybody sees and counts:
# its dealer is host no more, or one who has not shown is required no more.


PUBLIC = 0
"""The round of public chance."""

ChanceBody: TypeAlias = Commit | Seed | Root | Open

Key: TypeAlias = bytes


def _refuse(what: str, round_: int) -> PeerError:
    """Return the error for a body that has no place in a round."""
    return PeerError(Code.UNEXPECTED, f"{what} in round {round_} of chance")


class Round:
    """One round."""

    def __init__(
        self, number: int, first: int = 0, size: int = 0, again: int = 0
    ) -> None:
        """Open a round.

        Args:
            number: `PUBLIC`, or the deal + 1.
            first: Number of the first tile of the deal.
            size: Tiles in the bag of the deal.
            again: How often it has begun again.
        """
        self.number = number
        self.first = first
        self.size = size
        self.again = again
        self.parties: frozenset[Key] | None = None
        """Whose seeds make the outcome, once the round is closed."""
        self.commits: dict[Key, bytes] = {}
        self.seeds: dict[Key, bytes] = {}
        self.dealer: Key | None = None
        self.root: Root | None = None
        self.receivers: tuple[Key, ...] = ()
        """Whose the shares in the root are."""
        self.secret: bytes | None = None
        """The dealer's seed, once opened."""
        self.key: bytes | None = None
        """Of public chance, once fixed."""

    @property
    def fixed(self) -> bool:
        """Whether its outcome cannot be changed any more."""
        return self.root is not None or self.key is not None

    @property
    def deal(self) -> Deal | None:
        """The bag, once fixed."""
        if self.root is None:
            return None
        return Deal(self.number, self.first, self.size, self.root.root)

    def lacks_commit(self, required: Collection[Key]) -> set[Key]:
        """Return who must still commit."""
        if self.parties is not None:
            return set()
        return set(required).difference(self.commits)

    def close(self, required: Collection[Key]) -> None:
        """Let nobody commit any more, once all who must have."""
        if self.parties is None and not self.lacks_commit(required):
            self.parties = frozenset(required)

    def lacks_seed(self, dealer: Key) -> set[Key]:
        """Return who must show a seed now: nobody before the round is closed."""
        if self.fixed or self.parties is None:
            return set()
        silent = {dealer} if self.number != PUBLIC else set[Key]()
        return set(self.parties).difference(self.seeds) - silent

    def lacks_root(self, dealer: Key) -> bool:
        """Tell whether it is the dealer's turn to fix the bag."""
        open_ = self.number == PUBLIC or self.fixed or self.parties is None
        return not open_ and not self.lacks_seed(dealer)

    def sharers(self, required: Collection[Key], dealer: Key) -> tuple[Key, ...]:
        """Return who gets a share of the dealer's seed, in order of their keys.

        A single other member gets none: its share would be the whole seed.
        """
        others = sorted(set(required) - {dealer})
        return tuple(others) if len(others) > 1 else ()

    def bag(self, match: bytes, kinds: tuple[int, ...], secret: bytes) -> Bag:
        """Return the shuffled bag; `secret` is the dealer's seed."""
        assert self.dealer is not None
        return self.draft(match, kinds, self.dealer, secret)

    def draft(
        self, match: bytes, kinds: tuple[int, ...], dealer: Key, secret: bytes
    ) -> Bag:
        """Return the bag that a dealer is about to fix."""
        seeds = {**self.seeds, dealer: secret}
        ordered = [seeds[key] for key in sorted(seeds)]
        return Bag(match, self.number, self.first, kinds, secret, ordered)


class Rounds:
    """All rounds of a match, as its log tells them."""

    def __init__(self, match: bytes) -> None:
        """Start without any."""
        self.match = match
        self._rounds: dict[int, Round] = {}
        self.fixed = True
        """Whether all of them are fixed: nobody owes anything then."""

    def __iter__(self) -> Iterator[Round]:
        """Iterate in order of opening."""
        return iter(self._rounds.values())

    def get(self, number: int) -> Round | None:
        """Return a round if it is open."""
        return self._rounds.get(number)

    def has(self, number: int) -> bool:
        """Tell whether a round is open."""
        return number in self._rounds

    def open(self, number: int, first: int = 0, size: int = 0) -> None:
        """Open a round unless it is."""
        if number not in self._rounds:
            self._rounds[number] = Round(number, first, size)
            self.fixed = False

    def restart(self) -> list[int]:
        """Begin again every deal that is not fixed: another member deals now.

        Returns:
            The rounds that did.
        """
        unfixed = [one for one in self if one.number != PUBLIC and not one.fixed]
        return self._again(unfixed)

    def close(self, required: Collection[Key], host: Key) -> list[int]:
        """Close the rounds that may be, after who must take part has changed.

        Returns:
            The rounds that begin again, for somebody has gone whose seed they lack.
        """
        lacking = [one for one in self if one.lacks_seed(host) - set(required)]
        again = self._again(lacking)
        for round_ in self:
            round_.close(required)
        return again

    def _again(self, rounds: list[Round]) -> list[int]:
        """Begin rounds again, without what was said in them."""
        for one in rounds:
            number, again = one.number, one.again + 1
            self._rounds[number] = Round(number, one.first, one.size, again)
            self.fixed = False
        return [one.number for one in rounds]

    def owes_seed(self, key: Key, host: Key) -> bool:
        """Tell whether a member has committed to a seed that it must show now."""
        return any(key in round_.lacks_seed(host) for round_ in self)

    def owing(self, required: Collection[Key], host: Key) -> set[Key]:
        """Return who must commit, show a seed or fix a bag now."""
        found = set[Key]()
        for round_ in self:
            found |= round_.lacks_commit(required) or round_.lacks_seed(host)
            if not found and round_.lacks_root(host):
                found.add(host)
        return found

    def deal_of(self, tile: int) -> Round | None:
        """Return the open round to which a tile's number belongs."""
        for round_ in self._rounds.values():
            if round_.first <= tile < round_.first + round_.size:
                return round_
        return None

    def on_body(
        self, author: Key, body: ChanceBody, required: Collection[Key], host: Key
    ) -> None:
        """Take a body into its round.

        Args:
            author: Who wrote it.
            body: What it says.
            required: Who must take part at present.
            host: Who deals at present.

        Raises:
            PeerError: UNEXPECTED, it has no place there now; BAD_PROOF, the seed is
                not the one committed to.  Nothing has changed then.
        """
        round_ = self._rounds.get(body.round)
        if round_ is None:
            raise _refuse("a body", body.round)
        match body:
            case Commit():
                if author not in round_.lacks_commit(required):
                    raise _refuse("a commitment", round_.number)
                round_.commits[author] = body.digest
                round_.close(required)
            case Seed():
                if author not in round_.lacks_seed(host):
                    raise _refuse("a seed", round_.number)
                self._check(round_, author, body.seed)
                round_.seeds[author] = body.seed
            case Root():
                _root(round_, author, body, (required, host))
                self._look()
            case Open():
                # Whoever logs the dealer's seed, the commitment proves it.
                if round_.dealer is None or round_.secret is not None:
                    raise _refuse("an opening", round_.number)
                self._check(round_, round_.dealer, body.seed)
                round_.secret = body.seed

    def settle(self, host: Key) -> None:
        """Fix public chance once everybody has shown a seed."""
        round_ = self._rounds.get(PUBLIC)
        if round_ is None or round_.fixed or not round_.seeds:
            return
        if not round_.lacks_seed(host):
            seeds = [round_.seeds[key] for key in sorted(round_.seeds)]
            round_.key = public_key(self.match, seeds)
            self._look()

    def _look(self) -> None:
        """Note whether all are fixed now."""
        self.fixed = all(round_.fixed for round_ in self)

    def _check(self, round_: Round, author: Key, seed: bytes) -> None:
        """Check a seed against its commitment."""
        fits = commitment(self.match, round_.number, author, seed)
        if fits != round_.commits[author]:
            raise PeerError(Code.BAD_PROOF, f"a seed of round {round_.number}")


def _root(
    round_: Round, author: Key, body: Root, table: tuple[Collection[Key], Key]
) -> None:
    """Take the root of the bag from its dealer."""
    required, host = table
    if author != host or not round_.lacks_root(host):
        raise _refuse("a root", round_.number)
    receivers = round_.sharers(required, host)
    if body.size != round_.size or len(body.shares) != len(receivers):
        raise PeerError(Code.BAD_PROOF, f"the bag of round {round_.number}")
    round_.receivers = receivers
    round_.dealer = author
    round_.root = body
