"""Who withholds what only it can say: tiles, mixings, seeds, and turns from a host."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from msgspec.structs import replace

from netplay.daemon.positions import read_position
from netplay.errors import Code, LocalError, PeerError
from netplay.match.effects import Effects
from netplay.match.masks import Check
from netplay.match.match import Match
from netplay.match.thinking import DAY_SECONDS
from netplay.messages.log import (
    Late,
    Lift,
    LogBody,
    Mask,
    Mix,
    Refused,
    Spare,
    Submit,
    Turn,
    Wish,
)
from netplay.messages.table import Days
from netplay.messages.table_questions import ClaimTime
from netplay.record.clocks import told
from netplay.record.log import author_data, read_body
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.table.table_status import Eyes, show_match
from netplay.wanted import Outgoing
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from rules.networdz import Pass, lays
from tests.hostile.days import Friends, at_bobs_turn, later
from tests.netplay.match.encrypted import exchange, ready, said, silence, unproved
from tests.netplay.match.matches import silence as silence_all
from tests.netplay.party import Party
from tests.said import says

__all__ = ["unproved"]

pytestmark = pytest.mark.usefixtures("unproved")

TIMED = GAMES["networdz"].ABOUT.options(timed=1)


def silent(match: Match) -> None:
    """Let a member judge nothing either."""
    match.thinking.owed = lambda: iter(())  # type: ignore[method-assign]  # a changed program


def claims(match: Match) -> list[str]:
    return [str(said) for said in told(match.fold)]


def stops_lifting(party: Party) -> tuple[int, int]:
    """Let a guest lift no more after a move; return who waits for it, and it."""
    [(n, _)] = party.movers()
    other = 1 - n
    silence(party.member(other), Lift)
    exchange(party)
    return n, other


@pytest.mark.parametrize("honest", [True, False], ids=["judges", "silent"])
def test_a_minute_runs_against_a_guest_that_stops_lifting_tiles(honest: bool) -> None:
    party = ready(2, options=TIMED)
    waits, other = stops_lifting(party)
    match = party.member(waits)
    if not honest:
        silent(party.member(other))
    with pytest.raises(LocalError) as early:
        match.claim(party.now)
    assert early.value.code is Code.TOO_EARLY
    party.wake(30.0)
    party.wake(31.0)
    party.wake(61.0)
    match.claim(party.now)
    party.settle()
    fold = match.fold
    if honest:
        assert fold.over
        assert fold.places[other] == 2
    else:
        assert not fold.over
        assert "unanswered" in claims(match)[-1]
        assert "unanswered" in claims(party.member(other))[-1]


def test_without_a_clock_it_is_the_word_of_who_waits() -> None:
    party = ready(2)
    waits, other = stops_lifting(party)
    match = party.member(waits)
    party.wake(121.0)
    match.claim(party.now)
    party.settle()
    assert not match.fold.over
    assert "withholds" in claims(match)[-1]
    assert match.fold.places == ()
    gives(party, other)
    assert claims(match) == []
    party.member(other).play(other, pack(Pass(())), -1, party.now)
    party.settle()
    assert [n for n, _ in party.movers()] == [waits]


def deaf(match: Match, kind: type[LogBody]) -> None:
    """Have a host enter nothing of a kind that others say."""
    enter = match.submitting.on_submit

    def held(key: bytes, submit: Submit, at: int) -> Effects:
        dropped = isinstance(read_body(submit.body), kind)
        return () if dropped else enter(key, submit, at)

    match.submitting.on_submit = held  # type: ignore[method-assign]  # a changed program


@pytest.mark.parametrize(
    ("members", "days"), [(2, 0), (2, 1), (3, 1)], ids=["a minute", "a day", "judged"]
)
def test_nobody_is_out_of_time_for_tiles_that_a_host_does_not_enter(
    members: int, days: int
) -> None:
    """A host drops what another lets go of, and claims that it withholds it."""
    party = ready(members, options=None if days else TIMED, days=days)
    clock = [1_800_000_000]
    for match in party.running:
        match.parts.unix = lambda: clock[0]
    party.wake(1.0)
    while party.movers() != [(0, 0)]:
        exchange(party)
    host = party.member(0)
    deaf(host, Lift)
    exchange(party)
    assert host.fold.withholding == {1}
    if days:
        party.member(1).play(1, pack(Pass(())), -1, party.now)
        party.settle()
    clock[0] += 25 * 3_600
    party.wake(3_700.0)
    party.wake(3_700.0)
    host.claim(party.now)
    party.settle()
    guest = party.member(1)
    for one in [*guest.submitting]:
        if isinstance(one.body, Lift):  # so that what comes behind it has its number
            said = guest.match, one.signed.own, one.signed.signature
            guest.receive(
                host.me, Refused(*said, Code.UNEXPECTED.number, ""), party.now
            )
    party.settle()
    party.wake(3_700.0)
    for match in party.running:
        assert match.fold.claims.made == ((1, host.me),)
        assert not match.fold.claims.done
        assert not match.fold.over


def test_with_minutes_the_others_see_what_a_host_drops_of_one_of_three() -> None:
    party = ready(3, options=TIMED)
    for match in party.running:
        match.parts.unix = lambda: 1_800_000_000 + int(party.now)
    party.wake(1.0)
    while party.movers() != [(0, 0)]:
        exchange(party)
    host, late = party.member(0), party.member(1)
    enter = host.submitting.on_submit

    def held(key: bytes, submit: Submit, at: int) -> Effects:
        lifts = isinstance(read_body(submit.body), Lift)
        return () if lifts and key == late.me else enter(key, submit, at)

    host.submitting.on_submit = held  # type: ignore[method-assign]  # a changed program
    exchange(party)
    for _ in range(30):
        party.wake(10.0)
        party.settle()
        if (
            host.may_claim()
            and (host.thinking.left or 0) <= 0
            and not said(party, Late)
        ):
            host.claim(party.now)
            party.settle()
    assert late.submitting.waiting
    assert said(party, Late)
    for match in party.running:
        assert not match.fold.claims.standing
        assert not match.fold.resigned
    host.submitting.on_submit = enter  # type: ignore[method-assign]
    party.cut(0, 1)
    party.link(0, 1)
    party.settle()
    assert not late.submitting.waiting
    assert host.fold.withholding == set()


def test_a_host_that_refuses_what_is_owed_is_not_told_it_without_end() -> None:
    party = ready(2)
    while party.movers() != [(0, 0)]:
        exchange(party)
    host, guest, said = party.member(0), party.member(1), list[Submit]()
    enter = host.submitting.on_submit

    def refuse(key: bytes, submit: Submit, at: int) -> Effects:
        if len(said) > 99 or not isinstance(read_body(submit.body), Lift):
            return enter(key, submit, at)
        said.append(submit)
        why = Code.UNEXPECTED.number, "never"
        refused = Refused(host.match, submit.own, submit.signature, *why)
        return (Outgoing((key,), refused),)

    host.submitting.on_submit = refuse  # type: ignore[method-assign]  # a changed program
    exchange(party)
    assert len(said) == 1
    for _ in range(360):
        party.wake(10.0)
        party.settle()
    assert 5 < len(said) < 20
    host.submitting.on_submit = enter  # type: ignore[method-assign]
    party.wake(700.0)
    party.settle()
    assert host.fold.withholding == set()
    assert not guest.submitting.waiting


def test_a_host_that_refuses_a_computers_turns_has_it_think_seldom() -> None:
    party, said = Party("numlo", 2), list[Submit]()
    party.link_all()
    party.settle()
    while party.movers()[0][0] == 0:
        [(n, seat)] = party.movers()
        state = party.member(n).fold.state
        move = next(iter(party.member(n).fold.game.moves(state, seat)))
        party.member(n).play(seat, pack(move), -1, party.now)
        party.settle()
    host, guest = party.member(0), party.member(1)

    def refuse(key: bytes, submit: Submit, _at: int) -> Effects:
        said.append(submit)
        why = Code.ILLEGAL_MOVE.number, "never"
        refused = Refused(host.match, submit.own, submit.signature, *why)
        return (Outgoing((key,), refused),)

    host.submitting.on_submit = refuse  # type: ignore[method-assign]  # a changed program
    guest.seats.stand_in(50)
    for _ in range(60):
        for thought in guest.thoughts():
            move = next(iter(guest.fold.game.moves(thought.view, thought.seat)))
            guest.thought(thought, move, party.now)
        party.settle()
        party.wake(1.0)
    assert 3 < len(said) < 9


@pytest.mark.parametrize("kind", [Mask, Mix])
def test_time_runs_against_who_withholds_a_mask_or_a_mixing(
    kind: type[LogBody],
) -> None:
    party = Party("networdz", 2, fairness="encrypted", options=TIMED)
    silence(party.member(1), kind)
    party.member(1).submitting.waiting.clear()  # its Mask waits there already
    if kind is Mix:
        del party.member(1).masks.owed  # type: ignore[method-assign]
        quiet, jobs = party.member(1), party.member(1).jobs
        quiet.jobs = lambda: [one for one in jobs() if isinstance(one, Check)]  # type: ignore[method-assign]
    party.link_all()
    party.settle()
    party.wake(1.0)
    party.wake(61.0)
    match = party.member(0)
    fold = match.fold
    assert fold.withholding == {1}
    match.claim(party.now)
    party.settle()
    assert fold.places[1] == 2


def test_time_runs_against_who_withholds_its_seed() -> None:
    party = Party("numlo", 2)
    quiet = party.member(1)
    silence_all(quiet)
    party.link_all()
    party.settle()
    match = party.member(0)
    assert match.fold.withholding == {1}
    with pytest.raises(LocalError):
        match.claim(party.now)
    party.wake(60.0)
    party.wake(61.0)
    match.claim(party.now)
    party.settle()
    assert "withholds" in claims(match)[-1]
    assert not match.fold.over


def test_who_keeps_nothing_back_is_not_claimed_against() -> None:
    party = ready(2, options=TIMED)
    exchange(party)
    party.wake(30.0)
    for match in party.running:
        with pytest.raises(LocalError) as caught:
            match.claim(party.now)
        assert caught.value.code is Code.USAGE


def leave(party: Party, n: int, quiet: int) -> None:
    """Let a member resign its seat; play until somebody waits for one who is quiet."""
    while party.movers() != [(0, 0)]:  # then the turn is not that of who is quiet
        exchange(party)
    party.member(n).play(n, pack(Resign()), -1, party.now)
    party.settle()
    for _ in range(4):
        if party.member(0).fold.withholding:
            break
        exchange(party)
    assert party.member(0).fold.withholding == {quiet}


@pytest.mark.parametrize("judges", [True, False], ids=["judges", "silent"])
def test_time_runs_against_who_spreads_no_spare_once_somebody_has_left(
    judges: bool,
) -> None:
    party = ready(4, options=TIMED)
    quiet = party.member(2)
    silence(quiet, Spare)
    if not judges:
        silent(quiet)
    leave(party, 3, 2)
    match = party.member(0)
    party.wake(30.0)
    with pytest.raises(LocalError) as early:
        match.claim(party.now)
    assert early.value.code is Code.TOO_EARLY
    party.wake(31.0)
    match.claim(party.now)
    party.settle()
    assert match.fold.resigned == {2, 3}
    assert not match.fold.over


def test_who_withholds_its_mask_after_it_was_put_out_wins_nothing_by_it() -> None:
    party = ready(4, options=TIMED)
    quiet = party.member(2)
    silence(quiet, Spare)
    leave(party, 3, 2)
    party.wake(30.0)
    party.wake(31.0)
    match = party.member(0)
    silence_all(quiet)  # nor an Open
    match.claim(party.now)
    party.settle()
    assert match.fold.withholding == {2}  # of which nothing more can be taken
    party.wake(100.0)
    with pytest.raises(LocalError) as caught:
        match.claim(party.now)
    assert caught.value.code is Code.USAGE
    match.say(match.offering.offer(0, "stop", 0), party.now)
    party.settle()
    (offer,) = match.fold.offers.standing
    other = party.member(1)
    other.say(other.offering.answer(1, offer.head, agrees=True), party.now)
    party.settle()
    assert match.fold.places == (1, 1, 3, 3)


def test_an_open_that_is_given_lets_the_others_play_on() -> None:
    party = ready(4, options=TIMED)
    silence(party.member(2), Spare)
    leave(party, 3, 2)
    party.wake(30.0)
    party.wake(31.0)
    party.member(0).claim(party.now)
    party.settle()
    assert party.member(0).fold.withholding == set()
    moves = party.member(0).fold.moves
    exchange(party)
    assert party.member(0).fold.moves == moves + 1


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        (Mask, "its key to the pool"),
        (Mix, "a mixing of the pool"),
        (Lift, "to let go of tiles"),
        (None, "a turn"),
    ],
)
def test_the_record_says_who_owes_what_and_when_they_last_said_something(
    kind: type[LogBody] | None, what: str
) -> None:
    party = Party("networdz", 2, fairness="encrypted", options=TIMED)
    quiet = 1
    if kind in {Mask, Mix}:
        silence(party.member(1), kind or Mask)
        party.member(1).submitting.waiting.clear()
    if kind is Mix:
        party.matches[1].jobs = lambda: ()  # type: ignore[union-attr,method-assign]
    party.link_all()
    party.settle()
    if kind is Lift:
        _, quiet = stops_lifting(party)
    if kind is None:
        [(quiet, _)] = party.movers()
    log, key = party.member(0).ledger.log, party.keys[quiet].key
    said = [line.entry for line in log.lines if line.entry.author == key]
    last = said[-1] if said else None
    read = verify(party.archives[0].open(party.terms.nonce).read())
    line, *each = map(str, read.owed)
    shown = read_position(party.archives[0].open(party.terms.nonce).read()).waited
    assert [line, *each] == [str(one) for one in shown]
    assert line.startswith(f"S{quiet} owes {what}; ")
    owes = (Says.OWES, {"number": last.number}) if last else (Says.OWES_FIRST, {})
    assert says(line, owes[0], **owes[1])


def test_the_record_shows_what_each_has_sent_and_when() -> None:
    party = ready(2, options=TIMED)
    _, other = stops_lifting(party)
    log = party.member(0).ledger.log
    wanted: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for line in log.lines:
        seat = [keys.key for keys in party.keys].index(line.entry.author)
        about = f"M{seat}", type(line.body).__name__.lower()
        wanted.setdefault(about, []).append((line.entry.number, line.entry.at))
    read = verify(party.archives[0].open(party.terms.nonce).read())
    found = {(one.name, one.kind): list(one.entries) for one in read.sent}
    kinds = {"mask", "mix", "lift", "commit", "seed", "turn"}
    assert {kind for _, kind in found} == kinds
    assert found == {key: wanted[key] for key in wanted if key[1] in kinds}
    lines = [str(said) for said in read.owed if says(str(said), Says.SENT)]
    assert len(lines) == 2
    number, _ = found[f"M{other}", "lift"][-1]
    assert says(lines[other], Says.SENT_LAST, what=Says.SENT_LIFTS(), number=number)
    assert f" {number}, 0:00:0" in lines[other]


def shown(match: Match) -> list[str]:
    """Return what a window is told of claims."""

    def undoubted(_key: bytes, _name: str) -> str:
        return ""

    def unnamed(_key: bytes, name: str) -> str:
        return name

    eyes = Eyes(match.me, {}, 0.0, undoubted, unnamed)
    return [str(one) for one in show_match(match, "", eyes).claims]


def test_while_a_claim_stands_a_window_is_told_what_each_has_sent() -> None:
    party = ready(2)
    waits, other = stops_lifting(party)
    match = party.member(waits)
    assert not shown(match)
    party.wake(121.0)
    match.claim(party.now)
    party.settle()
    for each in party.running:
        told_ = shown(each)
        assert "withholds" in told_[0]
        assert says(told_[1], Says.OWES, name=f"S{other}", what=Says.OWED_TILES())
        sent = [one.split(":")[0] for one in told_[2:]]
        assert sent == [
            str(Says.SENT(name=name, what="")).rstrip(": ") for name in ("M0", "M1")
        ]


@pytest.fixture
def three() -> Iterator[Friends]:
    with at_bobs_turn("ann", "bob", "cyd") as found:
        yield found


@pytest.mark.parametrize("claimed", [False, True], ids=["waits", "claimed"])
def test_a_turn_that_is_shown_to_one_alone_is_handed_to_the_host(
    three: Friends, claimed: bool
) -> None:
    for shown in range(3):
        three.turn_of("bob")
        turn = three.match("bob").fold.moves
        if claimed and shown:
            three.claim_anyway("ann", "bob")
        three.show_alone("bob", "cyd")
        if not claimed:
            three.days(1.1)
        three.hours(1)
        for name in ("ann", "bob", "cyd"):
            fold = three.match(name).fold
            assert fold.moves == turn + 1
            assert not fold.resigned
            assert not fold.claims.standing


def test_a_turn_shown_to_one_alone_goes_on_while_its_author_sleeps(
    three: Friends,
) -> None:
    turn = three.match("bob").fold.moves
    three.net.part("ann", "cyd")
    three.show_alone("bob", "cyd")
    three.net.part("bob", "ann")
    three.net.part("bob", "cyd")
    three.hours(3)
    three.net.apart -= {frozenset(("ann", "cyd"))}
    three.net.dial()
    three.net.settle()
    three.hours(1)
    assert three.match("ann").fold.moves == turn + 1
    assert not three.match("ann").fold.claims.stopped


@pytest.mark.parametrize("late", [False, True], ids=["in time", "too late"])
def test_who_was_away_for_a_moment_has_made_its_turn_no_sooner_than_that(
    three: Friends, late: bool
) -> None:
    three.hold_turns_back("ann")
    three.days(1.5 if late else 0.5)
    three.net.isolate("bob")
    three.net.part("bob", "cyd")
    three.move("bob")
    three.meet()
    three.days(0 if late else 1)
    three.claim_anyway("ann", "bob")
    for name in ("ann", "bob", "cyd"):
        assert three.match(name).fold.resigned == ({1} if late else set())


@pytest.mark.parametrize("by", ["ann", "file"])
def test_what_a_host_brings_of_another_takes_the_place_of_nothing_shown(
    three: Friends, by: str
) -> None:
    """It was signed and refused before, and has the number of the turn that came."""
    found = three.match("bob")
    (seat,) = found.fold.seats_of(three.net["bob"].key)
    refused = Wish(seat, "stop", 0, found.ledger.log.head, found.fold.digest())
    three.ignore("ann", "bob")
    three.hold_turns_back("ann")
    three.move("bob")
    three.hours(16)
    three.show_alone("bob", "cyd", refused, by=by)
    three.days(1.5)
    three.claim_anyway("ann", "bob")
    assert not three.match("cyd").fold.claims.standing
    assert not three.match("cyd").fold.resigned


def nobody_enters(friends: Friends, what: str) -> None:
    """Show to cyd what bob has signed and no host could enter."""
    found, play = friends.match("bob"), friends.chosen("bob")
    log, fold = found.ledger.log, found.fold
    turn = Turn(play.seat, log.head, fold.digest(), play.move, ())
    match what:
        case "no move":
            friends.show_alone("bob", "cyd", replace(turn, move=pack(7)))
        case "a number that is not the next":
            friends.show_alone("bob", "cyd", turn, skipped=1)
        case "another position":
            friends.show_alone("bob", "cyd", replace(turn, state=bytes(32)))
        case "behind what is refused":
            claim = Late(play.seat, log.head, fold.digest(), 1, ())
            friends.show_alone("bob", "cyd", claim, turn)


@pytest.mark.parametrize(
    "what",
    [
        "no move",
        "a number that is not the next",
        "another position",
        "behind what is refused",
    ],
)
def test_what_no_host_could_enter_speaks_for_nobody(three: Friends, what: str) -> None:
    nobody_enters(three, what)
    three.days(1.1)
    three.net.done("ann", ClaimTime())
    three.net.settle()
    three.hours(1)
    for name in ("ann", "bob", "cyd"):
        assert three.match(name).fold.resigned == {1}


def behind_a_word(days: Days = 1) -> tuple[Party, list[int]]:
    """Have the first member on turn with tiles face down, which the other owes it.

    Its word could be challenged, so that it draws as the other moves.

    Returns:
        The party, and the time of day in seconds, to be put on.
    """
    options = GAMES["networdz"].ABOUT.options(challenge="single")
    party, clock = ready(2, options=options, days=days), [1_800_000_000]
    for match in party.running:
        match.parts.unix = lambda: clock[0]
    party.wake(1.0)
    while party.movers() != [(0, 0)] or party.member(0).fold.state.pending:
        exchange(party)
    match, other = party.member(0), party.member(1)
    match.play(0, pack(next(lays(match.seats.view(0).state, 0))), -1, party.now)
    party.settle()
    silence(other, Lift)
    other.play(1, pack(Pass(())), -1, party.now)
    party.settle()
    assert match.fold.withholding == {1}
    assert not match.seats.view(0).up_to_date
    return party, clock


def gives(party: Party, n: int) -> None:
    """Let a member say what it has kept back."""
    del party.member(n).masks.owed  # type: ignore[method-assign]
    party.member(n).masks.news += 1
    party.member(n).step(party.now)
    party.settle()


def test_days_begin_once_the_tiles_of_a_turn_have_come() -> None:
    party, clock = behind_a_word()
    later(party, clock, 25)
    with pytest.raises(LocalError) as caught:  # nor does what another owes count
        party.member(1).claim(party.now)
    assert caught.value.code is Code.USAGE
    gives(party, 1)
    assert party.member(0).seats.view(0).up_to_date
    assert {match.thinking.left for match in party.running} == {DAY_SECONDS}
    party.member(1).fold.is_early = lambda _seat: False  # a changed program
    with pytest.raises(LocalError):
        party.member(1).claim(party.now)
    later(party, clock, 23)
    party.member(0).play(0, pack(Pass(())), -1, party.now)
    party.settle()
    assert party.movers() == [(1, 1)]
    assert not said(party, Late)


def test_who_owes_tiles_has_a_day_for_that_and_loses_as_by_a_move() -> None:
    party, clock = behind_a_word()
    later(party, clock, 23)
    with pytest.raises(LocalError) as caught:
        party.member(0).claim(party.now)
    assert caught.value.code is Code.TOO_EARLY
    later(party, clock, 2)
    party.member(0).claim(party.now)
    party.settle()
    for match in party.running:
        assert match.fold.places == (1, 2)


def test_a_mixing_takes_no_time_from_those_whose_turn_it_is_to_mix() -> None:
    """Each has a day: to move, to mix what the other puts back, and to lift."""
    party, clock = ready(2, days=1), [1_800_000_000]
    for match in party.running:
        match.parts.unix = lambda: clock[0]
    party.wake(1.0)
    [(n, _)] = party.movers()
    slow = party.member(1 - n)
    silence(slow, Lift)
    jobs, vars(slow)["jobs"] = slow.jobs, lambda: ()
    exchange(party)
    assert party.member(n).fold.withholding == {1 - n}
    later(party, clock, 20)
    vars(slow)["jobs"] = jobs
    slow.step(party.now)
    party.settle()
    assert party.member(n).fold.withholding == {1 - n}
    left = {match.thinking.left for match in party.running}
    assert left == {4 * 3_600}  # to mix, to lift and to move is all its own
    gives(party, 1 - n)
    assert {match.thinking.left for match in party.running} == left
    party.member(1 - n).play(1 - n, pack(Pass(())), -1, party.now)
    party.settle()
    assert {match.thinking.left for match in party.running} == {DAY_SECONDS}


def test_what_nobody_can_read_keeps_nobody_from_claiming(three: Friends) -> None:
    """It is shown again each time that somebody is about to."""
    log, node = three.match("bob").ledger.log, three.net["bob"]
    three.hours(25)
    raw, own = b"\xc1", log.own(node.key)
    signed = node.signer.sign(author_data(log.match, own, raw))
    with suppress(PeerError):  # whoever says so is hung up on
        shown = Submit(log.match, own, raw, signed)
        three.net["cyd"].tables.receive(node.key, shown, three.net.now)
    three.net.done("cyd", ClaimTime())
    three.net.settle()
    fold = three.match("cyd").fold
    assert fold.claims.standing or fold.resigned
