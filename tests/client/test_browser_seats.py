"""A seat for a guest in a browser, as the window shows it to its host and to others."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from client import cues
from client.app.model import Model, Over, Play
from client.pages import agreeing, overlays, screen
from client.ui import texts as languages
from client.ui.intents import Click, Key
from client.ui.scene import find, walk
from client.ui.sound import Sound
from client.ui.theme import SMALLEST
from client.update import update
from netplay import wire
from netplay.messages import door
from netplay.messages.table_questions import GetFinished, LendSeat, Mute
from netplay.text import phrases
from rules import GAMES
from tests.client.worlds import (
    asks,
    base,
    fed,
    in_match,
    networdz,
    playing,
    seat,
    status,
    table,
    view,
)


def guest(name: str = "", **more: object) -> door.SeatStatus:
    state = "here" if name else "awaited"
    told: dict[str, Any] = {"key": "ABCD", "browser": "Anna", "state": state}
    return seat(name, **{**told, **more})


def at_table(own: door.SeatStatus, size: tuple[int, int] = (1280, 800)) -> Model:
    return fed(base(size), status(table=table(seats=(seat("Anna"), own))))


def test_the_host_chooses_a_browser_for_a_position() -> None:
    model = at_table(seat("Bert"))
    wishes = [
        ask.table.seats
        for ask in asks(model, Click("kind1"), Click("kind1:4"))
        if isinstance(ask, door.ChangeTable)
    ]
    assert wishes == [("person", "browser")]


@pytest.mark.parametrize("size", [(1280, 800), SMALLEST])
def test_a_guest_who_has_come_is_named_once_on_its_card(size: tuple[int, int]) -> None:
    for own in (guest("Bert"), guest("Bert", lent=True)):
        card = find(screen.scene(at_table(own, size)), "seat1")
        assert card is not None
        assert [node.text for node in walk(card)].count("Bert") == 1


def test_a_change_of_the_rules_leaves_the_guest_where_it_sits() -> None:
    model = at_table(guest("Bert"))
    wishes = [
        ask.table.seats
        for ask in asks(model, Click("option.timed"), Click("option.timed:3"))
        if isinstance(ask, door.ChangeTable)
    ]
    assert wishes[-1] == ("person", "browser")


def test_no_link_is_made_before_the_player_says_so() -> None:
    model = at_table(guest())
    assert not asks(model, Click("who1"))
    opened = fed(model, Click("who1"))
    assert opened.over is Over.LEND
    assert asks(opened, Click("lend.show")) == [LendSeat(1, served=True)]
    assert fed(opened, Key("escape")).over is Over.NONE


def test_a_yes_to_the_network_holds_for_the_next_link() -> None:
    first = at_table(guest())
    assert first.table is not None
    told = status(table=first.table, browsers=True)
    model = fed(first, told)
    assert asks(model, Click("who1")) == [LendSeat(1, served=True)]
    opened = fed(model, Click("who1"))
    why, asked = (
        find(screen.scene(each), "lend.why")
        for each in (opened, fed(first, Click("who1")))
    )
    assert why is not None and asked is not None
    assert asked.text.startswith(f"{why.text} ")  # the question is behind what it is
    # One who has a link, or plays by it, keeps it until the host says otherwise.
    lent = replace(first.table, seats=(seat("Anna"), guest("Bert", lent=True)))
    model = fed(first, status(table=lent, browsers=True))
    assert not asks(model, Click("who1"))


def test_who_waits_for_guests_alone_is_told_to_send_them_links() -> None:
    friend = seat("", "remote", key="", state="awaited")
    for other, said in ((guest(), "link of a free seat"), (friend, "Ask a friend")):
        seats = (seat("Anna"), guest(), other)
        model = fed(base(), status(table=table(seats=seats)))
        text = " ".join(node.text for node in walk(screen.scene(model)))
        assert said in text


@pytest.mark.parametrize("number", [1, 2, 3])
def test_of_free_seats_each_has_a_link_of_its_own(number: int) -> None:
    first = at_table(guest())
    assert first.table is not None
    seats = (seat("Anna"), guest(), guest(), guest())
    told = status(table=replace(first.table, seats=seats), browsers=True)
    model = fed(first, told)
    assert asks(model, Click(f"who{number}")) == [LendSeat(number, served=True)]


def test_a_guest_who_plays_is_ended_by_one_button() -> None:
    model = fed(at_table(guest("Bert", lent=True)), Click("who1"))
    assert asks(model, Click("lend.end")) == [LendSeat(1, on=False)]
    unlent = fed(at_table(guest()), Click("who1"))
    assert find(screen.scene(unlent), "lend.end") is None


def test_nothing_waits_for_a_guest_whose_page_is_away() -> None:
    begun = in_match(base(), "networdz", 2, 3)
    assert begun.table is not None
    dora = guest("Dora", lent=True, state="away", since=180)
    bert = seat("Bert", "remote", state="away")
    for others, names in (((dora,), ""), ((dora, bert), "Bert")):
        at = replace(begun.table, seats=(begun.table.seats[0], *others))
        assert phrases.away(at) == names
        again = agreeing.play_again(begun, replace(at, phase="over"))
        assert again.startswith(f"{names}:") if names else not again


def test_a_seat_whose_guest_was_ended_is_not_said_to_be_played() -> None:
    shown = in_match(base(), "networdz", 2, 3).table
    assert shown is not None
    for lent, words in ((True, "in a browser"), (False, "nobody plays here now")):
        seats = (shown.seats[0], guest("Dora", lent=lent, state="here"))
        at = replace(shown, seats=seats)
        model = fed(in_match(base(), "networdz", 2, 3), status(table=at))
        state = find(screen.scene(model), "seat1.state")
        assert state is not None
        assert state.text == words
        assert fed(model, Click("who1")).over is Over.LEND


def test_what_a_seat_that_is_lent_sees_is_not_shown_to_who_has_lent_it() -> None:
    state, past = networdz(2, 8)
    terms = playing(state, 2, (0,))
    lent = tuple(replace(each, lent=True) for each in terms.seats)
    for seats, seen in ((lent, False), (terms.seats, True)):
        here = status(table=replace(terms, seats=seats))
        model = fed(base(), here, view(state, past, 0))
        assert (model.match is not None) is seen


def test_others_read_at_whose_computer_it_is() -> None:
    seats = (
        seat("Carla"),
        seat("Anna", "remote"),
        replace(guest("Bert"), kind="remote"),
    )
    model = fed(base(), status(table=table(seats=seats, hosting=False)))
    shown = find(screen.scene(model), "seat2.browser")
    assert shown is not None
    assert "Anna" in shown.text


def test_others_mute_the_guest_alone() -> None:
    far = replace(guest("Bert"), kind="remote")
    model = fed(base(), status(table=table(seats=(seat("Carla"), far), hosting=False)))
    clicks = Click("who1"), Click("person.mute")
    assert asks(model, *clicks) == [Mute(True, "ABCD", "Bert")]
    muted = status(table=model.table, muted=("ABCD Bert",))
    assert asks(fed(model, muted), *clicks) == [Mute(False, "ABCD", "Bert")]


@pytest.fixture(params=["de", "fr", "es", "ru", "en"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    languages.speak(request.param)
    yield request.param
    languages.speak("en")


@pytest.mark.usefixtures("language")
def test_the_dialog_fits_into_the_smallest_window() -> None:
    for name in ("", "Bartholomäus"):
        model = fed(at_table(guest(name, lent=bool(name)), SMALLEST), Click("who1"))
        inside = find(screen.scene(model), "lend")
        assert inside is not None
        for node in walk(inside):
            assert node.rect.right <= inside.rect.right, node
            assert node.rect.bottom <= inside.rect.bottom, node


def at_guest(number: int, **changes: Any) -> door.TableStatus:
    """Return a match with a guest in seat 1, as the player of a seat is told of it."""
    shown = in_match(base(), "networdz", 2, 3).table
    assert shown is not None
    seats = (
        seat("Anna", lent=number != 0),
        seat("Dora", browser="Anna", lent=number != 1),
    )
    return replace(shown, seats=seats, **changes)


@pytest.mark.parametrize("number", [0, 1])
def test_each_of_two_at_one_computer_hears_when_the_own_turn_comes(number: int) -> None:
    model = in_match(base(), "networdz", 2, 3)
    turns = [at_guest(number, turn=(i,)) for i in (number, 1 - number)]
    heard = cues.changed(model, turns[1], turns[0])
    assert [each.sound for each in heard if isinstance(each, Play)] == [Sound.TURN]
    assert not cues.changed(model, turns[0], turns[1])


def said(text: str, number: int = 0) -> door.Line:
    """Return a line as the node of a match's first player tells it to all windows."""
    return door.Line("Anna" if number >= 0 else "Carla", text, 0, number)


