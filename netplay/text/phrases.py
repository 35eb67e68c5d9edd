"""Spans of time in words, in the unit that tells most.

Tiles of a rack, as a player names them: by what stands on them.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from netplay import puzzles
from netplay.language import _, ngettext, phrase
from netplay.messages import node_questions, table_questions
from netplay.messages.door import TableStatus
from netplay.messages.table import Fairness
from netplay.messages.table_questions import AskedState, OfferStatus, Result
from netplay.puzzles import Puzzle
from netplay.said import Words
from netplay.sentences import Says
from rules.game import IllegalMoveError, Seat
from rules.tiles import Tiles, owner

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def lasting(seconds: int) -> str:
    """Return how long something lasts; empty for less than a minute."""
    if seconds < MINUTE:
        return ""
    if seconds < HOUR:
        return _("{n} min").format(n=seconds // MINUTE)
    if seconds < DAY:
        return _("{n} h").format(n=seconds // HOUR)
    days = seconds // DAY
    return ngettext("{n} day", "{n} days", days).format(n=days)


def time_left(seconds: int) -> str:
    """Return how much time is left, to the second where that may matter.

    Nobody is told of more than there is, but for four seconds of three days.
    """
    if seconds >= 2 * DAY - HOUR:
        return lasting(seconds + HOUR)
    if seconds >= HOUR:
        return _("{n} h").format(n=(seconds + MINUTE) // HOUR)
    minutes, rest = divmod(max(0, seconds), MINUTE)
    return f"{minutes}:{rest:02d}"


# What was done here and has not come to the others, in words.


def undelivered(table: TableStatus) -> Iterator[str]:
    """Yield, for a terminal, what waits to be delivered, and what may be done."""
    if table.made.moves:
        yield from moves(table)
    elif held := left(table):
        yield held
    if table.made.back:
        yield _('"undo" takes it back.')
    yield from consents(table)


def moves(table: TableStatus) -> Iterator[str]:
    """Yield what is said of a move that waits."""
    line = _("Your move is made, and not delivered yet.")
    if table.made.kept:
        line = f"{line} {kept(table)}"
    elif names := away(table):
        more = _("It goes by itself as soon as {who} can be reached.")
        line = f"{line} {more.format(who=names)}"
    yield line
    yield from unconfirmed(table)
    if table.made.draws:
        yield _("Your new tiles come when it is delivered.")


def unconfirmed(table: TableStatus) -> Iterator[str]:
    """Yield that nobody can say yet when a move was made, if there is little time."""
    if table.made.unconfirmed is not None:
        more = _("Nobody confirms your move yet: {time} left.")
        yield more.format(time=time_left(table.made.unconfirmed))


def moves_here(one: table_questions.GameStatus) -> bool:
    """Tell whether a move here is what a table waits for, and no answer."""
    return not one.match or bool(set(one.turn).intersection(one.own))


def awaited(phase: str, what: Words) -> str:
    """Return what a table waits for; of one that was stopped, why it was."""
    told = phrase(what)
    return told if phase == "stopped" else _("waiting for {what}").format(what=told)


def consents(table: TableStatus) -> Iterator[str]:
    """Yield what is said of each seat that is agreed to pass to another."""
    for seat, name in table.made.consents:
        line = _("You agree that {other} plays for {seat}: not delivered yet.")
        yield line.format(other=name, seat=table.seats[seat].name)


def left(table: TableStatus) -> str:
    """Return who keeps what for somebody who is away, where no move waits here."""
    held = (_("Not delivered to everybody yet."), kept(table))
    return " ".join([*(held if table.made.kept else ()), *unconfirmed(table)])


def kept(table: TableStatus) -> str:
    """Return who keeps letters, and for whom."""
    keepers: dict[str, list[str]] = {}
    for name, keeper in table.made.kept:
        keepers.setdefault(keeper, []).append(name)
    line = _("{keeper} is keeping it for {who}.")
    found = keepers.items()
    return " ".join(line.format(keeper=k, who=", ".join(names)) for k, names in found)


def line(table: TableStatus, number: int) -> str:
    """Return what is said of a line of chat that has not come to anybody yet."""
    keepers = [who for who, lines in table.made.lines_kept if number < lines]
    if not keepers:
        return _("not delivered yet")
    told = _("not delivered yet: {keeper} keeps it")
    return told.format(keeper=", ".join(dict.fromkeys(keepers)))


def asked(state: AskedState) -> str:
    """Return how far somebody was asked to a table."""
    if state == "declined":
        return _("does not play now")
    if state == "full":
        return _("not asked: too much waits there")
    if state == "undelivered":
        return _("asked, not delivered yet")
    if state == "left":
        return _("asked, a friend keeps it")
    return _("asked, no answer yet")


def away(table: TableStatus) -> str:
    """Return the names of those who cannot be reached: no guest of this node."""
    far = (seat for seat in table.seats if not seat.lent)
    names = [seat.name for seat in far if seat.state in ("away", "elsewhere")]
    return ", ".join(dict.fromkeys(names))


def held(table: TableStatus) -> str:
    """Return what does not come to somebody at the table, where no move waits."""
    names = [seat.name for seat in table.seats if seat.state == "blocked"]
    if names and table.phase in {"playing", "paused"}:
        line = _(
            "You have blocked {names}: nothing of this game goes there or comes back."
        )
        return line.format(names=", ".join(dict.fromkeys(names)))
    # It may be that those who are there have gone on without the seat here, as an older
    # copy of the match has it: then they never open it.
    missed = {seat.state for seat in table.seats} - {"here", "connected"}
    gone = left(table)
    if gone or table.phase != "paused" or missed != {"elsewhere"}:
        return gone
    return _(
        "It is not open there, though that computer answers. "
        "It goes on by itself once it is opened; if that takes long, ask."
    )


# How tiles are drawn, and what that promises, in words for window and terminal.


def promise(fairness: Fairness) -> str:
    """Return what is promised, in a sentence or two."""
    if fairness == "encrypted":
        return _(
            "Encrypted: no computer, the host's included, can look into the pool; "
            "draws need everybody's. No outside cryptographer has reviewed it."
        )
    return _(
        "Committed: nobody can change a tile unnoticed, but the host's program "
        "could look."
    )


def promised(table: TableStatus) -> str:
    """Return what is promised at a table, and why not more."""
    return " ".join(filter(None, (promise(table.fairness), reason(table))))


def reason(table: TableStatus) -> str:
    """Return why tiles are not drawn in the usual way, empty if they are."""
    return f"({phrase(table.why_fairness)})" if table.why_fairness else ""


# How a text calls those who play.


def called(seat: Seat, names: Sequence[str]) -> str:
    """Return the name of a seat, or its number where no names are known."""
    return names[seat] if names else _("Player {n}").format(n=seat + 1)


def seat_lines(
    names: Sequence[str],
    scores: Sequence[int],
    held: Sequence[str],
    turn: Seat,
    left: Collection[Seat],
) -> list[str]:
    """Return a line for each seat: whether it is on turn, its score, and its rack.

    Args:
        names: Those of the players, as `called` takes them.
        scores: Of each seat.
        held: The rack of each seat, in letters.
        turn: Who is on turn.
        left: Who has resigned.
    """
    labels = [f"{called(seat, names)}:" for seat in range(len(scores))]
    wide = max(map(len, labels))
    lines: list[str] = []
    for seat, label in enumerate(labels):
        mark, score, rack = ">" if turn == seat else " ", scores[seat], held[seat]
        line = f"{mark} {label:{wide}} {score:4}   {rack}"
        lines.append((f"{line}  {resigned()}" if seat in left else line).rstrip())
    return lines


def holder(tiles: Tiles, tile: int, names: Sequence[str]) -> str:
    """Return the name of who has a tile; it must be on a rack."""
    seat = owner(tiles, tile)
    assert seat is not None
    return names[seat]


def resigned() -> str:
    """Return what stands behind a player who has resigned."""
    return "(" + _("resigned") + ")"


def result(one: Result) -> str:
    """Return how a match has ended for the player here; empty for nothing to say."""
    words = {
        "won": _("won"),
        "lost": _("lost"),
        "tied": _("tied"),
        "won on time": _("won on time"),
        "lost on time": _("lost on time"),
        "contested": _("won on time, contested"),
        "unanswered": _("won on time, unanswered"),
    }
    return words.get(one, "")


def colour(english: str) -> str:
    """Return a colour, with its sign on the board where that is not its first letter.

    Args:
        english: Its first letter is the sign.
    """
    word, sign = _(english), english[0]
    return word if word[0] == sign else f"{word} [{sign}]"


def side(seat: Seat, colours: Sequence[str], names: Sequence[str]) -> str:
    """Return a seat's colour, with its name where names are known."""
    shown = colour(colours[seat])
    return f"{shown} ({names[seat]})" if names else shown


