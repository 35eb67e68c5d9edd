from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from netplay.messages.node_questions import Personal
from netplay.peering.peers import KnownPeers, alike, looks
from netplay.sentences import Says

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
        ("Bert", "\u13f4ert"),  # Cherokee
        ("Will", "\u13d4ill"),
        ("Otto", "\u0555tto"),  # Armenian
        ("Susi", "\u054fusi"),
        ("hugo", "\u0570ugo"),
        ("Nina", "\u0572ina"),
        ("Bert", "\u2c82ert"),  # Coptic
        ("Hans", "\u2d41ans"),  # Tifinagh
        ("Bert", "\ua4d0ert"),  # Lisu
        ("Bert", "\u15f7ert"),  # Canadian
        ("Anna", "\U000102a0nna"),  # Carian
        ("Olaf", "\u0b20laf"),  # Oriya
        ("Olaf", "\u05e1laf"),  # Hebrew
        ("Lars", "\u029fars"),  # a small capital
        ("Bert", "\u0181ert"),  # with a hook
        ("Zoe", "\u01b5oe"),  # with a bar
        ("Ole", "\u019fle"),
        ("Bert", "\U0001f171ert"),  # in a box
        ("Bert", "\u24d1\u24d4\u24e1\u24e3"),  # in circles
        ("Ali", "\u2200li"),
        ("Bert", "Ber\u2020"),
        ("Peter", "\u2374eter"),
        ("Eva", "Ev\u13aa"),
        ("Bert", "B\u0488ert"),  # in a ring
        ("\u0395\u039b\u0395\u039d\u0397", "\u0395\u03bb\u03ad\u03bd\u03b7"),  # Eleni
        ("\u0417\u043e\u044f", "\u0437\u043e\u044f"),  # Zoya
        ("\u042e\u043b\u0438\u044f", "\u044e\u043b\u0438\u044f"),  # Yuliya
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bert", "Berta"),
        ("Anna", "Hanna"),
        ("Ben 6", "Ben 9"),
        ("李", "王"),
        ("♥", "★"),
        ("", ""),
        ("Нина", "Ника"),
        ("Hans", "Nans"),
    ],
)
def test_names_that_differ_are_not(one: str, other: str) -> None:
    assert not alike(one, other)


@given(st.text(max_size=24))
@example("CI")
@example("Ελένη")
@example("зЮж")
def test_case_and_spaces_never_make_another_name(name: str) -> None:
    bare = "".join(name.split())
    assert looks(name) == looks(bare)
    if looks(name):
        assert alike(name, name.upper())
        if name.lower().upper() == name.upper():  # not so for a few letters
            assert alike(name, name.lower())


@given(st.text(max_size=24), st.text(max_size=24))
def test_names_are_alike_both_ways(one: str, other: str) -> None:
    assert alike(one, other) == alike(other, one)
    assert alike(one, one) == bool(looks(one))


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
        assert str(found.doubt(OTHER, "bеrt")) == str(Says.ANOTHER_KEY(name="Bert"))
        assert str(found.doubt(EVE, "B E R T")) == str(Says.ANOTHER_KEY(name="Bert"))
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
    assert peers.trust_next("here:1")
    for found in (peers, KnownPeers(tmp_path / "peers")):
        assert found.doubt(BERT, "Bert")
        assert not found.doubt(EVE, "Bert")


def test_ones_own_name_is_known_too(tmp_path: Path) -> None:
    assert str(known(tmp_path).doubt(EVE, "anna", "Anna")) == str(Says.YOUR_NAME())


def test_friends_of_one_name_are_numbered_as_they_came(tmp_path: Path) -> None:
    peers = known(tmp_path)
    peers.befriend(BERT, "Bert")
    assert peers.called(BERT) == "Bert"
    peers.met(OTHER, "bert", "", dialled=False)
    assert peers.called(OTHER) == "bert", "a stranger takes no friend's name"
    peers.befriend(OTHER, "bert")
    peers.met(BERT, "Bert", "there:1", dialled=True)  # whoever was here last
    for found in (peers, KnownPeers(tmp_path / "peers")):
        assert found.called(BERT) == "Bert (1)"
        assert found.called(OTHER) == found.own_name(OTHER, "bert") == "bert (2)"
        assert found.own_name(OTHER, "Computer") == "Computer"
        names = found.names()
        assert found.one_named(names, "Bert (1)") == BERT
        assert found.one_named(names, "BERT (2)") == OTHER
    assert peers.forget_key(BERT)
    assert peers.called(OTHER) == "bert"


def test_a_name_of_ones_own_settles_which_of_two_is_meant(tmp_path: Path) -> None:
    peers = known(tmp_path)
    peers.befriend(BERT, "Bert")
    peers.befriend(OTHER, "Bert")
    assert peers.doubt(OTHER, "Bert")
    peers.describe(OTHER, Personal("Huber"))
    for found in (peers, KnownPeers(tmp_path / "peers")):
        assert (found.called(BERT), found.called(OTHER)) == ("Bert", "Huber")
        assert found.doubt(OTHER, "Bert") == ""
        assert found.one_named(found.names(), "huber") == OTHER
        # What a friend is called here is nobody else's name either.
        assert str(found.doubt(EVE, "Huber")) == str(Says.ANOTHER_KEY(name="Huber"))
        assert found.namesake(BERT, "hubеr") == "Huber"
    peers.met(BERT, "Huber", "here:1", dialled=True)
    assert {peers.called(BERT), peers.called(OTHER)} == {"Huber (1)", "Huber (2)"}
    assert str(peers.doubt(BERT, "Huber")) == str(Says.ANOTHER_KEY(name="Huber"))
