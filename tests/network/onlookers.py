"""Many onlookers in one process, each a node with a key and a port of its own.

    python -m tests.network.onlookers FOLDER COUNT PORT ADDRESS

They ask who plays at an address to be let watch, all at once.  What comes of it is
printed, a line each: a name, the entries that it sees by now, and the time.  They are
light: without a window, a path over UDP, and files.
"""

import sys
from pathlib import Path
from time import monotonic

import trio
from typing_extensions import override

from netplay.messages.table_questions import WatchAt
from netplay.peering.identity import Identity
from netplay.peering.net import TcpNet
from tests.netplay.daemon.test_onlookers import Whole


class PlainNet(TcpNet):
    """Without a path over UDP."""

    udp = False

    @override
    async def _listen_udp(self, port: int, handler: object) -> None:
        pass


class Onlooker(Whole):
    """One of them."""

    def __init__(self, path: Path, port: int) -> None:
        def net(identity: Identity) -> TcpNet:
            return PlainNet(identity)

        super().__init__(path, f"w{port}", "0.0.0.0", net, port)
        self.tables.noted = self._noted

    def _noted(self, entries: int) -> None:
        print(self.name, entries, monotonic(), flush=True)


async def run(folder: Path, count: int, port: int, address: str) -> None:
    """Run the nodes until the program is ended."""
    async with trio.open_nursery() as nursery:
        ones = [Onlooker(folder, port + number) for number in range(count)]
        for one in ones:
            await nursery.start(one.run)
        print("ready", flush=True)
        await trio.to_thread.run_sync(sys.stdin.readline)
        for one in ones:
            one.ask(WatchAt(address))


if __name__ == "__main__":
    words = sys.argv[1:]
    trio.run(run, Path(words[0]), int(words[1]), int(words[2]), words[3])
