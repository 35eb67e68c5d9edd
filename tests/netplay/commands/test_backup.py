"""A copy of everything: it is kept fresh, and a lost disk is got over by it."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio
import trio.testing

from netplay.home import Home
from netplay.journal import silent
from netplay.moving import copies, homes
from netplay.said import Said
from netplay.sentences import Says
from tests.netplay.commands.test_moving import WORDS, files, furnished, phrase, run
from tests.netplay.commands.test_play import begun
from tests.netplay.commands.test_watching import Node
from tests.netplay.small_disks import room_for
from tests.patience import PATIENCE, held
from tests.said import says

pytestmark = pytest.mark.usefixtures("guessed_soon")

__all__ = ["phrase"]

KINDS = ("key.pem", "peers.json", "matches/00.netplay", "matches/00.secrets")


def opened(path: Path) -> dict[str, bytes]:
    packed = homes.from_bytes(homes.unlock(path.read_bytes(), WORDS, path), path)
    return {item.name: item.data for item in packed.items}


def place(tmp_path: Path) -> Path:
    folder = tmp_path / "another disk"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.mark.processes
async def test_a_lost_disk_costs_nobody_the_seat_in_an_open_match(
    tmp_path: Path, phrase: str, nodes: Callable[[str], Node]
) -> None:
    ann, bob = nodes("ann"), nodes("bob")
    await begun(ann, bob, "hexagrams")
    option = ("--passphrase-file", phrase)
    code, text = await bob.run("backup", str(place(tmp_path)), *option)
    assert code == 0, text
    (copy,) = place(tmp_path).iterdir()
    assert str(copy) in text
    code, text = await bob.run("backup")
    assert (code, str(copy) in text) == (0, True), text
    key = (await bob.run("status"))[1].split("key ")[1].split()[0]

    # Both move after the copy was made, so the copy is an old one.
    assert (await ann.run("play", "T(4,1)xT(5,1)"))[0] == 0
    await bob.until(("status",), "*2 ")
    assert (await bob.run("play", "T(6,0)xT(5,1)"))[0] == 0
    await ann.until(("status",), "*1 ")
    bob.process.kill()
    bob.process.wait(PATIENCE)
    shutil.rmtree(bob.home)

    code, text = run(tmp_path / "new", "import", str(copy), *option)
    assert code == 0, text
    new = nodes("new")
    await new.until(("status",), "listening on port")
    assert key in (await new.run("status"))[1]
    port = (await ann.run("status"))[1].split("port ")[1].split()[0]
    await new.run("join", f"127.0.0.1:{port}")
    # Bob's node has the name of its new home, and so his seat in the game of before.
    await ann.until(("status",), "2 new (remote): connected")
    await new.until(("status",), "*1 ")  # its own later move has come back
    assert "ann" in (await new.run("peers"))[1]


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Home]:
    """Look again at once, and count that."""
    seen: list[Home] = []
    file = copies.Copying.file

    def counted(copying: copies.Copying, home: Home) -> Path:
        seen.append(home)
        return file(copying, home)

    monkeypatch.setattr(copies.Copying, "file", counted)
    monkeypatch.setattr(copies, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(copies, "EVERY_SECONDS", 0.01)
    return seen


def replaced(path: Path, data: bytes) -> None:
    """Write a file as a node does: whoever looks meanwhile sees no half of it."""
    fresh = path.parent.parent / "fresh"
    fresh.write_bytes(data)
    fresh.replace(path)


async def test_a_copy_is_made_again_when_something_changes(
    tmp_path: Path, looks: list[Home]
) -> None:
    home = furnished(tmp_path / "home")
    copy = copies.first_copy(home, place(tmp_path), WORDS)
    wanted = {name: (home.path / name).read_bytes() for name in KINDS}
    assert wanted.items() <= opened(copy).items()
    assert not set(opened(copy)) & {homes.COPYING, "programs.json", "journal.log"}
    made: list[str] = []

    def journal(event: str, **_told: object) -> None:
        made.append(event)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(copies.keep, home, journal, lambda: None)
        await held(lambda: len(looks) > 3)
        assert made == ["copy.made"]
        replaced(home.matches / "01.netplay", b"new")
        await held(lambda: len(made) > 1)
        seen = len(looks)
        await held(lambda: len(looks) > seen + 3)
        assert made == ["copy.made"] * 2
        assert opened(copy)["matches/01.netplay"] == b"new"
        replaced(home.matches / "01.netplay", b"two")  # as long as before
        await held(lambda: len(made) > 2)
        assert opened(copy)["matches/01.netplay"] == b"two"
        nursery.cancel_scope.cancel()


async def test_no_copy_is_made_any_more_once_that_is_said(
    tmp_path: Path, looks: list[Home]
) -> None:
    home = furnished(tmp_path / "home")
    copy = copies.first_copy(home, place(tmp_path), WORDS)
    assert copies.end(home)
    looks.clear()  # to begin one takes a look, too
    async with trio.open_nursery() as nursery:
        nursery.start_soon(copies.keep, home, silent, lambda: None)
        home.key.write_text("changed", "utf-8")
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert home not in looks  # a thread of the test before may look late
    assert opened(copy)["key.pem"] == b"a key"


async def test_where_copies_might_go_is_looked_at_while_a_window_is_there(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    home, told = Home(tmp_path / "home"), list[object]()
    there, third = trio.Event(), trio.Event()
    home.prepare()

    def tell(status: object) -> None:
        told.append(status)
        if len(told) == 3:
            third.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(copies.watch, home, lambda: True, tell, there.wait)
        await trio.sleep(100)
        assert not told
        there.set()
        await third.wait()  # with no end by this clock, which a slow disk would outrun
        nursery.cancel_scope.cancel()


async def test_a_place_that_is_away_is_a_fault_until_it_is_back(
    tmp_path: Path, looks: list[Home]
) -> None:
    home = furnished(tmp_path / "home")
    copy = copies.first_copy(home, place(tmp_path), WORDS)
    pulled = tmp_path / "pulled"
    place(tmp_path).rename(pulled)
    told: list[tuple[str, ...]] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            copies.keep, home, silent, lambda: told.append(tuple(map(str, home.faults)))
        )
        await held(lambda: len(looks) > 3)
        assert told == [(str(Says.COPY_FAILED(path=copy.parent)),)]
        pulled.rename(copy.parent)
        await held(lambda: len(told) > 1)
        assert told[1:] == [()]
        nursery.cancel_scope.cancel()


async def test_of_two_places_that_are_away_only_the_present_one_is_a_fault(
    tmp_path: Path, looks: list[Home]
) -> None:
    home, notes, faults = furnished(tmp_path / "home"), list[bytes](), list[Said]()
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        copies.first_copy(home, folder, WORDS)
        notes.append((home.path / homes.COPYING).read_bytes())
        faults.append(Says.COPY_FAILED(path=folder))
        folder.rename(tmp_path / f"{name} pulled")
    replaced(home.path / homes.COPYING, notes[0])
    told: list[tuple[Said, ...]] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            copies.keep, home, silent, lambda: told.append(tuple(home.faults))
        )
        await held(lambda: bool(told))
        replaced(home.path / homes.COPYING, notes[1])
        await held(lambda: len(told) > 1)
        nursery.cancel_scope.cancel()
    assert told == [(faults[0],), (faults[1],)]


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Path]:
    """Give a folder on another disk than the home."""
    other = Path("/dev/shm")
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("needs a second disk")
    with TemporaryDirectory(dir=other) as folder:
        yield Path(folder)


async def test_a_stick_that_was_pulled_out_leaves_a_folder_that_gets_no_copy(
    tmp_path: Path, looks: list[Home], stick: Path
) -> None:
    home, where = furnished(tmp_path / "home"), tmp_path / "stick"
    where.symlink_to(stick)  # as if it were mounted there
    copy = copies.first_copy(home, where, WORDS)
    where.unlink()
    where.mkdir()
    told: list[tuple[str, ...]] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            copies.keep, home, silent, lambda: told.append(tuple(map(str, home.faults)))
        )
        await held(lambda: bool(told))
        assert told == [(str(Says.COPY_FAILED(path=where)),)]
        assert list(where.iterdir()) == []
        assert copies.state(home, known=True).made == 0
        code, said = run(home.path, "backup")
        assert (code, str(where) in said) == (1, True), said
        where.rmdir()
        where.symlink_to(stick)
        await held(lambda: len(told) > 1)
        assert told[1:] == [()]
        nursery.cancel_scope.cancel()
    assert opened(copy)["key.pem"] == b"a key"


async def test_a_copy_that_somebody_has_deleted_is_made_anew(
    tmp_path: Path, looks: list[Home]
) -> None:
    home = furnished(tmp_path / "home")
    copy = copies.first_copy(home, place(tmp_path), WORDS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(copies.keep, home, silent, lambda: None)
        await held(lambda: len(looks) > 3)
        copy.unlink()
        await held(copy.exists)
        nursery.cancel_scope.cancel()
    assert opened(copy)["key.pem"] == b"a key"


def test_a_new_key_writes_over_no_copy_of_the_old_one(tmp_path: Path) -> None:
    home = furnished(tmp_path / "home")
    first = copies.first_copy(home, place(tmp_path), WORDS)
    home.key.write_text("another key", "utf-8")
    second = copies.first_copy(home, place(tmp_path), WORDS)
    assert first != second
    assert opened(first)["key.pem"] == b"a key"
    assert opened(second)["key.pem"] == b"another key"


@pytest.mark.skipif(os.name == "nt", reason="rights of Unix")
def test_nobody_else_reads_a_copy_or_what_opens_it(tmp_path: Path) -> None:
    home = furnished(tmp_path / "home")
    copy = copies.first_copy(home, place(tmp_path), WORDS)
    for path in (copy, home.path / homes.COPYING):
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["{none}"], "is no folder: make it, or name another one"),
        (["{inside}"], "would be lost together with what it is a copy of"),
        (["{there}", "--off"], "say the folder, or --off"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    tmp_path: Path, phrase: str, words: list[str], told: str
) -> None:
    home = furnished(tmp_path / "home")
    (home.path / "matches").mkdir(exist_ok=True)
    known = {
        "none": str(tmp_path / "none"),
        "inside": str(home.matches),
        "there": str(place(tmp_path)),
    }
    before = files(home.path)
    said = [word.format(**known) for word in words]
    code, text = run(home.path, "backup", *said, "--passphrase-file", phrase)
    assert (code, told in text) == (2, True), text
    assert files(home.path) == before
    assert not list(place(tmp_path).iterdir())


def test_the_copy_is_made_anew_and_a_disk_that_is_full_by_then_is_told(
    tmp_path: Path,
) -> None:
    home = furnished(tmp_path / "home")
    copy = copies.first_copy(home, place(tmp_path), WORDS)
    (home.matches / "01.netplay").write_bytes(b"new")
    code, said = run(home.path, "backup")
    assert (code, str(copy) in said) == (0, True), said
    assert opened(copy)["matches/01.netplay"] == b"new"

    (home.matches / "02.netplay").write_bytes(b"newer")
    with room_for(64):
        code, said = run(home.path, "backup")
    assert (code, str(Says.COPY_FAILED(path=copy.parent)) in said) == (1, True), said
    assert says(said, Says.COPY_THERE, path=copy), "the last one is whole"
    assert "matches/02.netplay" not in opened(copy)


def test_a_first_copy_for_which_there_is_no_room_is_none(
    tmp_path: Path, phrase: str
) -> None:
    home = furnished(tmp_path / "home").path
    before = files(home)
    words = ("backup", str(place(tmp_path)), "--passphrase-file", phrase)
    with room_for(64):
        code, said = run(home, *words)
    assert (code, str(place(tmp_path)) in said) == (1, True), said
    assert files(home) == before
    assert not list(place(tmp_path).iterdir())


def test_without_a_copy_that_is_said(tmp_path: Path) -> None:
    home = furnished(tmp_path / "home").path
    (home / homes.COPYING).unlink()
    none = "there is no copy of what is here: netplay backup DIR\n"
    assert run(home, "backup") == (1, none)
    assert run(home, "backup", "--off") == (0, none)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"folder": 1, "salt": "?"}'])
def test_a_damaged_note_of_it_is_none(tmp_path: Path, text: str) -> None:
    home = Home(tmp_path)
    (tmp_path / homes.COPYING).write_text(text, "utf-8")
    assert copies.kept(home) is None


@pytest.mark.parametrize("setting", ["", "off", "on"])
@pytest.mark.parametrize("known", [True, False])
def test_copies_are_offered_to_who_has_friends_and_has_not_said_no(
    tmp_path: Path, setting: str, known: bool
) -> None:
    home = furnished(tmp_path / "home")
    (home.path / "settings.json").unlink()
    if setting:
        home.set(copies.OFFERED, setting)
    offered = copies.state(home, known=known).offers
    assert offered is (known and setting != "off")
    home.key.unlink()
    assert not copies.state(home, known=known).offers
