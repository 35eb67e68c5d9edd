"""Friends on the start page: how they are, head to head, and a challenge by a click."""

import re
from datetime import date, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from client.app.drafts import Kind
from client.app.model import Over, Page, Store, drafted
from client.app.settings import Rules
from client.browser.session import fitting
from client.pages import screen
from client.ui.intents import Click, Focus, Hover, Key, Text
from client.ui.scene import Node, Role, find, step, walk
from client.ui.texts import LANGUAGES, speak
from netplay import wire
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.node_questions import (
    Correspondent,
    Describe,
    Forget,
    GetTalk,
    Personal,
    Talked,
    TalkedLine,
    Unblock,
    WriteTo,
)
from netplay.messages.table_questions import Friend, GetFinished
from netplay.said import Said, listed
from netplay.sentences import Says
from rules import GAMES
from rules.numlo import Options as NumloOptions
from tests.client import page_pictures
from tests.client.before import FRIENDS, PEERS, among_friends, won
from tests.client.clicking import update
from tests.client.lettering import fits
from tests.client.listed import FEW, game
from tests.client.worlds import asks, base, fed, seat, some_match, status, table, texts
from tests.said import says


def test_friends_stand_by_name_without_addresses_and_keys() -> None:
    root = screen.scene(among_friends())
    shown = texts(root)
    assert shown.index("Bert") < shown.index("Carla") < shown.index("Zoë")
    said = [part for n in walk(root) for part in (n.text, n.value, n.corner)]
    for secret in ("192.0.2.2", "BBBB-KEY"):
        assert not any(secret in part for part in said)


def test_only_in_a_game_in_which_time_runs_a_friend_is_said_to_play_along() -> None:
    values = []
    for live in (None, False, True):
        one = game(1, "hexcolumns", keys=("BBBB-KEY",), live=bool(live))
        model = fed(among_friends(games=(one,)), Click("begin:1"))
        if live is None:
            model = fed(among_friends(), Click("begin:1"))
        values.append(in_view(screen.scene(model), "friend:BBBB-KEY").value)
    assert values[0] == values[1] != values[2]


@pytest.mark.parametrize("in_hand", [0, 1, 8])
def test_what_was_over_in_the_last_days_stands_in_the_list_after_a_restart(
    in_hand: int,
) -> None:
    """The eighth day it is in the history alone; a rematch does not hide it."""
    model = among_friends(games=tuple(game(n + 1, "numlo") for n in range(in_hand)))
    over = date(2026, 11, 20)
    at = int(datetime(2026, 11, 20, 12).astimezone().timestamp())
    games = tuple(
        replace(won(number, how), at=at - number, path=f"/home/{number}")
        for number, how in ((3, "won"), (2, "lost"))
    )
    model = replace(model, past=replace(model.past, found=games), size=(1280, 2000))
    for days, there in ((0, True), (6, True), (7, False)):
        later = replace(model, day=over.toordinal() + days)
        rows = [f"in-hand.late:{bytes([number] * 32).hex()}" for number in (3, 2)]
        shown = [find(screen.scene(later), row) for row in rows]
        assert [row is not None for row in shown] == [there] * 2
        if there:
            assert asks(later, Click(rows[1])) == [door.Load("/home/2")]
            assert "Lost" in texts(shown[1])
    kept = replace(model, day=over.toordinal())
    before = find(screen.scene(kept), rows[1])
    held = fed(kept, Hover(rows[1]))
    turned = tuple(replace(g, mine=True, turn=(0,)) for g in held.status.games[:1])
    held = fed(held, replace(held.status, games=(*turned, *held.status.games[1:])))
    after = find(screen.scene(held), rows[1])
    assert before is not None and after is not None
    assert before.rect == after.rect, "nothing moves under the pointer"
    again = game(40, "lhexicon", phase="over", turn=(), match=bytes([3]) * 32)
    listed_ = fed(model, replace(model.status, games=(again,)))
    listed_ = replace(listed_, day=over.toordinal())
    assert find(screen.scene(listed_), "in-hand:40") is not None
    assert find(screen.scene(listed_), f"in-hand.late:{'03' * 32}") is None, "once"


