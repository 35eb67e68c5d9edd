"""Lhexicon in words: the instructions and the keys.

For the ear: where the keyboard is, the letters around, and one's own.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from client.app import board, results
from client.app.board import Chosen, Entry, Made, Sheet, Step
from client.app.options import minutes
from client.lhexicon import marking
from client.lhexicon.keyboard import COMPASS
from client.lhexicon.local import (
    Doing,
    Local,
    Now,
    Phase,
    asked,
    doubted,
    face,
    face_of,
    fits,
    kind,
    letter_at,
    mine,
    must,
    phase,
    refusal,
    step_to,
    swappable,
    trapped,
    verdict,
    written,
)
from client.ui.sound import Sound
from client.ui.texts import _, ngettext, told
from rules import hexes, lexicon, lhexicon
from rules.game import CHANCE, Resign, Seat
from rules.lhexicon import (
    EMPTY,
    Accept,
    Challenge,
    Discard,
    Expire,
    Insist,
    Lay,
    Move,
    Pass,
    PickUp,
    Refusal,
    Reveal,
    State,
    Verdict,
    Withdraw,
    judge_lay,
    traps,
)
from rules.lhexicon.cells import cell_name, centre
from rules.lhexicon.turns import BARREN
from rules.tiles import bag_size
from rules.tiles import unseen as hidden

# Lhexicon in words: the move list, and each seat's words.


def sheets(seen: Now) -> tuple[Sheet, ...]:
    """Return score, letters left and word list of each seat."""
    view, words, found = seen.view, _words(seen), list[Sheet]()
    for seat, score in enumerate(view.scores):
        count, debt = len(view.tiles.racks[seat]), view.debts[seat]
        held = ngettext("{n} letter", "{n} letters", count).format(n=count)
        if debt:
            lost = ngettext("loses {n} turn", "loses {n} turns", debt).format(n=debt)
            held = f"{held}, {lost}"
        found.append(Sheet(str(score), held, tuple(words[seat]), view.gone[seat]))
    return tuple(found)


def _words(seen: Now) -> list[list[tuple[str, str]]]:
    """Return each seat's words and what they scored, oldest first."""
    found: list[list[tuple[str, str]]] = [[] for _seat in seen.view.scores]
    for step in seen.past:
        match step.move:
            case Lay():
                verdict_ = judged(step.before, step.actor, step.move)
                if isinstance(verdict_, Verdict):
                    # "9 + 12", or the points alone: there is little room in a list
                    points, extra = verdict_.points, verdict_.bonus.points
                    told = f"{points - extra} + {extra}" if extra else str(points)
                    found[step.actor].append((verdict_.text, told))
            case Withdraw():
                _withdrawn(found[step.actor])
            case Insist() | Expire():
                word = step.before.announced
                if word and word.challenger is not None and not stands(step.before):
                    _withdrawn(found[step.before.turn])
            case Resign() if step.before.announced and step.actor == step.before.turn:
                _withdrawn(found[step.actor])
            case _:
                pass
    return found


def _withdrawn(words: list[tuple[str, str]]) -> None:
    """Write at the last word that it did not stand."""
    if words:
        words[-1] = (words[-1][0], "–")


@lru_cache(maxsize=400)
def judged(before: State, seat: Seat, move: Lay) -> Verdict | Refusal:
    """Return what a word scored; kept, for every drawing asks again."""
    return judge_lay(before, seat, move)


def stands(state: State) -> bool:
    """Tell whether the announced word is in the dictionary."""
    word = state.announced
    return word is not None and lexicon.find(state.options.lexicon).has(word.word)


