"""What holds for all that hands do on boards: whatever they did before it."""

from functools import cache
from random import Random
from typing import Any, Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app import board
from client.app.board import Seen, Step
from client.hexcolumns import bindings
from client.networdz.local import Doing
from client.ui.intents import Blur, Button, Click, Drop, Hover, Key, Text
from client.ui.scene import Means, Node, Rect, top, walk
from client.ui.theme import Look
from rules import GAMES, editions, hexcolumns, lexicon, lhexicon, networdz
from rules.actors import put_at
from rules.editions import BLOCKED
from rules.game import CHANCE, IllegalMoveError
from rules.tiles import Shown
from tests.client.clicking import handle
from tests.client.worlds import NAMES
from tests.rules import matches
from tests.rules.lhexicon.matches import begin as given_racks
from tests.rules.matches import Match
from tests.rules.wordlist import small

AREA, LOOK = Rect(0, 0, 900, 700), Look()

LASTING: Final = {
    "numlo": ("show",),
    "hexagrams": (),
    "networdz": ("order", "shuffles", "down"),
    "lhexicon": ("order", "shuffles", "facing"),
}
"""What a window remembers of a hand that has let go of all: how the rack stands, where
the next word will go, and which marks are wanted."""

LETS_GO: Final = {
    "numlo": (Hover(""),),
    "hexagrams": (Hover(""), Key("escape"), Key("escape")),
    "networdz": (Hover(""), Key("escape"), Key("escape")),
    "lhexicon": (Hover(""), *[Key("escape")] * 4),
}
"""How a hand lets go; of a hint of Numlo it need not: that goes with the position."""

KEYS: Final = ("left", "right", "up", "down", "escape", "backspace", "delete", "enter")

seeds = st.integers(0, 2**32)
some = settings(max_examples=25, deadline=None)


@cache
def pool(name: str) -> tuple[Match, ...]:
    """Return matches of several, short of words."""
    made = matches.matches(name, "hands", deepest=8)
    return tuple(each for each, _ in zip(made, range(8), strict=False))


def seen_at(match: Match, index: int, seat: int) -> Seen[Any, Any]:
    """Return what a seat knows after so many entries."""
    view, mask = match.game.view, match.game.mask
    past = tuple(
        Step(view(before, seat), actor, mask(before, actor, move, seat))
        for before, (actor, move) in zip(match.states[:index], match.log, strict=False)
    )
    return Seen(view(match.states[index], seat), seat, NAMES[: match.seats], past)


def quiet(match: Match, index: int) -> int:
    """Return the first place from one on at which chance has nothing to do."""
    while CHANCE in match.game.actors(match.states[index]):
        index += 1
    return index


def gesture(module: Any, seen: Any, local: Any, rng: Random) -> Any:
    """Return something that a hand can do where it sees this."""
    root = top(module.scene(seen, local, AREA, LOOK))
    nodes = [each for each in walk(root) if each.enabled]
    live = [each for each in nodes if each.live and isinstance(each.means, Means)]
    held = [each for each in nodes if each.drag]
    spots = [each for each in nodes if each.drop]
    kind = rng.choice(("click", "click", "drag", "key", "text", "hover", "right"))
    if kind == "click" and live:  # of each kind of thing as often, be they few or many
        sorts = sorted({each.name.partition(":")[0] for each in live})
        sort, count = rng.choice(sorts), rng.choice((1, 1, 2))
        node = rng.choice([n for n in live if n.name.partition(":")[0] == sort])
        return Click(node.name, count=count, w=node.rect.w, means=node.means)
    if kind == "drag" and held:
        onto = rng.choice(spots).name if spots and rng.random() < 0.9 else ""
        return Drop(rng.choice(held).name, onto)
    if kind == "hover" and live:
        return Hover(rng.choice(live).name)
    if kind == "right":
        return Click("", Button.RIGHT)
    return Text(rng.choice("aeihhqss? ,")) if kind == "text" else Key(rng.choice(KEYS))


def drawn(root: Node) -> list[tuple[Any, ...]]:
    """Return all that is to be seen."""
    return [
        (n.name, n.rect, n.text, n.value, n.mark, n.bg, n.fg, n.edge, n.points, n.means)
        for n in walk(root)
    ]


