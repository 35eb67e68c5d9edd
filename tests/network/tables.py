"""Tables of strangers: which two kinds of homes meet, and after how many seconds.

    python -m tests.network.tables --kind a|b|c|d|ab|... [--jobs N] [--out FILE]
                                   [--sample | KIND | KIND/KIND ...]

plays each pair of the nineteen kinds, or those that are named (of one kind each pair it
is in), where both have asked two servers of the laboratory where they are:

    a   one line is pasted by one, and nobody uses the DHT
    b   the same, and both use a DHT, which is a private one of thirty nodes
    c   both lines are pasted by both
    d   as c, and both use the DHT; then both sleep, and wake at other addresses

Several laboratories stand at once.  What was played is kept in a file for each table
(`FILE-a`), and not played again; a word beside each row says where it differs from
`can_meet`, the rule, and of those that cannot meet, whether their program has named a
friend who carries.  Rows that differ are played once more at the end, each alone: a
machine with much to do makes some of them.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import combinations_with_replacement, product
from math import inf
from pathlib import Path
from statistics import median
from typing import Final

import msgspec
import trio

from netplay.demo.player import Player
from netplay.demo.show import living
from netplay.errors import NetplayError
from netplay.messages import door
from netplay.messages.door import Call, Join
from netplay.messages.node_questions import GetInvitation, NameServers, Network, Switch
from netplay.text.phrases import inviting, ports
from tests.network.homes import (
    DHT_FIRST,
    DHT_NODES,
    KINDS,
    STUN_PORT,
    Truth,
    answer_where,
    private_dht,
)
from tests.network.laboratory import Dweller, Host, Laboratory, laboratory, missing
from tests.system.nodes import GAME, begin, burden, host

TABLES: Final = {
    "a": "one line pasted by one, DHT off",
    "b": "one line pasted by one, both use the DHT",
    "c": "both lines pasted by both",
    "d": "met again after both have slept and moved, nobody in common, by the DHT",
}

SERVERS: Final = (11, 12)
"""The networks of the two who are asked."""

WEB_PORT: Final = 443
"""Of one server; the other is where those who let out the web only do not get."""

PAIR_SECONDS: Final = {"a": 20.0, "b": 45.0, "c": 25.0, "d": 30.0}
"""Longer than it takes to meet by calls, or in the DHT, if it works at all."""

AWAKE_SECONDS: Final = 60.0
"""For two to meet again who have slept and have other addresses now."""

NAMED_SECONDS: Final = 10.0
"""Within which a program names a friend who carries, where nothing else will work."""

LEARN_SECONDS: Final = 6.0
"""For asking two servers, or the router."""

WORKER_SECONDS: Final = 400.0
"""For a pair, on a machine that has much else to do."""

FIRST_NUMBER: Final = DHT_FIRST + DHT_NODES
NUMBERS: Final = 28
"""Networks of homes, from this one on: a pair has two that are not used soon again."""

SAMPLE: Final = (
    "public/web-only", "public/six-only", "public/random",
    "keeps-drops/keeps-drops", "keeps-drops/keeps-refuses",
    "keeps-refuses/keeps-refuses", "keeps-drops/keeps-mangles",
    "keeps-mangles/keeps-narrow", "keeps-narrow/keeps-narrow",
    "keeps-drops/steady-full", "keeps-drops/steady-restricted",
    "keeps-drops/steady-ports", "keeps-refuses/steady-carrier",
    "steady-ports/steady-ports", "steady-restricted/steady-carrier",
    "steady-full/random", "steady-restricted/random", "steady-ports/random",
    "steady-restricted/hotel", "random/random", "six-firewall/six-firewall",
    "six-firewall/six-only", "six-only/six-only", "keeps-drops/six-only",
    "keeps-drops/six-firewall", "six-firewall/steady-restricted",
    "upnp/random", "nat-pmp/keeps-drops", "pcp/hotel", "upnp/upnp",
    "vpn/keeps-drops", "vpn/steady-ports", "vpn/random", "web-only/web-only",
)  # fmt: skip
"""A pair of each class."""


class Row(msgspec.Struct):
    """What came of a pair."""

    host: str
    guest: str
    took: float | None = None
    """Seconds until they were linked; none if they were not."""
    said: list[str] = []
    """What the guest's call came to, and what either was told meanwhile."""
    named: list[str] = []
    """Who was told of a friend who carries."""
    ports: list[str] = []
    """What each has learned of its router."""
    lines: list[str] = []
    """The invitations of the two."""

    @property
    def pair(self) -> str:
        return f"{self.host}/{self.guest}"