def tell(  # noqa: C901, PLR0911 (one a kind of move)
    step: Step[State, Move], names: tuple[str, ...]
) -> str:
    """Return one line on an entry for the move list."""
    move, name = step.move, names[step.actor] if step.actor >= 0 else ""
    match move:
        case Lay():
            found = judged(step.before, step.actor, move)
            if isinstance(found, Refusal):
                return ""
            return f"{name}: {found.text}  {parts(found)}"
        case Discard(tiles=tiles):
            n = len(tiles)
            text = ngettext("discards {n} letter", "discards {n} letters", n)
            return f"{name}: {text.format(n=n)}"
        case PickUp(shown=shown):
            letters = ", ".join(lhexicon.text(each.kind) for each in shown)
            text = _("picks up a blank for {letters}")
            return f"{name}: {text.format(letters=letters)}"
        case Pass():
            return f"{name}: " + _("passes")
        case Accept():
            return f"{name}: " + _("accepts")
        case Challenge():
            return _about(step.before, _("{name} challenges {word}"), name)
        case Withdraw():
            return _about(step.before, _("{name} withdraws {word}"), name)
        case Insist():
            before = step.before
            wrong = _("{name} stands by {word}: it is wrong and goes back")
            right = _("{name} stands by {word}: it is right, {other} loses a turn")
            owner, other = names[before.turn], _challenger(before, names)
            return _about(before, right if stands(before) else wrong, owner, other)
        case Expire():
            return _expired(step.before, names)
        case Resign():
            return f"{name}: " + _("resigns")
        case _:
            return ""


def entered(step: Step[State, Move]) -> Entry | None:
    """Return place, word and points of a word, or None for all else."""
    if not isinstance(step.move, Lay):
        return None
    found = judged(step.before, step.actor, step.move)
    if isinstance(found, Refusal):
        return None
    where = cell_name(step.before.options.side, step.move.path[0])
    extra = found.bonus.points
    more = _("{trap} by traps").format(trap=extra) if extra else ""
    return Entry(where, found.text, more, found.points)


def heard(step: Step[State, Move], after: State) -> Sound | None:
    """Return the sound of a trap that closes."""
    if not isinstance(step.move, Lay):
        return None
    found = judged(step.before, step.actor, step.move)
    trapped = isinstance(found, Verdict) and found.bonus.points
    return Sound.TRAP if trapped else None


def _about(before: State, text: str, name: str, other: str = "") -> str:
    word = before.announced
    assert word is not None  # no other entry gets a line
    letters = "".join(face(letter) for letter in word.word)
    return text.format(name=name, word=letters, other=other)


def _challenger(before: State, names: tuple[str, ...]) -> str:
    word = before.announced
    if word is None or word.challenger is None:
        return ""
    return names[word.challenger]


def _expired(before: State, names: tuple[str, ...]) -> str:
    name, other = names[before.turn], _challenger(before, names)
    if before.announced is None:
        return _("{name}: out of time").format(name=name)
    if not other:
        return _("Nobody challenged in time")
    text = _("{name}: out of time. {word} is wrong and goes back")
    if stands(before):
        text = _("{name}: out of time. {word} is right, {other} loses a turn")
    return _about(before, text, name, other)


def parts(found: Verdict) -> str:
    """Return "9 word + 12 trap", or the points alone."""
    extra = found.bonus.points
    if not extra:
        return str(found.points)
    text = _("{word} word + {trap} trap")
    return text.format(word=found.points - extra, trap=extra)


def status(seen: Now, local: Local) -> str:
    """Return the text of the instructions box."""
    view, local = seen.view, fits(seen, local)
    if refused := refusal(local):
        return refused
    if lhexicon.over(view):
        return results.told(seen.names, lhexicon.places(view), view.scores)
    if CHANCE in lhexicon.actors(view):
        move = next(iter(lhexicon.moves(seen.view, CHANCE)), None)
        tile = move.tile if isinstance(move, Reveal) else -1
        racks = seen.view.tiles.racks
        owner = next((seat for seat, held in enumerate(racks) if tile in held), 0)
        return _("{name} is drawing letters.").format(name=seen.names[owner])
    if view.announced is not None:
        return _announced(seen)
    before = _lost(seen) or _last(seen)
    if mine(seen):
        last = before if phase(seen, local) is Phase.IDLE else ""
        return _lines(last, _instruction(seen, local))
    text = _("{name} is playing a word.").format(name=seen.names[view.turn])
    return _lines(before, text, _tentative(seen, local))


def _lines(*parts: str) -> str:
    return "\n".join(filter(None, parts))


def _announced(seen: Now) -> str:
    """Return who announces or challenges which word, and what may be said to that."""
    word = seen.view.announced
    assert word is not None  # callers have seen that a word is announced
    letters = "".join(face(letter) for letter in word.word)
    name = seen.names[seen.view.turn]
    text = _("{name} announces {word} for {n} points.")
    said = text.format(name=name, word=letters, n=word.points)
    if word.challenger is not None:
        text = _("{name} challenges {word}.")
        said = text.format(name=seen.names[word.challenger], word=letters)
        if doubted(seen):
            text = _("Withdraw it and lose the turn, or let the dictionary decide.")
            return _lines(said, text)
        text = _("{name} may withdraw it; else the dictionary decides.")
        return _lines(said, text.format(name=name))
    if asked(seen):
        return f"{said}\n" + _("Accept it, or challenge it if you doubt the word.")
    waited = ", ".join(seen.names[seat] for seat in word.answers)
    return f"{said}\n" + _("{names} may challenge it.").format(names=waited)


