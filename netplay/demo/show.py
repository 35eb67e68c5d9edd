"""The performance: form a table, chat, play to the end, compare and check the logs."""

import hashlib
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import trio
from msgspec import Struct
from msgspec.structs import replace

from netplay.daemon.computer_players import ComputerPlayers
from netplay.daemon.starting import seeds
from netplay.demo.player import Player, call
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.journal import silent
from netplay.language import _
from netplay.messages import door
from netplay.messages.log import Mix, Turn
from netplay.messages.table import Fairness
from netplay.players import player
from netplay.record.log import read_body, read_entry
from netplay.record.store import records, whole
from netplay.record.verify import verify
from netplay.record.views import scores
from netplay.sentences import Says
from netplay.table.resources import Kind, Shelf, find_edition, find_words
from netplay.text import writer
from netplay.wire import unpack
from rules import GAMES, editions, lexicon
from rules.game import followed

# The node processes of a demonstration, each in a home of its own.


START_SECONDS: Final = 600.0
"""For a node to open its door, as long as its process lives: a computer that has much
else to do takes minutes, and who waits no longer can stop the demo."""

SLOW_SECONDS: Final = 10.0
"""After so long it is said that a node is waited for, and again each time."""

STOP_SECONDS: Final = 10.0
"""For a node to end when told to."""

LOOP: Final = "127.0.0.1"
LOG: Final = "node.log"
NAMES: Final = ("Ada", "Blaise", "Chen", "Dorothy")


