"""Everything moves to another computer: real commands, real homes, real nodes."""

import argparse
import errno
import json
import os
import pty
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import pytest

from netplay.commands import moving
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.moving import homes
from netplay.sentences import Says
from tests.netplay.commands.test_play import begun
from tests.netplay.commands.test_watching import ROOT, Node
from tests.netplay.small_disks import read_only, room_for
from tests.patience import PATIENCE
from tests.said import like, says

pytestmark = pytest.mark.processes

WORDS = "correct horse battery"

ROOM = 300
"""For the mark that all has moved, and not for what has."""


@pytest.fixture
def phrase(tmp_path: Path) -> str:
    path = tmp_path / "phrase"
    path.write_text(f"{WORDS}\nanother line\n", "utf-8")
    return str(path)


def run(home: Path, *words: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "netplay", *words, "--home", str(home)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr


OF_THE_COMPUTER: Final = (
    "programs", "door", "web", "web_ports", "pairing", "copying",
)  # fmt: skip
"""What says where something is here, and leads to nothing at another computer."""


def furnished(path: Path) -> Home:
    """Return a home with something of each kind."""
    home = Home(path)
    home.prepare()
    home.key.write_text("a key", "utf-8")
    for name in ("peers", "blocked", "settings", "window", *OF_THE_COMPUTER):
        (path / f"{name}.json").write_text(json.dumps({"is": name}), "utf-8")
    (path / "journal.log").write_text("events", "utf-8")
    for folder, name in (
        ("matches", "00.netplay"), ("matches", "00.secrets"), ("matches", "in-hand"),
        ("words", "ab.words"), ("words", "ab.map"), ("editions", "my own.toml"),
        ("dictionaries", "für Anna.txt"), ("written", "ab.written"),
    ):  # fmt: skip
        (path / folder).mkdir(exist_ok=True)
        (path / folder / name).write_text(name, "utf-8")
    os.utime(path / "matches" / "00.netplay", (1_000_000, 1_000_000))
    return home


def files(path: Path) -> dict[str, bytes]:
    """Return what a home has, and what is in it."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in path.rglob("*")
        if file.is_file() and file.name != "lock"
    }


def locked(path: Path, content: homes.PackedFiles) -> Path:
    path.write_bytes(homes.lock(homes.to_bytes(content), WORDS))
    return path


async def test_a_player_moves_with_a_match_that_goes_on(
    tmp_path: Path, phrase: str, nodes: Callable[[str], Node]
) -> None:
    ann, bob = nodes("ann"), nodes("bob")
    await begun(ann, bob, "hexagrams")
    assert (await ann.run("play", "T(4,1)xT(5,1)"))[0] == 0
    key = (await ann.run("status"))[1].split("key ")[1].split()[0]
    place = tmp_path / "ann.export"
    option = ("--passphrase-file", phrase)
    code, text = await ann.run("export", str(place), *option)
    assert (code, says(text, Says.NODE_RUNNING)) == (2, True), text
    assert not place.exists()
    assert (await ann.run("stop"))[0] == 0
    ann.process.wait(PATIENCE)
    code, text = await ann.run("export", str(place), *option)
    assert code == 0, text
    assert "1 game:" in text
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    code, text = await ann.run("node", "--port", "0")
    assert code == 2
    assert says(text, Says.MOVED)

    code, text = run(tmp_path / "new", "import", str(place), *option)
    assert code == 0, text
    new = nodes("new")
    await new.until(("status",), "listening on port")
    assert key in (await new.run("status"))[1]
    assert "bob" in (await new.run("peers"))[1]
    await new.until(("status",), "2 bob (remote): connected")
    await bob.until(("status",), "*2 bob")
    assert (await bob.run("play", "T(6,0)-T(5,1)"))[0] == 0
    await new.until(("status",), "*1 ")


async def test_two_at_once_are_noticed(
    tmp_path: Path, phrase: str, nodes: Callable[[str], Node]
) -> None:
    ann = nodes("ann")
    await ann.until(("status",), "listening on port")
    assert (await ann.run("stop"))[0] == 0
    ann.process.wait(PATIENCE)
    place, option = str(tmp_path / "file"), ("--passphrase-file", phrase)
    assert run(ann.home, "export", place, *option)[0] == 0
    assert run(tmp_path / "new", "import", place, *option)[0] == 0
    back = run(ann.home, "export", "--undo")
    assert back == (0, f"{Says.MOVED_BACK()}\n")
    assert run(ann.home, "export", "--undo")[0] == 2
    first, second = nodes("ann"), nodes("new")
    for node in (first, second):
        await node.until(("status",), "listening on port")
    port = (await first.run("status"))[1].split("port ")[1].split()[0]
    await first.run("host", "hexagrams", "--seat", "person", "--seat", "remote")
    await second.run("join", f"127.0.0.1:{port}")
    for node in (first, second):
        await node.until(("status",), "your key is in use")


def test_all_that_is_the_players_goes_along_and_nothing_of_the_computer(
    tmp_path: Path, phrase: str
) -> None:
    old = furnished(tmp_path / "old")
    before = files(old.path)
    place, option = str(tmp_path / "file"), ("--passphrase-file", phrase)
    code, text = run(old.path, "export", place, *option)
    assert code == 0, text
    assert files(old.path).keys() - before.keys() == {"moved.json"}
    assert b"a key" not in (tmp_path / "file").read_bytes()
    code, text = run(tmp_path / "new", "import", place, *option)
    assert code == 0, text
    stays = {"journal.log", "words/ab.map", *(f"{n}.json" for n in OF_THE_COMPUTER)}
    new = files(tmp_path / "new")
    assert new == {name: data for name, data in before.items() if name not in stays}
    for path in (tmp_path / "new").rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
    match = tmp_path / "new" / "matches" / "00.netplay"
    assert match.stat().st_mtime == 1_000_000


def test_what_a_home_had_is_asked_about_and_kept(tmp_path: Path, phrase: str) -> None:
    old, new = furnished(tmp_path / "old"), furnished(tmp_path / "new")
    new.key.write_text("another key", "utf-8")
    before = files(new.path)
    place, option = str(tmp_path / "file"), ("--passphrase-file", phrase)
    assert run(old.path, "export", place, *option)[0] == 0
    code, text = run(new.path, "import", place, *option)
    assert code == 1
    assert says(text, Says.HOME_TAKEN)
    assert files(new.path) == before
    for folder in ("before-import", "before-import-2"):
        code, text = run(new.path, "import", place, *option, "--force")
        assert code == 0, text
        assert folder in text
    assert files(new.path)["key.pem"] == b"a key"
    kept = files(new.path / "before-import")
    assert kept["key.pem"] == b"another key"
    assert kept.items() <= before.items()


def test_who_imports_where_it_came_from_plays_there_again(
    tmp_path: Path, phrase: str
) -> None:
    old = furnished(tmp_path / "old")
    place, option = str(tmp_path / "file"), ("--passphrase-file", phrase)
    assert run(old.path, "export", place, *option)[0] == 0
    assert old.moved.exists()
    assert run(old.path, "import", place, *option, "--force")[0] == 0
    assert not old.moved.exists()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a file with all of a home: to lock it takes a second."""
    folder = tmp_path_factory.mktemp("whole")
    old = homes.pack(furnished(folder / "old"))
    return locked(folder / "file", old).read_bytes()


@pytest.mark.parametrize("how", ["cut", "changed", "empty", "other", "none", "folder"])
def test_a_file_that_is_damaged_or_none_is_refused_and_nothing_changes(
    tmp_path: Path, phrase: str, how: str, whole: bytes
) -> None:
    place, data = tmp_path / "file", whole
    changed = bytearray(data)
    changed[len(data) // 2] ^= 1
    new = {"cut": data[:-9], "changed": changed, "empty": b"", "other": b"a" * 999}
    if how == "folder":
        place.mkdir()
    elif how != "none":
        place.write_bytes(new[how])
    home = furnished(tmp_path / "new")
    before = files(home.path)
    words = ("--passphrase-file", phrase, "--force")
    code, text = run(home.path, "import", str(place), *words)
    assert (code, text.count("\n")) == (1, 1), text
    assert files(home.path) == before


def test_another_passphrase_is_told_from_damage(tmp_path: Path) -> None:
    place = locked(tmp_path / "file", homes.pack(furnished(tmp_path / "old")))
    other = tmp_path / "other"
    other.write_text("something else", "utf-8")
    words = ("import", str(place), "--passphrase-file", str(other))
    code, text = run(tmp_path / "new", *words)
    assert code == 1
    assert says(text, Says.OTHER_PHRASE)
    assert not list((tmp_path / "new").glob("*"))


@pytest.mark.parametrize(
    "name",
    [
        "../key.pem", "/etc/passwd.json", "matches/../key.pem", "matches/a/b", "lock",
        "door.json", "moved.json", "programs.json", "matches/", "", "words/..",
        "words/.x", "words\\x.json", "journal.log", "words/a\nb", "words/x.map",
        ".json",
    ],
)  # fmt: skip
def test_a_file_of_somebody_elses_puts_nothing_where_it_does_not_belong(
    tmp_path: Path, name: str
) -> None:
    item = homes.Item(name, 0, b"evil")
    data = homes.to_bytes(homes.PackedFiles((item,)))
    with pytest.raises(LocalError, match="damaged"):
        homes.from_bytes(data, tmp_path)


def test_a_time_that_no_disk_can_keep_is_not_taken_along(tmp_path: Path) -> None:
    item = homes.Item("peers.json", 1 << 63, b"{}")
    data = homes.to_bytes(homes.PackedFiles((item,)))
    with pytest.raises(LocalError, match="damaged"):
        homes.from_bytes(data, tmp_path)


@pytest.mark.parametrize("at", [-(10**9), 5 * 10**18])
def test_what_is_packed_can_be_read_whatever_times_its_files_have(
    tmp_path: Path, at: int
) -> None:
    """Clocks are wrong now and then: 1969, or 2128."""
    home = furnished(tmp_path / "old")
    names = list(homes.names(home))
    for name in names:
        os.utime(home.path / name, ns=(at, at))
    packed = homes.from_bytes(homes.to_bytes(homes.pack(home)), tmp_path)
    assert {item.name for item in packed.items} == {*names}


def test_a_bomb_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(homes, "MOST_BYTES", 1000)
    item = homes.Item("peers.json", 0, bytes(100_000))
    data = homes.to_bytes(homes.PackedFiles((item,)))
    with pytest.raises(LocalError, match="damaged"):
        homes.from_bytes(data, tmp_path)


def test_damage_anywhere_is_told_before_a_passphrase_is_asked_for() -> None:
    whole = homes.PhraseLock(bytes(16), bytes(32)).seal(b"all that a player has")
    homes.check(whole, "place")
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 1
        with pytest.raises(LocalError):
            homes.check(bytes(damaged), "place")
        with pytest.raises(LocalError):
            homes.check(whole[:at], "place")


def test_a_large_home_is_taken_whatever_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys and signatures hardly shrink, lists of words shrink some ten times."""
    monkeypatch.setattr(homes, "SMALL_BYTES", 1000)
    dense = homes.Item("matches/00.netplay", 0, Random(1).randbytes(20_000))
    words = homes.Item("words/00.txt", 0, b"".join(b"%d\n" % n for n in range(9000)))
    for items in ((dense,), (words,), (dense, words)):
        packed = homes.PackedFiles(items)
        assert homes.from_bytes(homes.to_bytes(packed), tmp_path) == packed


class FullDisk:
    """A disk that has no room after some files."""

    def __init__(self, room: int) -> None:
        self.room = room

    def __call__(self, path: Path, _data: bytes) -> None:
        self.room -= 1
        if self.room < 0:
            raise OSError(28, "No space left on device", str(path))
        path.write_bytes(_data)


@pytest.mark.parametrize("room", [0, 1, 5, 10])
def test_a_disk_that_is_full_half_way_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    packed = homes.pack(furnished(tmp_path / "old"))
    home = furnished(tmp_path / "new")
    home.key.write_text("another key", "utf-8")
    before = files(home.path)
    monkeypatch.setattr(homes, "write_whole", FullDisk(room))
    with pytest.raises(LocalError, match=os.strerror(errno.ENOSPC)):
        homes.install(home, packed)
    assert files(home.path) == before
    assert not (home.path / "arriving").exists()


class KilledError(BaseException):
    """The program ends here, whatever it was doing."""


@pytest.mark.parametrize("moves", range(0, 30, 2))
def test_an_import_that_is_killed_half_way_leaves_no_key_without_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    packed = homes.pack(furnished(tmp_path / "old"))
    home = furnished(tmp_path / "new")
    home.key.write_text("another key", "utf-8")
    before = files(home.path)
    left, replace = [moves], Path.replace

    def killed(path: Path, target: Path) -> Path:
        if path.suffix != ".new":
            left[0] -= 1
            if left[0] < 0:
                raise KilledError
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", killed)
    with suppress(KilledError):
        homes.install(home, packed)
    monkeypatch.undo()
    there = files(home.path)
    kept = {name.partition("/")[2]: data for name, data in there.items()
            if name.startswith("before-import/")}  # fmt: skip
    known = {**kept, **{n: d for n, d in there.items() if not n.startswith("before")}}
    if there.get("key.pem") == b"a key":
        assert {item.name for item in packed.items} <= there.keys()
        assert kept["key.pem"] == b"another key"
    elif "key.pem" in there:
        assert there["key.pem"] == before["key.pem"]
    assert before.keys() - {"journal.log"} <= known.keys(), "nothing is lost"


@pytest.mark.skipif(sys.platform == "win32", reason="folders need no sync there")
def test_what_an_import_has_moved_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = homes.pack(furnished(tmp_path / "old"))
    home = furnished(tmp_path / "new")
    safe, fsync = dict[int, set[str]](), os.fsync

    def noted(number: int) -> None:
        status = os.fstat(number)
        if stat.S_ISDIR(status.st_mode):
            safe[status.st_ino] = {*os.listdir(number)}
        fsync(number)

    monkeypatch.setattr(os, "fsync", noted)
    homes.install(home, packed)
    for folder in {file.parent for file in home.path.rglob("*") if file.is_file()}:
        there = {path.name for path in folder.iterdir()}
        assert there - {"lock"} <= safe.get(folder.stat().st_ino, set()), folder


def test_a_passphrase_has_eight_characters_at_least() -> None:
    homes.phrase_lock("x" * 8)
    with pytest.raises(LocalError) as caught:
        homes.phrase_lock("x" * 7)
    assert caught.value.code is Code.USAGE


def test_each_import_finds_a_folder_of_its_own_for_what_was_there(
    tmp_path: Path,
) -> None:
    home, found = furnished(tmp_path / "new"), []
    for _ in range(4):
        folder = homes.aside(home)
        folder.mkdir()
        found.append(folder.name)
    assert found == ["before-import", *(f"before-import-{n}" for n in (2, 3, 4))]


@pytest.mark.parametrize("moves", range(0, 24, 3))
def test_a_move_of_files_that_fails_half_way_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    packed = homes.pack(furnished(tmp_path / "old"))
    home = furnished(tmp_path / "new")
    home.key.write_text("another key", "utf-8")
    before = files(home.path)
    left, replace = [moves], Path.replace

    def fails_once(path: Path, target: Path) -> Path:
        if path.suffix == ".new" or path.parent.name == "arriving.new":
            return replace(path, target)
        left[0] -= 1
        if left[0] == -1:
            raise OSError(5, "Input/output error", str(path))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fails_once)
    try:
        homes.install(home, packed)
    except LocalError:
        monkeypatch.undo()
        assert files(home.path) == before
    else:
        assert left[0] >= 0


@pytest.mark.parametrize("there", ["", "an older file"])
def test_an_export_that_finds_no_room_leaves_nothing_and_the_home_plays_on(
    tmp_path: Path, phrase: str, monkeypatch: pytest.MonkeyPatch, there: str
) -> None:
    home, target = furnished(tmp_path / "old"), tmp_path / "file"
    before = files(home.path)
    if there:
        target.write_text(there, "utf-8")

    monkeypatch.setenv("NETPLAY_HOME", str(home.path))
    words = argparse.Namespace(
        file=str(target), passphrase_file=phrase, force=True, undo=False
    )
    with room_for(ROOM), pytest.raises(LocalError, match=os.strerror(errno.EFBIG)):
        moving.run_export(words)
    assert files(home.path) == before
    home.look_for_move()
    assert [path.read_text("utf-8") for path in tmp_path.glob("file*")] == (
        [there] if there else []
    )


@pytest.mark.parametrize("lock", [True, False])
def test_everything_is_taken_off_a_disk_that_can_only_be_read(
    tmp_path: Path, phrase: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], lock: bool,
) -> None:  # fmt: skip
    home, target = furnished(tmp_path / "old"), tmp_path / "file"
    if lock:
        home.lock.touch()
    monkeypatch.setenv("NETPLAY_HOME", str(home.path))
    words = argparse.Namespace(
        file=str(target), passphrase_file=phrase, force=False, undo=False
    )
    with read_only(home.path):
        if lock:
            with home.hold(reading=True), pytest.raises(LocalError, match="running"):
                moving.run_export(words)  # a node that was there before holds it
        assert moving.run_export(words) == 0
        with pytest.raises(LocalError, match=os.strerror(errno.EROFS)):
            home.hold()
    assert says(capsys.readouterr().out, Says.MOVE_NOT_NOTED)
    _code, text = run(
        tmp_path / "new", "import", str(target), "--passphrase-file", phrase
    )
    assert "1 game." in text, text
    assert (tmp_path / "new" / "key.pem").read_text("utf-8") == "a key"


def test_a_mark_that_finds_no_room_leaves_no_file(
    tmp_path: Path, phrase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, target = furnished(tmp_path / "old"), tmp_path / "file"

    def full(path: Path, _data: bytes) -> None:
        raise LocalError(Code.DISK, str(path))

    monkeypatch.setattr(homes, "write_whole", full)
    monkeypatch.setenv("NETPLAY_HOME", str(home.path))
    words = argparse.Namespace(
        file=str(target), passphrase_file=phrase, force=False, undo=False
    )
    with pytest.raises(LocalError, match=like(Code.DISK)):
        moving.run_export(words)
    assert not target.exists()
    home.look_for_move()


def test_words_on_the_command_line_that_do_not_fit_are_told(
    tmp_path: Path, phrase: str
) -> None:
    home, place = tmp_path / "old", tmp_path / "file"
    option = ("--passphrase-file", phrase)
    code, text = run(home, "export", str(place), *option)
    assert (code, says(text, Says.NOTHING_TO_EXPORT)) == (2, True)
    assert not home.exists()
    furnished(home)
    assert run(home, "export")[0] == 2
    assert run(home, "export", "--undo", str(place))[0] == 2
    code, text = run(home, "export", str(place))
    assert (code, "--passphrase-file" in text) == (2, True)
    short = tmp_path / "short"
    short.write_text("abc\n", "utf-8")
    code, text = run(home, "export", str(place), "--passphrase-file", str(short))
    assert (code, says(text, Says.PHRASE_SHORT, count=8)) == (2, True)
    code, text = run(home, "export", str(place), "--passphrase-file", "/nowhere")
    assert code == 1
    place.write_text("mine", "utf-8")
    code, text = run(home, "export", str(place), *option)
    assert code == 1
    assert place.read_text("utf-8") == "mine"
    assert not (home / "moved.json").exists()
    assert run(home, "export", str(place), *option, "--force")[0] == 0


def typed(home: Path, words: tuple[str, ...], *lines: str) -> str:
    """Type lines on a terminal of its own; return all that is shown there."""
    command = [sys.executable, "-m", "netplay", *words, "--home", str(home)]
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover (another process)
        os.chdir(ROOT)
        os.execv(sys.executable, command)
    shown = b""
    for line in lines:
        while not shown.rstrip(b" ").endswith((b":", b"]")):
            shown += os.read(terminal, 1000)
        os.write(terminal, line.encode() + b"\n")
        shown += b"\n"
    try:
        while data := os.read(terminal, 1000):
            shown += data
    except OSError:
        pass  # the terminal's other end is closed
    os.close(terminal)
    os.waitpid(pid, 0)
    return shown.decode("utf-8", "replace")


def test_on_a_terminal_the_passphrase_is_asked_for_and_not_shown(
    tmp_path: Path,
) -> None:
    home, place = furnished(tmp_path / "old"), tmp_path / "file"
    text = typed(home.path, ("export", str(place)), WORDS, "something else")
    assert says(text, Says.PHRASES_DIFFER)
    text = typed(home.path, ("export", str(place)), WORDS, WORDS)
    assert str(place) in text
    assert WORDS not in text
    new = furnished(tmp_path / "new")
    text = typed(new.path, ("import", str(place)), WORDS, "n")
    assert says(text, Says.HOME_TAKEN)
    text = typed(new.path, ("import", str(place)), WORDS, "y")
    assert WORDS not in text
    assert "before-import" in text
