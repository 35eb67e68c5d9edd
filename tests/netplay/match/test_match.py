"""Whole matches among members in memory: the promises of the log."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.match import duties
from netplay.messages.log import (
    Ack,
    Entries,
    Face,
    Fork,
    Opening,
    Proof,
    Seed,
    Share,
    Submit,
    Turn,
)
from netplay.record import rounds
from netplay.record.fold import Fold
from netplay.record.log import Signed, author_data
from netplay.record.views import SeatView
from netplay.wire import encode, pack, unpack
from rules import GAMES
from rules.game import IllegalMoveError, Resign
from rules.networdz import Pass
from tests.netplay.party import Key, Party

NUMLO = GAMES["numlo"].ABOUT.options(size=8, values=False)


def played(game: str, members: int, seed: int = 1, **more: Any) -> Party:
    party = Party(game, members, **more)
    party.link_all()
    party.play_out(Random(seed))
    return party


@pytest.mark.parametrize(
    ("game", "members", "seats"),
    [
        ("networdz", 1, 1),
        ("networdz", 2, 2),
        ("networdz", 2, 4),
        ("networdz", 3, 3),
        ("networdz", 4, 4),
        ("lhexicon", 2, 2),
        ("numlo", 2, 2),
        ("numlo", 3, 3),
        ("hexagrams", 2, 2),
    ],
)
def test_a_match_ends_with_equal_logs_all_final_and_a_clean_audit(
    game: str, members: int, seats: int
) -> None:
    party = played(game, members, seats=seats)
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    assert [match.audit() for match in party.running] == ["ok"] * members
    assert {match.final for match in party.running} == {len(logs[0])}
    states = {pack(match.fold.state) for match in party.running}
    assert len(states) == 1


def test_every_seat_sees_the_view_that_the_full_state_gives_it() -> None:
    party = played("networdz", 3)
    whole = party.member(0).knows.whole
    assert whole.advance()
    for n, match in enumerate(party.running):
        view = match.seats.view(n)
        assert view.up_to_date
        assert view.state == party.game.view(whole.state, n)


def test_racks_that_the_rules_turn_up_in_mid_match_are_proved_to_all() -> None:
    options = GAMES["networdz"].ABOUT.options(show_racks=True)
    party = Party("networdz", 2, options)
    party.link_all()
    party.settle()
    for _ in range(6):
        assert party.play_one(Random(4))
        party.settle()
    for match in party.running:
        tiles = match.fold.state.tiles
        turn = match.fold.state.turn
        assert all(kind >= 0 for kind in tiles.kinds[turn])


def test_exchanges_begin_new_deals_and_the_audit_follows_them() -> None:
    party = Party("networdz", 3)
    party.link_all()
    party.settle()
    for _ in range(5):
        [(n, seat)] = party.movers()
        rack = party.member(n).seats.view(seat).state.tiles.racks[seat]
        party.member(n).play(seat, pack(Pass(rack[:3])), -1, party.now)
        party.settle()
    assert party.member(0).fold.state.tiles.deal == 5
    assert len([r for r in party.member(1).fold.rounds if r.root is not None]) == 6
    party.play_out(Random(2))
    assert {match.audit() for match in party.running} == {"ok"}


# Secrecy.


def wanting(fold: Fold) -> dict[int, list[int]]:
    """Return the tiles on each rack that are not public."""
    tiles = fold.state.tiles
    return {
        seat: [tile for tile in rack if tile not in fold.faces]
        for seat, rack in enumerate(tiles.racks)
    }


def kinds_told(message: Any) -> dict[int, int]:
    """Return the tiles that a message tells the kinds of."""
    if isinstance(message, Opening):
        return {proof.tile: proof.kind for proof in message.proofs}
    return {}


@pytest.mark.parametrize("members", [2, 3, 4])
def test_no_peer_is_ever_told_a_tile_that_another_seat_has_drawn(members: int) -> None:
    party = Party("networdz", members)
    party.link_all()
    party.settle()
    rng = Random(5)
    for _ in range(12):
        party.play_one(rng)
        party.settle()
    owners = party.member(0).fold.drawn_by
    assert len(owners) > 7 * members
    for (_, to), messages in party.sent.items():
        for message in messages:
            for tile in kinds_told(message):
                assert owners[tile] == to


def test_a_peer_is_sent_no_salt_of_a_tile_it_may_not_know() -> None:
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    rng = Random(8)
    for _ in range(10):
        whole = party.member(0).knows.whole
        whole.advance()
        data = b"".join(encode(message) for message in party.sent[0, 1])
        hidden = wanting(party.member(0).fold)[0]
        bags = [whole.bag(tile) for tile in hidden]
        for tile, bag in zip(hidden, bags, strict=True):
            assert bag is not None
            assert bag.proof(tile).salt not in data
        seed = party.member(0).knows.secret(party.member(0).fold.rounds.get(1))  # type: ignore[arg-type]
        assert seed is not None
        assert seed not in data
        party.play_one(rng)
        party.settle()


def test_the_others_together_hold_the_dealers_seed_and_none_holds_it_alone() -> None:
    party = Party("networdz", 4)
    party.link_all()
    party.settle()
    round_ = party.member(0).fold.rounds.get(1)
    assert round_ is not None
    seed = party.member(0).knows.secret(round_)
    shares = [dict(party.member(n).hidden.shares) for n in (1, 2, 3)]
    assert [len(share) for share in shares] == [1, 1, 1]
    joined = bytes(32)
    for share in shares:
        [value] = share.values()
        assert value != seed
        joined = bytes(a ^ b for a, b in zip(joined, value, strict=True))
    assert joined == seed


# Links that are cut, nodes that are killed.


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 3))
def test_cuts_crashes_and_restarts_lose_nothing_and_double_nothing(
    seed: int, members: int
) -> None:
    rng = Random(seed)
    party = Party("numlo", members, NUMLO)
    for _ in range(400):
        if all(match.fold.over and match.audit() for match in party.running):
            break
        trouble(party, rng)
        party.link_all()
        party.play_one(rng)
        for _ in range(rng.randrange(12)):
            party.deliver()
    party.link_all()
    party.play_out(rng)
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    assert {match.audit() for match in party.running} == {"ok"}
    owns = [(e.author, e.own) for e in entries(party)]
    assert len(owns) == len(set(owns))


def trouble(party: Party, rng: Random) -> None:
    """Cut a link or kill a member, now and then; those killed come back."""
    members = len(party.keys)
    chance = rng.random()
    if chance < 0.1:
        party.cut(rng.randrange(members), rng.randrange(members))
    elif chance < 0.2:
        victim = rng.randrange(members)
        before = party.member(victim).ledger.file
        acked = [
            message.number
            for (a, _), sent in party.sent.items()
            if a == victim
            for message in sent
            if isinstance(message, Ack)
        ]
        assert before is not None
        party.crash(victim)
        party.start(victim)
        assert len(party.member(victim).ledger.log) >= max(acked, default=0)


def entries(party: Party) -> list[Any]:
    return [line.entry for line in party.member(0).ledger.log.lines]


@pytest.mark.parametrize("lost", range(0, 40, 3))
def test_a_member_resumes_from_any_prefix_of_the_log(lost: int) -> None:
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    rng = Random(6)
    for _ in range(12):
        party.play_one(rng)
        party.settle()
    party.crash(1)
    disk = party.archives[1].open(party.terms.nonce)
    whole = bytes(disk.data)  # type: ignore[attr-defined]
    disk.cut(len(whole) * lost // 40)
    party.start(1)
    party.link_all()
    party.play_out(rng)
    logs = party.logs()
    assert logs[0] == logs[1]
    assert party.member(1).audit() == "ok"


def test_a_host_that_lost_its_last_entries_takes_them_back_from_its_peer() -> None:
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    for _ in range(4):
        party.play_one(Random(2))
        party.settle()
    before = party.logs()[0]
    party.crash(0)
    party.archives[0].open(party.terms.nonce).cut(2000)
    party.start(0)
    assert len(party.member(0).ledger.log) < len(before)
    party.link_all()
    party.settle()
    assert party.logs() == [before, before]
    party.play_out(Random(3))
    assert not party.member(1).stopped


def test_a_move_made_before_a_crash_is_entered_once_after_it() -> None:
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    while party.movers() != [(1, 1)]:
        party.play_one(Random(2))
        party.settle()
    entered = len(party.member(0).ledger.log)
    party.play_one(Random(2))
    party.member(1).hidden.sync()
    party.crash(1)
    party.start(1)
    assert len(party.member(1).pending) == 1
    party.link_all()
    party.settle()
    assert len(party.member(0).ledger.log) == entered + 1
    assert not party.member(1).pending._bodies


def test_nothing_is_entered_while_a_quorum_is_missing() -> None:
    party = Party("numlo", 2, NUMLO)
    party.settle()
    assert len(party.member(0).ledger.log) == 1
    party.link_all()
    party.settle()
    party.cut(0, 1)
    for n, seat in party.movers():
        with pytest.raises(LocalError) as caught:
            party.member(n).play(seat, b"", -1, party.now)
        assert caught.value.code is Code.SILENT
    assert party.member(0).paused


def test_time_stands_while_somebody_on_turn_is_missed() -> None:
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    party.now += 2
    assert party.member(0).timing.at(party.now) == 2000
    party.cut(0, 1)
    party.now += 50
    assert party.member(0).timing.at(party.now) == 2000
    party.link_all()
    party.settle()
    party.now += 1
    assert party.member(0).timing.at(party.now) == 3000


def test_resigning_is_possible_out_of_turn_and_ends_a_match_of_two() -> None:
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    [(n, _)] = party.movers()
    other = 1 - n
    party.member(other).play(other, pack(Resign()), -1, party.now)
    party.settle()
    assert all(match.fold.over for match in party.running)
    assert {match.audit() for match in party.running} == {"ok"}


# Hostile peers: what they submit is refused, and nothing changes.


def ready(game: str = "networdz", members: int = 2, **more: Any) -> Party:
    party = Party(game, members, **more)
    party.link_all()
    party.settle()
    return party


def submit(party: Party, n: int, body: Any, own: int | None = None) -> Submit:
    """Return a body as a member would submit it."""
    match = party.member(n)
    number = match.ledger.log.own(match.me) if own is None else own
    raw = pack(body)
    data = author_data(match.match, number, raw)
    return Submit(match.match, number, raw, match.signer.sign(data))


def refusals(party: Party) -> list[int]:
    """Return the codes of the refusals that member 0 has sent."""
    party.collect()
    sent = party.sent.get((0, 1), [])
    return [m.code for m in sent if type(m).__name__ == "Refused"]


def until_turn_of(party: Party, n: int) -> None:
    while party.movers()[0][0] != n:
        party.play_one(Random(1))
        party.settle()


def a_turn(party: Party, n: int) -> Turn:
    """Return a turn that lays a word, with its proofs."""
    match = party.member(n)
    state = match.seats.view(n).state
    move = next(m for m in party.game.moves(state, n) if hasattr(m, "shown"))
    return match.seats.turn(n, move, -1)


def test_a_turn_out_of_turn_is_refused() -> None:
    party = ready()
    until_turn_of(party, 0)
    before = party.logs()[0]
    turn = Turn(1, party.member(0).fold.moves, pack(Pass()), ())
    party.member(0).receive(party.keys[1].key, submit(party, 1, turn), party.now)
    assert refusals(party) == [Code.NOT_YOUR_TURN.number]
    assert party.logs()[0] == before


def test_a_turn_at_anothers_seat_is_refused() -> None:
    party = ready()
    until_turn_of(party, 0)
    turn = Turn(0, party.member(0).fold.moves, pack(Pass()), ())
    party.member(0).receive(party.keys[1].key, submit(party, 1, turn), party.now)
    assert refusals(party) == [Code.NOT_A_MEMBER.number]


def test_a_turn_for_an_earlier_position_is_refused() -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = Turn(1, party.member(0).fold.moves + 1, pack(Pass()), ())
    party.member(0).receive(party.keys[1].key, submit(party, 1, turn), party.now)
    assert refusals(party) == [Code.STALE.number]


def test_a_move_that_the_rules_forbid_is_refused_in_the_rules_words() -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = Turn(1, party.member(0).fold.moves, pack(Pass((99,))), ())
    party.member(0).receive(party.keys[1].key, submit(party, 1, turn), party.now)
    assert refusals(party) == [Code.ILLEGAL_MOVE.number]


def changed(turn: Turn, **more: Any) -> Turn:
    values = {name: getattr(turn, name) for name in turn.__struct_fields__}
    return Turn(**{**values, **more})


def proof_changed(turn: Turn, **more: Any) -> Turn:
    first = turn.proofs[0]
    values = {name: getattr(first, name) for name in first.__struct_fields__}
    other = type(first)(**{**values, **more})
    return changed(turn, proofs=(other, *turn.proofs[1:]))


@pytest.mark.parametrize(
    "forge",
    [
        lambda turn: changed(turn, proofs=()),
        lambda turn: changed(turn, proofs=turn.proofs[::-1]),
        lambda turn: changed(turn, proofs=(*turn.proofs, turn.proofs[0])),
        lambda turn: proof_changed(turn, salt=bytes(32)),
        lambda turn: proof_changed(turn, path=()),
        lambda turn: proof_changed(turn, kind=(turn.proofs[0].kind + 1) % 26),
        lambda turn: proof_changed(turn, tile=turn.proofs[0].tile + 50),
    ],
)
def test_a_tile_that_was_not_drawn_cannot_be_laid(forge: Any) -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = a_turn(party, 1)
    assert turn.proofs
    party.member(0).receive(party.keys[1].key, submit(party, 1, forge(turn)), 0.0)
    assert refusals(party) == [Code.BAD_PROOF.number]


def test_a_letter_other_than_the_proofs_cannot_be_laid() -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = a_turn(party, 1)
    move: Any = party.game.ABOUT.move
    parsed = unpack(turn.move, move)
    lie = tuple(type(s)(s.tile, (s.kind + 1) % 26) for s in parsed.shown)
    forged = changed(turn, move=pack(replace(parsed, shown=lie)))
    party.member(0).receive(party.keys[1].key, submit(party, 1, forged), 0.0)
    assert refusals(party) == [Code.BAD_PROOF.number]


def test_a_signature_that_fails_ends_the_link() -> None:
    party = ready()
    until_turn_of(party, 1)
    good = submit(party, 1, Turn(1, 0, pack(Pass()), ()))
    bad = Submit(good.match, good.own, good.body, bytes(64))
    with pytest.raises(PeerError) as caught:
        party.member(0).receive(party.keys[1].key, bad, party.now)
    assert caught.value.code is Code.BAD_SIGNATURE


def test_a_body_sent_twice_is_entered_once() -> None:
    party = ready()
    until_turn_of(party, 1)
    message = submit(party, 1, a_turn(party, 1))
    for _ in range(3):
        party.member(0).receive(party.keys[1].key, message, party.now)
    assert sum(e.author == party.keys[1].key for e in entries(party)) == message.own + 1
    assert refusals(party) == []


def test_a_stranger_has_no_say() -> None:
    party = ready()
    with pytest.raises(PeerError) as caught:
        party.member(0).receive(
            Key("mallory").key, submit(party, 1, Seed(0, bytes(32))), 0.0
        )
    assert caught.value.code is Code.NOT_A_MEMBER


# Hostile hosts: their peers refuse, and say what was wrong.


def entered(party: Party, body: Any, author: int = 0, at: int = 0) -> bytes:
    """Return the next entry as a host without scruples would sign it."""
    host, log = party.member(0), party.member(0).ledger.log
    raw, key = pack(body), party.keys[author]
    own = log.own(key.key)
    sign = key.sign(author_data(log.match, own, raw))
    return log.compose(host.signer, Signed(key.key, own, raw, sign), at).raw


def refused_by_peer(party: Party, raw: bytes) -> Code:
    with pytest.raises(PeerError) as caught:
        message = Entries(party.member(0).match, (raw,))
        party.member(1).receive(party.keys[0].key, message, party.now)
    return caught.value.code


def test_a_host_cannot_move_for_its_peer() -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = Turn(1, party.member(0).fold.moves, pack(Pass()), ())
    assert refused_by_peer(party, entered(party, turn)) is Code.NOT_A_MEMBER


def test_a_host_cannot_enter_an_illegal_move() -> None:
    party = ready()
    until_turn_of(party, 0)
    turn = Turn(0, party.member(0).fold.moves, pack(Pass((98,))), ())
    assert refused_by_peer(party, entered(party, turn)) is Code.ILLEGAL_MOVE


def test_a_host_cannot_lay_a_tile_it_has_not_drawn() -> None:
    party = ready()
    until_turn_of(party, 0)
    forged = proof_changed(a_turn(party, 0), salt=bytes(32))
    assert refused_by_peer(party, entered(party, forged)) is Code.BAD_PROOF


def test_a_host_that_writes_two_histories_is_shown_to_have() -> None:
    party = ready()
    until_turn_of(party, 0)
    one = entered(party, Turn(0, party.member(0).fold.moves, pack(Pass()), ()))
    two = entered(
        party, Turn(0, party.member(0).fold.moves, pack(Pass()), ()), at=10**6
    )
    assert one != two
    match, peer, key = party.member(0).match, party.member(1), party.keys[0].key
    peer.receive(key, Entries(match, (one,)), party.now)
    peer.receive(key, Entries(match, (two,)), party.now)
    assert peer.histories.fork is not None
    assert {peer.histories.fork.first, peer.histories.fork.second} == {one, two}
    assert "two different histories" in peer.stopped
    assert party.notices[1]
    with pytest.raises(LocalError):
        peer.play(1, pack(Pass()), -1, party.now)


def test_the_proof_of_a_fork_convinces_everybody() -> None:
    party = ready(members=3)
    until_turn_of(party, 0)
    moves = party.member(0).fold.moves
    one = entered(party, Turn(0, moves, pack(Pass()), ()))
    two = entered(party, Turn(0, moves, pack(Pass()), ()), at=10**6)
    match, key = party.member(0).match, party.keys[0].key
    party.member(1).receive(key, Entries(match, (one,)), party.now)
    party.member(2).receive(key, Entries(match, (two,)), party.now)
    party.settle()  # their acknowledgements differ, and they compare
    assert party.member(1).histories.fork is not None
    assert party.member(2).histories.fork is not None
    assert party.member(0).histories.fork is not None


def test_a_fork_is_not_believed_without_two_good_signatures() -> None:
    party = ready()
    raw = party.logs()[0][3]
    for second in (raw, party.logs()[0][4]):
        with pytest.raises(PeerError) as caught:
            proof = Fork(party.member(0).match, raw, second)
            party.member(1).receive(party.keys[0].key, proof, party.now)
        assert caught.value.code is Code.UNEXPECTED
    assert party.member(1).histories.fork is None


def test_a_withheld_root_stops_the_match_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:

    monkeypatch.setattr(duties, "_root", lambda *_: iter(()))
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    for match in party.running:
        assert match.fold.stuck
        assert not match.fold.over
        assert not match.stopped


def test_a_bag_that_is_not_of_the_agreed_order_fails_the_audit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The host chooses its own order: every draw has a proof, but not the audit."""

    real = rounds.Round.draft

    class Crooked(rounds.Bag):
        def __init__(self, *arguments: Any) -> None:
            match, number, first, kinds, secret, _ = arguments
            super().__init__(match, number, first, kinds, secret, [b"chosen"])

    def draft(self: Any, match: bytes, kinds: Any, dealer: bytes, secret: bytes) -> Any:
        monkeypatch.setattr(rounds, "Bag", Crooked)
        return real(self, match, kinds, dealer, secret)

    monkeypatch.setattr(rounds.Round, "draft", draft)
    party = Party("networdz", 2)
    party.link_all()
    party.play_out(Random(1))
    monkeypatch.undo()
    for match in party.running:
        match._audit = ""
        assert "a tile is not the one that was drawn" in match.audit()


