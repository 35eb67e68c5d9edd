"""A sixth game is its own modules, one line, and its texts.

The program is copied, tic-tac-toe is laid into the copy as CONTRIBUTING.md says, and
the copy is used as anybody would: by its commands, in its window, by its tests.
"""

import filecmp
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rules import LISTED
from tests.sixth_game import LINE

ROOT = Path(__file__).parents[1]
PACKAGES = ("rules", "netplay", "client", "tests")
GAME = "tictactoe"
LISTS = Path("rules/__init__.py")

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a program that has the sixth game."""
    folder = tmp_path_factory.mktemp("sixth")
    for name in PACKAGES:
        left = shutil.ignore_patterns("pictures", "simulation", "vectors")
        shutil.copytree(ROOT / name, folder / name, ignore=left)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name in ("rules", "netplay", "client"):
        shutil.copytree(
            ROOT / "tests/sixth_game" / name, folder / name, dirs_exist_ok=True
        )
    last = f'    "{list(LISTED)[-1]}": Listed('
    lines = (folder / LISTS).read_text("utf-8").splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith(last))
    lines.insert(at + 1, LINE)
    (folder / LISTS).write_text("".join(lines), "utf-8")
    return folder


def run(program: Path, *words: str, status: int = 0) -> str:
    """Run a module of the program; return what it printed."""
    env = {
        **os.environ,
        "PYTHONPATH": str(program),
        "NETPLAY_HOME": str(program / "home"),
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
    }
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=program, env=env, capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def test_it_touches_one_file_that_is_not_its_own(program: Path) -> None:
    touched: list[Path] = []
    for name in ("rules", "netplay", "client"):
        for path in (program / name).rglob("*.py"):
            within = path.relative_to(program)
            if path.stem == GAME:
                assert (ROOT / "tests/sixth_game" / within).is_file()
            elif not filecmp.cmp(path, ROOT / within, shallow=False):
                touched.append(within)
    assert touched == [LISTS]
    old = (ROOT / LISTS).read_text("utf-8").splitlines(keepends=True)
    new = (program / LISTS).read_text("utf-8").splitlines(keepends=True)
    assert [line for line in new if line not in old] == [LINE]
    assert len(new) == len(old) + 1


def test_two_nodes_play_it_over_tls_to_a_clean_audit(program: Path) -> None:
    words = ("demo", GAME, "--seed", "3", "--option", "misere=on", "--json")
    told = json.loads(run(program, "netplay", *words))
    assert (told["game"], told["nodes"]) == (GAME, 2)
    assert (told["equal"], told["audit"]) == (True, "ok")
    found = json.loads(run(program, "netplay", "verify", told["match"], "--json"))
    assert (found["verdict"], found["game"]) == ("good", GAME)
    assert found["moves"] == told["moves"] >= 5
    shown = run(program, "netplay", "show", told["match"])
    assert "a b c" in shown
    moves = run(program, "netplay", "show", told["match"], "--moves")
    assert moves.count(" marks ") == told["moves"]
    picture = program / "end.png"
    run(program, "netplay", "picture", told["match"], str(picture))
    assert picture.stat().st_size > 1000


def test_it_is_drawn_and_played_in_the_window(program: Path) -> None:
    told = run(program, "pytest", "-q", "tests/sixth_game/in_the_window.py")
    assert "1 passed" in told


def test_it_holds_to_what_every_game_must(program: Path) -> None:
    tests = "tests/rules/test_contract.py", "tests/test_games_apart.py"
    told = run(program, "pytest", "-q", *tests, "-k", GAME)
    assert "passed" in told
    assert int(run(program, "netplay", "perft", GAME, "5")) == 9 * 8 * 7 * 6 * 5


def test_its_computer_player_is_better_than_chance(program: Path) -> None:
    words = ("arena", GAME, "100", "random", "--games", "20", "--json")
    told = json.loads(run(program, "netplay", *words).splitlines()[-1])
    assert told["b_wins"] == 0 < told["a_wins"]
