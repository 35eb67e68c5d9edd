"""`python -m tests.fuzz frames 1000000` and `python -m tests.fuzz files 100000`."""

import argparse
import sys
import time
from collections.abc import Callable
from typing import Final

from tests.fuzz.files import Files
from tests.fuzz.frames import Frames
from tests.fuzz.tally import Tally

SOURCES: Final[dict[str, Callable[[int, Tally], Frames | Files]]] = {
    "frames": Frames,
    "files": Files,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("what", choices=SOURCES)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tally = Tally()
    source = SOURCES[arguments.what](arguments.seed, tally)
    began = time.monotonic()
    while tally.total < arguments.count:
        source.one()
    print(f"{arguments.what}, seed {arguments.seed}:", end=" ")
    print(tally.report(time.monotonic() - began))
    return 0 if tally.good else 1


if __name__ == "__main__":
    sys.exit(main())
