"""The document beside the picture, as those use it who do not see, or have no mouse."""

import os
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from client.browser.session import fitting
from client.ui.scene import Rect, Role, top, walk
from rules import numlo
from tests.client.browser.chromium import (
    ROOT,
    Eye,
    Tab,
    browser,
    needs_chromium,
    opened,
    quiet,
    served,
)
from tests.client.browser.paged import Paged, models, paged
from tests.client.browser.touching import still
from tests.client.worlds import base
from tests.patience import until

AXE: Final = Path(
    os.environ.get("AXE_CORE", ROOT / "node_modules" / "axe-core" / "axe.min.js")
)

pytestmark = [pytest.mark.slow, pytest.mark.processes, needs_chromium]

RUN: Final = """
async () => {
  const found = await axe.run(document, {
    resultTypes: ["violations"], rules: { "color-contrast": { enabled: false } },
  });
  return found.violations
    .filter(each => each.impact === "serious" || each.impact === "critical")
    .flatMap(each => each.nodes.map(node => [each.id, node.html.slice(0, 200)]));
}
"""
"""Colours are the picture's, and held against each other in `test_colours`; the letters
of the document are not seen."""


@pytest.mark.skipif(
    not AXE.is_file(), reason="axe-core is missing: npm install --no-save axe-core"
)
def test_axe_finds_nothing_serious_on_any_page() -> None:
    found: Counter[tuple[str, str, str]] = Counter()
    with paged((1280, 800)) as page:
        page.page.add_script_tag(content=AXE.read_text("utf-8"))
        for name, model in models().items():
            page.show(model)
            for rule, html in page.page.evaluate(RUN):
                found[name, rule, html] += 1
    assert not found


USED: Final = frozenset(
    {Role.BUTTON, Role.ENTRY, Role.CHOICE, Role.CHECK, Role.SLIDER, Role.TAB}
)

HERE: Final = """
() => {
  const each = document.activeElement;
  const { x, y, width, height } = each.getBoundingClientRect();
  return each.told ? [each.told.n, x, y, width, height] : null;
}
"""


def walked(page: Paged, most: int = 600) -> list[tuple[str, Rect]]:
    """Press Tab until the keyboard has left the page; return where it was."""
    page.page.evaluate("() => { document.body.tabIndex = -1; document.body.focus(); }")
    found: list[tuple[str, Rect]] = []
    while len(found) < most:
        page.page.keyboard.press("Tab")
        here = page.page.evaluate(HERE)
        if here is None or (found and here[0] == found[0][0]):
            break
        name, *box = here
        found.append((name, Rect(*map(round, box))))
    return found


def backwards(one: Rect, other: Rect) -> bool:
    """Tell whether who reads from the first to the second goes back.

    What comes next stands at the right, or below; another column may begin higher.
    """
    above = other.bottom <= one.y and other.centre[0] < one.right
    level = min(one.bottom, other.bottom) - max(one.y, other.y)
    beside = 2 * level > min(one.h, other.h) and other.right <= one.x
    return above or beside


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (844, 390)])
def test_tab_goes_through_all_that_can_be_used_as_one_reads(
    size: tuple[int, int],
) -> None:
    wrong: list[tuple[str, ...]] = []
    laid = fitting(*size)
    with paged(size) as page:
        for name, model in models().items():
            root = page.show(replace(model, size=laid))
            stops = walked(page)
            used = {
                node.name
                for node in walk(top(root))
                if node.role in USED and node.live and node.enabled and node.name
            }
            been = [stop for stop, _rect in stops]
            wrong += [(name, "passed over", each) for each in used - set(been)]
            wrong += [(name, "twice", e) for e, n in Counter(been).items() if n > 1]
            wrong += [
                (name, "back", one, other)
                for (one, a), (other, b) in pairwise(stops)
                if backwards(a, b)
            ]
    assert not wrong


def at(tab: Tab) -> str:
    """Return the name of what the keyboard is at."""
    return str(tab.page.evaluate("() => document.activeElement?.told?.n || ''"))


def reach(tab: Tab, name: str) -> None:
    """Press Tab until the keyboard is there, as somebody does who has no mouse."""
    until(lambda: name in tab.names())
    until(lambda: still(tab))
    for _ in range(200):
        if at(tab) == name:
            return
        tab.page.keyboard.press("Tab")
    raise AssertionError(f"{name} is not reached")


def dialogs(tab: Tab) -> int:
    """Return how many dialogs stand open."""
    return int(tab.page.evaluate("document.querySelectorAll('[role=dialog]').length"))


OPENED: Final = ("dictionary", "load", "rename", "preferences", "help", "learn")


