"""What windows and commands ask of the tables, answered."""

from collections import defaultdict
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final, TypeAlias

from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint
from netplay.match.match import Match
from netplay.messages import door
from netplay.messages.node_questions import GetTalk, WriteTo
from netplay.messages.table_questions import Mute, SetQuiet, StandIn, WatchAt
from netplay.said import Said, Words
from netplay.sanitize import NAME_CHARACTERS, clean, shown_name
from netplay.sentences import Says
from netplay.table import match_files
from netplay.table.beginning import Beginning
from netplay.table.forming import told_as
from netplay.table.muted import Muted, voice
from netplay.table.place import Place
from netplay.table.places import Places, Windows, earlier
from netplay.table.shared import Shared
from netplay.table.state import AskToWatch, CallHost, State
from netplay.table.writing import Writing
from netplay.wire import pack

Answerer: TypeAlias = Callable[[Any, int, door.Request, float], Words | door.Done]
"""Does what is asked: the question, of which window, its request, now in seconds."""


class Answers:
    """Answers for all tables."""

    def __init__(
        self,
        shared: Shared,
        places: Places,
        windows: Windows,
        beginning: Beginning,
        writing: Writing,
    ) -> None:
        """Wait for questions.

        Args:
            shared: What all tables of the node have in common.
            places: The tables.
            windows: Who looks at them.
            beginning: Begins others.
            writing: What friends write without a table.
        """
        self._writing: Final = writing
        self._shared: Final = shared
        self._places: Final = places
        self._windows: Final = windows
        self._beginning: Final = beginning
        self._nothing: Final = State(shared)
        """Answers where there is no table."""
        self.by_kind: Final = defaultdict[type[Any], Answerer](
            lambda: self.at_table,
            {
                door.SetName: self._set_name,
                door.Answer: self._answer_calls,
                door.HostTable: self._host,
                door.Join: self._join,
                WatchAt: self._watch_at,
                StandIn: self._stand_in,
                SetQuiet: self._set_quiet,
                Mute: self._mute,
                door.LookAt: self._look_at,
                door.Load: self._load,
                door.Watch: self._watch,
                door.LookBack: self._look_back,
                door.Earlier: self._look_earlier,
                door.Save: self._save,
                WriteTo: self._write_to,
                GetTalk: self._get_talk,
            },
        )
        """What answers each kind of question; all others are for the table meant."""

    def table(self, window: int, request: door.Request) -> State:
        """Return the table that a request is about; one without anything for none.

        Raises:
            LocalError: NO_TABLE or USAGE, nobody knows which.
        """
        place = self._windows.find(window, request)
        return self._nothing if place is None else place.table

    def at_table(
        self, ask: door.Question, window: int, request: door.Request, now: float
    ) -> Words:
        """Have the table that is meant answer; return what to say.

        Raises:
            LocalError: The user asked for what cannot be.
            IllegalMoveError: The rules forbid the move.
        """
        place = self._windows.find(window, request)
        # With no table in hand there is still something to say, and nothing to enter.
        if place is None:
            return self._nothing.ask(ask, now)[0]
        with place:
            text, change = place.table.ask(ask, now)
            # A move changes the match and not the table, and this is the way of each.
            if change is not None:
                place.change(change, now)
        return text

    def _answer_calls(
        self, ask: door.Answer, _window: int, _request: door.Request, now: float
    ) -> Said:
        """Answer calls of others from now on, or none."""
        on, first = ask.on, ask.first
        self._shared.answering, self._shared.first = on, on and first
        self._shared.asks = ask.asks
        self._beginning.answer_wishes(now)
        return Says.WAITING_FOR_CALL() if on else Says.WAITING_NO_MORE()

    def _host(
        self, ask: door.HostTable, window: int, _request: door.Request, now: float
    ) -> Said:
        self._windows.look_at(window, self._beginning.host(ask, now))
        return Says.TABLE_OPEN()

    def _join(
        self, ask: door.Join, window: int, _request: door.Request, now: float
    ) -> Said:
        call = CallHost(ask.address.strip(), ask.seat)
        return self._call(window, call, call.address, now)

    def _watch_at(
        self, ask: WatchAt, window: int, request: door.Request, now: float
    ) -> Words:
        address = ask.address.strip()
        if not address:
            return self.at_table(ask, window, request, now)
        return self._call(window, AskToWatch(address), address, now)

    def _set_quiet(
        self, ask: SetQuiet, _window: int, _request: door.Request, _now: float
    ) -> Said:
        return set_quiet(self._shared.means.muted, ask.hours)

    def _mute(self, ask: Mute, window: int, request: door.Request, _now: float) -> Said:
        """Mute a player, or the table that is meant if nobody is named."""
        shared = self._shared
        if ask.whom:
            return mute_player(shared, self._places, ask.whom, ask.guest, on=ask.on)
        place = self._windows.find(window, request)
        return mute_table(shared.means.muted, place, on=ask.on)

    def _look_at(
        self, ask: door.LookAt, window: int, _request: door.Request, _now: float
    ) -> str:
        if ask.table:
            self._windows.find(window, door.Request(0, ask, ask.table))
        self._windows.look_at(window, ask.table)
        return ""

    def _load(
        self, ask: door.Load, window: int, request: door.Request, now: float
    ) -> Said:
        path = ask.path or self._stopped(window, request)
        return self._beginning.load(window, path, now)

    def _stopped(self, window: int, request: door.Request) -> str:
        """Return the file of a match that was stopped where a window looks, if any."""
        of = self._windows.numbered if request.table else self._windows.seen_by
        place = of(request.table or window)
        match = None if place is None else place.table.match
        if place is None or match is None or not place.table.stopped:
            return ""
        archive = self._shared.means.archive
        for path in archive.newest():
            name = archive.named(path)
            if name is not None and match.match.startswith(name):
                return path
        return ""

    def _watch(
        self, ask: door.Watch, window: int, request: door.Request, _now: float
    ) -> str:
        match = self.table(window, request).match
        self._windows.views.watch(window, ask.seat, match)
        return ""

    def _look_back(
        self, ask: door.LookBack, window: int, request: door.Request, _now: float
    ) -> str:
        place = self._windows.find(window, request)
        match = None if place is None else place.table.match
        with place or nullcontext():
            view = self._windows.views.back(window, ask.number, match)
            self._shared.pushes.append(view)
        return ""

    def _look_earlier(
        self, ask: door.Earlier, window: int, request: door.Request, _now: float
    ) -> door.Done:
        match = self.table(window, request).match
        return door.Done(request.id, data=earlier(ask, match))

    def _write_to(
        self, ask: WriteTo, _window: int, _request: door.Request, now: float
    ) -> Words:
        return self._writing.say(ask.whom, ask.text, now)

    def _get_talk(
        self, ask: GetTalk, _window: int, request: door.Request, _now: float
    ) -> door.Done:
        return door.Done(
            request.id, data=pack(self._writing.written_with(ask.whom, read=ask.read))
        )

    def _set_name(
        self, ask: door.SetName, _window: int, _request: door.Request, _now: float
    ) -> str:
        """Take another player's name."""
        name = clean(ask.name, NAME_CHARACTERS)
        if not name:
            raise LocalError(Code.USAGE, Says.NAME_EMPTY())
        self._shared.name = name
        return name

    def _stand_in(
        self, ask: StandIn, _window: int, _request: door.Request, _now: float
    ) -> Said:
        """Let a computer player stand in for this node's persons, or no longer."""
        skill = ask.skill
        self._shared.autoplay = skill
        for place in self._places:
            if place.table.match is not None:
                with place:
                    place.table.match.autoplay = skill
        return Says.STANDS_IN_NO_MORE() if skill is None else Says.STANDS_IN()

    def _save(
        self, ask: door.Save, window: int, request: door.Request, now: float
    ) -> Said:
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
        self, window: int, request: door.Request, path: str, now: float
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

    def _to_save(self, window: int, request: door.Request) -> tuple[Place, Match]:
        """Return the match that is to be saved, and where it is.

        Raises:
            LocalError: NO_TABLE, there is none.
        """
        place = self._windows.find(window, request)
        match = None if place is None else place.table.match
        if place is None or match is None:
            raise LocalError(Code.NO_TABLE, Says.NOTHING_TO_SAVE())
        return place, match

    def _call(
        self, window: int, change: CallHost | AskToWatch, address: str, now: float
    ) -> Said:
        """Begin to call somebody, unless that is done already."""
        known = [p for p in self._places if p.look(lambda t: t.repeats(change))]
        number = known[0].number if known else self._beginning.begin(change, now)
        self._windows.look_at(window, number)
        return Says.CALLING(address=told_as(address, self._shared.means.known))


