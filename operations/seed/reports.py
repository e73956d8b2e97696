"""Chooses the demo's reported posts."""

from operations.demo.content import DemoReport, reports
from operations.demo.graph import KNOWN_PEOPLE

EVERY = 3  # posts, one is reported


def choose_reported(newest: int, people: int) -> dict[int, DemoReport]:
    """Returns the reports by the number of their post: recent posts, and none if everyone is well known."""
    if newest <= EVERY * len(reports()) or people <= KNOWN_PEOPLE:
        return {}
    return {newest - EVERY * place: report for place, report in enumerate(reports(), start=1)}
