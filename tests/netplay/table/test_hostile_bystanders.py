"""A bystander that says all there is to say about a match, digests and bodies too."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.messages.door import Answer, StartMatch
from netplay.messages.log import Fork, Have, Position, Submit, Ticks
from netplay.messages.table import Attend, Passed, PassOn
from netplay.messages.table_questions import LetWatch, StandIn, WatchAt
from netplay.record.log import author_data
from netplay.wire import pack
from tests.netplay.joined_nodes import Net, table
from tools.protocol.examples import BODIES, MESSAGES

MAY_SAY = {Attend, Have, PassOn, Passed}
"""What a bystander says of a match at whom it watches."""


def watched(game: str) -> Net:
    """Let cyd look on at a match of ann's and bob's that is being played."""
    net = Net("ann", "bob", "cyd")
    net.done("bob", Answer(on=True))
    net.done("ann", table(game, "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    for name in ("ann", "bob"):
        net.done(name, StandIn(40))
        net.done(name, LetWatch("anybody"))
    net.done("cyd", WatchAt("ann"))
    net.settle()
    for _ in range(3):
        net.think(Random(1))
        net.settle()
        net.wake(0.5)
    assert net.status("cyd").watching
    return net


def files(net: Net) -> list[bytes]:
    """Return the match as both who play have it."""
    found = [net[name].match for name in ("ann", "bob")]
    return [b"".join(line.raw for line in m.ledger.log.lines) for m in found]


@pytest.mark.parametrize("game", ["hexcolumns", "networdz"])
def test_no_message_and_no_body_of_a_bystander_changes_a_match(game: str) -> None:
    net = watched(game)
    match, cyd = net["ann"].match, net["cyd"].signer
    assert match is not None
    log = match.ledger.log
    bodies = (
        Ticks(0, 40, (), bytes(32)),
        Ticks(1, 600, (), b""),
        Position(log.head, bytes(32)),
        *(body for some in BODIES.values() for body in some),
    )
    said: list[Any] = [
        Submit(log.match, 0, pack(b), cyd.sign(author_data(log.match, 0, pack(b))))
        for b in bodies
    ]
    for kind, examples in MESSAGES.items():
        if "match" in kind.__struct_fields__ and kind not in MAY_SAY:
            said += [replace(message, match=log.match) for message in examples]
    before = files(net)
    for name in ("ann", "bob"):
        for message in said:
            with pytest.raises(PeerError) as caught:
                net[name].tables.receive(net["cyd"].key, message, net.now)
            heard = name == "ann" and type(message) is Fork  # at whom it watches
            usual = Code.BAD_FRAME if heard else Code.NOT_A_MEMBER
            assert caught.value.code is usual
    for kind in (PassOn, Passed):
        for message in MESSAGES[kind]:
            said_now = replace(message, match=log.match)
            net["ann"].tables.receive(net["cyd"].key, said_now, net.now)
    net.wake(5)
    assert net.status("ann").watched == 1
    assert net.status("cyd").watching
    assert files(net) == before
    net.close()
