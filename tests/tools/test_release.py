"""Packages as somebody would use them who has no Python."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

from netplay.__main__ import main
from netplay.commands import COMMANDS
from tools.release.manual import pages

ROOT = Path(__file__).parents[2]
MOST_BYTES = 60_000_000
SLOWER = 1.5

NOTIFY = """
from desktop_notifier.sync import DesktopNotifierSync
DesktopNotifierSync("Netplay")
import dbus_fast.aio, dbus_fast.message_bus
print("ready")
"""
"""What tells a desktop of a turn, as far as that goes where there is none."""

UPDATED = """
import os, sys
os.replace(sys.argv[1], sys.executable)
assert "urllib.request" not in sys.modules
import urllib.request
print("ready")
"""
"""What imports late, when another program already lies in the place of its own."""


def build(kind: str, out: Path) -> None:
    words = [sys.executable, "-m", "tools.release", kind, "--out", str(out)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=600)


def files(folder: Path) -> dict[str, bytes]:
    """Return what is in a folder and below."""
    every = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in every}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs network namespaces")
@pytest.mark.skipif(not shutil.which("unshare"), reason="needs unshare")
@pytest.mark.parametrize(
    ("kind", "name"), [("folder", "netplay/netplay"), ("one-file", "netplay")]
)
def test_a_program_plays_offline_from_a_path_with_spaces_and_umlauts(
    kind: str, name: str, tmp_path: Path
) -> None:
    out = tmp_path / "Spiele für Jörg"
    build(kind, out)
    program = out / name
    script = 'ip link set lo up && exec "$0" --home "$1" demo'
    words = ["unshare", "-rn", "sh", "-c", script, str(program), str(tmp_path / "home")]

    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"},
    )

    assert "audit: ok" in done.stdout.splitlines(), done.stderr
    assert done.returncode == 0
    notify = tmp_path / "notify.py"
    notify.write_text(NOTIFY, "utf-8")
    told = subprocess.run(
        [program, "-I", notify], capture_output=True, text=True, check=False
    )
    assert told.stdout == "ready\n", told.stderr
    kept = (path for path in out.rglob("*") if not path.is_symlink())
    assert sum(path.stat().st_size for path in kept if path.is_file()) <= MOST_BYTES
    late, newer = tmp_path / "late.py", tmp_path / "newer"
    late.write_text(UPDATED, "utf-8")
    newer.write_bytes(bytes(2 * program.stat().st_size))
    told = subprocess.run(
        [program, "-I", late, newer], capture_output=True, text=True, check=False
    )
    assert told.stdout == "ready\n", told.stderr


def seconds(ways: list[list[str]], home: Path) -> list[float]:
    """Return how long a command takes that asks for a node and finds none.

    The ways to start it take turns, and the best of each counts: what else the computer
    does is not ours.
    """
    took: list[list[float]] = [[] for _way in ways]
    for _again in range(9):
        for words, times in zip(ways, took, strict=True):
            began = perf_counter()
            done = subprocess.run(
                [*words, "--home", home, "status"], check=False, capture_output=True
            )
            times.append(perf_counter() - began)
            assert b"no node is running" in done.stderr
    return [min(times) for times in took]


def works(command: str) -> bool:
    """Tell whether a command is there and is no stand-in for what is not installed."""
    if not shutil.which(command):
        return False
    done = subprocess.run([command, "--version"], check=False, capture_output=True)
    return done.returncode == 0


@pytest.mark.slow
def test_the_folder_starts_nearly_as_fast_as_what_pip_installs(tmp_path: Path) -> None:
    build("folder", tmp_path)
    ways = [[str(tmp_path / "netplay" / "netplay")], [sys.executable, "-m", "netplay"]]
    folder, plain = seconds(ways, tmp_path / "home")
    assert folder <= SLOWER * plain


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        "wheel",
        "folder",
        pytest.param(
            "debian",
            marks=pytest.mark.skipif(
                not shutil.which("dpkg-shlibdeps"), reason="needs dpkg-dev"
            ),
        ),
    ],
)
def test_two_builds_are_the_same_bytes(kind: str, tmp_path: Path) -> None:
    build(kind, tmp_path / "one")
    build(kind, tmp_path / "two")

    first = files(tmp_path / "one")
    assert first
    assert files(tmp_path / "two") == first


@pytest.mark.slow
def test_of_two_builds_begun_at_once_one_waits_for_the_other(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tools.release", "wheel", "--out"]
    both = [
        subprocess.Popen([*words, str(tmp_path / name)], cwd=ROOT)
        for name in ("one", "two")
    ]
    assert [one.wait() for one in both] == [0, 0]
    assert files(tmp_path / "two") == files(tmp_path / "one")


@pytest.mark.slow
@pytest.mark.skipif(not works("python3.12"), reason="needs Python 3.12")
def test_what_flatpak_builder_installs_plays_a_match(tmp_path: Path) -> None:
    build("flatpak", tmp_path)
    (place,) = (tmp_path / "flatpak").glob("*.json")
    manifest = json.loads(place.read_bytes())
    if shutil.which("flatpak-builder"):
        words = ["flatpak-builder", "--show-manifest", str(place)]
        read = subprocess.run(
            words, capture_output=True, text=True, check=True, cwd=tmp_path
        )
        assert read.stderr == ""  # of words that it does not know
        assert json.loads(read.stdout)["id"] == manifest["id"] == place.stem
    app = tmp_path / "app"
    python = Path(shutil.which("python3.12") or "").parent
    env = {"PATH": f"{python}:/usr/bin:/bin", "FLATPAK_DEST": str(app)}
    (module,) = manifest["modules"]
    for command in module["build-commands"]:  # no network: what is missing would fail
        subprocess.run(command, shell=True, cwd=place.parent, env=env, check=True)
    assert all((place.parent / one["path"]).exists() for one in module["sources"])

    done = subprocess.run(
        [
            app / "bin" / manifest["command"],
            "--home",
            tmp_path / "home",
            "demo",
            "numlo",
        ],
        env={**env, "PYTHONPATH": str(app / "lib/python3.12/site-packages")},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )

    assert "audit: ok" in done.stdout.splitlines(), done.stderr
    assert (app / "share/applications" / f"{manifest['id']}.desktop").exists()


@pytest.fixture(scope="module")
def manual() -> dict[str, str]:
    return pages("2026-01-02")


def read(page: str) -> str:
    """Return a page as people read it, on one line."""
    words = ["man", "--warnings=w", "-l", "-E", "UTF-8", "-"]
    shown = subprocess.run(
        words,
        input=page,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "2000"},
    )
    assert shown.stderr == ""
    return " ".join(re.sub(r".\x08", "", shown.stdout).split())


@pytest.mark.skipif(not shutil.which("man"), reason="needs man")
@pytest.mark.parametrize("name", ["play", "words", "node", "verify", "host"])
def test_a_manual_page_tells_what_help_tells(
    name: str, manual: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    helped = capsys.readouterr().out

    page = read(manual[f"netplay-{name}.1"])

    assert page.startswith(f"NETPLAY-{name.upper()}(1)")
    options = set(re.findall(r"--[a-z-]+", helped))
    assert len(options) > 1
    assert [each for each in options if each not in page] == []
    text = " ".join(helped.split("\n\n")[1].split())
    assert text in page


@pytest.mark.skipif(not shutil.which("man"), reason="needs man")
def test_the_first_manual_page_leads_to_all_others(manual: dict[str, str]) -> None:
    page = read(manual["netplay.1"])

    assert set(manual) == {"netplay.1", *(f"netplay-{name}.1" for name in COMMANDS)}
    assert [name for name in COMMANDS if f"netplay-{name}(1)" not in page] == []
    assert all(option in page for option in ("--open", "--home", "NETPLAY_HOME"))


@pytest.mark.skipif(not shutil.which("man"), reason="needs man")
def test_verbs_of_a_command_are_told_with_what_they_take(
    manual: dict[str, str],
) -> None:
    page = read(manual["netplay-words.1"])

    usage = "netplay words look [-h] [--edition NAME] [--list LIST] [--json] WORD"
    assert usage in page
    assert "has the list a word, why not, which lists have it?" in page
