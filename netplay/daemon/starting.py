"""Put a node together from a home: key, files, network, computer players."""

import os
import random  # noqa: TID251 (seeds of computer players, where the user gave one)
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from time import perf_counter  # noqa: TID251 (the clock of the node is made of it)
from typing import Final

import trio
from msgspec import Struct
from typing_extensions import override

from netplay.daemon.computer_players import (
    PACE,
    ComputerPlayers,
    Pace,
    ProgramSeats,
    WordChoice,
    wished,
)
from netplay.daemon.finished_matches import Reviews
from netplay.daemon.mixing import FileChecks
from netplay.daemon.node import Node
from netplay.daemon.on_turn import kept_notices
from netplay.daemon.parts import Parts, open_known
from netplay.daemon.presence import BEACON, GREET, MAP_PORT
from netplay.daemon.rpc import INVITED_AT, INVITES
from netplay.errors import PeerError
from netplay.faults import Faults
from netplay.finding.beacon import UdpAir, is_loopback
from netplay.finding.mainline import installed, mainline
from netplay.finding.portmap import Find, find_languages
from netplay.finding.router import Language
from netplay.home import Home
from netplay.journal import Journal
from netplay.messages.door import HostTable
from netplay.peering.identity import Identity, open_identity
from netplay.peering.net import TcpNet
from netplay.programs.arena import ProgramPaths
from netplay.record.archive import Archive, FileArchive, Saved
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says
from netplay.steady import Steady
from netplay.system.addresses import own_addresses
from netplay.system.sockets import address_news
from netplay.table.asked import Asked
from netplay.table.muted import Muted
from netplay.table.passing import PASSES_ON
from netplay.table.resources import Shelf
from netplay.table.shared import Means
from netplay.table.tables import Tables
from netplay.web_devices import Devices
from netplay.wire import unpack

SEED_BYTES = 8
"""Of a seed for a computer player's thought."""


class Choice(Struct, frozen=True):
    """What the user chose about a node."""

    home: Home
    journal: Journal
    interface: str = ""
    """Where to listen, everywhere if empty."""
    seed: int | None = None
    """For the computer players' whims; None for fresh ones."""
    beacon: bool | None = None
    """Tell the network of an open table; None for what is set, on if nothing is."""
    map_port: bool | None = None
    """Let the router pass the port on; None for what is set: off, and the player is
    asked, if nothing is."""
    carry: str = ""
    """For whom to carry; empty for what is set."""
    offensive: bool | None = None
    """Let computers lay words that offend; None for what is set, off if nothing is."""
    pace: bool | None = None
    """Let computers take their time; None for what is set, on if nothing is."""
    on_turn: tuple[str, ...] = ()
    """The words of a command for when it is the player's turn; empty for none."""
    pass_on: bool | None = None
    """Pass on what is watched; None for what is set, on if nothing is."""
    greet: bool | None = None
    """Call friends to see who is awake; None for what is set, on if nothing is."""
    new_key: bool = False
    """Make a key though the home has had another, which is missing."""


def _means(home: Home, identity: Identity, archive: Archive, shelf: Shelf) -> Means:
    """Return what the tables are given: all that the home keeps for them."""
    faults = home.faults
    known = open_known(home)
    if known.damage:
        faults.fault(known.damage)
    Devices(home.path).look_at_file(faults)
    return Means(
        identity, archive, shelf, os.urandom, unix, identity.unseal, known,
        faults, ProgramPaths(home.programs), Muted(home.muted, faults),
        Asked(home.asked, faults), home.written, Steady(home.path / "time.json", wall),
    )  # fmt: skip


