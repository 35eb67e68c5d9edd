"""Attacks on an encrypted bag are refused; with a fault planted, one gets in."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from netplay.bag import group, lift, shuffle
from netplay.bag import lift as spares
from netplay.bag.group import ORDER, BagError, digest, joined, number
from netplay.errors import PeerError
from netplay.record import masked
from netplay.record.masked import MaskedBag, Phase
from tests.netplay.bag.attacks import KEYS, SECTIONS, Table, gets_in
from tests.netplay.bag.fitted import of_leavers, on_challenges
from tests.simulation.planting import slipped
from tests.simulation.slips import slip

ENOUGH = 200
ENOUGH_PLANTED = 12

ALL = (*SECTIONS, on_challenges, of_leavers)


def test_an_honest_bag_goes_through_all_its_states() -> None:
    table = Table()
    assert table.bag.phase is Phase.KEYING
    assert table.keyed().bag.phase is Phase.MIXING
    assert Table().mixed().bag.phase is Phase.SPARING
    assert Table().ready().bag.phase is Phase.READY
    done = Table().lifted()
    kinds = [done.proof(done_owner, tile).kind for tile, done_owner in own_tiles()]
    assert all(0 <= kind < 4 for kind in kinds)


def own_tiles() -> list[tuple[int, bytes]]:
    return [(0, KEYS[0]), (1, KEYS[1]), (2, KEYS[2]), (3, KEYS[0])]


def test_every_attack_on_an_encrypted_bag_is_refused() -> None:
    found = [attack for section in ALL for attack in section()]
    names = [attack.name for attack in found]
    assert len(names) == len(set(names)) >= ENOUGH
    assert all(attack.reason for attack in found)
    assert [attack.name for attack in found if gets_in(attack)] == []


def ones(_statement: bytes, count: Any) -> list[int]:
    return [1] * (count if isinstance(count, int) else len(count))


def unweighted(_statement: bytes, points: Any) -> bytes:
    return group.total(points)


def without(name: str) -> Callable[[Any, Any, Any], bytes]:
    """Return what a Mix's proof would be about if something were left out."""

    def statement(step: Any, old: Any, new: Any) -> bytes:
        parts = {
            "match": step.author.match,
            "round": number(step.round),
            "step": number(step.step),
            "author": step.author.key,
            "old deck": joined(old),
            "new deck": joined(new),
        }
        del parts[name]
        return digest("mix", *parts.values(), step.common)

    return statement


def any_number(data: bytes, *, zero: bool = False) -> int:
    del zero
    return int.from_bytes(data, "little") % ORDER


def key_of_anybody(_author: Any, mask: bytes, spare: bytes) -> bytes:
    return digest("key", mask, spare)


def lift_of_any_match(author: Any, mask: bytes, shares: Any) -> bytes:
    data = b"".join(number(each.tile) + each.a + each.d for each in shares)
    return digest("lift", author.key, mask, data)


def key_of_any_key(author: Any, _mask: bytes, spare: bytes) -> bytes:
    return digest("key", author.match, author.key, spare)


def lift_of_any_share(author: Any, mask: bytes, shares: Any) -> bytes:
    data = b"".join(number(each.tile) + each.a for each in shares)
    return digest("lift", author.match, author.key, mask, data)


def letter_unlooked_at(bag: MaskedBag, author: bytes, proof: Any) -> None:
    """Check a share, and believe the letter."""
    reading, pair = bag.reading(proof.tile, author), bag.pairs.get(proof.tile)
    if reading is None or pair is None:
        raise PeerError(masked.Code.BAD_PROOF)
    shares = [lift.Share(proof.tile, pair.a, proof.salt)]
    at = lift.Author(bag.match, author)
    try:
        lift.check_lift(at, reading.mask, shares, b"".join(proof.path))
    except lift.BagError:
        raise PeerError(masked.Code.BAD_PROOF) from None


def believed(*_given: Any) -> None:
    """Check nothing."""


class Alike(bytes):
    """A point that differs from none."""

    def __eq__(self, _other: object) -> bool:
        """Return True."""
        return True

    def __ne__(self, _other: object) -> bool:
        """Return False."""
        return False

    __hash__ = bytes.__hash__


