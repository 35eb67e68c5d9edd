"""Tell a service manager how the node is doing, by a datagram to its socket.

systemd names the socket in the environment; without one nothing is said.
"""

import os
import socket
from typing import Final

import trio

VARIABLE: Final = "NOTIFY_SOCKET"
WATCHDOG: Final = "WATCHDOG_USEC"


def notify(words: str) -> bool:
    """Say something to the service manager; return whether there is one.

    Args:
        words: `READY=1`, `STOPPING=1`, `WATCHDOG=1` or `STATUS=...`.
    """
    address = os.environ.get(VARIABLE, "")
    if not address.startswith(("/", "@")):
        return False
    if address.startswith("@"):  # a name of the abstract kind
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
            sock.sendto(words.encode(), address)
    except OSError:
        return False
    return True


async def keep_watchdog() -> None:
    """Tell the manager's watchdog that the loop turns, if it wants to know."""
    period = os.environ.get(WATCHDOG, "")
    if not period.isdigit() or not int(period):
        return
    while notify("WATCHDOG=1"):  # noqa: ASYNC110 (nothing is waited for)
        await trio.sleep(int(period) / 2_000_000)
