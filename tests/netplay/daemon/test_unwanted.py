"""Real nodes: seats that are kept, players who are removed and blocked."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from netplay.errors import Code
from netplay.messages.door import HostTable, Join, Status
from netplay.messages.node_questions import GetInvitation
from netplay.messages.table_questions import Kick
from netplay.sentences import Says
from tests.netplay.daemon.test_always_on import Service
from tests.patience import PATIENCE
from tests.said import says

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform == "win32", reason="systemd and signals of POSIX"),
]


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Callable[[str], Service]]:
    made: list[Service] = []

    def make(name: str) -> Service:
        made.append(Service(tmp_path, name))
        made[-1].start()
        return made[-1]

    yield make
    for service in made:
        if service.process is not None and service.process.poll() is None:
            service.process.kill()
            service.process.wait(PATIENCE)
        service.told.close()


def seated(*names: str) -> Callable[[Status], bool]:
    def seen(status: Status) -> bool:
        return status.table is not None and names == tuple(
            seat.name for seat in status.table.seats
        )

    return seen


def opened(host: Service, *seats: str) -> str:
    """Open a table, and return how to call it."""
    host.ask(HostTable("hexagrams", ("person", *seats), (), "", ""))
    return host.ask(GetInvitation())


def test_a_seat_waits_for_the_one_who_was_invited(
    services: Callable[[str], Service],
) -> None:
    anna, bert, eve = services("Anna"), services("Bert"), services("Eve")
    key = bert.command("invite")[1].splitlines()[0].partition("#")[2]
    place = opened(anna, f"remote:{key}")
    code, said = eve.command("join", place)
    assert code == 1
    assert says(said, Says.SEATS_KEPT)
    assert seated("Anna", "")(anna.until(bool))
    assert bert.command("join", place)[0] == 0
    anna.until(seated("Anna", "Bert"))


def test_a_player_is_blocked_for_good_at_two_real_nodes(
    services: Callable[[str], Service],
) -> None:
    anna, eve = services("Anna"), services("Eve")
    place = opened(anna, "remote")
    assert eve.command("join", place)[0] == 0
    anna.until(seated("Anna", "Eve"))

    assert anna.command("kick", "eve") == (0, f"{Says.REMOVED(name='Eve')}\n")
    anna.until(seated("Anna", ""))
    code, said = eve.command("join", place)
    assert (code, says(said, Says.SEAT_FREED)) == (1, True)

    assert anna.command("block", "Eve") == (0, f"{Says.BLOCKED(name='Eve')}\n")
    eve.until(lambda status: not any(p.connected for p in status.peers))
    code, said = eve.command("join", place)
    assert (code, says(said, Code.NO_ANSWER)) == (1, True)

    anna.stop()
    anna.start()
    place = opened(anna, "remote")
    assert eve.command("join", place)[0] == 1
    assert seated("Anna", "")(anna.until(bool))
    rows = json.loads(anna.command("peers", "--json")[1])
    assert [row["name"] for row in rows if row["blocked"]] == ["Eve"]
    assert "Eve  blocked" in anna.command("peers")[1]

    assert anna.command("peers", "--unblock", "Eve")[0] == 0
    assert eve.command("join", place)[0] == 0
    anna.until(seated("Anna", "Eve"))


def test_somebody_else_under_a_known_name_is_told_of_in_status_and_notices(
    services: Callable[[str], Service],
) -> None:
    anna, bert, eve = services("Anna"), services("Bert"), services("Eve")
    place = opened(anna, "remote")
    assert bert.command("join", place)[0] == 0
    anna.until(seated("Anna", "Bert"))
    anna.ask(Kick("Bert"))
    eve.stop()
    eve.name = "Веrt"
    eve.start()
    doubt = str(Says.ANOTHER_KEY(name="Bert"))
    with anna.visit() as window:
        eve.ask(Join(place))
        assert any(
            doubt in str(getattr(message, "said", ""))
            for message in window.heard(PATIENCE)
        )
    anna.until(seated("Anna", "Веrt"))
    assert f": {doubt} (" in anna.command("status")[1]
