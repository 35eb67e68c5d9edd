"""Hypothesis strategies for messages, made from their types and limits."""

import types
import typing
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from hypothesis import strategies as st
from msgspec import Meta, Struct


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Values of an annotation, within the limits that stand in it."""
    meta = Meta()
    if get_origin(kind) is Annotated:
        kind, meta = get_args(kind)[:2]
    if get_origin(kind) in (Union, types.UnionType):
        return st.one_of([values(part) for part in get_args(kind)])
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    if get_origin(kind) is tuple:
        return _tuples(get_args(kind), meta)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _structs(kind)
    return _plain(kind, meta)


@lru_cache
def _structs(kind: type[Struct]) -> st.SearchStrategy[Any]:
    return st.deferred(lambda: _built(kind))  # one may hold others of its kind


def _built(kind: type[Struct]) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = [f.name for f in msgspec.structs.fields(kind)]
    return st.builds(kind, **{name: values(hints[name]) for name in fields})


def _tuples(parts: tuple[Any, ...], meta: Meta) -> st.SearchStrategy[Any]:
    if parts[-1] is not Ellipsis:
        return st.tuples(*map(values, parts))
    least = meta.min_length or 0
    most = min(meta.max_length or 4, least + 4)
    return st.lists(values(parts[0]), min_size=least, max_size=most).map(tuple)


def _plain(kind: Any, meta: Meta) -> st.SearchStrategy[Any]:
    if kind is type(None):
        return st.none()
    if kind is bool:
        return st.booleans()
    if kind is int:
        most = meta.le if meta.lt is None else meta.lt - 1
        return st.integers(
            -(2**63) if meta.ge is None else int(meta.ge),
            2**63 - 1 if most is None else int(most),
        )
    least, most = meta.min_length or 0, meta.max_length
    if kind is bytes:
        return st.binary(min_size=least, max_size=min(most or 200, 200))
    assert kind is str, kind
    letters = st.characters(exclude_categories=["Cs"])
    return st.text(letters, min_size=least, max_size=min(most or 40, 40))
