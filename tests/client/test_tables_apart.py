"""One table after the other: names, chat and notices stay where they belong.

Each window here looks at the tables of a node in memory; two nodes talk to each other.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from client.app.model import Ask, Model, Over, Page, tell
from client.pages import play, screen
from client.pages.unfinished import of_line
from client.ui.intents import Click, Focus, Key, Scroll, Slide, Text
from client.ui.scene import find, walk
from client.update import Cut, Linked, Tick
from netplay.language import sentence
from netplay.messages import door
from netplay.messages.door import Answer, Say
from netplay.messages.table_questions import StandIn
from netplay.sentences import Says
from tests.client.clicking import update
from tests.client.worlds import (
    base,
    fed,
    networdz,
    playing,
    seat,
    status,
    table,
    texts,
    view,
)
from tests.netplay.joined_nodes import Net

SMALL = (("size", "8"), ("values", "off"), ("start", "othello"))


class Seated:
    """A window at one of the nodes."""

    def __init__(self, net: Net, name: str) -> None:
        self.net, self.name = net, name
        self.model: Model = base()
        self.heard = 0
        self.look()

    def take(self, event: Any) -> None:
        self.model, effects = update(self.model, event)
        for effect in effects:
            if isinstance(effect, Ask):
                tables = self.net[self.name].tables
                self.take(tables.ask(1, effect.request, self.net.now))

    def look(self) -> None:
        """Hear what the node tells its windows."""
        self.net.settle()
        node = self.net[self.name]
        pushes, self.heard = node.pushes[self.heard :], len(node.pushes)
        for push in pushes:
            self.take(push.message)
        table = node.tables.table_status(self.net.now)
        self.take(status(name=self.name, mode=node.tables.mode(), table=table))

    def click(self, *names: str) -> None:
        for name in names:
            self.take(Click(name))
            self.look()

    def say(self, text: str) -> None:
        if self.model.over is not Over.NONE:
            self.take(Key("escape"))  # the card with the result
        self.take(Focus("field.chat"))
        self.take(Text(text))
        self.model, effects = update(self.model, Key("enter"))
        for effect in effects:
            if isinstance(effect, Ask):
                node = self.net[self.name]
                self.take(node.tables.ask(1, effect.request, self.net.now))
        self.look()

    def said(self) -> list[str]:
        lines = self.model.chat.lines
        return [line.text for line in lines if isinstance(line, door.Line)]

    def names(self) -> list[str]:
        assert self.model.table is not None
        return [seat.name for seat in self.model.table.seats]


@pytest.fixture
def net() -> Iterator[Net]:
    one = Net("Anna", "Ben")
    yield one
    one.close()


def both(net: Net, first: Seated, second: Seated) -> None:
    for _ in range(3):
        first.look()
        second.look()


def once(net: Net) -> tuple[Seated, Seated]:
    """Let Anna and Ben play a match to its end."""
    anna, ben = Seated(net, "Anna"), Seated(net, "Ben")
    for name in ("Anna", "Ben"):
        net.done(name, StandIn(40))
    net.done("Ben", Answer(on=True))
    terms = door.HostTable("numlo", ("person", "remote:Ben"), SMALL, "", "")
    net.done("Anna", terms)
    both(net, anna, ben)
    anna.click("start")
    net.play_out(Random(1))
    both(net, anna, ben)
    return anna, ben


def played(net: Net) -> tuple[Seated, Seated]:
    """Let Anna and Ben play a match to its end and a rematch after it."""
    anna, ben = once(net)
    anna.click("rematch")
    ben.click("rematch")
    both(net, anna, ben)
    assert anna.names() == ["Ben", "Anna"]
    net.play_out(Random(2))
    both(net, anna, ben)
    return anna, ben


def test_after_a_rematch_everybody_keeps_their_own_name(net: Net) -> None:
    anna, ben = played(net)
    for window, other in ((anna, ben), (ben, anna)):
        window.click("home")
        window.click("open")
        assert window.names()[0] == window.name
        assert other.name not in window.names()
        window.click("leave", "leave.stop")


def test_the_start_page_drops_no_wish_for_a_rematch(net: Net) -> None:
    anna, ben = once(net)
    ben.click("rematch")
    both(net, anna, ben)
    anna.click("home")
    assert anna.model.page is Page.START
    [row] = net["Anna"].tables.games(net.now)
    listed = fed(base(), status(games=(row,)))
    assert str(Says.WOULD_REMATCH(name="Ben")) in texts(screen.scene(listed))
    assert net["Ben"].tables.games(net.now)[0].rematch == ()


@pytest.mark.parametrize("pause", [60, 0])
def test_what_was_said_at_one_table_is_not_read_at_the_next(
    net: Net, pause: int
) -> None:
    anna, ben = played(net)
    line = "only for Ben"
    anna.say(line)
    ben.look()
    assert line in ben.said()
    for window in (anna, ben):
        window.click("home")
        window.take(Tick(window.model.now + pause))
        window.click("play")
        assert window.model.over is Over.NONE
        assert window.model.table is not None
        assert window.said() == []


def test_what_was_said_alone_with_a_computer_is_there_when_the_game_goes_on(
    net: Net,
) -> None:
    net["Anna"].tables.window_up(1)
    anna = Seated(net, "Anna")
    net.done("Anna", door.HostTable("numlo", ("person", "computer"), SMALL, "", ""))
    anna.look()
    anna.click("start")
    anna.say("six")
    for _ in range(2):
        net.done("Anna", door.LeaveTable())
        anna.look()
        assert anna.model.table is None
        net.done("Anna", door.Load(""))
        anna.look()
        assert anna.said() == ["six"]


def test_a_rematch_goes_on_with_the_same_talk(net: Net) -> None:
    anna, ben = once(net)
    ben.say("again?")
    anna.click("rematch")
    ben.click("rematch")
    both(net, anna, ben)
    assert "again?" in anna.said()


def test_what_was_heard_before_a_rematch_is_not_said_to_lie_about(net: Net) -> None:
    anna, ben = once(net)
    anna.say("well played")
    both(net, anna, ben)
    anna.click("rematch")
    ben.click("rematch")
    both(net, anna, ben)
    net.part("Anna", "Ben")
    anna.look()
    anna.say("are you there?")
    assert anna.model.table is not None
    assert [seat.state for seat in anna.model.table.seats] == ["away", "here"]
    lines = [line for line in anna.model.chat.lines if isinstance(line, door.Line)]
    told = {line.text: of_line(anna.model, line) for line in lines}
    assert told["well played"] == ""
    assert told["are you there?"] != ""


def test_a_node_that_comes_back_does_not_double_what_was_said(net: Net) -> None:
    anna, ben = Seated(net, "Anna"), Seated(net, "Ben")
    net.done("Ben", Answer(on=True))
    net.done("Anna", door.HostTable("numlo", ("person", "remote:Ben"), SMALL, "", ""))
    both(net, anna, ben)
    anna.click("start")
    both(net, anna, ben)
    net.done("Anna", Say("hello"))
    both(net, anna, ben)
    assert ben.said().count("hello") == 1
    ben.take(Cut("the node has died"))
    ben.take(Linked())
    net["Ben"].chat.recall(1)
    ben.look()
    assert ben.said().count("hello") == 1


def test_nothing_of_a_table_that_was_left_is_told_at_the_next(net: Net) -> None:
    anna = Seated(net, "Anna")
    anna.click("play")
    assert anna.model.page is Page.MATCH
    anna.click("leave", "leave.stop")
    assert anna.model.page is Page.START
    assert anna.model.notice is None  # the page shows it
    anna.take(Tick(anna.model.now + 1.0))
    anna.model = tell(anna.model, "calling 192.0.2.2")
    anna.take(Tick(anna.model.now + 3.0))
    anna.click("play")
    assert anna.model.page is Page.MATCH
    assert anna.model.notice is None


def test_the_level_of_the_computers_outlasts_a_table_without_any(net: Net) -> None:
    anna = Seated(net, "Anna")
    anna.take(Slide("skill", 0.8))
    anna.click("open")
    assert anna.model.page is Page.TABLE
    anna.click("leave", "leave.stop")
    assert anna.model.page is Page.START
    assert anna.model.setup.draft.seats[1].skill == 80
    anna.click("play")
    assert anna.model.table is not None
    assert [seat.skill for seat in anna.model.table.seats] == [0, 80]


def test_a_wish_for_a_rematch_is_told_once(net: Net) -> None:
    anna, ben = once(net)
    anna.click("rematch")
    both(net, anna, ben)
    assert ben.model.page is Page.MATCH
    assert (
        play.instruction(ben.model).count(sentence(Says.WOULD_REMATCH(name="Anna")))
        == 1
    )
    assert anna.model.page is Page.TABLE, "it is seen there what is proposed"
    told = ben.model.notice
    ben.click("rematch")
    both(net, anna, ben)
    assert (anna.model.notice, ben.model.notice) == (None, told), "it is seen anyway"


def test_leaving_a_game_with_days_is_asked_about_in_other_words(net: Net) -> None:
    anna = Seated(net, "Anna")
    anna.click("play", "leave")
    anna.click("leave.stop")
    net.done("Ben", Answer(on=True))
    terms = door.HostTable("numlo", ("person", "remote:Ben"), SMALL, "", "")
    net.done("Anna", terms)
    both(net, anna, Seated(net, "Ben"))
    anna.click("start", "leave")
    stops, seen = screen.scene(anna.model), anna.model.table
    assert seen is not None
    seen = replace(seen, thinking=door.Thinking(3))
    told = screen.scene(fed(anna.model, status(table=seen)))
    asked, before = find(told, "leave.ask"), find(stops, "leave.ask")
    assert asked is not None
    assert before is not None
    assert texts(asked) != texts(before), "days run on"
    assert find(asked, "leave.resign") is not None


def test_of_two_tables_each_has_its_own_talk() -> None:
    def said(model: Model) -> list[str]:
        return [each.text for each in model.chat.lines if isinstance(each, door.Line)]

    first = fed(base(), status(table=table(number=1)))
    talked = fed(first, door.Line("Ben", "here", 0, table=1))
    assert said(talked) == ["here"]
    assert said(fed(talked, status(table=table(number=2)))) == []
    early = fed(talked, door.Line("Carla", "there", 0, table=2))
    assert said(fed(early, status(table=table(number=2)))) == ["there"]


def moves_seen(model: Model) -> list[int]:
    names = (node.name.split(":") for node in walk(screen.scene(model)))
    return sorted(int(name[1]) for name in names if name[0] == "move")


def test_at_another_table_the_lists_are_not_scrolled() -> None:
    """The rules begin with the game, and the moves end with the latest."""
    forming = table(number=1, hosting=True)
    rules = fed(base((800, 500)), status(table=forming), Click("rules"))
    down = fed(rules, Scroll("options", 200))
    assert find(screen.scene(down), "game") is None
    there = fed(down, status(table=replace(forming, number=2)), Click("rules"))
    assert find(screen.scene(there), "game") is not None

    state, past = networdz(2, 40)
    first = replace(playing(state, 2), number=1)
    at = fed(base((800, 500)), status(table=first), view(state, past, 0))
    at_end = moves_seen(at)
    up = fed(at, Scroll("moves", 0))
    assert moves_seen(up)[-1] < at_end[0]
    second = replace(first, number=2, match=b"2")
    again = fed(up, status(table=second), status(table=first), view(state, past, 0))
    assert moves_seen(again) == at_end


def test_what_was_said_before_a_game_is_not_said_once_it_has_begun() -> None:
    state, past = networdz(2, 0)
    begun = playing(state, 2)
    seats = (seat("Anna"), seat("Bert", "remote"))
    before = fed(base(), status(table=table(number=begun.number, seats=seats)))
    agreed = tell(before, "Hark")
    assert "Hark" in texts(screen.scene(agreed))
    on = fed(agreed, status(table=begun), view(state, past, 0))
    assert on.match is not None
    assert "Hark" not in texts(screen.scene(on))
