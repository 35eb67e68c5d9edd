"""A host's clock beside the time that its guests were awake."""

from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from netplay.match.timing import LATE_SECONDS
from netplay.messages.log import Clock, Entries, MatchTime, Term
from netplay.record.log import Signed, author_data, term_data
from netplay.sentences import Says
from netplay.wire import pack
from rules import GAMES
from rules.networdz import Expire, Pass
from tests.netplay.match.matches import entered
from tests.netplay.party import Party
from tests.said import says

OPTIONS = GAMES["networdz"].ABOUT.options


def party_with(members: int = 2, **options: Any) -> Party:
    party = Party("networdz", members, OPTIONS(**(options or {"timed": 1})))
    for match in party.running:
        match.parts.unix = lambda: int(party.now)
    party.link_all()
    party.settle()
    return party


def pass_on(party: Party, seconds: float = 5) -> None:
    """Let whoever is on turn pass, after so many seconds."""
    party.wake(seconds)
    [(n, seat)] = party.movers()
    party.member(n).play(seat, pack(Pass()), -1, party.now)
    party.settle()


def until(party: Party, seat: int) -> None:
    while party.movers()[0][1] != seat:
        pass_on(party)


def take(party: Party, move: Any = None, *, at: int | None = None) -> None:
    """Let the host's clock take the turn, as if it were time for it."""
    host = party.member(0)
    at = at if at is not None else host.ledger.log.at + 60_000
    body = Clock(host.fold.digest(), pack(Expire() if move is None else move))
    raw = entered(party, body, at=at)
    host.ledger.accept(raw)
    for n in range(1, len(party.keys)):
        message = Entries(host.match, (raw,))
        party.member(n).receive(party.keys[0].key, message, party.now)
    party.settle()


def confirmed(party: Party, n: int) -> bool:
    """Tell whether a member acknowledges all that it has."""
    match = party.member(n)
    assert len(match.ledger.log) == len(party.member(0).ledger.log)
    return confirmed_by(party, n)


@pytest.mark.parametrize("members", [2, 3])
def test_a_turn_of_a_minute_that_is_taken_after_three_seconds_is_not_confirmed(
    members: int,
) -> None:
    party = party_with(members)
    until(party, 1)
    party.wake(3)
    size = len(party.member(0).ledger.log)
    take(party)
    for n in range(1, members):
        assert not confirmed(party, n)
        assert party.member(n).replica.ack().number == size
        said = "the clock of M0 took a turn 57 s too soon: not confirmed"
        assert said in party.notices[n]
        assert str(party.member(n).hidden.doubt) == said
        assert party.member(n).fold.state.last.error == "The time is over"
    assert party.member(0).final == size
    assert party.notices[0] == []


def test_a_turn_that_is_taken_in_time_is_confirmed() -> None:
    party = party_with(3)
    until(party, 1)
    party.wake(61)
    assert party.member(1).fold.state.last.error == "The time is over"
    assert confirmed(party, 1)
    assert confirmed(party, 2)
    assert party.member(0).final == len(party.member(0).ledger.log)


@pytest.mark.parametrize(("early", "taken"), [(-1.0, True), (1.5, False)])
def test_what_a_slow_line_explains_is_not_contradicted(
    early: float, taken: bool
) -> None:
    party = party_with()
    until(party, 1)
    party.now += 60 - LATE_SECONDS - early
    take(party)
    assert confirmed(party, 1) is taken


def test_doubt_survives_a_restart_and_ends_with_another_host() -> None:
    party = party_with(3)
    until(party, 1)
    take(party)
    party.crash(1)
    party.start(1)
    party.link_all()
    party.settle()
    assert not confirmed(party, 1)
    for n in (1, 2):
        party.now += 2
        party.member(n).vote(party.now)
        party.settle()
    party.wake(1.5)
    assert party.member(1).host != party.keys[0].key
    for n in (1, 2):
        assert party.member(n).hidden.doubt == ""
        assert confirmed(party, n)


# What a guest cannot know.


