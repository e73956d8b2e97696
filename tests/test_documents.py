"""The documents name what the code has: access patterns, warnings, metrics, and each requirement of ASVS."""

import ast
import inspect
import re
from collections import Counter as CollectionsCounter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from prometheus_client import Counter, Histogram

from lens.access_patterns import DOCUMENT, made, patterns, worker_functions
from lens.patterns import NUMBERS, access_patterns, published
from lens.published_patterns import QUESTIONS
from socialsite.observing import metrics
from socialsite.table import Item
from tests.lens.concepts.test_measured import WRITES
from tests.test_architecture import item_classes

A_COST = re.compile(r"\bunits?\b|`\w+`")


@pytest.fixture(scope="module")
def _written() -> None:
    if WRITES:
        DOCUMENT.write_text(made(DOCUMENT.read_text()))


@pytest.mark.usefixtures("_written")
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


@pytest.mark.usefixtures("_written")
def test_every_access_pattern_says_what_is_asked_and_with_which_calls_and_units():
    without = [
        row.name
        for row in patterns()
        if not row.does.endswith((".", ")")) or not A_COST.search(row.costs)
    ]
    assert without == [], "its docstring names neither units nor another pattern"


@pytest.mark.usefixtures("_written")
def test_every_function_that_is_marked_has_one_row():
    marked = {
        f"{file.relative_to(ROOT)}:{name}"
        for package in settings.ROOMS
        for file in (ROOT / package).rglob("*.py")
        for name in re.findall(r"@access_pattern\n\s*def (\w+)", file.read_text())
    }
    assert marked == {f"{row.file}:{row.name.rpartition('.')[2]}" for row in patterns()}
    names = [function.__name__ for function in access_patterns()]
    assert len(names) == len(set(names)), "calls are named after the function alone"


@pytest.mark.usefixtures("_written")
def test_the_seven_published_patterns_are_called_as_they_are_published():
    assert {name: published(name) for name in NUMBERS} == {
        name: called for name, (called, _) in QUESTIONS.items()
    }
    for name, number in NUMBERS.items():
        (function,) = [one for one in access_patterns() if one.__name__ == name]
        assert (inspect.getdoc(function) or "").startswith(f"Pattern {number}, {published(name)}: ")


@pytest.mark.usefixtures("_written")
def test_what_the_worker_runs_says_what_it_does():
    assert [row.name for row in worker_functions() if not row.does.endswith((".", ")"))] == []
    assert len({row.name for row in worker_functions()}) > 90


@pytest.mark.usefixtures("_written")
def test_every_item_type_is_in_the_chart():
    types = {cls.__name__ for cls in item_classes() if cls is not Item}
    chart = re.findall(r"^\| `[^|]+` +\| `[^|]+` +\| (\w+) +\|", DOCUMENT.read_text(), re.MULTILINE)
    assert types == set(chart)


# The runbook knows every warning of the log and every metric.

ROOT = Path(__file__).resolve().parents[1]
RUNBOOK = (ROOT / "docs" / "runbook.md").read_text()
WARNINGS = ("warning", "error", "exception", "critical")


def warnings_of_the_log() -> Iterator[str]:
    """The first words of each, up to what is filled in."""
    for package in settings.ROOMS:
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in {
                    f"log.{level}" for level in WARNINGS
                }:
                    said = node.args[0]
                    text = said.value if isinstance(said, ast.Constant) else ""
                    if start := re.split(r"%[sd]", str(text))[0].strip(" :.,;"):
                        yield start


def test_it_explains_each_warning():
    warnings = set(warnings_of_the_log())
    assert len(warnings) > 20
    assert sorted(start for start in warnings if start not in RUNBOOK) == []


def test_it_names_each_metric():
    counted = [one for one in vars(metrics).values() if isinstance(one, Counter | Histogram)]
    names = {one.describe()[0].name for one in counted}
    assert len(names) > 8
    assert not {name for name in names if name not in RUNBOOK}


def test_alarms_look_at_metrics_that_exist():
    rules = (ROOT / "deploy" / "alarms.yml").read_text()
    looked_at = set(
        re.findall(r"\b(?:clock|data|site|dynamodb|worker|table|security)_[a-z_]+", rules)
    )
    assert looked_at
    assert not {name for name in looked_at if name not in RUNBOOK}


# docs/security.md answers each requirement of ASVS 5.0.0's levels 1 and 2 once, with tests and files that exist.

