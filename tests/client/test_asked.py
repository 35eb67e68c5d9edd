"""The window of somebody who asks a friend that is asleep."""

from msgspec.structs import replace

from client.app.model import Model, Page
from client.pages import bar, screen
from client.ui.intents import Click
from client.ui.scene import find
from client.ui.texts import phrase
from netplay.messages import door
from netplay.messages.table_questions import AskedState, GameStatus
from netplay.said import Said, listed
from netplay.sentences import Says
from netplay.text import phrases
from tests.client.worlds import asks, base, fed, seat, status, table, texts

KEY = "ABCD-EFGH-IJKL-MNOP-QRST"


def at_table(asked: AskedState = "") -> Model:
    """Return a window with a table whose second seat is kept for somebody."""
    remote = seat("Bert", "remote", state="awaited", address=KEY, accepted=False)
    seats = (seat("Anna"), replace(remote, asked=asked))
    shown = status(table=table(seats=seats), friends=(("Bert", KEY),))
    return fed(base(), shown)


def test_a_friend_is_chosen_from_the_list_beside_the_seat() -> None:
    model = at_table()
    assert model.page is Page.TABLE
    opened = fed(model, Click("recent1"))
    shown = texts(screen.scene(opened))
    assert "recent1:0\n\nBert" in shown
    assert KEY not in shown, "people, not keys"

    [change] = asks(opened, Click("recent1:0"))

    assert change.table.seats[1] == f"remote:{KEY} Bert"


def test_the_table_says_how_far_the_friend_was_asked() -> None:
    assert "asked, not delivered yet" in texts(screen.scene(at_table("undelivered")))
    assert "asked, no answer yet" in texts(screen.scene(at_table("unanswered")))
    assert "asked, a friend keeps it" in texts(screen.scene(at_table("left")))
    declined = texts(screen.scene(at_table("declined")))
    assert "does not play now" in declined
    assert "says yes" not in declined
    full = texts(screen.scene(at_table("full")))
    assert phrases.asked("full") in full
    assert phrases.asked("declined") not in full


def test_a_table_that_waits_for_a_friend_and_anybody_names_the_friend_alone() -> None:
    """Whoever comes by the invitation has no name that a list could have."""
    free = Says.SOMEBODY_TO_JOIN()
    model = at_table("unanswered")
    there = model.table
    assert there is not None
    third = replace(there.seats[1], name="", key="", address="", asked="")
    more = replace(there, seats=(*there.seats, third), waiting=listed(["Bert", free]))
    start = find(screen.scene(fed(model, status(table=more))), "start")
    assert start is not None
    assert "Bert" in start.text
    assert phrase(free) not in start.text


def test_the_list_of_games_says_it_too() -> None:
    one = GameStatus(
        table=3, match=b"", mode="hosting", phase="forming", game="numlo",
        players=("Anna", "Bert"), turn=(), mine=False, since=60, clock=-1, unread=0,
        undelivered=False, away=(), asked="undelivered",
    )  # fmt: skip
    model = fed(base(), status(games=(one, replace(one, table=4, asked="unanswered"))))

    said = texts(screen.scene(model))

    assert "Asked, not delivered yet" in said
    assert "Asked, no answer yet" in said


def test_the_list_says_for_whom_a_table_waits_to_which_nobody_has_come() -> None:
    one = GameStatus(
        table=3, match=b"", mode="hosting", phase="forming", game="numlo",
        players=("Anna", ""), turn=(), mine=False, since=60, clock=-1, unread=0,
        undelivered=False, away=(), own=(0,), asked="undelivered",
        waiting=f"netplay:10.0.0.7:4770,[::1]:4770#{KEY}",
    )  # fmt: skip
    root = screen.scene(fed(base(), status(games=(one,))))
    found = find(root, "in-hand:3")
    assert found is not None
    assert found.value == "10.0.0.7:4770, Asked, not delivered yet, Numlo · for 1 min"


def test_what_went_wrong_at_a_table_stays_there() -> None:
    error = door.Notice("error", Said("there is no answer at that address"), 0)
    model = fed(at_table("undelivered"), error)
    assert model.fault is not None
    assert fed(model, Click("games", means=bar.Games())).fault is None
