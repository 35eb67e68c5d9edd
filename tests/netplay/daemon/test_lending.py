"""A seat lent to a browser: one guest, one seat, and nothing else of the node."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest

from netplay import VERSION, wire
from netplay.daemon.lending import FILE
from netplay.daemon.visit import Visit
from netplay.door_place import LOOPBACK, door_place
from netplay.errors import LocalError
from netplay.home import Home
from netplay.limits import CHAT_LINES, DOOR_FRAME_BYTES, DOOR_GUESTS, LENT_LOOKS
from netplay.messages import door
from netplay.messages.door import (
    BYSTANDER,
    ChangeTable,
    Consent,
    Done,
    Earlier,
    Failed,
    Hint,
    HostTable,
    Knock,
    Line,
    LookBack,
    Notice,
    Play,
    Request,
    Say,
    Seated,
    StartMatch,
    Status,
    View,
    Watch,
)
from netplay.messages.node_questions import Pair, Paired
from netplay.messages.table_questions import (
    AnswerOffer,
    AnswerWatcher,
    LendSeat,
    LetWatch,
    MakeOffer,
    NameSeat,
    PlayAgain,
    Seen,
)
from netplay.web_place import served
from netplay.wire import FrameReader, decode_from_node, encode
from rules import numlo
from rules.game import Resign
from tests.patience import PATIENCE, until
from tools.bench.browser import Tab

pytestmark = pytest.mark.processes

MAY = {
    Play, Watch, LookBack, Earlier, Say, Hint, NameSeat, MakeOffer, AnswerOffer, Seen,
    Consent,
}  # fmt: skip
"""All that a guest may ask, and of its own seat alone."""


OPEN: list[socket.socket] = []
"""Ways through the door, to be closed after each test."""


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


class Guest:
    """A guest's way through the door, without the owner's token."""

    def __init__(self, home: Path, shown: bytes) -> None:
        place = door_place(home)
        if place.port:
            self.socket = socket.create_connection((LOOPBACK, place.port))
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(place.socket)
        OPEN.append(self.socket)
        self.socket.settimeout(PATIENCE)
        self.reader = FrameReader(DOOR_FRAME_BYTES)
        self.heard: list[Any] = []
        self.asked = 0
        self.socket.sendall(encode(Knock(b"", VERSION, True, shown)))

    def next(self) -> Any:
        """Return the next message, None once the door is closed."""
        while (frame := self.reader.next()) is None:
            try:
                data = self.socket.recv(65536)
            except ConnectionError:
                data = b""
            if not data:
                return None
            self.reader.feed(data)
        self.heard.append(decode_from_node(frame))
        return self.heard[-1]

    def ask(self, question: Any, table: int = 0) -> Done | Failed:
        self.asked += 1
        self.socket.sendall(encode(Request(self.asked, question, table)))
        while True:
            found = self.next()
            assert found is not None
            if isinstance(found, Done | Failed):
                assert found.id == self.asked
                return found

    def until(self, kind: type, holds: Any = lambda _found: True) -> Any:
        while not (isinstance(found := self.next(), kind) and holds(found)):
            assert found is not None
        return found

    def close(self) -> None:
        self.socket.close()


@contextmanager
def node(home: Path) -> Iterator[Home]:
    words = [sys.executable, "-m", "netplay", "node", "--home", str(home), "--name"]
    words += ["Anna", "--port", "0", "--listen", "127.0.0.1", "--no-beacon"]
    child = subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        end = monotonic() + PATIENCE
        while True:
            try:
                with Visit(Home(home)):
                    break
            except LocalError:
                assert monotonic() < end
                sleep(0.05)
        yield Home(home)
    finally:
        child.kill()
        child.wait()


def hosted(place: Home, *seats: str) -> int:
    """Begin a match and return the number of its table."""
    with Visit(place) as visit:
        visit.ask(HostTable("numlo", seats, (("size", "8"),), "", ""))
        number = max(game.table for game in visit.status().games)
    with Visit(place, table=number) as visit:
        visit.ask(StartMatch())
        until(lambda: table_seen(place, number).phase == "playing")
    return number


def lend(place: Home, seat: int, table: int, *, on: bool = True) -> bytes:
    with Visit(place, table=table) as visit:
        return visit.ask(LendSeat(seat, on)).data


def seated(home: Path, shown: bytes) -> tuple[Guest, Seated]:
    guest = Guest(home, shown)
    found = guest.next()
    assert isinstance(found, Seated), found
    return guest, found


def turn(guest: Guest) -> tuple[View, int]:
    """Return the next view that shows somebody's turn, and whose."""

    def players(view: View) -> set[int]:
        return {0, 1} & numlo.actors(wire.unpack(view.state, numlo.State))

    found = guest.until(View, players)
    return found, min(players(found))


