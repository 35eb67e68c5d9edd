"""What survives on the Lhexicon board, what is told, and what stays hidden."""

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client import lhexicon as shown
from client.lhexicon.local import Phase, phase
from client.ui.intents import Click, Drop, Key, Text
from client.ui.scene import Role, find, stops, walk
from client.ui.tiles import shuffled
from rules import lhexicon
from rules.game import IllegalMoveError, Resign
from rules.lhexicon import Accept, Challenge, Insist, Options, Withdraw
from rules.tiles import kind_of
from tests.client import games
from tests.client.clicking import handle
from tests.client.games import RIGHT, cell, drops, marks
from tests.client.lhexicon_hands import (
    BACK,
    DELETE,
    ENTER,
    ESCAPE,
    LOOK,
    after,
    coded,
    leveled,
    move_of,
    said,
    scene,
    seen_of,
    tile,
)
from tests.client.worlds import NAMES, texts
from tests.rules.lhexicon import matches, worked

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
    local, move = handle(shown, seen, local, RIGHT)
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


@given(
    st.booleans(),
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.sampled_from([Accept(), Challenge(), Insist(), Withdraw(), Resign()]),
        ),
        max_size=12,
    ),
)
@example(True, [(0, Resign()), (2, Accept())])
def test_the_words_that_stand_add_up_to_the_score_whatever_becomes_of_one(
    right: bool, says: list[tuple[int, Any]]
) -> None:
    words = matches.small("CODED", "CRUEL") if right else matches.small("CODED")
    options = Options(challenge=True, lexicon=words)
    letters = ["CODEDXZ" + "RUEL?AT" + "AEIOSTN", "EVELE"]
    state, past = games.told(lhexicon.start(3, options), [*games.WORDS[:1]], letters)
    laid, path = matches.placed(state, 1, games.WORDS[1])
    for actor, move in [(1, lhexicon.lay(state, laid, path)), *says]:
        try:
            after_it = lhexicon.play(state, actor, move)
        except IllegalMoveError:
            continue
        past, state = (*past, (state, actor, move)), after_it
    if state.announced is not None:
        return
    for sheet in shown.sheets(seen_of(state, None, past)):
        stand = [worth for _word, worth in sheet.lines if worth != "–"]
        points = [int(part) for worth in stand for part in worth.split(" + ")]
        assert sum(points) == int(sheet.score)


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
    card = find(root, "places")
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
        assert handle(shown, seen, local, intent) == (local, None)


def test_nothing_is_sent_out_of_turn_or_while_the_table_is_not_ready() -> None:
    other = leveled(seat=0)
    local = after(other, Drop(tile(other, "X"), f"cell:{cell(3, 3)}"), RIGHT)
    local = after(other, Click(f"cell:{cell(3, 3)}"), local=local)
    assert move_of(other, local, RIGHT) is None
    seen = leveled()
    late = replace(seen, live=False)
    local = after(late, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(late, *marks(worked.CODDLE), local=local)
    local, move = handle(shown, late, local, RIGHT)
    assert move is None
    assert said(late, local) != said(late, after(late))


def test_looking_back_to_an_emptier_board_draws_only_what_fits() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(seen, *marks(worked.CODDLE), local=local)
    first = next(step for step in seen.past if step.actor == 0)
    back = replace(seen, view=first.before, past=(), live=False)
    root = scene(back, local)
    laid = [n for n in walk(root) if n.name.startswith("tile:")]
    assert {n.name for n in laid} <= {f"tile:{t}" for t in first.before.tiles.racks[1]}


def test_every_control_but_the_board_is_a_tab_stop() -> None:
    seen = coded()
    names = {n.name for n in stops(scene(seen, shown.begin(seen)))}
    assert {"shuffle", "discard", "pass"} <= names
    assert {f"tile:{t}" for t in seen.view.tiles.racks[0]} <= names


FUZZ = st.one_of(
    st.sampled_from([RIGHT, ENTER, ESCAPE, BACK, DELETE, Click("next")]),
    st.sampled_from([Click(n) for n in (
        "done", "recall", "shuffle", "discard", "pass", "stay", "all", "back",
        "exchange",
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
        local, move = handle(shown, seen, local, intent)
        assert sorted(local.order) == list(rack)
        assert len({e.cell for e in local.laid}) == len(local.laid)
        assert len(local.away) == len(local.laid) + len(local.swaps)
        if move is not None:
            lhexicon.play(state, 1, move)
        if i % 8 == 0:
            scene(seen, local)
            assert said(seen, local)
