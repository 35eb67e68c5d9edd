"""Time that is counted against players: a limit for each turn, or for all of them.

A game that counts time (`rules.game.Clocked`) lets CLOCK move; its options say how
much there is: minutes a turn, or for a whole match, and then every further minute
costs.  Time is the match's own, in the entries: it stands while chance
is being settled and while somebody is missed.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.messages import log as messages
from netplay.messages.letters import LetterReceipt, NothingLeft
from netplay.messages.table import Member, Terms
from netplay.record.letter import contradicts
from netplay.record.log import Line, Log, check_signature, terms_data
from netplay.record.masked import MaskedBag
from netplay.record.playable import Past
from netplay.said import Said, listed
from netplay.sentences import Says
from rules.game import CLOCK, Game, Resign, Seat

MINUTE: Final = 60_000
"""In milliseconds."""


class Due(NamedTuple):
    """A move by the clock, and when it may be made."""

    at: int
    """Milliseconds of the match."""
    move: Any


class Clocks:
    """What each seat has used, as the entries tell."""

    def __init__(self, game: Game[Any, Any], options: Any, seats: int) -> None:  # noqa: ANN401 (any game's)
        """Start with nothing used."""
        self._clocked = clocked = game.ABOUT.clocked
        self._turn_ms = clocked.turn_minutes(options) * MINUTE if clocked else 0
        self._match_ms = clocked.match_minutes(options) * MINUTE if clocked else 0
        self.minutes: Final = (self._turn_ms or self._match_ms) // MINUTE
        """Of a turn, or of a match; 0 without a limit."""
        self.counting = bool(self._turn_ms or self._match_ms)
        """Whether time is counted at all."""
        self._used = [0] * seats
        self._fines = [0] * seats
        self.on: tuple[int, ...] = ()
        """The seats whose time runs."""
        self._asked = self._owing = False
        self._charged_at = 0
        self.turn_since = 0
        """When the turn that is on began, in milliseconds of the match."""

    def pass_to(
        self,
        on: tuple[int, ...],
        at: int,
        *,
        moved: bool,
        asked: bool = False,
        owing: bool = False,
    ) -> None:
        """Note whose time runs from here on.

        Args:
            on: The seats that the match waits for.
            at: Milliseconds of the match.
            moved: Whether somebody has moved; alone one begins another turn by that.
            asked: Whether an announced word waits for answers; once it does no more,
                another turn begins, be it of the same seat.
            owing: Whether the seats owe tiles to one that cannot move without; once it
                is their own turn that one begins, be they the same.
        """
        for seat in self.on:
            self._used[seat] += at - self._charged_at
        self._charged_at = at
        alone = moved and len(self._used) == 1
        passed = (self._asked and not asked) or (self._owing and not owing)
        if on != self.on or alone or passed:
            self.turn_since = at
        self._asked, self._owing = asked, owing
        self.on = on

    def answering(self, state: Any) -> bool:  # noqa: ANN401 (any game's)
        """Tell whether the time runs for others to answer, not for the turn."""
        return self._clocked is not None and self._clocked.answering(state)

    def fined(self, move: Any) -> int | None:  # noqa: ANN401 (any game's)
        """Return the seat that a move by the clock fines, None if it ends the turn."""
        return None if self._clocked is None else self._clocked.fined(move)

    def on_move(self, move: Any) -> None:  # noqa: ANN401 (any game's)
        """Note a move by the clock: a seat may have paid for going over its time."""
        seat = self.fined(move)
        if seat is not None:
            self._fines[seat] += 1

    def _left(self, seat: int, at: int) -> int:
        """Return what a seat has left of its time for the whole match."""
        running = at - self._charged_at if seat in self.on else 0
        return self._match_ms - self._used[seat] - running

    def due(self, game: Game[Any, Any], state: Any) -> Iterator[Due]:  # noqa: ANN401 (any game's)
        """Yield what the clock may do, and when at the earliest.

        Args:
            game: The game.
            state: Its state, in which CLOCK may move.
        """
        for move in game.moves(state, CLOCK):
            seat = self.fined(move)
            if seat is None:
                yield Due(self.turn_since + self._turn_ms, move)
            else:
                left = self._left(seat, self._charged_at)
                fines = self._fines[seat] * MINUTE
                yield Due(self._charged_at + left + fines, move)

    def shown(self, seat: int, at: int) -> tuple[int, bool]:
        """Return a seat's milliseconds left, -1 without a limit, and if they run."""
        ticking = self.counting and seat in self.on
        if self._match_ms:
            return max(0, self._left(seat, at)), ticking
        if not self._turn_ms:
            return -1, False
        used = at - self.turn_since if ticking else 0
        return max(0, self._turn_ms - used), ticking