def _idle(seen: Now) -> str:
    """Return what to do before a letter is in play."""
    if all(letter == EMPTY for letter in seen.view.letters):
        return _("It is your turn. Lay a word over the centre hexagon.")
    letters = [face(seen.view.letters[swap.cell]) for swap in swappable(seen)]
    if not letters:
        return _("It is your turn. Drag letters onto the board.")
    text = _("It is your turn. Drag letters, or PICK UP a blank for {letters}.")
    return text.format(letters=", ".join(letters))


def _instruction(seen: Now, local: Local) -> str:
    if local.doing is Doing.NAMING:
        return _("Which letter does the blank stand for?")
    if local.swaps:
        text = ngettext(
            "Hit DONE to pick up {n} blank. It takes your turn.",
            "Hit DONE to pick up {n} blanks. It takes your turn.",
            len(local.swaps),
        )
        return text.format(n=len(local.swaps))
    match phase(seen, local):
        case Phase.IDLE:
            return _idle(seen)
        case Phase.MOVING:
            return _("Put the letter on a hexagon, or back on your rack.")
        case Phase.PROGRESS | Phase.MARKING:
            return _tentative(seen, local)
        case Phase.SCORING:
            return _("The word is being scored.")


def _tentative(seen: Now, local: Local) -> str:
    """Return what the letters laid oblige to, and what the word comes to."""
    if not local.laid:
        return ""
    found = verdict(seen, local)
    if found is None and local.marking:
        todo = _("Mark the letters of your word in spelling order.")
        return _lines(_trap(seen, local), _obliged(seen, local), todo)
    if found is None:
        return _lines(*_possible(seen, local))
    name = written(seen, local)
    if isinstance(found, Refusal):
        why = _("Not a play yet: {why}").format(why=told(found.reason))
        return f"{name}: {why}"
    done = _("DONE scores it.")
    return _lines(f"{found.text}: {_explained(found)}", done)


def _possible(seen: Now, local: Local) -> tuple[str, ...]:
    """Return which words the letters laid can make, and what the only one scores."""
    todo = _("NEXT when all letters are laid.")
    words = marking.guesses(seen, local)
    if not words:
        return _trap(seen, local), _obliged(seen, local), todo
    if len(words) == 1:
        found = words[0].verdict
        return f"{found.text}: {_explained(found)}", todo
    scored = (f"{each.verdict.text} {each.verdict.points}" for each in words[:_NAMED])
    return _trap(seen, local), ", ".join(scored), todo


_NAMED: Final = 4
"""Words named of those that the letters laid can make."""


def _trap(seen: Now, local: Local) -> str:
    found = trapped(seen, local)
    if not found.points:
        return ""
    if found.closed and not found.split:
        text = _("The letters close a trap: +{n}.")
    elif found.split and not found.closed:
        text = _("The letters split a trap: +{n}.")
    else:
        text = _("The letters close and split traps: +{n}.")
    return text.format(n=found.points)


def _obliged(seen: Now, local: Local) -> str:
    """Return the earlier letters that the word has to use."""
    left = sorted(must(seen, local) - set(local.path))
    names = ", ".join(face(seen.view.letters[cell]) for cell in left)
    return _("The word must also use: {letters}.").format(letters=names) if left else ""


def _explained(found: Verdict) -> str:
    """Return a score with its parts: "21 points (9 word + 12 trap)"."""
    text = ngettext("{n} point", "{n} points", found.points).format(n=found.points)
    return f"{text} ({parts(found)})" if found.bonus.points else text


def _lost(seen: Now) -> str:
    """Return why this seat has lost a turn, until the next one is made."""
    for step in reversed(seen.past):
        why = _fault(step, seen.seat)
        if why and step.before.turn != seen.seat and seen.view.debts[seen.seat or 0]:
            return _("You lose your next turn: {why}").format(why=why)
        if why:
            return _("You lost the turn: {why}").format(why=why)
        owes = step.actor != seen.seat and seen.view.debts[seen.seat or 0]
        if isinstance(step.move, Lay | Discard | PickUp | Pass) and not owes:
            return ""  # somebody has gone on: that is the news
    return ""


