"""Programs of the user's at a seat: real ones, in real processes."""

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import LocalError
from netplay.limits import PROGRAM_LINE_BYTES
from netplay.programs import keeper
from netplay.programs.process import Lines, ProgramPlayer
from netplay.sentences import Says
from netplay.text import legal
from rules import GAMES, hexcolumns
from rules.game import CHANCE
from tests.netplay.programs.scripts import BASE, FIRST, LANGUAGES, example, made, script
from tests.patience import PATIENCE, held
from tests.rules.hexcolumns.test_rows import sending
from tests.said import like

pytestmark = pytest.mark.processes

TYPED = {
    "numlo": ["D3"],
    "hexagrams": ["T(4,1)-T(5,1)"],
    "networdz": ["pass"],
    "hexcolumns": ["Down  Left"],
}


def begun(game: str, seats: int = 2) -> Any:
    """Return a match whose chance has been settled."""
    rules = GAMES[game]
    return settled(game, rules.start(seats, rules.ABOUT.options()), random.Random(1))


def settled(game: str, state: Any, rng: random.Random) -> Any:
    rules = GAMES[game]
    while CHANCE in rules.actors(state):
        found = []
        for move, _ in zip(rules.moves(state, CHANCE), range(500), strict=False):
            found.append(move)
        state = rules.play(state, CHANCE, rng.choice(found))
    return state


async def asked(player: ProgramPlayer, game: str = "numlo", **more: Any) -> Any:
    state = begun(game)
    seat = min(seat for seat in GAMES[game].actors(state) if seat >= 0)
    view = GAMES[game].view(state, seat)
    move = await player.move(game, b"m", seat, view, **more)
    GAMES[game].play(state, seat, move)
    return move


def test_rows_that_rise_by_themselves_are_no_choice_of_a_program() -> None:
    state = sending(0, 2)
    assert hexcolumns.Rise(1) in list(hexcolumns.moves(state, 0))
    moves, _more = legal("hexcolumns", state, 0, 100)
    kinds = {each.split()[0] for each in moves}
    assert kinds == {"down", "rotate", "lower", "drop", "radar", "faster", "pause"}
    assert len(moves) == 8  # down on either side


def written(path: Path) -> str:
    """Return what a program has written down, empty while it has not."""
    return path.read_text("utf-8") if path.exists() else ""


async def gone(player: ProgramPlayer) -> None:
    player.end()
    with trio.fail_after(PATIENCE):
        await player.gone_at_last()


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be buried does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_the_examples_play_each_game(
    tmp_path: Path, game: str, language: str
) -> None:
    player = ProgramPlayer(made(tmp_path, language, "example"))
    rules, rng, state = GAMES[game], random.Random(2), begun(game)
    for _ in range(6):
        seat = min(seat for seat in rules.actors(state) if seat >= 0)
        move = await player.move(game, b"m", seat, rules.view(state, seat))
        state = settled(game, rules.play(state, seat, move), rng)
    await gone(player)


async def test_the_example_has_twenty_lines_at_the_most() -> None:
    assert len(example().splitlines()) <= 20


@pytest.mark.parametrize("game", sorted(TYPED))
async def test_a_move_may_be_written_as_it_is_typed(tmp_path: Path, game: str) -> None:
    words = TYPED[game][0]
    if game == "numlo":
        offers = [m.square for m in GAMES[game].moves(begun(game), 0)]
        size = begun(game).options.size
        words = f"{'ABCDEFGHIJKLMNOP'[offers[0] % size]}{offers[0] // size + 1}"
    told = BASE + f"ask(); say({{'move': {words!r}}}); ask()"
    player = ProgramPlayer(script(tmp_path, told))
    await asked(player, game)
    await gone(player)


@pytest.mark.parametrize(("left", "told"), [(12.25, (12.2, 10.2)), (600, (600, 30))])
async def test_a_program_is_told_its_seats_view_and_its_time_and_nothing_else(
    tmp_path: Path, left: float, told: tuple[float, float]
) -> None:
    text = FIRST.replace("    ask()\n", "    heard = ask()\n", 1).replace(
        'say({"ask"', 'json.dump(heard, open("heard", "w")); say({"ask"', 1
    )
    player = ProgramPlayer(script(tmp_path, text))
    await asked(player, "networdz", left=left)
    await gone(player)
    heard = json.loads((tmp_path / "heard").read_text("utf-8"))
    assert set(heard) == {"ask", "game", "match", "seat", "left", "limit", "position"}
    assert (heard["left"], heard["limit"]) == told
    own, other = heard["position"]["players"][:: 1 if heard["seat"] == 1 else -1]
    assert own["seat"] == heard["seat"]
    assert all(letter in heard["position"]["values"] for letter in own["rack"])
    assert other["rack"] == [None] * 7


