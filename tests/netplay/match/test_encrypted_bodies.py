"""Who may say what of an encrypted bag, and who is found to cheat."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.bag.group import (
    BYTES,
    ORDER,
    BagError,
    base,
    minus,
    packed,
    plus,
    point_of,
    times,
    unpacked,
)
from netplay.errors import Code, LocalError, PeerError
from netplay.match import masks
from netplay.match.match import Match
from netplay.messages.log import Blame, Clock, Late, Lift, LogBody, Mix, Spare, Turn
from netplay.record.hidden import KeptMixes
from netplay.record.ledger import Ledger
from netplay.record.log import read_body, read_entry
from netplay.record.masked import MaskedBag, Mixed, Phase, kinds_by_point
from netplay.record.playable import Past
from netplay.record.store import MemoryDisk, whole
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from rules.networdz import Options, Pass
from rules.tiles import Reveal
from tests.hostile.days import later
from tests.netplay.match.encrypted import (
    bag_of,
    encrypted,
    exchange,
    ready,
    refused,
    said,
    silence,
)
from tests.netplay.match.matches import entered, until_turn_of
from tests.netplay.party import Party
from tests.said import like, says
from tools.protocol.wrongs import Scribe

# Who may say what.


def kinds_of(party: Party, n: int) -> dict[int, int | None]:
    match = party.member(n)
    racks = match.fold.state.tiles.racks
    return {tile: match.knows.kind(tile) for rack in racks for tile in rack}


@pytest.mark.parametrize("members", [2, 3, 4])
@pytest.mark.usefixtures("unproved")
def test_nobody_knows_a_tile_on_anothers_rack(members: int) -> None:
    party = ready(members)
    for n in range(members):
        match = party.member(n)
        for tile, kind in kinds_of(party, n).items():
            own = match.fold.owners().get(tile) == match.me
            assert (kind is not None) is own


@pytest.mark.parametrize("members", [2, 3, 4])
@pytest.mark.usefixtures("unproved")
def test_no_coalition_short_of_all_others_can_read_a_tile(members: int) -> None:
    """Every combination of what some members have is tried on every masked tile.

    Tiles on a rack miss the owner's share, tiles in the bag that of everybody left out.
    """
    party = ready(members)
    bag, owners = bag_of(party), party.member(0).fold.owners()
    points = kinds_by_point(bag.match, len(party.member(0).fold.state.tiles.counts))
    own = {key.key: party.member(n).masks.own(0) for n, key in enumerate(party.keys)}
    for size in range(members - 1):
        for some in combinations(own, size):
            for tile, pair in bag.pairs.items():
                owner = owners.get(tile)
                if owner in some:
                    continue
                reading = None if owner is None else bag.reading(tile, owner)
                taken = [times(pair.a, own[key]) for key in some]
                lifted = [] if reading is None else [reading.taken]
                for parts in (taken, lifted, taken + lifted):
                    left = pair.b
                    for part in parts:
                        left = minus(left, part)
                    assert left not in points


def test_nothing_is_lifted_before_the_draw_is_final() -> None:
    party = encrypted(2)
    bodies: list[LogBody] = []
    while True:
        guest, host = party.member(1), party.member(0)
        for match in (guest, host):
            lifts = [b for b in match.masks.owed([]) if isinstance(b, Lift)]
            bodies += lifts
            drawn = {p.move.tile: p.number for p in match.fold.history if is_reveal(p)}
            for lift in lifts:
                assert all(drawn[tile] < match.final for tile in lift.tiles)
        if not party.deliver():
            break
    assert bodies


def is_reveal(past: Past) -> bool:
    return isinstance(past.move, Reveal)


@pytest.mark.usefixtures("unproved")
def test_who_owes_a_lift_cannot_move() -> None:
    party = ready(2)
    [(n, seat)] = party.movers()
    party.play_one(Random(1))
    other = 1 - n
    silence(party.member(other), Lift)
    party.settle()
    match = party.member(other)
    bag, fold = bag_of(party, other), match.fold
    assert bag.owed(match.me, fold.owners())
    turn = match.seats.turn(other, Pass(()), -1)
    raw = entered(party, turn, other)
    for each in party.running:
        with pytest.raises(PeerError) as caught:
            each.ledger.accept(raw)
        assert caught.value.code is Code.UNEXPECTED
    match.play(other, pack(Pass(())), -1, party.now)
    party.settle()
    assert fold.actors == {other}, "it waits"
    assert match.seats.is_moving(other)
    del match.masks.owed
    match.masks.news += 1
    match.step(party.now)
    party.settle()
    assert fold.actors == {seat}


@pytest.mark.parametrize("members", [2, 3])
@pytest.mark.usefixtures("unproved")
def test_what_has_no_place_in_a_state_of_the_bag_is_refused(members: int) -> None:
    """Every body that was ever said is said again by everybody, in every state."""
    done = ready(members)
    exchange(done)
    kinds = (masks.Mask, Mix, Spare, Lift)
    bodies = [(author, body) for kind in kinds for author, _, body in said(done, kind)]
    party = encrypted(members)
    seen: set[Phase] = set()
    while True:
        bag, host = bag_of(party), party.member(0)
        if bag.phase not in seen and host.fold.number > 1:
            seen.add(bag.phase)
            for author, body in bodies:
                for other in range(members):
                    due = other == author and type(body) in DUE[bag.phase]
                    if not due:
                        check_refused(party, body, other)
        if not party.deliver():
            break
    assert seen >= {Phase.KEYING, Phase.MIXING, Phase.READY}
    assert (Phase.SPARING in seen) is (members > 2)


DUE = {
    Phase.KEYING: {masks.Mask},
    Phase.MIXING: {Mix, Lift},
    Phase.SPARING: {Spare},
    Phase.READY: {Lift},
}
"""What may be taken in a state, if it is its author's to say."""


