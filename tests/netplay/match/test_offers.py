"""Offers between players: a draw, to stop together, to take back a turn."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import DataObject, data, sampled_from

from netplay.errors import Code, LocalError, PeerError
from netplay.messages.log import LogBody, Response, Turn, What, Wish
from netplay.messages.table import Fairness
from netplay.record.log import Line
from netplay.record.offers import OFFERS_A_TURN, TIMES_OFF
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.wire import pack, unpack
from rules import GAMES, lhexicon
from rules.game import IllegalMoveError, Resign
from rules.networdz import Lay, Pass
from tests.netplay.match.encrypted import exchange
from tests.netplay.party import Party
from tests.simulation import agreed

SMALL = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)


def begun(game: str = "hexagrams", members: int = 2, **more: Any) -> Party:
    options = more.pop("options", SMALL if game == "numlo" else None)
    party = Party(game, members, options, **more)
    party.link_all()
    party.settle()
    return party


def play(party: Party, kind: type[Any] = object) -> int:
    """Let whoever is on turn make the first move of a kind; return its seat."""
    [(n, seat)] = party.movers()
    state = party.member(n).seats.view(seat).state
    moves = party.game.moves(state, seat)
    move = next(move for move in moves if isinstance(move, kind))
    party.member(n).play(seat, pack(move), -1, party.now)
    party.settle()
    return seat


def offer(party: Party, n: int, what: What, days: int = 0) -> bytes:
    """Let the player of a member's only seat offer something; return its head."""
    match = party.member(n)
    match.say(match.offering.offer(n, what, days), party.now)
    party.settle()
    return match.ledger.log.head


def answer(party: Party, n: int, head: bytes = b"", *, agrees: bool = True) -> None:
    match = party.member(n)
    match.say(match.offering.answer(n, head, agrees=agrees), party.now)
    party.settle()


def folds(party: Party) -> list[Any]:
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    return [match.fold for match in party.running]


@pytest.mark.parametrize("what", ["draw", "stop"])
@pytest.mark.parametrize("members", [2, 3])
def test_what_all_others_agree_to_ends_the_match_everywhere(
    what: What, members: int
) -> None:
    party = begun("numlo", members)
    play(party)
    head = offer(party, 0, what)
    for n in range(1, members):
        assert not any(fold.over for fold in folds(party))
        answer(party, n, head)
    for fold in folds(party):
        assert (fold.ended, fold.places) == (what, (1,) * members)
        assert not fold.actors
    party.settle()
    assert all(match.audit() == "ok" for match in party.running)
    verdict = verify(party.archives[1].open(party.terms.nonce).read())
    assert (verdict.ok, verdict.audit) == (True, "ok")
    assert verdict.places == (1,) * members


@pytest.mark.parametrize("members", [3, 4])
def test_who_had_resigned_comes_behind_those_who_stop_together(members: int) -> None:
    """The places behind two who share the first are no more than third."""
    party, places = begun("numlo", members), [1] * members
    play(party)
    for _ in range(members - 2):
        [(n, seat)] = party.movers()
        party.member(n).play(seat, pack(Resign()), -1, party.now)
        party.settle()
        places[n] = 3
    first, second = (m for m in range(members) if places[m] == 1)
    answer(party, second, offer(party, first, "stop"))
    assert [fold.places for fold in folds(party)] == [tuple(places)] * members


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_is_offered_while_an_own_move_is_not_delivered(n: int) -> None:
    party = begun("numlo")
    while party.movers()[0][0] != n:
        play(party)
    party.cut(0, 1)
    [(_n, seat)] = party.movers()
    match = party.member(n)
    match.play(seat, pack(next(iter(GAMES["numlo"].moves(match.fold.state, seat)))), -1,
               party.now)  # fmt: skip
    party.settle()
    with pytest.raises(LocalError) as caught:
        match.offering.offer(n, "stop", 0)
    assert caught.value.said == Says.OFFERS_AFTER_MOVE()
    party.link(0, 1)
    party.settle()
    head = offer(party, n, "stop")
    assert [one.head for one in folds(party)[1 - n].offers.standing] == [head]


