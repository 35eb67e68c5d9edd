"""The owner's browsers, as the window lists them, lets one in and forgets one."""

from collections.abc import Iterator

import pytest

from client.app.model import Model, Over, Show
from client.browser.guests import SEES
from client.pages import devices, screen
from client.ui import texts as languages
from client.ui.intents import Click, Key
from client.ui.scene import Node, find, walk
from client.ui.theme import SMALLEST
from client.update import update
from netplay import wire
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.node_questions import ForgetDevice, GetDevices, Pair, Paired
from netplay.sentences import Says
from tests.client.worlds import asks, base, fed, status
from tests.said import says

PRINT = ":".join(["AB"] * 32)
FAR = Paired("https://192.168.1.5:7948/#ABCD2345", PRINT)
HERE = Paired("http://127.0.0.1:7947/#ABCD2345", "")


def opened(size: tuple[int, int] = (1280, 800)) -> Model:
    model = fed(base(size), status(name="Anna"))
    return fed(model, Click("devices", means=devices.Browsers()))


def click(model: Model, name: str) -> Click:
    """Return a click on what stands in the window."""
    node = find(screen.scene(model), name)
    assert node is not None
    assert node.enabled
    return Click(name, means=node.means)


def answer(model: Model, data: object) -> tuple[Model, tuple[object, ...]]:
    number = max(model.asked)
    return update(model, door.Done(number, data=wire.pack(data)))


def text(model: Model) -> str:
    return " ".join(node.text for node in walk(screen.scene(model)))


def test_the_start_page_opens_it_and_asks_who_is_let_in() -> None:
    model = fed(base(), status(name="Anna"))
    assert asks(model, click(model, "devices")) == [GetDevices()]
    shown, _effects = answer(opened(), (("Phone", 1_760_000_000),))
    assert {"Phone,", "2025-10-09"} < {*text(shown).split()}
    gone = click(shown, "devices.forget:Phone")
    assert asks(shown, gone) == [ForgetDevice("Phone")]
    left, _effects = answer(fed(shown, gone), ())
    assert "Phone" not in text(left)
    assert fed(left, Key("escape")).over is Over.NONE


def test_nothing_is_served_before_the_player_says_for_whom() -> None:
    model, _effects = answer(opened(), ())
    assert asks(model, click(model, "devices.far")) == [Pair(here=False)]
    assert asks(model, click(model, "devices.here")) == [Pair(here=True)]


def test_a_phone_is_shown_a_code_and_by_what_to_know_the_computer() -> None:
    model = opened()
    model, effects = answer(fed(model, click(model, "devices.far")), FAR)
    assert effects == ()
    assert FAR.link in text(model)
    assert PRINT in text(model)
    assert find(screen.scene(model), "devices.code") is not None


def test_the_browser_of_this_computer_opens_by_itself() -> None:
    model = opened()
    model, effects = answer(fed(model, click(model, "devices.here")), HERE)
    assert effects == (Show(HERE.link),)
    assert HERE.link in text(model)


def test_what_goes_wrong_is_said_in_the_dialog() -> None:
    model = opened()
    model = fed(model, click(model, "devices.far"))
    error = LocalError(Code.FAULT, Says.PAGES_NOT_SERVED())
    model = fed(model, door.failed(max(model.asked), error))
    assert says(text(model), Says.PAGES_NOT_SERVED)


def test_no_guest_ever_sees_it() -> None:
    assert Over.DEVICES not in SEES


@pytest.fixture(params=["de", "fr", "es", "ru", "en"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    languages.speak(request.param)
    yield request.param
    languages.speak("en")


def inside(root: Node, box: Node) -> None:
    for node in walk(box):
        assert node.rect.right <= box.rect.right, node
        assert node.rect.bottom <= box.rect.bottom, node
    assert box.rect.bottom <= root.rect.bottom


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("made", [None, FAR, HERE])
def test_the_dialog_fits_into_the_smallest_window(made: Paired | None) -> None:
    model = opened(SMALLEST)
    model, _effects = answer(model, tuple((f"Phone {n}", n) for n in range(9)))
    if made is not None:
        name = "devices.far" if made.fingerprint else "devices.here"
        model, _effects = answer(fed(model, click(model, name)), made)
    root = screen.scene(model)
    box = find(root, "devices.box")
    assert box is not None
    inside(root, box)
