"""Bodies of a match, changed in one place: what must be refused in their stead."""

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from msgspec.structs import replace

from netplay.errors import Code
from netplay.messages.log import (
    Commit,
    Face,
    LogBody,
    Open,
    Position,
    Proof,
    Root,
    Seed,
    Term,
    Ticks,
    Turn,
)
from netplay.record.fold import Fold
from netplay.wire import pack, unpack
from rules.game import Resign
from rules.networdz import Pass
from tools.protocol.examples import filled

Mutant = tuple[str, Any, Code]
"""What it is, the body, and the code."""


@singledispatch
def mutants(body: LogBody, _fold: Fold) -> Iterator[Mutant]:
    """Yield changes of a body that has its place in a log.

    Args:
        body: The body.
        _fold: The public state before it.
    """
    del body
    yield from ()


@mutants.register
def _commit(body: Commit, _fold: Fold) -> Iterator[Mutant]:
    """Yield commitments of another round."""
    yield "of a later round", replace(body, round=body.round + 1), Code.UNEXPECTED


@mutants.register
def _seed(body: Seed, _fold: Fold) -> Iterator[Mutant]:
    """Yield seeds that nobody committed to."""
    yield "another seed", replace(body, seed=filled(0xEE)), Code.BAD_PROOF
    yield "of a later round", replace(body, round=body.round + 2), Code.UNEXPECTED


@mutants.register
def _root(body: Root, _fold: Fold) -> Iterator[Mutant]:
    """Yield roots of other bags."""
    yield "another size", replace(body, size=body.size + 1), Code.BAD_PROOF
    yield "no size", replace(body, size=0), Code.BAD_PROOF
    more = (*body.shares, filled(0xEE))
    yield "a share too many", replace(body, shares=more), Code.BAD_PROOF
    if body.shares:
        yield "no shares", replace(body, shares=()), Code.BAD_PROOF


@mutants.register
def _open(body: Open, _fold: Fold) -> Iterator[Mutant]:
    """Yield openings that do not fit."""
    yield "another seed", replace(body, seed=filled(0xEE)), Code.BAD_PROOF
    yield "of a later round", replace(body, round=body.round + 9), Code.UNEXPECTED


@mutants.register
def _turn(body: Turn, fold: Fold) -> Iterator[Mutant]:
    """Yield turns with other proofs, letters or positions."""
    move: Any = unpack(body.move, fold.game.ABOUT.move)
    if isinstance(move, Resign):
        return
    yield "after no entry", replace(body, after=filled(0xEE)), Code.STALE
    stranger = Proof(9999, 0, filled(1), ())
    more = (*body.proofs, stranger)
    yield "a proof too many", replace(body, proofs=more), Code.BAD_PROOF
    if isinstance(move, Pass):
        illegal = replace(body, move=pack(Pass((9999,))))
        yield "a discard of nobody's", illegal, Code.ILLEGAL_MOVE
    elif body.proofs:
        yield from _other_proofs(body)
        shown = (replace(move.shown[0], kind=move.shown[0].kind + 1), *move.shown[1:])
        lie = replace(body, move=pack(replace(move, shown=shown)))
        yield "another letter", lie, Code.BAD_PROOF


def _other_proofs(body: Turn) -> Iterator[Mutant]:
    """Yield turns whose proofs do not hold."""
    first, rest = body.proofs[0], body.proofs[1:]
    changes = {
        "another kind": replace(first, kind=first.kind + 1),
        "another salt": replace(first, salt=filled(0xEE)),
        "another tile": replace(first, tile=first.tile + 1),
        "a path cut short": replace(first, path=first.path[:-1]),
        "a path turned round": replace(first, path=first.path[::-1]),
    }
    for what, proof in changes.items():
        yield f"proof: {what}", replace(body, proofs=(proof, *rest)), Code.BAD_PROOF
    yield "proof: left out", replace(body, proofs=rest), Code.BAD_PROOF
    if rest:
        turned = replace(body, proofs=(*rest, first))
        yield "proofs in another order", turned, Code.BAD_PROOF


@mutants.register
def _position(body: Position, _fold: Fold) -> Iterator[Mutant]:
    """Yield words on another history."""
    yield "after no entry", replace(body, after=filled(0xEE)), Code.STALE


@mutants.register
def _face(body: Face, _fold: Fold) -> Iterator[Mutant]:
    """Yield tiles turned up that are others."""
    first, rest = body.proofs[0], body.proofs[1:]
    for what, proof in {
        "another kind": replace(first, kind=first.kind + 1),
        "a tile of no bag": replace(first, tile=9999),
        "another path": replace(first, path=(filled(1), *first.path[1:])),
    }.items():
        yield what, Face((proof, *rest)), Code.BAD_PROOF


@mutants.register
def _term(body: Term, _fold: Fold) -> Iterator[Mutant]:
    """Yield terms without a quorum."""
    one, two = body.signatures[0], body.signatures[1]
    yield "a vote missing", replace(body, signatures=(one,)), Code.TERM
    yield "a vote twice", replace(body, signatures=(one, one)), Code.TERM
    swapped = ((one[0], two[1]), (two[0], one[1]))
    yield "votes swapped", replace(body, signatures=swapped), Code.BAD_SIGNATURE
    forged = ((one[0], bytes(64)), two)
    yield "a vote forged", replace(body, signatures=forged), Code.BAD_SIGNATURE
    nobody = (one, (3, two[1]))
    yield "a vote of nobody", replace(body, signatures=nobody), Code.NOT_A_MEMBER


@mutants.register
def _ticks(body: Ticks, fold: Fold) -> Iterator[Mutant]:
    """Yield stretches that cannot be."""
    resign = pack(Resign())
    until = body.until
    yield "too far", replace(body, until=until + 10_000), Code.STALE
    late = replace(body, inputs=((until + 1, resign),))
    yield "a resignation among inputs", late, Code.UNEXPECTED
    drop = b"\x91\xa4drop"
    late = replace(body, inputs=((until + 1, drop),))
    yield "an input too late", late, Code.UNEXPECTED
    if until:
        back = replace(body, inputs=((until, drop), (until - 1, drop)))
        yield "inputs that run back", back, Code.UNEXPECTED
    well = b"" if body.well else filled(0xEE)
    named = "a well not named" if body.well else "a well named too often"
    yield named, replace(body, well=well), Code.UNEXPECTED
    if fold.ticks[body.seat]:
        yield "ticks that run back", replace(body, until=0), Code.STALE
    unknown = replace(body, inputs=((until, b"\x91\xa3fly"),))
    yield "an input that is none", unknown, Code.BAD_FRAME
    longer = replace(body, inputs=((until, b"\xdc\x00\x01\xa4drop"),))
    yield "an input with a longer header", longer, Code.NOT_CANONICAL
    yield "another's seat", replace(body, seat=(body.seat + 1) % 2), Code.NOT_A_MEMBER
