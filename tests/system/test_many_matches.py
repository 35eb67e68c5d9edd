"""Thirty matches among four real nodes that sleep, are closed and killed: all end.

    NETPLAY_KILLS=100 python -m pytest -m slow tests/system/test_many_matches.py

Each node is there a third of the time, often alone.  Computers play.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Final

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Answer, HostTable, Join, LookAt, StartMatch
from netplay.messages.table_questions import GameStatus, StandIn
from netplay.record.store import SUFFIX, DamageError, records
from netplay.record.verify import verify
from tests.system.nodes import Resident

KILLS: Final = int(os.environ.get("NETPLAY_KILLS", "8"))
"""Besides, as many nodes are closed as it comes."""

AWAKE_SECONDS: Final = 6.0
LOOK_SECONDS: Final = 0.02
PATIENCE: Final = 900.0 + 60.0 * KILLS

pytestmark = [pytest.mark.processes, pytest.mark.slow]

PLAYED: Final = {
    "numlo": (14, (("size", "8"),)),
    "hexagrams": (7, ()),
    "networdz": (5, ()),
    "lhexicon": (3, ()),
    "hexcolumns": (1, (("size", "9"), ("level", "9"))),
}
"""How many matches of each game, and with which options."""

Log = list[bytes]


class Evening:
    """Four nodes, and their matches."""

    def __init__(self, cast: Sequence[Resident], nursery: trio.Nursery) -> None:
        self.cast: Final = cast
        self.nursery: Final = nursery
        self.rng: Final = Random(4)
        self.kills = self.closed = 0
        self.sworn: dict[str, list[Log]] = {}
        """File of a match -> what all who play it had on their disks at some time."""
        self.members: dict[str, list[Resident]] = {}

    # How it begins.

    async def begin(self) -> None:
        """Begin all matches, between two and more, each hosted by another in turn."""
        for one in self.cast:
            await self.wake(one)
        games = [(g, o) for g, (count, o) in PLAYED.items() for _ in range(count)]
        self.rng.shuffle(games)
        for number, (game, options) in enumerate(games):
            host = self.cast[number % len(self.cast)]
            others = [one for one in self.cast if one is not host]
            most = 1 if game == "hexagrams" else self.rng.choice((1, 1, 1, 2, 3))
            guests = self.rng.sample(others, most)
            await self.form(host, guests, game, options)

    async def wake(self, one: Resident) -> None:
        """Let a computer play for a node's persons, and the node answer calls."""
        await one.player.ask(StandIn(0))
        await one.player.ask(Answer(on=True))

    async def form(
        self,
        host: Resident,
        guests: Sequence[Resident],
        game: str,
        options: tuple[tuple[str, str], ...],
    ) -> None:
        before = {*files(host)}
        chairs = ("computer:0", *("remote" for _ in guests))
        await host.player.ask(HostTable(game, chairs, options, "", ""))
        await host.until(lambda status: any(map(is_forming, status.games)))
        assert host.player.status is not None
        (one,) = filter(is_forming, host.player.status.games)
        await host.player.ask(LookAt(one.table))
        for guest in guests:
            await guest.player.ask(Join(host.address, -1))
        await host.until_table(
            lambda seen: (
                seen.number == one.table
                and all(seat.name and seat.accepted for seat in seen.seats)
            )
        )
        await host.player.ask(StartMatch())
        await host.until(lambda status: not any(map(is_forming, status.games)))
        (name,) = {*files(host)} - before
        self.members[name] = [host, *guests]
        for guest in guests:
            while name not in files(guest):  # noqa: ASYNC110 (nothing tells of files)
                await trio.sleep(LOOK_SECONDS)

    # How they come and go.

    async def restless_nights(self, one: Resident) -> None:
        """Let a node be away two thirds of the time, in one way or another."""
        while self.kills < KILLS:
            await trio.sleep(self.rng.expovariate(1 / AWAKE_SECONDS))
            if self.rng.random() < 0.5:
                self.kills += 1
                await one.kill()
            else:
                self.closed += 1
                await one.stop()
            self.swear()
            await trio.sleep(self.rng.expovariate(1 / (2 * AWAKE_SECONDS)))
            await one.start()
            await one.meet(self.nursery)
            await self.wake(one)

    def swear(self) -> None:
        """Note what all members of each match have in their files now."""
        for name, members in self.members.items():
            logs = [on_disk(one, name) for one in members]
            least = min(map(len, logs))
            same = takewhile(lambda n: len({log[n] for log in logs}) == 1, range(least))  # noqa: B023 (done at once)
            self.sworn.setdefault(name, []).append(logs[0][: len([*same])])

    # How it ends.

    async def ended(self) -> None:
        """Wait until no table of any node goes on, and all have the same."""
        for one in self.cast:
            await one.until(lambda s: all(game.phase == "over" for game in s.games))
        while any(len({*logs}) > 1 for logs in map(self.logs, self.members)):  # noqa: ASYNC110 (nothing tells of files)
            await trio.sleep(LOOK_SECONDS)

    def logs(self, name: str) -> Log:
        """Return the files of a match, as all who play it have them."""
        return [files(one)[name].read_bytes() for one in self.members[name]]

    def check(self) -> int:
        """Check that all logs are equal and good; return how many entries there are."""
        count = 0
        for name in self.members:
            log, *_ = self.logs(name)
            verdict = verify(log)
            assert verdict.ok, verdict.reason
            assert verdict.audit == "ok"
            assert verdict.places
            entries = [record.entry for record in records(log)]
            for sworn in self.sworn.get(name, ()):
                assert entries[: len(sworn)] == sworn
            count += len(entries)
        return count


def is_forming(game: GameStatus) -> bool:
    """Tell whether a table is formed here."""
    return game.phase == "forming" and game.mode == "hosting"


def files(one: Resident) -> dict[str, Path]:
    """Return the match files of a node, by their names."""
    return {path.name: path for path in one.home.matches.glob(f"*{SUFFIX}")}


def on_disk(one: Resident, name: str) -> Log:
    """Return the entries in a file, as far as it is whole just now."""
    found: Log = []
    with suppress(DamageError):  # its last record may be half written
        found.extend(r.entry for r in records(files(one)[name].read_bytes()))
    return found


async def test_thirty_matches_of_nodes_that_sleep_and_are_killed_end_with_nothing_lost(
    tmp_path: Path,
) -> None:
    cast = [Resident(tmp_path, number) for number in range(4)]
    with trio.fail_after(PATIENCE):
        async with living(*cast) as nursery:
            evening = Evening(cast, nursery)
            await evening.begin()
            print(f"{len(evening.members)} matches have begun")
            async with trio.open_nursery() as nights:
                for one in cast:
                    nights.start_soon(evening.restless_nights, one)
            print(f"{evening.kills} kills, {evening.closed} times closed")
            await evening.ended()
            print(f"{evening.check()} entries")
    assert len(evening.members) == 30
    assert evening.kills >= KILLS