async def test_nothing_of_the_users_is_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path))
    monkeypatch.setenv("MY_SECRET", "1")
    held = os.open(tmp_path / "held", os.O_WRONLY | os.O_CREAT)
    told = FIRST.replace(
        "while True:",
        """
fds = [n for n in range(3, 64) if os.path.exists(f"/proc/self/fd/{n}")]
links = [os.readlink(f"/proc/self/fd/{n}") for n in fds if n]
json.dump([dict(os.environ), [l for l in links if "/proc" not in l], os.getcwd()],
          open("seen", "w"))
while True:""",
        1,
    )
    player = ProgramPlayer(script(tmp_path, told))
    await asked(player)
    os.close(held)
    await gone(player)
    environment, files, folder = json.loads((tmp_path / "seen").read_text("utf-8"))
    environment.pop("LC_CTYPE", None)  # Python's own doing
    assert environment == {"PATH": os.defpath, "LANG": "C.UTF-8"}
    assert not [name for name in files if not name.endswith("seen")]
    assert folder == str(tmp_path)


BAD = {
    "silent": ("ask(); time.sleep(600)", "not chosen a move in SECONDS s"),
    "deaf": ("time.sleep(600)", "not chosen a move in SECONDS s"),
    "rubbish": ("ask(); print('e4 e5', flush=True); ask()", "no answer: e4 e5"),
    "other words": ("ask(); say({'go': 1}); ask()", 'no answer: {"go": 1}'),
    "both": ("ask(); say({'move': 1, 'ask': 'moves'}); ask()", "no answer"),
    "bytes": (
        "ask(); os.write(1, bytes(range(128, 256)) + b'\\n'); ask()",
        "no answer",
    ),
    "deep": ("ask(); print('[' * 60000, flush=True); ask()", "no answer: \\[\\[\\["),
    "endless line": (
        "ask()\nwhile True: os.write(1, b'x' * 65536)",
        "a line of more than 65536 bytes",
    ),
    "endless lines": (
        'ask()\nwhile True: os.write(1, b\'{"ask": "moves"}\\n\' * 4000)',
        "100 lines without choosing|not chosen a move in SECONDS s",
    ),
    "illegal": ("ask(); say({'move': 'A1'}); ask()", "do not allow that move: A1"),
    "no square": ("ask(); say({'move': 'Q99'}); ask()", "Q99 is no square"),
    "no string": ("ask(); say({'move': ['place', 3]}); ask()", "do not allow"),
    "null": ("ask(); say({'move': None}); ask()", "do not allow that move: null"),
    "dead": ("ask(); sys.exit('I am tired')", "it has ended: I am tired"),
    "killed": ("ask(); os.kill(os.getpid(), 9)", "it has ended: -"),
    "raises": ("ask(); 1 / 0", "it has ended: ZeroDivisionError"),
    "loud": (
        "ask()\nfor _ in range(99): os.write(2, b'x' * 65535 + bytes([10]))\n1 / 0",
        "it has ended: ZeroDivisionError",
    ),
}


@pytest.mark.parametrize("how", sorted(BAD))
async def test_a_program_that_fails_is_told_of_and_ended(
    tmp_path: Path, how: str
) -> None:
    told, why = BAD[how]
    text = BASE + f"open('pid', 'w').write(str(os.getpid()))\n{told}\n"
    for seconds in (1.0, 10.0, PATIENCE) if "chosen" in why else (PATIENCE,):
        player = ProgramPlayer(script(tmp_path, text), seconds=seconds)
        with pytest.raises(LocalError, match=why.replace("SECONDS", f"{seconds:g}")):
            await asked(player)
        await gone(player)
        if written(tmp_path / "pid"):  # else the machine had no time to begin it
            break
    assert not alive(int(written(tmp_path / "pid")))


@pytest.mark.parametrize(("left", "limit"), [(1.0, 0), (3.0, 2)])
async def test_with_little_time_left_a_program_has_half_of_it(
    tmp_path: Path, left: float, limit: int
) -> None:
    player = ProgramPlayer(script(tmp_path, "import time; time.sleep(600)"))
    with pytest.raises(LocalError) as caught:
        await asked(player, left=left)
    assert caught.value.said == Says.PROGRAM_SILENT(seconds=limit)
    await gone(player)


