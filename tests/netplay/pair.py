"""Two links joined in memory, and a clock to turn by hand."""

from collections.abc import Callable

from netplay.messages.link import Hello
from netplay.peering.link import VERSIONS, Event, Link, Opened, State
from netplay.wire import PeerMessage, encode


def hello(number: int, **changes: object) -> Hello:
    fields: dict[str, object] = {
        "versions": VERSIONS,
        "features": (),
        "name": f"player {number}",
        "program": "netplay test",
        "port": 0,
        "nonce": bytes([number]) * 32,
    }
    return Hello(**{**fields, **changes})  # type: ignore[arg-type]


def anybody(_hello: Hello) -> None:
    """Judge everybody welcome."""


class Pair:
    """Two links; what one writes the other reads."""

    def __init__(
        self,
        first: Hello | None = None,
        second: Hello | None = None,
        judge: Callable[[Hello], None] = anybody,
    ) -> None:
        self.now = 0.0
        self.first = Link(first or hello(1), anybody, self.now)
        self.second = Link(second or hello(2), judge, self.now)
        self.events: dict[Link, list[Event]] = {self.first: [], self.second: []}

    def other(self, link: Link) -> Link:
        return self.second if link is self.first else self.first

    def say(self, link: Link, message: PeerMessage) -> None:
        """Say something of a table on a link, as whoever has it open does."""
        assert link.state is State.OPEN
        link.out.append(encode(message))

    def carry(self, link: Link) -> bool:
        """Carry what one link has written to the other; tell if there was any."""
        data = link.take_bytes()
        if data:
            other = self.other(link)
            self.events[other] += other.receive(data, self.now)
        return bool(data)

    def settle(self) -> None:
        """Carry until both have nothing more to say."""
        while self.carry(self.first) or self.carry(self.second):
            pass

    def opened(self) -> "Pair":
        """Finish the handshake, forget its events."""
        self.settle()
        for events in self.events.values():
            assert isinstance(events[-1], Opened)
            events.clear()
        return self

    def pass_time(self, seconds: float, *, carry: bool = True) -> None:
        """Let the time pass in the steps that the links ask for."""
        end = self.now + seconds
        while (due := self._due()) <= end:
            self.now = max(self.now, due)
            for link in (self.first, self.second):
                self.events[link] += link.wake(self.now)
            if carry:
                self.settle()
        self.now = end

    def _due(self) -> float:
        dues = (self.first.deadline(), self.second.deadline())
        return min((d for d in dues if d is not None), default=float("inf"))
