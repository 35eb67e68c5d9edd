"""What a session tells its page, and what it takes from it."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from msgspec.structs import replace

from client.app.model import Copy, Flash, Over
from client.browser import drawing, talk
from client.browser.session import PageSession
from client.ui.intents import Click
from client.ui.scene import Node, find, top, walk
from client.ui.theme import THEMES
from netplay.limits import WEB_SESSIONS
from netplay.messages import door
from netplay.messages.node_questions import GetTalk
from tests.client.browser.test_server import entered, site
from tests.client.worlds import NEAR, base, fed, in_match, status

FIELD = "field.address"


def session(home: Path, **changes: Any) -> PageSession:
    model = fed(base(), status())
    return PageSession(
        replace(model, settings=replace(model.settings, **changes)), home
    )


def told(frames: list[bytes]) -> list[Any]:
    return [news for frame in frames for news in msgspec.json.decode(frame)["news"]]


async def test_a_list_that_is_drawn_along_stops_at_both_ends(tmp_path: Path) -> None:
    found = PageSession(
        fed(in_match(base(), "numlo", 2, 60), Click("side:1")), tmp_path
    )
    found.attach(list[bytes]().append, 900, 600)
    found.show()
    listed = find(found.root, "moves")
    assert listed is not None
    (x, y), most = listed.rect.centre, listed.content - listed.rect.h
    assert most > 100
    at = listed.offset
    for by in (-40, 20_000, 30, -50, 20, -20_000, -70, 90):
        found.said(talk.Wheel(x, y, by))
        found.show()
        listed = find(found.root, "moves")
        assert listed is not None
        at = max(0, min(most, at + by))
        assert listed.offset == at


@pytest.mark.parametrize("game", ["hexcolumns", "numlo"])
async def test_a_game_of_one_waits_while_another_tab_is_looked_at(
    game: str, tmp_path: Path
) -> None:
    alone = in_match(base(), game, 2, 0)
    found = PageSession(alone, tmp_path)
    found.attach(list[bytes]().append, 900, 600)
    before = [*found.model.asked.values()].count("play")
    found.said(talk.Away())
    made = [*found.model.asked.values()].count("play") - before
    assert made == (game == "hexcolumns")


async def test_of_too_many_sessions_the_one_that_was_left_longest_ago_ends(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        first, told = await entered(found, entry=found.invite())
        pages = [first]
        for number in range(1, WEB_SESSIONS):
            tab = f"{number:032x}"
            pages.append((await entered(found, token=told["token"], tab=tab))[0])
        order = [3, 0, 7, 5]
        there = [each.session for each in found.sessions]
        for number in order:  # the first that came is neither the first nor last to go
            await pages[number].stream.aclose()
            await trio.sleep(1)
        for count in range(1, len(order) + 1):
            tab = f"{WEB_SESSIONS + count:032x}"
            _page, answer = await entered(found, token=told["token"], tab=tab)
            assert "token" in answer
            await trio.sleep(1)
            kept = [each.session for each in found.sessions]
            assert [n for n in order if there[n] not in kept] == order[:count]


async def test_an_old_page_that_ends_leaves_its_session_to_the_new_one(
    tmp_path: Path,
) -> None:
    found = session(tmp_path)
    old, new = list[bytes](), list[bytes]()
    first, second = old.append, new.append
    found.attach(first, 900, 600)
    found.attach(second, 900, 600)
    found.detach(first)
    found.show()
    assert (len(old), len(new)) == (0, 1)
    found.detach(second)
    assert not found.shown


async def test_a_page_that_was_away_is_told_the_latest(tmp_path: Path) -> None:
    found, frames = session(tmp_path), list[bytes]()
    for number in range(60):
        found.on_screen(Copy(str(number)))
    found.attach(frames.append, 900, 600)
    found.show()
    assert [each["text"] for each in told(frames)] == [str(n) for n in range(10, 60)]


async def test_who_does_not_see_the_page_is_told_what_happens_also_while_it_is_away(
    tmp_path: Path, autojump_clock: object
) -> None:
    model, after = (in_match(base(), "numlo", 2, moves) for moves in (4, 6))
    found, frames = PageSession(model, tmp_path), list[bytes]()

    async def heard() -> list[str]:
        frames.clear()
        await trio.sleep(1)
        found.show()
        found.said(talk.Drawn(2**50))
        news = [msgspec.json.decode(each).get("news", ()) for each in frames]
        lines = [one["lines"] for each in news for one in each if one["do"] == "said"]
        return [line for each in lines for line in each]

    found.attach(frames.append, 390, 844)
    assert await heard() == []  # the page itself is read
    assert await heard() == []
    found.hear(door.Line("Bert", "there?", 0))
    (line,) = await heard()
    assert line.split() == ["Bert:", "there?"]
    found.hear(door.Line("Bert", "well?", 0))
    found.detach(frames.append)
    found.model = replace(after, chat=found.model.chat)
    found.attach(frames.append, 390, 844)
    lines = await heard()
    assert sum("well?" in each for each in lines) == 1
    assert sum(each.startswith(("Anna", "Bert")) for each in lines) == 3  # and moves
    assert await heard() == []


async def test_behind_the_curtain_nothing_is_left_of_what_was_said_before(
    tmp_path: Path, autojump_clock: object
) -> None:
    """It is for who has passed the page on: what tiles were laid, or to be given."""
    model = in_match(base(), "networdz", 2, 4)
    assert model.match is not None
    covered = replace(model, match=replace(model.match, covered=True))
    found, frames = PageSession(model, tmp_path), list[bytes]()
    found.attach(frames.append, 390, 844)
    emptied = list[bool]()
    for shown in (model, covered, covered, model, covered):
        frames.clear()
        found.model = shown
        found.show()
        found.said(talk.Drawn(2**50))
        news = [msgspec.json.decode(each).get("news", ()) for each in frames]
        said = [one for each in news for one in each if one["do"] == "said"]
        emptied.append(any(one["only"] for one in said))
    assert emptied == [False, True, False, False, True]


@pytest.mark.parametrize("notify", [True, False])
async def test_a_page_tells_of_a_turn_only_where_notices_are_wanted(
    tmp_path: Path, *, notify: bool
) -> None:
    found, frames = session(tmp_path, notify=notify), list[bytes]()
    found.attach(frames.append, 900, 600)
    found.on_screen(Flash(title="Numlo", text="Your turn"))
    found.show()
    (flash,) = told(frames)
    assert (flash["do"], flash["text"]) == ("flash", "Your turn" if notify else "")


@pytest.mark.parametrize("texts", [
    ("a", "aa", "aaa", "aa"), ("ab", "abab", "ab"), ("otto", "oto", "otto"),
])  # fmt: skip
async def test_letters_that_come_twice_arrive_as_typed(
    tmp_path: Path, texts: tuple[str, ...]
) -> None:
    found = session(tmp_path)
    for turn, text in enumerate(texts, 1):
        end = len(text)
        found.said(talk.Edited(FIELD, text, end, end, turn))
        assert found.model.edits[FIELD].text == text


async def test_a_page_that_is_loaded_again_counts_what_is_typed_anew(
    tmp_path: Path,
) -> None:
    found, old, new = session(tmp_path), list[bytes](), list[bytes]()
    found.attach(old.append, 900, 600)
    found.said(talk.Edited(FIELD, "ab", 2, 2, 7))
    found.show()
    assert msgspec.json.decode(old[-1])["typed"] == {FIELD: 7}
    found.attach(new.append, 900, 600)
    found.show()
    assert "typed" not in msgspec.json.decode(new[-1])


class Questions:
    """The way to a node that only remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def ask(self, request: door.Request) -> None:
        self.asked.append(request.ask)


