"""Reports, written by the command: it knows the node from the inside."""

import sys
from pathlib import Path

import trio

from client.browsing import Reported


async def written(home: Path, path: str, *, over: bool) -> Reported:
    """Have a report written.

    Args:
        home: Of which.
        path: Where to.
        over: What lies there may go.
    """
    words = ["report", path, "--home", str(home), *(["--force"] if over else ())]
    done = await trio.run_process(
        [sys.executable, "-m", "netplay", *words], capture_stderr=True,
        capture_stdout=True, check=False,
    )  # fmt: skip
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    why = (lines[-1:] or ["?"])[0] if done.returncode else ""
    return Reported(path, why)
