"""Check a match file alone: signatures, hashes, rules, proofs and the audit.

Nothing of the node takes part: bytes go in, a verdict comes out, which names the place
of whatever is wrong, and what is missing where nobody can tell.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.messages.log import Hand, Mix, Term
from netplay.messages.table import Terms
from netplay.record.agreement import Difference
from netplay.record.chance import PUBLIC
from netplay.record.clocks import Sent, sent, told, waited_for
from netplay.record.fold import Fold
from netplay.record.ledger import empty_log, follow, read_terms
from netplay.record.log import Line, Log
from netplay.record.playable import Again
from netplay.record.store import DamageError, Record, records
from netplay.record.views import audit, moves_made, unopened
from netplay.said import Said, Words, chained
from netplay.sanitize import shown_name
from netplay.sentences import Says
from rules import GAMES, editions, lexicon
from rules.game import IllegalMoveError

Finding: TypeAlias = Literal["good", "bad", "unaudited", "unfinished", "unknown"]
"""What a check may come to:

- good: the match is over, and its draw was proved;
- bad: something does not hold;
- unaudited: it is over, and what is there holds, but a dealer's seed is missing;
- unfinished: it holds as far as it goes;
- unknown: the words, the edition or the rules that it was played by are not here.
"""


class Verdict(Struct, frozen=True):
    """What a check of a match file found."""

    verdict: Finding
    game: str
    """Empty if not even the terms could be read."""
    entries: int
    """How many are good, from the first on."""
    moves: int
    places: tuple[int, ...]
    """Empty unless the match was played to its end."""
    audit: str
    """Empty before the end; "ok"; or what the audit found."""
    said: Words
    """What is wrong and where, or what is missing; empty if nothing is."""
    again: tuple[Said, ...] = ()
    """Every draw that began again, and by which entry: somebody may have gained."""
    apart: tuple[Said, ...] = ()
    """Where the author of an entry named another position than there is here."""
    fairness: str = "committed"
    """How tiles were drawn."""
    claims: tuple[Said, ...] = ()
    """That somebody had had all its time, and what came of that."""
    owed: tuple[Said, ...] = ()
    """Of a match that is not over: who owes it what, and what came of each last."""
    passed: tuple[Said, ...] = ()
    """Which seats have passed to whom, and by whose word; of two it is one's alone."""
    sent: tuple[Sent, ...] = ()
    """What each has sent and when, of what the others wait for."""
    contested: bool = False
    """It has ended by such a claim to which there was an objection: no places."""
    disputed: bool = False
    """Too few of the programs agree: the match has no places."""

    @property
    def reason(self) -> str:
        """What is wrong or missing, in English."""
        return str(self.said)

    @property
    def ok(self) -> bool | None:
        """Whether all that is there holds; None where nobody can tell."""
        return None if self.verdict == "unknown" else self.verdict != "bad"


class _FoundError(Exception):
    """A file is not good; what is said tells why."""

    def __init__(self, said: Said) -> None:
        super().__init__(str(said))
        self.said: Final = said


class _WrongError(_FoundError):
    """Something does not hold; what is said tells where."""


class _UnknownError(_FoundError):
    """Something is missing by which to check; what is said tells what."""


@contextmanager
def _at(number: int, offset: int) -> Generator[None]:
    """Say where whatever goes wrong inside does so."""
    try:
        yield
    except (PeerError, IllegalMoveError) as error:
        where = Says.AT_BYTE(offset=offset, why=error)
        raise _WrongError(Says.IN_ENTRY(number=number, what=where)) from None


