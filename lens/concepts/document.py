"""The building blocks as documents, with their drawings."""

from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from django.utils.safestring import SafeString, mark_safe

from lens.chart import PLACE, shapes
from lens.concepts.concept import Arrow, Box, Concept, Measured, Timing, measured

# A diagram of partitions with their sort keys, drawn from the key chart (`lens/chart.py`).
#
# Pages colour it by their style sheet. A file has its own style, for light and dark.

WIDTH = 340
LEFT = 14
LINE = 19  # height of a line of text
ROW = 47
GAP = 12
ARROW = 40
STYLE = """
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1e1d2d }
.box { fill: #fff } .frame { fill: none; stroke: #a9a9bb } .head { fill: #ecedff } .rule { stroke: #d8d8e2 }
.place { fill: #5246cd } .said { font: 12px system-ui, sans-serif; fill: #5f5f6e }
.arrow { stroke: #5f5f6e; fill: none; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #eaeaf0 } .box { fill: #1a1a23 } .frame { stroke: #5b5b6b } .head { fill: #2b294b }
  .rule { stroke: #3a3a48 } .place { fill: #aca9fe } .said { fill: #a6a6b4 } .arrow { stroke: #a6a6b4 }
}
"""


def draw(concept: Concept, *, with_style: bool = False) -> SafeString:
    """Returns the diagram of a building block as SVG."""
    drawing = Element("svg", {"class": "diagram", "role": "img"})
    title_id, text_id = f"{concept.name}-title", f"{concept.name}-text"
    drawing.set("aria-labelledby", f"{title_id} {text_id}")
    if with_style:
        drawing.set("xmlns", "http://www.w3.org/2000/svg")
        SubElement(drawing, "style").text = STYLE
    SubElement(drawing, "title", id=title_id).text = f"{concept.title}: keys"
    SubElement(drawing, "desc", id=text_id).text = describe(concept)
    top = 1
    for part in concept.drawing:
        top = _box(drawing, part, top) if isinstance(part, Box) else _arrow(drawing, part, top)
    height = top - GAP + 1
    drawing.set("viewBox", f"0 0 {WIDTH} {height}")
    if with_style:
        drawing.set("width", str(WIDTH))
        drawing.set("height", str(height))
    return mark_safe(tostring(drawing, encoding="unicode"))  # noqa: S308 - escaped by tostring


def describe(concept: Concept) -> str:
    """Returns what the diagram shows, in words."""
    said = []
    for part in concept.drawing:
        if isinstance(part, Arrow):
            said.append(f"Then: {part.label}.")
            continue
        rows = ", ".join(f"{item} at {sort}" for item, sort in _rows(part))
        said.append(f"Partition {' or '.join(_partitions(part))}: {rows}.")
    return " ".join(said)


def _partitions(part: Box) -> tuple[str, ...]:
    return shapes()[part.items[0]].partitions


def _rows(part: Box) -> Iterable[tuple[str, str]]:
    return ((item, sort) for item in part.items for sort in shapes()[item].sorts)


def _box(drawing: Element, part: Box, top: int) -> int:
    """Draws a partition, and returns where the next part begins."""
    partitions, rows = _partitions(part), list(_rows(part))
    head = LINE * len(partitions) + 14
    height = head + ROW * len(rows)
    group = SubElement(drawing, "g")
    frame = {"x": "1", "y": str(top), "width": str(WIDTH - 2), "height": str(height), "rx": "8"}
    SubElement(group, "rect", {"class": "box", **frame})
    rounded = f"M1 {top + head}v{8 - head}q0 -8 8 -8h{WIDTH - 18}q8 0 8 8v{head - 8}z"
    SubElement(group, "path", {"class": "head", "d": rounded})
    SubElement(group, "rect", {"class": "frame", **frame})
    for number, partition in enumerate(partitions):
        write_key(group, partition, LEFT, top + 20 + LINE * number)
    for number, (item, sort) in enumerate(rows):
        start = top + head + ROW * number
        if number:
            ends = {"x1": str(LEFT), "x2": str(WIDTH - LEFT), "y1": str(start), "y2": str(start)}
            SubElement(group, "line", {"class": "rule", **ends})
        write_key(group, sort, LEFT, start + 20)
        mark = part.marks.get(item, "")
        write_words(group, f"{item} · {mark}" if mark else item, LEFT, start + 37)
    return top + height + GAP


