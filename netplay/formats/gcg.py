"""GCG, the record format of other word-game programs (John Chew's, 2000).

Lines of two sorts.  Pragmas tell about the game:

    #character-encoding UTF-8          the first line, if at all; else ISO-8859-1
    #player1 NICK Full Name            one for each player; #player3, #player4 are ours
    #title ... #description ... #lexicon ... #tile-set ... #incomplete and others
    #note ...                          about the event before; goes on over lines
    #rack1 ABC                         what player 1 holds at the end of the record

Events change the position.  Each names who, the rack, what, the points, the total:

    >NICK: RACK 8H WORD +18 18         `.` for what lies there, lower case for blanks
    >NICK: RACK - +0 18                a pass
    >NICK: RACK -ABC +0 18             an exchange; -5 if only the number is known
    >NICK: RACK -- -18 0               the last play was challenged and is withdrawn
    >NICK: RACK (challenge) +5 23      the last play was challenged and was good
    >NICK: RACK (time) -10 13          too slow
    >NICK: (ABC) +16 29                the others' tiles, once who went out
    >NICK: RACK (RACK) -8 5            one's own tiles

What it was played with stands in pragmas, of which each program writes others:

    #tile-set english set              tiles and points, by name
    #tile-distribution french          the same, as Macondo and Woogles have it
    #board-layout CrosswordGame        the board; #game-board likewise
    #game-type classic                 the rules
    #lexicon CSW21                     the words, and with them the language
    #note netplay-edition 1/1 ...      an edition of one's own, see below

`read` plays all of it again by our rules and refuses what cannot be, with the number
of the line; `take` tells besides what is odd.  `write` returns the canonical form: what
was read from it reads the same.
"""

import base64
import binascii
import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.formats.meant import Meant, Names, agreeing, meant
from netplay.formats.placing import Faults, is_place
from netplay.formats.scoring import Scorer
from netplay.formats.sheet import LATIN_1, UTF_8, Event, Kind, Sheet, own_edition
from netplay.messages.types import SEATS
from rules import editions, networdz
from rules.editions import MAX_BYTES, Edition
from rules.networdz import Options
from rules.sentence import RulesError, nested, sentence

BYTES: Final = 1 << 18
"""A game takes two kilobytes."""

LINE_CHARACTERS: Final = 512
"""Longer lines are read here; some programs stop at the first of them."""

_BREAK: Final = re.compile(r"\r\n|\r|\n")
"""What ends a line; others end some at a form feed, or at an ellipsis of Windows."""
_PLAYER: Final = re.compile(r"player(\d{1,3})\Z")
_RACK: Final = re.compile(r"rack(\d{1,3})\Z")
_POINTS: Final = re.compile(r"\+?-?\d{1,5}\Z")
"""Some programs write `+-10`."""
_WORDS: Final = {
    "-": Kind.PASS,
    "--": Kind.WITHDRAWN,
    "(challenge)": Kind.CHALLENGE,
    "(time)": Kind.TIME,
    "pass": Kind.PASS,
    "(pass)": Kind.PASS,
}
"""What is written as a word of its own."""

_ENCODINGS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("UTF-8", "UTF8"), UTF_8),
    **dict.fromkeys(("ISO-8859-1", "ISO8859-1", "LATIN1", "LATIN-1"), LATIN_1),
}
"""As programs write them."""

_TOLD: Final = (
    "tile-set",
    "tile-distribution",
    "board-layout",
    "game-board",
    "game-type",
)
"""Pragmas without which no play can be scored: they come before the first."""

_HEADS: Final = frozenset({*_TOLD, "lexicon", "title", "description", "id"})
"""Pragmas about the whole game: once each, before the first move."""

_GOES_ON: Final = frozenset({"note", "description"})
"""Pragmas whose text may go on over further lines."""


class GcgError(RulesError, ValueError):
    """A record is faulty; the message names the line and says why."""

    def __init__(self, line: int, reason: str, **values: object) -> None:
        """Say where and why.

        Args:
            line: Its number, from 1.
            reason: A sentence; or a template, as `sentence` takes it.
            values: Likewise.
        """
        why = sentence(reason, **values) if values else nested(reason)
        super().__init__(sentence("line {n}: {text}", n=line, text=why))
        self.line = line


