"""Vectors of whole matches: one of each game, played until the rules end it.

Players are simple and know no chance of their own, so that the same files come out
every time; each match has what is easily got wrong in it.
"""

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any, Final

from msgspec.structs import asdict, replace

from netplay.players.hexcolumns import choose
from netplay.record.fold import Fold
from netplay.record.ledger import empty_log, follow, read_terms
from netplay.record.store import MAGIC, frame
from netplay.record.verify import verify
from netplay.wire import pack
from rules import (
    GAMES,
    editions,
    hexagrams,
    hexcolumns,
    lexicon,
    lhexicon,
    networdz,
    numlo,
)
from rules.tiles import bag_size
from tests.netplay.party import Party
from tools.protocol.plain import plain

Choice = Callable[[Any, int, int], Any]
"""From a seat's view, the seat and the number of the turn to a move."""

MOST: Final = 400
"""Turns; every match here ends long before."""

LOOKED_AT: Final = 150
"""Plays a player chooses among."""

FEW: Final = 20
"""The same where plays take long to find."""

WORDY: Final = 40
"""Turns with words, before all pass."""

DOUBTED: Final = (1, 6, 9)
"""Moves of Lhexicon that challenge a word: a phony, one withdrawn, a right one."""

SKILL: Final = 60
"""Of the computer players that send each other rows."""

WITHDRAWN: Final = 7
"""The move that withdraws a word; the other challenges are looked up."""

PIECES: Final = 24
"""Pieces that are steered, before all are dropped in the middle."""


def games() -> list[dict[str, Any]]:
    """Return the vectors."""
    return [
        _vector("networdz, three seats: an exchange, a pass, a tally", _networdz()),
        _vector("networdz, three seats: words are challenged", _challenged()),
        _vector("lhexicon, two seats: a phony, a withdrawal, a debt", _lhexicon()),
        _vector("numlo, three seats: scattered, with values", _numlo()),
        _vector("hexagrams: until somebody has won", _hexagrams()),
        _vector("hexcolumns, two seats: until both wells are full", _hexcolumns()),
        _vector("hexcolumns, two seats that send each other rows", _attacks()),
    ]


# The matches.


def _networdz() -> Party:
    """Return a match in which two members play three seats."""
    return _played(Party("networdz", 2, seats=3), _best_word)


def _best_word(view: networdz.State, seat: int, turn: int) -> networdz.Move:
    """Return the play with most points of those looked at, or an exchange."""
    rack, pool = view.tiles.racks[seat], bag_size(view.tiles)
    if turn == 3:
        return networdz.Pass(rack[:2])
    plays = list(islice(networdz.lays(view, seat), LOOKED_AT))
    if plays and turn != 7:
        return max(plays, key=lambda play: networdz.judge_lay(view, play).points)
    return networdz.Pass(() if turn == 7 else rack[: min(3, pool)])


def _challenged() -> Party:
    """Return a match with words that are none, and challenges with reason and not."""
    options = networdz.Options(challenge="five")
    return _played(Party("networdz", 2, options, seats=3), doubtful)


def doubtful(view: networdz.State, seat: int, turn: int) -> networdz.Move:
    """Return an answer to the last play, a word, or the letters of one turned round."""
    after = networdz.accepted(view)
    if view.pending is not None and turn % 5 in {1, 3}:
        return networdz.Challenge()
    if after.phase is not networdz.Phase.PLAY or (view.pending and turn % 5 == 4):
        return networdz.Accept()
    move = _best_word(after, seat, turn)
    if turn % 5 or not isinstance(move, networdz.Lay):
        return move
    tiles = reversed(list(zip(move.laid, move.shown, strict=True)))
    return networdz.Lay(
        *zip(
            *(
                (replace(laid, cell=at.cell), shown)
                for at, (laid, shown) in zip(move.laid, tiles, strict=True)
            ),
            strict=True,
        )
    )


def _lhexicon() -> Party:
    """Return a match with words that are challenged, and withdrawn or not."""
    options = lhexicon.Options(side=6, challenge=True)
    return _played(Party("lhexicon", 2, options), _announced)


def _answered(word: lhexicon.Announced, turn: int) -> lhexicon.Move:
    """Return what is said to a word, or to a challenge."""
    if word.challenger is not None:
        return lhexicon.Withdraw() if turn == WITHDRAWN else lhexicon.Insist()
    return lhexicon.Challenge() if turn in DOUBTED else lhexicon.Accept()


