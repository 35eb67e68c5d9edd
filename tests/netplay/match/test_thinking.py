"""Days to think: claims that come in time, too early, and against who is away."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from netplay.commands.games import lines
from netplay.errors import Code, PeerError
from netplay.match.match import Match
from netplay.match.thinking import DAY_SECONDS, LOOK_SECONDS, SLACK_SECONDS
from netplay.messages.door import Answer, HostTable, Play, StartMatch
from netplay.messages.log import Hour, Late, Submit, Turn
from netplay.messages.table_questions import (
    AnswerWatcher,
    ClaimTime,
    HandSeat,
    MakeOffer,
    WatchAt,
)
from netplay.record.ledger import Ledger
from netplay.record.log import author_data
from netplay.wire import pack
from rules.game import Resign
from rules.numlo import Place
from rules.numlo import moves as numlo_moves
from tests.netplay.joined_nodes import SMALL, Net, table

DAYS = 2
WORDS = (("tournament", "off"),)


class Clock:
    """The clocks on the walls."""

    def __init__(self) -> None:
        self.now = 1_000_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def net(clock: Clock) -> Iterator[Net]:
    found = Net("ann", "bob", "cyd")
    for node in found.nodes.values():
        node.unix = clock.now
    yield found
    found.close()


def begin(
    net: Net,
    clock: Clock,
    *guests: str,
    game: str = "hexagrams",
    options: tuple[tuple[str, str], ...] = (),
) -> None:
    for guest in guests:
        net.done(guest, Answer(on=True))
    seats = ("person", *(f"remote:{guest}" for guest in guests))
    options = SMALL[:2] if game == "numlo" else options
    wish = table(game, *seats, options=options)
    wish = HostTable(wish.game, wish.seats, wish.options, "", "", days=DAYS)
    net.done("ann", wish)
    net.settle()
    for guest in guests:
        status = net[guest].tables.table_status(net.now)
        assert status is not None
        assert status.thinking.days == DAYS
    net["ann"].tables.take_news()
    net.done("ann", StartMatch())
    net.settle()
    pass_days(net, clock, 0.0)


def match(net: Net, name: str) -> Match:
    return net[name].match


def pass_days(net: Net, clock: Clock, days: float) -> None:
    clock.now += int(days * DAY_SECONDS)
    net.now += LOOK_SECONDS + 1
    for node in net.nodes.values():
        node.unix = clock.now
    for name in net.nodes:
        if net[name].table.match is not None:
            net[name].tables.wake(net.now)
    net.settle()


def move(net: Net, name: str) -> None:
    found = net[name].match
    seat = next(n for n in found.on_turn() if found.seats.is_own(n))
    view = found.seats.view(seat).state
    chosen = next(iter(found.fold.game.moves(view, seat)))
    net.done(name, Play(seat, pack(chosen), found.fold.number))
    net.settle()


def on_turn(net: Net) -> tuple[str, str]:
    """Return the names of who is on turn, and of another."""
    fold = net["ann"].match.fold
    (seat,) = (n for n in fold.actors if n >= 0)
    names = list(fold.names)
    return names[seat], names[seat - 1]


def final(net: Net, name: str) -> bool:
    """Tell whether a claim is known to be final."""
    found = match(net, name)
    lines = found.ledger.log.lines
    (number,) = (n for n, line in enumerate(lines) if isinstance(line.body, Late))
    return found.final > number


def claim(net: Net, name: str) -> None:
    net.done(name, ClaimTime())
    net.settle()


def test_who_looks_on_at_a_match_of_days_is_hung_up_on_by_nobody(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob")
    net.done("cyd", WatchAt("ann"))
    net.settle()
    for name in ("ann", "bob"):
        net.done(name, AnswerWatcher(True, "cyd"))
        net.settle()
    assert net["cyd"].tables.mode() == "watching"
    for _ in range(2):
        net.cut("ann", "cyd")
        net.dial()
        net.settle()
        pass_days(net, clock, DAYS / 8)
        assert not any(node.errors for node in net.nodes.values())
    move(net, "ann")
    assert match(net, "cyd").fold.moves == 1


def test_in_a_board_game_a_claim_resigns_the_seat_when_the_days_are_over(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob")
    assert net.failed("bob", ClaimTime()) is Code.TOO_EARLY
    assert net.failed("ann", ClaimTime()) is Code.USAGE  # it is her own turn
    pass_days(net, clock, DAYS / 2)
    assert net.failed("bob", ClaimTime()) is Code.TOO_EARLY
    pass_days(net, clock, DAYS / 2)
    assert not match(net, "ann").fold.over  # never by itself
    claim(net, "bob")
    for name in ("ann", "bob"):
        fold = match(net, name).fold
        assert fold.over
        assert fold.places == (2, 1)
    assert final(net, "bob")
    for name, result in (("ann", "lost on time"), ("bob", "won on time")):
        (game,) = net[name].tables.games(net.now)
        assert game.result == result
        assert lines(game).count(result) == 1
        table = net[name].tables.table_status(net.now)
        assert table is not None
        assert table.seats[0].state == "late", "and not resigned"


def test_a_claim_that_nobody_answers_is_told_as_such_in_lists(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob")
    net.part("ann", "bob")
    pass_days(net, clock, DAYS)
    claim(net, "bob")
    (game,) = net["bob"].tables.games(net.now)
    assert game.result == "unanswered"
    assert lines(game) != lines(replace(game, result="won on time"))


def test_who_gives_up_by_wish_is_not_called_late(net: Net, clock: Clock) -> None:
    begin(net, clock, "bob")
    net.done("ann", Play(0, pack(Resign()), match(net, "ann").fold.number))
    net.settle()
    (game,) = net["bob"].tables.games(net.now)
    table = net["bob"].tables.table_status(net.now)
    assert game.result == "won"
    assert table is not None
    assert table.seats[0].state == "resigned"


def test_a_match_of_three_is_won_on_time_only_by_what_ends_it(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    late, _other = on_turn(net)
    first, second = (name for name in ("ann", "bob", "cyd") if name != late)
    pass_days(net, clock, DAYS)
    claim(net, first)
    pass_days(net, clock, 0.1)
    for name, result in ((first, ""), (second, ""), (late, "lost on time")):
        (game,) = net[name].tables.games(net.now)
        assert (game.phase, game.result) == ("playing", result), "they play on"
        assert not result or lines(game).count(result) == 1
    seats = match(net, first).fold.names
    net.done(second, Play(seats.index(second), pack(Resign()), -1))
    net.settle()
    for name, result in ((first, "won"), (second, "lost"), (late, "lost")):
        (game,) = net[name].tables.games(net.now)
        assert game.result == result


def test_a_move_in_time_begins_the_next_turn(net: Net, clock: Clock) -> None:
    begin(net, clock, "bob")
    pass_days(net, clock, 0.9 * DAYS)
    move(net, "ann")
    pass_days(net, clock, 0.9 * DAYS)
    assert net.failed("ann", ClaimTime()) is Code.TOO_EARLY
    pass_days(net, clock, 0.1 * DAYS)
    claim(net, "ann")
    assert match(net, "bob").fold.places == (1, 2)


def test_in_a_word_game_the_turn_passes_and_the_third_in_a_row_resigns(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", game="networdz")
    late, other = on_turn(net)
    seat = match(net, "ann").fold.names.index(late)
    for lapses in (1, 2):
        pass_days(net, clock, DAYS)
        assert not net.status(other).thinking.ends
        claim(net, other)
        fold = match(net, "ann").fold
        assert fold.lapses[seat] == lapses
        assert not fold.over
        move(net, other)
    pass_days(net, clock, DAYS)
    assert net.status(other).thinking.ends
    claim(net, other)
    assert match(net, "ann").fold.resigned == {seat}


def test_a_move_between_lapsed_turns_begins_the_count_again(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", game="networdz")
    late, other = on_turn(net)
    pass_days(net, clock, DAYS)
    claim(net, other)
    move(net, other)
    move(net, late)
    assert match(net, "bob").fold.lapses == (0, 0)


def test_who_takes_a_seat_over_has_all_the_days_of_its_turn(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    while on_turn(net)[0] != "cyd":
        move(net, on_turn(net)[0])
    pass_days(net, clock, 0.9 * DAYS)
    net.isolate("cyd")
    for name in ("ann", "bob"):
        net.done(name, HandSeat(match(net, "ann").fold.names.index("cyd"), "bob"))
        net.settle()
    pass_days(net, clock, 0.2 * DAYS)
    for name in ("ann", "bob"):
        left = match(net, name).thinking.left
        assert left is not None
        assert left >= 0.7 * DAYS * DAY_SECONDS
    assert net.failed("ann", ClaimTime()) is Code.TOO_EARLY


def test_a_turn_that_lapsed_is_not_taken_back(net: Net, clock: Clock) -> None:
    begin(net, clock, "bob", game="networdz")
    late, other = on_turn(net)
    seat = match(net, late).fold.names.index(late)
    pass_days(net, clock, DAYS)
    claim(net, other)
    assert on_turn(net) == (other, late)
    assert "back" not in match(net, late).offering.may(seat)
    assert net.failed(late, MakeOffer(seat, "back")) is Code.USAGE
    move(net, other)
    assert "back" not in match(net, late).offering.may(seat)


@pytest.mark.parametrize("late", ["ann", "bob"])
def test_against_who_is_away_a_claim_is_kept_and_final_when_they_come(
    net: Net, clock: Clock, late: str
) -> None:
    waits = "bob" if late == "ann" else "ann"
    begin(net, clock, "bob")
    if late == "bob":
        move(net, "ann")
    net.part(late, waits)
    pass_days(net, clock, DAYS)
    claim(net, waits)
    status = net[waits].tables.table_status(net.now)
    assert status is not None
    assert (status.thinking.claim, status.thinking.ends) == ("made", True)
    assert not match(net, waits).fold.over
    assert net.failed(waits, ClaimTime()) is Code.USAGE
    net[waits].restart(net.now)  # it is signed, and on the disk
    assert match(net, waits).claimed
    net.apart.clear()
    net.dial()
    net.settle()
    for name in ("ann", "bob"):
        found = match(net, name)
        assert found.fold.over
        assert not found.hidden.doubt
        assert final(net, name)


def test_who_was_away_when_the_move_came_is_late_by_what_it_knew_before(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    pass_days(net, clock, 0.1)
    while on_turn(net)[0] != "ann":
        move(net, on_turn(net)[0])
    for other in ("ann", "cyd"):
        net.part("bob", other)
    move(net, "ann")  # bob does not hear of it
    assert on_turn(net)[0] == "bob"
    pass_days(net, clock, DAYS)
    claim(net, "cyd")
    assert 1 in match(net, "ann").fold.resigned
    net.apart.clear()
    net.dial()
    net.settle()
    bob = match(net, "bob")
    assert 1 in bob.fold.resigned
    assert not bob.hidden.doubt


def test_a_claim_that_a_host_enters_too_early_is_confirmed_when_it_is_time(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob")
    move(net, "ann")
    pass_days(net, clock, 0.5)
    ann, bob = match(net, "ann"), match(net, "bob")
    ann.fold.is_early = lambda _seat: False
    with net["ann"].tables.places.by_number[1]:
        ann.replication.submit(
            Late(1, ann.ledger.log.head, ann.fold.digest(), 0, ()), net.now
        )
    net.settle()
    for found in (ann, bob):
        assert found.fold.claims.standing
        assert not found.fold.over
    pass_days(net, clock, DAYS)
    assert bob.fold.places == (1, 2)
    assert final(net, "ann")


def submit(net: Net, name: str, body: Late, own: int | None = None) -> list[int]:
    """Say something to the host as a changed program would; return its refusals."""
    found, ann = net[name].match, net["ann"].match
    assert found is not None
    assert ann is not None
    log, raw = found.ledger.log, pack(body)
    number = log.own(net[name].key) if own is None else own
    signature = net[name].signer.sign(author_data(log.match, number, raw))
    ann.receive(net[name].key, Submit(log.match, number, raw, signature), net.now)
    out = [one.message for one in ann.outgoing()]
    return [one.code for one in out if hasattr(one, "code")]


def test_a_host_refuses_what_no_claim_may_say(net: Net, clock: Clock) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    ann = match(net, "ann")
    while on_turn(net)[0] != "ann":
        move(net, on_turn(net)[0])
    head, state = ann.ledger.log.head, ann.fold.digest()
    move(net, "ann")
    present, now = ann.ledger.log.head, ann.fold.digest()
    early, other, own, old, none = (
        submit(net, "cyd", Late(1, present, now, 0, ())),
        submit(net, "cyd", Late(0, present, now, 0, ())),
        submit(net, "bob", Late(1, present, now, 0, ())),
        submit(net, "cyd", Late(1, head, state, 0, ())),
        submit(net, "cyd", Late(3, present, now, 0, ())),
    )
    assert early == [Code.TOO_EARLY.number]
    assert other == [Code.NOT_YOUR_TURN.number]
    assert own == [Code.UNEXPECTED.number]
    assert old == [Code.STALE.number]
    assert none == [Code.NOT_A_MEMBER.number]
    assert not any(isinstance(line.body, Late) for line in ann.ledger.log.lines)


def test_a_claim_in_a_match_without_days_is_refused(net: Net, clock: Clock) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("hexagrams", "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    ann = match(net, "ann")
    body = Late(0, ann.ledger.log.head, ann.fold.digest(), 0, ())
    assert submit(net, "bob", body) == [Code.NOT_YOUR_TURN.number]
    assert net.failed("bob", ClaimTime()) is Code.USAGE


def test_the_log_with_claims_folds_to_the_same_alone(net: Net, clock: Clock) -> None:
    begin(net, clock, "bob", game="networdz")
    _late, other = on_turn(net)
    pass_days(net, clock, DAYS)
    claim(net, other)
    move(net, other)
    ann = match(net, "ann")
    bodies = [line.body for line in ann.ledger.log.lines]
    assert any(isinstance(body, Late) for body in bodies)
    assert any(isinstance(body, Turn) for body in bodies)
    assert isinstance(ann.ledger, Ledger)
    assert match(net, "bob").fold.digest() == ann.fold.digest()


def test_a_quarter_of_the_time_left_rings_once_each_turn(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob")
    for _ in range(4):
        late, other = on_turn(net)
        tables = net[late].tables
        assert [one.reason for one in tables.take_news().summons] == ["turn"]
        pass_days(net, clock, DAYS / 2)
        assert tables.take_news().summons == []
        pass_days(net, clock, DAYS / 4)
        assert [one.reason for one in tables.take_news().summons] == ["time"]
        pass_days(net, clock, 0.1)
        assert tables.take_news().summons == []
        assert net[other].tables.take_news().summons == []
        move(net, late)


def test_days_need_turns_and_somebody_elsewhere(net: Net) -> None:
    assert net.failed("ann", ClaimTime()) is Code.NO_TABLE
    alone = HostTable("numlo", ("person", "computer"), (), "", "", days=2)
    assert net.failed("ann", alone) is Code.USAGE
    hurried = HostTable("hexcolumns", ("person", "remote"), (), "", "", days=2)
    assert net.failed("ann", hurried) is Code.USAGE
    assert SLACK_SECONDS < DAY_SECONDS


def test_what_a_member_says_again_and_again_of_turns_and_hours_fills_no_disk(
    net: Net, clock: Clock
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    bob, cyd, key = match(net, "bob"), net["cyd"], net["cyd"].key
    log = bob.ledger.log
    turn = Turn(2, log.head, bob.fold.digest(), pack(Place(1)), ())
    long = replace(turn, move=bytes(20_000))
    file = net["bob"].archive.open_secrets(log.match)
    before = len(file.read())
    for number in range(1500):
        body = pack(long if number % 2 else turn)
        own = log.own(key) + number // 2
        signature = cyd.signer.sign(author_data(log.match, own, body))
        bob.receive(key, Submit(log.match, own, body, signature), net.now)
        bob.receive(key, Hour(log.match, clock.now + number), net.now)
    for number in range(20_000):
        bob.receive(key, Hour(log.match, clock.now + number), net.now)
    assert len(file.read()) - before < 2 << 20
    net.settle()
    net.now += 24 * 3600
    before = len(file.read())
    bob.receive(key, Hour(log.match, clock.now + 24 * 3600), net.now)
    bob.journal.ring(net.now + 1)
    assert len(file.read()) > before, "who has room again is heard again"


@pytest.mark.parametrize("brings", ["bob", "cyd"])
def test_with_days_a_submit_is_of_the_member_that_signed_it_and_of_nobody_else(
    net: Net, clock: Clock, brings: str
) -> None:
    begin(net, clock, "bob", "cyd", game="numlo")
    while on_turn(net)[0] != "bob":
        move(net, on_turn(net)[0])
    ann, bob = match(net, "ann"), net["bob"]
    log = ann.ledger.log
    entries, own, via = len(log), log.own(bob.key), net[brings].key
    square = next(iter(numlo_moves(ann.fold.state, 1)))
    body = pack(Turn(1, log.head, ann.fold.digest(), pack(square), ()))
    good = Submit(
        log.match, own, body, bob.signer.sign(author_data(log.match, own, body))
    )
    with pytest.raises(PeerError) as caught:
        ann.receive(via, replace(good, signature=bytes(64)), net.now)
    assert caught.value.code is Code.BAD_SIGNATURE
    assert len(log) == entries
    ann.receive(via, good, net.now)
    assert len(log) == entries + 1
