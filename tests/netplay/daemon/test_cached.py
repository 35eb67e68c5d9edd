from itertools import count

from netplay.daemon.dictionary_tools import Cached


def test_what_was_found_stays_true_for_a_while() -> None:
    numbers = count()
    recent = Cached(lambda: next(numbers), 2.0)
    assert [recent.get(now) for now in (0.0, 1.0, 1.9, 2.0, 3.9, 9.0)] == [
        0,
        0,
        0,
        1,
        1,
        2,
    ]
