"""A game that hurries: each seat by its node's clock, all wells equal in the end."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from netplay.daemon.positions import position_of
from netplay.errors import Code, PeerError
from netplay.messages.door import Answer, Failed, LookBack, Play, StartMatch, Watch
from netplay.messages.log import Refused, Ticks
from netplay.messages.table_questions import StandIn
from netplay.record.chance import PUBLIC
from netplay.record.store import whole
from netplay.record.ticking import (
    INPUTS_A_TICK,
    INPUTS_AT_ONCE,
    STRETCH_TICKS,
    Wells,
    stretch,
)
from netplay.record.verify import replay, verify
from netplay.wire import pack, unpack
from rules import GAMES
from rules.game import IllegalMoveError, Resign
from rules.hexcolumns import Drop, Pause, Rotate, Shift
from tests.netplay.joined_nodes import Net, table
from tests.netplay.match.matches import turn_of
from tests.netplay.party import Party

GAME: Any = GAMES["hexcolumns"]
FRAME = 1 / 60


@pytest.fixture
def net() -> Iterator[Net]:
    one = Net("ann", "bob")
    yield one
    one.close()


def start(net: Net, *, computers: bool = True) -> None:
    net.done("bob", Answer(on=True))
    if computers:
        for name in ("ann", "bob"):
            net.done(name, StandIn(0))
    seats = ("person", "remote:bob")
    net.done("ann", table("hexcolumns", *seats, options=(("size", "6"),)))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()


def match_of(net: Net, name: str) -> Any:
    return net[name].match


def run(net: Net, seconds: float, rng: Random | None = None) -> None:
    """Let time pass in frames; computer players drop whatever they have."""
    for _ in range(round(seconds / FRAME)):
        net.now += FRAME
        for node in net.nodes.values():
            due = node.tables.wants().due
            if due is not None and due <= net.now:
                node.tables.wake(net.now)
            for thought in node.tables.wants().thoughts if rng else ():
                moves = [Drop(), Rotate(), Shift(rng.choice((-1, 1)))]
                node.tables.thought(thought, rng.choice(moves), net.now)
        net.settle()


def test_all_wells_are_equal_everywhere_and_the_match_replays(net: Net) -> None:
    start(net)
    rng = Random(2)
    for _ in range(60):
        run(net, 5, rng)
        if match_of(net, "ann").fold.over:
            break
    one, two = match_of(net, "ann"), match_of(net, "bob")
    assert one.fold.over
    assert one.fold.state == two.fold.state
    assert one.ledger.raws(0) == two.ledger.raws(0)
    assert (one.audit(), two.audit()) == ("ok", "ok")
    assert replay(one.ledger.raws(0)).state == one.fold.state
    assert one.realtime.state == one.fold.state
    assert one.deadline() is None
    assert position_of(one.ledger.raws(0), None, 0).view == GAME.view(one.fold.state, 0)
    landed = sum(well.pieces - bool(well.piece) for well in one.fold.state.wells)
    assert verify(whole(one.ledger.raws(0))).moves == landed > 4


def test_earlier_wells_are_shown_about_a_second_apart(net: Net) -> None:
    start(net)
    net.done("ann", Watch(0))
    run(net, 3, Random(2))
    match = match_of(net, "ann")
    earlier = match.seats.view(0).seen[1]
    number, state = earlier.number, earlier.state
    assert len(match.seats.view(0).seen) > 2
    run(net, 3, Random(3))
    net.done("ann", LookBack(number))
    net.settle()
    (back,) = [view for view in net["ann"].views() if not view.live]
    assert back.number == number
    assert unpack(back.state, GAME.ABOUT.state) == state
    assert state != match.fold.state
    assert len(back.happened) == 1
    assert back.happened[0].at <= 4_000
    net.done("ann", LookBack(0))
    net.settle()
    first = [view for view in net["ann"].views() if not view.live][-1]
    assert unpack(first.state, GAME.ABOUT.state).wells[0].pieces <= 1
    assert first.happened == ()


def test_an_input_shows_at_once_in_the_own_view_and_soon_at_the_others(
    net: Net,
) -> None:
    start(net, computers=False)
    run(net, 0.5)
    net.done("bob", Watch(1))
    net.settle()
    before = unpack(net["bob"].views()[-1].state, GAME.ABOUT.state)
    net.done("bob", Play(1, pack(Rotate()), 0))
    net.deliver()
    after = unpack(net["bob"].views()[-1].state, GAME.ABOUT.state)
    piece = before.wells[1].piece
    assert after.wells[1].piece == piece[1:] + piece[:1]
    run(net, 0.3)
    assert match_of(net, "ann").fold.state.wells[1].piece == after.wells[1].piece


def test_a_seat_ticks_by_its_own_clock(net: Net) -> None:
    start(net, computers=False)
    run(net, 2)
    for name in ("ann", "bob"):
        for seat in (0, 1):
            assert 54 <= match_of(net, name).fold.ticks[seat] <= 60


def test_while_the_host_is_away_the_own_clock_stands(net: Net) -> None:
    start(net, computers=False)
    run(net, 1)
    ticks = match_of(net, "bob").fold.ticks[1]
    net.isolate("bob")
    for _ in range(100):
        net.now += 0.05
        net["bob"].tables.wake(net.now)
    answer = net.ask("bob", Play(1, pack(Shift(1)), 0))
    assert isinstance(answer, Failed)
    net.settle()
    run(net, 0.5)
    assert match_of(net, "ann").fold.ticks[1] < ticks + 30
    run(net, 1)
    assert match_of(net, "ann").fold.ticks[1] > ticks + 30


def test_a_node_that_slept_goes_on_where_it_was(net: Net) -> None:
    start(net, computers=False)
    run(net, 1)
    net.now += 600
    run(net, 1)
    assert match_of(net, "ann").fold.ticks[0] < 70


def test_a_killed_node_goes_on_from_its_log(net: Net) -> None:
    start(net)
    run(net, 3)
    net.isolate("bob")
    net["bob"].restart(net.now)
    net.settle()
    run(net, 3)
    assert match_of(net, "bob").fold.state == match_of(net, "ann").fold.state
    assert match_of(net, "ann").fold.ticks[1] > 120


def test_a_killed_node_goes_on_behind_all_that_it_had_on_its_way() -> None:
    party = Party("hexcolumns", 2)
    party.link_all()
    party.settle()

    def tick(times: int = 1) -> int:
        """Let time pass; return how far the guest's well is there."""
        for _ in range(times):
            party.wake(0.1)
        shown = party.member(1).realtime
        assert shown is not None
        return int(shown.state.wells[1].ticks)

    tick(10)
    for _ in range(3):  # into the void
        party.now += 0.1
        party.member(1).wake(party.now)
        party.member(1).outgoing()
    before = tick(0)
    party.crash(1)
    party.start(1)
    guest = party.member(1)
    assert len(guest.submitting.bodies) > 1
    party.link_all()
    while not guest.members.quorate:
        assert party.deliver()
    guest.wake(party.now)  # before its host has entered what waits
    shown = [before, *(tick() for _ in range(10))]
    assert shown == sorted(shown)
    refused = [one for one in party.sent[0, 1] if isinstance(one, Refused)]
    assert not refused
    assert party.member(0).fold.ticks[1] > before


