"""The window about other players: doubts about a name, removing, blocking."""

import pytest
from msgspec.structs import replace

from client.app.model import Model, Over
from client.pages import screen
from client.ui import texts
from client.ui.intents import Click, Key, Scroll
from client.ui.scene import find
from netplay.messages import door
from netplay.messages.node_questions import Block, KnownNode, Unblock
from netplay.messages.table_questions import Kick
from netplay.sentences import Says
from tests.client.worlds import ASKING, DOUBT, asks, base, fed, pages, status
from tests.client.worlds import texts as shown_texts

KEY = ASKING[0][0]


def named(kind: str) -> Model:
    return dict(pages(base()))[kind]


def shown(model: Model, name: str) -> str:
    node = find(screen.scene(model), name)
    return "" if node is None else node.text


@pytest.mark.parametrize("kind", ["table in doubt", "guest in doubt", "match in doubt"])
def test_a_known_name_under_another_key_is_said_beside_the_name(kind: str) -> None:
    model = named(kind)
    node = find(screen.scene(model), "seat1.state")
    assert node is not None
    assert node.fg == model.look.theme.bad
    opened = fed(model, Click("who1"))
    assert opened.over is Over.PERSON
    assert str(DOUBT) in shown(opened, "person.doubt")
    assert shown(opened, "person.key") == KEY


def test_a_known_name_under_another_key_is_said_in_the_chat_in_every_language() -> None:
    line = door.Line(Says.DOUBTFUL(name="Bert", doubt=DOUBT), "hello", 0)
    model = replace(fed(named("match in doubt"), line), notice=None)
    assert f"Bert ({DOUBT}):" in shown_texts(screen.scene(model)).replace("\n", " ")
    try:
        texts.speak("de")
        said = shown_texts(screen.scene(model))
        assert str(DOUBT) not in said.replace("\n", " ")
        assert texts.phrase(DOUBT) in said.replace("\n", " ")
    finally:
        texts.speak("en")


def test_the_host_removes_a_player_from_a_seat() -> None:
    model = named("table in doubt")
    assert asks(model, Click("who2"), Click("person.kick")) == [Kick(KEY)]
    after = fed(model, Click("who2"), Click("person.kick"))
    assert after.over is Over.NONE
    (number,) = after.asked
    told = fed(after, door.Done(number, "Bert is removed from the table"))
    assert told.notice is not None
    assert told.notice.text == str(Says.REMOVED(name="Bert"))


def test_only_a_host_before_the_start_removes_anybody() -> None:
    for kind in ("guest in doubt", "match in doubt"):
        opened = fed(named(kind), Click("who1"))
        assert find(screen.scene(opened), "person.kick") is None
        assert find(screen.scene(opened), "person.block") is not None


@pytest.mark.parametrize(
    ("kind", "button"),
    [
        ("table in doubt", "who1"),
        ("guest in doubt", "who1"),
        ("match in doubt", "who1"),
        ("watchers", f"who:{KEY}"),
    ],
)
def test_a_player_is_blocked_where_the_player_is_shown(kind: str, button: str) -> None:
    model = named(kind)
    assert asks(model, Click(button), Click("person.block")) == [Block(KEY)]
    assert fed(model, Click(button), Key("escape")).over is Over.NONE


@pytest.mark.parametrize("kind", ["guest in doubt", "match in doubt"])
def test_who_is_blocked_is_unblocked_where_the_player_is_shown(kind: str) -> None:
    model = named(kind)
    assert model.status is not None
    table = model.status.table
    assert table is not None
    shut = [replace(s, state="blocked") if s.key else s for s in table.seats]
    table = replace(table, seats=tuple(shut))
    model = replace(model, status=replace(model.status, table=table))
    opened = fed(model, Click("who1"))
    assert find(screen.scene(opened), "person.block") is None
    assert asks(opened, Click("person.unblock")) == [Unblock(KEY)]
    assert fed(opened, Click("person.unblock")).over is Over.NONE


def test_somebody_nearby_is_blocked_before_they_ever_come() -> None:
    model = fed(named("nearby in doubt"), Click("near:KEY-Bert"))
    assert asks(model, Click("who.near"), Click("person.block")) == [Block("KEY-Bert")]


def test_nobody_is_asked_about_themselves_or_a_computer_or_an_empty_seat() -> None:
    assert find(screen.scene(named("table")), "who0") is None
    assert find(screen.scene(named("table")), "who1") is None


KNOWN = (
    KnownNode("Bert", "B-KEY", (), ()),
    KnownNode("Eve", "E-KEY", (), (), blocked=True),
)


def test_players_are_blocked_and_unblocked_on_a_page() -> None:
    model = replace(fed(base(), status()), over=Over.CONNECTION, known=KNOWN)
    model = fed(model, Scroll("connection.list", 400))
    dropped = fed(model, Click("set.block"))
    assert "Bert B-KEY" in shown_texts(screen.scene(dropped))
    assert "Eve E-KEY" not in shown_texts(screen.scene(dropped))
    assert asks(dropped, Click("set.block:0")) == [Block("B-KEY")]
    dropped = fed(model, Click("set.unblock"))
    assert "Eve E-KEY" in shown_texts(screen.scene(dropped))
    assert asks(dropped, Click("set.unblock:0")) == [Unblock("E-KEY")]
