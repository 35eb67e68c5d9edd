"""`netplay status`: what the running node is doing."""

import argparse
import json
from collections.abc import Iterator
from typing import Final, cast

import msgspec

from netplay.commands.asking import add_table, node_status
from netplay.language import _, phrase
from netplay.messages.door import Status, TableStatus
from netplay.messages.node_questions import CarryStatus, PeerStatus
from netplay.said import Said
from netplay.said import plain as sentence
from netplay.sentences import Says
from netplay.text import phrases
from netplay.text.phrases import (
    asked,
    awaited,
    carrier,
    known,
    offered,
    promised,
    undelivered,
)

HELP = "what the running node is doing: addresses, peers, table, game"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the node's status."""
    status = node_status(arguments.table)
    if arguments.json:
        print(json.dumps(plain(status), ensure_ascii=False))
    else:
        print("\n".join(lines(status)))
    return 0


def plain(value: object) -> object:
    """Return structs as objects with named fields, and bytes as hexadecimal digits."""
    if isinstance(value, Said):
        return sentence(value)
    if isinstance(value, msgspec.Struct):
        return {
            name: plain(each) for name, each in msgspec.structs.asdict(value).items()
        }
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [plain(item) for item in cast("tuple[object, ...]", value)]
    return value


def lines(status: Status) -> Iterator[str]:
    """Yield the status as people read it."""
    name = status.name or _("(no name yet)")
    key = _("key {key}").format(key=status.key)
    yield ", ".join((name, _(status.mode), key))
    network = status.network
    places = status.network.places
    port = _("listening on port {port}") if places else _("port {port}, no address")
    yield port.format(port=status.port)
    for place in places:
        yield f"  {place.address}: {known(place)}"
    beacon = _("beacon on") if network.beacon else _("beacon off")
    reached = _("reached: {words}").format(words=phrase(network.reached))
    yield f"{beacon}; {reached}"
    if router := phrases.ports(network):
        yield router
    for fault in status.faults:
        yield _("fault: {what}").format(what=phrase(fault))
    if network.mapping:
        yield _("port mapping: {what}").format(what=phrase(network.mapping))
    yield from _carried(network.carry)
    yield from _peers(status.peers)
    if status.table is None and status.games:
        yield _("{count} tables: netplay games").format(count=len(status.games))
    elif status.table is None:
        yield _("no table")
    else:
        yield from _table(status.table)
    for path, words, _days in status.saved:
        if isinstance(words, Said) and words.code == Says.NOT_AUDITED.name:
            yield f"{phrase(words)} ({path})"


def _peers(peers: tuple[PeerStatus, ...]) -> Iterator[str]:
    for peer in peers:
        state = _("connected")
        if peer.udp:
            state = _("connected over UDP")
        if peer.through:
            state = _("connected through {name}").format(name=peer.through)
        if not peer.connected:
            state = _("away for {time}").format(time=phrases.time_left(peer.since))
        line = _("peer {name} ({key}) at {address}: {state}")
        if not peer.address:  # through another, or not met since the start
            line = _("peer {name} ({key}): {state}")
        yield line.format(
            name=peer.name, key=peer.key, address=peer.address, state=state
        )
        if peer.doubt:
            yield "  " + _("take care: {why}").format(why=phrase(peer.doubt))


def _carried(carry: CarryStatus) -> Iterator[str]:
    """Yield what is carried, for others and for us."""
    if carry.carry != "off" or carry.lines:
        line = _("carrying for {whom}: {lines} lines now, {kib} KiB so far")
        words = _("friends") if carry.carry == "known" else _("friends of friends")
        yield line.format(whom=words, lines=carry.lines, kib=carry.carried)
    if kept := phrases.letters(carry):
        yield kept
    for one in carry.carriers:
        yield _("reached through {who}").format(who=carrier(one))


PLAINER: Final = {"blocked": "blocked by you", "late": "out of time"}
"""States of seats whose names are no words for players."""


def _table(table: TableStatus) -> Iterator[str]:
    line = _("table: {game}, {phase}, host {host}")
    yield line.format(game=table.game, phase=_(table.phase), host=table.host)
    for number, seat in enumerate(table.seats):
        mark = "*" if number in table.turn else " "
        kind = _("program" if seat.program else seat.kind)
        state = _(PLAINER.get(seat.state, seat.state))
        if seat.browser:
            kind = _("in a browser at {name}’s computer").format(name=seat.browser)
        told = f"; {asked(seat.asked)}" if seat.asked else ""
        yield f" {mark}{number + 1} {seat.name or '-'} ({kind}): {state}{told}"
        if seat.doubt:
            why = f"{phrase(seat.doubt)} ({seat.key})"
            yield "    " + _("take care: {why}").format(why=why)
    if table.waiting:
        yield awaited(table.phase, table.waiting)
    if table.called:
        called = _("{name} calls to it: netplay accept | decline")
        yield called.format(name=table.host)
    yield from beginning(table)
    yield from _changes(table)
    yield from offered(table)
    if table.watchers:
        names = ", ".join(map(phrase, table.watchers))
        yield _("watching: {names}").format(names=names)
    yield from asking(table)
    if table.rematch:
        line = _("would like a rematch: {names} (netplay rematch)")
        yield line.format(names=", ".join(table.rematch))
    if table.watching:
        yield _("entries: {count}").format(count=table.entries)
    else:
        entries = _("entries: {count}, final: {final}")
        yield entries.format(count=table.entries, final=table.final)
    yield from undelivered(table)
    yield from _proved(table)


def beginning(table: TableStatus) -> Iterator[str]:
    """Yield whether all are there for a match in which time runs."""
    stands = table.beginning
    if stands.asked:
        yield _("{name} is ready to start; if you are too: netplay accept").format(
            name=table.host
        )
    if stands.lacking:
        names = ", ".join(stands.lacking)
        yield _("not ready yet: {names}").format(names=names)
    if stands.seconds:
        yield _("begins in {count} s").format(count=stands.seconds)


def asking(table: TableStatus) -> Iterator[str]:
    """Yield who asks to watch, and what to do about it."""
    line = _("{name} ({key}) asks to watch: netplay watchers allow | refuse")
    for key, name in table.asking:
        yield line.format(name=phrase(name), key=key)


def _proved(table: TableStatus) -> Iterator[str]:
    """Yield what speaks for and against the match."""
    yield from map(phrase, table.lost)
    yield from map(phrase, table.apart)
    yield from map(phrase, table.claims)
    if table.disputed:
        yield _("the game is unfinished, in dispute")
    if table.held_up:
        yield _("NOT AUDITED: {why}").format(why=phrase(table.held_up))
    if table.doubt:
        yield phrase(table.doubt)
    if table.again:
        yield _("draws that began again: {count}").format(count=table.again)
    if table.tiled:
        yield _("fairness: {how}").format(how=table.fairness)
        if table.phase == "forming":
            yield "  " + promised(table)
    if table.audit:
        yield _("audit: {result}").format(result=phrase(table.audit))


def _changes(table: TableStatus) -> Iterator[str]:
    line = _("the host has changed {what}: {now} (it was {before})")
    for what, before, now in table.changes:
        yield line.format(what=_(what), now=now, before=before or _("none"))
    if table.changes:
        yield _("to play so: netplay accept | decline")
