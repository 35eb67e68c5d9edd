"""Networdz in words: instructions, word lists, the move list, the keys.

For the ear: where the arrow is, the words in line, one's own tiles.
"""

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from client.app import board, results
from client.app.board import Chosen, Entry, Made, Sheet, Step
from client.app.options import minutes
from client.networdz import drawing_tiles
from client.networdz.local import (
    OPEN,
    Doing,
    Local,
    Now,
    can_discard,
    doubting,
    ending,
    field,
    free,
    kind,
    letters_of,
    mine,
    rack,
    verdict,
)
from client.ui.texts import _, ngettext, told
from netplay.messages.table_questions import Offer
from netplay.text import networdz as wording
from rules import networdz
from rules.game import CHANCE, Resign, Seat
from rules.networdz import (
    NOBODY,
    Accept,
    Challenge,
    Draw,
    Expire,
    Last,
    Lay,
    Move,
    Overtime,
    Pass,
    Phase,
    Renew,
    State,
    Trade,
)
from rules.networdz.judging import judge_lay, square_name
from rules.tiles import bag_size
from rules.tiles import unseen as hidden


def status(seen: Now, local: Local) -> str:  # noqa: PLR0911 (one a phase)
    """Return the text of the instructions box."""
    view = seen.view
    if local.notice:
        return local.notice
    if view.phase is Phase.OVER:
        return results.told(seen.names, networdz.places(view), view.scores)
    if view.phase is Phase.TALLY:
        return _("The tiles left are being counted.")
    if view.turn == NOBODY:
        return _("Drawing a tile each to see who starts. The lowest starts.")
    if CHANCE in networdz.actors(view):
        return _("{name} is drawing tiles.").format(name=seen.names[view.turn])
    if local.drawing:
        return drawing_tiles.instruction(seen, local)
    before = _challenged(seen) or _lost(seen) or _last(seen)
    if not mine(seen):
        name = seen.names[view.turn]
        text = _("{name} is playing a word.").format(name=name)
        if view.pending is not None:
            other = seen.names[view.pending.seat]
            text = _("{name} may challenge what {other} has laid, or play on.")
            text = text.format(name=name, other=other)
        return "\n".join(filter(None, (before, text, _tentative(seen, local))))
    return "\n".join(filter(None, (before, _instruction(seen, local))))


def _instruction(seen: Now, local: Local) -> str:
    if local.doing is Doing.NAMING:
        return _("Which letter does the blank stand for?")
    if local.doing is Doing.DISCARDING:
        if not can_discard(seen, local) and not local.discards:
            return _("Hit DONE to pass your turn.")
        text = _("Drag tiles to exchange to the discard pile. DONE without any: pass.")
        return _("You lose this turn.") + " " + text
    if local.laid:
        return _tentative(seen, local)
    if doubting(seen) and ending(seen):
        text = _("Accept it, or challenge it if you doubt the word.")
    elif local.cursor >= 0 and local.down:
        text = _("Type a word: it goes down. Space turns the arrow to the right.")
    elif local.cursor >= 0:
        text = _(
            "Type a word: it goes to the right. A second click, or space, turns the "
            "arrow down."
        )
    elif doubting(seen):
        text = _("Challenge it if you doubt the word. Else just take your turn.")
    elif not any(seen.view.letters):
        text = _("It is your turn. Cover the center square, then hit DONE.")
    else:
        text = _("It is your turn. Drag tiles onto the board, then hit DONE.")
        text += " " + _("PASS exchanges tiles.")
    return text


def _tentative(seen: Now, local: Local) -> str:
    """Return what the tiles laid would come to."""
    found = verdict(seen, local)
    if found is None:
        return ""
    if found.error:
        return _("Not a play yet: {why}").format(why=told(found.error))
    words = ", ".join(f"{line.word} {line.points}" for line in found.lines)
    if found.points == found.lines[0].points:  # of one word: said once
        words = found.lines[0].word
    return _("{words}: {points} points").format(words=words, points=found.points)


def _lost(seen: Now) -> str:
    """Return why this seat's last turn was lost, until the next one is made."""
    for step in reversed(seen.past):
        why = _fault(step, seen.seat)
        if why or step.actor == seen.seat:
            return _("You lost the turn: {why}").format(why=why) if why else ""
        if step.actor >= 0:
            return ""  # the others have gone on: what they did is the news
    return ""


