"""Whatever links come and go, all at a table get all chat, once and in order."""

from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.limits import CHAT_SECONDS
from netplay.messages.door import Answer, Done, LeaveTable, Load, Say, StartMatch
from netplay.messages.table import Chat, Heard
from netplay.wanted import PeerMessage
from tests.netplay.joined_nodes import Net, table

NAMES = ("ann", "bob", "cyd")
PAIRS = (("ann", "bob"), ("ann", "cyd"), ("bob", "cyd"))


class Torn(Net):
    """A net in which one pair may never have a link."""

    apart: frozenset[str] = frozenset()

    def link(self, a: str, b: str) -> None:
        if frozenset((a, b)) != self.apart:
            super().link(a, b)


def playing() -> Torn:
    """Return three at a table, in a match."""
    net = Torn(*NAMES)
    for guest in NAMES[1:]:
        net.done(guest, Answer(on=True))
    size = (("size", "8"),)
    seats = [f"remote:{guest}" for guest in NAMES[1:]]
    net.done("ann", table("numlo", "person", *seats, options=size))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    return net


class Chatter:
    """What is done to the table, and what was said at it."""

    def __init__(self, net: Torn, rng: Random) -> None:
        self.net = net
        self.rng = rng
        self.said: dict[str, list[str]] = {name: [] for name in NAMES}

    def say(self) -> None:
        name = self.rng.choice(NAMES)
        text = f"{name} {len(self.said[name])}"
        self.net.now += CHAT_SECONDS
        assert isinstance(self.net.ask(name, Say(text)), Done)
        self.said[name].append(text)

    def cut(self) -> None:
        self.net.cut(*self.rng.choice(PAIRS))

    def link(self) -> None:
        self.net.link(*self.rng.choice(PAIRS))

    def deliver(self) -> None:
        for _ in range(self.rng.randrange(12)):
            self.net.deliver()

    def restart(self) -> None:
        """Let a node end after what it said has left it, and come back."""
        self.deliver()
        name = self.rng.choice(NAMES)
        self.net.isolate(name)
        self.net[name].restart(self.net.now)

    def heard(self, name: str, author: str) -> list[str]:
        """Return what a node has of an author's lines."""
        talk = self.net[name].chat.talk
        key = self.net[author].key
        return [line.text for line in talk.said() if line.author == key]


def play(steps: list[str], apart: tuple[str, str] | None, seed: int) -> Chatter:
    """Let things happen, then let everybody come together again."""
    net = playing()
    chatter = Chatter(net, Random(seed))
    if apart is not None:
        net.cut(*apart)
        net.apart = frozenset(apart)
    acts: dict[str, Callable[[], None]] = {
        "say": chatter.say,
        "cut": chatter.cut,
        "link": chatter.link,
        "deliver": chatter.deliver,
        "restart": chatter.restart,
    }
    for step in steps:
        acts[step]()
    net.settle()
    return chatter


@settings(max_examples=25)
@given(
    steps=st.lists(
        st.sampled_from(["say", "say", "cut", "link", "deliver"]), max_size=30
    ),
    apart=st.one_of(st.none(), st.sampled_from(PAIRS)),
    seed=st.integers(0, 10_000),
)
def test_chat_is_never_lost_doubled_or_reordered_by_a_reconnect(
    steps: list[str], apart: tuple[str, str] | None, seed: int
) -> None:
    chatter = play(steps, apart, seed)
    for name in NAMES:
        shown = chatter.net[name].lines("chat")
        for author, lines in chatter.said.items():
            assert [text for text in shown if text.startswith(author)] == lines
    assert not any(chatter.net[name].errors for name in NAMES)


@settings(max_examples=15)
@given(
    steps=st.lists(
        st.sampled_from(["say", "cut", "link", "deliver", "restart"]), max_size=30
    ),
    apart=st.one_of(st.none(), st.sampled_from(PAIRS)),
    seed=st.integers(0, 10_000),
)
def test_chat_that_left_its_author_is_not_lost_by_a_crash(
    steps: list[str], apart: tuple[str, str] | None, seed: int
) -> None:
    chatter = play(steps, apart, seed)
    for author in NAMES:
        lines = chatter.heard(author, author)
        assert [text for text in chatter.said[author] if text in lines] == lines
        assert {tuple(chatter.heard(name, author)) for name in NAMES} == {tuple(lines)}


def test_a_line_is_passed_on_to_who_has_no_link_to_its_author() -> None:
    chatter = play(["say"] * 9, ("ann", "cyd"), 1)
    lines = [sorted(chatter.net[name].lines("chat")) for name in NAMES]
    assert lines[0] == lines[1] == lines[2]
    assert len(lines[0]) == 9


def test_each_time_the_first_word_is_lost_it_is_asked_for_again() -> None:
    net = playing()
    net.part("ann", "cyd")
    net.part("bob", "cyd")
    heard, receive = list[Heard](), net["bob"].tables.receive

    def deaf_at_first(key: bytes, message: PeerMessage, now: float) -> None:
        if isinstance(message, Heard):
            heard.append(message)
        if not isinstance(message, Heard) or len(heard) > 2:
            receive(key, message, now)

    vars(net["bob"].tables)["receive"] = deaf_at_first
    for round_ in range(3):
        net.part("ann", "bob")
        net.done("bob", Say(f"line {round_}"))
        net.apart.remove(frozenset(("ann", "bob")))
        heard.clear()
        net.settle()
        assert net["ann"].lines("chat") == [f"line {n}" for n in range(round_ + 1)]


def test_what_was_said_before_its_author_left_comes_once_it_goes_on() -> None:
    net = Net("ann", "bob")
    net.start("bob", computers=False)
    net.part("ann", "bob")
    net.done("ann", Say("later"))
    seen = len(net["bob"].came)
    net.apart.clear()
    net.link("ann", "bob")
    while ("ann", Heard) not in net["bob"].came[seen:]:
        net.deliver()
    net.done("ann", LeaveTable())
    net.settle()
    assert net["bob"].lines("chat") == []
    net.now += 10
    net.done("ann", Load(""))
    net.settle()
    assert net["bob"].lines("chat") == ["later"]


def test_what_was_heard_before_the_match_is_known_to_be_there_in_it() -> None:
    net = Net("ann", "bob")
    net.done("bob", Answer(on=True))
    net.done("ann", table("numlo", "person", "remote:bob", options=(("size", "8"),)))
    net.settle()
    net.done("ann", Say("shall we?"))
    net.settle()
    assert net.status("ann").made.lines == 1

    net.done("ann", StartMatch())
    net.cut("ann", "bob")  # before anybody can say again what has come
    assert net.status("ann").made.lines == 1


def test_who_asks_for_all_that_was_said_again_and_again_gets_it_seldom() -> None:
    """Forty bytes would have all lines sent, ten thousand times a second."""
    net = playing()
    for number in range(60):
        net.now += CHAT_SECONDS
        net.done("ann", Say(f"line {number}"))
    net.settle()
    asks = Heard(net["ann"].table.nonce, (), asks=True)
    ann, bob = net["ann"].tables, net["bob"].key

    def lines(times: int) -> int:
        for _ in range(times):
            ann.receive(bob, asks, net.now)
        return sum(isinstance(one.message, Chat) for one in ann.take_outgoing())

    assert lines(20) == 20 * 60  # links may come and go
    assert lines(2000) <= 10_000
    net.now += 60.0
    assert lines(1) == 60
