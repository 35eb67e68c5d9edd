"""What the entries of a log mean: the state of a match, as a bystander knows it.

Theory of operation.  A `Fold` starts from the terms and takes one entry after the
other.  Chance is not in the log: after each entry the fold *settles*, playing every
move of CHANCE that the log has decided by then.  Public chance is drawn from the
members' seeds; a `Reveal` is played masked as soon as its deal is fixed, since only
its owner learns more; a `Show` waits for the log to prove the tile's kind.  So every
node, with or without secrets, comes to the same state and knows the same about every
entry.  What seats and the dealer know besides is folded from `history` elsewhere.

An entry that does not fit leaves the fold as it was.
"""

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.messages import log
from netplay.messages.letters import NothingLeft
from netplay.messages.table import Terms
from netplay.record import clocks, ticking
from netplay.record.agreement import Agreement, is_to_be_named
from netplay.record.chance import PUBLIC, ChanceBody, Round, Rounds
from netplay.record.letter import box, check_word, subject
from netplay.record.log import Line
from netplay.record.masked import Holding, MaskedBody, MaskedDeal, owners, sources
from netplay.record.playable import Again, Foreseen, Past, chosen, tiles_of
from netplay.record.proving import check_proof, check_shown, unproved
from netplay.record.standing import Standing
from netplay.wire import unpack
from rules.actors import put_at
from rules.game import CHANCE, CLOCK, IllegalMoveError, Resign
from rules.tiles import Reveal, Show, owner, pending

CHANGED: Final = Agreement, Rounds, Round, clocks.Clocks, Holding, MaskedDeal
"""Of what a fold has, what is changed in place, besides lists, sets and dicts."""


def _apart(value: Any) -> Any:  # noqa: ANN401 (whatever a fold has)
    """Return what is as good as a value, and stays so when that is changed in place."""
    if isinstance(value, list):
        return [_apart(one) for one in value]
    if isinstance(value, dict):
        return {key: _apart(one) for key, one in value.items()}
    if isinstance(value, set):
        return set(value)
    if not isinstance(value, (*CHANGED, Fold)):
        return value
    other = copy(value)
    vars(other).update((name, _apart(one)) for name, one in vars(value).items())
    return other


