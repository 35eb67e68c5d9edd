"""A mistake in any function of a node, at any moment: the rest of the node plays on.

Nobody knows where the next mistake of the program is.  So a scene is played once to
see which functions it calls - tables, matches, links, carriers, letters - and then
again and again, each time with a mistake in one of them: once, or at one table always.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any, Final

import pytest
import trio
import trio.testing

from netplay.messages.door import HostTable, Join, Say, StartMatch, Watch
from tests.netplay.correspondents import Correspondent, awake
from tests.netplay.joined_nodes import SMALL
from tests.netplay.memory import World, acquainted

ROOT: Final = Path(__file__).parents[2] / "netplay"
ROOMS: Final = tuple(
    str(ROOT / room) for room in ("table", "match", "record", "peering", "daemon")
)
ITSELF: Final = frozenset(
    {"run", "_start", "_keep_up", "mistake", "_guard", "stop", "came"}
)
"""Of the node and its links: what takes mistakes, or makes and ends all tasks."""

GAMES: Final = {"numlo": SMALL, "hexagrams": (), "lhexicon": (("side", "6"),)}
FOUND: Final = ("gate.Gate.knock", "link.Link.stir")
"""Where a mistake has ended a whole node before, or made others of those who came."""

SEEDS: Final = [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 40))]
"""The same scene with another mistake for each."""


class FoundError(Exception):
    """The mistake that nobody has found."""


def name_of(code: CodeType) -> str:
    return f"{Path(code.co_filename).stem}.{code.co_qualname}"


class Trap:
    """Sees what functions are called, and makes a mistake in one."""

    def __init__(
        self,
        code: CodeType | None = None,
        at: int = 1,
        always: Callable[[], bool] | None = None,
    ) -> None:
        """Prepare.

        Args:
            code: In which; None to look only.
            at: At which of its calls.
            always: From then on at each while this holds; None for once.
        """
        self.called: Final[dict[CodeType, int]] = {}
        self.code = code
        self.at: Final = at
        self.always = always
        self.made = 0

    @contextmanager
    def armed(self) -> Iterator[None]:
        sys.setprofile(self._look)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _look(self, frame: FrameType, event: str, _given: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(ROOMS):
            return
        if frame.f_lineno != code.co_firstlineno:
            return  # it goes on behind an `await`, which no mistake of ours would stop
        count = self.called[code] = self.called.get(code, 0) + 1
        if code is not self.code or count < self.at:
            return
        if self.made and self.always is None:
            return
        if self.always is not None and not self.always():
            return
        self.made += 1
        if self.always is not None:
            sys.setprofile(None)  # which an error here does by itself, and for good
            trio.lowlevel.current_trio_token().run_sync_soon(sys.setprofile, self._look)
        raise FoundError(name_of(code))


def inner(error: BaseException) -> BaseException:
    """Return what a group of one error holds."""
    while isinstance(error, BaseExceptionGroup):
        (error,) = error.exceptions
    return error


def hands(one: Correspondent, rng: Random) -> None:
    """Move at each table where it is one's turn, and say something."""
    for place in list(one.tables.places.by_number.values()):
        match = place.table.match
        if match is None:
            continue
        one.ask(Watch(min(match.members.seats)), place.number)
        one.ask(Say("hello"), place.number)
        own = [n for n in match.on_turn() if match.seats.is_own(n)]
        if own and not match.seats.is_moving(own[0]):
            one.moves_at(place.number, rng)


def games_of(one: Correspondent) -> dict[str, int]:
    """Return the games in hand, each with the entries of its log."""
    found = dict[str, int]()
    for place in one.tables.places.by_number.values():
        match = place.table.match
        if match is not None:
            found[match.fold.terms.game] = len(match.ledger.log)
    return found


async def begin(ann: Correspondent, bob: Correspondent) -> None:
    for game, options in GAMES.items():
        chairs = ("person", "remote")
        terms = HostTable(game, chairs, options, "", "", fairness="committed")
        ann.does(terms)
        bob.does(Join(ann.line, 1))
        await trio.sleep(2.0)
        (table,) = (
            place.number
            for place in ann.tables.places.by_number.values()
            if place.table.terms is not None and place.table.match is None
        )
        ann.does(StartMatch(), table)
        await trio.sleep(5.0)


