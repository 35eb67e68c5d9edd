"""Tables and matches in the middle of things, for hostile messages to come into."""

from collections.abc import Callable
from random import Random
from typing import Final

from netplay.messages.door import Answer, Join, Say, StartMatch
from netplay.table.guest import Guest
from netplay.table.hosting import Hosting
from netplay.wire import Frame, FrameReader
from tests.netplay.joined_nodes import Net, table

STRANGER: Final = "eve"
"""Has links to everybody and a seat nowhere."""

STEPS: Final = 60
"""Messages and thoughts between two looks at a world."""


class World:
    """Some nodes, and one of them that is attacked."""

    def __init__(self, net: Net, target: str, rng: Random) -> None:
        self.net: Final = net
        self.target: Final = target
        self.rng: Final = rng
        for name in net.nodes:
            net.link(name, STRANGER)

    def go_on(self) -> None:
        """Let the nodes talk and play for a little."""
        for _ in range(self.rng.randint(0, STEPS)):
            self.net.dial()
            if not self.net.deliver() and not self.net.think(self.rng):
                break

    @property
    def alive(self) -> bool:
        """Whether there is still a table at which much can go wrong."""
        node = self.net[self.target]
        table = node.table
        if isinstance(table, Hosting | Guest):
            return True
        if table.match is None:
            return node.tables.shared.answering
        return not table.stopped and not table.match.fold.over

    def waiting(self) -> list[tuple[str, Frame]]:
        """Return (sender, frame) of what is on its way to the target."""
        return [(a, framed(data)) for a, b, data in self.net.wire if b == self.target]


def framed(data: bytes) -> Frame:
    """Return the frame that bytes are."""
    reader = FrameReader(len(data))
    reader.feed(data)
    frame = reader.next()
    assert frame is not None
    return frame


def _gathered(rng: Random, game: str, guests: int) -> Net:
    """Return a host and guests at a table of a game."""
    names = ("ann", "bob", "cyd")[: 1 + guests]
    net = Net(*names, STRANGER)
    options = (("size", "8"),) if game == "numlo" else ()
    seats = ("computer:0", *("remote" for _ in names[1:]))
    net.done("ann", table(game, *seats, options=options))
    for name in names[1:]:
        net[name].tables.shared.autoplay = 0
        net.done(name, Join("ann", -1))
    if rng.random() < 0.3:
        net.done("ann", Say("hello"))
    return net


def forming(rng: Random) -> World:
    """Return a table at which terms are being agreed."""
    net = _gathered(rng, rng.choice(("numlo", "networdz")), rng.choice((1, 2)))
    return World(net, rng.choice(("ann", "bob")), rng)


def playing(rng: Random) -> World:
    """Return a match that is being played."""
    game = rng.choice(("numlo", "numlo", "networdz", "networdz", "hexcolumns"))
    game = rng.choice((game, game, game, "lhexicon", "hexagrams"))
    guests = 1 if game == "hexagrams" else rng.choice((1, 2))
    net = _gathered(rng, game, guests)
    net.settle()
    net.done("ann", StartMatch())
    world = World(net, rng.choice(("ann", "bob")), rng)
    if rng.random() < 0.2:
        net.isolate("ann" if world.target == "bob" else "bob")
        net.now += 61
        for node in net.nodes.values():
            node.tables.wake(net.now)
    return world


def answering(rng: Random) -> World:
    """Return a node that waits to be called."""
    net = Net("ann", "bob", STRANGER)
    net.done("bob", Answer(on=True))
    return World(net, "bob", rng)


MAKERS: Final[tuple[Callable[[Random], World], ...]] = (
    *(playing, playing, playing, playing, forming, answering),
)
