"""What a commit's message must be."""

from pathlib import Path

import pytest

from tools.message import faults, main

BODY = "\n\nBecause it was so.\n"
WRONG = {
    "": "no subject",
    "# only what git says\n": "no subject",
    "x" * 73 + BODY: "73 characters, 72 at most",
    "Do it." + BODY: "full stop",
    "Do it\nbecause": "empty line",
    "Do it\n": "no body",
    "Do it\n\n# Please enter the message\n": "no body",
    "WIP" + BODY: "says nothing",
    "fixup! Do it" + BODY: "says nothing",
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_with_a_message_is_said(message: str) -> None:
    (fault,) = faults(message)
    assert WRONG[message] in fault


@pytest.mark.parametrize(
    "message",
    [
        "x" * 72 + BODY,
        "Show wips" + BODY,
        "Merge branch 'x'\n",
        "# a comment of git\nDo it" + BODY,
        "Do it" + BODY + "# ------------------------ >8 ----\ndiff --git a b\n",
    ],
)
def test_a_good_message_passes(message: str) -> None:
    assert list(faults(message)) == []


def test_the_hook_names_every_fault_and_stops_the_commit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("Do it.\n", "utf-8")
    assert main(str(file)) == 1
    assert len(capsys.readouterr().err.splitlines()) == 2
    file.write_text("Do it" + BODY, "utf-8")
    assert main(str(file)) == 0
