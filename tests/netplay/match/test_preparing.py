"""Moves on condition: made by the node itself, in the very position that was named."""

from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.messages.log import Position, Refused, Submit, Turn
from netplay.messages.table_questions import MOVES
from netplay.record.log import read_body, read_entry
from netplay.record.offers import LINES
from netplay.sentences import Says
from netplay.wire import pack, unpack
from rules.game import IllegalMoveError, Resign
from tests.netplay.match.test_offers import answer, begun, folds, offer, play
from tests.netplay.party import Party

NO_SHRINK = (Phase.explicit, Phase.generate)
"""Each example is a match: to find a smaller one would take minutes."""


def options(party: Party, state: Any) -> list[Any]:
    """Return the moves of whoever is on turn."""
    return list(party.game.moves(state, min(party.game.actors(state))))


def line(party: Party, *choices: int) -> list[bytes]:
    """Return moves from the present position on, each by its place in the list."""
    state, moves = party.running[0].fold.state, list[bytes]()
    for choice in choices:
        if not party.game.actors(state):
            break
        listed = options(party, state)
        move = listed[choice % len(listed)]
        moves.append(pack(move))
        state = party.game.play(state, min(party.game.actors(state)), move)
    return moves


def on_turn(party: Party) -> int:
    """Return who is on turn: member and seat have one number."""
    return party.running[0].seats.on_turn()[0]


def prepare(party: Party, n: int, moves: list[bytes]) -> None:
    party.member(n).prepare(n, moves, -1, party.now)
    party.settle()


def make(party: Party, n: int, move: bytes) -> None:
    party.member(n).play(n, move, -1, party.now)
    party.settle()


def made(party: Party) -> list[bytes]:
    return [pack(past.move) for past in folds(party)[0].history]


def left(party: Party, n: int) -> list[list[bytes]]:
    return [
        [one.move for one in line] for line in party.member(n).preparing.lines_left(n)
    ]


def test_a_line_is_played_move_by_move_as_the_other_follows_it() -> None:
    party = begun()
    a, moves = on_turn(party), line(party, 0, 0, 1, 1)
    prepare(party, 1 - a, moves)
    assert left(party, 1 - a) == [moves]
    make(party, a, moves[0])
    assert made(party) == moves[:2]
    assert left(party, 1 - a) == [moves[2:]]
    assert party.notices[1 - a] == [str(Says.PREPARED_MADE())]
    make(party, a, moves[2])
    assert made(party) == moves
    assert left(party, 1 - a) == []
    assert not party.member(1 - a).hidden.prepared


def test_another_move_than_the_one_named_drops_the_line() -> None:
    party = begun()
    a, moves = on_turn(party), line(party, 0, 0)
    prepare(party, 1 - a, moves)
    make(party, a, line(party, 1)[0])
    assert len(made(party)) == 1
    assert not party.member(1 - a).hidden.prepared


@pytest.mark.parametrize("who", ["host", "guest"])
def test_lines_are_there_after_a_restart_and_played_with_nobody_at_the_window(
    who: str,
) -> None:
    party = begun()
    if (on_turn(party) == 0) == (who == "host"):
        play(party)
    b = 0 if who == "host" else 1
    moves = line(party, 0, 0)
    prepare(party, b, moves)
    before = len(made(party))
    party.crash(b)
    party.start(b)
    party.link_all()
    party.settle()
    assert left(party, b) == [moves]
    make(party, 1 - b, moves[0])
    assert made(party)[before:] == moves


def test_a_move_that_its_host_refuses_is_not_made_once_more() -> None:
    party = begun()
    if on_turn(party) == 1:
        play(party)
    moves = line(party, 0, 0, 1, 1)
    prepare(party, 1, moves)
    party.member(0).play(0, moves[0], -1, party.now)
    while not (said := submits(party)):
        assert party.deliver()
    party.wire.clear()
    place = said[0].match, said[0].own, said[0].signature
    refused = Refused(*place, Code.UNEXPECTED.number, "no")
    party.member(1).receive(party.keys[0].key, refused, party.now)
    party.wake(1)
    assert submits(party) == said


def submits(party: Party) -> list[Submit]:
    """Return what the second member has asked the host to enter of its turns."""
    sent = party.sent.get((1, 0), [])
    found = [one for one in sent if isinstance(one, Submit)]
    return [one for one in found if isinstance(read_body(one.body), Turn)]


