"""What the hand does on the Networdz board, without any display."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client import networdz as shown
from client.board import Seen, Step
from client.intents import Button, Click, Drop, Key, Text
from client.networdz.local import Doing, Local
from client.scene import Rect, find, walk
from client.theme import Look
from rules import editions, lexicon, networdz
from rules.networdz import Lay, Options, Pass, State
from rules.tiles import kind_of
from tests.client.worlds import NAMES, texts
from tests.client.worlds import networdz as played

AREA = Rect(0, 0, 900, 740)
LOOK = Look()


def seen_of(moves: int = 8, seat: int | None = None, seats: int = 2) -> Seen[Any, Any]:
    state, _past = played(seats, moves)
    eye = state.turn if seat is None else seat
    return Seen(networdz.view(state, eye), eye, NAMES[:seats])


def with_rack(seen: Seen[Any, Any], letters: str) -> Seen[Any, Any]:
    """Return the view with other letters on the own rack ("?" is a blank)."""
    alphabet = (*networdz.ground(seen.view.options).alphabet, "?")
    tiles, seat = seen.view.tiles, seen.seat
    numbers = tiles.racks[seat][: len(letters)]
    kinds = tuple(alphabet.index(letter) for letter in letters)
    racks = (*tiles.racks[:seat], numbers, *tiles.racks[seat + 1 :])
    known = (*tiles.kinds[:seat], kinds, *tiles.kinds[seat + 1 :])
    fresh = replace(tiles, racks=racks, kinds=known)
    return replace(seen, view=replace(seen.view, tiles=fresh))


def after(seen: Seen[Any, Any], local: Local, *intents: Any) -> tuple[Local, Any]:
    move = None
    for intent in intents:
        local, move = shown.handle(seen, local, intent)
    return local, move


def a_lay(seen: Seen[Any, Any]) -> Lay:
    found = next(
        m
        for m in networdz.moves(seen.view, seen.seat)
        if isinstance(m, Lay) and len(m.laid) > 1
    )
    assert isinstance(found, Lay)
    return found


def dropped(lay: Lay) -> list[Drop]:
    return [Drop(f"tile:{each.tile}", f"cell:{each.cell}") for each in lay.laid]


def test_tiles_dropped_and_done_make_the_move_that_the_rules_list() -> None:
    seen = seen_of()
    lay = a_lay(seen)
    local, move = after(seen, shown.begin(seen), *dropped(lay), Click("done"))
    assert move == lay
    assert local.laid


def test_a_tile_clicked_and_then_a_cell_is_the_same_as_a_drag() -> None:
    seen = seen_of()
    lay = a_lay(seen)
    clicks = [
        Click(name)
        for each in lay.laid
        for name in (f"tile:{each.tile}", f"cell:{each.cell}")
    ]
    _local, move = after(seen, shown.begin(seen), *clicks, Key("enter"))
    assert move == lay


def test_the_score_and_words_are_told_before_committing() -> None:
    seen = seen_of()
    lay = a_lay(seen)
    local, _move = after(seen, shown.begin(seen), *dropped(lay))
    verdict = networdz.judge(seen.view, seen.seat, lay.laid)
    assert f"{verdict.points} points" in shown.status(seen, local)
    assert verdict.lines[0].word in shown.status(seen, local)
    scene = shown.scene(seen, local, AREA, LOOK)
    badge = find(scene, "tentative")
    assert badge is not None
    assert badge.text == str(verdict.points)


def test_a_refusal_is_told_in_the_documents_words_and_sends_nothing() -> None:
    seen = with_rack(seen_of(0), "QQQQQQQ")
    tiles = seen.view.tiles.racks[seen.seat]
    local = shown.begin(seen)
    cases = {
        "No tiles played": (),
        "Word must cover center square": (0, 1),
        "Your tiles are not in a line": (112, 128),
        "Only one word allowed": (112, 114),
        "QQ is not in the dictionary": (112, 113),
    }
    for words, cells in cases.items():
        drops = [
            Drop(f"tile:{tile}", f"cell:{cell}")
            for tile, cell in zip(tiles, cells, strict=False)
        ]
        laid, move = after(seen, local, *drops, Click("done"))
        assert move is None
        assert shown.status(seen, laid) == words


def test_a_refused_play_is_a_lost_turn_in_a_tournament() -> None:
    seen = with_rack(seen_of(0), "QQQQQQQ")
    options = replace(seen.view.options, tournament=True)
    seen = replace(seen, view=replace(seen.view, options=options))
    one, two = seen.view.tiles.racks[seen.seat][:2]
    drops = [Drop(f"tile:{one}", "cell:112"), Drop(f"tile:{two}", "cell:113")]
    _local, move = after(seen, shown.begin(seen), *drops, Click("done"))
    assert isinstance(move, Lay)


def test_right_click_and_escape_take_all_tiles_back() -> None:
    seen = seen_of()
    lay = a_lay(seen)
    for intent in (Key("escape"), Click("", Button.RIGHT), Click("recall")):
        local, _move = after(seen, shown.begin(seen), *dropped(lay), intent)
        assert local.laid == ()


def test_a_double_click_takes_one_tile_back() -> None:
    seen = seen_of()
    lay = a_lay(seen)
    name = f"tile:{lay.laid[0].tile}"
    local, _move = after(
        seen, shown.begin(seen), *dropped(lay), Click(name), Click(name, count=2)
    )
    assert len(local.laid) == len(lay.laid) - 1
    assert all(each.tile != lay.laid[0].tile for each in local.laid)


def test_a_laid_tile_moves_between_squares_and_back_to_the_rack() -> None:
    seen = seen_of(0)
    tile = seen.view.tiles.racks[seen.seat][0]
    local, _move = after(
        seen, shown.begin(seen),
        Drop(f"tile:{tile}", "cell:3"), Drop(f"tile:{tile}", "cell:4"),
    )  # fmt: skip
    assert [each.cell for each in local.laid] in ([4], [])
    local, _move = after(seen, local, Drop(f"tile:{tile}", "rack:5"))
    assert local.laid == ()
    assert local.order[5] == tile


def test_a_square_takes_one_tile_only() -> None:
    seen = with_rack(seen_of(0), "ABCDEFG")
    one, two = seen.view.tiles.racks[seen.seat][:2]
    local, _move = after(
        seen, shown.begin(seen),
        Drop(f"tile:{one}", "cell:3"), Drop(f"tile:{two}", "cell:3"),
    )  # fmt: skip
    assert [(each.tile, each.cell) for each in local.laid] == [(one, 3)]


def test_rack_order_and_laid_tiles_survive_the_others_move() -> None:
    state, _past = played(2, 8)
    me = 1 - state.turn
    seen = Seen(networdz.view(state, me), me, NAMES[:2])
    tile = seen.view.tiles.racks[me][2]
    free = next(cell for cell in range(225) if not state.letters[cell])
    local, _move = after(
        seen, shown.begin(seen),
        Drop(f"tile:{seen.view.tiles.racks[me][6]}", "rack:0"),
        Drop(f"tile:{tile}", f"cell:{free}"),
    )  # fmt: skip
    assert local.laid
    moved = networdz.play(state, state.turn, Pass())
    later = Seen(networdz.view(moved, me), me, NAMES[:2])
    kept = shown.renew(later, local)
    assert kept.order == local.order
    assert kept.laid == local.laid


def test_a_laid_tile_goes_back_if_its_square_was_taken() -> None:
    seen = seen_of()
    cell = next(i for i, letter in enumerate(seen.view.letters) if not letter)
    local, _move = after(
        seen, shown.begin(seen),
        Drop(f"tile:{seen.view.tiles.racks[seen.seat][0]}", f"cell:{cell}"),
    )  # fmt: skip
    letters = bytearray(seen.view.letters)
    letters[cell] = 1
    later = replace(seen, view=replace(seen.view, letters=bytes(letters)))
    assert shown.renew(later, local).laid == ()


@given(st.text("ABCDE", min_size=2, max_size=7))
def test_a_shuffle_never_leaves_the_rack_as_it_was(letters: str) -> None:
    seen = with_rack(seen_of(0), letters)
    local = shown.begin(seen)
    for _ in range(4):
        fresh, _move = after(seen, local, Click("shuffle"))
        assert sorted(fresh.order) == sorted(local.order)
        before = [kind_of(seen.view.tiles, tile) for tile in local.order]
        now = [kind_of(seen.view.tiles, tile) for tile in fresh.order]
        assert now != before or len(set(letters)) == 1
        local = fresh


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


def test_a_letter_that_is_not_there_is_taken_by_the_blank() -> None:
    seen = with_rack(seen_of(0), "CA?XXXX")
    local, _move = after(seen, shown.begin(seen), Click("cell:112"), Text("caz"))
    ground = networdz.ground(seen.view.options)
    assert ground.alphabet[local.laid[2].letter] == "Z"
    local, _move = after(seen, local, Text("q"))
    assert shown.status(seen, local) == "You have no Q"


def test_a_dropped_blank_asks_for_its_letter_by_mouse_and_by_key() -> None:
    seen = with_rack(seen_of(0), "?BCDEFG")
    blank = seen.view.tiles.racks[seen.seat][0]
    local, _move = after(seen, shown.begin(seen), Drop(f"tile:{blank}", "cell:112"))
    assert local.doing is Doing.NAMING
    assert find(shown.scene(seen, local, AREA, LOOK), "blank") is not None
    for intent, letter in ((Click("letter:3"), 3), (Text("d"), 3)):
        named, _move = after(seen, local, intent)
        assert named.laid[0].letter == letter
        assert named.doing is Doing.PLAYING
    back, _move = after(seen, local, Key("escape"))
    assert back.laid == ()
    assert back.doing is Doing.PLAYING


def test_a_blank_lies_grey_and_without_points() -> None:
    seen = with_rack(seen_of(0), "?BCDEFG")
    blank = seen.view.tiles.racks[seen.seat][0]
    local, _move = after(
        seen, shown.begin(seen), Drop(f"tile:{blank}", "cell:112"), Text("z")
    )
    tile = find(shown.scene(seen, local, AREA, LOOK), f"tile:{blank}")
    assert tile is not None
    assert (tile.text, tile.corner, tile.fg) == ("Z", "", LOOK.theme.blank)


def test_passing_discards_by_drag_click_and_letter_and_goes_back() -> None:
    seen = with_rack(seen_of(), "ABCDEFG")
    one, two, three = seen.view.tiles.racks[seen.seat][:3]
    local, move = after(
        seen, shown.begin(seen), Click("pass"),
        Drop(f"tile:{one}", "pile"), Click(f"tile:{two}"), Text("c"), Click("done"),
    )  # fmt: skip
    assert move == Pass(tuple(sorted((one, two, three))))
    local, _move = after(seen, local, Drop(f"tile:{one}", "rack:0"))
    assert set(local.discards) == {two, three}
    local, _move = after(seen, local, Click("pass"))
    assert local.doing is Doing.PLAYING
    assert local.discards == ()


def test_no_more_tiles_are_discarded_than_the_pool_holds() -> None:
    seen = seen_of()
    tiles = replace(seen.view.tiles, end=seen.view.tiles.first + 2)
    seen = replace(seen, view=replace(seen.view, tiles=tiles))
    rack = seen.view.tiles.racks[seen.seat]
    drops = [Click(f"tile:{tile}") for tile in rack]
    local, _move = after(seen, shown.begin(seen), Click("pass"), *drops)
    assert len(local.discards) == 2


def test_a_tile_is_traded_for_its_blank_on_the_board() -> None:
    seen = with_rack(seen_of(), "ABCDEFG")
    view: State = seen.view
    ground = networdz.ground(view.options)
    cell = next(i for i, letter in enumerate(view.letters) if letter)
    letters, kinds = bytearray(view.letters), bytearray(view.kinds)
    letters[cell], kinds[cell] = 1 + ground.alphabet.index("B"), 1 + ground.blank
    view = replace(
        view, letters=bytes(letters), kinds=bytes(kinds), blanks=((cell, 999),),
        options=replace(view.options, trade_blanks=True),
    )  # fmt: skip
    seen = replace(seen, view=view)
    tile = view.tiles.racks[seen.seat][1]
    _local, move = after(seen, shown.begin(seen), Drop(f"tile:{tile}", f"cell:{cell}"))
    assert isinstance(move, networdz.Trade)
    assert move.cell == cell


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
    seen = Seen(networdz.view(state, 0), 0, ("Ana",))
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


@pytest.mark.parametrize("seat", [0, 1, None])
def test_no_letter_of_another_rack_is_anywhere_in_the_scene(seat: int | None) -> None:
    """States that differ in what this seat cannot see make the same tree."""
    state, _past = played(2, 8)
    for other in range(2):
        if other == seat:
            continue
        kinds = list(state.tiles.kinds)
        kinds[other] = tuple(25 - kind if kind < 26 else 0 for kind in kinds[other])
        swapped = replace(state, tiles=replace(state.tiles, kinds=tuple(kinds)))
        trees = []
        for each in (state, swapped):
            seen = Seen(networdz.view(each, seat), seat, NAMES[:2])
            local = shown.begin(seen)
            tree = shown.scene(seen, local, AREA, LOOK)
            trees.append((tree, shown.status(seen, local), shown.sheets(seen)))
        assert trees[0] == trees[1]


def test_a_bystander_sees_the_board_and_has_no_rack() -> None:
    state, _past = played(2, 8)
    seen = Seen(networdz.view(state, None), None, NAMES[:2])
    local = shown.begin(seen)
    scene = shown.scene(seen, local, AREA, LOOK)
    assert find(scene, "rack") is None
    assert not any(node.name.startswith("tile:") for node in walk(scene))
    assert after(seen, local, Click("done"))[1] is None
    assert "tiles in the pool" in texts(scene)


def test_the_last_move_is_marked_on_the_board() -> None:
    seen = seen_of()
    scene = shown.scene(seen, shown.begin(seen), AREA, LOOK)
    for cell in seen.view.last.cells:
        node = find(scene, f"cell:{cell}")
        assert node is not None
        assert node.edge == LOOK.theme.latest


def test_every_move_of_a_match_has_a_line_or_is_a_hidden_draw() -> None:
    _state, past = played(2, 40)
    for before, actor, move in past:
        eye = networdz.view(before, 0)
        masked = networdz.mask(before, actor, move, 0)
        line = shown.tell(Step(eye, actor, masked), NAMES[:2])
        hidden = type(move).__name__ in ("Reveal", "Show")
        assert bool(line) != hidden, move


def test_no_move_goes_out_while_the_table_is_not_live() -> None:
    seen = replace(seen_of(), live=False)
    lay = a_lay(seen)
    local, move = after(seen, shown.begin(seen), *dropped(lay), Click("done"))
    assert move is None
    assert "not ready" in shown.status(seen, local)


def by_hand(moves: int) -> Seen[Any, Any]:
    """Return a view just before and after a draw, for somebody who draws by hand."""
    state, past = played(2, moves)
    steps = tuple(
        Step(networdz.view(b, 0), a, networdz.mask(b, a, m, 0)) for b, a, m in past
    )
    return Seen(networdz.view(state, 0), 0, NAMES[:2], steps, by_hand=True)


def test_the_start_and_the_first_rack_are_drawn_by_hand() -> None:
    seen = by_hand(0)
    local = shown.begin(seen)
    assert local.doing is Doing.LOTS
    assert "lowest" in shown.status(seen, local)
    assert not any(
        n.name.startswith("tile:") for n in walk(shown.scene(seen, local, AREA, LOOK))
    )
    local, _move = after(seen, local, Click("pool:4"))
    assert "starts" in shown.status(seen, local)
    for i in range(7):
        assert local.doing is Doing.DRAWING
        node = find(shown.scene(seen, local, AREA, LOOK), f"pool:{i}")
        assert node is not None
        picks: tuple[Any, ...] = (
            Click(f"pool:{i}"),
            Drop(f"pool:{i}", "rack:0"),
            Key("enter"),
        )
        local, _move = after(seen, local, picks[i % 3])
    assert local.doing is Doing.PLAYING
    rack = [
        n
        for n in walk(shown.scene(seen, local, AREA, LOOK))
        if n.name.startswith("tile:")
    ]
    assert len(rack) == 7


def test_nothing_can_be_played_before_all_tiles_are_drawn_by_hand() -> None:
    seen = by_hand(0)
    local, _move = after(seen, shown.begin(seen), Click("pool:0"), Click("pool:1"))
    left = len(local.unseen)
    local, move = after(
        seen, local, Click("done"), Key("escape"), Text("abc"), Drop("pool:5", "cell:3")
    )
    assert move is None
    assert len(local.unseen) == left
    assert local.laid == ()


def test_tiles_drawn_after_a_turn_wait_in_the_pool() -> None:
    state, _past = played(2, 8)
    me = state.turn
    seen = Seen(networdz.view(state, me), me, NAMES[:2], by_hand=True)
    local = shown.begin(replace(seen, by_hand=False))
    lay = a_lay(seen)
    after_ = networdz.play(state, me, lay)
    later = Seen(
        networdz.view(after_, me),
        me,
        NAMES[:2],
        (Step(seen.view, me, lay),),
        by_hand=True,
    )
    fresh = shown.renew(later, local)
    assert fresh.doing is Doing.DRAWING
    assert len(fresh.unseen) == len(lay.laid)


def test_anothers_tiles_fly_to_the_board_and_stay_there() -> None:
    state, _past = played(2, 8)
    me = 1 - state.turn
    seen = Seen(networdz.view(state, me), me, NAMES[:2], now=5.0, pace=1.0)
    local = shown.begin(seen)
    assert not shown.busy(seen, local)
    other = replace(seen, seat=state.turn, view=networdz.view(state, state.turn))
    lay = a_lay(other)
    moved = networdz.play(state, state.turn, lay)
    later = replace(seen, view=networdz.view(moved, me))
    flying = shown.renew(later, local)
    assert shown.busy(later, flying)
    cell = lay.laid[0].cell
    tree = shown.scene(later, flying, AREA, LOOK)
    bare = find(tree, f"cell:{cell}")
    assert bare is not None
    assert not bare.text
    assert all(AREA.holds(n.rect) for n in walk(tree))
    landed = replace(later, now=6.5)
    assert not shown.busy(landed, flying)
    there = find(shown.scene(landed, flying, AREA, LOOK), f"cell:{cell}")
    assert there is not None
    assert there.text
    assert not shown.busy(replace(later, pace=0.0), flying)
