"""How much slower a busy machine may be: what the nodes of a test do is no excuse."""

import os
import signal
import subprocess
import sys

from tests.patience import PATIENCE, until
from tests.system.nodes import burden, family, running

SPINNING = "while True: pass"

CORES = os.cpu_count() or 1


def test_what_a_test_itself_has_started_loosens_no_limit() -> None:
    command = [sys.executable, "-c", SPINNING]
    spinning = [subprocess.Popen(command) for _ in range(3 * CORES)]
    pids = {one.pid for one in spinning}
    try:
        until(lambda: pids <= running())
        ours = {one.pid for one in family()}
        assert pids <= ours
        others = max(os.getloadavg()[0], len(running() - ours)) + CORES  # some may come
        assert burden() <= max(1.0, (1 + others) / CORES)
    finally:
        for one in spinning:
            one.kill()
            one.wait(PATIENCE)


def test_what_others_run_does() -> None:
    one = f'"{sys.executable}" -c "{SPINNING}" >/dev/null 2>&1 & echo $!\n'
    command = ["sh", "-c", one * 2 * CORES]
    shell = subprocess.run(command, capture_output=True, check=True)
    others = {int(pid) for pid in shell.stdout.split()}
    try:
        until(lambda: others <= running())
        assert others.isdisjoint(each.pid for each in family())
        assert burden() > 2
    finally:
        for pid in others:
            os.kill(pid, signal.SIGKILL)
