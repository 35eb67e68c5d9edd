"""Days that somebody tries to steal: with wrong clocks, withheld turns and lies."""

import contextlib
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.match.match import Match
from netplay.messages.door import Play
from netplay.messages.letters import LetterReceipt, NothingLeft
from netplay.messages.log import Judgement, Late, LogBody, Response, Submit, Turn
from netplay.messages.table_questions import (
    AnswerOffer,
    ClaimTime,
    MakeOffer,
    PlayAgain,
)
from netplay.messages.types import BOX_BYTES
from netplay.record import enclosures
from netplay.record.clocks import told
from netplay.record.fold import Fold
from netplay.record.ledger import follow
from netplay.record.letter import (
    KeptNothing,
    KeptWord,
    box,
    signed_nothing,
    signed_receipt,
    subject,
)
from netplay.record.log import author_data
from netplay.record.store import whole
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from tests.hostile.days import Friends, at_bobs_turn
from tests.netplay.deviant import never_early
from tests.netplay.party import Key, Party
from tests.said import says
from tools.protocol.wrongs import Scribe, replayed


@pytest.fixture
def two() -> Iterator[Friends]:
    with at_bobs_turn("ann", "bob") as found:
        yield found


@pytest.fixture
def three() -> Iterator[Friends]:
    with at_bobs_turn("ann", "bob", "cyd") as found:
        yield found


def notices(friends: Friends, name: str) -> str:
    return "\n".join(friends.net[name].lines("system"))


def test_a_host_wins_nothing_by_putting_its_clock_forward(two: Friends) -> None:
    two.set_wall("ann", 25)
    assert two.net.failed("ann", ClaimTime()) is Code.TOO_EARLY
    assert says(notices(two, "ann"), Says.CLOCK_FORWARD, hours=25)
    two.set_wall("ann", -25)
    assert not any(two.over().values())
    two.move("bob")
    assert two.on_turn() == "ann"
    two.days(1.1)
    two.net.done("bob", ClaimTime())  # the claim of an honest player works
    two.net.settle()
    assert two.match("ann").fold.places == (2, 1)


def test_putting_the_clock_forward_while_the_node_is_off_wins_nothing(
    two: Friends,
) -> None:
    two.restart("ann")
    two.set_wall("ann", 25)
    two.meet()
    assert two.net.failed("ann", ClaimTime()) is Code.TOO_EARLY


def test_a_clock_put_forward_while_the_computer_is_off_is_bounded_by_the_other(
    two: Friends,
) -> None:
    two.hours(1)
    two.restart("ann", off=25)
    two.meet()
    assert two.net.failed("ann", ClaimTime()) is Code.TOO_EARLY
    assert says(notices(two, "ann"), Says.CLOCK_AHEAD)
    assert not any(two.over().values())


def test_a_guest_whose_clock_is_wrong_from_the_first_night_on_loses_nothing(
    two: Friends,
) -> None:
    two.turn_of("bob")
    two.hours(1)
    two.restart("bob", off=30)
    two.meet()
    two.claim_anyway("ann", "bob")
    two.wake()
    assert not any(two.over().values())
    two.move("bob")
    assert not any(two.over().values())


def test_a_wrong_clock_of_ones_own_is_put_right_once_by_however_many(
    three: Friends,
) -> None:
    three.hours(20)
    three.restart("cyd", off=30)  # no time has passed, and two others say so
    three.meet()
    three.net.part("bob", "ann")
    three.net.part("bob", "cyd")
    three.hours(5)
    three.net.done("ann", ClaimTime())
    three.net.settle()
    assert three.match("ann").fold.resigned == {1}


def test_a_clock_put_back_takes_no_time_back_that_another_computer_saw_pass(
    two: Friends,
) -> None:
    two.hours(25)
    two.restart("bob", off=-25)
    two.meet()
    assert not says(notices(two, "ann"), Says.CLOCK_AHEAD)
    two.net.done("ann", ClaimTime())


def test_a_claim_made_alone_waits_for_the_clock_of_the_other(two: Friends) -> None:
    two.restart("ann", off=25)
    two.net.done("ann", ClaimTime())  # nobody is here to say how late it is
    two.meet()
    assert not two.match("bob").fold.claims.standing
    two.move("bob")
    assert not any(two.over().values())


