"""Moves that are made while the others are away, and taken back."""

from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.match.match import Match
from netplay.match.own_turns import OVERDUE_SECONDS
from netplay.messages.log import Carried, Submit
from netplay.record import enclosures
from netplay.record.enclosures import Word
from netplay.sentences import Says
from netplay.wire import Frame, decode, pack, unpack
from rules.game import Resign
from tests.netplay.match.matches import NUMLO, ready, until_turn_of
from tests.netplay.party import Party
from tests.said import like


def apart(n: int, members: int = 2, game: str = "numlo") -> Party:
    """Return a match without links in which a member is on turn."""
    party = ready(game, members, options=NUMLO if game == "numlo" else None)
    until_turn_of(party, n)
    for a in range(members):
        for b in range(a):
            party.cut(a, b)
    return party


def moves(party: Party, n: int) -> list[bytes]:
    """Return some moves that a member may make."""
    match = party.member(n)
    [seat] = match.fold.seats_of(match.me)
    state = match.seats.view(seat).state
    return [pack(move) for move in islice(party.game.moves(state, seat), 8)]


def make(party: Party, n: int, move: bytes = b"") -> bytes:
    """Make a move at a member, the first there is if none is named."""
    match = party.member(n)
    move = move or moves(party, n)[0]
    match.play(match.fold.seats_of(match.me)[0], move, -1, party.now)
    match.outgoing()
    return move


def meet(party: Party) -> None:
    party.link_all()
    party.settle()


def made(match: Match) -> list[bytes]:
    """Return the moves of the players as the log has them."""
    return [pack(past.move) for past in match.fold.history if past.actor >= 0]


@pytest.mark.parametrize("n", [0, 1])
def test_a_move_is_made_while_the_others_are_away_and_goes_when_they_come(
    n: int,
) -> None:
    party = apart(n)
    before = len(made(party.member(0)))

    move = make(party, n)

    assert len(made(party.member(n))) == before
    assert party.member(n).submitting.early
    meet(party)
    assert [made(match)[before:] for match in party.running] == [[move], [move]]
    assert not party.member(n).submitting.early


def test_a_move_that_left_shows_as_made_once_its_host_has_gone_unheard() -> None:
    """It went onto a link that was dead already, as when a lid is closed."""
    party = ready("numlo", 2, options=NUMLO)
    until_turn_of(party, 1)
    guest = party.member(1)
    move = moves(party, 1)[0]
    [seat] = guest.fold.seats_of(guest.me)
    guest.play(seat, move, -1, party.now)
    guest.outgoing()  # into the void
    assert not guest.seats.made(seat)  # it is under way

    party.cut(0, 1)

    assert guest.seats.made(seat) == (move,)
    with pytest.raises(LocalError, match=like(Says.HAS_LEFT_HERE)):
        guest.take_back(seat, party.now)
    meet(party)
    assert made(party.member(0))[-1] == move
    assert not guest.seats.made(seat)


def test_a_move_that_is_overdue_shows_as_made_while_its_link_still_counts() -> None:
    party = ready("numlo", 2, options=NUMLO)
    until_turn_of(party, 1)
    guest = party.member(1)
    [seat] = guest.fold.seats_of(guest.me)
    move = moves(party, 1)[0]
    guest.play(seat, move, -1, party.now)
    guest.outgoing()  # into the void, and no link goes down
    due = guest.deadline()
    assert due is not None
    assert due <= party.now + OVERDUE_SECONDS
    guest.wake(party.now + OVERDUE_SECONDS - 0.01)
    assert not guest.seats.made(seat)
    guest.wake(party.now + OVERDUE_SECONDS)
    assert guest.seats.made(seat) == (move,)


