"""Noting a new account's post beside those of others that are like it, and a hint once there are several."""

from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice

from pynamodb.expressions.condition import size

from feed.models import Post
from moderation.cases.services.decide import MOST_POSTS
from moderation.hints.likeness import Likeness, likenesses
from moderation.models import Hint, SamePost
from socialsite.table import keys
from socialsite.table.actions import Upsert
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query
from socialsite.table.writing import transact

SEVERAL = 5  # authors, from which on it is a hint
MOST_COUNTED = 100
KEPT = timedelta(days=2)


class NothingNew(TableError):
    """The author has enough posts of this kind, or the hint counts as many authors."""


@access_pattern
def note_same_posts(post: Post, *, moment: datetime) -> None:
    """Notes the post for its text and for at most 3 hosts, and from 5 authors on the hint that staff see. Safe to
    repeat with the same moment: a set takes a post once, and the number of authors only grows.

    For each, one TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 authors, 1 read
    unit per 4 KB; from the fifth author on, one TransactWriteItems of Hint, 2 write units.
    """
    for likeness in likenesses(post, moment):
        _note(post, likeness, moment)
        rows = query(keys.same_posts(likeness.hint_id), consistent=True, limit=MOST_COUNTED)
        authors = sum(1 for _ in islice(rows, MOST_COUNTED))
        if authors >= SEVERAL:
            _hint(post, likeness, authors, moment)


def _note(post: Post, likeness: Likeness, moment: datetime) -> None:
    actions = [
        SamePost.author_id.set(post.author_id),
        SamePost.posts.add({post.post_id}),
        SamePost.ttl.set(moment + KEPT),
    ]
    has_room = SamePost.posts.does_not_exist() | (size(SamePost.posts) < MOST_POSTS)
    key = keys.same_post(likeness.hint_id, post.author_id)
    with suppress(NothingNew):
        transact(Upsert(SamePost, key, actions, has_room, NothingNew))


def _hint(post: Post, likeness: Likeness, authors: int, moment: datetime) -> None:
    actions = [
        Hint.hint_id.set(likeness.hint_id),
        Hint.kind.set(likeness.kind),
        Hint.authors.set(authors),
        Hint.sample_id.set(post.post_id),
        Hint.sample_author_id.set(post.author_id),
        Hint.ttl.set(moment + KEPT),
    ]
    if likeness.host:
        actions.append(Hint.host.set(likeness.host))
    grows = Hint.authors.does_not_exist() | (Hint.authors < authors)
    with suppress(NothingNew):
        transact(Upsert(Hint, keys.hint(likeness.hint_id), actions, grows, NothingNew))