# Who has signed what all have to agree on: terms, another host, a seat handed over.


def quorum(electors: int) -> int:
    """Return how many must have an entry for it to stand, the host included."""
    return electors if electors <= 2 else electors - 1


class Electorate(Protocol):
    """Who has a say in a match, and who is host."""

    host: bytes
    electors: frozenset[bytes]


def elects(now: Electorate, host: bytes, voters: Iterable[bytes]) -> bool:
    """Tell whether these votes make somebody host.

    The present host has none for another: it could else, with a friend, have new deals
    as often as they like.  Where it is gone it is not missed.
    """
    counted = now.electors.intersection(voters)
    if host != now.host:
        counted -= {now.host}
    return len(counted) >= quorum(len(now.electors))


def check_genesis(
    terms: Terms, members: Sequence[Member], author: bytes, body: messages.Genesis
) -> None:
    """Check that a genesis has these terms, and that all members signed them.

    Raises:
        PeerError: BAD_LOG or BAD_SIGNATURE.
    """
    keys = [member.key for member in members]
    if body.terms != terms or author != keys[0]:
        raise PeerError(Code.BAD_LOG, "entry 0: other terms")
    if len(body.signatures) != len(keys):
        raise PeerError(Code.BAD_SIGNATURE, "not all have signed the terms")
    for key, signature in zip(keys, body.signatures, strict=True):
        check_signature(key, signature, terms_data(terms))


def check_votes(
    members: Sequence[Member], votes: Sequence[tuple[int, bytes]], data: bytes
) -> frozenset[bytes]:
    """Return who has signed something, each counted once.

    Raises:
        PeerError: BAD_SIGNATURE, or a vote of nobody.
    """
    for member, signature in votes:
        if member >= len(members):
            raise PeerError(Code.NOT_A_MEMBER, "a vote of nobody")
        check_signature(members[member].key, signature, data)
    return frozenset(members[member].key for member, _ in votes)


# Claims that a seat has had all its time, and what becomes of it then.
#
# Theory of operation. A claim (`Late`) changes nothing: it stands in the log until
# somebody moves, the seat does what it owed, or others judge it by their own records
# (`Judgement`). So no clock decides alone, and who reads the log folds the same. The
# first turn of a seat that comes behind a claim stops it, since nobody can tell whether
# it was held back; it is written down as late by the claimant's clock. From the second
# on it stops no claim. One to which its player objects then others judge, if there are
# any; else the match ends contested: no win, and no turn that could be taken by lies.
#
# In a game whose turns may lapse the turn passes, and the third in a row resigns the
# seat; in another the first does. So does who withholds tiles or seeds from others.


MOST: Final = 3
"""Turns in a row that lapse, the last of which resigns the seat."""

CLAIMS_A_TURN: Final = 4
"""Of one author against one seat: what others have refused need not be said for ever,
and who says what is false uses up nobody else's."""


WORDS_KEPT: Final = 8
"""Claims, the last ones, whose keepers' words are told of."""

CONTESTING: Final = 2
"""Electors, of whom one claims and the other objects: nobody can tell who is right."""


