"""How bad a move was: by the chance to win that it lost."""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.formats import scoring
from netplay.formats.placing import kinds
from netplay.formats.scoring import TURNS, ground_of
from netplay.formats.sheet import Event, Kind, Sheet
from netplay.messages.table_questions import TOTAL, Appraisal, Grade, Offer
from netplay.messages.types import SEATS
from netplay.players import Rng, player
from netplay.players.evaluating import TELLING, Candidate, Evaluation, evaluate
from netplay.record.fold import Fold
from netplay.record.views import Moment, moments
from netplay.said import Said
from netplay.sentences import Says
from netplay.text import writer
from netplay.wire import pack, unpack
from rules import GAMES, networdz
from rules.game import CLOCK, Resign, meant
from rules.networdz.judging import placed
from rules.tiles import kind_of

GRADES: Final[tuple[tuple[int, Grade], ...]] = (
    (1500, "blunder"),
    (700, "mistake"),
    (300, "inaccuracy"),
)
"""Lost from so many ten-thousandths of the chance to win on."""


def priced(offer: Offer, candidate: Candidate) -> Offer:
    """Return a play with what it is worth."""
    value, chance = round(100 * candidate.value), round(TOTAL * candidate.chance)
    return replace(offer, value=value, chance=chance)


def graded(
    judged: Appraisal,
    found: Evaluation,
    made: Any,  # noqa: ANN401 (a game's own move)
    why: Said | None,
) -> Appraisal:
    """Return a turn with what it lost, if that is more than the judging may err.

    Args:
        judged: The turn.
        found: What its moves are worth.
        made: The move that was made.
        why: What was better about the best one.
    """
    mine = found.of(made)
    judged = replace(judged, work=found.work)
    if mine is None or not found.candidates:
        return judged
    best = found.candidates[0]
    judged = replace(judged, played=priced(judged.played, mine))
    lost = best.chance - mine.chance
    if lost <= 0 or lost <= mine.error:
        return judged
    chance = round(TOTAL * lost)
    grade: Grade = "none"
    for least, name in reversed(GRADES):
        grade = name if chance >= least else grade
    return replace(
        judged,
        equity_lost=max(0, round(100 * (best.value - mine.value))),
        chance_lost=chance,
        grade=grade,
        why=why,
    )


# The turns of a match that can be judged: who held what, and did what.


class Turn(Struct, frozen=True, array_like=True):
    """A turn to be judged, for another process."""

    number: int
    """Place in the history of moves, or among the events of a sheet."""
    seat: int
    before: networdz.State
    laid: tuple[networdz.Placed, ...]
    """Empty for a turn without a play."""
    gone: tuple[int, ...] = ()
    """Kinds of the tiles that were exchanged; -1 for one that nobody wrote down."""
    back: tuple[networdz.Placed, ...] = ()
    """What was laid and taken back, or did not stand: the turn was lost by it."""
    lapsed: bool = False
    """It ran out of time."""

    @property
    def in_vain(self) -> "Turn":
        """Return it as a turn that was lost by what was laid."""
        return replace(self, laid=(), back=self.laid)


class Choice(Struct, frozen=True, array_like=True):
    """A move of a game that is judged by its computer player, for another process."""

    number: int
    """Place in the history of moves."""
    seat: int
    game: str
    before: bytes
    """What the seat knew."""
    move: bytes
    lapsed: bool = False
    """The turn ran out of time, and the move is what that comes to."""


Judged: TypeAlias = Turn | Choice


def judged(fold: Fold) -> Iterator[Judged]:
    """Yield the turns of a match that is over, whatever was played.

    Raises:
        LocalError: USAGE, it goes on, or it is a game without turns.
    """
    about = fold.game.ABOUT
    return of_match(fold) if about.crossword or about.hz else _choices(fold)


