"""How many posts a person has at this second, those that end by themselves among them.

`UserCount` holds the end of each such post in a set, as the moment in seconds and the post's id. An end that has come
counts no more, so a post leaves the numbers at its second and nothing is written for it. Why that is so:
`docs/adr/0029-ends-in-the-counts.md`.

Publishing writes these sets (`feed/publishing/writes.py`), cards and guards of posts read the numbers.
"""

from collections.abc import Iterable
from datetime import datetime

from accounts.models import UserCount
from socialsite.clock import utc_now

DIGITS_OF_END = 10  # digits of an epoch second, until the year 2286


def end_text(end: datetime, post_id: str) -> str:
    """Returns the end of a post as `UserCount` holds it."""
    return f"{int(end.timestamp()):0{DIGITS_OF_END}}{post_id}"


def still_ahead(ends: Iterable[str] | None) -> set[str]:
    """Returns those of the ends that have not come yet."""
    now = utc_now().timestamp()
    return {end for end in ends or () if int(end[:DIGITS_OF_END]) > now}


def posts_now(count: UserCount) -> int:
    """Returns how many posts a person has at this second, withheld ones left out."""
    ending = len(still_ahead(count.ends)) + len(still_ahead(count.closed_ends))
    return int(count.posts) + ending


def closed_posts_now(count: UserCount) -> int:
    """Returns how many of them are not for everyone."""
    return int(count.closed) + len(still_ahead(count.closed_ends))