def set_quiet(muted: Muted, hours: str) -> Said:
    """Set the quiet hours; return what to say.

    Raises:
        LocalError: USAGE, these are none; DISK.
    """
    muted.set_hours(hours)
    if muted.hours is None:
        return Says.NEVER_QUIET()
    start, _, end = str(muted.hours).partition("-")
    return Says.QUIET(start=start, end=end)


def mute_player(
    shared: Shared, places: Places, whom: str, guest: str, *, on: bool
) -> Said:
    """Mute a player's chat, or a guest's there, or no longer; return what to say.

    Raises:
        LocalError: USAGE, nobody is called so, or several are; DISK.
    """
    known = shared.means.known
    key, name = known.one_met(places.players(), known.names(), whom)
    shared.means.muted.mute_player(voice(key, guest), on=on)
    name = shown_name(guest or known.own_name(key, name)) or fingerprint(key)
    return Says.MUTED(name=name) if on else Says.NO_LONGER_MUTED(name=name)


def mute_table(muted: Muted, place: Place | None, *, on: bool) -> Said:
    """Mute a table, or no longer; return what to say.

    Raises:
        LocalError: NO_TABLE, there is none; DISK.
    """
    terms = None if place is None else place.table.terms
    if terms is None:
        raise LocalError(Code.NO_TABLE)
    muted.mute_table(terms.nonce, on=on)
    return Says.TABLE_MUTED() if on else Says.TABLE_NO_LONGER_MUTED()
