"""The questions whether router, public servers and the DHT may be asked.

Each is asked once, by itself; the last also by a click on the page Connection.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from client.app.clicks import taker
from client.app.model import Change, Model, Over, Page, ask, same
from client.pages import question
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from netplay.messages.node_questions import Setting, Switch

SETTINGS: Final[Mapping[Over, Setting]] = {
    Over.ROUTER: "map-port",
    Over.SERVERS: "ask-servers",
    Over.MEET: "dht",
    Over.DHT: "dht",
}
"""What each is about; the last from the page Connection."""


class MayDht(Means, frozen=True):
    """Ask whether missing friends may be looked for in public."""


class Answer(Means, frozen=True):
    """Whether they may be asked."""

    setting: Setting
    on: bool


def offered(model: Model) -> Model:
    """Return the model with a question, if the node would have it asked now.

    Never over a match, and not again in a window that has put it away, or refused
    another.  Once all who were awaited have come, or a match begins, it is too late.
    """
    playing, come = model.page is Page.MATCH, _from_elsewhere(model)
    meets = come or (model.status is not None and model.status.mode == "calling")
    late = playing or not (meets if model.over is Over.MEET else come)
    if model.over in question.OF_NETWORK and late:
        return replace(model, over=Over.NONE)
    if model.status is None or model.over is not Over.NONE or playing:
        return model
    if not question.calm(model):
        return model
    network = model.status.network
    for wanted, over in (
        (come and network.may_ask, Over.ROUTER),
        (come and network.may_ask_servers, Over.SERVERS),
        (meets and network.may_ask_dht, Over.MEET),
    ):
        if wanted and over not in model.put_off:
            return replace(model, over=over, open="")
    return model


def _from_elsewhere(model: Model) -> bool:
    """Tell whether somebody may come who is not on the same network.

    At a table for people nearby alone the router lets nobody in.
    """
    table, status = model.table, model.status
    if status is None:
        return False
    if table is None:
        opened = [g for g in status.games if g.mode == "hosting" and not g.match]
        # Where the game can begin all have come
        return status.mode == "answering" or not all(one.mine for one in opened)
    if not table.hosting:
        return False
    near = {one.key for one in status.nearby}
    awaited = [seat for seat in table.seats if seat.kind == "remote"]
    return any(
        seat.address.partition(" ")[0] not in near and seat.key not in near
        for seat in awaited
        if seat.state == "awaited"
    )


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    setting = SETTINGS[model.over]
    text = _(
        "Shall Netplay ask your router to let friends in from the internet, for "
        "as long as it runs?"
    )
    if model.over is Over.SERVERS and model.status is not None:
        text = _(
            "So far your invitation works on your own network only. May Netplay ask "
            "public servers, run by others, for your address on the internet? They "
            "see that address, and nothing of your games: {servers}"
        ).format(servers=", ".join(model.status.network.servers))
    if setting == "dht" and model.status is not None:
        text = _(
            "May Netplay use the public DHT, a directory on the internet, to find "
            "friends who cannot be reached, and whoever has your invitation or sent "
            "you one? Strangers run it; the way in is {nodes}. They see your address "
            "and your friend’s, and when you look, but neither your names nor your "
            "games. Your friend has to say yes, too."
        ).format(nodes=", ".join(model.status.network.dht_nodes))
    title = _("Over the internet")
    yes, no = Answer(setting, True), Answer(setting, False)
    name = model.over.value
    return (question.dialog(model, window, name, title, text, yes=yes, no=no),)


def escaped(model: Model) -> Change:
    """Take it for a *Not now*."""
    return same(_put_off(model, refused=True))


def _put_off(model: Model, *, refused: bool) -> Model:
    """Return the model without the question; who refuses is asked for no other way.

    The page Network has them all, for who wants one later.
    """
    if model.over is Over.DHT:  # it was asked from there, and may be asked again
        return replace(model, over=Over.CONNECTION)
    done = question.OF_NETWORK if refused else {model.over}
    return replace(model, over=Over.NONE, put_off=model.put_off | done)


@taker
def _may_dht(model: Model, message: MayDht) -> Change:
    return same(replace(model, over=Over.DHT, open=""))


@taker
def _answered(model: Model, message: Answer) -> Change:
    model = _put_off(model, refused=not message.on)
    return ask(model, Switch(message.setting, on=message.on), "network")
