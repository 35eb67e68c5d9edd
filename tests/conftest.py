"""Profiles and fixtures for every test."""

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from netplay import catalogues, faults

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
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Leave the process in English: a command may have chosen another language."""
    yield
    catalogues.speak("en")


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
