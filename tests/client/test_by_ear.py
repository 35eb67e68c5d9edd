"""Games played with the eyes shut: by the keyboard, and by what the window says.

A real window says its lines to a program, as a speech program would get them; the
player here reads nothing else.  The first moves are played always; NETPLAY_LONG=1 plays
to the end.
"""

import json
import re
import shutil
import sys
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import pytest

from rules.networdz import Options, ground
from tests.client import playing
from tests.client.test_played_in_windows import LONG
from tests.client.test_window import TOOLS
from tests.patience import PATIENCE

MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


KEEPS = "import sys; [print(x, end='', file=open(sys.argv[1], 'a')) for x in sys.stdin]"
"""A program that keeps what it is to say."""


class Listener(playing.Table):
    """A player who hears what the window says, and types."""

    def open(self) -> None:
        """Open the window with a voice."""
        self.said = self.home / "said"
        self.said.touch()
        self.heard = 0
        voice = f"'{sys.executable}' -c \"{KEEPS}\" '{self.said}'"
        self.speaking = ("--speak", voice)
        super().open()

    def lines(self) -> list[str]:
        """Return what was said and not listened to yet."""
        found = self.said.read_text("utf-8").splitlines()[self.heard :]
        self.heard += len(found)
        return found

    def listen(self, wanted: str) -> re.Match[str]:
        """Return the first line from now on in which something is found."""
        until, missed = monotonic() + PATIENCE, list[str]()
        while monotonic() < until:
            told = self.lines()
            for number, line in enumerate(told, 1):
                missed.append(line)
                if (found := re.search(wanted, line)) is not None:
                    self.heard -= len(told) - number  # the rest may be listened to yet
                    self.hear_out()
                    return found
            sleep(0.02)
        heard = self.said.read_text("utf-8").splitlines()[-40:]
        raise AssertionError((wanted, missed, heard))

    def hear_out(self) -> None:
        """Wait until the window has said all that it says with a line."""
        size = -1
        while size != (size := self.said.stat().st_size):
            self.ask("window")  # it answers behind what it has done
            sleep(0.15)

    def press(self, key: str, wanted: str) -> re.Match[str]:
        """Press a key and listen for what comes of it."""
        self.lines()
        self.keys(key)
        return self.listen(wanted)

    def again(self, wanted: str) -> re.Match[str]:
        """Have it said again how it stands."""
        return self.press("F5", wanted)


@pytest.fixture
def ear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    monkeypatch.setattr(playing, "Table", Listener)
    with playing.tables(tmp_path, 1) as (at,):
        assert isinstance(at, Listener)
        yield at


OVER = "Game over"


def begun(ear: Listener, game: str, *options: str) -> None:
    """Begin a game against a weak computer player."""
    words = [word for each in options for word in ("--option", each)]
    ear.command("host", game, "--seat", "person", "--seat", "computer:0", *words)
    ear.command("start")
    ear.listen("turn – ")


def numlo_turn(ear: Listener) -> None:
    """Lay where one may lay, by the arrow keys."""
    places = ear.again("You may lay at (.+)")[1].split(", ")  # alone it is shown
    where = ear.press("Up", r"^([A-H])(\d): ")
    for _ in range(40):
        if f"{where[1]}{where[2]}" == places[0]:
            break
        column, row = places[0][0], places[0][1:]
        if where[2] != row:
            key = "Up" if int(where[2]) > int(row) else "Down"
        else:
            key = "Left" if where[1] > column else "Right"
        where = ear.press(key, r"^([A-H])(\d): ")
    ear.press("Return", rf"Anna +{places[0]}  \+\d+")


def test_the_first_moves_of_numlo_are_made_by_ear(ear: Listener) -> None:
    begun(ear, "numlo", "size=8")
    for _ in range(2):
        ear.again("^It is your turn|^Flips")
        numlo_turn(ear)
        ear.listen("Computer")


@LONG
def test_a_whole_game_of_numlo_is_played_by_ear(ear: Listener) -> None:
    begun(ear, "numlo", "size=8")
    for _ in range(80):
        if re.search(OVER, ear.again(f"^It is your turn|^Flips|{OVER}")[0]):
            break
        numlo_turn(ear)
    assert ", over," in ear.command("status")


SIDE: Final = 15
KEYS: Final = {"Left": -1, "Right": 1, "Up": -SIDE, "Down": SIDE}
ARROW = r"^(\d+)([A-O]) (across|down): "