def test_a_turn_is_taken_back_with_the_answer_to_it() -> None:
    party = begun()
    before = folds(party)[0].digest()
    seat = play(party)
    play(party)
    moves = folds(party)[0].moves
    answer(party, 1 - seat, offer(party, seat, "back"))
    for n, fold in enumerate(folds(party)):
        assert fold.digest() == before
        assert fold.history == []
        assert fold.moves == moves + 1
        view = party.member(n).seats.view(n)
        assert (view.state, view.happened()) == (fold.state, ())
    assert play(party) == seat
    assert len(folds(party)[1].history) == 1


def test_an_offer_made_before_a_turn_was_taken_back_is_gone_with_it() -> None:
    party = begun()
    seat = play(party)
    offer(party, 1 - seat, "stop")
    answer(party, 1 - seat, offer(party, seat, "back"))
    for fold in folds(party):
        assert fold.offers.standing == ()
        assert not fold.over


def test_a_word_that_was_withdrawn_is_not_stood_by_after_all() -> None:
    party = begun("lhexicon", options=lhexicon.Options(challenge=True))
    for _ in range(2):  # a pass may go back, which says nothing of what comes later
        [(n, seat)] = party.movers()
        party.member(n).play(seat, pack(lhexicon.Pass()), -1, party.now)
        party.settle()
        assert "back" in party.member(n).offering.may(seat)
    for kind in (lhexicon.Lay, lhexicon.Challenge, lhexicon.Withdraw):
        play(party, kind)
    for n in (0, 1):  # nor is it challenged no more
        assert "back" not in party.member(n).offering.may(n)
    with pytest.raises(PeerError):
        party.member(0).replication.submit(body(party, 0, "back"), party.now)
    assert not folds(party)[0].offers.standing


def test_a_turn_that_drew_or_showed_tiles_stays() -> None:
    party = begun("networdz")
    seat = play(party, Lay)
    assert "back" not in party.member(seat).offering.may(seat)
    with pytest.raises(LocalError) as refused:
        party.member(seat).offering.offer(seat, "back", 0)
    assert refused.value.code is Code.USAGE


@pytest.mark.parametrize("fairness", ["committed", "encrypted"])
def test_a_pass_is_taken_back_in_a_word_game(fairness: Fairness) -> None:
    party = begun("networdz", fairness=fairness)
    before = folds(party)[0].state
    [(n, seat)] = party.movers()
    party.member(n).play(seat, pack(Pass(())), -1, party.now)
    party.settle()
    assert folds(party)[0].state != before
    for each in (0, 1):  # whoever deals has to look at the bag again
        party.crash(each)
        party.start(each)
        party.link_all()
        party.settle()
    answer(party, 1 - n, offer(party, n, "back"))
    assert [fold.state for fold in folds(party)] == [before] * 2
    exchange(party)
    assert party.member(n).seats.view(seat).up_to_date
    play(party, Lay)
    while not folds(party)[0].over:
        n, seat = party.movers()[0]
        party.member(n).play(seat, pack(Resign()), -1, party.now)
        party.settle()
    assert [match.audit() for match in party.running] == ["ok", "ok"]


@pytest.mark.parametrize("what", ["draw", "stop", "back"])
def test_an_offer_is_gone_with_the_next_turn(what: What) -> None:
    party = begun("numlo")
    first = play(party)
    head = offer(party, first, what)
    play(party)
    assert folds(party)[1].offers.standing == ()
    assert not folds(party)[1].over
    with pytest.raises(LocalError) as refused:
        answer(party, 1 - first, head)
    assert refused.value.code is Code.USAGE


def test_one_no_is_enough_and_ones_own_offer_can_be_withdrawn() -> None:
    party = begun("numlo", 3)
    head = offer(party, 0, "draw")
    answer(party, 1, head)
    answer(party, 2, head, agrees=False)
    assert folds(party)[0].offers.standing == ()
    head = offer(party, 0, "draw")
    answer(party, 1, head)
    answer(party, 1, head, agrees=False)  # while the third still thinks
    assert folds(party)[0].offers.standing == ()
    head = offer(party, 0, "stop")
    answer(party, 0, head, agrees=False)
    assert folds(party)[2].offers.standing == ()
    assert party.notices[2][-1] == str(Says.OFFER_WITHDRAWN(name="S0"))


