"""Matches that go on by letters and files alone: no two nodes ever have a link.

Friends carry the letters, players send the files: late, twice, in any order, damaged,
or to somebody whom they are not for.  Whatever came, the next that comes as it should
brings everybody to the same log, and the match to its end.
"""

from collections.abc import Iterator
from itertools import combinations, islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.messages.door import Answer, Done, Load, Play, Save, StartMatch
from netplay.messages.table import Fairness
from netplay.messages.table_questions import AnswerOffer, ClaimTime, MakeOffer
from netplay.record.store import MemoryDisk
from netplay.wire import pack
from rules import lhexicon
from tests.netplay.joined_nodes import SMALL, Net, table
from tests.simulation.bags import proofs

OPTIONS = {"numlo": SMALL, "lhexicon": (("challenge", "on"),)}


class Post:
    """Players of one match who never meet, and all that they have sent each other."""

    def __init__(self, game: str, count: int, fairness: Fairness, days: int) -> None:
        self.net = net = Net(*("ann", "bob", "cyd")[:count])
        self.names = tuple(net.nodes)
        self.letters: list[tuple[str, bytes]] = []
        """For whom, and what."""
        self.files: list[bytes] = []
        self.waited: dict[str, set[bytes]] = {}
        """Signatures of what waits at each."""
        self.given_up: dict[bytes, str] = {}
        """Of what a node has sent, and said no more of since: its number is free."""
        for name in self.names[1:]:
            net.done(name, Answer(on=True))
        seats = ("person", *(f"remote:{name}" for name in self.names[1:]))
        options = OPTIONS.get(game, ()) if count == 2 or game != "numlo" else ()
        wish = table(game, *seats, options=options, fairness=fairness)
        net.done("ann", replace(wish, days=days))
        net.settle()
        net.done("ann", StartMatch())
        net.settle()
        for pair in combinations(self.names, 2):
            net.part(*pair)
        net.settle()

    # What players do.

    def seat(self, name: str) -> int:
        match = self.net[name].match
        return match.fold.seats_of(match.me)[0]

    def may_move(self, name: str) -> bool:
        match, seat = self.net[name].match, self.seat(name)
        return seat in match.on_turn() and not match.seats.is_moving(seat)

    def plays(self, name: str, move: object) -> bool:
        match = self.net[name].match
        ask = Play(self.seat(name), pack(move), len(match.ledger.log))
        done = isinstance(self.net.ask(name, ask), Done)
        self.net.settle()
        return done

    def moves(self, rng: Random) -> bool:
        """Let all who are on turn, as they see it, make some move."""
        moved = False
        for name in filter(self.may_move, self.names):
            match, seat = self.net[name].match, self.seat(name)
            state = match.seats.view(seat).state
            moves = list(islice(match.fold.game.moves(state, seat), 40))
            moved = self.plays(name, rng.choice(moves)) or moved
        return moved

    def note(self) -> None:
        """Note what waits no more though the log does not have it."""
        for name in self.names:
            match = self.net[name].match
            entered = {line.entry.author_signature for line in match.ledger.log.lines}
            waits = {one.signed.signature for one in match.submitting if one.left}
            gone = self.waited.get(name, set()) - waits - entered
            self.given_up.update(dict.fromkeys(gone, name))
            self.waited[name] = waits

    # Ways.

    def writes(self, name: str) -> list[tuple[str, bytes]]:
        """Write all letters that somebody owes the others."""
        letters, sent = self.net[name].tables.letters, list[tuple[str, bytes]]()
        for owed in tuple(letters.owed()):
            written = letters.write(owed, self.net.now)
            parts = () if written is None else written.parts
            sent += ((self.net.name_of(owed.to), part) for part in parts)
        self.net.settle()
        self.letters += sent
        return sent

    def reads(self, name: str, letter: bytes) -> None:
        self.note()
        self.net[name].tables.letters.on_letter(letter, self.net.now)
        self.net.settle()
        self.note()

    def saves(self, name: str) -> bytes:
        self.net.done(name, Save("sent", over=True))
        self.net.settle()
        self.files.append(self.net[name].archive.disks.pop("sent").read())
        return self.files[-1]

    def loads(self, name: str, file: bytes) -> bool:
        self.net[name].archive.disks["came"] = MemoryDisk(file)
        done = isinstance(self.net.ask(name, Load("came")), Done)
        del self.net[name].archive.disks["came"]
        self.net.settle()
        self.note()
        return done

    def round(self, way: str) -> None:
        """Let all that everybody has to say come to all others."""
        for name in self.names:
            if way == "letters":
                for to, letter in self.writes(name):
                    self.reads(to, letter)
            else:
                file = self.saves(name)
                assert all(self.loads(to, file) for to in self.names if to != name)

    # How it stands.

    def logs(self) -> set[tuple[bytes, ...]]:
        return {tuple(self.net[name].match.ledger.raws(0)) for name in self.names}

    def entered(self) -> set[bytes]:
        """Return the signatures of all that is in somebody's log."""
        logs = (self.net[name].match.ledger.log.lines for name in self.names)
        return {line.entry.author_signature for log in logs for line in log}

    def over(self) -> bool:
        return all(self.net[name].match.fold.over for name in self.names)

    def goes_on(self, way: str, rng: Random, rounds: int) -> None:
        """Play on; the log is to grow in every third round at least."""
        lengths = [0]
        for _ in range(rounds):
            self.moves(rng)
            self.round(way)
            lengths.append(min(len(log) for log in self.logs()))
            assert self.over() or lengths[-1] > lengths[-4:][0], lengths
            if self.over():
                break
        self.round(way)
        self.round(way)
        assert len(self.logs()) == 1


