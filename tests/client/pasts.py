"""Matches of every kind, and what a window makes of the past of each seat in them."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from client.app import follow
from client.app.model import Match as Shown
from client.app.model import Model
from netplay.errors import LocalError, PeerError
from netplay.match.match import Match
from netplay.messages import door
from netplay.messages.table import Fairness
from netplay.record.views import Whole
from netplay.table.places import Views, earlier, news
from netplay.wire import pack
from rules import GAMES, networdz
from rules.game import IllegalMoveError, Resign
from rules.networdz import Laid, Lay
from rules.tiles import Reveal
from rules.tiles import Shown as ShownTile
from tests.client import worlds
from tests.netplay.party import Party

BYSTANDER: Final = -1


def options(game: str, rng: Random) -> Any:
    """Return options under which everything can happen in a game."""
    made = GAMES[game].ABOUT.options
    match game:
        case "networdz" if rng.random() < 0.5:
            return made(tournament=True)
        case "networdz":
            return made(show_racks=rng.random() < 0.5, four_of_a_kind=True)
        case "lhexicon":
            return made(side=6, challenge=rng.random() < 0.6)
        case "numlo":
            return made(size=8)
        case _:
            return made()


class Watcher:
    """A window that watches one seat, as its node tells it."""

    def __init__(self, match: Match, seat: int) -> None:
        self.match, self.seat, self.views = match, seat, Views()
        terms = match.fold.terms
        seats = tuple(map(worlds.seat, worlds.NAMES[: len(terms.seats)]))
        table = worlds.table(
            terms.game, match=match.match, phase="playing", options=terms.options,
            seats=seats, edition="", lexicon="",
        )  # fmt: skip
        self.model: Model = replace(worlds.base(), status=worlds.status(table=table))
        self.views.up(1)
        self.views.look_at(1, 1)
        self.views.watch(1, seat, match)

    def look(self) -> None:
        """Take what the node has to tell, and what was before it."""
        view = news(self.match, self.views.windows[1])
        if view is not None:
            self.model = follow.fold_in(self.model, view)
            self._ask_on(*follow.earlier(self.model))

    def _ask_on(self, model: Model, effects: Any) -> None:
        for effect in effects:
            request = effect.request
            answer = door.Done(request.id, data=earlier(request.ask, self.match))
            model, more = follow.longer(replace(model, asked={}), answer)
            self._ask_on(model, more)
            return
        self.model = replace(model, asked={})

    @property
    def shown(self) -> Shown:
        assert self.model.match is not None
        return self.model.match

    def positions(self) -> list[Any]:
        """Return every position that can be looked at, oldest first."""
        shown = follow.delivered(self.shown)
        return [*(step.before for step in shown.past), shown.state]


def truths(match: Match, seat: int) -> list[Any]:
    """Return every position of a match that is over, as the rules show it to a seat.

    Made of the log and the open bag alone, by the rules.
    """
    whole = Whole(match.fold, lambda round_: round_.secret)
    game, state = match.fold.game, match.fold.playable.start()
    eye = None if seat < 0 else seat
    found = [game.view(state, eye)]
    for past in match.fold.history:
        move = past.move
        if isinstance(move, Reveal):
            kind = whole.kind(move.tile)
            assert kind is not None
            move = Reveal(move.tile, kind)
        state = game.play(state, past.actor, move)
        found.append(game.view(state, eye))
    return found


def phony(state: Any, seat: int, rng: Random) -> Any:
    """Return a play of tiles in a wrong order, None where there is no play."""
    moves = GAMES["networdz"].moves(state, seat)
    found = next(
        (m for m in islice(moves, 400) if isinstance(m, Lay) and len(m.laid) > 1), None
    )
    if found is None:
        return None
    pairs = list(zip(found.laid, found.shown, strict=True))
    rng.shuffle(pairs)
    cells = [each.cell for each in found.laid]
    laid = tuple(
        Laid(cell, each.tile, each.letter)
        for cell, (each, _shown) in zip(cells, pairs, strict=True)
    )
    return Lay(laid, tuple(ShownTile(s.tile, s.kind) for _each, s in pairs))


class Course:
    """A match that takes some course, watched from every seat and from none."""

    def __init__(self, game: str, fairness: Fairness, members: int, seed: int) -> None:
        self.rng = Random(seed)
        wish = options(game, self.rng)
        self.party = Party(game, members, wish, fairness=fairness)
        self.party.link_all()
        self.party.settle()
        self.watchers = list(self._watchers())

    def _watchers(self) -> Iterator[Watcher]:
        for n, match in enumerate(self.party.running):
            yield Watcher(match, BYSTANDER)
            for seat in match.members.seats:
                yield Watcher(self.party.member(n), seat)

    def look(self) -> None:
        for watcher in self.watchers:
            with suppress(LocalError):  # its seat has passed to somebody else
                watcher.look()

    def step(self) -> None:
        """Let something happen, and windows look at any moment between."""
        does = self.rng.random()
        if does < 0.1:
            self.restart()
        elif does < 0.2:
            self.take_back()
        elif does < 0.21:
            self.hand_over()
        else:
            self.move()
        for _ in range(self.rng.randrange(9)):
            self.party.deliver()
        self.look()
        if self.rng.random() < 0.7:
            self.party.settle()
            self.look()

    def move(self) -> None:
        """Let somebody whose turn it is do one of the things that can be done."""
        party, rng, game = self.party, self.rng, self.party.game
        for n, seat in party.movers():
            match = party.member(n)
            state = match.seats.view(seat).state
            if seat not in game.actors(state):
                continue
            if rng.random() < 0.02:
                move: Any = Resign()
            elif rng.random() < 0.3 and game is GAMES["networdz"]:
                move = self._exchange(state, seat)
            elif rng.random() < 0.3 and game is GAMES["networdz"]:
                move = phony(state, seat, rng)
            else:
                moves = list(islice(game.moves(state, seat), 60))
                kinds = sorted({type(each).__name__ for each in moves})
                kind = rng.choice(kinds)
                move = rng.choice([m for m in moves if type(m).__name__ == kind])
            if move is not None:
                with suppress(LocalError, IllegalMoveError):
                    match.play(seat, pack(move), -1, party.now)
            return

    def _exchange(self, state: Any, seat: int) -> Any:
        rack = state.tiles.racks[seat]
        some = self.rng.randrange(1, len(rack) + 1) if rack else 0
        return networdz.Pass(tuple(sorted(self.rng.sample(rack, some))))

    def take_back(self) -> None:
        """Take a turn back, if all agree and it can be."""
        party = self.party
        match = party.member(self.rng.randrange(len(party.keys)))
        seats = sorted(match.members.seats)
        if not seats:
            return
        with suppress(LocalError, PeerError):
            match.say(match.offering.offer(seats[0], "back", 0), party.now)
            party.settle()
            head = match.ledger.log.head
            for other in party.running:
                for seat in sorted(other.members.seats - {seats[0]}):
                    answer = other.offering.answer(seat, head, agrees=True)
                    other.say(answer, party.now)
                    party.settle()

    def hand_over(self) -> None:
        """Let a seat pass to another member."""
        party = self.party
        if len(party.keys) < 3:
            return
        seat, to = len(party.keys) - 1, self.rng.randrange(len(party.keys) - 1)
        with suppress(LocalError, PeerError):
            for n in range(len(party.keys) - 1):
                party.member(n).agree(seat, party.keys[to].key, f"M{to}", party.now)
                party.settle()
        self.watchers = list(self._watchers())

    def restart(self) -> None:
        """Let a member come back with what its disk has."""
        n = self.rng.randrange(len(self.party.keys))
        self.party.crash(n)
        self.party.start(n)
        self.party.link_all()
        self.watchers = list(self._watchers())

    def end(self) -> None:
        """Let all resign until it is over, and all be opened."""
        party = self.party
        for _ in range(40):
            party.settle()
            if all(match.fold.over for match in party.running):
                break
            for match in party.running:
                left = sorted(match.members.seats - match.fold.resigned)
                if left and not match.fold.over:
                    with suppress(LocalError, IllegalMoveError):
                        match.play(left[0], pack(Resign()), -1, party.now)
                    break
            party.wake(1.0)
        party.settle()
        self.look()
