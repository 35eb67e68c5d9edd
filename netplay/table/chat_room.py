"""The chat of a table: who may speak, what members are sent, what windows are shown.

The nonce of the terms names it, from the first chair to the last move.  A member who is
away gets by letter what it has not said that it has (see `table.letters`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from netplay.limits import LETTER_CHAT_BYTES
from netplay.messages.door import Line
from netplay.messages.table import Chat, Heard, Terms
from netplay.sanitize import shown_name
from netplay.table.chat import Talk, shown
from netplay.table.shared import Shared
from netplay.wanted import EVERY_WINDOW


class Company(Protocol):
    """Who sits at the table."""

    @property
    def others(self) -> Sequence[bytes]:
        """The keys of the others."""
        ...

    @property
    def terms(self) -> Terms | None:
        """The terms, which say what they are called."""
        ...


class ChatRoom:
    """What is said at one table."""

    def __init__(
        self, shared: Shared, company: Company, nonce: bytes, kept: Iterable[Chat] = ()
    ) -> None:
        """Begin, or go on with what was said before.

        Args:
            shared: Key and links.
            company: Who sits at the table.
            nonce: Names it.
            kept: Lines of an earlier run, in the order in which they came.
        """
        self._shared: Final = shared
        self._company = company
        self.nonce: Final = nonce
        self._write: Callable[[Chat], None] = lambda _: None
        self._note: Callable[[bytes, int], None] = lambda _, __: None
        self._at: dict[bytes, int] = {}
        """Member -> how many lines of the player here are known to be there."""
        self.delivered = 0
        """Lines of the player here that are at another node."""
        signer = shared.means.signer
        self.talk: Final = Talk(nonce, signer, 0.0, kept=kept, keep=self._keep)
        self._heard_again: set[bytes] = set()
        """Who was told twice on this link how much chat is here."""

    def move_to(
        self,
        company: Company,
        write: Callable[[Chat], None],
        note: Callable[[bytes, int], None],
        delivered: Mapping[bytes, int],
    ) -> None:
        """Go on at what has become of the table, and write down there what is new.

        Args:
            company: Who sits there.
            write: Takes each new line.
            note: Takes a member, and how many lines of the player here are there.
            delivered: The same, by what is written down already.
        """
        self._company, self._write, self._note = company, write, note
        before, self._at = self._at, dict(delivered)
        for key, lines in before.items():
            self._deliver(key, lines)
        self.delivered = max(self._at.values(), default=0)

    def _keep(self, line: Chat) -> None:
        """Write a new line down before it is sent or shown."""
        self._write(line)

    @property
    def _speakers(self) -> set[bytes]:
        """Who may speak at the table."""
        return {*self._company.others, self._shared.me}

    # Members.

    def greet(self, keys: Iterable[bytes]) -> None:
        """Tell members how much chat is here, so that they send the rest."""
        others = [key for key in keys if key in self._company.others]
        self._heard_again.difference_update(others)
        self._shared.say(others, self.talk.heard(self._speakers))

    def heard(self, key: bytes, heard: Heard) -> None:
        """Send a member the chat that it lacks, and ask for what is not here, once."""
        if heard.table != self.nonce or key not in self._company.others:
            return
        self.told(key, heard)
        if not heard.asks:
            return
        self._shared.say((key,), *self.talk.missing(heard, self._speakers))
        if key in self._heard_again or not self.talk.is_behind(heard, self._speakers):
            return
        self._heard_again.add(key)  # our first word came before it had the table
        self._shared.say((key,), self.talk.heard(self._speakers))

    def take(self, line: Chat, now: float) -> bool:
        """Take a line from a peer; return whether it was new.

        Raises:
            PeerError: NOT_A_MEMBER or BAD_SIGNATURE.
        """
        if line.table != self.nonce or not self._shared.may_talk(line.author):
            return False
        new = self.talk.take(line, self._speakers, now)
        if new is not None:
            self._show(new)
            self._shared.say((new.author,), self.talk.thanks(new.author))
            means = self._shared.means
            muted = new.author in means.muted.players
            if not muted and new.author not in means.known.blocked:
                name = self._names().get(new.author, "")
                self._shared.wrote.append((self._shared.at_table, name))
        return new is not None

    def told(self, key: bytes, heard: Heard) -> None:
        """Note what a member has of what the player here has said."""
        self._deliver(key, dict(heard.authors).get(self._shared.me, 0))

    def _deliver(self, key: bytes, lines: int) -> None:
        """Note that so many lines of the player here are at a member's node."""
        lines = min(lines, self.talk.said_here())
        if lines > self._at.get(key, 0):
            self._at[key] = lines
            self.delivered = max(self.delivered, lines)
            self._note(key, lines)
            self._shared.changed = True

    # Members who are away.

    def unheard(self, key: bytes) -> list[Chat]:
        """Return the next lines of the player here that a member does not have."""
        heard = self._at.get(key, 0)
        if heard >= self.talk.said_here():
            return []
        return self.talk.own(heard, LETTER_CHAT_BYTES)

    def letter(self, key: bytes) -> list[Heard | Chat]:
        """Return what a letter to a member says: what is here, and what it lacks."""
        heard = [self.talk.thanks(key)] if self.talk.has_heard(key) else []
        return [*heard, *self.unheard(key)]

    # Windows.

    def say(self, text: str, now: float) -> bool:
        """Say a line to the table; tell whether somebody is there to hear it.

        Raises:
            LocalError: USAGE or TOO_MANY.
        """
        line, others = self.talk.say(text, now), self._company.others
        self._shared.say(others, line)
        self._show(line)
        return not others or any(map(self._shared.is_up, others))

    def recall(self, window: int) -> None:
        """Show a window that has just come what was said before."""
        for line in self.talk.came():
            self._show(line, window)

    def _show(self, line: Chat, window: int = EVERY_WINDOW) -> None:
        """Show a window, or all of them, a line of chat, but for a blocked player's."""
        shared, means = self._shared, self._shared.means
        if line.author in means.known.blocked:
            return
        author = shared.known_as(line.author, self._names().get(line.author, ""))
        muted = line.author in means.muted.players
        number = line.number if line.author == shared.me else -1
        shown_line = Line(author, shown(line), means.unix(), number, muted)
        shared.push(shown_line, window)

    def _names(self) -> dict[bytes, str]:
        """Return what everybody at the table is called."""
        terms = self._company.terms
        members = () if terms is None else terms.members
        names = {member.key: shown_name(member.name) for member in members}
        names.setdefault(self._shared.me, self._shared.name)
        return names
