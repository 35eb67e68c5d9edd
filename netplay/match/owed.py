"""What a node must say in the log without anybody asking: chance, and opening it."""

from collections.abc import Iterator

from netplay.match.knowledge import Knowledge
from netplay.messages.log import Commit, Face, LogBody, Open, Position, Root, Seed
from netplay.record.chance import commitment
from netplay.record.fold import Fold
from netplay.record.hidden import SEED_BYTES, Hidden, KeptSeed
from netplay.record.log import Log
from netplay.record.rounds import Round
from netplay.record.views import to_turn_up


def owed(
    me: bytes, log: Log, fold: Fold, hidden: Hidden, knows: Knowledge, *, doubted: bool
) -> Iterator[tuple[KeptSeed | None, LogBody]]:
    """Yield what this node owes the log now, and the seed to be kept before it.

    Args:
        me: This node's key.
        log: The log.
        fold: The public state.
        hidden: Its secrets.
        knows: What it knows of the bags.
        doubted: Whether somebody sees another position.
    """
    if me in fold.electors and _is_to_say(me, fold, doubted=doubted):
        yield None, Position(log.head, fold.digest())
    if fold.over:
        for opening in _openings(fold, knows):
            yield None, opening
        return
    for round_ in fold.rounds:
        if me in round_.lacks_commit(fold.required):
            yield _commit(round_, me, log, hidden)
        else:
            for body in _of_chance(round_, me, fold, hidden, knows):
                yield None, body
    deals = me == fold.host or any(round_.dealer == me for round_ in fold.rounds)
    if fold.stuck and (deals or fold.bag is not None):
        proofs = to_turn_up(fold, knows.proof)
        if proofs:
            yield None, Face(proofs[:64])


def _commit(
    round_: Round, me: bytes, log: Log, hidden: Hidden
) -> tuple[KeptSeed | None, Commit]:
    """Return a commitment; whoever forgets the seed stops the match for all.

    What was said in an older term may be dropped, and then its seed is no secret: each
    term takes another.
    """
    number, term, again = round_.number, log.term, round_.again
    seed, new = hidden.known_seed(number, term, again), None
    if seed is None:
        seed = hidden.random(SEED_BYTES)
        new = KeptSeed(number, term, again, seed)
    return new, Commit(number, commitment(log.match, number, me, seed))


def _of_chance(
    round_: Round, me: bytes, fold: Fold, hidden: Hidden, knows: Knowledge
) -> Iterator[Seed | Root]:
    """Yield what this node owes a round to which all have committed."""
    host = fold.host
    if me in round_.lacks_seed(host):
        shown = _committed(round_, me, fold, hidden)
        if shown is not None:
            yield Seed(round_.number, shown)
    elif me == host and round_.lacks_root(host):
        yield from _root(round_, me, fold, hidden, knows)


def _is_to_say(me: bytes, fold: Fold, *, doubted: bool) -> bool:
    """Tell whether this node owes its word on what it sees.

    In a game of ticks that is never the same at two nodes before the end.
    """
    if not fold.over and (fold.hz or not (doubted or fold.agreement.standing)):
        return False
    now = fold.over or doubted
    return fold.agreement.is_owed(me, fold.digest(), now=now)


def _committed(round_: Round, me: bytes, fold: Fold, hidden: Hidden) -> bytes | None:
    """Return the seed that this node committed to in a round, None if it is lost."""
    for seed in hidden.seeds(round_.number):
        made = commitment(fold.match, round_.number, me, seed)
        if made == round_.commits.get(me):
            return seed
    return None


def _root(
    round_: Round, me: bytes, fold: Fold, hidden: Hidden, knows: Knowledge
) -> Iterator[Root]:
    """Yield the root of a bag, once the dealer can make it."""
    seed = _committed(round_, me, fold, hidden)
    root = None if seed is None else knows.root(round_, seed)
    if root is not None:
        yield root


def _openings(fold: Fold, knows: Knowledge) -> Iterator[Open]:
    """Yield the dealers' seeds that this node knows, at the end."""
    for round_ in fold.rounds:
        if round_.root is None or round_.secret is not None:
            continue
        seed = knows.secret(round_)
        if seed is not None:
            yield Open(round_.number, seed)