def test_games_with_friends_are_counted_once_and_again_when_one_is_over() -> None:
    first = status(friends=FRIENDS)
    assert asks(base(), first) == [GetFinished()]
    model = among_friends()
    assert asks(model, status(friends=FRIENDS)) == []
    over = game(1, "numlo", phase="over", turn=(), match=b"")
    assert asks(model, status(friends=FRIENDS, games=(over,))) == [GetFinished()]


def test_games_of_somebody_without_friends_are_looked_for_too() -> None:
    """*Finished lately* shows those against computers alone, as well."""
    over = game(1, "numlo", phase="over", turn=(), match=b"")
    model = fed(base(), status())
    assert asks(base(), status()) == [GetFinished()]
    assert asks(model, status()) == []
    assert asks(model, status(games=(over,))) == [GetFinished()]


def test_games_are_counted_again_though_one_goes_from_the_end_of_one_to_the_start() -> (
    None
):
    ended = status(friends=FRIENDS, table=table(phase="over"))
    assert asks(fed(among_friends(), ended), status(friends=FRIENDS)) == [GetFinished()]


@pytest.mark.parametrize("size", [(1600, 1200), (800, 500), fitting(390, 844)])
def test_who_is_blocked_stands_below_the_friends_and_is_unblocked_there(
    size: tuple[int, int],
) -> None:
    shut = (("Dora", "DDDD-KEY"),)
    model = replace(among_friends(blocked=shut, games=(game(1, "numlo"),)), size=size)
    model = fed(model, Click("begin:1"))
    shown = texts(screen.scene(model))
    assert shown.index("Zoë") < shown.index("Dora, blocked") < len(shown)
    assert asks(model, Click("unblock:DDDD-KEY")) == [Unblock("DDDD-KEY")]
    assert find(screen.scene(model), "challenge:DDDD-KEY") is None
    assert find(screen.scene(model), "write:DDDD-KEY") is None


SIZES = [(1280, 800), (800, 500), fitting(390, 844), fitting(360, 640)]


def in_view(root: Node, name: str) -> Node:
    """Return a button that is seen whole, and all of whose words are."""
    node = find(root, name)
    assert node is not None, name
    assert root.rect.holds(node.rect), name
    return node


@pytest.mark.parametrize("language", list(LANGUAGES))
@pytest.mark.parametrize("size", SIZES)
def test_one_click_asks_to_the_game_of_last_time_which_the_button_names(
    size: tuple[int, int], language: str
) -> None:
    """Whatever was chosen for games here; on a phone all of the card is the button.

    Where a row has no room for the game, the list beside the button names it.
    """
    draft = replace(among_friends().setup.draft, game="hexagrams")
    model = replace(drafted(among_friends(games=FEW[:1]), draft), size=size)
    model = fed(model, Click("begin:1")) if size[0] == 800 else model
    try:
        speak(language)
        model = replace(model, settings=replace(model.settings, language=language))
        for key, title, game_ in (
            ("BBBB-KEY", "Lhexicon", "lhexicon"), ("CCCC-KEY", "Hexagrams", "hexagrams")
        ):  # fmt: skip
            root = screen.scene(model)
            face = in_view(root, f"challenge:{key}")
            assert title in face.value, "what is read aloud"
            words = [node for node in walk(face) if title in node.text]
            if face.role is Role.BUTTON:
                # In a narrow row it only says Play, never in two small lines.
                assert (face.size, face.kids) == (model.look.body, ())
                words = words or [face]
            assert [fits(node, model) for node in words] == [True]
            listed_ = fed(model, Click(f"challenge.other:{key}"))
            assert title in texts(screen.scene(listed_))
            (terms,) = asks(model, Click(f"challenge:{key}"))
            assert isinstance(terms, door.HostTable)
            assert terms.game == game_
            assert terms.seats[1].startswith(f"remote:{key} ")
        assert fed(model, Click("challenge:BBBB-KEY")).page is Page.TABLE
    finally:
        speak("en")


