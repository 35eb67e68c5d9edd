"""The page of finished games: looked up, opened, exported; results against friends."""

from pathlib import Path
from typing import Any

import pytest
import trio
from msgspec.structs import replace

from client.app.browsing import Found, Listing, Looked, Looking
from client.app.model import Model, Over, Page
from client.pages import screen
from client.ui import texts
from client.ui.intents import Click, Focus, Key, Scroll, Text
from client.ui.scene import find, walk
from netplay.demo.player import Player
from netplay.demo.show import Actor, living
from netplay.errors import Code
from netplay.home import Home
from netplay.messages import door
from netplay.messages.table_questions import FinishedMatches, Friend, GetFinished
from netplay.record.store import read_copy
from netplay.sentences import Says
from netplay.wire import pack, unpack
from rules.game import Resign
from tests.client.listed import game
from tests.client.past import FEW, many, one, told
from tests.client.worlds import asks, base, fed, networdz, playing, status, table, view
from tests.client.worlds import texts as shown
from tests.said import says


def page(*found: Any, **changes: Any) -> Model:
    """Return the window with its page of finished games open."""
    begun = fed(base(), status(**changes), Click("finished"), Focus("field.finished"))
    return told(begun, *(found or FEW))


def rows(model: Model) -> list[str]:
    """Return what the rows say, as they are spoken."""
    root = screen.scene(model)
    names = ("finished.game:", "finished.friend:")
    return [node.value for node in walk(root) if node.name.startswith(names)]


def test_a_button_and_a_key_open_it_where_games_are_in_hand_and_where_none_is() -> None:
    for model in (
        fed(base(), status()), fed(base(), status(games=(game(1, "numlo"),))),
    ):  # fmt: skip
        assert find(screen.scene(model), "finished") is not None
        assert asks(model, Click("finished")) == [GetFinished()]
        assert asks(model, Key("f3", down=True)) == [GetFinished()]
    assert asks(fed(base(), status(), Click("help")), Click("finished")) == []


def test_the_key_works_on_the_list_of_keys_which_names_it_where_it_works() -> None:
    listed = fed(base(), status(), Key("f1", down=True))
    assert "F3" in names(listed)
    assert asks(listed, Key("f3", down=True)) == [GetFinished()]
    assert "F4" not in names(listed)  # no game is in hand
    several = fed(base(), status(games=(game(1, "numlo"),)), Key("f1", down=True))
    assert "F4" in names(several)


def names(model: Model) -> set[str]:
    """Return all labels that the window shows."""
    return {node.text for node in walk(screen.scene(model)) if node.text}


def test_each_row_tells_with_whom_what_how_it_ended_and_when() -> None:
    assert rows(page())[:4] == [
        "Bert, Hexagrams, Won, 2026-09-20",
        "Bert, Networdz · 287 : 341, Lost, 2026-09-19",
        "Computer 1, Lhexicon · 287 : 341, Lost, 2026-09-18",
        "Bert, Numlo · 60 : 60, Tied, 2026-09-16",
    ]


def test_the_node_is_asked_for_more_until_there_is_none() -> None:
    begun = fed(base(), status(), Click("finished"))
    last = max(begun.asked)
    first = FinishedMatches(FEW[:2], 40, more=True)
    after = fed(begun, door.Done(last, data=pack(first)))
    assert asks(begun, door.Done(last, data=pack(first))) == [GetFinished(40)]
    assert len(rows(after)) == 2
    again = FinishedMatches(FEW[1:], 90, more=False)
    done = fed(after, door.Done(max(after.asked), data=pack(again)))
    assert len(rows(done)) == len(FEW)
    assert "more…" in shown(screen.scene(after))
    assert "more…" not in shown(screen.scene(done))
    closed = fed(begun, Key("escape", down=True))
    assert closed.over is Over.NONE
    assert asks(closed, door.Done(last, data=pack(first))) == []


def test_typed_words_are_looked_for_in_what_a_row_says_in_every_language() -> None:
    found = fed(page(), Text("WON numlo"))
    assert rows(found) == ["Bert, Numlo · 341 : 287, Won, 2026-09-13"]
    assert rows(fed(page(), Text("2026-09-1 lost")))[0].startswith("Bert, Networdz")
    assert rows(fed(page(), Text("nobody"))) == []
    texts.speak("de")
    try:
        german = rows(fed(page(), Text("gewonnen hexag")))
    finally:
        texts.speak("en")
    assert german == ["Bert, Hexagrams, Gewonnen, 2026-09-20"]


