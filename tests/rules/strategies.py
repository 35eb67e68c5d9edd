"""Hypothesis strategies made from the types that a game declares."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from tests.rules.wordlist import small

FEW = 8
"""Options with more values than this are tried at their ends and their default."""

integers = st.one_of(
    st.integers(-3, 40), st.integers(-(2**63), 2**64 - 1), st.sampled_from([2**31, 400])
)


PLAIN: dict[type[inspect.Type], st.SearchStrategy[Any]] = {
    inspect.NoneType: st.none(),
    inspect.BoolType: st.booleans(),
    inspect.IntType: integers,
    inspect.StrType: st.text(max_size=12),
    inspect.BytesType: st.binary(max_size=12),
}


def instances(declared: Any) -> st.SearchStrategy[Any]:
    """Return anything that the wire would let through as a value of a type.

    Bounds on numbers are not looked at: what they keep out, rules refuse too.
    """
    return _instances(inspect.type_info(declared))


def _instances(shape: inspect.Type) -> st.SearchStrategy[Any]:
    made = PLAIN.get(type(shape))
    match shape:
        case inspect.LiteralType(values):
            made = st.sampled_from(values)
        case inspect.EnumType(cls):
            made = st.sampled_from(list(cls))
        case inspect.VarTupleType(item_type=item):
            made = st.lists(_instances(item), max_size=9).map(tuple)
        case inspect.TupleType(item_types=items):
            made = st.tuples(*map(_instances, items))
        case inspect.UnionType(types=types):
            made = st.one_of(*map(_instances, types))
        case inspect.StructType(cls=cls, fields=fields):
            made = st.builds(cls, **{f.name: _instances(f.type) for f in fields})
        case _:
            pass  # one of PLAIN
    assert made is not None, f"{shape} may not stand in a state or a move"
    return made


def options(declared: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Return options in every combination that a game's struct of them declares.

    A number with bounds is tried at both ends, its default and between; text and
    numbers without bounds keep their defaults.  Word games get a small word list.
    """
    shape = inspect.type_info(declared)
    assert isinstance(shape, inspect.StructType)
    return st.builds(
        declared, **{f.name: st.sampled_from(list(choices(f))) for f in shape.fields}
    )


def all_options(declared: type[msgspec.Struct]) -> Iterable[Any]:
    """Return the same options as a plain list of all combinations."""
    shape = inspect.type_info(declared)
    assert isinstance(shape, inspect.StructType)
    names = [f.name for f in shape.fields]
    for values in product(*map(choices, shape.fields)):
        yield declared(**dict(zip(names, values, strict=True)))


def choices(field: inspect.Field) -> list[Any]:
    default = field.default
    if default is msgspec.NODEFAULT:
        default = field.default_factory()
    if field.name == "lexicon":
        return [small()]
    match field.type:
        case inspect.BoolType():
            return [default, not default]
        case inspect.LiteralType(values):
            return [default, *(value for value in values if value != default)]
        case inspect.EnumType(cls):
            return [default, *(value for value in cls if value != default)]
        case inspect.IntType() as shape:
            return [default, *(n for n in _few(shape) if n != default)]
        case _:
            return [default]


def _few(shape: inspect.IntType) -> list[int]:
    """Return the allowed numbers, or some if they are many, or none if unbounded."""
    low = shape.gt + 1 if shape.gt is not None else shape.ge
    high = shape.lt - 1 if shape.lt is not None else shape.le
    if low is None or high is None:
        return []
    allowed = [
        n
        for n in range(low, high + 1)
        if shape.multiple_of is None or n % shape.multiple_of == 0
    ]
    if len(allowed) <= FEW:
        return allowed
    return [*allowed[:2], allowed[len(allowed) // 2], allowed[-1]]
