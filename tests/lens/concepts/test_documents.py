"""The documents and diagrams of the building blocks are what the code makes of them."""

from xml.etree import ElementTree

import pytest

from lens.chart import shapes
from lens.concepts.blocks import CONCEPTS
from lens.concepts.document import as_markdown, list_of
from lens.concepts.drawing import draw
from tests.lens.concepts.measuring import WRITES
from tests.web.catalogs import ROOT

FOLDER = ROOT / "docs" / "concepts"
SVG = "{http://www.w3.org/2000/svg}"

every = pytest.mark.parametrize("concept", CONCEPTS.values(), ids=CONCEPTS)


def hold(name: str, content: str) -> None:
    if WRITES:
        (FOLDER / name).write_text(content)
    assert (FOLDER / name).read_text() == content


@every
def test_a_page_is_current(concept):
    hold(f"{concept.name}.md", as_markdown(concept))


@every
def test_a_diagram_is_current(concept):
    hold(f"{concept.name}.svg", draw(concept, with_style=True) + "\n")


def test_the_list_of_pages_is_current():
    hold("README.md", list_of(CONCEPTS.values()))


def test_the_folder_holds_nothing_else():
    made = {f"{name}.{kind}" for name in CONCEPTS for kind in ("md", "svg")} | {"README.md"}
    assert {file.name for file in FOLDER.iterdir()} == made


@every
def test_a_diagram_shows_the_keys_of_the_chart_and_says_them_in_words(concept):
    drawing = ElementTree.fromstring(draw(concept, with_style=True))
    written = {"".join(text.itertext()) for text in drawing.iter(f"{SVG}text")}
    said = drawing.findtext(f"{SVG}desc")
    for item in concept.items:
        assert set(shapes()[item].sorts) <= written
        assert shapes()[item].partition in written
        assert item in said
    named = set(drawing.get("aria-labelledby").split())
    assert named == {one.get("id") for one in drawing if one.get("id")}
    assert drawing.get("role") == "img"


@every
def test_no_text_is_wider_than_its_diagram(concept):
    drawing = ElementTree.fromstring(draw(concept, with_style=True))
    for text in drawing.iter(f"{SVG}text"):
        letters = len("".join(text.itertext()))
        width = letters * (6.6 if text.get("class") == "said" else 7.9)
        assert float(text.get("x")) + width <= 340, "".join(text.itertext())


@every
def test_a_diagram_in_a_page_has_no_style_of_its_own(concept):
    assert "style" not in draw(concept)
