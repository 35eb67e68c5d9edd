"""Time that is counted: the host rings, everybody checks."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis.strategies import integers

from netplay.errors import Code, PeerError
from netplay.messages.letters import LetterReceipt
from netplay.messages.log import Clock, Entries
from netplay.record.clocks import (
    CLAIMS_A_TURN,
    WORDS_KEPT,
    Claimed,
    Claims,
    Clocks,
    TimeUp,
    elects,
    timed_out,
    waited_for,
)
from netplay.record.playable import Past
from netplay.said import Said
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from rules.lhexicon import Challenge
from rules.networdz import Expire, Overtime, Pass
from tests.netplay.match.matches import entered
from tests.netplay.party import Party
from tools.protocol.games import phony

OPTIONS = GAMES["networdz"].ABOUT.options


@pytest.mark.parametrize("wish", [True, False])
def test_who_resigns_by_wish_was_not_late_though_a_turn_had_lapsed(wish: bool) -> None:
    done = tuple(TimeUp(number, 1, b"claimant", False) for number in (4, 8))
    moves = [(4, 1, Pass(())), (5, 0, Resign()), (9 if wish else 8, 1, Resign())]
    history = [Past(number, seat, move, 0) for number, seat, move in moves]
    assert timed_out(Claims(done=done), history) == frozenset(() if wish else {1})


def party_with(**options: Any) -> Party:
    party = Party("networdz", 2, OPTIONS(**options))
    party.link_all()
    party.settle()
    return party


def pass_turn(party: Party) -> int:
    [(n, seat)] = party.movers()
    party.member(n).play(seat, pack(Pass()), -1, party.now)
    party.settle()
    return seat


def clocks(party: Party) -> list[tuple[int, bool]]:
    return [
        party.member(1).fold.clocks.shown(seat, party.member(1).timing.at(party.now))
        for seat in (0, 1)
    ]


def test_without_a_limit_no_clock_is_shown() -> None:
    party = party_with()
    assert clocks(party) == [(-1, False)] * 2
    assert party.member(0).timing.ring_at() is None


def test_a_timed_turn_is_lost_when_its_minutes_are_over() -> None:
    party = party_with(timed=2)
    [(_, seat)] = party.movers()
    party.now += 30
    assert clocks(party)[seat] == (90_000, True)
    assert clocks(party)[1 - seat] == (120_000, False)
    assert party.member(0).timing.ring_at() == pytest.approx(120)
    party.wake(89)
    assert party.movers() == [(seat, seat)]
    party.wake(2)
    assert party.movers() == [(1 - seat, 1 - seat)]
    assert party.member(1).fold.state.last.error == "The time is over"
    assert clocks(party)[1 - seat] == (120_000, True)


def test_the_clock_stands_while_the_one_on_turn_is_away() -> None:
    party = party_with(timed=2)
    [(_, seat)] = party.movers()
    party.now += 60
    party.cut(0, 1)
    party.wake(600)
    party.link_all()
    party.settle()
    party.wake(50)
    assert party.movers() == [(seat, seat)]
    party.wake(20)
    assert party.movers() == [(1 - seat, 1 - seat)]


def test_in_tournaments_every_minute_over_the_time_costs() -> None:
    party = party_with(tournament=True)
    party.now += 5 * 60
    first = pass_turn(party)
    second = pass_turn(party)
    assert clocks(party)[first] == (20 * 60_000, True)
    party.wake(19 * 60)
    assert party.member(1).fold.state.scores[first] == 0
    party.wake(61)
    assert party.member(1).fold.state.scores[first] == -10
    party.wake(60)
    assert party.member(1).fold.state.scores[first] == -20
    party.wake(58)
    assert party.member(1).fold.state.scores[first] == -20
    party.wake(4)
    party.wake(1)
    assert party.member(1).fold.state.scores[first] == -30
    party.wake(54)
    assert party.member(1).fold.state.scores[first] == -30
    party.wake(4)
    assert party.member(1).fold.state.scores[first] == -40
    assert clocks(party)[first] == (0, True)
    assert clocks(party)[second] == (25 * 60_000, False)


def test_a_host_cannot_ring_before_the_time() -> None:
    for options, move in (
        ({"timed": 2}, Expire()),
        ({"tournament": True}, Overtime(0)),
        ({}, Expire()),
    ):
        party = party_with(**options)
        raw = entered(party, Clock(party.member(0).fold.digest(), pack(move)), at=1000)
        with pytest.raises(PeerError) as caught:
            message = Entries(party.member(0).match, (raw,))
            party.member(1).receive(party.keys[0].key, message, party.now)
        assert caught.value.code is Code.STALE


def test_only_the_host_rings() -> None:
    party = party_with(timed=1)
    raw = entered(
        party, Clock(party.member(0).fold.digest(), pack(Expire())), author=1, at=70_000
    )
    with pytest.raises(PeerError) as caught:
        message = Entries(party.member(0).match, (raw,))
        party.member(1).receive(party.keys[0].key, message, party.now)
    assert caught.value.code is Code.UNEXPECTED


def test_alone_each_turn_has_its_own_minutes() -> None:
    party = Party("networdz", 1, OPTIONS(timed=1))
    party.settle()
    party.now += 50
    party.member(0).play(0, pack(Pass()), -1, party.now)
    party.wake(50)
    assert not party.member(0).fold.over
    lists = party.member(0).fold.state.lists[0]
    assert len(lists) == 1
    party.wake(11)
    assert len(party.member(0).fold.state.lists[0]) == 2


def test_a_turn_after_a_challenge_is_a_new_one_also_of_the_same_seat() -> None:
    clocks = Clocks(GAMES["lhexicon"], GAMES["lhexicon"].ABOUT.options(timed=3), 2)
    clocks.pass_to((0,), 0, moved=False)
    clocks.pass_to((1,), 60_000, moved=True, asked=True)
    clocks.pass_to((0,), 90_000, moved=True, asked=True)
    assert clocks.shown(0, 100_000) == (170_000, True)
    # The word is right, the bank empty and the challenger loses the turn.
    clocks.pass_to((0,), 120_000, moved=True)
    assert clocks.shown(0, 120_000) == (180_000, True)


def test_a_turn_begins_anew_for_who_owed_tiles_before_it_was_on_turn() -> None:
    clocks = Clocks(GAMES["networdz"], GAMES["networdz"].ABOUT.options(timed=1), 3)
    clocks.pass_to((1,), 0, moved=False)
    clocks.pass_to((2,), 5_000, moved=True, owing=True)  # seat 1 waits for its tiles
    clocks.pass_to((2,), 9_000, moved=False, owing=True)
    assert clocks.turn_since == 5_000
    clocks.pass_to((2,), 30_000, moved=True)  # now it is its own turn
    assert clocks.turn_since == 30_000
    assert clocks.shown(2, 30_000) == (60_000, True)
    clocks.pass_to((2,), 31_000, moved=False)
    assert clocks.turn_since == 30_000


@pytest.mark.parametrize("right", [False, True])
def test_whoever_says_nothing_to_a_challenge_stands_by_the_word(right: bool) -> None:
    rules = GAMES["lhexicon"]
    party = Party("lhexicon", 2, rules.ABOUT.options(side=6, challenge=True, timed=1))
    party.link_all()
    party.settle()
    view = party.member(0).seats.view(0).state
    lay = next(rules.moves(view, 0)) if right else phony(view, 0)
    party.member(0).play(0, pack(lay), -1, party.now)
    party.settle()
    party.member(1).play(1, pack(Challenge()), -1, party.now)
    party.settle()
    assert party.movers() == [(0, 0)]
    party.wake(59)
    assert party.movers() == [(0, 0)]
    party.wake(2)
    state = party.member(1).fold.state
    assert state.announced is None
    assert bool(state.scores[0]) is right
    mover = 0 if right else 1  # whoever challenged a right word loses the turn
    assert party.movers() == [(mover, mover)]
    assert clocks(party)[mover] == (60_000, True)


def test_a_claim_is_gone_with_a_move_though_the_same_player_is_on_turn_again() -> None:
    """As in Numlo, where the other may have no move at all."""
    claim = Claimed(b"head", 5, 1, b"ann", 1000)
    claims = Claims().add(claim, keepers=False)
    assert claims.after((6, b""), {1}, (), moved=False).standing == (claim,)
    moved = claims.after((6, b"about"), {1}, {1}, moved=True)
    assert moved.standing == ()
    assert [late.seat for late in moved.stopped] == [1]
    assert moved.add(claim, keepers=False).standing == (claim,), "of the next turn"


def test_the_first_late_turn_of_each_player_is_for_nothing() -> None:
    claim = Claimed(b"head", 5, 1, b"ann", 1000)
    late = Claims().add(claim, keepers=False).after((6, b""), (), {1}, moved=True)
    assert [late.is_spent(seat) for seat in range(3)] == [False, True, False]


def test_the_time_of_all_who_are_waited_for_runs() -> None:
    clocks = Clocks(GAMES["networdz"], OPTIONS(tournament=True), 3)
    clocks.pass_to((1, 2), 1000, moved=True)
    clocks.pass_to((0,), 61_000, moved=True)
    left = [clocks.shown(seat, 61_000)[0] for seat in range(3)]
    assert [left[0] - one for one in left] == [0, 60_000, 60_000]


ANN, BOB, KEEPER = (bytes((n,)) * 32 for n in range(3))
FIRST = Claimed(b"one", 5, 1, ANN, 1000)
SECOND = Claimed(b"two", 6, 2, ANN, 2000)


def test_claims_against_two_players_stand_beside_each_other() -> None:
    both = Claims().add(FIRST, keepers=False).add(SECOND, keepers=False)
    assert [both.against(seat) for seat in range(3)] == [None, FIRST, SECOND]
    with pytest.raises(PeerError) as caught:
        both.add(SECOND, keepers=False)
    assert caught.value.code is Code.UNEXPECTED
    agreed = both.agree(FIRST, BOB)
    assert [agreed.standing[n].agreed for n in (0, 1)] == [{BOB}, frozenset()]
    against = both.object_to(SECOND)
    assert [one.objected for one in against.standing] == [False, True]
    assert both.without(FIRST).standing == (SECOND,)
    taken = both.taken(SECOND, 9, contested=False)
    assert taken.standing == (FIRST,)
    assert [one.seat for one in taken.done] == [2]
    [left] = both.after((7, b""), {1}, {2}, moved=False).standing
    assert left is FIRST


def test_claims_of_a_turn_are_counted_for_each_seat_and_anew_in_the_next() -> None:
    claims = Claims()
    for _ in range(CLAIMS_A_TURN):
        claims = claims.add(FIRST, keepers=False).without(FIRST)
    with pytest.raises(PeerError) as caught:
        claims.add(FIRST, keepers=False)
    assert caught.value.code is Code.TOO_MANY
    assert claims.add(SECOND, keepers=False).standing == (SECOND,)
    later = claims.after((7, b""), (), (), moved=True)
    assert later.add(FIRST, keepers=False).standing == (FIRST,)
    same = claims.after((7, b""), (), (), moved=False)
    with pytest.raises(PeerError):
        same.add(FIRST, keepers=False)


def receipt(about: bytes, first: int) -> LetterReceipt:
    """Return a keeper's word on a letter that was left again an hour later."""
    key, last = b"l" * 32, first + 3600
    return LetterReceipt(KEEPER, BOB, ANN, key, about, key, first, last, last, key * 2)


