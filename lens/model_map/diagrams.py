"""Diagrams of entities, drawn from the models: keys from the chart, attributes with their types, and how many of one
belong to the other, which follows from the key.

A page of the lens colours them by its style sheet, a file by its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

from django.utils.safestring import SafeString, mark_safe

from lens.chart import PLACE, shapes
from lens.concepts.document import LINE, STYLE, write_key, write_words
from lens.model_map.published import (
    RELATION_TIES,
    RELATIONS,
    SOCIAL_NETWORK,
    SOCIAL_TIES,
    Entity,
    Tie,
)
from relations.models import RelationType
from socialsite.table import item_models

WIDTH = 360
SIDE = 46  # beside the boxes, for the lines
INSIDE = 12
GAP = 14
RIGHT = WIDTH - SIDE
WIDE = RIGHT - SIDE


@dataclass(frozen=True, slots=True)
class Diagram:
    name: str
    title: str
    entities: tuple[Entity, ...]
    ties: tuple[Tie, ...]


def diagrams() -> tuple[Diagram, ...]:
    return (
        Diagram("social-network", "The social network", SOCIAL_NETWORK, SOCIAL_TIES),
        Diagram("relations", "Relations", RELATIONS, RELATION_TIES),
    )


def ends_of(diagram: Diagram, tie: Tie) -> tuple[str, str]:
    """Returns the cardinalities of both ends: there is one of what has no more in its key than what it belongs to."""
    one, many = _places(diagram, tie.one), _places(diagram, tie.many)
    return "1", "1" if many <= one else "n"


def _places(diagram: Diagram, name: str) -> set[str]:
    entity = next(one for one in diagram.entities if one.theirs == name)
    shape = shapes().get(entity.item)
    return set(PLACE.findall(shape.partition + shape.sort)) if shape else set()


def describe(diagram: Diagram) -> str:
    """Returns what a diagram shows, in words."""
    return " ".join(
        f"{tie.one} {' to '.join(ends_of(diagram, tie))} {tie.many}: {tie.said}."
        for tie in diagram.ties
    )


def lines_of(entity: Entity) -> list[tuple[str, str]]:
    """Returns the rows of a box: keys and attributes, each with its type, or the members of an enumeration."""
    if entity.theirs == "RelationType":
        return [(f"{int(one)} {one.name.lower().replace('_', ' ')}", "") for one in RelationType]
    if not entity.item:
        return []
    shape = shapes()[entity.item]
    attributes = item_models()[entity.item].get_attributes().values()
    kinds = {one.attr_name: str(one.attr_type) for one in attributes}
    named = dict.fromkeys(one.ours.partition(".")[2] for one in entity.attributes)
    return [
        (shape.partition, "PK"),
        (shape.sort, "SK"),
        *((name, kinds[name]) for name in named),
    ]


def draw(diagram: Diagram, *, with_style: bool = False) -> SafeString:
    """Returns the diagram as SVG."""
    drawing = Element("svg", {"class": "diagram", "role": "img"})
    title_id, text_id = f"{diagram.name}-title", f"{diagram.name}-text"
    drawing.set("aria-labelledby", f"{title_id} {text_id}")
    if with_style:
        drawing.set("xmlns", "http://www.w3.org/2000/svg")
        SubElement(drawing, "style").text = STYLE
    SubElement(drawing, "title", id=title_id).text = f"{diagram.title}: entities"
    SubElement(drawing, "desc", id=text_id).text = describe(diagram)
    top, tops = 1, {}
    for entity in diagram.entities:
        tops[entity.theirs] = top
        ties = [tie for tie in diagram.ties if tie.many == entity.theirs]
        top = _box(drawing, entity, [tie.said for tie in ties], top)
    for one in dict.fromkeys((tie.one, tie.is_left) for tie in diagram.ties):
        _lines(
            drawing, diagram, [tie for tie in diagram.ties if (tie.one, tie.is_left) == one], tops
        )
    height = top - GAP + 1
    drawing.set("viewBox", f"0 0 {WIDTH} {height}")
    if with_style:
        drawing.set("width", str(WIDTH))
        drawing.set("height", str(height))
    return mark_safe(tostring(drawing, encoding="unicode"))  # noqa: S308 - escaped by tostring


def _box(drawing: Element, entity: Entity, said: Sequence[str], top: int) -> int:
    """Draws an entity, and returns where the next one begins."""
    rows = lines_of(entity)
    head = 27 + LINE * len(said)
    height = head + LINE * len(rows) + (10 if rows else 0)
    group = SubElement(drawing, "g")
    frame = {"x": str(SIDE), "y": str(top), "width": str(WIDE), "height": str(height), "rx": "8"}
    SubElement(group, "rect", {"class": "box", **frame})
    below = (
        f"v{head - 8}h-{WIDE}v{8 - head}"
        if rows
        else f"v{head - 16}q0 8 -8 8h-{WIDE - 16}q-8 0 -8 -8v{16 - head}"
    )
    path = f"M{SIDE} {top + 8}q0 -8 8 -8h{WIDE - 16}q8 0 8 8{below}z"
    SubElement(group, "path", {"class": "head", "d": path})
    SubElement(group, "rect", {"class": "frame", **frame})
    write_key(group, entity.theirs, SIDE + INSIDE, top + 18)
    if entity.item:
        _at_the_end(group, entity.item, top + 18)
    for number, words in enumerate(said):
        write_words(group, words, SIDE + INSIDE, top + 18 + LINE * (number + 1))
    for number, (name, kind) in enumerate(rows):
        y = top + head + 18 + LINE * number
        write_key(group, name, SIDE + INSIDE, y)
        _at_the_end(group, kind, y)
    return top + height + GAP


def _at_the_end(parent: Element, words: str, y: int) -> None:
    place = {"class": "said", "x": str(RIGHT - INSIDE), "y": str(y), "text-anchor": "end"}
    SubElement(parent, "text", place).text = words


def _lines(drawing: Element, diagram: Diagram, ties: Iterable[Tie], tops: dict[str, int]) -> None:
    """Draws what leads from one entity to others: a line along the side, and to each of them one with its end."""
    ties = list(ties)
    is_left = ties[0].is_left
    edge, out = (SIDE, -1) if is_left else (RIGHT, 1)
    along = edge + 34 * out
    start = tops[ties[0].one] + 14
    group = SubElement(drawing, "g")
    ends = []
    for tie in ties:
        said = [one for one in diagram.ties if one.many == tie.many]
        ends.append((tops[tie.many] + 14 + LINE * (said.index(tie) + 1), ends_of(diagram, tie)[1]))
    last = max(y for y, _ in ends)
    _line(group, f"M{edge} {start}H{along}V{last}")
    _line(group, f"M{edge + 8 * out} {start - 5}v10")
    _count(group, "1", edge + 20 * out, start - 4)
    for y, end in ends:
        _line(group, f"M{along} {y}H{edge}")
        fork = (
            f"M{edge} {y - 6}l{12 * out} 6l{-12 * out} 6"
            if end == "n"
            else f"M{edge + 8 * out} {y - 5}v10"
        )
        _line(group, fork)
        _count(group, end, edge + 20 * out, y - 4)


def _line(parent: Element, path: str) -> None:
    SubElement(parent, "path", {"class": "arrow", "d": path})


def _count(parent: Element, words: str, x: int, y: int) -> None:
    place = {"class": "said", "x": str(x), "y": str(y), "text-anchor": "middle"}
    SubElement(parent, "text", place).text = words
