"""Find the one error for the user inside the groups that nurseries raise."""

from typing import cast

from netplay.errors import NetplayError


def single(group: BaseException) -> BaseException:
    """Return the error for the user inside of groups of one, or the group."""
    inner = group
    while isinstance(inner, BaseExceptionGroup):
        errors = cast("BaseExceptionGroup[BaseException]", inner).exceptions
        if len(errors) != 1:
            break
        inner = errors[0]
    return inner if isinstance(inner, NetplayError | KeyboardInterrupt) else group
