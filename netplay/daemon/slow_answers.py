"""Answers that take a while: files, thoughts, words, windows, calls of other nodes.

Each is a task of the node's own, so that the door answers everybody else meanwhile.
"""

from collections.abc import Awaitable, Callable, Sequence
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
from netplay.errors import Code, LocalError, NetplayError
from netplay.faults import Nursery
from netplay.home import spare
from netplay.messages.door import (
    ChangeTable,
    Done,
    Failed,
    Hint,
    HostTable,
    Load,
    Request,
    Save,
    failed,
)
from netplay.messages.node_questions import CheckReach, CountWindows, ShowLine, Shown
from netplay.messages.table_questions import Appraise, GetFinished
from netplay.messages.word_questions import WordQuestion
from netplay.peering import invitation
from netplay.record.store import DamageError, place_of, read_copy, write_copy
from netplay.review.grading import Judged
from netplay.sentences import Says
from netplay.table.chosen_options import is_of_files, kept_files
from netplay.table.enclosed_files import keep_from
from netplay.table.match_files import Saved
from netplay.table.resources import Kind, Shelf
from netplay.text import writer
from netplay.wanted import Thought
from netplay.wire import pack
from rules import GAMES

Say: TypeAlias = Callable[[Reply, Done | Failed], None]
"""Answers once all that came of it is on the disk."""


class Asked(NamedTuple):
    """A question, and what is needed to answer it later."""

    nursery: Nursery
    window: int
    request: Request
    reply: Reply


Beginner: TypeAlias = Callable[[Any, Asked], bool]
"""Begins to answer; tells whether this question takes a while at all."""


