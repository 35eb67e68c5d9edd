"""The encrypted bag: what is honest is taken, and every word of a lie refused."""

import hashlib
import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.bag import shuffle
from netplay.bag.group import (
    BYTES,
    IDENTITY,
    ORDER,
    BagError,
    Deck,
    Masked,
    base,
    first_deck,
    is_point,
    joined,
    kind_point,
    minus,
    packed,
    plus,
    point_of,
    split,
    times,
    total,
    unpacked,
)
from netplay.bag.lift import (
    Author,
    Share,
    check_key,
    check_lift,
    check_spread,
    fits,
    mask_of,
    part,
    prove_key,
    prove_lift,
    spare_of,
    spread,
)
from netplay.record.masked import kind_of, read_deck
from tests.netplay.bag.opened import lifted, unmasked

VECTORS = Path(__file__).parents[2] / "vectors" / "bag.json"
MATCH = hashlib.sha256(b"match").digest()
OTHER = hashlib.sha256(b"another match").digest()
KEYS = [hashlib.sha256(bytes([i])).digest() for i in range(4)]
FRESH = hashlib.sha256(b"fresh").digest()
TORSION = bytes.fromhex(
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
)
"""A point of order 8 (RFC 7748 and others list them): no part of the group."""


def author(i: int, match: bytes = MATCH) -> Author:
    return Author(match, KEYS[i])


def masks(count: int) -> list[int]:
    return [mask_of(KEYS[i], MATCH) for i in range(count)]


def common(count: int) -> bytes:
    return total(map(base, masks(count)))


def step(i: int, count: int = 2, round_: int = 1) -> shuffle.Step:
    return shuffle.Step(author(i), round_, i, common(count))


def mixed(kinds: list[int], count: int = 2) -> tuple[Deck, shuffle.Mixing, bytes]:
    """Return a deck, how the first holder mixes it, and the proof."""
    old = first_deck(MATCH, kinds, common(count))
    mixing = shuffle.mix(step(0, count), masks(count)[0], old)
    proof = shuffle.prove(step(0, count), masks(count)[0], old, mixing, FRESH)
    return old, mixing, proof


def read(deck: Deck, count: int = 2) -> list[int]:
    """Return the kinds of a deck, all holders working together."""
    xs = masks(count)
    return [
        kind_of(MATCH, 30, unmasked(tile, [lifted(tile, x) for x in xs]))
        for tile in deck
    ]


# Mixing


@pytest.mark.parametrize("kinds", [[3], [0, 5], [1, 1, 4], [0, 0, 1, 2, 2, 2, 7]])
def test_a_deck_mixed_by_all_is_the_same_bag_in_an_order_nobody_knows(
    kinds: list[int],
) -> None:
    count = 3
    deck = first_deck(MATCH, kinds, common(count))
    for i, x in enumerate(masks(count)):
        mixing = shuffle.mix(step(i, count), x, deck)
        proof = shuffle.prove(step(i, count), x, deck, mixing, FRESH)
        assert len(proof) == 128 * len(kinds) + 160
        shuffle.check(step(i, count), deck, read_deck(joined(mixing.deck)), proof)
        assert not set(mixing.deck) & set(deck)
        deck = mixing.deck
    assert sorted(read(deck, count)) == kinds


def test_a_node_that_lost_everything_but_its_key_mixes_again_just_so() -> None:
    old, mixing, _proof = mixed([1, 2, 3, 4])
    assert shuffle.mix(step(0), masks(2)[0], old) == mixing
    other = shuffle.mix(step(0, round_=2), masks(2)[0], old)
    assert other.deck != mixing.deck
    # Another deck in the same place: as one left, a deal has begun anew.
    decks = (first_deck(MATCH, [5, 6, 7, n], common(2)) for n in range(8, 16))
    orders = [shuffle.mix(step(0), masks(2)[0], deck).order for deck in decks]
    assert len(set(orders)) > 1


def test_every_order_of_a_deck_comes_of_mixing_about_as_often() -> None:
    old = first_deck(MATCH, [0, 1, 2], common(2))
    rounds = (step(0, round_=n) for n in range(1, 73))
    orders = Counter(shuffle.mix(one, masks(2)[0], old).order for one in rounds)
    assert len(orders) == 6, "also that in which a tile stays where it lay"
    assert min(orders.values()) >= 4


