"""The window in each of its languages: nothing left out, nothing cut off."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from msgspec.structs import replace

from client.app import options, settings
from client.app.model import Model, Over, Page
from client.pages import overlays, screen
from client.ui import texts
from client.ui.intents import Click
from client.ui.scene import Node, Role, top, walk
from netplay.errors import Code
from netplay.messages.table_questions import Appraisal
from netplay.said import TEMPLATES, Said, fields, filled, known, listed
from netplay.sentences import Says
from rules import GAMES
from rules.sentence import sentence
from tests.client import games
from tests.client.clicking import update
from tests.client.worlds import base, in_match, pages
from tests.client.worlds import texts as worlds_texts
from tools.texts import catalogue, found
from tools.texts.__main__ import LOCALE

OTHERS = catalogue.LANGUAGES


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    texts.speak("en")


@lru_cache
def shown_texts() -> tuple[found.Text, ...]:
    """Return what the sources show: all of them are read for it."""
    return tuple(found.texts())


def po(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "netplay.po"


@lru_cache
def read(language: str) -> Catalog:
    return catalogue.read(po(language), language)


@lru_cache
def said(language: str) -> dict[found.Text, tuple[str, ...]]:
    return catalogue.said(read(language))


@lru_cache
def fresh(language: str) -> catalogue.Catalogue:
    """Return a language's catalogue as it would be written now."""
    return catalogue.renewed(
        language, catalogue.template(shown_texts()), read(language)
    )


def test_every_language_to_choose_has_a_catalogue() -> None:
    assert {"en", *OTHERS} == set(texts.LANGUAGES)


def test_the_template_lists_what_the_sources_show() -> None:
    template = catalogue.said(catalogue.read(LOCALE / "netplay.pot"))
    assert set(template) == set(shown_texts())


