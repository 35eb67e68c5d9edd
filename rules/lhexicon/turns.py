"""How a match begins, and what each move does to it."""

from typing import Final, assert_never

from msgspec.structs import replace

from rules import hexes, lexicon, tiles
from rules.actors import put_at
from rules.game import (
    CHANCE,
    CLOCK,
    Actor,
    IllegalMoveError,
    OptionsError,
    Resign,
    Seat,
)
from rules.lhexicon.cells import Refusal
from rules.lhexicon.judging import checked, judge_lay
from rules.lhexicon.state import (
    BLANK,
    COUNTS,
    EMPTY,
    LETTERS,
    LONGEST_TURN,
    RACK,
    Accept,
    Announced,
    Challenge,
    Discard,
    Expire,
    Insist,
    Lay,
    Move,
    Options,
    Pass,
    PickUp,
    Placed,
    State,
    Withdraw,
)
from rules.tiles import Reveal, Shown

# When a match ends, who is asked until then, and who has won.


PASSES: Final = 2
"""A match ends when every seat has passed so often running."""

BARREN: Final = 10
"""A match ends after so many turns of every seat without a word.

The document has no such rule; without it two players who only discard never finish.
"""


def over(state: State) -> bool:
    """Say whether the match has ended.

    It ends when all letters have been drawn and a player has run out of them (source
    document, epilogue), alone as soon as the bank is used up (chapter 2, IV); when
    every seat has passed twice running, or nobody has found a word for `BARREN`
    turns each; and when all, or all but one of several, have resigned.
    """
    there = [seat for seat, gone in enumerate(state.gone) if not gone]
    if len(there) < min(2, len(state.gone)):
        return True
    if state.announced:
        return False
    if state.barren >= BARREN * len(there):
        return True
    if all(state.passes[seat] >= PASSES for seat in there):
        return True
    if tiles.bag_size(state.tiles) or state.tiles.returned:
        return False
    return len(state.gone) == 1 or any(not state.tiles.racks[seat] for seat in there)


def actors(state: State) -> frozenset[Actor]:
    """Return whom the table waits for; nobody once the match is over."""
    if over(state):
        return frozenset()
    if tiles.pending(state.tiles) is not None:
        return frozenset({CHANCE})
    word = state.announced
    open_ = word is not None and word.challenger is None
    seats = word.answers if word is not None and open_ else (state.turn,)
    return frozenset((*seats, CLOCK) if state.options.timed else seats)


def places(state: State) -> tuple[int, ...]:
    """Return each seat's place; those who resigned come after those who stayed."""
    ranks = [
        (gone, -score) for gone, score in zip(state.gone, state.scores, strict=True)
    ]
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


# Putting tiles on the board and taking them off it again.


def upon(state: State, laid: tuple[Placed, ...], shown: tuple[Shown, ...]) -> State:
    """Return the state with these tiles on the board, whatever else holds."""
    letters, numbers = list(state.letters), list(state.numbers)
    blanks = set(state.blanks)
    for each, tile in zip(laid, shown, strict=True):
        letters[each.cell], numbers[each.cell] = each.letter, each.tile
        blanks.discard(each.cell)
        if tile.kind == BLANK:
            blanks.add(each.cell)
    return replace(
        state,
        letters=tuple(letters),
        numbers=tuple(numbers),
        blanks=tuple(sorted(blanks)),
    )


def withdraw(state: State) -> State:
    """Return an announced word's tiles to the rack; everybody has seen them."""
    word = state.announced
    assert word is not None  # asked for only while one is there
    letters, numbers = list(state.letters), list(state.numbers)
    for each in word.laid:
        letters[each.cell] = numbers[each.cell] = EMPTY
    cells = {each.cell for each in word.laid}
    return replace(
        state,
        tiles=tiles.take(state.tiles, state.turn, word.shown),
        letters=tuple(letters),
        numbers=tuple(numbers),
        blanks=tuple(cell for cell in state.blanks if cell not in cells),
        announced=None,
    )


SEATS: Final = range(1, 5)
"""How many may play; alone it is the document's one player version."""


