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

`read` plays all of it again by our rules and refuses what cannot be, with the number of
the line.  `write` returns the canonical form: what was read from it reads the same.
"""

import codecs
import re
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from netplay.formats.placing import Faults, is_place
from netplay.formats.scoring import Scorer, ground_of
from netplay.formats.sheet import LATIN_1, UTF_8, Event, Kind, Sheet
from rules import editions, lexicon
from rules.game import OptionsError
from rules.networdz import Ground

STANDARD: Final = "standard"
"""The edition that records are of unless they name another as their tile set."""

BYTES: Final = 1 << 18
"""A game takes two kilobytes."""

_EVENT: Final = re.compile(r">\s*([^\s:]+):(.*)\Z")
_PLAYER: Final = re.compile(r"player([1-4])\Z")
_RACK: Final = re.compile(r"rack([1-4])\Z")
_POINTS: Final = re.compile(r"[+-]?\d{1,5}\Z")
_WORDS: Final = {
    "-": Kind.PASS,
    "--": Kind.WITHDRAWN,
    "(challenge)": Kind.CHALLENGE,
    "(time)": Kind.TIME,
}
"""What is written in one way only."""

_GOES_ON: Final = frozenset({"note", "description"})
"""Pragmas whose text may go on over further lines."""


class GcgError(ValueError):
    """A record is faulty; the message names the line and says why."""

    def __init__(self, line: int, reason: str) -> None:
        """Remember the place."""
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def is_record(data: bytes) -> bool:
    """Tell whether a file looks like a GCG, faulty or not."""
    return data[:1] in (b"#", b">") and b"\n>" in b"\n" + data


def read(data: bytes) -> Sheet:
    """Return the score sheet of a record.

    Raises:
        GcgError: Something in it cannot be.
    """
    text, encoding = _decode(data)
    reader = _Reader(encoding)
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.take(line.strip(), number)
        except Faults as error:
            raise GcgError(number, str(error)) from None
    try:
        return reader.sheet()
    except Faults as error:
        raise GcgError(reader.events_end, str(error)) from None


def _decode(data: bytes) -> tuple[str, str]:
    """Return the text of a record, and the encoding that it names.

    Raises:
        GcgError: It is in no encoding that may be.
    """
    if len(data) > BYTES:
        raise GcgError(1, f"a record has at most {BYTES} bytes")
    marked = data.startswith(codecs.BOM_UTF8)
    body = data.removeprefix(codecs.BOM_UTF8)
    first = body.splitlines()[0].split() if body.strip() else []
    named = ""
    if first[:1] == [b"#character-encoding"]:
        named = b" ".join(first[1:]).decode("latin-1").upper()
        if named not in {UTF_8, LATIN_1}:
            raise GcgError(1, f"the encoding is {UTF_8} or {LATIN_1}, not {named!r}")
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

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self.players: dict[int, tuple[str, str]] = {}
        self.pragmas: list[tuple[str, str]] = []
        self.left: dict[int, str] = {}
        self.events: list[Event] = []
        self.scorer: Scorer | None = None
        self.edition = editions.shipped()[STANDARD]
        self.events_end = 1
        self.goes_on = ""
        """The pragma whose text the next line may continue."""

    def take(self, line: str, number: int) -> None:
        """Take a line.

        Raises:
            Faults: It cannot be.
        """
        if line.startswith(">"):
            self.goes_on = ""
            self._event(line)
            self.events_end = number
        elif line.startswith("#"):
            words, _, text = line[1:].partition(" ")
            keyword = words.lower()
            self.goes_on = keyword if keyword in _GOES_ON else ""
            self._pragma(keyword, text.strip(), number)
        elif line and self.goes_on:
            self._continue(line)
        elif line:
            raise Faults("a line begins with > or #")

    def _pragma(self, keyword: str, text: str, number: int) -> None:
        """Take a line about the game."""
        player, rack = _PLAYER.match(keyword), _RACK.match(keyword)
        if keyword == "character-encoding":
            if number != 1:
                raise Faults("#character-encoding belongs on the first line")
        elif player:
            self._player(int(player[1]) - 1, text)
        elif rack:
            self._rack(int(rack[1]) - 1, text)
        elif keyword == "note" and self.events:
            self._note(text)
        elif not keyword:
            raise Faults("a keyword is missing behind #")
        else:
            if keyword == "tile-set":
                self._tile_set(text)
            self.pragmas.append((keyword, text))

    def _player(self, seat: int, text: str) -> None:
        """Take a player."""
        nick, _, name = text.partition(" ")
        nicks = [other for other, _ in self.players.values()]
        if self.scorer is not None or seat in self.players:
            raise Faults("each player is named once, before the first move")
        if not nick or nick in nicks or ":" in nick:
            raise Faults("each player needs a nickname without blanks, no two the same")
        self.players[seat] = (nick, name.strip() or nick)

    def _rack(self, seat: int, text: str) -> None:
        """Take what a player holds at the end."""
        if seat not in self.players:
            message = f"there is no player {seat + 1}"
            raise Faults(message)
        self._begin().check_rack(text)
        self.left[seat] = text

    def _tile_set(self, text: str) -> None:
        """Take the name of an edition: one of the program's or one that is known."""
        if self.scorer is not None:
            raise Faults("#tile-set comes before the first move")
        name = text.lower()
        if name in {"", "english"}:
            return
        try:
            digest = editions.shipped().get(name) or editions.find(name).digest
        except LookupError:
            names = ", ".join(editions.shipped())
            message = f"there is no edition {text!r} here; there are {names}"
            raise Faults(message) from None
        self.edition = digest

    def _note(self, text: str) -> None:
        """Take a note about the last event."""
        event = self.events[-1]
        self.events[-1] = replace(event, note=(*event.note, text))

    def _continue(self, line: str) -> None:
        """Go on with the text of a pragma."""
        if self.goes_on == "note" and self.events:
            self._note("\n" + line)
        else:
            keyword, text = self.pragmas[-1]
            self.pragmas[-1] = (keyword, f"{text}\n{line}")

    def _begin(self) -> Scorer:
        """Return who plays the events again; the players are known by now."""
        if self.scorer is None:
            seats = len(self.players)
            if sorted(self.players) != list(range(seats)) or seats < 1:
                raise Faults("the lines #player1 and #player2 come before the moves")
            self.scorer = Scorer(self._ground(), seats)
        return self.scorer

    def _words(self) -> str:
        """Return the digest of the edition's word list."""
        return lexicon.shipped()[editions.find(self.edition).words]

    def _ground(self) -> Ground:
        """Return what the game is played on."""
        empty = Sheet((), self.edition, self._words(), (), ())
        try:
            return ground_of(empty)
        except OptionsError as error:
            raise Faults(str(error)) from None

    def _event(self, line: str) -> None:
        """Take an event."""
        found = _EVENT.match(line)
        if found is None:
            raise Faults("an event begins with >, a nickname and a colon")
        nicks = {nick: seat for seat, (nick, _) in self.players.items()}
        seat = nicks.get(found[1])
        if seat is None:
            message = f"nobody is called {found[1]!r}; the players are named first"
            raise Faults(message)
        scorer = self._begin()
        self.events.append(scorer.take(parse(seat, found[2].split())))

    def sheet(self) -> Sheet:
        """Return what was read.

        Raises:
            Faults: There are no players.
        """
        self._begin()
        return Sheet(
            players=tuple(self.players[seat] for seat in sorted(self.players)),
            edition=self.edition,
            lexicon=self._words(),
            events=tuple(self.events),
            left=tuple(self.left.get(seat, "") for seat in sorted(self.players)),
            pragmas=tuple(self.pragmas),
            encoding=self.encoding,
        )


