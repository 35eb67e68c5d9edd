"""This node's part in an encrypted bag: its secrets, and what it owes for them.

Theory of operation.  All secrets follow from the node's key and the log, so that these
two alone bring it back.  What takes long - to mix a bag, to check that others did
nothing else - is a `Job`: whoever drives the match has it done beside the loop and
brings the result.  Nobody mixes on, or lifts a tile, before it has checked every
mixing below it.

A share that is shown cannot be taken back.  So tiles are lifted only once nothing can
be dropped any more by which they are their owner's: in another history they might be
somebody else's.  The same goes for whatever is said of a mask.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from netplay.bag import group, lift
from netplay.bag.shuffle import mix, prove
from netplay.match.effects import NOTHING, Effects, Keep, Notice
from netplay.match.members import Members
from netplay.match.replica import Replica
from netplay.messages.log import Blame, Lift, LogBody, Mask, Mix, Open, Proof, Spare
from netplay.record.chance import tag
from netplay.record.hidden import SEED_BYTES, Hidden, KeptMixes
from netplay.record.ledger import Ledger
from netplay.record.log import Signer
from netplay.record.masked import MaskedBag, Mixed, Wanted, read_deck
from netplay.record.playable import kept
from netplay.said import Words
from netplay.sentences import Says
from rules.tiles import Reveal


class Check(Struct, frozen=True):
    """Check the proof of a mixing."""

    match: bytes
    mixed: Mixed

    def work(self) -> "Checked":
        """Return what comes of it."""
        try:
            self.mixed.check()
        except group.BagError as error:
            return Checked(self, f"{error}")
        return Checked(self, "")


class Checked(Struct, frozen=True):
    """What came of a check: empty words if the mixing is good."""

    job: Check
    wrong: str


class Mixing(Struct, frozen=True):
    """Mix a deck, and prove it."""

    match: bytes
    wanted: Wanted
    mask: int
    fresh: bytes

    def work(self) -> "Made":
        """Return what comes of it."""
        step, old = self.wanted.step, read_deck(self.wanted.old)
        mixing = mix(step, self.mask, old)
        proof = prove(step, self.mask, old, mixing, self.fresh)
        at = step.round, step.step, group.digest("deck", self.wanted.old)
        return Made(self, Mix(*at, group.joined(mixing.deck), proof))


class Made(Struct, frozen=True):
    """A deck that was mixed."""

    job: Mixing
    body: Mix


Job: TypeAlias = Check | Mixing
"""What takes long: done beside the loop, and given back."""

Result: TypeAlias = Checked | Made


class _Held(NamedTuple):
    """A tile of this node's, as it was read."""

    kind: int
    share: lift.Share
    """The owner's."""
    mask: int
    """The owner's, when the others had lifted the tile."""


