"""What would offend is neither laid by computers nor offered; the lists keep it."""

from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from netplay.players import lhexicon as lhexicon_player
from netplay.players import networdz as networdz_player
from netplay.players.words.vocabulary import allowing, entries, offensive, unwanted
from netplay.review.appraising import appraise
from netplay.review.grading import Turn
from rules import lexicon, lhexicon, networdz
from rules.game import CHANCE
from rules.lexicon import load, shipped
from rules.networdz import Lay, Placed, State
from rules.wordlists import check, spell
from tests.rules.networdz.positions import dictionary, lay, options, position

RUDE = ("SHIT", "TITS", "SLUT", "TURD", "TWAT", "RAPE", "RAPED", "WHORE", "RETARD")
WORDS = "FUCK FUCKS CUT TACK SHIT THIS HIT HITS CAT AT TA TEA TON"


def ticking() -> Callable[[], float]:
    """Return a clock that goes on by a little whenever it is looked at."""
    ticks = count()
    return lambda: 0.0001 * next(ticks)


def words(digest: str) -> set[str]:
    alphabet = lexicon.find(digest).alphabet
    return {spell(alphabet, word) for word in offensive(digest)}


def laid(state: State, skill: int, seed: int = 1) -> str:
    """Return the letters that a computer player lays, "" if none."""
    seen = networdz.view(state, 0)
    move = networdz_player.choose(seen, 0, skill, Random(seed), clock=ticking())
    if not isinstance(move, Lay):
        return ""
    letters = networdz.ground(state.options).edition.alphabet
    return "".join(letters[tile.letter] for tile in move.laid)


@pytest.mark.parametrize("name", list(shipped()))
def test_every_language_has_a_list_on_its_tiles(name: str) -> None:
    tile = {letter for names in load(name).alphabet for letter in names}
    assert len(entries(name)) > 50
    for entry in entries(name):
        assert set(entry.removesuffix("*")) <= tile, entry
    assert len(words(shipped()[name])) > 100


def test_what_begins_alike_by_chance_is_not_meant() -> None:
    english = words(shipped()["english"])
    assert {"FUCKING", "WANKERS", "NIGGERS"} <= english
    assert english.isdisjoint(
        {"INJUNCTION", "NIGGARDLY", "SHITTAH", "RAPIER", "COONTIE"}
    )
    assert "BITE" in words(shipped()["french"]) and "BITE" not in english
    assert words(shipped()["spanish"]).isdisjoint({"MARIQUITA", "FOLLAJE"})
    assert words(shipped()["russian"]).isdisjoint({"СРАЖАТЬ", "МАНДАТ"})


def test_the_lists_keep_what_is_left_out() -> None:
    for name, digest in shipped().items():
        assert all(check(load(name), word) for word in words(digest))


def test_a_list_of_ones_own_goes_by_the_language_it_is_in() -> None:
    assert words(dictionary("FUCK CUT THE AND BITE HOUSE")) == {"FUCK"}
    assert words(dictionary("BITE MAISON TOUJOURS ENCULER AVEC")) == {"BITE", "ENCULER"}


@pytest.mark.parametrize("skill", [0, 30, 70, 99, 100])
def test_no_computer_lays_what_offends_unless_it_may(skill: int) -> None:
    state = position("FUCKTVV", "EEEEEEE", bag="ABCABCABC", opts=options(WORDS))
    assert {laid(state, skill, seed) for seed in range(8)} <= {"CUT", ""}
    with allowing(words_that_offend=True):
        assert "FUCK" in {laid(state, skill, seed) for seed in range(8)}
    assert laid(state, 100) == "CUT"


def test_words_across_count_as_well() -> None:
    board = [("across", 7, 4, "FUC")]
    # The K would make FUCK across whatever it begins; CAT alone goes without.
    known = options("FUCK KA CAT")
    state = position("KAVVVVV", "EEEEEEE", bag="ABCABCABC", board=board, opts=known)
    assert laid(state, 100) == ""
    with allowing(words_that_offend=True):
        assert laid(state, 100) == "KA"


def test_whoever_knows_the_word_may_lay_it() -> None:
    state = position("FUCKTVV", "EEEEEEE", bag="ABCABCABC", opts=options(WORDS))
    move = lay(state, "across", 7, 5, "FUCK")
    assert networdz.play(state, 0, move).scores[0] > 0


def test_the_best_plays_of_a_review_leave_it_out_and_the_play_made_stays() -> None:
    state = position("FUCKTVV", "EEEEEEE", bag="ABCABCABC", opts=options(WORDS))
    made = lay(state, "across", 7, 5, "FUCK")
    laid = tuple(Placed(tile.cell, tile.letter, tile.letter) for tile in made.laid)
    turn = Turn(1, 0, state, laid)
    judged = appraise(turn)
    assert judged.played.text.endswith("FUCK")
    assert {offer.text.split()[1] for offer in judged.best} == {"CUT"}
    with allowing(words_that_offend=True):
        assert appraise(turn).best[0].text.endswith("FUCK")


@pytest.mark.parametrize("skill", [40, 100])
def test_in_lhexicon_neither(skill: int) -> None:
    known = lexicon.read(
        lexicon.build(
            lhexicon.LETTERS,
            [
                [lhexicon.LETTERS.index(letter) for letter in word]
                for word in (*RUDE, "IT", "AT")
            ],
        )
    )
    lexicon.register(known)
    assert unwanted(known.digest)
    spelled: dict[bool, set[str]] = {False: set(), True: set()}
    for seed in range(30):
        state = lhexicon.start(1, lhexicon.Options(lexicon=known.digest))
        rng = Random(seed)
        while lhexicon.actors(state) == {CHANCE}:
            outcomes = list(lhexicon.moves(state, CHANCE))
            state = lhexicon.play(state, CHANCE, rng.choice(outcomes))
        for may, found in spelled.items():
            with allowing(words_that_offend=may):
                move = lhexicon_player.choose(
                    state, 0, skill, Random(1), clock=ticking()
                )
            if isinstance(move, lhexicon.Lay):
                found.add("".join(lhexicon.LETTERS[tile.letter] for tile in move.laid))
    assert spelled[False] == {"IT", "AT"}
    assert spelled[True] & set(RUDE)
