from netplay.daemon.node import single
from netplay.errors import Code, LocalError


def test_one_error_for_the_user_is_found_inside_of_groups() -> None:
    error = LocalError(Code.DISK)
    assert single(ExceptionGroup("a", [ExceptionGroup("b", [error])])) is error


def test_bugs_and_crowds_stay_as_they_are() -> None:
    bug = ExceptionGroup("a", [ZeroDivisionError()])
    assert single(bug) is bug
    crowd = ExceptionGroup("a", [LocalError(Code.DISK), LocalError(Code.DISK)])
    assert single(crowd) is crowd


def test_an_interrupt_is_passed_on() -> None:
    interrupt = KeyboardInterrupt()
    assert single(BaseExceptionGroup("a", [interrupt])) is interrupt
