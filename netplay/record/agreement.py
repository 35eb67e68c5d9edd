"""Whether the programs of a match see the same: digests of the public position.

Theory of operation.  Whoever moves says, signed, in which position: the digest of what
a bystander sees.  Every node compares it with its own (see `standing`, where both are
worked out).  Where they differ the move is no move: it stands in the log, for everybody
to check, and changes nothing; its author is *out of step* until it names a position
that is the node's own.  So all who agree go on with one another, whoever is host, and
nobody is believed more than another.

Which of two programs is wrong nobody can tell here; so with fewer than a quorum in
step the match is in dispute, and has no places.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from netplay.errors import Code, PeerError

SAID: Final = 16
"""Times one author may say what it sees: more is no news."""


FOUND: Final = 16
"""Differences of one author that are told of and shown: a host that means no good may
enter as many as it likes."""


class Difference(NamedTuple):
    """Somebody named another position than this node's."""

    number: int
    """The entry."""
    author: bytes
    theirs: bytes
    ours: bytes
    moves: int
    """Made before."""


class Said(NamedTuple):
    """An author's word on what it sees."""

    number: int
    """The entry."""
    state: bytes


def is_to_be_named(hz: int, since: int, until: int) -> bool:
    """Tell whether a second of a seat's own ticks ends in a stretch."""
    return until // hz > since // hz


class Agreement:
    """What the authors of a match have said of its positions."""

    def __init__(self) -> None:
        """Begin in step."""
        self.standing: Mapping[bytes, Difference] = {}
        """Who is out of step, and since when."""
        self.found: tuple[Difference, ...] = ()
        """The first differences of each author."""
        self.said: Mapping[bytes, tuple[Said, ...]] = {}
        """What authors have said that they see."""

    def has_said(self, author: bytes, state: bytes) -> bool:
        """Tell whether an author has ever said that it sees a position."""
        return any(said.state == state for said in self.said.get(author, ()))

    def compare(self, heard: Difference, *, strict: bool, agreed: bool = False) -> bool:
        """Compare what an author names with our own; return whether they are equal.

        Args:
            heard: What was named, and what is so here.
            strict: Refuse to hear the same of it again before a move was made.
            agreed: The author has said that the match ended as it did here: that it
                cannot take back.

        Raises:
            PeerError: OUT_OF_STEP.
        """
        others = {k: v for k, v in self.standing.items() if k != heard.author}
        if heard.theirs == heard.ours:
            if heard.author in self.standing:
                self.standing = others
            return True
        before = self.standing.get(heard.author)
        if strict and before is not None and before.moves == heard.moves:
            raise PeerError(Code.OUT_OF_STEP)
        if not agreed:
            self.standing = {**others, heard.author: heard}
        if sum(one.author == heard.author for one in self.found) < FOUND:
            self.found = (*self.found, heard)
        return False

    def say(self, number: int, author: bytes, state: bytes) -> None:
        """Take an author's word on what it sees.

        Raises:
            PeerError: UNEXPECTED, it has said so just before, or too often.
        """
        said = self.said.get(author, ())
        if (said and said[-1].state == state) or len(said) >= SAID:
            raise PeerError(Code.UNEXPECTED, "the position again")
        self.said = {**self.said, author: (*said, Said(number, state))}

    def is_owed(self, author: bytes, state: bytes, *, now: bool) -> bool:
        """Tell whether an author has yet to say what it sees.

        Whoever finds that another sees something else says so, once: else that one,
        who waits for the next move, would not know.
        """
        said = self.said.get(author, ())
        if len(said) >= SAID or (said and said[-1].state == state):
            return False
        last = said[-1].number if said else -1
        others = (v.number for k, v in self.standing.items() if k != author)
        return now or any(number > last for number in others)