def assemble(choice: Choice, now: float) -> Node:
    """Return the node of a home, ready to run.

    Args:
        choice: What the user chose; the home is prepared and held.
        now: Seconds on the node's clock.

    Raises:
        LocalError: DISK, something in the home cannot be read.
    """
    home, faults = choice.home, choice.home.faults
    home.look_at_settings()
    identity = open_identity(home, new=choice.new_key)
    archive, checking = FileArchive(home.matches), FileChecks()
    means = _means(home, identity, archive, Shelf(home.words, checking, faults))
    tables = _tables(means, home)
    tables.pass_on(on=_wish(home, PASSES_ON, choice.pass_on, usual="on"))
    tables.find_kept(now)
    word_choice = WordChoice(offensive=wished(home, choice.offensive))
    pace = Pace(on=_wish(home, PACE, choice.pace, usual="on"))
    ways = home.words, word_choice, pace
    bots = ComputerPlayers(seeds(choice.seed), choice.journal, *ways)
    programs = ProgramSeats(bots, means.programs, faults, choice.journal, home.words)
    return Node(
        Parts(
            home=home,
            key=identity.key,
            tables=tables,
            net=TcpNet(identity, choice.interface),
            thinker=programs,
            programs=programs,
            prepare=bots.prepare,
            checking=checking,
            reviewer=Reviews(choice.journal, home.words, word_choice),
            word_choice=word_choice,
            pace=pace,
            entropy=os.urandom,
            journal=choice.journal,
            addresses=lambda: own_addresses(choice.interface),
            address_news=address_news,
            saved=Saved(archive),
            faults=faults,
            unix=unix,
            steady=means.steady,
            air=UdpAir(choice.journal, choice.interface),
            beacon=_wish(home, BEACON, choice.beacon, usual="on"),
            greet=_wish(home, GREET, choice.greet, usual="on"),
            router=_router(choice.interface, identity.sign),
            map_port=_map_port(choice),
            carry=choice.carry,
            known=means.known,
            sign=identity.sign,
            pair=identity.pair,
            appointed=identity.appointed,
            dht=mainline if installed() else None,
            muted=means.muted,
            on_turn=choice.on_turn,
            on_letter=kept_notices(home),
        )
    )


def _tables(means: Means, home: Home) -> Tables:
    """Return the tables, with the one that opens for whoever comes by an invitation."""
    tables = Tables(means, clean(home.setting("name"), NAME_CHARACTERS))
    with suppress(ValueError, PeerError):  # none was wished for, or it is damaged
        wished_for = unpack(bytes.fromhex(home.setting(INVITES)), HostTable)
        tables.invite_to(wished_for, int(home.setting(INVITED_AT, "0")))
    return tables


def _router(interface: str, sign: Callable[[bytes], bytes]) -> Find:
    """Return what finds how to speak to the gateway.

    Args:
        interface: Where the node listens; on the loopback no router matters.
        sign: Makes our nonce for it, the same after a crash.
    """
    nonce = sha256(sign(b"netplay nonce for the router")).digest()

    async def find(version: int) -> Sequence[Language]:
        return () if is_loopback(interface) else await find_languages(version, nonce)

    return find


def _map_port(choice: Choice) -> bool | None:
    """Return whether the router is asked, None if the player has never said."""
    if not choice.home.setting(MAP_PORT):
        return choice.map_port
    return _wish(choice.home, MAP_PORT, choice.map_port, usual="off")


def _wish(home: Home, name: str, chosen: bool | None, usual: str) -> bool:
    """Return what the user wants: now, or by a setting."""
    return home.setting(name, usual) == "on" if chosen is None else chosen


def wall() -> float:
    """Return the time of day, as this computer is set."""
    return datetime.now(UTC).timestamp()


def unix() -> int:
    """Return the time of day in whole seconds."""
    return int(wall())


AWAKE_SECONDS: Final = 5.0
"""By which a look at the clock may be late: what is more has passed without us."""


class AwakeClock(trio.abc.Clock):
    """Counts the seconds in which this program runs, and none in which it could not.

    It may be stopped (Ctrl+Z), or its computer asleep, whose clock counts that on
    Windows.  Were that time here, a host would wake and find it used by whoever was on
    turn, who could not move without a host.
    """

    def __init__(self, counted: Callable[[], float] = perf_counter) -> None:
        """Begin awake.

        Args:
            counted: Seconds, with those that are to be left out.
        """
        self._counted: Final = counted
        self._left_out = 0.0
        self._due = counted()
        """When this clock is looked at, or soon after."""

    @override
    def start_clock(self) -> None:
        pass

    @override
    def current_time(self) -> float:
        counted = self._counted()
        if counted > self._due + AWAKE_SECONDS:
            self._left_out += counted - self._due
        self._due = counted
        return counted - self._left_out

    @override
    def deadline_to_sleep_time(self, deadline: float) -> float:
        seconds = deadline - self.current_time()
        self._due += max(0.0, seconds)
        return seconds


