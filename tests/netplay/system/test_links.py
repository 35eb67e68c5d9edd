"""Clicked `netplay:` lines: told to the system, taken back, and shown in the window."""

import argparse
import os
import plistlib
import re
import shlex
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.__main__ import WRONG_WORD, main
from netplay.commands import window
from netplay.errors import LocalError
from netplay.peering.invitation import clicked
from netplay.sentences import Says
from netplay.system.links import KEY, WindowsHandler, handler, opener, quoted
from tests.said import like, says

LINE = "netplay:192.168.0.12:4770#ABCD-EFGH-IJKL-MNOP-QRST"


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A desktop whose programs write down what they are told."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("xdg-mime", "update-desktop-database"):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/told\n')
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path / "home of anna"))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


def test_lines_are_opened_after_install_and_not_after_remove(
    desktop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["link", "install"]) == 0
    file = desktop / "data" / "applications" / "netplay.desktop"
    text = file.read_text()
    assert "MimeType=x-scheme-handler/netplay;" in text
    (run,) = re.findall(r"^Exec=(.*) %u$", text, re.MULTILINE)
    assert words_of(run) == [*opener(str(desktop / "home of anna"))]
    told = [each.split() for each in (desktop / "told").read_text().splitlines()]
    command = ["xdg-mime", "default", "netplay.desktop", "x-scheme-handler/netplay"]
    assert command in told
    assert says(capsys.readouterr().out, Says.LINKS_OPENED)
    assert main(["link", "remove"]) == 0
    assert not file.exists()
    assert says(capsys.readouterr().out, Says.LINKS_REMOVED)
    assert main(["link", "remove"]) == 0
    assert says(capsys.readouterr().out, Says.LINKS_NOT_OPENED)


