"""The journal for somebody else's eyes: what happened, without who and where.

Only what is known to be harmless is let through.  A value is shown if its field is one
of those that hold nothing but our own words and numbers; keys and addresses get numbers
of their own, the same for the same; of a text only the part that is one of the
program's own sentences, or the kind of an error, is shown.
"""

import ipaddress
import re
from collections.abc import Iterable, Iterator
from typing import Final

from netplay.errors import Code, LocalError
from netplay.peering.address import parse
from rules import GAMES

LEFT_OUT: Final = "(left out)"

_LINE: Final = re.compile(r"(\d{4}-\d\d-\d\dT[\d:.]+Z) ([a-z]+(?:\.[a-z_-]+)?)( .*)?")
_PAIR: Final = re.compile(r'([a-z_]+)=(?:"([^"]*)"|(\S*))')
_PLACE: Final = r"[A-Za-z_]{1,40}\.[A-Za-z_<>]{1,40}:\d{1,5}"

_HARMLESS: Final = {
    name: re.compile(shape)
    for name, shape in {
        "port": r"\d{1,5}",
        "skill": r"\d{1,3}",
        "version": r"\d{1,3}(\.\d{1,3}){1,2}",
        "code": r"none|" + "|".join(code.name for code in Code),
        "by": r"[A-Z_]{1,20}",
        "family": r"AF_[A-Z0-9]{1,10}",
        "what": r"[a-z]{1,20}",
        "times": r"\d{1,9}",
        "scope": r"unknown|no|computer|network|internet",
        "game": "|".join(GAMES),
        "error": r"[A-Z][A-Za-z]{1,30}(Error|Exception|Group|Exit|Interrupt)",
        "at": rf"{_PLACE}(>{_PLACE})*",
    }.items()
}
"""Fields that hold our own words and numbers, and what these look like."""

_WHO: Final = frozenset({"peer", "key"})
_SENTENCES: Final = tuple(code.text for code in Code)
_KIND: Final = re.compile(r"([A-Z][A-Za-z]{2,39}(?:Error|Exception|Group|Exit))\(")
_NUMBERED: Final = re.compile(r"\[Errno (\d{1,4})\]")


class Redactor:
    """Rewrites lines of a journal; the same peer gets the same number."""

    def __init__(self) -> None:
        """Know nobody."""
        self._known: Final[dict[tuple[str, str], int]] = {}

    def lines(self, journal: Iterable[str]) -> Iterator[str]:
        """Yield what may be shown of the lines of a journal."""
        for line in journal:
            found = _LINE.fullmatch(line)
            if found is None:
                yield LEFT_OUT
                continue
            pairs = (self._pair(each) for each in _PAIR.finditer(found[3] or ""))
            yield " ".join([found[1], found[2], *pairs])

    def _pair(self, pair: re.Match[str]) -> str:
        """Return a field as it may be shown."""
        name = pair[1]
        value = pair[2] if pair[2] is not None else pair[3]
        return f"{name}={self._value(name, value)}"

    def _value(self, name: str, value: str) -> str:
        """Return what may be shown of a value."""
        if not value:
            return '""'
        if name in _HARMLESS and _HARMLESS[name].fullmatch(value):
            return value
        if name in _WHO:
            return f"{name}-{self._number(name, value)}"
        if name == "address":
            return f"address-{self._number(name, value)}-{_reach(value)}"
        if name == "why":
            return _sentence(value)
        return LEFT_OUT

    def _number(self, kind: str, value: str) -> int:
        """Return the number that stands for a value."""
        others = sum(known == kind for known, _ in self._known)
        return self._known.setdefault((kind, value), others + 1)


def _reach(address: str) -> str:
    """Return of what sort an address is."""
    try:
        place = ipaddress.ip_address(parse(address).host)
    except (LocalError, ValueError):
        return "name"
    if place.is_loopback:
        return "this-computer"
    return "local" if place.is_private or place.is_link_local else "internet"


def _sentence(text: str) -> str:
    """Return the program's own sentence in a text, or the kind of an error."""
    for sentence in _SENTENCES:
        if text == sentence or text.startswith(f"{sentence}: "):
            return f'"{sentence}"'
    if found := _NUMBERED.search(text):
        return f'"system error {found[1]}"'
    if found := _KIND.match(text):
        return found[1]
    return LEFT_OUT
