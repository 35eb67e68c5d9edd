from pathlib import Path

import pytest

from netplay.errors import Code, LocalError
from netplay.peering import peers
from netplay.peering.peers import Blocked
from netplay.sentences import Says
from tests.said import like

ANNA, BEN = b"a" * 32, b"b" * 32


def test_who_is_blocked_stays_so_until_unblocked(tmp_path: Path) -> None:
    path = tmp_path / "blocked"
    Blocked(path).add(ANNA, "Anna")
    again = Blocked(path)
    assert ANNA in again
    assert BEN not in again
    assert again.all() == {ANNA: "Anna"}
    again.remove(ANNA)
    assert ANNA not in Blocked(path)


@pytest.mark.parametrize("free", [ANNA, BEN])
def test_who_is_unblocked_takes_nobody_else_along(tmp_path: Path, free: bytes) -> None:
    path = tmp_path / "blocked"
    names = {ANNA: "Anna", BEN: "Ben"}
    for key, name in names.items():
        Blocked(path).add(key, name)
    Blocked(path).remove(free)
    del names[free]
    assert Blocked(path).all() == names


def test_nobody_is_forgotten_to_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "BLOCKED", 1)
    found = Blocked(tmp_path / "blocked")
    found.add(ANNA, "Anna")
    with pytest.raises(LocalError, match=like(Says.BLOCKED_FULL)):
        found.add(BEN, "Ben")
    assert ANNA in Blocked(tmp_path / "blocked")


@pytest.mark.parametrize(
    "text", ["[]", "[" * 100_000, "{", '{"xx": "A"}', '{"aa": "A"}']
)
def test_a_damaged_file_lets_nobody_in_unnoticed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "blocked"
    path.write_text(text)
    with pytest.raises(LocalError, match=like(Says.BLOCKED_DAMAGED)) as caught:
        Blocked(path)
    assert caught.value.code is Code.DISK


def test_a_disk_that_fails_blocks_nobody_by_half(tmp_path: Path) -> None:
    found = Blocked(tmp_path / "nowhere" / "blocked")
    with pytest.raises(LocalError) as caught:
        found.add(ANNA, "Anna")
    assert caught.value.code is Code.DISK
    assert ANNA not in found
