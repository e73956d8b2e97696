"""Charts as SVG, for light and dark: bars against a limit, and lines. No library draws them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

WIDTH = 760
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1e1d2d }
.key { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace } .said { fill: #5f5f6e; font-size: 12px }
.back { fill: #fff } .bar { fill: #7a70e0 } .over { fill: #c8402a } .track { fill: #ecedff }
.limit { stroke: #c8402a; stroke-width: 1.5; stroke-dasharray: 5 4 } .axis { stroke: #a9a9bb }
.grid { stroke: #e4e4ee }
.line { fill: none; stroke-width: 2 } .a { stroke: #5246cd } .b { stroke: #c8402a }
.end-a { fill: #5246cd } .end-b { fill: #c8402a }
@media (prefers-color-scheme: dark) {
  text { fill: #eaeaf0 } .said { fill: #a6a6b4 } .back { fill: #1a1a23 } .bar { fill: #8d85ec } .over { fill: #f08a76 }
  .track { fill: #2b294b } .limit { stroke: #f08a76 } .axis { stroke: #5b5b6b } .grid { stroke: #2c2c38 }
  .a { stroke: #aca9fe } .b { stroke: #f08a76 } .end-a { fill: #aca9fe } .end-b { fill: #f08a76 }
}
"""
ROW, TOP, LEFT, RIGHT = 26, 40, 310, 130
PLOT = WIDTH - LEFT - RIGHT


@dataclass(frozen=True, slots=True)
class Bar:
    """A row: what it is of, how much, and what is written at its end."""

    label: str
    value: float
    said: str


def bars(title: str, rows: Sequence[Bar], *, limit: float, limit_said: str) -> str:
    """Returns bars from a hundredth of the limit on, each step ten times the one before, with a line at the limit."""
    height = TOP + ROW * len(rows) + 24
    drawing = _begin(title, f"{'; '.join(f'{row.label}: {row.said}' for row in rows)}.", height)
    least = limit / 100
    most = max(limit * 10, *(row.value for row in rows))

    def place(value: float) -> float:
        share = math.log(max(value, least) / least) / math.log(most / least)
        return LEFT + PLOT * share

    for number, row in enumerate(rows):
        y = TOP + ROW * number
        _text(drawing, row.label, LEFT - 10, y + 16, "key", anchor="end")
        wide = max(place(row.value) - LEFT, 2)
        _rect(drawing, "track", LEFT, y + 4, PLOT, ROW - 9)
        _rect(drawing, "over" if row.value > limit else "bar", LEFT, y + 4, wide, ROW - 9)
        _text(drawing, row.said, LEFT + PLOT + 8, y + 16, "said")
    x = place(limit)
    bottom = TOP + ROW * len(rows)
    SubElement(drawing, "line", {"class": "limit", **_line(x, TOP - 4, x, bottom + 2)})
    _text(drawing, limit_said, x, bottom + 18, "said", anchor="middle")
    return _end(drawing)


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points, with what is written at its end."""

    label: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Axis:
    """From where to where, which values are marked and how, and whether each step is ten times the one before."""

    begin: float
    end: float
    marks: Sequence[tuple[float, str]]
    is_log: bool = False

    def share(self, value: float) -> float:
        if self.is_log:
            value, begin, end = math.log(value), math.log(self.begin), math.log(self.end)
            return (value - begin) / (end - begin)
        return (value - self.begin) / (self.end - self.begin)


TALL, BESIDE, AFTER = 260, 90, 120


def lines(title: str, said: str, curves: Sequence[Curve], *, across: Axis, up: Axis) -> str:
    """Returns at most two curves over one pair of axes."""
    height = TOP + TALL + 34
    drawing = _begin(title, said, height)
    wide = WIDTH - BESIDE - AFTER

    def x(value: float) -> float:
        return BESIDE + wide * across.share(value)

    def y(value: float) -> float:
        return TOP + TALL * (1 - up.share(value))

    for value, words in up.marks:
        SubElement(
            drawing, "line", {"class": "grid", **_line(BESIDE, y(value), BESIDE + wide, y(value))}
        )
        _text(drawing, words, BESIDE - 8, y(value) + 4, "said", anchor="end")
    for value, words in across.marks:
        _text(drawing, words, x(value), TOP + TALL + 20, "said", anchor="middle")
    floor = TOP + TALL
    SubElement(drawing, "line", {"class": "axis", **_line(BESIDE, floor, BESIDE + wide, floor)})
    for name, curve in zip("ab", curves, strict=False):
        path = " ".join(
            f"{'L' if number else 'M'}{x(one):.1f} {y(other):.1f}"
            for number, (one, other) in enumerate(curve.points)
        )
        SubElement(drawing, "path", {"class": f"line {name}", "d": path})
        last = curve.points[-1]
        _text(drawing, curve.label, x(last[0]) + 8, y(last[1]) + 4, f"said end-{name}")
    return _end(drawing)


def _begin(title: str, said: str, height: float) -> Element:
    drawing = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
    drawing.set("aria-labelledby", "title text")
    drawing.set("viewBox", f"0 0 {WIDTH} {height:.0f}")
    drawing.set("width", str(WIDTH))
    drawing.set("height", f"{height:.0f}")
    SubElement(drawing, "style").text = STYLE
    SubElement(drawing, "title", id="title").text = title
    SubElement(drawing, "desc", id="text").text = said
    _rect(drawing, "back", 0, 0, WIDTH, height)
    _text(drawing, title, 14, 22, "")
    return drawing


def _end(drawing: Element) -> str:
    return tostring(drawing, encoding="unicode") + "\n"


def _text(parent: Element, words: str, x: float, y: float, kind: str, *, anchor: str = "") -> None:
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}"} | ({"class": kind} if kind else {})
    if anchor:
        place["text-anchor"] = anchor
    SubElement(parent, "text", place).text = words


def _rect(parent: Element, kind: str, x: float, y: float, width: float, height: float) -> None:
    frame = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}
    SubElement(parent, "rect", {"class": kind, **frame})


def _line(x1: float, y1: float, x2: float, y2: float) -> dict[str, str]:
    return {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
