"""What the hand does on the Lhexicon board, phase by phase, without any display."""

from itertools import pairwise
from typing import Any

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client import lhexicon as shown
from client.board import Seen, Step
from client.input import Hand
from client.intents import Click, Drop, Hover, Key, Lift, Text
from client.layout import Hexes
from client.lhexicon.local import Doing, Local, Phase, phase
from client.lhexicon.marking import translated
from client.lhexicon.typing import COMPASS
from client.rack import shuffled
from client.scene import Node, Rect, Role, find, stops, walk
from client.theme import Look
from rules import hexes, lhexicon
from rules.game import Resign
from rules.lhexicon import Accept, Challenge, Discard, Lay, Options, Pass, PickUp
from rules.tiles import kind_of
from tests.client import games
from tests.client.games import RIGHT, cell, drops, marks
from tests.client.worlds import NAMES, texts
from tests.rules.lhexicon import matches, worked

AREA = Rect(0, 0, 900, 740)
LOOK = Look()
ENTER, ESCAPE, BACK = Key("enter"), Key("escape"), Key("backspace")


def seen_of(
    state: Any, seat: int | None, past: Any = (), *, live: bool = True
) -> Seen[Any, Any]:
    """Return what a seat knows of a match."""
    steps = tuple(
        Step(lhexicon.view(b, seat), a, lhexicon.mask(b, a, m, seat))
        for b, a, m in past
    )
    names = NAMES[: len(state.scores)]
    return Seen(lhexicon.view(state, seat), seat, names, steps, live)


def leveled(seat: int = 1) -> Seen[Any, Any]:
    """Return the document's match after LEVELED, as a seat sees it."""
    state, past = games.leveled()
    return seen_of(state, seat, past)


def coded(rack: str = "CODEDXZ") -> Seen[Any, Any]:
    """Return the first turn of a match for two, with letters of one's own choice."""
    return seen_of(matches.begin(rack, "RUEL?AT"), 0)


def after(seen: Seen[Any, Any], *intents: Any, local: Local | None = None) -> Local:
    """Return the local state after intents that send no move but the last."""
    state = shown.begin(seen) if local is None else local
    for intent in intents:
        state, _move = shown.handle(seen, state, intent)
    return state


def move_of(seen: Seen[Any, Any], local: Local, intent: Any) -> Any:
    """Return the move that an intent sends."""
    return shown.handle(seen, local, intent)[1]


def scene(seen: Seen[Any, Any], local: Local) -> Node:
    return shown.scene(seen, local, AREA, LOOK)


def node(seen: Seen[Any, Any], local: Local, name: str) -> Node:
    found = find(scene(seen, local), name)
    assert found is not None, name
    return found


def said(seen: Seen[Any, Any], local: Local) -> str:
    return shown.status(seen, local)


def tile(seen: Seen[Any, Any], letter: str) -> str:
    """Return the name of a tile with a letter in the own rack."""
    return f"tile:{matches.tile(seen.view, seen.seat, letter)}"


def keys_for(word: str) -> list[Text | Key]:
    """Return the keys that type a word of the document, turning where it turns."""
    steps = [hexes.hexagon(9)[n] for n in worked.path(word)]
    letters = [lhexicon.LETTERS[n] for n, _cell, _new in worked.steps(word)]
    keys: list[Text | Key] = []
    for i, letter in enumerate(letters):
        if i:
            step = tuple(b - a for a, b in zip(steps[i - 1], steps[i], strict=True))
            keys.append(Key(COMPASS[hexes.STEPS.index(step)], alt=True))
        keys.append(Text(letter.lower()))
    return keys


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
    local, move = shown.handle(seen, shown.begin(seen), RIGHT)
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
        event = pygame.event.Event(kind, pos=pos, button=button)
        self.time += 1.0
        for intent in self.hand.take(event, root, self.time, held=False):
            self.local, self.move = shown.handle(self.seen, self.local, intent)

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
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    before = node(seen, local, f"cell:{cell(0, 0)}").bg
    grown = []
    for mark in marks(worked.CODDLE):
        local = after(seen, mark, local=local)
        grown.append(node(seen, local, "word").value)
    assert grown == ["C", "CO", "COD", "CODD", "CODDL", "CODDLE"]
    assert node(seen, local, f"cell:{cell(0, 0)}").bg != before
    word, board = node(seen, local, "word").rect, node(seen, local, "board")
    cells = [n.rect for n in walk(board) if n.name.startswith(("cell:", "tile:"))]
    assert word.x >= max(rect.right for rect in cells)