@pytest.mark.parametrize(
    ("guest", "line", "own"),
    [
        (False, said("hello"), True),
        (False, said("Dora: hello"), False),
        (True, said("hello"), False),
        (True, said("Dora: hello"), True),
        (False, said("hello", -1), False),
        (True, said("hello", -1), False),
    ],
)
def test_each_of_two_at_one_computer_hears_what_the_other_writes(
    guest: bool, line: door.Line, own: bool
) -> None:
    shown = at_guest(int(guest))
    told = status(table=shown, name="Dora" if guest else "Anna")
    begun = in_match(base((390, 844)), "networdz", 2, 3)
    model = fed(replace(begun, guest=guest), told)
    after, effects = update(model, line)
    assert (after.chat.unread - model.chat.unread == 0) is own
    sounds = [each.sound for each in effects if isinstance(each, Play)]
    assert sounds == ([] if own else [Sound.CHAT])


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("places", [(1, 2), (2, 1)])
def test_who_has_lost_to_somebody_at_the_same_computer_is_not_told_to_have_won(
    places: tuple[int, int], number: int
) -> None:
    model = replace(in_match(base(), "networdz", 2, 3), guest=number == 1)
    before, over = at_guest(number), at_guest(number, phase="over", places=places)
    model = fed(model, status(table=before))
    assert model.match is not None
    won = places[number] == 1
    told = agreeing.result(model, over, model.match)[0]
    assert any(name in told for name in model.names) is not won
    heard = cues.changed(model, before, over)
    sounds = [each.sound for each in heard if isinstance(each, Play)]
    assert sounds == [Sound.WON if won else Sound.OVER]


