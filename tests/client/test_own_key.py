"""The key that is oneself: a copy is offered, and friends who lose theirs come back."""

from pathlib import Path
from typing import Any

import pygame
import pytest
import trio.testing
from msgspec.structs import replace

from client.app.browsing import Purpose
from client.app.model import Model, Over, Page
from client.app.settings import Settings, store
from client.pages import copying, screen
from client.ui.intents import Click, Focus, Key, Text
from client.ui.scene import find
from client.ui.texts import speak, spoken
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.node_questions import (
    BringHome,
    CopyStatus,
    KeepCopy,
    KeepNoCopy,
    Succeed,
)
from netplay.sentences import Says
from tests.client.scripted import window
from tests.client.worlds import asks, at_match, base, fed, status, table, texts
from tests.said import says

FRIENDS = (("Bert", "BBBB-KEY"),)
OFFERS = CopyStatus(offers=True, place="/media/anna/stick")
LINE = "netplay:192.0.2.7:4770#ABCD-EFGH-IJKL-MNOP-QRST"


def offered() -> Model:
    return fed(base(), status(friends=FRIENDS, copy=OFFERS))


def answered(model: Model, what: str, **answer: Any) -> Model:
    number = next(n for n, each in model.asked.items() if each == what)
    if "error" in answer:
        return fed(model, door.failed(number, answer["error"]))
    return fed(model, door.Done(number, answer["text"]))


def test_after_the_first_friend_a_copy_is_offered_once_with_a_disk_to_take() -> None:
    assert find(screen.scene(fed(base(), status())), "copy.offer") is None
    model = offered()
    assert model.over is Over.NONE, "nothing is covered"
    opened = fed(model, Click("copy.offer"))
    assert OFFERS.place in texts(screen.scene(opened))

    later = fed(opened, Key("escape"), status(friends=FRIENDS, copy=OFFERS))
    assert later.over is Over.NONE
    assert find(screen.scene(later), "copy.offer") is None

    assert asks(model, Click("copy.no")) == [KeepNoCopy()]
    told = fed(model, Click("copy.no")).notice
    assert told is not None
    assert "preferences" in told.text, "where it is found afterwards"


@pytest.mark.parametrize("over", [Over.ROUTER, Over.SERVERS, Over.LINKS])
def test_who_has_just_put_a_question_off_is_not_asked_another(over: Over) -> None:
    model = replace(base(), put_off=frozenset({over}))
    model = fed(model, status(friends=FRIENDS, copy=OFFERS))
    assert find(screen.scene(model), "copy.offer") is None


def test_no_copy_is_offered_in_a_match() -> None:
    model = at_match(base())
    assert model.status is not None
    shown = status(friends=FRIENDS, copy=OFFERS, table=model.status.table)
    assert fed(model, shown).over is Over.NONE


def test_a_table_that_begins_goes_before_the_offer_which_comes_back_after_it() -> None:
    begun = status(friends=FRIENDS, copy=OFFERS, table=table())
    model = fed(offered(), begun)
    assert model.page is Page.TABLE
    assert find(screen.scene(model), "copy.offer") is None
    after = fed(model, status(friends=FRIENDS, copy=OFFERS))
    assert find(screen.scene(after), "copy.offer") is not None


@pytest.mark.parametrize("match", [False, True])
def test_who_asks_for_the_dialog_at_a_table_or_in_a_match_keeps_it(
    *, match: bool
) -> None:
    there = base((1280, 2400))
    there = at_match(there) if match else fed(there, status(table=table()))
    assert there.status is not None
    news = status(friends=FRIENDS, copy=OFFERS, table=there.status.table)
    model = fed(there, news, Click("preferences"))
    model = fed(model, Click("set.copy"))
    assert model.over is Over.COPY
    assert fed(model, news).over is Over.COPY


def test_a_copy_is_begun_where_the_player_says_and_not_twice() -> None:
    typed = Focus("field.copy.phrase"), Text("four words and more")
    model = fed(offered(), Click("copy.offer"), *typed)
    wish = KeepCopy(OFFERS.place, "four words and more")
    assert asks(model, Click("copy.yes")) == [wish]
    assert asks(model, Key("enter")) == [wish]

    model = fed(model, Click("copy.yes"))
    assert asks(model, Click("copy.yes"), Key("enter")) == []
    refused = answered(
        model, "copy", error=LocalError(Code.USAGE, Says.PHRASE_SHORT(count=8))
    )
    assert refused.over is Over.COPY
    assert "8" in texts(screen.scene(refused))
    assert asks(refused, Click("copy.yes")) == [wish]
    done = answered(model, "copy", text=Says.COPY_BEGUN(path="/media/x.copy"))
    assert done.over is Over.NONE


def test_without_a_passphrase_nothing_is_begun() -> None:
    opened = fed(offered(), Click("copy.offer"))
    assert asks(opened, Click("copy.yes"), Key("enter")) == []


