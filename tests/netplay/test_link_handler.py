"""Clicked `netplay:` lines: told to the system, taken back, and shown in the window."""

import argparse
import os
import re
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.__main__ import WRONG_WORD, main
from netplay.commands import window
from netplay.errors import LocalError
from netplay.home import Home
from netplay.link_handler import KEY, WindowsHandler, handler, opener, quoted

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
    told = (desktop / "told").read_text()
    assert "xdg-mime default netplay.desktop x-scheme-handler/netplay" in told
    assert "opened in the window now" in capsys.readouterr().out
    assert main(["link", "remove"]) == 0
    assert not file.exists()
    assert "not opened by this program any more" in capsys.readouterr().out
    assert main(["link", "remove"]) == 0
    assert "were not opened" in capsys.readouterr().out


def test_a_folder_that_refuses_is_a_sentence(
    desktop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (desktop / "data").write_text("no folder")
    assert main(["link", "install"]) == 1
    assert "netplay link:" in capsys.readouterr().err


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
    found.install(("C:\\Program Files\\python.exe", "-m", "netplay", "--open"))
    assert registry.keys[KEY] == {"": "URL:Netplay", "URL Protocol": ""}
    assert registry.keys[KEY + r"\shell\open\command"][""] == (
        '"C:\\Program Files\\python.exe" -m netplay --open "%1"'
    )
    assert found.remove().code == "LINKS_REMOVED"
    assert not any(key.startswith(KEY) for key in registry.keys)
    assert found.remove().code == "LINKS_NOT_OPENED"


def test_on_macos_it_is_said_what_to_do_instead() -> None:
    with pytest.raises(LocalError, match="paste the line"):
        handler("darwin", {})


def test_the_window_is_given_the_line_and_nothing_else_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[Sequence[str]] = []
    monkeypatch.setattr(
        window, "_start", lambda words, _log=None: started.append(words)
    )
    parser = argparse.ArgumentParser()
    window.add(parser)
    given = parser.parse_args(["--open", LINE])
    window._window(Home(tmp_path), given)
    assert f"--open={LINE}" in started[0]
    assert main(["--open", "netplay:nothing"]) == WRONG_WORD
    assert "invitation" in capsys.readouterr().err
    assert main(["--open", "http://example.org"]) == WRONG_WORD
