import io
import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.journal import Sparing, silent, to_stream


def test_an_event_is_one_line_with_its_fields() -> None:
    out = io.StringIO()
    to_stream(out)("link.up", peer="AB-CD", name="Jo 2", empty="", n=3)
    line = out.getvalue()
    when, *fields = shlex.split(line)
    assert when.endswith("Z")
    assert fields == ["link.up", "peer=AB-CD", "name=Jo 2", "empty=", "n=3"]
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


WORD = st.text(st.characters(codec="ascii", exclude_characters="\x7f"), max_size=30)


@given(st.dictionaries(st.from_regex(r"[a-d]{1,2}", fullmatch=True), WORD))
def test_whatever_the_values_are_a_line_reads_as_the_fields_that_were_noted(
    fields: dict[str, str],
) -> None:
    out = io.StringIO()
    to_stream(out)("event", **fields)
    line = out.getvalue()
    assert line.endswith("\n")
    assert line.count("\n") == 1
    _time, event, rest = (*line[:-1].split(" ", 2), "")[:3]
    assert event == "event"
    read = re.findall(r'([^ ="]+)=("[^"]*"|[^ ="]*)(?: |$)', rest)
    again = " ".join(f"{name}={value}" for name, value in read)
    assert again == rest
    assert [name for name, _ in read] == list(fields)
    for name, value in read:
        plain = value.strip('"')
        wanted = "".join(c for c in fields[name].replace('"', "'") if c.isprintable())
        assert plain.replace(" ", "") == wanted.replace(" ", "")


@given(
    st.lists(st.floats(0, 5), min_size=1, max_size=60), st.integers(1, 3), st.booleans()
)
def test_each_event_is_noted_or_counted_once_among_those_left_out(
    pauses: list[float], burst: int, ends: bool
) -> None:
    noted: list[tuple[str, dict[str, object]]] = []

    def note(event: str, **fields: object) -> None:
        noted.append((event, fields))

    sparing, now = Sparing(note, 0.5, burst), 0.0
    for number, pause in enumerate(pauses):
        now += pause
        sparing.note(now, "link", number=number)
        told = sum(1 for event, _ in noted if event == "link")
        left_out = sum(int(str(f.get("left_out", 0))) for _, f in noted)
        if noted and noted[-1][1].get("number") == number:
            assert told + left_out == number + 1
    if ends:
        sparing.note_left_out("left")
        sparing.note_left_out("left")
        left = sum(int(str(f.get("count", f.get("left_out", 0)))) for _, f in noted)
        assert left + sum(event == "link" for event, _ in noted) == len(pauses)
