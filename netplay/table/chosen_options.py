"""From what people type about a match to a game's options.

Editions and word lists are named: as shipped, as the user's own, by digest or by file.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.levels import SKILLS
from netplay.messages.door import TRUE, HostTable
from netplay.messages.table import USUALLY, Fairness
from netplay.named_files import FILE_MEMORY_BYTES, memory_capped
from netplay.record.masked import MOST_TILES, may_encrypt
from netplay.record.playable import Playable
from netplay.said import Said, Words
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says
from netplay.table.resources import Kind, OwnFiles, Shelf, find_edition, find_words
from netplay.wire import unpack
from rules import GAMES, editions, lexicon
from rules.game import Game

_NAMED: Final = frozenset({"edition", "words", "lexicon"})
"""Keys of options that name a file."""


def chosen_options(
    game: Game[Any, Any],
    pairs: Iterable[tuple[str, str]],
    edition: str = "",
    words: str = "",
) -> Any:  # noqa: ANN401 (each game has options of its own)
    """Return the options struct that a user wishes for.

    Args:
        game: Whose options.
        pairs: (key, value) as typed; later ones replace earlier ones.
        edition: Name of an edition, if not among the pairs.
        words: Name of a word list, likewise.

    Raises:
        LocalError: USAGE, the game has no such option, or it no such value;
            BAD_EDITION or BAD_WORDS, what is named is not there or damaged.
    """
    pairs = list(pairs)
    given = {key.strip().lower(): value.strip() for key, value in pairs}
    edition = edition or given.get("edition", "")
    words = words or given.get("words", given.get("lexicon", ""))
    left = [pair for pair in pairs if pair[0].strip().lower() not in _NAMED]
    options = read_options(game, left)
    title, resources = game.ABOUT.title, game.ABOUT.resources
    if edition and "edition" not in resources:
        raise LocalError(Code.USAGE, Says.NO_EDITIONS(game=title))
    if words and "lexicon" not in resources:
        raise LocalError(Code.USAGE, Says.WITHOUT_WORDS(game=title))
    if edition:  # and its own words, unless others are named
        digest = find_edition(edition).hex()
        found = editions.find(digest)
        listed = find_words(words or found.words, found.alphabet).hex()
        return replace(options, edition=digest, lexicon=listed)
    if words:
        alphabet = lexicon.find(options.lexicon).alphabet
        return replace(options, lexicon=find_words(words, alphabet).hex())
    return options


def is_of_files(table: HostTable) -> bool:
    """Tell whether an edition or a word list of a table has to be read from a file."""
    given = {key.strip().lower(): value.strip() for key, value in table.options}
    edition = table.edition or given.get("edition", "")
    words = table.words or given.get("words", given.get("lexicon", ""))
    return not (_is_here(edition, editions) and _is_here(words, lexicon))


def _is_here(name: str, shelf: Any) -> bool:  # noqa: ANN401 (the module of either)
    """Tell whether a name or a digest stands for something that is at hand."""
    if not name or name in shelf.shipped() or name in shelf.own():
        return True
    try:
        shelf.find(name)
    except LookupError:
        return False
    return True


def kept_files(table: HostTable, home: Path) -> tuple[str, Words, HostTable]:
    """Read, build and keep the files that a table names; runs in a worker.

    Args:
        table: As the user wishes it.
        home: Of the node.

    Returns:
        The name of a code and words, if it cannot be; else the table, with digests in
        the place of files.
    """
    try:
        with memory_capped(FILE_MEMORY_BYTES):
            return "", "", _with_digests(table, Home(home))
    except LocalError as error:
        return error.code.name, error.detail, table
    except MemoryError:
        place = table.words or table.edition
        return Code.FILE.name, Says.MEMORY_LIMIT(path=place), table


def _with_digests(table: HostTable, home: Home) -> HostTable:
    """Return the table with what it names kept in the home."""
    shelf = Shelf(home.words)
    OwnFiles(home).refresh()
    game = GAMES.get(table.game)
    if game is None:
        return table  # which is told by whoever forms it
    options = chosen_options(game, table.options, table.edition, table.words)
    found = game.ABOUT.digests(options)
    for kind in Kind:
        if digest := found.get(kind.value, ""):
            shelf.adopt(kind, bytes.fromhex(digest))
    pairs = [(k.strip().lower(), k, v) for k, v in table.options]
    named = {key for key, _, _ in pairs} & {"edition"} or table.edition
    left = tuple((k, v) for key, k, v in pairs if key not in _NAMED)
    edition = found.get("edition", "") if named else ""
    return replace(table, options=left, edition=edition, words=found["lexicon"])


# The chairs of a table that is being formed: what a user says of them, and back.


ChairKind: TypeAlias = Literal["person", "computer", "program", "browser", "remote"]

SKILL: Final = SKILLS["medium"]
"""Of a computer player whose skill was not said."""


class Chair(Struct, frozen=True):
    """A seat of a table that is being formed."""

    kind: ChairKind
    name: str
    """Empty for a remote seat or a browser's that nobody has taken."""
    skill: int = 0
    address: str = ""
    """For whom it is kept; empty for whoever comes first."""
    comment: str = ""
    key: bytes | None = None
    """The peer who has taken a remote seat."""
    calls: bool = True
    """Call there until somebody has taken it."""
    full: bool = False
    """Whoever it is kept for has not seen that: too much waits for an answer there."""
    program: str = ""
    """Where the program lies that plays here."""


