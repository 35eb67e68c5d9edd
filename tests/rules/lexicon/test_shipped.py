"""The word lists of the package: whole, as the README says, with their licences."""

import re
from collections import Counter
from pathlib import Path

import pytest

import rules
from rules import editions
from rules.lexicon import (
    SIZES,
    Lexicon,
    LexiconError,
    Tiers,
    build,
    find,
    load,
    pack_tiers,
    read,
    register,
    shipped,
    tiers,
)
from rules.wordlists import check

WORDS = Path(rules.__file__).parent / "words"
NAMES = ("english", "french", "german", "russian", "spanish")

KNOWN = {
    "english": (
        "HOUSE QI ZA ZYZZYVA COLOUR COLOR QUIXOTIC APP BRO TECH STAT MAX REC ABS HMM",
        "BS CS HOUZE TH GLD ADJ GOVT",
    ),
    "french": (
        "ÉTÉ OEUF ŒUF GARÇON MANGERIONS WAGON AA BE TO OM OR SKA TEAM",
        "CM KG ZZ AB AC AV AD NOV",
    ),
    "german": (
        "STRASSE Straße HAUS ÄPFEL MÄDCHEN PST IN ZU ES IM ER SO AM UM DU JA AB ÖL HM",
        "STRAẞEN1 XQ HAUZ CD PKW",
    ),
    "spanish": (
        "CARRO LLAVE NIÑO CHURRO PERRO ÁRBOL COMER YOGA CHE ÑU SPA",
        "KILO WHISKY CARROZ AV OB SRA AVDA",
    ),
    "russian": (
        "ЁЛКА ЕЛКА ДОМ МАМА СЧАСТЬЕ ПОДЪЕЗД ГО БА ОН ОР ЗЕК ТФУ",
        "КГ ДОМЪ СТР УЛ ИНЖ СОЦ",
    ),
}

COMMONEST = {
    "english": """the be to of and in that have it for not on with he as you do at this
        but his by from they we say her she or an will my one all would there their""",
    "french": """le la les de du des un une et en dans est que qui ne pas pour sur avec
        au aux ce se son sa ses il elle je tu nous vous ils on mais ou y""",
    "german": """der die das und in zu den im er sie es ist ich nicht mit auf für an dem
        so am um du ja ab ob wo da je na oh bei von als auch wie nur noch nach aus""",
    "spanish": """de la que el en y a los se del las un por con no una su para es al lo
        como más pero sus le ya o este sí porque esta entre cuando muy sin sobre""",
    "russian": """и в не на я быть он с что а по это она этот к но они мы весь который
        из у то за свой ты вы так же от мочь для до бы да ну ли во со""",
}


def table() -> dict[str, tuple[int, int, int]]:
    """Return the figures of README.md: words up to 12, up to 15, bytes."""
    rows = re.findall(
        r"^\| (\w+) \|.*\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$",
        (WORDS / "README.md").read_text("utf-8"),
        re.MULTILINE,
    )
    number = [(name, [int(n.replace(",", "")) for n in rest]) for name, *rest in rows]
    return {name: (short, whole, size) for name, (short, whole, size) in number}


def lengths_from(
    lexicon: Lexicon, node: int, known: dict[int, Counter[int]]
) -> Counter[int]:
    """Return how many words there are of each length, counted from a node.

    Each node is looked at once: a million words would take a quarter of a minute.
    """
    if node not in known:
        lengths = Counter({0: 1} if lexicon.ends(node) else {})
        for _, to in lexicon.arcs(node):
            for length, words in lengths_from(lexicon, to, known).items():
                lengths[length + 1] += words
        known[node] = lengths
    return known[node]


