"""Attacks on an encrypted bag: what a member might say, and why it must not pass.

Three holders and a bag of five tiles; all secrets are known here, so that what could
be forged with them is.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from netplay.bag import lift, shuffle
from netplay.bag.group import (
    BYTES,
    IDENTITY,
    ORDER,
    BagError,
    Masked,
    base,
    digest,
    is_point,
    joined,
    minus,
    packed,
    plus,
    point_of,
    times,
)
from netplay.bag.lift import (
    Author,
    Share,
    mask_of,
    prove_key,
    prove_lift,
    spare_of,
    spread,
)
from netplay.errors import PeerError
from netplay.messages.log import Blame, Lift, Mask, Mix, Open, Proof, Spare
from netplay.record.masked import MaskedBag, MaskedDeal, read_deck
from tests.netplay.bag.opened import lifted

KINDS = (0, 0, 1, 2, 3)
COUNTS = 5
KEYS = tuple(hashlib.sha256(bytes([i])).digest() for i in range(3))
MATCH, OTHER = (hashlib.sha256(name).digest() for name in (b"match", b"other"))
FRESH = hashlib.sha256(b"fresh").digest()
TORSION = bytes.fromhex(
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
)
OWNERS = {0: KEYS[0], 1: KEYS[1], 2: KEYS[2], 3: KEYS[0]}


class Attack(NamedTuple):
    """Something said that must be refused."""

    name: str
    reason: str
    do: Callable[[], None]
    """Must raise PeerError or BagError."""


class Table:
    """A bag and those who hold it, brought as far as is wanted."""

    def __init__(self, match: bytes = MATCH) -> None:
        self.match = match
        self.bag = MaskedBag(match, KINDS, COUNTS)
        self.bag.seat(KEYS, 0)
        self.bag.begin_deal(MaskedDeal(1, 0, len(KINDS), (), KEYS[0]))
        self.secrets = {k: (mask_of(k, match), spare_of(k, match)) for k in KEYS}

    def author(self, key: bytes) -> Author:
        return Author(self.match, key)

    def say(self, key: bytes, body: Any, owners: Any = None) -> None:
        self.bag.on_body(key, body, OWNERS if owners is None else owners, 1)

    def mask(self, key: bytes) -> Mask:
        x, e = self.secrets[key]
        proof = prove_key(self.author(key), x, e, FRESH)
        return Mask(base(x), base(e), proof)

    def mix(self, change: Callable[[Any], Any] = lambda deck: deck) -> Mix:
        """Return the mixing that is due, of a deck that may be changed."""
        wanted = self.bag.wanted()
        assert wanted is not None
        old, x = read_deck(wanted.old), self.secrets[wanted.mixer][0]
        mixing = shuffle.mix(wanted.step, x, old)
        mixing = mixing._replace(deck=change(mixing.deck))
        proof = shuffle.prove(wanted.step, x, old, mixing, FRESH)
        at = wanted.step.round, wanted.step.step, digest("deck", wanted.old)
        return Mix(*at, joined(mixing.deck), proof)

    def check_mix(self, key: bytes, body: Mix) -> None:
        """Take a mixing as a node does that checks its proof as well."""
        self.say(key, body)
        deal = next(deal for deal in self.bag.deals if deal.mixed)
        made = deal.mixed.pop()
        made.check()
        deal.mixed.append(made)

    def spare(self, key: bytes) -> Spare:
        x, e = self.secrets[key]
        others = {k: base(self.secrets[k][1]) for k in KEYS if k != key}
        said = spread(self.author(key), 0, x, e, others)
        return Spare(0, tuple(said.points.values()), packed(said.rest))

    def lift(self, key: bytes, tiles: tuple[int, ...] | None = None) -> Lift:
        owed = tuple(t for t, owner in OWNERS.items() if owner != key)
        x, shares = self.secrets[key][0], []
        for tile in owed if tiles is None else tiles:
            pair = self.bag.pairs[tile]
            shares.append(Share(tile, pair.a, lifted(pair, x)))
        return self.lift_of(key, shares)

    def lift_of(self, key: bytes, shares: list[Share]) -> Lift:
        proof = prove_lift(self.author(key), self.secrets[key][0], shares, FRESH)
        numbers = tuple(share.tile for share in shares)
        return Lift(numbers, tuple(share.d for share in shares), proof)

    def proof(self, key: bytes, tile: int) -> Proof:
        x, pair = self.secrets[key][0], self.bag.pairs[tile]
        share = Share(tile, pair.a, lifted(pair, x))
        reading = self.bag.reading(tile, key)
        assert reading is not None
        kind = self.bag.kind_of(tile, share.d, reading.taken)
        words = prove_lift(self.author(key), x, [share], FRESH)
        return Proof(tile, kind, share.d, (words[:BYTES], words[BYTES:]))

    def blame(self, key: bytes, dealer: bytes) -> Blame:
        theirs, e = base(self.secrets[dealer][1]), self.secrets[key][1]
        share = Share(0, theirs, times(theirs, e))
        proof = prove_lift(self.author(key), e, [share], FRESH)
        return Blame(0, dealer, share.d, proof)

    # Stages.

    def keyed(self) -> "Table":
        for key in KEYS:
            self.say(key, self.mask(key))
        return self

    def mixed(self) -> "Table":
        self.keyed()
        for key in KEYS:
            self.say(key, self.mix())
        return self

    def ready(self) -> "Table":
        self.mixed()
        for key in KEYS:
            self.say(key, self.spare(key))
        assert self.bag.lifting
        return self

    def lifted(self) -> "Table":
        self.ready()
        for key in KEYS:
            self.say(key, self.lift(key))
        assert not self.bag.unread(OWNERS)
        return self


def junk(word: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield what may stand in place of a word."""
    yield "zero bytes", bytes(BYTES)
    yield "the point zero", IDENTITY
    yield "a point of order eight", TORSION
    yield "the order itself", packed(ORDER - 1)[:0] + ORDER.to_bytes(BYTES, "little")
    yield "no number and no point", b"\xff" * BYTES
    if is_point(word):
        yield "another point", plus(word, base(1))
        yield "the point with torsion", plus(word, TORSION)
    else:
        value = int.from_bytes(word, "little")
        yield "another number", packed((value + 1) % ORDER)
        yield (
            "the same number above the order",
            (value + ORDER).to_bytes(BYTES, "little"),
        )


