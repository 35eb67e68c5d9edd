"""Attempts to choose among outcomes of chance: by going, coming, waiting, refusing.

Each is made by a member whose program does not keep to the protocol; what its peers'
logs take and refuse is what counts.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import pytest

from netplay.errors import Code, PeerError
from netplay.match.dealing import Knowledge
from netplay.match.match import Match
from netplay.messages.log import Commit, Entries, Fork, Hand, Seed, Term
from netplay.record.chance import PUBLIC, Round, commitment
from netplay.record.hidden import Hidden
from netplay.record.ledger import Ledger
from netplay.record.log import Signed, author_data, hand_data, term_data
from netplay.record.store import MemoryDisk
from netplay.sentences import Says
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from tests.netplay.match.matches import turn_of
from tests.netplay.party import Key, Party
from tests.said import says

NUMLO = GAMES["numlo"].ABOUT.options(size=8)


SEEDS: Final = Hidden.seeds


@pytest.fixture(autouse=True)
def holding(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Let the members of a party keep back what is named in here.

    `root`: no dealer fixes a bag; `seeds`: keys of those who show none in a `round`.
    """
    kept: dict[str, Any] = {"root": False, "seeds": set(), "round": 1}
    root = Knowledge.root

    def no_root(self: Knowledge, round_: Round, seed: bytes) -> Any:
        return None if kept["root"] else root(self, round_, seed)

    def no_seed(self: Hidden, number: int) -> Iterator[bytes]:
        members = kept["party"].running if "party" in kept else ()
        own = {one.me for one in members if one.hidden is self}
        hides = own & kept["seeds"] and kept["round"] == number
        return iter(()) if hides else SEEDS(self, number)

    monkeypatch.setattr(Knowledge, "root", no_root)
    monkeypatch.setattr(Hidden, "seeds", no_seed)
    return kept


def party_with(
    kept: dict[str, Any], *, members: int, without: str, who: int = 0
) -> tuple[Party, Round]:
    """Return a party that stops in its first deal, before the root or a seed."""
    party = kept["party"] = Party("networdz", members)
    if without == "root":
        kept["root"] = True
    else:
        kept["seeds"] = {party.keys[who].key}
    party.link_all()
    party.settle()
    return party, deal(party.member(0))


def deal(match: Match, number: int = 1) -> Round:
    round_ = match.fold.rounds.get(number)
    assert round_ is not None
    return round_


def go_on(party: Party, kept: dict[str, Any]) -> None:
    kept["root"], kept["seeds"] = False, set()
    for match in party.running:
        match.members.renew()  # what they owe is looked at again when something changes
        match.step(party.now)
    party.settle()


def renew(party: Party) -> None:
    """Let the host claim a new term for itself, as it may at any time."""
    party.now += 2
    host = party.member(0)
    host.replication.do(host.election.make_claim(party.now), party.now)
    party.settle()


def write(party: Party, body: Any, author: Key, *, term: int | None = None) -> bytes:
    """Return the next entry, as its host signs it."""
    log = party.member(0).ledger.log
    own, raw = log.own(author.key), pack(body)
    signed = Signed(author.key, own, raw, author.sign(author_data(log.match, own, raw)))
    host: Any = author if isinstance(body, Term) else party.keys[0]
    return log.compose(host, signed, log.at, term).raw


def code_of(party: Party, raw: bytes, to: int) -> Code | None:
    """Return why a member refuses an entry, None if it takes it."""
    entries = Entries(party.member(0).match, (raw,))
    try:
        party.member(to).receive(party.keys[0].key, entries, party.now)
    except PeerError as error:
        return error.code
    return None


def term_of(party: Party, host: int, voters: list[int]) -> bytes:
    """Return an entry that makes a member host with these votes."""
    log = party.member(0).ledger.log
    place = (log.term + 1, party.keys[host].key, len(log), log.head)
    data = term_data(log.match, *place)
    votes = tuple((n, party.keys[n].sign(data)) for n in voters)
    return write(party, Term(host, votes), party.keys[host], term=log.term + 1)