@pytest.mark.parametrize("name", LASTING)
@some
@given(seed=seeds)
def test_who_has_let_go_sees_after_a_move_what_a_new_window_shows(
    name: str, seed: int
) -> None:
    rng, module = Random(seed), board.find(name)
    match = rng.choice(pool(name))
    seat = rng.randrange(match.seats)
    at = quiet(match, rng.randrange(len(match.states)))
    seen = seen_at(match, at, seat)
    local = module.begin(seen)
    for _ in range(rng.randrange(1, 12)):
        local, move = handle(module, seen, local, gesture(module, seen, local, rng))
        if move is not None:  # only what the rules take goes out
            match.game.play(seen.view, seat, move)
    end = quiet(match, min(len(match.log), at + 1))
    if end == at:
        return
    steps = range(at + 1, end + 1) if rng.random() < 0.5 else (end,)
    for index in steps:
        seen = seen_at(match, index, seat)
        local = module.renew(seen, local)
    only_what_is_there(name, seen, local)
    new = module.begin(seen)
    for intent in LETS_GO[name]:
        local, _move = handle(module, seen, local, intent)
        new, _move = handle(module, seen, new, intent)
    if hasattr(local, "order"):
        assert sorted(local.order) == sorted(new.order)
    new = replace(new, **{each: getattr(local, each) for each in LASTING[name]})
    assert module.status(seen, local) == module.status(seen, new)
    one, other = (module.scene(seen, each, AREA, LOOK) for each in (local, new))
    assert drawn(one) == drawn(other)


def only_what_is_there(name: str, seen: Seen[Any, Any], local: Any) -> None:
    """See that a hand holds nothing that is not its own, or not there any more."""
    view, seat = seen.view, seen.seat
    assert seat is not None
    if name == "hexagrams" and local.picked[1] >= 0:
        own = {"h": view.hexads, "t": view.triads}[local.picked[0]][seat]
        assert own >> local.picked[1] & 1
    if name in ("networdz", "lhexicon"):
        rack = set(view.tiles.racks[seat])
        assert {each.tile for each in local.laid} | set(local.discards) <= rack
        assert not any(view.letters[each.cell] > 0 for each in local.laid) or (
            name == "lhexicon"
        )
        on_turn = seat in GAMES[name].actors(view)
        assert on_turn or local.doing.value not in ("discarding", "passing")
    if name == "lhexicon":
        assert local.laid or not local.marking


@some
@given(seed=seeds)
def test_tiles_fly_that_somebody_else_has_laid_and_never_ones_own(seed: int) -> None:
    rng, module = Random(seed), board.find("networdz")
    match = rng.choice([each for each in pool("networdz") if each.seats > 1])
    turns = [n for n, (_a, m) in enumerate(match.log) if isinstance(m, networdz.Lay)]
    for at in rng.sample(turns, min(3, len(turns))):
        for seat in range(match.seats):
            seen = replace(seen_at(match, at, seat), now=5.0, pace=1.0)
            later = replace(seen_at(match, at + 1, seat), now=6.0, pace=1.0)
            local = module.renew(later, module.begin(seen))
            assert module.busy(later, local) == (match.log[at][0] != seat)


@some
@given(seed=seeds)
def test_after_the_focus_was_lost_each_key_is_as_if_none_had_been_held(
    seed: int,
) -> None:
    rng, module = Random(seed), board.find("hexcolumns")
    state = hexcolumns.start(2, hexcolumns.Options())
    while CHANCE in hexcolumns.actors(state):
        state = hexcolumns.play(state, CHANCE, hexcolumns.chance_move(state, 7))
    seen = Seen(state, 0, NAMES[:2])
    keys, held = list(bindings.table(())), module.begin(seen)
    for _ in range(rng.randrange(1, 8)):
        key = Key(rng.choice(keys), down=rng.random() < 0.7)
        held, _move = handle(module, seen, held, key)
        again = handle(module, seen, held, key)[1]
        steers = hexcolumns.Shift | hexcolumns.Slant | hexcolumns.Lower
        assert again is None or isinstance(again, steers), key  # it only goes on so
    held, _move = handle(module, seen, held, Blur())
    for key in map(Key, keys):
        fresh = handle(module, seen, module.begin(seen), key)[1]
        assert handle(module, seen, held, key)[1] == fresh


