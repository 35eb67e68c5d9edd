"""The editions at hand, found by digest: those shipped and those that came later."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from rules.editions.edition import Edition
from rules.editions.reading import read

_SUFFIX: Final = ".toml"
_registered: Final[dict[str, Edition]] = {}


@cache
def shipped() -> Mapping[str, str]:
    """Return the editions of this package: name -> digest, in alphabetical order."""
    return MappingProxyType({name: load(name).digest for name in _names()})


@cache
def load(name: str) -> Edition:
    """Return a shipped edition by its name, such as "networdz".

    Raises:
        LookupError: None is shipped under this name.
    """
    if name not in _names():
        raise LookupError(name)
    text = (files("rules") / "editions" / f"{name}{_SUFFIX}").read_text("utf-8")
    return read(text)


@cache
def _names() -> tuple[str, ...]:
    """Return the names of the shipped editions, in alphabetical order."""
    entries = (entry.name for entry in (files("rules") / "editions").iterdir())
    return tuple(
        sorted(name.removesuffix(_SUFFIX) for name in entries if name.endswith(_SUFFIX))
    )


def register(edition: Edition) -> None:
    """Make an edition one that `find` finds, as long as the program runs."""
    _registered[edition.digest] = edition


def find(digest: str) -> Edition:
    """Return the edition of a digest, shipped or registered.

    Raises:
        LookupError: It is not here.
    """
    if digest in _registered:
        return _registered[digest]
    for name, other in shipped().items():
        if other == digest:
            return load(name)
    raise LookupError(digest)
