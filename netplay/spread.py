"""Work handed out to processes of this computer, or to several computers, in its order.

Each piece has a number, from 0.  Which process is the faster makes no difference: the
results come in the order of the numbers, and a piece that was lost with its worker is
done again by another.
"""

import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from threading import Lock
from typing import Any, Final, Protocol, TypeVar

from netplay import VERSION
from netplay.errors import Code, LocalError
from netplay.sentences import Says

AHEAD: Final = 2
"""Pieces given out to each process at a time."""

CALL_SECONDS: Final = 15
"""For the scheduler to answer."""

W = TypeVar("W")
T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Future(Protocol[T_co]):
    """What is being done elsewhere."""

    def result(self) -> T_co:
        """Wait for what came of it."""
        ...


@contextmanager
def spread(
    do: Callable[[W, int], T],
    wanted: W,
    pieces: Iterable[int],
    jobs: int = 1,
    scheduler: str = "",
) -> Generator[Iterator[T]]:
    """Give the results of pieces of work; who has enough of them stops.

    Args:
        do: Does a piece, by what is wanted and its number: a function of a module.
        wanted: The same for all pieces, in values that can be sent.
        pieces: Their numbers; there may be no end of them.
        jobs: Processes here.
        scheduler: The address of Dask's scheduler whose workers do it; empty for none.

    Raises:
        LocalError: USAGE, there is no such scheduler, or its workers are of another
            version; FAULT, they have failed.
    """
    with ExitStack() as stack:
        if scheduler:
            client, workers = stack.enter_context(_cluster(scheduler))
            # The same piece asked for twice may be the work of two players of chance.
            away = partial(client.submit, _alone, do, wanted, pure=False)
            yield _failing(_in_order(away, pieces, workers))
        elif jobs > 1:
            pool = ProcessPoolExecutor(jobs, get_context("spawn"))
            stack.callback(pool.shutdown, wait=True, cancel_futures=True)
            yield _in_order(lambda n: pool.submit(do, wanted, n), pieces, jobs)
        else:
            yield map(partial(do, wanted), pieces)


def _in_order(
    submit: Callable[[int], Future[T]], pieces: Iterable[int], workers: int
) -> Iterator[T]:
    """Yield what comes of all pieces, a few of them given out beforehand."""
    ahead: deque[Future[T]] = deque()
    for number in pieces:
        ahead.append(submit(number))
        if len(ahead) > AHEAD * workers:
            yield ahead.popleft().result()
    while ahead:
        yield ahead.popleft().result()


@contextmanager
def _cluster(address: str) -> Generator[tuple[Any, int]]:
    """Give a way to a scheduler, and how many workers it has."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise LocalError(Code.USAGE, Says.NO_DISTRIBUTED()) from None
    try:
        client = distributed.Client(address, timeout=CALL_SECONDS)
    except (OSError, ValueError) as error:
        why = str(error) or type(error).__name__
        detail = Says.NO_SCHEDULER(address=address, why=why)
        raise LocalError(Code.USAGE, detail) from None
    with client:
        found = client.run(_version)
        if not found or {*found.values()} != {VERSION}:
            names = ", ".join(sorted({*map(str, found.values())})) or "-"
            detail = Says.OTHER_WORKERS(found=names, version=VERSION)
            raise LocalError(Code.USAGE, detail)
        yield client, len(found)


def _version() -> str:
    return VERSION


_LOCK: Final = Lock()


def _alone(do: Callable[[W, int], T], wanted: W, number: int) -> T:
    """Do a piece in a worker, one at a time.

    Players think by the processor's time, which is that of all threads of a worker.
    """
    with _LOCK:
        return do(wanted, number)


def _failing(results: Iterator[T]) -> Iterator[T]:
    """Yield results; what goes wrong at a worker is told in a line."""
    try:
        yield from results
    except LocalError:
        raise
    except Exception as error:
        why = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise LocalError(Code.FAULT, Says.WORKERS_FAILED(why=why)) from error


class Kept:
    """What a process has made ready for the work it does, by what is wanted."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._stack = ExitStack()
        self._known: dict[bytes, Any] = {}

    def get(self, wanted: W, make: Callable[[W], Any]) -> Any:  # noqa: ANN401 (whatever is made)
        """Return what was made for what is wanted, made now if it is new.

        Args:
            wanted: What is asked for.
            make: Returns a context manager that gives what is kept.
        """
        key = pickle.dumps(wanted)
        if key not in self._known:
            self.close()
            self._known[key] = self._stack.enter_context(make(wanted))
        return self._known[key]

    def close(self) -> None:
        """End what was made."""
        self._known = {}
        with suppress(OSError):
            self._stack.close()
