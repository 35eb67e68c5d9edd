import os
import socket
import ssl
import struct
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from netplay.errors import Code, LocalError, NetplayError
from netplay.home import Home
from netplay.peering.address import Address
from netplay.peering.identity import Identity, open_identity
from netplay.peering.net import Incoming, Secured, TcpNet, open_listeners
from netplay.sentences import Says
from tests.patience import PATIENCE
from tests.ports import own_port
from tests.said import says

LOOP = "127.0.0.1"


def identity(path: Path) -> Identity:
    home = Home(path)
    home.prepare()
    return open_identity(home)


def net(path: Path) -> TcpNet:
    return TcpNet(identity(path), LOOP)


class Server:
    """A node's port that secures what comes and echoes it."""

    def __init__(self, own: TcpNet) -> None:
        self.net = own
        self.port = 0
        self.secured: list[Secured] = []
        self.errors: list[NetplayError] = []
        self.ips: list[str] = []
        self.failed = trio.Event()

    async def start(self, nursery: trio.Nursery) -> None:
        self.port = await nursery.start(self.net.listen, 0, self.came)

    async def came(self, incoming: Incoming) -> None:
        self.ips.append(incoming.ip)
        try:
            await self.echo(await self.net.secure(incoming.stream, server_side=True))
        except NetplayError as error:
            self.errors.append(error)
            self.failed.set()
        except trio.BrokenResourceError:
            pass
        finally:
            await trio.aclose_forcefully(incoming.stream)

    async def echo(self, secured: Secured) -> None:
        self.secured.append(secured)
        while data := await secured.stream.receive_some(100):
            await secured.stream.send_all(data)

    async def error(self) -> NetplayError:
        with trio.fail_after(PATIENCE):
            await self.failed.wait()
        (error,) = self.errors
        return error

    @property
    def address(self) -> Address:
        return Address(LOOP, self.port)


@pytest.fixture
async def server(tmp_path: Path, nursery: trio.Nursery) -> Server:
    made = Server(net(tmp_path / "server"))
    await made.start(nursery)
    return made


async def test_two_nodes_meet_over_tls_and_know_each_other(
    server: Server, tmp_path: Path
) -> None:
    client = net(tmp_path / "client")
    stream = await client.connect(server.address)
    secured = await client.secure(stream, server_side=False)
    await secured.stream.send_all(b"hello")
    assert await secured.stream.receive_some(100) == b"hello"
    assert secured.key == identity(tmp_path / "server").key
    assert server.secured[0].key == identity(tmp_path / "client").key
    assert server.ips == [LOOP]
    await trio.aclose_forcefully(secured.stream)


async def test_whoever_does_not_speak_tls_is_told_apart(server: Server) -> None:
    stream = await trio.open_tcp_stream(LOOP, server.port)
    await stream.send_all(b"GET / HTTP/1.0\r\n\r\n")
    while await stream.receive_some(100):
        pass
    assert (await server.error()).code is Code.BAD_CERTIFICATE
    await stream.aclose()


async def test_whoever_hangs_up_in_the_handshake_is_no_crash(server: Server) -> None:
    stream = await trio.open_tcp_stream(LOOP, server.port)
    await stream.send_all(b"\x16\x03\x01")
    await stream.aclose()
    assert (await server.error()).code is Code.NO_ANSWER


async def test_whoever_has_no_certificate_is_refused(server: Server) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    stream = trio.SSLStream(await trio.open_tcp_stream(LOOP, server.port), context)
    with pytest.raises(trio.BrokenResourceError):
        await stream.send_all(b"x")
        await stream.receive_some(1)
    await trio.aclose_forcefully(stream)
    assert (await server.error()).code is Code.BAD_CERTIFICATE


async def test_another_protocol_is_refused_and_closed(
    server: Server, tmp_path: Path
) -> None:
    own = identity(tmp_path / "client")
    own.client.set_alpn_protocols(["http/1.1"])
    client = TcpNet(own, LOOP)
    stream = await client.connect(server.address)
    with pytest.raises(NetplayError) as caught:
        await client.secure(stream, server_side=False)
    assert caught.value.code is Code.BAD_CERTIFICATE
    with pytest.raises(trio.ClosedResourceError):
        await stream.send_all(b"x")


async def test_an_address_without_a_listener_does_not_answer(tmp_path: Path) -> None:
    (listener,) = open_listeners(0, LOOP)
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    with pytest.raises(LocalError) as caught:
        await net(tmp_path).connect(Address(LOOP, port))
    assert caught.value.code is Code.NO_ANSWER


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a..b", "x" * 70])
async def test_a_name_that_is_none_cannot_be_found(tmp_path: Path, host: str) -> None:
    with pytest.raises(LocalError) as caught:
        await net(tmp_path).connect(Address(host, 1))
    assert caught.value.code is Code.NO_ADDRESS