SECURITY_DOCUMENT = (ROOT / "docs" / "security.md").read_text()
STATES = ("met", "partly", "not met", "does not apply")
NEEDS_NO_PROOF = ("not met", "does not apply")
# Met, and not to be tried: what documents must say, what is not there, and what libraries and tools are chosen for.
ONLY_SAID = {
    *(
        "V3.5.4",
        "V3.7.1",
        "V6.1.3",
        "V6.2.10",
        "V6.4.2",
        "V11.1.2",
        "V11.2.1",
        "V11.2.3",
        "V14.1.1",
    ),
    *("V14.1.2", "V15.1.1", "V15.3.5", "V15.3.6", "V16.1.1"),
}
# A section, and the numbers in it that are of level 1 (with a star) or 2.
REQUIREMENTS = """
1.1: 1 2
1.2: 1* 2* 3* 4* 5* 6 7 8 9
1.3: 1* 2* 3 4 5 6 7 8 9 10 11
1.4: 1 2 3
1.5: 1* 2
2.1: 1* 2 3
2.2: 1* 2* 3
2.3: 1* 2 3 4
2.4: 1
3.2: 1* 2*
3.3: 1* 2 3 4
3.4: 1* 2* 3 4 5 6
3.5: 1* 2* 3* 4 5
3.7: 1 2
4.1: 1* 2 3
4.2: 1
4.3: 1 2
4.4: 1* 2 3 4
5.1: 1
5.2: 1* 2* 3
5.3: 1* 2*
5.4: 1 2 3
6.1: 1* 2 3
6.2: 1* 2* 3* 4* 5* 6* 7* 8* 9 10 11 12
6.3: 1* 2* 3 4
6.4: 1* 2* 3 4
6.5: 1 2 3 4 5
6.6: 1 2 3
6.8: 1 2 3 4
7.1: 1 2 3
7.2: 1* 2* 3* 4*
7.3: 1 2
7.4: 1* 2* 3 4 5
7.5: 1 2
7.6: 1 2
8.1: 1* 2
8.2: 1* 2* 3
8.3: 1*
8.4: 1
9.1: 1* 2* 3*
9.2: 1* 2 3 4
10.1: 1 2
10.2: 1 2
10.3: 1 2 3 4
10.4: 1* 2* 3* 4* 5* 6 7 8 9 10 11
10.5: 1 2 3 4 5
10.6: 1 2
10.7: 1 2 3
11.1: 1 2
11.2: 1 2 3
11.3: 1* 2* 3
11.4: 1* 2 3 4
11.5: 1
11.6: 1
12.1: 1* 2 3
12.2: 1* 2*
12.3: 1 2 3 4
13.1: 1
13.2: 1 2 3 4 5
13.3: 1 2
13.4: 1* 2 3 4 5
14.1: 1 2
14.2: 1* 2 3 4
14.3: 1* 2 3
15.1: 1* 2 3
15.2: 1* 2 3
15.3: 1* 2 3 4 5 6 7
16.1: 1
16.2: 1 2 3 4 5
16.3: 1 2 3 4
16.4: 1 2 3
16.5: 1 2 3
17.1: 1
17.2: 1 2 3 4
17.3: 1 2
"""
ROW = re.compile(r"^\| (V[^|]+) \| ([12]) \| ([^|]+) \| (.+) \|$", re.MULTILINE)
ROWS = [
    (ids.split(), level, state, why) for ids, level, state, why in ROW.findall(SECURITY_DOCUMENT)
]


def required() -> dict[str, str]:
    """The level of each requirement."""
    levels = {}
    for line in REQUIREMENTS.split("\n")[1:-1]:
        section, _, numbers = line.partition(": ")
        for number in numbers.split():
            levels[f"V{section}.{number.rstrip('*')}"] = "1" if number.endswith("*") else "2"
    return levels


def test_each_requirement_is_answered_once_at_its_level():
    answered = CollectionsCounter(name for ids, *_ in ROWS for name in ids)
    assert len(required()) == 253
    assert {name: times for name, times in answered.items() if times != 1} == {}
    assert {name: level for ids, level, *_ in ROWS for name in ids} == required()


def test_every_row_has_a_state_and_what_is_met_is_shown():
    assert {state for _, _, state, _ in ROWS} <= set(STATES)
    for ids, _, state, why in ROWS:
        assert state in NEEDS_NO_PROOF or "`" in why or "](" in why, ids


def test_what_is_met_and_can_be_tried_names_a_test_that_tries_it():
    said = {
        name
        for ids, _, state, why in ROWS
        if state == "met" and ".py::test_" not in why
        for name in ids
    }
    assert said == ONLY_SAID


def test_the_sum_is_that_of_the_rows():
    counted = CollectionsCounter(state for ids, _, state, _ in ROWS for _ in ids)
    sentence = r"(\d+) are met, (\d+) partly, (\d+) are not met, and (\d+) do not apply"
    said = re.search(sentence, " ".join(SECURITY_DOCUMENT.split()))
    assert said is not None
    assert [int(number) for number in said.groups()] == [counted[state] for state in STATES]


@cache
def collected_in(file: Path) -> set[str]:
    """Those that pytest collects: of the module itself, and not skipped everywhere."""
    tree = ast.parse(file.read_text() if file.exists() else "")
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        if not any("mark.skip(" in ast.unparse(one) for one in node.decorator_list)
    }


def test_each_named_test_exists():
    named = set(re.findall(r"`([\w/]+\.py)::(\w+)`", SECURITY_DOCUMENT))
    assert len(named) > 200
    assert [
        f"{file}::{name}"
        for file, name in sorted(named)
        if name not in collected_in(ROOT / "tests" / file)
    ] == []


def test_each_named_file_exists():
    named = set(
        re.findall(r"`([\w./-]+\.(?:py|md|conf|txt|json|toml|js|html|tsv))`", SECURITY_DOCUMENT)
    )
    assert len(named) > 20
    missing = {file for file in named if not (ROOT / file).exists()}
    assert {file for file in missing if not (ROOT / "tests" / file).exists()} == set()


def test_each_link_leads_somewhere():
    for target, _, part in re.findall(r"\]\(([^)#]*)(#([^)]*))?\)", SECURITY_DOCUMENT):
        if target.startswith("https://"):
            continue
        file = ROOT / "docs" / (target or "security.md")
        assert file.exists(), target
        headings = re.findall(r"^#+ (.+)$", file.read_text(), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", line).lower().replace(" ", "-") for line in headings}
        assert not part or part in anchors, (target, part)
