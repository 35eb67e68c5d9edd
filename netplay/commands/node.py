"""`netplay node`: the daemon in the foreground, until it is told to stop."""

import argparse
import gc
import os
import sys
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import get_args

import trio

from netplay import ending, home
from netplay.commands.sharing import port, whole
from netplay.daemon.node import Node, single
from netplay.daemon.on_turn import kept_words, words_of
from netplay.daemon.presence import kept_port
from netplay.daemon.serving import let_in
from netplay.daemon.starting import (
    AwakeClock,
    Choice,
    assemble,
    keep_watchdog,
    notify,
    unit,
    watch_program,
)
from netplay.errors import Code, LocalError
from netplay.finding import news
from netplay.home import Home
from netplay.home_folder import VARIABLE
from netplay.journal import Journal, failure, to_all, to_file, to_stream
from netplay.language import _
from netplay.messages.node_questions import Carry
from netplay.moving import copies, homes
from netplay.moving.homes import PackedFiles
from netplay.peering.address import PORT
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says

HELP = "the daemon in the foreground, for a terminal or a service manager"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--port",
        type=port,
        metavar="P",
        help=_("where to listen ({port}, or as preferred); 0 for any free port").format(
            port=PORT
        ),
    )
    parser.add_argument(
        "--any-port", action="store_true", help="take a free port if P is in use"
    )
    parser.add_argument(
        ending.LEASH,
        action="store_true",
        help="end when standard input is closed and no window is open",
    )
    parser.add_argument("--name", metavar="N", help="what to call the player here")
    parser.add_argument(
        "--listen",
        default="",
        metavar="ADDRESS",
        help="the address to listen at, as 127.0.0.1 (all)",
    )
    parser.add_argument(
        "--seed",
        type=whole(),
        metavar="S",
        help="for the computer players' whims, to see the same ones again",
    )
    _add_presence(parser)
    _add_bots(parser)
    parser.add_argument(
        "--web",
        action=argparse.BooleanOptionalAction,
        help="serve pages for your own devices on the local network, over TLS "
        "(see netplay web --pair; off)",
    )
    parser.add_argument(
        "--on-turn",
        metavar="COMMAND",
        help="run this when it is your turn and no window is open; it is told "
        "NETPLAY_TABLE, NETPLAY_GAME and NETPLAY_OPPONENT in its environment",
    )
    parser.add_argument(
        "--new-key",
        action="store_true",
        help="make a key though this home had another one, which is missing",
    )
    parser.add_argument(
        "--print-unit",
        action="store_true",
        help="print a systemd user unit for this node and end",
    )


def _add_presence(parser: argparse.ArgumentParser) -> None:
    """Say what is taken on how the node is found and reached, or carries."""
    parser.add_argument(
        "--beacon",
        action=argparse.BooleanOptionalAction,
        help="tell the network of an open table and hear of others (on)",
    )
    parser.add_argument(
        "--greet",
        action=argparse.BooleanOptionalAction,
        help="call friends now and then to see who is awake, as they see then of you "
        "(on)",
    )
    parser.add_argument(
        "--map-port",
        action=argparse.BooleanOptionalAction,
        help="let the router pass the port on while the node runs (off)",
    )
    parser.add_argument(
        "--pass-on",
        action=argparse.BooleanOptionalAction,
        help="if many watch a game, pass it on to some of them or get it from one, who "
        "see this computer's address (on)",
    )
    parser.add_argument(
        "--carry",
        choices=get_args(Carry),
        default="",
        help="let friends who cannot reach each other play through this node: between "
        "those it knows, or also those whom these name (off)",
    )


