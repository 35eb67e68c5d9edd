import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay import limits
from netplay.errors import Code, PeerError
from netplay.limits import QUIET_SECONDS
from netplay.messages.link import Bye, Hello, NewName, Ping, Pong, Welcome
from netplay.messages.table import Ask, Piece
from netplay.peering.link import (
    MOVES,
    Closed,
    End,
    Got,
    Link,
    Opened,
    Quiet,
    Renamed,
    State,
    Trigger,
)
from netplay.wire import FrameReader, decode, encode
from tests.netplay.pair import Pair, anybody, hello
from tools.protocol.examples import MESSAGES
from tools.protocol.faults import faults

BIG = Piece(bytes(32), bytes(32), 40_000, 0, bytes(40_000))


def closed(pair: Pair, link: Link) -> Closed:
    (event,) = [e for e in pair.events[link] if isinstance(e, Closed)]
    assert pair.events[link][-1] is event
    return event


def test_two_links_greet_welcome_and_open() -> None:
    pair = Pair()
    pair.settle()
    assert pair.first.state is State.OPEN
    assert pair.second.state is State.OPEN
    assert pair.events[pair.first] == [Opened(hello(2), 1, ())]
    assert pair.events[pair.second] == [Opened(hello(1), 1, ())]


def test_the_highest_common_version_and_the_common_features_are_taken() -> None:
    first = hello(1, versions=(1, 2, 5), features=("zip", "watch", "old"))
    second = hello(2, versions=(5, 3, 2), features=("watch", "new", "zip"))
    pair = Pair(first, second)
    pair.settle()
    for events in pair.events.values():
        (event,) = events
        assert isinstance(event, Opened)
        assert event.version == 5
        assert event.features == ("watch", "zip")


def test_without_a_common_version_both_sides_learn_the_versions() -> None:
    pair = Pair(hello(1, versions=(3,)), hello(2, versions=(4, 2)))
    pair.settle()
    for link in (pair.first, pair.second):
        event = closed(pair, link)
        assert event.code is Code.VERSION
        assert "3" in event.reason
        assert "4" in event.reason


def test_a_node_that_hears_its_own_nonce_has_called_itself() -> None:
    pair = Pair(hello(1), hello(1, name="me"))
    pair.settle()
    assert closed(pair, pair.first).code is Code.SELF


def test_whoever_is_judged_unwelcome_is_told_why() -> None:
    def judge(theirs: Hello) -> None:
        assert theirs.name == "player 1"
        raise PeerError(Code.WRONG_KEY, "it was another yesterday")

    pair = Pair(judge=judge)
    pair.settle()
    assert closed(pair, pair.second) == Closed(
        End.OURS, Code.WRONG_KEY, "it was another yesterday"
    )
    assert closed(pair, pair.first) == Closed(
        End.THEIRS, Code.WRONG_KEY, "it was another yesterday"
    )
    assert pair.first.state is State.CLOSED
    assert pair.second.state is State.CLOSED


def test_names_from_a_hello_are_fit_to_be_shown() -> None:
    pair = Pair(hello(1, name="\x1b[1mEve\u202e", program="x\x07y"))
    pair.settle()
    (event,) = pair.events[pair.second]
    assert isinstance(event, Opened)
    assert event.hello.name == "[1mEve"
    assert event.hello.program == "xy"


def test_so_are_names_that_players_take_later() -> None:
    pair = Pair().opened()
    pair.say(pair.first, NewName("\x1b[1mEve\u202e"))
    pair.settle()
    assert pair.events[pair.second] == [Renamed("[1mEve")]


def test_messages_travel_both_ways_once_open() -> None:
    pair = Pair().opened()
    for sender in (pair.first, pair.second):
        pair.say(sender, Ask(b"", 2))
        pair.say(sender, BIG)
        pair.settle()
        assert pair.events[pair.other(sender)] == [Got(Ask(b"", 2)), Got(BIG)]


