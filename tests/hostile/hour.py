"""A stranger's hour: what somebody unknown costs an idle node and a playing one.

    python -m tests.hostile.hour --seconds 180

Somebody new comes all the time, tries everything of `stranger` and more, and goes.  At
the end it says what that has cost each node: memory, processor, descriptors, bytes on
the disk, lines shown to the player; how long its door took to answer; and how the match
got on meanwhile.
"""

import argparse
import contextlib
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import trio

from netplay.demo.show import living
from netplay.messages.door import GetStatus
from netplay.messages.link import DialBack, Ping
from netplay.messages.log import Have, Submit
from netplay.messages.table import Accept, Ask, Attend, Chat, Decline, Heard, Piece
from netplay.record.chance import ZERO
from netplay.wire import PeerMessage
from tests.hostile.nodes import Cost, Victim
from tests.hostile.peer import BROKEN, GoneError, Line, Peer
from tests.hostile.stranger import ask_for_everything, junk_match, offer
from tests.system.nodes import begin, hand, host, join

VISIT_SECONDS: Final = 3.0
KEYS: Final = 200
STRANGERS: Final = 4
"""At each node at the same time."""


class Visit(NamedTuple):
    """A link to a node, and whose it is."""

    peer: Peer
    line: Line
    rng: Random


async def offers(visit: Visit) -> None:
    """Call to one table after the other, with addresses of others to dial."""
    for revision in range(200):
        other = visit.rng.randbytes(32)
        place = f"127.0.0.1:{visit.rng.randrange(20_000, 60_000)}"
        words = visit.rng.randbytes(32)
        await visit.line.say(
            offer(
                visit.peer,
                visit.line.key,
                game="networdz",
                words=words,
                addresses=("", "", place),
                others=(other,),
                revision=revision,
            )
        )
        await trio.sleep(0.015)


async def matches(visit: Visit) -> None:
    """Push matches that nobody has agreed to."""
    for _ in range(100):
        entries = junk_match(visit.peer)
        await visit.line.say(entries, Have(entries.match, 1, 0, ZERO))
        await trio.sleep(0.03)


async def files(visit: Visit) -> None:
    """Ask for files, and send some that nobody wants."""
    for number in range(50):
        data = bytes(40_000)
        await visit.line.say(
            Piece(bytes(32), visit.rng.randbytes(32), 1 << 23, 0, data)
        )
        await trio.sleep(0.001 * number % 0.03)
    await ask_for_everything(visit.line, VISIT_SECONDS)


async def comings(visit: Visit) -> None:
    """Ask for a seat, and to watch, and go again."""
    for _ in range(100):
        await visit.line.say(Ask(b"", -1), Attend(b""), Decline(b"", 0, 15, "no" * 50))
        await trio.sleep(0.03)


async def dials(visit: Visit) -> None:
    """Let the node dial."""
    for number in range(200):
        await visit.line.say(DialBack(number, visit.rng.randrange(1, 60_000), ()))
        await trio.sleep(0.015)


async def words(visit: Visit) -> None:
    """Say what only those at a table may say."""
    rng, key = visit.rng, visit.peer.key
    said: list[PeerMessage] = [
        Chat(rng.randbytes(32), key, 0, "x" * 300, bytes(64)),
        Heard(rng.randbytes(32), ((key, 0),), asks=True),
        Accept(bytes(32), 0, bytes(64)),
        Have(rng.randbytes(32), 0, 1, bytes(32)),
        Submit(rng.randbytes(32), 0, b"\x90", bytes(64)),
    ]
    for number in range(1, 300):
        await visit.line.say(rng.choice(said), Ping(number))
        await trio.sleep(0.025)


async def noise(visit: Visit) -> None:
    """Send frames of nonsense."""
    kind, data = visit.rng.randrange(256), visit.rng.randbytes(60_000)
    length = (len(data) + 1).to_bytes(4, "big")
    await visit.line.raw(length + bytes((kind,)) + data)
    await visit.line.ended()