def _choices(fold: Fold) -> Iterator[Choice]:
    for number, moment in enumerate(moments(fold)):
        if not moment.full or not fold.over:
            raise LocalError(Code.USAGE, Says.ANALYSE_LATER())
        game = fold.terms.game
        seat, move = meant(fold.game, moment.before, moment.actor, moment.move)
        if seat < 0 or isinstance(move, Resign):
            continue
        view, looks = fold.game.view(moment.before, seat), player(game).ABILITIES.judged
        if looks is None or looks(view, move):
            late = moment.actor == CLOCK
            yield Choice(number, seat, game, pack(view), pack(move), late)


def of_match(fold: Fold) -> Iterator[Turn]:
    """Yield the turns of a match that is over.

    Raises:
        LocalError: USAGE, it is another game, or goes on: racks are not known then.
    """
    if not fold.game.ABOUT.crossword:
        raise LocalError(Code.USAGE, Says.NO_TURNS(game=fold.game.ABOUT.title))
    field, last = networdz.ground(fold.playable.options), list[Turn]()
    for number, moment in enumerate(moments(fold)):
        if not moment.full or not fold.over:
            raise LocalError(Code.USAGE, Says.ANALYSE_LATER())
        before: networdz.State = moment.before
        if (
            last
            and isinstance(moment.move, networdz.Challenge)
            and networdz.wrong(before)
        ):
            last = [last[0].in_vain]
        turn = _turn(number, moment, networdz.accepted(before), field)
        if turn is not None:
            yield from last
            last = [turn]
    yield from last


def _turn(
    number: int, moment: Moment, before: networdz.State, field: networdz.Ground
) -> Turn | None:
    """Return a move that can be judged, from the position that it was made in."""
    match moment.move:
        case networdz.Lay():
            lost = bool(moment.after.last.error)  # by the rules of tournaments
            laid = tuple(placed(field, before, moment.move))
            turn = Turn(number, moment.actor, before, laid)
            return turn.in_vain if lost else turn
        case networdz.Pass(discards=tiles):
            gone = tuple(kind_of(before.tiles, tile) for tile in tiles)
            return Turn(number, moment.actor, before, (), gone)
        case networdz.Expire() | networdz.Challenge():
            seat = networdz.forfeited(moment.before, moment.move)
            if seat is None:
                return None
            return Turn(number, seat, before, (), lapsed=moment.actor == CLOCK)
        case _:
            return None


def of_sheet(sheet: Sheet) -> Iterator[Turn]:
    """Yield the turns of a score sheet.

    Raises:
        LocalError: BAD_LOG, it contradicts itself; BAD_WORDS, its words are not here.
    """
    found = scoring.replayed(sheet)
    if not ground_of(sheet).words.count:
        raise LocalError(Code.BAD_WORDS, Says.NO_LIST_FOR_LETTERS())
    for number, event in enumerate(sheet.events):
        if event.kind in TURNS:
            played = found.plays[number]
            laid = () if played is None else tuple(played.placed)
            before = scoring.state(found.sheet, found.positions[number], number)
            turn = Turn(number, event.seat, before, laid, _gone(sheet, event))
            # Of a play that was taken back the turn was lost.
            after = sheet.events[number + 1 : number + 2]
            lost = any((e.kind, e.seat) == (Kind.WITHDRAWN, event.seat) for e in after)
            yield turn.in_vain if lost else turn


def _gone(sheet: Sheet, event: Event) -> tuple[int, ...]:
    """Return the kinds of the tiles that an event exchanges."""
    if event.kind is not Kind.EXCHANGE:
        return ()
    if event.tiles.isdecimal():
        return (-1,) * int(event.tiles)
    return kinds(event.tiles, ground_of(sheet))


# Judge a move of a game that computer players search: what would they have done?


SURE: Final = 1 - 1e-9
"""A chance to win that a search gives only where it sees the end: the greatest lead
before that is worth less."""


ANSWERED: Final = 4
"""The share of the work for a turn that goes into the answer to a mistake."""

LEAST: Final = GRADES[-1][0] / TOTAL
"""The chance to win that the smallest mistake loses."""

FOLLOWED: Final = 3
"""Moves after a mistake that are looked at for what came of it."""


