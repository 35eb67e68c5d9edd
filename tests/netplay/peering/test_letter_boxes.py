"""Letters that a node keeps for others: what it takes, and what is there afterwards."""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from netplay.errors import Code, LocalError, PeerError
from netplay.faults import Faults
from netplay.messages.letters import LeaveLetter, LetterReceipt, NothingLeft
from netplay.peering import letter_boxes
from netplay.peering.letter_boxes import LetterBoxes
from netplay.sentences import Says

ANN, BOB, CID, DAN = (bytes([n]) * 32 for n in range(4))


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000

    def __call__(self) -> int:
        return self.now


def left(
    boxes: LetterBoxes,
    text: bytes,
    box: int = 0,
    part: int = 0,
    author: bytes = ANN,
    to: bytes = BOB,
) -> None:
    boxes.leave(author, LeaveLetter(to, bytes([box]) * 16, part, text, 7, b""))


def taken(boxes: LetterBoxes, reader: bytes = BOB) -> list[bytes]:
    """Take all that is kept for a reader, in order."""
    found = list[bytes]()
    while (letter := boxes.first(reader)) is not None:
        found.append(letter)
        boxes.taken(reader, hashlib.sha256(letter).digest())
    return found


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def boxes(tmp_path: Path, clock: Clock) -> LetterBoxes:
    boxes = LetterBoxes(tmp_path / "letters", clock)
    boxes.wishes(BOB, (ANN, CID))
    return boxes


def test_letters_come_out_once_in_the_order_in_which_they_were_left(
    boxes: LetterBoxes, tmp_path: Path, clock: Clock
) -> None:
    left(boxes, b"one")
    left(boxes, b"two", box=1)
    left(boxes, b"and more", box=1, part=1)
    again = LetterBoxes(tmp_path / "letters", clock)
    assert taken(again) == [b"one", b"two", b"and more"]
    assert taken(again) == []
    assert len(LetterBoxes(tmp_path / "letters", clock)) == 0


def test_what_is_left_next_takes_the_place_of_what_was_in_the_box(
    boxes: LetterBoxes,
) -> None:
    left(boxes, b"old")
    left(boxes, b"old, too", part=1)
    left(boxes, b"another's", author=CID)
    left(boxes, b"new")
    assert taken(boxes) == [b"another's", b"new"]


def test_a_letter_lapses_after_a_week(boxes: LetterBoxes, clock: Clock) -> None:
    left(boxes, b"old")
    clock.now += 1000
    left(boxes, b"new", box=1)
    clock.now += 7 * 24 * 3600 - 500
    assert taken(boxes) == [b"new"]
    assert len(boxes) == 0


def test_a_damaged_letter_is_dropped_and_the_others_stay(
    boxes: LetterBoxes, tmp_path: Path, clock: Clock
) -> None:
    left(boxes, b"one")
    left(boxes, b"two", box=1)
    first = min((tmp_path / "letters").glob("*.letter"), key=lambda p: p.stat().st_size)
    data = first.read_bytes()
    first.write_bytes(data[:-1] + b"\0")
    (tmp_path / "letters" / "half.letter.new").write_bytes(data[:9])
    faults = Faults()
    again = LetterBoxes(tmp_path / "letters", clock, faults)
    assert len(again) == 1
    assert len(list((tmp_path / "letters").glob("*.letter*"))) == 1
    assert len(taken(again)) == 1
    assert list(faults) == [Says.LETTER_DAMAGED()]


def test_half_a_letter_that_a_crash_has_left_is_told_to_nobody(
    boxes: LetterBoxes, tmp_path: Path, clock: Clock
) -> None:
    left(boxes, b"one")
    (tmp_path / "letters" / "half.letter.new").write_bytes(b"half")
    faults = Faults()
    assert len(LetterBoxes(tmp_path / "letters", clock, faults)) == 1
    assert not list(faults)


def test_one_that_is_damaged_while_the_node_runs_is_passed_over_and_told_of(
    boxes: LetterBoxes, tmp_path: Path, clock: Clock
) -> None:
    left(boxes, b"one")
    faults = Faults()
    boxes = LetterBoxes(tmp_path / "letters", clock, faults)
    for path in (tmp_path / "letters").glob("*.letter"):
        path.write_bytes(b"")
    left(boxes, b"two", box=1)
    assert taken(boxes) == [b"two"]
    assert list(faults) == [Says.LETTER_DAMAGED()]


def test_nothing_is_kept_of_who_was_not_asked_for(boxes: LetterBoxes) -> None:
    for author, to in ((BOB, BOB), (ANN, CID)):
        with pytest.raises(PeerError) as caught:
            boxes.leave(author, LeaveLetter(to, bytes(16), 0, b"x", 7, b""))
        assert caught.value.code is Code.DECLINED
    boxes.wishes(BOB, (CID,))
    with pytest.raises(PeerError):
        left(boxes, b"x")


