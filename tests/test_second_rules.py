"""Appendix C in all corners: rules written from it alone, move by move beside ours."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec import inspect
from msgspec.structs import replace

from netplay.wire import pack
from rules import GAMES, editions, hexcolumns, networdz
from rules.game import CHANCE, CLOCK, OptionsError, Resign
from rules.networdz import Laid, Lay
from rules.tiles import Shown
from tests import second_node, second_rules
from tests.rules.networdz.positions import dictionary, registered
from tests.rules.strategies import choices
from tests.test_vectors_games import resources
from tools.protocol.games import scores
from tools.protocol.plain import plain

LONGEST = 260
LISTED = 400
WORDS = (
    "AT TA AN IT IS AS TO NO ON OX DO SO RE ER EN NE TEA EAT SEA ONE TEN TIN NIT RED"
)


def options(game: str, rng: Random, seats: int) -> Any:
    """Return options of any kind that go together."""
    about, given = GAMES[game].ABOUT, dict[str, Any]()
    match game:
        case "networdz":
            given = {"lexicon": dictionary(WORDS), "timed": rng.choice((0, 3))}
            if rng.random() < 0.7:
                given["edition"] = short_edition()
            if rng.random() < 0.5:
                given |= {"tournament": True, "timed": 0}
        case "lhexicon":
            given = {"lexicon": dictionary(WORDS), "side": 6}
            given["timed"] = rng.choice((0, 3))
        case "numlo":
            given = {"size": 8}
        case "hexcolumns":
            given = {"size": rng.randrange(6, 10), "level": rng.choice((0, 12, 25))}
        case _:
            pass
    made = about.options(**given)
    # Whatever is a choice is drawn, one that is new as well, if it goes with the rest.
    for field in inspect.type_info(about.options).fields:
        choice = isinstance(field.type, inspect.BoolType | inspect.LiteralType)
        if choice and field.name not in given:
            other = replace(made, **{field.name: rng.choice(choices(field))})
            with suppress(OptionsError):
                GAMES[game].start(seats, other)
                made = other
    return made


@cache
def short_edition() -> str:
    """Return an edition with so few tiles that somebody soon goes out."""
    whole = editions.load("networdz")
    kinds = tuple(
        replace(
            kind, count=3 if kind.letters in "AEIONRT" else int(kind.letters in "DSX?")
        )
        for kind in whole.kinds
    )
    return registered(replace(whole, name="short", rack=4, kinds=kinds))


def lost_turn(state: Any, seat: int, rng: Random) -> Any:
    """Return a play that is wrong, and so a lost turn of a tournament."""
    tiles = state.tiles
    held = zip(tiles.racks[seat], tiles.kinds[seat], strict=True)
    shown = [Shown(tile, kind) for tile, kind in held][: rng.randrange(1, 3)]
    free = [cell for cell, letter in enumerate(state.letters) if not letter]
    cells = sorted(rng.sample(free, len(shown)))
    laid = tuple(
        Laid(cell, tile.tile, tile.kind if tile.kind < 26 else 4)
        for cell, tile in zip(cells, shown, strict=True)
    )
    return Lay(laid, tuple(shown))


def jumbled(move: Lay, rng: Random) -> Lay:
    """Return a play with its tiles in another order: mostly a word that is none."""
    tiles = list(zip(move.laid, move.shown, strict=True))
    rng.shuffle(tiles)
    laid = [
        replace(each, cell=at.cell)
        for at, (each, _) in zip(move.laid, tiles, strict=True)
    ]
    return Lay(tuple(laid), tuple(shown for _, shown in tiles))


def choice(game: Any, state: Any, actor: int, rng: Random) -> Any:
    """Return a move for somebody who may move."""
    if actor == CHANCE:
        moves = list(game.moves(state, actor))
        return rng.choice(moves)
    if actor >= 0 and rng.random() < 0.01:
        return Resign()
    strict = game is GAMES["networdz"] and state.options.tournament
    if strict and actor >= 0 and rng.random() < 0.1:
        return lost_turn(state, actor, rng)
    # By kinds, for of some there are thousands of moves and of others one.
    listed: dict[str, list[Any]] = {}
    slow = game is GAMES["lhexicon"] and rng.random() < 0.9
    for move in islice(game.moves(state, actor), 20 if slow else LISTED):
        listed.setdefault(plain(move)[0], []).append(move)
    listed.pop("faster", None)  # a few of these, and a well lasts for hours
    if len(listed) > 1 and rng.random() < 0.6:
        listed.pop("pass", None)
    move = rng.choice(listed[rng.choice(sorted(listed))])
    free = game is GAMES["networdz"] and networdz.unchecked(state)
    return (
        jumbled(move, rng)
        if free and isinstance(move, Lay) and rng.random() < 0.4
        else move
    )


def happenings(
    name: str,
    seed: int,
    chosen: Any = None,
    choose: Any = choice,
    longest: int = LONGEST,
) -> Iterator[tuple[Any, Any]]:
    """Play a match at random by both rules; yield both states after each move."""
    game, rng = GAMES[name], Random(seed)
    seats = rng.choice(list(game.ABOUT.seats))
    chosen = chosen or options(name, rng, seats)
    state = game.start(seats, chosen)
    given = [bytes.fromhex(getattr(chosen, key, "")) for key in ("edition", "lexicon")]
    other = second_rules.GAMES[name](seats, plain(chosen), *resources(*given))
    yield state, other
    for _ in range(longest):
        actors = sorted(game.actors(state))
        if not actors:
            return
        weights = [
            1 if actor == CLOCK and not game.ABOUT.hz else 30 for actor in actors
        ]
        [actor] = rng.choices(actors, weights)
        move = choose(game, state, actor, rng)
        public = plain(game.mask(state, actor, move, None))
        if isinstance(move, hexcolumns.Tick):
            for _ in range(rng.randrange(1, 30)):
                if move.seat not in game.actors(state):
                    break
                state = game.play(state, actor, move)
                other.tick(move.seat)
        else:
            state = game.play(state, actor, move)
            other.play(actor, public)
        yield state, other


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", list(GAMES))
def test_rules_written_from_the_page_alone_agree_move_by_move(
    name: str, seed: int
) -> None:
    game = GAMES[name]
    for state, other in happenings(name, seed):
        assert other.waits_for() == set(game.actors(state))
        assert other.scores == list(scores(name, state))
        position = pack(game.public(game.view(state, None)))
        assert second_node.pack(other.position()) == position
        if CHANCE in other.waits_for() and not other.next_reveal():
            if other.next_show() is None:
                listed = [plain(move) for move in game.moves(state, CHANCE)]
                assert other.outcomes() == listed
            else:
                assert next(game.moves(state, CHANCE)).tile == other.next_show()
        if hasattr(other, "tiles"):
            numbers = other.tiles.first, other.tiles.end, other.tiles.deal
            assert numbers == (state.tiles.first, state.tiles.end, state.tiles.deal)
            assert other.tiles.racks == [list(rack) for rack in state.tiles.racks]
        if not other.waits_for():
            assert other.places() == list(game.places(state))


def two_colours(game: Any, state: Any, actor: int, rng: Random) -> Any:
    """Drop hexes of two colours only, which chain; let all rows rise that may."""
    moves = list(game.moves(state, actor))
    if actor == CHANCE:
        return rng.choice([m for m in moves if (m.cell - 1) % 6 < 2])
    if actor == CLOCK:
        return rng.choice(moves)
    rows = [move for move in moves if isinstance(move, hexcolumns.Rise)]
    if rows and rng.random() < 0.1:
        return rng.choice(rows)
    kinds = hexcolumns.Slant, hexcolumns.Drop, hexcolumns.Rotate, hexcolumns.Resume
    return rng.choice([move for move in moves if isinstance(move, kinds)])


def test_rows_are_sent_and_rise_by_both_rules_alike() -> None:
    game = "hexcolumns", hexcolumns.Options(size=6, attacks=True)
    most, ended = 0, False
    for seed in range(12):
        for state, other in happenings(game[0], seed, game[1], two_colours, 900):
            position = pack(hexcolumns.public(state))
            assert second_node.pack(other.position()) == position
            assert other.waits_for() == set(hexcolumns.actors(state))
            most = max(most, *(well.taken for well in state.wells))
            ended = ended or any(well.over and well.taken for well in state.wells)
    assert most >= 3
    assert ended
