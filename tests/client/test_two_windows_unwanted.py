"""Two real windows: the host removes a player, and blocks one, with the mouse."""

import pytest

from netplay.sentences import Says
from tests.client.test_two_windows import MISSING, Player, pair, text_of
from tests.said import says

__all__ = ["pair"]

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


def join(bert: Player, place: str) -> None:
    """Type an address on the start page and press Enter."""
    bert.front()
    bert.until(lambda: bert.ask("window")["page"] == "start")

    def clicked() -> bool:  # again where a question lay over it, or it has moved
        for no in [each for each in bert.ask("names") if each.endswith(".no")]:
            bert.click(no)
        bert.click("field.address")
        return bool(bert.ask("window")["focus"] == "field.address")

    bert.until(clicked)
    bert.tool("key", "ctrl+a", "BackSpace")  # the same place may stand there already
    bert.until(lambda: not bert.node_named("field.address").get("value"))
    bert.tool("type", "--delay", "30", place)
    bert.until(lambda: bert.node_named("field.address").get("value") == place)
    bert.tool("key", "Return")


def test_a_player_is_removed_and_blocked_by_the_mouse(
    pair: tuple[Player, Player],
) -> None:
    anna, bert = pair
    anna.front()
    anna.click("open")
    anna.until(lambda: anna.ask("window")["page"] == "table")
    place = f"127.0.0.1:{anna.command('status').split('port ')[1].split()[0]}"

    for verb in ("kick", "block"):
        join(bert, place)
        anna.front()
        if verb == "block":  # who was removed gets no seat at this table again
            bert.until(lambda: says(str(bert.ask("find", "fault")), Says.SEAT_FREED))
            anna.click("leave")
            anna.click("leave.stop")
            anna.until(lambda: anna.ask("window")["page"] == "start")
            anna.click("open")
            anna.until(lambda: anna.ask("window")["page"] == "table")
            join(bert, place)
            anna.front()
        anna.until(lambda: anna.ask("find", "who1"))
        bert.until(lambda: bert.ask("window")["page"] == "table")
        anna.click("who1")
        anna.click("person.show")
        key = bert.command("status").split("key ")[1].split()[0]
        anna.until(lambda key=key: text_of(anna, "person.key") == key)
        anna.click(f"person.{verb}")
        anna.until(lambda: anna.ask("find", "who1") is None)
        bert.until(lambda: bert.ask("window")["page"] == "start")

    join(bert, place)
    bert.until(lambda: "no answer" in str(bert.ask("find", "fault")))
    assert anna.ask("find", "who1") is None
    assert ": connected" not in anna.command("status")
