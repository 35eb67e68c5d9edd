"""What `netplay status` prints of matches that nobody proved."""

import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from netplay import language, wire
from netplay.__main__ import main
from netplay.commands.games import lines as listed
from netplay.commands.status import lines
from netplay.door_place import file_text
from netplay.home import TOKEN
from netplay.limits import DOOR_FRAME_BYTES
from netplay.messages.door import Beginning, Done, Made, Request, SeatState, TableStatus
from netplay.messages.node_questions import CarryStatus, Network, PeerStatus
from netplay.messages.table_questions import Agreeing, OfferStatus
from netplay.sentences import Says
from tests.client.listed import game
from tests.client.sayings import SEVERAL, several
from tests.client.worlds import seat, status, table
from tests.said import says

WHY = Says.BAG_NOT_OPENED(names="Bert")


def test_a_match_at_the_table_is_said_not_to_be_audited() -> None:
    over = replace(table(), phase="over", held_up=WHY, again=2)
    said = [*lines(status(table=over))]
    told = {*lines(status(table=replace(table(), phase="over")))}
    assert [str(WHY) in line for line in said if line not in told].count(True) == 1


def test_which_way_a_link_goes_is_told() -> None:
    bert = PeerStatus("Bert", "ABCD", "8.9.2.2", connected=True, since=9, udp=True)
    told = [
        line.rpartition(": ")[2]
        for peer in (bert, replace(bert, udp=False))
        for line in lines(status(peers=(peer,)))
        if "Bert" in line
    ]
    assert [line.endswith("UDP") for line in told] == [True, False]


@pytest.mark.parametrize("spoken", ["de", "es", "fr", "ru"])
@pytest.mark.parametrize("state", get_args(SeatState))
def test_each_state_of_a_seat_is_told_in_the_player_s_language(
    state: SeatState, spoken: str
) -> None:
    told: list[str] = []
    for name in ("en", spoken):
        language.speak(name)
        shown = table(seats=(seat("Anna"), replace(seat("Bert"), state=state)))
        (line,) = [line for line in lines(status(table=shown)) if "Bert" in line]
        told.append(line.rpartition(": ")[2])
    language.speak("en")
    assert told[0] != told[1]


def test_matches_of_before_are_listed_that_were_never_audited() -> None:
    words = Says.NOT_AUDITED(match="Networdz: Anna, Bert", why=WHY)
    saved = (("/m/1.netplay", words, 400), ("/m/2.netplay", "Numlo: Anna, Bert", 1))
    said = [*lines(status(saved=saved))]
    assert f"{words} (/m/1.netplay)" in said
    assert not any("Numlo" in line for line in said)


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (259_196, "3 days left"), (3 * 86_400, "3 days left"), (7_300, "2 h left"),
        (216_000, "2 days left"), (129_600, "36 h left"), (86_399, "24 h left"),
        (5_400, "1 h left"), (3_599, "59:59 left"), (1, "0:01 left"),
        (14 * 86_400, "14 days left"), (-43_241, "time is over"),
        (125, "2:05 left"), (0, "time is over"),
    ],
)  # fmt: skip
def test_time_in_the_list_of_games_is_told_in_the_unit_that_tells_most(
    left: int, said: str
) -> None:
    row = replace(game(1, "numlo"), turn=(1,), since=90_000, left=left)
    told = listed(row)
    assert f"; {said}" in told
    assert " s left" not in told


def test_nobody_waits_for_somebody_who_has_left() -> None:
    """It was said: waiting for Bert has left: left the table."""
    left = Says.HAS_LEFT_TABLE(name="Bert")
    row = replace(game(1, "numlo"), phase="stopped", waiting=left)
    shown = [*lines(status(table=replace(table(), phase="stopped", waiting=left)))]
    assert f"; {left}" in listed(row)
    assert str(Says.HAS_LEFT_TABLE(name="Bert")) in shown


def test_whose_time_was_claimed_is_said() -> None:
    claim = Says.TIME_CONFIRMED(number=7, late="Bert")
    assert str(claim) in [*lines(status(table=replace(table(), claims=(claim,))))]


def test_a_node_that_knows_other_things_is_said_to_be_of_another_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Between two releases: with the same number, and one field less.
    fields = msgspec.msgpack.decode(wire.pack(status()))[:-1]

    def answer() -> None:
        came, _where = listener.accept()
        reader = wire.FrameReader(DOOR_FRAME_BYTES)
        with came:
            while data := came.recv(65536):
                reader.feed(data)
                while (frame := reader.next()) is not None:
                    asked = wire.decode_to_node(frame)
                    if isinstance(asked, Request):
                        told = msgspec.msgpack.encode(fields)
                        came.sendall(wire.encode(Done(asked.id, data=told)))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        (tmp_path / TOKEN).write_bytes(file_text(port, b"x"))
        Thread(target=answer, daemon=True).start()
        assert main(["--home", str(tmp_path), "status"]) == 1
    assert says(capsys.readouterr().err, Says.OTHER_PROGRAM)


def lacking(value: Any) -> Iterator[Any]:
    """Yield a message without one of the things of which it has several."""
    for name in value.__struct_fields__:
        inside = getattr(value, name)
        if isinstance(inside, tuple):
            for n, one in enumerate(inside):
                before, after = inside[:n], inside[n + 1 :]
                if len(inside) > 1 and name not in {"seats", "players"}:
                    yield replace(value, **{name: (*before, *after)})
                some = lacking(one) if type(one) in TOLD else ()
                for less in some:
                    yield replace(value, **{name: (*before, less, *after)})
        elif type(inside) in TOLD:
            for less in lacking(inside):
                yield replace(value, **{name: less})


TOLD = (TableStatus, Made, Agreeing, OfferStatus, Beginning, Network, CarryStatus)


def test_of_several_each_is_told() -> None:
    every = replace(several(), addresses=(), seen=())
    for less in lacking(every):
        assert [*lines(less)] != [*lines(every)], less
    for one in lacking(SEVERAL):
        assert listed(one) != listed(SEVERAL), one
