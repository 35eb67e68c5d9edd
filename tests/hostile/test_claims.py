"""What may be said behind a claim, and what becomes of it by that: entry by entry."""

import hashlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.errors import Code
from netplay.messages.letters import LetterReceipt
from netplay.messages.log import Hand, Judgement, Late, LogBody, Response, Turn, Wish
from netplay.messages.types import SIGNATURE_BYTES
from netplay.record.fold import Fold
from netplay.record.letter import box, signed_receipt, subject
from netplay.record.log import hand_data, read_body, read_entry
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from tests.hostile.test_days import KEEPER, START, claimed, code_of
from tests.netplay.party import Party
from tools.protocol.wrongs import Scribe, replayed


def test_a_judgement_that_has_no_place_is_refused_with_the_code_of_its_rule() -> None:
    party, raws, claimant, late = claimed()
    third = 3 - claimant - late
    log, _fold = replayed(tuple(raws), len(raws))
    agrees = Judgement(log.head, agrees=True, receipts=())
    assert code_of(party, raws, agrees, third) == ""
    assert code_of(party, raws, agrees, claimant) == Code.UNEXPECTED.name
    none = replace(agrees, claim=bytes(32))
    assert code_of(party, raws, none, third) == Code.STALE.name
    keys = [party.keys[n].key for n in (late, claimant)]
    nothing = bytes(SIGNATURE_BYTES)
    where, about = box(party.member(0).match, *keys), subject(nothing)
    first = START, START, START + 99
    proof = LetterReceipt(KEEPER.key, *keys, where, about, bytes(32), *first, nothing)
    odd = Judgement(log.head, agrees=False, receipts=(proof,))
    assert code_of(party, raws, odd, late) == Code.UNEXPECTED.name  # it is to move
    fold = party.member(third).fold
    [seat] = fold.seats_of(party.keys[late].key)
    move = pack(next(iter(fold.game.moves(fold.state, seat))))
    turn = Turn(seat, log.head, fold.digest(), move, ())
    moved = Scribe(party.keys, tuple(raws)).at(len(raws), turn, party.keys[late].key)
    assert code_of(party, [*raws, moved], odd, late) == Code.BAD_SIGNATURE.name
    other = replace(odd, receipts=(signed_receipt(KEEPER, proof),))
    assert code_of(party, [*raws, moved], other, late) == Code.BAD_PROOF.name
    [seat] = fold.seats_of(party.keys[third].key)
    resign = Turn(seat, log.head, fold.digest(), pack(Resign()), ())
    gone = Scribe(party.keys, tuple(raws)).at(len(raws), resign, party.keys[third].key)
    assert code_of(party, [*raws, gone], agrees, third) == Code.NOT_A_MEMBER.name


def behind_a_claim(said: str) -> Fold:
    """Return a match in which somebody has said something behind a claim."""
    party, raws, claimant, late = claimed()

    def say(author: int, make: Callable[[Fold, bytes], LogBody]) -> bytes:
        log, fold = replayed(tuple(raws), len(raws))
        made = make(fold, log.head)
        scribe = Scribe(party.keys, tuple(raws))
        raws.append(scribe.at(len(raws), made, party.keys[author].key))
        return replayed(tuple(raws), len(raws))[0].head

    def offer(author: int) -> bytes:
        """Offer to stop, which agrees to the same of another."""

        def stop(fold: Fold, head: bytes) -> LogBody:
            (seat,) = fold.seats_of(party.keys[author].key)
            return Wish(seat, "stop", 0, head, fold.digest())

        return say(author, stop)

    def turn(fold: Fold, head: bytes) -> LogBody:
        (seat,) = fold.seats_of(party.keys[late].key)
        move = pack(next(iter(fold.game.moves(fold.state, seat))))
        return Turn(seat, head, fold.digest(), move, ())

    def hand(fold: Fold, _head: bytes) -> LogBody:
        (seat,), heir = fold.seats_of(party.keys[late].key), party.keys[3 - late]
        data = hand_data(fold.match, seat, heir.key, "heir", fold.handed)
        agree = [n for n in range(3) if n != late]
        votes = tuple((n, party.keys[n].sign(data)) for n in agree)
        return Hand(seat, heir.key, "heir", votes)

    match said:
        case "offer":
            offer(late)
        case "all offer":
            for author in (claimant, 3 - late, late):
                offer(author)
        case "answer":
            head = offer(claimant)
            (seat,) = party.member(0).fold.seats_of(party.keys[late].key)
            say(late, lambda *_: Response(seat, head, agrees=False))
        case "turn":
            say(late, turn)
        case "hand":
            say(0, hand)
    return replayed(tuple(raws), len(raws))[1]


@pytest.mark.parametrize(
    ("said", "stands", "stopped"),
    [
        ("offer", True, False),
        ("all offer", False, False),
        ("answer", True, False),
        ("turn", False, True),
        ("hand", False, False),
    ],
)
def test_who_says_something_behind_a_claim_is_late_by_a_turn_alone(
    said: str, stands: bool, stopped: bool
) -> None:
    claims = behind_a_claim(said).claims
    assert (bool(claims.standing), bool(claims.stopped)) == (stands, stopped)
    assert not claims.done


