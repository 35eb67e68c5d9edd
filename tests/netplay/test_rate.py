from hypothesis import given
from hypothesis import strategies as st

from netplay.rate import Bucket, Buckets


def test_a_burst_is_allowed_and_then_no_more() -> None:
    bucket = Bucket(1.0, 3.0, now=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


def test_tokens_come_back_at_the_rate() -> None:
    bucket = Bucket(2.0, 1.0, now=0.0)
    assert bucket.take(0.0)
    assert not bucket.take(0.25)
    assert bucket.take(0.5)


def test_a_bucket_is_full_again_after_a_while() -> None:
    bucket = Bucket(1.0, 2.0, now=0.0)
    bucket.take(0.0)
    assert not bucket.full(0.5)
    assert bucket.full(1.0)


@given(st.lists(st.floats(0, 10), max_size=50))
def test_never_more_than_burst_and_rate_allow(gaps: list[float]) -> None:
    bucket = Bucket(1.5, 4.0, now=0.0)
    now, taken = 0.0, 0
    for gap in gaps:
        now += gap
        taken += bucket.take(now)
        assert taken <= 4.0 + 1.5 * now + 1e-6


def test_each_of_many_has_a_bucket_of_its_own() -> None:
    buckets = Buckets[str](1.0, 2.0)
    assert [buckets.take("eve", 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take("fred", 0.0, 2)
    assert not buckets.take("fred", 0.9)
    assert buckets.take("eve", 1.0)


def test_of_many_the_one_used_longest_ago_is_forgotten_first() -> None:
    buckets = Buckets[str](0.0, 1.0, most=2)
    for name in ("anna", "bert", "anna", "eve"):
        buckets.take(name, 0.0)
    assert len(buckets) == 2
    assert not buckets.take("anna", 0.0)  # she was used after bert
    assert buckets.take("bert", 0.0)


def test_who_has_paid_is_forgotten_and_nobody_else() -> None:
    buckets = Buckets[str](1.0, 2.0)
    buckets.take("eve", 0.0, 2)
    buckets.take("fred", 0.0)
    buckets.forget(1.0)
    assert len(buckets) == 1
    assert not buckets.take("eve", 1.0, 2)
    assert buckets.take("fred", 1.0, 2)


@given(st.lists(st.floats(0, 3, width=32), max_size=9), st.floats(0.1, 1000))
def test_who_waits_as_long_as_told_is_served_and_not_before(
    gaps: list[float], rate: float
) -> None:
    bucket, now = Bucket(rate, 2, 0), 0.0
    for gap in gaps:
        now += gap
        if not bucket.take(now):
            wait = bucket.wait(now)
            assert wait <= max(0.001, 1 / rate)
            if wait > 0.002:
                assert not bucket.take(now + wait * 0.9)
            now += wait * 1.001
            assert bucket.take(now)
