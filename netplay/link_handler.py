"""What opens `netplay:` lines, invitations, when one is clicked in a browser or letter.

On Linux a desktop file says so, on Windows keys of the user's own registry; on macOS
only what stands in the Info.plist of an application counts, which this program, a
package of Python, does not have.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from netplay.errors import Code, LocalError
from netplay.said import Said
from netplay.sentences import Says

SCHEME: Final = "x-scheme-handler/netplay"
FILE: Final = "netplay.desktop"
KEY: Final = r"Software\Classes\netplay"
"""In the user's own part of the registry of Windows."""

TOOL_SECONDS: Final = 10.0


class LinuxHandler:
    """A desktop file, as freedesktop.org has it."""

    def __init__(self, folder: Path) -> None:
        """Name the folder for the user's applications."""
        self._file: Final = folder / FILE

    def install(self, command: Sequence[str]) -> Said:
        """Have lines opened by a command, with the line at its end."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(desktop_file(command), "utf-8")
        self._tell()
        return Says.LINKS_OPENED(where=str(self._file))

    def remove(self) -> Said:
        """Have them opened no more."""
        if not self._file.exists():
            return Says.LINKS_NOT_OPENED()
        self._file.unlink()
        self._tell()
        return Says.LINKS_REMOVED()

    def _tell(self) -> None:
        """Tell the desktop, where it has the usual programs for that."""
        _run("update-desktop-database", str(self._file.parent))
        if self._file.exists():
            _run("xdg-mime", "default", FILE, SCHEME)


class WindowsHandler:
    """Keys of the registry."""

    def __init__(self, registry: Any) -> None:  # noqa: ANN401 (`winreg`, where there is one)
        """Take the registry."""
        self._registry: Final = registry

    def install(self, command: Sequence[str]) -> Said:
        """Have lines opened by a command, with the line at its end."""
        line = subprocess.list2cmdline(command) + ' "%1"'
        self._set(KEY, "", "URL:Netplay")
        self._set(KEY, "URL Protocol", "")
        self._set(KEY + r"\shell\open\command", "", line)
        return Says.LINKS_OPENED(where="HKEY_CURRENT_USER\\" + KEY)

    def _set(self, key: str, name: str, value: str) -> None:
        registry = self._registry
        with registry.CreateKey(registry.HKEY_CURRENT_USER, key) as opened:
            registry.SetValueEx(opened, name, 0, registry.REG_SZ, value)

    def remove(self) -> Said:
        """Have them opened no more."""
        registry, there = self._registry, True
        for tail in (r"\shell\open\command", r"\shell\open", r"\shell", ""):
            try:
                registry.DeleteKey(registry.HKEY_CURRENT_USER, KEY + tail)
            except FileNotFoundError:
                there = bool(tail) and there
        return Says.LINKS_REMOVED() if there else Says.LINKS_NOT_OPENED()


def desktop_file(command: Sequence[str]) -> str:
    """Return what a desktop is to know of a command that opens lines."""
    return "\n".join(
        [
            "[Desktop Entry]",
            "Type=Application",
            "Name=Netplay",
            "Comment=Word and board games with friends",
            f"Exec={' '.join(map(quoted, command))} %u",
            f"MimeType={SCHEME};",
            "Categories=Game;",
            "Terminal=false",
            "NoDisplay=true",
            "",
        ]
    )


def quoted(word: str) -> str:
    """Return a word of a command as desktop files have it, whatever is in it."""
    inner = "".join(f"\\{c}" if c in '"`$\\' else c for c in word)
    # Once more for the file, which knows backslashes of its own, and codes after `%`.
    return '"' + inner.replace("\\", "\\\\").replace("%", "%%") + '"'


def handler(
    platform: str, environment: Mapping[str, str]
) -> LinuxHandler | WindowsHandler:
    """Return what there is on this system.

    Raises:
        LocalError: USAGE, nothing can be told.
    """
    if platform == "win32":
        import winreg  # noqa: PLC0415 (only Windows has it)

        return WindowsHandler(winreg)
    if platform == "darwin":
        raise LocalError(Code.USAGE, Says.LINKS_NEED_APPLICATION())
    data = environment.get("XDG_DATA_HOME", "")
    usual = Path.home() / ".local" / "share"
    return LinuxHandler((Path(data) if data else usual) / "applications")


def opener(home: str) -> tuple[str, ...]:
    """Return the command that opens a line, which follows.

    Args:
        home: The home that it is to have, the usual one if empty.
    """
    words = [sys.executable, "-m", "netplay"]
    return (*words, *(("--home", home) if home else ()), "--open")


def _run(*words: str) -> None:
    """Run a program of the desktop's, if it is there; what it says is its own."""
    found = shutil.which(words[0])
    if found is not None:
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(  # noqa: S603 (the desktop's own program)
                [found, *words[1:]],
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=TOOL_SECONDS,
                env=dict(os.environ),
            )
