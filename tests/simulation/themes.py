"""What a seed decides beforehand: the game, who plays, and what is to happen."""

from random import Random
from typing import Final

from netplay.messages.table import Fairness
from rules import editions, lexicon

OPTIONS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "numlo": (("size", "8"), ("values", "off")),
    "hexagrams": (),
    "networdz": (),
    "lhexicon": (),
    "hexcolumns": (("size", "9"), ("level", "3"), ("attacks", "on")),
}
GAMES: Final = ("numlo", "numlo", "hexagrams", "numlo", "networdz")
"""Which seed plays what; the tiles take longest."""

TILED: Final = ("networdz", "networdz", "networdz", "lhexicon")
"""What is played where every bag is to be encrypted."""

THEMES: Final = (
    "resign",
    "hand",
    "leave",
    "watch",
    "rematch",
    "resources",
    "timed",
    "clocks",
    "sleep",
    "disk lies",
    "old home",
    "two homes",
    "lying guest",
    "lying host",
    "stranger",
    "played back",
)
"""What happens besides cuts and crashes."""

OFFERS: Final = "offers"
"""Besides those: players make one another offers, and answer some of them."""

PREPARED: Final = "prepared"
"""Players sit down themselves and prepare moves, in games that hide nothing."""

ALONE: Final = {"old home", "two homes", "disk lies", "lying host", "lying guest"}
"""Of these no two at once, or nobody could say who is to blame."""

WORDY: Final = {"resources", "timed"}
"""What takes a game with words."""

EDITION: Final = """
name = "simulated"
title = "Simulated"
language = "en"
words = "simulated"
longest = 5
rack = 4
bingo = 10
blanks = 1

[tiles]
"A" = [7, 1]
"E" = [7, 1]
"N" = [5, 2]
"S" = [5, 2]
"T" = [5, 3]

[board]
start = [3, 3]
rows = \"\"\"
.  .  .  L2 .  .  .
.  W2 .  .  .  W2 .
.  .  .  .  .  .  .
L2 .  .  .  .  .  L2
.  .  .  .  .  .  .
.  W2 .  .  .  W2 .
.  .  .  L2 .  .  .
\"\"\"
"""
WORDS: Final = ("AN", "AT", "ANT", "EAT", "NET", "SEA", "SET", "TAN", "TEA", "TEN")


class Plan:
    """What one seed has in mind."""

    def __init__(
        self,
        seed: int,
        game: str,
        themes: tuple[str, ...] | None,
        fairness: Fairness | None = None,
    ) -> None:
        rng = Random(f"plan {seed}")
        self.seed = seed
        usual = TILED if fairness == "encrypted" else GAMES
        self.game = game or usual[seed % len(usual)]
        turn: Fairness = "encrypted" if seed // len(GAMES) % 2 else "committed"
        self.fairness = (fairness or turn) if self.game in TILED else "committed"
        self.members = 2 if self.game == "hexagrams" else rng.choice((2, 2, 3, 3, 4))
        self.themes = self._themes(rng) if themes is None else themes
        if themes is None and Random(f"offers {seed}").random() < 0.5:
            self.themes = (*self.themes, OFFERS)
        open_ = self.game in ("numlo", "hexagrams")
        if themes is None and open_ and Random(f"prepared {seed}").random() < 0.3:
            self.themes = (*self.themes, PREPARED)
        self.options = OPTIONS[self.game]
        if "timed" in self.themes:
            self.options = (*self.options, ("timed", "1"))

    def _themes(self, rng: Random) -> tuple[str, ...]:
        found: list[str] = []
        for theme in rng.sample(THEMES, rng.choice((0, 1, 2, 2, 3, 3))):
            clash = theme in ALONE and ALONE & set(found)
            if not clash and (theme not in WORDY or self.game == "networdz"):
                found.append(theme)
        if self.game == "networdz" and "resources" not in found and rng.random() < 0.6:
            found.append("resources")
        return tuple(found)


def edition() -> tuple[str, str]:
    """Return the names of an edition and a word list that only a host has."""
    made = editions.read(EDITION)
    editions.register(made)
    letters = made.alphabet
    spelt = [tuple(letters.index(letter) for letter in word) for word in sorted(WORDS)]
    words = lexicon.read(lexicon.build(letters, spelt))
    lexicon.register(words)
    return made.digest, words.digest
