"""`netplay completion`: what a shell must know to complete our words."""

import argparse

from netplay.catalogues import _
from netplay.commands import COMMANDS, command, window
from netplay.parser import usage

HELP = "print what bash, zsh or fish needs to complete words"
SHELLS = ("bash", "zsh", "fish")


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "shell",
        metavar="SHELL",
        choices=SHELLS,
        help="bash: put it into ~/.local/share/bash-completion/completions/netplay; "
        "zsh: as _netplay into a folder of $fpath; fish: into "
        "~/.config/fish/completions/netplay.fish",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the script; the shell's own folder for such files takes it."""
    import shtab  # noqa: PLC0415 (only this command needs it)

    print(shtab.complete(whole_parser(), shell=arguments.shell))
    return 0


def whole_parser() -> argparse.ArgumentParser:
    """Return one parser of all commands, for completion and manual pages.

    The program itself never makes it: that would import every command.
    """
    with usage():
        parser = argparse.ArgumentParser(
            prog="netplay",
            description=_(
                "Play word and board games with friends, from computer to computer."
            ),
        )
        parser.add_argument(
            "--version", action="store_true", help="tell the version and end"
        )
        parser.add_argument(
            "--verbose", action="store_true", help="with --version: those of all parts"
        )
        window.add(parser)
        _finish(parser)
        commands = parser.add_subparsers(metavar="COMMAND")
        for name, text in COMMANDS.items():
            module = command(name)
            one = commands.add_parser(name, help=_(text), description=_(module.HELP))
            module.add(one)
            _finish(one)
    return parser


def _finish(parser: argparse.ArgumentParser) -> None:
    """Add what every command takes, and say all in the user's language."""
    parser.add_argument(
        "--home", metavar="DIR", help="key, games, words and settings live here"
    )
    for action in parser._actions:  # noqa: SLF001 (there is no other way to them)
        action.help = _(action.help) if action.help else None
