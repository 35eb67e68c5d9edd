"""What every move does to a match."""

from collections.abc import Sequence
from typing import Final, TypeAlias, assert_never

from msgspec.structs import replace

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
from rules.networdz import values
from rules.networdz.judging import judge_lay, unchecked
from rules.tiles import (
    Reveal,
    Show,
    Shown,
    Tiles,
    bag_size,
    begin,
    believe,
    closed,
    draw,
    exchange,
    pending,
    put,
    reveal,
    show,
    take,
)

# Who starts: each draws a tile, the lowest starts (source document, Starting).


def drawing(
    seats: int, blank: int, draws: Sequence[values.Draw]
) -> tuple[list[Seat], int]:
    """Return who draws in the present round, and how many of them already have.

    One seat alone is the starter.  Blanks are lowest; those who tie for the lowest
    tile draw again, after all tiles have gone back.

    Args:
        seats: How many seats draw in the first round.
        blank: The kind that is the blank.
        draws: The tiles drawn so far, in order.
    """
    rivals = list(range(seats))
    done = 0
    while len(rivals) > 1 and len(draws) - done >= len(rivals):
        ranks = {
            draw.seat: -1 if draw.kind == blank else draw.kind
            for draw in draws[done : done + len(rivals)]
        }
        done += len(rivals)
        rivals = [seat for seat in rivals if ranks[seat] == min(ranks.values())]
    return rivals, len(draws) - done


def outcomes(
    field: values.Ground, seats: int, draws: Sequence[values.Draw]
) -> list[values.Draw]:
    """Return what the next seat may draw, as often as it is likely."""
    rivals, drawn = drawing(seats, field.blank, draws)
    left = list(field.edition.counts)
    for shown in draws[len(draws) - drawn :]:
        left[shown.kind] -= 1
    seat = rivals[drawn]
    return [
        values.Draw(seat, kind) for kind, count in enumerate(left) for _ in range(count)
    ]


# When a match ends, the count of the tiles left, and who wins.
#
# Source document, Ending the game, Scoring, Tournament Rules.


ZERO_ROUNDS: Final = 3
"""Tournament: over when all players score nothing in so many turns in a row."""

PATIENCE: Final = 6
"""The same without tournament rules, where the document has no end for players who
pass or discard for ever; twice as patient, so that nobody meets it unawares."""


def staying(state: values.State) -> list[Seat]:
    """Return the seats that have not resigned."""
    return [seat for seat in range(len(state.scores)) if seat not in state.resigned]


def after_turn(state: values.State, seat: Seat) -> values.State:
    """Return the state with the turn passed on, or with the match ended.

    Args:
        state: With everything that the turn changed.
        seat: Whose turn it was.
    """
    rounds = ZERO_ROUNDS if state.options.tournament else PATIENCE
    players = staying(state)
    empty = bag_size(state.tiles) == 0
    if empty and seat in players and not state.tiles.racks[seat]:
        return settled(replace(state, phase=values.Phase.TALLY, out=seat))
    passed = empty and state.passes >= len(players)
    if passed or state.zeros >= rounds * len(players):
        return settled(replace(state, phase=values.Phase.TALLY))
    return replace(state, turn=following(state, seat))


def following(state: values.State, seat: Seat) -> Seat:
    """Return the next seat in turn order that has not resigned."""
    players = staying(state)
    return next((each for each in players if each > seat), players[0])


def settled(state: values.State) -> values.State:
    """Return the state with the tiles left counted, once all racks are public.

    Each loses the value of the tiles left, who went out gains the sum of all others';
    the American way of tournaments who went out gains it twice and nobody loses any.
    """
    players = staying(state)
    if pending(state.tiles) is not None or closed(state.tiles, players) is not None:
        return state
    points = values.ground(state.options).points
    left = [
        sum(points[kind] for kind in kinds) if seat in players else 0
        for seat, kinds in enumerate(state.tiles.kinds)
    ]
    tally = [-value for value in left]
    if state.out != values.NOBODY:
        if state.options.american:
            tally = [0] * len(left)
        tally[state.out] = sum(left) * (2 if state.options.american else 1)
    return replace(
        state,
        phase=values.Phase.OVER,
        scores=tuple(map(sum, zip(state.scores, tally, strict=True))),
        tally=tuple(tally),
    )


