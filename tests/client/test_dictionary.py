"""The dictionary's dialog: what it asks of the node, and what it says."""

from typing import Any, Literal

import pytest
from msgspec.structs import replace

from client.app.model import Ask, Model, Over, Page
from client.pages import screen
from client.ui.intents import Click, Focus, Key, Text
from client.ui.scene import Node, find
from netplay.messages import door
from netplay.messages.node_questions import (
    ChangeWords,
    CheckWord,
    ExportWords,
    ImportWords,
    RateTiles,
    SearchWords,
)
from netplay.sentences import Says
from tests.client.clicking import update
from tests.client.worlds import at_match, base, fed, named, status, table
from tests.said import says


def dialog(**changes: Any) -> Model:
    return fed(base(), status(**changes), Click("dictionary"))


def shown(model: Model, name: str) -> Node:
    node = find(screen.scene(model), name)
    assert node is not None, name
    return node


def asked(model: Model, *events: Any) -> list[door.Question]:
    found: list[door.Question] = []
    for event in events:
        model, effects = update(model, event)
        found += [e.request.ask for e in effects if isinstance(e, Ask)]
    return found


def typed(model: Model, field: str, text: str) -> Model:
    return fed(model, Focus(field), Key("a", ctrl=True), Text(text))


def test_a_word_is_typed_and_checked_with_enter() -> None:
    model = typed(dialog(), "field.word", "Cat")
    assert asked(model, Key("enter")) == [CheckWord("networdz", "english", "Cat")]


@pytest.mark.parametrize("game", ["networdz", "numlo", "lhexicon"])
def test_it_begins_in_the_language_of_the_window(game: str) -> None:
    model = fed(base(), status())
    own = replace(model.settings, language="de")
    draft = replace(model.setup.draft, game=game)
    model = replace(model, settings=own, setup=replace(model.setup, draft=draft))
    model = fed(model, Key("f2"))
    assert (model.book.edition, model.book.words) == ("german", "german")
    # What the player chooses instead stays.
    place = model.edition_names.index("networdz")
    model = fed(model, Click("book.edition"), Click(f"book.edition:{place}"))
    model = fed(model, Key("escape"), Key("f2"))
    assert (model.book.edition, model.book.words) == ("networdz", "english")


@pytest.mark.parametrize("verb", ["add", "delete"])
def test_a_changed_list_of_the_programs_becomes_one_of_the_users(
    verb: Literal["add", "delete"],
) -> None:
    model = typed(dialog(), "field.word", "netplay")
    wanted = ChangeWords(verb, "networdz", "english", "my-english", "netplay")
    assert asked(model, Click(f"book.{verb}")) == [wanted]


def test_a_list_of_the_users_is_changed_in_its_place() -> None:
    model = dialog(dictionaries=("mine",))
    place = model.list_names.index("mine")
    model = fed(model, Click("book.words"), Click(f"book.words:{place}"))
    assert shown(model, "book.words").value == "mine"
    model = typed(model, "field.word", "netplay")
    assert asked(model, Click("book.add")) == [
        ChangeWords("add", "networdz", "mine", "mine", "netplay")
    ]


def test_files_are_imported_and_exported_by_their_whole_path() -> None:
    place = "/home/Anna/some words.txt"
    assert asked(dialog(), Click("book.import"), *named(place, "file")) == [
        ImportWords("networdz", "my-english", place)
    ]
    assert asked(dialog(), Click("book.export"), *named(place, "nothing")) == [
        ExportWords("networdz", "english", place)
    ]


def test_an_edition_brings_its_own_dictionary() -> None:
    model = dialog()
    place = model.edition_names.index("russian")
    model = fed(model, Click("book.edition"), Click(f"book.edition:{place}"))
    assert shown(model, "book.words").value == "Russian"
    assert shown(model, "field.list").value == "my-russian"


@pytest.mark.parametrize("page", ["table", "match"])
def test_words_stay_as_they_are_while_somebody_plays_from_elsewhere(page: str) -> None:
    model = fed(base(), status(table=table()))
    if page == "match":
        remote = table(match=b"m", phase="playing")
        model = fed(at_match(base()), status(table=remote))
    model = typed(fed(model, Click("dictionary")), "field.word", "netplay")
    for name in ("book.add", "book.delete", "book.import"):
        assert not shown(model, name).enabled, name
    for name in ("book.check", "book.export"):
        assert shown(model, name).enabled, name
    assert says(shown(model, "book.said").text, Says.DICTIONARY_IN_USE)


def test_words_that_only_the_host_has_are_looked_up_while_they_are_played() -> None:
    model = at_match(base())
    assert model.table is not None
    assert model.match is not None
    digest = model.match.state.options.lexicon
    theirs = replace(model.table, lexicon=digest[:8])
    model = fed(model, status(table=theirs), Key("f2"))
    model = typed(model, "field.word", "Cat")
    assert asked(model, Key("enter")) == [CheckWord("networdz", digest, "Cat")]
    assert shown(model, "book.words").value not in {"English", digest}
    assert shown(model, "field.list").value == "my-networdz"
    own = model.list_names.index("english")
    model = fed(model, Click("book.words"), Click(f"book.words:{own}"))
    assert shown(model, "book.words").value == "English"
    last = f"book.words:{len(model.list_names)}"
    model = fed(model, Click("book.words"), Click(last))
    assert asked(model, Key("enter"))[-1:] == [CheckWord("networdz", digest, "Cat")]