def test_an_opening_that_does_not_fit_the_root_ends_the_link() -> None:
    party = ready()
    match = party.member(0)
    tile = wanting(match.fold)[1][0]
    bag = match.knows.whole.bag(tile)
    assert bag is not None
    good = bag.proof(tile)
    bad = type(good)(good.tile, (good.kind + 1) % 26, good.salt, good.path)
    with pytest.raises(PeerError) as caught:
        opening = Opening(match.match, (bad,))
        party.member(1).receive(party.keys[0].key, opening, party.now)
    assert caught.value.code is Code.BAD_PROOF


def test_an_opening_of_anothers_tile_is_a_breach() -> None:
    party = ready()
    match = party.member(0)
    tile = wanting(match.fold)[0][0]
    bag = match.knows.whole.bag(tile)
    assert bag is not None
    with pytest.raises(PeerError) as caught:
        opening = Opening(match.match, (bag.proof(tile),))
        party.member(1).receive(party.keys[0].key, opening, party.now)
    assert caught.value.code is Code.UNEXPECTED


def test_a_share_that_the_root_does_not_know_is_a_breach() -> None:
    party = ready(members=3)
    with pytest.raises(PeerError) as caught:
        share = Share(party.member(0).match, 1, bytes(32))
        party.member(1).receive(party.keys[0].key, share, party.now)
    assert caught.value.code is Code.BAD_PROOF


