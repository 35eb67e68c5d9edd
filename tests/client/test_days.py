"""Days to think in the window: the choice, what is left, and the claim."""

import pytest
from msgspec.structs import replace

from client.app.drafts import Draft, Kind, SeatDraft
from client.app.model import Model, Play
from client.cues import changed
from client.pages import agreeing, games, play, screen
from client.ui.intents import Click
from client.ui.scene import find
from client.ui.sound import Sound
from netplay.messages import door
from netplay.messages.door import Thinking
from netplay.messages.table import Days
from netplay.messages.table_questions import ClaimTime
from netplay.sentences import Says
from tests.client.crowded import LONG
from tests.client.during import at_table
from tests.client.lettering import shown
from tests.client.listed import game
from tests.client.worlds import asks, base, fed, in_match, seat, status, table, texts


def forming(name: str = "numlo", count: Days = 3) -> Model:
    """Return a host that forms a table with a friend."""
    seats = (seat("Anna", "person"), seat("Bert", "remote"))
    own = table(name, hosting=True, seats=seats, thinking=Thinking(count))
    return fed(base(), status(table=own))


def playing(now: Thinking) -> Model:
    model = at_table(2)
    assert model.table is not None
    return fed(model, status(table=replace(model.table, thinking=now)))


def test_a_host_chooses_the_days_and_the_node_is_told() -> None:
    model = forming(count=0)
    opened = fed(model, Click("rules"), Click("days"))
    assert opened.open == "days"
    (asked,) = asks(opened, Click("days:3"))
    assert isinstance(asked, door.ChangeTable)
    assert asked.table.days == 3


def test_there_are_no_days_where_there_are_no_turns_or_nobody_elsewhere() -> None:
    remote = SeatDraft(Kind.REMOTE)
    assert Draft("numlo", (SeatDraft(Kind.PERSON), remote), days=5).terms.days == 5
    assert Draft("hexcolumns", (SeatDraft(Kind.PERSON), remote), days=5).terms.days == 0
    assert Draft("numlo", (SeatDraft(Kind.PERSON),) * 2, days=5).terms.days == 0
    assert (
        find(screen.scene(fed(forming("hexcolumns", 0), Click("rules"))), "days")
        is None
    )


@pytest.mark.parametrize(
    ("now", "words", "button"),
    [
        (Thinking(3, 2 * 86_400 + 5), "2 days left", ""),
        (Thinking(3, 7300), "2 h left", ""),
        (Thinking(3, 59), "1 min left", ""),
        (Thinking(3, -5), "time is over", ""),
        (Thinking(3, -5, "may"), "time is over", "Let the turn pass"),
        (Thinking(3, -5, "may", ends=True), "time is over", "Claim the game"),
        (Thinking(3, -5, "made", ends=True), "Won on time, unanswered", ""),
        (Thinking(3, -5, "made"), "Claimed, unanswered", ""),
    ],
)
def test_what_is_left_is_said_and_the_button_is_there_when_it_may_be_claimed(
    now: Thinking, words: str, button: str
) -> None:
    model = playing(now)
    assert model.table is not None
    assert agreeing.note(model.table) == words
    assert words in texts(screen.scene(model))
    found = find(screen.scene(model), agreeing.CLAIM)
    assert (found.text if found else "") == button
    if button:
        assert asks(model, Click(agreeing.CLAIM)) == [ClaimTime()]


def test_a_turn_whose_tiles_are_owed_is_nobodys_and_waits_for_them() -> None:
    owed = Says.TILES_FROM(names="Bert")
    rests = game(1, "networdz", phase="paused", turn=(0,), waiting=owed)
    unheard = game(2, "networdz", phase="paused", turn=(0,), waiting="Dora")
    theirs = game(3, "networdz", phase="paused", turn=(1,), waiting="Bert")
    assert [str(owed) in games.turn(one) for one in (rests, unheard)] == [True, False]
    assert "Dora" in games.turn(unheard)
    assert not any("Anna" in games.turn(one) for one in (rests, unheard, theirs))


def test_a_turn_sounds_once_it_can_be_made() -> None:
    model = in_match(base(), "networdz", 2, 5)
    assert model.table is not None
    theirs = replace(model.table, turn=(1,))
    owed = Says.TILES_FROM(names="Bert")
    down = replace(theirs, turn=(0,), phase="paused", waiting=owed)
    assert changed(model, theirs, down) == ()
    assert changed(model, theirs, replace(down, phase="playing", face_down=(0,))) == ()
    heard = changed(model, down, replace(down, phase="playing", waiting=""))
    assert Sound.TURN in [one.sound for one in heard if isinstance(one, Play)]


def test_it_is_nobodys_turn_while_its_tiles_are_late() -> None:
    model = in_match(base(), "networdz", 2, 5)
    assert model.table is not None
    owed = Says.TILES_FROM(names="Bert")
    down = replace(model.table, turn=(0,), face_down=(0,), waiting=owed)
    ready = replace(down, face_down=(), waiting="")
    rests = replace(ready, phase="paused", waiting="Bert")
    late, waits, own = (fed(model, status(table=one)) for one in (down, rests, ready))
    assert play.headline(late) == play.headline(waits) != play.headline(own)
    # On the card of who is on turn, too.
    told = texts(screen.scene(late))
    assert play.headline(own) not in told
    assert play.headline(own) in texts(screen.scene(own))
    assert str(owed) in " ".join(told.split())


@pytest.mark.parametrize("size", [(800, 500), (640, 400), (480, 853), (1280, 800)])
@pytest.mark.parametrize("name", ["networdz", "numlo", "hexagrams"])
def test_what_is_left_of_a_turn_is_seen_whole_at_every_size(
    name: str, size: tuple[int, int]
) -> None:
    """In the bar, or where that has no room with the instructions."""
    model = in_match(base(size), name, 2, 5)
    assert model.table is not None
    far = replace(model.table.seats[1], kind="remote", name=LONG[0])
    seats = (model.table.seats[0], far)
    turn = Thinking(3, 2 * 86_400 + 5)
    model = fed(
        model, status(table=replace(model.table, thinking=turn, seats=seats, turn=(1,)))
    )
    assert model.table is not None
    left = agreeing.note(model.table)
    assert left.startswith("2 ")
    seen = [
        node
        for node, part in shown(screen.scene(model))
        if left in node.text and part == node.rect
    ]
    assert seen, size