def test_a_large_message_may_come_with_the_welcome_in_one_read() -> None:
    pair = Pair()
    pair.carry(pair.first)
    pair.carry(pair.second)
    assert pair.first.state is State.OPEN
    pair.say(pair.first, BIG)
    pair.carry(pair.first)
    assert pair.events[pair.second][-1] == Got(BIG)


def test_a_friendly_goodbye_closes_both_sides_once() -> None:
    pair = Pair().opened()
    pair.events[pair.first] += pair.first.close(None, "see you", pair.now)
    assert pair.first.state is State.CLOSING
    pair.settle()
    assert pair.events[pair.first] == [Closed(End.OURS, None, "see you")]
    assert pair.events[pair.second] == [Closed(End.THEIRS, None, "see you")]
    assert pair.first.state is State.CLOSED
    assert pair.second.state is State.CLOSED
    assert pair.first.close(None, "again", pair.now) == []
    assert pair.first.take_bytes() == b""
    assert pair.first.deadline() is None
    assert pair.first.wake(pair.now) == []
    assert pair.first.receive(b"more", pair.now) == []
    assert pair.first.receive(b"", pair.now) == []


def test_both_may_say_goodbye_at_once() -> None:
    pair = Pair().opened()
    for link in (pair.first, pair.second):
        pair.events[link] += link.close(None, "", pair.now)
    pair.settle()
    for link in (pair.first, pair.second):
        assert closed(pair, link).end is End.OURS
        assert link.state is State.CLOSED


def test_what_comes_after_our_goodbye_is_not_heard() -> None:
    pair = Pair().opened()
    pair.say(pair.second, Ask(b"", 1))
    pair.events[pair.first] += pair.first.close(None, "", pair.now)
    pair.carry(pair.second)
    assert closed(pair, pair.first).end is End.OURS
    assert pair.first.state is State.CLOSING


def test_rubbish_after_our_goodbye_ends_the_wait_for_theirs() -> None:
    pair = Pair().opened()
    pair.first.close(None, "", pair.now)
    assert pair.first.receive(b"\0\0\0\0", pair.now) == []
    assert pair.first.state is State.CLOSED


def test_a_goodbye_that_is_not_answered_is_waited_for_two_seconds() -> None:
    pair = Pair().opened()
    pair.first.close(None, "", pair.now)
    assert pair.first.deadline() == pair.now + limits.BYE_SECONDS
    assert pair.first.wake(pair.now + 1.0) == []
    assert pair.first.state is State.CLOSING
    pair.first.wake(pair.now + limits.BYE_SECONDS)
    assert pair.first.state is State.CLOSED


@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_cut_is_reported_once_at_any_time(done: int) -> None:
    pair = Pair()
    for _ in range(done):
        pair.carry(pair.first)
        pair.carry(pair.second)
    events = pair.first.receive(b"", 0.0) + pair.first.receive(b"", 0.0)
    assert events[-1] == Closed(End.CUT, None, "")
    assert pair.first.state is State.CLOSED


def test_a_cut_while_saying_goodbye_is_no_second_end() -> None:
    pair = Pair().opened()
    pair.first.close(None, "", pair.now)
    assert pair.first.receive(b"", pair.now) == []
    assert pair.first.state is State.CLOSED


def test_open_links_ping_every_five_seconds_and_know_the_round_trip() -> None:
    pair = Pair().opened()
    assert pair.first.deadline() == limits.PING_SECONDS
    pair.now = limits.PING_SECONDS
    pair.first.wake(pair.now)
    asked = pair.first.take_bytes()
    assert asked == encode(Ping(1))
    pair.second.receive(asked, pair.now)
    answer = pair.second.take_bytes()
    assert answer == encode(Pong(1))
    pair.first.receive(answer, pair.now + 0.25)
    assert pair.first.round_trip == pytest.approx(0.25)
    pair.pass_time(600.0)
    assert pair.first.state is State.OPEN
    assert pair.second.state is State.OPEN


