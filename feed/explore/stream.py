"""What the clock does for Explore. The work plans itself anew each quarter of an hour, and a page that finds the lists
out of date begins it again (`reads.py`)."""

from feed.explore.reads import RANK
from feed.explore.writes import rank_liked_today
from socialsite.due.models import Due
from socialsite.due.work import due_work


@due_work(RANK)
def rank(due: Due) -> None:
    """Ranks the posts that people like today. As `rank_liked_today`, safe to run twice."""
    rank_liked_today(due)