def _add_bots(parser: argparse.ArgumentParser) -> None:
    """Say what is taken on how computer players play."""
    parser.add_argument(
        "--offensive-words",
        action=argparse.BooleanOptionalAction,
        help="let computer players, hints and analysis use words that offend (off)",
    )
    parser.add_argument(
        "--pace",
        action=argparse.BooleanOptionalAction,
        help="let computer players take a moment for a move, as people do (on)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the node until a signal or a command stops it."""
    if arguments.print_unit:
        print(unit(_command(arguments)), end="")
        return 0
    on_turn = () if arguments.on_turn is None else words_of(arguments.on_turn)
    place = home.find(None)
    place.prepare()
    with place.hold():
        place.look_for_move()
        if arguments.name is not None:
            name = clean(arguments.name, NAME_CHARACTERS)
            place.set_now("name", name, Says.NAME_NOT_KEPT)
        if arguments.web is not None:
            let_in(place, on=arguments.web)
        kept = to_file(place.journal)
        # Only a node of one's own tells a terminal, too.
        journal = kept if arguments.leash else to_all(to_stream(), kept)
        while (arrived := _live(arguments, place, on_turn, journal)) is not None:
            try:
                homes.swap(place, arrived)  # nothing of the node before holds a file
            except LocalError as error:  # the home is as it was, and is gone on with
                place.faults.fault(error.said)
    return 0


def _live(
    arguments: argparse.Namespace,
    place: Home,
    on_turn: tuple[str, ...],
    journal: Journal,
) -> PackedFiles | None:
    """Run a node until it ends; return what has come to begin anew with, if it has."""
    choice = Choice(
        place,
        journal,
        arguments.listen,
        arguments.seed,
        arguments.beacon,
        arguments.map_port,
        arguments.carry,
        arguments.offensive_words,
        arguments.pace,
        on_turn or kept_words(place),
        greet=arguments.greet,
        pass_on=arguments.pass_on,
        new_key=arguments.new_key,
    )
    chosen = kept_port(place) if arguments.port is None else arguments.port
    ports = [chosen, 0] if arguments.any_port else [chosen]
    try:
        serve = partial(_serve, choice, ports, leash=arguments.leash)
        return trio.run(serve, clock=AwakeClock())
    except BaseException as group:  # noqa: BLE001 (noted, and raised again)
        error = single(group)
        journal("node.failed", **failure(error))
        raise error from None


def _command(arguments: argparse.Namespace) -> list[str]:
    """Return the words that start such a node again."""
    words = [sys.executable, "-m", "netplay", "node"]
    chosen = os.environ.get(VARIABLE)
    if chosen:
        words += ["--home", str(home.find(chosen).path)]
    if arguments.port is not None:
        words += ["--port", str(arguments.port)]
    if arguments.listen:
        words += ["--listen", arguments.listen]
    if arguments.on_turn is not None:
        words_of(arguments.on_turn)  # what cannot be run is said now
        words += ["--on-turn", arguments.on_turn]
    for name in (
        "beacon",
        "greet",
        "map_port",
        "pass_on",
        "offensive_words",
        "pace",
        "web",
    ):
        wish: bool | None = getattr(arguments, name)
        if wish is not None:
            words.append(f"--{'' if wish else 'no-'}{name.replace('_', '-')}")
    if arguments.carry:
        words += ["--carry", arguments.carry]
    return words


async def _serve(
    choice: Choice, ports: Sequence[int], *, leash: bool
) -> PackedFiles | None:
    """Run a node on the first port that is free, and stop it on a signal."""
    for number in ports:
        try:
            node = assemble(choice, trio.current_time())
            await _serve_at(node, number, choice, leash=leash)
        except BaseExceptionGroup as group:
            error = single(group)
            taken = isinstance(error, LocalError) and error.code is Code.PORT_IN_USE
            if not taken or number == ports[-1]:
                raise
            choice.journal("port.taken", port=number)
        else:
            return node.arrived
    return None


async def _serve_at(node: Node, number: int, choice: Choice, *, leash: bool) -> None:
    with trio.open_signal_receiver(*ending.signals()) as signals:
        async with trio.open_nursery() as nursery:
            if leash:
                nursery.start_soon(_follow, node)
            nursery.start_soon(_obey, node, signals, nursery.cancel_scope)
            nursery.start_soon(keep_watchdog)
            nursery.start_soon(copies.keep, choice.home, choice.journal, node.settled)
            told = node.rpc.knows_friends, node.copied, node.attended
            nursery.start_soon(copies.watch, choice.home, *told)
            nursery.start_soon(news.watch, choice.home, choice.journal, node.settled)
            nursery.start_soon(watch_program, choice.home.faults, node.settled)
            nursery.start_soon(_say_goodbye, node)
            await node.run(number, task_status=_Ready())
            nursery.cancel_scope.cancel()


class _Ready:
    """Waits until the node is up."""

    def started(self, value: int | None = None) -> None:
        """Take the port that the node has, and tell the service manager of it."""
        gc.freeze()  # what is loaded by now stays: to look it through takes 50 ms
        notify(f"READY=1\nSTATUS=listening on port {value}")


async def _say_goodbye(node: Node) -> None:
    """Tell the service manager that the node ends, by whatever order."""
    await node.stopping()
    notify("STOPPING=1")


async def _follow(node: Node) -> None:
    """Stop the node when whoever started it has ended, and no window is left."""
    await ending.slipped()
    await node.deserted()
    node.stop()


async def _obey(
    node: Node, signals: AsyncIterator[int], scope: trio.CancelScope
) -> None:
    """Stop the node politely at the first signal, at once at the second."""
    await anext(signals)
    node.stop()
    await anext(signals)
    scope.cancel()
