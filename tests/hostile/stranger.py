"""A stranger: it knows nobody, and tries what it can do to a node all the same."""

from array import array
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import trio

from netplay.messages.log import Entries, Have
from netplay.messages.table import (
    CHUNK_BYTES,
    Ask,
    Attend,
    Decline,
    Member,
    Piece,
    Proposal,
    SeatTerms,
    Terms,
    Want,
)
from netplay.record.chance import ZERO
from netplay.record.ledger import make_genesis
from netplay.record.log import match_of, terms_data
from netplay.wire import PeerMessage, pack
from rules import GAMES, editions, lexicon
from rules.lexicon import graph
from tests.hostile.peer import NONCES, GoneError, Line, Peer


def offer(
    peer: Peer,
    guest: bytes,
    *,
    game: str = "hexcolumns",
    words: bytes = b"",
    addresses: tuple[str, ...] = (),
    others: tuple[bytes, ...] = (),
    revision: int = 0,
    nonce: bytes = b"",
) -> Proposal:
    """Return terms of a table with the guest and others, ready to be accepted."""
    edition = bytes.fromhex(editions.shipped()["standard"]) if words else b""
    chosen = {"edition": edition.hex(), "lexicon": words.hex()} if words else {}
    keys = (peer.key, guest, *others)
    terms = Terms(
        game,
        GAMES[game].ABOUT.version,
        pack(GAMES[game].ABOUT.options(**chosen)),
        edition,
        words,
        tuple(Member(key, f"player {n}") for n, key in enumerate(keys)),
        tuple(SeatTerms("person", f"player {n}", n, 0) for n in range(len(keys))),
        nonce or next(NONCES).to_bytes(32, "big"),
        0,
        (),
    )
    return Proposal(revision, terms, addresses, "ask", b"")


def junk_match(peer: Peer) -> Entries:
    """Return the beginning of a match that nobody but its host has agreed to."""
    seat = SeatTerms("person", "junk", 0, 0)
    game = GAMES["hexcolumns"].ABOUT
    terms = Terms(
        "hexcolumns",
        game.version,
        pack(game.options()),
        b"",
        b"",
        (Member(peer.key, "junk"),),
        (seat,),
        next(NONCES).to_bytes(32, "big"),
        0,
        (),
    )
    raw = make_genesis(peer.signer, terms, (peer.signer.sign(terms_data(terms)),))
    return Entries(match_of(terms), (raw,))


@lru_cache
def long_list() -> tuple[bytes, bytes]:
    """Return a sound word list of 14 MB, and its digest.

    Words of up to four letters of an alphabet of 128: a tree, its leaves first.
    """
    letters, leaves = 128, 12_000
    last = letters - 1

    def node(first: int, count: int) -> Iterator[int]:
        """Yield the arcs of a node to `count` nodes from one on, and to none."""
        for letter in range(letters):
            to = first + letter * letters if letter < count else 0
            mark = graph.LAST if letter == last else 0
            yield letter << graph.LETTER_SHIFT | mark | graph.END | to

    arcs = array("I", [0])
    arcs.extend(array("I", node(0, 0)) * leaves)
    level, begin = 1, 1
    for nodes in (letters * letters, letters, 1):
        level, begin = begin, len(arcs)
        below = (begin - level) // letters
        for number in range(nodes):
            count = min(max(below - number * letters, 0), letters)
            arcs.extend(node(level + number * letters * letters, count))
    alphabet = [chr(0x1000 + letter) for letter in range(letters)]
    words, root = len(arcs) - 1, len(arcs) - letters
    data = graph.write(alphabet, {}, arcs, words, root, 4)
    return data, bytes.fromhex(lexicon.Lexicon(data).digest)


class Giving:
    """A host that has a file, and counts what is asked of it."""

    def __init__(self, data: bytes) -> None:
        self.data: Final = data
        self.asked = 0

    def __call__(self, message: PeerMessage) -> PeerMessage | None:
        if not isinstance(message, Want):
            return None
        self.asked += 1
        chunk = self.data[message.offset : message.offset + CHUNK_BYTES]
        return Piece(
            message.table, message.digest, len(self.data), message.offset, chunk
        )


async def ask_for_everything(line: Line, seconds: float) -> int:
    """Ask for pieces of what every node has; return how many bytes came."""
    digest = bytes.fromhex(lexicon.shipped()["english"])
    before = line.bytes
    with trio.move_on_after(seconds):
        for number in range(1 << 30):
            await line.say(Want(bytes(32), digest, number % 8 * CHUNK_BYTES))
            await trio.sleep(0.011)
    return line.bytes - before


async def come_and_go(peer: Peer, port: int, count: int) -> None:
    """Come to a table and go again, with one link each time."""
    for _ in range(count):
        async with peer.call(port) as line:
            try:
                await line.say(Ask(b"", -1), Attend(b""))
                await trio.sleep(0.01)
                await line.say(Decline(b"", 0, 15, "no"))
            except GoneError:
                pass


async def push_matches(line: Line, peer: Peer, count: int) -> None:
    """Send beginnings of matches that the node has never heard of."""
    for _ in range(count):
        entries = junk_match(peer)
        await line.say(Have(entries.match, 1, 0, ZERO), entries)
        await trio.sleep(0.03)