def test_who_is_there_two_hours_a_day_can_claim(two: Friends) -> None:
    for _ in range(2):
        for other in two.computers.values():
            other.wall += 22 * 3_600
        two.computers["bob"].counted += 22 * 3_600
        two.computers["ann"].wall -= 22 * 3_600
        two.restart("ann", off=22)
        two.meet()
        two.hours(2)
    two.net.done("ann", ClaimTime())
    two.net.settle()
    assert two.match("bob").fold.places == (1, 2)


def test_a_claim_of_a_changed_host_changes_nothing(two: Friends) -> None:
    two.claim_anyway("ann", "bob")
    assert two.match("bob").fold.claims.standing
    assert not any(two.over().values())
    for name in ("ann", "bob"):
        (claimed,) = two.net.status(
            name
        ).claims  # of a late turn there is nothing else to tell
        assert says(claimed, Says.TIME_UNANSWERED)
    two.move("bob")
    for name in ("ann", "bob"):
        fold = two.match(name).fold
        assert not fold.claims.standing
        assert [one.seat for one in fold.claims.stopped] == [1]
        assert not fold.over


@pytest.mark.parametrize("again", [False, True], ids=["running", "restarted"])
def test_nobody_confirms_a_claim_against_a_turn_it_has_made(
    two: Friends, again: bool
) -> None:
    two.hold_turns_back("ann")
    two.move("bob")
    two.days(1.5)
    two.claim_anyway("ann", "bob")
    if again:
        two.restart("bob")
        two.meet()
    two.days(3)
    assert two.match("bob").fold.claims.standing
    assert not any(two.over().values())
    lines = two.match("ann").ledger.log.lines
    assert not any(isinstance(line.body, Judgement) for line in lines)


def test_a_turn_that_a_carrier_has_dropped_is_played_when_the_two_meet(
    two: Friends,
) -> None:
    two.net.part("ann", "bob")
    two.move("bob")  # the letter with it never comes
    two.days(1.5)
    two.net.done("ann", ClaimTime())
    two.meet()
    for name in ("ann", "bob"):
        fold = two.match(name).fold
        assert not fold.over
        assert isinstance(fold.claims.standing, tuple)
        turns = two.match(name).ledger.log.lines
        assert isinstance(turns[-1].body, Turn)


def test_the_second_turn_behind_a_claim_leaves_it_contested(two: Friends) -> None:
    two.days(1.5)
    two.net.done("ann", ClaimTime())
    two.net.settle()
    assert two.match("bob").fold.places == (1, 2)  # nobody had moved
    again = Friends("ann", "bob")
    again.turn_of("bob")
    for _ in range(2):
        again.claim_anyway("ann", "bob")
        again.move("bob")
        if not any(again.over().values()):
            again.turn_of("bob")
    for name in ("ann", "bob"):
        fold = again.match(name).fold
        assert fold.over
        assert fold.claims.contested
        assert fold.places == ()
        found = verify(whole(again.match(name).ledger.raws(0)))
        assert (found.verdict, found.places) == ("good", ())
        assert found.contested
        assert not found.disputed
    again.net.close()


def test_who_resigns_behind_a_second_claim_has_resigned(two: Friends) -> None:
    two.turn_of("bob")
    two.claim_anyway("ann", "bob")
    two.move("bob")
    two.turn_of("bob")
    two.claim_anyway("ann", "bob")
    two.net.done("bob", Play(1, pack(Resign()), -1))
    two.net.settle()
    for name in ("ann", "bob"):
        fold = two.match(name).fold
        assert fold.resigned == {1}
        assert (fold.places, fold.claims.contested) == ((1, 2), False)


def test_a_guest_cannot_claim_before_it_is_time(two: Friends) -> None:
    two.move("bob")
    assert two.on_turn() == "ann"
    two.set_wall("bob", 30)
    assert two.net.failed("bob", ClaimTime()) is Code.TOO_EARLY
    two.claim_anyway("bob", "ann")
    assert not two.match("ann").fold.claims.standing


