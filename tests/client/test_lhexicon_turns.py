"""The other turns of Lhexicon: blanks, discards, passes and challenges."""

from typing import Any

import pytest
from msgspec.structs import replace

from client import lhexicon as shown
from client.app.board import Seen, Step
from client.lhexicon.local import Doing, Phase, phase
from client.pages import screen
from client.ui.intents import Click, Drop, Text
from client.ui.scene import Role, find, walk
from rules import lhexicon
from rules.game import CLOCK
from rules.lhexicon import (
    Accept,
    Challenge,
    Discard,
    Expire,
    Insist,
    Options,
    Pass,
    PickUp,
    Withdraw,
)
from tests.client.clicking import handle
from tests.client.games import RIGHT, cell
from tests.client.lhexicon_hands import (
    DELETE,
    ENTER,
    ESCAPE,
    after,
    coded,
    move_of,
    node,
    scene,
    seen_of,
    tile,
)
from tests.client.worlds import base, in_match
from tests.rules.lhexicon import matches, worked

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
    for intent in (RIGHT, ENTER, Click("done")):
        move = move_of(seen, local, intent)
        assert isinstance(move, PickUp)
        assert [each.cell for each in move.swaps] == [at]
    assert not after(seen, DELETE, local=local).swaps


@pytest.mark.parametrize("held", [1, 2])
def test_each_letter_held_is_put_on_one_of_two_blanks_that_stand_for_it(
    held: int,
) -> None:
    word = worked.CODED.replace("D", "d")
    state = matches.lay(matches.begin("COE??XZ", "RUELIAT"), word)
    state = matches.give(state, "D" * held + "IIAOI"[held:])
    state = lhexicon.play(state, 1, Pass())
    seen = seen_of(state, 0)
    move = move_of(seen, after(seen, Click("pickup")), Click("done"))
    assert len(lhexicon.play(state, 0, move).blanks) == 2 - held


def test_another_letter_on_the_blank_is_refused() -> None:
    seen = with_blanks()
    local = after(seen, Drop(tile(seen, "X"), f"cell:{cell(1, 0)}"))
    assert not local.swaps


def test_picking_up_and_laying_a_word_do_not_mix() -> None:
    seen = with_blanks()
    laid = after(seen, Drop(tile(seen, "X"), f"cell:{cell(3, 3)}"))
    mixed = after(seen, Drop(tile(seen, "E"), f"cell:{cell(1, 0)}"), local=laid)
    assert not mixed.swaps


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
    local, move = handle(shown, seen, opened, ENTER)
    assert move is None
    assert local.doing is Doing.DISCARDING
    assert not node(seen, opened, "exchange").enabled
    assert after(seen, ESCAPE, local=local).doing is Doing.PLAYING


def test_of_two_letters_alike_both_are_discarded_by_the_same_key() -> None:
    seen = coded()
    both = after(seen, Click("discard"), Text("d"), Text("D"))
    assert len(set(both.discards)) == 2
    assert len(after(seen, Text("d"), local=both).discards) == 1


def test_the_right_button_does_nothing_behind_an_open_question() -> None:
    seen = coded()
    for name, doing in (("discard", Doing.DISCARDING), ("pass", Doing.PASSING)):
        opened = after(seen, Click(name))
        assert opened.doing is doing
        assert handle(shown, seen, opened, RIGHT) == (opened, None)


def test_a_question_goes_when_the_turn_is_anothers() -> None:
    state = matches.begin("CODEDXZ", "RUEL?AT")
    seen, later = (
        seen_of(each, 0) for each in (state, lhexicon.play(state, 0, Pass()))
    )
    for name in ("discard", "pass"):
        opened = after(seen, Click(name))
        assert shown.renew(later, opened).doing is Doing.PLAYING


