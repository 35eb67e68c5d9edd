"""Check a commit's message: `python -m tools.message FILE`, as git's hook calls it.

The subject stands alone in `git log --oneline`, so it must fit there and say what
changed; why it changed is what the next developer looks for in the body.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SUBJECT: Final = 72
"""Characters."""

_MADE_BY_GIT: Final = ("Merge ", "Revert ")
_UNFINISHED: Final = re.compile(r"(wip|x|fixup!|squash!|amend!)(\W|$)", re.IGNORECASE)


def faults(message: str) -> Iterator[str]:
    """Yield what is wrong with a message, in words; lines of git's own are left out."""
    message = message.partition("\n# ------------------------ >8")[0]
    kept = [line for line in message.splitlines() if not line.startswith("#")]
    subject, *rest = "\n".join(kept).strip().splitlines() or [""]
    if subject.startswith(_MADE_BY_GIT):
        return
    if not subject:
        yield "there is no subject"
        return
    if len(subject) > SUBJECT:
        yield f"the subject has {len(subject)} characters, {SUBJECT} at most"
    if _UNFINISHED.match(subject):
        yield "the subject says nothing: what has changed?"
    if subject.endswith("."):
        yield "a subject ends without a full stop"
    if rest and rest[0]:
        yield "an empty line must stand between subject and body"
    if not any(rest):
        yield "there is no body: why was this changed?"


def main(path: str) -> int:
    """Print what is wrong with the message in a file; return the exit status."""
    found = list(faults(Path(path).read_text("utf-8")))
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