PLANTED: dict[str, tuple[Any, str, Any, str]] = {
    "weights of a mix are all one": (
        shuffle,
        "_weights",
        ones,
        "Mix, changes that cancel",
    ),
    "weights of a lift are all one": (lift, "_summed", unweighted, "Lift, changes"),
    "the match is left out of a mix": (
        shuffle,
        "_statement",
        without("match"),
        "Mix, the proof",
    ),
    "the round is left out of a mix": (
        shuffle,
        "_statement",
        without("round"),
        "Mix, the proof",
    ),
    "the step is left out of a mix": (
        shuffle,
        "_statement",
        without("step"),
        "Mix, the proof",
    ),
    "the author is left out of a mix": (
        shuffle,
        "_statement",
        without("author"),
        "Mix, the proof",
    ),
    "the new deck is left out of a mix": (
        shuffle,
        "_statement",
        without("new deck"),
        "Mix, a deck fitted",
    ),
    "numbers of proofs may have two forms": (
        group,
        "unpacked",
        any_number,
        "of proof: the same",
    ),
    "the key is left out of its challenge": (
        lift,
        "_key_statement",
        key_of_any_key,
        "Mask, a key fitted",
    ),
    "what is taken off is left out of its challenge": (
        lift,
        "_lift_statement",
        lift_of_any_share,
        "Lift, a share fitted",
    ),
    "the author is left out of a mask": (
        lift,
        "_key_statement",
        key_of_anybody,
        "Mask, another's",
    ),
    "the match is left out of a lift": (
        lift,
        "_lift_statement",
        lift_of_any_match,
        "Lift, the proof",
    ),
    "a mix is not checked": (shuffle, "check", believed, "Mix, a tile twice"),
    "parts may have torsion": (
        spares,
        "is_point",
        lambda _point: True,
        "Spare, torsion",
    ),
    "parts need not add up": (masked, "check_spread", believed, "Spare, points"),
    "any part is blamed": (masked, "fits", lambda *_given: False, "Blame, of who"),
    "the letter of a tile is believed": (
        MaskedBag,
        "check_proof",
        letter_unlooked_at,
        "Proof, another kind",
    ),
    "any mask opens": (
        masked,
        "group",
        SimpleNamespace(**vars(group) | {"base": lambda _key: Alike(group.IDENTITY)}),
        "Open, another's",
    ),
}


OTHER_EPOCH = "if body.epoch != self.epoch:"
A_SPARE = '\n            raise PeerError(Code.STALE, "a spare'
OWED = "if owner != key and owner in self.holders and tile in self.pairs"
ONCE = """
            if key not in self.parts.get(tile, {})
            if self.reading(tile, owner) is None"""
SLIPS = {
    "a tile may be lifted twice": (f"{OWED}{ONCE}", OWED, "Lift, once more"),
    "one's own tile may be lifted": (
        f"{OWED}{ONCE}",
        "if tile in self.pairs",
        "Lift, of one's",
    ),
    "lifts need no spares": (
        "return self.begun and not (self.awaited or self.lacks_spare() or self.cheat)",
        "return bool(self.pairs)",
        "Lift, before the spares",
    ),
    "a mix of any deck is taken": (
        "if (body.round, body.step, body.old) != place:",
        "if body.round != place[0]:",
        "Mix, of another deck",
    ),
    "anybody may mix": ("if author != wanted.mixer:", "if False:", "Mix, by another"),
    "a spare of any epoch is taken": (
        f"{OTHER_EPOCH}{A_SPARE}",
        f"if False:{A_SPARE}",
        "Spare, another epoch",
    ),
    "a tile is lifted by an old mask": (
        "                self.masks[key] = group.plus(self.masks[key], more)",
        "                pass",
        "Lift, without what the leaver left",
    ),
    "whoever has left may still speak": (
        "if author not in self.holders or self.cheat is not None:",
        "if self.cheat is not None:",
        "by who has left",
    ),
    "masks are shown before the end": (
        "author in self.opened or not (left or over):",
        "author in self.opened:",
        "Open, before the end",
    ),
}


def let_in(about: str) -> bool:
    """Tell whether an attack of some name is not refused.

    With a fault planted some that is honest may not go on: what needs it is left out.
    """
    for section in ALL:
        try:
            if any(about in each.name and gets_in(each) for each in section()):
                return True
        except (AssertionError, PeerError, BagError):
            continue
    return False


def test_there_are_enough_faults_that_are_planted() -> None:
    faults = {(place, name, id(fault)) for place, name, fault, _ in PLANTED.values()}
    assert len(faults) == len(PLANTED), "one is planted twice"
    assert len(PLANTED) + len(SLIPS) >= ENOUGH_PLANTED


@pytest.mark.parametrize("name", PLANTED)
def test_a_fault_that_is_planted_lets_an_attack_in(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, attribute, fault, about = PLANTED[name]
    monkeypatch.setattr(place, attribute, fault)
    if (place, attribute) == (shuffle, "check"):
        monkeypatch.setattr("netplay.record.masked.check", fault)
    assert let_in(about)


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_in_the_states_of_a_bag_lets_an_attack_in(name: str) -> None:
    there, instead, about = SLIPS[name]
    with slipped(slip(there, instead)):
        assert let_in(about)
