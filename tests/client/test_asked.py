"""The window of somebody who asks a friend that is asleep."""

from msgspec.structs import replace

from client.app.model import Page
from client.pages import bar, screen
from client.ui.intents import Click
from client.ui.scene import find
from client.ui.texts import phrase
from netplay.messages import door
from netplay.said import Said, listed
from netplay.sentences import Says
from tests.client.before import KEY, with_friend
from tests.client.worlds import asks, fed, status, texts


def test_a_friend_is_chosen_from_the_list_beside_the_seat() -> None:
    model = with_friend()
    assert model.page is Page.TABLE
    opened = fed(model, Click("recent1"))
    shown = texts(screen.scene(opened))
    assert "recent1:0\n\nBert" in shown
    assert KEY not in shown, "people, not keys"

    [change] = asks(opened, Click("recent1:0"))

    assert change.table.seats[1] == f"remote:{KEY} Bert"


def test_a_table_that_waits_for_a_friend_and_anybody_names_the_friend_alone() -> None:
    """Whoever comes by the invitation has no name that a list could have."""
    free = Says.SOMEBODY_TO_JOIN()
    model = with_friend("unanswered")
    there = model.table
    assert there is not None
    third = replace(there.seats[1], name="", key="", address="", asked="")
    more = replace(there, seats=(*there.seats, third), waiting=listed(["Bert", free]))
    start = find(screen.scene(fed(model, status(table=more))), "start")
    assert start is not None
    assert "Bert" in start.text
    assert phrase(free) not in start.text


def test_what_went_wrong_at_a_table_stays_there() -> None:
    error = door.Notice("error", Said("there is no answer at that address"), 0)
    model = fed(with_friend("undelivered"), error)
    assert model.fault is not None
    assert fed(model, Click("games", means=bar.Games())).fault is None
