import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.finding.portmap import PortMapper
from netplay.finding.router import (
    Language,
    Lease,
    NatPmp,
    UdpRouter,
    answers,
    external_question,
    gateway_6,
    mapping_question,
    read_external,
)
from netplay.finding.router import gateway_4 as gateway
from netplay.finding.router import read_natpmp_mapping as read_mapping
from netplay.journal import silent
from netplay.limits import LEASE_SECONDS, ROUTER_TRIES
from netplay.peering.address import Address
from netplay.sentences import Says
from tests.patience import PATIENCE
from tests.said import says


class FakeRouter:
    """A router that maps one port as RFC 6886 says, and loses what it is told to."""

    def __init__(self, address: str = "1.2.3.4") -> None:
        self.address = socket.inet_aton(address)
        self.asked: list[bytes] = []
        self.mapped: dict[int, int] = {}
        self.of_udp: dict[int, int] = {}
        self.result = 0
        self.result_of_udp = 0
        self.lose = 0
        self.noise = b""
        self.first_port = 40000
        self.port_of_udp = 0
        self.closed = 0

    def answer(self, question: bytes) -> bytes:
        result = self.result_of_udp if question[1] == 1 else self.result
        head = struct.pack("!BBHI", 0, 128 + question[1], result, 99)
        if question[1] == 0:
            return head + self.address
        mapped = self.of_udp if question[1] == 1 else self.mapped
        inner, wanted, seconds = struct.unpack("!HHI", question[4:])
        if result == 0 and seconds:
            if question[1] == 1:
                mapped[inner] = self.port_of_udp or wanted
            else:
                mapped[inner] = wanted if wanted != 4770 else self.first_port
        elif result == 0:
            mapped.pop(inner, None)
        outer = mapped.get(inner, 0)
        return head + struct.pack("!HHI", inner, outer, seconds)

    async def ask(self, question: bytes, seconds: float) -> bytes | None:
        if question:
            self.asked.append(question)
        if self.lose:
            self.lose -= 1
            await trio.sleep(seconds)
            return None
        await trio.sleep(0.01)
        if self.noise:
            noise, self.noise = self.noise, b""
            return noise
        return self.answer(self.asked[-1])

    async def own(self) -> str:
        return "192.168.0.2"

    def close(self) -> None:
        self.closed += 1


class Mapped:
    def __init__(self, router: FakeRouter | None, *, udp: bool = False) -> None:
        self.changes = 0
        self.router = router
        self.udp = udp
        self.mapper = PortMapper(
            self.find, 4, self.changed, silent, udp=lambda: self.udp
        )

    async def find(self, _version: int) -> tuple[Language, ...]:
        return () if self.router is None else (NatPmp(self.router),)

    def changed(self) -> None:
        self.changes += 1

    @asynccontextmanager
    async def running(self) -> AsyncIterator[PortMapper]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.mapper.run, 4770)
            yield self.mapper
            nursery.cancel_scope.cancel()

    @asynccontextmanager
    async def wanted(self) -> AsyncIterator[PortMapper]:
        """Run it, the port to be mapped from a second ago on."""
        async with self.running() as mapper:
            mapper.switch(on=True)
            await trio.sleep(1)
            yield mapper


