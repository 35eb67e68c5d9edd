"""Rows of tabs: words, of which those of the page that is seen are underlined."""

from collections.abc import Sequence

from msgspec.structs import replace

from client.scene import Node, Rect, Role, Shape
from client.theme import Look
from client.widgets import Tone, button, button_width, group


def row(
    name: str, rect: Rect, titles: Sequence[str], chosen: int, look: Look,
    numbers: Sequence[int] = (),
) -> Node:  # fmt: skip
    """Return a row of tabs named `name:0`, `name:1`..., or by numbers of their own.

    The chosen one is underlined.
    """
    kids: list[Node] = []
    x = rect.x
    wides = [button_width(title, look) for title in titles]
    slack = rect.w - sum(wides) - look.px(4) * (len(titles) - 1)
    numbers = numbers or range(len(titles))
    for number, title, whole in zip(numbers, titles, wides, strict=True):
        wide = whole + min(0, slack) // len(titles)  # the padding gives way
        spot = Rect(x, rect.y, wide, rect.h)
        here = number == chosen
        face = button(f"{name}:{number}", spot, title, look, tone=Tone.QUIET)
        ink = look.theme.accent if here else look.theme.text
        below = (_underline(spot, title, look),) if here else ()
        kids.append(
            replace(face, role=Role.TAB, fg=ink, bold=here, selected=here, kids=below)
        )
        x += wide + look.px(4)
    return group(rect, kids, name=name)


def _underline(rect: Rect, text: str, look: Look) -> Node:
    wide = min(rect.w, look.width(text, look.body, bold=True))
    thick = look.px(3)
    spot = Rect(rect.centre[0] - wide // 2, rect.bottom - thick, wide, thick)
    return Node(
        Role.LABEL, "", spot, shape=Shape.ROUND, radius=thick // 2,
        bg=look.theme.accent,
    )  # fmt: skip
