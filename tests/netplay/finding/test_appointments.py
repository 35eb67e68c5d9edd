"""Two who have both moved meet by a DHT; liars there cost a call, and learn nothing."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.finding import appointments
from netplay.finding.appointments import (
    CALL_SECONDS,
    EPOCH_SECONDS,
    ITEM_BYTES,
    NONCE_BYTES,
    SKEW_SECONDS,
    epochs,
    fits,
    read_item,
    sealed,
    spot,
)
from netplay.messages.door import Done, Question, Request
from netplay.messages.link import Appointment, Places
from netplay.messages.node_questions import NameEntries, Switch
from netplay.messages.types import PLACES, SIGNATURE_BYTES
from netplay.peering.address import Address
from netplay.record.log import SecretKey
from netplay.sentences import Says
from netplay.text import phrases
from tests.netplay.finding.test_telling import (
    acquainted,
    called_by,
    linked_within,
    misses,
    number,
    told,
    wake,
    word,
)
from tests.netplay.memory import KEYS, Player, World, running
from tests.said import says as has

AWAKE_SECONDS = 60.0
NOON = 1_700_000_000 // EPOCH_SECONDS * EPOCH_SECONDS + EPOCH_SECONDS // 2


class MemoryDht:
    """A DHT of one honest node: of each key and salt it keeps what was left last."""

    def __init__(self) -> None:
        self.items: dict[tuple[bytes, bytes], list[bytes]] = {}
        self.entered: list[tuple[Address, ...]] = []
        self.puts = 0
        self.gets = 0
        self.host = ""
        self.down = False

    @asynccontextmanager
    async def opens(self, entries: Sequence[Address]) -> AsyncIterator["MemoryDht"]:
        self.entered.append(tuple(entries))
        if self.down:
            raise LocalError(Code.NO_ANSWER)
        yield self

    async def put(self, seed: bytes, salt: bytes, item: bytes) -> bool:
        await trio.sleep(1)
        self.puts += 1
        self.items.setdefault((SecretKey(seed).key, salt), []).append(item)
        return True

    async def get(self, key: bytes, salt: bytes) -> Sequence[bytes]:
        await trio.sleep(1)
        self.gets += 1
        return self.items.get((key, salt), [])[-1:]

    def outside(self) -> str:
        return self.host


class Clocked(Player):
    """A player whose clock runs."""

    ahead = 0

    @property
    def unix(self) -> int:
        now = 0.0
        with suppress(RuntimeError):  # it is made before the clock runs
            now = trio.current_time()
        return NOON + self.ahead + int(now)

    @unix.setter
    def unix(self, value: int) -> None:
        """Days go by without being set."""


@pytest.fixture
def dht() -> MemoryDht:
    return MemoryDht()


@pytest.fixture
def pair(world: World, dht: MemoryDht, tmp_path: Path) -> list[Player]:
    """Give two friends, who have said yes to the DHT."""
    cast: list[Player] = []
    for place in (1, 2):
        one = Clocked(world, place, tmp_path)
        one.dht = dht.opens
        one.home.set("dht", "on")
        cast.append(one)
    for one, other in (cast, cast[::-1]):
        one.known.befriend(other.key, "friend")
        one.restarted()
    return cast


def miss_each_other(ann: Player, bob: Player) -> None:
    misses(ann, bob)
    misses(bob, ann)


# Meeting.


async def test_two_who_both_moved_meet_by_the_dht(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    assert not dht.entered  # nobody was missing for long
    wake(ann, bob)
    async with running(*pair):
        miss_each_other(ann, bob)
        assert await linked_within(AWAKE_SECONDS, ann, bob)
        assert told(bob, ann) == (f"10.0.0.1:{ann.port}",)


@pytest.mark.parametrize("who", [(), (0,), (1,)])
async def test_without_a_yes_of_both_nothing_is_put_or_asked_for_them(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock,
    who: tuple[int, ...],
) -> None:  # fmt: skip
    await acquainted(pair)
    for place, one in enumerate(pair):
        one.home.set("dht", "on" if place in who else "")
    wake(*pair)
    async with running(*pair):
        miss_each_other(*pair)
        assert not await linked_within(AWAKE_SECONDS, *pair)
    assert len(dht.entered) == len(who)
    assert len(dht.items) == len(who)


async def test_nothing_is_asked_while_nobody_is_missing(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    wake(ann, bob)
    async with running(*pair):
        miss_each_other(ann, bob)
        assert await linked_within(AWAKE_SECONDS, ann, bob)
        await trio.sleep(120)
        before = dht.puts, dht.gets
        await trio.sleep(1800)
        assert (dht.puts, dht.gets) == before


async def test_what_one_who_waits_for_long_costs_is_bounded(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    async with running(ann):
        misses(ann, bob)
        await trio.sleep(3600 + 60)
        first = dht.gets
        await trio.sleep(3600)
    assert 60 <= first <= 120
    assert dht.gets - first <= 13
    assert dht.puts <= 5


async def test_who_is_looked_for_is_looked_for_as_seldom_when_another_goes_too(
    pair: list[Player], dht: MemoryDht, world: World, tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
) -> None:  # fmt: skip
    ann, bob = pair
    cyd = Clocked(world, 3, tmp_path)
    await acquainted(pair)
    ann.known.befriend(cyd.key, "cyd")
    async with running(ann):
        misses(ann, bob)
        await trio.sleep(200)
        fresh = dht.gets
        await trio.sleep(400)
        before = dht.gets
        misses(ann, cyd)
        await trio.sleep(200)
    assert fresh <= dht.gets - before < 1.5 * fresh


async def nobody(address: Address) -> trio.abc.Stream:
    raise LocalError(Code.NO_ANSWER, address.text())


def does(player: Player, question: Question) -> None:
    """Have a node do what a window asks."""
    answers: list[object] = []
    player.node.answer(1, Request(1, question), answers.append)
    assert [type(each) for each in answers] == [Done], answers


@pytest.mark.parametrize("later", [0, 7])
async def test_both_call_at_the_same_moments(
    pair: list[Player], autojump_clock: trio.testing.MockClock, later: int
) -> None:
    ann, bob = pair
    await acquainted(pair)
    wake(ann, bob)
    moments: dict[bytes, list[float]] = {}
    async with running(*pair):
        for one in pair:
            one.net.connect = nobody  # type: ignore[method-assign]
            at = moments.setdefault(one.key, [])

            def moved(_key: bytes, at: list[float] = at) -> None:
                at.append(trio.current_time())

            one.presence.telling.moved = moved
        misses(ann, bob)
        await trio.sleep(later)
        misses(bob, ann)
        await trio.sleep(60)
        common = 0
        for when in moments[ann.key]:
            common += any(abs(when - other) < 1.5 for other in moments[bob.key])
        assert common >= 60 // CALL_SECONDS


@pytest.mark.parametrize("how", ["network", "router"])
async def test_a_new_place_while_a_friend_is_long_missing_is_left_there_at_once(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock, how: str
) -> None:
    ann, bob = pair
    await acquainted(pair)
    ann.places = mine = ["10.0.0.1"]
    async with running(ann):
        misses(ann, bob)
        await trio.sleep(2 * 3600)
        before = dht.puts
        if how == "network":
            mine[:] = ["10.7.7.7"]
        else:
            dht.host = "8.9.10.11"
        await trio.sleep(12)
        assert dht.puts == before + 1


async def test_a_word_that_comes_half_a_minute_later_is_found_as_soon_as_the_first(
    pair: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    """Where its calls come out a node may learn late, by its second or third call."""
    ann, bob = pair
    await acquainted(pair)
    wake(ann, bob)
    moments: list[float] = []
    for one in pair:
        one.net.connect = nobody  # type: ignore[method-assign]
    async with running(ann):
        misses(ann, bob)
        await trio.sleep(42)

        def moved(_key: bytes) -> None:
            moments.append(trio.current_time())

        async with running(bob):
            ann.presence.telling.moved = moved
            misses(bob, ann)
            began = trio.current_time()
            await trio.sleep(40)
    assert moments[0] - began < 15


async def test_the_address_that_the_dht_sees_is_told_to_the_friend_not_in_the_line(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    wake(ann, bob)
    dht.host = "8.9.10.11"
    async with running(*pair):
        miss_each_other(ann, bob)
        assert await linked_within(AWAKE_SECONDS, ann, bob)
        await trio.sleep(10)
        assert f"8.9.10.11:{ann.port}" in told(bob, ann)
        for lie in ("no number", "10.0.0.9", "224.0.0.1", "127.0.0.1", "2a00::1", ""):
            dht.host = lie
            await trio.sleep(6)
            assert told(bob, ann) == (f"10.0.0.1:{ann.port}",)


# Saying no, other nodes, and what is said of it.


async def test_its_entry_nodes_can_be_named_and_are_the_only_ones_asked(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    async with running(ann):
        does(ann, NameEntries("127.0.0.1:4001, 127.0.0.1:4002"))
        misses(ann, bob)
        await trio.sleep(10)
        does(ann, Switch("dht", on=False))
        await trio.sleep(3)
        before = dht.gets
        await trio.sleep(600)
        assert dht.gets == before
    assert dht.entered == [(Address("127.0.0.1", 4001), Address("127.0.0.1", 4002))]
    assert ann.home.setting("dht") == "off"


async def test_entry_nodes_that_miss_a_first_call_are_called_again_soon(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    dht.down = True
    async with running(ann):
        misses(ann, bob)
        await trio.sleep(7)  # the first call was 5 s after he was missed
        assert len(dht.entered) == 1
        dht.down = False
        await trio.sleep(5)
        assert len(dht.entered) == 2
        does(ann, Switch("dht", on=False))
        dht.down = True
        does(ann, Switch("dht", on=True))
        await trio.sleep(600)
        assert len(dht.entered) <= 2 + 3 + 600 / 40, "not for ever that often"


async def test_status_says_how_it_stands(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    dht.down = True

    def says() -> str:
        return phrases.dht(ann.node.rpc.status().network)

    async with running(ann):
        assert has(says(), Says.DHT_RESTS)
        misses(ann, bob)
        await trio.sleep(10)
        assert has(says(), Says.DHT_SILENT)
        dht.down = False
        await trio.sleep(60)
        assert has(says(), Says.DHT_LOOKS)
        does(ann, Switch("dht", on=False))
        assert not says()
    ann.dht = None
    ann.home.set("dht", "on")
    ann.restarted()
    async with running(ann):
        assert has(says(), Says.DHT_LACKS)


# Items.


COMMON = bytes(range(32))


def item(places: tuple[str, ...] = ("8.9.1.2:4770",), call: int = 7) -> Appointment:
    return Appointment(3, places, bytes(SIGNATURE_BYTES), call)


def test_an_item_comes_back_as_it_was_and_all_have_one_size() -> None:
    where = spot(COMMON, KEYS[1], 5)
    for said in (item(), item(()), item(("8.9.1.2:4770",) * PLACES)):
        sealed_ = sealed(where, said, os.urandom(NONCE_BYTES))
        assert len(sealed_) == ITEM_BYTES <= 1000 - len(b"1000:")
        assert read_item(where, sealed_, Appointment) == said


def test_each_day_each_direction_and_each_pair_has_a_place_of_its_own() -> None:
    spots = [
        spot(common, owner, day)
        for common in (COMMON, bytes(32))
        for owner in KEYS[1:3]
        for day in (5, 6)
    ]
    assert len({(one.key, one.salt) for one in spots}) == len(spots)
    assert len({one.cipher for one in spots}) == len(spots)
    for one in spots:  # a stranger who keeps it sees nothing of whose it is
        assert one.owner not in one.key + one.salt
        for other in spots:
            if other is not one:
                with pytest.raises(PeerError):
                    read_item(
                        other, sealed(one, item(), bytes(NONCE_BYTES)), Appointment
                    )


def test_clocks_may_differ_by_two_hours_also_about_midnight() -> None:
    for midnight in range(0, 20 * EPOCH_SECONDS, EPOCH_SECONDS):
        for by in range(-3 * 3600, 3 * 3600, 600):
            unix = max(0, midnight + by)
            for skew in (-SKEW_SECONDS, 0, SKEW_SECONDS):
                if unix + skew >= 0:
                    assert (unix + skew) // EPOCH_SECONDS in epochs(unix)
            assert len(epochs(unix)) <= 2


def test_what_is_too_long_for_an_item_is_not_put() -> None:
    long = tuple(f"{n}" * 200 for n in range(PLACES))
    assert fits(Places(KEYS[1], 1, long, bytes(SIGNATURE_BYTES), ()), 7) is None


def test_no_changed_item_opens() -> None:
    where = spot(COMMON, KEYS[1], 5)
    whole = sealed(where, item(), bytes(NONCE_BYTES))
    for at in range(0, ITEM_BYTES, 37):
        changed = bytearray(whole)
        changed[at] ^= 1
        with pytest.raises(PeerError):
            read_item(where, bytes(changed), Appointment)
    for wrong in (b"", whole[:-1], whole + b"\0", bytes(1000)):
        with pytest.raises(PeerError):
            read_item(where, wrong, Appointment)


# Attacks: whoever keeps items gives others back.


def lying(dht: MemoryDht, *given: bytes) -> None:
    """Let the DHT give items back that nobody has left there, before the others."""
    honest = dht.get

    async def get(key: bytes, salt: bytes) -> Sequence[bytes]:
        return [*given, *await honest(key, salt)]

    dht.get = get  # type: ignore[method-assign]


async def test_floods_of_what_is_no_item_hide_none(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    wake(ann, bob)
    lying(dht, b"", bytes(ITEM_BYTES), os.urandom(ITEM_BYTES), bytes(100_000))
    async with running(*pair):
        miss_each_other(ann, bob)
        assert await linked_within(AWAKE_SECONDS, ann, bob)


async def left_for_ann(
    pair: list[Player], dht: MemoryDht, said: Appointment
) -> tuple[list[str], int]:
    """Return whom Ann calls where Bob's item is this, and which word of his she has."""
    ann, bob = pair
    await acquainted(pair)
    day = ann.unix // EPOCH_SECONDS
    where = spot(ann.appointed(bob.key), bob.key, day)
    lying(dht, sealed(where, said, bytes(NONCE_BYTES)))
    dialled = called_by(ann)
    async with running(ann):
        misses(ann, bob)
        await trio.sleep(120)
    return dialled, number(ann, bob)


