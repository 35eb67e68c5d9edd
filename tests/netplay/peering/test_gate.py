import pytest

from netplay.limits import ADDRESSES_REMEMBERED, HALF_OPEN, HANDSHAKES_AT_ONCE
from netplay.peering.gate import WAIT_SECONDS, Gate
from netplay.rate import network


def crowd(gate: Gate, ip: str, count: int) -> list[str]:
    """Let so many come from an address."""
    names = [f"{ip} {number}" for number in range(count)]
    for name in names:
        assert gate.knock(ip, name) is None
    return names


def test_no_more_than_so_many_stand_at_the_door_in_all() -> None:
    gate = Gate()
    for number in range(HALF_OPEN):
        assert gate.knock(f"10.0.0.{number}", number) is None
    assert gate.knock("10.0.1.1", "next") == 0
    assert gate.knock("10.0.1.2", "again") == 1


def test_a_crowd_from_one_address_pushes_out_its_own() -> None:
    gate = Gate()
    gate.knock("10.0.0.2", "other")
    first, second, *_ = crowd(gate, "10.0.0.1", HALF_OPEN - 1)
    assert gate.knock("10.0.0.1", "next") == first
    assert gate.knock("10.0.0.3", "somebody") == second


def test_whoever_has_got_least_far_makes_room_first() -> None:
    gate = Gate()
    names = crowd(gate, "10.0.0.1", HALF_OPEN)
    gate.proved(names[0])
    assert gate.begin(names[1], 0.0) == 0
    gate.begin(names[3], 0.0)
    assert gate.knock("10.0.0.1", "next") == names[2]
    for name in names[4:]:
        gate.proved(name)
    gate.proved("next")
    assert gate.knock("10.0.0.1", "again") == names[1]
    gate.proved(names[1])  # too late
    gate.proved("again")
    assert gate.knock("10.0.0.1", "another") == names[3]
    assert gate.knock("10.0.0.1", "last") == "another"


def test_whoever_is_through_makes_room() -> None:
    gate = Gate()
    names = crowd(gate, "10.0.0.1", HALF_OPEN)
    gate.leave(names[0])
    gate.leave("nobody")
    assert gate.knock("10.0.0.1", "next") is None


def test_the_latest_who_waits_for_a_handshake_comes_first() -> None:
    gate = Gate()
    for number in range(int(HANDSHAKES_AT_ONCE)):
        gate.knock("10.0.0.1", number)
        assert gate.begin(number, 0.0) == 0
        gate.leave(number)
    gate.knock("10.0.0.1", "early")
    assert gate.begin("early", 0.0) == WAIT_SECONDS
    gate.knock("10.0.0.1", "late")
    assert gate.begin("late", 0.0) == WAIT_SECONDS
    gate.knock("10.0.0.2", "other")
    assert gate.begin("other", 0.0) == 0
    assert gate.begin("early", WAIT_SECONDS) > 0
    assert gate.begin("late", WAIT_SECONDS) == 0
    assert gate.begin("early", 2 * WAIT_SECONDS) == 0
    assert gate.begin("nobody", 2 * WAIT_SECONDS) > 0


def test_only_so_many_addresses_are_remembered() -> None:
    gate = Gate()
    for number in range(ADDRESSES_REMEMBERED + 10):
        gate.knock(f"10.{number >> 8}.{number & 255}.1", number)
        gate.begin(number, 0.0)
        gate.leave(number)
    assert len(gate.handshakes) == ADDRESSES_REMEMBERED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8::1", "2001:db8::ffff:2"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80::2%eth1"),
    ],
)
def test_addresses_of_one_household_count_as_one(one: str, other: str) -> None:
    assert network(one) == network(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("10.0.0.1", "10.0.0.2"), ("2001:db8:0:1::1", "2001:db8:0:2::1"), ("", "a")],
)
def test_other_addresses_count_apart(one: str, other: str) -> None:
    assert network(one) != network(other)
