"""Encrypted matches in memory: what is drawn, and who can read it."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.match import masks
from netplay.match.match import Match
from netplay.messages.log import Commit, Mix
from netplay.record import proving
from netplay.record.enclosures import packed as packed_items
from netplay.record.enclosures import unpacked
from netplay.record.masked import Phase
from netplay.record.mending import Mender
from netplay.record.store import whole
from netplay.record.verify import verify
from netplay.record.views import SeatView
from netplay.wire import pack
from rules import GAMES
from rules.game import CLOCK
from rules.networdz import Pass
from rules.tiles import UNKNOWN, Shown
from tests.netplay.match.encrypted import (
    bag_of,
    check_views,
    encrypted,
    exchange,
    play_random,
    ready,
    refused,
    said,
)
from tests.netplay.party import Dice, Party

QUICK = settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("members", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_an_encrypted_match_is_what_the_rules_make_of_its_tiles(members: int) -> None:
    party, rng = ready(members), Random(members)
    play_random(party, rng, 3)
    exchange(party)
    party.play_out(rng)
    check_views(party)
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    assert {match.audit() for match in party.running} == {"ok"}
    assert all(not notices for notices in party.notices)
    found = verify(whole(logs[0]))
    assert (found.verdict, found.audit, found.fairness) == ("good", "ok", "encrypted")


@pytest.mark.usefixtures("unproved")
@QUICK
@given(st.integers(0, 2**32), st.integers(2, 4))
def test_every_seat_sees_its_own_tiles_whatever_is_played(
    seed: int, members: int
) -> None:
    party, rng = ready(members), Random(seed)
    play_random(party, rng, 25)
    party.play_out(rng)
    check_views(party)


@pytest.mark.usefixtures("unproved")
@QUICK
@given(st.integers(0, 2**32), st.integers(2, 4))
def test_log_and_key_alone_bring_a_member_back(seed: int, members: int) -> None:
    party, rng = ready(members), Random(seed)
    play_random(party, rng, 8)
    n = rng.randrange(members)
    before = party.member(n).seats.view(n).state
    party.crash(n)
    name = party.terms.nonce
    party.archives[n].open_secrets(name).cut(0)
    party.start(n)
    party.link_all()
    party.settle()
    assert party.member(n).seats.view(n).state == before
    party.play_out(rng)
    check_views(party)


@pytest.mark.usefixtures("unproved")
@QUICK
@given(st.integers(0, 2**32), st.integers(2, 4))
def test_members_that_crash_at_any_moment_come_back_and_play_on(
    seed: int, members: int
) -> None:
    party, rng = encrypted(members), Random(seed)
    for _ in range(60):
        for _ in range(rng.randrange(9)):
            party.deliver()
        n = rng.randrange(members)
        if rng.random() < 0.3:
            party.crash(n)
            party.start(n)
        party.link_all()
        party.play_one(rng)
    party.link_all()
    party.settle()
    party.play_out(rng)
    check_views(party)


@pytest.mark.usefixtures("unproved")
def test_no_draw_holds_up_the_others_while_a_bag_is_mixed() -> None:
    party = ready(2)
    n = party.movers()[0][0]
    rack = party.member(n).seats.view(n).state.tiles.racks[n]
    party.member(n).play(n, pack(Pass(rack[:3])), -1, party.now)
    party.matches[n].jobs = lambda: ()  # type: ignore[union-attr,method-assign]
    party.settle()
    assert bag_of(party).phase is Phase.MIXING
    other = 1 - n
    assert party.member(other).on_turn() == [other]
    assert party.member(n).seats.view(n).up_to_date
    party.play_one(Random(1))
    party.settle()
    assert party.member(other).on_turn() == [n]


@pytest.mark.usefixtures("unproved")
def test_whoever_waits_for_a_tile_sees_all_else() -> None:
    party = encrypted(2)
    party.matches[1].jobs = lambda: ()  # type: ignore[union-attr,method-assign]
    party.settle()
    view = party.member(0).seats.view(0)
    assert not view.up_to_date
    assert set(view.state.tiles.kinds[0]) == {UNKNOWN}
    assert view.state.tiles.eye == 0
    assert party.member(0).thoughts() == []
    with pytest.raises(LocalError) as caught:
        lay_something(party.member(party.movers()[0][0]))
    assert caught.value.code is Code.BAD_PROOF


def lay_something(match: Match) -> None:
    """Ask for the proof of a tile that is on its way."""
    seat = match.fold.seats_of(match.me)[0]
    tile = match.fold.state.tiles.racks[seat][0]
    match.seats.proofs_of([Shown(tile, 0)])


# Time.


@pytest.mark.usefixtures("unproved")
def test_a_seat_that_waits_for_its_tiles_is_not_charged_time() -> None:
    options = GAMES["networdz"].ABOUT.options(timed=1)
    party = ready(2, options=options)
    [(slow, _)] = party.movers()
    waits, jobs = 1 - slow, party.member(slow).jobs
    party.matches[slow].jobs = lambda: ()  # type: ignore[union-attr,method-assign]
    exchange(party)
    lay_a_word(party)
    fold = party.member(0).fold
    assert fold.late == set()
    party.member(slow).play(slow, pack(Pass(())), -1, party.now)
    party.settle()
    assert fold.actors == {waits, CLOCK}
    assert fold.late == {slow}
    moves = fold.moves
    for _ in range(4):
        party.wake(60.0)
    assert fold.moves == moves
    assert fold.clocks.on == (slow,)
    party.matches[slow].jobs = jobs  # type: ignore[union-attr,method-assign]
    party.settle()
    assert fold.late == set()
    assert fold.clocks.on == (waits,)
    party.wake(59.0)
    assert fold.moves == moves
    party.wake(2.0)
    assert fold.moves == moves + 1


def lay_a_word(party: Party) -> None:
    [(n, seat)] = party.movers()
    state = party.member(n).seats.view(seat).state
    word = next(m for m in party.game.moves(state, seat) if hasattr(m, "shown"))
    party.member(n).play(seat, pack(word), -1, party.now)
    party.settle()


# By files.


@pytest.mark.usefixtures("unproved")
def test_an_encrypted_match_goes_on_by_files_alone() -> None:
    party, rng = ready(2), Random(7)
    party.cut(0, 1)
    for match in party.running:
        match.go_by_mail(party.now)
    for turn in range(8):
        if turn == 3:
            mailed(party)
            [(n, seat)] = party.movers()
            rack = party.member(n).seats.view(seat).state.tiles.racks[seat]
            party.member(n).play(seat, pack(Pass(rack[:3])), -1, party.now)
        else:
            party.play_one(rng)
        mailed(party)
    assert party.member(0).fold.moves >= 8
    assert len(set(party.logs())) == 1
    party.link(0, 1)
    party.settle()
    party.play_out(rng)
    check_views(party)


def mailed(party: Party) -> None:
    """Send a file there and back."""
    for here, there in ((0, 1), (1, 0), (0, 1)):
        sender, taker = party.member(here), party.member(there)
        for match in (sender, taker):
            party.work(match)
            match.outgoing()
        sender.go_by_mail(party.now)
        sender.outgoing()
        items = tuple(unpacked(list(packed_items(sender.enclosures()))))
        unseal = party.keys[there].unseal
        taker.take_file(sender.ledger.raws(0), items, unseal, party.now)
        party.work(taker)
        taker.outgoing()


# What else.


@pytest.mark.usefixtures("unproved")
def test_the_host_may_change_and_nothing_is_dealt_again() -> None:
    party, rng = ready(3), Random(2)
    play_random(party, rng, 3)
    party.crash(0)
    for n in (1, 2):
        party.member(n).vote(party.now)
    party.wake(2.0)
    party.start(0)
    party.link_all()
    party.settle()
    assert party.member(0).host == party.keys[1].key
    assert not party.member(0).fold.again
    play_random(party, rng, 3)
    party.play_out(rng)
    check_views(party)


@pytest.mark.usefixtures("unproved")
def test_lhexicon_is_played_encrypted_too() -> None:
    party = ready(2, game="lhexicon")
    party.play_out(Random(4), most=120)


@pytest.mark.usefixtures("unproved")
def test_a_bystander_follows_all_and_reads_nothing() -> None:
    party = ready(2)
    play_random(party, Random(1), 4)
    fold = party.member(0).fold
    view = SeatView(fold, None, lambda _tile: None)
    view.advance()
    assert view.up_to_date
    assert view.state == fold.state


def test_commitments_to_deals_have_no_place() -> None:
    party = ready(2)
    assert refused(party, Commit(1, bytes(32)), 0) is Code.UNEXPECTED
    committed = Party("networdz", 2)
    committed.link_all()
    committed.settle()
    [mask] = [b for _, _, b in said(party, masks.Mask)][:1]
    assert refused(committed, mask, 0) is Code.UNEXPECTED


@pytest.mark.usefixtures("unproved")
def test_no_proof_of_a_match_that_rested_is_checked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    party = ready(3)
    play_random(party, Random(1), 4)
    exchange(party)
    match, archive = party.member(1), party.archives[1]
    before = match.seats.view(1).state
    match.close()
    checked: list[object] = []
    for name in ("check_key", "check_lift"):
        monkeypatch.setattr(proving, name, lambda *given: checked.append(given))
    mender = Mender(archive, Dice("again"), lambda _said: None)
    name = party.terms.nonce
    ledger = mender.ledger(name)
    assert ledger is not None
    assert ledger.fold.state == match.fold.state
    assert not checked
    secrets = archive.open_secrets(name)
    again = Match(party.keys[1], ledger, secrets, Dice("b"), lambda *_: None)
    assert again.seats.view(1).state == before
    assert not again.jobs()
    secrets.cut(0)  # nothing says any more that it was checked
    anew = mender.ledger(name)
    assert anew is not None
    assert len(checked) > 20
    checked.clear()
    anew.truncate(anew.log.number - 1)
    assert not checked, "what stays of the log was checked"


@pytest.mark.usefixtures("unproved")
def test_what_was_checked_is_not_checked_again_after_a_restart() -> None:
    party = ready(2)
    assert not party.member(0).jobs()
    party.crash(0)
    party.start(0)
    assert not party.member(0).masks.unchecked


@pytest.mark.usefixtures("unproved")
def test_of_two_mixings_the_one_not_checked_yet_is_checked_after_a_restart() -> None:
    party = encrypted(3)
    slow = party.member(2)
    jobs, slow.jobs = slow.jobs, lambda: ()  # type: ignore[method-assign]
    party.settle()
    slow.jobs = jobs  # type: ignore[method-assign]
    (first,) = slow.jobs()
    slow.done(first.work(), party.now)
    slow.journal.sync()
    party.crash(2)
    party.start(2)
    (second,) = party.member(2).jobs()
    assert isinstance(second, masks.Check)


@pytest.mark.parametrize("turns", [0, 1, 2])
@pytest.mark.usefixtures("unproved")
def test_who_puts_tiles_back_mixes_them_first(turns: int) -> None:
    party = ready(3)
    for _ in range(turns):
        assert party.play_one(Random(1))
        party.settle()
    [(first, _seat)] = party.movers()
    exchange(party)
    last = bag_of(party).deals[-1].number
    authors = [author for author, _, body in said(party, Mix) if body.round == last]
    assert authors == [(first + n) % 3 for n in range(3)]