class Claimed(NamedTuple):
    """A claim that stands."""

    head: bytes
    """The head of the log right behind its entry."""
    number: int
    """Of that entry."""
    seat: int
    author: bytes
    over: int
    """When the time was over by its author's clock: Unix time in seconds."""
    agreed: frozenset[bytes] = frozenset()
    """Who has confirmed it."""
    objected: bool = False
    """The player of its seat, who has come behind a claim before, says no."""
    words: tuple[NothingLeft, ...] = ()
    """What keepers have signed whom the terms name: that no letter was left."""


class Stopped(NamedTuple):
    """What a seat owed came behind a claim."""

    number: int
    """Of the entry with it."""
    seat: int
    author: bytes
    """By whose clock it was late."""
    head: bytes
    """The head behind the entry of the claim."""
    over: int
    """When the time was over by that clock: Unix time in seconds."""
    about: bytes
    """What a keeper's receipt of a letter with it names; see `letter.subject`."""


class Lied(NamedTuple):
    """A keeper has signed that a letter was left, and that none was."""

    number: int
    """Of the entry that shows it."""
    head: bytes
    """Behind the claim with one of the two."""
    seat: int
    keeper: bytes


class TimeUp(NamedTuple):
    """A claim that has taken effect."""

    number: int
    """Of the entry by which it has."""
    seat: int
    author: bytes
    contested: bool
    """Its seat's player has objected, and no third confirms it."""


Proofs: TypeAlias = Sequence[LetterReceipt]


def shows(proof: LetterReceipt, late: Stopped) -> bool:
    """Tell whether a receipt shows that a turn was made in time after all."""
    return bool(late.about) and proof.about == late.about and proof.first <= late.over


class Claims(Struct, frozen=True):
    """The claims of a match, as its log tells."""

    standing: tuple[Claimed, ...] = ()
    made: tuple[tuple[int, bytes], ...] = ()
    """The seat and the author of each since the last move."""
    stopped: tuple[Stopped, ...] = ()
    done: tuple[TimeUp, ...] = ()
    contested: bool = False
    """The match has ended by a claim to which there was an objection."""
    asked: tuple[Claimed, ...] = ()
    """The last claims, if the terms name keepers: what these have said."""
    lied: tuple[Lied, ...] = ()

    def find(self, head: bytes) -> Claimed | None:
        """Return the claim behind which the log had a head, if it stands."""
        return next((one for one in self.standing if one.head == head), None)

    def against(self, seat: int) -> Claimed | None:
        """Return the claim against a seat, if one stands."""
        return next((one for one in self.standing if one.seat == seat), None)

    def is_spent(self, seat: int) -> bool:
        """Tell whether a seat has come behind a claim before: once is for nothing."""
        return any(one.seat == seat for one in self.stopped)

    def blocks(self, seat: int) -> bool:
        """Tell whether a turn of a seat stops no claim, and is none any more."""
        return self.against(seat) is not None and self.is_spent(seat)

    def add(self, claim: Claimed, *, keepers: bool) -> "Claims":
        """Return them with another.

        Args:
            claim: It.
            keepers: Whether the terms name any.

        Raises:
            PeerError: UNEXPECTED, one stands against that seat; TOO_MANY.
        """
        if self.against(claim.seat) is not None:
            raise PeerError(Code.UNEXPECTED, "that is claimed already")
        said = claim.seat, claim.author
        if self.made.count(said) >= CLAIMS_A_TURN:
            raise PeerError(Code.TOO_MANY, "claims of one turn")
        standing, made = (*self.standing, claim), (*self.made, said)
        asked = (*self.asked, claim)[-WORDS_KEPT:] if keepers else ()
        return replace(self, standing=standing, made=made, asked=asked)

    def agree(self, claim: Claimed, key: bytes) -> "Claims":
        """Return them after a member has confirmed one."""
        agreed = claim._replace(agreed=claim.agreed | {key})
        found = tuple(agreed if one is claim else one for one in self.standing)
        return replace(self, standing=found)

    def object_to(self, claim: Claimed) -> "Claims":
        """Return them after the player of a claim's seat has said no to it."""
        against = claim._replace(objected=True)
        found = tuple(against if one is claim else one for one in self.standing)
        return replace(self, standing=found)

    def without(self, claim: Claimed) -> "Claims":
        """Return them after one has fallen."""
        found = tuple(one for one in self.standing if one is not claim)
        return replace(self, standing=found)

    def after(
        self,
        said: tuple[int, bytes],
        stays: Collection[int],
        came: Collection[int],
        *,
        moved: bool,
    ) -> "Claims":
        """Return what stands after an entry.

        Args:
            said: The number of the entry, and what a receipt of it names.
            stays: The seats that are still waited for.
            came: The seats whose player has said what it owed with that entry.
            moved: Whether it was a move.
        """
        gone = [one for one in self.standing if moved or one.seat not in stays]
        number, about = said
        fresh = [
            Stopped(number, c.seat, c.author, c.head, c.over, about)
            for c in gone
            if c.seat in came
        ]
        return replace(
            self,
            standing=tuple(one for one in self.standing if one not in gone),
            made=() if moved else self.made,
            stopped=(*self.stopped, *fresh),
        )

    def cleared(self, head: bytes, seats: Collection[int], proofs: Proofs) -> "Claims":
        """Return them after keepers have shown that a turn was made in time.

        Args:
            head: Of the claim behind which it came.
            seats: Those of who shows that.
            proofs: What keepers named in the terms have signed, checked.

        Raises:
            PeerError: STALE, there is no such turn; BAD_PROOF, they do not show it.
        """
        found = [one for one in self.stopped if one.head == head and one.seat in seats]
        if not found:
            raise PeerError(Code.STALE)
        if not any(shows(proof, one) for one in found for proof in proofs):
            raise PeerError(Code.BAD_PROOF, "no receipt of that turn in time")
        return replace(self, stopped=tuple(o for o in self.stopped if o not in found))

    def belied(self, number: int, head: bytes, proofs: Proofs) -> "Claims":
        """Return them with keepers that have signed both, a letter and that none was.

        Args:
            number: Of the entry that brings the proofs.
            head: Of the claim that they are about.
            proofs: What keepers have signed, checked.
        """
        fresh = [
            Lied(number, head, claim.seat, word.keeper)
            for claim in self.asked
            for word in claim.words
            if claim.head == head and any(contradicts(one, word) for one in proofs)
        ]
        return replace(self, lied=(*self.lied, *fresh)) if fresh else self

    def taken(self, claim: Claimed, number: int, *, contested: bool) -> "Claims":
        """Return them after one has taken effect."""
        done = TimeUp(number, claim.seat, claim.author, contested)
        return replace(self.without(claim), done=(*self.done, done))