@pytest.mark.parametrize(
    ("what", "offered", "declined"),
    [
        ("draw", "{name} offers a draw", "the draw that {name} offered is declined"),
        (
            "stop",
            "{name} would like to stop here, without a winner",
            "not all would like to stop, as {name} would",
        ),
        (
            "back",
            "{name} would like to take back a turn",
            "the turn of {name} is not taken back",
        ),
        ("days", "{name} asks for days off: 3", "the days off for {name} are declined"),
    ],
)
def test_an_offer_of_every_kind_is_told_and_so_is_that_it_is_declined(
    what: What, offered: str, declined: str
) -> None:
    party = begun("numlo", 2, days=2)
    seat = play(party)
    party.member(seat).autoplay = 50  # which plays, and leaves offers to its player
    before = list(party.notices[seat])
    head = offer(party, seat, what, 3)
    told = party.notices[1 - seat]
    assert told[-1] == offered.format(name=f"S{seat}")
    assert party.notices[seat] == before
    answer(party, 1 - seat, head, agrees=False)
    assert told[-1] == declined.format(name=f"S{seat}")


def test_what_was_agreed_to_is_told_once_whatever_is_offered_later() -> None:
    party = begun("numlo", 2, days=2)
    seat = play(party)
    answer(party, 1 - seat, offer(party, seat, "days", 3))
    told = party.notices[1 - seat]
    before = len(told)
    offer(party, seat, "stop")
    assert len(told) == before + 1
    answer(party, 1 - seat, agrees=False)
    assert len(told) == before + 2


def test_while_one_seats_offer_is_on_its_way_another_at_the_same_node_may_offer() -> (
    None
):
    party = begun("numlo", 2, seats=4)
    match = party.member(1)
    first, second = sorted(match.fold.seats_of(match.me))
    match.say(match.offering.offer(first, "stop", 0), party.now)
    assert match.offering.may(first) == []
    assert "stop" in match.offering.may(second)


def test_who_is_away_hears_of_an_offer_later_and_a_restart_forgets_none() -> None:
    party = begun()
    play(party)
    head = offer(party, 0, "draw")
    party.crash(1)
    party.start(1)
    assert party.member(1).fold.offers.find(head) is not None
    party.link_all()
    party.settle()
    answer(party, 1, head)
    assert [fold.ended for fold in folds(party)] == ["draw"] * 2
    party.crash(0)
    party.start(0)
    assert party.member(0).fold.places == (1, 1)


@pytest.mark.parametrize("what", ["draw", "stop", "back", "days"])
def test_what_was_answered_while_the_host_is_away_is_not_answered_twice(
    what: What,
) -> None:
    party = begun("numlo", days=7)
    play(party)
    play(party)
    head = offer(party, 0, what, 2 if what == "days" else 0)
    party.cut(0, 1)
    for agrees in (True, False):
        answer(party, 1, head, agrees=agrees)
        with pytest.raises(LocalError) as caught:
            answer(party, 1, head, agrees=agrees)
        assert caught.value.said == Says.NOTHING_OFFERED()


def refusal(party: Party, n: int, body: LogBody) -> Code:
    """Let a member whose program means no good say something to the host."""
    lines = len(party.member(0).ledger.log)
    with pytest.raises((PeerError, IllegalMoveError)) as refused:
        party.member(n).replication.submit(body, party.now)
        party.settle()
        raise PeerError(code_of(party, n), "")
    assert len(party.member(0).ledger.log) == lines
    if isinstance(refused.value, IllegalMoveError):
        return Code.ILLEGAL_MOVE
    return refused.value.code


def code_of(party: Party, n: int) -> Code:
    """Return the code with which the host has refused what a member said last."""
    said = party.sent[0, n][-1]
    return next(code for code in Code if code.number == said.code)


