"""Mutated frames: from strangers, from members of a match, through the door."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from netplay.errors import PeerError
from netplay.finding.places import useful
from netplay.limits import DOOR_FRAME_BYTES
from netplay.messages import door
from netplay.messages.link import Places, ReachMessage
from netplay.messages.table_questions import HandSeat, Vote
from netplay.peering.link import Closed, End, Got, Link, State
from netplay.wire import (
    FROM_NODE,
    KINDS,
    TO_NODE,
    Frame,
    FrameReader,
    decode_from_node,
    decode_to_node,
    encode,
)
from tests.fuzz.cheats import SIGNERS, plain
from tests.fuzz.mutation import Mutator, pack, unpack
from tests.fuzz.tally import Tally
from tests.fuzz.worlds import MAKERS, STRANGER, World, framed
from tests.netplay.joined_nodes import Node
from tests.netplay.pair import Pair, anybody, hello
from tools.protocol.examples import MESSAGES

NUMBERS: Final = {kind.__name__: number for number, kind in KINDS.items()}
EXAMPLES: Final[list[tuple[int, Any]]] = [
    (NUMBERS[kind.__name__], unpack(framed(encode(message)).payload))
    for kind, messages in MESSAGES.items()
    for message in messages
]
CHEATS: Final = ("Entries", "Entries", "Entries", "Submit", "Submit", "Submit", "Chat")

FRAMES_A_WORLD: Final = 400
"""Before another world is made."""

FRAMES_A_MOMENT: Final = 40
"""Before the nodes of a world go on."""


class Strangers:
    """Frames on links that are not open, and those of the link itself on open ones."""

    def __init__(self, mutator: Mutator, tally: Tally) -> None:
        self.mutator: Final = mutator
        self.tally: Final = tally
        self.now = 0.0

    def one(self) -> None:
        """Send a frame to a link in some state, in one or two pieces."""
        rng, mutator = self.mutator.rng, self.mutator
        link = self._link(rng.randrange(3))
        kind, tree = rng.choice(EXAMPLES[:14] if mutator.often(0.7) else EXAMPLES)
        data = mutator.frame(kind, tree, sorted(KINDS))
        at = rng.randint(0, len(data))
        with self.tally.one(f"a link that is {link.state.name}", data):
            events = link.receive(data[:at] or data, self.now)
            events += link.receive(data[at:], self.now) if 0 < at < len(data) else []
            link.take_bytes()
            link.wake(self.now + 1)
            for event in events:
                if isinstance(event, Closed) and event.end is End.OURS:
                    assert event.code
                    raise PeerError(event.code)
            assert link.state is not State.NEW

    def _link(self, state: int) -> Link:
        """Return a link that has said Hello, has welcomed, or is open."""
        if state == 2:
            return Pair().opened().second
        link = Link(hello(2), anybody, self.now)
        if state == 1:
            link.receive(encode(hello(1)), self.now)
        return link


class Members:
    """Messages on open links, to nodes with a table or match in hand."""

    def __init__(self, mutator: Mutator, tally: Tally) -> None:
        self.mutator: Final = mutator
        self.tally: Final = tally
        self.world: World | None = None
        self.left = 0

    def one(self) -> None:
        """Let a member or a stranger send the target a message."""
        world = self._world()
        if self.mutator.often(0.5):
            kind, tree, sender = self._cheat(world)
        else:
            kind, tree, sender = self._message(world)
            tree = self._changed(world, kind, tree, sender)
        data = self.mutator.frame(kind, tree, sorted(KINDS))
        if self.mutator.often(0.8):  # what was changed and signed, as it is
            payload = pack(tree)
            head = (len(payload) + 1).to_bytes(4, "big")
            data = head + bytes((kind,)) + payload
        self._receive(world, sender, data)

    def _cheat(self, world: World) -> tuple[int, Any, str]:
        """Return a well signed message of a log, and a member who says it."""
        rng = self.mutator.rng
        names = set(world.net.nodes) - {world.target, STRANGER}
        sender, name = rng.choice(sorted(names)), rng.choice(CHEATS)
        _, tree = next(each for each in EXAMPLES if each[0] == NUMBERS[name])
        target = world.net[world.target]
        tree = self._changed(world, NUMBERS[name], self._here(target, tree), sender)
        return NUMBERS[name], tree, sender

    def _world(self) -> World:
        """Return a world in which there is still something to attack."""
        self.left -= 1
        world = self.world
        if world is None or self.left < 0 or not world.alive:
            world = self.world = self.mutator.rng.choice(MAKERS)(self.mutator.rng)
            world.go_on()
            self.left = FRAMES_A_WORLD
        elif self.left % FRAMES_A_MOMENT == 0:
            world.go_on()
        return world

    def _message(self, world: World) -> tuple[int, Any, str]:
        """Return a message that makes sense here, and who says it."""
        rng = self.mutator.rng
        target = world.net[world.target]
        others = [name for name in world.net.nodes if name != world.target]
        sender = rng.choice(others)
        waiting, got = world.waiting(), target.got[-60:]
        if waiting and self.mutator.often(0.5):
            sender, frame = rng.choice(waiting)
            return frame.kind, unpack(frame.payload), sender
        if got and self.mutator.often(0.7):
            frame = framed(encode(rng.choice(got)))
            return frame.kind, unpack(frame.payload), sender
        kind, tree = rng.choice(EXAMPLES)
        return kind, self._here(target, tree), sender

    def _here(self, target: Node, tree: Any) -> Any:
        """Put the match in hand into an example of a message about one."""
        match = target.table.match
        if match is None or not isinstance(tree[0], bytes):
            return tree
        return [match.match, *tree[1:]]

    def _changed(self, world: World, kind: int, tree: Any, sender: str) -> Any:
        """Change a message and sign it again, as a cheat with a key would."""
        if self.mutator.often(0.4):
            return tree
        changed = self.mutator.tree(tree)
        sign = SIGNERS.get(KINDS[kind].__name__)
        if sign is None:
            return changed
        try:
            return sign(self.mutator, world, sender, tree)
        except (TypeError, ValueError, IndexError, AttributeError, OverflowError):
            return changed  # too far gone to be signed

    def _receive(self, world: World, sender: str, data: bytes) -> None:
        """Give bytes to the target, as its link to the sender would."""
        net, target = world.net, world.net[world.target]
        net.link(sender, world.target)
        key = net[sender].key
        link = Pair().opened().second
        link.trust(0.0)
        refused = False
        with self.tally.one(f"{world.target} from {sender}", data):
            refused = True
            for event in link.receive(data, 0.0):
                if isinstance(event, Got):
                    if isinstance(event.message, Places):
                        Counter(map(useful, event.message.places))
                    if not isinstance(event.message, ReachMessage):
                        target.tables.receive(key, event.message, net.now)
                elif isinstance(event, Closed) and event.end is End.OURS:
                    assert event.code
                    raise PeerError(event.code)
            refused = False
        self._drain(target, data)
        if refused and self.mutator.often(0.1):
            net.cut(sender, world.target)

    def _drain(self, target: Node, data: bytes) -> None:
        """See that what comes of it can be sent and shown; forget most of it."""
        with self.tally.one("what comes of it", data, fine="drained"):
            for out in target.tables.take_outgoing():
                encode(out.message)
            for push in target.tables.take_pushes():
                encode(push.message)
            if self.mutator.often(0.1):
                target.tables.table_status(0.0)
                target.tables.wants_dial()
            target.pushes.clear()
            target.errors.clear()
            del target.got[:-100]
        self.tally.outcomes["drained"] -= 1


HARMLESS: Final[tuple[door.Question, ...]] = (
    door.SetName("Ann"),
    door.HostTable("numlo", ("person", "remote:there"), (("size", "8"),), "", ""),
    door.InviteTo(door.HostTable("numlo", ("person", "remote"), (), "", "")),
    door.ChangeTable(door.HostTable("networdz", ("computer:5", "remote"), (), "", "")),
    door.Answer(on=True),
    door.Call("there:4770", 1),
    door.Join("there", -1),
    door.Consent(accept=True, revision=2),
    door.StartMatch(),
    door.LeaveTable(),
    door.Play(0, b"\x92\xa5place\x05", 3),
    door.Watch(-1),
    door.Watch(1),
    door.LookBack(2),
    door.Earlier(b"m" * 32, 0, 500),
    door.Say("hello"),
    door.Hint(0),
    door.GetStatus(),
    Vote(),
    HandSeat(0, "bob"),
)
"""Questions that read and write no file of the user's."""