def test_no_text_hides_where_it_is_not_found() -> None:
    """Inside an f-string Babel does not look, nor is every module looked through."""
    shown = {text[0] for text in shown_texts()}
    rooms = found.ROOT / "client", found.ROOT / "netplay"
    for path in sorted(path for room in rooms for path in room.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.JoinedStr():
                    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                    assert not names & {"_", "ngettext"}, (path.name, node.lineno)
                case ast.Call(
                    func=ast.Name(id="_" | "ngettext"),
                    args=[ast.Constant(value=str(text)), *_],
                ):
                    assert text in shown, (path.name, node.lineno)


def _counted(function: ast.AST) -> Iterator[tuple[ast.expr, ast.Call]]:
    """Yield what chooses the form of a text in a function, and how that is filled."""
    nodes = [each for each in ast.walk(function) if hasattr(each, "lineno")]
    held: dict[str, ast.expr] = {}
    for node in sorted(nodes, key=lambda each: (each.lineno, each.col_offset)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                held[name] = value
            case ast.Call(func=ast.Attribute(value=text, attr="format")):
                text = held.get(text.id, text) if isinstance(text, ast.Name) else text
                match text:
                    case ast.Call(func=ast.Name(id="ngettext"), args=[_, _, count]):
                        yield count, node


def test_a_text_says_the_number_that_has_chosen_its_form() -> None:
    """`1 tiles` is said where one number chooses and another is filled in."""
    rooms, seen = (found.ROOT / "client", found.ROOT / "netplay"), 0
    for path in sorted(path for room in rooms for path in room.rglob("*.py")):
        if "ngettext(" not in (text := path.read_text("utf-8")):
            continue
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef):
                for count, filled in _counted(function):
                    said = [each.value for each in filled.keywords if each.arg == "n"]
                    wanted = [ast.unparse(count)] * len(said)
                    assert list(map(ast.unparse, said)) == wanted, (path.name, wanted)
                    seen += len(said)
    assert seen > 40


def test_texts_keep_their_places_when_the_sources_move() -> None:
    known = catalogue.Catalogue("de")
    for text in ("one", "two", "three"):
        known.add(text, text.upper())
    moved = catalogue.template([("three",), ("new",), ("one",), ("newer",)])
    fresh = catalogue.renewed("de", moved, known)
    assert [*catalogue.said(fresh).items()] == [
        (("one",), ("ONE",)),
        (("newer",), ("",)),
        (("three",), ("THREE",)),
        (("new",), ("",)),
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_is_of_the_text_and_says_the_same_whenever_it_is_written(
    language: str,
) -> None:
    assert catalogue.written(fresh(language)) == po(language).read_bytes()
    place = po(language).with_suffix(".mo")
    assert place.read_bytes() == catalogue.compiled(fresh(language))
    with place.open("rb") as file:
        compiled = GNUTranslations(file)
    for text, forms in said(language).items():
        if len(text) == 1:
            assert compiled.gettext(text[0]) == forms[0]
        else:
            assert {compiled.ngettext(*text, n) for n in range(30)} == set(forms)


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated_in_all_its_forms(language: str) -> None:
    known, plurals = said(language), catalogue.Catalogue(language).num_plurals
    for text in shown_texts():
        assert text in known, text
        assert len(known[text]) == (plurals if len(text) > 1 else 1), text
        assert all(known[text]), text


CODE = re.compile(r"pip install '[^']*'|`[^`]*`|^' \" \^ ")
"""What is typed, or stands on a board, as it is."""

QUOTED = {"de": "„“", "es": "«»", "fr": "«»", "ru": "«»"}
"""What each language puts around words."""


@pytest.mark.parametrize("language", OTHERS)
def test_quotes_and_apostrophes_are_those_of_the_language(language: str) -> None:
    opens, closes = QUOTED[language]
    others = set("'\"«»„“”‘") - {opens, closes}
    for forms in said(language).values():
        for form in forms:
            text = CODE.sub("", form)
            assert not others & set(text), form
            assert text.count(opens) == text.count(closes), form


def test_french_keeps_its_blanks_before_and_within_signs() -> None:
    for forms in said("fr").values():
        for form in forms:
            text = CODE.sub("", form).replace("netplay:", "")
            assert not re.search(r"[^\s(][;!?:»](?![^\s»;])", text), form
            assert not re.search(r"«(?! )", text), form


@pytest.mark.parametrize("language", OTHERS)
def test_every_translation_keeps_the_placeholders(language: str) -> None:
    for text, forms in said(language).items():
        wanted = sorted(re.findall(r"{\w+}", text[-1]))
        for form in forms:
            assert sorted(re.findall(r"{\w*}", form)) == wanted, (text, form)


@pytest.mark.parametrize(
    ("language", "other"),
    [
        ("de", r"\w(en|ern|eln) Sie\b|\bIhnen\b|\bSie (haben|sind|werden|können)\b"),
        ("es", r"\busted(es)?\b|\b[Ss]us? (clave|amigos|nombre|turno)\b.*\btu\b"),
        ("fr", r"(?i)\b(tu|toi|te|ton|ta|tes)\b"),
        ("ru", r"(?i)\b(ты|тво[йяеё]|твои\w*|твоей|твоего|тебе|тебя|тобой)\b"),
    ],
)
def test_the_player_is_not_spoken_to_in_two_ways(language: str, other: str) -> None:
    lines = [form for forms in said(language).values() for form in forms]
    assert [line for line in lines if re.search(other, line)] == []


def test_russian_counts_in_three_ways() -> None:
    texts.speak("ru")
    counted = [texts.ngettext("{n} point", "{n} points", n) for n in (1, 2, 5, 11, 21)]
    assert counted == ["{n} очко", "{n} очка", "{n} очков", "{n} очков", "{n} очко"]


def test_a_refusal_of_the_rules_is_shown_in_the_language() -> None:
    texts.speak("de")
    assert texts.told("Your tiles are not in a line").startswith("Deine Steine")


def test_a_sentence_of_the_rules_is_translated_around_its_values() -> None:
    texts.speak("fr")
    unknown = sentence("{word} is not in the dictionary", word="XYZ")
    assert texts.told(unknown).startswith("XYZ n’est")
    assert texts.told("") == ""


def test_what_stands_alone_begins_with_a_capital_but_no_name_is_changed() -> None:
    assert texts.sentence(Says.TAKEN_BACK()) == "Your move is taken back"
    assert texts.sentence(Says.OFFERS_DRAW(name="eve")) == "eve offers a draw"
    inner = Says.BECAUSE(what=Says.TAKEN_BACK(), why="eve")
    assert texts.sentence(inner) == "Your move is taken back: eve"
    texts.speak("ru")
    assert texts.sentence(Says.TAKEN_BACK()) == "Ваш ход взят назад"


def test_a_sentence_of_the_node_is_translated_around_its_values() -> None:
    texts.speak("de")
    assert texts.phrase(Says.WOULD_WATCH(name="Bert")) == "Bert möchte zusehen"
    why = Said(Code.NOT_YOUR_TURN.name)
    told = texts.phrase(Says.DOES_NOT_PLAY(name="{why}", why=why))
    assert told.startswith("{why} spielt nicht mit: ")
    assert "not your" not in told
    assert texts.phrase(listed(["Anna", Says.THE_HOST()])) == "Anna, der Gastgeber"


@pytest.mark.parametrize("language", OTHERS)
def test_every_code_is_phrased_without_english(language: str) -> None:
    texts.speak(language)
    for code, template in TEMPLATES.items():
        values = {name: f"<{name}>" for name in fields(template)}
        said = texts.phrase(Said(code, tuple(values.items())))
        assert all(value in said for value in values.values()), code
        words = re.sub(r"<\w+>", "", said)
        if any(sign.isalpha() for sign in re.sub(r"{\w+}", "", template)):
            assert said != filled(template, values) or words in SAME, code


SAME = {"error "}
"""What a language writes as English does."""


def test_what_a_peer_says_is_quoted_unless_it_is_our_own_sentence() -> None:
    texts.speak("de")
    assert texts.phrase(known("not now")) == "nicht jetzt"
    assert texts.phrase(known("I am {name}, listen")) == "“I am {name}, listen”"
    assert texts.phrase(known("")) == ""


def test_the_preferences_offer_every_language_and_change_it_at_once() -> None:
    model = replace(base((1280, 800), "light", 100), page=Page.START)
    model = replace(model, over=Over.PREFERENCES)
    for index, (language, name) in enumerate(texts.LANGUAGES.items()):
        opened, _effects = update(model, Click("set.language"))
        assert name in shown(opened)
        model, _effects = update(opened, Click(f"set.language:{index}"))
        assert model.settings.language == language
        assert texts._("Preferences") in shown(model)
    assert texts._("Preferences") == "Настройки"


@pytest.mark.parametrize(
    ("spoken", "language"), [("de_DE.UTF-8", "de"), ("C.UTF-8", "en"), ("ja", "en")]
)
def test_a_first_window_speaks_the_language_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoken: str, language: str
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", spoken)
    assert settings.load(tmp_path)[0].language == language
    settings.store(tmp_path, settings.Settings(language="fr"))
    assert settings.load(tmp_path)[0].language == "fr"


def shown(model: Model) -> set[str]:
    return {n.text for n in walk(screen.scene(model))} | {
        n.value for n in walk(screen.scene(model))
    }


@pytest.mark.parametrize("language", OTHERS)
def test_no_page_falls_back_to_english(language: str) -> None:
    english = {
        text[0]
        for text, forms in said(language).items()
        if len(text) == 1 and forms[0] != text[0] and " " in text[0]
    }
    texts.speak(language)
    for name, root, _model in scenes(language, (1280, 800)):
        left = {node.text for node in walk(root)} & english
        assert not left, name


def called(language: str) -> dict[tuple[str, str], str]:
    """Return what every button of every page is called: page and name, text."""
    return {
        (page, node.name): node.text
        for page, root, _model in scenes(language, (1280, 800))
        for node in walk(top(root))
        if node.role is Role.BUTTON and node.text
    }


@pytest.mark.parametrize("language", OTHERS)
def test_buttons_that_do_different_things_are_called_differently(language: str) -> None:
    english, other = called("en"), called(language)
    apart: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (page, name), text in other.items():
        apart[page, text].add(english[page, name])
    assert not [(where, each) for where, each in apart.items() if len(each) > 1]


@pytest.mark.parametrize("language", OTHERS)
def test_every_option_has_a_name_and_values_in_the_language(language: str) -> None:
    for game in GAMES:
        for field in options.fields(game):
            name = options.label(game, field.key)
            texts.speak(language)
            assert options.label(game, field.key) != name, field.key
            for value in field.choices:
                known = said(language).get((value,), (value,))[0]
                assert value.isdigit() or (value,) in said(language), value
                if (field.key, value) == ("timed", "0"):
                    known = said(language)[("off",)][0]
                assert options.shown(game, field.key, value) == known
            texts.speak("en")


@lru_cache
def scenes(
    language: str, size: tuple[int, int], scale: int = 100
) -> tuple[tuple[str, Node, Model], ...]:
    texts.speak(language)
    model = base(size, "light", scale)
    model = replace(model, settings=replace(model.settings, language=language))
    every = (*pages(model), *games.pages(model))
    return tuple((name, screen.scene(page), page) for name, page in every)


def keys_told(language: str) -> list[str]:
    """Return the keys that the help page lists, in every game that is no hurry."""
    texts.speak(language)
    found: list[str] = []
    for game in GAMES:
        if not GAMES[game].ABOUT.hz:
            model = in_match(base(), game, 2, 0)
            found += [keys for keys, _words in overlays.keys_here(model)]
    return found


def test_keys_are_called_as_they_are_labelled_on_the_keyboard_of_the_language() -> None:
    german = keys_told("de")
    assert any("Strg+" in keys for keys in german)
    assert not any("Ctrl" in keys for keys in german)


@pytest.mark.parametrize("language", ["en", *OTHERS])
def test_a_key_is_called_the_same_in_every_game(language: str) -> None:
    named = {name.strip() for keys in keys_told(language) for name in keys.split(",")}
    assert len(named) > 10
    assert len({name.casefold() for name in named}) == len(named)
    assert not {"Esc", "Escape"} <= named


@pytest.mark.parametrize(("language", "wanted"), [("en", "1.4 %"), ("de", "1,4 %"),
                                                  ("ru", "1,4 %")])  # fmt: skip
def test_decimals_are_written_as_the_language_writes_them(
    language: str, wanted: str
) -> None:
    texts.speak(language)
    model = dict(pages(base()))["analysis"]
    known = {
        number: replace(each, chance_lost=140) if isinstance(each, Appraisal) else each
        for number, each in model.review.known.items()
    }
    model = replace(model, review=replace(model.review, known=known))
    assert f"{wanted} " in worlds_texts(screen.scene(model))
