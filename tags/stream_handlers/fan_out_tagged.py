"""Brings posts to the timelines of those who follow one of their tags.

Up to 500 followers of a tag get a post at once; for more, a job goes step by step. Only people who were here in the
last 30 days get an entry; other timelines are filled when their owner returns (`rebuild_tags.py`). Followers of the
author get none, because they have the post already, or mute its author. Posts of limited people are not brought. Blocks
and mutes are asked for by each read of such an entry (`feed/access_patterns.py`).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice

from django.conf import settings

from accounts.cards import PersonCard
from feed.expiring.moments import earlier
from feed.models import Post
from feed.pointers import Pointer, pointer_of, pointer_of_post, timeline_end
from feed.post_tags import listed_tags
from feed.stream_handlers.fan_out_post import enter, present
from relations.models import TagFollower
from socialsite.clock import utc_now
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.give_way import size_of_step
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys, reading
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from tags.listed import whole_post


@on(Post, "INSERT", "MODIFY")
def fan_out_tagged(change: Change, ledger: Ledger) -> None:
    """Points timelines of those who follow a tag at a post that has it anew: when it is published, released, or edited.

    One consistent BatchGetItem of the author, a Query of each tag's followers, BatchGetItems of their follow edges and
    settings, 1 read unit each, and BatchWriteItems of entries. Safe to run twice: entries and jobs have fixed keys.
    """
    post, before = change.item, change.old
    assert isinstance(post, Post)
    assert before is None or isinstance(before, Post)
    came = listed_tags(whole_post(post)) - listed_tags(before)
    if not came or earlier(timeline_end(ids.time_of(post.post_id)), post.ttl) < utc_now():
        return
    ledger.note_effect()
    if _is_limited(post.author_id):
        return
    for tag in sorted(came):
        edges = list(islice(_followers(tag), settings.FAN_OUT_INLINE + 1))
        if len(edges) > settings.FAN_OUT_INLINE:
            ledger.create(
                Job.new(
                    kind=JobKind.FAN_OUT_TAG,
                    job_id=f"{post.post_id}-{tag}",
                    subject_id=post.post_id,
                    author_id=post.author_id,
                    tag=tag,
                )
            )
        else:
            bring(pointer_of_post(post)._replace(tag=tag), edges, ends=post.ttl)


@job_step(JobKind.FAN_OUT_TAG)
def fan_out_tagged_step(job: Job) -> Step:
    """Brings a post to the next `FAN_OUT_STEP` followers of a tag. Ends if the post does not have the tag any more."""
    tag, key = str(job.tag), keys.post(str(job.author_id), job.subject_id)
    post = fetch([key], consistent=True).get(key)
    if post is None or tag not in listed_tags(row(Post, post)):
        return Step(0, None)
    size = size_of_step(settings.FAN_OUT_STEP)
    edges = list(islice(_followers(tag, after=job.cursor), size))
    bring(pointer_of(post)._replace(tag=tag), edges, ends=row(Post, post).ttl)
    more = len(edges) == size
    return Step(len(edges), reading.key_of(edges[-1]).sk if more else None)


def bring(pointer: Pointer, edges: Sequence[RawItem], *, ends: datetime | None) -> None:
    """Enters a post into the timelines of these followers of a tag (raw `TagFollower` items), but for its author and
    those who follow them."""
    author_id = pointer.author_id
    people = [row(TagFollower, raw).user_id for raw in edges]
    follows = {one: keys.follower(author_id, one) for one in people if one != author_id}
    found = fetch(follows.values(), consistent=True)
    readers = [one for one, edge in follows.items() if edge not in found]
    enter(pointer, present(readers), ends=ends)


def _followers(tag: str, after: str = "") -> Iterable[RawItem]:
    partition = keys.tag_followers(tag)
    start = keys.Key(partition, after) if after else None
    return query(partition, after=start, consistent=True, limit=settings.FAN_OUT_STEP)


def _is_limited(author_id: str) -> bool:
    key = keys.user_info(author_id)
    author = fetch([key], consistent=True).get(key)
    return author is None or PersonCard.from_raw(author).is_limited