def _fault(step: Step[State, Move], seat: int | None) -> str:
    """Return why a move lost a seat its turn, nothing if it did not."""
    if seat is None:
        return ""
    match step.move:
        case Expire() if step.before.turn == seat:
            return _("the time was over")
        case Lay() if step.actor == seat and not networdz.unchecked(step.before):
            return told(judge_lay(step.before, step.move).error)
        case _:
            return ""


def _challenged(seen: Now) -> str:
    """Return what came of a challenge, until the next move is made."""
    made = (step for step in reversed(seen.past) if step.actor != CHANCE)
    step = next(made, None)
    if step is None or not isinstance(step.move, Challenge):
        return ""
    name = seen.names[step.actor]
    return _("{name} challenged: {what}").format(
        name=name, what=_verified(step, seen.names)
    )


def _verified(step: Step[State, Move], names: tuple[str, ...]) -> str:
    """Return what the dictionary says to a challenged word, and who pays for it."""
    if step.before.pending is None:  # of a part of the match that is not known here
        return ""
    return wording.verified(step.before, names)


def _last(seen: Now) -> str:
    """Return what the last turn was, in words."""
    last = seen.view.last
    if last.seat < 0 or last.seat == seen.seat:
        return ""
    name = seen.names[last.seat]
    if last.error:
        # The last word laid is judged anew: the state has no values
        laid = (step for step in reversed(seen.past) if isinstance(step.move, Lay))
        step = next(laid, None)
        why = _fault(step, step.actor) if step is not None else ""
        text = _("{name} lost the turn: {why}")
        return text.format(name=name, why=why or told(last.error))
    if last.cells:
        lines = seen.view.lists[last.seat]
        words = [line.word for line in lines if line.word[:1] not in "+-"]
        text = _("{name} played {word} for {points}.")
        word = words[-1] if words else ""
        return text.format(name=name, word=word, points=last.points)
    if last.discards:
        text = ngettext(
            "{name} exchanged {n} tile.", "{name} exchanged {n} tiles.", last.discards
        )
        return text.format(name=name, n=last.discards)
    return _("{name} passed.").format(name=name)


def sheets(seen: Now) -> tuple[Sheet, ...]:
    """Return score, tiles left and word list of each seat."""
    view, found = seen.view, list[Sheet]()
    for seat, score in enumerate(view.scores):
        rows = [(_word(line.word), str(line.points)) for line in view.lists[seat]]
        if view.tally and view.tally[seat]:
            rows.append((_("tiles left"), f"{view.tally[seat]:+d}"))
        gone = seat in view.resigned
        found.append(Sheet(str(score), _tiles(seen, seat), tuple(rows), gone))
    return tuple(found)


def _word(word: str) -> str:
    """Return a word of the list; the signs for what is none in words."""
    match word:
        case "++":
            return _("all tiles at once")
        case "+!":
            return _("challenged in vain")
        case _:
            return word


def _tiles(seen: Now, seat: int) -> str:
    """Return how many tiles a seat has left, and which if they lie open."""
    tiles = seen.view.tiles
    count = len(tiles.racks[seat])
    text = ngettext("{n} tile", "{n} tiles", count).format(n=count)
    shown = seen.view.options.show_racks and seat == seen.view.turn
    if seen.view.phase >= Phase.TALLY or shown:
        alphabet = (*networdz.ground(seen.view.options).alphabet, "?")
        faces = [alphabet[k] for k in tiles.kinds[seat] if k >= 0]
        if faces and len(faces) < count:  # a resignation shows no more than was seen
            faces.append("…")
        return f"{text}: {' '.join(faces)}" if faces else text
    return text


def tell(  # noqa: C901, PLR0911, PLR0912 (one a kind of move)
    step: Step[State, Move], names: tuple[str, ...]
) -> str:
    """Return one line on an entry for the move list."""
    move, name = step.move, names[step.actor] if step.actor >= 0 else ""
    match move:
        case Lay():
            found = judge_lay(step.before, move)
            words = ", ".join(f"{_word(ln.word)} {ln.points}" for ln in found.lines)
            if found.error and not networdz.unchecked(step.before):
                return f"{name}: {told(found.error)}"
            return f"{name}: {words}"
        case Pass(discards=discards):
            if discards:
                n = len(discards)
                text = ngettext("exchanges {n} tile", "exchanges {n} tiles", n)
                return f"{name}: {text.format(n=n)}"
            return f"{name}: " + _("passes")
        case Accept() | Challenge():
            if isinstance(move, Accept):
                return f"{name}: " + _("accepts")
            text = _("{name} challenged: {what}")
            return text.format(name=name, what=_verified(step, names))
        case Renew():
            return f"{name}: " + _("exchanges four of a kind")
        case Trade():
            return f"{name}: " + _("trades for a blank")
        case Draw(seat=seat, kind=drawn):
            alphabet = (*networdz.ground(step.before.options).alphabet, _("blank"))
            letter = alphabet[drawn] if drawn >= 0 else "?"  # of a hidden tile
            text = _("{name} draws {letters} for the start")
            return text.format(name=names[seat], letters=letter)
        case Expire():
            return _("{name}: out of time").format(name=names[step.before.turn])
        case Overtime(seat=seat):
            return _("{name}: over time, -10").format(name=names[seat])
        case Resign():
            return f"{name}: " + _("resigns")
        case _:
            return ""


