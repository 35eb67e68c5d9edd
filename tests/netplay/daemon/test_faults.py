"""Files of a home that are damaged or missing: each gets words."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.daemon.starting import Choice, assemble
from netplay.errors import Code, LocalError, PeerError
from netplay.home import Home
from netplay.journal import silent
from netplay.peering.identity import open_identity
from netplay.peering.peers import KnownPeers

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
    assert aside.name in again.damage
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


def test_damaged_settings_are_set_aside_and_said(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    home.settings.write_bytes(b'{"name": "An')
    home.set("beacon", "off")
    assert (home.path / "settings.json.damaged").read_bytes() == b'{"name": "An'
    assert any("settings.json.damaged" in fault for fault in home.faults)
    assert home.setting("beacon") == "off"


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
    assert any("new key" in fault for fault in home.faults)
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
    assert any("write" in fault for fault in open_to_all.faults)
    with open_to_all.hold():
        assert open_to_all.lock.stat().st_mode & 0o077 == 0