def is_enough(claim: Claimed, electors: Collection[bytes]) -> bool:
    """Tell whether a claim takes effect by those who have confirmed it.

    The claimant counts; with two that leaves the one who is late.
    """
    return len({claim.author, *claim.agreed} & {*electors}) >= quorum(len(electors))


def lapsed(
    game: Game[Any, Any],
    state: Any,  # noqa: ANN401 (any game's)
    seat: Seat,
    before: int,
) -> Any:  # noqa: ANN401 (any game's)
    """Return the move that is made for a seat.

    Args:
        game: The game.
        state: Its state.
        seat: Who is late.
        before: How many of its turns have lapsed in a row before this one.
    """
    lapsing = game.ABOUT.lapsing
    if lapsing is None or before + 1 >= MOST or seat not in game.actors(state):
        return Resign()
    return lapsing.lapse(state, seat)


def counted(rows: Sequence[int], seat: Seat, *, lapses: bool) -> tuple[int, ...]:
    """Return how many turns of each seat have lapsed in a row.

    Args:
        rows: As it was.
        seat: Whose turn has ended.
        lapses: By lapsing, not by a move.
    """
    fresh = rows[seat] + 1 if lapses else 0
    return (*rows[:seat], fresh, *rows[seat + 1 :])


def timed_out(claims: Claims, history: Sequence[Past]) -> frozenset[int]:
    """Return the seats that resigned because their time was over, not by wish."""
    over = {(done.number, done.seat) for done in claims.done}
    return frozenset(
        past.actor
        for past in (history if over else ())
        if isinstance(past.move, Resign) and (past.number, past.actor) in over
    )


