"""`netplay words` as a player would use it."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from netplay.__main__ import main
from netplay.home import Home
from netplay.language import decimal
from netplay.sentences import Says
from rules import lexicon
from rules.lexicon import Lexicon
from tests.said import says


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path / "home"))


def said(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> str:
    assert main(["words", *words]) == code
    captured = capsys.readouterr()
    return captured.out or captured.err


def test_a_list_is_imported_changed_checked_and_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, mine, back = tmp_path / "a.txt", str(tmp_path / "my"), tmp_path / "b.txt"
    text.write_text("AA\nCAT\nDOG\n", encoding="utf-8")

    assert str(Says.IMPORTED(count=3)) in said(capsys, 0, "import", str(text), mine)
    assert "added: 1" in said(capsys, 0, "add", mine, "bird")
    assert "deleted: 1" in said(capsys, 0, "delete", mine, "dog")
    said(capsys, 0, "check", mine, "bird", "cat")
    said(capsys, 1, "check", mine, "dog")
    told = said(capsys, 1, "check", mine, "dog", "cat")
    assert told.split() == ["dog:", "no", "cat:", "yes"]
    said(capsys, 0, "export", mine, str(back))
    assert back.read_text("utf-8") == "AA\nBIRD\nCAT\n"


def test_a_faulty_line_is_named_and_nothing_is_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, mine = tmp_path / "a.txt", tmp_path / "my"
    mine.write_bytes(b"as it was")
    text.write_text("CAT\nD0G\n", encoding="utf-8")

    assert "line 2" in said(capsys, 1, "import", str(text), str(mine), "--force")
    assert mine.read_bytes() == b"as it was"


def test_the_programs_own_list_is_copied_not_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "give --out" in said(capsys, 2, "add", "english", "netplay")
    mine = str(tmp_path / "my")
    said(capsys, 0, "add", "english", "netplay", "--out", mine)
    assert "yes" in said(capsys, 0, "check", mine, "netplay")


def test_spanish_digraphs_are_single_letters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, mine = tmp_path / "a.txt", str(tmp_path / "my")
    text.write_text("CHO\nLLA\nAÑO\n", encoding="utf-8")
    spanish = ["--edition", "spanish"]

    said(capsys, 0, "import", str(text), mine, *spanish)
    assert "yes" in said(capsys, 0, "check", mine, "llá", *spanish)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["add", "none.words", "cat"], "none.words"),
        (["import", "none.txt", "out"], "no such file"),
        (["check", "english", "cat", "--edition", "klingon"], "no edition"),
        (["delete", "english", "qqq", "--out", "x"], "qqq is not in the dictionary"),
    ],
    ids=str,
)
def test_what_cannot_be_gets_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    error = said(capsys, 1, *words)
    assert reason in error
    assert error.count("\n") == 1


def test_a_file_that_is_no_text_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xff\xfe\x00")
    assert says(
        said(capsys, 1, "import", str(path), str(tmp_path / "b")), Says.NOT_UTF_8
    )


def test_a_word_is_looked_up_with_the_reason_why_it_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "a.txt"
    text.write_text("AA\nQOPH\n", encoding="utf-8")
    said(capsys, 0, "import", str(text), str(tmp_path / "my"))

    assert said(capsys, 0, "look", "cat") == str(Says.A_WORD(word="CAT")) + "\n"
    refused = said(capsys, 1, "look", "--list", str(tmp_path / "my"), "cat")
    assert (
        refused
        == f"{Says.NO_WORD(word='CAT')}; {Says.OTHERS_HAVE_IT(lists='english')}\n"
    )
    refused = said(capsys, 1, "look", "xqzzy")
    assert says(refused, Says.NO_LIST_HAS_IT)
    refused = said(capsys, 1, "look", "a", "c4t")
    assert "2 to 12" in refused
    assert "4" in refused.splitlines()[1].partition(";")[2]


def test_words_are_found_by_a_pattern_by_letters_and_by_what_hooks_to_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, mine = tmp_path / "a.txt", str(tmp_path / "my")
    listed = "ACT CAR CARE CAT CATS COT QUIZ SCAR TAC"
    text.write_text("\n".join(listed.split()) + "\n", encoding="utf-8")
    said(capsys, 0, "import", str(text), mine)

    def found(verb: str, words: str) -> set[str]:
        return set(said(capsys, 0, verb, words, "--list", mine).split())

    assert found("pattern", "c?t") == {"CAT", "COT"}
    assert found("pattern", "*a*s") == {"CATS"}
    assert found("pattern", "*i?") == {"QUIZ"}
    assert found("pattern", "*") == set(listed.split())
    assert found("anagrams", "tacs") == {"ACT", "CAT", "TAC", "CATS"}
    assert found("anagrams", "co?") == {"COT"}
    assert found("hooks", "car") == {"CARE", "SCAR"}
    assert said(capsys, 1, "pattern", "xx*", "--list", mine) == ""
    # What is asked for wrongly is no fault of the list, and not a search in vain.
    assert says(said(capsys, 2, "hooks", " ", "--list", mine), Says.NOTHING_SOUGHT)
    assert says(
        said(capsys, 2, "anagrams", "???", "--list", mine), Says.LETTERS_MOST, count=12
    )
    assert says(
        said(capsys, 2, "leave", "abcdefgh"), Says.LETTERS_MOST, count=7
    )  # a rack has no more
    assert "4" in said(capsys, 2, "pattern", "c4?", "--list", mine)
    # A sign that means nothing there is named, whatever else could be wrong.
    for verb, words, sign in (
        ("anagrams", "ca*", "*"),
        ("leave", "er*", "*"),
        ("hooks", "ca?", "?"),
        ("hooks", "*ca", "*"),
    ):
        assert f"has '{sign}'" in said(capsys, 2, verb, words, "--list", mine)
    assert found("anagrams", " t ac s ") == found("anagrams", "tacs")


def test_signs_for_any_number_side_by_side_are_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, mine = tmp_path / "a.txt", str(tmp_path / "my")
    text.write_text("BANANAS\nCATS\n", encoding="utf-8")
    said(capsys, 0, "import", str(text), mine)
    looked, arcs = list[int](), Lexicon.arcs

    def counting(found: Lexicon, node: int) -> list[tuple[int, int]]:
        looked.append(node)
        assert len(looked) < 100, "each beginning of a word is to be looked at once"
        return arcs(found, node)

    monkeypatch.setattr(Lexicon, "arcs", counting)
    for signs in ("*" * 30, "*A*A*A*", "*?*A*?*?*"):
        looked.clear()
        assert "BANANAS" in said(capsys, 0, "pattern", signs, "--list", mine).split()
    looked.clear()
    assert said(capsys, 0, "pattern", "?*???*", "--list", mine).split() == [
        "CATS",
        "BANANAS",
    ]
    looked.clear()
    assert said(capsys, 0, "pattern", "*A?A*S", "--list", mine) == "BANANAS\n"


def test_what_is_worth_nothing_is_not_less_than_nothing() -> None:
    assert decimal(-0.04) == "0.0"
    assert decimal(-0.06) == "-0.1"


def test_letters_of_two_signs_are_one_when_words_are_searched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, mine = tmp_path / "a.txt", str(tmp_path / "my")
    text.write_text("CHO\nLLA\nACA\nAÑO\n", encoding="utf-8")
    more = ("--edition", "spanish")
    said(capsys, 0, "import", str(text), mine, *more)
    found = said(capsys, 0, "pattern", "??", "--list", mine, *more).split()
    assert set(found) == {"CHO", "LLA"}


def test_the_likeliest_words_come_first_and_a_blank_is_worth_keeping(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of 12 E, 6 R, 9 A, 8 O and one Z and X: 72, 9 and 8 ways."""
    two = said(capsys, 0, "pattern", "??").split()
    assert two.index("ER") < two.index("ZA") < two.index("OX")
    sevens = said(capsys, 0, "anagrams", "retain?").split()
    assert len(sevens[0]) == 7
    assert sevens == sorted(sevens, key=lambda word: -len(word))
    keeps = [float(said(capsys, 0, "leave", rack)) for rack in ("?", "S", "Q", "VVW")]
    assert keeps == sorted(keeps, reverse=True)


