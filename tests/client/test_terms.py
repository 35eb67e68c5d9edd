"""What the table page shows is what the node has agreed to."""

import pytest
from msgspec.structs import replace

from client.app.model import Ask, Model
from client.pages import play, screen, setup
from client.ui import texts as languages
from client.ui.intents import Click, Focus, Text
from client.ui.scene import find
from netplay import wire
from netplay.messages import door
from netplay.messages.node_questions import PeerStatus
from rules import GAMES, lexicon, lhexicon
from tests.client.clicking import update
from tests.client.worlds import (
    asks,
    at_match,
    base,
    fed,
    playing,
    seat,
    status,
    table,
    texts,
    view,
)
from tests.client.worlds import networdz as played

REFUSED = "that is not something"


def answered(model: Model, event: object, reason: str = "") -> Model:
    """Return the model after something was asked and answered."""
    model, effects = update(model, event)  # type: ignore[arg-type]  # (any intent)
    numbers = [each.request.id for each in effects if isinstance(each, Ask)]
    for number in numbers:
        answer = door.Failed(number, 32, reason) if reason else door.Done(number)
        model = fed(model, answer)
    return model


def ticked(model: Model, name: str) -> bool:
    node = find(screen.scene(model), name)
    assert node is not None
    return node.selected


def test_a_change_that_the_node_refuses_is_taken_back_and_its_reason_told() -> None:
    model = fed(base(), status(table=table(waiting="")), Click("rules"))
    model = answered(model, Click("option.tournament"))
    assert ticked(model, "option.tournament")
    why = "Tournament rules allow none of the optional rules"
    model = answered(model, Click("option.hints"), why)
    assert not ticked(model, "option.hints")
    assert ticked(model, "option.tournament")
    shown = texts(screen.scene(model))
    assert why in shown
    assert REFUSED not in shown


def test_a_match_starts_on_no_terms_that_the_node_has_not_taken() -> None:
    model = fed(base(), status(table=table(waiting="")))
    pending, _effects = update(model, Click("option.timed"))
    pending, _effects = update(pending, Click("option.timed:3"))
    start = find(screen.scene(pending), "start")
    assert start is not None
    assert not start.enabled
    model = answered(fed(model, Click("option.timed")), Click("option.timed:3"))
    start = find(screen.scene(model), "start")
    assert start is not None
    assert start.enabled


def test_a_table_opened_by_a_command_shows_its_own_options() -> None:
    game = GAMES["networdz"]
    options = wire.pack(game.ABOUT.options(trade_blanks=True, timed=4))
    seats = (seat("Anna"), seat("Computer 2", "computer"))
    opened = table(options=options, seats=seats, waiting="")
    model = fed(base(), status(table=opened), Click("rules"))
    assert ticked(model, "option.trade_blanks")
    timed = find(screen.scene(model), "option.timed")
    assert timed is not None
    assert timed.value == "4"
    assert dict(model.setup.draft.options) == {"trade_blanks": "on", "timed": "4"}


def test_terms_that_were_typed_are_kept_while_they_are_agreed() -> None:
    model = fed(base(), status(table=table()))
    model = fed(model, Focus("field.seat1"), Text("10.0.0.9:5 Bert"))
    model = answered(model, Focus(""))
    assert model.setup.draft.seats[1].address == "10.0.0.9:5 Bert"
    assert model.setup.agreed == model.setup.draft


def test_a_hint_stays_in_the_instructions_until_the_turn_is_over() -> None:
    model = at_match(base(), 2, 8)
    assert model.match is not None
    options = replace(model.match.state.options, hints=True)
    state = replace(model.match.state, options=options, turn=0)
    model = replace(model, match=replace(model.match, state=state))
    told = playing(state, 2, options=wire.pack(options))
    model = fed(model, status(table=told))
    before, model = model, fed(model, Click("ask.hint"))
    assert play.instruction(model) != play.instruction(before)
    (number,) = (n for n, what in model.asked.items() if what == "hint")
    model = fed(model, door.Done(number, "8H FOEHN 30"))
    assert "Hint: 8H FOEHN 30" in play.instruction(model)
    later, past = played(2, 9)
    model = fed(model, view(later, past, 0, start=len(played(2, 8)[1])))
    assert "FOEHN" not in texts(screen.scene(model))


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "Computer 2"), ("fr", "Ordinateur 2"), ("ru", "Компьютер 2")],
)
def test_computers_bear_names_in_the_language_of_the_window(
    language: str, name: str
) -> None:
    seats = (seat("Anna"), seat("Computer 2", "computer"), seat("Computer 9"))
    alone = seat("Computer", "computer")
    model = fed(base(), status(table=table(seats=(*seats, alone))))
    languages.speak(language)
    try:
        assert model.names == ("Anna", name, "Computer 9", name.removesuffix(" 2"))
    finally:
        languages.speak("en")


