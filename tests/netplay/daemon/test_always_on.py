"""Real node processes as a service: started, found, invited, stopped by a signal."""

import json
import os
import signal
import socket
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import pytest

from netplay.commands import asking
from netplay.commands.questions import ROWS
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.door import (
    Answer,
    Call,
    FromNode,
    HostTable,
    Join,
    Notice,
    Question,
    StartMatch,
    Status,
)
from netplay.messages.node_questions import GetInvitation, Neighbour, SetPort
from netplay.messages.table_questions import GameStatus, StandIn
from netplay.record.store import SUFFIX, records
from netplay.sentences import Says
from tests.patience import PATIENCE
from tests.ports import own_port
from tests.said import says

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform == "win32", reason="systemd and signals of POSIX"),
]


class Service:
    """A node process whose manager this test is."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.home = Home(folder / name)
        self.home.prepare()
        self.told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.told.bind(str(folder / f"{name}.notify"))
        self.told.settimeout(PATIENCE)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *words: str, port: int | None = 0) -> None:
        port = own_port() if port == 0 else port
        command = [sys.executable, "-m", "netplay", "node", "--name", self.name]
        command += ["--home", str(self.home.path), "--listen", "127.0.0.1"]
        command += ["--port", str(port)] if port is not None else []
        command += words
        environment = {**os.environ, "NOTIFY_SOCKET": str(self.told.getsockname())}
        with (self.home.path / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, env=environment
            )
        assert self.next_word().startswith(b"READY=1")

    def next_word(self) -> bytes:
        """Return what the manager is told next, food for its watchdog left out."""
        while (word := self.told.recv(1000)) == b"WATCHDOG=1":
            pass
        return word

    def stop(self) -> None:
        assert self.command("stop") == (0, f"{Says.NODE_STOPS()}\n")
        assert self.process is not None
        assert self.process.wait(PATIENCE) == 0
        assert self.next_word() == b"STOPPING=1"

    def end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        assert self.next_word() == b"STOPPING=1"
        return code

    def visit(self) -> Visit:
        return Visit(self.home, pushes=True)

    def ask(self, question: Question) -> str:
        with self.visit() as visit:
            return str(visit.ask(question).text)

    def until(self, seen: Callable[[Status], Any], *questions: Question) -> Status:
        """Ask, then return the first status that shows what is wanted."""
        with self.visit() as visit:
            for question in questions:
                visit.ask(question)
            status = visit.status()
            pushed = visit.heard(PATIENCE)
            while not seen(status):
                message = next(pushed)
                status = message if isinstance(message, Status) else status
            return status

    def line(self, wanted: str, *questions: Question) -> str:
        """Ask, then return the first line that contains a word."""
        with self.visit() as visit:
            for question in questions:
                visit.put(question)
            for message in visit.heard(PATIENCE):
                if isinstance(message, Notice) and wanted in str(message.said):
                    return str(message.said)
        raise AssertionError(wanted)

    def command(self, *words: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "netplay", "--home", str(self.home.path)]
        done = subprocess.run(
            [*command, *words], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def until_says(self, wanted: str, *words: str) -> str:
        """Run a command until it prints something; return all that it prints then."""
        end = monotonic() + PATIENCE
        while True:
            code, text = self.command(*words)
            if code == 0 and wanted in text:
                return text
            assert monotonic() < end, text

    def log(self) -> str:
        return (self.home.path / "log").read_text()


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Callable[[str], Service]]:
    made: list[Service] = []

    def make(name: str) -> Service:
        made.append(Service(tmp_path, name))
        return made[-1]

    yield make
    for service in made:
        if service.process is not None and service.process.poll() is None:
            service.process.kill()
            service.process.wait(PATIENCE)
        service.told.close()


def table(*seats: str) -> HostTable:
    return HostTable("hexagrams", seats or ("person", "remote"), (), "", "")


def playing(status: Status) -> bool:
    return status.table is not None and status.table.phase == "playing"


def accepted(status: Status) -> bool:
    found = status.table
    return found is not None and all(s.name and s.accepted for s in found.seats)


def saved(service: Service) -> list[bytes]:
    """Return the entries on disk, the file whole to its last byte."""
    (path,) = service.home.matches.glob(f"*{SUFFIX}")
    return [record.entry for record in records(path.read_bytes())]


def test_a_signal_ends_a_node_cleanly_in_the_middle_of_a_match(
    services: Callable[[str], Service],
) -> None:
    host, guest = services("host"), services("guest")
    host.start()
    guest.start()
    host.ask(table())
    guest.ask(Join(host.ask(GetInvitation())))
    host.until(accepted)
    status = host.until(playing, StartMatch())
    guest.until(playing)
    host.ask(StandIn(10))
    host.until(lambda s: s.table and s.table.entries > 1)
    with guest.visit() as eyes:
        assert eyes.status().peers[0].connected
        assert host.end(signal.SIGTERM) == 0
        for message in eyes.heard(PATIENCE):
            if isinstance(message, Status) and not message.peers[0].connected:
                break
    ended = [each.split() for each in guest.log().splitlines() if "code=none" in each]
    assert any("by=THEIRS" in words for words in ended)
    assert "Traceback" not in host.log()
    assert len(saved(host)) > 1
    assert not host.home.door.exists()

    host.start(port=status.port)
    for service in (host, guest):
        service.until(
            lambda s: playing(s) and s.peers and all(p.connected for p in s.peers)
        )
    for service in (host, guest):
        assert service.end(signal.SIGINT) == 0
    shorter, longer = sorted((saved(host), saved(guest)), key=len)
    assert longer[: len(shorter)] == shorter


def test_two_nodes_of_one_computer_find_each_other_and_play(
    services: Callable[[str], Service],
) -> None:
    host, guest = services("finder-host"), services("finder-guest")
    host.start()
    guest.start()

    def mine(status: Status) -> list[Neighbour]:
        return [one for one in status.nearby if one.name == "finder-host"]

    host.ask(table())
    found = guest.until(mine)
    (one,) = mine(found)
    address = one.address
    assert (one.game, one.free, one.version) == ("hexagrams", 1, found.version)
    guest.until_says(f"{address}  finder-host: hexagrams, 1 free", "nearby")
    rows = json.loads(guest.until_says(address, "nearby", "--json"))
    assert address in [row["address"] for row in rows]

    code, text = guest.command("join", address)
    assert code == 0, text
    assert says(text, Says.FIRST_CONTACT, who="finder-host")
    host.until(accepted)
    guest.until(lambda s: not mine(s))  # nothing is free any more


def test_a_node_whose_beacon_is_off_is_not_seen_and_sees_nobody(
    services: Callable[[str], Service],
) -> None:
    shy, loud = services("shy-host"), services("loud-host")
    shy.start("--no-beacon")
    loud.start()
    shy.ask(table())
    loud.ask(table())
    code, text = shy.command("nearby")
    assert code == 0
    assert "--beacon" in text

    def names(status: Status) -> set[str]:
        return {one.name for one in status.nearby}

    assert shy.command("nearby", "--beacon", "on") == (
        0,
        f"{Says.SWITCHED(name='beacon', wish='on')}\n",
    )
    shy.until(lambda s: "loud-host" in names(s))
    loud.until(lambda s: "shy-host" in names(s))
    assert shy.command("nearby", "--beacon", "off") == (
        0,
        f"{Says.SWITCHED(name='beacon', wish='off')}\n",
    )
    loud.until(lambda s: "shy-host" not in names(s))
    assert shy.home.setting("beacon") == "off"


def test_who_waits_is_nearby_and_called_by_invitation(
    services: Callable[[str], Service],
) -> None:
    host, guest = services("caller"), services("waiter")
    host.start()
    guest.start()
    guest.ask(Answer(on=True, first=True))

    def waiting(status: Status) -> bool:
        return any(o.name == "waiter" and not o.game for o in status.nearby)

    host.until(waiting)
    host.ask(table())
    code, told = guest.command("invite")
    invitation = told.splitlines()[0]  # beside it stands how far it leads
    assert code == 0
    host.until(accepted, Call(invitation))
    code, text = host.command("reach")
    assert code == 0
    assert says(text, Says.REACHED_HERE)
    assert json.loads(guest.command("reach", "--json")[1])["reach"] == "computer"


def test_a_second_and_a_third_table_of_one_host_are_joined_and_called_to(
    services: Callable[[str], Service],
) -> None:
    host, guest = services("many"), services("again")
    host.start()
    guest.start()
    port = host.until(lambda s: s.port).port
    for number in range(1, 3):
        assert host.command("host", "numlo")[0] == 0
        code, text = guest.command("join", f"127.0.0.1:{port}")
        assert (code, says(text, Says.CONNECTED_TO, names="many")) == (0, True)
        host.until(lambda s, n=number: any(_is_ready(g, n) for g in s.games))
        assert host.command("start", "--table", f"{number}")[0] == 0
    assert guest.command("answer")[0] == 0
    there = guest.until(lambda s: s.port).port
    for number in range(3, 5):
        assert host.command("host", "numlo")[0] == 0
        called = "call", f"127.0.0.1:{there}", "--table", f"{number}"
        code, text = host.command(*called)
        assert (code, says(text, Says.CONNECTED_TO, names="again")) == (0, True)
        host.until(lambda s, n=number: sum("again" in g.players for g in s.games) == n)
    assert guest.command("leave", "--table", "2")[0] == 0
    assert host.command("host", "numlo")[0] == 0
    assert guest.command("join", f"127.0.0.1:{port}")[0] == 0
    code, text = guest.command("join", f"127.0.0.1:{port}", "--open", "9")
    assert code == 0, "it ends"
    assert says(text, Says.TABLE_IN_HAND)


def _is_ready(game: GameStatus, number: int) -> bool:
    """Tell whether nobody is waited for at a table any more."""
    return game.table == number and not game.waiting


def let_in_late(door: socket.socket, port: int, turned_away: int) -> None:
    """Hang up on some who come, after a while each; let the next one in."""
    for _each in range(turned_away):
        near, _address = door.accept()
        near.settimeout(1.2)
        with suppress(TimeoutError):
            while near.recv(4096):
                pass
        near.close()
    near, _address = door.accept()
    far = socket.create_connection(("127.0.0.1", port))
    with near, far:
        back = Thread(target=carry, args=(far, near))
        back.start()
        carry(near, far)
        back.join(PATIENCE)


def carry(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(4096):
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)


def test_a_call_waits_for_who_answers_late_and_says_what_it_waits_for(
    services: Callable[[str], Service],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    host, guest = services("caller"), services("late")
    host.start()
    guest.start()
    assert guest.command("answer")[0] == 0
    assert host.command("host", "numlo")[0] == 0
    port = guest.until(lambda s: s.port).port
    with socket.create_server(("127.0.0.1", 0)) as door:
        late = Thread(target=let_in_late, args=(door, port, 2), daemon=True)
        late.start()
        monkeypatch.setattr(asking, "DIAL_SECONDS", 0.5)
        monkeypatch.setenv("NETPLAY_HOME", str(host.home.path))
        address = f"127.0.0.1:{door.getsockname()[1]}"
        code = ROWS["call"].run(Namespace(address=address, seat=0, table=0))
        said = capsys.readouterr()
        assert (code, says(said.out, Says.CONNECTED_TO, names="late")) == (0, True), (
            said
        )
        assert says(said.err, Says.STILL_CALLING)
        host.stop()
        late.join(PATIENCE)


def test_a_call_that_nobody_takes_ends_with_the_reason(
    services: Callable[[str], Service],
) -> None:
    host = services("caller")
    host.start()
    assert host.command("host", "numlo")[0] == 0
    with socket.create_server(("127.0.0.1", 0)) as door:
        nobody = f"127.0.0.1:{door.getsockname()[1]}"
    code, text = host.command("call", nobody)
    assert code == 1
    assert says(text, Says.PLACE_REFUSES)


def test_a_call_by_somebody_unknown_waits_for_the_command(
    services: Callable[[str], Service],
) -> None:
    host, guest = services("unknown"), services("careful")
    host.start()
    guest.start()
    port = guest.until(lambda s: s.port).port
    code, text = guest.command("answer")
    assert code == 0
    assert says(text, Says.YES_BY_ACCEPT)
    assert guest.command("accept")[0] == 1
    host.ask(table())
    called = host.ask(Call(f"127.0.0.1:{port}"))
    assert called
    guest.until(lambda s: s.table and s.table.called)
    assert guest.command("decline") == (0, "declined\n")
    host.until(lambda s: s.table and not s.table.seats[1].key)
    host.ask(Call(f"127.0.0.1:{port}"))
    guest.until(lambda s: s.table and s.table.called)
    assert guest.command("accept") == (0, "accepted\n")
    host.until(accepted)
    assert guest.command("leave")[0] == 0
    host.until(lambda s: s.table and not s.table.seats[1].key)
    host.until(accepted, Call(f"127.0.0.1:{port}"))  # a friend is not asked about


def test_another_key_than_the_invited_one_is_refused_and_an_old_one_forgotten(
    services: Callable[[str], Service],
) -> None:
    host, guest = services("old"), services("visitor")
    host.start()
    guest.start()
    status = host.until(lambda s: s.port)
    address = f"127.0.0.1:{status.port}"
    host.ask(table())
    invitation = host.ask(GetInvitation())
    guest.until(accepted, Join(address))
    guest.stop()
    assert host.end(signal.SIGTERM) == 0
    host.home.key.unlink()  # a new computer, say
    host.start("--new-key", port=status.port)
    host.ask(table())

    guest.start()
    for called in (address, invitation):
        code, text = guest.command("join", called)
        assert code == 1
        assert says(text, Code.WRONG_KEY)
    code, text = guest.command("peers")
    assert code == 0
    assert f"{status.key}  old  {address}" in text
    assert guest.command("peers", "--forget", status.key)[0] == 0
    assert json.loads(guest.command("peers", "--json")[1]) == []
    code, text = guest.command("join", address)
    assert code == 0, text


def test_what_is_no_address_is_said_at_once(services: Callable[[str], Service]) -> None:
    guest = services("typist")
    guest.start()
    code, text = guest.command("join", "netplay:127.0.0.1#ABCD")
    assert code == 2
    assert says(text, Says.INVITATION_NOT_WHOLE)
    with pytest.raises(LocalError) as caught:
        guest.ask(Call("a/b"))
    assert caught.value.code is Code.USAGE


def test_a_node_says_where_it_is_reached_and_whether_it_is_told_of(
    services: Callable[[str], Service],
) -> None:
    node = services("known")
    node.start()
    with node.visit() as visit:
        first: FromNode = next(visit.heard(PATIENCE))
    assert isinstance(first, Status)
    assert first.addresses == ("127.0.0.1",)
    assert first.network.beacon
    assert not first.network.map_port


def test_a_node_listens_at_the_port_of_the_preferences(
    services: Callable[[str], Service],
) -> None:
    one = services("chosen")
    one.start()
    wish = own_port()
    one.ask(SetPort(str(wish)))
    one.stop()
    one.start(port=None)
    assert one.until(lambda status: status.port).port == wish
    one.stop()
