import os
import socket
from collections import Counter

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint, folded
from netplay.peering.address import Address
from netplay.peering.net import (
    Meeting,
    Pause,
    Secured,
    few,
    leads,
    open_listeners,
    wide,
)
from netplay.peering.tcp import OwnPort
from tests.netplay.memory import MemoryNet
from tests.patience import PATIENCE

KEYS = st.binary(min_size=32, max_size=32)


@given(KEYS, KEYS)
def test_of_two_who_meet_one_begins_and_both_know_who(one: bytes, two: bytes) -> None:
    ours, theirs = folded(fingerprint(one)), folded(fingerprint(two))
    assert (leads(one, theirs), leads(two, ours)) in {
        (True, False),
        (False, True),
        *([(False, False)] if ours == theirs else []),
    }


@pytest.mark.parametrize(
    "place",
    ["127.0.0.1:4770", "[::1]:4770", "192.168.0.3", "10.0.0.1", "169.254.1.1:9",
     "[fe80::1]:4770", "224.0.0.1:4770", "[ff02::1]:4770", "0.0.0.0:4770",
     "100.64.1.1", "a.example:4770", "255.255.255.255:1",
     "[::ffff:127.0.0.1]:4770", "[::ffff:10.0.0.1]"],
)  # fmt: skip
def test_nobody_is_met_at_what_is_no_number_of_the_internet(place: str) -> None:
    assert wide([place]) == []


def test_each_number_of_the_internet_is_a_place_to_meet_once() -> None:
    places = ["8.9.1.2:4770", "192.168.0.3:4770", "8.9.1.2", "[2a00:9::1]:4771"]
    assert wide(places) == [Address("8.9.1.2", 4770), Address("2a00:9::1", 4771)]


async def test_calls_from_a_port_let_no_second_node_listen_there() -> None:
    own = OwnPort("127.0.0.1")
    (listener,) = open_listeners(0, "127.0.0.1")
    own.share(listener)
    with socket.socket() as other, trio.fail_after(PATIENCE):
        other.bind(("127.0.0.1", 0))
        other.listen()
        stream = await own.call(*other.getsockname()[:2], trio.lowlevel.checkpoint)
        assert stream.socket.getsockname()[1] == own.port
        with pytest.raises(LocalError) as caught:
            open_listeners(own.port, "127.0.0.1")
        assert caught.value.code is Code.PORT_IN_USE
        with pytest.raises(LocalError):
            open_listeners(own.port)
        await stream.aclose()
    await listener.aclose()


async def test_who_comes_from_where_we_are_calling_is_the_answer_to_our_call() -> None:
    own = OwnPort("127.0.0.1")
    (listener,) = open_listeners(0, "127.0.0.1")
    own.share(listener)
    with socket.socket() as other, trio.fail_after(PATIENCE):
        other.bind(("127.0.0.1", 0))  # and does not listen: we are refused
        met: list[trio.SocketStream] = []

        async def call() -> None:
            met.append(await own.call(*other.getsockname()[:2], rest))

        async def rest() -> None:
            await trio.sleep(0.01)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(call)
            await trio.sleep(0.05)
            await trio.to_thread.run_sync(other.connect, listener.socket.getsockname())
            stream = await listener.accept()
            own.deliver(stream)
            await stream.aclose()  # as who has listened does
        # The listener has taken it, or the system has joined both calls already.
        await met[0].send_all(b"still open")
        await met[0].aclose()
    await listener.aclose()


async def test_who_comes_from_elsewhere_is_nobodys_answer() -> None:
    own = OwnPort("127.0.0.1")
    (listener,) = open_listeners(0, "127.0.0.1")
    with socket.socket() as other:
        await trio.to_thread.run_sync(other.connect, listener.socket.getsockname())
        stream = await listener.accept()
        assert not own.deliver(stream)
        await stream.aclose()
    await listener.aclose()


def test_of_an_invitation_s_places_few_outside_are_called_and_all_at_home() -> None:
    home = ["192.168.0.3:4770", "10.1.1.1:9", "[fe80::1]:4770", "127.0.0.1:80"]
    ports = [f"8.9.1.2:{port}" for port in range(1, 5)]
    names = [f"name.example:{port}" for port in range(1, 5)]
    through = [f"via/AAAA-AAAA-AAAA-AAAA-AAAA@8.9.1.{n}:4770" for n in range(3)]
    many = ["224.0.0.251:4770", "255.255.255.255:4770", "0.0.0.0:25", "[::]:4770"]
    many += ["[ff02::1]:4770", "[ff02::1%eth0]:4770", "[::ffff:224.0.0.1]:4770"]
    assert few(many) == []
    assert few([*home, *ports]) == [*home, *ports[:2]]
    assert few([*ports, *names]) == [*ports[:2], *names[:2]]
    assert few([*through, *ports, *home]) == [*through, ports[0], *home]


class Refusing(MemoryNet):
    """A network in which everybody refuses at once; it counts the calls."""

    def __init__(self) -> None:
        self.calls = Counter[Address]()

    async def meet(
        self, address: Address, pause: Pause, *, server_side: bool, seconds: float = 8.0
    ) -> Secured:
        del server_side, seconds  # it refuses whomever
        while True:
            self.calls[address] += 1
            await pause()


async def _never(_place: str, _secured: Secured) -> None:
    raise AssertionError


async def test_who_refuses_is_called_so_often_in_all_and_no_more(
    autojump_clock: trio.testing.MockClock,
) -> None:
    net, spent = Refusing(), Counter[Address]()
    places = [Address("8.9.1.2", 4770), Address("8.9.2.2", 4770)]
    for _ in range(5):
        meeting = Meeting(net, _never, os.urandom, leads=True, spent=spent)
        with trio.move_on_after(60):
            await meeting.meet(places)
    most = dict.fromkeys(places, 400 + 4)  # each beginning is one more
    assert all(0 < net.calls[place] <= most[place] for place in places)