@pytest.mark.parametrize("size", SIZES)
def test_the_button_beside_it_lists_all_games_that_of_one_click_first(
    size: tuple[int, int],
) -> None:
    draft = replace(among_friends().setup.draft, game="hexagrams")
    start = replace(drafted(among_friends(games=FEW[:1]), draft), size=size)
    start = fed(start, Click("begin:1")) if size[0] == 800 else start
    more = "challenge.other:BBBB-KEY"
    assert any(map(str.isalpha, in_view(screen.scene(start), more).value))
    model = fed(start, Click(more))
    assert model.page is Page.START
    root = screen.scene(model)
    shown = [texts(in_view(root, f"{more}:{n}")) for n in range(5)]
    assert [title in text for title, text in zip(
        ("Lhexicon", "Networdz", "Numlo", "Hexagrams", "Hexcolumns"), shown, strict=True
    )] == [True] * 5  # fmt: skip
    for at, name in ((0, "lhexicon"), (3, "hexagrams")):
        (terms,) = asks(model, Click(f"{more}:{at}"))
        assert isinstance(terms, door.HostTable)
        assert (terms.game, terms.seats) == (name, ("person", "remote:BBBB-KEY Bert"))
        assert fed(model, Click(f"{more}:{at}")).page is Page.TABLE


def test_what_was_chosen_for_games_here_is_chosen_again_after_a_friend_was_asked() -> (
    None
):
    draft = replace(among_friends().setup.draft, game="hexagrams")
    model = fed(drafted(among_friends(), draft), Click("challenge:BBBB-KEY"))
    asked = seat("Bert", "remote", state="awaited", key="BBBB-KEY")
    there = table(game="lhexicon", seats=(seat("Anna"), asked))
    model = fed(model, status(friends=FRIENDS, peers=PEERS, table=there))
    assert (model.page, model.setup.draft.game) == (Page.TABLE, "lhexicon")
    model = fed(model, status(friends=FRIENDS, peers=PEERS))
    assert (model.page, model.setup.draft.game) == (Page.START, "hexagrams")
    (terms,) = asks(model, Click("challenge:CCCC-KEY"))
    assert isinstance(terms, door.HostTable)
    assert terms.game == "hexagrams"


def test_what_was_chosen_for_games_here_stays_when_another_table_is_looked_at() -> None:
    draft = replace(among_friends().setup.draft, game="hexagrams")
    model = drafted(among_friends(), draft)
    seats = (seat("Anna"), seat("Bert", "remote", state="awaited", key="BBBB-KEY"))
    there = table(game="lhexicon", seats=seats)
    model = fed(model, status(friends=FRIENDS, peers=PEERS, table=there))
    assert (model.page, model.setup.draft.game) == (Page.TABLE, "lhexicon")
    model = fed(model, status(friends=FRIENDS, peers=PEERS))
    assert (model.page, model.setup.draft.game) == (Page.START, "hexagrams")


@pytest.mark.parametrize("phone", [(390, 844), (412, 915)])
def test_both_buttons_of_a_friend_are_as_high_as_a_thumb_on_a_phone(
    phone: tuple[int, int],
) -> None:
    model = replace(among_friends(games=FEW[:1]), size=fitting(*phone))
    times = phone[0] / fitting(*phone)[0]
    for page in (model, fed(model, Click("begin:1"))):
        for name in ("challenge", "challenge.other"):
            rect = in_view(screen.scene(page), f"{name}:BBBB-KEY").rect
            assert min(rect.w, rect.h) * times >= 44, name


def test_from_the_friend_tab_goes_to_the_game_and_then_to_the_other_games() -> None:
    root, at = screen.scene(among_friends()), "write:BBBB-KEY"
    for name in ("challenge:BBBB-KEY", "challenge.other:BBBB-KEY", "friend:CCCC-KEY"):
        at = step(root, at, 1)
        assert at == name