class Replay:
    """A match file read so far."""

    def __init__(self, *, mixes: bool = False) -> None:
        """Start before the genesis.

        Args:
            mixes: Whether the proofs of an encrypted bag's mixing are checked too;
                each takes a moment.
        """
        self._mixes: Final = mixes
        self.terms: Terms | None = None
        self.log: Log | None = None
        self.fold: Fold | None = None

    def on_entry(self, raw: bytes) -> None:
        """Check and fold in the next entry.

        Raises:
            PeerError: It does not follow, or is not signed as it must be.
            IllegalMoveError: The rules forbid the move.
        """
        if self.fold is None or self.log is None:
            self.terms = read_terms(raw)
            self.fold, self.log = Fold(self.terms), empty_log(self.terms)
        line = self.log.checked(raw, self.fold.host_after)
        follow(self.log, self.fold, line)
        if self._mixes and isinstance(line.body, Mix) and self.fold.bag is not None:
            number = line.entry.number
            try:
                self.fold.bag.check_mix(number)
            except PeerError as error:
                said = Says.FALSE_MIX(
                    name=_name(self.fold, line.entry.author), number=number
                )
                raise PeerError(error.code, said) from None


def replay(raws: Sequence[bytes]) -> Fold:
    """Return the public state after some entries.

    Raises:
        PeerError: They are no log of a match.
        IllegalMoveError: The rules forbid a move.
    """
    done = Replay()
    for raw in raws:
        done.on_entry(raw)
    if done.fold is None:
        raise DamageError(0, Says.NO_MATCH_THERE(), tail=False)
    return done.fold


def verify(data: bytes, seen: Callable[[int], None] | None = None) -> Verdict:
    """Check a match file.

    Args:
        data: The whole file.
        seen: Told how many of its bytes have been checked, from time to time.
    """
    done = Replay(mixes=True)
    try:
        _check(done, data, seen)
    except _UnknownError as error:
        assert done.terms is not None
        size = 0 if done.log is None else len(done.log)
        fairness = done.terms.fairness
        what = done.terms.game, size, 0, (), "", error.said
        return Verdict("unknown", *what, fairness=fairness)
    except _WrongError as error:
        return _verdict(done, "bad", error.said)
    fold = done.fold
    assert fold is not None
    why = Says.POSITIONS_DIFFER() if fold.disputed else ""
    if fold.bag is not None and fold.bag.cheat is not None:
        why = Says.FALSE_PART(name=_name(fold, fold.bag.cheat))
    if not fold.over or fold.disputed:
        return _verdict(done, "unfinished", why)
    missing = unopened(fold)
    if missing:
        # Whose seeds are missing, and what they would prove
        deals: dict[str, list[str]] = {}
        for dealer, deal in missing:
            deals.setdefault(dealer, []).append(str(deal))
        whose = [Says.SEED_OF(name=k, deals=", ".join(n)) for k, n in deals.items()]
        return _verdict(done, "unaudited", Says.DRAW_NOT_PROVED(seeds=chained(whose)))
    return _verdict(done, "good", why)


def _check(
    done: Replay, data: bytes, seen: Callable[[int], None] | None = None
) -> None:
    """Read a file through.

    Raises:
        _WrongError: Something does not hold.
        _UnknownError: Something is missing to tell.
    """
    for number, record in enumerate(_records(data, done)):
        with _at(number, record.offset):
            if number == 0:
                # Check what can be, where what the match was played by is not here
                done.terms = read_terms(record.entry)
                missing = lacking(done.terms)
                if missing:
                    _check_signed(done, data)
                    raise _UnknownError(missing)
            done.on_entry(record.entry)
        if seen is not None:
            seen(record.offset)
    if done.fold is None:
        nothing = Says.NO_MATCH_THERE()
        raise _WrongError(Says.AT_BYTE(offset=0, why=nothing))
    found = audit(done.fold)
    if found not in {"", "ok"}:
        raise _WrongError(Says.AUDIT_FOUND(what=found))


def lacking(terms: Terms) -> Said | None:
    """Return what is missing here by which a match was played, None if nothing is."""
    game = GAMES.get(terms.game)
    if game is None:
        return Says.GAME_UNKNOWN(game=shown_name(terms.game))
    if game.ABOUT.version != terms.version:
        title, version = game.ABOUT.title, game.ABOUT.version
        return Says.RULES_MISSING(rules=terms.version, game=title, version=version)
    if not _is_here(terms.edition, editions.find):
        return Says.EDITION_MISSING(digest=terms.edition.hex()[:8])
    if not _is_here(terms.lexicon, lexicon.find):
        return Says.LIST_MISSING(digest=terms.lexicon.hex()[:8])
    return None


