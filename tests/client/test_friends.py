"""Friends on the start page: how they are, head to head, and a challenge by a click."""

from typing import Any

from msgspec.structs import replace

from client.app.model import Kind, Page, Store
from client.app.settings import Rules
from client.pages import screen
from client.ui.intents import Click
from client.ui.scene import find
from client.update import update
from netplay import wire
from netplay.messages import door
from netplay.messages.node_questions import Forget, PeerStatus
from netplay.messages.table_questions import (
    Finished,
    FinishedMatches,
    Friend,
    GetFinished,
)
from tests.client.listed import game
from tests.client.worlds import asks, base, fed, seat, status, table, texts

FRIENDS = (("Zoë", "ZZZZ-KEY"), ("Bert", "BBBB-KEY"), ("Carla", "CCCC-KEY"))
PEERS = (
    PeerStatus("Bert", "BBBB-KEY", "192.0.2.2:4770", connected=True, since=9),
    PeerStatus("Carla", "CCCC-KEY", "192.0.2.3:4770", connected=False, since=7300),
)


def won(number: int, result: Any, name: str = "lhexicon") -> Finished:
    return Finished(
        match=bytes([number]) * 32, path="", game=name, players=("Anna", "Bert"),
        places=(1, 2), scores=(), own=(0,), friends=(Friend("BBBB-KEY", "Bert"),),
        result=result, at=number,
    )  # fmt: skip


def at_start(**changes: Any) -> Any:
    model = fed(base(), status(friends=FRIENDS, peers=PEERS, **changes))
    wanted = next(n for n, what in model.asked.items() if what == "finished.heads")
    found = (won(3, "won"), won(2, "lost", "numlo"), won(1, "won"))
    page = FinishedMatches(found, 3, more=False)
    return fed(model, door.Done(wanted, data=wire.pack(page)))


def test_friends_stand_by_name_with_how_they_are_and_head_to_head() -> None:
    shown = texts(screen.scene(at_start()))
    assert shown.index("Bert") < shown.index("Carla") < shown.index("Zoë")
    assert "Bert, awake, 2 : 1" in shown
    assert "Carla, asleep for 2 h" in shown
    assert "Zoë, asleep" in shown
    for secret in ("192.0.2.2", "BBBB-KEY"):
        assert secret not in shown


def test_games_with_friends_are_counted_once_and_again_when_one_is_over() -> None:
    first = status(friends=FRIENDS)
    assert asks(base(), first) == [GetFinished()]
    model = at_start()
    assert asks(model, status(friends=FRIENDS)) == []
    over = game(1, "numlo", phase="over", turn=(), match=b"")
    assert asks(model, status(friends=FRIENDS, games=(over,))) == [GetFinished()]


def test_a_click_challenges_to_the_game_of_last_time() -> None:
    (terms,) = asks(at_start(), Click("challenge:0"))
    assert isinstance(terms, door.HostTable)
    assert (terms.game, terms.seats) == ("lhexicon", ("person", "remote:BBBB-KEY Bert"))
    assert fed(at_start(), Click("challenge:0")).page is Page.TABLE


def test_the_rules_of_the_last_game_with_a_friend_are_taken_again() -> None:
    model = at_start()
    rules = Rules("networdz", (("timed", "5"),), days=0)
    own = replace(model.settings, rules=(("CCCC-KEY", rules),))
    (terms,) = asks(replace(model, settings=own), Click("challenge:1"))
    assert (terms.game, terms.options) == ("networdz", (("timed", "5"),))


def test_the_rules_are_remembered_when_a_match_begins_with_a_friend() -> None:
    seats = (seat("Anna"), replace(seat("Bert", "remote"), key="BBBB-KEY"))
    forming = table(waiting="", seats=seats)
    model = fed(base(), status(table=forming))
    assert [each.kind for each in model.draft.taken] == [Kind.PERSON, Kind.REMOTE]
    begun = replace(forming, match=bytes(32), phase="playing")
    model, effects = update(model, status(table=begun))
    assert Store() in effects
    assert [key for key, _rules in model.settings.rules] == ["BBBB-KEY"]
    assert dict(model.settings.rules)["BBBB-KEY"].game == forming.game


def test_who_a_friend_is_stands_behind_the_name_with_forget_and_block() -> None:
    model = fed(at_start(), Click("friend:1"))
    assert find(screen.scene(model), "person.block") is not None
    assert asks(model, Click("person.forget")) == [Forget("CCCC-KEY")]
