"""`netplay play`: play the match at the node's table in a terminal.

With a move it is made and that is all, for scripts; without one the board is shown
whenever it is the player's turn, and what is typed is a move or one of a few words.

Two threads: what the node tells is heard in one, what is typed is read in the other.
Only the listener reads from the door; the answer to a question goes through a queue.
"""

import argparse
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, Final

from msgspec.structs import replace

from netplay import fetched, home, wire
from netplay.commands.asking import add_table, match_meant, meant
from netplay.commands.games import question
from netplay.commands.sharing import whole
from netplay.daemon.visit import PATIENCE_SECONDS, Visit, answer_in
from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.language import _, phrase
from netplay.messages import door, table_questions
from netplay.said import spoken
from netplay.sanitize import visible
from netplay.sentences import Says
from netplay.text import RESIGN, Writer, legal, read, writer, written
from netplay.text.phrases import ended, undelivered
from rules import GAMES
from rules.game import Game, IllegalMoveError, followed

# Lines that are typed in a terminal, while others may be printed at any time.


PROMPT: Final = "> "

NARROWEST: Final = 30
"""Characters across for what a word means, however narrow the terminal is."""


def more_words() -> tuple[tuple[str, str], ...]:
    """Return (what is typed, what it does) of all but moves."""
    return (
        ("board", _("show the board again")),
        ("say TEXT", _("say a line to the table")),
        ("hint", _("ask for the best move, where the table allows it")),
        ("resign", _("resign this seat")),
        ("undo", _("take back your move, as long as it has not been delivered")),
        (
            "offer WHAT",
            _("draw, stop, back (your turn), or days and a number of days off"),
        ),
        (
            "if X then Y",
            _("prepare Y for X; if alone lists what is prepared, if none drops"),
        ),
        ("yes", _("agree to what another offers")),
        ("no", _("decline it, or take back your own offer")),
        ("help", _("what can be typed")),
        ("quit", _("stop playing here; the game stays at the node")),
    )


def said(text: str) -> None:
    """Print what comes while the player may be typing, in one go."""
    lines = f"{visible(text)}\n"
    if sys.stdin.isatty() and threading.current_thread() is not threading.main_thread():
        lines = f"\r{lines}{PROMPT}"  # over the prompt that stands there, and again
    sys.stdout.write(lines)
    sys.stdout.flush()


def print_ways(ways: Sequence[tuple[str, str]]) -> None:
    """Print what may be typed, in two columns as wide as the terminal."""
    wide = max(len(words) for words, _meaning in ways)
    room = max(NARROWEST, get_terminal_size().columns - wide - len("    "))
    for typed, meaning in ways:
        first, *rest = wrap(meaning, room)
        print(f"  {typed:{wide}}  {first}")
        for line in rest:
            print(f"  {'':{wide}}  {line}")


def typed_lines() -> Iterator[str]:
    """Yield the lines that are typed, without blanks around them, until the end."""
    while True:
        try:
            words = input(PROMPT if sys.stdin.isatty() else "").strip()
        except EOFError:
            return
        if words:
            yield words


def complete(offered: Callable[[], Iterator[str]]) -> None:
    """Let the tabulator complete what is typed, where the system can."""
    try:
        import readline  # noqa: PLC0415 (not on every system)
    except ImportError:
        return

    def completed(begun: str, number: int) -> str | None:
        fits = [each for each in offered() if each.lower().startswith(begun.lower())]
        return fits[number] if number < len(fits) else None

    readline.set_completer_delims("")
    readline.set_completer(completed)
    readline.parse_and_bind("tab: complete")


# Moves on condition as they are typed in `netplay play`: if X then Y if Z then W.


MARKS: Final = re.compile(r"\b(if|then)\b", re.IGNORECASE)


