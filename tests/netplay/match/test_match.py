"""Whole matches among members in memory, and who learns what in them."""

from collections.abc import Callable, Mapping
from itertools import islice
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netplay.messages.log import Late, LogBody, Opening, Turn, Wish
from netplay.messages.table import Fairness
from netplay.record.ledger import Ledger
from netplay.record.log import Signed, author_data
from netplay.record.store import MemoryDisk
from netplay.wire import encode, pack, unpack
from rules import GAMES, lhexicon
from rules.game import Resign
from rules.networdz import Pass
from tests.netplay.match.matches import ready, wanting
from tests.netplay.party import Party


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


def test_who_plays_two_seats_goes_on_until_it_has_resigned_with_both() -> None:
    party = Party("numlo", 2, seats=4)
    party.link_all()
    party.settle()
    host = party.member(0)  # it has the first seat and the third
    found = [host.hidden.standing]
    for seat in (0, 2):
        host.play(seat, pack(Resign()), -1, party.now)
        party.settle()
        found.append(host.hidden.standing)
    assert found == ["", "", "out"]
    assert party.member(1).hidden.standing == ""


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


@pytest.mark.parametrize("game", ["numlo", "hexagrams", "lhexicon"])
@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=5, deadline=None)
def test_moves_that_are_only_tried_change_nothing(game: str, seed: int) -> None:
    rng = Random(seed)
    party = Party(game, 2)
    party.link_all()
    party.settle()
    for _ in range(20):
        for match in party.running:
            for seat in match.on_turn():
                state = match.seats.view(seat).state
                for move in islice(party.game.moves(state, seat), 30):
                    if rng.random() < 0.3:
                        match.fold.foresee(state, seat, move, pack(move))
        if not party.play_one(rng):
            break
        party.settle()
    fold = party.member(0).fold
    ledger = Ledger(MemoryDisk(), party.member(0).ledger.raws(0))
    assert (fold.state, fold.history) == (ledger.fold.state, ledger.fold.history)


def said_of(value: Any, seen: tuple[int, ...] = ()) -> Any:
    """Return all that a fold, or a part of one, has, to be compared with another."""
    if id(value) in seen:
        return "itself"
    if isinstance(value, list | tuple):
        return [said_of(one, (*seen, id(value))) for one in value]
    if isinstance(value, Mapping):
        return {key: said_of(one, (*seen, id(value))) for key, one in value.items()}
    if isinstance(value, set):
        return frozenset(value)
    if type(value).__module__.startswith("netplay.") and hasattr(value, "__dict__"):
        return said_of(vars(value), seen)
    return value


def bodies(party: Party, n: int, rng: Random) -> list[LogBody]:
    """Return what somebody might say next, and what it might not."""
    match, found = party.member(n), list[LogBody]()
    place = match.ledger.log.head, match.fold.digest()
    for seat in match.fold.seats_of(match.me):
        state = match.seats.view(seat).state
        on = seat in match.on_turn()
        moves = [*islice(match.fold.game.moves(state, seat), 20 * on), Resign()]
        found += (Turn(seat, *place, pack(move), ()) for move in moves)
        found += (Turn(seat, place[0], bytes(32), pack(m), ()) for m in moves[:-1])
        found += Wish(seat, "stop", 0, *place), Late(1 - seat, *place, 1, ())
    rng.shuffle(found)
    return [*match.submitting.bodies, *match.masks.owed([]), *found[:6]]


@pytest.mark.parametrize(
    ("game", "fairness"),
    [
        ("numlo", "committed"),
        ("hexagrams", "committed"),
        ("lhexicon", "committed"),
        ("networdz", "committed"),
        ("networdz", "encrypted"),
    ],
)
@given(seed=st.integers(0, 1 << 32))
@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@pytest.mark.usefixtures("unproved")
def test_what_is_only_tried_behind_the_log_leaves_the_match_as_it_was(
    game: str, fairness: Fairness, seed: int
) -> None:
    rng = Random(seed)
    options = lhexicon.Options(timed=1) if game == "lhexicon" else None
    members = 2 if game == "hexagrams" else 3
    party = Party(game, members, options, fairness=fairness, days=1)
    party.link_all()
    answered = 0
    for _ in range(60):
        for n, match in enumerate(party.running):
            log, name = match.ledger.log, match.match
            said_next = bodies(party, n, rng)
            before = said_of(match.fold), log.number, log.own(match.me), log.head
            for body in said_next:
                own, raw = log.own(match.me), pack(body)
                signed = party.keys[n].sign(author_data(name, own, raw))
                said = Signed(match.me, own, raw, signed)
                seats = match.fold.seats_of(match.me)
                answered += match.ledger.answers(seats[0], [said, said])
            assert before == (
                said_of(match.fold), log.number, log.own(match.me), log.head,
            )  # fmt: skip
        if not (party.deliver() or party.play_one(rng)):
            party.settle()
        if party.member(0).fold.over:
            break
    party.settle()
    assert answered
    fold = party.member(0).fold
    again = Ledger(MemoryDisk(), party.member(0).ledger.raws(0)).fold
    assert (fold.state, fold.history) == (again.state, again.history)


def test_to_try_something_behind_a_long_log_does_not_read_it_again() -> None:
    party = Party("numlo", 3, days=1)
    party.link_all()
    party.play_out(Random(1))
    ledger, clock = party.member(0).ledger, process_time

    def seconds(what: Callable[[], object]) -> float:
        times = []
        for _ in range(5):
            began = clock()
            what()
            times.append(clock() - began)
        return min(times)

    raws = ledger.raws(0)
    assert 5 * seconds(lambda: ledger.answers(0, [])) < seconds(
        lambda: Ledger(MemoryDisk(), raws)
    )


def test_while_one_of_several_who_are_to_answer_is_away_time_stands() -> None:
    options = lhexicon.Options(challenge=True, timed=1)
    party = ready("lhexicon", 3, options=options)
    view = party.member(0).seats.view(0).state
    word = next(m for m in party.game.moves(view, 0) if isinstance(m, lhexicon.Lay))
    party.member(0).play(0, pack(word), -1, party.now)
    party.settle()
    assert party.member(1).on_turn() == [1, 2]
    for other in (0, 1):
        party.cut(2, other)
    party.settle()
    assert [party.member(n).timing.running for n in (0, 1)] == [False, False]
    party.member(1).play(1, pack(lhexicon.Accept()), -1, party.now)
    party.settle()
    assert [party.member(n).timing.running for n in (0, 1)] == [False, False]
    party.link_all()
    party.settle()
    assert [party.member(n).timing.running for n in (0, 1, 2)] == [True] * 3


def test_a_piece_of_the_past_has_all_that_its_seat_knows_of_the_tiles_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.record.views.PIECE_MOVES", 1)
    party, between = ready(), 0
    [(n, seat)] = party.movers()
    rack = party.member(n).fold.state.tiles.racks[seat]
    party.member(n).play(seat, pack(Pass(rack[:3])), -1, party.now)
    party.settle()
    view = party.member(n).seats.view(seat)
    for place in range(1, view.count + 1):
        piece = view.piece(place)
        tiles = unpack(piece.before, GAMES["networdz"].ABOUT.state).tiles
        held = {*tiles.racks[seat], *(each.tile for each in tiles.returned)}
        assert dict(piece.known) == {t: k for t, k in view.known.items() if t in held}
        between += bool(tiles.returned)
    assert between, "some begin in the middle of the exchange"