def test_a_move_that_is_entered_in_time_is_never_shown_as_undelivered() -> None:
    party = ready("numlo", 2, options=NUMLO)
    until_turn_of(party, 1)
    guest = party.member(1)
    [seat] = guest.fold.seats_of(guest.me)
    guest.play(seat, moves(party, 1)[0], -1, party.now)
    party.settle()
    due = guest.deadline()
    assert due is None or due > party.now + OVERDUE_SECONDS
    party.wake(OVERDUE_SECONDS)
    assert not guest.submitting.early


@pytest.mark.parametrize("n", [0, 1])
def test_it_outlives_a_crash_before_it_was_delivered(n: int) -> None:
    party = apart(n)
    move = make(party, n)

    party.crash(n)
    party.start(n)

    assert party.member(n).submitting.early
    meet(party)
    assert [made(match)[-1] for match in party.running] == [move, move]


@pytest.mark.parametrize("n", [0, 1])
def test_it_is_taken_back_for_good_and_another_made_instead(n: int) -> None:
    party = apart(n)
    first, second = moves(party, n)[:2]
    make(party, n, first)
    match = party.member(n)

    match.take_back(match.fold.seats_of(match.me)[0], party.now)
    party.crash(n)
    party.start(n)
    assert not party.member(n).submitting.waiting
    make(party, n, second)

    meet(party)
    assert [made(match)[-1] for match in party.running] == [second, second]


def check_too_late(party: Party) -> None:
    """See that the guest can take nothing back, nor after a crash."""
    party.crash(1)
    party.start(1)
    with pytest.raises(LocalError) as caught:
        party.member(1).take_back(1, party.now)
    assert caught.value.code is Code.USAGE


def test_a_move_that_was_sent_cannot_be_taken_back_even_after_a_crash() -> None:
    party = apart(1)
    make(party, 1)
    party.link(0, 1)
    while not party.member(1).submitting.waiting[0].left:
        assert party.deliver()
    party.collect()

    check_too_late(party)


def test_a_move_that_went_into_a_file_cannot_be_taken_back() -> None:
    party = apart(1)
    move = make(party, 1)
    guest = party.member(1)
    guest.go_by_mail(party.now)

    words = [item for item in guest.enclosures() if isinstance(item, Word)]

    assert move in words[-1].submit.body
    check_too_late(party)


def test_a_host_s_move_by_mail_can_be_taken_back_until_a_file_is_saved() -> None:
    party = apart(0)
    host = party.member(0)
    host.go_by_mail(party.now)
    first, second = moves(party, 0)[:2]
    make(party, 0, first)
    before = len(made(host))

    host.take_back(0, party.now)
    make(party, 0, second)
    assert len(made(host)) == before
    host.go_by_mail(party.now)

    assert made(host)[before:] == [second]
    with pytest.raises(LocalError) as caught:
        host.take_back(0, party.now)
    assert caught.value.code is Code.USAGE


def test_one_file_a_turn_is_enough_from_the_first_move_that_was_made_alone() -> None:
    party = apart(1)
    move = make(party, 1)
    guest, host = party.member(1), party.member(0)
    guest.go_by_mail(party.now)
    items = list(enclosures.unpacked(enclosures.packed(guest.enclosures())))

    raws, unseal = guest.ledger.raws(0), party.keys[0].unseal
    assert host.take_file(raws, items, unseal, party.now) == 1, "which it enters itself"

    assert made(host)[-1] == move


def test_each_move_of_a_host_by_mail_can_be_taken_back_until_its_own_file() -> None:
    party = apart(0)
    host, guest = party.member(0), party.member(1)
    host.go_by_mail(party.now)
    make(party, 0)
    host.go_by_mail(party.now)
    guest.take_file(host.ledger.raws(0), [], party.keys[1].unseal, party.now)
    guest.go_by_mail(party.now)
    make(party, 1)
    guest.go_by_mail(party.now)
    items = list(enclosures.unpacked(enclosures.packed(guest.enclosures())))
    host.take_file(guest.ledger.raws(0), items, party.keys[0].unseal, party.now)
    before = len(made(host))

    make(party, 0)

    assert len(made(host)) == before
    host.take_back(0, party.now)
    assert not host.submitting.waiting


