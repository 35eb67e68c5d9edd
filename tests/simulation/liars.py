"""Members that lie, as guest and as host, and a stranger who means no good.

A liar's computer runs the program as it is; besides, it says what the program never
would, signed with the liar's own key.  Nobody may be harmed by that but the liar.
"""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Final

from netplay.messages.log import (
    Ack,
    Carried,
    Claim,
    Clock,
    Commit,
    Consent,
    Entries,
    Entry,
    Grant,
    Hand,
    Have,
    LogBody,
    Opening,
    Proof,
    Refused,
    Share,
    Submit,
    Term,
    Turn,
)
from netplay.messages.table import Admit, Attend, Chat, Heard, Want
from netplay.messages.table_questions import LetWatch
from netplay.record.letter import seal
from netplay.wire import encode, pack
from rules.game import Resign
from tests.simulation.book import Page, tag, u64

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World

LIES = 12
"""Told by one liar."""


class Liars:
    """One liar, and what it says."""

    def __init__(self, world: "World", rng: Random, theme: str) -> None:
        self._world = world
        self._rng = rng
        self._theme = theme
        self._left = LIES
        members = world.members
        self._liar = world.spare if theme == "stranger" else rng.choice(members)

    def begin(self) -> None:
        world = self._world
        if self._theme == "stranger":
            if not self._liar.runs:
                world.comes(self._liar)
            for node in world.members:
                world.run(node, "nobody", node.does(LetWatch("nobody")))
        else:
            world.checks.lied_about.add(self._liar.name)
        self._next()

    def _next(self) -> None:
        self._world.later(0.3 + self._rng.expovariate(0.8), self._lie)

    def _lie(self) -> None:
        """Say one thing that is not so, to somebody."""
        world, liar = self._world, self._liar
        self._left -= 1
        if self._left > 0:
            self._next()
        victims = [n for n in world.members if n is not liar and n.in_hand()]
        if not victims or not liar.up or liar.asleep > world.now:
            return
        if self._theme == "lying host":
            hosting = [n for n in world.members if n.status and n.status.hosting]
            if hosting and hosting[0] is not liar:
                return
        victim = self._rng.choice(victims)
        match = victim.in_hand()
        pages = [] if match is None else victim.pages(match)
        if not pages:
            return
        if victim.name not in liar.links and self._theme == "stranger":
            world.meet(liar, victim, (liar.runs, victim.runs))
        kinds: dict[str, tuple[Callable[..., Any], ...]] = {
            "lying guest": GUEST,
            "lying host": HOST,
            "stranger": STRANGER,
        }
        tell = self._rng.choice(kinds[self._theme])
        message = tell(_Scene(world, self._rng, liar, victim, pages[-1]))
        if message is not None and victim.name in liar.links:
            must, message = message if isinstance(message, tuple) else ("lie", message)
            world.tally(f"lie: {tell.__name__}")
            world.send(liar, victim, encode(message), must)


class _Scene:
    """Who lies to whom, and how the match stands there."""

    def __init__(
        self,
        world: "World",
        rng: Random,
        liar: "SimNode",
        victim: "SimNode",
        page: Page,
    ) -> None:
        self.world = world
        self.rng = rng
        self.liar = liar
        self.victim = victim
        self.page = page
        self.match = page.match

    def third(self) -> "SimNode | None":
        """Return somebody else who plays."""
        sides = (self.liar, self.victim)
        others = [node for node in self.world.members if node not in sides]
        return self.rng.choice(others) if others else None

    def own(self, key: bytes) -> int:
        return dict(self.page.owns).get(key, 0)

    def signed(self, node: "SimNode", own: int, body: bytes) -> bytes:
        return node.signer.sign(tag("author") + self.match + u64(own) + body)

    def submit(self, body: LogBody, signer: "SimNode | None" = None) -> Submit:
        raw, own = pack(body), self.own(self.liar.key)
        signature = self.signed(signer or self.liar, own, raw)
        return Submit(self.match, own, raw, signature)

    def entries(
        self,
        body: LogBody,
        author: "SimNode",
        *,
        own: int | None = None,
        at: int | None = None,
        term: int | None = None,
        signer: "SimNode | None" = None,
    ) -> Entries:
        """Return an entry behind what the victim has, with the liar's signature."""
        page, raw = self.page, pack(body)
        own = self.own(author.key) if own is None else own
        at = page.entry.at if at is None else at
        term = page.entry.term if term is None else term
        signature = self.signed(signer or author, own, raw)
        fields = (page.number, term, page.head, at, author.key, own, raw, signature)
        host = self.liar.signer.sign(tag("entry") + self.match + pack(fields))
        return Entries(self.match, (pack(Entry(*fields, host)),))

    def position(self) -> bytes:
        """Return the digest of the public position."""
        position: bytes = self.world.book.fold(self.page).digest()
        return position

    def ack(self, number: int, head: bytes) -> Ack:
        """Return a signed word of the liar's that it has so many entries."""
        term = self.page.entry.term
        place = u64(term) + u64(number) + head
        signature = self.liar.signer.sign(tag("ack") + self.match + place)
        return Ack(self.match, term, number, head, b"", signature)

    def seat_of(self, node: "SimNode") -> int | None:
        holders = enumerate(self.page.holders)
        return next((seat for seat, key in holders if key == node.key), None)


