"""When a member's own copy goes to the disk: before it is told of, and soon.

This is group commit.  What the host enters is on the host's disk before anybody hears
of it.  What a member has of it may follow a moment later, for many entries at once: it
is acknowledged only then.  Bodies of its own are the same case: a Submit promises
nothing, and may leave before.  Everything else that leaves promises all that was before
it.
"""

from typing import TYPE_CHECKING, Final

from netplay.messages.log import Submit

if TYPE_CHECKING:
    from netplay.match.match import Match

SYNC_SECONDS: Final = 0.01
"""Nobody notices, and one sync and one Ack do for all that comes meanwhile."""


class Syncing:
    """The moment at which one member of a match syncs its files."""

    def __init__(self, match: "Match") -> None:
        """Owe nothing."""
        self._match: Final = match
        self._due: float | None = None

    def look(self, now: float) -> None:
        """Note when what was written at last has to be safe."""
        match = self._match
        dirty = match.ledger.file.dirty or match.hidden.dirty
        if dirty and self._due is None and not match.hosting:
            self._due = now + SYNC_SECONDS

    def ring(self, now: float) -> None:
        """Wait no longer, if it is time."""
        if self._due is not None and now >= self._due:
            self._due = None

    def deadline(self) -> float | None:
        """Return when `ring` is wanted."""
        return self._due

    def may_wait(self) -> bool:
        """Tell whether what is to be sent now may leave before the next sync."""
        match = self._match
        if self._due is None or match.hosting or match.hidden.urgent:
            return False
        if match.relaying.greets:
            return False
        return all(isinstance(out.message, Submit) for out in match.replica.waiting)

    def done(self) -> None:
        """Note that all is safe."""
        self._due = None
