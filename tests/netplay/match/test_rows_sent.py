"""Rows that wells send one another: who lets them rise, when, and who cannot shirk."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.match.realtime import TAKE_TICKS
from netplay.messages.log import Ticks
from netplay.players.hexcolumns import choose
from netplay.record.chance import PUBLIC
from netplay.record.store import whole
from netplay.record.ticking import OVERDUE_TICKS, Wells, stretch
from netplay.record.verify import replay, verify
from netplay.wire import pack
from rules import hexcolumns as game
from rules.game import IllegalMoveError
from rules.hexcolumns import abilities
from tests.netplay.deviant import Deviant, differing
from tests.netplay.match.matches import ready
from tests.netplay.match.test_hostile_peers import refusals, submit
from tests.netplay.party import Party

OPTIONS = game.Options(size=8, level=3, attacks=True)
SKILL = 60
RNG = Random(1)


def wells(party: Party, n: int = 0) -> Any:
    """Return the wells as a member has them, its own as they are this moment."""
    realtime = party.member(n).realtime
    assert realtime is not None
    return realtime.state.wells


def press(party: Party, n: int, seat: int, move: Any) -> None:
    party.member(n).play(seat, pack(move), -1, party.now)


def plays(party: Party, n: int, seat: int) -> None:
    """Let a computer player make the next input of a seat, if it has any."""
    state = party.member(n).shown_state(seat)
    if seat in game.actors(state):
        press(party, n, seat, choose(state, seat, SKILL, RNG))


def until_sent(party: Party, rows: int = 1, seat: int = 0) -> None:
    """Let one seat play until it has sent rows; the others let their pieces hang."""
    others = [n for n in range(len(party.keys)) if n != seat]
    party.wake(0.1)
    for n in others:
        press(party, n, n, game.Pause())
    for _ in range(3000):
        party.wake(1 / 30)
        if party.member(0).fold.state.wells[seat].sent >= rows:
            return
        plays(party, seat, seat)
    raise AssertionError("nothing was sent")


def bodies(party: Party, seat: int) -> list[Ticks]:
    lines = party.member(0).ledger.log.lines
    return [
        b for b in (x.body for x in lines) if isinstance(b, Ticks) and b.seat == seat
    ]


def risen(party: Party, seat: int) -> list[tuple[int, int]]:
    """Return at which ticks how many rows have risen in a well, by the log."""
    rise = pack(game.Rise(1))[:-1]
    inputs = [one for body in bodies(party, seat) for one in body.inputs]
    return [(tick, move[-1]) for tick, move in inputs if move.startswith(rise)]


def test_rows_rise_with_the_next_piece_of_their_receiver_each_time() -> None:
    party = ready("hexcolumns", options=OPTIONS)
    taken = 0
    for time in (1, 2):
        until_sent(party, taken + 1)
        sent = party.member(0).fold.state.wells[0].sent
        owed = game.owed(party.member(1).fold.state, 1)
        assert (owed, wells(party, 1)[1].taken) == (sent - taken, taken)
        press(party, 1, 1, game.Resume())
        pieces, taken = wells(party, 1)[1].pieces, sent
        press(party, 1, 1, game.Drop())
        now = wells(party, 1)[1]
        assert (now.pieces, now.taken) == (pieces + 1, sent)
        party.wake(0.2)
        assert len(risen(party, 1)) == time
        press(party, 1, 1, game.Drop())  # a piece for which nobody has sent any
        party.wake(0.2)
        assert wells(party, 1)[1].taken == sent


def test_rows_rise_after_ten_seconds_at_the_latest_also_in_a_pause() -> None:
    party = ready("hexcolumns", options=OPTIONS)
    until_sent(party)
    came = party.member(0).fold.owing[1][0].at
    sent = party.member(0).fold.state.wells[0].sent
    for _ in range(TAKE_TICKS - 60):
        party.wake(1 / 30)
    assert wells(party, 1)[1].taken == 0
    for _ in range(70):
        party.wake(1 / 30)
    assert wells(party, 1)[1].taken == sent
    [(tick, rows)] = risen(party, 1)
    assert TAKE_TICKS < tick - came <= TAKE_TICKS + 3
    assert rows == sent
    assert party.member(0).fold.owing == ((), ())


def test_more_than_four_rows_rise_with_one_piece_after_another() -> None:
    party = ready("hexcolumns", options=OPTIONS)
    until_sent(party, 5)
    while not wells(party, 1)[1].taken:
        party.wake(1 / 30)
    for _ in range(OVERDUE_TICKS):
        party.wake(1 / 30)
    sent = party.member(0).fold.state.wells[0].sent
    assert sum(rows for _, rows in risen(party, 1)) == sent
    assert party.notices == [[], []]


def test_two_who_send_each_other_rows_have_equal_logs_that_replay() -> None:
    party = ready("hexcolumns", 3, options=OPTIONS)
    for step in range(900):
        party.wake(1 / 30)
        if step % 5 == 4:
            for n in range(3):
                plays(party, n, n)
    party.wake(0.5)
    fold = party.member(0).fold
    assert min(well.sent for well in fold.state.wells) > 0
    assert min(well.taken for well in fold.state.wells) > 1
    raws = party.member(0).ledger.raws(0)
    assert all(log == raws for log in party.logs())
    assert replay(raws).state == fold.state
    assert verify(whole(raws)).ok is not False
    assert party.notices == [[], [], []]


def test_rows_from_a_seat_of_the_same_node_rise_only_once_they_are_in_the_log() -> None:
    """Else a stretch with them would be entered before the one that sends them."""
    party = Party("hexcolumns", 2, OPTIONS, seats=4)
    party.link_all()
    party.settle()
    for _ in range(3000):
        party.wake(1 / 30)
        plays(party, 1, 3)
        if wells(party, 1)[3].sent:
            break
    assert party.member(1).fold.state.wells[3].sent == 0  # nobody has heard of it
    for move in (game.Rotate(), game.Drop(), game.Rotate(), game.Drop()):
        press(party, 1, 1, move)
    for _ in range(TAKE_TICKS + 30):
        party.wake(1 / 30)
    assert refusals(party) == []
    assert wells(party, 0)[1].taken == wells(party, 0)[3].sent > 0


@pytest.mark.parametrize("after", [0, 3, 40])
def test_a_node_killed_between_seeing_rows_and_their_rise_lets_them_rise_once(
    after: int,
) -> None:
    party = ready("hexcolumns", options=OPTIONS)
    until_sent(party, 2)
    for _ in range(after):
        party.wake(1 / 30)
    press(party, 1, 1, game.Resume())
    press(party, 1, 1, game.Drop())  # they rise, and nobody has heard of it
    party.crash(1)
    party.start(1)
    party.link_all()
    party.settle()
    for _ in range(OVERDUE_TICKS):
        party.wake(1 / 30)
    sent = party.member(0).fold.state.wells[0].sent
    assert wells(party, 1)[1].taken == sent
    assert sum(rows for _, rows in risen(party, 1)) == sent
    assert party.logs()[0] == party.logs()[1]
    assert party.notices == [[], []]


def test_no_player_lets_rows_rise_itself() -> None:
    party = ready("hexcolumns", options=OPTIONS)
    until_sent(party)
    with pytest.raises(IllegalMoveError, match="themselves"):
        press(party, 1, 1, game.Rise(1))
    party.wake(0.1)
    with pytest.raises((IllegalMoveError, LocalError)):
        press(party, 0, 0, game.Rise(1))


# A program that means no good.


def nothing_is_sent(_state: Any, _seat: int) -> int:
    return 0


def test_a_program_that_lets_no_rows_rise_is_refused_and_the_others_play_on() -> None:
    deaf: Any = Deviant(abilities, sent=nothing_is_sent)
    other = Deviant(game, ABOUT=replace(game.ABOUT, real_time=deaf))
    party = differing(3, 1, other, name="hexcolumns", options=OPTIONS)
    until_sent(party)
    press(party, 0, 0, game.Pause())
    came = party.member(0).fold.owing[1][0].at
    for _ in range(OVERDUE_TICKS + 200):
        party.wake(1 / 30)
    fold = party.member(0).fold
    assert fold.ticks[1] <= came + OVERDUE_TICKS
    assert Code.UNEXPECTED.number in refusals(party)
    assert min(fold.ticks[0], fold.ticks[2]) > came + OVERDUE_TICKS + 100
    assert fold.state.wells[1].taken == 0
    assert fold.state.wells[2].taken == fold.state.wells[0].sent
    assert not fold.disputed


def later(party: Party, by: int, *inputs: Any) -> Ticks:
    """Return a stretch of the second seat that goes on from the log."""
    fold = party.member(0).fold
    public = fold.rounds.get(PUBLIC)
    assert public is not None
    assert public.key is not None
    since = fold.ticks[1]
    body = Ticks(1, since + by, tuple((since, pack(move)) for move in inputs), b"")
    state = stretch(fold.game, public.key, Wells(fold.state, fold.drawn), since, body)
    if body.until // 30 == since // 30:
        return body
    return replace(body, well=fold.well(state.state, 1))


def passes(party: Party, ticks: int, *inputs: Any) -> None:
    """Let the guest's own time pass in the log of the host."""
    party.member(0).fold._ticks(party.keys[1].key, later(party, ticks, *inputs))