@pytest.mark.parametrize("claims", [0, 1], ids=["first claim", "second claim"])
def test_another_member_saw_the_turn_that_a_host_held_back(
    three: Friends, claims: int
) -> None:
    for _ in range(claims):
        three.claim_anyway("ann", "bob")
        three.move("bob")
        assert three.match("cyd").fold.claims.is_spent(1)
        three.turn_of("bob")
    three.hold_turns_back("ann")
    three.move("bob")
    three.days(1.5)
    three.claim_anyway("ann", "bob")
    for name in ("ann", "bob", "cyd"):
        fold = three.match(name).fold
        assert not fold.claims.standing
        assert not fold.resigned


def test_a_turn_is_shown_with_the_answer_that_waits_before_it(three: Friends) -> None:
    three.net.done("cyd", MakeOffer(2, "days", 1))
    three.net.settle()
    three.hold_turns_back("ann", Response)
    three.net.done("bob", AnswerOffer(1, agrees=True))
    three.move("bob")
    three.net.isolate("bob")
    three.net.apart |= {frozenset(("bob", one)) for one in ("ann", "cyd")}
    three.days(1.5)
    three.claim_anyway("ann", "bob")
    three.hours(25)
    for name in ("ann", "cyd"):
        assert not three.match(name).fold.claims.standing
        assert not three.match(name).fold.resigned


def test_a_turn_that_leaves_late_is_shown_to_others_who_are_here(
    three: Friends,
) -> None:
    three.hold_turns_back("ann")
    three.net.part("ann", "bob")
    three.move("bob")  # before there is a way through cyd
    three.days(1.5)
    three.claim_anyway("ann", "bob")
    assert not three.match("cyd").fold.claims.standing
    assert not three.match("cyd").fold.resigned


@pytest.mark.parametrize("claimed", [False, True], ids=["time is short", "claimed"])
def test_a_host_that_is_deaf_for_one_member_wins_nothing_by_it(
    three: Friends, claimed: bool
) -> None:
    if claimed:
        three.claim_anyway("ann", "bob")
    three.ignore("ann", "bob")
    three.hold_turns_back("ann")  # nor what others hand it
    three.move("bob")
    if not claimed:
        assert not three.match("cyd").hidden.seen  # it may be taken back still
        three.hours(16)
    assert three.net["bob"].key in three.match("cyd").hidden.seen
    three.days(1.5)
    three.claim_anyway("ann", "bob")
    assert not three.match("cyd").fold.claims.standing
    assert not three.match("cyd").fold.resigned


def test_a_turn_goes_round_a_host_that_is_deaf_for_its_author(three: Friends) -> None:
    three.ignore("ann", "bob")
    turn = three.match("ann").fold.moves
    three.move("bob")
    three.hours(16)
    three.hours(1)
    assert three.match("ann").fold.moves == turn + 1
    assert not three.match("ann").fold.claims.made


def test_who_was_away_judges_once_those_it_meets_have_spoken(three: Friends) -> None:
    three.hold_turns_back("ann")
    three.claim_anyway("ann", "bob")
    three.net.part("cyd", "ann")
    three.net.part("cyd", "bob")
    three.move("bob")
    three.days(1.5)
    three.meet()
    three.hours(1)
    for name in ("ann", "bob", "cyd"):
        assert not three.match(name).fold.resigned
        assert not three.match(name).fold.claims.standing


def test_who_comes_late_for_the_second_time_is_not_believed_by_others(
    three: Friends,
) -> None:
    for late in range(2):
        three.turn_of("bob")
        three.net.isolate("bob")
        three.net.apart |= {frozenset(("bob", one)) for one in ("ann", "cyd")}
        three.net.part("ann", "cyd")
        three.days(1.5)
        three.net.done("ann", ClaimTime())
        three.net.done("bob", three.chosen("bob"))
        three.meet()
        three.hours(1)
        for name in ("ann", "bob", "cyd"):
            fold = three.match(name).fold
            assert fold.claims.is_spent(1)
            assert fold.resigned == ({1} if late else set())


