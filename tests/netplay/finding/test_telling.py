"""Friends in common pass on where those are who have moved; liars cost a call."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.finding.telling import (
    ASK_SECONDS,
    ASKED,
    Asking,
    Owner,
    Telling,
    places_data,
)
from netplay.journal import silent
from netplay.limits import PASSED_AT_ONCE
from netplay.messages.link import Places
from netplay.messages.types import SIGNATURE_BYTES
from netplay.peering.address import Address
from netplay.peering.peers import KnownPeers
from netplay.wanted import Dial
from tests.netplay.memory import KEYS, SECRETS, Player, World, running

AWAKE_SECONDS = 60.0
"""For two to meet again who have moved while they slept."""

LATER_SECONDS = 90.0
"""The same from when a friend in common is there again: friends are called once a
minute."""


@pytest.fixture
def three(world: World, tmp_path: Path) -> list[Player]:
    """Give three players who are friends, and whose clocks run."""
    cast = [Player(world, number, tmp_path) for number in (1, 2, 3)]
    for one in cast:
        one.unix = 1_700_000_000
        for other in cast:
            if other is not one:
                one.known.befriend(other.key, f"player {other.net.ip[-1]}")
        one.restarted()
    return cast


def word(of: Player, number: int, *places: str) -> Places:
    """Return what a node signs of its places."""
    sign = SECRETS[KEYS.index(of.key)].sign
    return Places(of.key, number, places, sign(places_data(of.key, number, places)), ())


def says(one: Player, other: Player, message: Places) -> None:
    """Let a node say something to another that it would not say by itself."""
    one.links.send((other.key,), message)


def told(player: Player, of: Player) -> tuple[str, ...]:
    return player.known.places_told(of.key)


def number(player: Player, of: Player) -> int:
    held = player.known.word(of.key)
    assert held is not None
    return held.number


def wake(*players: Player) -> None:
    """Let nodes be new ones, somewhere else, a day later."""
    for one in players:
        one.unix += 86_400
        one.port += 1000
        one.notes.up.clear()
        one.notes.dials.clear()
        one.restarted()


def misses(one: Player, *others: Player) -> None:
    """Let a table want links to nodes, wherever they may be."""
    for other in others:
        one.notes.dials.append(Dial("", other.key))
    one.node.settled()


async def missed_by(one: Player, gone: Player) -> None:
    """End a node that a table of another wants a link to."""
    gone.node.stop()
    await trio.sleep(5)
    misses(one, gone)


def called_by(one: Player) -> list[str]:
    """Return a list in which the hosts will stand that a node calls from now on."""
    dialled: list[str] = []
    connect = one.net.connect

    async def noted(address: Address) -> trio.abc.Stream:
        dialled.append(address.host)
        return await connect(address)

    one.net.connect = noted  # type: ignore[method-assign]
    return dialled


def linked(one: Player, other: Player) -> bool:
    return other.key in one.notes.up


async def linked_within(seconds: float, one: Player, other: Player) -> bool:
    """Wait until two have a link, for so long."""
    with trio.move_on_after(seconds):
        while not linked(one, other):  # noqa: ASYNC110 (links tell no test)
            await trio.sleep(0.1)
    return linked(one, other)


async def acquainted(cast: Sequence[Player]) -> None:
    """Let all of them meet once, and sleep."""
    async with running(*cast):
        for place, one in enumerate(cast):
            for other in cast[place + 1 :]:
                one.wants(other, by_key=True)
        await trio.sleep(12)
        assert all(linked(a, b) for a in cast for b in cast if a is not b)
    for one in cast:
        one.notes.up.clear()
        one.notes.dials.clear()
        one.restarted()


@asynccontextmanager
async def links(cast: Sequence[Player]) -> AsyncIterator[None]:
    """Run three nodes, the third of which has links to the others."""
    await acquainted(cast)
    async with running(*cast):
        for one in cast[:2]:
            misses(one, cast[2])
        await trio.sleep(12)
        assert not linked(cast[0], cast[1])
        yield


async def test_two_who_both_moved_meet_by_a_friend_who_has_stayed(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = three
    await acquainted(three)
    wake(ann, bob)
    async with running(*three):
        misses(ann, bob)
        misses(bob, ann)
        assert await linked_within(AWAKE_SECONDS, ann, bob)
        assert told(bob, ann) == (f"10.0.0.1:{ann.port}",)
        assert not [why for dial, why in cyd.notes.failed]


async def test_one_who_moved_is_found_by_who_has_stayed_and_misses_it(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = three
    await acquainted(three)
    wake(ann)
    async with running(*three):
        misses(bob, ann)
        misses(ann, cyd)
        assert await linked_within(AWAKE_SECONDS, bob, ann)


async def test_the_friend_in_common_may_come_later_and_each_in_its_own_time(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = three
    await acquainted(three)
    wake(ann, bob)
    async with running(ann, bob):
        misses(ann, bob)
        misses(bob, ann)
        assert not await linked_within(300, ann, bob)
        async with running(cyd):
            assert await linked_within(LATER_SECONDS, ann, bob)
    # One tells the friend and goes; the other asks when the first is asleep again.
    wake(ann, bob)
    cyd.notes.up.clear()
    cyd.restarted()
    async with running(cyd):
        async with running(ann):
            misses(ann, cyd)
            await trio.sleep(12)
        ann.notes.up.clear()
        async with running(bob):
            misses(bob, ann)
            await trio.sleep(AWAKE_SECONDS)
            assert told(bob, ann) == (f"10.0.0.1:{ann.port}",)
            ann.restarted()
            async with running(ann):
                assert await linked_within(AWAKE_SECONDS, bob, ann)


async def test_another_where_a_friend_was_who_is_only_asked_is_no_alarm(
    world: World, three: list[Player], tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
) -> None:  # fmt: skip
    ann, bob, cyd = three
    await acquainted(three)
    dan = Player(world, 4, tmp_path, port=cyd.port)
    alarms: list[object] = []
    ann.node.alarm = alarms.append  # type: ignore[method-assign]
    dialled = called_by(ann)
    async with running(ann, dan):
        misses(ann, bob)
        await trio.sleep(60)
        assert dialled
        assert not linked(ann, cyd)
        assert not alarms
        # Of whom a table wants it is told.
        ann.notes.members.add(cyd.key)
        misses(ann, cyd)
        await trio.sleep(5)
        assert alarms


async def test_whom_the_other_does_not_know_nobody_is_told_of(
    world: World, three: list[Player], tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
) -> None:  # fmt: skip
    ann, bob, cyd = three
    dan = Player(world, 4, tmp_path)
    dan.unix = ann.unix
    for one, other in ((dan, cyd), (cyd, dan)):
        one.known.befriend(other.key, "somebody")
        one.restarted()
    heard: list[Places] = []
    async with running(ann, cyd, dan):
        take = dan.presence.telling.on_places

        def listen(connection: object, message: Places) -> bool:
            heard.append(message)
            return take(connection, message)  # type: ignore[arg-type]

        dan.presence.telling.on_places = listen  # type: ignore[method-assign]
        own, send = list[Places](), dan.links.send

        def noted(keys: tuple[bytes, ...], message: object) -> None:
            if isinstance(message, Places) and message.owner == dan.key:
                own.append(message)
            send(keys, message)  # type: ignore[arg-type]

        dan.links.send = noted  # type: ignore[misc, assignment]
        ann.wants(cyd, by_key=True)
        dan.wants(cyd, by_key=True)
        await trio.sleep(30)
        assert told(cyd, ann)
        assert {each.owner for each in heard} == {cyd.key}
        # He may ask as if he knew her: the name of that pair he cannot know.
        pairs = (ann.pair(bob.key)[::-1], bytes(16))
        says(dan, cyd, replace(own[-1], pairs=pairs))
        await trio.sleep(30)
        assert {each.owner for each in heard} == {cyd.key}


async def test_no_word_goes_over_a_link_twice_nor_back(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = three
    async with links(three):
        sent: list[tuple[bytes, Places]] = []
        send = cyd.links.send

        def noted(keys: tuple[bytes, ...], message: object) -> None:
            if isinstance(message, Places):
                sent.append((keys[0], message))
            send(keys, message)  # type: ignore[arg-type]

        cyd.links.send = noted  # type: ignore[misc, assignment]
        await trio.sleep(60)
        assert not sent
        pairs = tuple(map(ann.pair, (bob.key, cyd.key)))
        news = word(ann, 1_800_000_000, "10.9.9.9:1")
        says(ann, cyd, replace(news, pairs=pairs))
        await trio.sleep(60)
        ((to, message),) = sent
        assert to == bob.key
        assert (message.owner, message.number) == (ann.key, 1_800_000_000)
        assert message.pairs == ()


async def test_an_older_word_is_not_believed_and_the_newer_one_goes_back(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = three
    async with links(three):
        before = told(bob, ann)
        stale = word(ann, number(bob, ann) - 1, "10.9.9.9:1")
        says(cyd, bob, stale)
        await trio.sleep(12)
        assert told(bob, ann) == before
        assert linked(bob, cyd)


async def test_a_word_that_its_owner_has_not_signed_is_not_believed(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = three
    async with links(three):
        before = told(bob, ann)
        true = word(ann, 1_900_000_000, "10.9.9.9:1")
        sign = SECRETS[KEYS.index(cyd.key)].sign
        data = places_data(ann.key, true.number, true.places)
        for lie in (
            replace(true, signature=bytes(SIGNATURE_BYTES)),
            replace(true, signature=sign(data)),
            replace(true, places=("10.8.8.8:1",)),
            replace(true, number=true.number + 1),
        ):
            says(cyd, bob, lie)
        await trio.sleep(12)
        assert told(bob, ann) == before
        assert linked(bob, cyd)


async def test_who_lies_of_itself_is_hung_up_on(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, _bob, cyd = three
    async with links(three):
        before = told(cyd, ann)
        ended = list(cyd.notes.history)
        lie = word(ann, 1_900_000_000, "10.9.9.9:1")
        lie = replace(lie, signature=bytes(SIGNATURE_BYTES))
        with pytest.raises(PeerError) as refused:
            cyd.presence.telling.on_places(cyd.links.here()[ann.key], lie)
        assert refused.value.code is Code.BAD_SIGNATURE
        says(ann, cyd, lie)
        await trio.sleep(2)
        assert cyd.notes.history[len(ended)] == "down"
        assert told(cyd, ann) == before


async def test_a_clock_that_was_wrong_locks_nobody_out(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = three
    ann.unix = 4_000_000_000
    async with links(three):
        assert number(bob, ann) >= 4_000_000_000
    # It is set right; the friend in common hears of it first, then the other.
    ann.unix = 1_700_000_000
    wake(ann, bob)
    cyd.notes.up.clear()
    cyd.restarted()
    async with running(*three):
        misses(ann, bob)
        misses(bob, ann)
        assert await linked_within(AWAKE_SECONDS, ann, bob)
        assert number(bob, ann) > 4_000_000_000
        assert told(bob, ann) == (f"10.0.0.1:{ann.port}",)


async def test_a_clock_set_right_is_believed_by_who_has_heard_the_wrong_one_alone(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, _cyd = three
    await acquainted(three)
    # Bert alone has heard the word of the wrong clock; Cyd has one of before.
    wrong = word(ann, 4_000_000_000, "10.9.9.9:1")
    held = bob.known.word(ann.key)
    assert held is not None
    both = replace(wrong, pairs=held.pairs)
    bob.known.tells(ann.key, wrong.places, both)
    wake(ann, bob)
    async with running(*three):
        misses(ann, bob)
        misses(bob, ann)
        assert await linked_within(AWAKE_SECONDS, ann, bob)
        assert told(bob, ann) == (f"10.0.0.1:{ann.port}",)


async def test_a_flood_of_words_makes_nobody_write_or_dial_more(
    three: list[Player],
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, bob, cyd = three
    async with links(three):
        written: list[int] = []
        monkeypatch.setattr(bob.known, "_write", lambda: written.append(1))
        dialled = called_by(bob)
        for count in range(1000):
            lie = word(ann, 1_900_000_000 + count, f"8.8.4.4:{count + 1}")
            says(cyd, bob, lie)
        await trio.sleep(10)
        assert len(written) <= PASSED_AT_ONCE + 5
        assert "8.8.4.4" not in dialled, "nobody misses her"
        assert linked(bob, cyd)


async def test_words_that_point_at_somebody_make_no_more_calls_than_others(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = three
    async with links(three):
        dialled = called_by(bob)
        await missed_by(bob, ann)
        says(cyd, bob, word(ann, 1_900_000_000, "8.8.4.4:53"))
        await trio.sleep(30)
        usual = dialled.count("8.8.4.4")
        assert usual
        dialled.clear()
        for count in range(500):
            says(cyd, bob, word(ann, 1_900_000_001 + count, "8.8.4.4:53"))
        await trio.sleep(30)
        assert dialled.count("8.8.4.4") <= 2 * usual


HOURS = 4 * 3600
"""For which a friend is missed."""

FEW = 40
"""Calls of an address meanwhile that nobody but its node has named: one minute of them,
and then one now and then."""

SEVERAL = 5 * FEW
"""The same in an hour in which the node has always something new to say."""


@pytest.mark.parametrize(
    ("count", "every", "most"), [(1, HOURS, FEW), (60, 60, SEVERAL)]
)
async def test_an_address_that_a_word_names_is_called_seldom_where_nobody_was_met(
    three: list[Player],
    autojump_clock: trio.testing.MockClock,
    count: int,
    every: int,
    most: int,
) -> None:
    """Each new word names another port of the address."""
    ann, bob, cyd = three
    async with links(three):
        dialled = called_by(bob)
        await missed_by(bob, ann)
        for number in range(count):
            lie = word(ann, 1_900_000_000 + number, f"8.8.4.4:{number + 1}")
            says(cyd, bob, lie)
            await trio.sleep(every)
        assert 1 < dialled.count("8.8.4.4") <= most


async def test_who_moved_and_slept_for_hours_is_called_at_once_for_a_new_word(
    three: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    """Only bob can call; ann is nowhere when he hears of it first."""
    ann, bob, cyd = three
    async with links(three):
        await missed_by(bob, ann)
        wake(ann)
        says(cyd, bob, word(ann, 1_900_000_000, f"10.0.7.7:{ann.port}"))
        await trio.sleep(HOURS)
        assert not linked(bob, ann)
        async with running(ann):
            says(cyd, bob, word(ann, 1_900_000_001, f"10.0.7.7:{ann.port}"))
            assert await linked_within(AWAKE_SECONDS, bob, ann)


def test_friends_are_asked_a_few_at_a_time_and_the_others_in_their_turn() -> None:
    known = KnownPeers(None)
    keys = [bytes([n]) * 32 for n in range(20)]
    for key in keys:
        known.befriend(key, "x")
    known.blocked.add(keys.pop(7), "x")
    asking = Asking(Heard(), known, lambda: None)  # type: ignore[arg-type]
    missing = {keys[0]}
    assert list(asking.friends(missing, 100.0)) == []
    called: set[bytes | None] = set()
    for minute in range(3):
        some = list(asking.friends(missing, 110.0 + 60 * minute))
        assert len(some) <= ASKED
        assert all(dial.calm for dial in some)
        called |= {dial.key for dial in some}
    assert called == {*keys[1:]}
    assert list(asking.friends((), 400.0)) == []


@pytest.mark.parametrize(("friends", "least", "most"), [(3, 1, 3), (20, 55, 65)])
async def test_it_is_looked_whom_to_ask_only_when_that_changes(
    friends: int, least: int, most: int, autojump_clock: trio.testing.MockClock
) -> None:
    """For an hour one is missed; where many may know of it they have their turns."""
    known, looked = KnownPeers(None), list[float]()
    for number in range(friends):
        known.befriend(bytes([number]) * 32, "x")
    missing = {bytes(32)}

    def look() -> None:
        looked.append(trio.current_time())
        called.update(dial.key for dial in asking.friends(missing, looked[-1]))

    called = set[bytes | None]()
    asking = Asking(Heard(), known, look)  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(asking.run)
        await trio.sleep(100)
        assert not looked
        look()
        await trio.sleep(3600)
        nursery.cancel_scope.cancel()
    assert least <= len(looked) - 1 <= most
    assert len(called) == friends - 1


def test_each_who_is_missed_is_asked_for_after_a_time_of_its_own() -> None:
    known = KnownPeers(None)
    for key in (ANN, BOB, CYD):
        known.befriend(key, "x")
    asking = Asking(Heard(), known, lambda: None)  # type: ignore[arg-type]

    def asked(missing: set[bytes], now: float) -> set[bytes | None]:
        return {dial.key for dial in asking.friends(missing, now)}

    assert asked({ANN}, 100.0) == set()
    assert asked({ANN}, 100.0 + ASK_SECONDS) == {BOB, CYD}
    assert asked({ANN, BOB}, 110.0) == {CYD}
    assert asked({BOB}, 110.1) == set(), "its line may have been cut for a moment"
    assert asked({BOB}, 110.0 + ASK_SECONDS) == {ANN, CYD}
    assert asked(set(), 120.0) == set()
    assert asked({BOB}, 121.0) == set(), "it was there meanwhile"


# What one node does with the words it hears, by itself.

ME, ANN, BOB, CYD = KEYS[:4]
PAIR = b"p" * 32
PLACE, ELSEWHERE = "10.1.1.1:1", "10.2.2.2:2"


class Heard:
    """The links of a node: who is there, and what was said to them."""

    def __init__(self, *keys: bytes) -> None:
        self.there = {key: Line(key) for key in keys}
        self.sent: list[tuple[bytes, Places]] = []

    def here(self) -> dict[bytes, "Line"]:
        return self.there

    def send(self, keys: Sequence[bytes], message: Places) -> None:
        self.sent += [(key, message) for key in keys]

    def forget_gone(self, *_kept: object) -> None:
        """Nobody goes."""

    def note_stranger(self, *_what: object, **_more: object) -> None:
        """Nobody reads it."""


class Line:
    """A link to somebody."""

    def __init__(self, key: bytes) -> None:
        self.key, self.address = key, ""


def of(key: bytes, number: int, *places: str, pairs: tuple[bytes, ...] = ()) -> Places:
    """Return what somebody signs of its places."""
    sign = SECRETS[KEYS.index(key)].sign
    signature = sign(places_data(key, number, places))
    return Places(key, number, places, signature, pairs)


@pytest.fixture
async def alone(
    autojump_clock: trio.testing.MockClock,
) -> tuple[Telling, Heard, KnownPeers]:
    """Give what a node knows of two friends who know each other, and are there."""
    heard, known = Heard(ANN, BOB), KnownPeers(None)
    for key in (ANN, BOB):
        known.befriend(key, "x")
    me = Owner(ME, SECRETS[0].sign, lambda _key: b"", lambda: 1000)
    telling = Telling(me, heard, known, lambda _key: True, silent)  # type: ignore[arg-type]
    for key in (ANN, BOB):
        telling.on_places(heard.there[key], of(key, 50, PLACE, pairs=(PAIR,)))  # type: ignore[arg-type]
    return telling, heard, known


async def test_a_friend_that_has_an_older_word_of_another_is_told_the_newer_once(
    autojump_clock: trio.testing.MockClock, alone: tuple[Telling, Heard, KnownPeers]
) -> None:
    telling, heard, _known = alone
    telling.tell(())
    ann: Any = heard.there[ANN]
    bob: Any = heard.there[BOB]
    telling.on_places(ann, of(ANN, 60, ELSEWHERE, pairs=(PAIR,)))
    heard.sent.clear()
    for number, news in ((55, True), (60, False)):
        assert telling.on_places(bob, of(ANN, number, PLACE)) is news
        telling.tell(())
        told = [m for key, m in heard.sent if (key, m.owner) == (BOB, ANN)]
        assert [message.number for message in told] == [60]
    assert told[0].places == (ELSEWHERE,)


async def test_a_word_by_anothers_hands_leaves_friends_in_common_what_they_are(
    autojump_clock: trio.testing.MockClock, alone: tuple[Telling, Heard, KnownPeers]
) -> None:
    telling, heard, known = alone
    bob: Any = heard.there[BOB]
    assert telling.on_places(bob, of(ANN, 70, ELSEWHERE))
    word = known.word(ANN)
    assert word is not None
    assert (word.number, word.places, word.pairs) == (70, (ELSEWHERE,), (PAIR,))


@pytest.mark.parametrize("number", [49, 50])
async def test_who_says_less_of_itself_than_before_is_reminded(
    number: int, alone: tuple[Telling, Heard, KnownPeers]
) -> None:
    """Its clock was put back: it must go on from what others have heard."""
    telling, heard, _known = alone
    ann: Any = heard.there[ANN]
    telling.on_places(ann, of(ANN, number, ELSEWHERE, pairs=(PAIR,)))
    [(to, message)] = heard.sent
    assert (to, message) == (ANN, of(ANN, 50, PLACE))
    heard.sent.clear()
    telling.on_places(ann, of(ANN, number, ELSEWHERE))
    assert heard.sent == [], "the same again is no news"


async def test_who_has_passed_on_many_words_can_still_tell_its_own(
    autojump_clock: trio.testing.MockClock, alone: tuple[Telling, Heard, KnownPeers]
) -> None:
    telling, heard, known = alone
    bob: Any = heard.there[BOB]
    for number in range(2 * int(PASSED_AT_ONCE)):
        telling.on_places(bob, of(ANN, 100 + number, PLACE))
    assert telling.number(ANN) < 100 + 2 * int(PASSED_AT_ONCE) - 1
    assert telling.on_places(bob, of(BOB, 60, ELSEWHERE))
    word = known.word(BOB)
    assert word is not None
    assert word.places == (ELSEWHERE,)
