"""What a guest's session may do by itself: nothing to the computer it runs on."""

from pathlib import Path

import pytest
import trio
import trio.testing

from client.app.link import Link
from client.app.model import (
    Browse,
    Copy,
    Model,
    OpenLinks,
    Over,
    Peek,
    Quit,
    Report,
    Store,
)
from client.browser.guests import SEES, GuestSession, token_of
from client.ui.intents import Click, Key
from client.ui.scene import walk
from netplay import VERSION, wire
from netplay.messages import door
from tests.client.worlds import at_match, base, status


def session(home: Path, model: Model | None = None) -> GuestSession:
    return GuestSession(model or Model(), home, b"shown", lambda _words: None)


def kept(home: Path) -> list[Path]:
    return sorted(home.rglob("*"))


async def test_a_guest_touches_no_file_and_no_setting(tmp_path: Path) -> None:
    guest = session(tmp_path)
    before = kept(tmp_path)
    async with trio.open_nursery() as nursery:
        guest.nursery = nursery
        for effect in (
            Browse("/"), Peek(("/etc/passwd",)), Report(str(tmp_path / "r"), True),
            OpenLinks(True), Store(), Quit(),
        ):  # fmt: skip
            guest._do(effect)
        assert not nursery.child_tasks
    guest.store()
    assert kept(tmp_path) == before
    assert not guest.done
    guest._do(Copy("mine"))
    assert guest._news == [{"do": "copy", "text": "mine"}]


@pytest.mark.parametrize("key", ["f2", "f3", "f4", "escape", "f1"])
async def test_no_key_shows_a_guest_more_than_the_match(
    key: str, tmp_path: Path
) -> None:
    guest = session(tmp_path, at_match(base()))
    guest.take(Key(key))
    assert guest.model.over in SEES


async def test_no_click_shows_a_guest_more_than_the_match(tmp_path: Path) -> None:
    own = at_match(base())
    every = {node.name for node in walk(session(tmp_path, own).root) if node.live}
    offered = {
        "load",
        "save",
        "leave",
        "preferences",
        "dictionary",
        "finished",
        "games",
    }
    for name in every | offered | {"rename", "help", "player0", "player1"}:
        guest = session(tmp_path, own)
        guest.take(Click(name))
        assert guest.model.over in SEES, name
    names = {node.name for node in walk(session(tmp_path, own).root)}
    assert not names & offered


async def test_a_guest_without_its_table_sees_no_page_of_the_owners(
    tmp_path: Path,
) -> None:
    guest = session(tmp_path)
    guest.hear(status(name="Bert"))
    names = {node.name for node in walk(guest.root) if node.live}
    assert names <= {"help"}
    assert guest.model.over is Over.NONE


async def test_a_guest_without_a_token_is_not_let_in_as_the_owner(
    tmp_path: Path,
) -> None:
    with pytest.raises(ValueError, match="owner"):
        GuestSession(Model(), tmp_path, b"", lambda _words: None)
    for text in ("g.", "g.xy", "", "x"):
        assert not token_of(text)


async def test_a_guest_knocks_with_what_it_was_lent_and_never_the_owners_token(
    tmp_path: Path,
) -> None:
    knocks: list[door.ToNode] = []
    heard = trio.Event()

    async def opener(_home: Path) -> tuple[trio.abc.Stream, bytes]:
        ours, theirs = trio.testing.memory_stream_pair()

        async def read() -> None:
            reader = wire.FrameReader()
            reader.feed(bytes(await ours.receive_some(1000)))
            frame = reader.next()
            assert frame is not None
            knocks.append(wire.decode_to_node(frame))
            heard.set()
            await ours.aclose()

        nursery.start_soon(read)
        return theirs, b"the owner's token"

    async with trio.open_nursery() as nursery:
        link = session(tmp_path).way(opener)
        assert isinstance(link, Link)
        nursery.start_soon(link.run)
        await heard.wait()
        nursery.cancel_scope.cancel()
    assert knocks[0] == door.Knock(b"", VERSION, True, b"shown")
