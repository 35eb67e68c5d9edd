"""The rounds of chance in a log: who has committed, who has shown, what is fixed.

Round 0 is public chance; round d + 1 is deal d of the bag.  A round goes

    opened -> every required member commits -> they show their seeds -> fixed

and a deal's dealer (the host) shows none: it logs a `Root` instead, and its seed by an
`Open` when the match has ended.  Required are those who play a seat, and the host.

Whoever sees a seed may know the outcome, so nobody may choose by then who takes part.
Once all who are required have committed, the round is *closed*: nobody may commit any
more, and it waits for the seeds of these very members.  A round whose outcome somebody
could know begins again in two cases only, each of which everybody sees and counts: its
dealer is host no more, or one who has not shown is required no more.
"""

from collections.abc import Collection, Iterator
from typing import TypeAlias

from netplay.errors import Code, PeerError
from netplay.messages.log import Commit, Open, Root, Seed
from netplay.record.chance import Bag, Deal, commitment, public_key

PUBLIC = 0
"""The round of public chance."""

ChanceBody: TypeAlias = Commit | Seed | Root | Open

Key: TypeAlias = bytes


def _refuse(what: str, round_: int) -> PeerError:
    """Return the error for a body that has no place in a round."""
    return PeerError(Code.UNEXPECTED, f"{what} in round {round_} of chance")


class Round:
    """One round."""

    def __init__(
        self, number: int, first: int = 0, size: int = 0, again: int = 0
    ) -> None:
        """Open a round.

        Args:
            number: `PUBLIC`, or the deal + 1.
            first: Number of the first tile of the deal.
            size: Tiles in the bag of the deal.
            again: How often it has begun again.
        """
        self.number = number
        self.first = first
        self.size = size
        self.again = again
        self.parties: frozenset[Key] | None = None
        """Whose seeds make the outcome, once the round is closed."""
        self.commits: dict[Key, bytes] = {}
        self.seeds: dict[Key, bytes] = {}
        self.dealer: Key | None = None
        self.root: Root | None = None
        self.receivers: tuple[Key, ...] = ()
        """Whose the shares in the root are."""
        self.secret: bytes | None = None
        """The dealer's seed, once opened."""
        self.key: bytes | None = None
        """Of public chance, once fixed."""

    @property
    def fixed(self) -> bool:
        """Whether its outcome cannot be changed any more."""
        return self.root is not None or self.key is not None

    @property
    def deal(self) -> Deal | None:
        """The bag, once fixed."""
        if self.root is None:
            return None
        return Deal(self.number, self.first, self.size, self.root.root)

    def lacks_commit(self, required: Collection[Key]) -> set[Key]:
        """Return who must still commit."""
        if self.parties is not None:
            return set()
        return set(required).difference(self.commits)

    def close(self, required: Collection[Key]) -> None:
        """Let nobody commit any more, once all who must have."""
        if self.parties is None and not self.lacks_commit(required):
            self.parties = frozenset(required)

    def lacks_seed(self, dealer: Key) -> set[Key]:
        """Return who must show a seed now: nobody before the round is closed."""
        if self.fixed or self.parties is None:
            return set()
        silent = {dealer} if self.number != PUBLIC else set[Key]()
        return set(self.parties).difference(self.seeds) - silent

    def lacks_root(self, dealer: Key) -> bool:
        """Tell whether it is the dealer's turn to fix the bag."""
        open_ = self.number == PUBLIC or self.fixed or self.parties is None
        return not open_ and not self.lacks_seed(dealer)

    def sharers(self, required: Collection[Key], dealer: Key) -> tuple[Key, ...]:
        """Return who gets a share of the dealer's seed, in order of their keys.

        A single other member gets none: its share would be the whole seed.
        """
        others = sorted(set(required) - {dealer})
        return tuple(others) if len(others) > 1 else ()

    def bag(self, match: bytes, kinds: tuple[int, ...], secret: bytes) -> Bag:
        """Return the shuffled bag; `secret` is the dealer's seed."""
        assert self.dealer is not None
        return self.draft(match, kinds, self.dealer, secret)

    def draft(
        self, match: bytes, kinds: tuple[int, ...], dealer: Key, secret: bytes
    ) -> Bag:
        """Return the bag that a dealer is about to fix."""
        seeds = {**self.seeds, dealer: secret}
        ordered = [seeds[key] for key in sorted(seeds)]
        return Bag(match, self.number, self.first, kinds, secret, ordered)


