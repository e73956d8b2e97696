"""The tables “their name, ours, where to see it”, for the page and for `docs/model.md`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.conf import settings

from lens.browser.item_types import Example
from lens.chart import PLACE, shapes
from lens.concepts.blocks import CONCEPTS
from lens.model_map.diagrams import Diagram, describe, diagrams
from lens.model_map.published import (
    BLOCKS,
    OPERATIONS,
    RELATIONS,
    SEVEN,
    SOCIAL_NETWORK,
    USER_MESSAGES,
    Asked,
    Block,
    Entity,
)
from lens.patterns import pattern_of
from socialsite.table import INDEXES

DOCUMENT = settings.BASE_DIR / "docs" / "model.md"
FOLDER = settings.BASE_DIR / "docs" / "model"


@dataclass(frozen=True, slots=True)
class Cell:
    """`text` may hold code between backticks. `address` is where it leads on the page, with places such as `<handle>`,
    `file` where it leads in the document."""

    text: str
    address: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """`name` is for addresses, `diagram` what stands above it."""

    name: str
    title: str
    about: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    diagram: Diagram | None = None

    @property
    def cells(self) -> Iterator[list[tuple[str, Cell]]]:
        """Yields the rows, each cell with the name of its column."""
        for row in self.rows:
            yield list(zip(self.head, row, strict=True))


def tables() -> list[Table]:
    social, related = diagrams()
    entities = ("Published", "Their key", "Here", "Our key", "Where to see it")
    attributes = ("Published", "Here", "Where to see it")
    asked = ("Published", "Function", "Operation", "Index", "PK", "SK", "Filter", "Where to see it")
    return [
        Table(
            "social-network",
            "The social network: entities",
            "A line that ends in a stroke leads to one, a fork to many; here both follow from the keys.",
            entities,
            tuple(map(_entity, SOCIAL_NETWORK)),
            social,
        ),
        Table(
            "social-network-attributes",
            "The social network: attributes",
            "Names in the table are the published ones, so that both models open side by side in NoSQL Workbench.",
            attributes,
            tuple(_attributes(SOCIAL_NETWORK)),
        ),
        Table(
            "patterns",
            "The social network: access patterns",
            "The question’s own call. None needs an index or a filter: the key answers it.",
            asked,
            tuple(map(_asked, SEVEN)),
        ),
        Table(
            "messages",
            "Time to live: user messages",
            "Messages from one to another that disappear after seven days are the published example of time to live.",
            entities,
            tuple(map(_entity, USER_MESSAGES)),
        ),
        Table(
            "messages-attributes",
            "Time to live: attributes",
            "Nobody reads a message past its end, however late the table deletes it.",
            attributes,
            tuple(_attributes(USER_MESSAGES)),
        ),
        Table(
            "relations",
            "Relations: entities",
            "What were tables of their own are items of the one table here, or numbers in a key.",
            entities,
            tuple(map(_entity, RELATIONS)),
            related,
        ),
        Table(
            "relations-attributes",
            "Relations: attributes",
            "Of a user, and of what one user is to another.",
            attributes,
            tuple(_attributes(RELATIONS)),
        ),
        Table(
            "operations",
            "Relations: operations, index and levels",
            "Other systems ask for the same through a function (`relations.lambda_handler`).",
            asked,
            tuple(map(_asked, OPERATIONS)),
        ),
        Table(
            "blocks",
            "The building blocks",
            "Each has a page with its keys, live items, and what it costs with and without.",
            ("Published", "Here", "Page", "More"),
            tuple(map(_block, BLOCKS)),
        ),
    ]


def _entity(entity: Entity) -> tuple[Cell, ...]:
    ours = _type(entity.item) if entity.item else Cell("no item")
    if entity.said:
        ours = Cell(f"{ours.text}: {entity.said}", ours.address, ours.file)
    key = _key(entity.item) if entity.item else "–"
    return Cell(entity.theirs), Cell(entity.key), ours, Cell(key), _see(entity.see)


def _attributes(entities: Iterable[Entity]) -> Iterator[tuple[Cell, ...]]:
    for entity in entities:
        for one in entity.attributes:
            said = f"`{one.ours}`, {one.said}" if one.said else f"`{one.ours}`"
            theirs = f"{entity.theirs}: `{one.theirs}`"
            yield Cell(theirs), Cell(said, _type(entity.item).address), _see(entity.see)


def _asked(one: Asked) -> tuple[Cell, ...]:
    shape = shapes()[one.item]
    if one.index:
        partition, sort = (f"`{name}`" for name in INDEXES[one.index])
    else:
        partition, sort = f"`{shape.partition}`", f"`{shape.sort}`"
    if one.function == "get_user_info":
        sort = "`info`, `count`"
    file = pattern_of(one.function).file
    return (
        Cell(one.theirs),
        Cell(f"`{one.function}`", f"/dev/table/types/{one.item}", f"../{file}"),
        Cell(one.operation),
        Cell(f"`{one.index}`" if one.index else "table"),
        Cell(partition),
        Cell(f"{sort}: {one.order}" if one.order else sort),
        Cell(", ".join(f"`{name}`" for name in one.filters) or "–"),
        _see(one.see),
    )


def _block(block: Block) -> tuple[Cell, ...]:
    page = Cell(
        CONCEPTS[block.page].title, f"/dev/concepts/{block.page}", f"concepts/{block.page}.md"
    )
    more = Cell(f"`docs/{block.document}`", "", block.document) if block.document else Cell("–")
    return Cell(block.theirs), Cell(block.here), page, more


def _type(item: str) -> Cell:
    return Cell(f"`{item}`", f"/dev/table/types/{item}")


def _key(item: str) -> str:
    return f"`{shapes()[item].partition}`, `{shapes()[item].sort}`"


def _see(address: str) -> Cell:
    return Cell(f"`{address}`", address)


def filled(address: str, example: Example) -> str:
    """Returns an address with the example’s person and post in it, empty if that needs what the example lacks."""
    places = example.places
    if any(place not in places for place in PLACE.findall(address)):
        return ""
    return PLACE.sub(lambda match: places[match[0]], address)


def as_markdown() -> str:
    """Returns the document."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield from (
        "# The model, name by name",
        "",
        "AWS publishes a social network for one DynamoDB table, the building blocks of such tables, and how relations "
        "between people are kept. Each of their names is here with ours and with the place to see it. In debug mode "
        "the same page is at `/dev/model`, with links to your own items.",
        "",
        "All of it is made from `lens/model_map/` and the models: `make documents`.",
    )
    for table in tables():
        yield from ("", f"## {table.title}", "", table.about)
        if diagram := table.diagram:
            yield from ("", f"![{describe(diagram)}](model/{diagram.name}.svg)")
        yield from ("", _row(table.head), "|---" * len(table.head) + "|")
        for row in table.rows:
            yield _row(f"[{cell.text}]({cell.file})" if cell.file else cell.text for cell in row)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
