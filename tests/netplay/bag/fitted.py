"""Attacks that would pass if a challenge did not hash all that is proved.

Whoever may choose something after the challenge fits it to the answers (Bernhard,
Pereira and Warinschi 2012).  And what is said by those who have left a bag, or under
the key of another.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.bag import group, lift, shuffle
from netplay.bag.group import (
    ORDER,
    Masked,
    base,
    joined,
    minus,
    packed,
    plus,
    scalar_of,
    split,
    times,
)
from netplay.bag.lift import Share, check_key, check_lift
from netplay.messages.log import Lift, Open
from netplay.record.masked import read_deck
from tests.netplay.bag.attacks import KEYS, MATCH, Attack, Table
from tests.netplay.bag.opened import lifted

HASHED = "the challenge hashes the whole statement: nothing can be fitted to it"
OWN = "nobody chooses a challenge: it is what the hash says"
GONE = "who has left has no part in the bag, and its old mask none either"
W, S, C = 77, 4242, 999
"""Numbers of a forger's own."""


def stated(challenge: str, prove: Callable[[], bytes]) -> bytes:
    """Return the statement that who proves something hashes for the challenge."""
    seen: list[Any] = []

    def noted(name: str, *parts: Any) -> int:
        seen.extend(parts[:1] if name == challenge else ())
        return scalar_of(name, *parts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group, "scalar_of", noted)
        prove()
    return bytes(seen[0])


def _inverse(number: int) -> int:
    return pow(number, -1, ORDER)


def _fitted_key() -> None:
    """Make a key of another's key, after the challenge, and prove to know it."""
    a, victim = KEYS[0], base(31337)
    at, spare = lift.Author(MATCH, a), 5
    t1, t2 = plus(base(W), victim), base(W)
    proof = partial(lift.prove_key, at, 1, spare, bytes(32))
    statement = stated("key challenge", proof)
    c = scalar_of("key challenge", statement, t1, t2)
    # s G - c X = t1, though nobody knows the logarithm of X = (s G - t1) / c.
    key = times(minus(base(S), t1), _inverse(c))
    answers = packed(S), packed((W + c * spare) % ORDER)
    check_key(at, key, base(spare), packed(c) + b"".join(answers))


def _fitted_lift() -> None:
    """Take off a tile what one likes, fitted to the challenge."""
    table = Table().ready()
    a, tile = KEYS[0], 1
    x, pair = table.secrets[a][0], table.bag.pairs[tile]
    at, t1, t2 = table.author(a), base(W), base(S)
    honest = Share(tile, pair.a, lifted(pair, x))
    proof = partial(lift.prove_lift, at, x, [honest], bytes(32))
    c = scalar_of("lift challenge", stated("lift challenge", proof), t1, t2)
    s = (W + c * x) % ORDER
    # s a - c d = t2 gives d, which is not x a.
    fitted = times(minus(times(pair.a, s), t2), _inverse(c))
    table.say(a, Lift((tile,), (fitted,), packed(c) + packed(s)))


def _fitted_deck() -> None:
    """Change two tiles after the challenge, so that the sums of the proof fit."""
    table = Table().keyed()
    good = table.mix()
    words, deck = split(good.proof), list(read_deck(good.deck))
    first, second, *_ = (int.from_bytes(w, "little") for w in words[-len(deck) :])
    more, less = base(W), base(W * first * _inverse(second) % ORDER)
    deck[0] = Masked(deck[0].a, plus(deck[0].b, more))
    deck[1] = Masked(deck[1].a, minus(deck[1].b, less))
    table.check_mix(KEYS[0], replace(good, deck=joined(tuple(deck))))


def _own_key() -> None:
    """Answer a challenge that was chosen before what it is about."""
    key = minus(base(7), base(31337))
    proof = packed(C) + packed(S) + packed(S)
    check_key(lift.Author(MATCH, KEYS[0]), key, key, proof)


def _own_lift() -> None:
    table = Table().ready()
    table.say(KEYS[0], Lift((1,), (base(W),), packed(C) + packed(S)))