def test_the_rules_of_the_last_game_with_a_friend_are_taken_again() -> None:
    model = among_friends()
    rules = Rules("networdz", (("timed", "5"),), days=0)
    own = replace(model.settings, rules=(("CCCC-KEY", rules),))
    model = replace(model, settings=own)
    (terms,) = asks(model, Click("challenge:CCCC-KEY"))
    assert (terms.game, terms.options) == ("networdz", (("timed", "5"),))
    model = fed(model, Click("challenge.other:CCCC-KEY"))
    (terms,) = asks(model, Click("challenge.other:CCCC-KEY:0"))
    assert (terms.game, terms.options) == ("networdz", (("timed", "5"),))
    (terms,) = asks(model, Click("challenge.other:CCCC-KEY:1"))
    assert (terms.game, terms.options) == ("lhexicon", ())


def test_the_rules_are_remembered_when_a_match_begins_with_a_friend() -> None:
    seats = (seat("Anna"), replace(seat("Bert", "remote"), key="BBBB-KEY"))
    forming = table(waiting="", seats=seats)
    model = fed(base(), status(table=forming))
    assert [each.kind for each in model.setup.draft.taken] == [Kind.PERSON, Kind.REMOTE]
    begun = replace(forming, match=bytes(32), phase="playing")
    model, effects = update(model, status(table=begun))
    assert Store() in effects
    assert [key for key, _rules in model.settings.rules] == ["BBBB-KEY"]
    assert dict(model.settings.rules)["BBBB-KEY"].game == forming.game


def test_the_game_that_a_friend_has_opened_is_the_last_one_too() -> None:
    chosen = wire.pack(NumloOptions(start="scatter"))
    seats = (replace(seat("Bert", "remote"), key="BBBB-KEY"), seat("Anna"))
    guests = table("numlo", hosting=False, seats=seats, options=chosen, edition="")
    guests = replace(guests, lexicon="", thinking=door.Thinking(days=3))
    model = among_friends()
    old = (("BBBB-KEY", Rules("hexagrams")),)
    model = replace(model, settings=replace(model.settings, rules=old))
    model = fed(model, status(table=guests))
    model = fed(model, status(table=replace(guests, match=bytes(32), phase="playing")))
    model = replace(among_friends(), settings=model.settings)
    (terms,) = asks(model, Click("challenge:BBBB-KEY"))
    told = (terms.game, terms.options, terms.days)
    assert told == ("numlo", (("start", "scatter"),), 3)


def test_a_friend_is_asked_for_no_tiles_and_words_that_only_the_friend_has() -> None:
    seats = (replace(seat("Bert", "remote"), key="BBBB-KEY"), seat("Anna"))
    guests = table("networdz", hosting=False, seats=seats, edition="Bert's tiles")
    for lexicon, words in (("1a2b3c4d", ""), ("german", "german")):
        theirs = replace(guests, lexicon=lexicon)
        model = fed(among_friends(), status(table=theirs))
        theirs = replace(theirs, match=bytes(32), phase="playing")
        model = fed(model, status(table=theirs))
        model = replace(among_friends(), settings=model.settings)
        (terms,) = asks(model, Click("challenge:BBBB-KEY"))
        assert (terms.game, terms.edition, terms.words) == ("networdz", "", words)


def test_who_only_watches_a_game_of_friends_is_asked_for_none() -> None:
    seats = (replace(seat("Bert", "remote"), key="BBBB-KEY"), seat("Cleo", "remote"))
    watched = table("numlo", hosting=False, watching=True, seats=seats)
    model = fed(among_friends(), status(table=watched))
    model = fed(model, status(table=replace(watched, match=bytes(32), phase="playing")))
    assert model.settings.rules == ()


