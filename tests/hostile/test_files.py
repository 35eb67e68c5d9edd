"""Files that are named to do harm: refused by kind and size, in words, and at once."""

import errno
import os
import signal
import zlib
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from itertools import islice, product
from pathlib import Path
from time import process_time
from typing import Any, NoReturn

import msgspec
import pytest
import trio
import trio.lowlevel

from client.app import settings
from netplay import catalogues, fetched, web_place
from netplay.daemon import lending
from netplay.daemon.dictionary_tools import SHOWN, DictionaryTools
from netplay.daemon.finished_matches import FinishedFiles
from netplay.daemon.lending import Lending
from netplay.daemon.on_turn import kept_words
from netplay.daemon.positions import checked
from netplay.demo.show import living
from netplay.door_place import door_place
from netplay.errors import Code, LocalError
from netplay.formats.gcg import GcgError
from netplay.home import Home, read_json
from netplay.journal import earlier, lines, to_file
from netplay.messages.door import GetStatus, HostTable
from netplay.messages.node_questions import CheckWord, ImportWords
from netplay.moving import homes
from netplay.named_files import memory_capped, read_named
from netplay.peering.identity import open_identity
from netplay.peering.letter_boxes import LetterBoxes
from netplay.peering.peers import KnownPeers
from netplay.players.words import wordmap
from netplay.record.archive import IN_HAND, OPENING, FileArchive, Saved
from netplay.record.store import SECRETS, SUFFIX, DamageError, read_copy
from netplay.said import VALUE_CHARACTERS
from netplay.sentences import Says
from netplay.steady import Steady
from netplay.table.dictionary import import_text
from netplay.table.muted import Muted
from netplay.table.resources import OwnFiles, Shelf, find_edition, find_words
from netplay.web_devices import Devices
from rules import editions
from tests.hostile.nodes import Victim, children, needs_proc
from tests.netplay.homes import Homes
from tests.patience import PATIENCE
from tests.said import like, says
from tests.system.nodes import burden