def check_refused(party: Party, body: LogBody, author: int) -> None:
    """Try a body of another time: it is refused, and changes nothing."""
    fold, bag = party.member(0).fold, bag_of(party)
    before = bag.phase, len(bag.keys), len(bag.spares), dict(bag.parts)
    key = party.keys[author].key
    try:
        bag.on_body(key, body, fold.owners(), fold.number)  # type: ignore[arg-type]
    except PeerError as error:
        assert error.code in {Code.UNEXPECTED, Code.STALE, Code.BAD_PROOF}
        after = bag.phase, len(bag.keys), len(bag.spares), dict(bag.parts)
        assert after == before
    else:
        raise AssertionError((body, author, bag.phase))


def variants(body: Any) -> Iterator[LogBody]:
    """Yield a body with each of its words changed, one at a time."""
    junk = packed(7), point_of("junk"), bytes(BYTES), b"\xff" * BYTES
    for name in body.__struct_fields__:
        value = getattr(body, name)
        if isinstance(value, bytes):
            for at in range(0, len(value), BYTES):
                for other in junk:
                    changed = value[:at] + other + value[at + BYTES :]
                    if changed != value:
                        yield replace(body, **{name: changed})
        elif isinstance(value, tuple) and value and isinstance(value[0], bytes):
            for at in range(len(value)):
                for other in junk:
                    changed_ = (*value[:at], other, *value[at + 1 :])
                    yield replace(body, **{name: changed_})
            yield replace(body, **{name: value[1:]})
            yield replace(body, **{name: (*value, value[0])})
        elif isinstance(value, tuple):
            yield replace(body, **{name: value[1:] or (99,)})
            yield replace(body, **{name: (*value, value[-1])})
        else:
            yield replace(body, **{name: value + 1})


@pytest.mark.usefixtures("unproved")
def test_a_body_changed_anywhere_is_refused() -> None:
    """Of Mask, Spare and Lift every word; of Mix what is looked at when it comes."""
    good = ready(3)
    party = encrypted(3)
    tried = 0
    wanted = {masks.Mask, Spare, Lift, Mix}
    while wanted:
        for n in range(3):
            match = party.member(n)
            for body in list(match.masks.owed([])):
                if type(body) in wanted:
                    tried += try_all(party, body, n)
                    wanted.discard(type(body))
        if not party.deliver():
            break
    assert not wanted
    assert tried > 60
    assert bag_of(good).phase is Phase.READY


