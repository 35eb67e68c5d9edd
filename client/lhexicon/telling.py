"""Lhexicon in words: instructions, word lists, the move list, the keys."""

from functools import lru_cache

from client.board import Sheet, Step
from client.lhexicon.local import (
    Doing,
    Local,
    Now,
    Phase,
    asked,
    face,
    fits,
    mine,
    must,
    phase,
    trapped,
    verdict,
    written,
)
from client.lhexicon.marking import translated
from client.texts import _, ngettext
from rules import lexicon, lhexicon
from rules.game import CHANCE, Resign, Seat
from rules.lhexicon import (
    EMPTY,
    Accept,
    Challenge,
    Discard,
    Expire,
    Lay,
    Move,
    Pass,
    PickUp,
    Refusal,
    State,
    Verdict,
    judge_lay,
)


def status(seen: Now, local: Local) -> str:
    """Return the text of the instructions box."""
    view, local = seen.view, fits(seen, local)
    if local.notice:
        return local.notice
    if lhexicon.over(view):
        return _result(seen)
    if CHANCE in lhexicon.actors(view):
        return _("{name} is drawing letters.").format(name=_drawing(seen))
    if view.announced is not None:
        return _announced(seen)
    if mine(seen):
        last = _last(seen) if phase(seen, local) is Phase.IDLE else ""
        return _lines(last, _instruction(seen, local))
    text = _("{name} is playing a word.").format(name=seen.names[view.turn])
    return _lines(_last(seen), text, _tentative(seen, local))


def _lines(*parts: str) -> str:
    """Return the parts that say something, one a line."""
    return "\n".join(filter(None, parts))


def _drawing(seen: Now) -> str:
    """Return who is drawing letters."""
    move = next(iter(lhexicon.moves(seen.view, CHANCE)), None)
    tile = getattr(move, "tile", -1)
    racks = seen.view.tiles.racks
    owner = next((seat for seat, held in enumerate(racks) if tile in held), 0)
    return seen.names[owner]


def _announced(seen: Now) -> str:
    """Return who announces which word, and whether one may challenge it."""
    word = seen.view.announced
    assert word is not None  # asked for only then
    letters = "".join(face(letter) for letter in word.word)
    name = seen.names[seen.view.turn]
    text = _("{name} announces {word} for {n} points.")
    said = text.format(name=name, word=letters, n=word.points)
    if asked(seen):
        return f"{said}\n" + _("Accept it, or challenge it if you doubt the word.")
    waited = ", ".join(seen.names[seat] for seat in word.answers)
    return f"{said}\n" + _("{names} may challenge it.").format(names=waited)


def _instruction(  # noqa: PLR0911 (one a phase)
    seen: Now, local: Local
) -> str:
    """Return what to do now that it is one's turn."""
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
            if all(letter == EMPTY for letter in seen.view.letters):
                return _("It is your turn. Lay a word over the centre hexagon.")
            return _("It is your turn. Drag letters onto the board.")
        case Phase.MOVING:
            return _("Put the letter on a hexagon, or back into your bank.")
        case Phase.PROGRESS | Phase.MARKING:
            return _tentative(seen, local)
        case Phase.SCORING:
            return _("The word is being scored.")


def _tentative(seen: Now, local: Local) -> str:
    """Return what the letters laid oblige to, and what the word comes to."""
    if not local.laid:
        return ""
    found = verdict(seen, local)
    if found is None:
        todo = _("Right click or NEXT when all letters are laid.")
        if local.marking:
            todo = _("Mark the letters of your word in spelling order.")
        return _lines(_trap(seen, local), _obliged(seen, local), todo)
    name = written(seen, local)
    if isinstance(found, Refusal):
        return f"{name}: {translated(found.reason)}"
    done = _("Right click or DONE to score it.")
    return _lines(f"{found.text}: {_explained(found)}", done)


def _trap(seen: Now, local: Local) -> str:
    """Return what the letters laid earn in traps."""
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
    return f"{text} ({_parts(found)})" if found.bonus.points else text


def _parts(found: Verdict) -> str:
    """Return "9 word + 12 trap", or the points alone."""
    extra = found.bonus.points
    if not extra:
        return str(found.points)
    text = _("{word} word + {trap} trap")
    return text.format(word=found.points - extra, trap=extra)


def _sum(found: Verdict) -> str:
    """Return "9 + 12", or the points alone: there is little room in a list."""
    extra = found.bonus.points
    return f"{found.points - extra} + {extra}" if extra else str(found.points)