# The host before its root.


@pytest.mark.parametrize("members", [2, 3, 4])
def test_a_host_that_renews_its_term_deals_what_it_would_have_dealt(
    holding: dict[str, Any], members: int
) -> None:
    party, before = party_with(holding, members=members, without="root")
    commits, seeds = dict(before.commits), dict(before.seeds)
    assert len(seeds) == members - 1
    draft = party.member(0).knows.draft(before, own_seed(party.member(0), before))
    for _ in range(3):
        renew(party)
    assert party.member(0).ledger.log.term == 3
    for match in party.running:
        assert (deal(match).commits, deal(match).seeds) == (commits, seeds)
        assert match.fold.again == ()
    go_on(party, holding)
    assert draft is not None
    for match in party.running:
        assert deal(match).root is not None
        assert deal(match).deal == draft.deal
        told = [*chain(*party.notices)]
        assert not says(told, Says.NEW_SEAT_DRAWS_AGAIN)
        assert not says(told, Says.NEW_HOST_DRAWS_AGAIN)


def own_seed(match: Match, round_: Round) -> bytes:
    """Return the seed of a member that it has committed to."""
    (seed,) = (
        seed
        for seed in SEEDS(match.hidden, round_.number)
        if commitment(match.match, round_.number, match.me, seed)
        == round_.commits[match.me]
    )
    return seed


@pytest.mark.parametrize("without", ["root", "seed"])
def test_a_renewed_term_leaves_every_state_of_a_round_as_it_is(
    holding: dict[str, Any], without: str
) -> None:
    party, before = party_with(holding, members=3, without=without, who=2)
    commits, seeds = dict(before.commits), dict(before.seeds)
    renew(party)
    after = deal(party.member(1))
    assert (after.commits, after.seeds, after.again) == (commits, seeds, 0)
    go_on(party, holding)
    assert deal(party.member(2)).root is not None


@pytest.mark.parametrize("members", [3, 4])
def test_the_present_host_has_no_vote_for_another(
    holding: dict[str, Any], members: int
) -> None:
    """Else it would, with a friend, have a new deal as often as the two like."""
    party, _ = party_with(holding, members=members, without="root")
    crowd = [*range(members - 1)]  # a quorum, the present host among it
    assert code_of(party, term_of(party, 1, crowd), members - 1) is Code.TERM
    rest = [*range(1, members)]
    assert code_of(party, term_of(party, 1, rest), members - 1) is None


def test_every_deal_that_begins_again_is_counted_and_told(
    holding: dict[str, Any],
) -> None:
    party, before = party_with(holding, members=3, without="root")
    old = {*before.commits.values()}
    party.crash(0)
    party.wake(1)
    party.wake(61)
    for n in (1, 2):
        match = party.member(n)
        assert [(one.round, one.host) for one in match.fold.again] == [(1, "M1")]
        assert any(
            says(line, Says.NEW_HOST_DRAWS_AGAIN, name="M1")
            for line in party.notices[n]
        )
        assert not old & {*deal(match).commits.values()}  # fresh seeds
    party.start(0)
    party.link_all()
    party.settle()
    assert party.member(0).fold.again == party.member(1).fold.again
    assert any(
        says(line, Says.NEW_HOST_DRAWS_AGAIN, number=1) for line in party.notices[0]
    )


# Members who have seen the others' seeds.


@pytest.mark.parametrize("number", [PUBLIC, 1])
def test_whoever_owes_a_seed_cannot_resign_before_it_is_shown(
    holding: dict[str, Any], number: int
) -> None:
    """It would choose between the outcome with its seed and the one without."""
    party = holding["party"] = Party("networdz", 3)
    holding.update(round=number, seeds={party.keys[2].key})
    party.link_all()
    party.settle()
    resign = turn_of(party.member(2), 2, Resign())
    raw = write(party, resign, party.keys[2])
    assert code_of(party, raw, 1) is Code.UNEXPECTED
    assert party.member(1).fold.resigned == set()
    go_on(party, holding)
    raw = write(party, resign, party.keys[2])
    assert code_of(party, raw, 1) is None


