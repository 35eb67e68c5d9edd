"""Bytes from strangers: read as a lexicon, or refused; nothing else ever happens."""

import hashlib
import struct
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.lexicon import Lexicon, LexiconError, build, read

ALPHABET = ("A", "B", "C", "D")
GOOD = build(ALPHABET, [(0, 1), (0, 1, 2), (1, 1, 2), (3, 0)])
HEAD = 56 + 8
"""The arcs begin here: the header, and four letters in seven bytes."""

LAST, END = 1 << 23, 1 << 22


def signed(data: bytes) -> bytes:
    """Return the bytes with the digest that they should have."""
    return data[:8] + hashlib.sha256(data[40:]).digest() + data[40:]


def crafted(
    arcs: list[int],
    words: int,
    root: int,
    longest: int,
    alphabet: bytes = b"A\nB\nC\nD",
) -> bytes:
    """Return a file with a good digest and whatever graph."""
    head = struct.pack(
        "<8s32sIIIHH",
        GOOD[:8],
        bytes(32),
        len(arcs),
        words,
        root,
        longest,
        len(alphabet),
    )
    text = alphabet + bytes(-len(alphabet) % 4)
    return signed(head + text + struct.pack(f"<{len(arcs)}I", *arcs))


def use(data: bytes) -> None:
    """Read a lexicon and do all that can be done with it, or see it refused."""
    try:
        lexicon = read(data)
    except LexiconError as error:
        assert str(error)
        return
    known = list(lexicon.words())
    assert known == sorted(set(known))
    assert len(known) == lexicon.count
    assert all(lexicon.has(word) for word in known)
    assert [lexicon.index(word) for word in known] == list(range(len(known)))


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(LexiconError):
        read(data)


@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255))
def test_a_changed_byte_is_noticed(place: int, change: int) -> None:
    data = bytearray(GOOD)
    data[place] ^= change
    with pytest.raises(LexiconError):
        read(bytes(data))


@given(st.integers(0, len(GOOD) - 1))
def test_a_file_cut_short_is_refused(size: int) -> None:
    with pytest.raises(LexiconError):
        read(GOOD[:size])
    with pytest.raises(LexiconError):
        Lexicon(GOOD[:size])


def test_bytes_left_over_are_refused() -> None:
    with pytest.raises(LexiconError, match="left over"):
        read(signed(GOOD + bytes(4)))


@given(st.lists(st.tuples(st.integers(40, len(GOOD) - 1), st.integers(0, 255))))
def test_changes_with_a_good_digest_are_refused_or_harmless(
    changes: list[tuple[int, int]],
) -> None:
    data = bytearray(GOOD)
    for place, value in changes:
        data[place] = value
    use(signed(bytes(data)))


arcs = st.builds(
    lambda letter, flags, to: letter << 24 | flags << 22 | to,
    st.integers(0, 4),
    st.integers(0, 3),
    st.integers(0, 9),
)


@given(
    st.lists(arcs, max_size=8), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)
)
@example([LAST | END], 1, 1, 1)
def test_invented_graphs_are_refused_or_harmless(
    some: list[int], words: int, root: int, longest: int
) -> None:
    use(crafted([0, *some], words, root, longest))


def test_a_crafted_graph_can_be_good() -> None:
    lexicon = read(crafted([0, LAST | END], 1, 1, 1))
    assert list(lexicon.words()) == [(0,)]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (crafted([], 0, 0, 0), "cut short"),
        (crafted([LAST | END], 0, 0, 0), "first or the last arc"),
        (crafted([0, END], 1, 1, 1), "first or the last arc"),
        (crafted([0, LAST], 0, 1, 1), "arc 1 "),
        (crafted([0, LAST | END | 1], 1, 1, 1), "arc 1 "),
        (crafted([0, LAST | END | 9], 1, 1, 1), "arc 1 "),
        (crafted([0, 4 << 24 | LAST | END], 1, 1, 1), "arc 1 "),
        (crafted([0, 1 << 24 | END, LAST | END], 2, 1, 1), "arc 1 "),
        (crafted([0, 1 << 24 | END, 1 << 24 | LAST | END], 2, 1, 1), "arc 1 "),
        (crafted([0, LAST | END], 2, 1, 1), "header"),
        (crafted([0, LAST | END], 1, 1, 2), "header"),
        (crafted([0, LAST | END, LAST | END], 1, 1, 1), "header"),
        (crafted([0, LAST | END], 1, 2, 1), "header"),
        (crafted([0, LAST | END], 1, 1, 33), "header"),
        (crafted([0], 0, 0, 1), "header"),
        (crafted([0, LAST | END, LAST | END], 1, 2, 1), "nothing leads to"),
    ],
)
def test_each_fault_of_a_graph_is_named(data: bytes, why: str) -> None:
    with pytest.raises(LexiconError, match=why):
        read(data)


def test_a_word_longer_than_any_board_is_refused() -> None:
    arcs = [0, LAST | END, *(LAST | END | place for place in range(1, 33))]
    with pytest.raises(LexiconError, match="too long"):
        read(crafted(arcs, 33, 33, 33 - 1))


@pytest.mark.parametrize(("levels", "count"), [(32, 2**32 - 1), (11, (4**12 - 4) // 3)])
def test_a_small_file_of_more_words_than_there_is_room_for_is_refused(
    levels: int, count: int
) -> None:
    # Levels of four letters each, all of which are words: 4 + 4**2 + 4**3 ...
    arcs = [0]
    to = 0
    for _ in range(levels):
        start = len(arcs)
        arcs += [letter << 24 | END | to for letter in range(4)]
        arcs[-1] |= LAST
        to = start
    with pytest.raises(LexiconError, match="too many words"):
        read(crafted(arcs, count, to, levels))


@pytest.mark.parametrize(
    ("alphabet", "why"),
    [
        (b"\xff\xfe", "damaged"),
        (b"", "cannot be a letter"),
        (b"A\nA", "each once"),
        (b"A\n\n", "each once"),
        (b"A\nB=C", "none there is"),
        (b"A\nB=A\nC=B", "yet another"),
        (b"A=A", "yet another"),
        (b"A\nB=\x41\x41", "none there is"),
        ("N\u0303".encode(), "cannot be a letter"),
        ("\n".join(map(chr, range(0x4E00, 0x4E00 + 129))).encode(), "1 to 128"),
    ],
)
def test_each_fault_of_an_alphabet_is_named(alphabet: bytes, why: str) -> None:
    with pytest.raises(LexiconError, match=why):
        read(crafted([0], 0, 0, 0, alphabet))


def test_bytes_hidden_behind_the_alphabet_are_refused() -> None:
    assert GOOD[HEAD - 1] == 0
    data = bytearray(GOOD)
    data[HEAD - 1] = 65
    with pytest.raises(LexiconError, match="alphabet"):
        read(signed(bytes(data)))


@pytest.mark.parametrize(
    "tear",
    [lambda data: data[:-1] + b"\x41", lambda data: data[:8] + bytes(32) + data[40:]],
)
def test_a_wrong_digest_is_named(tear: Callable[[bytes], bytes]) -> None:
    with pytest.raises(LexiconError, match="digest"):
        read(tear(GOOD))
