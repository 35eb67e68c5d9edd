"""Words of Networdz that may be challenged, as the window shows and says it."""

from typing import Any

from client import networdz as shown
from client.app.board import Seen, Step
from client.networdz import text
from client.ui.intents import Click, Key, Text
from client.ui.scene import Node, find
from rules import networdz
from rules.game import Resign
from rules.networdz import Accept, Challenge, Pass, State
from tests.client.networdz_hands import AREA, LOOK, after
from tests.client.worlds import NAMES
from tests.rules.networdz.positions import lay, options, position, settled

ENTER = Key("enter")


def _seen(state: State, seat: int, *past: Any) -> Seen[Any, Any]:
    steps = tuple(Step(before, actor, move) for before, actor, move in past)
    return Seen(networdz.view(state, seat), seat, NAMES[:2], steps)


def waits(
    word: str, way: str = "single", rest: str = "EEEE", bag: str = "EEEEEEE"
) -> tuple[State, tuple[Any, ...]]:
    """Return a match in which a word may be challenged, and how it came to that."""
    state = position(f"{word}{rest}", "SSS", bag=bag, opts=options(challenge=way))
    move = lay(state, "across", 7, 6, word)
    return networdz.play(state, 0, move), (state, 0, move)


def _node(seen: Seen[Any, Any], name: str) -> Node | None:
    return find(shown.scene(seen, shown.begin(seen), AREA, LOOK), name)


def test_what_was_laid_may_be_challenged_by_button_and_key() -> None:
    state, laid = waits("TCA")
    seen = _seen(state, 1, laid)
    local = shown.begin(seen)
    button = _node(seen, "challenge")
    assert button is not None
    assert button.enabled
    for intent in (Click("challenge"), Text("!")):
        assert after(seen, local, intent)[1] == Challenge()
    own = _seen(state, 0, laid)
    assert _node(own, "challenge") is None
    assert after(own, shown.begin(own), Text("!"))[1] is None


def test_the_last_word_is_accepted_or_challenged() -> None:
    state, laid = waits("CAT", rest="", bag="")
    seen = _seen(state, 1, laid)
    local = shown.begin(seen)
    assert _node(seen, "pass") is None
    for intent in (Click("accept"), ENTER):
        assert after(seen, local, intent)[1] == Accept()


def test_a_whole_rack_is_told_in_words_and_not_by_a_sign() -> None:
    _state, laid = waits("RETAINS")
    told = shown.tell(Step(*laid), NAMES)
    entry = text.entered(Step(*laid))
    assert entry is not None
    assert told.endswith(" 50")
    assert "++" not in told + entry.more


def test_a_word_that_stands_is_no_lost_turn() -> None:
    state, laid = waits("TCA")
    end = settled(networdz.play(state, 1, Pass()))
    seen = _seen(end, 0, laid, (state, 1, Pass()))
    assert "TCA" not in shown.status(seen, shown.begin(seen))  # as if it were none
    assert shown.tell(Step(*laid), NAMES) == f"{NAMES[0]}: TCA 12"
    entry = text.entered(Step(*laid))
    assert entry is not None
    assert (entry.where, entry.points) == ("8G", 12)


def test_any_word_may_be_laid_and_its_points_are_told_before() -> None:
    state = position("TCAEEEE", "SSS", bag="EEE", opts=options(challenge="single"))
    seen = _seen(state, 0)
    local, _move = after(seen, shown.begin(seen), Click("cell:111"), Text("tca"))
    assert "TCA: 12 points" in shown.status(seen, local)
    assert after(seen, local, ENTER)[1] is not None


def test_a_challenge_of_a_word_that_is_not_known_here_takes_no_other_back() -> None:
    state, laid = waits("TCA")
    end = settled(networdz.play(state, 1, Challenge()))
    doubted = (state, 1, Challenge())
    assert text.plays(_seen(end, 0, laid, doubted)) == ()
    # A window that comes late begins with the last moves, and asks for the others.
    assert text.plays(_seen(end, 0, doubted)) == ()


def test_no_more_is_discarded_than_is_left_once_the_word_stands() -> None:
    state, laid = waits("CAT", bag="EEEE")
    seen = _seen(state, 1, laid)
    local, _move = after(seen, shown.begin(seen), Click("pass"), Text("s"))
    assert not local.notice
    local, _move = after(seen, local, Text("s"))
    assert len(local.discards) == 1
    assert local.notice
    assert after(seen, local, ENTER)[1] == Pass(local.discards)


def test_five_points_for_a_challenge_in_vain_are_named_in_the_list() -> None:
    state, laid = waits("CAT", "five")
    end = settled(networdz.play(state, 1, Challenge()))
    assert len(text.plays(_seen(end, 0, laid, (state, 1, Challenge())))) == 1
    (word, vain) = text.sheets(_seen(end, 0))[0].lines
    assert word == ("CAT", "12")
    assert vain[1] == "5"
    assert vain[0].replace(" ", "").isalpha()  # no sign that one has to know


def test_letters_that_only_some_are_known_of_are_not_said_to_be_all() -> None:
    state, laid = waits("TCA")
    taken = settled(networdz.play(state, 1, Challenge()))
    over = settled(networdz.play(taken, taken.turn, Resign()))
    tiles = _seen(over, 1, laid).view.tiles
    known = sum(kind >= 0 for kind in tiles.kinds[0])
    assert 0 < known < len(tiles.racks[0])
    letters = text.sheets(_seen(over, 1, laid))[0].note.partition(": ")[2].split()
    assert sorted(letters[:-1]) == sorted("TCA")
    assert letters[-1] == "…"