@pytest.mark.parametrize("word", range(4 * 3 + 5))
def test_every_word_of_a_proof_of_mixing_counts(word: int) -> None:
    old, mixing, proof = mixed([0, 1, 2])
    words = split(proof)
    point = is_point(words[word])
    words[word] = (
        plus(words[word], base(1))
        if point
        else packed((int.from_bytes(words[word], "little") + 1) % ORDER)
    )
    with pytest.raises(BagError):
        shuffle.check(step(0), old, mixing.deck, b"".join(words))


@pytest.mark.parametrize(
    "bad", [IDENTITY, TORSION, bytes(32), b"\xff" * 32, packed(ORDER)[:31]]
)
@pytest.mark.parametrize("word", [0, 4, 9, 16])
def test_no_point_and_no_number_has_another_form(word: int, bad: bytes) -> None:
    old, mixing, proof = mixed([0, 1, 2])
    words = split(proof)
    words[word] = bad
    with pytest.raises(BagError):
        shuffle.check(step(0), old, mixing.deck, b"".join(words))


def test_a_number_above_the_order_is_refused_though_it_means_the_same() -> None:
    old, mixing, proof = mixed([0, 1, 2])
    words = split(proof)
    for i in range(6, len(words)):
        same = int.from_bytes(words[i], "little") + ORDER
        changed = [*words[:i], same.to_bytes(32, "little"), *words[i + 1 :]]
        with pytest.raises(BagError):
            shuffle.check(step(0), old, mixing.deck, b"".join(changed))


def lies(old: Deck, mixing: shuffle.Mixing) -> dict[str, Deck]:
    """Return decks that somebody would like to have mixed."""
    new, torsion = mixing.deck, TORSION
    own = first_deck(MATCH, [0, 1, 2], common(2))
    return {
        "a tile twice": (new[0], new[0], *new[2:]),
        "a tile of another kind": (
            Masked(new[0].a, plus(new[0].b, kind_point(MATCH, 9))), *new[1:]
        ),
        "halves of two tiles": (Masked(new[0].a, new[1].b), *new[1:]),
        "an own deck of the right kinds": own,
        "one tile less": new[1:],
        "one tile more": (*new, new[0]),
        "torsion in a half": (Masked(plus(new[0].a, torsion), new[0].b), *new[1:]),
        "torsion in the other": (Masked(new[0].a, plus(new[0].b, torsion)), *new[1:]),
        "torsion that cancels": (
            Masked(plus(new[0].a, torsion), new[0].b),
            Masked(minus(new[1].a, torsion), new[1].b),
            *new[2:],
        ),
        "tiles swapped after the proof": (new[1], new[0], *new[2:]),
    }  # fmt: skip


@pytest.mark.parametrize("name", list(lies(*mixed([0, 1, 2])[:2])))
def test_no_other_deck_passes(name: str) -> None:
    old, mixing, proof = mixed([0, 1, 2])
    lie = lies(old, mixing)[name]
    with pytest.raises(BagError):
        shuffle.check(step(0), old, lie, proof)
    if len(lie) == len(old) and "torsion" not in name:
        made = mixing._replace(deck=lie)
        forged = shuffle.prove(step(0), masks(2)[0], old, made, FRESH)
        with pytest.raises(BagError):
            shuffle.check(step(0), old, lie, forged)


@pytest.mark.parametrize(
    "elsewhere",
    [
        shuffle.Step(Author(OTHER, KEYS[0]), 1, 0, common(2)),
        shuffle.Step(Author(MATCH, KEYS[1]), 1, 0, common(2)),
        shuffle.Step(Author(MATCH, KEYS[0]), 2, 0, common(2)),
        shuffle.Step(Author(MATCH, KEYS[0]), 1, 1, common(2)),
        shuffle.Step(Author(MATCH, KEYS[0]), 1, 0, common(3)),
    ],
)
def test_a_proof_holds_for_its_match_author_round_step_and_key_alone(
    elsewhere: shuffle.Step,
) -> None:
    old, mixing, proof = mixed([0, 1, 2])
    with pytest.raises(BagError):
        shuffle.check(elsewhere, old, mixing.deck, proof)


# Draws


def drawn(count: int = 3, tiles: int = 3) -> tuple[Deck, list[Share], bytes]:
    """Return a deck, the shares that holder 1 takes off, and the proof."""
    deck = first_deck(MATCH, [0, 1, 2, 2, 5], common(count))
    mixing = shuffle.mix(step(0, count), masks(count)[0], deck)
    mine = masks(count)[1]
    shares = [
        Share(i, tile.a, lifted(tile, mine))
        for i, tile in enumerate(mixing.deck[:tiles])
    ]
    return mixing.deck, shares, prove_lift(author(1), mine, shares, FRESH)


