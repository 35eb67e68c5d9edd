"""The encrypted bag of a match, as its log tells it.

Theory of operation.  Holders are those who play a seat.  Each shows the open half of
its mask (`Mask`); then each in turn mixes the bag of the first deal (`Mix`); three or
four spread parts of their masks (`Spare`), so that one may leave.  From then on every
holder takes its mask off the tiles that others have drawn (`Lift`): the owner alone,
who keeps its own share, can read them.  Later deals are mixed while play goes on.

A deal is *ready* once all holders have mixed it.  When one leaves a new *epoch*
begins: what was left of its mask goes to the others, and tiles that were not complete
are lifted anew.  Before the first deal is ready everything simply begins again.

The fold checks every proof but those of mixes, which take too long for it: whoever
lifts, or mixes on, checks them before (`match.masks`), and so does `verify`.  A
false one stops the match, and its entry is the evidence.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from netplay.bag import group
from netplay.bag.lift import Author, Share, Spread, check_spread, fits, part
from netplay.bag.shuffle import BESIDES, PER_TILE, Step, check
from netplay.errors import Code, PeerError
from netplay.messages.log import Blame, Lift, Mask, Mix, Open, Proof, Spare
from netplay.messages.table import Terms
from netplay.record.log import match_of
from netplay.record.playable import Playable, tiles_of
from netplay.record.proving import Proved
from rules.tiles import Tiles, bag

# Decks of an encrypted bag as a log has them, and what its tiles turn out to be.


MOST_TILES: Final = 140
"""In a deck: a shuffle with its proof has to fit a body of the log."""


def read_deck(data: bytes) -> group.Deck:
    """Return the deck that bytes are; whoever multiplies its points checks them.

    Raises:
        BagError: It has too many tiles, or none.
    """
    words = group.split(data)
    if not words or len(words) % 2 or len(words) > 2 * MOST_TILES:
        raise group.BagError("a deck has from 1 to 140 tiles, two points each")
    return tuple(map(group.Masked, words[::2], words[1::2]))


@lru_cache(maxsize=16)
def kinds_by_point(match: bytes, kinds: int) -> Mapping[group.Point, int]:
    """Return which kind each point stands for, of so many kinds."""
    return {group.kind_point(match, kind): kind for kind in range(kinds)}


def kind_of(match: bytes, kinds: int, point: group.Point) -> int:
    """Return the kind that an unmasked tile is.

    Raises:
        BagError: It is none: a part that was taken off was wrong.
    """
    found = kinds_by_point(match, kinds).get(point)
    if found is None:
        raise group.BagError("a tile without its masks is of no kind")
    return found


# The mixings of an encrypted bag: what stands in the log, and what is due.


Key: TypeAlias = bytes


class Mixed(NamedTuple):
    """A mixing that stands in the log."""

    number: int
    """The entry."""
    step: Step
    old: bytes
    deck: bytes
    proof: bytes

    def check(self) -> None:
        """Check that the deck is the old one in another order under other masks.

        Takes 60 ms for a hundred tiles.

        Raises:
            BagError: Not so.
        """
        check(self.step, read_deck(self.old), read_deck(self.deck), self.proof)


class Wanted(NamedTuple):
    """The mixing that is due."""

    mixer: Key
    step: Step
    old: bytes
    """The deck to be mixed."""


class MaskedDeal:
    """A deal of tiles, from the deck it begins with to the one that is drawn from."""

    def __init__(
        self, number: int, first: int, size: int, sources: Sequence[int], starter: Key
    ) -> None:
        """Begin.

        Args:
            number: The deal + 1.
            first: Number of its first tile.
            size: How many there are.
            sources: Which tiles go into it; none for the first deal.
            starter: Who mixes first.
        """
        self.number: Final = number
        self.first: Final = first
        self.size: Final = size
        self.sources: Final = tuple(sources)
        self.starter: Final = starter
        self.start = b""
        """The deck that it begins with, once that was asked for."""
        self.mixed: list[Mixed] = []
        self.ready = False

    def holds(self, tile: int) -> bool:
        """Tell whether a number belongs to this deal."""
        return self.first <= tile < self.first + self.size

    def mixer(self, holders: Sequence[Key]) -> Key | None:
        """Return who mixes next: the starter first, the others in members' order."""
        at = holders.index(self.starter) if self.starter in holders else 0
        done = {one.step.author.key for one in self.mixed}
        return next((k for k in (*holders[at:], *holders[:at]) if k not in done), None)


