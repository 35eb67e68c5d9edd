"""Who leaves an encrypted match, and who reads the tiles of those who have."""

from random import Random
from typing import Any

import pytest

from netplay.errors import Code, LocalError, PeerError
from netplay.messages.log import Hand, Lift, Mix, Open, Spare
from netplay.record.log import hand_data
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.match.encrypted import (
    bag_of,
    check_views,
    encrypted,
    exchange,
    full,
    play_random,
    ready,
    said,
    silence,
)
from tests.netplay.match.matches import entered
from tests.netplay.party import Party
from tests.said import like

# Who leaves.


@pytest.mark.parametrize("members", [3, 4])
@pytest.mark.usefixtures("unproved")
def test_of_three_or_four_one_may_resign_and_the_others_go_on(members: int) -> None:
    party, rng = ready(members), Random(members)
    play_random(party, rng, 4)
    seat = party.member(1).fold.seats_of(party.keys[1].key)[0]
    party.member(1).play(seat, pack(Resign()), -1, party.now)
    party.settle()
    bag = bag_of(party)
    assert bag.epoch == 1
    assert len(bag.holders) == members - 1
    assert not said(party, Open)
    play_random(party, rng, 6)
    exchange(party)
    party.play_out(rng)
    check_views_of_stayers(party, gone=1)


@pytest.mark.usefixtures("unproved")
def test_of_four_two_leave_one_after_the_other_and_two_play_on() -> None:
    party, rng = ready(4), Random(7)
    for count, n in enumerate((1, 2), 1):
        play_random(party, rng, 3)
        exchange(party)
        party.member(n).play(n, pack(Resign()), -1, party.now)
        party.settle()
        assert bag_of(party).epoch == count
        assert len(bag_of(party).holders) == 4 - count
    spares = [body.epoch for _, _, body in said(party, Spare)]
    assert spares == [0] * 4 + [1] * 3  # two need none
    mixed = [(body.round, body.step) for _, _, body in said(party, Mix)]
    deals = [deal for deal, step in mixed if step == 0]
    assert deals == list(range(1, len(deals) + 1)), "each says which deal it mixes"
    assert len(deals) > 1
    assert len(set(mixed)) == len(mixed)
    exchange(party)
    for n in (0, 3):
        assert party.member(n).seats.view(n).up_to_date
    play_random(party, rng, 3)
    party.member(0).play(0, pack(Resign()), -1, party.now)
    party.settle()
    masks = {n: body.round for n, _, body in said(party, Open)}
    assert (masks[0], masks[3]) == (3, 3)  # its leaving begins one more
    assert {match.audit() for match in party.running} == {"ok"}


@pytest.mark.usefixtures("unproved")
def test_of_two_neither_can_have_the_others_seat_and_is_told_so() -> None:
    party = ready(2)
    host = party.member(0)
    with pytest.raises(LocalError, match=like(Says.TILES_STAY)):
        host.agree(1, party.keys[0].key, "Ann", party.now)
    party.settle()
    play_random(party, Random(3), 4)
    assert host.fold.moves >= 4


@pytest.mark.usefixtures("unproved")
def test_a_host_does_not_enter_again_and_again_what_the_log_refuses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    party = ready(2)
    host = party.member(0)
    useless = Hand(1, party.keys[0].key, "Ann", ())
    monkeypatch.setattr(host.handover, "owed", lambda: iter([useless]))
    signed, add = [0], host.submitting.add

    def counted(*given: Any, **more: Any) -> Any:
        signed[0] += 1
        assert signed[0] < 50, "it signs the same for ever"
        return add(*given, **more)

    host.submitting.add = counted  # type: ignore[method-assign]
    play_random(party, Random(3), 4)
    assert host.fold.moves >= 4


def check_views_of_stayers(party: Party, gone: int) -> None:
    for n, match in enumerate(party.running):
        if n == gone:
            continue
        open_, game = full(match), match.fold.game
        for seat in match.fold.seats_of(match.me):
            if seat not in match.fold.resigned:
                assert match.seats.view(seat).state == game.view(open_.state, seat)


@pytest.mark.usefixtures("unproved")
def test_one_of_two_that_resigns_shows_its_mask_and_the_other_goes_on() -> None:
    party, rng = ready(2, seats=3), Random(5)
    play_random(party, rng, 4)
    party.member(1).play(1, pack(Resign()), -1, party.now)
    party.settle()
    [(author, _, _)] = said(party, Open)
    assert author == 1
    play_random(party, rng, 6)
    exchange(party)
    party.play_out(rng)
    check_views_of_stayers(party, gone=1)


