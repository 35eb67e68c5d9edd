"""The user's own command, for each turn: when it is run, with what, and how long."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from netplay.daemon import on_turn
from netplay.daemon.on_turn import (
    OnTurn,
    Summoner,
    cleaned,
    environment,
    kept_notices,
    kept_words,
    run_command,
    words_of,
)
from netplay.daemon.visit import Visit
from netplay.errors import LocalError
from netplay.faults import Faults
from netplay.fingerprint import folded
from netplay.home import Home
from netplay.journal import silent
from netplay.limits import ON_TURN_APART
from netplay.messages.door import HostTable, Reason, StartMatch, Summons
from netplay.messages.table_questions import Mute
from netplay.said import Words
from netplay.sentences import Says
from netplay.table.muted import Hours, Muted
from tests.patience import PATIENCE

posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups of POSIX")
WRITES = """\
import json, os, sys
names = ("NETPLAY_TABLE", "NETPLAY_GAME", "NETPLAY_OPPONENT", "NOTIFY_SOCKET")
with open(sys.argv[1], "a") as file:
    print(json.dumps([os.environ.get(name) for name in names]), file=file)
"""


def turn(table: int = 1, *who: str) -> Summons:
    return Summons(table, "turn", "numlo", who or ("Bert",))


class Bench:
    """The command's runner, which only notes what it was to run."""

    def __init__(self, takes: float = 0.0) -> None:
        self.ran: list[tuple[float, str]] = []
        self.waiting = {1, 2}
        self.quiet_until = 0.0
        self.takes = takes
        self.at_once = self.most = 0
        self.why: Words = ""
        self.faults = Faults()
        self.on_turn = OnTurn(
            ("it",),
            self.waiting.__contains__,
            self.quiet,
            silent,
            self.faults,
            self.run,
        )

    def quiet(self) -> float:
        return max(0.0, self.quiet_until - trio.current_time())

    async def run(self, words: Sequence[str], told: Mapping[str, str]) -> Words:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        assert words == ("it",)
        self.ran.append((trio.current_time(), told["NETPLAY_TABLE"]))
        await trio.sleep(self.takes)
        self.at_once -= 1
        return self.why


