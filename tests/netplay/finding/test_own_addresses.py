from ipaddress import ip_address

import pytest

from netplay.finding.own_addresses import own_addresses


def test_own_addresses_are_numbers_of_this_computer() -> None:
    for address in own_addresses():
        assert not ip_address(address).is_unspecified


@pytest.mark.parametrize("interface", ["127.0.0.1", "::1", "10.0.0.1"])
def test_a_node_that_listens_at_one_address_has_only_that(interface: str) -> None:
    assert own_addresses(interface) == (interface,)


@pytest.mark.parametrize("interface", ["", "0.0.0.0", "::"])
def test_a_node_that_listens_everywhere_has_all_addresses(interface: str) -> None:
    assert own_addresses(interface) == own_addresses()
