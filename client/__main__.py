"""The window of a home: `python -m client`, started by `netplay`."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from platform import node
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from client.app import settings
from client.ui.theme import SCALES, THEMES
from netplay import ending
from netplay.errors import LocalError
from netplay.home_folder import home_folder

if TYPE_CHECKING:
    from client.app.model import Model


def _size(text: str) -> tuple[int, int]:
    wide, _x, high = text.lower().partition("x")
    if not (wide.isdigit() and high.isdigit()):
        raise argparse.ArgumentTypeError("write a size as 1280x800")
    return int(wide), int(high)


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the command line as named values."""
    parser = argparse.ArgumentParser("client", description="The window of Netplay.")
    parser.add_argument("--home", help="directory with the node's door and settings")
    parser.add_argument("--debug-port", type=int, help="serve the scene to scripts")
    parser.add_argument(
        "--leash", action="store_true", help="end when standard input is closed"
    )
    parser.add_argument(
        "--moved", metavar="FILE", help="say that all has moved in a file, and ask"
    )
    parser.add_argument(
        "--keyless", action="store_true", help="say that the key is missing, and ask"
    )
    parser.add_argument(
        "--crashed", action="store_true",
        help="say that the window before ended by a fault, and open no game",
    )  # fmt: skip
    parser.add_argument(
        "--speak", metavar="PROGRAM", nargs="?", const="-",
        help="say what is focused and what happens, as lines to a program or to "
        "standard output",
    )  # fmt: skip
    parser.add_argument("--open", metavar="LINE", help="an invitation to show")
    parser.add_argument("--size", type=_size, help="of the window, such as 1280x800")
    parser.add_argument("--theme", choices=tuple(THEMES))
    parser.add_argument("--scale", type=int, choices=SCALES, help="per cent")
    verbs = parser.add_subparsers(dest="verb")
    picture = verbs.add_parser("picture", help="draw a view without a display")
    picture.add_argument("view", type=Path)
    picture.add_argument("out", type=Path)
    picture.add_argument("--size", type=_size, dest="picture_size")
    frames = verbs.add_parser("frames", help="measure how long drawing a view takes")
    frames.add_argument("view", type=Path)
    frames.add_argument("--count", type=int, default=50)
    return parser.parse_args(words)


def hints() -> None:
    """Tell SDL what must be known before it is loaded; the user's own words win."""
    usual = {
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "SDL_IME_SHOW_UI": "1",
        "SDL_MOUSE_FOCUS_CLICKTHROUGH": "1",
        "SDL_NO_SIGNAL_HANDLERS": "1",
        "SDL_VIDEO_X11_WMCLASS": "netplay",
        "SDL_WINDOWS_DPI_AWARENESS": "permonitorv2",
    }
    if sys.platform.startswith("linux"):
        # A flip takes 0.1 ms instead of 2 to 20 ms without the detour through GL.
        usual["SDL_FRAMEBUFFER_ACCELERATION"] = "0"
    for name, value in usual.items():
        os.environ.setdefault(name, value)


def main(words: Sequence[str] | None = None) -> int:
    """Show the window or draw a picture; return the exit code."""
    given = arguments(sys.argv[1:] if words is None else words)
    hints()
    home = home_folder(given.home)
    own, damaged = (settings.Settings(), "") if given.verb else settings.load(home)
    own = replace(own, **_asked(given))
    if given.verb == "picture":
        from client.window import picture  # noqa: PLC0415 (pygame is loaded after the hints)

        size = given.picture_size or given.size or own.size
        try:
            picture.draw(picture.read(given.view), given.out, own, size)
        except (OSError, ValueError, LookupError, RecursionError, LocalError) as error:
            print(f"client: {given.view}: {error}", file=sys.stderr)  # noqa: T201 (a command)
            return 1
        return 0
    if given.verb == "frames":
        from client.window import picture  # noqa: PLC0415 (pygame is loaded after hints)

        size = given.size or own.size
        times = picture.measure(picture.read(given.view), own, size, given.count)
        print(times)  # noqa: T201 (a command)
        return 0
    with ending.noted() as told:
        return _window(given, own, home, damaged, told)


def _asked(given: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the command line names, for this window alone."""
    asked = {name: getattr(given, name) for name in ("theme", "scale", "size")}
    return {name: value for name, value in asked.items() if value}


def _window(
    given: argparse.Namespace,
    own: settings.Settings,
    home: Path,
    damaged: str,
    told: Sequence[int],
) -> int:
    """Show the window until it is closed.

    Args:
        given: The command line.
        own: The settings.
        home: Where they are kept.
        damaged: The name under which the settings before are kept, if they were.
        told: The signals that have come, to be looked at late.
    """
    gc.disable()  # while so much is loaded; the loop collects when it has settled
    from client.window import first_frame  # noqa: PLC0415 (pygame is loaded after the hints)

    if not given.scale and not damaged and not (home / settings.FILE).exists():
        own = replace(first_frame.at_first(own), **_asked(given))
    try:
        window = first_frame.make_window(given.size or first_frame.fitting(own.size))
    except RuntimeError as error:
        print(f"client: {error}", file=sys.stderr)  # noqa: T201 (a command)
        return ending.NO_WINDOW
    model = _begun(given, own, window.size, home, damaged)
    first_frame.show(model, window)
    port = given.debug_port
    scripts = None if port is None else first_frame.listen(port)
    import trio  # noqa: PLC0415 (the first frame does not wait for it)

    from client import speech  # noqa: PLC0415 (likewise)
    from client.window import loop  # noqa: PLC0415 (likewise)

    window_loop = loop.WindowLoop(model, home, window, given=_asked(given))
    if given.speak:
        try:
            window_loop.voice = speech.voice(given.speak)
        except (OSError, ValueError) as error:
            print(f"client: {given.speak}: {error}", file=sys.stderr)  # noqa: T201 (a command)
            return 1
        window_loop.model = replace(window_loop.model, spoken=True)
    trio.run(partial(loop.show, window_loop, scripts, told, leash=given.leash))
    return window_loop.code


def _begun(
    given: argparse.Namespace,
    own: settings.Settings,
    size: tuple[int, int],
    home: Path,
    damaged: str,
) -> "Model":
    """Return what the window shows first, as the command line says."""
    from client.app.model import Model, Over, tell  # noqa: PLC0415 (after `gc.disable`)
    from client.ui.texts import phrase  # noqa: PLC0415 (likewise)
    from client.window import first_frame  # noqa: PLC0415 (likewise)
    from netplay.sentences import Says  # noqa: PLC0415 (likewise)

    model = Model(settings=own, size=size, computer=node())
    if damaged:
        # In English, as the window is: the language was among what is lost.
        words = phrase(Says.PREFERENCES_DAMAGED(name=damaged))
        model = tell(model, words, bad=True)
    if given.crashed:
        model = replace(
            tell(model, first_frame.crashed(own.language), bad=True), crashed=True
        )
    if given.moved is not None:
        model = replace(model, over=Over.MOVED, refusal=given.moved)
    if given.keyless:
        model = replace(model, over=Over.KEYLESS, refusal=str(home / "key.pem"))
    if given.open:
        from client.pages import start  # noqa: PLC0415 (likewise)

        model = start.invited(model, given.open)
    return model


if __name__ == "__main__":
    sys.exit(main())