TO_TREES: Final = [
    plain(message)
    for message in (
        door.Knock(bytes(32), "0.1.0", pushes=True),
        *(door.Request(n, question) for n, question in enumerate(HARMLESS)),
        door.Request(99, door.Save("match.netplay")),
        door.Request(100, door.Load("match.netplay")),
        door.Request(101, door.Retry()),
        door.Request(102, door.StopNode()),
    )
]


class Visitors:
    """Frames at the door, and questions to nodes."""

    def __init__(self, mutator: Mutator, tally: Tally) -> None:
        self.mutator: Final = mutator
        self.tally: Final = tally
        self.world: World | None = None
        self.left = 0

    def one(self) -> None:
        """Knock, ask, or answer a window."""
        rng, mutator = self.mutator.rng, self.mutator
        if mutator.often(0.7):
            data = mutator.frame(TO_NODE, rng.choice(TO_TREES), (TO_NODE, FROM_NODE))
            with self.tally.one("the door", data):
                for frame in _cut(data):
                    self._ask(decode_to_node(frame))
            return
        data = mutator.frame(FROM_NODE, rng.choice(FROM_TREES), (TO_NODE, FROM_NODE))
        with self.tally.one("a window", data):
            for frame in _cut(data):
                decode_from_node(frame)

    def _ask(self, message: door.ToNode) -> None:
        """Let a node answer a question, if no file is named in it."""
        if not isinstance(message, door.Request):
            return
        question = message.ask
        if isinstance(question, door.ChangeTable):
            question = question.table
        if isinstance(question, door.Save | door.Load | door.Retry | door.StopNode):
            return
        if isinstance(question, door.HostTable) and question.edition + question.words:
            return
        self.left -= 1
        if self.world is None or self.left < 0:
            self.world, self.left = MAKERS[0](self.mutator.rng), FRAMES_A_WORLD
            self.world.go_on()
        node = self.world.net[self.world.target]
        answer = node.tables.ask(1, message, self.world.net.now)
        assert answer.id == message.id
        encode(answer)
        for out in node.tables.take_outgoing():
            encode(out.message)
        for push in node.tables.take_pushes():
            encode(push.message)


