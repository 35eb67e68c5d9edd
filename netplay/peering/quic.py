"""A path over UDP beside TCP: QUIC (RFC 9000) as a pipe of bytes, and no more.

The certificate of QUIC proves nothing: it is made at each start and says nothing of
whose it is.  In the one stream of a connection runs our own TLS, as it does over TCP;
only that proves who is there.  What QUIC brings is a way through routers and networks
that let no TCP in, and a connection that outlasts a change of the caller's address.

Theory of operation.  Everything goes through the sockets of the node's port (`udp`).
Nothing is kept for an address before it has shown, with a token (Retry), that it hears
what is sent to it; what is of a connection that there is not is dropped without a word.
aioquic does QUIC without I/O; what it keeps for a connection is seen in its log of
frames, and bounded here.
"""

import errno
import os
import socket
import ssl
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

import trio
from aioquic.buffer import Buffer
from aioquic.quic import events
from aioquic.quic.configuration import SMALLEST_MAX_DATAGRAM_SIZE, QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.logger import QuicLogger, QuicLoggerTrace
from aioquic.quic.packet import (
    QuicPacketType,
    QuicProtocolVersion,
    encode_quic_retry,
    pull_quic_header,
)
from aioquic.quic.retry import QuicRetryTokenHandler
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typing_extensions import override

from netplay import limits
from netplay.peering.net import host_of
from netplay.peering.pipe import first_part
from netplay.peering.udp import Came, Where
from netplay.rate import Buckets, network

ALPN: Final = "netplay-pipe/1"
"""What the outer TLS names the path; what runs inside has a name of its own."""

STREAM: Final = 0
"""The one stream: the first that a caller can open in both directions."""

_CID_BYTES: Final = 8
_LONG: Final = 0x80
_FIXED: Final = 0x40
"""Bits of the first byte: of packets of the handshake, and of every packet of QUIC."""

_SMALL: Final = 400
"""Of a datagram that may do no more than acknowledge what was sent."""

_PLACES: Final = 16
"""Addresses of one connection of which is remembered that it was there."""

_FIRST_RTT: Final = 0.375
"""Taken for granted until it is known: where perhaps nobody is, four packets of 1,200
bytes go while a call lasts, the second after twice that time."""

_OF_STREAMS: Final = (
    events.StreamDataReceived, events.StreamReset, events.StopSendingReceived
)  # fmt: skip
_ENDS: Final = (
    events.ConnectionTerminated, events.StreamReset, events.StopSendingReceived
)  # fmt: skip
"""Behind each of them there is no use for the connection."""


class _Watch(QuicLogger, QuicLoggerTrace):
    """The log of one connection: how far its stream is, in both directions.

    Flow control of the library grows with what is sent, and does not ask how much of it
    was taken; so what a connection holds is known from here alone, and who has shown
    that it hears us at another address than before.
    """

    def __init__(self) -> None:
        QuicLogger.__init__(self)
        self.sent = 0
        """How far the stream has been sent."""
        self.heard = 0
        """How far it has been received, gaps not counted."""
        self.strays = False
        """Another stream was opened, in whatever direction."""
        self.proved: Final[deque[Where]] = deque(maxlen=_PLACES)
        """Addresses at which the other end has answered what was sent there."""
        self._packets: Final[deque[tuple[int, list[str]]]] = deque()
        """Sent and not seen in a datagram yet: their bytes and their challenges."""
        self._challenged: Final[deque[tuple[str, Where]]] = deque(maxlen=_PLACES)
        """What was sent somewhere for an answer that nobody else can give."""
        self._frames: list[list[dict[str, Any]]] = []
        """Of the packets of a datagram: they are filled in as they are read."""

    @override
    def start_trace(self, is_client: bool, odcid: bytes) -> QuicLoggerTrace:
        QuicLoggerTrace.__init__(self, is_client=is_client, odcid=odcid)
        return self

    @override
    def end_trace(self, trace: QuicLoggerTrace) -> None:
        """Keep nothing."""

    @override
    def log_event(self, *, category: str, event: str, data: dict[str, Any]) -> None:
        if event == "packet_received":
            self._frames.append(data["frames"])
        elif event == "packet_sent":
            asked: list[str] = []
            for frame in data["frames"]:
                if frame["frame_type"] == "stream":
                    self.sent = max(self.sent, frame["offset"] + frame["length"])
                elif frame["frame_type"] == "path_challenge":
                    asked.append(frame["data"])
            self._packets.append((data["raw"]["length"], asked))

    def goes(self, size: int, where: Where) -> None:
        """Take where the next packets go: those that make a datagram of that size."""
        while size > 0 and self._packets:
            length, asked = self._packets.popleft()
            size -= length
            self._challenged.extend((each, where) for each in asked)

    def inspect(self) -> None:
        """Look through what has just been received."""
        for frames in self._frames:
            for frame in frames:
                if frame.get("stream_id", STREAM) != STREAM:
                    self.strays = True
                elif frame["frame_type"] == "stream":
                    self.heard = max(self.heard, frame["offset"] + frame["length"])
                elif frame["frame_type"] == "path_response":
                    named = frame["data"]
                    self.proved.extend(w for n, w in self._challenged if n == named)
        self._frames.clear()