def body(party: Party, seat: int, what: What, days: int = 0) -> Wish:
    fold, log = party.member(1).fold, party.member(1).ledger.log
    return Wish(seat, what, days, log.head, fold.digest())


def test_a_host_refuses_what_no_offer_may_say() -> None:
    party = begun()
    old = party.member(1).ledger.log.head
    seat = play(party)
    state = party.member(1).fold.digest()
    wrong = [
        (body(party, 0, "draw"), Code.NOT_A_MEMBER),
        (body(party, 3, "draw"), Code.NOT_A_MEMBER),
        (body(party, 1, "draw", 3), Code.UNEXPECTED),
        (body(party, 1, "days", 3), Code.UNEXPECTED),
        (body(party, 1, "days"), Code.UNEXPECTED),
        (Wish(1, "draw", 0, old, state), Code.STALE),
        (Response(1, old, agrees=True), Code.STALE),
        (Response(0, old, agrees=True), Code.NOT_A_MEMBER),
    ]
    if seat != 1:
        wrong.append((body(party, 1, "back"), Code.UNEXPECTED))
    assert [refusal(party, 1, said) for said, _code in wrong] == [c for _, c in wrong]


def test_a_turn_before_the_last_cannot_be_taken_back() -> None:
    party = begun()
    seat = play(party)
    play(party)
    seats = [seat, 1 - seat]
    answer(party, seats[1], offer(party, seats[0], "back"))
    for n in (0, 1):
        assert "back" not in party.member(n).offering.may(n)
    assert refusal(party, 1, body(party, 1, "back")) is Code.UNEXPECTED


def test_no_turn_is_taken_back_from_behind_a_resignation() -> None:
    party = begun("numlo", 3)
    seat = play(party)
    [(n, other)] = party.movers()
    party.member(n).play(other, pack(Resign()), -1, party.now)
    party.settle()
    assert "back" not in party.member(seat).offering.may(seat)
    third = next(m for m in (1, 2) if m != other)
    wish = body(party, seat, "back")
    if seat:
        assert refusal(party, seat, wish) is Code.UNEXPECTED
    else:
        with pytest.raises(PeerError):
            party.member(0).replication.submit(wish, party.now)
    assert all(fold.resigned == {other} for fold in folds(party))
    assert "back" not in party.member(third).offering.may(third)


def test_what_a_seats_earlier_player_agreed_to_does_not_bind_who_takes_it_over() -> (
    None
):
    party = begun("numlo", 4)
    head = offer(party, 0, "stop")
    answer(party, 1, head)
    answer(party, 2, head)
    for n in (0, 2, 3):
        party.member(n).agree(1, party.keys[2].key, "M2", party.now)
        party.settle()
    assert {fold.holders[1] for fold in folds(party)} == {party.keys[2].key}
    party.member(3).say(Response(3, head, agrees=True), party.now)
    party.settle()
    assert not any(fold.over for fold in folds(party))
    party.member(2).say(Response(1, head, agrees=True), party.now)
    party.settle()
    assert {fold.ended for fold in folds(party)} == {"stop"}


def test_answers_to_another_head_twice_or_to_ones_own_offer_are_refused() -> None:
    party = begun("numlo", 3)
    head = offer(party, 1, "stop")
    answer(party, 2, head)
    wrong = [
        (1, Response(1, head, agrees=True), Code.UNEXPECTED),
        (2, Response(2, head, agrees=True), Code.UNEXPECTED),
        (2, Response(2, bytes(32), agrees=True), Code.STALE),
        (2, Response(0, head, agrees=True), Code.NOT_A_MEMBER),
    ]
    for n, said, code in wrong:
        assert refusal(party, n, said) is code
    assert folds(party)[0].offers.find(head) is not None


def test_who_has_resigned_is_not_asked_and_may_not_answer() -> None:
    party = begun("numlo", 3)
    party.member(2).play(2, pack(Resign()), -1, party.now)
    party.settle()
    head = offer(party, 0, "draw")
    assert party.member(2).offering.may(2) == []
    assert refusal(party, 2, Response(2, head, agrees=True)) is Code.UNEXPECTED
    assert refusal(party, 2, body(party, 2, "stop")) is Code.UNEXPECTED
    answer(party, 1, head)
    assert folds(party)[2].ended == "draw"