def test_an_illegal_input_is_told_and_changes_nothing(net: Net) -> None:
    start(net, computers=False)
    run(net, 0.5)
    net.done("ann", Play(0, pack(Pause()), 0))
    answer = net.ask("ann", Play(0, pack(Pause()), 0))
    assert isinstance(answer, Failed)
    assert answer.code == Code.ILLEGAL_MOVE.number


def test_too_many_inputs_at_once_are_refused(net: Net) -> None:
    start(net, computers=False)
    run(net, 0.5)
    for _ in range(INPUTS_AT_ONCE):
        net.done("bob", Play(1, pack(Rotate()), 0))
    answer = net.ask("bob", Play(1, pack(Rotate()), 0))
    assert isinstance(answer, Failed)
    assert answer.code == Code.TOO_MANY.number
    run(net, 1)
    net.done("bob", Play(1, pack(Rotate()), 0))


def test_giving_up_ends_a_well_and_the_others_go_on(net: Net) -> None:
    start(net, computers=False)
    run(net, 1)
    net.done("bob", Play(1, pack(Resign()), 0))
    net.settle()
    run(net, 1)
    fold = match_of(net, "ann").fold
    assert fold.state.wells[1].over
    assert not fold.over
    assert fold.ticks[0] > 50
    net.done("ann", Play(0, pack(Resign()), 0))
    net.settle()
    assert match_of(net, "bob").audit() == "ok"


