import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay import limits
from netplay.finding.discovery import (
    MAGIC,
    Beacon,
    Circle,
    Found,
    Heard,
    Herald,
    Neighbours,
    Offer,
    decode,
    encode,
)
from netplay.messages.table import OFFERS
from netplay.messages.types import SIGNATURE_BYTES
from netplay.record.log import SecretKey
from netplay.sanitize import NAME_CHARACTERS
from netplay.wire import pack

SECRETS = {s.key: s for s in (SecretKey(bytes([n]) * 32) for n in range(110))}
ME, ANNA, BEN, EVE, *CROWD = SECRETS
UNIX = 1_700_000_000

TABLE = Beacon(ANNA, "Anna", 4770, (Offer("networdz", 2),), "0.1.0", asks=False, time=0)
WAITING = replace(TABLE, offers=(Offer("", 0),))
GONE = replace(TABLE, port=0)


def signed(beacon: Beacon, by: bytes = b"") -> bytes:
    return encode(beacon, SECRETS[by or beacon.key].sign)


def at(beacon: Beacon, now: float) -> bytes:
    """Return a beacon said at a time by a good clock."""
    return signed(replace(beacon, time=round(1000 * (UNIX + now))))


def hears(found: Neighbours, data: bytes, host: str, now: float) -> bool:
    """Return whether a datagram changes the list."""
    heard = decode(data)
    assert heard is not None
    beacon = found.hear(heard, host, now, UNIX + int(now))
    return beacon is not None and found.enter(beacon, host, now)


def neighbours(*beacons: tuple[Beacon, str, float], known: bytes = b"") -> Neighbours:
    found = Neighbours(ME, Circle(lambda key: key == known))
    for beacon, host, now in beacons:
        hears(found, at(beacon, now), host, now)
    return found


def names(found: Neighbours) -> list[str]:
    return [one.beacon.name for one in found.tables()]


def places(found: Neighbours) -> list[str]:
    return [one.address for one in found.tables()]


def test_a_beacon_travels() -> None:
    heard = decode(signed(TABLE))
    assert heard is not None
    assert heard.beacon == TABLE
    assert heard.holds()


def test_the_largest_beacon_fits_its_datagram() -> None:
    long = "\U00020000" * 32  # of four bytes each
    offers = (Offer("x" * 16, 4),) * OFFERS
    largest = Beacon(ME, long[:24], 65535, offers, long, asks=True, time=2**53)
    assert len(signed(largest)) <= limits.BEACON_BYTES


@given(st.binary(max_size=600))
def test_whatever_comes_is_a_beacon_or_nothing(data: bytes) -> None:
    for datagram in (data, MAGIC + data):
        heard = decode(datagram)
        assert heard is None or not heard.holds()


@given(st.integers(0, 200), st.integers(1, 255))
def test_a_beacon_with_a_byte_changed_is_nobodys(place: int, change: int) -> None:
    data = bytearray(signed(TABLE))
    data[place % len(data)] ^= change
    heard = decode(bytes(data))
    assert heard is None or not heard.holds()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"netplay\x02" + pack(TABLE) + bytes(SIGNATURE_BYTES),
        MAGIC,
        MAGIC + pack(TABLE),
        MAGIC + pack(TABLE) + b"x" + bytes(SIGNATURE_BYTES),
        MAGIC + pack((1, 2)) + bytes(SIGNATURE_BYTES),
        MAGIC + pack(TABLE) + bytes(500),
        MAGIC + b"\x91" * 400,
    ],
)
def test_what_is_not_exactly_a_beacon_is_not_heard(data: bytes) -> None:
    assert decode(data) is None


def test_a_beacon_of_too_many_seats_or_too_long_a_name_is_not_heard() -> None:
    assert decode(signed(replace(TABLE, offers=(Offer("numlo", 5),)))) is None
    assert decode(signed(replace(TABLE, name="x" * 25))) is None
    assert decode(signed(replace(TABLE, port=65536))) is None


def test_what_a_beacon_says_is_made_fit_to_be_shown() -> None:
    evil = replace(TABLE, name="A\x1b[2J\u202ena", version="\n1")
    heard = decode(signed(evil))
    assert heard is not None
    assert heard.holds()
    assert heard.beacon.name == "A[2Jna"
    assert decode(signed(replace(TABLE, offers=(Offer("\x07chess", 1),)))) is None
    assert heard.beacon.version == "1"
    assert len(heard.beacon.name) <= NAME_CHARACTERS


def test_a_table_that_is_heard_is_nearby() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0))
    said = replace(TABLE, time=1000 * UNIX)
    assert found.tables() == (Found(said, "10.0.0.2:4770"),)


