"""Words that the player has missed, asked for in the dictionary's dialog."""

from msgspec.structs import replace

from client.app.model import Model
from client.app.settings import Settings
from client.pages import review, screen
from client.ui.intents import Click, Focus, Key, Text
from client.ui.scene import walk
from netplay import drill
from netplay.drill import Missed
from netplay.messages.table_questions import Offer
from rules import lexicon
from tests.client import test_reviewing as reviews
from tests.client.worlds import asks, base, fed, status

DAY = 739_578
ENGLISH = lexicon.shipped()["english"]


def opened(*words: str, day: int = DAY) -> Model:
    missed = tuple(Missed(ENGLISH, word, DAY) for word in words)
    model = replace(base(), settings=Settings(missed=missed), day=day)
    return fed(model, status(), Click("dictionary"), Focus("field.word"))


def said(model: Model) -> str:
    return next(n.text for n in walk(screen.scene(model)) if n.name == "book.said")


def typed(model: Model, word: str) -> Model:
    return fed(model, Text(word), Key("enter", down=True))


def test_the_review_of_a_game_finds_words_that_were_missed() -> None:
    model = reviews.opened()
    assert model.match is not None
    found = reviews.mistake(model)
    before = model.match.past[found.number - model.match.missed].before
    better = found.best[0].sums[0].partition(":")[0]
    own = drill.with_missed((), before, found, DAY)
    assert [each.word for each in own] == [better]
    assert drill.with_missed(own, before, found, DAY) == own
    assert better in [each.word for each in model.settings.missed]

    for other in (
        replace(found, at_sight=True),
        replace(found, grade="none"),
        replace(found, best=()),
        replace(found, best=(replace(found.played, chance=9999),)),  # a better square
        replace(found, best=(Offer("", 0, (), ()),)),
    ):
        assert drill.with_missed((), before, other, DAY) == ()
    assert review.spelled(found.best[0])


def test_a_word_is_asked_for_by_its_letters_until_it_was_found_on_two_days() -> None:
    model = fed(opened("RETAINS"), Click("book.drill"))
    assert "A E I N R S T" in said(model)
    assert "RETAINS" not in said(model)
    assert asks(model, Text("retains"), Key("enter", down=True)) == []  # it is here
    right = typed(model, "retains")
    assert "Yes, RETAINS." in said(right)
    assert "No more words for today." in said(right)
    (kept,) = right.settings.missed
    assert (kept.found, kept.due) == (1, DAY + drill.LATER)
    later = replace(opened(day=DAY + 3), settings=right.settings)
    known = typed(fed(later, Click("book.drill")), "RETAINS")
    assert known.settings.missed == ()


def test_another_word_of_the_same_letters_is_right_and_a_wrong_one_is_told() -> None:
    model = fed(opened("RETAINS", "ZEBRA"), Click("book.drill"))
    other = typed(model, "NASTIER")
    assert "Yes, NASTIER." in said(other)
    assert "A B E R Z" in said(other)  # the next one
    for no in ("BRAZE", "ZEBR", "ZEBRAS", "?"):
        wrong = typed(other, no)
        right = lexicon.find(ENGLISH).has([ord(c) - 65 for c in no if c.isalpha()])
        told = "No: it was ZEBRA." in said(wrong)
        assert told is not (right and sorted(no) == sorted("ZEBRA"))
        due = {each.word: each.due for each in wrong.settings.missed}
        assert due["ZEBRA"] == (DAY + 1 if told else DAY + drill.LATER)


def test_without_missed_words_the_button_rests_and_a_word_is_looked_up() -> None:
    model = opened()
    assert not next(
        n for n in walk(screen.scene(model)) if n.name == "book.drill"
    ).enabled
    assert asks(model, Text("zebra"), Key("enter", down=True)) != []
    gone = replace(model, settings=Settings(missed=(Missed("0" * 64, "ABC", 1),)))
    assert drill.due(gone.settings.missed, DAY) == []  # its list is not here


def test_tiles_of_several_letters_are_one() -> None:
    spanish = Missed(lexicon.shipped()["spanish"], "COCHE", DAY)
    assert drill.letters(spanish) == "C CH E O" or "CH" in drill.letters(spanish)
    assert drill.is_right(spanish, "coche")
    assert not drill.is_right(spanish, "choce")


def test_an_accent_that_no_tile_has_may_be_typed() -> None:
    missed = Missed(lexicon.shipped()["french"], "ELEVE", DAY)
    assert drill.is_right(missed, "élève")
    assert not drill.is_right(missed, "élevé!")
