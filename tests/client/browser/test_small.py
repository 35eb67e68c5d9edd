"""What is too small for a finger is enlarged before it is touched."""

from base64 import b64encode
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from client.app import settings
from client.app.model import Over
from client.app.settings import Settings
from client.ui.scene import find
from rules import GAMES, numlo
from tests.client.browser.chromium import (
    Eye,
    Tab,
    browser,
    needs_chromium,
    opened,
    quiet,
    served,
)
from tests.client.browser.paged import Paged, paged
from tests.client.browser.test_played import named, ready
from tests.client.browser.touching import put, shown, still, touch
from tests.client.worlds import base, in_match
from tests.patience import until

WHOLE = 360 / 480
"""How large the narrowest phone paints a page."""

pytestmark = [pytest.mark.processes, needs_chromium]


def test_what_is_too_small_is_enlarged_first_and_touched_then(tmp_path: Path) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link(), (360, 640), has_touch=True, is_mobile=True)
        named(tab, "Anna")
        tab.press("game:0")
        tab.press("play")
        eye = Eye(tmp_path)
        until(lambda: (found := eye.status()) is not None and found.phase == "playing")
        view, _over = eye.turn()
        until(lambda: ready(tab, view))
        tile = f"tile:{view.tiles.racks[0][0]}"
        until(lambda: still(tab))
        touch(tab, tile)
        before = shown(tab, tile)
        until(lambda: tab.zoom() == WHOLE)
        tab.page.touchscreen.tap(*until(lambda: tab.place("cell:112")))
        assert tab.zoom() > 1.5 * WHOLE
        tab.page.wait_for_timeout(300)
        assert shown(tab, tile) == before
        for _again in range(9):  # who is late finds all small again
            tab.page.touchscreen.tap(*until(lambda: tab.place("cell:112")))
            with suppress(AssertionError):
                until(lambda: shown(tab, tile) != before, 10)
                break
        assert shown(tab, tile) != before
        until(lambda: tab.zoom() == WHOLE)
        assert tab.errors == []


def _tapped_twice(tab: Tab, wanted: float) -> bool:
    """Tap twice beside the card; who is too slow taps once and once."""
    for _tap in range(2):
        tab.page.touchscreen.tap(5, 420)
    came = bool(tab.zoom() == pytest.approx(wanted))
    if not came:
        tab.page.wait_for_timeout(1000)
    return came


def test_two_taps_beside_everything_enlarge_and_two_more_show_all(
    tmp_path: Path,
) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link(), (390, 844), has_touch=True, is_mobile=True)
        named(tab, "Anna")
        until(lambda: "learn" in tab.names() and still(tab))
        whole = tab.zoom()
        for wanted in (2 * whole, whole):
            until(partial(_tapped_twice, tab, wanted))
        tab.page.touchscreen.tap(5, 420)
        tab.page.touchscreen.tap(385, 420)
        assert tab.zoom() == pytest.approx(whole)
        tab.press("game:1")
        tab.page.touchscreen.tap(5, 420)
        assert tab.zoom() == pytest.approx(whole)
        assert tab.errors == []


def test_all_is_shown_again_as_soon_as_what_was_enlarged_has_gone(
    tmp_path: Path,
) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link(), (360, 640), has_touch=True, is_mobile=True)
        named(tab, "Anna")
        tab.press("game:0")
        tab.press("learn")
        until(lambda: "learn.title" in tab.names())
        while "Blanks" not in tab.names()["learn.title"]:
            title = tab.names()["learn.title"]
            tab.press("learn.next")
            until(partial(_has_gone, tab, title))
        blank = next(name for name, said in tab.names().items() if said == "?")
        until(lambda: still(tab))
        put(tab, blank, "cell:112")
        tab.press("letter:4")  # twice: it is too small at first
        until(lambda: "done" in tab.names())
        assert tab.zoom() == WHOLE
        assert tab.errors == []


def _has_gone(tab: Tab, title: str) -> bool:
    return tab.names().get("learn.title", title) != title


def test_a_tap_into_the_field_that_is_typed_in_leaves_the_keyboard_open(
    tmp_path: Path,
) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link(), (390, 844), has_touch=True, is_mobile=True)
        active = "document.activeElement?.told?.n"
        until(lambda: "field.name" in tab.names() and still(tab))
        tab.press("field.name")
        until(lambda: tab.page.evaluate(active) == "field.name")
        for _again in range(2):
            tab.press("field.name")
            tab.page.wait_for_timeout(400)
            assert tab.page.evaluate(active) == "field.name"
        assert tab.errors == []


