"""A seat that a program plays, as the window shows it: a command named the program."""

from collections.abc import Iterator

import pytest

from client.app.model import Model, computer
from client.pages import screen
from client.ui import texts as languages
from client.ui.intents import Click
from client.ui.scene import find
from netplay.messages import door
from tests.client.worlds import asks, base, fed, seat, status, table


def program(kind: str = "computer", state: str = "here") -> door.SeatStatus:
    return seat("Program 2", kind, program=True, state=state)


def at_table(**changes: object) -> Model:
    seats = (seat("Anna"), program())
    return fed(base(), status(table=table(seats=seats, waiting="", **changes)))


def sent(model: Model, *clicks: str) -> tuple[str, ...]:
    """Click, and return the seats of the change that is asked for last."""
    changes = [
        question.table.seats
        for question in asks(model, *map(Click, clicks))
        if isinstance(question, door.ChangeTable)
    ]
    return changes[-1]


def test_a_change_of_the_rules_leaves_the_program_at_its_seat() -> None:
    asked = sent(at_table(), "option.timed", "option.timed:3")
    assert asked == ("person", "program")


def test_who_chooses_another_kind_of_player_has_no_program_there_any_more() -> None:
    asked = sent(at_table(), "kind1", "kind1:2")
    assert asked == ("person", "computer:50")


def test_another_table_has_a_computer_where_the_program_was() -> None:
    model = at_table()
    assert model.setup.draft.terms.seats == ("person", "computer:50")


@pytest.fixture(params=["de", "fr", "es", "ru", "en"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    languages.speak(request.param)
    yield request.param
    languages.speak("en")


@pytest.mark.usefixtures("language")
def test_a_guest_sees_the_program_too_in_every_language() -> None:
    seats = (seat("Bert", "remote", state="connected"), program("remote"))
    model = fed(base(), status(table=table(seats=seats, waiting="", hosting=False)))
    scene = screen.scene(model)
    name, state = find(scene, "seat1.name"), find(scene, "seat1.state")
    assert name is not None
    assert name.text == languages._("Program {n}").format(n=2)
    assert state is not None
    assert state.text == languages._("program")


def test_a_program_at_another_computer_that_is_away_is_shown_as_away() -> None:
    seats = (seat("Anna"), program("remote", state="away"))
    model = fed(base(), status(table=table(seats=seats, hosting=False)))
    state = find(screen.scene(model), "seat1.state")
    assert state is not None
    assert "away" in state.text


def test_only_the_nodes_own_names_of_computers_are_put_into_the_language() -> None:
    languages.speak("fr")
    try:
        names = [computer(name) for name in ("Computer", "Computer 2", "Computer Fred")]
        own = languages._("Computer"), languages._("Computer {n}").format(n=2)
        assert own[0] != "Computer"
        assert names == [*own, "Computer Fred"]
    finally:
        languages.speak("en")
