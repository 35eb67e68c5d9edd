"""Letters of a match: whoever has them can neither read them nor change a thing."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.messages.letters import LetterReceipt, NothingLeft
from netplay.messages.log import Entries, Have
from netplay.messages.table import Chat, Heard
from netplay.messages.types import LETTER_BYTES
from netplay.record import letter
from netplay.record.letter import Mail
from netplay.wire import encode
from tests.netplay.party import Dice, Key

ANN, BOB, EVE = Key("ann"), Key("bob"), Key("eve")
MATCH, TABLE = b"m" * 32, b"t" * 32


def entries(size: int) -> Entries:
    return Entries(MATCH, (b"e" * size,))


def posted(frames: bytes, number: int = 7) -> bytes:
    once = Dice(str(number))(32)
    return letter.written(ANN, MATCH, BOB.key, number, frames, once)


SIZES = st.lists(st.integers(1, 60_000), min_size=1, max_size=8)


@settings(max_examples=25, deadline=None)
@given(sizes=SIZES)
def test_a_letter_says_what_its_author_wrote_or_nothing(sizes: list[int]) -> None:
    heard = Heard(TABLE, ((ANN.key, 3),), asks=False)
    messages: list[Mail] = [*map(entries, sizes), heard]
    messages += [Chat(TABLE, ANN.key, n, "x" * n, bytes(64)) for n in range(400)]
    parts = letter.parted(messages)
    found = list[Any]()
    for number, frames in enumerate(parts):
        sealed = posted(frames, number)
        assert len(sealed) <= LETTER_BYTES
        read = letter.open_letter(sealed, BOB.key, BOB.unseal)
        assert (read.match, read.author, read.number) == (MATCH, ANN.key, number)
        found += read.messages(TABLE)
    assert found == messages


@pytest.mark.parametrize("at", [0, 33, 60, 120, 200, -1])
def test_a_letter_that_was_changed_says_nothing(at: int) -> None:
    sealed = bytearray(posted(encode(entries(100))))
    sealed[at] ^= 1
    with pytest.raises(PeerError) as caught:
        letter.open_letter(bytes(sealed), BOB.key, BOB.unseal)
    assert caught.value.code is Code.BAD_FRAME


def test_nobody_writes_in_another_s_name_or_to_another() -> None:
    frames = encode(entries(5))
    data = letter.letter_data(MATCH, BOB.key, 1, frames)
    text = MATCH + ANN.key + (1).to_bytes(8, "big") + EVE.sign(data) + frames
    forged = letter.seal(BOB.key, text, bytes(range(32)))
    with pytest.raises(PeerError) as caught:
        letter.open_letter(forged, BOB.key, BOB.unseal)
    assert caught.value.code is Code.BAD_SIGNATURE
    to_eve = letter.written(ANN, MATCH, EVE.key, 1, frames, bytes(range(32)))
    again = letter.seal(BOB.key, EVE.unseal(to_eve), bytes(range(32)))
    with pytest.raises(PeerError):
        letter.open_letter(again, BOB.key, BOB.unseal)


@pytest.mark.parametrize(
    "frames",
    [
        b"\0\0\0\5\x17",
        b"\0\0\0\0",
        encode(Have(bytes(32), 0, 0, bytes(32))),
        encode(Chat(MATCH, ANN.key, 0, "x", bytes(64))),
        encode(Heard(MATCH, (), asks=True)),
        b"\0\0\0\2\x04\x91",
    ],
)
def test_what_is_no_message_of_the_match_is_an_error(frames: bytes) -> None:
    read = letter.open_letter(posted(frames), BOB.key, BOB.unseal)
    with pytest.raises(PeerError):
        list(read.messages(TABLE))


def test_a_letter_too_short_is_none() -> None:
    for text in (b"", b"x" * 135):
        with pytest.raises(PeerError) as caught:
            letter.open_letter(
                letter.seal(BOB.key, text, bytes(range(32))), BOB.key, BOB.unseal
            )
        assert caught.value.code is Code.BAD_FRAME


def left(number: int, by: str) -> letter.KeptLetter:
    return letter.KeptLetter(ANN.key, number, bytes(32), 1, by)


def test_news_are_answered_though_a_later_letter_brought_none() -> None:
    post = letter.Post()
    post.note(letter.KeptTaken(ANN.key, 1, news=True))
    post.note(letter.KeptTaken(ANN.key, 2, news=False))
    assert post.owes(ANN.key)
    assert not post.owes(EVE.key)
    post.note(left(7, by=""))
    assert post.owes(ANN.key), "nobody keeps that answer"
    post.note(left(8, by="Eve"))
    assert not post.owes(ANN.key)


def test_letters_are_numbered_upwards_though_a_clock_is_set_back() -> None:
    post = letter.Post()
    post.note(left(post.next_number(ANN.key, 5000), by="Eve"))
    assert post.next_number(ANN.key, 4000) == 5001
    assert post.next_number(ANN.key, 6000) == 6000
    assert post.next_number(BOB.key, 4000) == 4000


RECEIPT = LetterReceipt(
    EVE.key, ANN.key, BOB.key, bytes(16), b"", bytes(32), 50, 100, 900, bytes(64)
)


@pytest.mark.parametrize(
    ("since", "until", "lied"),
    [(90, 110, True), (100, 110, True), (90, 100, True), (100, 100, True),
     (101, 110, False), (90, 99, False)],
)  # fmt: skip
def test_a_keeper_lies_that_denies_what_it_took_in_those_very_seconds(
    since: int, until: int, lied: bool
) -> None:
    nothing = NothingLeft(EVE.key, ANN.key, BOB.key, bytes(16), since, until, bytes(64))
    assert letter.contradicts(RECEIPT, nothing) is lied
    for other in (
        replace(nothing, keeper=ANN.key),
        replace(nothing, author=EVE.key),
        replace(nothing, to=EVE.key),
        replace(nothing, box=bytes(15) + b"x"),
    ):
        assert not letter.contradicts(RECEIPT, other), "of another letter"
