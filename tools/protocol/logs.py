"""Vectors of match files: good ones, changed ones, and entries that do not follow.

The members play by themselves in memory; their keys and their chance are those of the
tests' parties, the same every time.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from netplay.errors import Code
from netplay.match.thinking import DAY_SECONDS
from netplay.messages.letters import NothingLeft
from netplay.messages.log import Late, Turn, What
from netplay.record import chance
from netplay.record.chance import Bag
from netplay.record.letter import box, signed_nothing
from netplay.record.log import read_entry
from netplay.record.store import HEADER_BYTES, MAGIC, frame
from netplay.record.verify import verify
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from rules.hexcolumns import Drop
from rules.networdz import Lay, Pass
from tests.netplay.party import Key, Party
from tools.protocol.wrongs import Scribe, replayed


def matches() -> dict[str, Any]:
    """Return the vectors."""
    return {"matches": _good(), "crooked": [_crooked()], "passed": _passed()}


def _good() -> list[dict[str, Any]]:
    """Return matches that are as they should be, and what must not follow."""
    return [
        _match("numlo, two members: public chance, resigned", _numlo()),
        _match("networdz, three members: an exchange, another host", _networdz()),
        _match("networdz, two members: open racks, not over", _open_racks()),
        _match("numlo, three days: a turn lapses, over", _lapsed()),
        _match("numlo, two members: a turn taken back, a draw", _agreed()),
        _match("numlo, two members: stopped by agreement", _stopped()),
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


def _lapsed() -> Party:
    """Return a match in which somebody had all days to think."""
    keeper = Key("keeper")
    party = Party("numlo", 2, days=3, keepers=(keeper.key,))
    party.link_all()
    party.settle()
    _first(party)
    [(late, seat)] = party.movers()
    member = party.member(1 - late)
    log, fold = member.ledger.log, member.fold
    over = DAY_SECONDS * fold.terms.days
    author, to = party.keys[late].key, member.me
    place = author, to, box(fold.match, author, to)
    nothing = NothingLeft(b"", *place, 0, over, bytes(64))
    words = (signed_nothing(keeper, nothing),)
    member.replication.submit(
        Late(seat, log.head, fold.digest(), over, words), party.now
    )
    member.step(party.now)
    party.settle()
    return party


def _agreed() -> Party:
    """Return a match in which players agree on what the rules do not know."""
    options = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
    party = Party("numlo", 2, options, days=3)
    party.link_all()
    party.settle()
    for _ in range(3):
        _first(party)
    seat = party.movers()[0][1]
    _offer(party, 0, "stop", 0, agrees=False)
    _offer(party, 1, "days", 5, agrees=True)
    _offer(party, seat, "back", 0, agrees=True)
    for _ in range(2):
        _first(party)
    _offer(party, 1, "draw", 0, agrees=True)
    return party


def _stopped() -> Party:
    """Return a match that its players have agreed to end without a result."""
    options = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
    party = Party("numlo", 2, options)
    party.link_all()
    party.settle()
    for _ in range(2):
        _first(party)
    _offer(party, 0, "stop", 0, agrees=True)
    return party


def _offer(party: Party, seat: int, what: What, days: int, *, agrees: bool) -> None:
    """Let a seat offer something, and the other one answer."""
    for n in (seat, 1 - seat):
        member = party.member(n)
        if n == seat:
            member.say(member.offering.offer(n, what, days), party.now)
        else:
            member.say(member.offering.answer(n, b"", agrees=agrees), party.now)
        party.settle()


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


def _passed() -> dict[str, Any]:
    """Return a match of two whose host is gone: the guest hands the seat on alone."""
    options = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
    party = Party("numlo", 2, options)
    party.link_all()
    party.settle()
    for _ in range(3):
        _first(party)
    party.crash(0)
    party.settle()
    heir, guest = Key("heir"), party.member(1)
    guest.agree(0, heir.key, "heir", party.now)
    party.settle()
    raws = guest.ledger.raws(0)
    last = len(raws) - 1
    log, fold = replayed(raws, last)
    move = Turn(1, log.head, fold.digest(), pack(Resign()), ())
    return {
        "name": "numlo, two members: one of two hands the other's seat on, not over",
        "file": _file(raws).hex(),
        "entries": len(raws),
        "seat": 0,
        "heir": heir.key.hex(),
        "before": {
            "after": last,
            "entry": Scribe(party.keys, raws).at(last, move, guest.me).hex(),
            "error": Code.UNEXPECTED.name,
        },
    }


def _crooked() -> dict[str, Any]:
    """Return a match whose host dealt an order of its own: only the audit finds it."""
    names: dict[str, Any] = chance.__dict__
    real = Bag

    def chosen(
        match: bytes,
        number: int,
        first: int,
        kinds: tuple[int, ...],
        secret: bytes,
        _seeds: Any,  # noqa: ANN401 (what the host should have taken)
    ) -> Bag:
        return real(match, number, first, kinds, secret, [b"chosen"])

    names["Bag"] = chosen  # the host runs a program of its own
    try:
        party = Party("networdz", 2)
        party.link_all()
        party.settle()
        _lay(party)
        _resign(party)
    finally:
        names["Bag"] = real
    raws = party.logs()[0]
    return {
        "name": "networdz, two members: a bag that is not of the agreed order",
        "file": _file(raws).hex(),
        "entries": len(raws),
        "reason": verify(_file(raws)).reason,
    }


def _match(name: str, party: Party) -> dict[str, Any]:
    """Return the vectors of one match."""
    raws = party.logs()[-1]
    assert all(log == raws for log in party.logs())
    verdict = verify(_file(raws))
    log, _ = replayed(raws, len(raws))
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
            for what, after, raw, code in Scribe(party.keys, raws).wrong()
        ],
    }


def _file(raws: tuple[bytes, ...]) -> bytes:
    """Return a match file."""
    return MAGIC + b"".join(map(frame, raws))


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
