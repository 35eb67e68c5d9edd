"""The program `netplay`: without a command the window, else what the command says."""

import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import Final

from netplay import VERSION
from netplay.catalogues import _, speak, wanted
from netplay.commands import COMMANDS, command
from netplay.home_folder import VARIABLE, home_name

WRONG_WORD: Final = 2
"""Exit code for what cannot be understood."""

FAILED: Final = 1
"""Exit code for a job that did not succeed."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells have it."""

STDERR: Final = 2

_NO_ROOM: Final = frozenset(
    {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
)


def main(words: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        words: The command line without the program's name; None for the real one.

    Returns:
        The exit code.
    """
    if words is None:
        _open_closed()
        # Hardly anything that is imported goes again: to look through it for garbage,
        # then and when the program ends, takes a third of a short command.
        gc.disable()
    rest = list(sys.argv[1:] if words is None else words)
    try:
        try:
            return _dispatch(rest)
        finally:
            sys.stdout.flush()  # what waits must not fail when nobody can say so
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has had enough; there is nobody left to tell.
        _say_no_more()
        return 0
    except OSError as error:
        # No file of ours: where our output is led to has no room.
        if error.filename is not None or error.errno not in _NO_ROOM:
            raise
        _say_no_more()
        from netplay.errors import Code, LocalError  # noqa: PLC0415 (seldom wanted)
        from netplay.language import phrase  # noqa: PLC0415 (as above)

        prog = " ".join(("netplay", *rest[:1]))
        why = phrase(LocalError(Code.DISK, error.strerror or "").said)
        print(f"{prog}: {why}", file=sys.stderr)
        return FAILED


def _open_closed() -> None:
    """Have the three streams that every program has, also if somebody closed them.

    A file that we open would else get the number of one, and what is said there would
    be written into it.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        mode = "r" if number == 0 else "w"
        stream = os.fdopen(number, mode, encoding="utf-8")
        setattr(sys, ("stdin", "stdout", "stderr")[number], stream)
    os.close(number)


def _say_no_more() -> None:
    """Lead what is still to be said nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(words: list[str]) -> int:
    home = _take_home(words)
    if words and words[0] in {"-h", "--help", "help"}:
        _speak(home)
        print(_help())
        return 0
    if words and words[0] in {"-V", "--version"}:
        if "--verbose" in words:
            # Imported late: it takes the rules of all games.
            from netplay.daemon.reporting import versions  # noqa: PLC0415 (as above)

            print("\n".join(versions()))
        else:
            print(f"netplay {VERSION}")
        return 0
    if not words or words[0].startswith("-"):
        return _run("window", words, home)
    if words[0] not in COMMANDS:
        _speak(home)
        from difflib import get_close_matches  # noqa: PLC0415 (seldom wanted)

        near = get_close_matches(words[0], COMMANDS, 1)
        what = _("there is no command {word}").format(word=repr(words[0]))
        more = _("did you mean {word}?") if near else _("netplay --help lists them")
        more = more.format(word=near[0] if near else "")
        print(f"netplay: {what}; {more}", file=sys.stderr)
        return WRONG_WORD
    return _run(words[0], words[1:], home)


def _take_home(words: list[str]) -> str | None:
    """Remove `--home DIR` from wherever it stands and return the folder."""
    options = words[: words.index("--")] if "--" in words else words
    for at, word in enumerate(options):
        if word.startswith("--home="):
            return words.pop(at).removeprefix("--home=")
        if word == "--home" and at + 1 < len(words):
            del words[at]
            return words.pop(at)
    return None


def _run(name: str, words: list[str], home: str | None) -> int:
    """Run one command; the user's errors become one line."""
    _speak(home)
    # Imported late: `--help` of the whole program needs none of them.
    from netplay.errors import Code, NetplayError  # noqa: PLC0415 (as above)
    from netplay.language import phrase  # noqa: PLC0415 (as above)
    from netplay.parser import Parser, usage  # noqa: PLC0415 (as above)
    from netplay.sanitize import visible  # noqa: PLC0415 (as above)
    from netplay.sentences import Says  # noqa: PLC0415 (as above)

    module = command(name)
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
    prog = "netplay" if name == "window" else f"netplay {name}"
    with usage():
        parser = Parser(prog=prog, description=_(module.HELP), allow_abbrev=False)
        parser.add_argument(
            "--home", metavar="DIR", help="key, games, words and settings live here"
        )
        module.add(parser)
        arguments = parser.parse_args(words)
    try:
        code = module.run(arguments)
    except NetplayError as error:
        # It may quote a file that anybody wrote.
        print(f"{prog}: {visible(phrase(error.said))}", file=sys.stderr)
        return WRONG_WORD if error.code is Code.USAGE else FAILED
    except UnicodeEncodeError:
        # Bytes that are no text may name a file; nothing else is called so.
        wrong = [
            word
            for word in words
            if any("\ud800" <= letter <= "\udfff" for letter in word)
        ]
        if not wrong:
            raise
        said = phrase(Says.NOT_UTF_8(path=wrong[0]))
        print(f"{prog}: {visible(said)}", file=sys.stderr)
        return WRONG_WORD
    return code


def _speak(home: str | None) -> None:
    """Take up a home, and speak the language of its user."""
    if home:
        os.environ[VARIABLE] = home
    speak(wanted(home_name()))


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = ["  ".join(("", n.ljust(width), _(t))) for n, t in COMMANDS.items()]
    return "\n".join(
        [
            _("usage: ") + "netplay [--home DIR] [COMMAND ...]",
            "",
            _("Play word and board games with friends, from computer to computer."),
            _("Without a command the window opens. Commands:"),
            "",
            *lines,
            "",
            _("netplay COMMAND --help tells more about one of them."),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