async def test_it_runs_at_most_once_a_minute_for_each_table_and_then_if_still_wanted(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    bench = Bench()
    nursery.start_soon(bench.on_turn.serve)
    for second in range(3):
        bench.on_turn.ring(turn(1))
        await trio.sleep(1)
        assert len(bench.ran) == 1, second
    bench.on_turn.ring(turn(2))
    await trio.sleep(1)
    assert [table for _, table in bench.ran] == ["1", "2"]
    await trio.sleep(ON_TURN_APART)
    assert [table for _, table in bench.ran] == ["1", "2", "1"]
    assert bench.ran[2][0] - bench.ran[0][0] == pytest.approx(ON_TURN_APART)
    bench.on_turn.ring(turn(1))
    bench.waiting.clear()
    await trio.sleep(2 * ON_TURN_APART)
    assert len(bench.ran) == 3


async def test_one_runs_at_a_time(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    bench = Bench(takes=5)
    nursery.start_soon(bench.on_turn.serve)
    for table in (1, 2):
        bench.on_turn.ring(turn(table))
    await trio.sleep(20)
    assert [table for _, table in bench.ran] == ["1", "2"]
    assert bench.most == 1


async def test_in_quiet_hours_it_waits_for_their_end(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    bench = Bench()
    bench.quiet_until = trio.current_time() + 3600
    nursery.start_soon(bench.on_turn.serve)
    bench.on_turn.ring(turn())
    await trio.sleep(3590)
    assert not bench.ran
    await trio.sleep(20)
    assert len(bench.ran) == 1


async def test_neither_chat_nor_an_end_runs_it(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    bench = Bench()
    nursery.start_soon(bench.on_turn.serve)
    bench.on_turn.ring(Summons(1, "chat", "numlo", ("Bert",)))
    bench.on_turn.ring(Summons(1, "over", "numlo", ("Bert",)))
    await trio.sleep(100)
    assert not bench.ran


async def test_one_that_fails_is_said_to_the_owner_until_it_does_not(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    bench = Bench()
    nursery.start_soon(bench.on_turn.serve)
    for why in (Says.NOTICE_STATUS(status=3), Says.NOTICE_SLOW(seconds=10), ""):
        bench.why = why
        bench.on_turn.ring(turn())
        await trio.sleep(2 * ON_TURN_APART)
        assert list(bench.faults) == ([Says.NOTICE_FAILED(why=why)] if why else [])


async def test_a_flood_of_notices_runs_it_once_a_minute_and_table(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    bench = Bench(takes=10)  # it hangs each time
    nursery.start_soon(bench.on_turn.serve)
    for _ in range(300):
        for _ in range(100):
            bench.on_turn.ring(Summons(1, "ready", "x" * 10_000, ("$(reboot)\n",)))
        await trio.sleep(1)
    assert len(bench.ran) <= 1 + 300 / ON_TURN_APART
    assert bench.most == 1


@posix
async def test_how_a_command_has_ended_is_told() -> None:
    shell = [sys.executable, "-c"]
    assert await run_command([*shell, "pass"], {}) == ""
    status = await run_command([*shell, "raise SystemExit(3)"], {})
    assert status == Says.NOTICE_STATUS(status=3)
    with pytest.raises(OSError, match=os.strerror(errno.ENOENT)):
        await run_command(["/no/such/command"], {})


async def test_the_yes_of_all_and_a_ready_that_is_asked_for_run_it(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    bench = Bench()
    nursery.start_soon(bench.on_turn.serve)
    for table, reason in ((1, "agreed"), (2, "ready")):
        bench.on_turn.ring(Summons(table, reason, "numlo", ("Bert",)))
    await trio.sleep(100)
    assert [table for _, table in bench.ran] == ["1", "2"]


@given(st.text())
def test_whatever_somebody_is_called_no_script_is_led_astray(name: str) -> None:
    told = cleaned(name)
    assert not told or (told[0].isalnum() or not told[0].isascii())
    assert not set(told) & set("$`\\\"'!;&|<>(){}[]*?~#%^=\n\r\0/,:")
    assert len(told) <= 24
    assert environment(turn(1, name))["NETPLAY_OPPONENT"] == told
    assert environment(turn(1, name))["NETPLAY_REASON"] == "turn"


@given(st.lists(st.sampled_from(("Ann", "Bert B.", "$(x)", "", "Cyd")), max_size=3))
def test_each_opponent_that_has_a_name_is_told_by_itself(names: list[str]) -> None:
    told = environment(Summons(1, "turn", "numlo", tuple(names)))["NETPLAY_OPPONENT"]
    wanted = [name.replace("$(x)", "x") for name in names if name]
    assert [name for name in told.split(", ") if name] == wanted


@pytest.mark.parametrize("hours", [None, Hours(22 * 60, 7 * 60)])
def test_windows_are_told_of_nothing_in_quiet_hours(hours: Hours | None) -> None:
    muted, pushed = Muted(), list[Summons]()
    muted.hours = hours
    parts: Any = SimpleNamespace(
        on_turn=(), journal=silent, faults=Faults(), muted=muted,
        unix=lambda: datetime(2026, 3, 4, 23, 30).timestamp(),  # noqa: DTZ001 (hours of the wall)
    )  # fmt: skip
    windows: Any = SimpleNamespace(push=pushed.append)
    Summoner(parts, lambda: windows).tell([turn()])
    assert pushed == ([turn()] if hours is None else [])


async def test_what_waits_through_the_night_is_told_as_it_is_in_the_morning(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    told: list[tuple[str, str, str]] = []

    async def run(_words: Sequence[str], said: Mapping[str, str]) -> Words:
        names = ("NETPLAY_TABLE", "NETPLAY_REASON", "NETPLAY_OPPONENT")
        told.append((said[names[0]], said[names[1]], said[names[2]]))
        await trio.lowlevel.checkpoint()
        return ""

    end = trio.current_time() + 3600
    quiet = lambda: max(0.0, end - trio.current_time())  # noqa: E731
    command = OnTurn(("it",), lambda _table: True, quiet, silent, Faults(), run)
    nursery.start_soon(command.serve)
    rings: tuple[tuple[int, Reason, str], ...] = (
        (1, "live", "Ann"), (2, "turn", "Bert"), (1, "turn", "Cyd"), (2, "time", "Dan"),
    )  # fmt: skip
    for table, reason, who in rings:
        command.ring(Summons(table, reason, "numlo", (who,)))
        await trio.sleep(60)
    await trio.sleep(7200)
    assert sorted(told) == [("1", "turn", "Cyd"), ("2", "time", "Dan")]


def test_plain_names_stay_as_they_are() -> None:
    plain = "Jean-Luc de Würzburg"
    assert cleaned(plain) == plain
    assert cleaned("--x $(reboot)") == "x reboot"


@pytest.mark.parametrize("command", ["", "no-such-program", "'half", "/tmp"])
def test_what_cannot_be_run_is_said_at_the_start(command: str, tmp_path: Path) -> None:
    with pytest.raises(LocalError, match="run"):
        words_of(command)


def test_a_node_does_not_start_with_a_command_that_cannot_be_run(
    tmp_path: Path,
) -> None:
    words = ["node", "--home", str(tmp_path), "--on-turn", "no-such-program"]
    done = subprocess.run(
        [sys.executable, "-m", "netplay", *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "no-such-program" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_home_may_name_it_and_one_that_cannot_be_run_is_told_of(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    assert kept_words(home) == ()
    home.on_turn.write_text(f"{sys.executable} -c 'pass 1'\n")
    assert kept_words(home) == (str(Path(sys.executable).absolute()), "-c", "pass 1")
    home.on_turn.write_text("no-such-program")
    assert kept_words(home) == ()
    assert any("no-such-program" in str(fault) for fault in home.faults)


def test_commands_for_friends_are_read_by_their_keys_and_bad_lines_are_told_of(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    assert kept_notices(home) == {}
    whole = str(Path(sys.executable).absolute())
    key = "I6EL-S7JH-NSQN-PK4Z-5BBT"
    lines = (
        f"{key.lower()} {sys.executable} -c 'pass 1'", "", "bob echo",
        "AAAA-BBBB-CCCC-DDDD-EEEE no-such-program", "10.0.0.1 echo",
    )  # fmt: skip
    home.on_letter.write_text("\n".join(lines))
    assert kept_notices(home) == {folded(key): (whole, "-c", "pass 1")}
    faults = list(map(str, home.faults))
    assert len(faults) == 3
    for wrong in ("bob echo", "no-such-program", "10.0.0.1"):
        assert any(wrong in fault for fault in faults)


@posix
async def test_it_is_ended_with_its_group_when_its_time_is_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = 'import os,sys,time\nopen(sys.argv[1],"w").write(str(os.getpgid(0)))\n'
    script += "if os.fork(): sys.exit()\ntime.sleep(600)\n"
    place = tmp_path / "group"
    place.touch()
    for seconds in (1, 10, 100):  # until the machine had time to begin it
        monkeypatch.setattr(on_turn, "ON_TURN_SECONDS", seconds)
        began = monotonic()
        why = await run_command([sys.executable, "-c", script, str(place)], {})
        assert why == Says.NOTICE_SLOW(seconds=seconds)
        assert 0.9 * seconds < monotonic() - began < seconds + PATIENCE
        if place.read_text():
            break
    group = int(place.read_text())
    for _ in range(1000):  # until init has noticed
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            break
        await trio.sleep(0.02)
    else:
        pytest.fail("something of its group is left")


def node(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "netplay", "node", "--home", str(folder / "home")]
    command += ["--name", "Anna", "--port", "0", "--listen", "127.0.0.1", *words]
    environment = {**os.environ, "NOTIFY_SOCKET": str(folder / "nobody")}
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, env=environment)


def ask(home: Home, *questions: Any) -> None:
    until = monotonic() + PATIENCE
    while True:
        try:
            with Visit(home) as visit:
                for question in questions:
                    visit.ask(question)
        except (LocalError, OSError):
            if monotonic() > until:
                raise
            sleep(0.05)
        else:
            return


@posix
@pytest.mark.processes
def test_a_node_without_a_window_runs_it_when_it_is_the_players_turn(
    tmp_path: Path,
) -> None:
    (tmp_path / "writes.py").write_text(WRITES)
    told = tmp_path / "told"
    command = f"'{sys.executable}' '{tmp_path / 'writes.py'}' '{told}'"
    process = node(tmp_path, "--on-turn", command)
    home = Home(tmp_path / "home")
    seats = ("person", "computer:0")
    try:
        ask(home, HostTable("numlo", seats, (), "", ""), Mute(on=True), StartMatch())
        ask(home, HostTable("hexagrams", seats, (), "", ""))
        with Visit(home, table=2) as visit:
            visit.ask(StartMatch())
        until = monotonic() + PATIENCE
        while not (told.exists() and told.read_text().endswith("\n")):
            assert monotonic() < until, (tmp_path / "log").read_text()
            sleep(0.02)
    finally:
        process.terminate()
        process.wait(PATIENCE)
    lines = [json.loads(line) for line in told.read_text().splitlines()]
    assert lines == [["2", "hexagrams", "Computer", None]]  # the first one is muted


def test_a_folder_in_place_of_a_command_is_told_of_and_stops_no_node(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    home.on_turn.mkdir()
    home.on_letter.mkdir()
    assert kept_words(home) == ()
    assert kept_notices(home) == {}
    told = [str(one) for one in home.faults]
    assert len(told) == 2
    for place, one in zip((home.on_turn, home.on_letter), told, strict=True):
        assert str(place) in one
