"""What helps at the board: tiles unseen, a shuffle by key, hints that lie there."""

import random

import pytest
from msgspec.structs import replace

from client.app import board
from client.app.drafts import Kind
from client.app.model import Match, Model
from client.pages import host_terms, play, screen, unseen
from client.ui.intents import Click, Drop, Text
from client.ui.scene import find, walk
from netplay import wire
from netplay.messages import door
from netplay.text import writer
from rules import GAMES, networdz
from rules.networdz import Lay
from rules.tiles import bag_size
from tests.client.worlds import asks, at_match, base, fed, in_match, status

WORDS = ("networdz", "lhexicon")


def known(model: Model) -> Match:
    assert model.match is not None
    return model.match


@pytest.mark.parametrize("game", WORDS)
@pytest.mark.parametrize("moves", [0, 3, 8])
def test_what_is_unseen_is_the_bag_and_the_racks_of_others(
    game: str, moves: int
) -> None:
    model = in_match(base(), game, 2, moves)
    match = known(model)
    tiles = match.state.tiles
    others = sum(len(r) for s, r in enumerate(tiles.racks) if s != match.seat)
    counts = [count for _face, count in unseen.counted(model)]
    assert min(counts) >= 0
    assert sum(counts) == bag_size(tiles) + others


def test_a_rack_that_lies_open_is_not_unseen() -> None:
    model = at_match(base(), 2, 3)
    match = known(model)
    tiles = match.state.tiles
    (other,) = {0, 1} - {match.seat}
    a, b, *_rest = (face for face, count in unseen.counted(model) if count)
    hidden = dict(unseen.counted(model))
    letters = [face for face, _count in unseen.counted(model)]
    open_ = (letters.index(a), letters.index(b), *tiles.kinds[other][2:])
    kinds = tuple(open_ if n == other else each for n, each in enumerate(tiles.kinds))
    state = replace(match.state, tiles=replace(tiles, kinds=kinds))
    model = replace(model, match=replace(match, state=state))
    now = dict(unseen.counted(model))
    assert {face for face in now if now[face] != hidden[face]} == {a, b}
    assert (now[a], now[b]) == (hidden[a] - 1, hidden[b] - 1)
    told = writer("networdz").position(state)["unseen"]
    assert told == {face: n for face, n in now.items() if n}


def test_nobody_counts_tiles_for_the_players_of_a_tournament() -> None:
    model = at_match(base(), 2, 8)
    match = known(model)
    strict = replace(match.state.options, tournament=True)
    state = replace(match.state, options=strict)
    model = replace(model, match=replace(match, state=state))
    assert unseen.counted(model) == []
    assert play.chosen(fed(model, Text("."))) != play.UNSEEN


@pytest.mark.parametrize("game", WORDS)
def test_a_table_may_agree_that_nobody_counts_tiles_for_its_players(game: str) -> None:
    model = in_match(base(), game, 2, 8)
    match = known(model)
    usual = match.state.options
    assert usual.unseen  # on by default
    assert writer(game).position(match.state)["unseen"]
    without = replace(match.state, options=replace(usual, unseen=False))
    model = replace(model, match=replace(match, state=without))
    assert unseen.counted(model) == []
    assert play.chosen(fed(model, Text("."))) != play.UNSEEN
    assert not writer(game).position(without)["unseen"]


@pytest.mark.parametrize("game", WORDS)
def test_a_stop_shows_the_tiles_unseen_and_hides_them_again(game: str) -> None:
    model = in_match(base(), game, 2, 8)
    shown = fed(model, Text("."))
    assert find(screen.scene(shown), "unseen.total") is not None
    assert find(screen.scene(fed(shown, Text("."))), "unseen.total") is None


@pytest.mark.parametrize("game", WORDS)
def test_a_comma_shuffles_the_rack(game: str) -> None:
    model = in_match(base(), game, 2, 8)
    before = known(model).local.order
    after = known(fed(model, Text(","))).local.order
    assert after != before
    assert sorted(after) == sorted(before)


def hinted(game: str) -> tuple[Model, object]:
    """Return a match on turn whose window is answered a move as a hint, and that."""
    model = in_match(base(), game, 2, 0)
    match = known(model)
    rules, seat = GAMES[game], match.seat
    view = replace(match.state, turn=seat)
    model = replace(model, match=replace(match, state=view))
    dice, options = random.Random(4), [*rules.moves(view, seat)]
    move = next(m for m in dice.sample(options, len(options)) if _plays(m))
    model = fed(model, Click(play.HINT))
    (number,) = (n for n, what in model.asked.items() if what == "hint")
    return fed(model, door.Done(number, "so", data=wire.pack(move))), move


def _plays(move: object) -> bool:
    return type(move).__name__ in {"Lay", "Hexad", "Triad"}


def test_a_hint_lies_on_the_board_of_hexagrams_ready_to_be_made() -> None:
    model, move = hinted("hexagrams")
    local = known(model).local
    assert (local.picked[1], local.at[1]) == (move.origin, move.target)  # type: ignore[attr-defined]
    (made,) = asks(model, Click(f"cell:{local.at[0]}{local.at[1]}"))
    assert wire.unpack(made.move, GAMES["hexagrams"].ABOUT.move) == move


