"""Where a node can be called: host and port, as people write them."""

from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from netplay.errors import Code, LocalError
from netplay.sentences import Says

PORT: Final = 4770
"""Where a node listens unless told otherwise."""

HOST_CHARACTERS: Final = 253
"""The longest name the domain name system knows."""

SHOWN: Final = 40
"""Characters of what is no address that its refusal repeats."""


class Address(NamedTuple):
    """A host, by name or number, and a port."""

    host: str
    port: int

    def text(self) -> str:
        """Return it as people write it, IPv6 numbers in brackets."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse(text: str) -> Address:
    """Read `host`, `host:port`, `[v6]:port` or `v6`; comments after a space go.

    Raises:
        LocalError: USAGE, this is no address.
    """
    words = text.split()
    if not words:
        raise LocalError(Code.USAGE, Says.NO_ADDRESS_GIVEN())
    if "://" in words[0]:
        raise LocalError(Code.USAGE, Says.FOR_BROWSERS())
    host, port = _split(words[0])
    word = words[0] if len(words[0]) <= SHOWN else f"{words[0][: SHOWN - 1]}…"
    if (
        not host
        or len(host) > HOST_CHARACTERS
        or not all(c.isalnum() or c in "-._:%" for c in host)
    ):
        raise LocalError(Code.USAGE, Says.NOT_AN_ADDRESS(word=word))
    if port and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise LocalError(Code.USAGE, Says.PORT_NOT(word=word))
    return Address(host.lower(), int(port) if port else PORT)


def several(text: str, usual: str, most: int) -> tuple[Address, ...]:
    """Read addresses with spaces or commas between them, those in `usual` for none.

    Raises:
        LocalError: USAGE, one is no address.
    """
    words = text.replace(",", " ").split() or usual.split()
    return tuple(map(parse, words[:most]))


def _split(word: str) -> tuple[str, str]:
    """Return host and port, the latter as digits or empty."""
    if word.startswith("["):
        host, _, rest = word[1:].partition("]")
        return host, rest.removeprefix(":")
    if word.count(":") > 1:
        return word, ""
    host, _, port = word.partition(":")
    return host, port


def means_one(text: str) -> bool:
    """Return whether a place is that of one computer, as far as its number tells.

    What leads to many or to none is dialled for nobody.
    """
    with suppress(LocalError, ValueError):  # a name, or through whom
        number = ip_address(parse(text).host.partition("%")[0])
        inner = number.ipv4_mapped if isinstance(number, IPv6Address) else None
        meant = inner or number
        many = meant.is_multicast or str(meant) == "255.255.255.255"
        return not (many or meant.is_unspecified)
    return True
