"""The pages as Markdown, for `docs/concepts/`."""

from collections.abc import Iterable, Iterator, Sequence

from lens.concepts.concept import Concept, Timing
from lens.concepts.measured import Measured, measured

TESTS = "tests/lens/concepts"
WRITE = f"CONCEPTS=write .venv/bin/python -m pytest {TESTS}"


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
        f"All files here are made from `lens/concepts/`, with figures that tests measure: `{WRITE}`.",
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