async def scene(
    path: Path, trap: Trap, prepare: Callable[[Correspondent], None] | None = None
) -> tuple[Correspondent, Correspondent, Correspondent]:
    """Play three games between two, with a carrier, one of them asleep for a while."""
    world, rng = World(), Random(1)
    cast = tuple(Correspondent(world, n, path) for n in (1, 2, 3))
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, ann, bob)
        await begin(ann, bob)
        assert games_of(ann).keys() == GAMES.keys() == games_of(bob).keys()
        if prepare is not None:
            prepare(ann)
        for _ in range(3):
            for one in (ann, bob):
                hands(one, rng)
                with trap.armed():
                    await trio.sleep(2.0)
    async with awake(ann, carla):
        hands(ann, rng)
        with trap.armed():
            await trio.sleep(60.0)
    async with awake(bob, carla):
        with trap.armed():
            await trio.sleep(20.0)
        hands(bob, rng)
        with trap.armed():
            await trio.sleep(60.0)
    return ann, bob, carla


async def goes_on(ann: Correspondent, bob: Correspondent) -> set[str]:
    """Return the games at which both go on once both have started again."""
    rng = Random(2)
    async with awake(ann, bob):
        await trio.sleep(60.0)
        before = games_of(ann), games_of(bob)
        for _ in range(6):
            for one in (ann, bob):
                hands(one, rng)
                await trio.sleep(3.0)
        after = games_of(ann), games_of(bob)
    pairs = list(zip(before, after, strict=True))
    return {
        g for g in GAMES if all(now.get(g, 0) > was.get(g, 0) for was, now in pairs)
    }


async def called(path: Path) -> list[CodeType]:
    trap = Trap()
    ann, bob, _carla = await scene(path, trap)
    assert await goes_on(ann, bob) == GAMES.keys()
    found = [code for code in trap.called if code.co_name not in ITSELF]
    return sorted(found, key=name_of)


_codes: Final[list[CodeType]] = []


async def codes(path: Path) -> list[CodeType]:
    if not _codes:
        _codes.extend(await called(path))
        assert len(_codes) > 500
    return _codes


async def try_one(path: Path, code: CodeType, at: int, mistakes: list[Any]) -> None:
    """Play with one mistake: no node ends, and two games of three go on at least."""
    trap = Trap(code, at)
    ann, bob, _carla = await scene(path, trap)
    assert trap.made
    assert all(isinstance(one, FoundError) for one in map(inner, mistakes)), mistakes
    mistakes.clear()
    left = await goes_on(ann, bob)
    assert len(left) >= len(GAMES) - 1, (name_of(code), left)
    assert not mistakes


@pytest.mark.parametrize("seed", SEEDS)
async def test_one_mistake_anywhere_costs_one_game_at_the_most(
    tmp_path: Path,
    mistakes: list[Exception],
    autojump_clock: trio.testing.MockClock,
    seed: int,
) -> None:
    del autojump_clock
    rng = Random(seed)
    code = rng.choice(await codes(tmp_path / "first"))
    await try_one(tmp_path / "second", code, 1, mistakes)


@pytest.mark.parametrize("name", FOUND)
async def test_a_mistake_where_one_has_ended_a_node_ends_none(
    tmp_path: Path,
    mistakes: list[Exception],
    autojump_clock: trio.testing.MockClock,
    name: str,
) -> None:
    del autojump_clock
    (code,) = (
        each for each in await codes(tmp_path / "first") if name_of(each) == name
    )
    await try_one(tmp_path / "second", code, 1, mistakes)


@pytest.mark.parametrize("seed", SEEDS[1:10])
async def test_a_mistake_that_is_always_made_at_one_table_costs_that_one_alone(
    tmp_path: Path,
    mistakes: list[Exception],
    autojump_clock: trio.testing.MockClock,
    seed: int,
) -> None:
    del autojump_clock
    rng, found = Random(seed), await codes(tmp_path / "first")
    trap, bad = Trap(), list[int]()

    def prepare(ann: Correspondent) -> None:
        (place,) = (
            place
            for place in ann.tables.places.by_number.values()
            if place.table.match is not None
            and place.table.match.fold.terms.game == "numlo"
        )
        bad.append(place.number)
        trap.always = lambda: ann.tables.shared.at_table == place.number

    ann = bob = None
    for number in range(20):  # not all functions are called for a table
        trap.code = rng.choice(found)
        mistakes.clear()
        bad.clear()
        ann, bob, _carla = await scene(tmp_path / f"{number}", trap, prepare)
        if trap.made:
            break
    assert ann is not None
    assert bob is not None
    assert trap.made
    assert all(isinstance(one, FoundError) for one in map(inner, mistakes)), mistakes
    mistakes.clear()
    made = trap.made
    for _ in range(2):
        async with awake(ann, bob):
            with trap.armed():
                await trio.sleep(60.0)
    assert trap.made == made, "the next start does not fall into it again"
    assert not mistakes
    assert await goes_on(ann, bob) >= GAMES.keys() - {"numlo"}