def test_five_languages_are_shipped() -> None:
    assert tuple(shipped()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_list_is_whole_and_is_what_the_readme_says(name: str) -> None:
    lexicon = find(shipped()[name])
    lexicon.verify()
    assert lexicon.digest == shipped()[name]
    lengths = lengths_from(lexicon, lexicon.root, {})
    assert (min(lengths), max(lengths)) == (2, 15)
    short = sum(lengths[length] for length in range(2, 13))
    assert (short, lengths.total(), len(lexicon.data)) == table()[name]
    assert lexicon.count == lengths.total()


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_list_has_the_words_of_its_language(name: str) -> None:
    lexicon = load(name)
    good, bad = KNOWN[name]
    assert [word for word in good.split() if not check(lexicon, word)] == []
    assert [word for word in bad.split() if check(lexicon, word)] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_commonest_words_of_a_language_are_in_its_list(name: str) -> None:
    lexicon = load(name)
    words = [word for word in COMMONEST[name].split() if len(word) > 1]
    assert [word for word in words if not check(lexicon, word.upper())] == []


@pytest.mark.parametrize("name", NAMES)
def test_beside_each_list_are_its_licence_and_what_that_names(name: str) -> None:
    text = (WORDS / f"{name}.licence.txt").read_text("utf-8")
    assert f"{name}.graph" in text
    for other in re.findall(r"[\w.-]+\.(?:txt|md)\b", text):
        assert (WORDS / other).is_file(), other


def test_the_english_licence_shows_the_notices_it_must() -> None:
    text = (WORDS / "english.licence.txt").read_text("utf-8")
    assert text.index("J Ross Beresford 1993-1999") < 400
    assert "prominently displayed and the text of this document" in text
    assert "Copyright 2000-2018 by Kevin Atkinson" in text


def test_the_russian_list_is_marked_as_modified() -> None:
    text = (WORDS / "russian.licence.txt").read_text("utf-8")
    assert "MODIFIED VERSION" in text
    assert "Alexander I. Lebedev may not be used to endorse" in " ".join(text.split())


@pytest.mark.parametrize("digest", editions.shipped().values())
def test_every_shipped_edition_has_tiles_for_its_words(digest: str) -> None:
    edition = editions.find(digest)
    assert load(edition.words).alphabet == edition.alphabet


def test_an_unknown_list_is_not_found() -> None:
    with pytest.raises(LookupError):
        load("klingon")
    with pytest.raises(LookupError):
        find("00" * 32)


def test_a_registered_list_is_found_by_its_digest() -> None:
    lexicon = read(build(("X", "Y"), [(0, 1, 0, 1, 1)]))
    with pytest.raises(LookupError):
        find(lexicon.digest)
    register(lexicon)
    assert find(lexicon.digest) is lexicon


def spelled(text: str) -> list[int]:
    return [ord(letter) - ord("A") for letter in text]


def test_tiers_tell_common_words_from_rare_ones() -> None:
    known = tiers(load("english"))
    assert known is not None
    assert known.of(spelled("THE")) == 10
    assert known.of(spelled("HOUSE")) == 10
    assert known.of(spelled("QUIXOTIC")) <= 50
    assert known.of(spelled("ZYZZYVA")) >= 70
    with pytest.raises(LookupError):
        known.of(spelled("HOUZE"))


def test_half_the_english_words_are_rare_and_few_are_common() -> None:
    lexicon = load("english")
    known = tiers(lexicon)
    assert known is not None
    sizes = [known.at(place) for place in range(lexicon.count)]
    assert set(sizes) == set(SIZES)
    assert 3_000 < sizes.count(10) < 5_000
    assert sizes.count(80) > lexicon.count / 2


def test_a_list_that_nobody_counted_has_no_tiers() -> None:
    assert tiers(load("french")) is None
    assert tiers(read(build(("A",), [(0, 0)]))) is None


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_tiers_are_packed_two_to_a_byte(count: int) -> None:
    lexicon = read(build(("A",), [(0,) * size for size in range(1, count + 1)]))
    sizes = [SIZES[(3 * place + 8) % 9] for place in range(count)]
    data = pack_tiers(lexicon, sizes)
    assert len(data) == 40 + (count + 1) // 2
    assert [Tiers(lexicon, data).at(place) for place in range(count)] == sizes


def test_tiers_of_another_list_are_refused() -> None:
    one, other = (read(build((name,), [(0, 0)])) for name in "AB")
    data = pack_tiers(one, [10])
    for lexicon, some in ((other, data), (one, data[:-1]), (one, data + b"\0")):
        with pytest.raises(LexiconError):
            Tiers(lexicon, some)


def test_a_size_that_nobody_has_cannot_be_packed() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        pack_tiers(read(build(("A",), [(0, 0)])), [15])