@some
@given(seed=seeds)
def test_escape_lets_go_of_a_stone_and_then_of_the_cursor(seed: int) -> None:
    rng, module = Random(seed), board.find("hexagrams")
    match = rng.choice(pool("hexagrams"))
    seen = seen_at(match, rng.randrange(len(match.states)), rng.randrange(2))
    local = module.begin(seen)
    for _ in range(12):
        do = gesture(module, seen, local, rng), Key("escape"), Key("up"), Key("enter")
        intent = rng.choice(do)
        after, _move = handle(module, seen, local, intent)
        if intent == Key("escape"):
            assert local.picked == after.picked or local.at == after.at
            assert after.picked[1] < 0
        local = after


@some
@given(seed=seeds)
def test_each_row_that_rises_in_a_well_is_seen_to_rise(seed: int) -> None:
    rng, module = Random(seed), board.find("hexcolumns")
    state = hexcolumns.start(
        2, hexcolumns.Options(attacks=True, level=rng.randrange(9))
    )
    wells = (state.wells[0], replace(state.wells[1], sent=rng.randrange(1, 20)))
    state = replace(state, wells=wells)
    for _ in range(40):
        actors = hexcolumns.actors(state)
        if CHANCE in actors:
            drawn_ = hexcolumns.chance_move(state, rng.randrange(720))
            state = hexcolumns.play(state, CHANCE, drawn_)
            continue
        if 0 not in actors:
            return
        moves = list(hexcolumns.moves(state, 0))
        rises = [each for each in moves if isinstance(each, hexcolumns.Rise)]
        drops = [each for each in moves if isinstance(each, hexcolumns.Drop)]
        move = rng.choice(rises or moves) if rng.random() < 0.6 else rng.choice(
            drops or moves
        )  # fmt: skip
        later = hexcolumns.play(state, 0, move)
        if isinstance(move, hexcolumns.Rise) and not later.wells[0].over:
            for seat in (0, 1):  # in one's own well, and in the other's
                seen = Seen(state, seat, NAMES[:2], now=5.0, pace=0.7)
                local = module.begin(seen)
                now = replace(seen, view=later, now=6.0)
                burst = module.renew(now, local).bursts[0]
                assert burst is not None
                assert len(burst.stages) == move.rows
                assert burst.stages[-1].cells == later.wells[0].cells
        state = later


# What is typed.


def with_holes(edition: editions.Edition) -> str:
    """Return an edition in whose board two squares of five are blocked."""
    rng = Random(5)
    rows = tuple(
        tuple(
            BLOCKED if rng.random() < 0.4 and (y, x) != edition.start else square
            for x, square in enumerate(row)
        )
        for y, row in enumerate(edition.board)
    )
    made = replace(edition, name="holes", board=rows)
    editions.register(made)
    return made.digest


@cache
def holes() -> networdz.Options:
    """Return the options of a board with holes, and with tiles of two letters."""
    return networdz.Options(
        edition=with_holes(editions.load("spanish")),
        lexicon=lexicon.shipped()["spanish"],
    )


def holding(options: networdz.Options, faces: tuple[str, ...]) -> Seen[Any, Any]:
    """Return an empty board with these tiles on the rack of one who plays alone."""
    state = networdz.start(1, options)
    while CHANCE in networdz.actors(state):
        state = networdz.play(state, CHANCE, next(networdz.moves(state, CHANCE)))
    alphabet = (*networdz.ground(options).alphabet, "?")
    numbers = state.tiles.racks[0][: len(faces)]
    kinds = (tuple(map(alphabet.index, faces)),)
    tiles = replace(state.tiles, racks=(numbers,), kinds=kinds)
    return Seen(networdz.view(replace(state, tiles=tiles), 0), 0, NAMES[:1])


def did(module: Any, seen: Any, local: Any, *intents: Any) -> Any:
    for intent in intents:
        local, _move = handle(module, seen, local, intent)
    return local


BACK, SPACE = Key("backspace"), Text(" ")
racks = st.lists(
    st.sampled_from(["C", "H", "CH", "L", "LL", "A", "E", "R", "RR", "?"]),
    min_size=4, max_size=7,
).map(tuple)  # fmt: skip
typed = st.text("chlaer", max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    faces=racks,
    keys=st.lists(
        st.sampled_from(["left", "right", "up", "down", *"chae "]), min_size=8,
        max_size=25,
    ),
)  # fmt: skip
def test_the_arrow_stands_where_a_tile_may_lie_whatever_leads_it(
    faces: tuple[str, ...], keys: list[str]
) -> None:
    seen, module = holding(holes(), faces), board.find("networdz")
    blocked, local = networdz.ground(holes()).blocked, module.begin(seen)
    for key in keys:
        before = local.cursor
        local = did(module, seen, local, Text(key) if len(key) == 1 else Key(key))
        assert local.cursor < 0 or not blocked[local.cursor], (before, key)


