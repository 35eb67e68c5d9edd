"""Consent to handing a seat over, counted by the host."""

from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.match.election import OFFERS
from netplay.messages.log import Consent
from netplay.record.log import hand_data
from rules import GAMES
from tests.netplay.party import Party

NUMLO = GAMES["numlo"].ABOUT.options(size=8, values=False)


def ready(members: int = 3) -> Party:
    party = Party("numlo", members, NUMLO)
    party.link_all()
    party.settle()
    return party


def consent(party: Party, n: int, seat: int, key: bytes, name: str) -> Consent:
    match = party.member(n)
    data = hand_data(match.match, seat, key, name, match.fold.handed)
    return Consent(match.match, seat, key, name, match.signer.sign(data))


def test_one_who_does_not_agree_keeps_the_seat_where_it_is() -> None:
    party = ready(4)
    for n in (0, 1):
        party.member(n).agree(3, party.keys[1].key, "M1", party.now)
        party.settle()
    assert party.member(0).fold.holders[3] == party.keys[3].key
    party.member(2).agree(3, party.keys[1].key, "M1", party.now)
    party.settle()
    assert {match.fold.holders[3] for match in party.running} == {party.keys[1].key}


def test_different_wishes_are_not_added_up() -> None:
    party = ready()
    party.member(0).agree(2, party.keys[0].key, "M0", party.now)
    party.member(1).agree(2, party.keys[1].key, "M1", party.now)
    party.settle()
    assert party.member(0).fold.holders[2] == party.keys[2].key


def test_a_consent_is_for_the_next_handing_over_and_no_later_one() -> None:
    party = ready(4)
    host, key = party.member(0), party.keys[1].key
    old = consent(party, 2, 3, party.keys[2].key, "M2")
    for n in (0, 1, 2):
        party.member(n).agree(3, key, "M1", party.now)
        party.settle()
    assert host.fold.handed == 1
    before = list(party.notices[0])
    host.receive(party.keys[2].key, old, party.now)  # it has not heard of the first
    host.agree(3, party.keys[2].key, "M2", party.now)
    party.settle()
    assert party.notices[0] == before
    assert host.fold.holders[3] == key


def test_a_consent_that_nobody_signed_is_refused() -> None:
    party = ready()
    wish = consent(party, 1, 2, party.keys[1].key, "M1")
    with pytest.raises(PeerError) as caught:
        party.member(0).receive(party.keys[1].key, replace(wish, name="M2"), party.now)
    assert caught.value.code is Code.BAD_SIGNATURE


def test_a_host_remembers_only_so_many_wishes() -> None:
    party = ready()
    host = party.member(0)
    for number in range(OFFERS + 5):
        wish = consent(party, 1, 2, party.keys[1].key, f"name {number}")
        host.receive(party.keys[1].key, wish, party.now)
    assert len(host.handover.wishes) == OFFERS


def test_a_guest_that_agrees_to_anything_neither_drowns_nor_displaces_the_others() -> (
    None
):
    party = Party("numlo", 3)
    party.link_all()
    party.settle()
    host, liar = party.member(0), party.keys[2]
    told = len(party.notices[0])
    for number in range(4 * OFFERS):
        key, name = bytes([number]) * 32, f"heir {number}"
        signature = liar.sign(hand_data(host.match, 1, key, name, 0))
        consent = Consent(host.match, 1, key, name, signature)
        for _ in range(3):
            host.receive(liar.key, consent, party.now)
    assert len(party.notices[0]) - told == OFFERS
    heir = party.keys[0].key
    for n in (0, 1):
        party.member(n).agree(2, heir, "M0", party.now)
    party.settle()
    assert host.fold.holders[2] == heir


def test_what_the_log_does_not_take_is_told_and_nothing_changes() -> None:
    party = ready(4)
    stranger = b"s" * 32
    for n in (0, 1, 2):
        party.member(n).agree(3, stranger, "new", party.now)
        party.settle()
    assert party.member(0).fold.holders[3] == party.keys[3].key
    assert any("out of place" in notice for notice in party.notices[0])


def test_the_match_goes_on_with_the_seat_in_other_hands() -> None:
    party = ready()
    for _ in range(5):
        party.play_one(Random(1))
        party.settle()
    party.crash(2)
    for n in (0, 1):
        party.member(n).agree(2, party.keys[0].key, "M0", party.now)
        party.settle()
    party.play_out(Random(2))
    assert {match.audit() for match in party.running} == {"ok"}
