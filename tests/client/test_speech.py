"""The window in words: what is focused and what happened, as lines."""

import sys
from pathlib import Path

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from client import speech
from client.browser.drawing import own
from client.pages import moves, overlays, screen
from client.speech import described
from client.ui.intents import Click, Key
from client.ui.scene import Node, Rect, Role, stops, top
from netplay.messages import door
from tests.client import games, worlds
from tests.client.sayings import after, known
from tests.client.scripted import needs_dummy, window
from tests.client.worlds import at_match, base, fed, in_match


def test_what_happens_is_said_once_and_nothing_is_repeated() -> None:
    model = at_match(base())
    told = known(model)
    assert after(model, before=told) == []
    chatted = fed(model, door.Line("Bert", "nice", 0))
    said = after(chatted, before=told)
    assert len([line for line in said if "nice" in line]) == 1


def test_a_move_is_said_with_who_made_it() -> None:
    state, past = worlds.networdz(2, 8)
    while past[-1][1] < 0:  # tiles drawn after the last move
        state, past = past[-1][0], past[:-1]
    early = fed(
        base(), worlds.status(table=worlds.playing(state, 2)),
        worlds.view(past[-1][0], past[:-1], 0),
    )  # fmt: skip
    told = known(early)
    said = after(fed(early, worlds.view(state, past, 0)), before=told)
    assert any(line.startswith(("Anna:", "Bert:")) for line in said)


def test_in_a_second_game_moves_are_said_from_the_first_one_on() -> None:
    told = known(in_match(base(), "networdz", 2, 6))
    second = in_match(base(), "networdz", 2, 2)
    made = [text for _i, text in moves.worthy(second)]
    assert made
    said = after(second, before=told)
    assert all(any(line.startswith(text) for line in said) for text in made)


def test_nothing_of_the_other_person_is_said_behind_the_curtain() -> None:
    model = at_match(base(), 2, persons=(0, 1))
    assert model.match is not None
    covered = replace(model, match=replace(model.match, covered=True))
    open_ = replace(model, match=replace(model.match, covered=False))
    assert any(n.name.startswith("tile:") for n in stops(screen.scene(open_)))
    lines = after(covered)
    made = [text for _i, text in moves.worthy(open_)]
    assert made
    assert any(line.startswith(made[-1]) for line in after(open_))
    assert not any(line.startswith(tuple(made)) for line in lines)
    names = [n.name for n in stops(screen.scene(covered))]
    assert not any(name.startswith("tile:") for name in names)


def test_what_a_dialog_asks_and_the_list_of_keys_are_said_once() -> None:
    model = at_match(base())
    told, asked = known(model), fed(model, Click("leave"))
    said = after(asked, before=told)
    assert len(said) == 2  # what it is, and what it asks
    assert after(asked, before=known(asked)) == []
    keys = after(fed(model, Key("f1")), before=told)
    assert "Backspace" in " ".join(keys)
    assert not [line for line in keys if "Close" in line]  # Tab says the buttons


@pytest.mark.parametrize("look", [(1280, 800), (800, 500)])
def test_every_place_where_tab_stops_can_be_told_from_nothing(
    look: tuple[int, int],
) -> None:
    every = (*worlds.pages(base(look)), *games.pages(base(look)))
    silent = {
        (name, node.name)
        for name, model in every
        for node in stops(top(screen.scene(model)))
        if not described(node).split(",")[0].strip()
        and node.name not in ("rack", "recent")
    }
    assert not silent


@needs_dummy
async def test_tab_and_a_click_are_said_by_the_window_itself(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        said: list[str] = []
        script.loop.voice = said.append
        await script.click("play")
        await trio.sleep(0.3)
        assert any("turn" in line for line in said)
        count = len(said)
        await trio.sleep(1)
        assert len(said) <= count + 1


LINE = "your turn"


def test_lines_go_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    speech.voice(speech.STDOUT)(LINE)
    assert capsys.readouterr().out == f"{LINE}\n"


def test_lines_go_to_a_program_and_one_that_does_not_read_holds_up_nobody(
    tmp_path: Path,
) -> None:
    out = tmp_path / "said"
    out.touch()
    code = f"open({str(out)!r}, 'w').write(input()); import time; time.sleep(60)"
    spoken = speech.Program(f'{sys.executable} -c "{code}"')
    spoken.say(LINE)
    try:
        for _ in range(20_000):
            spoken.say("more than a pipe holds, while nobody reads it")
        while not out.read_text():
            spoken.child.poll()
        assert out.read_text() == LINE
    finally:
        spoken.child.kill()
        spoken.child.wait()
        spoken.close()
    spoken.say("to nobody")


def test_a_button_whose_face_is_a_sign_is_said_in_words() -> None:
    sign = Node(Role.BUTTON, "a", Rect(0, 0, 9, 9), text="▸", value="Next game")
    sign = replace(sign, live=True)
    assert described(sign).startswith(f"{sign.value}, ")
    assert described(replace(sign, text="Go", value="")).startswith("Go, ")
    look = base().look
    assert own(sign, look)["a"] == sign.value, "a browser says it, too"
    assert own(replace(sign, text="Go"), look)["a"] == "Go"


def test_the_key_to_hear_it_again_is_told_of_to_those_who_listen() -> None:
    seen = dict(overlays.keys_here(base()))
    heard = dict(overlays.keys_here(replace(base(), spoken=True)))
    assert "F5" not in seen
    assert "F5" in heard
