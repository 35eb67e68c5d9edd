"""Who leaves a game with days is away: nobody wins by it, and the others go on."""

import pytest

from netplay.errors import Code
from netplay.messages.door import LeaveTable, Load
from netplay.messages.table_questions import ClaimTime
from tests.hostile.days import Friends


@pytest.mark.parametrize("restarts", [False, True], ids=["stays", "restarts"])
@pytest.mark.parametrize("leaver", ["ann", "bob"])
def test_who_leaves_until_the_days_of_the_other_are_over_wins_nothing(
    leaver: str, restarts: bool
) -> None:
    """A host and a guest, by their own programs: leave, wait, load, claim."""
    two = Friends("ann", "bob")
    other = "bob" if leaver == "ann" else "ann"
    two.turn_of(other)
    kept = f"{two.match(leaver).match.hex()}.netplay"
    two.net.done(leaver, LeaveTable())
    two.net.settle()
    if restarts:
        two.restart(other)
        two.meet()
    two.move(other)  # whoever is gone
    two.days(1.1)
    two.net.done(leaver, Load(kept))
    two.meet()
    two.wake()
    assert two.net.failed(leaver, ClaimTime()) is Code.USAGE
    assert not any(two.over().values())
    assert two.on_turn() == leaver
    two.move(leaver)
    assert two.on_turn() == other


def test_who_leaves_a_game_of_three_with_days_keeps_the_others_from_nothing() -> None:
    three = Friends("ann", "bob", "cyd")
    three.turn_of("bob")
    three.net.done("cyd", LeaveTable())
    three.net.settle()
    three.move("bob")
    assert three.on_turn() == "cyd"
    three.days(1.1)
    three.net.done("ann", ClaimTime())  # its days run, though it has gone
    three.net.settle()
    three.wake()
    assert three.on_turn() == "ann"
    assert three.match("bob").fold.resigned == {2}