WAYS: Final[tuple[Callable[[Visit], Awaitable[None]], ...]] = (
    offers,
    matches,
    files,
    comings,
    dials,
    words,
    noise,
)


class Crowd:
    """Strangers, each new, one after the other."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder: Final = folder
        self._rng: Final = Random(seed)
        self._peers: Final[list[Peer]] = []
        self.came: Final[Counter[str]] = Counter()

    def _somebody(self) -> Peer:
        """Return somebody new, while there are keys left, then somebody of before."""
        number = len(self._peers)
        if number < KEYS:
            self._peers.append(Peer(self._folder / f"{number}", f"stranger {number}"))
            return self._peers[-1]
        return self._rng.choice(self._peers)

    async def trouble(self, port: int) -> None:
        """Come to a node again and again."""
        while True:
            way, peer = self._rng.choice(WAYS), self._somebody()
            self.came[way.__name__] += 1
            with contextlib.suppress(GoneError, *BROKEN):
                with trio.move_on_after(VISIT_SECONDS):
                    async with peer.call(port) as line:
                        await way(Visit(peer, line, self._rng))
            await trio.sleep(0.01)


class Watch:
    """What it costs one node."""

    def __init__(self, name: str, node: Victim) -> None:
        self.name: Final = name
        self.node: Final = node
        self.before: Final = node.cost()
        self.most = self.half = self.before
        self.slowest = 0.0

    async def look(self, seconds: float) -> None:
        """Look at a node again and again; note how it stands after half the time."""
        half = trio.current_time() + seconds / 2
        while True:
            began = trio.current_time()
            await self.node.window.ask(GetStatus())
            self.slowest = max(self.slowest, trio.current_time() - began)
            cost = self.node.cost()
            if trio.current_time() < half:
                self.half = cost
            self.most = self.most.and_at_the_most(cost)
            await trio.sleep(1.0)

    def report(self, seconds: float) -> str:
        """Return what it has cost."""
        end = self.node.cost().more_than(self.before)
        most = self.most.more_than(self.before)
        load = 100 * end.processor / seconds
        return (
            f"{self.name}: {end} ({load:.1f} % of a core); at the most "
            f"{most.memory:+.1f} MiB, {most.descriptors:+d} descriptors; in the second "
            f"half {self.node.cost().memory - self.half.memory:+.1f} MiB; "
            f"{end.lines * 3600 / seconds:.0f} lines an hour; its door answered "
            f"within {self.slowest * 1000:.0f} ms; match files and words "
            f"{sorted(self.node.files())}"
        )


async def hour(folder: Path, seconds: float) -> list[Cost]:
    """Run a shortened hour; return what it has cost an idle node and two that play."""
    near, far, idle = (Victim(folder, number) for number in range(3))
    crowd = Crowd(folder / "crowd", 1)
    async with living(idle, near, far) as nursery:
        await idle.wait_to_be_called()
        await host(near, 1, size=20)
        await join(far, near.address)
        await begin([near, far])
        for one in (near, far):
            nursery.start_soon(partial(hand, one, 0.5))
        watches = [Watch("idle", idle), Watch("playing", near), Watch("guest", far)]
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as trouble:
                for watch in watches:
                    trouble.start_soon(watch.look, seconds)
                    for _ in range(STRANGERS):
                        trouble.start_soon(crowd.trouble, watch.node.port)
        print(f"{seconds:.0f} s; visits {dict(crowd.came)}")
        for watch in watches:
            print(watch.report(seconds))
        print(f"the match: {near.table.phase}, {near.table.entries} entries")
        costs = [watch.node.cost().more_than(watch.before) for watch in watches]
    async with living(idle):
        spent = idle.cost().processor
        print(f"the idle node's next start takes {spent:.2f} s of the processor")
    return costs


def main() -> None:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description="a stranger's hour, or less of it")
    parser.add_argument("--seconds", type=float, default=180.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trio.run(hour, Path(folder), arguments.seconds)


if __name__ == "__main__":
    main()