def test_enter_opens_the_only_game_that_is_left() -> None:
    found = fed(page(), Text("won numlo"))
    assert asks(found, Key("enter", down=True)) == [door.Load(FEW[4].path)]
    assert asks(page(), Key("enter", down=True)) == []


def test_a_list_that_is_changed_for_another_begins_at_its_top() -> None:
    friends = tuple(
        one(n, friends=(Friend(f"KEY-{n % 40:02d}", f"Friend {n % 40}"),))
        for n in range(1, 200)
    )
    model = page(*friends)
    for click in (
        "finished.tab:1", "finished.tab:0", "finished.tab:1", "finished.friend:0",
        "finished.all",
    ):  # fmt: skip
        model = fed(model, Scroll("finished.list", 90))
        listed = find(screen.scene(model), "finished.list")
        assert listed is not None
        assert listed.offset == min(90, max(0, listed.content - listed.rect.h))
        model = fed(model, Click(click))
        listed = find(screen.scene(model), "finished.list")
        assert listed is not None
        assert listed.offset == 0, click


def test_only_rows_that_show_are_drawn_of_a_thousand() -> None:
    model = page(*many(1000))
    assert "1000 games" in shown(screen.scene(model))
    assert len(list(walk(screen.scene(model)))) < 400


def looked_at(model: Model) -> Model:
    """Return the window after a game of the page has been opened."""
    state, past = networdz(2, 0)
    over = replace(playing(state, 2, phase="over"), number=7, match=FEW[1].match)
    asked = fed(model, Click("finished.game:1"))
    opened = fed(
        asked, door.Done(max(asked.asked)),
        status(table=over, games=(game(7, "networdz", match=FEW[1].match),)),
        replace(view(state, past, 0), match=FEW[1].match),
    )  # fmt: skip
    assert opened.over is Over.NONE
    assert opened.page is Page.MATCH
    return opened


def test_a_click_opens_a_game_and_the_way_back_leads_to_the_page_as_it_was() -> None:
    model = fed(page(), Text("lost"))
    assert asks(model, Click("finished.game:0")) == [door.Load(FEW[1].path)]
    opened = looked_at(page())
    for back in (Click("games"), Key("escape", down=True)):
        assert asks(opened, back) == [door.LeaveTable(), GetFinished()]
        away = fed(opened, back, status())
        assert away.page is Page.START
        assert away.over is Over.FINISHED
        assert len(rows(away)) == len(FEW)


def test_the_way_back_leaves_no_match_that_has_come_since_one_was_looked_at() -> None:
    state, _past = networdz(2, 0)
    other = replace(playing(state, 2), number=9)
    assert other.match != FEW[1].match
    now = fed(looked_at(page()), status(table=other))
    for back in (Click("games"), Key("escape", down=True)):
        assert door.LeaveTable() not in asks(now, back)


def test_a_game_that_is_in_hand_is_looked_at_there_and_not_left() -> None:
    here = game(5, "networdz", match=FEW[1].match, phase="over")
    model = page(games=(here,))
    assert asks(model, Click("finished.game:1")) == [door.LookAt(5)]
    state, past = networdz(2, 0)
    over = replace(playing(state, 2, phase="over"), number=5, match=FEW[1].match)
    asked = fed(model, Click("finished.game:1"))
    opened = fed(
        asked, door.Done(max(asked.asked)), status(table=over, games=(here,)),
        replace(view(state, past, 0), match=FEW[1].match),
    )  # fmt: skip
    assert asks(opened, Click("games")) == [door.LookAt(0)]


@pytest.mark.parametrize("phase", ["forming", "playing", "paused", "over"])
def test_the_list_of_games_leaves_no_table_that_was_not_opened_to_be_looked_at(
    phase: Any,
) -> None:
    state, past = networdz(2, 8)
    here = game(5, "networdz", phase=phase)
    if phase == "forming":
        at_table = fed(base(), status(table=table(number=5), games=(here,)))
    else:
        terms = replace(playing(state, 2, phase=phase), number=5)
        shown_there = status(table=terms, games=(here,))
        at_table = fed(base(), shown_there, view(state, past, 0))
    model = replace(at_table, over=Over.NONE)
    assert asks(model, Click("games")) == [door.LookAt(0)]


def test_why_a_game_cannot_be_opened_is_said_on_the_page() -> None:
    asked = fed(page(), Click("finished.game:0"))
    failed = fed(asked, door.Failed(max(asked.asked), Code.FILE.number))
    assert failed.over is Over.FINISHED
    assert find(screen.scene(failed), "fault") is not None
    away = fed(failed, Click("fault.close"))
    assert find(screen.scene(away), "fault") is None
    assert asks(looked_at(page()), Click("games"))[0] == door.LeaveTable()


