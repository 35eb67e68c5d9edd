"""The default gateway: the one computer that is asked to let players in."""

import re
import subprocess
import sys
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Final

import trio

ROUTES: Final = {4: Path("/proc/net/route"), 6: Path("/proc/net/ipv6_route")}
"""Linux's tables."""

_ASK: Final = {
    ("darwin", 4): ["route", "-n", "get", "-inet", "default"],
    ("darwin", 6): ["route", "-n", "get", "-inet6", "default"],
    ("win32", 4): ["route", "print", "-4", "0.0.0.0"],  # noqa: S104 (a destination)
    ("win32", 6): ["route", "print", "-6", "::/0"],
}
"""What tells on other systems, to everybody and in every language alike."""

_LINES: Final = (
    r"^\s*gateway:\s+(\S+)",
    r"^\s*0\.0\.0\.0\s+0\.0\.0\.0\s+(\d+\.\d+\.\d+\.\d+)\s",
    r"^\s*\d+\s+\d+\s+::/0\s+(\S+)",
)
"""Where the gateway stands in what those programs print."""

ASK_SECONDS: Final = 5.0


async def find_gateway(version: int) -> str | None:
    """Return the gateway of the default route, None if there is none.

    Args:
        version: Of the Internet Protocol: 4 or 6.
    """
    if sys.platform == "linux":
        table = ROUTES[version]
        text = table.read_text("ascii") if table.exists() else ""
        return gateway_4(text) if version == 4 else gateway_6(text)
    question = _ASK.get((sys.platform, version))
    if question is None:
        return None
    with suppress(OSError), trio.move_on_after(ASK_SECONDS):
        done = await trio.run_process(
            question, check=False, capture_stdout=True, stderr=subprocess.DEVNULL
        )
        return printed(done.stdout.decode("ascii", "replace"), version)
    return None


def gateway_4(routes: str) -> str | None:
    """Return the gateway of the best default route that has one.

    A VPN's has none, and is no router of this household.

    Args:
        routes: Linux's table of IPv4 routes.
    """
    found: list[tuple[int, str]] = []
    for line in routes.splitlines()[1:]:
        fields = line.split()
        if len(fields) > 6 and fields[1] == "00000000" and fields[2] != "00000000":
            # The kernel writes the four bytes as one number of its own order.
            number = int(fields[2], 16)
            host = str(IPv4Address(number.to_bytes(4, sys.byteorder)))
            found.append((int(fields[6]), host))
    return min(found)[1] if found else None


def gateway_6(routes: str) -> str | None:
    """Return the same for IPv6, a link-local one with its interface.

    Args:
        routes: Linux's table of IPv6 routes.
    """
    found: list[tuple[int, str]] = []
    for line in routes.splitlines():
        fields = line.split()
        if len(fields) < 10 or set(fields[0] + fields[1]) != {"0"}:
            continue
        host = IPv6Address(bytes.fromhex(fields[4]))
        if not host.is_unspecified:
            scope = f"%{fields[9]}" if host.is_link_local else ""
            found.append((int(fields[5], 16), f"{host}{scope}"))
    return min(found)[1] if found else None


def printed(text: str, version: int) -> str | None:
    """Return the gateway in what macOS or Windows print."""
    for line in _LINES:
        for found in re.findall(line, text, re.MULTILINE):
            with suppress(ValueError):
                if ip_address(found.partition("%")[0]).version == version:
                    return str(found)
    return None
