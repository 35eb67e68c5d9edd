"""Hosts that may have forgotten what they signed, by what others say and show."""

from random import Random

from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.limits import QUORUM_SECONDS
from netplay.match.election import CLAIM_SECONDS, RENEWALS_A_SECOND, RENEWALS_AT_ONCE
from netplay.match.receipts import CAUTION_SECONDS, CHECK_SECONDS
from netplay.messages.log import Claim, Entries, Have, Receipts
from netplay.record.hidden import KeptLapse
from netplay.record.store import MemoryDisk
from netplay.sentences import Says
from tests.netplay.match.matches import NUMLO, entered, ready, turn_of, until_turn_of
from tests.netplay.party import Party, have
from tests.said import says

MORE = "claims to have more of the game"
TOO_OLD = "the files of this computer were too old"


def playing(members: int = 3) -> Party:
    """Return a match in which some moves are made."""
    party = ready("numlo", members, options=NUMLO)
    for _ in range(3):
        assert party.play_one(Random(1))
        party.settle()
    return party


def claims(party: Party, n: int, more: int, head: int = 9) -> Have:
    """Let a member say to the host that it has more entries than there are."""
    host = party.member(0)
    here = have(host)
    lie = replace(here, number=here.number + more, head=bytes([head]) * 32)
    host.receive(party.keys[n].key, lie, party.now)
    party.settle()
    return lie


def entries(party: Party) -> int:
    return len(party.member(0).ledger.log)


def plays_on(party: Party) -> bool:
    """Whether one more move is made."""
    before = entries(party)
    party.play_one(Random(1))
    party.settle()
    return entries(party) > before


def test_a_host_waits_a_moment_for_what_a_guest_only_says_it_has() -> None:
    party = playing()
    host = party.member(0)
    claims(party, 2, 5)
    assert not plays_on(party)
    assert host.deadline() is not None
    party.wake(CAUTION_SECONDS - 0.1)
    assert not plays_on(party)
    before = entries(party)
    party.wake(0.2)
    assert entries(party) > before  # what was made meanwhile
    party.cut(0, 2)
    party.link(0, 2)  # it was sent nothing that it said it had
    party.settle()
    assert plays_on(party)
    assert not host.hidden.lost
    assert host.ledger.log.term == 0
    waits = "M2 claims to have more of the game than this computer, which waits"
    goes_on = "M2 has not shown more of the game, which goes on without that"
    assert party.notices[0][-2].startswith(waits)
    assert party.notices[0][-1] == goes_on


def test_a_guest_stops_a_host_once_with_bare_words_and_no_more() -> None:
    party = playing()
    host = party.member(0)
    claims(party, 2, 5)
    party.wake(CAUTION_SECONDS)
    for more in range(1, 20):
        claims(party, 2, more, head=more)
        assert plays_on(party)
        party.cut(0, 2)
        party.link(0, 2)
        claims(party, 2, 1000 + more)
        party.settle()
        assert host.quorate
    assert sum(MORE in text for text in party.notices[0]) == 1
    claims(party, 1, 5)  # of the others it is believed once, too
    assert not plays_on(party)
    party.wake(CAUTION_SECONDS)
    assert plays_on(party)


@given(
    st.lists(
        st.tuples(st.integers(1, 3), st.sampled_from([0.0, 2.0, CAUTION_SECONDS])),
        max_size=5,
    )
)
@example([(1, CAUTION_SECONDS), (2, CAUTION_SECONDS)])
@settings(max_examples=8, deadline=None, phases=(Phase.explicit, Phase.generate))
def test_of_each_who_said_it_had_more_and_showed_nothing_that_is_told_once(
    lies: list[tuple[int, float]],
) -> None:
    party = playing(4)
    waited, told, until = set[int](), set[int](), 0.0
    for n, seconds in lies:
        if n not in waited | told:
            waited.add(n)
            until = party.now + CAUTION_SECONDS
        claims(party, n, 5)
        party.wake(seconds)
        if party.now >= until:
            told, waited = told | waited, set()
        for m in (1, 2, 3):
            said = party.notices[0].count(str(Says.SHOWED_NO_MORE(name=f"M{m}")))
            assert said == (m in told)


def test_whoever_says_it_has_more_is_away_and_the_others_play_on() -> None:
    party = playing()
    party.crash(2)
    host, liar = party.member(0), party.keys[2].key
    host.link_up(liar, party.now)
    claims(party, 2, 5)
    for _ in range(10):
        party.wake(QUORUM_SECONDS / 10)
        claims(party, 2, 6)
    assert liar not in host.members.greeted
    assert host.quorate
    assert host.ledger.log.term == 0


def test_a_host_that_waits_for_entries_claims_no_term_behind_less() -> None:
    party = playing()
    host, log = party.member(0), party.member(0).ledger.log
    claims(party, 2, 5)
    for key in (party.keys[1].key, party.keys[2].key):
        host.receive(key, Claim(log.match, 7, len(log), log.head), party.now)
    party.wake(CAUTION_SECONDS / 2)
    assert log.term == host.ledger.log.term == 0
    party.wake(CAUTION_SECONDS / 2)
    host.receive(party.keys[1].key, Claim(log.match, 9, len(log), log.head), party.now)
    party.settle()
    assert host.ledger.log.term > 9