def is_record(data: bytes) -> bool:
    """Tell whether a file looks like a GCG, faulty or not."""
    return data[:1] in (b"#", b">") and b"\n>" in b"\n" + data


class Taken(Struct, frozen=True):
    """A record that was read."""

    sheet: Sheet
    remarks: tuple[tuple[int, str], ...]
    """(line, what is odd there); line 0 for the record as a whole."""


def read(data: bytes) -> Sheet:
    """Return the score sheet of a record.

    Raises:
        GcgError: Something in it cannot be.
    """
    return take(data).sheet


def take(data: bytes, edition: str = "") -> Taken:
    """Return the score sheet of a record, and what is odd about it.

    Args:
        data: The record.
        edition: Digest of the edition that it is to be read with; empty for the one
            that it carries or names.

    Raises:
        GcgError: Something in it cannot be.
    """
    text, encoding = _decode(data)
    lines = [line.strip() for line in _BREAK.split(text)]
    reader = _Reader(encoding, edition or _carried(lines))
    for number, line in enumerate(lines, 1):
        try:
            reader.read_line(line, number)
        except Faults as error:
            raise GcgError(number, error.words) from None
    try:
        return Taken(reader.sheet(), tuple(reader.remarks))
    except Faults as error:
        raise GcgError(reader.events_end, error.words) from None


def _carried(lines: Sequence[str]) -> str:
    """Return the digest of the edition in a record, which is known from here on.

    Raises:
        GcgError: It is damaged.
    """
    parts = {at: line for at, line in enumerate(lines, 1) if is_carried(line)}
    try:
        found = edition_of(parts.values())
    except Faults as error:
        raise GcgError(min(parts), error.words) from None
    if found is None:
        return ""
    editions.register(found)
    return found.digest


def _decode(data: bytes) -> tuple[str, str]:
    """Return the text of a record, and the encoding that it names.

    Raises:
        GcgError: It is in no encoding that may be.
    """
    if len(data) > BYTES:
        raise GcgError(1, "a record has at most {most} bytes", most=BYTES)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise GcgError(
            1,
            "the encoding is {one} or {other}, not {named}",
            one=UTF_8,
            other=LATIN_1,
            named=repr("UTF-16"),
        )
    marked = data.startswith(codecs.BOM_UTF8)
    body = data.removeprefix(codecs.BOM_UTF8).rstrip(b"\x1a")  # the end of DOS files
    first = body.splitlines()[0].split() if body.strip() else []
    named = ""
    if first[:1] == [b"#character-encoding"]:
        text = b" ".join(first[1:]).decode("latin-1").upper()
        named = _ENCODINGS.get(text, "")
        if not named:
            raise GcgError(
                1,
                "the encoding is {one} or {other}, not {named}",
                one=UTF_8,
                other=LATIN_1,
                named=repr(text),
            )
    if named == LATIN_1 and not marked:
        return body.decode("latin-1"), LATIN_1
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        if named or marked:
            line = body[: error.start].count(b"\n") + 1
            raise GcgError(line, "this is not UTF-8 text") from None
        return body.decode("latin-1"), ""
    return text, named or ("" if text.isascii() else UTF_8)