def test_of_the_rules_with_a_friend_the_last_are_remembered() -> None:
    seats = (seat("Anna"), replace(seat("Bert", "remote"), key="BBBB-KEY"))
    forming = table("numlo", waiting="", seats=seats)
    old = tuple((key, Rules("hexagrams")) for key in ("CCCC-KEY", "BBBB-KEY"))
    model = fed(base(), status(table=forming))
    model = replace(model, settings=replace(model.settings, rules=old))
    begun = status(table=replace(forming, match=b"m", phase="playing"))
    late = fed(base(), status(), begun)  # it began with no window at its table
    late = replace(late, settings=replace(late.settings, rules=old))
    for seen in (fed(model, begun), late):
        told = fed(seen, numlo_after(0))
        kept = [(key, rules.game) for key, rules in told.settings.rules]
        assert kept == [("BBBB-KEY", "numlo"), ("CCCC-KEY", "hexagrams")]
    assert fed(late, numlo_after(2)).settings.rules == old, "it goes on for a while"


def numlo_after(moves: int) -> door.View:
    """Return what the first seat is shown of a game of Numlo."""
    rules = GAMES["numlo"]
    state, past = some_match("numlo", 2, moves)
    happened = tuple(
        door.Happened(i, actor, wire.pack(rules.mask(before, actor, move, 0)), 0)
        for i, (before, actor, move) in enumerate(past)
    )
    packed = wire.pack(rules.view(state, 0))
    return door.View(b"m", 0, len(past), packed, happened, True)


def test_who_a_friend_is_stands_behind_the_name_with_forget_and_block() -> None:
    model = fed(among_friends(), Click("friend:CCCC-KEY"))
    assert find(screen.scene(model), "person.block") is not None


def test_the_tile_behind_a_name_has_the_letter_of_what_one_calls_a_friend() -> None:
    called = (("Bella", "BBBB-KEY"), ("Carla", "CCCC-KEY"))
    own = (("BBBB-KEY", Personal("Bella", "", "", "")),)
    seats = (seat("Anna"), replace(seat("Otto", "remote"), key="BBBB-KEY"))
    playing = table(seats=seats, match=bytes(32), phase="playing")
    told = status(table=playing, friends=called, peers=PEERS, personal=own)
    dialog = find(screen.scene(fed(among_friends(), told, Click("who1"))), "person")
    assert dialog is not None
    assert {"Bella", "B"} <= set(texts(dialog).split("\n"))
    assert "O" not in texts(dialog).split("\n")


def test_before_a_friend_is_forgotten_with_all_letters_it_is_asked_about() -> None:
    model = fed(among_friends(), Click("friend:CCCC-KEY"))
    assert asks(model, Click("person.forget")) == []
    asked = fed(model, Click("person.forget"))
    for no in (Click("person.sure.no"), Key("escape")):
        kept = fed(asked, no)
        assert find(screen.scene(kept), "person.forget") is not None
    assert asks(asked, Click("person.sure.yes")) == [Forget("CCCC-KEY")]
    assert fed(asked, Click("person.sure.yes")).over is Over.NONE


NOTED = (("BBBB-KEY", Personal("Bertie", "met in Ulm", "Q", "green")),)


def test_a_friend_stands_by_ones_own_name_with_letter_and_colour() -> None:
    renamed = (("Zoë", "ZZZZ-KEY"), ("Bertie", "BBBB-KEY"), ("Carla", "CCCC-KEY"))
    model = fed(among_friends(), status(friends=renamed, peers=PEERS, personal=NOTED))
    row = find(screen.scene(model), "friend:BBBB-KEY")
    assert row is not None
    assert row.value.startswith("Bertie,")
    plain = find(screen.scene(among_friends()), "friend:BBBB-KEY")
    assert plain is not None
    (tile,) = (kid for kid in row.kids if kid.text == "Q")
    (usual,) = (kid for kid in plain.kids if kid.text == "B")
    assert tile.bg != usual.bg


