"""One's own name for a friend, wherever that friend plays or speaks."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from netplay.messages.door import (
    Answer,
    Done,
    LeaveTable,
    Line,
    Notice,
    Question,
    Say,
    SeatStatus,
    StartMatch,
)
from netplay.messages.node_questions import Personal
from netplay.messages.table_questions import AnswerWatcher, HandSeat, WatchAt
from netplay.said import Said
from netplay.sentences import Says
from netplay.table.table_status import called as called_in
from tests.netplay.joined_nodes import Net, table
from tests.netplay.table import sessions
from tests.netplay.table.evening import Evening
from tests.netplay.table.test_bystanders import two

OWN = {
    "ann": "annie", "bob": "bobby", "cyd": "cydney", "dan": "danny", "eve": "evelyn",
}  # fmt: skip
"""What all call one another, in the same order."""

PLACES = r"calls=|list: \d+ calling|open="
"""Begin lines that tell places, which are called as who is there; and what a host that
was called says of those who play there, without their keys."""

TAKEN = r"address='[^']*'|AGREES_TO_NEW\(.*?, key|NOT_AMONG\(name='\w+'"
"""Places; what a member says of somebody who is not in the match, whose key is told;
and what was typed."""


@pytest.fixture
def net() -> Iterator[Net]:
    one = Net("ann", "bob", "cyd")
    for node in one.nodes.values():
        for other in one.nodes.values():
            if other is not node:
                node.known.befriend(other.key, other.name)
    ann = one["ann"]
    ann.known.describe(one["bob"].key, Personal("Bobby"))
    yield one
    one.close()


def names(seats: tuple[SeatStatus, ...]) -> list[str]:
    return [seat.name for seat in seats]


def test_a_match_shows_a_friend_by_ones_own_name_and_nobody_else_does(net: Net) -> None:
    net.start("bob", "cyd", computers=False)
    [mine] = net["ann"].tables.games(net.now)
    assert names(net.status("ann").seats)[1:] == ["Bobby", "cyd"]
    assert mine.players[1:] == ("Bobby", "cyd")
    for other in ("bob", "cyd"):
        assert names(net.status(other).seats)[1:] == ["bob", "cyd"]


def test_nobody_is_told_to_wait_for_tiles_from_themselves(net: Net) -> None:
    net.done("bob", Answer(on=True))
    seats = "person", "remote:bob"
    net.done("ann", table("networdz", *seats, fairness="encrypted"))
    net.settle()
    net.done("ann", StartMatch())
    told: dict[str, set[str]] = {"ann": set(), "bob": set()}
    while net.deliver() or net.work():
        for name, heard in told.items():
            waiting = net.status(name).waiting
            if isinstance(waiting, Said) and waiting.code == Says.TILES_FROM.name:
                heard.add(str(waiting))
    assert told == {"ann": {str(Says.TILES_FROM(names="Bobby"))}, "bob": set()}


def test_a_new_name_is_in_the_list_of_games_at_once(net: Net) -> None:
    net.start("bob", "cyd", computers=False)
    ann = net["ann"]
    assert ann.tables.games(net.now)[0].players[1:] == ("Bobby", "cyd")
    ann.known.describe(net["bob"].key, Personal("Robert"))
    ann.tables.renamed()
    assert ann.tables.games(net.now)[0].players[1:] == ("Robert", "cyd")


def test_so_do_chat_and_who_is_away(net: Net) -> None:
    net.start("bob", "cyd", computers=False)
    net.done("bob", Say("hello"))
    net.settle()
    for name, author in (("ann", "Bobby"), ("cyd", "bob")):
        told = [push.message for push in net[name].pushes]
        lines = [(one.author, one.text) for one in told if isinstance(one, Line)]
        assert lines == [(author, "hello")]
    for other in ("ann", "cyd"):
        net.part(other, "bob")
    net.settle()
    [mine] = net["ann"].tables.games(net.now)
    assert mine.away == ("Bobby",)


def test_so_do_notices_of_a_match_and_what_the_player_is_called_to(net: Net) -> None:
    net.start("bob", "cyd", computers=False)
    ann, bob = net["ann"], net["bob"]
    ann.tables.take_news()
    net.done("bob", Say("hello"))
    net.settle()
    rung = ann.tables.take_news().summons
    assert [one.who for one in rung if one.reason == "chat"] == [("Bobby",)]
    net.done("bob", LeaveTable())
    net.settle()
    for name, called in (("ann", "Bobby"), ("cyd", "bob")):
        told = [push.message for push in net[name].pushes]
        notices = [one.said for one in told if isinstance(one, Notice)]
        left = [one for one in notices if one.code == Says.HAS_LEFT_TABLE.name]
        assert [dict(one.values)["name"] for one in left] == [called]
    fold = net["cyd"].match.fold
    said = Says.WOULD_REMATCH(name="bob")
    mine = called_in(fold, ann.known.own_name, said)
    assert dict(mine.values) == {"name": "Bobby"}
    assert ann.tables.shared.their_name(bob.key) == "bob"


def test_a_name_that_two_have_in_a_match_is_taken_for_neither(net: Net) -> None:
    """Else the friend would be told to be late where the other one is."""
    bob = net["bob"].key
    fold: Any = SimpleNamespace(
        holders=(bob, net["cyd"].key), names=("bob", "bob"), members=()
    )
    said = Says.WOULD_REMATCH(name="bob")
    assert called_in(fold, net["ann"].known.own_name, said) == said


def test_by_ones_own_name_a_friend_may_watch_no_longer_and_gets_a_seat(
    net: Net,
) -> None:
    net["ann"].known.describe(net["cyd"].key, Personal("Cydney"))
    two(net)
    net.done("cyd", WatchAt("ann"))
    net.settle()
    net.part("ann", "bob")
    for answer in (AnswerWatcher(allow=True, whom="Cydney"), HandSeat(0, "Cydney")):
        assert dict(said_of(net, answer).values) == {"name": "Cydney"}
    assert net.status("ann").made.consents == ((0, "Cydney"),)
    net.apart.clear()
    net.settle()
    net.done("bob", AnswerWatcher(allow=True))
    net.settle()
    [shown] = net.status("ann").watchers
    net.done("ann", AnswerWatcher(allow=False, whom=str(shown)))  # as a window does
    net.settle()
    assert net.status("ann").watchers == ()


def said_of(net: Net, question: Question) -> Said:
    answer = net.ask("ann", question)
    assert isinstance(answer, Done)
    assert isinstance(answer.text, Said)
    return answer.text


def as_called(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of an evening as they are told by one's own names."""
    to = ""
    for line in lines:
        asked, arrow, said = "", "", line
        if not line.startswith(" "):
            to, (asked, arrow, said) = line.partition(":")[0], line.partition(" -> ")
        elif not line.startswith("    "):
            to, asked, said = line.strip(), line, ""
        if not re.match(PLACES, said.strip()):
            names = {**OWN, to: to}
            said = re.sub(r"\w+", lambda a, n=names: n.get(a[0], a[0]), said)
        yield f"{asked}{arrow}{said}"


@pytest.mark.parametrize(
    "name",
    # Where it is waited for places, these are told in sentences.
    [name for name in sessions.EVENINGS if name not in {"forming", "blocked"}],
)
def test_all_that_is_told_goes_by_ones_own_names(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[list[str]] = []
    for own in ({}, OWN):
        monkeypatch.setattr(sessions, "Evening", partial(Evening, own=own))
        lines = sessions.told(name).splitlines()
        told.append([re.sub(TAKEN, "", each) for each in lines])
    assert told[1] == [*as_called(told[0])]
