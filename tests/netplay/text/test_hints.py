"""Hints: what the node advises is a code with values, or the same in every language."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from netplay import language
from netplay.language import phrase
from netplay.said import Said, Saying
from netplay.sentences import SAYINGS, Says
from netplay.text import lhexicon, networdz, writer
from rules import GAMES
from rules.game import Resign
from rules.lhexicon import Accept, Challenge, Insist, Withdraw
from rules.networdz import Pass, Trade
from rules.tiles import Shown
from tests.rules.networdz.positions import lay, position

TYPED = [game for game in GAMES if not GAMES[game].ABOUT.hz]

ADVICE = [says for says in SAYINGS.values() if says.name.startswith("HINT_")]


@pytest.fixture(params=["de", "es", "fr", "ru"])
def tongue(request: pytest.FixtureRequest) -> Iterator[str]:
    language.speak(request.param)
    yield request.param
    language.speak("en")


def played(name: str, rng: Random) -> Iterator[tuple[Any, int, Any]]:
    """Yield views, seats on turn and moves that they may make."""
    game = GAMES[name]
    state = game.start(2, game.ABOUT.options())
    for _ in range(60):
        actor = next(iter(sorted(game.actors(state))), None)
        if actor is None:
            return
        moves = list(islice(game.moves(state, actor), 40))
        if actor >= 0:
            view = game.view(state, actor)
            yield from ((view, actor, move) for move in moves)
        state = game.play(state, actor, rng.choice(moves))


def _way(hint: str) -> str:
    """Return the keys by which a word of Lhexicon goes on."""
    found = re.search(r" ([dewqas]+) = \d+$", hint)
    return "" if found is None else found[1]


@pytest.mark.parametrize("name", TYPED)
def test_a_hint_has_a_code_or_words_of_no_language(name: str) -> None:
    found = [
        writer(name).hint(view, seat, move)
        for view, seat, move in played(name, Random(3))
        if not isinstance(move, Resign)
    ]
    assert len(found) > 20
    for hint in found:
        assert hint
        said = str(hint).replace(f" {_way(str(hint))} = ", " = ")  # keys, no word
        assert isinstance(hint, Said) or not re.search("[a-z]{2}", said), hint


@pytest.mark.parametrize("says", ADVICE)
def test_every_hint_is_told_in_the_users_language(says: Saying, tongue: str) -> None:
    values = dict.fromkeys(re.findall(r"{(\w+)}", says.value), "X")
    said = says(**values)
    assert phrase(said) != str(said), tongue


def test_a_word_is_advised_as_it_is_typed_and_letters_by_what_they_are() -> None:
    state = position(
        "SOATEEE", "EATTTTX", bag="UVWXYZZ", board=[("across", 7, 6, "CaT")]
    )
    word = lay(state, "across", 7, 9, "S")
    assert networdz.hint(state, 0, word) == "8G CATS 6 = 6"
    blank = position(
        "?OATEEE", "EATTTTX", bag="UVWXYZZ", board=[("across", 7, 6, "CaT")]
    )
    small = lay(blank, "across", 7, 9, "s")
    told = networdz.hint(blank, 0, small)
    assert told == "8G CATs 5 = 5"
    assert networdz.read(blank, 0, " ".join(told.split()[:2])) == small
    first, second = state.tiles.racks[0][:2]
    exchange = networdz.hint(state, 0, Pass((first, second)))
    assert exchange == Says.HINT_EXCHANGE(letters="S O")
    assert networdz.hint(state, 0, Pass()) == Says.HINT_PASS()
    trade = Trade(112, (Shown(first, state.tiles.kinds[0][0]),))
    assert networdz.hint(state, 0, trade) == Says.HINT_TRADE(letters="S", where="8H")
    assert networdz.hint(state, 0, Resign()) == ""


def test_answers_to_a_word_are_advised_by_name() -> None:
    game = GAMES["lhexicon"]
    view = game.start(2, game.ABOUT.options())
    said = [
        lhexicon.hint(view, 0, move)
        for move in (Accept(), Challenge(), Withdraw(), Insist())
    ]
    assert [str(words) for words in said] == [
        "accept the word", "challenge the word", "withdraw the word",
        "stand by the word",
    ]  # fmt: skip