def read_chair(text: str) -> Chair:
    """Return the chair that a user described.

    Args:
        text: `person[:NAME]`, `computer[:0-100]`, `computer:LEVEL`, `program:PATH`,
            `browser[:NAME]` or `remote[:ADDRESS [comment]]`.

    Raises:
        LocalError: USAGE, it is none of these.
    """
    kind, _, rest = text.strip().partition(":")
    rest = rest.strip()
    match kind.strip().lower():
        case "person":
            return Chair("person", clean(rest, NAME_CHARACTERS))
        case "browser":
            return Chair("browser", clean(rest, NAME_CHARACTERS))
        case "computer":
            return Chair("computer", "", _read_skill(rest))
        case "program":
            return Chair("program", "", SKILL, program=rest)
        case "remote":
            address, _, comment = rest.partition(" ")
            return Chair("remote", "", address=address, comment=comment.strip())
        case _:
            detail = Says.SEAT_KINDS(word=text)
            raise LocalError(Code.USAGE, detail)


def _read_skill(text: str) -> int:
    """Return a computer player's skill.

    Raises:
        LocalError: USAGE, it is neither a number from 0 to 100 nor a level.
    """
    if not text:
        return SKILL
    if text.lower() in SKILLS:
        return SKILLS[text.lower()]
    if not text.isdecimal() or int(text) > 100:
        raise LocalError(Code.USAGE, Says.SKILL_RANGE(word=text))
    return int(text)


def described(chair: Chair) -> str:
    """Return a chair as a user would describe it."""
    match chair.kind:
        case "person" | "browser":
            return f"{chair.kind}:{chair.name}"
        case "computer":
            return f"computer:{chair.skill}"
        case "program":
            return f"program:{chair.program}"
        case _:
            return f"remote:{chair.address} {chair.comment}".strip()


def named(chairs: Sequence[Chair], name: str) -> tuple[Chair, ...]:
    """Return chairs with names for persons and computers that have none.

    Computers are numbered where there are several.
    """
    named: list[Chair] = []
    taken = {chair.name for chair in chairs}
    several = sum(chair.kind == "computer" for chair in chairs) > 1
    spare = (n for n in map("Computer {}".format, count(1)) if n not in taken)
    for number, chair in enumerate(chairs, 1):
        default = ""
        if chair.kind == "computer":
            default = next(spare) if several else "Computer"
        elif chair.kind == "program":
            default = f"Program {number}"
        elif chair.kind == "person":
            another = any(other.kind == "person" for other in named)
            default = clean(f"{name} {number}", NAME_CHARACTERS) if another else name
        named.append(replace(chair, name=chair.name or default))
    return tuple(named)


# How tiles are drawn at a new table: as its host wishes, as is usual, or as can be.


class Drawing(Struct, frozen=True):
    """How tiles are drawn, and what was asked for."""

    fairness: Fairness = "committed"
    wished: Fairness | Literal[""] = ""
    """Empty for the usual way."""
    why: Words = ""
    """Why it is not the usual way, though nobody has wished for another."""