def test_a_match_left_and_gone_on_with_is_watched_anew() -> None:
    state, past = played(2, 8)
    model = at_match(base(), 2, 8)
    left = fed(model, status(table=None))
    assert left.match is None
    again, effects = update(left, status(table=playing(state, 2)))
    assert door.Watch(0) in [e.request.ask for e in effects if isinstance(e, Ask)]
    back = fed(again, view(state, past, 0))
    assert find(screen.scene(back), "rack") is not None


def test_the_positions_show_who_sits_there() -> None:
    seats = (seat("Anna"), seat("Yuri", "remote", state="connected"))
    model = fed(base(), status(table=table(seats=seats)))
    for part, name in (("field.seat0", "Anna"), ("seat1.name", "Yuri")):
        shown = find(screen.scene(model), part)
        assert shown is not None
        assert shown.text == name


def test_who_can_play_at_a_seat_is_said_in_plain_words() -> None:
    model = fed(base(), status(table=table()), Click("kind0"))
    shown = texts(screen.scene(model))
    for word in ("Nobody", "Person here", "Computer", "Friend"):
        assert word in shown
    for shouted in ("NONE", "PERSON", "COMPUTER", "REMOTE", "IP name"):
        assert shouted not in shown
    assert setup.hosting(model)


def test_a_friend_who_was_asked_stands_there_by_name_and_not_by_key() -> None:
    key = "ABCD-EFGH-IJKL-MNOP"
    seats = (
        seat("Anna"),
        seat("", "remote", state="awaited", key="", address=f"{key} Bert",
             asked="undelivered"),
    )  # fmt: skip
    asleep = PeerStatus("Bert", key, "", connected=False, since=7300)
    told = status(table=table(seats=seats), friends=(("Bert", key),), peers=(asleep,))
    model = fed(base(), told)
    name = find(screen.scene(model), "seat1.name")
    state = find(screen.scene(model), "seat1.state")
    start = find(screen.scene(model), "start")
    assert name is not None
    assert state is not None
    assert start is not None
    assert name.text == "Bert"
    assert "asked" in state.text
    assert "Bert" in start.text.split()
    assert not start.enabled
    assert "ABCD" not in texts(screen.scene(model))
    asked = asks(model, Focus("field.seat1"), Focus(""))
    assert asked == [], "a name that was only looked at stays whose it is"


@pytest.mark.parametrize(
    ("language", "edition", "words"),
    [
        ("de", "german", ""),
        ("fr", "french", "french"),
        ("es", "spanish", ""),
        ("ru", "russian", ""),
        ("en", "", ""),
    ],
)
def test_tiles_and_words_follow_the_language_until_others_are_chosen(
    language: str, edition: str, words: str
) -> None:
    model = base()
    model = replace(model, settings=replace(model.settings, language=language))
    model = fed(model, status())
    (hosted,) = asks(model, Click("setup"))
    assert hosted.edition == edition
    model = fed(model, Click("setup"), status(table=table()))
    (change,) = asks(model, Click("game"), Click("game:1"))
    other = change.table
    assert (other.game, other.words) == ("lhexicon", words)
    digest = lexicon.shipped()[words or "english"]
    assert lhexicon.start(2, lhexicon.Options(lexicon=digest)).turn == 0
    chosen = fed(model, Click("edition"))
    names = model.edition_names
    (english,) = asks(chosen, Click(f"edition:{names.index('networdz')}"))
    assert english.table.edition == "networdz"
    (again,) = asks(
        fed(chosen, Click(f"edition:{names.index('networdz')}")),
        Click("option.tournament"),
    )
    assert again.table.edition == "networdz"