def try_all(party: Party, body: LogBody, author: int) -> int:
    """Try a body with each word changed on the bag; return how many were tried."""
    match, count = party.member(author), 0
    bag, owners = match.fold.bag, match.fold.owners()
    assert bag is not None
    changes = [
        each
        for each in variants(body)
        if not isinstance(body, Mix)
        or (each.deck, each.proof) == (body.deck, body.proof)  # type: ignore[union-attr]
    ]
    if isinstance(body, Mix):
        changes.append(replace(body, deck=body.deck[:-64]))
        changes.append(replace(body, proof=body.proof[:-32]))
    for other in changes:
        before = bag.phase, len(bag.keys), len(bag.spares), dict(bag.parts)
        with pytest.raises(PeerError):
            bag.on_body(match.me, other, owners, match.fold.number)  # type: ignore[arg-type]
        assert before == (bag.phase, len(bag.keys), len(bag.spares), dict(bag.parts))
        count += 1
    return count


def test_a_word_that_is_no_point_or_no_number_is_refused() -> None:
    party = encrypted(2)
    [mask] = [b for b in party.member(0).masks.owed([]) if isinstance(b, masks.Mask)]
    bag = bag_of(party)
    torsion = bytes.fromhex(
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
    )
    for word in (bytes(32), b"\1" + bytes(31), torsion, b"\xff" * 32):
        for name in ("mask", "spare"):
            with pytest.raises(PeerError) as caught:
                bag.on_body(party.keys[0].key, replace(mask, **{name: word}), {}, 1)
            assert caught.value.code is Code.BAD_PROOF
    order = (2**252 + 27742317777372353535851937790883648493).to_bytes(32, "little")
    for word in (bytes(32), order, b"\xff" * 32):
        for at in (0, 32, 64):
            proof = mask.proof[:at] + word + mask.proof[at + 32 :]
            with pytest.raises(PeerError) as caught:
                bag.on_body(party.keys[0].key, replace(mask, proof=proof), {}, 1)
            assert caught.value.code is Code.BAD_PROOF


# Who cheats.


def swapped(mix: Mix) -> Mix:
    """Return a mixing in which a tile stands twice, and another is gone."""
    return replace(mix, deck=mix.deck[:64] + mix.deck[:64] + mix.deck[128:])


def change_mix(match: Match, change: Callable[[Mix], Mix] = swapped) -> None:
    """Let a member mix falsely."""
    take = match.masks.on_result

    def lie(result: Any) -> Any:
        if isinstance(result, masks.Made):
            result = masks.Made(result.job, change(result.body))
        return take(result)

    match.masks.on_result = lie  # type: ignore[method-assign]


def false_party(members: int = 2) -> Party:
    """Return a match whose first member mixes falsely."""
    party = encrypted(members)
    change_mix(party.member(0))
    party.settle()
    return party


def test_a_false_mix_stops_the_match_and_names_who_did_it() -> None:
    party = false_party(3)
    for match in party.running[1:]:  # who lies need not look
        assert match.stopped.code == "FALSE_MIX"  # type: ignore[union-attr]
        assert match.masks.stopped == party.keys[0].key
    assert says(party.notices[1][0], Says.FALSE_MIX, name="M0")
    assert not said(party, Lift)
    assert len(said(party, Mix)) == 1
    party.crash(1)
    party.start(1)
    party.link_all()
    party.settle()
    assert party.member(1).masks.stopped == party.keys[0].key


@pytest.mark.usefixtures("unproved")
def test_what_was_dropped_while_it_was_checked_stops_nobody() -> None:
    match = ready(2).member(1)
    assert match.fold.bag is not None
    dropped = next(match.fold.bag.mixings)._replace(number=1000)
    match.done(masks.Checked(masks.Check(match.match, dropped), "false"), 0.0)
    assert not match.stopped


