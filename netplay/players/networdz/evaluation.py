"""What plays of Networdz are worth: points, and the tiles kept; the end is read out."""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from math import sqrt
from typing import Final

from netplay.players import Rng
from netplay.players.evaluating import Candidate, Evaluation, Work, logistic
from netplay.players.networdz import ending
from netplay.players.networdz.ending import lay
from netplay.players.networdz.rollouts import COST, NEAR, Budget, Option, Rollouts
from netplay.players.networdz.seen import Seen
from netplay.players.words.leaves import learned
from netplay.players.words.plays import BLANK, Play
from netplay.players.words.squares import crossed, lay_of, made, rack
from netplay.players.words.vocabulary import vocabulary
from netplay.players.words.windows import Window
from rules import networdz, tiles
from rules.game import Seat
from rules.networdz import (
    BONUS,
    Accept,
    Challenge,
    Lay,
    Move,
    Pass,
    Phase,
    Renew,
    State,
    Trade,
)
from rules.networdz.judging import judge_placed, placed
from rules.networdz.playing import ALIKE, ENOUGH
from rules.tiles import Shown

# What a turn may be besides laying a word: passing, and what the options allow.


TRADING: Final = 20
"""From this skill on, a player takes a blank off the board when it can."""

RENEWING: Final = 40
"""From this skill on, a player gives up a rack with four of a kind."""


def free_move(view: State, seat: Seat, skill: int) -> Move | None:
    """Return a move that costs no turn and is always worth it, if there is one."""
    if view.options.trade_blanks and skill >= TRADING:
        trade = _trade(view, seat)
        if trade is not None:
            return trade
    if view.options.four_of_a_kind and skill >= RENEWING:
        ground = networdz.ground(view.options)
        rack, kinds = tiles.on_rack(view.tiles, seat), view.tiles.kinds[seat]
        if tiles.bag_size(view.tiles) < max(ENOUGH, len(rack)):
            return None
        for kind in set(kinds):
            if kind >= 0 and kind != ground.blank and kinds.count(kind) >= ALIKE:
                held = [tile for tile, own in rack.items() if own == kind]
                return Renew(tuple(Shown(tile, kind) for tile in sorted(held)[:ALIKE]))
    return None


def _trade(view: State, seat: Seat) -> Trade | None:
    """Return the trade of a tile for a blank on the board, if the rack has the tile."""
    ground = networdz.ground(view.options)
    mine = tiles.on_rack(view.tiles, seat)
    for cell, _ in view.blanks:
        for tile, kind in mine.items():
            counts = kind >= 0 and kind != ground.blank
            if counts and ground.counted(kind) == view.letters[cell] - 1:
                return Trade(cell, (Shown(tile, kind),))
    return None


def discards(seen: Seen) -> tuple[tuple[int, ...], float]:
    """Return the tiles to discard that leave most, and what they leave.

    Without a pool, or in a tournament with too small a one, there are none.
    """
    view, pool = seen.view, seen.pool
    if not pool or (view.options.tournament and pool < ENOUGH):
        return (), float("-inf")
    ground = seen.ground
    mine = sorted(
        (kind if kind == ground.blank else ground.counted(kind), tile)
        for tile, kind in tiles.on_rack(view.tiles, seen.seat).items()
        if kind >= 0
    )
    best: tuple[int, ...] = ()
    most = float("-inf")
    for chosen in range(1, 1 << len(mine)):
        if chosen.bit_count() <= pool:
            kept = [own for at, (own, _) in enumerate(mine) if not chosen >> at & 1]
            worth = seen.table.worth(kept)
            if worth > most:
                gone = [tile for at, (_, tile) in enumerate(mine) if chosen >> at & 1]
                best, most = tuple(sorted(gone)), worth
    return best, most


def passing(seen: Seen, gone: tuple[int, ...]) -> Pass:
    """Return a pass that discards some tiles, as far as the rules let go of them."""
    if seen.view.options.tournament and seen.pool < ENOUGH:
        return Pass()
    return Pass(tuple(sorted(gone[: seen.pool])))


