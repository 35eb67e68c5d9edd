"""What a line that has stalled keeps back goes round it, where a game hurries."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.match import relaying
from netplay.match.match import Match
from netplay.match.realtime import STRETCHES_AHEAD
from netplay.match.relaying import LATE_SECONDS, _Growth
from netplay.messages.door import Play
from netplay.messages.log import Entries, Submit, Ticks
from netplay.record.log import read_body
from netplay.record.ticking import INPUTS_A_STRETCH
from netplay.wanted import Outgoing
from netplay.wire import Frame, decode, encode, pack
from rules.game import Resign
from rules.hexcolumns import Shift
from tests.netplay.match.matches import NUMLO, ready
from tests.netplay.slow_lines import SlowNet

NAMES = "ann", "bob", "cid"


class Stalling(SlowNet):
    """Lines of which some bring nothing while they stall, and everything afterwards."""

    def __init__(self, *names: str) -> None:
        super().__init__(*names)
        self.stalled: set[tuple[str, str]] = set()
        self.waiting: list[tuple[str, str, Any]] = []
        self.handed: list[tuple[str, str, Any]] = []
        """(from, to, message) that went round a line."""

    def deliver(self) -> bool:
        for name, node in self.nodes.items():
            for out in node.tables.take_outgoing():
                for key in out.keys:
                    to = self.name_of(key)
                    self._note(name, to, out.message)
                    self.waiting.append((name, to, out.message))
            node.pushes.clear()
        going = [e for e in self.waiting if (e[0], e[1]) not in self.stalled]
        self.waiting = [e for e in self.waiting if (e[0], e[1]) in self.stalled]
        for name, to, message in going:
            data = encode(message)
            self[to].tables.receive(
                self[name].key, decode(Frame(data[4], data[5:])), self.now
            )
        return bool(going)

    def _note(self, name: str, to: str, message: Any) -> None:
        if isinstance(message, Entries) and name != "ann" and message.entries:
            self.handed.append((name, to, message))
        if isinstance(message, Submit) and to != "ann":
            self.handed.append((name, to, message))


@pytest.fixture
def net() -> Iterator[Stalling]:
    one = Stalling(*NAMES)
    one.begin()
    one.pass_time(1)
    one.handed.clear()
    yield one
    one.close()


def playing(net: Stalling, name: str) -> Match:
    """Return a node's match."""
    return net[name].match


def entries(net: Stalling, name: str) -> int:
    match = playing(net, name)
    return match.fold.number


def ticks(net: Stalling, name: str, seat: int) -> int:
    match = playing(net, name)
    return match.fold.ticks[seat]


def test_where_all_lines_are_well_nothing_goes_round(net: Stalling) -> None:
    net.pass_time(5, Random(1))
    assert net.handed == []


@pytest.mark.parametrize(("behind", "helper"), [("bob", "cid"), ("cid", "bob")])
def test_entries_come_from_another_member_while_the_host_s_line_stands(
    net: Stalling, behind: str, helper: str
) -> None:
    net.stalled = {("ann", behind)}
    for _ in range(20):
        net.pass_time(0.25, Random(1))
        late = ticks(net, "ann", 0) - ticks(net, behind, 0)
        assert late / 30 < LATE_SECONDS + 1.0
    ways = {(name, to) for name, to, m in net.handed if isinstance(m, Entries)}
    assert ways == {(helper, behind)}
    net.stalled = set()
    net.pass_time(1, Random(1))  # all that stood comes now, and changes nothing
    assert entries(net, behind) == entries(net, helper)
    net.handed.clear()
    net.pass_time(3, Random(1))
    assert net.handed == []


def test_stretches_come_to_the_host_by_another_member(net: Stalling) -> None:
    net.stalled = {("bob", "ann")}
    for _ in range(20):
        net.pass_time(0.25, Random(1))
        ahead = shown(net, "bob", 1) - ticks(net, "ann", 1)
        assert ahead / 30 < LATE_SECONDS + 1.0
    assert any(isinstance(m, Submit) for *_way, m in net.handed)
    net.stalled = set()
    net.pass_time(2, Random(1))
    assert len({entries(net, name) for name in NAMES}) == 1


def stretch(net: Stalling) -> Submit:
    """Return a stretch of Bob's that is on its way, and does not arrive."""
    net.stalled = {("bob", "ann")}
    net.pass_time(0.5)
    match = playing(net, "bob")
    first = match.submitting.asked()[0]
    assert isinstance(read_body(first.body), Ticks)
    return first


def receive(net: Stalling, at: str, by: str, message: Any) -> None:
    """Let a node take a message."""
    net[at].tables.receive(net[by].key, message, net.now)


def handed_on(
    net: Stalling, submit: Submit, after: float = 2 * LATE_SECONDS
) -> list[Any]:
    """Return the submits that Cid hands to the host after a while, Bob having sent one.

    Everything else that Cid knows of is forgotten before.
    """
    match = playing(net, "cid")
    match.parts.early_stretches.restart()
    receive(net, "cid", "bob", submit)
    effects = match.stalled.wake(net.now + after, slow=True)
    return [
        effect.message
        for effect in effects
        if isinstance(effect, Outgoing) and isinstance(effect.message, Submit)
    ]


def test_a_stretch_is_handed_on_when_it_is_late_and_no_sooner(net: Stalling) -> None:
    good = stretch(net)
    assert handed_on(net, good, 0.9 * LATE_SECONDS) == []
    assert handed_on(net, good, 1.1 * LATE_SECONDS) == [good]


