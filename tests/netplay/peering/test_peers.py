import json
from pathlib import Path
from typing import Any

import pytest

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.messages.node_questions import Personal
from netplay.peering.peers import ADDRESSES_A_PEER, KnownPeers, Peer
from netplay.wire import pack

ANNA, BEN, CYD = b"a" * 32, b"b" * 32, b"c" * 32

NOBODY = KnownPeers(None)
"""Of whom nothing was noted."""


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
    assert peers.trust_next("here:1")
    KnownPeers(tmp_path / "peers").check("here:1", BEN)
    assert not peers.trust_next("here:1")


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


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ('"named": 0', '"named": 1e999'),
        ('"seen": 1795889063', '"seen": 17e5889063'),
        ('"here:1"', '"\\ud800"'),
        ('"name": "Anna"', '"game": "Anna"'),
        ('"addresses": [', '"addresses": 7, "was": ['),
    ],
)
def test_what_is_damaged_of_one_friend_costs_no_other(
    tmp_path: Path, was: str, becomes: str
) -> None:
    path = tmp_path / "peers"
    peers = KnownPeers(path)
    for key, name in ((ANNA, "Anna"), (BEN, "Ben"), (CYD, "Cyd")):
        peers.met(key, name, f"{name}:1".replace("Anna", "here"), dialled=False)
        peers.befriend(key, name)
        peers.saw(key, 1795889063)
    text = path.read_text()
    assert was in text
    path.write_text(text.replace(was, becomes, 1))
    left = KnownPeers(path)
    assert left.damage
    assert [left.name(key) for key in (BEN, CYD)] == ["Ben", "Cyd"]
    for _key, peer, _trusted in left.all():
        pack(peer.addresses)


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


def test_what_the_player_notes_of_a_friend_outlives_restarts_and_meetings(
    tmp_path: Path,
) -> None:
    noted = Personal("Annie", "met\nin Ulm", "ä", "green")
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    peers.describe(ANNA, noted)
    kept = Personal("Annie", "met in Ulm", "Ä", "green")
    again = KnownPeers(tmp_path / "peers")
    assert {k: p.personal for k, p, _trusted in again.all()} == {ANNA: kept}
    again.met(ANNA, "Anna B.", "there:2", dialled=False)
    assert (again.called(ANNA), again.name(ANNA)) == ("Annie", "Anna B.")
    assert again.own_name(ANNA, "Anna B.") == "Annie"
    assert again.own_name(ANNA, "Computer 2") == "Computer 2", "a seat of that node"
    again.describe(ANNA, Personal())
    assert again.own_name(ANNA, "Anna B.") == "Anna B."
    assert KnownPeers(tmp_path / "peers").called(ANNA) == "Anna B."


@pytest.mark.parametrize(("own", "now"), [("Bella", "Bella"), ("", "Annabel")])
def test_games_call_a_friend_as_everything_else_does_whatever_it_was_called_then(
    tmp_path: Path, own: str, now: str
) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    peers.befriend(ANNA, "Anna")
    peers.describe(ANNA, Personal(own))
    peers.met(ANNA, "Annabel", "here:1", dialled=True)
    for known in (peers, KnownPeers(tmp_path / "peers")):
        assert known.own_name(ANNA, "Anna") == now
        assert known.own_name(ANNA, "Annabel") == now
        assert known.own_name(ANNA, "Computer 2") == "Computer 2"
        assert known.own_name(BEN, "Anna") == "Anna"


def test_what_is_noted_goes_along_when_a_friend_has_a_new_key(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    peers.befriend(ANNA, "Anna")
    peers.describe(ANNA, Personal("Annie"))
    peers.met(BEN, "Anna", "there:1", dialled=True)
    peers.succeed(ANNA, BEN, "Anna")
    assert peers.called(BEN) == "Annie"


@pytest.mark.parametrize("what", [7, ["x"], ["x", 1, 2, 3], ["x", "y", "z", "pink"]])
def test_a_file_that_notes_nonsense_loses_only_that(tmp_path: Path, what: Any) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(ANNA, "Anna", "here:1", dialled=True)
    peers.describe(ANNA, Personal("Annie"))
    found = json.loads((tmp_path / "peers").read_text())
    found["peers"][ANNA.hex()]["personal"] = what
    (tmp_path / "peers").write_text(json.dumps(found))
    again = KnownPeers(tmp_path / "peers")
    assert again.name(ANNA) == "Anna"


def test_who_is_called_exactly_so_is_meant_before_who_is_called_alike() -> None:
    names = {ANNA: "Ann", BEN: "Änn"}
    assert NOBODY.one_named(names, "Ann") == ANNA
    assert NOBODY.one_named(names, "Änn") == BEN
    with pytest.raises(LocalError):
        NOBODY.one_named(names, "ANN")
    assert NOBODY.one_named(names, fingerprint(BEN)) == BEN


def test_who_is_here_is_found_by_the_name_of_today() -> None:
    met = {ANNA: "Anna", BEN: "Ben"}
    assert NOBODY.one_met({BEN: "Benjamin"}, met, "Benjamin") == (BEN, "Benjamin")
    assert NOBODY.one_met({BEN: "Benjamin"}, met, "Anna") == (ANNA, "Anna")
    with pytest.raises(LocalError):
        NOBODY.one_met({BEN: "Benjamin"}, met, "Ben")


def test_who_goes_back_to_an_earlier_key_has_not_lost_it(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.befriend(ANNA, "Anna")
    peers.succeed(ANNA, BEN, "Anna")
    assert peers.heir(ANNA) == BEN
    assert peers.doubt(ANNA, "Anna")
    peers.succeed(BEN, ANNA, "Anna")
    again = KnownPeers(tmp_path / "peers")
    assert (again.heir(ANNA), again.heir(BEN)) == (b"", ANNA)
    assert not again.doubt(ANNA, "Anna")
    assert again.friends() == [ANNA]


def test_who_has_lost_two_keys_is_known_by_the_third_alone(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.befriend(ANNA, "Anna")
    peers.succeed(ANNA, BEN, "Anna")
    peers.succeed(BEN, CYD, "Anna")
    again = KnownPeers(tmp_path / "peers")
    assert [again.heir(key) for key in (ANNA, BEN, CYD)] == [CYD, CYD, b""]
    assert again.friends() == [CYD]
    assert again.doubt(ANNA, "Anna") == again.doubt(BEN, "Anna")


def test_a_name_is_whose_it_was_first_also_where_it_is_taken_later(
    tmp_path: Path,
) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.befriend(BEN, "Ben")
    peers.befriend(ANNA, "Anna")
    peers.met(BEN, "Anna", "", dialled=False)
    assert peers.doubt(BEN, "Anna")
    assert not peers.doubt(ANNA, "Anna")
    peers.befriend(b"c" * 32, "Ánna")
    assert peers.doubt(b"c" * 32, "Ánna")
    assert not peers.doubt(ANNA, "Anna")