class Actor:
    """One node process, and a window on it."""

    def __init__(self, home: Home, name: str, player: Player, seed: int | None) -> None:
        """Name the parts; `start` starts the process."""
        self.home: Final = home
        self.name: Final = name
        self.player: Final = player
        self.port = 0
        """Where the node listens; the same one again after a restart."""
        self._seed: Final = seed
        self._process: trio.Process | None = None

    @property
    def address(self) -> str:
        """Where others can call the node."""
        return f"{LOOP}:{self.port}"

    async def start(self) -> None:
        """Start the node."""
        words = [sys.executable, "-m", "netplay", "node", "--name", self.name]
        words += ["--home", str(self.home.path), "--listen", LOOP]
        words += ["--port", str(self.port), "--no-pace"]
        if self._seed is not None:
            words += ["--seed", str(self._seed)]
        with (self.home.path / LOG).open("ab") as log:
            self._process = await trio.lowlevel.open_process(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    async def meet(self, nursery: trio.Nursery) -> None:
        """Come in through the node's door as soon as it is there.

        Raises:
            LocalError: NO_ANSWER, the node did not start.
        """
        player, process = self.player, self._process
        assert process is not None
        player.status = None
        began = told = trio.current_time()
        with trio.move_on_after(START_SECONDS):
            while process.poll() is None:
                if trio.current_time() >= told + SLOW_SECONDS:
                    told = trio.current_time()
                    words = _("{name} is still starting, after {seconds} s")
                    words = words.format(name=self.name, seconds=round(told - began))
                    sys.stderr.write(f"{words}\n")
                try:
                    player.client = await call(self.home, player.hear)
                except (OSError, ValueError):
                    await trio.sleep(0.02)
                    continue
                nursery.start_soon(player.client.listen)
                while player.status is None:
                    await player.news()
                self.port = player.status.port
                return
        raise LocalError(Code.NO_ANSWER, f"a node did not start: {self.last_words()}")

    async def stop(self) -> None:
        """End the node, politely at first."""
        if self._process is not None:
            self._process.terminate()
            with trio.move_on_after(STOP_SECONDS):
                await self._process.wait()
            await self.kill()

    async def kill(self) -> None:
        """End the node at once, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            await self._process.wait()

    def last_words(self) -> str:
        """Return the last line that the node wrote."""
        try:
            lines = (self.home.path / LOG).read_text("utf-8", "replace").splitlines()
        except OSError:
            lines = []
        return lines[-1] if lines else "it said nothing"


@asynccontextmanager
async def actors(
    folder: Path, count: int, game: str, seed: int | None
) -> AsyncGenerator[Sequence[Actor]]:
    """Run node processes for as long as the context lasts.

    Args:
        folder: For their homes.
        count: How many.
        game: What is played.
        seed: For the computer players' whims.

    Raises:
        LocalError: A node did not start.
    """
    cast: list[Actor] = []
    for number in range(count):
        name = NAMES[number]
        home = Home(folder / name.lower())
        home.prepare()
        own = None if seed is None else seed + number
        cast.append(Actor(home, name, Player(game), own))
    async with living(*cast):
        yield cast


@asynccontextmanager
async def living(*cast: Actor) -> AsyncGenerator[trio.Nursery]:
    """Run nodes for as long as the context lasts; give what their visits run in.

    Raises:
        LocalError: A node did not start.
    """
    async with trio.open_nursery() as nursery:
        try:
            for actor in cast:
                await actor.start()
            for actor in cast:
                await actor.meet(nursery)
            yield nursery
        finally:
            with trio.CancelScope(shield=True):
                async with trio.open_nursery() as leaving:
                    for actor in cast:
                        leaving.start_soon(actor.stop)
            nursery.cancel_scope.cancel()


# An edition and a word list that no other node has, so that both must travel.


NAME = "demo"


class Files(NamedTuple):
    """What to give `HostTable`; empty for games without words."""

    edition: str
    words: str


def make_files(
    game: str, folder: Path, edition_name: str = "", words_name: str = ""
) -> Files:
    """Write an edition and a word list for a game that has them.

    The edition is a known one under another name.  The word list is a known one and
    one word more, the first in the alphabet that was not a word before.

    Args:
        game: A key of `GAMES`.
        folder: Where to write.
        edition_name: Name, digest or path; empty for the game's own edition.
        words_name: The same of a word list; empty for the edition's own.

    Raises:
        LocalError: There is no such edition or word list.
    """
    about = GAMES[game].ABOUT
    options: Any = about.options()
    edition_file, words_file = "", ""
    if "edition" in about.resources:
        digest = find_edition(edition_name).hex() if edition_name else options.edition
        edition = editions.find(digest)
        edition_file = str(folder / "demo.toml")
        text = editions.write(replace(edition, name=NAME))
        Path(edition_file).write_text(text, "utf-8")
        options = replace(
            options,
            lexicon=find_words(words_name or edition.words, edition.alphabet).hex(),
        )
    if "lexicon" in about.resources:
        own = lexicon.find(options.lexicon)
        words_file = str(folder / "demo.graph")
        data = lexicon.build(own.alphabet, {*own.words(), new_word(own)}, own.folds)
        Path(words_file).write_bytes(data)
    return Files(edition_file, words_file)


def keep_files(files: Files, shelf: Shelf) -> None:
    """Use an edition and a word list here, and keep them for whoever looks later."""
    if files.edition:
        edition = editions.read(Path(files.edition).read_text("utf-8"))
        shelf.keep(Kind.EDITION, editions.encode(edition))
    if files.words:
        shelf.keep(Kind.LEXICON, Path(files.words).read_bytes())


def new_word(own: lexicon.Lexicon) -> lexicon.Word:
    """Return the shortest, first run of the first letter that is no word."""
    length = 3
    while own.has((0,) * length):
        length += 1
    return (0,) * length


SETTLE_SECONDS: Final = 30.0
"""For anything that must come about at all the nodes."""

LINES: Final = ("hello from {}", "well played, says {}")
"""What each node says, before the match and after it."""

Print = Callable[[str], None]


class Wish(Struct, frozen=True):
    """What is to be shown."""

    game: str
    nodes: int
    seed: int | None
    words: Path
    """Where editions and word lists are kept, for whoever looks at the match later."""
    keep: Path
    """Where the match file goes."""
    options: tuple[tuple[str, str], ...] = ()
    """KEY, VALUE as for `host`; edition and words among them."""
    fairness: Fairness | Literal[""] = ""
    brief: bool = False
    """A line a move, and no boards."""


class Report(Struct, frozen=True):
    """What happened; the fields are those of commands.md."""

    game: str
    nodes: int
    entries: int
    moves: int
    seconds: float
    scores: tuple[int, ...]
    places: tuple[int, ...]
    chat: int
    """Lines that came to another node than the one they were said at."""
    digests: tuple[str, ...]
    equal: bool
    audit: str
    match: str
    fairness: str
    shuffle_seconds: float
    """From the start until an encrypted bag was mixed; 0 for any other."""
    fetched: int
    """Editions and word lists that came to a node over the wire."""

    @property
    def good(self) -> bool:
        """Whether all is as it should be."""
        chat = len(LINES) * self.nodes * (self.nodes - 1)
        return self.equal and self.audit == "ok" and self.chat == chat


async def perform(wish: Wish, folder: Path, say: Print) -> Report:
    """Run the demonstration.

    Args:
        wish: What to show.
        folder: For the homes of the nodes; not needed afterwards.
        say: Takes what is to be printed.

    Raises:
        LocalError: A node failed.
    """
    seats = GAMES[wish.game].ABOUT.seats
    if wish.nodes not in seats:
        detail = Says.NOT_FOR_SEATS(game=wish.game, seats=wish.nodes)
        raise LocalError(Code.USAGE, detail)
    began = trio.current_time()
    chosen = dict(wish.options)
    files = await trio.to_thread.run_sync(
        make_files,
        wish.game,
        folder,
        chosen.get("edition", ""),
        chosen.get("words", ""),
    )
    keep_files(files, Shelf(wish.words))
    async with actors(folder, wish.nodes, wish.game, wish.seed) as cast:
        words = _("{count} programs on this computer play {game} over its own network")
        say(f"{words.format(count=wish.nodes, game=GAMES[wish.game].ABOUT.title)}\n")
        await _form(cast, wish, files)
        for actor in cast:
            await actor.player.ask(door.Say(LINES[0].format(actor.name)))
        await _play(cast, wish, say)
        for actor in cast:
            await actor.player.ask(door.Say(LINES[1].format(actor.name)))
        report = await _compare(cast, wish, began)
        for actor in cast:
            await actor.player.ask(door.StopNode())
    return report


async def _form(cast: Sequence[Actor], wish: Wish, files: Files) -> None:
    """Open the host's table, bring the others to it, and start."""
    host, *guests = cast
    skill, options = player(wish.game).ABILITIES.brief
    apart = ("edition", "words")
    options += tuple(pair for pair in wish.options if pair[0] not in apart)
    chairs = (f"computer:{skill}", *("remote" for _ in guests))
    table = door.HostTable(
        wish.game, chairs, options, files.edition, files.words, fairness=wish.fairness
    )
    await host.player.ask(table)
    for number, guest in enumerate(guests, 1):
        await guest.player.ask(door.Join(host.address, number))
    await _until((host,), _agreed, "the table")
    await host.player.ask(door.StartMatch())
    await _until(cast, lambda table: bool(table.match), "the start")


def _agreed(table: door.TableStatus) -> bool:
    return all(seat.name and seat.accepted for seat in table.seats)


async def _until(
    cast: Sequence[Actor], holds: Callable[[door.TableStatus], bool], what: str
) -> None:
    """Wait until something holds at every node.

    Raises:
        LocalError: NO_ANSWER, it does not come about.
    """
    for actor in cast:
        with trio.move_on_after(SETTLE_SECONDS):
            while not ((now := actor.player.status) and now.table and holds(now.table)):
                await actor.player.news()
            continue
        table = actor.player.status.table if actor.player.status else None
        waiting = table.waiting if table else actor.last_words()
        errors = "; ".join(str(line.said) for line in actor.player.errors)
        detail = f"{what} does not come about at {actor.name}: {waiting} {errors}"
        raise LocalError(Code.NO_ANSWER, detail.strip())


async def _play(cast: Sequence[Actor], wish: Wish, say: Print) -> None:
    host, *guests = cast
    own = None if wish.seed is None else wish.seed + len(cast)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_narrate, host, wish, say)
        for number, guest in enumerate(guests, 1):
            words = guest.home.words
            bots = ComputerPlayers(
                seeds(None if own is None else own + number), silent, words
            )
            skill = player(wish.game).ABILITIES.brief.skill
            nursery.start_soon(guest.player.play, number, skill, bots)
        await host.player.ask(door.Watch(-1))
        while not _over(host):
            await host.player.news()
        await _until(cast, lambda table: bool(table.audit), "the audit")
        nursery.cancel_scope.cancel()


