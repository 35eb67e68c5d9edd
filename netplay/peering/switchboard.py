"""Lines that this node carries for others: whose, how many, and how much.

Theory of operation.  Two nodes that cannot reach each other have links to this one.
Either asks for a line to the other; what goes over it is their own TLS, which means
nothing here.  Each end gives the other leave to send (LineTaken) as it takes bytes off,
so that no more than a window is ever on its way and nothing is kept here but numbers.
Who sends more than it has leave for breaks the protocol.  How fast a node may send is
bounded by holding back the leave that it is given.

A link numbers the lines of each side apart: odd numbers are those of the smaller key.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from netplay import limits
from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.messages import link
from netplay.rate import Buckets

KIBIBYTE: Final = 1024


class Say(NamedTuple):
    """What to tell a node, and how many seconds later."""

    key: bytes
    message: link.LineMessage
    wait: float = 0.0


class End(NamedTuple):
    """One end of a line: whose link it is on, and its number there."""

    key: bytes
    line: int


class Half(Struct):
    """What goes from one end to the other."""

    to: End
    under_way: int = 0
    """Bytes for which the sender has used its leave."""


Judge: TypeAlias = Callable[[bytes, str], bytes]
"""Returns the key of whom somebody wants a line to; raises a PeerError with the reason
if there is none, or it may have none."""


def number_of(own: bytes, other: bytes, count: int) -> int:
    """Return the number of the next line that one side of a link opens.

    Args:
        own: Whose side.
        other: The other side.
        count: How many it has opened on the link.
    """
    return 2 * count + (1 if own < other else 2)


class Switchboard:
    """The lines."""

    def __init__(self, own: bytes, judge: Judge) -> None:
        """Begin with none.

        Args:
            own: This node's key.
            judge: Knows who is there, and who may have a line to whom.
        """
        self._own: Final = own
        self._judge: Final = judge
        self._halves: Final[dict[End, Half]] = {}
        """By the end that sends."""
        self._opened: Final[dict[bytes, int]] = {}
        """The last number that a node gave a line on its link."""
        self._rings: Final[dict[bytes, int]] = {}
        """How many lines this node has opened on a link."""
        self._rates: Final = Buckets[bytes](
            limits.LINES_OPENED_A_SECOND, limits.LINES_OPENED_AT_ONCE
        )
        self._free: Final[dict[bytes, float]] = {}
        """When a node has paid for what it has sent."""
        self.carried = 0
        """KiB begun, since the node was started."""

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self._halves) // 2

    def carries(self, key: bytes, line: int) -> bool:
        """Return whether a line is one of those carried here."""
        return End(key, line) in self._halves

    def serves(self, key: bytes) -> bool:
        """Return whether a node is at an end of a line here."""
        return any(end.key == key for end in self._halves)

    def next_number(self, key: bytes) -> int:
        """Return the number for a line that this node opens on a link."""
        count = self._rings.get(key, 0)
        self._rings[key] = count + 1
        return number_of(self._own, key, count)

    # What nodes say.

    def begins(self, key: bytes, line: int) -> None:
        """Note that a node has opened a line on its link, to whomever.

        Raises:
            PeerError: UNEXPECTED, the number is none of a new line of its.
        """
        if line % 2 != (key < self._own) or line <= self._opened.get(key, 0):
            raise PeerError(Code.UNEXPECTED, "a line with a number that is not its own")
        self._opened[key] = line

    def opens(self, key: bytes, message: link.OpenLine, now: float) -> list[Say]:
        """Let a node have a line to another.

        Raises:
            PeerError: UNEXPECTED, the number is none of a new line of its; TOO_MANY.
        """
        line = message.line
        self.begins(key, line)
        if not self._rates.take(key, now):
            raise PeerError(Code.TOO_MANY, "lines")
        try:
            to = self._judge(key, message.to)
            self._find_room(key, to)
        except PeerError as error:
            return [Say(key, link.CloseLine(line, error.code.number, error.reason))]
        one, two = End(key, line), End(to, self.next_number(to))
        self._halves[one], self._halves[two] = Half(two), Half(one)
        return [Say(to, link.Ring(two.line, fingerprint(key)))]

    def _find_room(self, *keys: bytes) -> None:
        """Refuse a line where there are too many.

        Raises:
            PeerError: BUSY.
        """
        if len(self) >= limits.LINES_CARRIED:
            raise PeerError(Code.BUSY)
        for key in keys:
            if sum(end.key == key for end in self._halves) >= limits.LINES_A_PEER:
                raise PeerError(Code.BUSY)

    def sends(self, key: bytes, message: link.LineBytes, now: float) -> list[Say]:
        """Hand on what a node sends.

        Raises:
            PeerError: TOO_MANY, it has no leave for so much.
        """
        half = self._halves.get(End(key, message.line))
        if half is None:
            return []  # it has ended meanwhile
        half.under_way += len(message.data)
        if half.under_way > limits.LINE_WINDOW_BYTES:
            raise PeerError(Code.TOO_MANY, "bytes on a line")
        # Count what is carried for a node
        kibibytes = 1 + len(message.data) // KIBIBYTE
        self.carried += kibibytes
        least = now - limits.CARRIED_AT_ONCE / limits.CARRIED_A_SECOND
        paid = max(least, self._free.get(key, least))
        self._free[key] = paid + kibibytes / limits.CARRIED_A_SECOND
        return [Say(half.to.key, link.LineBytes(half.to.line, message.data))]

    def takes(self, key: bytes, message: link.LineTaken, now: float) -> list[Say]:
        """Give the other end leave for as much as a node has taken off a line.

        Raises:
            PeerError: UNEXPECTED, so much was not on its way.
        """
        mine = self._halves.get(End(key, message.line))
        if mine is None:
            return []
        back = self._halves[mine.to]
        back.under_way -= message.count
        if back.under_way < 0:
            raise PeerError(Code.UNEXPECTED, "more was taken off a line than was sent")
        wait = max(0.0, self._free.get(mine.to.key, 0.0) - now)
        return [Say(mine.to.key, link.LineTaken(mine.to.line, message.count), wait)]

    def closes(self, key: bytes, message: link.CloseLine) -> list[Say]:
        """End a line."""
        half = self._halves.pop(End(key, message.line), None)
        if half is None:
            return []
        del self._halves[half.to]
        known = link.CloseLine(half.to.line, message.code, message.reason)
        return [Say(half.to.key, known)]

    def gone(self, key: bytes) -> list[Say]:
        """End the lines of a node whose link was lost; the next link counts anew."""
        for kept in (self._opened, self._rings):
            kept.pop(key, None)
        return list(self._end(lambda end: end.key == key, Code.NO_ANSWER, key))

    def end_all(self) -> list[Say]:
        """End every line: the player carries no more."""
        return list(self._end(lambda _end: True, Code.DECLINED))

    def _end(
        self, chosen: Callable[[End], bool], code: Code, gone: bytes = b""
    ) -> Iterator[Say]:
        for end in [end for end in self._halves if chosen(end)]:
            half = self._halves.pop(end, None)
            if half is None:
                continue
            self._halves.pop(half.to, None)
            for one in (end, half.to):
                if one.key != gone:
                    yield Say(one.key, link.CloseLine(one.line, code.number, code.text))

    def forget(self, here: Callable[[bytes], bool], now: float) -> None:
        """Forget what nodes have cost who are gone and have paid."""
        self._rates.forget(now)
        for key, paid in tuple(self._free.items()):
            if not here(key) and paid <= now:
                del self._free[key]
