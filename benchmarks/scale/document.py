"""docs/scale.md as a whole: its formulas, its bill, and the replay of ten million people with its pictures."""

from benchmarks.scale.page import PAGE, REPLAY, REPLAY_ENDS, worked_out
from benchmarks.scale.report import part, pictures

PICTURES = PAGE.parent / "scale"


def whole(page: str) -> str:
    """Returns the page as it must be."""
    page = worked_out(page)
    head, mark, rest = page.partition(REPLAY)
    _old, end, tail = rest.partition(REPLAY_ENDS)
    return f"{head}{mark}\n{part(page)}\n{end}{tail}" if mark else page


def write() -> None:
    """Writes the page and its pictures."""
    PAGE.write_text(whole(PAGE.read_text()))
    PICTURES.mkdir(exist_ok=True)
    for name, drawing in pictures().items():
        (PICTURES / name).write_text(drawing)