def test_what_is_prepared_behind_a_move_that_waits_is_played_too() -> None:
    party = begun()
    a = on_turn(party)
    if a == 0:
        play(party)
        a = on_turn(party)
    party.cut(0, 1)
    moves = line(party, 0, 0, 0)
    make_alone(party, a, moves[0])
    party.member(a).prepare(a, moves[1:], -1, party.now)
    assert left(party, a) == [moves[1:]]
    before = len(party.member(a).fold.history)
    party.link_all()
    party.settle()
    make(party, 1 - a, moves[1])
    assert made(party)[before:] == moves


def make_alone(party: Party, n: int, move: bytes) -> None:
    party.member(n).play(n, move, -1, party.now)
    party.collect()


def test_what_is_prepared_behind_a_move_goes_when_that_is_taken_back() -> None:
    party = begun()
    if on_turn(party) == 0:
        play(party)
    party.cut(0, 1)
    moves = line(party, 0, 0, 0)
    make_alone(party, 1, moves[0])
    match = party.member(1)
    match.prepare(1, moves[1:], -1, party.now)
    match.take_back(1, party.now)
    assert not match.hidden.prepared


def test_the_same_line_once_more_is_no_other_line() -> None:
    party = begun("numlo", 3)
    moves = line(party, 0, 0)
    a = on_turn(party)
    b = (a + 1) % 3
    prepare(party, b, moves)
    prepare(party, b, moves)
    assert left(party, b) == [moves]
    make(party, a, moves[0])
    assert made(party)[-2:] == moves


def test_a_turn_that_was_taken_back_and_made_again_is_not_answered() -> None:
    party = begun()
    a, moves = on_turn(party), line(party, 0, 0, 0, 0)
    prepare(party, 1 - a, moves)
    make(party, a, moves[0])
    answer(party, 1 - a, offer(party, a, "back"))
    assert made(party) == []
    assert not party.member(1 - a).hidden.prepared
    make(party, a, moves[0])
    assert made(party) == moves[:1]


def test_lines_are_gone_when_the_match_or_the_seat_is_given_up() -> None:
    party = begun("numlo", 3)
    a = on_turn(party)
    b = (a + 1) % 3
    prepare(party, b, line(party, 0, 0))
    make(party, b, pack(Resign()))
    assert not party.member(b).hidden.prepared
    c = (a + 2) % 3
    prepare(party, c, line(party, 0, 0))
    make(party, a, pack(Resign()))
    assert not party.member(c).hidden.prepared
    assert folds(party)[0].over


def test_a_computer_that_stands_in_makes_no_prepared_move() -> None:
    party = begun()
    a, moves = on_turn(party), line(party, 0, 0)
    prepare(party, 1 - a, moves)
    party.member(1 - a).autoplay = 50
    make(party, a, moves[0])
    assert made(party) == moves[:1]


@pytest.mark.parametrize("begins", [0, 1])
def test_a_newer_line_takes_the_place_of_what_it_contradicts(begins: int) -> None:
    party = begun()
    a = on_turn(party)
    for _ in range(begins):  # what is left of a line counts, of which some is made
        prepare(party, 1 - a, line(party, 0, 0, 0, 0))
        make(party, a, line(party, 0)[0])
    first, other = line(party, 0, 0), line(party, 1, 0)
    prepare(party, 1 - a, first)
    prepare(party, 1 - a, other)
    assert left(party, 1 - a) == [first, other]
    instead = line(party, 0, 1)
    prepare(party, 1 - a, instead)
    assert left(party, 1 - a) == [other, instead]
    longer = line(party, 0, 1, 0, 0)
    prepare(party, 1 - a, longer)
    prepare(party, 1 - a, instead)
    assert left(party, 1 - a) == [other, longer]
    party.member(1 - a).drop_prepared(1 - a, other, party.now)
    assert left(party, 1 - a) == [longer]
    party.member(1 - a).drop_prepared(1 - a, (), party.now)
    assert left(party, 1 - a) == []


def test_no_prepared_move_is_made_while_somebody_sees_another_position() -> None:
    party = begun("numlo", 3)
    a = on_turn(party)
    moves = line(party, 0, 0)
    make(party, a, moves[0])
    b = on_turn(party)
    make(party, b, moves[1])
    c = on_turn(party)
    behind = line(party, 0, 0)
    prepare(party, a, behind)
    other = party.member(b)
    other.replication.submit(Position(other.ledger.log.head, bytes(32)), party.now)
    party.settle()
    make(party, c, behind[0])
    assert folds(party)[a].moves == 3
    assert not party.member(a).seats.moved()


