"""The lexicons at hand, found by digest: those shipped and those that came later."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from types import MappingProxyType
from typing import Final

from rules.lexicon.graph import Lexicon, open_file

_SUFFIX: Final = ".graph"
_registered: Final[dict[str, Lexicon]] = {}


@cache
def shipped() -> Mapping[str, str]:
    """Return the lexicons of this package: name -> digest.

    Only headers are looked at, so that it costs nothing at the start of a program.
    """
    return MappingProxyType({name: load(name).digest for name in _names()})


@cache
def load(name: str) -> Lexicon:
    """Return a shipped lexicon by its name, such as "english".

    Raises:
        LookupError: None is shipped under this name.
    """
    if name not in _names():
        raise LookupError(name)
    # A package inside an archive is unpacked for the moment; the mapping stays.
    with as_file(files("rules") / "words" / f"{name}{_SUFFIX}") as path:
        return open_file(path)


@cache
def _names() -> tuple[str, ...]:
    """Return the names of the shipped lexicons, in alphabetical order."""
    entries = (entry.name for entry in (files("rules") / "words").iterdir())
    return tuple(
        sorted(name.removesuffix(_SUFFIX) for name in entries if name.endswith(_SUFFIX))
    )


def register(lexicon: Lexicon) -> None:
    """Make a lexicon one that `find` finds, as long as the program runs."""
    _registered[lexicon.digest] = lexicon


def find(digest: str) -> Lexicon:
    """Return the lexicon of a digest, shipped or registered.

    Raises:
        LookupError: It is not here.
    """
    if digest in _registered:
        return _registered[digest]
    for name, other in shipped().items():
        if other == digest:
            return load(name)
    raise LookupError(digest)