def _is_here(named: bytes, find: Callable[[str], object]) -> bool:
    """Tell whether what terms name, if anything, can be had here."""
    try:
        return not named or find(named.hex()) is not None
    except LookupError:
        return False


def _check_signed(done: Replay, data: bytes) -> None:
    """Check what needs no rules: the chain of the entries, and who signed them.

    Raises:
        _WrongError: It does not hold.
    """
    assert done.terms is not None
    keys = [member.key for member in done.terms.members]
    log = done.log = empty_log(done.terms)
    for number, record in enumerate(_records(data, done)):
        with _at(number, record.offset):
            named = partial(_host_after, keys)
            line = log.checked(record.entry, named)
            body = line.body
            log.append(line, named(body) if isinstance(body, Term) else log.host)
        if isinstance(body, Hand) and body.key not in keys:
            keys.append(body.key)
            log.admit(body.key)


def _host_after(keys: Sequence[bytes], term: Term) -> bytes:
    """Return the host whom a term names.

    Raises:
        PeerError: UNEXPECTED, it names nobody.
    """
    if term.host >= len(keys):
        raise PeerError(Code.UNEXPECTED, "a term without a host")
    return keys[term.host]


def _records(data: bytes, done: Replay) -> Iterator[Record]:
    """Yield the records of a file.

    Raises:
        _WrongError: It is damaged.
    """
    try:
        yield from records(data)
    except DamageError as damage:
        number = 0 if done.log is None else len(done.log)
        raise _WrongError(Says.IN_ENTRY(number=number, what=damage.detail)) from None


def _verdict(done: Replay, verdict: Finding, said: Words) -> Verdict:
    """Return what was found."""
    fold = done.fold
    if fold is None:
        return Verdict(verdict, "", 0, 0, (), "", said)
    return Verdict(
        verdict=verdict,
        game=fold.terms.game,
        entries=fold.number,
        moves=moves_made(fold.game, fold.state, fold.moves),
        places=fold.places,
        audit=audit(fold) if verdict != "bad" else "",
        said=said,
        again=tuple(_begun_again(one) for one in fold.again),
        apart=tuple(_difference(fold, found) for found in fold.agreement.found),
        claims=told(fold),
        owed=() if done.log is None else waited_for(fold, done.log),
        passed=() if done.log is None else tuple(_passed(fold, done.log.lines)),
        sent=() if done.log is None else sent(fold, done.log.lines),
        contested=fold.claims.contested,
        disputed=fold.disputed,
        fairness=fold.terms.fairness,
    )


def _name(fold: Fold, key: bytes) -> str:
    """Return the name of a member."""
    return next(member.name for member in fold.members if member.key == key)


def _difference(fold: Fold, found: Difference) -> Said:
    """Return a difference in words."""
    name = _name(fold, found.author)
    theirs, ours = found.theirs.hex(), found.ours.hex()
    return Says.SAW_ANOTHER(number=found.number, name=name, theirs=theirs, ours=ours)


def _passed(fold: Fold, lines: Iterable[Line]) -> Iterator[Said]:
    """Yield that a seat has passed to another player, in words."""
    names = [shown_name(seat.name) for seat in fold.terms.seats]
    for line in lines:
        body = line.body
        if isinstance(body, Hand):
            who = sorted({member for member, _signature in body.signatures})
            said = [fold.members[member].name for member in who]
            before, names[body.seat] = names[body.seat], shown_name(body.name)
            yield Says.SEAT_PASSED(
                number=line.entry.number, seat=before, other=names[body.seat],
                key=fingerprint(body.key), names=", ".join(said),
            )  # fmt: skip


def _begun_again(one: Again) -> Said:
    """Return a draw that began again, and why, in words."""
    public = one.round == PUBLIC
    what = Says.PUBLIC_CHANCE() if public else Says.DEAL(number=one.round - 1)
    why = Says.BECAME_HOST(name=one.host) if one.another else Says.SEAT_PASSED_ON()
    return Says.DRAWN_AGAIN(number=one.number, why=why, what=what)
