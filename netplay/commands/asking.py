"""What the small commands share: one question to the running node."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from time import monotonic  # noqa: TID251 (how long one has waited)
from typing import Final

from netplay import home
from netplay.commands.sharing import whole
from netplay.daemon.visit import Visit, answer_in
from netplay.errors import Code, LocalError
from netplay.fingerprint import invitation_or
from netplay.language import _, phrase
from netplay.limits import TOGETHER_SECONDS
from netplay.messages import door
from netplay.messages.node_questions import Switch
from netplay.messages.table_questions import OpenStatus
from netplay.said import Saying
from netplay.sentences import Says
from rules import title_of

ROUTER_FOUND_SECONDS: Final = 0.5
"""For the node to see whether there is a router: it looks into a table."""

TOGETHER: Final = {Says.WAITING_TOGETHER.name, Says.WAITING_IN_PUBLIC.name}
"""Said of a call that goes on until the other calls, too."""

DIAL_SECONDS: Final = 12.0
"""Seconds to wait for the outcome of a call, and between words that it goes on.

The node tries an address for eight; who comes then may be slow to greet, or hang up on
us at a crowded door, and is asked again.
"""

CALL_SECONDS: Final = TOGETHER_SECONDS + DIAL_SECONDS
"""Seconds to wait for a call that the node says it still makes."""


def add_table(parser: argparse.ArgumentParser) -> None:
    """Take the number of a table, for commands that are about one."""
    parser.add_argument(
        "--table", type=whole(1), default=0, metavar="ID",
        help="which table, as netplay games lists them; not needed for the only one",
    )  # fmt: skip


def meant(status: door.Status) -> door.TableStatus | None:
    """Return the table that a command is about, None where there is none at all.

    Raises:
        LocalError: USAGE, there are several, and none was named; they are.
    """
    if status.table is None and len(status.games) > 1:
        named = (
            f"{one.table} ({title_of(one.game)}: "
            f"{', '.join(filter(None, one.players))})"
            for one in status.games
        )
        raise LocalError(Code.USAGE, Says.WHICH_TABLE(tables=", ".join(named)))
    return status.table


def match_meant(status: door.Status) -> door.TableStatus:
    """Return the table that a command is about, where a match is played.

    Raises:
        LocalError: USAGE, there is no match, or there are several tables.
    """
    table = meant(status)
    if table is None or not table.match:
        raise LocalError(Code.USAGE, Says.NOTHING_TO_PLAY())
    return table


def node_status(table: int = 0) -> door.Status:
    """Return how the node of the chosen home stands.

    Args:
        table: The number of the table that it is to tell of; 0 for the only one.
    """
    with Visit(home.find(None), table=max(0, table)) as visit:
        return visit.status()


def ask(question: door.Question, table: int = 0) -> int:
    """Ask the node of the chosen home, print its answer, and return the exit code.

    Args:
        question: What to ask.
        table: The number of the table that it is about; 0 for the only one.
    """
    with Visit(home.find(None), table=max(0, table)) as visit:
        done = visit.ask(question)
    if done.text:
        print(phrase(done.text))
    return 0


def invite(question: door.Question, *, comes: bool) -> int:
    """Ask the node for what lets others come; then about the router, if need be.

    Args:
        question: What to ask the node.
        comes: Whether others may come afterwards.
    """
    code = ask(question)
    if comes and sys.stdin.isatty() and sys.stdout.isatty():
        with Visit(home.find(None), pushes=True) as visit:
            offer_router(visit)
    return code


def offer_router(visit: Visit) -> None:
    """Ask the player whether the router may be asked, where nobody has said yet.

    Args:
        visit: One that is told what windows are told.
    """
    may_ask = visit.status().network.may_ask
    if not may_ask:
        # Whether there is a router may be found out soon.
        with suppress(LocalError):
            for message in visit.heard(ROUTER_FOUND_SECONDS):
                if isinstance(message, door.Status):
                    may_ask = message.network.may_ask
                    break
    if not may_ask:
        return
    text = _(
        "Shall Netplay ask your router to let friends in from the internet, for "
        "as long as it runs?"
    )
    print(text)
    with suppress(EOFError, KeyboardInterrupt):
        typed = input(" / ".join((_("Yes"), _("Not now"))) + ": ").strip().casefold()
        # The first letter of the player's language, or of English.
        yes = bool(typed) and typed[0] in {"y", _("Yes")[0].casefold()}
        print(phrase(visit.ask(Switch("map-port", yes)).text))


def consent(number: int, *, accept: bool) -> int:
    """Say yes or no to the terms of a table, and print the answer.

    Args:
        number: Of the table; 0 for the only one.
        accept: Whether it is yes.
    """
    with Visit(home.find(None), table=_one_that(number, "called")) as visit:
        table = visit.status().table
        revision = 0 if table is None else table.revision
        print(phrase(visit.ask(door.Consent(accept, revision)).text))
    return 0


def _one_that(number: int, mode: str) -> int:
    """Return the table that is meant: where none is named the only one in a mode."""
    if number > 0:
        return number
    found = [one.table for one in node_status().games if one.mode == mode]
    return found[0] if len(found) == 1 else 0


def dial(question: door.Question, table: int = 0, chosen: int = 0) -> int:
    """Ask the node to call somebody, wait, and say what came of it.

    A link alone is no seat yet: who joins waits for the host's terms, or for its no.

    Args:
        question: What to ask.
        table: The number of our own table that it is about; 0 for the only one.
        chosen: Which of several tables there is meant, from 1; 0 for the only one.

    Returns:
        0 if both are at one table, 1 if the call failed.
    """
    joins = isinstance(question, door.Join)
    # Somebody is called to the table that is being formed.
    table = max(0, table) if joins else _one_that(table, "hosting")
    with Visit(home.find(None), pushes=True, table=table) as visit:
        before = visit.status()
        if table:
            visit.ask(door.LookAt(table))  # what is told of is that table from now on
        visit.ask(question)
        asked: list[int] = []

        def done(message: door.FromNode) -> str | None:
            if isinstance(message, door.Notice):
                # It has been printed, and is all that comes.
                return "" if message.said.code == Says.TABLE_IN_HAND.name else None
            if (
                joins
                and isinstance(message, door.Status)
                and message.open
                and not asked
            ):
                asked.append(_choose(visit, message.open, chosen))
            if not isinstance(message, door.Status) or (
                joins and message.table is None
            ):
                return None
            new = _linked(message) - _linked(before)
            # With a link there was before, the seat is all that is new.
            new = new or {who for _, who in _seated(message) - _seated(before)}
            who = ", ".join(sorted(new))
            return phrase(Says.CONNECTED_TO(names=who)) if new else None

        return follow(visit, done)


def _choose(visit: Visit, tables: Sequence[OpenStatus], chosen: int) -> int:
    """Choose one of the tables that are open there; return the id of the reply.

    Raises:
        LocalError: USAGE, it is not said which; they are named.
    """
    if 0 < chosen <= len(tables):
        return visit.put(door.Choose(chosen - 1))
    visit.ask(door.LeaveTable())
    named = (f"{n} ({one.game}: {', '.join(one.players)})" for n, one in
             enumerate(tables, 1))  # fmt: skip
    raise LocalError(Code.USAGE, Says.WHICH_OPEN(tables=", ".join(named)))


def follow(visit: Visit, done: Callable[[door.FromNode], str | None]) -> int:
    """Print what the node tells its user of a call until something comes of it.

    Args:
        visit: One that is told what windows are told.
        done: Says of a message whether that is it: what to print then, or None.

    Returns:
        0, or 1 if the node tells of an error or of nothing at all.
    """
    for message in _while_it_may(visit):
        if isinstance(message, door.Notice):
            error = message.tone == "error"
            print(phrase(message.said), file=sys.stderr if error else sys.stdout)
            if error:
                return 1
        if (said := done(message)) is not None:
            print(said, end="\n" if said else "")
            return 0
    return 1


def _while_it_may(visit: Visit) -> Iterator[door.FromNode]:
    """Yield what the node says while a call may succeed, and say what is waited for.

    Raises:
        LocalError: NO_ANSWER, the node says nothing.
    """
    # The status is told again and again, whether or not anything comes of the call.
    end, last, asked = monotonic() + DIAL_SECONDS, monotonic() + CALL_SECONDS, 0
    for message in _heard(visit):
        if isinstance(message, door.Notice) and message.said.code in TOGETHER:
            end = last = monotonic() + CALL_SECONDS
        if isinstance(message, door.Done) and message.id == asked:
            status, asked = answer_in(message.data, door.Status), 0
            yield status
            waits = _waits(status) if monotonic() < last else Says.NO_ANSWER_YET
            print(phrase(waits()), file=sys.stderr)
            if waits is Says.NO_ANSWER_YET:
                return
            if waits is Says.STILL_NO_TABLE:  # there is a link: the rest is quick
                last = end
        elif message is not None:
            yield message
        if monotonic() > end:
            if asked:
                raise LocalError(Code.NO_ANSWER, Says.NODE_SILENT())
            asked, end = visit.put(door.GetStatus()), monotonic() + DIAL_SECONDS


def _heard(visit: Visit) -> Iterator[door.FromNode | None]:
    """Yield what the node says, and None whenever it has said nothing for a while."""
    while True:
        try:
            yield from visit.heard(DIAL_SECONDS)
        except LocalError:
            yield None
        else:
            return


def _waits(status: door.Status) -> Saying:
    """Return what is waited for, if a call may still come to something."""
    seats = () if status.table is None else status.table.seats
    called = (x for x in seats if x.kind == "remote" and x.address and not x.key)
    if status.mode == "calling" or any(called):
        return Says.STILL_CALLING
    if status.mode == "joined" and status.table is None:
        return Says.STILL_NO_TABLE
    return Says.NO_ANSWER_YET


def _linked(status: door.Status) -> set[str]:
    return {peer.name for peer in status.peers if peer.connected}


def _seated(status: door.Status) -> set[tuple[int, str]]:
    """Return who sits at the table in seats of other computers, and at which."""
    if status.table is None:
        return set()
    # A seat that is kept for a friend has a name before anybody sits there.
    there = [one for one in status.table.seats if one.kind == "remote" and one.key]
    return {(status.table.number, one.name) for one in there}


def add_address(parser: argparse.ArgumentParser) -> None:
    """Take an address and a seat."""
    parser.add_argument(
        "address",
        type=invitation_or,
        metavar="ADDRESS",
        help="host, host:port, [IPv6]:port or an invitation",
    )
    parser.add_argument(
        "--seat", type=whole(1), default=0, metavar="N", help="which seat, from 1"
    )
