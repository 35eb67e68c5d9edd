"""Where a node is found through another one: a place of its own kind.

    via/ABCDEFGHIJKLMNOPQRST@203.0.113.7:4770

The fingerprint is that of the node which carries, the place where that one can be
called; without a place only who has a link to it already, or knows it, gets there.
"""

from typing import Final, NamedTuple

from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint, is_fingerprint
from netplay.peering.address import Address, parse
from netplay.sentences import Says

PREFIX: Final = "via/"


class Via(NamedTuple):
    """A node that carries, and where it is."""

    carrier: str
    """Its fingerprint, as people write it."""
    address: Address | None = None

    def text(self) -> str:
        """Return it as it stands in an invitation."""
        place = "" if self.address is None else f"@{self.address.text()}"
        return f"{PREFIX}{self.carrier.replace('-', '')}{place}"


def is_via(text: str) -> bool:
    """Return whether a place is one where another node carries."""
    return text.lower().startswith(PREFIX)


def via(key: bytes, address: Address | None = None) -> Via:
    """Return the place of a node that carries."""
    return Via(fingerprint(key), address)


def read_via(text: str) -> Via:
    """Read such a place.

    Raises:
        LocalError: USAGE, it is none.
    """
    carrier, at, place = text[len(PREFIX) :].partition("@")
    if not is_via(text) or not is_fingerprint(carrier) or (at and not place):
        raise LocalError(Code.USAGE, Says.NOT_AN_ADDRESS(word=text))
    return Via(carrier.upper(), parse(place) if place else None)


def read_place(text: str) -> Address | Via:
    """Read an address, or the place of a node that carries.

    Raises:
        LocalError: USAGE, it is neither.
    """
    return read_via(text) if is_via(text) else parse(text)
