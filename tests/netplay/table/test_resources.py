"""Editions and word lists from a host: whole, checked, kept."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.faults import Faults
from netplay.home import Home
from netplay.limits import RESOURCE_BYTES, RESOURCE_WANTS
from netplay.messages.table import CHUNK_BYTES, Piece, Want
from netplay.sentences import Says
from netplay.table import resources
from netplay.table.resources import Fetch, Fetches, Kind, OwnFiles, Shelf
from rules import editions, lexicon
from tests.said import like

ENGLISH = bytes.fromhex(lexicon.shipped()["english"])
NONCE = bytes(32)
ALPHABET = ("A", "B", "C")


def words(*spelled: str) -> bytes:
    return lexicon.build(ALPHABET, [tuple(map(ALPHABET.index, w)) for w in spelled])


def taken_in(
    shelf: Shelf, kind: Kind, digest: bytes, data: bytes
) -> NetplayError | None:
    """Give a shelf a file that has come; return what was wrong with it."""
    told: list[NetplayError | None] = []
    shelf.take_in(kind, digest, data, told.append)
    (fault,) = told
    return fault


def fetch(shelf: Shelf, kind: Kind, digest: bytes) -> tuple[Fetch, bytes]:
    """Fetch a file from a shelf, and count the pieces asked ahead."""
    one = Fetch(kind, digest, NONCE)
    asked = list(one.wants())
    while True:
        assert len(asked) <= RESOURCE_WANTS
        whole = one.on_piece(shelf.piece(asked.pop(0)))
        if whole is not None:
            assert not asked
            return one, whole
        asked += one.wants()


def test_a_word_list_travels_in_pieces() -> None:
    one, whole = fetch(Shelf(None), Kind.LEXICON, ENGLISH)

    assert whole == bytes(lexicon.find(ENGLISH.hex()).data)
    assert one.progress == (len(whole), len(whole))


def test_an_edition_travels() -> None:
    digest = bytes.fromhex(editions.shipped()["german"])

    _, whole = fetch(Shelf(None), Kind.EDITION, digest)

    assert editions.decode(whole).name == "german"


def test_what_came_is_kept_for_the_next_time(tmp_path: Path) -> None:
    data = words("AB", "BA", "CAB")
    digest = bytes.fromhex(lexicon.read(data).digest)
    shelf = Shelf(tmp_path)
    assert not shelf.has(Kind.LEXICON, digest)

    assert taken_in(shelf, Kind.LEXICON, digest, data) is None

    assert shelf.has(Kind.LEXICON, digest)
    (path,) = tmp_path.iterdir()
    (tmp_path / f"{'0' * 64}.lexicon").write_bytes(data)
    (tmp_path / f"{'1' * 64}.edition").write_bytes(b"nonsense")
    Shelf(tmp_path)
    assert path.read_bytes() == data


def test_an_edition_is_kept_too(tmp_path: Path) -> None:
    edition = editions.encode(editions.load("french"))

    digest = Shelf(tmp_path).keep(Kind.EDITION, edition)

    assert (tmp_path / f"{digest.hex()}.edition").read_bytes() == edition
    assert Shelf(tmp_path).has(Kind.EDITION, digest)


def test_another_file_than_announced_is_refused() -> None:
    fault = taken_in(Shelf(None), Kind.LEXICON, ENGLISH, words("AA"))
    assert fault is not None
    assert fault.code is Code.BAD_DIGEST


@pytest.mark.parametrize(
    ("kind", "code"), [(Kind.LEXICON, Code.BAD_WORDS), (Kind.EDITION, Code.BAD_EDITION)]
)
def test_a_file_that_cannot_be_read_is_refused(kind: Kind, code: Code) -> None:
    fault = taken_in(Shelf(None), kind, ENGLISH, b"nonsense")
    assert fault is not None
    assert fault.code is code
    with pytest.raises(PeerError) as caught:
        Shelf(None).keep(kind, b"nonsense")
    assert caught.value.code is code


@pytest.mark.parametrize(
    "want",
    [Want(NONCE, bytes(32), 0), Want(NONCE, ENGLISH, 10**9)],
    ids=["unknown", "too far"],
)
def test_what_is_not_here_cannot_be_asked_for(want: Want) -> None:
    with pytest.raises(PeerError) as caught:
        Shelf(None).piece(want)
    assert caught.value.code is Code.BAD_DIGEST


@pytest.mark.parametrize(
    ("size", "offset", "length", "code"),
    [
        (RESOURCE_BYTES + 1, 0, CHUNK_BYTES, Code.TOO_LARGE),
        (0, 0, 0, Code.TOO_LARGE),
        (100, 1, 99, Code.BAD_DIGEST),
        (100, 0, 99, Code.BAD_DIGEST),
    ],
)
def test_a_piece_that_was_not_asked_for_is_refused(
    size: int, offset: int, length: int, code: Code
) -> None:
    one = Fetch(Kind.LEXICON, ENGLISH, NONCE)
    list(one.wants())

    with pytest.raises(PeerError) as caught:
        one.on_piece(Piece(NONCE, ENGLISH, size, offset, bytes(length)))
    assert caught.value.code is code


def test_a_piece_nobody_asked_for_and_a_changing_size_are_refused() -> None:
    with pytest.raises(PeerError):
        Fetch(Kind.LEXICON, ENGLISH, NONCE).on_piece(
            Piece(NONCE, ENGLISH, 10, 0, bytes(10))
        )

    one = Fetch(Kind.LEXICON, ENGLISH, NONCE)
    list(one.wants())
    one.on_piece(Piece(NONCE, ENGLISH, 2 * CHUNK_BYTES, 0, bytes(CHUNK_BYTES)))
    list(one.wants())
    with pytest.raises(PeerError):
        one.on_piece(Piece(NONCE, ENGLISH, CHUNK_BYTES + 1, CHUNK_BYTES, bytes(1)))


def test_a_fetch_goes_on_after_the_link_was_lost() -> None:
    shelf = Shelf(None)
    one = Fetch(Kind.LEXICON, ENGLISH, NONCE)
    for want in list(one.wants()):
        one.on_piece(shelf.piece(want))
    list(one.wants())

    one.again()

    assert next(iter(one.wants())) == Want(NONCE, ENGLISH, CHUNK_BYTES)


def test_names_digests_and_files_are_found(tmp_path: Path) -> None:
    text = tmp_path / "words.txt"
    text.write_text("ab\n\nba\n", encoding="utf-8")
    packed = tmp_path / "words.graph"
    packed.write_bytes(words("AB", "BA"))
    toml = tmp_path / "mine.toml"
    edition = editions.load("german")
    toml.write_text(editions.write(edition), encoding="utf-8")

    first = resources.find_words(str(text), ALPHABET)

    assert resources.find_words(str(packed), ALPHABET) == first
    assert resources.find_words(first.hex(), ALPHABET) == first
    assert resources.find_words("english", ALPHABET) == ENGLISH
    german = bytes.fromhex(edition.digest)
    for name in ("german", edition.digest, str(toml)):
        assert resources.find_edition(name) == german


def test_spanish_letters_are_read_longest_first(tmp_path: Path) -> None:
    text = tmp_path / "words.txt"
    text.write_text("llch\n", encoding="utf-8")

    found = resources.read_words(text, ("C", "CH", "H", "L", "LL"))

    assert list(found.words()) == [(4, 1)]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"ab\na1\n", "line 2: .*'1', which is on no tile"),
        (b"\xff\n", "UTF-8"),
        (b"NPWORDS", "word list"),
    ],
)
def test_a_faulty_word_list_says_what_is_wrong(
    content: bytes, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "words"
    path.write_bytes(content)

    with pytest.raises(LocalError, match=reason):
        resources.find_words(str(path), ALPHABET)


def test_a_missing_or_faulty_edition_says_so(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match=like(Says.NO_EDITION, name="klingon")):
        resources.find_edition("klingon")
    path = tmp_path / "bad.toml"
    path.write_text("name = 3", encoding="utf-8")
    with pytest.raises(LocalError, match=r"bad\.toml"):
        resources.find_edition(str(path))
    with pytest.raises(LocalError, match=like(Says.NO_LIST)):
        resources.find_words(str(tmp_path / "none"), ALPHABET)


def arrived(fetches: Fetches, shelf: Shelf, wants: list[Want], count: int) -> None:
    """Let so many pieces come, and ask for what follows them."""
    for _ in range(count):
        wants += fetches.on_piece(shelf.piece(wants.pop(0)))


def test_what_has_come_of_a_file_stays_when_the_terms_change() -> None:
    shelf, other = Shelf(None), bytes.fromhex(lexicon.shipped()["german"])
    fetches = Fetches(shelf)
    wants = fetches.fetch(NONCE, [(Kind.LEXICON, ENGLISH)])
    arrived(fetches, shelf, wants, 3)
    later = fetches.fetch(
        bytes(31) + b"1", [(Kind.LEXICON, other), (Kind.LEXICON, ENGLISH)]
    )
    offsets = {want.offset for want in later if want.digest == ENGLISH}
    assert offsets.isdisjoint({0, CHUNK_BYTES, 2 * CHUNK_BYTES})
    wants = [want for want in wants if want.digest == ENGLISH]
    arrived(fetches, shelf, wants, 1)  # what was asked before the change
    assert fetches
    fetches.fetch(NONCE, ())
    assert not fetches
    assert list(fetches.on_piece(shelf.piece(Want(NONCE, ENGLISH, 0)))) == []


def test_as_many_pieces_are_on_their_way_as_may_be() -> None:
    shelf, one = Shelf(None), Fetch(Kind.LEXICON, ENGLISH, NONCE)
    asked = list(one.wants())
    assert len(asked) == 1, "how much there is, the first piece tells"
    for _ in range(5):
        one.on_piece(shelf.piece(asked.pop(0)))
        asked += one.wants()
        assert len(asked) == RESOURCE_WANTS


def test_what_is_said_of_a_file_that_is_wanted_no_more_is_no_news(
    tmp_path: Path,
) -> None:
    waits: list[Callable[[resources.Outcome], None]] = []
    shelf = Shelf(tmp_path, lambda _parcel, told: waits.append(told))
    german = bytes.fromhex(editions.shipped()["german"])
    fetches = Fetches(shelf)
    for table, needed in ((NONCE, [(Kind.EDITION, german)]), (b"2" * 32, [])):
        wants = fetches.fetch(table, needed)
        arrived(fetches, Shelf(None), wants, len(wants))
    [told] = waits
    told(("BAD_EDITION", "no good"))
    assert fetches.take_news() == (False, None)
    [want] = fetches.fetch(NONCE, [(Kind.EDITION, german)])
    arrived(fetches, Shelf(None), [want], 1)
    waits[1](("BAD_EDITION", "no good"))
    _come, fault = fetches.take_news()
    assert fault is not None
    assert fault.code is Code.BAD_EDITION


@pytest.mark.parametrize("name", lexicon.shipped())
def test_a_list_of_ones_own_has_the_letters_of_the_shipped_one(
    name: str, tmp_path: Path
) -> None:
    shipped = lexicon.load(name)
    text = tmp_path / "mine.txt"
    text.write_text("".join(shipped.alphabet[:2]) + "\n", "utf-8")
    mine = resources.read_words(text, shipped.alphabet)
    assert (mine.alphabet, mine.folds) == (shipped.alphabet, shipped.folds)


def test_of_the_files_that_lie_there_only_ones_own_are_set_aside(
    tmp_path: Path,
) -> None:
    names = ("notes.lexicon", f"{'0' * 64}.lexicon", f"{'1' * 64}.edition")
    for name in names:
        (tmp_path / name).write_bytes(b"nonsense")
    faults = Faults()
    Shelf(tmp_path, faults=faults)
    assert (tmp_path / names[0]).exists()
    assert [(tmp_path / name).exists() for name in names[1:]] == [False, False]
    assert len(list(faults)) == 2
    assert len(list(tmp_path.iterdir())) == 3


def own_edition(name: str, *, count: int) -> str:
    """Return the TOML of an edition that differs from others by a number."""
    german = editions.load("german")
    return editions.write(replace(german, name=name, bingo=count))


def mine() -> editions.Edition:
    """Return the player's own edition of that name."""
    return editions.find(editions.own()["mine"])


