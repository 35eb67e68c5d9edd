"""Matches handed on with an edition and a word list that the next one does not have."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from netplay.__main__ import main
from netplay.demo.player import Player
from netplay.demo.show import Actor, Files, living
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.limits import RESOURCE_BYTES
from netplay.messages.door import HostTable, Load, Save, StartMatch
from netplay.messages.table import CHUNK_BYTES, Terms
from netplay.record import enclosures
from netplay.record.archive import FileArchive
from netplay.record.enclosures import Enclosed
from netplay.record.ledger import make_genesis
from netplay.record.log import terms_data
from netplay.record.store import read_copy
from netplay.record.store import whole as file_of
from netplay.sentences import Says
from netplay.table import enclosed_files
from netplay.table.resources import Shelf
from rules import lexicon, networdz
from tests.netplay.demo_files import demo_files
from tests.netplay.party import Key, make_terms
from tests.patience import PATIENCE
from tests.said import like, says

SEATS = ("person:Able", "person:Baker")


def an_actor(folder: Path, name: str) -> Actor:
    home = Home(folder / name)
    home.prepare()
    return Actor(home, name, Player("networdz"), None)


async def save_one(actor: Actor, files: Files, out: Path) -> None:
    """Let a node begin a match with words of its own and save it."""
    async with living(actor):
        table = HostTable("networdz", SEATS, (), files.edition, files.words)
        await actor.player.ask(table)
        await actor.player.ask(StartMatch())
        await actor.player.ask(Save(str(out)))


async def load(actor: Actor, path: Path) -> str:
    """Let a node load a file; return what it says."""
    async with living(actor):
        try:
            told = (await actor.player.ask(Load(str(path)))).text
        except LocalError as error:
            return str(error)
        return str(told)


def without(path: Path, out: Path, keep: Sequence[type]) -> Path:
    """Write a file again with only some of what goes along."""
    copy = read_copy(path)
    items = [
        each for each in enclosures.unpacked(copy.more) if isinstance(each, tuple(keep))
    ]
    out.write_bytes(file_of(copy.entries, enclosures.packed(items)))
    return out


@pytest.mark.processes
def test_a_saved_game_brings_its_edition_and_words_to_a_node_that_has_neither(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def together() -> tuple[str, str, str]:
        with trio.fail_after(PATIENCE):
            files = demo_files(tmp_path)
            saved = tmp_path / "ours.netplay"
            await save_one(an_actor(tmp_path, "ann"), files, saved)
            bare = without(saved, tmp_path / "bare.netplay", [enclosures.Secret])
            bob = an_actor(tmp_path, "bob")
            missed = await load(bob, bare)
            told = await load(bob, saved)
            again = await load(bob, bare)
            return missed, told, again

    missed, told, again = trio.run(together)

    assert says(missed, Says.EDITION_NOT_ALONG, name="ann")
    assert "'s turn" in told
    assert "'s turn" in again, "what came along is kept"
    kept = {path.suffix for path in (tmp_path / "bob" / "words").iterdir()}
    assert kept >= {".edition", ".lexicon"}
    elsewhere = ["--home", str(tmp_path / "cyd")]
    assert main([*elsewhere, "show", str(tmp_path / "ours.netplay")]) == 0
    assert capsys.readouterr().out


# What is taken, and what is passed over.

ALPHABET = ("A", "B", "C")


def a_list(*words: str) -> bytes:
    return lexicon.build(ALPHABET, [tuple(map(ALPHABET.index, w)) for w in words])


def digest_of(data: bytes) -> bytes:
    return bytes.fromhex(lexicon.read(data).digest)


def terms_with(words: bytes) -> Terms:
    key = Key("ann")
    plain = make_terms("networdz", [key], networdz.Options())
    return replace(plain, lexicon=words)


def parts(data: bytes, digest: bytes, size: int = -1) -> list[Enclosed]:
    size = len(data) if size < 0 else size
    starts = range(0, len(data), CHUNK_BYTES)
    return [Enclosed(digest, size, at, data[at : at + CHUNK_BYTES]) for at in starts]


LONG = b"x" * (2 * CHUNK_BYTES + 7)
NAME = bytes(32)


def test_a_word_list_of_many_pieces_comes_out_as_it_went_in() -> None:
    assert enclosed_files.whole(parts(LONG, NAME), NAME) == LONG
    noise = parts(b"y" * 9, b"z" * 32)
    mixed = [*noise, *parts(LONG, NAME), *noise]
    assert enclosed_files.whole(mixed, NAME) == LONG


@pytest.mark.parametrize(
    "items",
    [
        [],
        parts(LONG, NAME)[:-1],
        parts(LONG, NAME)[1:],
        parts(LONG, NAME)[::-1],
        parts(LONG, NAME, size=len(LONG) + 1),
        parts(LONG, NAME, size=len(LONG) - 8),
        parts(LONG, NAME, size=RESOURCE_BYTES + 1),
        parts(LONG, NAME, size=0),
        [Enclosed(NAME, 1 << 50, 0, b"x")],
        [Enclosed(NAME, 0, 0, b"")],
    ],
    ids=range(10),
)
def test_pieces_that_are_missing_out_of_order_or_too_many_are_passed_over(
    items: list[Enclosed],
) -> None:
    assert enclosed_files.whole(items, NAME) == b""


def test_only_what_the_match_names_is_taken(tmp_path: Path) -> None:
    wanted, other = a_list("AB", "CAB"), a_list("BA")
    shelf = Shelf(tmp_path)
    items = [*parts(other, digest_of(other)), *parts(wanted, digest_of(wanted))]

    enclosed_files.take_up(shelf, items, terms_with(digest_of(wanted)))

    assert [path.stem for path in tmp_path.iterdir()] == [digest_of(wanted).hex()]


@pytest.mark.parametrize(
    "data", [a_list("ACA"), b"NPWORDS", b"\0" * 90, a_list("ACB")[:-1]]
)
def test_what_has_another_digest_or_is_no_word_list_leaves_no_trace(
    data: bytes, tmp_path: Path
) -> None:
    named = digest_of(a_list("BCB"))
    shelf = Shelf(tmp_path)

    enclosed_files.take_up(shelf, parts(data, named), terms_with(named))

    assert not list(tmp_path.iterdir())
    missing = like(Says.LIST_NOT_ALONG, name="M0")
    with pytest.raises(LocalError, match=missing) as caught:
        enclosed_files.require(shelf, terms_with(named))
    assert caught.value.code is Code.BAD_WORDS


def test_nothing_is_kept_of_a_match_in_which_nobody_here_plays(tmp_path: Path) -> None:
    data, folder = a_list("CC", "CCC"), tmp_path / "words"
    folder.mkdir()
    terms = terms_with(digest_of(data))
    key = Key("ann")
    genesis = make_genesis(key, terms, [key.sign(terms_data(terms))])
    file = tmp_path / "sent"
    items = enclosures.packed(parts(data, digest_of(data)))
    file.write_bytes(file_of([genesis], items))

    enclosed_files.keep_from(read_copy(file), folder, Key("stranger").key)
    assert not list(folder.iterdir())
    enclosed_files.keep_from(read_copy(file), folder, Key("ann").key)
    assert [path.suffix for path in folder.iterdir()] == [".lexicon"]


def test_what_comes_with_the_program_does_not_go_along() -> None:
    options = networdz.Options()
    terms = make_terms("networdz", [Key("ann")], options)

    assert not list(enclosed_files.enclosed(Shelf(None), terms))


@pytest.mark.parametrize("path", ["~nobody-here/x", "a\0b", "", "/", "."])
def test_no_name_of_a_file_brings_anything_down(path: str, tmp_path: Path) -> None:
    for ask in (
        FileArchive(tmp_path).read,
        partial(FileArchive(tmp_path).write, entries=()),
    ):
        with pytest.raises(LocalError):
            ask(path)