def test_a_keepers_receipt_clears_the_turn_it_is_about_and_no_other() -> None:
    turns = {FIRST: b"a" * 32, SECOND: b"b" * 32}
    claims = Claims().add(FIRST, keepers=True).add(SECOND, keepers=True)
    claims = claims.after((7, turns[FIRST]), {1, 2}, {1}, moved=False)
    claims = claims.after((7, turns[FIRST]), {2}, {1}, moved=False)
    claims = claims.after((8, turns[SECOND]), (), {2}, moved=True)
    assert [one.head for one in claims.stopped] == [b"one", b"two"]
    for claim, about in turns.items():
        in_time, late = receipt(about, claim.over), receipt(about, claim.over + 1)
        left = claims.cleared(claim.head, (claim.seat,), (late, in_time)).stopped
        assert [one.head for one in left] == [
            one.head for one in turns if one is not claim
        ]
        for head, seats, proof, code in (
            (claim.head, (claim.seat,), late, Code.BAD_PROOF),
            (claim.head, (claim.seat,), receipt(b"c" * 32, 0), Code.BAD_PROOF),
            (claim.head, (), in_time, Code.STALE),
            (b"other", (claim.seat,), in_time, Code.STALE),
        ):
            with pytest.raises(PeerError) as caught:
                claims.cleared(head, seats, (proof,))
            assert caught.value.code is code


