"""What tests of matches may use."""

from tests.netplay.match.encrypted import unproved

__all__ = ["unproved"]