def test_a_click_on_a_marked_letter_takes_it_out_of_the_word() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(seen, *marks(worked.CODDLE), local=local)
    local = after(seen, Click(f"cell:{cell(1, -2)}"), local=local)
    assert node(seen, local, "word").value == "CODDE"
    assert "D touches L, which is not in the word" in said(seen, local)


def test_a_failed_check_returns_to_marking_and_names_the_letter_left_out() -> None:
    """Source document, diagram 4: L touches the O of CODED, which is not used."""
    state, past = games.told(
        lhexicon.start(2, Options()), [worked.CODED], ["CODEDXZRUEL?AT", "AAIIO"]
    )
    seen = seen_of(state, 1, past)
    local = after(seen, *drops(state, 1, worked.CRUEL_DIAGRAM_4), RIGHT)
    local = after(seen, *marks(worked.CRUEL_DIAGRAM_4), local=local)
    local, move = shown.handle(seen, local, RIGHT)
    assert move is None
    assert phase(seen, local) is Phase.MARKING
    assert said(seen, local) == "L touches O, which is not in the word"
    assert local.wrong == (cell(-1, 0),)
    local, _move = shown.handle(seen, local, Click("back"))
    assert phase(seen, local) is Phase.PROGRESS


def test_letters_that_must_be_used_are_outlined_before_marking() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE))
    owed = {
        n.name for n in walk(scene(seen, local)) if n.value.endswith("must be used")
    }
    touched = lhexicon.touching(seen.view, local.laid)
    assert owed == {f"cell:{each}" for each in touched}
    assert all(node(seen, local, n).edge == LOOK.theme.bad for n in owed)
    assert "must also use: E, L, O, D" in said(seen, local)


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
    assert "+12" in said(seen, local)
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


# The keyboard alone


def test_the_document_s_match_can_be_played_with_keys_alone() -> None:
    seen = coded()
    steer = [Key("up"), Text("q"), Text("q"), Text(" ")]
    local = after(seen, *steer)
    assert local.cursor == cell(-2, 0)
    local = after(seen, *keys_for(worked.CODED), local=local)
    assert [each.cell for each in local.laid] == list(worked.path(worked.CODED))
    local = after(seen, ENTER, local=local)
    assert node(seen, local, "word").value == "CODED"
    move = move_of(seen, local, ENTER)
    assert isinstance(move, Lay)
    assert move.path == worked.path(worked.CODED)


def test_a_tile_reached_by_tab_is_picked_steered_and_put_down_by_keys() -> None:
    seen = coded()
    name = tile(seen, "X")
    local = after(seen, Click(name), Key("up"), Text("w"), Click(name))
    assert [each.cell for each in local.laid] == [cell(0, -1)]
    held = after(seen, Click(name), Key("up"), Click(name, w=40))
    assert not held.laid
    assert held.chosen < 0


def test_letters_on_the_board_are_typed_too_and_become_part_of_the_word() -> None:
    seen = leveled()
    local = after(seen, Click(f"cell:{cell(-1, 1)}"), *keys_for(worked.CODDLE))
    assert len(local.laid) == 2
    local = after(seen, ENTER, local=local)
    assert local.path == worked.path(worked.CODDLE)
    assert isinstance(move_of(seen, local, ENTER), Lay)


