"""Encrypted matches in memory: what is drawn, who can read it, who comes and goes."""

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.bag.group import BYTES, minus, packed, plus, point_of, times
from netplay.bag.shuffle import BESIDES, PER_TILE
from netplay.errors import Code, LocalError, PeerError
from netplay.match import masks
from netplay.match.match import Match
from netplay.messages.log import Blame, Commit, Hand, Lift, LogBody, Mix, Open, Spare
from netplay.record import proved
from netplay.record.decks import kinds_by_point
from netplay.record.log import hand_data
from netplay.record.masked import MaskedBag, Phase
from netplay.record.mending import Mender
from netplay.record.mixing import Mixed
from netplay.record.parcel import packed as packed_items
from netplay.record.parcel import unpacked
from netplay.record.past import Past
from netplay.record.store import whole
from netplay.record.verify import verify
from netplay.record.views import SeatView
from netplay.record.whole import Whole
from netplay.wire import pack
from rules import GAMES
from rules.game import CLOCK, Resign
from rules.networdz import Pass
from rules.tiles import UNKNOWN, Reveal, Shown
from tests.netplay.match.matches import entered
from tests.netplay.party import Dice, Party

QUICK = settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let mixings go without their proofs, which take most of the time."""

    def no_proof(_step: Any, _mask: int, old: Any, *_rest: Any) -> bytes:
        return bytes(PER_TILE * len(old) + BESIDES)

    monkeypatch.setattr(masks, "prove", no_proof)
    monkeypatch.setattr(Mixed, "check", lambda _mixed: None)


def encrypted(members: int, game: str = "networdz", **more: Any) -> Party:
    party = Party(game, members, fairness="encrypted", **more)
    party.link_all()
    return party


def ready(members: int, **more: Any) -> Party:
    party = encrypted(members, **more)
    party.settle()
    assert bag_of(party).phase is Phase.READY
    return party


def bag_of(party: Party, n: int = 0) -> MaskedBag:
    bag = party.member(n).fold.bag
    assert bag is not None
    return bag


def exchange(party: Party, count: int = 3) -> None:
    """Let whoever is on turn put tiles back, and draw others for them."""
    [(n, seat)] = party.movers()
    rack = party.member(n).seats.view(seat).state.tiles.racks[seat]
    party.member(n).play(seat, pack(Pass(rack[:count])), -1, party.now)
    party.settle()


def play_random(party: Party, rng: Random, turns: int) -> None:
    """Play legal moves, an exchange now and then."""
    for _ in range(turns):
        if party.member(0).fold.over:
            return
        if rng.random() < 0.2 and party.member(0).fold.state.tiles.first < 60:
            exchange(party, rng.randrange(1, 5))
        elif not party.play_one(rng):
            return
        party.settle()


def full(match: Match) -> Whole:
    found = Whole(match.fold, lambda _round: None)
    assert found.advance()
    return found


def check_views(party: Party) -> None:
    """Compare what every seat sees with what the rules say of the open tiles."""
    for match in party.running:
        open_ = full(match)
        game, fold = match.fold.game, match.fold
        assert game.view(open_.state, None) == fold.state
        for seat in fold.seats_of(match.me):
            assert match.seats.view(seat).state == game.view(open_.state, seat)


@pytest.mark.parametrize("members", [2, 3, 4])
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


def silence(match: Match, kind: type) -> None:
    """Let a member say no bodies of a kind."""
    owed: Callable[..., Iterator[LogBody]] = match.masks.owed

    def less(waiting: Any) -> Iterator[LogBody]:
        return (body for body in owed(waiting) if not isinstance(body, kind))

    match.masks.owed = less  # type: ignore[method-assign]


def said(party: Party, kind: type) -> list[tuple[int, int, Any]]:
    """Return (author, entry, body) of what was said of a kind."""
    keys = [key.key for key in party.keys]
    lines = party.member(0).ledger.log.lines
    return [
        (keys.index(line.entry.author), line.entry.number, line.body)
        for line in lines
        if isinstance(line.body, kind)
    ]


def refused(party: Party, body: LogBody, author: int) -> Code:
    """Return the code with which a member refuses what a host has entered."""
    raw = entered(party, body, author)
    with pytest.raises(PeerError) as caught:
        party.member(1).ledger.accept(raw)
    return caught.value.code


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
        bag.take(key, body, fold.owners(), fold.number)  # type: ignore[arg-type]
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
            bag.take(match.me, other, owners, match.fold.number)  # type: ignore[arg-type]
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
                bag.take(party.keys[0].key, replace(mask, **{name: word}), {}, 1)
            assert caught.value.code is Code.BAD_PROOF
    order = (2**252 + 27742317777372353535851937790883648493).to_bytes(32, "little")
    for word in (bytes(32), order, b"\xff" * 32):
        for at in (0, 32, 64):
            proof = mask.proof[:at] + word + mask.proof[at + 32 :]
            with pytest.raises(PeerError) as caught:
                bag.take(party.keys[0].key, replace(mask, proof=proof), {}, 1)
            assert caught.value.code is Code.BAD_PROOF


# Who cheats.


def swapped(mix: Mix) -> Mix:
    """Return a mixing in which a tile stands twice, and another is gone."""
    return replace(mix, deck=mix.deck[:64] + mix.deck[:64] + mix.deck[128:])


def false_party(members: int = 2) -> Party:
    """Return a match whose first member mixes falsely."""
    party = encrypted(members)
    take = party.member(0).masks.take

    def lie(result: Any) -> Any:
        if isinstance(result, masks.Made):
            result = masks.Made(result.job, swapped(result.body))
        return take(result)

    party.member(0).masks.take = lie  # type: ignore[method-assign]
    party.settle()
    return party


def test_a_false_mix_stops_the_match_and_names_who_did_it() -> None:
    party = false_party(3)
    for match in party.running[1:]:  # who lies need not look
        assert match.stopped.code == "FALSE_MIX"  # type: ignore[union-attr]
        assert match.masks.stopped == party.keys[0].key
    assert "M0 has changed tiles in the bag" in party.notices[1][0]
    assert not said(party, Lift)
    assert len(said(party, Mix)) == 1
    party.crash(1)
    party.start(1)
    party.link_all()
    party.settle()
    assert party.member(1).masks.stopped == party.keys[0].key


def test_a_verifier_finds_a_false_mix() -> None:
    [(_, number, _)] = said(party := false_party(), Mix)
    found = verify(whole(party.logs()[0]))
    assert found.verdict == "bad"
    assert found.reason.startswith(f"entry {number}, at byte ")


@pytest.mark.usefixtures("unproved")
def test_a_wrong_part_of_a_mask_is_blamed_on_who_gave_it() -> None:
    party = encrypted(3)
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


@pytest.mark.usefixtures("unproved")
def test_nobody_is_blamed_for_a_part_that_is_right() -> None:
    party = ready(3)
    match, bag = party.member(0), bag_of(party)
    blame = match.masks.blame_of(bag, party.keys[1].key)
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
        monkeypatch.setattr(proved, name, lambda *given: checked.append(given))
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
    assert mender.ledger(name) is not None
    assert len(checked) > 20


@pytest.mark.usefixtures("unproved")
def test_what_was_checked_is_not_checked_again_after_a_restart() -> None:
    party = ready(2)
    assert not party.member(0).jobs()
    party.crash(0)
    party.start(0)
    assert not party.member(0).masks.unchecked
