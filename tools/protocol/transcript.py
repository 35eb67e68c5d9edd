"""Two nodes from Hello to the audit: every frame, with keys and seeds that are fixed.

Tables and links are the real ones; only the transport and the clock are not.  The match
is a whole one of Networdz, with an edition and words small enough to be read.
"""

from collections import deque
from functools import cache
from typing import Any, Final, NamedTuple

from netplay.match.match import Match
from netplay.messages.door import Join, LeaveTable, Play, Request, Say, StartMatch
from netplay.messages.link import Hello
from netplay.messages.log import Submit, Turn
from netplay.peering.link import FEATURES, VERSIONS, Event, Got, Link, Opened
from netplay.record.log import author_data
from netplay.record.store import MAGIC, frame
from netplay.record.verify import verify
from netplay.wire import Frame, FrameReader, PeerMessage, decode, encode, pack
from rules import editions, lexicon, networdz
from tests.netplay.joined_nodes import Bare, Node, table

EDITION: Final = editions.Edition(
    name="page",
    title="Eight tiles",
    language="en",
    words="page",
    longest=3,
    rack=2,
    bingo=5,
    kinds=(
        editions.Kind("A", 4, 1),
        editions.Kind("B", 3, 3),
        editions.Kind("?", 1, 0),
    ),
    board=(
        (".", ".", ".", ".", "."),
        (".", ".", ".", ".", "."),
        (".", ".", "W2", ".", "."),
        (".", ".", ".", ".", "."),
        (".", ".", ".", ".", "."),
    ),
    start=(2, 2),
)
WORDS: Final = ("AB", "ABA", "BA", "AA", "AAB", "BAB", "BAA", "ABB")
PLACES: Final = {"Ann": "192.0.2.1:4770", "Bob": "192.0.2.2:4771"}
"""Where the two are."""

MOST: Final = 40
"""Turns; the match is over long before."""


class Step(NamedTuple):
    """A frame that one node sends the other."""

    sender: str
    data: bytes
    message: PeerMessage


class Talk(NamedTuple):
    """All that two nodes say, and what comes of it."""

    nodes: dict[str, Node]
    steps: tuple[Step, ...]
    words: bytes
    """The word list."""
    raws: tuple[bytes, ...]
    """The log."""


@cache
def talk() -> Talk:
    """Let the two talk."""
    editions.register(EDITION)
    letters = EDITION.alphabet
    spelled = [[letters.index(letter) for letter in word] for word in WORDS]
    words = lexicon.build(letters, spelled)
    lexicon.register(lexicon.read(words))
    wire = _Wire()
    _agree(wire, lexicon.read(words).digest)
    _play(wire)
    raws = wire.match("Ann").ledger.raws(0)
    assert raws == wire.match("Bob").ledger.raws(0)
    wire.say("Bob", LeaveTable())
    wire.leave("Bob")
    return Talk(wire.nodes, tuple(wire.steps), words, raws)


def file(raws: tuple[bytes, ...]) -> bytes:
    """Return a log as a match file, which must be good."""
    data = MAGIC + b"".join(map(frame, raws))
    verdict = verify(data)
    assert verdict.ok, verdict.reason
    assert verdict.audit == "ok", verdict.audit
    return data


# What the players do.


def _agree(wire: "_Wire", words: str) -> None:
    """Let Bob call too soon, then again, and fetch what he lacks; Ann starts."""
    wire.say("Bob", Join(PLACES["Ann"]))
    wire.greet()
    seats = ("person", "remote")
    wire.say("Ann", table("networdz", *seats, edition=EDITION.digest, words=words))
    wire.say("Bob", Join(PLACES["Ann"]))
    wire.say("Bob", Say("Hello Ann"))
    wire.wait(5.0)
    wire.say("Ann", StartMatch())


def _play(wire: "_Wire") -> None:
    """Play until the rules end the match; Bob tries a move out of turn first."""
    tried = False
    for _ in range(MOST):
        host = wire.match("Ann")
        turns = host.on_turn()
        if not turns:
            return
        if not tried and turns == [0]:
            tried = True
            wire.put("Bob", _out_of_turn(wire))
        seat = turns[0]
        name = ("Ann", "Bob")[seat]
        view = wire.match(name).seats.view(seat).state
        wire.wait(1.0)
        number = len(host.ledger.log)
        wire.say(name, Play(seat, pack(_best(view, seat)), number))


def _best(view: networdz.State, seat: int) -> networdz.Move:
    """Return the play with most points, or an exchange, or a pass."""
    plays = list(networdz.lays(view, seat))
    if plays:
        return max(plays, key=lambda play: networdz.judge_lay(view, play).points)
    return networdz.Pass(())


