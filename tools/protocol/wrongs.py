"""Entries that are well signed, and must be refused all the same."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from netplay.errors import Code
from netplay.messages.log import (
    Clock,
    Commit,
    Entry,
    Face,
    Genesis,
    Hand,
    LogBody,
    Open,
    Response,
    Root,
    Seed,
    Term,
    Ticks,
    Turn,
    Wish,
)
from netplay.record.chance import PUBLIC, ZERO
from netplay.record.fold import Fold
from netplay.record.ledger import empty_log, follow, read_terms
from netplay.record.log import (
    Log,
    author_data,
    entry_data,
    read_body,
    read_entry,
    sealed,
    term_data,
)
from netplay.wire import pack
from rules.game import Resign
from rules.hexcolumns import Drop, Rise
from rules.networdz import Pass
from rules.numlo import Place
from rules.tiles import Show
from tests.netplay.party import Key
from tools.protocol.examples import PROOF, filled
from tools.protocol.mutants import mutants

STRANGER: Final = Key("a stranger")


def replayed(raws: tuple[bytes, ...], count: int) -> tuple[Log, Fold]:
    """Return log and public state after some entries of a match."""
    terms = read_terms(raws[0])
    log, fold = empty_log(terms), Fold(terms)
    for raw in raws[:count]:
        follow(log, fold, log.checked(raw, fold.host_after))
    return log, fold


class Scribe:
    """Writes entries that are signed as they should be and yet must be refused."""

    def __init__(self, keys: Sequence[Key], raws: tuple[bytes, ...]) -> None:
        """Take up a match.

        Args:
            keys: Of its members.
            raws: Its entries.
        """
        self._keys = {key.key: key for key in (*keys, STRANGER)}
        self._raws = raws
        self._log, self._fold = replayed(raws, 1)

    def wrong(self) -> Iterator[tuple[str, int, bytes, Code]]:
        """Yield what it is, after how many entries, its bytes and the code."""
        yield from self._genesis()
        for after in sorted({1, len(self._raws) // 2, len(self._raws) - 1}):
            self._log, self._fold = replayed(self._raws, after)
            for what, raw, code in (*self._places(), *self._bodies()):
                yield f"after {after}: {what}", after, raw, code
        yield from self._mutants()

    def at(self, number: int, body: LogBody, author: bytes) -> bytes:
        """Return an entry that says something else than the one of that number."""
        self._log, self._fold = replayed(self._raws, number)
        return self._raw(body, author)

    def _mutants(self) -> Iterator[tuple[str, int, bytes, Code]]:
        """Yield changed bodies in place of the first and the last of each kind."""
        bodies = [read_body(read_entry(raw).body) for raw in self._raws]
        names = [type(body).__name__ for body in bodies]
        for at, (name, body) in enumerate(zip(names, bodies, strict=True)):
            first, last = names.index(name), len(names) - 1 - names[::-1].index(name)
            if at not in {first, last}:
                continue
            self._log, self._fold = replayed(self._raws, at)
            author = read_entry(self._raws[at]).author
            for what, other, code in mutants(body, self._fold):
                raw = self._raw(other, author, read_entry(self._raws[at]).term)
                yield f"entry {at}, {name}: {what}", at, raw, code

    def _genesis(self) -> Iterator[tuple[str, int, bytes, Code]]:
        """Yield first entries that are none."""
        entry = read_entry(self._raws[0])
        terms = read_terms(self._raws[0])
        self._log = empty_log(terms)
        host = terms.members[0].key
        nothing = bytes(64)
        others: dict[str, tuple[LogBody, Code]] = {
            "no genesis": (Commit(0, filled(1)), Code.BAD_LOG),
            "a signature missing": (
                Genesis(terms, (nothing,) * (len(terms.members) - 1)),
                Code.BAD_SIGNATURE,
            ),
            "signatures that fail": (
                Genesis(terms, (nothing,) * len(terms.members)),
                Code.BAD_SIGNATURE,
            ),
        }
        for what, (body, code) in others.items():
            yield what, 0, self._raw(body, host), code
        raw = self._sealed(replace(entry, number=1), host)
        yield "a genesis with number 1", 0, raw, Code.BAD_LOG
        raw = self._sealed(replace(entry, term=1), host)
        yield "a genesis of term 1", 0, raw, Code.TERM

    def _places(self) -> Iterator[tuple[str, bytes, Code]]:
        """Yield entries that are out of place, though the host has signed them."""
        good = read_entry(self._raws[len(self._log)])
        host = self._log.host
        changes: dict[str, tuple[dict[str, Any], Code]] = {
            "a number left out": ({"number": good.number + 1}, Code.BAD_LOG),
            "a number twice": ({"number": good.number - 1}, Code.BAD_LOG),
            "another chain": ({"prev": ZERO}, Code.BAD_LOG),
            "another own number": ({"own": good.own + 1}, Code.BAD_LOG),
            "a newer term": ({"term": self._log.term + 1}, Code.TERM),
            "another author": ({"author": STRANGER.key, "own": 0}, Code.NOT_A_MEMBER),
            "another body": ({"body": pack(Clock(ZERO, b""))}, Code.BAD_SIGNATURE),
            "no body": ({"body": b""}, Code.BAD_FRAME),
            "a body that is an entry": ({"body": self._raws[0]}, Code.BAD_FRAME),
            "author's signature": ({"author_signature": bytes(64)}, Code.BAD_SIGNATURE),
        }
        if isinstance(read_body(good.body), Term):
            del changes["a newer term"]
        for what, (change, code) in changes.items():
            yield what, self._sealed(replace(good, **change), host), code
        raw = pack(replace(good, host_signature=bytes(64)))
        yield "host's signature", raw, Code.BAD_SIGNATURE
        whole = self._raws[len(self._log)]
        longer = b"\xdc\x00" + bytes((whole[0] & 0x0F,)) + whole[1:]
        yield "with a longer header", longer, Code.NOT_CANONICAL
        yield "cut short by a byte", whole[:-1], Code.BAD_FRAME
        other = next(key for key in self._keys if key != host)
        yield "sealed by another", self._sealed(good, other), Code.BAD_SIGNATURE
        if self._log.at:
            raw = self._sealed(replace(good, at=self._log.at - 1), host)
            yield "time runs back", raw, Code.BAD_LOG

    def _bodies(self) -> Iterator[tuple[str, bytes, Code]]:
        """Yield bodies that have no place, though author and host have signed them."""
        host, others = self._log.host, self._others()
        other = others[0]
        yield from self._said("a genesis again", self._read_first(), host, Code.BAD_LOG)
        yield from self._said("no round", Commit(9, filled(1)), other, Code.UNEXPECTED)
        yield from self._said("no round", Seed(9, filled(1)), other, Code.UNEXPECTED)
        yield from self._said("no round", Root(9, ZERO, 1, ()), host, Code.UNEXPECTED)
        yield from self._said("no round", Open(9, filled(1)), host, Code.UNEXPECTED)
        shows = isinstance(self._fold.next_chance(), Show)
        code = Code.BAD_PROOF if shows else Code.UNEXPECTED
        yield from self._said("of no bag", Face((PROOF,)), host, code)
        yield from self._said(
            "by no host",
            Clock(self._fold.digest(), pack(Resign())),
            other,
            Code.UNEXPECTED,
        )
        yield from self._clocks(host)
        at = [member.key for member in self._fold.members].index(host)
        yield from self._said("no term", Term(at, ()), host, Code.TERM, term=0)
        yield from self._said("no quorum", Term(at, ()), host, Code.TERM)
        if len(self._fold.electors) > 2:
            log = self._log
            place = log.term + 1, host, len(log), log.head
            vote = at, self._keys[host].sign(term_data(log.match, *place))
            yield from self._said("by one alone", Term(at, (vote,)), host, Code.TERM)
        yield from self._said("nobody's", Term(3, ()), host, Code.UNEXPECTED)
        yield from self._said(
            "no consent", Hand(0, STRANGER.key, "", ()), host, self._consent()
        )
        signed = Hand(0, STRANGER.key, "", ((0, bytes(64)),))
        code = Code.BAD_SIGNATURE if self._has_room() else Code.UNEXPECTED
        yield from self._said("consent that fails", signed, host, code)
        yield from self._turns(other)
        yield from self._offers(other)

    def _offers(self, other: bytes) -> Iterator[tuple[str, bytes, Code]]:
        """Yield offers and answers that must be refused."""
        fold, head = self._fold, self._log.head
        seen, mine = fold.digest(), fold.seats_of(other)[0]
        theirs = next(s for s, holder in enumerate(fold.holders) if holder != other)
        closed = fold.hz or fold.over or fold.stuck or mine in fold.resigned
        late = Code.UNEXPECTED if closed else Code.STALE
        stop = Wish(theirs, "stop", 0, head, seen)
        yield from self._said("another's seat", stop, other, Code.NOT_A_MEMBER)
        odd = Wish(mine, "stop", 3, head, seen)
        yield from self._said("with days", odd, other, Code.UNEXPECTED)
        old = Wish(mine, "stop", 0, filled(0xEE), seen)
        yield from self._said("in another history", old, other, late)
        to_none = Response(mine, filled(0xEE), agrees=True)
        yield from self._said("to no offer", to_none, other, late)

    def _clocks(self, host: bytes) -> Iterator[tuple[str, bytes, Code]]:
        """Yield moves by the clock that are none; where there are ticks none is."""
        resign = pack(Resign())
        for what, move, code in (
            ("no move", b"\x91\xa3fly", Code.BAD_FRAME),
            ("a longer move", b"\xdc\x00\x01" + resign[1:], Code.NOT_CANONICAL),
        ):
            body = Clock(self._fold.digest(), move)
            ticks = Code.UNEXPECTED if self._fold.hz else code
            yield from self._said(what, body, host, ticks)

    def _turns(self, other: bytes) -> Iterator[tuple[str, bytes, Code]]:
        """Yield turns that must be refused."""
        fold = self._fold
        head, seen = self._log.head, fold.digest()
        move = pack(_some_move(fold.terms.game))
        theirs = next(s for s, holder in enumerate(fold.holders) if holder != other)
        mine = fold.seats_of(other)[0]
        on_turn = [seat for seat in sorted(fold.actors) if seat >= 0]
        resign = pack(Resign())
        no = Code.NOT_A_MEMBER
        yield from self._said(
            "another's seat", Turn(theirs, head, seen, resign, ()), other, no
        )
        yield from self._said("no seat", Turn(3, head, seen, resign, ()), other, no)
        yield from self._said(
            "no move", Turn(mine, head, seen, b"\x91\xa3fly", ()), other, Code.BAD_FRAME
        )
        longer = b"\xdc\x00\x01" + resign[1:]
        yield from self._said(
            "a longer move",
            Turn(mine, head, seen, longer, ()),
            other,
            Code.NOT_CANONICAL,
        )
        public = fold.rounds.get(PUBLIC)
        begun = fold.hz and public is not None and public.key is not None
        ticks = Code.STALE if begun else Code.UNEXPECTED
        if mine not in fold.resigned:
            yield from self._said(
                "a million ticks", Ticks(mine, 10**6, (), b""), other, ticks
            )
        if begun and mine in fold.actors:
            at = fold.ticks[mine]
            rise = Ticks(mine, at, ((at, pack(Rise(1))),), b"")
            yield from self._said(
                "a row that nobody sent", rise, other, Code.ILLEGAL_MOVE
            )
        for seat in on_turn:
            author, code = fold.holders[seat], Code.STALE
            stale = Turn(seat, filled(0xEE), seen, move, ())
            if fold.hz:
                code = Code.UNEXPECTED
            yield from self._said(f"seat {seat} stale", stale, author, code)
        for seat in set(range(len(fold.holders))) - set(on_turn):
            author = fold.holders[seat]
            turn = Turn(seat, head, seen, move, ())
            code = Code.UNEXPECTED if fold.hz else Code.NOT_YOUR_TURN
            yield from self._said(f"seat {seat}", turn, author, code)

    def _said(
        self, what: str, body: LogBody, author: bytes, code: Code, term: int = -1
    ) -> Iterator[tuple[str, bytes, Code]]:
        """Yield a body as an entry, where its author may write at all."""
        if term < 0:
            term = self._log.term + isinstance(body, Term)
        name = type(body).__name__
        yield f"{name}, {what}", self._raw(body, author, term), code

    def _consent(self) -> Code:
        """Return the code for a Hand without consent: UNEXPECTED at a full table."""
        return Code.NOT_A_MEMBER if self._has_room() else Code.UNEXPECTED

    def _has_room(self) -> bool:
        """Tell whether seat 0 could pass to a new member."""
        return len(self._fold.members) < 4 and 0 not in self._fold.resigned

    def _others(self) -> list[bytes]:
        """Return the members that are not host and have a seat."""
        holders = dict.fromkeys(self._fold.holders)
        return [key for key in holders if key != self._log.host]

    def _read_first(self) -> LogBody:
        """Return the genesis."""
        return read_body(read_entry(self._raws[0]).body)

    def _raw(self, body: LogBody, author: bytes, term: int | None = None) -> bytes:
        """Return a body as the next entry, signed by author and host."""
        log, data = self._log, pack(body)
        own = log.own(author)
        signature = self._keys[author].sign(author_data(log.match, own, data))
        fields = (
            len(log),
            log.term if term is None else term,
            log.head,
            log.at,
            author,
            own,
            data,
            signature,
        )
        host = author if isinstance(body, Term) else log.host
        sign = self._keys[host].sign(entry_data(log.match, fields))
        return pack(Entry(*fields, sign))

    def _sealed(self, entry: Entry, host: bytes) -> bytes:
        """Return an entry with another signature by the host."""
        data = entry_data(self._log.match, sealed(entry))
        return pack(replace(entry, host_signature=self._keys[host].sign(data)))


def _some_move(game: str) -> Any:  # noqa: ANN401 (any game's)
    """Return some move of a game by a seat."""
    return {"numlo": Place(0), "networdz": Pass(()), "hexcolumns": Drop()}[game]
