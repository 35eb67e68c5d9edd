"""One peer: handshake, pings, goodbye, as a state machine without a socket.

Theory of operation.  TLS has proved who the other node is before a link begins.  Both
sides say Hello at once; whoever has judged the other's Hello good says Welcome; a link
is open for the side that has said Welcome and heard it.  The rest of the messages may
travel only then, in frames of up to 64 KiB instead of 1 KiB.  An open link pings after
five seconds without a byte and is lost after twelve.  A calm one, of whose end nobody
expects anything, pings seldom; but once it has, or something was said on it, a sign of
the other is due as soon as on any.  Each side that wants to end says Bye and the other
says Bye back.

`MOVES` is the whole machine: a (state, trigger) that is not in it is an error of the
other node if the trigger was a message of its, and of ours otherwise.  The caller
feeds bytes and the time, writes what `take_bytes` returns, acts on the events, and
calls `wake` when `deadline` has come.  What tables and matches say does not concern the
machine: while it is OPEN the caller writes it behind that.  `Closed` is the last event,
and comes once; after it the caller writes what is left and closes the transport.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from netplay import limits
from netplay.errors import Code, PeerError, by_number
from netplay.messages import link
from netplay.messages.log import LogMessage
from netplay.messages.table import TableMessage
from netplay.messages.types import REASON_CHARACTERS
from netplay.rate import Bucket
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says
from netplay.wire import FrameReader, PeerMessage, decode, encode

VERSIONS: Final = (1,)
"""Versions of the protocol that this program speaks."""

DIAL_BACK: Final = "dial-back"
"""Knows DialBack and DialedBack."""

SEEN: Final = "seen"
"""Tells callers at its port where their calls come from: see `stun`."""

FEATURES: Final = (DIAL_BACK, SEEN)
"""Optional parts of the protocol that this program knows."""


class State(Enum):
    """Where a link stands."""

    NEW = auto()
    GREETED = auto()
    """Our Hello is out."""
    WELCOMED = auto()
    """Their Hello was good, and our Welcome is out."""
    OPEN = auto()
    """Their Welcome has come too."""
    CLOSING = auto()
    """Our Bye is out, theirs has not come."""
    CLOSED = auto()


class Trigger(Enum):
    """What moves a link on."""

    START = auto()
    HELLO = auto()
    WELCOME = auto()
    PING = auto()
    PONG = auto()
    MESSAGE = auto()
    """Any message of a table or a log."""
    BYE = auto()
    LEAVE = auto()
    """This side ends the link: by wish, for an error, or after silence."""
    CUT = auto()
    """The transport has ended."""


MOVES: Final[Mapping[tuple[State, Trigger], State]] = {
    (State.NEW, Trigger.START): State.GREETED,
    (State.NEW, Trigger.CUT): State.CLOSED,
    (State.GREETED, Trigger.HELLO): State.WELCOMED,
    (State.GREETED, Trigger.BYE): State.CLOSED,
    (State.GREETED, Trigger.LEAVE): State.CLOSING,
    (State.GREETED, Trigger.CUT): State.CLOSED,
    (State.WELCOMED, Trigger.WELCOME): State.OPEN,
    (State.WELCOMED, Trigger.BYE): State.CLOSED,
    (State.WELCOMED, Trigger.LEAVE): State.CLOSING,
    (State.WELCOMED, Trigger.CUT): State.CLOSED,
    (State.OPEN, Trigger.PING): State.OPEN,
    (State.OPEN, Trigger.PONG): State.OPEN,
    (State.OPEN, Trigger.MESSAGE): State.OPEN,
    (State.OPEN, Trigger.BYE): State.CLOSED,
    (State.OPEN, Trigger.LEAVE): State.CLOSING,
    (State.OPEN, Trigger.CUT): State.CLOSED,
    (State.CLOSING, Trigger.HELLO): State.CLOSING,
    (State.CLOSING, Trigger.WELCOME): State.CLOSING,
    (State.CLOSING, Trigger.PING): State.CLOSING,
    (State.CLOSING, Trigger.PONG): State.CLOSING,
    (State.CLOSING, Trigger.MESSAGE): State.CLOSING,
    (State.CLOSING, Trigger.BYE): State.CLOSED,
    (State.CLOSING, Trigger.CUT): State.CLOSED,
}
"""The whole machine."""

_TRIGGERS: Final[Mapping[type[PeerMessage], Trigger]] = {
    link.Hello: Trigger.HELLO,
    link.Welcome: Trigger.WELCOME,
    link.Ping: Trigger.PING,
    link.Pong: Trigger.PONG,
    link.Bye: Trigger.BYE,
}

_HANDED_ON: TypeAlias = TableMessage | LogMessage
"""What an open link hands on: no trigger but MESSAGE."""

GOODBYE: Final = "goodbye"
"""What a friendly Bye says."""

_ENDED: Final = frozenset({State.CLOSING, State.CLOSED})


class Opened(Struct, frozen=True):
    """The link is open; the name in the Hello is fit to be shown."""

    hello: link.Hello
    version: int
    features: tuple[str, ...]


class Got(Struct, frozen=True):
    """A message of a table or a log has come: nearly all that do."""

    message: TableMessage | LogMessage


class Reach(Struct, frozen=True):
    """A message about reaching a node has come."""

    message: link.ReachMessage


class Renamed(Struct, frozen=True):
    """The other's player has taken another name, fit to be shown."""

    name: str


