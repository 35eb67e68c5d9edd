"""Vectors of encrypted bags: points, proofs of every kind, mixes, one whole match."""

from typing import Any, Final

from msgspec.structs import replace

from netplay.bag import shuffle
from netplay.bag.group import base, first_deck, joined, kind_point, packed, times, total
from netplay.bag.lift import (
    Author,
    Share,
    mask_of,
    prove_key,
    prove_lift,
    spare_of,
    spread,
)
from netplay.messages.log import Open
from netplay.record.log import read_body, read_entry
from netplay.record.store import whole
from netplay.record.verify import verify
from netplay.wire import pack
from rules.game import Resign
from rules.networdz import Lay, Pass
from tests.netplay.party import Party
from tools.protocol.examples import KEYS, MATCH, filled
from tools.protocol.wrongs import Scribe

SIZES: Final = (1, 2, 3, 20, 100)
"""Of the bags that are mixed."""

FRESH: Final = filled(0xF0)


def bags() -> dict[str, Any]:
    """Return the vectors."""
    return {
        "tiles": [kind_point(MATCH, kind).hex() for kind in (0, 1, 26, 139)],
        "generators": [shuffle.generator(i).hex() for i in (0, 1, 2, 140)],
        "masks": [_mask(key) for key in KEYS[:2]],
        "spares": [_spare()],
        "lifts": [_lift(size) for size in (1, 7)],
        "mixes": [_mix(size) for size in SIZES],
        "match": _match(),
        "leaving": _leaving(),
    }


def _secrets(key: bytes) -> tuple[int, int]:
    """Return a mask and a spare key."""
    return mask_of(key, MATCH), spare_of(key, MATCH)


def _mask(key: bytes) -> dict[str, str]:
    mask, spare = _secrets(key)
    proof = prove_key(Author(MATCH, key), mask, spare, FRESH)
    points = base(mask).hex(), base(spare).hex()
    return dict(
        zip(("mask", "spare"), points, strict=True),
        match=MATCH.hex(),
        author=key.hex(),
        secret_mask=packed(mask).hex(),
        secret_spare=packed(spare).hex(),
        proof=proof.hex(),
    )


def _spare() -> dict[str, Any]:
    """Return what the first of three spreads, with the parts of the two others."""
    mask, spare = _secrets(KEYS[0])
    others = {key: base(_secrets(key)[1]) for key in KEYS[1:3]}
    said = spread(Author(MATCH, KEYS[0]), 1, mask, spare, others)
    return {
        "match": MATCH.hex(),
        "epoch": 1,
        "dealer": KEYS[0].hex(),
        "mask": base(mask).hex(),
        "takers": [key.hex() for key in others],
        "shared": [times(point, spare).hex() for point in others.values()],
        "points": [point.hex() for point in said.points.values()],
        "rest": packed(said.rest).hex(),
    }


def _lift(size: int) -> dict[str, Any]:
    """Return shares of some tiles with their proof."""
    mask = _secrets(KEYS[0])[0]
    deck = first_deck(MATCH, range(size), base(mask))
    mixed = shuffle.mix(_step(0), mask, deck).deck
    shares = [Share(i, pair.a, times(pair.a, mask)) for i, pair in enumerate(mixed)]
    return {
        "match": MATCH.hex(),
        "author": KEYS[0].hex(),
        "mask": base(mask).hex(),
        "shares": [[one.tile, one.a.hex(), one.d.hex()] for one in shares],
        "proof": prove_lift(Author(MATCH, KEYS[0]), mask, shares, FRESH).hex(),
    }


def _step(number: int) -> shuffle.Step:
    common = total(base(_secrets(key)[0]) for key in KEYS[:2])
    return shuffle.Step(Author(MATCH, KEYS[0]), 1, number, common)


def _mix(size: int) -> dict[str, Any]:
    """Return a bag that is mixed, with the proof."""
    step, mask = _step(0), _secrets(KEYS[0])[0]
    old = first_deck(MATCH, [i // 3 for i in range(size)], step.common)
    mixing = shuffle.mix(step, mask, old)
    proof = shuffle.prove(step, mask, old, mixing, FRESH)
    return {
        "match": MATCH.hex(),
        "author": KEYS[0].hex(),
        "round": 1,
        "step": 0,
        "common": step.common.hex(),
        "old": joined(old).hex(),
        "new": joined(mixing.deck).hex(),
        "proof": proof.hex(),
    }


def _match() -> dict[str, Any]:
    """Return a match of two: words laid, an exchange, resigned."""
    party = Party("networdz", 2, fairness="encrypted")
    party.link_all()
    party.settle()
    for turn in range(6):
        [(n, seat)] = party.movers()
        state = party.member(n).seats.view(seat).state
        lays = (m for m in party.game.moves(state, seat) if isinstance(m, Lay))
        move = Pass(state.tiles.racks[seat][:3]) if turn == 3 else next(lays)
        party.member(n).play(seat, pack(move), -1, party.now)
        party.settle()
    [(n, seat)] = party.movers()
    party.member(n).play(seat, pack(Resign()), -1, party.now)
    party.settle()
    raws = party.logs()[0]
    found = verify(whole(raws))
    return {
        "name": "networdz, two members: an exchange, resigned",
        "file": whole(raws).hex(),
        "entries": found.entries,
        "places": list(found.places),
        "audit": found.audit,
        "kinds": _kinds(party),
    }


def _kinds(party: Party) -> list[list[int]]:
    """Return number and kind of every tile that was ever on a rack."""
    bag = party.member(0).fold.bag
    assert bag is not None
    drawn = sorted(party.member(0).fold.drawn_by)
    return [[tile, kind] for tile in drawn if (kind := bag.kind(tile)) is not None]


def _leaving() -> dict[str, Any]:
    """Return a match of two, three seats, in which a holder resigns its last one."""
    party = Party("networdz", 2, seats=3, fairness="encrypted")
    party.link_all()
    party.settle()
    for _ in range(3):
        [(n, seat)] = party.movers()
        state = party.member(n).seats.view(seat).state
        lays = (m for m in party.game.moves(state, seat) if isinstance(m, Lay))
        party.member(n).play(seat, pack(next(lays)), -1, party.now)
        party.settle()
    party.member(1).play(1, pack(Resign()), -1, party.now)
    party.settle()
    raws = party.logs()[0]
    bodies = [read_body(read_entry(raw).body) for raw in raws]
    [at] = [n for n, body in enumerate(bodies) if isinstance(body, Open)]
    shown = bodies[at]
    assert isinstance(shown, Open)
    wrong = {
        "the epoch before": (replace(shown, round=shown.round - 1), "STALE"),
        "the epoch behind": (replace(shown, round=shown.round + 1), "STALE"),
        "another mask": (replace(shown, seed=filled(2)), "BAD_PROOF"),
    }
    author = read_entry(raws[at]).author
    scribe = Scribe(party.keys, raws)
    return {
        "name": "networdz, two members, three seats: one resigns its last seat",
        "file": whole(raws).hex(),
        "rule": "K18",
        "entry": at,
        "epoch": shown.round,
        "mask": shown.seed.hex(),
        "wrong": [
            {"name": name, "entry": scribe.at(at, body, author).hex(), "error": code}
            for name, (body, code) in wrong.items()
        ],
    }
