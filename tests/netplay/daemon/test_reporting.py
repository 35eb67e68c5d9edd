"""`netplay report`: enough to find a fault by, and nothing that is private."""

import io
import json
import re
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from netplay import journal
from netplay.__main__ import main
from netplay.daemon.reporting import Redactor, report
from netplay.demo.player import Player
from netplay.demo.show import Actor, living
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.door import Answer, HostTable, Say, StartMatch
from netplay.record.archive import FileArchive
from tests.netplay.demo_files import demo_files
from tests.patience import PATIENCE
from tests.system.nodes import says_yes

NAMES = ("Zephyrine", "Quentin Quux")
CHAT = "my secret cake recipe"
COMMENT = "grandma's house"


def an_actor(folder: Path, name: str) -> Actor:
    home = Home(folder / name.split(maxsplit=1)[0].lower())
    home.prepare()
    return Actor(home, name, Player("networdz"), None)


def agreed(actor: Actor) -> bool:
    """Tell whether everybody has come to a node's table and accepted."""
    table = actor.player.status.table if actor.player.status else None
    return table is not None and all(
        each.name and each.accepted for each in table.seats
    )


def playing(actor: Actor) -> bool:
    """Tell whether everybody has the match in hand."""
    status = actor.player.status
    table = None if status is None else status.table
    return table is not None and table.phase == "playing"


async def play_a_little(ann: Actor, bob: Actor, folder: Path) -> tuple[str, list[str]]:
    """Let two nodes meet, chat and begin; return a report, and what is private."""
    files = demo_files(folder)
    async with living(ann, bob):
        chairs = (f"person:{NAMES[0]}", f"remote:{bob.address} {COMMENT}")
        table = HostTable("networdz", chairs, (), files.edition, files.words)
        await bob.player.ask(Answer(on=True))
        await ann.player.ask(table)
        await says_yes(bob)
        while not agreed(ann):
            await ann.player.news()
        await ann.player.ask(StartMatch())
        await ann.player.ask(Say(CHAT))
        while not bob.player.lines:
            await bob.player.news()
        while not playing(ann):
            await ann.player.news()
        text = await trio.to_thread.run_sync(report, ann.home)
        statuses = [each.player.status for each in (ann, bob)]
        private = [status.key for status in statuses if status]
        private += [*NAMES, "Quentin", CHAT, COMMENT, "grandma", bob.address]
        private += [str(bob.port), "127.0.0.1", str(folder)]
        private += ann.home.key.read_text("ascii").splitlines()
        return text, private


@pytest.mark.processes
def test_a_report_of_a_node_that_plays_tells_of_the_match_and_of_nobody(
    tmp_path: Path,
) -> None:
    async def together() -> tuple[str, list[str]]:
        with trio.fail_after(PATIENCE):
            cast = [an_actor(tmp_path, name) for name in NAMES]
            return await play_a_little(cast[0], cast[1], tmp_path)

    text, private = trio.run(together)

    for word in private:
        assert word not in text
    assert not re.search(r"[0-9a-f]{16}|([A-Z2-7]{4}-){2}", text), "no key, no digest"
    assert "links: 1 up" in text
    told = [each.split() for each in text.splitlines()]
    assert ["seat", "2:", "remote,", "connected"] in [each[:4] for each in told]
    (options,) = (" ".join(each[1:]) for each in told if each[:1] == ["networdz:"])
    values = dict(each.split(maxsplit=1) for each in options.split(", "))
    assert (values["edition"], values["lexicon"]) == ("own", "own")
    assert re.search(r"entry 0, term 0, \d+ ms: Genesis by 1", text)
    assert any("node.up" in each for each in told), "the journal"
    link = {"link.up", "peer=peer-1", "name=(left"}
    assert any(link <= {*each} for each in told)


def test_a_home_without_a_node_has_a_report_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "complaint.txt"
    words = ["--home", str(tmp_path / "none"), "report", str(out)]

    assert main(words) == 0
    assert str(out) in capsys.readouterr().out
    text = out.read_text("utf-8")
    assert ": NO_NODE\n" in text
    assert "netplay " in text and "python " in text and "trio " in text
    assert main(words) == 1, "nothing is overwritten"
    assert out.read_text("utf-8") == text