def _out_of_turn(wire: "_Wire") -> Submit:
    """Return what a node sends that does not look whose turn it is."""
    match, node = wire.match("Bob"), wire.nodes["Bob"]
    log = match.ledger.log
    state = match.fold.digest()
    body = pack(Turn(1, log.head, state, pack(networdz.Pass(())), ()))
    own = log.own(node.key)
    signature = node.signer.sign(author_data(log.match, own, body))
    return Submit(log.match, own, body, signature)


class _Wire:
    """The link between the two, and a clock that stands while they talk."""

    def __init__(self) -> None:
        self.nodes: Final = {name: Node(name) for name in ("Ann", "Bob")}
        self.nodes["Bob"].shelf = Bare()
        self.nodes["Bob"].restart(0.0)
        self.now = 0.0
        self.links: Final[dict[str, Link]] = {}
        self.queue: Final[deque[tuple[str, bytes]]] = deque()
        self.steps: Final[list[Step]] = []
        self._asked = 0

    def match(self, name: str) -> Match:
        """Return a node's match."""
        match = self.nodes[name].match
        assert match is not None
        return match

    def greet(self) -> None:
        """Let Bob dial Ann: TLS is done, both say Hello."""
        for name, number in (("Bob", 2), ("Ann", 1)):
            nonce, port = bytes([number]) * 32, 4769 + number
            hello = Hello(VERSIONS, FEATURES, name, "example 1", port, nonce)
            self.links[name] = Link(hello, lambda _: None, self.now)
        self.settle()

    def say(self, name: str, question: Any) -> None:  # noqa: ANN401 (any question)
        """Let a player do something, and both talk about it."""
        self._asked += 1
        node = self.nodes[name]
        answer = node.tables.ask(1, Request(self._asked, question), self.now)
        assert not hasattr(answer, "code"), answer
        self.settle()

    def put(self, name: str, message: Submit) -> None:
        """Let a node send what its tables would not."""
        self.links[name].out.append(encode(message))
        self.settle()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
        self._wake()
        self.settle()

    def leave(self, name: str) -> None:
        """End the link."""
        self.links[name].close(None, "", self.now)
        self.settle()

    def settle(self) -> None:
        """Carry frames until both have nothing more to say."""
        quiet = False
        while not quiet:
            while self._collect():
                sender, data = self.queue.popleft()
                message = decode(Frame(data[4], data[5:]))
                assert message is not None
                self.steps.append(Step(sender, data, message))
                self._deliver(_other(sender), data)
            self.now = round(self.now + 0.01, 3)  # so long may a sync wait
            self._wake()
            quiet = not self._collect()

    def _wake(self) -> None:
        """Do what is due."""
        for name, node in self.nodes.items():
            node.tables.wake(self.now)
            if name in self.links:
                self.links[name].wake(self.now)

    def _collect(self) -> bool:
        """Queue what both have to say; return whether anything waits."""
        for name, link in self.links.items():
            node = self.nodes[name]
            for out in node.tables.take_outgoing():
                link.out.append(encode(out.message))
            node.tables.take_pushes()
            reader = FrameReader(1 << 20)
            reader.feed(link.take_bytes())
            while (found := reader.next()) is not None:
                length = (len(found.payload) + 1).to_bytes(4, "big")
                data = length + bytes([found.kind]) + found.payload
                self.queue.append((name, data))
        return bool(self.queue)

    def _deliver(self, name: str, data: bytes) -> None:
        """Let a node take a frame."""
        for event in self.links[name].receive(data, self.now):
            self._act(name, event)

    def _act(self, name: str, event: Event) -> None:
        """Let a node take what a link has to tell."""
        tables, other = self.nodes[name].tables, _other(name)
        key = self.nodes[other].key
        match event:
            case Opened():
                tables.peer_up(key, other, PLACES[other], self.now)
            case Got(message):
                tables.receive(key, message, self.now)
            case _:
                tables.peer_down(key, self.now)


def _other(name: str) -> str:
    """Return who is at the other end."""
    return "Bob" if name == "Ann" else "Ann"


# The vectors.


def transcript() -> dict[str, Any]:
    """Return the vectors."""
    said = talk()
    edition = editions.encode(EDITION)
    return {
        "keys": [
            {"name": name, "seed": node.signer.seed.hex(), "public": node.key.hex()}
            for name, node in said.nodes.items()
        ],
        "edition": edition.hex(),
        "words": said.words.hex(),
        "steps": [
            {
                "number": number,
                "from": step.sender,
                "message": type(step.message).__name__,
                "frame": step.data.hex(),
            }
            for number, step in enumerate(said.steps, 1)
        ],
        "file": file(said.raws).hex(),
    }