def test_a_hint_lies_on_the_board_of_networdz_and_done_says_its_points() -> None:
    from netplay.players import networdz as player  # noqa: PLC0415

    model = at_match(base(), 2, 8)
    match = known(model)
    view = replace(match.state, turn=match.seat)
    move = player.choose(view, match.seat, 40, random.Random(2), clock=float)
    module = board.find("networdz")
    shown = module.TRAITS.hinted
    assert shown is not None
    local = shown(match.local, move)
    assert local.laid == move.laid  # type: ignore[union-attr]
    model = replace(model, match=replace(match, state=view, local=local))
    done = find(screen.scene(model), "done")
    tentative = find(screen.scene(model), "tentative")
    assert done is not None
    assert tentative is not None
    assert done.text == f"DONE · {tentative.text}"
    back = known(fed(model, Click("recall"))).local
    assert back.laid == ()


def test_done_is_lit_for_a_play_only_and_why_not_is_said_once() -> None:
    for size in ((1280, 800), (800, 500)):
        model = at_match(base(size), 2, 8)
        match = known(model)
        view = replace(match.state, turn=match.seat)
        model = replace(model, match=replace(match, state=view))
        accent = model.look.theme.accent
        shown = {n.name: n for n in walk(screen.scene(model))}
        assert shown["done"].bg != accent
        tile, before = view.tiles.racks[match.seat][0], model
        model = fed(model, Drop(f"tile:{tile}", "cell:0"))
        after = {n.name: n for n in walk(screen.scene(model))}
        assert after["done"].bg != accent
        assert after["done"].text == "DONE"
        why = play.instruction(model).splitlines()[-1]
        assert why not in play.instruction(before)
        assert sum(why in each.text for each in walk(screen.scene(model))) == 1
        assert not asks(model, Click("done"))
        blank = networdz.ground(view.options).blank
        lays = (m for m in networdz.moves(view, match.seat) if isinstance(m, Lay))
        lay = next(m for m in lays if all(each.kind != blank for each in m.shown))
        drops = [Drop(f"tile:{each.tile}", f"cell:{each.cell}") for each in lay.laid]
        model = fed(model, Click("recall"), *drops)
        ready = {n.name: n for n in walk(screen.scene(model))}
        assert ready["done"].bg == accent
        assert ready["done"].text.startswith("DONE · ")
        assert ready["done"].rect == shown["done"].rect
        assert ready["shuffle"].rect == shown["shuffle"].rect


def test_alone_against_computers_hints_are_allowed_until_one_says_otherwise() -> None:
    model = fed(base(), status())
    (hosted,) = asks(model, Click("play"))
    assert dict(hosted.options) == {"hints": "on"}
    draft = model.setup.draft
    refused = replace(draft, options=(("hints", "off"),))
    assert host_terms.with_hints(refused) == refused
    strict = replace(draft, options=(("tournament", "on"),))
    assert host_terms.with_hints(strict) == strict


def test_hints_come_with_being_alone_against_computers_and_go_with_it() -> None:
    model = fed(base(), status())
    (hosted,) = asks(model, Click("setup"))
    assert dict(hosted.options) == {"hints": "on"}
    draft = fed(model, Click("setup")).setup.draft
    friend = replace(draft.seats[1], kind=Kind.REMOTE)
    with_friend = replace(draft, seats=(draft.seats[0], friend, *draft.seats[2:]))
    asked = host_terms.seated(draft, with_friend)
    assert asked.options == ()
    assert host_terms.seated(asked, replace(asked, seats=draft.seats)) == draft
    off = replace(draft, options=(("hints", "off"),))
    harder = replace(draft.seats[1], skill=80)
    played = replace(off, seats=(draft.seats[0], harder, *draft.seats[2:]))
    assert host_terms.seated(off, played) == played
    lent = host_terms.seated(off, replace(off, seats=with_friend.seats))
    back = host_terms.seated(lent, replace(lent, seats=draft.seats))
    assert dict(back.options) == {"hints": "off"}, "as it was said before"


@pytest.mark.parametrize(
    ("seats", "options", "hinted"),
    [
        (("person", "computer:40"), (), True),
        (("person",), (), True),
        (("person:Anna", "program:/bin/x"), (), True),
        (("person", "computer"), (("hints", "off"),), False),
        (("person", "computer"), (("tournament", "on"),), False),
        (("person", "person", "computer"), (), False),
        (("person", "remote"), (), False),
        (("person", "browser"), (), False),
        (("computer", "computer"), (), False),
    ],
)
def test_the_terminal_allows_hints_where_the_window_does(
    seats: tuple[str, ...], options: tuple[tuple[str, str], ...], hinted: bool
) -> None:
    table = door.HostTable("networdz", seats, options, "", "")
    assert (("hints", "on") in table.with_hints) is hinted
