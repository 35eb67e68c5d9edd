"""Who has signed what all have to agree on: terms, another host, a seat handed over."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from netplay.errors import Code, PeerError
from netplay.messages.log import Genesis
from netplay.messages.table import Member, Terms
from netplay.record.log import check_signature, terms_data


def quorum(electors: int) -> int:
    """Return how many must have an entry for it to stand, the host included."""
    return electors if electors <= 2 else electors - 1


class Electorate(Protocol):
    """Who has a say in a match, and who is host."""

    host: bytes
    electors: frozenset[bytes]


def elects(now: Electorate, host: bytes, voters: Iterable[bytes]) -> bool:
    """Tell whether these votes make somebody host.

    The present host has none for another: it could else, with a friend, have new deals
    as often as they like.  Where it is gone it is not missed.
    """
    counted = now.electors.intersection(voters)
    if host != now.host:
        counted -= {now.host}
    return len(counted) >= quorum(len(now.electors))


def check_genesis(
    terms: Terms, members: Sequence[Member], author: bytes, body: Genesis
) -> None:
    """Check that a genesis has these terms, and that all members signed them.

    Raises:
        PeerError: BAD_LOG or BAD_SIGNATURE.
    """
    keys = [member.key for member in members]
    if body.terms != terms or author != keys[0]:
        raise PeerError(Code.BAD_LOG, "entry 0: other terms")
    if len(body.signatures) != len(keys):
        raise PeerError(Code.BAD_SIGNATURE, "not all have signed the terms")
    for key, signature in zip(keys, body.signatures, strict=True):
        check_signature(key, signature, terms_data(terms))


def check_votes(
    members: Sequence[Member], votes: Sequence[tuple[int, bytes]], data: bytes
) -> frozenset[bytes]:
    """Return who has signed something, each counted once.

    Raises:
        PeerError: BAD_SIGNATURE, or a vote of nobody.
    """
    for member, signature in votes:
        if member >= len(members):
            raise PeerError(Code.NOT_A_MEMBER, "a vote of nobody")
        check_signature(members[member].key, signature, data)
    return frozenset(members[member].key for member, _ in votes)
