"""What the window says of nodes that carry, and how the player chooses them."""

from client.ui.intents import Click, Focus, Key, Text
from netplay.messages.node_questions import (
    AddCarrier,
    CarryStatus,
    RemoveCarrier,
    SetCarry,
)
from tests.client.during import CARLA, LINE, connection
from tests.client.worlds import asks, fed


def test_for_whom_messages_are_passed_on_is_chosen_on_a_page() -> None:
    model = fed(connection(CarryStatus()), Click("set.carry"))
    assert asks(model, Click("set.carry:1")) == [SetCarry("known")]
    assert fed(model, Click("set.carry:1")).open == ""


def test_a_friend_through_whom_one_is_reached_is_pasted_and_taken_back() -> None:
    model = connection(CarryStatus(carriers=(CARLA,)))
    typed = fed(model, Focus("field.through"), Text(LINE))
    assert asks(typed, Key("enter")) == [AddCarrier(LINE)]
    assert asks(typed, Focus("close")) == [AddCarrier(LINE)], "left, not lost"
    letters = [Text(letter) for letter in f"Play with me: {LINE}"]
    typed = fed(model, Focus("field.through"), *letters)
    assert asks(typed, Key("enter")) == [AddCarrier(LINE)]
    dropped = fed(model, Click("set.carriers"))
    assert asks(dropped, Click("set.carriers:0")) == [RemoveCarrier(LINE)]
