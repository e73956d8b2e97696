"""Which of the demo's likes are reposts too."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from operations.seed.written import Written

Like = tuple[int, int]  # the numbers of a person and of a post

ONE_IN = 17
AFTER = timedelta(minutes=95)


def choose_reposts(
    likes: Iterable[Like], posts: Sequence[Written], now: datetime
) -> Iterator[tuple[Like, datetime]]:
    """Yields some of the likes of posts that answer none, with the moment of the repost."""
    for person, number in likes:
        post = posts[number]
        if post.answered is None and (7 * person + number) % ONE_IN == 0:
            yield (person, number), min(now, post.moment + AFTER)
