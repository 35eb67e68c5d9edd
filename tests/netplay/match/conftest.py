"""What tests of matches may use."""

from typing import Any

import pytest

from netplay.bag.shuffle import BESIDES, PER_TILE
from netplay.match import masks
from netplay.record.masked import Mixed


@pytest.fixture
def unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let mixings go without their proofs, which take most of the time."""

    def no_proof(_step: Any, _mask: int, old: Any, *_rest: Any) -> bytes:
        return bytes(PER_TILE * len(old) + BESIDES)

    monkeypatch.setattr(masks, "prove", no_proof)
    monkeypatch.setattr(Mixed, "check", lambda _mixed: None)