def test_a_finger_on_a_slider_that_is_taken_away_closes_no_dialog(
    tmp_path: Path,
) -> None:
    quiet(tmp_path)
    settings.store(tmp_path, Settings(animation="off", volume=20))
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link(), (820, 1180), has_touch=True, is_mobile=True)
        named(tab, "Anna")
        tab.press("preferences")
        until(lambda: "set.volume" in tab.names() and still(tab))
        x, y = until(lambda: tab.place("set.volume"))
        hand = tab.page.context.new_cdp_session(tab.page)

        def touch(kind: str, *where: tuple[float, float]) -> None:
            points = [{"x": at[0], "y": at[1], "id": n} for n, at in enumerate(where)]
            told = {"type": kind, "touchPoints": points}
            hand.send("Input.dispatchTouchEvent", told)

        for how, at in (("second", x), ("cancelled", x - 40)):
            before = shown(tab, "set.volume")
            touch("touchStart", (at, y))
            until(lambda before=before: shown(tab, "set.volume") != before)
            there = shown(tab, "set.volume")
            if how == "second":
                touch("touchStart", (at, y), (at + 60, y + 200))
                touch("touchEnd", (at, y))
                touch("touchEnd")
            else:
                touch("touchCancel")
            tab.page.touchscreen.tap(5, y + 300)
            until(lambda: still(tab))
            assert shown(tab, "set.volume") == there
        assert tab.errors == []


def test_a_finger_that_rests_on_a_square_lays_its_tile(tmp_path: Path) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        tab = opened(chromium, web.link(), (820, 1180), has_touch=True, is_mobile=True)
        named(tab, "Anna")
        until(lambda: "learn" in tab.names())
        games = {said: name for name, said in tab.names().items() if "game:" in name}
        tab.press(next(name for said, name in games.items() if "Numlo" in said))
        tab.press("play")
        until(tab.on_turn)
        eye = Eye(tmp_path)
        view, _over = eye.turn()
        before = eye.moved
        cell = f"cell:{next(iter(numlo.moves(view, 0))).square}"
        until(lambda: cell in tab.names() and still(tab))
        x, y = until(lambda: tab.place(cell))
        hand = tab.page.context.new_cdp_session(tab.page)
        down = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        hand.send("Input.dispatchTouchEvent", down)
        tab.page.wait_for_timeout(900)  # longer than what picks tiles up again
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        until(lambda: eye.view() and eye.moved > before)
        assert tab.errors == []


def test_the_way_back_closes_what_lies_over_the_page_and_then_leaves() -> None:
    size = 390, 844
    plain = in_match(base(size), "networdz", 2, 3)
    over = replace(plain, over=Over.HELP)
    with paged(size) as seen:
        page = seen.page

        def goes_back(times: int) -> None:
            page.evaluate("history.back()")
            until(lambda: page.wait_for_timeout(10) or len(pressed()) == 2 * times)

        def pressed() -> list[bool]:
            keys = [each for each in seen.said if each.get("key") == "escape"]
            return [each["down"] for each in keys]

        seen.show(plain)
        page.mouse.click(5, 5)  # no step back is kept for a page nobody touched
        seen.show(over)
        goes_back(1)
        seen.show(plain)
        seen.show(over)
        goes_back(2)
        assert pressed() == [True, False] * 2
        seen.show(plain)
        seen.show(over)
        seen.show(plain)  # closed by its own button
        page.evaluate("history.back()")
        until(lambda: page.wait_for_timeout(10) or page.url == "about:blank")


def test_what_is_told_as_a_change_looks_as_if_all_were_told_anew() -> None:
    size = 820, 700
    plain = base(size)
    models = [in_match(plain, game, 2, 5) for game in GAMES]
    models += [
        replace(plain, over=Over.PREFERENCES),
        replace(models[0], over=Over.HELP),
    ]
    with paged(size) as seen:
        for model in [*models, *reversed(models)]:
            seen.show(model)
            told = seen.page.screenshot()
            seen.show(model, anew=True)
            assert seen.page.screenshot() == told


PAUSES: Final = """
const real = setTimeout;
window.pauses = [];
window.setTimeout = (does, after) => {
  if (after < 150 || after >= 5000) return real(does, after);
  window.pauses.push(after || 0);
  return real(does, 0);
};
"""
"""Let a page wait for nothing that a user would notice, and count for how long."""


def test_who_comes_back_in_vain_waits_each_time_and_not_for_long() -> None:
    with browser() as chromium:
        page = chromium.new_page()
        page.add_init_script(PAUSES)
        found = Paged(page)
        found.close()
        until(lambda: page.wait_for_timeout(10) or found.came > 12)
        paused = page.evaluate("window.pauses")[:12]
    assert len(paused) == 12
    assert paused == sorted(paused)
    assert paused[0] < 1000 < paused[-1] <= 5000


