"""A guest that plays a real match with a real node, and lies when it likes.

What it keeps of the match is a member's own; what it says is whatever a test wants.
"""

import os
from collections.abc import Callable
from random import Random
from typing import Any, Final

import trio

from netplay.match.match import Match
from netplay.messages.log import Entries, Have, LogBody, LogMessage, Refused, Submit
from netplay.messages.table import Accept, Ask, Proposal
from netplay.record.chance import ZERO
from netplay.record.ledger import Ledger
from netplay.record.log import author_data, terms_data
from netplay.record.store import MemoryDisk
from netplay.wire import PeerMessage, pack
from tests.hostile.peer import Line, Peer

Lie = Callable[[PeerMessage], PeerMessage]
"""What is said in the place of something."""


class Guest:
    """A member of one match, with all that outlives its links."""

    def __init__(self, peer: Peer) -> None:
        self.peer: Final = peer
        self.file, self.secrets = MemoryDisk(), MemoryDisk()
        self.match: Match | None = None
        self.told: list[str] = []
        self.refused: list[int] = []
        self.lie: Lie = lambda message: message
        self.rng: Final = Random(1)
        self.news = trio.Event()

    @property
    def hand(self) -> Match:
        """The match, once it has begun."""
        assert self.match is not None
        return self.match

    def home(self) -> tuple[bytes, bytes]:
        """Return a copy of what is on its disk."""
        return bytes(self.file.data), bytes(self.secrets.data)

    def put_back(self, home: tuple[bytes, bytes]) -> None:
        """Be killed, and come back with an older disk."""
        self.file, self.secrets = map(MemoryDisk, home)
        self.match = self._open(())

    def _open(self, raws: tuple[bytes, ...]) -> Match:
        ledger = Ledger(self.file, raws)
        signer = self.peer.signer
        return Match(
            signer,
            ledger,
            self.secrets,
            os.urandom,
            lambda said: self.told.append(str(said)),
        )

    async def follow(self, line: Line) -> None:
        """Be at the table of a node until the link ends."""
        if self.match is None:
            await line.say(Ask(b"", -1))
        else:
            self.match.link_up(line.key, trio.current_time())
            await self.flush(line)
        while True:
            await self._take(line, await line.until(object))
            await self.flush(line)
            self.news.set()
            self.news = trio.Event()

    async def _take(self, line: Line, message: Any) -> None:
        now = trio.current_time()
        match message:
            case Proposal() if all(seat.name for seat in message.terms.seats):
                signed = self.peer.signer.sign(terms_data(message.terms))
                await line.say(Accept(message.terms.nonce, message.revision, signed))
            case Have() if self.match is None:
                await line.say(Have(message.match, 0, 0, ZERO))
            case Entries() if self.match is None:
                self.match = self._open(message.entries[:1])
                self.match.link_up(line.key, now)
                self.match.receive(line.key, message, now)
            case Refused():
                self.refused.append(message.code)
                self.hand.receive(line.key, message, now)
            case _ if isinstance(message, LogMessage) and self.match is not None:
                self.match.receive(line.key, message, now)
            case _:
                pass

    async def flush(self, line: Line) -> None:
        """Say what a member has to say, or what the test makes of it."""
        if self.match is None:
            return
        self.match.journal.ring(trio.current_time() + 1)
        for out in self.match.outgoing():
            await line.say(self.lie(out.message))

    async def until(self, holds: Callable[[Match], bool]) -> None:
        """Wait until its own copy of the match is so."""
        while self.match is None or not holds(self.match):
            await self.news.wait()

    def on_turn(self) -> bool:
        """Whether the match waits for it: none of its moves is on its way."""
        match = self.match
        return bool(match and 1 in match.on_turn() and not match.seats.is_moving(1))

    async def move(self, line: Line) -> None:
        """Make some move as anybody would."""
        state = self.hand.seats.view(1).state
        move = self.rng.choice(list(self.hand.fold.game.moves(state, 1)))
        self.hand.play(1, pack(move), -1, trio.current_time())
        await self.flush(line)

    async def write(self, line: Line, body: LogBody) -> None:
        """Write whatever is asked for, well signed, under its next number."""
        log, raw = self.hand.ledger.log, pack(body)
        own = log.own(self.peer.key)
        signature = self.peer.signer.sign(author_data(log.match, own, raw))
        await line.say(Submit(log.match, own, raw, signature))