@pytest.fixture(autouse=True)
def _cheap_proofs() -> Iterator[None]:
    with proofs(1):
        yield


WAYS = ("letters", "files")


@pytest.mark.parametrize("way", WAYS)
def test_two_who_answer_a_word_at_once_hear_by_post_who_was_first(way: str) -> None:
    """The answer of the second was to a state that is no more: nobody enters it."""
    post = Post("lhexicon", 3, "committed", 0)
    post.round(way)
    (mover,) = filter(post.may_move, post.names)
    seat = post.seat(mover)
    found = lhexicon.moves(post.net[mover].match.seats.view(seat).state, seat)
    post.plays(mover, next(one for one in found if isinstance(one, lhexicon.Lay)))
    post.round(way)
    for name in post.names:
        if name != mover:
            assert post.plays(name, lhexicon.Accept())
    post.round(way)
    post.round(way)

    (last,) = filter(post.may_move, post.names)
    assert last != mover
    assert post.plays(last, lhexicon.Accept())
    post.round(way)
    post.round(way)
    assert len(post.logs()) == 1
    assert post.net["ann"].match.fold.state.scores[seat] > 0
    assert not post.may_move(mover)


@pytest.mark.parametrize("way", WAYS)
def test_who_says_yes_and_then_no_to_an_offer_can_still_move_by_post(way: str) -> None:
    post = Post("numlo", 2, "committed", 0)
    post.net.done("ann", MakeOffer(post.seat("ann"), "stop", 0))
    post.round(way)
    (offer,) = post.net.status("bob").offers.standing
    for agrees in (False, True):
        post.net.ask("bob", AnswerOffer(post.seat("bob"), agrees, offer.head))
    post.goes_on(way, Random(3), 6)


@pytest.mark.parametrize("way", WAYS)
def test_a_match_with_a_mixed_bag_goes_on_by_post(way: str) -> None:
    """A bag is mixed in front of a turn, whose player has come to owe a lift."""
    post = Post("lhexicon", 3, "encrypted", 0)
    post.goes_on(way, Random("lhexicon 3"), 8)


SENDS = (
    "move", "write", "read", "read", "spoil", "astray", "save", "load", "tear",
    "day", "claim",
)  # fmt: skip