@pytest.mark.usefixtures("unproved")
def test_a_seat_that_is_handed_over_is_read_by_its_heir_alone() -> None:
    party, rng = ready(3), Random(3)
    play_random(party, rng, 3)
    party.crash(2)
    for n in (0, 1):
        party.member(n).agree(2, party.keys[0].key, "heir", party.now)
    party.settle()
    assert party.member(0).fold.holders[2] == party.keys[0].key
    assert bag_of(party).epoch == 1
    assert party.member(0).seats.view(2).up_to_date
    for tile in party.member(0).fold.state.tiles.racks[2]:
        assert party.member(0).knows.kind(tile) is not None
        assert party.member(1).knows.kind(tile) is None
    play_random(party, rng, 6)
    party.play_out(rng)
    check_views(party)


@pytest.mark.usefixtures("unproved")
def test_a_seat_passes_only_where_its_tiles_can_be_read() -> None:
    party, new = ready(3), bytes(range(32))
    assert hand_refused(party, 2, new) is Code.UNEXPECTED
    two = ready(2)
    assert hand_refused(two, 1, two.keys[0].key) is Code.UNEXPECTED
    several = ready(3, seats=4)
    assert hand_refused(several, 0, several.keys[1].key) is Code.UNEXPECTED


@pytest.mark.usefixtures("unproved")
def test_no_seat_passes_from_whom_nothing_was_spread_that_opens_its_tiles() -> None:
    party = ready(4)
    silence(party.member(2), Spare)
    party.member(3).play(3, pack(Resign()), -1, party.now)
    party.settle()
    bag, gone = bag_of(party), party.keys[2].key
    assert bag.spares.keys() == {party.keys[n].key for n in (0, 1)}
    assert gone in bag.holders
    assert hand_refused(party, 2, party.keys[1].key) is Code.UNEXPECTED


@pytest.mark.usefixtures("unproved")
def test_tiles_that_one_has_lifted_and_a_leaver_has_not_are_read_all_the_same() -> None:
    party = ready(3)
    while party.movers()[0][0] == 2:
        assert party.play_one(Random(2))
        party.settle()
    silence(party.member(2), Lift)
    [(owner, seat)] = party.movers()
    other = 1 - owner
    exchange(party)
    bag = bag_of(party)
    assert {*map(frozenset, bag.parts.values())} == {frozenset({party.keys[other].key})}
    assert not party.member(owner).seats.view(seat).up_to_date

    party.member(2).play(2, pack(Resign()), -1, party.now)
    party.settle()

    assert not bag_of(party).parts
    assert party.member(owner).seats.view(seat).up_to_date
    party.play_out(Random(1))
    check_views_of_stayers(party, gone=2)


def hand_refused(party: Party, seat: int, key: bytes) -> Code:
    fold = party.member(0).fold
    data = hand_data(fold.match, seat, key, "X", 0)
    votes = tuple((n, each.sign(data)) for n, each in enumerate(party.keys))
    raw = entered(party, Hand(seat, key, "X", votes))
    with pytest.raises(PeerError) as caught:
        party.member(1).ledger.accept(raw)
    return caught.value.code


@pytest.mark.parametrize("when", [3, 5, 7, 9, 11, 13])
@pytest.mark.usefixtures("unproved")
def test_who_leaves_before_the_bag_is_ready_lets_the_others_begin_again(
    when: int,
) -> None:
    party = encrypted(3)
    while len(party.member(0).ledger.log) < when:
        assert party.deliver()
    party.member(2).play(2, pack(Resign()), -1, party.now)
    party.settle()
    party.play_out(Random(1))
    check_views_of_stayers(party, gone=2)


@pytest.mark.parametrize("spread", [1, 3])
@pytest.mark.usefixtures("unproved")
def test_who_leaves_while_masks_are_spread_leaves_those_of_others_of_no_use(
    spread: int,
) -> None:
    party = encrypted(4)
    while len(said(party, Spare)) < spread:
        assert party.deliver()
    party.member(3).play(3, pack(Resign()), -1, party.now)
    party.settle()
    bag = bag_of(party)
    others = {key: {*bag.holders} - {key} for key in bag.holders}
    assert {key: {*one.points} for key, one in bag.spares.items()} == others
    party.member(2).play(2, pack(Resign()), -1, party.now)
    party.settle()
    party.play_out(Random(1))
    check_views_of_stayers(party, gone=2)


@pytest.mark.parametrize(("mixer", "deal"), [(1, 1), (0, 2), (2, 2), (1, 3)])
@pytest.mark.usefixtures("unproved")
def test_who_does_not_mix_is_late_for_all_who_wait_for_tiles_of_that_deal(
    mixer: int, deal: int
) -> None:
    party = encrypted(3)
    while deal > 1:
        party.settle()
        exchange(party)
        deal -= 1
    late = party.keys[mixer].key
    silence(party.member(mixer), Mix)
    if party.member(0).fold.state.tiles.deal:
        exchange(party)
    party.settle()
    bag = bag_of(party)
    wanted, last = bag.wanted(), bag.deals[-1]
    assert wanted is not None
    assert wanted.mixer == late
    for other in {*bag.holders} - {late}:
        assert bag.late(other, {last.first: other}) == {late}