def test_who_is_heard_is_not_asked_whether_it_is_there() -> None:
    """Two that have nothing to say send one ping every five seconds, not two."""
    pair, sent = Pair().opened(), 0
    for _ in range(6000):
        pair.now += 0.1
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            if one.deadline() <= pair.now:
                one.wake(pair.now)
            said = one.take_bytes()
            sent += bool(said)
            other.receive(said, pair.now) if said else None
    assert pair.first.state is pair.second.state is State.OPEN
    pings = sent / 2  # each has its answer
    assert pings == pytest.approx(600 / limits.PING_SECONDS, rel=0.1)


def test_calm_links_ping_seldom_and_who_is_gone_is_noticed_all_the_same() -> None:
    pair = Pair().opened()
    for link in (pair.first, pair.second):
        link.calm(30.0, pair.now)
    pair.pass_time(600.0)
    assert pair.first.state is pair.second.state is State.OPEN
    assert not any(pair.events.values())
    heard = pair.now
    while pair.first.state is State.OPEN:
        pair.pass_time(0.5, carry=False)
    assert pair.now - heard <= 37.5
    assert closed(pair, pair.first).code is Code.SILENT


@pytest.mark.parametrize("silent", [0.0, 4.0, 11.0, 13.0, 29.0])
def test_what_is_said_on_a_calm_link_finds_out_soon_that_it_is_dead(
    silent: float,
) -> None:
    pair = Pair().opened()
    pair.first.calm(30.0, pair.now)
    pair.pass_time(silent, carry=False)
    assert pair.first.state is State.OPEN
    said = pair.now
    pair.first.stir(said)
    while Quiet() not in pair.events[pair.first]:
        pair.pass_time(0.5, carry=False)
    assert pair.now - said <= QUIET_SECONDS
    while pair.first.state is State.OPEN:
        pair.pass_time(0.5, carry=False)
    assert 12.0 - 5.0 <= pair.now - said <= 12.0
    assert closed(pair, pair.first).code is Code.SILENT


@pytest.mark.parametrize("silent", [0.0, 11.0, 29.0])
def test_a_link_that_is_calm_no_more_asks_at_once_and_pings_as_any(
    silent: float,
) -> None:
    pair = Pair().opened()
    for link in (pair.first, pair.second):
        link.calm(30.0, pair.now)
    pair.pass_time(silent, carry=False)
    pair.first.calm(0.0, pair.now)
    due = pair.first.deadline()
    assert due is not None
    asked = pair.first.take_bytes()
    assert bool(asked) is (silent > limits.PING_SECONDS)
    assert due <= pair.now + limits.QUIET_SECONDS
    pair.second.receive(asked, pair.now) if asked else None
    pair.pass_time(120.0)
    assert pair.first.state is pair.second.state is State.OPEN
    pair.pass_time(12.0, carry=False)
    assert closed(pair, pair.first).code is Code.SILENT
    assert pair.second.state is State.OPEN


def test_a_frame_that_drips_on_a_calm_link_is_given_up_after_twenty_seconds() -> None:
    pair = Pair().opened()
    pair.first.calm(30.0, 0.0)
    pair.first.receive(encode(BIG)[:5], 1.0)
    assert pair.first.deadline() == 21.0
    assert pair.first.wake(20.9) == []
    (event,) = pair.first.wake(21.0)
    assert event == Closed(End.OURS, Code.SILENT, "a message took too long")


def test_an_old_pong_says_nothing_of_the_last_round_trip() -> None:
    pair = Pair().opened()
    for at in (5.0, 10.0):
        pair.first.wake(at)
    pair.first.receive(encode(Pong(1)), 11.0)
    assert pair.first.round_trip == 0.0
    pair.first.receive(encode(Pong(2)), 11.0)
    assert pair.first.round_trip == pytest.approx(1.0)


@pytest.mark.parametrize("number", [0, 1, 7])
def test_a_pong_to_no_ping_is_an_error(number: int) -> None:
    pair = Pair().opened()
    (event,) = pair.first.receive(encode(Pong(number)), 0.0)
    assert isinstance(event, Closed)
    assert event.code is Code.UNEXPECTED


