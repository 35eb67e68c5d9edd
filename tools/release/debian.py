"""Makes the Debian package of a folder that PyInstaller has made.

The program lies in /usr/lib/netplay with a Python of its own; what else Debian wants
(control, changelog, copyright) is written here from what the sources say.  It needs
dpkg-dev.
"""

import gzip
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Mapping
from email.utils import formatdate
from pathlib import Path
from time import gmtime
from typing import Final

from tools.release import about
from tools.release.notices import FILE as NOTICES

DEPENDS: Final = ("libx11-6", "libxext6")
"""Without these SDL shows no window; dpkg's tools find what is linked."""

RECOMMENDS: Final = (
    "libasound2 | libasound2t64",
    "libegl1",
    "libpulse0",
    "libwayland-client0",
    "libwayland-cursor0",
    "libwayland-egl1",
    "libxcursor1",
    "libxfixes3",
    "libxi6",
    "libxkbcommon0",
    "libxrandr2",
    "libxss1",
)
"""Opened by SDL if they are there: sound, Wayland, pointers and screens."""

OVERRIDES: Final = """\
# The program brings Python and its libraries along, so that it plays with friends of
# every system in the same versions; THIRD-PARTY-NOTICES.txt names them all.
netplay: embedded-library *
# The wheels' libraries find each other beside themselves.
netplay: custom-library-search-path *
# Small modules that call nothing but Python.
netplay: library-not-linked-against-libc *
netplay: shared-library-lacks-prerequisites *
"""


def build(
    folder: Path, out: Path, python: Path, environment: Mapping[str, str]
) -> Path:
    """Make the package.

    Args:
        folder: The program, as PyInstaller has made it.
        out: Where the package goes.
        python: Of an environment with what the program needs.
        environment: In which nothing depends on the hour.

    Returns:
        The package.
    """
    for tool in ("dpkg-deb", "dpkg-shlibdeps"):
        if not shutil.which(tool):
            sys.exit(f"tools.release: needs {tool} (Debian's dpkg-dev)")
    stage = folder.parent / "debian"
    shutil.rmtree(stage, ignore_errors=True)
    home = stage / "usr" / "lib" / about.COMMAND
    shutil.copytree(folder, home, symlinks=True)
    (stage / "usr" / "bin").mkdir()
    (stage / "usr" / "bin" / about.COMMAND).symlink_to(
        f"../lib/{about.COMMAND}/{about.COMMAND}"
    )
    words = [str(python), "-m", "tools.release.share", str(stage / "usr")]
    subprocess.run(
        words,
        cwd=about.ROOT,
        env=dict(environment),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    _documents(stage, home, int(environment["SOURCE_DATE_EPOCH"]))
    _modes(stage)
    control = _control(stage, home)
    (stage / "DEBIAN").mkdir()
    (stage / "DEBIAN" / "control").write_text(control, "utf-8")
    _sums(stage)
    package = out / f"{about.COMMAND}_{_version()}_{_architecture()}.deb"
    words = [
        "dpkg-deb",
        "--root-owner-group",
        "-Zxz",
        "--build",
        str(stage),
        str(package),
    ]
    subprocess.run(words, env=dict(environment), check=True, stdout=subprocess.DEVNULL)
    return package


def _documents(stage: Path, home: Path, when: int) -> None:
    """Lay down what Debian wants to read."""
    folder = stage / "usr" / "share" / "doc" / about.COMMAND
    folder.mkdir(parents=True)
    notices = next(home.rglob(NOTICES))
    _pack(folder / f"{NOTICES}.gz", notices.read_text("utf-8"))
    rows = "\n".join(
        textwrap.fill(row, 76, initial_indent="  * ", subsequent_indent="    ")
        for row in about.rows()
    )
    top = f"{about.COMMAND} ({_version()}) unstable; urgency=medium"
    end = f" -- {about.MAINTAINER}  {formatdate(when)}"
    _pack(folder / "changelog.gz", f"{top}\n\n{rows}\n\n{end}\n")
    shutil.copy(about.ROOT / "docs" / "programs.md", folder / "programs.md")
    (folder / "copyright").write_text(_copyright(when), "utf-8")
    overrides = stage / "usr" / "share" / "lintian" / "overrides" / about.COMMAND
    overrides.parent.mkdir(parents=True)
    overrides.write_text(OVERRIDES, "utf-8")


def _copyright(when: int) -> str:
    """Return the licence in Debian's form, and where all the others are."""
    holder = about.MAINTAINER.partition(" <")[0]
    year = gmtime(when).tm_year
    lines = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
        f"Upstream-Name: {about.NAME}",
        "Comment: What it is shipped with, word lists and fonts among it, and the",
        f" licences in full are in {NOTICES}.gz beside this file.",
        "",
        "Files: *",
        f"Copyright: {year} {holder}",
        f"License: {about.LICENCE}",
        " On Debian systems the text of the Apache License, version 2.0, is in",
        " /usr/share/common-licenses/Apache-2.0.",
    )
    return "\n".join([*lines, ""])


