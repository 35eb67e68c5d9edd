"""Which links to look for, where, and when to try again: the decisions of a dialler."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from math import inf
from typing import Final, NamedTuple

from netplay import limits
from netplay.errors import Code, LocalError, NetplayError
from netplay.fingerprint import fingerprint, folded
from netplay.journal import Journal, Sparing
from netplay.peering import invitation
from netplay.peering.address import Address, parse
from netplay.peering.line import CarriedCalls, is_via, read_via
from netplay.peering.net import Net
from netplay.peering.peers import KnownPeers
from netplay.rate import Buckets, network
from netplay.said import Said, listed
from netplay.sentences import Says
from netplay.wanted import Dial

HOPELESS: Final = frozenset(
    {Code.VERSION, Code.WRONG_KEY, Code.SELF, Code.BAD_CERTIFICATE, Code.USAGE}
)
"""Errors after which dialling again is useless until the user has done something."""

MUTE: Final = frozenset({Code.NO_ANSWER, Code.NO_ADDRESS})
"""Errors that say nothing of who is there."""

MOST_TOLD: Final = 4
"""Places of which it is told why nobody answered there: a sentence, not a list."""

LATE: Final = 200
"""Attempts before nobody is expected to come back soon: half an hour or so."""

LATE_SECONDS: Final = 45.0
"""Between attempts at the most from then on, each a single call of a place: for days it
costs little, and who comes back is met within a minute though only we can call."""

HEARSAY_SECONDS: Final = 60.0
"""For which a place is called as any other though nobody knows it but by its node's
word: two who have both moved, and are awake, meet within that."""

HEARSAY_TRIES: Final = 24
"""Plain calls meanwhile, of all places of one address."""

HEARSAY_AGAIN_SECONDS: Final = 60.0
"""Before one more call of it, if nobody was there.  Twice as long each time."""

HEARSAY_MOST_SECONDS: Final = 4 * 3600.0
"""The longest such wait."""

HEARSAY_A_SECOND: Final = 1 / 1200
"""Times that all this begins anew, for a sign that its node is there (sustained)."""

HEARSAY_AT_ONCE: Final = 3.0
"""The burst allowed above that: who moves, sleeps and wakes within an hour."""

HEARSAY_PLACES: Final = 1024
"""Addresses of which that is remembered."""

FAR_AWAY: Final = Address("8.8.8.8", 53), Address("2001:4860:4860::8888", 53)
"""In the internet, by both kinds of address: nothing is sent there."""

DUEL_SECONDS: Final = 3.0
"""Two links that open within this time were dialled at the same time."""

Entropy = Callable[[int], bytes]
"""Returns so many random bytes."""


HELD: Final = 256
"""How many peers are held back; for one more, the earliest is forgotten."""


class BackOff:
    """The waits between attempts: each twice the one before, up to a limit.

    The limit is low at first, since most who are missed are back soon, and rises twice.
    """

    def __init__(
        self,
        entropy: Entropy,
        *,
        calm: bool = False,
        first: float = limits.REDIAL_SECONDS,
    ) -> None:
        """Start with the shortest wait.

        Args:
            entropy: For the jitter.
            calm: Nobody waits for the link: let the waits grow at once.
            first: The shortest wait.
        """
        self._calm = calm
        self._entropy = entropy
        self._first = self._wait = first
        self.tries = 0
        """So many waits it has told since the last link."""

    @property
    def late(self) -> bool:
        """Whether nobody is about to come back: each place is called once, seldom."""
        return self.tries >= LATE

    def next(self) -> float:
        """Return the seconds to wait before the next attempt."""
        wait = self._wait
        self.tries += 1
        young = self.tries < limits.REDIAL_SOON
        most = limits.REDIAL_SOON_SECONDS if young else limits.REDIAL_MOST_SECONDS
        if self.late:
            most = LATE_SECONDS
        if self._calm:
            most = limits.REDIAL_OVER_SECONDS
        self._wait = min(2 * wait, most)
        part = int.from_bytes(self._entropy(2), "big") / 65535
        return wait * (1 - limits.REDIAL_JITTER * part)

    def reset(self) -> None:
        """Note that a link was open, or that it may be soon: that is a new story."""
        self._wait = self._first
        self.tries = 0


class UdpCalls:
    """Calls over UDP: a place has one at a time, and a few a minute at most."""

    def __init__(self) -> None:
        """Begin with none."""
        self.places: Final = set[str]()
        """Which are being called."""
        self._buckets: Final = Buckets[str](
            limits.UDP_CALLS_A_SECOND, limits.UDP_CALLS_AT_ONCE, limits.UDP_PLACES
        )

    def may(self, place: str, now: float) -> bool:
        """Tell whether a place may be called now; it is counted."""
        return self._buckets.take(place, now)

    @contextmanager
    def calling(self, places: set[str]) -> Generator[None]:
        """Let nobody else call these places meanwhile."""
        self.places.update(places)
        try:
            yield
        finally:
            self.places.difference_update(places)


class Spell:
    """For how long, and how often, places at one address are called."""

    def __init__(self) -> None:
        """Begin with nothing that may be called."""
        self.until = -inf
        """Until then as any other place is."""
        self.left = 0
        """Plain calls until then."""
        self.due = -inf
        """When one more is made after that."""
        self.pause = HEARSAY_AGAIN_SECONDS


class Hearsay:
    """When places are called that are known by their node's word, or another's, alone.

    They may be anybody's, who has asked for nothing.  So each address gets a few calls
    at once, and then one, ever more seldom; a sign that its node is there, such as a
    new word, lets that begin anew, though not often.  Where a node has once been met
    it is called as ever.
    """

    def __init__(self, known: KnownPeers, here: Callable[[], Iterable[bytes]]) -> None:
        """Begin with no calls.

        Args:
            known: Where who was met.
            here: Returns to whom there is a link.
        """
        self._known: Final = known
        self._here: Final = here
        self._spells: Final[dict[tuple[bytes, str], Spell]] = {}
        self._signs = self._no_signs()

    def may(self, place: str, dial: Dial, now: float) -> bool:
        """Tell whether to call a place now; it is counted."""
        spell = self._spell(place, dial, now)
        if spell is None:
            return True
        if now < spell.until and spell.left:
            spell.left -= 1
            return True
        if now < spell.due:
            return False
        spell.due = now + spell.pause
        spell.pause = min(2 * spell.pause, HEARSAY_MOST_SECONDS)
        return True

    def fresh(self, place: str, dial: Dial, now: float) -> bool:
        """Tell whether whoever is there may be about to call, too."""
        spell = self._spell(place, dial, now)
        return spell is None or now < spell.until

    def bounds(self, place: str, dial: Dial) -> bool:
        """Tell whether calls of a place are counted."""
        key = dial.key
        if key is None or place in self._known.addresses(key):
            return False
        if self._known.pinned(place) == key or (is_via(place) and self._leads(place)):
            return False
        return place in (*self._known.places_told(key), *_named(dial))

    def told(self, place: str, dial: Dial, heard: Sequence[str]) -> bool:
        """Tell whether a place is known only because its node told us.

        Args:
            place: It.
            dial: Who is called there.
            heard: Where it has been heard.
        """
        key = dial.key
        if key is None or place not in (*self._known.places_told(key), *heard):
            return False
        return place not in (*self._known.addresses(key), *_named(dial))

    def _leads(self, place: str) -> bool:
        """Tell whether who carries was met there, or is linked, or tells no place."""
        via = read_via(place)
        carrier = self._known.with_fingerprint(via.carrier)
        linked = {folded(fingerprint(key)) for key in self._here()}
        if via.address is None or folded(via.carrier) in linked:
            return True
        return carrier is not None and (
            via.address.text() in self._known.addresses(carrier)
        )

    def lost(self, dial: Dial, now: float) -> None:
        """Take that there is no link that was there a moment ago, or is wanted now."""
        if dial.key is not None and not dial.once:
            self.anew(dial.key, now)

    def anew(self, key: bytes | None, now: float) -> None:
        """Take a sign that somebody is there, or for None that we are elsewhere."""
        for each, spell in self._spells.items():
            if key in {None, each[0]}:
                self._begin(each, spell, now)

    def forget(self) -> None:
        """Forget all: the player wants to try again."""
        self._spells.clear()
        self._signs = self._no_signs()

    def _no_signs(self) -> Buckets[tuple[bytes, str]]:
        rate, burst = HEARSAY_A_SECOND, HEARSAY_AT_ONCE
        return Buckets(rate, burst, HEARSAY_PLACES)

    def _begin(self, each: tuple[bytes, str], spell: Spell, now: float) -> None:
        """Let an address be called as any other for a while, if it was not just now."""
        if now >= spell.until and self._signs.take(each, now):
            spell.until = now + HEARSAY_SECONDS
            spell.left = HEARSAY_TRIES
            spell.due = max(spell.due, now + HEARSAY_AGAIN_SECONDS)

    def _spell(self, place: str, dial: Dial, now: float) -> Spell | None:
        """Return how a place's address is called; None if its calls are not counted."""
        if not self.bounds(place, dial):
            return None
        found = read_via(place).address if is_via(place) else parse(place)
        each = dial.key or b"", network(found.host if found else "")
        spell = self._spells.get(each)
        if spell is None:
            spell = self._spells[each] = Spell()
            self._begin(each, spell, now)
            if len(self._spells) > HEARSAY_PLACES:
                del self._spells[next(iter(self._spells))]
        return spell


