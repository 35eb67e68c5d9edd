"""The vectors of protocol.md hold for this code, and for formulas written down twice.

What is derived is derived here once more, with hashes and bytes alone, as the page
says it; so the page, the vectors and the code agree.
"""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from netplay.errors import Code, PeerError
from netplay.messages.log import LogBody, Proof
from netplay.messages.table import Terms
from netplay.peering.fingerprint import fingerprint
from netplay.record import chance
from netplay.record.fold import Fold
from netplay.record.ledger import empty_log, follow, read_terms
from netplay.record.log import (
    Log,
    Ring,
    author_data,
    entry_data,
    hand_data,
    match_of,
    read_entry,
    term_data,
    terms_data,
)
from netplay.record.store import records
from netplay.record.verify import verify
from netplay.table.chat import chat_data
from netplay.wire import KINDS, Frame, FrameReader, decode, encode, pack, unpack
from rules import editions
from rules.game import IllegalMoveError
from tests import second_node
from tools.protocol import tables, vectors
from tools.protocol.examples import STRUCTS


def load(name: str) -> Any:
    return json.loads((vectors.FOLDER / f"{name}.json").read_text("utf-8"))


FRAMES, MESSAGES, STRUCT_VECTORS = load("frames"), load("messages"), load("bodies")
SIGNATURES, CHANCE = load("signatures"), load("chance")
MATCHES, CROOKED = load("matches")["matches"], load("matches")["crooked"]


def joined(parts: list[Any]) -> bytes:
    """Return the bytes that parts stand for."""
    return b"".join(
        bytes.fromhex(p)
        if isinstance(p, str)
        else bytes.fromhex(p["byte"]) * p["times"]
        for p in parts
    )


@pytest.mark.parametrize(
    "name", ["frames", "messages", "bodies", "signatures", "chance"]
)
def test_the_files_are_what_the_tool_writes(name: str) -> None:
    assert vectors.text(name) == (vectors.FOLDER / f"{name}.json").read_text("utf-8")


def test_there_are_enough_cases_that_must_fail() -> None:
    invalid = sum(len(each["invalid"]) for each in (*MESSAGES, *STRUCT_VECTORS))
    wrong = sum(len(each["wrong"]) + len(each["changed"]) for each in MATCHES)
    assert invalid >= 500
    assert wrong >= 150
    assert all(each["valid"] and each["invalid"] for each in MESSAGES)


def test_every_message_and_every_body_has_vectors() -> None:
    assert {each["message"] for each in MESSAGES} == {
        kind.__name__ for kind in KINDS.values()
    }
    assert {each["struct"] for each in STRUCT_VECTORS} >= set(tables.bodies())


# Frames.


@pytest.mark.parametrize("case", FRAMES, ids=lambda c: c["name"].replace(" ", "_"))
def test_a_stream_of_the_vectors_is_cut_as_it_says(case: dict[str, Any]) -> None:
    reader = FrameReader(case["limit"])
    found: list[Frame] = []
    error = None
    reader.feed(joined(case["stream"]))
    try:
        while (frame := reader.next()) is not None:
            found.append(frame)
    except PeerError as caught:
        error = caught.code.name
    assert error == case["error"]
    wanted = [Frame(f["type"], joined(f["payload"])) for f in case["frames"]]
    assert found == wanted
    if error is None:
        assert reader.waiting == case["waiting"]
    if "refused" in case:
        with pytest.raises(PeerError) as refused:
            decode(found[0])
        assert refused.value.code.name == case["refused"]


# Messages and bodies.


def refusals(invalid: list[dict[str, Any]], read: Callable[[bytes], Any]) -> Any:
    """Return name -> code for everything that was refused."""
    found: dict[str, str] = {}
    for case in invalid:
        try:
            read(joined(case["payload"]))
        except PeerError as error:
            found[case["name"]] = error.code.name
    return found


@pytest.mark.parametrize("each", MESSAGES, ids=lambda each: each["message"])
def test_a_valid_frame_has_the_fields_named(each: dict[str, Any]) -> None:
    for case in each["valid"]:
        data = bytes.fromhex(case["frame"])
        message = decode(Frame(data[4], data[5:]))
        assert message is not None
        assert type(message).__name__ == each["message"]
        assert data[4] == each["type"]
        assert vectors.plain(message) == case["fields"]
        assert encode(message) == data


