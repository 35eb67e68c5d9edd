"""`netplay peers`: the nodes met so far, and how to forget one."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final, get_args

from msgspec.structs import replace

from netplay import home
from netplay.commands import Command
from netplay.commands.asking import ask, node_status
from netplay.commands.status import plain
from netplay.daemon.visit import Visit, answer_in
from netplay.fingerprint import invitation_or
from netplay.language import _, phrase
from netplay.messages import node_questions
from netplay.messages.door import Question, Status
from netplay.messages.node_questions import GetTalk, Switch, Talked, WriteTo
from netplay.text import phrases
from netplay.text.phrases import dht, inviting, known, ports

HELP = "the nodes met so far, with their keys, and those that are blocked"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--forget",
        metavar="WHOM",
        help="trust another key from now on; WHOM is a key, a name or an address",
    )
    parser.add_argument(
        "--unblock",
        metavar="WHOM",
        help="hear again from somebody who was blocked; WHOM is a key or a name",
    )
    parser.add_argument(
        "--friend",
        metavar="WHOM",
        help="treat as one whom you have called; WHOM is a key or a name",
    )
    parser.add_argument(
        "--new-key",
        nargs=2,
        type=invitation_or,
        metavar=("WHOM", "KEY"),
        help="take a friend back who has lost the key; WHOM is the old key or the "
        "name, KEY the new fingerprint or invitation, which you got on another way",
    )
    parser.add_argument(
        "--call",
        nargs=2,
        metavar=("WHOM", "NAME"),
        help="call somebody by a name of your own; an empty one for theirs",
    )
    parser.add_argument(
        "--note",
        nargs=2,
        metavar=("WHOM", "TEXT"),
        help="note something of somebody, for you alone",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the nodes, or do something about one."""
    wishes: dict[str, Callable[..., Question]] = {
        "new_key": node_questions.Succeed,
        "friend": node_questions.Befriend,
        "unblock": node_questions.Unblock,
        "forget": node_questions.Forget,
        "call": partial(_noted, "called"),
        "note": partial(_noted, "note"),
    }
    for name, question in wishes.items():
        if wish := getattr(arguments, name):
            return ask(question(*([wish] if isinstance(wish, str) else wish)))
    with Visit(home.find(None)) as visit:
        found, status = _known(visit), visit.status()
    if arguments.json:
        print(json.dumps(plain(found)))
        return 0
    print("\n".join(lines(found, status)))
    return 0


def lines(found: Sequence[node_questions.KnownNode], status: Status) -> Iterator[str]:
    """Yield the nodes as people read of them."""
    here = {peer.key for peer in status.peers if peer.connected}
    seen = {key: ago for key, ago in status.seen if key not in here}
    for one in found:
        name = one.name or _("(no name)")
        if one.personal.called:
            name = f"{one.personal.called} ({name})"
        note = _("blocked by you") if one.blocked else ", ".join(one.addresses)
        doubt = f" ({phrase(one.doubt)})" if one.doubt else ""
        last = phrases.lasting(seen.get(one.key, 0))
        greets = status.network.greet  # else nobody knows who is asleep
        words = _("asleep for {time}") if greets else _("last here {time} ago")
        last = words.format(time=last) if last else ""
        parts = [one.key, name + doubt, note, last, one.personal.note]
        yield "  ".join(filter(None, parts))
    if not found:
        yield _("nobody has been met yet")


def _known(visit: Visit) -> tuple[node_questions.KnownNode, ...]:
    """Return who was met."""
    data = visit.ask(node_questions.GetKnown()).data
    found: tuple[node_questions.KnownNode, ...] = answer_in(
        data, tuple[node_questions.KnownNode, ...]
    )
    return found


def _noted(field: str, whom: str, text: str) -> node_questions.Describe:
    """Return the question that notes one thing of somebody, and leaves the others."""
    with Visit(home.find(None)) as visit:
        found = _known(visit)
    same = (one for one in found if whom in (one.key, one.name, one.personal.called))
    now = next((one.personal for one in same), node_questions.Personal())
    return node_questions.Describe(whom, replace(now, **{field: text}))


# `netplay nearby`: tables found on this network.


def add_nearby(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--beacon",
        choices=("on", "off"),
        help="tell the network of this node's tables and hear of others, or not; kept",
    )


def run_nearby(arguments: argparse.Namespace) -> int:
    """Print the tables."""
    if arguments.beacon:
        return ask(Switch("beacon", on=arguments.beacon == "on"))
    status = node_status()
    found = status.nearby
    if arguments.json:
        print(json.dumps(plain(found)))
        return 0
    for one in found:
        what = _("{game} is being played") if one.game else _("waits to be called")
        if one.free:
            what = _("{game}, {count} free")
        what = what.format(game=one.game, count=one.free)
        doubt = f" ({phrase(one.doubt)})" if one.doubt else ""
        version = _("version {version}").format(version=one.version)
        print(f"{one.address}  {one.name}{doubt}: {what}, {version}")
        print(f"    {one.invitation}")
    if not status.network.beacon:
        print(_("the beacon is off (netplay nearby --beacon on)"))
    elif not found:
        print(_("nobody found; are both computers on the same network?"))
    return 0


# `netplay reach`: can others reach the running node?.