def places(state: values.State) -> tuple[int, ...]:
    """Return each seat's place, 1 for first.

    A tie goes to the higher score before the tiles left were counted; who resigned
    comes behind all who stayed.
    """
    tally = state.tally or (0,) * len(state.scores)
    worth = [
        (0, 0, 0) if seat in state.resigned else (1, score, score - change)
        for seat, (score, change) in enumerate(zip(state.scores, tally, strict=True))
    ]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


SEATS: Final = range(1, 5)
ENOUGH: Final = 7
"""Tiles the pool must hold for four of a kind, and for any exchange in tournaments."""

ALIKE: Final = 4
PENALTY: Final = 10
"""Points for going over the time of a tournament, and for each further minute."""

MINUTES: Final = 25
"""Each player's time for a whole tournament match."""


def start(seats: int, options: values.Options) -> values.State:
    """Return the state before the first move.

    Raises:
        OptionsError: The options do not go together; the message says why.
    """
    if seats not in SEATS:
        raise OptionsError("Networdz is for one to four players")
    extra = (
        options.hints,
        options.show_racks,
        options.trade_blanks,
        options.four_of_a_kind,
        options.timed,
        options.challenge != "none",
    )
    if options.tournament and any(extra):
        raise OptionsError("Tournament rules allow none of the optional rules")
    if options.american and not options.tournament:
        raise OptionsError("The American way belongs to tournament rules")
    if not 0 <= options.timed <= values.LONGEST_TURN:
        raise OptionsError(
            "A turn takes up to {count} minutes", count=values.LONGEST_TURN
        )
    field = values.ground(options)
    if sum(field.edition.counts) < seats * field.edition.rack:
        raise OptionsError("The edition has too few tiles for so many players")
    state = values.State(
        options=options,
        phase=values.Phase.DRAW,
        turn=values.NOBODY,
        tiles=begin(field.edition.counts, seats),
        letters=bytes(field.size),
        kinds=bytes(field.size),
        scores=(0,) * seats,
        lists=((),) * seats,
    )
    return _dealt(state, 0) if seats == 1 else state


def actors(state: values.State) -> frozenset[Actor]:
    """Return whom the table waits for."""
    if state.phase == values.Phase.OVER:
        return frozenset()
    if state.phase != values.Phase.PLAY:
        return frozenset({CHANCE})
    if pending(state.tiles) is not None or _face_down(state) is not None:
        return frozenset({CHANCE})
    timed = state.options.timed or state.options.tournament
    return frozenset({state.turn, CLOCK} if timed else {state.turn})


def to_show(state: values.State) -> int | None:
    """Return the tile that CHANCE shows to all next, if any."""
    if state.phase == values.Phase.TALLY:
        return closed(state.tiles, staying(state))
    return _face_down(state)


def _face_down(state: values.State) -> int | None:
    """Return the next tile to turn up because racks are shown during a turn."""
    if state.phase != values.Phase.PLAY or not state.options.show_racks:
        return None
    return closed(state.tiles, (state.turn,))


def play(state: values.State, actor: Actor, move: values.Move) -> values.State:
    """Return the state after the move; see `Game.play`."""
    if isinstance(move, Resign):
        if state.phase == values.Phase.OVER or actor not in staying(state):
            raise IllegalMoveError("You are not in this game")
        # The tiles on its rack stay out of play.
        left = replace(state, resigned=(*state.resigned, actor), passes=0, zeros=0)
        if len(staying(left)) <= 1:
            return replace(left, phase=values.Phase.OVER, pending=None)
        if left.phase == values.Phase.PLAY and left.turn == actor:
            return replace(left, turn=following(left, actor))
        return _checked(left)
    if actor not in actors(state):
        raise IllegalMoveError("It is not your turn")
    match move:
        case (
            values.Lay()
            | values.Pass()
            | values.Renew()
            | values.Trade()
            | values.Accept()
            | values.Challenge()
        ) if actor >= 0:
            return _turn(state, actor, move)
        case values.Draw() | Reveal() | Show() if actor == CHANCE:
            return _chance(state, move)
        case values.Expire() | values.Overtime() if actor == CLOCK:
            return _clock(state, move)
        case _:
            raise IllegalMoveError("That move is not yours to make")


Turn: TypeAlias = (
    values.Lay
    | values.Pass
    | values.Renew
    | values.Trade
    | values.Accept
    | values.Challenge
)


