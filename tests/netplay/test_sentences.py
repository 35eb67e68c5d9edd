"""Whatever the node says is a code of the registry, with just its values."""

import ast
import errno
import gettext
import os
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from netplay import catalogues, language
from netplay.__main__ import main
from netplay.errors import Code
from netplay.said import Said, fields, plain
from netplay.sentences import SAYINGS, Says

ROOT = Path(__file__).parents[2] / "netplay"

SPEAKING = {
    "tell": 0,
    "notice": 0,
    "fault": 0,
    "alarm": 0,
    "LocalError": 1,
    "Notice": 1,
    "Done": 1,
    "declining": 1,
}
"""What the node speaks with, and which argument is the sentence."""


@pytest.fixture(autouse=True)
def english_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("LANGUAGE", *catalogues.LOCALES):
        monkeypatch.delenv(name, raising=False)
    yield
    language.speak("en")


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_no_two_codes_are_one() -> None:
    listed = Counter[str]()
    for path in (ROOT / "sentences").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(func=ast.Name(id="Saying")),
                ):
                    listed[name] += 1
                case _:
                    pass
    assert listed == Counter(dict.fromkeys(SAYINGS, 1))
    assert not {code.name for code in Code} & SAYINGS.keys()


def test_a_code_keeps_its_name_whatever_else_it_is_called() -> None:
    class Elsewhere:
        why = Says.PLACE_SILENT

    assert Elsewhere.why(place="x").code == "PLACE_SILENT"


def test_every_sentence_is_said_with_just_its_values() -> None:
    said = set[str]()
    for place, call in calls():
        match call.func:
            case ast.Attribute(value=ast.Name(id="Says"), attr=name):
                given = {each.arg for each in call.keywords}
                assert given == set(fields(SAYINGS[name].value)), place
                said.add(name)
            case _:
                pass
    assert said


def test_nothing_is_said_in_words_of_its_own() -> None:
    for place, call in calls():
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        at = SPEAKING.get(name)
        if at is None or len(call.args) <= at or place.split("/")[0] in APART:
            continue
        words = call.args[at]
        texts = [n.value for n in ast.walk(words) if isinstance(n, ast.Constant)]
        literal = isinstance(words, ast.Constant | ast.JoinedStr)
        prose = literal and any(isinstance(t, str) and " " in t.strip() for t in texts)
        assert not prose, place


APART = {"demo", "bench"}
"""What runs alone, and reports to whoever develops."""


def test_a_wrong_value_is_no_sentence() -> None:
    with pytest.raises(AssertionError):
        Says.WATCHES(who="Anna")
    assert str(Says.WATCHES(name="{name}\x07")) == "{name} watches"


def test_json_has_code_and_values() -> None:
    said = Says.THEN(first=Says.GOES_ON(), then="x")
    first = {"code": "GOES_ON", "values": {}}
    assert plain(said) == {"code": "THEN", "values": {"first": first, "then": "x"}}


@pytest.mark.parametrize("variable", ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"])
def test_a_command_speaks_the_language_of_its_user(
    variable: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(variable, "de_AT.UTF-8")
    assert main(["--home", str(tmp_path), "status"]) == 1
    error = capsys.readouterr().err
    language.speak("de")
    assert language.phrase(Said(Code.NO_NODE.name)) in error
    assert "no node" not in error


def test_a_command_speaks_the_language_chosen_in_the_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    (tmp_path / catalogues.SETTINGS).write_text('{"language": "es"}', encoding="utf-8")
    assert catalogues.wanted(tmp_path) == "es"
    monkeypatch.setenv("LANGUAGE", "ru")
    assert catalogues.wanted(tmp_path) == "ru"
    (tmp_path / catalogues.SETTINGS).write_text("[]", encoding="utf-8")
    monkeypatch.delenv("LANGUAGE")
    assert catalogues.wanted(tmp_path) == "fr"
    monkeypatch.delenv("LANG")
    assert catalogues.wanted(tmp_path) == "en"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "x: der Datenträger ist voll"),
        (errno.EROFS, "x: dieser Datenträger lässt sich nur lesen"),
        (errno.ENOENT, "x: diese Datei oder diesen Ordner gibt es nicht"),
    ],
)
def test_what_the_system_says_of_files_is_said_in_the_players_language(
    number: int, said: str
) -> None:
    catalogues.speak("de")
    try:
        assert language.phrase(Says.AT(place="x", why=os.strerror(number))) == said
    finally:
        catalogues.speak("en")


@pytest.mark.parametrize("spoken", sorted(set(catalogues.LANGUAGES) - {"en"}))
def test_texts_and_their_forms_are_those_that_pythons_gettext_finds(
    spoken: str,
) -> None:
    place = Path(catalogues.LOCALE, spoken, "LC_MESSAGES", f"{catalogues.DOMAIN}.mo")
    data = place.read_bytes()
    with place.open("rb") as file:
        wanted = gettext.GNUTranslations(file)
    count, ids = struct.unpack_from("<2I", data, 8)
    catalogues.speak(spoken)
    several = 0
    for at in range(ids, ids + 8 * count, 8):
        size, start = struct.unpack_from("<2I", data, at)
        one, *rest = data[start : start + size].decode().split("\0")
        assert catalogues._(one) == (wanted.gettext(one) if one else "")
        for many in rest:
            several += 1
            for n in (0, 1, 2, 4, 5, 11, 21, 22, 25, 101, 1_000_000):
                found = catalogues.ngettext(one, many, n)
                assert found == wanted.ngettext(one, many, n)
    assert several > 50
    for unknown in ("", "A", "zzz", "~", "\N{EURO SIGN}"):
        assert catalogues._(unknown) == unknown
        assert catalogues.ngettext(unknown, "many", 2) == "many"
