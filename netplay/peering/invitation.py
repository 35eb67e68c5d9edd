"""Invitations: one line that says where a node is and which key it has.

    netplay:192.168.0.12:4770,[2001:db8::12]:4770#ABCD-EFGH-IJKL-MNOP-QRST

    invitation  = "netplay:" place *("," place) "#" fingerprint
    place       = host [":" port] / "[" IPv6 "]" [":" port] / via ; port 4770 if none
    via         = "via/" fingerprint "@" place                   ; see `via`
    fingerprint = 20 base-32 characters of SHA-256(key)          ; "-" where you like

Where its node is ready to be met by the public DHT, the line has "dht/" and a secret
besides, as if it were a place: 20 characters like those of a fingerprint, at random.

It stands wherever an address may stand.  Its places are tried together, and only the
node whose key has the fingerprint will do, also at an address where another was known.
Read aloud or copied by hand it still works: capitals do not matter, and characters that
look alike (0 O, 1 I L, 2 Z, 5 S, 6 G, 8 B) count as one.  That leaves 95 of the
fingerprint's 100 bits.
"""

from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, NamedTuple
from urllib.parse import unquote

from netplay.errors import Code, LocalError
from netplay.fingerprint import CHARACTERS, GROUP, fingerprint, folded, is_fingerprint
from netplay.messages.types import PLACES
from netplay.peering.address import Address, parse
from netplay.peering.line import Via, is_via, read_place
from netplay.record.chance import tag
from netplay.sentences import Says

SCHEME: Final = "netplay:"

MET_BY: Final = "dht/"
"""Before what only those know who have the line."""


class Invitation(NamedTuple):
    """Where to find a node, and which."""

    places: tuple[Address | Via, ...]
    fingerprint: str
    """With look-alikes folded: see `folded`."""
    secret: str = ""
    """What only those know who have the line, folded as well; empty for none."""

    def common(self) -> bytes:
        """Return 32 bytes that all can work out who have the line, and nobody else."""
        both = self.fingerprint + self.secret
        return sha256(tag("invited") + both.encode("ascii")).digest()

    def fits(self, key: bytes) -> bool:
        """Return whether this is the key of the node that is meant."""
        return folded(fingerprint(key)) == self.fingerprint


def is_invitation(text: str) -> bool:
    """Return whether a text means to be an invitation rather than an address."""
    return text.strip().lower().startswith(SCHEME)


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
    if not is_fingerprint(print_):
        detail = Says.INVITATION_NOT_WHOLE()
        raise LocalError(Code.USAGE, detail)
    named, secret = [place for place in places.split(",") if place], ""
    for word in [each for each in named if each.lower().startswith(MET_BY)]:
        named.remove(word)
        secret = word[len(MET_BY) :]
        if not is_fingerprint(secret):
            raise LocalError(Code.USAGE, Says.INVITATION_NOT_WHOLE())
    if not 1 <= len(named) <= PLACES:
        raise LocalError(Code.USAGE, Says.INVITATION_NAMES_ADDRESSES(count=PLACES))
    return Invitation(tuple(map(read_place, named)), folded(print_), folded(secret))


def clicked(text: str) -> str:
    """Return the invitation in a line that was clicked, as the window may show it.

    Anybody may have written it: only what makes it an invitation is kept.  A comment
    behind one is the player's own, as a rule, and would be listed with the address.

    Raises:
        LocalError: USAGE, it is none.
    """
    word = (unquote(text).split() or [""])[0]  # browsers may write `[` otherwise
    found = read(word)
    print_ = word.rpartition("#")[2].replace("-", "").upper()
    groups = (print_[at : at + GROUP] for at in range(0, len(print_), GROUP))
    where = ",".join([place.text() for place in found.places] + _secret(found.secret))
    return f"{SCHEME}{where}#{'-'.join(groups)}"


def write(hosts: Iterable[str], key: bytes, port: int, secret: str = "") -> str:
    """Return the invitation to a node.

    Args:
        hosts: Its addresses, with a port where it is not the node's own; and through
            whom it is reached, as `Via` writes it.
        key: Its public key.
        port: Where it listens.
        secret: See `new_secret`.

    Raises:
        LocalError: NO_ADDRESS, nobody could come.
    """
    places: dict[str, None] = {}
    for host in hosts:
        bare = ":" not in host or (host.count(":") > 1 and not host.startswith("["))
        named = Address(host, port).text() if bare and not is_via(host) else host
        places[named] = None
    if not places:
        detail = Says.NO_NETWORK()
        raise LocalError(Code.NO_ADDRESS, detail)
    words = ",".join(list(places)[:PLACES] + _secret(secret))
    return f"{SCHEME}{words}#{fingerprint(key)}"


def new_secret(entropy: bytes) -> str:
    """Return a secret for an invitation.

    Args:
        entropy: 13 random bytes, of which 100 bits are taken.
    """
    return folded(b32encode(entropy).decode("ascii")[:CHARACTERS])


def _secret(secret: str) -> list[str]:
    return [MET_BY + secret] if secret else []


def places(text: str) -> tuple[Address | Via, ...]:
    """Return where to try what a user typed: an address or an invitation.

    Raises:
        LocalError: USAGE, it is neither.
    """
    return read(text).places if is_invitation(text) else (parse(text),)


def plain(text: str) -> str:
    """Return an address for a third node: the first of an invitation, or the text."""
    if not is_invitation(text):
        return text
    found = (each for each in read(text).places if isinstance(each, Address))
    return next((each.text() for each in found), "")


def told(text: str) -> str:
    """Return an address as others may read it: an invitation without its secret."""
    if not is_invitation(text):
        return text
    head, mark, print_ = text.partition("#")
    body = head.strip()[len(SCHEME) :]
    named = [each for each in body.split(",") if not each.lower().startswith(MET_BY)]
    return f"{SCHEME}{','.join(named)}{mark}{print_}"
