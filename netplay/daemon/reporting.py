"""A report to send with a complaint: what runs here, how it is set, what happened.

It is made for somebody else's eyes.  So nothing is left out of it that was found to be
private; instead only what is known to be harmless is put in: versions, numbers, our own
words.  There are no keys, no names, no addresses, no chat, no tiles, no moves, and no
names of files or lists of the user's own.
"""

import ipaddress
import platform
import re
import shutil
import ssl
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import msgspec

from netplay import VERSION
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError, NetplayError
from netplay.home import Home, read_json
from netplay.journal import lines as journal_lines
from netplay.messages.door import Status, TableStatus
from netplay.peering.address import parse
from netplay.peering.link import VERSIONS
from netplay.players.words.kernel import module
from netplay.record.archive import FileArchive
from netplay.record.store import SECRETS, SUFFIX, Copy, read_copy
from netplay.record.verify import Replay
from netplay.table.enclosed_files import take_along
from netplay.table.resources import Shelf
from rules import GAMES, editions, lexicon
from rules.game import About, IllegalMoveError

# The journal for somebody else's eyes: what happened, without who and where.
#
# Only what is known to be harmless is let through. A value is shown if its field is one
# of those that hold nothing but our own words and numbers; keys and addresses get
# numbers of their own, the same for the same; of a text only the part that is one of
# the program's own sentences, or the kind of an error, is shown.


LEFT_OUT: Final = "(left out)"

_LINE: Final = re.compile(r"(\d{4}-\d\d-\d\dT[\d:.]+Z) ([a-z]+(?:\.[a-z_-]+)?)( .*)?")
_PAIR: Final = re.compile(r'([a-z_]+)=(?:"([^"]*)"|(\S*))')
_PLACE: Final = r"[A-Za-z_]{1,40}\.[A-Za-z_<>]{1,40}:\d{1,5}"

_HARMLESS: Final = {
    name: re.compile(shape)
    for name, shape in {
        "port": r"\d{1,5}",
        "skill": r"\d{1,3}",
        "version": r"\d{1,3}(\.\d{1,3}){1,2}",
        "code": r"none|" + "|".join(code.name for code in Code),
        "by": r"[A-Z_]{1,20}",
        "family": r"AF_[A-Z0-9]{1,10}",
        "what": r"[a-z]{1,20}",
        "times": r"\d{1,9}",
        "scope": r"unknown|no|computer|network|internet",
        "game": "|".join(GAMES),
        "error": r"[A-Z][A-Za-z]{1,30}(Error|Exception|Group|Exit|Interrupt)",
        "at": rf"{_PLACE}(>{_PLACE})*",
    }.items()
}
"""Fields that hold our own words and numbers, and what these look like."""

_WHO: Final = frozenset({"peer", "key"})
_SENTENCES: Final = tuple(code.text for code in Code)
_KIND: Final = re.compile(r"([A-Z][A-Za-z]{2,39}(?:Error|Exception|Group|Exit))\(")
_NUMBERED: Final = re.compile(r"\[Errno (\d{1,4})\]")


class Redactor:
    """Rewrites lines of a journal; the same peer gets the same number."""

    def __init__(self) -> None:
        """Know nobody."""
        self._known: Final[dict[tuple[str, str], int]] = {}

    def lines(self, journal: Iterable[str]) -> Iterator[str]:
        """Yield what may be shown of the lines of a journal."""
        for line in journal:
            found = _LINE.fullmatch(line)
            if found is None:
                yield LEFT_OUT
                continue
            pairs = [
                f"{name}={self._value(name, quoted or plain)}"
                for name, quoted, plain in _PAIR.findall(found[3] or "")
            ]
            yield " ".join([found[1], found[2], *pairs])

    def _value(self, name: str, value: str) -> str:
        """Return what may be shown of a value."""
        if not value:
            return '""'
        if name in _HARMLESS and _HARMLESS[name].fullmatch(value):
            return value
        if name in _WHO:
            return f"{name}-{self._number(name, value)}"
        if name == "address":
            return f"address-{self._number(name, value)}-{_reach(value)}"
        if name == "why":
            return _sentence(value)
        return LEFT_OUT

    def _number(self, kind: str, value: str) -> int:
        """Return the number that stands for a value."""
        others = sum(known == kind for known, _ in self._known)
        return self._known.setdefault((kind, value), others + 1)


def _reach(address: str) -> str:
    """Return of what sort an address is."""
    try:
        place = ipaddress.ip_address(parse(address).host)
    except (LocalError, ValueError):
        return "name"
    if place.is_loopback:
        return "this-computer"
    return "local" if place.is_private or place.is_link_local else "internet"