class Rounds:
    """All rounds of a match, as its log tells them."""

    def __init__(self, match: bytes) -> None:
        """Start without any."""
        self.match = match
        self._rounds: dict[int, Round] = {}
        self.fixed = True
        """Whether all of them are fixed: nobody owes anything then."""

    def __iter__(self) -> Iterator[Round]:
        """Iterate in order of opening."""
        return iter(self._rounds.values())

    def get(self, number: int) -> Round | None:
        """Return a round if it is open."""
        return self._rounds.get(number)

    def has(self, number: int) -> bool:
        """Tell whether a round is open."""
        return number in self._rounds

    def open(self, number: int, first: int = 0, size: int = 0) -> None:
        """Open a round unless it is."""
        if number not in self._rounds:
            self._rounds[number] = Round(number, first, size)
            self.fixed = False

    def restart(self) -> list[int]:
        """Begin again every deal that is not fixed: another member deals now.

        Returns:
            The rounds that did.
        """
        unfixed = [one for one in self if one.number != PUBLIC and not one.fixed]
        return self._again(unfixed)

    def close(self, required: Collection[Key], host: Key) -> list[int]:
        """Close the rounds that may be, after who must take part has changed.

        Returns:
            The rounds that begin again, for somebody has gone whose seed they lack.
        """
        lacking = [one for one in self if one.lacks_seed(host) - set(required)]
        again = self._again(lacking)
        for round_ in self:
            round_.close(required)
        return again

    def _again(self, rounds: list[Round]) -> list[int]:
        """Begin rounds again, without what was said in them."""
        for one in rounds:
            number, again = one.number, one.again + 1
            self._rounds[number] = Round(number, one.first, one.size, again)
            self.fixed = False
        return [one.number for one in rounds]

    def owes_seed(self, key: Key, host: Key) -> bool:
        """Tell whether a member has committed to a seed that it must show now."""
        return any(key in round_.lacks_seed(host) for round_ in self)

    def owing(self, required: Collection[Key], host: Key) -> set[Key]:
        """Return who must commit, show a seed or fix a bag now."""
        found = set[Key]()
        for round_ in self:
            found |= round_.lacks_commit(required) or round_.lacks_seed(host)
            if not found and round_.lacks_root(host):
                found.add(host)
        return found

    def deal_of(self, tile: int) -> Round | None:
        """Return the open round to which a tile's number belongs."""
        for round_ in self._rounds.values():
            if round_.first <= tile < round_.first + round_.size:
                return round_
        return None

    def take(
        self, author: Key, body: ChanceBody, required: Collection[Key], host: Key
    ) -> None:
        """Take a body into its round.

        Args:
            author: Who wrote it.
            body: What it says.
            required: Who must take part at present.
            host: Who deals at present.

        Raises:
            PeerError: UNEXPECTED, it has no place there now; BAD_PROOF, the seed is
                not the one committed to.  Nothing has changed then.
        """
        round_ = self._rounds.get(body.round)
        if round_ is None:
            raise _refuse("a body", body.round)
        match body:
            case Commit():
                _commit(round_, author, body, required)
            case Seed():
                self._seed(round_, author, body, host)
            case Root():
                _root(round_, author, body, (required, host))
                self._look()
            case Open():
                self._open(round_, body)

    def settle(self, host: Key) -> None:
        """Fix public chance once everybody has shown a seed."""
        round_ = self._rounds.get(PUBLIC)
        if round_ is None or round_.fixed or not round_.seeds:
            return
        if not round_.lacks_seed(host):
            seeds = [round_.seeds[key] for key in sorted(round_.seeds)]
            round_.key = public_key(self.match, seeds)
            self._look()

    def _look(self) -> None:
        """Note whether all are fixed now."""
        self.fixed = all(round_.fixed for round_ in self)

    def _seed(self, round_: Round, author: Key, body: Seed, host: Key) -> None:
        """Take a seed, if it is its author's turn and the one committed to."""
        if author not in round_.lacks_seed(host):
            raise _refuse("a seed", round_.number)
        self._check(round_, author, body.seed)
        round_.seeds[author] = body.seed

    def _open(self, round_: Round, body: Open) -> None:
        """Take the dealer's seed; whoever logs it, the commitment proves it."""
        if round_.dealer is None or round_.secret is not None:
            raise _refuse("an opening", round_.number)
        self._check(round_, round_.dealer, body.seed)
        round_.secret = body.seed

    def _check(self, round_: Round, author: Key, seed: bytes) -> None:
        """Check a seed against its commitment."""
        fits = commitment(self.match, round_.number, author, seed)
        if fits != round_.commits[author]:
            raise PeerError(Code.BAD_PROOF, f"a seed of round {round_.number}")


def _commit(
    round_: Round, author: Key, body: Commit, required: Collection[Key]
) -> None:
    """Take a commitment of somebody who has not committed yet."""
    if author not in round_.lacks_commit(required):
        raise _refuse("a commitment", round_.number)
    round_.commits[author] = body.digest
    round_.close(required)


def _root(
    round_: Round, author: Key, body: Root, table: tuple[Collection[Key], Key]
) -> None:
    """Take the root of the bag from its dealer."""
    required, host = table
    if author != host or not round_.lacks_root(host):
        raise _refuse("a root", round_.number)
    receivers = round_.sharers(required, host)
    if body.size != round_.size or len(body.shares) != len(receivers):
        raise PeerError(Code.BAD_PROOF, f"the bag of round {round_.number}")
    round_.receivers = receivers
    round_.dealer = author
    round_.root = body
