"""Dealers who never open their seeds: the others do, or say that nobody has."""

from random import Random
from typing import Any

import pytest

from netplay.errors import Code, LocalError
from netplay.match import dealing
from netplay.messages.log import Open, Share, Submit, Term
from netplay.record.chance import ZERO
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.party import Party


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> set[bytes]:
    """Let the members in here never open a seed."""
    keys: set[bytes] = set()
    real = dealing.owed

    def kept(me: bytes, *rest: Any, **more: Any) -> Any:
        for seed, body in real(me, *rest, **more):
            if not (me in keys and isinstance(body, Open)):
                yield seed, body

    monkeypatch.setattr("netplay.match.replicated.owed", kept)
    return keys


def linked(members: int) -> Party:
    party = Party("networdz", members)
    party.link_all()
    party.settle()
    return party


def speak(party: Party, n: int) -> None:
    """Let a member look again at what it owes, though nothing has come."""
    party.member(n).members.renew()
    party.member(n).step(party.now)


def opened_by(party: Party, n: int) -> list[int]:
    """Return which members opened the first deal in a member's log."""
    keys = [key.key for key in party.keys]
    lines = party.member(n).ledger.log.lines
    return [keys.index(x.entry.author) for x in lines if isinstance(x.body, Open)]


@pytest.mark.parametrize("members", [3, 4])
def test_members_who_hold_all_shares_open_a_silent_dealers_bag(
    silent: set[bytes], members: int
) -> None:
    party = linked(members)
    silent.add(party.keys[0].key)
    party.play_out(Random(2))
    assert {match.audit() for match in party.running} == {"ok"}
    assert opened_by(party, 0)[0] != 0
    assert {match.auditing.held_up() for match in party.running} == {""}
    assert verify(party.archives[1].open(party.terms.nonce).read()).verdict == "good"


@pytest.mark.parametrize("members", [3, 4])
def test_they_do_so_when_the_dealer_is_gone_and_another_must_be_host(
    silent: set[bytes], members: int
) -> None:
    party = linked(members)
    silent |= {key.key for key in party.keys}  # nobody, before the dealer is gone
    party.play_out(Random(2))
    assert str(party.member(1).auditing.held_up()) == str(
        Says.BAG_NOT_OPENED(names="M0")
    )
    party.crash(0)
    silent.clear()
    party.wake(1)
    party.wake(61)
    assert {match.host for match in party.running} == {party.keys[1].key}
    assert {match.audit() for match in party.running} == {"ok"}


@pytest.mark.parametrize("pair", [(1, 2), (2, 3), (3, 1)])
def test_shares_that_were_lost_with_a_link_at_the_end_are_given_again(
    silent: set[bytes], pair: tuple[int, int]
) -> None:
    party, (a, b) = linked(4), pair
    silent |= {key.key for key in party.keys}
    cuts = 0
    for _ in range(2000):
        if not party.movers():
            break
        party.play_one(Random(2))
        while party.deliver():
            if any({x, y} == {a, b} and isinstance(m, Share) for x, y, m in party.wire):
                cuts += cuts < 3  # thrice: each time what was on its way is lost
                if cuts < 3:
                    party.cut(a, b)
                    party.settle()
                    party.link(a, b)
    assert cuts
    party.crash(0)
    silent.clear()
    party.wake(1)
    party.wake(61)
    assert {match.audit() for match in party.running} == {"ok"}


def test_a_host_that_is_there_and_enters_no_opening_is_voted_away(
    silent: set[bytes],
) -> None:
    party = linked(3)
    silent |= {key.key for key in party.keys}
    party.play_out(Random(2))
    host = party.member(0)
    receive = host.receive

    def deaf(key: bytes, message: Any, now: float) -> Any:
        return None if isinstance(message, Submit) else receive(key, message, now)

    host.receive = deaf  # type: ignore[method-assign]
    silent.discard(party.keys[1].key)
    silent.discard(party.keys[2].key)
    for n in (1, 2):
        speak(party, n)
    party.settle()
    assert party.member(1).audit() == ""
    for n in (1, 2):
        party.now += 5
        party.member(n).vote(party.now)
        party.settle()
    party.wake(1.5)
    assert party.member(1).host != party.keys[0].key
    assert {party.member(n).audit() for n in (1, 2)} == {"ok"}


