"""What programs and scripts are told of a position, as docs/programs.md lists it."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.programs.process import question
from netplay.text import legal, read, writer, written
from rules import GAMES, editions, hexagrams, hexcolumns, lexicon, lhexicon, numlo
from rules.game import CHANCE, IllegalMoveError, Resign
from rules.hexcolumns import Motif, Well, cell, index
from rules.lhexicon import cells as cells_of_lhexicon
from rules.networdz import Options
from tests.rules.lhexicon import matches, worked
from tests.rules.networdz.positions import options, position

DOCS = Path(__file__).parents[3] / "docs" / "programs.md"

LISTS = ("players", "wells")
"""Of which an entry for each seat is described."""

OBJECTS = ("wells[].piece", "last", "announced", "pending", "clock")
"""Keys whose own keys are described; those of others are cells, tiles, options."""


def documented(heading: str) -> set[str]:
    """Return the keys in the tables below a heading of the documentation."""
    text = DOCS.read_text("utf-8")
    found = re.search(
        rf"^##+ {heading}$(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL
    )
    assert found, heading
    rows = re.findall(r"^\| (`[^|]*) \|", found[1], re.MULTILINE)
    return {key for row in rows for key in re.findall(r"`([a-z_.\[\]]{2,})`", row)}


def keys(told: dict[str, Any], under: str = "") -> Iterator[str]:
    """Yield the keys of what was told, those within others by the way to them."""
    for key, value in told.items():
        path = f"{under}{key}"
        if path in LISTS:
            for each in value:
                yield from keys(each, f"{path}[].")
        elif path in OBJECTS:
            yield from () if path == "clock" else (path,)
            yield from keys(value or {}, f"{path}.")
        else:
            yield path


def networdzs(challenge: str = "none") -> Any:
    """CaT lies there, its A a blank's; the last turn has laid it."""
    made = position(
        "SOATEE?",
        "EATTTTX",
        bag="UVWXYZZ",
        board=[("across", 7, 6, "CaT")],
        opts=options(challenge=challenge),
    )
    laid = read("networdz", made, 0, "8G CATS")
    return GAMES["networdz"].play(made, 0, laid)


def lhexicons() -> Any:
    """CODED lies in the middle, and waits for a challenge."""
    state = matches.begin(
        "CODEDXZ", "RUEL?AT", options=lhexicon.Options(challenge=True)
    )
    laid, path = matches.placed(state, 0, worked.CODED)
    return lhexicon.play(state, 0, lhexicon.lay(state, laid, path))


def numlos() -> numlo.State:
    """The first seat has A1 and B1, the second C3 and H8; A1 is worth 5 more."""
    values = bytes([5, *bytes(63)])
    tiles = bytes([0b11, *bytes(7)]), bytes([0, 0, 0b100, *bytes(4), 0x80])
    return numlo.State(numlo.Options(size=8), tiles, values, 0, bytes(8), (1,), (1,))


def wells() -> hexcolumns.State:
    """Two wells, the first with three hexes and a piece that falls."""
    cells = bytearray(
        len(hexcolumns.start(1, hexcolumns.Options(size=6)).wells[0].cells)
    )
    cells[index(6, 0, 0)] = cell(0)
    cells[index(6, 0, 1)] = cell(4, Motif.STAR)
    cells[index(6, -5, 0)] = cell(2, Motif.BOMB)
    piece = bytes([cell(1), cell(3, Motif.PLUS), cell(5, Motif.MINUS)])
    first = Well(
        bytes(cells), level=3, clock=61, piece=piece, column=-1, height=4, score=25,
        pieces=2,
    )  # fmt: skip
    full = Well(bytes(len(cells)), over=True, resigned=True)
    return hexcolumns.State(6, (first, full), piece * 2, 2)


STATES: dict[str, Any] = {
    "networdz": networdzs,
    "lhexicon": lhexicons,
    "numlo": numlos,
    "hexagrams": lambda: hexagrams.start(2, hexagrams.Options()),
    "hexcolumns": wells,
}


def seen(game: str, seat: int) -> dict[str, Any]:
    """Return what a seat's program is told, as it reads it."""
    view = GAMES[game].view(STATES[game](), seat)
    told = msgspec.json.encode(writer(game).position(view))
    found: dict[str, Any] = msgspec.json.decode(told)
    return found


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_documentation_names_all_that_is_told_and_nothing_else(game: str) -> None:
    title, told = GAMES[game].ABOUT.title, set(keys(seen(game, 0)))
    if game == "networdz":
        told |= set(keys(writer(game).position(networdzs("single"))))
    assert told == documented(title)


def test_a_question_has_what_the_documentation_says() -> None:
    view = STATES["numlo"]()
    line = question("numlo", b"m", 0, view, 12.0, 10.0)
    assert set(msgspec.json.decode(line)) == documented("What it hears")


