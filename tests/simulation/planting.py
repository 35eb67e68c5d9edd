"""Bugs planted by their words: a line of the program is replaced while a test runs.

A slip names what stands in the program and what somebody might have written instead.
It is looked for in all of netplay, so it does not matter in which module the line
stands; where it is in no module any more, or in two, the test says so.
"""

import importlib
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

import pytest
from msgspec import Struct

from netplay.errors import NetplayError
from netplay.messages.table import Fairness
from tests.simulation.run import simulate
from tests.simulation.several import simulate_several

ROOT: Final = Path(__file__).resolve().parents[2]
FUNCTION: Final = 0x2
"""The flag of code that has local names: not that of a class or a module."""


class Slip(Struct, frozen=True):
    """A place in the program, and what stands there instead."""

    there: str
    instead: str


class Planted(Struct, frozen=True):
    """A bug, and where it is looked for."""

    name: str
    """What the program does wrong, in words."""
    slips: tuple[Slip, ...] = ()
    plant: Callable[[pytest.MonkeyPatch], None] | None = None
    """For what takes more than other words in a line."""
    kind: str = ""
    games: tuple[str, ...] = ("numlo",)
    themes: tuple[str, ...] | None = ()
    """What happens in the matches besides cuts and crashes; None: as the seed says."""
    fairness: Fairness | None = None
    several: bool = False
    """It is looked for in worlds of several tables; games and themes are theirs."""
    seeds: int = 60
    """So many seeds are tried before the bug counts as missed."""
    tests: tuple[Callable[[], None], ...] = ()
    """What finds it in place of the simulation."""


class UnfitError(AssertionError):
    """A slip fits the program no more: it has to be written anew."""


@contextmanager
def slipped(slips: Sequence[Slip]) -> Generator[None]:
    """Let the program have some faults for a while."""
    wrong: dict[Path, str] = {}
    for slip in slips:
        path = _found(slip.there)
        text = wrong.get(path, path.read_text("utf-8"))
        wrong[path] = text.replace(slip.there, slip.instead)
    with ExitStack() as stack:
        for path, text in wrong.items():
            stack.enter_context(_instead(path, text))
        yield


@contextmanager
def planted(bug: Planted) -> Generator[None]:
    """Plant a bug for a while."""
    with slipped(bug.slips), pytest.MonkeyPatch.context() as patch:
        if bug.plant is not None:
            bug.plant(patch)
        yield


def hunt(bug: Planted) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield (seed, game, failures) for each seed that finds a planted bug."""
    with planted(bug):
        for test in bug.tests:
            try:
                test()
            except (AssertionError, NetplayError) as error:
                yield -1, getattr(test, "__name__", ""), (repr(error),)
        for seed in range(0 if bug.tests else bug.seeds):
            game = bug.games[seed % len(bug.games)]
            try:
                run = simulate_several(seed) if bug.several else None
                run = run or simulate(seed, game, bug.themes, bug.fairness)
                failures = run.failures
            except (AttributeError, NameError, TypeError):
                raise  # what is planted does not fit the program any more
            except Exception as error:  # noqa: BLE001 (a program that breaks is found)
                failures = (f"broke: {error!r}",)
            if failures:
                yield seed, game, failures


@contextmanager
def _instead(path: Path, wrong: str) -> Generator[None]:
    """Give the functions of a module the code of another text."""
    module = importlib.import_module(
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
    )
    was = dict(_codes(compile(path.read_text("utf-8"), str(path), "exec")))
    kept: list[tuple[FunctionType, CodeType]] = []
    for name, code in _codes(compile(wrong, str(path), "exec")):
        if name not in was or _bare(code) == _bare(was[name]):
            continue
        function = _live(module, name)
        kept.append((function, function.__code__))
        function.__code__ = code
    if not kept:
        raise UnfitError(f"no function of {path.name} changes")
    try:
        yield
    finally:
        for function, code in kept:
            function.__code__ = code


def _found(there: str) -> Path:
    """Return the one module that has some words, once."""
    paths = sorted((ROOT / "netplay").rglob("*.py"))
    found = [(path, path.read_text("utf-8").count(there)) for path in paths]
    found = [(path, count) for path, count in found if count]
    if [count for _, count in found] != [1]:
        raise UnfitError(f"{len(found)} modules have {there!r}")
    return found[0][0]


def _codes(code: CodeType, within: str = "") -> Iterator[tuple[str, CodeType]]:
    """Yield the functions of a module and of its classes, by their full names."""
    for const in code.co_consts:
        if not isinstance(const, CodeType):
            continue
        name = f"{within}{const.co_name}"
        if const.co_flags & FUNCTION:
            yield name, const
        else:
            yield from _codes(const, f"{name}.")


def _bare(code: CodeType) -> CodeType:
    """Return code without the numbers of its lines."""
    consts = tuple(_bare(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_firstlineno=1, co_linetable=b"", co_consts=consts)


def _live(module: Any, name: str) -> FunctionType:
    """Return a function as the program has it."""
    found = module
    for part in name.split("."):
        found = vars(found)[part]
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "__func__", found)
    found = getattr(found, "__wrapped__", found)
    assert isinstance(found, FunctionType), name
    return found


if sys.implementation.name != "cpython":
    raise ImportError("functions are given other code, as CPython can")
