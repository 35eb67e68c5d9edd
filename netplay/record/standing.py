"""Who sees the same in a match, and what that means for how it stands."""

from collections.abc import Callable
from typing import Any

from netplay.record.agreement import Agreement, Difference
from netplay.record.seating import Seating
from netplay.record.votes import quorum
from rules.game import Game


def _never(_seat: int) -> bool:
    """Tell that nothing is known of a seat's time."""
    return False


class Standing(Seating):
    """How a match stands, as far as its players agree on that."""

    agreement: Agreement
    game: Game[Any, Any]
    state: Any
    over: bool

    is_early: Callable[[int], bool] = staticmethod(_never)
    """Tells of a seat whether a host knows that it has time left."""

    @property
    def out_of_step(self) -> list[Difference]:
        """Where those who have a say see another position than this fold."""
        standing = self.agreement.standing
        return [standing[key] for key in sorted(standing.keys() & self.required)]

    @property
    def disputed(self) -> bool:
        """Whether too few are in step for the match to have places."""
        apart = self.agreement.standing.keys() & self.electors
        enough = quorum(len(self.electors))
        return bool(apart) and len(self.electors) - len(apart) < enough

    @property
    def places(self) -> tuple[int, ...]:
        """Each seat's place, empty while the match goes on and in dispute."""
        if not self.over or self.disputed:
            return ()
        return tuple(self.game.places(self.state))
