"""What editions and word lists have in common: found by digest and by name."""

from importlib.resources.abc import Traversable

import pytest
from msgspec import Struct

from rules import GAMES, editions, lexicon
from rules.shelf import Shelf


class Page(Struct):
    digest: str


def shelf() -> tuple[Shelf[Page], list[str]]:
    opened: list[str] = []

    def read(place: Traversable) -> Page:
        opened.append(place.name)
        return Page(f"digest of {place.name}")

    return Shelf("editions", ".toml", read), opened


def test_what_is_shipped_is_found_by_name_and_by_digest_and_opened_once() -> None:
    made, opened = shelf()
    digest = made.shipped()["french"]
    assert digest == "digest of french.toml"
    assert made.find(digest) is made.load("french")
    assert opened.count("french.toml") == 1


def test_what_is_not_there_is_not_found() -> None:
    made, _opened = shelf()
    for look in (made.load, made.find):
        with pytest.raises(LookupError):
            look("klingon")


def test_a_name_of_the_users_own_stands_for_what_was_registered_last() -> None:
    made, _opened = shelf()
    made.register(Page("1"), "mine")
    made.register(Page("2"))
    made.register(Page("3"), "mine")
    made.register(Page("4"), "all mine")
    assert list(made.own().items()) == [("all mine", "4"), ("mine", "3")]
    assert [made.find(digest).digest for digest in "1234"] == list("1234")


def test_editions_and_word_lists_do_not_share_names() -> None:
    edition = editions.load("french")
    editions.register(edition, "shared-name")
    assert "shared-name" in editions.own()
    assert "shared-name" not in lexicon.own()


def test_a_name_that_is_forgotten_leaves_what_it_stood_for() -> None:
    made, _opened = shelf()
    made.register(Page("one"), "mine")
    made.forget("mine")
    made.forget("never heard of")

    with pytest.raises(LookupError):
        made.load("mine")
    assert made.find("one").digest == "one"


def test_a_game_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        GAMES["chess"]