def test_a_stretch_goes_on_for_thirty_seconds_without_rows_and_no_longer() -> None:
    party = ready("hexcolumns", options=OPTIONS)
    until_sent(party)
    host = party.member(0)
    party.cut(0, 1)
    came, fold = host.fold.owing[1][0].at, host.fold
    sent = fold.state.wells[0].sent
    last = came + OVERDUE_TICKS
    for until in (came + 500, last):
        passes(party, until - fold.ticks[1])
    assert (fold.ticks[1], fold.state.wells[1].taken) == (last, 0)
    with pytest.raises(PeerError) as caught:
        passes(party, 1)
    assert caught.value.code is Code.UNEXPECTED
    passes(party, 1, game.Rise(sent))
    assert fold.state.wells[1].taken == sent


def test_a_node_that_was_refused_begins_again_and_lets_the_rows_rise_first() -> None:
    party = ready("hexcolumns", options=OPTIONS)
    until_sent(party)
    host, guest = party.member(0), party.member(1)
    came = host.fold.owing[1][0].at
    guest.replication.submit(later(party, came + 550 - host.fold.ticks[1]), party.now)
    party.settle()
    guest.replication.submit(later(party, 400), party.now)  # without the row
    party.settle()
    assert Code.UNEXPECTED.number in refusals(party)
    for _ in range(30):
        party.wake(1 / 30)
    assert host.fold.state.wells[1].taken == host.fold.state.wells[0].sent
    assert host.fold.ticks[1] > came + 560