def test_a_guest_is_asked_whether_it_is_there_before_time_runs() -> None:
    seats = (seat("Anna", "remote", key=""), guest("Dora", key=""))
    begins = door.Beginning(asked=True)
    asked = table(seats=seats, hosting=False, revision=7, beginning=begins)
    model = fed(replace(base((390, 844)), guest=True), status(table=asked))
    yes = find(screen.scene(model), "accept")
    assert yes is not None
    assert yes.enabled
    assert asks(model, Click("accept")) == [door.Consent(True, 7)]
    counted = replace(asked, beginning=door.Beginning(seconds=2))
    count = find(screen.scene(fed(model, status(table=counted))), "accept")
    assert count is not None
    assert (count.text[-1:], count.enabled) == ("2", False)


def test_the_host_sees_for_how_long_a_guests_page_is_away() -> None:
    shown = in_match(base(), "networdz", 2, 3).table
    assert shown is not None
    for since, words in ((180, "away 3 min"), (-1, "not connected")):
        away = guest("Dora", lent=True, state="away", since=since)
        at = replace(shown, seats=(shown.seats[0], away))
        model = fed(in_match(base(), "networdz", 2, 3), status(table=at))
        state = find(screen.scene(model), "seat1.state")
        assert state is not None
        assert state.text == words


@pytest.mark.parametrize("size", [SMALLEST, (1280, 800)])
def test_who_waits_for_a_guest_who_is_away_can_end_its_play_at_once(
    size: tuple[int, int],
) -> None:
    model = in_match(base(size), "networdz", 2, 3)
    shown = model.table
    assert shown is not None
    away = guest("Dora", lent=True, state="away", since=700, vacant=True)
    seats = shown.seats[0], away
    at = replace(shown, seats=seats, phase="paused", turn=(1,), waiting="Dora")
    model = fed(model, status(table=at))
    assert find(screen.scene(model), "retry") is None  # nobody can be called
    model = fed(model, Click("who.seat"))
    assert model.over is Over.LEND
    assert asks(model, Click("lend.end")) == [LendSeat(1, on=False)]


@pytest.mark.parametrize("terms", ["Carla", ""])
def test_another_waits_for_a_guest_who_is_away_and_cannot_end_its_play(
    terms: str,
) -> None:
    """Terms tell of no seat that was lent once the match had begun."""
    model = in_match(base(), "networdz", 3, 3)
    shown = model.table
    assert shown is not None
    away = seat("Dora", "remote", browser=terms, state="away", vacant=True, key="c")
    carla = seat("Carla", "remote", state="connected", key="c")
    seats = shown.seats[0], away, carla
    at = replace(shown, seats=seats, phase="paused", turn=(1,), waiting="Dora")
    scene = screen.scene(fed(model, status(table=at)))
    assert find(scene, "who.seat") is None
    assert find(scene, "retry") is None  # nobody can be called
    box = find(scene, "instructions")
    assert box is not None
    assert "Carla" in box.text


