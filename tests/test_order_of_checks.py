"""Where several things are wrong at once, the first in section 23 gives the code."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.limits import FRAMES_AT_ONCE
from netplay.messages.door import Join
from netplay.messages.link import Hello, Ping, Welcome
from netplay.messages.log import Submit
from netplay.messages.table import Accept, Chat, Piece, Terms
from netplay.peering.link import Closed, Link
from netplay.record import letter
from netplay.record.playable import playable
from netplay.table.resources import Fetch, Kind
from netplay.wire import encode
from rules import networdz
from rules.numlo import Options
from tests.netplay.joined_nodes import Net, table
from tests.netplay.pair import anybody, hello
from tests.netplay.party import Key, Party, make_terms

FLOOD = encode(Ping(1)) * int(FRAMES_AT_ONCE)
EVEN, ODD = b"\x00\x00\x00\x02\x66\x91", b"\x00\x00\x00\x02\x65\x91"
LONG_HELLO = b"\x00\x00\x00\x03\x01\xcc\x01"


def refused(act: Callable[[], Any]) -> str:
    """Return the code with which something is refused; nothing if it is dropped."""
    try:
        act()
    except PeerError as error:
        return error.code.name
    return ""


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xff\xff\xff", Code.TOO_LARGE),  # before more of it has come
        (FLOOD + EVEN, Code.TOO_MANY),  # of an unknown type, and one too many
        (FLOOD + ODD, Code.TOO_MANY),  # what is ignored counts
        (EVEN, Code.UNEXPECTED),  # no value either
        (LONG_HELLO, Code.BAD_FRAME),  # out of place, no Hello, and not the shortest
        (b"\x00\x00\x00\x04\x03\x91\xcc\x01", Code.NOT_CANONICAL),
        (encode(hello(3)), Code.UNEXPECTED),
    ],
)
def test_bytes_on_an_open_link(data: bytes, code: Code) -> None:
    link = Link(hello(1), anybody, 0.0)
    link.receive(encode(hello(2)) + encode(Welcome(1, ())), 0.0)
    (closed,) = [e for e in link.receive(data, 0.0) if isinstance(e, Closed)]
    assert closed.code is code


def test_a_hello_of_ours_that_no_version_fits_is_ours() -> None:
    def unwelcome(_hello: Hello) -> None:
        raise PeerError(Code.BUSY)

    for theirs, code in (
        (hello(1, versions=(9,)), Code.SELF),
        (hello(2, versions=(9,)), Code.VERSION),
        (hello(2), Code.BUSY),
    ):
        (closed,) = Link(hello(1), unwelcome, 0.0).receive(encode(theirs), 0.0)
        assert isinstance(closed, Closed)
        assert closed.code is code


def test_terms_with_several_faults() -> None:
    keys = [Key("ann"), Key("bob")]
    good = make_terms("numlo", keys, Options(start="latin"))
    twice = replace(good, members=(good.members[0],) * 2, lexicon=bytes(32))
    options = replace(twice, options=b"\x91\xcc\x01")
    longer = replace(twice, options=b"\xdc\x00" + bytes((good.options[0] & 15,)))
    longer = replace(longer, options=longer.options + good.options[1:])
    alone = replace(options, seats=good.seats[:1])
    old = replace(alone, rules=good.rules + 1)
    apart = make_terms("networdz", keys, networdz.Options(tournament=True, hints=True))
    both = replace(apart, members=twice.members)
    cases: list[tuple[Terms, str]] = [
        (old, "RULES"),
        (alone, "ILLEGAL_MOVE"),
        (options, "BAD_FRAME"),
        (longer, "NOT_CANONICAL"),
        (twice, "UNEXPECTED"),
        (both, "UNEXPECTED"),
        (apart, "ILLEGAL_MOVE"),
        (good, ""),
    ]
    for terms, code in cases:
        assert refused(lambda terms=terms: playable(terms).start()) == code


@pytest.fixture
def net() -> Net:
    net = Net("ann", "bob", "cyd")
    net.done("ann", table("numlo", "person", "remote", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.link("ann", "cyd")
    return net


def test_an_accept_with_several_faults(net: Net) -> None:
    tables, forming = net["ann"].tables, net["ann"].forming
    assert not forming.complete
    now, other = forming.revision, forming.revision + 1
    for name, revision, code in (
        ("cyd", other, "NOT_A_MEMBER"),
        ("bob", other, ""),
        ("bob", now, "UNEXPECTED"),
    ):
        accept, key = Accept(forming.nonce, revision, bytes(64)), net[name].key
        take = lambda a=accept, k=key: tables.receive(k, a, net.now)  # noqa: E731 (short)
        assert refused(take) == code


def test_an_accept_whose_signature_fails_is_refused_when_nothing_else_is() -> None:
    net = Net("ann", "bob")
    net.done("ann", table("numlo", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    forming, bob = net["ann"].forming, net["bob"].key
    assert forming.complete
    accept = Accept(forming.nonce, forming.revision, bytes(64))
    take = lambda: net["ann"].tables.receive(bob, accept, net.now)  # noqa: E731 (short)
    assert refused(take) == "BAD_SIGNATURE"
    net.close()


def test_chat_with_several_faults(net: Net) -> None:
    tables, bob = net["ann"].tables, net["bob"].key
    here, stranger = net["ann"].chat.nonce, Key("dan").key
    for line, code in (
        (Chat(bytes(32), stranger, 7, "hi", bytes(64)), ""),
        (Chat(here, stranger, 7, "hi", bytes(64)), "NOT_A_MEMBER"),
        (Chat(here, bob, 7, "hi", bytes(64)), ""),
        (Chat(here, bob, 0, "hi", bytes(64)), "BAD_SIGNATURE"),
    ):
        assert refused(lambda line=line: tables.receive(bob, line, net.now)) == code


def test_a_letter_with_several_faults() -> None:
    ann, bob, eve = Key("ann"), Key("bob"), Key("eve")
    match, table = bytes(32), b"t" * 32
    long = Chat(match, eve.key, 5, "x" * 501, bytes(64))
    elsewhere = replace(long, text="x")

    def read(frames: bytes) -> None:
        sealed = letter.written(bob, match, ann.key, 1, frames, b"1" * 32)
        list(letter.open_letter(sealed, ann.key, ann.unseal).messages(table))

    assert refused(lambda: read(encode(long))) == "BAD_FRAME"
    assert refused(lambda: read(encode(elsewhere))) == "UNEXPECTED"
    assert refused(lambda: read(encode(replace(elsewhere, table=table)))) == ""
    text = match + eve.key + bytes(8) + bytes(64) + encode(long)
    forged = letter.seal(ann.key, text, b"1" * 32)
    assert (
        refused(lambda: letter.open_letter(forged, ann.key, ann.unseal))
        == "BAD_SIGNATURE"
    )
    torn = forged[:-1]
    assert refused(lambda: letter.open_letter(torn, ann.key, ann.unseal)) == "BAD_FRAME"


def test_a_piece_with_several_faults() -> None:
    fetch = Fetch(Kind.LEXICON, bytes(32), bytes(32))
    list(fetch.wants())
    assert (
        refused(lambda: fetch.on_piece(Piece(bytes(32), bytes(32), 2**40, 5, b"")))
        == "TOO_LARGE"
    )
    assert (
        refused(lambda: fetch.on_piece(Piece(bytes(32), bytes(32), 9, 5, b"")))
        == "BAD_DIGEST"
    )


def test_a_submit_that_is_not_the_next_is_dropped_whatever_is_wrong_with_it() -> None:
    party = Party("numlo", 2)
    party.link_all()
    party.settle()
    host, key = party.member(0), party.keys[1].key
    match, own = host.match, host.ledger.log.own(key)
    for number, code in ((own + 1, ""), (own - 1, ""), (own, "BAD_SIGNATURE")):
        submit = Submit(match, number, b"\xc1", bytes(64))
        take = lambda s=submit: host.receive(key, s, 0.0)  # noqa: E731 (short)
        assert refused(take) == code
    stranger = Submit(match, own, b"\xc1", bytes(64))
    take = lambda: host.receive(Key("dan").key, stranger, 0.0)  # noqa: E731 (short)
    assert refused(take) == "NOT_A_MEMBER"