# Who holds an encrypted bag: their masks, what they have spread, and who has left.


class Leaving(NamedTuple):
    """How a holder's mask passed to the others."""

    leaver: Key
    epoch: int
    """In which the others' masks are so."""
    spread: Spread | None
    """What it had spread; None if it showed its mask."""
    rest: int
    """What the first of the others takes over: the rest, or all of it."""
    first: Key


class Holding:
    """The holders of a bag, and its deals."""

    def __init__(self, match: bytes) -> None:
        """Begin without holders."""
        self.match: Final = match
        self.holders: tuple[Key, ...] = ()
        """Who plays a seat, in the order of members."""
        self.keys: dict[Key, Mask] = {}
        """What holders have shown, those too who have left."""
        self.masks: dict[Key, group.Point] = {}
        """Of each holder, its mask times G in this epoch."""
        self.epoch = 0
        self.since = 0
        """The entry by which the holders became these."""
        self.begun = False
        """Whether the bag was ever ready: tiles may have been read."""
        self.deals: list[MaskedDeal] = []
        self._void: list[Mixed] = []
        """Mixings of a bag that somebody has left before it was ready."""
        self.pairs: dict[int, group.Masked] = {}
        """Number -> masked tile, of deals that are ready."""
        self.spares: dict[Key, Spread] = {}
        """What holders have spread in this epoch."""
        self.parts: dict[int, dict[Key, group.Point]] = {}
        """Number -> holder -> its share, of tiles that are not complete."""
        self.left: list[Leaving] = []
        self.awaited: dict[Key, group.Point] = {}
        """Who has left and has to show its mask, and that times G."""
        self._common: group.Point | None = None

    def seat(self, holders: tuple[Key, ...], number: int) -> None:
        """Take note of who plays a seat.

        Args:
            holders: In the order of members.
            number: The entry by which it became so.
        """
        gone = [key for key in self.holders if key not in holders]
        self.holders, self.since = holders, number
        if not self.begun:
            # All that was mixed is void: nothing was drawn from it yet.
            self.masks = {k: self.keys[k].mask for k in self.holders if k in self.keys}
            self.spares.clear()
            self.pairs.clear()
            self._common = None
            for deal in self.deals:
                self._void += deal.mixed
                deal.mixed, deal.ready, deal.start = [], False, b""
            return
        for key in gone:
            self._leave(key)
        self._look()

    def _leave(self, leaver: Key) -> None:
        """Begin another epoch without somebody."""
        spread, point = self.spares.get(leaver), self.masks.pop(leaver)
        self.epoch += 1
        self.parts.clear()
        self.spares = {}
        if spread is None or not self.holders:
            self.awaited[leaver] = point
            return
        for key, more in spread.points.items():
            if key in self.masks:
                self.masks[key] = group.plus(self.masks[key], more)
        self._take_over(leaver, spread, spread.rest)

    def _take_over(self, leaver: Key, spread: Spread | None, rest: int) -> None:
        """Give the first holder what is said openly of a leaver's mask."""
        first = self.holders[0]
        self.masks[first] = group.plus(self.masks[first], group.base(rest))
        self.left.append(Leaving(leaver, self.epoch, spread, rest, first))

    # What is so.

    @property
    def common(self) -> group.Point:
        """Y: the sum of all masks times G, as long as the match lasts."""
        if self._common is None:
            self._common = group.total(self.masks[key] for key in self.holders)
        return self._common

    @property
    def mixings(self) -> Iterator[Mixed]:
        """All that stand in the log: a false one is evidence where it is void, too."""
        yield from self._void
        for deal in self.deals:
            yield from deal.mixed

    def said_by(self, dealer: Key, epoch: int) -> Spread | None:
        """Return what a holder has spread in an epoch, be it the one it left in."""
        if epoch == self.epoch:
            return self.spares.get(dealer)
        made = (
            one for one in self.left if (one.leaver, one.epoch - 1) == (dealer, epoch)
        )
        return next((one.spread for one in made), None)

    def lacks_spare(self) -> list[Key]:
        """Return who has to spread its mask: with three holders or more, all."""
        early = self.awaited or not self.deals or not self.deals[0].ready
        if early or len(self.holders) < 3:
            return []
        return [key for key in self.holders if key not in self.spares]

    def has(self, number: int) -> bool:
        """Tell whether a deal has begun."""
        return any(deal.number == number for deal in self.deals)

    def begin_deal(self, deal: MaskedDeal) -> None:
        """Begin a deal."""
        self.deals.append(deal)

    def deal_of(self, tile: int) -> MaskedDeal | None:
        """Return the deal that a number belongs to."""
        return next((deal for deal in self.deals if deal.holds(tile)), None)

    def _look(self) -> None:
        """Note which deals have become ready, and whether the bag has."""
        for deal in self.deals:
            if deal.ready or not deal.mixed or deal.mixer(self.holders) is not None:
                continue
            deal.ready = True
            self.pairs.update(enumerate(read_deck(deal.mixed[-1].deck), deal.first))
        first = bool(self.deals) and self.deals[0].ready
        self.begun = self.begun or (first and not self.lacks_spare())