def _named(dial: Dial) -> list[str]:
    """Return the places that a table, or an invitation, names for who is called."""
    with suppress(LocalError):
        return [each.text() for each in invitation.places(dial.address)]
    return []


class Failures:
    """Lines about calls in vain, not too many.

    A friend who sleeps is called ninety times a day though nobody waits: one line says
    so, until the friend was here, or it is for another reason.
    """

    def __init__(self, journal: Journal) -> None:
        """Write to a journal."""
        self._lines: Final = Sparing(
            journal, limits.DIAL_LINES_A_SECOND, limits.DIAL_LINES_AT_ONCE
        )
        self._asleep: dict[bytes, str] = {}
        """Why each friend was called in vain, as it was written down."""

    def note(self, dial: Dial, why: NetplayError, now: float) -> None:
        """Note why a call came to nothing, if that is news."""
        if dial.once and dial.key is not None:
            before, self._asleep[dial.key] = self._asleep.get(dial.key), str(why)
            if before == str(why):
                return
        address = invitation.told(dial.address)
        self._lines.note(now, "dial.failed", address=address, why=why)

    def came(self, key: bytes) -> None:
        """Take that somebody is here: the next call in vain is news."""
        self._asleep.pop(key, None)


class HoldBack:
    """When peers may be dialled again whose links ended with an error.

    Whichever side found the fault, and whoever had dialled: both hold back.
    """

    def __init__(self) -> None:
        self._held: dict[bytes, tuple[float, float]] = {}
        """Key -> when it may be dialled, and how long that wait was."""
        self._stopped: dict[bytes, Said] = {}
        """Key -> why it is not dialled before the user asks."""
        self._told: dict[bytes, Said] = {}
        """Key -> what its own player has to mend; it is dialled later all the same."""

    def ended(self, key: bytes, code: Code | None, lasted: float, now: float) -> None:
        """Note how a link ended.

        Args:
            key: The peer's.
            code: The error of its Bye, None for a plain one or a cut.
            lasted: Seconds for which it was open.
            now: Seconds.
        """
        if lasted >= limits.REDIAL_FAULT_MOST_SECONDS:
            self._held.pop(key, None)
        if code is None or code is Code.SILENT:
            return
        before = self._held.pop(key, (0.0, 0.0))[1]
        wait = max(
            limits.REDIAL_FAULT_SECONDS,
            min(2 * before, limits.REDIAL_FAULT_MOST_SECONDS),
        )
        self._held[key] = now + wait, wait
        if len(self._held) > HELD:
            del self._held[next(iter(self._held))]

    def stop(self, key: bytes, why: Said) -> None:
        """Dial a peer no more before the user asks; say why until then."""
        self._stopped[key] = why
        if len(self._stopped) > HELD:
            del self._stopped[next(iter(self._stopped))]

    def warn(self, key: bytes, why: Said) -> None:
        """Say what is wrong at a peer until it is there again."""
        self._told[key] = why
        if len(self._told) > HELD:
            del self._told[next(iter(self._told))]

    def here(self, key: bytes) -> None:
        """Say no longer what was wrong with a peer that is there again."""
        self._stopped.pop(key, None)
        self._told.pop(key, None)

    @property
    def reasons(self) -> tuple[Said, ...]:
        """Why peers are not dialled, or are not there for long, each once."""
        return tuple(dict.fromkeys((*self._stopped.values(), *self._told.values())))

    def wait(self, key: bytes | None, now: float) -> float:
        """Return for how many seconds a peer is not to be dialled."""
        if key is None:
            return 0.0
        until = inf if key in self._stopped else self._held.get(key, (0.0, 0.0))[0]
        return max(0.0, until - now)

    def clear(self) -> None:
        """Hold nobody back: the user wants to try again."""
        self._held.clear()
        self._stopped.clear()
        self._told.clear()


