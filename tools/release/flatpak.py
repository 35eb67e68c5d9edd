"""Makes what flatpak-builder needs: a manifest, and beside it all that it installs.

The runtime brings Python, the folder `wheels` the program and its packages in the
versions of constraints.txt, each with its digest: the build needs no network.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tools.release import about

RUNTIME: Final = "24.08"
"""Of freedesktop.org's, which has the Python below."""
PYTHON: Final = "3.12"
PLATFORMS: Final = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "linux_x86_64")
RIGHTS: Final = (
    "--share=network",  # friends
    "--share=ipc",  # X11's shared memory
    "--socket=wayland",
    "--socket=fallback-x11",
    "--socket=pulseaudio",
    "--device=dri",
    "--talk-name=org.freedesktop.Notifications",  # it is your turn
)
"""No folder of the user's: home and matches are in the one that Flatpak gives."""

COMMANDS: Final = (
    'pip3 install --no-index --no-deps --prefix="$FLATPAK_DEST" wheels/*.whl',
    'cp -r desktop/share "$FLATPAK_DEST"',
)


def build(out: Path, python: Path, environment: Mapping[str, str]) -> Path:
    """Write manifest, wheels and what desktops are to know; return the manifest.

    Args:
        out: The folder, which is emptied first.
        python: Of an environment with what the program needs, and `build`.
        environment: In which nothing depends on the hour.
    """
    shutil.rmtree(out, ignore_errors=True)
    wheels = out / "wheels"
    wheels.mkdir(parents=True)
    ours = ["-m", "build", "--no-isolation", "--wheel", "--outdir", str(wheels)]
    pins = ["-c", str(about.ROOT / "constraints.txt")]
    theirs = [
        "-m",
        "pip",
        "download",
        "-q",
        "--only-binary=:all:",
        "--dest",
        str(wheels),
    ]
    theirs += [f"--python-version={PYTHON}", "--implementation=cp", "--abi=abi3"]
    theirs += [f"--abi=cp{PYTHON.replace('.', '')}", "--abi=none", *pins]
    theirs += [f"--platform={each}" for each in PLATFORMS]
    share = ["-m", "tools.release.share", str(out / "desktop")]
    for words in ([*ours, str(about.ROOT)], [*theirs, *about.NEEDS], share):
        done = subprocess.run(
            [str(python), *words],
            cwd=about.ROOT,
            env=dict(environment),
            check=False,
            stdout=subprocess.DEVNULL,
        )
        if done.returncode:
            sys.exit(done.returncode)
    place = out / f"{about.ID}.json"
    text = json.dumps(manifest(sorted(wheels.iterdir())), indent=2)
    place.write_text(f"{text}\n", "utf-8")
    return place


def manifest(wheels: list[Path]) -> dict[str, Any]:
    """Return the manifest, as flatpak-manifest(5) has it.

    Args:
        wheels: Of the program and all packages that it needs.
    """
    sources: list[dict[str, Any]] = [
        {
            "type": "file",
            "path": f"wheels/{wheel.name}",
            "sha256": sha256(wheel.read_bytes()).hexdigest(),
            "dest": "wheels",
        }
        for wheel in wheels
    ]
    sources.append({"type": "dir", "path": "desktop", "dest": "desktop"})
    return {
        "id": about.ID,
        "runtime": "org.freedesktop.Platform",
        "runtime-version": RUNTIME,
        "sdk": "org.freedesktop.Sdk",
        "command": about.COMMAND,
        "finish-args": list(RIGHTS),
        "modules": [
            {
                "name": about.COMMAND,
                "buildsystem": "simple",
                "build-options": {"strip": False},
                "only-arches": ["x86_64"],
                "build-commands": list(COMMANDS),
                "sources": sources,
            }
        ],
    }