def _over(actor: Actor) -> bool:
    """Return whether the match is over at a node.

    Raises:
        LocalError: STOPPED, it will never be.
    """
    status = actor.player.status
    table = status.table if status else None
    if table is None or table.phase == "stopped":
        errors = "; ".join(str(line.said) for line in actor.player.errors)
        raise LocalError(Code.STOPPED, errors or "the host's table is gone")
    return table.phase == "over"


async def _narrate(host: Actor, wish: Wish, say: Print) -> None:
    """Print every view of the host's; of a game that hurries, one a second.

    In brief a line for each move, or for each second the points.
    """
    game = wish.game
    text, rules = writer(game), GAMES[game]
    before: Any = None
    shown = ""
    while True:
        if rules.ABOUT.hz:
            await trio.sleep(1)
            before = None
        views = host.player.views
        taken = tuple(views)
        views.clear()
        for view in taken[-1 if rules.ABOUT.hz else 0 :]:
            state = unpack(view.state, rules.ABOUT.state)
            if before is not None:
                for line in _lines(host, game, before, view):
                    say(line)
            if not wish.brief:
                board = text.board(state, _names(host))
                # While hidden tiles are drawn, the board looks as it did.
                if board != shown:
                    say(f"{board}\n")
                shown = board
            elif rules.ABOUT.hz:
                say(", ".join(map(str, scores(rules, state))))
            before = state
        await host.player.news()


