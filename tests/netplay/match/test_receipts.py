"""What members have signed for does not go without a word."""

from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.match.receipts import CHECK_SECONDS
from netplay.match.submitting import fit
from netplay.messages.log import Ack, Receipt, Receipts, Submit
from netplay.record.log import ack_data
from netplay.record.store import MemoryDisk
from netplay.sentences import Says
from rules.game import Resign
from rules.numlo import Place
from tests.netplay.match.matches import NUMLO, ready, turn_of
from tests.netplay.match.test_hostile_peers import submit
from tests.netplay.party import Party
from tests.said import says

Copies = dict[object, bytes]


def copy_of(party: Party, n: int) -> Copies:
    """Copy a member's home."""
    return {name: bytes(d.data) for name, d in party.archives[n].disks.items()}


def put_back(party: Party, n: int, copies: Copies) -> None:
    """Kill a member and put an older copy of its home back."""
    party.crash(n)
    for name, data in copies.items():
        disk = MemoryDisk(data)
        party.archives[n].disks[name] = disk  # type: ignore[index]
    party.start(n)


def play_some(party: Party, moves: int, seed: int = 1) -> None:
    rng = Random(seed)
    for _ in range(moves):
        assert party.play_one(rng)
        party.settle()


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("game", ["numlo", "networdz"])
def test_a_member_that_puts_back_an_old_home_is_told_and_told_of(
    n: int, game: str
) -> None:
    party = ready(game, options=NUMLO) if game == "numlo" else ready(game)
    copies = copy_of(party, n)
    play_some(party, 4)
    party.wake(CHECK_SECONDS)
    log = party.logs()[0]
    put_back(party, n, copies)
    assert len(party.member(n).ledger.log) < len(log)
    party.link_all()
    party.settle()
    for _ in range(3):  # a host that was put back first renews its term
        party.wake(CHECK_SECONDS)
    assert all(mine[: len(log)] == log for mine in party.logs())
    assert not any(match.hidden.fork for match in party.running)
    if n:
        told = "M1 has put back an older copy of the game"
        assert told in party.notices[0]
        mine = "this computer has put back an older copy of the game"
        assert mine in party.notices[1]
    play_some(party, 3)
    assert len({match.ledger.log.head for match in party.running}) == 1


def test_each_member_that_puts_back_an_old_home_is_told_of_once() -> None:
    party = ready("numlo", members=4, options=NUMLO)
    copies = {n: copy_of(party, n) for n in (1, 2)}
    play_some(party, 4)
    party.wake(CHECK_SECONDS)
    for n, old in copies.items():
        put_back(party, n, old)
    for _ in range(2):
        party.link_all()
        party.settle()
        for n in copies:
            assert party.notices[0].count(str(Says.PUT_BACK(name=f"M{n}"))) == 1
            party.cut(0, n)


def test_final_entries_that_are_dropped_are_told_with_the_signatures() -> None:
    party = ready(members=3, game="numlo", options=NUMLO)
    copies = copy_of(party, 1)
    for other in (0, 1):
        party.cut(other, 2)
    play_some(party, 1)  # the log without it grows as long by the new host's term
    party.wake(CHECK_SECONDS)
    host = party.member(0)
    assert host.final == len(host.ledger.log) > len(party.member(2).ledger.log)
    gone = len(party.member(2).ledger.log)
    party.crash(0)
    put_back(party, 1, copies)
    party.link(1, 2)
    for n in (1, 2):
        party.member(n).vote(party.now)
    party.wake(1)
    party.wake(2)
    assert party.member(1).host == party.keys[1].key
    party.start(0)
    party.link_all()
    party.settle()
    assert len({match.ledger.log.head for match in party.running}) == 1
    said = f"final entries from {gone} on are gone: M1 had signed for them"
    assert said in party.notices[0]
    [loss] = party.member(0).hidden.losses
    assert [held.member for held in loss.receipts] == [party.keys[1].key]
    assert says(party.notices[1], Says.PUT_BACK_HERE)
    assert str(Says.SIGNED_AND_GONE(names="M1")) in party.notices[2]
    party.crash(0)
    party.start(0)
    assert party.member(0).hidden.losses == [loss]


