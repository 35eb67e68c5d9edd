"""One's own invitation on the start page: copied, drawn, and where it will work."""

import pytest
import segno
from msgspec.structs import replace

from client.app.model import Copy, Over, Page
from client.pages import finished, link_offer, screen, start
from client.ui.intents import Click, Focus, Key, Text
from client.ui.scene import Node, find, walk
from client.update import update
from netplay.errors import Code
from netplay.messages import door
from netplay.messages.node_questions import GetInvitation, Network, PlaceStatus
from netplay.messages.table_questions import WatchAt
from netplay.said import Said
from netplay.sentences import Says
from tests.client.before import LINE, PLACES, invited
from tests.client.listed import game
from tests.client.worlds import asks, base, fed, status, texts
from tests.client.worlds import table as forming
from tests.said import says

SECRET = LINE.replace("#", ",dht/ABCDABCDABCDABCDABCD#")


def modules(root: Node, name: str) -> list[list[bool]]:
    """Return a code as it is drawn, without its quiet edge."""
    code = find(root, name)
    assert code is not None
    dark = [kid.rect for kid in code.kids]
    side = min(rect.h for rect in dark)
    left = min(rect.x for rect in dark)
    top = min(rect.y for rect in dark)
    count = (max(rect.right for rect in dark) - left) // side
    return [
        [
            any(
                rect.x <= left + x * side < rect.right and rect.y == top + y * side
                for rect in dark
            )
            for x in range(count)
        ]
        for y in range(count)
    ]


def test_ones_own_invitation_is_drawn_as_a_code_and_larger_by_a_click() -> None:
    model = invited()
    wanted = [
        [bool(dot) for dot in row] for row in segno.make(LINE, micro=False).matrix
    ]
    assert modules(screen.scene(model), "code") == wanted
    large = fed(model, Click("code"))
    assert large.over is Over.INVITE
    assert modules(screen.scene(large), "invite.code") == wanted
    assert asks(large, Click("invite.copy")) == [GetInvitation()]
    assert fed(large, Key("escape")).over is Over.NONE


@pytest.mark.parametrize("size", [(1280, 800), (800, 500), (390, 760)])
def test_what_is_wrong_with_an_invitation_is_read_at_the_field_it_was_typed_in(
    size: tuple[int, int],
) -> None:
    there = invited()
    there = fed(replace(there, size=size, scrolls={**there.scrolls, start.TABS: 2}))
    typed = fed(there, Focus(link_offer.ADDRESS), Text(LINE))
    called = fed(typed, Click(link_offer.JOIN))
    number = next(n for n, what in called.asked.items() if what == "join")
    refused = fed(called, door.Failed(number, Code.SILENT.number, "no answer"))
    root = screen.scene(refused)
    field, fault = find(root, link_offer.ADDRESS), find(root, "fault")
    assert field is not None
    assert fault is not None
    assert 0 <= field.rect.y - fault.rect.bottom <= refused.look.px(10)
    assert fed(refused, Click("fault.close")).fault is None


def test_the_line_is_asked_for_again_when_the_places_change_and_only_then() -> None:
    model = invited()
    same = status(network=Network(places=PLACES, reach="no", reached="far"))
    assert asks(model, same) == []
    other = (*PLACES, PlaceStatus("5.6.7.8:4770", "internet", "router"))
    shown = [GetInvitation(shown=True)]
    assert asks(model, status(network=Network(places=other))) == shown
    alone = [type(one) for one in asks(base(), status())]
    assert GetInvitation not in alone, "there is none without a network"


def test_without_an_invitation_there_is_no_code_and_no_fault() -> None:
    model = fed(base(), status(network=Network(places=PLACES)))
    number = next(n for n, what in model.asked.items() if what == "line.own")
    model = fed(model, door.Failed(number, Code.NO_ADDRESS.number, Said("no network")))
    assert find(screen.scene(model), "code") is None
    assert model.fault is None


def test_on_no_network_nobody_can_be_invited() -> None:
    model = fed(base(), status(addresses=()))
    button = find(screen.scene(model), "copy")
    assert button is not None
    assert not button.enabled
    assert not [node for node in walk(screen.scene(model)) if node.name == "code"]