@some
@given(
    faces=racks, cell=st.integers(0, 224), first=typed,
    letters=st.text("chlar", min_size=1, max_size=3), rest=typed, down=st.booleans(),
)  # fmt: skip
@example(faces=("A", "C", "CH", "H"), cell=112, first="a", letters="c", rest="h",
         down=False)  # fmt: skip
def test_what_was_typed_and_taken_back_is_as_if_it_had_never_been_typed(
    faces: tuple[str, ...], cell: int, first: str, letters: str, rest: str, down: bool
) -> None:
    seen, module = holding(holes(), faces), board.find("networdz")
    turned = (SPACE,) if down else ()
    local = did(module, seen, module.begin(seen), Click(f"cell:{cell}"), *turned)
    local = did(module, seen, local, Text(first))
    more = did(module, seen, local, Text(letters))
    count = len(more.laid) - len(local.laid)
    if local.cursor < 0 or local.typed or local.over or count < 1:
        return  # nothing is laid, or a letter of two waits, or lies there
    back = did(module, seen, more, *[BACK] * count)
    assert back.laid == local.laid
    assert back.cursor == local.cursor
    later, never = (did(module, seen, each, Text(rest)) for each in (back, local))
    assert (later.laid, later.cursor) == (never.laid, never.cursor)


@some
@given(faces=racks, cell=st.integers(0, 224), text=typed, down=st.booleans())
def test_a_word_taken_back_is_typed_again_at_once_where_it_was(
    faces: tuple[str, ...], cell: int, text: str, down: bool
) -> None:
    seen, module = holding(holes(), faces), board.find("networdz")
    turned = (SPACE,) if down else ()
    local = did(module, seen, module.begin(seen), Click(f"cell:{cell}"), *turned)
    once = did(module, seen, local, Text(text))
    if once.laid and once.doing is Doing.PLAYING:
        again = did(module, seen, once, Key("escape"), Text(text))
        assert again.laid == once.laid


@cache
def lettered_board(seed: int) -> Seen[Any, Any]:
    """Return a board of Lhexicon with letters lying about, many a QU among them."""
    state, rng = given_racks("QUEASED", "RUEL?AT"), Random(seed)
    letters = tuple(
        rng.choice((lhexicon.QU, *map(lhexicon.LETTERS.index, "AEUS")))
        if rng.random() < 0.4 else letter
        for letter in state.letters
    )  # fmt: skip
    blanks = tuple(n for n, letter in enumerate(letters) if letter == lhexicon.QU)
    laid = replace(state, letters=letters, blanks=blanks)
    return Seen(lhexicon.view(laid, 0), 0, NAMES[:2])


hexagon, lettering = st.integers(0, 216), st.text("quaesd", max_size=6)
boards = st.integers(0, 20).map(lettered_board)


@some
@given(
    seen=boards, cell=hexagon, first=lettering, rest=lettering,
    letters=st.text("quaesd", min_size=1, max_size=3),
)  # fmt: skip
def test_what_was_typed_on_hexagons_and_taken_back_had_never_been_typed(
    seen: Seen[Any, Any], cell: int, first: str, letters: str, rest: str
) -> None:
    module = board.find("lhexicon")
    local = did(module, seen, module.begin(seen), Click(f"cell:{cell}"), Text(first))
    more = did(module, seen, local, Text(letters))
    count = len(more.trail) - len(local.trail)
    if local.rest or more.doing.value != "playing" or count < 1:
        return
    back = did(module, seen, more, *[BACK] * count)
    assert (back.laid, back.trail) == (local.laid, local.trail)
    later, never = (did(module, seen, each, Text(rest)) for each in (back, local))
    assert (later.laid, later.trail) == (never.laid, never.trail)


@some
@given(seen=boards, cell=hexagon, text=lettering)
def test_a_word_on_hexagons_taken_back_is_typed_again_where_it_was(
    seen: Seen[Any, Any], cell: int, text: str
) -> None:
    module = board.find("lhexicon")
    once = did(module, seen, module.begin(seen), Click(f"cell:{cell}"), Text(text))
    if once.laid and once.trail[0] == once.laid[0].cell:
        again = did(module, seen, once, Key("delete"), SPACE, Text(text))
        assert again.laid == once.laid


