"""Pages show, and their controls do, what somebody has read and found right."""

from collections.abc import Iterator
from difflib import unified_diff

import pytest
from msgspec.structs import replace

from client.app.model import Ask, Give, Model, Over
from client.pages import screen
from client.ui import hand
from client.ui.intents import Click
from client.ui.scene import Node, Role, top, walk
from netplay.errors import Code, LocalError, PeerError
from netplay.messages import door
from tests.client.clicking import update
from tests.client.reviewing_pages import KINDS, PLACE, SAID, built, told


@pytest.mark.parametrize("kind", [*KINDS, SAID])
def test_pages_show_and_do_what_somebody_has_read(kind: str) -> None:
    read = (PLACE / f"{kind}.txt").read_text("utf-8").splitlines()
    apart = unified_diff(read, told(kind).splitlines(), "read", "shown", n=1)
    found = "\n".join(apart)
    assert not found, (
        f"\n{found}\n\nAs it is to be? See tests/client/reviewing_pages.py"
    )


def filled(page: Model) -> tuple[Model, Node]:
    """Return a page with something typed in each of its fields, and its scene."""
    root = top(screen.scene(page))
    fields = [node.name for node in walk(root) if node.role is Role.ENTRY]
    if not fields:
        return page, root
    typed = dict.fromkeys(fields, hand.of("/tmp/abcdef"))
    page = replace(page, edits={**page.edits, **typed})
    return page, top(screen.scene(page))


def asked(page: Model) -> Iterator[tuple[str, Model, int]]:
    """Yield what each control of a page asks, and the page that waits for it."""
    page, root = filled(page)
    for node in walk(root):
        if node.live and node.enabled and node.means is not None:
            after, effects = update(page, Click(node.name, means=node.means))
            for one in effects:
                if isinstance(one, Ask) and one.request.id in after.asked:
                    what = after.asked[one.request.id].rstrip("0123456789")
                    yield what, after, one.request.id


def test_what_lies_over_a_page_is_read_and_no_late_answer_closes_it() -> None:
    """The answer is for the page that has asked: meanwhile the help was opened."""
    unread, seen, wrong = {*Over} - {Over.LEARN}, set[str](), list[str]()
    for kind in KINDS:
        for name, model in built(kind):
            unread -= {model.over, model.offer}  # but lessons, which have own tests
            for what, waits, number in asked(model):
                if what in seen:
                    continue
                seen.add(what)
                there = replace(waits, over=Over.HELP)
                refused = door.failed(number, LocalError(Code.USAGE, "no"))
                for answer in (refused, door.Done(number, "yes")):
                    try:
                        after, effects = update(there, answer)
                    except PeerError:
                        continue  # the answer to this brings more than words
                    if after.over is not Over.HELP or any(
                        isinstance(effect, Give) for effect in effects
                    ):
                        wrong.append(f"{kind}, {name}: {what}, {answer}")
    assert not unread
    assert not wrong
