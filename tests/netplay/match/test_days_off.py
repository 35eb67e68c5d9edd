"""Days off: announced by a player, granted by all others, and then the days stand."""

from collections.abc import Iterator

import pytest

from netplay.errors import Code
from netplay.messages.door import Play
from netplay.messages.log import DAYS_OFF
from netplay.messages.table_questions import AnswerOffer, ClaimTime, MakeOffer
from netplay.record.offers import TIMES_OFF
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.joined_nodes import Net
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
