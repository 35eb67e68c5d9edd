"""Another host when the one there was is gone."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.errors import Code, LocalError, PeerError
from netplay.match.election import GRANTS_AT_ONCE
from netplay.match.receipts import LOST_AHEAD
from netplay.messages.log import Claim, Entries, Grant, MatchTime, Share, Term
from netplay.messages.types import LARGEST
from netplay.record.log import Signed, author_data, term_data
from netplay.wire import pack
from rules.networdz import Pass
from tests.netplay.match.elections import hosts, isolate, party_of, play_some, resign_of
from tests.netplay.match.matches import (
    claim_of,
    entered,
    promise,
    turn_of,
    until_turn_of,
)
from tests.netplay.party import Party


@pytest.mark.parametrize("members", [3, 4])
def test_after_a_minute_the_next_member_is_host(members: int) -> None:
    party = party_of(members)
    play_some(party, 5, Random(1))
    isolate(party, 0)
    party.wake(0.1)
    party.wake(50)
    party.link_all()
    party.settle()
    party.wake(5)  # it is back, and the minute begins anew
    party.crash(0)
    party.wake(0.1)
    party.wake(59)
    assert hosts(party) == [0] * (members - 1)
    party.wake(2)
    assert hosts(party) == [1] * (members - 1)
    assert len({log[-1] for log in party.logs()}) == 1


def test_a_host_that_had_resigned_is_needed_no_longer_when_it_is_lost() -> None:
    party = party_of(3)
    host = party.member(0)
    host.replication.submit(resign_of(party, 0), party.now)
    host.step(party.now)
    party.settle()
    others = frozenset(key.key for key in party.keys[1:])
    assert {m.fold.electors for m in party.running} == {others}
    assert {m.fold.required for m in party.running} == {others | {host.me}}
    party.crash(0)
    party.wake(0.1)
    party.wake(61)
    assert hosts(party) == [1, 1]
    assert {m.fold.required for m in party.running} == {others}
    play_some(party, 3, Random(1))
    assert party.member(1).fold.moves == 4


@pytest.mark.parametrize("logged", [False, True])
def test_a_host_that_says_the_last_time_there_is_does_not_end_the_match(
    *, logged: bool
) -> None:
    party = party_of(3)
    match = party.member(0).match
    late: Any = MatchTime(match, LARGEST)
    until_turn_of(party, 0 if logged else 1)
    if logged:
        move = next(party.member(0).fold.game.moves(party.member(0).fold.state, 0))
        raw = entered(party, turn_of(party.member(0), 0, move), at=LARGEST)
        party.member(0).ledger.accept(raw)
        late = Entries(match, (raw,))
    for n in (1, 2):
        party.member(n).receive(party.keys[0].key, late, party.now)
    party.settle()
    isolate(party, 0)
    party.crash(0)
    party.wake(1)
    party.wake(61)
    assert hosts(party) == [1, 1]
    size = len(party.logs()[0])
    party.wake(5)
    play_some(party, 2, Random(1))
    one, two = party.logs()
    assert one == two
    assert len(one) == size + 2


def test_a_vote_makes_it_sooner() -> None:
    party = party_of(3)
    party.crash(0)
    party.wake(1)
    party.member(1).vote(party.now)
    party.settle()
    assert hosts(party) == [0, 0]  # one of two is no quorum
    party.member(2).vote(party.now)
    party.settle()
    party.wake(2)
    assert hosts(party) == [1, 1]


@pytest.mark.parametrize("game", ["numlo", "networdz"])
def test_the_others_play_on_and_the_old_host_returns_as_a_peer(game: str) -> None:
    party = party_of(3, game)
    rng = Random(3)
    play_some(party, 4, rng)
    isolate(party, 0)
    party.wake(1)
    party.wake(61)
    assert hosts(party) == [0, 1, 1]
    while party.movers() and party.play_one(rng):
        party.settle()
    party.link_all()
    party.play_out(rng)
    assert hosts(party) == [1, 1, 1]
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    assert {match.audit() for match in party.running} == {"ok"}


def test_a_new_host_opens_tiles_of_a_bag_that_the_old_one_dealt() -> None:
    party = party_of(4, "networdz")
    rng = Random(4)
    play_some(party, 3, rng)
    until_turn_of(party, 1)  # so that others than the lost host are on turn
    party.crash(0)
    party.wake(1)
    party.wake(61)
    moved = len(party.member(1).fold.history)
    while party.movers():
        assert party.play_one(rng)
        party.settle()
    assert party.member(1).on_turn() == [0]
    assert len(party.member(1).fold.history) > moved
    assert len(party.member(1).fold.history) > moved
    for match in party.running:
        own = match.fold.seats_of(match.me)[0]
        assert match.seats.view(own).up_to_date


def test_a_share_that_comes_late_is_handed_on_to_the_new_host() -> None:
    party = Party("networdz", 3)
    party.link_all()
    while party.deliver():  # nobody tells member 2 its share of the first bag's seed
        party.collect()
        lost = [m for m in party.wire if m[1] == 2 and isinstance(m[2], Share)]
        party.wire = type(party.wire)(m for m in party.wire if m not in lost)
    party.crash(0)
    party.wake(1)
    party.wake(61)
    assert hosts(party) == [1, 1]
    one, two = party.member(1), party.member(2)
    assert (1, two.me) not in two.hidden.shares
    party.start(0)
    party.link(0, 1)
    party.link(0, 2)
    party.settle()
    assert one.hidden.shares[1, two.me] == two.hidden.shares[1, two.me]
    # So the new host can make the bag of the next deal.
    while party.movers() != [(1, 1)]:
        play_some(party, 1, Random(9))
    rack = one.seats.view(1).state.tiles.racks[1]
    one.play(1, pack(Pass(rack[:2])), -1, party.now)
    party.settle()
    assert party.movers() == [(2, 2)]


def test_a_deal_begun_by_a_lost_host_begins_again() -> None:
    party = party_of(3, "networdz")
    while party.movers() != [(1, 1)]:
        play_some(party, 1, Random(9))
    isolate(party, 0)
    rack = party.member(1).seats.view(1).state.tiles.racks[1]
    party.link_all()
    party.settle()
    party.member(1).play(1, pack(Pass(rack[:2])), -1, party.now)
    for _ in range(12):
        party.deliver()
    party.crash(0)
    party.settle()
    party.wake(1)
    party.wake(61)
    assert hosts(party) == [1, 1]
    # The lost host's seat must commit to the new deal as well: it returns for that.
    party.start(0)
    party.link_all()
    party.play_out(Random(2))
    assert {match.audit() for match in party.running} == {"ok"}
    logs = party.logs()
    assert all(log == logs[0] for log in logs)


def test_what_only_the_old_host_had_entered_is_dropped_and_entered_again() -> None:
    party = party_of(3)
    rng = Random(5)
    while party.movers() != [(0, 0)]:
        play_some(party, 1, rng)
    before = len(party.logs()[0])
    party.play_one(rng)  # on the host's disk alone: nobody has been sent it
    isolate(party, 0)
    assert len(party.member(0).ledger.log) == before + 1
    party.wake(1)
    party.wake(61)
    assert hosts(party) == [0, 1, 1]
    party.link_all()
    party.settle()
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    moves = [match.fold.moves for match in party.running]
    assert moves == [moves[0]] * 3
    assert party.movers() != [(0, 0)]  # its move was entered by the new host
    party.play_out(rng)


def test_promises_survive_a_crash() -> None:
    party = party_of(3)
    promise(party.member(2), 7)
    party.crash(2)
    party.start(2)
    assert party.member(2).hidden.granted == 7


def test_a_claim_is_not_granted_while_the_host_is_there() -> None:
    party = party_of(3)
    log = party.member(1).ledger.log
    claim = Claim(log.match, 1, len(log), log.head)
    party.member(2).receive(party.keys[1].key, claim, party.now)
    party.settle()
    assert party.member(2).hidden.granted == 0


def test_a_host_that_hears_of_a_claim_renews_its_own_term() -> None:
    party = party_of(3)
    log = party.member(1).ledger.log
    claim = Claim(log.match, 4, len(log), log.head)
    party.member(0).receive(party.keys[1].key, claim, party.now)
    party.settle()
    assert hosts(party) == [0, 0, 0]
    assert [match.ledger.log.term for match in party.running] == [5, 5, 5]
    party.play_out(Random(1))


@pytest.mark.parametrize("member", [0, 2])
def test_a_claim_near_the_end_of_the_numbers_is_refused(member: int) -> None:
    party = party_of(3)
    if member:
        isolate(party, 0)
        party.settle()
        party.now += 61
    log = party.member(1).ledger.log
    claim = Claim(log.match, 2**53, len(log), log.head)
    with pytest.raises(PeerError) as caught:
        party.member(member).receive(party.keys[1].key, claim, party.now)
    assert caught.value.code is Code.TERM
    party.settle()
    assert party.member(member).ledger.log.term == 0
    assert party.member(member).hidden.granted == 0


def test_members_that_were_lost_one_after_another_still_find_a_host() -> None:
    party = party_of(3)
    isolate(party, 0)
    party.settle()
    party.now += 61
    log = party.member(2).ledger.log
    far = log.term + 3 * LOST_AHEAD  # each first claim is above the one before
    claim = Claim(log.match, far, len(log), log.head)
    party.member(2).receive(party.keys[1].key, claim, party.now)
    assert party.member(2).hidden.granted == far


def test_each_host_that_is_lost_is_followed_by_the_next_round_the_table() -> None:
    party = party_of(4)
    for lost in range(4):
        play_some(party, 2, Random(lost))
        assert hosts(party) == [lost] * 4
        isolate(party, lost)
        party.wake(1)
        party.wake(61)
        following = [(lost + 1) % 4] * 4
        following[lost] = lost
        assert hosts(party) == following
        party.link_all()
        party.settle()
    logs = party.logs()
    assert all(log == logs[0] for log in logs)


def test_a_member_that_claims_term_after_term_is_promised_one_a_second() -> None:
    party = party_of(3)
    isolate(party, 0)
    party.settle()
    party.now += 61
    one, log = party.member(2), party.member(1).ledger.log
    for term in range(1, 200):
        claim = Claim(log.match, term, len(log), log.head)
        one.receive(party.keys[1].key, claim, party.now)
    assert one.hidden.granted == GRANTS_AT_ONCE
    party.now += 1
    claim = Claim(log.match, 200, len(log), log.head)
    one.receive(party.keys[1].key, claim, party.now)
    assert one.hidden.granted == 200


def test_a_claim_for_less_than_we_have_is_answered_with_the_rest() -> None:
    party = party_of(3)
    isolate(party, 0)
    party.wake(1)
    party.now += 61
    log = party.member(1).ledger.log
    claim = Claim(log.match, 1, len(log) - 1, log.heads[-2])
    party.member(2).receive(party.keys[1].key, claim, party.now)
    assert party.member(2).hidden.granted == 0


def test_a_grant_with_a_bad_signature_is_a_breach() -> None:
    party = party_of(4)
    isolate(party, 0)
    party.wake(1)
    party.now += 61
    match = party.member(1)
    match.wake(party.now)
    claim = claim_of(match)
    bad = Grant(match.match, claim.term, claim.number, claim.head, bytes(64))
    with pytest.raises(PeerError) as caught:
        match.receive(party.keys[2].key, bad, party.now)
    assert caught.value.code is Code.BAD_SIGNATURE
    old = Grant(match.match, 99, claim.number, claim.head, bytes(64))
    match.receive(party.keys[2].key, old, party.now)


def test_who_has_granted_an_equal_claim_takes_no_term_by_its_own() -> None:
    """Else two members are host in one term, and what one of them enters is lost."""
    party = party_of(4)
    isolate(party, 0)
    party.wake(1)
    party.now += 61
    match, log = party.member(1), party.member(1).ledger.log
    match.wake(party.now)
    [claim] = {o.message for o in match.outgoing() if isinstance(o.message, Claim)}
    rival = min((2, 3), key=lambda n: party.keys[n].key)
    assert party.keys[rival].key < match.me, "whose claim is the one that counts"
    match.receive(party.keys[rival].key, claim, party.now)
    assert match.hidden.granted == claim.term
    place = claim.term, match.me, claim.number, claim.head
    for n in (2, 3):
        signature = party.keys[n].sign(term_data(log.match, *place))
        late = Grant(log.match, claim.term, claim.number, claim.head, signature)
        match.receive(party.keys[n].key, late, party.now)
    match.step(party.now)
    assert (match.ledger.log.term, match.host) == (0, party.keys[0].key)


def test_a_grant_of_a_claim_made_before_a_crash_accuses_nobody() -> None:
    party = party_of(4)
    isolate(party, 0)
    party.wake(1)
    party.now += 61
    match, voter = party.member(1), party.keys[2]
    match.wake(party.now)
    claim = claim_of(match)
    place = (claim.term, match.me, claim.number - 1, bytes(32))
    sign = voter.sign(term_data(match.match, *place))
    late = Grant(match.match, claim.term, claim.number - 1, bytes(32), sign)
    match.receive(voter.key, late, party.now)
    other = party.keys[3]
    place = (claim.term, match.me, claim.number, claim.head)
    good = other.sign(term_data(match.match, *place))
    grant = Grant(match.match, claim.term, claim.number, claim.head, good)
    match.receive(other.key, grant, party.now)
    match.step(party.now)
    assert match.ledger.log.term == 0, "two of four are not enough"


def test_a_term_without_a_quorum_is_refused() -> None:
    party = party_of(3)
    match = party.member(1)
    log = match.ledger.log
    body = pack(Term(1, ()))
    own = log.own(match.me)
    sign = match.signer.sign(author_data(log.match, own, body))
    raw = log.compose(match.signer, Signed(match.me, own, body, sign), 0, 1).raw
    with pytest.raises(PeerError) as caught:
        party.member(2).receive(
            party.keys[1].key, Entries(match.match, (raw,)), party.now
        )
    assert caught.value.code is Code.TERM


def test_two_players_wait_for_each_other() -> None:
    party = party_of(2)
    party.crash(0)
    party.wake(1)
    party.wake(100)
    assert hosts(party) == [0]
    assert party.member(1).paused


def test_votes_of_two_of_three_replace_a_host_that_is_there() -> None:
    party = party_of(3)
    with pytest.raises(LocalError):
        party.member(0).vote(party.now)
    for n in (1, 2):
        party.member(n).vote(party.now)
        party.settle()
    party.wake(2)
    assert hosts(party)[0] != 0
    assert len(set(hosts(party))) == 1
    party.play_out(Random(1))


def test_a_vote_against_one_host_is_none_against_the_next() -> None:
    party = party_of(4)
    party.member(2).vote(party.now)
    party.settle()
    assert hosts(party) == [0] * 4, "one of three is too few"
    isolate(party, 0)
    party.wake(1)
    party.wake(61)
    party.link_all()
    party.settle()
    assert hosts(party) == [1] * 4
    isolate(party, 0)
    party.settle()
    log = party.member(3).ledger.log
    before = log.term
    claim = Claim(log.match, before + 1, len(log), log.head)
    party.member(1).receive(party.keys[3].key, claim, party.now)
    party.settle()  # it is there: it renews its term, for which it needs all three
    assert hosts(party)[1:] == [1] * 3
    terms = {party.member(n).ledger.log.term for n in (1, 2, 3)}
    assert terms == {before + 2}


def test_who_has_granted_a_claim_that_came_to_nothing_claims_in_its_turn() -> None:
    party = party_of(4)
    isolate(party, 0)
    party.wake(1)
    party.now += 61
    party.member(1).wake(party.now)
    for _ in range(40):
        if party.member(2).hidden.granted:
            break
        party.deliver()
    assert party.member(2).hidden.granted == 1
    party.crash(1)
    party.link(0, 2)
    party.link(0, 3)
    party.settle()
    for _ in range(4):
        party.wake(31)
    assert len(set(hosts(party))) == 1
    assert party.member(2).ledger.log.term > 1
    party.start(1)
    party.link_all()
    party.play_out(Random(3))
    logs = party.logs()
    assert all(log == logs[0] for log in logs)


def test_only_who_is_to_claim_is_woken_for_it() -> None:
    party = party_of(2)
    party.cut(0, 1)
    assert [match.election.deadline() for match in party.running] == [None, None]
    party = party_of(3)
    isolate(party, 0)
    assert [match.election.deadline() for match in party.running] == [None, 60.0, None]
    party.wake(61)
    assert [match.election.deadline() for match in party.running] == [None, None, None]


@settings(max_examples=40)
@given(st.floats(0, 1e6))
def test_who_is_woken_when_it_asked_to_be_claims(gone: float) -> None:
    """However the sum was rounded: else it would be woken again at once, and again."""
    party = party_of(3)
    party.now = gone
    isolate(party, 0)
    heir = party.member(1)
    heir.wake(gone)  # the wait begins
    due = heir.election.deadline()
    assert due is not None
    heir.wake(due)
    assert any(isinstance(out.message, Claim) for out in heir.outgoing())