ALPHABET = editions.load("networdz").alphabet
HUGE = 3 << 30


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def three_gigabytes_of_nothing(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(HUGE)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_folder(path: Path) -> None:
    path.mkdir()


def nothing_that_is_there(path: Path) -> None:
    path.symlink_to(path.with_name("nobody"))


def no_letters(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00" * 1000)


MADE = (
    a_pipe,
    three_gigabytes_of_nothing,
    a_device,
    a_folder,
    nothing_that_is_there,
    no_letters,
)

READERS: dict[str, Callable[[Path], object]] = {
    "--words": lambda path: find_words(str(path), ALPHABET),
    "--edition": lambda path: find_edition(str(path)),
    "words import": lambda path: import_text("networdz", path, path.with_name("out")),
    "verify, show, picture": lambda path: checked(path, Home(path.parent)),
    "load": read_copy,
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("reader", READERS)
def test_no_command_waits_for_a_file_or_reads_more_than_it_may(
    tmp_path: Path, made: Callable[[Path], None], reader: str
) -> None:
    path = tmp_path / "named"
    made(path)
    with memory_capped(256 << 20):
        try:
            READERS[reader](path)
        except LocalError as error:
            assert len(str(error)) < 2 * VALUE_CHARACTERS
            assert "named" in str(error)
        except DamageError as error:
            assert made is no_letters or says(error, Says.TOO_MANY_BYTES)
        except GcgError:
            assert made is no_letters
        else:
            assert made is no_letters


def test_a_list_without_words_and_an_edition_without_letters_are_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "named"
    path.write_text("\n \n")
    with pytest.raises(LocalError, match=like(Says.NO_WORDS_IN)):
        find_words(str(path), ALPHABET)
    no_letters(path)
    for find in (
        lambda: find_edition(str(path)),
        lambda: find_words(str(path), ALPHABET),
    ):
        with pytest.raises(LocalError, match=like(Says.NOT_UTF_8)):
            find()


@pytest.mark.parametrize("made", MADE[:4])
def test_what_lies_in_a_home_under_a_name_of_its_own_stops_no_start(
    tmp_path: Path, made: Callable[[Path], None]
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    for folder in (home.editions, home.dictionaries):
        folder.mkdir()
    made(home.settings)
    for path in (home.editions / "mine.toml", home.dictionaries / "mine.graph"):
        made(path)
    assert read_json(home.settings) == {}
    home.look_at_settings()
    OwnFiles(home).refresh()
    said = " ".join(map(str, home.faults))
    assert "mine.toml" in said
    assert "mine.graph" in said
    assert "settings" in said


def test_a_file_that_becomes_a_pipe_between_look_and_opening_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "named", os.open
    path.write_bytes(b"text")

    def swapped(name: Any, *given: Any) -> int:
        path.unlink()
        os.mkfifo(path)
        return real(name, *given)

    monkeypatch.setattr(os, "open", swapped)
    with pytest.raises(LocalError, match=like(Says.NO_PLAIN_FILE)):
        read_named(path, 100)


@pytest.mark.parametrize(
    "text",
    [
        "A" * 20_000_000,
        "rack = " + "[" * 200_000,
        "rack = " + "9" * 100_000,
        "name = '" + "x" * 900_000 + "'",
        "{" * 500_000,
    ],
    ids=("a line of 20 MB", "deep lists", "a huge number", "a huge name", "braces"),
)
@pytest.mark.parametrize("reader", ["--words", "--edition", "words import"])
def test_what_is_wrong_with_a_file_is_said_shortly(
    tmp_path: Path, text: str, reader: str
) -> None:
    path = tmp_path / "named"
    path.write_text(text)
    began = process_time()
    with pytest.raises(LocalError) as refused:
        READERS[reader](path)
    assert process_time() - began < 1
    assert len(str(refused.value)) < 3 * VALUE_CHARACTERS


def test_an_export_that_would_swell_is_refused_before_it_does() -> None:
    zeros = zlib.compress(bytes(1 << 31 - 2), 9)
    many = zlib.compress(msgspec.msgpack.encode(((("a", 0, b""),) * 3_000_000,)), 9)
    for bomb in (zeros, many):
        assert len(bomb) < 4 << 20
        with memory_capped(400 << 20), pytest.raises(LocalError) as refused:
            homes.from_bytes(bomb, "named")
        assert refused.value.code is Code.FILE


@needs_proc
@pytest.mark.processes
async def test_a_node_answers_while_a_large_list_of_words_is_built_for_it(
    tmp_path: Path,
) -> None:
    words, letters = tmp_path / "list", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    with words.open("w") as file:
        for number in range(700_000):
            word, rest = "", number
            for _ in range(7):
                rest, letter = divmod(rest * 7 + 3, 26)
                word += letters[letter]
            file.write(word + "\n")
    near, slowest = Victim(tmp_path), 0.0
    with trio.fail_after(PATIENCE):
        async with living(near), trio.open_nursery() as nursery:
            done = trio.Event()

            async def lay() -> None:
                chairs = ("person", "remote")
                await near.window.ask(HostTable("networdz", chairs, (), "", str(words)))
                done.set()

            nursery.start_soon(lay)
            while not done.is_set():
                began = trio.current_time()
                await near.window.ask(GetStatus())
                slowest = max(slowest, trio.current_time() - began)
                await trio.sleep(0.1)
            await near.until(lambda status: status.table is not None)
            for bad in ("named", "pipe", "zero"):
                path = tmp_path / bad
                {"named": three_gigabytes_of_nothing, "pipe": a_pipe, "zero": a_device}[
                    bad
                ](path)
                for files in ((str(path), ""), ("", str(path))):
                    with pytest.raises(LocalError):
                        await near.window.ask(
                            HostTable("networdz", ("person", "remote"), (), *files)
                        )
                with pytest.raises(LocalError):
                    await near.window.ask(ImportWords("networdz", "mine", str(path)))
            await near.window.ask(GetStatus())
    print(f"the longest wait for an answer: {slowest:.2f} s")
    assert slowest < 5 * burden()


@needs_proc
@pytest.mark.processes
async def test_who_reads_a_file_for_a_node_may_die_and_the_reason_is_the_true_one(
    tmp_path: Path,
) -> None:
    words, letters = tmp_path / "list", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    near = Victim(tmp_path)
    every = ("".join(each) for each in product(letters, repeat=5))
    words.write_text("\n".join(islice(every, 1_000_000)))
    asked = (
        HostTable("networdz", ("person", "remote"), (), "", str(words)),
        ImportWords("networdz", "mine", str(words)),
    )
    with trio.fail_after(PATIENCE):
        async with living(near):
            for ask in asked:
                before = set(children(near.pid))
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_end_who_comes, near.pid, before)
                    with pytest.raises(LocalError) as refused:
                        await near.window.ask(ask)
                assert says(str(refused.value), Says.READER_ENDED)
                assert refused.value.code is Code.FILE
            await near.window.ask(GetStatus())


async def _end_who_comes(pid: int, before: set[int]) -> None:
    """End the first process that a node starts."""
    while not (found := set(children(pid)) - before):  # noqa: ASYNC110 (the system tells nobody)
        await trio.sleep(0.01)
    await trio.sleep(0.5)
    for one in found:
        os.kill(one, signal.SIGKILL)


def test_secrets_that_were_emptied_are_named_with_what_helps(tmp_path: Path) -> None:
    net = Homes(tmp_path, "ann", "ben")
    net.start("ben")
    file = net["ann"].file(SECRETS)
    net.isolate("ann")
    net["ann"].tables.close()
    file.write_bytes(b"")
    net["ann"].begin(net.now)
    said = " ".join(map(str, net["ann"].tables.shared.means.faults))
    assert file.name in said
    assert "backup" in said
    assert net["ann"].table.match is not None
    net.close()


@needs_proc
@pytest.mark.processes
async def test_a_node_with_a_name_starts_on_a_full_disk_and_says_so(
    tmp_path: Path,
) -> None:
    near = Victim(tmp_path)
    with trio.fail_after(PATIENCE):
        async with living(near):
            await near.window.ask(GetStatus())
        near.prefix = ("prlimit", "--fsize=0")
        near.name = "Somebody"
        near.window.status = None
        async with living(near):
            await near.until(lambda status: bool(status.faults))
            status = near.window.status
    assert status is not None
    assert status.name == "Somebody"
    (fault,) = [str(one) for one in status.faults if says(str(one), Says.NAME_NOT_KEPT)]
    assert os.strerror(errno.EFBIG) in fault


def test_more_files_of_ones_own_than_fit_a_frame_are_not_all_named(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    home.editions.mkdir()
    tools = DictionaryTools(home, lambda: None, None)
    for number in range(2 * SHOWN):
        name = f"own-{number:028}"
        text = editions.write(editions.load("networdz"))
        if number < 5:
            text = text.replace('name = "networdz"', f'name = "{name}"')
            (home.editions / f"{name}.toml").write_text(text)
        else:
            editions.register(editions.load("networdz"), name)
    try:
        named, _lists = tools.names(0.0)
        assert len(named) == SHOWN
    finally:
        for name in tuple(editions.own()):
            editions.forget(name)


KINDS = (a_pipe, three_gigabytes_of_nothing, a_device, a_folder, nothing_that_is_there)

IN_A_HOME: dict[str, Callable[[Home], Path]] = {
    "a match": lambda home: home.matches / ("ab" * 16 + SUFFIX),
    "secrets": lambda home: home.matches / ("cd" * 16 + SECRETS),
    "what is in hand": lambda home: home.matches / IN_HAND,
    "finished matches": lambda home: home.results,
    "on turn": lambda home: home.on_turn,
    "window": lambda home: home.path / "window.json",
    "a letter": lambda home: home.letters / ("ef" * 32),
    "wishes for letters": lambda home: home.letters / "wishes",
    "muted": lambda home: home.muted,
    "asked": lambda home: home.asked,
    "programs": lambda home: home.programs,
    "who is known": lambda home: home.peers,
    "that all has moved": lambda home: home.moved,
    "where the door is": lambda home: home.token,
    "the journal": lambda home: home.journal,
    "the journal before": lambda home: earlier(home.journal),
    "the clock": lambda home: home.path / "time.json",
    "an edition": lambda home: home.words / ("ab" * 32 + ".edition"),
    "words": lambda home: home.words / ("ab" * 32 + ".lexicon"),
    "a map of words": lambda home: wordmap.file_of(home.words, "ab" * 32, 15),
    "that a match is opened": lambda home: home.matches / ("ef" * 16 + OPENING),
    "the key": lambda home: home.key,
}


@pytest.mark.parametrize("made", KINDS)
@pytest.mark.parametrize("place", IN_A_HOME)
def test_whatever_lies_in_a_home_is_read_no_further_than_it_may(
    tmp_path: Path, made: Callable[[Path], None], place: str
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    home.letters.mkdir(exist_ok=True)
    path = IN_A_HOME[place](home)
    made(path)
    if place == "secrets":
        path.with_suffix(SUFFIX).write_bytes(b"")
    archive = FileArchive(home.matches)
    with memory_capped(256 << 20):
        assert Saved(archive)() == ()
        with suppress(LocalError):
            archive.in_hand()
        for match in (b"\xab" * 32, b"\xcd" * 32):
            if archive.has(match):
                for opened in (archive.open, archive.open_secrets):
                    with suppress(LocalError):
                        disk = opened(match)
                        disk.read()
                        disk.close()
        page, unread = FinishedFiles(home, b"me").page(0)
        assert page.found == ()
        FinishedFiles(home, b"me").reading(unread)
        assert kept_words(home) == ()
        settings.load(home.path)
        with suppress(LocalError):
            settings.store(home.path, settings.Settings())
        catalogues.wanted(home.path)
        with suppress(OSError, ValueError):
            door_place(home.path)
        KnownPeers(home.peers)
        home.moved_in()
        note = to_file(home.journal)
        note("event")
        assert len(list(lines(home.journal))) <= 1
        Steady(home.path / "time.json", lambda: 1.0).keep()
        fetched.restore(home.path)
        Shelf(home.words, faults=home.faults)
        wordmap.restore(wordmap.file_of(home.words, "ab" * 32, 15), "ab" * 32, 15)
        archive.begin_opening(b"\xef" * 32)
        with suppress(LocalError):
            open_identity(home)
        with suppress(LocalError):
            homes.pack(home)
        LetterBoxes(home.letters, lambda: 1, home.faults)
        Muted(home.muted, home.faults)
        home.setting("name")


@pytest.mark.parametrize("made", KINDS[:4])
def test_a_match_that_is_no_plain_file_is_said_and_keeps_no_other_from_going_on(
    tmp_path: Path, made: Callable[[Path], None]
) -> None:
    net = Homes(tmp_path, "ann", "ben")
    net.start("ben")
    file = net["ann"].file()
    net.isolate("ann")
    net["ann"].tables.close()
    kept = file.read_bytes()
    file.unlink()
    made(file)
    with memory_capped(256 << 20):
        net["ann"].begin(net.now)
    said = " ".join(map(str, net["ann"].tables.shared.means.faults))
    assert file.name in said
    assert net["ann"].table.match is None
    net["ann"].tables.close()
    file.rmdir() if made is a_folder else file.unlink()
    file.write_bytes(kept)
    net["ann"].tables.load(0, str(file), net.now)
    assert net["ann"].table.match is not None
    net.close()


@needs_proc
@pytest.mark.parametrize("verb", ["verify", "show"])
def test_a_command_takes_no_more_memory_for_a_file_than_it_may(
    tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(f"netplay.commands.{verb}")

    def swelling(*_given: object) -> NoReturn:
        taken = [bytes(64 << 20) for _ in range(64)]  # as a bomb would, 4 GiB
        raise AssertionError(len(taken))

    monkeypatch.setattr(module, "checked", swelling)
    monkeypatch.setattr(module, "position_in", swelling, raising=False)
    parser = ArgumentParser()
    module.add(parser)
    with pytest.raises(LocalError, match="memory"):
        module.run(parser.parse_args([str(tmp_path / "bomb")]))


async def test_a_node_answers_while_a_word_is_looked_up_in_a_large_file(
    tmp_path: Path,
) -> None:
    path, letters = tmp_path / "list", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    words = ("".join(each) for each in product(letters, repeat=4))
    path.write_text("\n".join(islice(words, 150_000)))
    tools = DictionaryTools(Home(tmp_path), lambda: None, None)
    turns = 0
    async with trio.open_nursery() as nursery:
        done = trio.Event()

        async def look() -> None:
            _, there = await tools.do(CheckWord("networdz", str(path), "AAAB"))
            assert there == b"yes"
            done.set()

        nursery.start_soon(look)
        while not done.is_set():
            await trio.lowlevel.checkpoint()
            turns += 1
    assert turns > 20


@pytest.mark.parametrize(
    "kept",
    ["-5e9, 0, 0", "1e300, 0, 0", "1, -1e308, 0", "1e308, -1e308, 0", "5, 0, -1e300"],
)
def test_a_clock_that_was_kept_wrongly_begins_anew(tmp_path: Path, kept: str) -> None:
    unix, counted, off = kept.split(", ")
    said = f'{{"boot":"x","counted":{counted},"unix":{unix},"off":{off}}}'
    (tmp_path / "time.json").write_text(said, "ascii")
    steady = Steady(tmp_path / "time.json", lambda: 7e8, lambda: 5.0, lambda: "x")
    assert (steady.now(), steady.off) == (700_000_000, 0)


def test_a_wall_set_before_all_time_tells_friends_no_time_that_cuts_them_off() -> None:
    steady = Steady(None, lambda: -6e8, lambda: 5.0, lambda: "x")
    assert steady.now() == 0


LATIN = b"\xe9"
"""A byte that no text in UTF-8 has at the end of a word."""


def pages_before(home: Home) -> object:
    return web_place.served(home.path)


def seats_lent(home: Home) -> object:
    return Lending(home.path, os.urandom, print).any or None


def time_kept(home: Home) -> object:
    return Steady(home.path / "time.json", lambda: 1.0).keep()


def look_kept(home: Home) -> object:
    found, aside = settings.load(home.path)
    return None if found == settings.Settings() and aside else found


IN_JSON: dict[str, tuple[str, bytes, Callable[[Home], object]]] = {
    "devices": (
        "devices.json", b'[{"name":"caf~","token":"","since":1}]',
        lambda home: Devices(home.path).all() or None,
    ),
    "a code": (
        "pairing.json", b'{"code":"caf~","until":9999999999}',
        lambda home: Devices(home.path).offered() or None,
    ),
    "pages": (
        web_place.FILE, b'{"port":1,"hosts":["caf~"]}', pages_before
    ),
    "seats": (
        lending.FILE, b'[{"match":"caf~","seat":0,"link":""}]', seats_lent
    ),
    "time": (
        "time.json", b'{"boot":"caf~","counted":1,"unix":1,"off":0}', time_kept
    ),
    "preferences": ("window.json", b'{"language":"caf~"}', look_kept),
}  # fmt: skip


@pytest.mark.parametrize("kind", IN_JSON)
def test_a_text_in_a_file_of_the_home_that_is_no_utf_8_is_as_good_as_none(
    tmp_path: Path, kind: str
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    name, text, read = IN_JSON[kind]
    (home.path / name).write_bytes(text.replace(b"~", LATIN))
    assert read(home) is None