def test_no_more_letters_can_be_chosen_than_the_bank_holds() -> None:
    state = matches.begin("CODEDXZ", "RUEL?AT")
    few = replace(state.tiles, first=state.tiles.end - 2)
    seen = seen_of(replace(state, tiles=few), 0)
    local = after(seen, Click("discard"), *[Text(letter) for letter in "xzc"])
    assert len(local.discards) == 2
    assert len(after(seen, Click("all"), local=local).discards) == 2
    dialog = find(scene(seen, local), "chosen")
    assert dialog is not None
    assert local.notice in dialog.text
    assert local.notice not in shown.status(seen, local), "it is said once"
    assert not shown.TRAITS.refused(local)


def test_a_pass_is_asked_about_once() -> None:
    seen = coded()
    opened = after(seen, Click("pass"))
    asked = node(seen, opened, "passing")
    assert asked.role is Role.DIALOG
    middle = node(seen, opened, f"cell:{cell(0, 0)}").rect
    assert asked.rect.y > middle.bottom, "the board can be judged"
    assert move_of(seen, opened, ENTER) == Pass()
    assert move_of(seen, opened, Click("yes")) == Pass()
    assert after(seen, Click("stay"), local=opened).doing is Doing.PLAYING


def announced() -> tuple[Any, Any]:
    state = matches.begin("CODEDXZ", "RUEL?AT", options=Options(challenge=True))
    laid, path = matches.placed(state, 0, worked.CODED)
    return state, lhexicon.lay(state, laid, path)


def test_an_opponent_accepts_or_challenges_with_buttons() -> None:
    state, lay = announced()
    seen = seen_of(lhexicon.play(state, 0, lay), 1, [(state, 0, lay)])
    local = shown.begin(seen)
    assert node(seen, local, "accept").enabled
    assert move_of(seen, local, Click("accept")) == Accept()
    assert move_of(seen, local, ENTER) == Accept()
    assert move_of(seen, local, Click("challenge")) == Challenge()
    own = seen_of(lhexicon.play(state, 0, lay), 0, [(state, 0, lay)])
    assert find(scene(own, shown.begin(own)), "accept") is None


def test_a_word_that_was_withdrawn_or_wrong_counts_nothing_in_the_list() -> None:
    state, lay = announced()
    after_lay = lhexicon.play(state, 0, lay)
    asked = lhexicon.play(after_lay, 1, Challenge())
    back = [(state, 0, lay), (after_lay, 1, Challenge()), (asked, 0, Withdraw())]
    final = lhexicon.play(asked, 0, Withdraw())
    assert shown.sheets(seen_of(final, 1, back))[0].lines == (("CODED", "–"),)
    wrong = replace(
        lay, path=lay.path[::-1], laid=lay.laid[::-1], shown=lay.shown[::-1]
    )
    heard = lhexicon.play(state, 0, wrong)
    doubted = lhexicon.play(heard, 1, Challenge())
    past = [(state, 0, wrong), (heard, 1, Challenge())]
    for actor, move in ((0, Insist()), (CLOCK, Expire())):
        final = lhexicon.play(doubted, 0, Insist())
        told = seen_of(final, 1, [*past, (doubted, actor, move)])
        assert shown.sheets(told)[0].lines == (("DEDOC", "–"),)


@pytest.mark.parametrize(
    ("answers", "figures"),
    [
        ([], ["8"]),
        ([(1, Challenge())], ["8"]),
        ([(1, Accept())], ["8", "8"]),
        ([(1, Challenge()), (0, Insist())], ["8", "8"]),
        ([(1, Challenge()), (0, Withdraw())], ["–", "0"]),
    ],
)
def test_a_word_s_row_bears_the_sum_once_it_stands_or_has_gone_back(
    answers: list[tuple[int, Any]], figures: list[str]
) -> None:
    state, lay = announced()
    past = list[Any]()
    for actor, move in ((0, lay), *answers):
        past.append(Step(state, actor, move))
        state = lhexicon.play(state, actor, move)
    model = in_match(base((1920, 1080)), "lhexicon", 2, 0)
    assert model.match is not None
    match = replace(model.match, state=state, past=tuple(past))
    row = find(screen.scene(replace(model, match=match)), "move:0")
    assert row is not None
    told = [kid.text for kid in row.kids if kid.text]
    assert told[2].endswith("CODED")
    assert told[3:] == figures