def start(seats: int, options: Options) -> State:
    """Return the state before the first move: every rack drawn, no letter known.

    Raises:
        OptionsError: The options or the number of seats cannot be played.
        LookupError: The dictionary is not here.
    """
    if seats not in SEATS:
        raise OptionsError("Lhexicon is for one to four players")
    if not 6 <= options.side <= 10:
        raise OptionsError("The board has sides of 6 to 10 hexagons")
    if not 0 <= options.timed <= LONGEST_TURN:
        raise OptionsError("A turn lasts 1 to 60 minutes, or 0 for any time")
    if lexicon.find(options.lexicon).alphabet != LETTERS:
        raise OptionsError("Lhexicon needs a dictionary of the letters A to Z")
    drawn = tiles.begin(COUNTS, seats)
    for seat in range(seats):
        drawn = tiles.draw(drawn, seat, RACK)
    nothing = (EMPTY,) * len(hexes.hexagon(options.side))
    zeros = (0,) * seats
    return State(
        options=options,
        tiles=drawn,
        letters=nothing,
        numbers=nothing,
        blanks=(),
        scores=zeros,
        turn=0,
        passes=zeros,
        barren=0,
        debts=zeros,
        gone=(False,) * seats,
    )


def play(  # noqa: C901, PLR0911, PLR0912 (one line for each kind of move)
    state: State, actor: Actor, move: Move
) -> State:
    """Return the state after the move; see `Game.play`."""
    if not isinstance(move, Resign):
        # Refuse a move that is not this actor's to make now
        if over(state):
            raise IllegalMoveError("The game is over")
        if actor not in actors(state):
            raise IllegalMoveError("It is not your turn")
        if not isinstance(move, _kinds_of_move(state, actor)):
            raise IllegalMoveError("That is not possible now")
    match move:
        case Lay():
            return _lay(state, actor, move)
        case Discard():
            return _discard(state, actor, move)
        case PickUp():
            return _pick_up(state, actor, move)
        case Pass():
            return _pass(state)
        case Accept():
            return _accept(state, actor)
        case Challenge():
            word = state.announced
            assert word is not None  # nobody else is asked
            return replace(state, announced=replace(word, challenger=actor))
        case Withdraw():
            return _withdraw(state)
        case Insist():
            return _verify(state)
        case Expire():
            # Silence is assent, or standing by a challenged word; a turn not used is a
            # pass.
            word = state.announced
            if word is None:
                return _pass(state)
            return _settle(state) if word.challenger is None else _verify(state)
        case Reveal():
            return replace(state, tiles=tiles.reveal(state.tiles, move))
        case Resign():
            return _resign(state, actor)
        case _:  # pragma: no cover (there is no other kind; the type checkers agree)
            assert_never(move)


def _kinds_of_move(state: State, actor: Actor) -> tuple[type, ...]:
    if actor == CHANCE:
        return (Reveal,)
    if actor == CLOCK:
        return (Expire,)
    if state.announced is None:
        return (Lay, Discard, PickUp, Pass)
    doubted = state.announced.challenger is not None
    return (Withdraw, Insist) if doubted else (Accept, Challenge)


def _lay(state: State, seat: Seat, move: Lay) -> State:
    verdict = judge_lay(state, seat, move)
    if isinstance(verdict, Refusal):
        raise IllegalMoveError(verdict.reason)
    where = [each.cell for each in move.laid]
    if where != [cell for cell in move.path if cell in where]:
        raise IllegalMoveError("The tiles are not in the order of the word")
    others = tuple(n for n, gone in enumerate(state.gone) if n != seat and not gone)
    laid = replace(
        upon(state, move.laid, move.shown),
        tiles=tiles.put(state.tiles, seat, move.shown),
        announced=Announced(
            laid=move.laid,
            shown=move.shown,
            word=verdict.word,
            points=verdict.points,
            answers=() if checked(state) else others,
        ),
    )
    return _settle_if_answered(laid)


def _settle_if_answered(state: State) -> State:
    """Let an announced word stand once nobody can challenge it any more.

    The points count, and only now are new letters drawn (source document, II).
    """
    word = state.announced
    if word is None or word.answers:
        return state
    seat = state.turn
    scores = put_at(state.scores, seat, state.scores[seat] + word.points)
    stood = replace(
        state,
        scores=scores,
        tiles=tiles.draw(state.tiles, seat, RACK),
        announced=None,
        barren=-1,
    )
    return _next(_busy(stood))


