"""Have the levels of computer players play each other, and write down what came of it.

    python -m tools.levels [GAME ...] [--level LEVEL ...] [--games N] [--keep FILE]

Each level plays the one below, in pairs of games with the same draws, thinking by the
processor's time.  `netplay/levels.txt` keeps the figures, and the table in
`docs/play.md` is made of them.
"""

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Final

from netplay import arena, levels
from netplay.commands.arena import Wanted, played
from netplay.levels import Measured
from rules import GAMES

FIGURES: Final = Path("netplay/levels.txt")
BOOK: Final = Path("docs/play.md")
BEGIN: Final = "<!-- levels: written by tools.levels -->"
END: Final = "<!-- end of levels -->"

HEAD: Final = "# game level points share error games"

SEED: Final = 2026

WANTED: Final = 0.6, 0.75
"""How many of its games a level should win against the one below; what is surely not
so is not measured to the end."""

UNKNOWN: Final = Measured(0, 0.0, 0.0, 0)

OPTIONS: Final = {"hexcolumns": (("level", "20"),)}
"""Good players of Hexcolumns would else go on for an hour."""


def step(
    game: str, below: str, name: str, games: int, keep: Path | None
) -> arena.Tally:
    """Let a level play the one below, and stop early if that is no step to keep."""
    options = OPTIONS.get(game, ())
    wanted = Wanted(game, (name, below), None, SEED, 2, options, work=0)
    tally = arena.Tally()
    with played(wanted, -(-games // 2), keep) as groups:
        for group in groups:
            tally.add(group)
            share, low, high = mean(tally.shares), *WANTED
            print(f"{game} {name}: {share:.3f} in {tally.games} games", flush=True)
            if (share < low and tally.decided(low)) or (
                share > high and tally.decided(high)
            ):
                break
    return tally


def measured(
    game: str, wanted: Sequence[str], games: int, keep: Path | None
) -> dict[str, Measured]:
    """Return what is known of the levels of a game, some of them measured anew."""
    names = list(levels.SKILLS)
    found = dict(levels.measured(game)) or dict.fromkeys(names, UNKNOWN)
    for below, name in pairwise(names):
        if name not in wanted:
            continue
        tally = step(game, below, name, games, keep)
        scored = GAMES[game].ABOUT.scored is not None
        found[name] = Measured(
            round(tally.a_points / tally.games) if scored else 0,
            mean(tally.shares),
            arena.error(tally.shares) or 0.0,
            tally.games,
        )
        if below == names[0] and scored:
            points = round(tally.b_points / tally.games)
            found[below] = found[below]._replace(points=points)
    return found


def kept(found: dict[str, dict[str, Measured]]) -> str:
    """Return all figures as the file has them."""
    lines = [
        f"{game} {name} {known.points} {known.share:.3f} {known.error:.3f} "
        f"{known.games}"
        for game, rows in found.items()
        for name, known in rows.items()
    ]
    return "\n".join([HEAD, *lines, ""])


def table(found: dict[str, dict[str, Measured]]) -> str:
    """Return the table of the book."""
    if not any(found.values()):
        return ""
    lines = ["| game | level | | points a game | wins against the level below |"]
    lines.append("|---|---|---|---|---|")
    for game, rows in found.items():
        for name, known in rows.items():
            share = f"{100 * known.share:.0f} % ± {100 * known.error:.0f}"
            lines.append(
                f"| {GAMES[game].ABOUT.title} | {levels.titles()[name]} | "
                f"{levels.about(game, name)} | {known.points or ''} | "
                f"{f'{share}, {known.games} games' if known.games else ''} |"
            )
    return "\n".join(lines)


def written(book: str, found: dict[str, dict[str, Measured]]) -> str:
    """Return a page of the book with the table renewed."""
    before, _, rest = book.partition(BEGIN)
    after = rest.partition(END)[2]
    made = table(found)
    middle = f"\n{made}\n\n" if made else ""
    return f"{before}{BEGIN}\n{middle}{END}{after}"


def main() -> None:
    """Measure, and write."""
    parser = argparse.ArgumentParser(prog="python -m tools.levels")
    parser.add_argument("game", nargs="*", choices=[*GAMES, []], default=[])
    parser.add_argument(
        "--level", action="append", choices=list(levels.SKILLS)[1:],
        help="measure only this one against the one below",
    )  # fmt: skip
    parser.add_argument("--games", type=int, default=200, metavar="N")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE",
        help="add what comes of each draw, and do not play those that it has: for a "
        "measurement that is stopped and goes on, with the same levels",
    )  # fmt: skip
    parser.add_argument("--table", action="store_true", help="only the book's table")
    wanted = parser.parse_args()
    found = {game: dict(levels.measured(game)) for game in GAMES}
    if not wanted.table:
        for game in wanted.game or GAMES:
            names = wanted.level or list(levels.SKILLS)
            found[game] = measured(game, names, wanted.games, wanted.keep)
            FIGURES.write_text(kept(found), "utf-8")
    BOOK.write_text(written(BOOK.read_text("utf-8"), found), "utf-8")


if __name__ == "__main__":
    main()