def parse(seat: int, words: list[str]) -> Event:
    """Return the event that the words behind a nickname tell.

    Raises:
        Faults: They tell none.
    """
    rest = list(words)
    bare = not rest or rest[0][0] in "-(" or is_place(rest[0])
    rack = "" if bare else rest.pop(0)
    if not rest:
        raise Faults("what the player did is missing")
    kind, where, tiles = _told(rest)
    if len(rest) < 2 or not all(_POINTS.match(word) for word in rest[:2]):
        raise Faults("the points and the total are missing, as in +18 18")
    points, total = int(rest[0]), int(rest[1])
    remark = " ".join(rest[2:])
    return Event(seat, kind, rack.upper(), where, tiles, points, total, remark)


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
    message = f"{what!r} is neither a square and a word nor anything else known"
    raise Faults(message)


def write(sheet: Sheet) -> bytes:
    """Return the canonical record of a score sheet.

    Raises:
        ValueError: Its encoding lacks a letter.
    """
    text = "".join(f"{line}\n" for line in _lines(sheet))
    return text.encode("utf-8" if sheet.encoding == UTF_8 else "latin-1")


def _lines(sheet: Sheet) -> Iterable[str]:
    """Yield the lines of a record."""
    if sheet.encoding:
        yield f"#character-encoding {sheet.encoding}"
    for number, (nick, name) in enumerate(sheet.players, 1):
        yield f"#player{number} {nick} {name}"
    for keyword, text in sheet.pragmas:
        yield f"#{keyword} {text}".rstrip()
    for event in sheet.events:
        yield line(sheet, event)
        yield from _notes(event)
    for number, rack in enumerate(sheet.left, 1):
        if rack:
            yield f"#rack{number} {rack}"


def _notes(event: Event) -> Iterable[str]:
    """Yield the notes behind an event; a text that begins with a break goes on."""
    for text in event.note:
        yield text[1:] if text.startswith("\n") else f"#note {text}".rstrip()


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
    sign = "-" if event.points < 0 or event.kind is Kind.WITHDRAWN else "+"
    points = f"{sign}{abs(event.points)}"
    parts = [f">{nick}:", event.rack, words[event.kind], points, str(event.total)]
    return " ".join(part for part in [*parts, event.remark] if part)
