"""What windows and commands ask of the tables, answered."""

from contextlib import nullcontext
from typing import Final

from netplay.errors import Code, LocalError
from netplay.match.match import Match
from netplay.messages.door import (
    Answer,
    HostTable,
    Join,
    Load,
    LookAt,
    LookBack,
    Request,
    Save,
    SetName,
    Watch,
)
from netplay.messages.table_questions import Mute, SetQuiet, StandIn, WatchAt
from netplay.said import Said, Words
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says
from netplay.table import match_files, muting
from netplay.table.beginning import Beginning
from netplay.table.place import Place
from netplay.table.places import Places, Windows
from netplay.table.shared import Shared
from netplay.table.state import AskToWatch, CallHost, Change, State


class Answers:
    """Answers for all tables."""

    def __init__(
        self, shared: Shared, places: Places, windows: Windows, beginning: Beginning
    ) -> None:
        """Wait for questions.

        Args:
            shared: What all tables of the node have in common.
            places: The tables.
            windows: Who looks at them.
            beginning: Begins others.
        """
        self._shared: Final = shared
        self._places: Final = places
        self._windows: Final = windows
        self._beginning: Final = beginning
        self._nothing: Final = State(shared)
        """Answers where there is no table."""

    def table(self, window: int, request: Request) -> State:
        """Return the table that a request is about; one without anything for none.

        Raises:
            LocalError: NO_TABLE or USAGE, nobody knows which.
        """
        place = self._windows.find(window, request)
        return self._nothing if place is None else place.table

    def answer(self, window: int, request: Request, now: float) -> Words:  # noqa: C901, PLR0911 (one a question)
        """Do what a window asks; return what to say.

        Raises:
            LocalError: The user asked for what cannot be.
            IllegalMoveError: The rules forbid the move.
        """
        question = request.ask
        match question:
            case SetName(name):
                return self._set_name(name)
            case Answer(on, first):
                self._shared.answering, self._shared.first = on, on and first
                return Says.WAITING_FOR_CALL() if on else Says.WAITING_NO_MORE()
            case HostTable():
                self._windows.look(window, self._beginning.host(question, now))
                return Says.TABLE_OPEN()
            case Join(address, seat):
                call = CallHost(address.strip(), seat)
                return self._call(window, call, call.address, now)
            case WatchAt(address) if address.strip():
                ask = AskToWatch(address.strip())
                return self._call(window, ask, ask.address, now)
            case StandIn(skill):
                return self._stand_in(skill)
            case SetQuiet(hours):
                return muting.set_quiet(self._shared.means.muted, hours)
            case Mute(on, whom, guest) if whom:
                here = self._shared, self._places
                return muting.mute_player(*here, whom, guest, on=on)
            case LookAt(number):
                if number:
                    self._windows.find(window, Request(0, question, number))
                self._windows.look(window, number)
                return ""
            case Load(path):
                return self._beginning.load(window, path, now)
            case _:
                return self._of_a_table(window, request, now)

    def _of_a_table(self, window: int, request: Request, now: float) -> Words:
        """Do what a window asks about a table; return what to say.

        Raises:
            LocalError: The user asked for what cannot be.
            IllegalMoveError: The rules forbid the move.
        """
        question, place = request.ask, self._windows.find(window, request)
        table = self._nothing if place is None else place.table
        match question:
            case Watch(seat):
                self._windows.views.watch(window, seat, table.match)
                return ""
            case LookBack(number):
                with place or nullcontext():
                    view = self._windows.views.back(window, number, table.match)
                    self._shared.pushes.append(view)
                return ""
            case Save():
                return self._save(window, request, question, now)
            case Mute(on):
                return muting.mute_table(self._shared.means.muted, place, on=on)
            case _ if place is None:
                return table.ask(question, now)[0]
            case _:
                with place:
                    text, change = table.ask(question, now)
                    if change is not None:
                        place.change(change, now)
                return text

    def _set_name(self, text: str) -> str:
        """Take another player's name."""
        name = clean(text, NAME_CHARACTERS)
        if not name:
            raise LocalError(Code.USAGE, Says.NAME_EMPTY())
        self._shared.name = name
        return name

    def _stand_in(self, skill: int | None) -> Said:
        """Let a computer player stand in for this node's persons, or no longer.

        Args:
            skill: 0 to 100; None to take the seats back.
        """
        self._shared.autoplay = skill
        for place in self._places:
            if place.table.match is not None:
                with place:
                    place.table.match.autoplay = skill
        return Says.STANDS_IN_NO_MORE() if skill is None else Says.STANDS_IN()

    def _save(self, window: int, request: Request, ask: Save, now: float) -> Said:
        """Write the match to a file; return what to tell.

        Raises:
            LocalError: NO_TABLE, there is none; TAKEN, a file is there that may not
                go; DISK.
        """
        archive = self._shared.means.archive
        self._to_save(window, request)
        path = archive.spare(ask.path, over=ask.over)
        saved = self.saved(window, request, path, now)
        archive.write(path, saved.raws, saved.more)
        return saved.told

    def saved(
        self, window: int, request: Request, path: str, now: float
    ) -> match_files.Saved:
        """Return a match as it is to be written to a file of the user's.

        Raises:
            LocalError: NO_TABLE, there is none.
        """
        place, match = self._to_save(window, request)
        if match.others and not match.watching:
            with place:
                if match.linked:
                    match.let_leave(now)
                else:  # nobody is there: it goes on by mail from here
                    match.go_by_mail(now)
        return match_files.saved(self._shared, match, path)

    def _to_save(self, window: int, request: Request) -> tuple[Place, Match]:
        """Return the match that is to be saved, and where it is.

        Raises:
            LocalError: NO_TABLE, there is none.
        """
        place = self._windows.find(window, request)
        match = None if place is None else place.table.match
        if place is None or match is None:
            raise LocalError(Code.NO_TABLE, Says.NOTHING_TO_SAVE())
        return place, match

    def _call(self, window: int, change: Change, address: str, now: float) -> Said:
        """Begin to call somebody."""
        self._windows.look(window, self._beginning.begin(change, now))
        return Says.CALLING(address=address)