@settings(max_examples=5, deadline=None)
@given(tiles=st.integers(1, 5))
def test_the_owner_reads_what_the_others_lifted_for_it(tiles: int) -> None:
    deck, shares, proof = drawn(2, tiles)
    check_lift(author(1), base(masks(2)[1]), shares, proof)
    x = masks(2)[0]
    for tile, share in zip(deck[:tiles], shares, strict=True):
        kind = kind_of(MATCH, 30, unmasked(tile, [share.d, lifted(tile, x)]))
        assert kind in (0, 1, 2, 5)


def test_a_lift_of_another_tile_key_match_or_point_is_refused() -> None:
    deck, shares, proof = drawn()
    key = base(masks(3)[1])
    one = shares[0]
    changed = {
        "number": [one._replace(tile=9), *shares[1:]],
        "tile": [one._replace(a=deck[4].a), *shares[1:]],
        "share": [one._replace(d=plus(one.d, base(1))), *shares[1:]],
        "torsion": [one._replace(d=plus(one.d, TORSION)), *shares[1:]],
        "cancelling": [
            one._replace(d=plus(one.d, base(1))),
            shares[1]._replace(d=minus(shares[1].d, base(1))),
            *shares[2:],
        ],
        "cancelling behind the first": [
            one,
            shares[1]._replace(d=plus(shares[1].d, base(1))),
            shares[2]._replace(d=minus(shares[2].d, base(1))),
        ],
        "zero": [one._replace(d=IDENTITY), *shares[1:]],
        "fewer": shares[1:],
        "twice": [*shares, one],
        "none": [],
    }
    check_lift(author(1), key, shares, proof)
    for name, lie in changed.items():
        with pytest.raises(BagError):
            check_lift(author(1), key, lie, proof)
        if len(lie) > 1 and name not in ("torsion", "fewer", "number", "twice"):
            forged = prove_lift(author(1), masks(3)[1], lie, FRESH)
            with pytest.raises(BagError):
                check_lift(author(1), key, lie, forged)
    for who, match, mask in ((2, MATCH, 1), (1, OTHER, 1), (1, MATCH, 2)):
        with pytest.raises(BagError):
            check_lift(author(who, match), base(masks(3)[mask]), shares, proof)
    for at in (0, 40):
        broken = bytearray(proof)
        broken[at] ^= 1
        with pytest.raises(BagError):
            check_lift(author(1), key, shares, bytes(broken))


def test_64_tiles_are_lifted_at_once_and_no_more() -> None:
    points = [base(2 + n) for n in range(65)]
    mine = masks(2)[1]
    shares = [Share(n, a, times(a, mine)) for n, a in enumerate(points)]
    whole = prove_lift(author(1), mine, shares[:64], FRESH)
    check_lift(author(1), base(mine), shares[:64], whole)
    more = prove_lift(author(1), mine, shares, FRESH)
    with pytest.raises(BagError):
        check_lift(author(1), base(mine), shares, more)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_no_coalition_short_of_all_reads_a_tile(count: int) -> None:
    deck = first_deck(MATCH, [0, 1, 2], common(count))
    for i, x in enumerate(masks(count)):
        deck = shuffle.mix(step(i, count), x, deck).deck
    xs = masks(count)
    points = {kind_point(MATCH, kind) for kind in range(30)}
    for size in range(count):
        for some in combinations(range(count), size):
            for tile in deck:
                left = unmasked(tile, [lifted(tile, xs[i]) for i in some])
                assert left not in points
    # Two tiles cannot be told to be alike either.
    halves = [minus(one.b, two.b) for one, two in combinations(deck, 2)]
    assert not points & set(halves)


# Keys and their parts


def test_a_key_made_of_anothers_key_has_no_proof() -> None:
    x, e = masks(2)[0], spare_of(KEYS[0], MATCH)
    proof = prove_key(author(0), x, e, FRESH)
    check_key(author(0), base(x), base(e), proof)
    rogue = minus(base(7), base(x))  # so that the sum would be 7 G
    for mask, spare, who in (
        (rogue, base(e), 1), (base(x), base(e), 1), (base(x), rogue, 0),
        (IDENTITY, base(e), 0), (TORSION, base(e), 0), (base(x), base(e + 1), 0),
    ):  # fmt: skip
        with pytest.raises(BagError):
            check_key(author(who), mask, spare, proof)
    with pytest.raises(BagError):
        check_key(author(0, OTHER), base(x), base(e), proof)