def test_one_liar_of_three_confirms_nothing_alone(three: Friends) -> None:
    three.claim_anyway("cyd", "bob")
    three.claim_anyway("ann", "bob")
    assert not three.match("bob").fold.resigned
    three.move("bob")
    assert not three.match("bob").fold.claims.standing


def test_with_three_the_others_judge_who_stays_away(three: Friends) -> None:
    three.net.part("bob", "ann")
    three.net.part("bob", "cyd")
    three.days(1.5)
    three.net.done("ann", ClaimTime())
    three.net.settle()
    assert three.match("cyd").fold.resigned == {1}
    three.meet()
    assert three.match("bob").fold.resigned == {1}


def test_every_reader_folds_claims_alike(three: Friends) -> None:
    three.claim_anyway("ann", "bob")
    three.move("bob")
    three.days(1.5)
    found = three.match("ann")
    alone = Fold(found.fold.terms)
    for line in found.ledger.log.lines:
        alone.apply(line)
    assert alone.claims == found.fold.claims
    assert alone.digest() == found.fold.digest()


KEEPER = Key("keeper")
START = 1_800_000_000


def receipt(late: Match, of: Key, first: int) -> LetterReceipt:
    """Return what a keeper signs about the turn that waits at somebody's node."""
    (turn,) = (one for one in late.submitting if isinstance(one.body, Turn))
    about, whole = subject(turn.signed.signature), bytes(32)
    to = next(iter(late.others))
    where = box(late.match, late.me, to)
    said = LetterReceipt(
        of.key, late.me, to, where, about, whole, first, first, first + 99, bytes(64)
    )
    return signed_receipt(of, said)


@pytest.mark.parametrize(
    ("keeper", "hours", "counts"),
    [(KEEPER, 2, True), (KEEPER, 25, False), (Key("a friend of one side"), 2, False)],
    ids=["in time", "too late", "nobody's choice but one's"],
)
def test_the_receipt_of_a_keeper_in_the_terms_shows_that_a_turn_was_in_time(
    keeper: Key, hours: int, counts: bool
) -> None:
    party, clock = Party("numlo", 2, days=1, keepers=(KEEPER.key,)), [1_800_000_000]
    for match in party.running:
        match.parts.unix = lambda: clock[0]
    party.link_all()
    party.settle()
    party.wake(1.0)
    start = clock[0]
    [(n, seat)] = party.movers()
    late, other = party.member(n), party.member(1 - n)
    party.cut(0, 1)
    party.settle()
    move = next(iter(late.fold.game.moves(late.fold.state, seat)))
    late.play(seat, pack(move), -1, party.now)
    late.mail(other.me, party.now)  # it leaves in a letter that is never handed on
    late.keep(KeptWord(receipt(late, keeper, start + 3_600 * hours)))
    clock[0] = start + 36 * 3_600
    party.wake(3_700.0)
    other.claim(party.now)
    party.link_all()
    party.settle()
    party.wake(3_700.0)
    for match in party.running:
        assert match.fold.moves == late.fold.moves > 0
        assert match.fold.claims.is_spent(seat) is not counts
        assert not match.fold.over


def test_two_false_claims_of_a_host_put_nobody_out_where_a_third_can_tell(
    three: Friends,
) -> None:
    for _ in range(2):
        three.turn_of("bob")
        three.hours(1)
        three.claim_anyway("ann", "bob")
        turn = three.match("bob").fold.moves
        three.move("bob")
        if three.match("bob").fold.moves == turn:  # it was said first that it may be
            assert says(notices(three, "bob"), Says.OBJECTED)
            three.move("bob")
        for name in ("ann", "bob", "cyd"):
            fold = three.match(name).fold
            assert not fold.resigned
            assert not fold.claims.standing
            assert fold.moves == turn + 1


def test_no_turn_is_taken_by_false_claims_to_which_its_player_objects() -> None:
    two = Friends("ann", "bob", game="networdz")
    two.turn_of("bob")
    for _ in range(2):
        two.claim_anyway("ann", "bob")
        two.move("bob")
        if not any(two.over().values()):
            two.turn_of("bob")
    for name in ("ann", "bob"):
        fold = two.match(name).fold
        assert fold.over
        assert fold.claims.contested
        assert fold.places == ()
    two.net.close()


