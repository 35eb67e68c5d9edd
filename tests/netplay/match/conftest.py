"""What tests of matches may use."""

from typing import Any

import pytest

from netplay.bag.shuffle import BESIDES, PER_TILE
from netplay.match import masks
from netplay.record import proving
from netplay.record.masked import Mixed
from tests.simulation.bags import once


@pytest.fixture
def unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let mixings go without their proofs, and one member check a lift for all.

    Both take most of the time.
    """

    def no_proof(_step: Any, _mask: int, old: Any, *_rest: Any) -> bytes:
        return bytes(PER_TILE * len(old) + BESIDES)

    monkeypatch.setattr(masks, "prove", no_proof)
    monkeypatch.setattr(Mixed, "check", lambda _mixed: None)
    for name in ("check_key", "check_lift"):
        monkeypatch.setattr(proving, name, once(getattr(proving, name)))
