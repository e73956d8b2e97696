"""Corrects what lost stream records, or a clock that stood ahead, left wrong: counts, likes and photos of deleted
posts, timelines, tags, the directory, what relationships copied of profiles or kept after their end, the lists of
people for staff, the planned ends of polls, when cases will have waited too long, how many wait and how grave they are,
badges of messages, lists of people, and the last days of followers.

A job reads the whole table, a page at a time. The worker begins it itself when records were trimmed unread
(`stream_handlers.py`), and `manage.py reconcile` does the same. People use the site meanwhile. So each count is
compared with its present edges, and set only if it has not changed. Likes and follows that the worker has not counted
yet are left to it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial

from django.conf import settings

from accounts.models import CROSSING, Bell, UserCount, UserInfo, UserSettings
from chats.checks import mend_badges, note_lost
from chats.models import Message
from chats.photos.checks import clear_photos_of_gone_messages
from feed.composing.checks import release_orphaned_photos
from feed.likes.checks import clear_orphans, mend_like_count
from feed.likes.models import Like
from feed.polls.checks import clear_orphaned_votes, mend_vote_counts, plan_end_again
from feed.polls.models import Vote
from feed.posts.models import Post, Reposter
from feed.publishing.checks import clear_orphaned_photos, mend_ends, mend_photos, sweep_again
from feed.publishing.models import Quote
from feed.sharing.checks import (
    clear_orphaned_quotes,
    clear_orphaned_reposts,
    mend_quote_count,
    mend_repost_count,
)
from feed.threads.checks import mend_audience, mend_part_count, mend_reply_count
from feed.timelines.big_authors import keep_newest, mend_recent
from feed.timelines.checks import clear_strangers, plan_ends_of_mutes
from feed.timelines.models import MediaEntry
from finding.checks import mend_words
from finding.models import WordEntry
from moderation.cases.effects import end_old_limit
from moderation.cases.photos import copy_again
from moderation.checks import mend_entries, mend_severity
from moderation.models import Case, CasePhoto, PersonEntry, ReportTrace, WaitingCount
from moderation.reporters.checks import mend_records
from moderation.staff.waiting import count_everything_again
from moderation.staff.waiting_too_long import plan_look_again
from notifications.checks import mend_requests
from photos.models import Photo
from relations.checks import (
    forget_ended,
    mend_copies,
    mend_days,
    mend_directory,
    mend_follower_count,
    name_circles,
)
from relations.lists.checks import mend_lists, mend_settings
from relations.models import DirectoryEntry, Follower, Listing, PersonList, Relation, RelationType
from relations.relation import is_in_force
from socialsite.clock import utc_now
from socialsite.models import Staff
from socialsite.streams import Job, JobKind
from socialsite.table import (
    AlreadyExists,
    NotFound,
    RawItem,
    change,
    create,
    get,
    key_of,
    keys,
    query,
    row,
)
from tags.checks import mend_tags, mend_topics
from tags.models import TagEntry, TopicAuthor

LOOKS = 5


def reconcile_page(items: Sequence[RawItem], *, begun: str) -> Iterator[str]:
    """Corrects these items, and yields a line for each corrected count. Safe to repeat.

    `begun` is the same for all pages of a run. Jobs have it in their names, so each is entered once.
    """
    by_type: dict[str, list[RawItem]] = {}
    for raw in items:
        by_type.setdefault(raw.get("type", {}).get("S", ""), []).append(raw)
    for raw in by_type.get(UserCount.__name__, ()):
        yield from _mend_user_counts(row(UserCount, raw).user_id)
    for raw in by_type.get(Post.__name__, ()):
        yield from mend_like_count(raw)
        yield from mend_reply_count(raw)
        yield from mend_part_count(raw)
        mend_audience(raw)
        yield from mend_repost_count(raw)
        yield from mend_quote_count(raw)
        yield from mend_vote_counts(raw)
        plan_end_again(raw)
        mend_photos(raw)
    mend_tags(by_type.get(Post.__name__, ()), by_type.get(TagEntry.__name__, ()))
    mend_words(by_type.get(Post.__name__, ()), by_type.get(WordEntry.__name__, ()))
    mend_topics(by_type.get(TopicAuthor.__name__, ()))
    clear_orphans(by_type.get(Like.__name__, ()))
    clear_orphaned_reposts(by_type.get(Reposter.__name__, ()))
    clear_orphaned_quotes(by_type.get(Quote.__name__, ()))
    clear_orphaned_votes(by_type.get(Vote.__name__, ()))
    release_orphaned_photos(by_type.get(Photo.__name__, ()))
    clear_orphaned_photos(by_type.get(Photo.__name__, ()), by_type.get(MediaEntry.__name__, ()))
    clear_photos_of_gone_messages(by_type.get(Photo.__name__, ()))
    forget_ended(by_type.get(Relation.__name__, ()))
    name_circles(by_type.get(Relation.__name__, ()))
    plan_ends_of_mutes(by_type.get(Relation.__name__, ()))
    mend_copies(by_type.get(Relation.__name__, ()))
    mend_days(by_type.get(Follower.__name__, ()))
    infos = by_type.get(UserInfo.__name__, [])
    for raw in infos:
        end_old_limit(raw)
    mend_directory(infos, by_type.get(DirectoryEntry.__name__, ()))
    mend_entries(infos, by_type.get(PersonEntry.__name__, ()))
    for info in (row(UserInfo, raw) for raw in infos):
        sweep_again(info.user_id)
        if info.reading or info.listed:
            mend_recent(info.user_id)
        if info.reading == CROSSING:
            _enter(JobKind.CROSS_TO_PULL, info.user_id, begun=begun)
    oldest = (utc_now() - timedelta(days=settings.ABSENT_AFTER_DAYS)).date().isoformat()
    for raw in by_type.get(UserSettings.__name__, ()):
        kept = row(UserSettings, raw)
        if kept.seen >= oldest:
            user_id = kept.user_id
            clear_strangers(user_id, raw)
            for kind in (JobKind.REBUILD, JobKind.REBUILD_TAGS):
                _enter(kind, user_id, job_id=f"{user_id}-{begun}", begun=begun)
    mend_lists(by_type.get(PersonList.__name__, ()), by_type.get(Listing.__name__, ()))
    for user_id in {row(Listing, raw).user_id for raw in by_type.get(Listing.__name__, ())}:
        keep_newest(user_id)
    for raw in by_type.get(UserSettings.__name__, ()):
        mend_settings(raw)
    note_lost(by_type.get(Message.__name__, ()))
    mend_badges(by_type.get(Bell.__name__, ()))
    mend_requests(by_type.get(Bell.__name__, ()))
    for raw in by_type.get(CasePhoto.__name__, ()):
        copy_again(raw)
    for raw in by_type.get(Case.__name__, ()):
        plan_look_again(raw)
        mend_severity(raw)
    mend_records(by_type.get(ReportTrace.__name__, ()))
    if by_type.keys() & {Case.__name__, Staff.__name__, WaitingCount.__name__}:
        count_everything_again()
    for raw in by_type.get(Job.__name__, ()):
        _nudge(raw, begun)


def _mend_user_counts(user_id: str) -> Iterator[str]:
    yield from mend_follower_count(user_id)
    yield from _agree(user_id, "following", partial(_count, keys.followings(user_id)))
    yield from _agree(user_id, "posts", partial(_count_posts, user_id))
    yield from _agree(user_id, "closed", partial(_count_posts, user_id, closed_alone=True))
    yield from _agree(user_id, "imported", partial(_count_posts, user_id, imported_alone=True))
    yield from mend_ends(user_id)
    yield from _agree(user_id, "friends", partial(_count_friends, user_id))


def _count(partition: str) -> int:
    return sum(1 for _ in query(partition, consistent=True))


def _count_posts(user_id: str, *, closed_alone: bool = False, imported_alone: bool = False) -> int:
    """Returns how many of someone's lasting posts count, without withheld ones, or how many of these are not for
    everyone, or were brought from elsewhere."""
    found = query(keys.posts(user_id), consistent=True)
    posts = (
        row(Post, raw) for raw in found if raw["type"]["S"] == Post.__name__ and "ttl" not in raw
    )
    return sum(
        not post.withheld
        and (not closed_alone or bool(post.audience))
        and (not imported_alone or bool(post.imported))
        for post in posts
    )


def _count_friends(user_id: str) -> int:
    bounds = keys.relation_bounds(RelationType.FRIEND)
    return sum(map(is_in_force, query(keys.relations(user_id), between=bounds, consistent=True)))


def _agree(user_id: str, name: str, count: Callable[[], int]) -> Iterator[str]:
    """Sets a person's count to what was counted."""
    key, attribute = keys.user_count(user_id), getattr(UserCount, name)
    for _ in range(LOOKS):
        try:
            stored = int(getattr(get(UserCount, key, consistent=True), name) or 0)
        except NotFound:
            return
        counted = count()
        if stored == counted:
            return
        same = attribute == stored
        if not stored:  # accounts older than the count have none
            same = same | attribute.does_not_exist()
        try:
            change(UserCount, key, [attribute.set(counted)], condition=same)
        except NotFound:  # it changed meanwhile: look again
            continue
        yield f"{key.pk} {name}: {stored} → {counted}"


def _enter(kind: JobKind, subject_id: str, *, job_id: str = "", begun: str) -> None:
    job_id = job_id or subject_id
    with suppress(AlreadyExists):
        create(Job.new(kind=kind, job_id=job_id, subject_id=subject_id, nudged_at=begun))


def _nudge(raw: RawItem, begun: str) -> None:
    """Makes an open job go on, because its next record may be lost."""
    if row(Job, raw).kind == JobKind.RECONCILE:
        return
    with suppress(NotFound):
        change(Job, key_of(raw), [Job.nudged_at.set(begun)])
