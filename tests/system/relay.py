"""A relay between two nodes that is as slow and as unreliable as a test wants.

Every connection to it goes on to one port.  Bytes take a while each way and keep their
order.  While it stalls, it takes connections and bytes and nothing comes out (a black
hole).  What it held back goes on when it heals, as if TCP had sent it again; or it is
lost, and every connection used until then is dead without knowing.  While it is cut, it
has hung up on everybody and does so with whoever comes.
"""

from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Final

import trio

SLOW: Final = 0.100
JITTER: Final = 0.020
PIECE: Final = 65536


class Relay:
    """See above."""

    def __init__(
        self, seed: int = 1, slow: float = SLOW, jitter: float = JITTER
    ) -> None:
        self.port = 0
        self.target = 0
        """Where connections go on to; set it before anybody comes."""
        self.came = 0
        self.bytes = 0
        self._rng: Final = Random(seed)
        self._slow: Final = slow
        self._jitter: Final = jitter
        self._cut = False
        self._open = trio.Event()
        self._open.set()
        self._scopes: set[trio.CancelScope] = set()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Hang up on everybody, and go on doing so."""
        self._cut = True
        self.drop()

    def drop(self) -> None:
        """Hang up on everybody once."""
        for scope in self._scopes:
            scope.cancel()

    def stall(self) -> None:
        """Let nothing through from now on, and tell nobody."""
        self._open = trio.Event()

    def heal(self, *, lost: bool = False) -> None:
        """Let everything through again, or only what comes from now on."""
        self._cut = False
        if lost:
            self._open = trio.Event()  # who waits for the old one waits for ever
        self._open.set()

    async def run(
        self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.port = listeners[0].socket.getsockname()[1]
        task_status.started()
        await trio.serve_listeners(self._serve, listeners)

    async def _serve(self, near: trio.SocketStream) -> None:
        """Carry one connection to its end, both ways."""
        self.came += 1
        with trio.CancelScope() as scope:
            self._scopes.add(scope)
            try:
                if not self._cut:
                    await self._carry(near)
            except (OSError, trio.BrokenResourceError, trio.ClosedResourceError):
                pass
            finally:
                self._scopes.discard(scope)
                await trio.aclose_forcefully(near)

    async def _carry(self, near: trio.SocketStream) -> None:
        far = await trio.open_tcp_stream("127.0.0.1", self.target)
        try:
            async with trio.open_nursery() as nursery:
                stop = nursery.cancel_scope.cancel
                nursery.start_soon(self._one_way, near, far, stop)
                nursery.start_soon(self._one_way, far, near, stop)
        finally:
            await trio.aclose_forcefully(far)

    async def _one_way(
        self,
        source: trio.SocketStream,
        sink: trio.SocketStream,
        stop: Callable[[], None],
    ) -> None:
        """Carry bytes one way; the end of either way ends both."""
        held: deque[tuple[float, bytes]] = deque()
        async with trio.open_nursery() as nursery:
            news = trio.Event()

            async def read() -> None:
                data = b"?"
                while data:
                    try:
                        data = bytes(await source.receive_some(PIECE))
                    except (trio.BrokenResourceError, trio.ClosedResourceError):
                        data = b""
                    wait = self._slow + self._rng.uniform(-self._jitter, self._jitter)
                    held.append((trio.current_time() + wait, data))
                    news.set()

            nursery.start_soon(read)
            while True:
                while not held:
                    news = trio.Event()
                    await news.wait()
                due, data = held.popleft()
                await trio.sleep_until(due)
                await self._open.wait()
                if not data:
                    break
                self.bytes += len(data)
                try:
                    await sink.send_all(data)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    break
            stop()


@asynccontextmanager
async def relay(seed: int = 1, slow: float = SLOW) -> AsyncGenerator[Relay]:
    """Run a relay for as long as the context lasts."""
    one = Relay(seed, slow, min(slow, JITTER))
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(one.run))
        yield one
        nursery.cancel_scope.cancel()
