"""The addresses at which others may reach this computer."""

import socket
from typing import Final

_FAR: Final = (
    (socket.AF_INET, ("192.0.2.1", 9)),
    (socket.AF_INET6, ("2001:db8::1", 9)),
)
"""Documentation's own addresses: nothing is sent, the system only picks a route."""


def own_addresses(interface: str = "") -> tuple[str, ...]:
    """Return the address of each family from which this computer would reach others.

    Args:
        interface: The one address at which the node listens; empty if at all.
    """
    if interface not in {"", "0.0.0.0", "::"}:  # noqa: S104 (compared, not bound)
        return (interface,)
    found = [_towards(family, far) for family, far in _FAR]
    return tuple(address for address in found if address)


def _towards(family: socket.AddressFamily, far: tuple[str, int]) -> str:
    """Return the address a packet to somewhere far would leave from, or nothing."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect(far)
            return str(sock.getsockname()[0])
    except OSError:
        return ""
