"""docs/access-patterns.md is what the code makes of it, and every access pattern says what it costs."""

import inspect
import re

import pytest

from lens.access_patterns import DOCUMENT, made, patterns, worker_functions
from lens.patterns import NUMBERS, access_patterns, published
from lens.published_patterns import QUESTIONS
from socialsite.table import Item
from tests.lens.concepts.measuring import WRITES
from tests.test_architecture import item_classes
from tests.test_runbook import PACKAGES, ROOT

A_COST = re.compile(r"\bunits?\b|`\w+`")


@pytest.fixture(scope="module", autouse=True)
def _written() -> None:
    if WRITES:
        DOCUMENT.write_text(made(DOCUMENT.read_text()))


def test_the_document_is_made_of_the_code_as_it_is_now():
    text = DOCUMENT.read_text()
    stale = [
        f"{number}: {now}"
        for number, (is_, now) in enumerate(
            zip(text.splitlines(), made(text).splitlines(), strict=False), 1
        )
        if is_ != now
    ]
    assert stale[:5] == [], "`make documents` writes it anew"
    assert text == made(text)


def test_every_access_pattern_says_what_is_asked_and_with_which_calls_and_units():
    without = [
        row.name
        for row in patterns()
        if not row.does.endswith((".", ")")) or not A_COST.search(row.costs)
    ]
    assert without == [], "its docstring names neither units nor another pattern"


def test_every_function_that_is_marked_has_one_row():
    marked = {
        f"{file.relative_to(ROOT)}:{name}"
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
        for name in re.findall(r"@access_pattern\n\s*def (\w+)", file.read_text())
    }
    assert marked == {f"{row.file}:{row.name.rpartition('.')[2]}" for row in patterns()}
    names = [function.__name__ for function in access_patterns()]
    assert len(names) == len(set(names)), "calls are named after the function alone"


def test_the_seven_published_patterns_are_called_as_they_are_published():
    assert {name: published(name) for name in NUMBERS} == {
        name: called for name, (called, _) in QUESTIONS.items()
    }
    for name, number in NUMBERS.items():
        (function,) = [one for one in access_patterns() if one.__name__ == name]
        assert (inspect.getdoc(function) or "").startswith(f"Pattern {number}, {published(name)}: ")


def test_what_the_worker_runs_says_what_it_does():
    assert [row.name for row in worker_functions() if not row.does.endswith((".", ")"))] == []
    assert len({row.name for row in worker_functions()}) > 90


def test_every_item_type_is_in_the_chart():
    types = {cls.__name__ for cls in item_classes() if cls is not Item}
    chart = re.findall(r"^\| `[^|]+` +\| `[^|]+` +\| (\w+) +\|", DOCUMENT.read_text(), re.MULTILINE)
    assert types == set(chart)
