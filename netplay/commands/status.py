"""`netplay status`: what the running node is doing."""

import argparse
import json
from collections.abc import Iterator
from typing import cast

import msgspec

from netplay import home
from netplay.daemon.visit import Visit
from netplay.messages.door import UNAUDITED, Status, TableStatus

HELP = "what the running node is doing: addresses, peers, table, match"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the node's status."""
    with Visit(home.find(None)) as visit:
        status = visit.status()
    if arguments.json:
        print(json.dumps(plain(status), ensure_ascii=False))
    else:
        print("\n".join(lines(status)))
    return 0


def plain(value: object) -> object:
    """Return structs as objects with named fields, and bytes as hexadecimal digits."""
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
    yield f"{status.name or '(no name yet)'}, {status.mode}, key {status.key}"
    addresses = ", ".join(status.addresses) or "no address"
    yield f"listening on port {status.port} of {addresses}"
    network = status.network
    yield f"beacon {'on' if network.beacon else 'off'}; reached: {network.reached}"
    for fault in status.faults:
        yield f"fault: {fault}"
    if network.mapping:
        yield f"port mapping: {network.mapping}"
    for peer in status.peers:
        state = "connected" if peer.connected else f"away for {peer.since} s"
        yield f"peer {peer.name} ({peer.key}) at {peer.address}: {state}"
        if peer.doubt:
            yield f"  take care: {peer.doubt}"
    if status.table is None:
        yield "no table"
    else:
        yield from _table(status.table)
    for path, words, _days in status.saved:
        if UNAUDITED in words:
            yield f"{words} ({path})"


def _table(table: TableStatus) -> Iterator[str]:
    """Yield what there is to say of the table."""
    yield f"table: {table.game}, {table.phase}, host {table.host}"
    for number, seat in enumerate(table.seats):
        mark = "*" if number in table.turn else " "
        yield f" {mark}{number + 1} {seat.name or '-'} ({seat.kind}): {seat.state}"
        if seat.doubt:
            yield f"    take care: {seat.doubt} ({seat.key})"
    if table.waiting:
        yield f"waiting for {table.waiting}"
    if table.called:
        yield f"{table.host} calls to it: netplay accept | decline"
    yield from _changes(table)
    if table.watchers:
        yield f"watching: {', '.join(table.watchers)}"
    for key, name in table.asking:
        yield f"{name} ({key}) asks to watch: netplay watchers allow | refuse"
    if table.rematch:
        yield f"would like a rematch: {', '.join(table.rematch)} (netplay rematch)"
    final = "" if table.watching else f", {table.final} of them final"
    yield f"{table.entries} entries{final}"
    yield from _proved(table)


def _proved(table: TableStatus) -> Iterator[str]:
    """Yield what speaks for and against the match."""
    yield from table.lost
    yield from table.apart
    if table.disputed:
        yield "the match is unfinished, in dispute"
    if table.held_up:
        yield f"{UNAUDITED}: {table.held_up}"
    if table.doubt:
        yield table.doubt
    if table.again:
        yield f"draws that began again: {table.again}"
    if table.audit:
        yield f"audit: {table.audit}"


def _changes(table: TableStatus) -> Iterator[str]:
    """Yield what the host has changed since the player said yes."""
    for what, before, now in table.changes:
        yield f"the host has changed {what}: {now} (it was {before or 'none'})"
    if table.changes:
        yield "to play so: netplay accept | decline"