def test_what_a_leaver_has_mixed_may_be_no_points_and_ends_no_table() -> None:
    """Once its mask is shown, whoever is left reads its tiles alone."""
    party = ready(2, seats=3)
    until_turn_of(party, 0)
    match, bag = party.member(0), bag_of(party)
    change_mix(party.member(1), lambda mix: replace(mix, deck=b"\xff" * len(mix.deck)))
    take, found = match.done, list[tuple[Any, float]]()
    match.done = lambda *one: (  # type: ignore[method-assign]  # it is slow to look
        found.append(one) if isinstance(one[0], masks.Checked) else take(*one)
    )
    jobs = match.jobs
    match.jobs = lambda: () if found else jobs()  # type: ignore[method-assign]
    exchange(party)
    party.member(1).play(1, pack(Resign()), -1, party.now)
    party.settle()
    [seat] = match.fold.actors
    rack = match.fold.state.tiles.racks[seat]
    match.play(seat, pack(Pass(rack[:2])), -1, party.now)
    party.settle()
    drawn = {*match.fold.state.tiles.racks[seat]} - {*rack}
    assert {bag.deal_of(tile) for tile in drawn} == {bag.deals[1]}
    assert bag.holders == (match.me,)
    assert {match.knows.kind(tile) for tile in drawn} == {None}


def test_nobody_moves_on_behind_a_false_mix() -> None:
    party = ready(2)
    until_turn_of(party, 1)
    change_mix(party.member(1))
    exchange(party)
    match = party.member(0)
    assert match.on_turn() == [0]
    match.autoplay = 90
    assert not match.thoughts()
    with pytest.raises(LocalError, match=like(Says.FALSE_MIX)) as caught:
        match.play(0, pack(Pass()), -1, party.now)
    assert caught.value.code is Code.STOPPED
    match.play(0, pack(Resign()), -1, party.now)
    assert match.fold.resigned == {0}


def test_nobody_agrees_to_be_late_for_what_a_false_mix_keeps_it_from() -> None:
    """Who found it must not mix on; who lied claims the time of that."""
    party, clock = encrypted(3, days=1), [1_800_000_000]
    for match in party.running:
        match.parts.unix = lambda: clock[0]
    liar = party.member(0)
    change_mix(liar)
    party.settle()
    assert party.member(2).masks.stopped == liar.me
    [late] = party.member(2).fold.withholding
    later(party, clock, 30)
    fold, log = liar.fold, liar.ledger.log
    liar.say(Late(late, log.head, fold.digest(), clock[0], ()), party.now)
    party.settle()
    later(party, clock, 60)
    assert len(said(party, Late)) == 1
    for n in (1, 2):  # what it found it has to find again
        party.crash(n)
        party.start(n)
        party.member(n).parts.unix = lambda: clock[0]
    party.link_all()
    party.settle()
    for match in party.running:
        assert not match.fold.resigned
        assert not match.fold.over


def test_an_honest_host_ends_no_turn_on_time_behind_a_false_mix() -> None:
    party = ready(3, options=Options(timed=1))
    until_turn_of(party, 1)
    change_mix(party.member(1))
    exchange(party)
    assert party.member(0).masks.stopped == party.keys[1].key
    for _ in range(3):
        party.wake(61)
    assert not said(party, Clock)


