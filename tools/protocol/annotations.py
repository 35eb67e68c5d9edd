"""Annotations of the messages as protocol.md writes them: `array of 1 to 4 Member`."""

import ast
import sys
from typing import Final

_SIZES_IN: Final = ("types", "table", "log")
"""Modules of messages that name sizes."""


def described(node: ast.expr) -> str:
    """Return an annotation in words, limits included."""
    match node:
        case ast.Subscript(
            ast.Name("Annotated"),
            ast.Tuple([_, ast.Call(keywords=[ast.keyword("pattern", pattern)])]),
        ):
            return f"str that matches `{ast.literal_eval(pattern)}`"
        case ast.Subscript(ast.Name("Annotated"), ast.Tuple([kind, meta])):
            return _limited(kind, _limits(meta))
        case ast.Subscript(ast.Name("Literal"), choices):
            parts = choices.elts if isinstance(choices, ast.Tuple) else [choices]
            values = map(ast.literal_eval, parts)
            return " or ".join(
                f'"{value}"' if isinstance(value, str) else f"{value}"
                for value in values
            )
        case ast.Subscript(ast.Name("tuple"), ast.Tuple()):
            return _limited(node, {})
        case ast.BinOp(left, ast.BitOr(), right):
            return f"{described(left)} or {described(right)}"
        case _:
            # The module that names the types is not told.
            text = node.attr if isinstance(node, ast.Attribute) else ast.unparse(node)
            return {"bytes": "bin", "None": "nil"}.get(text, text)


def _limited(kind: ast.expr, limits: dict[str, int]) -> str:
    """Return a type with its limits."""
    match kind:
        case ast.Subscript(ast.Name("tuple"), ast.Tuple([each, ast.Constant()])):
            return f"array of {_span(limits)}{described(each)}"
        case ast.Subscript(ast.Name("tuple"), ast.Tuple(parts)):
            return f"[{', '.join(map(described, parts))}]"
        case ast.Name("int"):
            most = limits["lt"] - 1 if "lt" in limits else limits["le"]
            return f"int {limits['ge']}..{_power(most)}"
        case ast.Name("bytes"):
            return f"bin of {_span(limits)}bytes"
        case ast.Name("str"):
            return f"str of {_span(limits)}characters"
        case _:
            return described(kind)


def _span(limits: dict[str, int]) -> str:
    """Return how many there may be, with a space behind; empty without a limit."""
    least, most = limits.get("min_length", 0), limits.get("max_length")
    if most is None:
        return ""
    return f"{most} " if least == most else f"{least} to {most} "


def _power(value: int) -> str:
    """Return a number, the one large power of two as such."""
    return "2^53" if value == 2**53 else str(value)


def _limits(meta: ast.expr) -> dict[str, int]:
    """Return what a `Meta(...)` says."""
    assert isinstance(meta, ast.Call)
    return {k.arg: _number(k.value) for k in meta.keywords if k.arg is not None}


def _number(node: ast.expr) -> int:
    """Return a number that stands there, by name or in digits."""
    if isinstance(node, ast.Name):
        return size(node.id)
    if isinstance(node, ast.Attribute):
        return size(node.attr)
    if isinstance(node, ast.BinOp):
        assert isinstance(node.op, ast.Pow)
        return int(_number(node.left) ** _number(node.right))
    value = ast.literal_eval(node)
    assert isinstance(value, int)
    return value


def size(name: str) -> int:
    """Return a named size of the messages.

    Raises:
        KeyError: There is none of this name.
        ValueError: There are two, and nobody can tell which is meant.
    """
    modules = (sys.modules[f"netplay.messages.{each}"] for each in _SIZES_IN)
    found = {value for each in modules if (value := getattr(each, name, None))}
    if len(found) > 1:
        raise ValueError(name)
    for value in found:
        if isinstance(value, int):
            return value
    raise KeyError(name)