HELD: Final[list[tuple[dict[str, object], str]]] = [
    ({"key": "ñ", "ctrlKey": True, "altKey": True, "modifierAltGraph": True}, "ñ"),
    ({"key": "Ö", "modifierAltGraph": True}, "Ö"),  # where it is not Windows
    ({"key": "ß", "altKey": True}, "ß"),  # Option of a Mac
    ({"key": "ñ"}, "ñ"),
    ({"key": "ñ", "ctrlKey": True}, ""),
    ({"key": "n", "altKey": True}, ""),
    ({"key": "ß", "ctrlKey": True, "altKey": True}, ""),
]
"""What a key holds, and what it types."""


def test_a_letter_of_the_third_level_is_typed_and_a_shortcut_is_not() -> None:
    with paged((800, 500)) as seen:
        seen.show(in_match(base((800, 500)), "networdz", 2, 3))

        def keys() -> list[dict[str, Any]]:
            return [told for told in seen.said if told["do"] == "key"]

        for count, (held, typed) in enumerate(HELD):
            press = "held => dispatchEvent(new KeyboardEvent('keydown', held))"
            seen.page.evaluate(press, held)
            until(lambda at=count: seen.page.wait_for_timeout(10) or keys()[at:])
            told = keys()[count]
            assert told["text"] == typed, held
            assert (told["ctrl"] or told["alt"]) == (not typed), held


def test_a_dead_key_and_what_is_still_composed_are_left_to_the_browser() -> None:
    """Option and N of a Mac begin a letter that the next key makes."""
    with paged((800, 500)) as seen:
        seen.show(in_match(base((800, 500)), "networdz", 2, 3))
        for kind, held in (
            ("keydown", {"key": "Dead", "code": "KeyN", "altKey": True}),
            ("keyup", {"key": "Dead", "code": "KeyN", "altKey": True}),
            ("keydown", {"key": "Process", "code": "KeyN"}),
            ("keydown", {"key": "n", "code": "KeyN", "isComposing": True}),
        ):
            event = {**held, "cancelable": True}
            press = f"event => dispatchEvent(new KeyboardEvent('{kind}', event))"
            assert seen.page.evaluate(press, event), held  # nothing was prevented
        seen.page.evaluate(
            "dispatchEvent(new KeyboardEvent('keydown', {key: 'ñ', code: 'KeyN'}))"
        )
        until(lambda: seen.page.wait_for_timeout(10) or seen.said[-1]["do"] == "key")
        keys = [told["text"] for told in seen.said if told["do"] == "key"]
        assert keys == ["ñ"]


def test_a_tap_is_a_tap_whatever_has_become_of_the_fingers_before() -> None:
    size = 820, 1180
    with paged(size) as seen:
        root = seen.show(replace(base(size), over=Over.PREFERENCES))
        hand = seen.page.context.new_cdp_session(seen.page)
        node = find(root, "close")
        assert node is not None

        def touch(kind: str, *where: tuple[float, float]) -> None:
            points = [{"x": at[0], "y": at[1], "id": n} for n, at in enumerate(where)]
            told = {"type": kind, "touchPoints": points}
            hand.send("Input.dispatchTouchEvent", told)

        def tapped() -> list[tuple[str, str]]:
            points = [each for each in seen.said if each["do"] == "point"]
            return [(each["what"], each.get("at", "")) for each in points]

        wanted = [("down", "close"), ("up", "close"), ("left", "")]
        for end, second in product(("touchEnd", "touchCancel"), (False, True)):
            touch("touchStart", (5, 5))
            if second:
                touch("touchStart", (5, 5), (60, 200))
            touch(end)
            seen.page.wait_for_timeout(50)  # what these fingers still say comes first
            seen.said.clear()
            touch("touchStart", node.rect.centre)
            touch("touchEnd")
            until(lambda: seen.page.wait_for_timeout(10) or tapped() == wanted)


def test_of_a_file_that_was_cut_off_nothing_is_in_the_next() -> None:
    with paged((800, 500)) as seen:
        seen.show(base((800, 500)))
        with seen.page.expect_download() as saved:
            for name, data, end in (("one", b"begun", False), ("two", b"all", True)):
                piece = {"do": "save", "name": name, "at": 0, "end": end}
                seen.tell({**piece, "data": b64encode(data).decode()})
        assert saved.value.suggested_filename == "two"
        assert Path(saved.value.path()).read_bytes() == b"all"
