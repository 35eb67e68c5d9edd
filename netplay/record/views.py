"""What a seat knows of a match, and what it has seen happen.

A view is folded from the public history, with the seat's own tiles filled in from the
openings that its node was given.  It waits where one is missing.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.messages.door import Happened
from netplay.messages.log import Proof
from netplay.record.fold import Fold
from netplay.record.past import Past, kept
from netplay.record.playable import tiles_of
from netplay.wire import pack
from rules.game import CHANCE
from rules.tiles import UNKNOWN, Reveal, Show, owner

Openings = Callable[[int], Proof | None]
"""Returns the opening of a tile, if this node has it."""

Kinds = Callable[[int], int | None]
"""Returns the kind of a tile, if this node knows it."""


class Seen(Struct, frozen=True):
    """How a seat's view stood after a move."""

    number: int
    """Entries folded in."""
    state: Any


SELDOM: Final = 10
"""Entries between the views that are kept of a game that hurries: about a second."""


class SeatView:
    """A seat's view, or a bystander's."""

    def __init__(self, fold: Fold, seat: int | None, kinds: Kinds) -> None:
        """Start at the beginning.

        Args:
            fold: The public state, whose history is followed.
            seat: Whose view; None is a bystander's.
            kinds: What this node knows of the seat's tiles.
        """
        self._fold = fold
        self._seat = seat
        self._kinds = kinds
        start, masked = fold.playable.start(), fold.bag is not None
        self.state: Any = fold.game.view(start, None if masked else seat)
        self.seen = [Seen(0, self.state)]
        """Of an encrypted match as everybody saw it."""
        self.happened: list[Happened] = []
        self._backs = fold.backs
        """What was taken back when it was looked at last."""
        self.at = -1
        """How many entries there were when it had all that was in them."""

    @property
    def up_to_date(self) -> bool:
        """Whether the view has everything that is in the log."""
        if len(self.happened) != len(self._fold.history):
            return False
        tiles = tiles_of(self._fold.game, self.state)
        if self._fold.bag is None or self._seat is None or tiles is None:
            return True
        return UNKNOWN not in tiles.kinds[self._seat]

    def advance(self) -> None:
        """Follow the history as far as the openings allow."""
        if self._fold.hz:
            self._hurry()
            return
        history = self._fold.history
        if self._backs is not self._fold.backs:
            self._go_back()
        if self._fold.bag is not None:
            self._follow_masked(history[len(self.happened) :])
            return
        if self._fold.game.ABOUT.tiled is None:
            self._follow_open(history[len(self.happened) :])
            return
        while len(self.happened) < len(history):
            past = history[len(self.happened)]
            move = self._filled(past.move)
            if move is None:
                return
            self.state = self._fold.game.play(self.state, past.actor, move)
            self.seen.append(Seen(past.number + 1, self.state))
            self._note(past, move)
        self.at = self._fold.number

    def _go_back(self) -> None:
        """Forget what was taken back."""
        backs = self._fold.backs
        place = kept(backs, len(self._backs), len(self.happened))
        del self.happened[place:], self.seen[place + 1 :]
        self.state, self._backs = self.seen[-1].state, backs

    def _follow_open(self, fresh: Sequence[Past]) -> None:
        """Follow what is new in a game in which nothing is hidden for long.

        The fold has played the last move already, and by the law of views the view of
        what came of it is what playing it in the view would give.
        """
        game = self._fold.game
        for past in fresh:
            if past is fresh[-1]:
                self.state = game.view(self._fold.state, self._seat)
            else:
                self.state = game.play(self.state, past.actor, past.move)
            self.seen.append(Seen(past.number + 1, self.state))
            self._note(past, past.move)
        self.at = self._fold.number

    def _follow_masked(self, fresh: Sequence[Past]) -> None:
        """Follow what everybody sees, and put in what is known of the own tiles.

        No draw waits for its owner to be able to read it.
        """
        game, self.state = self._fold.game, self.seen[-1].state
        for past in fresh:
            move = self._filled(past.move) or past.move
            self.state = game.play(self.state, past.actor, past.move)
            self.seen.append(Seen(past.number + 1, self.state))
            self._note(past, move)
        self.state = self._with_own(self.state)
        self.at = self._fold.number

    def _with_own(self, state: Any) -> Any:  # noqa: ANN401 (a game's own)
        """Return a state that a bystander sees with the kinds of the own tiles in it.

        Once all of them are known it is the view of the full state.
        """
        tiles, seat = tiles_of(self._fold.game, state), self._seat
        if tiles is None or seat is None:
            return state
        own = zip(tiles.racks[seat], tiles.kinds[seat], strict=True)
        kinds = tuple(self._known(tile, kind) for tile, kind in own)
        racks = (*tiles.kinds[:seat], kinds, *tiles.kinds[seat + 1 :])
        return replace(state, tiles=replace(tiles, eye=seat, kinds=racks))

    def _known(self, tile: int, kind: int) -> int:
        """Return the kind of an own tile as far as it is known."""
        if kind != UNKNOWN:
            return kind
        known = self._kinds(tile)
        return UNKNOWN if known is None else known

    def _hurry(self) -> None:
        """Take the public state of a game that hurries; nothing is hidden in it."""
        self.state = self._fold.game.view(self._fold.state, self._seat)
        if self._fold.number >= self.seen[-1].number + SELDOM:
            self.seen.append(Seen(self._fold.number, self.state))
        for past in self._fold.history[len(self.happened) :]:
            self._note(past, past.move)

    def _filled(self, move: Any) -> Any:  # noqa: ANN401 (a game's own)
        """Return a move as this seat sees it, None while that is not known."""
        if not isinstance(move, Reveal):
            return move
        tiles = tiles_of(self._fold.game, self.state)
        if self._seat is None or tiles is None:
            return move
        if owner(tiles, move.tile) != self._seat:
            return move
        kind = self._kinds(move.tile)
        return None if kind is None else Reveal(move.tile, kind)

    def _note(self, past: Past, move: Any) -> None:  # noqa: ANN401 (a game's own)
        """Remember what happened."""
        number = len(self.happened)
        self.happened.append(Happened(number, past.actor, pack(move), past.at))

    def back(self, number: int) -> tuple[Any, int]:
        """Return the view after `number` entries, and how much had happened by then.

        Of a game that hurries only some views are kept: what is returned is the last
        of them that is not later.
        """
        at = len(self.seen) - 1
        while at and self.seen[at].number > number:
            at -= 1
        state = self.seen[at].state
        if self._fold.bag is not None:
            state = self._with_own(state)
        if not self._fold.hz:
            return state, at
        until = min(number, self.seen[at].number)
        return state, bisect_left(self._fold.history, until, key=lambda p: p.number)


def to_turn_up(fold: Fold, openings: Openings) -> tuple[Proof, ...]:
    """Return the openings of the tiles that CHANCE is to show next, one after another.

    Empty if none is to be shown now, or the first is not known here.
    """
    proofs: list[Proof] = []
    state, likely = fold.state, fold.next_chance()
    while isinstance(likely, Show):
        proof = openings(likely.tile)
        if proof is None:
            break
        proofs.append(proof)
        state = fold.game.play(state, CHANCE, Show(likely.tile, proof.kind))
        likely = next(fold.game.moves(state, CHANCE), None)
    return tuple(proofs)
