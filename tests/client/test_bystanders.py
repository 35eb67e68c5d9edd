"""The window about bystanders: asking, agreeing, ending, and watching oneself."""

from functools import lru_cache

import pytest
from msgspec.structs import replace

from client.app.model import Ask, Model, Over
from client.pages import screen
from client.ui.hand import Edit
from client.ui.intents import Click, Key, Scroll
from client.ui.scene import Node, find
from netplay.messages import door
from netplay.messages.table_questions import AnswerWatcher, LetWatch, WatchAt
from netplay.sentences import Says
from tests.client import crowded_matches, worlds
from tests.client.clicking import update
from tests.said import says

KEY = worlds.ASKING[0][0]


@lru_cache
def pages() -> dict[str, Model]:
    return dict(worlds.pages(worlds.base()))


@lru_cache
def full() -> dict[str, Model]:
    here = crowded_matches.at(worlds.base((800, 500)), "networdz")
    return dict(crowded_matches.moments(here, "networdz"))


def named(kind: str) -> Model:
    return pages()[kind]


def asked(model: Model, name: str) -> door.Question:
    _model, effects = update(model, Click(name))
    (ask,) = [effect for effect in effects if isinstance(effect, Ask)]
    return ask.request.ask


def node(model: Model, name: str) -> Node:
    found = find(screen.scene(model), name)
    assert found is not None, name
    return found


def told(model: Model) -> str:
    """Return what the instructions say."""
    return node(model, "instructions").value or node(model, "instructions").text


def shown(model: Model, name: str) -> str:
    node = find(screen.scene(model), name)
    return "" if node is None else node.text


def test_whoever_asks_to_watch_is_answered_beside_the_board() -> None:
    model = named("asked to be watched")
    assert says(told(model), Says.WOULD_WATCH, name="Dora")
    assert find(screen.scene(model), "board") is not None  # the match goes on
    assert asked(model, f"allow:{KEY}") == AnswerWatcher(allow=True, whom=KEY)
    assert asked(model, f"refuse:{KEY}") == AnswerWatcher(allow=False, whom=KEY)


@pytest.mark.parametrize("tab", range(4))
def test_bystanders_are_told_of_on_every_tab_of_the_smallest_window(tab: int) -> None:
    asking, watched = full()["asked"], full()["watched"]
    for model in (asking, watched):
        at = replace(model, scrolls={**model.scrolls, "side": tab})
        eye, lower = node(at, "watchers"), node(at, "lower")
        assert lower.rect.holds(eye.rect)
        assert eye.live
        assert worlds.fed(at, Click("watchers")).over is Over.WATCHERS
        if tab == 0:  # the chat stays
            assert node(at, "field.chat").live
    assert node(asking, f"allow:{KEY}").live
    assert node(asking, f"refuse:{KEY}").live


def test_of_a_crowd_a_few_are_named_and_the_others_counted() -> None:
    model = named("asked to be watched")
    assert model.table is not None
    names = (*(f"W{n}" for n in range(12)), Says.MORE_WATCH(count=188))
    crowd = replace(model.table, watchers=names, watched=200, asking=())
    model = worlds.fed(model, worlds.status(table=crowd), Click("watchers"))
    assert node(model, "watchers").value == "Bystanders: 200"
    model = worlds.fed(model, Scroll("watchers.list", 1000))
    listed = find(screen.scene(model), "watchers.list")
    assert listed is not None
    assert any(
        leaf.text == "188 more" for row in listed.kids for leaf in (row, *row.kids)
    )
    assert find(screen.scene(model), "refuse:W11") is not None
    assert find(screen.scene(model), "refuse:188 more") is None


def test_that_one_more_would_like_to_watch_is_seen_beside_how_many_do() -> None:
    model = named("asked to be watched")
    assert model.table is not None

    def eye(**changes: object) -> list[str]:
        shown = worlds.status(table=replace(model.table, **changes))
        return [kid.text for kid in node(worlds.fed(model, shown), "watchers").kids]

    asking = ((KEY, "Dora"),)
    assert "2?" in eye(watchers=("A", "B"), watched=2, asking=asking)
    assert "2" in eye(watchers=("A", "B"), watched=2, asking=())
    assert "?" in eye(watchers=(), watched=0, asking=asking)


def test_the_players_see_who_watches_and_may_end_it() -> None:
    model = named("asked to be watched")
    assert model.table is not None
    calm = worlds.fed(model, worlds.status(table=replace(model.table, asking=())))
    assert node(calm, "watchers").value == "Bystanders: 1"
    assert worlds.fed(calm, Click("watchers")).over is Over.WATCHERS
    open_ = named("watchers")
    assert open_.over is Over.WATCHERS
    assert asked(open_, "refuse:Charlie") == AnswerWatcher(allow=False, whom="Charlie")
    assert open_.table is not None
    charlie = Says.DOUBTFUL(name="Charlie", doubt=Says.HOST_AWAY())
    table = replace(open_.table, watchers=(charlie,))
    doubted = worlds.fed(open_, worlds.status(table=table))
    end = AnswerWatcher(allow=False, whom="Charlie")
    assert asked(doubted, "refuse:Charlie") == end
    assert asked(open_, f"allow:{KEY}") == AnswerWatcher(allow=True, whom=KEY)
    dropped = worlds.fed(open_, Click("watchers.admission"))
    assert asked(dropped, "watchers.admission:2") == LetWatch("nobody")
    assert worlds.fed(dropped, Click("watchers.admission")).open == ""
    assert worlds.fed(open_, Key("escape", down=False)).over is Over.WATCHERS
    assert worlds.fed(open_, Key("escape")).over is Over.NONE


def test_a_bystander_sees_the_match_and_has_no_say() -> None:
    model = named("bystander")
    root = screen.scene(model)
    assert find(root, "field.chat") is None
    assert find(root, "watchers") is None
    assert shown(model, "chat.none")
    leave = worlds.fed(model, Click("leave"))
    assert find(screen.scene(leave), "leave.resign") is None
    assert model.table is not None
    over = replace(model.table, phase="over", places=(1, 2))
    root = screen.scene(worlds.fed(model, worlds.status(table=over)))
    assert find(root, "rematch") is None
    assert find(root, "home") is not None


def test_a_match_found_nearby_that_is_in_play_is_watched() -> None:
    model = named("start")
    assert "playing" in worlds.texts(screen.scene(model))
    free = worlds.fed(model, Click("near:KEY-Bert"))
    assert shown(free, "join.near") == "Join"
    taken = worlds.fed(model, Click("near:KEY-Emil"))
    assert shown(taken, "join.near") == "Watch"
    assert asked(taken, "join.near") == WatchAt("netplay:10.0.0.4:7777#Emil")


def test_a_typed_address_is_joined_or_watched_at() -> None:
    model = named("start")
    model = replace(model, edits={"field.address": Edit("there:1 a friend", 5, 5)})
    assert asked(model, "watch.address") == WatchAt("there:1")
    assert asked(model, "join.address") == door.Join("there:1")
    done, _ = update(model, Click("watch.address"))
    assert done.settings.recent[0] == "there:1 a friend"


def test_the_host_says_at_the_table_who_may_watch() -> None:
    model = worlds.fed(named("table"), Click("bystanders"))
    assert model.open == "bystanders"
    table = asked(model, "bystanders:2")
    assert isinstance(table, door.ChangeTable)
    assert table.table.bystanders == "nobody"
    guest = worlds.fed(named("guest"), Click("rules"), Scroll("options", 400))
    assert worlds.fed(guest, Click("bystanders")).open == ""
