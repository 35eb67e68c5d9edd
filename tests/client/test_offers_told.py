"""Offers in the window: the button, the dialog, what is asked, and how it has ended."""

import pytest
from msgspec.structs import replace

from client.app.model import Model, Over, Page
from client.pages import agreeing, bystanders, screen
from client.ui.intents import Click, Key
from client.ui.scene import Role, find, walk
from netplay.messages import door
from netplay.messages.log import What
from netplay.messages.table_questions import Agreeing, AnswerOffer, MakeOffer
from netplay.sentences import Says
from rules import GAMES
from tests.client.during import HEAD, offered, standing
from tests.client.worlds import asks, base, fed, in_match, status, texts


def test_the_button_opens_a_dialog_with_what_may_be_offered_now() -> None:
    model = offered(Agreeing(may=((0, "draw"), (0, "back"), (1, "stop"))))
    opened = fed(model, Click(agreeing.OPEN))
    assert opened.over is Over.AGREE
    assert asks(opened, Click("agree.offer:back")) == [MakeOffer(0, "back")]
    assert fed(opened, Click("agree.offer:back")).over is Over.NONE
    assert asks(opened, Click("agree.offer:stop")) == []
    assert fed(opened, Key("escape")).over is Over.NONE


@pytest.mark.parametrize("phase", ["over", "stopped"])
def test_the_dialog_closes_where_nothing_can_be_offered_any_more(phase: str) -> None:
    opened = fed(offered(Agreeing(may=((0, "draw"),))), Click(agreeing.OPEN))
    assert opened.over is Over.AGREE and opened.table is not None
    ended = replace(opened.table, phase=phase, offers=Agreeing())
    assert fed(opened, status(table=ended)).over is not Over.AGREE


def test_computers_are_asked_for_a_turn_but_not_to_stop_together() -> None:
    model = offered(Agreeing(may=((0, "stop"),)))
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
    root = screen.scene(asked)
    assert find(root, "agree.offer:back") is not None
    assert find(root, "agree.offer:stop") is None


def test_days_off_are_told_elsewhere_by_a_notice() -> None:
    model = offered(standing("days", seat=1, asked=0, days_off=3))
    asked = door.Notice("system", Says.OFFERS_DAYS(name="Bert", days="3"), 0)
    away = replace(model, page=Page.START)
    assert str(Says.OFFERS_DAYS(name="Bert", days=3)) in texts(
        screen.scene(fed(away, asked))
    )


def test_days_off_are_chosen_from_a_few() -> None:
    opened = fed(offered(Agreeing(may=((0, "days"),))), Click(agreeing.OPEN))
    assert asks(opened, Click("agree.offer:days:5")) == [MakeOffer(0, "days", 5)]


def test_there_is_no_button_where_nothing_may_be_offered() -> None:
    assert find(screen.scene(offered(Agreeing())), agreeing.OPEN) is None


def test_what_is_asked_is_said_while_the_match_waits_for_somebody_away() -> None:
    model = offered(standing("days", 1, 0, 5))
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


def test_behind_the_curtain_nothing_is_asked() -> None:
    model = offered(standing("draw", 1, 0))
    assert model.match is not None
    covered = replace(model, match=replace(model.match, covered=True))
    assert find(screen.scene(covered), agreeing.YES) is None


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
