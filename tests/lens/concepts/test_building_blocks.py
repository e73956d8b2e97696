"""Each building block has a page, and what a page names exists: functions, tests, item types, documents."""

import ast
import re

import pytest

from lens.chart import shapes
from lens.concepts.blocks import CONCEPTS
from lens.concepts.measured import measured
from tests.test_architecture import PACKAGES
from tests.web.catalogs import ROOT
from tests.web.test_plain_english import HABITS, OF_TEXTS_ALONE

BLOCKS = {
    "composite-sort-key",
    "tenant",
    "sparse-index",
    "ttl",
    "archive",
    "vertical-partitioning",
    "write-sharding",
    "fan-out",
    "queue-before-a-counter",
    "soft-delete",
    "two-level-relations",
    "filters",
}

every = pytest.mark.parametrize("concept", CONCEPTS.values(), ids=CONCEPTS)


def names_in(file: str) -> set[str]:
    """What the file defines at its top, and the methods of its classes."""
    found = set()
    for node in ast.parse((ROOT / file).read_text()).body:
        match node:
            case ast.FunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return found


def test_every_building_block_has_a_page():
    assert set(CONCEPTS) == BLOCKS


@every
def test_the_code_that_it_names_exists(concept):
    assert concept.code
    missing = [code for code in concept.code if code.name not in names_in(code.file)]
    assert not missing


@every
def test_the_tests_that_it_names_exist(concept):
    assert concept.tests
    missing = []
    for test in concept.tests:
        file, _, name = test.partition("::")
        if name not in names_in(file):
            missing.append(test)
    assert not missing


@every
def test_its_item_types_are_in_the_chart_and_those_of_a_box_share_a_partition(concept):
    assert concept.items
    assert set(concept.items) <= set(shapes())
    for part in concept.drawing:
        together = {shapes()[item].partition for item in getattr(part, "items", ())}
        assert len(together) <= 1


@every
def test_its_documents_exist(concept):
    assert not [name for name in concept.documents if not (ROOT / name).is_file()]


@every
def test_its_figures_were_measured_with_it_and_without_it(concept):
    assert {row.is_without for row in measured(concept.name)} == {False, True}


def test_functions_named_in_a_text_exist_in_the_code():
    files = [file for room in PACKAGES if room != "lens" for file in (ROOT / room).rglob("*.py")]
    code = " ".join(file.read_text() for file in files)
    defined = set(re.findall(r"\b[a-z_]{4,}\b", code))
    for concept in CONCEPTS.values():
        text = " ".join((concept.problem, *concept.here, *concept.without, concept.scene))
        named = {name for name in re.findall(r"`([a-z_]+)`", text) if "_" in name}
        assert named <= defined, concept.name


@every
def test_its_text_is_plain_english(concept):
    texts = (concept.problem, *concept.here, *concept.without, concept.scene)
    for habit in HABITS.keys() - OF_TEXTS_ALONE:
        assert [text for text in texts if re.search(HABITS[habit], text)] == [], habit


@every
def test_each_figure_of_a_benchmark_stands_under_its_name(concept):
    for row in concept.timing.rows if concept.timing else ():
        assert len(row) == len(concept.timing.head)
