"""What the hand does on the Networdz board, without any display."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client import networdz as shown
from client.app.board import Seen, Step
from client.networdz.local import Doing
from client.pages import screen
from client.ui import texts as texts_of
from client.ui.intents import Button, Click, Drop, Key, Text
from client.ui.scene import find, walk
from netplay import language
from netplay.language import LANGUAGES
from netplay.sentences import Says
from rules import networdz
from rules.networdz import Lay, Pass, State
from rules.tiles import bag_size, kind_of
from tests.client.networdz_hands import (
    AREA,
    LOOK,
    a_lay,
    after,
    dropped,
    seen_of,
    with_rack,
)
from tests.client.worlds import NAMES, base, fed, in_match
from tests.client.worlds import networdz as played
from tests.said import says


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
        laid, move = after(seen, local, *drops, Key("enter"))
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


def test_why_another_lost_the_turn_is_said_in_the_players_language() -> None:
    seen = with_rack(seen_of(0), "QQQQQQQ")
    options = replace(seen.view.options, tournament=True)
    before = replace(seen.view, options=options)
    one, two = before.tiles.racks[seen.seat][:2]
    drops = [Drop(f"tile:{one}", "cell:112"), Drop(f"tile:{two}", "cell:113")]
    seen = replace(seen, view=before)
    _local, move = after(seen, shown.begin(seen), *drops, Click("done"))
    assert move is not None
    lost = networdz.play(before, seen.seat, move)
    other = 1 - seen.seat
    view = networdz.view(lost, other)
    step = Step(networdz.view(before, other), seen.seat, move)
    told = Seen(view, other, NAMES[:2], (step,))
    language.speak("de")
    try:
        said = shown.status(told, shown.begin(told))
    finally:
        language.speak("en")
    assert " QQ " in said
    assert not says(said, Says.NO_WORD)  # which is English


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


def test_a_newcomer_finds_how_tiles_are_exchanged() -> None:
    seen = with_rack(seen_of(), "ABCDEFG")
    one, two = seen.view.tiles.racks[seen.seat][:2]
    local = shown.begin(seen)
    assert "PASS" in shown.status(seen, local)
    local, _move = after(seen, local, Click("pass"))
    done = find(shown.scene(seen, local, AREA, LOOK), "done")
    assert done is not None
    assert done.text == "DONE"
    local, _move = after(seen, local, Click(f"tile:{one}"), Click(f"tile:{two}"))
    chosen = find(shown.scene(seen, local, AREA, LOOK), "done")
    assert chosen is not None
    assert (chosen.text, chosen.rect) == ("EXCHANGE 2 TILES", done.rect)
    step = Step(seen.view, seen.view.turn, Pass((one, two)))
    assert shown.tell(step, NAMES) == f"{NAMES[seen.view.turn]}: exchanges 2 tiles"


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
    pool = find(scene, "pool")
    assert pool is not None
    assert pool.text.startswith(f"{bag_size(state.tiles)} ")


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
    local, move = after(seen, shown.begin(seen), *dropped(lay), Key("enter"))
    assert move is None
    assert shown.status(seen, local) == local.notice != ""


def test_a_laid_tile_stays_where_it_lies_if_it_is_dropped_on_another() -> None:
    seen = with_rack(seen_of(0), "ABCDEFG")
    one, two = seen.view.tiles.racks[seen.seat][:2]
    drops = [Drop(f"tile:{one}", "cell:112"), Drop(f"tile:{two}", "cell:113")]
    laid, _move = after(seen, shown.begin(seen), *drops)
    again, _move = after(seen, laid, Drop(f"tile:{one}", "cell:113"))
    assert {(each.tile, each.cell) for each in again.laid} == {(one, 112), (two, 113)}


def test_a_blank_keeps_its_letter_where_it_is_moved_on_the_board() -> None:
    seen = with_rack(seen_of(0), "?BCDEFG")
    blank = seen.view.tiles.racks[seen.seat][0]
    drop = Drop(f"tile:{blank}", "cell:112")
    named, _move = after(seen, shown.begin(seen), drop, Text("e"))
    moved, _move = after(seen, named, Drop(f"tile:{blank}", "cell:128"))
    assert moved.doing is Doing.PLAYING
    assert [each.letter for each in moved.laid] == [named.laid[0].letter]


def test_who_has_four_of_a_kind_may_discard_one_and_keep_the_rest() -> None:
    seen = with_rack(seen_of(0), "AAAABCD")
    options = replace(seen.view.options, four_of_a_kind=True)
    seen = replace(seen, view=replace(seen.view, options=options))
    last = seen.view.tiles.racks[seen.seat][-1]
    clicks = Click("pass"), Click(f"tile:{last}"), Click("done")
    _local, move = after(seen, shown.begin(seen), *clicks)
    assert move == Pass((last,))


def test_discards_chosen_in_a_turn_that_was_lost_are_not_sent_with_the_next() -> None:
    seen = seen_of(8)
    held = seen.view.tiles.racks[seen.seat]
    opened, _move = after(
        seen, shown.begin(seen), Click("pass"), Click(f"tile:{held[0]}")
    )
    assert opened.discards == (held[0],)
    lost = replace(seen, view=replace(seen.view, turn=1 - seen.seat))
    local = shown.renew(lost, opened)
    assert (local.doing, local.discards) == (Doing.PLAYING, ())
    _local, move = after(seen, shown.renew(seen, local), Key("enter"))
    assert move is None


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("size", [(800, 500), (1024, 600), (1280, 800), (360, 740)])
def test_the_discard_pile_covers_no_tile_of_the_rack(
    size: tuple[int, int], spoken: str
) -> None:
    texts_of.speak(spoken)
    try:
        model = fed(in_match(base(size), "networdz", 2, 0), Click("pass"))
        page = screen.scene(model)
    finally:
        texts_of.speak("en")
    pile = find(page, "pile")
    assert pile is not None
    named = ("tile:", "done", "pass")
    held = [one for one in walk(page) if one.name.startswith(named)]
    assert len(held) == 9
    for one in held:
        apart = one.rect.right <= pile.rect.x or one.rect.x >= pile.rect.right
        above = one.rect.bottom <= pile.rect.y or one.rect.y >= pile.rect.bottom
        assert apart or above, one.name
