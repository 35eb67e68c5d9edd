"""The games that are over, as far as the window has been told of them."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from netplay.messages.finished import Finished, FinishedMatches


class PastGames(Struct, frozen=True):
    """What the page of finished games remembers."""

    found: tuple[Finished, ...] = ()
    """The latest first."""
    reading: bool = False
    """There may be others, which are being read."""
    friends: bool = False
    """Results against each friend are shown, not the games."""
    whom: str = ""
    """The friend, by fingerprint, of whose games alone is told; empty for all."""
    opened: bytes = b""
    """The match that was opened from the page to be looked at, and from nowhere else:
    who goes back from it comes here."""

    def with_more(self, page: FinishedMatches) -> "PastGames":
        """Return what is known with some more matches, each of them once."""
        every = {one.match: one for one in self.found}
        every.update((one.match, one) for one in page.found)
        latest = sorted(every.values(), key=lambda one: -one.at)
        return replace(self, found=tuple(latest), reading=page.more)

    def chosen(self) -> Sequence[Finished]:
        """Return the matches with the friend that was chosen, or all."""
        if not self.whom:
            return self.found
        return [
            one
            for one in self.found
            if any(friend.key == self.whom for friend in one.friends)
        ]
