"""What runs on other people's computers when this is pushed or tagged."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tools.release.__main__ import KINDS

ROOT: Final = Path(__file__).parents[2]
FILES: Final = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
NAMES: Final = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in FILES}
ON: Final = True
"""What YAML makes of the word `on`."""


def commands(workflow: dict[str, Any]) -> str:
    """Return all that a workflow has shells run."""
    jobs = workflow["jobs"].values()
    steps = (step for job in jobs for step in job.get("steps", ()))
    return "\n".join(step.get("run", "") for step in steps)


def test_every_workflow_is_one_by_the_schema() -> None:
    pytest.importorskip("check_jsonschema", reason="an environment from before it")
    words = [sys.executable, "-m", "check_jsonschema"]
    words += ["--builtin-schema", "vendor.github-workflows", *map(str, FILES)]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert len(FILES) == 3
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("actionlint"), reason="needs actionlint")
def test_actionlint_finds_nothing() -> None:
    done = subprocess.run(
        ["actionlint", *map(str, FILES)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_three_systems_and_every_python_are_tried() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    first = int(about["project"]["requires-python"].removeprefix(">=3."))
    jobs = NAMES["ci"]["jobs"]
    for job in (jobs["linux"], jobs["elsewhere"]):
        pythons = job["strategy"]["matrix"]["python"]
        assert pythons == [f"3.{minor}" for minor in range(first, 15)]
    systems = jobs["elsewhere"]["strategy"]["matrix"]["system"]
    assert {each.partition("-")[0] for each in systems} == {"windows", "macos"}
    assert ".ci/run" in commands(NAMES["ci"])


def test_other_systems_run_the_same_tests_as_here() -> None:
    here = (ROOT / ".ci/run").read_text("utf-8")
    there = commands(NAMES["ci"])
    for told in re.findall(r"-m ((?:pytest|tests\.simulation) [^|\n]*)", here):
        words = told.partition(" ||")[0].strip()
        assert words in there, words


def test_every_kind_of_package_is_built_and_published() -> None:
    text = commands(NAMES["packages"])
    loop = re.search(r"for kind in ([^;]+);", text)
    assert loop is not None
    built = {*re.findall(r"tools\.release ([a-z-]+)", text), *loop[1].split()}
    assert built == set(KINDS)
    release = NAMES["release"]
    assert release[ON]["push"]["tags"] == ["v*"]
    assert release["jobs"]["index"]["permissions"] == {"id-token": "write"}
    (upload,) = (
        one
        for one in release["jobs"]["index"]["steps"]
        if "pypi-publish" in one["uses"]
    )
    assert upload["with"] == {"attestations": True}  # and no password


def test_signing_waits_for_keys() -> None:
    for system in ("windows", "macos"):
        job = NAMES["packages"]["jobs"][system]
        signing = [
            one for one in job["steps"] if one.get("name", "").startswith("Sign")
        ]
        assert [one["if"] for one in signing] == ["env.SIGNS == 'true'"]
        assert (
            job["env"]["SIGNS"]
            == f"${{{{ secrets.{system.upper()}_CERTIFICATE != '' }}}}"
        )
    keys = set(NAMES["packages"][ON]["workflow_call"]["secrets"])
    text = (ROOT / ".github/workflows/packages.yml").read_text("utf-8")
    assert set(re.findall(r"secrets\.(\w+)", text)) == keys
