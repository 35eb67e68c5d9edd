"""Disks that are full for a while: nothing is spoiled, and the match goes on after."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from netplay.errors import Code, LocalError
from netplay.messages.door import Answer, LeaveTable, Load, Question, Say, StartMatch
from netplay.messages.log import Open
from netplay.messages.table_questions import (
    AnswerWatcher,
    HandSeat,
    LetWatch,
    PlayAgain,
    StandIn,
    WatchAt,
)
from netplay.record.hidden import KeptSeed
from netplay.record.store import whole
from netplay.sentences import Says
from netplay.table.hosting import REST_SECONDS
from tests.netplay.homes import FULL, Homes
from tests.netplay.joined_nodes import table
from tests.said import says


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Homes]:
    homes = Homes(tmp_path, "ann", "bob", "eve")
    yield homes
    homes.close()


def steps(net: Homes, count: int) -> None:
    for _ in range(count):
        net.think(Random(1))
        net.settle()


def agree(net: Homes, game: str, *guests: str) -> None:
    """Let computers of ann's and bob's, and of other guests', agree to play."""
    guests = "bob", *guests
    for guest in guests:
        net.done(guest, StandIn(40))
        net.done(guest, Answer(on=True))
    net.done("ann", table(game, "computer:40", *(f"remote:{one}" for one in guests)))
    net.settle()


def fail(net: Homes) -> None:
    """Go on, and see a disk refuse."""
    with pytest.raises(LocalError) as caught:
        net.settle()
    assert caught.value.code is Code.DISK
    net.settle()


def play_out(net: Homes) -> None:
    """Go on to a clean audit."""
    for _ in range(3):
        net.wake(1)  # it may have forgotten what it had signed, and asks the host
    net.play_out(Random(2))
    assert net.status("ann").audit == net.status("bob").audit == "ok"


@pytest.mark.parametrize(
    "verdict", [LetWatch("anybody"), AnswerWatcher(True), AnswerWatcher(False)], ids=str
)
def test_a_verdict_on_a_full_disk_leaves_a_match_that_can_be_opened_again(
    net: Homes, verdict: Question
) -> None:
    net.start("bob")
    steps(net, 3)
    net.done("ann", LetWatch("ask"))
    net.done("ann", StandIn())
    net.done("eve", WatchAt("ann"))
    net.settle()
    net["ann"].files.full = True
    assert net.failed("ann", verdict) is Code.DISK
    net.settle()
    assert FULL in net["ann"].lines("error")[-1]
    assert net["ann"].tables.table_status(net.now) is None
    net.done("eve", LeaveTable())
    net["ann"].files.full = False
    net.done("ann", Load(""))
    net.settle()
    assert net.status("ann").phase == "playing"
    net.isolate("ann")
    net["ann"].restart(net.now)
    net.settle()
    net.play_out(Random(2))
    assert net.status("ann").audit == net.status("bob").audit == "ok"


def test_a_disk_that_refused_half_a_record_is_written_to_no_more(net: Homes) -> None:
    net.start("bob")
    match = net["ann"].match
    net["ann"].files.full = True
    with pytest.raises(LocalError):
        match.keep(KeptSeed(77, 0, 0, bytes(32)))
    net["ann"].files.full = False
    with pytest.raises(LocalError):
        match.keep(KeptSeed(78, 0, 0, bytes(32)))
    with pytest.raises(LocalError):
        match.outgoing()


def test_a_bystander_does_not_open_a_match_again_that_its_disk_refused(
    net: Homes,
) -> None:
    net.start("bob")
    for name in ("ann", "bob"):
        net.done(name, LetWatch("anybody"))
    net.done("eve", WatchAt("ann"))
    net.settle()
    steps(net, 2)
    assert net.status("eve").watching
    net["eve"].files.full = True
    with pytest.raises(LocalError):
        steps(net, 2)
    for _ in range(3):
        steps(net, 1)
        assert net["eve"].tables.table_status(net.now) is None
    assert len(net["eve"].lines("error")) == 1
    net["eve"].files.full = False
    net.done("eve", Load(""))
    net.settle()
    net.play_out(Random(2))
    net.wake(1.0)  # she watches at bob's, who syncs what he has in a moment
    assert net.status("eve").entries == net.status("ann").entries


def test_a_bystander_hears_that_a_full_disk_has_taken_the_match(net: Homes) -> None:
    net.start("bob")
    for name in ("ann", "bob"):
        net.done(name, LetWatch("anybody"))
    net.done("eve", WatchAt("ann"))
    net.settle()
    steps(net, 2)
    net["ann"].files.full = True
    with pytest.raises(LocalError):
        steps(net, 2)
    net["ann"].files.full = False
    net.settle()
    assert net["ann"].tables.table_status(net.now) is None
    assert net.status("eve").phase == "stopped"
    assert says(net["eve"].lines("error")[-1], Says.TABLE_WAS_LEFT)