def test_another_letter_than_the_one_that_lies_there_is_refused_in_words() -> None:
    seen = leveled()
    local = after(seen, Click(f"cell:{cell(-1, 0)}"), Text("p"))
    assert not local.laid
    assert "There is O on that hexagon" in said(seen, local)


def test_letters_laid_with_the_mouse_are_marked_with_space() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), ENTER, Key("up"))
    assert local.marking
    assert local.path == ()
    path = [hexes.hexagon(9)[n] for n in worked.path(worked.CODDLE)]
    local = replace(local, cursor=cell(*path[0]))
    keys: list[Any] = [Text(" ")]
    for a, b in pairwise(path):
        step = (b[0] - a[0], b[1] - a[1])
        keys += [Text(COMPASS[hexes.STEPS.index(step)]), Text(" ")]
    local = after(seen, *keys, local=local)
    assert isinstance(move_of(seen, local, ENTER), Lay)


@pytest.mark.parametrize(("letter", "wide", "high"), [
    ("q", -1, -1), ("w", 0, -1), ("e", 1, -1), ("a", -1, 1), ("s", 0, 1), ("d", 1, 1),
])  # fmt: skip
def test_six_keys_move_the_cursor_as_they_lie_on_the_keyboard(
    letter: str, wide: int, high: int
) -> None:
    seen = coded()
    local = after(seen, Key("up"), Text(letter))
    places = Hexes.fitted(AREA, hexes.hexagon(9), flat=True)
    x, y = places.middle(*hexes.hexagon(9)[local.cursor])
    x0, y0 = places.middle(0, 0)
    assert (round(x - x0) > 0) - (round(x - x0) < 0) == wide
    assert (round(y - y0) > 0) - (round(y - y0) < 0) == high


@given(st.lists(st.sampled_from(["left", "right", "up", "down"]), max_size=40))
def test_arrow_keys_keep_the_cursor_on_the_board(keys: list[str]) -> None:
    seen = coded()
    local = after(seen, *map(Key, ["up", *keys]))
    assert 0 <= local.cursor < len(hexes.hexagon(9))


def test_arrow_keys_reach_every_hexagon() -> None:
    seen = coded()
    start = after(seen, Key("up"))
    known, fresh = {start.cursor}, [start]
    while fresh:
        local = fresh.pop()
        for key in ("left", "right", "up", "down"):
            moved = after(seen, Key(key), local=local)
            if moved.cursor not in known:
                known.add(moved.cursor)
                fresh.append(moved)
    assert len(known) == len(hexes.hexagon(9))


def test_backspace_goes_back_letter_by_letter_and_mark_by_mark() -> None:
    seen = coded()
    local = after(seen, Click(f"cell:{cell(-2, 0)}"), *keys_for(worked.CODED), ENTER)
    for left in range(4, -1, -1):
        local = after(seen, BACK, local=local)
        assert len(local.path) == left
    local = after(seen, BACK, local=local)
    assert not local.marking
    local = after(seen, Click(f"cell:{cell(3, 3)}"), local=local)
    for left in range(4, -1, -1):
        local = after(seen, BACK, local=local)
        assert len(local.laid) == left


def test_escape_takes_everything_back_from_any_phase() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(seen, *marks(worked.CODDLE), ESCAPE, local=local)
    assert not local.laid
    assert phase(seen, local) is Phase.IDLE


def test_the_arrow_turns_by_click_and_by_arrow_keys() -> None:
    seen = coded()
    local = after(seen, Click(f"cell:{cell(0, 0)}"))
    facings = {local.facing}
    for _ in range(5):
        local = after(seen, Click(f"cell:{cell(0, 0)}"), local=local)
        facings.add(local.facing)
    assert facings == set(range(6))
    assert node(seen, local, "cursor").value.startswith("typing")
    turned = after(seen, Key("left"), local=local)
    assert turned.facing == (local.facing + 1) % 6