class _Reader:
    """Takes the lines of a record one after the other."""

    def __init__(self, encoding: str, edition: str) -> None:
        self.encoding = encoding
        self.edition = edition
        """Digest; empty for what the pragmas name."""
        self.meant: Meant | None = None
        self.told_at = 1
        """The line of the last pragma that tells what was played with."""
        self.remarks: list[tuple[int, str]] = []
        self.players: dict[int, tuple[str, str]] = {}
        self.pragmas: list[tuple[str, str]] = []
        self.left: dict[int, str] = {}
        self.events: list[Event] = []
        self.scorer: Scorer | None = None
        self.events_end = 1
        self.goes_on = ""
        """The pragma whose text the next line may continue."""

    def read_line(self, line: str, number: int) -> None:
        """Take a line.

        Raises:
            Faults: It cannot be.
        """
        if len(line) > LINE_CHARACTERS:
            self._remark(
                "the line has {count} characters, and some programs read only {most}",
                number,
                count=len(line),
                most=LINE_CHARACTERS,
            )
        if line.startswith(">"):
            self.goes_on = ""
            seat, text = self._who(line[1:].strip())
            scorer = self._begin()
            if self.left:
                self._remark(
                    "a move comes behind #rack1 or #rack2, the last lines", number
                )
                self.left.clear()  # of a position that is not the last
            event, whole = parse(seat, text.split(), scorer.position.scores[seat])
            self.events.append(scorer.score(event))
            self.remarks += [(number, remark) for remark in scorer.remarks]
            if not whole:
                self._remark(
                    "the total is missing: it is {total}", number, total=event.total
                )
            self.events_end = number
        elif is_carried(line):
            self.goes_on = ""
        elif line.startswith("#"):
            words, _, text = re.sub(r"\s", " ", line[1:], count=1).partition(" ")
            keyword = words.lower()
            self.goes_on = keyword if keyword in _GOES_ON else ""
            self._pragma(keyword, text.strip(), number)
        elif line and self.goes_on:
            if self.goes_on == "note" and self.events:
                self._note("\n" + line)
            else:
                keyword, text = self.pragmas[-1]
                self.pragmas[-1] = (keyword, f"{text}\n{line}")
        elif line:
            raise Faults("a line begins with > or #")

    def _pragma(self, keyword: str, text: str, number: int) -> None:
        player, rack = _PLAYER.match(keyword), _RACK.match(keyword)
        if keyword == "character-encoding":
            if number != 1:
                raise Faults("#character-encoding belongs on the first line")
        elif player:
            self._player(int(player[1]) - 1, text, number)
        elif rack:
            self._rack(int(rack[1]) - 1, text, number)
        elif keyword == "note" and self.events:
            self._note(text)
        elif not keyword:
            raise Faults("a keyword is missing behind #")
        else:
            self._about_the_game(keyword, text, number)

    def _about_the_game(self, keyword: str, text: str, number: int) -> None:
        """Keep a pragma that is about no move."""
        late = self.scorer is not None
        if keyword in _TOLD and late:
            raise Faults("#{keyword} comes before the first move", keyword=keyword)
        if keyword in _HEADS and late:
            self._remark(
                "#{keyword} comes before the first move", number, keyword=keyword
            )
        elif keyword in _HEADS and keyword in dict(self.pragmas):
            self._remark(
                "#{keyword} stands there twice; the first one counts",
                number,
                keyword=keyword,
            )
        elif keyword == "note":
            self._remark("there is no move before this note", number)
        self.pragmas.append((keyword, text))
        if keyword in _TOLD or keyword == "lexicon":
            self.told_at = number

    def _remark(self, template: str, number: int, **values: object) -> None:
        self.remarks.append((number, sentence(template, **values)))

    def _player(self, seat: int, text: str, number: int) -> None:
        if not 0 <= seat < SEATS:
            raise Faults("players are #player1 to #player{most}", most=SEATS)
        nick, name, *_ = [*text.split(None, 1), "", ""]
        nicks = [other for other, _ in self.players.values()]
        if self.scorer is not None or seat in self.players:
            raise Faults("each player is named once, before the first move")
        if not nick or nick in nicks:
            raise Faults("each player needs a nickname without blanks, no two the same")
        full = name.strip() or nick
        if full in (other for _, other in self.players.values()):
            self._remark("two players are called {name}", number, name=repr(full))
        self.players[seat] = (nick, full)

    def _rack(self, seat: int, text: str, number: int) -> None:
        if seat not in self.players:
            raise Faults("there is no player {number}", number=seat + 1)
        if seat in self.left:
            self._remark(
                "#{keyword} stands there twice; the first one counts",
                number,
                keyword=f"rack{seat + 1}",
            )
            return
        scorer = self._begin()
        scorer.check_left(seat, text)
        self.remarks += [(number, remark) for remark in scorer.remarks]
        self.left[seat] = text

    def _note(self, text: str) -> None:
        """Take a note about the last event."""
        event = self.events[-1]
        self.events[-1] = replace(event, note=(*event.note, text))

    def _begin(self) -> Scorer:
        """Return who plays the events again; the players are known by now."""
        if self.scorer is None:
            seats = len(self.players)
            if sorted(self.players) != list(range(seats)) or seats < 1:
                raise Faults("the lines #player1 and #player2 come before the moves")
            self.scorer = Scorer(networdz.ground(self._options()), seats)
        return self.scorer

    def _options(self) -> Options:
        """Return what the game is played with.

        Raises:
            GcgError: That is not here.
        """
        told: dict[str, str] = {}
        for keyword, text in self.pragmas:
            told.setdefault(keyword, " ".join(text.split()))
        for one, other in (_TOLD[:2], _TOLD[2:4]):
            if not agreeing(told.get(one, ""), told.get(other, "")):
                self._remark(
                    "#{one} and #{other} do not agree; #{one} counts",
                    self.told_at,
                    one=one,
                    other=other,
                )
        names = Names(
            tiles=told.get("tile-set") or told.get("tile-distribution", ""),
            board=told.get("board-layout") or told.get("game-board", ""),
            words=told.get("lexicon", ""),
            game=told.get("game-type", ""),
        )
        try:
            self.meant = meant(names, self.edition)
        except Faults as error:
            raise GcgError(self.told_at, error.words) from None
        self.remarks += [(0, remark) for remark in self.meant.remarks]
        return Options(edition=self.meant.edition, lexicon=self.meant.lexicon)

    def _who(self, text: str) -> tuple[int, str]:
        """Return whose event a text is, and what is behind the nickname.

        Raises:
            Faults: It is nobody's.
        """
        name, colon, rest = text.partition(":")
        if not colon:
            raise Faults("an event begins with >, a nickname and a colon")
        seats = {nick: seat for seat, (nick, _) in self.players.items()}
        if name.strip() in seats:
            return seats[name.strip()], rest
        for nick, seat in seats.items():  # with a colon in it
            if text.startswith(f"{nick}:"):
                return seat, text.removeprefix(f"{nick}:")
        raise Faults(
            "nobody is called {name}; the players are named first", name=repr(name)
        )

    def sheet(self) -> Sheet:
        """Return what was read.

        Raises:
            Faults: There are no players.
        """
        self._begin()
        assert self.meant is not None  # known from the beginning
        return Sheet(
            players=tuple(self.players[seat] for seat in sorted(self.players)),
            edition=self.meant.edition,
            lexicon=self.meant.lexicon,
            events=tuple(self.events),
            left=tuple(self.left.get(seat, "") for seat in sorted(self.players)),
            pragmas=tuple(self.pragmas),
            encoding=self.encoding,
            own=own_edition(self.meant.edition),
        )