def test_a_bag_dealt_in_an_earlier_term_is_opened_too(silent: set[bytes]) -> None:
    party = linked(3)
    silent |= {key.key for key in party.keys}
    party.crash(0)
    party.wake(1)
    party.wake(61)
    party.start(0)
    party.link_all()
    party.play_out(Random(2))
    assert party.member(0).fold.rounds.get(1).dealer == party.keys[0].key  # type: ignore[union-attr]
    assert party.member(0).host == party.keys[1].key
    for match in party.running:
        assert match.audit() == ""
        assert str(match.auditing.held_up()) == str(Says.BAG_NOT_OPENED(names="M0"))
    silent -= {party.keys[n].key for n in (1, 2)}
    for n in (1, 2):
        speak(party, n)
    party.settle()
    assert {match.audit() for match in party.running} == {"ok"}


def test_a_dealer_that_has_resigned_and_hosts_no_more_opens_its_bag(
    silent: set[bytes],
) -> None:
    del silent
    party = linked(3)
    for n in (1, 2):
        party.member(n).hidden.shares.clear()  # so that nobody can in its place

    party.member(0).play(0, pack(Resign()), -1, party.now)
    party.settle()
    party.crash(0)
    party.wake(1)
    party.wake(61)
    party.start(0)
    party.link_all()
    party.play_out(Random(2))
    assert party.keys[0].key not in party.member(0).fold.required
    assert {match.audit() for match in party.running} == {"ok"}


def test_shares_stay_secret_until_the_end(silent: set[bytes]) -> None:
    del silent
    party = linked(3)
    for _ in range(6):
        party.play_one(Random(1))
        party.settle()
    said = [m for m in party.sent.get((1, 2), ()) if isinstance(m, Share)]
    assert said == []


def test_with_two_players_it_is_said_for_ever_who_holds_the_audit_up(
    silent: set[bytes],
) -> None:
    party = linked(2)
    silent.add(party.keys[0].key)
    party.play_out(Random(2))
    for _ in range(2):
        for match in party.running:
            assert match.audit() == ""
            assert str(match.auditing.held_up()) == str(Says.BAG_NOT_OPENED(names="M0"))
            assert str(match.hidden.held_up) == str(Says.BAG_NOT_OPENED(names="M0"))
        party.crash(1)
        party.start(1)
        party.link_all()
        party.settle()
    silent.clear()
    speak(party, 0)
    party.settle()
    for match in party.running:
        assert match.audit() == "ok"
        assert str(match.hidden.held_up) == ""


def test_shares_that_do_not_make_the_seed_are_told_of(
    silent: set[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dealer can give shares that are what its Root says and still are no use."""
    monkeypatch.setattr("netplay.match.dealing.split", lambda _, pads: (*pads, ZERO))
    party = linked(3)
    silent.add(party.keys[0].key)
    party.play_out(Random(2))
    said = party.member(1).auditing.held_up()
    assert str(said) == str(Says.BAG_NOT_OPENED_SHARES_WRONG(names="M0"))
    assert verify(party.archives[1].open(party.terms.nonce).read()).verdict == (
        "unaudited"
    )


# Votes against a host that is there.


def test_one_vote_against_a_host_that_is_there_changes_no_host(
    silent: set[bytes],
) -> None:
    del silent
    party = linked(3)
    party.now += 5
    party.member(1).vote(party.now)
    party.settle()
    for _ in range(8):
        party.wake(1.0)
    assert {match.host for match in party.running} == {party.keys[0].key}
    terms = [
        line for line in party.member(1).ledger.log.lines if isinstance(line.body, Term)
    ]
    assert 1 <= len(terms) <= 4
    party.play_out(Random(1))


def test_votes_of_all_the_others_within_ten_minutes_change_it(
    silent: set[bytes],
) -> None:
    del silent
    party = linked(4)
    for n, seconds in ((3, 60), (1, 500), (2, 30)):
        party.member(n).vote(party.now)
        party.settle()
        party.wake(1.1)
        party.wake(seconds)
    assert party.member(0).host != party.keys[0].key
    assert len({match.host for match in party.running}) == 1


def test_a_vote_is_forgotten_after_ten_minutes(silent: set[bytes]) -> None:
    del silent
    party = linked(3)
    party.member(1).vote(party.now)
    party.settle()
    party.wake(601)
    party.member(2).vote(party.now)
    party.settle()
    party.wake(1.5)
    assert {match.host for match in party.running} == {party.keys[0].key}


@pytest.mark.parametrize("n", [0, 1])
def test_two_cannot_vote_and_no_host_votes_against_itself(
    silent: set[bytes], n: int
) -> None:
    del silent
    party = linked(2)
    with pytest.raises(LocalError) as caught:
        party.member(n).vote(party.now)
    assert caught.value.code is Code.USAGE
