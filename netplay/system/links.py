"""What opens `netplay:` lines, invitations, when one is clicked in a browser or letter.

On Linux a desktop file says so, on Windows keys of the user's own registry.  On macOS
only what stands in the Info.plist of an application counts, and the line comes to it as
an event, not as a word of its command line: so the system's own tool for scripts makes
a small application there, which hands the line on.
"""

import os
import plistlib
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol, cast
from xml.parsers.expat import ExpatError

from netplay.errors import Code, LocalError
from netplay.said import Said
from netplay.sentences import Says

SCHEME: Final = "x-scheme-handler/netplay"
FILE: Final = "netplay.desktop"
KEY: Final = r"Software\Classes\netplay"
"""In the user's own part of the registry of Windows."""

TOOL_SECONDS: Final = 10.0
"""For a program of the desktop's."""

COMPILE_SECONDS: Final = 60.0
"""For making an application of a script, the first time after a start."""

BUNDLE: Final = "Netplay Links.app"
BUNDLE_NAME: Final = "netplay.links"
"""By which macOS knows it."""

QUIETLY: Final = ">/dev/null 2>&1 &"
"""The script does not wait for the window."""

REGISTER: Final = (
    "/System/Library/Frameworks/CoreServices.framework/Frameworks/"
    "LaunchServices.framework/Support/lsregister"
)


class Handler(Protocol):
    """What tells one system."""

    @property
    def able(self) -> bool:
        """Whether it has what that takes."""
        ...

    @property
    def installed(self) -> bool:
        """Whether lines are opened by this program, as far as it was told here."""
        ...

    def install(self, command: Sequence[str]) -> Said:
        """Have lines opened by a command, with the line at its end."""
        ...

    def remove(self) -> Said:
        """Have them opened no more."""
        ...


class LinuxHandler:
    """A desktop file, as freedesktop.org has it."""

    def __init__(self, folder: Path) -> None:
        """Name the folder for the user's applications."""
        self._file: Final = folder / FILE

    @property
    def able(self) -> bool:
        """Whether there is a desktop that can be told."""
        return shutil.which("xdg-mime") is not None

    @property
    def installed(self) -> bool:
        """Whether the file is there."""
        return self._file.exists()

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
        self.able: Final = True

    @property
    def installed(self) -> bool:
        """Whether the key is there."""
        try:
            with self._registry.OpenKey(self._registry.HKEY_CURRENT_USER, KEY):
                return True
        except FileNotFoundError:
            return False

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


class MacHandler:
    """A small application among the user's own."""

    def __init__(self, folder: Path) -> None:
        """Name the folder for the user's applications."""
        self._bundle: Final = folder / BUNDLE
        self._info: Final = self._bundle / "Contents" / "Info.plist"

    @property
    def able(self) -> bool:
        """Whether the tool for scripts is there."""
        return shutil.which("osacompile") is not None

    @property
    def installed(self) -> bool:
        """Whether it is there, and ours."""
        try:
            return _about(self._info).get("CFBundleIdentifier") == BUNDLE_NAME
        except (OSError, ValueError):
            return False

    def install(self, command: Sequence[str]) -> Said:
        """Have lines opened by a command, with the line at its end.

        Raises:
            LocalError: USAGE, macOS made no application.
        """
        self._bundle.parent.mkdir(parents=True, exist_ok=True)
        self._clear()
        script = mac_script(command)
        _run("osacompile", "-o", str(self._bundle), "-e", script, wait=COMPILE_SECONDS)
        try:
            about = _about(self._info)
        except (OSError, ValueError):
            raise LocalError(
                Code.USAGE, Says.LINKS_NO_TOOL(tool="osacompile")
            ) from None
        self._info.write_bytes(plistlib.dumps({**about, **ABOUT_BUNDLE}))
        # What was signed has changed with the file.
        _run("codesign", "--force", "--sign", "-", str(self._bundle))
        _run(REGISTER, "-f", str(self._bundle))
        return Says.LINKS_OPENED(where=str(self._bundle))

    def remove(self) -> Said:
        """Have them opened no more."""
        if not self.installed:
            return Says.LINKS_NOT_OPENED()
        _run(REGISTER, "-u", str(self._bundle))
        self._clear()
        return Says.LINKS_REMOVED()

    def _clear(self) -> None:
        """Remove the application that was made before, and no other of its name."""
        if self.installed:
            shutil.rmtree(self._bundle)


ABOUT_BUNDLE: Final[Mapping[str, Any]] = {
    "CFBundleIdentifier": BUNDLE_NAME,
    "CFBundleName": "Netplay Links",
    "CFBundleURLTypes": [
        {"CFBundleURLName": "Netplay", "CFBundleURLSchemes": ["netplay"]}
    ],
    "LSUIElement": True,  # it hands a line on, and is never seen
}


def _about(info: Path) -> dict[str, Any]:
    """Return what an application says of itself.

    Raises:
        OSError: There is none.
        ValueError: It says nothing that can be read.
    """
    try:
        found: Any = plistlib.loads(info.read_bytes())
    except ExpatError as error:
        raise ValueError(str(error)) from None
    if not isinstance(found, dict):
        raise ValueError("no dictionary")  # noqa: TRY004 (it is what was read)
    return cast("dict[str, Any]", found)


def mac_script(command: Sequence[str]) -> str:
    """Return the script that runs a command with the line that was clicked.

    The shell reads the line as one word, whatever a page has written there.
    """
    words = shlex.join(command).replace("\\", "\\\\").replace('"', '\\"')
    return "\n".join(
        [
            "on open location clicked",
            f'do shell script "{words} " & quoted form of clicked & " {QUIETLY}"',
            "end open location",
        ]
    )


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


def handler(platform: str, environment: Mapping[str, str]) -> Handler:
    """Return what there is on this system."""
    if platform == "win32":
        import winreg  # noqa: PLC0415 (only Windows has it)

        return WindowsHandler(winreg)
    if platform == "darwin":
        return MacHandler(Path.home() / "Applications")
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


def _run(*words: str, wait: float = TOOL_SECONDS) -> None:
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
                timeout=wait,
                env=dict(os.environ),
            )
