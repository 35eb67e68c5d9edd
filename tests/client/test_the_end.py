"""What the page of a finished match shows, whatever was played."""

import re
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from client.app import board, results
from client.app.model import Model, Page, seen
from client.pages import play, screen
from client.pages.players import SHOW
from client.ui import texts
from client.ui.intents import Click, Key, Text
from client.ui.scene import Mark, Node, find, walk
from netplay.messages import door
from netplay.sentences import Says
from rules import GAMES
from tests.client.worlds import SAVED, asks, base, fed, in_match, seat, status
from tests.said import says


def ended(game: str, places: tuple[int, ...], **table: Any) -> Model:
    """Return the window at a match that has ended with these places."""
    model = in_match(base((800, 500)), game, len(places), 2)
    status = model.status
    assert status is not None
    assert status.table is not None
    over = replace(status.table, phase="over", places=places, turn=(), **table)
    return fed(model, replace(status, table=over))


def node(model: Model, name: str) -> Node | None:
    return find(screen.scene(model), name)


@pytest.mark.parametrize("game", list(GAMES))
def test_the_winner_s_panel_carries_a_star(game: str) -> None:
    model = ended(game, (2, 1))
    star = node(model, "winner1")
    card = node(model, "player1.card") or node(model, f"{SHOW}1")
    assert star is not None
    assert card is not None
    assert star.mark is Mark.STAR
    assert card.rect.holds(star.rect)
    name = node(model, "player1")
    assert name is not None
    assert not name.rect.meets(star.rect)
    assert card.value == "winner"
    assert node(model, "winner0") is None


def test_winners_who_tie_all_have_a_star_but_nobody_alone() -> None:
    model = ended("numlo", (1, 1, 3))
    assert [node(model, f"winner{i}") is not None for i in range(3)] == [1, 1, 0]
    drawn = ended("numlo", (1, 1))
    assert node(drawn, "winner0") is None
    alone = ended("lhexicon", (1,))
    assert node(alone, "winner0") is None


def test_there_is_no_star_before_the_end() -> None:
    model = in_match(base(), "numlo", 2, 2)
    assert not any(node(model, f"winner{i}") for i in range(2))


def enabled(model: Model) -> bool:
    found = node(model, "rematch")
    assert found is not None
    return found.enabled


def test_guests_may_ask_for_a_rematch_and_it_is_said_who_did() -> None:
    seats = (seat("Anna"), seat("Bert", "remote", state="connected"))
    guest = ended("numlo", (1, 2), hosting=False, host="Bert", seats=seats)
    assert enabled(guest)
    assert guest.status is not None
    own = guest.status.name
    namesake = ended(
        "numlo", (1, 2), hosting=False, host=own, seats=seats, rematch=(own,)
    )
    assert enabled(namesake)
    assert says(play.instruction(namesake), Says.WOULD_REMATCH, name=own)
    asked = ended(
        "numlo",
        (1, 2),
        hosting=False,
        host="Bert",
        seats=seats,
        rematch=(own,),
        wished=True,
    )
    assert not enabled(asked)
    said = play.instruction(asked)
    assert not says(said, Says.WOULD_REMATCH, name=own), "as if it were another"
    assert "Bert" in said


def test_a_wish_for_a_rematch_is_read_while_one_looks_back() -> None:
    seats = (seat("Anna"), seat("Bert", "remote", state="connected"))
    over = ended("numlo", (1, 2), hosting=False, seats=seats, rematch=("Bert",))
    back = fed(over, Key("page up"))
    assert back.match is not None
    assert back.match.back >= 0
    assert says(play.instruction(back), Says.WOULD_REMATCH, name="Bert")


def test_a_match_that_was_stopped_goes_on_by_a_button_unless_it_is_in_dispute() -> None:
    model = ended("numlo", (1, 2))
    status = model.status
    assert status is not None
    assert status.table is not None
    table = replace(status.table, phase="stopped", waiting="Bert has left the table")
    stopped = fed(model, replace(status, table=table))
    assert asks(stopped, Click("go-on")) == [door.Load("")]
    disputed = replace(status, table=replace(table, disputed=True))
    assert node(fed(model, disputed), "go-on") is None