async def test_a_node_that_does_not_want_it_asks_no_router(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    async with Mapped(router).running() as mapper:
        await trio.sleep(10_000)
        assert str(mapper.words) == ""
    assert router.asked == []


async def test_the_router_passes_the_port_on_and_says_where(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    async with Mapped(router).wanted() as mapper:
        assert mapper.lease == Lease(Address("1.2.3.4", 40000))
        assert mapper.lease.public
        assert "1.2.3.4:40000" in str(mapper.words)
        assert router.mapped == {4770: 40000}
        assert router.closed == 1


async def test_the_lease_is_renewed_in_time_and_keeps_its_port(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    mapped = Mapped(router)
    async with mapped.wanted():
        router.first_port = 50000
        router.mapped.clear()  # it was restarted
        await trio.sleep(LEASE_SECONDS / 2)
        assert router.mapped == {4770: 40000}
        assert mapped.changes == 1


async def test_the_port_of_datagrams_is_mapped_beside_it_and_given_back(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    async with Mapped(router, udp=True).wanted() as mapper:
        assert router.of_udp == router.mapped == {4770: 40000}
        assert mapper.datagrams == Address("1.2.3.4", 40000)
        assert says(str(mapper.words), Says.MAPPED_BOTH)
        await mapper.give_back(4770)
        assert router.of_udp == router.mapped == {}


async def test_where_the_router_has_another_port_for_datagrams_it_keeps_that(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    router.port_of_udp = 50000
    mapped = Mapped(router, udp=True)
    async with mapped.wanted() as mapper:
        assert mapper.lease == Lease(Address("1.2.3.4", 40000))
        assert mapper.datagrams == Address("1.2.3.4", 50000)
        assert "50000" in str(mapper.words)
        changes = mapped.changes
        await trio.sleep(LEASE_SECONDS)
        assert mapper.datagrams == Address("1.2.3.4", 50000)
        assert mapped.changes == changes
        await mapper.give_back(4770)
        assert router.of_udp == router.mapped == {}


async def test_in_another_network_no_place_of_datagrams_of_the_last_is_told(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    mapped, told = Mapped(router, udp=True), list[Address | None]()
    async with mapped.wanted() as mapper:
        router.address = socket.inet_aton("5.6.7.8")
        changes = mapped.changes
        mapper.poke()
        while len(told) < 2:
            await trio.sleep(0.005)
            if mapped.changes != changes:
                changes = mapped.changes
                told.append(mapper.datagrams)
        assert told == [None, Address("5.6.7.8", 40000)]


@pytest.mark.parametrize("lost", [False, True])
async def test_a_router_that_maps_no_datagrams_has_mapped_the_port_all_the_same(
    lost: bool, autojump_clock: trio.testing.MockClock
) -> None:
    router = FakeRouter()
    router.result_of_udp = 2
    mapped = Mapped(router, udp=True)
    async with mapped.running() as mapper:
        mapper.switch(on=True)
        await trio.sleep(0.025)
        router.lose = 100 if lost else 0
        await trio.sleep(1)
        assert mapper.lease == Lease(Address("1.2.3.4", 40000))
        assert mapper.datagrams is None
        assert says(str(mapper.words), Says.MAPPED)
        await trio.sleep(20)
        router.lose = 0
        router.result_of_udp = 0
        await trio.sleep(LEASE_SECONDS / 2)
        assert mapper.datagrams == Address("1.2.3.4", 40000)


async def test_datagrams_that_come_a_little_later_are_mapped_soon(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    mapped = Mapped(router)
    async with mapped.wanted() as mapper:
        assert router.of_udp == {}
        mapped.udp = True
        await trio.sleep(10)
        assert router.of_udp == {4770: 40000}
        assert mapper.datagrams == Address("1.2.3.4", 40000)


async def test_a_promise_of_the_port_is_none_of_datagrams(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """A wrong answer is passed over, and the right one is taken."""
    router = FakeRouter()
    mapped = Mapped(router, udp=True)
    async with mapped.running() as mapper:
        mapper.switch(on=True)
        await trio.sleep(0.025)
        router.noise = struct.pack("!BBHIHHI", 0, 130, 0, 1, 4770, 9999, 10)
        await trio.sleep(1)
        assert mapper.datagrams == Address("1.2.3.4", 40000)


@pytest.mark.parametrize("poked", [True, False])
async def test_a_port_is_given_back_before_the_node_ends_whatever_else_is_asked(
    poked: bool, autojump_clock: trio.testing.MockClock
) -> None:
    """Links that ended poked the mapper, which had begun to give the port back."""
    router = FakeRouter()
    async with Mapped(router).wanted() as mapper:
        assert router.mapped == {4770: 40000}
        mapper.on = poked  # it is renewed meanwhile, or given back
        mapper.poke()
        await trio.sleep(0.005)
        await mapper.give_back(4770)
        assert router.mapped == {}
    assert router.mapped == {}


async def test_the_port_is_given_back_when_it_is_not_wanted_any_more(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    async with Mapped(router).wanted() as mapper:
        mapper.switch(on=False)
        await trio.sleep(1)
        assert router.mapped == {}
        assert mapper.lease is None
        assert str(mapper.words) == ""


async def test_the_port_is_given_back_at_the_end(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    mapped = Mapped(router)
    async with mapped.wanted():
        pass
    await mapped.mapper.give_back(4770)
    assert router.mapped == {}
    asked = len(router.asked)
    await mapped.mapper.give_back(4770)
    assert len(router.asked) == asked
    assert router.closed == 2


@pytest.mark.parametrize("what", ["both", "datagrams"])
async def test_what_was_not_renewed_is_given_back_too(
    what: str, autojump_clock: trio.testing.MockClock
) -> None:
    """Some routers know no end of what they have promised."""
    router = FakeRouter()
    async with Mapped(router, udp=True).wanted() as mapper:
        router.result = 2 if what == "both" else 0
        router.result_of_udp = 2
        mapper.poke()
        await trio.sleep(1)
        assert (mapper.lease is None) == (what == "both")
        assert mapper.datagrams is None
        assert router.of_udp == router.mapped == {4770: 40000}
        router.result = router.result_of_udp = 0
        await mapper.give_back(4770)
        assert router.of_udp == router.mapped == {}


async def test_a_router_of_another_network_is_not_given_back_what_is_not_its_own(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    async with Mapped(router, udp=True).wanted() as mapper:
        router.address = socket.inet_aton("5.6.7.8")
        router.result = router.result_of_udp = 2
        mapper.poke()
        await trio.sleep(1)
        router.result = router.result_of_udp = 0
        await mapper.give_back(4770)
        assert router.of_udp == router.mapped == {4770: 40000}


async def test_a_router_that_says_nothing_at_the_end_is_left(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    mapped = Mapped(router)
    async with mapped.wanted():
        pass
    router.lose = 100
    await mapped.mapper.give_back(4770)
    assert router.closed == 2


async def test_a_lost_question_is_asked_again_with_longer_waits(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    router.lose = 3
    async with Mapped(router).running() as mapper:
        mapper.switch(on=True)
        await trio.sleep(1.7)
        assert mapper.lease is None
        await trio.sleep(0.2)
        assert mapper.lease is not None


async def test_a_router_that_never_answers_is_told_and_asked_again_later(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    router.lose = ROUTER_TRIES
    async with Mapped(router).running() as mapper:
        mapper.switch(on=True)
        await trio.sleep(20)
        assert says(str(mapper.words), Says.ROUTER_SILENT)
        assert mapper.lease is None
        await trio.sleep(120)
        assert mapper.lease is not None


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (1, "another version"),
        (2, "switched off"),
        (3, "no address of the internet"),
        (4, "no port left"),
        (5, "does not map"),
        (77, "error 77"),
    ],
)
async def test_a_refusal_is_a_sentence(
    autojump_clock: trio.testing.MockClock, result: int, why: str
) -> None:
    router = FakeRouter()
    router.result = result
    async with Mapped(router).wanted() as mapper:
        assert why in str(mapper.words)
        assert mapper.lease is None


async def test_without_a_router_that_is_said(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with Mapped(None).wanted() as mapper:
        assert str(mapper.words) == str(Says.NO_ROUTER())


async def test_a_second_router_in_front_is_told(
    autojump_clock: trio.testing.MockClock,
) -> None:
    for address in ("192.168.1.7", "10.1.1.1"):
        async with Mapped(FakeRouter(address)).wanted() as mapper:
            assert says(str(mapper.words), Says.MAPPED_BEHIND_ROUTER)
            assert mapper.lease is not None
            assert not mapper.lease.public


async def test_an_address_that_a_provider_shares_is_told(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with Mapped(FakeRouter("100.64.3.3")).wanted() as mapper:
        assert says(str(mapper.words), Says.MAPPED_SHARED)


async def test_an_answer_to_something_else_is_passed_over(
    autojump_clock: trio.testing.MockClock,
) -> None:
    router = FakeRouter()
    router.noise = struct.pack("!BBHIHHI", 0, 130, 0, 1, 9999, 9999, 10)
    async with Mapped(router).wanted() as mapper:
        assert mapper.lease == Lease(Address("1.2.3.4", 40000))


@given(st.binary(max_size=20))
def test_whatever_a_router_says_is_an_answer_or_a_sentence(data: bytes) -> None:
    for read in (read_external, read_mapping):
        try:
            read(data)
        except LocalError as error:
            assert error.code is Code.NO_ANSWER
    answers(external_question(), data)
    answers(mapping_question(1, 2, 3), data)


def test_the_questions_are_those_of_the_rfc() -> None:
    assert external_question() == bytes(2)
    asked = mapping_question(4770, 4771, 1200)
    assert asked == bytes.fromhex("0002 0000 12a2 12a3 0000 04b0")


def test_the_gateway_stands_in_the_table_of_routes() -> None:
    table = (
        "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n"
        "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\n"
        "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\n"
    )
    assert gateway(table) == "192.0.2.1"
    assert gateway("") is None
    assert gateway(table.replace("010200C0", "00000000")) is None


def test_of_two_ways_out_the_better_one_leads_to_the_router() -> None:
    """Metrics are decimal in one of Linux's tables and hexadecimal in the other."""
    line = "{}\t00000000\t{}\t0003\t0\t0\t{}\t00000000\n"
    wifi, wire = ("wlan0", "010200C0", 600), ("eth0", "0164A8C0", 100)
    four = "".join(line.format(*each) for each in (wifi, wire))
    assert gateway("Iface\n" + four) == "192.168.100.1"
    none, six = "0" * 32, "{0} 00 {0} 00 {1} {2} 00000001 00000000 00450003 {3}\n"
    ways = [
        ("fe80" + "0" * 27 + "1", "00000400", "wlan0"),
        ("fe80" + "0" * 27 + "2", "0000000a", "eth0"),
    ]
    text = "".join(six.format(none, *each) for each in ways)
    assert gateway_6(text) == "fe80::2%eth0"


async def test_a_router_is_asked_by_udp() -> None:
    fake = FakeRouter()
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        await sock.bind(("127.0.0.1", 0))

        async def serve() -> None:
            while True:
                question, where = await sock.recvfrom(100)
                await sock.sendto(fake.answer(question), where)

        with trio.fail_after(PATIENCE):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(serve)
                router = UdpRouter("127.0.0.1", sock.getsockname()[1])
                data = await router.ask(external_question(), 5)
                assert data is not None
                assert read_external(data) == "1.2.3.4"
                data = await router.ask(mapping_question(4770, 4770, 60), 5)
                assert data is not None
                assert read_mapping(data) == (40000, 60)
                assert await router.own() == "127.0.0.1"
                router.close()
                nursery.cancel_scope.cancel()


async def test_where_no_router_listens_there_is_no_answer() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    router = UdpRouter("127.0.0.1", port)
    with trio.fail_after(PATIENCE):
        assert await router.ask(external_question(), 0.05) is None
        assert await router.ask(external_question(), 0.05) is None
    router.close()
    router.close()