def test_a_claim_that_was_under_way_comes_to_nothing_while_entries_are_waited_for() -> (
    None
):
    party = playing()
    host, log = party.member(0), party.member(0).ledger.log
    host.receive(party.keys[1].key, Claim(log.match, 7, len(log), log.head), party.now)
    assert host.members.claims_again
    claims(party, 2, 5)  # and the grants of the others come in
    assert host.ledger.log.term == 0
    party.wake(1)
    assert host.ledger.log.term == 0
    party.wake(CAUTION_SECONDS)
    party.wake(1)
    assert host.ledger.log.term > 7
    assert plays_on(party)


def test_a_host_forgets_that_it_waited_once_another_has_begun_a_term() -> None:
    party = playing()
    host = party.member(0)
    claims(party, 2, 5)
    for n in (1, 2):
        party.cut(0, n)
    for n in (1, 2):
        party.member(n).election.vote(party.now)
    party.wake(1)
    assert party.member(1).hosting
    party.link_all()
    party.settle()
    assert host.host == party.keys[1].key
    party.wake(CAUTION_SECONDS)
    assert not host.members.careful
    assert not any(says(text, Says.SHOWED_NO_MORE) for text in party.notices[0])


def put_back(party: Party) -> int:
    """Put an older copy of the host's home back; return how much there was."""
    copies = {name: bytes(d.data) for name, d in party.archives[0].disks.items()}
    for _ in range(3):
        assert plays_on(party)
    party.wake(CHECK_SECONDS)
    count = entries(party)
    party.crash(0)
    for name, data in copies.items():
        party.archives[0].disks[name] = MemoryDisk(data)
    party.start(0)
    return count


def test_a_host_that_was_put_back_learns_it_by_its_own_entries() -> None:
    party = playing()
    count = put_back(party)
    party.link_all()
    while not party.member(0).hidden.lost:
        assert party.deliver()
    assert any(TOO_OLD in text for text in party.notices[0])
    party.settle()
    assert entries(party) >= count
    party.wake(1)
    assert party.member(0).ledger.log.term > 0
    assert plays_on(party)
    assert not any(match.hidden.fork for match in party.running)


def test_a_host_learns_what_it_entered_elsewhere_when_a_guest_acknowledges_it() -> None:
    """Its home was copied, and the other copy has sent the guest one entry more."""
    party = playing(2)
    until_turn_of(party, 0)
    host, guest = party.member(0), party.member(1)
    move = next(iter(party.game.moves(host.fold.state, 0)))
    raw = entered(party, turn_of(host, 0, move))
    guest.receive(host.me, Entries(host.match, (raw,)), party.now)
    party.settle()
    party.wake(1)
    assert party.logs()[0][: len(party.logs()[1])] == party.logs()[1]
    assert any(TOO_OLD in text for text in party.notices[0])
    party.settle()
    assert plays_on(party)
    assert not any(match.hidden.fork for match in party.running)


def test_a_host_that_was_put_back_learns_it_by_its_own_signature() -> None:
    party = playing()
    # It signs for what it has whenever somebody greets it.
    copies = {name: bytes(d.data) for name, d in party.archives[0].disks.items()}
    for _ in range(3):
        assert plays_on(party)
    party.cut(0, 1)
    party.link(0, 1)
    party.settle()
    party.wake(CHECK_SECONDS)
    held = party.member(1).hidden.receipts[party.keys[0].key]
    assert held.number == entries(party)
    party.crash(0)
    for name, data in copies.items():
        party.archives[0].disks[name] = MemoryDisk(data)
    party.start(0)
    host = party.member(0)
    host.link_up(party.keys[2].key, party.now)
    shown = Receipts(host.match, (held,))
    host.receive(party.keys[2].key, shown, party.now)
    assert host.hidden.lost
    assert not host.quorate
    party.crash(0)
    party.start(0)
    assert party.member(0).members.lost  # it is written down


def test_entries_come_in_time_and_nothing_is_signed_twice() -> None:
    party = playing()
    count = put_back(party)
    party.link(0, 2)
    while not party.member(0).members.careful:
        assert party.deliver()
    party.member(0).wake(party.now + CAUTION_SECONDS / 2)
    assert entries(party) < count
    party.settle()
    assert entries(party) == count
    party.link_all()
    party.settle()
    party.wake(1)
    assert plays_on(party)
    assert not any(match.hidden.fork for match in party.running)


def test_a_guest_that_claims_again_and_again_does_not_fill_the_log_with_terms() -> None:
    party = playing()
    host, liar = party.member(0), party.keys[2].key

    def claims() -> None:
        log = host.ledger.log
        claim = Claim(log.match, log.term + 1, len(log), log.head)
        host.receive(liar, claim, party.now)
        party.settle()

    before = entries(party)
    for _ in range(600):  # a minute
        party.wake(0.1)
        claims()
    assert entries(party) - before <= RENEWALS_AT_ONCE + 2
    assert plays_on(party)
    before = entries(party)
    party.wake(1.1 / RENEWALS_A_SECOND)
    claims()
    assert entries(party) - before == 1


def test_a_host_and_a_lost_guest_that_claim_at_once_do_not_cross_for_ever() -> None:
    """Each claims above all it has heard of, every second, before the other's comes."""
    party = playing(2)
    host, guest = party.member(0), party.member(1)
    assert guest.me < host.me  # of two equal claims the smaller key's counts
    log = host.ledger.log
    host.receive(guest.me, Claim(log.match, 1, len(log), log.head), party.now)
    assert host.members.claims_again
    host.outgoing()  # its own claim is lost on the way
    guest.journal.keep(KeptLapse(len(log), over=False))
    guest.members.renew()

    for _ in range(5):
        party.wake(CLAIM_SECONDS)

    assert not guest.members.lost
    assert [match.ledger.log.term for match in (host, guest)] == [log.term] * 2
    assert plays_on(party)
