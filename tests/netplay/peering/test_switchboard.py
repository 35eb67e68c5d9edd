"""Lines between two nodes, and who carries them: what is handed on, and to whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay import limits
from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.messages.link import CloseLine, LineBytes, LineTaken, OpenLine, Ring
from netplay.messages.types import LINE_BYTES
from netplay.peering.switchboard import Say, Switchboard, number_of
from tests.netplay.memory import KEYS

OWN, ANN, BOB, CID = KEYS[3], KEYS[1], KEYS[2], KEYS[4]


def board() -> Switchboard:
    """Return one where everybody is there and may have a line to everybody."""
    here = {fingerprint(key): key for key in KEYS}

    def judge(_key: bytes, to: str) -> bytes:
        if to not in here:
            raise PeerError(Code.NO_ANSWER, "")
        return here[to]

    return Switchboard(OWN, judge)


def begun(
    found: Switchboard, one: bytes, two: bytes, count: int = 0
) -> tuple[int, int]:
    """Open a line; return its number at both ends."""
    line = number_of(one, OWN, count)
    (said,) = found.opens(one, OpenLine(line, fingerprint(two)), 0.0)
    assert said.key == two
    assert isinstance(said.message, Ring)
    assert said.message.caller == fingerprint(one)
    return line, said.message.line


def test_what_one_end_sends_comes_out_at_the_other_and_nowhere_else() -> None:
    found = board()
    mine, theirs = begun(found, ANN, BOB)
    again, other = begun(found, ANN, CID, 1)
    assert found.sends(ANN, LineBytes(mine, b"to Bob"), 0.0) == [
        Say(BOB, LineBytes(theirs, b"to Bob"))
    ]
    assert found.sends(CID, LineBytes(other, b"to Ann"), 0.0) == [
        Say(ANN, LineBytes(again, b"to Ann"))
    ]
    assert found.sends(CID, LineBytes(theirs, b"Bob's"), 0.0) == [], "not Cid's line"
    assert len(found) == 2


def test_who_sends_more_than_the_other_end_takes_breaks_the_protocol() -> None:
    found = board()
    mine, _ = begun(found, ANN, BOB)
    piece = LineBytes(mine, bytes(LINE_BYTES))
    for _ in range(limits.LINE_WINDOW_BYTES // LINE_BYTES):
        found.sends(ANN, piece, 0.0)
    with pytest.raises(PeerError) as error:
        found.sends(ANN, LineBytes(mine, b"!"), 0.0)
    assert error.value.code is Code.TOO_MANY
    with pytest.raises(PeerError) as error:
        found.takes(ANN, LineTaken(mine, 1), 0.0)
    assert error.value.code is Code.UNEXPECTED


def test_leave_to_send_is_held_back_from_who_sends_too_fast() -> None:
    found = board()
    mine, theirs = begun(found, ANN, BOB)
    piece, taken = LineBytes(mine, bytes(LINE_BYTES)), LineTaken(theirs, LINE_BYTES)
    waits = []
    for _ in range(400):
        found.sends(ANN, piece, 0.0)
        (said,) = found.takes(BOB, taken, 0.0)
        waits.append(said.wait)
    assert waits[0] == 0, "a burst goes through"
    kibibytes = 400 * (1 + LINE_BYTES // 1024)
    over = kibibytes - limits.CARRIED_AT_ONCE
    assert waits[-1] == pytest.approx(over / limits.CARRIED_A_SECOND)
    assert found.carried == kibibytes


def test_a_line_with_a_number_of_the_other_side_or_of_before_is_refused() -> None:
    found = board()
    line, _ = begun(found, ANN, BOB)
    for wrong in (0, line, line + 1, line - 1):
        with pytest.raises(PeerError) as error:
            found.opens(ANN, OpenLine(wrong, fingerprint(BOB)), 0.0)
        assert error.value.code is Code.UNEXPECTED
    assert begun(found, ANN, BOB, 1)[0] == line + 2


def test_there_are_no_more_lines_than_may_be_and_who_asks_for_more_is_told() -> None:
    found = board()
    for count in range(limits.LINES_A_PEER):
        begun(found, ANN, BOB, count)
    line = number_of(ANN, OWN, limits.LINES_A_PEER)
    (said,) = found.opens(ANN, OpenLine(line, fingerprint(CID)), 0.0)
    assert said == Say(ANN, CloseLine(line, Code.BUSY.number, Code.BUSY.text))
    line += 2
    (said,) = found.opens(ANN, OpenLine(line, "NOBODY"), 0.0)
    assert isinstance(said.message, CloseLine)
    assert said.message.code == Code.NO_ANSWER.number


def test_others_together_open_no_more_lines_to_somebody_than_may_be() -> None:
    found = board()
    for count in range(limits.LINES_A_PEER):
        begun(found, (ANN, CID)[count % 2], BOB, count // 2)
    line = number_of(ANN, OWN, limits.LINES_A_PEER)
    (said,) = found.opens(ANN, OpenLine(line, fingerprint(BOB)), 0.0)
    assert said == Say(ANN, CloseLine(line, Code.BUSY.number, Code.BUSY.text))
    begun(found, ANN, CID, limits.LINES_A_PEER + 1)


def test_who_asks_for_lines_again_and_again_breaks_the_protocol() -> None:
    found = board()
    with pytest.raises(PeerError) as error:
        for count in range(int(limits.LINES_OPENED_AT_ONCE) + 1):
            line = number_of(ANN, OWN, count)
            found.opens(ANN, OpenLine(line, "NOBODY"), 0.0)
    assert error.value.code is Code.TOO_MANY


def test_both_ends_are_told_when_the_player_carries_no_more() -> None:
    found = board()
    mine, theirs = begun(found, ANN, BOB)
    told = {(say.key, say.message) for say in found.end_all()}
    code = Code.DECLINED
    assert told == {
        (ANN, CloseLine(mine, code.number, code.text)),
        (BOB, CloseLine(theirs, code.number, code.text)),
    }
    assert not len(found)


def test_the_other_end_is_told_when_a_link_is_lost_and_numbers_begin_anew() -> None:
    found = board()
    mine, theirs = begun(found, ANN, BOB)
    code = Code.NO_ANSWER
    assert found.gone(ANN) == [Say(BOB, CloseLine(theirs, code.number, code.text))]
    assert found.sends(BOB, LineBytes(theirs, b"late"), 0.0) == []
    assert begun(found, ANN, BOB)[0] == mine
    assert not board().gone(ANN)


@pytest.mark.parametrize("lost", [ANN, BOB])
def test_at_either_end_of_a_new_link_lines_are_counted_anew(lost: bytes) -> None:
    found = board()
    first = begun(found, ANN, BOB)
    again = begun(found, ANN, BOB, 1)
    assert again == (first[0] + 2, first[1] + 2)
    found.gone(lost)
    count = 0 if lost == ANN else 2
    mine, theirs = begun(found, ANN, BOB, count)
    assert mine == first[0] + 2 * count
    assert theirs == first[1] + (4 if lost == ANN else 0)


@given(code=st.integers(0, 99), reason=st.text(max_size=9), by=st.booleans())
def test_why_one_end_closes_a_line_is_told_to_the_other(
    code: int, reason: str, by: bool
) -> None:
    found = board()
    ends = dict(zip((ANN, BOB), begun(found, ANN, BOB), strict=True))
    one, other = (ANN, BOB) if by else (BOB, ANN)
    told = found.closes(one, CloseLine(ends[one], code, reason))
    assert told == [Say(other, CloseLine(ends[other], code, reason))]
    assert not len(found)
    assert found.closes(other, CloseLine(ends[other], 0, "")) == []


def test_just_so_many_lines_are_carried_in_all() -> None:
    keys = [number.to_bytes(32) for number in range(1, 2 * limits.LINES_CARRIED + 3)]
    here = {fingerprint(key): key for key in keys}
    found = Switchboard(bytes(32), lambda _key, to: here[to])
    said = []
    for one, two in zip(keys[::2], keys[1::2], strict=True):
        line = OpenLine(number_of(one, bytes(32), 0), fingerprint(two))
        said += found.opens(one, line, 0.0)
    refused = [say for say in said if isinstance(say.message, CloseLine)]
    assert len(found) == limits.LINES_CARRIED == len(said) - len(refused)
    assert [say.message.code for say in refused] == [Code.BUSY.number]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["open", "send", "take", "close", "gone"]),
        st.sampled_from([ANN, BOB, CID]),
        st.integers(0, 40),
        st.integers(1, LINE_BYTES),
    ),
    max_size=60,
)


@given(STEPS)
def test_whatever_is_said_what_is_kept_stays_bounded(
    steps: list[tuple[str, bytes, int, int]],
) -> None:
    found, others = board(), [ANN, BOB, CID]
    for what, key, line, count in steps:
        to = fingerprint(others[(others.index(key) + 1) % 3])
        try:
            match what:
                case "open":
                    said = found.opens(key, OpenLine(line, to), 0.0)
                case "send":
                    said = found.sends(key, LineBytes(line, bytes(count)), 0.0)
                case "take":
                    said = found.takes(key, LineTaken(line, count), 0.0)
                case "close":
                    said = found.closes(key, CloseLine(line, 0, ""))
                case _:
                    said = found.gone(key)
        except PeerError as error:
            assert error.code in {Code.UNEXPECTED, Code.TOO_MANY}
            said = found.gone(key)  # its link is ended
        assert all(say.key != key or what == "open" for say in said)
        assert len(found) <= limits.LINES_CARRIED
        assert all(
            0 <= half.under_way <= limits.LINE_WINDOW_BYTES
            for half in found._halves.values()
        )