def parse(seat: int, words: list[str], before: int) -> tuple[Event, bool]:
    """Return the event that words tell, and whether they tell its total.

    Args:
        seat: Whose.
        words: Those behind the nickname.
        before: The seat's total before it, for an event that does not say the new one.

    Raises:
        Faults: They tell none.
    """
    rest = list(words)
    bare = not rest or rest[0][0] in "-(" or is_place(rest[0])
    rack = "" if bare else rest.pop(0)
    if not rest:
        raise Faults("what the player did is missing")
    kind, where, tiles = _told(rest)
    if not rest:
        raise Faults("the points and the total are missing, as in +18 18")
    for word in rest[:2]:
        if not _POINTS.match(word):
            raise Faults("{word} is no number of points, as in +18 18", word=repr(word))
    points, *totals = (int(word.lstrip("+")) for word in rest[:2])
    total = totals[0] if totals else before + points
    remark = " ".join(rest[2:])
    event = Event(seat, kind, rack.upper(), where, tiles, points, total, remark)
    return event, bool(totals)


def _told(rest: list[str]) -> tuple[Kind, str, str]:
    """Take what was done from the words; return kind, place and tiles.

    Raises:
        Faults: It is nothing that there is.
    """
    what = rest.pop(0)
    if what.lower() in _WORDS:
        return _WORDS[what.lower()], "", ""
    if what.startswith("-"):
        return Kind.EXCHANGE, "", what[1:].upper()
    if what.startswith("(") and what.endswith(")"):
        return Kind.REST, "", what[1:-1].upper()
    if is_place(what) and rest:
        return Kind.PLAY, what, rest.pop(0)
    raise Faults(
        "{what} is neither a square and a word nor anything else known", what=repr(what)
    )