def test_a_resignation_waits_as_a_move_does_and_can_be_taken_back() -> None:
    party = apart(1)
    resign = pack(Resign())
    make(party, 1, resign)
    party.member(1).take_back(1, party.now)
    make(party, 1, resign)

    meet(party)

    assert party.member(0).fold.over
    assert len(made(party.member(0))) == len(made(party.member(1)))


def test_a_turn_that_waits_for_a_lift_outlives_a_crash() -> None:
    party = apart(1)
    guest = party.member(1)
    turn = guest.seats.turn(
        1, unpack(moves(party, 1)[0], guest.fold.game.ABOUT.move), -1
    )
    guest.replication.do(guest.submitting.hold(turn), party.now)
    guest.journal.sync()

    party.crash(1)
    party.start(1)

    assert party.member(1).submitting.held in {turn, None}
    assert party.member(1).seats.is_moving(1)
    meet(party)
    assert made(party.member(0))[-1] == turn.move


def test_a_stranger_s_copy_of_a_move_that_was_taken_back_changes_nothing() -> None:
    """Its author is hostile too: its bytes had left, and it signed another."""
    party = apart(1)
    first, second = moves(party, 1)[:2]
    make(party, 1, first)
    guest = party.member(1)
    [old] = guest.submitting.asked()
    guest.take_back(1, party.now)
    make(party, 1, second)
    meet(party)
    before = party.logs()

    party.member(0).receive(party.keys[1].key, old, party.now)
    party.settle()

    assert party.logs() == before
    assert made(party.member(0))[-1] == second


def test_one_that_is_delivered_before_the_other_stands_and_its_author_is_told() -> None:
    party = apart(1)
    first, second = moves(party, 1)[:2]
    make(party, 1, first)
    guest = party.member(1)
    [old] = guest.submitting.asked()
    guest.take_back(1, party.now)
    make(party, 1, second)
    party.link_all()
    while not party.member(0).quorate:
        assert party.deliver()

    party.member(0).receive(party.keys[1].key, old, party.now)
    party.settle()

    assert {made(match)[-1] for match in party.running} == {first}
    assert len(set(party.logs())) == 1
    assert not guest.submitting.waiting
    assert party.notices[1]


class Journey:
    """Two or three members that move, meet, part, crash and think again."""

    def __init__(self, members: int) -> None:
        self.party = ready("numlo", members, options=NUMLO)
        self.dropped: set[tuple[bytes, int, bytes]] = set()
        """(author, own number, body) of what was taken back and not made again."""
        self.torn: set[tuple[bytes, int, bytes]] = set()
        """What a power cut took together with the word that it had left (N10, N19): its
        author may make it once more, and take that back."""

    def left(self) -> set[tuple[bytes, int, bytes]]:
        """Return all bodies whose signed bytes have ever left their author."""
        party, found = self.party, set[tuple[bytes, int, bytes]]()
        for (a, _b), messages in party.sent.items():
            for each in messages:
                author, message = party.keys[a].key, each
                if isinstance(each, Carried):
                    author = each.author
                    [key] = [key for key in party.keys if key.key == each.to]
                    text = key.unseal(each.letter)
                    message = decode(Frame(text[0], text[1:]))
                if isinstance(message, Submit):
                    found.add((author, message.own, message.body))
        for match in party.running:
            found.update(
                (line.entry.author, line.entry.own, line.entry.body)
                for line in match.ledger.log.lines
            )
        return found

    def act(self, what: str, n: int, pick: int) -> None:
        party = self.party
        n %= len(party.keys)
        match what:
            case "move":
                self.move(n, pick)
            case "back":
                self.back(n)
            case "crash":
                self.crash(n)
            case "cut":
                party.cut(n, (n + 1) % len(party.keys))
            case "link":
                party.link(n, (n + 1) % len(party.keys))
            case _:
                for _ in range(pick):
                    party.deliver()

    def move(self, n: int, pick: int) -> None:
        match = self.party.member(n)
        [seat] = match.fold.seats_of(match.me)
        if match.may_move():
            options = moves(self.party, n)
            match.play(seat, options[pick % len(options)], -1, self.party.now)
            for one in match.submitting:  # the same again: now it is made
                self.dropped.discard((match.me, one.signed.own, one.signed.body))
            for line in match.ledger.log.lines:  # a host has entered it already
                entry = line.entry
                self.dropped.discard((entry.author, entry.own, entry.body))
            self.party.collect()

    def crash(self, n: int) -> None:
        match = self.party.member(n)
        before = {
            (match.me, one.signed.own, one.signed.body) for one in match.submitting
        }
        unsafe = match.journal.due is not None
        self.party.crash(n)
        self.party.start(n)
        after = self.party.member(n).submitting
        lost = before - {(match.me, one.signed.own, one.signed.body) for one in after}
        assert unsafe or not lost
        self.torn |= lost & self.left()

    def back(self, n: int) -> None:
        match = self.party.member(n)
        [seat] = match.fold.seats_of(match.me)
        own = [one for one in match.submitting if one.is_turn_of(seat)]
        gone = self.left()
        try:
            match.take_back(seat, self.party.now)
        except LocalError:
            assert not own or own[-1].left
            return
        one = own[-1].signed
        bytes_ = (one.author, one.own, one.body)
        assert bytes_ not in gone - self.torn
        self.dropped.add(bytes_)
        self.party.collect()


