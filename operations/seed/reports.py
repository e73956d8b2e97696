"""Which of the demo's posts are reported."""

from operations.demo.content import DemoReport, reports
from operations.demo.graph import KNOWN_PEOPLE

EVERY = 3  # posts, one is reported


def choose_reported(newest: int, people: int) -> dict[int, DemoReport]:
    """Which of the posts, by number, are the reported ones: of the last days, and none where all are well known."""
    if newest <= EVERY * len(reports()) or people <= KNOWN_PEOPLE:
        return {}
    return {newest - EVERY * place: report for place, report in enumerate(reports(), start=1)}
