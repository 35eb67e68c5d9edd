"""For whom a host keeps a seat: the address it was given says who may take it.

An invitation or a fingerprint names a key, and so does an address at which a key is
trusted: that key has the seat, from wherever it comes, and no other.  An address at
which nobody has answered yet names no key: the seat is for who answers there when it is
called, or who comes from that host - through whatever port its router has chosen.
"""

from ipaddress import ip_address
from typing import Final

from netplay.errors import LocalError
from netplay.fingerprint import CHARACTERS, fingerprint, folded
from netplay.peering import invitation
from netplay.peering.address import Address, parse
from netplay.peering.gate import network
from netplay.peering.peers import KnownPeers

_LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567-")


def is_fingerprint(text: str) -> bool:
    """Tell whether a text is a fingerprint, which may stand where an address may."""
    letters = text.upper()
    return len(letters.replace("-", "")) == CHARACTERS and _LETTERS.issuperset(letters)


def may_take(wanted: str, key: bytes, came_from: str, known: KnownPeers) -> bool:
    """Tell whether a seat is kept for a peer.

    Args:
        wanted: What the host gave as its address.
        key: Of the peer.
        came_from: The address that was dialled, or the host and port it came from.
        known: Which key is trusted where.
    """
    if is_fingerprint(wanted):
        return folded(wanted) == folded(fingerprint(key))
    try:
        if invitation.is_invitation(wanted):
            return invitation.read(wanted).fits(key)
    except LocalError:
        return False
    pinned = known.pinned(wanted)
    if pinned is not None:
        return key == pinned
    return bool(wanted) and (wanted == came_from or _same_host(wanted, came_from))


def known_key(wanted: str, known: KnownPeers) -> bytes | None:
    """Return the key that a seat is kept for, if it is that of a node once met."""
    if is_fingerprint(wanted):
        return known.with_fingerprint(wanted)
    try:
        if invitation.is_invitation(wanted):
            return known.with_fingerprint(invitation.read(wanted).fingerprint)
    except LocalError:
        return None
    return known.pinned(wanted)


def is_for_one(wanted: str, known: KnownPeers) -> bool:
    """Tell whether a seat is kept for one node: it was met, or an invitation names it.

    Who was invited by a key need not have been met: nobody else can take the seat.
    """
    if known_key(wanted, known) is not None:
        return True
    try:
        return invitation.is_invitation(wanted) and bool(invitation.read(wanted))
    except LocalError:
        return False


def _same_host(one: str, other: str) -> bool:
    """Tell whether two addresses are of one host, each given by its number."""
    first, second = _read(one), _read(other)
    if first is None or second is None:
        return False
    return network(first.host) == network(second.host)


def _read(text: str) -> Address | None:
    """Return an address whose host is a number, else None."""
    try:
        address = parse(text)
        ip_address(address.host.partition("%")[0])
    except (LocalError, ValueError):
        return None
    return address