WORK: Final = 12_000
"""Looks at the board: less than a second, a sixth of that with the kernel."""

NAMED: Final = 100
"""Candidates that are told of."""

TRIED: Final = 10
"""Moves that are compared by looking ahead, besides those asked for."""

FAR: Final = 20.0
"""Points behind the best from which on a move is not looked at any further."""

LOOKING: Final = 0.7
"""Of its time, how much a player spends on finding plays, at the most."""

SPREAD: Final = 5.8
"""Lead with which 73 % of games are won, for each root of a tile still to come.

Fitted, as is the next one, to 60 games of the strongest static player: what follows
differs from game to game by 10.5 points for each such root."""

REPLY: Final = 20.0
"""Points by which who moves next is better off while there are tiles to draw."""

ENDED: Final = 4.0
"""Likewise for a lead once the end has been read out, which may err by some points."""

VAGUE: Final = 2.5
"""Points by which the worth of kept tiles may err, the difference of two plays."""

VAGUE_END: Final = 1.0
"""Likewise for the end read out."""


def evaluate(
    view: State, seat: Seat, budget: int, rng: Rng, also: Sequence[Move] = ()
) -> Evaluation:
    """Return the moves that are worth most, and others; see `evaluating`.

    Args:
        view: The match as the seat knows it.
        seat: Whose turn it is.
        budget: Looks at the board; with fewer than a rollout takes, moves are worth
            what is seen at once.
        rng: Where the tiles of the turns to come are drawn from.
        also: Lay or Pass; tiles that the view does not know count nothing.
    """
    work = Work(budget)
    after = networdz.accepted(view)
    if after.phase is not Phase.PLAY:
        assert view.pending is not None  # the match goes on until it is answered
        lead = _lead(view, seat)
        wrong = networdz.wrong(view)
        value = float(view.pending.points) if wrong else _cost(view)
        doubt = Candidate(Challenge(), value, logistic(lead + value, ENDED), 0.0)
        stand = Candidate(Accept(), 0.0, logistic(lead, ENDED), 0.0)
        return Evaluation((doubt, stand) if wrong else (stand, doubt), 1)
    seen, turns = Seen(after, seat), [m for m in also if not isinstance(m, ANSWERS)]
    found = judged(seen, work, rng, turns)._replace(work=work.done)
    return found if view.pending is None else _with_answers(view, seen, found, also)


ANSWERS: Final = (Accept, Challenge)


def _with_answers(
    view: State, seen: Seen, found: Evaluation, also: Sequence[Move]
) -> Evaluation:
    """Return what is known of moves, and of a challenge of the last play.

    A challenge is worth what is gained or lost by it, and the best turn after it.
    """
    assert view.pending is not None  # asked for only then
    best, right = found.candidates[0], not networdz.wrong(view)
    ahead, scale = _standing(seen, readable=seen.last_two and _read(seen))
    value = best.value + (_cost(view) if right else view.pending.points)
    if right and view.options.challenge == "double":
        value = _kept(seen, ())
    doubt = Candidate(Challenge(), value, logistic(ahead + value, scale), best.error)
    more = [best._replace(move=Accept(), asked=True)] if Accept() in also else []
    if not right or Challenge() in also:
        more.append(doubt._replace(asked=right))
    listed = sorted((*found.candidates, *more), key=lambda each: -each.value)
    return found._replace(candidates=tuple(listed))


def _cost(view: State) -> float:
    """Return what a challenge in vain costs in points, beside the turn."""
    return -float(BONUS) if view.options.challenge == "five" else 0.0


def answer(view: State, skill: int, rng: Rng) -> Move | None:
    """Return what a computer says to the last play, None if it takes its turn.

    It challenges a word that is none, as often as its skill notices it.
    """
    if view.pending is None:
        return None
    if networdz.wrong(view) and rng.random() * 100 < skill:
        return Challenge()
    return Accept() if networdz.accepted(view).phase is not Phase.PLAY else None


