"""What holds of who looks on, whatever happened before: as members and ushers know it.

The tests play the others themselves, and read what is said as protocol.md (section 13)
has it.
"""

from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from netplay.fingerprint import fingerprint
from netplay.limits import DIRECT, LEVELS, TICKET_SECONDS
from netplay.messages.table import (
    BYSTANDERS,
    Admit,
    Attend,
    Beat,
    Beyond,
    Bystander,
    Bystanders,
    Decline,
    Passed,
    PassOn,
    Ticket,
)
from netplay.messages.table_questions import AnswerWatcher, LetWatch
from netplay.sentences import Says
from netplay.table.passing import AGAIN_SECONDS
from tests.netplay.joined_nodes import Net
from tests.netplay.table.test_bystanders import two

PEOPLE = [bytes([n]) * 32 for n in range(1, 12)]
"""Who looks on, or would like to."""


def name(key: bytes) -> str:
    return f"w{PEOPLE.index(key):02}"


class Told:
    """Bob's computer, and what ann's tells it of who looks on there."""

    def __init__(self) -> None:
        self.net = Net("ann", "bob")
        two(self.net)
        self.match = self.net["bob"].match.match
        self.here = dict[bytes, bool]()
        """Who is there at ann's -> whether they watch."""
        self.beyond = set[bytes]()
        self.said = dict[bytes, bool]()
        """What bob has said of each."""
        self.lines = Counter[str]()

    @property
    def watching(self) -> set[bytes]:
        return {key for key, watches in self.here.items() if watches} | self.beyond

    def tell(self, *messages: Bystanders | Beyond) -> None:
        for message in messages:
            self.net["bob"].tables.receive(self.net["ann"].key, message, self.net.now)

    def listed(self) -> Bystanders:
        some = tuple(Bystander(k, name(k), w) for k, w in sorted(self.here.items()))
        return Bystanders(self.match, some, (), ())

    def sent_on(self, *keys: bytes) -> Beyond:
        some = tuple(Bystander(key, name(key), True) for key in keys)
        return Beyond(self.match, some, ())

    def act(self, what: str, key: bytes) -> None:
        before, match, wanted = self.watching, self.match, key not in self.said
        self.net.now += 1000.0  # however often: no line is left out
        there, beyond = key in self.here, key in self.beyond
        match what:
            case "asks" if not there and not beyond and len(self.here) < BYSTANDERS:
                self.here[key] = False
                self.tell(self.listed())
                self.lines[str(Says.WOULD_WATCH(name=name(key)))] += wanted
            case "lets" if there and self.said.get(key):
                self.here[key] = True
                self.tell(self.listed())
            case "sends" if there and self.said.get(key):
                del self.here[key]
                self.beyond.add(key)
                self.tell(self.sent_on(key))
            case "places" if beyond and len(self.here) < BYSTANDERS:
                self.beyond.remove(key)
                self.here[key] = True
                self.tell(self.listed(), Beyond(match, (), (key,)))
            case "goes" if there:
                del self.here[key]
                self.tell(self.listed())
            case "goes" if beyond:
                self.beyond.remove(key)
                self.tell(Beyond(match, (), (key,)))
            case "allows" | "refuses" if there or beyond:
                self.answer(key, allow=what == "allows")
            case "cut":
                self.net.cut("ann", "bob")
                status = self.net.status("bob")
                assert (status.watchers, status.asking) == ((), ())
                self.net.settle()
                before = set()
                self.tell(self.listed(), *[self.sent_on(k) for k in self.beyond])
            case _:
                pass
        for gone in before - self.watching:
            self.lines[str(Says.WATCHES_NO_LONGER(name=name(gone)))] += 1
        for come in self.watching - before:
            self.lines[str(Says.WATCHES(name=name(come)))] += 1

    def answer(self, key: bytes, *, allow: bool) -> None:
        self.net["bob"].tables.take_outgoing()
        self.net.done("bob", AnswerWatcher(allow, fingerprint(key)))
        said = [out.message for out in self.net["bob"].tables.take_outgoing()]
        assert Admit(self.match, key, allow) in said
        self.said[key] = allow
        if not allow:  # ann shows it out
            self.here.pop(key, None)
            gone = [key] if key in self.beyond else []
            self.beyond -= {key}
            self.tell(self.listed(), *[Beyond(self.match, (), (k,)) for k in gone])

    def compare(self) -> None:
        status = self.net.status("bob")
        assert {*map(str, status.watchers)} == {*map(name, self.watching)}
        assert status.watched == len(self.watching)
        asking = {k for k, watches in self.here.items() if not watches}
        assert {str(who) for _, who in status.asking} == {
            name(key) for key in asking - self.said.keys()
        }
        self.net["bob"].pushes += self.net["bob"].tables.take_pushes()
        heard = Counter(self.net["bob"].lines("system"))
        kinds = Says.WOULD_WATCH, Says.WATCHES, Says.WATCHES_NO_LONGER
        for key in PEOPLE:
            for kind in kinds:
                line = str(kind(name=name(key)))
                assert heard[line] == self.lines[line], line


