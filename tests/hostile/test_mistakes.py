"""A mistake of the program's, wherever one is made, ends that and nothing else.

What no test has found some peer will: here it is put where it hurts, into the code of
one table of a node that plays at three, and into what a node does beside its tables.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
import trio
import trio.testing

from netplay.daemon.door import Reply
from netplay.errors import Code, LocalError
from netplay.messages.door import Done, Failed, GetStatus, Request, SetName, Watch
from netplay.messages.log import Have
from netplay.messages.table import Ask
from netplay.messages.table_questions import ClaimTime
from netplay.record.archive import LAID_ASIDE, OPENING
from netplay.record.store import SUFFIX
from netplay.sentences import Says
from netplay.table.place import Place
from netplay.table.state import Wants
from netplay.wanted import Outgoing, Thought
from tests.netplay.homes import HomeNode, Homes
from tests.netplay.joined_nodes import GAMES_AT_ONCE
from tests.netplay.memory import Player, World, running
from tests.said import says

BROKEN = "a mistake that nobody has found"


def broken(*_given: object, **_named: object) -> NoReturn:
    raise ZeroDivisionError(BROKEN)


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Homes]:
    """Two nodes with homes that play three games."""
    net = Homes(tmp_path, "ann", "ben")
    net.begin_several("ann", "ben", *GAMES_AT_ONCE, computers=False)
    yield net
    net.close()


def place_of(net: Homes, game: str) -> Place:
    place = net["ann"].tables.places.by_number.get(net.games("ann")[game].table)
    assert place is not None
    return place


def drain(node: HomeNode) -> None:
    """Take what a node's tables want done, as the daemon does."""
    for _ in range(5):
        try:
            node.tables.take_outgoing()
        except LocalError:
            continue
        break
    node.tables.take_pushes()
    node.tables.take_news()
    node.tables.wants_dial()
    node.tables.offers()
    node.tables.games(200.0)
    node.tables.seats_to_come()


def hear(net: Homes, on: int) -> None:
    """Let the node be told of its match at a table."""
    match = net["ann"].tables.places.by_number[on].table.match_name
    net["ann"].tables.receive(net["ben"].key, Have(match, 0, 0, bytes(32)), net.now)


def look_again(net: Homes, on: int) -> None:
    with net["ann"].tables.places.by_number[on]:
        pass  # something has happened


def wake(net: Homes, on: int) -> None:
    place = net["ann"].tables.places.by_number[on]
    place.wants = Wants(due=0.0)
    net["ann"].tables.wake(net.now)


def told(net: Homes, on: int) -> None:
    assert net["ann"].tables.table_status(net.now, None, on) is None


def again(net: Homes) -> None:
    net["ann"].tables.peer_up(net["ben"].key, "ben", "ben", net.now)


PARTS: dict[str, tuple[str, Callable[[Homes, int], object]]] = {
    "a message of a peer": ("receive", hear),
    "a peer that comes": ("peer_up", lambda net, _: again(net)),
    "a peer that goes": ("peer_down", lambda net, _: net.cut("ann", "ben")),
    "what is due": ("wake", wake),
    "what it wants": ("wants", look_again),
    "what it sends": ("send", look_again),
    "a question": ("ask", lambda net, on: net.ask("ann", ClaimTime(), on=on)),
    "its status": ("status", told),
    "its line in the list": ("status", look_again),
    "whom it dials": ("dials", lambda net, _: net["ann"].tables.wants_dial()),
    "what it offers": ("offer", lambda net, _: net["ann"].tables.offers()),
    "who sits at it": ("names", lambda net, _: net["ann"].tables.players()),
}


@pytest.mark.parametrize("what", PARTS)
def test_a_mistake_at_one_table_closes_it_and_the_others_go_on(
    three: Homes, mistakes: list[Exception], what: str
) -> None:
    net, (name, happens) = three, PARTS[what]
    bad = place_of(net, "numlo")
    files = {path.name for path in net["ann"].folder.iterdir()}
    setattr(bad.table, name, broken)
    with suppress(LocalError):  # which the node takes as it takes a failing disk
        happens(net, bad.number)
    drain(net["ann"])
    assert {str(one) for one in mistakes} == {BROKEN}
    mistakes.clear()
    left = {one.game for one in net["ann"].tables.games(net.now)}
    assert left == set(GAMES_AT_ONCE) - {"numlo"}
    faults = map(str, net["ann"].tables.shared.means.faults)
    (fault,) = [fault for fault in faults if says(fault, Says.TABLE_CLOSED)]
    assert fault.startswith("Numlo (ben): ")
    # What was played is kept, but no node of the home takes it up by itself.
    assert files <= {path.name for path in net["ann"].folder.iterdir()}
    net.isolate("ann")
    net["ann"].restart(net.now)
    net.link("ann", "ben")
    net.settle()
    assert {one.game for one in net["ann"].tables.games(net.now)} == left
    # The player may; by then the program has been mended.
    (mark,) = net["ann"].folder.glob(f"*{LAID_ASIDE}")
    net["ann"].tables.load(1, str(mark.with_suffix(SUFFIX)), net.now)
    net.settle()
    assert {one.game for one in net["ann"].tables.games(net.now)} == set(GAMES_AT_ONCE)
    assert not mark.exists()


