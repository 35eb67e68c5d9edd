"""Have the levels of computer players play each other, and write down what came of it.

    python -m tools.levels [GAME ...] [--games N]

Each level plays the one below, in pairs of games with the same draws, thinking by the
processor's time.  `netplay/levels.txt` keeps the figures, and the table in
`docs/play.md` is made of them.
"""

import argparse
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Final

from netplay import arena, levels
from netplay.commands.sharing import begin
from netplay.levels import Measured
from netplay.text import levels as words
from rules import GAMES

FIGURES: Final = Path("netplay/levels.txt")
BOOK: Final = Path("docs/play.md")
BEGIN: Final = "<!-- levels: written by tools.levels -->"
END: Final = "<!-- end of levels -->"

HEAD: Final = "# game level points share error games"

SEED: Final = 2026

OPTIONS: Final = {"hexcolumns": [("level", "20")]}
"""Good players of Hexcolumns would else go on for an hour."""


def measured(game: str, games: int, budget: float | None) -> dict[str, Measured]:
    """Return what came of the levels of a game, each against the one below."""
    options, _state = begin(GAMES[game], 2, OPTIONS.get(game, []))
    names = list(levels.SKILLS)
    points: dict[str, float] = {}
    shares = {names[0]: (0.0, 0.0, 0)}
    for below, name in pairwise(names):
        players = (
            arena.chooser(game, name, budget),
            arena.chooser(game, below, budget),
        )
        tally = arena.Tally()
        for group in range(-(-games // 2)):
            tally.add(arena.play_group(game, players, SEED + group, 2, options))
        points[name] = tally.a_points / tally.games
        points.setdefault(below, tally.b_points / tally.games)
        error = arena.error(tally.shares) or 0.0
        shares[name] = mean(tally.shares), error, tally.games
        print(f"{game} {name}: {shares[name]}", flush=True)
    if GAMES[game].ABOUT.scored is None:
        points = dict.fromkeys(names, 0.0)
    return {name: Measured(round(points[name]), *shares[name]) for name in names}


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
                f"| {GAMES[game].ABOUT.title} | {words.titles()[name]} | "
                f"{words.about(game, name)} | {known.points or ''} | "
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
    parser.add_argument("--games", type=int, default=200, metavar="N")
    parser.add_argument("--budget", type=float, metavar="SECONDS")
    parser.add_argument("--table", action="store_true", help="only the book's table")
    wanted = parser.parse_args()
    found = {game: dict(levels.measured(game)) for game in GAMES}
    if not wanted.table:
        for game in wanted.game or GAMES:
            found[game] = measured(game, wanted.games, wanted.budget)
            FIGURES.write_text(kept(found), "utf-8")
    BOOK.write_text(written(BOOK.read_text("utf-8"), found), "utf-8")


if __name__ == "__main__":
    main()
