from pathlib import Path

import pytest

from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.peers import ADDRESSES_A_PEER, KnownPeers

ANNA, BEN = b"a" * 32, b"b" * 32


def test_the_first_key_at_an_address_is_trusted_and_remembered(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.check("here:1", ANNA)
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    again = KnownPeers(tmp_path / "peers")
    again.check("here:1", ANNA)
    assert again.name(ANNA) == "Anna"
    assert again.addresses(ANNA) == ("here:1",)


def test_another_key_at_a_known_address_stops_loudly(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    with pytest.raises(PeerError) as caught:
        peers.check("here:1", BEN)
    assert caught.value.code is Code.WRONG_KEY
    for part in ("Anna", fingerprint(ANNA), fingerprint(BEN), "here:1"):
        assert part in caught.value.detail


def test_what_a_caller_says_of_its_address_pins_nothing(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=False)
    assert peers.addresses(ANNA) == ("here:1",)
    peers.check("here:1", BEN)


def test_an_address_can_be_forgotten(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "", "here:1", dialled=True)
    assert peers.forget("here:1")
    assert not peers.forget("here:1")
    KnownPeers(tmp_path / "peers").check("here:1", BEN)


def test_the_latest_addresses_come_first_and_only_a_few_are_kept(
    tmp_path: Path,
) -> None:
    peers = KnownPeers(tmp_path / "peers")
    for number in range(9):
        peers.met(ANNA, "Anna", f"here:{number}", dialled=False)
    peers.met(ANNA, "Anna", "here:6", dialled=False)
    peers.met(ANNA, "Anna", "", dialled=False)
    assert peers.addresses(ANNA)[:3] == ("here:6", "here:8", "here:7")
    assert len(peers.addresses(ANNA)) == ADDRESSES_A_PEER


def test_nothing_is_written_when_nothing_is_new(tmp_path: Path) -> None:
    path = tmp_path / "peers"
    peers = KnownPeers(path)
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    path.unlink()
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    assert not path.exists()


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"peers": 3}',
        '{"peers": {"xx": {"name": "", "addresses": []}}}',
        '{"peers": {"00": {}}}',
        '{"answered": {"here": 4}}',
    ],
)
def test_a_damaged_file_knows_nobody(tmp_path: Path, text: str) -> None:
    path = tmp_path / "peers"
    path.write_text(text)
    assert KnownPeers(path).name(ANNA) == ""
    assert KnownPeers(path).addresses(ANNA) == ()
