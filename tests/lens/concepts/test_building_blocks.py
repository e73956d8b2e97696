"""Each building block has a page, and what its pages and diagrams name is what the code makes."""

import ast
import re
from xml.etree import ElementTree

from lens.chart import shapes
from lens.concepts.blocks import CONCEPTS
from lens.concepts.concept import measured
from lens.concepts.document import as_markdown, draw, list_of
from tests.lens.concepts.test_measured import WRITES
from tests.test_architecture import PACKAGES
from tests.web.catalogs import ROOT
from tests.web.test_languages import HABITS, OF_TEXTS_ALONE

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
    "metadata-first",
    "local-and-global-indexes",
    "one-table-or-several",
    "read-cache",
    "event-filter",
    "inverted-index",
}


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


def test_the_code_and_the_tests_that_a_page_names_exist():
    missing = []
    for concept in CONCEPTS.values():
        assert concept.code, concept.name
        assert concept.tests, concept.name
        named = [(code.file, code.name) for code in concept.code]
        named += [tuple(test.split("::")) for test in concept.tests]
        missing += [one for one in named if one[1] not in names_in(one[0])]
    assert missing == []


def test_item_types_of_a_page_are_in_the_chart_and_those_of_a_box_share_a_partition():
    for name, concept in CONCEPTS.items():
        assert concept.items, name
        assert set(concept.items) <= set(shapes()), name
        for part in concept.drawing:
            together = {shapes()[item].partition for item in getattr(part, "items", ())}
            assert len(together) <= 1, (name, part)


def test_documents_of_a_page_exist():
    named = {(one.name, file) for one in CONCEPTS.values() for file in one.documents}
    assert [one for one in named if not (ROOT / one[1]).is_file()] == []


def test_figures_of_a_page_were_measured_with_it_and_without_it():
    kinds = {name: {row.is_without for row in measured(name)} for name in CONCEPTS}
    assert [name for name, kind in kinds.items() if kind != {False, True}] == []


def test_functions_named_in_a_text_exist_in_the_code():
    files = [file for room in PACKAGES if room != "lens" for file in (ROOT / room).rglob("*.py")]
    code = " ".join(file.read_text() for file in files)
    defined = set(re.findall(r"\b[a-z_]{4,}\b", code))
    for concept in CONCEPTS.values():
        text = " ".join((concept.problem, *concept.here, *concept.without, concept.scene))
        named = {name for name in re.findall(r"`([a-z_]+)`", text) if "_" in name}
        assert named <= defined, concept.name


def test_texts_of_a_page_are_plain_english():
    found = [
        (concept.name, habit, text)
        for concept in CONCEPTS.values()
        for text in (concept.problem, *concept.here, *concept.without, concept.scene)
        for habit in HABITS.keys() - OF_TEXTS_ALONE
        if re.search(HABITS[habit], text)
    ]
    assert found == []


def test_each_figure_of_a_benchmark_stands_under_its_name():
    timed = [concept for concept in CONCEPTS.values() if concept.timing]
    for concept in timed:
        for row in concept.timing.rows:
            assert len(row) == len(concept.timing.head), concept.name


# The documents and diagrams of the building blocks are what the code makes of them.

FOLDER = ROOT / "docs" / "concepts"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_folder_holds_every_page_and_diagram_as_it_is_now_and_nothing_else():
    made = {"README.md": list_of(CONCEPTS.values())}
    for name, concept in CONCEPTS.items():
        made[f"{name}.md"] = as_markdown(concept)
        made[f"{name}.svg"] = draw(concept, with_style=True) + "\n"
    if WRITES:
        for name, content in made.items():
            (FOLDER / name).write_text(content)
    held = {file.name: file.read_text() for file in FOLDER.iterdir()}
    assert held.keys() == made.keys()
    assert [name for name, content in made.items() if held[name] != content] == []


def test_a_diagram_shows_the_keys_of_the_chart_and_says_them_in_words():
    for name, concept in CONCEPTS.items():
        drawing = ElementTree.fromstring(draw(concept, with_style=True))
        written = {"".join(text.itertext()) for text in drawing.iter(f"{SVG}text")}
        said = drawing.findtext(f"{SVG}desc")
        for item in concept.items:
            assert {*shapes()[item].sorts, shapes()[item].partition} <= written, (name, item)
            assert item in said, name
        named = set(drawing.get("aria-labelledby").split())
        assert named == {one.get("id") for one in drawing if one.get("id")}, name
        assert drawing.get("role") == "img", name


def test_no_text_is_wider_than_its_diagram():
    for name, concept in CONCEPTS.items():
        for text in ElementTree.fromstring(draw(concept, with_style=True)).iter(f"{SVG}text"):
            said = "".join(text.itertext())
            width = len(said) * (6.6 if text.get("class") == "said" else 7.9)
            assert float(text.get("x")) + width <= 340, (name, said)


def test_a_diagram_in_a_page_has_no_style_of_its_own():
    assert [name for name, concept in CONCEPTS.items() if "style" in draw(concept)] == []