def test_a_start_that_the_disk_refuses_leaves_the_table_and_no_file(net: Homes) -> None:
    agree(net, "numlo")
    net["ann"].files.full = True
    assert net.failed("ann", StartMatch()) is Code.DISK
    assert net.failed("ann", Load("")) is Code.USAGE
    assert net.status("ann").phase == "forming"
    net["ann"].files.full = False
    net.done("ann", StartMatch())
    net.settle()
    assert net.status("bob").phase in {"starting", "playing"}


def test_a_rematch_that_the_disk_refuses_begins_by_itself_once_there_is_room(
    net: Homes,
) -> None:
    net.start("bob")
    net.play_out(Random(1))
    net["ann"].files.full = True
    net.done("ann", PlayAgain())
    net.settle()
    net.done("bob", PlayAgain())
    fail(net)
    with pytest.raises(LocalError):
        net.wake(REST_SECONDS)
    assert net.status("ann").phase == net.status("bob").phase == "forming"
    told = [line for line in net["ann"].lines("error") if FULL in line]
    assert len(told) == 1

    net["ann"].files.full = False
    net.wake(REST_SECONDS)
    assert net.status("ann").phase == net.status("bob").phase == "playing"
    net.play_out(Random(2))
    assert net.status("ann").audit == net.status("bob").audit == "ok"


