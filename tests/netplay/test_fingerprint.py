import re

from netplay.fingerprint import fingerprint


def test_a_fingerprint_is_five_groups_of_four() -> None:
    assert re.fullmatch(r"([A-Z2-7]{4}-){4}[A-Z2-7]{4}", fingerprint(bytes(32)))


def test_fingerprints_of_two_keys_differ() -> None:
    assert fingerprint(bytes(32)) != fingerprint(bytes(31) + b"\1")


def test_nobody_has_no_fingerprint() -> None:
    assert fingerprint(b"") == ""
