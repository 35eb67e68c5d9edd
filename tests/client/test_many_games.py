"""Several games in one window: the list, one click to each, one key to the next."""

from pathlib import Path
from typing import Any

import pygame
import trio.testing
from msgspec.structs import replace

from client.intents import Click, Key
from client.pages import screen
from netplay.messages import door
from tests.client.scripted import needs_dummy, window
from tests.client.worlds import asks, base, fed, networdz, playing, status, texts, view


def game(number: int, name: str, **changes: Any) -> door.GameStatus:
    """Return a line of the list of games."""
    usual = door.GameStatus(
        number=number, match=bytes([number]), mode="joined", phase="playing",
        game=name, players=("Anna", "Bert"), turn=(1,), yours=False, since=90,
        clock=-1, unread=0, undelivered=False, away=(),
    )  # fmt: skip
    return replace(usual, **changes)


GAMES = (
    game(3, "hexagrams", turn=(0,), yours=True),
    game(1, "numlo", unread=2, away=("Bert",)),
    game(2, "networdz", undelivered=True),
)


def shown(model: Any) -> list[str]:
    """Return every text in the window."""
    return texts(screen.scene(model)).split("\n")


def at_table(number: int) -> Any:
    """Return a window that looks at a match of Networdz."""
    state, past = networdz(2, 0)
    table = replace(playing(state, 2), number=number)
    model = fed(base(), status(table=table, games=GAMES), view(state, past, 0))
    assert model.match is not None
    return model


def test_the_start_page_lists_the_games_with_what_is_to_be_known_of_each() -> None:
    model = fed(base(), status(games=GAMES))
    told = "\n".join(shown(model))
    assert "Your games" in told
    for words in (
        "Hexagrams: Anna, Bert", "Your turn", "2 new lines · away: Bert",
        "Bert to move", "not delivered yet",
    ):  # fmt: skip
        assert words in told, words
    assert asks(model, Click("in-hand:0")) == [door.LookAt(3)]
    assert asks(model, Click("in-hand:2")) == [door.LookAt(2)]


def test_tables_that_are_open_at_a_host_are_there_to_choose_from() -> None:
    offers = (door.OpenStatus("numlo", 2, ("Zoë",)), door.OpenStatus("chess", 0, ()))
    model = fed(base(), status(open=offers))
    assert "Choose: Numlo with Zoë" in "\n".join(shown(model))
    assert asks(model, Click("offer:1")) == [door.Choose(1)]


def test_escape_and_games_go_back_to_the_list_and_leave_nothing() -> None:
    model = at_table(2)
    assert asks(model, Click("games")) == [door.LookAt(0)]
    assert asks(model, Key("escape", down=True)) == [door.LookAt(0)]
    away = fed(model, status(games=GAMES))
    assert away.match is None
    assert "Your games" in "\n".join(shown(away))


def test_a_key_and_a_button_with_their_number_go_to_the_next_game_that_waits() -> None:
    model = at_table(2)
    assert "▸ 1" in shown(model)
    assert asks(model, Click("games.next")) == [door.LookAt(3)]
    assert asks(model, Key("f4", down=True)) == [door.LookAt(3)]
    alone = fed(model, status(table=model.table, games=GAMES[1:]))
    assert asks(alone, Key("f4", down=True)) == []
    told = fed(alone, Key("f4", down=True))
    assert "No other game waits for you." in "\n".join(shown(told))


def test_the_title_counts_the_games_that_wait() -> None:
    assert screen.title(fed(base(), status(games=GAMES))) == "(1) Netplay"
    assert screen.title(fed(base(), status(games=GAMES[1:]))) == "Netplay"
    assert screen.title(at_table(2)).startswith("(1) ")
    assert not screen.title(at_table(3)).startswith("(")


@needs_dummy
async def test_a_real_click_and_a_real_key_go_from_game_to_game(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        script.node.status = replace(script.node.status, games=GAMES)
        await script.click("play")  # whatever is asked, the status comes with it
        await script.click("leave")
        await script.key(pygame.K_ESCAPE)
        await script.key(pygame.K_F4)
        asked = script.node.asked
    looked = [ask for ask in asked if isinstance(ask, door.LookAt)]
    assert door.LookAt(3) in looked