def _arrow(drawing: Element, part: Arrow, top: int) -> int:
    start = top - GAP + 3
    path = f"M{LEFT + 8} {start}v{ARROW - 8}m-5 -6l5 6l5 -6"
    SubElement(drawing, "path", {"class": "arrow", "d": path})
    write_words(drawing, part.label, LEFT + 24, start + 20)
    return start + ARROW - 2


def write_key(parent: Element, written: str, x: int, y: int) -> None:
    """Writes a key, with its variable parts in their own colour."""
    text = SubElement(parent, "text", x=str(x), y=str(y))
    last, text.text = 0, ""
    place: Element | None = None
    for found in PLACE.finditer(written):
        _append(text, place, written[last : found.start()])
        place = SubElement(text, "tspan", {"class": "place"})
        place.text, last = found[0], found.end()
    _append(text, place, written[last:])


def _append(text: Element, after: Element | None, words: str) -> None:
    if after is None:
        text.text = words
    else:
        after.tail = words


def write_words(parent: Element, words: str, x: int, y: int) -> None:
    SubElement(parent, "text", {"class": "said", "x": str(x), "y": str(y)}).text = words


TESTS = "tests/lens/concepts"


def list_of(concepts: Iterable[Concept]) -> str:
    """Returns the list of all pages, as the README of the folder."""
    lines = [
        "# The building blocks",
        "",
        "One page for each idea behind the one table: which problem it solves, where the code does it, what it costs "
        "and what happens without it. In debug mode the same pages are at `/dev/concepts`, with items of your own "
        "table and what reading them costs at that moment.",
        "",
        *(f"- [{one.title}]({one.name}.md): {_beginning(one.problem)}" for one in concepts),
        "",
        "All files here are made from `lens/concepts/`, with figures that tests measure: `make documents`.",
    ]
    return "\n".join(lines) + "\n"


def as_markdown(concept: Concept) -> str:
    """Returns the page of a building block."""
    return "\n".join(_lines(concept)) + "\n"


def _lines(concept: Concept) -> Iterator[str]:
    yield f"# {concept.title}"
    yield from ("", concept.problem, "", f"![Keys of {concept.items[0]}]({concept.name}.svg)")
    yield from ("", "## How this site uses it", "", "\n\n".join(concept.here), "")
    yield from (f"- [`{code.name}`](../../{code.file}) in `{code.file}`" for code in concept.code)
    yield from ("", "## What goes wrong without it", "", "\n\n".join(concept.without))
    yield from ("", "## What it costs", "", concept.scene, "")
    yield from _table(measured(concept.name))
    if concept.timing:
        yield from _times(concept.timing)
    yield from ("", "## What shows it", "")
    yield from (f"- `{test}`" for test in concept.tests)
    yield f"- the figures above: `{TESTS}`"
    yield from (f"- [{document}](../../{document})" for document in concept.documents)


def _table(rows: Sequence[Measured]) -> Iterator[str]:
    has_size = any(row.kilobytes for row in rows)
    yield "| | Calls | R | W |" + (" KB answered |" if has_size else "")
    yield "|---|---|---|---|" + ("---|" if has_size else "")
    for row in rows:
        way = f"without: {row.way}" if row.is_without else row.way
        size = f" {row.kilobytes:,g} |" if has_size else ""
        yield f"| {way} | {row.calls:,} | {row.reads:,g} | {row.writes:,g} |{size}"


def _times(timing: Timing) -> Iterator[str]:
    yield from ("", timing.said, "")
    yield f"| {' | '.join(timing.head)} |"
    yield "|---" * len(timing.head) + "|"
    yield from (f"| {' | '.join(row)} |" for row in timing.rows)


def _beginning(text: str) -> str:
    """Returns the first sentence."""
    return text.partition(". ")[0].rstrip(".") + "."