class Waiting(Protocol):
    """A match, as claims are told of it."""

    terms: Terms
    claims: Claims
    names: list[str]
    members: list[Member]

    @property
    def timed(self) -> bool:
        """Whether time is limited."""
        ...


def told(match: Waiting) -> tuple[Said, ...]:
    """Return in words what was claimed and what came of it, in the order of the log."""
    called = {member.key: member.name for member in match.members}
    lines: list[tuple[int, Said]] = []
    for late in match.claims.stopped:
        name, seat = called[late.author], match.names[late.seat]
        said = Says.TIME_LATE(number=late.number, name=name, late=seat)
        lines.append((late.number, said))
    for done in match.claims.done:
        late_ = match.names[done.seat]
        if done.contested:
            name = called[done.author]
            said = Says.TIME_CONTESTED(number=done.number, name=name, late=late_)
        else:
            said = Says.TIME_CONFIRMED(number=done.number, late=late_)
        lines.append((done.number, said))
    for one in match.claims.standing:
        says = Says.TIME_UNANSWERED if match.timed else Says.WITHHELD
        said = says(name=called[one.author], late=match.names[one.seat])
        lines.append((one.number, said))
    lines += _kept_words(match, called)
    return tuple(said for _, said in sorted(lines, key=itemgetter(0)))


def _kept_words(
    match: Waiting, called: Mapping[bytes, str]
) -> Iterator[tuple[int, Said]]:
    """Yield what keepers say of letters behind claims, and the entries' numbers."""
    for claim in match.claims.asked:
        said = {word.keeper: word for word in claim.words}
        name, late = called[claim.author], match.names[claim.seat]
        for key in match.terms.keepers:
            number, keeper, word = claim.number, fingerprint(key), said.get(key)
            if word is None:
                silent = Says.KEEPER_SILENT(
                    number=number, keeper=keeper, late=late, name=name
                )
                yield number, silent
                continue
            nothing = Says.KEEPER_NOTHING(
                number=number,
                keeper=keeper,
                late=late,
                name=name,
                since=_when(word.since),
                until=_when(word.at),
            )
            yield number, nothing
    for lie in match.claims.lied:
        late, keeper_ = match.names[lie.seat], fingerprint(lie.keeper)
        said_ = Says.KEEPER_BOTH(number=lie.number, keeper=keeper_, late=late)
        yield lie.number, said_


def _when(unix: int) -> str:
    """Return a time that somebody has signed, who may have signed anything."""
    try:
        return f"{datetime.fromtimestamp(unix, UTC):%Y-%m-%d %H:%M UTC}"
    except (ValueError, OverflowError, OSError):
        return str(unix)


# What each player has sent and when, and who owes the match what.
#
# Who is said to withhold something can be judged by that: bodies are signed by their
# authors, so what is in the log has come. Times are the host's, who may delay what
# others say.


class Owing(Waiting, Protocol):
    """A match, as it is told what it waits for."""

    hz: int
    number: int
    holders: list[bytes]
    bag: MaskedBag | None

    @property
    def over(self) -> bool:
        """Whether no move follows."""
        ...

    @property
    def withholding(self) -> set[int]:
        """The seats of those who owe what only they can say."""
        ...

    def overdue(self) -> set[int]:
        """Return who is waited for."""
        ...

    def owners(self) -> dict[int, bytes]:
        """Return whose each tile is."""
        ...


class Sent(NamedTuple):
    """All of one kind that a member has sent."""

    author: bytes
    name: str
    """The author's."""
    kind: str
    """The body's, in small letters."""
    entries: tuple[tuple[int, int], ...]
    """Number, and milliseconds since the beginning by the host's clock, in order."""


