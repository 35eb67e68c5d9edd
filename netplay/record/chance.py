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
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final

from msgspec import Struct

from netplay.errors import Code, PeerError
from netplay.messages.log import PATH_DIGESTS, Proof
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