# Own mistakes are told before anything is sent.


def test_an_illegal_move_of_ones_own_is_refused_at_once() -> None:
    party = ready()
    [(n, seat)] = party.movers()
    with pytest.raises(IllegalMoveError):
        party.member(n).play(seat, pack(Pass((99,))), -1, party.now)
    with pytest.raises(LocalError) as caught:
        party.member(n).play(seat, b"\xc0", -1, party.now)
    assert caught.value.code is Code.ILLEGAL_MOVE
    with pytest.raises(LocalError) as caught:
        party.member(n).play(seat, pack(Pass()), 99, party.now)
    assert caught.value.code is Code.STALE
    with pytest.raises(LocalError) as caught:
        party.member(n).play(1 - seat, pack(Pass()), -1, party.now)
    assert caught.value.code is Code.NOT_A_MEMBER
    with pytest.raises(LocalError) as caught:
        party.member(1 - n).play(1 - seat, pack(Pass()), -1, party.now)
    assert caught.value.code is Code.NOT_YOUR_TURN


def test_a_view_waits_for_an_opening_that_has_not_come() -> None:
    party = ready()
    match = party.member(1)
    view = SeatView(match.fold, 1, lambda _: None)
    view.advance()
    assert not view.up_to_date
    assert match.seats.view(1).up_to_date


