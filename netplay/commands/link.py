"""`netplay link`: have clicked `netplay:` lines opened by this program, or no more."""

import argparse
import os
import sys

from netplay import home
from netplay.errors import Code, LocalError
from netplay.home_folder import VARIABLE
from netplay.language import phrase
from netplay.system.links import handler, opener

HELP = "have netplay: lines that you click opened in the window, or no more"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("verb", metavar="VERB", choices=("install", "remove"))


def run(arguments: argparse.Namespace) -> int:
    """Tell the system of this user; no node need run."""
    found = handler(sys.platform, os.environ)
    try:
        if arguments.verb == "install":
            chosen = os.environ.get(VARIABLE)  # from wherever a line is clicked
            done = found.install(opener(str(home.find(None).path) if chosen else ""))
        else:
            done = found.remove()
    except OSError as error:
        raise LocalError(Code.DISK, error.strerror or "") from None
    print(phrase(done))
    return 0