def with_keeper(members: int = 3) -> tuple[Party, list[int]]:
    """Return a match whose terms name a keeper, begun, and the time of day in it."""
    party, clock = Party("numlo", members, days=1, keepers=(KEEPER.key,)), [START]
    for match in party.running:
        match.parts.unix = lambda: clock[0]
    party.link_all()
    party.settle()
    party.wake(1.0)
    return party, clock


def pass_hours(party: Party, clock: list[int], hours: int) -> None:
    clock[0] += 3_600 * hours
    party.wake(party.now + 3_700.0)
    party.settle()
    party.wake(party.now + 100.0)
    party.settle()


def guest_on_turn(party: Party) -> tuple[int, int]:
    """Move until somebody is on turn who does not host; return who, and the seat."""
    while party.movers()[0][0] == 0:
        assert party.play_one(Random(1))
        party.settle()
        party.wake(party.now + 1.0)
    return party.movers()[0]


def nothing_left(late: Match, to: Match, at: int, **other: object) -> NothingLeft:
    where = box(late.match, late.me, to.me)
    said = NothingLeft(b"", late.me, to.me, where, START, at, bytes(64))
    return signed_nothing(KEEPER, replace(said, **other))


def claim_with(
    claimant: Match, party: Party, seat: int, words: tuple[NothingLeft, ...]
) -> None:
    fold, head = claimant.fold, claimant.ledger.log.head
    claimant.replication.submit(
        Late(seat, head, fold.digest(), START + 86_400, words), party.now
    )
    claimant.step(party.now)
    party.settle()


@pytest.mark.parametrize("silent", [False, True], ids=["its word", "silent"])
def test_who_judges_waits_a_day_more_where_a_keeper_is_silent(silent: bool) -> None:
    party, clock = with_keeper()
    [(n, seat)] = party.movers()
    claimant = party.member((n + 1) % 3)
    for m in range(3):
        party.cut(n, m)
    pass_hours(party, clock, 26)
    word = nothing_left(party.member(n), claimant, clock[0])
    claim_with(claimant, party, seat, () if silent else (word,))
    pass_hours(party, clock, 1)
    assert bool(claimant.fold.resigned) is not silent
    said = " ".join(map(str, told(claimant.fold)))
    assert fingerprint(KEEPER.key) in said
    assert says(said, Says.KEEPER_SILENT) is silent
    assert says(said, Says.KEEPER_NOTHING) is not silent
    pass_hours(party, clock, 25)
    assert claimant.fold.resigned == {seat}


@pytest.mark.parametrize("host", [False, True], ids=["of a guest", "of who was host"])
def test_a_letter_that_a_claim_is_silent_about_comes_before_the_claim_counts(
    host: bool,
) -> None:
    party, clock = with_keeper()
    if host:
        [(n, seat)] = party.movers()
        assert n == 0
    else:
        n, seat = guest_on_turn(party)
    late, claimant = party.member(n), party.member((n + 1) % 3)
    third = party.member((n + 2) % 3)
    for m in range(3):
        party.cut(n, m)
    party.settle()
    late.play(seat, pack(next(iter(late.fold.game.moves(late.fold.state, seat)))), -1,
              party.now)  # fmt: skip
    letter = late.mail(third.me, party.now)
    pass_hours(party, clock, 26)
    claim_with(claimant, party, seat, ())
    pass_hours(party, clock, 6)
    for message in letter:
        third.take_mail(late.me, message, party.now)
    pass_hours(party, clock, 40)
    for match in (claimant, third):
        assert not match.fold.resigned
        assert not match.fold.claims.standing


