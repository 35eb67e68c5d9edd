"""From packages' data to the word lists: what is taken, how it is folded."""

import gzip
import re
from pathlib import Path

import pytest

from rules.lexicon import Tiers, load, open_file, read
from rules.wordlists import check, spell
from tools.words import english
from tools.words.build import main, make
from tools.words.chosen import CHOSEN
from tools.words.folding import plain
from tools.words.languages import LANGUAGES, spelled


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Make a folder as the packages would, with a handful of words each."""
    files = {
        "dict/scowl/english-words.10": "the\nhouse\nco-op\nit's\nbs\nThe\n",
        "dict/scowl/british-words.50": "colour\nhouse\ncafé\npsst\nxi\n",
        "dict/scowl/variant_1-words.80": "aa\nantidisestablishmentarianism\n",
        "dict/scowl/english-words.95": "zzyzx\n",
        "dict/scowl/english-upper.10": "English\n",
        "dict/scowl/english-abbreviations.50": "app\nadj\n",
        "dict/scowl/english-abbreviations.60": "abs\napp\n",
        "dict/scowl/english-abbreviations.95": "hmm\n",
        "hunspell/fr.aff": "SET UTF-8\nFLAG long\nSFX S. Y 1\nSFX S. 0 s .\n",
        "hunspell/fr.dic": "4\nœuf/S. po:nom\nParis\nkg/||-- po:nom\naa/--\nl'on",
        "hunspell/es_ES.aff": "SFX S Y 1\nSFX S 0 s .\nSFX É Y 1\nSFX É 0 lo .\n",
        "hunspell/es_ES.dic": "5\nniño/S\ndáme/É\ncarro\nkilo\nMadrid\n",
        "hunspell/ru_RU.aff": "SET UTF-8\n",
        "hunspell/ru_RU.dic": "4\nёлка\nйод\nМосква\nкг\n",
    }
    for name, text in files.items():
        path = tmp_path / "share" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    german = tmp_path / "share" / "tanglet" / "gamedata" / "de" / "words"
    german.parent.mkdir(parents=True)
    lines = "AAL aal Aal\nALT\nSTRASSE Straße\nÄPFEL Äpfel\nPST\n"
    german.write_bytes(gzip.compress(lines.encode()))
    return tmp_path / "share"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("french", "OEUF OEUFS"),
        ("german", "AAL ALT ÄPFEL PST STRASSE"),
        ("spanish", "CARRO DAME NIÑO NIÑOS"),
        ("russian", "ЕЛКА ЙОД"),
    ],
)
def test_a_language_takes_its_words(
    sources: Path, tmp_path: Path, name: str, wanted: str
) -> None:
    lexicon = make(name, sources, tmp_path)
    found = {spell(lexicon.alphabet, word) for word in lexicon.words()}
    listed = {word.upper() for word in CHOSEN[name].two | CHOSEN[name].more}
    assert found == set(wanted.split()) | listed
    assert (tmp_path / f"{name}.graph").read_bytes() == bytes(lexicon.data)


def test_english_takes_words_with_their_sizes(sources: Path, tmp_path: Path) -> None:
    lexicon = make("english", sources, tmp_path)
    known = Tiers(lexicon, (tmp_path / "english.tiers").read_bytes())
    sizes = {spell(english.LETTERS, w): known.of(w) for w in lexicon.words()}
    two = {word for word in sizes if len(word) == 2}
    assert two == {word.upper() for word in CHOSEN["english"].two}
    assert (sizes["AA"], sizes["XI"], sizes["ZA"]) == (80, 50, 80)
    more = {word.upper() for word in CHOSEN["english"].more}
    assert (sizes["ABS"], sizes["APP"], sizes["HMM"]) == (60, 50, 80)
    assert {word: sizes[word] for word in sizes.keys() - two - more} == {
        "THE": 10,
        "HOUSE": 10,
        "COLOUR": 50,
        "CAFE": 50,
    }


def tiles(name: str, word: str) -> int:
    """Return how many tiles a word takes, spelled as its language does."""
    letters = LANGUAGES[name].letters if name in LANGUAGES else english.LETTERS
    longest = sorted(map(str.lower, letters), key=len, reverse=True)
    found = re.findall("|".join(longest), word)
    assert "".join(found) == word
    return len(found)


@pytest.mark.parametrize("name", ["english", *LANGUAGES])
def test_chosen_words_have_two_tiles_or_more_as_they_say(name: str) -> None:
    chosen = CHOSEN[name]
    assert {tiles(name, word) for word in chosen.two} == {2}
    assert all(tiles(name, word) > 2 for word in chosen.more | chosen.less)
    assert not chosen.more & chosen.less


@pytest.mark.parametrize("name", ["english", *LANGUAGES])
def test_the_shipped_lists_are_what_was_chosen(name: str) -> None:
    lexicon, chosen = load(name), CHOSEN[name]
    two = {
        spell(lexicon.alphabet, (first, second)).lower()
        for first, node in lexicon.arcs(lexicon.root)
        for second, last in lexicon.arcs(node)
        if lexicon.ends(last)
    }
    assert two == chosen.two
    assert [word for word in chosen.more if not check(lexicon, word.upper())] == []
    assert [word for word in chosen.less if check(lexicon, word.upper())] == []


def test_russian_tiles_count_as_the_edition_needs(
    sources: Path, tmp_path: Path
) -> None:
    lexicon = make("russian", sources, tmp_path)
    names = {lexicon.alphabet[a]: lexicon.alphabet[b] for a, b in lexicon.folds.items()}
    assert names == {"Ё": "Е"}


def test_words_have_two_to_fifteen_tiles_not_characters() -> None:
    spanish = LANGUAGES["spanish"]
    words = ["cha", "ch", "a" * 15, "a" * 16, "ch" * 14 + "a", "ch" * 15 + "a"]
    lengths = sorted(map(len, spelled(spanish, words)))
    assert lengths == [2, 15, 15]


@pytest.mark.parametrize(
    ("word", "keep", "folded"),
    [
        ("house", "", "house"),
        ("garçon", "", "garcon"),
        ("œuvre", "", "oeuvre"),
        ("straße", "äöü", "strasse"),
        ("mädchen", "äöü", "mädchen"),
        ("ma\u0308dchen", "äöü", "mädchen"),
        ("pingüino", "ñ", "pinguino"),
        ("niño", "ñ", "niño"),
        ("ёй", "й", "ей"),
    ],
)
def test_letters_are_folded_to_tiles(word: str, keep: str, folded: str) -> None:
    assert plain(word, keep) == folded


def test_the_program_says_what_it_made(
    sources: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("tools.words.build.SOURCES", sources)
    monkeypatch.setattr("tools.words.build.TARGET", tmp_path)
    main(["german"])
    lexicon = read((tmp_path / "german.graph").read_bytes())
    said = capsys.readouterr().out
    count = 5 + len(CHOSEN["german"].two | CHOSEN["german"].more)
    assert said.startswith(f"german: {count} words of 2-12, {count} of 2-15, ")
    assert lexicon.digest in said
    main([])
    assert {path.stem for path in tmp_path.glob("*.graph")} == {"english", *LANGUAGES}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["english", "spanish"])
def test_the_packages_still_give_the_shipped_bytes(name: str, tmp_path: Path) -> None:
    try:
        made = make(name, Path("/usr/share"), tmp_path)
    except FileNotFoundError as error:
        pytest.skip(f"not installed: {error.filename}")
    if made.count < 1000:
        pytest.skip("the package scowl is not installed")
    assert made.digest == load(name).digest


def test_a_list_in_use_is_replaced_not_written_over(
    sources: Path, tmp_path: Path
) -> None:
    target = tmp_path / "made"
    target.mkdir()
    make("russian", sources, target)
    place = target / "russian.graph"
    mapped = open_file(place)
    before, number = bytes(mapped.data), place.stat().st_ino

    place.with_name("was").hardlink_to(place)
    make("russian", sources, target)
    assert place.stat().st_ino != number
    assert bytes(mapped.data) == before == place.with_name("was").read_bytes()
    assert not list(target.glob("*.new"))