@pytest.mark.parametrize("text", [bytes(60_000), b"x"])
def test_one_author_gets_only_so_much_kept(
    boxes: LetterBoxes, text: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_boxes, "LETTERS_A_PEER_BYTES", 300_000)
    monkeypatch.setattr(letter_boxes, "LETTERS_A_PAIR", 10)
    most = 5 if len(text) > 1 else 10
    for number in range(most):
        left(boxes, text, box=number)
    with pytest.raises(PeerError) as caught:
        left(boxes, text, box=most)
    assert caught.value.code is Code.BUSY
    left(boxes, text, box=0)  # in the place of the one before
    assert len(boxes) == most
    boxes.wishes(DAN, (ANN,))
    with suppress(PeerError):  # each reader has room of its own, but all of it is full
        left(boxes, text, to=DAN)
    assert len(boxes) == most + (len(text) == 1)


def test_a_disk_that_refuses_is_told_of_and_what_was_kept_stays(
    tmp_path: Path, clock: Clock
) -> None:
    faults = Faults()
    boxes = LetterBoxes(tmp_path / "letters", clock, faults)
    boxes.wishes(BOB, (ANN,))
    left(boxes, b"one")
    (tmp_path / "letters").rename(tmp_path / "away")
    (tmp_path / "letters").write_bytes(b"")
    with pytest.raises(LocalError) as caught:
        left(boxes, b"two")
    assert caught.value.code is Code.DISK
    assert len(list(faults)) == 1
    (tmp_path / "letters").unlink()
    (tmp_path / "away").rename(tmp_path / "letters")
    assert taken(boxes) == [b"one"]


def test_only_so_many_readers_are_remembered_and_none_that_waits_is_forgotten(
    boxes: LetterBoxes, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_boxes, "LETTER_READERS", 8)
    left(boxes, b"one")
    for number in range(3, 20):
        boxes.wishes(number.to_bytes(32, "big"), (ANN,))
    again = LetterBoxes(tmp_path / "letters", clock)
    left(again, b"two")
    assert taken(again) == [b"two"]
    kept = json.loads((tmp_path / "letters" / letter_boxes.WISHES).read_text())
    assert len(kept) == 8


def test_who_takes_letters_of_nobody_pushes_out_nobody_and_writes_nothing(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_boxes, "LETTER_READERS", 8)
    boxes = LetterBoxes(tmp_path / "letters", clock)
    for number in range(3, 20):
        boxes.wishes(number.to_bytes(32, "big"), ())
    assert not (tmp_path / "letters").exists()
    boxes.wishes(BOB, (ANN,))
    for number in range(3, 20):
        boxes.wishes(number.to_bytes(32, "big"), ())
    left(boxes, b"one")
    assert taken(boxes) == [b"one"]
    boxes.wishes(BOB, ())
    with pytest.raises(PeerError) as caught:
        left(LetterBoxes(tmp_path / "letters", clock), b"two")
    assert caught.value.code is Code.DECLINED


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["leave", "leave", "take", "restart", "sleep"]),
        st.integers(0, 3),
        st.integers(0, 2),
        st.sampled_from([ANN, CID]),
        st.sampled_from([BOB, DAN]),
    ),
    max_size=12,
)
FOUR = [("leave", box, 0, ANN, BOB) for box in range(4)]
TAKEN = [("take", 0, 0, ANN, reader) for reader in (BOB, DAN)]


