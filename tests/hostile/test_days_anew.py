"""How long whoever is waited for has: a day for what it owes, begun once."""

from contextlib import suppress
from itertools import pairwise
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.match.thinking import DAY_SECONDS
from netplay.messages.log import Hour, Late
from netplay.messages.table import Fairness
from netplay.messages.table_questions import AnswerOffer, ClaimTime, MakeOffer
from netplay.record.verify import Replay
from tests.hostile.days import at_bobs_turn, later
from tests.netplay.match.matches import silence
from tests.netplay.party import Party


def of_three(fairness: Fairness, game: str = "networdz") -> tuple[Party, list[int]]:
    """Begin a match of three with a day to think, before any of them has a link."""
    party, clock = Party(game, 3, fairness=fairness, days=1), [1_800_000_000]
    for match in party.running:
        match.parts.unix = lambda: clock[0]
    return party, clock


def without(party: Party, n: int) -> None:
    """Let a member go, and the others have another host if it was that."""
    for other in range(3):
        party.cut(n, other)
    party.wake(1.0)
    party.wake(61.0)


def test_who_keeps_a_seed_back_gains_no_day_by_hosts_that_come_and_go() -> None:
    """Chance begins again with each of them, and all owe something anew."""
    party, clock = of_three("committed")
    silence(party.member(1))
    party.link_all()
    party.settle()
    later(party, clock, 16)
    without(party, 0)
    assert party.member(2).fold.withholding == {0, 1}
    later(party, clock, 4)
    party.link_all()
    party.settle()
    later(party, clock, 1)
    without(party, 1)
    assert party.member(0).fold.host == party.keys[2].key
    later(party, clock, 4)
    party.link_all()
    party.settle()
    later(party, clock, 1)
    party.member(2).claim(party.now)
    party.settle()
    assert {match.fold.resigned for match in party.running} == {frozenset({1})}


def test_who_owes_a_seed_anew_has_a_day_for_that() -> None:
    """The host was here all the while, and goes as the day of another ends."""
    party, clock = of_three("committed")
    silence(party.member(1))
    party.link_all()
    party.settle()
    later(party, clock, 22)
    without(party, 0)
    assert party.member(2).fold.withholding == {0, 1}
    later(party, clock, 4)
    left = party.member(2).thinking.left_of
    assert (left(0), left(1)) == (20 * 3_600, -2 * 3_600)
    party.member(2).claim(party.now)
    party.settle()
    [claim] = party.member(2).fold.claims.standing
    assert claim.seat == 1


class Waited:
    """Until when nodes give each seat time, beside whom their logs wait for."""

    def __init__(self, party: Party, clock: list[int]) -> None:
        self.party, self.clock = party, clock
        self.rows: dict[int, list[tuple[int, int, dict[int, int]]]] = {0: [], 2: []}

    def note(self) -> None:
        """Write down what those say who are honest."""
        for n, rows in self.rows.items():
            match = self.party.member(n)
            left = {s: match.thinking.left_of(s) for s in match.fold.overdue()}
            ends = {s: self.clock[0] + i for s, i in left.items() if i is not None}
            rows.append((match.fold.number, self.clock[0], ends))

    def check(self) -> None:
        """Compare that with the log, entry by entry."""
        for n, rows in self.rows.items():
            waited, done = [(0, set[int]())], Replay()
            for raw in self.party.member(n).ledger.raws(0):
                done.on_entry(raw)
                assert done.fold is not None
                waited.append((done.fold.moves, done.fold.overdue()))
            for (size, before, ends), (more, at, others) in pairwise(rows):
                turns = waited[size : more + 1]
                for seat, end in others.items():
                    still = all(seat in late for _, late in turns)
                    if still and turns[0][0] == turns[-1][0]:
                        assert end == ends[seat], "nobody gains by being waited for"
                    else:
                        assert before <= end - DAY_SECONDS <= at, "a whole day"