def test_tables_stand_before_those_who_wait_to_be_called() -> None:
    ben = replace(TABLE, key=BEN, name="Ben")
    found = neighbours((WAITING, "10.0.0.2", 0.0), (ben, "10.0.0.3", 0.0))
    assert names(found) == ["Ben", "Anna"]


def test_the_list_changes_when_a_beacon_does_and_only_then() -> None:
    found = Neighbours(ME, Circle())
    assert hears(found, at(TABLE, 0), "10.0.0.2", 0.0)
    assert not hears(found, at(TABLE, 1), "10.0.0.2", 1.0)
    assert not hears(found, at(replace(TABLE, asks=True), 1.1), "10.0.0.2", 1.1)
    assert hears(
        found, at(replace(TABLE, offers=(Offer("networdz", 1),)), 2), "10.0.0.2", 2.0
    )
    assert found.tables()[0].beacon.offers[0].free == 1


def test_nobody_hears_oneself() -> None:
    assert neighbours((replace(TABLE, key=ME), "10.0.0.2", 0.0)).tables() == ()


def test_who_falls_silent_is_forgotten_after_four_beats() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0), (TABLE, "10.0.0.2", 5.0))
    assert found.deadline() == 5.0 + limits.BEACON_LIFE_SECONDS
    assert not found.forget_silent(16.9)
    assert found.forget_silent(17.0)
    assert found.tables() == ()
    assert found.deadline() == float("inf")


def test_each_who_falls_silent_is_forgotten_in_its_own_time() -> None:
    ben = replace(TABLE, key=BEN, name="Ben")
    found = neighbours((TABLE, "10.0.0.2", 0.0), (ben, "10.0.0.3", 5.0))
    assert found.deadline() == limits.BEACON_LIFE_SECONDS
    assert found.forget_silent(limits.BEACON_LIFE_SECONDS)
    assert names(found) == ["Ben"]
    assert found.deadline() == 5.0 + limits.BEACON_LIFE_SECONDS


def test_who_says_goodbye_is_gone_at_once_by_whatever_way_it_comes() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0))
    assert hears(found, at(GONE, 1), "fe80::2%eth0", 1.0)
    assert found.tables() == ()
    assert not hears(found, at(GONE, 2), "10.0.0.2", 2.0)


def test_nobody_speaks_for_another_node() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0))
    for false in (GONE, replace(TABLE, port=666), replace(TABLE, name="Gone")):
        data = signed(replace(false, time=1000 * UNIX + 900), by=EVE)
        assert not hears(found, data, "10.0.0.66", 1.0)
    assert names(found) == ["Anna"]
    assert places(found) == ["10.0.0.2:4770"]


def test_a_beacon_said_again_by_another_computer_changes_nothing() -> None:
    said = [
        at(TABLE, 0),
        at(replace(TABLE, offers=(Offer("networdz", 1),)), 3),
        at(GONE, 6),
    ]
    found = Neighbours(ME, Circle())
    for now, data in zip((0.0, 3.0), said, strict=False):
        hears(found, data, "10.0.0.2", now)
    for now in range(4, 15):
        assert not hears(found, said[0], "10.0.0.66", now)
        assert not hears(found, said[1], "10.0.0.66", now)
    assert places(found) == ["10.0.0.2:4770"]
    assert found.forget_silent(15.0)  # its life was not made longer
    for data in said[:2]:
        assert not hears(found, data, "10.0.0.66", 16.0)
    assert hears(found, at(TABLE, 17), "10.0.0.2", 17.0)
    assert not hears(found, said[2], "10.0.0.66", 18.0)  # an old goodbye
    assert names(found) == ["Anna"]


def test_a_beacon_of_last_week_is_not_heard_by_a_node_that_has_just_started() -> None:
    found = Neighbours(ME, Circle())
    week = 7 * 86_400
    assert not hears(found, at(TABLE, -week), "10.0.0.66", 0.0)
    assert not hears(found, at(TABLE, week), "10.0.0.66", 0.0)
    assert hears(found, at(TABLE, 3 * 3600), "10.0.0.2", 0.0)  # a clock that is wrong


def test_a_blocked_node_is_neither_heard_nor_shown() -> None:
    blocked = set[bytes]()
    found = Neighbours(ME, Circle(blocked=blocked))
    hears(found, at(TABLE, 0), "10.0.0.2", 0.0)
    blocked.add(ANNA)
    assert found.tables() == ()
    heard = decode(at(replace(TABLE, asks=True), 1))
    assert heard is not None
    assert found.hear(heard, "10.0.0.2", 1.0, UNIX) is None


