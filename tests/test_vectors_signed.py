"""The vectors of signatures and keys, and the formulas of what is signed."""

import base64
from typing import Any

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from netplay.errors import Code, PeerError
from netplay.finding.discovery import beacon_data, decode
from netplay.fingerprint import fingerprint
from netplay.messages.table import Terms
from netplay.record.letter import letter_data
from netplay.record.log import (
    ack_data,
    author_data,
    check_signature,
    entry_data,
    hand_data,
    match_of,
    term_data,
    terms_data,
)
from netplay.table.chat import chat_data
from netplay.wire import unpack
from tests.written import load, sha, tag, u64
from tools.protocol.signing import SMALL

SIGNATURES = load("signatures")
BEACONS = load("beacons")


def signed_by_the_page(use: str, parts: dict[str, Any]) -> bytes:
    """Return what protocol.md says is signed."""
    raw: dict[str, bytes] = {
        name: bytes.fromhex(part)
        for name, part in parts.items()
        if isinstance(part, str) and name not in {"name", "text"}
    }
    match use:
        case "terms":
            return tag("terms") + sha(raw["terms"])
        case "author":
            return tag("author") + raw["match"] + u64(parts["own"]) + raw["body"]
        case "entry":
            return tag("entry") + raw["match"] + raw["fields"]
        case "term":
            place = raw["key"] + u64(parts["number"]) + raw["head"]
            return tag("term") + raw["match"] + u64(parts["term"]) + place
        case "ack":
            place = u64(parts["term"]) + u64(parts["number"]) + raw["head"]
            return tag("ack") + raw["match"] + place + raw["state"]
        case "hand":
            numbers = u64(parts["seat"]) + u64(parts["count"])
            name: bytes = parts["name"].encode()
            return tag("hand") + raw["match"] + numbers + raw["key"] + name
        case "beacon":
            return tag("beacon") + raw["beacon"]
        case "posted":
            frames = u64(parts["number"]) + raw["frames"]
            return tag("posted") + raw["match"] + raw["to"] + frames
        case "chat":
            text: bytes = parts["text"].encode()
            return tag("chat") + raw["table"] + u64(parts["number"]) + text
        case _:
            raise AssertionError(use)


def signed_by_the_code(use: str, parts: dict[str, Any]) -> bytes:
    """Return what the code signs."""
    raw: dict[str, Any] = {
        name: bytes.fromhex(part) if isinstance(part, str) else part
        for name, part in parts.items()
        if name not in {"name", "text"}
    }
    match use:
        case "terms":
            terms: Terms = unpack(raw["terms"], Terms)
            assert match_of(terms) == sha(raw["terms"])
            return terms_data(terms)
        case "author":
            return author_data(raw["match"], raw["own"], raw["body"])
        case "entry":
            return entry_data(raw["match"], msgspec.msgpack.decode(raw["fields"]))
        case "term":
            place = raw["term"], raw["key"], raw["number"], raw["head"]
            return term_data(raw["match"], *place)
        case "ack":
            place = raw["term"], raw["number"], raw["head"], raw["state"]
            return ack_data(raw["match"], *place)
        case "hand":
            seat, key, count = raw["seat"], raw["key"], raw["count"]
            return hand_data(raw["match"], seat, key, parts["name"], count)
        case "beacon":
            return beacon_data(raw["beacon"])
        case "posted":
            place = raw["match"], raw["to"], raw["number"]
            return letter_data(*place, raw["frames"])
        case _:
            return chat_data(raw["table"], raw["number"], parts["text"])


@pytest.mark.parametrize("case", SIGNATURES["valid"], ids=lambda c: c["use"])
def test_what_is_signed_is_what_the_page_says(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["signed"])
    assert signed_by_the_page(case["use"], case["parts"]) == data
    assert signed_by_the_code(case["use"], case["parts"]) == data
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(case["key"]))
    key.verify(bytes.fromhex(case["signature"]), data)
    check_signature(bytes.fromhex(case["key"]), bytes.fromhex(case["signature"]), data)


@pytest.mark.parametrize("case", SIGNATURES["invalid"], ids=lambda c: c["name"])
def test_a_signature_that_is_none_is_refused(case: dict[str, Any]) -> None:
    raw = [bytes.fromhex(case[part]) for part in ("key", "signature", "signed")]
    with pytest.raises(PeerError) as caught:
        check_signature(*raw)
    assert caught.value.code is Code.BAD_SIGNATURE
    if SMALL in case["name"]:
        return  # the other library takes it
    with pytest.raises((InvalidSignature, ValueError)):
        Ed25519PublicKey.from_public_bytes(raw[0]).verify(raw[1], raw[2])


@pytest.mark.parametrize("case", SIGNATURES["keys"], ids=lambda c: c["name"])
def test_a_key_has_the_fingerprint_named(case: dict[str, Any]) -> None:
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(case["seed"]))
    public = private.public_key().public_bytes_raw()
    assert public.hex() == case["public"]
    letters = base64.b32encode(sha(public)).decode()[:20]
    groups = "-".join(letters[at : at + 4] for at in range(0, 20, 4))
    assert groups == case["fingerprint"] == fingerprint(public)


@pytest.mark.parametrize("case", BEACONS["heard"])
def test_a_beacon_is_what_the_page_says(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["datagram"])
    packed, signature = data[8:-64], data[-64:]
    assert data[:8] == b"netplay\x01"
    assert [
        each.hex() if isinstance(each, bytes) else each
        for each in msgspec.msgpack.decode(packed)
    ] == case["fields"]
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(case["fields"][0]))
    key.verify(signature, tag("beacon") + packed)
    heard = decode(data)
    assert heard is not None
    assert heard.holds()


@pytest.mark.parametrize("case", BEACONS["ignored"], ids=lambda c: c["name"])
def test_a_datagram_that_is_no_beacon_is_ignored(case: dict[str, Any]) -> None:
    heard = decode(bytes.fromhex(case["datagram"]))
    assert heard is None or not heard.holds()
