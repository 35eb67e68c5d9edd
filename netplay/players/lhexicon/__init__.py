"""A computer player of Lhexicon.

It looks for all plays it has time for (`search`), weighs the best of them for the
tiles they leave and the traps they open (`evaluation`), and takes the best, or with
less skill one further down; then it also knows fewer words (`vocabulary`) and misses
traps.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import copysign, sqrt
from time import perf_counter  # noqa: TID251 (it thinks for so long and no longer)
from typing import Final

from netplay.players import BEST, Abilities, Rng
from netplay.players.evaluating import TELLING, Candidate, Evaluation, Work, logistic
from netplay.players.lhexicon.board import Ground, outlook
from netplay.players.lhexicon.evaluation import (
    LAST,
    Found,
    unwanted,
    without_a_word,
    worth,
    worth_kept,
)
from netplay.players.lhexicon.search import Seeker
from netplay.players.words.vocabulary import vocabulary
from netplay.said import Said
from netplay.sentences import Says
from rules import lexicon, lhexicon, tiles
from rules.game import Seat
from rules.lhexicon import (
    BLANK,
    EMPTY,
    LETTERS,
    Accept,
    Challenge,
    Discard,
    Insist,
    Lay,
    Move,
    Pass,
    PickUp,
    Placed,
    State,
    Verdict,
    Withdraw,
)
from rules.lhexicon.search import known

BUDGET: Final = 1.5
"""Seconds for a move."""

SEEKING: Final = 0.82
"""The share of the time after which no more plays are looked for."""

WINDING: Final = 0.87
"""The share after which they are not tried on other ways, but weighed."""

WEIGHING: Final = 0.92
"""The share after which no more is weighed: the play in hand takes a moment yet, and
so does tidying up."""

DIM: Final = 0.85
"""The share of the board where a beginner sees no word begin."""

VAGUE: Final = 5.0
"""Points by which a beginner's guess of a play's worth is wrong."""

LOOKS: Final = 12
"""Looks at what was found after which a beginner sees no more."""

DOUBLING: Final = 20
"""So much more skill looks twice as long."""

BLIND: Final = 0.15
"""Of plays with so many tiles as is usual, how many a beginner sees."""

USUAL: Final = 4
"""Tiles of a play that is neither easy nor hard to see."""

LEAVING: Final = 40
"""From this skill on, a player thinks of what it keeps, the more the higher."""

WEIGHED: Final = 60
"""How many of the best plays to weigh for the traps they open."""

DEAR: Final = 2
"""How many points a blank must earn for the best player to spend it."""


def prepare(view: State) -> None:
    """Load what a player needs for a match, from any seat's view."""
    known(view.options.lexicon)
    outlook(view.options.lexicon)


def choose(
    view: State,
    seat: Seat,
    skill: int,
    rng: Rng,
    *,
    budget: float = BUDGET,
    clock: Callable[[], float] = perf_counter,
) -> Move:
    """Return a legal move for a seat; with less time it finds less."""
    if view.announced:
        return _answer(view, skill, rng)
    late = _clock(budget, clock)
    ground = Ground(view)
    if skill < BEST:
        play = _like_people(view, seat, ground, skill, rng, late)
    else:
        dear = DEAR if tiles.bag_size(view.tiles) else 1
        plays = _seek(view, seat, ground, skill, late, 0, dear)
        # With no time to weigh any it is the one that scores most.
        play, most = plays[0] if plays else None, float("-inf")
        if tiles.bag_size(view.tiles):
            plays = sorted(plays, key=lambda play: -play.score - worth_kept(play.rest))
        for one in plays[:WEIGHED]:
            if late(WEIGHING):
                break
            value = worth(view, seat, ground, one)
            if value > most:
                play, most = one, value
    return _lay(view, seat, play) if play else _without_a_word(view, seat)


