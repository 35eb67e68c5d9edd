"""Sentences that know their values, whatever stands in files that they quote."""

from rules.sentence import RulesError, nested, sentence


def test_values_stand_in_their_places_and_braces_of_others_stay() -> None:
    said = sentence("row {n} has {what}", n=3, what="{n}")
    assert said == "row 3 has {n}"
    assert (said.template, said.values) == (
        "row {n} has {what}",
        {"n": "3", "what": "{n}"},
    )
    assert nested("a file with {braces}") == "a file with {braces}"
    assert nested(said) is said


def test_an_error_says_its_sentence() -> None:
    assert str(RulesError("no {thing}", thing="tile")) == "no tile"
    assert RulesError("{not} a template").words == "{not} a template"