class QuicStream(trio.abc.Stream):
    """The stream of one connection."""

    def __init__(
        self, quic: QuicConnection, watch: _Watch, sock: socket.socket, where: Where
    ) -> None:
        """Take a connection over; `Quic` runs it.

        Args:
            quic: It.
            watch: Its log.
            sock: Where its datagrams leave.
            where: The other end, which has called, or is called.
        """
        self._first: Final = where
        self._credit = 0
        """Bytes that have come, less those sent to where nobody has answered: who says
        to be elsewhere now may name a third, who is sent no more than we were."""
        self._quic: Final = quic
        self._watch: Final = watch
        self._sock: Final = sock
        self._scope = trio.CancelScope()
        self._came: deque[bytes] = deque()
        self._taken = 0
        """How far the stream has been handed out, without a gap."""
        self._waiting = 0
        """Bytes that came and were not read."""
        self._written = 0
        self._news = trio.Event()
        self._closed = False
        """This end has closed it."""
        self._finished = False
        """The other end has, in good order."""
        self.ended = False
        """There is no connection any more."""
        self.up = False
        """The handshake of QUIC is done."""
        self.names: Final = {quic.host_cid}
        """What datagrams for it are addressed to."""
        self.source = ""
        """From which of our numbers a call of ours goes out."""

    @property
    def peer(self) -> Where:
        """Where the other end is now."""
        found: Where | None = self._quic.get_peer_address()
        return found or ()

    # What the socket and the clock do.

    def dial(self) -> None:
        """Call."""
        self._quic.connect(self._first, trio.current_time())
        self.flush()

    def receive(self, datagram: bytes, where: Where) -> None:
        """Take a datagram; one too many is lost, as others are on their way."""
        # Twice for small ones, else who waits to send before reading on waits for ever.
        if self._waiting > limits.QUIC_WAITING_BYTES * (1 + (len(datagram) <= _SMALL)):
            return
        self._credit += len(datagram)
        now = trio.current_time()
        self._receive(lambda: self._quic.receive_datagram(datagram, where, now))
        gap = self._watch.heard - self._taken
        if self._watch.strays or gap > limits.QUIC_GAP_BYTES:
            self._quic.close(reason_phrase="one stream, and in order")
            self._end()

    def _receive(self, news: Callable[[], None]) -> None:
        """Give news to the library, and take what comes of it."""
        try:
            news()
            self._watch.inspect()
            self._take_events()
        except Exception:  # noqa: BLE001 (whatever the library stumbles over)
            self._end()

    def flush(self) -> None:
        """Send what is to be sent now, and wake up whoever waits."""
        now = trio.current_time()
        try:
            for datagram, where in self._quic.datagrams_to_send(now):
                self._watch.goes(len(datagram), where)
                if where != self._first and where not in self._watch.proved:
                    if len(datagram) > self._credit:
                        continue
                    self._credit -= len(datagram)
                # What does not go is lost, as if on its way.
                with suppress(OSError):
                    self._sock.sendto(datagram, where)
            due = self._quic.get_timer()
        except Exception:  # noqa: BLE001 (as in `receive`)
            self._end()
            return
        self._scope.deadline = now if due is None else due
        self._wake()

    async def go_on(self) -> None:
        """Do what is due, until the connection has ended."""
        try:
            while not self.ended:
                self.flush()
                with self._scope:
                    await trio.sleep_forever()
                self._scope = trio.CancelScope()
                if not self.ended:
                    self._receive(lambda: self._quic.handle_timer(trio.current_time()))
        finally:
            if self._credit or self.up:  # else nobody may be there to be told
                self._quic.close()
                self.flush()
            self._end()

    def moved(self) -> None:
        """Tell the other end that our address is another one now."""
        self._quic.change_connection_id()  # so that onlookers cannot tell who moved
        self._quic.send_ping(0)
        self.flush()

    def _take_events(self) -> None:
        while (event := self._quic.next_event()) is not None:
            if isinstance(event, _OF_STREAMS) and event.stream_id != STREAM:
                continue  # `receive` hangs up
            if isinstance(event, events.StreamDataReceived):
                self._taken += len(event.data)
                self._finished = self._finished or event.end_stream
                if event.data and not self._closed:
                    self._waiting += len(event.data)
                    self._came.append(event.data)
            elif isinstance(event, events.HandshakeCompleted):
                self.up = event.alpn_protocol == ALPN
            elif isinstance(event, events.ConnectionIdIssued):
                self.names.add(event.connection_id)
            elif isinstance(event, events.ConnectionIdRetired):
                self.names.discard(event.connection_id)
            elif isinstance(event, _ENDS):
                self._end()

    def _end(self) -> None:
        self.ended = True
        self._scope.cancel()
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()

    # The stream.

    async def ready(self) -> None:
        """Wait for the handshake of QUIC.

        Raises:
            OSError: There is none.
        """
        while not (self.up or self.ended):
            await self._news.wait()
        if self.ended:
            raise OSError(errno.ECONNRESET, "no QUIC")

    async def spoken(self) -> bool:
        """Wait for the first bytes of the other end; return whether they came."""
        while not (self._came or self._finished or self.ended):
            await self._news.wait()
        return bool(self._came)

    @override
    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send as the connection can.

        Raises:
            trio.BrokenResourceError: It has ended.
            trio.ClosedResourceError: It was closed here.
        """
        await trio.lowlevel.checkpoint()
        self._check_open()
        rest = bytes(data)
        while rest:
            await self.wait_send_all_might_not_block()
            part = rest[: limits.QUIC_PENDING_BYTES]
            self._quic.send_stream_data(STREAM, part)
            self._written += len(part)
            rest = rest[len(part) :]
            self.flush()

    @override
    async def wait_send_all_might_not_block(self) -> None:
        """Wait until little of what was written waits to be sent.

        Raises:
            trio.BrokenResourceError: The connection has ended.
            trio.ClosedResourceError: It was closed here.
        """
        self._check_open()
        while self._written - self._watch.sent >= limits.QUIC_PENDING_BYTES:
            await self._news.wait()
            self._check_open()

    @override
    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return what has come, nothing at the end.

        Raises:
            trio.BrokenResourceError: The connection ended before its stream.
            trio.ClosedResourceError: It was closed here.
        """
        await trio.lowlevel.checkpoint()
        while not (self._came or self._finished or self.ended or self._closed):
            await self._news.wait()
        if self._closed:
            raise trio.ClosedResourceError
        if not self._came:
            if not self._finished:
                raise trio.BrokenResourceError
            return b""
        data = first_part(self._came, max_bytes)
        self._waiting -= len(data)
        return data

    def _check_open(self) -> None:
        if self._closed:
            raise trio.ClosedResourceError
        if self.ended:
            raise trio.BrokenResourceError

    @override
    async def aclose(self) -> None:
        """Close; what was sent still arrives, if it takes no longer than a goodbye."""
        if not self._closed:
            self._closed = True
            self._came.clear()
            self._waiting = 0
            # Who was called cannot end a stream that the caller has not begun.
            begun = self._written or self._watch.heard
            if self.ended or not begun:
                self._end()
            else:
                self._quic.send_stream_data(STREAM, b"", end_stream=True)
                self.flush()
            self._wake()
        await trio.lowlevel.checkpoint()

    async def linger(self) -> None:
        """Wait until it is closed here, and the other end has had time to read all."""
        while not (self._closed or self.ended):
            await self._news.wait()
        with trio.move_on_after(limits.BYE_SECONDS):
            while not (self._finished or self.ended):
                await self._news.wait()
        if not self.ended:
            # Ours may be on its way still; the other end hangs up when it has read it.
            with trio.move_on_after(limits.QUIC_LINGER_SECONDS):
                while not self.ended:
                    await self._news.wait()
        self._end()