def _turn(state: values.State, seat: Seat, move: Turn) -> values.State:
    if state.pending is not None:
        if isinstance(move, values.Challenge):
            return _challenge(state, state.pending, seat)
        state = accepted(state)
        if isinstance(move, values.Accept):
            return state
        if state.phase != values.Phase.PLAY:
            raise IllegalMoveError("The last play waits for your answer")
    match move:
        case values.Lay():
            return _lay(state, seat, move)
        case values.Pass():
            return _pass(state, seat, move)
        case values.Renew():
            return _renew(state, seat, move)
        case values.Trade():
            return _trade(state, seat, move)
        case values.Accept() | values.Challenge():
            raise IllegalMoveError("There is no play to challenge")
        case _:
            assert_never(move)


def _chance(state: values.State, move: values.Draw | Reveal | Show) -> values.State:
    waiting = pending(state.tiles)
    match move:
        case values.Draw() if state.phase == values.Phase.DRAW:
            field, seats = values.ground(state.options), len(state.scores)
            if move not in outcomes(field, seats, state.draws):
                raise IllegalMoveError("That tile cannot be drawn now")
            draws = (*state.draws, move)
            lowest, _ = drawing(seats, field.blank, draws)
            drawn = replace(state, draws=draws)
            return _dealt(drawn, lowest[0]) if len(lowest) == 1 else drawn
        case Reveal() if waiting is not None:
            return _checked(replace(state, tiles=reveal(state.tiles, move)))
        case Show() if waiting is None and move.tile == to_show(state):
            return _checked(replace(state, tiles=show(state.tiles, move)))
        case _:
            raise IllegalMoveError("That tile is not to be turned up now")


def _clock(state: values.State, move: values.Expire | values.Overtime) -> values.State:
    match move:
        case values.Expire():
            if not state.options.timed:
                raise IllegalMoveError("The turns are not timed")
            stood = accepted(state)
            if stood.phase != values.Phase.PLAY:
                return stood
            return _lost(stood, stood.turn, "The time is over", passed=True)
        case values.Overtime():
            if not state.options.tournament or move.seat != state.turn:
                raise IllegalMoveError("That clock does not run")
            return _add(state, move.seat, (), -PENALTY)
        case _:
            assert_never(move)


def _dealt(state: values.State, starter: Seat) -> values.State:
    """Return the state with the racks dealt, the starter's first."""
    players = staying(state)
    first = starter if starter in players else following(state, starter)
    size = values.ground(state.options).edition.rack
    tiles = state.tiles
    for seat in sorted(players, key=lambda seat: (seat < first, seat)):
        tiles = draw(tiles, seat, size)
    return replace(state, phase=values.Phase.PLAY, turn=first, tiles=tiles)


def _lay(state: values.State, seat: Seat, move: values.Lay) -> values.State:
    """Return the state after tiles were laid.

    In tournaments an invalid play loses the turn; everybody has seen its tiles.  With
    no tiles on the board it is not a play yet, and DONE only a slip of the hand.
    Where words are challenged it waits for that, and new tiles are drawn after.
    """
    verdict, waits = judge_lay(state, move), unchecked(state)
    if verdict.error and not (waits and len(verdict.cells) > 1):
        if not state.options.tournament or not move.laid:
            raise IllegalMoveError(verdict.error)
        told = replace(state, tiles=believe(state.tiles, seat, move.shown))
        return _lost(told, seat, str(verdict.error), passed=False)
    field = values.ground(state.options)
    letters, kinds = bytearray(state.letters), bytearray(state.kinds)
    for laid, shown in zip(move.laid, move.shown, strict=True):
        letters[laid.cell], kinds[laid.cell] = laid.letter + 1, shown.kind + 1
    tiles = put(state.tiles, seat, move.shown)
    blanks = [
        (laid.cell, laid.tile)
        for laid, shown in zip(move.laid, move.shown, strict=True)
        if shown.kind == field.blank
    ]
    after = replace(
        state,
        tiles=tiles if waits else draw(tiles, seat, field.edition.rack),
        letters=bytes(letters),
        kinds=bytes(kinds),
        blanks=tuple(sorted((*state.blanks, *blanks))),
        passes=0,
        zeros=state.zeros if waits else _zeros(state, verdict.points),
        last=values.Last(seat, tuple(laid.cell for laid in move.laid), verdict.points),
    )
    after = _add(after, seat, verdict.lines, verdict.points)
    if not waits:
        return after_turn(after, seat)
    play = values.Pending(seat, move.laid, move.shown, verdict.points)
    return replace(after, turn=following(after, seat), pending=play)