def test_a_guest_reads_of_no_key_that_is_only_the_owners() -> None:
    model = in_match(base(), "networdz", 2, 3)
    owners = {key for key, _does in overlays.keys_here(model)}
    guests = {key for key, _does in overlays.keys_here(replace(model, guest=True))}
    assert {"F2", "Ctrl+Esc", "Ctrl+Z"} <= owners
    assert not {"F2", "F3", "F4", "Ctrl+Esc", "Ctrl+Z"} & guests
    assert not asks(replace(model, guest=True), Key("escape", ctrl=True))
    assert fed(replace(model, guest=True), Key("escape", ctrl=True)).over is Over.NONE


def test_a_guests_page_asks_by_itself_for_nothing_that_is_only_the_owners() -> None:
    comes, ends = base((390, 844)), in_match(base((390, 844)), "networdz", 2, 3)
    assert ends.table is not None
    seats = (guest("Dora", lent=True), seat("Bert", "remote"))
    over = replace(ends.table, seats=seats, phase="over")
    for model, told in ((comes, None), (ends, over)):
        assert GetFinished() in asks(model, status(table=told))  # as its owner
        assert not asks(replace(model, guest=True), status(table=told))


@pytest.mark.parametrize("size", [(390, 664), (360, 800), (844, 390)])
def test_on_a_phone_help_begins_with_what_fingers_do(size: tuple[int, int]) -> None:
    desk, phone = (
        [does for _key, does in overlays.keys_here(in_match(base(each), "numlo", 2, 2))]
        for each in ((1280, 800), size)
    )
    assert phone[0] not in desk
    assert phone[1:] == desk


@pytest.mark.parametrize("browser", ["", "Anna"], ids=["later", "by the terms"])
def test_whose_computer_is_away_with_its_guest_can_be_called(browser: str) -> None:
    model = in_match(base(), "networdz", 2, 3)
    shown = model.table
    assert shown is not None
    away = seat("Dora", "remote", browser=browser, state="away")
    at = replace(shown, phase="paused", turn=(1,), waiting="Dora")
    for one, called in ((away, True), (replace(away, vacant=True), False)):
        told = replace(at, seats=(shown.seats[0], one))
        scene = screen.scene(fed(model, status(table=told)))
        assert (find(scene, "retry") is not None) is called


@pytest.mark.parametrize("over", [Over.LEND, Over.AGREE])
def test_what_is_asked_about_a_seat_or_an_offer_ends_with_the_game(over: Over) -> None:
    model = in_match(base(), "numlo", 2, 1)
    shown = model.table
    assert shown is not None
    at = replace(shown, seats=(shown.seats[0], guest("Dora", lent=True)))
    may = replace(at.offers, may=((0, "draw"),))
    model = fed(model, status(table=replace(at, offers=may)))
    opens = {Over.LEND: "who1", Over.AGREE: "agree"}
    model = fed(model, Click(opens[over]))
    assert model.over is over
    assert fed(model, status(table=replace(at, offers=may, entries=9))).over is over
    ended = fed(model, status(table=replace(at, phase="over", places=(1, 2))))
    assert ended.over is not over


def test_a_seat_of_a_game_that_is_over_gets_no_new_link() -> None:
    model = in_match(base(), "numlo", 2, 1)
    shown = model.table
    assert shown is not None
    for dora, ends in ((guest("Dora", lent=True), True), (guest("Dora"), False)):
        seats = shown.seats[0], dora
        ended = replace(shown, seats=seats, phase="over", places=(1, 2))
        model = fed(in_match(base(), "numlo", 2, 1), status(table=ended, browsers=True))
        model = fed(model, Click("result.close"))
        assert not asks(model, Click("who1"))
        model = fed(model, Click("who1"))
        assert model.over is Over.LEND
        assert find(screen.scene(model), "lend.show") is None
        assert (find(screen.scene(model), "lend.end") is not None) is ends


@pytest.mark.parametrize("guests", [False, True], ids=["window", "guest"])
def test_who_has_given_up_is_not_asked_whether_to_give_up(guests: bool) -> None:
    model = replace(in_match(base(), "numlo", 3, 1), guest=guests)
    shown = model.table
    assert shown is not None
    gone = replace(shown.seats[0], state="resigned")
    told = status(table=replace(shown, seats=(gone, *shown.seats[1:])))
    way = "resign" if guests else "leave"
    for now, may in ((model, True), (fed(model, told), False)):
        asked = now if guests else fed(now, Click(way))
        button = find(screen.scene(asked), "resign" if guests else "leave.resign")
        assert (button is not None and button.enabled) is may