class Masks:
    """The secrets of one node in an encrypted bag; nothing, in any other match."""

    def __init__(
        self,
        signer: Signer,
        ledger: Ledger,
        hidden: Hidden,
        members: Members,
        replica: Replica,
    ) -> None:
        """Work the secrets out.

        Args:
            signer: This node's key.
            ledger: The log.
            hidden: What was checked before; random bytes.
            members: Who takes part.
            replica: Knows what is final.
        """
        self._me: Final = signer.key
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._replica: Final = replica
        self._match: Final = ledger.fold.match
        seed = b""
        if ledger.fold.bag is not None:
            seed = signer.sign(tag("masks") + self._match)
        self._mask: Final = lift.mask_of(seed, self._match)
        self._spare: Final = lift.spare_of(seed, self._match)
        self._checked: set[Mixed] = set()
        self._false: Mixed | None = None
        self._made: Made | None = None
        self._mixing: Mixing | None = None
        self.news = 0
        """Counts the results that have come."""
        self.renew()

    def renew(self) -> None:
        """Begin anew: the log has been made anew."""
        self._bag: MaskedBag | None = self._ledger.fold.bag
        self._drawn: dict[int, int] = {}
        self._looked, self._backs = 0, self._ledger.fold.backs
        self._tiles: dict[tuple[int, int], _Held] = {}
        """(tile, epoch) -> what it is."""
        self._proofs: dict[_Held, Proof] = {}
        self._said: dict[object, LogBody] = {}
        self._fitting: dict[tuple[int, bytes, bytes], bool] = {}
        """Whose parts fit, and whose do not: said anew, a part may be another."""
        # Unless its entry was dropped it is found again.
        self._false = self._members.cheated = None
        kept, heads = self._hidden.mixes, self._ledger.log.heads
        good = kept is not None and kept.number < len(heads)
        if self._bag is None or kept is None or not good:
            return
        if heads[kept.number] == kept.head:
            mixed = self._bag.mixings
            self._checked |= {one for one in mixed if one.number < kept.number}

    # Secrets.

    def own(self, epoch: int) -> int:
        """Return this node's mask in an epoch: its own, and what leavers left it."""
        assert self._bag is not None
        found, keys = self._mask, self._bag.keys
        for left in self._bag.left:
            if left.epoch > epoch:
                continue
            if left.first == self._me:
                found += left.rest
            if left.spread is not None and self._me in left.spread.points:
                found += self._part(left.leaver, keys[left.leaver], left.epoch - 1)
        return found % group.ORDER

    def _part(self, dealer: bytes, theirs: Mask, epoch: int) -> int:
        """Return the part of a holder's mask that is for this node."""
        shared = group.times(theirs.spare, self._spare)
        return lift.part(lift.Author(self._match, dealer), epoch, self._me, shared)

    def kind(self, tile: int) -> int | None:
        """Return the kind of a tile that was drawn here, None if not known."""
        held = self._held(tile)
        return None if held is None else held.kind

    def _held(self, tile: int) -> "_Held | None":
        """Return a tile that was drawn here, None if it cannot be read.

        What it is stays known when it has left the rack: no number is used twice.
        """
        bag, fold = self._bag, self._ledger.fold
        seat = fold.drawn_by.get(tile)
        if bag is None or seat is None or fold.holders[seat] != self._me:
            return None
        reading = bag.reading(tile, self._me)
        if reading is None:
            return None
        known = self._tiles.get((tile, reading.epoch))
        if known is not None:
            return known
        own = self.own(reading.epoch)
        a = bag.pairs[tile].a
        try:
            share = lift.Share(tile, a, group.times(a, own))
            kind = bag.kind_of(tile, share.d, reading.taken)
        except group.BagError:
            return None  # somebody's mixing is false
        held = self._tiles[tile, reading.epoch] = _Held(kind, share, own)
        return held

    def proof(self, tile: int) -> Proof | None:
        """Return the proof of what a tile of this node's is, None if not known.

        Nor is anything shown any more once somebody is proved to cheat.
        """
        held = self._held(tile)
        if held is None or self.stopped is not None:
            return None
        made = self._proofs.get(held)
        if made is None:
            fresh = self._hidden.random(SEED_BYTES)
            words = lift.prove_lift(self._author, held.mask, [held.share], fresh)
            half = len(words) // 2
            path = words[:half], words[half:]
            made = self._proofs[held] = Proof(tile, held.kind, held.share.d, path)
            self._note(group.base(held.mask), (held.share,), words)
        return made

    # Work.

    def jobs(self) -> Sequence[Job]:
        """Return what is to be done beside the loop next, until it is brought."""
        if self._bag is None or self._false is not None:
            return ()
        self._know_own(self._bag)
        for mixed in self._bag.mixings:
            if mixed not in self._checked:
                return (Check(self._match, mixed),)
        wanted = self._bag.wanted()
        ours = wanted is not None and wanted.mixer == self._me
        if wanted is None or not ours or self._ledger.fold.over:
            return ()
        if self._made is not None and self._made.job.wanted == wanted:
            return ()
        if self._mixing is None or self._mixing.wanted != wanted:
            fresh = self._hidden.random(SEED_BYTES)
            self._mixing = Mixing(self._match, wanted, self._mask, fresh)
        return (self._mixing,)

    def _know_own(self, bag: MaskedBag) -> None:
        """Know the mixing that was made here when it has come into the log."""
        made = self._made
        if made is None:
            return
        for mixed in bag.mixings:
            body = mixed.deck, mixed.proof
            if mixed.step == made.job.wanted.step and body == (
                made.body.deck,
                made.body.proof,
            ):
                self._checked.add(mixed)

    def on_result(self, result: Result) -> Effects:
        """Take the result of a job."""
        self.news += 1
        if isinstance(result, Made):
            self._made = result
            return NOTHING
        mixed = result.job.mixed
        if result.wrong:
            if self._bag is None or mixed not in self._bag.mixings:
                return NOTHING  # its entry was dropped meanwhile
            self._false, name = mixed, self._members.name(mixed.step.author.key)
            self._members.cheated = Says.FALSE_MIX(name=name, number=mixed.number)
            return (Notice(self._members.cheated),)
        self._checked.add(mixed)
        return self.remember()

    def remember(self) -> Effects:
        """Keep the place up to which every proof was checked, for the next start.

        While programs have seen different positions some may have been passed over.
        """
        fold, log, kept = self._ledger.fold, self._ledger.log, self._hidden.mixes
        known = kept is not None and kept.head == log.head
        if self._bag is None or known or self.unchecked or fold.agreement.found:
            return NOTHING
        return (Keep(KeptMixes(log.number, log.head)),)

    @property
    def unchecked(self) -> bool:
        """Whether a mixing in the log has not been checked here, or is false."""
        bag = self._bag
        if bag is None:
            return False
        self._know_own(bag)
        return not self._checked.issuperset(bag.mixings)

    @property
    def stopped(self) -> bytes | None:
        """Who has been proved to cheat, so that the match cannot go on."""
        if self._bag is None:
            return None
        if self._false is not None:
            return self._false.step.author.key
        return self._bag.cheat

    @property
    def why_stopped(self) -> Words:
        """Why the match cannot go on, empty if nobody was proved to cheat."""
        if self.stopped is None:
            return ""
        name = self._members.name(self.stopped)
        if self._false is not None:
            return Says.FALSE_MIX(name=name, number=self._false.number)
        return Says.FALSE_PART(name=name)

    def hold(self, waiting: Iterable[LogBody]) -> bool:
        """Tell whether a turn of this node's has to wait for a lift that it owes.

        Once somebody is proved to cheat it waits for ever.

        Args:
            waiting: What is on its way into the log already, in front of the turn.
        """
        if self._bag is None:
            return False
        owed = self._bag.owed(self._me, self._ledger.fold.owners())
        return self.stopped is not None or not set(owed) <= _lifted(waiting)

    # What is owed.

    def owed(self, waiting: Collection[LogBody]) -> Iterator[LogBody]:
        """Yield what this node has to say of the bag now.

        Args:
            waiting: What it has said already, perhaps in an earlier run and with
                another proof, and is not in the log yet.
        """
        said = {_place(body) for body in waiting} - {()}
        for body in self._owing(waiting):
            if _place(body) not in said:
                yield body

    def _owing(self, waiting: Collection[LogBody]) -> Iterator[LogBody]:
        """Yield what is owed, lifts apart whether it waits or not."""
        bag, fold, me = self._bag, self._ledger.fold, self._me
        if bag is None or self.stopped is not None:
            return
        self._know_own(bag)
        final = self._replica.final >= len(self._ledger.log)
        settled = self._members.by_mail or self._replica.final > bag.since
        if fold.over:
            shows = (me in bag.masks or me in bag.awaited) and me not in bag.opened
            if shows and (final or self._members.by_mail):
                yield self._open(bag)
            return
        if me in bag.awaited and settled:
            yield self._open(bag)
        if me in bag.holders and me not in bag.masks:
            yield self._shown()
        if self._made is not None and self._made.job.wanted == bag.wanted():
            yield self._made.body
        if me in bag.lacks_spare() and settled:
            yield self.spread_of(bag)
        blamed = next(self._blames(bag), None)
        if blamed is not None:
            yield blamed
        elif settled:
            yield from self._lifts(bag, waiting)

    def _open(self, bag: MaskedBag) -> Open:
        """Return this node's mask, to be shown to all.

        Who has left has nothing of the epoch that began by it.
        """
        epoch = bag.epoch
        return Open(epoch, group.packed(self.own(epoch)))

    def _shown(self) -> LogBody:
        """Return the open halves of the keys, with the proof of them."""
        if Mask not in self._said:
            author, fresh = self._author, self._hidden.random(SEED_BYTES)
            proof = lift.prove_key(author, self._mask, self._spare, fresh)
            shown = group.base(self._mask), group.base(self._spare)
            self._said[Mask] = Mask(*shown, proof)
            self._note(*shown, proof)
        return self._said[Mask]

    @property
    def _author(self) -> lift.Author:
        return lift.Author(self._match, self._me)

    def spread_of(self, bag: MaskedBag) -> Spare:
        """Return what is said of the parts of this node's mask."""
        others = {k: bag.keys[k].spare for k in bag.holders if k != self._me}
        own = self.own(bag.epoch)
        said = lift.spread(self._author, bag.epoch, own, self._spare, others)
        return Spare(bag.epoch, tuple(said.points.values()), group.packed(said.rest))

    def _blames(self, bag: MaskedBag) -> Iterator[LogBody]:
        """Yield blame for the parts that do not fit what was said of them."""
        spread = [(bag.epoch, *one) for one in bag.spares.items()]
        # Whoever leaves at once behind what it has spread is blamed all the same.
        gone = ((one.epoch - 1, one.leaver, one.spread) for one in bag.left)
        spread += [(epoch, key, said) for epoch, key, said in gone if said is not None]
        for epoch, dealer, said in spread:
            point = said.points.get(self._me)
            if point is None:
                continue
            at = (epoch, dealer, point)
            if at not in self._fitting:
                mine = self._part(dealer, bag.keys[dealer], epoch)
                self._fitting[at] = lift.fits(said, self._me, mine)
            if not self._fitting[at]:
                yield self.blame_of(bag, dealer, epoch)

    def blame_of(self, bag: MaskedBag, dealer: bytes, epoch: int) -> LogBody:
        """Return the proof that a holder gave a wrong part of its mask."""
        at = (Blame, epoch, dealer)
        if at not in self._said:
            theirs = bag.keys[dealer].spare
            share = lift.Share(0, theirs, group.times(theirs, self._spare))
            fresh = self._hidden.random(SEED_BYTES)
            proof = lift.prove_lift(self._author, self._spare, [share], fresh)
            self._said[at] = Blame(epoch, dealer, share.d, proof)
        return self._said[at]

    def _lifts(self, bag: MaskedBag, waiting: Iterable[LogBody]) -> Iterator[Lift]:
        """Yield the shares of others' tiles that may be shown."""
        under_way = _lifted(waiting)
        owed = bag.owed(self._me, self._ledger.fold.owners())
        tiles = [t for t in owed if t not in under_way and self._may_lift(bag, t)]
        tiles = tiles[: lift.MOST_LIFTS]
        if not tiles:
            return
        own = self.own(bag.epoch)
        halves = [(tile, bag.pairs[tile].a) for tile in tiles]
        shares = [lift.Share(tile, a, group.times(a, own)) for tile, a in halves]
        fresh = self._hidden.random(SEED_BYTES)
        proof = lift.prove_lift(self._author, own, shares, fresh)
        self._note(bag.masks[self._me], tuple(shares), proof)
        yield Lift(tuple(tiles), tuple(share.d for share in shares), proof)

    def _note(self, mask: group.Point, *proved: object) -> None:
        """Note what was proved here: it need not be checked."""
        assert self._bag is not None
        self._bag.proved.note(self._author, mask, *proved)

    def _may_lift(self, bag: MaskedBag, tile: int) -> bool:
        """Tell whether a tile may be lifted: nothing that it rests on is in doubt."""
        for deal in bag.deals:
            if any(mixed not in self._checked for mixed in deal.mixed):
                return False
            if deal.holds(tile):
                break
        return self._members.by_mail or self._drawn_in(tile) < self._replica.final

    def _drawn_in(self, tile: int) -> int:
        """Return the entry by which a tile was drawn."""
        fold = self._ledger.fold
        history = fold.history
        self._looked = kept(fold.backs, len(self._backs), self._looked)
        for past in history[self._looked :]:
            if isinstance(past.move, Reveal):
                self._drawn[past.move.tile] = past.number
        self._looked, self._backs = len(history), fold.backs
        return self._drawn[tile]


def _place(body: LogBody) -> tuple[object, ...]:
    """Return for what a body is said that is said once, whatever its proof."""
    match body:
        case Mask():
            return (Mask,)
        case Mix(round_, step, old):
            return Mix, round_, step, old
        case Blame(epoch, dealer):
            return Blame, epoch, dealer
        case _:
            return ()


def _lifted(waiting: Iterable[LogBody]) -> set[int]:
    """Return the tiles of lifts that are on their way into the log."""
    lifts = (body for body in waiting if isinstance(body, Lift))
    return {tile for body in lifts for tile in body.tiles}