def changes(body: Any, field: str) -> Iterator[tuple[str, Any]]:
    """Yield a body with each word of a field changed."""
    value = getattr(body, field)
    if isinstance(value, bytes):
        for at in range(0, len(value), BYTES):
            for name, word in junk(value[at : at + BYTES]):
                if word != value[at : at + BYTES]:
                    other = value[:at] + word + value[at + BYTES :]
                    yield (
                        f"word {at // BYTES} of {field}: {name}",
                        replace(body, **{field: other}),
                    )
        return
    for at, old in enumerate(value):
        for name, word in junk(old):
            if word != old:
                other_ = (*value[:at], word, *value[at + 1 :])
                yield f"{field} {at}: {name}", replace(body, **{field: other_})


def _spreading() -> Table:
    return Table().mixed()


def _lifting() -> Table:
    return Table().ready()


def _said(begin: Callable[[], Table], key: bytes, body: Any) -> Callable[[], None]:
    """Return what says a body at a table that is brought to some state."""

    def say() -> None:
        begin().say(key, body)

    return say


def _checked(key: bytes, body: Mix) -> Callable[[], None]:
    """Return what says a mixing to those who check it."""

    def say() -> None:
        Table().keyed().check_mix(key, body)

    return say


PROOF = "the proof is of another statement, or a word of it has another form"
PLACE = "nobody owes that now"


def attacks() -> Iterator[Attack]:
    """Yield all of them."""
    for section in SECTIONS:
        yield from section()


def _on_masks() -> Iterator[Attack]:
    a, b, _ = KEYS
    good = Table().mask(a)
    for field in ("mask", "spare", "proof"):
        for name, body in changes(good, field):
            yield Attack(f"Mask, {name}", PROOF, _said(Table, a, body))
    rogue = replace(good, mask=minus(base(7), good.mask))
    for name, key, body in (
        ("a key made of another's", b, rogue),
        ("another's, said as one's own", b, good),
        ("of another match", a, Table(OTHER).mask(a)),
    ):
        yield Attack(f"Mask, {name}", PROOF, _said(Table, key, body))
    yield Attack("Mask, once more", PLACE, lambda: Table().keyed().say(a, good))
    yield Attack("Mask, of a stranger", PLACE, lambda: Table().say(OTHER, good))