MaskedBody: TypeAlias = Mask | Mix | Spare | Lift | Blame

Owners: TypeAlias = Mapping[int, Key]
"""Number -> whose, of the tiles on racks that not everybody knows."""


class Phase(Enum):
    """What an encrypted bag waits for."""

    KEYING = "a holder has shown no mask"
    MIXING = "not all have mixed the oldest deal"
    SPARING = "a holder has not spread its mask, or has left without"
    READY = "nothing but lifts"


class Reading(NamedTuple):
    """What an owner needs to read a tile, besides its own share."""

    owner: Key
    epoch: int
    mask: group.Point
    """The owner's mask times G then."""
    taken: group.Point
    """The sum of all others' shares."""


class MaskedBag(Holding):
    """Everything that a log says of an encrypted bag."""

    def __init__(self, match: bytes, kinds: Sequence[int], counts: int) -> None:
        """Begin without holders.

        Args:
            match: The match.
            kinds: Of all tiles, ascending.
            counts: How many kinds there are.

        Raises:
            PeerError: UNEXPECTED, there are too many tiles.
        """
        if not 0 < len(kinds) <= MOST_TILES:
            raise PeerError(Code.UNEXPECTED, "tiles for an encrypted bag")
        super().__init__(match)
        self._kinds: Final = tuple(kinds)
        self._counts: Final = counts
        self.opened: dict[Key, int] = {}
        """Masks shown at the end."""
        self.proved = Proved()
        self.cheat: Key | None = None
        """Who gave a wrong part of its mask, proved by a Blame."""
        self._read: dict[int, Reading] = {}

    # What is so.

    @property
    def phase(self) -> Phase:
        """What the bag waits for."""
        if any(key not in self.masks for key in self.holders):
            return Phase.KEYING
        if self.wanted() is not None:
            return Phase.MIXING
        if self.lacks_spare() or self.awaited:
            return Phase.SPARING
        return Phase.READY

    @property
    def lifting(self) -> bool:
        """Whether tiles may be lifted: a holder that leaves would not stop that."""
        return self.begun and not (self.awaited or self.lacks_spare() or self.cheat)

    def wanted(self) -> Wanted | None:
        """Return the mixing that is due, None if there is none, or a key is missing."""
        deal = next((deal for deal in self.deals if not deal.ready), None)
        if deal is None or any(key not in self.masks for key in self.holders):
            return None
        mixer = deal.mixer(self.holders)
        if mixer is None:
            return None
        author = Author(self.match, mixer)
        step = Step(author, deal.number, len(deal.mixed), self.common)
        if not deal.start and deal is self.deals[0]:
            first = group.first_deck(self.match, self._kinds, self.common)
            deal.start = group.joined(first)
        elif not deal.start:
            deal.start = group.joined(tuple(self.pairs[tile] for tile in deal.sources))
        old = deal.mixed[-1].deck if deal.mixed else deal.start
        return Wanted(mixer, step, old)

    def reading(self, tile: int, owner: Key) -> Reading | None:
        """Return what an owner needs to read its tile, None while that is missing."""
        known = self._read.get(tile)
        if known is not None and known.owner == owner:
            return known
        alone = self.holders == (owner,) and not self.awaited
        if alone and tile in self.pairs:
            return Reading(owner, self.epoch, self.masks[owner], group.IDENTITY)
        return None

    def owed(self, key: Key, owners: Owners) -> list[int]:
        """Return the tiles of others that a holder has to lift."""
        if key not in self.holders or not self.lifting:
            return []
        return [
            tile
            for tile, owner in sorted(owners.items())
            if owner != key and owner in self.holders and tile in self.pairs
            if key not in self.parts.get(tile, {})
            if self.reading(tile, owner) is None
        ]

    def unread(self, owners: Owners) -> list[int]:
        """Return the tiles whose owners cannot read them yet."""
        return [t for t, owner in owners.items() if self.reading(t, owner) is None]

    def may_move(self, key: Key, owners: Owners) -> bool:
        """Tell whether a holder may make a turn: whoever owes a lift may not."""
        return self.cheat is None and not self.owed(key, owners)

    def may_pass(self, seats: Sequence[Key], old: Key, new: Key) -> bool:
        """Tell whether a seat may pass to somebody: its tiles can be read there.

        Args:
            seats: Whose each seat is.
            old: Whose the seat was; it must be its only one.
            new: Who gets it.
        """
        known = new in self.holders and seats.count(old) == 1
        many = len(self.holders) > 2
        return known and many and (old in self.spares or not self.begun)

    def owes(self, key: Key, owners: Owners) -> bool:
        """Tell whether a holder owes anything: a key, a mixing, a spare or a lift."""
        wanted = self.wanted()
        mixes = wanted is not None and wanted.mixer == key
        leaves = key in self.awaited or key in self.lacks_spare()
        lacks = key in self.holders and key not in self.masks
        return mixes or leaves or lacks or bool(self.owed(key, owners))

    def late(self, owner: Key, owners: Owners) -> set[Key]:
        """Return for whom an owner waits who cannot read a tile of its own yet.

        Empty if it can read all.
        """
        unread = [t for t, key in owners.items() if key == owner]
        unread = [tile for tile in unread if self.reading(tile, owner) is None]
        if not unread:
            return set()
        wanted = self.wanted()
        lacking = {*self.lacks_spare(), *self.awaited}
        lacking |= {key for key in self.holders if key not in self.masks}
        if any(tile not in self.pairs for tile in unread) and wanted is not None:
            lacking.add(wanted.mixer)
        owing = {key for key in self.holders if self.owed(key, owners)}
        return (lacking or owing) - {owner}

    # What is said.

    def on_body(
        self, author: Key, body: MaskedBody, owners: Owners, number: int
    ) -> None:
        """Take what a holder says.

        Args:
            author: Who.
            body: What.
            owners: Whose the tiles on racks are.
            number: The entry.

        Raises:
            PeerError: UNEXPECTED or STALE, it has no place now; BAD_PROOF, it is not
                what it claims to be.  Nothing has changed then.
        """
        if author not in self.holders or self.cheat is not None:
            raise PeerError(Code.UNEXPECTED, "an encrypted bag takes no such thing now")
        try:
            match body:
                case Mask():
                    if author in self.keys:
                        raise PeerError(Code.UNEXPECTED, "a mask is shown once")
                    at = Author(self.match, author)
                    self.proved.key(at, body.mask, body.spare, body.proof)
                    self.keys[author] = body
                    self.masks[author] = body.mask
                case Mix():
                    self._mix(author, body, number)
                case Spare():
                    self._spare(author, body)
                case Lift():
                    self._lift(author, body, owners)
                case Blame():
                    self._blame(author, body)
        except group.BagError as error:
            raise PeerError(Code.BAD_PROOF, f"{error}") from None
        self._look()

    def _mix(self, author: Key, body: Mix, number: int) -> None:
        """Take a mixing; its proof is checked elsewhere."""
        wanted = self.wanted()
        if wanted is None:
            raise PeerError(Code.UNEXPECTED, "there is nothing to be mixed")
        place = wanted.step.round, wanted.step.step, group.digest("deck", wanted.old)
        if (body.round, body.step, body.old) != place:
            raise PeerError(Code.STALE, "another deck is to be mixed")
        if author != wanted.mixer:
            raise PeerError(Code.UNEXPECTED, "another is to mix")
        tiles = len(wanted.old) // (2 * group.BYTES)
        if (len(body.deck), len(body.proof)) != (
            len(wanted.old),
            PER_TILE * tiles + BESIDES,
        ):
            raise PeerError(Code.BAD_PROOF, "tiles were lost or added")
        made = Mixed(number, wanted.step, wanted.old, body.deck, body.proof)
        deal = next(deal for deal in self.deals if not deal.ready)
        deal.mixed.append(made)

    def _spare(self, author: Key, body: Spare) -> None:
        """Take what a holder spreads of its mask."""
        if author not in self.lacks_spare():
            raise PeerError(Code.UNEXPECTED, "a spare is not due")
        if body.epoch != self.epoch:
            raise PeerError(Code.STALE, "a spare of another epoch")
        others = [key for key in self.holders if key != author]
        if len(body.points) != len(others):
            raise PeerError(Code.BAD_PROOF, "not a part for each other holder")
        rest = group.unpacked(body.rest, zero=True)
        said = Spread(dict(zip(others, body.points, strict=True)), rest)
        check_spread(self.masks[author], said)
        self.spares[author] = said

    def _lift(self, author: Key, body: Lift, owners: Owners) -> None:
        """Take a holder's shares of tiles that others have drawn."""
        tiles, owed = body.tiles, self.owed(author, owners)
        if list(tiles) != sorted(set(tiles)) or not set(tiles) <= set(owed):
            raise PeerError(Code.UNEXPECTED, "a lift that is not due")
        if len(body.shares) != len(tiles):
            raise PeerError(Code.BAD_PROOF, "not a share of each tile")
        shares = [
            Share(tile, self.pairs[tile].a, d)
            for tile, d in zip(tiles, body.shares, strict=True)
        ]
        at = Author(self.match, author)
        self.proved.lift(at, self.masks[author], shares, body.proof)
        for share in shares:
            # Note a share, and the whole of them once it is there
            owner = owners[share.tile]
            parts = self.parts.setdefault(share.tile, {})
            parts[author] = share.d
            if parts.keys() | {owner} >= set(self.holders):
                del self.parts[share.tile]
                taken, mask = group.total(parts.values()), self.masks[owner]
                self._read[share.tile] = Reading(owner, self.epoch, mask, taken)

    def _blame(self, author: Key, body: Blame) -> None:
        """Look whether a holder has given a wrong part of its mask."""
        said = self.said_by(body.dealer, body.epoch)
        if said is None and body.epoch != self.epoch:
            raise PeerError(Code.STALE, "blame of another epoch")
        if said is None or author not in said.points:
            raise PeerError(Code.UNEXPECTED, "blame for nothing")
        at, key = Author(self.match, author), self.keys[author].spare
        theirs = self.keys[body.dealer].spare
        self.proved.lift(at, key, [Share(0, theirs, body.point)], body.proof)
        dealer = Author(self.match, body.dealer)
        if fits(said, author, part(dealer, body.epoch, author, body.point)):
            raise PeerError(Code.BAD_PROOF, "the part is the right one")
        self.cheat = body.dealer

    def open(self, author: Key, body: Open, *, over: bool) -> None:
        """Take a mask: of who has left and has to show it, or of anybody at the end.

        Raises:
            PeerError: UNEXPECTED, it is not due; STALE, it is of another epoch;
                BAD_PROOF, it is not the mask.
        """
        left = author in self.awaited
        point = self.awaited[author] if left else self.masks.get(author)
        if point is None or author in self.opened or not (left or over):
            raise PeerError(Code.UNEXPECTED, "a mask that is not to be shown")
        if body.round != self.epoch:
            raise PeerError(Code.STALE, "a mask of another epoch")
        try:
            key = group.unpacked(body.seed)
        except group.BagError as error:
            raise PeerError(Code.BAD_PROOF, f"{error}") from None
        if group.base(key) != point:
            raise PeerError(Code.BAD_PROOF, "another mask")
        if left and not over:
            del self.awaited[author]
            self._take_over(author, None, key)
        else:
            self.opened[author] = key

    def check_mix(self, number: int) -> None:
        """Check the proof of the mixing that an entry is.

        Raises:
            PeerError: BAD_PROOF.
        """
        for mixed in self.mixings:
            if mixed.number == number:
                try:
                    mixed.check()
                except group.BagError as error:
                    raise PeerError(Code.BAD_PROOF, f"{error}") from None

    def check_proof(self, author: Key, proof: Proof) -> None:
        """Check that a tile of an author's is what a proof says.

        Raises:
            PeerError: BAD_PROOF.
        """
        reading, pair = self.reading(proof.tile, author), self.pairs.get(proof.tile)
        wrong = PeerError(Code.BAD_PROOF, f"tile {proof.tile}")
        if reading is None or pair is None or proof.kind >= self._counts:
            raise wrong
        share = Share(proof.tile, pair.a, proof.salt)
        try:
            at = Author(self.match, author)
            self.proved.lift(at, reading.mask, [share], b"".join(proof.path))
            point = group.minus(pair.b, group.plus(reading.taken, share.d))
        except group.BagError:
            raise wrong from None
        if point != group.kind_point(self.match, proof.kind):
            raise wrong

    def kind_of(self, tile: int, share: group.Point, taken: group.Point) -> int:
        """Return the kind of a tile from all holders' shares.

        Raises:
            BagError: They make none.
        """
        point = group.minus(self.pairs[tile].b, group.plus(taken, share))
        return kind_of(self.match, self._counts, point)

    # The end.

    def secret(self) -> int | None:
        """Return y, the sum of all masks, once everybody has shown its own."""
        wanted = self.masks.keys() | self.awaited.keys()
        if not wanted or not self.opened.keys() >= wanted:
            return None
        return sum(self.opened.values())

    def kind(self, tile: int) -> int | None:
        """Return the kind of any tile, None while a mask has not been shown.

        Raises:
            BagError: It is none: somebody's mix was false.
        """
        secret, pair = self.secret(), self.pairs.get(tile)
        if secret is None or pair is None:
            return None
        return self.kind_of(tile, group.times(pair.a, secret), group.IDENTITY)


