"""The seats of a match that are played here: what they see, think and move."""

from collections.abc import Iterable
from itertools import takewhile
from typing import Any, Final

from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.match.dealing import Knowledge
from netplay.match.members import Members
from netplay.match.submitting import Submitting
from netplay.messages.log import Proof, Turn
from netplay.record.ledger import Ledger
from netplay.record.proving import unproved
from netplay.record.views import SeatView
from netplay.sentences import Says
from netplay.wanted import Thought
from netplay.wire import pack, unpack
from rules.game import CHANCE, IllegalMoveError, Resign
from rules.tiles import Shown

BEST: Final = 100
"""The skill that a hint is worth."""


class Seats:
    """Views, thoughts and moves of a node's own seats."""

    def __init__(
        self, members: Members, ledger: Ledger, knows: Knowledge, pending: Submitting
    ) -> None:
        """Look at a match from its beginning.

        Args:
            members: Know which seats are this node's.
            ledger: The log.
            knows: What this node knows of the tiles.
            pending: Its moves that are on their way.
        """
        self._members: Final = members
        self._me: Final = members.me
        self._ledger: Final = ledger
        self._knows: Final = knows
        self._pending: Final = pending
        self.autoplay: int | None = None
        """Skill of a computer player that stands in for this node's persons."""
        seats = ledger.terms.seats
        self._persons: Final = {n for n, seat in enumerate(seats) if seat.is_person}
        self._computers = len(self._persons) < len(seats)
        self.by_persons = not self._computers
        """Whether no computer player has anything to do here."""
        self.renew()

    def renew(self) -> None:
        """Look at it from its beginning again: the log has been made anew."""
        self._fold = self._ledger.fold
        self._views: dict[int | None, SeatView] = {}

    def view(self, seat: int | None) -> SeatView:
        """Return a seat's view, brought up to date; None is a bystander's."""
        if seat not in self._views:
            self._views[seat] = SeatView(self._fold, seat, self._knows.kind)
        view = self._views[seat]
        if view.at != self._fold.number or self._fold.hz:
            view.advance()
        return view

    def is_own(self, seat: int) -> bool:
        """Tell whether a seat is played here."""
        return seat in self._members.seats

    def by_computer(self, seat: int) -> int | None:
        """Return the skill of the computer player that has a seat here, if one has."""
        if not self.is_own(seat):
            return None
        if self.is_computers(seat):
            return self._fold.terms.seats[seat].skill
        return None if seat in self._members.lent else self.autoplay

    def is_computers(self, seat: int) -> bool:
        """Tell whether a seat is a computer player's here, by the terms."""
        terms = self._fold.terms
        plan = terms.seats[seat]
        own = terms.members[plan.member].key == self._me and self.is_own(seat)
        return own and seat not in self._persons

    def by_person(self, seat: int) -> bool:
        """Tell whether a person plays a seat here, and no computer in their place."""
        own = seat in self._members.seats
        return own and (self.by_persons or self.by_computer(seat) is None)

    def by_player(self, seat: int) -> bool:
        """Tell whether a seat is the player's of this node, and no guest's."""
        members = self._members  # not by `by_person`: it is asked at each move
        own = seat in members.seats and seat not in members.lent
        return own and (self.by_persons or self.by_computer(seat) is None)

    def all_of_one(self) -> bool:
        """Tell whether one player here has all persons' seats, some of guests who left.

        A guest's play ends by the owner's word, who then has that seat, too.
        """
        seats, resigned = self._fold.terms.seats, self._fold.resigned
        left = [n for n in self._persons if n not in resigned]
        guests = sum(seats[n].kind == "browser" for n in left)
        return len(left) - guests <= 1 < len(left) and all(map(self.by_player, left))

    def by_program(self, seat: int) -> bool:
        """Tell whether a program of the user's is to play a seat here."""
        terms = self._fold.terms
        plan = terms.seats[seat]
        own = terms.members[plan.member].key == self._me
        return plan.kind == "program" and own and self.is_own(seat)

    def stand_in(self, skill: int | None) -> None:
        """Let a computer player stand in for the persons here, or no longer."""
        self.autoplay = skill
        self.by_persons = skill is None and not self._computers

    def on_turn(self) -> list[int]:
        """Return the seats that the match waits for."""
        return sorted(seat for seat in self._fold.actors if seat >= 0)

    def lacks_tiles(self, seat: int) -> bool:
        """Tell whether a seat here has tiles face down, and can say nothing before."""
        tiled, view = self._fold.game.ABOUT.tiled, self.view(seat)
        if tiled is None or view.up_to_date:
            return False
        return not tiled.answers(view.state)

    def thoughts(self) -> list[Thought]:
        """Return the turns of computer players at this node's seats."""
        found: list[Thought] = []
        for seat in self.on_turn():
            skill = self.by_computer(seat)
            view = None if skill is None else self.view(seat)
            if skill is None or view is None or self.is_moving(seat):
                continue
            if view.up_to_date:
                thought = self._thought(seat, skill)
                found.append(replace(thought, program=self.by_program(seat)))
        return found

    def to_come(self) -> list[Thought]:
        """Return a turn that a computer player here will have, as far as it is known.

        One stands for all: what they need for the match is the same.
        """
        if not self._computers or not self.on_turn():
            return []
        seats = range(len(self._fold.holders))
        skills = ((seat, self.by_computer(seat)) for seat in seats)
        for seat, skill in skills:
            if skill is not None and self.view(seat).up_to_date:
                return [self._thought(seat, skill)]
        return []

    def _thought(self, seat: int, skill: int) -> Thought:
        """Return what a computer player is to think about."""
        fold, state = self._fold, self.view(seat).state
        return Thought(fold.match, seat, fold.moves, fold.terms.game, state, skill)

    def hint(self, seat: int) -> Thought:
        """Return the thought that finds the best move for a seat.

        Raises:
            LocalError: USAGE, the rules of the table allow no hints (with players at
                other computers never, see the source document, unless the game itself
                has one for everybody); NOT_YOUR_TURN.
        """
        fold, about = self._fold, self._fold.game.ABOUT
        if about.hinted is None:
            # Where the rules say nothing of it, whoever plays alone has them.
            hints = not about.hz and len(self._persons) == 1
        else:
            hints = about.hinted.hints(fold.playable.options)
        alone = all(key == self._me for key in fold.holders)
        if about.advised is None and not (alone and hints):
            raise LocalError(Code.USAGE, Says.NO_HINTS())
        own = seat in self.on_turn() and self.is_own(seat)
        if not own or not self.view(seat).up_to_date:
            raise LocalError(Code.NOT_YOUR_TURN)
        return replace(self._thought(seat, BEST), hint=True)

    def is_moving(self, seat: int) -> bool:
        """Tell whether a move of a seat is on its way."""
        waiting, held = self._pending.waiting, self._pending.held
        if held is not None and held.seat == seat:
            return True
        return bool(waiting) and any(
            isinstance(one.body, Turn) and one.body.seat == seat for one in waiting
        )

    def made(self, seat: int) -> tuple[bytes, ...]:
        """Return the moves of a seat here that wait for somebody who takes them."""
        pending = self._pending
        if not pending.early:
            return ()
        turns = [one.body for one in pending if one.is_turn_of(seat)]
        if pending.held is not None and pending.held.seat == seat:
            turns.append(pending.held)
        return tuple(turn.move for turn in turns if isinstance(turn, Turn))

    def ahead(self, seat: int) -> Any:  # noqa: ANN401 (a game's own)
        """Return a seat's view with the moves on top that are made and wait."""
        game, state = self._fold.game, self.view(seat).state
        for raw in self.made(seat):
            try:
                state = game.play(state, seat, unpack(raw, game.ABOUT.move))
            except (PeerError, IllegalMoveError):
                break  # the match has gone on without it, and the host will say so
        return state

    def moved(self) -> list[int]:
        """Return the seats here that have made moves which wait."""
        own = self._members.seats if self._pending.early else ()
        return [seat for seat in sorted(own) if self.made(seat)]

    def moves_at(self, number: int) -> int:
        """Return how many moves had been made when there were so many entries.

        The log goes on without moves while seeds are shown; a player who has seen the
        last move has seen the position.
        """
        known, history = self._fold.moves, self._fold.history
        backs = self._fold.backs
        if backs and backs[-1].number >= number:
            return known - 1  # the player saw what was taken back since
        if not history or history[-1].number < number:
            return known
        later = takewhile(lambda each: each.number >= number, reversed(history))
        return known - sum(int(each.actor != CHANCE) for each in later)

    def parse(self, seat: int, move: bytes) -> Any:  # noqa: ANN401 (a game's own)
        """Return the move that a window made at a seat.

        Raises:
            LocalError: The seat is not played here, or it is no move.
        """
        if seat not in self._members.seats:
            raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())
        try:
            return unpack(move, self._fold.game.ABOUT.move)
        except PeerError as error:
            raise LocalError(Code.ILLEGAL_MOVE, error.detail) from None

    def turn(self, seat: int, move: Any, seen: int) -> Turn:  # noqa: ANN401 (a game's own)
        """Return the body of a move at a seat that is played here.

        Args:
            seat: Whose move.
            move: The game's move.
            seen: Moves by seats and the clock that the player had seen; -1 for all.

        Raises:
            LocalError: It cannot be made now.
            IllegalMoveError: The rules forbid it.
        """
        fold = self._fold
        resigning = isinstance(move, Resign)
        if not resigning and seat not in fold.actors:
            raise LocalError(Code.NOT_YOUR_TURN)
        if not resigning and (seen not in {-1, fold.moves} or self.is_moving(seat)):
            raise LocalError(Code.STALE)
        raw = pack(move)
        fold.foresee(self.view(seat).state, seat, move, raw)
        tiled = fold.game.ABOUT.tiled is not None
        shown = unproved(fold.game, fold.state, move) if tiled else ()
        proofs = self.proofs_of(shown) if shown and not resigning else ()
        head = self._ledger.log.head
        return Turn(seat, head, fold.digest(), raw, proofs)

    def proofs_of(self, shown: Iterable[Shown]) -> tuple[Proof, ...]:
        """Return a proof for each tile that a move shows and nobody knows.

        Raises:
            LocalError: BAD_PROOF, one of them has not been opened yet.
        """
        proofs: list[Proof] = []
        for each in shown:
            proof = self._knows.proof(each.tile)
            if proof is None:
                masked = self._fold.bag is not None
                detail = Says.TILE_NOT_LIFTED() if masked else Says.TILE_NOT_OPENED()
                raise LocalError(Code.BAD_PROOF, detail)
            proofs.append(proof)
        return tuple(proofs)
