"""What a guest's session may do by itself: nothing to the computer it runs on."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing
from msgspec.structs import replace

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
from client.browser.guests import GONE_SECONDS, SEES, GuestSession, token_of
from client.browser.session import PageSession
from client.pages import bar
from client.ui.intents import Click, Focus, Key
from client.ui.scene import Means, top, walk
from client.ui.texts import _, phrase
from netplay import VERSION, wire
from netplay.daemon.lending import Lending, Lent
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.table_questions import Agreeing, MakeOffer, Phase, Seen
from netplay.said import Words
from netplay.sentences import Says
from rules import GAMES
from rules.game import Resign
from tests.client.worlds import at_match, base, in_match, status


def session(home: Path, model: Model | None = None) -> GuestSession:
    return GuestSession(model or Model(), home, b"shown", lambda _words: None)


def kept(home: Path) -> list[Path]:
    return sorted(home.rglob("*"))


async def test_a_guest_touches_no_file_and_no_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = session(tmp_path)
    before = kept(tmp_path)
    async with trio.open_nursery() as nursery:
        guest.nursery = nursery
        effects = [
            Browse("/"), Peek(("/etc/passwd",)), Report(str(tmp_path / "r"), True),
            OpenLinks(True), Store(), Quit(), Copy("mine"),
        ]  # fmt: skip
        monkeypatch.setattr("client.session.update", lambda now, _: (now, effects))
        guest.on_event(Focus(""))
        assert not nursery.child_tasks
    guest.store()
    assert kept(tmp_path) == before
    assert not guest.done
    sent = list[dict[str, Any]]()
    guest.attach(lambda data: sent.append(json.loads(data)), 1280, 800)
    guest.show()
    assert sent[0]["news"] == [{"do": "copy", "text": "mine"}]


async def test_a_guest_is_away_once_the_page_is_and_not_while_it_is_loaded_anew(
    tmp_path: Path, autojump_clock: object
) -> None:
    guest, asked = session(tmp_path), list[door.Request]()
    guest.link = cast("Any", SimpleNamespace(ask=asked.append))
    pages: list[Callable[[bytes], None]] = [lambda _data, _n=n: None for n in range(4)]
    async with trio.open_nursery() as nursery:
        guest.nursery = nursery
        for page in pages[:3]:
            guest.attach(page, 1280, 800)
            guest.detach(page)
            await trio.sleep(0.6 * GONE_SECONDS)
        guest.attach(pages[3], 1280, 800)
        await trio.sleep(3 * GONE_SECONDS)
        assert [one.ask for one in asked] == []
        guest.detach(pages[3])
        await trio.sleep(2 * GONE_SECONDS)
        assert [one.ask for one in asked] == [Seen(False)]
        guest.attach(pages[0], 1280, 800)
        assert [one.ask for one in asked] == [Seen(False), Seen(True)]
        guest.came()  # the node has begun anew: it takes whoever comes to be there
        assert [one.ask for one in asked][2:] == []
        guest.detach(pages[0])
        await trio.sleep(2 * GONE_SECONDS)
        guest.came()
        assert [one.ask for one in asked][2:] == [Seen(False)] * 2


@pytest.mark.parametrize("key", ["f2", "f3", "f4", "escape", "f1"])
async def test_no_key_shows_a_guest_more_than_the_match(
    key: str, tmp_path: Path
) -> None:
    guest = session(tmp_path, at_match(base()))
    guest.on_event(Key(key))
    assert guest.model.over in SEES


async def test_no_click_shows_a_guest_more_than_the_match(tmp_path: Path) -> None:
    own = at_match(base())
    there = {n.name: n.means for n in walk(session(tmp_path, own).root) if n.live}
    offered: dict[str, Means | None] = {
        "load": bar.Load(),
        "save": bar.Save(),
        "leave": bar.Leave(),
        "preferences": bar.Preferences(),
        "dictionary": bar.Dictionary(),
        "finished": bar.History(),
        "games": bar.Games(),
    }
    for name, means in {**there, **offered, "rename": bar.Rename()}.items():
        guest = session(tmp_path, own)
        guest.on_event(Click(name, means=means))
        assert guest.model.over in SEES, name
    names = {node.name for node in walk(session(tmp_path, own).root)}
    assert not names & offered.keys()


def asked_by(guest: GuestSession) -> Iterator[tuple[str, Any]]:
    """Yield what every button of a guest's page asks of the node, also in dialogs."""
    start = guest.model
    todo, seen = [start], set[str]()
    while todo:
        model = todo.pop()
        guest.model = model
        guest.on_event(Focus(""))
        for node in [each for each in walk(top(guest.root)) if each.live]:
            name = node.name
            if name in seen:
                continue
            seen.add(name)
            guest.model = model
            guest.on_event(Focus(""))
            link = Asked()
            guest.link = cast("Link", link)  # it only asks
            guest.on_event(Click(name, means=node.means))
            yield from ((name, request) for request in link.asked)
            if guest.model.over is not model.over:
                todo.append(guest.model)


class Asked:
    """A way to the node that keeps what is asked."""

    def __init__(self) -> None:
        self.asked: list[door.Request] = []

    def ask(self, request: door.Request) -> None:
        self.asked.append(request)


