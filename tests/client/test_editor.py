"""The editor of editions: tiles, board, saving - by mouse and by keyboard."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app import edition_changes
from client.app.model import START, Ask, EditionDraft, Give, Model, Over
from client.pages import screen
from client.pages.editor_view import BRUSHES
from client.ui.intents import Click, Focus, Key, Text
from client.ui.scene import Node, find, stops
from netplay.messages import door
from netplay.messages.node_questions import OpenEdition, SaveEdition
from rules import editions
from rules.editions import BLOCKED, PLAIN
from tests.client.clicking import update
from tests.client.worlds import base, fed, named, status, table


def editor(tab: int = 0, **changes: Any) -> Model:
    opening = (Click("dictionary"), Click("editor"), Click(f"ed.tab:{tab}"))
    return fed(base(), status(**changes), *opening)


def draft(model: Model) -> EditionDraft:
    assert model.editor.draft is not None
    return model.editor.draft


def shown(model: Model, name: str) -> Node:
    node = find(screen.scene(model), name)
    assert node is not None, name
    return node


def typed(model: Model, field: str, text: str) -> Model:
    return fed(model, Focus(f"field.ed.{field}"), Key("a", ctrl=True), Text(text))


def pressed(model: Model, *keys: Key) -> Model:
    """Press keys as a window does, the keyboard given where the model asks."""
    for key in keys:
        model, effects = update(model, key)
        for effect in effects:
            if isinstance(effect, Give):
                model = fed(model, Focus(effect.name))
    return model


def saved(model: Model) -> SaveEdition:
    _model, effects = update(model, Click("ed.save"))
    (ask,) = [e.request.ask for e in effects if isinstance(e, Ask)]
    assert isinstance(ask, SaveEdition)
    return ask


def test_it_begins_with_a_copy_of_the_edition_looked_at() -> None:
    edition = draft(editor()).edition
    assert edition == replace(editions.load("networdz"), name="my-networdz")
    assert shown(editor(), "field.ed.name").value == "my-networdz"


def test_what_is_typed_is_saved_as_the_node_reads_it() -> None:
    model = editor()
    for field, text in (
        ("name", "tiny"), ("title", "Tiny"), ("rack", "5"), ("bingo", "30"),
        ("blanks", "4"), ("longest", "9"), ("language", "sv"), ("words", "swedish"),
    ):  # fmt: skip
        model = typed(model, field, text)
    asked = saved(model)
    read = editions.read(asked.text)
    assert asked.name == "tiny"
    assert (read.name, read.title, read.language, read.words) == (
        "tiny", "Tiny", "sv", "swedish",
    )  # fmt: skip
    assert (read.rack, read.bingo, read.longest, read.counts[-1]) == (5, 30, 9, 4)


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("rack", "0", "Tiles in a rack: must be from 1 to 12"),
        ("rack", "many", "Tiles in a rack: write a whole number"),
        ("rack", "-3", "Tiles in a rack: write a whole number"),
        ("bingo", "", "Bonus for a whole rack: write a whole number"),
        ("blanks", "999", "Blanks: must be from 0 to 400"),
        ("name", "Two words", "Name: write up to 32 of a-z, 0-9, - and _"),
        ("title", "", "Title: write 1 to 60 printable characters"),
        ("language", "english", "Language (en, sv ...): write a language as"),
    ],
)
def test_a_fault_is_said_in_words_and_nothing_is_saved(
    field: str, text: str, said: str
) -> None:
    model = typed(editor(), field, text)
    if not text:
        model = pressed(model, Key("a", ctrl=True), Key("backspace"))
    assert shown(model, "ed.said").text.startswith(said)
    assert not shown(model, "ed.save").enabled
    _after, effects = update(model, Click("ed.save"))
    assert not effects


def test_a_tile_is_chosen_and_changed() -> None:
    model = fed(editor(1), Click("tile:ed.4"))
    assert shown(model, "field.ed.letters").value == "E"
    model = typed(typed(typed(model, "letters", "é"), "count", "3"), "points", "7")
    assert shown(model, "tile:ed.4").value == "É 3 7"
    model = fed(model, Click("tile:ed.0"))
    assert editions.Kind("É", 3, 7) == draft(model).edition.kinds[4]
    assert shown(model, "field.ed.letters").value == "A"


def test_two_tiles_of_the_same_letters_are_refused_in_words() -> None:
    model = typed(fed(editor(1), Click("tile:ed.4")), "letters", "a")
    words = "Tiles, A: letters are capitals, and each tile another"
    assert shown(model, "ed.said").text == words


def test_a_tile_is_added_moved_and_removed() -> None:
    model = fed(editor(1), Click("tile:ed.2"), Click("ed.add"))
    before = editions.load("networdz").alphabet
    assert draft(model).edition.alphabet == (*before[:3], "À", *before[3:])
    model = typed(model, "letters", "ch")
    model = fed(model, Click("ed.earlier"), Click("ed.earlier"), Click("ed.later"))
    assert draft(model).edition.alphabet == (*before[:2], "CH", *before[2:])
    assert editions.read(saved(model).text).alphabet[2] == "CH"
    model = fed(model, Click("ed.remove"))
    assert draft(model).edition.alphabet == before


def test_a_click_changes_a_square_in_all_four_corners_and_again_back() -> None:
    model = editor(2)
    brush = f"ed.brush.{BRUSHES.index('W4')}"
    model = fed(model, Click(brush), Click("cell:ed.1.2"))
    board = draft(model).edition.board
    assert [board[r][c] for r in (1, 13) for c in (2, 12)] == ["W4"] * 4
    model = fed(model, Click("cell:ed.13.12"))
    board = draft(model).edition.board
    assert [board[r][c] for r in (1, 13) for c in (2, 12)] == [PLAIN] * 4


def test_without_symmetry_one_square_changes() -> None:
    brush = f"ed.brush.{BRUSHES.index(BLOCKED)}"
    model = fed(editor(2), Click("ed.mirror"), Click(brush), Click("cell:ed.1.2"))
    board = draft(model).edition.board
    assert (board[1][2], board[13][12]) == (BLOCKED, PLAIN)


def test_the_start_is_put_where_a_tile_may_lie() -> None:
    block = f"ed.brush.{BRUSHES.index(BLOCKED)}"
    start = f"ed.brush.{BRUSHES.index(START)}"
    model = fed(editor(2), Click(block), Click("cell:ed.2.3"))
    model = fed(model, Click(start), Click("cell:ed.2.3"))
    edition = draft(model).edition
    assert (edition.start, edition.board[2][3]) == ((2, 3), PLAIN)
    model = fed(model, Click(block), Click("cell:ed.2.3"))
    (wrong,) = editions.problems(draft(model).edition)
    assert wrong.key == "board.start"
    assert wrong.reason in shown(model, "ed.said").text


def test_the_board_grows_and_shrinks_within_its_bounds() -> None:
    model = fed(editor(2), Click("ed.rows.more"), Click("ed.columns.less"))
    edition = draft(model).edition
    assert (edition.height, edition.width) == (16, 14)
    for _ in range(40):
        model = fed(model, Click("ed.rows.less"), Click("ed.columns.less"))
    edition = draft(model).edition
    assert (edition.height, edition.width) == (editions.MIN_SIDE,) * 2
    assert edition.start == (4, 4)
    assert shown(model, "ed.save").enabled


def test_the_keyboard_alone_paints_a_square() -> None:
    model = fed(editor(2), Click(f"ed.brush.{BRUSHES.index('L4')}"))
    assert "ed.board" in {n.name for n in stops(screen.scene(model))}
    model = fed(model, Focus("ed.board"))
    model = pressed(model, Key("left"), Key("up"), Key("up"), Key("enter"))
    assert shown(model, "ed.board").value == "5,6 L4"
    assert draft(model).edition.board[9][8] == "L4"


def test_the_keyboard_alone_goes_through_the_tiles() -> None:
    model = pressed(editor(1), Key("right"), Key("down"), Key("left"))
    wide = draft(model).tile
    assert wide > 1
    assert model.focus == f"tile:ed.{wide}"
    model = pressed(model, *[Key("down")] * 9)
    assert draft(model).tile == 25
    assert find(screen.scene(model), "tile:ed.25") is not None  # it is in view


def test_the_last_tile_of_many_is_scrolled_to() -> None:
    kinds = [editions.Kind(chr(0x410 + i), 1, 1) for i in range(32)]
    many = [editions.Kind(chr(65 + i) + "Z", 1, 1) for i in range(26)]
    own = replace(
        editions.load("networdz"), kinds=(*kinds, *many, editions.Kind("?", 2, 0))
    )
    model = fed(base((800, 500)), status(), Click("dictionary"), Click("editor"))
    model = replace(model, editor=replace(model.editor, draft=EditionDraft(own, tab=1)))
    model = pressed(model, *[Key("down")] * 20)
    assert draft(model).tile == 57
    assert find(screen.scene(model), "tile:ed.57") is not None


def test_a_colour_is_typed_and_wrong_ones_are_named() -> None:
    model = typed(editor(3), "colour.W3", "#00FF00")
    assert dict(editions.read(saved(model).text).colours)["W3"] == "#00ff00"
    model = typed(model, "colour.W3", "green")
    assert {"W3:", "#rrggbb"} < {*shown(model, "ed.said").text.split()}


def test_it_starts_from_any_edition_at_hand() -> None:
    model = editor(editions=("mine",))
    place = model.edition_names.index("spanish")
    model = fed(model, Click("ed.from"), Click(f"ed.from:{place}"))
    assert draft(model).edition.name == "my-spanish"
    model = fed(model, Click("ed.from"))
    place = model.edition_names.index("mine")
    model, effects = update(model, Click(f"ed.from:{place}"))
    (ask,) = [e.request for e in effects if isinstance(e, Ask)]
    assert ask.ask == OpenEdition("mine")
    own = replace(editions.load("german"), name="mine")
    model = fed(model, door.Done(ask.id, "mine", editions.encode(own)))
    assert draft(model).edition == own


def test_a_file_is_opened_and_its_fault_named_by_line() -> None:
    *typed, there = named("/tmp/my.toml", "file")
    model = fed(editor(), Click("ed.open"), *typed)
    model, effects = update(model, there)
    (ask,) = [e.request for e in effects if isinstance(e, Ask)]
    assert ask.ask == OpenEdition("/tmp/my.toml")
    why = "/tmp/my.toml: line 7: rack: must be from 1 to 12"
    model = fed(model, door.Failed(ask.id, 30, why))
    assert shown(model, "ed.said").text == why
    assert draft(model).bad


def test_what_is_saved_to_be_played_with_is_the_next_games() -> None:
    model = typed(editor(), "name", "tiny")
    model, effects = update(model, Click("ed.use"))
    (ask,) = [e.request for e in effects if isinstance(e, Ask)]
    model = fed(model, door.Done(ask.id, "tiny is saved"))
    assert model.over is Over.NONE
    assert (model.setup.draft.game, model.setup.draft.edition) == ("networdz", "tiny")


def test_at_a_table_of_ones_own_the_terms_change_with_it() -> None:
    model = fed(base(), status(table=table()), Click("dictionary"), Click("editor"))
    model, effects = update(model, Click("ed.use"))
    (ask,) = [e.request for e in effects if isinstance(e, Ask)]
    model, effects = update(model, door.Done(ask.id, "my-networdz is saved"))
    (change,) = [e.request.ask for e in effects if isinstance(e, Ask)]
    assert isinstance(change, door.ChangeTable)
    assert change.table.edition == "my-networdz"


def test_closing_keeps_what_was_begun() -> None:
    model = typed(editor(), "rack", "9")
    model = fed(model, Focus(""), Key("escape"))
    assert model.over is Over.NONE
    model = fed(model, Click("dictionary"), Click("editor"))
    assert shown(model, "field.ed.rack").value == "9"


@given(
    st.lists(
        st.tuples(
            st.integers(0, 14), st.integers(0, 14), st.sampled_from(BRUSHES),
            st.booleans(),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_whatever_is_painted_the_board_stays_whole(
    strokes: list[tuple[int, int, str, bool]],
) -> None:
    edition = editions.load("networdz")
    for row, column, brush, mirrored in strokes:
        edition = edition_changes.brushed(
            edition, row, column, brush, mirrored=mirrored
        )
    wrong = [each.key for each in editions.problems(edition)]
    assert set(wrong) <= {"board.start"}  # which may have been blocked
    assert (edition.height, edition.width) == (15, 15)


def test_another_edition_of_the_name_is_asked_about_before_it_is_written_over() -> None:
    model = typed(editor(editions=("winter", "mine")), "name", "winter")
    asked, effects = update(model, Click("ed.save"))
    assert [e for e in effects if isinstance(e, Ask)] == []
    assert " winter " in shown(asked, "ed.said").text
    over, effects = update(asked, Click("ed.over"))
    (ask,) = [e.request.ask for e in effects if isinstance(e, Ask)]
    assert isinstance(ask, SaveEdition)
    assert ask.name == "winter"
    kept = fed(over, door.Done(max(over.asked), "saved"))
    assert saved(kept).name == "winter"  # it is this one now
    back, effects = update(asked, Click("ed.another"))
    assert effects == (Give("field.ed.name"),)
    other = typed(back, "name", "summer")
    assert saved(other).name == "summer"
    begun = typed(asked, "name", "summer")
    assert saved(begun).name == "summer"


def test_an_edition_goes_back_under_its_own_name_without_a_question() -> None:
    own = replace(editions.load("german"), name="mine")
    opened = fed(editor(editions=("mine",)), Click("ed.from"), Click("ed.from:6"))
    wanted = max(opened.asked)
    model = fed(opened, door.Done(wanted, "mine", editions.encode(own)))
    assert draft(model).edition.name == "mine"
    assert saved(model).name == "mine"
