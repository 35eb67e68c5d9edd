"""Boards and moves of whole matches as text: nothing stays English elsewhere."""

import re
from collections.abc import Iterator
from itertools import islice

import pytest

from netplay import language
from netplay.language import LANGUAGES, _, ngettext
from netplay.text import writer
from rules import GAMES
from tests.rules.matches import pool
from tools.texts import found

NAMES = ("①", "②", "③", "④")

MOVES = 300
"""Of each match, at most."""


@pytest.fixture(params=[each for each in LANGUAGES if each != "en"])
def tongue(request: pytest.FixtureRequest) -> Iterator[str]:
    language.speak(request.param)
    yield request.param
    language.speak("en")


def words(texts: Iterator[str]) -> set[str]:
    """Return the words of some texts, without their values."""
    plain = (re.sub(r"{\w+}", " ", text).lower() for text in texts)
    return {word for text in plain for word in re.findall(r"[^\W\d_]{4,}", text)}


def english(game: str) -> set[str]:
    """Return the words of a game's texts that the language in use does not have."""
    folder = found.ROOT / "netplay/text"
    paths = [folder / f"{game}.py", folder / "phrases.py"]
    forms = [form for path in paths if path.exists() for form in found.marked(path)]
    said = (
        ngettext(*form, count) if len(form) == 2 else _(form[0])
        for form in forms
        for count in range(1, 7)
    )
    return words(text for form in forms for text in form) - words(said)


@pytest.mark.parametrize("game", GAMES)
def test_no_word_of_a_match_stays_english(game: str, tongue: str) -> None:
    foreign, text = english(game), writer(game)
    assert len(foreign) > 5
    shown = set[str]()
    for match in pool(game):
        names = NAMES[: match.seats]
        steps = zip(match.states, match.log, strict=False)
        for before, (actor, move) in islice(steps, MOVES):
            shown |= words(iter((text.line(before, actor, move, names),)))
        for state in (match.states[0], *match.states[:MOVES:20], match.states[-1]):
            shown |= words(iter((text.board(state, names), text.board(state))))
    assert not shown & foreign, tongue


@pytest.mark.parametrize("game", GAMES)
def test_what_can_be_typed_is_told_in_the_language(game: str, tongue: str) -> None:
    typed = writer(game)
    told = dict(typed.ways())
    language.speak("en")
    assert not [way for way, text in typed.ways() if told[way] == text], tongue
