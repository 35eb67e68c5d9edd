"""A person plays in a browser: `netplay web`, the link, a name, some turns."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from rules import networdz
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
)
from tests.client.browser.touching import networdz_, still
from tests.patience import until

pytestmark = [pytest.mark.processes, needs_chromium]

TURNS: Final = 2
"""A whole match is played by touch in `test_seated`."""


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


def ready(tab: Tab, view: Any) -> bool:
    """Tell whether the page shows that turn, as a person would wait for it."""
    names = tab.names()
    own = {name for name in names if name.startswith("tile:")}
    rack = {f"tile:{tile}" for tile in view.tiles.racks[0]}
    mine = tab.on_turn()
    return mine and own == rack and names["pass"] == "PASS"


def _has_more(eye: Eye, entries: int) -> bool:
    now = eye.status()
    return now is not None and now.entries > entries


def test_turns_of_networdz_are_taken_by_touch(tmp_path: Path) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link(), PHONE, has_touch=True, is_mobile=True)
        named(tab, "Änna")
        tab.press("game:0")
        tab.press("play")
        eye = Eye(tmp_path)
        until(lambda: (found := eye.status()) is not None and found.phase == "playing")
        for _turn in range(TURNS):
            view, over = eye.turn()
            assert not over
            found = eye.status()
            assert found is not None
            until(partial(ready, tab, view))
            networdz_(tab, view, longest(view, 0))
            until(partial(_has_more, eye, found.entries))
        assert eye.turn()[0].scores[0] > 0
        assert tab.errors == []


def test_a_finger_beside_a_small_button_means_it(tmp_path: Path) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link(), (820, 1180), has_touch=True)
        named(tab, "Anna")
        script = (
            "() => [...document.querySelectorAll('#document *')]"
            ".find(e => e.told?.n === 'preferences').getBoundingClientRect().toJSON()"
        )
        until(lambda: "rename" in tab.names() and still(tab))
        box = tab.page.evaluate(script)
        assert box["height"] < 40  # on phones it would be as high as a finger needs
        middle, below = box["x"] + box["width"] / 2, box["y"] + box["height"]
        tab.page.touchscreen.tap(middle, below + 3)
        until(lambda: tab.place("close"))
        assert tab.errors == []