def add_reach(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--map-port",
        action=argparse.BooleanOptionalAction,
        help="from now on ask the router to let players in, or no more",
    )
    parser.add_argument(
        "--ask-servers",
        action=argparse.BooleanOptionalAction,
        help="from now on ask public servers, which are other people's, from which "
        "address and port your calls come, or no more",
    )
    parser.add_argument(
        "--servers",
        metavar="ADDRESSES",
        help="which (STUN over TCP), instead of the usual ones; empty for those",
    )
    parser.add_argument(
        "--dht",
        action=argparse.BooleanOptionalAction,
        help="from now on look in the public DHT for missing friends, and for whoever "
        "pastes your last invitation, or no more; the strangers who run it see your "
        "address and your friend's, and when you look, but not names or games",
    )
    parser.add_argument(
        "--dht-nodes",
        metavar="ADDRESSES",
        help="by which of its nodes to enter, instead of the usual ones; empty for "
        "those",
    )
    parser.add_argument(
        "--through",
        type=invitation_or,
        metavar="INVITATION",
        help="be reached through this friend's node, too, if it carries",
    )
    parser.add_argument(
        "--not-through",
        type=invitation_or,
        metavar="WHOM",
        help="no longer; WHOM is a name, a key or an invitation",
    )
    parser.add_argument(
        "--carry",
        choices=get_args(node_questions.Carry),
        help="for whom this node carries: nobody, those it knows, or also those whom "
        "these name",
    )


def _wishes(arguments: argparse.Namespace) -> Iterator[Question]:
    """Yield what is to be another way from now on."""
    if arguments.map_port is not None:
        yield node_questions.Switch("map-port", arguments.map_port)
    if arguments.servers is not None:
        yield node_questions.NameServers(arguments.servers)
    if arguments.ask_servers is not None:
        yield node_questions.Switch("ask-servers", arguments.ask_servers)
    if arguments.dht_nodes is not None:
        yield node_questions.NameEntries(arguments.dht_nodes)
    if arguments.dht is not None:
        yield node_questions.Switch("dht", arguments.dht)
    if arguments.carry:
        yield node_questions.SetCarry(arguments.carry)
    if arguments.not_through:
        yield node_questions.RemoveCarrier(arguments.not_through)
    if arguments.through:
        yield node_questions.AddCarrier(arguments.through)


def run_reach(arguments: argparse.Namespace) -> int:
    """Print what is known; fail only if a peer tried and did not succeed."""
    with Visit(home.find(None)) as visit:
        for wish in _wishes(arguments):
            done = visit.ask(wish)
            print(phrase(done.text), file=sys.stderr)
        words = visit.ask(node_questions.CheckReach()).text
        network = visit.status().network
    if arguments.json:
        print(
            json.dumps(
                {
                    "reach": network.reach,
                    "reason": plain(words),
                    "ports": network.ports,
                    "places": plain(network.places),
                }
            )
        )
    else:
        print(phrase(words))
        for place in network.places:
            print(f"  {place.address}: {known(place)}")
        router = phrase(network.mapping)
        for more in (router, dht(network), ports(network), inviting(network)):
            if more:
                print(more)
    return 1 if network.reach == "no" else 0


# `netplay write`: write to a friend with whom there need be no table, and read.


SHOWN: Final = 20
"""Lines printed, the last of them, unless all are asked for."""


def add_write(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("whom", metavar="FRIEND", help="the friend's name or key")
    parser.add_argument(
        "text",
        nargs="*",
        metavar="TEXT",
        help="the line; without one, what was written is printed",
    )
    parser.add_argument("--all", action="store_true", help="all that is kept of it")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_write(arguments: argparse.Namespace) -> int:
    """Write a line, or print what was written."""
    if arguments.text:
        return ask(WriteTo(arguments.whom, " ".join(arguments.text)))
    with Visit(home.find(None)) as visit:
        talk: Talked = answer_in(visit.ask(GetTalk(arguments.whom)).data, Talked)
        friends: dict[str, str] = {key: n for n, key in visit.status().friends}
    lines = talk.lines if arguments.all else talk.lines[-SHOWN:]
    if arguments.json:
        print(json.dumps(plain(lines)))
        return 0
    name = friends.get(talk.key) or str(arguments.whom)
    for line in lines:
        # A line with its time and author, and whether it has come
        at = datetime.fromtimestamp(line.at).astimezone().strftime("%Y-%m-%d %H:%M")
        author = _("you") if line.mine else name
        late = (
            "" if line.there or not line.mine else " (" + _("not delivered yet") + ")"
        )
        print(f"{at} {author}: {line.text}{late}")
    if talk.by and lines:
        print(_("{name} keeps it until your friend comes").format(name=talk.by))
    if not lines:
        print(_("nothing was written yet"))
    return 0


ROWS: Final[Mapping[str, Command]] = {
    "nearby": Command(
        HELP="tables found on this network", add=add_nearby, run=run_nearby
    ),
    "reach": Command(
        HELP=(
            "ask connected peers to dial this node, and say whether others can reach it"
        ),
        add=add_reach,
        run=run_reach,
    ),
    "write": Command(
        HELP=("write to a friend, without a table; or read what you two have written"),
        add=add_write,
        run=run_write,
    ),
}
"""What else is here, beside the command of this name."""
