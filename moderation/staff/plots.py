"""Small SVG plots, drawn by the server. Colour and size come from the page, so they suit light, dark and print."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 300, 60
GAP = 0.3  # of a bar's share of the width
BASE = 1  # the height of an empty bar, so that each day is visible


def bar_plot(values: Sequence[int], *, title: str) -> SafeString:
    """Returns a plot with one bar for each value, from left to right, the greatest as high as the plot. Screen readers
    read `title` instead. Put the numbers themselves into a table beside it."""
    most = max(values, default=0) or 1
    step = WIDTH / max(len(values), 1)
    bars = format_html_join(
        "\n",
        '<rect x="{}" y="{}" width="{}" height="{}" fill="currentColor"/>',
        (_bar(number, value, most, step) for number, value in enumerate(values)),
    )
    return format_html(
        '<svg class="plot" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img"><title>{}</title>\n{}</svg>',
        WIDTH,
        HEIGHT,
        title,
        bars,
    )


def _bar(number: int, value: int, most: int, step: float) -> tuple[str, str, str, str]:
    height = BASE + (HEIGHT - BASE) * max(value, 0) / most
    left = (number + GAP / 2) * step
    return f"{left:.2f}", f"{HEIGHT - height:.2f}", f"{step * (1 - GAP):.2f}", f"{height:.2f}"
