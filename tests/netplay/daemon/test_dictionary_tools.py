"""The user's own words and editions, asked for through the door."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from netplay.daemon.dictionary_tools import FOUND, DictionaryTools, Job, work
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.language import phrase, speak
from netplay.messages.door import TableStatus
from netplay.messages.node_questions import (
    ChangeWords,
    CheckWord,
    DefineWords,
    ExportWords,
    ImportWords,
    OpenEdition,
    RateTiles,
    SaveEdition,
    SearchWords,
    WordQuestion,
)
from netplay.sentences import Says
from netplay.table import dictionary
from rules import editions, lexicon
from rules.lexicon import Word
from tests.client.worlds import seat, table
from tests.said import like, says

WORDS = "AA\nCAT\nDOG\n"


class Bench:
    """A craft whose long jobs are done on the spot."""

    def __init__(self, folder: Path) -> None:
        self.home = Home(folder)
        self.home.prepare()
        self.table: TableStatus | None = None
        self.jobs = 0
        self.craft = DictionaryTools(self.home, lambda: self.table, self.away)
        self.text = folder / "words.txt"
        self.text.write_text(WORDS, encoding="utf-8")

    async def away(self, job: Job) -> str:
        self.jobs += 1
        code, text = work(job)
        if code:
            raise LocalError(Code[code], text)
        return text

    async def do(self, ask: WordQuestion) -> str:
        return str((await self.craft.do(ask))[0])


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    yield Bench(tmp_path)
    for shelf in (editions, lexicon):
        for name in shelf.own():
            shelf.forget(name)


async def imported(bench: Bench, name: str) -> str:
    return await bench.do(ImportWords("networdz", name, str(bench.text)))


async def test_a_list_is_imported_changed_checked_and_exported_by_name(
    bench: Bench, tmp_path: Path
) -> None:
    assert await imported(bench, "mine-a") == f"mine-a: {Says.IMPORTED(count=3)}"
    assert "mine-a" in bench.craft.names(0.0)[1]
    said = await bench.do(ChangeWords("add", "networdz", "mine-a", "mine-a", "bird"))
    assert said == "mine-a: added: 1"
    said = await bench.do(ChangeWords("delete", "networdz", "mine-a", "mine-a", "dog"))
    assert said == "mine-a: deleted: 1"
    checks = [
        await bench.do(CheckWord("networdz", "mine-a", word))
        for word in ("bird", " dog ")
    ]
    missing, others = Says.NO_WORD(word="DOG"), Says.OTHERS_HAVE_IT(lists="english")
    assert checks == [str(Says.A_WORD(word="BIRD")), f"{missing}; {others}"]
    search = SearchWords("networdz", "mine-a", "pattern", "?a*")
    assert await bench.craft.do(search) == (Says.WORDS_FIT(count=2), b"AA\nCAT")
    rated = await bench.do(RateTiles("networdz", "english", "e?"))
    assert says(rated, Says.TILES_WORTH, tiles="E?")
    with pytest.raises(LocalError, match=like(Says.NO_LEAVES, name="mine-a")):
        await bench.do(RateTiles("networdz", "mine-a", "e?"))
    search = SearchWords("networdz", "mine-a", "hooks", "x")
    assert await bench.craft.do(search) == (Says.NO_WORD_FITS(), b"")
    out = tmp_path / "out" / "back.txt"
    await bench.do(ExportWords("networdz", "mine-a", str(out)))
    assert out.read_text("utf-8") == "AA\nBIRD\nCAT\n"
    assert bench.jobs == 4  # a check is quick enough for the node itself


async def test_what_tiles_are_worth_is_a_number_of_the_language(bench: Bench) -> None:
    said, _data = await bench.craft.do(RateTiles("networdz", "english", "e?"))
    number = re.compile(r"E\?.* \+\d+([.,])\d ")
    heard = {}
    for language in ("en", "de", "fr", "es", "ru"):
        speak(language)
        found = number.match(phrase(said))
        heard[language] = found and found[1]
    speak("en")
    assert heard == {"en": ".", "de": ",", "fr": ",", "es": ",", "ru": ","}


async def test_all_words_of_a_long_list_are_counted_and_the_shortest_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    weighed, ways = list[Word](), dictionary.ways

    def counted(edition: editions.Edition, word: Word) -> int:
        weighed.append(word)
        return ways(edition, word)

    monkeypatch.setattr(dictionary, "ways", counted)
    search = SearchWords("networdz", "english", "pattern", "*")
    said, data = await bench.craft.do(search)
    assert len(weighed) < 10 * FOUND
    found = lexicon.find(lexicon.shipped()["english"])
    assert said == Says.WORDS_FIT(count=found.count)
    words = data.decode().split("\n")
    assert len(words) == FOUND
    assert [len(word) for word in words[:100]] == [2] * 100
    assert words == dictionary.search("networdz", "english", "pattern", "*")[:FOUND]


async def test_words_are_told_with_their_meanings_by_whichever_list_has_them(
    bench: Bench,
) -> None:
    bench.text.write_text("AA\tlava\nCAT\nDOG\tbarks\tbites\n", "utf-8")
    await imported(bench, "mine-d")
    digest = lexicon.own()["mine-d"]
    question = DefineWords(digest, ("DOG", "CAT", "AA", "XYZZY", "Ä"))
    _said, data = await bench.craft.do(question)
    assert [each.split() for each in data.decode().split("\n")] == [
        ["DOG", "barks", "bites"], ["AA", "lava"],
    ]  # fmt: skip
    for unknown in (lexicon.shipped()["english"], "0" * 64):
        assert await bench.craft.do(DefineWords(unknown, ("AA",))) == ("", b"")


async def test_a_word_more_than_the_programs_own_list_makes_a_list_of_ones_own(
    bench: Bench,
) -> None:
    shipped = lexicon.shipped()["english"]
    await bench.do(ChangeWords("add", "networdz", "english", "mine-b", "netplay"))
    assert lexicon.shipped()["english"] == shipped
    assert (
        lexicon.find(lexicon.own()["mine-b"]).count == 1 + lexicon.find(shipped).count
    )


async def test_a_bad_line_is_named_and_the_list_stays(bench: Bench) -> None:
    await imported(bench, "mine-c")
    before = lexicon.own()["mine-c"]
    bench.text.write_text("CAT\nDOG\nBIRD\n", encoding="utf-8")
    with pytest.raises(LocalError, match=r"line 3: BIRD .* DOG"):
        await imported(bench, "mine-c")
    assert lexicon.own()["mine-c"] == before


@pytest.mark.parametrize(
    "ask",
    [
        ChangeWords("add", "networdz", "english", "mine-d", "netplay"),
        ChangeWords("delete", "networdz", "english", "mine-d", "cat"),
        ImportWords("networdz", "mine-d", "/none"),
    ],
    ids=str,
)
async def test_nothing_is_changed_while_somebody_plays_from_elsewhere(
    bench: Bench, ask: WordQuestion
) -> None:
    bench.table = table()
    assert any(one.kind == "remote" for one in bench.table.seats)
    with pytest.raises(LocalError, match=like(Says.DICTIONARY_IN_USE)):
        await bench.do(ask)
    assert bench.jobs == 0


async def test_among_players_here_words_change_for_the_next_game(bench: Bench) -> None:
    bench.table = replace(table(match=b"m", phase="playing"), seats=(seat("Anna"),))
    said = await imported(bench, "mine-e")
    assert said.endswith(f"; {Says.KEEPS_WORDS()}")


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (
            ChangeWords("add", "networdz", "english", "english", "cat"),
            "the program's own",
        ),
        (
            ChangeWords("add", "networdz", "english", "../up", "qqqq"),
            "'../up' is no name",
        ),
        (
            ChangeWords("add", "networdz", "english", "mine-f", "cat"),
            "cat is in the dictionary",
        ),
        (
            ChangeWords("delete", "networdz", "english", "mine-f", "qqqq"),
            "qqqq is not in the",
        ),
        (
            ChangeWords("add", "networdz", "english", "mine-f", "x"),
            "x does not have 2 to 12",
        ),
        (ChangeWords("add", "networdz", "english", "mine-f", "a1"), "'a1' has '1'"),
        (ChangeWords("add", "german", "english", "mine-f", "cat"), "other letters"),
        (CheckWord("networdz", "none", "cat"), "No such file"),
        (SearchWords("networdz", "english", "hooks", "4"), "4"),
        (RateTiles("networdz", "english", "???"), "at most two blanks"),
        (RateTiles("networdz", "english", " "), "say what"),
        (CheckWord("klingon", "english", "cat"), "no edition 'klingon'"),
        (ImportWords("networdz", "mine-f", "words.txt"), "the whole path"),
        (ImportWords("networdz", "mine-f", "/none.txt"), "No such file"),
        (ExportWords("networdz", "english", "words.txt"), "the whole path"),
        (ExportWords("networdz", "english", "/dev/null/x"), "/dev/null"),
    ],
    ids=str,
)
async def test_what_cannot_be_has_a_reason(
    bench: Bench, ask: WordQuestion, reason: str
) -> None:
    with pytest.raises(LocalError) as caught:
        await bench.do(ask)
    assert reason in str(caught.value.detail)
    assert "mine-f" not in lexicon.own()


async def test_an_edition_is_saved_under_its_name_and_opened_again(
    bench: Bench,
) -> None:
    own = replace(editions.load("networdz"), name="tiny-a", rack=5)
    text = editions.write(own)
    assert await bench.do(SaveEdition("tiny-a", text)) == str(
        Says.EDITION_SAVED(name="tiny-a")
    )
    assert bench.craft.names(0.0)[0] == tuple(editions.own())
    name, data = await bench.craft.do(OpenEdition("tiny-a"))
    assert (name, editions.decode(data)) == ("tiny-a", own)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"words": "nowhere"}, "there is no dictionary nowhere yet"),
        ({"words": "german"}, "the dictionary german has other letters"),
    ],
    ids=str,
)
async def test_an_edition_without_fitting_words_is_saved_with_a_warning(
    bench: Bench, change: dict[str, str], said: str
) -> None:
    own = replace(editions.load("networdz"), name="tiny-b", **change)
    assert said in await bench.do(SaveEdition("tiny-b", editions.write(own)))


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (SaveEdition("french", ""), "french is the program's own"),
        (SaveEdition("Tiny", ""), "'Tiny' is no name"),
        (SaveEdition("tiny-c", "rack = 0"), "line 1"),
        (OpenEdition("klingon"), "there is no edition 'klingon'"),
    ],
    ids=str,
)
async def test_an_edition_that_cannot_be_has_a_reason(
    bench: Bench, ask: WordQuestion, reason: str
) -> None:
    with pytest.raises(LocalError) as caught:
        await bench.do(ask)
    assert reason in str(caught.value.detail)


async def test_the_name_in_the_file_is_the_name_it_is_saved_under(bench: Bench) -> None:
    text = editions.write(replace(editions.load("networdz"), name="tiny-d"))
    with pytest.raises(
        LocalError, match=like(Says.NAME_DIFFERS, name="tiny-d", other="tiny-e")
    ):
        await bench.do(SaveEdition("tiny-e", text))


async def test_what_is_put_into_the_folders_by_hand_is_taken_up_and_dropped(
    bench: Bench,
) -> None:
    place = bench.home.editions / "hand-made.toml"
    place.parent.mkdir()
    text = editions.write(replace(editions.load("german"), name="hand-made"))
    place.write_text(text, encoding="utf-8")
    (bench.home.editions / "damaged.toml").write_text("name = ", encoding="utf-8")
    (bench.home.editions / "german.toml").write_text(text, encoding="utf-8")
    bench.home.dictionaries.mkdir()
    (bench.home.dictionaries / "damaged.graph").write_bytes(b"nothing of the kind")
    bench.craft.refresh()
    assert "hand-made" in editions.own()
    assert not {"damaged", "german"} & {*editions.own(), *lexicon.own()}
    place.unlink()
    bench.craft.refresh()
    assert "hand-made" not in editions.own()


async def test_a_list_that_was_damaged_on_the_disk_is_left_alone(bench: Bench) -> None:
    await imported(bench, "mine-g")
    place = bench.home.dictionaries / "mine-g.graph"
    data = bytearray(place.read_bytes())
    data[-1] ^= 1
    (bench.home.dictionaries / "mine-h.graph").write_bytes(data)
    bench.craft.refresh()
    assert "mine-h" not in lexicon.own()