def _fault(step: Step[State, Move], seat: Seat | None) -> str:
    """Return why a move lost a seat a turn, nothing if it did not."""
    word = step.before.announced
    if seat is None or not isinstance(step.move, Insist | Expire):
        return ""
    mine_ = step.before.turn == seat
    if word is None:
        return _("the time was over") if mine_ else ""
    letters = "".join(face(letter) for letter in word.word)
    right = stands(step.before)
    if word.challenger is not None and mine_ and not right:
        return _("{word} is not in the dictionary").format(word=letters)
    if word.challenger == seat and right:
        return _("{word} is in the dictionary").format(word=letters)
    return ""


def _last(seen: Now) -> str:
    """Return what the player before did, or what the dictionary said to one's word."""
    for step in reversed(seen.past):
        if step.actor == CHANCE:
            continue
        known = step.actor == seen.seat and not isinstance(step.move, Insist)
        return "" if known else tell(step, seen.names)
    return ""


def option_notes() -> dict[str, str]:
    """Return what each option means."""
    return {
        "side": _("How large the board is."),
        "challenge": _(
            "Words are not looked up until another player challenges them: a "
            "wrong one goes back, a challenge in vain costs a turn."
        ),
        "timed": _("Minutes a turn; then the turn is lost."),
        "unseen": _(
            "A list of the tiles that a player cannot see: in the pool, or on other "
            "racks."
        ),
    }


def option_words() -> dict[str, str]:
    """Return the words for the options, and for their values."""
    return {
        "side": _("Cells along an edge"),
        "challenge": _("Challenge"),
        "timed": _("Timed (minutes)"),
        "unseen": _("List of unseen tiles"),
    }


def agreed(values: Mapping[str, str]) -> list[str]:
    """Return what the options come to, in parts of a sentence."""
    open_ = _("words count until somebody challenges them")
    return [
        _("{n} cells along each edge").format(n=values.get("side", "")),
        minutes(values.get("timed", "0")),
        *([open_] if values.get("challenge") == "on" else []),
        *([_("no list of unseen tiles")] if values.get("unseen") == "off" else []),
    ]


def keys(chosen: Chosen) -> tuple[tuple[str, str], ...]:
    """Return the keys of the board for the help page."""
    return (
        ("Q W E A S D", _("move the cursor; with Alt: turn the arrow")),
        (_("space"), _("type letters at the cursor; while marking: mark")),
        (_("A to Z"), _("lay that letter along the arrow")),
        (_("arrow keys"), _("move the cursor")),
        ("?", _("lay a blank")),
        (_("Backspace"), _("take the last letter or mark back")),
        (_("Del"), _("take all letters back, or withdraw a challenged word")),
        (_("Escape"), _("go back: close a dialog, stop marking, take letters back")),
        (
            _("Enter, right click"),
            _("next phase: mark, then score; accept a word, or stand by yours"),
        ),
        (_("double click"), _("take that letter back")),
        (",", _("shuffle the rack")),
        (".", _("show the tiles you cannot see")),
    )


def unseen(seen: Now) -> list[tuple[str, int]]:
    """Return each letter and how many tiles with it are in the bank or elsewhere.

    Where the table has agreed so, nobody counts for the players.
    """
    if not seen.view.options.unseen:
        return []
    left = hidden(seen.view.tiles)
    faces = [*map(lhexicon.text, range(len(left) - 1)), "?"]
    return list(zip(faces, left, strict=True))


def tip() -> str:
    """Return what is new to somebody who plays for the first time."""
    return _(
        "New here? Lay your letters and press NEXT, then mark the letters of the word "
        "in spelling order and press DONE."
    )


# Lhexicon looked back at: how it ended, and what was best in it.