def said(places: Places, call: int = 0) -> Appointment:
    return Appointment(places.number, places.places, places.signature, call)


async def test_the_friend_s_newest_word_is_believed(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    bob = pair[1]
    newest = word(bob, NOON + 9999, "10.0.0.77:4770")
    dialled, held = await left_for_ann(pair, dht, said(newest))
    assert "10.0.0.77" in dialled
    assert held == NOON + 9999


async def test_an_item_that_its_owner_has_not_signed_is_passed_over(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    """The pair's key alone is not enough: a word signed by another is no word."""
    ann, bob = pair
    by_ann = word(ann, NOON + 9999, "10.0.0.77:4770")
    dialled, held = await left_for_ann(
        pair, dht, said(replace(by_ann, owner=bob.key), call=NOON)
    )
    assert "10.0.0.77" not in dialled
    assert held < NOON + 9999


async def test_a_stale_item_is_passed_over(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    bob = pair[1]
    dialled, held = await left_for_ann(
        pair, dht, said(word(bob, 5, "10.0.0.77:4770"), call=NOON)
    )
    assert "10.0.0.77" not in dialled
    assert held > 5


async def test_a_blocked_friend_is_not_looked_for_nor_heard(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    ann.known.blocked.add(bob.key, "bob")
    ann.restarted()
    day = ann.unix // EPOCH_SECONDS
    where = spot(ann.appointed(bob.key), bob.key, day)
    lying(dht, sealed(where, said(word(bob, NOON + 9, "10.0.0.77:1")), bytes(12)))
    dialled = called_by(ann)
    async with running(ann):
        misses(ann, bob)
        await trio.sleep(60)
    assert "10.0.0.77" not in dialled


async def test_a_clock_that_is_hours_wrong_costs_a_meeting_and_nothing_else(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    await acquainted(pair)
    wake(ann, bob)
    bob.ahead = 2 * EPOCH_SECONDS  # type: ignore[attr-defined]
    async with running(*pair):
        miss_each_other(ann, bob)
        assert not await linked_within(AWAKE_SECONDS, ann, bob)
    bob.ahead = SKEW_SECONDS - 1  # type: ignore[attr-defined]
    wake(ann, bob)
    async with running(*pair):
        miss_each_other(ann, bob)
        assert await linked_within(AWAKE_SECONDS, ann, bob)


def test_the_usual_entry_nodes_are_those_that_are_named_to_the_player() -> None:
    usual = appointments.entries_named("")
    assert [each.text() for each in usual] == appointments.USUAL_ENTRIES.split()
    with pytest.raises(LocalError):
        appointments.entries_named("not an address at all:port")