# The rule.


def can_meet(host: Truth, guest: Truth, *, both: bool) -> bool:
    """Return whether two strangers can be linked without anybody between them.

    Args:
        host: Of the home whose line is pasted.
        guest: Of the other.
        both: The other's line is pasted, too.
    """
    if host.web or guest.web:
        return False  # nobody here listens at a port of the web
    turns = [(guest, host), (host, guest)] if both else [(guest, host)]
    return any(
        _reaches(*one, family=family, both=both)
        for one, family in product(turns, ("four", "six"))
    )


def _reaches(caller: Truth, called: Truth, *, family: str, both: bool) -> bool:
    """Return whether a call gets through, by one family."""
    if family == "six":
        there, admits, ports = bool(caller.six and called.six), called.six, ("own",) * 2
    else:
        there, admits = caller.four and called.four, called.admits
        ports = caller.ports, called.ports
    if not there or ports[1] == "random":
        return False
    asked = called.asks and family == "four"
    if asked or admits == "anybody" or (both and admits == "called"):
        return True
    return both and ports[0] != "random"


def should_meet(row: Row, kind: str) -> bool:
    """Return whether a pair can meet in one of the tables."""
    truths = [KINDS[each].truth for each in (row.host, row.guest)]
    found = all(each.udp for each in truths)
    both = kind == "c" or (kind in "bd" and found)
    return can_meet(truths[0], truths[1], both=both) and (kind != "d" or found)


# A pair.


class Ear(Player):
    """What a node's player is told, and when; what stands in the status but once."""

    def __init__(self) -> None:
        super().__init__(GAME)
        self.said: Final[list[tuple[float, str]]] = []
        self._shown: Final[set[str]] = set()

    def hear(self, message: door.Push) -> None:
        """Take a push."""
        super().hear(message)
        if isinstance(message, door.Notice):
            self.note(str(message.said))
        elif isinstance(message, door.Status):
            for text in (ports(message.network), inviting(message.network)):
                if text and text not in self._shown:
                    self._shown.add(text)
                    self.note(text)

    def note(self, text: str) -> None:
        """Take a sentence."""
        self.said.append((trio.current_time(), text))


