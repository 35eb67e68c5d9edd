"""A window names where notices of security releases are, and a node looks there."""

import os
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.errors import LocalError
from netplay.finding import news
from netplay.messages.node_questions import LookForNews
from netplay.record.log import SecretKey
from netplay.sentences import Says
from tests.patience import PATIENCE
from tests.said import like
from tests.system.nodes import Resident
from tools.release import signing

pytestmark = pytest.mark.processes

KEY = SecretKey(bytes(range(32)))
RELEASED = f"""
from functools import partial
from netplay.finding import news
news.first_note = partial(news.first_note, key="{KEY.key.hex()}")
"""
"""Gives a node a release key, as long as nobody has released Netplay with one."""


async def test_a_window_has_a_node_look_for_notices_and_look_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(RELEASED, "utf-8")
    below = filter(None, (str(tmp_path), os.environ.get("PYTHONPATH")))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(below))
    place = tmp_path / "news"
    place.write_bytes(signing.signed(KEY, "3\n2026-12-24\n99.0.0\nUpdate, please."))
    ann = Resident(tmp_path, 0)
    with trio.fail_after(PATIENCE):
        async with living(ann):
            assert ann.player.status is not None
            assert not ann.player.status.news
            with pytest.raises(LocalError, match=like(Says.NEWS_NOT_THERE)):
                await ann.player.ask(LookForNews(str(tmp_path / "none")))
            assert not ann.home.setting(news.PLACE)

            done = await ann.player.ask(LookForNews(str(place)))
            assert "99.0.0" in str(done.text)
            await ann.until(lambda status: status.news == str(place))
            assert ann.home.setting(news.PLACE) == str(place)

            await ann.player.ask(LookForNews(""))
            await ann.until(lambda status: not status.news)
            assert not ann.home.setting(news.PLACE)
