"""A turn that is made behind a mixing of its own player comes into the log."""

import pytest

from netplay.messages.log import Mix, Turn
from netplay.record.hidden import KeptTurn
from netplay.wire import pack
from rules.networdz import Lay, Pass
from tests.netplay.match.encrypted import bag_of, exchange, ready
from tests.netplay.party import Party


def moves(party: Party, seat: int) -> int:
    """Return how many turns of a seat stand in the log."""
    bodies = [line.body for line in party.member(0).ledger.log.lines]
    return sum(isinstance(body, Turn) and body.seat == seat for body in bodies)


def lay(party: Party, n: int) -> None:
    """Let a member lay what it can, and draw for it."""
    match = party.member(n)
    state = match.seats.view(n).state
    found = party.game.moves(state, n)
    move = next(move for move in found if isinstance(move, Lay))
    match.play(n, pack(move), -1, party.now)
    party.settle()


@pytest.mark.usefixtures("unproved")
@pytest.mark.parametrize("slow", [0, 1], ids=["host", "guest"])
def test_a_turn_behind_a_mixing_waits_for_the_lift_that_becomes_owed_by_it(
    slow: int,
) -> None:
    party, other = ready(2), 1 - slow
    if party.movers()[0][0] == slow:  # the other first
        party.member(slow).play(slow, pack(Pass(())), -1, party.now)
        party.settle()
    match = party.member(slow)
    jobs, match.jobs = match.jobs, lambda: ()  # type: ignore[method-assign]
    exchange(party)  # this one is slow to mix the bag for
    match.play(slow, pack(Pass(())), -1, party.now)
    party.settle()
    lay(party, other)  # and draws from a bag that is not mixed
    assert not match.masks.hold(()), "nothing can be lifted yet"
    if slow == 0:
        party.cut(0, 1)  # a host that is alone keeps what it has to say
    match.jobs = jobs  # type: ignore[method-assign]
    party.work(match)
    said = [body for body in match.submitting.bodies if isinstance(body, Mix)]
    assert bool(said) is (slow == 1), "a host that is alone says nothing of a bag"
    before = moves(party, slow)
    match.play(slow, pack(Pass(())), -1, party.now)
    party.link(0, 1)
    party.settle()
    assert moves(party, slow) == before + 1
    assert party.notices == [[], []]
    assert not bag_of(party).unread(party.member(0).fold.owners())
    # A crash may come before it is written down that the turn waits no more.
    lines = party.member(slow).ledger.log.lines
    turns = [line.body for line in lines if isinstance(line.body, Turn)]
    match.keep(KeptTurn(pack(next(one for one in turns[::-1] if one.seat == slow))))
    match.journal.sync()
    party.crash(slow)
    party.start(slow)
    assert not party.member(slow).seats.moved()
    party.link(0, 1)
    party.settle()
    assert moves(party, slow) == before + 1
    assert party.notices == [[], []]
