"""What the window says of nodes that carry, and how the player chooses them."""

from msgspec.structs import replace

from client.app.model import Model
from client.pages import screen
from client.ui.intents import Click, Focus, Key, Scroll, Text
from client.ui.scene import find
from client.update import Linked
from netplay.messages.node_questions import (
    AddCarrier,
    CarrierStatus,
    CarryStatus,
    Network,
    PeerStatus,
    RemoveCarrier,
    SetCarry,
)
from tests.client.worlds import asks, base, fed, seat, status, table, texts

LINE = "netplay:8.9.3.2:4770#ABCD-EFGH-IJKL-MNOP-QRST"
CARLA = CarrierStatus("Carla", LINE, "carries")


def connection(carry: CarryStatus) -> Model:
    network = Network(carry=carry)
    model = fed(base(), status(network=network), Linked(), Click("connection"))
    return fed(model, Scroll("connection.list", 400))


def test_for_whom_messages_are_passed_on_is_chosen_on_a_page() -> None:
    model = fed(connection(CarryStatus()), Click("set.carry"))
    shown = texts(screen.scene(model))
    for words in ("for nobody", "for players I know", "and those whom they name"):
        assert words in shown
    assert asks(model, Click("set.carry:1")) == [SetCarry("known")]
    assert fed(model, Click("set.carry:1")).open == ""


def test_a_friend_through_whom_one_is_reached_is_pasted_and_taken_back() -> None:
    model = connection(CarryStatus(carriers=(CARLA,)))
    assert "Carla: carries" in texts(screen.scene(model))
    typed = fed(model, Focus("field.through"), Text(LINE))
    assert asks(typed, Key("enter")) == [AddCarrier(LINE)]
    assert asks(typed, Focus("close")) == [AddCarrier(LINE)], "left, not lost"
    letters = [Text(letter) for letter in f"Play with me: {LINE}"]
    typed = fed(model, Focus("field.through"), *letters)
    assert asks(typed, Key("enter")) == [AddCarrier(LINE)]
    dropped = fed(model, Click("set.carriers"))
    assert asks(dropped, Click("set.carriers:0")) == [RemoveCarrier(LINE)]


def test_through_whom_a_player_is_linked_stands_at_the_seat() -> None:
    bert = replace(seat("Bert", "remote"), key="B-KEY", state="connected")
    peer = PeerStatus("Bert", "B-KEY", "via/x", True, 3, through="Carla")
    seats = (seat("Ann"), bert)
    model = fed(base(), status(peers=(peer,), table=table(seats=seats)), Linked())
    assert "through Carla" in texts(screen.scene(model))
    button = find(screen.scene(model), "who1")
    assert button is not None
    told = texts(screen.scene(fed(model, Click("who1"))))
    assert "through Carla" in told
    assert "B-KEY" not in told, "nobody has to read a key"
    keyed = fed(model, Click("who1"), Click("person.show"))
    assert "B-KEY through Carla" in texts(screen.scene(keyed))
    alone = status(peers=(replace(peer, through=""),), table=table(seats=seats))
    assert "through Carla" not in texts(screen.scene(fed(model, alone)))


def test_that_a_player_is_linked_over_udp_stands_at_the_player() -> None:
    bert = replace(seat("Bert", "remote"), key="B-KEY", state="connected")
    peer = PeerStatus("Bert", "B-KEY", "8.9.2.2:4770", True, 3, udp=True)
    for udp in (True, False):
        known = status(
            peers=(replace(peer, udp=udp),), table=table(seats=(seat("Ann"), bert))
        )
        told = texts(screen.scene(fed(base(), known, Linked(), Click("who1"))))
        assert ("over UDP" in told) is udp
