"""Vectors of the signatures: what is signed, byte by byte."""

import hashlib
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from netplay.finding.appointments import GUEST, introduced, sealed, spot
from netplay.finding.discovery import beacon_data
from netplay.finding.telling import places_data
from netplay.fingerprint import fingerprint
from netplay.messages.link import Appointment
from netplay.messages.log import Turn
from netplay.messages.table import Chat, Heard
from netplay.peering import invitation
from netplay.record.letter import appointed, letter_data, pair
from netplay.record.log import (
    ack_data,
    author_data,
    entry_data,
    hand_data,
    term_data,
    terms_data,
)
from netplay.table.chat import chat_data
from netplay.wire import encode, pack
from tools.protocol.examples import MATCH, TERMS, filled

SMALL: Final = "a key and an R of small order, under which anything holds"
"""What not every library refuses."""


class Signer:
    """A key made of a name, the same every time."""

    def __init__(self, name: str) -> None:
        """Make the key."""
        self.seed = hashlib.sha256(f"netplay vector {name}".encode()).digest()
        self._private = Ed25519PrivateKey.from_private_bytes(self.seed)
        self.key = self._private.public_key().public_bytes_raw()

    def sign(self, data: bytes) -> bytes:
        """Return the Ed25519 signature of data."""
        return self._private.sign(data)


WHERE: Final = "8.9.3.2:4770", "[2001:db8::12]:4770"

ANN: Final = Signer("Ann")
BOB: Final = Signer("Bob")


def frames() -> bytes:
    """Return the frames of a letter of Bob's to Ann, in which there is only chat."""
    table, text = filled(0x30), "schön, 漢字!"
    line = Chat(table, BOB.key, 7, text, BOB.sign(chat_data(table, 7, text)))
    return encode(Heard(table, ((ANN.key, 2),), asks=False)) + encode(line)


def signatures() -> dict[str, Any]:
    """Return the vectors."""
    body = pack(Turn(0, filled(3), filled(7), b"\x92\xa5place\x2a", ()))
    head = filled(3)
    author = BOB.sign(author_data(MATCH, 5, body))
    fields = (9, 1, head, 1234, BOB.key, 5, body, author)
    posted = frames()
    signed = [
        _signed("terms", ANN, {"terms": pack(TERMS)}, terms_data(TERMS)),
        _signed(
            "author",
            BOB,
            {"match": MATCH, "own": 5, "body": body},
            author_data(MATCH, 5, body),
        ),
        _signed(
            "entry",
            ANN,
            {"match": MATCH, "fields": pack(fields)},
            entry_data(MATCH, fields),
        ),
        _signed(
            "term",
            ANN,
            {"match": MATCH, "term": 1, "key": BOB.key, "number": 512, "head": head},
            term_data(MATCH, 1, BOB.key, 512, head),
        ),
        _signed(
            "ack",
            BOB,
            {
                "match": MATCH,
                "term": 1,
                "number": 512,
                "head": head,
                "state": filled(7),
            },
            ack_data(MATCH, 1, 512, head, filled(7)),
        ),
        _signed(
            "hand",
            ANN,
            {"match": MATCH, "seat": 2, "count": 0, "key": BOB.key, "name": "Zoë"},
            hand_data(MATCH, 2, BOB.key, "Zoë", 0),
        ),
        _signed(
            "chat",
            BOB,
            {"table": filled(0x30), "number": 7, "text": "schön, 漢字!"},
            chat_data(filled(0x30), 7, "schön, 漢字!"),
        ),
        _signed(
            "posted",
            BOB,
            {"match": MATCH, "to": ANN.key, "number": 1234567890123, "frames": posted},
            letter_data(MATCH, ANN.key, 1234567890123, posted),
        ),
        _signed(
            "places",
            BOB,
            {"owner": BOB.key, "number": 1_700_000_000, "places": pack(WHERE)},
            places_data(BOB.key, 1_700_000_000, WHERE),
        ),
        _signed(
            "beacon", ANN, {"beacon": b"\x98\xc4\x20"}, beacon_data(b"\x98\xc4\x20")
        ),
    ]
    keys = [
        {
            "name": name,
            "seed": signer.seed.hex(),
            "public": signer.key.hex(),
            "fingerprint": fingerprint(signer.key),
        }
        for name, signer in (("Ann", ANN), ("Bob", BOB))
    ]
    return {
        "keys": keys,
        "pair": pair(ANN.seed, ANN.key, BOB.key).hex(),
        "appointment": _appointment(),
        "introduction": _introduction(),
        "valid": signed,
        "invalid": _invalid(signed),
    }


