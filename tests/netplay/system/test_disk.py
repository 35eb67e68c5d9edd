"""Locks and syncs as each of the three systems has them."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from netplay.steady import boot, counted
from netplay.system import disk


class Module:
    """A system's own module that notes what is asked of it."""

    LK_NBLCK, LOCK_EX, LOCK_NB = 2, 2, 4

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.error: OSError | None = None

    def load(self, name: str) -> "Module":
        self.told.append((name,))
        return self

    def note(self, *words: Any) -> None:
        self.told.append(words)
        if self.error is not None:
            raise self.error

    locking = flock = fcntl = note


@pytest.mark.parametrize(
    ("platform", "told"),
    [
        ("linux", [("fcntl",), (7, 6)]),
        ("darwin", [("fcntl",), (7, 6)]),
        ("win32", [("msvcrt",), (7, 2, 1)]),
    ],
)
def test_each_system_locks_in_its_own_way_and_says_who_was_late(
    platform: str, told: list[Any]
) -> None:
    module = Module()
    disk.lock(7, platform, module.load)
    assert module.told == told
    module.error = OSError(errno.EACCES, "taken")
    with pytest.raises(OSError, match="taken"):
        disk.lock(7, platform, module.load)


def test_here_a_lock_is_this_process_s_until_the_file_is_closed(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    script = (
        "import sys; from netplay.system.disk import lock\n"
        "file = open(sys.argv[1], 'ab'); lock(file.fileno())"
    )

    def other() -> int:
        words = [sys.executable, "-c", script, str(place)]
        root = Path(__file__).parents[3]
        return subprocess.run(
            words, check=False, capture_output=True, cwd=root
        ).returncode

    with place.open("ab") as file:
        disk.lock(file.fileno())
        assert other() == 1
    assert other() == 0


def test_only_macos_needs_more_than_fsync_and_does_without_it_where_it_must(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, synced = Module(), list[int]()
    monkeypatch.setattr(os, "fsync", synced.append)
    assert disk.full_sync("linux", module.load) is None
    assert disk.full_sync("win32", module.load) is None
    assert module.told == []
    sync = disk.full_sync("darwin", module.load)
    assert sync is not None

    sync(9)
    assert module.told[-1] == (9, 51)
    assert synced == []

    module.error = OSError(errno.ENOTSUP, "not supported")
    sync(9)
    assert synced == [9]


def test_names_are_synced_where_folders_can_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    disk.sync_folder(tmp_path, "win32")
    assert synced == []
    if sys.platform != "win32":
        for platform in ("linux", "darwin"):
            disk.sync_folder(tmp_path, platform)
        assert len(synced) == 2
        with pytest.raises(OSError, match=os.strerror(errno.ENOENT)):
            disk.sync_folder(tmp_path / "none", "linux")


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_the_clock_of_each_system_goes_forward(platform: str) -> None:
    if platform == "linux" and sys.platform != "linux":
        pytest.skip("only Linux has CLOCK_BOOTTIME")
    first = counted(platform)
    assert 0 < first <= counted(platform)


def test_a_system_that_names_no_start_says_nothing(tmp_path: Path) -> None:
    assert boot(tmp_path / "none") == ""
    (tmp_path / "id").write_text("4f5c\n")
    assert boot(tmp_path / "id") == "4f5c"


def test_a_stick_that_is_put_in_is_found_where_each_system_shows_it(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home" / "anna"
    for name in ("media/anna/STICK", "run/media/anna/OTHER", "Volumes/Backup"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "Volumes" / "Macintosh HD").symlink_to("/")
    (tmp_path / "media" / "bert" / "THEIRS").mkdir(parents=True)

    linux = list(disk.other_disks("linux", home, tmp_path))
    macos = list(disk.other_disks("darwin", home, tmp_path))

    assert [one.name for one in linux] == ["STICK", "OTHER"]
    assert [one.name for one in macos] == ["Backup"]
    assert list(disk.other_disks("win32", home, tmp_path)) == []
