"""Corrects counts of quotes, while people go on quoting and the worker counts."""

from collections.abc import Iterator, Sequence
from functools import partial

from feed.models import LikeCount, Post, Quote
from feed.pointers import pointer_of
from feed.quotes.counting import difference, is_counted
from socialsite.streams.mend_count import mend_count
from socialsite.streams.unapplied import Unapplied
from socialsite.table import keys
from socialsite.table.reading import RawItem, fetch, key_of, query
from socialsite.table.row import row
from socialsite.table.writing import write_batch


def mend_quote_count(raw: RawItem) -> Iterator[str]:
    """Sets a post's count of quotes to those that readers can see, without changes that the worker has yet to count.
    Yields a line if it was wrong.

    One GetItem, a Query of the quotes and BatchGetItems of their posts, consistent; the stream behind the checkpoints
    only if they differ.
    """
    post_id = row(Post, raw).post_id
    yield from mend_count(
        LikeCount,
        keys.like_count(post_id),
        "quotes",
        count=partial(_count, post_id),
        waiting=partial(_waiting, post_id),
    )


def clear_orphaned_quotes(quotes: Sequence[RawItem]) -> None:
    """Takes quotes out of the lists of posts that are gone, and those whose own post is gone."""
    pairs = [(raw, keys.like_count(row(Quote, raw).quote_of), _post_key(raw)) for raw in quotes]
    found = fetch({key: None for _, *both in pairs for key in both}, consistent=True)
    gone = [raw for raw, count, post in pairs if count not in found or post not in found]
    write_batch(deletes=map(key_of, gone))


def _count(post_id: str) -> int:
    listed = map(_post_key, query(keys.quotes(post_id), consistent=True))
    posts = fetch(listed, consistent=True).values()
    return sum(is_counted(row(Post, post)) for post in posts)


def _post_key(raw: RawItem) -> keys.Key:
    pointer = pointer_of(raw)
    return keys.post(pointer.author_id, pointer.post_id)


def _waiting(post_id: str, unapplied: Unapplied) -> int:
    return sum(
        difference(change.old, change.new)
        for change in unapplied.changes(Post)
        if isinstance(change.item, Post) and change.item.quote_of == post_id
    )