@pytest.mark.parametrize("each", MESSAGES, ids=lambda each: each["message"])
def test_an_invalid_payload_is_refused_with_its_code(each: dict[str, Any]) -> None:
    found = refusals(each["invalid"], lambda data: decode(Frame(each["type"], data)))
    assert found == {case["name"]: case["error"] for case in each["invalid"]}


def struct_kind(name: str) -> Any:
    """Return what bytes of a body or struct are read as."""
    kinds = {kind.__name__: kind for kind in STRUCTS}
    return kinds.get(name, LogBody)


@pytest.mark.parametrize("each", STRUCT_VECTORS, ids=lambda each: each["struct"])
def test_a_valid_body_has_the_fields_named(each: dict[str, Any]) -> None:
    for case in each["valid"]:
        value = unpack(bytes.fromhex(case["bytes"]), struct_kind(each["struct"]))
        assert type(value).__name__ == each["struct"]
        assert vectors.plain(value) == case["fields"]
        assert pack(value).hex() == case["bytes"]


@pytest.mark.parametrize("each", STRUCT_VECTORS, ids=lambda each: each["struct"])
def test_an_invalid_body_is_refused_with_its_code(each: dict[str, Any]) -> None:
    kind = struct_kind(each["struct"])
    found = refusals(each["invalid"], lambda data: unpack(data, kind))
    assert found == {case["name"]: case["error"] for case in each["invalid"]}


# Signatures: the formulas of protocol.md, with bytes alone.


def tag(name: str) -> bytes:
    return b"netplay/1 " + name.encode("ascii") + b"\0"


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


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
        case "hand":
            numbers = u64(parts["seat"]) + u64(parts["count"])
            name: bytes = parts["name"].encode()
            return tag("hand") + raw["match"] + numbers + raw["key"] + name
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
        case "hand":
            seat, key, count = raw["seat"], raw["key"], raw["count"]
            return hand_data(raw["match"], seat, key, parts["name"], count)
        case _:
            return chat_data(raw["table"], raw["number"], parts["text"])


@pytest.mark.parametrize("case", SIGNATURES["valid"], ids=lambda c: c["use"])
def test_what_is_signed_is_what_the_page_says(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["signed"])
    assert signed_by_the_page(case["use"], case["parts"]) == data
    assert signed_by_the_code(case["use"], case["parts"]) == data
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(case["key"]))
    key.verify(bytes.fromhex(case["signature"]), data)
    Ring().verify(bytes.fromhex(case["key"]), bytes.fromhex(case["signature"]), data)


@pytest.mark.parametrize("case", SIGNATURES["invalid"], ids=lambda c: c["name"])
def test_a_signature_that_is_none_is_refused(case: dict[str, Any]) -> None:
    raw = [bytes.fromhex(case[part]) for part in ("key", "signature", "signed")]
    with pytest.raises(PeerError) as caught:
        Ring().verify(*raw)
    assert caught.value.code is Code.BAD_SIGNATURE
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


# Chance: the formulas of protocol.md, with hashes alone.

MATCH = bytes.fromhex(CHANCE["match"])
SEEDS = {bytes.fromhex(k): bytes.fromhex(s) for k, s in CHANCE["seeds"].items()}
IN_ORDER = b"".join(SEEDS[key] for key in sorted(SEEDS))


class PlainStream:
    """SHAKE-256 cut into words of 8 bytes; much of it at once."""

    def __init__(self, key: bytes) -> None:
        data = hashlib.shake_256(key).digest(1 << 16)
        words = (data[at : at + 8] for at in range(0, len(data), 8))
        self.words = (int.from_bytes(word, "big") for word in words)

    def below(self, count: int) -> int:
        bound = 2**64 - 2**64 % count
        return next(word for word in self.words if word < bound) % count


@pytest.mark.parametrize("case", CHANCE["commitments"], ids=lambda c: c["digest"][:8])
def test_a_commitment_is_the_digest_that_the_page_says(case: dict[str, Any]) -> None:
    author, seed = bytes.fromhex(case["author"]), bytes.fromhex(case["seed"])
    digest = sha(tag("commit"), MATCH, u64(case["round"]), author, seed)
    assert digest.hex() == case["digest"]
    assert chance.commitment(MATCH, case["round"], author, seed) == digest


@pytest.mark.parametrize("case", CHANCE["streams"], ids=lambda c: c["key"][:8])
def test_a_stream_gives_the_numbers_named(case: dict[str, Any]) -> None:
    key = bytes.fromhex(case["key"])
    plain, real = PlainStream(key), chance.Stream(key)
    for count, number in case["below"]:
        assert plain.below(count) == number
        assert real.below(count) == number