def best(
    view: State,
    seat: Seat,
    rng: Rng,
    *,
    budget: float = BUDGET,
    clock: Callable[[], float] = perf_counter,
) -> Move:
    """Return the play that scores most, whatever it leaves: a rival to measure by."""
    if view.announced:
        return _answer(view, BEST, rng)
    plays = _seek(view, seat, Ground(view), BEST, _clock(budget, clock))
    return _lay(view, seat, plays[0]) if plays else _without_a_word(view, seat)


NAMED: Final[Mapping[str, Callable[..., Move]]] = {"best": best}
"""Players without a skill, for `netplay arena`."""

WORK: Final = 250
"""Looks at what was found, each after some 200 steps: some half a second."""

GLANCE: Final = 20
"""Likewise for a first look."""

SPREAD: Final = 1.2
"""Lead with which 73 % of games are won, for each root of a tile still to come; fitted
to 30 games of the strongest player."""

REPLY: Final = 9.0
"""Points by which who moves next is better off while there are tiles to draw."""

DOUBT: Final = 2.0
"""Points by which the worth of what is left behind may err."""


def evaluate(
    view: State, seat: Seat, budget: int, rng: Rng, also: Sequence[Move] = ()
) -> Evaluation:
    """Return the plays that are worth most, and others; see `evaluating`."""
    work, ground = Work(budget), Ground(view)
    if view.announced:
        # Who says the wrong thing is taken to lose, or give away, the word's points.
        challenged = view.announced.challenger is not None
        good = lexicon.find(view.options.lexicon).has(view.announced.word)
        if challenged:
            answers: tuple[Move, Move] = (Insist(), Withdraw())
        else:
            answers = (Accept(), Challenge())
        best, other = answers if good else answers[::-1]
        lead, scale = _standing(view, seat)
        lost = float(view.announced.points)
        right = Candidate(best, 0.0, logistic(lead, scale), 0.0)
        worse = Candidate(other, -lost, logistic(lead - lost, scale), 0.0)
        return Evaluation((right, worse), 1)
    dear = DEAR if tiles.bag_size(view.tiles) else 1
    plays = _seek(view, seat, ground, BEST, work.spent, 0, dear)
    if tiles.bag_size(view.tiles):
        plays.sort(key=lambda play: -play.score - worth_kept(play.rest))
    values: dict[Move, float] = {
        _lay(view, seat, play): worth(view, seat, ground, play)
        for play in plays[:WEIGHED]
    }
    moves = [*also, *(() if plays else (_without_a_word(view, seat),))]
    for move in moves:
        value = _worth(view, seat, ground, move)
        if value is not None:
            values.setdefault(move, value)
    lead, scale = _standing(view, seat)
    ahead = lead - REPLY
    found = [
        Candidate(
            move,
            value - copysign(LAST, value) if abs(value) > LAST / 2 else value,
            logistic(ahead + value, scale),
            DOUBT / (4 * scale),
        )
        for move, value in values.items()
    ]
    found.sort(key=lambda each: (-each.chance, -each.value))
    return Evaluation(tuple(found), work.done)


def _standing(view: State, seat: Seat) -> tuple[float, float]:
    """Return the lead of a seat, and with which lead 73 % of games are won."""
    scores = view.scores
    others = [points for other, points in enumerate(scores) if other != seat]
    left = tiles.bag_size(view.tiles) + sum(map(len, view.tiles.racks))
    return scores[seat] - max(others, default=0), SPREAD * sqrt(max(1, left))


def _worth(view: State, seat: Seat, ground: Ground, move: Move) -> float | None:
    """Return what a move scores and leaves behind; None if it cannot be told."""
    rack = tiles.on_rack(view.tiles, seat)
    match move:
        case Lay():
            verdict = lhexicon.judge_lay(view, seat, move)
            if isinstance(verdict, lhexicon.Refusal):
                return None
            if _has(view, verdict.word):
                play = _found(view, seat, ground, move, verdict.points)
                return worth(view, seat, ground, play)
            kept = list(rack.values())  # whoever doubts it has it taken back
        case Discard():
            kept = [kind for tile, kind in rack.items() if tile not in move.tiles]
        case PickUp():
            taken = {swap.tile for swap in move.swaps}
            kept = [BLANK if tile in taken else kind for tile, kind in rack.items()]
        case Pass():
            kept = list(rack.values())
        case _:
            return None
    return without_a_word(view, seat, tuple(sorted(kept)))


