"""The vectors of signatures and keys, and the formulas of what is signed."""

import base64
import hashlib
import hmac
from typing import Any

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from nacl.bindings import crypto_scalarmult, crypto_sign_ed25519_pk_to_curve25519

from netplay.errors import Code, PeerError
from netplay.finding.appointments import GUEST, read_item, spot
from netplay.finding.discovery import beacon_data, decode
from netplay.finding.telling import places_data
from netplay.fingerprint import fingerprint
from netplay.messages.link import Appointment, Introduction
from netplay.messages.table import Terms
from netplay.peering import invitation
from netplay.record.letter import appointed, letter_data, pair
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
        case "places":
            return tag("places") + raw["owner"] + u64(parts["number"]) + raw["places"]
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
        case "places":
            told = tuple(msgspec.msgpack.decode(raw["places"]))
            return places_data(raw["owner"], raw["number"], told)
        case "posted":
            to = raw["match"], raw["to"], raw["number"]
            return letter_data(*to, raw["frames"])
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


def test_an_item_in_the_dht_is_what_the_page_says() -> None:
    told = SIGNATURES["appointment"]
    raw = {name: bytes.fromhex(told[name]) for name in ("common", "key", "item")}
    ann, bob = SIGNATURES["keys"]
    seed, key = bytes.fromhex(bob["seed"]), bytes.fromhex(bob["public"])
    owner = bytes.fromhex(ann["public"])
    # By the page: Bob works out where Ann's item lies, and opens it.
    secret = hashlib.sha512(seed).digest()[:32]
    shared = crypto_scalarmult(secret, crypto_sign_ed25519_pk_to_curve25519(owner))
    common = sha(tag("appointed") + b"".join(sorted((key, owner))) + shared)
    assert common == raw["common"]

    def derived(use: str, size: int, whose: bytes) -> bytes:
        info = tag(use) + u64(told["day"]) + whose
        early = hmac.digest(bytes(32), common, "sha256")
        return hmac.digest(early, info + b"\x01", "sha256")[:size]

    signs = Ed25519PrivateKey.from_private_bytes(derived("dhtkey", 32, b""))
    assert signs.public_key().public_bytes_raw() == raw["key"]
    assert derived("dhtsalt", 16, owner).hex() == told["salt"]
    item, cipher = raw["item"], ChaCha20Poly1305(derived("dhtseal", 32, owner))
    assert len(item) == 768
    text = cipher.decrypt(item[:12], item[12:], raw["key"])
    size = int.from_bytes(text[:2], "big")
    assert text[2 + size :] == bytes(740 - 2 - size)
    number, places, signature, call = msgspec.msgpack.decode(text[2 : 2 + size])
    assert [number, places, call] == [told["number"], told["places"], told["call"]]
    data = tag("places") + owner + u64(number) + msgspec.msgpack.encode(places)
    Ed25519PublicKey.from_public_bytes(owner).verify(signature, data)
    # And the code says the same.
    where = spot(appointed(seed, key, owner), owner, told["day"])
    assert (where.key.hex(), where.salt.hex()) == (told["key"], told["salt"])
    assert read_item(where, item, Appointment).places == tuple(places)


def test_a_stranger_s_item_in_the_dht_is_what_the_page_says() -> None:
    told = SIGNATURES["introduction"]
    ann, bob = SIGNATURES["keys"]
    line, owner = told["invitation"], bytes.fromhex(bob["public"])
    # By the page: whoever has the line works out where the item lies, and opens it.
    places, _, print_ = line.removeprefix("netplay:").partition("#")
    (secret,) = [p[4:] for p in places.split(",") if p.startswith("dht/")]
    assert print_ == ann["fingerprint"]
    alike = str.maketrans("01L2568", "OIIZSGB")
    folded = [t.replace("-", "").upper().translate(alike) for t in (print_, secret)]
    common = sha(tag("invited") + "".join(folded).encode())
    assert common.hex() == told["common"]

    def derived(use: str, size: int, whose: bytes) -> bytes:
        info = tag(use) + u64(told["day"]) + whose
        early = hmac.digest(bytes(32), common, "sha256")
        return hmac.digest(early, info + b"\x01", "sha256")[:size]

    signs = Ed25519PrivateKey.from_private_bytes(derived("dhtkey", 32, b""))
    key, salt = (bytes.fromhex(told[name]) for name in ("key", "salt"))
    assert signs.public_key().public_bytes_raw() == key
    assert derived("dhtsalt", 16, b"guest") == salt
    item = bytes.fromhex(told["item"])
    cipher = ChaCha20Poly1305(derived("dhtseal", 32, b"guest"))
    text = cipher.decrypt(item[:12], item[12:], key)
    size = int.from_bytes(text[:2], "big")
    assert text[2 + size :] == bytes(740 - 2 - size)
    who, named, call, signature = msgspec.msgpack.decode(text[2 : 2 + size])
    assert [who, named, call] == [owner, told["places"], told["call"]]
    data = tag("introduced") + key + salt + u64(call) + msgspec.msgpack.encode(named)
    Ed25519PublicKey.from_public_bytes(owner).verify(signature, data)
    # And the code says the same.
    where = spot(invitation.read(line).common(), GUEST, told["day"])
    assert (where.key, where.salt) == (key, salt)
    assert read_item(where, item, Introduction).places == tuple(named)


def test_two_alone_know_the_name_of_their_pair() -> None:
    ann, bob = SIGNATURES["keys"]
    seeds = [bytes.fromhex(one["seed"]) for one in (ann, bob)]
    keys = [bytes.fromhex(one["public"]) for one in (ann, bob)]
    assert SIGNATURES["pair"] == pair(seeds[0], keys[0], keys[1]).hex()
    assert SIGNATURES["pair"] == pair(seeds[1], keys[1], keys[0]).hex()
    # By the page: the secret scalar of one, and the other's key in its other form.
    secret = hashlib.sha512(seeds[0]).digest()[:32]
    shown = crypto_sign_ed25519_pk_to_curve25519(keys[1])
    common = crypto_scalarmult(secret, shown)
    named = sha(tag("pair") + b"".join(sorted(keys)) + common)[:16]
    assert SIGNATURES["pair"] == named.hex()
    # A third key, or one that is no point, has no part in it.
    assert pair(bytes(32), keys[0], keys[1]).hex() != SIGNATURES["pair"]
    assert pair(seeds[0], keys[0], bytes(32)) == b""


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
