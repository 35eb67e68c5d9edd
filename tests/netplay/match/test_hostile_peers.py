"""What hostile peers submit is refused, and nothing changes."""

from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.messages.log import Seed, Submit
from netplay.record.log import author_data
from netplay.wire import pack, unpack
from rules.networdz import Pass
from tests.netplay.match.matches import (
    a_turn,
    changed,
    entries,
    proof_changed,
    ready,
    turn_of,
    until_turn_of,
)
from tests.netplay.party import Key, Party


def submit(party: Party, n: int, body: Any, own: int | None = None) -> Submit:
    """Return a body as a member would submit it."""
    match = party.member(n)
    number = match.ledger.log.own(match.me) if own is None else own
    raw = pack(body)
    data = author_data(match.match, number, raw)
    return Submit(match.match, number, raw, match.signer.sign(data))


def refusals(party: Party) -> list[int]:
    """Return the codes of the refusals that member 0 has sent."""
    party.collect()
    sent = party.sent.get((0, 1), [])
    return [m.code for m in sent if type(m).__name__ == "Refused"]


def test_a_turn_out_of_turn_is_refused() -> None:
    party = ready()
    until_turn_of(party, 0)
    before = party.logs()[0]
    turn = turn_of(party.member(0), 1, Pass())
    party.member(0).receive(party.keys[1].key, submit(party, 1, turn), party.now)
    assert refusals(party) == [Code.NOT_YOUR_TURN.number]
    assert party.logs()[0] == before


def test_a_turn_at_anothers_seat_is_refused() -> None:
    party = ready()
    until_turn_of(party, 0)
    turn = turn_of(party.member(0), 0, Pass())
    party.member(0).receive(party.keys[1].key, submit(party, 1, turn), party.now)
    assert refusals(party) == [Code.NOT_A_MEMBER.number]


def test_a_turn_for_an_earlier_position_is_refused() -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = changed(turn_of(party.member(0), 1, Pass()), after=bytes([9]) * 32)
    party.member(0).receive(party.keys[1].key, submit(party, 1, turn), party.now)
    assert refusals(party) == [Code.STALE.number]


def test_a_move_that_the_rules_forbid_is_refused_in_the_rules_words() -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = turn_of(party.member(0), 1, Pass((99,)))
    party.member(0).receive(party.keys[1].key, submit(party, 1, turn), party.now)
    assert refusals(party) == [Code.ILLEGAL_MOVE.number]


@pytest.mark.parametrize(
    "forge",
    [
        lambda turn: changed(turn, proofs=()),
        lambda turn: changed(turn, proofs=turn.proofs[::-1]),
        lambda turn: changed(turn, proofs=(*turn.proofs, turn.proofs[0])),
        lambda turn: proof_changed(turn, salt=bytes(32)),
        lambda turn: proof_changed(turn, path=()),
        lambda turn: proof_changed(turn, kind=(turn.proofs[0].kind + 1) % 26),
        lambda turn: proof_changed(turn, tile=turn.proofs[0].tile + 50),
    ],
)
def test_a_tile_that_was_not_drawn_cannot_be_laid(forge: Any) -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = a_turn(party, 1)
    assert turn.proofs
    party.member(0).receive(party.keys[1].key, submit(party, 1, forge(turn)), 0.0)
    assert refusals(party) == [Code.BAD_PROOF.number]


def test_a_letter_other_than_the_proofs_cannot_be_laid() -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = a_turn(party, 1)
    move: Any = party.game.ABOUT.move
    parsed = unpack(turn.move, move)
    lie = tuple(type(s)(s.tile, (s.kind + 1) % 26) for s in parsed.shown)
    forged = changed(turn, move=pack(replace(parsed, shown=lie)))
    party.member(0).receive(party.keys[1].key, submit(party, 1, forged), 0.0)
    assert refusals(party) == [Code.BAD_PROOF.number]


def test_a_signature_that_fails_ends_the_link() -> None:
    party = ready()
    until_turn_of(party, 1)
    good = submit(party, 1, turn_of(party.member(1), 1, Pass()))
    bad = Submit(good.match, good.own, good.body, bytes(64))
    with pytest.raises(PeerError) as caught:
        party.member(0).receive(party.keys[1].key, bad, party.now)
    assert caught.value.code is Code.BAD_SIGNATURE


def test_a_body_sent_twice_is_entered_once() -> None:
    party = ready()
    until_turn_of(party, 1)
    message = submit(party, 1, a_turn(party, 1))
    for _ in range(3):
        party.member(0).receive(party.keys[1].key, message, party.now)
    assert sum(e.author == party.keys[1].key for e in entries(party)) == message.own + 1
    assert refusals(party) == []


def test_a_stranger_has_no_say() -> None:
    party = ready()
    with pytest.raises(PeerError) as caught:
        party.member(0).receive(
            Key("mallory").key, submit(party, 1, Seed(0, bytes(32))), 0.0
        )
    assert caught.value.code is Code.NOT_A_MEMBER
