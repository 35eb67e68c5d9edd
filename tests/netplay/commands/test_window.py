import argparse
import contextlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Self, cast

import pytest

from netplay import ending
from netplay.commands import window
from netplay.commands.window import AGAIN_SECONDS
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.home import NODE_LOG, Home
from netplay.messages.door import StopNode
from netplay.messages.node_questions import CountWindows
from netplay.sentences import Says
from tests.patience import PATIENCE
from tests.said import says


@pytest.mark.parametrize(
    ("environment", "platform", "shown"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"SDL_VIDEODRIVER": "dummy"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_display_is_looked_for(
    environment: dict[str, str], platform: str, *, shown: bool
) -> None:
    assert window.has_display(environment, platform) is shown


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a display")
@pytest.mark.usefixtures("bare")
def test_without_a_display_the_commands_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert window.run(words()) == 1
    said = capsys.readouterr().err
    assert "display" in said
    assert Code.NO_ANSWER.text not in said
    for command in ("demo", "host", "join"):
        assert command in said


def words(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    window.add(parser)
    return parser.parse_args(given)


def ended(keeper: window.Keeper) -> None:
    """Wait until a node is not started again any more."""
    until = time.monotonic() + PATIENCE
    while keeper.lasts and time.monotonic() < until:
        time.sleep(0.01)
    assert not keeper.lasts


class Mortal:
    """A node that has ended already."""

    def __init__(self, code: int) -> None:
        self.code = code

    def wait(self) -> int:
        return self.code


@pytest.mark.parametrize(
    ("codes", "starts"),
    [([0], 1), ([-9, 0], 2), ([1, -9, 1, 0], 4), ([-9] * 99, 1 + len(AGAIN_SECONDS))],
)
def test_a_node_is_started_again_until_it_ends_as_told_or_too_often(
    monkeypatch: pytest.MonkeyPatch, codes: list[int], starts: int
) -> None:
    monkeypatch.setattr(window, "AGAIN_SECONDS", (0.0,) * len(AGAIN_SECONDS))
    nodes = [Mortal(code) for code in codes]
    coming = iter(nodes)
    keeper = window.Keeper(lambda: cast("window.Child", next(coming)))
    ended(keeper)
    assert keeper.release() is nodes[starts - 1]
    assert len(list(coming)) == len(codes) - starts


def test_a_node_that_had_run_for_long_has_all_its_chances_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(window, "AGAIN_SECONDS", (0.0, 0.0))
    coming = iter([Mortal(1) for _ in range(9)])
    lives = iter((0.0, 1.0, 1.0, 2.0, 2.0, 99.0, 99.0, 100.0, 100.0, 101.0))
    keeper = window.Keeper(lambda: cast("window.Child", next(coming)), lives.__next__)
    ended(keeper)
    assert len(list(coming)) == 9 - 5, "twice, and after the long life twice again"


class Started:
    """`netplay` as somebody starts it on a terminal, without a screen."""

    def __init__(self, folder: Path, *given: str, driver: str = "dummy") -> None:
        self.home = Home(folder / "home")
        self.said = folder / "said"
        environment = {**os.environ, "NETPLAY_HOME": str(self.home.path)}
        environment |= {"SDL_VIDEODRIVER": driver, "SDL_AUDIODRIVER": "dummy"}
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "netplay", "--port", "0", *given],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in (*self.others(), self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def others(self, module: str = "") -> list[int]:
        """Return the processes that were started for this home by it."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().decode().split("\0")
            except OSError:
                continue  # it has gone
            if str(self.home.path) in words and (not module or module in words):
                found.append(int(path.parent.name))
        return found

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something outside."""
        tick, end = threading.Event(), monotonic() + PATIENCE
        while not holds():
            assert monotonic() < end, self.words()
            tick.wait(0.05)

    def open(self) -> None:
        """Wait until the node answers and the window is at its door."""
        self.until(lambda: b"debug port" in self.said.read_bytes())
        self.until(self.answers)

    def answers(self) -> bool:
        try:
            with Visit(self.home) as visit:
                return visit.status().port > 0
        except LocalError:
            return False

    def ended(self) -> int:
        """Wait for the end; return the exit code."""
        self.until(lambda: self.process.poll() is not None)
        assert self.others() == []
        return self.process.returncode

    def words(self) -> str:
        """Return what was said on the terminal, and by the node in its files."""
        files = self.said, self.home.path / NODE_LOG, self.home.journal
        return "".join(path.read_text("utf-8") for path in files if path.exists())


class Closed(Mortal):
    """A window that has been closed, or a node that has ended."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.stdin = io.BytesIO()

    def kill(self) -> None:
        """Do nothing: it has ended."""


class Keyless:
    """`netplay` in a home that has lost its key; windows end as the test says."""

    def __init__(
        self, folder: Path, codes: list[int], patch: pytest.MonkeyPatch
    ) -> None:
        self.home = Home(folder / "home")
        self.home.prepare()
        self.home.peers.write_text("{}")
        self.codes = codes
        self.windows: list[tuple[str, ...]] = []
        self.nodes: list[bool] = []
        patch.setenv("NETPLAY_HOME", str(self.home.path))
        patch.setenv("DISPLAY", ":0")
        patch.setattr(window, "_window", self.show)
        patch.setattr(window, "start_node", self.start)

    def show(self, _place: Home, _words: object, *options: str) -> Closed:
        self.windows.append(options)
        return Closed(self.codes.pop(0))

    def start(self, _place: Home, _port: object, *, new: bool) -> Closed:
        self.nodes.append(new)
        return Closed(0)


def test_a_window_asks_about_a_missing_key_and_a_new_one_is_made_when_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = [ending.LOOK_AGAIN, ending.NEW_KEY, 0]
    one = Keyless(tmp_path, codes, monkeypatch)
    assert window.run(words()) == 0
    assert one.windows == [("--keyless",), ("--keyless",), ()]
    assert one.nodes == [True]


def test_a_key_that_was_put_back_is_taken_without_another_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Keyless(tmp_path, [ending.LOOK_AGAIN, 0], monkeypatch)
    show = one.show

    def put_back(place: Home, given: object, *options: str) -> Closed:
        place.key.touch()
        return show(place, given, *options)

    monkeypatch.setattr(window, "_window", put_back)
    assert window.run(words()) == 0
    assert one.windows == [("--keyless",), ()]
    assert one.nodes == [False]


def test_a_window_that_is_closed_without_an_answer_starts_no_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Keyless(tmp_path, [0], monkeypatch)
    with pytest.raises(LocalError) as caught:
        window.run(words())
    assert "--new-key" in str(caught.value)
    assert one.nodes == []
    one.codes.append(1)
    assert window.run(words()) == 1


def test_a_home_that_cannot_be_made_gets_a_window_which_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = Keyless(tmp_path, [0], monkeypatch)
    below = one.home.peers / "home"  # of a file
    monkeypatch.setenv("NETPLAY_HOME", str(below))
    assert window.run(words()) == 0
    assert one.windows == [()]
    assert str(below) in capsys.readouterr().err


@pytest.mark.processes
def test_a_home_without_its_key_gets_a_window_that_says_so_and_no_node(
    tmp_path: Path,
) -> None:
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("looks into /proc")
    home = Home(tmp_path / "home")
    home.prepare()
    home.peers.write_text("{}")
    with Started(tmp_path, "--size", "900x700", "--debug-port", "0") as one:
        one.until(lambda: b"debug port" in one.said.read_bytes())
        port = int(one.said.read_bytes().split()[-1])
        one.until(lambda: str(home.key) in _found(port, "keyless.why"))
        assert one.others("netplay") == []
        one.process.terminate()
        assert one.ended() == 128 + signal.SIGTERM
        assert not home.key.exists()


def _found(port: int, name: str) -> str:
    """Return what a window's debug port tells of a part."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as script:
        script.sendall(json.dumps({"do": "find", "name": name}).encode() + b"\n")
        return script.makefile("rb").readline().decode()


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("looks into /proc")
    with Started(tmp_path, "--size", "900x700", "--debug-port", "0") as one:
        one.open()
        yield one


@pytest.mark.processes
def test_a_window_that_is_closed_ends_its_node(started: Started) -> None:
    os.kill(*started.others("client"), signal.SIGTERM)
    assert started.ended() == 0
    started.home.hold().close()
    assert "node.down" in started.words()
    assert "Traceback" not in started.words()


@pytest.mark.processes
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_window_that_is_still_being_loaded_is_closed_in_good_order(
    tmp_path: Path, name: str
) -> None:
    words = [sys.executable, "-m", "client", "--home", str(tmp_path)]
    dummy = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    with subprocess.Popen(
        [*words, "--debug-port", "0"],
        env={**os.environ, **dummy},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as shown:
        assert shown.stdout is not None
        assert b"debug port" in shown.stdout.readline()  # well before its loop runs
        shown.send_signal(getattr(signal, name))
        said = shown.stdout.read()
    assert shown.returncode == 0
    assert said == b""


@pytest.mark.processes
def test_what_the_node_of_a_window_writes_does_not_grow_for_ever(
    tmp_path: Path,
) -> None:
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("looks into /proc")
    home = Home(tmp_path / "home")
    home.prepare()
    log = home.path / NODE_LOG
    log.write_text("of many years\n" * 100_000)
    with Started(tmp_path, "--size", "900x700", "--debug-port", "0") as one:
        one.open()
        assert log.read_text() == "", "events are noted in the journal alone"
        assert "node.up" in home.journal.read_text()
        one.process.terminate()
        one.ended()


@pytest.mark.processes
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_ends_the_window_and_the_node_with_it(
    started: Started, name: str
) -> None:
    number = getattr(signal, name)
    started.process.send_signal(number)
    assert started.ended() == 128 + number
    assert "node.down" in started.words()
    assert "Traceback" not in started.words()


@pytest.mark.processes
def test_ctrl_c_on_the_terminal_ends_both_in_good_order(started: Started) -> None:
    os.killpg(started.process.pid, signal.SIGINT)
    assert started.ended() == 128 + signal.SIGINT
    assert "node.down" in started.words()
    assert "Traceback" not in started.words()


@pytest.mark.processes
def test_a_second_signal_does_not_wait_for_a_window_that_hangs(
    started: Started,
) -> None:
    def gone() -> bool:
        """Ask again, as somebody does who cannot wait."""
        if started.others("client"):
            started.process.terminate()
        return not started.others("client")

    os.kill(*started.others("client"), signal.SIGSTOP)
    started.until(gone)
    assert started.ended() == 128 + signal.SIGTERM
    assert "Traceback" not in started.words()


@pytest.mark.processes
def test_a_window_that_dies_is_shown_again_and_its_node_goes_on(
    started: Started,
) -> None:
    (first,), (node,) = started.others("client"), started.others("netplay")
    os.kill(first, signal.SIGKILL)
    started.until(lambda: started.others("client") not in ([], [first]))
    (second,) = started.others("client")
    words = Path(f"/proc/{second}/cmdline").read_bytes().decode().split("\0")
    assert "--crashed" in words
    assert started.others("netplay") == [node]
    assert "signal 9" in started.words()
    started.until(lambda: started.said.read_bytes().count(b"debug port") == 2)
    os.kill(second, signal.SIGTERM)
    assert started.ended() == 0
    assert started.words().count("node.up") == 1


@pytest.mark.processes
def test_a_window_that_dies_again_and_again_leaves_the_node_to_the_friends(
    started: Started,
) -> None:
    (node,) = started.others("netplay")

    def given_up() -> bool:
        """End each window that comes."""
        for shown in started.others("client"):
            os.kill(shown, signal.SIGKILL)
        return "Ctrl-C" in started.words()

    started.until(given_up)
    assert started.words().count("signal 9") == 2
    assert started.others("netplay") == [node]
    assert started.answers()
    started.process.send_signal(signal.SIGINT)
    assert started.ended() == 128 + signal.SIGINT
    assert "node.down" in started.words()


@pytest.mark.processes
def test_a_node_lives_where_no_window_can_be_opened(tmp_path: Path) -> None:
    if not Path("/proc/self").exists():
        pytest.skip("looks into /proc")
    with Started(tmp_path, driver="nothing-of-the-kind") as one:
        one.until(lambda: "Ctrl-C" in one.words())
        one.until(one.answers)
        assert "nothing-of-the-kind" in one.words()
        with Visit(one.home) as visit:
            visit.ask(StopNode())
        assert one.ended() == 1


@pytest.mark.processes
def test_a_node_that_dies_is_started_again_and_one_that_was_stopped_is_not(
    started: Started,
) -> None:
    (first,) = started.others("netplay")
    os.kill(first, signal.SIGKILL)
    started.until(lambda: started.others("netplay") not in ([], [first]))
    started.until(started.answers)
    with Visit(started.home) as visit:
        visit.ask(StopNode())
    started.until(lambda: "node.down" in started.words())
    started.until(lambda: started.others("netplay") == [])
    os.kill(*started.others("client"), signal.SIGTERM)
    assert started.ended() == 0
    assert started.words().count("node.up") == 2


@pytest.mark.processes
def test_a_program_that_is_killed_leaves_neither_window_nor_node(
    started: Started,
) -> None:
    started.process.kill()
    started.process.wait()
    started.until(lambda: not started.others())
    assert "node.down" in started.words()
    assert "Traceback" not in started.words()


@pytest.mark.processes
def test_a_node_stays_until_the_last_window_is_closed(
    started: Started, tmp_path: Path
) -> None:
    (first,) = started.others("client")
    (tmp_path / "more").mkdir()
    with Started(tmp_path / "more", "--home", str(started.home.path)) as second:
        second.home = started.home
        started.until(lambda: len(started.others("client")) == 2)
        started.until(lambda: _windows(started.home) == 2)
        os.kill(first, signal.SIGTERM)
        started.until(lambda: started.process.poll() is not None)
        assert started.process.returncode == 0
        assert len(started.others("client")) == 1
        assert started.answers()
        second.process.terminate()
        started.until(lambda: not started.others())
    assert "node.down" in started.words()


def _windows(home: Home) -> int:
    with Visit(home) as visit:
        return int(visit.ask(CountWindows()).text)


@pytest.mark.processes
def test_a_second_window_leaves_the_node_to_the_first(
    started: Started, tmp_path: Path
) -> None:
    (tmp_path / "more").mkdir()
    with Started(tmp_path / "more", "--home", str(started.home.path)) as second:
        second.home = started.home
        started.until(lambda: len(started.others("client")) == 2)
        second.process.terminate()
        started.until(lambda: second.process.poll() is not None)
        assert second.process.returncode == 128 + signal.SIGTERM
        assert len(started.others("client")) == 1
        assert started.answers()
        started.process.terminate()
        assert started.ended() == 128 + signal.SIGTERM


@pytest.mark.processes
def test_a_clicked_line_is_shown_in_the_window_that_is_open(
    started: Started, tmp_path: Path
) -> None:
    line = "netplay:127.0.0.1:4770#ABCD-EFGH-IJKL-MNOP-QRST"
    (tmp_path / "more").mkdir()
    home = str(started.home.path)
    started.until(lambda: _windows(started.home) == 1)
    with Started(tmp_path / "more", "--home", home, "--open", line) as second:
        started.until(lambda: second.process.poll() is not None)
        assert second.process.returncode == 0
        assert says(second.words(), Says.SHOWN_IN_WINDOW)
    assert len(started.others("client")) == 1
    port = int(started.said.read_bytes().split(b"debug port ")[1].split()[0])
    started.until(lambda: line in _found(port, "field.address"))
    with Visit(started.home) as visit:
        assert visit.status().mode == "idle"  # nobody is called
