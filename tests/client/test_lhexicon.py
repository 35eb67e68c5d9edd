"""What the hand does on the Lhexicon board, phase by phase, without any display."""

from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from client import lhexicon as shown
from client.app.board import Seen
from client.app.input import Hand
from client.lhexicon.local import Doing, Local, Phase, phase
from client.ui.intents import Click, Drop, Hover, Lift
from client.ui.scene import walk
from client.window.loop import plain
from rules import lhexicon
from rules.lhexicon import Lay, Options
from tests.client import games
from tests.client.clicking import handle
from tests.client.games import RIGHT, cell, drops, marks
from tests.client.lhexicon_hands import (
    LOOK,
    after,
    coded,
    leveled,
    move_of,
    node,
    said,
    scene,
    seen_of,
    tile,
)
from tests.rules.lhexicon import worked

# The five phases with two buttons, as the source document has them


def test_the_document_s_word_is_laid_marked_and_scored_with_two_buttons() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(seen, *marks(worked.CODDLE), local=local)
    move = move_of(seen, local, RIGHT)
    assert isinstance(move, Lay)
    state, _past = games.leveled()
    assert lhexicon.play(state, 1, move).scores == (29, 9 + 18)


def test_the_phases_follow_one_another() -> None:
    seen = coded()
    local = shown.begin(seen)
    assert phase(seen, local) is Phase.IDLE
    first, *rest = drops(seen.view, 0, worked.CODED)
    local = after(seen, Lift(first.name), local=local)
    assert phase(seen, local) is Phase.MOVING
    local = after(seen, first, local=local)
    assert phase(seen, local) is Phase.PROGRESS
    local = after(seen, *rest, RIGHT, local=local)
    assert phase(seen, local) is Phase.MARKING
    local = after(seen, *marks(worked.CODED), RIGHT, local=local)
    waiting = replace(seen, live=False)
    assert phase(waiting, local) is Phase.SCORING
    assert node(waiting, local, "phase").text == "Scoring"


def test_a_drag_called_off_ends_the_moving_phase() -> None:
    seen = coded()
    local = after(seen, Lift(tile(seen, "X")))
    assert phase(seen, local) is Phase.MOVING
    assert phase(seen, after(seen, Hover("board"), local=local)) is Phase.IDLE


def test_the_right_button_does_nothing_before_a_letter_lies() -> None:
    seen = coded()
    local, move = handle(shown, seen, shown.begin(seen), RIGHT)
    assert move is None
    assert not local.marking
    assert "letters" in said(seen, local)


def test_a_letter_can_be_moved_on_and_put_back_until_the_word_is_marked() -> None:
    seen = coded()
    name = tile(seen, "X")
    local = after(
        seen, Drop(name, f"cell:{cell(0, 0)}"), Drop(name, f"cell:{cell(1, 0)}")
    )
    assert [each.cell for each in local.laid] == [cell(1, 0)]
    assert not after(seen, Drop(name, ""), local=local).laid
    local = after(seen, RIGHT, local=local)
    assert after(seen, Drop(name, ""), local=local) == local
    assert not node(seen, local, name).drag


def test_letters_of_earlier_words_cannot_be_moved() -> None:
    seen = leveled()
    face = node(seen, shown.begin(seen), f"cell:{cell(0, 0)}")
    assert face.value == "D"
    assert not face.drag


def test_a_letter_dropped_on_another_stays_in_the_bank_and_says_why() -> None:
    seen = leveled()
    local = after(seen, Drop(tile(seen, "P"), f"cell:{cell(0, 0)}"))
    assert not local.laid
    assert "already" in said(seen, local)


