"""Rates of the commands, as shares or in percent."""

import json
from argparse import ArgumentTypeError

import pytest

from labelaudit.commands import main
from labelaudit.commands.options import rate


@pytest.mark.parametrize(
    ("text", "expected"),
    [("2%", 0.02), ("2 %", 0.02), ("0.7%", 0.007), (".02", 0.02), ("100%", 1.0)],
)
def test_percent_is_the_same_number(text, expected):
    assert rate(text) == expected


@pytest.mark.parametrize(
    "text", ["%", "2%%", "2%x", "two%", "", "2,5%", "nan", "-0.1", "inf"]
)
def test_what_is_no_rate_is_refused(text):
    with pytest.raises(ArgumentTypeError, match=r"one is written 0\.02 or 2%"):
        rate(text)


@pytest.mark.parametrize(
    ("text", "meant"), [("2", "0.02 or 2%"), ("95", "0.95 or 95%"), ("2.5", "2.5%")]
)
def test_a_percentage_without_its_sign_is_refused_with_both_ways(text, meant):
    with pytest.raises(ArgumentTypeError, match=meant):
        rate(text)


def test_a_plan_in_percent_is_the_plan(capsys):
    levels = ("--alpha", "5%", "--beta", "10%", "--lot-size", "1000", "--json")
    assert main(["plan", "--p-a", "2%", "--p-r", "5%", *levels]) == 0
    found = json.loads(capsys.readouterr().out)
    shares = ("--alpha", ".05", "--beta", ".1", "--lot-size", "1000", "--json")
    assert main(["plan", "--p-a", ".02", "--p-r", ".05", *shares]) == 0
    assert json.loads(capsys.readouterr().out) == found


def test_a_wrong_rate_is_a_wrong_call(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["plan", "--p-a", "2%x"])
    assert ended.value.code == 2
    assert "--p-a" in capsys.readouterr().err
