"""Offers in the window: the button, the dialog, what is asked, and how it has ended."""

import pytest
from msgspec.structs import replace

from client.app.model import Model, Over, Page
from client.pages import agreeing, bystanders, screen
from client.ui.intents import Click, Key
from client.ui.scene import Role, find, walk
from netplay.messages import door
from netplay.messages.door import Phase
from netplay.messages.log import What
from netplay.messages.table_questions import (
    Agreeing,
    AnswerOffer,
    MakeOffer,
    OfferStatus,
)
from netplay.sentences import Says
from rules import GAMES
from tests.client.listed import game
from tests.client.test_many_games import at_table
from tests.client.worlds import asks, base, fed, in_match, status, texts

HEAD = bytes(range(32))


def shown(offers: Agreeing, phase: Phase = "playing") -> Model:
    """Return a window at seat 0 of a match with these offers."""
    model = at_table(2)
    assert model.table is not None
    assert model.match is not None
    assert model.match.seat == 0
    places = (1, 1) if phase == "over" else ()
    told = replace(model.table, offers=offers, phase=phase, places=places)
    return fed(model, status(table=told))


def standing(what: What, seat: int, asked: int, days_off: int = 0) -> Agreeing:
    return Agreeing((OfferStatus(seat, what, days_off, HEAD, (asked,)),))


def test_the_button_opens_a_dialog_with_what_may_be_offered_now() -> None:
    model = shown(Agreeing(may=((0, "draw"), (0, "back"), (1, "stop"))))
    opened = fed(model, Click(agreeing.OPEN))
    assert opened.over is Over.AGREE
    told = texts(screen.scene(opened))
    assert "A draw" in told
    assert "Take back my turn" in told
    assert "Stop together" not in told
    assert asks(opened, Click("agree.offer:back")) == [MakeOffer(0, "back")]
    assert fed(opened, Click("agree.offer:back")).over is Over.NONE
    assert asks(opened, Click("agree.offer:stop")) == []
    assert fed(opened, Key("escape")).over is Over.NONE


@pytest.mark.parametrize("phase", ["over", "stopped"])
def test_the_dialog_closes_where_nothing_can_be_offered_any_more(phase: str) -> None:
    opened = fed(shown(Agreeing(may=((0, "draw"),))), Click(agreeing.OPEN))
    assert opened.over is Over.AGREE and opened.table is not None
    ended = replace(opened.table, phase=phase, offers=Agreeing())
    assert fed(opened, status(table=ended)).over is not Over.AGREE


def test_computers_are_asked_for_a_turn_but_not_to_stop_together() -> None:
    model = shown(Agreeing(may=((0, "stop"),)))
    assert model.table is not None
    table = model.table
    mine, *others = table.seats

    def beside(kind: str, *may: What) -> Model:
        seats = (mine, *(replace(seat, kind=kind) for seat in others))
        offers = Agreeing(may=tuple((0, what) for what in may))
        told = replace(table, seats=seats, offers=offers)
        return fed(model, status(table=told))

    assert find(screen.scene(beside("remote", "stop")), agreeing.OPEN) is not None
    assert find(screen.scene(beside("computer", "stop")), agreeing.OPEN) is None
    asked = fed(beside("computer", "stop", "back"), Click(agreeing.OPEN))
    said = texts(screen.scene(asked))
    assert "Take back my turn" in said
    assert "Stop together" not in said


def test_days_off_are_told_once_in_the_match_and_elsewhere_by_a_notice() -> None:
    model = shown(standing("days", seat=1, asked=0, days_off=3))
    asked = door.Notice("system", Says.OFFERS_DAYS(name="Bert", days="3"), 0)
    told = texts(screen.scene(fed(model, asked)))
    assert told.count("asks for days off") == 2  # in the box, and in the chat
    away = replace(model, page=Page.START)
    assert str(Says.OFFERS_DAYS(name="Bert", days=3)) in texts(
        screen.scene(fed(away, asked))
    )


@pytest.mark.parametrize(("name", "drawn"), [("numlo", False), ("networdz", True)])
def test_tiles_are_named_only_where_tiles_are_drawn(name: str, drawn: bool) -> None:
    model = in_match(base(), name, 2, 3)
    assert model.table is not None
    offers = Agreeing(may=((0, "stop"),))
    model = fed(model, status(table=replace(model.table, offers=offers)))
    opened = replace(model, over=Over.AGREE)
    assert ("tiles were drawn" in texts(screen.scene(opened))) is drawn


