"""Makes the home that is kept of a release: `python -m tools.release home`.

Later versions have to take it up (`tests/test_kept_homes.py`).  It is made by the
program's own commands, as users have theirs: four nodes on this computer, a match that
is over, one in an encrypted bag that is not, with tiles of the player's own, one
against a program, a table to which somebody was asked who
is away, a letter that is kept for a friend, a device that is let in, a place for
copies, somebody blocked, own words, the window's settings.
Beside the files lies what this version says of them, so that a later one is not asked
what it should find.
"""

import json
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep, time
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from client.app import settings
from netplay.web_devices import Devices
from tools.release.about import ROOT, version

KEPT: Final = ROOT / "tests" / "homes"
TOLD: Final = "told.json"
"""What the version that made a home says of it."""

LEFT_OUT: Final = {"lock", "door", "door.json", "web.json"}
"""Of nodes that run."""

WORDS: Final = "apple\nbanana\ncherry\n"
PHRASE: Final = "correct horse battery\n"
EDITION: Final = "mine"
RACK: Final = 6
"""Tiles on a rack of that edition; the others have 7."""

DEVICE: Final = "Anna's phone"
WINDOW: Final = settings.Settings(theme="dark", language="de", sound=False, scale=125)
RANG: Final = "rang"
"""The file beside the home that the player's command for each turn makes."""

STICK: Final = "stick"
SCRIPT: Final = "program"
"""Beside the home, too: where copies go, and what plays a seat."""

PROGRAM: Final = """#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    heard = json.loads(line)
    said = {"move": heard["moves"][0]} if "moves" in heard else {"ask": "moves"}
    print(json.dumps(said), flush=True)
"""
PATIENCE: Final = 120.0


class Kept:
    """A home in the making, and the node in it."""

    def __init__(self, folder: Path, name: str) -> None:
        """Choose the place."""
        self.home, self.name = folder / name.lower(), name

    def run(self, *words: str, check: bool = True) -> str:
        """Run a command in this home; return what it prints.

        Args:
            words: The command.
            check: Whether it has to succeed.

        Raises:
            CalledProcessError: It has failed.
        """
        line = [sys.executable, "-m", "netplay", *words, "--home", str(self.home)]
        done = subprocess.run(
            line, cwd=ROOT, check=check, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=PATIENCE,
        )  # fmt: skip
        return done.stdout

    def status(self) -> Any:  # noqa: ANN401 (JSON)
        """Return what the node says of itself."""
        return json.loads(self.run("status", "--json"))

    def legal(self) -> list[str]:
        """Return the moves of who is on turn here, at the only table."""
        return list(json.loads(self.run("play", "--json"))["legal"])

    def until(self, *words: str, holds: str) -> str:
        """Run a command until a word stands in what it prints; return that."""
        ends = monotonic() + PATIENCE
        while holds not in (said := self.run(*words)):
            if monotonic() > ends:
                raise SystemExit(f"{self.name}: no {holds} in {said}")
            sleep(0.3)
        return said

    @contextmanager
    def node(self) -> Generator[None]:
        """Let the node run."""
        words = ["node", "--name", self.name, "--home", str(self.home)]
        words += ["--listen", "127.0.0.1", "--port", "0", "--no-beacon"]
        log = subprocess.DEVNULL
        process = subprocess.Popen(
            [sys.executable, "-m", "netplay", *words], cwd=ROOT, stdout=log, stderr=log
        )
        try:
            ends = monotonic() + PATIENCE
            while monotonic() < ends:
                try:
                    self.status()
                    break
                except subprocess.CalledProcessError:
                    sleep(0.3)
            yield
            self.run("stop")
            process.wait(PATIENCE)
        finally:
            process.kill()


def make(to: Path = KEPT) -> Path:
    """Make the home of this version; return the file."""
    with TemporaryDirectory() as scratch:
        names = ("Anna", "Bert", "Carl", "Dora", "Emil")
        anna, bert, carl, dora, emil = (Kept(Path(scratch), name) for name in names)
        _own(anna, Path(scratch))
        with anna.node(), bert.node(), carl.node(), emil.node():
            with dora.node():
                _play(anna, bert, carl)
                _befriend(anna, dora, emil)
            _leave(anna, dora, emil)
            _alone(anna, Path(scratch))
            settings.store(anna.home, WINDOW)  # last: commands speak its language
            told = {"folder": scratch, **_told(anna)}
        to.mkdir(parents=True, exist_ok=True)
        path = to / f"{version()}.zip"
        with ZipFile(path, "w", ZIP_DEFLATED) as packed:
            for file in sorted(anna.home.rglob("*")):
                made_again = file.suffix == ".map"  # of the program's own lists
                if file.is_file() and file.name not in LEFT_OUT and not made_again:
                    _add(packed, str(file.relative_to(anna.home)), file.read_bytes())
            _add(packed, TOLD, json.dumps(told, indent=1).encode())
    return path


