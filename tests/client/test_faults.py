"""What went wrong stays beside what it is about until it is mended or dismissed."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.intents import Click, Focus, Key, Text
from client.model import Model
from client.pages import whole
from client.scene import Node, Rect, find
from client.update import Tick
from netplay.messages import door
from tests.client.crowded import KEY, WHY, failed
from tests.client.worlds import NEAR, at_match, base, fed, seat, status, table

LATE = Tick(3600.0)


def part(model: Model, name: str) -> Node:
    found = find(whole.scene(model), name)
    assert found is not None, name
    return found


def start() -> Model:
    """Return the start page with an address typed."""
    model = fed(base(), status(nearby=NEAR))
    return fed(model, Focus("field.address"), Text("10.0.0.9"), Focus(""))


@pytest.mark.parametrize(
    ("clicks", "card"),
    [
        (["join.address"], "address"), (["answer"], "address"),
        (["near:0", "join.near"], "nearby"), (["play"], "here"),
    ],
)  # fmt: skip
def test_a_fault_stands_in_the_card_of_what_was_tried_and_stays(
    clicks: list[str], card: str
) -> None:
    model = fed(failed(start(), *map(Click, clicks)), LATE)
    words = part(model, "fault")
    assert (words.text or words.value) == WHY
    assert part(model, card).rect.holds(words.rect)


def test_a_fault_of_a_call_stands_below_the_seat_that_was_called() -> None:
    seats = (seat("Anna"), seat("", "remote", state="awaited"))
    model = fed(base(), status(table=table(seats=seats)))
    model = fed(model, Click("kind1"), Click("kind1:3"))
    typed = fed(model, Focus("field.seat1"), Text("10.0.0.9"))
    model = fed(failed(typed, Click("call1")), LATE)
    words = part(model, "fault").rect
    assert words.y >= part(model, "field.seat1").rect.bottom
    assert words.bottom <= part(model, "kind2").rect.y


def test_a_fault_goes_when_it_is_put_away_by_its_button_or_by_escape() -> None:
    model = failed(start(), Click("join.address"))
    for how in (Click("fault.close"), Key("escape")):
        assert find(whole.scene(fed(model, how)), "fault") is None


def test_a_fault_goes_when_the_same_is_tried_again() -> None:
    model = failed(start(), Click("join.address"))
    model = fed(model, door.Line("chat", "Bert", "Hello", 0))
    assert find(whole.scene(model), "fault") is not None  # nothing said hides it
    assert find(whole.scene(fed(model, Click("answer"))), "fault") is not None
    assert find(whole.scene(fed(model, Click("join.address"))), "fault") is None


def test_a_fault_does_not_follow_to_another_page() -> None:
    model = failed(start(), Click("join.address"))
    assert find(whole.scene(fed(model, status(table=table()))), "fault") is None


def board(model: Model) -> Rect:
    return part(model, "board").rect


def test_nothing_that_is_told_moves_the_board_or_covers_a_square() -> None:
    model = at_match(base((800, 500)))
    assert model.table is not None
    before = board(model)
    asking = status(table=changed(model, asking=((KEY, "Dora"),)))
    watched = status(table=changed(model, watchers=("Dora",)))
    wrong = door.Line("error", "", WHY, 0)
    for event in (asking, watched, wrong, door.Line("chat", "Bert", WHY, 0)):
        told = fed(model, event)
        assert board(told) == before
    assert part(fed(model, asking), f"allow:{KEY}").live
    put = fed(model, wrong, LATE)
    assert WHY[:20] in part(put, "instructions").value
    again = fed(put, Click("fault.close"))
    assert again.fault is None


def changed(model: Model, **changes: Any) -> door.TableStatus:
    """Return the table of the match, changed."""
    assert model.table is not None
    return replace(model.table, **changes)
