"""What is typed on the Networdz board, in every edition's letters."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from client import networdz as shown
from client.app.board import Seen
from client.networdz import text as spoken
from client.networdz.local import Doing
from client.ui.intents import Click, Drop, Key, Text
from rules import editions, lexicon, networdz
from rules.networdz import Options
from rules.tiles import kind_of
from tests.client.networdz_hands import after, seen_of, with_rack


def holding(edition: str, *faces: str) -> Seen[Any, Any]:
    """Return an empty board of an edition with these tiles on the rack."""
    options = Options(
        edition=editions.shipped()[edition],
        lexicon=lexicon.shipped()[editions.load(edition).words],
    )
    state = networdz.start(1, options)
    rng = random.Random(3)
    while not state.tiles.racks[0] or -2 in state.tiles.kinds[0]:
        move = rng.choice(list(networdz.moves(state, -1)))
        state = networdz.play(state, -1, move)
    alphabet = (*networdz.ground(options).alphabet, "?")
    tiles = state.tiles
    fresh = replace(
        tiles,
        kinds=(tuple(map(alphabet.index, faces)),),
        racks=(tiles.racks[0][: len(faces)],),
    )
    return Seen(networdz.view(replace(state, tiles=fresh), 0), 0, ("Ana",))


def test_typing_lays_tiles_along_the_arrow_and_backspace_takes_them_back() -> None:
    seen = with_rack(seen_of(0), "CATDOGS")
    local, _move = after(seen, shown.begin(seen), Click("cell:110"), Text("cat"))
    assert [each.cell for each in local.laid] == [110, 111, 112]
    assert local.cursor == 113
    local, _move = after(seen, local, Key("backspace"))
    assert [each.cell for each in local.laid] == [110, 111]
    assert local.cursor == 112


def test_the_arrow_turns_down_and_away_with_clicks_and_with_space() -> None:
    seen = with_rack(seen_of(0), "CATDOGS")
    local, _move = after(seen, shown.begin(seen), Click("cell:7"), Click("cell:7"))
    assert local.down
    typed, _move = after(seen, local, Text("dog"))
    assert [each.cell for each in typed.laid] == [7, 22, 37]
    local, _move = after(seen, local, Click("cell:7"))
    assert local.cursor == -1
    local, _move = after(seen, local, Click("cell:7"), Text(" "))
    assert local.down


def test_typing_skips_tiles_that_lie_there_already() -> None:
    seen = seen_of()
    taken = next(
        i
        for i in range(225)
        if seen.view.letters[i] and i % 15 and not seen.view.letters[i - 1]
        and i % 15 < 13
    )  # fmt: skip
    seen = with_rack(seen, "AEIOUAE")
    local, _move = after(
        seen, shown.begin(seen), Click(f"cell:{taken - 1}"), Text("ae")
    )
    cells = [each.cell for each in local.laid]
    assert cells[0] == taken - 1
    assert cells[1] > taken
    assert all(not seen.view.letters[cell] for cell in cells)


def lying(seen: Seen[Any, Any], word: str, first: int) -> Seen[Any, Any]:
    """Return the view with a word on the board, to the right from a cell on."""
    alphabet = networdz.ground(seen.view.options).alphabet
    letters, kinds = bytearray(seen.view.letters), bytearray(seen.view.kinds)
    for cell, face in enumerate(word, first):
        letters[cell] = kinds[cell] = alphabet.index(face) + 1
    view = replace(seen.view, letters=bytes(letters), kinds=bytes(kinds))
    return replace(seen, view=view)


@pytest.mark.parametrize(
    ("there", "typed", "laid"),
    [
        ("I", "foil", "FOL"),  # the whole word: the I is that of the board
        ("I", "fol", "FOL"),  # only what is missing
        ("I", "foiil", "FOIL"),  # a second I is one's own
        ("I", "fooil", "FOOIL"),  # what is not next is one's own, and what follows it
        ("IL", "foilio", "FOIO"),
        ("IL", "foio", "FOO"),  # a part of what lies there
        ("IL", "folio", "FOLIO"),
    ],
)
def test_a_letter_just_jumped_over_may_be_typed_and_is_not_laid_again(
    there: str, typed: str, laid: str
) -> None:
    seen: Seen[Any, Any] = lying(with_rack(seen_of(0), "FOOILOX"), there, 114)
    alphabet = networdz.ground(seen.view.options).alphabet
    local, _move = after(seen, shown.begin(seen), Click("cell:112"), Text(typed))
    assert "".join(alphabet[each.letter] for each in local.laid) == laid
    cells = [cell for cell in range(112, 125) if not seen.view.letters[cell]]
    assert [each.cell for each in local.laid] == cells[: len(laid)]


def test_a_word_that_begins_with_letters_on_the_board_is_typed_from_there() -> None:
    seen = lying(with_rack(seen_of(0), "FOILSAX"), "FO", 112)
    local, _move = after(seen, shown.begin(seen), Click("cell:112"), Text("foil"))
    assert [each.cell for each in local.laid] == [114, 115]
    local, _move = after(seen, shown.begin(seen), *[Click("cell:113")] * 2, Text("ox"))
    assert [each.cell for each in local.laid] == [128]
    assert local.down


def test_after_the_arrow_was_moved_each_letter_is_laid() -> None:
    seen = lying(with_rack(seen_of(0), "FOOILOX"), "I", 114)
    begun = Click("cell:112"), Text("fo")
    for intent in (Key("right"), Text(" "), Click("cell:130")):
        local, _move = after(seen, shown.begin(seen), *begun, intent, Text("i"))
        assert len(local.laid) == 3


def test_the_arrow_stands_on_a_letter_that_lies_there_and_words_begin_with_it() -> None:
    seen = lying(with_rack(seen_of(0), "FOOILOX"), "I", 114)
    keys = Click("cell:112"), Key("right"), Key("right")
    local, _move = after(seen, shown.begin(seen), *keys)
    assert local.cursor == 114
    assert spoken.aloud(seen, local)[0].startswith("8J across: I")
    for typed in ("f", "if"):  # with the letter there, or without
        laid, _move = after(seen, local, Text(typed))
        assert [each.cell for each in laid.laid] == [115]
    local, _move = after(seen, local, Key("right"))
    assert local.cursor == 115
    local, _move = after(seen, local, Key("left"), Key("left"))
    assert local.cursor == 113


def test_which_way_a_word_goes_is_said_with_the_arrow() -> None:
    seen = with_rack(seen_of(0), "CATDOGS")
    local, _move = after(seen, shown.begin(seen), Click("cell:112"))
    right = shown.status(seen, local)
    assert right != shown.status(seen, shown.begin(seen))
    for recall in (Key("escape"), Click("recall")):
        local, _move = after(seen, local, Text("cat"), recall, Click("cell:112"))
        assert shown.status(seen, local) == right, "it is there as before"
    local, _move = after(seen, local, Click("cell:112"))
    assert shown.status(seen, local) != right
    assert local.down
    local, _move = after(seen, local, Text("cat"))
    assert shown.status(seen, local) == "CAT: 12 points"


def test_a_letter_that_is_not_there_is_taken_by_the_blank() -> None:
    seen = with_rack(seen_of(0), "CA?XXXX")
    local, _move = after(seen, shown.begin(seen), Click("cell:112"), Text("caz"))
    ground = networdz.ground(seen.view.options)
    assert ground.alphabet[local.laid[2].letter] == "Z"
    local, _move = after(seen, local, Text("q"))
    assert shown.status(seen, local).endswith(" Q")


@pytest.mark.parametrize(
    ("edition", "faces", "text", "wanted"),
    [
        ("french", ("E", "T", "O"), "été"[:2], "E T"),
        ("french", ("C", "A"), "ça", "C A"),
        ("french", ("O", "E", "S"), "œ", "O E"),
        ("german", ("A", "Ä"), "ä", "Ä"),
        ("german", ("A", "Ä"), "a", "A"),
        ("german", ("S", "A", "S"), "ß", "S S"),
        ("spanish", ("N", "Ñ"), "ñ", "Ñ"),
        ("spanish", ("A", "E"), "á", "A"),
        ("spanish", ("CH", "A", "L"), "cha", "CH A"),
        ("spanish", ("C", "?", "A"), "cha", "?CH A"),
        ("spanish", ("?", "A", "H"), "cha", "?CH A"),
        ("spanish", ("C", "H", "CH", "?"), "ch", "CH"),
        ("spanish", ("R", "RR", "A"), "arr", "A RR"),
        ("russian", ("Е", "Ж"), "ёж", "Е Ж"),
        ("russian", ("Ё", "Ж"), "еж", "Ё Ж"),
        ("russian", ("Е", "Ё"), "ё", "Ё"),
        ("russian", ("Е", "Ё"), "Е", "Е"),
        ("russian", ("Ж", "?"), "ёж", "?Е Ж"),
    ],
)
def test_letters_are_typed_as_the_edition_has_them(
    edition: str, faces: tuple[str, ...], text: str, wanted: str
) -> None:
    seen = holding(edition, *faces)
    ground = networdz.ground(seen.view.options)
    local, _move = after(seen, shown.begin(seen), *map(Text, text))
    laid = [
        ("?" if kind_of(seen.view.tiles, each.tile) == ground.blank else "")
        + ground.alphabet[each.letter]
        for each in local.laid
    ]
    assert " ".join(laid) == wanted
    assert len({each.tile for each in local.laid}) == len(local.laid)


@pytest.mark.parametrize(
    ("edition", "text", "letter"),
    [("french", "é", "E"), ("spanish", "ñ", "Ñ"), ("russian", "ё", "Е")],
)
def test_a_blank_is_named_by_a_key_of_the_language(
    edition: str, text: str, letter: str
) -> None:
    seen = holding(edition, "?", "A" if edition != "russian" else "А")
    ground = networdz.ground(seen.view.options)
    blank = seen.view.tiles.racks[0][0]
    drop = Drop(f"tile:{blank}", f"cell:{ground.start}")
    local, _move = after(seen, shown.begin(seen), drop)
    assert local.doing is Doing.NAMING
    local, _move = after(seen, local, Text(text))
    assert [ground.alphabet[each.letter] for each in local.laid] == [letter]


@pytest.mark.parametrize(
    ("edition", "faces", "text", "place"),
    [
        ("spanish", ("C", "CH"), "c", 0),
        ("spanish", ("L", "CH"), "c", 1),
        ("french", ("T", "E"), "é", 1),
        ("russian", ("Ж", "Ё"), "е", 1),
        ("russian", ("Ж", "?"), "?", 1),
    ],
)
def test_tiles_are_discarded_by_the_keys_of_the_language(
    edition: str, faces: tuple[str, ...], text: str, place: int
) -> None:
    seen = holding(edition, *faces)
    local, _move = after(seen, shown.begin(seen), Click("pass"), Text(text))
    assert local.discards == (seen.view.tiles.racks[0][place],)


def test_spanish_digraphs_are_typed_letter_by_letter() -> None:
    options = Options(
        edition=editions.shipped()["spanish"], lexicon=lexicon.shipped()["spanish"]
    )
    state = networdz.start(1, options)
    rng = random.Random(3)
    while not state.tiles.racks[0] or -2 in state.tiles.kinds[0]:
        move = rng.choice(list(networdz.moves(state, -1)))
        state = networdz.play(state, -1, move)
    seen: Seen[Any, Any] = Seen(networdz.view(state, 0), 0, ("Ana",))
    ground = networdz.ground(options)
    alphabet = (*ground.alphabet, "?")

    def racked(*faces: str) -> Seen[Any, Any]:
        tiles = seen.view.tiles
        kinds = (tuple(alphabet.index(face) for face in faces),)
        racks = (tiles.racks[0][: len(faces)],)
        fresh = replace(tiles, kinds=kinds, racks=racks)
        return replace(seen, view=replace(seen.view, tiles=fresh))

    for faces, text, wanted in (
        (("CH", "A", "L"), "cha", ["CH", "A"]),
        (("C", "CH", "A"), "cha", ["CH", "A"]),
        (("LL", "A", "O"), "alla"[:3], ["A", "LL"]),
        (("Ñ", "A", "O"), "ñ", ["Ñ"]),
    ):
        now = racked(*faces)
        local, _move = after(now, shown.begin(now), Click("cell:112"), Text(text))
        assert [alphabet[each.letter] for each in local.laid] == wanted