def refused(party: Party, n: int, moves: list[bytes]) -> Code:
    with pytest.raises(LocalError) as error:
        party.member(n).prepare(n, moves, -1, party.now)
    assert not party.member(n).hidden.prepared
    return error.value.code


def test_what_cannot_be_prepared_is_refused() -> None:
    party = begun()
    a = on_turn(party)
    b, good = 1 - a, line(party, 0, 0)
    assert refused(party, a, good) is Code.USAGE  # its own turn
    assert refused(party, b, []) is Code.USAGE
    assert refused(party, b, good[:1]) is Code.USAGE  # ends with another's
    assert refused(party, b, line(party, *[0] * (MOVES + 2))) is Code.USAGE
    assert refused(party, b, [pack(Resign()), good[1]]) is Code.USAGE
    assert refused(party, b, [good[0], b"\xc1"]) is Code.ILLEGAL_MOVE
    with pytest.raises(IllegalMoveError):
        party.member(b).prepare(b, [good[0], good[0]], -1, party.now)
    with pytest.raises(LocalError):
        party.member(a).prepare(b, good, -1, party.now)
    with pytest.raises(LocalError):
        party.member(b).drop_prepared(b, (), party.now)
    tiled = begun("networdz")
    c = 1 - on_turn(tiled)
    assert refused(tiled, c, good) is Code.USAGE


def test_a_seat_has_no_more_lines_than_there_may_be() -> None:
    party = begun("numlo", 2)
    a, state = on_turn(party), party.running[0].fold.state
    first = range(len(options(party, state)))
    found = [line(party, n, 0, m, 0) for n in first for m in range(20)]
    seen: dict[tuple[bytes, ...], list[bytes]] = {}
    for one in found:
        seen.setdefault(tuple(one[:3]), one)
        if len(seen) > LINES:
            break
    *fit, last = list(seen.values())[: LINES + 1]
    for one in fit:
        party.member(1 - a).prepare(1 - a, one, -1, party.now)
    assert len(left(party, 1 - a)) == LINES
    with pytest.raises(LocalError) as error:
        party.member(1 - a).prepare(1 - a, last, -1, party.now)
    assert error.value.code is Code.TOO_MANY


@given(st.data())
@settings(max_examples=15, deadline=None, phases=NO_SHRINK)
def test_a_node_makes_only_moves_that_were_named_for_that_very_position(
    data: st.DataObject,
) -> None:
    game = data.draw(st.sampled_from(["hexagrams", "numlo"]))
    party = begun(game, 2)
    dice = Random(data.draw(st.integers(0, 99)))
    named: dict[int, set[tuple[bytes, bytes]]] = {0: set(), 1: set()}
    own: list[tuple[int, bytes, bytes]] = []
    for _turn in range(8):
        fold = party.running[0].fold
        if fold.over:
            break
        a = on_turn(party)
        b = 1 - a
        for _line in range(data.draw(st.integers(0, 3))):
            moves = line(party, *(dice.randrange(2) for _ in range(4)))
            named[b] |= played(party, b, moves)
            try:
                prepare(party, b, moves)
            except LocalError:
                continue  # somebody else would be last
        [move] = line(party, dice.randrange(2))
        digest = fold.digest()
        own.append((a, digest, move))
        make(party, a, move)
        if data.draw(st.integers(0, 4)) == 0:
            party.crash(b)
            party.start(b)
            party.link_all()
            party.settle()
    raws = party.logs()[0]
    bodies = [read_body(read_entry(raw).body) for raw in raws]
    for body in bodies:
        if isinstance(body, Turn):
            by_hand = (body.seat, body.state, body.move) in own
            assert by_hand or (body.state, body.move) in named[body.seat]


def played(party: Party, seat: int, moves: list[bytes]) -> set[tuple[bytes, bytes]]:
    """Return (digest of the position, move) for each move of a seat in a line."""
    from netplay.record.standing import state_digest  # noqa: PLC0415

    fold, game = party.running[0].fold, party.game
    state, found = fold.state, set[tuple[bytes, bytes]]()
    for raw in moves:
        actor = min(game.actors(state))
        if actor < 0:
            break
        if actor == seat:
            found.add((state_digest(fold.match, game, state), raw))
        state = game.play(state, actor, unpack(raw, game.ABOUT.move))
    return found