def entered(step: Step[State, Move]) -> Entry | None:
    """Return place, words and points of a play, or what else was done."""
    move = step.move
    if not isinstance(move, Lay):
        return None
    found = judge_lay(step.before, move)
    none = found.error and not networdz.unchecked(step.before)
    if none or not found.lines or len(found.cells) < 1:
        return None
    ground = networdz.ground(step.before.options)
    first, *others = found.lines
    down = len(found.cells) > 1 and found.cells[1] - found.cells[0] >= ground.width
    where = square_name(ground, found.cells[0], down=down)
    # A whole rack that was laid is told in words, which have no room there.
    more = " ".join(line.word for line in others if line.word != "++")
    return Entry(where, first.word, more, found.points)


def option_notes() -> dict[str, str]:
    """Return what each option means."""
    return {
        "hints": _(
            "A player may ask the computer for a play. Never with a player elsewhere."
        ),
        "show_racks": _("The rack of whoever is to play lies open for all."),
        "trade_blanks": _(
            "A tile of the rack may be exchanged for the blank that stands "
            "for its letter."
        ),
        "four_of_a_kind": _(
            "Whoever holds four alike may exchange the whole rack and still "
            "play, as long as the pool has seven tiles."
        ),
        "timed": _("Minutes a turn; then the turn is lost."),
        "tournament": _(
            "None of the other rules; a wrong word loses the turn; no "
            "exchange with fewer than seven tiles in the pool; over when "
            "everybody has had three turns without points."
        ),
        "american": _(
            "With tournament rules: who goes out gains twice the tiles of the"
            " others, and nobody loses any."
        ),
        "unseen": _(
            "A list of the tiles that a player cannot see: in the pool, or on other "
            "racks. Never with tournament rules."
        ),
        "challenge": _(
            "Words count until the next player challenges one. A wrong one goes back; "
            "a challenge in vain costs nothing (single), a turn (double) or five "
            "points."
        ),
    }


def option_words() -> dict[str, str]:
    """Return the words for the options, and for their values."""
    return {
        "hints": _("Allow hints"),
        "show_racks": _("Show racks"),
        "trade_blanks": _("Trade blanks"),
        "four_of_a_kind": _("Exchange 4 of a kind"),
        "tournament": _("Tournament rules"),
        "american": _("American way"),
        "timed": _("Timed (minutes)"),
        "unseen": _("List of unseen tiles"),
        "challenge": _("Challenge"),
        "none": _("none"),
        "single": _("single"),
        "double": _("double"),
        "five": _("five"),
    }


def agreed(values: Mapping[str, str]) -> list[str]:
    """Return what the options come to, in parts of a sentence."""
    on = {
        "hints": _("hints allowed"),
        "show_racks": _("racks lie open"),
        "trade_blanks": _("blanks may be traded"),
        "four_of_a_kind": _("four of a kind may be exchanged"),
        "tournament": _("tournament rules"),
        "american": _("scored the American way"),
    }
    said = [words for key, words in on.items() if values.get(key) == "on"]
    if values.get("unseen") == "off" and values.get("tournament") != "on":
        said.append(_("no list of unseen tiles"))
    ways = {
        "single": _("words count until somebody challenges them"),
        "double": _("a challenge in vain costs a turn"),
        "five": _("a challenge in vain costs five points"),
    }
    said += [ways[way] for way in (values.get("challenge"),) if way in ways]
    return [minutes(values.get("timed", "0")), *said]