def test_public_chance_follows_from_the_seeds() -> None:
    key = sha(tag("public"), MATCH, IN_ORDER)
    assert key.hex() == CHANCE["public"]["key"]
    assert chance.public_key(MATCH, [SEEDS[k] for k in sorted(SEEDS)]) == key
    for each in CHANCE["public"]["picks"]:
        number, count = each["number"], each["count"]
        stream = PlainStream(tag("pick") + key + u64(number))
        assert stream.below(count) == each["index"]
        assert chance.pick(key, number, count) == each["index"]


def merkle(leaves: list[bytes]) -> bytes:
    level = list(leaves)
    while len(level) & (len(level) - 1):
        level.append(bytes(32))
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=True)
        level = [sha(tag("node"), left, right) for left, right in pairs]
    return level[0]


@pytest.mark.parametrize("case", CHANCE["bags"], ids=lambda c: f"round_{c['round']}")
def test_a_bag_follows_from_the_seeds(case: dict[str, Any]) -> None:
    round_, first, size = case["round"], case["first"], len(case["kinds"])
    secret = SEEDS[bytes.fromhex(case["dealer"])]
    stream = PlainStream(tag("bag") + MATCH + u64(round_) + IN_ORDER)
    order = list(case["kinds"])
    for last in range(size - 1, 0, -1):
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    tiles = range(first, first + size)
    salts = [sha(tag("salt"), MATCH, u64(round_), secret, u64(i)) for i in tiles]
    leaves = [
        sha(tag("leaf"), u64(i), u64(kind), salt)
        for i, kind, salt in zip(tiles, order, salts, strict=True)
    ]
    assert order == case["order"]
    assert [salt.hex() for salt in salts] == case["salts"]
    assert [leaf.hex() for leaf in leaves] == case["leaves"]
    assert merkle(leaves).hex() == case["root"]
    seeds = [SEEDS[key] for key in sorted(SEEDS)]
    bag = chance.Bag(MATCH, round_, first, case["kinds"], secret, seeds)
    assert bag.deal.root.hex() == case["root"]
    assert list(bag.kinds) == order


def proof_of(written: list[Any]) -> Proof:
    tile, kind, salt, path = written
    return Proof(tile, kind, bytes.fromhex(salt), tuple(map(bytes.fromhex, path)))


@pytest.mark.parametrize("case", CHANCE["bags"], ids=lambda c: f"round_{c['round']}")
def test_proofs_lead_to_the_root_and_faulty_ones_do_not(case: dict[str, Any]) -> None:
    size = len(case["kinds"])
    root = bytes.fromhex(case["root"])
    deal = chance.Deal(case["round"], case["first"], size, root)
    for written in case["proofs"]:
        deal.check(proof_of(written))
    for bad in case["bad_proofs"]:
        with pytest.raises(PeerError) as caught:
            deal.check(proof_of(bad["proof"]))
        assert caught.value.code is Code.BAD_PROOF


@pytest.mark.parametrize("case", CHANCE["shares"], ids=lambda c: str(len(c["shares"])))
def test_shares_follow_from_the_seed_and_give_it_back(case: dict[str, Any]) -> None:
    seed, round_ = bytes.fromhex(case["seed"]), case["round"]
    receivers = [bytes.fromhex(each["receiver"]) for each in case["shares"]]
    shares = [bytes.fromhex(each["share"]) for each in case["shares"]]
    assert receivers == sorted(receivers)
    for receiver, share in list(zip(receivers, shares, strict=True))[:-1]:
        assert share == sha(tag("pad"), MATCH, u64(round_), seed, receiver)
    together = 0
    for share in shares:
        together ^= int.from_bytes(share, "big")
    assert together.to_bytes(32, "big") == seed == chance.join(shares)
    for each, receiver, share in zip(case["shares"], receivers, shares, strict=True):
        digest = sha(tag("share"), MATCH, u64(round_), receiver, share)
        assert digest.hex() == each["digest"]
        assert chance.share_digest(MATCH, round_, receiver, share) == digest


# Match files.


@pytest.mark.parametrize("case", MATCHES, ids=lambda c: c["name"].split(",")[0])
def test_a_match_file_has_the_verdict_named(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["file"])
    verdict = verify(data)
    for name, value in case["verdict"].items():
        found = getattr(verdict, name)
        assert (list(found) if isinstance(found, tuple) else found) == value
    raws = [record.entry for record in records(data)]
    assert [sha(raw).hex() for raw in raws] == case["heads"]
    assert match_of(read_terms(raws[0])).hex() == case["match"]
    assert [m.key.hex() for m in read_terms(raws[0]).members] == case["members"]