# Blanks


def test_a_blank_asks_what_it_stands_for_and_may_be_q_or_qu() -> None:
    seen = coded("CODED?Z")
    name = tile(seen, "?")
    local = after(seen, Drop(name, f"cell:{cell(0, 0)}"))
    assert local.doing is Doing.NAMING
    offered = [n.text for n in walk(scene(seen, local)) if n.name.startswith("letter:")]
    assert offered == [*lhexicon.LETTERS, "QU"]
    assert find(scene(seen, local), "blank") is not None
    by_click = after(seen, Click(f"letter:{lhexicon.QU}"), local=local)
    by_key = after(seen, Text("2"), local=local)
    assert by_click.laid == by_key.laid
    assert node(seen, by_key, name).value == "QU"
    as_q = after(seen, Text("q"), local=local)
    assert node(seen, as_q, name).value == "Q"


def test_escape_in_the_chooser_puts_the_blank_back() -> None:
    seen = coded("CODED?Z")
    local = after(seen, Drop(tile(seen, "?"), f"cell:{cell(0, 0)}"), ESCAPE)
    assert not local.laid
    assert local.doing is Doing.PLAYING


def test_a_typed_letter_that_is_missing_is_laid_with_the_blank() -> None:
    seen = coded("CODED?Z")
    local = after(seen, Click(f"cell:{cell(0, 0)}"), Text("a"))
    assert [each.letter for each in local.laid] == [0]
    local = after(seen, Text("b"), local=local)
    assert "You have no B" in said(seen, local)
    assert len(local.laid) == 1


def with_blanks() -> Seen[Any, Any]:
    """Return a match with a blank for E on the board and an E in the rack."""
    word = worked.CODED.replace("E(1,0)", "e(1,0)")
    state = matches.begin("CODDEX?", "RUELIAT")
    state = matches.give(matches.lay(state, word), "IIIAO")
    return seen_of(lhexicon.play(state, 1, Pass()), 0)


def test_a_letter_dragged_onto_the_blank_picks_it_up() -> None:
    seen = with_blanks()
    at = cell(1, 0)
    local = after(seen, Drop(tile(seen, "E"), f"cell:{at}"))
    assert phase(seen, local) is Phase.PROGRESS
    assert "pick up 1 blank" in said(seen, local)
    for intent in (RIGHT, ENTER, Click("done")):
        move = move_of(seen, local, intent)
        assert isinstance(move, PickUp)
        assert [each.cell for each in move.swaps] == [at]
    assert not after(seen, ESCAPE, local=local).swaps


def test_another_letter_on_the_blank_is_refused_in_words() -> None:
    seen = with_blanks()
    local = after(seen, Drop(tile(seen, "X"), f"cell:{cell(1, 0)}"))
    assert not local.swaps
    assert "another letter" in said(seen, local)


def test_picking_up_and_laying_a_word_do_not_mix() -> None:
    seen = with_blanks()
    laid = after(seen, Drop(tile(seen, "X"), f"cell:{cell(3, 3)}"))
    mixed = after(seen, Drop(tile(seen, "E"), f"cell:{cell(1, 0)}"), local=laid)
    assert not mixed.swaps
    assert "turn of its own" in said(seen, mixed)


# Discards, passes, challenges


def test_any_or_all_letters_can_be_discarded_by_mouse_and_keyboard() -> None:
    seen = coded()
    opened = after(seen, Click("discard"))
    assert find(scene(seen, opened), "discarding") is not None
    some = after(seen, Click(tile(seen, "X").replace("tile", "give")), local=opened)
    typed = after(seen, Text("x"), local=opened)
    assert some.discards == typed.discards
    move = move_of(seen, typed, ENTER)
    assert move == Discard(typed.discards)
    every = after(seen, Click("all"), local=opened)
    move = move_of(seen, every, Click("exchange"))
    assert isinstance(move, Discard)
    assert len(move.tiles) == 7