@given(
    st.lists(
        st.sampled_from([0, 1, 70, PROGRAM_LINE_BYTES - 1, PROGRAM_LINE_BYTES]),
        max_size=6,
    ),
    st.sampled_from([1000, PROGRAM_LINE_BYTES, 10 * PROGRAM_LINE_BYTES]),
)
def test_lines_come_whole_however_they_are_cut_and_none_is_too_long_for_others(
    sizes: list[int], cut: int
) -> None:
    lines, heard, found = [b"x" * size for size in sizes], Lines(), list[bytes]()
    data = b"".join(line + b"\n" for line in lines)
    for start in range(0, len(data), cut):
        heard.feed(data[start : start + cut])
        while (line := heard.next()) is not None:
            found.append(line)
    assert found == [line for line in lines if line]
    heard.feed(b"x" * (PROGRAM_LINE_BYTES + 1))
    with pytest.raises(LocalError):
        heard.next()


async def test_what_cannot_be_run_is_told(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_text("no program\n", "utf-8")
    path.chmod(0o700)
    player = ProgramPlayer(str(path))
    with pytest.raises(LocalError, match=like(Says.PROGRAM_ENDED) + "(Exec|error)"):
        await asked(player)
    await gone(player)


FORKS = (
    BASE
    + """
sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
one = subprocess.Popen(sleeper)
two = subprocess.Popen(sleeper, start_new_session=True)
apart = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:], " \\
    "start_new_session=True, stdout=-3, stderr=-3).pid)"
orphan = subprocess.run([sys.executable, "-c", apart, *sleeper], capture_output=True)
pids = [os.getpid(), one.pid, two.pid, int(orphan.stdout)]
open("pids.new", "w").write(json.dumps(pids))
os.rename("pids.new", "pids")
"""
)


def family(folder: Path) -> list[int]:
    pids: list[int] = json.loads((folder / "pids").read_text("utf-8"))
    return pids


async def test_all_that_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    stubborn = """
import signal
for number in (1, 2, 13, 15):
    signal.signal(number, signal.SIG_IGN)
while True:
    try:
        ask()
        say({"ask": "moves"})
        say({"move": ask()["moves"][0]})
    except SystemExit:
        time.sleep(600)
"""
    player = ProgramPlayer(script(tmp_path, FORKS + stubborn))
    await asked(player)
    pids = family(tmp_path)
    assert all(map(alive, pids))
    await gone(player)
    assert not any(map(alive, pids))


async def test_what_a_dead_program_leaves_behind_ends_at_once(tmp_path: Path) -> None:
    player = ProgramPlayer(script(tmp_path, FORKS + "ask(); os._exit(3)"))
    with pytest.raises(LocalError, match=like(Says.PROGRAM_ENDED)):
        await asked(player)
    await held(lambda: not any(map(alive, family(tmp_path))))
    await gone(player)


async def test_a_program_that_ends_politely_may_do_so(tmp_path: Path) -> None:
    told = FIRST + "\n"
    told = told.replace("while True:", "import atexit\natexit.register(lambda: "
                        "open('bye', 'w').close())\nwhile True:", 1)  # fmt: skip
    player = ProgramPlayer(script(tmp_path, told))
    await asked(player)
    await gone(player)
    assert (tmp_path / "bye").exists()


async def test_a_program_ends_when_the_node_is_killed(tmp_path: Path) -> None:
    parent = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-I", "-S", {keeper.__file__!r}, sys.argv[1]],
                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
time.sleep(600)
"""
    path = script(tmp_path, FORKS + "time.sleep(600)")
    command = [sys.executable, "-c", parent, path]
    process = await trio.lowlevel.open_process(command, cwd=tmp_path)
    await held((tmp_path / "pids").exists)
    process.kill()
    await process.wait()
    await held(lambda: not any(map(alive, family(tmp_path))))


async def test_a_question_that_nobody_wants_answered_ends_the_program(
    tmp_path: Path,
) -> None:
    said = """{"ask": "moves"}\n{"move"""  # the half line is heard with the whole one
    told = f"ask(); os.write(1, b{said!r}); ask()"
    told = f"{BASE}{told}; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
    player = ProgramPlayer(script(tmp_path, told))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(asked, player)
        await held(lambda: bool(written(tmp_path / "pid")))
        nursery.cancel_scope.cancel()
    pid = int(written(tmp_path / "pid"))
    await held(lambda: not alive(pid))
    script(tmp_path, FIRST)
    await asked(player)  # started anew
    await gone(player)
