"""A match played by files: what goes into one for the others, and what comes out.

Theory of operation.  A file carries the whole log, and behind it what a link would
carry besides: to the host what a member wrote (`Word`), to a member what only it may
know (`Letter`).  All of that is idempotent, as on a link: a file may be read twice, an
old one after a new one, and a link may come up in between.

While a match goes by mail nobody waits for the others to have what is entered on their
disks: the file is on its way.  So nothing is final until it has come back, and a link
that comes up ends it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from netplay.errors import Code, LocalError, PeerError
from netplay.messages.log import Opening, Share, Submit
from netplay.record.log import read_entry
from netplay.record.parcel import Enclosed, Item, Letter, Secret, Word, secrets
from netplay.record.sealing import KEY_BYTES, seal
from netplay.wire import Frame, decode, encode

if TYPE_CHECKING:
    from netplay.match.match import Match

Unseal: TypeAlias = Callable[[bytes], bytes]
"""Opens a letter to this node."""


def sealed(_letter: bytes) -> bytes:
    """Open no letter: the node has nothing to open letters with.

    Raises:
        PeerError: BAD_FRAME.
    """
    raise PeerError(Code.BAD_FRAME, "a letter that cannot be opened")


PROOFS_A_LETTER: Final = 50
"""A proof takes 330 bytes in a bag of a hundred tiles."""

FRAME_HEADER: Final = 5
"""Length and type of a frame."""


class Mailing:
    """The mail of one match at one node."""

    def __init__(self, match: "Match") -> None:
        """Begin with links."""
        self._match: Final = match
        self.on = False
        """Whether the match goes on without waiting for links."""

    def items(self) -> Iterator[Item]:
        """Yield what goes along with the log for whoever reads the file.

        Raises:
            PeerError: A member's key is none that can be sealed to.
        """
        match = self._match
        yield from (Secret(kept) for kept in match.hidden.bundle())
        if not match.hosting:
            for waiting in match.pending:
                author, own, body, signature = waiting.signed
                yield Word(author, Submit(match.match, own, body, signature))
            return
        for key in sorted(match.others):
            for message in self._confidences(key):
                once = match.hidden.random(KEY_BYTES)
                yield Letter(key, seal(key, encode(message), once))

    def _confidences(self, key: bytes) -> Iterator[Opening | Share]:
        """Yield what a member alone may know."""
        match = self._match
        proofs = match.knows.openings_for(key, set())
        for start in range(0, len(proofs), PROOFS_A_LETTER):
            yield Opening(match.match, proofs[start : start + PROOFS_A_LETTER])
        for round_ in match.fold.rounds:
            share = match.knows.shares(round_).get(key)
            if share is not None:
                yield Share(match.match, round_.number, share)

    def take(
        self, raws: tuple[bytes, ...], items: Sequence[Item], unseal: Unseal, now: float
    ) -> int:
        """Take what a file brings.

        Args:
            raws: Its entries.
            items: What goes along.
            unseal: Opens letters to this node.
            now: Seconds.

        Returns:
            How many entries were new.

        Raises:
            LocalError: FORK, the file and the match here have gone different ways.
            PeerError: The file is no good from some entry on; what came before stands.
        """
        match = self._match
        before = len(match.ledger.log)
        self._check_way(raws)
        match.hidden.unpack(secrets(items, match.fold.terms))
        match.histories.take(match.host, raws, now)
        useful = [item for item in items if self._is_for_us(item)]
        if (useful or len(match.ledger.log) > before) and not match.linked:
            self.on = True
        for item in useful:
            self._take_item(item, unseal, now)
        match.step(now)
        return len(match.ledger.log) - before

    def _is_for_us(self, item: Item) -> bool:
        """Tell whether something that goes along is meant for this node."""
        match = self._match
        match item:
            case Word(author, submit):
                ours = submit.match == match.match and author in match.others
                return match.hosting and ours
            case Letter(to, _):
                return to == match.me and not match.hosting
            case Secret() | Enclosed():
                return False

    def _check_way(self, raws: tuple[bytes, ...]) -> None:
        """Refuse a file that two players have played on from the same place.

        Where the key of the match goes along with the file that is no fraud, and the
        match here must not end for it.
        """
        log, shared = self._match.ledger.log, bool(self._match.hidden.key)
        for raw, line in zip(raws, log.lines, strict=False):
            if raw == line.raw:
                continue
            entry = read_entry(raw)
            if shared or entry.term < line.entry.term:
                detail = (
                    f"the file and the match kept here differ from entry {entry.number}"
                    " on: both were played on from the same place"
                )
                raise LocalError(Code.STALE, detail)
            return  # the proof of a fork, or a newer term

    def _take_item(self, item: Item, unseal: Unseal, now: float) -> None:
        """Take what one of the others wrote to this node.

        What is not good is left out: the entries stand without it.
        """
        match = self._match
        try:
            if isinstance(item, Word):
                match.receive(item.author, item.submit, now)
            elif isinstance(item, Letter):
                frame = unseal(item.sealed)
                message = decode(Frame(frame[FRAME_HEADER - 1], frame[FRAME_HEADER:]))
                if isinstance(message, Opening | Share):
                    match.receive(match.host, message, now)
        except (PeerError, IndexError) as error:
            match.notice(f"part of the file is of no use: {error}")
