"""Chance: fair, the same everywhere, and bound before it is known."""

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from netplay.errors import Code, PeerError
from netplay.messages.log import Proof
from netplay.record.chance import (
    Bag,
    Stream,
    Tree,
    climb,
    commitment,
    join,
    leaf,
    order,
    pick,
    public_key,
    share_digest,
    split,
)

MATCH = b"m" * 32
SEEDS = (b"a" * 32, b"b" * 32)
digests = st.binary(min_size=32, max_size=32)
kinds = st.lists(st.integers(0, 26), min_size=1, max_size=130).map(sorted)


@given(kinds, digests)
def test_the_order_of_a_bag_has_the_very_tiles_of_it(
    bag: list[int], seed: bytes
) -> None:
    assert sorted(order(bag, MATCH, 1, (seed,))) == bag


@given(digests, digests)
def test_another_seed_match_or_round_gives_another_order(a: bytes, b: bytes) -> None:
    assume(a != b)
    tiles = range(60)
    orders = {
        order(tiles, MATCH, 1, (a, b)),
        order(tiles, MATCH, 1, (b, a)),
        order(tiles, MATCH, 2, (a, b)),
        order(tiles, b"n" * 32, 1, (a, b)),
    }
    assert len(orders) == 4


def test_every_order_of_four_is_about_as_likely() -> None:
    seen = Counter(
        order(range(4), MATCH, 1, (n.to_bytes(32, "big"),)) for n in range(4800)
    )
    assert len(seen) == 24
    assert all(140 < count < 260 for count in seen.values())


@given(digests, st.integers(1, 2**64))
def test_a_stream_stays_below_its_bound(key: bytes, count: int) -> None:
    stream = Stream(key)
    assert all(0 <= stream.below(count) < count for _ in range(8))


def test_words_that_would_favour_small_numbers_are_thrown_away() -> None:
    # Above 2**63 every second word is refused: many words, still below the bound.
    stream = Stream(b"key")
    count = 2**63 + 1
    numbers = [stream.below(count) for _ in range(200)]
    assert max(numbers) > 2**62
    assert len(set(numbers)) == 200


def test_picks_are_evenly_spread_and_each_its_own() -> None:
    key = public_key(MATCH, SEEDS)
    seen = Counter(pick(key, number, 6) for number in range(6000))
    assert all(850 < seen[face] < 1150 for face in range(6))
    assert pick(key, 5, 10**6) == pick(key, 5, 10**6)
    assert public_key(MATCH, SEEDS) != public_key(MATCH, SEEDS[::-1])


@given(st.integers(1, 70), st.data())
def test_every_leaf_climbs_to_the_root_and_no_other_does(
    size: int, data: st.DataObject
) -> None:
    leaves = [leaf(n, n % 5, bytes(32)) for n in range(size)]
    tree = Tree(leaves)
    at = data.draw(st.integers(0, size - 1))
    assert climb(leaves[at], at, tree.path(at)) == tree.root
    assert climb(leaf(at, 9, bytes(32)), at, tree.path(at)) != tree.root
    if size > 1:
        other = (at + 1) % size
        assert climb(leaves[at], other, tree.path(at)) != tree.root


@given(kinds, digests, st.integers(0, 500), st.data())
def test_a_bag_proves_each_of_its_tiles(
    tiles: list[int], seed: bytes, first: int, data: st.DataObject
) -> None:
    bag = Bag(MATCH, 1, first, tiles, seed, (seed, *SEEDS))
    tile = first + data.draw(st.integers(0, len(tiles) - 1))
    proof = bag.proof(tile)
    bag.deal.check(proof)
    assert proof.kind == bag.kind(tile)
    assert bag.kinds[tile - first] == proof.kind


@pytest.mark.parametrize(
    "forge",
    [
        lambda p: Proof(p.tile + 1, p.kind, p.salt, p.path),
        lambda p: Proof(p.tile + 100, p.kind, p.salt, p.path),
        lambda p: Proof(p.tile, p.kind + 1, p.salt, p.path),
        lambda p: Proof(p.tile, p.kind, bytes(32), p.path),
        lambda p: Proof(p.tile, p.kind, p.salt, p.path[1:]),
        lambda p: Proof(p.tile, p.kind, p.salt, (*p.path, bytes(32))),
        lambda p: Proof(p.tile, p.kind, p.salt, p.path[::-1]),
    ],
)
def test_a_proof_changed_in_any_part_fails(forge: object) -> None:
    assert callable(forge)
    bag = Bag(MATCH, 1, 0, sorted([1, 2, 3] * 20), SEEDS[0], SEEDS)
    with pytest.raises(PeerError) as caught:
        bag.deal.check(forge(bag.proof(7)))
    assert caught.value.code is Code.BAD_PROOF


@given(digests, st.lists(digests, min_size=1, max_size=3))
def test_all_shares_give_the_seed_back(seed: bytes, pads: list[bytes]) -> None:
    shares = split(seed, pads)
    assert len(shares) == len(pads) + 1
    assert join(shares) == seed


def test_digests_of_different_uses_differ() -> None:
    made = {
        commitment(MATCH, 1, b"k" * 32, b"s" * 32),
        commitment(MATCH, 2, b"k" * 32, b"s" * 32),
        share_digest(MATCH, 1, b"k" * 32, b"s" * 32),
        share_digest(MATCH, 1, b"l" * 32, b"s" * 32),
    }
    assert len(made) == 4