def _appointment() -> dict[str, Any]:
    """Return an item that Ann leaves in the DHT for Bob."""
    day, nonce = 19675, bytes(range(12))
    common = appointed(ANN.seed, ANN.key, BOB.key)
    where = spot(common, ANN.key, day)
    number, call = 1_700_000_000, 1_700_000_020
    signature = ANN.sign(places_data(ANN.key, number, WHERE))
    said = Appointment(number, WHERE, signature, call)
    return {
        "common": common.hex(),
        "day": day,
        "seed": where.seed.hex(),
        "key": where.key.hex(),
        "salt": where.salt.hex(),
        "seal": where.cipher.hex(),
        "nonce": nonce.hex(),
        "number": number,
        "places": WHERE,
        "signature": signature.hex(),
        "call": call,
        "item": sealed(where, said, nonce).hex(),
    }


def _introduction() -> dict[str, Any]:
    """Return an item that Bob leaves in the DHT who has pasted Ann's invitation."""
    day, nonce, call = 19675, bytes(range(12)), 1_700_000_020
    line = invitation.write(
        ["8.9.3.2"], ANN.key, 4770, invitation.new_secret(bytes(range(16)))
    )
    common = invitation.read(line).common()
    where = spot(common, GUEST, day)
    said = introduced(where, BOB.key, call, WHERE, BOB.sign)
    return {
        "invitation": line,
        "common": common.hex(),
        "day": day,
        "key": where.key.hex(),
        "salt": where.salt.hex(),
        "seal": where.cipher.hex(),
        "nonce": nonce.hex(),
        "places": WHERE,
        "call": call,
        "signature": said.signature.hex(),
        "item": sealed(where, said, nonce).hex(),
    }


def _signed(
    use: str, signer: Signer, parts: dict[str, Any], data: bytes
) -> dict[str, Any]:
    """Return a signature and what it is over."""
    return {
        "use": use,
        "key": signer.key.hex(),
        "parts": {
            name: part.hex() if isinstance(part, bytes) else part
            for name, part in parts.items()
        },
        "signed": data.hex(),
        "signature": signer.sign(data).hex(),
    }


def _invalid(signed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return signatures that must fail: BAD_SIGNATURE, all of them."""
    found: list[dict[str, Any]] = []
    for good in signed:
        signature = bytes.fromhex(good["signature"])
        data = bytes.fromhex(good["signed"])
        other = ANN if good["key"] == BOB.key.hex() else BOB
        order = 2**252 + 27742317777372353535851937790883648493
        lifted = int.from_bytes(signature[32:], "little") + order
        changes = {
            "a bit of R changed": {"signature": _flip(signature, 0)},
            "a bit of S changed": {"signature": _flip(signature, 40)},
            "S plus the order of the group": {
                "signature": (signature[:32] + lifted.to_bytes(32, "little")).hex()
            },
            "a bit of the data changed": {"signed": _flip(data, len(data) - 1)},
            "another use": {"signed": data.replace(b"/1 ", b"/1 x", 1).hex()},
            "another key": {"key": other.key.hex()},
            "a key that is no point": {"key": "02" + "00" * 31},
            "all zero": {"signature": "00" * 64},
            SMALL: {"key": "01" + "00" * 31, "signature": "01" + "00" * 63},
        }
        use, key = good["use"], good["key"]
        same = {"key": key, "signed": good["signed"], "signature": good["signature"]}
        found += [
            {"name": f"{use}: {name}", **same, **change}
            for name, change in changes.items()
        ]
    return found


def _flip(data: bytes, at: int) -> str:
    """Return data with one bit changed."""
    return (data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]).hex()
