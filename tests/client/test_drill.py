"""Words that the player has missed, asked for in the dictionary's dialog."""

from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import replace
from typing_extensions import override

from client.app import settings
from client.app.model import Model, OnScreen
from client.app.settings import Settings
from client.pages import review, screen
from client.session import Session
from client.ui.intents import Click, Focus, Key, Text
from client.ui.scene import walk
from netplay import drill
from netplay.drill import Missed
from netplay.messages import door
from netplay.messages.node_questions import DefineWords
from netplay.messages.table_questions import Offer
from rules import lexicon
from tests.client import test_reviewing as reviews
from tests.client.clicking import meaning
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
    # Whether it is right is known here; only what it means is asked for.
    meant = [DefineWords(ENGLISH, ("RETAINS",))]
    assert asks(model, Text("retains"), Key("enter", down=True)) == meant
    right = typed(model, "retains")
    assert "Yes, RETAINS." in said(right)
    assert "A E I N R S T" not in said(right)
    (kept,) = right.settings.missed
    assert (kept.found, kept.due) == (1, DAY + drill.LATER)
    later = replace(opened(day=DAY + 3), settings=right.settings)
    known = typed(fed(later, Click("book.drill")), "RETAINS")
    assert known.settings.missed == ()


def test_the_drill_names_the_list_that_its_word_is_of() -> None:
    ours, theirs = (lexicon.shipped()[name] for name in ("english", "spanish"))
    missed = (Missed(theirs, "COCHE", DAY), Missed(ours, "RETAINS", DAY))
    model = replace(opened(), settings=Settings(missed=missed))
    model = fed(model, Click("book.drill"))
    assert said(model).startswith("Spanish: ")
    assert "English: " in said(typed(model, "coche"))


def test_another_word_of_the_same_letters_is_right_and_a_wrong_one_is_told() -> None:
    model = fed(opened("RETAINS", "ZEBRA"), Click("book.drill"))
    other = typed(model, "NASTIER")
    assert "Yes, NASTIER." in said(other)
    assert "A B E R Z" in said(other)  # the next one
    for no in ("BRAZE", "ZEBR", "ZEBRAS", "?"):
        wrong = typed(other, no)
        right = lexicon.find(ENGLISH).has([ord(c) - 65 for c in no if c.isalpha()])
        told = "ZEBRA." in said(wrong)
        assert told is not (right and sorted(no) == sorted("ZEBRA"))
        due = {each.word: each.due for each in wrong.settings.missed}
        assert due["ZEBRA"] == (DAY + 1 if told else DAY + drill.LATER)


@pytest.mark.parametrize("typed_in", ["nastier", "stainer", "wrong"])
def test_what_the_word_of_the_drill_means_is_told_behind_it(typed_in: str) -> None:
    model = fed(opened("RETAINS", "ZEBRA"), Click("book.drill"))
    told = "RETAINS" if typed_in == "wrong" else typed_in.upper()
    answered = typed(model, typed_in)
    asked = max(answered.asked)
    meant = door.Done(asked, data=f"{told}\tmeaning".encode())
    assert f"{told}.\nmeaning\n" in said(fed(answered, meant))
    assert "A B E R Z" in said(fed(answered, meant))  # the next one
    for nothing in (door.Done(asked), door.Failed(asked, 1)):
        assert said(fed(answered, nothing)) == said(answered)
    gone = typed(fed(answered, Focus("field.word")), "zebra")
    assert "says" not in said(fed(gone, meant))  # it is too late for that


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


class Quiet(Session):
    """A window without a screen, that has read what is kept."""

    def __init__(self, home: Path) -> None:
        own, _damaged = settings.load(home)
        super().__init__(replace(base(), settings=own), home)
        self.model = fed(replace(self.model, day=DAY), status())

    @override
    def on_screen(self, effect: OnScreen) -> None:
        """Nothing is shown."""

    def does(self, *events: Any) -> None:
        for event in events:
            click = isinstance(event, Click)
            self.on_event(meaning(screen.scene(self.model), event) if click else event)


def kept(home: Path) -> dict[str, int]:
    return {each.word: each.found for each in settings.load(home)[0].missed}


def test_what_a_terminal_and_a_window_ask_for_at_once_is_kept_by_both(
    tmp_path: Path,
) -> None:
    words = tuple(Missed(ENGLISH, word, DAY) for word in ("RETAINS", "ZEBRA", "QUIZ"))
    settings.store(tmp_path, Settings(missed=words, theme="dark"))
    session = Quiet(tmp_path)
    found = partial(drill.with_result, asked=words[0], day=DAY, found=True)
    drill.change(tmp_path, found)  # a terminal
    session.does(Click("dictionary"))  # the window reads what came of it
    session.does(Click("book.drill"))
    assert "A B E R Z" in said(session.model)
    drill.change(tmp_path, lambda each: (*each, Missed(ENGLISH, "OTTER", DAY)))
    session.does(Focus("field.word"), Text("zebra"), Key("enter", down=True))
    assert kept(tmp_path) == {"RETAINS": 1, "ZEBRA": 1, "QUIZ": 0, "OTTER": 0}
    drill.change(tmp_path, lambda each: each[:-1])
    session.model = replace(session.model, settings=replace(
        session.model.settings, theme="light", missed=session.model.settings.missed[1:]
    ))  # fmt: skip
    session.store()
    assert kept(tmp_path) == {"ZEBRA": 1, "QUIZ": 0}
    assert settings.load(tmp_path)[0].theme == "light"


def test_words_are_changed_by_one_program_after_another(tmp_path: Path) -> None:
    """Two that read and write at the same time would lose what the other has kept."""

    def added(name: int, each: drill.Kept) -> drill.Kept:
        return (*each, Missed(ENGLISH, f"A{name}", DAY))

    def many(first: int) -> None:
        for n in range(first, first + 25):
            drill.change(tmp_path, partial(added, n))

    both = [Thread(target=many, args=(first,)) for first in (0, 100)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert len(kept(tmp_path)) == 50


def test_a_damaged_file_stays_and_a_first_one_speaks_the_user_s_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / settings.FILE
    place.write_text("{nonsense", "utf-8")
    drill.change(tmp_path, lambda _: (Missed(ENGLISH, "OTTER", DAY),))
    assert place.read_text("utf-8") == "{nonsense"
    place.unlink()
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    drill.change(tmp_path, lambda _: (Missed(ENGLISH, "OTTER", DAY),))
    assert settings.load(tmp_path)[0].language == "de"
    assert kept(tmp_path) == {"OTTER": 0}


def test_of_more_words_than_are_kept_the_latest_stay_whoever_missed_them(
    tmp_path: Path,
) -> None:
    full = tuple(Missed(ENGLISH, f"W{n}", DAY) for n in range(drill.KEPT))
    here, there = Missed(ENGLISH, "HERE", DAY), Missed(ENGLISH, "THERE", DAY)
    settings.store(tmp_path, Settings(missed=(*full[1:], there)))
    own = Settings(missed=(*full[1:], here))
    settings.store(tmp_path, own, Settings(missed=full))
    assert settings.load(tmp_path)[0].missed == (*full[2:], there, here)