KNOWN = (("Bert", "BBBB-KEY"), ("Dora", "DDDD-KEY"))


@pytest.mark.parametrize(
    ("name", "before", "after", "wanted"),
    [
        (
            "saved:q",
            {"saved": (("q", "Numlo", 0), ("p", "Networdz", 2))},
            {"saved": (("p", "Networdz", 0), ("q", "Numlo", 0))},
            door.Load("q"),
        ),
        (
            "write:DDDD-KEY",
            {"friends": KNOWN[1:]},
            {"friends": KNOWN},
            GetTalk("DDDD-KEY"),
        ),
        (
            "near:KEY-Dora",
            {"nearby": NEAR[1:]},
            {"nearby": NEAR},
            door.Join(NEAR[1].invitation),
        ),
    ],
)
async def test_a_late_tap_means_the_row_that_was_seen_wherever_it_is_now(
    tmp_path: Path, name: str, before: Any, after: Any, wanted: Any
) -> None:
    found, frames, node = session(tmp_path), list[bytes](), Questions()
    found.link = node  # type: ignore[assignment] (all that it is asked for)
    found.attach(frames.append, 1280, 800)
    found.hear(status(**before))
    found.show()
    row = find(found.root, name)
    assert row is not None
    found.hear(status(**after))  # on its way while a finger comes down
    x, y = row.rect.centre
    for what in ("down", "up"):
        found.said(talk.Point(what, x, y, name))
    if name.startswith("near"):
        assert not any(isinstance(each, door.Join) for each in node.asked)
        found.said(talk.Used("join.near"))
    assert node.asked[-1] == wanted


