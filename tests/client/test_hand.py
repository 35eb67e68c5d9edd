"""What the keyboard's events mean, in the order in which X11 sends them."""

from collections.abc import Iterable

import pygame

from client.app.input import Hand
from client.ui.events import Event, Pressed
from client.ui.intents import Blur, Intent, Key, Text
from client.ui.scene import Node, Rect, Role
from client.window.pygame_events import plain

ROOT = Node(Role.PANEL, "", Rect(0, 0, 100, 100))


def pressed(hand: Hand, key: int, text: str, mod: int = 0) -> list[Intent]:
    """Return what a key and the text that X11 sends after it mean."""
    down = pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=text)
    typed = pygame.event.Event(pygame.TEXTINPUT, text=text)
    return [
        intent
        for event in (plain(down), plain(typed))
        if event is not None
        for intent in hand.take(event, ROOT, 0.0, held=False)
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
        list(hand.take(press, root, 0.0, held=False))
        beside.append(hand.touch.focus)
    assert beside == ["field.name", ""]
