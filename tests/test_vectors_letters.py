"""The vectors of letters hold for this code and for a reader made from the page."""

from functools import partial
from typing import Any

import pytest

from netplay.errors import PeerError
from netplay.messages.table import Chat
from netplay.record import letter
from netplay.record.letter import unseal
from netplay.record.log import SecretKey
from netplay.table.chat import Talk
from netplay.table.writing import named
from netplay.wire import encode
from tests.second_letter import Letter
from tests.written import load, sha, tag
from tools.protocol import vectors

LETTERS = load("letters")
SEED, AUTHOR, MATCH, TABLE = (
    bytes.fromhex(LETTERS[name]) for name in ("seed", "author", "match", "table")
)
READER = SecretKey(SEED)
MEMBERS = {AUTHOR, READER.key}


def by_the_page() -> Letter:
    return Letter(SEED, MATCH, TABLE, MEMBERS)


def by_the_code(data: bytes) -> tuple[list[bytes], list[str], str]:
    """Return the frames of a letter that stand, its chat, and what is wrong."""
    talk, frames = Talk(TABLE, READER, 0.0), list[bytes]()
    lines = list[str]()
    try:
        posted = letter.open_letter(data, READER.key, partial(unseal, SEED, READER.key))
        assert (posted.match, posted.author) == (MATCH, AUTHOR)
        for message in posted.messages(TABLE):
            if isinstance(message, Chat):
                line = talk.on_chat(message, MEMBERS, 0.0)
                lines += [line.text] if line else []
            frames.append(encode(message))
    except PeerError as error:
        return frames, lines, error.code.name
    return frames, lines, ""


def test_the_file_is_what_the_tool_writes() -> None:
    text = (vectors.FOLDER / "letters.json").read_text("utf-8")
    assert vectors.text("letters") == text


def test_the_box_is_what_the_page_says() -> None:
    name = sha(tag("box"), MATCH, AUTHOR, READER.key)[:16]
    assert LETTERS["box"] == name.hex()
    assert letter.box(MATCH, AUTHOR, READER.key) == name


@pytest.mark.parametrize("case", LETTERS["read"], ids=lambda c: c["name"])
def test_a_letter_says_what_the_vectors_say(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["letter"])
    frames, lines, error = by_the_code(data)
    assert [frame.hex() for frame in frames] == case["frames"]
    assert (lines, error) == (case["lines"], "")
    page = by_the_page()
    assert page.take(data) == ""
    assert (page.stands, page.number) == (len(frames), int(case["number"]))
    assert page.lines.get(AUTHOR, []) == lines


def test_a_conversation_is_named_and_its_letter_read_as_the_page_says() -> None:
    friends = LETTERS["friends"]
    name, data = bytes.fromhex(friends["name"]), bytes.fromhex(friends["letter"])
    assert name == sha(tag("friends"), *sorted((AUTHOR, READER.key)))
    assert name == named(READER.key, AUTHOR)
    page = Letter(SEED, name, name, MEMBERS)
    assert page.take(data) == ""
    assert page.lines == {AUTHOR: friends["lines"]}
    posted = letter.open_letter(data, READER.key, partial(unseal, SEED, READER.key))
    talk = Talk(name, READER, 0.0, lasting=True)
    chat = [one for one in posted.messages(name) if isinstance(one, Chat)]
    lines = [talk.on_chat(one, MEMBERS, 0.0) for one in chat]
    assert [line.text for line in lines if line] == friends["lines"]


@pytest.mark.parametrize("case", LETTERS["wrong"], ids=lambda c: c["name"])
def test_what_is_wrong_with_a_letter_is_found_where_it_stands(
    case: dict[str, Any],
) -> None:
    data = bytes.fromhex(case["letter"])
    frames, _lines, error = by_the_code(data)
    assert (len(frames), error) == (case["stands"], case["error"])
    page = by_the_page()
    assert page.take(data)
    assert page.stands == case["stands"]