def keys(chosen: Chosen) -> tuple[tuple[str, str], ...]:
    """Return the keys of the board for the help page."""
    return (
        (_("A to Z"), _("lay that tile at the arrow")),
        (_("arrow keys"), _("move or turn the arrow")),
        (_("space"), _("turn the arrow")),
        (_("Backspace"), _("take the last tile back")),
        (_("Escape, right click"), _("take all tiles back")),
        (_("Enter"), _("DONE")),
        (_("double click"), _("take that tile back")),
        (",", _("shuffle the rack")),
        (".", _("show the tiles you cannot see")),
        ("!", _("challenge the last word, where the table has agreed to that")),
    )


def pool(seen: Now) -> str:
    """Return how many tiles the pool holds."""
    count = bag_size(seen.view.tiles)
    return ngettext("{n} tile in the pool", "{n} tiles in the pool", count).format(
        n=count
    )


def unseen(seen: Now) -> list[tuple[str, int]]:
    """Return each letter and how many tiles with it are in the pool or on other racks.

    In a tournament, or where the table has agreed so, nobody counts for the players.
    """
    if not seen.view.options.counted:
        return []
    ground = networdz.ground(seen.view.options)
    faces = [*ground.alphabet[: ground.blank], "?"]
    return list(zip(faces, hidden(seen.view.tiles), strict=False))


def value(seen: Now, tile: int) -> str:
    """Return what stands on a tile held, for scripts."""
    alphabet = (*networdz.ground(seen.view.options).alphabet, "?")
    known = kind(seen, tile)
    return alphabet[known] if known >= 0 and tile in rack(seen) else ""


def tip() -> str:
    """Return what is new to somebody who plays for the first time."""
    return _(
        "New here? Drag tiles onto the board, or click a square and type the whole "
        "word."
    )


# Networdz looked back at: how it ended, and what was best in it.


def why(seen: Now) -> str:
    """Return why the match ended."""
    view = seen.view
    if view.out != NOBODY:
        return _("{name} has played all tiles.").format(name=seen.names[view.out])
    gone = view.resigned
    if len(gone) >= len(view.scores) - 1 and gone:
        names = ", ".join(seen.names[seat] for seat in gone)
        return _("{names} resigned.").format(names=names)
    if not bag_size(view.tiles):
        return _("The pool is empty, and all have passed.")
    return _("Nobody has scored for several turns.")


def plays(seen: Now) -> tuple[Made, ...]:
    """Return the words that scored, the main word of each play."""
    found: list[Made] = []
    for place, step in enumerate(seen.past):
        # A window that comes late may know the challenge, and not yet the word.
        taken = isinstance(step.move, Challenge) and networdz.wrong(step.before)
        if taken and found:
            found.pop()
        if not isinstance(step.move, Lay) or step.actor < 0:
            continue
        judged = judge_lay(step.before, step.move)
        if not judged.error or networdz.unchecked(step.before):
            word = judged.lines[0].word
            found.append(Made(place, step.actor, word, judged.points))
    return tuple(found)


def facts(seen: Now, local: Local) -> tuple[tuple[str, str], ...]:
    """Return the longest word, and how often a whole rack was laid."""
    found = plays(seen)
    if not found:
        return ()
    longest = max(found, key=lambda made: len(made.text))
    told = [(_("Longest word"), f"{longest.text}, {seen.names[longest.seat]}")]
    rack = networdz.ground(seen.view.options).edition.rack
    full = Counter[int]()
    for made in found:
        move = seen.past[made.place].move
        full[made.seat] += isinstance(move, Lay) and len(move.laid) == rack
    who = [
        ngettext("{n} time", "{n} times", n).format(n=n) + f", {seen.names[seat]}"
        for seat, n in sorted(full.items())
        if n
    ]
    return (*told, (_("All tiles at once"), "; ".join(who))) if who else tuple(told)


def standing(view: State) -> tuple[int, ...]:
    """Return the points of each seat."""
    return view.scores


def measure() -> str:
    """Return what `standing` counts."""
    return _("Points")


# Networdz looked back at: its turns beside the best plays there were.


def turn_of(step: Step[State, Move]) -> Seat | None:
    """Return whose turn a step was, with a play or lost without one; else None."""
    match step.move:
        case Lay() | Pass():
            return step.actor
        case Expire() | Challenge():
            return networdz.forfeited(step.before, step.move)
        case _:
            return None


def laid(before: State, seat: Seat, offer: Offer) -> State:
    """Return the view before a turn with another play laid in it."""
    letters, kinds = bytearray(before.letters), bytearray(before.kinds)
    for cell, letter, which in offer.laid:
        letters[cell], kinds[cell] = letter + 1, which + 1
    cells = tuple(cell for cell, _letter, _which in offer.laid)
    last = Last(seat, cells, offer.points)
    return replace(before, letters=bytes(letters), kinds=bytes(kinds), last=last)