def against_a_computer(net: Net) -> Any:
    """Begin a match of Ann with a computer."""
    options = (("size", "6"), ("level", "0"))
    net.done("ann", table("hexcolumns", "person", "computer:90", options=options))
    net.done("ann", StartMatch())
    net.settle()
    run(net, 1)
    return match_of(net, "ann")


def test_nobody_waits_for_a_computer_after_giving_up(net: Net) -> None:
    match = against_a_computer(net)
    net.done("ann", Play(0, pack(Resign()), 0))
    run(net, 1)
    assert match.fold.over
    assert match.audit() == "ok"


def test_a_computer_plays_on_for_the_second_person_when_the_first_gives_up(
    net: Net,
) -> None:
    options = (("size", "6"), ("level", "0"))
    seats = "person", "person", "computer:90"
    net.done("ann", table("hexcolumns", *seats, options=options))
    net.done("ann", StartMatch())
    net.settle()
    run(net, 1)
    match = match_of(net, "ann")
    net.done("ann", Play(0, pack(Resign()), 0))
    run(net, 1)
    assert match.fold.resigned == {0}
    net.done("ann", Play(1, pack(Resign()), 0))
    run(net, 1)
    assert match.fold.over


def test_a_computer_plays_for_the_score_when_the_last_person_is_out(net: Net) -> None:
    match = against_a_computer(net)
    while not match.realtime.state.wells[0].over:
        net.done("ann", Play(0, pack(Drop()), 0))
        run(net, 0.1)
    run(net, 1)
    wells = match.fold.state.wells
    assert wells[0].score > wells[1].score
    assert not match.fold.over
    for _ in range(600):
        if match.fold.over:
            break
        for thought in net["ann"].tables.wants().thoughts:
            net["ann"].tables.thought(thought, Drop(), net.now)
        run(net, 0.2)
    assert match.fold.over
    assert not match.fold.state.wells[1].resigned


def test_an_own_stretch_that_the_host_refuses_is_forgotten(net: Net) -> None:
    start(net, computers=False)
    run(net, 1)
    match = match_of(net, "bob")
    match.replication.submit(Ticks(1, 0, (), b""), net.now)  # time that has passed
    net.settle()
    run(net, 1)
    assert match_of(net, "ann").fold.ticks[1] > 45
    assert match.realtime.state.wells[1] is not None


def test_a_late_thought_is_dropped(net: Net) -> None:
    start(net)
    run(net, 1)
    [thought] = net["bob"].tables.wants().thoughts
    net["bob"].tables.thought(thought, Drop(), net.now)
    run(net, 1)
    shown = match_of(net, "bob").shown_state(-1)
    net["bob"].tables.thought(thought, Drop(), net.now)
    assert match_of(net, "bob").shown_state(-1) == shown


# Stretches, alone.