def test_a_turn_is_not_taken_in_another_history() -> None:
    party = ready("numlo", options=NUMLO)
    while party.movers()[0][0] != 1:
        play_some(party, 1)
    guest, host = party.member(1), party.member(0)
    state = guest.seats.view(1).state
    move = next(party.game.moves(state, 1))
    # Two moves made elsewhere would be as many as here: only the head tells.
    other = replace(turn_of(guest, 1, move), after=bytes([9]) * 32)
    host.receive(guest.me, submit(party, 1, other), party.now)
    party.collect()
    codes = [m.code for m in party.sent[0, 1] if type(m).__name__ == "Refused"]
    assert codes == [Code.STALE.number]
    here = submit(party, 1, turn_of(guest, 1, move))
    moves = host.fold.moves
    host.receive(guest.me, here, party.now)
    assert host.fold.moves == moves + 1


def test_a_move_fits_a_history_in_which_its_player_sees_the_same() -> None:
    party = ready("numlo", options=NUMLO)
    match = party.member(0)
    log, fold = match.ledger.log, match.fold
    turn = turn_of(match, 0, Place(0))
    assert fit(turn, log, fold) == turn
    elsewhere = replace(turn, after=bytes([9]) * 32)
    assert fit(elsewhere, log, fold) == turn
    assert fit(replace(elsewhere, state=bytes(32)), log, fold) is None
    resign = replace(turn_of(match, 0, Resign()), after=bytes([9]) * 32)
    assert fit(resign, log, fold) == resign


def test_an_acknowledgement_is_signed_once_for_all_that_came_before_it() -> None:
    party = ready("numlo", options=NUMLO)
    play_some(party, 6)
    acks = [m for m in party.sent[1, 0] if isinstance(m, Ack)]
    assert len({ack.signature for ack in acks}) == len({ack.head for ack in acks})
    guest = party.member(1)
    assert guest.replica.ack() is guest.replica.ack()


@pytest.mark.parametrize("soon", [False, True])
def test_an_acknowledgement_with_a_bad_signature_does_not_stand(soon: bool) -> None:
    party = ready("numlo", options=NUMLO)
    play_some(party, 2)
    host, guest = party.member(0), party.member(1)
    bad = replace(guest.replica.ack(), signature=bytes(64))
    if soon:
        host.receive(guest.me, bad, party.now)
        assert host.final == len(host.ledger.log)
        party.now += CHECK_SECONDS
        host.wake(party.now)
        assert host.final < len(host.ledger.log)
        return
    party.now += CHECK_SECONDS
    host.wake(party.now)
    with pytest.raises(PeerError) as caught:
        host.receive(guest.me, bad, party.now + CHECK_SECONDS)
    assert caught.value.code is Code.BAD_SIGNATURE


def test_receipts_that_prove_nothing_change_nothing() -> None:
    party = ready("numlo", members=3, options=NUMLO)
    play_some(party, 3)
    host = party.member(0)
    before = len(party.notices[0])
    key, match = party.keys[1].key, host.match
    own = Receipt(key, 0, 2, bytes([1]) * 32, b"", bytes(64))
    place = 0, 999, bytes([1]) * 32, b""
    signed = party.keys[1].sign(ack_data(match, *place))
    ahead = Receipt(key, *place, signed)
    ours = replace(own, head=host.ledger.log.heads[2])
    stranger = replace(own, member=bytes(32))
    host.receive(key, Receipts(match, (ahead, ours, stranger)), party.now)
    with pytest.raises(PeerError) as caught:
        host.receive(key, Receipts(match, (own,)), party.now)
    assert caught.value.code is Code.BAD_SIGNATURE
    assert len(party.notices[0]) == before
    assert not host.hidden.losses