def _pack(place: Path, text: str) -> None:
    """Write a text as Debian wants long ones, without the hour."""
    place.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _modes(stage: Path) -> None:
    """Let everybody read all, and run only what is a program."""
    for path in (stage, *stage.rglob("*")):
        if path.is_symlink():
            continue
        program = path.parts[-3:] == ("lib", about.COMMAND, about.COMMAND)
        runs = program or path.is_dir()
        path.chmod(0o755 if runs else 0o644)


def _control(stage: Path, home: Path) -> str:
    """Return what Debian is to know of the package."""
    files = [
        path for path in stage.rglob("*") if path.is_file() and not path.is_symlink()
    ]
    size = sum(-(-path.stat().st_size // 1024) for path in files)
    needs = ", ".join(sorted([*_linked(stage, home), *DEPENDS]))
    lines = (
        f"Package: {about.COMMAND}",
        f"Version: {_version()}",
        f"Architecture: {_architecture()}",
        f"Maintainer: {about.MAINTAINER}",
        f"Installed-Size: {size}",
        f"Depends: {needs}",
        f"Recommends: {', '.join(RECOMMENDS)}",
        "Suggests: bash-completion, xdg-utils",
        "Section: net",  # games would have to lie in /usr/games, off many a path
        "Priority: optional",
        *((f"Homepage: {about.HOMEPAGE}",) if about.HOMEPAGE else ()),
        # Debian wants no article and no capital at the beginning.
        f"Description: {about.DESCRIPTION[0].lower()}{about.DESCRIPTION[1:]}",
        *textwrap.wrap(
            "There is no server and no account: one player opens a table, the others "
            "call. Every move is signed, and nobody can look into the bag. Computer "
            "players take any seat. A node may run all the time: systemctl --user "
            "enable --now netplay",
            78, initial_indent=" ", subsequent_indent=" ",
        ),
    )  # fmt: skip
    return "\n".join([*lines, ""])


def _linked(stage: Path, home: Path) -> list[str]:
    """Return what has to be installed for the libraries that are not bundled."""
    scratch = stage.parent / "shlibdeps"
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "debian").mkdir(parents=True)
    (scratch / "debian" / "control").write_text(
        f"Source: {about.COMMAND}\n\nPackage: {about.COMMAND}\nArchitecture: any\n",
        "utf-8",
    )
    native = [
        path
        for path in sorted(home.rglob("*"))
        if path.is_file()
        and not path.is_symlink()
        and path.read_bytes()[:4] == b"\x7fELF"
    ]
    words = ["dpkg-shlibdeps", "-O", "--ignore-missing-info"]
    words += [f"-l{folder}" for folder in sorted({path.parent for path in native})]
    words += [f"-x{package}" for package in _bundled(native)]
    told = subprocess.run(
        [*words, *(f"-e{path}" for path in native)],
        cwd=scratch, check=True, capture_output=True, text=True,
    )  # fmt: skip
    found = re.search(r"shlibs:Depends=(.*)", told.stdout)
    return found[1].split(", ") if found else []


def _bundled(native: Iterable[Path]) -> set[str]:
    """Return the packages of Debian's whose libraries come along with ours."""
    names = [f"*/{path.name}" for path in native if path.name.startswith("lib")]
    words = ["dpkg-query", "-S", *names]
    told = subprocess.run(words, check=False, capture_output=True, text=True)
    return {line.partition(":")[0] for line in told.stdout.splitlines()}


def _sums(stage: Path) -> None:
    """Write down the sums by which an installed package can be checked."""
    words = (
        "find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums"
    )
    subprocess.run(["sh", "-c", words], cwd=stage, check=True)


def _version() -> str:
    """Return the version as Debian counts: what comes before a release has a tilde."""
    return re.sub(r"[.-]?((a|b|rc|dev)\d+)", r"~\1", about.version())


def _architecture() -> str:
    words = ["dpkg", "--print-architecture"]
    told = subprocess.run(words, check=True, capture_output=True, text=True)
    return told.stdout.strip()
