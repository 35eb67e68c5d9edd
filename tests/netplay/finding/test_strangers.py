"""Two strangers meet by an invitation and a DHT; whoever lies there costs a call."""

from collections import Counter
from pathlib import Path
from typing import NoReturn

import pytest
import trio
import trio.testing

from netplay import limits
from netplay.errors import PeerError
from netplay.finding.appointments import (
    AT_ONCE,
    EPOCH_SECONDS,
    GUEST,
    HANDED_OUT,
    HOST,
    ITEM_BYTES,
    NONCE_BYTES,
    SKEW_SECONDS,
    Spot,
    introduced,
    introduction_data,
    read_item,
    sealed,
    spot,
)
from netplay.fingerprint import CHARACTERS
from netplay.messages.link import Introduction
from netplay.messages.node_questions import Switch
from netplay.messages.types import PLACES
from netplay.peering import invitation
from netplay.peering.address import Address
from netplay.peering.net import Pause, to_be_called
from netplay.record.log import SecretKey, check_signature
from netplay.said import Said
from netplay.sentences import Says
from netplay.steady import Steady
from netplay.wanted import Dial
from tests.netplay.finding.test_appointments import (
    AWAKE_SECONDS,
    NOON,
    Clocked,
    MemoryDht,
    does,
    lying,
)
from tests.netplay.finding.test_telling import called_by, linked_within
from tests.netplay.memory import KEYS, SECRETS, Player, World, running

LETTERS = str.maketrans("0123456789", "ACDEFHJKMN")

HOUR = float(limits.INVITED_SECONDS)

PACKET = 80
"""Bytes of the first one of a TCP connection at most, by IPv6 and with all options."""


class Outside(Clocked):
    """A player whose computer has an address of the internet."""

    inside = "8.9.1.2"


@pytest.fixture
def dht() -> MemoryDht:
    return MemoryDht()


@pytest.fixture
def pair(world: World, dht: MemoryDht, tmp_path: Path) -> list[Player]:
    """Give two who have never met, and have said yes to the DHT."""
    return [ready(Outside(world, place, tmp_path), dht) for place in (1, 2)]


def ready(one: Player, dht: MemoryDht) -> Player:
    """Return a player who has said yes to the DHT."""
    one.dht = dht.opens
    one.home.set("dht", "on")
    one.restarted()
    return one


def invites(player: Player, *, shown: bool = False) -> str:
    """Return a node's invitation, as if it led to nowhere."""
    line = player.presence.invitation(shown=shown)
    return line.replace(f":{player.port}", ":9")


def pastes(player: Player, line: str) -> None:
    player.notes.dials.append(Dial(line, None))
    player.node.settled()


# Meeting.