class Table:
    """A hand over a scene: real events in, moves out."""

    def __init__(self, seen: Seen[Any, Any]) -> None:
        self.seen, self.local = seen, shown.begin(seen)
        self.hand, self.move, self.time = Hand(), None, 0.0

    def event(self, kind: int, pos: tuple[int, int], button: int = 1) -> None:
        root = scene(self.seen, self.local)
        event = plain(pygame.event.Event(kind, pos=pos, button=button))
        if event is None:  # the right button going up means nothing
            return
        self.time += 1.0
        for intent in self.hand.on_event(event, root, self.time, held=False):
            self.local, self.move = handle(shown, self.seen, self.local, intent)

    def spot(self, name: str) -> tuple[int, int]:
        return node(self.seen, self.local, name).rect.centre

    def drag(self, name: str, onto: str) -> None:
        start, end = self.spot(name), self.spot(onto)
        self.event(pygame.MOUSEBUTTONDOWN, start)
        self.event(pygame.MOUSEMOTION, (start[0] + 5, start[1]))
        assert phase(self.seen, self.local) is Phase.MOVING
        self.event(pygame.MOUSEMOTION, end)
        self.event(pygame.MOUSEBUTTONUP, end)

    def click(self, pos: tuple[int, int], button: int = 1) -> None:
        self.event(pygame.MOUSEBUTTONDOWN, pos, button)
        self.event(pygame.MOUSEBUTTONUP, pos, button)


def test_a_hand_with_a_mouse_of_two_buttons_lays_marks_and_scores() -> None:
    seen = leveled()
    table = Table(seen)
    for drop in drops(seen.view, 1, worked.CODDLE):
        table.drag(drop.name, drop.onto)
    table.click((5, 5), button=3)
    assert phase(seen, table.local) is Phase.MARKING
    for mark in marks(worked.CODDLE):
        table.click(table.spot(mark.name))
    table.click(table.spot(f"cell:{cell(4, 0)}"), button=3)
    assert isinstance(table.move, Lay)
    assert table.move.path == worked.path(worked.CODDLE)


# Marking


def test_the_word_grows_at_the_right_of_the_board_and_letters_change_colour() -> None:
    seen = leveled()
    laid = after(seen, *drops(seen.view, 1, worked.CODDLE))
    before = node(seen, laid, f"cell:{cell(0, 0)}").bg
    local, grown = after(seen, RIGHT, local=laid), []
    for mark in marks(worked.CODDLE):
        local = after(seen, mark, local=local)
        grown.append(node(seen, local, "word").value)
    assert grown == ["C", "CO", "COD", "CODD", "CODDL", "CODDLE"]
    assert node(seen, local, f"cell:{cell(0, 0)}").bg != before
    word, board = node(seen, local, "word").rect, node(seen, local, "board")
    cells = [n.rect for n in walk(board) if n.name.startswith(("cell:", "tile:"))]
    assert word.x >= max(rect.right for rect in cells)


def test_a_letter_changes_colour_with_each_phase_and_back_when_unmarked() -> None:
    seen = coded()
    name, drop = tile(seen, "C"), drops(seen.view, 0, worked.CODED)[0]

    def look(local: Local) -> Any:
        face = node(seen, local, name)
        return face.bg, face.edge, face.border

    resting = shown.begin(seen)
    picked = after(seen, Click(name))
    laid = after(seen, drop)
    marking = after(seen, RIGHT, local=laid)
    marked = after(seen, Click(name), local=marking)
    assert len({look(each) for each in (resting, picked, laid, marked)}) == 4
    unmarked = after(seen, Click(name), local=marked)
    assert look(unmarked) == look(marking)


def test_a_click_on_a_marked_letter_takes_it_out_of_the_word() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(seen, *marks(worked.CODDLE), local=local)
    local = after(seen, Click(f"cell:{cell(1, -2)}"), local=local)
    assert node(seen, local, "word").value == "CODDE"
    why = "D touches L, which is not in the word"
    assert why in said(seen, local)
    assert why in node(seen, local, "tentative").text, "beside the buttons, too"


def test_a_failed_check_returns_to_marking_and_names_the_letter_left_out() -> None:
    """Source document, diagram 4: L touches the O of CODED, which is not used."""
    state, past = games.told(
        lhexicon.start(2, Options()), [worked.CODED], ["CODEDXZRUEL?AT", "AAIIO"]
    )
    seen = seen_of(state, 1, past)
    local = after(seen, *drops(state, 1, worked.CRUEL_DIAGRAM_4), RIGHT)
    local = after(seen, *marks(worked.CRUEL_DIAGRAM_4), local=local)
    local, move = handle(shown, seen, local, RIGHT)
    assert move is None
    assert phase(seen, local) is Phase.MARKING
    assert local.wrong == (cell(-1, 0),)
    local, _move = handle(shown, seen, local, Click("back"))
    assert phase(seen, local) is Phase.PROGRESS


