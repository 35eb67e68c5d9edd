"""Consent to handing a seat over, counted by the host."""

from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.match.election import OFFERS
from netplay.messages.log import Consent, Hand, LogBody, Term, Turn
from netplay.record.log import Signed, author_data, hand_data, term_data
from netplay.record.store import whole
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from tests.netplay.match import encrypted
from tests.netplay.party import Key, Party
from tests.said import says

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


def test_a_host_that_has_resigned_hands_no_seat_on_without_its_own_word() -> None:
    party = ready(4)
    host = party.member(0)
    host.play(0, pack(Resign()), -1, party.now)
    party.settle()
    assert host.fold.resigned == {0}
    for n in (1, 2):
        party.member(n).agree(3, party.keys[1].key, "M1", party.now)
        party.settle()
    assert host.fold.holders[3] == party.keys[3].key
    host.agree(3, party.keys[1].key, "M1", party.now)
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


def test_what_was_wished_before_a_seat_has_passed_is_not_added_to_later_wishes() -> (
    None
):
    """Only another one was asked then: the host may not hand the seat on by it."""
    party = ready(4)
    host, key, later = party.member(0), party.keys[1].key, party.keys[2].key
    party.member(2).agree(3, later, "M2", party.now)
    party.settle()
    for n in (0, 1, 2):
        party.member(n).agree(3, key, "M1", party.now)
        party.settle()
    assert host.fold.handed == 1
    before = list(party.notices[0])
    host.agree(3, later, "M2", party.now)
    party.settle()
    assert party.notices[0] == before
    assert {match.fold.holders[3] for match in party.running} == {key}
    party.member(2).agree(3, later, "M2", party.now)
    party.settle()
    assert {match.fold.holders[3] for match in party.running} == {later}


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


def test_what_the_log_does_not_take_nobody_agrees_to() -> None:
    party = ready(4)
    stranger = b"s" * 32
    for n in (0, 1, 2):
        with pytest.raises(LocalError) as refused:
            party.member(n).agree(3, stranger, "new", party.now)
        assert refused.value.code is Code.USAGE
    for n in (1, 2):  # another program may
        wish = consent(party, n, 3, stranger, "new")
        party.member(0).receive(party.keys[n].key, wish, party.now)
        party.settle()
    assert party.member(0).fold.holders[3] == party.keys[3].key
    assert not party.member(0).submitting.waiting


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


# Of two, one may go on alone, with somebody else at the seats of the other.


def alone(party: Party, n: int = 0) -> Party:
    """Return a match of which only one member is left."""
    for _ in range(4):
        party.play_one(Random(1))
        party.settle()
    party.crash(1 - n)
    party.settle()
    return party


def lone_term(party: Party, n: int) -> bytes:
    """Return the entry by which a member makes itself host by its own vote."""
    match, key = party.member(n), party.keys[n]
    log = match.ledger.log
    vote = key.sign(term_data(log.match, log.term + 1, key.key, len(log), log.head))
    body = pack(Term(n, ((n, vote),)))
    own = log.own(key.key)
    signed = Signed(key.key, own, body, key.sign(author_data(log.match, own, body)))
    return log.compose(key, signed, log.at, log.term + 1).raw


@pytest.mark.parametrize("n", [0, 1])
def test_one_of_two_hands_the_others_seat_on_and_can_do_nothing_else(n: int) -> None:
    party = alone(ready(2), n)
    match, fold = party.member(n), party.member(n).fold
    match.ledger.accept(lone_term(party, n))
    assert match.ledger.fold.host == party.keys[n].key

    def refused(body: LogBody) -> Code:
        log, key = match.ledger.log, party.keys[n]
        own, raw = log.own(key.key), pack(body)
        signed = Signed(key.key, own, raw, key.sign(author_data(log.match, own, raw)))
        with pytest.raises(PeerError) as caught:
            match.ledger.accept(log.compose(key, signed, log.at).raw)
        return caught.value.code

    def hand(seat: int, key: bytes) -> Hand:
        data = hand_data(match.match, seat, key, "heir", fold.handed)
        return Hand(seat, key, "heir", ((n, party.keys[n].sign(data)),))

    me, other, heir = party.keys[n].key, party.keys[1 - n].key, Key("heir").key
    turn = Turn(n, match.ledger.log.head, fold.digest(), pack(Resign()), ())
    assert refused(turn) is Code.UNEXPECTED
    assert refused(hand(n, heir)) is Code.UNEXPECTED  # its own seat
    assert refused(hand(1 - n, me)) is Code.UNEXPECTED  # both seats
    assert refused(hand(1 - n, other)) is Code.UNEXPECTED  # nobody new
    match.agree(1 - n, heir, "heir", party.now)
    assert match.fold.holders[1 - n] == heir
    assert match.fold.electors == {me, heir}


