"""Play many random matches of a game to the end, and say what came of them.

    python -m tests.rules.many numlo 10000

Much the same as the contract's random matches, for a night instead of a minute.
"""

import sys
from collections import Counter
from itertools import islice

from tests.rules.matches import matches


def main(name: str, count: int) -> None:
    entries: Counter[str] = Counter()
    for number, match in enumerate(islice(matches(name), count), 1):
        entries["entries"] += len(match.log)
        entries["longest"] = max(entries["longest"], len(match.log))
        if number % max(1, count // 10) == 0:
            sys.stdout.write(f"{name}: {number} matches ended, {dict(entries)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