async def test_a_slider_goes_to_where_it_is_touched(tmp_path: Path) -> None:
    found, volumes = session(tmp_path, volume=0), list[int]()
    found.attach(list[bytes]().append, 1280, 800)
    found.said(talk.Sized(1280, 3000))
    found.model = replace(found.model, over=Over.PREFERENCES)
    for part in (1, 2, 3, 4):
        slider = find(found.root, "set.volume")
        assert slider is not None
        x, y = slider.rect.x + slider.rect.w * part // 5, slider.rect.centre[1]
        for what in ("down", "up"):
            found.said(talk.Point(what, x, y, slider.name))
        volumes.append(found.model.settings.volume)
    assert volumes == [20, 40, 60, 80]


async def test_colours_of_what_the_page_paints_by_itself_are_those_of_the_theme(
    tmp_path: Path,
) -> None:
    found, frames = session(tmp_path), list[bytes]()
    found.attach(frames.append, 1280, 800)
    for theme in (*THEMES, *THEMES):
        own = replace(found.model.settings, theme=theme)
        found.model = replace(found.model, settings=own)
        found.show()
        found.said(talk.Drawn(2**50))
        told = [msgspec.json.decode(each) for each in frames]
        colours = [each["theme"] for each in told if "theme" in each]
        assert colours[-1] == drawing.colours(found.model.look)


async def test_nothing_is_pressed_that_is_grey_or_below_a_dialog(
    tmp_path: Path,
) -> None:
    at = in_match(base(), "hexagrams", 2, 3)
    assert at.table is not None
    late = tuple(replace(seat, state="late") for seat in at.table.seats)
    left = fed(at, status(table=replace(at.table, seats=late)), Click("leave"))
    found, node = PageSession(left, tmp_path), Questions()
    found.link = node  # type: ignore[assignment] (as above)
    found.attach(list[bytes]().append, 1280, 800)
    found.show()
    above = [*walk(top(found.root))]
    grey = [each.name for each in above if each.live and not each.enabled]
    hidden = {each.name for each in walk(found.root) if each.live}
    below = hidden - {each.name for each in above}
    assert grey == ["leave.resign"]
    assert {"help", "moves"} & below
    for name in (*grey, *sorted(below)):
        before = found.model
        found.said(talk.Used(name))
        assert replace(found.model, now=before.now) == before, name
    assert node.asked == []


async def test_who_was_chosen_nearby_and_has_gone_is_not_taken_for_another(
    tmp_path: Path,
) -> None:
    found, frames, node = session(tmp_path), list[bytes](), Questions()
    found.link = node  # type: ignore[assignment] (as above)
    found.attach(frames.append, 1280, 800)
    found.hear(status(nearby=NEAR))
    found.said(talk.Used("near:KEY-Bert"))
    found.hear(status(nearby=NEAR[1:]))
    found.said(talk.Used("join.near"))
    assert not any(isinstance(each, door.Join) for each in node.asked)


async def test_a_tile_that_was_dragged_as_the_page_was_loaded_anew_lies_where_it_lay(
    tmp_path: Path,
) -> None:
    found = PageSession(in_match(base(), "networdz", 2, 0), tmp_path)
    frames = list[bytes]()
    found.attach(frames.append, 1280, 800)
    tiles = [node for node in walk(found.root) if node.drag]
    squares = [node for node in walk(found.root) if node.drop and not node.drag]

    def drag(node: Node) -> None:
        (x, y), (u, v) = node.rect.centre, squares[-1].rect.centre
        found.said(talk.Point("down", x, y))
        found.said(talk.Point("move", u, v))

    drag(tiles[0])
    found.attach(frames.append, 1280, 800)
    found.show()
    assert msgspec.json.decode(frames[-1])["touch"]["lift"] == ""
    drag(tiles[1])
    assert found.hand.touch.lift == tiles[1].name


async def test_a_finger_that_is_taken_away_holds_no_slider_and_closes_nothing(
    tmp_path: Path,
) -> None:
    """As by a second finger, or by a call that comes."""
    found = session(tmp_path)
    found.model = replace(found.model, over=Over.PREFERENCES)
    found.attach(lambda _data: None, 900, 600)
    found.show()
    slider = find(found.root, "set.volume")
    assert slider is not None
    x, y = slider.rect.centre
    found.said(talk.Point("down", x, y, slider.name))
    half = found.model.settings.volume
    found.said(talk.Point("cancel"))
    assert found.model.over is Over.PREFERENCES
    found.said(talk.Point("down", slider.rect.x, y + 300))
    found.said(talk.Point("move", slider.rect.right, y + 300))
    assert found.model.settings.volume == half