def judged(
    seen: Seen, budget: Budget, rng: Rng, also: Sequence[Move] = ()
) -> Evaluation:
    """Return the moves that are worth most, without saying how much was thought.

    Args:
        seen: The position.
        budget: What the thought may cost, in work or by a clock.
        rng: Where the tiles of the turns to come are drawn from.
        also: As for `evaluate`.
    """
    # Of a rack with too many blanks as many as there is time for.
    plays: list[Play] = []
    for window in seen.finder.windows():
        plays += seen.finder.fill(window)
        if plays and budget.late(LOOKING):
            break
    top = heapq.nlargest(NAMED, plays, key=lambda play: _seems(seen, play))
    laid: dict[Move, Play] = {
        lay_of(seen.view, seen.seat, seen.finder, play): play for play in top
    }
    values = {move: _seems(seen, play) for move, play in laid.items()}
    gone, kept = discards(seen)
    if gone:
        values[passing(seen, gone)] = kept
    if not values:
        values[Pass()] = _kept(seen, ())
    asked = {move for move in also if move not in values}
    for move in asked:
        score = _score(seen, move) if isinstance(move, Lay) else 0
        values[move] = score + _left(seen, move)
    errors: dict[Move, float] = {}
    if readable := seen.last_two and _read(seen):
        _end(seen, plays, values, also, budget)
    else:
        errors = _further(seen, plays, laid, values, asked, budget, rng)
    told = _told(seen, values, errors, readable=readable)
    if readable:
        for move in also:
            told = _proved(seen, told, move, plays, budget)
    return told._replace(
        candidates=tuple(
            each._replace(asked=each.move in asked) for each in told.candidates
        )
    )


def _seems(seen: Seen, play: Play) -> float:
    """Return what a play is worth at once."""
    return play.score + seen.keep.worth(play)


def _further(
    seen: Seen,
    plays: Sequence[Play],
    laid: dict[Move, Play],
    values: dict[Move, float],
    asked: set[Move],
    budget: Budget,
    rng: Rng,
) -> dict[Move, float]:
    """Look further than at once where that is of use; see `_ahead`."""
    last = len(seen.view.scores) == 1 and not seen.pool
    # Looking ahead is of use with two players, and tiles to draw. Two plies end with
    # what is left on the racks, which must be known well: with a guessed table the
    # player would exchange its tiles again and again.
    view = seen.view
    known = all(kind >= 0 for kind in view.tiles.kinds[seen.seat])
    two = len(view.scores) == 2 and not view.resigned
    ahead = known and two and seen.pool > 0
    ahead = ahead and (seen.pool <= NEAR or learned(view.options.lexicon))
    if not (last or ahead) or budget.spent(steps=COST):
        return {}
    by_tiles = {tuple(seen.finder.tiles(play)): play for play in plays}
    for move in asked:
        if isinstance(move, Lay) and (own := by_tiles.get(_laid(seen, move))):
            laid[move] = own
    if not last:
        return _ahead(seen, laid, values, asked, budget, rng)
    _played_on(seen, laid, values, asked, budget)
    return {}


def _ahead(
    seen: Seen,
    laid: dict[Move, Play],
    values: dict[Move, float],
    asked: set[Move],
    budget: Budget,
    rng: Rng,
) -> dict[Move, float]:
    """Put what the next turns will bring in place of what is seen at once.

    Args:
        seen: The position.
        laid: Moves that lay tiles, as plays.
        values: Of moves; those that may be the best are changed.
        asked: Those of them to be tried although better ones are known.
        budget: What is left of it is used up.
        rng: Where the tiles come from.

    Returns:
        Of each move that was tried: by how many points it may err beside the best.
    """
    least = max(values.values()) - FAR
    near = sorted(values, key=lambda move: -values[move])
    near = near[:TRIED] + [move for move in near[TRIED:] if move in asked]
    tried = [
        move
        for move in near
        if values[move] > least and (move in laid or _discards(move))
    ]
    if len(tried) < 2:
        return {}
    options = [_option(seen, laid.get(move), move, values[move]) for move in tried]
    found = Rollouts(seen, options, rng)
    best = found.halve(budget)[0]
    value = found.rated([0, best])[-1][0]
    listed = [best, *(at for at in range(len(tried)) if at != best)]
    rated = found.rated(listed)
    shift = value - options[best].static
    errors: dict[Move, float] = {}
    for at, (worth, error) in zip(listed, rated, strict=True):
        values[tried[at]] = min(worth + shift, value)
        errors[tried[at]] = error
    return errors


