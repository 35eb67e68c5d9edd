"""Answers that take a while: files, thoughts, words, windows, calls of other nodes.

Each is a task of the node's own, so that the door answers everybody else meanwhile.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, get_args

import trio
from anyio import BrokenWorkerProcess
from msgspec.structs import replace

from netplay.daemon.computer_players import WorkerPool
from netplay.daemon.dictionary_tools import DictionaryTools, beside
from netplay.daemon.door import Reply
from netplay.daemon.finished_matches import FinishedFiles, Reading, along_with
from netplay.daemon.on_turn import Summoner
from netplay.daemon.parts import Parts
from netplay.daemon.presence import Presence
from netplay.daemon.serving import Serving
from netplay.errors import Code, LocalError, NetplayError
from netplay.faults import Nursery
from netplay.finding import news
from netplay.home import spare
from netplay.messages import door, node_questions
from netplay.messages.table_questions import Appraise, Finished, GetFinished, LendSeat
from netplay.moving import copies, homes
from netplay.named_files import place_of
from netplay.peering import invitation
from netplay.record.store import DamageError, read_copy, write_copy
from netplay.review.grading import Judged
from netplay.said import Said
from netplay.sentences import Says
from netplay.table.chosen_options import is_of_files, kept_files
from netplay.table.enclosed_files import keep_from
from netplay.table.match_files import Saved
from netplay.table.resources import Kind, Shelf
from netplay.text import writer
from netplay.wanted import Thought
from netplay.web_devices import Devices
from netplay.wire import pack
from rules import GAMES

Say: TypeAlias = Callable[[Reply, door.Done | door.Failed], None]
"""Answers once all that came of it is on the disk."""


class Asked(NamedTuple):
    """A question, and what is needed to answer it later."""

    nursery: Nursery
    window: int
    request: door.Request
    reply: Reply


Beginner: TypeAlias = Callable[[Any, Asked], bool]
"""Begins to answer; tells whether this question takes a while at all."""


class Heirs(NamedTuple):
    """What is to be done for a friend who has lost the key."""

    unmet: Callable[[node_questions.Succeed], bool]
    """Tells whether the new invitation is that of somebody who has to be called."""
    visit: Callable[[str], Awaitable[None]]
    """Calls whoever invites, and returns when the line ends."""
    succeed: Callable[[node_questions.Succeed], Said]
    """Takes the friend back."""


CALL_SECONDS: Final = 20.0
"""For a friend to answer who has lost the key."""

LOOK_SECONDS: Final = 0.1
"""Between looks whether somebody has said the first words."""


def _nobody(*_given: object, **_more: object) -> door.Done:
    raise LocalError(Code.FAULT)


class SlowAnswers:
    """Answers what takes a while."""

    def __init__(
        self,
        parts: Parts,
        presence: Presence,
        dictionary: DictionaryTools,
        summoner: Summoner,
        serving: Serving,
        say: Say,
        mistake: Callable[[Exception, str], None],
    ) -> None:
        """Remember whom to ask.

        Args:
            parts: The node's parts.
            presence: How others reach this node.
            dictionary: The user's own words and editions.
            summoner: Shows what was clicked.
            serving: Serves pages for browsers.
            say: Gives the answer.
            mistake: Takes what comes up while one is sought, and what that was.
        """
        self._parts: Final = parts
        self._tables: Final = parts.tables
        self._presence: Final = presence
        self._dictionary: Final = dictionary
        self._summoner: Final = summoner
        self._serving: Final = serving
        self._say: Final = say
        self._mistake: Final = mistake
        self._finished: Final = FinishedFiles(parts.home, parts.key)
        self._readers: Final = WorkerPool(1)
        self._builders: Final = WorkerPool(1)
        self._looking: Final = trio.Lock()
        self.copied: Callable[[node_questions.CopyStatus], None] = lambda _status: None
        """Told how it stands with the copy of the home."""
        self.own_names: Callable[[], Mapping[str, str]] = dict
        """Returns what the player calls friends, by fingerprint."""
        self.news_named: Callable[[], None] = lambda: None
        """Told that notices of security releases are looked for elsewhere, or not."""
        self.heirs: Heirs | None = None
        """Takes friends back who have lost their keys, and calls them for that."""
        self.arrived: Callable[[homes.PackedFiles], None] = lambda _packed: None
        """Told what has come from another computer, to go on with."""
        self.lend: Callable[..., door.Done] = _nobody
        """Lends a seat; see `Guests.lend`."""
        self.by_kind: Final = self._beginners()
        """What begins to answer each kind of question that takes a while."""

    def _beginners(self) -> dict[type[Any], Beginner]:
        """Return what begins to answer each kind of question."""
        return {
            node_questions.CheckReach: self._check_reach,
            node_questions.CountWindows: self._count_windows,
            node_questions.ShowLine: self._show_line,
            node_questions.Shown: self._note_shown,
            door.HostTable: self._host,
            door.ChangeTable: self._change,
            door.Load: self._load_file,
            door.Save: self._save_file,
            door.Hint: self._find_hint,
            Appraise: self._appraise_move,
            GetFinished: self._find_finished,
            node_questions.KeepCopy: self._keep_copy,
            node_questions.BringHome: self._bring_home,
            node_questions.Succeed: self._call_heir,
            node_questions.LookForNews: self._look_for_news,
            LendSeat: self._lend_seat,
            node_questions.Pair: self._pair,
            node_questions.GetDevices: self._list_devices,
            node_questions.ForgetDevice: self._list_devices,
            **dict.fromkeys(get_args(node_questions.WordQuestion), self._find_words),
        }

    def _start(
        self, asked: Asked, do: Callable[..., Awaitable[None]], *given: object
    ) -> bool:
        """Begin to answer beside all else; return that it has begun."""
        number, reply = asked.request.id, asked.reply
        asked.nursery.start_soon(self._answer, number, reply, do, *given)
        return True

    def _check_reach(self, _ask: node_questions.CheckReach, asked: Asked) -> bool:
        return self._start(asked, self._test_reach, asked.request.id, asked.reply)

    def _count_windows(self, _ask: node_questions.CountWindows, asked: Asked) -> bool:
        asked.reply(door.Done(asked.request.id, str(self._summoner.windows)))
        return True

    def _show_line(self, ask: node_questions.ShowLine, asked: Asked) -> bool:
        clicked = invitation.clicked(ask.line)
        return self._start(asked, self._show, clicked, asked.request.id, asked.reply)

    def _note_shown(self, ask: node_questions.Shown, asked: Asked) -> bool:
        self._summoner.on_shown(ask.number)
        asked.reply(door.Done(asked.request.id))
        return True

    def _host(self, ask: door.HostTable, asked: Asked) -> bool:
        return self._lay_files(ask, asked)

    def _change(self, ask: door.ChangeTable, asked: Asked) -> bool:
        return self._lay_files(ask.table, asked)

    def _lay_files(self, table: door.HostTable, asked: Asked) -> bool:
        """Begin to read the files that a table names, if it names any."""
        _, window, request, reply = asked
        return is_of_files(table) and self._start(
            asked, self._lay, window, request, table, reply
        )

    def _load_file(self, ask: door.Load, asked: Asked) -> bool:
        _, window, request, reply = asked
        return bool(ask.path) and self._start(
            asked, self._load, window, request, ask.path, reply
        )

    def _save_file(self, ask: door.Save, asked: Asked) -> bool:
        _, window, request, reply = asked
        return self._start(asked, self._save, window, request, ask, reply)

    def _find_hint(self, ask: door.Hint, asked: Asked) -> bool:
        _, window, request, reply = asked
        thought = self._tables.hint(window, request, ask.seat)
        return self._start(asked, self._hint, thought, request.id, reply)

    def _appraise_move(self, ask: Appraise, asked: Asked) -> bool:
        _, window, request, reply = asked
        turn = self._tables.turn(window, request, ask.number)
        return self._start(asked, self._appraise, turn, ask.at_sight, request.id, reply)

    def _find_finished(self, ask: GetFinished, asked: Asked) -> bool:
        first, number = ask.start, asked.request.id
        return self._start(asked, self._look_up, first, number, asked.reply)

    def _find_words(self, ask: node_questions.WordQuestion, asked: Asked) -> bool:
        return self._start(asked, self._work, asked.request.id, ask, asked.reply)

    def _keep_copy(self, ask: node_questions.KeepCopy, asked: Asked) -> bool:
        return self._start(asked, self._copy_home, asked.request.id, ask, asked.reply)

    def _bring_home(self, ask: node_questions.BringHome, asked: Asked) -> bool:
        return self._start(asked, self._take_home, asked.request.id, ask, asked.reply)

    async def _take_home(
        self, number: int, ask: node_questions.BringHome, reply: Reply
    ) -> None:
        """Answer once all that has come lies ready; then the node begins anew."""
        home, path = self._parts.home, place_of(ask.file)
        bring = partial(homes.brought, home, path, ask.phrase)
        packed = await trio.to_thread.run_sync(bring, abandon_on_cancel=True)
        self._say(reply, door.Done(number, Says.HOME_BROUGHT()))
        self.arrived(packed)

    def _look_for_news(self, ask: node_questions.LookForNews, asked: Asked) -> bool:
        return self._start(asked, self._read_news, asked.request.id, ask, asked.reply)

    async def _read_news(
        self, number: int, ask: node_questions.LookForNews, reply: Reply
    ) -> None:
        """Answer with what is at the place now, or that nobody looks any more."""
        home, said = self._parts.home, Says.NEWS_ENDED()
        if ask.place:
            begin = partial(news.first_note, home, ask.place)
            note = await trio.to_thread.run_sync(begin, abandon_on_cancel=True)
            said = news.in_words(note)
        else:
            home.set(news.PLACE, "")
        self.news_named()
        self._say(reply, door.Done(number, said))

    # Pages for browsers.

    def _lend_seat(self, ask: LendSeat, asked: Asked) -> bool:
        return ask.served and self._start(asked, self._lend_served, ask, asked)

    async def _lend_served(self, ask: LendSeat, asked: Asked) -> None:
        """Lend a seat, and answer with the whole link: pages are served for it."""
        pages = await self._serving.pages(asked.nursery, "lan")
        done = self.lend(asked.window, asked.request, ask.seat, on=True)
        self._say(asked.reply, replace(done, text=pages.seat_link(done.data)))

    def _pair(self, ask: node_questions.Pair, asked: Asked) -> bool:
        return self._start(asked, self._make_code, ask, asked)

    async def _make_code(self, ask: node_questions.Pair, asked: Asked) -> None:
        """Answer with a link that lets one browser of the owner's in."""
        pages = await self._serving.pages(asked.nursery, "here" if ask.here else "own")
        code = Devices(self._parts.home.path).offer()
        made = node_questions.Paired(pages.own_link(code), pages.fingerprint)
        if ask.here:
            made = node_questions.Paired(pages.link_here(code), "")
        self._say(asked.reply, door.Done(asked.request.id, data=pack(made)))

    def _list_devices(
        self, ask: node_questions.GetDevices | node_questions.ForgetDevice, asked: Asked
    ) -> bool:
        devices = Devices(self._parts.home.path)
        if isinstance(ask, node_questions.ForgetDevice) and not devices.forget(
            ask.name
        ):
            raise LocalError(Code.USAGE, Says.NO_DEVICE(name=ask.name))
        listed = tuple((one.name, one.since) for one in devices.all())
        asked.reply(door.Done(asked.request.id, data=pack(listed)))
        return True

    async def _copy_home(
        self, number: int, ask: node_questions.KeepCopy, reply: Reply
    ) -> None:
        """Answer once the first copy of the home is where the player wants it."""
        home = self._parts.home
        begin = partial(copies.first_copy, home, Path(ask.folder), ask.phrase)
        path = await trio.to_thread.run_sync(begin, abandon_on_cancel=True)
        state = partial(copies.state, home, known=True)
        self.copied(await trio.to_thread.run_sync(state, abandon_on_cancel=True))
        self._say(reply, door.Done(number, Says.COPY_BEGUN(path=path)))

    async def _answer(
        self,
        number: int,
        reply: Reply,
        do: Callable[..., Awaitable[None]],
        *given: object,
    ) -> None:
        """Do what answers; whatever comes up is told to who has asked."""
        try:
            await do(*given)
        except NetplayError as error:
            self._say(reply, door.failed(number, error))
        except Exception as error:  # noqa: BLE001 (it is this question's)
            self._mistake(error, "answer")
            self._say(reply, door.failed(number, LocalError(Code.FAULT)))

    def _call_heir(self, ask: node_questions.Succeed, asked: Asked) -> bool:
        heirs = self.heirs
        if heirs is None or not heirs.unmet(ask):
            return False
        return self._start(asked, self._take_back, heirs, ask, asked)

    async def _take_back(
        self, heirs: Heirs, ask: node_questions.Succeed, asked: Asked
    ) -> None:
        """Call who has lost the key, and take them back once they have answered."""
        ended: list[NetplayError | None] = []

        async def call() -> None:
            try:
                await heirs.visit(ask.key.strip())
            except NetplayError as error:
                ended.append(error)
            else:
                ended.append(None)

        asked.nursery.start_soon(call)
        with trio.move_on_after(CALL_SECONDS):
            while heirs.unmet(ask) and not ended:  # noqa: ASYNC110 (a link says no such thing)
                await trio.sleep(LOOK_SECONDS)
        if ended and ended[0] is not None:
            raise ended[0]
        self._say(asked.reply, door.Done(asked.request.id, heirs.succeed(ask)))

    async def _lay(
        self, window: int, request: door.Request, table: door.HostTable, reply: Reply
    ) -> None:
        """Open or change a table with files of the user's, which are read before."""
        home = self._parts.home
        try:
            code, words, laid = await self._builders.run_apart(
                kept_files, table, home.path
            )
        except BrokenWorkerProcess:
            place = table.words or table.edition
            self._parts.journal("worker.ended", what="files of a table")
            raise LocalError(Code.FILE, Says.READER_ENDED(path=place)) from None
        if code:
            raise LocalError(Code[code], words)
        shelf = Shelf(home.words)
        for kind, digest in ((Kind.EDITION, laid.edition), (Kind.LEXICON, laid.words)):
            if digest:
                shelf.take_up(kind, bytes.fromhex(digest))
        change = isinstance(request.ask, door.ChangeTable)
        asked = replace(request, ask=door.ChangeTable(laid) if change else laid)
        answer = self._tables.ask(window, asked, trio.current_time())
        self._say(reply, answer)

    async def _load(
        self, window: int, request: door.Request, path: str, reply: Reply
    ) -> None:
        """Load a file; what came along with it is checked before, which takes long."""
        parts, found, number = self._parts, None, request.id
        try:
            with suppress(DamageError):  # the table says so, or mends it
                found = await beside(partial(read_copy, place_of(path)), path)
            if found is not None:
                with suppress(LocalError):  # the table says what it misses
                    await trio.to_thread.run_sync(
                        keep_from, found, parts.home.words, parts.key
                    )
            said = self._tables.load(window, path, trio.current_time(), found)
            answer: door.Done | door.Failed = door.Done(number, said)
        except NetplayError as error:
            answer = door.failed(number, error)
        self._say(reply, answer)

    async def _save(
        self, window: int, request: door.Request, ask: door.Save, reply: Reply
    ) -> None:
        """Write a match in hand to a file of the user's."""
        number = request.id
        try:
            place = await beside(
                partial(spare, place_of(ask.path), over=ask.over), ask.path
            )
            if ask.kept:
                saved = await self._copied(ask.kept, str(place))
            else:
                now = trio.current_time()
                saved = self._tables.saved(window, request, str(place), now)
            await beside(partial(write_copy, place, saved.raws, saved.more), place)
            answer: door.Done | door.Failed = door.Done(number, saved.told)
        except NetplayError as error:
            answer = door.failed(number, error)
        self._say(reply, answer)

    async def _copied(self, path: str, to: str) -> Saved:
        """Return a match kept here as it is to be written to a file of the user's.

        Raises:
            NetplayError: It cannot be read.
        """
        kept, words = place_of(path), self._parts.home.words
        copy = await beside(partial(read_copy, kept), path)
        try:
            more = await self._readers.run_apart(along_with, kept, words)
        except Exception as error:  # noqa: BLE001 (whatever becomes of a worker, the match is copied)
            self._parts.journal("copy.failed", why=repr(error))
            more = ()
        return Saved(copy.entries, more, Says.SAVED_AS(path=to))

    async def _hint(self, thought: Thought, number: int, reply: Reply) -> None:
        """Answer with the game's own hint, or the best move a computer player finds."""
        advised = GAMES[thought.game].ABOUT.advised
        move = None if advised is None else advised(thought.view)
        if move is None:
            move = await self._parts.thinker.think(thought)
        said = writer(thought.game).hint(thought.view, thought.seat, move)
        reply(door.Done(number, said, pack(move)))

    async def _appraise(
        self, turn: Judged, at_sight: bool, number: int, reply: Reply
    ) -> None:
        """Answer with a turn beside the best plays there were."""
        try:
            judged = await self._parts.reviewer.appraise(turn, at_sight=at_sight)
        except NetplayError as error:
            reply(door.failed(number, error))
            return
        reply(door.Done(number, data=pack(judged)))

    async def _look_up(self, first: int, number: int, reply: Reply) -> None:
        """Answer with matches that are over; what is not known of them is read."""
        known = partial(self._finished.page, first)
        async with self._looking:
            page, unread = await trio.to_thread.run_sync(known)
            if page.more and not page.found:
                self._finished.note(await self._read(unread))
                page, _ = await trio.to_thread.run_sync(known)
        own = self.own_names()
        found = tuple(_with_own_names(one, own) for one in page.found)
        reply(door.Done(number, data=pack(replace(page, found=found))))

    async def _read(self, files: Sequence[Path]) -> Sequence[tuple[str, Reading]]:
        """Return what some files tell; of one that cannot be read that it is none."""
        try:
            return await self._readers.run_apart(self._finished.reading, files)
        except Exception as error:  # noqa: BLE001 (whatever becomes of a worker, the node and its matches go on)
            self._parts.journal("finished.failed", why=repr(error))
            return self._finished.unreadable(files[0])

    async def _test_reach(self, number: int, reply: Reply) -> None:
        """Answer whether others reach this node, once that is known."""
        reply(door.Done(number, await self._presence.test()))

    async def _show(self, line: str, number: int, reply: Reply) -> None:
        """Answer whether a window has taken an invitation that was clicked."""
        taken = await self._summoner.show(line)
        reply(door.Done(number, Says.SHOWN_IN_WINDOW() if taken else ""))

    async def _work(
        self, number: int, ask: node_questions.WordQuestion, reply: Reply
    ) -> None:
        """Answer what is asked about the user's own words and editions."""
        try:
            answer: door.Done | door.Failed = door.Done(
                number, *await self._dictionary.do(ask)
            )
        except NetplayError as error:
            answer = door.failed(number, error)
        self._say(reply, answer)


def _with_own_names(one: Finished, own: Mapping[str, str]) -> Finished:
    """Return a match with the player's own names for friends, given by fingerprint."""
    friends = [replace(f, name=own.get(f.key) or f.name) for f in one.friends]
    names = {
        before.name: after.name
        for before, after in zip(one.friends, friends, strict=True)
    }
    players = tuple(names.get(name, name) for name in one.players)
    return replace(one, friends=tuple(friends), players=players)