def compare(choice: Choice, rng: Rng, *, at_sight: bool = False) -> Appraisal:
    """Return a move beside the one that the computer's judge likes best.

    It knows what the seat knew, and no more.  Where it is in doubt it thinks again.

    Args:
        choice: The move, and what was known before it.
        rng: Where chance in the judging comes from.
        at_sight: Look at it only, which takes a moment.
    """
    about, can = GAMES[choice.game].ABOUT, player(choice.game).ABILITIES
    view, made = unpack(choice.before, about.state), unpack(choice.move, about.move)
    if at_sight or about.tiled is not None:
        budget = can.glance if at_sight else can.work
        found = evaluate(choice.game, view, choice.seat, rng, budget, also=(made,))
        return replace(_beside(choice, view, made, found), at_sight=at_sight)
    spent, budget = 0, can.work
    while True:
        found = evaluate(choice.game, view, choice.seat, rng, budget, also=(made,))
        told, spent = _beside(choice, view, made, found), spent + found.work
        behind, mine = None, found.of(made)
        # A move by which all is lost may look as good as the others until it is made.
        seems = budget == can.work and mine is not None and mine.chance > LEAST
        if told.grade != "none" or seems:
            behind = _behind(choice, view, made, rng, budget)
        if budget > can.work or not _doubtful(told, found, made, behind):
            break
        budget *= DEEPER
    told = replace(told, work=spent)
    if behind is not None and behind > SURE:  # what wins was no mistake
        won = replace(told.played, chance=TOTAL)
        return replace(
            told, played=won, equity_lost=0, chance_lost=0, grade="none", why=None
        )
    if told.grade == "none" or told.why:
        return told
    best = found.candidates[0].move
    return replace(told, why=_following(choice, view, best, made, told, rng))


DEEPER: Final = 4
"""How many times the work is spent on a turn that is in doubt."""


def _beside(
    choice: Choice,
    view: Any,  # noqa: ANN401 (a game's own)
    made: Any,  # noqa: ANN401 (likewise)
    found: Evaluation,
) -> Appraisal:
    """Return a move beside the best one, as they were judged."""
    best, mine = found.candidates[0], found.of(made)
    if mine is not None and mine.chance >= best.chance:
        best = mine
    judged = Appraisal(
        number=choice.number,
        seat=choice.seat,
        rack=(),
        played=_offer(choice, view, made),
        best=(priced(_offer(choice, view, best.move), best),),
        lapsed=choice.lapsed,
    )
    return graded(judged, found, made, _why(choice, view, found, made))


def _doubtful(
    told: Appraisal,
    found: Evaluation,
    made: Any,  # noqa: ANN401 (a game's own)
    behind: float | None,
) -> bool:
    """Tell whether more thought may judge a move otherwise.

    Either it seems to have lost much, but by less than the judging may err; or from
    behind it, a ply further on, it looks otherwise than from before it.  What seemed to
    lose nothing may then look like a mistake: another move may not lose that.
    """
    mine = found.of(made)
    if mine is None:
        return False
    if told.grade != "none":
        return behind is not None and abs(behind - mine.chance) > LEAST
    lost = found.candidates[0].chance - mine.chance
    unseen = behind is not None and mine.chance - behind > GRADES[1][0] / TOTAL
    return unseen or LEAST <= lost <= mine.error


def _behind(
    choice: Choice,
    view: Any,  # noqa: ANN401 (a game's own)
    made: Any,  # noqa: ANN401 (likewise)
    rng: Rng,
    budget: int,
) -> float | None:
    """Return the chance to win that is seen from the position behind a move.

    The same work sees further from there.  None if that says nothing: the game is
    over, or several others play, who need not play together as the search has it.
    """
    game, seat = GAMES[choice.game], choice.seat
    after = game.play(view, seat, made)
    turn = _turn_of(choice.game, after)
    if turn == CLOCK or len(game.places(view)) > 2:
        return None
    best = evaluate(choice.game, after, turn, rng, budget).candidates[0].chance
    return best if turn == seat else 1 - best


