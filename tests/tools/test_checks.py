"""CI and a commit are checked alike, and the version stands in one place."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml

from netplay import VERSION

ROOT = Path(__file__).parents[2]


def hooks(stage: str) -> list[dict[str, Any]]:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    (local,) = config["repos"]
    assert local["repo"] == "local"
    return [
        hook for hook in local["hooks"] if stage in hook.get("stages", ["pre-commit"])
    ]


def checks() -> list[str]:
    command = [ROOT / ".ci" / "checks", "--list"]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    return said.stdout.split()


def test_a_commit_is_checked_by_ruff_alone_and_ci_runs_the_whole_list() -> None:
    entries = [hook["entry"] for hook in hooks("pre-commit")]
    assert entries == [".ci/checks format", ".ci/checks lint"]
    assert checks() == ["format", "lint", "mypy", "imports"]
    lines = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert any(".ci/checks" in line.split() for line in lines if "#" not in line)


def test_an_unknown_check_is_refused_with_those_there_are() -> None:
    command = [ROOT / ".ci" / "checks", "spelling"]
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    assert said.returncode == 2
    assert "no check spelling; there are: format lint" in said.stdout


def quick(*files: str) -> list[str]:
    command = [ROOT / ".ci" / "quick", "--list", *files]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    return said.stdout.split()


def test_what_is_quick_runs_the_tests_of_the_files_that_changed() -> None:
    journal = "tests/netplay/match/test_journal.py"
    syncing = "tests/netplay/match/test_syncing.py"  # names the journal
    assert quick("netplay/match/journal.py") == [journal, syncing]
    assert quick(syncing, "netplay/match/journal.py") == [syncing, journal]
    assert quick("README.md", "tests/netplay/party.py") == []


def test_pre_commit_takes_the_configuration() -> None:
    words = ["validate-config", ".pre-commit-config.yaml"]
    subprocess.run([sys.executable, "-m", "pre_commit", *words], check=True, cwd=ROOT)


def test_a_commit_with_a_long_subject_is_stopped_by_the_hook(tmp_path: Path) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("x" * 73 + "\n\nWhy.\n", "utf-8")
    (hook,) = hooks("commit-msg")
    command = [ROOT / hook["entry"].split()[0], *hook["entry"].split()[1:], file]
    said = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=ROOT
    )
    assert said.returncode == 1
    assert "73 characters" in said.stderr


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert "version" in project["project"]["dynamic"]
    source = project["tool"]["hatch"]["version"]
    written = (ROOT / source["path"]).read_text("utf-8")
    (found,) = re.findall(source["pattern"], written, re.MULTILINE)
    assert found == VERSION == version("netplay")


def test_no_other_file_repeats_the_version() -> None:
    files = [*ROOT.glob("*.md"), *ROOT.glob("*.toml")]
    for package in ("netplay", "client", "rules"):
        files += (ROOT / package).rglob("*.py")
    told = [file for file in files if VERSION in file.read_text("utf-8")]
    assert told == [ROOT / "netplay" / "__init__.py"]