@settings(max_examples=15, deadline=None)
@given(acts=ACTS)
@example(acts=[*FOUR, ("restart", 0, 0, ANN, BOB), *TAKEN])
@example(acts=[("leave", 0, part, ANN, BOB) for part in range(2)])
def test_whatever_happens_a_reader_gets_what_each_box_had_last(
    acts: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In the order in which it was left, and each of two readers of the same."""
    folder, clock = tmp_path_factory.mktemp("boxes") / "letters", Clock()
    boxes = LetterBoxes(folder, clock)
    there: dict[bytes, list[tuple[tuple[bytes, int], bytes]]] = {BOB: [], DAN: []}
    last: dict[tuple[bytes, bytes, int], tuple[bytes, int]] = {}
    start = clock.now
    for reader in there:
        boxes.wishes(reader, (ANN, CID))
    for number, (what, box, part, author, reader) in enumerate(acts):
        match what:
            case "leave":
                for to, kept in there.items():
                    text, place = b"%d" % number, (author, box)
                    left(boxes, text, box, part, author, to)
                    kept[:] = [one for one in kept if part or one[0] != place]
                    kept.append((place, text))
                    last[author, to, box] = text, clock.now
            case "take":
                assert taken(boxes, reader) == [text for _, text in there[reader]]
                there[reader].clear()
            case "restart":
                boxes = LetterBoxes(folder, clock)
            case _:
                clock.now += 1
        assert len(boxes) == sum(map(len, there.values()))
        for (by, to, where), (text, at) in last.items():
            for since in (start, at):
                said = boxes.said(by, to, bytes([where]) * 16, since)
                assert isinstance(said, LetterReceipt)
                assert (said.letter, said.at) == (hashlib.sha256(text).digest(), at)
            # What is denied is denied from the next second on, and up to now.
            none = boxes.said(by, to, bytes([where]) * 16, at + 1)
            assert none is None if at == clock.now else (
                isinstance(none, NothingLeft) and none.since == at + 1
            )  # fmt: skip


# What was left, and when.


def test_what_was_left_is_remembered_after_it_was_taken_and_over_a_restart(
    boxes: LetterBoxes, tmp_path: Path, clock: Clock
) -> None:
    start = clock.now
    clock.now += 100
    left(boxes, b"one")
    assert taken(boxes) == [b"one"]
    clock.now += 100
    for each in (boxes, LetterBoxes(tmp_path / "letters", clock)):
        said = each.said(ANN, BOB, bytes(16), start)
        assert isinstance(said, LetterReceipt)
        assert (said.at, said.letter) == (start + 100, hashlib.sha256(b"one").digest())
        nothing = each.said(ANN, BOB, bytes(16), start + 101)
        assert isinstance(nothing, NothingLeft)
        assert (nothing.since, nothing.at) == (start + 101, start + 200)
        assert isinstance(each.said(CID, BOB, bytes(16), start), NothingLeft)
        assert isinstance(each.said(ANN, BOB, b"\1" * 16, start), NothingLeft)


def test_a_letter_about_the_same_keeps_the_time_of_the_first(
    boxes: LetterBoxes, clock: Clock
) -> None:
    start, box = clock.now, bytes(16)
    for seconds, about in ((0, b"a" * 32), (60, b"a" * 32), (90, b"b" * 32)):
        clock.now = start + seconds
        boxes.leave(ANN, LeaveLetter(BOB, box, 0, b"%d" % seconds, 7, about))
        said = boxes.said(ANN, BOB, box, start)
        assert isinstance(said, LetterReceipt)
        first = start if about[:1] == b"a" else start + 90
        assert (said.about, said.first, said.at) == (about, first, start + seconds)


def test_a_keeper_vouches_for_no_time_that_it_does_not_remember(
    boxes: LetterBoxes, tmp_path: Path, clock: Clock
) -> None:
    start = clock.now
    old = boxes.said(ANN, BOB, bytes(16), start - 1000)
    assert isinstance(old, NothingLeft)
    assert old.since == start, "it has kept letters since then"
    left(boxes, b"one")
    clock.now += 500
    for path in (tmp_path / "letters").glob("*.letter"):
        path.write_bytes(b"")
    again = LetterBoxes(tmp_path / "letters", clock)
    said = again.said(ANN, BOB, bytes(16), start)
    assert isinstance(said, NothingLeft)
    assert said.since == start + 500, "one was damaged: whatever it was"
    clock.now = start  # its clock was put back
    assert again.said(ANN, BOB, bytes(16), start) is None


def test_a_letter_lives_as_long_as_its_author_asks_for(
    boxes: LetterBoxes, clock: Clock
) -> None:
    start = clock.now
    boxes.leave(ANN, LeaveLetter(BOB, bytes(16), 0, b"one", 21, b""))
    clock.now += 21 * 24 * 3600 - 1
    assert boxes.first(BOB) == b"one"
    clock.now += 2
    assert boxes.first(BOB) is None
    assert isinstance(boxes.said(ANN, BOB, bytes(16), start), LetterReceipt)
    clock.now += 35 * 24 * 3600
    said = boxes.said(ANN, BOB, bytes(16), start)
    assert isinstance(said, NothingLeft)
    assert said.since > start, "that there was one is forgotten, and nothing denied"


def test_who_has_forgotten_of_too_many_pairs_to_tell_denies_nothing_of_any(
    boxes: LetterBoxes, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_boxes, "LETTER_READERS", 2)
    start = clock.now
    for author in (ANN, CID):
        left(boxes, b"one", author=author)
        clock.now += 60
    clock.now += 50 * 24 * 3600
    for _ in range(2):  # both letters lapse, then that they were left
        boxes.lapse()
    for author in (CID, ANN):
        said = boxes.said(author, BOB, bytes(16), start)
        assert isinstance(said, NothingLeft)
        assert said.since > start


def test_letters_that_live_long_take_more_of_their_authors_room(
    boxes: LetterBoxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_boxes, "LETTERS_A_PAIR_BYTES", 1000)
    boxes.leave(ANN, LeaveLetter(BOB, bytes(16), 0, bytes(200), 35, b""))
    with pytest.raises(PeerError) as caught:
        left(boxes, b"x", box=1)
    assert caught.value.code is Code.BUSY
    boxes.leave(ANN, LeaveLetter(BOB, bytes(16), 0, bytes(200), 7, b""))
    left(boxes, bytes(800), box=1)


# Who takes whose room.


def filled(boxes: LetterBoxes, author: bytes, to: bytes = BOB, count: int = 300) -> int:
    """Leave as many letters of one byte under invented names as are kept."""
    for number in range(count):
        box = hashlib.sha256(b"%d" % number).digest()[:16]
        try:
            boxes.leave(author, LeaveLetter(to, box, 0, b"x", 35, b""))
        except PeerError as error:
            assert error.code is Code.BUSY
            return number
    return count


def whole(boxes: LetterBoxes, author: bytes, to: bytes = BOB) -> None:
    """Leave all that a member may have to say."""
    for part in range(16):
        boxes.leave(author, LeaveLetter(to, b"m" * 16, part, bytes(60_000), 35, b""))


def test_one_friend_does_not_fill_anothers_box(boxes: LetterBoxes) -> None:
    assert filled(boxes, CID) < 200
    whole(boxes, ANN)


@pytest.mark.parametrize("friends", [20, 60])
def test_all_friends_of_a_reader_leave_room_for_the_members_of_its_matches(
    tmp_path: Path, clock: Clock, friends: int
) -> None:
    boxes = LetterBoxes(tmp_path / "letters", clock)
    others = [b"%32d" % number for number in range(friends)]
    boxes.wishes(BOB, (ANN, CID, *others))
    for author in others:
        filled(boxes, author, count=10)
        filled(boxes, author, count=50)
    assert len(boxes) < 600
    whole(LetterBoxes(tmp_path / "letters", clock), ANN)


def stuffed(boxes: LetterBoxes, author: bytes, to: bytes) -> None:
    """Leave as many long letters as are kept."""
    for number in range(300):
        box = hashlib.sha256(b"%d" % number).digest()[:16]
        try:
            boxes.leave(author, LeaveLetter(to, box, 0, bytes(64_000), 7, b""))
        except PeerError as error:
            assert error.code is Code.BUSY
            return


@pytest.mark.parametrize(
    ("fill", "colluding", "letters"),
    [
        (filled, 5, 5),
        (stuffed, 5, 5),
        pytest.param(filled, 15, 1, marks=pytest.mark.slow),  # thrice as many letters
    ],
)
def test_friends_who_agree_to_fill_all_room_leave_some_for_one_who_comes_later(
    tmp_path: Path,
    clock: Clock,
    fill: Callable[[LetterBoxes, bytes, bytes], object],
    colluding: int,
    letters: int,
) -> None:
    boxes = LetterBoxes(tmp_path / "letters", clock)
    some = [b"%32d" % number for number in range(colluding)]
    members = [b"member %25d" % number for number in range(20)]
    boxes.wishes(BOB, (*members, *some, ANN))
    for each in some:  # they name one another first
        boxes.wishes(each, (*some, *members))
    for author in some:
        for reader in (BOB, *some[:6]):
            fill(boxes, author, reader)
    assert len(boxes) > 20 * colluding
    for number in range(letters):
        left(boxes, bytes(50_000), box=number)
    whole(boxes, members[0])


def test_strangers_with_many_readers_leave_room_for_members(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_boxes, "LETTERS_KEPT", 200)
    boxes = LetterBoxes(tmp_path / "letters", clock)
    boxes.wishes(BOB, (ANN,))
    for number in range(40):
        reader = b"%32d" % number
        authors = [b"%16d%16d" % (number, each) for each in range(16, 40)]
        boxes.wishes(reader, [bytes(32)] * 16 + authors)
        for author in authors:
            filled(boxes, author, reader, count=3)
    assert len(boxes) == 100
    whole(boxes, ANN)


def test_who_fills_the_memory_of_a_keeper_harms_itself_alone(
    boxes: LetterBoxes, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_boxes, "LETTERS_REMEMBERED", 20)
    start = clock.now
    left(boxes, b"a move")
    clock.now += 10
    for number in range(40):
        clock.now += 1
        box = b"%16d" % number
        boxes.leave(CID, LeaveLetter(BOB, box, 0, b"x", 7, b""))
        assert taken(boxes)
    assert isinstance(boxes.said(ANN, BOB, bytes(16), start), LetterReceipt)
    nothing = boxes.said(ANN, BOB, b"\1" * 16, start)
    assert isinstance(nothing, NothingLeft)
    assert nothing.since == start
    other = boxes.said(CID, BOB, bytes(16), start)
    assert isinstance(other, NothingLeft)
    assert other.since > start
