"""Frames of a game in real time: when they are drawn, and what is drawn anew."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

from client.ui.scene import Node, Rect
from client.window import painter

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
import pytest
import trio
from msgspec.structs import replace
from typing_extensions import override

from client.pages import screen
from client.ui.scene import Touch, apart, changes
from client.window import first_frame, loop
from client.window.painter import Painter
from netplay import wire
from netplay.messages import door
from rules import hexcolumns
from rules.game import CHANCE
from rules.hexcolumns import Drop, Input, Rotate, Shift, Slant, State
from tests.client.worlds import base, fed, in_match, some_match

SEATS = 4
NEXT = 1.0 + loop.FRAME * 1.01
"""When the frame after the first is due."""


def told(state: State) -> door.View:
    """Return the node's push of a state."""
    packed = wire.pack(hexcolumns.view(state, 0))
    return door.View(b"m", 0, 99, packed, (), True)


def later(state: State, seats: tuple[int, ...]) -> State:
    """Return the state with a piece fallen in some wells."""
    for seat in seats:
        state, _left = hexcolumns.advance(state, seat, 30)
    return state


def begun() -> State:
    state: State = some_match("hexcolumns", SEATS, 0)[0]
    return state


class Counting(loop.WindowLoop):
    """A window that counts the scenes it makes, and what it brings to the screen."""

    made = 0
    shown = 0
    painted = 0
    """Pieces that were drawn since the last were brought to the screen."""

    @override
    def _refresh(self) -> None:
        super()._refresh()
        self.made += 1

    @override
    def show(self) -> None:
        super().show()
        self.shown += 1
        self.painted = 0


@pytest.fixture
def window_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    """Return a window at a match of four, its first frame drawn at second 1."""
    model = in_match(base(), "hexcolumns", SEATS, 0)
    shown = Counting(model, tmp_path, first_frame.make_window((1280, 800)))

    class Noted(painter.Painter):
        @override
        def paint(self, root: Node, touch: Touch, part: Rect | None = None) -> None:
            super().paint(root, touch, part)
            shown.painted += 1

    monkeypatch.setattr(loop, "Painter", Noted)
    pygame.event.clear()
    shown.step(1.0)
    yield shown
    shown.close()


async def test_what_others_do_waits_for_the_next_frame(window_loop: Counting) -> None:
    window_loop.wake = trio.Event()
    window_loop.hear(told(later(begun(), (0, 1))))  # one's own piece falls, too
    window_loop.step(1.0 + loop.FRAME / 2)
    assert not window_loop.wake.is_set()
    assert not window_loop.painted
    window_loop.step(NEXT)
    assert window_loop.painted


@pytest.mark.parametrize("move", [Shift(1), Slant(-1), Rotate(), Drop()])
async def test_one_s_own_move_is_shown_at_once(
    window_loop: Counting, move: Input
) -> None:
    state = later(begun(), (0,))
    mine = replace(state.wells[0], piece=bytes((1, 2, 3)))
    state = replace(state, wells=(mine, *state.wells[1:]))
    window_loop.hear(told(state))
    window_loop.step(NEXT)
    shown = window_loop.shown
    window_loop.wake = trio.Event()
    window_loop.hear(told(hexcolumns.play(state, 0, move)))
    assert window_loop.wake.is_set()
    window_loop.step(NEXT + loop.FRAME / 2)
    assert window_loop.shown == shown + 1


async def test_a_frame_is_shown_a_fixed_time_after_its_beat(
    window_loop: Counting,
) -> None:
    beat = 1.0 + loop.FRAME
    window_loop.hear(told(later(begun(), (1, 2, 3))))
    shown = window_loop.shown
    for late in (0.0001, loop.LEAD * 0.9):
        window_loop.step(beat + late)
        assert window_loop.painted
        assert window_loop.shown == shown
        assert window_loop.pause(beat + late) == pytest.approx(
            max(loop.LEAST, min(loop.QUICK, loop.LEAD - late))
        )
    window_loop.step(beat + loop.LEAD)
    assert not window_loop.painted
    assert window_loop.shown == shown + 1
    window_loop.step(beat + loop.LEAD * 1.1)
    assert window_loop.shown == shown + 1


async def test_one_s_own_move_takes_along_what_waits_to_be_shown(
    window_loop: Counting,
) -> None:
    state = later(begun(), (0,))
    mine = replace(state.wells[0], piece=bytes((1, 2, 3)))
    state = replace(state, wells=(mine, *state.wells[1:]))
    window_loop.hear(told(state))
    window_loop.step(NEXT)
    state = later(state, (1, 2, 3))
    window_loop.hear(told(state))
    window_loop.step(NEXT + loop.FRAME)
    assert window_loop.painted
    shown = window_loop.shown
    window_loop.hear(told(hexcolumns.play(state, 0, Shift(1))))
    window_loop.step(NEXT + loop.FRAME + loop.LEAD / 2)
    assert not window_loop.painted
    assert window_loop.shown == shown + 1


async def test_many_messages_before_a_frame_make_one_scene(
    window_loop: Counting,
) -> None:
    state, made = begun(), window_loop.made
    for i in range(6):
        state = later(state, (1 + i % 3,))
        window_loop.hear(told(state))
        window_loop.step(1.0 + loop.FRAME * (i + 1) / 8)
    assert window_loop.made == made
    window_loop.step(NEXT)
    assert window_loop.made == made + 1
    assert window_loop.model.match is not None
    assert window_loop.model.match.state == hexcolumns.view(state, 0)


def moved(state: State, rng: random.Random) -> State:
    """Return the state a frame later: pieces fall, and some are turned or dropped."""
    for seat in range(SEATS):
        while CHANCE in hexcolumns.actors(state):
            gem = hexcolumns.chance_move(state, rng.randrange(720))
            state = hexcolumns.play(state, CHANCE, gem)
        if seat not in hexcolumns.actors(state):
            continue
        if rng.random() < 0.6:
            state, _left = hexcolumns.advance(state, seat, 9)
        wish = rng.choice((Drop(), Rotate(), None))
        ready = CHANCE not in hexcolumns.actors(state)
        if wish and ready and wish in tuple(hexcolumns.moves(state, seat)):
            state = hexcolumns.play(state, seat, wish)
    return state


@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
def test_a_frame_of_what_changed_is_the_frame_of_all(size: tuple[int, int]) -> None:
    model, state = in_match(base(size), "hexcolumns", SEATS, 0), begun()
    rng = random.Random(3)
    kept, fresh = pygame.Surface(size), pygame.Surface(size)
    root = screen.scene(model)
    Painter(kept, model.look).paint(root, Touch())
    painted = 0
    for _ in range(60):
        state = moved(state, rng)
        model = fed(model, told(state))
        before, root = root, screen.scene(model)
        for part in apart(changes(before, root)):
            Painter(kept, model.look).paint(root, Touch(), part.cut(root.rect))
            painted += part.w * part.h
        Painter(fresh, model.look).paint(root, Touch())
        assert kept.get_buffer().raw == fresh.get_buffer().raw
    assert 0 < painted < 60 * size[0] * size[1] / 4
