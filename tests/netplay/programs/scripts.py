"""Programs at a seat, good ones and bad ones, as files that can be run."""

import re
import sys
from pathlib import Path
from typing import Final

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


def example() -> str:
    """Return the program that stands in docs/programs.md."""
    text = (ROOT / "docs" / "programs.md").read_text("utf-8")
    found = re.search(r"<!-- example -->\n```python\n(.*?)```", text, re.DOTALL)
    assert found
    return found[1]


def script(folder: Path, text: str, name: str = "program") -> str:
    """Make a program of a text; return where it lies."""
    path = folder / name
    body = text.removeprefix("#!/usr/bin/env python3\n")
    path.write_text(f"#!{sys.executable}\n{body}", "utf-8")
    path.chmod(0o700)
    return str(path)