def _played_on(
    seen: Seen,
    laid: dict[Move, Play],
    values: dict[Move, float],
    asked: set[Move],
    budget: Budget,
) -> None:
    """Put what comes of the last rack in place of what is seen at once.

    Who plays alone need not go out first: tiles that are kept may be laid next.
    """
    near = sorted(values, key=lambda move: -values[move])[:TRIED]
    reader = ending.Reader(seen.words, budget.late)
    for move in {*near, *asked}:
        play = laid.get(move)
        if play is None and isinstance(move, Lay):
            continue  # a word that is none
        after = lay(seen.board, seen.rack, play) if play else (seen.board, seen.rack)
        with suppress(ending.LateError):
            rest = reader.follow(*after, rack(seen.ground, ()))
            values[move] = (play.score if play else 0) + rest


def _discards(move: Move) -> tuple[int, ...]:
    return move.discards if isinstance(move, Pass) else ()


def _option(seen: Seen, play: Play | None, move: Move, static: float) -> Option:
    """Return a move as it stands before tiles are drawn."""
    if play is not None:
        return Option(lay(seen.board, seen.rack, play), play.score, static)
    mine = tiles.on_rack(seen.view.tiles, seen.seat)
    discards = _discards(move)
    kept = rack(seen.ground, tuple(mine[t] for t in mine if t not in discards))
    gone = tuple(mine[tile] for tile in discards)
    return Option((seen.board, kept), 0, static, gone)


def _told(
    seen: Seen, values: dict[Move, float], errors: dict[Move, float], *, readable: bool
) -> Evaluation:
    """Return what is known of moves, with the chance to win after each."""
    ahead, scale = _standing(seen, readable=readable)
    vague, found = VAGUE_END if readable else VAGUE, list[Candidate]()
    held = len(seen.view.tiles.racks[seen.seat])
    for move, value in values.items():
        chance, error = logistic(ahead + value, scale), errors.get(move, vague)
        # Nothing is left to doubt behind a move that ends the match: by either way of
        # counting it gains twice the points of the other rack besides.
        if readable and isinstance(move, Lay) and len(move.laid) >= held:
            gain = 2.0 * ending.worth_of(seen.other)
            result = ending.result(ahead + _score(seen, move), gain)
            chance, error = (1 + result) / 2, 0.0
        found.append(Candidate(move, value, chance, error / (4 * scale)))
    found.sort(key=lambda each: -each.value)
    return Evaluation(tuple(found), 0)


def _score(seen: Seen, move: Lay) -> int:
    """Return the points of a move, as the rules count them."""
    view, ground = seen.view, seen.ground
    laid = placed(ground, view, move)
    return judge_placed(ground, view.letters, view.kinds, laid).points


def _proved(
    seen: Seen, told: Evaluation, move: Move, plays: Sequence[Play], budget: Budget
) -> Evaluation:
    """Return what is known, where a move seems worse, by how the match must end.

    The reading is greedy: a match that is won or lost whatever one does seems to be
    lost by a move.  As much again is thought about it as about the turn.
    """
    mine, best = told.of(move), told.candidates[0]
    if mine is None or best.chance - mine.chance <= mine.error:
        return told
    by_tiles: dict[tuple[tuple[int, int, int], ...], Play | None] = {
        tuple(seen.finder.tiles(play)): play for play in plays
    }
    made, first = (
        by_tiles.get(_laid(seen, each)) if isinstance(each, Lay) else None
        for each in (move, best.move)
    )
    blanks = seen.view.options.trade_blanks and seen.view.blanks
    if blanks or (made is None and isinstance(move, Lay)):
        return told  # blanks that are traded, or a word that is none: more is open
    lead = _lead(seen.view, seen.seat)
    found = ending.proved(seen, lead, made, first, partial(budget.spent, 2.0))
    if found is None:
        return told
    ends: dict[Move, int] = {}
    if found.better is not None:
        by: Move = Pass()
        if found.by is not None:
            by = lay_of(seen.view, seen.seat, seen.finder, found.by)
        ends[by] = found.better
    ends[move] = found.made
    most = (1 + found.made) / 2 if found.better == found.made else 1.0
    listed = [
        _ended(each, ends[each.move], lead)
        if each.move in ends
        else each._replace(chance=min(each.chance, most))
        for each in told.candidates
    ]
    listed.sort(key=lambda each: (-each.value, -each.chance))
    return told._replace(candidates=tuple(listed))


