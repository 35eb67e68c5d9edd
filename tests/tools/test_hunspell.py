"""The expander knows what hunspell's affix files can say, and no form more."""

import shutil
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest

from tools.words.hunspell import expand, read_rules, read_words

DICTIONARIES = Path("/usr/share/hunspell")


def write(folder: Path, affixes: str, words: str) -> Path:
    """Write the two files of a dictionary and return their path without ending."""
    entries = words.split("\n")
    (folder / "x.aff").write_text(f"SET UTF-8\n{affixes}", "utf-8")
    (folder / "x.dic").write_text(f"{len(entries)}\n{words}\n", "utf-8")
    return folder / "x"


def forms(path: Path, without: Collection[str] = ()) -> set[str]:
    rules = read_rules(path.with_suffix(".aff"), without)
    return expand(rules, read_words(path.with_suffix(".dic"), rules))


BOTH = """
PFX U Y 1
PFX U 0 un .
SFX D Y 2
SFX D 0 ed [^ey]
SFX D y ied [^aeiou]y
SFX S N 1
SFX S 0 s .
"""

LONG = """
SFX S. Y 2
SFX S. 0 0 .
SFX S. 0 s .
"""

CASES = {
    "a word without flags": ("", "do", "do"),
    "a word with a note behind": ("", "do po:verb\nbe\tpo:verb", "do be"),
    "suffixes by their condition": (
        BOTH,
        "try/D\nplay/D\nlock/D",
        "try tried play lock locked",
    ),
    "a prefix": (BOTH, "do/U", "do undo"),
    "both where they cross": (BOTH, "lock/UD", "lock locked unlock unlocked"),
    "not both where they do not": (BOTH, "lock/US", "lock locks unlock"),
    "a second suffix after the first": (
        "SFX A Y 1\nSFX A 0 er/B .\nSFX B Y 1\nSFX B 0 s .\n",
        "play/A",
        "play player players",
    ),
    "a prefix that comes with a suffix": (
        "SFX A Y 1\nSFX A 0 ed/P .\nPFX P Y 1\nPFX P 0 re .\n",
        "play/A",
        "play played replayed",
    ),
    "a suffix that comes with a prefix": (
        "PFX P Y 1\nPFX P 0 kilo/S .\nSFX S Y 1\nSFX S 0 s .\n",
        "gram/P",
        "gram kilogram kilograms",
    ),
    "a prefix that needs its suffix": (
        f"FLAG long\nNEEDAFFIX ()\nPFX Um Y 1\nPFX Um 0 kilo/S.() .\n{LONG}",
        "gram/S.Um()",
        "gram grams kilogram kilograms",
    ),
    "a stem that is no word": (
        "NEEDAFFIX !\nSFX S Y 1\nSFX S 0 s .\n",
        "pant/S!",
        "pants",
    ),
    "a stem that a prefix completes": (
        "NEEDAFFIX !\nPFX U Y 1\nPFX U 0 un .\n",
        "kempt/U!",
        "unkempt",
    ),
    "a suffix that needs another": (
        "NEEDAFFIX !\nSFX A Y 1\nSFX A 0 iz/B! .\nSFX B Y 1\nSFX B 0 ed .\n",
        "real/A",
        "real realized",
    ),
    "beginnings of compounds": ("ONLYINCOMPOUND O\n", "swiss/O\nmilk", "milk"),
    "a wrong word": (
        "FORBIDDENWORD !\nSFX S Y 1\nSFX S 0 s .\n",
        "sheep/S\nsheeps/!",
        "sheep",
    ),
    "prefix and suffix as one": (
        "CIRCUMFIX X\nPFX P Y 1\nPFX P 0 ge/X .\nSFX T Y 1\nSFX T 0 t/PX .\n",
        "spiel/TP",
        "spiel gespielt",
    ),
    "no apostrophes": (
        "PFX l Y 2\nPFX l 0 l' [aeiou]\nPFX l 0 un .\n",
        "eau/l\nmer/l",
        "eau mer uneau unmer",
    ),
    "a letter that gives way at the front": (
        "PFX I Y 1\nPFX I in il inl\n",
        "inlegal/I\nout/I",
        "inlegal illegal out",
    ),
}


@pytest.mark.parametrize(("affixes", "words", "wanted"), CASES.values(), ids=CASES)
def test_words_are_expanded(
    tmp_path: Path, affixes: str, words: str, wanted: str
) -> None:
    assert forms(write(tmp_path, affixes, words)) == set(wanted.split())


@pytest.mark.skipif(not shutil.which("hunspell"), reason="hunspell is not installed")
@pytest.mark.parametrize(("affixes", "words", "wanted"), CASES.values(), ids=CASES)
def test_hunspell_itself_takes_every_form(
    tmp_path: Path, affixes: str, words: str, wanted: str
) -> None:
    path = write(tmp_path, affixes, words)
    assert _rejected(path, [*wanted.split(), "xqzvt"]) == ["xqzvt"]


def test_flags_may_be_left_out_with_all_they_lead_to(tmp_path: Path) -> None:
    path = write(tmp_path, BOTH, "lock/UD")
    assert forms(path, without=["U"]) == {"lock", "locked"}
    assert forms(path, without=["D"]) == {"lock", "unlock"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fr", "ru_RU"])
def test_hunspell_takes_a_sample_of_a_whole_dictionary(name: str) -> None:
    path = DICTIONARIES / name
    if not (shutil.which("hunspell") and path.with_suffix(".aff").exists()):
        pytest.skip("hunspell or its dictionary is not installed")
    plain = sorted(form for form in forms(path) if form.isalpha() and form.islower())
    assert len(plain) > 400_000
    assert _rejected(path, plain[:: len(plain) // 5000]) == []


def _rejected(path: Path, words: list[str]) -> list[str]:
    """Return the words that hunspell takes for misspelled."""
    command = ["hunspell", "-i", "utf-8", "-d", str(path), "-l"]
    text = "\n".join(words)
    run = subprocess.run(
        command, input=text, text=True, capture_output=True, check=True
    )
    return run.stdout.split()