async def test_a_word_that_is_no_address_is_told_as_typed(tmp_path: Path) -> None:
    with pytest.raises(LocalError) as caught:
        await net(tmp_path).connect(Address("x" * 70, 4770))
    said = f"'{'x' * 70}' is neither a friend, an invitation nor an address"
    assert str(caught.value.detail) == said


async def test_a_port_in_use_says_what_to_do(server: Server, tmp_path: Path) -> None:
    other = net(tmp_path / "other")
    with pytest.raises(LocalError) as caught:
        await other.listen(server.port, server.came)
    assert caught.value.code is Code.PORT_IN_USE
    assert "--port" in str(caught.value.detail)


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.geteuid() != 0, reason="needs root"
)
async def test_a_port_for_administrators_says_how_it_is_allowed() -> None:
    os.seteuid(65534)
    try:
        with pytest.raises(LocalError) as caught:
            open_listeners(443)
    finally:
        os.seteuid(0)
    assert says(str(caught.value.detail), Says.PORT_NEEDS_RIGHTS, port=443)


async def test_a_port_taken_on_one_family_is_in_use() -> None:
    with socket.socket() as taken:
        taken.bind((LOOP, 0))
        taken.listen()
        with pytest.raises(LocalError) as caught:
            open_listeners(taken.getsockname()[1])
        assert caught.value.code is Code.PORT_IN_USE


async def test_an_interface_that_is_not_ours_is_a_sentence() -> None:
    with pytest.raises(LocalError) as caught:
        open_listeners(0, "192.0.2.1")
    assert caught.value.code is Code.NO_ADDRESS


async def test_all_interfaces_share_one_port() -> None:
    listeners = open_listeners(0)
    ports = {listener.socket.getsockname()[1] for listener in listeners}
    assert len(ports) == 1
    for listener in listeners:
        await listener.aclose()


async def test_a_machine_without_ipv6_listens_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class OnlyFour(socket.socket):
        def __init__(self, family: int = -1, *more: Any, **named: Any) -> None:
            if family == socket.AF_INET6:
                raise OSError(97, "Address family not supported")
            super().__init__(family, *more, **named)

    monkeypatch.setattr(socket, "socket", OnlyFour)
    listeners = open_listeners(0)
    assert len(listeners) == 1
    await listeners[0].aclose()


@pytest.mark.skipif(sys.platform != "linux", reason="others may not accept it at all")
async def test_whoever_has_gone_already_has_no_number(server: Server) -> None:
    with socket.create_connection((LOOP, server.port)) as sock:
        reset = struct.pack("ii", 1, 0)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
    with trio.fail_after(PATIENCE):
        while not server.ips:  # noqa: ASYNC110 (it tells nobody)
            await trio.sleep(0.01)
    assert server.ips == [""]


async def test_a_handshake_that_is_given_up_closes_the_stream(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    own = net(tmp_path)
    listeners = open_listeners(0, LOOP)
    held: list[trio.SocketStream] = []

    async def hold(stream: trio.SocketStream) -> None:
        held.append(stream)
        await trio.sleep_forever()

    await nursery.start(partial(trio.serve_listeners, hold, listeners))
    port = listeners[0].socket.getsockname()[1]
    stream = await own.connect(Address(LOOP, port))
    with trio.move_on_after(0.05) as scope:
        await own.secure(stream, server_side=False)
    assert scope.cancelled_caught
    with pytest.raises(trio.ClosedResourceError):
        await stream.send_all(b"x")
    nursery.cancel_scope.cancel()


async def test_a_call_that_came_in_answer_to_ours_outlives_its_listener(
    tmp_path: Path,
) -> None:
    ann, bob = net(tmp_path / "ann"), net(tmp_path / "bob")

    async def nobody(_incoming: Incoming) -> None:
        raise AssertionError

    async def pause() -> None:
        await trio.sleep(0.01)

    met: list[Secured] = []
    port = own_port()  # nobody listens there: it refuses ann's calls
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            at = await nursery.start(ann.listen, 0, nobody)

            async def meet() -> None:
                met.append(await ann.meet(Address(LOOP, port), pause, server_side=True))

            async with trio.open_nursery() as calls:
                calls.start_soon(meet)
                await trio.sleep(0.05)
                caller = trio.socket.socket()
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                await caller.bind((LOOP, port))
                await caller.connect((LOOP, at))
                stream = trio.SocketStream(caller)
                theirs = await bob.secure(stream, server_side=False)
            (ours,) = met
            await theirs.stream.send_all(b"hello")
            assert await ours.stream.receive_some() == b"hello"
            for each in (ours, theirs):
                await trio.aclose_forcefully(each.stream)
            nursery.cancel_scope.cancel()
