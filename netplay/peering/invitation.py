"""Invitations: one line that says where a node is and which key it has.

    netplay:192.168.0.12:4770,[2001:db8::12]:4770#ABCD-EFGH-IJKL-MNOP-QRST

    invitation  = "netplay:" place *("," place) "#" fingerprint
    place       = host [":" port] / "[" IPv6 "]" [":" port]      ; port 4770 if none
    fingerprint = 20 base-32 characters of SHA-256(key)          ; "-" where you like

It stands wherever an address may stand.  Its places are tried together, and only the
node whose key has the fingerprint will do, also at an address where another was known.
Read aloud or copied by hand it still works: capitals do not matter, and characters that
look alike (0 O, 1 I L, 2 Z, 5 S, 6 G, 8 B) count as one.  That leaves 95 of the
fingerprint's 100 bits.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from netplay.errors import Code, LocalError
from netplay.messages.types import PLACES
from netplay.peering.address import Address, parse
from netplay.peering.fingerprint import CHARACTERS, fingerprint
from netplay.sentences import Says

SCHEME: Final = "netplay:"

_ALIKE: Final = str.maketrans("01L2568", "OIIZSGB")
_ALPHABET: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ3479")


class Invitation(NamedTuple):
    """Where to find a node, and which."""

    places: tuple[Address, ...]
    fingerprint: str
    """With look-alikes folded: see `folded`."""

    def fits(self, key: bytes) -> bool:
        """Return whether this is the key of the node that is meant."""
        return folded(fingerprint(key)) == self.fingerprint


def is_invitation(text: str) -> bool:
    """Return whether a text means to be an invitation rather than an address."""
    return text.strip().lower().startswith(SCHEME)


def folded(text: str) -> str:
    """Return a fingerprint without what people get wrong when they copy it."""
    return text.replace("-", "").upper().translate(_ALIKE)


def read(text: str) -> Invitation:
    """Read an invitation; comments after a space go.

    Raises:
        LocalError: USAGE, it is none.
    """
    word = (text.split() or [""])[0]
    if not is_invitation(word):
        raise LocalError(Code.USAGE, Says.NOT_AN_INVITATION(word=word))
    body = word[len(SCHEME) :].removeprefix("//")
    places, _, print_ = body.partition("#")
    found = folded(print_)
    if len(found) != CHARACTERS or not _ALPHABET.issuperset(found):
        detail = Says.INVITATION_NOT_WHOLE()
        raise LocalError(Code.USAGE, detail)
    named = [place for place in places.split(",") if place]
    if not 1 <= len(named) <= PLACES:
        raise LocalError(Code.USAGE, Says.INVITATION_NAMES_ADDRESSES(count=PLACES))
    return Invitation(tuple(map(parse, named)), found)


def write(hosts: Iterable[str], key: bytes, port: int) -> str:
    """Return the invitation to a node.

    Args:
        hosts: Its addresses, with a port where it is not the node's own.
        key: Its public key.
        port: Where it listens.

    Raises:
        LocalError: NO_ADDRESS, nobody could come.
    """
    places = dict.fromkeys(_place(host, port) for host in hosts)
    if not places:
        detail = Says.NO_NETWORK()
        raise LocalError(Code.NO_ADDRESS, detail)
    return f"{SCHEME}{','.join(list(places)[:PLACES])}#{fingerprint(key)}"


def _place(host: str, port: int) -> str:
    bare = ":" not in host or (host.count(":") > 1 and not host.startswith("["))
    return Address(host, port).text() if bare else host


def places(text: str) -> tuple[Address, ...]:
    """Return where to try what a user typed: an address or an invitation.

    Raises:
        LocalError: USAGE, it is neither.
    """
    return read(text).places if is_invitation(text) else (parse(text),)


def plain(text: str) -> str:
    """Return an address for a third node: the first of an invitation, or the text."""
    return read(text).places[0].text() if is_invitation(text) else text
