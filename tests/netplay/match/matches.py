"""Matches brought to a point, and what is asked and entered there."""

from collections.abc import Callable
from random import Random
from typing import Any

from netplay.match.match import Match
from netplay.messages.log import Claim, Turn
from netplay.record.fold import Fold
from netplay.record.hidden import KeptGrant
from netplay.record.log import Signed, author_data
from netplay.wire import pack
from rules import GAMES
from tests.netplay.party import Party

NUMLO = GAMES["numlo"].ABOUT.options(size=8, values=False)


def wanting(fold: Fold) -> dict[int, list[int]]:
    """Return the tiles on each rack that are not public."""
    tiles = fold.state.tiles
    return {
        seat: [tile for tile in rack if tile not in fold.faces]
        for seat, rack in enumerate(tiles.racks)
    }


def entries(party: Party) -> list[Any]:
    return [line.entry for line in party.member(0).ledger.log.lines]


def ready(game: str = "networdz", members: int = 2, **more: Any) -> Party:
    party = Party(game, members, **more)
    party.link_all()
    party.settle()
    return party


def until_turn_of(party: Party, n: int) -> None:
    while party.movers()[0][0] != n:
        party.play_one(Random(1))
        party.settle()


def a_turn(party: Party, n: int) -> Turn:
    """Return a turn that lays a word, with its proofs."""
    match = party.member(n)
    state = match.seats.view(n).state
    move = next(m for m in party.game.moves(state, n) if hasattr(m, "shown"))
    return match.seats.turn(n, move, -1)


def turn_of(match: Match, seat: int, move: Any) -> Turn:
    """Return a turn as it is made now, whatever the rules say of it."""
    head = match.ledger.log.head
    return Turn(seat, head, match.fold.digest(), pack(move), ())


def promise(match: Match, term: int) -> None:
    """Let a member follow no older term from now on."""
    match.keep(KeptGrant(term, match.members.vouched()))


def changed(turn: Turn, **more: Any) -> Turn:
    values = {name: getattr(turn, name) for name in turn.__struct_fields__}
    return Turn(**{**values, **more})


def proof_changed(turn: Turn, **more: Any) -> Turn:
    first = turn.proofs[0]
    values = {name: getattr(first, name) for name in first.__struct_fields__}
    other = type(first)(**{**values, **more})
    return changed(turn, proofs=(other, *turn.proofs[1:]))


def entered(party: Party, body: Any, author: int = 0, at: int = 0) -> bytes:
    """Return the next entry as a host without scruples would sign it."""
    host, log = party.member(0), party.member(0).ledger.log
    raw, key = pack(body), party.keys[author]
    own = log.own(key.key)
    sign = key.sign(author_data(log.match, own, raw))
    return log.compose(host.signer, Signed(key.key, own, raw, sign), at).raw


def claim_of(match: Match) -> Claim:
    """Return the claim that a member makes, out of what it has to say."""
    [claim] = {o.message for o in match.outgoing() if isinstance(o.message, Claim)}
    assert isinstance(claim, Claim)
    return claim


def silence(match: Match, when: Callable[[], bool] = lambda: True) -> None:
    """Let a member say nothing of its own accord any more."""
    do_duty = match.replication._do_duty
    vars(match.replication)["_do_duty"] = lambda now: not when() and do_duty(now)