def test_a_guest_that_slept_does_not_contradict() -> None:
    """Its own clock stood; the time of day tells."""
    party = party_with(3)
    until(party, 1)
    asleep = 57
    party.member(2).parts.unix = lambda: int(party.now) + asleep
    party.now += 3
    take(party)
    assert confirmed(party, 2)
    assert not confirmed(party, 1)


def test_a_guest_that_was_told_of_the_turn_late_does_not_contradict() -> None:
    """Somebody else's turn began while it was cut off."""
    party = party_with(3)
    until(party, 0)
    party.cut(0, 2)
    party.cut(1, 2)
    pass_on(party)
    party.wake(50)
    party.link_all()
    party.settle()
    party.wake(11)
    assert party.member(2).fold.state.last.error == "The time is over"
    assert confirmed(party, 2)


def test_a_cut_in_the_middle_of_a_turn_hides_nothing() -> None:
    party = party_with(3)
    until(party, 1)
    party.cut(0, 2)
    party.now += 2
    party.link_all()
    party.settle()
    take(party)
    assert not confirmed(party, 2)


@pytest.mark.parametrize("seen", [3, 42])
def test_one_who_comes_back_into_its_own_turn_has_time_from_then_on(seen: int) -> None:
    """The time of a match stands while the one on turn is away.

    What was entered since the node is back says nothing of how late that was noticed.
    """
    party = party_with(3)
    until(party, 0)
    party.crash(1)
    party.member(0).play(0, pack(Pass()), -1, party.now)
    party.settle()
    party.wake(100)
    party.start(1)
    party.member(1).parts.unix = lambda: int(party.now)
    party.link_all()
    party.settle()
    host, until_ = party.member(0), party.member(0).fold.clocks.turn_since + 60_000
    party.wake(seen - 2)
    host.say(host.offering.offer(0, "stop", 0), party.now)
    party.settle()
    party.wake(2)
    take(party, at=until_)
    assert confirmed(party, 1) is (60 - seen < 2 * LATE_SECONDS)


def test_a_host_that_says_it_has_more_than_it_has_is_believed_for_a_moment_only() -> (
    None
):
    party = party_with(3)
    match = party.member(2)
    match.witness.apart()
    match.witness.met(party.now, None, 10**6)
    until(party, 1)
    pass_on(party, 13)
    until(party, 1)
    take(party)
    assert not confirmed(party, 2)


def put_forward(party: Party, seconds: int, *, logged: bool) -> None:
    """Let the host say that it is later than it is, and go away for good."""
    host, signer = party.member(0), party.keys[0]
    at = host.ledger.log.at + 1000 * seconds
    said: Any = MatchTime(host.match, at)
    if logged:  # by an entry that takes nothing, and nobody contradicts
        term = pack(Term(0, signed_for(party)))
        sign = signer.sign(
            author_data(host.match, host.ledger.log.own(signer.key), term)
        )
        own = host.ledger.log.own(signer.key)
        line = host.ledger.log.compose(
            host.signer,
            Signed(signer.key, own, term, sign),
            at,
            host.ledger.log.term + 1,
        )
        said = Entries(host.match, (line.raw,))
    for n in (1, 2):
        party.member(n).receive(signer.key, said, party.now)
        party.cut(0, n)
    party.crash(0)
    for n in (1, 2):
        party.member(n).vote(party.now)
    party.settle()


def signed_for(party: Party) -> tuple[tuple[int, bytes], ...]:
    """Return the votes of all for another term of the first host."""
    log, host = party.member(0).ledger.log, party.keys[0].key
    data = term_data(log.match, log.term + 1, host, log.number, log.head)
    return tuple((n, key.sign(data)) for n, key in enumerate(party.keys))


