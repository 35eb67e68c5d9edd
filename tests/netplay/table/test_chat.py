"""Chat is never lost, repeated, reordered or changed."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import (
    CHAT_BYTES,
    CHAT_KEPT,
    CHAT_LINES,
    CHAT_SECONDS,
    FRAME_BYTES,
    WRITTEN_KEPT,
)
from netplay.messages.table import Chat
from netplay.messages.types import CHAT_CHARACTERS, LARGEST, SEATS
from netplay.record.log import SecretKey
from netplay.sentences import Says
from netplay.table.chat import Talk, chat_data, shown, size_of
from netplay.wire import FrameReader, decode, encode
from tests.said import like

TABLE = bytes(range(32))


def key_of(number: int) -> SecretKey:
    return SecretKey(bytes([number] * 32))


KEYS = [key_of(number) for number in range(3)]
ALLOWED = [key.key for key in KEYS]


def talk(number: int, kept: Sequence[Chat] = ()) -> Talk:
    return Talk(TABLE, KEYS[number], 0.0, kept=kept)


def test_a_line_is_taken_once() -> None:
    ann, bob = talk(0), talk(1)
    line = ann.say("hello", 0)

    assert bob.on_chat(line, ALLOWED, 0) == line
    assert bob.on_chat(line, ALLOWED, 0) is None


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.booleans())))
def test_after_heard_everybody_has_every_line_in_order(
    said: list[tuple[int, bool, bool]],
) -> None:
    talks = [talk(number) for number in range(3)]
    had: list[list[Chat]] = [[], [], []]
    for at, (author, *comes) in enumerate(said):
        line = talks[author].say(f"line {at}", at * CHAT_SECONDS)
        had[author].append(line)
        others = [number for number in range(3) if number != author]
        for other, arrives in zip(others, comes, strict=True):
            if arrives and talks[other].on_chat(line, ALLOWED, 0):
                had[other].append(line)

    for here, there in ((0, 1), (1, 2), (2, 0), (0, 1), (1, 2)):
        for first, second in ((here, there), (there, here)):
            for line in list(
                talks[first].missing(talks[second].heard(ALLOWED), ALLOWED)
            ):
                if talks[second].on_chat(line, ALLOWED, 0):
                    had[second].append(line)

    for key in ALLOWED:
        lines = [[line for line in each if line.author == key] for each in had]
        assert lines[0] == lines[1] == lines[2]
        assert [line.number for line in lines[0]] == list(range(len(lines[0])))


def test_a_node_that_comes_back_goes_on_counting() -> None:
    written: list[Chat] = []
    ann = Talk(TABLE, KEYS[0], 0.0, keep=written.append)
    ann.say("one", 0)
    ann.on_chat(talk(1).say("two", 0), ALLOWED, 0)

    again = talk(0, written)

    assert [line.text for line in again.came()] == ["one", "two"]
    assert again.say("three", 0).number == 1
    assert dict(again.heard(ALLOWED).authors) == {KEYS[0].key: 2, KEYS[1].key: 1}


def test_a_line_that_comes_too_early_waits_for_heard() -> None:
    ann, bob = talk(0), talk(1)
    first, second, third = (ann.say(text, 0) for text in ("1", "2", "3"))
    bob.on_chat(first, ALLOWED, 0)

    assert bob.on_chat(third, ALLOWED, 0) is None
    assert list(ann.missing(bob.heard(ALLOWED), ALLOWED)) == [second, third]


def test_old_lines_are_forgotten_and_newcomers_begin_later() -> None:
    ann, bob = talk(0), talk(1)
    for number in range(2 * CHAT_KEPT + 3):
        ann.say("x", number * CHAT_SECONDS)

    lines = list(ann.missing(bob.heard(ALLOWED), ALLOWED))

    assert [lines[0].number, len(lines)] == [CHAT_KEPT, CHAT_KEPT + 3]
    assert all(bob.on_chat(line, ALLOWED, 0) for line in lines)


@pytest.mark.parametrize("lasting", [False, True])
def test_an_author_who_counts_to_the_end_of_numbers_cuts_no_two_others_off(
    lasting: bool,
) -> None:
    """What one is told of an author goes to everybody: each has to understand it."""
    bob = Talk(TABLE, KEYS[1], 0.0, lasting=lasting)
    block = WRITTEN_KEPT if lasting else CHAT_KEPT
    for number in range(LARGEST - LARGEST % block, LARGEST + 1):
        signature = KEYS[0].sign(chat_data(TABLE, number, "x"))
        bob.on_chat(Chat(TABLE, KEYS[0].key, number, "x", signature), ALLOWED, 0)
    assert bob.has_heard(KEYS[0].key)

    for told in (bob.heard(ALLOWED), bob.thanks(KEYS[0].key)):
        reader = FrameReader(FRAME_BYTES)
        reader.feed(encode(told))
        frame = reader.next()
        assert frame is not None
        assert decode(frame) == told


@pytest.mark.parametrize("field", ["text", "number", "author"])
def test_a_changed_line_is_refused(field: str) -> None:
    line = talk(0).say("hello", 0)
    other = {"text": "hullo", "number": CHAT_KEPT, "author": KEYS[2].key}

    with pytest.raises(PeerError) as caught:
        talk(1).on_chat(replace(line, **{field: other[field]}), ALLOWED, 0)
    assert caught.value.code is Code.BAD_SIGNATURE


def test_a_stranger_is_not_heard() -> None:
    with pytest.raises(PeerError) as caught:
        talk(1).on_chat(talk(0).say("hello", 0), ALLOWED[1:], 0)
    assert caught.value.code is Code.NOT_A_MEMBER


def test_too_many_lines_at_once_are_refused_and_later_ones_taken() -> None:
    ann = talk(0)
    for _ in range(CHAT_LINES):
        ann.say("x", 0)

    with pytest.raises(LocalError) as caught:
        ann.say("x", 0)
    assert caught.value.code is Code.TOO_MANY
    told = Says.CHAT_TOO_FAST(count=CHAT_LINES, seconds=round(CHAT_SECONDS))
    assert caught.value.said == told, "no other node has done anything"
    assert ann.say("x", CHAT_SECONDS).number == CHAT_LINES


def test_an_empty_line_is_refused() -> None:
    with pytest.raises(LocalError, match=like(Says.CHAT_EMPTY)):
        talk(0).say(" \u200b\n", 0)


def test_what_is_shown_is_clean_even_if_the_author_was_not() -> None:
    line = Chat(TABLE, KEYS[0].key, 0, "a\x1b[31m\u202eb", bytes(64))

    assert shown(line) == "a[31mb"


def test_a_flood_of_one_author_is_dropped_and_comes_again_with_heard() -> None:
    ann, bob = talk(0), talk(1)
    lines = [ann.say("x", n * CHAT_SECONDS) for n in range(2 * CHAT_KEPT - 1)]
    for line in lines:
        assert bob.on_chat(line, ALLOWED, 0) == line
    more = [ann.say("x", (n + len(lines)) * CHAT_SECONDS) for n in range(5)]
    taken = [bob.on_chat(line, ALLOWED, 0) is not None for line in more]
    assert taken == [True, False, False, False, False]
    late = [
        bob.on_chat(line, ALLOWED, 60)
        for line in ann.missing(bob.heard(ALLOWED), ALLOWED)
    ]
    assert late == more[1:]


def test_an_author_is_kept_no_more_than_its_share_of_the_bytes() -> None:
    line = talk(0).say("x" * CHAT_CHARACTERS, 0)
    number = CHAT_BYTES // SEATS // size_of(line)
    kept: list[Chat] = []
    bob = Talk(TABLE, KEYS[1], 0.0, kept=[line] * number, keep=kept.append)
    author = KEYS[0]
    next_one = bob.heard(ALLOWED).authors[0][1]
    data = chat_data(TABLE, next_one, line.text)
    more = Chat(TABLE, author.key, next_one, line.text, author.sign(data))
    assert bob.on_chat(more, ALLOWED, 1e6) is None
    assert not kept
    full = Talk(TABLE, KEYS[0], 0.0, kept=[line] * number)
    with pytest.raises(LocalError) as caught:
        full.say(line.text, 1e6)
    assert caught.value.code is Code.TOO_MANY


def test_who_left_the_table_is_passed_on_to_nobody() -> None:
    ann, bob, cyd = talk(0), talk(1), talk(2)
    bob.on_chat(ann.say("hello", 0), ALLOWED, 0)
    left = ALLOWED[1:]
    assert bob.heard(left).authors == ()
    assert not list(bob.missing(cyd.heard(left), left))
    assert not cyd.is_behind(bob.heard(ALLOWED), left)
    assert cyd.is_behind(bob.heard(ALLOWED), ALLOWED)


def test_heard_names_no_more_authors_than_a_message_may() -> None:
    keys = [key_of(number) for number in range(3, 30)]
    bob = talk(1)
    everybody = [key.key for key in keys]
    for key in keys:
        text = chat_data(TABLE, 0, "x")
        bob.on_chat(Chat(TABLE, key.key, 0, "x", key.sign(text)), everybody, 0)
    assert len(bob.heard(everybody).authors) == 16


def test_many_who_come_and_go_are_kept_no_more_than_a_table_may_take() -> None:
    keys = [key_of(number) for number in range(3, 3 + SEATS + 1)]
    text = "x" * CHAT_CHARACTERS

    def line(key: SecretKey, number: int) -> Chat:
        data = chat_data(TABLE, number, text)
        return Chat(TABLE, key.key, number, text, key.sign(data))

    share = CHAT_BYTES // SEATS // size_of(line(keys[0], 0))
    kept = [line(key, 0) for key in keys[:SEATS] for _ in range(share)]
    written: list[Chat] = []
    bob = Talk(TABLE, KEYS[1], 0.0, kept=kept, keep=written.append)
    sizes = [size_of(line(key, 0)) for key in keys]
    room = (CHAT_BYTES - sum(map(size_of, kept))) // sizes[-1]

    for number in range(room + 2):  # nobody has left this one's share
        bob.on_chat(line(keys[-1], number), [keys[-1].key], 1e6)
    assert len(written) == room