def conditional(
    words: str,
    table: door.TableStatus,
    seat: int,
    state: Any,  # noqa: ANN401 (the game's)
    number: int,
    ask: Callable[[door.Question], door.Done],
) -> tuple[str, list[str]]:
    """Do what a line says; return what came of it, and what is prepared then.

    Args:
        words: What was typed, beginning with "if".
        table: At which.
        seat: Whose line.
        state: What the seat sees, with what it has made on top.
        number: Of the entries that it has seen.
        ask: Asks the node.

    Raises:
        LocalError: It is no line; or the node's reason.
    """
    game, names = table.game, [one.name for one in table.seats]
    wish, text = asked(words, game, state, seat, names), ""
    if wish is not None:
        if isinstance(wish, table_questions.Prepare):
            wish = replace(wish, number=number)
        text = phrase(ask(wish).text)
    now = meant(answer_in(ask(door.GetStatus()).data, door.Status))
    kept = () if now is None else now.made.prepared
    lines = [worded(one, game, state, names) for one in kept if one.seat == seat]
    return text or "\n".join(lines) or phrase(Says.PREPARED_NONE()), lines


def asked(
    words: str,
    game: str,
    state: Any,  # noqa: ANN401 (the game's)
    seat: int,
    names: Sequence[str],
) -> table_questions.Prepare | table_questions.DropPrepared | None:
    """Return what is to be asked of the node; None if only a list is wanted.

    Args:
        words: What was typed, beginning with "if".
        game: Which.
        state: What the seat sees, with what it has made on top.
        seat: Whose line.
        names: Of the players.

    Raises:
        LocalError: USAGE, it is no line; ILLEGAL_MOVE, a move of it is none.
    """
    if words.lower() == "if":
        return None
    if words.lower().split() == ["if", "none"]:
        return table_questions.DropPrepared(seat)
    try:
        return table_questions.Prepare(
            seat, tuple(_moves(words, game, state, seat, names))
        )
    except IllegalMoveError as error:
        raise LocalError(Code.ILLEGAL_MOVE, spoken(error)) from error


def _moves(
    words: str,
    game: str,
    state: Any,  # noqa: ANN401 (the game's)
    seat: int,
    names: Sequence[str],
) -> Iterator[bytes]:
    """Yield the moves that are typed, encoded."""
    rules, typed = GAMES[game], writer(game)
    _before, *parts = MARKS.split(words)
    for mark, text in zip(parts[::2], parts[1::2], strict=True):
        actor = min(rules.actors(state), default=-1)
        if actor < 0:
            raise LocalError(Code.USAGE, Says.PREPARED_NO_FURTHER())
        wanted = "then" if actor == seat else "if"
        if mark.lower() != wanted:
            name, move = names[actor], text.strip()
            says = Says.PREPARED_WORD(name=name, word=wanted, move=move)
            raise LocalError(Code.USAGE, says)
        move = typed.read(state, actor, text.strip())
        state = rules.play(state, actor, move)
        yield wire.pack(move)


def worded(
    line: table_questions.PreparedLine,
    game: str,
    state: Any,  # noqa: ANN401 (the game's)
    names: Sequence[str],
) -> str:
    """Return a line in words."""
    rules, text, found = GAMES[game], writer(game), list[str]()
    with suppress(IllegalMoveError, PeerError):  # the game has just gone on
        for actor, raw in line.moves:
            move = wire.unpack(raw, rules.ABOUT.move)
            said = _("then {move}") if actor == line.seat else _("if {move}")
            found.append(said.format(move=text.line(state, actor, move, names)))
            state = rules.play(state, actor, move)
    return ", ".join(found)


HELP = "play in the terminal: moves are typed, the board is text"

LOOKS_ON: Final = ("", "board", "hint", "help")
"""What is asked without doing anything."""

WRONG_WORD: Final = 2
"""The exit code of what was no question."""

LISTED: Final = 1000
"""Legal moves in an answer, as many as a program at a seat is told."""