@pytest.mark.parametrize("logged", [False, True])
@pytest.mark.parametrize(
    ("options", "seconds"),
    [({"timed": 3}, 180), ({"tournament": True}, 1500)],
    ids=["a turn", "a fine"],
)
def test_a_host_is_not_led_to_use_the_clock_by_the_one_before(
    options: dict[str, Any], seconds: int, *, logged: bool
) -> None:
    party = party_with(3, **options)
    until(party, 2)
    party.wake(1)
    put_forward(party, seconds - 5, logged=logged)
    began, log = party.now, party.member(1).ledger.log
    while not any(isinstance(line.body, Clock) for line in log.lines):
        party.wake(seconds / 180)
        assert party.now < began + 1.1 * seconds
    assert party.member(1).hosting
    assert party.now - began > seconds - LATE_SECONDS
    assert confirmed_by(party, 2)
    assert not any(
        says(text, Says.CLOCK_TOO_SOON) for told in party.notices for text in told
    )


def test_time_put_forward_lengthens_the_turn_that_it_was_put_forward_in_alone() -> None:
    party = party_with(3, timed=3)
    until(party, 1)
    party.wake(1)
    put_forward(party, 175, logged=True)
    log, rung = party.member(1).ledger.log, list[float]()
    while len(rung) < 2:
        party.wake(1)
        clocks = [one for one in log.lines if isinstance(one.body, Clock)]
        rung += [party.now] * (len(clocks) - len(rung))
        assert party.now < 1000
    assert rung[1] - rung[0] < 180 + LATE_SECONDS


def confirmed_by(party: Party, n: int) -> bool:
    """Tell whether a member acknowledges all that it has."""
    match = party.member(n)
    return match.replica.ack().number == len(match.ledger.log)


# Tournaments.


def tournament() -> Party:
    """Return a party whose first seat on turn has 25 minutes for the match."""
    party = party_with(2, tournament=True)
    until(party, 1)
    return party


def test_overtime_before_the_minutes_of_a_match_are_used_is_not_confirmed() -> None:
    """The host's clock runs ahead a little in each turn, and in none by much."""
    party, host = tournament(), 0
    party.wake(600)
    log = party.member(host).ledger.log
    party.member(host).timing.set(log.at + 1_500_000, party.now)
    match = party.member(host)
    match.replication.do(match.timing.ring(party.now), party.now)
    party.settle()
    assert any(isinstance(line.body, Clock) for line in log.lines)
    assert not confirmed(party, 1)
    assert says(str(party.member(1).hidden.doubt), Says.CLOCK_TOO_SOON, seconds=900)


def test_overtime_in_time_is_confirmed() -> None:
    party = tournament()
    for _ in range(16):
        party.wake(100)
    lines = party.member(1).ledger.log.lines
    assert any(isinstance(line.body, Clock) for line in lines)
    assert party.member(1).hidden.doubt == ""
    assert confirmed(party, 1)


@given(
    missed=st.none() | st.integers(0, 50),
    seen=st.integers(0, 50),
    asleep=st.sampled_from([0, 30]),
    ahead=st.sampled_from([0, 2, 600]),
)
@settings(max_examples=12, deadline=None, phases=(Phase.explicit, Phase.generate))
def test_who_takes_over_goes_on_from_the_time_that_it_has_seen_itself(
    missed: int | None, seen: int, asleep: int, ahead: int
) -> None:
    """What it cannot know of - cut off as the turn began, asleep since - it believes.

    Args:
        missed: Seconds of the turn for which it was cut off, None if it was not.
        seen: Those since then.
        asleep: Those of which its own clock knows nothing.
        ahead: By how much the host before says that it is later than it is.
    """
    party = party_with(3)
    until(party, 2)
    if missed is not None:
        party.cut(0, 1)
        party.cut(1, 2)
    pass_on(party, 1)
    since = party.member(0).ledger.log.at
    party.wake(missed or 0)
    party.link_all()
    party.settle()
    party.now += seen
    said = (missed or 0) + seen + asleep + ahead
    witness, unix = party.member(1).parts.witness, int(party.now) + asleep
    at = witness.take_over(since + 1000 * said, party.now, unix)
    lies = missed is None and not asleep and ahead > LATE_SECONDS
    assert at - since == 1000 * (seen if lies else said)