def _zeros(state: values.State, points: int) -> int:
    """Return how many turns in a row are without points after a play."""
    return 0 if points else state.zeros + 1


BONUS: Final = 5
"""Points for whoever was challenged in vain, where challenges cost that."""


def accepted(state: values.State) -> values.State:
    """Return the state with the last play beyond doubt: tiles for it, maybe the end."""
    play = state.pending
    if play is None:
        return state
    tiles = state.tiles
    if play.seat not in state.resigned:
        tiles = draw(tiles, play.seat, values.ground(state.options).edition.rack)
    zeros = _zeros(state, play.points)
    stood = replace(state, tiles=tiles, zeros=zeros, pending=None)
    return after_turn(stood, play.seat)


def _challenge(state: values.State, play: values.Pending, seat: Seat) -> values.State:
    """Return the state after the dictionary was asked about the last play."""
    back = _taken_back(state, play)
    verdict = judge_lay(back, values.Lay(play.laid, play.shown))
    if verdict.error:
        lines = back.lists[play.seat][: -len(verdict.lines)]
        without = replace(
            back,
            lists=put_at(back.lists, play.seat, lines),
            scores=put_at(back.scores, play.seat, back.scores[play.seat] - play.points),
        )
        return _lost(without, play.seat, str(verdict.error), passed=False)
    if state.options.challenge == "five":
        state = _add(state, play.seat, (values.Line("+!", BONUS),), BONUS)
    stood = accepted(state)
    if state.options.challenge == "double" and stood.phase == values.Phase.PLAY:
        return _lost(stood, seat, "The words are in the dictionary", passed=False)
    return stood


def wrong(state: values.State) -> str:
    """Return why the play that may be challenged is none; nothing if it is good."""
    play = state.pending
    if play is None:
        return ""
    return judge_lay(_taken_back(state, play), values.Lay(play.laid, play.shown)).error


def forfeited(state: values.State, move: values.Move) -> Seat | None:
    """Return who loses the turn by time or by a challenge in vain; None for nobody.

    Behind the last play there is no turn to lose.
    """
    late = isinstance(move, values.Expire)
    if not late and not (
        isinstance(move, values.Challenge)
        and state.options.challenge == "double"
        and state.pending is not None
        and not wrong(state)
    ):
        return None
    stood = accepted(state)
    return stood.turn if stood.phase == values.Phase.PLAY else None


def _taken_back(state: values.State, play: values.Pending) -> values.State:
    """Return the state with the tiles of a play on the rack again, seen by all."""
    letters, kinds = bytearray(state.letters), bytearray(state.kinds)
    cells = {laid.cell for laid in play.laid}
    for cell in cells:
        letters[cell] = kinds[cell] = 0
    return replace(
        state,
        tiles=take(state.tiles, play.seat, play.shown),
        letters=bytes(letters),
        kinds=bytes(kinds),
        blanks=tuple(each for each in state.blanks if each[0] not in cells),
        pending=None,
    )


def _pass(state: values.State, seat: Seat, move: values.Pass) -> values.State:
    """Return the state after a pass; discards go back once the new tiles are known."""
    discards = move.discards
    if list(discards) != sorted(discards):
        raise IllegalMoveError("Discards are named in the order of their numbers")
    pool = bag_size(state.tiles)
    if discards and state.options.tournament and pool < ENOUGH:
        raise IllegalMoveError("There are fewer than seven tiles left in the pool")
    tiles = exchange(state.tiles, seat, discards) if discards else state.tiles
    passed = replace(
        state,
        tiles=tiles,
        passes=state.passes + 1,
        zeros=state.zeros + 1,
        last=values.Last(seat, discards=len(discards)),
    )
    return after_turn(_add(passed, seat, (values.Line("-", 0),), 0), seat)