@pytest.mark.parametrize(
    ("now", "wish"),
    [(CopyStatus("/media/stick", 1_800_000_000), [KeepNoCopy()]), (CopyStatus(), [])],
)
def test_the_preferences_tell_of_the_copy_and_begin_or_end_it(
    now: CopyStatus, wish: list[Any]
) -> None:
    model = fed(base((1280, 2400)), status(copy=now), Click("preferences"))
    assert now.folder in texts(screen.scene(model))
    assert asks(model, Click("set.copy"))[:1] == wish
    assert (fed(model, Click("set.copy")).over is Over.COPY) is not bool(wish)


def test_a_friend_is_taken_back_by_what_is_typed_and_not_by_a_click_alone() -> None:
    model = fed(base(), status(friends=FRIENDS), Click("friend:BBBB-KEY"))
    assert find(screen.scene(model), "person.new") is not None
    model = fed(model, Click("person.new"))
    assert model.over is Over.NEW_KEY
    assert asks(model, Click("new-key.yes"), Key("enter")) == []

    letters = [Text(letter) for letter in f"My new one: {LINE}"]
    for typed in ([Text(LINE)], letters):
        there = fed(model, Focus("field.new-key"), *typed)
        assert asks(there, Click("new-key.yes")) == [Succeed("BBBB-KEY", LINE)]
    model = there
    model = fed(model, Click("new-key.yes"))
    refused = answered(
        model, "new-key", error=LocalError(Code.USAGE, Says.HEIR_UNMET())
    )
    assert refused.over is Over.NEW_KEY
    assert says(texts(screen.scene(refused)), Says.HEIR_UNMET)
    taken = Says.HEIR_TAKEN(name="Bert", key="ABCD")
    done = answered(model, "new-key", text=taken)
    assert done.over is Over.NONE
    assert says(texts(screen.scene(done)), Says.HEIR_TAKEN, name="Bert", key="ABCD")


def test_strangers_have_no_such_button() -> None:
    model = fed(base(), status(friends=FRIENDS), Click("friend:BBBB-KEY"))
    stranger = fed(model, status(friends=()))
    assert find(screen.scene(stranger), "person.new") is None


BRINGING = BringHome("/media/stick/netplay-1.copy", "four words and more")


def brings(model: Model) -> Model:
    """Return a window in which the copy from another computer was chosen."""
    model, _effects = copying.chosen(model, BRINGING.file)
    return fed(model, Focus("field.bring.phrase"), Text(BRINGING.phrase))


@pytest.mark.parametrize("first", [True, False])
def test_everything_from_another_computer_is_offered_at_first_and_later(
    *, first: bool
) -> None:
    model = base((1280, 2400)) if first else fed(base((1280, 2400)), status())
    model = fed(model, status(name="")) if first else fed(model, Click("preferences"))
    assert model.over is (Over.NAME if first else Over.PREFERENCES)
    before = model.over
    model = fed(model, Click("name.bring" if first else "bring"))
    assert model.chooser is not None
    assert model.chooser.purpose is Purpose.BRING
    assert fed(model, Key("escape")).over is before


@pytest.mark.parametrize("name", ["", "Anna"])
def test_what_another_computer_has_is_brought_once_and_not_without_passphrase(
    name: str,
) -> None:
    begun = fed(base(), status(name=name))
    empty, _effects = copying.chosen(begun, BRINGING.file)
    assert asks(empty, Click("bring.yes"), Key("enter")) == []
    assert fed(empty, Click("bring.no")).over is (Over.NONE if name else Over.NAME)

    model = brings(begun)
    assert asks(model, Click("bring.yes")) == [BRINGING]
    assert asks(model, Key("enter")) == [BRINGING]
    model = fed(model, Click("bring.yes"))
    assert asks(model, Click("bring.yes"), Key("enter")) == []
    assert fed(model, Key("escape")).over is Over.BRING

    wrong = Says.OTHER_PHRASE(path=BRINGING.file)
    refused = answered(model, "bring", error=LocalError(Code.FILE, wrong))
    assert refused.over is Over.BRING
    assert asks(refused, Click("bring.yes")) == [BRINGING]

    done = answered(model, "bring", text=Says.HOME_BROUGHT())
    assert done.over is Over.NONE
    assert done.brought


async def test_a_window_goes_on_with_the_settings_that_have_come(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path, settings=Settings(sound=False)) as script:
        script.loop.model = brings(script.loop.model)
        await script.key(pygame.K_RETURN)
        assert script.node.asked[-1] == BRINGING
        store(tmp_path, Settings(sound=False, theme="dark", language="de"))
        script.loop.store()  # as whatever is set does, before the node is back
        script.loop.came()
        assert script.loop.model.settings.theme == "dark"
        assert script.loop.model.settings.language == "de"
        assert not script.loop.model.brought
        assert spoken() == "de"
    speak("en")