@pytest.mark.parametrize(
    ("first", "shown"),
    [("127.0.0.1", "127.0.0.1:4770"), ("fe80::1%2", "[fe80::1%2]:4770")],
)
def test_this_computer_is_shown_at_an_address_that_others_can_use(
    first: str, shown: str
) -> None:
    found = Neighbours(ME, Circle(own=lambda: ("10.0.0.1",)))
    data = at(TABLE, 0)
    hears(found, data, first, 0.0)
    hears(found, data, "10.0.0.66", 0.1)
    assert places(found) == [shown]
    hears(found, data, "10.0.0.1", 0.1)
    assert places(found) == ["10.0.0.1:4770"]
    for beat in range(3, 30, 3):
        assert not hears(found, at(TABLE, beat), "127.0.0.1", beat)
        hears(found, at(TABLE, beat), "10.0.0.1", beat)
    assert places(found) == ["10.0.0.1:4770"]


def test_a_node_heard_on_two_interfaces_is_one_and_its_address_does_not_flicker() -> (
    None
):
    found = Neighbours(ME, Circle())
    for beat in range(0, 30, 3):
        data = at(TABLE, beat)
        assert hears(found, data, "10.0.0.2", beat) is (beat == 0)
        assert not hears(found, data, "192.168.0.2", beat + 0.1)
    assert places(found) == ["10.0.0.2:4770"]


def test_a_node_that_moves_is_found_at_its_new_address() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0))
    assert hears(found, at(TABLE, 6), "10.0.0.3", 6.0)
    assert places(found) == ["10.0.0.3:4770"]


@pytest.mark.parametrize("local", ["fe80::1%eth0", "169.254.1.1", "127.0.0.1"])
def test_an_address_that_means_something_on_one_link_gives_way(local: str) -> None:
    found = neighbours((TABLE, local, 0.0))
    assert hears(found, at(TABLE, 0.1), "10.0.0.2", 0.1)
    assert not hears(found, at(TABLE, 0.2), local, 0.2)
    assert places(found) == ["10.0.0.2:4770"]


def test_a_host_that_is_no_number_is_as_good_as_any() -> None:
    found = neighbours((TABLE, "127.0.0.1", 0.0))
    assert hears(found, at(TABLE, 0.1), "printer", 0.1)
    assert places(found) == ["printer:4770"]


def many(found: Neighbours, computers: int) -> None:
    """Fill a list with fakes."""
    for n, key in enumerate(CROWD):
        fake = replace(TABLE, key=key, name=f"fake {n}")
        hears(found, at(fake, 0), f"10.9.0.{n % computers}", n / 10)


def test_one_computer_cannot_fill_the_list() -> None:
    found = Neighbours(ME, Circle())
    many(found, 1)
    assert len(found.tables()) == limits.NEIGHBOURS_AN_ADDRESS


def test_fakes_hide_neither_the_known_nor_who_was_there_before() -> None:
    ben = replace(TABLE, key=BEN, name="Ben")
    found = neighbours((ben, "10.0.0.3", 0.0), known=ANNA)
    many(found, 200)
    assert len(found.tables()) == limits.NEIGHBOURS
    assert "Ben" in names(found)
    eve = replace(TABLE, key=EVE, name="Eve")
    assert not hears(found, at(eve, 8), "10.0.0.4", 8.0)
    assert hears(found, at(TABLE, 9), "10.0.0.2", 9.0)
    assert names(found)[0] == "Anna"  # the known stand first
    assert "Ben" in names(found)
    assert len(found.tables()) == limits.NEIGHBOURS


def test_a_known_node_has_room_at_the_address_of_a_crowd() -> None:
    found = neighbours(known=ANNA)
    many(found, 1)
    assert hears(found, at(TABLE, 30), "10.9.0.0", 30.0)
    assert names(found)[0] == "Anna"
    assert len(found.tables()) == limits.NEIGHBOURS_AN_ADDRESS


def test_a_flood_from_one_address_is_not_even_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = 0

    def holds(_heard: Heard) -> bool:
        nonlocal looked
        looked += 1
        return False

    monkeypatch.setattr(Heard, "holds", holds)
    found = Neighbours(ME, Circle())
    for n in range(10_000):
        hears(found, at(TABLE, 0), "10.0.0.66", n / 10_000)
    assert looked <= limits.BEACONS_AT_ONCE + limits.BEACONS_A_SECOND
    hears(found, at(TABLE, 0), "10.0.0.2", 1.0)
    assert looked <= limits.BEACONS_AT_ONCE + limits.BEACONS_A_SECOND + 1