def test_what_is_noted_of_a_friend_is_kept_by_leaving_the_field_or_a_click() -> None:
    model = fed(among_friends(), Click("friend:BBBB-KEY"), Focus("field.friend.name"))
    typed = fed(model, Text("Bertie"))
    wanted = Describe("BBBB-KEY", Personal("Bertie"))
    assert asks(typed, Key("enter")) == [wanted]
    assert asks(typed, Focus("field.friend.note")) == [wanted]
    painted = Describe("BBBB-KEY", Personal("Bertie", colour="blue"))
    assert asks(typed, Click("tile.blue")) == [painted]
    assert asks(typed, Key("escape")) == []
    untouched = fed(typed, Key("escape"), Focus(""), Click("friend:BBBB-KEY"))
    assert asks(untouched, Click("close")) == [], "called off is forgotten"


def talked(*lines: TalkedLine, by: str = "") -> bytes:
    return wire.pack(Talked("CCCC-KEY", lines, by))


def answered(model: Any, what: str, data: bytes = b"") -> Any:
    wanted = max(n for n, each in model.asked.items() if each == what)
    return fed(model, door.Done(wanted, data=data))


def with_written(*found: Correspondent) -> Any:
    return status(friends=FRIENDS, peers=PEERS, written=found)


def test_a_click_writes_to_a_friend_without_a_table() -> None:
    model = fed(among_friends(), Click("write:CCCC-KEY"))
    assert model.over is Over.WRITING
    assert asks(among_friends(), Click("write:CCCC-KEY")) == [GetTalk("CCCC-KEY")]
    model = answered(model, "talk", talked(TalkedLine("hello", 9, False, False)))
    assert re.search(r"\d\d:\d\d Carla: hello", texts(screen.scene(model)))
    other = fed(model, Key("escape"), Click("friend:BBBB-KEY"), Click("person.write"))
    assert other.over is Over.WRITING, "before the node has told what"
    assert "hello" not in texts(screen.scene(other))
    typed = fed(model, Focus("field.write"), Text("a game?"))
    for sent in (Key("enter"), Click("write.send")):
        assert asks(typed, sent)[:1] == [WriteTo("CCCC-KEY", "a game?")]


def test_what_was_typed_stays_until_the_node_has_it() -> None:
    model = fed(
        among_friends(), Click("write:CCCC-KEY"), Focus("field.write"), Text("so")
    )
    model = fed(model, Key("enter"))
    wanted = max(n for n, each in model.asked.items() if each == "write")
    error = LocalError(Code.TOO_MANY, Says.WRITTEN_FULL(count=200))
    refused = fed(model, door.failed(wanted, error))
    assert says(texts(screen.scene(refused)), Says.WRITTEN_FULL, count=200)
    assert refused.edits["field.write"].text == "so"
    assert not says(texts(screen.scene(fed(refused, Text("y")))), Says.WRITTEN_FULL)
    assert "field.write" not in fed(model, door.Done(wanted)).edits


def test_lines_that_come_are_asked_for_where_they_are_read() -> None:
    new = Correspondent("CCCC-KEY", 2, 2, 0)
    model = fed(among_friends(), with_written(new))
    read = answered(fed(model, Click("write:CCCC-KEY")), "talk", talked())
    assert asks(read, with_written(new)) == [GetTalk("CCCC-KEY")]
    once = answered(fed(read, with_written(new)), "talk", talked())
    assert asks(once, with_written(new)) == []
    waits = Correspondent("CCCC-KEY", 0, 3, 1)
    late = answered(fed(once, with_written(waits)), "talk", talked(by="Bert"))
    assert fed(late, Key("escape")).over is Over.NONE


