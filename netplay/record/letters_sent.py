"""What a node has written to others of a match by letter, and read."""

from typing import Final, TypeAlias

from msgspec.structs import replace

from netplay.messages.letters import LetterReceipt, NothingLeft
from netplay.messages.types import Digest, Key, Message, Name, Natural


class KeptLetter(Message, frozen=True, tag=40):
    """What was last written to a member."""

    to: Key
    number: Natural
    """Of the letter: each has a greater one than those before."""
    mark: Digest
    """Of what it says."""
    at: Natural
    """Unix time in seconds."""
    by: Name
    """Who keeps it; empty as long as nobody has said so."""
    lines: Natural = 0
    """Up to which of this node's player's lines of chat it says them; 0: none."""
    days: Natural = 7
    """For which it is kept."""


class KeptTaken(Message, frozen=True, tag=41):
    """The last letter of a member that was taken."""

    author: Key
    number: Natural
    news: bool
    """The log is longer for it, or it has chat: the author is to hear that it came."""


class KeptWord(Message, frozen=True, tag=42):
    """A keeper's signed word that it took the last letter to a member."""

    receipt: LetterReceipt


class KeptNothing(Message, frozen=True, tag=43):
    """A keeper's signed word that a member has left no letter with it for this node."""

    word: NothingLeft


KeptPost: TypeAlias = KeptLetter | KeptTaken | KeptWord | KeptNothing


class Post:
    """The letters of one match."""

    def __init__(self) -> None:
        """Begin without any."""
        self.letters: Final[dict[bytes, KeptLetter]] = {}
        """Member -> what was last written to it."""
        self.receipts: Final[dict[tuple[bytes, bytes], LetterReceipt]] = {}
        """Member and keeper -> the keeper's last receipt of a letter to it."""
        self.nothing: Final[dict[tuple[bytes, bytes], NothingLeft]] = {}
        """Member and keeper -> the keeper's last word that it left none."""
        self._taken: Final[dict[bytes, KeptTaken]] = {}
        self.brought: Final[dict[bytes, int]] = {}
        """Member -> the number of its last letter that brought any news."""

    def note(self, kept: KeptPost) -> None:
        """Take one record."""
        if isinstance(kept, KeptWord):
            self.receipts[kept.receipt.to, kept.receipt.keeper] = kept.receipt
            return
        if isinstance(kept, KeptNothing):
            self.nothing[kept.word.author, kept.word.keeper] = kept.word
            return
        if isinstance(kept, KeptTaken):
            if kept.news:
                self.brought[kept.author] = kept.number
            news = kept.news or self.owes(kept.author)
            self._taken[kept.author] = replace(kept, news=news)
            return
        self.letters[kept.to] = kept
        answered = self._taken.get(kept.to)
        if kept.by and answered is not None:
            self._taken[kept.to] = replace(answered, news=False)

    def owes(self, author: bytes) -> bool:
        """Tell whether a member is to hear that its last news have come."""
        taken = self._taken.get(author)
        return taken is not None and taken.news

    def is_old(self, author: bytes, number: int) -> bool:
        """Tell whether a letter of a member was taken already, or a later one."""
        taken = self._taken.get(author)
        return taken is not None and number <= taken.number

    def next_number(self, to: bytes, least: int) -> int:
        """Return the number for the next letter to a member.

        Args:
            to: The member.
            least: Milliseconds of Unix time: whoever loses this file goes on above
                what was given before.
        """
        last = self.letters.get(to)
        return max(least, 0 if last is None else last.number + 1)