def test_windows_hear_of_an_end_that_clocks_alone_bring(net: Net) -> None:
    options = (("size", "6"), ("level", "25"))
    net.done("ann", table("hexcolumns", "person", "computer:0", options=options))
    net.done("ann", StartMatch())
    net.settle()
    tables, match = net["ann"].tables, match_of(net, "ann")
    told = False
    for _ in range(2000):
        tables.take_news()
        net.wake(0.1)
        told = tables.take_news().changed
        if match.fold.over:
            break
    assert match.fold.over
    assert told


def ready() -> Party:
    party = Party("hexcolumns", 1, seats=2)
    party.settle()
    return party


def fold_with(body: Ticks) -> Any:
    fold = ready().member(0).fold
    public = fold.rounds.get(PUBLIC)
    assert public is not None
    assert public.key is not None
    wells = Wells(fold.state, fold.drawn)
    return stretch(GAME, public.key, wells, 0, body)


def test_stretches_of_different_seats_commute() -> None:
    fold = ready().member(0).fold
    key = fold.rounds.get(PUBLIC).key  # type: ignore[union-attr]
    one = Ticks(0, 90, ((10, pack(Drop())), (50, pack(Drop()))), b"")
    two = Ticks(1, 300, ((30, pack(Shift(1))), (200, pack(Drop()))), b"")
    states = []
    for first, second in ((one, two), (two, one)):
        wells = stretch(GAME, key, Wells(fold.state, fold.drawn), 0, first)
        states.append(stretch(GAME, key, wells, 0, second).state)
    assert states[0] == states[1]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (Ticks(0, STRETCH_TICKS + 1, (), b""), Code.STALE),
        (Ticks(0, 10, ((11, pack(Drop())),), b""), Code.UNEXPECTED),
        (Ticks(0, 10, ((5, pack(Drop())), (4, pack(Drop()))), b""), Code.UNEXPECTED),
        (Ticks(0, 10, ((5, pack(Resign())),), b""), Code.UNEXPECTED),
        (Ticks(0, 10, ((5, b"\xc0"),), b""), Code.BAD_FRAME),
        (
            Ticks(0, 10, ((5, pack(Rotate())),) * (INPUTS_AT_ONCE + 1), b""),
            Code.TOO_MANY,
        ),
        (  # nor does who has waited have more hands than others
            Ticks(0, 400, ((400, pack(Rotate())),) * (INPUTS_AT_ONCE + 1), b""),
            Code.TOO_MANY,
        ),
    ],
)
def test_a_stretch_out_of_order_is_refused(body: Ticks, code: Code) -> None:
    with pytest.raises(PeerError) as caught:
        fold_with(body)
    assert caught.value.code is code


def test_many_short_stretches_hold_no_more_inputs_than_a_long_one() -> None:
    fold = ready().member(0).fold
    key = fold.rounds.get(PUBLIC).key  # type: ignore[union-attr]
    wells, made, turn = Wells(fold.state, fold.drawn), 0, pack(Rotate())
    for tick in range(60):
        while True:
            try:
                body = Ticks(0, tick, ((tick, turn),), b"")
                wells = stretch(GAME, key, wells, tick, body)
            except PeerError as error:
                assert error.code is Code.TOO_MANY
                break
            made += 1
    assert made == INPUTS_AT_ONCE + 59 * INPUTS_A_TICK


def test_a_forbidden_input_in_a_stretch_is_refused() -> None:
    with pytest.raises(IllegalMoveError):
        fold_with(Ticks(0, 10, ((5, pack(Pause())), (5, pack(Pause()))), b""))


def test_a_turn_in_a_game_of_ticks_and_ticks_of_the_dead_are_refused() -> None:
    party = ready()
    match = party.member(0)
    with pytest.raises(PeerError):
        match.replication.submit(turn_of(match, 0, Drop()), party.now)
    match.play(0, pack(Resign()), -1, party.now)
    with pytest.raises(PeerError) as caught:
        match.replication.submit(Ticks(0, 5, (), b""), party.now)
    assert caught.value.code is Code.NOT_YOUR_TURN