# What players offer one another, as words for the terminal.


def offered(table: TableStatus) -> Iterator[str]:
    """Yield the offers that stand, with who has yet to answer, and days off."""
    for one in table.offers.standing:
        line = _("{offer}; yet to answer: {names} (yes | no)")
        names = ", ".join(table.seats[seat].name for seat in one.asked)
        yield line.format(offer=said(one, table.seats[one.seat].name), names=names)
    for seat, seconds in table.offers.off:
        line = _("{name} has days off, for {time}")
        yield line.format(name=table.seats[seat].name, time=time_left(seconds))
    if table.offers.ended:
        yield ended(table)


def said(one: OfferStatus, name: str) -> str:
    """Return an offer in words."""
    match one.what:
        case "draw":
            return phrase(Says.OFFERS_DRAW(name=name))
        case "stop":
            return phrase(Says.OFFERS_STOP(name=name))
        case "back":
            return phrase(Says.OFFERS_BACK(name=name))
        case "days":
            return phrase(Says.OFFERS_DAYS(name=name, days=one.days))


def ended(table: TableStatus) -> str:
    """Return how the players have ended a match, empty if they have not."""
    match table.offers.ended:
        case "draw":
            return phrase(Says.AGREED_DRAW())
        case "stop":
            return phrase(Says.AGREED_STOP())
        case _:
            return ""


