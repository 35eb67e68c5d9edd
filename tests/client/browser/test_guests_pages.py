"""Pages of those who were lent a seat: how they look, and when they count as gone."""

from pathlib import Path

import pytest
import trio

from client.app import settings
from client.app.settings import Settings
from client.browser import drawing
from client.pages import screen
from client.ui.scene import find
from client.ui.theme import CONTRAST, DARK, LIGHT, Look
from netplay.errors import Code
from netplay.messages import door
from netplay.messages.table_questions import Seen
from netplay.sentences import Says
from netplay.web_place import GUEST_MARK
from tests.client.browser.chromium import Tab, browser, needs_chromium
from tests.client.browser.paged import Paged
from tests.client.browser.test_server import Browser, Site, entered, site
from tests.client.worlds import base
from tests.patience import until

ENTRY = f"{GUEST_MARK}{b'link'.hex()}"


def lends(found: Site) -> None:
    """Let the node lend a seat to whoever shows a link."""
    usual = found.node.answer

    def answer(message: door.ToNode) -> list[door.FromNode]:
        if isinstance(message, door.Knock) and message.guest:
            token = bytes(range(door.TOKEN_BYTES))
            return [door.Seated(token, bytes(32), 1), *usual(message)]
        return usual(message)

    found.node.answer = answer  # type: ignore[method-assign]


def heard(found: Site) -> list[bool]:
    """Return what the node was told of the guest's page."""
    return [ask.here for ask in found.node.asked if isinstance(ask, Seen)]


async def shown(page: Browser) -> dict[str, object]:
    """Return the first frame of a page."""
    while "scene" not in (told := await page.told()):
        pass
    return told


@pytest.mark.parametrize(
    ("wishes", "language", "theme"),
    [
        ({"lang": "de-AT", "dark": True}, "de", DARK),
        ({"lang": "ru", "contrast": True, "dark": True}, "ru", CONTRAST),
        ({"lang": "pt-BR"}, "fr", LIGHT),
        ({}, "fr", LIGHT),
    ],
)
async def test_a_guests_page_is_as_the_browser_is_set(
    wishes: dict[str, object], language: str, theme: object, tmp_path: Path,
    autojump_clock: object,
) -> None:  # fmt: skip
    settings.store(tmp_path, Settings(language="fr", theme=LIGHT.name))
    async with site(tmp_path) as found:
        lends(found)
        page, _told = await entered(found, entry=ENTRY, **wishes)
        first = await shown(page)
        assert first["lang"] == language
        assert first["theme"] == drawing.colours(Look(theme))
    assert settings.load(tmp_path)[0] == Settings(language="fr", theme=LIGHT.name)


async def test_who_is_turned_away_is_told_so_in_the_browsers_language(
    tmp_path: Path, autojump_clock: object
) -> None:
    settings.store(tmp_path, Settings(language="en"))
    async with site(tmp_path) as found:
        usual = found.node.answer

        def answer(message: door.ToNode) -> list[door.FromNode]:
            if isinstance(message, door.Knock) and message.guest:
                error = Says.SEAT_LENT_NO_MORE()
                return [door.Failed(0, Code.USAGE.number, error)]
            return usual(message)

        found.node.answer = answer  # type: ignore[method-assign]
        _page, told = await entered(found, entry=ENTRY, lang="es")
        _other, english = await entered(found, entry=ENTRY, lang="en")
        assert (told["lang"], english["lang"]) == ("es", "en")
        assert told["refused"] != english["refused"]


async def test_a_page_that_is_loaded_anew_is_not_told_as_gone(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        lends(found)
        page, told = await entered(found, entry=ENTRY)
        await trio.sleep(1)
        for _ in range(20):
            await page.stream.aclose()
            await trio.sleep(0.5)
            page, _told = await entered(found, token=told["token"])
        await trio.sleep(20)
        assert heard(found) == []
        await page.stream.aclose()
        await trio.sleep(10)
        assert heard(found) == [False]
        await entered(found, token=told["token"])
        await trio.sleep(1)
        assert heard(found) == [False, True]


@pytest.mark.processes
@needs_chromium
def test_letters_grow_with_those_of_the_browser_and_its_wishes_are_told() -> None:
    """Half as large again: the page is laid out for as much less room."""
    with browser("--blink-settings=defaultFontSize=24") as chromium:
        context = chromium.new_context(
            viewport={"width": 1800, "height": 1200}, locale="de-DE",
            color_scheme="dark", reduced_motion="reduce", contrast="more",
        )  # fmt: skip
        page = Paged(context.new_page())
        (hello,) = [each for each in page.said if each["do"] == "hello"]
        assert (hello["w"], hello["h"]) == (1200, 800)
        assert hello["lang"] == "de-DE"
        assert (hello["dark"], hello["contrast"], hello["still"]) == (True, True, True)
        model = base((1200, 800))
        page.show(model)
        tab = Tab(page.page)
        x, y = until(lambda: tab.place("play"))
        node = find(screen.scene(model), "play")
        assert node is not None
        middle = (1.5 * node.rect.centre[0], 1.5 * node.rect.centre[1])
        assert (x, y) == pytest.approx(middle, abs=2)
        wait = page.page.wait_for_timeout
        page.page.mouse.click(x, y)
        until(lambda: wait(5) or page.said[-1].get("what") == "up")
        assert page.said[-1]["at"] == "play"
        page.page.set_viewport_size({"width": 900, "height": 1500})
        until(lambda: wait(5) or page.said[-1]["do"] == "size")
        assert (page.said[-1]["w"], page.said[-1]["h"]) == (600, 1000)
        assert page.errors == []
