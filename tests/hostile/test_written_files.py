"""Places at which somebody would have a file written: it is, or words say why not.

What lies there may be a pipe, a device, a folder, or a link that somebody else has laid
where the program writes before it renames; and the disk may be full.
"""

import errno
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import pytest
import trio

from netplay.__main__ import main
from netplay.daemon.serving import For, Serving
from netplay.errors import Code, LocalError
from netplay.home import Home, spare, write_whole
from netplay.journal import silent
from netplay.named_files import EDITION_BYTES, read_named
from netplay.record.store import write_copy
from netplay.sentences import Says
from netplay.table.resources import find_edition, put
from rules import editions
from tests.netplay.small_disks import room_for
from tests.said import says

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="has none of these"),
    pytest.mark.usefixtures("guessed_soon"),
]

SECONDS = 20
GAME = "#player1 A Anna\n#player2 B Bert\n>A: AEINRST 8D TRAINES +66 66\n"
PRECIOUS = b"somebody's, and no file of ours"


def nothing(path: Path) -> None:
    del path


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/full")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to(path.with_name("nobody"))


def no_folder(path: Path) -> None:
    path.parent.rmdir()


def a_file_for_a_folder(path: Path) -> None:
    path.parent.rmdir()
    path.parent.write_bytes(b"")


def _beside(path: Path) -> Path:
    """Return where the program writes first."""
    return path.with_name(path.name + ".new")


def a_pipe_beside(path: Path) -> None:
    os.mkfifo(_beside(path))


def a_folder_beside(path: Path) -> None:
    _beside(path).mkdir()


def a_link_beside(path: Path) -> None:
    _precious(path).write_bytes(PRECIOUS)
    _beside(path).symlink_to(_precious(path))


def what_a_killed_program_left(path: Path) -> None:
    _beside(path).write_bytes(b"half of it")


def _precious(path: Path) -> Path:
    return path.parent.with_name("precious")


WRITTEN = (nothing, a_link_to_nothing, a_link_beside, what_a_killed_program_left)
REFUSED = (
    a_pipe, a_device, a_folder, a_socket, a_link_to_itself, no_folder,
    a_file_for_a_folder, a_pipe_beside, a_folder_beside,
)  # fmt: skip

WRITERS: dict[str, Callable[[Path], list[str]]] = {
    "report": lambda path: ["report", str(path), "--force"],
    "gcg import": lambda path: ["gcg", "import", "game.gcg", str(path), "--force"],
    "words-import": lambda path: ["words", "import", "words", str(path), "--force"],
    "export": lambda path: [
        "export", str(path), "--force", "--passphrase-file", "phrase"
    ],
}  # fmt: skip


@contextmanager
def soon() -> Iterator[None]:
    """Fail what waits for something that never comes."""

    def late(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError("it waits for what never comes")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place in a folder, and beside that what the commands need."""
    home = Home(tmp_path / "home")
    home.prepare()
    home.key.write_text("a key")
    (tmp_path / "game.gcg").write_text(GAME)
    (tmp_path / "words").write_text("AA\nAB\n")
    (tmp_path / "phrase").write_text("correct horse battery\n")
    monkeypatch.setenv("NETPLAY_HOME", str(home.path))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder / "named"


@pytest.mark.parametrize("made", WRITTEN)
@pytest.mark.parametrize("writer", WRITERS)
def test_a_file_is_written_in_the_place_of_what_lay_there_and_nowhere_else(
    path: Path, made: Callable[[Path], None], writer: str
) -> None:
    made(path)
    with soon():
        assert main(WRITERS[writer](path)) == 0
    assert path.stat().st_size > 0
    assert not path.is_symlink()
    assert [each.name for each in path.parent.iterdir()] == ["named"]
    if made is a_link_beside:
        assert _precious(path).read_bytes() == PRECIOUS


@pytest.mark.parametrize("made", REFUSED)
@pytest.mark.parametrize("writer", WRITERS)
def test_a_place_where_no_file_can_be_is_named_and_stays_as_it_is(
    path: Path,
    made: Callable[[Path], None],
    writer: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made(path)
    there = set(path.parent.iterdir()) if path.parent.is_dir() else set()
    made_folder = writer == "words-import" and made is no_folder
    with soon():
        code = main(WRITERS[writer](path))
    said = capsys.readouterr().err.splitlines()
    if made_folder:  # a list of one's own may be the first in its folder
        assert code == 0
        return
    assert code in (1, 2)
    assert len(said) == 1
    assert str(path.parent) in said[0]
    assert set(path.parent.iterdir() if path.parent.is_dir() else ()) == there
    assert Home(path.parent.with_name("home")).moved_in() is None


@pytest.mark.parametrize("writer", WRITERS)
def test_a_full_disk_is_told_in_words_and_leaves_nothing(
    path: Path, writer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(PRECIOUS)
    with room_for(30), soon():
        assert main(WRITERS[writer](path)) == 1
    said = capsys.readouterr().err
    assert says(said, Says.FILE_AT_LIMIT)
    assert len(said.splitlines()) == 1
    assert [each.name for each in path.parent.iterdir()] == ["named"]
    assert path.read_bytes() == PRECIOUS


@pytest.mark.processes
@pytest.mark.parametrize("whom", ["here", "lan", "own"])
async def test_who_wants_pages_for_browsers_on_a_full_disk_is_told_so_at_once(
    tmp_path: Path, whom: For
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    serving = Serving(home, silent)
    async with trio.open_nursery() as nursery:
        with room_for(1), pytest.raises(LocalError) as caught, trio.fail_after(SECONDS):
            await serving.pages(nursery, whom)
        nursery.cancel_scope.cancel()
    assert caught.value.code is Code.DISK
    assert os.strerror(errno.EFBIG) in str(caught.value)


@contextmanager
def nobody() -> Iterator[None]:
    """Have no rights to files, though the tests be run by who has all."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


PLACED: dict[str, Callable[[Path], object]] = {
    "spare": lambda path: write_whole(spare(path, over=True), b"data"),
    "a match": lambda path: write_copy(spare(path, over=True), (b"entry",)),
    "put": lambda path: put(path, b"data"),
    "read": lambda path: read_named(path, EDITION_BYTES),
    "edition": lambda path: find_edition(str(path)),
}


@pytest.mark.parametrize(
    ("place", "closed"),
    [*((place, "folder") for place in PLACED), ("read", "file"), ("edition", "file")],
)
def test_what_its_owner_has_closed_to_us_is_named_with_that_reason(
    path: Path, place: str, closed: str
) -> None:
    path.write_bytes(PRECIOUS)
    editions.shipped()  # what is loaded late may lie where nobody may read
    os.chmod(path.parent if closed == "folder" else path, 0)  # noqa: PTH101 (either)
    reads = place in {"read", "edition"}
    folders = path.parents[1:4]
    modes = [each.stat().st_mode for each in folders]
    for each in folders:  # of the tests' own
        with suppress(OSError):
            each.chmod(0o755)
    try:
        with nobody(), soon(), pytest.raises((LocalError, OSError)) as refused:
            PLACED[place](path)
    finally:
        for each, mode in zip(folders, modes, strict=True):
            each.chmod(mode)
        path.parent.chmod(0o755)
    assert os.strerror(errno.EACCES) in str(refused.value)
    if isinstance(refused.value, LocalError):
        assert refused.value.code is (Code.BAD_EDITION if reads else Code.DISK)
    path.chmod(0o600)
    assert path.read_bytes() == PRECIOUS
