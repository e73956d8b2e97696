"""docs/security.md answers each requirement of ASVS 5.0.0's levels 1 and 2 once, with tests and files that exist."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = (ROOT / "docs" / "security.md").read_text()
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
ROWS = [(ids.split(), level, state, why) for ids, level, state, why in ROW.findall(DOCUMENT)]


def required() -> dict[str, str]:
    """The level of each requirement."""
    levels = {}
    for line in REQUIREMENTS.split("\n")[1:-1]:
        section, _, numbers = line.partition(": ")
        for number in numbers.split():
            levels[f"V{section}.{number.rstrip('*')}"] = "1" if number.endswith("*") else "2"
    return levels


def test_each_requirement_is_answered_once_at_its_level():
    answered = Counter(name for ids, *_ in ROWS for name in ids)
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
    counted = Counter(state for ids, _, state, _ in ROWS for _ in ids)
    sentence = r"(\d+) are met, (\d+) partly, (\d+) are not met, and (\d+) do not apply"
    said = re.search(sentence, " ".join(DOCUMENT.split()))
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
    named = set(re.findall(r"`([\w/]+\.py)::(\w+)`", DOCUMENT))
    assert len(named) > 200
    assert [
        f"{file}::{name}"
        for file, name in sorted(named)
        if name not in collected_in(ROOT / "tests" / file)
    ] == []


def test_each_named_file_exists():
    named = set(re.findall(r"`([\w./-]+\.(?:py|md|conf|txt|json|toml|js|html|tsv))`", DOCUMENT))
    assert len(named) > 20
    missing = {file for file in named if not (ROOT / file).exists()}
    assert {file for file in missing if not (ROOT / "tests" / file).exists()} == set()


def test_each_link_leads_somewhere():
    for target, _, part in re.findall(r"\]\(([^)#]*)(#([^)]*))?\)", DOCUMENT):
        if target.startswith("https://"):
            continue
        file = ROOT / "docs" / (target or "security.md")
        assert file.exists(), target
        headings = re.findall(r"^#+ (.+)$", file.read_text(), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", line).lower().replace(" ", "-") for line in headings}
        assert not part or part in anchors, (target, part)
