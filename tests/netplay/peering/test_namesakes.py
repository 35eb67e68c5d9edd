from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from netplay.peering.namesakes import likeness
from netplay.peering.peers import KnownPeers

BERT, OTHER, EVE = b"b" * 32, b"o" * 32, b"e" * 32


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bert", "bert"),
        ("Bert", "BERT "),
        ("Bert", "B e r t"),
        ("Bert", "Bert."),
        ("Bert", "Веrt"),  # the first two letters are Cyrillic
        ("Bert", "Bеrt"),
        ("Bert", "Bërt"),
        ("Bert", "\uff22ert"),
        ("Bert", "\U0001d401\U0001d41e\U0001d42b\U0001d42d"),
        ("Bill", "BiII"),
        ("Bill", "B1l|"),
        ("Anna", "Аnnа"),
        ("Otto", "0tt0"),
        ("Tom", "Torn"),
        ("Walter", "VValter"),
        ("ΑΝΝΑ", "ANNA"),
        ("СЕРГЕЙ", "сергеи"),
        ("Maße", "MASSE"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert likeness(one) == likeness(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bert", "Berta"),
        ("Anna", "Hanna"),
        ("Ben 6", "Ben 9"),
        ("李", "王"),
        ("♥", "★"),
    ],
)
def test_names_that_differ_are_not(one: str, other: str) -> None:
    assert likeness(one) != likeness(other)


@given(st.text(max_size=24))
@example("CI")
def test_case_and_spaces_never_make_another_name(name: str) -> None:
    bare = "".join(name.split())
    assert likeness(name) == likeness(bare)
    if bare.lower().upper() == bare.upper():  # not so for a few letters
        assert likeness(likeness(name)) == likeness(name)


def known(tmp_path: Path) -> KnownPeers:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(BERT, "Bert", "here:1", dialled=True)
    return peers


def test_a_name_is_the_first_ones_also_after_a_restart(tmp_path: Path) -> None:
    peers = known(tmp_path)
    peers.met(OTHER, "bеrt", "", dialled=False)
    peers.met(BERT, "Bert", "there:1", dialled=True)
    for found in (peers, KnownPeers(tmp_path / "peers")):
        assert found.doubt(BERT, "Bert") == ""
        assert str(found.doubt(OTHER, "bеrt")) == "another key than the Bert you know"
        assert str(found.doubt(EVE, "B E R T")) == "another key than the Bert you know"
        assert found.doubt(EVE, "Eve") == ""
        assert found.doubt(EVE, "") == ""


def test_who_takes_a_known_name_later_does_not_own_it(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(EVE, "Eve", "", dialled=False)
    peers.met(BERT, "Bert", "", dialled=False)
    peers.met(EVE, "Bert", "", dialled=False)
    assert peers.doubt(EVE, "Bert")
    assert not peers.doubt(BERT, "Bert")
    assert peers.forget_key(BERT)
    assert not peers.doubt(EVE, "Bert")


def test_who_is_trusted_no_more_owns_its_name_no_longer(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path / "peers")
    peers.met(EVE, "Bert", "", dialled=False)
    peers.met(BERT, "Bert", "here:1", dialled=True)
    assert peers.doubt(EVE, "Bert")
    assert peers.forget("here:1")
    for found in (peers, KnownPeers(tmp_path / "peers")):
        assert found.doubt(BERT, "Bert")
        assert not found.doubt(EVE, "Bert")


def test_ones_own_name_is_known_too(tmp_path: Path) -> None:
    assert str(known(tmp_path).doubt(EVE, "anna", "Anna")) == "goes by your own name"