def test_the_answer_is_said_and_the_changed_list_is_looked_at() -> None:
    model = typed(dialog(), "field.word", "netplay")
    model, effects = update(model, Click("book.add"))
    (ask,) = [e for e in effects if isinstance(e, Ask)]
    assert says(shown(model, "book.said").text, Says.GOES_ON)
    assert not shown(model, "book.add").enabled  # one thing after the other
    model = fed(model, door.Done(ask.request.id, "added: 1", b"add"))
    assert shown(model, "book.said").text == "added: 1"
    assert model.book.words == "my-english"


def test_a_refusal_names_its_line_and_the_list_stays_the_one_looked_at() -> None:
    *typed, there = named("/a.txt", "file")
    model = fed(dialog(), Click("book.import"), *typed)
    model, effects = update(model, there)
    (ask,) = [e for e in effects if isinstance(e, Ask)]
    why = "line 3: BIRD does not come after DOG"
    model = fed(model, door.Failed(ask.request.id, 29, why))
    assert shown(model, "book.said").text == why
    assert (model.book.words, model.book.bad) == ("english", True)


def test_an_answer_that_comes_after_the_dialog_was_closed_is_a_notice() -> None:
    model = typed(dialog(), "field.word", "netplay")
    model, effects = update(model, Click("book.add"))
    (ask,) = [e for e in effects if isinstance(e, Ask)]
    model = fed(model, Key("escape"))
    assert model.over is Over.NONE
    model = fed(model, door.Done(ask.request.id, "added: 1", b"add"))
    assert model.notice is not None
    assert model.notice.text == "added: 1"


def test_the_match_goes_on_behind_the_dialog() -> None:
    model = fed(at_match(base()), Click("dictionary"))
    assert model.over is Over.DICTIONARY
    assert find(screen.scene(model), "board") is not None
    fresh = fed(model, door.Line("Bert", "Hurry!", 0))
    assert fresh.over is Over.DICTIONARY
    assert fresh.chat.lines[-1].text == "Hurry!"
    assert not shown(model, "book.use").enabled  # this game has its words


def test_the_dictionary_chosen_is_that_of_the_next_game() -> None:
    model = dialog(dictionaries=("mine",))
    place = model.list_names.index("mine")
    model = fed(model, Click("book.words"), Click(f"book.words:{place}"))
    model = fed(model, Click("book.use"), Click("close"))
    assert model.page is Page.START
    (ask,) = asked(model, Click("setup"))
    assert isinstance(ask, door.HostTable)
    assert (ask.game, ask.edition, ask.words) == ("networdz", "networdz", "mine")


def test_the_host_changes_the_dictionary_of_a_table_that_is_forming() -> None:
    model = fed(base(), status(table=table()), Click("dictionary"))
    place = model.list_names.index("german")
    model = fed(model, Click("book.words"), Click(f"book.words:{place}"))
    (ask,) = asked(model, Click("book.use"))
    assert isinstance(ask, door.ChangeTable)
    assert ask.table.words == "german"


def test_a_guest_does_not_choose() -> None:
    guest = table(hosting=False, waiting="")
    model = fed(base(), status(table=guest), Click("dictionary"))
    assert not shown(model, "book.use").enabled


def test_f2_opens_it_and_closes_it_again() -> None:
    model = fed(at_match(base()), Key("f2"))
    assert model.over is Over.DICTIONARY
    assert fed(model, Key("f2")).over is Over.NONE


def test_games_without_words_have_no_dictionary() -> None:
    model = fed(base(), status(table=table("numlo")))
    assert find(screen.scene(model), "dictionary") is None
    assert fed(model, Key("f2")).over is Over.NONE


def test_own_lists_can_be_chosen_on_the_table_page() -> None:
    own = {"dictionaries": ("mine",), "editions": ("tiny",)}
    model = fed(base(), status(table=table(), **own), Click("rules"))
    model = fed(model, Click("edition"))
    place = model.edition_names.index("tiny")
    assert shown(model, f"edition:{place}").value == "tiny"
    (ask,) = asked(model, Click(f"edition:{place}"))
    assert isinstance(ask, door.ChangeTable)
    assert ask.table.edition == "tiny"
    model = fed(model, Click("edition"), Click("words"))
    (ask,) = asked(model, Click(f"words:{1 + model.list_names.index('mine')}"))
    assert isinstance(ask, door.ChangeTable)
    assert ask.table.words == "mine"


@pytest.mark.parametrize("how", ["anagrams", "hooks", "pattern"])
def test_words_are_searched_by_a_click_and_stand_below(
    how: Literal["anagrams", "hooks", "pattern"],
) -> None:
    model = typed(dialog(), "field.word", "c?t")
    assert asked(model, Click(f"book.{how}")) == [
        SearchWords("networdz", "english", how, "c?t")
    ]
    model = fed(model, Click(f"book.{how}"))
    [number] = [n for n, what in model.asked.items() if what == f"words.{how}"]
    found = "\n".join(["CAT", "COT", *["CUT"] * 200]).encode()
    model = fed(model, door.Done(number, Says.WORDS_FIT(count=202), found))
    text = shown(model, "book.said").text
    many, words = text.split("\n", 1)
    assert says(many, Says.WORDS_FIT, count=202)
    assert words.startswith("CAT  COT  CUT")
    assert text.endswith("…")


def test_a_search_in_vain_says_so() -> None:
    model = typed(dialog(), "field.word", "zz")
    model = fed(model, Click("book.hooks"))
    [number] = [n for n, what in model.asked.items() if what == "words.hooks"]
    model = fed(model, door.Done(number, Says.NO_WORD_FITS()))
    assert shown(model, "book.said").text == str(Says.NO_WORD_FITS())


def test_what_tiles_are_worth_is_told_by_a_click() -> None:
    model = typed(dialog(), "field.word", "er?")
    assert asked(model, Click("book.worth")) == [
        RateTiles("networdz", "english", "er?")
    ]