def _found(view: State, seat: Seat, ground: Ground, move: Lay, points: int) -> Found:
    """Return a word as the search would have found it."""
    rack = tiles.on_rack(view.tiles, seat)
    new = {each.cell: each for each in move.laid}
    marks = tuple(
        (new[cell].letter, rack.pop(new[cell].tile))
        if cell in new
        else (ground.letters[cell], EMPTY)
        for cell in move.path
    )
    rest = tuple(sorted(rack.values()))
    return Found(points, 0, move.path, marks, rest, 0, 0)


def reason(view: State, seat: Seat, best: Move, made: Move) -> Said | None:
    """Return what a word of Lhexicon had that another, or none, had not."""
    if view.announced is not None:
        return _of_word(view, view.announced.word)
    good, own = (
        lhexicon.judge_lay(view, seat, each) if isinstance(each, Lay) else None
        for each in (best, made)
    )
    if isinstance(own, Verdict) and not _has(view, own.word):
        return _of_word(view, own.word)
    if isinstance(best, Lay) and isinstance(good, Verdict):
        if not isinstance(made, Lay):
            return Says.WHY_NO_PLAY(play=good.text)
        if isinstance(own, Verdict):
            laid = (best, good.points), (made, own.points)
            return _why_not(view, seat, good.text, *laid)
    elif isinstance(best, Discard) and isinstance(made, Pass):
        rack = tiles.on_rack(view.tiles, seat)
        return Says.WHY_EXCHANGE(letters=_spelt([rack[tile] for tile in best.tiles]))
    return None


def _has(view: State, word: tuple[int, ...]) -> bool:
    """Tell whether the word list of the match has a word."""
    return lexicon.find(view.options.lexicon).has(word)


def _of_word(view: State, word: tuple[int, ...]) -> Said:
    """Return whether the word list has a word: all that matters in a challenge."""
    spelled = "".join(LETTERS[letter] for letter in word)
    if _has(view, word):
        return Says.WHY_WORD(word=spelled)
    return Says.WHY_NO_WORD(word=spelled)


def _why_not(
    view: State, seat: Seat, play: str, best: tuple[Lay, int], made: tuple[Lay, int]
) -> Said:
    """Return what is better about a word, of two with their points."""
    ground, less = Ground(view), best[1] - made[1]
    good, own = (_found(view, seat, ground, *each) for each in (best, made))
    most, mine = (worth(view, seat, ground, each) for each in (good, own))
    if most > LAST / 2:
        return Says.WHY_WON(play=play)
    if mine < -LAST / 2:
        return Says.WHY_LOST()
    lost = most - mine
    if less > 0 and less >= TELLING * lost:
        return Says.WHY_POINTS(count=less, play=play)
    if not tiles.bag_size(view.tiles):
        return Says.WHY_ENDING(play=play)
    left = worth_kept(good.rest) - worth_kept(own.rest)
    if left <= 0 or left < TELLING * lost:  # it shows in turns to come
        return Says.WHY_AHEAD(play=play)
    return _why_left(good.rest, own.rest)


def _why_left(good: Sequence[int], own: Sequence[int]) -> Said:
    """Return which tiles it was worse to keep."""
    kept = Counter(own) - Counter(good)
    if not kept:
        return Says.WHY_LEAVE()
    said = Says.WHY_KEPT_ONE if kept.total() == 1 else Says.WHY_KEPT
    return said(letters=_spelt(sorted(kept.elements())))


def _spelt(kinds: Sequence[int]) -> str:
    """Return tiles as they are read."""
    return " ".join("?" if kind == BLANK else LETTERS[kind] for kind in kinds)