@some
@given(seed=seeds)
def test_a_blank_goes_for_one_letter_and_no_letter_for_two(seed: int) -> None:
    rng, module = Random(seed), board.find("lhexicon")
    state = given_racks("EEAASSD", "RUEL?AT")
    held, kinds = state.tiles.racks[0], state.tiles.kinds[0]
    letters = tuple(rng.choice((-1, *kinds[::2])) for _cell in state.letters)
    blanks = tuple(n for n, letter in enumerate(letters) if letter >= 0)
    numbers = tuple(1000 + n if letter >= 0 else -1 for n, letter in enumerate(letters))
    laid = replace(state, letters=letters, blanks=blanks, numbers=numbers)
    seen = Seen(lhexicon.view(laid, 0), 0, NAMES[:2])
    local = module.begin(seen)
    near, tiles = rng.sample(blanks, 4), list(zip(held, kinds, strict=True))
    for _ in range(8):
        tile, kind = rng.choice(tiles)
        fitting = [cell for cell in near if letters[cell] == kind] or near
        drop = Drop(f"tile:{tile}", f"cell:{rng.choice(fitting)}")
        local = did(module, seen, local, rng.choice((drop, drop, Click("pickup"))))
        assert len({each.cell for each in local.swaps}) == len(local.swaps)
        assert len({each.tile for each in local.swaps}) == len(local.swaps)
        _local, move = handle(module, seen, local, Key("enter"))
        assert (move is not None) == bool(local.swaps)


@some
@given(seed=seeds)
@pytest.mark.parametrize("name", ["networdz", "lhexicon"])
def test_what_lies_elsewhere_is_still_what_it_was_and_nothing_is_asked_again(
    name: str, seed: int
) -> None:
    rng, module = Random(seed), board.find(name)
    seen = holding(holes(), ("A", "?", "CH", "E", "?")) if name == "networdz" else (
        Seen(lhexicon.view(given_racks("QUEA?SD", "RUEL?AT"), 0), 0, NAMES[:2])
    )  # fmt: skip
    local = module.begin(seen)
    free = [
        each.name for each in walk(module.scene(seen, local, AREA, LOOK))
        if each.drop and each.name.startswith("cell:")
    ]  # fmt: skip
    spots = rng.sample(free, 2 * len(local.order))
    for tile in local.order:
        local = did(module, seen, local, Drop(f"tile:{tile}", spots.pop()))
        if local.doing.value == "naming":
            local = did(module, seen, local, Text(rng.choice("aes")))
    before = {each.tile: each.letter for each in local.laid}
    assert len(before) == len(local.order)
    for tile in rng.sample(list(before), 3):
        local = did(module, seen, local, Drop(f"tile:{tile}", spots.pop()))
        assert local.doing.value == "playing"
        assert {each.tile: each.letter for each in local.laid} == before


# What is exchanged: as much as the rules let go, and no more.


def taken(rules: Any, state: Any, seat: int, *moves: Any) -> Any:
    """Return the first of some moves that the rules take, if they take any."""
    for move in moves:
        try:
            rules.play(state, seat, move)
        except IllegalMoveError:
            continue
        return move
    return None