def test_an_edition_on_the_disk_is_what_it_is_now(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    home.editions.mkdir()
    path, own = home.editions / "mine.toml", OwnFiles(home)
    for count in (10, 20, 30):
        if count == 20:  # by another program, in place
            path.write_text(own_edition("mine", count=count), "utf-8")
            os.utime(path, ns=(30, 30))
        else:  # by rename, with the time that the one before had
            fresh = tmp_path / "fresh"
            fresh.write_text(own_edition("mine", count=count), "utf-8")
            os.utime(fresh, ns=(30, 30) if count == 30 else (20, 20))
            fresh.replace(path)
        own.refresh()
        assert mine().bingo == count
    path.write_text("tiles = [", "utf-8")
    own.refresh()
    own.refresh()
    assert len(list(home.faults)) == 1
    path.write_text(own_edition("mine", count=40), "utf-8")
    own.refresh()
    assert (mine().bingo, list(home.faults)) == (40, [])
    path.write_text("tiles = [", "utf-8")
    own.refresh()
    path.unlink()
    own.refresh()
    assert list(home.faults) == []
    assert "mine" not in editions.own()


def test_an_edition_is_kept_under_its_own_name_or_not_at_all(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    own = OwnFiles(home)
    for name, said in (("other", "mine"), ("german", "german"), ("A b", "A b")):
        with pytest.raises(LocalError) as caught:
            own.save(name, own_edition(said, count=10))
        assert caught.value.code is Code.BAD_EDITION
    assert not list(home.editions.glob("*"))
    own.save("mine", own_edition("mine", count=50))
    assert mine().bingo == 50
    editions.forget("mine")