class Quiet(Struct, frozen=True):
    """Nothing has been heard for longer than pings take."""


class End(Enum):
    """Who ended a link."""

    OURS = auto()
    THEIRS = auto()
    CUT = auto()


class Closed(Struct, frozen=True):
    """The link has ended: write what is left and close the transport."""

    end: End
    code: Code | None
    """What was wrong; None for a friendly goodbye or a cut."""
    reason: str
    """More about it, fit to be shown."""


Seldom: TypeAlias = Opened | Reach | Renamed | Quiet | Closed
Event: TypeAlias = Got | Seldom
Judge: TypeAlias = Callable[[link.Hello], None]
"""Raises a PeerError with the reason if the node behind a Hello is not welcome."""


class Link:
    """One side of a link."""

    def __init__(self, hello: link.Hello, judge: Judge, now: float) -> None:
        """Say Hello.

        Args:
            hello: What to say; its versions and features are what is negotiated.
            judge: Asked when the other's Hello has come.
            now: Seconds on the caller's clock.
        """
        self.state = State.NEW
        self._hello = hello
        self._judge = judge
        self._theirs: link.Hello | None = None
        self._welcome: link.Welcome | None = None
        self._reader = FrameReader()
        self.out: list[bytes] = []
        """What must be written: see `take_bytes`."""
        self._events: list[Event] = []
        self._bucket = Bucket(0.0, limits.HANDSHAKE_FRAMES, now)
        self.frame_began: float | None = None
        """Since when a frame is only half here."""
        self._due = now + limits.HANDSHAKE_SECONDS
        """When the handshake, or the goodbye, has taken too long."""
        self._heard = now
        self.quiet = False
        """Nothing has been heard for longer than pings take."""
        self._calm = 0.0
        """Seconds without a byte before a calm link pings; 0 on any other."""
        self._stirred = False
        """It is calm, but a sign of the other is due: see `stir`."""
        self._pings = 0
        self._pongs = 0
        self._pinged_at = now
        """When it was asked last, or when the link opened."""
        self.round_trip = 0.0
        """Seconds that the last ping took there and back."""
        self._step(Trigger.START)
        self._write(hello)

    # What the caller does.

    def receive(self, data: bytes, now: float) -> list[Event]:
        """Take bytes from the transport and return what they mean.

        Args:
            data: What was read; empty at the end of the stream.
            now: Seconds on the caller's clock.
        """
        if not data:
            if self.state is not State.CLOSED:
                before = self.state
                self._step(Trigger.CUT)
                if before is not State.CLOSING:
                    self._end(End.CUT, None, "")
        elif self.state is not State.CLOSED:
            self._heard, self.quiet, self._stirred = now, False, False
            self._reader.feed(data)
            self._read_frames(now)
        events, self._events = self._events, []
        return events

    def close(self, code: Code | None, reason: str, now: float) -> list[Event]:
        """Say Bye; nothing happens if the link has ended."""
        if self.state not in _ENDED:
            self._leave(code, reason, now)
        return self._take_events()

    def trust(self, now: float) -> None:
        """Allow as many frames as a member of our match may need."""
        self._bucket = Bucket(
            limits.MEMBER_FRAMES_A_SECOND, limits.MEMBER_FRAMES_AT_ONCE, now
        )

    def calm(self, seconds: float, now: float) -> None:
        """Ping after so many seconds, for nobody expects anything; 0: as usual."""
        if not seconds:
            self.stir(now)
            self.quiet = self.quiet and not self._calm  # told again to who misses it
        elif not self._calm:
            self._stirred = self._pinged_at > self._heard
        self._calm = seconds

    def stir(self, now: float) -> None:
        """Want a sign of the other as soon as on any link: something is said to it.

        Who has been silent for longer than pings take is asked at once, and only what
        it says, or does not, from then on counts.
        """
        if self._calm and not self._stirred:
            self._stirred = True
            if now >= self._ping_due():
                self._heard = now - limits.PING_SECONDS
                self._ping(now)

    def take_bytes(self) -> bytes:
        """Return what must be written now, and forget it."""
        if not self.out:
            return b""
        out, self.out = self.out, []
        return b"".join(out)

    def deadline(self) -> float | None:
        """Return when `wake` is due, or None if never."""
        if self.state is State.CLOSED:
            return None
        if self.state is not State.OPEN:
            return self._due
        patience = limits.SILENCE_SECONDS if self.quiet else limits.QUIET_SECONDS
        due = min(self._heard + patience, self._ping_due())
        if self._calm and not self._stirred:
            due = self._heard + self._calm
        return due if self.frame_began is None else min(due, self._frame_due())

    def wake(self, now: float) -> list[Event]:
        """Do what the time asks for: ping, or give up."""
        if self.state is State.OPEN:
            self._wake_open(now)
        elif self.state is not State.CLOSED and now >= self._due:
            if self.state is State.CLOSING:
                self._step(Trigger.CUT)
            else:
                self._leave(Code.SILENT, "no Welcome in time", now)
        return self._take_events()

    # Reading.

    def _read_frames(self, now: float) -> None:
        """Act on every whole frame; end the link at the first bad one."""
        try:
            while self.state is not State.CLOSED:
                frame = self._reader.next() if self._reader.buffer else None
                if frame is None:
                    break
                self.frame_began = None
                if not self._bucket.take(now):
                    self._fail(PeerError(Code.TOO_MANY), now)
                    break
                message = decode(frame)
                if self.state is State.OPEN and isinstance(message, _HANDED_ON):
                    self._events.append(Got(message))  # the machine stays where it is
                elif message is not None:
                    self._act(message, now)
        except PeerError as error:
            self._fail(error, now)
        if not self._reader.buffer:
            self.frame_began = None
        elif self.frame_began is None:
            self.frame_began = now

    def _fail(self, error: PeerError, now: float) -> None:
        """End the link, because the other side has broken the rules."""
        if self.state is State.CLOSING:
            self._step(Trigger.CUT)
        else:
            self._leave(error.code, error.reason, now)

    def _act(self, message: PeerMessage, now: float) -> None:
        before = self.state
        self._step(_TRIGGERS.get(type(message), Trigger.MESSAGE))
        if before is State.CLOSING:
            return
        match message:
            case link.Hello():
                self._on_hello(message)
            case link.Welcome():
                self._on_welcome(message, now)
            case link.Ping():
                self._write(link.Pong(message.number))
            case link.Pong():
                if not self._pongs < message.number <= self._pings:
                    raise PeerError(Code.UNEXPECTED, "a Pong without its Ping")
                self._pongs = message.number
                if message.number == self._pings:
                    self.round_trip = now - self._pinged_at
            case link.NewName():
                self._events.append(Renamed(clean(message.name, NAME_CHARACTERS)))
            case link.Bye():
                self._write(link.Bye(0, GOODBYE))
                code = by_number(message.code) or (
                    Code.UNEXPECTED if message.code else None
                )
                self._end(End.THEIRS, code, message.reason)
            case _:
                assert not isinstance(message, _HANDED_ON)  # see `_read_frames`
                self._events.append(Reach(message))

    def _on_hello(self, theirs: link.Hello) -> None:
        ours = self._hello
        if theirs.nonce == ours.nonce:
            raise PeerError(Code.SELF)
        common = set(theirs.versions) & set(ours.versions)
        if not common:
            here, there = max(ours.versions), max(theirs.versions)
            older = min(here, there)
            detail = Says.PROTOCOLS(ours=here, theirs=there, older=older)
            raise PeerError(Code.VERSION, detail)
        theirs = replace(
            theirs,
            name=clean(theirs.name, NAME_CHARACTERS),
            program=clean(theirs.program, len(theirs.program)),
        )
        self._judge(theirs)
        features = tuple(sorted(set(theirs.features) & set(ours.features)))
        self._theirs = theirs
        self._welcome = link.Welcome(max(common), features)
        self._write(self._welcome)

    def _on_welcome(self, welcome: link.Welcome, now: float) -> None:
        """Open the link if both sides came to the same result."""
        if welcome != self._welcome or self._theirs is None:
            raise PeerError(Code.VERSION, "a Welcome to what was not offered")
        self._reader.limit = limits.FRAME_BYTES
        self._bucket = Bucket(limits.FRAMES_A_SECOND, limits.FRAMES_AT_ONCE, now)
        self._pinged_at = now
        self._events.append(Opened(self._theirs, welcome.version, welcome.features))

    # Ending.

    def _leave(self, code: Code | None, reason: str, now: float) -> None:
        self._step(Trigger.LEAVE)
        meant = code.text if code else GOODBYE
        reason = clean(reason, REASON_CHARACTERS) or meant
        self._write(link.Bye(code.number if code else 0, reason))
        self._due = now + limits.BYE_SECONDS
        self._end(End.OURS, code, reason)

    def _end(self, end: End, code: Code | None, reason: str) -> None:
        self._events.append(Closed(end, code, clean(reason, REASON_CHARACTERS)))

    # Time.

    def _wake_open(self, now: float) -> None:
        """Give up on a peer that is silent or too slow; ping the others."""
        if self._calm and now >= self._heard + self._calm:
            self.stir(now)
        calm = self._calm and not self._stirred
        if not calm and now >= self._heard + limits.SILENCE_SECONDS:
            self._leave(Code.SILENT, "", now)
        elif now >= self._frame_due():
            self._leave(Code.SILENT, "a message took too long", now)
        elif not calm:
            if now >= self._ping_due():
                self._ping(now)
            if now >= self._heard + limits.QUIET_SECONDS and not self.quiet:
                self.quiet = True
                self._events.append(Quiet())

    def _ping(self, now: float) -> None:
        self._pings += 1
        self._pinged_at = now
        self._write(link.Ping(self._pings))

    def _ping_due(self) -> float:
        """Return when to ask whether the other side is there.

        Not while it is heard: of two that have nothing to say one asks, not both.
        """
        return max(self._heard, self._pinged_at) + limits.PING_SECONDS

    def _frame_due(self) -> float:
        """Return when the frame that has begun must be here."""
        began = self.frame_began
        return float("inf") if began is None else began + limits.FRAME_SECONDS

    # Small things.

    def _step(self, trigger: Trigger) -> None:
        """Move to the next state, or raise what is wrong with that."""
        after = MOVES.get((self.state, trigger))
        if after is None:
            doing = f"{trigger.name.lower()} while {self.state.name.lower()}"
            raise PeerError(Code.UNEXPECTED, doing)
        self.state = after

    def _write(self, message: link.LinkMessage) -> None:
        """Add a message of the link itself to what must be written."""
        self.out.append(encode(message))

    def _take_events(self) -> list[Event]:
        """Return the events since the last time."""
        events, self._events = self._events, []
        return events