def test_letters_that_must_be_used_are_outlined_before_marking() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE))
    bad = [n for n in walk(scene(seen, local)) if n.edge == LOOK.theme.bad]
    owed = {n.name for n in bad if n.name.startswith("cell:")}
    touched = lhexicon.touching(seen.view, local.laid)
    assert owed == {f"cell:{each}" for each in touched}
    assert "CODDLE: 18 points" in said(seen, local)


# Traps


def trapped(seen: Seen[Any, Any], local: Local) -> set[str]:
    return {n.name for n in walk(scene(seen, local)) if n.text == "+3"}


def test_cells_of_a_trap_about_to_close_are_shown_with_their_bonus() -> None:
    words, letters = [worked.CODED, worked.CRUEL], ["CODEDXZRUEL?AT", "EVELE", "CDPI"]
    state, past = games.told(lhexicon.start(2, Options()), words, letters)
    seen = seen_of(state, 0, past)
    local = after(seen, *drops(state, 0, worked.LEVELED))
    group = worked.group("(-2,-1)(-1,-1)(0,-1)(1,-1)")
    assert trapped(seen, local) == {f"cell:{each}" for each in group}
    assert "12 trap" in said(seen, local)
    assert node(seen, local, "tentative").text == "trap +12"


def test_both_parts_of_a_trap_about_to_be_split_are_shown() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE))
    group = worked.group("(-2,-1)(-1,-1)(1,-1)")
    assert trapped(seen, local) == {f"cell:{each}" for each in group}
    local = after(seen, RIGHT, *marks(worked.CODDLE), local=local)
    assert node(seen, local, "tentative").text == "9 + 9 = 18"
    assert "9 word + 9 trap" in said(seen, local)


def test_traps_on_the_board_can_be_told_from_other_cells() -> None:
    seen = leveled()
    marked = {
        n.name for n in walk(scene(seen, shown.begin(seen))) if n.value == "in a trap"
    }
    group = worked.group("(-2,-1)(-1,-1)(0,-1)(1,-1)")
    assert marked == {f"cell:{each}" for each in group}


# One button, and clicks instead of drags


def test_one_button_does_the_same() -> None:
    seen = leveled()
    clicks = [
        Click(name)
        for drop in drops(seen.view, 1, worked.CODDLE)
        for name in (drop.name, drop.onto)
    ]
    local = after(seen, *clicks, Click("next"), *marks(worked.CODDLE))
    dragged = after(seen, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    dragged = after(seen, *marks(worked.CODDLE), local=dragged)
    one = move_of(seen, local, Click("done"))
    assert isinstance(one, Lay)
    assert one == move_of(seen, dragged, RIGHT)


def test_a_picked_letter_is_the_moving_phase_and_a_second_click_puts_it_down() -> None:
    seen = coded()
    local = after(seen, Click(tile(seen, "X")))
    assert phase(seen, local) is Phase.MOVING
    assert node(seen, local, "rack:0").live
    assert phase(seen, after(seen, Click(tile(seen, "X")), local=local)) is Phase.IDLE


def test_a_double_click_takes_a_letter_back() -> None:
    seen = coded()
    name = tile(seen, "X")
    local = after(seen, Drop(name, f"cell:{cell(0, 0)}"))
    assert not after(seen, Click(name), Click(name, count=2), local=local).laid


@pytest.mark.parametrize("name", ["discard", "pass"])
def test_discarding_and_passing_are_for_the_idle_phase_only(name: str) -> None:
    seen = coded()
    idle = shown.begin(seen)
    assert node(seen, idle, name).enabled
    laid = after(seen, Drop(tile(seen, "X"), f"cell:{cell(0, 0)}"))
    assert not node(seen, laid, name).enabled
    assert after(seen, Click(name), local=laid).doing is Doing.PLAYING