ABILITIES: Final = Abilities(
    talents=(0, 78, 82, 85, 89, 92, 100, 100),
    prepare=prepare,
    timed=True,
    named=NAMED,
    named_timed=True,
    evaluate=evaluate,
    even=(8.0, DOUBT),
    work=WORK,
    glance=GLANCE,
    reason=reason,
    # Whoever answers a word as the dictionary does has had no choice to be judged.
    judged=lambda view, move: view.announced is None or lhexicon.mistaken(view, move),
)


def _clock(budget: float, clock: Callable[[], float]) -> Callable[[float], bool]:
    """Return what says whether a share of the time has gone by since now."""
    begun = clock()
    return lambda share: clock() - begun > share * budget


def _seek(
    view: State,
    seat: Seat,
    ground: Ground,
    skill: int,
    late: Callable[[float], bool],
    blind: int = 0,
    dear: int = 1,
) -> list[Found]:
    """Return the plays that score most of those the player sees in time."""
    knows = vocabulary(view.options.lexicon, skill)
    digest = view.options.lexicon
    seeker = Seeker(ground, digest, lambda: late(SEEKING), knows, blind, dear)
    seeker.seek(tuple(sorted(view.tiles.kinds[seat])))
    return seeker.best(lambda: late(WINDING))


def _answer(view: State, skill: int, rng: Rng) -> Move:
    """Challenge a word that is none, as often as the skill notices it.

    A computer lays words of the dictionary only, and stands by them.
    """
    assert view.announced is not None  # asked for only then
    if view.announced.challenger is not None:
        return Insist()
    right = lexicon.find(view.options.lexicon).has(view.announced.word)
    return Accept() if right or rng.random() * BEST >= skill else Challenge()


def _like_people(
    view: State,
    seat: Seat,
    ground: Ground,
    skill: int,
    rng: Rng,
    late: Callable[[float], bool],
) -> Found | None:
    """Return the play that looks best to somebody of less than the highest skill.

    Who sees none looks everywhere, and then lays the shortest word there is.
    """
    work = Work(round(LOOKS * 2 ** (skill / DOUBLING)))

    def tired(share: float) -> bool:
        return work.spent() or late(share)

    # The set of cells where it does not look for words
    blind = 0
    if skill < BEST:
        share = DIM * (1 - skill / BEST)
        blind = sum(f.bit for f in ground.free if rng.random() < share)
    # An empty board has one place to begin, which nobody overlooks.
    plays = _seek(view, seat, ground, skill, tired, blind if ground.old else 0)
    sharp = BLIND + (1 - BLIND) * skill / BEST
    weight = max(0.0, (skill - LEAVING) / (BEST - LEAVING))
    if not tiles.bag_size(view.tiles):
        weight = 0.0
    spread = VAGUE * (1 - skill / BEST)
    best, most = None, float("-inf")
    for play in plays:
        kept = weight * worth_kept(play.rest) if weight else 0.0
        value = play.score + kept + rng.gauss(0.0, spread)
        seen = rng.random() < sharp ** (_new(play) / USUAL)
        if seen and value > most:
            best, most = play, value
    if best is None and not plays:
        plays = _seek(view, seat, ground, BEST - 1, late)
    return best or min(plays, key=lambda each: (_new(each), -each.score), default=None)


def _new(play: Found) -> int:
    """Return how many tiles a play lays."""
    return sum(kind != EMPTY for _letter, kind in play.marks)


def _lay(view: State, seat: Seat, play: Found) -> Lay:
    rack = tiles.on_rack(view.tiles, seat)
    laid: list[Placed] = []
    for cell, (letter, kind) in zip(play.path, play.marks, strict=True):
        if kind != EMPTY:
            tile = next(tile for tile, own in rack.items() if own == kind)
            del rack[tile]
            laid.append(Placed(tile, cell, letter))
    return lhexicon.lay(view, laid, play.path)


def _without_a_word(view: State, seat: Seat) -> Move:
    """Return the discard of the worst tiles, or a pass when the bank is empty."""
    left = tiles.bag_size(view.tiles)
    if not left:
        return Pass()
    rack = view.tiles.racks[seat]
    return Discard(
        tuple(rack[place] for place in unwanted(view.tiles.kinds[seat], left))
    )
