"""What sockets are told on each of the three systems."""

import os
import socket
import struct
import subprocess
import sys
from select import select

import pytest

from netplay.system import sockets
from tests.patience import PATIENCE
from tests.system.namespaces import loopback_alone, missing

SYSTEMS = ("linux", "darwin", "win32")


class Sock:
    """A socket that notes its options, and answers with bytes."""

    def __init__(self, answer: bytes = b"") -> None:
        self.answer = answer
        self.told: list[tuple[int, ...]] = []
        self.error: OSError | None = None

    def setsockopt(self, *words: int) -> None:
        self.told.append(words)
        if self.error is not None:
            raise self.error

    def getsockopt(self, *words: int) -> bytes:
        self.told.append(words)
        return self.answer[: words[2]]


def test_each_system_says_who_is_at_the_other_end_if_it_can() -> None:
    linux = Sock(struct.pack("3i", 4321, 1000, 100))
    assert sockets.peer_user(linux, "linux") == 1000
    mac = Sock(struct.pack("2Ih2x16I", 0, 501, 1, 20, *([0] * 15)))
    assert sockets.peer_user(mac, "darwin") == 501
    assert mac.told == [(0, 1, 76)]
    assert sockets.peer_user(Sock(), "win32") is None


@pytest.mark.skipif(sys.platform == "win32", reason="has no Unix sockets")
def test_here_it_is_whoever_runs_this() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert sockets.peer_user(ours) in {os.getuid(), None}
        if sys.platform in {"linux", "darwin"}:
            assert sockets.peer_user(ours) == os.getuid()


@pytest.mark.parametrize("platform", SYSTEMS)
def test_two_programs_share_a_port_where_they_are_meant_to_alone(platform: str) -> None:
    again = (socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener, hearer = Sock(), Sock()
    sockets.listens_again(listener, platform)
    sockets.hears_beside_others(hearer, platform)
    assert listener.told == ([] if platform == "win32" else [again])
    assert hearer.told[0] == again
    assert len(hearer.told) == (2 if platform == "darwin" else 1)
    assert sockets.has_unix(platform) is (platform != "win32")
    assert sockets.shares_port(platform) is (
        platform != "win32" and hasattr(socket, "SO_REUSEPORT")
    )


def test_only_linux_is_asked_to_send_again_sooner_and_may_be_too_old() -> None:
    for platform in SYSTEMS:
        sock = Sock()
        sockets.resends_soon(sock, 1000, platform)
        told = [(socket.IPPROTO_TCP, 44, 1000)] if platform == "linux" else []
        assert sock.told == told
    old = Sock()
    old.error = OSError(92, "Protocol not available")
    sockets.resends_soon(old, 1000, "linux")
    assert len(old.told) == 1


def test_the_system_tells_that_addresses_have_changed() -> None:
    """In a network of the test's own: the computer's stays as it is."""
    if why := missing():
        pytest.skip(why)
    with loopback_alone():
        sock = sockets.address_news()
        assert sock is not None
        with sock:
            assert not select([sock], [], [], 0)[0]
            words = "ip", "addr", "add", "127.77.7.7/32", "dev", "lo"
            subprocess.run(words, check=True)
            assert select([sock], [], [], PATIENCE)[0]


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_elsewhere_nobody_tells(platform: str) -> None:
    assert sockets.address_news(platform) is None
