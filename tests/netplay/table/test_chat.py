"""Chat is never lost, repeated, reordered or changed."""

from collections.abc import Sequence

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import CHAT_KEPT, CHAT_LINES, CHAT_SECONDS
from netplay.messages.table import Chat
from netplay.record.log import Ring
from netplay.table.chat import Talk, shown

TABLE = bytes(range(32))


class Key:
    """A key in memory."""

    def __init__(self, number: int) -> None:
        self._secret = Ed25519PrivateKey.from_private_bytes(bytes([number] * 32))
        raw = Encoding.Raw, PublicFormat.Raw
        self.key = self._secret.public_key().public_bytes(*raw)

    def sign(self, data: bytes) -> bytes:
        return self._secret.sign(data)


KEYS = [Key(number) for number in range(3)]
ALLOWED = [key.key for key in KEYS]


def talk(number: int, kept: Sequence[Chat] = ()) -> Talk:
    return Talk(TABLE, KEYS[number], Ring(), 0.0, kept=kept)


def test_a_line_is_taken_once() -> None:
    ann, bob = talk(0), talk(1)
    line = ann.say("hello", 0)

    assert bob.take(line, ALLOWED) == line
    assert bob.take(line, ALLOWED) is None


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
            if arrives and talks[other].take(line, ALLOWED):
                had[other].append(line)

    for here, there in ((0, 1), (1, 2), (2, 0), (0, 1), (1, 2)):
        for first, second in ((here, there), (there, here)):
            for line in list(talks[first].missing(talks[second].heard())):
                if talks[second].take(line, ALLOWED):
                    had[second].append(line)

    for key in ALLOWED:
        lines = [[line for line in each if line.author == key] for each in had]
        assert lines[0] == lines[1] == lines[2]
        assert [line.number for line in lines[0]] == list(range(len(lines[0])))


def test_a_node_that_comes_back_goes_on_counting() -> None:
    written: list[Chat] = []
    ann = Talk(TABLE, KEYS[0], Ring(), 0.0, keep=written.append)
    ann.say("one", 0)
    ann.take(talk(1).say("two", 0), ALLOWED)

    again = talk(0, written)

    assert [line.text for line in again.came()] == ["one", "two"]
    assert again.say("three", 0).number == 1
    assert dict(again.heard().authors) == {KEYS[0].key: 2, KEYS[1].key: 1}


def test_a_line_that_comes_too_early_waits_for_heard() -> None:
    ann, bob = talk(0), talk(1)
    first, second, third = (ann.say(text, 0) for text in ("1", "2", "3"))
    bob.take(first, ALLOWED)

    assert bob.take(third, ALLOWED) is None
    assert list(ann.missing(bob.heard())) == [second, third]


def test_old_lines_are_forgotten_and_newcomers_begin_later() -> None:
    ann, bob = talk(0), talk(1)
    for number in range(2 * CHAT_KEPT + 3):
        ann.say("x", number * CHAT_SECONDS)

    lines = list(ann.missing(bob.heard()))

    assert [lines[0].number, len(lines)] == [CHAT_KEPT, CHAT_KEPT + 3]
    assert all(bob.take(line, ALLOWED) for line in lines)


@pytest.mark.parametrize("field", ["text", "number", "author"])
def test_a_changed_line_is_refused(field: str) -> None:
    line = talk(0).say("hello", 0)
    other = {"text": "hullo", "number": CHAT_KEPT, "author": KEYS[2].key}

    with pytest.raises(PeerError) as caught:
        talk(1).take(replace(line, **{field: other[field]}), ALLOWED)
    assert caught.value.code is Code.BAD_SIGNATURE


def test_a_stranger_is_not_heard() -> None:
    with pytest.raises(PeerError) as caught:
        talk(1).take(talk(0).say("hello", 0), ALLOWED[1:])
    assert caught.value.code is Code.NOT_A_MEMBER


def test_too_many_lines_at_once_are_refused_and_later_ones_taken() -> None:
    ann = talk(0)
    for _ in range(CHAT_LINES):
        ann.say("x", 0)

    with pytest.raises(LocalError) as caught:
        ann.say("x", 0)
    assert caught.value.code is Code.TOO_MANY
    assert ann.say("x", CHAT_SECONDS).number == CHAT_LINES


def test_an_empty_line_is_refused() -> None:
    with pytest.raises(LocalError, match="nothing to say"):
        talk(0).say(" \u200b\n", 0)


def test_what_is_shown_is_clean_even_if_the_author_was_not() -> None:
    line = Chat(TABLE, KEYS[0].key, 0, "a\x1b[31m\u202eb", bytes(64))

    assert shown(line) == "a[31mb"
