"""Bugs that the simulation must find, and that take more than other words in a line.

Every one of them was made, at some time, by somebody who wrote a program like this.
"""

import zlib
from collections.abc import Callable
from typing import Any, Final

import pytest

from netplay.errors import PeerError
from netplay.match import election, relaying
from netplay.match.dealing import Dealing, Knowledge
from netplay.match.election import Election
from netplay.match.journal import Journal
from netplay.match.match import Match
from netplay.match.relaying import Relaying
from netplay.match.replica import Replica
from netplay.match.submitting import Submitting
from netplay.messages.log import Entries, Proof, Term
from netplay.messages.table import Chat
from netplay.record import clocks
from netplay.record.fold import Fold
from netplay.record.hidden import Kept, KeptSeed
from netplay.record.log import Log, Signed
from netplay.record.store import MatchFile, records
from netplay.record.views import SeatView
from netplay.table.chat import ChatRoom, Talk
from netplay.table.playing import Playing
from netplay.wanted import Outgoing
from rules.tiles import Reveal
from tests.netplay.party import Key
from tests.simulation.planting import Planted, Slip

Patch = pytest.MonkeyPatch


def _unsynced(patch: Patch, hosting: bool) -> None:
    """Send first; sync when there is something to send again."""
    whole = Journal.sync

    def sync(self: Any) -> None:
        if (self._ledger.fold.host == self._me) != hosting:
            whole(self)
            return
        self._ledger.write()
        file = self._ledger.file
        if getattr(file, "late", False):
            file.sync()
        dirty, file.dirty = file.dirty, False
        file.late = dirty
        whole(self)

    patch.setattr(Journal, "sync", sync)


def entry_before_sync(patch: Patch) -> None:
    _unsynced(patch, hosting=True)


def ack_before_write(patch: Patch) -> None:
    _unsynced(patch, hosting=False)


def own_numbers_not_checked(patch: Patch) -> None:
    """Count one's bodies from 0 in every run; what comes is entered."""
    whole = Log.own

    def own(self: Any, author: bytes) -> int:
        return min(1, whole(self, author))

    patch.setattr(Log, "own", own)


def chat_taken_twice(patch: Patch) -> None:
    """Take every line of chat that comes, as often as it comes."""

    def take(self: Any, line: Chat, allowed: Any, now: float) -> Chat:
        del allowed, now
        self._keep(line)
        self._add(line)
        return line

    patch.setattr(Talk, "on_chat", take)


def host_equivocates(patch: Patch) -> None:
    """Tell the last member in order another story, now and then."""
    whole = Replica.entries

    def say(self: Any, keys: tuple[bytes, ...], start: int) -> list[Outgoing]:
        log, hosting = self._ledger.log, self._members.hosting
        if not hosting or start < 8 or start % 5 or start != len(log) - 1:
            return whole(self, keys, start)
        *most, last = sorted(keys)
        out = whole(self, tuple(most), start) if most else []
        line = log.lines[start]
        entry = line.entry
        signed = Signed(entry.author, entry.own, entry.body, entry.author_signature)
        kept = log.number, log.head
        log.number, log.head = start, log.heads[start]
        other = log.compose(SIGNERS[self._me], signed, entry.at + 1)
        log.number, log.head = kept
        return [*out, Outgoing((last,), Entries(log.match, (other.raw,)))]

    begin = Match.__init__

    def init(self: Any, signer: Any, *rest: Any) -> None:
        SIGNERS[signer.key] = signer
        begin(self, signer, *rest)

    patch.setattr(Match, "__init__", init)
    patch.setattr(Replica, "entries", say)


SIGNERS: Final[dict[bytes, Any]] = {}


def torn_tail_not_cut(patch: Patch) -> None:
    """Append behind what is left of the last write."""

    def load(self: Any) -> list[bytes]:
        data = self._disk.read()
        found: list[bytes] = []
        size = 8
        try:
            for record in records(data):
                found.append(record.entry)
                size = record.offset + 8 + len(record.entry)
                self._size = size
        except PeerError:
            pass
        if not data:
            self._disk.append(b"NPMATCH\x01")
            self._disk.sync()
        return found

    patch.setattr(MatchFile, "_load", load)


def resume_one_too_late(patch: Patch) -> None:
    """Send a member that comes back all but the first entry it lacks."""
    whole = Replica._send_tail

    def send(self: Any, key: bytes, start: int) -> list[Outgoing]:
        return whole(self, key, min(start + 1, len(self._ledger.log)) if start else 0)

    patch.setattr(Replica, "_send_tail", send)


def openings_to_everybody(patch: Patch) -> None:
    """Tell every member every tile."""

    def openings(self: Any, key: bytes, given: set[int]) -> tuple[Proof, ...]:
        del key
        tiles = [t for t in self._fold.drawn_by if t not in given]
        proofs = [self.whole.proof(tile) for tile in tiles]
        given.update(tiles)
        return tuple(proof for proof in proofs if proof is not None)

    patch.setattr(Knowledge, "openings_for", openings)
    patch.setattr(Knowledge, "is_drawn", lambda self, proof: False)


