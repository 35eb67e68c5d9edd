"""Notices of security releases: the preferences name the place, and end the looking."""

from client.app.model import Model, Over
from client.pages import screen
from client.ui.intents import Click, Focus, Key, Text
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.node_questions import LookForNews
from netplay.sentences import Says
from tests.client.worlds import asks, base, fed, status, texts
from tests.said import says

PLACE = "https://example.org/netplay/news"


def preferences(news: str = "") -> Model:
    return fed(base((1280, 2400)), status(news=news), Click("preferences"))


def test_a_place_is_named_in_the_preferences_and_asked_for_once() -> None:
    model = preferences()
    assert asks(model, Click("set.news")) == []
    model = fed(model, Click("set.news"))
    assert model.over is Over.NEWS
    assert asks(model, Click("news.yes"), Key("enter")) == []

    model = fed(model, Focus("field.news"), Text(PLACE))
    assert asks(model, Click("news.yes")) == [LookForNews(PLACE)]
    assert asks(model, Key("enter"), Key("enter")) == [LookForNews(PLACE)]

    model = fed(model, Click("news.yes"))
    number = max(model.asked)
    refused = fed(model, door.failed(number, LocalError(Code.FILE, Says.NEWS_FORGED())))
    assert refused.over is Over.NEWS
    assert says(texts(screen.scene(refused)), Says.NEWS_FORGED)
    done = fed(model, door.Done(number, Says.NEWS_NOTHING(day="2026-12-24")))
    assert done.over is Over.NONE
    assert "2026-12-24" in texts(screen.scene(done))


def test_the_same_box_ends_it() -> None:
    model = preferences(PLACE)
    assert PLACE in texts(screen.scene(model))
    assert asks(model, Click("set.news")) == [LookForNews("")]
    assert fed(model, Click("set.news")).over is Over.PREFERENCES


def test_escape_asks_nothing_and_forgets_what_was_typed() -> None:
    model = fed(preferences(), Click("set.news"), Focus("field.news"), Text(PLACE))
    assert asks(model, Key("escape")) == []
    model = fed(model, Key("escape"))
    assert model.over is Over.NONE