def test_nothing_chosen_is_not_discarded_and_escape_closes() -> None:
    seen = coded()
    opened = after(seen, Click("discard"))
    local, move = shown.handle(seen, opened, ENTER)
    assert move is None
    assert local.doing is Doing.DISCARDING
    assert not node(seen, opened, "exchange").enabled
    assert after(seen, ESCAPE, local=local).doing is Doing.PLAYING


def test_no_more_letters_can_be_chosen_than_the_bank_holds() -> None:
    state = matches.begin("CODEDXZ", "RUEL?AT")
    few = replace(state.tiles, first=state.tiles.end - 2)
    seen = seen_of(replace(state, tiles=few), 0)
    local = after(seen, Click("discard"), *[Text(letter) for letter in "xzc"])
    assert len(local.discards) == 2
    assert len(after(seen, Click("all"), local=local).discards) == 2


def test_a_pass_is_asked_about_once() -> None:
    seen = coded()
    opened = after(seen, Click("pass"))
    assert node(seen, opened, "passing").role is Role.DIALOG
    assert move_of(seen, opened, ENTER) == Pass()
    assert move_of(seen, opened, Click("yes")) == Pass()
    assert after(seen, Click("close"), local=opened).doing is Doing.PLAYING


def announced() -> tuple[Any, Any]:
    state = matches.begin("CODEDXZ", "RUEL?AT", options=Options(challenge=True))
    laid, path = matches.placed(state, 0, worked.CODED)
    return state, lhexicon.lay(state, laid, path)


def test_an_opponent_accepts_or_challenges_with_buttons() -> None:
    state, lay = announced()
    seen = seen_of(lhexicon.play(state, 0, lay), 1, [(state, 0, lay)])
    local = shown.begin(seen)
    assert "Anna announces CODED for 8 points" in said(seen, local)
    assert node(seen, local, "accept").enabled
    assert move_of(seen, local, Click("accept")) == Accept()
    assert move_of(seen, local, ENTER) == Accept()
    assert move_of(seen, local, Click("challenge")) == Challenge()
    own = seen_of(lhexicon.play(state, 0, lay), 0, [(state, 0, lay)])
    assert find(scene(own, shown.begin(own)), "accept") is None
    assert "Bert may challenge" in said(own, shown.begin(own))


def test_the_move_list_tells_how_a_challenge_ended() -> None:
    state, lay = announced()
    after_lay = lhexicon.play(state, 0, lay)
    right = Step(after_lay, 1, Challenge())
    assert shown.tell(right, NAMES) == (
        "Bert challenges CODED: it is right, Bert loses a turn"
    )
    wrong = replace(
        lay, path=lay.path[::-1], laid=lay.laid[::-1], shown=lay.shown[::-1]
    )
    doubted = lhexicon.play(state, 0, wrong)
    text = shown.tell(Step(doubted, 1, Challenge()), NAMES)
    assert text == "Bert challenges DEDOC: it is wrong, Anna takes it back"
    final = lhexicon.play(doubted, 1, Challenge())
    past = [(state, 0, wrong), (doubted, 1, Challenge())]
    assert shown.sheets(seen_of(final, 1, past))[0].lines == (("DEDOC", "–"),)


# What survives, what is told, what stays hidden


def test_rack_order_and_letters_laid_survive_the_other_player_s_move() -> None:
    state = matches.begin("CODEDXZ", "RUEL?AT")
    mine = seen_of(state, 1)
    local = after(mine, Click("shuffle"), Drop(tile(mine, "T"), f"cell:{cell(3, 3)}"))
    later = matches.give(matches.lay(state, worked.CODED), "AAIIO")
    renewed = shown.renew(seen_of(later, 1), local)
    assert renewed.order == local.order
    assert renewed.laid == local.laid


