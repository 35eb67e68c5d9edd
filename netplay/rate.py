"""How often something may happen: a token bucket, told the time."""


class Bucket:
    """Allow a sustained rate and a burst above it."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        """Start full.

        Args:
            rate: Tokens that come back a second.
            burst: Tokens the bucket holds.
            now: Seconds on the clock that `take` will be told.
        """
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at = now

    def take(self, now: float, tokens: float = 1) -> bool:
        """Take a token, or several; return whether there were so many."""
        gained = (now - self._at) * self._rate
        self._tokens = min(self._burst, self._tokens + gained)
        self._at = now
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True

    def full(self, now: float) -> bool:
        """Return whether the bucket has nothing left to remember."""
        return self._tokens + (now - self._at) * self._rate >= self._burst