def _renew(state: values.State, seat: Seat, move: values.Renew) -> values.State:
    """Return the state after a rack with four of a kind was exchanged."""
    rack = state.tiles.racks[seat]
    if not state.options.four_of_a_kind:
        raise IllegalMoveError("Four of a kind are not exchanged in this game")
    if bag_size(state.tiles) < max(ENOUGH, len(rack)):
        raise IllegalMoveError("There are fewer than seven tiles left in the pool")
    kinds = {each.kind for each in move.shown}
    alike = len(kinds) == 1 and values.ground(state.options).blank not in kinds
    ordered = sorted(move.shown, key=lambda each: each.tile)
    if not alike or len(move.shown) != ALIKE or list(move.shown) != ordered:
        raise IllegalMoveError("Four of the same letter are needed")
    tiles = exchange(believe(state.tiles, seat, move.shown), seat, rack)
    return replace(state, tiles=tiles, last=values.Last(seat, discards=len(rack)))


def _trade(state: values.State, seat: Seat, move: values.Trade) -> values.State:
    """Return the state after a tile was put in place of a blank on the board."""
    field = values.ground(state.options)
    blank = dict(state.blanks).get(move.cell)
    if not state.options.trade_blanks:
        raise IllegalMoveError("Blanks are not traded in this game")
    if blank is None or len(move.shown) != 1:
        raise IllegalMoveError("There is no blank on that square")
    kind = move.shown[0].kind
    if field.counted(kind) != state.letters[move.cell] - 1:
        raise IllegalMoveError("The tile must have the letter of the blank")
    letters, kinds = bytearray(state.letters), bytearray(state.kinds)
    letters[move.cell] = kinds[move.cell] = kind + 1
    tiles = put(state.tiles, seat, move.shown)
    return replace(
        state,
        tiles=take(tiles, seat, (Shown(blank, field.blank),)),
        letters=bytes(letters),
        kinds=bytes(kinds),
        blanks=tuple(each for each in state.blanks if each[0] != move.cell),
        last=values.Last(seat, (move.cell,)),
    )


def _lost(state: values.State, seat: Seat, error: str, *, passed: bool) -> values.State:
    lost = replace(
        state,
        passes=state.passes + 1 if passed else 0,
        zeros=state.zeros + 1,
        last=values.Last(seat, error=error),
    )
    return after_turn(_add(lost, seat, (values.Line("-", 0),), 0), seat)


def _checked(state: values.State) -> values.State:
    """Return the state, counted if the last rack has just become public."""
    return settled(state) if state.phase == values.Phase.TALLY else state


def _add(
    state: values.State, seat: Seat, lines: tuple[values.Line, ...], points: int
) -> values.State:
    """Return the state with lines on a seat's word list and points on its score."""
    scores, lists = list(state.scores), list(state.lists)
    scores[seat] += points
    lists[seat] = (*lists[seat], *lines)
    return replace(state, scores=tuple(scores), lists=tuple(lists))


# What Networdz can do beside what every game can; the Protocols of rules.game.


def scores(state: values.State) -> tuple[int, ...]:
    """Return each seat's points."""
    return state.scores


def tiles(state: values.State) -> Tiles:
    """Return the bag and the racks."""
    return state.tiles


def shown(move: values.Move) -> tuple[Shown, ...]:
    """Return the tiles that a move makes public."""
    return (
        move.shown if isinstance(move, values.Lay | values.Renew | values.Trade) else ()
    )


def answers(state: values.State) -> bool:
    """Tell whether who is on turn may challenge the last play."""
    return state.pending is not None


def turn_minutes(options: values.Options) -> int:
    """Return the minutes of a timed turn, 0 where turns are not timed."""
    return options.timed


def match_minutes(options: values.Options) -> int:
    """Return a seat's minutes by the tournament rules, 0 without them."""
    return MINUTES if options.tournament else 0


def fined(move: values.Move) -> Seat | None:
    """Return who goes over its time by a move of the clock."""
    return move.seat if isinstance(move, values.Overtime) else None


def answering(state: values.State) -> bool:
    """Return False: who may challenge a play is on turn."""
    return False


def lapse(state: values.State, _seat: Seat) -> values.Accept | values.Pass:
    """Return the move of who lets its turn lapse, or says nothing to the last play."""
    return (
        values.Pass() if accepted(state).phase == values.Phase.PLAY else values.Accept()
    )


def hints(options: values.Options) -> bool:
    """Tell whether the rules dialog allows hints."""
    return options.hints