LINE = "netplay:10.0.0.9:4770,10.0.0.8:4770#ABCD-EFGH-IJKL-MNOP-QRST"
SILENT = Says.BECAUSE(
    what=Said("NO_ANSWER"),
    why=listed(
        (Says.PLACE_SILENT(place="10.0.0.9:4770"), Says.PLACE_SILENT(place="10.0.0.8"))
    ),
)


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("bert", "Bert"),
        (LINE.replace("ABCD-EFGH-IJKL-MNOP-QRST", "BBBB-KEY"), "Bert"),
        (f"{LINE} Dora", "Dora"),
        (LINE, "Whoever sent the invitation"),
    ],
)
def test_a_call_in_vain_names_who_was_called_and_no_address(
    typed: str, named: str
) -> None:
    model = fed(among_friends(), Focus("field.address"), Text(typed), Key("enter"))
    model = fed(model, door.Done(max(model.asked), Says.CALLING(address="somebody")))
    model = fed(model, door.Notice("error", SILENT, 0))
    assert model.fault is not None
    assert (
        model.fault.text
        == f"{Says.WHO_NOT_REACHED(who=named)}: {Says.NOTHING_ANSWERS()}"
    )
    there = texts(screen.scene(fed(model, Click("connection"))))
    assert says(there, Says.PLACE_SILENT, place="10.0.0.9:4770"), (
        "for those who look for it"
    )


def test_a_typed_address_is_told_with_its_address() -> None:
    model = fed(among_friends(), Focus("field.address"), Text("10.0.0.9"), Key("enter"))
    model = fed(model, door.Done(max(model.asked), Says.CALLING(address="10.0.0.9")))
    model = fed(model, door.Notice("error", SILENT, 0))
    assert model.fault is not None
    assert says(model.fault.text, Says.PLACE_SILENT, place="10.0.0.9:4770")


def test_meeting_somebody_shows_no_key() -> None:
    met = Says.FIRST_CONTACT(who="Dora", key="DDDD-KEY")
    model = fed(among_friends(), door.Notice("system", met, 0))
    assert "DDDD" not in texts(screen.scene(model))


def test_to_ask_a_friend_to_play_is_not_to_doubt_a_word() -> None:
    try:
        speak("de")
        button = find(screen.scene(among_friends()), "challenge:BBBB-KEY")
        assert button is not None
        assert "spielen" in texts(button)
    finally:
        speak("en")


SHOWN = re.compile(
    r"\d+\.\d+\.\d+\.\d+|netplay:.*#|[A-Z2-7]{4}-[A-Z2-7]{4}|:\d{4}\b|::[0-9a-f]"
)
"""An address, a key or a port, as they are written."""

ALLOWED = ("person.key", "field.", "servers.why", "dht.why", "meet.why")
"""What was asked for or stands there because of a doubt; what was typed; whom among
strangers the program would ask, if one says yes."""


def test_no_page_but_that_of_the_connection_shows_an_address_or_a_key() -> None:
    found = {
        (page, node.name, text)
        for page, model in page_pictures.every()
        if model.over is not Over.CONNECTION
        for node in walk(screen.scene(model))
        if not node.name.startswith(ALLOWED)
        for text in (node.text, node.value)
        if SHOWN.search(text)
    }
    assert not found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_friends_name_has_room_in_a_small_window(language: str) -> None:
    speak(language)
    model = fed(base((800, 500)), status(friends=(("Charlotte", "CCCC-KEY"),)))
    name = find(screen.scene(model), "friend.name:CCCC-KEY")
    assert name is not None
    assert name.rect.w >= model.look.width("Charlotte", model.look.body, bold=True)


def test_games_friends_an_invitation_and_a_new_game_stand_beside_each_other() -> None:
    one = game(1, "numlo")
    model = fed(base((1280, 800)), status(friends=FRIENDS, games=(one,)))
    for model_, every in ((model, True), (replace(model, size=(800, 500)), False)):
        scene = screen.scene(model_)
        shown = [find(scene, name) for name in ("game:0", "challenge:BBBB-KEY", "copy")]
        assert all(shown) is every
        assert find(scene, "in-hand.own:who1") is not None