def test_days_off_are_chosen_from_a_few() -> None:
    opened = fed(shown(Agreeing(may=((0, "days"),))), Click(agreeing.OPEN))
    assert "Days off: 14 days" in texts(screen.scene(opened))
    assert asks(opened, Click("agree.offer:days:5")) == [MakeOffer(0, "days", 5)]


def test_there_is_no_button_where_nothing_may_be_offered() -> None:
    assert find(screen.scene(shown(Agreeing())), agreeing.OPEN) is None


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("draw", "offers a draw."),
        ("stop", "would like to stop here, without a winner."),
        ("back", "would like to take back a turn."),
        ("days", "asks for days off: 5 days."),
    ],
)
def test_what_another_offers_is_said_and_answered(what: What, words: str) -> None:
    model = shown(standing(what, 1, 0, 5 if what == "days" else 0))
    assert words in texts(screen.scene(model))
    assert find(screen.scene(model), agreeing.OPEN) is None
    assert asks(model, Click(agreeing.YES)) == [AnswerOffer(0, True, HEAD)]
    assert asks(model, Click(agreeing.NO)) == [AnswerOffer(0, False, HEAD)]


def test_what_is_asked_is_said_while_the_match_waits_for_somebody_away() -> None:
    model = shown(standing("days", 1, 0, 5))
    assert model.table is not None
    told = replace(model.table, phase="paused", waiting="Bert")
    asking = replace(told, asking=(("KEY", "Carl"),))
    claimed = replace(told, claims=(Says.TIME_CLAIMED(),))
    for table, words in (
        (told, agreeing.said(model)),
        (asking, bystanders.question(asking)),
        (claimed, str(Says.TIME_CLAIMED())),
    ):
        paused = fed(model, status(table=table))
        box = find(screen.scene(paused), "instructions")
        assert box is not None
        said = box.text or box.value  # more than fits is a list
        assert words
        assert words in said
        assert "Bert" in said
        assert asks(paused, Click(agreeing.YES)) == [AnswerOffer(0, True, HEAD)]


def test_ones_own_offer_says_who_is_to_answer_and_can_be_withdrawn() -> None:
    model = shown(standing("stop", 0, 1))
    names = model.names
    told = f"You offer: Stop together. Yet to answer: {names[1]}"
    assert told in texts(screen.scene(model))
    found = find(screen.scene(model), agreeing.NO)
    assert found is not None
    assert found.text == "Withdraw"
    assert asks(model, Click(agreeing.NO)) == [AnswerOffer(0, False, HEAD)]


def test_behind_the_curtain_nothing_is_asked() -> None:
    model = shown(standing("draw", 1, 0))
    assert model.match is not None
    covered = replace(model, match=replace(model.match, covered=True))
    assert find(screen.scene(covered), agreeing.YES) is None


def test_how_the_players_have_ended_it_is_said_instead_of_whose_turn_it_is() -> None:
    model = shown(Agreeing(ended="stop"), "over")
    told = texts(screen.scene(replace(model, over=Over.NONE)))
    assert "You have agreed to stop here: nobody has won." in told
    assert agreeing.headline(shown(Agreeing(ended="draw"), "over").table) == "A draw"  # type: ignore[arg-type]  # it is there


def test_who_has_days_off_is_said_in_the_bar() -> None:
    model = shown(Agreeing(off=((1, 3 * 86_400),)))
    assert model.table is not None
    assert agreeing.note(model.table) == f"{model.names[1]} has days off: 3 days"


def test_the_list_of_games_says_who_has_days_off() -> None:
    games = (game(1, "numlo", off=(("Bert", 2 * 86_400),)), game(2, "hexagrams"))
    told = texts(screen.scene(fed(base(), status(games=games))))
    assert "Bert has days off: 2 days" in told


def test_days_off_that_have_just_begun_are_told_as_many_as_they_are() -> None:
    told = agreeing.absent((("Bert", 2 * 86_400 - 240),))
    assert told == ["Bert has days off: 2 days"]


@pytest.mark.parametrize("game", list(GAMES))
def test_a_match_that_was_ended_together_has_nothing_to_press_on_its_board(
    game: str,
) -> None:
    """Though by the rules of the game it would go on."""
    model = in_match(base(), game, 2, 5)
    assert model.table is not None
    stopped = replace(
        model.table, phase="over", turn=(), places=(1, 1), offers=Agreeing(ended="stop")
    )
    over = fed(model, status(table=stopped))
    drawn = find(screen.scene(over), "game")
    assert drawn is not None
    assert not [node.name for node in walk(drawn) if node.role is Role.BUTTON]