def _announced(view: lhexicon.State, seat: int, turn: int) -> lhexicon.Move:
    """Return an answer, a word, or a discard; the first word is none."""
    if view.announced:
        return _answered(view.announced, turn)
    if turn == 0:
        return phony(view, seat)
    rack = view.tiles.racks[seat]
    if turn in {13, 14}:
        return lhexicon.Discard(rack[:3])
    if turn > WORDY:
        return lhexicon.Pass()
    moves = islice(lhexicon.moves(view, seat), FEW)
    plays = [move for move in moves if isinstance(move, lhexicon.Lay)]
    if plays:
        return max(plays, key=lambda play: _points(view, seat, play))
    return lhexicon.Discard(rack[: min(3, bag_size(view.tiles))])


def _points(view: lhexicon.State, seat: int, play: lhexicon.Lay) -> int:
    """Return what a play scores."""
    verdict = lhexicon.judge_lay(view, seat, play)
    assert isinstance(verdict, lhexicon.Verdict)
    return verdict.points


def phony(view: lhexicon.State, seat: int) -> lhexicon.Lay:
    """Return three tiles over the centre that are no word."""
    centre = len(view.letters) // 2
    cells = (centre - 1, centre, centre + 1)
    tiles = view.tiles
    held = [
        (tile, kind)
        for tile, kind in zip(tiles.racks[seat], tiles.kinds[seat], strict=True)
        if kind != lhexicon.BLANK
    ][:3]
    known = lexicon.find(view.options.lexicon)
    for _ in held:
        if not known.has([kind for _, kind in held]):
            break
        held.append(held.pop(0))
    laid = [
        lhexicon.Placed(tile, cell, kind)
        for (tile, kind), cell in zip(held, cells, strict=True)
    ]
    return lhexicon.lay(view, laid, cells)


def _numlo() -> Party:
    """Return a match with all the chance there can be."""
    options = numlo.Options(size=8, start="scatter")
    return _played(Party("numlo", 3, options), _greedy)


def _greedy(view: numlo.State, _seat: int, _turn: int) -> numlo.Move:
    """Return the square that wins most."""
    square = numlo.hint(view)
    assert square is not None  # somebody is on turn
    return numlo.Place(square)


def _hexagrams() -> Party:
    """Return a match of moves from everywhere in the list."""
    return _played(Party("hexagrams", 2), _strewn)


def _strewn(view: hexagrams.State, seat: int, turn: int) -> hexagrams.Move:
    """Return one of the legal moves, another one each time."""
    moves = list(hexagrams.moves(view, seat))
    return moves[7 * turn % len(moves)]


def _played(party: Party, choose: Choice) -> Party:
    """Let the players of a match choose until it is over."""
    party.link_all()
    party.settle()
    for turn in range(MOST):
        movers = party.movers()
        if not movers:
            break
        member, seat = movers[0]
        view = party.member(member).seats.view(seat).state
        move = choose(view, seat, turn)
        party.member(member).play(seat, pack(move), -1, party.now)
        party.settle()
    return party


def _hexcolumns() -> Party:
    """Return a match of two wells, the second one quicker."""
    party = Party("hexcolumns", 2, hexcolumns.Options(size=6, level=9))
    party.link_all()
    party.settle()
    for step in range(MOST):
        if party.member(0).fold.over:
            break
        party.wake(1 / 30)
        for seat in (0, 1):
            state = party.member(seat).shown_state(seat)
            for move in _steered(state, seat, step):
                party.member(seat).play(seat, pack(move), -1, party.now)
    party.wake(0.2)
    return party


def _attacks() -> Party:
    """Return a match of two wells that get each other's rows, and then fill up."""
    options = hexcolumns.Options(size=6, level=5, attacks=True)
    party = Party("hexcolumns", 2, options)
    party.link_all()
    party.settle()
    while not party.member(0).fold.over:
        party.wake(0.1)
        for seat in (0, 1):
            state = party.member(seat).shown_state(seat)
            if not state.wells[seat].over:
                move = _chaining(state, seat)
                party.member(seat).play(seat, pack(move), -1, party.now)
    party.wake(0.2)
    return party


def _chaining(state: hexcolumns.State, seat: int) -> hexcolumns.Move:
    """Return an input towards chains, or towards the end once rows have risen."""
    if all(well.taken for well in state.wells):
        return hexcolumns.Drop()
    return choose(state, seat, SKILL, Random(0))  # noqa: S311 (no secret, not used)