def _on_mixes() -> Iterator[Attack]:
    a, b, _ = KEYS
    good = Table().keyed().mix()
    for field in ("deck", "proof"):
        for name, body in changes(good, field):
            yield Attack(f"Mix, {name}", PROOF, _checked(a, body))
    decks = {
        "a tile twice": lambda d: (d[0], d[0], *d[2:]),
        "another kind": lambda d: (Masked(d[0].a, plus(d[0].b, base(5))), *d[1:]),
        "halves of two tiles": lambda d: (Masked(d[0].a, d[1].b), *d[1:]),
        "an own deck": lambda d: tuple(Masked(base(9), t.b) for t in d),
        "changes that cancel": lambda d: (
            Masked(d[0].a, plus(d[0].b, base(5))),
            Masked(d[1].a, minus(d[1].b, base(5))),
            *d[2:],
        ),
        "masks that cancel": lambda d: (
            Masked(plus(d[0].a, base(5)), d[0].b),
            Masked(minus(d[1].a, base(5)), d[1].b),
            *d[2:],
        ),
    }
    for name, change in decks.items():
        why = "no order and no masks lead from the old deck to the new"

        def forge(change: Any = change) -> None:
            table = Table().keyed()
            table.check_mix(a, table.mix(change))

        yield Attack(f"Mix, {name}, proved", why, forge)
    for name, key, body in (
        ("of another match", a, Table(OTHER).keyed().mix()),
        ("by another", b, good),
        ("of a later round", a, replace(good, round=2)),
        ("of a later step", a, replace(good, step=1)),
        ("of another deck", a, replace(good, old=bytes(32))),
        ("a tile less", a, replace(good, deck=good.deck[64:])),
        ("a tile more", a, replace(good, deck=good.deck + good.deck[:64])),
        ("a proof cut short", a, replace(good, proof=good.proof[:-32])),
    ):
        yield Attack(f"Mix, {name}", PLACE, _checked(key, body))
    yield Attack("Mix, before all masks", PLACE, lambda: Table().say(a, good))
    for name, step in (("round", {"round": 2}), ("step", {"step": 1})):

        def replay(step: Any = step) -> None:
            made = _step_mixed(Table().keyed())
            shuffle.check(made[0]._replace(**step), *made[1:])

        yield Attack(f"Mix, the proof in another {name}", PROOF, replay)

    def of_match() -> None:
        made = _step_mixed(Table().keyed())
        author = Author(OTHER, made[0].author.key)
        shuffle.check(made[0]._replace(author=author), *made[1:])

    def of_author() -> None:
        made = _step_mixed(Table().keyed())
        author = Author(MATCH, b)
        shuffle.check(made[0]._replace(author=author), *made[1:])

    yield Attack("Mix, the proof in another match", PROOF, of_match)
    yield Attack("Mix, the proof by another author", PROOF, of_author)


def _step_mixed(table: Table) -> tuple[Any, Any, Any, bytes]:
    wanted, body = table.bag.wanted(), table.mix()
    assert wanted is not None
    return wanted.step, read_deck(wanted.old), read_deck(body.deck), body.proof


def _on_spares() -> Iterator[Attack]:
    a, b, _ = KEYS
    good = Table().keyed().spare(a)
    for field in ("points", "rest"):
        for name, body in changes(good, field):
            yield Attack(f"Spare, {name}", PROOF, _said(_spreading, a, body))
    one, two = good.points
    for name, key, body in (
        ("torsion that cancels", a, (plus(one, TORSION), minus(two, TORSION))),
        ("a part less", a, good.points[1:]),
        ("a part more", a, (*good.points, base(1))),
    ):
        lie = replace(good, points=body)
        yield Attack(f"Spare, {name}", PROOF, _said(_spreading, key, lie))
    late = replace(good, epoch=1)
    yield Attack("Spare, another epoch", PLACE, lambda: Table().mixed().say(a, late))
    yield Attack("Spare, another's", PROOF, lambda: Table().mixed().say(b, good))
    yield Attack("Spare, too early", PLACE, lambda: Table().keyed().say(a, good))
    yield Attack("Spare, once more", PLACE, lambda: Table().ready().say(a, good))


def _on_lifts() -> Iterator[Attack]:
    a, b, _ = KEYS
    table = Table().ready()
    good = table.lift(a)
    for field in ("shares", "proof"):
        for name, body in changes(good, field):
            yield Attack(f"Lift, {name}", PROOF, _said(_lifting, a, body))
    x = table.secrets[a][0]
    shares = [
        Share(tile, table.bag.pairs[tile].a, lifted(table.bag.pairs[tile], x))
        for tile in (1, 2)
    ]
    cancelling = [
        shares[0]._replace(d=plus(shares[0].d, base(3))),
        shares[1]._replace(d=minus(shares[1].d, base(3))),
    ]
    why = "the shares are not the same mask times each tile"
    forged = table.lift_of(a, cancelling)
    yield Attack("Lift, changes that cancel, proved", why, lambda: table.say(a, forged))
    for name, body in (
        ("of a tile in the bag", table.lift(a, (4,))),
        ("of one's own tile", table.lift(a, (0,))),
        ("of a number there is none of", replace(good, tiles=(1, 99))),
        ("descending", replace(good, tiles=good.tiles[::-1])),
        ("a tile twice", replace(good, tiles=(1, 1))),
        ("tiles without shares", replace(good, shares=good.shares[:1])),
        ("of other tiles", replace(good, tiles=(1,), shares=good.shares[1:])),
    ):
        yield Attack(f"Lift, {name}", PLACE, _said(_lifting, a, body))
    yield Attack("Lift, once more", PLACE, lambda: _after(good).say(a, good))
    yield Attack("Lift, another's", PLACE, lambda: Table().ready().say(b, good))
    again = Table(OTHER).ready().lift(a)
    yield Attack("Lift, another match", PROOF, lambda: Table().ready().say(a, again))

    def of_match() -> None:
        at, mask = Author(OTHER, a), base(x)
        proof = prove_lift(Author(MATCH, a), x, shares, FRESH)
        lift.check_lift(Author(MATCH, a), mask, shares, proof)
        lift.check_lift(at, mask, shares, proof)

    yield Attack("Lift, the proof in another match", PROOF, of_match)
    yield Attack("Lift, before the spares", PLACE, lambda: Table().mixed().say(a, good))
    yield Attack("Lift, before the mixes", PLACE, lambda: Table().keyed().say(a, good))


