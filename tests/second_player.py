"""A node written from protocol.md alone: it joins, plays, chats and comes back.

Nothing of netplay or rules is imported, not even numbers: the authority is read from
the page.  It knows one game, by rules of its own, to say in which position it moves;
but it lays tiles on any squares until the host takes one.  What a node must say and
check of section 8 (the link), 9 (the table, as a guest), 11 (chat), 12 and 13 (log and
replication, as a member that is not host) and 16 (public chance) is here.
"""

import datetime as dt
import os
import re
import ssl
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import trio
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.second_node import (
    COMMIT,
    GENESIS,
    POSITION,
    SEED,
    TURN,
    Reader,
    need,
    pack,
    read,
    sha,
    tag,
    u64,
    verified,
)
from tests.second_numlo import OVER, Board

HELLO, WELCOME, PING, PONG, BYE = range(1, 6)
ASK, PROPOSAL, ACCEPT = range(10, 13)
CHAT, HEARD = 16, 17
HAVE, SUBMIT, REFUSED, ENTRIES, ACK = range(20, 25)
NOT_YOUR_TURN = 16
BEFORE, AFTER = 1024, 65536
"""Bytes of a frame before a link is open, and after."""

PING_SECONDS, SILENCE_SECONDS = 5.0, 12.0


class GoneError(Exception):
    """The link has ended."""


def authority() -> tuple[bytes, bytes]:
    """Return certificate and private key of the open authority, off the page."""
    page = (Path(__file__).parent.parent / "protocol.md").read_text("utf-8")
    pattern = "-----BEGIN {0}-----.*?-----END {0}-----\n"
    found = [
        re.search(pattern.format(name), page, re.DOTALL)
        for name in ("CERTIFICATE", "PRIVATE KEY")
    ]
    certificate, key = (match.group().encode() for match in found if match)
    return certificate, key


class Identity:
    """A key, and the certificate that the page wants for it."""

    def __init__(self, folder: Path) -> None:
        self.private: Final = Ed25519PrivateKey.generate()
        self.key: Final = self.private.public_key().public_bytes_raw()
        pem, secret = authority()
        chain = self._certificate(pem, secret).public_bytes(serialization.Encoding.PEM)
        own = self.private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        (folder / "leaf.pem").write_bytes(own + chain)
        self.context: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_REQUIRED
        self.context.load_verify_locations(cadata=pem.decode())
        self.context.load_cert_chain(folder / "leaf.pem")
        self.context.set_alpn_protocols(["netplay/1"])

    def _certificate(self, pem: bytes, secret: bytes) -> x509.Certificate:
        above = x509.load_pem_x509_certificate(pem)
        signer = serialization.load_pem_private_key(secret, None)
        assert isinstance(signer, Ed25519PrivateKey)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "anything")])
        public = self.private.public_key()
        uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
        return (
            x509.CertificateBuilder(above.subject, name, public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
            .not_valid_after(dt.datetime(2049, 12, 31, tzinfo=dt.UTC))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
            .add_extension(x509.ExtendedKeyUsage(uses), False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), False)
            .add_extension(issuer, False)
            .sign(signer, None)
        )