@settings(max_examples=60, deadline=None)
@given(
    rack=st.sampled_from(["EEEEABA", "EEEEAB", "ABCDEAB", "EEEAABB", "EEEEE"]),
    pool_size=st.integers(0, 9), kind=st.sampled_from(["", "waits", "four", "both",
    "tournament"]), count=st.integers(0, 7), rng=st.integers(0, 999),
)  # fmt: skip
@example(rack="EEEEABA", pool_size=7, kind="four", count=7, rng=0)
@example(rack="EEEEABA", pool_size=6, kind="four", count=6, rng=0)
@example(rack="ABCDEAB", pool_size=3, kind="waits", count=3, rng=0)
@example(rack="ABCDEAB", pool_size=7, kind="tournament", count=1, rng=0)
def test_tiles_are_exchanged_by_hand_just_as_the_rules_let_them(
    rack: str, pool_size: int, kind: str, count: int, rng: int
) -> None:
    lot, module = Random(rng), board.find("networdz")
    waits = kind in ("waits", "both")
    options = networdz.Options(
        lexicon=small(), challenge="free" if waits else "none",
        four_of_a_kind=kind in ("four", "both"), tournament=kind == "tournament",
    )  # fmt: skip
    state = networdz.start(2, options)
    while CHANCE in networdz.actors(state):
        drawn_ = list(networdz.moves(state, CHANCE))
        state = networdz.play(state, CHANCE, lot.choice(drawn_))
    if waits:
        lays = (m for m in networdz.moves(state, state.turn) if hasattr(m, "laid"))
        lay = next(lays, None)
        if lay is None:
            return
        state = networdz.play(state, state.turn, lay)
    seat, tiles = state.turn, state.tiles
    alphabet = networdz.ground(options).alphabet
    numbers, kinds = tiles.racks[seat][: len(rack)], tuple(map(alphabet.index, rack))
    tiles = replace(
        tiles, end=tiles.first + pool_size,
        racks=put_at(tiles.racks, seat, numbers),
        kinds=put_at(tiles.kinds, seat, kinds),
    )  # fmt: skip
    view = networdz.view(replace(state, tiles=tiles), seat)
    seen = Seen(view, seat, NAMES[:2])
    chosen = tuple(sorted(lot.sample(numbers, min(count, len(numbers)))))
    local = did(module, seen, module.begin(seen), Click("pass"),
                *[Click(f"tile:{tile}") for tile in chosen])  # fmt: skip
    _local, move = handle(module, seen, local, Click("done"))
    alike = [
        tuple(Shown(n, k) for n, k in zip(numbers, kinds, strict=True) if k == kind)[:4]
        for kind in kinds
    ]
    renewed = [networdz.Renew(each) for each in alike if len(chosen) == len(numbers)]
    wanted = taken(networdz, view, seat, *renewed, networdz.Pass(chosen))
    if wanted is None:  # as many as may go are chosen: fewer than were wanted
        assert local.discards != chosen or move is None
        assert taken(networdz, view, seat, networdz.Pass(tuple(sorted(local.discards))))
    else:
        assert move == wanted


@some
@given(
    rack=st.sampled_from(["EEAASS?", "AAEEEST", "QUEE?AS"]),
    pool_size=st.integers(0, 9), count=st.integers(1, 7), rng=st.integers(0, 999),
)  # fmt: skip
def test_letters_are_exchanged_by_keys_and_all_at_once_as_the_rules_let_them(
    rack: str, pool_size: int, count: int, rng: int
) -> None:
    module = board.find("lhexicon")
    state = given_racks(rack, "RUEL?AT")
    tiles = replace(state.tiles, end=state.tiles.first + pool_size)
    view = lhexicon.view(replace(state, tiles=tiles), 0)
    seen = Seen(view, 0, NAMES[:2])
    opened = did(module, seen, module.begin(seen), Click("discard"))
    if opened.doing.value != "discarding":
        assert not pool_size
        return
    wanted = Random(rng).sample(rack, min(count, pool_size))
    local = did(module, seen, opened, *map(Text, wanted))
    faces = dict(zip(tiles.racks[0], rack, strict=True))
    assert sorted(map(faces.get, local.discards)) == sorted(wanted)
    everything = did(module, seen, opened, Click("all"))
    assert len(everything.discards) == min(7, pool_size)
    for each in (local, everything):
        _local, move = handle(module, seen, each, Click("exchange"))
        assert (move is not None) == bool(each.discards)


# Corners that hands seldom come to by chance.


@some
@given(seen=boards, place=st.integers(0, 99), rest=st.text("uaq", max_size=3))
def test_of_a_qu_that_was_taken_back_no_u_is_left_over(
    seen: Seen[Any, Any], place: int, rest: str
) -> None:
    module, letters = board.find("lhexicon"), seen.view.letters
    cells = [cell for cell, each in enumerate(letters) if each == lhexicon.QU]
    local = did(
        module, seen, module.begin(seen), Click(f"cell:{cells[place % len(cells)]}")
    )
    once = did(module, seen, local, Text("q"))
    assert len(once.trail) == 1
    back = did(module, seen, once, BACK)
    later, never = (did(module, seen, each, Text("u" + rest)) for each in (back, local))
    assert (later.trail, later.laid, later.cursor) == (
        never.trail, never.laid, never.cursor,
    )  # fmt: skip
    assert later.notice == never.notice
    assert did(module, seen, back, Text("u")).notice


