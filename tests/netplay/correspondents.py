"""Nodes in memory with real tables, whose players are never awake together."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import trio

from netplay.match.match import Match
from netplay.messages.door import HostTable, Join, Play, StartMatch, TableStatus
from netplay.messages.table import Days
from netplay.peering.letter_boxes import LetterBoxes
from netplay.record.letter import unseal
from netplay.table.asked import Asked
from netplay.table.resources import Shelf
from netplay.table.shared import Means
from netplay.table.tables import Tables
from netplay.wire import pack
from tests.netplay.joined_nodes import SMALL
from tests.netplay.memory import SEEDS, Player, World, acquainted, running
from tests.netplay.memory_archive import MemoryArchive


class Correspondent(Player):
    """A node with real tables; what it has on its disk outlives it."""

    def __init__(self, world: World, number: int, path: Path) -> None:
        self.archive = MemoryArchive()
        self.number = number
        self.path = path
        self.ended: list[str] = []
        """Why links have ended, as far as it was for something."""
        super().__init__(world, number, path)
        self.unix = 1_700_000_000

    def journal(self, event: str, **fields: object) -> None:
        if event == "link.down" and fields["code"] != "none":
            self.ended.append(f"{fields['by']} {fields['code']}")

    def core(self) -> Tables:
        means = Means(
            self.signer,
            self.archive,
            Shelf(None),
            self.entropy,
            lambda: self.unix,
            partial(unseal, SEEDS[self.key], self.key),
            self.known,
            asked=Asked(self.path / f"asked{self.number}.json"),
            written=self.path / f"written{self.number}",
        )
        self.tables = Tables(means, f"player {self.number}")
        self.tables.find_kept(0.0)
        return self.tables

    @property
    def boxes(self) -> LetterBoxes:
        """The letters that it keeps for others."""
        return self.carrying.posting._boxes

    @property
    def match(self) -> Match:
        place = self.tables.front()
        assert place is not None
        assert place.table.match is not None
        return place.table.match

    @property
    def on_turn(self) -> list[int]:
        """The seats played here that are on turn and have no move made."""
        match = self.match
        own = [seat for seat in match.on_turn() if match.seats.is_own(seat)]
        return [seat for seat in own if not match.seats.is_moving(seat)]

    def moves(self, rng: Random) -> bytes:
        """Make a move by chance."""
        place = self.tables.front()
        assert place is not None
        return self.moves_at(place.number, rng)

    def moves_at(self, table: int, rng: Random) -> bytes:
        """The same at one of several tables."""
        match = self.tables.places.by_number[table].table.match
        assert match is not None
        (seat,) = filter(match.seats.is_own, match.on_turn())
        state = match.seats.view(seat).state
        found = list(islice(match.fold.game.moves(state, seat), 50))
        move = pack(rng.choice(found))
        self.does(Play(seat, move, len(match.ledger.log)), table)
        return move

    @property
    def status(self) -> TableStatus:
        """What the window is told of the table."""
        status = self.tables.table_status(trio.current_time())
        assert status is not None
        return status

    def kept(self) -> tuple[tuple[str, str], ...]:
        """Return for whom and by whom the window says that something is kept."""
        return self.status.made.kept


async def until(holds: Callable[[], Any], seconds: float = 60.0) -> None:
    with trio.fail_after(seconds):
        while not holds():  # noqa: ASYNC110 (what holds has no event of its own)
            await trio.sleep(0.1)  # the clock jumps


@asynccontextmanager
async def awake(*cast: Player) -> AsyncIterator[None]:
    """Run nodes that end one after another, politely, with their files closed."""
    for one in cast:
        one.restarted()
    async with running(*cast):
        yield
        for one in cast:
            one.node.stop()
            await trio.sleep(3.0)


async def begun(
    game: str,
    *cast: Correspondent,
    options: tuple[tuple[str, str], ...] = (),
    days: Days = 0,
) -> None:
    """Have players who are awake begin a match; the first is its host."""
    host, *guests = cast
    chairs = ("person", *("remote" for _ in guests))
    host.does(HostTable(game, chairs, options, "", "", days=days))
    for seat, guest in enumerate(guests, 1):
        guest.does(Join(host.line, seat))
        await trio.sleep(1.0)
    await trio.sleep(1.0)
    host.does(StartMatch())
    await trio.sleep(5.0)
    assert all(one.match.on_turn() for one in cast)


Cast = tuple[Correspondent, Correspondent, Correspondent]
"""Two who play, and one who keeps their letters."""


async def parted(cast: Cast, game: str = "numlo") -> None:
    """Have the first two begin a match, and all go to sleep."""
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, ann, bob)
        await begun(game, ann, bob, options=SMALL if game == "numlo" else ())
