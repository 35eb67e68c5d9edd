from pathlib import Path

import pytest

from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.peering.peers import ADDRESSES_A_PEER, KnownPeers, Peer

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
        assert part in str(caught.value.detail)


def test_what_a_caller_says_of_its_address_pins_nothing(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=False)
    assert peers.addresses(ANNA) == ("here:1",)
    peers.check("here:1", BEN)


def test_an_address_can_be_forgotten(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "", "here:1", dialled=True)
    assert peers.forget("here:1")
    KnownPeers(tmp_path / "peers").check("here:1", BEN)
    assert not peers.forget("here:1")


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


def test_a_node_can_be_forgotten_with_every_address(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    peers.met(ANNA, "Anna", "there:1", dialled=True)
    assert peers.knows(ANNA)
    assert list(peers.all()) == [
        (ANNA, Peer("Anna", ("there:1", "here:1")), ("here:1", "there:1"))
    ]
    assert peers.forget_key(ANNA)
    assert not peers.forget_key(ANNA)
    again = KnownPeers(tmp_path / "peers")
    assert not again.knows(ANNA)
    again.check("here:1", BEN)
    again.check("there:1", BEN)


def test_a_crowd_of_strangers_does_not_fill_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("netplay.peering.peers.PEERS_REMEMBERED", 3)
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    for number in range(9):
        peers.met(bytes([number]) * 32, "x", "", dialled=False)
    kept = [key[0] for key, _, _ in KnownPeers(tmp_path / "peers").all()]
    assert kept == [ANNA[0], 6, 7, 8]


def test_who_was_met_again_is_not_the_first_to_be_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("netplay.peering.peers.PEERS_REMEMBERED", 2)
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=False)
    peers.met(BEN, "Ben", "", dialled=False)
    peers.met(ANNA, "Anna", "here:2", dialled=False)
    peers.met(b"c" * 32, "Cleo", "", dialled=False)
    assert peers.knows(ANNA)
    assert not peers.knows(BEN)