def test_what_words_mean_is_kept_with_a_list_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, mine, back = tmp_path / "a.txt", tmp_path / "my", tmp_path / "b.txt"
    told = "AA\tlava [n AAS]\nCAT\nÉTÉ\t \x1b[2J summer\n"
    text.write_text(told, encoding="utf-8")
    said(capsys, 0, "import", str(text), str(mine), "--edition", "french")
    more = ("--edition", "french", "--list", str(mine))
    look = said(capsys, 0, "look", "aa", "cat", "été", *more).splitlines()
    assert look == [
        f"{Says.A_WORD(word='AA')}: lava [n AAS]",
        str(Says.A_WORD(word="CAT")),
        f"{Says.A_WORD(word='ÉTÉ')}: [2J summer",
    ]
    said(capsys, 0, "export", str(mine), str(back), "--edition", "french")
    assert back.read_text("utf-8").splitlines()[:2] == ["AA\tlava [n AAS]", "CAT"]
    said(capsys, 0, "import", str(back), str(mine), "--force", "--edition", "french")
    assert "lava" in said(capsys, 0, "look", "aa", *more)
    text.write_text("AA\nCAT\n", encoding="utf-8")
    said(capsys, 0, "import", str(text), str(mine), "--force", "--edition", "french")
    assert said(capsys, 0, "look", "aa", *more) == str(Says.A_WORD(word="AA")) + "\n"


