"""A follow fills the follower's timeline, an unfollow empties it."""

from datetime import UTC, datetime, timedelta
from itertools import islice

from django.conf import settings

from accounts.models import Following, UserInfo
from feed.access_patterns import newest_pointers
from feed.models import Post, TimelineEntry
from feed.services.publish_post import timeline_end
from feed.stream_handlers.cross_to_pull import forget_to_pull, learn_to_pull
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys, reading
from socialsite.table.reading import fetch, query
from socialsite.table.writing import write_batch

CHUNK = 500


@on(Following, "INSERT")
def backfill_timeline(change: Change, ledger: Ledger) -> None:
    """Somebody was followed: puts their newest posts into the follower's timeline, or lets the follower pull them.

    Reads consistently, so that a post that committed before is never missed. Twice is safe: the entries have fixed
    keys.
    """
    following = change.item
    assert isinstance(following, Following)
    fill_timeline(following.user_id, following.followed_id)
    ledger.note_effect()


def fill_timeline(user_id: str, author_id: str) -> None:
    """Puts a person's newest posts into a timeline, or lets its owner pull them."""
    info_key = keys.user_info(author_id)
    author = fetch([info_key], consistent=True).get(info_key, {})
    if reading.text(author, UserInfo.reading):
        learn_to_pull(user_id, author_id)
    write_batch(puts=newest_entries(user_id, author_id))


@on(Following, "REMOVE")
def empty_timeline(change: Change, ledger: Ledger) -> None:
    """Somebody was unfollowed: takes their posts out of the timeline.

    Twice is safe: it deletes by key. If they are followed again meanwhile, that change comes later in the stream and
    puts the posts back.
    """
    following = change.item
    assert isinstance(following, Following)
    forget_to_pull(following.user_id, following.followed_id)
    clear_entries(following.user_id, following.followed_id)
    ledger.note_effect()


def clear_entries(user_id: str, author_id: str) -> None:
    """Takes a person's posts out of a timeline: a Query of those of the last 30 days, BatchWriteItems of deletions."""
    oldest = ids.first_id_at(datetime.now(UTC) - timedelta(days=settings.TIMELINE_DAYS))
    bounds = keys.post("", oldest).sk, keys.post("", "~").sk
    posts = query(keys.posts(author_id), between=bounds, consistent=True)
    while chunk := list(islice(posts, CHUNK)):
        write_batch(
            deletes=[
                keys.timeline_entry(user_id, reading.text(raw, Post.post_id), author_id)
                for raw in chunk
            ]
        )


def newest_entries(user_id: str, followed_id: str) -> list[TimelineEntry]:
    """Entries for the newest posts of one person, as a follow and a rebuilt timeline get them."""
    oldest = datetime.now(UTC) - timedelta(days=settings.TIMELINE_DAYS)
    return [
        TimelineEntry.new(
            user_id=user_id,
            post_id=pointer.post_id,
            author_id=pointer.author_id,
            ttl=timeline_end(created),
        )
        for pointer in newest_pointers(followed_id, count=settings.BACKFILL_POSTS)
        if (created := ids.time_of(pointer.post_id)) > oldest
    ]