def why(seen: Now) -> str:
    """Return why the match ended."""
    view = seen.view
    gone = [seen.names[seat] for seat, out in enumerate(view.gone) if out]
    if gone and len(gone) >= len(view.gone) - 1:
        return _("{names} resigned.").format(names=", ".join(gone))
    if view.barren >= BARREN * (len(view.gone) - len(gone)):
        return _("Nobody has found a word in ten turns each.")
    out = [
        seen.names[seat]
        for seat, rack in enumerate(view.tiles.racks)
        if not rack and not view.gone[seat]
    ]
    if out and not bag_size(view.tiles):
        return _("{name} has used up all letters.").format(name=", ".join(out))
    if not bag_size(view.tiles):
        return _("The pool is used up.")
    return _("Everyone has passed twice in a row.")


def plays(seen: Now) -> tuple[Made, ...]:
    """Return the words that stood."""
    found: list[Made] = []
    for place, step in enumerate(seen.past):
        if not isinstance(step.move, Lay):
            continue
        verdict = judged(step.before, step.actor, step.move)
        if not isinstance(verdict, Verdict):
            continue
        # Whether it lay still after all had answered it
        later = (each.before for each in seen.past[place + 1 :])
        after = next((each for each in later if each.announced is None), seen.view)
        if all(after.letters[laid.cell] != EMPTY for laid in step.move.laid):
            found.append(Made(place, step.actor, verdict.text, verdict.points))
    return tuple(found)


def facts(seen: Now, local: Local) -> tuple[tuple[str, str], ...]:
    """Return the longest word, and the points that traps brought."""
    found = plays(seen)
    if not found:
        return ()
    longest = max(found, key=lambda made: len(made.text))
    told = [(_("Longest word"), f"{longest.text}, {seen.names[longest.seat]}")]
    traps = [0] * len(seen.view.scores)
    for made in found:
        step = seen.past[made.place]
        assert isinstance(step.move, Lay)  # as `plays` says
        verdict = judged(step.before, step.actor, step.move)
        if isinstance(verdict, Verdict):
            traps[made.seat] += verdict.bonus.points
    if any(traps):
        most = max(range(len(traps)), key=lambda seat: traps[seat])
        text = f"{traps[most]}, {seen.names[most]}"
        told.append((_("Most points by traps"), text))
    return tuple(told)


def standing(view: State) -> tuple[int, ...]:
    """Return the points of each seat."""
    return view.scores


def measure() -> str:
    """Return what `standing` counts."""
    return _("Points")


_WAYS: Final = {
    "w": board.ABOVE,
    "e": board.ABOVE_RIGHT,
    "d": board.BELOW_RIGHT,
    "s": board.BELOW,
    "a": board.BELOW_LEFT,
    "q": board.ABOVE_LEFT,
}


def aloud(seen: Now, local: Local) -> tuple[str, ...]:
    """Return what is said of board and hand; see `Traits.aloud`."""
    found: list[str] = []
    if local.cursor >= 0:
        found.append(_cell(seen, local))
        if local.typing:
            text = _("typing goes on to the {way}")
            found.append(text.format(way=COMPASS[local.facing].upper()))
    for each in local.laid:
        where = cell_name(seen.view.options.side, each.cell)
        text = _("{letter} on {place}")
        found.append(text.format(letter=face(each.letter), place=where))
    if local.path:
        found.append(_("Marked: {word}").format(word=written(seen, local)))
    for text, tiles in (
        (_("To be discarded: {tiles}"), local.discards),
        (_("Your tiles: {tiles}"), local.order),
    ):
        if tiles:
            names = (
                face_of(seen, tile) or (_("blank") if kind(seen, tile) >= 0 else "?")
                for tile in tiles
            )
            found.append(text.format(tiles=", ".join(names)))
    return tuple(found)


def _cell(seen: Now, local: Local) -> str:
    """Return what lies on the keyboard's hexagon and around it."""
    side, cell = seen.view.options.side, local.cursor
    there = [_letter(seen, local, cell) or _("empty")]
    if cell in seen.view.blanks:
        there.append(_("blank"))
    if cell == centre(side):
        there.append(_("the centre"))
    if any(cell in group for group in traps(seen.view)):
        there.append(_("in a trap"))
    around_it = (
        (way, step_to(seen, cell, COMPASS.index(key))) for key, way in _WAYS.items()
    )
    near = (
        (way, _("the edge") if to == hexes.OFF else _letter(seen, local, to))
        for way, to in around_it
    )
    return board.around(cell_name(side, cell), there, near)


def _letter(seen: Now, local: Local, cell: int) -> str:
    letter = letter_at(seen, local, cell)
    return "" if letter == EMPTY else face(letter)
