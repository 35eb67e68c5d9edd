"""What nodes say to each other first, and what a player is told of a new one."""

from netplay import VERSION
from netplay.fingerprint import fingerprint
from netplay.messages.link import Hello
from netplay.peering.link import FEATURES, VERSIONS
from netplay.said import Said
from netplay.sentences import Says


def first_words(name: str, port: int, nonce: bytes) -> Hello:
    """Return this program's Hello."""
    return Hello(VERSIONS, FEATURES, name, f"netplay {VERSION}", port, nonce)


def first_contact(of: bytes, name: str, *, invited: bool, lost: bool) -> Said:
    """Return what to say of a peer that was never met before.

    Args:
        of: Its key.
        name: Its player's.
        invited: The player was given an invitation that names the key.
        lost: The list of known keys was damaged: it may have been met.
    """
    who = name or Says.NAMELESS()
    key = fingerprint(of)
    if invited:
        return Says.KEY_INVITED(who=who, key=key)
    if lost:
        return Says.KEYS_UNKNOWN(who=who, key=key)
    return Says.FIRST_CONTACT(who=who, key=key)