def test_every_part_of_the_window_is_opened_used_and_left_by_keyboard(
    tmp_path: Path,
) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link())
        keys = tab.page.keyboard
        reach(tab, "field.name")
        keys.type("Anna")
        keys.press("Enter")
        for name in OPENED:
            for key in ("Enter", "Space"):
                reach(tab, name)
                keys.press(key)
                until(lambda: dialogs(tab) == 1)
                keys.press("Tab")
                until(lambda: at(tab) != "")
                assert "play" not in tab.names()  # what lies under it waits
                keys.press("Escape")
                until(lambda: dialogs(tab) == 0)
                until(lambda: "play" in tab.names())
        _chooses_the_dark(tab)
        reach(tab, "game:2")
        keys.press("Space")
        reach(tab, "play")
        keys.press("Enter")
        eye = Eye(tmp_path)
        until(lambda: (found := eye.status()) is not None and found.phase == "playing")
        _lays_a_tile(tab, eye)
        reach(tab, "field.chat")
        keys.type("hello")
        keys.press("Enter")
        until(lambda: "Anna: hello" in tab.reads())
        reach(tab, "leave")
        keys.press("Enter")
        until(lambda: dialogs(tab) == 1)
        keys.press("Escape")
        until(lambda: dialogs(tab) == 0)
        assert tab.errors == []


def _chooses_the_dark(tab: Tab) -> None:
    """Open a list, and take the next of its rows."""
    keys = tab.page.keyboard
    reach(tab, "preferences")
    keys.press("Enter")
    for key in ("Space", "Enter"):
        reach(tab, "set.theme")
        keys.press(key)
        until(lambda: "set.theme:1" in tab.names())
        keys.press("Escape")
        until(lambda: "set.theme:1" not in tab.names())
    reach(tab, "set.theme")
    assert "light" in tab.names()["set.theme"]
    keys.press("Enter")
    until(lambda: "set.theme:1" in tab.names())
    keys.press("ArrowDown")
    keys.press("Enter")
    until(lambda: "dark" in tab.names().get("set.theme", ""))
    keys.press("Escape")
    until(lambda: dialogs(tab) == 0)


def at_entry(eye: Eye) -> int:
    """Return how many moves the match has."""
    found = eye.status()
    assert found is not None
    return found.entries


def _lays_a_tile(tab: Tab, eye: Eye) -> None:
    """Go over the board by the arrow keys, from its upper left corner."""
    keys = tab.page.keyboard
    view, _over = eye.turn()
    before = at_entry(eye)
    until(tab.on_turn)
    move, size = next(numlo.moves(view, 0)), view.options.size
    row, column = divmod(move.square, size)
    for key, times in (
        ("ArrowUp", size), ("ArrowLeft", size), ("ArrowDown", row),
        ("ArrowRight", column), ("Enter", 1),
    ):  # fmt: skip
        for _ in range(times):
            keys.press(key)
    until(lambda: at_entry(eye) > before)


NAMED: Final = (
    ("start", "field.address", "I was sent an invitation"),
    ("table", "field.chat", "Say something"),
    ("table", "field.seat1", "name"),
    ("match of 1", "field.chat", "Say something"),
    ("editor 0", "field.ed.rack", "Tiles in a rack"),
    ("copy", "field.copy.phrase", "four words and more"),
)
"""Page, field, and what it is called."""


def test_a_field_is_called_by_what_it_is_for_and_not_by_what_stands_near() -> None:
    shown = models()
    with paged((1280, 800)) as page:
        for name, field, wanted in NAMED:
            page.show(shown[name])
            script = (
                "name => [...document.querySelectorAll('input')]"
                ".find(e => e.told.n === name).getAttribute('aria-label')"
            )
            assert page.page.evaluate(script, field) == wanted, name


def test_what_happens_is_said_by_a_screen_reader_and_seen_by_nobody() -> None:
    with paged((390, 844)) as page:
        page.show(base())
        for number in range(40):
            page.tell({"do": "said", "lines": [f"Bert: {number}", "well?"]})
        log = page.page.get_by_role("log")
        until(lambda: "39" in log.inner_text())
        assert log.inner_text().split()[-3:] == ["Bert:", "39", "well?"]
        assert log.locator("p").count() == 30
        devtools = page.page.context.new_cdp_session(page.page)
        nodes = devtools.send("Accessibility.getFullAXTree")["nodes"]
        (heard,) = (one for one in nodes if one.get("role", {}).get("value") == "log")
        told = {one["name"]: one["value"]["value"] for one in heard["properties"]}
        assert told["live"] == "polite"
        assert log.bounding_box() == {"x": 0, "y": 0, "width": 1, "height": 1}
        page.tell({"do": "said", "lines": ["40"], "only": True})
        until(lambda: log.inner_text() == "40")