async def test_who_has_pasted_a_line_is_called_by_the_inviter(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    async with running(*pair):
        line = invites(ann)
        await trio.sleep(300)
        assert dht.puts == 0  # nobody has pasted it
        pastes(bob, line)
        assert await linked_within(AWAKE_SECONDS, ann, bob)
        assert bob.key in ann.notes.up
        assert ann.key in bob.notes.up


@pytest.mark.parametrize("who", [(), (0,), (1,)])
async def test_without_a_yes_of_both_strangers_do_not_meet(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock,
    who: tuple[int, ...],
) -> None:  # fmt: skip
    ann, bob = pair
    for place, one in enumerate(pair):
        one.home.set("dht", "on" if place in who else "off")
        one.restarted()
    async with running(*pair):
        line = invites(ann)
        assert ("dht/" in line) == (0 in who)
        pastes(bob, line)
        assert not await linked_within(AWAKE_SECONDS, ann, bob)
    assert not dht.items
    assert len(dht.entered) == (1 if who == (0,) else 0)


async def test_who_says_yes_while_calling_is_met_without_pasting_again(
    pair: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    bob.home.set("dht", "")
    bob.restarted()
    async with running(*pair):
        pastes(bob, invites(ann))
        await trio.sleep(8)
        assert bob.node.rpc.status().network.may_ask_dht
        does(bob, Switch("dht", on=True))
        assert not bob.node.rpc.status().network.may_ask_dht
        assert await linked_within(AWAKE_SECONDS, ann, bob)


async def test_nobody_is_taken_for_checked_who_has_come_by_our_line(
    pair: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    async with running(*pair):
        told = ann.lines()
        pastes(bob, invites(ann))
        assert await linked_within(AWAKE_SECONDS, ann, bob)
        await trio.sleep(5)
    codes = {one.said.code for one in told if isinstance(one.said, Said)}
    assert Says.KEY_INVITED.name not in codes
    assert Says.FIRST_CONTACT.name in codes


async def test_a_line_that_is_shown_alone_lets_nobody_be_looked_for(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann = pair[0]
    async with running(ann):
        assert "dht/" not in invites(ann, shown=True)
        await trio.sleep(60)
        assert not dht.entered
        line = invites(ann)
        assert "dht/" in line
        assert invites(ann, shown=True) == line


async def test_whoever_has_the_line_is_looked_for_one_hour_and_no_longer(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    async with running(*pair):
        line = invites(ann)
        assert ann.node.rpc.status().network.dht_stands == "waits"
        await trio.sleep(HOUR - 1)
        young = limits.INVITED_SOON_SECONDS / limits.INVITED_LOOK_SECONDS
        assert 100 < dht.gets <= young + HOUR / limits.INVITED_LATER_SECONDS
        await trio.sleep(40)
        assert ann.node.rpc.status().network.dht_stands == "rests"
        before = dht.gets
        await trio.sleep(2 * HOUR)
        assert dht.gets == before
        assert dht.puts == 0
        pastes(bob, line)
        assert not await linked_within(AWAKE_SECONDS, ann, bob)
        assert invitation.read(invites(ann)).secret != invitation.read(line).secret


async def test_two_come_by_one_line_at_the_same_time(
    pair: list[Player], dht: MemoryDht, world: World, tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
) -> None:  # fmt: skip
    ann, bob = pair
    cyd = ready(Outside(world, 3, tmp_path), dht)
    async with running(*pair, cyd):
        line = invites(ann)
        pastes(bob, line)
        pastes(cyd, line)
        assert await linked_within(2 * AWAKE_SECONDS, ann, bob)
        assert await linked_within(2 * AWAKE_SECONDS, ann, cyd)
        assert cyd.key not in bob.notes.up


async def test_who_has_invited_and_sleeps_is_met_when_awake(
    pair: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    async with running(ann):
        line = invites(ann)
    ann.restarted()
    async with running(bob) as nursery:
        pastes(bob, line)
        assert not await linked_within(300, ann, bob)
        await nursery.start(ann.node.run, ann.port)
        assert await linked_within(AWAKE_SECONDS, ann, bob)


@pytest.mark.parametrize("ahead", [-3600, 3600])
@pytest.mark.parametrize("both", [0, EPOCH_SECONDS // 2 - 1800])
async def test_clocks_an_hour_apart_keep_nobody_from_meeting(
    pair: list[Player], autojump_clock: trio.testing.MockClock, ahead: int, both: int
) -> None:
    ann, bob = pair
    ann.ahead, bob.ahead = both, both + ahead  # type: ignore[attr-defined]
    async with running(*pair):
        pastes(bob, invites(ann))
        assert await linked_within(AWAKE_SECONDS, ann, bob)


@pytest.mark.parametrize("jump", [-3600, 3600])
async def test_a_clock_that_is_set_after_the_line_was_copied_leaves_it_good(
    pair: list[Player], autojump_clock: trio.testing.MockClock, jump: int
) -> None:
    ann, bob = pair
    ann.steady = Steady(None, lambda: float(ann.unix), trio.current_time, lambda: "x")
    ann.restarted()
    async with running(ann):
        line = invites(ann)
        ann.ahead = jump  # type: ignore[attr-defined]
    ann.restarted()
    async with running(*pair):
        pastes(bob, line)
        assert await linked_within(AWAKE_SECONDS, ann, bob)


@pytest.mark.parametrize("who", [0, 1])
async def test_where_one_lacks_what_it_takes_the_other_calls_in_vain(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock,
    who: int,
) -> None:  # fmt: skip
    ann, bob = pair
    pair[who].dht = None
    pair[who].restarted()
    async with running(*pair):
        line = invites(ann)
        assert ("dht/" in line) == bool(who)
        pastes(bob, line)
        assert not await linked_within(AWAKE_SECONDS, ann, bob)
        assert pair[who].node.rpc.status().network.dht_stands == "lacks"
    assert dht.puts == 0


async def test_ten_thousand_lines_that_are_pasted_cost_as_few_looks_as_some(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    bob = pair[1]
    secrets = (f"{n:020}".translate(LETTERS) for n in range(10_000))
    lines = [invitation.write(["192.0.2.1"], bytes(32), 9, each) for each in secrets]
    async with running(bob):
        bob.notes.dials += [Dial(line, None) for line in lines]
        bob.node.settled()
        await trio.sleep(60)
        assert 60 <= dht.gets + dht.puts <= 60 * AT_ONCE


async def test_the_secret_of_a_line_is_written_into_no_journal_and_no_status(
    pair: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    noted: list[str] = []
    for one in pair:
        one.journal = (  # type: ignore[method-assign]
            lambda event, **fields: noted.append(f"{event} {fields}")
        )
        one.restarted()
    ann, bob = pair
    async with running(ann):
        line = invites(ann)
    ann.restarted()
    async with running(bob):
        pastes(bob, line)
        await trio.sleep(120)
        assert any("dial.failed" in each for each in noted)
        noted.append(str(bob.node.rpc.status()))
        async with running(ann):
            assert await linked_within(AWAKE_SECONDS, ann, bob)
            noted += [str(one.node.rpc.status()) for one in pair]
    secret = line.partition("dht/")[2].partition("#")[0]
    assert len(secret) == CHARACTERS
    assert not [each for each in noted if secret in each]


async def test_a_setting_that_was_damaged_stands_for_no_secret(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann = pair[0]
    late = NOON + 2 * limits.INVITED_SECONDS
    for kept in ("", "A" * 20, f"\xe9 {NOON + 9}", f"{'A' * 20} {late}", "A B C"):
        ann.home.set(HANDED_OUT, kept)
        ann.restarted()
        async with running(ann):
            await trio.sleep(30)
            line = ann.presence.invitation(shown=True)
            assert not invitation.read(line).secret
    assert not dht.entered


async def test_an_invitation_is_good_after_a_restart_too(
    pair: list[Player], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    async with running(ann):
        line = invites(ann)
    ann.restarted()
    async with running(*pair):
        pastes(bob, line)
        assert await linked_within(AWAKE_SECONDS, ann, bob)


# Items.


def at(line: str, owner: bytes = GUEST, day: int = NOON // EPOCH_SECONDS) -> Spot:
    return spot(invitation.read(line).common(), owner, day)


def test_who_has_not_the_line_cannot_work_out_where_its_items_lie() -> None:
    lines = [
        invitation.write(["8.9.1.2"], key, 1, secret)
        for key in KEYS[1:3]
        for secret in ("A" * 20, "B" * 20, "")
    ]
    spots = [at(line, end) for line in lines for end in (GUEST, HOST)]
    assert len({(one.key, one.salt) for one in spots}) == len(spots)
    assert len({one.cipher for one in spots}) == len(spots)


def test_an_introduction_fits_an_item_and_counts_in_its_place_alone() -> None:
    key, sign = KEYS[1], SECRETS[1].sign
    one, other = (spot(bytes(32), end, 5) for end in (GUEST, HOST))
    long = tuple(f"{n}{'x' * 200}" for n in range(20))  # as many as fit, the likeliest
    for words in ((), ("8.9.1.2:4770",), long, ("x" * 700,)):
        said = introduced(one, key, 7, words, sign)
        assert said.places == tuple(words)[: len(said.places)]
        assert len(said.places) <= PLACES
        item = sealed(one, said, bytes(NONCE_BYTES))
        assert len(item) == ITEM_BYTES
        assert read_item(one, item, Introduction) == said
        data = introduction_data(one, 7, said.places)
        check_signature(key, said.signature, data)
        with pytest.raises(PeerError):
            data = introduction_data(other, 7, said.places)
            check_signature(key, said.signature, data)
    assert len(introduced(one, key, 7, ("8.9.1.2:4770",) * 20, sign).places) == PLACES


def test_of_a_stranger_s_places_few_are_called_and_none_inside() -> None:
    assert to_be_called(
        ["192.168.0.1:4770", "127.0.0.1:1", "name.example:1", "224.0.0.1:1", "via/x"]
    ) == []  # fmt: skip
    ports = [f"8.9.1.2:{port}" for port in range(1, 9)]
    assert [each.text() for each in to_be_called(ports)] == ports[:2]
    many = [f"8.9.{number}.2:1" for number in range(8)]
    assert [each.text() for each in to_be_called(many)] == many[:4]


# Attacks: whoever keeps items, or has the line, puts others there.


def word(
    line: str, by: SecretKey, place: str, call: int, *, signed_at: Spot | None = None
) -> bytes:
    """Return an item as one who has pasted a line leaves it."""
    where = at(line)
    said = introduced(signed_at or where, by.key, call, (place,), by.sign)
    return sealed(where, said, bytes(NONCE_BYTES))


def stranger(number: int) -> SecretKey:
    return SecretKey(number.to_bytes(32, "big"))


def meeting(one: Player, dialled: list[str]) -> None:
    """Let a node call from its own port, too, in vain; note each call."""

    async def meet(
        address: Address, pause: Pause, *, server_side: bool, seconds: float
    ) -> NoReturn:
        while True:
            dialled.append(address.host)
            await trio.sleep(seconds)
            await pause()

    one.net.meets = True
    one.net.meet = meet  # type: ignore[method-assign]


async def called(ann: Player, dht: MemoryDht, *items: bytes) -> Counter[str]:
    """Return whom Ann calls, and how often, in ten minutes with these items."""
    lying(dht, *items)
    dialled = called_by(ann)
    meeting(ann, dialled)
    await trio.sleep(600)
    return Counter(dialled)


async def test_a_stranger_s_word_has_the_inviter_call_for_a_while(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann = pair[0]
    async with running(ann):
        line = invites(ann)
        item = word(line, stranger(1), "8.9.77.2:1", NOON + 20)
        found = await called(ann, dht, item)
        assert found == {"8.9.77.2": limits.INTRODUCED_CALLS}


def test_an_address_gets_fewer_bytes_than_the_word_that_named_it() -> None:
    calls = limits.INTRODUCED_PORTS * limits.INTRODUCED_CALLS
    assert calls * PACKET < ITEM_BYTES
    assert limits.INTRODUCED_CALL_SECONDS < 1  # or the system asks again by itself


async def test_new_words_alone_have_a_place_called_again(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann = pair[0]
    async with running(ann):
        line = invites(ann)
        words = [
            word(line, stranger(1), "8.9.77.2:1", NOON + 20 + n) for n in range(20)
        ]
        found = await called(ann, dht, *words)
        taken = limits.INTRODUCED_CALLS * len(words)
        assert limits.INTRODUCED_CALLS <= found["8.9.77.2"] <= taken


@pytest.mark.parametrize("what", ["forged", "lifted", "stale", "own", "blocked", "in"])
async def test_what_is_no_word_of_a_stranger_s_has_nobody_called(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock,
    what: str,
) -> None:  # fmt: skip
    ann, one = pair[0], stranger(1)
    async with running(ann):
        line, place, now = invites(ann), "8.9.77.2:1", NOON + 20
        if what == "own":
            one = SECRETS[KEYS.index(ann.key)]
        if what == "blocked":
            ann.known.blocked.add(one.key, "one")
        item = word(line, one, place, now)
        if what == "forged":
            said = introduced(at(line), one.key, now, (place,), stranger(2).sign)
            item = sealed(at(line), said, bytes(NONCE_BYTES))
        if what == "lifted":
            other = at(invitation.write(["8.9.1.2"], ann.key, 1, "A" * 20))
            item = word(line, one, place, now, signed_at=other)
        if what == "stale":
            item = word(line, one, place, NOON - SKEW_SECONDS - 1)
        if what == "in":
            item = word(line, one, "192.168.0.1:1", now)
        found = await called(ann, dht, item)
        assert not found


async def test_a_flood_of_strangers_hides_nobody_for_long_and_costs_few_calls(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann = pair[0]
    async with running(ann):
        line = invites(ann)
        flood = [
            word(line, stranger(n), f"8.9.{n}.2:1", NOON + 20) for n in range(1, 256)
        ]
        found = await called(ann, dht, b"", bytes(ITEM_BYTES), *flood)
        assert len(found) <= limits.INTRODUCED
        assert sum(found.values()) <= limits.INTRODUCED_CALLS * limits.INTRODUCED
        fresh = invites(ann)  # that line is used up
        assert invitation.read(fresh).secret != invitation.read(line).secret


async def test_who_pastes_believes_nobody_but_the_inviter(
    pair: list[Player], dht: MemoryDht, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = pair
    async with running(ann):
        line = invites(ann)
    where, now = at(line, HOST), NOON + 20
    one = stranger(1)
    false = introduced(where, one.key, now, ("8.9.77.2:1",), one.sign)
    sign = SECRETS[KEYS.index(ann.key)].sign
    right = introduced(where, ann.key, now, ("8.9.78.2:1",), sign)
    lying(dht, *(sealed(where, said, bytes(NONCE_BYTES)) for said in (false, right)))
    dialled = called_by(bob)
    async with running(bob):
        pastes(bob, line)
        await trio.sleep(60)
    assert "8.9.77.2" not in dialled
    assert "8.9.78.2" in dialled
