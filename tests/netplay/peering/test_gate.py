import pytest

from netplay.limits import ADDRESSES_REMEMBERED, HALF_OPEN, HANDSHAKES_AT_ONCE
from netplay.peering.gate import (
    LINE_SECONDS,
    QUICK_SECONDS,
    ROOM_AT_FIRST,
    ROOM_MOST,
    STALLED_SECONDS,
    WAIT_SECONDS,
    Gate,
)
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
    gate.proved(names[0], 0.0)
    assert gate.ask_turn(names[1], 0.0) == 0
    gate.ask_turn(names[3], 0.0)
    assert gate.knock("10.0.0.1", "next") == names[2]
    for name in names[4:]:
        gate.proved(name, 0.0)
    gate.proved("next", 0.0)
    assert gate.knock("10.0.0.1", "again") == names[1]
    gate.proved(names[1], 0.0)  # too late
    gate.proved("again", 0.0)
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
        assert gate.ask_turn(number, 0.0) == 0
        gate.leave(number)
    gate.knock("10.0.0.1", "early")
    assert gate.ask_turn("early", 0.0) == WAIT_SECONDS
    gate.knock("10.0.0.1", "late")
    assert gate.ask_turn("late", 0.0) == WAIT_SECONDS
    gate.knock("10.0.0.2", "other")
    assert gate.ask_turn("other", 0.0) == 0
    assert gate.ask_turn("early", WAIT_SECONDS) > 0
    assert gate.ask_turn("late", WAIT_SECONDS) == 0
    gate.leave("late")
    assert gate.ask_turn("early", 2 * WAIT_SECONDS) == 0
    assert gate.ask_turn("nobody", 2 * WAIT_SECONDS) > 0


def come(gate: Gate, *ips: str) -> None:
    """Let one come from each address, and say its first word."""
    for ip in ips:
        assert gate.knock(ip, ip) is None


def begun(gate: Gate, now: float, *ips: str) -> list[str]:
    """Let these ask for their turn; return who has got one."""
    return [ip for ip in ips if gate.ask_turn(ip, now) == 0]


SLOW = QUICK_SECONDS + 0.1


def slowed(gate: Gate) -> None:
    """Let the line turn out to be thin."""
    for n in range(3):
        name = f"10.9.0.{n}"
        come(gate, name)
        assert gate.ask_turn(name, -9.0 + 2 * n) == 0
        gate.proved(name, -9.0 + 2 * n + SLOW)
        gate.leave(name)


def test_few_handshakes_go_on_at_once_before_it_is_known_what_the_line_carries() -> (
    None
):
    gate, ips = Gate(), [f"10.0.{n}.1" for n in range(40)]
    come(gate, *ips)
    assert len(begun(gate, 0.0, *ips)) == ROOM_AT_FIRST


def test_where_they_are_quick_ever_more_go_on_at_once() -> None:
    gate, ips = Gate(), [f"10.0.{n}.1" for n in range(40)]
    come(gate, *ips)
    for turn in range(5):
        now = turn * 0.2
        for ip in begun(gate, now, *ips):
            gate.proved(ip, now + 0.1)
            gate.leave(ip)
            ips.remove(ip)
    assert not ips


def test_on_a_thin_line_one_comes_after_another() -> None:
    gate, ips = Gate(), [f"10.0.{n}.1" for n in range(3)]
    slowed(gate)
    come(gate, *ips)
    assert begun(gate, 1.0, *ips) == ips[:1]
    assert not begun(gate, 1.5, *ips[1:])
    gate.proved(ips[0], 1.0 + SLOW)
    # The line is left to the players for as long as that took.
    assert not begun(gate, 0.9 + 2 * SLOW, *ips[1:])
    assert begun(gate, 1.1 + 2 * SLOW, *ips[1:]) == ips[1:2]


def test_who_never_ends_a_handshake_holds_the_others_up_for_a_moment() -> None:
    gate = Gate()
    slowed(gate)
    come(gate, "10.0.0.1", "10.0.0.2")
    assert gate.ask_turn("10.0.0.1", 1.0) == 0
    assert gate.ask_turn("10.0.0.2", 0.9 + STALLED_SECONDS) == LINE_SECONDS
    assert gate.ask_turn("10.0.0.2", 1.0 + STALLED_SECONDS) == 0


def test_a_network_that_has_had_a_turn_waits_behind_those_that_have_had_none() -> None:
    gate = Gate()
    slowed(gate)
    crowd(gate, "10.0.0.1", 30)
    assert gate.ask_turn("10.0.0.1 29", 1.0) == 0
    come(gate, "10.0.0.2")
    gate.ask_turn("10.0.0.2", 1.5)
    later = 1.1 + STALLED_SECONDS
    assert gate.ask_turn("10.0.0.1 28", later) == LINE_SECONDS
    assert gate.ask_turn("10.0.0.2", later) == 0


@pytest.mark.parametrize("friend", ["10.0.0.7", "2001:db8::7"])
def test_friends_and_players_do_not_wait_for_a_crowd(friend: str) -> None:
    gate = Gate(lambda ip: ip == friend)
    slowed(gate)
    come(gate, "10.0.0.1", "10.0.0.2", friend)
    assert begun(gate, 1.0, "10.0.0.1", "10.0.0.2", friend) == ["10.0.0.1", friend]


def test_only_so_many_addresses_are_remembered() -> None:
    gate = Gate()
    for number in range(ADDRESSES_REMEMBERED + 10):
        gate.knock(f"10.{number >> 8}.{number & 255}.1", number)
        gate.ask_turn(number, 0.0)
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


def test_whoever_stands_in_a_line_asks_again_at_once_however_far_behind() -> None:
    gate = Gate()
    names = crowd(gate, "10.0.0.1", HALF_OPEN)
    waits = [gate.ask_turn(name, 0.0) for name in names]
    again = [gate.ask_turn(name, 0.0) for name in names]
    assert max(*waits, *again) <= max(LINE_SECONDS, WAIT_SECONDS)


def test_however_quick_they_were_a_crowd_comes_in_by_and_by() -> None:
    gate = Gate()
    for n in range(4 * ROOM_MOST):
        ip = f"10.{n}.0.1"
        come(gate, ip)
        assert gate.ask_turn(ip, n / 10) == 0
        gate.proved(ip, n / 10)
        gate.leave(ip)
    ips = [f"11.0.{n}.1" for n in range(2 * ROOM_MOST)]
    come(gate, *ips)
    assert len(begun(gate, 100.0, *ips)) == ROOM_MOST


def test_a_network_that_comes_often_is_remembered_by_its_last_turn() -> None:
    gate, often = Gate(), "10.0.0.1"
    others = [f"11.{n >> 8}.{n & 255}.1" for n in range(ADDRESSES_REMEMBERED)]
    for now, ip in enumerate([often, *others[1:], often, others[0]]):
        come(gate, ip)
        assert gate.ask_turn(ip, float(now)) == 0
        gate.proved(ip, float(now))
        gate.leave(ip)
    now = ADDRESSES_REMEMBERED + 9.0
    for n in range(ROOM_MOST):  # the line is full, but for one
        come(gate, f"12.0.{n}.1")
        assert gate.ask_turn(f"12.0.{n}.1", now) == 0
    come(gate, often, others[-1])
    assert not begun(gate, now, others[-1], often)
    gate.proved("12.0.0.1", now)
    assert begun(gate, now, often, others[-1]) == [others[-1]]
