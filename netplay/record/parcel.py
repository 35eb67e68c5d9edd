"""What goes along with a match that is handed on as a file, behind its entries.

Two kinds of match can be played by files alone.  Where all seats are played at one
computer, the match has a key of its own, which goes along (`KeptKey`, with the seeds
of its bags): whoever has the file plays on, for every seat, and could look at every
rack.  Where the seats belong to several nodes, no key leaves its node: what the host
would tell a member over a link goes along as a `Letter` that only this member can
open, and what a member has to say to the host as `Word`, signed by the member.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from netplay.errors import PeerError
from netplay.messages.log import Submit
from netplay.messages.types import Body, Key, Message
from netplay.record.hidden import KeptKey, KeptSeed
from netplay.wire import pack, unpack


class Secret(Message, frozen=True, tag=0):
    """A secret of a match that has a key of its own."""

    kept: KeptKey | KeptSeed


class Letter(Message, frozen=True, tag=1):
    """For one member's eyes: the frame of an `Opening` or a `Share`, sealed."""

    to: Key
    sealed: Body


class Word(Message, frozen=True, tag=2):
    """What a member asks the host to enter; it is signed, and no secret."""

    author: Key
    submit: Submit


Item: TypeAlias = Secret | Letter | Word


def packed(items: Iterable[Item]) -> Iterator[bytes]:
    """Yield what goes along, as the records of a file."""
    for item in items:
        yield pack(item)


def unpacked(records: Iterable[bytes]) -> Iterator[Item]:
    """Yield what came along.

    What a later version adds is passed over: the entries stand without it.
    """
    for record in records:
        try:
            yield unpack(record, Item)
        except PeerError:
            continue