@pytest.mark.usefixtures("unproved")
def test_no_host_ends_a_game_by_its_clock_behind_its_own_false_mix(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It passes, and takes the turns of who must stop, until the rules have an end."""
    party = ready(2, options=Options(timed=1))
    until_turn_of(party, 0)
    host, guest = party.member(0), party.member(1)
    change_mix(host)
    monkeypatch.setattr(Mixed, "check", swapped_is_false)
    jobs = host.jobs
    host.jobs = lambda: ()  # type: ignore[method-assign]
    exchange(party)  # what it draws is lifted before it mixes
    host.jobs = jobs  # type: ignore[method-assign]
    host.masks.news += 1
    host.step(party.now)
    party.settle()
    for _ in range(8):
        party.wake(61)
        if host.on_turn() == [0]:
            host.play(0, pack(Pass()), -1, party.now)
            party.settle()
    assert guest.fold.stuck  # the rules ask for all racks
    assert guest.final == said(party, Clock)[0][1]  # it confirms none of them
    party.crash(1)
    party.start(1)
    party.link_all()
    party.settle()
    guest = party.member(1)
    assert guest.masks.stopped == host.me
    assert says(str(guest.hidden.doubt), Says.FALSE_MIX, name="M0")
    assert not guest.fold.over
    host.play(0, pack(Resign()), -1, party.now)
    party.settle()
    assert guest.fold.places == (2, 1)


def swapped_is_false(mixed: Mixed) -> None:
    if mixed.deck[:64] == mixed.deck[64:128]:
        raise BagError("false")


def test_a_verifier_finds_a_false_mix() -> None:
    [(_, number, _)] = said(party := false_party(), Mix)
    found = verify(whole(party.logs()[0]))
    assert found.verdict == "bad"
    assert says(found.reason, Says.IN_ENTRY, number=number)
    assert str(Says.FALSE_MIX(name="M0", number=number)) in found.reason


def test_a_false_mix_is_evidence_though_its_author_has_left_at_once() -> None:
    """All that was mixed is void then; one sees it before, another only behind."""
    party = encrypted(3)
    liar = party.member(2)
    change_mix(liar)
    while not any(isinstance(body, Mix) for body in liar.submitting.bodies):
        assert party.deliver()
    party.cut(0, 1)
    party.cut(1, 2)
    party.settle()
    liar.play(2, pack(Resign()), -1, party.now)
    party.settle()
    party.link_all()
    party.settle()
    for _again in range(2):
        for n in (0, 1):
            assert party.member(n).masks.stopped == party.keys[2].key
            party.crash(n)
            party.start(n)
        party.link_all()
        party.settle()
    assert not said(party, Lift)


@pytest.mark.usefixtures("unproved")
def test_a_wrong_part_of_a_mask_is_blamed_on_who_gave_it() -> None:
    party = encrypted(3, options=Options(timed=1))
    spread = party.member(2).masks.spread_of

    def wrong(bag: MaskedBag) -> Spare:
        good = spread(bag)
        first, second = good.points
        more = times(point_of("junk"), 1)
        return replace(good, points=(plus(first, more), minus(second, more)))

    party.member(2).masks.spread_of = wrong  # type: ignore[method-assign]
    party.settle()
    for match in party.running:
        assert match.masks.stopped == party.keys[2].key
        assert match.stopped.code == "FALSE_PART"  # type: ignore[union-attr]
    assert not said(party, Lift)
    [(author, _, blame), *_] = said(party, Blame)
    assert author in {0, 1}
    assert blame.dealer == party.keys[2].key
    for _ in range(3):
        party.wake(61)  # nobody can move any more, and nobody's time is over by that
    assert not said(party, Clock)
    for raws in party.logs():
        found = verify(whole(raws))
        assert (found.verdict, found.reason) == (
            "unfinished",
            str(party.member(0).stopped),
        )


@pytest.mark.parametrize("liar", [0, 2])
@pytest.mark.usefixtures("unproved")
def test_who_leaves_at_once_with_a_wrong_part_is_blamed_all_the_same(liar: int) -> None:
    """Told to one guest alone, whose blame comes behind the leaving."""
    party = encrypted(3)
    match = party.member(liar)
    spread = match.masks.spread_of

    def wrong(bag: MaskedBag) -> Spare:
        good = spread(bag)
        others = [n for n in range(3) if n != liar]
        more, rest = base(7), unpacked(good.rest, zero=True)
        points = [
            plus(point, more) if n == 1 else point
            for n, point in zip(others, good.points, strict=True)
        ]
        return replace(good, points=tuple(points), rest=packed((rest - 7) % ORDER))

    match.masks.spread_of = wrong  # type: ignore[method-assign]
    until_last_spare(party, liar)
    match.play(liar, pack(Resign()), -1, party.now)
    party.settle()
    [(author, blamed_at, blame)] = said(party, Blame)
    [left_at] = [number for n, number, _ in said(party, Turn) if n == liar]
    assert (author, blame.dealer, blame.epoch) == (1, party.keys[liar].key, 0)
    assert left_at < blamed_at
    for each in party.running:
        assert each.masks.stopped == party.keys[liar].key


def until_last_spare(party: Party, liar: int) -> None:
    """Play until somebody is about to say the last of the spares, and let it."""
    match = party.member(liar)
    owed = match.masks.owed
    silence(match, Spare)
    party.settle()
    match.masks.owed = owed  # type: ignore[method-assign]
    match.masks.news += 1
    match.step(party.now)


@pytest.mark.usefixtures("unproved")
def test_a_part_that_is_said_anew_is_looked_at_anew() -> None:
    """Of four, one leaves before the bag is ready: all spread parts once more."""
    party = encrypted(4)
    silence(party.member(3), Spare)
    party.settle()
    spread = party.member(2).masks.spread_of

    def wrong(bag: MaskedBag) -> Spare:
        good = spread(bag)
        first, second = good.points
        return replace(good, points=(plus(first, base(7)), minus(second, base(7))))

    party.member(2).masks.spread_of = wrong  # type: ignore[method-assign]
    party.member(3).play(3, pack(Resign()), -1, party.now)
    party.settle()
    for match in party.running:
        assert match.masks.stopped == party.keys[2].key


@pytest.mark.usefixtures("unproved")
def test_nobody_is_blamed_for_a_part_that_is_right() -> None:
    party = ready(3)
    match, bag = party.member(0), bag_of(party)
    blame = match.masks.blame_of(bag, party.keys[1].key, 0)
    for other in (blame, replace(blame, point=point_of("junk"))):  # type: ignore[type-var]
        assert refused(party, other, 0) is Code.BAD_PROOF
    stale = replace(blame, epoch=1)  # type: ignore[type-var]
    assert refused(party, stale, 0) is Code.STALE
    nobody = replace(blame, dealer=bytes(32))  # type: ignore[type-var]
    assert refused(party, nobody, 0) is Code.UNEXPECTED
    assert {match.stopped for match in party.running} == {""}


@pytest.mark.usefixtures("unproved")
def test_a_tile_that_is_another_cannot_be_shown() -> None:
    party = ready(2)
    match = party.member(0)
    bag, seat = bag_of(party), match.fold.seats_of(match.me)[0]
    rack = match.fold.state.tiles.racks[seat]
    proofs = [match.knows.proof(tile) for tile in rack]
    theirs = match.fold.state.tiles.racks[1 - seat][0]
    for proof in proofs:
        assert proof is not None
        bag.check_proof(match.me, proof)
        lies = [
            replace(proof, kind=proof.kind + 1),
            replace(proof, kind=10**6),
            replace(proof, tile=theirs),
            replace(proof, tile=999),
            replace(proof, salt=point_of("junk")),
            replace(proof, path=proof.path[::-1]),
            replace(proof, path=proof.path[:1]),
            replace(proof, path=()),
        ]
        for lie in lies:
            with pytest.raises(PeerError) as caught:
                match.fold.check_proof(match.me, lie)
            assert caught.value.code is Code.BAD_PROOF
        with pytest.raises(PeerError):
            match.fold.check_proof(party.keys[1].key, proof)


@pytest.mark.parametrize("ours", [True, False])
def test_only_proofs_of_this_very_history_count_as_checked_before(ours: bool) -> None:
    party = ready(2)
    raws = party.logs()[0]
    bodies = [read_body(read_entry(raw).body) for raw in raws]
    at = next(n for n, one in enumerate(bodies) if isinstance(one, Lift))
    lift, author = bodies[at], read_entry(raws[at]).author
    assert isinstance(lift, Lift)
    false = replace(lift, proof=bytes(len(lift.proof)))
    forged = (*raws[:at], Scribe(party.keys, raws).at(at, false, author))
    head = hashlib.sha256(forged[-1] if ours else raws[at]).digest()
    disk = MemoryDisk(whole(forged))
    if ours:  # what a node has checked it does not check again
        assert Ledger(disk, checked=lambda: KeptMixes(at + 1, head)).raws(0) == forged
        return
    with pytest.raises(PeerError) as caught:
        Ledger(disk, checked=lambda: KeptMixes(at + 1, head))
    assert caught.value.code is Code.BAD_PROOF
