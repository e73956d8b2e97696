"""Brings a post for friends, or for a circle of friends, to their timelines, whether or not they follow its author."""

from collections.abc import Sequence
from itertools import islice

from django.conf import settings

from feed.models import Audience, Post
from feed.pointers import answers_another, pointer_of_post
from feed.services.publish_post import timeline_end
from feed.stream_handlers.fan_out_post import enter, present
from relations.models import Relation, RelationType
from relations.relation import is_in_force
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys
from socialsite.table.reading import fetch, query
from socialsite.table.row import row


@on(Post, "INSERT")
def fan_out_to_friends(change: Change, ledger: Ledger) -> None:
    """Points the timelines of its readers at a new post for friends or a circle.

    One Query over the author's friends, at most 1,000, BatchGetItems of their settings and mutes, BatchWriteItems of
    entries. Safe to run twice: the entries have fixed keys. Each read checks again who is a friend.
    """
    post = change.item
    assert isinstance(post, Post)
    if post.audience not in (Audience.FRIENDS, Audience.CIRCLE):
        return
    ledger.note_effect()
    if timeline_end(ids.time_of(post.post_id)) < utc_now() or answers_another(post):
        return
    bounds = keys.relation_bounds(RelationType.FRIEND)
    friends = (
        row(Relation, raw).other_id
        for raw in query(keys.relations(post.author_id), between=bounds, consistent=True)
        if is_in_force(raw) and (not post.circle or post.circle in row(Relation, raw).tags)
    )
    while chunk := list(islice(friends, settings.FAN_OUT_STEP)):
        enter(pointer_of_post(post), present(_listening(post.author_id, chunk)))


def _listening(author_id: str, user_ids: Sequence[str]) -> list[str]:
    mutes = {user_id: keys.relation(user_id, RelationType.MUTE, author_id) for user_id in user_ids}
    found = fetch(mutes.values(), consistent=True, per_call=settings.FAN_OUT_BATCH)
    return [user_id for user_id in user_ids if not is_in_force(found.get(mutes[user_id]))]
