"""Searches the whole table and the archive for people who were erased, in the nights after."""

from privacy.erasure.ending import SEARCH
from privacy.erasure.search import search_further
from socialsite.due.work import due_work
from socialsite.models import Due


@due_work(SEARCH)
def search_when_due(due: Due) -> None:
    """Looks through the next part. Safe to run twice: it clears what is still there, and each part plans the next
    once."""
    search_further(due)