class Stranger:
    """A guest at one table, with all that outlives its links."""

    def __init__(
        self, folder: Path, name: str, seed: int, *, backwards: bool = False
    ) -> None:
        self.identity: Final = Identity(folder)
        self.name: Final = name
        self.nonce: Final = os.urandom(32)
        self.rng: Final = Random(seed)
        self.log = Reader()
        self.raws: list[bytes] = []
        self.table = b""
        self.lines: dict[bytes, list[list[Any]]] = {}
        self.seed = os.urandom(32)
        self.waiting: list[Any] | None = None
        self.submitted = b""
        """The signature of what waits."""
        """The body that was submitted and has had no answer."""
        self.tried: set[int] = set()
        self.backwards = backwards
        """Its rules list what chance may do from the last on."""
        self.board: Board | None = None
        self.refused = 0
        self.differing = 0
        """Moves made in positions that are not its own."""
        self.said = b""
        self.apart = False
        """Somebody sees another position."""
        self.news = trio.Event()
        self._out: trio.MemorySendChannel[bytes] | None = None

    # What others read.

    @property
    def key(self) -> bytes:
        return self.identity.key

    @property
    def file(self) -> bytes:
        """The match file that its log makes (section 18)."""
        return b"NPMATCH\x01" + b"".join(
            len(raw).to_bytes(4, "big") + zlib.crc32(raw).to_bytes(4, "big") + raw
            for raw in self.raws
        )

    def heard(self, author: bytes) -> list[str]:
        return [line[3] for line in self.lines.get(author, [])]

    # The link.

    async def visit(self, address: tuple[str, int]) -> None:
        """Be a guest at an address until the link ends.

        Raises:
            GoneError: It ended, in whatever way.
        """
        stream = await trio.open_tcp_stream(*address)
        tls = trio.SSLStream(stream, self.identity.context)
        out, queue = trio.open_memory_channel[bytes](1000)
        try:
            async with trio.open_nursery() as nursery:
                self._out = out
                nursery.start_soon(self._write, tls, queue)
                self.send(HELLO, [[1], [], self.name, "stranger 1", 0, self.nonce])
                frames = self._frames(tls)
                async for kind, message in frames:
                    if kind == HELLO:
                        need(1 in message[0], "versions")
                        self.send(WELCOME, [1, []])
                    else:
                        need(kind == WELCOME and message == [1, []], "welcome")
                        break
                nursery.start_soon(self._ping)
                self.arrive()
                async for kind, message in frames:
                    self.take(kind, message)
                    self.news.set()
                    self.news = trio.Event()
        except* (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            raise GoneError from None
        except* GoneError:
            raise GoneError from None
        finally:
            self._out = None
            await trio.aclose_forcefully(stream)

    async def _frames(self, tls: Any) -> Any:
        """Yield what comes, as type and message."""
        data, limit = b"", BEFORE
        while True:
            with trio.move_on_after(SILENCE_SECONDS) as silence:
                more = await tls.receive_some(65536)
            if silence.cancelled_caught or not more:
                raise GoneError
            data += more
            while len(data) >= 5:
                length = int.from_bytes(data[:4], "big")
                need(0 < length <= limit, "length of a frame")
                if len(data) < 4 + length:
                    break
                kind, payload = data[4], data[5 : 4 + length]
                data = data[4 + length :]
                if kind == WELCOME:
                    limit = AFTER
                if kind == BYE:
                    self.send(BYE, [0, "goodbye"])
                    raise GoneError
                yield kind, read(payload)

    async def _write(self, tls: Any, queue: Any) -> None:
        async for frame in queue:
            await tls.send_all(frame)

    async def _ping(self) -> None:
        number = 0
        while True:
            number += 1
            self.send(PING, [number])
            await trio.sleep(PING_SECONDS)

    def send(self, kind: int, message: list[Any]) -> None:
        if self._out is not None:
            payload = pack(message)
            frame = (1 + len(payload)).to_bytes(4, "big") + bytes([kind]) + payload
            self._out.send_nowait(frame)

    # What is said and heard on an open link.

    def arrive(self) -> None:
        """Say what a new link wants to hear."""
        if not self.raws:
            self.send(ASK, [self.table, -1])
        else:
            self.have()
        if self.table:
            self.hark()

    def have(self) -> None:
        log = self.log
        self.send(HAVE, [log.match, log.term, log.number, log.head])

    def hark(self) -> None:
        known = [[author, lines[-1][2] + 1] for author, lines in self.lines.items()]
        self.send(HEARD, [self.table, known, True])

    def take(self, kind: int, message: Any) -> None:
        """Act on a message."""
        takers: dict[int, Callable[..., None]] = {
            PROPOSAL: self._proposal,
            HEARD: self._tell,
            HAVE: self._other_has,
            REFUSED: self._refused,
            ENTRIES: self._entries,
        }
        if kind == PING:
            self.send(PONG, message)
        elif kind == CHAT:
            self._chat(message)
        elif kind in takers:
            takers[kind](*message)
        else:
            need(kind in {PONG, ACK} or kind % 2 == 1, f"message {kind}")

    def _proposal(
        self, revision: int, terms: Any, _places: Any, _who: str, _again: bytes
    ) -> None:
        if self.table != terms[7]:
            self.table = terms[7]
            self.hark()
        if all(name for _, name, _, _ in terms[6]):
            data = tag("terms") + sha(pack(terms))
            self.send(ACCEPT, [self.table, revision, self.identity.private.sign(data)])

    def _other_has(self, match: bytes, term: int, number: int, head: bytes) -> None:
        """Answer as section 13 says; a host's Have asks for what was submitted."""
        log = self.log
        if match != log.match:
            self.send(HAVE, [match, 0, 0, bytes(32)])
            return
        self._ack()
        if number > log.number:
            self.have()
        elif number < log.number and (not number or sha(self.raws[number - 1]) == head):
            self.send(ENTRIES, [match, self.raws[number : number + 50]])
        need(term <= log.term or number > log.number, "a term that was never seen")
        self._submit_again()

    def _entries(self, match: bytes, raws: list[bytes]) -> None:
        for raw in raws:
            number = read(raw)[0]
            if number < self.log.number:
                need(self.raws[number] == raw, "another entry in the place of ours")
                continue
            if number > self.log.number:
                self.have()
                return
            self.log.entry(raw)
            self.raws.append(raw)
            self._entered(read(raw))
        need(self.log.match == match, "the genesis of another match")
        self._ack()
        self.go_on()

    def _ack(self) -> None:
        """Say, signed, what is on the disk (section 13)."""
        log, board = self.log, self._board
        term = read(self.raws[-1])[1]
        place = [log.match, term, log.number, log.head, board.digest()]
        data = tag("ack") + log.match + u64(term) + u64(log.number) + log.head
        signature = self.identity.private.sign(data + board.digest())
        self.send(ACK, [*place, signature])

    def _entered(self, entry: list[Any]) -> None:
        """Note what an entry means for what we have to say."""
        body = read(entry[6])
        if body[0] == GENESIS:
            terms = self.log.terms
            self.board = Board(self.log.match, terms, backwards=self.backwards)
        elif body[0] == SEED and len(self.log.seeds[0]) == len(self.log.members):
            shown = self.log.seeds[0]
            seeds = b"".join(shown[key] for key in sorted(shown))
            self._board.set_up(sha(tag("public"), self.log.match, seeds))
        elif body[0] == TURN:
            self._turned(body)
        elif body[0] == POSITION and entry[4] != self.key:
            self.apart = self.apart or body[2] != self._board.digest()
        if entry[4] == self.key:
            # Another of ours may have had the number of what waits; `go_on` knows what
            # is still to be said, and says it under the next.
            self.waiting = None

    @property
    def _board(self) -> Board:
        assert self.board is not None
        return self.board

    def _turned(self, body: list[Any]) -> None:
        """Play a move that was made in the position that is here."""
        _, seat, _after, state, packed, _proofs = body
        move = read(packed)
        self.tried.clear()
        if move[0] == "resign" or state == self._board.digest():
            self._board.play(seat, move)
        else:
            self.differing += 1
            self.apart = True

    # Playing.

    def go_on(self, *, move: bool = True) -> None:
        """Say what is ours to say: chance first, then a move."""
        if self.waiting is not None:
            return
        log = self.log
        mine = (0, self.key) in log.commits
        if log.commits and not mine:
            digest = sha(tag("commit"), log.match, u64(0), self.key, self.seed)
            self.submit([COMMIT, 0, digest])
        elif mine and len(log.commits) == len(log.members) and not self._shown():
            self.submit([SEED, 0, self.seed])
        elif move and len(log.seeds.get(0, {})) == len(log.members):
            news = self.said != self._board.digest()
            if (self.apart or self._board.turn == OVER) and news:
                self.apart = False
                self.said = self._board.digest()
                self.submit([POSITION, log.head, self.said])
            elif self._board.turn == log.holders.index(self.key):
                self._move()

    def _shown(self) -> bool:
        return self.key in self.log.seeds.get(0, {})

    def _move(self) -> None:
        """Lay a tile on a square that was not refused yet."""
        squares = [n for n in range(self._board.size**2) if n not in self.tried]
        if squares:
            self.tried.add(square := self.rng.choice(squares))
            seat = self.log.holders.index(self.key)
            state, move = self._board.digest(), pack(["place", square])
            self.submit([TURN, seat, self.log.head, state, move, []])

    def submit(self, body: list[Any]) -> None:
        self.waiting = body
        self._submit_again()

    def _submit_again(self) -> None:
        if self.waiting is None:
            return
        own, body = self.log.own[self.key], pack(self.waiting)
        data = tag("author") + self.log.match + u64(own) + body
        self.submitted = self.identity.private.sign(data)
        self.send(SUBMIT, [self.log.match, own, body, self.submitted])

    def _refused(
        self, match: bytes, own: int, signature: bytes, code: int, _reason: str
    ) -> None:
        """Drop what was refused.  It may be told twice of what was submitted twice."""
        need(match == self.log.match, "refused in another match")
        mark = own, signature
        if mark != (self.log.own[self.key], self.submitted) or self.waiting is None:
            return
        self.refused += 1
        self.waiting = None
        if code == NOT_YOUR_TURN:
            self.tried.clear()  # nothing is wrong with the square
        self.go_on(move=code != NOT_YOUR_TURN)

    # Chat.

    def say(self, text: str) -> None:
        lines = self.lines.setdefault(self.key, [])
        data = tag("chat") + self.table + u64(len(lines)) + text.encode()
        line = [
            self.table,
            self.key,
            len(lines),
            text,
            self.identity.private.sign(data),
        ]
        lines.append(line)
        self.send(CHAT, line)

    def _chat(self, line: list[Any]) -> None:
        table, author, number, text, signature = line
        data = tag("chat") + table + u64(number) + text.encode()
        verified(author, signature, data, "chat")
        lines = self.lines.setdefault(author, [])
        if table == self.table and number == len(lines):
            lines.append(line)

    def _tell(self, table: bytes, authors: list[Any], asks: bool) -> None:
        if not asks:
            return
        wanted = dict(map(tuple, authors))
        for author, lines in self.lines.items():
            for line in lines if table == self.table else []:
                if line[2] >= wanted.get(author, 0):
                    self.send(CHAT, line)
