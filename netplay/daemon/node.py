"""The node: one nursery that moves bytes, time and thoughts to and from its tables.

Theory of operation.  The tables decide about themselves and their matches, a link about
one connection; the node reads, feeds them, and does what they say.  Whatever happens
ends in `settled`, which takes from the tables all that came of it: messages for peers,
pushes for windows, links to dial, seats that must think, and the time of the next wake.
Nothing here waits while it holds a decision half made.

A mistake of the program's ends what it was made in and nothing else: a table closes
itself (`table.place`), and whatever else comes up - in an answer, a push, a link, a
timer, a task - is taken at the place from which the node has begun it.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, Final, TypeAlias, TypeVar, cast

import trio
from msgspec.structs import replace

from netplay import VERSION
from netplay.daemon import rpc
from netplay.daemon.computer_players import Thinking
from netplay.daemon.dictionary_tools import DictionaryTools
from netplay.daemon.door import TOKEN_BYTES, Door, Reply, serve_door
from netplay.daemon.lending import Guests
from netplay.daemon.mixing import Mixer
from netplay.daemon.on_turn import Summoner
from netplay.daemon.parts import Parts, open_known
from netplay.daemon.presence import Presence
from netplay.daemon.serving import Serving
from netplay.daemon.slow_answers import Asked, Heirs, SlowAnswers
from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.faults import Apart, Nursery
from netplay.fingerprint import fingerprint
from netplay.limits import BYE_SECONDS, SHOWN_A_SECOND, SHOWN_AT_ONCE
from netplay.match.masks import Result
from netplay.messages.door import (
    ChangeTable,
    Done,
    Failed,
    FromNode,
    HostTable,
    LookAt,
    Notice,
    Question,
    Request,
    Seated,
    Tone,
    failed,
)
from netplay.messages.link import Hello, ReachMessage
from netplay.messages.node_questions import CodeWithdrawn, CopyStatus
from netplay.messages.table_questions import LendSeat, Seen
from netplay.messages.types import KEY_BYTES
from netplay.moving.homes import PackedFiles
from netplay.peering.connection import Connection, Way
from netplay.peering.dial_plan import Around
from netplay.peering.dialler import Dialler
from netplay.peering.identity import first_contact, first_words
from netplay.peering.links import Links
from netplay.rate import Bucket
from netplay.said import Said
from netplay.sentences import Says
from netplay.table import answers
from netplay.wanted import EVERY_WINDOW, Dial, Outgoing, PeerMessage, Thought

STATUS_SECONDS: Final = 0.1
"""Between two pushes of the status; the first comes at once, and so do all views."""

AGAIN_SECONDS: Final = 1.0
"""Before a task begins again in which a mistake was made; twice as long each time."""

AGAIN_MOST_SECONDS: Final = 300.0

BREATH: Final = 0.005
"""Seconds between two matches that are opened, at least."""

T = TypeVar("T")

Answerer: TypeAlias = Callable[[Any, int, Request, Reply], Done | Failed | None]
"""Answers a question of a window, with its request and where the reply goes; None: it
is answered later."""


class Node:
    """A running node."""

    def __init__(self, parts: Parts) -> None:
        """Prepare; `run` starts it."""
        self._parts = parts
        self._tables = parts.tables
        self._journal = parts.journal
        self._nonce = parts.entropy(KEY_BYTES)
        known = parts.known or open_known(parts.home)
        self._known = known
        self.links = Links(
            self._hello, parts.net, known, self, parts.journal, parts.key
        )
        self._dialler = Dialler(
            parts.net,
            self.links,
            known,
            parts.entropy,
            parts.journal,
            self._unreachable,
            self._together,
        )
        self._mixer: Final = Mixer()
        self._summoner: Final = Summoner(parts, lambda: self._door)
        self._thinking: Final = Thinking(
            parts.thinker.think, self._thought, self.settled, self._failed
        )
        self._strangers = Bucket(SHOWN_A_SECOND, SHOWN_AT_ONCE, 0.0)
        """For the lines about strangers who come."""
        self._heard = False
        """Whether what is to be settled came from a peer."""
        self._answers: list[tuple[Reply, Done | Failed]] = []
        """To windows, not said yet."""
        self._offered: object = None
        """What the beacon was last looked at for."""
        self._timer, self._due = trio.CancelScope(), inf
        """Ends when something is due; that may become sooner meanwhile."""
        self._status_due = trio.Event()
        self._stale = False
        """Whether it is: asked at every message, sooner than an event."""
        self._versions: Final[dict[bytes, Said]] = {}
        """What was told of players whose programs speak another protocol."""
        self._mistakes = 0
        """How many were made that no table has taken."""
        self._stopping, self._window_came = trio.Event(), trio.Event()
        self.arrived: PackedFiles | None = None
        """What lies ready to be gone on with, once the node has ended."""
        self._door: Door | None = None
        self._nursery: Nursery | None = None
        self.rpc = rpc.Rpc(parts, self.links, known, self._dialler, self._stopping.set)
        self._dictionary = DictionaryTools(
            parts.home, lambda: self._tables.table_status(trio.current_time()), None
        )
        self._guests: Final = Guests(parts, lambda: self._door, self._notice)
        self._serving: Final = Serving(parts.home, parts.journal)
        rest = self._show_status, known, self._want
        self._presence = Presence(parts, self.links, lambda: self.rpc.name, *rest)
        self._carrying = self._presence.carrying
        rooms = self._presence, self._dictionary, self._summoner, self._serving
        self._slow = SlowAnswers(parts, *rooms, self._said, self.mistake)
        self._introduce(parts)
        self._answerers = self._all_answerers()

    def _introduce(self, parts: Parts) -> None:
        """Let parts know others that were made after them."""
        self.rpc.names, self.rpc.presence = self._dictionary.names, self._presence
        self._slow.own_names = self.rpc.own_names
        self.rpc.serving, self.rpc.summoner = self._serving, self._summoner
        self.rpc.marked = self._guests.marked
        self._dialler.around = Around(
            self._carrying.calls,
            self._presence.heard,
            self._presence.looks_for,
            self._crowded,
        )
        self._presence.telling.moved = self._dialler.moved
        self._presence.telling.signed = self._dialler.hearsay.anew
        self._slow.copied, self._slow.lend = self.copied, self._guests.lend
        self._slow.news_named, self._slow.arrived = self._news_named, self._begin_anew
        own = self.rpc
        self._slow.heirs = Heirs(own.unmet_heir, self._dialler.visit, own.succeed)
        if parts.programs is not None:
            parts.programs.tell = self.alarm
            parts.programs.called = self._tables.called
        parts.faults.journal = parts.journal

    # Life.

    async def run(
        self, port: int, *, task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Run until stopped; report the port when windows and peers can come.

        Raises:
            LocalError: PORT_IN_USE, or DISK for a door that cannot be made.
        """
        try:
            async with trio.open_nursery() as nursery:
                await self._start(nursery, port)
                task_status.started(self.rpc.port)
                self.settled()
                await self._stopping.wait()
                await self._carrying.posting.flush()
                self.links.end("the node was stopped")
                async with trio.open_nursery() as last:
                    last.start_soon(self._presence.give_back)
                    last.start_soon(self._say_goodbye)
                self._nursery = None
                nursery.cancel_scope.cancel()
        finally:
            if self._parts.programs is not None:
                with trio.CancelScope(shield=True):
                    await self._parts.programs.close()
            self._tables.close()
            self.links.note_left_out()
            self._journal("node.down")

    def stop(self) -> None:
        """End the node: say goodbye to the peers, close the files."""
        self._stopping.set()

    def _begin_anew(self, packed: PackedFiles) -> None:
        """End, so that a node of what has come can take the place of this one."""
        self.arrived = packed
        self.stop()

    async def deserted(self) -> None:
        """Wait until no window is open."""
        if self._door is not None:
            await self._door.deserted()

    async def attended(self) -> None:
        """Wait until a window is open."""
        while self._door is None or not self._door.watched:
            self._window_came = trio.Event()
            await self._window_came.wait()

    async def stopping(self) -> None:
        """Wait until the node begins to end."""
        await self._stopping.wait()

    async def _start(self, nursery: trio.Nursery, port: int) -> None:
        """Open the port and the door and start the tasks."""
        self.rpc.port = await nursery.start(
            self._parts.net.listen, port, self.links.came
        )
        self._presence.port = self.rpc.port
        token = self._parts.entropy(TOKEN_BYTES)
        self._door = await nursery.start(serve_door, self._parts.home, token, self)
        self._nursery = self._presence.nursery = apart = Apart(nursery, self.mistake)
        self._carrying.begin(apart, self._settle)
        self._parts.checking.begin(apart, self._settle)
        for task in (
            self._open_kept,
            self._keep_time,
            self._push_status,
            self._watch_links,
            self._presence.run,
            self._summoner.serve,
            self._carrying.posting.run,
            self._carrying.posting.on_letter.serve,
            self._serve_again,
        ):
            nursery.start_soon(self._keep_up, task)
        key = fingerprint(self._parts.key)
        self._journal("node.up", port=self.rpc.port, key=key, version=VERSION)
        for fault in self._parts.faults:
            self._journal("home.fault", why=fault)

    async def _serve_again(self) -> None:
        """Let those who play in browsers find their pages again."""
        if self._nursery is not None:
            await self._serving.go_on(self._nursery, lent=self._guests.lending.any)

    async def _keep_up(self, task: Callable[[], Awaitable[None]]) -> None:
        """Do one of the node's tasks; begin it again, ever later, after a mistake."""
        pause = AGAIN_SECONDS
        while True:
            try:
                await task()
            except Exception as error:  # noqa: BLE001 (whatever comes up, the tables go on)
                self.mistake(error, "task")
            else:
                return
            await trio.sleep(pause)
            pause = min(2 * pause, AGAIN_MOST_SECONDS)

    def mistake(self, error: Exception, what: str) -> None:
        """Take a mistake of the program's: it is written down, and told once.

        Args:
            error: What came up.
            what: What has ended by it, in a word.
        """
        self._mistakes += 1
        said = self._parts.faults.mistake(error, what)
        if said is not None:
            with suppress(Exception):  # it may be telling that fails
                self.alarm(said)

    async def _open_kept(self) -> None:
        """Go on with the matches of before, while others have their turn between."""
        while self._tables.unopened:
            began = trio.current_time()
            self._guard(self._tables.open_next, began)
            self.settled()
            await trio.sleep(max(BREATH, trio.current_time() - began))

    async def _say_goodbye(self) -> None:
        """Let network, peers and windows read the last words, then close the door."""
        with trio.move_on_after(BYE_SECONDS):
            await self._presence.goodbye()
            await self.links.all_gone()
            if self._door is not None:
                await self._door.close()

    def _hello(self) -> Hello:
        """Return what this node says first."""
        return first_words(self.rpc.name, self.rpc.port, self._nonce)

    # What links tell: see `links.Owner`.

    def peer_up(self, key: bytes, name: str, address: str, *, friend: bool) -> None:
        """Tell the tables of a peer."""
        up = partial(self._tables.peer_up, friend=friend)
        self._guard(up, key, name, address, trio.current_time())
        self._guard(self._known.saw, key, self._parts.counted())
        self._note_version(key, None)
        self._dialler.failed.came(key)
        self._carrying.peer_up(key)
        self._presence.link(key, up=True)

    def copied(self, status: CopyStatus) -> None:
        """Take how it stands with the copy of the home."""
        if status != self.rpc.copy:
            self.rpc.copy = status
            self._show_status()

    def _news_named(self) -> None:
        self.rpc.news.forget()
        self._show_status()

    def peer_down(self, key: bytes) -> None:
        """Tell the tables that a peer has gone."""
        self._guard(self._tables.peer_down, key, trio.current_time())
        self._guard(self._known.saw, key, self._parts.counted())
        self._carrying.peer_down(key)
        self._presence.link(key, up=False)

    def peer_named(self, key: bytes, name: str) -> None:
        """Tell the tables, and so the windows, of a peer's new name."""
        self._guard(self._tables.peer_named, key, name)
        self.rpc.forget_names()

    def quiet(self, key: bytes) -> None:
        """Dial a peer of the table beside a link on which nothing is heard.

        Who looks on by another asks for a place elsewhere.
        """
        self._guard(self._tables.peer_quiet, key, trio.current_time())
        if self._nursery is not None and self._tables.expects(key):
            self._dialler.beside(key, self._nursery)

    def got(self, key: bytes, message: PeerMessage, now: float) -> None:
        """Give a message to the tables."""
        self._heard = True
        try:
            self._tables.receive(key, message, now)
        except LocalError as error:
            self._gone_wrong(error)
        except PeerError:
            raise
        except Exception as error:  # noqa: BLE001 (of no table: it is this message's)
            self.mistake(error, "message")

    def met(self, connection: Connection, name: str) -> None:
        """Show a new peer's key, so that people can compare it."""
        if connection.way is Way.CAME and not self._strangers.take(trio.current_time()):
            return
        lost, invited = self._known.lost, self.rpc.invited(connection.called)
        invited = invited and not self._presence.is_stranger(connection.key)
        words = first_contact(connection.key, name, invited=invited, lost=lost)
        self._notice("error" if lost else "system", words)
        if doubt := self.rpc.doubt(connection.key, name):
            key = fingerprint(connection.key)
            self._notice("warning", Says.DOUBTED(name=name, doubt=doubt, key=key))

    def reach(self, connection: Connection, message: ReachMessage) -> None:
        """Help a peer to learn whether it can be reached, or to reach another."""
        self._presence.receive(connection, message)

    def alarm(self, words: Said) -> None:
        """Tell every window loudly; the status goes on saying it."""
        self._notice("error", words)
        self._show_status()

    def _notice(self, tone: Tone, words: Said) -> None:
        """Tell every window something."""
        if self._door is not None:
            self._door.push(Notice(tone, words, self._parts.unix()))

    def expects(self, key: bytes) -> bool:
        """Tell whether a table in hand needs a peer."""
        return self._tables.expects(key) or self._carrying.expects(key)

    def misses(self, key: bytes) -> bool:
        """Tell whether somebody would miss a peer at once."""
        return self._tables.misses(key) or self._carrying.expects(key)

    def trusts(self, key: bytes) -> bool:
        """Tell whether a peer may send as much as a match needs."""
        return self._tables.trusts(key) or self._carrying.trusts(key)

    def _together(self, dial: Dial) -> None:
        """Tell the player that the other must call, too, and with what."""
        known = self._known.with_fingerprint(dial.address.rpartition("#")[2])
        pinned = known or self._known.pinned(dial.address)
        who = self._known.name(pinned) if pinned else ""
        dht = self._presence.met_by_dht(dial.address)
        waits = Says.WAITING_IN_PUBLIC if dht else Says.WAITING_TOGETHER
        self._notice("system", waits(who=who or Says.THE_OTHER()))
        if told := self._presence.hindered(dial.address):
            self._notice("system", told)
        if dht is False:
            self._notice("system", Says.DHT_WOULD_HELP())
        self._presence.miss()

    def _crowded(self, error: NetplayError) -> None:
        """Tell the player that an address is called again, and why."""
        self._notice("system", Says.CALLED_AGAIN(why=error.detail or error.said))

    def _unreachable(self, dial: Dial, error: NetplayError) -> None:
        """Tell the tables of a link that cannot be had.

        It says so of calls that somebody made, and calls members silently; that another
        key answers in the place of one is told loudly, too.  Not of a friend who is
        only asked for another: nobody has called that one, and all have moved.
        """
        only_asked = dial.calm and not self._tables.expects(dial.key or b"")
        if error.code is Code.WRONG_KEY and dial.key is not None and not only_asked:
            self.alarm(error.said)
        if error.code is Code.VERSION and dial.key is not None:
            whose = self._known.called(dial.key)
            self._note_version(dial.key, Says.AT(place=whose, why=error.said))
        if not self._carrying.failed(dial, error):
            self._guard(self._tables.unreachable, dial, error.said, trio.current_time())
        self.settled()

    def _note_version(self, key: bytes, told: Said | None) -> None:
        """Say who has to update, or that it has been done, of a player of ours."""
        faults, before = self._parts.faults, self._versions.pop(key, None)
        if told is not None:
            self._versions[key] = told
        if before not in {None, told}:
            faults.mended(before)
        if told is not None and faults.fault(told):
            self.alarm(told)

    # What comes of it.

    def settled(self) -> None:
        """Do all that the tables want done."""
        try:
            if self._nursery is None:
                self._reply()
                return
            self._tell()
            news = self._tables.take_news()
            wants = news.wants
            if news.changed and not self._stale:
                self._show_status()
            if news.moved:
                self._moved(self._nursery)
                wants = self._tables.wants()  # a link may have been cut
            if news.summons:
                self._summoner.tell(news.summons)
            if wants.thoughts or wants.jobs or self._thinking.turns:
                # Begin what takes long, and end what is not wanted any more
                nursery = self._nursery
                self._thinking.start(nursery, wants.thoughts)
                if wants.jobs:
                    self._mixer.start(nursery, wants.jobs, self._mixed, self._failed)
            if wants.due is not None and wants.due < self._due:
                self.wake_by(wants.due)
        except Exception as error:  # noqa: BLE001 (the next that happens settles the rest)
            self.mistake(error, "settling")

    def _tell(self) -> None:
        """Tell peers and windows what is for them.

        What windows are shown of a match is on the host's disk: a host syncs before it
        shows.  A guest's entries come from there; its own disk is waited for by its
        acknowledgement, not by its windows.

        Who has not heard yet comes first: of what a peer said the windows here, of what
        was said here the peers; who said it is answered behind them.
        """
        heard, self._heard = self._heard, False
        hosting = heard and self._tables.hosts()
        if heard and not hosting:
            self._push()
        outgoing: list[Outgoing] | None = None
        while outgoing is None:
            try:
                outgoing = self._tables.take_outgoing()
            except LocalError as error:  # that table was given up; the others send
                self._gone_wrong(error)
        if hosting:
            self._push()
        for out in outgoing:
            self._guard(self.links.send, out.keys, out.message)
        if self._answers:
            self._reply()
        if not heard:
            self._push()

    def _mixed(self, result: Result) -> None:
        """Bring the tables what was done for them beside the loop."""
        self._guard(self._tables.done, result, trio.current_time())
        self.settled()

    def _failed(self, match: bytes, error: Exception) -> None:
        """Close the table for which something beside the loop came up."""
        self._guard(self._tables.fail, match, error)
        self.settled()

    def _moved(self, nursery: Nursery) -> None:
        """Do what follows from tables that have come, changed or gone."""
        # Let the beacon be looked at again if it would say something else
        offered = self._tables.offers(), self.rpc.name
        if offered != self._offered:
            self._offered = offered
            self._presence.poke()
        self.links.trust_all()
        self.links.befriend(friends := self._tables.take_friends())
        self._tables.writing.befriended(friends)
        self.links.part(self._tables.take_parted())
        self._carrying.look()
        self._want()
        # Have loaded what computer players will need, unless it is their turn
        to_come = self._tables.seats_to_come()
        if not self._tables.wants().thoughts:  # whoever thinks loads the same
            for thought in to_come:
                nursery.start_soon(self._parts.prepare, thought)
        if self._parts.programs is not None:
            self._parts.programs.keep(self._tables.seats_in_play())

    def _want(self) -> None:
        """Look for the links that are wanted now."""
        if self._nursery is not None:
            wanted = self._tables.wants_dial()
            first = (*self._carrying.wants(), *self._presence.asked(wanted))
            self._dialler.want(wanted, self._nursery, first)
            self._presence.retell()
        self._show_status()

    def _settle(self, do: Callable[[], None]) -> None:
        """Do something, and all that comes of it."""
        self._guard(do)
        self.settled()

    def _guard(self, do: Callable[..., T], *given: Any) -> T | None:  # noqa: ANN401 (what `do` takes)
        """Do what may meet a disk that fails: then the match ends, not the node."""
        try:
            return do(*given)
        except LocalError as error:
            self._gone_wrong(error)
        except Exception as error:  # noqa: BLE001 (it ends what is done here alone)
            self.mistake(error, "step")
        return None

    def _gone_wrong(self, error: LocalError) -> None:
        """Note why a table was given up, unless that was written down as a mistake."""
        if error.code is not Code.FAULT:
            failed = "too.large" if error.code is Code.TOO_LARGE else "disk.failed"
            self._journal(failed, why=error)

    def _reply(self) -> None:
        """Answer what the windows have asked."""
        answers, self._answers = self._answers, []
        for reply, answer in answers:
            self._guard(reply, answer)

    def _push(self) -> None:
        """Show the windows what the tables have for them."""
        for push in self._tables.take_pushes():
            window = None if push.window == EVERY_WINDOW else push.window
            if self._door is not None:
                self._guard(self._door.push, push.message, window)

    def _thought(self, thought: Thought, move: Any) -> None:  # noqa: ANN401 (a game's own)
        """Bring a computer player's move to the tables."""
        self._guard(self._tables.thought, thought, move, trio.current_time())
        self.settled()

    # Time.

    def wake_by(self, due: float) -> None:
        """See to it that links and tables are woken at a time, or sooner."""
        if due < self._due:  # set seldom: trio sorts all deadlines again each time
            self._due = self._timer.deadline = due

    async def _keep_time(self) -> None:
        """Wake links and tables when they are due."""
        while True:
            with self._timer:
                await trio.sleep_forever()
            self._timer, self._due = trio.CancelScope(), inf
            before = self._mistakes
            # Do what is due
            now = trio.current_time()
            self._presence.woke()
            self._guard(self.links.wake, now)
            self._guard(self._tables.wake, now)
            self.settled()
            if self._mistakes != before:  # it may be due still, and fail again
                await trio.sleep(AGAIN_SECONDS)

    # Windows: see `door.Host`.

    def guest(self, window: int, shown: bytes) -> Seated | None:
        """Let a guest in by what it shows; it was elsewhere before, if anywhere."""
        return self._guests.knock(window, shown)

    def shown_to_guest(self, window: int, message: FromNode) -> FromNode | None:
        """Return what a guest is shown of what windows are told."""
        return self._guests.shown_to_guest(window, message)

    def window_up(self, window: int) -> None:
        """Show a new window everything."""
        self._window_came.set()
        self._presence.woke()
        reads = self._door is None or self._door.reads(window)
        match = self._guests.match_of(window)
        self._guard(partial(self._tables.window_up, reads=reads), window, match)
        if self._door is not None:
            self._guard(self._show, window)
            for fault in self.rpc.faults():
                self._door.push(Notice("error", fault, self._parts.unix()), window)
        self.settled()

    def window_down(self, window: int) -> None:
        """Forget a window."""
        self._guard(self._tables.window_down, window)
        self._guests.left(window)
        self.settled()

    def answer(self, window: int, request: Request, reply: Reply) -> None:
        """Answer a request: at once, or when what it takes is done."""
        answer: Done | Failed | None
        try:
            # Before all else: what a guest may not ask is to reach nobody who answers.
            if window in self._guests.lending.guests:
                request = self._guests.asked(window, request)
            # The table takes words and editions as they are now, not as of the last
            # look.
            if isinstance(request.ask, HostTable | ChangeTable):
                self._dictionary.refresh()
                request = replace(request, ask=self.rpc.seated(request.ask))
            answer = self._answerers[type(request.ask)](
                request.ask, window, request, reply
            )
        except NetplayError as error:
            answer = failed(request.id, error)
        except Exception as error:  # noqa: BLE001 (it is this question's)
            self.mistake(error, "answer")
            answer = failed(request.id, LocalError(Code.FAULT))
        # Else a task has taken the question over, and replies itself.
        if answer is not None:
            self._said(reply, answer)

    def _all_answerers(self) -> Mapping[type[Any], Answerer]:
        """Return what answers each kind of question; all others are for a table.

        Whoever is named last is asked first, and may leave it to the one before.
        """
        found = defaultdict[type[Any], Answerer](lambda: self._ask_table)
        for kind, of_tables in self._tables.answers.items():
            found[kind] = partial(self._ask_tables, of_tables)
        for kind, own in self.rpc.by_kind.items():
            found[kind] = partial(self._answer_here, own)
        found[LookAt] = self._look_at
        found[LendSeat] = self._lend_seat
        found[Seen] = self._guest_seen
        found[CodeWithdrawn] = self._code_withdrawn
        for kind in self._slow.by_kind:
            found[kind] = partial(self._begin, found[kind])
        return found

    def _code_withdrawn(
        self, _ask: Question, _window: int, request: Request, _reply: Reply
    ) -> Done:
        self._notice("warning", Says.CODE_WITHDRAWN())
        return Done(request.id)

    def _ask_table(
        self, _ask: Question, window: int, request: Request, _reply: Reply
    ) -> Done | Failed:
        """Have the table that is meant answer: nearly all questions are moves."""
        return self._tables.ask_table(window, request, trio.current_time())

    def _ask_tables(
        self,
        answerer: answers.Answerer,
        _ask: Question,
        window: int,
        request: Request,
        _reply: Reply,
    ) -> Done | Failed:
        now = trio.current_time()
        return self._tables.answer(answerer, window, request, now)

    def _answer_here(
        self,
        answerer: rpc.Answerer,
        ask: Question,
        window: int,
        request: Request,
        _reply: Reply,
    ) -> Done | Failed:
        told = answerer(ask, window, request)
        if isinstance(told, Done | Failed):
            return told
        if isinstance(told, bytes):
            return Done(request.id, data=told)
        return Done(request.id, told)

    def _begin(
        self,
        otherwise: Answerer,
        ask: Question,
        window: int,
        request: Request,
        reply: Reply,
    ) -> Done | Failed | None:
        """Begin to answer what takes a while; leave it to others if it does not."""
        nursery, slow = self._nursery, self._slow
        if nursery is not None and slow.begin(Asked(nursery, window, request, reply)):
            return None
        return otherwise(ask, window, request, reply)

    def _look_at(
        self, _ask: LookAt, window: int, request: Request, _reply: Reply
    ) -> Done | Failed:
        answer = self._tables.ask(window, request, trio.current_time())
        if self._door is not None:
            # What was said there comes behind the word that it is another.
            self._show(window)
        return answer

    def _lend_seat(
        self, ask: LendSeat, window: int, request: Request, _reply: Reply
    ) -> Done:
        return self._guests.lend(window, request, ask.seat, on=ask.on)

    def _guest_seen(
        self, ask: Seen, window: int, request: Request, _reply: Reply
    ) -> Done:
        self._guests.seen(window, here=ask.here)
        return Done(request.id)

    def _show(self, window: int) -> None:
        """Show a window the status."""
        if self._door is None:
            return
        if self._guests.lending.any:
            self._guests.pin(window)
        self._door.push(self.rpc.status(window), window)

    def _said(self, reply: Reply, answer: Done | Failed) -> None:
        """Answer once all that came of it is on the disk."""
        self._answers.append((reply, answer))
        # Once until it is pushed: each answer would set the timer anew.
        if not self._stale:
            self._show_status()
        self.settled()

    def _show_status(self) -> None:
        """Let the status be pushed soon."""
        self._stale = True
        self._status_due.set()

    async def _push_status(self) -> None:
        """Push the status when it has changed, not too often."""
        while True:
            await self._status_due.wait()
            self._status_due, self._stale = trio.Event(), False
            for window in () if self._door is None else self._door.watching():
                self._guard(self._show, window)
            await trio.sleep(STATUS_SECONDS)

    async def _watch_links(self) -> None:
        """Push the status when links come and go."""
        while True:
            await self.links.changed.wait()
            self.links.changed = trio.Event()
            self._show_status()


# Find the one error for the user inside the groups that nurseries raise.


def single(group: BaseException) -> BaseException:
    """Return the error for the user inside of groups of one, or the group."""
    inner = group
    while isinstance(inner, BaseExceptionGroup):
        errors = cast("BaseExceptionGroup[BaseException]", inner).exceptions
        if len(errors) != 1:
            break
        inner = errors[0]
    return inner if isinstance(inner, NetplayError | KeyboardInterrupt) else group
