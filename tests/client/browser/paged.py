"""The page's own files in Chromium, shown any page of the window: no node behind it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Final

from client.app.model import Model
from client.browser import drawing
from client.browser.server import files
from client.pages import screen
from client.ui import texts
from client.ui.scene import Node, Touch, shift
from client.ui.theme import Look
from tests.client.browser.chromium import browser, follow
from tests.client.page_pictures import pages
from tests.client.worlds import base
from tests.patience import PATIENCE, until

ADDRESS: Final = "http://127.0.0.1:9"
"""Where nothing answers: what the page asks for is given to it by the test."""

ONE_OF_A_KIND: Final = (
    "full", "lesson", "places", "nothing", "chooser", "browser", "neighbour",
)  # fmt: skip
"""Begin the names of pages of which there are many alike."""

ALIKE: Final = (
    "lesson 1 of networdz", "lesson 3 of lhexicon", "lesson 2 of hexcolumns",
    "chooser to save", "chooser to load", "browser to save", "browser to load",
    "full start, waiting, with faults",
    "full table", "full guest, rules changed", "full networdz, asked",
    "full lhexicon, doubted", "full numlo, review", "full hexagrams, over",
    "full hexcolumns, rows coming", "full person", "full games, friends",
    "full finished games", "full preferences",
)  # fmt: skip
"""Those of them that stand for the others."""


def chosen(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield every kind of page, and of those that are alike a few."""
    for name, page in pages(model):
        if name in ALIKE or not name.startswith(ONE_OF_A_KIND):
            yield name, page


class Paged:
    """A page that shows what it is told to."""

    def __init__(self, page: Any) -> None:
        """Load the page, from its files alone."""
        self.page = page
        self.said: list[dict[str, Any]] = []
        """What the page has said, but for what it has painted."""
        self.errors: list[str] = []
        self.shut, self.came = False, 0
        """Whether nobody is let in any more, and how often the page has come."""
        self._frame = self._painted = 0
        self._shown: tuple[Node, Look] | None = None
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route("**/*", self._answer)
        page.route_web_socket("**/page", self._connect)
        page.goto(ADDRESS)
        until(lambda: self._there() is not None)

    def _answer(self, route: Any) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        found = files().get(path)
        if found is None:
            route.abort()
        else:
            route.fulfill(body=found.data, content_type=found.kind)

    def _connect(self, socket: Any) -> None:
        self.came += 1
        if self.shut:
            socket.close()
            return
        self._socket = socket
        socket.on_message(self._hear)

    def _hear(self, text: str) -> None:
        said = json.loads(text)
        if said["do"] == "drawn":
            self._painted = said["frame"]
        elif said["do"] == "there":
            self._socket.send('{"there":true}')
        else:
            self.said.append(said)

    def _there(self) -> bool | None:
        self.page.wait_for_timeout(10)  # what has come is heard meanwhile
        return True if any(each["do"] == "hello" for each in self.said) else None

    def close(self) -> None:
        """Let the page in no more."""
        self.shut = True
        self._socket.close()

    def tell(self, *news: dict[str, Any]) -> None:
        """Tell the page what only it can do."""
        self._socket.send(json.dumps({"frame": self._frame, "news": news}))

    def show(
        self, model: Model, touch: Touch | None = None, *, anew: bool = False
    ) -> Node:
        """Show a page of the window, and wait until it is painted and read.

        Unless it is told anew it is told as what has changed: beside its place at
        first, and then moved there, so that what the page makes of either is seen.
        """
        root, look = screen.scene(model), model.look
        touch = touch or Touch()
        if anew or self._shown is None or self._shown[1] != look:
            told = [{"scene": drawing.whole(root, look)}]
        else:
            steps = self._shown[0], shift(root, 7, -5), root
            made = [drawing.change(*each, look) for each in pairwise(steps)]
            told = [{"change": change} for change in made if change is not None]
        self._shown = root, look
        for scene in told:
            self._frame += 1
            more = {
                "theme": drawing.colours(look),
                "touch": {"focus": touch.focus, "hover": "", "pressed": "", "lift": "",
                          "by": [0, 0], "over": ""},
                "lang": texts.spoken(), "title": screen.title(model),
                "frame": self._frame,
            }  # fmt: skip
            self._socket.send(json.dumps({**scene, **more}))
        until(lambda: self.page.wait_for_timeout(5) or self._painted == self._frame)
        follow(self.page)
        return root


@contextmanager
def paged(size: tuple[int, int]) -> Iterator[Paged]:
    """Open a page of so many pixels."""
    with browser() as chromium:
        shape = {"width": size[0], "height": size[1]}
        context = chromium.new_context(viewport=shape)
        context.set_default_timeout(1000 * PATIENCE)
        found = Paged(context.new_page())
        yield found
        assert found.errors == []


def models() -> dict[str, Model]:
    """Return every kind of page as the usual window has it."""
    return dict(chosen(base()))