def opening(match: bytes, happens: Callable[[], object]) -> Any:
    """Return how matches are opened when something happens with one of them."""
    opened = Place._opened

    def faulty(place: Place, ledger: Any) -> Any:
        return happens() if ledger.log.match == match else opened(place, ledger)

    return faulty


def test_a_match_that_cannot_be_opened_by_a_mistake_keeps_no_other_from_being(
    three: Homes, mistakes: list[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    net = three
    match = place_of(net, "numlo").table.match_name
    monkeypatch.setattr(Place, "_opened", opening(match, broken))
    for _ in range(2):  # the second start does not fall into it again
        net.isolate("ann")
        net["ann"].restart(net.now)
        net.link("ann", "ben")
        net.settle()
        left = {one.game for one in net["ann"].tables.games(net.now)}
        assert left == set(GAMES_AT_ONCE) - {"numlo"}
    assert len(mistakes) == 1
    mistakes.clear()


def dies_of_it(net: Homes, match: bytes) -> None:
    """Begin a node in a process that is killed while it opens a match."""
    pid = os.fork()
    if not pid:
        deadly = partial(os.kill, os.getpid(), signal.SIGKILL)
        try:
            pytest.MonkeyPatch().setattr(Place, "_opened", opening(match, deadly))
            net["ann"].begin(net.now)
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_a_match_whose_opening_kills_the_program_twice_is_left_alone_and_named(
    three: Homes,
) -> None:
    net = three
    match = place_of(net, "numlo").table.match_name
    others = set(GAMES_AT_ONCE) - {"numlo"}
    net.isolate("ann")
    net["ann"].tables.close()
    dies_of_it(net, match)
    net["ann"].begin(net.now)  # the first may be somebody who was in a hurry
    assert {one.game for one in net["ann"].tables.games(net.now)} == set(GAMES_AT_ONCE)
    net["ann"].tables.close()
    dies_of_it(net, match)
    dies_of_it(net, match)
    net["ann"].begin(net.now)
    assert {one.game for one in net["ann"].tables.games(net.now)} == others
    (told,) = [str(one) for one in net["ann"].tables.shared.means.faults]
    assert "Numlo" in told
    assert "twice" in told
    net.link("ann", "ben")
    net.settle()  # what the others say of it opens it no more either
    assert {one.game for one in net["ann"].tables.games(net.now)} == others
    path = net["ann"].files.place(match)
    net["ann"].tables.load(0, str(path), net.now)
    net.settle()
    assert {one.game for one in net["ann"].tables.games(net.now)} == set(GAMES_AT_ONCE)
    assert not path.with_suffix(OPENING).exists()


# What a node does beside its tables.


async def test_mistakes_in_messages_answers_tasks_and_pushes_end_no_node(
    tmp_path: Path, mistakes: list[Exception], autojump_clock: trio.testing.MockClock
) -> None:
    del autojump_clock
    world = World()
    one, other = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    one.thinker.think = broken  # type: ignore[method-assign,assignment]
    one.restarted()
    lines: list[str] = []
    one.faults.journal = lambda event, **fields: lines.append(f"{event} {fields}")
    async with running(one), running(other):
        one.wants(other)
        await trio.testing.wait_all_tasks_blocked()
        answers: list[Done | Failed] = []
        reply: Reply = answers.append
        notes = one.notes

        notes.receive = broken  # type: ignore[method-assign]
        other.notes.shared.put([Outgoing((one.key,), Ask(b"", 0))])
        other.node.settled()
        await trio.testing.wait_all_tasks_blocked()
        del notes.receive
        for name in ("ask", "games"):
            setattr(notes, name, broken)
            one.node.answer(
                1, Request(7, GetStatus() if name == "games" else Watch(0)), reply
            )
            delattr(notes, name)
        for name in ("take_pushes", "take_news", "take_outgoing", "wake", "peer_down"):
            whole = getattr(notes, name)
            setattr(notes, name, broken)
            one.node.settled()
            notes.due = trio.current_time() + 0.1
            await trio.sleep(0.2)
            setattr(notes, name, whole)
        notes.thoughts.append(Thought(bytes(32), 0, 1, "numlo", None, 40))
        one.node.settled()
        await trio.testing.wait_all_tasks_blocked()
        notes.thoughts.clear()
        assert "failed" in notes.history
        one.node.answer(1, Request(9, SetName("Anna")), reply)
        assert [type(answer) for answer in answers] == [Failed, Failed, Done]
        assert all(
            a.code == Code.FAULT.number for a in answers if isinstance(a, Failed)
        )
        other.says(one)
        await trio.testing.wait_all_tasks_blocked()
        assert notes.heard, "the link is there, and heard"
    assert len(mistakes) >= 6
    mistakes.clear()
    assert any("ZeroDivisionError" in line for line in lines)
    assert not any(BROKEN in line for line in lines)  # words may quote anything
