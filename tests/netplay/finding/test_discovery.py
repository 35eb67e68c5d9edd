import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay import limits
from netplay.finding.discovery import MAGIC, Beacon, Herald, Neighbours, decode, encode
from netplay.messages.types import NAME_CHARACTERS
from netplay.wire import pack

ME, ANNA, BEN = b"m" * 32, b"a" * 32, b"b" * 32

TABLE = Beacon(ANNA, "Anna", 4770, "networdz", 2, "0.1.0", asks=False)
WAITING = replace(TABLE, game="", free=0)
GONE = replace(TABLE, port=0)


def neighbours(*beacons: tuple[Beacon, str, float]) -> Neighbours:
    found = Neighbours(ME)
    for beacon, host, at in beacons:
        found.hear(beacon, host, at)
    return found


def test_a_beacon_travels() -> None:
    assert decode(encode(TABLE)) == TABLE


def test_the_largest_beacon_fits_its_datagram() -> None:
    largest = Beacon(ME, "漢" * 24, 65535, "漢" * 32, 4, "漢" * 32, asks=True)
    assert len(encode(largest)) <= limits.BEACON_BYTES


@given(st.binary(max_size=600))
def test_whatever_comes_is_a_beacon_or_nothing(data: bytes) -> None:
    for datagram in (data, MAGIC + data):
        beacon = decode(datagram)
        assert beacon is None or encode(beacon) == datagram


@given(st.integers(0, 200), st.integers(0, 255))
def test_a_beacon_with_a_byte_changed_is_another_one_or_nothing(
    at: int, byte: int
) -> None:
    data = bytearray(encode(TABLE))
    data[at % len(data)] = byte
    beacon = decode(bytes(data))
    assert beacon is None or isinstance(beacon, Beacon)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"netplay\x02" + pack(TABLE),
        MAGIC,
        MAGIC + pack(TABLE) + b"x",
        MAGIC + pack((1, 2)),
        MAGIC + pack(TABLE) + bytes(500),
        MAGIC + b"\x91" * 400,
    ],
)
def test_what_is_not_exactly_a_beacon_is_not_heard(data: bytes) -> None:
    assert decode(data) is None


def test_a_beacon_of_too_many_seats_or_too_long_a_name_is_not_heard() -> None:
    assert decode(encode(replace(TABLE, free=5))) is None
    assert decode(encode(replace(TABLE, name="x" * 25))) is None
    assert decode(encode(replace(TABLE, port=65536))) is None


def test_what_a_beacon_says_is_made_fit_to_be_shown() -> None:
    evil = replace(TABLE, name="A\x1b[2J\u202ena", game="\x07chess", version="\n1")
    heard = decode(encode(evil))
    assert heard is not None
    assert heard.name == "A[2Jna"
    assert heard.game == "chess"
    assert heard.version == "1"
    assert len(heard.name) <= NAME_CHARACTERS


def test_a_table_that_is_heard_is_nearby() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0))
    assert found.tables() == (("10.0.0.2:4770", "Anna", "networdz", 2, "0.1.0"),)


def test_tables_stand_before_those_who_wait_to_be_called() -> None:
    ben = replace(TABLE, key=BEN, name="Ben")
    found = neighbours((WAITING, "10.0.0.2", 0.0), (ben, "10.0.0.3", 0.0))
    assert [one[1] for one in found.tables()] == ["Ben", "Anna"]


def test_the_list_changes_when_a_beacon_does_and_only_then() -> None:
    found = Neighbours(ME)
    assert found.hear(TABLE, "10.0.0.2", 0.0)
    assert not found.hear(TABLE, "10.0.0.2", 1.0)
    assert not found.hear(replace(TABLE, asks=True), "10.0.0.2", 1.0)
    assert found.hear(replace(TABLE, free=1), "10.0.0.2", 2.0)
    assert found.tables()[0][3] == 1


def test_nobody_hears_oneself() -> None:
    assert neighbours((replace(TABLE, key=ME), "10.0.0.2", 0.0)).tables() == ()


def test_who_falls_silent_is_forgotten_after_four_beats() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0), (TABLE, "10.0.0.2", 5.0))
    assert found.deadline() == 5.0 + limits.BEACON_LIFE_SECONDS
    assert not found.wake(16.9)
    assert found.wake(17.0)
    assert found.tables() == ()
    assert found.deadline() == float("inf")


def test_who_says_goodbye_is_gone_at_once() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0))
    assert found.hear(GONE, "10.0.0.2", 1.0)
    assert found.tables() == ()
    assert not found.hear(GONE, "10.0.0.2", 1.0)


def test_another_computer_cannot_say_goodbye_for_a_node() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0))
    assert not found.hear(GONE, "10.0.0.66", 1.0)
    assert len(found.tables()) == 1