def _resigning(scene: _Scene, node: "SimNode") -> Turn | None:
    seat = scene.seat_of(node)
    move = pack(Resign())
    if seat is None:
        return None
    return Turn(seat, scene.page.head, scene.position(), move, ())


# What a guest may say.


def move_for_another(scene: _Scene) -> Any:
    body = _resigning(scene, scene.victim)
    return None if body is None else scene.submit(body)


def body_with_a_wrong_signature(scene: _Scene) -> Any:
    body = _resigning(scene, scene.liar)
    return None if body is None else scene.submit(body, scene.victim)


def chat_in_anothers_name(scene: _Scene) -> Any:
    other = scene.third() or scene.victim
    nonce = scene.page.terms.nonce
    number = scene.rng.randrange(8)
    data = tag("chat") + nonce + u64(number) + b"I give up"
    return Chat(nonce, other.key, number, "I give up", scene.liar.signer.sign(data))


def ack_of_what_nobody_has(scene: _Scene) -> Any:
    ahead = scene.page.number + scene.rng.randrange(3)
    return scene.ack(ahead, scene.rng.randbytes(32))


def consent_in_vain(scene: _Scene) -> Any:
    seat = scene.seat_of(scene.victim)
    if seat is None:
        return None
    key, name = scene.liar.key, scene.liar.name
    numbers = u64(seat) + u64(scene.page.handed)
    data = tag("hand") + scene.match + numbers + key + name.encode()
    return Consent(scene.match, seat, key, name, scene.liar.signer.sign(data))


def consent_with_a_wrong_signature(scene: _Scene) -> Any:
    seat = scene.seat_of(scene.victim)
    if seat is None:
        return None
    wrong = scene.rng.randbytes(64)
    key, name = scene.liar.key, scene.liar.name
    return "refuse: a consent nobody signed", Consent(
        scene.match, seat, key, name, wrong
    )


def claim_of_a_far_term(scene: _Scene) -> Any:
    page, term = scene.page, 2**50
    return Claim(scene.match, term, page.number, page.head)


def claim(scene: _Scene) -> Any:
    page = scene.page
    term = page.entry.term + 1 + scene.rng.randrange(3)
    return Claim(scene.match, term, page.number, page.head)


def refusal_by_a_guest(scene: _Scene) -> Any:
    return Refused(scene.match, scene.own(scene.victim.key), bytes(64), 17, "no")


def grant_nobody_signed(scene: _Scene) -> Any:
    page = scene.page
    term, wrong = page.entry.term + 1, scene.rng.randbytes(64)
    return Grant(scene.match, term, page.number, page.head, wrong)


def opening_of_nothing(scene: _Scene) -> Any:
    proof = Proof(scene.rng.randrange(100), 0, scene.rng.randbytes(32), ())
    return Opening(scene.match, (proof,))


def share_of_nothing(scene: _Scene) -> Any:
    return Share(scene.match, scene.rng.randrange(3), scene.rng.randbytes(32))


def letter_in_anothers_name(scene: _Scene) -> Any:
    """Say, as if one carried it, what a third never said."""
    third = scene.third()
    if third is None or third.key not in scene.page.members:
        return None
    page, rng = scene.page, scene.rng
    text = encode(scene.ack(page.number, page.head))[4:]
    letter = seal(scene.victim.key, text, rng.randbytes(32))
    ends, number = (rng.randbytes(16), rng.randbytes(16)), rng.randrange(1000)
    data = tag("carried") + scene.match + scene.victim.key
    data += ends[0] + ends[1] + u64(number) + letter
    signature = scene.liar.signer.sign(data)
    carried = Carried(
        scene.match, third.key, scene.victim.key, *ends, number, letter, signature
    )
    return "refuse: a letter in another's name", carried


def letter_for_two_steps(scene: _Scene) -> Any:
    """Have carried on what somebody else is to have had carried."""
    third = scene.third()
    if third is None or third.key not in scene.page.members:
        return None
    rng = scene.rng
    ends, letter = (rng.randbytes(16), rng.randbytes(16)), rng.randbytes(60)
    data = tag("carried") + scene.match + scene.liar.key + ends[0] + ends[1]
    signature = third.signer.sign(data + u64(0) + letter)
    carried = Carried(
        scene.match, third.key, scene.liar.key, *ends, 0, letter, signature
    )
    return "refuse: a letter to be carried two steps", carried


GUEST = (
    move_for_another,
    body_with_a_wrong_signature,
    chat_in_anothers_name,
    ack_of_what_nobody_has,
    consent_in_vain,
    consent_with_a_wrong_signature,
    claim_of_a_far_term,
    claim,
    refusal_by_a_guest,
    grant_nobody_signed,
    opening_of_nothing,
    share_of_nothing,
    letter_in_anothers_name,
    letter_for_two_steps,
)