@pytest.mark.parametrize("way", ["letter", "file"])
def test_a_turn_comes_to_the_host_by_way_of_who_has_seen_it(way: str) -> None:
    party, clock = with_keeper()
    n, seat = guest_on_turn(party)
    late, host, third = party.member(n), party.member(0), party.member(3 - n)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        party.cut(a, b)
    party.settle()
    turn = host.fold.moves
    move = pack(next(iter(late.fold.game.moves(late.fold.state, seat))))
    late.play(seat, move, -1, party.now)
    for message in late.mail(third.me, party.now):
        third.take_mail(late.me, message, party.now)
    pass_hours(party, clock, 2)
    letter = third.mail(host.me, party.now)
    items = list(enclosures.packed(third.enclosures()))

    def bring() -> None:
        if way == "file":
            found, raws = tuple(enclosures.unpacked(items)), third.ledger.raws(0)
            host.take_file(raws, found, party.keys[0].unseal, party.now)
            return
        for message in letter:
            host.take_mail(third.me, message, party.now)

    for _ in range(2):  # the second is late, and changes nothing
        bring()
        host.go_by_mail(party.now)
        host.step(party.now)
        bring()
        assert host.fold.moves == turn + 1
    party.link_all()
    party.settle()
    pass_hours(party, clock, 1)
    for match in party.running:
        assert match.fold.moves == turn + 1
        assert not match.submitting.waiting


WRONG = {
    "another keeper": (lambda _word: {}, Key("a friend of one side")),
    "another author": (lambda word: {"author": word.to}, KEEPER),
    "another reader": (lambda word: {"to": word.author}, KEEPER),
    "another box": (lambda _word: {"box": bytes(BOX_BYTES)}, KEEPER),
    "backwards": (lambda word: {"since": word.at + 1}, KEEPER),
}


@pytest.mark.parametrize("wrong", [*WRONG, "twice", "unsigned"])
def test_a_claim_with_a_keepers_word_that_is_none_is_refused(wrong: str) -> None:
    party, _clock = with_keeper(2)
    [(n, seat)] = party.movers()
    late, claimant = party.member(n), party.member(1 - n)
    word = nothing_left(late, claimant, START + 86_400)
    if wrong == "twice":
        words = (word, word)
    elif wrong == "unsigned":
        words = (replace(word, signature=bytes(64)),)
    else:
        change, signer = WRONG[wrong]
        words = (signed_nothing(signer, replace(word, **change(word))),)
    entries = len(claimant.ledger.log)
    for match in party.running:
        match.fold.is_early = lambda _seat: False
    head, state = claimant.ledger.log.head, claimant.fold.digest()
    claim = Late(seat, head, state, START + 86_400, words)
    code = Code.BAD_SIGNATURE if wrong == "unsigned" else Code.BAD_PROOF
    assert code_of(party, party.logs()[1 - n], claim, 1 - n) == code.name
    with contextlib.suppress(PeerError):
        claim_with(claimant, party, seat, words)
    assert len(claimant.ledger.log) == entries
    claim_with(claimant, party, seat, (word,))  # the same without the fault
    assert len(claimant.ledger.log) == entries + 1


def test_a_keeper_that_signs_both_is_shown_and_counts_for_nothing() -> None:
    party, clock = with_keeper(2)
    n, seat = guest_on_turn(party)
    late, other = party.member(n), party.member(1 - n)
    party.cut(0, 1)
    party.settle()
    move = next(iter(late.fold.game.moves(late.fold.state, seat)))
    late.play(seat, pack(move), -1, party.now)
    late.mail(other.me, party.now)
    turn = receipt(late, KEEPER, START + 3_600)
    late.keep(KeptWord(turn))
    pass_hours(party, clock, 26)
    other.keep(KeptNothing(nothing_left(late, other, clock[0])))
    other.claim(party.now)
    party.link_all()
    party.settle()
    pass_hours(party, clock, 1)
    for match in party.running:
        assert match.fold.moves > 0
        assert match.fold.claims.is_spent(seat)
        assert not match.fold.over
        said = [str(one) for one in told(match.fold)]
        assert sum(says(one, Says.KEEPER_BOTH) for one in said) == 1
    found = verify(party.archives[1 - n].open(party.terms.nonce).read())
    assert found.claims == told(other.fold)


def code_of(party: Party, raws: Sequence[bytes], body: LogBody, author: int) -> str:
    """Return with which code a body is refused behind some entries, "" if it is not."""
    raw = Scribe(party.keys, tuple(raws)).at(len(raws), body, party.keys[author].key)
    log, fold = replayed(tuple(raws), len(raws))
    try:
        follow(log, fold, log.checked(raw, fold.host_after))
    except PeerError as error:
        return error.code.name
    return ""


