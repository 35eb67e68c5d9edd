"""What the log shows of a match that its players should know: told once, and kept.

At the end dealers open their seeds, and every node works the whole match out again.
A dealer that does not is not waited for where the others hold all shares of its seed:
they pool them.  Until a match that is over is audited, that is said wherever it shows,
and remembered for the list of matches.  Told as well are every draw that began again,
and where the programs of a match see different positions.
"""

from collections.abc import Iterator
from typing import Final

from netplay.match.effects import NOTHING, Effect, Effects, Keep, Notice
from netplay.match.knowledge import Knowledge
from netplay.match.members import Members
from netplay.record.agreement import Difference
from netplay.record.fold import Fold
from netplay.record.full_state import audit, unopened
from netplay.record.hidden import Hidden, KeptHeldUp, KeptStanding, Standing
from netplay.record.ledger import Ledger
from netplay.said import Said, Words
from netplay.sentences import Says

SHOWN: Final = 16
"""Digits of a digest that people compare; the whole one stands in the log."""


def words(fold: Fold, found: Difference) -> Said:
    """Return a difference in words, with both digests."""
    name = next(m.name for m in fold.members if m.key == found.author)
    theirs, ours = found.theirs.hex()[:SHOWN], found.ours.hex()[:SHOWN]
    at = found.number
    detail = Says.OUT_OF_STEP_AT(name=name, number=at, theirs=theirs, ours=ours)
    return detail  # noqa: RET504 (the name marks a text that is translated)


def standing(fold: Fold) -> tuple[Said, ...]:
    """Return in words who is out of step."""
    return tuple(words(fold, found) for found in fold.out_of_step)


class Auditing:
    """What is known of the draw of one match, and what has been told of it."""

    def __init__(
        self, ledger: Ledger, hidden: Hidden, members: Members, knows: Knowledge
    ) -> None:
        """Begin with what the log says; an earlier run has told of it."""
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._knows: Final = knows
        self._found = ""
        fold = ledger.fold
        self._told = fold.again
        self._differences = len(fold.agreement.found)
        self._disputed = fold.disputed
        self._seen: object = None
        """What all that is told follows from, when it was looked at last."""

    def result(self) -> str:
        """Return what the audit says: empty until the end, then "ok" or why not."""
        if not self._found and not self._knows.unchecked:
            self._found = audit(self._ledger.fold)
        return self._found

    @property
    def possible(self) -> bool:
        """Whether a seed is known here that the log lacks to audit the match."""
        return any(
            round_.secret is None and self._knows.secret(round_) is not None
            for round_ in self._ledger.fold.rounds
        )

    def held_up(self) -> Words:
        """Return why a match that is over is not audited, in words; empty if it is."""
        missing = unopened(self._ledger.fold)
        if not missing:
            return ""
        names = ", ".join(dict.fromkeys(one.dealer for one in missing))
        detail = Says.BAG_NOT_OPENED(names=names)
        if any(self._knows.is_misled(one.deal + 1) for one in missing):
            detail = Says.BAG_NOT_OPENED_SHARES_WRONG(names=names)
        return detail

    def look(self) -> Effects:
        """Return what is to be told and kept, now that the log has gone on."""
        fold = self._ledger.fold
        said, here = fold.agreement, self._members.version
        seen = fold, fold.again, fold.resigned, said.found, said.standing, here
        if seen == self._seen and not fold.over:
            return NOTHING
        self._seen = seen
        return list(self._news())

    def _news(self) -> Iterator[Effect]:
        """Yield what is new."""
        yield from self._begun_again()
        yield from self._differing()
        why = self.held_up() if self._ledger.fold.over else self._hidden.held_up
        if why != self._hidden.held_up:
            yield Keep(KeptHeldUp(why))
        now = self._standing()
        if now != self._hidden.standing:
            yield Keep(KeptStanding(now))

    def _standing(self) -> Standing:
        """Return what the match is to this node, for the list of matches."""
        fold, members = self._ledger.fold, self._members
        if fold.over:
            return "over"
        if members.watching:
            return "watched"
        if not fold.resigned:
            return ""
        return "out" if fold.resigned.issuperset(fold.seats_of(members.me)) else ""

    def _begun_again(self) -> Iterator[Notice]:
        """Tell of every draw that begins again: somebody may have gained by it."""
        again = self._ledger.fold.again
        if again == self._told:
            return
        for count, one in enumerate(again, 1):
            who = one.host
            if one in self._told:
                continue
            if one.another:
                detail = Says.NEW_HOST_DRAWS_AGAIN(name=who, number=count)
            else:
                detail = Says.NEW_SEAT_DRAWS_AGAIN(number=count)
            yield Notice(detail)
        self._told = again

    def _differing(self) -> Iterator[Notice]:
        """Tell of differences that have come to light, and of what follows."""
        fold = self._ledger.fold
        found = fold.agreement.found
        if len(found) != self._differences:
            for each in found[self._differences :]:
                yield Notice(words(fold, each))
            self._differences = len(found)
        disputed = bool(fold.agreement.standing) and fold.disputed
        if disputed and not self._disputed:
            detail = Says.IN_DISPUTE()
            yield Notice(detail)
        self._disputed = disputed
