"""Programs that see different positions notice, say so, and nobody gains by it."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.match.match import Match
from netplay.messages.log import Entries, Position, Ticks, Turn
from netplay.record.agreement import Agreement, Difference
from netplay.record.fold import Fold
from netplay.record.standing import state_digest
from netplay.record.store import whole
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.wire import pack
from rules import GAMES, hexcolumns
from rules.game import Resign
from rules.hexcolumns import abilities
from rules.numlo import Place
from tests.netplay.deviant import Deviant, differing
from tests.netplay.match.matches import NUMLO, entered, ready, silence, turn_of
from tests.netplay.match.test_hostile_peers import submit
from tests.netplay.party import Party
from tests.said import says


def move_of(party: Party, n: int) -> bool:
    """Let a member make some move that its own program takes."""
    match = party.member(n)
    own = [s for s in match.on_turn() if match.fold.holders[s] == match.me]
    if not own:
        return False
    state = match.seats.view(own[0]).state
    move = next(iter(match.fold.game.moves(state, own[0])))
    match.play(own[0], pack(move), -1, party.now)
    party.settle()
    return True


def play_on(party: Party, most: int = 300) -> None:
    """Let everybody move who can, until nobody can."""
    for _ in range(most):
        moved = [move_of(party, n) for n in range(len(party.keys))]
        if not any(moved):
            return


def test_two_that_see_different_values_are_in_dispute_and_nobody_wins() -> None:
    party = differing(2, 1)
    play_on(party)
    host, guest = party.member(0), party.member(1)
    assert host.ledger.raws(0) == guest.ledger.raws(0)
    for match in (host, guest):
        assert match.fold.disputed
        assert match.fold.places == ()
    found = host.fold.agreement.found[0]
    assert found.theirs == guest.fold.digest() or found.ours != found.theirs
    told = [line for notices in party.notices for line in notices]
    assert any(found.theirs.hex()[:16] in line for line in told)
    assert any(found.ours.hex()[:16] in line for line in told)
    assert any(says(line, Says.IN_DISPUTE) for line in told)
    verdict = verify(whole(host.ledger.raws(0)))
    assert verdict.disputed
    assert found.theirs.hex() in str(verdict.apart[0])
    assert verdict.places == ()


def test_a_program_that_differs_ends_nothing_for_those_who_agree() -> None:
    party = differing(3, 2)
    play_on(party)
    host, deviant = party.member(0), party.keys[2].key
    assert host.fold.agreement.standing.keys() == {deviant}
    assert not host.fold.disputed
    for n in (0, 1):
        party.member(n).agree(2, party.keys[1].key, "S2", party.now)
        party.settle()
    assert host.fold.holders[2] == party.keys[1].key
    play_on(party)
    for n in (0, 1):
        assert party.member(n).fold.over
        assert len(party.member(n).fold.places) == 3
    assert len({match.ledger.log.head for match in party.running}) == 1
    said = [line.body for line in host.ledger.log.lines]
    ends = [body.state for body in said if isinstance(body, Position)][-2:]
    assert ends == [host.fold.digest()] * 2


def test_a_host_whose_program_differs_is_replaced_by_those_who_agree() -> None:
    party = differing(3, 0)
    play_on(party)
    for n in (1, 2):
        assert party.keys[0].key in party.member(n).fold.agreement.standing
    party.wake(1)
    party.wake(61)
    party.wake(2)
    for n in (1, 2):
        assert party.member(n).host == party.keys[1].key
    for n in (1, 2):
        party.member(n).agree(0, party.keys[2].key, "S0", party.now)
        party.settle()
    play_on(party)
    for n in (1, 2):
        assert party.member(n).fold.over
        assert len(party.member(n).fold.places) == 3


def silence_at_the_end(match: Match) -> None:
    """Let a member say nothing of its own accord once the rules have ended it."""
    silence(match, lambda: match.fold.over)


def lost_by(party: Party) -> int:
    return party.member(0).fold.places.index(2)


@pytest.mark.parametrize("seed", range(3))
def test_who_has_lost_gets_no_draw_by_a_wrong_digest_at_the_end(seed: int) -> None:
    party = ready("numlo", options=NUMLO)
    for each in party.running:
        silence_at_the_end(each)
    party.play_out(Random(seed))
    party.settle()
    loser = lost_by(party)
    match = party.member(loser)
    assert match.fold.places
    match.replication.submit(Position(match.ledger.log.head, bytes(32)), party.now)
    party.settle()
    other = party.member(1 - loser).fold
    assert [found.author for found in other.out_of_step] == [match.me]
    assert other.disputed
    assert other.places == ()
    assert says(party.notices[1 - loser][-1], Says.IN_DISPUTE)


def test_who_resigns_out_of_step_has_lost() -> None:
    party = ready("numlo", options=NUMLO)
    [(n, seat)] = party.movers()
    match = party.member(n)
    wrong = replace(turn_of(match, seat, Place(0)), state=bytes(32))
    match.replication.submit(wrong, party.now)
    party.settle()
    other = party.member(1 - n)
    assert other.fold.disputed
    match.replication.submit(turn_of(match, seat, Resign()), party.now)
    party.settle()
    assert other.fold.places[seat] == 2


def test_who_differs_is_in_step_again_once_it_names_the_position_that_is() -> None:
    party = ready("numlo", options=NUMLO)
    [(n, seat)] = party.movers()
    match, other = party.member(n), party.member(1 - n)
    state, moves = other.fold.state, other.fold.moves
    wrong = replace(turn_of(match, seat, Place(0)), state=bytes(32))
    match.replication.submit(wrong, party.now)
    party.settle()
    assert (other.fold.state, other.fold.moves) == (state, moves)
    assert other.fold.disputed
    assert party.play_one(Random(1))
    party.settle()
    assert not other.fold.disputed
    assert other.fold.moves == moves + 1
    party.play_out(Random(1))
    assert len({match.fold.places for match in party.running}) == 1
    assert other.fold.places


def test_a_host_enters_a_wrong_position_once_and_no_more_before_a_move() -> None:
    party = ready("numlo", options=NUMLO)
    match, host = party.member(1), party.member(0)
    silence(match)
    refused = []
    for filling in (1, 2, 3):
        wrong = Turn(1, match.ledger.log.head, bytes([filling]) * 32, b"\x90", ())
        wrong = replace(wrong, move=pack(Place(0)))
        host.receive(match.me, submit(party, 1, wrong), party.now)
        party.settle()
        sent = party.sent.get((0, 1), [])
        refused = [m.code for m in sent if type(m).__name__ == "Refused"]
    assert refused == [Code.OUT_OF_STEP.number] * 2
    assert len(host.fold.agreement.found) == 1


def test_what_does_not_fit_changes_nothing_while_somebody_is_out_of_step() -> None:
    party = ready("numlo", members=3, options=NUMLO)
    host, guest = party.member(0), party.member(1)
    state = guest.fold.state
    one = replace(turn_of(host, 0, Place(0)), state=bytes(32))
    host.replication.submit(one, party.now)
    party.settle()
    assert [found.author for found in guest.fold.out_of_step] == [host.me]
    number = guest.fold.number
    illegal = entered(party, turn_of(host, 0, Place(63)))
    guest.receive(host.me, Entries(guest.match, (illegal,)), party.now)
    assert guest.fold.number == number + 1
    assert guest.fold.state == state


@pytest.mark.parametrize("name", ["numlo", "networdz", "lhexicon", "hexagrams"])
def test_the_public_position_is_the_same_for_all_who_know_different_things(
    name: str,
) -> None:
    party = ready(name)
    rng = Random(2)
    for _ in range(12):
        party.play_one(rng)
        party.settle()
    game, match = party.game, party.member(0)
    fold = match.fold
    digests = {one.fold.digest() for one in party.running}
    whole_state = match.knows.whole
    assert whole_state.advance()
    full = whole_state.state
    digests.add(state_digest(match.match, game, game.view(full, None)))
    for seat in range(2):
        own = party.member(seat).seats.view(seat).state
        digests.add(state_digest(match.match, game, game.view(own, None)))
    assert digests == {fold.digest()}
    if name in {"networdz", "lhexicon"}:  # and a rack cannot be guessed from it
        kinds = [kind for rack in fold.state.tiles.kinds for kind in rack]
        assert set(kinds) == {-1}


def wells_apart(state: Any, seat: int) -> tuple[Any, ...]:
    """Count a score as no other program does."""
    return (*abilities.public_part(state, seat), 1)


def test_a_well_that_differs_is_noticed_within_a_second() -> None:
    wells: Any = Deviant(abilities, public_part=wells_apart)
    game = Deviant(hexcolumns, ABOUT=replace(hexcolumns.ABOUT, real_time=wells))
    options = GAMES["hexcolumns"].ABOUT.options()
    party = differing(2, 1, game, name="hexcolumns", options=options)
    for _ in range(40):
        party.wake(1 / 30)
    host, guest = party.member(0), party.member(1)
    assert [found.author for found in host.fold.out_of_step] == [guest.me]
    assert host.fold.disputed
    assert host.fold.ticks[1] < 60
    ticks = host.fold.ticks[0]
    for _ in range(60):
        party.wake(1 / 30)
    assert host.fold.ticks[0] > ticks  # its own seat goes on
    assert host.ledger.raws(0) == guest.ledger.raws(0)


def test_ticks_name_their_well_once_a_second_and_not_else() -> None:
    party = ready("hexcolumns")
    for _ in range(70):
        party.wake(1 / 30)
    match = party.member(0)
    bodies = [line.body for line in match.ledger.log.lines]
    stretches = [b for b in bodies if isinstance(b, Ticks) and b.seat == 0]
    assert sum(bool(body.well) for body in stretches) == 2
    assert not match.fold.agreement.found
    until = match.fold.ticks[0]
    for body in (Ticks(0, until, (), bytes(32)), Ticks(0, until + 31, (), b"")):
        with pytest.raises(PeerError) as caught:
            match.replication.submit(body, party.now)
        assert caught.value.code is Code.UNEXPECTED


def test_who_says_the_same_position_twice_is_refused() -> None:
    party = ready("numlo", options=NUMLO)
    match = party.member(0)
    said = Position(match.ledger.log.head, match.fold.digest())
    match.replication.submit(said, party.now)
    for again in (said, Position(bytes([7]) * 32, bytes(32))):
        with pytest.raises(PeerError) as caught:
            match.replication.submit(again, party.now)
        assert caught.value.code in {Code.UNEXPECTED, Code.STALE}


def test_a_fold_that_is_made_again_knows_the_same_differences() -> None:
    party = differing(2, 1)
    play_on(party)
    host = party.member(0)
    again = Fold(party.terms)
    for line in host.ledger.log.lines:
        again.apply(line)
    assert again.agreement.found == host.fold.agreement.found
    assert again.disputed


@pytest.mark.parametrize("as_turn", [False, True])
@pytest.mark.parametrize("liar", [0, 1])
def test_who_has_agreed_to_the_end_cannot_take_it_back(
    liar: int, as_turn: bool
) -> None:
    """Else the loser would bring a match into dispute that was over for weeks."""
    party = ready("numlo", options=NUMLO)
    party.play_out(Random(3))
    party.settle()
    host, other = party.member(0), party.member(1 - liar)
    places = other.fold.places
    assert places
    for n in range(5):
        head, wrong = host.ledger.log.head, bytes([n]) * 32
        body = Position(head, wrong)
        move = replace(turn_of(host, liar, Place(0)), state=wrong)
        raw = entered(party, move if as_turn else body, liar)
        for each, by in ((host, 1), (party.member(1), 0)):
            entries = Entries(host.match, (raw,))
            each.replication.on_message(party.keys[by].key, entries, party.now)
        assert not other.fold.disputed
        assert other.fold.places == places
    said = [f.author for f in other.fold.agreement.found]
    assert said == [party.keys[liar].key] * 5
    verdict = verify(whole(host.ledger.raws(0)))
    assert not verdict.disputed
    assert len(verdict.apart) == 5


def test_a_host_that_differs_over_and_over_is_told_of_a_few_times() -> None:
    """It may enter what changes nothing, and would fill screens and memory."""
    party = ready("numlo", options=NUMLO)
    host, guest = party.member(0), party.member(1)
    for number in range(200):
        wrong = replace(turn_of(host, 0, Place(0)), state=bytes([number]) * 32)
        raw = entered(party, wrong)
        host.ledger.accept(raw)
        guest.receive(host.me, Entries(host.match, (raw,)), party.now)
    assert len(guest.ledger.log) == len(host.ledger.log)
    assert len(guest.fold.agreement.found) == 16
    told = [line for line in party.notices[1] if says(line, Says.OUT_OF_STEP_AT)]
    assert len(told) == len(set(told)) == 16
    assert guest.fold.disputed


@pytest.mark.parametrize("at_the_end", [False, True])
def test_the_verdict_on_a_match_in_dispute_is_no_win_and_says_why(
    at_the_end: bool,
) -> None:
    party = ready("numlo", options=NUMLO)
    for each in party.running:
        silence_at_the_end(each)
    if at_the_end:
        party.play_out(Random(1))
        party.settle()
    match = party.member(1)
    match.replication.submit(Position(match.ledger.log.head, bytes(32)), party.now)
    party.settle()
    found = verify(whole(party.member(0).ledger.raws(0)))
    assert (found.verdict, found.disputed, found.places) == ("unfinished", True, ())
    assert found.reason == str(Says.POSITIONS_DIFFER())
    assert len(found.apart) == 1
    match.replication.submit(
        Position(match.ledger.log.head, match.fold.digest()), party.now
    )
    party.settle()
    mended = verify(whole(party.member(0).ledger.raws(0)))
    assert not mended.disputed
    assert (mended.verdict == "good") == bool(mended.places) == at_the_end


def test_a_host_that_has_resigned_brings_nobodys_match_into_dispute() -> None:
    party = ready("numlo", 3, options=NUMLO)
    host = party.member(0)
    host.play(0, pack(Resign()), -1, party.now)
    party.settle()
    assert host.fold.host == host.me
    wrong = Position(host.ledger.log.head, bytes(32))
    raw = entered(party, wrong)
    for n in (1, 2):
        match = party.member(n)
        match.receive(host.me, Entries(match.match, (raw,)), party.now)
        assert [one.author for one in match.fold.agreement.found] == [host.me]
        assert not match.fold.disputed


def test_after_one_of_four_has_left_one_that_differs_takes_no_places() -> None:
    party = ready("numlo", 4, options=NUMLO)
    party.member(3).play(3, pack(Resign()), -1, party.now)
    party.settle()
    wrong = Position(party.member(0).ledger.log.head, bytes(32))
    raw = entered(party, wrong, 2)
    match = party.member(1)
    match.receive(party.keys[0].key, Entries(match.match, (raw,)), party.now)
    fold = match.fold
    assert [one.author for one in fold.agreement.found] == [party.keys[2].key]
    assert not fold.disputed


def test_that_another_differs_is_told_beside_one_who_differs_often() -> None:
    party = ready("numlo", 3, options=NUMLO)
    host, guest = party.member(0), party.member(1)
    for number in range(20):
        wrong = Position(host.ledger.log.head, number.to_bytes(32, "big"))
        host.ledger.accept(entered(party, wrong))
    host.ledger.accept(entered(party, Position(host.ledger.log.head, bytes(32)), 2))
    guest.receive(
        host.me, Entries(host.match, host.ledger.raws(len(guest.ledger.log))), party.now
    )
    found = [one.author for one in guest.fold.agreement.found]
    assert found.count(host.me) == 16
    assert found[-1] == party.keys[2].key


def test_who_differs_still_after_a_move_of_anothers_is_heard_again() -> None:
    party = ready("numlo", 3, options=NUMLO)
    [(mover, _seat)] = party.movers()
    apart, other = (n for n in range(3) if n != mover)
    match = party.member(apart)
    silence(match)
    for filling in (1, 2):
        move = turn_of(match, apart, Place(0))
        match.replication.submit(replace(move, state=bytes([filling]) * 32), party.now)
        party.settle()
        found = party.member(other).fold.agreement.found
        assert [one.theirs[0] for one in found] == [1, 2][:filling]
        if filling == 1:
            assert move_of(party, mover)


def test_a_word_is_owed_at_each_new_difference_and_once() -> None:
    found = Agreement()
    apart = Difference(5, b"bob", b"theirs", b"first", 3)
    found.standing = {b"bob": apart}
    assert found.is_owed(b"ann", b"first", now=False)
    found.say(6, b"ann", b"first")
    assert not found.is_owed(b"ann", b"first", now=False)
    assert not found.is_owed(b"ann", b"second", now=False), "nothing new was said"
    found.standing = {b"bob": apart._replace(number=9, ours=b"second", moves=4)}
    assert found.is_owed(b"ann", b"second", now=False)