class Rival:
    """What decides between two links to one peer."""

    def __init__(self, dialler: bytes, nonce: bytes, opened_at: float) -> None:
        """Describe a link.

        Args:
            dialler: The key of the side that dialled.
            nonce: From the peer's Hello: another one means that it was restarted.
            opened_at: When it opened.
        """
        self.dialler = dialler
        self.nonce = nonce
        self.opened_at = opened_at


def keeps_old(old: Rival, new: Rival) -> bool:
    """Return whether the older of two links to one peer is kept.

    A node dials only a peer it believes it has no link to.  So the newer link is right,
    except when both sides dialled at the same time: then both keep the one that the
    smaller key dialled.
    """
    at_once = new.opened_at - old.opened_at < DUEL_SECONDS
    if not at_once or old.nonce != new.nonce or old.dialler == new.dialler:
        return False
    return old.dialler < new.dialler


def places(wanted: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the addresses to try for a peer, each once, the wanted ones first."""
    return list(dict.fromkeys([*wanted, *known]))


def told(errors: Sequence[NetplayError]) -> NetplayError:
    """Return what to say of several places at which nobody could be had.

    Another key, or another version, says more than a silence; silences are told of each
    place, for a place that refuses and one that says nothing want different cures.
    """
    loud = [error for error in errors if error.code is Code.WRONG_KEY]
    loud += [error for error in errors if error.code not in MUTE]
    if loud or len(errors) == 1:
        return (loud or list(errors))[0]
    codes = {error.code for error in errors}
    code = Code.NO_ANSWER if Code.NO_ANSWER in codes else Code.NO_ADDRESS
    details = dict.fromkeys(error.detail for error in errors if error.detail)
    return LocalError(code, listed(list(details)[:MOST_TOLD]))


def cure(
    error: NetplayError, found: Sequence[Address], net: Net, *, known: bool
) -> NetplayError:
    """Return an error with what helps, where nobody answers whom the player calls.

    By IPv6 alone nobody comes to who has IPv4 alone; and whose key is not known cannot
    be met by calling at the same time.

    Args:
        error: A silence.
        found: Places in the internet that were called.
        net: Leads there, or not.
        known: Whether the key of who is called is known.
    """
    kinds = {"IPv6" if ":" in place.host else "IPv4" for place in found}
    if found and not any(map(net.leads_to, found)):
        if not any(map(net.leads_to, FAR_AWAY)):
            return error  # this computer is cut off, and nobody else would help
        words = Says.NO_COMMON_KIND(kinds=" / ".join(sorted(kinds)))
    elif found and not known:
        words = Says.PASTE_THE_LINE()
    else:
        return error
    first = error.detail or error.code.text
    return LocalError(error.code, Says.THEN(first=first, then=words))


def patience(dial: Dial) -> float:
    """Return the seconds for a handshake at whom a call has reached.

    Who would watch waits for a turn: to call again costs a crowded line more.
    """
    return limits.TURN_SECONDS if dial.patient else limits.HANDSHAKE_SECONDS


def while_crowded(entropy: Entropy) -> BackOff:
    """Return the waits before who seems to have no time is called again."""
    return BackOff(entropy, calm=True, first=limits.CROWDED_SECONDS)


def is_hopeful(error: NetplayError, dial: Dial, *, known: bool) -> bool:
    """Return whether who is called may have no time only: a crowd, or a thin line.

    Args:
        error: What came of a call.
        dial: The call.
        known: It is known whose place that is; else a program that hangs up on all is
            taken for one that is none of ours.
    """
    why = error.detail.code if isinstance(error.detail, Said) else ""
    known = known or dial.patient
    slow = why == Says.PLACE_SLOW.name or (known and why == Says.HUNG_UP.name)
    lost = dial.patient and why == Says.PLACE_SILENT.name
    return slow or lost or error.code in {Code.BUSY, Code.SILENT}


class Around(NamedTuple):
    """What else of the node a dialler asks and tells; each may be missing."""

    carried: CarriedCalls | None = None
    """Calls through others, for those who cannot be called themselves."""
    heard: Callable[[bytes], tuple[str, ...]] = lambda _key: ()
    """Returns where somebody has been heard in this network just now."""
    looked_for: Callable[[str], bool] = lambda _line: False
    """Tells whether whoever has given us this line may be found in another way."""
    crowded: Callable[[NetplayError], None] = lambda _error: None
    """Told once why somebody whom the player calls is called again later."""
