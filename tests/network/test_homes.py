"""Each kind of home in the laboratory is what its name says, to bare sockets."""

import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.network.homes import KINDS, PORT, STEADY_PORT, socket_at
from tests.network.laboratory import Host, Laboratory, lab

pytestmark = pytest.mark.processes

WAIT_SECONDS = 5.0
"""For what takes a millisecond, if it comes at all."""

SILENCE_SECONDS = 0.5
"""After which a call counts as swallowed; an answer takes a millisecond."""


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    """Closes what it is given when the test is over."""
    with ExitStack() as stack:
        yield stack


def server(
    lab: Laboratory, name: str, number: int, opened: ExitStack
) -> tuple[Host, list[socket.socket]]:
    """Put a computer at the internet that takes calls, at the port of the web, too."""
    found = lab.host(name)
    lab.online(found, number)
    listening: list[socket.socket] = []
    for port in (PORT, 443):
        listener = opened.enter_context(socket_at(found, six=True))
        listener.bind(("::", port))
        listener.listen()
        listening.append(listener)
    return found, listening


def calls(
    one: Host, where: tuple[str, int], *, own: int = PORT
) -> socket.socket | None:
    """Return a call from a port, none where nobody answers."""
    six = ":" in where[0]
    found = socket_at(one, six=six)
    found.bind(("::" if six else "", own))
    found.settimeout(SILENCE_SECONDS)
    try:
        found.connect(where)
    except OSError:
        found.close()
        return None
    return found


def seen(listener: socket.socket) -> tuple[str, int]:
    """Return where a call comes from, for the one who is called."""
    assert select.select([listener], [], [], WAIT_SECONDS)[0]
    taken, name = listener.accept()
    taken.close()
    return name[0].removeprefix("::ffff:"), name[1]


def takes(listener: socket.socket) -> bool:
    """Whether a call has come in."""
    ready = bool(select.select([listener], [], [], 0)[0])
    if ready:
        listener.accept()[0].close()
    return ready


@pytest.mark.parametrize("kind", KINDS)
def test_a_home_keeps_maps_and_admits_as_its_kind_says(
    kind: str, tmp_path: Path, opened: ExitStack
) -> None:
    truth, build = KINDS[kind]
    with lab(*(["miniupnpd"] if truth.asks else [])) as found:
        inside = build(found, 3, tmp_path)
        servers = [server(found, f"s{n}", n, opened) for n in (1, 2)]
        stranger = found.host("stranger")
        found.online(stranger, 4)
        spots: list[tuple[str, int]] = []
        for (_one, listening), number in zip(servers, (1, 2), strict=True):
            host = f"8.9.{number}.2" if truth.four else f"2a00:9:{number}::2"
            first = calls(inside, (host, PORT))
            assert (first is None) == truth.web
            if first is not None:
                first.close()
                assert takes(listening[0])
            call = calls(inside, (host, 443))
            assert call is not None
            with closing(call):
                spots.append(seen(listening[1]))
        hosts = {host for host, _port in spots}
        ports = {port for _host, port in spots}
        assert hosts == ({"8.9.3.2"} if truth.four else {"2a00:a:3::2"})
        assert (ports == {PORT}) == (truth.ports in {"own", "keeps"})
        assert (ports == {STEADY_PORT}) == (truth.ports == "steady")
        assert (len(ports) == 2) == (truth.ports == "random")
        with closing(socket_at(inside, six=not truth.four)) as listener:
            listener.bind(("" if truth.four else "::", PORT))
            listener.listen()
            for caller, admitted in (
                (servers[0][0], truth.admits != "nobody"),
                (stranger, truth.admits == "anybody"),
            ):
                call = calls(caller, spots[0], own=5000)
                assert (call is not None) == admitted
                assert takes(listener) == admitted
                if call is not None:
                    call.close()


def test_a_router_that_refuses_says_so_and_one_that_drops_does_not(
    tmp_path: Path,
) -> None:
    with lab() as found:
        KINDS["keeps-drops"].build(found, 3, tmp_path)
        KINDS["keeps-refuses"].build(found, 4, tmp_path)
        stranger = found.host("stranger")
        found.online(stranger, 5)
        for number, error in ((3, TimeoutError), (4, ConnectionRefusedError)):
            with closing(socket_at(stranger)) as call:
                call.settimeout(SILENCE_SECONDS)
                with pytest.raises(error):
                    call.connect((f"8.9.{number}.2", PORT))


def test_what_is_too_long_for_a_narrow_line_never_arrives(
    tmp_path: Path, opened: ExitStack
) -> None:
    with lab() as found:
        inside = KINDS["keeps-narrow"].build(found, 3, tmp_path)
        _one, (listener, _web) = server(found, "s", 1, opened)
        call = calls(inside, ("8.9.1.2", PORT))
        assert call is not None
        taken, _name = listener.accept()
        with closing(call), closing(taken):
            taken.settimeout(SILENCE_SECONDS)
            call.send(bytes(1000))
            assert taken.recv(2000)
            call.send(bytes(1400))
            with pytest.raises(TimeoutError):
                taken.recv(2000)


def test_two_home_networks_of_a_laboratory_call_the_same_port_and_meet(
    tmp_path: Path,
) -> None:
    with lab() as found:
        kinds = ("keeps-drops", "keeps-mangles")
        cast = [
            KINDS[kind].build(found, n, tmp_path) for n, kind in enumerate(kinds, 1)
        ]
        opened = [socket_at(one) for one in cast]
        for n, call in enumerate(opened):
            call.bind(("", PORT))
            call.setblocking(False)
            call.connect_ex((f"8.9.{2 - n}.2", PORT))
        try:
            for call in opened:
                assert select.select([], [call], [], WAIT_SECONDS)[1]
                assert call.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
        finally:
            for call in opened:
                call.close()