ACTS = st.tuples(
    st.sampled_from(["move", "move", "back", "crash", "cut", "link", "talk"]),
    st.integers(0, 2),
    st.integers(1, 9),
)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 3), st.lists(ACTS, min_size=5, max_size=25))
@example(
    3, [("move", 0, 1), ("move", 1, 1), ("crash", 1, 1), ("move", 1, 1), ("back", 1, 1)]
)
def test_what_was_taken_back_is_never_delivered_and_what_left_stays(
    members: int, acts: list[Any]
) -> None:
    journey = Journey(members)
    for act in acts:
        journey.act(*act)
    party = journey.party
    meet(party)
    party.wake(1.0)

    assert not (journey.dropped - journey.torn) & journey.left()
    assert len(set(party.logs())) == 1
    assert not any(match.submitting.waiting for match in party.running)
    for _ in range(3):
        party.play_one(Random(1))
        party.settle()


def test_with_days_to_think_a_host_alone_enters_what_comes_by_mail() -> None:
    party = Party("numlo", 2, NUMLO, days=3)
    party.link_all()
    party.settle()
    until_turn_of(party, 1)
    party.cut(0, 1)
    guest, host = party.member(1), party.member(0)
    move = make(party, 1)

    for message in guest.mail(host.me, party.now):
        host.take_mail(guest.me, message, party.now)
    host.step(party.now)
    host.outgoing()

    assert made(host)[-1] == move
    assert host.final < len(host.ledger.log)
    for message in host.mail(guest.me, party.now):
        guest.take_mail(host.me, message, party.now)
    guest.step(party.now)
    guest.outgoing()
    assert party.logs()[0] == party.logs()[1]
    for message in guest.mail(host.me, party.now):
        host.take_mail(guest.me, message, party.now)
    assert host.final == len(host.ledger.log)
    assert not host.members.greeted


def test_with_days_to_think_a_host_s_own_move_can_be_taken_back_until_it_leaves() -> (
    None
):
    party = Party("numlo", 2, NUMLO, days=3)
    party.link_all()
    party.settle()
    until_turn_of(party, 0)
    party.cut(0, 1)
    first, second = moves(party, 0)[:2]
    make(party, 0, first)

    party.member(0).take_back(0, party.now)
    make(party, 0, second)

    meet(party)
    assert {made(match)[-1] for match in party.running} == {second}
