"""Ports for nodes that go and come again at the same one."""

import os
import socket
from itertools import count
from secrets import randbelow
from typing import Final

FIRST: Final = 20_000
EACH: Final = 2_000
"""For each process that runs tests; all lie below those that systems give away."""

_places: Final = count(randbelow(EACH))


def own_port() -> int:
    """Return a port that nobody takes while a node is down.

    A port that the system has chosen is given to somebody else as soon as it is free,
    and several processes run tests at the same time.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 6
    while True:
        port = FIRST + worker * EACH + next(_places) % EACH
        try:
            with socket.socket() as free:
                free.bind(("127.0.0.1", port))
        except OSError:
            continue
        return port