def seeds(seed: int | None) -> Callable[[], int]:
    """Return a source of seeds for computer players.

    Args:
        seed: The same one gives the same seeds; None gives fresh ones.
    """
    if seed is None:
        return lambda: int.from_bytes(os.urandom(SEED_BYTES), "big")
    chain = random.Random(seed)  # noqa: S311 (a player's whims are no secret)
    return lambda: chain.getrandbits(8 * SEED_BYTES)


# Tell a service manager how the node is doing, by a datagram to its socket.
#
# systemd names the socket in the environment; without one nothing is said.


VARIABLE: Final = "NOTIFY_SOCKET"
WATCHDOG: Final = "WATCHDOG_USEC"


UNIT: Final = """\
# A systemd user unit.  Keep it as ~/.config/systemd/user/netplay.service, then:
#     systemctl --user enable --now netplay
# To let it run while nobody is logged in: loginctl enable-linger
[Unit]
Description=Netplay: board and word games from computer to computer

[Service]
Type=notify
ExecStart={command}
Restart=on-failure
RestartSec=5
WatchdogSec=60
TimeoutStopSec=15
KillMode=mixed
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
LimitNOFILE=4096
MemoryMax=1G
TasksMax=64

[Install]
WantedBy=default.target
"""
"""AF_NETLINK is how the C library lists interfaces."""


def unit(command: Sequence[str]) -> str:
    """Return a systemd user unit.

    Args:
        command: The words that start the node.
    """
    return UNIT.format(command=" ".join(map(_quoted, command)))


def _quoted(word: str) -> str:
    """Return a word as systemd reads it back."""
    word = word.replace("\\", "\\\\").replace('"', '\\"')
    word = word.replace("%", "%%").replace("$", "$$")
    plain = word and not any(c in " \t'\"\\;" for c in word)
    return word if plain else f'"{word}"'


def notify(words: str) -> bool:
    """Say something to the service manager; return whether there is one.

    Args:
        words: `READY=1`, `STOPPING=1`, `WATCHDOG=1` or `STATUS=...`.
    """
    address = os.environ.get(VARIABLE, "")
    if not address.startswith(("/", "@")):
        return False
    if address.startswith("@"):  # a name of the abstract kind
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
            sock.sendto(words.encode(), address)
    except OSError:
        return False
    return True


async def keep_watchdog() -> None:
    """Tell the manager's watchdog that the loop turns, if it wants to know."""
    period = os.environ.get(WATCHDOG, "")
    if not period.isdigit() or not int(period):
        return
    while notify("WATCHDOG=1"):  # noqa: ASYNC110 (nothing is waited for)
        await trio.sleep(int(period) / 2_000_000)


PROGRAM: Final = Path(sys.executable if hasattr(sys, "frozen") else __file__)
"""What an update of Netplay replaces."""

PROGRAM_SECONDS: Final = 60
"""Between two looks at it."""


async def watch_program(
    faults: Faults, changed: Callable[[], None], program: Path = PROGRAM
) -> None:
    """Tell the player once that another program lies where ours was started from.

    This one goes on with what it has in memory; its workers, and windows that are
    opened, would be of the new one.  A program that is gone is told of by nobody.
    """
    began = _seen(program)
    while _seen(program) in {None, began}:  # noqa: ASYNC110 (nothing tells of it)
        await trio.sleep(PROGRAM_SECONDS)
    faults.fault(Says.UPDATED())
    changed()


def _seen(program: Path) -> tuple[int, int, int] | None:
    """Return what tells a file from the one that takes its place."""
    try:
        now = program.stat()
    except OSError:
        return None
    return now.st_ino, now.st_size, now.st_mtime_ns