def _ended(known: Candidate, end: int, lead: int) -> Candidate:
    """Return a candidate whose end is proved, with a worth that fits that."""
    even = float(-lead)
    worth = {1: max(known.value, even), 0: even, -1: min(known.value, even)}[end]
    return known._replace(value=worth, chance=(1 + end) / 2, error=0.0)


def _lead(view: State, seat: Seat) -> int:
    """Return by how much a seat is before the best of the others."""
    others = [points for other, points in enumerate(view.scores) if other != seat]
    return view.scores[seat] - max(others, default=0)


def _standing(seen: Seen, *, readable: bool) -> tuple[float, float]:
    """Return the lead of a seat, and with which lead 73 % of games are won."""
    lead = _lead(seen.view, seen.seat)
    left = seen.pool + sum(map(len, seen.view.tiles.racks))
    scale = ENDED if readable else max(ENDED, SPREAD * sqrt(left))
    return lead - (0.0 if readable else REPLY), scale


def leaving(view: State, seat: Seat, move: Move) -> float:
    """Return what a move leaves on the rack, as it is seen at once."""
    return _left(Seen(view, seat), move)


def _left(seen: Seen, move: Move) -> float:
    if isinstance(move, Lay):
        return _kept(seen, [each.tile for each in move.laid])
    return _kept(seen, move.discards if isinstance(move, Pass) else ())


def _kept(seen: Seen, gone: Iterable[int]) -> float:
    """Return what the rack is worth without some tiles, by number."""
    ground, left = seen.ground, set(gone)
    kinds = [
        kind
        for tile, kind in tiles.on_rack(seen.view.tiles, seen.seat).items()
        if kind >= 0 and tile not in left
    ]
    kept = [kind if kind == ground.blank else ground.counted(kind) for kind in kinds]
    if seen.pool:
        return seen.table.worth(sorted(kept))
    return -float(sum(ground.points[kind] for kind in kinds))


def _read(seen: Seen) -> bool:
    """Tell whether both racks are known, so that the end can be read out."""
    racks, other = seen.view.tiles.racks, seen.other
    known = all(kind >= 0 for kind in seen.view.tiles.kinds[seen.seat])
    return known and len(other.tiles) + other.blanks == len(racks[1 - seen.seat])


def _end(
    seen: Seen,
    plays: Sequence[Play],
    values: dict[Move, float],
    also: Sequence[Move],
    budget: Budget,
) -> None:
    """Put what the end will come to in place of what is seen at once."""
    made = {_laid(seen, move) for move in also if isinstance(move, Lay)}
    asked: list[Play | None] = [
        play for play in plays if tuple(seen.finder.tiles(play)) in made
    ]
    if any(isinstance(move, Pass) for move in also):
        asked.append(None)
    read = ending.judged(seen, budget.spent, asked)
    if not read:
        return
    known = {
        () if play is None else tuple(seen.finder.tiles(play)): value
        for play, value in read
    }
    # What could not be read stays as far behind the best as it seems at once.
    behind = max(values.values()) - read[0][1]
    least = min(value for _play, value in read)
    for move, value in values.items():
        found = known.get(_laid(seen, move) if isinstance(move, Lay) else ())
        if found is not None:
            values[move] = found
        else:
            values[move] = min(
                value - behind, least if move not in also else value - behind
            )
    best = read[0][0]
    if best is not None:
        values[lay_of(seen.view, seen.seat, seen.finder, best)] = read[0][1]


