"""How much slower a busy machine may be: what the nodes of a test do is no excuse."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

from tests.patience import PATIENCE
from tests.system.nodes import burden, family, running

SPINNING = "while True: pass"


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends


def test_what_a_test_itself_has_started_loosens_no_limit() -> None:
    command = [sys.executable, "-c", SPINNING]
    spinning = [subprocess.Popen(command) for _ in range(3)]
    pids = {one.pid for one in spinning}
    try:
        until(lambda: pids <= running())
        assert pids <= {one.pid for one in family()}
        assert burden() >= 1.0
    finally:
        for one in spinning:
            one.kill()
            one.wait(PATIENCE)


def test_what_others_run_does() -> None:
    command = f'exec "{sys.executable}" -c "{SPINNING}" >/dev/null 2>&1 & echo $!'
    shell = subprocess.run(["sh", "-c", command], capture_output=True, check=True)
    other = int(shell.stdout)
    try:
        until(lambda: other in running())
        assert other not in {one.pid for one in family()}
        assert burden() >= 2 / (os.cpu_count() or 1)
    finally:
        os.kill(other, signal.SIGKILL)
