"""The attacks on days again, by whole programs over real sockets."""

from contextlib import suppress
from itertools import islice
from pathlib import Path

import trio

from netplay.demo.show import living
from netplay.errors import Code, LocalError
from netplay.messages.door import HostTable, Play, Save, StartMatch, Watch
from netplay.messages.table_questions import ClaimTime
from netplay.record.verify import verify
from netplay.wire import pack
from rules import GAMES
from tests.hostile.nodes import Victim
from tests.patience import PATIENCE
from tests.system.nodes import GAME, join

HOUR = 3_600


class Clocked(Victim):
    """A node with clocks that a test sets, and perhaps a changed program."""

    program = ("-m", "tests.hostile.clocked")

    def __init__(self, folder: Path, number: int, *, cheats: str = "") -> None:
        super().__init__(folder, number)
        self.clocks = folder / f"clocks {number}"
        self.environment = {"CLOCKS": str(self.clocks), "CHEATS": cheats}
        self.set_clocks(0, 0)

    def set_clocks(self, wall: int, counted: int) -> None:
        """Put the clocks forward by some hours."""
        new = self.clocks.with_suffix(".new")
        new.write_text(f"{wall * HOUR} {counted * HOUR}", "ascii")
        new.replace(self.clocks)

    @property
    def seat(self) -> int:
        seats = self.table.seats
        return next(n for n, one in enumerate(seats) if one.kind == "person")

    async def move(self) -> None:
        """Make some move."""
        game, player = GAMES[GAME], self.player
        await player.ask(Watch(self.seat))
        while player.state is None or self.seat not in game.actors(player.state):
            await player.news()
        move = next(islice(game.moves(player.state, self.seat), 1))
        await player.ask(Play(self.seat, pack(move), player.views[-1].number))


async def begin(one: Clocked, other: Clocked, *more: Clocked) -> None:
    """Begin a match with a day to think, and let the first guest come on turn."""
    cast = (one, other, *more)
    seats = ("person", *("remote" for _ in cast[1:]))
    await one.player.ask(HostTable(GAME, seats, (("size", "8"),), "", "", days=1))
    for guest in cast[1:]:
        await join(guest, one.address)
    await one.player.ask(StartMatch())
    for node in cast:
        await node.until_table(lambda table: bool(table.turn))
    while one.table.turn != (other.seat,):
        (mover,) = (node for node in cast if node.seat in one.table.turn)
        before = one.table.turn
        await mover.move()
        await one.until_table(lambda table, old=before: table.turn != old)  # type: ignore[misc]
    for node in cast:
        await node.until_table(lambda table: table.turn == (other.seat,))


async def claims(node: Clocked) -> Code | None:
    """Claim the time of the other; return why not."""
    try:
        await node.player.ask(ClaimTime())
    except LocalError as error:
        return error.code
    return None


async def test_a_host_process_wins_nothing_by_its_clock(tmp_path: Path) -> None:
    one, other = Clocked(tmp_path, 0), Clocked(tmp_path, 1)
    with trio.fail_after(PATIENCE):
        async with living(one, other):
            await begin(one, other)
            one.set_clocks(25, 0)
            assert await claims(one) is Code.TOO_EARLY
            one.set_clocks(0, 0)
            await other.move()
            await one.until_table(lambda table: one.seat in table.turn)
            for node in (one, other):
                assert node.table.phase == "playing"
                assert not node.table.places
                assert not node.table.claims


async def test_who_has_not_moved_is_out_of_time_by_the_word_of_its_own_node(
    tmp_path: Path,
) -> None:
    one, other = Clocked(tmp_path, 0), Clocked(tmp_path, 1)
    with trio.fail_after(PATIENCE):
        async with living(one, other):
            await begin(one, other)
            for node in (one, other):
                node.set_clocks(25, 25)
            assert await claims(one) is None
            for node in (one, other):
                await node.until_table(lambda table: bool(table.places))
                assert node.table.places == (1, 2)


async def test_a_guests_node_confirms_nothing_against_a_turn_that_is_held_back(
    tmp_path: Path,
) -> None:
    one, other = Clocked(tmp_path, 0, cheats="holds"), Clocked(tmp_path, 1)
    file = tmp_path / "saved.netplay"
    with trio.fail_after(PATIENCE):
        async with living(one, other):
            await begin(one, other)
            await other.move()
            for node in (one, other):
                node.set_clocks(25, 25)  # a day and an hour pass, for all to see
            assert await claims(one) is None
            for node in (one, other):
                await node.until_table(lambda table: bool(table.claims))
                with suppress(trio.TooSlowError), trio.fail_after(3.0):
                    await node.until_table(lambda table: table.phase == "over")
                assert node.table.phase == "playing"
                assert not node.table.places
                assert any("unanswered" in str(said) for said in node.table.claims)
            await other.player.ask(Save(str(file)))
    found = verify(file.read_bytes())
    assert found.verdict == "unfinished"
    assert found.places == ()


async def test_a_turn_that_a_guests_node_shows_to_another_alone_is_played(
    tmp_path: Path,
) -> None:
    cast = one, other, third = (
        Clocked(tmp_path, 0),
        Clocked(tmp_path, 1, cheats="shows"),
        Clocked(tmp_path, 2),
    )
    with trio.fail_after(PATIENCE):
        async with living(*cast):
            await begin(*cast)
            await other.move()
            for node in cast:
                node.set_clocks(25, 25)
            assert await claims(one) is None
            for node in (one, third):
                await node.until_table(lambda table: table.turn != (other.seat,))
                assert node.table.phase == "playing"
                assert not node.table.places