def test_after_the_end_nothing_is_offered_or_played() -> None:
    party = begun()
    [(_, first)] = party.movers()
    move = pack(next(iter(party.game.moves(party.member(0).fold.state, first))))
    answer(party, 1, offer(party, 0, "stop"))
    log, fold = party.member(1).ledger.log, party.member(1).fold
    turn = Turn(1, log.head, fold.digest(), pack(Resign()), ())
    assert refusal(party, 1, body(party, 1, "draw")) is Code.UNEXPECTED
    assert refusal(party, 1, turn) is Code.ILLEGAL_MOVE
    late = Turn(1, log.head, fold.digest(), move, ())
    assert refusal(party, 1, late) is Code.NOT_YOUR_TURN
    assert folds(party)[0].places == (1, 1)


def test_where_the_rules_have_ended_a_match_no_offer_waits_for_an_answer() -> None:
    party = begun("numlo", days=2)
    offer(party, 0, "days", 3)
    play(party)
    assert all(match.fold.offers.standing for match in party.running)
    party.play_out(Random(1))
    assert all(fold.over and not fold.offers.standing for fold in folds(party))


def test_a_flood_of_offers_is_bounded_for_each_seat() -> None:
    party = begun()
    for _ in range(OFFERS_A_TURN):
        offer(party, 1, "draw")
    assert len(folds(party)[0].offers.standing) == 1
    assert refusal(party, 1, body(party, 1, "draw")) is Code.TOO_MANY
    with pytest.raises(LocalError) as refused:
        offer(party, 1, "draw")
    assert refused.value.code is Code.TOO_MANY
    offer(party, 0, "stop")
    play(party)
    offer(party, 1, "draw")


@pytest.mark.parametrize("moves", [0, 1])
def test_a_host_grants_nobody_days_off_a_fourth_time(moves: int) -> None:
    party = begun(days=3)
    for _ in range(TIMES_OFF):
        answer(party, 0, offer(party, 1, "days", 2))
        for _ in range(moves):
            play(party)
    assert refusal(party, 1, body(party, 1, "days", 1)) is Code.TOO_MANY
    assert "days" not in party.member(1).offering.may(1)
    answer(party, 1, offer(party, 0, "days", 1))  # the other's are its own
    assert [one.seat for one in folds(party)[0].offers.agreed] == [*[1] * TIMES_OFF, 0]


@pytest.mark.parametrize("what", ["draw", "stop"])
def test_whoever_offers_what_is_offered_agrees_to_it(what: What) -> None:
    party = begun("numlo", 3)
    head = offer(party, 0, what)
    offer(party, 1, "draw" if what == "stop" else "stop")  # that is something else
    assert folds(party)[2].offers.find(head).agreed == frozenset()
    offer(party, 1, what)
    assert folds(party)[2].offers.find(head).agreed == {1}
    offer(party, 2, what)
    assert [fold.ended for fold in folds(party)] == [what] * 3


def test_no_game_but_those_that_can_be_drawn_has_draws() -> None:
    party = begun("networdz")
    assert party.member(1).offering.may(1) == ["stop"]
    assert refusal(party, 1, body(party, 1, "draw")) is Code.UNEXPECTED
    live = begun("hexcolumns")
    assert live.member(1).offering.may(1) == []
    assert refusal(live, 1, body(live, 1, "stop")) is Code.UNEXPECTED


