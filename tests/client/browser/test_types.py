"""The types that stand in the page's modules are what their code does."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.client.browser.chromium import ROOT

TSC: Final = ROOT / "node_modules" / "typescript" / "bin" / "tsc"

FLAGS: Final = (
    "--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022",
    "--module", "es2022", "--lib", "es2022,dom,dom.iterable",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(
    not TSC.is_file(), reason="tsc is missing: npm install --no-save typescript@5"
)
def test_the_pages_modules_are_what_their_types_say(tmp_path: Path) -> None:
    modules = sorted((ROOT / "client" / "browser" / "page").glob("*.js"))
    assert len(modules) >= 4
    done = subprocess.run(
        ["node", str(TSC), *FLAGS, *map(str, modules)],
        cwd=tmp_path,  # where it finds no types of other packages by itself
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0
