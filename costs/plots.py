"""The page's plots as SVG, drawn by the server. Colours come from its style sheet, so they suit light, dark and print.

Each has a title for screen readers, and the page shows the same numbers in a table.
"""

from collections.abc import Sequence
from math import ceil, floor, log10

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 360, 90
GAP = 0.24  # of a bar's share of the width
BASE = 1  # the height of an empty bar, so that each day is visible
LEFT, BOTTOM, MARGIN = 58, 22, 10  # around the lines of the forecast
GROWTH_HEIGHT = 220


def day_bars(values: Sequence[tuple[float, float]], *, title: str) -> SafeString:
    """Returns a bar for each day: what reads cost below, what writes cost on top of it."""
    most = max((below + above for below, above in values), default=0) or 1
    step = WIDTH / max(len(values), 1)
    return format_html(
        '<svg class="cost-days" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img">'
        "<title>{}</title>\n{}</svg>",
        WIDTH,
        HEIGHT,
        title,
        format_html_join("\n", "{}", ([_bar(n, one, most, step)] for n, one in enumerate(values))),
    )


def share_bar(share: float) -> SafeString:
    """Returns a bar as long as a share of all. It says nothing that does not stand beside it."""
    return format_html(
        '<svg class="cost-share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="cost-track" width="100" height="8"/><rect width="{}" height="8"/></svg>',
        f"{100 * min(max(share, 0), 1):.2f}",
    )


def growth_lines(
    points: Sequence[tuple[float, float, str]], *, title: str, amounts: Sequence[tuple[float, str]]
) -> SafeString:
    """Returns a line through points of (people, dollars, label), both on logarithmic scales. `amounts` are the lines of
    the dollars, with their labels."""
    low, high = log10(amounts[0][0]), log10(amounts[-1][0])
    first, last = log10(points[0][0]), log10(points[-1][0])
    right, top, foot = WIDTH - MARGIN * 3, MARGIN, GROWTH_HEIGHT - BOTTOM

    def x_of(people: float) -> str:
        return f"{LEFT + MARGIN + (log10(people) - first) / (last - first) * (right - LEFT - MARGIN):.1f}"

    def y_of(dollars: float) -> str:
        return f"{foot - (log10(dollars) - low) / (high - low) * (foot - top):.1f}"

    grid = format_html_join(
        "\n",
        '<line x1="{}" x2="{}" y1="{}" y2="{}"/><text x="{}" y="{}" dy="4" text-anchor="end">{}</text>',
        (
            (LEFT, WIDTH, y_of(amount), y_of(amount), LEFT - 6, y_of(amount), label)
            for amount, label in amounts
        ),
    )
    dots = format_html_join(
        "\n",
        '<circle cx="{}" cy="{}" r="4"/><text x="{}" y="{}" text-anchor="middle">{}</text>',
        (
            (x_of(people), y_of(dollars), x_of(people), GROWTH_HEIGHT - 5, label)
            for people, dollars, label in points
        ),
    )
    line = " ".join(f"{x_of(people)},{y_of(dollars)}" for people, dollars, _ in points)
    return format_html(
        '<svg class="cost-growth" viewBox="0 0 {} {}" role="img"><title>{}</title>\n<g class="cost-grid">{}</g>\n'
        '<polyline points="{}" fill="none"/>\n{}</svg>',
        WIDTH,
        GROWTH_HEIGHT,
        title,
        grid,
        line,
        dots,
    )


def decades_around(values: Sequence[float]) -> list[float]:
    """Returns the powers of ten from just below the least to just above the greatest value, every second one if they
    are many."""
    low, high = (
        floor(log10(min(values))),
        max(ceil(log10(max(values))), floor(log10(min(values))) + 1),
    )
    step = 1 if high - low <= 5 else 2
    return [10.0**power for power in range(low, high + step, step)]


def _bar(number: int, value: tuple[float, float], most: float, step: float) -> SafeString:
    left, width = (number + GAP / 2) * step, step * (1 - GAP)
    below, above = ((HEIGHT - BASE) * max(part, 0) / most for part in value)
    below += BASE
    return format_html(
        '<rect class="cost-reads" x="{x}" y="{y}" width="{w}" height="{h}"/>'
        '<rect class="cost-writes" x="{x}" y="{y2}" width="{w}" height="{h2}"/>',
        x=f"{left:.2f}",
        w=f"{width:.2f}",
        y=f"{HEIGHT - below:.2f}",
        h=f"{below:.2f}",
        y2=f"{HEIGHT - below - above:.2f}",
        h2=f"{above:.2f}",
    )