class Quic:
    """The connections."""

    def __init__(self, came: Came, nursery: trio.Nursery) -> None:
        """Prepare.

        Args:
            came: Takes what comes in; awaited in a task of its own.
            nursery: Where connections live, as long as the sockets are open.
        """
        self._came: Final = came
        self._nursery: Final = nursery
        key = Ed25519PrivateKey.generate()
        self._secret: Final = key
        self._certificate: Final = _certificate(key)
        self._tokens: Final = QuicRetryTokenHandler()
        self._streams: Final[dict[bytes, QuicStream]] = {}
        """By what datagrams are addressed to."""
        self._guests: Final[Counter[str]] = Counter()
        """How many connections have come in, of each network."""
        self._handshakes: Final = Buckets[str](
            limits.QUIC_HANDSHAKES_A_SECOND,
            limits.QUIC_HANDSHAKES_AT_ONCE,
            limits.ADDRESSES_REMEMBERED,
        )
        """Of each network."""
        self._called: Final[set[QuicStream]] = set()
        self._idle: Final = trio.lowlevel.ParkingLot()
        nursery.start_soon(self._watch_own)

    async def call(self, sock: socket.socket, where: Where) -> QuicStream:
        """Return a stream to somebody whose QUIC answers; proved is nothing with that.

        Args:
            sock: Where to call from.
            where: Whom.

        Raises:
            OSError: There is no answer.
        """
        if len(self._called) >= limits.QUIC_CALLS:
            raise OSError(errno.EAGAIN, "too many calls")
        watch = _Watch()
        quic = QuicConnection(configuration=self._configuration(watch, called=True))
        stream = QuicStream(quic, watch, sock, where)
        stream.source = source_of(where)
        self._called.add(stream)
        self._idle.unpark()
        self._streams[quic.host_cid] = stream
        stream.dial()
        self._nursery.start_soon(self._keep, stream, "")
        try:
            await stream.ready()
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream

    def _configuration(self, watch: _Watch, *, called: bool) -> QuicConfiguration:
        found = QuicConfiguration(
            is_client=called,
            alpn_protocols=[ALPN],
            idle_timeout=limits.QUIC_IDLE_SECONDS,
            connection_id_length=_CID_BYTES,
            max_data=limits.QUIC_WAITING_BYTES,
            max_stream_data=limits.QUIC_WAITING_BYTES,
            quic_logger=watch,
            supported_versions=[QuicProtocolVersion.VERSION_1],
            initial_rtt=_FIRST_RTT,
            verify_mode=ssl.CERT_NONE,
        )
        if not called:
            found.certificate, found.private_key = self._certificate, self._secret
        return found

    # What comes.

    def take(self, sock: socket.socket, came: Sequence[tuple[bytes, Where]]) -> None:
        """Take datagrams that came together at a socket, each from somewhere."""
        touched: set[QuicStream] = set()
        for datagram, where in came:
            with suppress(Exception):  # it is one datagram, whatever is in it
                stream = self._of(sock, datagram, where)
                if stream is not None:
                    touched.add(stream)
        for stream in touched:
            stream.flush()

    def _of(
        self, sock: socket.socket, datagram: bytes, where: Where
    ) -> QuicStream | None:
        """Give a datagram to its connection, and return that; None for nobody's."""
        if len(datagram) <= _CID_BYTES or not datagram[0] & _FIXED or not where[1]:
            return None
        if datagram[0] & _LONG:
            return self._long(sock, datagram, where)
        return self._give(datagram[1 : 1 + _CID_BYTES], datagram, where)

    def _give(self, name: bytes, datagram: bytes, where: Where) -> QuicStream | None:
        stream = self._streams.get(name)
        if stream is None or stream.ended:
            return None
        before = len(stream.names)
        stream.receive(datagram, where)
        if len(stream.names) != before or not stream.names <= self._streams.keys():
            self._name(stream)
        return stream

    def _name(self, stream: QuicStream) -> None:
        """Note what datagrams for a stream are addressed to from now on."""
        for name in [n for n, s in self._streams.items() if s is stream]:
            if name not in stream.names:
                del self._streams[name]
        for name in stream.names:
            self._streams[name] = stream

    def _long(
        self, sock: socket.socket, datagram: bytes, where: Where
    ) -> QuicStream | None:
        """Take a packet of a handshake: it may be the first of a connection."""
        try:
            header = pull_quic_header(Buffer(data=datagram), host_cid_length=_CID_BYTES)
        except ValueError:
            return None
        if header.destination_cid in self._streams:
            return self._give(header.destination_cid, datagram, where)
        if (
            header.packet_type is not QuicPacketType.INITIAL
            or header.version != QuicProtocolVersion.VERSION_1
            or len(datagram) < SMALLEST_MAX_DATAGRAM_SIZE
        ):
            return None
        now = trio.current_time()
        if not header.token:
            name = os.urandom(_CID_BYTES)
            token = self._tokens.create_token(
                address=where[:2],
                original_destination_connection_id=header.destination_cid,
                retry_source_connection_id=name,
                now=now,
            )
            answer = encode_quic_retry(
                version=header.version,
                source_cid=name,
                destination_cid=header.source_cid,
                original_destination_cid=header.destination_cid,
                retry_token=token,
            )
            with suppress(OSError):  # a tenth of what has come
                sock.sendto(answer, where)
            return None
        try:
            first = self._tokens.validate_token(
                address=where[:2],
                destination_cid=header.destination_cid,
                token=header.token,
                now=now,
            )
        except ValueError:
            return None
        return self._welcome(sock, header.destination_cid, first, datagram, where)

    def _welcome(
        self,
        sock: socket.socket,
        name: bytes,
        first: bytes,
        datagram: bytes,
        where: Where,
    ) -> QuicStream | None:
        """Begin a connection for an address that has shown that it hears us.

        Args:
            sock: Where it came.
            name: To what it is addressed.
            first: To what its first packet was.
            datagram: It.
            where: From where.
        """
        home = network(str(where[0]))
        full = self._guests.total() >= limits.QUIC_GUESTS
        if full or self._guests[home] >= limits.QUIC_GUESTS_A_NETWORK:
            return None
        if not self._handshakes.take(home, trio.current_time()):
            return None
        watch = _Watch()
        quic = QuicConnection(
            configuration=self._configuration(watch, called=False),
            original_destination_connection_id=first,
            retry_source_connection_id=name,
        )
        stream = QuicStream(quic, watch, sock, where)
        stream.names.add(name)
        self._guests[home] += 1
        self._name(stream)
        stream.receive(datagram, where)
        if not stream.peer:  # it was no handshake: there is nobody to talk to
            stream.names.clear()
            self._name(stream)
            self._left(home)
            return None
        self._nursery.start_soon(self._keep, stream, home)
        return stream

    def _left(self, home: str) -> None:
        self._guests[home] -= 1
        if not self._guests[home]:
            del self._guests[home]

    # What goes on.

    async def _keep(self, stream: QuicStream, home: str) -> None:
        """Run a connection to its end.

        Args:
            stream: Its stream.
            home: The network it has come from, empty for a call of ours.
        """
        try:
            async with trio.open_nursery() as nursery:

                async def live() -> None:
                    if home:
                        # Only a connection that speaks is handed over.
                        spoken = False
                        with trio.move_on_after(limits.HANDSHAKE_SECONDS):
                            spoken = await stream.spoken()
                        if spoken:
                            await self._came(stream, host_of(stream.peer))
                        await trio.aclose_forcefully(stream)
                    await stream.linger()

                nursery.start_soon(live)
                await stream.go_on()  # whoever reads finds the end by themselves
        finally:
            stream.names.clear()
            self._name(stream)
            self._called.discard(stream)
            if home:
                self._left(home)

    async def _watch_own(self) -> None:
        """Tell those whom we have called when calls leave from another address."""
        while True:
            while not self._called:
                await self._idle.park()
            await trio.sleep(limits.QUIC_LOOK_SECONDS)
            for stream in tuple(self._called):
                before, stream.source = stream.source, source_of(stream.peer)
                if stream.source not in {"", before} and stream.up:
                    stream.moved()


def source_of(where: Where) -> str:
    """Return from which of our numbers the system would send somewhere, if it can."""
    if not where:
        return ""
    family = socket.AF_INET6 if ":" in str(where[0]) else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.connect(where)  # nothing is sent, the system only picks a route
        return str(sock.getsockname()[0])
    return ""


def _certificate(key: Ed25519PrivateKey) -> x509.Certificate:
    """Return a certificate that says nothing: QUIC does not go without one."""
    nobody = x509.Name([])
    return (
        x509.CertificateBuilder()
        .subject_name(nobody)
        .issuer_name(nobody)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime(2000, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2049, 12, 31, tzinfo=UTC))
        .sign(key, None)
    )