def write(sheet: Sheet) -> bytes:
    """Return the canonical record of a score sheet."""
    text = "".join(f"{line}\n" for line in _lines(sheet))
    if sheet.encoding != UTF_8:
        try:
            return text.encode("latin-1")
        except UnicodeEncodeError:  # more letters than the sheet says there are
            return write(replace(sheet, encoding=UTF_8))
    return text.encode()


def _lines(sheet: Sheet) -> Iterable[str]:
    if sheet.encoding:
        yield f"#character-encoding {sheet.encoding}"
    for number, (nick, name) in enumerate(sheet.players, 1):
        yield f"#player{number} {nick} {name}"
    for keyword, text in sheet.pragmas:
        yield f"#{keyword} {text}".rstrip()
    for event in sheet.events:
        yield line(sheet, event)
        for text in event.note:  # one that begins with a break goes on
            yield text[1:] if text.startswith("\n") else f"#note {text}".rstrip()
    for number, rack in enumerate(sheet.left, 1):
        if rack:
            yield f"#rack{number} {rack}"
    if sheet.own:
        yield from carrying(sheet.own)


def line(sheet: Sheet, event: Event) -> str:
    """Return an event as records have it."""
    words = {
        Kind.PLAY: f"{event.where} {event.tiles}",
        Kind.PASS: "-",
        Kind.EXCHANGE: f"-{event.tiles}",
        Kind.WITHDRAWN: "--",
        Kind.CHALLENGE: "(challenge)",
        Kind.TIME: "(time)",
        Kind.REST: f"({event.tiles})",
    }
    nick = sheet.players[event.seat][0]
    nothing_back = event.kind is Kind.WITHDRAWN and not event.points
    sign = "-" if event.points < 0 or nothing_back else "+"
    points = f"{sign}{abs(event.points)}"
    parts = [f">{nick}:", event.rack, words[event.kind], points, str(event.total)]
    return " ".join(part for part in [*parts, event.remark] if part)


# An edition of one's own inside a record, as notes that other programs pass over.
#
#     #note netplay-edition 1/2 Base64...
#     #note netplay-edition 2/2 Base64...
#
# They stand behind everything else.  What they carry is the edition as it travels
# between nodes, and is checked as if it came from one.


NOTE_CHARACTERS: Final = 480
"""Of Base64 in a line: a usual edition takes some five.  Programs that read no line of
more than 512 characters read these, too."""

NOTES: Final = -(-MAX_BYTES * 4 // 3 // NOTE_CHARACTERS) + 1
"""No edition takes more."""

_PART: Final = re.compile(
    r"#note netplay-edition (\d{1,3})/(\d{1,3}) ([A-Za-z0-9+/=]+)"
)
_OURS: Final = "#note netplay-edition "


def is_carried(line: str) -> bool:
    """Tell whether a line carries part of an edition."""
    return line.startswith(_OURS)


def carrying(data: bytes) -> Iterator[str]:
    """Yield the lines that carry an edition, as it travels."""
    text = base64.b64encode(data).decode("ascii")
    starts = range(0, len(text), NOTE_CHARACTERS)
    for number, start in enumerate(starts, 1):
        part = text[start : start + NOTE_CHARACTERS]
        yield f"{_OURS}{number}/{len(starts)} {part}"


def edition_of(parts: Iterable[str]) -> Edition | None:
    """Return the edition that lines carry, None if there are none.

    Raises:
        Faults: Lines are missing or too many, or it is no edition.
    """
    found = list(parts)
    if not found:
        return None
    text: list[str] = []
    for number, line in enumerate(found, 1):
        part = _PART.fullmatch(line)
        wanted = (number, len(found))
        if part is None or (int(part[1]), int(part[2])) != wanted or number > NOTES:
            raise Faults("the lines of the edition in this record are not complete")
        text.append(part[3])
    try:
        return editions.decode(base64.b64decode("".join(text), validate=True))
    except (ValueError, binascii.Error) as error:
        why = nested(error.words) if isinstance(error, RulesError) else error
        raise Faults("the edition in this record is damaged: {why}", why=why) from None
