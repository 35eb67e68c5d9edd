"""What a session tells its page, and what it takes from it."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from client.app.model import Copy, Flash
from client.browser import talk
from client.browser.session import PageSession
from tests.client.worlds import base, fed, status

FIELD = "field.address"


def session(home: Path, **changes: Any) -> PageSession:
    model = fed(base(), status())
    return PageSession(
        replace(model, settings=replace(model.settings, **changes)), home
    )


def told(frames: list[bytes]) -> list[Any]:
    return [news for frame in frames for news in msgspec.json.decode(frame)["news"]]


async def test_an_old_page_that_ends_leaves_its_session_to_the_new_one(
    tmp_path: Path,
) -> None:
    found = session(tmp_path)
    old, new = list[bytes](), list[bytes]()
    first, second = old.append, new.append
    found.attach(first, 900, 600)
    found.attach(second, 900, 600)
    found.detach(first)
    found.show()
    assert (len(old), len(new)) == (0, 1)
    found.detach(second)
    assert not found.shown


async def test_a_page_that_was_away_is_told_the_latest(tmp_path: Path) -> None:
    found, frames = session(tmp_path), list[bytes]()
    for number in range(60):
        found.on_screen(Copy(str(number)))
    found.attach(frames.append, 900, 600)
    found.show()
    assert [each["text"] for each in told(frames)] == [str(n) for n in range(10, 60)]


@pytest.mark.parametrize("notify", [True, False])
async def test_a_page_tells_of_a_turn_only_where_notices_are_wanted(
    tmp_path: Path, *, notify: bool
) -> None:
    found, frames = session(tmp_path, notify=notify), list[bytes]()
    found.attach(frames.append, 900, 600)
    found.on_screen(Flash(title="Numlo", text="Your turn"))
    found.show()
    (flash,) = told(frames)
    assert (flash["do"], flash["text"]) == ("flash", "Your turn" if notify else "")


@pytest.mark.parametrize("texts", [
    ("a", "aa", "aaa", "aa"), ("ab", "abab", "ab"), ("otto", "oto", "otto"),
])  # fmt: skip
async def test_letters_that_come_twice_arrive_as_typed(
    tmp_path: Path, texts: tuple[str, ...]
) -> None:
    found = session(tmp_path)
    for turn, text in enumerate(texts, 1):
        end = len(text)
        found.said(talk.Edited(FIELD, text, end, end, turn))
        assert found.model.edits[FIELD].text == text