def _why(
    choice: Choice,
    view: Any,  # noqa: ANN401 (a game's own)
    found: Evaluation,
    made: Any,  # noqa: ANN401 (a game's own)
) -> Said | None:
    """Return what was better about the best move, if that is sure."""
    best, mine = found.candidates[0], found.of(made)
    if mine is None or best.chance <= mine.chance:
        return None
    told = TOTAL * (best.chance - mine.chance) >= GRADES[-1][0]
    game = GAMES[choice.game]
    if told and game.ABOUT.tiled is None:
        if best.chance > SURE > mine.chance:
            return Says.WHY_WIN_MISSED()
        # Several others need not play together, as the search has it.
        sure = len(game.places(view)) == 2
        if sure and mine.chance < 1 - SURE < best.chance:
            return Says.WHY_LOST()
    reason = player(choice.game).ABILITIES.reason
    return None if reason is None else reason(view, choice.seat, best.move, made)


def _following(
    choice: Choice,
    view: Any,  # noqa: ANN401 (a game's own)
    best: Any,  # noqa: ANN401 (likewise)
    made: Any,  # noqa: ANN401 (likewise)
    told: Appraisal,
    rng: Rng,
) -> Said:
    """Return what came of a move that does not show at once.

    The strongest answer to it, if the better move does not allow that; or by how much
    the better one is ahead a few moves on; else that it does better later.
    """
    game, seat, text = GAMES[choice.game], choice.seat, writer(choice.game)
    later = player(choice.game).ABILITIES.later
    said: Said | None = None if later is None else later(view, seat, best, made)
    if said is not None:
        return said
    after, then = (game.play(view, seat, each) for each in (made, best))
    play, scored = text.written(view, seat, best), game.ABOUT.scored
    turn = _turn_of(choice.game, after)
    if turn in {seat, CLOCK}:
        return Says.WHY_AHEAD(play=play)
    answer = _answer(choice.game, after, rng)
    there = turn in game.actors(then)
    if not there or answer not in list(game.moves(then, turn)):
        return Says.WHY_ALLOWED(move=text.written(after, turn, answer))
    if scored is None:
        return Says.WHY_AHEAD(play=play)
    ends = [after, then]
    for number in range(FOLLOWED):
        ends = [_answered(choice.game, each, rng) for each in ends]
        own, good = (  # points ahead of the best other seat
            each[seat] - max(n for other, n in enumerate(each) if other != seat)
            for each in map(scored.scores, ends)
        )
        much = 100 * (good - own) >= max(1, TELLING * told.equity_lost)
        if much and number % 2 == 0:  # the other has answered in both
            return Says.WHY_LATER(count=good - own, play=play)
    return Says.WHY_AHEAD(play=play)


def _turn_of(game: str, state: Any) -> int:  # noqa: ANN401 (a game's own)
    """Return who is on turn, `CLOCK` at the end."""
    return max(GAMES[game].actors(state), default=CLOCK)


def _answer(game: str, state: Any, rng: Rng) -> Any:  # noqa: ANN401 (a game's own)
    """Return the strongest move of who is on turn."""
    budget, turn = player(game).ABILITIES.work // ANSWERED, _turn_of(game, state)
    return evaluate(game, state, turn, rng, budget).candidates[0].move


def _answered(game: str, state: Any, rng: Rng) -> Any:  # noqa: ANN401 (a game's own)
    """Return a position after the strongest move of who is on turn, if anybody is."""
    turn = _turn_of(game, state)
    if turn == CLOCK:
        return state
    return GAMES[game].play(state, turn, _answer(game, state, rng))


def _offer(choice: Choice, view: Any, move: Any) -> Offer:  # noqa: ANN401 (a game's own)
    """Return a move with the points it brings at once, where the game counts them."""
    game, seat = GAMES[choice.game], choice.seat
    text = writer(choice.game).line(view, seat, move, ("",) * SEATS).strip()
    points, scored = 0, game.ABOUT.scored
    if scored is not None:
        after = game.play(view, seat, move)
        points = scored.scores(after)[seat] - scored.scores(view)[seat]
    return Offer(text, points, (), (), pack(move))