def _names(host: Actor) -> tuple[str, ...]:
    assert host.player.status is not None
    table = host.player.status.table
    return tuple(seat.name for seat in table.seats) if table else ()


def _lines(host: Actor, game: str, before: Any, view: door.View) -> Sequence[str]:  # noqa: ANN401 (a game's state)
    """Return a line for every move that seats have made since a view."""
    rules, text, names = GAMES[game], writer(game), _names(host)
    moves = [
        (each.actor, unpack(each.move, rules.ABOUT.move)) for each in view.happened
    ]
    return [
        text.line(state, actor, move, names)
        for state, actor, move in followed(rules, before, moves, None, {})
        if actor >= 0
    ]


async def _compare(cast: Sequence[Actor], wish: Wish, began: float) -> Report:
    """Compare the logs of all nodes and check one of them alone."""
    # Wait until everybody has heard what everybody said, if that comes about
    wanted = len(LINES) * len(cast)
    with trio.move_on_after(SETTLE_SECONDS):
        for actor in cast:
            while len(actor.player.lines) < wanted:
                await actor.player.news()
    # The last entries, by which members open their seeds, may follow the audit: until
    # all logs are equal, or will not become so.
    logs: list[bytes] = []
    for _each in cast:  # each may still add an entry
        await _until(
            cast, lambda t: t.entries == t.final == _most(cast), "the last entry"
        )
        logs = []
        for actor in cast:
            copy = actor.home.path / "copy"
            await actor.player.ask(door.Save(str(copy), over=True))
            logs.append(log_of(copy.read_bytes()))
        if len(set(logs)) == 1:
            break
    wish.keep.parent.mkdir(parents=True, exist_ok=True)
    wish.keep.write_bytes(logs[0])
    verdict = verify(logs[0])
    tables = [a.player.status.table for a in cast if a.player.status]
    audits = [verdict.reason or verdict.audit, *(t.audit for t in tables if t)]
    digests = tuple(hashlib.sha256(log).hexdigest() for log in logs)
    mixed = 0  # when the match's first bag was, in milliseconds
    for record in records(logs[0]):
        entry = read_entry(record.entry)
        body = read_body(entry.body)
        if isinstance(body, Turn):
            break
        if isinstance(body, Mix):
            mixed = entry.at
    return Report(
        game=wish.game,
        nodes=len(cast),
        entries=verdict.entries,
        moves=verdict.moves,
        seconds=round(trio.current_time() - began, 2),
        scores=scores(GAMES[wish.game], cast[0].player.state),
        places=verdict.places,
        chat=_heard(cast),
        digests=digests,
        equal=len(set(digests)) == 1,
        audit=str(next((audit for audit in audits if audit != "ok"), "ok")),
        match=str(wish.keep),
        fetched=sum(map(_fetched, cast[1:])),
        fairness=verdict.fairness,
        shuffle_seconds=mixed / 1000,
    )


def _fetched(actor: Actor) -> int:
    """Return how many editions and word lists a node got from the host."""
    files = actor.home.words.iterdir()
    return sum(file.suffix in {f".{kind.value}" for kind in Kind} for file in files)


def log_of(file: bytes) -> bytes:
    """Return a match file without what it carries for its reader.

    That is a node's own: what it owes the others, as far as they may lack it.
    """
    return whole(record.entry for record in records(file))


def _most(cast: Sequence[Actor]) -> int:
    """Return how many entries the longest log has, as far as nodes have told."""
    tables = [a.player.status.table for a in cast if a.player.status]
    return max(table.entries for table in tables if table)


def _heard(cast: Sequence[Actor]) -> int:
    """Return how many lines came to another node than the one they were said at."""
    texts = [{line.text for line in actor.player.lines} for actor in cast]
    return sum(
        words.format(speaker.name) in heard
        for words in LINES
        for speaker in cast
        for listener, heard in zip(cast, texts, strict=True)
        if listener is not speaker
    )
