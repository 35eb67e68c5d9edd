"""The chairs of a table that is being formed: what a user says of them, and back."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says

ChairKind: TypeAlias = Literal["person", "computer", "program", "remote"]

SKILL: Final = 50
"""Of a computer player whose skill was not said."""


class Chair(Struct, frozen=True):
    """A seat of a table that is being formed."""

    kind: ChairKind
    name: str
    """Empty for a remote seat that nobody has taken."""
    skill: int = 0
    address: str = ""
    """For whom it is kept; empty for whoever comes first."""
    comment: str = ""
    key: bytes | None = None
    """The peer who has taken a remote seat."""
    calls: bool = True
    """Call there until somebody has taken it."""
    program: str = ""
    """Where the program lies that plays here."""


def read_chair(text: str) -> Chair:
    """Return the chair that a user described.

    Args:
        text: `person[:NAME]`, `computer[:0-100]`, `program:PATH` or
            `remote[:ADDRESS [comment]]`.

    Raises:
        LocalError: USAGE, it is none of these.
    """
    kind, _, rest = text.strip().partition(":")
    rest = rest.strip()
    match kind.strip().lower():
        case "person":
            return Chair("person", clean(rest, NAME_CHARACTERS))
        case "computer":
            return Chair("computer", "", _read_skill(rest))
        case "program":
            return Chair("program", "", SKILL, program=rest)
        case "remote":
            address, _, comment = rest.partition(" ")
            return Chair("remote", "", address=address, comment=comment.strip())
        case _:
            detail = Says.SEAT_KINDS(word=text)
            raise LocalError(Code.USAGE, detail)


def _read_skill(text: str) -> int:
    """Return a computer player's skill.

    Raises:
        LocalError: USAGE, it is no number from 0 to 100.
    """
    if not text:
        return SKILL
    if not text.isdecimal() or int(text) > 100:
        raise LocalError(Code.USAGE, Says.SKILL_RANGE(word=text))
    return int(text)


def described(chair: Chair) -> str:
    """Return a chair as a user would describe it."""
    match chair.kind:
        case "person":
            return f"person:{chair.name}"
        case "computer":
            return f"computer:{chair.skill}"
        case "program":
            return f"program:{chair.program}"
        case _:
            return f"remote:{chair.address} {chair.comment}".strip()


def named(chairs: Sequence[Chair], name: str) -> tuple[Chair, ...]:
    """Return chairs with names for persons and computers that have none."""
    named: list[Chair] = []
    for number, chair in enumerate(chairs, 1):
        default = ""
        if chair.kind == "computer":
            default = f"Computer {number}"
        elif chair.kind == "program":
            default = f"Program {number}"
        elif chair.kind == "person":
            taken = any(other.kind == "person" for other in named)
            default = clean(f"{name} {number}", NAME_CHARACTERS) if taken else name
        named.append(replace(chair, name=chair.name or default))
    return tuple(named)