def ended(*more: door.SeatStatus) -> Model:
    """Return Anna's window at the turn of Dora, whose play in a browser has ended."""
    model = in_match(base(), "networdz", 2, 3)
    assert model.table is not None
    seats = (seat("Anna"), seat("Dora", browser="Anna", lent=True), *more)
    game = replace(model.table, seats=seats, turn=(1,))
    now = replace(game, seats=(seats[0], replace(seats[1], lent=False), *more))
    model = fed(model, status(table=game), status(table=now))
    assert model.match is not None
    told = view(model.match.state, [], 1)
    return fed(model, told)


def test_an_owner_alone_plays_on_for_a_guest_without_a_curtain() -> None:
    model = ended()
    assert model.match is not None
    assert model.match.seat == 1
    assert find(screen.scene(model), "curtain") is None


def test_of_several_at_a_computer_one_plays_for_a_guest_who_is_none_of_them() -> None:
    model = ended(seat("Bert"))
    assert model.table is not None
    first, dora, last = model.table.seats
    sits = replace(model.table, seats=(first, replace(dora, browser=""), last))
    pages = [screen.scene(each) for each in (model, fed(model, status(table=sits)))]
    for_her, herself = (find(page, "ready") for page in pages)
    assert for_her is not None
    assert herself is not None
    assert for_her.text != herself.text


@pytest.mark.parametrize(
    ("game", "hides"),
    [("networdz", True), ("lhexicon", True), ("numlo", False), ("hexagrams", False)],
)
def test_the_curtain_falls_between_two_only_where_one_may_not_see_all(
    game: str, *, hides: bool
) -> None:
    """Who has no rack has none to hide, and is not asked to show one at each turn."""
    two = in_match(base(), game, 2, 3)
    assert two.table is not None
    sits = replace(two.table, seats=(seat("Anna"), seat("Dora")), turn=(0,))
    model = fed(two, status(table=sits))
    assert model.match is not None
    seen = wire.pack(GAMES[game].view(model.match.state, 1))
    told = door.View(b"m", 1, 3, seen, (), True)
    turn = fed(model, status(table=replace(sits, turn=(1,))), told)
    assert turn.match is not None
    assert turn.match.seat == 1
    assert (find(screen.scene(turn), "curtain") is not None) is hides


def test_the_curtain_goes_with_the_other_person_who_goes_on_in_a_browser() -> None:
    two = in_match(base(), "networdz", 2, 3)
    assert two.table is not None
    game = replace(two.table, seats=(seat("Anna"), seat("Dora")), turn=(0,))
    model = fed(two, status(table=game))
    assert model.match is not None
    model = replace(model, match=replace(model.match, covered=True))
    assert find(screen.scene(model), "curtain") is not None
    lent = replace(game, seats=(seat("Anna"), seat("Dora", lent=True)))
    assert find(screen.scene(fed(model, status(table=lent))), "curtain") is None


@pytest.mark.parametrize("covered", [False, True])
def test_nobody_sees_the_rack_of_whoever_goes_on_in_a_browser(covered: bool) -> None:
    """What was shown last stands until the view of who is left here has come."""
    two = in_match(base(), "networdz", 2, 3)
    assert two.table is not None
    game = replace(two.table, seats=(seat("Anna"), seat("Dora")), turn=(1,))
    model = fed(two, status(table=game))
    assert model.match is not None
    model = fed(model, view(model.match.state, [], 1))
    assert model.match is not None
    model = replace(model, match=replace(model.match, covered=covered))
    lent = replace(game, seats=(seat("Anna"), seat("Dora", lent=True)))
    now = fed(model, status(table=lent))
    assert now.match is not None
    assert now.match.seat == 1
    assert find(screen.scene(now), "curtain") is not None
    then = fed(now, view(now.match.state, [], 0))
    assert find(screen.scene(then), "curtain") is None


def test_who_shares_a_computer_may_go_on_with_the_game_in_a_browser() -> None:
    """No link is made by a look: it would take the seat from who sits here."""
    two = in_match(base(), "networdz", 2, 3)
    assert two.table is not None
    game = replace(two.table, seats=(seat("Anna", key="A"), seat("Dora", key="A")))
    model = fed(two, status(table=game, browsers=True))
    assert not asks(model, Click("who1"))
    opened = fed(model, Click("who1"))
    assert asks(opened, Click("lend.show")) == [LendSeat(1, served=True)]
    alone = replace(game, seats=(seat("Anna", key="A"), seat("Bert", "computer")))
    page = screen.scene(fed(two, status(table=alone)))
    assert find(page, "who0") is None
    over = replace(game, phase="over")
    assert find(screen.scene(fed(two, status(table=over))), "who1") is None