def test_a_letter_laid_where_the_other_player_lays_one_goes_back() -> None:
    state = matches.begin("CODEDXZ", "RUEL?AT")
    mine = seen_of(state, 1)
    local = after(mine, Drop(tile(mine, "T"), f"cell:{cell(0, 0)}"))
    later = matches.give(matches.lay(state, worked.CODED), "AAIIO")
    assert not shown.renew(seen_of(later, 1), local).laid


def test_the_own_word_leaves_an_idle_hand_in_the_old_order() -> None:
    seen = leveled()
    local = after(seen, Click("shuffle"), *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(seen, *marks(worked.CODDLE), local=local)
    local, move = shown.handle(seen, local, RIGHT)
    state, _past = games.leveled()
    later = matches.give(lhexicon.play(state, 1, move), "NN")
    renewed = shown.renew(seen_of(later, 1), local)
    kept = [each for each in local.order if each in later.tiles.racks[1]]
    assert list(renewed.order[: len(kept)]) == kept
    assert len(renewed.order) == 7
    assert phase(seen_of(later, 1), renewed) is Phase.IDLE


@given(st.lists(st.sampled_from("ABC?"), min_size=2, max_size=7), st.integers(0, 20))
def test_a_shuffle_changes_what_the_rack_reads_unless_all_are_alike(
    faces: list[str], times: int
) -> None:
    order = tuple(range(len(faces)))
    fresh, _count = shuffled(order, faces, times)
    assert sorted(fresh) == list(order)
    if len(set(faces)) > 1:
        assert [faces[i] for i in fresh] != faces


def test_scores_are_explained() -> None:
    seen = leveled()
    anna, bert = shown.sheets(seen)
    assert anna.score == "29"
    assert anna.lines == (("CODED", "8"), ("LEVELED", "9 + 12"))
    assert bert.lines == (("CRUEL", "9"),)
    told = [shown.tell(step, NAMES) for step in seen.past]
    assert [line for line in told if line] == [
        "Anna: CODED  8", "Bert: CRUEL  9", "Anna: LEVELED  9 word + 12 trap",
    ]  # fmt: skip


def test_after_the_end_no_phase_is_shown_and_nothing_is_left_to_press() -> None:
    seen = leveled()
    view = lhexicon.play(seen.view, seen.view.turn, Resign())
    over = replace(seen, view=view)
    assert lhexicon.over(view)
    root = scene(over, shown.begin(over))
    assert find(scene(seen, shown.begin(seen)), "phase") is not None
    assert find(root, "phase") is None
    assert find(root, "word") is None
    assert not [n.name for n in walk(root) if n.role is Role.BUTTON]
    card = find(root, "result")
    assert card is not None
    lines = [n.text for n in walk(card) if n.text]
    places = lhexicon.places(view)
    names = sorted(range(2), key=lambda seat: places[seat])
    assert [line for line in lines if line in NAMES] == [NAMES[n] for n in names]
    assert {str(score) for score in view.scores} <= set(lines)


def test_the_last_word_is_highlighted() -> None:
    seen = leveled()
    new = {f"cell:{each}" for each in worked.laid(worked.LEVELED)}
    root = scene(seen, shown.begin(seen))
    lit = {n.name for n in walk(root) if n.edge == LOOK.theme.latest}
    assert lit == new


def test_other_racks_appear_nowhere() -> None:
    state, past = games.told(
        lhexicon.start(2, Options()), [worked.CODED], ["CODEDXZVVVKKJQ"[:7] + "RUEL?AT",
        "AAIIO"],
    )  # fmt: skip
    for seat in (0, None):
        seen = seen_of(state, seat, past)
        local = shown.begin(seen)
        everything = texts(scene(seen, local)) + said(seen, local)
        everything += "".join(map(str, shown.sheets(seen)))
        for number, kind in zip(
            state.tiles.racks[1], state.tiles.kinds[1], strict=True
        ):
            assert f"tile:{number}" not in everything
            assert kind_of(seen.view.tiles, number) != kind


def test_a_bystander_s_clicks_do_nothing() -> None:
    state, past = games.leveled()
    seen = seen_of(state, None, past)
    local = shown.begin(seen)
    for intent in (Click("next"), RIGHT, Text("a"), ENTER, Click("discard")):
        assert shown.handle(seen, local, intent) == (local, None)


def test_nothing_is_sent_out_of_turn_or_while_the_table_is_not_ready() -> None:
    other = leveled(seat=0)
    local = after(other, Drop(tile(other, "X"), f"cell:{cell(3, 3)}"), RIGHT)
    local = after(other, Click(f"cell:{cell(3, 3)}"), local=local)
    assert move_of(other, local, RIGHT) is None
    seen = leveled()
    late = replace(seen, live=False)
    local = after(late, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(late, *marks(worked.CODDLE), local=local)
    local, move = shown.handle(late, local, RIGHT)
    assert move is None
    assert "not ready" in said(late, local)


def test_looking_back_to_an_emptier_board_draws_only_what_fits() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(seen, *marks(worked.CODDLE), local=local)
    first = next(step for step in seen.past if step.actor == 0)
    back = replace(seen, view=first.before, past=(), live=False)
    root = scene(back, local)
    laid = [n for n in walk(root) if n.name.startswith("tile:")]
    assert {n.name for n in laid} <= {f"tile:{t}" for t in first.before.tiles.racks[1]}


@pytest.mark.parametrize(("reason", "text"), [
    ("D, which is not in the word", "D was laid but is not in the word"),
    ("D and E, which are not in the word", "D, E were laid but are not in the word"),
    ("L touches O and D, which are not in the word",
     "L touches O, D, which are not in the word"),
    ("A and B are not on neighbouring hexagons",
     "A and B are not on neighbouring hexagons"),
    ("DEDOC is not in the dictionary", "DEDOC is not in the dictionary"),
])  # fmt: skip
def test_refusals_are_whole_sentences(reason: str, text: str) -> None:
    assert translated(reason) == text


def test_every_control_but_the_board_is_a_tab_stop() -> None:
    seen = coded()
    names = {n.name for n in stops(scene(seen, shown.begin(seen)))}
    assert {"shuffle", "discard", "pass"} <= names
    assert {f"tile:{t}" for t in seen.view.tiles.racks[0]} <= names


FUZZ = st.one_of(
    st.sampled_from([RIGHT, ENTER, ESCAPE, BACK, Click("next"), Click("done")]),
    st.sampled_from([Click(n) for n in (
        "recall", "shuffle", "discard", "pass", "close", "all", "back", "exchange",
    )]),
    st.sampled_from([Text(letter) for letter in " ?2qweasdcopx"]),
    st.sampled_from([Key(k) for k in ("left", "right", "up", "down")]),
    st.builds(lambda n: Click(f"cell:{n}"), st.integers(70, 150)),
    st.builds(lambda n: Click(f"rack:{n}"), st.integers(0, 6)),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(FUZZ, max_size=25), st.lists(st.integers(0, 6), max_size=8))
def test_whatever_is_done_letters_are_kept_and_moves_are_legal(
    intents: list[Any], picks: list[int]
) -> None:
    state, past = games.leveled()
    seen = seen_of(state, 1, past)
    rack = seen.view.tiles.racks[1]
    mixed = [Click(f"tile:{rack[n]}") for n in picks] + intents
    local = shown.begin(seen)
    for i, intent in enumerate((*mixed[::2], *mixed[1::2])):
        local, move = shown.handle(seen, local, intent)
        assert sorted(local.order) == list(rack)
        assert len({e.cell for e in local.laid}) == len(local.laid)
        assert len(local.away) == len(local.laid) + len(local.swaps)
        if move is not None:
            lhexicon.play(state, 1, move)
        if i % 8 == 0:
            scene(seen, local)
            assert said(seen, local)
