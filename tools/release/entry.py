"""What a packaged program starts with: Netplay, or the part of it that it asks for.

Node and window are processes of their own, started as `sys.executable -m ...`, and so
are workers.  In a package there is no interpreter: `sys.executable` is this program,
which therefore understands the few words of Python's command line that we use.
"""

import io
import multiprocessing
import runpy
import sys
from pathlib import Path
from typing import BinaryIO, cast

FLAGS = frozenset({"-u", "-I", "-S"})
"""Of the interpreter: isolation a package has anyway, `-u` is done here."""


STARTED = Path("/proc/self/exe")
"""The file that was started, on Linux: another one may lie under its name by now."""


def main() -> None:
    """Run the module or the script that is named, else Netplay."""
    _stay_whole()
    words = sys.argv[1:]
    while words and words[0] in FLAGS:
        if words.pop(0) == "-u":
            _write_at_once()
    if len(words) > 1 and words[0] == "-m":
        sys.argv[1:] = words[2:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words and words[0].endswith(".py") and words != sys.argv[1:]:
        sys.argv[:] = words
        runpy.run_path(words[0], run_name="__main__")
    else:
        from netplay.__main__ import main as netplay  # noqa: PLC0415 (seldom alone)

        sys.exit(netplay())


def _stay_whole() -> None:
    """Read modules out of the program that was started, also after an update of it.

    A node runs for weeks.  PyInstaller opens its archive by name for every module that
    is imported late, and would read at the old places in the new one.
    """
    archive = getattr(sys.modules.get("pyimod02_importers"), "pyz_archive", None)
    if archive is not None and STARTED.exists():
        archive._filename = str(STARTED)  # noqa: SLF001 (there is no other way)


def _write_at_once() -> None:
    """Keep nothing back of what is written: workers answer in pieces and wait."""
    raw = open(1, "wb", buffering=0, closefd=False)  # noqa: SIM115 (as long as we live)
    sys.stdout = io.TextIOWrapper(cast("BinaryIO", raw), "utf-8", write_through=True)


if __name__ == "__main__":
    multiprocessing.freeze_support()
    main()
