"""What a node alone knows of a match: of two of a kind both outlast a restart."""

from collections.abc import Callable
from typing import Any

import pytest

from netplay.messages.log import Consent, Proof, Receipt, Submit
from netplay.record.hidden import (
    Hidden,
    Kept,
    KeptAgreed,
    KeptBody,
    KeptConsent,
    KeptGrant,
    KeptHeard,
    KeptHour,
    KeptLapse,
    KeptLeft,
    KeptLines,
    KeptOff,
    KeptProof,
    KeptReceipt,
    KeptSeed,
    KeptSeen,
    KeptShare,
    KeptVerdict,
)
from netplay.record.offers import Prepared, Step
from netplay.record.store import MemoryDisk

MATCH, ADA, BEN, CAROL = (bytes((n,)) * 32 for n in range(4))
SIGNED = bytes(64)
LINES = {seat: (Prepared(0, 0, (Step(seat, MATCH, b"a move"),), 0),) for seat in (0, 1)}
TO_BEN = Consent(MATCH, 1, BEN, "Ben", SIGNED)
TO_CAROL = Consent(MATCH, 1, CAROL, "Carol", SIGNED)
RECEIPTS = {key: Receipt(key, 1, 2, MATCH, b"", SIGNED) for key in (ADA, BEN)}
HOURS = {key: KeptHour(key, 10, 20, 0) for key in (ADA, BEN)}
SEEN = {
    key: tuple(
        KeptSeen(key, Submit(MATCH, own, b"turn", SIGNED), 5, 4) for own in (3, 4)
    )
    for key in (ADA, BEN)
}
OFF = KeptOff(0, 10, 20), KeptOff(1, 30, 40)

BOTH: dict[str, tuple[list[Kept], Callable[[Hidden], Any], Any]] = {
    "seeds of a round that began again": (
        [KeptSeed(1, 2, 0, ADA), KeptSeed(1, 2, 1, BEN)],
        lambda kept: [kept.known_seed(1, 2, again) for again in range(3)],
        [ADA, BEN, None],
    ),
    "seeds of two deals": (
        [KeptSeed(1, 0, 0, ADA), KeptSeed(2, 0, 0, BEN)],
        lambda kept: [kept.known_seed(deal, 0) for deal in (1, 2)],
        [ADA, BEN],
    ),
    "tiles": (
        [KeptProof(Proof(tile, tile + 1, MATCH, ())) for tile in (4, 5)],
        lambda kept: {tile: proof.kind for tile, proof in kept.proofs.items()},
        {4: 5, 5: 6},
    ),
    "shares of two deals, each of two members": (
        [KeptShare(deal, who, who) for deal in (1, 2) for who in (ADA, BEN)],
        lambda kept: kept.shares,
        {(deal, who): who for deal in (1, 2) for who in (ADA, BEN)},
    ),
    "bodies, of which the second has left": (
        [KeptBody(7, b"one"), KeptBody(8, b"two"), KeptLeft(8)],
        lambda kept: (kept.bodies, kept.left),
        ({7: b"one", 8: b"two"}, {8}),
    ),
    "lines prepared for two seats": (
        [KeptLines(seat, lines) for seat, lines in LINES.items()],
        lambda kept: kept.prepared,
        LINES,
    ),
    "lines of one seat that are dropped": (
        [*(KeptLines(seat, lines) for seat, lines in LINES.items()), KeptLines(0, ())],
        lambda kept: kept.prepared,
        {1: LINES[1]},
    ),
    "players to whom one seat may go": (
        [KeptConsent(TO_BEN, False), KeptConsent(TO_CAROL, False)],
        lambda kept: [one.consent for one in kept.consents],
        [TO_BEN, TO_CAROL],
    ),
    "a consent that has left since, and another": (
        [KeptConsent(TO_BEN, False), KeptConsent(TO_CAROL, False),
         KeptConsent(TO_BEN, True)],
        lambda kept: {one.consent.name: one.left for one in kept.consents},
        {"Carol": False, "Ben": True},
    ),
    "members to whom chat has come": (
        [KeptHeard(ADA, 3), KeptHeard(BEN, 1)],
        lambda kept: kept.heard,
        {ADA: 3, BEN: 1},
    ),
    "onlookers, and what is said of them": (
        [KeptVerdict(ADA, True), KeptVerdict(BEN, False)],
        lambda kept: kept.verdicts,
        {ADA: True, BEN: False},
    ),
    "members who said something of one onlooker": (
        [KeptAgreed(ADA, CAROL, True), KeptAgreed(BEN, CAROL, False)],
        lambda kept: kept.agreed,
        {CAROL: {ADA: True, BEN: False}},
    ),
    "receipts": (
        [*map(KeptReceipt, RECEIPTS.values())],
        lambda kept: kept.receipts,
        RECEIPTS,
    ),
    "days off": ([*OFF], lambda kept: kept.off, OFF),
    "hours": ([*HOURS.values()], lambda kept: dict(kept.hours), HOURS),
    "turns that were seen": (
        [one for row in SEEN.values() for one in row[::-1]],
        lambda kept: dict(kept.seen),
        SEEN,
    ),
    "promises, of which the last counts": (
        [KeptGrant(2, 5), KeptGrant(3, 4)],
        lambda kept: (kept.granted, kept.vouched),
        (3, 4),
    ),
    "losses, of which the second is over": (
        [KeptLapse(4, False), KeptGrant(6, 9), KeptLapse(0, True)],
        lambda kept: (kept.lost, kept.sworn, kept.vouched),
        (False, False, 9),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BOTH)
def test_of_two_of_a_kind_both_are_known_after_a_restart(name: str) -> None:
    records, read, wanted = BOTH[name]
    disk = MemoryDisk()
    hidden = Hidden(disk, bytes)
    for record in records:
        hidden.keep(record)
    assert read(hidden) == wanted
    hidden.close()
    assert read(Hidden(disk, bytes)) == wanted