class Words:
    """A position of Networdz as somebody has it in mind who has heard all of it."""

    def __init__(self, heard: list[str]) -> None:
        """Lay out what was heard."""
        self.board: dict[int, str] = {}
        self.rack: list[str] = []
        for line in heard:
            if (tiles := re.match("Your tiles: (.+)", line)) is not None:
                self.rack = tiles[1].split(", ")
            move = re.match(r"(?:Anna|Computer): ([A-Z]+) .*, (\w+)$", line)
            if move is not None:
                self.board |= dict(zip(cells(move[2]), move[1], strict=False))

    def play(self, ear: Listener) -> tuple[int, bool, str] | None:
        """Return the first square, whether downwards, and the letters of a word."""
        field = ground(Options())
        left = Counter(dict(zip(field.alphabet, field.edition.counts, strict=False)))
        rows = ["" for _ in range(SIDE)]
        for at in range(SIDE * SIDE):
            face = self.board.get(at, "")
            left[face] -= 1  # one too many must be a blank
            rows[at // SIDE] += (face if left[face] >= 0 else face.lower()) or "1"
        told = "/".join(
            re.sub("1+", lambda found: str(len(found[0])), row) for row in rows
        )
        rack = "".join("?" if tile == "blank" else tile for tile in self.rack)
        line = f"{told} {rack}/ 0/0 0"
        found = json.loads(ear.command("plays", "--cgp", line, "--top", "1", "--json"))
        if not found["top"]:
            return None
        place, word = found["top"][0]["play"].split()
        fresh = [
            (at, letter)
            for at, letter in zip(cells(place), re.sub("[()]", "", word), strict=False)
            if at not in self.board
        ]
        letters = "".join(letter.lower() for _at, letter in fresh)
        return fresh[0][0], place[0].isalpha(), letters

    def way(self, at: int, down: bool, to: int, *, downwards: bool) -> list[str]:
        """Return the keys that bring the arrow to a square, and turn it."""
        ways, beside = {(at, down): list[str]()}, deque([(at, down)])
        while (to, downwards) not in ways:
            here = beside.popleft()
            for key in KEYS:
                if (there := self._after(*here, key)) not in ways:
                    ways[there] = [*ways[here], key]
                    beside.append(there)
        return ways[to, downwards]

    def _after(self, at: int, down: bool, key: str) -> tuple[int, bool]:
        by, upright = KEYS[key], key in ("Up", "Down")
        if upright != down:
            return at, upright
        to = at + by
        inside = 0 <= to < SIDE**2 and (upright or to // SIDE == at // SIDE)
        return (to if inside else at), down


def cells(place: str) -> range:
    """Return the squares from one on: 8D across, D8 downwards."""
    found = re.fullmatch(r"([A-O]?)(\d+)([A-O]?)", place)
    assert found is not None, place
    at = (int(found[2]) - 1) * SIDE + ord(found[1] or found[3]) - ord("A")
    return range(at, SIDE * SIDE, SIDE if found[1] else 1)


def tab(ear: Listener, wanted: str) -> None:
    """Go round with Tab until something is heard."""
    for _ in range(60):
        if re.match(wanted, ear.press("Tab", ".")[0]):
            return
    raise AssertionError(f"Tab does not come to {wanted}")


def networdz_turn(ear: Listener) -> None:
    """Lay a word that was found from what was heard alone, or exchange tiles."""
    known = Words(ear.said.read_text("utf-8").splitlines())
    assert known.rack
    found = known.play(ear)
    if found is None:
        tab(ear, "PASS, button")
        ear.press("Return", "You lose this turn|DONE to pass")
        if "in the pool" in ear.again("in the pool|DONE to pass")[0]:
            letter = known.rack[0] if known.rack[0] != "blank" else "question"
            ear.press(letter.lower(), "To be discarded")
        tab(ear, "(DONE|EXCHANGE.*), button")
        ear.press("Return", "Anna: (passes|exchanges)")
        return
    to, down, letters = found
    here = ear.press("Right", ARROW)
    at = cells(here[1] + here[2])[0]
    for key in known.way(at, here[3] == "down", to, downwards=down):
        here = ear.press(key, ARROW)
    assert (cells(here[1] + here[2])[0], here[3] == "down") == (to, down)
    for letter in letters[:-1]:
        ear.press(letter, f"^{letter.upper()} on |^blank as {letter.upper()} on ")
    ear.press(letters[-1], r": \d+ points$")
    ear.press("Return", "^Anna: [A-Z]+ ")


def test_the_first_moves_of_networdz_are_made_by_ear(ear: Listener) -> None:
    begun(ear, "networdz")
    for _ in range(2):
        ear.again("^It is your turn")
        networdz_turn(ear)
        ear.listen("^Computer: ")


@LONG
def test_a_whole_game_of_networdz_is_played_by_ear(ear: Listener) -> None:
    begun(ear, "networdz")
    for _ in range(80):
        if re.search(OVER, ear.again(f"^It is your turn|{OVER}")[0]):
            break
        networdz_turn(ear)
    assert ", over," in ear.command("status")