@pytest.mark.parametrize("rows", [0, -1, 2, 5, 2**62])
def test_who_lets_other_rows_rise_than_are_owed_is_refused(rows: int) -> None:
    party = ready("hexcolumns", options=OPTIONS)
    until_sent(party)
    host = party.member(0)
    at, sent = host.fold.ticks[1], host.fold.state.wells[0].sent
    rows = rows if rows != 2 else sent + 1
    body = Ticks(1, at, ((at, pack(game.Rise(rows))),), b"")
    party.collect()
    host.receive(party.keys[1].key, submit(party, 1, body), party.now)
    assert refusals(party)[-1] == Code.ILLEGAL_MOVE.number
    assert host.fold.state.wells[1].taken == 0


def test_no_row_rises_in_a_match_without_attacks() -> None:
    party = ready("hexcolumns", options=game.Options(size=8, level=3))
    party.wake(0.1)
    host = party.member(0)
    at = host.fold.ticks[1]
    body = Ticks(1, at, ((at, pack(game.Rise(1))),), b"")
    host.receive(party.keys[1].key, submit(party, 1, body), party.now)
    assert refusals(party)[-1] == Code.ILLEGAL_MOVE.number


@pytest.mark.parametrize(
    "rise", [["rise"], ["rise", 1, 1], ["rise", True], ["rise", "1"]]
)
def test_what_is_no_rise_is_no_move(rise: list[Any]) -> None:
    party = ready("hexcolumns", options=OPTIONS)
    until_sent(party)
    host = party.member(0)
    at = host.fold.ticks[1]
    body = Ticks(1, at, ((at, pack(rise)),), b"")
    host.receive(party.keys[1].key, submit(party, 1, body), party.now)
    assert refusals(party)[-1] in {Code.BAD_FRAME.number, Code.NOT_CANONICAL.number}


def test_nothing_is_shown_that_follows_a_stretch_which_cannot_be() -> None:
    """What a seat's holder sends ahead of the log, on its own line."""
    party = ready("hexcolumns", 3, options=OPTIONS)
    party.wake(0.1)
    other, since = party.member(2), party.member(2).fold.ticks[1]
    own, author = other.ledger.log.own(party.keys[1].key), party.keys[1].key
    turned = Ticks(1, since + 2, ((since, pack(game.Rotate())),), b"")
    twice = Ticks(1, since + 4, ((since + 2, pack(game.Pause())),) * 2, b"")
    stretches = (
        turned,
        twice,
        Ticks(1, since + 9, ((since + 5, pack(game.Drop())),), b""),
    )
    shown = []
    for number, body in enumerate(stretches):
        other.receive(author, submit(party, 1, body, own + number), party.now)
        shown.append(wells(party, 2)[1])
    before = party.member(2).fold.state.wells[1]
    assert before.piece != shown[0].piece
    assert shown[0] == shown[1] == shown[2]