# What a host may say besides.


def move_nobody_made(scene: _Scene) -> Any:
    body = _resigning(scene, scene.victim)
    if body is None:
        return None
    return scene.entries(body, scene.victim, signer=scene.liar)


def move_of_another_seat(scene: _Scene) -> Any:
    body = _resigning(scene, scene.victim)
    return None if body is None else scene.entries(body, scene.liar)


def body_entered_twice(scene: _Scene) -> Any:
    for page in scene.page.back():
        if page.entry.author == scene.victim.key and page.before is not None:
            old = page.entry
            here = scene.page
            fields = (
                here.number, here.entry.term, here.head, here.entry.at,
                old.author, old.own, old.body, old.author_signature,
            )  # fmt: skip
            data = tag("entry") + scene.match + pack(fields)
            entry = Entry(*fields, scene.liar.signer.sign(data))
            return Entries(scene.match, (pack(entry),))
    return None


def time_run_back(scene: _Scene) -> Any:
    body = _resigning(scene, scene.liar)
    if body is None or not scene.page.entry.at:
        return None
    return scene.entries(body, scene.liar, at=scene.page.entry.at - 1)


def clock_not_up(scene: _Scene) -> Any:
    moves = scene.world.clock_moves(scene.page)
    if not moves:
        return None
    body = Clock(scene.position(), pack(moves[0]))
    return scene.entries(body, scene.liar)


def seat_taken(scene: _Scene) -> Any:
    seat = scene.seat_of(scene.victim)
    keys = list(scene.page.members)
    if seat is None or scene.liar.key not in keys:
        return None
    key, name = scene.liar.key, scene.liar.name
    numbers = u64(seat) + u64(scene.page.handed)
    data = tag("hand") + scene.match + numbers + key + name.encode()
    vote = (keys.index(key), scene.liar.signer.sign(data))
    return scene.entries(Hand(seat, key, name, (vote,)), scene.liar)


def seat_taken_by_an_old_consent(scene: _Scene) -> Any:
    """Enter a handing over once more, with the consents it had."""
    for page in scene.page.back():
        if isinstance(page.body, Hand) and scene.liar.key == scene.page.host:
            return scene.entries(page.body, scene.liar)
    return None


def term_of_ones_own(scene: _Scene) -> Any:
    """Begin a term with the votes of oneself and of all who have resigned."""
    page, keys = scene.page, list(scene.page.members)
    if scene.liar.key not in keys:
        return None
    term = page.entry.term + 1
    place = scene.liar.key + u64(page.number) + page.head
    data = tag("term") + scene.match + u64(term) + place
    friends = {scene.liar.key, *(set(keys) - page.electors)}
    votes = tuple(
        (keys.index(key), scene.world.with_key(key)[0].signer.sign(data))
        for key in sorted(friends, key=keys.index)
    )
    body = Term(keys.index(scene.liar.key), votes)
    return scene.entries(body, scene.liar, term=term)


def commitment_of_another(scene: _Scene) -> Any:
    body = Commit(0, scene.rng.randbytes(32))
    return scene.entries(body, scene.victim, signer=scene.liar)


HOST = (
    move_nobody_made,
    move_of_another_seat,
    body_entered_twice,
    time_run_back,
    clock_not_up,
    seat_taken,
    seat_taken_by_an_old_consent,
    term_of_ones_own,
    commitment_of_another,
)


# What a stranger may say.

STRANGE: Final = "hello"
"""Good as soon as a seat is handed to the stranger."""


def wants_to_hear_everything(scene: _Scene) -> Any:
    return Heard(scene.page.terms.nonce, (), asks=True)


def says_something(scene: _Scene) -> Any:
    nonce = scene.page.terms.nonce
    data = tag("chat") + nonce + u64(0) + STRANGE.encode()
    signature = scene.liar.signer.sign(data)
    return Chat(nonce, scene.liar.key, 0, STRANGE, signature)


def has_nothing(scene: _Scene) -> Any:
    return Have(scene.match, 0, 0, bytes(32))


def has_the_genesis(scene: _Scene) -> Any:
    first = scene.page.at(1)
    return None if first is None else Entries(scene.match, (first.raw,))


def would_like_to_watch(scene: _Scene) -> Any:
    return Attend(scene.match)


def admits_itself(scene: _Scene) -> Any:
    return Admit(scene.match, scene.liar.key, True)


def wants_what_is_not_there(scene: _Scene) -> Any:
    return Want(bytes(32), scene.rng.randbytes(32), 0)


STRANGER = (
    wants_to_hear_everything,
    wants_to_hear_everything,
    says_something,
    has_nothing,
    has_the_genesis,
    would_like_to_watch,
    admits_itself,
    wants_what_is_not_there,
    chat_in_anothers_name,
    ack_of_what_nobody_has,
    claim,
    consent_in_vain,
    refusal_by_a_guest,
)
