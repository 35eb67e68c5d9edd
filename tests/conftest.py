"""Profiles and fixtures for every test."""

import gc
import importlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, settings
from nacl.pwhash import argon2id

from netplay import catalogues, faults
from tests import forked

# Tests start hundreds of programs.  Where images forbid to keep what is compiled, each
# would compile every module again, which is half of what a node's start costs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

for _name in ("SIGINT", "SIGHUP"):
    # Where the tests run in the background these may be ignored, and then the programs
    # that the tests start and end would ignore them, too.
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        _hand = signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL
        signal.signal(_number, _hand)

settings.register_profile(
    "dev", max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "ci",
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(  # other examples each night
    "night",
    max_examples=300,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_configure() -> None:
    forked.begin()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect without looking for garbage, and seldom look through what stays.

    To collect makes some million objects that live to the end: the search for garbage
    among them took a third of the time, and would be repeated in the tests.  Nor are
    word lists and pages, which the tests keep, to be searched every two seconds: what
    nobody closed is found later, at the latest after the last test.
    """
    gc.disable()
    try:
        begun(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], 100)
        gc.enable()


def begun(config: pytest.Config) -> None:
    """Let each of several processes import a part of all tests before the others.

    In a fresh copy nothing is compiled yet, and to rewrite the assertions is most of
    what it takes to collect: in one order, all processes would do that for each file.
    """
    of = getattr(config, "workerinput", None)
    if of is None or config.args != config.getini("testpaths"):
        return
    number, count = int(of["workerid"][2:]), of["workercount"]
    files = sorted((config.rootpath / "tests").rglob("test_*.py"))
    for file in files[number::count]:
        name = ".".join(file.relative_to(config.rootpath).with_suffix("").parts)
        # What is wrong with a file, and whether it is skipped, is told when collected.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(name)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Leave the process in English: a command may have chosen another language."""
    yield
    catalogues.speak("en")


@pytest.fixture
def guessed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make keys of passphrases at once; commands take a second for each."""
    monkeypatch.setattr(argon2id, "OPSLIMIT_MODERATE", argon2id.OPSLIMIT_MIN)
    monkeypatch.setattr(argon2id, "MEMLIMIT_MODERATE", argon2id.MEMLIMIT_MIN)


@pytest.fixture(autouse=True)
def mistakes() -> Iterator[list[Exception]]:
    """Every mistake of the program's that a node here has kept to where it was made.

    A node goes on after one; a test does not.  Who expects some takes them out.
    """
    found: list[Exception] = []
    faults.witnesses.append(found.append)
    yield found
    faults.witnesses.remove(found.append)
    for mistake in found:
        raise mistake