def test_nothing_that_one_friend_wrote_is_shown_as_anothers() -> None:
    model = answered(
        fed(among_friends(), Click("write:CCCC-KEY")),
        "talk",
        talked(TalkedLine("privately", 9, False, False)),
    )
    model = fed(model, Click("close"))
    other = fed(model, Click("write:BBBB-KEY"))
    assert other.over is Over.WRITING
    assert "privately" not in texts(screen.scene(other))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(1280, 800), (800, 500)])
def test_one_can_write_to_a_friend_with_whom_there_are_results(
    language: str, size: tuple[int, int]
) -> None:
    speak(language)
    model = replace(among_friends(games=(game(1, "numlo"),)), size=size)
    if size[0] < 1000:
        model = fed(model, Click("begin:1"))
    for _name, key in FRIENDS:
        for name in ("write", "challenge"):
            found = find(screen.scene(model), f"{name}:{key}")
            assert found is not None
            said = found.text if any(map(str.isalpha, found.text)) else found.value
            assert any(map(str.isalpha, said))
    assert fed(model, Click("write:CCCC-KEY")).over is Over.WRITING
    speak("en")


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_how_long_a_friend_sleeps_is_seen_whole_beside_a_result(language: str) -> None:
    """At the usual size, where three columns stand beside each other."""
    speak(language)
    try:
        model = among_friends(
            games=FEW, seen=(("ZZZZ-KEY", 26 * 86_400), ("CCCC-KEY", 23 * 3600))
        )
        found = model.past.found
        also = tuple(
            replace(one, friends=(Friend("ZZZZ-KEY", "Zoë"),)) for one in found
        )
        model = replace(model, past=replace(model.past, found=(*found, *also)))
        row = find(screen.scene(model), "friend:ZZZZ-KEY")
        assert row is not None
        assert [n for n in walk(row) if " : " in n.text]
        for node in walk(row):
            assert not node.text or fits(node, model), node.text
    finally:
        speak("en")


@pytest.mark.parametrize("language", list(LANGUAGES))
@pytest.mark.parametrize(("size", "scale"), [((1280, 800), 125), ((800, 500), 100)])
def test_friends_lead_beside_the_games_with_all_that_is_said_of_them(
    language: str, size: tuple[int, int], scale: int
) -> None:
    """The longest names, long asleep, in windows in which cards stand behind tabs."""
    speak(language)
    try:
        long = ("Charlotte-Marie Lefèvre-Du", "Maximiliane Oberhuber-Kr")
        people = (*FRIENDS, *((name, f"LONG-{i}") for i, name in enumerate(long)))
        seen = tuple((key, 86_400 * 26) for _name, key in people)
        model = base(size)
        settings = replace(model.settings, scale=scale)
        now = status(friends=people, peers=PEERS[:1], seen=seen, games=FEW)
        model = fed(replace(model, settings=settings), now)
        for name, key in people:
            for far in range(0, 400, 40):  # the list may have to be scrolled
                at = replace(model, scrolls={**model.scrolls, "near": far})
                row = find(screen.scene(at), f"friend:{key}")
                if row is not None:
                    break
            assert row is not None, name
            for node in walk(row):
                assert not node.text or fits(node, model), node.text
    finally:
        speak("en")


def test_what_stands_beside_friends_stands_in_columns() -> None:
    """Whoever needs a shorter face for a button, it is shorter for all; in one card."""
    people = (*FRIENDS, ("Neighbour", "NEAR-KEY"))
    lines = (Correspondent("BBBB-KEY", 12, 12, 0),)
    start = among_friends(games=FEW)
    for width in (1280, 1400, 1500, 1600):
        model = replace(start, size=(width, 800))
        for talks in ((), lines):
            now = status(friends=people, peers=PEERS, written=talks, games=FEW)
            root = screen.scene(fed(model, now))
            for part in ("challenge", "challenge.other", "write"):
                found = [find(root, f"{part}:{key}") for _name, key in people]
                nodes = [node for node in found if node is not None]
                assert len(nodes) > 2
                assert len({(n.rect.x, n.rect.w) for n in nodes}) == 1, (width, part)
