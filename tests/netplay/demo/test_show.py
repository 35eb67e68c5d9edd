"""What the demonstration compares."""

from netplay.demo.show import log_of
from netplay.record.store import whole


def test_files_are_compared_without_what_they_carry_for_their_reader() -> None:
    plain = whole([b"one", b"two"])
    assert log_of(whole([b"one", b"two"], [b"an opening"])) == log_of(plain) == plain
    assert log_of(whole([b"one", b"too"], [b"an opening"])) != plain
