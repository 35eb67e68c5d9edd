"""Vectors of chance: commitments, streams, bags, proofs, shares."""

import hashlib
from typing import Any, Final

from netplay.messages.log import Proof
from netplay.record.chance import (
    Bag,
    commitment,
    leaf,
    number_bytes,
    order,
    pick,
    public_key,
    salt,
    share_digest,
    split,
    tag,
)
from netplay.stream import Stream
from tools.protocol.examples import MATCH, filled
from tools.protocol.signing import ANN, BOB, Signer

CAT: Final = Signer("Cat")
SEEDS: Final = {ANN.key: filled(0xA1), BOB.key: filled(0xB1), CAT.key: filled(0xC1)}
BAGS: Final = ((0, (0, 0, 1, 2, 2, 2, 3)), (40, (5,)), (100, (1, 2)), (7, (0,) * 8))


def chance() -> dict[str, Any]:
    """Return the vectors."""
    return {
        "match": MATCH.hex(),
        "seeds": {key.hex(): seed.hex() for key, seed in SEEDS.items()},
        "commitments": [
            {
                "round": round_,
                "author": key.hex(),
                "seed": seed.hex(),
                "digest": commitment(MATCH, round_, key, seed).hex(),
            }
            for round_ in (0, 1, 258)
            for key, seed in SEEDS.items()
        ],
        "streams": [_stream(key) for key in (b"", b"netplay", filled(9))],
        "public": _public(),
        "bags": [_bag(round_ + 1, *each) for round_, each in enumerate(BAGS)],
        "shares": [_shares(receivers) for receivers in (2, 3)],
    }


def _ordered() -> list[bytes]:
    """Return the seeds in ascending order of their authors' keys."""
    return [SEEDS[key] for key in sorted(SEEDS)]


def _stream(key: bytes) -> dict[str, Any]:
    """Return numbers of a stream, so many that it must be drawn out twice."""
    counts = [1, 2, 6, 100, 2**32, 2**63 + 1, 2**64 - 1, 2**64] * 12
    stream = Stream(key)
    numbers = [[count, stream.below(count)] for count in counts]
    return {"key": key.hex(), "below": numbers}


def _public() -> dict[str, Any]:
    """Return the key of public chance and some picks."""
    key = public_key(MATCH, _ordered())
    picks = [
        {"number": number, "count": count, "index": pick(key, number, count)}
        for number in (0, 1, 2, 1000)
        for count in (1, 2, 3, 98, 1 << 40)
    ]
    return {"key": key.hex(), "picks": picks}


def _bag(round_: int, first: int, kinds: tuple[int, ...]) -> dict[str, Any]:
    """Return a bag with its proofs, and proofs that must fail."""
    dealer = sorted(SEEDS)[1]
    secret = SEEDS[dealer]
    bag = Bag(MATCH, round_, first, kinds, secret, _ordered())
    numbers = range(first, first + len(kinds))
    salts = [salt(MATCH, round_, secret, number) for number in numbers]
    drawn = order(kinds, MATCH, round_, _ordered())
    proofs = [bag.proof(number) for number in numbers]
    return {
        "round": round_,
        "first": first,
        "kinds": list(kinds),
        "dealer": dealer.hex(),
        "order": list(drawn),
        "salts": [each.hex() for each in salts],
        "leaves": [
            leaf(*each).hex() for each in zip(numbers, drawn, salts, strict=True)
        ],
        "root": bag.deal.root.hex(),
        "proofs": [_written(proof) for proof in proofs],
        "bad_proofs": [
            {"name": name, "proof": _written(proof)}
            for name, proof in _faulty(proofs[0], len(kinds)).items()
        ],
    }


def _written(proof: Proof) -> list[Any]:
    """Return a proof as JSON has it."""
    path = [each.hex() for each in proof.path]
    return [proof.tile, proof.kind, proof.salt.hex(), path]


def _faulty(proof: Proof, size: int) -> dict[str, Proof]:
    """Return proofs that must fail: BAD_PROOF, all of them."""
    tile, kind, secret, path = proof.tile, proof.kind, proof.salt, proof.path
    faulty = {
        "another kind": Proof(tile, kind + 1, secret, path),
        "another salt": Proof(tile, kind, filled(0xEE), path),
        "behind the bag": Proof(tile + size, kind, secret, path),
        "far behind the bag": Proof(tile + (1 << 16), kind, secret, path),
        "a path too long": Proof(tile, kind, secret, (*path, filled(0xEE))),
    }
    if tile:
        faulty["before the bag"] = Proof(tile - 1, kind, secret, path)
    if path:
        faulty["another tile"] = Proof(tile + 1, kind, secret, path)
        faulty["a path too short"] = Proof(tile, kind, secret, path[:-1])
        faulty["no path"] = Proof(tile, kind, secret, ())
        faulty["a changed path"] = Proof(tile, kind, secret, (*path[:-1], filled(1)))
    if len(path) > 1:
        faulty["a path turned round"] = Proof(tile, kind, secret, path[::-1])
    return faulty


def _shares(count: int) -> dict[str, Any]:
    """Return a dealer's seed split for so many receivers."""
    seed, round_ = filled(0xD1), 1
    receivers = sorted([*SEEDS, Signer("Dan").key])[:count]
    secret = tag("pad") + MATCH + number_bytes(round_) + seed
    pads = [hashlib.sha256(secret + key).digest() for key in receivers[:-1]]
    shares = dict(zip(receivers, split(seed, pads), strict=True))
    return {
        "round": round_,
        "seed": seed.hex(),
        "shares": [
            {
                "receiver": key.hex(),
                "share": share.hex(),
                "digest": share_digest(MATCH, round_, key, share).hex(),
            }
            for key, share in shares.items()
        ],
    }
