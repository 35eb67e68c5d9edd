"""What shows notifications on a desktop, where there is none: it writes them down.

`python -m tests.client.desktop_service FILE` serves the bus that the environment names.
"""

import asyncio
import sys
from functools import partial
from pathlib import Path

from dbus_fast import Message, SignatureTree
from dbus_fast.aio import MessageBus

NAME = "org.freedesktop.Notifications"

TAKES = {
    "GetCapabilities": ("", "as"),
    "GetServerInformation": ("", "ssss"),
    "Notify": ("susssasa{sv}i", "u"),
    "CloseNotification": ("u", ""),
}
"""Method -> what it takes and what it returns, as the bus writes types."""


def described() -> str:
    """Return what the service says of itself."""
    methods = ""
    for method, ways in TAKES.items():
        kinds = zip(("in", "out"), map(SignatureTree, ways), strict=True)
        arguments = "".join(
            f'<arg type="{kind.signature}" direction="{way}"/>'
            for way, tree in kinds
            for kind in tree.types
        )
        methods += f'<method name="{method}">{arguments}</method>'
    return f'<node><interface name="{NAME}">{methods}</interface></node>'


def answer(file: Path, message: Message) -> Message | None:
    """Answer as the service that freedesktop describes, as much as is asked for."""
    if message.member == "Introspect":
        return Message.new_method_return(message, "s", [described()])
    if message.interface != NAME:
        return None
    match message.member:
        case "GetCapabilities":
            return Message.new_method_return(message, "as", [["body", "body-markup"]])
        case "GetServerInformation":
            about = ["test", "netplay", "1", "1.2"]
            return Message.new_method_return(message, "ssss", about)
        case "Notify":
            title, body = message.body[3:5]
            with file.open("a", encoding="utf-8") as notes:
                notes.write(f"{title}|{body}\n")
            return Message.new_method_return(message, "u", [1])
        case _:
            return Message.new_method_return(message)


async def serve(file: Path) -> None:
    """Serve until ended."""
    bus = await MessageBus().connect()
    bus.add_message_handler(partial(answer, file))
    await bus.request_name(NAME)
    await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    Path(sys.argv[1]).touch()
    asyncio.run(serve(Path(sys.argv[1])))
