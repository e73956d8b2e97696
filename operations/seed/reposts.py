"""Which of the demo's likes are reposts too."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from operations.seed.written import Written

Like = tuple[int, int]  # the numbers of a person and of a post

ONE_IN = 17  # likes
WELL_LIKED, ONE_IN_OF_THESE = 15, 5  # posts that go round
AFTER = timedelta(minutes=95)


def choose_reposts(
    likes: Sequence[Like], posts: Sequence[Written], now: datetime
) -> Iterator[tuple[Like, datetime]]:
    """Yields some of the likes of posts that answer none, more of those that many people like, with the moment of the
    repost."""
    counts = Counter(number for _, number in likes)
    for person, number in likes:
        post = posts[number]
        one_in = ONE_IN if counts[number] < WELL_LIKED else ONE_IN_OF_THESE
        if post.answered is None and (7 * person + number) % one_in == 0:
            yield (person, number), min(now, post.moment + AFTER)