async def meet(
    lab: Laboratory,
    kinds: Sequence[str],
    folder: Path,
    kind: str,
    *,
    entry: str = "",
    servers: str = "",
    first: int = 1,
) -> Row:
    """Return what came of two strangers.

    Args:
        lab: Where.
        kinds: Of the two homes; the first hosts, and its line is pasted.
        folder: For the nodes' homes.
        kind: Of the table.
        entry: To the DHT; empty if they do not use it.
        servers: Whom both ask where they are.
        first: Number of the first one's network; the other has the next.
    """
    heard = [Ear() for _kind in kinds]
    ann, bob = nodes = [
        Dweller(
            folder, n, KINDS[each].build(lab, first + n, folder), "--map-port",
            player=ear,
        )
        for n, (each, ear) in enumerate(zip(kinds, heard, strict=True))
    ]  # fmt: skip
    for one in nodes if entry else ():
        one.home.set("dht-nodes", entry)
        one.home.set("dht", "on")
    row = Row(kinds[0], kinds[1])
    async with living(*nodes):
        if servers:
            for one in nodes:
                await one.player.ask(NameServers(servers))
                await one.player.ask(Switch("ask-servers", on=True))
        await host(ann, 1, 8)
        await _learn(nodes)
        row.lines = [str((await one.player.ask(GetInvitation())).text) for one in nodes]
        row.ports = [_network(one).ports for one in nodes]
        began = trio.current_time()
        patience = PAIR_SECONDS[kind] * (2.0 if should_meet(row, kind) else 1.0)
        with trio.move_on_after(patience) as scope:
            if kind in "cd":
                await ann.player.ask(Call(row.lines[1], 1))
            try:
                await bob.player.ask(Join(row.lines[0], 1))
                await bob.until_peer(lambda peer: peer.connected)
                row.took = round(trio.current_time() - began, 2)
                if kind == "d":
                    scope.deadline = inf
                    row.took = await _again(lab, nodes, first)
            except NetplayError as error:
                heard[1].note(str(error))
                # What the program tells without being asked comes a little later.
                await trio.sleep_until(began + NAMED_SECONDS + 1)
        for one, ear in zip(nodes, heard, strict=True):
            for at, text in ear.said:
                row.said.append(f"{one.name} {at - began:.1f}: {text}")
                if "carries" in text and at - began < NAMED_SECONDS:
                    row.named.append(one.name)
        row.named = sorted({*row.named})
    return row


async def _again(lab: Laboratory, nodes: Sequence[Dweller], first: int) -> float | None:
    """Let two in a match sleep and move; return the seconds until they have met again.

    Those count from when both are awake; None if they are more than a minute.
    """
    ann, bob = nodes
    await begin(nodes)
    for one in nodes:
        await one.stop()
    for number in (first, first + 1):
        lab.moves(number)
    async with trio.open_nursery() as nursery:
        for one in nodes:
            await one.start()
        for one in nodes:
            await one.meet(nursery)
        took, began = None, trio.current_time()
        with trio.move_on_after(AWAKE_SECONDS):
            await bob.until_peer(lambda p: p.connected and p.name == ann.name)
            took = round(trio.current_time() - began, 2)
        nursery.cancel_scope.cancel()
    return took


async def _learn(nodes: Sequence[Dweller]) -> None:
    """Wait until both know of their routers what they can know."""
    for one in nodes:
        with trio.move_on_after(LEARN_SECONDS * min(burden(), 2.0)):
            await one.until(
                lambda s: s.network.ports != "unknown" or bool(s.network.external)
            )


def _network(one: Dweller) -> Network:
    assert one.player.status is not None
    return one.player.status.network


# Many pairs, in several laboratories.


def work(kind: str) -> None:
    """Play the pairs that are named on standard input, each a line; print each row."""
    with tempfile.TemporaryDirectory() as folder, laboratory() as lab:
        entry = private_dht(lab, Path(folder)) if kind in "bd" else ""
        servers = [lab.host(f"s{number}") for number in SERVERS]
        for server, number in zip(servers, SERVERS, strict=True):
            lab.online(server, number)
        for turn, line in enumerate(sys.stdin):
            pair = line.strip().split("/")
            first = FIRST_NUMBER + 2 * turn % NUMBERS
            place = Path(folder, str(turn))
            place.mkdir()
            with lab.visit():
                row = trio.run(met, lab, servers, pair, place, kind, entry, first)
            print(msgspec.json.encode(row).decode(), flush=True)