def _own_mix() -> None:
    table = Table().keyed()
    good = table.mix()
    words = split(good.proof)
    words[2 * len(good.deck) // 64] = packed(C)
    table.check_mix(KEYS[0], replace(good, proof=b"".join(words)))


def on_challenges() -> Iterator[Attack]:
    """Yield what a weak challenge would let in."""
    yield Attack("Mask, a key fitted to its challenge", HASHED, _fitted_key)
    yield Attack("Lift, a share fitted to its challenge", HASHED, _fitted_lift)
    yield Attack("Mix, a deck fitted to its challenge", HASHED, _fitted_deck)
    yield Attack("Mask, a challenge of one's own", OWN, _own_key)
    yield Attack("Lift, a challenge of one's own", OWN, _own_lift)
    yield Attack("Mix, a challenge of one's own", OWN, _own_mix)
    yield Attack("Mix, the proof under another key", OWN, _other_common)
    yield Attack("Lift, the proof of another mask", OWN, _other_mask)


def _other_common() -> None:
    table = Table().keyed()
    wanted, body = table.bag.wanted(), table.mix()
    assert wanted is not None
    decks = read_deck(wanted.old), read_deck(body.deck)
    step = wanted.step._replace(common=base(W))
    shuffle.check(step, *decks, body.proof)


def _other_mask() -> None:
    table = Table().ready()
    body, a = table.lift(KEYS[0], (1,)), KEYS[0]
    shares = [Share(1, table.bag.pairs[1].a, body.shares[0])]
    check_lift(table.author(a), base(W), shares, body.proof)


# Leavers.


def _left(begin: Table, leaver: bytes) -> Table:
    """Return a table that somebody has left."""
    begin.bag.seat(tuple(key for key in KEYS if key != leaver), 2)
    return begin


STAGES: dict[str, Callable[[], Table]] = {
    "begun": Table,
    "keyed": lambda: Table().keyed(),
    "mixed": lambda: Table().mixed(),
    "ready": lambda: Table().ready(),
    "lifted": lambda: Table().lifted(),
}


def _says(stage: str, leaver: bytes, key: bytes, body: Any) -> None:
    """Say something after somebody has left in some state."""
    _left(STAGES[stage](), leaver).say(key, body)


def of_leavers() -> Iterator[Attack]:
    """Yield what is said after somebody has left, in each state."""
    a, b, c = KEYS
    done = Table().ready()
    said = {
        "Mask": done.mask(c),
        "Mix": Table().keyed().mix(),
        "Spare": done.spare(c),
        "Lift": done.lift(c),
        "Blame": done.blame(c, a),
    }
    for stage in STAGES:
        for name, body in said.items():
            what = f"{name}, by who has left a bag that was {stage}"
            yield Attack(what, GONE, partial(_says, stage, c, c, body))
    for stage in ("mixed", "ready"):
        for name, key, body in (
            ("Mix, with the key of who has left", a, Table().keyed().mix()),
            ("Spare, of the epoch before", a, Table().mixed().spare(a)),
            ("Lift, without what the leaver left", b, done.lift(b, (0,))),
            ("Lift, without the rest of the leaver's", a, done.lift(a, (1,))),
            ("Blame, of who has left", a, done.blame(a, c)),
        ):
            what = f"{name}, {stage}"
            yield Attack(what, GONE, partial(_says, stage, c, key, body))
    yield from _of_shown()


def _of_shown() -> Iterator[Attack]:
    """Yield what is shown of the masks of those who left before they had spread."""
    b, c = KEYS[1:]

    def opens(key: bytes, body: Open) -> None:
        table = Table().ready()
        table.bag.spares.clear()
        _left(table, c).bag.open(key, body, over=False)

    x = {key: packed(secret[0]) for key, secret in Table().secrets.items()}
    for name, key, body in (
        ("another mask than the leaver's", c, Open(1, x[b])),
        ("of the epoch before the leaving", c, Open(0, x[c])),
        ("by who stays", b, Open(1, x[b])),
    ):
        yield Attack(f"Open, {name}", GONE, partial(opens, key, body))