def claimed() -> tuple[Party, list[bytes], int, int]:
    """Return a match with a claim in it: entries, who claims, and against whom."""
    party, _clock = with_keeper(3)
    late, seat = guest_on_turn(party)
    raws = list(party.logs()[0])
    match = party.member(0)
    head, state = match.ledger.log.head, match.fold.digest()
    claim = Late(seat, head, state, START + 86_400, ())
    scribe = Scribe(party.keys, tuple(raws))
    raws.append(scribe.at(len(raws), claim, party.keys[0].key))
    return party, raws, 0, late


@pytest.mark.parametrize("liar", ["ann", "cyd"])
def test_what_a_member_shows_that_is_no_turn_keeps_nobody_from_claiming(
    three: Friends, liar: str
) -> None:
    """A host, and another guest, sign what nobody can read, or no turn at all."""
    three.turn_of(liar)
    log, net = three.match(liar).ledger.log, three.net
    key = net[liar].signer
    bodies = pack(Late(0, log.head, log.head, 1, ())), b"\xc1"
    for own, body in product((log.own(net[liar].key), 99), bodies):
        signed = key.sign(author_data(log.match, own, body))
        said = Submit(log.match, own, body, signed)
        with contextlib.suppress(PeerError):
            net["bob"].tables.receive(net[liar].key, said, net.now)
    net.settle()
    three.days(1.1)
    assert net.status("bob").thinking.claim == "may"
    net.done("bob", ClaimTime())
    net.settle()
    three.wake()
    assert three.match("bob").fold.resigned == {"ann": {0}, "cyd": {2}}[liar]


def test_a_turn_that_is_taken_back_behind_a_claim_leaves_nobody_late(
    two: Friends,
) -> None:
    vars(two.match("bob").thinking)["owed"] = lambda: iter(())  # answers no claim
    two.days(1.1)
    two.net.done("ann", ClaimTime())
    two.net.settle()
    assert two.match("ann").fold.claims.standing
    two.net.done("ann", MakeOffer(0, "back"))
    two.net.settle()
    two.net.done("bob", AnswerOffer(1, agrees=True))
    two.net.settle()
    assert two.on_turn() == "ann"
    for name in ("ann", "bob"):
        claims = two.match(name).fold.claims
        assert not (claims.standing or claims.stopped or claims.done)
    vars(two.match("bob").thinking).pop("owed")
    two.move("ann")
    two.days(0.9)
    assert two.net.failed("ann", ClaimTime()) is Code.TOO_EARLY
    two.days(0.2)
    two.net.done("ann", ClaimTime())
    two.net.settle()
    assert two.match("bob").fold.places == (1, 2)


@pytest.mark.parametrize("liars", [1, 2])
def test_of_four_a_host_and_one_friend_take_no_turn_away(liars: int) -> None:
    four = Friends("ann", "bob", "cyd", "dee")
    four.turn_of("bob")
    four.hold_turns_back("ann")
    four.move("bob")
    four.claim_anyway("ann", "bob")
    if liars == 2:
        four.match("dee").thinking.holds_turn = lambda _seat: False  # type: ignore[method-assign]
        never_early(four.match("dee").thinking)
    four.days(1.1)
    for name in ("ann", "bob", "cyd", "dee"):
        fold = four.match(name).fold
        assert not fold.claims.done
        assert not fold.resigned
    four.net.close()


def test_who_has_lost_on_time_has_all_its_time_in_the_rematch(two: Friends) -> None:
    two.days(1.1)
    two.net.done("ann", ClaimTime())
    two.net.settle()
    assert all(two.over().values())
    for name in ("ann", "bob"):
        two.net.done(name, PlayAgain())
    two.net.settle()
    two.hours(0)
    fold = two.match("bob").fold
    assert not fold.over
    assert not (fold.claims.made or fold.claims.standing or fold.claims.done)
    late = two.on_turn()
    other = "ann" if late == "bob" else "bob"
    two.days(0.9)
    assert two.net.failed(other, ClaimTime()) is Code.TOO_EARLY
    two.days(0.2)
    two.net.done(other, ClaimTime())
    two.net.settle()
    assert two.match(late).fold.over