def test_a_folder_that_refuses_is_a_sentence(
    desktop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (desktop / "data").write_text("no folder")
    assert main(["link", "install"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def words_of(run: str) -> list[str]:
    """Return the words of an Exec line, as the specification has them read."""
    plain = run.replace("\\\\", "\\")
    found = re.findall(r'"((?:[^"\\]|\\.)*)"', plain)
    return [re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word in found]


@given(
    st.lists(
        st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1),
        min_size=1,
    )
)
def test_any_path_survives_a_desktop_file(words: list[str]) -> None:
    assert words_of(" ".join(map(quoted, words))) == words


class Registry:
    """What `winreg` does, for the user's own part."""

    HKEY_CURRENT_USER = "user"
    REG_SZ = 1

    def __init__(self) -> None:
        self.keys: dict[str, dict[str, str]] = {}

    @contextmanager
    def _opened(self, key: str) -> Any:
        yield self.keys.setdefault(key, {})

    def CreateKey(self, _root: str, key: str) -> Any:  # noqa: N802 (as winreg has it)
        parts = key.split("\\")
        for n in range(2, len(parts)):
            self.keys.setdefault("\\".join(parts[:n]), {})
        return self._opened(key)

    def OpenKey(self, _root: str, key: str) -> Any:  # noqa: N802 (as winreg has it)
        if key not in self.keys:
            raise FileNotFoundError(key)
        return self._opened(key)

    def SetValueEx(  # noqa: N802 (as winreg has it)
        self, opened: dict[str, str], name: str, _zero: int, _kind: int, value: str
    ) -> None:
        opened[name] = value

    def DeleteKey(self, _root: str, key: str) -> None:  # noqa: N802 (as winreg has it)
        if key not in self.keys:
            raise FileNotFoundError(key)
        assert not any(other.startswith(key + "\\") for other in self.keys)
        del self.keys[key]


def test_windows_is_told_in_the_registry_of_the_user() -> None:
    registry = Registry()
    found = WindowsHandler(registry)
    assert not found.installed
    found.install(("C:\\Program Files\\python.exe", "-m", "netplay", "--open"))
    assert registry.keys[KEY] == {"": "URL:Netplay", "URL Protocol": ""}
    assert registry.keys[KEY + r"\shell\open\command"][""] == (
        '"C:\\Program Files\\python.exe" -m netplay --open "%1"'
    )
    assert found.installed
    assert found.remove().code == "LINKS_REMOVED"
    assert not any(key.startswith(KEY) for key in registry.keys)
    assert found.remove().code == "LINKS_NOT_OPENED"


@pytest.fixture
def mac(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home on a Mac: a compiler that makes what the real one makes, as files."""
    tools = tmp_path / "bin"
    tools.mkdir()
    made = {"CFBundleExecutable": "applet", "CFBundleIdentifier": "com.apple.applet"}
    (tmp_path / "made.plist").write_bytes(plistlib.dumps(made))
    compiler = tools / "osacompile"
    compiler.write_text(
        f'#!/bin/sh\nmkdir -p "$2/Contents"\n'
        f'cp "{tmp_path}/made.plist" "$2/Contents/Info.plist"\n'
        f'printf %s "$4" > "{tmp_path}/script"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return tmp_path


def test_on_macos_an_application_is_made_that_hands_lines_on(mac: Path) -> None:
    found = handler("darwin", {})
    assert not found.installed
    words = ["/a b/python", "-m", "netplay", "--home", 'x"\\$', "--open"]
    for _again in range(2):
        told = found.install(
            ("/a b/python", "-m", "netplay", "--home", 'x"\\$', "--open")
        )
        assert told.code == "LINKS_OPENED"
    assert found.installed
    bundle = mac / "Applications" / "Netplay Links.app"
    about = plistlib.loads((bundle / "Contents" / "Info.plist").read_bytes())
    assert about["CFBundleURLTypes"][0]["CFBundleURLSchemes"] == ["netplay"]
    assert about["CFBundleExecutable"] == "applet", "what the compiler says, stays"
    (run,) = re.findall(
        r'^do shell script "(.*) " & quoted form of clicked & " >/dev/null 2>&1 &"$',
        (mac / "script").read_text(), re.MULTILINE,
    )  # fmt: skip
    assert shlex.split(re.sub(r"\\(.)", r"\1", run)) == words
    assert found.remove().code == "LINKS_REMOVED"
    assert not bundle.exists()
    assert found.remove().code == "LINKS_NOT_OPENED"


def test_another_application_of_the_name_is_left_alone(mac: Path) -> None:
    other = mac / "Applications" / "Netplay Links.app" / "Contents"
    other.mkdir(parents=True)
    (other / "Info.plist").write_text("no list")
    assert handler("darwin", {}).remove().code == "LINKS_NOT_OPENED"
    assert other.exists()


def test_a_mac_that_makes_no_application_is_a_sentence(
    mac: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mac / "bin" / "osacompile").write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(LocalError, match=like(Says.LINKS_NO_TOOL)):
        handler("darwin", {}).install(("x",))


def test_a_line_from_a_page_brings_nothing_but_the_invitation() -> None:
    assert clicked(LINE) == LINE
    assert clicked(f"{LINE}%20Bert%0A") == LINE
    assert clicked("NETPLAY://%5Bfd00::1%5D:7#abcdefghijklmnopqrst") == (
        "netplay:[fd00::1]:7#ABCD-EFGH-IJKL-MNOP-QRST"
    )
    for bad in ("", "%20", "netplay:a%1b#x", "netplay:a<b#ABCD-EFGH-IJKL-MNOP-QRST"):
        with pytest.raises(LocalError):
            clicked(bad)


def test_a_home_is_named_so_that_it_is_found_from_everywhere(
    desktop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desktop)
    assert main(["--home", "here", "link", "install"]) == 0
    text = (desktop / "data" / "applications" / "netplay.desktop").read_text()
    assert f'"--home" "{desktop}/here"' in text


def test_the_window_is_given_the_line_and_nothing_else_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[Sequence[str]] = []

    def start(words: Sequence[str], _log: object = None) -> object:
        started.append(words)
        return SimpleNamespace(wait=lambda: 0)  # closed at once

    monkeypatch.setattr(window, "start", start)
    monkeypatch.setattr(window, "has_display", lambda *_: True)
    monkeypatch.setattr(window, "runs", lambda _home: True)
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path))
    parser = argparse.ArgumentParser()
    window.add(parser)
    given = parser.parse_args(["--open", LINE])
    assert window.run(given) == 0
    assert f"--open={LINE}" in started[0]
    assert window.run(parser.parse_args(["--open"])) == 0  # from a menu
    assert not [word for word in started[1] if word.startswith("--open")]
    assert main(["--open", "netplay:nothing"]) == WRONG_WORD
    assert "invitation" in capsys.readouterr().err
    assert main(["--open", "http://example.org"]) == WRONG_WORD