@some
@given(
    cell=hexagon, turns=st.integers(0, 5), word=st.permutations("easd"),
    count=st.integers(2, 4),
)  # fmt: skip
def test_marking_begins_at_the_letter_typed_first(
    cell: int, turns: int, word: list[str], count: int
) -> None:
    module, state = board.find("lhexicon"), given_racks("QUEASED", "RUEL?AT")
    seen = Seen(lhexicon.view(state, 0), 0, NAMES[:2])
    at = Click(f"cell:{cell}")
    local = did(module, seen, module.begin(seen), *[at] * (1 + turns))
    first = local.cursor
    local = did(module, seen, local, *map(Text, word[:count]))
    marking = did(module, seen, local, Key("enter"))
    assert marking.marking
    assert marking.cursor == first
    assert first in {each.cell for each in local.laid}


@some
@given(cell=hexagon, count=st.integers(1, 3), left=st.integers(0, 1))
def test_nothing_is_marked_once_others_lie_where_all_letters_were(
    cell: int, count: int, left: int
) -> None:
    module, state = board.find("lhexicon"), given_racks("QUEASED", "RUEL?AT")
    seen = Seen(lhexicon.view(state, 0), 0, NAMES[:2])
    local = did(module, seen, module.begin(seen), Click(f"cell:{cell}"))
    local = did(module, seen, local, *map(Text, "eas"[:count]), Key("enter"))
    assert local.marking
    taken_ = [each.cell for each in local.laid][left:]
    letters = list(state.letters)
    for each in taken_:
        letters[each] = lhexicon.LETTERS.index("T")
    now = replace(seen, view=lhexicon.view(replace(state, letters=tuple(letters)), 0))
    after = module.renew(now, local)
    rest = len(local.laid) - len(taken_)
    assert len(after.laid) == rest
    assert after.marking == bool(rest)
    if not rest:
        assert module.status(now, after) == module.status(now, module.begin(now))


@some
@given(seed=seeds)
def test_each_tile_is_drawn_by_hand_once_however_often_the_window_is_told(
    seed: int,
) -> None:
    rng, module = Random(seed), board.find("networdz")
    match = rng.choice([each for each in pool("networdz") if each.seats > 1])
    seat = rng.randrange(match.seats)

    def seen_by_hand(at: int) -> Seen[Any, Any]:
        return replace(seen_at(match, at, seat), by_hand=True)

    at, seen = 0, seen_by_hand(0)
    local = module.begin(seen)
    before, owed = set[int](), set[int]()
    while at < len(match.states) - 1:
        held = set(seen.view.tiles.racks[seat])
        owed = (owed | (held - before)) & held
        before = held
        assert set(local.unseen) == owed
        for _ in range(rng.randrange(3)):
            left = len(local.unseen)
            if left:
                local, _move = handle(module, seen, local, Key("enter"))
            owed = set(local.unseen)
            assert left - len(owed) in (0, 1)
        if rng.random() < 0.3:  # whatever is done meanwhile, all can be drawn
            other = rng.choice((Click("", Button.RIGHT), Key("escape"), Text("e")))
            local, move = handle(module, seen, local, other)
            assert move is None
            for _ in range(1 + len(local.unseen)):
                local, _move = handle(module, seen, local, Key("enter"))
            assert not local.unseen
            owed = set()
        at += rng.choice((1, 1, 1, 2, 5))
        at = min(at, len(match.states) - 1)
        seen = seen_by_hand(at)
        local = module.renew(seen, local)


@pytest.mark.parametrize("name", ["networdz", "lhexicon"])
def test_an_own_move_leaves_all_as_it_was_that_lasts(name: str) -> None:
    module = board.find(name)
    checked = 0
    for match in pool(name)[:3]:
        for index, (seat, _move) in enumerate(match.log):
            if seat < 0:
                continue
            local = module.begin(seen_at(match, index, seat))
            wished = {"facing": 3, "shuffles": 2, "down": True}
            mine = {key: wished[key] for key in LASTING[name] if key in wished}
            after = quiet(match, index + 1) if index + 1 < len(match.log) else index + 1
            found = module.renew(seen_at(match, after, seat), replace(local, **mine))
            assert {key: getattr(found, key) for key in mine} == mine
            checked += 1
    assert checked > 5