def same(offer: Offer, move: Move) -> bool:
    """Tell whether a move lays the tiles of a play."""
    if not isinstance(move, Lay):
        return False
    tried = {(each.cell, each.letter) for each in move.laid}
    return tried == {(cell, letter) for cell, letter, _kind in offer.laid}


def letters(view: State, rack: tuple[int, ...]) -> str:
    """Return the letters of a rack, a dash for a tile that nobody knows."""
    kinds = networdz.ground(view.options).edition.kinds
    return " ".join(kinds[kind].letters if kind >= 0 else "–" for kind in rack)


def chosen_from(
    before: State, seat: Seat, after: State
) -> tuple[tuple[int, ...], State]:
    """Return the kinds held before a turn, and the view after it with those tiles."""
    held = tuple(max(kind, -1) for kind in before.tiles.kinds[seat])
    now = after.letters, after.kinds, after.last
    return held, replace(before, letters=now[0], kinds=now[1], last=now[2])


def aloud(seen: Now, local: Local) -> tuple[str, ...]:
    """Return what is said of board and hand; see `Traits.aloud`."""
    found: list[str] = []
    if local.cursor >= 0 and local.doing is Doing.PLAYING:
        found.append(_square(seen, local))
    for each in local.laid:
        face = _("blank") if each.letter == OPEN else _face(seen, each.letter)
        if kind(seen, each.tile) == field(seen).blank and each.letter != OPEN:
            face = _("blank as {letter}").format(letter=face)
        where = square_name(field(seen), each.cell, down=False)
        found.append(_("{letter} on {place}").format(letter=face, place=where))
    if local.discards:
        tiles = ", ".join(_tile(seen, tile) for tile in local.discards)
        found.append(_("To be discarded: {tiles}").format(tiles=tiles))
    if local.order and not local.drawing:
        found.append(pool(seen))
        tiles = ", ".join(_tile(seen, tile) for tile in local.order)
        found.append(_("Your tiles: {tiles}").format(tiles=tiles))
    return tuple(found)


def _face(seen: Now, letter: int) -> str:
    return field(seen).alphabet[letter]


def _tile(seen: Now, tile: int) -> str:
    return letters_of(seen, tile) or (_("blank") if kind(seen, tile) >= 0 else "?")


def _square(seen: Now, local: Local) -> str:
    """Return where the arrow is, what the square is worth, and what lies in line."""
    ground, cell = field(seen), local.cursor
    name = square_name(ground, cell, down=False)
    place = _("{place} down") if local.down else _("{place} across")
    there = [_on(seen, local, cell) or _("empty")]
    if (letter := ground.letter_factor[cell]) > 1:
        there.append(_("letter times {n}").format(n=letter))
    if (word := ground.word_factor[cell]) > 1:
        there.append(_("word times {n}").format(n=word))
    if cell == ground.start and not any(seen.view.letters):
        there.append(_("the first word covers it"))
    row, column = ground.row(cell), ground.column(cell)
    near = (
        (board.ABOVE, _run(seen, local, column, -1)),
        (board.RIGHT, _run(seen, local, row, 1)),
        (board.BELOW, _run(seen, local, column, 1)),
        (board.LEFT, _run(seen, local, row, -1)),
    )
    return board.around(place.format(place=name), there, near)


def _run(seen: Now, local: Local, line: range, by: int) -> str:
    """Return the next letters in a line from the arrow on, and how far they are."""
    at, gap, letters = local.cursor + by * line.step, 0, ""
    if at not in line:
        return _("the edge")
    while at in line and free(seen, local, at):
        at, gap = at + by * line.step, gap + 1
    while at in line and (face := _on(seen, local, at)):
        letters = letters + face if by > 0 else face + letters
        at += by * line.step
    if not letters or not gap:
        return letters
    text = ngettext("{what} after {n} square", "{what} after {n} squares", gap)
    return text.format(what=letters, n=gap)


def _on(seen: Now, local: Local, cell: int) -> str:
    """Return the letter on a square, laid now or before; nothing if there is none."""
    for each in local.laid:
        if each.cell == cell:
            return "?" if each.letter == OPEN else _face(seen, each.letter)
    letter = seen.view.letters[cell]
    return _face(seen, letter - 1) if letter else ""
