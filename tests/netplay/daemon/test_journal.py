import io

import pytest

from netplay.journal import silent, to_stream


def test_an_event_is_one_line_with_its_fields() -> None:
    out = io.StringIO()
    to_stream(out)("link.up", peer="AB-CD", name="two words", empty="", n=3)
    line = out.getvalue()
    assert line.endswith('Z link.up peer=AB-CD name="two words" empty="" n=3\n')
    assert line.count("\n") == 1


def test_nothing_in_a_value_breaks_the_line_or_the_terminal() -> None:
    out = io.StringIO()
    to_stream(out)("chat", text='a\nb\x1b[2J"=c')
    assert out.getvalue().count("\n") == 1
    assert "\x1b" not in out.getvalue()
    assert 'text="a b[2J\'=c"' in out.getvalue()


def test_the_usual_place_is_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    to_stream()("x")
    silent("y", z=1)
    assert capsys.readouterr().err.endswith(" x\n")
