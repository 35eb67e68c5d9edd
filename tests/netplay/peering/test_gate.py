import pytest

from netplay import limits
from netplay.peering.gate import Gate, network


def test_a_few_of_one_address_stand_at_the_door_and_the_oldest_makes_room() -> None:
    gate = Gate()
    for visitor in range(limits.HALF_OPEN_AN_ADDRESS):
        assert gate.knock("10.0.0.1", visitor, 0.0) == (True, None)
    assert gate.knock("10.0.0.2", "other", 0.0) == (True, None)
    assert gate.knock("10.0.0.1", "next", 0.0) == (True, 0)
    assert gate.knock("10.0.0.1", "again", 0.0) == (True, 1)


def test_whoever_is_through_makes_room() -> None:
    gate = Gate()
    for visitor in range(limits.HALF_OPEN_AN_ADDRESS):
        gate.knock("10.0.0.1", visitor, 0.0)
    gate.leave(0)
    gate.leave("nobody")
    assert gate.knock("10.0.0.1", "next", 0.0) == (True, None)


def test_no_more_than_so_many_stand_at_the_door_in_all() -> None:
    gate = Gate()
    for visitor in range(limits.HALF_OPEN):
        assert gate.knock(f"10.0.0.{visitor}", visitor, 0.0) == (True, None)
    assert gate.knock("10.0.1.1", "next", 0.0) == (True, 0)


def test_an_address_that_comes_too_often_is_refused_for_a_while() -> None:
    gate = Gate()
    for visitor in range(int(limits.DIALS_AT_ONCE)):
        assert gate.knock("10.0.0.1", visitor, 0.0).admit
    assert gate.knock("10.0.0.1", "next", 0.0) == (False, None)
    assert gate.knock("10.0.0.2", "other", 0.0).admit
    assert gate.knock("10.0.0.1", "later", 1.0).admit


def test_only_so_many_addresses_are_remembered() -> None:
    gate = Gate()
    for number in range(limits.ADDRESSES_REMEMBERED + 10):
        gate.knock(f"10.{number >> 8}.{number & 255}.1", number, 0.0)
        gate.leave(number)
    assert len(gate._buckets) == limits.ADDRESSES_REMEMBERED


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
