"""The list of many games: found by name, with results, and true about chat."""

from msgspec.structs import replace

from client.app.model import Model
from client.pages import chat, games, screen
from client.ui.intents import Click, Focus, Text
from client.ui.scene import find
from netplay.messages import door
from netplay.messages.table_questions import GameStatus
from netplay.sentences import Says
from tests.client.worlds import asks, base, fed, status, texts

NAMES = ("Bert", "Carla", "Dora")


def one(number: int, **changes: object) -> GameStatus:
    usual = GameStatus(
        table=number, match=number.to_bytes(32), mode="joined", phase="playing",
        game=("numlo", "hexagrams")[number % 2], players=("Anna", NAMES[number % 3]),
        turn=(1,), mine=False, since=60, clock=-1, unread=0, undelivered=False,
        away=(), own=(0,),
    )  # fmt: skip
    return replace(usual, **changes)


def with_games(*found: GameStatus) -> Model:
    return fed(base(), status(games=found))


def test_games_are_found_by_friend_and_by_game_and_opened_from_there() -> None:
    model = with_games(*(one(n) for n in range(1, 61)))
    typed = fed(model, Focus(games.FILTER), Text("carla hexa"))
    wanted = [n for n in range(1, 61) if n % 2 and n % 3 == 1]
    assert [each.table for each in games.shown(typed)] == wanted
    (asked,) = asks(typed, Click(f"in-hand:{wanted[1]}"))
    assert asked == door.LookAt(wanted[1])
    assert "Bert" not in texts(find(screen.scene(typed), "in-hand.list"))  # type: ignore[arg-type]


def test_few_games_need_no_field_to_look_for_them() -> None:
    assert find(screen.scene(with_games(one(1))), games.FILTER) is None


def test_a_game_that_is_over_says_how_it_ended() -> None:
    ended = one(1, phase="over", result="lost")
    assert games.turn(ended) == "Lost"
    assert games.turn(one(1, phase="over")) == "Over"


def test_a_line_of_one_s_own_or_of_somebody_muted_is_not_unread() -> None:
    model = base()
    own = chat.heard(model, door.Line("Anna", "hello", 0, number=3), watched=False)
    assert own.chat.unread == 0
    other = chat.heard(model, door.Line("Bert", "hello", 0), watched=False)
    assert other.chat.unread == 1
    muted = chat.heard(other, door.Line("Bert", "so?", 0, muted=True), watched=False)
    assert muted.chat.unread == 1


def test_a_move_on_its_way_is_said_once() -> None:
    made = one(1, turn=(), undelivered=True)
    assert games.besides(made) == ""


def test_a_table_that_waits_says_for_whom_and_shows_no_sign_of_a_free_seat() -> None:
    opened = one(1, match=b"", mode="hosting", phase="forming", turn=(),
                 players=("Anna", "?"), waiting="somebody to join")  # fmt: skip
    assert games.who(opened) == str(Says.SOMEBODY_TO_JOIN())