@pytest.mark.parametrize("phase", ["stopped", "over"])
def test_a_match_that_was_left_can_be_gone_on_with_in_the_same_window(
    phase: str,
) -> None:
    model = ended("numlo", (1, 2))
    assert model.table is not None
    there = replace(model.table, phase=phase)
    left = fed(model, status(table=there), Click("home"))
    assert left.page is Page.START
    late = fed(left, status(table=there))
    assert late.page is Page.START, "what the node said before it heard of it"
    away = fed(late, status(saved=SAVED))
    assert asks(away, Click("saved:p")) == [door.Load(SAVED[0][0])]
    back = fed(away, Click("saved:p"), status(table=replace(there, phase="paused")))
    assert back.page is Page.MATCH


def test_a_rematch_with_who_is_away_says_that_it_waits() -> None:
    seats = (seat("Anna"), seat("Bert", "remote", state="away"))
    for hosting, host in ((False, "Bert"), (True, "Anna")):
        window = ended("numlo", (1, 2), hosting=hosting, host=host, seats=seats)
        assert enabled(window)
        said = "Bert: away. A rematch waits until all are here."
        assert said in play.instruction(window)
    shut = (seats[0], replace(seats[1], state="blocked"))
    assert not enabled(ended("numlo", (1, 2), hosting=False, host="Bert", seats=shut))


APART = Says.OUT_OF_STEP_AT(name="Ben", number=9, theirs="00aa", ours="11bb")


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ru"])
@pytest.mark.parametrize("game", list(GAMES))
def test_a_match_in_dispute_has_no_winner_and_says_why(
    game: str, language: str
) -> None:
    model = ended(game, (2, 1))
    status = model.status
    assert status is not None
    assert status.table is not None
    table = replace(status.table, phase="stopped", places=(), apart=(APART,))
    model = fed(model, replace(status, table=replace(table, disputed=True)))
    try:
        texts.speak(language)
        nodes = list(walk(screen.scene(model)))
        said = " ".join(" ".join(each.text for each in nodes).split())
        assert "00aa" in said
        assert "11bb" in said
        assert " ".join(texts.phrase(APART).split()) in said  # in lines
        assert (texts.phrase(APART) == str(APART)) == (language == "en")
        assert play.headline(model) == texts.told("In dispute")
    finally:
        texts.speak("en")
    assert not any(each.name in {"winner0", "winner1", "places"} for each in nodes)


def test_nobody_is_said_to_win_with_fewer_points_than_who_gave_up() -> None:
    names = ("Anna", "Bert")
    told = results.told(names, (1, 2), (30, 56))
    assert [each for each in (*names, "30", "56") if each in told] == ["Anna"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_who_are_first_are_named_with_their_points_and_nobody_else(
    seats: int,
) -> None:
    names = ("Anna", "Bert", "Cyd", "Dora")[:seats]
    for scores in product((30, 56), repeat=seats):
        places = [1 + sum(other > own for other in scores) for own in scores]
        told = set(re.findall(r"\w+", results.told(names, places, scores)))
        first = {n for n, own in zip(names, scores, strict=True) if own == max(scores)}
        assert told & {*names, "30", "56"} == {*first, str(max(scores))}


@pytest.mark.parametrize(
    ("game", "mine"),
    [("networdz", False), ("lhexicon", False), ("numlo", False), ("numlo", True)],
)
def test_who_goes_on_after_the_end_is_not_told_of_turns(
    game: str, *, mine: bool
) -> None:
    model = in_match(base(), game, 2, 2)
    assert model.match is not None
    state, module = model.match.state, board.find(game)
    own = state.turn if mine else 1 - state.turn
    now = replace(
        seen(model, model.match), seat=own, view=GAMES[game].view(state, own),
        live=False, ended=True,
    )  # fmt: skip
    local = module.begin(now)
    for intent in (Key("right"), Text(" ")) if game == "numlo" else (Key("enter"),):
        local, move = module.handle(now, local, intent)
        assert move is None
    refused = module.TRAITS.refused
    assert refused is not None
    assert refused(local) == texts._("The game is over")
