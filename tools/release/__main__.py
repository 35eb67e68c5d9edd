"""Builds what is released: `python -m tools.release KIND [--out DIR]`.

`wheel` makes the wheel and the source archive, `folder` and `one-file` a program with
its own Python, made by PyInstaller for the system on which this runs, `debian` a
package of the folder, `flatpak` a folder with the manifest for flatpak-builder and all
that it installs.  All are built in an environment of their own under build/release,
with the versions of constraints.txt; two builds of one commit by the same tools are the
same bytes.

`home` makes the home that is kept of this version, which later ones have to take up.
`key` makes the key that signs notices of security releases, and prints its public half,
which netplay/finding/news.py names; `news` signs one with it.  `check` says what a
release still lacks, `notes` what the changelog says of the version.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from netplay.system.disk import lock
from tools.release import check, debian, flatpak, homes, signing
from tools.release.about import NEEDS, ROOT, changes, commit_time, version

WORK: Final = ROOT / "build" / "release"
TOOLS: Final = ("build", "hatchling", "pyinstaller")
KINDS: Final = ("wheel", "folder", "one-file", "debian", "flatpak")
OTHERS: Final = ("home", "check", "notes", "key", "news")


def main() -> None:
    """Build what is named."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release", description=__doc__
    )
    parser.add_argument("kind", metavar="KIND", choices=(*KINDS, *OTHERS))
    parser.add_argument("--key", metavar="FILE", type=Path, help="for key and news")
    parser.add_argument("--note", metavar="FILE", type=Path, help="for news")
    parser.add_argument("--out", metavar="DIR", type=Path, default=WORK / "out")
    parser.add_argument("--tag", metavar="TAG", help="for check: that the release has")
    wishes = parser.parse_args()
    if wishes.kind == "check":
        sys.exit(told(wishes.tag))
    if wishes.kind in {"key", "news"}:
        print(signing.run(wishes.kind, wishes.key, wishes.note))
        return
    if wishes.kind == "home":
        print(homes.make())
        return
    if wishes.kind == "notes":
        print(changes(version()))
        return
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / "lock").open("wb") as held:
        # Builds share one folder: a second one waits until the first is done.
        while True:
            try:
                lock(held.fileno())
                break
            except OSError:
                time.sleep(1)
        build(wishes.kind, wishes.out.resolve())


def build(kind: str, out: Path) -> None:
    """Build one kind of package into a folder."""
    out.mkdir(parents=True, exist_ok=True)
    python = environment()
    if kind == "wheel":
        words = ["-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
        run([str(python), *words], steady())
    elif kind == "debian":
        freeze(python, WORK / "debian", one_file=False)
        debian.build(WORK / "debian" / "netplay", out, python, steady())
    elif kind == "flatpak":
        flatpak.build(out / "flatpak", python, steady())
    else:
        freeze(python, out, one_file=kind == "one-file")
    print(f"{kind}: in {out}")


def told(tag: str | None) -> int:
    """Say what a release lacks; return the exit code."""
    lacks = list(check.missing(tag))
    print("\n".join(lacks) or "nothing is missing")
    return 1 if lacks else 0


def freeze(python: Path, out: Path, *, one_file: bool) -> None:
    """Make a program with its own Python, as a folder or as one file."""
    scratch = WORK / "work"
    shutil.rmtree(scratch, ignore_errors=True)  # nothing of an earlier build
    words = ["-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    words += ["--distpath", str(out), "--workpath", str(scratch)]
    words.append(str(ROOT / "tools" / "release" / "netplay.spec"))
    wish = {"NETPLAY_ONE_FILE": "1" if one_file else "0"}
    run([str(python), *words], {**steady(), **wish})


def environment() -> Path:
    """Return the Python of an environment with what is bundled, and the tools."""
    folder = WORK / "venv"
    python = folder / (
        "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    )
    if not python.exists():
        venv.create(folder, with_pip=True)
    pins = ["-c", str(ROOT / "constraints.txt")]
    run([str(python), "-m", "pip", "install", "-q", *pins, *NEEDS, *TOOLS], os.environ)
    return python


def steady() -> Mapping[str, str]:
    """Return an environment in which nothing depends on the hour or on chance."""
    made = {"SOURCE_DATE_EPOCH": str(commit_time()), "PYTHONHASHSEED": "0"}
    return {**os.environ, **made}


def run(words: list[str], environment: Mapping[str, str]) -> None:
    """Run a tool; end with its code if it fails."""
    done = subprocess.run(words, cwd=ROOT, env=dict(environment), check=False)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
