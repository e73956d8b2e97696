"""Brings a reply to the timelines of those who follow both its author and the person answered, and of that person.

The shorter of the two lists of followers is walked; of the longer one, the part between two followers is read, or
single followers if it is very much longer. Above 500 followers a job does it step by step. If both have more than
5,000, the reply comes into no timeline: it is read in its thread.
"""

from collections.abc import Sequence
from itertools import islice

from django.conf import settings

from accounts.models import UserCount
from feed.models import Post
from feed.pointers import answers_another, pointer_of_post, timeline_end
from feed.stream_handlers.fan_out_post import enter, listening, present_followers
from relations.models import Follower
from socialsite.clock import utc_now
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.give_way import size_of_step
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.reading import RawItem, fetch, get, query
from socialsite.table.row import row

MUCH_LONGER = 25  # times: then single followers cost less than the part between


@on(Post, "INSERT")
def fan_out_reply(change: Change, ledger: Ledger) -> None:
    """Points timelines at a new reply to somebody else, now or by a job. Safe to run twice: entries and job have fixed
    keys."""
    post = change.item
    assert isinstance(post, Post)
    if not answers_another(post):
        return
    ledger.note_effect()
    if timeline_end(ids.time_of(post.post_id)) < utc_now():
        return
    _bring_to_answered(post)
    shorter, _ = _by_length(post)
    if shorter.followers > settings.PULL_ABOVE:
        return
    if shorter.followers <= settings.FAN_OUT_INLINE:
        _bring_to_next(post, after="", size=settings.FAN_OUT_STEP)
        return
    ledger.create(
        Job.new(
            kind=JobKind.FAN_OUT_REPLY,
            job_id=post.post_id,
            subject_id=post.post_id,
            author_id=post.author_id,
            total=shorter.followers,
        )
    )


@job_step(JobKind.FAN_OUT_REPLY)
def fan_out_reply_step(job: Job) -> Step:
    """Brings the reply to the next `FAN_OUT_STEP` followers of the person with fewer. Ends if it was deleted."""
    try:
        post = get(Post, keys.post(str(job.author_id), job.subject_id), consistent=True)
    except NotFound:
        return Step(0, None)
    return _bring_to_next(post, after=job.cursor, size=size_of_step(settings.FAN_OUT_STEP))


def _bring_to_answered(post: Post) -> None:
    edge = keys.follower(post.author_id, str(post.reply_to_author_id))
    found = fetch([edge], consistent=True)
    enter(pointer_of_post(post), present_followers(listening(found.values())), ends=post.ttl)


def _by_length(post: Post) -> list[UserCount]:
    """Returns the follower counts of the reply's author and of the person answered, the smaller first."""
    people = [post.author_id, str(post.reply_to_author_id)]
    found = fetch(map(keys.user_count, people), consistent=True)
    counts = [
        row(UserCount, found.get(keys.user_count(one), {"user_id": {"S": one}})) for one in people
    ]
    return sorted(counts, key=lambda count: count.followers)


def _bring_to_next(post: Post, *, after: str, size: int) -> Step:
    shorter, longer = _by_length(post)
    partition = keys.followers(shorter.user_id)
    start = keys.Key(partition, after) if after else None
    edges = query(partition, after=start, consistent=True, limit=size)
    chunk = list(islice(edges, size))
    if chunk:
        both = _of_both(chunk, longer)
        enter(pointer_of_post(post), present_followers(both), ends=post.ttl)
    more = len(chunk) == size
    return Step(len(chunk), reading.key_of(chunk[-1]).sk if more else None)


def _of_both(chunk: Sequence[RawItem], longer: UserCount) -> list[Follower]:
    """Returns rows of those edges in `chunk` whose followers also follow the other person, and mute neither."""
    follower_ids = [row(Follower, raw).follower_id for raw in chunk]
    wanted = [keys.follower(longer.user_id, one) for one in follower_ids]
    if longer.followers > MUCH_LONGER * len(chunk):
        others = list(fetch(wanted, consistent=True).values())
    else:
        between = wanted[0].sk, wanted[-1].sk
        others = list(query(keys.followers(longer.user_id), between=between, consistent=True))
    hear_the_other = {one.follower_id for one in listening(others)}
    return [one for one in listening(chunk) if one.follower_id in hear_the_other]