def test_a_look_back_shows_the_view_as_it_was() -> None:
    party = ready("numlo", options=NUMLO)
    first = party.member(0).seats.view(0).state
    number = party.member(0).fold.number
    for _ in range(5):
        party.play_one(Random(1))
        party.settle()
    view = party.member(0).seats.view(0)
    state, happened = view.back(number)
    assert state == first
    assert happened == len(view.happened) - 5
    assert view.back(0)[0] == view.seen[0].state


class Trusting(Fold):
    """A fold that believes every proof, as of a bag that a dealer filled wrongly."""

    def check_proof(self, proof: Proof) -> None:
        """Believe it."""


def test_tiles_turned_up_that_cannot_be_leave_the_fold_as_it_was() -> None:
    options = GAMES["networdz"].ABOUT.options(show_racks=True)
    party = Party("networdz", 2, options)
    party.link_all()
    party.settle()
    assert party.play_one(Random(4))
    party.settle()
    ledger = party.member(0).ledger
    lines = ledger.log.lines
    at = next(n for n, line in enumerate(lines) if isinstance(line.body, Face))
    fold = Trusting(party.terms)
    for line in lines[:at]:
        fold.apply(line)
    face = lines[at].body
    assert isinstance(face, Face)
    proofs = tuple(replace(proof, kind=10_000) for proof in face.proofs)
    before = (fold.state, dict(fold.faces), len(fold.history), fold.at, fold.number)
    with pytest.raises(IllegalMoveError):
        fold.apply(lines[at]._replace(body=Face(proofs)))
    assert before == (fold.state, fold.faces, len(fold.history), fold.at, fold.number)
    fold.apply(lines[at])
    assert fold.faces.keys() == {proof.tile for proof in face.proofs}


