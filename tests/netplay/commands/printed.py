"""Commands and what they print where no node runs, as a text that somebody has read.

    python -m tests.netplay.commands.printed

writes it anew into printed.txt beside.  Read what git shows as changed.
"""

import io
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

from netplay.__main__ import main
from netplay.formats.sheet import to_bytes
from netplay.record.store import whole
from rules import editions
from tests.netplay.commands import test_torn_files as torn
from tests.netplay.commands.test_typing import Visit, typed
from tests.netplay.commands.test_words import missed
from tests.netplay.formats.test_sheet import SHEET

PLACE: Final = Path(__file__).with_suffix(".txt")

EMPTY: Final = "/".join(["15"] * 15)

COMMANDS: Final = f"""
words import words.txt mine
words add mine bird
words delete mine dog
words check mine bird cat dog
words look cat c4t xqzzy a
words look --list mine cat dog
words drill --json
words drill < brazen quiz nastier
words drill
games --finished
puzzle numlo 0
puzzle numlo 3 a1
puzzle numlo 3 XX
puzzle hexagrams 3 c7-c5
plays --cgp "{EMPTY} QQZZ/ 0/0 0 lex XYZ1;" --json
LANGUAGE=de plays --cgp "{EMPTY} QQ/ 0/0 0 lex XYZ1;" --json
LANGUAGE=de plays --cgp "{EMPTY} QQ/ 0/0 0 lex XYZ1;" --top 1
LANGUAGE=de plays --cgp foo
LANGUAGE=de plays --cgp "15/15/A15/{EMPTY[9:]} A/ 0/0 0"
LANGUAGE=de plays --cgp "{EMPTY} A5/ 0/0 0"
LANGUAGE=de plays --cgp "{EMPTY} A/ 0/0 0 var mine;"
gcg import odd.gcg odd
show --moves odd
verify odd
LANGUAGE=de gcg import odd.gcg seltsam
LANGUAGE=de show --moves seltsam
LANGUAGE=de verify seltsam
verify damaged
LANGUAGE=de verify damaged
LANGUAGE=de gcg export damaged again.gcg
analyse odd
verify match
show --moves match
show --moves torn
show along
picture match board.jpg
arena hexagrams random random --games 2
bench everything
{"".join(f"LANGUAGE=de gcg import bad{n} good{chr(10)}" for n in range(6))}\
export moved --passphrase-file phrase.txt
"""
"""One a line, as it is typed; behind `<` the lines that are typed then."""

BAD: Final = (
    ">ann: CAT 8Z CAT +9 9", ">ann: C4T - +0 0", "what", ">ann: CAT A1 CAT +5 5",
    "#lexicon OSPS49", "#note netplay-edition 1/1 AAAA",
)  # fmt: skip
"""Third lines of records that cannot be."""

ODD: Final = """#player1 ann Ann
#player2 ben Ben
#board-layout ClubNight
#lexicon CSW21
>ann: CAT 8H CAT +9 9
>ben: QQ - +0 0
>ann: (AB) +5 14
"""


def prepared(folder: Path) -> None:
    """Write the files that the commands read."""
    for name, data in {
        "words.txt": b"AA\nCAT\nDOG\n", "odd.gcg": ODD.encode(), "match": torn.DATA,
        "phrase.txt": b"correct horse", "damaged": to_bytes(SHEET) + b"!",
        "torn": torn.torn(torn.RECORDS[-2]),
        "along": whole([each.entry for each in torn.RECORDS], [b"\x93one"])[:-1],
    }.items():  # fmt: skip
        (folder / name).write_bytes(data)
    for number, line in enumerate(BAD):
        text = "\n".join((*ODD.splitlines()[:2], line, ""))
        (folder / f"bad{number}").write_text(text, "utf-8")
    missed(folder / "home", "ZEBRA", "QUIZ", "RETAINS")


def printed(command: str) -> Iterator[str]:
    """Yield what a command prints, and its exit code."""
    words, _, typed = command.partition(" < ")
    split, out = shlex.split(words), io.StringIO()
    language = split.pop(0).partition("=")[2] if "=" in split[0] else "en"
    with (
        patch.dict(os.environ, LANGUAGE=language),
        patch("sys.stdin", io.StringIO(typed.replace(" ", "\n"))),
        redirect_stdout(out),
        redirect_stderr(out),
    ):
        try:
            code: object = main(split)
        except SystemExit as end:
            code = end.code
    for line in out.getvalue().replace(f"{Path.cwd()}{os.sep}", "").splitlines():
        yield re.sub(r" *\b[\d,]+\.\d+", " #", line)  # how long it took
    yield f"= {code}"


def told() -> str:
    """Return all commands and what they print, as it stands in the file."""
    lines: list[str] = []
    home = patch.dict(os.environ, NETPLAY_HOME="home")
    for name in editions.own():  # of whatever ran in this process before
        editions.forget(name)
    with TemporaryDirectory() as folder, chdir(folder), home:
        prepared(Path.cwd())
        for command in COMMANDS.strip().splitlines():
            lines += (f"$ {command}", *printed(command), "")
    lines.append(typed(Visit("done", "moved"), "help", "nonsense", "A1-A2", "offer"))
    return "\n".join(lines)


if __name__ == "__main__":
    PLACE.write_text(told(), "utf-8")
