"""Where things are on the screen, measured on the screen: order, cursors, corners."""

from functools import lru_cache
from itertools import pairwise

import pygame
import pytest
from msgspec.structs import replace

from client.app.model import Model, edit_of
from client.pages import screen
from client.ui.hand import Edit
from client.ui.intents import Click
from client.ui.scene import Node, Rect, Role, Touch, find, stops, top, walk
from client.window.painter import Painter
from tests.client.clicking import update
from tests.client.test_scenes import scenes
from tests.client.worlds import base, pages

SCALES = (75, *(pytest.param(each, marks=pytest.mark.slow) for each in (100, 150)), 250)
"""Slow are those between the smallest letters and the largest."""
LONG = "anna at the other end of a very long line of text iiiiiiiiWWWWWWWW 1234567890"


def in_row(one: Rect, other: Rect) -> bool:
    both = min(one.bottom, other.bottom) - max(one.y, other.y)
    return both > min(one.h, other.h) / 2


def in_column(one: Rect, other: Rect) -> bool:
    both = min(one.right, other.right) - max(one.x, other.x)
    return both > min(one.w, other.w) / 2


@pytest.mark.parametrize("size", [(1280, 800), (800, 500), (1000, 1200)])
def test_tab_goes_down_a_column_and_right_along_a_row(size: tuple[int, int]) -> None:
    """As one reads: nobody says here which control comes next, but where it may be."""
    for name, root, _model in scenes(size):
        order = [n for n in stops(root) if n.role not in (Role.CELL, Role.TILE)]
        for one, other in pairwise(order):
            a, b = one.rect, other.rect
            if a.holds(b):
                continue  # a row and its button
            where = name, one.name, other.name
            if in_row(a, b):
                assert b.x > a.x, where
            elif in_column(a, b):
                assert b.y > a.y, where


@lru_cache
def fields(scale: int) -> list[tuple[str, Model, Node]]:
    """Return every field of every page, with its page."""
    found: dict[str, tuple[str, Model, Node]] = {}
    of = {name for name, _page, _node in fields(75)} if scale != 75 else set()
    for name, page in pages(base((1280, 800), "light", scale)):
        if of and name not in of:
            continue  # the same pages have the same fields at every scale
        for node in walk(top(screen.scene(page))):
            if node.role is Role.ENTRY and node.enabled and node.name not in found:
                found[node.name] = name, page, node
    return list(found.values())


def cursor_at(model: Model, name: str) -> tuple[int, int]:
    """Return from where to where a field's cursor is drawn, in pixels of the window."""
    scene = screen.scene(model)
    node = find(scene, name)
    assert node is not None
    surface = pygame.Surface(model.size)
    painter = Painter(surface, model.look)
    painter.paint(scene, Touch(focus=name), node.rect.inset(-model.look.px(4)))
    colour, y = model.look.theme.focus, node.rect.centre[1]
    edge = model.look.px(4)  # the ring round it has the same colour
    columns = range(node.rect.x + edge, node.rect.right - edge)
    drawn_at = [x for x in columns if tuple(surface.get_at((x, y)))[:3] == colour]
    assert drawn_at, (name, "no cursor is drawn")
    return drawn_at[0], drawn_at[-1]


@pytest.mark.parametrize("scale", SCALES)
def test_a_click_on_a_cursor_that_is_drawn_leaves_it_there(scale: int) -> None:
    every = fields(scale)
    assert len(every) >= 6
    for name, page, node in every:
        for caret in (0, 7):
            edit = Edit(LONG, caret, caret)
            model = replace(
                page, focus=node.name, edits={**page.edits, node.name: edit}
            )
            x = cursor_at(model, node.name)[0]
            elsewhere = replace(edit, caret=1, anchor=1)
            there = replace(model, edits={**model.edits, node.name: elsewhere})
            click = Click(node.name, x=x - node.rect.x, w=node.rect.w)
            after, _effects = update(there, click)
            assert edit_of(after, node.name, "").caret == caret, (name, node.name)


@pytest.mark.parametrize("scale", SCALES)
def test_a_click_into_a_text_too_long_for_its_field_goes_where_it_is_seen(
    scale: int,
) -> None:
    for name, page, node in fields(scale):
        edit = Edit(LONG * 4, len(LONG) * 4, len(LONG) * 4)
        model = replace(page, focus=node.name, edits={**page.edits, node.name: edit})
        x = cursor_at(model, node.name)[0]
        click = Click(node.name, x=x - node.rect.x, w=node.rect.w)
        after, _effects = update(model, click)
        assert edit_of(after, node.name, "").caret == len(edit.text), (name, node.name)
