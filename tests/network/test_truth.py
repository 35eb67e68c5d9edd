"""What `netplay reach` says at each kind of home, beside what is so there."""

import shutil
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Status
from netplay.messages.node_questions import NameServers, Switch
from netplay.sentences import Says
from tests.network.homes import KINDS, STEADY_PORT, STUN_PORT, Truth, answer_where
from tests.network.laboratory import Dweller, Host, lab
from tests.network.test_lines import run
from tests.patience import PATIENCE
from tests.said import says
from tests.system.nodes import host

pytestmark = pytest.mark.processes

WEB = 443
"""Where friend and servers take calls: from everywhere they can be called there."""

OFTEN = ("keeps-drops", "hotel")
"""Kinds that are tried each time; the others where there is time."""


def turnserver(server: Host, at: int) -> tuple[str, ...]:
    """Return how other people's server is started that tells callers where they are."""
    only = ("--stun-only", "--no-cli", "--no-tls", "--no-dtls", "--log-file=stdout")
    where = (f"--listening-ip={server.addresses[0]}", f"--listening-port={at}")
    return ("turnserver", "-n", *only, *where, "--pidfile=/dev/null")


def ports_of(truth: Truth) -> str:
    """Return what is true of the port where the node listens."""
    if truth.web:
        return "web"
    return "own" if truth.asks or not truth.four else truth.ports


def is_settled(status: Status, truth: Truth) -> bool:
    """Tell whether all who are asked have told: servers, router and friend."""
    found, ports = status.network, ports_of(truth)
    mapped = bool(found.external) or not truth.asks
    told = found.ports == ("unknown" if ports == "own" else ports)
    return told and mapped and found.reached != Says.REACH_UNKNOWN()


def ports_said(truth: Truth) -> dict[str, bool]:
    """Return which sentences of ports are true; none where they are no matter."""
    ports = ports_of(truth)
    return {
        str(Says.PORTS_KEEP()): ports == "keeps",
        str(Says.PORTS_STEADY(outer=STEADY_PORT)): ports == "steady",
        str(Says.PORTS_RANDOM()): ports == "random",
        str(Says.PORTS_WEB()): ports == "web",
    }


def reached_said(admits: str, kind: str, *, router: bool) -> str:
    """Return the beginning of what is true of a friend that was called before."""
    if admits == "nobody":
        return f"not reached by {kind}"
    weak = ", but you had called there first" if router else ""
    return f"Ada reached this node from the internet, by {kind}{weak}"


@pytest.mark.parametrize(
    "kind",
    [pytest.param(k, marks=[] if k in OFTEN else [pytest.mark.slow]) for k in KINDS],
)
@pytest.mark.parametrize(
    "coturn", [False, pytest.param(True, marks=pytest.mark.slow, id="coturn")]
)
async def test_no_sentence_of_reach_is_false(
    kind: str, tmp_path: Path, *, coturn: bool
) -> None:
    if coturn and shutil.which("turnserver") is None:
        pytest.skip("no turnserver is installed")
    truth, build = KINDS[kind]
    with lab("miniupnpd") as found, trio.fail_after(2 * PATIENCE):
        inside = build(found, 3, tmp_path)
        outside = found.host("friend")
        found.online(outside, 1)
        ann = Dweller(tmp_path, 0, outside, port=WEB)
        bob = Dweller(tmp_path, 1, inside, "--map-port")
        servers = [found.host(f"s{n}") for n in (11, 12)]
        for number, server in enumerate(servers, 11):
            found.online(server, number)
        async with trio.open_nursery() as nursery, living(ann, bob):
            # As the usual servers: one of them at a port of the web.
            for server, at in zip(servers, (WEB, STUN_PORT), strict=True):
                if coturn:
                    found.runs(server, turnserver(server, at), tmp_path / "coturn.log")
                else:
                    nursery.start_soon(answer_where, server, at)
            await bob.player.ask(NameServers(f"8.9.11.2:{WEB} 8.9.12.2:{STUN_PORT}"))
            await bob.player.ask(Switch("ask-servers", on=True))
            await host(ann, 1, 8)
            four = f"8.9.1.2:{WEB}" if truth.four else f"[2a00:9:1::2]:{WEB}"
            code, told = await run(bob, "join", four)
            assert code == 0, told
            with trio.fail_after(PATIENCE):
                await bob.until(lambda status: is_settled(status, truth))
            _code, told = await run(bob, "reach")
            nursery.cancel_scope.cancel()
        print(told)
        for sentence, true in ports_said(truth).items():
            assert (sentence in told) == true, sentence
        if truth.four:
            admits = "anybody" if truth.asks else truth.admits
            router = truth.ports != "own" and not truth.asks
            assert reached_said(admits, "IPv4", router=router) in told
        if truth.six and not truth.four:
            assert reached_said(truth.six, "IPv6", router=False) in told
        # By the family that was not called the friend may try nothing.
        if truth.six != "anybody":
            assert not says(told, Says.REACHED, kind="IPv6")
        if truth.six != "nobody":
            assert not says(told, Says.NOT_REACHED, kind="IPv6")
        if truth.ports == "random" and not truth.six:
            assert says(told, Says.PORTS_RANDOM)
            assert not says(told, Says.ADVICE_ROUTER)


async def test_who_is_on_no_network_is_told_that_and_nothing_that_cannot_help(
    tmp_path: Path,
) -> None:
    words = {str(Says.REACH_UNKNOWN()), str(Says.INVITES_NEAR())}
    advice = str(Says.NO_COMMON_KIND(kinds="IPv4"))
    with lab("miniupnpd") as found, trio.fail_after(2 * PATIENCE):
        alone = found.host("alone")
        bob = Dweller(tmp_path, 1, alone, "--no-map-port")
        async with living(bob):
            for cable in ("none", "in", "out"):
                if cable == "in":
                    found.online(alone, 3)
                elif cable == "out":
                    alone.unplug("wan")
                online = cable == "in"
                await bob.until(
                    lambda s, online=online: bool(s.network.places) == online
                )
                _code, told = await run(bob, "reach")
                assert (str(Says.NO_NETWORK()) in told) != online, told
                if online:
                    continue
                assert not any(each in told for each in words), told
                code, told = await run(bob, "join", "8.9.77.2")
                assert code == 1
                assert str(Says.NO_WAY_TO(place="8.9.77.2:4770")) in told
                assert advice not in told, told