def _add(packed: ZipFile, name: str, data: bytes) -> None:
    entry = ZipInfo(name)
    entry.compress_type = ZIP_DEFLATED
    packed.writestr(entry, data)


def _own(anna: Kept, scratch: Path) -> None:
    """Lay down what a player has of their own."""
    for name in ("dictionaries", "editions"):
        (anna.home / name).mkdir(parents=True)
    words, phrase, copy = (scratch / name for name in ("words.txt", "phrase", STICK))
    words.write_text(WORDS, "utf-8")
    phrase.write_text(PHRASE, "utf-8")
    copy.mkdir()
    fruit = anna.home / "dictionaries" / "fruit.graph"
    anna.run("words", "import", str(words), str(fruit))
    text = (ROOT / "rules" / "editions" / "networdz.toml").read_text("utf-8")
    for was, now in (
        ('name = "networdz"', f'name = "{EDITION}"'),
        ("rack = 7", f"rack = {RACK}"),
    ):
        assert text.count(was) == 1
        text = text.replace(was, now)
    (anna.home / "editions" / f"{EDITION}.toml").write_text(text, "utf-8")
    (anna.home / "on-turn").write_text(f"touch {scratch / RANG}\n", "utf-8")


def _play(anna: Kept, bert: Kept, carl: Kept) -> None:
    """Play a match to its end, begin others, and do what leaves files."""
    invitation = anna.run("invite").split()[0]
    anna.run("mute", "--quiet", "22:00-07:00")
    anna.run("reach", "--no-map-port")
    anna.run("reach", "--carry", "known")
    small = ("--option", "size=8", "--option", "values=off")
    computers = ("--seat", "computer:40", "--seat", "computer:40")
    anna.run("host", "numlo", *computers, *small)
    anna.run("start")
    anna.until("status", holds="over")
    anna.run("leave")
    own = ("--edition", EDITION)
    anna.run("host", "networdz", "--seat", "computer:40", "--seat", "remote", *own)
    bert.run("join", invitation)
    anna.until("status", holds="Bert")
    anna.run("start")
    anna.until("status", holds="playing")
    anna.run("say", "hello from this version")
    carl.run("join", invitation, check=False)  # a table opens for him beside it
    anna.run("block", "Carl")
    sleep(5)  # a computer's first move, sealed and on both disks


def _befriend(anna: Kept, dora: Kept, emil: Kept) -> None:
    """Have Anna's node keep letters for two friends who play with each other."""
    invitation = anna.run("invite").split()[0]
    for friend in (dora, emil):
        friend.run("reach", "--through", invitation, check=False)
        anna.until("status", holds=friend.name)
        anna.run("peers", "--friend", friend.name)
    emil.run("host", "numlo", "--seat", "person", "--seat", "remote")
    dora.run("join", emil.run("invite").split()[0])
    emil.until("status", holds="Dora")
    emil.run("start")
    emil.until("status", holds="playing")
    for friend in (dora, emil):
        friend.until("status", holds="reached through Anna")
    if legal := dora.legal():
        dora.run("play", legal[0])
    emil.until("play", "--json", holds='"more": false')


def _leave(anna: Kept, dora: Kept, emil: Kept) -> None:
    """Have a letter for who is away lie with Anna, and ask them to a table."""
    emil.run("play", emil.legal()[0])
    anna.until("status", holds="letters kept for others: 1")
    known = json.loads(anna.run("peers", "--json"))
    (key,) = (one["key"] for one in known if one["name"] == dora.name)
    (anna.home / "on-letter").write_text(f"{key} true\n", "utf-8")
    anna.run("host", "hexagrams", "--seat", "person", "--seat", f"remote:{key}")


def _alone(anna: Kept, scratch: Path) -> None:
    """Play against a program, let a device in, and have copies made."""
    program, stick = scratch / SCRIPT, scratch / STICK
    program.write_text(PROGRAM, "utf-8")
    program.chmod(0o755)
    seats = ("--seat", "person", "--seat", f"program:{program}")
    anna.run("host", "numlo", *seats, "--option", "size=8")
    anna.run("start", "--table", "5")  # the third has opened for Carl
    anna.run("backup", str(stick), "--passphrase-file", str(scratch / "phrase"))
    devices = Devices(anna.home)
    devices.pair(devices.offer(), "a token of the browser's", DEVICE)


def _told(anna: Kept) -> Mapping[str, Any]:
    """Return what this version says of the home."""
    matches = {
        path.name: json.loads(anna.run("verify", str(path), "--json", check=False))
        for path in sorted((anna.home / "matches").glob("*.netplay"))
    }
    return {
        "version": version(),
        "at": time(),
        "key": anna.status()["key"],
        "window": {
            "theme": WINDOW.theme,
            "language": WINDOW.language,
            "sound": WINDOW.sound,
            "scale": WINDOW.scale,
        },
        "peers": json.loads(anna.run("peers", "--json")),
        "games": json.loads(anna.run("games", "--json")),
        "matches": matches,
    }
