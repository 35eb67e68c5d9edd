"""Those whom the player has never said yes to, and what they may cost.

Theory of operation.  A friend is somebody whom the player has called, or has agreed to
play with.  Anybody else may call, ask and come and go, but nothing is fetched, signed,
dialled, opened or kept because of it before the player has said yes; and the lines and
calls that a player is shown of them are few, however many they are.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.limits import (
    CALLS_A_SECOND,
    CALLS_AT_ONCE,
    CHAT_LINES,
    CHAT_RATE,
    PIECES_A_SECOND,
    PIECES_AT_ONCE,
    SHOWN_A_SECOND,
    SHOWN_AT_ONCE,
)
from netplay.messages.table import Piece, Want
from netplay.rate import Bucket
from netplay.table.guest import Guest

if TYPE_CHECKING:
    from netplay.table.sitting import Sitting


class Strangers:
    """Knows friends from others, and lets the others do little."""

    def __init__(self, sitting: "Sitting") -> None:
        """Begin."""
        self._sitting: Final = sitting
        self._lines: Final = Bucket(SHOWN_A_SECOND, SHOWN_AT_ONCE, 0.0)
        self._unshown = 0
        """Lines that were left out since the last one."""
        self._calls: Final = Bucket(CALLS_A_SECOND, CALLS_AT_ONCE, 0.0)
        self._talk: Final = Bucket(CHAT_RATE, 2 * CHAT_LINES, 0.0)
        self._pieces: dict[bytes, Bucket] = {}
        """How much of its files each at the table may still ask for."""
        self._befriended: set[bytes] = set()
        """Of whom the shell was not told."""

    # Friends.

    def knows(self, key: bytes) -> bool:
        """Tell whether the player has ever said yes to somebody."""
        peer, match = self._sitting.peers.get(key), self._sitting.match
        friend = peer is not None and peer.friend
        return friend or (match is not None and key in match.others)

    def befriend(self, keys: Iterable[bytes]) -> None:
        """Note that the player says yes to somebody."""
        for key in keys:
            self._befriended.add(key)
            peer = self._sitting.peers.get(key)
            if peer is not None:
                self._sitting.peers[key] = replace(peer, friend=True)

    def take_friends(self) -> tuple[bytes, ...]:
        """Return those who have become friends since the last call."""
        found = tuple(self._befriended)
        self._befriended.clear()
        return found

    # What others may do.

    def tell(self, text: str, key: bytes) -> None:
        """Show every window a line about a peer, of strangers not too many."""
        sitting = self._sitting
        tone = sitting.tone(key)
        if self.knows(key):
            sitting.tell(text, tone)
        elif not self._lines.take(sitting.now):
            self._unshown += 1
        else:
            if self._unshown:
                sitting.tell(f"{self._unshown} lines about strangers were left out")
                self._unshown = 0
            sitting.tell(text, tone)

    def may_talk(self, key: bytes) -> bool:
        """Tell whether a line of chat is to be taken now.

        Who has but come may not send all that a friend may have to send again.
        """
        return self.knows(key) or self._talk.take(self._sitting.now)

    def rings(self, key: bytes) -> bool:
        """Let somebody call to a table; return whether nothing is in the way.

        A friend sits this node down.  Somebody unknown waits for the player to say yes;
        one at a time, not too often, and while no table is in hand.
        """
        sitting, friend = self._sitting, self.knows(key)
        in_hand = (sitting.match, sitting.guest, sitting.attending) != (None,) * 3
        if not friend and (in_hand or not self._calls.take(sitting.now)):
            return False
        name = sitting.known_as(key)
        sitting.tell(f"{name} calls to a table", sitting.tone(key))
        sitting.drop()
        means = sitting.means
        sitting.guest = Guest(means.signer, means.shelf, key, wanted=friend)
        return True

    def want(self, key: bytes, want: Want) -> Piece | None:
        """Return a piece of a file that the table in hand plays with.

        It is for those at the table, and for those who watch; of whom asks else, and of
        a file that the terms do not name any more, nothing is said.

        Raises:
            PeerError: TOO_MANY, it has had more than all of it; BAD_DIGEST, the file
                does not reach so far.
        """
        sitting, terms = self._sitting, self._sitting.terms
        here = key in sitting.others or sitting.gallery.watches(key)
        if terms is None or not here:
            return None
        if want.digest not in (terms.edition, terms.lexicon):
            return None
        fresh = Bucket(PIECES_A_SECOND, PIECES_AT_ONCE, sitting.now)
        if not self._pieces.setdefault(key, fresh).take(sitting.now):
            raise PeerError(Code.TOO_MANY, "pieces of files")
        return sitting.means.shelf.piece(want)

    def forget(self) -> None:
        """Begin anew with the next table."""
        self._pieces.clear()