@given(integers(1, 3 * WORDS_KEPT))
def test_the_last_claims_are_those_whose_keepers_are_heard(count: int) -> None:
    claims = Claims()
    for number in range(count):
        claim = FIRST._replace(head=bytes((number,)), number=number)
        claims = claims.add(claim, keepers=True).after((99, b""), (), (), moved=True)
    last = [one.number for one in claims.asked]
    assert last == list(range(count))[-WORDS_KEPT:]


def test_the_time_for_a_match_runs_once_while_others_answer_in_between() -> None:
    clocks = Clocks(GAMES["networdz"], OPTIONS(tournament=True), 2)
    whole = clocks.shown(0, 0)[0]
    clocks.pass_to((0,), 0, moved=True)
    clocks.pass_to((0,), 20_000, moved=False)  # an entry that changes nothing
    assert clocks.shown(0, 50_000) == (whole - 50_000, True)
    clocks.pass_to((1,), 60_000, moved=True)
    clocks.pass_to((0,), 80_000, moved=True)
    assert clocks.shown(0, 90_000) == (whole - 70_000, True)
    assert clocks.shown(1, 90_000) == (whole - 20_000, False)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(59, "0:00:59"), (3599, "0:59:59"), (3600, "1:00:00"), (45_296, "12:34:56")],
)
def test_when_somebody_was_heard_last_is_told_in_hours(seconds: int, told: str) -> None:
    party = party_with()
    [(_, seat)] = party.movers()
    begun = party.now - party.member(0).timing.at(party.now) / 1000
    party.now = begun + seconds + 0.5
    pass_turn(party)
    ledger = party.member(1).ledger
    times = {
        dict(value.values)["time"]
        for said in waited_for(ledger.fold, ledger.log)
        for value in walked(said)
        if any(name == "time" for name, _ in value.values)
    }
    assert told in times
    assert len(times) == 2, "of the beginning, and of the turn"
    assert seat in (0, 1)


def walked(said: Said) -> Iterator[Said]:
    """Yield a sentence, and those in it."""
    yield said
    for _, value in said.values:
        if isinstance(value, Said):
            yield from walked(value)


class Electors(NamedTuple):
    """Who has a say, and who is host: one of them, or one who has gone."""

    host: bytes
    electors: frozenset[bytes]


@pytest.mark.parametrize(("count", "wanted"), [(1, 1), (2, 2), (3, 2), (4, 3)])
def test_a_host_is_elected_by_all_but_one_and_the_present_one_by_its_own_vote_too(
    count: int, wanted: int
) -> None:
    """By rule H4 of protocol.md: the host has no vote for anybody else."""
    every = (b"a", b"b", b"c", b"d")[:count]
    for now, host in product((*every, b"gone"), every):
        for voters in (v for n in range(count + 1) for v in combinations(every, n)):
            say = [each for each in voters if now in {host, b"gone"} or each != now]
            fold = Electors(now, frozenset(every))
            assert elects(fold, host, (*voters, b"else")) is (len(say) >= wanted)