def _sentence(text: str) -> str:
    """Return the program's own sentence in a text, or the kind of an error."""
    for sentence in _SENTENCES:
        if text == sentence or text.startswith(f"{sentence}: "):
            return f'"{sentence}"'
    if found := _NUMBERED.search(text):
        return f'"system error {found[1]}"'
    if found := _KIND.match(text):
        return found[1]
    return LEFT_OUT


PACKAGES: Final = (
    "anyio", "cryptography", "msgspec", "platformdirs", "pygame-ce", "trio",
)  # fmt: skip

SETTINGS: Final = (
    "beacon", "map-port", "dht", "offensive-words", "offensive", "pace", "pass-on",
    "greet",
)  # fmt: skip
WINDOW: Final = (
    "theme", "scale", "easy", "sound", "volume", "animation", "pause", "draw",
    "language", "size", "delay", "repeat",
)  # fmt: skip
"""Settings with values of our own; of others only that they are set is told."""

_VALUE: Final = re.compile(r"[a-z0-9_-]{1,20}")

JOURNAL_LINES: Final = 1000
NO_JOURNAL: Final = "empty: no node has run in this home"
ENTRIES: Final = 30
"""The last ones of a match in hand, by kind."""
TOLD: Final = 5
"""Matches in hand that are told of in full."""
MATCHES: Final = 20
"""Of those kept, the last few, by size."""


def report(home: Home) -> str:
    """Return the report of a home, whether a node runs there or not."""
    head = (
        f"made {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "without keys, names, addresses, chat, tiles and moves",
    )
    # What the user has set, as far as it is nobody's business.
    settings = chain(
        _told(read_json(home.settings), SETTINGS),
        _told(read_json(home.path / "window.json"), WINDOW),
    )
    journal = list(journal_lines(home.journal))[-JOURNAL_LINES:]
    parts = (
        ("Netplay report", head),
        ("Versions", versions()),
        ("Settings", settings),
        ("Home", _files(home)),
        ("Node", _node(home)),
        ("Matches in hand", _in_hand(home)),
        ("Journal", Redactor().lines(journal) if journal else [NO_JOURNAL]),
    )
    return "\n".join(
        chain.from_iterable(
            [f"== {title}", *(f"  {line}" for line in found), ""]
            for title, found in parts
        )
    )


def versions() -> Iterator[str]:
    """Yield what runs here."""
    yield f"netplay {VERSION}"
    yield f"protocol {max(VERSIONS)}"
    rules = (f"{name} {game.ABOUT.version}" for name, game in GAMES.items())
    yield f"rules: {', '.join(rules)}"
    yield f"python {platform.python_version()} ({platform.python_implementation()})"
    yield f"system {platform.system()} {platform.release()} {platform.machine()}"
    yield f"{ssl.OPENSSL_VERSION}"
    for package in PACKAGES:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            yield f"{package} is missing"
    found = "by netplay-kernel" if module() else "in Python, without netplay-kernel"
    yield f"computer players of Networdz find words {found}"


def _told(settings: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[str]:
    """Yield the settings with values of our own, and how many others there are."""
    for name in known:
        if name in settings:
            yield f"{name}: {_plain(settings[name])}"
    others = sum(name not in known for name in settings)
    if others:
        yield f"({others} more)"


def _plain(value: object) -> str:
    """Return a value if it is one of ours: a number, a switch or a short word."""
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, list):
        return " ".join(map(_plain, value))
    return value if isinstance(value, str) and _VALUE.fullmatch(value) else "(set)"


def _files(home: Home) -> Iterator[str]:
    """Yield what lies in the home, by number and size."""
    for name, path in (("key", home.key), ("peers", home.peers)):
        yield f"{name}: {'there' if path.exists() else 'missing'}"
    for name, folder, pattern in (
        ("matches", home.matches, f"*{SUFFIX}"),
        ("secrets of matches", home.matches, f"*{SECRETS}"),
        ("editions and lists by digest", home.words, "*"),
        ("own editions", home.editions, "*"),
        ("own lists", home.dictionaries, "*"),
    ):
        sizes = [size for path in folder.glob(pattern) if (size := _size(path)) >= 0]
        yield f"{name}: {len(sizes)}, {sum(sizes)} bytes"
    try:
        yield f"disk: {shutil.disk_usage(home.path).free >> 20} MiB free"
    except OSError:
        yield "the home cannot be read"
    for match in map(Path, islice(FileArchive(home.matches).newest(), MATCHES)):
        yield f"match of {_size(match)} bytes{_damage(match)}"


