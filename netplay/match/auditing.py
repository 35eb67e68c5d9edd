"""Whether the draw of a match is proved, and by whom that is held up.

At the end dealers open their seeds, and every node works the whole match out again.
A dealer that does not is not waited for where the others hold all shares of its seed:
they pool them.  Until a match that is over is audited, that is said wherever it shows,
and remembered for the list of matches.  So is every draw that began again.
"""

from typing import TYPE_CHECKING, Final

from netplay.record.hidden import Standing
from netplay.record.whole import audit, unopened

if TYPE_CHECKING:
    from netplay.match.match import Match


class Auditing:
    """What is known of the draw of one match."""

    def __init__(self, match: "Match") -> None:
        """Begin with what the log says."""
        self._match: Final = match
        self._found = ""
        self._told = [*match.fold.again]

    def result(self) -> str:
        """Return what the audit says: empty until the end, then "ok" or why not."""
        if not self._found:
            self._found = audit(self._match.fold)
        return self._found

    @property
    def possible(self) -> bool:
        """Whether a seed is known here that the log lacks to audit the match."""
        match = self._match
        return any(
            round_.secret is None and match.knows.secret(round_) is not None
            for round_ in match.fold.rounds
        )

    def held_up(self) -> str:
        """Return why a match that is over is not audited, in words; empty if it is."""
        missing = unopened(self._match.fold)
        if not missing:
            return ""
        names = ", ".join(dict.fromkeys(one.dealer for one in missing))
        detail = f"{names} did not open the bag"
        if any(self._match.knows.is_misled(one.deal + 1) for one in missing):
            detail = f"{names} did not open the bag and gave wrong shares of its seed"
        return detail

    def look(self) -> None:
        """Say and do what is to be said and done about it."""
        match = self._match
        self._tell_again()
        if match.fold.over:
            match.dealing.pool()
            match.hidden.keep_held_up(self.held_up())
        match.hidden.keep_standing(self._standing())

    def _standing(self) -> Standing:
        """Return what the match is to this node."""
        match, fold = self._match, self._match.fold
        if fold.over:
            return "over"
        if match.watching:
            return "watched"
        own = (n for n, key in enumerate(fold.holders) if key == match.me)
        return "out" if fold.resigned and fold.resigned.issuperset(own) else ""

    def _tell_again(self) -> None:
        """Tell of every draw that begins again: somebody may have gained by it."""
        again, told, notice = self._match.fold.again, self._told, self._match.notice
        for count, one in enumerate(again, 1):
            who = one.host
            if one in told:
                continue
            if one.another:
                notice(f"{who} is host now: a draw begins again, number {count}")
            else:
                notice(f"a seat has passed on: a draw begins again, number {count}")
        self._told = [*again]