def happens(party: Party, what: str, keeps: list[bool], rng: Random) -> None:
    """Let the second of three do what may win it time, or somebody else something."""
    liar = party.member(1)
    match what:
        case "keeps" | "gives":
            keeps[0] = what == "keeps"
            liar.step(party.now)
        case "parts":
            without(party, party.numbers[party.member(2).host])
        case "meets":
            party.link_all()
        case "moves":
            party.play_one(rng)
        case "offers":
            liar.say(liar.offering.offer(1, "stop", 0), party.now)
        case "votes":
            liar.vote(party.now)
        case "claims":
            liar.fold.is_early = lambda _seat: False
            for seat in sorted(liar.fold.overdue() - {1}):
                log, state = liar.ledger.log, liar.fold.digest()
                liar.say(Late(seat, log.head, state, 1, ()), party.now)
    party.settle()


ACTS = st.sampled_from(
    ["keeps", "gives", "parts", "meets", "moves", "offers", "votes", "claims"]
)


@settings(max_examples=8, deadline=None)
@example(
    fairness="encrypted",
    acts=["gives", "keeps", "moves", 9, "gives", "moves", "keeps", 7, "parts", 5],
    game="networdz",
    seed=3,
)
@given(
    fairness=st.just("committed"),
    acts=st.lists(ACTS | st.integers(1, 11), min_size=8, max_size=24),
    game=st.sampled_from(["networdz", "lhexicon"]),
    seed=st.integers(0, 99),
)
def test_whoever_is_waited_for_has_a_day_for_that_and_no_more(
    fairness: Fairness, acts: list[str | int], game: str, seed: int
) -> None:
    party, clock = of_three(fairness, game)
    keeps, rng, waited = [True], Random(seed), Waited(party, clock)
    silence(party.member(1), lambda: keeps[0])
    party.link_all()
    party.settle()
    for act in acts:
        waited.note()
        if isinstance(act, int):
            later(party, clock, act)
        else:
            with suppress(LocalError):
                happens(party, act, keeps, rng)
    waited.note()
    waited.check()


def test_a_wrong_clock_takes_no_time_of_who_was_waited_for_before() -> None:
    """A computer was off for two hours, and its wall says that it was forty."""
    party, clock = of_three("committed")
    silence(party.member(1))
    party.link_all()
    party.settle()
    later(party, clock, 10)
    without(party, 0)
    match, off = party.member(2), 0
    assert match.thinking.left_of(1) == 14 * 3_600
    vars(match.thinking)["_off"] = lambda: off
    other = party.keys[1].key

    def hears(hour: int) -> None:
        told = Hour(match.ledger.log.match, hour)
        match.replication.do(match.thinking.on_hour(other, told, party.now), party.now)

    hears(clock[0])
    off = 40 * 3_600
    clock[0] += off
    hears(clock[0] - 38 * 3_600)
    assert match.thinking.left_of(1) == 12 * 3_600


def test_days_off_cannot_be_claimed_away() -> None:
    with at_bobs_turn("ann", "bob") as two:
        two.net.done("bob", MakeOffer(1, "days", 3))
        two.net.settle()
        two.net.done("ann", AnswerOffer(0, agrees=True))
        two.net.settle()
        two.days(1.1)
        assert two.net.failed("ann", ClaimTime()) is Code.TOO_EARLY
        two.claim_anyway("ann", "bob")
        two.days(2.5)
        assert not any(two.over().values())
        two.move("bob")
        assert two.on_turn() == "ann"
        assert not two.match("bob").fold.claims.done


def test_days_off_are_no_shorter_by_a_clock_that_was_wrong_for_a_night() -> None:
    with at_bobs_turn("ann", "bob") as two:
        two.net.done("bob", MakeOffer(1, "days", 1))
        two.net.settle()
        two.net.done("ann", AnswerOffer(0, agrees=True))
        two.net.settle()
        two.hours(10)
        two.restart("bob", off=30)
        two.meet()
        two.hours(20)  # a day off, and six hours of the turn
        two.claim_anyway("ann", "bob")
        two.wake()
        assert not any(two.over().values())
        two.hours(19)
        two.wake()
        assert two.over()["ann"], "the time is over, and bob's own node says so"
