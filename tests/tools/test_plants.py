"""The planted faults fit the program, and each module has tests to catch them."""

import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from tools.plants.__main__ import Fault, Found, faults, kept, tried
from tools.plants.tested import BESIDE, mapped

ROOT = Path(__file__).parents[2]
MODULES = [
    str(path.relative_to(ROOT))
    for top in ("netplay", "client", "rules")
    for path in sorted((ROOT / top).rglob("*.py"))
    if path.name != "__init__.py"
]


def test_each_planted_fault_fits_its_file_once() -> None:
    listed = faults()
    assert len(listed) >= 100
    assert len({(fault.file, fault.seen) for fault in listed}) == len(listed)
    by_file = defaultdict[str, list[Fault]](list)
    for fault in listed:
        by_file[fault.file].append(fault)
    for file, some in by_file.items():
        text = together = (ROOT / file).read_text()
        for fault in some:
            fault.planted(text)
            if together.count(fault.was) == 1:
                together = fault.planted(together)
            elif file.endswith(".py"):  # where another is planted, too
                compile(fault.planted(text), file, "exec")
        if file.endswith(".py"):
            compile(together, file, "exec")


def test_each_module_has_tests_that_are_there() -> None:
    assert len(MODULES) > 300
    for module in MODULES:
        found = mapped(module, ROOT)
        assert found, module
        assert all((ROOT / test).is_file() for test in found), "their order counts"
    named = tomllib.loads(BESIDE.read_text())
    for place, tests in named.items():
        assert (ROOT / place).exists() or (ROOT / f"{place}.py").exists(), place
        for test in tests:
            assert (ROOT / test).exists(), (place, test)


def test_the_file_of_its_name_comes_first() -> None:
    found = mapped("netplay/record/verify.py", ROOT)
    assert found[0] == "tests/netplay/record/test_verify.py"
    assert mapped("client/pages/bystanders.py", ROOT)[0] == (
        "tests/client/test_bystanders.py"
    )
    assert mapped("tests/tools/test_plants.py", ROOT) == ["tests/tools/test_plants.py"]


def test_a_fault_is_caught_where_a_test_fails_and_pulled_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # of six runs of pytest
    (tmp_path / "rules").mkdir()
    (tmp_path / "tests" / "rules").mkdir(parents=True)
    module = tmp_path / "rules" / "worth.py"
    module.write_text("def worth(n):\n    return 2 * n\n")
    check = (
        "from rules.worth import worth\n\ndef test_it():\n    assert worth({n}) == {m}"
    )
    path = tmp_path / "tests" / "rules" / "test_worth.py"
    fault = Fault("rules/worth.py", "2 * n", "n * n", "squares count too much")
    (tmp_path / "rules" / "__init__.py").touch()
    path.write_text(check.format(n=3, m=6))
    named = "tests/rules/test_worth.py::test_it"
    assert tried(fault, tmp_path) == Found("caught", named)
    path.write_text(check.format(n=2, m=4) + "\n")  # or what was compiled is run again
    assert tried(fault, tmp_path, before=named) == Found("alive")
    path.write_text("def test_it():\n    raise ValueError\n")
    assert tried(fault, tmp_path) == Found("undecided"), "it fails without it, too"
    assert module.read_text().count("2 * n") == 1
    with pytest.raises(ValueError, match="not once"):
        Fault("rules/worth.py", "n", "m", "").planted(module.read_text())


def test_the_share_by_package_is_told_from_what_is_kept() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "tools.plants", "--share", "netplay/bag"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    listed = [fault for fault in faults() if fault.package == "netplay/bag"]
    found = (kept().get(fault.key) for fault in listed)
    caught = sum(one is not None and one.word == "caught" for one in found)
    assert [line.split()[:3] for line in told[1:]] == [
        [name, str(len(listed)), str(caught)] for name in ("netplay/bag", "all")
    ]
