"""Values as JSON has them."""

from typing import Any

import msgspec


def plain(value: Any) -> Any:  # noqa: ANN401 (any struct)
    """Return a struct as JSON has it: arrays, and bytes in hexadecimal digits."""
    return _hexed(msgspec.to_builtins(value, builtin_types=(bytes,)))


def _hexed(value: Any) -> Any:  # noqa: ANN401 (any tree)
    """Return a tree with its bytes in hexadecimal digits."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [_hexed(each) for each in value]
    return value
