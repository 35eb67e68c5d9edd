"""A match that is over and not audited is said to be so, and by whom, loudly."""

import re

import pytest
from msgspec.structs import replace

from client.app.model import Model
from client.pages import screen
from client.ui import texts as language
from client.ui.intents import Click
from client.ui.scene import find
from netplay.messages.door import SeatStatus
from netplay.messages.table_questions import Vote
from netplay.sentences import Says
from tests.client.worlds import asks, at_match, base, ended, fed, status, texts

WHY = Says.BAG_NOT_OPENED(names="Bert")


def apart(seats: tuple[SeatStatus, ...]) -> tuple[SeatStatus, ...]:
    """Return seats that are played at a computer each."""
    return tuple(replace(seat, key=seat.name) for seat in seats)


def held_up(model: Model, *, hosting: bool = False) -> Model:
    """Return the window at the end of a match whose dealer keeps its seed."""
    table = ended(model).table
    assert table is not None
    kept = replace(
        table, audit="", held_up=WHY, hosting=hosting, seats=apart(table.seats)
    )
    return fed(ended(model), status(table=kept))


@pytest.mark.parametrize("spoken", ["de", "fr", "es", "ru"])
def test_it_says_so_in_every_language(spoken: str) -> None:
    model = held_up(at_match(base(), 3))
    language.speak(spoken)
    try:
        shown = texts(screen.scene(model))
        assert "AUDITED" not in shown
        assert "Bert" in shown
    finally:
        language.speak("en")


def test_three_players_may_vote_for_a_host_that_enters_what_it_is_sent() -> None:
    model = held_up(at_match(base(), 3))
    assert asks(model, Click("vote")) == [Vote()]
    assert find(screen.scene(held_up(at_match(base(), 2))), "vote") is None
    hosting = held_up(at_match(base(), 3), hosting=True)
    assert find(screen.scene(hosting), "vote") is None


def test_the_list_of_matches_says_it_for_ever() -> None:
    words = Says.NOT_AUDITED(match="Networdz: Anna, Bert", why=WHY)
    saved = (("p", words, 3), ("q", "Numlo: Anna, Cyd", 4))
    model = fed(base(), status(saved=saved))
    one, two = (find(screen.scene(model), f"saved:{n}") for n in "pq")
    assert one is not None
    assert two is not None
    assert one.kids[0].text == str(words)
    assert one.kids[0].fg != two.kids[0].fg
    language.speak("de")
    try:
        german = find(screen.scene(model), "saved:p")
        assert german is not None
        assert "Bert" in german.kids[0].text
        assert german.kids[0].text != str(words)
    finally:
        language.speak("en")


def test_a_clock_that_is_not_believed_is_told_and_may_be_voted_against() -> None:
    why = Says.CLOCK_TOO_SOON(name="Bert", seconds=57)
    model = at_match(base(), 3)
    assert model.table is not None
    seats = apart(model.table.seats)
    table = replace(model.table, doubt=why, hosting=False, seats=seats)
    model = fed(model, status(table=table))
    assert str(why) in texts(screen.scene(model)).replace("\n", " ")
    assert asks(model, Click("vote")) == [Vote()]
    language.speak("de")
    try:
        told = texts(screen.scene(model)).replace("\n", " ")
        assert str(why) not in told
        assert re.search("Bert.* 57 s", told)
    finally:
        language.speak("en")