def test_a_countdown_that_ends_at_a_full_disk_is_over_and_begins_anew_when_asked(
    net: Homes,
) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("hexcolumns", "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch(3))
    net.settle()
    net["ann"].files.full = True
    net.now += 3
    for _ in range(3):
        with suppress(LocalError):  # once
            net.wake(1)
        net.settle()
    assert net.status("ann").phase == "forming"
    assert net.status("ann").beginning.seconds == 0
    assert len([line for line in net["ann"].lines("error") if FULL in line]) == 1

    net["ann"].files.full = False
    net.done("ann", StartMatch(3))
    net.settle()
    net.wake(3)
    assert net.status("ann").phase == "playing"


def test_a_guest_whose_disk_has_no_room_for_a_rematch_is_in_it_once_there_is_some(
    net: Homes,
) -> None:
    net.start("bob")
    net.play_out(Random(1))
    net.done("ann", PlayAgain())
    net.settle()
    net.done("bob", PlayAgain())
    net["bob"].files.full = True
    fail(net)
    for _ in range(3):
        with suppress(LocalError):
            net.wake(REST_SECONDS)
    assert net.status("bob").phase == "forming"
    assert len([line for line in net["bob"].lines("error") if FULL in line]) == 1

    net["bob"].files.full = False
    net.wake(REST_SECONDS)
    assert net.status("ann").phase == net.status("bob").phase == "playing"
    assert [*net["bob"].tables.shared.means.faults] == []
    net.play_out(Random(2))
    assert net.status("ann").audit == net.status("bob").audit == "ok"


@pytest.mark.parametrize("left", [None, 0])
def test_a_guest_who_is_back_with_room_is_in_the_match_that_has_begun(
    net: Homes, left: int | None
) -> None:
    agree(net, "numlo")
    net.done("ann", StartMatch())
    net["bob"].files.full, net["bob"].files.secrets_left = left is None, left
    fail(net)
    assert net.status("bob").phase == "forming"
    net.isolate("bob")
    net["bob"].files.full, net["bob"].files.secrets_left = False, None
    net.settle()
    assert net.status("ann").phase == net.status("bob").phase == "playing"
    play_out(net)


@pytest.mark.parametrize("left", [None, 0])
def test_who_finds_no_room_to_look_on_may_ask_again_once_there_is_some(
    net: Homes, left: int | None
) -> None:
    net.start("bob")
    for name in ("ann", "bob"):
        net.done(name, LetWatch("anybody"))
    net["eve"].files.full, net["eve"].files.secrets_left = left is None, left
    net.done("eve", WatchAt("ann"))
    fail(net)
    assert net["eve"].tables.table_status(net.now) is None
    assert [*net["eve"].folder.glob("*.netplay")] == []
    net["eve"].files.full, net["eve"].files.secrets_left = False, None
    net.wake(REST_SECONDS)
    net.done("eve", WatchAt("ann"))
    net.settle()
    assert net.status("eve").watching
    net.play_out(Random(2))
    assert net.status("eve").entries == net.status("ann").entries


def test_who_takes_over_a_seat_on_a_full_disk_has_it_once_there_is_room(
    net: Homes,
) -> None:
    net.start("bob")
    steps(net, 2)
    net.done("eve", Answer(on=True))
    net.link("ann", "eve")
    net.link("bob", "eve")
    net["eve"].files.full = True
    net.done("ann", HandSeat(1, "eve"))
    net.done("bob", HandSeat(1, "eve"))
    for _ in range(4):  # each of them tells her
        with suppress(LocalError):
            net.settle()
    assert net["eve"].tables.table_status(net.now) is None
    net["eve"].files.full = False
    net.cut("ann", "eve")
    net.link("ann", "eve")
    net.settle()
    assert net.status("eve").phase == "playing"


@pytest.mark.parametrize("left", range(1, 4))
def test_a_guest_whose_disk_is_full_at_its_first_seed_is_told_so_and_comes_back(
    net: Homes, left: int
) -> None:
    agree(net, "networdz")
    net.done("ann", StartMatch())
    net["bob"].files.secrets_left = left
    fail(net)
    assert net["bob"].tables.table_status(net.now) is None
    assert FULL in net["bob"].lines("error")[-1]
    net["bob"].files.secrets_left, net["bob"].files.full = None, False
    net.done("bob", Load(""))
    net.settle()
    play_out(net)


def test_a_guest_whose_disk_is_full_when_the_match_begins_is_told_so(
    net: Homes,
) -> None:
    agree(net, "numlo")
    net.done("ann", StartMatch())
    net["bob"].files.full = True
    fail(net)
    assert FULL in net["bob"].lines("error")[-1]
    net["bob"].files.full = False
    net.isolate("bob")
    net["bob"].restart(net.now)
    net.done("bob", StandIn(40))
    net.done("bob", Answer(on=True))
    net.settle()
    play_out(net)


def test_what_comes_behind_a_beginning_that_no_disk_took_costs_nobody_the_link(
    net: Homes,
) -> None:
    agree(net, "numlo", "eve")
    net.done("ann", StartMatch())
    net["bob"].files.full = True
    for _ in range(9):
        with suppress(LocalError):
            net.settle()
    assert len(net["ann"].match.ledger.log) > 1, "eve's seed, which bob was sent, too"
    net["bob"].files.full = False
    assert net["bob"].errors == []
    net.wake(REST_SECONDS)
    play_out(net)


@pytest.mark.parametrize("opened", [True, False])
def test_a_match_that_had_ended_as_its_node_was_killed_is_safe_with_the_next(
    net: Homes, opened: bool
) -> None:
    net.start("bob", game="networdz")
    net.play_out(Random(1))
    bob = net["bob"]
    if not opened:  # what its host shows at the end had not come
        lines = bob.match.ledger.log.lines
        end = next(n for n, line in enumerate(lines) if isinstance(line.body, Open))
        bob.file().write_bytes(whole(bob.match.ledger.raws(0, end)))
    bob.files.take_in_hand(net["ann"].match.match, 1)  # it was killed at its last entry
    bob.files.unsafe.add(bob.file().name)
    bob.begin(net.now)
    assert bob.files.in_hand() == {}
    assert bob.file().name not in bob.files.unsafe


def test_an_empty_file_of_a_match_is_passed_over(net: Homes, tmp_path: Path) -> None:
    (tmp_path / "ann" / f"{'00' * 16}.netplay").write_bytes(b"")
    assert net.failed("ann", Load("")) is Code.USAGE
    path = tmp_path / "ann" / f"{'01' * 16}.netplay"
    path.write_bytes(b"NPMATCH\x01")
    assert net.failed("ann", Load("")) is Code.USAGE
    assert net.failed("ann", Load(str(path))) is Code.FILE


def test_a_disk_that_is_full_as_a_line_is_shown_takes_its_table_and_no_other_news(
    net: Homes,
) -> None:
    """What the window has shown is kept, too."""
    net.start("bob", game="networdz")
    net["ann"].tables.window_up(1)
    net["ann"].files.secrets_left = 1  # the line, but not that it was seen
    net.done("bob", Say("psst"))
    net.settle()
    assert net["ann"].tables.table_status(net.now) is None
    assert len(net["ann"].lines("error")) == 1
    assert net["ann"].lines("chat") == ["psst"]


def test_who_comes_later_learns_why_a_game_is_gone_until_it_goes_on(net: Homes) -> None:
    """The disk of a node that runs by night is full while no window is open."""
    net.start("bob", game="networdz")
    net["bob"].files.full = True
    with pytest.raises(LocalError):
        steps(net, 2)
    faults = net["bob"].tables.shared.means.faults
    (told,) = faults
    assert says(told, Says.MATCH_STUCK)
    assert FULL in str(told)
    net["bob"].files.full = False
    net.done("bob", Load(""))
    net.settle()
    assert [*faults] == []