def test_networdz_is_told_by_squares_and_letters() -> None:
    told = seen("networdz", 1)
    assert told["tiles"] == {"8G": "C", "8H": "a", "8I": "T", "8J": "S"}
    assert (told["width"], told["height"], told["start"]) == (15, 15, "8H")
    assert told["squares"]["8H"] == "W2"
    assert told["squares"]["1A"] == "W3"
    assert "8G" not in told["squares"]
    first, second = told["players"]
    assert second["rack"] == list("EATTTTX")
    # S is drawn anew: the rack has seven tiles, of which this seat knows none.
    assert (first["seat"], first["rack"]) == (1, [None] * 7)
    assert told["pool"] == 6
    # Of SOATEE? and UVWXYZZ the S lies on the board.
    assert told["unseen"] == dict(
        zip("AEOTUVWXYZ?", (1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1), strict=True)
    )
    assert told["values"]["Q"] == 10
    assert told["values"]["?"] == 0
    assert told["last"]["laid"] == ["8J"]
    assert (told["last"]["seat"], told["last"]["exchanged"]) == (1, 0)


def test_lhexicon_is_told_by_cells_and_letters() -> None:
    told = seen("lhexicon", 1)
    # From G10 down right (H9), again (I9, the centre), again (J8), then up right.
    assert told["tiles"] == {"G10": "C", "H9": "O", "I9": "D", "J8": "E", "K9": "D"}
    assert (told["side"], told["centre"], told["challenge"]) == (9, "I9", True)
    assert told["players"][1]["rack"] == list("RUEL?AT")
    assert told["players"][0]["rack"][-2:] == [None, None]
    word = told["announced"]
    assert (word["word"], word["seat"], word["waits_for"]) == ("CODED", 1, [2])
    assert word["laid"] == ["G10", "H9", "I9", "J8", "K9"]
    assert word["challenger"] is None
    assert seen("lhexicon", 1)["unseen"]["X"] == 1


def test_numlo_is_told_by_squares_and_seats() -> None:
    assert seen("numlo", 0) == {
        "size": 8,
        "tiles": {"A1": 1, "B1": 1, "C3": 2, "H8": 2},
        "values": {"A1": 5},
        "players": [
            {"seat": 1, "colour": "blue", "points": 7, "resigned": False},
            {"seat": 2, "colour": "red", "points": 2, "resigned": True},
        ],
        "passed": [2],
    }


def test_hexagrams_is_told_by_cells_and_seats() -> None:
    told = seen("hexagrams", 0)
    white, black = "C3 E3 G3 B6 D6", "F6 H6 C9 E9 G9"
    hexads = {**dict.fromkeys(white.split(), 1), **dict.fromkeys(black.split(), 2)}
    assert told["hexads"] == hexads
    sides = {name: 1 if int(name[1:]) < 6 else 2 for name in told["triads"]}
    assert told["triads"] == sides
    assert len(sides) == 32
    assert {"C1", "B2", "B4", "A5", "A7", "B8", "B10", "C11"} <= set(sides)
    assert told["must_capture"]
    assert (told["winner"], told["ending"], told["quiet"]) == (None, "", 0)


def test_hexcolumns_is_told_by_columns_and_colours() -> None:
    told = seen("hexcolumns", 0)
    first, second = told["wells"]
    columns: dict[str, list[str]] = {str(column): [] for column in range(-5, 6)}
    assert first["columns"] == {
        **columns, "0": ["red", "blue star"], "-5": ["yellow bomb"],
    }  # fmt: skip
    assert first["piece"] == {
        "column": -1, "height": 4, "hexes": ["orange", "green plus", "violet minus"],
    }  # fmt: skip
    assert (first["points"], first["level"], first["seconds"]) == (25, 3, 3)
    assert first["next"] == []  # the radar is off
    assert second["piece"] is None
    assert second["over"]
    assert second["resigned"]


# The ways of cells that the documentation tells, against the rules' own.


def test_the_ways_of_lhexicon_are_as_the_documentation_says() -> None:
    """Walk from every cell by the six ways."""
    side, centre = 9, "I"
    names = set(cells_of_lhexicon.cells(side))
    for name in sorted(names):
        column, row = name[0], int(name[1:])
        even = (ord(column) - ord(centre)) % 2 == 0
        ways = {
            "w": (0, 1), "s": (0, -1),
            "q": (-1, 0 if even else 1), "e": (1, 0 if even else 1),
            "a": (-1, -1 if even else 0), "d": (1, -1 if even else 0),
        }  # fmt: skip
        far = abs(ord(column) - ord(centre))
        assert far // 2 + 1 <= row <= far // 2 + 2 * side - 1 - far
        for way, (right, up) in ways.items():
            target = f"{chr(ord(column) + right)}{row + up}"
            state = lhexicon.start(2, lhexicon.Options())
            reached = typed_from(state, name, way)
            assert reached == (target if target in names else None), (name, way)


def typed_from(state: Any, name: str, way: str) -> str | None:
    """Return where a word of two letters that begins at a cell ends, if it can."""
    state = matches.give(state, "ABCDEFGHIJKLMN")
    try:
        move = writer("lhexicon").read(state, 0, f"AB {name} {way}")
    except IllegalMoveError as error:
        assert "fit" in str(error)
        return None
    assert isinstance(move, lhexicon.Lay)
    return cells_of_lhexicon.cell_name(9, move.path[1])


