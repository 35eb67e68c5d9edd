"""The owner's phone, from where a person begins: the window, a picture, the phone."""

import shutil
from pathlib import Path

import pytest

from netplay.home import Home
from netplay.web_devices import Devices
from tests.client import playing
from tests.client.browser.chromium import PHONE, browser, needs_chromium, opened, quiet
from tests.client.browser.test_seated import picture
from tests.client.browser.touching import modules, read
from tests.client.test_window import TOOLS
from tests.patience import until

MISSING = [tool for tool in (*TOOLS, "scrot") if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    needs_chromium,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


@pytest.mark.slow  # the phone in `test_devices.py`, the dialog in its namesake outside
def test_the_window_pairs_a_phone_lists_it_and_takes_it_away(tmp_path: Path) -> None:
    (tmp_path / playing.NAMED[0]).mkdir()
    quiet(tmp_path / playing.NAMED[0])
    with playing.tables(tmp_path, 1) as (anna,), browser() as chromium:
        anna.click("devices")
        anna.until(lambda: anna.node_named("devices.far").get("enabled", True))
        anna.click("devices.far")
        anna.until(lambda: anna.shown("devices.code"))
        anna.until(
            lambda: picture(anna, "devices.code", tmp_path).get_at((0, 0))[0] > 240
        )
        link = read(modules(picture(anna, "devices.code", tmp_path)))
        assert link == anna.node_named("devices.link")["text"]
        assert link.startswith("https://")
        tab = opened(
            chromium, link, PHONE, has_touch=True, is_mobile=True,
            ignore_https_errors=True,
        )  # fmt: skip
        until(lambda: tab.place("menu"))
        anna.click("close")
        anna.until(lambda: not anna.shown("devices.box"))
        (known,) = Devices(anna.home).all()
        anna.click("devices")
        anna.click(f"devices.forget:{known.name}")
        until(lambda: not Devices(anna.home).all())
        until(lambda: "no longer" in tab.page.inner_text("#message"))
        assert Home(anna.home).setting("pages") == "own"
