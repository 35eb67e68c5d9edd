"""A host that means no good: it orders the entries of a match as suits it.

It knows the rules of the page as well as any node, and runs a match by the project's
own code; but it keeps back whatever it likes, and its clock says what it wants.
"""

import os
from typing import Any, Final, get_args

import trio
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.match.election import CLAIM_SECONDS
from netplay.match.match import Match
from netplay.messages.door import Consent
from netplay.messages.log import LogBody, LogMessage
from netplay.messages.table import Accept, Terms
from netplay.record.chance import Round
from netplay.record.ledger import Ledger, make_genesis
from netplay.record.log import terms_data
from netplay.record.store import MemoryDisk
from netplay.wire import pack
from rules import GAMES, editions, lexicon
from tests.hostile.nodes import Victim
from tests.hostile.peer import GoneError, Line, Peer
from tests.hostile.stranger import offer

LOOK_SECONDS: Final = 0.01
"""Between two looks at what has come."""

GAME: Final = "networdz"


class CrookedHost:
    """A match with one guest, ordered by somebody without scruples."""

    def __init__(self, peer: Peer, line: Line, terms: Terms, accept: Accept) -> None:
        """Begin the match that the guest has agreed to."""
        signer = peer.signer
        signed = signer.sign(terms_data(terms)), accept.signature
        ledger = Ledger(MemoryDisk(), (make_genesis(signer, terms, signed),))
        self._line: Final = line
        self.kept: set[type[Any]] = set()
        """Kinds of bodies that it owes and does not say."""
        self.match: Final = Match(
            signer, ledger, MemoryDisk(), os.urandom, lambda _: None
        )
        self._submit: Final = self.match.replication.submit
        self.match.replication.submit = self._say  # type: ignore[method-assign]
        self._ahead = 0.0

    @property
    def now(self) -> float:
        """The time by its own clock."""
        return trio.current_time() + self._ahead

    def _say(self, body: LogBody, now: float, *, hold: bool = False) -> None:
        """Say what it owes, but for what it keeps."""
        if type(body) in self.kept:
            raise PeerError(Code.UNEXPECTED, "kept back")
        self._submit(body, now, hold=hold)

    async def run(self) -> None:
        """Talk with the guest until the link ends."""
        self.match.link_up(self._line.key, self.now)
        while not self._line.gone:
            heard, self._line.heard[:] = [*self._line.heard], []
            for message in heard:
                if isinstance(message, get_args(LogMessage)):
                    self.match.receive(self._line.key, message, self.now)
            self.match.wake(self.now)
            try:
                for out in self.match.outgoing():
                    await self._line.say(out.message)
            except GoneError:
                return
            await trio.sleep(LOOK_SECONDS)

    async def until(self, holds: Any) -> None:
        """Wait until something holds of the match."""
        while not holds(self.match):  # noqa: ASYNC110 (nothing tells of it)
            await trio.sleep(LOOK_SECONDS)

    def deal(self) -> Round:
        """Return the first deal."""
        round_ = self.match.fold.rounds.get(1)
        assert round_ is not None
        return round_

    def jump(self, seconds: float) -> None:
        """Put its clock forward."""
        self._ahead += seconds

    async def renew(self) -> None:
        """Claim a new term for itself, and wait until the guest has granted it."""
        term = self.match.ledger.log.term
        self.jump(CLAIM_SECONDS)
        self.match.election.make_claim(self.now)
        await self.until(lambda match: match.ledger.log.term > term)

    def play(self, move: Any) -> None:
        """Make a move at its own seat."""
        self.match.play(0, pack(move), -1, self.now)


async def opened(peer: Peer, line: Line, near: Victim, **options: Any) -> CrookedHost:
    """Offer a node a table, and begin once its player has agreed."""
    words = bytes.fromhex(lexicon.shipped()["english"])
    usual = offer(peer, line.key, game=GAME, words=words)
    edition = editions.shipped()["standard"]
    chosen = GAMES[GAME].ABOUT.options(edition=edition, lexicon=words.hex(), **options)
    terms = replace(usual.terms, options=pack(chosen))
    await line.say(replace(usual, terms=terms))
    await near.until_table(lambda table: table.called)
    await near.window.ask(Consent(accept=True, revision=usual.revision))
    return CrookedHost(peer, line, terms, await line.until(Accept))
