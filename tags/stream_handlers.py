"""What follows from posts for tags and those who follow them. Every handler may run twice: it puts items with fixed
keys, or deletes by key.

Posts are listed under their tags, and brought to the timelines of those who follow one. Up to 500 followers of a tag
get a post at once; for more, a job goes step by step. Only people who were here in the last 30 days get an entry; other
timelines are filled by a job when their owner returns, or for everyone after stream records were lost
(`operations/reconcile.py`). Followers of the author get none, because they have the post already, or mute its author.
Posts of limited people are not brought. Blocks and mutes are asked for by each read of such an entry
(`feed/home/reads.py`). A timeline is filled after a tag is followed, and cleared after it is followed no longer, except
for posts that come another way.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import islice

from django.conf import settings

import feed.stream_handlers  # noqa: F401 - they run first: a post leaves friends before a tag brings it
from accounts.models import UserSettings
from accounts.people.cards import PersonCard
from feed.posts.models import Post, TimelineEntry
from feed.posts.reads import (
    Pointer,
    entry_of,
    listed_tags,
    pointer_of,
    pointer_of_post,
    timeline_end,
)
from feed.posts.writes import earlier
from feed.timelines.writes import enter, present
from relations.models import FollowedTag, RelationType, TagFollower
from relations.own_choices.writes import followed_tags_now
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import due_work
from socialsite.streams import Change, Job, JobKind, Ledger, Step, job_step, on
from socialsite.streams.jobs import size_of_step
from socialsite.streams.late_writes import Recent, remember, settles
from socialsite.table import Key, RawItem, fetch, ids, keys, query, reading, row, write_batch
from socialsite.table.writing import write_differing
from tags.models import TagEntry, enter_tags, leave_tags, whole_post
from tags.trending import (
    COUNT_TOPICS,
    count_topics,
    hour_of,
    is_counted,
    planned_count,
    tags_used,
    use_of_topic,
)


@on(Post, "INSERT", "MODIFY")
def fan_out_tagged(change: Change, ledger: Ledger) -> None:
    """Points timelines of those who follow a tag at a post that has it anew: when it is published, released, or edited.

    One consistent BatchGetItem of the author, a Query of each tag's followers, BatchGetItems of their follow edges and
    settings, 1 read unit each, and BatchWriteItems of entries, 1 write unit each, up to 500 at once, more by a job of
    1,000 a step. Safe to run twice: entries and jobs have fixed keys.
    """
    post, before = change.item, change.old
    assert isinstance(post, Post)
    assert before is None or isinstance(before, Post)
    came = listed_tags(whole_post(post)) - listed_tags(before)
    if (
        not came
        or post.imported
        or earlier(timeline_end(ids.time_of(post.post_id)), post.ttl) < utc_now()
    ):
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


BROUGHT = 20  # posts of a tag that is followed anew
CHUNK = 100


@on(FollowedTag, "INSERT")
def fill_with_tag(change: Change, ledger: Ledger) -> None:
    """Puts the newest posts with a tag into the timeline, without people whom the follower follows or mutes, or who are
    kept apart by a block. A Query of the newest 20, a BatchGetItem of 3 keys an author, 1 read unit each, and
    BatchWriteItems. Safe to run twice: the entries have fixed keys."""
    followed = change.item
    assert isinstance(followed, FollowedTag)
    remember(change, Recent.TAG, followed.user_id, followed.tag)
    write_batch(puts=newest_tagged(followed.user_id, followed.tag))
    ledger.note_effect()


def newest_tagged(user_id: str, tag: str) -> list[TimelineEntry]:
    """Returns entries for the newest posts with a tag, at most 20, without those of people whom the person follows,
    mutes, or is kept apart from by a block: two of these have their own ways into a timeline, or out of it.

    A consistent Query of the posts, and a BatchGetItem of 3 keys an author, 1 read unit each.
    """
    oldest = utc_now() - timedelta(days=settings.TIMELINE_DAYS)
    rows = query(keys.tagged_posts(tag), forward=False, consistent=True, limit=BROUGHT)
    listed = {pointer_of(raw): row(TagEntry, raw).ttl for raw in islice(rows, BROUGHT)}
    left_out = {user_id, *_not_to_be_brought(user_id, {one.author_id for one in listed})}
    return [
        entry_of(one, user_id, ends=end)
        for one, end in listed.items()
        if one.author_id not in left_out and ids.time_of(one.post_id) > oldest
    ]


def _not_to_be_brought(user_id: str, author_ids: set[str]) -> Iterator[str]:
    def follow(author_id: str) -> Key:
        return keys.following(user_id, author_id)

    def mute(author_id: str) -> Key:
        return keys.relation(user_id, RelationType.MUTE, author_id)

    def block(author_id: str) -> Key:
        return keys.relation(user_id, RelationType.BLOCK, author_id)

    asked = [key_of(one) for one in author_ids for key_of in (follow, mute, block)]
    found = fetch(asked, consistent=True)
    for one in author_ids:
        is_muted = is_in_force(found.get(mute(one)))
        if follow(one) in found or is_muted or blocks_either_way(found.get(block(one))):
            yield one


@on(FollowedTag, "REMOVE")
def clear_of_tag(change: Change, ledger: Ledger) -> None:
    """Takes posts that a tag brought out of the timeline. Those stay that another followed tag brings too, or whose
    author is followed by now.

    A consistent Query of the whole timeline and one of the followed tags, BatchGetItems of the posts that the tag
    brought and of the follow edges of their authors, BatchWriteItems: 1 read unit for 4 KB, and 1 for each post and
    author. Safe to run twice: the present state decides.
    """
    unfollowed = change.item
    assert isinstance(unfollowed, FollowedTag)
    remember(change, Recent.TAG, unfollowed.user_id, unfollowed.tag)
    settle_tag(unfollowed.user_id, unfollowed.tag)
    ledger.note_effect()


@settles(Recent.TAG)
def settle_tag(user_id: str, tag: str) -> None:
    """Takes posts that a tag brought out of a timeline, or puts the newest in if the tag is followed now. May run at
    any time."""
    tags = followed_tags_now(user_id)
    if tag in tags:
        write_differing(puts=newest_tagged(user_id, tag))
        return
    entries = (pointer_of(raw) for raw in query(keys.timeline(user_id), consistent=True))
    brought = (one for one in entries if one.tag == tag)
    while chunk := list(islice(brought, CHUNK)):
        _clear(user_id, chunk, tags)


def _clear(user_id: str, brought: Sequence[Pointer], tags: set[str]) -> None:
    posts = {one: keys.post(one.author_id, one.post_id) for one in brought}
    edges = {one: keys.following(user_id, one.author_id) for one in brought}
    found = fetch([*posts.values(), *edges.values()], consistent=True)
    staying: list[TimelineEntry] = []
    leaving: list[Key] = []
    for one in brought:
        raw = found.get(posts[one])
        other = min(listed_tags(row(Post, raw) if raw else None) & tags, default="")
        ends = row(Post, raw).ttl if raw else None
        entry = entry_of(one._replace(tag=other), user_id, ends=ends)
        if other or edges[one] in found:
            staying.append(entry)
        else:
            leaving.append(entry.key)
    write_batch(puts=staying, deletes=leaving)


@on(Post, "INSERT", "MODIFY", "REMOVE")
def list_under_tags(change: Change, ledger: Ledger) -> None:
    """Lists a post under its tags once others can see it, and takes it away when it is deleted, withheld, or does not
    have the tag any more.

    A BatchWriteItem of two items for each tag that came, 1 write unit each; for each that went, one of the entry and a
    consistent Query. Safe to run twice: entries have fixed keys, and both images of the post decide.

    All posts of a tag lie in one partition, which takes 1,000 writes a second. From about 100,000 posts a day under one
    tag on, its entries would have to be spread by day and shard, as those of the local timeline are.
    """
    post, before, now = change.item, change.old, change.new
    assert isinstance(post, Post)
    assert before is None or isinstance(before, Post)
    assert now is None or isinstance(now, Post)
    old, new = listed_tags(before), listed_tags(whole_post(now))
    if old == new:
        return
    if gone := old - new:
        leave_tags(post, gone)
    enter_tags(post, new - old)
    ledger.note_effect()


@on(Post, "INSERT", "MODIFY", "REMOVE")
def note_topics(change: Change, ledger: Ledger) -> None:
    """Notes that the author of a new post uses its tags in this hour, where staff want topics to be shown, and takes
    that back from tags that no post of theirs of the hour has any more. Plans that the clock counts.

    A consistent Query of the author's posts of the hour, 1 read unit per 4 KB, and a BatchWriteItem: 1 write unit for
    each tag that changed, and 1 to plan; nothing for posts without tags, or where no topics are shown. Safe to run
    twice, and late: the posts of now decide, and everything has a fixed key.
    """
    post, before, now = change.item, change.old, change.new
    assert isinstance(post, Post)
    assert before is None or isinstance(before, Post)
    assert now is None or isinstance(now, Post)
    changed = listed_tags(before) ^ listed_tags(whole_post(now))
    if not changed or not is_counted(post):
        return
    ledger.note_effect()
    hour, used = hour_of(post), tags_used(post.author_id, hour_of(post))
    puts = [use_of_topic(post, tag) for tag in sorted(changed & used)]
    write_batch(
        puts=[*puts, planned_count(utc_now())] if puts else [],
        deletes=[keys.topic_author(hour, tag, post.author_id) for tag in sorted(changed - used)],
    )


@due_work(COUNT_TOPICS)
def count(due: Due) -> None:
    """Counts who uses which tags. As `count_topics`, safe to run twice."""
    count_topics(due)


TAGS_A_STEP = 10


@on(UserSettings, "MODIFY")
def begin_rebuild_of_tags(change: Change, ledger: Ledger) -> None:
    """Enters the job when someone comes back after more than a month, once for each return."""
    old, new = change.old, change.new
    assert isinstance(old, UserSettings)
    assert isinstance(new, UserSettings)
    away = date.fromisoformat(new.seen) - date.fromisoformat(old.seen)
    if away >= timedelta(days=settings.ABSENT_AFTER_DAYS):
        job_id = f"{new.user_id}-{new.seen}"
        ledger.create(Job.new(kind=JobKind.REBUILD_TAGS, job_id=job_id, subject_id=new.user_id))


@job_step(JobKind.REBUILD_TAGS)
def rebuild_tags_step(job: Job) -> Step:
    """Adds the newest posts of the next ten followed tags. A Query of the tags, and for each what `newest_tagged`
    reads, and BatchWriteItems of entries."""
    partition = keys.followed_tags(job.subject_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    followed = query(partition, after=after, consistent=True, limit=TAGS_A_STEP)
    chunk = list(islice(followed, TAGS_A_STEP))
    for raw in chunk:
        write_batch(puts=newest_tagged(job.subject_id, row(FollowedTag, raw).tag))
    more = len(chunk) == TAGS_A_STEP
    return Step(len(chunk), reading.key_of(chunk[-1]).sk if more else None)