async def met(
    lab: Laboratory,
    servers: Sequence[Host],
    pair: Sequence[str],
    folder: Path,
    kind: str,
    entry: str = "",
    first: int = 1,
) -> Row:
    """Return what came of two strangers who ask servers; see `meet`.

    Args:
        lab: Where.
        servers: Two, one at a port of the web, as the usual ones.
        pair: The kinds of the two homes.
        folder: For the nodes' homes.
        kind: Of the table.
        entry: To the DHT.
        first: Number of the first one's network.
    """
    async with trio.open_nursery() as nursery:
        where: list[str] = []
        for server, port in zip(servers, (WEB_PORT, STUN_PORT), strict=True):
            nursery.start_soon(answer_where, server, port)
            where.append(f"{server.addresses[0]}:{port}")
        row = await meet(
            lab, pair, folder, kind, entry=entry, servers=" ".join(where), first=first
        )
        nursery.cancel_scope.cancel()
    return row


class Tables:
    """What was played, and what is to be."""

    def __init__(self, kind: str, pairs: Sequence[str], kept: Path) -> None:
        """Read what was played before.

        Args:
            kind: Of the table.
            pairs: Which are meant.
            kept: The file of rows.
        """
        self._kind: Final = kind
        self._kept: Final = kept
        self.rows: Final[dict[str, Row]] = {}
        if kept.exists():
            for line in kept.read_text("utf-8").splitlines():
                row = msgspec.json.decode(line, type=Row)
                self.rows[row.pair] = row
        self._left: Final = [pair for pair in pairs if pair not in self.rows]
        self._pairs: Final = pairs

    async def run(self, jobs: int) -> None:
        """Play what is left, so many at a time; what is wrong once more, alone."""
        async with trio.open_nursery() as nursery:
            for _job in range(jobs):
                nursery.start_soon(self._job)
        self._left.extend(row.pair for row in self._done() if self.wrong(row))
        await self._job()

    def _done(self) -> list[Row]:
        """Return what has been played of what is meant."""
        return [self.rows[pair] for pair in self._pairs if pair in self.rows]

    async def _job(self) -> None:
        """Have a laboratory play pairs, and another one after one that has failed."""
        words = [sys.executable, "-m", "tests.network.tables", "--kind", self._kind]
        while self._left:
            worker = await trio.lowlevel.open_process(
                [*words, "--work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            assert worker.stdin is not None
            try:
                while self._left and await self._play(worker, self._left.pop(0)):
                    pass
            finally:
                with trio.CancelScope(shield=True):
                    await worker.stdin.aclose()
                    with trio.move_on_after(30):
                        await worker.wait()
                    if worker.returncode is None:
                        worker.terminate()
                        await worker.wait()

    async def _play(self, worker: trio.Process, pair: str) -> bool:
        """Have a pair played; return whether that went well."""
        assert worker.stdin is not None
        assert worker.stdout is not None
        said = b""
        with trio.move_on_after(WORKER_SECONDS), suppress(trio.BrokenResourceError):
            await worker.stdin.send_all(f"{pair}\n".encode())
            while not said.endswith(b"\n"):
                more = await worker.stdout.receive_some()
                if not more:
                    break
                said += more
        if not said.endswith(b"\n"):
            print(f"{pair}: the laboratory has failed", file=sys.stderr)
            return False
        row = msgspec.json.decode(said, type=Row)
        self.rows[pair] = row
        with self._kept.open("a", encoding="utf-8") as out:
            out.write(said.decode())
        print(self._line(row), flush=True)
        return True

    # What came of it.

    def wrong(self, row: Row) -> str:
        """Return in what a pair differs from the rule, nothing where it does not."""
        should = should_meet(row, self._kind)
        if should != (row.took is not None):
            return "should meet" if should else "met, listed as impossible"
        if row.took is None and not row.named and not should_meet(row, "c"):
            return "nobody who carries was named"
        return ""

    def _line(self, row: Row) -> str:
        took = "no" if row.took is None else f"{row.took:.1f} s"
        named = f"  named to {', '.join(row.named)}" if row.took is None else ""
        wrong = self.wrong(row)
        mark = f"  ({wrong})" if wrong else ""
        return f"{row.host:>18} {row.guest:<18} {took:>7}{named}{mark}"

    def text(self) -> str:
        """Return the table, and what it comes to."""
        rows = self._done()
        met = [row.took for row in rows if row.took is not None]
        could = [row for row in rows if should_meet(row, self._kind)]
        wrong = [row for row in rows if self.wrong(row)]
        found = sum(row.took is not None for row in could)
        counts = f"{len(rows)} of {len(self._pairs)} pairs"
        lines = [
            f"{self._kind}: {TABLES[self._kind]}",
            self._matrix(rows),
            f"{counts}; {len(could)} can meet, {found} of them did",
        ]
        if met:
            lines.append(f"median {median(met):.1f} s, worst {max(met):.1f} s")
        lines.append(f"{len(wrong)} other than they should be")
        return "\n".join([*lines, *map(self._line, wrong), ""])

    def _matrix(self, rows: Collection[Row]) -> str:
        """Return seconds, hosts in rows; - where two did not meet, as it should be."""
        done = {(row.host, row.guest): row for row in rows}
        kinds = [each for each in KINDS if any(each in pair for pair in done)]
        lines = [" " * 23 + "".join(f"{n:>6}" for n in range(1, len(kinds) + 1))]
        for n, one in enumerate(kinds, 1):
            cells = "".join(self._cell(done.get((one, two))) for two in kinds)
            lines.append(f"{n:>3} {one:<18} {cells}")
        return "\n".join(lines)

    def _cell(self, row: Row | None) -> str:
        if row is None:
            return " " * 6
        if row.took is not None:
            return f"{row.took:6.1f}"
        return "    !!" if should_meet(row, self._kind) else "     -"


def _pairs(words: Sequence[str], kind: str, *, sample: bool) -> list[str]:
    """Return the pairs that are meant; all without a word.

    Where one line is pasted, it is that of whoever can be reached, if only one can.

    Raises:
        KeyError: There is no such kind.
    """
    every: list[str] = []
    for pair in combinations_with_replacement(KINDS, 2):
        turns = [Row(pair[0], pair[1]), Row(pair[1], pair[0])]
        every.append(max(turns, key=lambda row: should_meet(row, kind)).pair)
    every.sort(key=lambda pair: pair in SAMPLE)
    if not words and not sample:
        return every
    found: list[str] = []
    for word in [*words, *(SAMPLE if sample else ())]:
        one, _, two = word.partition("/")
        assert KINDS[one]
        assert KINDS[two or one]
        named = [word] if two else [p for p in every if one in p.split("/")]
        found += named
    return list(dict.fromkeys(found))


def main(words: Sequence[str]) -> int:
    """Play a table, and print it."""
    parser = argparse.ArgumentParser(prog="tests.network.tables")
    parser.add_argument("--kind", type=_kinds, required=True)
    parser.add_argument("--jobs", type=int, default=3, help="laboratories at a time")
    parser.add_argument("--out", help="where rows are kept; a file of the folder")
    parser.add_argument("--sample", action="store_true", help="a pair of each class")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    asked = parser.parse_args(words)
    if set(asked.kind) & {*"bd"} and importlib.util.find_spec("libtorrent") is None:
        print("needs libtorrent (pip install 'netplay[dht]')")
        return 2
    if why := missing("miniupnpd"):
        print(why)
        return 2
    if asked.work:
        work(asked.kind)
        return 0
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in asked.kind:
            pairs = _pairs(asked.kinds, kind, sample=asked.sample)
            out = asked.out or Path(folder, "rows")
            tables = Tables(kind, pairs, Path(f"{out}-{kind}"))
            trio.run(tables.run, asked.jobs)
            print(tables.text())
            wrong += sum(map(bool, map(tables.wrong, tables.rows.values())))
    return int(wrong > 0)


def _kinds(text: str) -> str:
    """Return the letters of tables.

    Raises:
        ValueError: One is none.
    """
    if not text or not set(text) <= set(TABLES):
        raise ValueError(text)
    return text


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    raise SystemExit(main(sys.argv[1:]))
