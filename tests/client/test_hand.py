"""What the keyboard's events mean, in the order in which X11 sends them."""

from collections.abc import Iterable

import pygame
import pytest
from msgspec.structs import replace

from client.app.input import Hand
from client.ui import widgets
from client.ui.intents import (
    Blur,
    Click,
    Event,
    Intent,
    Key,
    Moved,
    Pressed,
    Released,
    Scroll,
    Text,
    Wheeled,
)
from client.ui.scene import Node, Rect, Role, hit
from client.ui.theme import Look
from client.window.loop import plain

ROOT = Node(Role.PANEL, "", Rect(0, 0, 100, 100))


def pressed(hand: Hand, key: int, text: str, mod: int = 0) -> list[Intent]:
    """Return what a key and the text that X11 sends after it mean."""
    down = pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=text)
    typed = pygame.event.Event(pygame.TEXTINPUT, text=text)
    return [
        intent
        for event in (plain(down), plain(typed))
        if event is not None
        for intent in hand.on_event(event, ROOT, 0.0, held=False)
    ]


def test_a_letter_held_with_alt_is_not_typed_as_well() -> None:
    found = pressed(Hand(), pygame.K_q, "q", pygame.KMOD_LALT)
    assert found == [Key("q", alt=True)]


def test_the_same_letter_alone_is_typed() -> None:
    hand = Hand()
    pressed(hand, pygame.K_q, "q", pygame.KMOD_LALT)
    assert pressed(hand, pygame.K_q, "q") == [Text("q")]


def test_what_alt_makes_of_a_letter_is_typed() -> None:
    found = pressed(Hand(), pygame.K_q, "@", pygame.KMOD_RALT)
    assert Text("@") in found


def key(kind: int, code: int = pygame.K_RIGHT) -> Event:
    found = plain(pygame.event.Event(kind, key=code, mod=0, unicode=""))
    assert found is not None
    return found


DOWN, UP = pygame.KEYDOWN, pygame.KEYUP


def downs(events: Iterable[Event]) -> list[bool]:
    return [event.down for event in events if isinstance(event, Key)]


def test_a_tap_during_a_stall_is_one_press() -> None:
    """The timer of repeats ran on while nobody looked at the queue."""
    hand = Hand()
    assert len(list(hand.sift([key(DOWN)]))) == 1
    stalled = [key(DOWN), key(DOWN), key(UP)]
    assert downs(hand.sift(stalled)) == [False]


def test_a_key_held_down_repeats() -> None:
    hand = Hand()
    batches = [[key(DOWN)], [key(DOWN)], [key(DOWN), key(DOWN)], [key(UP)]]
    seen = [down for batch in batches for down in downs(hand.sift(batch))]
    assert seen == [True, True, True, True, False]


def test_taps_that_come_together_all_count() -> None:
    hand = Hand()
    taps = [key(DOWN), key(UP), key(DOWN), key(UP), key(DOWN, pygame.K_LEFT)]
    assert list(hand.sift(taps)) == taps