def _last(seen: Now) -> str:
    """Return what the player before did."""
    for step in reversed(seen.past):
        if step.actor == CHANCE:
            continue
        return "" if step.actor == seen.seat else tell(step, seen.names)
    return ""


def _result(seen: Now) -> str:
    """Return how the match ended."""
    places, scores = lhexicon.places(seen.view), seen.view.scores
    best = [seat for seat, place in enumerate(places) if place == 1]
    names = ", ".join(seen.names[seat] for seat in best)
    score = scores[best[0]]
    if len(best) > 1 and len(scores) > 1:
        return _("The game is over: {names} tie with {n}.").format(names=names, n=score)
    if len(scores) == 1:
        return _("The game is over: {n} points.").format(n=score)
    return _("The game is over: {name} wins with {n}.").format(name=names, n=score)


def sheets(seen: Now) -> tuple[Sheet, ...]:
    """Return score, letters left and word list of each seat."""
    view, words = seen.view, _words(seen)
    return tuple(
        Sheet(
            str(view.scores[seat]),
            _letters(seen, seat),
            tuple(words[seat]),
            view.gone[seat],
        )
        for seat in range(len(view.scores))
    )


def _letters(seen: Now, seat: Seat) -> str:
    """Return how many letters a seat holds, and whether it loses turns."""
    count, debt = len(seen.view.tiles.racks[seat]), seen.view.debts[seat]
    text = ngettext("{n} letter", "{n} letters", count).format(n=count)
    if not debt:
        return text
    lost = ngettext("loses {n} turn", "loses {n} turns", debt).format(n=debt)
    return f"{text}, {lost}"


def _words(seen: Now) -> list[list[tuple[str, str]]]:
    """Return each seat's words and what they scored, oldest first."""
    found: list[list[tuple[str, str]]] = [[] for _seat in seen.view.scores]
    for step in seen.past:
        match step.move:
            case Lay():
                verdict_ = _judged(step.before, step.actor, step.move)
                if isinstance(verdict_, Verdict):
                    found[step.actor].append((verdict_.text, _sum(verdict_)))
            case Challenge() if not _stands(step.before):
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
def _judged(before: State, seat: Seat, move: Lay) -> Verdict | Refusal:
    """Return what a word scored; kept, for every drawing asks again."""
    return judge_lay(before, seat, move)


def _stands(state: State) -> bool:
    """Tell whether the announced word is in the dictionary."""
    word = state.announced
    return word is not None and lexicon.find(state.options.lexicon).has(word.word)


def tell(  # noqa: PLR0911 (one a kind of move)
    step: Step[State, Move], names: tuple[str, ...]
) -> str:
    """Return one line on an entry for the move list."""
    move, name = step.move, names[step.actor] if step.actor >= 0 else ""
    match move:
        case Lay():
            found = _judged(step.before, step.actor, move)
            if isinstance(found, Refusal):
                return ""
            return f"{name}: {found.text}  {_parts(found)}"
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
            return _challenged(step.before, name, names)
        case Expire():
            return _expired(step.before, names)
        case Resign():
            return f"{name}: " + _("resigns")
        case _:
            return ""


def _challenged(before: State, name: str, names: tuple[str, ...]) -> str:
    """Return how a challenge ended."""
    word = before.announced
    assert word is not None  # nobody can challenge else
    letters = "".join(face(letter) for letter in word.word)
    if _stands(before):
        text = _("{name} challenges {word}: it is right, {name} loses a turn")
        return text.format(name=name, word=letters)
    text = _("{name} challenges {word}: it is wrong, {other} takes it back")
    return text.format(name=name, word=letters, other=names[before.turn])


def _expired(before: State, names: tuple[str, ...]) -> str:
    """Return whose time ran out."""
    if before.announced is not None:
        return _("Nobody challenged in time")
    return _("{name}: out of time").format(name=names[before.turn])


def keys() -> tuple[tuple[str, str], ...]:
    """Return the keys of the board for the help page."""
    return (
        ("Q W E A S D", _("move the cursor; with Alt: turn the arrow")),
        (_("space"), _("type letters at the cursor; while marking: mark")),
        (_("A to Z"), _("lay that letter along the arrow")),
        (_("arrow keys"), _("turn the arrow; move the cursor")),
        ("?", _("lay a blank")),
        (_("Backspace"), _("take the last letter or mark back")),
        (_("Del"), _("take all letters back")),
        (_("Escape"), _("close what is open, else ask whether to leave the game")),
        (_("Enter, right click"), _("next phase: mark, then score")),
        (_("double click"), _("take that letter back")),
    )