LOOKS: Final = 40
LOOK_SECONDS: Final = 0.05
"""Between looks, so many, whether the others have a move."""


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "move", nargs="*", metavar="MOVE",
        help="make this move and end, such as 8D WORD or d3; or only show the board, "
        "tell a hint (board, hint), or what can be typed (help)",
    )  # fmt: skip
    parser.add_argument(
        "--seat", type=whole(1), default=0, metavar="N",
        help="whose hand, from 1; else that of the player here who is on turn",
    )  # fmt: skip
    parser.add_argument(
        "--json", action="store_true",
        help="answer in JSON; without a move: the position, legal moves, clock, hint",
    )  # fmt: skip
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Make one move, show how it stands, or play until the player stops.

    Returns:
        0; 1 if it was refused, or 2 if it was no question, which JSON tells of as well.
    """
    first, *rest = arguments.move or [""]
    numbered = first.isascii() and first.isdigit()  # no move is a mere number
    number = int(first[:9]) if numbered else max(0, arguments.table)
    # Quotes that more than one shell was to take off.
    words = " ".join(rest if numbered else arguments.move).strip("\"' ")
    try:
        place = home.find(None)
        fetched.restore(place.path)
        once = bool(words) or arguments.json
        with Visit(place, pushes=True, reads=not once, table=number) as visit:
            if number:
                visit.ask(door.LookAt(number))
            play = Playing(visit, arguments.seat - 1)
            if once:
                return play.once(words, as_json=arguments.json)
            return play.on()
    except NetplayError as error:
        if not arguments.json:
            raise
        looks = words.lower() in LOOKS_ON
        refused = {} if looks else {"made": False, "delivered": False}
        print(json.dumps({**refused, "reason": str(error.said)}, ensure_ascii=False))
        return WRONG_WORD if error.code is Code.USAGE else 1


class Playing:
    """The match as it is played through one visit."""

    def __init__(self, visit: Visit, seat: int) -> None:
        """Look for the match at the node's table.

        Args:
            visit: One that is told what windows are told.
            seat: Whose hand; -1 for whoever here is on turn.

        Raises:
            LocalError: There is no match, or none that can be played so.
        """
        self._visit: Final = visit
        self._wanted: Final = seat
        self._table = match_meant(visit.status())
        self._game: Final[Game[Any, Any]] = GAMES[self._table.game]
        self._text: Final[Writer] = writer(self._table.game)
        self._seat = self._turn()
        asked = seat >= 0 or len(self._table.persons) == 1
        self._open = self._seat if asked else None
        self._state: Any = None
        self._base: Any = None
        """The same without moves that are not delivered yet."""
        self._waiting = 0
        """How many of these there are."""
        self._seen: int | None = None
        """The seat whose view the state is."""
        self._number = 0
        self._answers: Final[Queue[door.Done | door.Failed]] = Queue()
        self._fresh: Final = threading.Event()
        self._moving = False
        """A move is made here that no view has shown yet."""
        self._pause: Final = threading.Event()
        """Nobody sets it."""
        self._tell: Callable[[str], None] = lambda _text: None
        self._ended = False

    # One move.

    def once(self, words: str, *, as_json: bool) -> int:
        """Make one move and say what it was, or tell how it stands.

        Returns:
            0; what is refused is raised.
        """
        self._listen()
        word = words.lower()
        if word in LOOKS_ON:
            return self._told_once(word, as_json=as_json)
        if word == "undo":
            told = phrase(self._ask(table_questions.TakeBack(self._seat)).text)
            answer = {"taken_back": True, "reason": "", "seat": self._seat + 1}
        elif word.split()[:1] == ["if"]:
            self._watch()
            told, lines = self._if(words)
            answer = {"prepared": lines, "reason": "", "seat": self._seat + 1}
        else:
            self._watch()
            names, seat, before = self._names(), self._seat, self._state
            try:
                move = self._move(words)
            except IllegalMoveError as error:
                raise LocalError(Code.ILLEGAL_MOVE, spoken(error)) from error
            seen = self._number
            self._ask(door.Play(seat, wire.pack(move), seen))
            line = self._text.line(before, seat, move, names)
            delivered = self._delivered(seen, wait=as_json)
            told = "\n".join((visible(line), *undelivered(self._table)))
            answer = {
                "made": True, "delivered": delivered, "reason": "",
                "seat": seat + 1, "move": words, "told": line,
            }  # fmt: skip
        print(json.dumps(answer, ensure_ascii=False) if as_json else told)
        return 0

    def _told_once(self, word: str, *, as_json: bool) -> int:
        """Tell the board, a hint or what can be typed."""
        if word == "help":
            ways = (*self._text.ways(), *more_words())
            told: Any = {"typed": dict(ways)}
            if not as_json:
                print_ways(ways)
        elif word == "hint":
            self._watch()
            move, text = self._advice()
            told = {"seat": self._seat + 1, "hint": move, "told": text}
            if not as_json:
                print(visible(move))
        else:
            self._watch()
            told = self._position() if as_json else None
            if not as_json:
                self._open = self._seat  # whoever asks sits here
                self._show(said)
        if as_json:
            print(json.dumps(told, ensure_ascii=False))
        return 0

    def _position(self) -> dict[str, Any]:
        """Return how the match stands for the seat, as docs/programs.md says."""
        table, seat, state = self._table, self._seat, self._state
        over = self._is_over
        turn = () if over else sorted(self._game.actors(state))
        moves, more, hint = list[str](), False, None
        if seat in turn:
            moves, more = legal(table.game, state, seat, LISTED)
            with suppress(NetplayError):  # the table allows none, or is somewhere else
                hint = self._advice()[0]
        seats, thinking = table.seats, table.thinking
        left = [one.clock / 1000 if one.clock >= 0 else None for one in seats]
        return {
            "table": table.number,
            "game": table.game,
            "seat": seat + 1,
            "names": list(self._names()),
            "turn": [actor + 1 for actor in turn if actor >= 0],
            "over": over,
            "places": list(table.places),
            "position": self._text.position(state),
            "legal": moves,
            "more": more,
            "clock": {
                "left": left[self._seat],
                "ticking": seats[seat].ticking,
                "seats": left,
                "days": thinking.days,
                "turn_left": thinking.left,
            },
            "hint": hint,
        }

    def _advice(self) -> tuple[str, str]:
        """Return a hint as it is typed, and with what it brings.

        Raises:
            LocalError: The table allows none, or it is another's turn, or nobody's.
        """
        if self._is_over:
            over = IllegalMoveError("The game is over.")
            raise LocalError(Code.NOT_YOUR_TURN, spoken(over))
        done = self._ask(door.Hint(self._seat))
        move = wire.unpack(done.data, self._game.ABOUT.move)
        words = written(self._table.game, self._state, self._seat, move)
        return words, phrase(done.text)

    def _if(self, words: str) -> tuple[str, list[str]]:
        """Do what a line says that begins with "if"; see `conditional`."""
        seen = self._seat, self._state, self._number
        return conditional(words, self._table, *seen, self._ask)

    def _delivered(self, seen: int, *, wait: bool) -> bool:
        """Wait a little until the others have the move on disk; tell whether they do.

        Args:
            seen: The number of the view in which it was made.
            wait: Not only until it is known that nobody is there to take it.
        """
        for _look in range(LOOKS if wait else 1):
            status = answer_in(self._ask(door.GetStatus()).data, door.Status)
            table = self._table = match_meant(status)
            if self._number > seen and table.final >= table.entries:
                return True
            if table.made.moves:
                break
            self._pause.wait(LOOK_SECONDS if wait else 0)
        return False

    # Many.

    def on(self) -> int:
        """Show the board and take what is typed, until the player has had enough.

        Raises:
            LocalError: USAGE, nobody types that fast.
        """
        if self._game.ABOUT.hz:
            title = self._game.ABOUT.title
            raise LocalError(Code.USAGE, Says.TOO_FAST_TO_TYPE(game=title))
        quiet, self._tell = self._tell, said
        self._listen()
        self._watch()
        complete(self._offered)
        print(_('Type a move, or "help".'))
        self._show()
        for words in typed_lines():
            if words.lower() == "quit" or self._ended:
                break
            try:
                self._do(words)
            except (IllegalMoveError, NetplayError) as error:
                print(phrase(spoken(error)))
        self._tell = quiet  # that the door is closed now is not the node's end
        return 0

    # Several persons at one screen: nobody sees the rack of another.  `_open` is the
    # seat whose rack may be shown; typing "board" opens that of whoever is on turn.

    def _cover(self) -> None:
        """Say who is on turn and how that person gets to see the rack."""
        text = _('It is the turn of {name}: type "board" when nobody else looks.')
        self._tell(text.format(name=self._names()[self._seat]))

    def _do(self, words: str) -> None:
        head, _space, rest = words.partition(" ")
        match head.lower():
            case "help":
                print_ways((*self._text.ways(), *more_words()))
            case "board":
                seat = self._seat
                self._await_view()
                self._open = seat  # nobody's, if the turn has gone on meanwhile
                self._show()
            case "say" if rest:
                self._ask(door.Say(rest))
            case "hint" if not rest:
                # Nobody else may know what is best with it.
                if self._open != self._seat:
                    self._cover()
                else:
                    move, text = self._advice()
                    known = _('{hint} - type "{move}"').format(hint=text, move=move)
                    print(text if f"{text} ".startswith(f"{move} ") else known)
            case "offer":
                self._offer(rest.lower().split())
            case "yes" | "no" if not rest:
                self._offer([head.lower()])
            case "if":
                print(self._if(words)[0])
            case "undo" if not rest:
                print(phrase(self._ask(table_questions.TakeBack(self._seat)).text))
            case _:
                made = wire.pack(self._move(words))
                # What is typed next may be for later, so wait until it is seen; other
                # views may come before, as of tiles that are drawn meanwhile.
                self._moving = True
                self._fresh.clear()
                try:
                    self._ask(door.Play(self._seat, made, self._number))
                    self._fresh.wait(PATIENCE_SECONDS)
                finally:
                    self._seen_move()

    def _offer(self, words: Sequence[str]) -> None:
        """Offer the others something, or answer them."""
        seat = self._wanted if self._wanted >= 0 else None
        print(phrase(self._ask(question(words, self._table, seat)).text))

    def _seen_move(self) -> None:
        """Wait for no move of our own any more."""
        self._moving = False
        self._fresh.set()

    def _offered(self) -> Iterator[str]:
        """Yield what may be typed now, for completion."""
        if self._open == self._seat and self._seat in self._game.actors(self._state):
            yield from self._text.offers(self._state, self._seat)
        yield from (typed.split()[0] for typed, _meaning in more_words())

    def _show(self, tell: Callable[[str], None] | None = None) -> None:
        """Print the board and whose turn it is, if the rack may be seen."""
        tell = tell or self._tell
        names, over = self._names(), ended(self._table)
        actors = frozenset[int]() if over else self._game.actors(self._state)
        covered = self._open != self._seat
        if covered and actors:
            self._cover()
            return
        here = [self._wanted] if self._wanted >= 0 else self._table.persons
        below = next(iter(here), None)  # as in the window, whoever is on turn here
        lines = [] if covered else [self._text.board(self._state, names, below)]
        lines += [over] if over else []
        waits = [names[seat] for seat in sorted(actors) if seat >= 0]
        if self._seat in actors:
            lines.append(_("It is your turn, {name}.").format(name=names[self._seat]))
        elif waits:
            lines.append(_("Waiting for {who}").format(who=", ".join(waits)))
        elif not actors:
            places = self._table.places or self._game.places(self._state)
            ranks = sorted(zip(places, names, strict=False))
            result = ", ".join(f"{place}. {name}" for place, name in ranks)
            lines.append(_("The game is over: {result}").format(result=result))
        tell("\n".join(lines))

    # What both need.

    def _names(self) -> tuple[str, ...]:
        """Return what the seats' players are called."""
        return tuple(seat.name for seat in self._table.seats)

    def _turn(self) -> int:
        """Return the seat to play: the one asked for, or the one here on turn."""
        own = self._table.persons
        if self._wanted >= 0:
            if self._wanted not in own:
                raise LocalError(Code.USAGE, Says.SEAT_NOT_YOURS(seat=self._wanted + 1))
            return self._wanted
        if not own:
            raise LocalError(Code.USAGE, Says.NO_SEAT_HERE())
        return next((seat for seat in own if seat in self._table.turn), own[0])

    @property
    def _is_over(self) -> bool:
        """Whether the match has ended, by the rules or as its players agreed."""
        return bool(self._table.places or ended(self._table))

    def _move(self, words: str) -> Any:  # noqa: ANN401 (the game's own)
        """Return the move that is typed, if the rules allow it.

        Raises:
            IllegalMoveError: They do not, or it is none.
            LocalError: It is another's turn, or the seat's view does not come.
        """
        self._await_view()
        if self._is_over:
            raise IllegalMoveError("The game is over.")
        on_turn = self._seat in self._game.actors(self._state)
        if not on_turn and words.lower() != RESIGN:
            raise LocalError(Code.NOT_YOUR_TURN)
        return read(self._table.game, self._state, self._seat, words)

    def _ask(self, question: door.Question) -> door.Done:
        """Ask the node and wait for what the listener hears of it.

        Raises:
            LocalError: The node's reason, or NO_ANSWER.
        """
        number = self._visit.put(question)
        with suppress(Empty):
            while True:
                answer = self._answers.get(timeout=PATIENCE_SECONDS)
                if answer.id == number:
                    if isinstance(answer, door.Failed):
                        raise answer.error
                    return answer
        raise LocalError(Code.NO_ANSWER)

    def _watch(self) -> None:
        """Ask for the seat's view, and wait for it.

        Raises:
            LocalError: The node's reason, or NO_ANSWER.
        """
        self._fresh.clear()
        self._ask(door.Watch(self._seat))
        self._await_view()

    def _await_view(self) -> None:
        """Wait for the view of the seat on turn, if the turn has only just changed.

        Raises:
            LocalError: NO_ANSWER, it does not come.
        """
        if not self._fresh.wait(PATIENCE_SECONDS):
            raise LocalError(Code.NO_ANSWER)

    def _listen(self) -> None:
        """Hear what the node tells from now on, in a thread that ends with us."""
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self) -> None:
        """Take what the node tells, until it closes the door."""
        with suppress(NetplayError, OSError):
            for message in self._visit.heard(None):
                match message:
                    case door.Done() | door.Failed():
                        self._answers.put(message)
                    case door.Status(table=table):
                        self._stated(table)
                    case door.View():
                        self._viewed(message)
                    case door.Line():
                        self._tell(f"{phrase(message.author)}: {message.text}")
                    case door.Notice():
                        self._tell(phrase(message.said))
                        if self._moving:
                            self._seen_move()  # perhaps the host's refusal
                    case door.Summons() | door.Clicked() | door.Seated():
                        pass  # the player looks at a game, and is no guest
        self._ended = True
        self._tell(_("The node has ended."))

    def _stated(self, table: door.TableStatus | None) -> None:
        """Take the state of the table; a seat that comes to be on turn is shown."""
        if table is None or not table.match:
            self._tell(phrase(Says.TABLE_LEFT()))
            self._ended = True
            return
        before, self._table = self._table.offers.ended, table
        if table.offers.ended and not before:
            self._show()
        own = [seat for seat in table.persons if seat in table.turn]
        if own and self._wanted < 0 and self._seat not in own:
            self._moving = False  # another's turn has come of it
            self._fresh.clear()
            self._seat, self._open = own[0], None
            self._visit.put(door.Watch(self._seat))
            self._cover()

    def _viewed(self, view: door.View) -> None:
        """Take the seat's view, and tell of what others did."""
        if view.seat != self._seat:
            return
        about, first = self._game.ABOUT, self._seen != view.seat
        before, self._state = self._base, wire.unpack(view.state, about.state)
        self._base, self._seen, self._number = self._state, view.seat, view.number
        if not (first or view.whole or view.before):
            moves = [
                (happened.actor, wire.unpack(happened.move, self._game.ABOUT.move))
                for happened in view.happened
            ]
            with suppress(IllegalMoveError):
                for state, actor, move in followed(self._game, before, moves, None, {}):
                    if actor >= 0:
                        self._tell(self._text.line(state, actor, move, self._names()))
        for number, raw in enumerate(view.made):  # what is not delivered yet, on top
            move = wire.unpack(raw, self._game.ABOUT.move)
            with suppress(IllegalMoveError):
                if number >= self._waiting:
                    line = self._text.line(self._state, self._seat, move, self._names())
                    self._tell(_("{line} (not delivered yet)").format(line=line))
                self._state = self._game.play(self._state, self._seat, move)
        self._waiting = len(view.made)
        moved = any(happened.actor == view.seat for happened in view.happened)
        if moved or view.made or view.whole or not self._moving:
            self._seen_move()
        actors = self._game.actors(self._state)
        if not first and (view.whole or self._seat in actors or not actors):
            self._show()
