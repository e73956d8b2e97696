"""The moments at which a person's posts end, as `UserCount` holds them: second and post id in one string. What is past
counts no more, though nobody writes anything at that second."""

from collections.abc import Iterable
from datetime import datetime

from accounts.models.people import UserCount
from socialsite.clock import utc_now

SECONDS = 10  # digits of an epoch second, until the year 2286


def end_text(end: datetime, post_id: str) -> str:
    """Returns the end of a post as `UserCount` holds it."""
    return f"{int(end.timestamp()):0{SECONDS}}{post_id}"


def still_ahead(ends: Iterable[str] | None) -> set[str]:
    """Returns those of the ends that have not come yet."""
    now = utc_now().timestamp()
    return {end for end in ends or () if int(end[:SECONDS]) > now}


def posts_now(count: UserCount) -> int:
    """Returns how many posts a person has at this second, withheld ones left out."""
    ending = len(still_ahead(count.ends)) + len(still_ahead(count.closed_ends))
    return int(count.posts) + ending


def closed_posts_now(count: UserCount) -> int:
    """Returns how many of them are not for everyone."""
    return int(count.closed) + len(still_ahead(count.closed_ends))