def test_settings_are_shown_as_far_as_they_are_our_own_words(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    home.set("name", "Zephyrine")
    home.set("beacon", "off")
    home.set("map-port", "Zephyrine was here")
    window = {
        "theme": "dark",
        "scale": 150,
        "size": [800, 500],
        "language": "Zephyrine!",
        "recent": ["203.0.113.9 Quentin"],
        "keys": [["drop", "z"]],
    }
    (tmp_path / "window.json").write_text(json.dumps(window), "utf-8")

    text = report(home)

    for line in ("beacon: off", "theme: dark", "scale: 150", "size: 800 500"):
        assert line in text
    assert "language: (set)" in text
    assert "map-port: (set)" in text
    for word in ("Zephyrine", "203.0.113.9", "Quentin"):
        assert word not in text


def test_a_damaged_match_in_hand_is_told_by_its_place(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    (home.matches / ("ab" * 16 + ".netplay")).write_bytes(b"NPMATCH\x01\0\0\0\x05xx")
    FileArchive(home.matches).take_in_hand(bytes.fromhex("ab" * 32), 1)

    assert report(home).count(": BAD_LOG\n") == 2


# The journal.

SILENCE = Code.NO_ANSWER.text


def shown(event: str, **fields: object) -> str:
    """Return what becomes of a line of the journal in a report."""
    out = io.StringIO()
    journal.to_stream(out)(event, **fields)
    return " ".join(Redactor().lines([out.getvalue().rstrip("\n")]))


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({"port": 4770}, "port=4770"),
        ({"code": "FORK"}, "code=FORK"),
        ({"code": "ZOE"}, "code=(left out)"),
        ({"game": "numlo"}, "game=numlo"),
        ({"game": "zoe"}, "game=(left out)"),
        ({"peer": "ABCD-EFGH"}, "peer=peer-1"),
        ({"address": "93.184.216.34:4770"}, "address=address-1-internet"),
        ({"address": "192.168.0.7:4770"}, "address=address-1-local"),
        ({"address": "127.0.0.1:1"}, "address=address-1-this-computer"),
        ({"address": "zoe.example"}, "address=address-1-name"),
        ({"name": "Zoe"}, "name=(left out)"),
        ({"anything": "Zoe"}, "anything=(left out)"),
        ({"why": f"{SILENCE}: 203.0.113.9"}, f'why="{SILENCE}"'),
        ({"why": LocalError(Code.DISK, "/home/zoe")}, f'why="{Code.DISK.text}"'),
        ({"why": "[Errno 13] denied: '/home/zoe'"}, 'why="system error 13"'),
        ({"why": "KeyError('zoe')"}, "why=KeyError"),
        ({"why": "Zoe is tired"}, "why=(left out)"),
    ],
)
def test_a_line_keeps_what_is_ours(fields: dict[str, object], kept: str) -> None:
    assert shown("link.up", **fields).endswith(f" link.up {kept}")


SECRET = st.text(min_size=1, max_size=40).map(lambda text: f"Zoe{text}Zoe")


@given(
    st.sampled_from(
        ["peer", "key", "name", "address", "why", "code", "by", "port", "at", "error"]
    ),
    SECRET,
)
def test_nothing_that_a_peer_says_comes_through(field: str, value: str) -> None:
    assert "Zoe" not in shown("link.down", **{field: value})


@given(SECRET)
def test_a_line_that_is_not_the_journals_is_left_out(text: str) -> None:
    assert "Zoe" not in " ".join(Redactor().lines(text.splitlines()))


def test_the_same_peer_has_the_same_number_and_another_one_another() -> None:
    out = io.StringIO()
    for peer in ("AA-BB", "CC-DD", "AA-BB"):
        journal.to_stream(out)("link.up", peer=peer)
    found = [line.split()[-1] for line in Redactor().lines(out.getvalue().splitlines())]

    assert found == ["peer=peer-1", "peer=peer-2", "peer=peer-1"]


def test_a_journal_in_a_file_is_bounded_private_and_keeps_the_last_lines(
    tmp_path: Path,
) -> None:
    file = tmp_path / "journal.log"
    note = journal.to_file(file)
    for number in range(6000):
        note("link.up", n=number, name="x" * 100)

    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert sum(sizes) <= 2 * (journal.FILE_BYTES + 400)
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(journal.lines(file))[-1].endswith(f"n=5999 name={'x' * 100}")
    assert "n=5000 " in "\n".join(journal.lines(file))


def test_a_disk_that_takes_no_journal_stops_nothing(tmp_path: Path) -> None:
    journal.to_file(tmp_path / "none" / "journal.log")("node.up")
    (tmp_path / "journal.log").mkdir()
    journal.to_file(tmp_path / "journal.log")("node.up")


def test_a_node_that_fails_says_where_and_never_in_what_words() -> None:
    def fail() -> None:
        raise ExceptionGroup("x", [KeyError("Zoe")])

    with pytest.raises(ExceptionGroup) as caught:
        fail()
    told = journal.failure(caught.value)
    assert told["error"] == "KeyError"
    assert "Zoe" not in str(told)


def test_a_node_that_cannot_start_says_so_in_the_journal(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    home.key.write_text("no key", "ascii")

    assert main(["--home", str(tmp_path), "node", "--port", "0"]) == 1

    text = report(home)
    assert re.search(r"node\.failed error=LocalError at=\S+ code=[A-Z_]+", text)
