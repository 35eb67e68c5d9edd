"""Days off: announced by a player, granted by all others, and then the days stand."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.match.thinking import DAY_SECONDS
from netplay.messages.door import Play
from netplay.messages.log import DAYS_OFF, What
from netplay.messages.table import Days
from netplay.messages.table_questions import AnswerOffer, ClaimTime, MakeOffer
from netplay.record.clocks import MOST
from netplay.record.offers import TIMES_OFF
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.joined_nodes import Net
from tests.netplay.match.matches import NUMLO
from tests.netplay.match.test_thinking import (
    DAYS,
    Clock,
    begin,
    claim,
    final,
    match,
    move,
    pass_days,
)
from tests.netplay.party import Party


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def net(clock: Clock) -> Iterator[Net]:
    found = Net("ann", "bob", "cyd")
    for node in found.nodes.values():
        node.unix = clock.now
    yield found
    found.close()


def ask_for(net: Net, days: int) -> None:
    """Let ann, who begins, ask for days off."""
    net.done("ann", MakeOffer(0, "days", days))
    net.settle()


def grant(net: Net, *names: str) -> None:
    for name in names:
        seat = match(net, name).fold.names.index(name)
        net.done(name, AnswerOffer(seat, agrees=True))
        net.settle()


def test_the_days_stand_still_for_whoever_has_days_off(net: Net, clock: Clock) -> None:
    begin(net, clock, "bob")
    pass_days(net, clock, 0.5 * DAYS)
    ask_for(net, 5)
    grant(net, "bob")
    for name in ("ann", "bob"):
        found = match(net, name).thinking
        assert found.off() == [(0, 5 * 86_400)]
        assert found.left == DAYS * 86_400 // 2
    pass_days(net, clock, 4.9)
    assert match(net, "bob").thinking.left == DAYS * 86_400 // 2
    assert net.failed("bob", ClaimTime()) is Code.TOO_EARLY
    pass_days(net, clock, 0.1 + 0.4 * DAYS)
    assert match(net, "ann").thinking.off() == []
    assert net.failed("bob", ClaimTime()) is Code.TOO_EARLY
    pass_days(net, clock, 0.1 * DAYS)
    claim(net, "bob")
    assert match(net, "ann").fold.places == (2, 1)
    assert final(net, "bob")


def test_they_run_on_for_the_others(net: Net, clock: Clock) -> None:
    begin(net, clock, "bob")
    ask_for(net, 5)
    grant(net, "bob")
    move(net, "ann")
    pass_days(net, clock, DAYS)
    assert match(net, "bob").thinking.off()
    claim(net, "ann")
    assert match(net, "bob").fold.places == (1, 2)
    for name in ("ann", "bob"):
        assert match(net, name).thinking.off() == [], "it is over"


def test_of_two_who_are_to_answer_a_word_only_one_has_days_off(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="lhexicon", options=(("challenge", "on"),))
    fold = match(net, "ann").fold
    names = fold.names
    while not fold.state.announced:
        (seat,) = fold.actors
        move(net, names[seat])
    off, late = (names[seat] for seat in sorted(fold.actors))
    net.done(off, MakeOffer(names.index(off), "days", 5))
    net.settle()
    grant(net, *(name for name in names if name != off))
    pass_days(net, clock, DAYS)
    author = names[fold.state.turn]
    assert match(net, author).thinking.left == 0
    claim(net, author)
    gone = names.index(late)
    assert all(match(net, name).fold.lapses[gone] == 1 for name in names)
    assert fold.actors == {names.index(off)}


def test_they_are_known_after_a_restart_and_told_in_the_status(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob")
    ask_for(net, 5)
    grant(net, "bob")
    net["bob"].restart(net.now)
    net["bob"].unix = clock.now
    pass_days(net, clock, 2)
    status = net["bob"].tables.table_status(net.now)
    assert status is not None
    assert status.offers.off == ((0, 3 * 86_400),)
    (listed,) = net["bob"].tables.games(net.now)
    assert listed.off == (("ann", 3 * 86_400),)
    assert match(net, "bob").thinking.left == DAYS * 86_400


def test_two_who_are_granted_days_off_by_one_entry_have_their_own(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    names = match(net, "ann").fold.names
    asked = {"ann": 5, "bob": 3}
    for name, days in asked.items():
        net.done(name, MakeOffer(names.index(name), "days", days))
        net.settle()
    first, second = match(net, "ann").fold.offers.standing
    for name, offer in (("ann", second), ("bob", first)):
        net.done(name, AnswerOffer(names.index(name), agrees=True, head=offer.head))
        net.settle()
    net.done("cyd", Play(names.index("cyd"), pack(Resign()), -1))
    net.settle()
    pass_days(net, clock, 1)
    wanted = [(names.index(name), (asked[name] - 1) * 86_400) for name in asked]
    for name in asked:
        assert match(net, name).thinking.off() == sorted(wanted)


def test_one_who_has_not_granted_them_is_enough(net: Net, clock: Clock) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    ask_for(net, 5)
    grant(net, "bob")
    assert match(net, "ann").thinking.off() == []
    seat = match(net, "cyd").fold.names.index("cyd")
    net.done("cyd", AnswerOffer(seat, agrees=False))
    net.settle()
    assert match(net, "ann").fold.offers.standing == ()
    assert match(net, "ann").thinking.off() == []


def test_a_wish_for_days_off_waits_for_its_answers_while_others_move(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob")
    ask_for(net, 2)
    move(net, "ann")
    move(net, "bob")
    grant(net, "bob")
    assert match(net, "ann").thinking.off() == [(0, 2 * 86_400)]


def test_days_off_are_bounded_in_length_and_number(net: Net, clock: Clock) -> None:
    begin(net, clock, "bob")
    assert net.failed("ann", MakeOffer(0, "days")) is Code.USAGE
    for _ in range(TIMES_OFF):
        ask_for(net, DAYS_OFF)
        grant(net, "bob")
    assert match(net, "bob").thinking.off() == [(0, DAYS_OFF * 86_400)]
    assert net.failed("ann", MakeOffer(0, "days", 1)) is Code.USAGE
    assert match(net, "ann").hidden.off[-1].until == (
        match(net, "ann").hidden.off[0].since + TIMES_OFF * DAYS_OFF * 86_400
    )


def test_three_times_off_for_one_player_leave_another_its_own(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob")
    for _ in range(TIMES_OFF):
        ask_for(net, 1)
        grant(net, "bob")
    seat = match(net, "bob").fold.names.index("bob")
    net.done("bob", MakeOffer(seat, "days", 2))
    net.settle()
    net.done("ann", AnswerOffer(0, agrees=True))
    net.settle()
    assert (seat, 2 * 86_400) in match(net, "ann").thinking.off()


def test_without_days_to_think_nobody_has_days_off(net: Net, clock: Clock) -> None:
    del clock
    assert DAYS  # of the other tests
    assert net.failed("ann", MakeOffer(0, "days", 1)) is Code.USAGE


def test_who_asked_for_days_off_and_resigned_is_waited_for_by_nobody(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    ask_for(net, 5)
    grant(net, "bob")
    net.done("ann", Play(0, pack(Resign()), -1))
    net.settle()
    for name in ("ann", "bob", "cyd"):
        assert match(net, name).fold.offers.standing == ()
        assert match(net, name).thinking.off() == []
    assert net.failed("cyd", AnswerOffer(2, agrees=True)) is Code.USAGE


def test_days_off_are_granted_once_the_only_one_left_to_answer_has_resigned(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    ask_for(net, 5)
    grant(net, "bob")
    net.done("cyd", Play(2, pack(Resign()), -1))
    net.settle()
    for name in ("ann", "bob", "cyd"):
        assert match(net, name).fold.offers.standing == ()
        assert match(net, name).thinking.off() == [(0, 5 * 86_400)]


def test_days_off_that_began_before_a_turn_count_for_it_from_its_first_day_on(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob")
    ask_for(net, 3)
    grant(net, "bob")
    move(net, "ann")
    pass_days(net, clock, 1.5)
    move(net, "bob")
    pass_days(net, clock, 1.5)
    for name in ("ann", "bob"):
        assert match(net, name).thinking.off() == []
        assert match(net, name).thinking.left == DAYS * 86_400
    pass_days(net, clock, DAYS)
    claim(net, "bob")
    assert match(net, "ann").fold.places == (2, 1)


# A model of the days: what a node is to say of them, whatever happens.


class Counted:
    """The days of a match whose members are all there, counted down by a hand."""

    def __init__(self, party: Party) -> None:
        self.party = party
        self.off: list[list[int]] = [[] for _ in party.member(0).fold.holders]
        """Of each seat the seconds off that it has yet, one grant behind the other."""
        self.granted = [0 for _ in self.off]
        self.lapsed = [0 for _ in self.off]
        self.out = set[int]()
        self.left = self.gone = 0
        self.before = LIMIT
        """What the turn before has left, whose move somebody may not know."""
        self.seat = -1
        self.turn()
        self.before = self.left

    def turn(self) -> None:
        """Begin a turn, whosever it is."""
        self.before, self.left = LIMIT - self.gone, LIMIT
        self.gone, on = 0, self.party.member(0).on_turn()
        self.seat = on[0] if on else -1

    def wait(self, seconds: int) -> None:
        self.party.wake(float(seconds))
        self.gone += seconds
        self.before -= seconds
        for seat, off in enumerate(self.off):
            runs = seconds
            while off and runs:
                free = min(off[0], runs)
                off[0], runs = off[0] - free, runs - free
                if not off[0]:
                    del off[0]
            if seat == self.seat:
                self.left -= runs

    def act(self, what: str, n: int, days: int, rng: Random) -> None:
        n %= len(self.party.keys)
        if self.seat >= 0:
            getattr(self, f"_{what}")(n, days, rng)
        self.party.settle()
        self.check()

    def _move(self, _n: int, _days: int, rng: Random) -> None:
        mover = self.seat
        assert self.party.play_one(rng)
        self.party.settle()
        self.lapsed[mover] = 0
        self.turn()

    def _wait(self, _n: int, days: int, _rng: Random) -> None:
        self.wait(days * LIMIT // 7)

    def _off(self, n: int, days: int, _rng: Random) -> None:
        if self._agreed(n, "days", days):
            self.off[n].append(days * DAY_SECONDS)
            self.granted[n] += 1
        else:
            assert self.granted[n] == TIMES_OFF or n in self.out

    def _back(self, _n: int, _days: int, _rng: Random) -> None:
        history = self.party.member(0).fold.history
        mover = history[-1].actor if history else -1
        if mover >= 0 and self._agreed(mover, "back", 0):
            self.turn()
            assert self.seat == mover

    def _agreed(self, n: int, what: What, days: int) -> bool:
        """Offer something to which all agree; return whether it could be offered."""
        matches = self.party.running
        try:
            matches[n].say(matches[n].offering.offer(n, what, days), self.party.now)
        except LocalError:
            return False
        self.party.settle()
        for other, one in enumerate(matches):
            if other != n and other not in self.out:
                said = one.offering.answer(other, b"", agrees=True)
                one.say(said, self.party.now)
                self.party.settle()
        return True

    def _claim(self, n: int, _days: int, _rng: Random) -> None:
        seat, match = self.seat, self.party.member(n)
        may = seat >= 0 and n != seat and n not in self.out
        if not may or self.left > 0:
            code = Code.TOO_EARLY if may else Code.USAGE
            with pytest.raises(LocalError) as refused:
                match.claim(self.party.now)
            assert refused.value.code is code
            return
        match.claim(self.party.now)
        self.party.settle()
        self.lapsed[seat] += 1
        if self.resigns(seat):
            self.out.add(seat)
        self.turn()
        self.wait(100)  # a word of what was claimed is no turn, though it is young

    def _late(self, n: int, days: int, rng: Random) -> None:
        """Let one be late, most often the same, and another claim at once."""
        late = n // 2
        while self.seat not in {late, -1} and late not in self.out:
            self._move(n, days, rng)
        self.wait(max(0, self.left + sum(self.off[self.seat]) - 1))
        self.check()
        for one in range(len(self.off)):
            self._claim(one, days, rng)
        self.wait(1)
        self._claim(max({*range(len(self.off))} - self.out - {self.seat}), days, rng)

    def resigns(self, seat: int) -> bool:
        return self.party.game.ABOUT.lapsing is None or self.lapsed[seat] >= MOST

    def _resign(self, n: int, _days: int, _rng: Random) -> None:
        if n not in self.out:
            self.party.member(n).play(n, pack(Resign()), -1, self.party.now)
            self.party.settle()
            self.out.add(n)
            self.turn()

    def _restart(self, n: int, _days: int, _rng: Random) -> None:
        self.party.sync()
        self.party.crash(n)
        self.party.start(n)
        self.party.member(n).parts.unix = lambda: 1_000_000 + int(self.party.now)
        self.party.link_all()
        self.party.settle()
        self.wait(100)  # those whom it meets are asked nothing before

    def check(self) -> None:
        """Check what every node says."""
        seat = self.seat
        off = [(n, each[0]) for n, each in enumerate(self.off) if each]
        for n, one in enumerate(self.party.running):
            thinking, at = one.thinking, f"member {n}"
            assert set(one.fold.resigned) == self.out, at
            assert one.fold.over == (seat < 0), at
            assert thinking.left == (None if seat < 0 else self.left), at
            assert thinking.off() == ([] if seat < 0 else off), at
            may = seat not in {n, -1} and n not in self.out
            assert one.may_claim() == may, at
            if seat < 0:
                continue
            assert thinking.short == (self.left <= LIMIT // 4), at
            assert thinking.left_before == self.before, at
            assert one.claim_in() == (None if n == seat else self.left), at
            ends = self.party.game.ABOUT.lapsing is None
            ends = ends or self.lapsed[seat] + 1 >= MOST
            assert one.claim_ends() == (n != seat and ends), at
            days = "days" in one.offering.may(n)
            assert days == (n not in self.out and self.granted[n] < TIMES_OFF), at


LAW_DAYS: Days = 3
LIMIT = LAW_DAYS * DAY_SECONDS


@settings(max_examples=30, phases=(Phase.explicit, Phase.generate))
@given(
    st.sampled_from([("hexagrams", 2), ("numlo", 3), ("networdz", 3), ("networdz", 2)]),
    st.lists(
        st.tuples(
            st.sampled_from(
                [
                    "move",
                    "move",
                    "wait",
                    "off",
                    "off",
                    "back",
                    "late",
                    "late",
                    "claim",
                    "restart",
                    "resign",
                ]
            ),
            st.integers(0, 3),
            st.integers(1, 8),
        ),
        min_size=15,
        max_size=40,
    ),
    st.integers(0, 2**16),
)
def test_days_and_days_off_are_counted_as_by_hand(
    kind: tuple[str, int], acts: list[tuple[str, int, int]], seed: int
) -> None:
    game, members = kind
    party = Party(game, members, NUMLO if game == "numlo" else None, days=LAW_DAYS)
    for one in party.running:
        one.parts.unix = lambda: 1_000_000 + int(party.now)
    party.link_all()
    party.settle()
    days = Counted(party)
    for what, n, count in acts:
        days.act(what, n, count, Random(seed))
