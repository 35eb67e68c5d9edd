"""What a release lacks is said before it is made."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.release import check

ROOT = Path(__file__).parents[2]
LOOKED = "reuse is not installed: nobody has looked at the licences"


def git(place: Path, *words: str) -> None:
    who = ["-c", "user.name=Anna", "-c", "user.email=anna@example.org"]
    subprocess.run(["git", *who, *words], cwd=place, check=True, capture_output=True)


def swap(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return sources of which version 0.1.0 is tagged, and whose next is ready."""
    place = tmp_path_factory.mktemp("sources") / "netplay"
    git(ROOT, "clone", "-q", "--shared", "--no-tags", str(ROOT), str(place))
    swap(place / "CHANGELOG.md", "## Unreleased\n", "## 0.1.0\n")
    swap(
        place / "pyproject.toml",
        "[project.scripts]",
        '[project.urls]\nHomepage = "https://netplay.test"\n\n[project.scripts]',
    )
    swap(place / "pyproject.toml", "org.example.", "test.netplay.")
    swap(place / "pyproject.toml", "example.org", "netplay.test")
    news = place / "netplay" / "finding" / "news.py"
    swap(news, 'RELEASE_KEY: Final = ""', f'RELEASE_KEY: Final = "{"ab" * 32}"')
    git(place, "commit", "-qam", "Release 0.1.0")
    git(place, "tag", "v0.1.0")
    swap(place / "netplay/__init__.py", '"0.1.0"', '"0.2.0"')
    swap(place / "CHANGELOG.md", "## 0.1.0\n", "## 0.2.0\n- New.\n\n## 0.1.0\n")
    homes = place / "tests" / "homes"
    shutil.copy(homes / "0.1.0.zip", homes / "0.2.0.zip")
    git(place, "add", "tests/homes")
    git(place, "commit", "-qam", "Release 0.2.0")
    git(place, "tag", "v0.2.0")
    return place


@pytest.fixture
def sources(ready: Path) -> Iterator[Path]:
    yield ready
    git(ready, "reset", "-q", "--hard", "v0.2.0")


def lacks(place: Path) -> list[str]:
    """Return all that is missing, but for what a tool would say that is not here."""
    found = list(check.missing("v0.2.0", place))
    if not shutil.which("reuse", path=Path(sys.executable).parent):
        assert found.count(LOOKED) == 1
        found.remove(LOOKED)
    return found


@pytest.mark.slow
def test_nothing_is_missing_where_all_is_done(sources: Path) -> None:
    assert lacks(sources) == []


def test_another_tag_is_told(sources: Path) -> None:
    assert list(check.named("v0.2.0", sources)) == []
    (told,) = check.named("v0.3.0", sources)
    assert "v0.3.0 names another version" in told


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("CHANGELOG.md", "## 0.2.0\n", "## Unreleased\n", "no section 0.2.0"),
        ("pyproject.toml", "Homepage", "Elsewhere", "no Homepage"),
        ("pyproject.toml", "test.netplay.", "org.example.", "still an example's"),
        ("constraints.txt", "\ntrio==", "\ntrios==", "no version of trio"),
        ("protocol.md", "| version | 1 |", "| version | 2 |", "protocol.md does not"),
        ("tests/vectors/messages.json", "{", "{ ", "messages have changed since v0.2"),
        ("tests/rules/golden/numlo.json", "{", "{ ", "numlo folds otherwise than in"),
    ],
)
def test_what_was_forgotten_is_named(
    file: str, old: str, new: str, told: str, sources: Path
) -> None:
    swap(sources / file, old, new)
    git(sources, "commit", "-qam", "Forget something")
    (line,) = (
        *check.named(None, sources), *check.counted(sources), *check.pinned(sources)
    )  # fmt: skip
    assert told in line


def test_texts_that_are_not_translated_or_not_compiled_are_named(sources: Path) -> None:
    place = sources / "client/assets/locale"
    text = 'msgid "with --version: those of all parts"\n'
    swap(place / "fr/LC_MESSAGES/netplay.po", text, 'msgid "other"\n')
    swap(place / "de/LC_MESSAGES/netplay.po", f'{text}msgstr "', f'{text}msgstr "!')
    told = list(check.translated(sources))
    assert "fr: 1 texts are not translated" in told
    assert "de: netplay.mo is older than netplay.po" in told
    assert not [line for line in told if line.startswith(("es", "ru"))]


def test_rules_that_have_another_version_may_fold_otherwise(sources: Path) -> None:
    swap(sources / "tests/rules/golden/numlo.json", "{", "{ ")
    swap(sources / "rules/numlo/__init__.py", "    version=1,", "    version=2,")
    git(sources, "commit", "-qam", "Raise the version of the rules")
    assert list(check.counted(sources)) == []


def test_a_font_of_nobody_is_named(sources: Path) -> None:
    font = sources / "client/assets/New.otf"
    font.write_bytes(b"OTTO")
    git(sources, "add", str(font))
    shutil.rmtree(sources / "tests")  # half of what is to be looked through
    told = [line for line in check.licensed(sources) if line != LOOKED]
    assert told == ["REUSE.toml does not say whose client/assets/New.otf is"]


def test_homes_of_this_version_and_of_released_ones_have_to_be_kept(
    sources: Path,
) -> None:
    homes = sources / "tests" / "homes"
    homes.mkdir(parents=True, exist_ok=True)
    for name in ("0.1.0", "0.2.0"):
        (homes / f"{name}.zip").touch()
    assert list(check.kept(sources)) == []

    (homes / "0.1.0.zip").unlink()
    assert list(check.kept(sources)) == ["tests/homes has lost the home of 0.1.0"]

    (homes / "0.2.0.zip").unlink()
    told = "tests/homes has no home of 0.2.0: python -m tools.release home"
    assert told in check.kept(sources)