TELLS = ("asks", "asks", "lets", "sends", "places", "goes", "allows", "refuses")
TOLD = st.tuples(
    st.sampled_from((*TELLS, "allows", "cut")), st.sampled_from(PEOPLE[:4])
)
ONE = [(what, PEOPLE[0]) for what in ("asks", "allows", "lets", "sends")]


@given(acts=st.lists(TOLD, max_size=30))
@example(acts=[*ONE, ("goes", PEOPLE[0]), ONE[0], ONE[2], ("goes", PEOPLE[0])])
@example(acts=[ONE[0], ("goes", PEOPLE[0]), ONE[0], ONE[1], ("cut", PEOPLE[0])])
@example(acts=[*ONE, ("places", PEOPLE[0]), ONE[3], ("refuses", PEOPLE[0]), ONE[0]])
@settings(max_examples=15, deadline=None)
def test_a_member_is_told_of_each_who_asks_watches_or_has_gone_elsewhere(
    acts: list[tuple[str, bytes]],
) -> None:
    told = Told()
    for what, key in acts:
        told.act(what, key)
        told.compare()


class Ushered:
    """Ann's computer, and what it says to those who would look on; bob says no word."""

    def __init__(self) -> None:
        self.net = Net("ann", "bob")
        two(self.net)
        self.tables, self.bob = self.net["ann"].tables, self.net["bob"].key
        self.match = self.net["ann"].match.match
        self.net.done("ann", LetWatch("anybody"))
        # Of those who play with ann elsewhere every line is shown.
        self.tables.shared.fellows[b"another"] = frozenset(PEOPLE)
        self.net.settle()
        self.here = dict[bytes, bool]()
        """Who is at ann's -> whether they watch."""
        self.parents = dict[bytes, bytes]()
        """Who was sent on -> to whom."""
        self.sent_at = dict[bytes, float]()
        self.arrived = set[bytes]()
        self.said = dict[bytes, bool]()
        """What bob has said of each."""
        self.left = dict[bytes, set[bytes]]()
        """Who has come back from whom, or left it."""
        self.beats = dict[bytes, Beat]()
        """Who is at ann's -> the last they were told."""
        self.out = dict[bytes, int]()
        """Who may watch no longer -> up to which Beat that has to stand there."""
        self.answered = set[bytes]()
        self.listed, self.beyond = dict[bytes, bool](), set[bytes]()
        """What bob was told."""
        self.lines = Counter[str]()

    @property
    def watching(self) -> set[bytes]:
        return {k for k, watches in self.here.items() if watches} | {*self.parents}

    @staticmethod
    def passes(key: bytes) -> int:
        """Return to how many somebody would pass on."""
        return PEOPLE.index(key) % 5

    def way(self, key: bytes) -> list[bytes]:
        """Return over whom somebody watches, ann's first; empty, there is no way."""
        found = [key]
        while found[0] in self.parents:
            found.insert(0, self.parents[found[0]])
        return found if self.here.get(found[0]) else []

    def says(self, key: bytes, message: Attend | PassOn | Admit | Passed) -> None:
        self.tables.receive(key, message, self.net.now)

    def act(self, what: str, key: bytes) -> None:
        before = self.watching
        self.net.now += 2 * AGAIN_SECONDS
        there, below, way = key in self.here, key in self.parents, self.way(key)
        match what:
            case "comes":
                self.come(key)
            case "allowed" | "refused" if there or below:
                self.said[key] = what == "allowed"
                self.says(self.bob, Admit(self.match, key, self.said[key]))
                if below and not self.said[key]:
                    self.forget(key)
                    last = max(beat.number for beat in self.beats.values())
                    self.out[key] = last + TICKET_SECONDS
            case "goes" if there:
                self.forget(key)
                self.tables.peer_down(key, self.net.now)
            case "goes" | "arrives" if below and way:
                here, parent = what == "arrives", self.parents[key]
                if here:
                    self.arrived.add(key)
                else:
                    self.forget(key)
                    self.left.setdefault(key, set()).add(parent)
                self.says(way[0], Passed(self.match, key, parent, here))
            case "waits":
                self.net.now += 5.0 * PEOPLE.index(key)
                self.tables.wake(self.net.now)
            case _:
                pass
        self.hear()
        assert what != "comes" or key in self.answered
        for gone in before - self.watching:
            self.lines[str(Says.WATCHES_NO_LONGER(name=name(gone)))] += 1
        for come in self.watching - before:
            self.lines[str(Says.WATCHES(name=name(come)))] += 1

    def come(self, key: bytes) -> None:
        """Ask to watch, for the first time or again."""
        if key in self.parents:
            if self.way(key):
                self.left.setdefault(key, set()).add(self.parents[key])
            del self.parents[key]
            self.arrived.discard(key)
        self.tables.peer_up(key, name(key), f"{name(key)}:1", self.net.now)
        if most := self.passes(key):
            self.says(key, PassOn(self.match, most))
        self.says(key, Attend(self.match))

    def forget(self, key: bytes) -> None:
        self.here.pop(key, None)
        self.parents.pop(key, None)
        self.arrived.discard(key)
        for some in self.left.values():
            some.discard(key)  # it may be trusted anew

    def hear(self) -> None:
        """Read what ann's computer has said: where people are first."""
        some = [
            (key, out.message)
            for out in self.tables.take_outgoing()
            for key in out.keys
        ]
        kinds = Bystanders | Decline | Ticket
        self.answered = {key for key, message in some if isinstance(message, kinds)}
        for key in [key for key, message in some if isinstance(message, Ticket)]:
            self.out.pop(key, None)
        for key, message in some:
            match message:
                case Bystanders() if key == self.bob:
                    self.listed = {b.key: b.watches for b in message.bystanders}
                case Beyond() if key == self.bob:
                    self.beyond |= {one.key for one in message.come}
                    for one in message.come:  # and he knows who was sent on from there
                        self.listed.pop(one.key, None)
                    self.beyond -= {*message.gone}
                case Bystanders(bystanders=(one,)):
                    assert one.key == key
                    assert self.said.get(key) or not one.watches
                    self.here[key] = one.watches
                case Beat():
                    self.beats[key], at = message, message.number
                    out = {one for one, until in self.out.items() if until >= at}
                    assert out <= {*message.out}
                case Decline():
                    self.forget(key)
                case _:
                    pass
        for key, message in some:
            if isinstance(message, Ticket):
                self.sent(key, message)
        for key in self.parents.keys() - self.beyond:
            late = self.net.now >= self.sent_at[key] + TICKET_SECONDS
            assert not self.way(key) or (late and key not in self.arrived)
            self.forget(key)

    def sent(self, key: bytes, ticket: Ticket) -> None:
        """Read a ticket: it leads to one who can let somebody in, and knows of it."""
        parent = ticket.parent
        way = self.way(parent)
        assert (ticket.key, ticket.address) == (key, f"{name(parent)}:1")
        assert self.said[key]
        assert way
        assert key not in way
        assert len(way) <= LEVELS
        assert [*self.parents.values()].count(parent) < self.passes(parent)
        assert parent not in self.left.get(key, ())
        assert list(self.here.values()).count(True) >= DIRECT
        if parent in self.here:
            assert ticket.until == self.beats[parent].number + TICKET_SECONDS
        assert key not in self.beats[way[0]].out  # or its parent turns it away
        self.here.pop(key, None)
        self.parents[key], self.sent_at[key] = parent, self.net.now
        self.tables.peer_down(key, self.net.now)  # it says goodbye

    def compare(self) -> None:
        status = self.net.status("ann")
        assert {*map(str, status.watchers)} == {*map(name, self.watching)}
        assert status.asking == ()
        if len(self.here) <= BYSTANDERS:
            assert self.listed == self.here
        assert self.beyond == self.parents.keys()
        self.net["ann"].pushes += self.tables.take_pushes()
        heard = Counter(self.net["ann"].lines("system"))
        for key in PEOPLE:
            for kind in (Says.WATCHES, Says.WATCHES_NO_LONGER):
                line = str(kind(name=name(key)))
                assert heard[line] == self.lines[line], line


COMES = ("comes", "comes", "allowed", "allowed", "arrives", "goes", "waits")
USHERED = st.tuples(st.sampled_from((*COMES, "refused")), st.sampled_from(PEOPLE))


@given(count=st.integers(0, 11), acts=st.lists(USHERED, max_size=20))
@example(count=8, acts=[("comes", PEOPLE[6])])
@example(count=9, acts=[("arrives", key) for key in PEOPLE])
@example(count=11, acts=[("waits", PEOPLE[10])] * 3)
@example(count=6, acts=[("refused", PEOPLE[4]), ("comes", PEOPLE[1])])
@example(count=6, acts=[("refused", PEOPLE[4])] + [("waits", PEOPLE[10])] * 2)
@settings(max_examples=15, deadline=None)
def test_who_is_sent_on_finds_a_place_there_and_all_are_told_where_everybody_is(
    count: int, acts: list[tuple[str, bytes]]
) -> None:
    ushered = Ushered()
    crowd = [(what, key) for key in PEOPLE[:count] for what in ("comes", "allowed")]
    for what, key in [*crowd, *acts]:
        ushered.act(what, key)
        ushered.compare()