class SlowAnswers:
    """Answers what takes a while."""

    def __init__(
        self,
        parts: Parts,
        presence: Presence,
        dictionary: DictionaryTools,
        summoner: Summoner,
        say: Say,
        mistake: Callable[[Exception, str], None],
    ) -> None:
        """Remember whom to ask.

        Args:
            parts: The node's parts.
            presence: How others reach this node.
            dictionary: The user's own words and editions.
            summoner: Shows what was clicked.
            say: Gives the answer.
            mistake: Takes what comes up while one is sought, and what that was.
        """
        self._parts: Final = parts
        self._tables: Final = parts.tables
        self._presence: Final = presence
        self._dictionary: Final = dictionary
        self._summoner: Final = summoner
        self._say: Final = say
        self._mistake: Final = mistake
        self._finished: Final = FinishedFiles(parts.home, parts.key)
        self._readers: Final = WorkerPool(1)
        self._builders: Final = WorkerPool(1)
        self._looking: Final = trio.Lock()
        self.by_kind: Final[dict[type[Any], Beginner]] = {
            CheckReach: self._check_reach,
            CountWindows: self._count_windows,
            ShowLine: self._show_line,
            Shown: self._note_shown,
            HostTable: self._host,
            ChangeTable: self._change,
            Load: self._load_file,
            Save: self._save_file,
            Hint: self._find_hint,
            Appraise: self._appraise_move,
            GetFinished: self._find_finished,
            **dict.fromkeys(get_args(WordQuestion), self._find_words),
        }
        """What begins to answer each kind of question that takes a while."""

    def _start(
        self, asked: Asked, do: Callable[..., Awaitable[None]], *given: object
    ) -> bool:
        """Begin to answer beside all else; return that it has begun."""
        number, reply = asked.request.id, asked.reply
        asked.nursery.start_soon(self._answer, number, reply, do, *given)
        return True

    def _check_reach(self, _ask: CheckReach, asked: Asked) -> bool:
        return self._start(asked, self._test_reach, asked.request.id, asked.reply)

    def _count_windows(self, _ask: CountWindows, asked: Asked) -> bool:
        asked.reply(Done(asked.request.id, str(self._summoner.windows)))
        return True

    def _show_line(self, ask: ShowLine, asked: Asked) -> bool:
        clicked = invitation.clicked(ask.line)
        return self._start(asked, self._show, clicked, asked.request.id, asked.reply)

    def _note_shown(self, ask: Shown, asked: Asked) -> bool:
        self._summoner.shown(ask.number)
        asked.reply(Done(asked.request.id))
        return True

    def _host(self, ask: HostTable, asked: Asked) -> bool:
        return self._lay_files(ask, asked)

    def _change(self, ask: ChangeTable, asked: Asked) -> bool:
        return self._lay_files(ask.table, asked)

    def _lay_files(self, table: HostTable, asked: Asked) -> bool:
        """Begin to read the files that a table names, if it names any."""
        _, window, request, reply = asked
        return is_of_files(table) and self._start(
            asked, self._lay, window, request, table, reply
        )

    def _load_file(self, ask: Load, asked: Asked) -> bool:
        _, window, request, reply = asked
        return bool(ask.path) and self._start(
            asked, self._load, window, request, ask.path, reply
        )

    def _save_file(self, ask: Save, asked: Asked) -> bool:
        _, window, request, reply = asked
        return self._start(asked, self._save, window, request, ask, reply)

    def _find_hint(self, ask: Hint, asked: Asked) -> bool:
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

    def _find_words(self, ask: WordQuestion, asked: Asked) -> bool:
        return self._start(asked, self._work, asked.request.id, ask, asked.reply)

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
            self._say(reply, failed(number, error))
        except Exception as error:  # noqa: BLE001 (it is this question's)
            self._mistake(error, "answer")
            self._say(reply, failed(number, LocalError(Code.FAULT)))

    async def _lay(
        self, window: int, request: Request, table: HostTable, reply: Reply
    ) -> None:
        """Open or change a table with files of the user's, which are read before."""
        home = self._parts.home
        try:
            code, words, laid = await self._builders.run(kept_files, table, home.path)
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
        change = isinstance(request.ask, ChangeTable)
        asked = replace(request, ask=ChangeTable(laid) if change else laid)
        answer = self._tables.ask(window, asked, trio.current_time())
        self._say(reply, answer)

    async def _load(
        self, window: int, request: Request, path: str, reply: Reply
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
            answer: Done | Failed = Done(number, said)
        except NetplayError as error:
            answer = failed(number, error)
        self._say(reply, answer)

    async def _save(
        self, window: int, request: Request, ask: Save, reply: Reply
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
            answer: Done | Failed = Done(number, saved.told)
        except NetplayError as error:
            answer = failed(number, error)
        self._say(reply, answer)

    async def _copied(self, path: str, to: str) -> Saved:
        """Return a match kept here as it is to be written to a file of the user's.

        Raises:
            NetplayError: It cannot be read.
        """
        kept, words = place_of(path), self._parts.home.words
        copy = await beside(partial(read_copy, kept), path)
        try:
            more = await self._readers.run(along_with, kept, words)
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
        reply(Done(number, said, pack(move)))

    async def _appraise(
        self, turn: Judged, at_sight: bool, number: int, reply: Reply
    ) -> None:
        """Answer with a turn beside the best plays there were."""
        try:
            judged = await self._parts.reviewer.appraise(turn, at_sight=at_sight)
        except NetplayError as error:
            reply(failed(number, error))
            return
        reply(Done(number, data=pack(judged)))

    async def _look_up(self, first: int, number: int, reply: Reply) -> None:
        """Answer with matches that are over; what is not known of them is read."""
        known = partial(self._finished.page, first)
        async with self._looking:
            page, unread = await trio.to_thread.run_sync(known)
            if page.more and not page.found:
                self._finished.note(await self._read(unread))
                page, _ = await trio.to_thread.run_sync(known)
        reply(Done(number, data=pack(page)))

    async def _read(self, files: Sequence[Path]) -> Sequence[tuple[str, Reading]]:
        """Return what some files tell; of one that cannot be read that it is none."""
        try:
            return await self._readers.run(self._finished.reading, files)
        except Exception as error:  # noqa: BLE001 (whatever becomes of a worker, the node and its matches go on)
            self._parts.journal("finished.failed", why=repr(error))
            return self._finished.unreadable(files[0])

    async def _test_reach(self, number: int, reply: Reply) -> None:
        """Answer whether others reach this node, once that is known."""
        reply(Done(number, await self._presence.test()))

    async def _show(self, line: str, number: int, reply: Reply) -> None:
        """Answer whether a window has taken an invitation that was clicked."""
        taken = await self._summoner.show(line)
        reply(Done(number, Says.SHOWN_IN_WINDOW() if taken else ""))

    async def _work(self, number: int, ask: WordQuestion, reply: Reply) -> None:
        """Answer what is asked about the user's own words and editions."""
        try:
            answer: Done | Failed = Done(number, *await self._dictionary.do(ask))
        except NetplayError as error:
            answer = failed(number, error)
        self._say(reply, answer)
