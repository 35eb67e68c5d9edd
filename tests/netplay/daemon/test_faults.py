"""Files of a home that are damaged or missing: each gets words."""

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.daemon.door import serve_door
from netplay.daemon.starting import Choice, assemble
from netplay.errors import Code, LocalError, PeerError
from netplay.faults import Faults
from netplay.home import Home
from netplay.journal import silent
from netplay.peering.identity import open_identity
from netplay.peering.peers import Blocked, KnownPeers
from netplay.sentences import Says
from netplay.table.resources import Kind, OwnFiles, Shelf
from netplay.web_devices import DEVICES
from rules import editions, lexicon
from tests.netplay.daemon.test_door import Butler
from tests.netplay.small_disks import room_for
from tests.said import says

ANNA, BEN = bytes(range(32)), bytes(32)


def home_of(folder: Path) -> Home:
    home = Home(folder / "home")
    home.prepare()
    return home


def known(path: Path) -> KnownPeers:
    peers = KnownPeers(path)
    peers.met(ANNA, "Anna", "10.0.0.1:4770", dialled=True)
    peers.met(BEN, "Ben", "10.0.0.2:4770", dialled=True)
    return peers


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 10**6), mask=st.integers(1, 127))
def test_one_flipped_byte_in_the_known_players_is_noticed_and_kept(
    tmp_path_factory: pytest.TempPathFactory, at: int, mask: int
) -> None:
    path = tmp_path_factory.mktemp("peers") / "peers.json"
    known(path)
    data = bytearray(path.read_bytes())
    data[at % len(data)] ^= mask
    before = json.loads(path.read_bytes())
    path.write_bytes(data)
    try:
        same = json.loads(data) == before  # a blank more or less
    except ValueError:
        same = False
    again = KnownPeers(path)
    if same:
        return
    aside = path.with_name("peers.json.damaged")
    assert aside.read_bytes() == data
    assert aside.name in str(again.damage)
    assert again.lost
    assert not KnownPeers(path).damage


def test_pins_that_can_be_read_of_a_damaged_list_still_stop_another_key(
    tmp_path: Path,
) -> None:
    path = tmp_path / "peers.json"
    known(path)
    path.write_bytes(b"?" + path.read_bytes())
    again = KnownPeers(path)
    with pytest.raises(PeerError) as caught:
        again.check("10.0.0.1:4770", BEN)
    assert caught.value.code is Code.WRONG_KEY


def test_pins_of_a_damaged_list_outlive_a_start_on_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "peers.json"
    known(path)
    data = b"?" + path.read_bytes()
    path.write_bytes(data)
    for size in (0, 300, len(data)):
        with room_for(size), contextlib.suppress(LocalError):
            KnownPeers(path)
        assert data in [p.read_bytes() for p in tmp_path.iterdir()]
    with pytest.raises(PeerError) as caught:
        KnownPeers(path).check("10.0.0.1:4770", BEN)
    assert caught.value.code is Code.WRONG_KEY


def test_damaged_settings_are_set_aside_and_said(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    home.settings.write_bytes(b'{"name": "An')
    home.set("beacon", "off")
    assert (home.path / "settings.json.damaged").read_bytes() == b'{"name": "An'
    assert any("settings.json.damaged" in str(fault) for fault in home.faults)
    assert home.setting("beacon") == "off"


@pytest.mark.parametrize("what", [b"", b'[{"name": "An', b"{}", None])
def test_a_damaged_list_of_paired_browsers_is_set_aside_and_said(
    tmp_path: Path, what: bytes | None
) -> None:
    home = home_of(tmp_path)
    path = home.path / DEVICES
    if what is None:
        path.mkdir()
    else:
        path.write_bytes(what)
    assemble(Choice(home, silent), 0.0)
    aside = path.with_name(f"{DEVICES}.damaged")
    assert any(aside.name in str(fault) for fault in home.faults)
    assert aside.is_dir() if what is None else aside.read_bytes() == what
    assert not path.exists()


def test_a_home_without_its_key_is_not_given_another_without_a_word(
    tmp_path: Path,
) -> None:
    home = home_of(tmp_path)
    first = open_identity(home).key
    known(home.peers)
    home.key.unlink()
    with pytest.raises(LocalError) as caught:
        assemble(Choice(home, silent), 0.0)
    assert "--new-key" in str(caught.value)
    assert not home.key.exists()
    second = open_identity(home, new=True).key
    assert second != first
    assert any(says(str(fault), Says.NEW_KEY) for fault in home.faults)
    assert open_identity(home).key == second


def test_a_damaged_list_and_settings_stand_in_the_status_of_a_node(
    tmp_path: Path,
) -> None:
    home = home_of(tmp_path)
    open_identity(home)
    known(home.peers)
    home.peers.write_bytes(home.peers.read_bytes()[:-20])
    home.settings.write_bytes(b"[]")
    assemble(Choice(home, silent), 0.0)
    assert len(list(home.faults)) == 2


def test_the_mode_of_a_folder_that_was_there_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o755)
    Home(folder).prepare()
    assert folder.stat().st_mode & 0o777 == 0o755
    assert (folder / "matches").stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    open_to_all = Home(folder)
    open_to_all.prepare()
    assert any("write" in str(fault) for fault in open_to_all.faults)
    with open_to_all.hold():
        assert open_to_all.lock.stat().st_mode & 0o077 == 0


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 10**6), mask=st.integers(1, 255))
def test_one_flipped_byte_in_words_that_came_from_others_is_noticed_and_kept(
    tmp_path_factory: pytest.TempPathFactory, at: int, mask: int
) -> None:
    folder = tmp_path_factory.mktemp("words")
    data = lexicon.build(("A", "B"), [(0, 1), (1, 0, 1)])
    Shelf(folder).keep(Kind.LEXICON, data)
    (path,) = folder.iterdir()
    damaged = bytearray(data)
    damaged[at % len(data)] ^= mask
    path.write_bytes(damaged)
    faults = Faults()
    Shelf(folder, faults=faults)
    (fault,) = faults
    aside = path.with_name(f"{path.name}.damaged")
    assert aside.name in str(fault)
    assert aside.read_bytes() == damaged
    assert not path.exists()
    Shelf(folder, faults=faults)
    assert len(list(faults)) == 1