class Reader:
    """What another reader makes of a log (protocol.md, K27 to K31)."""

    def __init__(self, party: Party, lines: Sequence[Line]) -> None:
        self.standing: tuple[agreed.Stands, ...] = ()
        self.turns: list[tuple[int, bool]] = []
        """(seat, it resigned) of each turn that stands."""
        self.made = Counter[int]()
        """Offers of each seat since the last move."""
        self.playing = {*range(len(party.terms.seats))}
        self.ended = ""
        for line in lines:
            self._take(party, line)

    def may_go_back(self, seat: int) -> bool:
        behind = list(takewhile(lambda turn: turn[0] != seat, reversed(self.turns)))
        found = len(behind) < len(self.turns)
        later = self.turns[len(self.turns) - len(behind) - 1 :]
        return found and seat in self.playing and not any(gone for _, gone in later)

    def _take(self, party: Party, line: Line) -> None:
        body = line.body
        if isinstance(body, Turn):
            resigns = isinstance(unpack(body.move, party.game.ABOUT.move), Resign)
            self.turns.append((body.seat, resigns))
            self.playing -= {body.seat} if resigns else set()
            self._move()
            return
        head = hashlib.sha256(line.raw).digest()
        if isinstance(body, Wish):
            self.made[body.seat] += 1
        offers = {one.head: one.seat for one in self.standing}
        self.standing, done = agreed.after(self.standing, body, head, self.playing)
        if done in ("draw", "stop"):
            self.ended = done
        if done == "back":
            assert isinstance(body, Response)
            while self.turns.pop()[0] != offers[body.offer]:
                pass
            self._move()

    def _move(self) -> None:
        self.standing = agreed.moved(self.standing, self.playing)
        self.made.clear()


def does(party: Party, choose: Callable[[Sequence[Any]], Any]) -> None:
    """Let somebody do something that has to do with offers."""
    fold = folds(party)[0]
    offered = fold.offers.standing
    seats = sorted({*range(len(fold.holders))} - fold.resigned)
    seat = choose([*seats, *(one.seat for one in offered)])
    match = party.member(party.numbers[fold.holders[seat]])
    may = match.offering.may(seat)
    asked = [one for one in offered if seat not in {one.seat, *one.agreed}]
    acts = ["play", *["offer"] * (2 if may else 0), *["agree"] * 3 * bool(asked)]
    acts += ["decline"] * bool(offered) + ["pass"] * 2 * (len(fold.electors) > 2)
    match choose([*acts, *["resign"] * (len(seats) > 2)]):
        case "play":
            party.play_one(Random(choose(range(9))))
        case "offer":
            what = choose([*may, "back"] if "back" in may else may)
            wish = match.offering.offer(seat, what, 3 * (what == "days"))
            match.say(wish, party.now)
        case "agree":
            head = choose(asked).head
            match.say(match.offering.answer(seat, head, agrees=True), party.now)
        case "decline":
            own = [one for one in offered if one.seat == seat]
            if some := [*own, *asked]:
                head = choose(some).head
                match.say(match.offering.answer(seat, head, agrees=False), party.now)
        case "pass":
            heir = choose([key for key in party.keys if key.key != fold.holders[seat]])
            asked_for = (fold.electors - {fold.holders[seat]}) | {fold.host}
            for each in party.running:
                if each.me in asked_for:
                    each.agree(seat, heir.key, "heir", party.now)
        case "resign":
            match.play(seat, pack(Resign()), -1, party.now)
    party.settle()


GAMES_OFFERED = [("hexagrams", 2, 2), ("numlo", 3, 3), ("numlo", 3, 4)]


@given(data())
@settings(max_examples=80)
def test_offers_and_what_comes_of_them_are_what_another_reader_finds(
    data: DataObject,
) -> None:
    game, members, seats = data.draw(sampled_from(GAMES_OFFERED))
    party = begun(game, members, seats=seats, days=7)
    for _ in range(14):
        does(party, lambda some: data.draw(sampled_from(some)))
        there = folds(party)[0]
        found = Reader(party, party.member(0).ledger.log.lines)
        stands = {
            agreed.Stands(one.head, one.seat, one.what, one.agreed)
            for one in there.offers.standing
        }
        assert stands == {*found.standing}
        turns = [past.actor for past in there.history if past.actor >= 0]
        assert turns == [seat for seat, _ in found.turns]
        assert there.ended == (found.ended or None)
        assert found.playing == {*range(len(there.holders))} - there.resigned
        if there.over:
            break
        for seat in range(len(there.holders)):
            may = found.may_go_back(seat) and found.made[seat] < OFFERS_A_TURN
            assert ("back" in party.member(0).offering.may(seat)) is may