def changes() -> list[Any]:
    return [
        pytest.param(match, change, id=f"{match['verdict']['game']}-{change['name']}")
        for match in MATCHES
        for change in match["changed"]
    ]


@pytest.mark.parametrize(("match", "change"), changes())
def test_a_changed_match_file_is_refused_and_the_place_is_named(
    match: dict[str, Any], change: dict[str, Any]
) -> None:
    data = bytes.fromhex(match["file"])
    start, end = change["from"], change["to"]
    changed = data[:start] + bytes.fromhex(change["with"]) + data[end:]
    verdict = verify(changed)
    assert not verdict.ok
    assert verdict.entries == change["entries"]
    if change["entries"]:
        assert f"entry {change['entries']}" in verdict.reason
    assert "byte " in verdict.reason


@pytest.mark.parametrize("case", MATCHES, ids=lambda c: c["name"].split(",")[0])
def test_a_reader_written_from_the_page_alone_agrees(case: dict[str, Any]) -> None:
    reader = second_node.Reader()
    reader.file(bytes.fromhex(case["file"]))
    assert reader.match.hex() == case["match"]
    assert reader.number == case["verdict"]["entries"]
    assert reader.head.hex() == case["heads"][-1]
    word_game = case["verdict"]["game"] == "networdz"
    assert bool(reader.roots) == word_game
    assert bool(reader.proofs) == word_game
    if 1 in reader.opened:
        edition = editions.find(reader.terms[3].hex())
        kinds = [k for k, count in enumerate(edition.counts) for _ in range(count)]
        assert reader.root(1, reader.order(1, kinds)) == reader.roots[1][1]


@pytest.mark.parametrize("match", MATCHES, ids=lambda c: c["name"].split(",")[0])
def test_a_reader_written_from_the_page_alone_refuses_changes(
    match: dict[str, Any],
) -> None:
    data = bytes.fromhex(match["file"])
    for change in match["changed"]:
        start, end = change["from"], change["to"]
        changed = data[:start] + bytes.fromhex(change["with"]) + data[end:]
        with pytest.raises(second_node.RefusedError):
            second_node.Reader().file(changed)


def replayed(match: dict[str, Any], count: int) -> tuple[Log, Fold]:
    raws = [record.entry for record in records(bytes.fromhex(match["file"]))]
    terms = read_terms(raws[0])
    log, fold = empty_log(terms), Fold(terms)
    for raw in raws[:count]:
        follow(log, fold, log.read(raw, fold.host_after))
    return log, fold


@pytest.mark.parametrize("match", MATCHES, ids=lambda c: c["name"].split(",")[0])
def test_an_entry_that_does_not_follow_is_refused_with_its_code(
    match: dict[str, Any],
) -> None:
    found: dict[str, str] = {}
    at: dict[int, tuple[Log, Fold]] = {}
    for wrong in match["wrong"]:
        after = wrong["after"]
        if after not in at:
            at[after] = replayed(match, after)
        log, fold = at[after]
        before = pack(fold.state), fold.number, len(log), log.head
        try:
            follow(log, fold, log.read(bytes.fromhex(wrong["entry"]), fold.host_after))
        except PeerError as error:
            found[wrong["name"]] = error.code.name
        except IllegalMoveError:
            found[wrong["name"]] = Code.ILLEGAL_MOVE.name
        assert (pack(fold.state), fold.number, len(log), log.head) == before
    assert found == {wrong["name"]: wrong["error"] for wrong in match["wrong"]}


@pytest.mark.parametrize("case", CROOKED, ids=lambda c: c["name"].split(",")[0])
def test_a_crooked_dealer_is_named_by_the_audit(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["file"])
    verdict = verify(data)
    assert not verdict.ok
    assert verdict.entries == case["entries"]
    assert verdict.reason == case["reason"]
    assert "audit" in verdict.reason
    reader = second_node.Reader()
    reader.file(data)
    counts = editions.find(reader.terms[3].hex()).counts
    kinds = [kind for kind, count in enumerate(counts) for _ in range(count)]
    assert reader.root(1, reader.order(1, kinds)) != reader.roots[1][1]


def test_entries_of_the_vectors_are_canonical() -> None:
    for match in MATCHES:
        for record in records(bytes.fromhex(match["file"])):
            assert pack(read_entry(record.entry)) == record.entry