class Fold(Standing):
    """The public state of a match."""

    def __init__(self, terms: Terms) -> None:
        """Start before the genesis.

        Raises:
            PeerError: The match cannot be played here; see `playable`.
        """
        super().__init__(terms)
        self._tiled: Final = self.game.ABOUT.tiled
        self.again: tuple[Again, ...] = ()
        """What has begun again: a host, and all who change hosts, may have gained."""
        self.faces: Mapping[int, int] = {}
        """Kinds proved to all: number -> kind."""
        self.drawn_by: Mapping[int, int] = {}
        """Number -> the seat that was told its kind."""
        self.ticks = (0,) * len(terms.seats)
        self.owing = (ticking.NOTHING_OWED,) * len(terms.seats)
        self.hands = (0,) * len(terms.seats)
        """When the hands at each seat are free again: see `ticking.handled`."""
        options, seats = self.playable.options, len(terms.seats)
        self.clocks = clocks.Clocks(self.game, options, seats)
        self.at = 0
        self.rung = 0
        """When the latest move by the clock was due, in milliseconds of the match."""
        self.drawn = 0
        """Public moves of chance."""
        self.lapses: tuple[int, ...] = (0,) * seats
        """Turns of each seat that have lapsed in a row."""
        self.passed = 0
        """How often, with days, somebody was waited for who was not before."""
        self.awaited: dict[int, int] = {}
        """Seat -> that number when the match began to wait for it."""
        self._mover = self.holders[0]
        """Who made the last turn: mixes a new deal first."""
        self._foreseen: Foreseen | None = None

    def branch(self) -> "Fold":
        """Return a fold that goes on from here by itself, and knows no seat's time."""
        other: Fold = _apart(self)
        vars(other).pop("is_early", None)
        return other

    def apply(self, line: Line, *, strict: bool = False) -> None:
        """Fold in the next entry, whose signatures have been checked.

        While somebody is out of step, what does not fit here may fit there: it stands
        in the log and changes nothing.

        Args:
            line: The entry.
            strict: Refuse that, as a host does that enters it.

        Raises:
            PeerError: The author may not say that now; nothing has changed.
            IllegalMoveError: The rules forbid the move; nothing has changed.
        """
        moves, handed, state = self.moves, self.handed, self.state
        host, required, electors = self.host, self.required, self.electors
        # All that a move, or chance after it, may change.  Rounds and clocks are left
        # out: they change once nothing can be refused.  What is marked is never changed
        # in place, but for the history: its new end is cut.
        chance = self.drawn, self.faces, self.drawn_by, self.ticks, self.owing
        said = self.lapses, self.offers, self.claims, self.resigned, self.hands
        agreement, at, past = self.agreement, self.at, len(self.history)
        seen = agreement.standing, agreement.found, agreement.said
        self.at, self._strict = line.entry.at, strict
        try:
            self._take(line)
            if self.stuck:
                self._settle()
            if self.claims.standing or (self.claims.made and self.moves > moves):
                moved = self.moves > moves or self.handed > handed
                self._after_claims(line, moved=moved)
        except (PeerError, IllegalMoveError):
            self.moves, self.at = moves, at
            self.drawn, self.faces, self.drawn_by, self.ticks, self.owing = chance
            self.lapses, self.offers, self.claims, self.resigned, self.hands = said
            self._stand(state)
            agreement.standing, agreement.found, agreement.said = seen
            self._choose()
            del self.history[past:]
            apart = agreement.standing and not strict
            if not apart or isinstance(line.body, log.Genesis | log.Term | log.Hand):
                raise
            required = self.required
        if self.required is not required:
            self._close_rounds(another=self.host != host)
        self.number += 1
        if self.moves > moves:
            self._heads.clear()
        elif not self.hz and line.entry.number:
            self._heads.add(line.entry.prev)
        if self.electors is not electors:
            self._constitute(self.number)
        if self.clocks.counting or self.terms.days:
            self._count_time(moved=self.moves > moves)

    def _count_time(self, *, moved: bool) -> None:
        """Note whose time runs behind an entry: that of who is waited for."""
        if self.clocks.counting:
            late = self.late
            on = tuple(sorted(late or {s for s in self.actors if s >= 0}))
            asked, owing = self.clocks.answering(self.state), bool(late)
            self.clocks.pass_to(on, self.at, moved=moved, asked=asked, owing=owing)
        if self.terms.days:
            # Nobody's days run for what another keeps from it: tiles, or a seed.
            awaited, before = self.overdue(), self.awaited
            self.passed += not awaited <= before.keys()
            self.awaited = {seat: before.get(seat, self.passed) for seat in awaited}

    def _close_rounds(self, *, another: bool) -> None:
        """Begin rounds again, or close them, as who must take part has changed.

        Args:
            another: Whether there is another host, and dealer.
        """
        if self.over:
            return
        begun = self.rounds.restart() if another else []
        begun += self.rounds.close(self.required, self.host)
        name = next(one.name for one in self.members if one.key == self.host)
        fresh = (Again(self.number, each, name, another) for each in begun)
        self.again = (*self.again, *fresh)

    def _take(self, line: Line) -> None:
        """Fold in what a body says."""
        author, body = line.entry.author, line.body
        if self.gone and not isinstance(body, log.Term | log.Hand):
            raise PeerError(Code.UNEXPECTED, "before a seat has passed")
        match body:
            case log.Genesis():
                clocks.check_genesis(self.terms, self.members, author, body)
                self._set(self.state)
            case log.Turn():
                self._turn(line, body)
            case log.Ticks():
                self._ticks(author, body)
            case log.Clock():
                self._clock(author, body)
            case log.Term():
                self._term(line, body)
            case log.Hand():
                self._hand(author, body)
            case log.Position():
                self._position(line, body)
            case log.Late() | log.Judgement() | log.Wish() | log.Response():
                self._between(line, body)
            case _:
                self._chance(author, body)

    def _between(
        self, line: Line, body: log.Late | log.Judgement | log.Wish | log.Response
    ) -> None:
        """Take what players claim, offer and answer one another."""
        match body:
            case log.Late():
                self._late(line, body)
            case log.Judgement():
                self._judge(line.entry.author, body)
            case log.Wish():
                self._offer(line, body)
            case log.Response():
                self._respond(line, body)

    def _chance(self, author: bytes, body: ChanceBody | MaskedBody | log.Face) -> None:
        """Take a member's part in chance."""
        match body:
            case log.Face():
                if not isinstance(self.next_chance(), Show):
                    raise PeerError(Code.UNEXPECTED, "tiles turned up")
                for proof in body.proofs:
                    self.check_proof(author, proof)
                self._note_faces(body.proofs)
            case log.Open() if self.bag is not None:
                self.bag.open(author, body, over=self.over)
            case log.Open() if not self.over:
                raise PeerError(Code.UNEXPECTED, "an opening before the end")
            case log.Commit() | log.Seed() | log.Root() | log.Open():
                self.rounds.on_body(author, body, self.required, self.host)
            case _ if self.bag is None or self.over:
                raise PeerError(Code.UNEXPECTED, "no encrypted bag is in play")
            case _:
                self.bag.on_body(author, body, self.owners(), self.number)

    def owners(self) -> dict[int, bytes]:
        """Return whose the tiles on racks are, of those that not everybody knows."""
        return owners(tiles_of(self.game, self.state), self.holders, self.faces)

    def _position(self, line: Line, body: log.Position) -> None:
        """Take a member's word on what it sees, at the end or in a dispute."""
        author = line.entry.author
        if author not in self.holders:
            raise PeerError(Code.NOT_A_MEMBER, "who has no seat has no position")
        if not self.hz and not self.is_after(body.after, line.entry.prev):
            raise PeerError(Code.STALE)
        self.agreement.say(self.number, author, body.state)
        self._agrees(author, body.state, strict=False)

    def _turn(self, line: Line, body: log.Turn) -> None:
        """Play a seat's move."""
        author, seat = line.entry.author, body.seat
        self._check_seat(author, seat)
        seen = self._foreseen
        move = (
            seen.move
            if seen is not None and seen.raw == body.move
            else unpack(body.move, self.game.ABOUT.move)
        )
        if isinstance(move, Resign):
            self._resign(author, seat, move)
            return
        if self.hz:
            raise PeerError(Code.UNEXPECTED, "a turn in a game of ticks")
        if not self.is_after(body.after, line.entry.prev):
            raise PeerError(Code.STALE)
        if not self._agrees(author, body.state, strict=self._strict):
            return
        if seat not in self.actors:
            raise PeerError(Code.NOT_YOUR_TURN)
        # Nobody comes behind a claim for the second time, or before what others need.
        if self.claims.standing and self.timed and self.claims.blocks(seat):
            raise PeerError(Code.UNEXPECTED, "claimed, and once before")
        bag = self.bag
        if bag is not None and not bag.may_move(author, self.owners()):
            raise PeerError(Code.UNEXPECTED, "tiles of others are to be lifted first")
        if self._tiled is not None or body.proofs:
            shown = unproved(self.game, self.state, move)
            check_shown(partial(self.check_proof, author), shown, body.proofs)
            self._note_faces(body.proofs)
        self._mover = author
        self._play(seat, move)
        if self.lapses[seat]:
            self.lapses = clocks.counted(self.lapses, seat, lapses=False)

    def _resign(self, author: bytes, seat: int, move: Resign) -> None:
        """Let somebody give a seat up, in a match that its players have not ended."""
        if self.ended is not None:
            raise IllegalMoveError("The game is over.")
        self._play(seat, move)
        self._leave(seat)
        gone = not self.over and author not in self.required
        if gone and self.rounds.owes_seed(author, self.host):
            # It may know what the others' seeds come to without its own.
            raise PeerError(Code.UNEXPECTED, "a seed of chance must be shown first")

    @property
    def timed(self) -> bool:
        """Whether time is limited: else a claim is its author's word and no more."""
        return bool(self.terms.days or self.clocks.counting)

    @property
    def withholding(self) -> set[int]:
        """The seats of those who owe the match what only they can say."""
        late = self.late
        if self.bag is not None and not late and not self.stuck:
            # On turn itself, and cannot move before it has said what it owes.
            bag, owners_ = self.bag, self.owners()
            on = {seat for seat in self.actors if seat >= 0}
            return {seat for seat in on if bag.owes(self.holders[seat], owners_)}
        if late or not self.stuck:
            return late
        likely = self.next_chance()
        keys = self.rounds.owing(self.required, self.host)
        if isinstance(likely, Show):
            tiles = tiles_of(self.game, self.state)
            seat = None if tiles is None else owner(tiles, likely.tile)
            masked = self.bag is not None and seat is not None
            keys |= {self.holders[seat] if masked and seat is not None else self.host}
        return {seat for seat, key in enumerate(self.holders) if key in keys}

    def overdue(self) -> set[int]:
        """Return who would be late: who withholds something, else who is on turn."""
        return self.withholding or {seat for seat in self.actors if seat >= 0}

    def claimable(self) -> set[int]:
        """Return against whom a claim may be: minutes of a turn have a Clock.

        Not against who has left: nothing more can be taken from it.
        """
        late = self.overdue() if self.terms.days else self.withholding
        return late - self.resigned

    def _late(self, line: Line, body: log.Late) -> None:
        """Note that a seat has had its time, as somebody says who waits for it."""
        author, seat = line.entry.author, body.seat
        if self.hz:
            raise PeerError(Code.UNEXPECTED, "nobody is waited for here")
        if author not in self.electors or seat >= len(self.holders):
            raise PeerError(Code.NOT_A_MEMBER, "who has no seat claims nothing")
        if author == self.holders[seat]:
            raise PeerError(Code.UNEXPECTED, "a claim against oneself")
        if not self.is_after(body.after, line.entry.prev):
            raise PeerError(Code.STALE)
        if not self._agrees(author, body.state, strict=self._strict):
            return
        if seat not in self.claimable():
            raise PeerError(Code.NOT_YOUR_TURN)
        # Where others judge, no host refuses by its own record what is against itself.
        judged = (
            self.holders[seat] == self.host and len(self.electors) > clocks.CONTESTING
        )
        if self._strict and not judged and self.is_early(seat):
            raise PeerError(Code.TOO_EARLY)
        self._check_words(author, self.holders[seat], body.words)
        head = hashlib.sha256(line.raw).digest()
        claim = clocks.Claimed(
            head, self.number, seat, author, body.over, words=body.words
        )
        self.claims = self.claims.add(claim, keepers=bool(self.terms.keepers))

    def _check_words(
        self, author: bytes, late: bytes, words: Sequence[NothingLeft]
    ) -> None:
        """Check what keepers have signed behind a claim: one word each, of its letters.

        Raises:
            PeerError: BAD_PROOF or BAD_SIGNATURE.
        """
        place = late, author, box(self.match, late, author)
        if len({word.keeper for word in words}) != len(words):
            raise PeerError(Code.BAD_PROOF, "two words of one keeper")
        for word in words:
            about = word.author, word.to, word.box
            named = word.keeper in self.terms.keepers
            if not named or about != place or word.since > word.at:
                raise PeerError(Code.BAD_PROOF, "a keeper's word that does not count")
            check_word(word)

    def _judge(self, author: bytes, body: log.Judgement) -> None:
        """Take what a member's own record says of a claim."""
        claim = self.claims.find(body.claim)
        if author not in self.electors:
            raise PeerError(Code.NOT_A_MEMBER, "who has no seat judges nothing")
        if claim is None:
            self._clear(author, body)
            return
        if not self.timed or author == claim.author or author in claim.agreed:
            raise PeerError(Code.UNEXPECTED, "nothing that is to be judged")
        own = self.holders[claim.seat] == author
        if body.agrees:
            self.claims = self.claims.agree(claim, author)
            agreed = self.claims.against(claim.seat)
            if own or (agreed is not None and clocks.is_enough(agreed, self.electors)):
                self._lapse(agreed or claim, contested=False)
        elif not own:
            self.claims = self.claims.without(claim)
        elif not self.claims.is_spent(claim.seat):
            raise PeerError(Code.UNEXPECTED, "a turn is the answer, the first time")
        elif len(self.electors) <= clocks.CONTESTING:
            self._lapse(claim, contested=True)
        elif claim.objected:
            raise PeerError(Code.UNEXPECTED, "that is said already")
        else:
            self.claims = self.claims.object_to(claim)

    def _clear(self, author: bytes, body: log.Judgement) -> None:
        """Take back that a turn was late, as keepers show whom the terms name."""
        for one in body.receipts:
            if one.author != author or one.keeper not in self.terms.keepers:
                raise PeerError(Code.BAD_PROOF, "a keeper's word that does not count")
            check_word(one)
        own = self.seats_of(author)
        cleared = self.claims.cleared(body.claim, own, body.receipts)
        belied = self.claims.belied(self.number, body.claim, body.receipts)
        # Who has signed both has lied to one of the two: nobody can tell to which.
        self.claims = cleared if belied is self.claims else belied

    def _lapse(self, claim: clocks.Claimed, *, contested: bool) -> None:
        """Let what a seat has to do lapse."""
        seat = claim.seat
        self.claims = self.claims.taken(claim, self.number, contested=contested)
        # No turn passes by what nobody can tell, or a host that lies would take some.
        last = clocks.lapsed(self.game, self.state, seat, self.lapses[seat])
        move = Resign() if contested else last
        self._play(seat, move)
        self.lapses = clocks.counted(self.lapses, seat, lapses=True)
        self.solid = len(self.history)
        if isinstance(move, Resign):
            self._leave(seat)
        if self.over and contested:
            self.claims = replace(self.claims, contested=True)

    def _after_claims(self, line: Line, *, moved: bool) -> None:
        """Let claims fall that an entry has answered, or overtaken."""
        said = isinstance(
            line.body, log.Late | log.Judgement | log.Wish | log.Response | log.Hand
        )
        author = b"" if said or not self.timed else line.entry.author
        came = {seat for seat, key in enumerate(self.holders) if key == author}
        stays = set[int]() if self.over else self.claimable()
        turn = isinstance(line.body, log.Turn)
        about = subject(line.entry.author_signature) if turn else b""
        place = self.number, about
        self.claims = self.claims.after(place, stays, came, moved=moved)

    def check_proof(self, author: bytes, proof: log.Proof) -> None:
        """Check that a tile is what a proof says.

        Args:
            author: Who says so: in an encrypted match whoever holds the tile.
            proof: What is said.

        Raises:
            PeerError: BAD_PROOF.
        """
        if self.bag is None:
            check_proof(self.rounds, proof)
        elif self.owners().get(proof.tile) != author:
            raise PeerError(Code.BAD_PROOF, f"tile {proof.tile} is another's")
        else:
            self.bag.check_proof(author, proof)

    def foresee(self, state: Any, actor: int, move: Any, raw: bytes) -> None:  # noqa: ANN401 (a game's own)
        """Check a move by the rules, before it is in the log.

        Args:
            state: As the actor sees it.
            actor: Whose move.
            move: The game's move.
            raw: The same, encoded.

        Raises:
            IllegalMoveError: The rules forbid it.
        """
        after = self.game.play(state, actor, move)
        self._foreseen = Foreseen(state, actor, move, after, raw)

    def _play(self, actor: int, move: Any) -> None:  # noqa: ANN401 (a game's own)
        """Play a move by a seat or the clock."""
        seen, self._foreseen = self._foreseen, None
        if (
            seen is not None
            and seen.state is self.state
            and (seen.actor, seen.move) == (actor, move)
        ):
            after = seen.after  # where nothing is hidden the rules are asked once
        else:
            after = self.game.play(self.state, actor, move)
        self._set(after)
        self.history.append(Past(self.number, actor, move, self.at))
        self.moves += 1
        if self.offers.made:
            self.offers = self.offers.after_move()

    def _set(self, state: Any) -> None:  # noqa: ANN401 (a game's own)
        """Take the next state; a new deal opens a round, or is to be mixed."""
        before = self.state
        self._stand(state)
        if self._tiled is None:
            return
        tiles = self._tiled.tiles(state)
        number, bag = tiles.deal + 1, self.bag
        if (self.rounds if bag is None else bag).has(number):
            return
        waiting = pending(tiles)
        first = tiles.first if waiting is None else waiting
        size = tiles.end - first
        if bag is not None:
            old = sources(self._tiled.tiles(before)) if bag.deals else ()
            bag.begin_deal(MaskedDeal(number, first, size, old, self._mover))
        elif size:
            self.rounds.open(number, first, size)

    def _ticks(self, author: bytes, body: log.Ticks) -> None:
        """Let a seat's own time pass."""
        seat, public = body.seat, self.rounds.get(PUBLIC)
        self._check_seat(author, seat)
        if not self.hz or public is None or public.key is None:
            raise PeerError(Code.UNEXPECTED, "ticks of a game without, or too early")
        since = self.ticks[seat]
        wells = ticking.Wells(self.state, self.drawn, hands=self.hands)
        wells = ticking.stretch(self.game, public.key, wells, since, body)
        owing, last = self.owing[seat], body.until - ticking.OVERDUE_TICKS
        if ticking.overdue(self.game, wells.state, seat, owing, last):
            raise PeerError(Code.UNEXPECTED, "rows that were to rise")
        if bool(body.well) != is_to_be_named(self.hz, since, body.until):
            raise PeerError(Code.UNEXPECTED, "a well that is to be named once a second")
        if not self._agrees_on(author, body, wells.state):
            return
        self.drawn, self.hands = wells.drawn, wells.hands
        self.ticks = put_at(self.ticks, seat, body.until)
        at = self.state, wells.state, self.ticks
        self.owing = ticking.owing_after(self.game, self.owing, *at)
        self._stand(wells.state)
        self.history += (
            Past(self.number, actor, move, self.at) for actor, move in wells.happened
        )

    def _clock(self, author: bytes, body: log.Clock) -> None:
        """Play a move by the clock, which the host keeps."""
        if author != self.host or self.hz:
            raise PeerError(Code.UNEXPECTED, "a move by the clock")
        move = unpack(body.move, self.game.ABOUT.move)
        if not self._agrees(author, body.state, strict=self._strict):
            return
        up = [due.at for due in self.due() if due.move == move and due.at <= self.at]
        if not up:
            raise PeerError(Code.STALE, "that time is not up")
        self.rung = up[0]
        self._play(CLOCK, move)
        self.clocks.on_move(move)

    def due(self) -> list[clocks.Due]:
        """Return what the clock may do and when, nothing while it does not run."""
        running = CLOCK in self.actors and self.clocks.counting
        # No turn ends for a wrong part of a mask: nobody can make one any more.
        running = running and not (self.bag is not None and self.bag.cheat)
        due = list(self.clocks.due(self.game, self.state)) if running else []
        if due and self.late:  # no turn ends for what others withhold
            return [one for one in due if self.clocks.fined(one.move) is not None]
        return due

    @property
    def late(self) -> set[int]:
        """The seats of those who keep the one on turn from reading its tiles."""
        if self.bag is None:
            return set()
        on, owners_ = {self.holders[s] for s in self.actors if s >= 0}, self.owners()
        keys = {late for key in on for late in self.bag.late(key, owners_)}
        return {seat for seat, key in enumerate(self.holders) if key in keys}

    def _note_faces(self, proofs: Sequence[log.Proof]) -> None:
        """Remember the kinds of tiles that were proved to all."""
        proved = {proof.tile: proof.kind for proof in proofs}
        self.faces = {**self.faces, **proved}

    def next_chance(self) -> Any:  # noqa: ANN401 (a game's own)
        """Return the first move that CHANCE might make, None if it has none."""
        if not self.stuck:
            return None
        return next(self.game.moves(self.state, CHANCE))

    def _settle(self) -> None:
        """Play every move of CHANCE that the log has decided."""
        while (likely := self.next_chance()) is not None:
            move = self._decided(likely)
            if move is None:
                return
            tiles = tiles_of(self.game, self.state)
            if isinstance(move, Reveal) and tiles is not None:
                seat = owner(tiles, move.tile)
                assert seat is not None  # it is on a rack
                self.drawn_by = {**self.drawn_by, move.tile: seat}
            self._set(self.game.play(self.state, CHANCE, move))
            self.history.append(Past(self.number, CHANCE, move, self.at))

    def _decided(self, likely: Any) -> Any:  # noqa: ANN401 (a game's own)
        """Return what CHANCE does, None if the log has not decided it."""
        match likely:
            case Reveal():
                if self.bag is not None:
                    return likely  # whoever owns it reads it later
                round_ = self.rounds.deal_of(likely.tile)
                return likely if round_ is not None and round_.fixed else None
            case Show():
                kind = self.faces.get(likely.tile)
                return None if kind is None else Show(likely.tile, kind)
            case _:
                self.rounds.open(PUBLIC)
                self.rounds.settle(self.host)
                round_ = self.rounds.get(PUBLIC)
                if round_ is None or round_.key is None:
                    return None
                self.drawn += 1
                return chosen(self.game, self.state, round_.key, self.drawn - 1)