def _steered(state: hexcolumns.State, seat: int, step: int) -> list[hexcolumns.Input]:
    """Return the inputs of a seat at a step; none at most of them."""
    well = state.wells[seat]
    if well.over or (step + seat) % 3:
        return []
    if well.pieces > PIECES:
        return [hexcolumns.Drop()]
    aside = (2 * well.pieces + seat) % 7 - 3
    found: list[hexcolumns.Input] = [hexcolumns.Rotate()] * (well.pieces % 3)
    found += [hexcolumns.Slant(1 if aside > 0 else -1)] * abs(aside)
    extra: dict[int, list[hexcolumns.Input]] = {
        3: [hexcolumns.Radar(on=True)],
        5: [hexcolumns.Faster()],
        6: [hexcolumns.Lower()],
        9: [hexcolumns.Radar(on=False)],
        11: [hexcolumns.Lower(), hexcolumns.Shift(-1)],
        12: [hexcolumns.Pause(), hexcolumns.Resume()],
    }
    found += extra.get(well.pieces, [])
    return _legal(state, seat, [*found, hexcolumns.Drop()])


def _legal(
    state: hexcolumns.State, seat: int, wanted: list[hexcolumns.Input]
) -> list[hexcolumns.Input]:
    """Return those of some inputs that a well takes, one after the other."""
    well, taken = state.wells[seat], list[hexcolumns.Input]()
    for move in wanted:
        if not hexcolumns.refusal(state.size, well, move):
            well = hexcolumns.act(state.size, well, move)
            taken.append(move)
        if not well.piece:
            break
    return taken


# The vectors.


def _vector(name: str, party: Party) -> dict[str, Any]:
    """Return the vector of a match that is over."""
    raws = party.logs()[0]
    assert all(log == raws for log in party.logs())
    file = MAGIC + b"".join(map(frame, raws))
    verdict = verify(file)
    assert verdict.ok, verdict.reason
    assert verdict.places
    terms = read_terms(raws[0])
    log, fold = empty_log(terms), Fold(terms)
    steps = [_step(fold, -1, 0)]
    for number, raw in enumerate(raws):
        before, made = fold.state, len(fold.history)
        follow(log, fold, log.checked(raw, fold.host_after))
        if fold.state is not before:
            steps.append(_step(fold, number, made))
    return {
        "name": name,
        "game": terms.game,
        "edition": _edition(terms.edition),
        "file": file.hex(),
        "steps": steps,
        "places": list(verdict.places),
        "end": _end(terms.game, fold.state),
    }


def _edition(digest: bytes) -> str:
    """Return the content of an edition, without which nobody can fold the match."""
    return editions.encode(editions.find(digest.hex())).hex() if digest else ""


def _step(fold: Fold, number: int, made: int) -> dict[str, Any]:
    """Return how a match stands after an entry, and what happened with it.

    Args:
        fold: The match.
        number: The entry's; -1 before all.
        made: Moves made before it, those of CHANCE included.
    """
    game, state = fold.terms.game, fold.state
    return {
        "entry": number,
        "moves": [[past.actor, plain(past.move)] for past in fold.history[made:]],
        "actors": sorted(fold.actors),
        "scores": list(scores(game, state)),
    }


def scores(game: str, state: Any) -> tuple[int, ...]:  # noqa: ANN401 (any game's)
    """Return the scores; of Hexagrams how many triads and hexads there are."""
    scored = GAMES[game].ABOUT.scored
    if scored is not None:
        return scored.scores(state)
    return tuple(cells.bit_count() for cells in (*state.triads, *state.hexads))


def _end(game: str, state: Any) -> dict[str, Any]:  # noqa: ANN401 (any game's)
    """Return what lies there when a match is over."""
    names = {
        "networdz": ("letters", "kinds", "passes", "zeros", "out", "tally"),
        "lhexicon": ("letters", "numbers", "blanks", "passes", "barren", "debts"),
        "numlo": ("tiles", "values"),
        "hexagrams": ("triads", "hexads", "quiet", "winner", "ending"),
    }
    if game == "hexcolumns":
        fields = ("cells", "level", "clock", "ticks", "pieces", "multiples", "taken")
        wells = [asdict(well) for well in state.wells]
        return {"wells": plain([[well[name] for name in fields] for well in wells])}
    found, tiled = asdict(state), GAMES[game].ABOUT.tiled
    end = {name: plain(found[name]) for name in names[game]}
    if tiled is not None:
        end["racks"] = plain(tiled.tiles(state).racks)
    return end