def test_what_was_there_at_a_moment_is_remembered_until_there_is_less() -> None:
    growth = _Growth()
    assert [growth.note(n, now) for now, n in enumerate((3, 5, 5, 9))] == [False] * 4
    assert [growth.at(now) for now in (-1, 0, 1, 2, 3, 9)] == [0, 3, 5, 5, 9, 9]
    assert growth.note(7, 4.0)  # another history, although longer than the first look
    assert [growth.at(now) for now in (3, 4)] == [0, 7]
    assert not growth.note(8, 5.0)
    assert not any(growth.note(8, now) for now in range(6, 6 + relaying.MOMENTS))
    assert growth.at(5) == 8, "what stands still takes no room"


@pytest.mark.parametrize(
    "change",
    [
        lambda _good, _body: {"signature": bytes(64)},
        lambda good, _body: {"own": good.own + 1},
        lambda _good, body: {"body": pack(replace(body, seat=0))},
        lambda _good, _body: {"body": b"\xc1"},
        lambda _good, body: {"body": pack(replace(body, seat=9))},
        lambda _good, _body: {"own": 0},
    ],
)
def test_only_a_member_s_own_stretch_is_handed_on(net: Stalling, change: Any) -> None:
    good = stretch(net)
    body = read_body(good.body)
    assert isinstance(body, Ticks)
    assert handed_on(net, replace(good, **change(good, body))) == []


def test_a_stretch_is_handed_on_once(net: Stalling) -> None:
    good = stretch(net)
    assert handed_on(net, good) == [good]
    assert handed_on(net, good) == []


def shown(net: Stalling, name: str, seat: int) -> int:
    """Return the ticks of a well as a player sees it."""
    match = playing(net, name)
    return int(match.shown_state(-1).wells[seat].ticks)


def test_a_stretch_is_shown_before_the_log_has_it_and_the_log_has_the_last_word(
    net: Stalling,
) -> None:
    good = stretch(net)
    body = read_body(good.body)
    assert isinstance(body, Ticks)
    before = ticks(net, "cid", 1)
    playing(net, "cid").parts.early_stretches.restart()
    assert shown(net, "cid", 1) == before
    receive(net, "cid", "bob", replace(good, own=good.own + 1))
    assert shown(net, "cid", 1) == before  # one is missing between
    receive(net, "cid", "ann", good)
    assert shown(net, "cid", 1) == before  # nobody speaks for another here
    receive(net, "cid", "bob", good)
    assert shown(net, "cid", 1) == body.until
    assert ticks(net, "cid", 1) == before

    nonsense = pack(replace(body, until=body.until + 9000))
    receive(net, "cid", "bob", replace(good, body=nonsense))
    assert shown(net, "cid", 1) == before  # it follows from nothing
    net.stalled = set()
    net.pass_time(2, Random(1))
    assert shown(net, "cid", 1) >= body.until
    assert len({entries(net, name) for name in NAMES}) == 1


def test_what_is_told_early_is_bounded(net: Stalling) -> None:
    good = stretch(net)
    early = playing(net, "cid").parts.early_stretches
    before = early.news
    for n in range(200):
        receive(net, "cid", "bob", replace(good, own=good.own + n))
    assert early.news - before <= STRETCHES_AHEAD
    body = read_body(good.body)
    assert isinstance(body, Ticks)
    wait = ((body.until, pack(Shift(1))),) * INPUTS_A_STRETCH
    for raw in (replace(body, inputs=wait), replace(body, until=body.until + 600)):
        receive(net, "cid", "bob", replace(good, body=pack(raw)))
        most = [one.body.until for one in early]
        assert len(most) <= 1
        assert max(most, default=0) <= ticks(net, "cid", 1) + 600


def test_what_the_log_has_is_kept_early_no_more(net: Stalling) -> None:
    receive(net, "cid", "bob", stretch(net))
    early = playing(net, "cid").parts.early_stretches
    assert list(early)
    net.stalled = set()
    net.pass_time(2)
    assert list(early) == []


def test_what_is_handed_on_wrongly_is_dropped_and_nobody_is_blamed(
    net: Stalling,
) -> None:
    good = stretch(net)
    before = ticks(net, "ann", 1)
    host = net["ann"].match
    own = host.ledger.log.own(net["cid"].key)
    for bad in (
        replace(good, signature=bytes(64)),
        replace(good, own=own, signature=bytes(64)),
        replace(good, own=good.own + 3),
    ):
        receive(net, "ann", "cid", bad)
    assert ticks(net, "ann", 1) == before
    receive(net, "ann", "cid", good)
    assert ticks(net, "ann", 1) > before
    receive(net, "ann", "cid", good)  # twice


def test_who_says_too_much_early_is_told_so(net: Stalling) -> None:
    good = stretch(net)
    with pytest.raises(PeerError) as caught:
        for _ in range(4000):
            receive(net, "cid", "bob", good)
    assert caught.value.code is Code.TOO_MANY


def test_who_has_resigned_helps_no_more_and_the_others_do() -> None:
    """It is no elector, and so has no turn among those who could."""
    net = Stalling(*NAMES, "dot")
    net.begin()
    net.pass_time(1)
    net.done("dot", Play(3, pack(Resign()), 0))
    net.stalled = {("ann", "bob")}
    net.handed.clear()
    for _ in range(20):
        net.pass_time(0.25, Random(1))
        late = ticks(net, "ann", 0) - ticks(net, "bob", 0)
        assert late / 30 < LATE_SECONDS + 1.0
    ways = {(name, to) for name, to, m in net.handed if isinstance(m, Entries)}
    assert ways == {("cid", "bob")}
    net.close()


def test_games_of_turns_wait_for_a_line() -> None:
    party = ready("numlo", 3, options=NUMLO)
    for match in party.running:
        assert match.stalled.deadline() is None
        assert not match.stalled.wake(party.now + 100, slow=True)
