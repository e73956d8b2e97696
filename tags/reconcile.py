"""Corrects tags after stream records were lost, while people go on posting and the worker goes on listing."""

from collections.abc import Sequence

from feed.models import Post
from feed.post_tags import listed_tags
from socialsite.table import keys
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.table.writing import write_batch
from tags.listed import leave_tags, tag_items
from tags.models import TagEntry


def mend_tags(posts: Sequence[RawItem], entries: Sequence[RawItem]) -> None:
    """Lists these posts under their tags, and takes away entries whose posts do not stand there.

    Consistent BatchGetItems of the entries that should be there and of the posts of those that are; BatchWriteItems of
    what differs. A post that changes at this very moment makes a stream record of its own, which the worker handles.
    """
    wanted = [item for post in map(_post, posts) for item in tag_items(post, listed_tags(post))]
    found = fetch([item.key for item in wanted], consistent=True)
    write_batch(puts=[item for item in wanted if item.key not in found])
    stored = [row(TagEntry, raw) for raw in entries]
    of_entries = fetch([keys.post(one.author_id, one.post_id) for one in stored], consistent=True)
    for one in stored:
        raw = of_entries.get(keys.post(one.author_id, one.post_id))
        if raw is None or one.tag not in listed_tags(_post(raw)):
            leave_tags(Post(post_id=one.post_id, author_id=one.author_id), [one.tag])


def _post(raw: RawItem) -> Post:
    return row(Post, raw)
