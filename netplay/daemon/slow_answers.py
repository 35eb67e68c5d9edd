"""Answers that take a while: files, thoughts, words, windows, calls of other nodes.

Each is a task of the node's own, so that the door answers everybody else meanwhile.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, cast, get_args

import trio
from anyio import BrokenWorkerProcess
from msgspec.structs import replace

from netplay.daemon.computer_players import WorkerPool
from netplay.daemon.dictionary_tools import DictionaryTools, beside
from netplay.daemon.door import Reply
from netplay.daemon.finished_matches import FinishedFiles, along_with
from netplay.daemon.on_turn import Summoner
from netplay.daemon.parts import Parts
from netplay.daemon.positions import check_is_match
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


Answerer: TypeAlias = Callable[[Any, Asked], Awaitable[door.Done | door.Failed]]
"""Answers a question, or what was made of it."""


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
        self.copied: Callable[[node_questions.CopyStatus], None]
        """Told how it stands with the copy of the home."""
        self.own_names: Callable[[], Mapping[str, str]]
        """Returns what the player calls friends, by fingerprint."""
        self.news_named: Callable[[], None]
        """Told that notices of security releases are looked for elsewhere, or not."""
        self.heirs: Heirs
        """Takes friends back who have lost their keys, and calls them for that."""
        self.arrived: Callable[[homes.PackedFiles], None]
        """Told what has come from another computer, to go on with."""
        self.lend: Callable[..., door.Done]
        """Lends a seat; see `Guests.lend`."""
        self.by_kind: Final = self._answerers()
        """What answers each kind of question that takes a while."""

    def _answerers(self) -> dict[type[Any], Answerer]:
        return {
            node_questions.CheckReach: self._check_reach,
            node_questions.ShowLine: self._show_line,
            door.HostTable: self._lay,
            door.ChangeTable: self._lay,
            door.Load: self._load,
            door.Save: self._save,
            door.Hint: self._hint,
            Appraise: self._appraise,
            GetFinished: self._look_up,
            node_questions.KeepCopy: self._copy_home,
            node_questions.BringHome: self._bring_home,
            node_questions.Succeed: self._take_back,
            node_questions.LookForNews: self._look_for_news,
            LendSeat: self._lend_served,
            node_questions.Pair: self._make_code,
            **dict.fromkeys(get_args(node_questions.WordQuestion), self._find_words),
        }

    def begin(self, asked: Asked) -> bool:
        """Begin to answer beside all else; tell whether it takes a while at all."""
        _, window, request, _ = asked
        ask, slow, given = request.ask, True, cast("Any", request.ask)
        match ask:
            case door.HostTable():
                slow = is_of_files(ask)
            case door.ChangeTable(table=table):
                slow = is_of_files(table)
            case door.Load(path=path):
                slow = path != ""
            case LendSeat(served=served):
                slow = served
            case node_questions.Succeed():
                slow = self.heirs.unmet(ask)
            # What is asked of a position is asked of that of now.
            case door.Hint(seat=seat):
                given = self._tables.hint(window, request, seat)
            case Appraise(number=number, at_sight=at_sight):
                turn = self._tables.turn(window, request, number)
                given = turn, at_sight
            case _:
                pass
        if slow:
            asked.nursery.start_soon(self._answer, given, asked)
        return slow

    async def _answer(self, given: Any, asked: Asked) -> None:  # noqa: ANN401 (as it takes it)
        """Answer; whatever comes up is told to who has asked."""
        number = asked.request.id
        answer: door.Done | door.Failed
        try:
            answer = await self.by_kind[type(asked.request.ask)](given, asked)
        except NetplayError as error:
            answer = door.failed(number, error)
        except Exception as error:  # noqa: BLE001 (it is this question's)
            self._mistake(error, "answer")
            answer = door.failed(number, LocalError(Code.FAULT))
        self._say(asked.reply, answer)

    # What is outside of the node.

    async def _check_reach(
        self, _ask: node_questions.CheckReach, asked: Asked
    ) -> door.Done:
        """Answer whether others reach this node, once that is known."""
        return door.Done(asked.request.id, await self._presence.test())

    async def _show_line(self, ask: node_questions.ShowLine, asked: Asked) -> door.Done:
        """Answer whether a window has taken an invitation that was clicked."""
        taken = await self._summoner.show(invitation.clicked(ask.line))
        return door.Done(asked.request.id, Says.SHOWN_IN_WINDOW() if taken else "")

    async def _look_for_news(
        self, ask: node_questions.LookForNews, asked: Asked
    ) -> door.Done:
        """Answer with what is at the place now, or that nobody looks any more."""
        home, said = self._parts.home, Says.NEWS_ENDED()
        if ask.place:
            begin = partial(news.first_note, home, ask.place)
            note = await trio.to_thread.run_sync(begin, abandon_on_cancel=True)
            said = news.in_words(note)
        else:
            home.set(news.PLACE, "")
        self.news_named()
        return door.Done(asked.request.id, said)

    # Pages for browsers.

    async def _lend_served(self, ask: LendSeat, asked: Asked) -> door.Done:
        """Lend a seat, and answer with the whole link: pages are served for it."""
        pages = await self._serving.pages(asked.nursery, "lan")
        done = self.lend(asked.window, asked.request, ask.seat, on=True)
        return replace(done, text=pages.seat_link(done.data))

    async def _make_code(self, ask: node_questions.Pair, asked: Asked) -> door.Done:
        """Answer with a link that lets one browser of the owner's in."""
        pages = await self._serving.pages(asked.nursery, "here" if ask.here else "own")
        code = Devices(self._parts.home.path).offer()
        made = node_questions.Paired(pages.own_link(code), pages.fingerprint)
        if ask.here:
            made = node_questions.Paired(pages.link_here(code), "")
        return door.Done(asked.request.id, data=pack(made))

    # The home, and friends who have lost their keys.

    async def _copy_home(self, ask: node_questions.KeepCopy, asked: Asked) -> door.Done:
        """Answer once the first copy of the home is where the player wants it."""
        home = self._parts.home
        begin = partial(copies.first_copy, home, Path(ask.folder), ask.phrase)
        path = await trio.to_thread.run_sync(begin, abandon_on_cancel=True)
        state = partial(copies.state, home, known=True)
        self.copied(await trio.to_thread.run_sync(state, abandon_on_cancel=True))
        return door.Done(asked.request.id, Says.COPY_BEGUN(path=path))

    async def _bring_home(
        self, ask: node_questions.BringHome, asked: Asked
    ) -> door.Done:
        """Answer once all that has come lies ready; then the node begins anew."""
        home, path = self._parts.home, place_of(ask.file)
        bring = partial(homes.brought, home, path, ask.phrase)
        packed = await trio.to_thread.run_sync(bring, abandon_on_cancel=True)
        self.arrived(packed)
        return door.Done(asked.request.id, Says.HOME_BROUGHT())

    async def _take_back(self, ask: node_questions.Succeed, asked: Asked) -> door.Done:
        """Call who has lost the key, and take them back once they have answered."""
        heirs = self.heirs
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
        return door.Done(asked.request.id, heirs.succeed(ask))

    # Tables and matches.

    async def _lay(
        self, ask: door.HostTable | door.ChangeTable, asked: Asked
    ) -> door.Done | door.Failed:
        """Open or change a table with files of the user's, which are read before."""
        home, change = self._parts.home, isinstance(ask, door.ChangeTable)
        table = ask.table if isinstance(ask, door.ChangeTable) else ask
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
        request = replace(asked.request, ask=door.ChangeTable(laid) if change else laid)
        return self._tables.ask(asked.window, request, trio.current_time())

    async def _load(self, ask: door.Load, asked: Asked) -> door.Done:
        """Load a file; what came along with it is checked before, which takes long."""
        parts, found, place = self._parts, None, place_of(ask.path)
        try:
            found = await beside(partial(read_copy, place), ask.path)
        except DamageError:  # the table says so, or mends it
            await beside(partial(check_is_match, place), ask.path)
        if found is not None:
            with suppress(LocalError):  # the table says what it misses
                await trio.to_thread.run_sync(
                    keep_from, found, parts.home.words, parts.key
                )
        now = trio.current_time()
        said = self._tables.load(asked.window, ask.path, now, found)
        return door.Done(asked.request.id, said)

    async def _save(self, ask: door.Save, asked: Asked) -> door.Done:
        """Write a match in hand, or one kept here, to a file of the user's."""
        place = await beside(
            partial(spare, place_of(ask.path), over=ask.over), ask.path
        )
        if ask.kept:
            kept, words = place_of(ask.kept), self._parts.home.words
            copy = await beside(partial(read_copy, kept), ask.kept)
            try:
                more = await self._readers.run_apart(along_with, kept, words)
            except Exception as error:  # noqa: BLE001 (whatever becomes of a worker, the match is copied)
                self._parts.journal("copy.failed", why=repr(error))
                more = ()
            saved = Saved(copy.entries, more, Says.SAVED_AS(path=str(place)))
        else:
            now = trio.current_time()
            saved = self._tables.saved(asked.window, asked.request, str(place), now)
        await beside(partial(write_copy, place, saved.raws, saved.more), place)
        return door.Done(asked.request.id, saved.told)

    async def _hint(self, thought: Thought, asked: Asked) -> door.Done:
        """Answer with the game's own hint, or the best move a computer player finds."""
        advised = GAMES[thought.game].ABOUT.advised
        move = None if advised is None else advised(thought.view)
        if move is None:
            move = await self._parts.thinker.think(thought)
        said = writer(thought.game).hint(thought.view, thought.seat, move)
        return door.Done(asked.request.id, said, pack(move))

    async def _appraise(self, given: tuple[Judged, bool], asked: Asked) -> door.Done:
        """Answer with a turn beside the best plays there were."""
        turn, at_sight = given
        judged = await self._parts.reviewer.appraise(turn, at_sight=at_sight)
        return door.Done(asked.request.id, data=pack(judged))

    async def _look_up(self, ask: GetFinished, asked: Asked) -> door.Done:
        """Answer with matches that are over; what is not known of them is read."""
        known = partial(self._finished.page, ask.start)
        async with self._looking:
            page, unread = await trio.to_thread.run_sync(known)
            if page.more and not page.found:
                try:
                    read = await self._readers.run_apart(self._finished.reading, unread)
                except Exception as error:  # noqa: BLE001 (whatever becomes of a worker, the node and its matches go on)
                    self._parts.journal("finished.failed", why=repr(error))
                    read = self._finished.unreadable(unread[0])
                self._finished.note(read)
                page, _ = await trio.to_thread.run_sync(known)
        own = self.own_names()
        found = tuple(_with_own_names(one, own) for one in page.found)
        return door.Done(asked.request.id, data=pack(replace(page, found=found)))

    async def _find_words(
        self, ask: node_questions.WordQuestion, asked: Asked
    ) -> door.Done:
        """Answer what is asked about the user's own words and editions."""
        return door.Done(asked.request.id, *await self._dictionary.do(ask))


def _with_own_names(one: Finished, own: Mapping[str, str]) -> Finished:
    """Return a match with the player's own names for friends, given by fingerprint."""
    friends = [replace(f, name=own.get(f.key) or f.name) for f in one.friends]
    names = {
        before.name: after.name
        for before, after in zip(one.friends, friends, strict=True)
    }
    players = tuple(names.get(name, name) for name in one.players)
    return replace(one, friends=tuple(friends), players=players)