def test_a_damaged_edition_of_others_stands_in_the_status_of_a_node(
    tmp_path: Path,
) -> None:
    home = home_of(tmp_path)
    edition = editions.find(editions.shipped()["german"])
    Shelf(home.words).keep(Kind.EDITION, editions.encode(edition))
    (path,) = home.words.iterdir()
    path.write_bytes(path.read_bytes()[:-3])
    stray = home.words / "notes.edition"
    stray.write_bytes(b"not ours")
    assemble(Choice(home, silent), 0.0)
    (fault,) = home.faults
    assert f"{path.name}.damaged" in str(fault)
    assert stray.exists()


def test_a_file_of_the_users_own_that_is_faulty_is_named_until_it_is_mended(
    tmp_path: Path,
) -> None:
    home = home_of(tmp_path)
    home.editions.mkdir()
    home.dictionaries.mkdir()
    mine, list_ = home.editions / "mine.toml", home.dictionaries / "ours.graph"
    mine.write_text("tiles = [")
    list_.write_bytes(b"")
    own = OwnFiles(home)
    own.refresh()
    own.refresh()
    one, two = home.faults
    assert says(str(one), Says.OWN_FILE_FAULTY, name="mine.toml")
    assert says(str(two), Says.OWN_FILE_FAULTY, name="ours.graph")
    assert mine.read_text() == "tiles = ["
    mine.write_bytes(b"PK\x03\xc5 an archive")
    own.refresh()
    assert any(says(str(one), Says.NOT_UTF_8, path="mine.toml") for one in home.faults)
    list_.unlink()
    mine.unlink()
    own.refresh()
    assert list(home.faults) == []


def test_a_folder_in_the_place_of_the_list_is_set_aside_and_said(
    tmp_path: Path,
) -> None:
    path = tmp_path / "peers.json"
    path.mkdir()
    again = KnownPeers(path)
    assert "peers.json.damaged" in str(again.damage)
    again.met(ANNA, "Anna", "10.0.0.1:4770", dialled=True)
    assert KnownPeers(path).knows(ANNA)


def test_a_folder_in_the_place_of_the_lock_is_a_sentence(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    home.lock.mkdir()
    with pytest.raises(LocalError) as caught:
        home.hold()
    assert caught.value.code is Code.DISK
    assert "lock" in str(caught.value)


async def test_a_folder_in_the_place_of_the_door_is_a_sentence(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    home.door.mkdir()
    with pytest.raises(LocalError) as caught:
        await serve_door(home, bytes(32), Butler())
    assert caught.value.code is Code.DISK
    assert "door" in str(caught.value)


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 10**6), mask=st.integers(1, 127))
def test_one_flipped_byte_in_the_blocked_lets_nobody_in_unnoticed(
    tmp_path_factory: pytest.TempPathFactory, at: int, mask: int
) -> None:
    path = tmp_path_factory.mktemp("blocked") / "blocked.json"
    Blocked(path).add(ANNA, "Anna")
    data = bytearray(path.read_bytes())
    data[at % len(data)] ^= mask
    path.write_bytes(data)
    try:
        assert ANNA in Blocked(path)  # a blank more or less
    except LocalError as error:
        assert error.code is Code.DISK
