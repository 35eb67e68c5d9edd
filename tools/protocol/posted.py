"""Vectors of letters: sealed, with what is in them, and what is wrong with some."""

from typing import Any, Final

from msgspec.structs import replace

from netplay.messages.log import Ack, Have
from netplay.messages.table import Chat, Heard
from netplay.messages.types import CHAT_CHARACTERS
from netplay.record import letter
from netplay.record.chance import number_bytes
from netplay.record.letter import Mail, letter_data, seal
from netplay.record.log import ack_data
from netplay.table.chat import chat_data
from netplay.table.writing import named
from netplay.wire import encode
from tools.protocol.examples import MATCH, filled
from tools.protocol.signing import ANN, BOB, Signer

TABLE: Final = filled(0x30)
NUMBER: Final = 1_700_000_000_000
ONCE: Final = filled(0x51)
CYD: Final = Signer("Cyd")
"""Who is no member of the match."""


def letters() -> dict[str, Any]:
    """Return the vectors: letters of Bob's to Ann."""
    heard = Heard(TABLE, ((ANN.key, 2),), asks=False)
    lines = tuple(_line(number, f"schön, {number}!") for number in range(3))
    ack = Ack(MATCH, 1, 7, filled(3), filled(7), b"")
    data = ack_data(MATCH, 1, 7, filled(3), filled(7))
    whole: tuple[Mail, ...] = replace(ack, signature=BOB.sign(data)), heard, *lines
    return {
        "seed": ANN.seed.hex(),
        "author": BOB.key.hex(),
        "match": MATCH.hex(),
        "table": TABLE.hex(),
        "box": letter.box(MATCH, BOB.key, ANN.key).hex(),
        "read": [
            _read("an acknowledgement", whole[:1]),
            _read("a line that is chat alone", (heard, lines[0])),
            _read("all that there may be of chat", whole),
        ],
        "friends": _friends(),
        "wrong": [*_sealed_wrongly(_frames(*whole)), *_said_wrongly(heard, lines)],
    }


def _friends() -> dict[str, Any]:
    """Return a letter of the conversation that Bob and Ann have without a table."""
    name = named(ANN.key, BOB.key)
    heard = Heard(name, ((ANN.key, 1),), asks=False)
    text = "schön, bis morgen"
    line = Chat(name, BOB.key, 0, text, BOB.sign(chat_data(name, 0, text)))
    frames = _frames(heard, line)
    data = letter.written(BOB, name, ANN.key, NUMBER, frames, ONCE)
    return {"name": name.hex(), "letter": data.hex(), "lines": [text]}


def _sealed_wrongly(frames: bytes) -> list[dict[str, Any]]:
    """Return letters of which nothing is taken."""
    good = _letter(frames)
    head = MATCH + BOB.key + number_bytes(NUMBER + 1)
    later = head + BOB.sign(letter_data(MATCH, ANN.key, NUMBER, frames)) + frames
    signed = MATCH + BOB.key + number_bytes(NUMBER)
    other = signed + CYD.sign(letter_data(MATCH, ANN.key, NUMBER, frames)) + frames
    to_cyd = letter.written(BOB, MATCH, CYD.key, NUMBER, frames, ONCE)
    cases = {
        "a bit changed": (good[:60] + bytes([good[60] ^ 1]) + good[61:], "BAD_FRAME"),
        "to another": (to_cyd, "BAD_FRAME"),
        "too short": (seal(ANN.key, head, ONCE), "BAD_FRAME"),
        "another number than was signed": (seal(ANN.key, later, ONCE), "BAD_SIGNATURE"),
        "signed by another": (seal(ANN.key, other, ONCE), "BAD_SIGNATURE"),
    }
    return [
        {"name": name, "letter": data.hex(), "stands": 0, "error": error}
        for name, (data, error) in cases.items()
    ]


def _said_wrongly(heard: Heard, lines: tuple[Chat, ...]) -> list[dict[str, Any]]:
    """Return letters in which something is wrong behind Heard and a line."""
    nowhere = replace(lines[1], table=filled(9))
    long = _line(1, "x" * (CHAT_CHARACTERS + 1))
    cases: dict[str, tuple[bytes, str]] = {
        "a line of another table": (encode(nowhere), "UNEXPECTED"),
        "a word about another match": (
            encode(Have(filled(9), 0, 0, bytes(32))),
            "UNEXPECTED",
        ),
        "a line with its text changed": (
            encode(replace(lines[1], text="no")),
            "BAD_SIGNATURE",
        ),
        "a line in its reader's name": (
            encode(replace(_line(0, "I give up"), author=ANN.key)),
            "BAD_SIGNATURE",
        ),
        "a line of somebody who is no member": (
            encode(_line(0, "hello", CYD)),
            "NOT_A_MEMBER",
        ),
        "a line that is too long": (encode(long), "BAD_FRAME"),
        "a frame cut short": (encode(lines[1])[:-1], "BAD_FRAME"),
    }
    before = _frames(heard, lines[0])
    return [
        {
            "name": name,
            "letter": _letter(before + frame).hex(),
            "stands": 2,
            "error": error,
        }
        for name, (frame, error) in cases.items()
    ]


def _line(number: int, text: str, signer: Signer = BOB) -> Chat:
    data = chat_data(TABLE, number, text)
    return Chat(TABLE, signer.key, number, text, signer.sign(data))


def _frames(*messages: Mail) -> bytes:
    return b"".join(map(encode, messages))


def _letter(frames: bytes) -> bytes:
    return letter.written(BOB, MATCH, ANN.key, NUMBER, frames, ONCE)


def _read(name: str, messages: tuple[Mail, ...]) -> dict[str, Any]:
    """Return a letter that is good, and what it says."""
    return {
        "name": name,
        "letter": _letter(_frames(*messages)).hex(),
        "number": NUMBER,
        "frames": [encode(message).hex() for message in messages],
        "lines": [one.text for one in messages if isinstance(one, Chat)],
    }
