import stat
import sys
from pathlib import Path

import pytest
from platformdirs import user_data_path

from netplay.errors import Code, LocalError
from netplay.home import Home, find, read_json, write_whole
from netplay.home_folder import VARIABLE, home_name
from tests.netplay.small_disks import room_for


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_home_is_the_one_chosen_then_the_variable_then_the_usual(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "variable"))
    assert find(str(tmp_path / "option")).path == tmp_path / "option"
    assert find(None).path == tmp_path / "variable"
    monkeypatch.delenv(VARIABLE)
    assert find(None).path == user_data_path("netplay", appauthor=False)


@pytest.mark.skipif(sys.platform != "linux", reason="a rule of its desktops")
@pytest.mark.parametrize("base", ["", "/elsewhere/data", "relative"])
def test_the_usual_home_is_where_the_desktop_keeps_data(
    monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("XDG_DATA_HOME", base)
    wanted = (
        "/elsewhere/data" if base.startswith("/") else "/home/somebody/.local/share"
    )
    assert str(find(None).path) == home_name() == f"{wanted}/netplay"


def test_a_home_is_open_to_its_owner_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "deep" / "home")
    home.prepare()
    assert mode(home.path) == 0o700
    assert home.matches.is_dir()
    assert home.words.is_dir()


def test_a_home_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LocalError) as caught:
        Home(tmp_path / "file" / "home").prepare()
    assert caught.value.code is Code.DISK


def test_one_node_at_a_time_holds_a_home(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with home.hold(), pytest.raises(LocalError) as caught:
        home.hold()
    assert caught.value.code is Code.USAGE
    home.hold().close()


def test_settings_are_kept(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.setting("name") == ""
    home.set("name", "Änne")
    home.set("port", "4")
    assert Home(tmp_path).setting("name") == "Änne"
    assert Home(tmp_path).setting("port") == "4"


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"\xff", b"null", b"[" * 100_000])
def test_a_damaged_file_counts_as_empty(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    assert read_json(tmp_path / "x") == {}


def test_a_file_is_replaced_whole_and_privately(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert mode(path) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LocalError) as caught:
        write_whole(tmp_path / "missing" / "x", b"")
    assert caught.value.code is Code.DISK


def test_a_file_for_which_there_is_no_room_leaves_what_was_there_and_no_half(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x"
    write_whole(path, b"one")
    with room_for(100), pytest.raises(LocalError):
        write_whole(path, bytes(1000))
    assert path.read_bytes() == b"one"
    assert [p.name for p in tmp_path.iterdir()] == ["x"]