def test_what_is_signed_for_beyond_the_log_is_told_when_the_log_is_as_long() -> None:
    party = ready("numlo", members=3, options=NUMLO)
    guest, author = party.member(2), party.keys[1]
    number = len(guest.ledger.log) + 2
    place = 0, number, bytes([1]) * 32, b""
    shown = Receipt(author.key, *place, author.sign(ack_data(guest.match, *place)))
    forged = replace(shown, number=number + 1)
    with pytest.raises(PeerError) as caught:
        guest.receive(party.keys[0].key, Receipts(guest.match, (forged,)), party.now)
    assert caught.value.code is Code.BAD_SIGNATURE
    for _ in range(2):
        guest.receive(party.keys[0].key, Receipts(guest.match, (shown,)), party.now)
    gone = "M1 had signed for entries that are gone"
    while len(guest.ledger.log) < number:
        assert gone not in party.notices[2]
        play_some(party, 1)
    assert party.notices[2].count(gone) == 1
    assert [loss.receipts for loss in guest.hidden.losses] == [(shown,)]
    assert not party.member(0).hidden.losses


def test_what_is_signed_for_beyond_the_log_and_comes_later_is_no_loss() -> None:
    party = ready("numlo", members=3, options=NUMLO)
    for other in (0, 1):
        party.cut(other, 2)
    play_some(party, 1)
    guest, log = party.member(2), party.member(0).ledger.log
    place = log.term, len(log), log.head, b""
    author = party.keys[1]
    shown = Receipt(author.key, *place, author.sign(ack_data(guest.match, *place)))
    assert shown.number > len(guest.ledger.log)
    guest.receive(party.keys[0].key, Receipts(guest.match, (shown,)), party.now)
    party.link_all()
    party.settle()
    play_some(party, 2)
    assert guest.ledger.log.heads[shown.number] == shown.head
    assert not guest.hidden.losses
    assert not guest.receipts.ahead


def test_signatures_of_one_member_under_what_never_was_are_told_a_few_times() -> None:
    party = ready("numlo", members=3, options=NUMLO)
    play_some(party, 3)
    host, author = party.member(0), party.keys[1]
    for number in range(100):
        head = number.to_bytes(32, "big")
        place = 0, 2, head, b""
        signed = author.sign(ack_data(host.match, *place))
        shown = Receipt(author.key, *place, signed)
        host.receive(author.key, Receipts(host.match, (shown,)), party.now)
    lines = [line for line in party.notices[0] if says(line, Says.SIGNED_AND_GONE)]
    assert 1 <= len(lines) <= 4
    assert len(host.hidden.losses) == len(lines)


def test_an_acknowledgement_names_the_term_of_its_head() -> None:
    """Else no later one would pass for newer, and bind its author."""
    party = ready("numlo", members=3, options=NUMLO)
    play_some(party, 3)
    host, author = party.member(0), party.keys[1]
    log, state = host.ledger.log, host.fold.digest()
    place = 1_000_000, len(log), log.head, state
    ack = Ack(log.match, *place, author.sign(ack_data(log.match, *place)))
    with pytest.raises(PeerError) as caught:
        host.receive(author.key, ack, party.now + CHECK_SECONDS)
    assert caught.value.code is Code.UNEXPECTED
    assert host.hidden.receipts[author.key].term == log.term


def test_a_host_lets_nobody_count_whose_entries_it_lacks() -> None:
    party = ready("networdz")
    copies = copy_of(party, 0)
    play_some(party, 3)
    number = len(party.member(1).ledger.log)
    put_back(party, 0, copies)
    party.link(0, 1)
    host, guest = party.member(0), party.member(1)
    host.receive(guest.me, guest.replica.have(), party.now)
    host.receive(guest.me, guest.replica.ack(), party.now)
    assert len(host.ledger.log) < number
    assert not host.quorate
    for _ in range(3):
        party.wake(CHECK_SECONDS)
    assert host.quorate
    assert len(host.ledger.log) >= number
    waiting = [m for m in party.sent[1, 0] if isinstance(m, Submit)]
    assert all(message.match == host.match for message in waiting)


def test_who_sees_another_position_is_in_doubt_until_it_sees_the_same_again() -> None:
    party = ready("numlo", 3, options=NUMLO)
    host, member = party.member(0), party.keys[1]
    for same in (True, False, False, True, False, True, True):
        log, state = host.ledger.log, host.fold.digest() if same else bytes(32)
        place = log.lines[-1].entry.term, len(log), log.head, state
        signature = member.sign(ack_data(host.match, *place))
        host.receive(member.key, Ack(host.match, *place, signature), party.now)
        assert (member.key in host.receipts.doubts) is not same