def test_a_list_of_the_programs_own_may_have_meanings_in_the_home(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    home.dictionaries.mkdir(exist_ok=True)
    (home.dictionaries / "english.graph.definitions").write_text("CAT\ta pet\n")
    assert said(capsys, 0, "look", "cat") == f"{Says.A_WORD(word='CAT')}: a pet\n"
    assert said(capsys, 0, "look", "dog") == str(Says.A_WORD(word="DOG")) + "\n"


def test_a_long_meaning_is_cut_behind_a_word_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    home.dictionaries.mkdir(exist_ok=True)
    for words, end in ((48, "word"), (49, " word …")):  # 239 and 244 characters
        meaning = " ".join(["word"] * words)
        file = home.dictionaries / "english.graph.definitions"
        file.write_text(f"CAT\t{meaning}\n")
        told = said(capsys, 0, "look", "cat").strip()
        assert told.endswith(end)
        assert len(told) <= len("CAT is in the dictionary: ") + 242


def missed(home: Path, *words: str) -> dict[str, Any]:
    """Let a window keep words that were missed; return all that it has kept."""
    home.mkdir(exist_ok=True)
    english = lexicon.shipped()["english"]
    own = [{"words": english, "word": word, "due": 1, "found": 0} for word in words]
    kept = {"theme": "dark", "missed": own}
    (home / "window.json").write_text(json.dumps(kept), "utf-8")
    return kept


def test_missed_words_are_asked_for_and_what_came_of_it_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    missed(tmp_path / "home", "RETAINS", "ZEBRA", "QUIZ")
    due = json.loads(said(capsys, 0, "drill", "--json"))
    first = {"words": "english", "word": "RETAINS", "letters": "A E I N R S T"}
    assert due[0] == {**first, "found": 0}
    monkeypatch.setattr("sys.stdin", io.StringIO("nastier\nbrazen\n"))
    told = said(capsys, 0, "drill")
    assert "A E I N R S T\nYes, NASTIER." in told
    assert told.index("A B E R Z") < told.index("ZEBRA")
    assert told.startswith("english: ")
    assert "RETAINS" not in told
    kept = json.loads((tmp_path / "home" / "window.json").read_text("utf-8"))
    assert kept["theme"] == "dark"
    assert [each["found"] for each in kept["missed"]] == [1, 0, 0]
    assert [
        each["word"] for each in json.loads(said(capsys, 0, "drill", "--json"))
    ] == ["QUIZ"]


def test_a_drill_tells_what_the_words_mean_where_their_list_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    missed(tmp_path / "home", "ZEBRA", "QUIZ", "RETAINS")
    lists = Home(tmp_path / "home").dictionaries
    lists.mkdir(exist_ok=True)
    meant = "ZEBRA\tstriped\nNASTIER\tnicer\n"
    (lists / "english.graph.definitions").write_text(meant, "utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("brazen\nquiz\nnastier\n"))
    told = said(capsys, 0, "drill").splitlines()
    assert told[1].endswith("ZEBRA.") and told[2] == "  striped"
    asked = "english: Which word has these letters? A E I N R S T"
    assert told[4:6] == ["Yes, QUIZ.", asked]
    assert told[6:-1] == ["Yes, NASTIER.", "  nicer"]


def test_without_missed_words_nothing_is_asked_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = said(capsys, 0, "drill")
    place = tmp_path / "home" / "window.json"
    assert not place.exists()
    place.parent.mkdir(exist_ok=True)
    for damaged in ("{nonsense", '{"missed": [{"word": 7}]}'):
        place.write_text(damaged, "utf-8")
        assert said(capsys, 0, "drill") == nothing
        assert place.read_text("utf-8") == damaged


def test_what_is_found_can_be_had_for_programs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    look = json.loads(said(capsys, 1, "look", "cat", "xqz", "--json"))
    assert [(each["word"], each["good"]) for each in look] == [
        ("cat", True),
        ("xqz", False),
    ]
    assert json.loads(said(capsys, 0, "anagrams", "tca", "--json"))[0]
    assert json.loads(said(capsys, 1, "pattern", "xqz?", "--json")) == []
    worth = json.loads(said(capsys, 0, "leave", "?s", "--json"))["worth"]
    assert worth > json.loads(said(capsys, 0, "leave", "qv", "--json"))["worth"]