# What comes too early, or from another history.


def test_an_opening_that_comes_before_its_entry_is_kept_until_then() -> None:
    party = Party("networdz", 2)
    party.link_all()
    early: list[Opening] = []
    host, guest = party.keys[0].key, party.member(1)
    while not early:
        party.collect()
        early = [m for a, _, m in party.wire if a == 0 and isinstance(m, Opening)]
        if not early:
            assert party.deliver()
    guest.receive(host, early[0], party.now)
    assert not guest.hidden.proofs
    party.wire = type(party.wire)(m for m in party.wire if m[2] is not early[0])
    party.settle()
    assert {p.tile for p in early[0].proofs} <= guest.hidden.proofs.keys()


def test_openings_that_come_too_early_are_bounded() -> None:
    party = ready()
    proofs = tuple(Proof(900 + n, 0, bytes(32), ()) for n in range(128))
    more = tuple(Proof(2000 + n, 0, bytes(32), ()) for n in range(9))
    for some in (proofs, more):
        opening = Opening(party.member(1).match, some)
        party.member(1).receive(party.keys[0].key, opening, party.now)
    kept = party.member(1).dealing._early[party.keys[0].key]
    assert len(kept) == 128
    assert all(proof.tile in kept for proof in more)
    assert 900 not in kept


def test_what_an_earlier_host_says_of_a_dropped_history_is_passed_over() -> None:
    party = ready(members=3)
    match = party.member(1)
    tile = wanting(match.fold)[0][0]
    other = party.keys[2].key
    before = dict(match.hidden.shares), dict(match.hidden.proofs)
    match.receive(other, Share(match.match, 1, bytes(32)), party.now)
    match.receive(other, Share(match.match, 7, bytes(32)), party.now)
    own = wanting(match.fold)[1][0]
    for number in (tile, own):
        wrong = Proof(number, 0, bytes(32), ())
        match.receive(other, Opening(match.match, (wrong,)), party.now)
    assert (match.hidden.shares, match.hidden.proofs) == before


def test_a_proof_of_a_deal_that_began_again_is_believed_no_more() -> None:
    party = ready()
    match = party.member(1)
    tile = wanting(match.fold)[1][0]
    kept = match.hidden.proofs[tile]
    match.hidden.proofs[tile] = replace(kept, salt=bytes(32))
    assert match.knows.proof(tile) is None
    opening = Opening(match.match, (kept,))
    match.receive(party.keys[0].key, opening, party.now)
    assert match.knows.proof(tile) == kept
