import argparse
import itertools
import re
import unicodedata
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.commands.questions import ROWS
from netplay.fingerprint import fingerprint, invitation_in


def test_a_fingerprint_is_five_groups_of_four() -> None:
    assert re.fullmatch(r"([A-Z2-7]{4}-){4}[A-Z2-7]{4}", fingerprint(bytes(32)))


def test_fingerprints_of_two_keys_differ() -> None:
    assert fingerprint(bytes(32)) != fingerprint(bytes(31) + b"\1")


def test_nobody_has_no_fingerprint() -> None:
    assert fingerprint(b"") == ""


LINE = "netplay:127.0.0.1:4770,[2001:db8::12]:4770#I3HH-PGEE-NR2Y-D55A-CLCT"
WIDE = {ord(c): ord(c) + 0xFEE0 for c in LINE if c.isascii() and c.isalnum()}
CYRILLIC = {
    ord(latin): unicodedata.lookup(f"CYRILLIC CAPITAL LETTER {name}")
    for latin, name in {"A": "A", "C": "ES", "E": "IE", "H": "EN", "T": "TE"}.items()
}


@pytest.mark.parametrize("made", [WIDE, CYRILLIC, {ord("-"): "\N{EN DASH}"}])
def test_letters_that_only_look_like_those_of_an_invitation_count_as_them(
    made: dict[int, Any],
) -> None:
    assert invitation_in(f"Play with me: {LINE.translate(made)}.") == LINE


@given(
    cuts=st.sets(st.integers(len("netplay:") + 1, len(LINE) - 1), max_size=4),
    mark=st.sampled_from(["\n", "\r\n", "\n> ", " \n>> ", "\n\t"]),
    around=st.sampled_from(["{}", "I wait: {}\nAnna", "<{}>", "{}."]),
)
def test_an_invitation_that_a_mail_has_broken_is_put_together(
    cuts: set[int], mark: str, around: str
) -> None:
    ends = [0, *sorted(cuts), len(LINE)]
    parts = [LINE[a:b] for a, b in itertools.pairwise(ends)]
    assert invitation_in(around.format(mark.join(parts))) == LINE


def test_a_long_text_without_an_invitation_is_read_at_once() -> None:
    start = perf_counter()
    assert invitation_in("netplay:a" + "\n>>>>>>>>>>>>>>>>b" * 2000) == ""
    assert perf_counter() - start < 2


@pytest.mark.parametrize("command", ["join", "call", "watch"])
def test_a_command_takes_an_invitation_as_the_window_does(command: str) -> None:
    parser = argparse.ArgumentParser()
    ROWS[command].add(parser)
    text = f"Play with me: {LINE.translate(CYRILLIC)}"
    assert parser.parse_args([text]).address == LINE
    assert parser.parse_args(["10.0.0.1:4770"]).address == "10.0.0.1:4770"