def test_silence_of_twelve_seconds_loses_the_link() -> None:
    pair = Pair().opened()
    pair.pass_time(11.9, carry=False)
    assert pair.first.state is State.OPEN
    pair.pass_time(0.2, carry=False)
    assert closed(pair, pair.first).code is Code.SILENT
    pair.pass_time(limits.BYE_SECONDS, carry=False)
    assert pair.first.state is State.CLOSED


def test_a_wake_too_early_does_nothing() -> None:
    pair = Pair().opened()
    assert pair.first.wake(1.0) == []
    assert pair.first.take_bytes() == b""


def test_a_handshake_not_done_in_ten_seconds_is_given_up() -> None:
    pair = Pair()
    pair.pass_time(9.9, carry=False)
    assert pair.first.state is State.GREETED
    pair.pass_time(0.2, carry=False)
    assert closed(pair, pair.first).code is Code.SILENT


def test_a_frame_that_drips_is_given_up_after_twenty_seconds() -> None:
    pair = Pair().opened()
    drip = encode(BIG)
    events = []
    for second in range(25):
        now = float(second)
        events += pair.first.receive(drip[second : second + 1], now)
        events += pair.first.wake(now)
    assert events == [Closed(End.OURS, Code.SILENT, "a message took too long")]


def test_many_frames_in_little_time_are_too_many() -> None:
    pair = Pair().opened()
    flood = encode(Ping(1)) * 1000
    events = pair.first.receive(flood, 0.0)
    assert events == [Closed(End.OURS, Code.TOO_MANY, Code.TOO_MANY.text)]


def test_a_member_of_the_match_may_send_many_more() -> None:
    pair = Pair().opened()
    pair.first.trust(0.0)
    assert (
        pair.first.receive(encode(Ask(b"", 1)) * 1000, 0.0) == [Got(Ask(b"", 1))] * 1000
    )


def test_before_the_welcome_there_are_four_frames() -> None:
    link = Link(hello(1), anybody, 0.0)
    ignored = b"\0\0\0\x01\x63"
    assert link.receive(ignored * 4, 0.0) == []
    (event,) = link.receive(ignored, 0.0)
    assert isinstance(event, Closed)
    assert event.code is Code.TOO_MANY


@pytest.mark.parametrize(
    "message", [Welcome(1, ()), Ping(1), Pong(1), Ask(b"", 1)], ids=repr
)
def test_a_peer_that_has_not_greeted_may_say_nothing_else(message: Ping) -> None:
    link = Link(hello(1), anybody, 0.0)
    (event,) = link.receive(encode(message), 0.0)
    assert isinstance(event, Closed)
    assert event.code is Code.UNEXPECTED


@pytest.mark.parametrize("welcome", [Welcome(2, ()), Welcome(1, ("zip",))], ids=repr)
def test_a_welcome_to_what_was_not_offered_is_an_error(welcome: Welcome) -> None:
    link = Link(hello(1), anybody, 0.0)
    (event,) = link.receive(encode(hello(2)) + encode(welcome), 0.0)
    assert isinstance(event, Closed)
    assert event.code is Code.VERSION


def test_a_frame_over_a_kilobyte_before_the_welcome_is_too_large() -> None:
    link = Link(hello(1), anybody, 0.0)
    (event,) = link.receive(encode(BIG), 0.0)
    assert isinstance(event, Closed)
    assert event.code is Code.TOO_LARGE


def test_a_second_hello_is_out_of_place() -> None:
    pair = Pair().opened()
    (event,) = pair.first.receive(encode(hello(2)), 0.0)
    assert isinstance(event, Closed)
    assert event.code is Code.UNEXPECTED


@pytest.mark.parametrize(
    ("number", "code"), [(0, None), (17, Code.ILLEGAL_MOVE), (9999, Code.UNEXPECTED)]
)
def test_a_goodbye_carries_its_code_and_a_clean_reason(
    number: int, code: Code | None
) -> None:
    pair = Pair().opened()
    events = pair.first.receive(encode(Bye(number, "go\x1b away")), 0.0)
    assert events == [Closed(End.THEIRS, code, "go away")]
    assert pair.first.take_bytes() == encode(Bye(0, "goodbye"))


