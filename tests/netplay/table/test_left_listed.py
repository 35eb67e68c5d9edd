"""What the list of games says is left of a turn."""

from collections import deque

from netplay.messages.door import Answer, StartMatch
from tests.netplay.joined_nodes import Net, table


def test_without_a_limit_no_time_is_left_while_somebody_owes_tiles() -> None:
    net = Net("ann", "bob")
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch())
    while net.deliver():
        net.wire = deque(sent for sent in net.wire if sent[0] != "bob")
    net["bob"].tables.wake(net.now + 1)
    match = net["bob"].match
    assert match.fold.withholding
    assert match.thinking.left is not None, "what is withheld is noted"
    (listed,) = net["bob"].tables.games(net.now + 1)
    assert listed.left is None