def a_move(view: View, seat: int) -> bytes:
    state = wire.unpack(view.state, numlo.State)
    return wire.pack(next(iter(numlo.moves(state, seat))))


def anything(kind: type) -> Any:
    """Return a message of a kind, whatever it says."""
    values = {}
    for field in msgspec.structs.fields(kind):
        if field.required:
            options = get_args(field.type) if get_origin(field.type) is Literal else ()
            for value in (*options, "x", 0, True, b"x", (), 0.0, None):
                try:
                    values[field.name] = msgspec.convert(value, field.type, strict=True)
                    break
                except msgspec.ValidationError:
                    continue
            else:
                values[field.name] = anything(field.type)
    return kind(**values)


def test_a_guest_sits_down_plays_and_comes_back_after_a_kill(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        link = lend(place, 1, table)
        guest, told = seated(tmp_path, link)
        assert told.seat == 1
        assert told.token != link
        assert isinstance(guest.ask(Watch(1)), Done)
        after, seat = turn(guest)
        assert (after.match, after.seat) == (told.match, 1)
        while seat == 0:
            with Visit(place, table=table) as visit:
                visit.ask(Play(0, a_move(after, 0), after.number))
            before = after.number
            while after.number == before:
                after, seat = turn(guest)
        done = guest.ask(Play(1, a_move(after, 1), after.number))
        assert isinstance(done, Done), done
        kept = (tmp_path / FILE).read_bytes()
        assert told.token.hex().encode() not in kept
        assert (tmp_path / FILE).stat().st_mode & 0o77 == 0
    with node(tmp_path):
        guest, again = seated(tmp_path, told.token)
        assert (again.match, again.seat, again.token) == (told.match, 1, told.token)
        assert isinstance(guest.ask(Watch(1)), Done)
        assert guest.until(View).number > after.number


def test_a_guest_is_refused_every_other_question_and_sees_nothing_else(
    tmp_path: Path,
) -> None:
    with node(tmp_path) as place:
        secret = hosted(place, "person:Anna", "person:Secret Carla")
        table = hosted(place, "person:Anna", "person:Bert")
        guest, told = seated(tmp_path, lend(place, 1, table))
        kinds = [kind for kind in get_args(door.Question) if kind not in MAY]
        assert len(kinds) > 50
        for kind in kinds:
            found = guest.ask(anything(kind))
            assert isinstance(found, Failed), kind
            assert found.error.said.code == "NOT_FOR_GUESTS", kind
        for ask in (
            Watch(0), Watch(-1), Play(0, b"", 0), Hint(0), Earlier(told.match, 0, 1),
            MakeOffer(0, "stop"), AnswerOffer(0, agrees=True),
            Earlier(b"x" * 16, 1, 1), NameSeat(0, "Eve"), NameSeat(1, "Eve"),
            Consent(False, 1), Consent(True, 1), Consent(True, 1, 0),
        ):  # fmt: skip
            assert isinstance(guest.ask(ask), Failed), ask
        # What it may, it may at its own table alone, whatever number it gives.
        with Visit(place, table=secret) as visit:
            visit.ask(Say("the secret line"))
        word = "hello"
        assert isinstance(guest.ask(Say(word), secret), Done)
        assert isinstance(guest.ask(Watch(1), secret), Done)
        assert guest.until(View).match == told.match
        lines = [each for each in guest.heard if isinstance(each, Line)]
        line = lines[0] if lines else guest.until(Line)
        assert (line.text, line.author) == (f"Bert: {word}", "Anna")
        everything = repr(guest.heard)
        assert "secret" not in everything.lower()
        assert str(tmp_path) not in everything
        assert not [each for each in guest.heard if isinstance(each, Notice)]
        views = [each for each in guest.heard if isinstance(each, View)]
        assert {(view.match, view.seat) for view in views} == {(told.match, 1)}
        status = next(each for each in guest.heard if isinstance(each, Status))
        assert (status.name, status.key, status.addresses) == ("Bert", "", ())
        assert (status.games, status.saved, status.peers) == ((), (), ())
        assert status.table is not None
        assert status.table.persons == (1,)
        with Visit(place, table=table, pushes=True) as visit:
            owner = next(m for m in visit.heard(PATIENCE) if isinstance(m, Status))
            assert owner.games


def test_the_owner_is_not_asked_to_play_a_seat_that_is_lent(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        lend(place, 1, table)
        with Visit(place, pushes=True) as visit:
            owner = next(m for m in visit.heard(PATIENCE) if isinstance(m, Status))
        assert owner.table is not None
        assert owner.table.persons == (0,)


def test_a_seat_is_known_to_be_lent_before_the_match_too(tmp_path: Path) -> None:
    """Or the next look at its link makes another, and ends who sits there."""
    with node(tmp_path) as place:
        with Visit(place) as visit:
            visit.ask(opened("person:Anna", "browser", "browser"))
            table = visit.status().games[-1].table
        lend(place, 2, table)
        with Visit(place, pushes=True) as visit:
            owner = next(m for m in visit.heard(PATIENCE) if isinstance(m, Status))
        assert owner.table is not None
        assert owner.table.phase == "forming"
        assert [seat.lent for seat in owner.table.seats] == [False, False, True]


def test_a_used_link_opens_nothing_and_the_owner_is_told(tmp_path: Path) -> None:
    with node(tmp_path) as place, Visit(place, pushes=True) as owner:
        table = hosted(place, "person:Anna", "person:Bert")
        link = lend(place, 1, table)
        guest, told = seated(tmp_path, link)
        thief = Guest(tmp_path, link)
        assert isinstance(thief.next(), Failed)
        assert thief.next() is None
        said = (m.said.code for m in owner.heard(PATIENCE) if isinstance(m, Notice))
        assert "LINK_OPENED_AGAIN" in said
        assert isinstance(guest.ask(Watch(1)), Done)
        for wrong in (b"", b"x", b"x" * 16, told.match, link[:-1], link + b"x"):
            assert not isinstance(Guest(tmp_path, wrong or b"\0").next(), Seated)


def test_a_seat_taken_back_ends_its_guest_at_once(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        guest, told = seated(tmp_path, lend(place, 1, table))
        lend(place, 1, table, on=False)
        while guest.next() is not None:
            pass
        assert isinstance(Guest(tmp_path, told.token).next(), Failed)
        again, _told = seated(tmp_path, lend(place, 1, table))
        assert isinstance(again.ask(Watch(1)), Done)


def test_a_guest_who_comes_again_leaves_the_place_where_it_was(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        first, told = seated(tmp_path, lend(place, 1, table))
        seats = [seated(tmp_path, told.token)[0] for _ in range(DOOR_GUESTS + 2)]
        while first.next() is not None:
            pass
        assert isinstance(seats[-1].ask(Watch(1)), Done)
        with Visit(place) as visit:
            assert visit.status().games


def test_a_guest_who_finds_no_room_keeps_its_seat_and_has_it_once_there_is(
    tmp_path: Path,
) -> None:
    four = [f"person:{name}" for name in ("Anna", "Bert", "Cleo", "Dora")]
    with node(tmp_path) as place:
        tables = [hosted(place, *four) for _ in range(DOOR_GUESTS // 4 + 1)]
        links = [lend(place, n, table) for table in tables for n in range(4)]
        seats = [seated(tmp_path, link) for link in links[:DOOR_GUESTS]]
        late = Guest(tmp_path, links[DOOR_GUESTS]).next()
        assert isinstance(late, Failed)
        assert late.error.said.code == "TOO_MANY_GUESTS"
        wrong = Guest(tmp_path, b"x" * 16).next()
        assert wrong.error.said.code == "SEAT_LENT_NO_MORE"
        seated(tmp_path, seats[0][1].token)  # who is there already may come again
        with Visit(place, table=tables[0]) as visit:
            visit.ask(LendSeat(3, on=False))
        while seats[3][0].next() is not None:
            pass
        seated(tmp_path, links[DOOR_GUESTS])


def test_only_persons_of_a_match_here_can_be_lent(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "computer:0")
        for seat in (1, 2, 99):
            with pytest.raises(LocalError):
                lend(place, seat, table)


def test_a_damaged_file_lends_nothing_and_stops_no_node(tmp_path: Path) -> None:
    tmp_path.joinpath(FILE).write_bytes(b"[" * 100_000)
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        guest, _told = seated(tmp_path, lend(place, 1, table))
        guest.close()


def opened(*seats: str) -> HostTable:
    return HostTable("numlo", seats, (("size", "8"),), "", "")


def test_a_guest_sits_down_before_the_match_and_plays_it(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        with Visit(place) as visit:
            visit.ask(opened("person:Anna", "browser"))
            table = visit.status().games[-1].table
        with pytest.raises(LocalError), Visit(place, table=table) as visit:
            visit.ask(StartMatch())  # nobody sits there yet
        guest, told = seated(tmp_path, lend(place, 1, table))
        for wrong in (NameSeat(0, "Eve"), NameSeat(1, " "), NameSeat(1, "Anna")):
            assert isinstance(guest.ask(wrong), Failed), wrong
        assert isinstance(guest.ask(NameSeat(1, "Bert")), Done)
        assert isinstance(guest.ask(NameSeat(1, "Eve")), Failed)
        shown = guest.until(
            Status, lambda s: s.table is not None and s.table.seats[1].name == "Bert"
        )
        assert (shown.table.phase, shown.table.seats[1].browser) == ("forming", "Anna")
        with Visit(place, table=table) as visit:
            visit.ask(StartMatch())
        assert isinstance(guest.ask(Watch(1)), Done)
        view = guest.until(View)
        assert (view.seat, view.match != told.match) == (1, True)
    with node(tmp_path):  # the token is good for the match, too
        _again, seat = seated(tmp_path, told.token)
        assert (seat.match, seat.seat) == (view.match, 1)


@pytest.mark.parametrize("name", ["\u202e", "\u200b\u2060", "\x07", "\u00ad\ufe0f"])
def test_a_guest_sits_down_once_whatever_cannot_be_seen_it_is_called(
    name: str, tmp_path: Path
) -> None:
    with node(tmp_path) as place, Visit(place) as visit:
        visit.ask(opened("person:Anna", "browser"))
        guest, _told = seated(tmp_path, lend(place, 1, 0))
        assert isinstance(guest.ask(NameSeat(1, name)), Failed)
        assert isinstance(guest.ask(NameSeat(1, "Bert" + name)), Done)
        assert isinstance(guest.ask(NameSeat(1, name)), Failed)
        assert isinstance(guest.ask(NameSeat(1, "Anna" + name)), Failed)
        assert seats_of(place).seats[1].name == "Bert"


def test_a_guest_without_a_name_does_not_speak_as_the_owner(tmp_path: Path) -> None:
    with node(tmp_path) as place, Visit(place) as visit:
        visit.ask(opened("person:Anna", "browser"))
        guest, _told = seated(tmp_path, lend(place, 1, 0))
        assert isinstance(guest.ask(Say("I am Anna")), Failed)
        assert isinstance(guest.ask(NameSeat(1, "Bert")), Done)
        word = "hello"
        assert isinstance(guest.ask(Say(word)), Done)
        assert guest.until(Line).text == f"Bert: {word}"


def test_a_guest_that_floods_the_chat_takes_the_word_from_nobody(
    tmp_path: Path,
) -> None:
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert", "person:Cleo")
        guest, _told = seated(tmp_path, lend(place, 1, table))
        other, _told = seated(tmp_path, lend(place, 2, table))
        said = [guest.ask(Say(f"line {i}")) for i in range(20)]
        assert isinstance(said[0], Done)
        assert isinstance(said[-1], Failed)
        with Visit(place, table=table) as visit:
            visit.ask(Say("stop"))
        assert isinstance(other.ask(Say("4")), Done)
        lines = [each.text for each in other.heard if isinstance(each, Line)]
        while "Cleo: 4" not in lines:
            lines.append(other.until(Line).text)
        assert "stop" in lines
        assert 0 < sum(line.startswith("Bert: ") for line in lines) <= CHAT_LINES


def table_seen(place: Home, table: int) -> door.TableStatus:
    with Visit(place, table=table) as visit:
        found: door.TableStatus | None = wire.unpack(
            visit.ask(door.GetStatus()).data, Status
        ).table
    assert found is not None
    return found


def test_who_looks_on_by_a_link_sees_what_bystanders_see_and_may_do_nothing(
    tmp_path: Path,
) -> None:
    with node(tmp_path) as place:
        hosted(place, "person:Anna", "person:Secret Carla")
        table = hosted(place, "person:Anna", "person:Bert")
        guest, told = seated(tmp_path, lend(place, BYSTANDER, table))
        assert told.seat == BYSTANDER
        assert isinstance(guest.ask(Watch(BYSTANDER)), Done)
        assert guest.until(View).seat == BYSTANDER
        assert table_seen(place, table).watchers == ("Anna (1)",)
        with Visit(place, table=table) as visit:
            visit.ask(Say("between us"))
        kinds = [
            kind for kind in get_args(door.Question) if kind not in {LookBack, Seen}
        ]
        for ask in (
            *map(anything, kinds), Watch(0), Watch(1), Hint(-1), Say("hello"),
            Play(-1, b"", 0), MakeOffer(0, "stop"), NameSeat(1, "Eve"),
            Earlier(told.match, 0, 1), Earlier(b"x" * 16, -1, 1),
        ):  # fmt: skip
            assert isinstance(guest.ask(ask), Failed), ask
        seen = next(each for each in guest.heard if isinstance(each, Status))
        assert seen.table is not None
        assert (seen.table.watching, seen.table.persons) == (True, ())
        everything = repr(guest.heard).lower()
        for never in ("secret", "between us", str(tmp_path)):
            assert never not in everything
        views = [each for each in guest.heard if isinstance(each, View)]
        assert {(view.match, view.seat) for view in views} == {(told.match, BYSTANDER)}


def test_who_looks_on_is_ended_by_the_list_of_bystanders(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        one, told = seated(tmp_path, lend(place, BYSTANDER, table))
        other, _told = seated(tmp_path, lend(place, BYSTANDER, table))
        assert set(table_seen(place, table).watchers) == {"Anna (1)", "Anna (2)"}
        with Visit(place, table=table) as visit:
            visit.ask(AnswerWatcher(False, "Anna (1)"))
        while one.next() is not None:
            pass
        assert isinstance(Guest(tmp_path, told.token).next(), Failed)
        assert isinstance(other.ask(Watch(BYSTANDER)), Done)
        assert table_seen(place, table).watchers == ("Anna (2)",)
        with Visit(place, table=table) as visit:
            visit.ask(LetWatch("nobody"))
        while other.next() is not None:
            pass
        with pytest.raises(LocalError):
            lend(place, BYSTANDER, table)


def test_no_more_look_on_by_a_link_than_are_allowed(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        unused = lend(place, BYSTANDER, table)
        for _ in range(LENT_LOOKS):
            seated(tmp_path, lend(place, BYSTANDER, table))
        assert isinstance(Guest(tmp_path, unused).next(), Failed)
        with pytest.raises(LocalError):
            lend(place, BYSTANDER, table)


def test_who_looks_on_at_several_tables_leaves_room_for_guests_with_seats(
    tmp_path: Path,
) -> None:
    with node(tmp_path) as place:
        tables = [hosted(place, "person:Anna", "person:Bert") for _ in range(2)]
        for _ in range(LENT_LOOKS):
            seated(tmp_path, lend(place, BYSTANDER, tables[0]))
        late = Guest(tmp_path, lend(place, BYSTANDER, tables[1])).next()
        assert isinstance(late, Failed)
        assert late.error.said.code == "TOO_MANY_GUESTS"
        for table in tables:
            for seat in range(2):
                seated(tmp_path, lend(place, seat, table))


def test_who_looks_on_sees_nothing_of_a_table_before_its_match(tmp_path: Path) -> None:
    with node(tmp_path) as place, Visit(place) as visit:
        visit.ask(opened("person:Anna", "person:Bert"))
        guest, told = seated(tmp_path, lend(place, BYSTANDER, 0))
        assert guest.until(Status).table is None
        assert isinstance(guest.ask(Watch(BYSTANDER)), Failed)
        visit.ask(StartMatch())
        guest.until(Status, lambda s: s.table is not None)
        assert isinstance(guest.ask(Watch(BYSTANDER)), Done)
        view = guest.until(View)
    with node(tmp_path) as place:  # and again after the node has ended
        guest, again = seated(tmp_path, told.token)
        assert again.match == view.match
        assert isinstance(guest.ask(Watch(BYSTANDER)), Done)
        guest.until(View)


def test_who_looks_on_looks_on_at_the_rematch_too(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        table = hosted(place, "person:Anna", "person:Bert")
        guest, told = seated(tmp_path, lend(place, BYSTANDER, table))
        assert isinstance(guest.ask(Watch(BYSTANDER)), Done)
        guest.until(View)
        with Visit(place, table=table) as visit:
            visit.ask(Play(0, wire.pack(Resign()), 0))
            visit.ask(PlayAgain())
        guest.until(View, lambda view: view.match != told.match)
        assert table_seen(place, table).watchers == ("Anna (1)",)


def test_a_table_with_a_guest_is_there_again_after_a_restart(tmp_path: Path) -> None:
    with node(tmp_path) as place:
        with Visit(place) as visit:
            visit.ask(opened("person:Anna", "browser"))
        guest, told = seated(tmp_path, lend(place, 1, 0))
        assert isinstance(guest.ask(NameSeat(1, "Bert")), Done)
    with node(tmp_path) as place:
        guest, again = seated(tmp_path, told.token)
        assert (again.match, again.seat) == (told.match, 1)
        with Visit(place) as visit:
            visit.ask(StartMatch())
        assert isinstance(guest.ask(Watch(1)), Done)


def test_a_seat_that_is_for_no_browser_any_more_ends_its_guest(tmp_path: Path) -> None:
    with node(tmp_path) as place, Visit(place) as visit:
        visit.ask(opened("person:Anna", "browser"))
        guest, told = seated(tmp_path, lend(place, 1, 0))
        visit.ask(ChangeTable(opened("person:Anna", "person:Carla")))
        while guest.next() is not None:
            pass
        assert isinstance(Guest(tmp_path, told.token).next(), Failed)


@pytest.mark.parametrize("on", [False, True], ids=["taken back", "a new link"])
def test_a_guest_that_is_ended_before_the_match_frees_the_seat(
    tmp_path: Path, *, on: bool
) -> None:
    with node(tmp_path) as place, Visit(place) as visit:
        visit.ask(opened("person:Anna", "browser"))
        guest, _told = seated(tmp_path, lend(place, 1, 0))
        assert isinstance(guest.ask(NameSeat(1, "Bert")), Done)
        link = lend(place, 1, 0, on=on)
        while guest.next() is not None:
            pass
        seat = seats_of(place).seats[1]
        assert (seat.name, seat.state) == ("", "awaited")
        guest, _told = seated(tmp_path, link or lend(place, 1, 0))
        assert isinstance(guest.ask(NameSeat(1, "Carla")), Done)


def test_no_table_has_more_seats_for_browsers_than_are_allowed(tmp_path: Path) -> None:
    with node(tmp_path) as place, Visit(place) as visit, pytest.raises(LocalError):
        visit.ask(HostTable("numlo", ("browser",) * 5, (), "", ""))


def test_the_node_serves_pages_for_the_first_link_and_they_end_with_it(
    tmp_path: Path,
) -> None:
    with node(tmp_path) as place:
        assert served(tmp_path) is None
        with Visit(place) as visit:
            visit.ask(opened("person:Anna", "browser"))
            assert not visit.status().browsers
            one, other = (
                visit.ask(LendSeat(1, served=True), PATIENCE).text for _ in range(2)
            )
            assert visit.status().browsers
        pages = served(tmp_path)
        assert pages is not None
        base, sign, token = str(other).partition("#g.")
        assert (base, sign) == (pages.link("").removesuffix("#"), "#g.")
        assert str(one).startswith(base)  # the same pages
        seated(tmp_path, bytes.fromhex(token))
    until(lambda: served(tmp_path) is None)
    with node(tmp_path) as place, Visit(place) as visit:
        assert visit.status().browsers  # the yes is kept: nobody is asked again


def test_nobody_who_plays_notices_that_others_may_come_too(tmp_path: Path) -> None:
    """First the owner's browser, then a guest's, then a phone is to be paired."""
    with node(tmp_path) as place:
        with Visit(place) as visit:
            paired = wire.unpack(visit.ask(Pair(here=True), PATIENCE).data, Paired)
            pages = served(tmp_path)
            assert pages is not None
            assert (pages.hosts, pages.own_port) == ((), 0)
            own = Tab(pages.port)
            OPEN.append(own.raw)
            assert "token" in own.hello(entry=paired.link.partition("#")[2])
            visit.ask(opened("person:Anna", "browser"))
        guest = sat_down(tmp_path, 1, "Bert")
        with Visit(place) as visit:
            link = wire.unpack(visit.ask(Pair(here=False), PATIENCE).data, Paired).link
        assert seats_of(place).seats[1].state == "here"
        now = served(tmp_path)
        assert now is not None
        assert now.port == pages.port
        assert f":{now.own_port}/" in link
        for port in (now.port, now.own_port):  # as from elsewhere, too
            for host in (LOOPBACK, now.hosts[0]):
                with socket.create_connection((host, port), PATIENCE):
                    pass
        for each in (own, guest):
            each.say(do="there")
        until(lambda: {"there": True} in guest.heard)
        own.until('"there": true')
        with Visit(place) as visit:
            visit.ask(door.LeaveTable())
    until(lambda: served(tmp_path) is None)
    with node(tmp_path):  # though no seat is lent now, the phone comes in again
        until(lambda: (found := served(tmp_path)) is not None and found.own_port)


def seats_of(place: Home) -> door.TableStatus:
    """Return how the newest table stands."""
    with Visit(place) as visit:
        found = visit.status().table
    assert found is not None
    return found


def sat_down(home: Path, seat: int, name: str) -> Tab:
    """Open the link to a seat in a page, give a name and sit down."""
    with Visit(Home(home)) as visit:
        link = str(visit.ask(LendSeat(seat, served=True), PATIENCE).text)
    pages = served(home)
    assert pages is not None
    tab = Tab(pages.port)
    OPEN.append(tab.raw)
    assert "token" in tab.hello(entry=link.partition("#")[2])
    tab.until("field.guest")
    tab.say(do="edit", name="field.guest", text=name, anchor=0, caret=0, turn=1)
    tab.quiet(0.5)
    tab.say(do="use", name="sit")
    threading.Thread(target=tab.until_closed, daemon=True).start()
    until(lambda: seats_of(Home(home)).seats[seat].name == name)
    return tab


def played_by(place: Home, tabs: dict[str, Tab], most: int = 10_000) -> int:
    """Play on, guests by what their pages show; return how many turns they took."""
    names = [seat.name for seat in seats_of(place).seats]
    own, made, after = names.index("Anna"), 0, -1
    with Visit(place, pushes=True) as visit:
        visit.put(Watch(own))
        for heard in visit.heard(PATIENCE):
            if not isinstance(heard, View) or heard.number <= after:
                continue
            state = wire.unpack(heard.state, numlo.State)
            actors = sorted(numlo.actors(state) - {-1})
            if not actors or made >= most:
                return made
            seat, after = actors[0], heard.number
            move = next(iter(numlo.moves(state, seat)))
            if seat == own:
                visit.put(Play(seat, wire.pack(move), heard.number))
            else:
                assert isinstance(move, numlo.Place)
                made += 1
                tab, end = tabs[names[seat]], monotonic() + PATIENCE
                while not tab.heard[-1].get("title", "").startswith("Your "):
                    assert monotonic() < end
                    sleep(0.02)
                tab.say(do="use", name=f"cell:{move.square}")
    raise AssertionError("the match stands still")


@pytest.mark.slow
def test_three_guests_in_browsers_play_a_match_to_its_end_and_another(
    tmp_path: Path,
) -> None:
    with node(tmp_path) as place:
        with Visit(place) as visit:
            visit.ask(opened("person:Anna", "browser", "browser", "browser"))
        guests = ("Bert", "Cleo", "Dora")
        tabs = {n: sat_down(tmp_path, i, n) for i, n in enumerate(guests, 1)}
        with Visit(place) as visit:
            visit.ask(StartMatch())
        assert played_by(place, tabs) > 10
        end = monotonic() + PATIENCE
        while (first := seats_of(place)).audit != "ok":
            assert monotonic() < end
            sleep(0.1)
        with Visit(place) as visit:
            visit.ask(PlayAgain())
        while (now := seats_of(place)).match == first.match or now.phase != "playing":
            assert monotonic() < end
            if now.match != first.match:
                with suppress(LocalError), Visit(place) as visit:
                    visit.ask(StartMatch())
            sleep(0.2)
        assert [seat.name for seat in now.seats] != ["Anna", *guests]  # one place on
        assert played_by(place, tabs, 6) == 6


def test_no_time_runs_until_a_guest_is_back_also_after_a_restart(
    tmp_path: Path,
) -> None:
    with node(tmp_path) as place:
        with Visit(place) as visit:
            seats = ("person:Anna", "person:Dora")
            visit.ask(HostTable("hexcolumns", seats, (), "", ""))
            visit.ask(StartMatch())
        until_phase(place, "playing")
        _guest, told = seated(tmp_path, lend(place, 1, 0))
    with node(tmp_path) as place:
        table = until_phase(place, "paused")
        assert table.waiting == "Dora"
        guest, _again = seated(tmp_path, told.token)
        until_phase(place, "playing")
        guest.close()
        assert until_phase(place, "paused").waiting == "Dora"
        guest, _again = seated(tmp_path, told.token)
        until_phase(place, "playing")
    with node(tmp_path) as place:
        until_phase(place, "paused")
        with Visit(place) as visit:
            visit.ask(LendSeat(1, on=False))
        until_phase(place, "playing")


def until_phase(place: Home, phase: str) -> door.TableStatus:
    """Return the table once it is at a phase."""
    end = monotonic() + PATIENCE
    while True:
        with suppress(LocalError), Visit(place) as visit:
            found = visit.status().table
            if found is not None and found.phase == phase:
                return found
        assert monotonic() < end, phase
        sleep(0.05)