# What an encrypted bag has to do with the rules: which tiles, whose they are.


def may_encrypt(playable: Playable) -> bool:
    """Tell whether a game has a bag, and one that can be encrypted here."""
    tiles = tiles_of(playable.game, playable.start())
    return group.available() and tiles is not None and 0 < len(bag(tiles)) <= MOST_TILES


def masked_bag(terms: Terms, playable: Playable) -> MaskedBag | None:
    """Return the encrypted bag that terms ask for, None if they ask for none.

    Raises:
        PeerError: UNEXPECTED, the game has no tiles, or too many, or a single member
            has all the seats; RULES, the library here cannot do it.
    """
    if terms.fairness == "committed":
        return None
    tiles = tiles_of(playable.game, playable.start())
    if tiles is None or len({seat.member for seat in terms.seats}) < 2:
        raise PeerError(Code.UNEXPECTED, "an encrypted bag for this table")
    if not group.available():
        raise PeerError(Code.RULES, "an encrypted bag: libsodium here has no group")
    return MaskedBag(match_of(terms), bag(tiles), len(tiles.counts))


def owners(
    tiles: Tiles | None, holders: Sequence[bytes], known: Container[int]
) -> dict[int, bytes]:
    """Return whose the tiles on racks are, of those that not everybody knows.

    Args:
        tiles: Of the public state.
        holders: Of the seats.
        known: Numbers of tiles that were proved to all.
    """
    if tiles is None:
        return {}
    return {
        tile: holders[seat]
        for seat, rack in enumerate(tiles.racks)
        for tile in rack
        if tile not in known and tile not in tiles.open
    }


def sources(tiles: Tiles) -> tuple[int, ...]:
    """Return the tiles that the next deal is made of, as its last Reveal is played.

    What is left in the bag, then what goes back, both by number.
    """
    back = sorted(each.tile for each in tiles.returned)
    return (*range(tiles.first, tiles.end), *back)