def _after(body: Lift) -> Table:
    table = Table().ready()
    table.say(KEYS[0], body)
    return table


def _on_proofs() -> Iterator[Attack]:
    """What is shown of a tile that is not so."""
    a, b, _ = KEYS
    table = Table().lifted()
    good = table.proof(a, 0)
    check = table.bag.check_proof
    check(a, good)
    for field in ("salt", "path"):
        for name, proof in changes(good, field):
            yield Attack(f"Proof, {name}", PROOF, partial(check, a, proof))
    point = point_of("tile", MATCH, (3).to_bytes(8, "big"))
    pair, reading = table.bag.pairs[0], table.bag.reading(0, a)
    assert reading is not None
    fitted = minus(minus(pair.b, reading.taken), point)
    for name, proof in (
        ("another kind", replace(good, kind=(good.kind + 1) % COUNTS)),
        ("no kind at all", replace(good, kind=COUNTS)),
        ("a share fitted to a letter", replace(good, kind=3, salt=fitted)),
        ("of a tile in the bag", replace(good, tile=4)),
        ("of another's tile", replace(good, tile=1)),
        ("half a proof", replace(good, path=good.path[:1])),
        ("no proof", replace(good, path=())),
    ):
        yield Attack(f"Proof, {name}", PROOF, partial(check, a, proof))
    yield Attack("Proof, another's", PROOF, lambda: check(b, good))
    early = Table().ready()
    yield Attack(
        "Proof, before the lifts", PROOF, lambda: early.bag.check_proof(a, good)
    )


def _on_blame() -> Iterator[Attack]:
    a, b, c = KEYS
    table = Table().ready()
    good = table.blame(a, b)
    why = "the part is the right one: nobody is blamed falsely"
    yield Attack("Blame, of who did no wrong", why, lambda: table.say(a, good))
    for field in ("point", "proof"):
        for name, body in changes(good, field):
            yield Attack(f"Blame, {name}", PROOF, partial(table.say, a, body))
    for name, key, body in (
        ("of another epoch", a, replace(good, epoch=1)),
        ("of nobody", a, replace(good, dealer=OTHER)),
        ("of oneself", a, replace(good, dealer=a)),
        ("another's", c, good),
    ):
        yield Attack(f"Blame, {name}", PLACE, partial(table.say, key, body))
    masks = {key: Open(0, packed(secret[0])) for key, secret in table.secrets.items()}
    over = Table().lifted().bag
    for name, key, shown, ended in (
        ("before the end", a, masks[a], False),
        ("another's", a, masks[b], True),
        ("of another epoch", a, Open(1, masks[a].seed), True),
        ("zero", a, Open(0, bytes(32)), True),
        ("of a stranger", OTHER, masks[a], True),
    ):
        yield Attack(f"Open, {name}", PLACE, partial(over.open, key, shown, over=ended))


def _out_of_place() -> Iterator[Attack]:
    """Everything that is said in one state, in every other."""
    a = KEYS[0]
    done = Table().ready()
    said = {
        "Mask": done.mask(a),
        "Mix": Table().keyed().mix(),
        "Spare": done.spare(a),
        "Blame": done.blame(a, KEYS[1]),
    }
    stages: dict[str, Callable[[], Table]] = {
        "before all masks": Table,
        "while it is mixed": lambda: Table().keyed(),
        "while parts are spread": lambda: Table().mixed(),
        "when it is ready": lambda: Table().ready(),
        "when all is lifted": lambda: Table().lifted(),
    }
    due = {("Mask", 0), ("Mix", 1), ("Spare", 2)}
    for number, (stage, begin) in enumerate(stages.items()):
        for name, body in said.items():
            if (name, number) not in due:
                yield Attack(f"{name} {stage}", PLACE, _said(begin, a, body))


SECTIONS = (
    _on_masks,
    _on_mixes,
    _on_spares,
    _on_lifts,
    _on_proofs,
    _on_blame,
    _out_of_place,
)


def gets_in(attack: Attack) -> bool:
    """Tell whether an attack is not refused."""
    try:
        attack.do()
    except (PeerError, BagError):
        return False
    return True