def _cut(data: bytes) -> Sequence[Frame]:
    """Return the whole frames in bytes."""
    reader = FrameReader(DOOR_FRAME_BYTES)
    reader.feed(data)
    found = []
    while (frame := reader.next()) is not None:
        found.append(frame)
    return found


def _from_trees() -> list[Any]:
    """Return what a node says to a window, of a match that is being played."""
    world = MAKERS[0](Random(1))
    world.go_on()
    node = world.net["ann"]
    node.tables.window_up(1)
    node.tables.ask(1, door.Request(1, door.Watch(-1)), world.net.now)
    table = node.tables.table_status(world.net.now)
    status = door.Status(
        "Ann", "ABCD", "0.1.0", ("10.0.0.1",), 1, "idle", (), table, (), ()
    )
    pushes = [push.message for push in node.tables.take_pushes()]
    some = [door.Done(1, "x", b"y"), door.Failed(2, 3, "no"), door.Line("a", "b", 1)]
    return [plain(message) for message in (status, *pushes, *some)]


FROM_TREES: Final = _from_trees()


class Frames:
    """Frames of all kinds."""

    def __init__(self, seed: int, tally: Tally) -> None:
        rng = Random(seed)
        mutator = Mutator(rng)
        self._rng: Final = rng
        strangers = Strangers(mutator, tally)
        members, visitors = Members(mutator, tally), Visitors(mutator, tally)
        self._sources: Final = (
            *(strangers.one,) * 3,
            *(members.one,) * 5,
            *(visitors.one,) * 2,
        )

    def one(self) -> None:
        """Send one more."""
        self._rng.choice(self._sources)()
