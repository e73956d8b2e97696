"""Noting a new account's post beside those of others that are like it, and a hint once there are several."""

from datetime import datetime

from feed.models import Post
from moderation.hints.counting import hint_at, note_account
from moderation.hints.likeness import likenesses
from moderation.models import Hint, SamePost
from socialsite.table.meter import access_pattern


@access_pattern
def note_same_posts(post: Post, *, moment: datetime) -> None:
    """Notes the post for its text and for at most 3 hosts, and from 5 authors on the hint that staff see. Safe to
    repeat with the same moment: a set takes a post once, and the number of authors only grows.

    For each, one TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 authors, 1 read
    unit per 4 KB; from the fifth author on, one TransactWriteItems of Hint, 2 write units.
    """
    for like in likenesses(post, moment):
        noted = SamePost.posts.add({post.post_id})
        authors = note_account(like.hint_id, post.author_id, moment, noted)
        sample = [
            Hint.sample_id.set(post.post_id),
            Hint.sample_author_id.set(post.author_id),
            *([Hint.host.set(like.host)] if like.host else []),
        ]
        hint_at(like.hint_id, like.kind, authors, moment, *sample)