def test_a_player_that_resigns_shows_what_it_owes_first(
    holding: dict[str, Any],
) -> None:
    """An honest player is not kept from going: its program shows the seed before."""
    party, _ = party_with(holding, members=3, without="seed", who=2)
    holding["seeds"] = set()
    party.member(2).members.renew()
    party.member(2).step(party.now)
    party.member(2).play(2, pack(Resign()), -1, party.now)
    party.settle()
    for match in party.running:
        assert match.fold.resigned == {2}
        assert match.fold.again == ()
        assert deal(match).root is not None


def test_a_resignation_that_ends_the_match_waits_for_no_seed(
    holding: dict[str, Any],
) -> None:
    party, _ = party_with(holding, members=2, without="seed", who=1)
    party.member(1).play(1, pack(Resign()), -1, party.now)
    party.settle()
    assert party.member(0).fold.over
    assert party.member(0).fold.again == ()


def test_a_seat_handed_over_before_its_seed_is_shown_begins_the_draw_again(
    holding: dict[str, Any],
) -> None:
    """Neither what its seed gives nor what is left without it: both are known."""
    party, before = party_with(holding, members=3, without="seed", who=2)
    old = {*before.commits.values()}
    party.crash(2)
    for n in (0, 1):
        party.member(n).agree(2, party.keys[1].key, "M1", party.now)
        party.settle()
    for n in (0, 1):
        match = party.member(n)
        assert match.fold.holders[2] == party.keys[1].key
        assert [one.round for one in match.fold.again] == [1]
        assert deal(match).root is not None
        assert deal(match).again == 1
        assert not old & {*deal(match).commits.values()}
        assert any(says(line, Says.NEW_SEAT_DRAWS_AGAIN) for line in party.notices[n])


def test_a_draw_that_begins_again_for_the_second_time_takes_fresh_seeds(
    holding: dict[str, Any],
) -> None:
    """Those of the first time are known to who has gone."""
    party, before = party_with(holding, members=4, without="seed", who=2)
    holding["seeds"] = {party.keys[2].key, party.keys[3].key}
    old = {*before.commits.values()}
    for count, gone in enumerate((2, 3), 1):
        party.crash(gone)
        for match in party.running:
            match.agree(gone, party.keys[1].key, "M1", party.now)
            party.settle()
        for match in party.running:
            commits = {*deal(match).commits.values()}
            assert len(match.fold.again) == count
            assert len(commits) == 4 - count
            assert not old & commits
        old |= commits
    assert deal(party.member(0)).root is not None
    told = [line for line in party.notices[0] if says(line, Says.NEW_SEAT_DRAWS_AGAIN)]
    assert [line.partition("number ")[2][:1] for line in told] == ["1", "2"]


@pytest.mark.parametrize("number", [PUBLIC, 1])
def test_who_comes_in_after_all_have_committed_has_no_part_in_the_draw(
    holding: dict[str, Any], number: int
) -> None:
    """A host could else let a friend in whose seed is made for the others' seeds."""
    party = holding["party"] = Party("networdz", 3, seats=4)
    holding.update(round=number, seeds={key.key for key in party.keys})
    party.link_all()
    party.settle()
    assert deal(party.member(0), number).seeds == {}
    friend = Key("friend")
    match = party.member(0).match
    data = hand_data(match, 3, friend.key, "friend", 0)
    votes = tuple((n, party.keys[n].sign(data)) for n in range(3))
    raw = write(party, Hand(3, friend.key, "friend", votes), party.keys[0])
    for n in (0, 1):
        assert party.member(n).ledger.accept(raw)
    commit = write(party, Commit(number, bytes(32)), friend)
    assert code_of(party, commit, 1) is Code.UNEXPECTED
    assert friend.key not in deal(party.member(1), number).lacks_seed(party.keys[0].key)


