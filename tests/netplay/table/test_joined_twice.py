"""A player says *join* again where they sit, or are on the way to."""

from random import Random

import pytest

from netplay.messages.door import Answer, Choose, Join, LookAt, Notice, StartMatch
from netplay.messages.table_questions import WatchAt
from netplay.sentences import Says
from tests.netplay.joined_nodes import SMALL, Net, table

WINDOW = 2


def numbers(net: Net, name: str) -> list[int]:
    """Return the numbers of the tables in a player's list."""
    return [place.number for place in net[name].tables.places]


def told(net: Net, name: str) -> list[str]:
    pushes = [push.message for push in net[name].pushes]
    return [each.said.code for each in pushes if isinstance(each, Notice)]


def open_table(net: Net) -> None:
    net.done("ann", table("numlo", "computer", "remote", options=SMALL))
    net.settle()


def sit(net: Net) -> None:
    open_table(net)
    net.done("bob", Join("ann", -1))
    net.settle()


def play(net: Net) -> None:
    sit(net)
    net.done("ann", StartMatch())
    net.settle()


def again(net: Net) -> int:
    """Join once more from a window that looks at none; return which it sees then."""
    tables = net["bob"].tables
    tables.window_up(WINDOW)
    net.done("bob", LookAt(0), WINDOW)
    net["bob"].pushes.clear()
    net.done("bob", Join("ann", -1), WINDOW)
    net.settle()
    front = tables.places.by_number
    return next(n for n in front if tables.table_status(net.now, WINDOW) is not None)


@pytest.mark.parametrize("begin", [sit, play])
def test_who_sits_there_already_is_shown_that_table(net: Net, begin: object) -> None:
    assert callable(begin)
    begin(net)
    before, errors = numbers(net, "bob"), net["bob"].lines("error")
    assert again(net) == before[0]
    assert numbers(net, "bob") == before
    assert told(net, "bob") == [Says.TABLE_IN_HAND.name]
    assert net["bob"].lines("error") == errors
    assert net.status("ann").seats[1].name == "bob"


def test_a_second_table_of_the_host_is_another_one(net: Net) -> None:
    sit(net)
    open_table(net)
    net.done("bob", Join("ann", -1), WINDOW)
    net.settle()
    assert len(numbers(net, "bob")) == 2
    assert Says.TABLE_IN_HAND.name not in told(net, "bob")


def test_a_line_pasted_thrice_is_one_call(net: Net) -> None:
    for _ in range(3):
        net.done("bob", Join("ann", -1))
    assert len(numbers(net, "bob")) == 1
    open_table(net)
    assert len(numbers(net, "bob")) == 1
    net.done("bob", Join("elsewhere", -1))
    assert len(numbers(net, "bob")) == 2


def test_whoever_is_to_choose_is_asked_once(net: Net) -> None:
    open_table(net)
    open_table(net)
    for _ in range(3):
        net.done("bob", Join("ann", -1))
        net.settle()
    assert len(numbers(net, "bob")) == 1
    net.done("bob", Choose(1))
    net.settle()
    net.done("bob", Join("ann", -1), WINDOW)
    net.settle()
    assert len(numbers(net, "bob")) == 2, "the other table"
    for _ in range(2):
        net.done("bob", Join("ann", -1), WINDOW)
        net.settle()
    assert len(numbers(net, "bob")) == 2


def test_who_looks_on_already_asks_in_vain(net: Net) -> None:
    play(net)
    for name in ("ann", "bob"):
        net.done(name, Answer(on=True))
    for _ in range(3):
        net.done("cyd", WatchAt("ann"))
    net.settle()
    assert len(numbers(net, "cyd")) == 1
    net.done("cyd", WatchAt("ann"))
    net.settle()
    assert len(numbers(net, "cyd")) == 1
    net.done("bob", WatchAt("ann"))
    net.settle()
    assert len(numbers(net, "bob")) == 1


def test_after_the_end_somebody_may_come_for_another_game(net: Net) -> None:
    play(net)
    net.play_out(Random(1))
    open_table(net)
    net.done("bob", Join("ann", -1), WINDOW)
    net.settle()
    assert len(numbers(net, "bob")) == 2
