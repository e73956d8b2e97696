"""Deletes files that a crash left behind (`photos/sweeping.py`)."""

from photos.sweeping import SWEEP, sweep_photos
from socialsite.due.work import due_work
from socialsite.models import Due


@due_work(SWEEP)
def sweep(due: Due) -> None:
    """Safe to run twice: what is gone is not listed again."""
    sweep_photos(due.subject)