def test_the_fifth_claim_of_one_author_in_one_turn_is_refused_and_no_others() -> None:
    """A liar whose claims all fall uses up none of those that others may make."""
    party, raws, claimant, late = claimed()
    third = 3 - claimant - late
    claim = read_body(read_entry(raws[-1]).body)
    for number in range(4):
        log, _fold = replayed(tuple(raws), len(raws))
        assert code_of(party, raws, claim, claimant) == Code.UNEXPECTED.name
        ends = Judgement(log.head, agrees=False, receipts=())
        scribe = Scribe(party.keys, tuple(raws))
        raws.append(scribe.at(len(raws), ends, party.keys[third].key))
        if number < 3:
            scribe = Scribe(party.keys, tuple(raws))
            raws.append(scribe.at(len(raws), claim, party.keys[claimant].key))
    assert code_of(party, raws, claim, claimant) == Code.TOO_MANY.name
    assert code_of(party, raws, claim, third) == ""


@cache
def answering() -> tuple[Party, tuple[bytes, ...]]:
    """Return a match of four in which three are to answer a word, and its entries."""
    options = GAMES["lhexicon"].ABOUT.options(challenge=True)
    party, rng = Party("lhexicon", 4, options, days=1), Random(1)
    party.link_all()
    party.settle()
    while not party.member(0).fold.state.announced:
        assert party.play_one(rng)
        party.settle()
    return party, party.logs()[0]


class Claims:
    """Claims against several who are to answer, by what each has said alone."""

    def __init__(self, late: frozenset[int]) -> None:
        self.late, self.out = set(late), set[int]()
        self.standing: dict[int, tuple[bytes, int, set[int]]] = {}
        """Seat -> head, who claims, who has confirmed it besides."""
        self.made: Counter[int] = Counter()
        self.heads: dict[int, bytes] = {}
        self.done: list[int] = []

    def claims(self, by: int, seat: int, head: bytes) -> str:
        if by in self.out:
            return "NOT_A_MEMBER"
        if by == seat:
            return "UNEXPECTED"
        if seat not in self.late:
            return "NOT_YOUR_TURN"
        if seat in self.standing:
            return "UNEXPECTED"
        if self.made[seat] == 4:
            return "TOO_MANY"
        self.made[seat] += 1
        self.heads[seat] = head
        self.standing[seat] = head, by, set()
        return ""

    def judges(self, by: int, seat: int, *, agrees: bool) -> str:
        if by in self.out:
            return "NOT_A_MEMBER"
        if seat not in self.standing:
            return "STALE"
        _head, author, others = self.standing[seat]
        if by == author or by in others or (by == seat and not agrees):
            return "UNEXPECTED"
        if not agrees:
            del self.standing[seat]
            return ""
        others.add(by)
        several = 4 - len(self.out)
        enough = several if several <= 2 else several - 1
        if by == seat or 1 + len(others) >= enough:
            self.done.append(seat)
        return ""

    def resigns(self, by: int) -> None:
        self.out.add(by)
        self.late.discard(by)
        self.standing.clear()  # as by any move
        self.made.clear()


members = st.integers(0, 3)
said = st.one_of(
    st.tuples(st.sampled_from(("claims", "claims", "yes", "yes", "no")), members,
              members),
    st.tuples(st.just("resigns"), members, members),
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(steps=st.lists(said, min_size=4, max_size=10))
def test_each_claim_stands_for_itself_whatever_becomes_of_others(
    steps: list[tuple[str, int, int]],
) -> None:
    party, raws = answering()
    log, fold = replayed(raws, len(raws))
    lasting = [seat for seat in range(4) if seat in fold.actors]
    rules = Claims(fold.actors)
    assert len(lasting) == 3
    for what, by, seat in steps:
        if what == "resigns" and (by in rules.out or len(rules.out) == 2):
            continue
        body: LogBody
        if what == "claims":
            body = Late(seat, log.head, fold.digest(), START, ())
        elif what == "resigns":
            body = Turn(by, log.head, fold.digest(), pack(Resign()), ())
        else:
            head = rules.heads.get(seat, bytes(32))
            body = Judgement(head, agrees=what == "yes", receipts=())
        raw = Scribe(party.keys, raws).at(len(raws), body, party.keys[by].key)
        found = code_of(party, raws, body, by)
        if what == "claims":
            wanted = rules.claims(by, seat, hashlib.sha256(raw).digest())
        elif what == "resigns":
            wanted = ""
            rules.resigns(by)
        else:
            wanted = rules.judges(by, seat, agrees=what == "yes")
        assert found == wanted, (what, by, seat)
        if found:
            continue
        raws = (*raws, raw)
        log, fold = replayed(raws, len(raws))
        assert [one.seat for one in fold.claims.done] == rules.done
        if rules.done or not fold.state.announced or not fold.actors & rules.late:
            return  # the turn is over, by a claim or by who has gone
        keys = [key.key for key in party.keys]
        stands = {
            one.seat: (one.head, keys.index(one.author), {*map(keys.index, one.agreed)})
            for one in fold.claims.standing
        }
        assert stands == rules.standing
