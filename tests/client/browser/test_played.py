"""A person plays in a browser: `netplay web`, the link, a name, a match to its end."""

from pathlib import Path
from typing import Any

import pytest

from rules import GAMES, networdz
from rules.networdz import Lay, Pass
from tests.client.browser.chromium import (
    PHONE,
    Eye,
    Tab,
    browser,
    needs_chromium,
    opened,
    quiet,
    served,
    until,
)

pytestmark = [pytest.mark.processes, needs_chromium]


def named(tab: Tab, name: str) -> None:
    """Say who one is, as the first start asks."""
    until(lambda: tab.place("field.name"))
    tab.press("field.name")
    tab.page.keyboard.type(name)
    until(lambda: tab.page.input_value("#document input:focus") == name)
    tab.page.keyboard.press("Enter")
    until(lambda: tab.place("play"))


def longest(view: Any, seat: int) -> Any:
    """Return a word of several tiles without a blank, or to pass."""
    blank = networdz.ground(view.options).blank
    best = None
    for move in networdz.moves(view, seat):
        if isinstance(move, Lay) and all(s.kind != blank for s in move.shown):
            if best is None or len(move.laid) > len(best.laid):
                best = move
            if len(best.laid) > 4:
                break
    return best or Pass(())


def near(one: tuple[float, float], other: tuple[float, float] | None) -> bool:
    return (
        other is not None
        and max(abs(a - b) for a, b in zip(one, other, strict=True)) < 4
    )


def ready(tab: Tab, view: Any) -> bool:
    """Tell whether the page shows that turn, as a person would wait for it."""
    names = tab.names()
    own = {name for name in names if name.startswith("tile:")}
    rack = {f"tile:{tile}" for tile in view.tiles.racks[0]}
    mine = tab.page.title().startswith("Your turn")
    return mine and own == rack and names["pass"] == "PASS"


def lay(tab: Tab, eye: Eye, move: Any, number: int) -> None:
    """Make a move with taps alone."""
    if isinstance(move, Pass):
        tab.press("pass")
        until(lambda: tab.names().get("pass") == "Back")
    else:
        for each in move.laid:
            tab.press(f"tile:{each.tile}")
            cell = tab.place(f"cell:{each.cell}")
            assert cell is not None
            tab.press(f"cell:{each.cell}")
            until(lambda at=cell, tile=each.tile: near(at, tab.place(f"tile:{tile}")))
    tab.press("done")
    until(lambda: (found := eye.status()) is not None and found.entries > number)


def test_networdz_is_played_to_its_end_by_touch(tmp_path: Path) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link(), PHONE, has_touch=True, is_mobile=True)
        named(tab, "Änna")
        tab.press("game:0")
        tab.press("play")
        eye = Eye(tmp_path)
        until(lambda: (found := eye.status()) is not None and found.phase == "playing")
        over = False
        while not over:
            view, over = eye.turn()
            if not over:
                found = eye.status()
                assert found is not None
                until(lambda shown=view: ready(tab, shown))
                lay(tab, eye, longest(view, 0), found.entries)
        end = eye.status()
        assert end is not None
        assert sorted(end.places) in ([1, 2], [1, 1])
        assert not GAMES["networdz"].actors(view)
        until(lambda: (found := eye.status()) is not None and found.audit == "ok")
        assert tab.errors == []