def test_a_key_let_go_elsewhere_is_not_taken_for_held() -> None:
    hand = Hand()
    left = plain(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    assert left == Blur()
    list(hand.sift([key(DOWN), left]))
    assert len(list(hand.sift([key(DOWN), key(UP)]))) == 2


def test_a_click_beside_a_dialog_leaves_the_keyboard_in_its_field() -> None:
    name = Node(Role.ENTRY, "field.name", Rect(40, 40, 20, 20), live=True)
    below = Node(Role.ENTRY, "field.below", Rect(0, 0, 20, 20), live=True)
    asking = Node(Role.DIALOG, "dialog", Rect(30, 30, 40, 40), kids=(name,))
    press = Pressed((90, 90))
    beside = []
    for kids in ((below, asking), (below,)):
        hand, root = Hand(), Node(Role.PANEL, "", Rect(0, 0, 100, 100), kids=kids)
        hand.focus("field.name")
        list(hand.on_event(press, root, 0.0, held=False))
        beside.append(hand.touch.focus)
    assert beside == ["field.name", ""]


def test_the_wheel_scrolls_nothing_that_lies_below_a_dialog() -> None:
    below = Node(Role.LIST, "below", Rect(0, 0, 100, 100), clip=True, content=500)
    rows = Node(Role.LIST, "rows", Rect(40, 40, 20, 20), clip=True, content=90)
    asking = Node(Role.DIALOG, "dialog", Rect(30, 30, 40, 40), kids=(rows,))
    root = Node(Role.PANEL, "", Rect(0, 0, 100, 100), kids=(below, asking))
    for at, scrolled in (((10, 90), []), ((32, 32), []), ((50, 50), ["rows"])):
        hand = Hand()
        list(hand.on_event(Moved(at), root, 0.0, held=False))
        turned = hand.on_event(Wheeled(-1.0), root, 0.0, held=False)
        assert [each.name for each in turned if isinstance(each, Scroll)] == scrolled


def clicks(hand: Hand, root: Node, *spots: tuple[float, tuple[int, int]]) -> list[int]:
    """Press in the middle and let go at each spot; return the counts of the clicks."""
    found: list[int] = []
    for now, spot in spots:
        list(hand.on_event(Pressed((50, 50)), root, now, held=False))
        released = hand.on_event(Released(spot), root, now, held=False)
        found += [each.count for each in released if isinstance(each, Click)]
    return found


def test_the_third_of_three_quick_clicks_is_the_first_of_a_new_pair() -> None:
    button = Node(Role.BUTTON, "button", Rect(40, 40, 20, 20), live=True)
    root = Node(Role.PANEL, "", Rect(0, 0, 100, 100), kids=(button,))
    spots = [(n / 10, (50, 50)) for n in range(4)]
    assert clicks(Hand(), root, *spots) == [1, 2, 1, 2]
    assert clicks(Hand(), root, (0.0, (50, 50)), (5.0, (50, 50))) == [1, 1]


def test_a_button_that_the_pointer_has_left_is_not_pressed() -> None:
    button = Node(Role.BUTTON, "button", Rect(40, 40, 20, 20), live=True)
    other = Node(Role.BUTTON, "other", Rect(0, 0, 20, 20), live=True)
    root = Node(Role.PANEL, "", Rect(0, 0, 100, 100), kids=(button, other))
    assert clicks(Hand(), root, (0.0, (90, 90)), (1.0, (10, 10))) == []
    assert clicks(Hand(), root, (0.0, (59, 59))) == [1]


def test_what_goes_while_it_is_dragged_is_let_go() -> None:
    tile = Node(Role.TILE, "tile", Rect(40, 40, 20, 20), live=True, drag=True)
    root = Node(Role.PANEL, "", Rect(0, 0, 100, 100), kids=(tile,))
    hand = Hand()
    for event in (Pressed((50, 50)), Moved((80, 80))):
        list(hand.on_event(event, root, 0.0, held=False))
    assert hand.touch.lift == "tile"
    hand.settle(root)
    assert hand.touch.lift == "tile"
    hand.settle(replace(root, kids=()))
    assert hand.touch.lift == ""


def test_the_wheel_stops_at_both_ends_of_a_list() -> None:
    for offset, notches in ((0, 9.0), (390, -9.0), (395, -1.0), (5, 1.0)):
        rows = Node(
            Role.LIST, "rows", Rect(0, 0, 100, 100), clip=True, content=500,
            offset=offset,
        )  # fmt: skip
        hand = Hand()
        list(hand.on_event(Moved((50, 50)), rows, 0.0, held=False))
        (turned,) = hand.on_event(Wheeled(notches), rows, 0.0, held=False)
        assert turned == Scroll("rows", 0 if notches > 0 else 400)


@pytest.mark.parametrize("high", [21, 24, 34, 59])
@pytest.mark.parametrize("drawn", [0, 70, 605])
def test_after_a_notch_of_the_wheel_no_row_is_cut(high: int, drawn: int) -> None:
    """Neither from its beginning, nor where a finger has left the list."""
    made = [widgets.row(f"row:{i}", str(i), Look()) for i in range(100)]
    for notch in (-1.0, 1.0):
        offset = drawn
        for _turn in range(3):
            rows = widgets.scroll(
                "rows", Rect(0, 0, 100, 250), made, high, Look(), offset=offset
            )
            hand = Hand()
            list(hand.on_event(Moved((50, 50)), rows, 0.0, held=False))
            (turned,) = hand.on_event(Wheeled(notch), rows, 0.0, held=False)
            assert isinstance(turned, Scroll)
            assert turned.offset % high == 0
            way = (turned.offset - offset) * -notch
            assert way > 0 or (notch > 0 and offset == 0)
            assert way < 2 * 48
            offset = turned.offset


def test_a_row_that_is_scrolled_out_of_its_list_is_not_hit() -> None:
    row = Node(Role.ITEM, "row", Rect(0, 90, 100, 30), live=True)
    listed = Node(Role.LIST, "rows", Rect(0, 0, 100, 100), clip=True, kids=(row,))
    root = Node(Role.PANEL, "", Rect(0, 0, 100, 200), kids=(listed,))
    found = hit(root, (50, 95))
    assert found is not None
    assert found.name == "row"
    assert hit(root, (50, 105)) is None


def test_tab_goes_on_where_what_was_pressed_is_gone_or_cannot_be_pressed_again() -> (
    None
):
    look, rect = Look(), Rect(0, 0, 90, 30)
    names = ("help", "pass", "challenge", "done", "chat")

    def page(*off: str, gone: str = "") -> Node:
        buttons = [
            widgets.button(name, rect.moved(100 * i, 0), name, look)
            for i, name in enumerate(names)
        ]
        kids = [
            replace(b, enabled=b.name not in off) for b in buttons if b.name != gone
        ]
        return replace(ROOT, rect=Rect(0, 0, 500, 30), kids=tuple(kids))

    def come(root: Node, *, shift: bool = False) -> str:
        list(hand.on_event(Key("tab", shift=shift), root, 0.0, held=False))
        return hand.touch.focus

    after = page("pass", "done"), page("done", gone="challenge")
    for place, root, on, back in (
        ("done", after[0], "chat", "challenge"),
        ("challenge", after[1], "chat", "pass"),
    ):
        for shift, wanted in ((False, on), (True, back)):
            hand = Hand()
            hand.focus(place)
            hand.settle(page())
            hand.settle(root)
            assert not hand.touch.focus  # keys are for the board
            assert come(root, shift=shift) == wanted
    hand = Hand()
    hand.focus("done")
    for root in (page(), page("pass", "done"), page()):
        hand.settle(root)
    assert come(page()) == "done"  # it can be pressed again
    hand.settle(page("done"))
    list(hand.on_event(Pressed((5, 200)), page("done"), 0.0, held=False))
    assert come(page("done")) == "help"  # the mouse has gone elsewhere