def test_who_copies_an_invitation_has_a_table_for_whoever_comes() -> None:
    def asked(now: door.Status) -> list[object]:
        model = fed(base(), now)
        return asks(fed(model, Click("copy")), door.Done(model.next_id, LINE))

    (kept, opened) = asked(status())
    assert isinstance(opened, door.HostTable)
    assert kept == door.InviteTo(opened), "and whenever somebody comes later"
    assert opened.seats == ("person", "remote")
    waits = game(1, "numlo", mode="hosting", phase="forming", match=b"")
    assert opened not in asked(status(games=(waits,))), "one waits already"
    assert asked(status(mode="answering")) == [kept], "whoever comes may call"


def test_the_picture_gives_an_invitation_away_as_copying_does() -> None:
    (kept,) = asks(invited(), Click("code"))
    assert isinstance(kept, door.InviteTo)
    assert kept.table is not None
    assert kept.table.seats == ("person", "remote")


def test_an_invitation_is_copied_again_once_the_router_lets_others_in() -> None:
    near = status(network=Network(places=PLACES, inviting="near"))
    wide = status(network=Network(places=PLACES, inviting="fine"))
    model = fed(base(), near)
    answer = door.Done(model.next_id, LINE)
    model = fed(model, Click("copy"), answer, near)
    assert GetInvitation() not in asks(model, near)
    assert asks(model, wide)[-1:] == [GetInvitation()]
    model = fed(model, wide)
    number = next(n for n, what in model.asked.items() if what == "line.again")
    model, effects = update(model, door.Done(number, LINE))
    said = "Play with me: open Netplay and paste this line."
    assert Copy(f"{said} {LINE}") in effects
    assert GetInvitation() not in asks(model, wide), "once is enough"


def test_a_line_of_this_network_alone_is_copied_again_once_the_dht_may_be_used() -> (
    None
):
    near, met = (
        status(network=Network(places=PLACES, inviting=how)) for how in (
            "random", "calls"
        )
    )  # fmt: skip
    model = fed(base(), near)
    answer = door.Done(model.next_id, LINE)
    model = fed(model, Click("copy"), answer, near, met)
    number = next(n for n, what in model.asked.items() if what == "line.again")
    model, effects = update(model, door.Done(number, SECRET))
    assert any(isinstance(one, Copy) and SECRET in one.text for one in effects)
    assert says(texts(screen.scene(model)), Says.INVITES_CALLS)


def test_what_was_copied_is_what_the_picture_shows() -> None:
    model = fed(invited(), Click("copy"))
    model = fed(model, door.Done(model.next_id - 1, SECRET))
    assert model.start.invitation.line == SECRET


@pytest.mark.parametrize(
    "field", ["field.address", "field.seat1", "field.new-key", "field.through"]
)
def test_what_was_copied_is_pasted_without_its_sentence(field: str) -> None:
    field = link_offer.ADDRESS if field == "field.address" else field
    assert link_offer.whole(field, f"Spiel mit mir: {LINE}") == LINE


def test_an_invitation_that_is_typed_with_its_sentence_is_joined_all_the_same() -> None:
    letters = [Text(letter) for letter in f"Spiel mit mir: {LINE}"]
    model = fed(base(), status(), Focus(link_offer.ADDRESS), *letters)
    for click in (Click(link_offer.JOIN), Key("enter")):
        assert asks(model, click) == [door.Join(LINE)]
    assert asks(model, Click("watch.address")) == [WatchAt(LINE)]


def test_an_invitation_changes_nothing_of_what_is_chosen_for_games_here() -> None:
    model = fed(base(), status())
    before = asks(model, Click("play"))
    asked = fed(model, Click("copy"))
    opened = fed(asked, door.Done(model.next_id, LINE))
    own = [n for n, what in opened.asked.items() if what != finished.HEADS]
    done = [door.Done(number, "") for number in own]
    shown = fed(opened, *done, status(table=forming()))
    assert shown.page is Page.TABLE
    left = fed(shown, status())
    assert left.page is Page.START
    assert asks(left, Click("play")) == before


def test_to_join_is_the_main_button_once_an_invitation_is_there() -> None:
    model = fed(base(), status())
    usual = find(screen.scene(model), link_offer.JOIN)
    pasted = fed(model, Focus(link_offer.ADDRESS), Text(LINE))
    ready = find(screen.scene(pasted), link_offer.JOIN)
    assert usual is not None
    assert ready is not None
    assert ready.enabled
    assert ready.bg == pasted.look.theme.accent != usual.bg