@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize("epoch", [0, 2])
def test_all_the_others_can_lift_in_place_of_one_who_left(
    count: int, epoch: int
) -> None:
    xs = masks(count)
    es = [spare_of(KEYS[i], MATCH) for i in range(count)]
    leaver = 0
    others = {KEYS[i]: base(es[i]) for i in range(count) if i != leaver}
    said = spread(author(leaver), epoch, xs[leaver], es[leaver], others)
    check_spread(base(xs[leaver]), said)
    parts = [
        part(author(leaver), epoch, KEYS[i], times(base(es[leaver]), es[i]))
        for i in range(1, count)
    ]
    assert all(fits(said, KEYS[i], parts[i - 1]) for i in range(1, count))
    assert (sum(parts) + said.rest) % ORDER == xs[leaver]
    for missing in range(len(parts)):
        known = parts[:missing] + parts[missing + 1 :]
        assert (sum(known) + said.rest) % ORDER != xs[leaver]


def test_parts_that_do_not_add_up_are_refused() -> None:
    xs, es = masks(3), [spare_of(KEYS[i], MATCH) for i in range(3)]
    others = {KEYS[1]: base(es[1]), KEYS[2]: base(es[2])}
    said = spread(author(0), 0, xs[0], es[0], others)
    torsion = plus(said.points[KEYS[1]], TORSION)
    other = {**said.points, KEYS[2]: minus(said.points[KEYS[2]], TORSION)}
    for lie in (
        said._replace(rest=(said.rest + 1) % ORDER),
        said._replace(points={**said.points, KEYS[1]: base(3)}),
        said._replace(points={**other, KEYS[1]: torsion}),
    ):
        with pytest.raises(BagError):
            check_spread(base(xs[0]), lie)
    false = spread(author(0), 0, xs[0], es[0], {KEYS[1]: base(5)})
    mine = part(author(0), 0, KEYS[1], times(base(es[0]), es[1]))
    assert not fits(false, KEYS[1], mine)
    assert not fits(false._replace(points={}), KEYS[1], mine), "nothing was said"


# The group


def test_points_and_numbers_have_one_form() -> None:
    assert is_point(base(1))
    assert not any(map(is_point, (IDENTITY, TORSION, bytes(32), b"\xee" * 32, b"")))
    assert unpacked(packed(ORDER - 1)) == ORDER - 1
    assert unpacked(bytes(32), zero=True) == 0
    for bad in (bytes(32), packed(ORDER), b"\1"):
        with pytest.raises(BagError):
            unpacked(bad)
    with pytest.raises(BagError):
        times(TORSION, 5)
    with pytest.raises(BagError):
        plus(b"\2" + bytes(31), b"\2" + bytes(31))
    with pytest.raises(BagError):
        split(b"\0" * 33)


@settings(max_examples=15, deadline=None)
@given(a=st.integers(0, ORDER - 1), b=st.integers(0, ORDER - 1))
def test_the_group_adds_as_its_numbers_do(a: int, b: int) -> None:
    assert plus(base(a), base(b)) == base((a + b) % ORDER)
    assert minus(base(a), base(b)) == base((a - b) % ORDER)
    if b:
        assert times(base(b), a) == base(a * b % ORDER)


def test_points_of_names_are_those_that_another_program_finds() -> None:
    found = json.loads(VECTORS.read_text())
    match = bytes.fromhex(found["mixes"][0]["match"])
    kinds = [kind_point(match, kind).hex() for kind in (0, 1, 26, 139)]
    assert kinds == found["tiles"]
    numbers = [shuffle.generator(index).hex() for index in (0, 1, 2, 140)]
    assert numbers == found["generators"]


def test_parts_of_masks_are_those_that_another_program_finds() -> None:
    (found,) = json.loads(VECTORS.read_text())["spares"]
    dealer = Author(bytes.fromhex(found["match"]), bytes.fromhex(found["dealer"]))
    both = zip(found["takers"], found["shared"], strict=True)
    parts = [
        part(dealer, found["epoch"], bytes.fromhex(taker), bytes.fromhex(shared))
        for taker, shared in both
    ]
    assert [base(each).hex() for each in parts] == found["points"]


def test_points_of_names_are_in_the_group_and_each_another() -> None:
    points = [point_of("tile", MATCH, bytes([i])) for i in range(20)]
    assert all(map(is_point, points))
    assert len(set(points)) == len(points)
    assert all(len(each) == BYTES for each in points)


@settings(max_examples=30, deadline=None)
@given(data=st.binary(max_size=400))
def test_bytes_from_anywhere_are_a_deck_or_refused(data: bytes) -> None:
    try:
        deck = read_deck(data)
    except BagError:
        return
    assert joined(deck) == data