def test_every_state_can_be_cut_but_the_last_and_closed_is_for_ever() -> None:
    for state in State:
        assert ((state, Trigger.CUT) in MOVES) is (state is not State.CLOSED)
    assert not [key for key in MOVES if key[0] is State.CLOSED]


def test_every_state_is_reached_by_the_table() -> None:
    reached = {State.NEW}
    for _ in State:
        reached |= {after for (before, _), after in MOVES.items() if before in reached}
    assert reached == set(State)


def test_play_is_open_to_those_alone_who_were_welcomed() -> None:
    before = {b for (b, t) in MOVES if t is Trigger.MESSAGE}
    assert before == {State.OPEN, State.CLOSING}
    doors = {b for (b, _), after in MOVES.items() if after is State.OPEN}
    assert doors == {State.WELCOMED, State.OPEN}


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=5), st.booleans())
def test_no_bytes_break_a_link(chunks: list[bytes], welcome_first: bool) -> None:
    link = Link(hello(1), anybody, 0.0)
    if welcome_first:
        link.receive(encode(hello(2)) + encode(Welcome(1, ())), 0.0)
        assert link.state is State.OPEN
    events = list(
        itertools.chain.from_iterable(link.receive(chunk, 0.0) for chunk in chunks)
    )
    ends = [e for e in events if isinstance(e, Closed)]
    assert len(ends) <= 1
    assert not ends or events[-1] is ends[0]
    for bye in byes(link.take_bytes()):
        assert_own_words(bye)


def byes(data: bytes) -> list[Bye]:
    """Return the goodbyes among what a link has written."""
    reader, found = FrameReader(limits.FRAME_BYTES), list[Bye]()
    reader.feed(data)
    while (frame := reader.next()) is not None:
        message = decode(frame)
        if isinstance(message, Bye):
            found.append(message)
    return found


def assert_own_words(bye: Bye) -> None:
    """Check that a goodbye says why, and not in the words of some library."""
    assert bye.reason
    assert not re.search(r"[`$]|object|msgpack|ormed|Expected|codec", bye.reason)


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_a_goodbye_to_a_faulty_message_says_why_in_words_of_ours(kind: type) -> None:
    (example, *_), reasons = MESSAGES[kind], set[str]()
    for fault in faults(example):
        link = Link(hello(1), anybody, 0.0)
        link.receive(encode(hello(2)) + encode(Welcome(1, ())), 0.0)
        length = (len(fault.payload) + 1).to_bytes(4, "big")
        link.receive(length + encode(example)[4:5] + fault.payload, 0.0)
        for bye in byes(link.take_bytes()):
            assert_own_words(bye)
            reasons.add(bye.reason)
    assert any(kind.__name__ in reason for reason in reasons)


@pytest.mark.parametrize("code", [None, *Code])
def test_a_goodbye_without_details_says_what_its_code_means(code: Code | None) -> None:
    link = Pair().opened().first
    link.close(code, "", 0.0)
    (bye,) = byes(link.take_bytes())
    assert bye.reason == (code.text if code else "goodbye")


@given(st.data())
def test_time_alone_always_ends_a_link_that_hears_nothing(data: st.DataObject) -> None:
    pair = Pair()
    for _ in range(data.draw(st.integers(0, 6))):
        pair.carry(data.draw(st.sampled_from([pair.first, pair.second])))
    pair.pass_time(30.0, carry=False)
    assert pair.first.state is State.CLOSED
    assert pair.second.state is State.CLOSED


def test_a_link_is_called_quiet_once_when_an_answer_to_a_ping_is_overdue() -> None:
    pair = Pair().opened()
    assert pair.first.wake(5.0) == []
    assert pair.first.deadline() == QUIET_SECONDS
    assert pair.first.wake(QUIET_SECONDS) == [Quiet()]
    assert pair.first.wake(QUIET_SECONDS + 1) == []
    pair.first.receive(encode(Pong(1)), QUIET_SECONDS + 2)
    assert not pair.first.quiet
    assert pair.first.wake(2 * QUIET_SECONDS + 2) == [Quiet()]