# What a node knows of its places, as the window and the command line say it.


def carrier(one: node_questions.CarrierStatus) -> str:
    """Return how it stands with a node that is to carry."""
    if one.state == "carries":
        return _("{name}: carries").format(name=one.name)
    if one.state == "declines":
        return _("{name}: does not carry for you").format(name=one.name)
    return _("{name}: away").format(name=one.name)


def letters(carry: node_questions.CarryStatus) -> str:
    """Return how many letters are kept for others; empty for none."""
    if not carry.letters:
        return ""
    return _("letters kept for others: {count}").format(count=carry.letters)


def dht(network: node_questions.Network) -> str:
    """Return how it stands with the public DHT, empty if it is off."""
    match network.dht_stands:
        case "off":
            return ""
        case "lacks":
            return phrase(Says.DHT_LACKS())
        case "rests":
            return phrase(Says.DHT_RESTS())
        case "silent":
            return phrase(Says.DHT_SILENT())
        case "looks":
            return phrase(Says.DHT_LOOKS(count=network.dht_missing))
        case "waits":
            return phrase(Says.DHT_WAITS())


def known(place: node_questions.PlaceStatus) -> str:
    """Return from where a place works, and who has been there."""
    if place.scope == "link":
        words = _("only over this cable or link")
    elif place.scope == "network":
        words = _("only from inside this network")
    else:
        words = _("from the internet")
    if place.by and place.failed:
        tried = _("{name} tried it {when}: {why}")
        why, name = phrase(place.failed), place.by
        return f"{words}, {tried.format(name=name, when=_when(place), why=why)}"
    if place.by:
        done = _("confirmed by {name} {when}")
        return f"{words}, {done.format(name=place.by, when=_when(place))}"
    if place.scope != "internet":
        return words
    if place.source == "router":
        return words + ", " + _("the router passes it on")
    if place.source == "outside":
        return words + ", " + _("if the router passes the port on")
    return words + ", " + _("not tried yet")


def ports(network: node_questions.Network) -> str:
    """Return what the router does with our port, and what that is good for."""
    match network.ports:
        case "keeps":
            return phrase(Says.PORTS_KEEP())
        case "steady":
            return phrase(Says.PORTS_STEADY(outer=network.outer))
        case "random":
            return phrase(Says.PORTS_RANDOM())
        case "web":
            return phrase(Says.PORTS_WEB())
        case _:
            return ""


def inviting(network: node_questions.Network) -> str:
    """Return what whoever copies an invitation has to know of it, if anything."""
    match network.inviting:
        case "near":
            return phrase(Says.INVITES_NEAR())
        case "random":
            return phrase(Says.INVITES_RANDOM())
        case "web":
            return phrase(Says.INVITES_WEB())
        case "meets":
            return phrase(Says.INVITES_MEETS())
        case "calls":
            return phrase(Says.INVITES_CALLS())
        case _:
            return ""


def _when(place: node_questions.PlaceStatus) -> str:
    minutes = place.ago // 60
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return _("{n} min ago").format(n=minutes)
    return _("{n} h ago").format(n=minutes // 60)


# Puzzles in words, for the terminal and the window.


def wish(puzzle: Puzzle) -> str:
    """Return what is to be found."""
    match puzzle.kind:
        case "points":
            return _("Find the play that scores most.")
        case "best":
            return _("Find the move that leads to the most points at the end.")
        case "win":
            own = sum(actor == puzzle.seat for actor, _move in puzzle.line)
            text = ngettext("Win by force: find {n} move.",
                            "Win by force: find {n} moves.", own)  # fmt: skip
            return text.format(n=own)
        case "target":
            own = puzzles.pieces(puzzle)
            text = ngettext("Reach {points} points with {n} piece.",
                            "Reach {points} points with {n} pieces.", own)  # fmt: skip
            return text.format(points=puzzle.worth, n=own)


Held: TypeAlias = tuple[int, int]
"""Number and kind of a tile."""


def pick(held: list[Held], kind: int, name: str) -> int:
    """Take a tile of a kind from what is left of a rack; return its number.

    Raises:
        IllegalMoveError: None is left of what is called so.
    """
    for each in held:
        if each[1] == kind:
            held.remove(each)
            return each[0]
    raise IllegalMoveError(
        "You have no {letter} left; small letters are blanks", letter=name
    )
