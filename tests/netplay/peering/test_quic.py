"""The path over UDP: what goes over it, and what strangers can do to it."""

import gc
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any, Self

import pytest
import trio
import trio.testing

from netplay import limits
from netplay.daemon.parts import open_known
from netplay.errors import Code, LocalError, NetplayError
from netplay.home import Home
from netplay.peering.address import Address
from netplay.peering.dialler import first_to_prove
from netplay.peering.identity import open_identity
from netplay.peering.net import Incoming, Secured, TcpNet, host_of
from netplay.peering.stun import address_in, answer, request
from tests.patience import PATIENCE
from tests.system.nodes import Resident, burden

pytest.importorskip("aioquic")

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import ConnectionTerminated, HandshakeCompleted

from netplay.peering import quic
from netplay.peering.quic import QuicStream
from netplay.peering.udp import Udp

LOOP = "127.0.0.1"
MAPS = Path("/proc/self/maps")
"""Where the system says which libraries a process has loaded, if it does."""


class Node:
    """A node's port."""

    def __init__(self, folder: Path) -> None:
        home = Home(folder)
        home.prepare()
        self.identity = open_identity(home)
        self.net = TcpNet(self.identity, LOOP)
        self.port = 0
        self.guests: list[Secured] = []
        self.over: list[bool] = []
        self.reads = True

    async def start(self, nursery: trio.Nursery) -> None:
        self.port = await nursery.start(self.net.listen, 0, self.came)
        with trio.fail_after(PATIENCE):
            while not self.net.udp:  # noqa: ASYNC110 (it tells nobody)
                await trio.sleep(0.01)

    async def came(self, incoming: Incoming) -> None:
        self.over.append(incoming.udp)
        try:
            found = await self.net.secure(incoming.stream, server_side=True)
            self.guests.append(found)
            if not self.reads:
                await trio.sleep_forever()
            while data := await found.stream.receive_some():
                await found.stream.send_all(data)
            await found.stream.send_all(b"bye")
            await found.stream.aclose()
        except (NetplayError, trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        finally:
            await trio.aclose_forcefully(incoming.stream)

    @property
    def address(self) -> Address:
        return Address(LOOP, self.port)

    async def call(self, other: "Node") -> Secured:
        with trio.fail_after(PATIENCE):
            stream = await self.net.connect_udp(other.address)
            return await self.net.secure(stream, server_side=False)


@pytest.fixture
async def two(tmp_path: Path, nursery: trio.Nursery) -> tuple[Node, Node]:
    cast = Node(tmp_path / "ann"), Node(tmp_path / "bob")
    for one in cast:
        await one.start(nursery)
    return cast


async def echoes(one: Secured, data: bytes) -> bool:
    """Return whether what is said comes back."""
    said = bytearray()
    with trio.move_on_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.stream.send_all, data)
            while len(said) < len(data):
                said += await one.stream.receive_some()
    return bytes(said) == data


class Stranger:
    """Somebody with a library of their own, and a socket."""

    def __init__(self, port: int) -> None:
        self.to = (LOOP, port)
        self.sock = trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.quic = QuicConnection(
            configuration=QuicConfiguration(
                alpn_protocols=["netplay-pipe/1"], verify_mode=ssl.CERT_NONE
            )
        )
        self.up = False
        self.ended = False
        self.sent = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_why: object) -> None:
        self.sock.close()

    async def send(self, *, lost: bool = False) -> int:
        """Send what the library wants sent; return how many bytes that is."""
        parts = self.quic.datagrams_to_send(trio.current_time())
        for part, _where in () if lost else parts:
            await self.sock.sendto(part, self.to)
        size = sum(len(part) for part, _where in parts)
        self.sent += 0 if lost else size
        return size

    async def call(self) -> None:
        await self.sock.bind((LOOP, 0))
        self.quic.connect(self.to, trio.current_time())
        await self.send()

    async def until(
        self,
        holds: Callable[[], bool],
        seconds: float = PATIENCE,
        *,
        mute: bool = False,
    ) -> bool:
        """Talk, or only hear, until something holds; return whether it does."""
        with trio.move_on_after(seconds):
            while not holds():
                with trio.move_on_after(0.2) as late:
                    data, where = await self.sock.recvfrom(2048)
                    self.quic.receive_datagram(data, where, trio.current_time())
                if late.cancelled_caught:
                    self.quic.handle_timer(trio.current_time())
                while (event := self.quic.next_event()) is not None:
                    self.up |= isinstance(event, HandshakeCompleted)
                    self.ended |= isinstance(event, ConnectionTerminated)
                await self.send(lost=mute)
        return holds()