def _laid(seen: Seen, move: Lay) -> tuple[tuple[int, int, int], ...]:
    """Return (square, letter, points or BLANK) of each tile, as `Finder.tiles` does."""
    ground = seen.ground
    return tuple(
        (
            each.cell,
            ground.counted(each.letter),
            BLANK if each.kind == ground.blank else ground.points[each.kind],
        )
        for each in placed(networdz.ground(seen.view.options), seen.view, move)
    )


# Playing like people: words they know, plays they see, and what they make of them.


EXCHANGING: Final = 70
"""From this skill on, a player exchanges tiles though it could lay a word."""

LEAVING: Final = 40
"""From this skill on, a player thinks of what it keeps, the more the higher."""

BLIND: Final = 0.15
"""Of plays with four tiles, how many a beginner sees."""

USUAL: Final = 4
"""Tiles of a play that is neither easy nor hard to see."""

BESIDE: Final = 0.5
"""What each word across but the first counts as, in such plays: people overlook words
that run beside others."""

LONG: Final = 4
"""Letters from which on people overlook that a word can be made longer."""

HOOKED: Final = 0.7
"""What making such a word longer counts as."""

VAGUE_CHOICE: Final = 10.0
"""Points by which a beginner's guess of a play's worth is wrong."""


def pick(
    seen: Seen, skill: int, rng: Rng, late: Callable[[], bool]
) -> tuple[Play | None, float]:
    """Return the play that looks best to somebody of a skill, and what it is worth.

    Who sees none lays the easiest of those with words they know, or else of all.

    Args:
        seen: The position.
        skill: 0-99.
        rng: Decides what is overlooked and misjudged.
        late: Says that the time is up: what was not looked at by then is overlooked.
    """
    share = skill / 100
    weight = max(0.0, (skill - LEAVING) / (100 - LEAVING))
    knows = vocabulary(seen.view.options.lexicon, skill)
    sharp = BLIND + (1 - BLIND) * share
    lots: dict[bytes, float] = {}
    guesses: list[tuple[float, int, Play]] = []
    others: list[tuple[float, int, int, Play]] = []
    for effort, play in _human_plays(seen, late):
        word = play.word
        lot = lots.get(word)
        if lot is None:
            lot = lots[word] = rng.random()
        value = play.score + (weight * seen.keep.worth(play) if weight else 0.0)
        if lot < sharp**effort:
            guess = value + rng.gauss(0.0, VAGUE_CHOICE * (1 - share))
            guesses.append((guess, len(guesses), play))
        else:
            others.append((len(word) * effort, -play.score, len(others), play))
    guesses.sort(reverse=True)
    for guess, _, play in guesses:
        if knows is None or all(map(knows, made(seen.board, play))):
            return play, guess
    others.sort()
    for *_, play in others:
        if knows is None or all(map(knows, made(seen.board, play))):
            return play, float(play.score)
    easiest = min(others, default=None) or max(guesses, default=None)
    return (easiest[-1], float(easiest[-1].score)) if easiest else (None, 0.0)


def _human_plays(seen: Seen, late: Callable[[], bool]) -> Iterator[tuple[float, Play]]:
    """Yield plays, every one if there is time, and how hard each is to see."""
    found = False
    for window in seen.finder.windows():
        some = seen.finder.fill(window)
        if some:
            found, effort = True, _effort(seen, window)
            for play in some:
                yield effort, play
        if found and late():
            return


def _effort(seen: Seen, window: Window) -> float:
    """Return how hard it is to see a play in a window, 1 for a usual one."""
    lane = window.lane
    across = [len(word) - 1 for word in crossed(seen.board, window)]
    run = longest = 0
    for letter in lane.letters[window.begin : window.end]:
        run = run + 1 if letter >= 0 else 0
        longest = max(longest, run)
    effort = window.tiles / USUAL + BESIDE * max(0, len(across) - 1)
    return effort + HOOKED * (max(longest, *across, 0) >= LONG)
