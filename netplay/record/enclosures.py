"""What goes along with a match that is handed on as a file, behind its entries.

Two kinds of match can be played by files alone.  Where all seats are played at one
computer, the match has a key of its own, which goes along (`KeptKey`, with the seeds
of its bags): whoever has the file plays on, for every seat, and could look at every
rack.  Where the seats belong to several nodes, no key leaves its node: what the host
would tell a member over a link goes along as a `Letter` that only this member can
open, and what a member has to say to the host as `Word`, signed by the member; who
saved the file says what is on its disk (`Acked`).  An
edition and a word list that do not come with the program go along as `Enclosed`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, TypeAlias

from msgspec import Meta

from netplay.errors import PeerError
from netplay.messages.log import Ack, Submit
from netplay.messages.table import CHUNK_BYTES, Terms
from netplay.messages.types import Body, Digest, Key, Message, Natural
from netplay.record.hidden import KeptKey, KeptSeed
from netplay.record.log import SecretKey
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


class Acked(Message, frozen=True, tag=4):
    """What whoever saved the file has on its disk; it is signed, and no secret."""

    author: Key
    ack: Ack


class Enclosed(Message, frozen=True, tag=3):
    """A piece of the edition or the word list that the match is played with."""

    digest: Digest
    size: Natural
    """Of the whole, in bytes."""
    offset: Natural
    data: Annotated[bytes, Meta(max_length=CHUNK_BYTES)]


Item: TypeAlias = Secret | Letter | Word | Enclosed | Acked


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


def secrets(items: Sequence[Item], terms: Terms) -> list[KeptKey | KeptSeed]:
    """Return the secrets that came along, if they are of a match with its own key.

    Into any other match nobody may bring a key or a seed: they would be known to
    whoever wrote the file.
    """
    kept = [item.kept for item in items if isinstance(item, Secret)]
    keys = {SecretKey(one.seed).key for one in kept if isinstance(one, KeptKey)}
    return kept if keys == {member.key for member in terms.members} else []
