"""The vectors of chance, and its formulas with hashes alone."""

import hashlib
from typing import Any

import pytest

from netplay.errors import Code, PeerError
from netplay.messages.log import Proof
from netplay.record import chance
from tests.written import load, sha, tag, u64

CHANCE = load("chance")
MATCH = bytes.fromhex(CHANCE["match"])
SEEDS = {bytes.fromhex(k): bytes.fromhex(s) for k, s in CHANCE["seeds"].items()}
IN_ORDER = b"".join(SEEDS[key] for key in sorted(SEEDS))


class PlainStream:
    """SHAKE-256 cut into words of 8 bytes; much of it at once."""

    def __init__(self, key: bytes) -> None:
        data = hashlib.shake_256(key).digest(1 << 16)
        words = (data[at : at + 8] for at in range(0, len(data), 8))
        self.words = (int.from_bytes(word, "big") for word in words)

    def below(self, count: int) -> int:
        bound = 2**64 - 2**64 % count
        return next(word for word in self.words if word < bound) % count


@pytest.mark.parametrize("case", CHANCE["commitments"], ids=lambda c: c["digest"][:8])
def test_a_commitment_is_the_digest_that_the_page_says(case: dict[str, Any]) -> None:
    author, seed = bytes.fromhex(case["author"]), bytes.fromhex(case["seed"])
    digest = sha(tag("commit"), MATCH, u64(case["round"]), author, seed)
    assert digest.hex() == case["digest"]
    assert chance.commitment(MATCH, case["round"], author, seed) == digest


@pytest.mark.parametrize("case", CHANCE["streams"], ids=lambda c: c["key"][:8])
def test_a_stream_gives_the_numbers_named(case: dict[str, Any]) -> None:
    key = bytes.fromhex(case["key"])
    plain, real = PlainStream(key), chance.Stream(key)
    for count, number in (map(int, pair) for pair in case["below"]):
        assert plain.below(count) == number
        assert real.below(count) == number


def test_public_chance_follows_from_the_seeds() -> None:
    key = sha(tag("public"), MATCH, IN_ORDER)
    assert key.hex() == CHANCE["public"]["key"]
    assert chance.public_key(MATCH, [SEEDS[k] for k in sorted(SEEDS)]) == key
    for each in CHANCE["public"]["picks"]:
        number, count = each["number"], each["count"]
        stream = PlainStream(tag("pick") + key + u64(number))
        assert stream.below(count) == each["index"]
        assert chance.pick(key, number, count) == each["index"]


def merkle(leaves: list[bytes]) -> bytes:
    level = list(leaves)
    while len(level) & (len(level) - 1):
        level.append(bytes(32))
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=True)
        level = [sha(tag("node"), left, right) for left, right in pairs]
    return level[0]


@pytest.mark.parametrize("case", CHANCE["bags"], ids=lambda c: f"round_{c['round']}")
def test_a_bag_follows_from_the_seeds(case: dict[str, Any]) -> None:
    round_, first, size = case["round"], case["first"], len(case["kinds"])
    secret = SEEDS[bytes.fromhex(case["dealer"])]
    stream = PlainStream(tag("bag") + MATCH + u64(round_) + IN_ORDER)
    order = list(case["kinds"])
    for last in range(size - 1, 0, -1):
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    tiles = range(first, first + size)
    salts = [sha(tag("salt"), MATCH, u64(round_), secret, u64(i)) for i in tiles]
    leaves = [
        sha(tag("leaf"), u64(i), u64(kind), salt)
        for i, kind, salt in zip(tiles, order, salts, strict=True)
    ]
    assert order == case["order"]
    assert [salt.hex() for salt in salts] == case["salts"]
    assert [leaf.hex() for leaf in leaves] == case["leaves"]
    assert merkle(leaves).hex() == case["root"]
    seeds = [SEEDS[key] for key in sorted(SEEDS)]
    bag = chance.Bag(MATCH, round_, first, case["kinds"], secret, seeds)
    assert bag.deal.root.hex() == case["root"]
    assert list(bag.kinds) == order


def proof_of(written: list[Any]) -> Proof:
    tile, kind, salt, path = written
    return Proof(tile, kind, bytes.fromhex(salt), tuple(map(bytes.fromhex, path)))


@pytest.mark.parametrize("case", CHANCE["bags"], ids=lambda c: f"round_{c['round']}")
def test_proofs_lead_to_the_root_and_faulty_ones_do_not(case: dict[str, Any]) -> None:
    size = len(case["kinds"])
    root = bytes.fromhex(case["root"])
    deal = chance.Deal(case["round"], case["first"], size, root)
    for written in case["proofs"]:
        deal.check(proof_of(written))
    for bad in case["bad_proofs"]:
        with pytest.raises(PeerError) as caught:
            deal.check(proof_of(bad["proof"]))
        assert caught.value.code is Code.BAD_PROOF


@pytest.mark.parametrize("case", CHANCE["shares"], ids=lambda c: str(len(c["shares"])))
def test_shares_follow_from_the_seed_and_give_it_back(case: dict[str, Any]) -> None:
    seed, round_ = bytes.fromhex(case["seed"]), case["round"]
    receivers = [bytes.fromhex(each["receiver"]) for each in case["shares"]]
    shares = [bytes.fromhex(each["share"]) for each in case["shares"]]
    assert receivers == sorted(receivers)
    for receiver, share in list(zip(receivers, shares, strict=True))[:-1]:
        assert share == sha(tag("pad"), MATCH, u64(round_), seed, receiver)
    together = 0
    for share in shares:
        together ^= int.from_bytes(share, "big")
    assert together.to_bytes(32, "big") == seed == chance.join(shares)
    for each, receiver, share in zip(case["shares"], receivers, shares, strict=True):
        digest = sha(tag("share"), MATCH, u64(round_), receiver, share)
        assert digest.hex() == each["digest"]
        assert chance.share_digest(MATCH, round_, receiver, share) == digest
