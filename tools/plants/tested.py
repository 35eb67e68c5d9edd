"""Which tests look at a module: `python -m tools.plants.tested FILE...` names them.

First the file of its name where tests mirror the program, or a folder above; then those
beside it that import the module (no more with `--quick`); then what `beside.toml` names
for its folder, since tests reach it by another way, as a player does; then others that
import it.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

BESIDE: Final = Path(__file__).with_name("beside.toml")
SLOW: Final = ("tests/system", "tests/network", "tests/simulation")
"""Not run for a change of one file unless `beside.toml` names them."""


def mapped(file: str, root: Path, *, quick: bool = False) -> list[str]:
    """Return the tests of a module, those that are nearest first.

    Args:
        file: Its path, as `netplay/record/fold.py`; a test is its own.
        root: Of the checkout.
        quick: Only those that are nearest, if there are any.
    """
    path = Path(file)
    if path.parts[0] == "tests":
        return [file] if path.name.startswith("test_") else []
    mirror = Path("tests") / path.parent / f"test_{path.stem}.py"
    places = [Path("tests") / folder / mirror.name for folder in path.parents]
    own = [str(place) for place in places if (root / place).exists()]
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    using = [name for name, used in _imports(root) if module in used]
    near = [name for name in using if Path(name).parent == mirror.parent]
    if quick and (own or near):
        return list(dict.fromkeys([*own, *near]))
    far = [name for name in using if not name.startswith(SLOW)]
    # Folders as their files: pytest runs a file that is named with its folder only in
    # the place of that folder, and so the nearest one not first.
    beside = (test for name in _beside(file) for test in _files(root, name))
    return list(dict.fromkeys([*own, *near, *beside, *far]))


def _files(root: Path, name: str) -> list[str]:
    """Return the files of tests in a folder; a file is its own."""
    if (root / name).is_dir():
        found = sorted((root / name).rglob("test_*.py"))
        return [str(path.relative_to(root)) for path in found]
    return [name]


def _beside(file: str) -> Iterator[str]:
    """Yield what is named for a file, and for the folders that it lies in."""
    named, path = _named(), Path(file)
    for place in (path.with_suffix(""), *path.parents):
        yield from named.get(str(place), ())


@cache
def _named() -> dict[str, list[str]]:
    return tomllib.loads(BESIDE.read_text())


@cache
def _imports(root: Path) -> list[tuple[str, frozenset[str]]]:
    """Return each file of tests with the modules that it may have imported."""
    found = []
    for path in sorted((root / "tests").rglob("test_*.py")):
        used: set[str] = set()
        for one, listed in re.findall(
            r"^from ([\w.]+) import (\([^)]*\)|.*)", path.read_text(), re.MULTILINE
        ):
            names = re.findall(r"(\w+)(?: as \w+)?", listed)
            used |= {one, *(f"{one}.{name}" for name in names)}
        found.append((str(path.relative_to(root)), frozenset(used)))
    return found


if __name__ == "__main__":
    quick, here = "--quick" in sys.argv, Path()
    files = [each for each in sys.argv[1:] if each != "--quick"]
    found = (test for file in files for test in mapped(file, here, quick=quick))
    print(*dict.fromkeys(found), sep="\n")
