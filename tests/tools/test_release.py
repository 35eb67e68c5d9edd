"""Packages as somebody would use them who has no Python."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_BYTES = 60 << 20


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
def test_the_folder_plays_offline_from_a_path_with_spaces_and_umlauts(
    tmp_path: Path,
) -> None:
    out = tmp_path / "Spiele für Jörg"
    build("folder", out)
    program = out / "netplay" / "netplay"
    script = 'ip link set lo up && exec "$0" --home "$1" demo'
    words = ["unshare", "-rn", "sh", "-c", script, str(program), str(tmp_path / "home")]

    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"},
    )

    assert "audit: ok" in done.stdout.splitlines(), done.stderr
    assert done.returncode == 0
    assert sum(map(len, files(out).values())) <= MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "folder"])
def test_two_builds_are_the_same_bytes(kind: str, tmp_path: Path) -> None:
    build(kind, tmp_path / "one")
    build(kind, tmp_path / "two")

    first = files(tmp_path / "one")
    assert first
    assert files(tmp_path / "two") == first
