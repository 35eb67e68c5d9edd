"""The windows of a node: which table each looks at, and what it is shown of it.

A window that has chosen no table looks at the only one there is.  A command chooses
none: it says each time which one it means, or means the only one that goes on.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.match.match import Match
from netplay.messages.door import (
    Call,
    ChangeTable,
    Consent,
    Line,
    Notice,
    Play,
    Question,
    Request,
    StartMatch,
    View,
)
from netplay.messages.preparing import DropPrepared, Prepare
from netplay.messages.table_questions import (
    AnswerWatcher,
    ClaimTime,
    HandSeat,
    Kick,
    LetWatch,
    PlayAgain,
    TakeBack,
    Vote,
)
from netplay.sentences import Says
from netplay.table.games import described, titled
from netplay.table.guest import Guest
from netplay.table.hosting import Hosting
from netplay.table.in_match import InMatch
from netplay.table.place import Place
from netplay.table.places import Places
from netplay.table.playing import Playing
from netplay.table.shared import Shared
from netplay.table.state import State
from netplay.table.views import Views
from netplay.wanted import EVERY_WINDOW, Push

NAMED: Final = 12
"""Tables named to who has to say which is meant."""


_ASKED_OF: Final[Mapping[type, type[State]]] = {
    Consent: Guest,
    StartMatch: Hosting,
    ChangeTable: Hosting,
    Call: Hosting,
    Kick: Hosting,
    Play: InMatch,
    TakeBack: InMatch,
    Prepare: InMatch,
    DropPrepared: InMatch,
    ClaimTime: InMatch,
    Vote: InMatch,
    HandSeat: InMatch,
    AnswerWatcher: Playing,
    LetWatch: Playing,
    PlayAgain: Playing,
}
"""What only tables of a kind can be asked: no other is meant while there is one."""


class Windows:
    """All windows of a node."""

    def __init__(self, shared: Shared, places: Places) -> None:
        """Begin without any.

        Args:
            shared: What all tables of the node have in common.
            places: The tables.
        """
        self._shared: Final = shared
        self._places: Final = places
        self.views: Final = Views()

    def up(self, window: int, number: int | None = None) -> None:
        """Note a new window, and tell it what was said before it came.

        Args:
            window: Which.
            number: Of the table that it looks at, 0 for none; None if it may choose.
        """
        self.views.up(window)
        if number is not None:
            self.views.look(window, number)
        self._recall(window)

    def _recall(self, window: int) -> None:
        """Tell a window what was said at the table that it looks at."""
        place = self.seen_by(window)
        if place is not None and place.table.chat is not None:
            place.unread = 0
            with place:
                place.table.chat.recall(window)

    def down(self, window: int) -> None:
        """Forget a window."""
        self.views.down(window)

    def seen_by(self, window: int) -> Place | None:
        """Return the table that a window looks at: its choice, or the only one."""
        number = self.views.looks_at(window)
        if number is not None:
            return self._places.by_number.get(number)
        return self._alone()

    def _alone(self) -> Place | None:
        """Return the only table in hand."""
        places = self._places.by_number
        if self._places.unopened:
            return None
        return next(iter(places.values())) if len(places) == 1 else None

    def look(self, window: int, number: int) -> None:
        """Let a window look at a table from now on, or at none."""
        before = self.seen_by(window)
        if self.views.look(window, number):
            self._shared.changed = True
            if self.seen_by(window) is not before:
                self.views.unwatch(window)
                self._recall(window)

    def show_at_once(self, number: int) -> None:
        """Let windows look at a table that has just come, if they look at none."""
        for window in self.views.numbers():
            if self.seen_by(window) is None:
                self.look(window, number)

    def find(self, window: int, request: Request) -> Place | None:
        """Return the table that a request is about, None while none is in hand.

        Raises:
            LocalError: NO_TABLE, there is none with its number; USAGE, there are
                several.
        """
        if request.table:
            return self.numbered(request.table)
        return self.seen_by(window) or self._only(request.ask)

    def numbered(self, number: int) -> Place:
        """Return the table with a number.

        Raises:
            LocalError: NO_TABLE, there is none.
        """
        place = self._places.by_number.get(number)
        if place is None:
            raise LocalError(Code.NO_TABLE, Says.NO_SUCH_TABLE(number=number))
        return place

    def _only(self, ask: Question | None = None) -> Place | None:
        """Return the only table that may be meant, or the only one that goes on.

        Raises:
            LocalError: USAGE, there are several.
        """
        self._places.unopened.open_all()
        found = list(self._places)
        kind = _ASKED_OF.get(type(ask))
        if kind is not None:
            found = [one for one in found if isinstance(one.table, kind)] or found
        if len(found) > 1:
            found = [one for one in found if one.table.busy] or found[-1:]
        if len(found) > 1:
            names = [described(one.number, one.table) for one in found[:NAMED]]
            raise LocalError(Code.USAGE, Says.WHICH_TABLE(tables=", ".join(names)))
        return found[0] if found else None

    def front(self, window: int | None = None) -> Place | None:
        """Return what a window looks at; of all the one that goes on, or the latest."""
        if window is not None:
            return self.seen_by(window)
        found = list(self._places)
        busy = [place for place in found if place.table.busy]
        return next(iter((*reversed(busy), *reversed(found))), None)

    # What they are shown.

    def take_pushes(self) -> list[Push]:
        """Return pushes for windows, in order."""
        gone: Mapping[int, str] = {}
        if self._places.gone:  # called at every move
            gone = self._places.take_gone()
            self._leave(gone)
        news = self.views.changed(self._match_at, self._tell)
        if not self._shared.pushes:
            return news
        pushes, self._shared.pushes = self._shared.pushes, []
        shown = [one for push in pushes for one in self._shown(push, gone)]
        return [*shown, *news]

    def _leave(self, gone: Iterable[int]) -> None:
        """Let windows that looked at a table that is gone look at none."""
        for number in gone:
            self.views.gone(number, alone=len(self._places) == 0)

    def _tell(self, match: Match, tells: Callable[[], View | None]) -> View | None:
        """Return what is told of a match; a mistake in that closes its table alone."""
        try:
            return tells()
        except Exception as error:  # noqa: BLE001 (raised again where the table sees to it)
            place, failed = self._places.of_match(match.match), error

            def again(_table: object) -> None:
                raise failed

            return None if place is None else place.look(again)

    def _match_at(self, choice: int | None) -> Match | None:
        """Return the match that a window sees that has chosen a table, or none yet."""
        if choice is None:
            place = self._alone()
            return None if place is None else place.table.match
        found = self._places.by_number
        return found[choice].table.match if choice in found else None

    def _shown(self, push: Push, gone: Mapping[int, str]) -> list[Push]:
        """Return what is to be shown of a table, for those who look at it.

        A notice is for all where nobody looks at the table, and says which is meant; a
        line of chat waits.
        """
        windows = self.views.numbers()
        place = self._places.by_number.get(push.table)
        if push.window != EVERY_WINDOW or not windows:
            return [push]
        if place is None:
            return [self._named(push, gone.get(push.table, ""))]
        looking = [number for number in windows if self.seen_by(number) is place]
        if len(looking) == len(windows):
            return [push]
        if looking:
            return [replace(push, window=number) for number in looking]
        if isinstance(push.message, Line):
            place.unread += not push.message.muted
            return []
        return [self._named(push, titled(place.table))]

    def _named(self, push: Push, title: str) -> Push:
        """Return a notice with what the table is called, where it is not plain."""
        notice = push.message
        others = any(number != push.table for number in self._places.by_number)
        if not title or not others or not isinstance(notice, Notice):
            return push
        said = Says.AT(place=title, why=notice.said)
        return replace(push, message=replace(notice, said=said))

    def looked_at(self) -> Collection[int]:
        """Return the tables that windows have chosen."""
        return self.views.looked_at()