def _discard(state: State, seat: Seat, move: Discard) -> State:
    if not move.tiles:
        raise IllegalMoveError("No tiles discarded")
    if list(move.tiles) != sorted(set(move.tiles)):
        raise IllegalMoveError("The tiles are not in order")
    drawn = tiles.exchange(state.tiles, seat, move.tiles)
    return _next(_busy(replace(state, tiles=drawn)))


def _pick_up(state: State, seat: Seat, move: PickUp) -> State:
    where = [swap.cell for swap in move.swaps]
    if not where or where != sorted(set(where)):
        raise IllegalMoveError("Blanks are picked up one by one, in order")
    if [swap.tile for swap in move.swaps] != [each.tile for each in move.shown]:
        raise IllegalMoveError("The tiles shown are not the tiles laid")
    if any(cell not in state.blanks for cell in where):
        raise IllegalMoveError("There is no blank on that hexagon")
    if any(
        state.letters[cell] != each.kind
        for cell, each in zip(where, move.shown, strict=True)
    ):
        raise IllegalMoveError("The blank stands for another letter")
    blanks = tuple(Shown(state.numbers[cell], BLANK) for cell in where)
    held = tiles.take(tiles.put(state.tiles, seat, move.shown), seat, blanks)
    laid = tuple(
        Placed(swap.tile, swap.cell, each.kind)
        for swap, each in zip(move.swaps, move.shown, strict=True)
    )
    return _next(_busy(replace(upon(state, laid, move.shown), tiles=held)))


def _pass(state: State) -> State:
    passes = put_at(state.passes, state.turn, state.passes[state.turn] + 1)
    return _next(replace(state, passes=passes))


def _accept(state: State, seat: Seat) -> State:
    word = state.announced
    assert word is not None  # nobody else is asked
    answers = tuple(other for other in word.answers if other != seat)
    doubter = None if word.challenger == seat else word.challenger  # or it resigns
    word = replace(word, answers=answers, challenger=doubter)
    return _settle_if_answered(replace(state, announced=word))


def _withdraw(state: State) -> State:
    """Take the word back; the turn is over."""
    return _next(_busy(withdraw(state)))


def mistaken(state: State, move: Move) -> bool:
    """Tell whether an answer to a word goes against the dictionary."""
    if not isinstance(move, Accept | Challenge | Insist | Withdraw):
        return False
    word = state.announced
    if word is None:  # of a part of the match that is not known
        return False
    good = lexicon.find(state.options.lexicon).has(word.word)
    return isinstance(move, Challenge | Withdraw) == good


def _verify(state: State) -> State:
    """Ask the dictionary (source document, chapter 2, III).

    "If the player refuses to withdraw the word in question, then the challenge must be
    verified."
    """
    word = state.announced
    assert word is not None  # only a challenged word is verified
    assert word.challenger is not None
    if not lexicon.find(state.options.lexicon).has(word.word):
        return _withdraw(state)
    seat = word.challenger
    debts = put_at(state.debts, seat, state.debts[seat] + 1)
    return _settle(replace(state, debts=debts))


def _settle(state: State) -> State:
    assert state.announced is not None  # asked for only while one is there
    return _settle_if_answered(
        replace(state, announced=replace(state.announced, answers=()))
    )


def _resign(state: State, actor: Actor) -> State:
    if over(state):
        raise IllegalMoveError("The game is over")
    if actor not in range(len(state.gone)) or state.gone[actor]:
        raise IllegalMoveError("Only a player can resign")
    state = replace(state, gone=put_at(state.gone, actor, True))
    if state.announced:
        mine = actor == state.turn
        state = withdraw(state) if mine else _accept(state, actor)
    return _next(state) if actor == state.turn else state


def _busy(state: State) -> State:
    """Forget the passes: something was done."""
    return replace(state, passes=(0,) * len(state.passes))


def _next(state: State) -> State:
    """Give the turn to the next seat that is there and has not lost it."""
    state = replace(state, barren=state.barren + 1)
    seat, debts = state.turn, list(state.debts)
    while not all(state.gone):
        seat = (seat + 1) % len(debts)
        if state.gone[seat]:
            continue
        if not debts[seat]:
            break
        debts[seat] -= 1
    return replace(state, turn=seat, debts=tuple(debts))