@pytest.mark.parametrize("phase", ["playing", "paused", "stopped", "over"])
@pytest.mark.parametrize("game", list(GAMES))
async def test_no_button_of_a_guest_asks_what_the_node_refuses(
    game: str, phase: Phase, tmp_path: Path
) -> None:
    lending = Lending(tmp_path, os.urandom, print)
    shown = lending.lend(b"m", 0)
    lent = Lent(b"m".hex(), 0, hashlib.sha256(shown).hexdigest())
    guest = session(tmp_path, in_match(base(), game, 2, 4))
    own = guest.model.table
    assert own is not None
    may = Agreeing(may=((0, "stop"), (0, "draw")))
    places = (1, 2) if phase == "over" else ()
    told = replace(own, phase=phase, hosting=False, offers=may, places=places)
    guest.hear(status(table=replace(told, audit="ok" if places else "")))
    found = list(asked_by(guest))
    for _name, request in found:
        lending.allowed(lent, request, 1, {0: "Bert"})
    offers = [request for _name, request in found if isinstance(request.ask, MakeOffer)]
    assert bool(offers) is (phase in ("playing", "paused"))
    played = [each.ask.move for _, each in found if isinstance(each.ask, door.Play)]
    assert (wire.pack(Resign()) in played) is (phase == "playing")
    names = {node.name for node in walk(guest.root)}
    assert not names & {"rematch", "home", "game.quit", "game.new", "go-on", "side:2"}


def test_a_guest_is_not_told_whom_the_owner_has_blocked(tmp_path: Path) -> None:
    lending, match = Lending(tmp_path, os.urandom, print), b"m" * 32
    assert lending.knock(5, lending.lend(match, 0)) is not None
    own = in_match(base(), "numlo", 2, 4).table
    assert own is not None
    one, other = own.seats
    seats = one, replace(other, kind="remote", state="blocked", since=-1)
    told = lending.shown_to_guest(5, status(table=replace(own, seats=seats)), match)
    assert isinstance(told, door.Status)
    assert told.table is not None
    assert told.table.seats[1].state == "away"


async def test_a_guest_without_its_table_sees_no_page_of_the_owners(
    tmp_path: Path,
) -> None:
    guest = session(tmp_path)
    guest.hear(status(name="Bert"))
    names = {node.name for node in walk(guest.root) if node.live}
    assert names <= {"help"}
    assert guest.model.over is Over.NONE


def read(guest: GuestSession) -> str:
    return " ".join(node.text for node in walk(guest.root) if node.text)


async def test_a_guest_whose_host_has_left_the_game_does_not_wait_for_a_beginning(
    tmp_path: Path,
) -> None:
    guest = session(tmp_path)
    guest.came()
    guest.hear(door.Seated(b"t" * 32, b"m" * 32, 1))
    begun = in_match(base(), "numlo", 2, 4).table
    guest.hear(status(name="Bert", table=begun))
    played = read(guest)
    guest.hear(status(name="?"))
    left = read(guest)
    onlooker = session(tmp_path)
    onlooker.came()
    onlooker.hear(door.Seated(b"t" * 32, b"m" * 32, door.BYSTANDER))
    onlooker.hear(status(name="?"))
    assert played != left
    assert _("The game is not open right now.") in left
    assert _("Waiting for the game …") not in left
    assert _("Waiting for the game …") in read(onlooker)


async def test_an_owners_phone_is_not_told_to_open_a_window(tmp_path: Path) -> None:
    own = PageSession(in_match(base(), "numlo", 2, 4), tmp_path)
    own.gone(Says.NODE_ENDED())
    said, bad = bar.passing(own.model)
    assert bad
    assert phrase(Says.NODE_ENDED()) not in said
    at_home = replace(own.model, apart=False)
    assert phrase(Says.NODE_ENDED()) in bar.passing(at_home)[0]


async def test_a_guest_is_ended_by_nothing_but_that_its_seat_is_lent_no_more(
    tmp_path: Path,
) -> None:
    said: list[Words] = []
    guest = GuestSession(Model(), tmp_path, b"shown", said.append)
    guest.hear(door.failed(0, LocalError(Code.DISK, "full")))
    assert (said, guest.done) == ([], False)
    no_more = Says.SEAT_LENT_NO_MORE()
    guest.hear(door.failed(0, LocalError(Code.USAGE, no_more)))
    assert (said, guest.done) == ([no_more], True)


async def test_a_guest_is_not_told_to_start_the_node_of_another(tmp_path: Path) -> None:
    guest = session(tmp_path, in_match(base(), "numlo", 2, 4))
    guest.gone(Says.NODE_ENDED())
    said, bad = bar.passing(guest.model)
    assert bad
    read = " ".join(node.text for node in walk(guest.root) if node.text)
    assert said.partition(".")[0] in read
    assert phrase(Says.NODE_ENDED()) not in said


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
        nursery.start_soon(link.keep_open)
        await heard.wait()
        nursery.cancel_scope.cancel()
    assert knocks[0] == door.Knock(b"", VERSION, True, b"shown")
