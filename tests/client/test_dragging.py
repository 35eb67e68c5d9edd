"""What the pointer does: drags in every direction, sliders, what it leaves."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from client.app.clicks import Closes
from client.app.input import Hand
from client.ui.intents import (
    Button,
    Click,
    Drop,
    Event,
    Hover,
    Intent,
    Key,
    Left,
    Lift,
    Moved,
    Pressed,
    Released,
    Slide,
)
from client.ui.scene import Means, Node, Rect, Role

TILE = Node(Role.TILE, "tile", Rect(40, 40, 20, 20), live=True, drag=True)
CELL = Node(Role.CELL, "cell", Rect(70, 40, 20, 20), live=True, drop=True)
BUTTON = Node(
    Role.BUTTON, "go", Rect(0, 0, 20, 20), live=True, focusable=True, means=Closes()
)
KNOB = Node(Role.LABEL, "", Rect(60, 80, 10, 10))
SLIDER = Node(
    Role.SLIDER, "skill", Rect(10, 80, 60, 10), live=True, focusable=True, kids=(KNOB,)
)
ROOT = Node(
    Role.PANEL, "window", Rect(0, 0, 100, 100), kids=(TILE, CELL, BUTTON, SLIDER)
)


class Other(Means, frozen=True):
    """Something else that a button means."""


def done(hand: Hand, *events: Event, root: Node = ROOT) -> list[Intent]:
    return [i for one in events for i in hand.on_event(one, root, 0.0, held=False)]


def kept(found: Iterable[Intent], kind: type[Intent]) -> list[Intent]:
    return [each for each in found if isinstance(each, kind)]


@pytest.mark.parametrize("way", [(4, 0), (-4, 0), (0, 4), (0, -4), (-4, 3), (3, -4)])
def test_a_tile_is_taken_up_by_four_pixels_in_any_direction(
    way: tuple[int, int],
) -> None:
    hand = Hand()
    almost = (50 + way[0] * 3 // 4, 50 + way[1] * 3 // 4)
    found = done(hand, Pressed((50, 50), Button.LEFT), Moved(almost))
    assert kept(found, Lift) == []
    found = done(hand, Moved((50 + way[0], 50 + way[1])))
    assert kept(found, Lift) == [Lift("tile")]
    found = done(hand, Moved((80, 50)), Released((80, 50)))
    assert kept(found, Drop) == [Drop("tile", "cell")]


def test_the_right_button_calls_a_drag_off() -> None:
    hand = Hand()
    done(hand, Pressed((50, 50), Button.LEFT), Moved((80, 50)))
    assert hand.touch.lift == "tile"
    found = done(hand, Pressed((80, 50), Button.RIGHT))
    assert (hand.touch.lift, hand.touch.over, hand.touch.by) == ("", "", (0, 0))
    found += done(hand, Released((80, 50)))
    assert kept(found, Drop) == []


def test_a_click_means_what_stands_there_when_the_button_is_let_go() -> None:
    hand = Hand()
    done(hand, Pressed((5, 5), Button.LEFT))
    fresh = replace(ROOT, kids=(replace(BUTTON, means=Other()),))
    found = done(hand, Released((5, 5)), root=fresh)
    [click] = kept(found, Click)
    assert isinstance(click, Click)
    assert click.means == Other()


def test_nothing_lights_up_once_the_pointer_has_left_the_window() -> None:
    hand = Hand()
    assert done(hand, Moved((5, 5))) == [Hover("go")]
    assert done(hand, Left()) == [Hover("")]
    assert hand.touch.hover == ""


@pytest.mark.parametrize(
    ("key", "at"), [("left", 0.35), ("down", 0.35), ("right", 0.45), ("up", 0.45)]
)
def test_arrows_move_a_slider_by_a_twentieth(key: str, at: float) -> None:
    hand = Hand()
    hand.focus("skill")
    middle = replace(KNOB, rect=Rect(30, 80, 10, 10))  # two fifths of its way
    root = replace(ROOT, kids=(replace(SLIDER, kids=(middle,)),))
    [slide] = done(hand, Key(key), root=root)
    assert isinstance(slide, Slide)
    assert slide.at == pytest.approx(at)


def test_a_slider_at_its_end_stays_there_by_keys() -> None:
    hand = Hand()
    hand.focus("skill")
    assert done(hand, Key("right")) == [Slide("skill", 1.0)]
    low = replace(KNOB, rect=Rect(10, 80, 10, 10))
    root = replace(ROOT, kids=(replace(SLIDER, kids=(low,)),))
    assert done(hand, Key("left"), root=root) == [Slide("skill", 0.0)]


def test_enter_presses_nothing_that_a_dialog_has_come_over() -> None:
    hand = Hand()
    hand.focus("go")
    [click] = kept(done(hand, Key("enter")), Click)
    assert isinstance(click, Click)
    assert click.means == Closes()
    dialog = Node(Role.DIALOG, "box", Rect(30, 30, 50, 50), depth=1)
    over = replace(ROOT, kids=(*ROOT.kids, dialog))
    found = kept(done(hand, Key("enter"), root=over), Click)
    assert [each.means for each in found if isinstance(each, Click)] in ([], [None])


def test_arrows_after_a_click_on_a_button_are_for_the_board() -> None:
    hand = Hand()
    cursor = Node(Role.LABEL, "cursor", Rect(72, 42, 16, 16))
    root = replace(ROOT, kids=(*ROOT.kids, cursor))
    hand.focus("go")
    found = done(hand, Key("left"), root=root)
    assert Key("left") in found
    assert hand.touch.focus == ""