_KINDS: Final[Mapping[type, Callable[[], Said]]] = {
    messages.Mask: Says.SENT_KEYS,
    messages.Mix: Says.SENT_MIXINGS,
    messages.Spare: Says.SENT_SPARES,
    messages.Lift: Says.SENT_LIFTS,
    messages.Open: Says.SENT_OPENS,
    messages.Root: Says.SENT_ROOTS,
    messages.Commit: Says.SENT_COMMITS,
    messages.Seed: Says.SENT_SEEDS,
    messages.Face: Says.SENT_FACES,
    messages.Turn: Says.OWED_TURN,
    messages.Late: Says.SENT_CLAIMS,
    messages.Judgement: Says.SENT_JUDGEMENTS,
}
"""What players wait for of one another, and what they say of that."""

_WORDS: Final = {kind.__name__.lower(): word for kind, word in _KINDS.items()}

LATEST: Final = 500
"""Entries, the last ones, of which a window is told: a hostile member can make so many
that to read them all would hold the node up."""


def sent(match: Owing, lines: Sequence[Line]) -> tuple[Sent, ...]:
    """Return what each member has sent, of what the others wait for.

    Args:
        match: Its members are asked for.
        lines: Of its log, in order: all, or the last ones.
    """
    found: dict[tuple[bytes, str], list[tuple[int, int]]] = defaultdict(list)
    for line in lines:
        if type(line.body) in _KINDS:
            entry, kind = line.entry, type(line.body).__name__.lower()
            found[entry.author, kind].append((entry.number, entry.at))
    return tuple(
        Sent(member.key, member.name, kind, tuple(found[member.key, kind]))
        for member in match.members
        for kind in _WORDS
        if (member.key, kind) in found
    )


def sent_last(match: Owing, found: Iterable[Sent]) -> tuple[Said, ...]:
    """Return in words, a line a member, the last of each kind that it has sent."""
    kinds: dict[bytes, list[Said]] = defaultdict(list)
    for one in found:
        number, at = one.entries[-1]
        what = _WORDS[one.kind]()
        last = Says.SENT_LAST(what=what, number=number, time=_since(at))
        kinds[one.author].append(last)
    return tuple(
        Says.SENT(name=member.name, what=listed(kinds[member.key]))
        if member.key in kinds
        else Says.SENT_NOTHING(name=member.name)
        for member in match.members
    )


def waited_for(match: Owing, log: Log, most: int | None = None) -> tuple[Said, ...]:
    """Return, of a match that is not over, who owes what, and what each has sent.

    Args:
        match: It.
        log: Its log.
        most: Only the last entries of it are looked at; None for all.
    """
    if match.over or match.hz or len(match.members) < 2 or not match.number:
        return ()
    lines = log.lines if most is None else log.lines[-most:]
    told_ = sent_last(match, sent(match, lines))
    return *_owed(match, lines, len(log)), *told_


def _owed(match: Owing, lines: Sequence[Line], size: int) -> Iterator[Said]:
    """Yield a line a seat that is waited for."""
    for seat in sorted(match.overdue()):
        key, name, what = match.holders[seat], match.names[seat], _what(match, seat)
        last = next((n for n in reversed(lines) if n.entry.author == key), None)
        if last is not None:
            number, time = last.entry.number, _since(last.entry.at)
            yield Says.OWES(name=name, what=what, number=number, time=time)
        elif len(lines) < size:
            yield Says.OWES_LONG(name=name, what=what, count=len(lines))
        else:
            yield Says.OWES_FIRST(name=name, what=what)


def _since(at: int) -> str:
    """Return a time of the match: hours, minutes and seconds."""
    seconds = at // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _what(match: Owing, seat: int) -> Said:
    """Return what a seat's player is to say next."""
    key, bag = match.holders[seat], match.bag
    if seat not in match.withholding:
        return Says.OWED_TURN()
    if bag is None or not bag.owes(key, match.owners()):
        return Says.OWED_CHANCE()
    if key in bag.holders and key not in bag.masks:
        return Says.OWED_KEY()
    wanted = bag.wanted()
    if wanted is not None and wanted.mixer == key:
        return Says.OWED_MIXING()
    if key in bag.awaited or key in bag.lacks_spare():
        return Says.OWED_SPARE()
    return Says.OWED_TILES()