def test_what_is_remembered_of_who_has_gone_is_bounded_and_the_known_stay() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0), known=ANNA)
    old = at(TABLE, 0)
    hears(found, at(GONE, 1), "10.0.0.2", 1.0)
    said: list[bytes] = []
    for n in range(limits.NEIGHBOURS_REMEMBERED + 5):
        key = SecretKey(n.to_bytes(32, "big"))
        beacon = replace(GONE, key=key.key, time=round(1000 * (UNIX + 1.0)))
        said.append(encode(beacon, key.sign))
        hears(found, said[-1], f"10.{n // 200}.{n % 200}.1", 1.0)
    first, last = (decode(each) for each in (said[0], said[-1]))
    assert first is not None
    assert last is not None
    assert found.hear(last, "10.9.9.9", 1.0, UNIX + 1) is None, "it was said before"
    assert found.hear(first, "10.9.9.8", 1.0, UNIX + 1), "it has been forgotten"
    assert not hears(found, old, "10.0.0.66", 2.0)


def said(data: bytes | None) -> Beacon:
    assert data is not None
    heard = decode(data)
    assert heard is not None
    assert heard.holds()
    return replace(heard.beacon, time=0)


def test_a_node_that_starts_asks_who_is_there_and_offers_nothing() -> None:
    herald = Herald(ME, "1", SECRETS[ME].sign)
    beacon = said(herald.next(None, 0.0, UNIX))
    assert beacon.asks
    assert (beacon.port, beacon.name) == (0, "")
    assert herald.due(None) == float("inf")
    assert herald.next(None, 100.0, UNIX) is None


def test_an_offer_is_said_every_few_seconds() -> None:
    herald = Herald(ME, "1", SECRETS[ME].sign)
    offer = herald.offer("Me", 4770, Offer("numlo", 1))
    said(herald.next(offer, 0.0, UNIX))
    assert herald.due(offer) == limits.BEACON_SECONDS
    assert herald.next(offer, 2.9, UNIX) is None
    assert said(herald.next(offer, 3.0, UNIX)) == offer


def test_a_change_is_said_at_once_but_not_in_a_stream() -> None:
    herald = Herald(ME, "1", SECRETS[ME].sign)
    offers = [herald.offer("Me", 4770, Offer("numlo", n)) for n in (2, 1, 0)]
    said(herald.next(offers[0], 0.0, UNIX))
    assert said(herald.next(offers[1], 1.0, UNIX)).offers[0].free == 1
    assert herald.next(offers[2], 1.1, UNIX) is None
    assert herald.due(offers[2]) == 1.0 + limits.BEACON_PAUSE_SECONDS
    assert said(herald.next(offers[2], 1.5, UNIX)).offers[0].free == 0


def test_the_end_of_an_offer_is_said_once() -> None:
    herald = Herald(ME, "1", SECRETS[ME].sign)
    herald.next(herald.offer("Me", 4770, Offer("numlo", 1)), 0.0, UNIX)
    assert said(herald.next(None, 1.0, UNIX)).port == 0
    assert herald.next(None, 9.0, UNIX) is None


def test_whoever_asks_is_answered_at_once_if_there_is_an_offer() -> None:
    herald = Herald(ME, "1", SECRETS[ME].sign)
    offer = herald.offer("Me", 4770, Offer("numlo", 1))
    herald.next(offer, 0.0, UNIX)
    herald.asked()
    assert herald.due(offer) == limits.BEACON_PAUSE_SECONDS
    assert said(herald.next(offer, 1.0, UNIX)) == offer
    assert herald.due(offer) == 1.0 + limits.BEACON_SECONDS


def test_whoever_asks_one_who_has_nothing_to_offer_is_not_answered() -> None:
    herald = Herald(ME, "1", SECRETS[ME].sign)
    herald.next(None, 0.0, UNIX)
    herald.asked()
    assert herald.next(None, 1.0, UNIX) is None
    offer = herald.offer("Me", 4770, Offer("numlo", 1))
    herald.next(offer, 2.0, UNIX)
    assert herald.due(offer) == 2.0 + limits.BEACON_SECONDS


def test_goodbye_is_said_only_by_one_who_was_there() -> None:
    herald = Herald(ME, "1", SECRETS[ME].sign)
    herald.next(None, 0.0, UNIX)
    assert herald.goodbye(UNIX) is None
    herald.next(herald.offer("Me", 4770, Offer("numlo", 1)), 1.0, UNIX)
    assert said(herald.goodbye(UNIX)).port == 0
    assert herald.goodbye(UNIX) is None


def test_each_beacon_has_a_later_time_than_the_one_before() -> None:
    herald = Herald(ME, "1", SECRETS[ME].sign)
    times: list[int] = []
    for n, unix in enumerate([100, 100, 100, 50, 101]):  # a clock that is set back
        data = herald.next(herald.offer("Me", 4770, Offer("numlo", n % 2)), n, unix)
        heard = decode(data or b"")
        assert heard is not None
        times.append(heard.beacon.time)
    assert times == [100_000, 100_001, 100_002, 100_003, 101_000]
