"""What waits for somebody's answer does not hang when that seat plays no more."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.messages.door import Play
from netplay.messages.table_questions import AnswerWatcher, MakeOffer, WatchAt
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from tests import second_match
from tests.netplay.joined_nodes import Net
from tests.netplay.match.test_days_off import grant
from tests.netplay.match.test_offers import answer, begun, folds, offer, play
from tests.netplay.match.test_thinking import (
    DAYS,
    Clock,
    begin,
    claim,
    match,
    on_turn,
    pass_days,
)
from tests.netplay.party import Party

NO_SHRINK = (Phase.explicit, Phase.generate)
"""Each example is a match: to find a smaller one would take minutes."""


def resign(party: Party, n: int) -> None:
    party.member(n).play(n, pack(Resign()), -1, party.now)
    party.settle()


def hand(party: Party, seat: int, to: int) -> None:
    """Let all but its player agree that a seat passes to another member."""
    fold, heir = party.member(0).fold, party.keys[to].key
    for n, key in enumerate(party.keys):
        if fold.holders[seat] not in (key.key, heir):
            party.member(n).agree(seat, heir, f"M{to}", party.now)
            party.settle()


def granted(party: Party) -> list[tuple[int, int]]:
    return [(one.seat, one.days) for one in folds(party)[0].offers.agreed]


def read_by_another(party: Party) -> second_match.Match:
    """Return what a reader with rules of its own makes of the match."""
    reader = second_match.Match(lambda *_: (None, None))
    reader.file(party.archives[0].open(party.terms.nonce).read())
    return reader


# Days off, and other offers.


def test_days_off_are_granted_when_the_last_that_has_not_answered_resigns() -> None:
    party = begun("numlo", 3, days=DAYS)
    answer(party, 1, offer(party, 0, "days", 5))
    assert granted(party) == []
    resign(party, 2)
    assert granted(party) == [(0, 5)]
    for fold in folds(party):
        assert fold.offers.standing == ()
    assert party.notices[1][-1] == str(Says.AGREED_DAYS(name="S0", days=5))
    assert read_by_another(party).off == [0]
    party.crash(1)
    party.start(1)
    assert granted(party) == [(0, 5)]


def test_they_wait_on_while_another_has_not_answered() -> None:
    party = begun("numlo", 4, days=DAYS)
    head = offer(party, 0, "days", 5)
    resign(party, 3)
    answer(party, 1, head)
    assert granted(party) == []
    answer(party, 2, head)
    assert granted(party) == [(0, 5)]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def net(clock: Clock) -> Iterator[Net]:
    found = Net("ann", "bob", "cyd", "dan")
    for node in found.nodes.values():
        node.unix = clock.now
    yield found
    found.close()


def test_a_claim_that_resigns_the_last_that_has_not_answered_grants_them(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    names = match(net, "ann").fold.names
    late, other = on_turn(net)
    (asks,) = {*names} - {late, other}
    seat = names.index(asks)
    net.done(asks, MakeOffer(seat, "days", 5))
    net.settle()
    grant(net, other)
    pass_days(net, clock, DAYS)
    assert match(net, asks).thinking.off() == []
    claim(net, other)
    assert match(net, "ann").fold.resigned == {names.index(late)}
    for name in names:
        assert match(net, name).thinking.off() == [(seat, 5 * 86_400)]
        assert match(net, name).fold.offers.standing == ()


def test_who_has_asked_for_days_off_and_resigns_is_granted_none() -> None:
    party = begun("numlo", 3, days=DAYS)
    head = offer(party, 0, "days", 5)
    resign(party, 0)
    assert granted(party) == []
    for n, fold in enumerate(folds(party)):
        assert fold.offers.standing == ()
        assert not party.member(n).offering.waits()
    with pytest.raises(LocalError):
        answer(party, 1, head)
    assert not [told for told in party.notices[1] if "declined" in told]


def test_nobody_is_asked_any_more_once_the_match_is_over() -> None:
    party = begun("hexagrams", 2, days=DAYS)
    offer(party, 0, "days", 5)
    assert party.member(1).offering.waits()
    resign(party, 0)
    assert folds(party)[1].over
    assert folds(party)[1].offers.standing == ()
    assert not party.member(1).offering.waits()
    other = begun("hexagrams", 2, days=DAYS)
    offer(other, 0, "days", 5)
    resign(other, 1)
    assert granted(other) == []
    assert read_by_another(other).off == []


def test_days_off_that_are_declined_after_a_move_are_told_of() -> None:
    party = begun("numlo", 3, days=DAYS)
    head = offer(party, 0, "days", 5)
    play(party)
    answer(party, 2, head, agrees=False)
    assert party.notices[1][-1] == str(Says.DECLINED_DAYS(name="S0"))


def test_what_a_seat_offered_goes_with_its_player_and_so_does_its_answer() -> None:
    party = begun("numlo", 4, days=DAYS)
    offer(party, 3, "days", 5)
    draw = offer(party, 1, "draw")
    answer(party, 3, draw)
    hand(party, 3, to=1)
    for fold in folds(party):
        assert [(one.head, one.agreed) for one in fold.offers.standing] == [
            (draw, frozenset())
        ]
    for n in (0, 2):
        answer(party, n, draw)
        assert party.member(n).fold.ended is None
    heir = party.member(1)
    heir.say(heir.offering.answer(3, draw, agrees=True), party.now)
    party.settle()
    assert [fold.ended for fold in folds(party)] == ["draw"] * 4
    assert read_by_another(party).ended == "draw"


def test_nothing_is_moved_or_offered_before_all_seats_of_who_is_gone_have_passed() -> (
    None
):
    party = begun("numlo", 3, days=DAYS)
    hand(party, 1, to=2)
    hand(party, 2, to=1)  # of two players one alone agrees: the other's key is lost
    match = party.member(0)
    assert match.fold.holders[2] == party.keys[1].key
    assert match.fold.holders[1] == party.keys[2].key
    assert match.offering.may(0) == []
    with pytest.raises(LocalError) as caught:
        match.play(0, pack(Resign()), -1, party.now)
    assert caught.value.code is Code.SILENT
    hand(party, 1, to=1)
    assert "stop" in match.offering.may(0)
    match.play(0, pack(Resign()), -1, party.now)
    party.settle()
    assert [fold.resigned for fold in folds(party)] == [{0}] * 3


@given(st.data())
@settings(max_examples=8, deadline=None, phases=NO_SHRINK)
def test_a_reader_with_rules_of_its_own_sees_the_same_offers_stand(
    data: st.DataObject,
) -> None:
    party = begun("numlo", data.draw(st.integers(2, 4)), days=DAYS)
    dice = Random(data.draw(st.integers(0, 999)))
    for _ in range(16):
        fold = folds(party)[0]
        if fold.over:
            break
        do_something(party, dice)
        reader, fold = read_by_another(party), folds(party)[0]
        theirs = {h: (s, w, frozenset(a)) for h, (s, w, a) in reader.offered.items()}
        ours = {o.head: (o.seat, o.what, o.agreed) for o in fold.offers.standing}
        assert {h: (s, w, a - fold.resigned) for h, (s, w, a) in theirs.items()} == {
            h: (s, w, a - fold.resigned) for h, (s, w, a) in ours.items()
        }
        days = [one.seat for one in fold.offers.agreed if one.what == "days"]
        assert (reader.off, reader.ended) == (days, fold.ended or "")


def do_something(party: Party, dice: Random) -> None:
    """Let somebody offer, answer, move, resign or hand a seat over."""
    fold = folds(party)[0]
    seats = [n for n in range(len(fold.holders)) if n not in fold.resigned]
    seat = dice.choice(seats)
    holder = next(n for n, k in enumerate(party.keys) if k.key == fold.holders[seat])
    match = party.member(holder)
    chance = dice.random()
    if (
        fold.gone
    ):  # nothing else has a place before the seats of who is gone have passed
        return
    if chance < 0.08:
        match.play(seat, pack(Resign()), -1, party.now)
    elif chance < 0.16:
        hand(party, seat, dice.randrange(len(party.keys)))
    elif chance < 0.3:
        party.play_one(dice)
    elif chance < 0.6:
        what = dice.choice(("draw", "stop", "back", "days", "days"))
        if what in match.offering.may(seat):
            match.say(match.offering.offer(seat, what, 3), party.now)
    else:
        answers(party, match, seat, dice)
    party.settle()


def answers(party: Party, match: Any, seat: int, dice: Random) -> None:
    """Let a seat answer something, if there is something that it may answer."""
    for one in match.fold.offers.standing:
        agrees = dice.random() < 0.8
        fresh = seat != one.seat and seat not in one.agreed
        if fresh or (not agrees and seat != one.seat):
            body = match.offering.answer(seat, one.head, agrees=agrees)
            match.say(body, party.now)
            return


# Others of that kind.


def test_a_seat_passes_when_the_last_that_has_not_agreed_resigns() -> None:
    party = begun("numlo", 4)
    for n in (0, 1):
        party.member(n).agree(3, party.keys[1].key, "M1", party.now)
        party.settle()
    assert folds(party)[0].holders[3] == party.keys[3].key
    resign(party, 2)
    for fold in folds(party):
        assert (fold.holders[3], fold.handed) == (party.keys[1].key, 1)


def test_a_bystander_watches_when_the_last_that_has_not_agreed_resigns(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    net.done("dan", WatchAt("ann"))
    net.settle()
    for name in ("ann", "bob"):
        net.done(name, AnswerWatcher(allow=True, whom="dan"))
        net.settle()
    assert net["dan"].tables.mode() == "calling"
    entries = match(net, "cyd").fold.number
    net.done("cyd", Play(2, pack(Resign()), entries))
    net.settle()
    assert net["dan"].tables.mode() == "watching"
    assert net.status("ann").watchers == ("dan",)
