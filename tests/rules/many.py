"""Play many random matches of a game to the end, and say what came of them.

    python -m tests.rules.many numlo 10000
    python -m tests.rules.many lhexicon 5000 second 4

The last two are a seed of one's own, to share the work between processes, and how far
down its list an actor looks at most: a list of words takes long to go through.

Much the same as the contract's random matches, for a night instead of a minute.
"""

import sys
from collections import Counter
from itertools import islice

from tests.rules.matches import DEEPEST, matches


def main(name: str, count: int, seed: str = "", deepest: int = DEEPEST) -> None:
    entries: Counter[str] = Counter()
    for number, match in enumerate(islice(matches(name, seed, deepest), count), 1):
        entries["entries"] += len(match.log)
        entries["longest"] = max(entries["longest"], len(match.log))
        if number % max(1, count // 10) == 0:
            sys.stdout.write(f"{name}: {number} matches ended, {dict(entries)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    game, number, *more = sys.argv[1:]
    begun = more[0] if more else ""
    main(game, int(number), begun, int(more[1]) if len(more) > 1 else DEEPEST)