def test_a_node_heard_on_two_interfaces_is_one_and_its_address_does_not_flicker() -> (
    None
):
    found = neighbours((TABLE, "10.0.0.2", 0.0))
    assert not found.hear(TABLE, "192.168.0.2", 0.1)
    assert not found.hear(TABLE, "10.0.0.2", 3.0)
    assert found.tables()[0][0] == "10.0.0.2:4770"


def test_a_node_that_moves_is_found_at_its_new_address() -> None:
    found = neighbours((TABLE, "10.0.0.2", 0.0))
    assert found.hear(TABLE, "10.0.0.3", 6.0)
    assert found.tables()[0][0] == "10.0.0.3:4770"


@pytest.mark.parametrize("local", ["fe80::1%eth0", "169.254.1.1", "127.0.0.1"])
def test_an_address_that_means_something_on_one_link_gives_way(local: str) -> None:
    found = neighbours((TABLE, local, 0.0))
    assert found.hear(TABLE, "10.0.0.2", 0.1)
    assert not found.hear(TABLE, local, 0.2)
    assert found.tables()[0][0] == "10.0.0.2:4770"


def test_a_host_that_is_no_number_is_as_good_as_any() -> None:
    found = neighbours((TABLE, "127.0.0.1", 0.0))
    assert found.hear(TABLE, "printer", 0.1)
    assert found.tables()[0][0] == "printer:4770"


def test_one_computer_cannot_fill_the_list() -> None:
    many = [replace(TABLE, key=bytes([n]) * 32) for n in range(100)]
    found = neighbours(*((beacon, "10.0.0.2", 0.0) for beacon in many))
    assert len(found.tables()) == limits.NEIGHBOURS_AN_ADDRESS
    found = neighbours(*((b, f"10.0.0.{n}", 0.0) for n, b in enumerate(many)))
    assert len(found.tables()) == limits.NEIGHBOURS


def said(data: bytes | None) -> Beacon:
    assert data is not None
    beacon = decode(data)
    assert beacon is not None
    return beacon


def test_a_node_that_starts_asks_who_is_there_and_offers_nothing() -> None:
    herald = Herald(ME, "1")
    beacon = said(herald.next(None, 0.0))
    assert beacon.asks
    assert (beacon.port, beacon.name) == (0, "")
    assert herald.due(None) == float("inf")
    assert herald.next(None, 100.0) is None


def test_an_offer_is_said_every_few_seconds() -> None:
    herald = Herald(ME, "1")
    offer = herald.offer("Me", 4770, "numlo", 1)
    said(herald.next(offer, 0.0))
    assert herald.due(offer) == limits.BEACON_SECONDS
    assert herald.next(offer, 2.9) is None
    assert said(herald.next(offer, 3.0)) == offer


def test_a_change_is_said_at_once_but_not_in_a_stream() -> None:
    herald = Herald(ME, "1")
    offers = [herald.offer("Me", 4770, "numlo", n) for n in (2, 1, 0)]
    said(herald.next(offers[0], 0.0))
    assert said(herald.next(offers[1], 1.0)).free == 1
    assert herald.next(offers[2], 1.1) is None
    assert herald.due(offers[2]) == 1.0 + limits.BEACON_PAUSE_SECONDS
    assert said(herald.next(offers[2], 1.5)).free == 0


def test_the_end_of_an_offer_is_said_once() -> None:
    herald = Herald(ME, "1")
    herald.next(herald.offer("Me", 4770, "numlo", 1), 0.0)
    assert said(herald.next(None, 1.0)).port == 0
    assert herald.next(None, 9.0) is None


def test_whoever_asks_is_answered_at_once_if_there_is_an_offer() -> None:
    herald = Herald(ME, "1")
    offer = herald.offer("Me", 4770, "numlo", 1)
    herald.next(offer, 0.0)
    herald.asked()
    assert herald.due(offer) == limits.BEACON_PAUSE_SECONDS
    assert said(herald.next(offer, 1.0)) == offer
    assert herald.due(offer) == 1.0 + limits.BEACON_SECONDS


def test_whoever_asks_one_who_has_nothing_to_offer_is_not_answered() -> None:
    herald = Herald(ME, "1")
    herald.next(None, 0.0)
    herald.asked()
    assert herald.next(None, 1.0) is None
    offer = herald.offer("Me", 4770, "numlo", 1)
    herald.next(offer, 2.0)
    assert herald.due(offer) == 2.0 + limits.BEACON_SECONDS


def test_goodbye_is_said_only_by_one_who_was_there() -> None:
    herald = Herald(ME, "1")
    herald.next(None, 0.0)
    assert herald.goodbye() is None
    herald.next(herald.offer("Me", 4770, "numlo", 1), 1.0)
    assert said(herald.goodbye()).port == 0
    assert herald.goodbye() is None