@pytest.mark.parametrize("members", [3, 4])
def test_one_of_more_than_two_never_goes_on_alone(members: int) -> None:
    party = alone(ready(members), 0)
    with pytest.raises(PeerError) as caught:
        party.member(0).ledger.accept(lone_term(party, 0))
    assert caught.value.code is Code.TERM


def test_who_has_left_a_match_of_two_does_not_come_back_as_its_host() -> None:
    party = Party("numlo", 3, NUMLO)
    party.link_all()
    party.settle()
    party.member(2).play(2, pack(Resign()), -1, party.now)
    party.settle()
    with pytest.raises(PeerError) as caught:
        party.member(2).ledger.accept(lone_term(party, 2))
    assert caught.value.code is Code.TERM


def test_an_encrypted_match_has_no_host_by_one_vote() -> None:
    party = encrypted.ready(2)
    with pytest.raises(PeerError) as caught:
        party.member(1).ledger.accept(lone_term(party, 1))
    assert caught.value.code is Code.TERM


def test_a_verifier_names_by_whose_word_a_seat_has_passed() -> None:
    party = alone(ready(2), 0)
    heir = Key("heir").key
    party.member(0).agree(1, heir, "New\u202e Bob", party.now)
    party.settle()
    found = verify(whole(party.member(0).ledger.raws(0)))
    (said,) = map(str, found.passed)
    assert says(said, Says.SEAT_PASSED, number=found.entries - 1, seat="S1")
    assert said.endswith(f"New Bob ({fingerprint(heir)}), as M0 agreed")
    assert found.ok

    four = ready(4)
    for n in (0, 1, 2):
        four.member(n).agree(3, four.keys[1].key, "M1", four.now)
        four.settle()
    (said,) = map(str, verify(whole(four.member(2).ledger.raws(0))).passed)
    assert said.endswith("as M0, M1, M2 agreed")
    for n in (0, 1, 2):
        four.member(n).agree(3, four.keys[2].key, "M2", four.now)
        four.settle()
    first, second = map(str, verify(whole(four.member(2).ledger.raws(0))).passed)
    assert first == said
    assert says(second, Says.SEAT_PASSED, seat="M1", other="M2")


def test_who_came_for_one_seat_of_the_gone_hands_nothing_on_before_the_others() -> None:
    small = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
    party = Party("numlo", 3, small, 4)
    party.link_all()
    party.settle()
    party.member(2).play(2, pack(Resign()), -1, party.now)
    party.settle()
    for other in (1, 2):
        party.cut(0, other)
    keys = [key.key for key in party.keys]
    party.member(1).agree(0, keys[2], "M2", party.now)
    party.settle()
    assert party.member(2).fold.gone == keys[0], "seat 3 has yet to pass"
    for n, seat in ((2, 1), (1, 0)):
        party.member(n).agree(seat, keys[0], "M0", party.now)
        party.settle()
        assert not party.member(n).submitting.waiting
    for n in (1, 2):
        party.member(n).agree(3, keys[2], "M2", party.now)
        party.settle()
    for n in (1, 2):
        fold = party.member(n).fold
        assert not fold.gone
        assert [fold.holders[seat] for seat in (0, 1, 3)] == [keys[2], keys[1], keys[2]]


@pytest.mark.parametrize("resigned", [0, 2])
def test_a_match_goes_on_once_the_seats_of_the_gone_have_passed_that_still_play(
    resigned: int,
) -> None:
    small = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
    party = Party("numlo", 2, small, 4)
    party.link_all()
    party.settle()
    party.member(0).play(resigned, pack(Resign()), -1, party.now)
    party.settle()
    party.cut(0, 1)
    last, heir = party.member(1), Key("heir")
    left = 2 - resigned
    last.agree(left, heir.key, "heir", party.now)
    party.settle()
    assert last.fold.holders[left] == heir.key
    assert not last.fold.gone
    assert last.fold.electors == {last.me, heir.key}
    assert last.fold.holders[resigned] == party.keys[0].key, "nobody plays it"


def test_where_four_have_played_no_seat_goes_to_a_fifth() -> None:
    party = ready(4)
    for n in (2, 3):
        party.member(n).play(n, pack(Resign()), -1, party.now)
        party.settle()
    for n in (1, 2, 3):
        party.cut(0, n)
    last, fifth = party.member(1), Key("fifth")
    with pytest.raises(LocalError):
        last.agree(0, fifth.key, "M4", party.now)
    assert not last.fold.gone, "the match goes on as it was"
    assert not last.submitting.waiting
    party.link_all()
    party.settle()
    with pytest.raises(LocalError):
        party.member(0).agree(1, fifth.key, "M4", party.now)
    # Who has played before is no fifth.
    for n in (0, 2, 3):
        party.cut(1, n)
    last.agree(0, party.keys[2].key, "M2", party.now)
    party.settle()
    assert last.fold.holders[0] == party.keys[2].key