async def test_a_key_is_proved_and_all_that_is_said_arrives(
    two: tuple[Node, Node],
) -> None:
    ann, bob = two
    one = await ann.call(bob)
    assert one.key == bob.identity.key
    assert await echoes(one, b"hello")
    # No more than fits: this echo does not read on while it waits to send.
    assert await echoes(one, bytes(range(256)) * 400)
    assert bob.guests[0].key == ann.identity.key
    assert bob.over == [True]
    # As one end says goodbye, the other says the last word.
    await bob.guests[0].stream.send_all(b"last")
    await bob.guests[0].stream.aclose()
    assert await one.stream.receive_some() == b"last"
    assert await one.stream.receive_some() == b""


async def test_own_addresses_are_looked_at_only_while_a_call_of_ours_lasts(
    two: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = two
    looked: list[Any] = []
    source = quic.source_of
    monkeypatch.setattr(quic, "source_of", lambda of: looked.append(of) or source(of))
    counting = Woken("Quic._watch_own")
    trio.lowlevel.add_instrument(counting)
    await trio.sleep(4 * limits.QUIC_LOOK_SECONDS)
    assert not counting.count
    called = await ann.call(bob)
    with trio.fail_after(PATIENCE):
        while len(looked) < 3:  # noqa: ASYNC110 (it tells nobody)
            await trio.sleep(0.01)
    await called.stream.aclose()
    with trio.fail_after(PATIENCE):
        while trio.current_time() < counting.last + 4 * limits.QUIC_LOOK_SECONDS:  # noqa: ASYNC110 (it tells nobody)
            await trio.sleep(0.1)
    trio.lowlevel.remove_instrument(counting)


class Woken(trio.abc.Instrument):
    """How often a task has something to do, and when it had last."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self.last = trio.current_time()

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        if task.name.endswith(self.name):
            self.count += 1
            self.last = trio.current_time()


async def test_much_goes_both_ways_at_once(two: tuple[Node, Node]) -> None:
    ann, bob = two
    bob.reads = False
    one, size = await ann.call(bob), 2_000_000
    with trio.fail_after(PATIENCE):
        while not bob.guests:  # noqa: ASYNC110 (it tells nobody)
            await trio.sleep(0.01)
    other = bob.guests[0]
    heard = {one: bytearray(), other: bytearray()}

    async def read(end: Secured) -> None:
        while len(heard[end]) < size:
            heard[end] += await end.stream.receive_some()

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            for end, letter in ((one, b"a"), (other, b"b")):
                nursery.start_soon(end.stream.send_all, letter * size)
                nursery.start_soon(read, end)
    assert heard == {one: b"b" * size, other: b"a" * size}


async def test_the_certificate_of_quic_is_another_at_each_start(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[QuicConfiguration] = []

    def noted(*words: Any, **more: Any) -> QuicConfiguration:
        made.append(QuicConfiguration(*words, **more))
        return made[-1]

    monkeypatch.setattr("netplay.peering.quic.QuicConfiguration", noted)
    seen = set()
    for _ in range(2):
        node = Node(tmp_path / "ann")
        await node.start(nursery)
        await trio.aclose_forcefully((await node.call(node)).stream)
        shown = [one.certificate for one in made if one.certificate]
        seen |= {one.public_key().public_bytes_raw() for one in shown}
    assert len(seen) == 2
    assert node.identity.key not in seen


async def test_what_is_not_read_is_not_kept_without_a_bound(
    two: tuple[Node, Node],
) -> None:
    ann, bob = two
    bob.reads = False
    one = await ann.call(bob)
    sent = 0
    with trio.move_on_after(3):
        while True:
            await one.stream.send_all(bytes(8192))
            sent += 8192
    assert sent < 2 * limits.QUIC_WAITING_BYTES + limits.QUIC_PENDING_BYTES + 65536
    await trio.aclose_forcefully(one.stream)


def kept() -> int:
    """Return how many connections the nodes of this process keep."""
    gc.collect()
    return sum(isinstance(one, QuicStream) for one in gc.get_objects())


async def test_who_has_not_shown_its_address_gets_less_than_it_sent_and_no_state(
    two: tuple[Node, Node],
) -> None:
    ann, _bob = two
    sent, got, before = 0, 0, kept()
    for _ in range(50):
        with Stranger(ann.port) as stranger:
            await stranger.sock.bind((LOOP, 0))
            stranger.quic.connect(stranger.to, trio.current_time())
            sent += await stranger.send()
            with trio.move_on_after(0.3):
                got += len(await stranger.sock.recv(2048))
    assert 0 < got < sent / 5
    assert kept() <= before


async def test_who_says_to_be_elsewhere_has_a_third_sent_no_more_than_was_got(
    nursery: trio.Nursery,
) -> None:
    async def came(stream: QuicStream, _number: str) -> None:
        with suppress(trio.BrokenResourceError):
            await stream.send_all(bytes(1_000_000))

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind((LOOP, 0))
        port = free.getsockname()[1]
    await nursery.start(Udp().serve, came, [(socket.AF_INET, LOOP)], port)
    # All stay open: a port that comes again has answered already, and is no stranger.
    with Stranger(port) as stranger, ExitStack() as thirds:
        await stranger.call()
        assert await stranger.until(lambda: stranger.up)
        stranger.quic.send_stream_data(0, b"send me much")
        await stranger.send()
        sent, got = 0, 0
        for number in range(200):
            third = trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            thirds.enter_context(third)
            await third.bind((LOOP, 0))
            stranger.quic.send_ping(number)
            now = trio.current_time()
            for part, _where in stranger.quic.datagrams_to_send(now):
                await third.sendto(part, stranger.to)
                sent += len(part)
            for sock in (third, stranger.sock):
                with trio.move_on_after(0.02):
                    while True:
                        data, where = await sock.recvfrom(2048)
                        got += len(data) if sock is third else 0
                        # Who guesses what was sent there acknowledges it.
                        stranger.quic.receive_datagram(data, where, now)
        print(f"a third got {got} bytes of {stranger.sent + sent}")
        assert 0 < got <= stranger.sent + sent


async def test_who_asks_is_told_where_its_datagrams_come_from(
    two: tuple[Node, Node],
) -> None:
    ann, bob = two
    with trio.fail_after(PATIENCE):
        assert await bob.net.seen(ann.address, udp=True) == bob.address


async def test_who_does_not_answer_where_datagrams_come_from_is_not_waited_for(
    two: tuple[Node, Node],
) -> None:
    ann, _bob = two
    heard: list[bytes] = []
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as liar:
        await liar.bind((LOOP, 0))
        where = Address(LOOP, liar.getsockname()[1])

        async def lie() -> None:
            while True:
                asked, whence = await liar.recvfrom(2048)
                heard.append(asked)
                # Of another question, and from somebody who was not asked.
                await liar.sendto(answer(request(bytes(12)), "8.8.8.8", 7), whence)
                with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
                    await other.sendto(answer(asked, "8.8.8.8", 7), whence)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(lie)
            with pytest.raises(NetplayError), trio.fail_after(PATIENCE):
                await ann.net.seen(where, udp=True)
            nursery.cancel_scope.cancel()
    assert len(heard) == 3
    assert len(set(heard)) == 1


async def test_nobody_is_told_more_than_was_asked_with(two: tuple[Node, Node]) -> None:
    ann, _bob = two
    plain = request(bytes(12))
    long = plain[:2] + b"\0\x18" + plain[4:] + b"\x80\x22\0\x14" + bytes(20)
    answers: list[bytes] = []
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        await sock.bind((LOOP, 0))
        port = sock.getsockname()[1]
        for said in (plain, long[:1] + b"\2" + long[2:], answer(plain, LOOP, 1), long):
            await sock.sendto(said, (LOOP, ann.port))
        with trio.move_on_after(PATIENCE):
            answers.append(await sock.recv(2048))
        with trio.move_on_after(0.5):
            answers.append(await sock.recv(2048))
    (told,) = answers
    assert len(told) <= len(long)
    assert address_in(told, bytes(12)) == Address(LOOP, port)


async def test_garbage_ends_nothing(two: tuple[Node, Node]) -> None:
    ann, bob = two
    one = await bob.call(ann)
    rng = Random(5)
    with Stranger(ann.port) as begun:
        begun.quic.connect(begun.to, 0.0)
        ((initial, _where),) = begun.quic.datagrams_to_send(0.0)
    heads = [b"", b"\x00", b"\x40", b"\x80", b"\xc0\0\0\0\1", b"\xc0\0\0\0\0", b"\xff"]
    with Stranger(ann.port) as known:
        await known.sock.bind((LOOP, 0))
        known.quic.connect(known.to, trio.current_time())
        await known.send()
        assert await known.until(lambda: known.up)
        known.quic.send_ping(1)
        ((packet, _where),) = known.quic.datagrams_to_send(trio.current_time())
        heads.append(packet[:9])  # of a connection that there is
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for n in range(600):
            part = rng.choice(heads) + rng.randbytes(rng.choice((0, 5, 40, 1250)))
            if n % 3 == 0:  # a packet that was good once
                damaged = bytearray(initial)
                for _ in range(rng.randrange(1, 30)):
                    damaged[rng.randrange(60)] = rng.randrange(256)
                part = bytes(damaged[: rng.choice((30, 700, 1200))])
            sock.sendto(part, (LOOP, ann.port))
            if n % 50 == 0:
                await trio.sleep(0.01)
    assert await echoes(one, b"still there")
    assert await echoes(await bob.call(ann), b"and others, too")


@pytest.mark.parametrize("stream", [4, 2, 8])
async def test_a_second_stream_ends_the_connection(
    stream: int, two: tuple[Node, Node]
) -> None:
    ann, _bob = two
    with Stranger(ann.port) as stranger:
        await stranger.call()
        assert await stranger.until(lambda: stranger.up)
        stranger.quic.send_stream_data(stream, b"one more")
        await stranger.send()
        assert await stranger.until(lambda: stranger.ended)


@pytest.mark.parametrize("how", ["stop_stream", "reset_stream"])
async def test_half_a_stream_is_none(how: str, two: tuple[Node, Node]) -> None:
    ann, _bob = two
    with Stranger(ann.port) as stranger:
        await stranger.call()
        assert await stranger.until(lambda: stranger.up)
        stranger.quic.send_stream_data(0, b"\x16\x03\x01\x02")
        await stranger.send()
        await stranger.until(lambda: bool(ann.over))
        getattr(stranger.quic, how)(0, 0)
        await stranger.send()
        assert await stranger.until(lambda: stranger.ended)


async def test_what_waits_for_something_missing_is_bounded(
    two: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "QUIC_GAP_BYTES", 4096)
    ann, _bob = two
    with Stranger(ann.port) as little, Stranger(ann.port) as much:
        for stranger, size in ((little, 2000), (much, 9000)):
            await stranger.call()
            assert await stranger.until(lambda one=stranger: one.up)
            stranger.quic.send_stream_data(0, bytes(1000))
            assert await stranger.send(lost=True) >= 1000
            stranger.quic.send_stream_data(0, bytes(size))
            for _ in range(20):  # the library spreads what it sends
                await stranger.send()
                await trio.sleep(0.02)
        # What is missing never comes. Who says nothing is hung up on later, too.
        began = trio.current_time()
        assert await much.until(lambda: much.ended, mute=True)
        assert trio.current_time() - began < limits.QUIC_IDLE_SECONDS / 2
        assert not await little.until(lambda: little.ended, 1, mute=True)


async def test_a_network_may_have_so_many_connections_and_no_more(
    two: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "QUIC_GUESTS_A_NETWORK", 2)
    ann, bob = two
    first, second = await bob.call(ann), await bob.call(ann)
    with pytest.raises(trio.TooSlowError), trio.fail_after(1.5):
        await bob.net.connect_udp(ann.address)
    assert await echoes(second, b"goes on")
    await trio.aclose_forcefully(first.stream)
    assert await echoes(await bob.call(ann), b"there is room")


async def test_a_network_may_begin_so_often_and_no_more(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "QUIC_HANDSHAKES_A_SECOND", 0.001)
    monkeypatch.setattr(limits, "QUIC_HANDSHAKES_AT_ONCE", 2.0)
    ann, bob = Node(tmp_path / "ann"), Node(tmp_path / "bob")
    for one in (ann, bob):
        await one.start(nursery)
    for _ in range(2):
        await trio.aclose_forcefully((await bob.call(ann)).stream)
    with pytest.raises(trio.TooSlowError), trio.fail_after(1.5):
        await bob.net.connect_udp(ann.address)


async def test_who_says_nothing_is_forgotten(
    two: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Less than the whole minute, and more than a handshake takes on a busy machine.
    monkeypatch.setattr(limits, "HANDSHAKE_SECONDS", 0.5 + 2 * burden())
    ann, _bob = two
    with Stranger(ann.port) as stranger:
        await stranger.call()
        assert await stranger.until(lambda: stranger.up)
        assert await stranger.until(lambda: stranger.ended)
        assert not ann.over


async def test_who_does_not_hang_up_keeps_no_place(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BYE_SECONDS", 0.3)
    monkeypatch.setattr(limits, "QUIC_IDLE_SECONDS", 60.0)
    ann = Node(tmp_path / "ann")
    await ann.start(nursery)
    with Stranger(ann.port) as stranger:
        await stranger.call()
        assert await stranger.until(lambda: stranger.up)
        stranger.quic.send_stream_data(0, b"neither TLS nor STUN" * 10)
        await stranger.send()
        assert await stranger.until(lambda: stranger.ended, 40)


async def test_where_another_has_the_port_of_one_family_the_other_one_is_served(
    nursery: trio.Nursery,
) -> None:
    async def came(stream: QuicStream, _number: str) -> None:
        await stream.send_all(b"hello")
        await stream.aclose()

    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as other:
        try:
            other.bind(("::1", 0))
        except OSError:
            pytest.skip("no IPv6 here")
        port = other.getsockname()[1]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            try:
                free.bind((LOOP, port))
            except OSError:
                pytest.skip("another program has just this port")
        called, caller = Udp(), Udp()
        places = (socket.AF_INET6, "::1"), (socket.AF_INET, LOOP)
        await nursery.start(called.serve, came, places, port)
        await nursery.start(caller.serve, came, places[1:], 0)
        with trio.fail_after(PATIENCE):
            stream = await caller.connect(LOOP, port)
            await stream.send_all(b"?")
            assert await stream.receive_some() == b"hello"
            await trio.aclose_forcefully(stream)


@pytest.mark.parametrize(
    ("where", "number"),
    [
        (("192.0.2.1", 4770), "192.0.2.1"),
        (("2001:db8::1", 4770, 0, 0), "2001:db8::1"),
        (("fe80::1", 4770, 0, 3), "fe80::1%3"),
        (("fe80::1%eth0", 4770, 0, 3), "fe80::1%eth0"),
    ],
)
def test_an_address_within_the_house_has_its_interface(where: Any, number: str) -> None:
    assert host_of(where) == number


async def test_a_call_to_nobody_ends(two: tuple[Node, Node]) -> None:
    ann, bob = two
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as deaf:
        deaf.bind((LOOP, 0))
        with trio.move_on_after(1) as scope:
            await ann.net.connect_udp(Address(LOOP, deaf.getsockname()[1]))
        assert scope.cancelled_caught
    await trio.testing.wait_all_tasks_blocked(0.05)
    assert ann.net.udp
    assert await echoes(await ann.call(bob), b"hello")


async def test_a_port_that_another_program_has_is_no_reason_to_stop(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind((LOOP, 0))
        node = Node(tmp_path / "ann")
        port = other.getsockname()[1]
        assert await nursery.start(node.net.listen, port, node.came) == port
        await trio.sleep(0.5)
        assert not node.net.udp
        await (await node.net.connect(node.address._replace(port=port))).aclose()


async def test_without_the_extra_a_node_is_as_it_was(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "aioquic", None)
    node = Node(tmp_path / "ann")
    node.port = await nursery.start(node.net.listen, 0, node.came)
    await trio.sleep(0.5)
    assert not node.net.udp
    stream = await node.net.connect(node.address)
    one = await node.net.secure(stream, server_side=False)
    assert await echoes(one, b"hello")
    assert node.over == [False]
    await trio.aclose_forcefully(one.stream)


@pytest.mark.processes
@pytest.mark.skipif(not MAPS.exists(), reason="only Linux tells what is loaded")
async def test_what_calls_over_udp_need_is_loaded_by_the_first_of_them(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    ann, bob = Node(tmp_path / "caller"), Resident(tmp_path, 0)
    await ann.start(nursery)
    await bob.start()
    try:
        await bob.meet(nursery)
        there = Address(LOOP, bob.port)
        maps = trio.Path(f"/proc/{bob.pid}/maps")
        with trio.fail_after(PATIENCE):
            assert await ann.net.seen(there, udp=True) == ann.address
        assert "aioquic" not in await maps.read_text("utf-8")
        with trio.fail_after(PATIENCE):
            stream = await ann.net.connect_udp(there)
            await ann.net.secure(stream, server_side=False)
        assert "aioquic" in await maps.read_text("utf-8")
        await trio.aclose_forcefully(stream)
    finally:
        await bob.kill()


@pytest.mark.processes
@pytest.mark.skipif(not MAPS.exists(), reason="only Linux tells what is loaded")
async def test_a_computer_near_that_refuses_is_not_called_over_udp(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    bob = Resident(tmp_path, 0)
    with socket.socket(type=socket.SOCK_DGRAM) as asleep:
        asleep.bind((LOOP, 0))
        asleep.setblocking(False)
        open_identity(bob.home)
        known = open_known(bob.home)
        place = f"{LOOP}:{asleep.getsockname()[1]}"
        known.met(bytes(32), "cyd", place, dialled=False)
        known.befriend(bytes(32), "cyd")
        await bob.start()
        try:
            journal = bob.home.path / "journal.log"
            said = ""
            with trio.fail_after(PATIENCE):
                while "dial.failed" not in said:
                    await trio.sleep(0.05)
                    said = journal.read_text("utf-8") if journal.exists() else ""
            assert place in said
            with pytest.raises(BlockingIOError):
                asleep.recv(1)
            maps = trio.Path(f"/proc/{bob.pid}/maps")
            assert "aioquic" not in await maps.read_text("utf-8")
        finally:
            await bob.kill()


async def test_what_cannot_be_loaded_ends_udp_and_nothing_else(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "netplay.peering.quic", None)
    node = Node(tmp_path / "ann")
    await node.start(nursery)
    with pytest.raises(LocalError) as caught, trio.fail_after(PATIENCE):
        await node.net.connect_udp(node.address)
    assert caught.value.code is Code.NO_ANSWER
    with trio.fail_after(PATIENCE):
        while node.net.udp:  # noqa: ASYNC110 (it tells nobody)
            await trio.sleep(0.01)
    stream = await node.net.connect(node.address)
    one = await node.net.secure(stream, server_side=False)
    assert await echoes(one, b"hello")
    await trio.aclose_forcefully(one.stream)


# The race of a call over TCP and one over UDP.


class Made(trio.abc.AsyncResource):
    closed = False

    async def aclose(self) -> None:
        self.closed = True
        await trio.lowlevel.checkpoint()


def way(seconds: float, error: Code | None = None) -> Any:
    made = Made()

    async def call() -> Secured:
        await trio.sleep(seconds)
        if error is not None:
            raise LocalError(error, str(seconds))
        return Secured(made, str(seconds).encode())  # type: ignore[arg-type]

    return call


@pytest.mark.parametrize(
    ("tcp", "udp", "wins", "at"),
    [
        (way(0.2), way(0.05), b"0.2", 0.2),  # where TCP answers soon, nobody else does
        (way(5), way(0.5), b"0.5", 0.8),
        (way(0.1, Code.NO_ANSWER), way(0.5), b"0.5", 0.6),
        (way(2), way(0, Code.NO_ANSWER), b"2", 2.0),
        (way(8, Code.NO_ANSWER), way(9), b"", 8.0),
        (way(0.1, Code.NO_ANSWER), way(9), b"", 1.0),
        (way(0.1, Code.VERSION), way(0, Code.NO_ANSWER), b"", 0.1),
    ],
)
async def test_the_first_that_proves_a_key_is_taken(
    tcp: Any, udp: Any, wins: bytes, at: float, autojump_clock: trio.testing.MockClock
) -> None:
    began = trio.current_time()
    if wins:
        assert (await first_to_prove(tcp, udp)).key == wins
    else:
        with pytest.raises(LocalError) as caught:
            await first_to_prove(tcp, udp)
        assert caught.value.detail in {"0.1", "8"}  # what TCP has said
    assert trio.current_time() - began == pytest.approx(at)


async def test_a_call_while_udp_ends_fails_as_one_that_nobody_answers() -> None:
    """What runs connections is loaded in a thread: a node may stop meanwhile."""
    for steps in range(200):
        udp, failed = Udp(), list[OSError]()

        async def call(udp: Udp = udp, failed: list[OSError] = failed) -> None:
            try:
                await udp.connect(LOOP, 1)
            except OSError as error:
                failed.append(error)

        async with trio.open_nursery() as calls, trio.open_nursery() as served:
            await served.start(udp.serve, no_visitor, [(socket.AF_INET, LOOP)], 0)
            calls.start_soon(call)
            for _step in range(steps % 4 + 1):
                await trio.lowlevel.checkpoint()
            served.cancel_scope.cancel()
        assert len(failed) == 1


async def no_visitor(stream: trio.abc.Stream, _host: str) -> None:
    """Refuse whoever comes in."""
    await trio.aclose_forcefully(stream)