def _size(path: Path) -> int:
    """Return the bytes of a file, -1 if it cannot be asked."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _damage(path: Path) -> str:
    """Return what is wrong with a file of a match: the place, which is a number."""
    try:
        damage = read_copy(path).damage
    except NetplayError as error:
        return f": {error.code.name}"
    return f": {damage}" if damage else ""


def _node(home: Home) -> Iterator[str]:
    """Yield what the running node says of itself, in numbers."""
    try:
        with Visit(home) as visit:
            status = visit.status()
    except NetplayError as error:
        yield f"none answers: {error.code.name}"
        return
    here = sum(peer.connected for peer in status.peers)
    yield f"version {status.version}, port {status.port}, {status.mode}"
    yield f"links: {here} up, {len(status.peers) - here} away"
    yield f"nearby: {len(status.nearby)}, addresses of its own: {len(status.addresses)}"
    network = status.network
    yield f"beacon {network.beacon}, map-port {network.map_port}, reach {network.reach}"
    yield from _table(status)


def _table(status: Status) -> Iterator[str]:
    """Yield how the table stands."""
    table: TableStatus | None = status.table
    if table is None:
        yield "no table"
        return
    game = table.game if table.game in GAMES else "another game"
    yield f"table: {table.phase}, {game}, {'host' if table.hosting else 'guest'}"
    for number, seat in enumerate(table.seats, 1):
        kind = seat.kind if seat.kind in {"person", "computer", "remote"} else "?"
        yield f"seat {number}: {kind}, {seat.state} for {seat.since} s"
    turn = ", ".join(str(seat + 1) for seat in table.turn) or "nobody"
    yield f"on turn: {turn}; entries {table.entries}, final {table.final}"
    yield f"audit: {table.audit if table.audit in {'', 'ok'} else 'not ok'}"
    yield f"bystanders: {table.watched}, asking {len(table.asking)}"


def _in_hand(home: Home) -> Iterator[str]:
    """Yield how the matches in hand came to where they stand, without their moves."""
    archive = FileArchive(home.matches)
    try:
        matches = list(archive.in_hand())
    except LocalError:
        yield "what names them is damaged"
        return
    if not matches:
        yield "none"
    Shelf(home.words)
    for match in matches[:TOLD]:
        yield f"match {match.hex()[:12]}"
        yield from _one_in_hand(archive, match)
    if len(matches) > TOLD:
        yield f"({len(matches) - TOLD} more)"


def _one_in_hand(archive: FileArchive, match: bytes) -> Iterator[str]:
    """Yield how a match came to where it stands."""
    if not archive.has(match):
        yield "its file is gone"
        return
    try:
        copy = read_copy(archive.place(match))
        take_along(copy)
        yield from _replayed(copy)
    except NetplayError as error:
        yield f"it cannot be read: {error.code.name}"


def _replayed(copy: Copy) -> Iterator[str]:
    """Yield what becomes of a match when it is played again."""
    done, good = Replay(), 0
    for raw in copy.entries:
        try:
            done.on_entry(raw)
        except (NetplayError, IllegalMoveError) as error:
            code = error.code.name if isinstance(error, NetplayError) else "the rules"
            yield f"entry {good} is refused: {code}"
            break
        good += 1
    if copy.damage:
        yield str(copy.damage)
    fold, log = done.fold, done.log
    if fold is None or log is None:
        return
    told = ", ".join(_options(fold.game.ABOUT, fold.playable.options))
    yield f"{fold.terms.game}: {told}"
    yield f"{len(fold.members)} members, {len(fold.names)} seats, {good} entries"
    yield f"term {log.term}, {fold.moves} moves, over: {fold.over}"
    members = {member.key: number for number, member in enumerate(fold.members, 1)}
    for line in log.lines[-ENTRIES:]:
        entry, kind = line.entry, type(line.body).__name__
        author = members.get(entry.author, "?")
        when = f"term {entry.term}, {entry.at} ms"
        yield f"entry {entry.number}, {when}: {kind} by {author}"


def _options(about: About, options: msgspec.Struct) -> Iterator[str]:
    """Yield a game's options; of editions and lists the names of those shipped."""
    shipped = {
        digest: name
        for shelf in (editions.shipped(), lexicon.shipped())
        for name, digest in shelf.items()
    }
    for name, value in msgspec.structs.asdict(options).items():
        if name in about.resources:
            yield f"{name} {shipped.get(value, 'own')}"
        else:
            yield f"{name} {_plain(value)}"
