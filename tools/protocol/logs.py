"""Vectors of match files: good ones, changed ones, and entries that do not follow.

The members play by themselves in memory; their keys and their chance are those of the
tests' parties, the same every time.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from netplay.chance import ZERO
from netplay.errors import Code
from netplay.fold import Fold
from netplay.ledger import empty_log, follow, read_terms
from netplay.log import Log, author_data, entry_data, read_body, read_entry, sealed
from netplay.messages.log import (
    Clock,
    Commit,
    Entry,
    Face,
    Genesis,
    Hand,
    LogBody,
    Open,
    Root,
    Seed,
    Term,
    Ticks,
    Turn,
)
from netplay.rounds import PUBLIC
from netplay.store import HEADER_BYTES, MAGIC, frame
from netplay.verify import verify
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from rules.hexcolumns import Drop
from rules.networdz import Lay, Pass
from rules.numlo import Place
from rules.tiles import Show
from tests.netplay.party import Key, Party
from tools.protocol.examples import PROOF, filled

STRANGER: Final = Key("a stranger")


def matches() -> list[dict[str, Any]]:
    """Return the vectors."""
    return [
        _match("numlo, two members: public chance, resigned", _numlo()),
        _match("networdz, three members: an exchange, another host", _networdz()),
        _match("networdz, two members: open racks, not over", _open_racks()),
        _match("hexcolumns, two members: ticks, not over", _hexcolumns()),
    ]


def _numlo() -> Party:
    """Return a match with public chance."""
    options = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
    party = Party("numlo", 2, options)
    party.link_all()
    party.settle()
    for _ in range(4):
        _first(party)
    _resign(party)
    return party


def _networdz() -> Party:
    """Return a match with words laid, an exchange, and a host that is replaced."""
    party = Party("networdz", 3)
    party.link_all()
    party.settle()
    for _ in range(2):
        _lay(party)
    [(n, seat)] = party.movers()
    rack = party.member(n).seats.view(seat).state.tiles.racks[seat]
    _play(party, n, seat, Pass(rack[:2]))
    party.crash(0)
    for n in (1, 2):
        party.member(n).election.vote(party.now)
    party.wake(2.0)
    party.start(0)
    party.link_all()
    party.settle()
    _lay(party)
    for _ in range(2):
        _resign(party)
    return party


def _open_racks() -> Party:
    """Return a match in which racks are turned up as the rules ask."""
    party = Party("networdz", 2, GAMES["networdz"].ABOUT.options(show_racks=True))
    party.link_all()
    party.settle()
    for _ in range(3):
        _lay(party)
    return party


def _hexcolumns() -> Party:
    """Return a match in which two seats have let time pass."""
    party = Party("hexcolumns", 2)
    party.link_all()
    party.settle()
    for step in range(24):
        party.wake(1 / 30)
        if step % 8 == 7:
            for n in (0, 1):
                party.member(n).play(n, pack(Drop()), -1, party.now)
    party.wake(0.2)
    return party


def _first(party: Party) -> None:
    """Let whoever is on turn make the first legal move."""
    [(n, seat)] = party.movers()
    state = party.member(n).seats.view(seat).state
    _play(party, n, seat, next(party.game.moves(state, seat)))


def _lay(party: Party) -> None:
    """Let whoever is on turn lay the first word that the rules list."""
    [(n, seat)] = party.movers()
    state = party.member(n).seats.view(seat).state
    moves = party.game.moves(state, seat)
    _play(party, n, seat, next(move for move in moves if isinstance(move, Lay)))


def _resign(party: Party) -> None:
    """Let whoever is on turn resign."""
    n, seat = party.movers()[0]
    _play(party, n, seat, Resign())


def _play(party: Party, n: int, seat: int, move: Any) -> None:  # noqa: ANN401 (any game's move)
    """Make a move and let everybody hear of it."""
    party.member(n).play(seat, pack(move), -1, party.now)
    party.settle()


def _match(name: str, party: Party) -> dict[str, Any]:
    """Return the vectors of one match."""
    raws = party.logs()[-1]
    assert all(log == raws for log in party.logs())
    verdict = verify(_file(raws))
    log, _ = _replayed(raws, len(raws))
    return {
        "name": name,
        "members": [key.key.hex() for key in party.keys],
        "match": log.match.hex(),
        "file": _file(raws).hex(),
        "heads": [head.hex() for head in log.heads[1:]],
        "verdict": {
            "ok": verdict.ok,
            "game": verdict.game,
            "entries": verdict.entries,
            "moves": verdict.moves,
            "places": list(verdict.places),
            "audit": verdict.audit,
        },
        "changed": list(_changed(raws)),
        "wrong": [
            {"name": what, "after": after, "entry": raw.hex(), "error": code.name}
            for what, after, raw, code in _Scribe(party, raws).wrong()
        ],
    }


def _file(raws: tuple[bytes, ...]) -> bytes:
    """Return a match file."""
    return MAGIC + b"".join(map(frame, raws))


def _replayed(raws: tuple[bytes, ...], count: int) -> tuple[Log, Fold]:
    """Return log and public state after some entries."""
    terms = read_terms(raws[0])
    log, fold = empty_log(terms), Fold(terms)
    for raw in raws[:count]:
        follow(log, fold, log.read(raw, fold.host_after))
    return log, fold


# Changed files.


def _changed(raws: tuple[bytes, ...]) -> Iterator[dict[str, Any]]:
    """Yield changes of a file that must be found, and how many entries are good then.

    A change puts `with` in place of the bytes from `from` to `to`.
    """
    starts = [len(MAGIC)]
    for raw in raws:
        starts.append(starts[-1] + HEADER_BYTES + len(raw))
    end = starts[-1]
    yield _change("an empty file", 0, end, b"", 0)
    yield _change("nothing but the magic", len(MAGIC), end, b"", 0)
    yield _change("another magic", 7, 8, b"\x02", 0)
    yield _change("the magic cut short", 7, end, b"", 0)
    yield _change("a byte behind", end, end, b"\x00", len(raws))
    yield _change("eight zeros behind", end, end, bytes(8), len(raws))
    yield _change("the last byte missing", end - 1, end, b"", len(raws) - 1)
    for at in sorted({0, 1, len(raws) // 2, len(raws) - 1}):
        yield from _changed_entry(raws, starts, at)


def _changed_entry(
    raws: tuple[bytes, ...], starts: list[int], at: int
) -> Iterator[dict[str, Any]]:
    """Yield changes of one entry."""
    start, end, raw = starts[at], starts[at + 1], raws[at]
    yield _change(f"entry {at}: length 0", start, start + 4, bytes(4), at)
    yield _change(f"entry {at}: length too large", start, start + 1, b"\x7f", at)
    yield _change(f"entry {at}: checksum", start + 4, start + 5, b"\x00\x00", at)
    if at + 1 < len(raws):  # a file that ends early is good so far
        yield _change(f"entry {at}: left out", start, end, b"", at)
    twice = frame(raw) + frame(raw)
    yield _change(f"entry {at}: twice", start, end, twice, at + 1)
    entry = read_entry(raw)
    for field in entry.__struct_fields__:
        value = getattr(entry, field)
        other: Any = _other(value)
        changed = frame(pack(replace(entry, **{field: other})))
        yield _change(f"entry {at}: another {field}", start, end, changed, at)
    longer = b"\xdc\x00\x09" + raw[1:]
    yield _change(f"entry {at}: a longer header", start, end, frame(longer), at)


def _other(value: int | bytes) -> int | bytes:
    """Return another value of the same shape."""
    if isinstance(value, int):
        return value + 1
    return bytes((value[0] ^ 1,)) + value[1:]


def _change(
    name: str, start: int, end: int, data: bytes, entries: int
) -> dict[str, Any]:
    """Return a change of a file."""
    return {
        "name": name,
        "from": start,
        "to": end,
        "with": data.hex(),
        "entries": entries,
    }


# Entries that do not follow.


class _Scribe:
    """Writes entries that are signed as they should be and yet must be refused."""

    def __init__(self, party: Party, raws: tuple[bytes, ...]) -> None:
        self._keys = {key.key: key for key in (*party.keys, STRANGER)}
        self._party = party
        self._raws = raws
        self._log, self._fold = _replayed(raws, 1)

    def wrong(self) -> Iterator[tuple[str, int, bytes, Code]]:
        """Yield what it is, after how many entries, its bytes and the code."""
        yield from self._genesis()
        for after in sorted({1, len(self._raws) // 2, len(self._raws) - 1}):
            self._log, self._fold = _replayed(self._raws, after)
            for what, raw, code in (*self._places(), *self._bodies()):
                yield f"after {after}: {what}", after, raw, code

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
            "another body": ({"body": pack(Clock(b""))}, Code.BAD_SIGNATURE),
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
            "by no host", Clock(pack(Resign())), other, Code.UNEXPECTED
        )
        at = [member.key for member in self._fold.members].index(host)
        yield from self._said("no term", Term(at, ()), host, Code.TERM, term=0)
        yield from self._said("no quorum", Term(at, ()), host, Code.TERM)
        yield from self._said("nobody's", Term(3, ()), host, Code.UNEXPECTED)
        yield from self._said(
            "no consent", Hand(0, STRANGER.key, "", ()), host, self._consent()
        )
        yield from self._turns(other)

    def _turns(self, other: bytes) -> Iterator[tuple[str, bytes, Code]]:
        """Yield turns that must be refused."""
        fold = self._fold
        moves, move = fold.moves, pack(_some_move(fold.terms.game))
        theirs = next(s for s, holder in enumerate(fold.holders) if holder != other)
        mine = fold.seats_of(other)[0]
        on_turn = [seat for seat in sorted(fold.actors) if seat >= 0]
        resign = pack(Resign())
        no = Code.NOT_A_MEMBER
        yield from self._said(
            "another's seat", Turn(theirs, moves, resign, ()), other, no
        )
        yield from self._said("no seat", Turn(3, moves, resign, ()), other, no)
        yield from self._said(
            "no move", Turn(mine, moves, b"\x91\xa3fly", ()), other, Code.BAD_FRAME
        )
        longer = b"\xdc\x00\x01" + resign[1:]
        yield from self._said(
            "a longer move", Turn(mine, moves, longer, ()), other, Code.NOT_CANONICAL
        )
        public = fold.rounds.get(PUBLIC)
        begun = fold.hz and public is not None and public.key is not None
        ticks = Code.STALE if begun else Code.UNEXPECTED
        if mine not in fold.resigned:
            yield from self._said(
                "a million ticks", Ticks(mine, 10**6, ()), other, ticks
            )
        for seat in on_turn:
            author, code = fold.holders[seat], Code.STALE
            stale = Turn(seat, moves + 1, move, ())
            if fold.hz:
                code = Code.UNEXPECTED
            yield from self._said(f"seat {seat} stale", stale, author, code)
        for seat in set(range(len(fold.holders))) - set(on_turn):
            author = fold.holders[seat]
            turn = Turn(seat, moves, move, ())
            yield from self._said(f"seat {seat}", turn, author, Code.NOT_YOUR_TURN)

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
        free = len(self._fold.members) < 4 and 0 not in self._fold.resigned
        return Code.NOT_A_MEMBER if free else Code.UNEXPECTED

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
