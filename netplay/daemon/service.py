"""Tell a service manager how the node is doing, by a datagram to its socket.

systemd names the socket in the environment; without one nothing is said.
"""

import os
import socket
from collections.abc import Sequence
from typing import Final

import trio

VARIABLE: Final = "NOTIFY_SOCKET"
WATCHDOG: Final = "WATCHDOG_USEC"


UNIT: Final = """\
# A systemd user unit.  Keep it as ~/.config/systemd/user/netplay.service, then:
#     systemctl --user enable --now netplay
# To let it run while nobody is logged in: loginctl enable-linger
[Unit]
Description=Netplay: board and word games from computer to computer

[Service]
Type=notify
ExecStart={command}
Restart=on-failure
RestartSec=5
WatchdogSec=60
TimeoutStopSec=15
KillMode=mixed
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
LimitNOFILE=4096
MemoryMax=1G
TasksMax=64

[Install]
WantedBy=default.target
"""
"""AF_NETLINK is how the C library lists interfaces."""


def unit(command: Sequence[str]) -> str:
    """Return a systemd user unit.

    Args:
        command: The words that start the node.
    """
    return UNIT.format(command=" ".join(map(_quoted, command)))


def _quoted(word: str) -> str:
    """Return a word as systemd reads it back."""
    word = word.replace("\\", "\\\\").replace('"', '\\"')
    word = word.replace("%", "%%").replace("$", "$$")
    plain = word and not any(c in " \t'\"\\;" for c in word)
    return word if plain else f'"{word}"'


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
