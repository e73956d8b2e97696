"""Brings a post for friends, or for a circle of friends, to their timelines, whether or not they follow its author.
Takes it out again if its author chooses another audience."""

from collections.abc import Iterator, Sequence
from itertools import islice

from django.conf import settings

from feed.expiring.moments import earlier
from feed.models import Audience, Post
from feed.pointers import pointer_of_post, stands_in_lists, timeline_end
from feed.stream_handlers.fan_out_post import enter, present
from relations.models import Relation, RelationType
from relations.relation import is_in_force
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys
from socialsite.table.item import Item
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.table.writing import write_batch


@on(Post, "INSERT", "MODIFY")
def fan_out_to_friends(change: Change, ledger: Ledger) -> None:
    """Points the timelines of its readers at a post that is for friends or a circle, since it was published or by its
    author's choice. Takes one that is not any more out of the timelines of those who do not follow its author.

    One Query over the author's friends, at most 1,000, BatchGetItems of their settings and mutes, or of their follow
    edges, BatchWriteItems of entries. Safe to run twice: the entries have fixed keys. Each read checks again who is a
    friend.
    """
    post = change.item
    assert isinstance(post, Post)
    now, before = _circle_of(post), _circle_of(change.old)
    if now == before:
        return
    ledger.note_effect()
    if earlier(timeline_end(ids.time_of(post.post_id)), post.ttl) < utc_now():
        return
    if now is None:
        _take_out(post)
        return
    friends = (
        row(Relation, raw).other_id
        for raw in _friends(post.author_id)
        if is_in_force(raw) and (not now or now in row(Relation, raw).tags)
    )
    while chunk := list(islice(friends, settings.FAN_OUT_STEP)):
        enter(
            pointer_of_post(post),
            present(_listening(post.author_id, chunk)),
            ends=post.ttl,
        )


def _circle_of(post: Item | None) -> str | None:
    """Returns the circle that a post is for, empty if it is for all friends, None if it is for neither."""
    if not isinstance(post, Post) or not stands_in_lists(post):
        return None
    if post.audience not in (Audience.FRIENDS, Audience.CIRCLE):
        return None
    return post.circle or ""


def _take_out(post: Post) -> None:
    # Former friends too, whose entries stayed. What a followed tag brings comes later, because tags build on this room.
    readers = (row(Relation, raw).other_id for raw in _friends(post.author_id))
    while chunk := list(islice(readers, settings.FAN_OUT_STEP)):
        edges = {user_id: keys.follower(post.author_id, user_id) for user_id in chunk}
        found = fetch(edges.values(), consistent=True)
        write_batch(
            deletes=[
                keys.timeline_entry(user_id, post.post_id, post.author_id)
                for user_id in chunk
                if edges[user_id] not in found
            ]
        )


def _friends(author_id: str) -> Iterator[RawItem]:
    bounds = keys.relation_bounds(RelationType.FRIEND)
    return query(keys.relations(author_id), between=bounds, consistent=True)


def _listening(author_id: str, user_ids: Sequence[str]) -> list[str]:
    mutes = {user_id: keys.relation(user_id, RelationType.MUTE, author_id) for user_id in user_ids}
    found = fetch(mutes.values(), consistent=True)
    return [user_id for user_id in user_ids if not is_in_force(found.get(mutes[user_id]))]
