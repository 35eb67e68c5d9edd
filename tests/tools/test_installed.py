"""The Debian package where it has to work: in a fresh Debian without Python."""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from typing_extensions import override

from netplay.record.verify import verify
from tests.client import playing
from tests.client.test_window import Screen, desktop
from tests.patience import PATIENCE
from tests.system import namespaces

ROOT: Final = Path(__file__).parents[2]
TOOLS: Final = ("mmdebstrap", "lintian", "dpkg-deb", "Xvfb", "xdotool", "openbox", "ip")
MISSING: Final = [tool for tool in TOOLS if not shutil.which(tool)]
PLAIN: Final = ("xdg-utils", "desktop-file-utils")
"""Of a desktop, what opens a line that was clicked."""

LINE: Final = "netplay:192.0.2.7:4770#ABCD-EFGH-IJKL-MNOP-QRST"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="for Debian"),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
    pytest.mark.skipif(bool(namespaces.missing()), reason=namespaces.missing()),
]


class Fresh:
    """A Debian in a folder, with a player who has just been given an account."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home" / "anna"
        self.before: set[str] = set()
        """What was there before the package."""

    def words(self, *words: str, user: str = "anna", **env: str) -> list[str]:
        """Return what runs a command in there."""
        where = {"HOME": f"/home/{user}", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        if user == "root":
            where |= {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        # In a view of folders of its own, which ends with the command.
        script = (
            'mount -t proc proc "$0/proc" && mkdir -p -m 1777 {0} "$0/{0}" && '
            'mount --bind {0} "$0/{0}" && exec "$@"'
        ).format("/tmp/.X11-unix")
        inside = ["chroot", f"--userspec={user}", str(self.folder), "env", "-i"]
        inside += [f"{name}={value}" for name, value in {**where, **env}.items()]
        return ["unshare", "-m", "sh", "-c", script, str(self.folder), *inside, *words]

    def run(self, *words: str, user: str = "anna") -> str:
        """Run a command in there; return what it prints."""
        done = subprocess.run(
            self.words(*words, user=user),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def names(self) -> set[str]:
        """Return everything in there, but for players' homes and what apt notes."""
        beside = ("proc", "home", "tmp", "var/lib/dpkg", "var/log", "var/cache")
        found: set[str] = set()
        for top, folders, files in os.walk(self.folder):
            here = Path(top).relative_to(self.folder)
            folders[:] = [one for one in folders if str(here / one) not in beside]
            found |= {str(here / name) for name in (*folders, *files)}
        return found


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("package")
    words = [sys.executable, "-m", "tools.release", "debian", "--out", str(out)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=900)
    (made,) = out.glob("*.deb")
    return made


@pytest.fixture(scope="module")
def fresh(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fresh]:
    place = tmp_path_factory.mktemp("debian") / "root"
    told = subprocess.run(
        ["dpkg-deb", "-f", str(package), "Depends"],
        check=True,
        capture_output=True,
        text=True,
    )
    needs = [one.split(" ")[0] for one in told.stdout.strip().split(", ")]
    words = ["mmdebstrap", "--quiet", "--variant=minbase"]
    words += [f"--include={','.join((*needs, *PLAIN))}", "bookworm", str(place)]
    sources = Path("/etc/apt/sources.list.d/debian.sources")
    subprocess.run([*words, *([str(sources)] if sources.exists() else [])], check=True)
    system = Fresh(place)
    system.run("useradd", "--create-home", "anna", user="root")
    shutil.copy(package, place / "tmp" / "netplay.deb")
    system.before = system.names()
    try:
        yield system
    finally:
        shutil.rmtree(place)


@pytest.fixture
def installed(fresh: Fresh) -> Iterator[Fresh]:
    """Give a system with the package, and a network with nobody else in it."""
    fresh.run("dpkg", "-i", "/tmp/netplay.deb", user="root")
    with namespaces.loopback_alone():
        yield fresh


class AtHome(playing.Table):
    """A player who starts the window as a desktop does, in a fresh Debian."""

    def __init__(self, system: Fresh, env: dict[str, str]) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        self.env, self.system, self.name = env, system, "Anna"
        shown = {name: env[name] for name in ("DISPLAY", "SDL_AUDIODRIVER")}
        self.window = self.launch(
            system.words("netplay", "--debug-port", "0", **shown),
            stdout=subprocess.PIPE,
        )
        assert self.window.stdout is not None
        self.port = int(self.window.stdout.readline().split()[2])
        self.id = self.until(lambda: self.quietly("search", "--class", "netplay"))
        self.id = self.id.split()[-1]

    @override
    def command(self, *words: str) -> str:
        return self.system.run("netplay", *words)


class Display(Screen):
    """An X display with a window manager, and nothing else."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        self.env = desktop(self.processes, "1600x1000", "-ac")


@pytest.fixture
def display() -> Iterator[dict[str, str]]:
    shown = Display()
    try:
        yield shown.env
    finally:
        shown.close()


def test_lintian_finds_no_error(package: Path) -> None:
    words = ["lintian", "--allow-root", "--fail-on", "error", str(package)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_whole_match_is_played_and_audited_without_python(installed: Fresh) -> None:
    assert not list(installed.folder.glob("usr/bin/python*"))

    said = installed.run("netplay", "demo", "numlo")

    assert "audit: ok" in said.splitlines()


def test_everything_that_was_installed_works_where_it_lies(installed: Fresh) -> None:
    usr = installed.folder / "usr"
    (entry,) = usr.glob("share/applications/*.desktop")
    subprocess.run(["desktop-file-validate", str(entry)], check=True)
    (about,) = usr.glob("share/metainfo/*.xml")
    words = ["appstreamcli", "validate", "--no-net", str(about)]
    assert subprocess.run(words, check=False, capture_output=True).returncode == 0
    service = usr / "lib/systemd/user/netplay.service"
    assert "ExecStart=/usr/bin/netplay node\n" in service.read_text()
    asked = (
        "source /usr/share/bash-completion/completions/netplay; "
        'COMP_WORDS=(netplay verif); COMP_CWORD=1; _shtab_netplay; echo "$COMPREPLY"'
    )
    assert installed.run("bash", "-c", asked).strip() == "verify"


def test_three_moves_in_the_window_and_a_clicked_line(
    installed: Fresh, display: dict[str, str], tmp_path: Path
) -> None:
    at = AtHome(installed, display)
    try:
        at.named()
        playing.sit(playing.Plan("numlo"), [at])
        plan, rng = playing.Plan("numlo"), random.Random(3)
        while at.made < 3:
            at.until(lambda: playing.turn(plan, at, rng))
        at.shoot(tmp_path, "window")

        clicked = installed.words("xdg-open", LINE, DISPLAY=display["DISPLAY"])
        subprocess.run(clicked, check=False, timeout=PATIENCE)

        at.until(lambda: at.node_named("field.address").get("value") == LINE)
        assert at.ask("window")["page"] == "start"
    finally:
        at.window.send_signal(signal.SIGTERM)
        at.window.communicate(timeout=PATIENCE)
    (kept,) = (installed.home / ".local/share/netplay/matches").glob("*.netplay")
    assert verify(kept.read_bytes()).moves >= 3


def test_removal_leaves_nothing_but_what_the_player_owns(installed: Fresh) -> None:
    installed.run("netplay", "demo", "numlo", "--home", "/home/anna/kept")
    during = installed.names()

    installed.run("dpkg", "--purge", "netplay", user="root")

    after = installed.names()
    assert len(during - after) > 100
    assert sorted(after - installed.before) == []
    assert (installed.home / "kept").is_dir()
