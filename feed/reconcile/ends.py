"""Corrects the ends of posts in their author's counts, while people go on posting."""

from collections.abc import Iterator

from accounts.models import UserCount
from accounts.models.ends import end_text, still_ahead
from feed.expiring.counting import are_ends, set_ends
from feed.models import Post
from feed.post_count import ENDS, set_of
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.reading import get, query
from socialsite.table.row import row
from socialsite.table.writing import change

LOOKS = 5


def mend_ends(user_id: str) -> Iterator[str]:
    """Sets the ends of a person's posts to those of the posts that are there, and yields a line if any was wrong.

    One consistent GetItem, and a Query of the posts; an UpdateItem if they differ, on condition that they are as read.
    """
    key = keys.user_count(user_id)
    for _ in range(LOOKS):
        try:
            count = get(UserCount, key, consistent=True)
        except NotFound:
            return
        there = _ends_of_posts(user_id)
        stored = {name: still_ahead(getattr(count, name)) for name in ENDS}
        if stored == there:
            return
        try:
            change(UserCount, key, set_ends(count, there), condition=are_ends(count))
        except NotFound:  # they changed meanwhile: look again
            continue
        wrong = sum(len(stored[name] ^ there[name]) for name in ENDS)
        yield f"{key.pk} ends: {wrong} corrected"


def _ends_of_posts(user_id: str) -> dict[str, set[str]]:
    ends: dict[str, set[str]] = {name: set() for name in ENDS}
    for raw in query(keys.posts(user_id), consistent=True):
        if raw["type"]["S"] == Post.__name__ and "ttl" in raw:
            post = row(Post, raw)
            name = set_of(post.audience or "", post.withheld or "")
            ends[name].add(end_text(post.ttl, post.post_id))
    return {name: still_ahead(one) for name, one in ends.items()}