def reveal_unmasked(patch: Patch) -> None:
    """Show the dealer's windows whatever the dealer knows."""

    def filled(self: Any, move: Any) -> Any:
        if not isinstance(move, Reveal):
            return move
        kind = self._kinds(move.tile)
        return move if kind is None else Reveal(move.tile, kind)

    patch.setattr(SeatView, "_filled", filled)


def quorum_of_one(patch: Patch) -> None:
    """Count wrong: one is enough."""
    wrong = lambda electors: min(1, electors)  # noqa: E731 (its code is wanted)
    patch.setattr(clocks.quorum, "__code__", wrong.__code__)  # wherever it was imported


def final_when_written(patch: Patch) -> None:
    """Call final what the host alone has."""
    patch.setattr(Replica, "final", property(lambda self: len(self._ledger.log)))


def chat_forgotten(patch: Patch) -> None:
    """Begin to count one's lines of chat anew after a restart."""
    whole = ChatRoom.__init__

    def begin(self: Any, shared: Any, company: Any, nonce: bytes, *_kept: Any) -> None:
        whole(self, shared, company, nonce)

    patch.setattr(ChatRoom, "__init__", begin)


def chat_before_sync(patch: Patch) -> None:
    """Send lines of chat before they are on the disk (found by the simulation)."""

    def sync(self: Any) -> None:
        self._ledger.sync()
        self.due = None

    patch.setattr(Journal, "sync", sync)


def term_without_quorum(patch: Patch) -> None:
    """Be host as soon as oneself agrees."""

    def take(self: Any, line: Any, body: Term) -> None:
        del line
        self.host = self.members[body.host].key
        self.required |= {self.host}

    patch.setattr(election, "elects", lambda *_: True)
    patch.setattr(Fold, "_term", take)
    patch.setattr(Election, "_possible", property(lambda self: True))


def seed_not_kept(patch: Patch) -> None:
    """Commit to a seed that only the memory holds."""

    whole = Journal.keep

    def keep(self: Any, kept: Kept) -> None:
        if isinstance(kept, KeptSeed):
            self._hidden._note(kept)
        else:
            whole(self, kept)

    patch.setattr(Journal, "keep", keep)


def openings_said_once(patch: Patch) -> None:
    """Believe that what was sent has arrived, cut links or not."""

    patch.setattr(Dealing, "missed", lambda self, key: None)


def bodies_not_sent_again(patch: Patch) -> None:
    """Send a body to the host once, and hope."""
    patch.setattr(Submitting, "submit_all", lambda self: ())


def checksum_ignored(patch: Patch) -> None:
    """Take what lies on the disk as it lies there."""
    patch.setattr(zlib, "crc32", lambda _: 0)


def carried_openly(patch: Patch) -> None:
    """Let whoever carries read what it carries."""
    patch.setattr(relaying, "seal", lambda _to, text, _once: text)
    patch.setattr(Key, "unseal", lambda self, letter: letter)


def chat_not_passed_on(patch: Patch) -> None:
    """Leave it to an author to reach everybody."""
    patch.setattr(Relaying, "lacking", lambda self, author: [])
    patch.setattr(Playing, "link_news", lambda self: None)


def _old(
    name: str,
    plant: Callable[[Patch], None],
    games: tuple[str, ...] = ("numlo",),
    themes: tuple[str, ...] = (),
    seeds: int = 60,
) -> Planted:
    return Planted(name, plant=plant, games=games, themes=themes, seeds=seeds)


BUGS: Final[tuple[Planted, ...]] = (
    _old("the host's entries leave before they are on its disk", entry_before_sync),
    _old("a peer acknowledges before the sync", ack_before_write),
    Planted(
        "own numbers are not checked",
        (
            Slip(
                "if wrong:\n            raise PeerError",
                "if False:\n            raise PeerError",
            ),
        ),
        plant=own_numbers_not_checked,
    ),
    _old("the host equivocates", host_equivocates),
    _old("a torn tail is not cut", torn_tail_not_cut, seeds=200),
    _old("resuming begins one entry too late", resume_one_too_late),
    _old(
        "openings go to everybody", openings_to_everybody, ("networdz",), ("resources",)
    ),
    _old("reveals are pushed unmasked", reveal_unmasked, ("networdz",), ("resources",)),
    _old("the quorum is counted wrong", quorum_of_one),
    _old("an entry is final once the host has it", final_when_written),
    _old("chat numbers begin anew after a restart", chat_forgotten),
    _old("chat leaves before it is on the disk", chat_before_sync),
    _old("lines of chat are taken twice", chat_taken_twice),
    _old("a term needs no quorum", term_without_quorum),
    _old("a seed is committed to before it is kept", seed_not_kept),
    _old("openings are said once", openings_said_once, ("networdz",), ("resources",)),
    _old("bodies are not sent again", bodies_not_sent_again),
    Planted(
        "entries are numbered without a quorum",  # while nobody hears
        (
            Slip(
                "enough = self.host_here and len(self.here) >=", "enough = True or 1 >="
            ),
        ),
    ),
    _old("checksums are ignored", checksum_ignored),
    _old(
        "what is carried is not sealed", carried_openly, ("networdz",), ("resources",)
    ),
    _old("chat is not passed on", chat_not_passed_on),
)