def drawing(
    wished: Fairness | Literal[""], playable: Playable, chairs: Sequence[Chair]
) -> Drawing:
    """Return how tiles are drawn; usually as `USUALLY` says, if that can be.

    Raises:
        LocalError: USAGE, an encrypted bag is wished for where there is none, or
            nobody to hide it from, or one that cannot be encrypted.
    """
    tiled = playable.game.ABOUT.tiled is not None
    why: Words = ""
    if not tiled or _computers(chairs) <= 1:
        why = Says.NOTHING_TO_ENCRYPT()
    elif not may_encrypt(playable):
        why = Says.CANNOT_ENCRYPT(most=MOST_TILES)
    if wished == "encrypted" and why:
        raise LocalError(Code.USAGE, why)
    how = wished or USUALLY
    if how == "committed":
        return Drawing(how, wished)
    if not why:
        return Drawing("encrypted", wished)
    return Drawing("committed", wished, why if tiled and is_apart(chairs) else "")


def is_apart(chairs: Sequence[Chair]) -> bool:
    """Tell whether anybody plays from another computer."""
    return any(chair.kind == "remote" for chair in chairs)


def again(fairness: Fairness, chairs: Sequence[Chair]) -> Drawing:
    """Return how tiles are drawn in a rematch: as before, if somebody is elsewhere."""
    return Drawing(fairness, fairness) if _computers(chairs) > 1 else Drawing()


def _computers(chairs: Sequence[Chair]) -> int:
    """Return at how many computers there are seats; free ones are each elsewhere."""
    remote = [chair for chair in chairs if chair.kind == "remote"]
    known = {chair.key for chair in remote if chair.key is not None}
    free = sum(chair.key is None for chair in remote)
    return len(known) + free + (len(remote) < len(chairs))


FALSE: Final = frozenset({"off", "no", "false", "0"})


def read_options(
    game: Game[Any, Any], pairs: Iterable[tuple[str, str]], **more: str
) -> Any:  # noqa: ANN401 (each game has options of its own)
    """Return the options struct of a game.

    Args:
        game: Whose options.
        pairs: (key, value) as typed; later ones replace earlier ones.
        more: Options that are not typed: the digests of edition and word list.

    Raises:
        LocalError: USAGE, there is no such option, or it has no such value.
    """
    kind = game.ABOUT.options
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    for key, text in pairs:
        name = key.strip().lower().replace("-", "_")
        if name not in fields:
            names = ", ".join(fields) or "none"
            detail = Says.NO_OPTION(game=game.ABOUT.title, name=key, names=names)
            raise LocalError(Code.USAGE, detail)
        values[name] = _value(name, text.strip(), fields[name].type)
    return kind(**values, **more)


def typed_options(game: Game[Any, Any], options: bytes) -> tuple[tuple[str, str], ...]:
    """Return packed options as somebody would type them, but for resources.

    Raises:
        PeerError: They are not this game's.
    """
    kind, shelves = game.ABOUT.options, game.ABOUT.resources
    values = asdict(unpack(options, kind))
    return tuple(
        (name, ("on" if value else "off") if isinstance(value, bool) else str(value))
        for name, value in values.items()
        if name not in shelves
    )


def _value(name: str, text: str, kind: Any) -> Any:  # noqa: ANN401 (as annotated)
    """Return the value that a text means for a field.

    Raises:
        LocalError: USAGE, it means none.
    """
    word = text.lower()
    if kind is bool:
        if word in TRUE or word in FALSE:
            return word in TRUE
        raise LocalError(Code.USAGE, Says.ON_OR_OFF(name=name, wish=text))
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as error:
        wanted = _values(kind)
        raise LocalError(
            Code.USAGE, Says.VALUE_NOT(name=name, wanted=wanted, word=text)
        ) from error


def _values(kind: Any) -> Said:  # noqa: ANN401 (as annotated)
    """Say in words which values a field may have."""
    match msgspec.inspect.type_info(kind):
        case msgspec.inspect.IntType(ge=int(least), le=int(most), multiple_of=step):
            whole = {None: Says.WHOLE(), 2: Says.EVEN()}.get(
                step, Says.EVERY(step=step)
            )
            return Says.NUMBER_BETWEEN(whole=whole, least=least, most=most)
        case msgspec.inspect.IntType(ge=int(least)):
            return Says.NUMBER_AT_LEAST(least=least)
        case msgspec.inspect.IntType():
            return Says.A_NUMBER()
        case msgspec.inspect.LiteralType(values=values):
            return Says.ONE_OF(values=", ".join(map(str, values)))
        case _:
            return Says.A_TEXT()
