"""The first frame, and what it does not wait for."""

import os
import subprocess
import sys
from pathlib import Path

from netplay.sentences import Says
from tests.said import says

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
import pytest
import trio
import trio.testing

from client.app.model import Model
from client.app.settings import Settings
from client.pages import bar, screen
from client.ui.scene import Touch, find
from client.window import first_frame, loop
from client.window.painter import Painter
from netplay.commands import window as command
from netplay.home import NODE_LOG, Home
from tests.client.worlds import texts
from tests.patience import PATIENCE

FIRST = """
import sys
from client.app.model import Model
from client.window import first_frame
window = first_frame.make_window((1280, 800))
first_frame.show(Model(size=window.size), window)
late = {"trio", "ssl", "client.update", "client.pages.play", "rules.hexcolumns"}
sys.exit(bool(late & sys.modules.keys()))
"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_frame_is_what_the_loop_draws(tmp_path: Path, language: str) -> None:
    window = first_frame.make_window((900, 600))
    model = Model(settings=Settings(language=language, theme="dark"), size=window.size)
    first_frame.show(model, window)
    first = window.get_surface().get_buffer().raw
    window_loop = loop.WindowLoop(model, tmp_path, window)
    window_loop.draw()
    assert window.get_surface().get_buffer().raw == first
    whole_ = pygame.Surface(window.size)
    Painter(whole_, model.look).paint(window_loop.root, Touch())
    seen = pygame.image.tobytes(window.get_surface(), "RGB")
    assert seen == pygame.image.tobytes(whole_, "RGB")
    window.destroy()


def test_the_first_frame_is_the_start_page_without_the_node_s_part() -> None:
    root = screen.scene(Model())
    play = find(root, "play")
    assert play is not None
    assert not play.enabled
    for title in ("Networdz", "Lhexicon", "Numlo", "Hexagrams", "Hexcolumns"):
        assert title in texts(root)


def test_the_first_frame_waits_for_no_more_than_it_needs() -> None:
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy"}
    words = [sys.executable, "-c", FIRST]
    assert subprocess.run(words, env=environment, check=False).returncode == 0


async def test_scripts_may_knock_before_the_loop_answers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scripts = first_frame.listen(0)
    port = int(capsys.readouterr().out.removeprefix("debug port "))
    stream = await trio.open_tcp_stream(first_frame.HOST, port)
    await stream.send_all(b'{"do": "window"}\n')
    window_loop = loop.WindowLoop(
        Model(), tmp_path, first_frame.make_window((900, 600))
    )
    async with stream, trio.open_nursery() as nursery:
        nursery.start_soon(loop.run, window_loop, scripts)
        with trio.fail_after(PATIENCE):
            assert b'"page":"start"' in await stream.receive_some()
        window_loop.leave()


async def test_a_node_that_is_late_is_not_told_of_but_one_that_is_missing(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    window_loop = loop.WindowLoop(
        Model(), tmp_path, first_frame.make_window((900, 600))
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(loop.run, window_loop)
        await trio.sleep(6)  # on a computer that has much to do
        assert not window_loop.model.trouble
        told, bad = bar.passing(window_loop.model)
        assert told and not bad, "the page is grey, and it says why"
        await trio.sleep(6)
        assert says(str(window_loop.model.trouble), Says.NODE_ENDED)
        window_loop.leave()


@pytest.mark.processes
@pytest.mark.parametrize("mended", [False, True])
async def test_a_window_says_why_its_node_cannot_start(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, *, mended: bool
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    home.blocked.write_text("damaged")
    with command.start_node(home, None) as node:
        assert node.wait(PATIENCE) == 1
    if mended:  # and a node that runs since then has been stopped
        long_ago = home.blocked.stat().st_mtime - 3600
        os.utime(home.path / NODE_LOG, (long_ago, long_ago))
    window_loop = loop.WindowLoop(
        Model(), home.path, first_frame.make_window((900, 600))
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(loop.run, window_loop)
        await trio.sleep(12)
        told = str(window_loop.model.trouble)
        assert told
        assert (str(home.blocked) in told) is not mended
        window_loop.leave()


@pytest.mark.parametrize("made", [True, False])
async def test_a_window_says_why_no_node_can_have_a_home(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, *, made: bool
) -> None:
    home, told = tmp_path / "home", tmp_path / "home" / NODE_LOG
    if made:
        told.mkdir(parents=True)  # as on a disk that takes no files
    else:
        home.touch()
        home = told = home / "below"
    window_loop = loop.WindowLoop(Model(), home, first_frame.make_window((900, 600)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(loop.run, window_loop)
        await trio.sleep(12)
        assert str(told) in str(window_loop.model.trouble)
        window_loop.leave()


@pytest.mark.parametrize(
    ("desktop", "wished", "first"),
    [
        ((1280, 800), (1280, 800), (1240, 680)),
        ((1920, 1080), (1280, 800), (1280, 800)),
        ((1366, 768), (1300, 640), (1300, 640)),
        ((800, 480), (1280, 800), (760, 360)),
        ((1280, 800), (360, 640), (360, 640)),
    ],
)
def test_the_first_size_leaves_room_for_bars_and_the_frame(
    desktop: tuple[int, int],
    wished: tuple[int, int],
    first: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [desktop])
    assert first_frame.fitting(wished) == first