def test_results_are_by_friend_and_lead_to_the_games_with_that_one() -> None:
    friends = fed(page(), Click("finished.tab:1"))
    assert rows(friends) == [
        "Bert, 1 won, 1 lost, 1 tied",
        "Bert (2), 1 won, 0 lost, 0 tied",
    ]
    called = page(friends=(("Bertie", "ELSE-KEYS"), ("", "BERT-KEYS")))
    assert rows(fed(called, Click("finished.tab:1"))) == [
        "Bert, 1 won, 1 lost, 1 tied",
        "Bertie, 1 won, 0 lost, 0 tied",
    ]
    other = fed(friends, Click("finished.friend:1"))
    assert rows(other) == ["Bert, Numlo · 341 : 287, Won, 2026-09-13"]
    assert "Bert (2) ×" in shown(screen.scene(other))
    assert len(rows(fed(other, Click("finished.all")))) == len(FEW)


def test_the_games_of_a_friend_far_down_the_list_begin_with_the_newest() -> None:
    each = [Friend(f"{n:03}-KEYS", f"Friend {n}") for n in range(30)]
    games = (one(i, friends=(each[i % 30],)) for i in range(1, 601))
    friends = fed(page(*games), Click("finished.tab:1"), Scroll("finished.list", 1500))
    shown_ = [n for n in walk(screen.scene(friends)) if "finished.friend:" in n.name]
    assert shown_[-1].name != "finished.friend:0"
    narrowed = screen.scene(fed(friends, Click(shown_[-1].name)))
    listed, newest = find(narrowed, "finished.list"), find(narrowed, "finished.game:0")
    assert listed is not None
    assert newest is not None
    assert listed.rect.holds(newest.rect)


def test_a_game_is_saved_where_the_player_says() -> None:
    model = fed(page(), Click("finished.export:1"))
    assert model.over is Over.FILE
    assert model.chooser is not None
    assert model.chooser.wish == "networdz-Anna-Bert-2026-09-19.netplay"
    there = fed(
        model, Listing("/home/anna"), Focus("field.file"), Key("enter", down=True)
    )
    assert there.chooser is not None
    assert isinstance(there.chooser.awaits, Looking)
    free = there.chooser.awaits.paths
    nothing = Looked(tuple(Found(path, "nothing") for path in free))
    assert asks(there, nothing) == [
        door.Save(f"/home/anna/{model.chooser.wish}", kept=FEW[1].path)
    ]
    saved = fed(there, nothing)
    done = fed(saved, door.Done(max(saved.asked), "saved"))
    assert done.over is Over.FINISHED


@pytest.mark.processes
def test_a_node_tells_of_a_game_opens_it_again_and_copies_it(tmp_path: Path) -> None:
    home = Home(tmp_path / "anna")
    home.prepare()
    anna = Actor(home, "Anna", Player("hexagrams"), None)
    out = tmp_path / "copy.netplay"

    said: list[Any] = []

    async def together() -> tuple[FinishedMatches, door.Status, FinishedMatches]:
        async with living(anna):
            ask = anna.player.ask
            await ask(door.HostTable("hexagrams", ("person", "person"), (), "", ""))
            await ask(door.StartMatch())
            status = unpack((await ask(door.GetStatus())).data, door.Status)
            assert status.table is not None
            seat, entries = status.table.turn[0], status.games[0].entries
            await ask(door.Play(seat, pack(Resign()), entries))
            await ask(door.LeaveTable())
            first = unpack((await ask(GetFinished())).data, FinishedMatches)
            path = first.found[0].path
            await ask(door.Save(str(out), kept=path))
            said.append((await ask(door.Load(path))).text)
            opened = unpack((await ask(door.GetStatus())).data, door.Status)
            await ask(door.LeaveTable())
            (home.matches / f"{'0' * 32}.netplay").write_bytes(b"nonsense")
            again = unpack((await ask(GetFinished())).data, FinishedMatches)
            return first, opened, again

    first, opened, again = trio.run(together)
    assert [one.game for one in first.found] == ["hexagrams"]
    assert first.found[0].friends == ()
    assert opened.table is not None
    assert opened.table.phase == "over"
    assert says(said[0], Says.IS_OVER)
    assert opened.table.match == first.found[0].match
    assert again.found == first.found
    assert not again.more
    copy, kept = read_copy(out), read_copy(Path(first.found[0].path))
    assert copy.entries == kept.entries
    assert copy.more, "its key goes along: whoever has it can look at the game"