def test_the_ways_of_triads_are_as_the_documentation_says() -> None:
    """Of a lone triad on each triangle, for both sides."""
    for seat, up in ((0, 1), (1, -1)):
        side_on, straight = ((1, 4, 7, 10), (2, 5, 8)) if seat == 0 else (
            (2, 5, 8, 11), (4, 7, 10),
        )  # fmt: skip
        for number in hexagrams.TRIANGLES:
            triads, hexads = [0, 0], [1, 1 << 9]
            triads[seat] = 1 << number
            state = hexagrams.State(seat, tuple(hexads), tuple(triads))  # type: ignore[arg-type]
            (name,) = writer("hexagrams").position(state)["triads"]
            column, row = name[0], int(name[1:])
            beyond = row + up if (row + up) % 3 else row + 2 * up
            to = set[str]()
            if row in side_on:
                to = {f"{chr(ord(column) + by)}{beyond}" for by in (-1, 1)}
            elif row in straight:
                to = {f"{column}{beyond}"}
            moves, _more = legal("hexagrams", state, seat, 99)
            found = {m.split("-")[1] for m in moves if m.startswith(f"{name}-")}
            there = {
                writer("hexagrams").position(hexagrams.State(0, (0, 0), (1 << n, 0)))
                ["triads"].popitem()[0]
                for n in hexagrams.TRIANGLES
            }  # fmt: skip
            assert found == to & there, (seat, name)


# What is listed can be written back.


def languages() -> list[Options]:
    """Return Networdz in each language, with every kind of turn."""
    found, words = editions.shipped(), lexicon.shipped()
    kinds = {"networdz": "english", **{x: x for x in ("spanish", "russian", "german")}}
    return [
        Options(
            edition=found[edition], lexicon=words[language], trade_blanks=True,
            four_of_a_kind=True,
        )
        for edition, language in kinds.items()
    ]  # fmt: skip


WORLDS: list[tuple[str, Any]] = [
    *(("networdz", each) for each in languages()),
    ("lhexicon", lhexicon.Options(side=6)),
    ("lhexicon", lhexicon.Options(side=6, challenge=True)),
    ("numlo", numlo.Options(size=8)),
    ("hexagrams", hexagrams.Options()),
    ("hexcolumns", hexcolumns.Options(size=6, attacks=True)),
]


@settings(max_examples=12, deadline=None)
@given(
    world=st.sampled_from(WORLDS), seed=st.integers(0, 2**32), length=st.integers(0, 60)
)
def test_every_move_that_is_listed_is_read_as_itself(
    world: tuple[str, Any], seed: int, length: int
) -> None:
    (game, chosen), rng = world, random.Random(seed)
    rules = GAMES[game]
    state = rules.start(2, chosen)
    while rules.actors(state):
        actor = max(rules.actors(state))
        if actor >= 0 and length <= 0:
            view = rules.view(state, actor)
            moves, _more = legal(game, view, actor, 200)
            assert len(set(moves)) == len(moves) > 0
            for words in moves:
                move = read(game, view, actor, words)
                assert written(game, view, actor, move) == words
            return
        length -= actor >= 0
        some = [m for _n, m in zip(range(60), rules.moves(state, actor), strict=False)]
        state = rules.play(state, actor, rng.choice(some))


def test_a_tile_of_several_letters_stands_in_brackets_where_it_must() -> None:
    words = "CHA CAL"
    chosen = options(words, "spanish")
    state = position("CHALAAA", "EATTTTX", bag="UVXYZZ", opts=chosen)
    laid = next(m for m in GAMES["networdz"].moves(state, 0) if is_cha(state, m))
    assert written("networdz", state, 0, laid) == "8H [C][H][A]"
    assert read("networdz", state, 0, "8H [C]HA") == laid
    with pytest.raises(IllegalMoveError, match="You have no CH left"):
        read("networdz", state, 0, "8H CHA")


def is_cha(state: Any, move: Any) -> bool:
    """Whether a move lays C, H and A across from the middle on."""
    return [one.cell for one in getattr(move, "laid", ())] == [112, 113, 114] and [
        state.tiles.kinds[0].index(shown.kind) for shown in move.shown
    ] == [0, 1, 2]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_giving_up_is_written_alike_everywhere(game: str) -> None:
    state = STATES[game]()
    assert read(game, state, 0, " Resign ") == Resign()
    assert written(game, state, 0, Resign()) == "resign"


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_no_moves_are_listed_before_the_tiles_of_the_rack_have_come(game: str) -> None:
    rules, rng = GAMES[game], random.Random(1)
    state = rules.start(2, rules.ABOUT.options())
    while CHANCE in rules.actors(state):
        state = rules.play(state, CHANCE, rng.choice(list(rules.moves(state, CHANCE))))
    (seat,) = rules.actors(state)
    moves, _more = legal(game, rules.view(state, seat), seat, 5)
    assert moves
    bystander = rules.view(state, None)  # as a seat sees its own before they are known
    assert legal(game, bystander, seat, 5) == ([], True)