@given(st.integers(0, 2**32), st.lists(st.sampled_from(SENDS), max_size=60))
@settings(max_examples=8, deadline=None)
def test_whatever_comes_late_twice_or_torn_the_match_goes_on(
    seed: int, sent: list[str]
) -> None:
    rng = Random(seed)
    game, count = rng.choice((("numlo", 2), ("hexagrams", 2), ("lhexicon", 3)))
    fairness: Fairness = "encrypted" if game == "lhexicon" else "committed"
    post = Post(game, count, fairness, rng.choice((0, 1)))
    days_pass(post, 0.0)
    with_post(post, rng, sent)
    way = rng.choice(WAYS)
    post.round(way)
    post.goes_on(way, rng, 4)
    # Nor did anybody sign two bodies of one number that both found a place (N19).
    assert not post.entered() & post.given_up.keys()
    post.net.close()


def with_post(post: Post, rng: Random, sent: list[str]) -> None:
    """Let players move, and post come in any order, whole or not."""
    for what in sent:
        name = rng.choice(post.names)
        if what == "move":
            post.moves(rng)
        elif what == "day":
            days_pass(post, 1.5)
        elif what == "claim":
            post.net.ask(name, ClaimTime())
        elif what == "write":
            post.writes(name)
        elif what == "save":
            post.saves(name)
        elif what in {"read", "spoil", "astray"} and post.letters:
            to, letter = rng.choice(post.letters)
            if what == "spoil":
                letter = torn(letter, rng)
            post.reads(name if what == "astray" else to, letter)
        elif what in {"load", "tear"} and post.files:
            file = rng.choice(post.files)
            post.loads(name, torn(file, rng) if what == "tear" else file)


def torn(data: bytes, rng: Random) -> bytes:
    """Return bytes that were cut short, or with a bit that has changed."""
    at = rng.randrange(1, len(data))
    changed = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
    return rng.choice((data[:at], changed))


def days_pass(post: Post, days: float) -> None:
    """Let time pass everywhere; nobody notes what is new before it is woken."""
    for name in post.names:
        post.net[name].unix += int(days * 86_400)
    post.net.now += 3_601
    for name in post.names:
        post.net[name].tables.wake(post.net.now)
    post.net.settle()


def tells(post: Post, way: str, name: str, *readers: str) -> None:
    """Let some of the others hear all that somebody has to say."""
    if way == "letters":
        for to, letter in post.writes(name):
            if to in readers:
                post.reads(to, letter)
    else:
        file = post.saves(name)
        assert all(post.loads(to, file) for to in readers)


def moves_in_time(post: Post, way: str) -> int:
    """Let bob move, of which ann, who claims, does not hear; return how many moved."""
    while not post.may_move("bob"):
        assert post.moves(Random(1))
        post.round(way)
    post.round(way)
    moves = post.net["ann"].match.fold.moves
    assert post.moves(Random(1))
    tells(post, way, "bob", *post.names[2:])
    days_pass(post, 1.5)
    post.net.done("ann", ClaimTime())
    return moves


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("count", [2, 3])
def test_a_turn_in_time_that_comes_late_by_post_is_not_given_up_for_a_claim(
    count: int, way: str
) -> None:
    """Behind the second claim a turn has no place, until others speak against it.

    Of two nobody can tell who is right: the match ends contested.
    """
    post = Post("numlo", count, "committed", 1)
    days_pass(post, 0.0)
    for again in range(2):
        moves, seat = moves_in_time(post, way), post.seat("bob")
        # What ann and bob tell each other comes to the third all at once.
        for name, to in (("ann", "bob"), ("bob", "ann")) * 2:
            tells(post, way, name, to)
        for _ in range(4):
            post.round(way)
        fold = post.net["ann"].match.fold
        assert len(post.logs()) == 1
        assert fold.moves == moves + 1 or (again and count == 2)
        assert fold.claims.is_spent(seat)
        assert not fold.resigned or fold.claims.contested
    assert fold.claims.contested is (count == 2)
