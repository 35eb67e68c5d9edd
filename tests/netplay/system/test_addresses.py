"""By which addresses others may reach this computer, and which of them come first."""

import socket
from collections.abc import Mapping
from ipaddress import ip_address
from types import SimpleNamespace

import psutil
import pytest

from netplay.system.addresses import (
    Own,
    is_link_local,
    own_addresses,
    passing_addresses,
    ranked,
)


def test_own_addresses_are_numbers_of_this_computer() -> None:
    for address in own_addresses():
        assert not ip_address(address).is_unspecified


@pytest.mark.parametrize("interface", ["127.0.0.1", "::1", "10.0.0.1"])
def test_a_node_that_listens_at_one_address_has_only_that(interface: str) -> None:
    assert own_addresses(interface) == (interface,)


def test_a_node_that_listens_at_one_family_has_the_addresses_of_that() -> None:
    everything = own_addresses()
    four = own_addresses("0.0.0.0")
    six = own_addresses("::")
    assert all(":" not in address for address in four)
    assert all(":" in address for address in six)
    wide = {a for a in (*four, *six) if not is_link_local(a)}
    assert set(everything) in (wide, {*four, *six})


def test_the_usual_way_out_comes_first_and_a_tunnel_last() -> None:
    found = (
        Own("tun0", "10.8.0.2", aside=True),
        Own("eth0", "2001:db8::5"),
        Own("eth1", "192.168.7.2"),
        Own("eth0", "192.168.0.2"),
        Own("eth0", "fe80::1%eth0"),
    )
    assert ranked(found, ["10.8.0.2", "2001:db8::5"]) == (
        "2001:db8::5", "192.168.7.2", "192.168.0.2", "10.8.0.2",
    )  # fmt: skip


def insert(monkeypatch: pytest.MonkeyPatch, cards: Mapping[str, str]) -> None:
    """Let this computer have cards, by name, each with an address.

    Those whose name begins with "tun" are VPNs.
    """
    found = {
        name: [SimpleNamespace(family=socket.AF_INET, address=address)]
        for name, address in cards.items()
    }
    more = {name: ",pointopoint" if name.startswith("tun") else "" for name in cards}
    up = {
        name: SimpleNamespace(isup=True, flags=f"up,running{flags}")
        for name, flags in more.items()
    }
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: found)
    monkeypatch.setattr(psutil, "net_if_stats", lambda: up)


def test_a_bridge_within_this_computer_comes_after_all_other_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    insert(
        monkeypatch,
        {"br-1": "172.18.0.1", "docker0": "172.17.0.1", "wlan0": "192.168.1.20"},
    )
    told = own_addresses()
    assert told[0] == "192.168.1.20"
    assert set(told[1:]) == {"172.18.0.1", "172.17.0.1"}


def test_a_link_local_address_is_told_where_it_is_all_there_is() -> None:
    found = (Own("eth0", "fe80::1%eth0"), Own("eth0", "169.254.3.4"))
    assert ranked(found, []) == ("169.254.3.4", "fe80::1%eth0")
    wide = (*found, Own("eth1", "10.0.0.1"))
    assert ranked(wide, []) == ("10.0.0.1",)


def test_addresses_for_a_while_are_known_by_their_flags() -> None:
    listed = """\
20010db8000000000000000000000001 02 40 00 80     eth0
20010db8000000000000000000000002 02 40 00 01     eth0
20010db8000000000000000000000003 02 40 00 a0     eth0
20010db8000000000000000000000004 02 40 00 40     eth0
torn line
"""
    assert passing_addresses(listed) == {
        "2001:db8::2", "2001:db8::3", "2001:db8::4",
    }  # fmt: skip
    assert passing_addresses("") == frozenset()