# Another host, and another history.


def test_public_chance_begins_again_if_a_lost_host_has_not_shown_its_seed(
    holding: dict[str, Any],
) -> None:
    """A host whose seat has resigned could else choose whether its seed counts."""
    party = holding["party"] = Party("numlo", 3, NUMLO)
    holding.update(round=PUBLIC, seeds={party.keys[0].key})
    party.link_all()
    party.settle()
    old = {*deal(party.member(1), PUBLIC).commits.values()}
    party.member(0).play(0, pack(Resign()), -1, party.now)
    party.settle()
    assert party.member(1).fold.resigned == {0}
    party.crash(0)
    party.wake(1)
    party.wake(61)
    for match in party.running:
        public = deal(match, PUBLIC)
        assert [one.round for one in match.fold.again] == [PUBLIC]
        assert public.key is not None
        assert not old & {*public.commits.values()}


def rewound(party: Party, victim: int) -> tuple[bytes, bytes]:
    """Return the entry that closed the deal, and the host's new term in its place."""
    log = party.member(victim).ledger.log
    last = max(line.entry.number for line in log.lines if isinstance(line.body, Commit))
    host, raws = party.keys[0], [line.raw for line in log.lines]
    short = Ledger(MemoryDisk(), raws[:last]).log
    place = (1, host.key, last, short.head)
    data = term_data(log.match, *place)
    votes = tuple((n, party.keys[n].sign(data)) for n in (0, 1))
    raw, own = pack(Term(0, votes)), short.own(host.key)
    signed = Signed(host.key, own, raw, host.sign(author_data(log.match, own, raw)))
    return raws[last], short.compose(host, signed, log.at, 1).raw


def test_a_host_that_goes_back_behind_the_seeds_it_has_seen_is_proved_to(
    holding: dict[str, Any],
) -> None:
    """With a friend it is a quorum of three; its own two signatures convict it."""
    party, _ = party_with(holding, members=3, without="root")
    closing, term = rewound(party, 2)
    victim = party.member(2)
    entries = Entries(victim.match, (term,))
    victim.receive(party.keys[0].key, entries, party.now)
    fork = victim.hidden.fork
    assert fork is not None
    assert {fork.first, fork.second} == {closing, term}
    assert Code.FORK.text in str(victim.stopped)
    party.member(1).receive(victim.me, fork, party.now)
    assert party.member(1).stopped


def test_another_host_that_follows_from_an_earlier_entry_forks_nothing(
    holding: dict[str, Any],
) -> None:
    party, _ = party_with(holding, members=3, without="root")
    host, log = party.keys[0], party.member(2).ledger.log
    last = log.lines[-1]
    short = Ledger(MemoryDisk(), [line.raw for line in log.lines[:-1]]).log
    raw = pack(Term(1, ()))
    signed = Signed(party.keys[1].key, 0, raw, bytes(64))
    other = short.compose(party.keys[1], signed, log.at, 1).raw
    assert log.fork(other) is None
    assert not log.proves(Fork(log.match, last.raw, other))
    assert host.key == log.hosts[0]


def test_what_waited_to_be_said_of_chance_is_not_said_to_another_host(
    holding: dict[str, Any],
) -> None:
    """The old host may know the seed; a fresh one takes its place."""
    party, before = party_with(holding, members=3, without="root")
    match = party.member(2)
    shown = own_seed(match, before)
    party.crash(0)
    match.submitting.add(Commit(1, before.commits[match.me]))
    match.submitting.add(Seed(1, shown))
    party.wake(1)
    party.wake(61)
    after = deal(party.member(1))
    assert after.commits[match.me] != before.commits[match.me]
    assert shown not in after.seeds.values()
