"""The documents and diagrams of the building blocks are what the code makes of them."""

from xml.etree import ElementTree

from lens.chart import shapes
from lens.concepts.blocks import CONCEPTS
from lens.concepts.document import as_markdown, draw, list_of
from tests.lens.concepts.measuring import WRITES
from tests.web.catalogs import ROOT

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
