"""Setting right what lost stream records left wrong: counts, likes of posts that are gone, timelines, the directory.

The stream forgets after a day; a worker that slept longer lost records. Whoever calls this holds the stream, and lets
it drain between looks: a count is right when its edges and it agree after everything was applied.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from django.conf import settings

from accounts.models import CROSSING, RelationType, UserCount, UserInfo, UserSettings
from accounts.relations import is_in_force
from feed.like_shards import like_partitions
from feed.models import Like, LikeCount, Post
from socialsite.invariants import Invariants
from socialsite.models import Job, JobKind
from socialsite.reconciling_timelines import clear_strangers
from socialsite.table import keys, reading
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.item import Item
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, get, key_of, query, scan
from socialsite.table.writing import change, create, write_batch

LOOKS = 5


def reconcile(drain: Callable[[], None]) -> Iterator[str]:
    """Mends the whole table and yields a line for each mended count. Reads everything: for operators alone."""
    drain()
    invariants = Invariants()
    shards: dict[str, int] = {}
    like_keys: list[tuple[str, str, Key]] = []
    jobs: list[Key] = []
    crossing: list[str] = []
    active: dict[str, RawItem] = {}
    oldest = (datetime.now(UTC) - timedelta(days=settings.ABSENT_AFTER_DAYS)).date().isoformat()
    for raw in scan():
        invariants.add(raw)
        kind = raw.get("type", {}).get("S")
        if kind == Post.__name__:
            shards[reading.text(raw, Post.post_id)] = reading.number(raw, Post.like_shards)
        if kind == Like.__name__:
            ids = reading.text(raw, Like.post_id), reading.text(raw, Like.user_id)
            like_keys.append((*ids, key_of(raw)))
        if kind == Job.__name__:
            jobs.append(key_of(raw))
        if kind == UserInfo.__name__ and reading.text(raw, UserInfo.reading) == CROSSING:
            crossing.append(reading.text(raw, UserInfo.user_id))
        if kind == UserSettings.__name__ and reading.text(raw, UserSettings.seen) >= oldest:
            active[reading.text(raw, UserSettings.user_id)] = raw
    yield from _mend_user_counts(invariants)
    yield from _mend_like_counts(invariants, shards, drain)
    _clear_orphans(invariants, like_keys)
    _mend_directory(invariants)
    for user_id, user_settings in active.items():
        clear_strangers(user_id, user_settings)
    _enter_jobs(jobs, crossing, list(active))
    drain()


def _mend_user_counts(invariants: Invariants) -> Iterator[str]:
    for user_id in invariants.counts:
        key = keys.user_count(user_id)
        yield from _agree(UserCount, key, "followers", keys.followers(user_id))
        yield from _agree(UserCount, key, "following", keys.followings(user_id))
        yield from _agree(UserCount, key, "posts", count=partial(_count_posts, user_id))
        closed = partial(_count_posts, user_id, closed_alone=True)
        yield from _agree(UserCount, key, "closed", count=closed)
        friends = partial(_count_friends, user_id)
        yield from _agree(UserCount, key, "friends", count=friends)


def _count_posts(user_id: str, *, closed_alone: bool = False) -> int:
    """How many posts of somebody count: those that nobody withholds; or of these how many are not for everyone."""
    return sum(
        not reading.text(raw, Post.withheld)
        and (not closed_alone or bool(reading.text(raw, Post.audience)))
        for raw in query(keys.posts(user_id), consistent=True)
    )


def _count_friends(user_id: str) -> int:
    bounds = keys.relation_bounds(RelationType.FRIEND)
    return sum(map(is_in_force, query(keys.relations(user_id), between=bounds, consistent=True)))


def _mend_like_counts(
    invariants: Invariants, shards: dict[str, int], drain: Callable[[], None]
) -> Iterator[str]:
    likes: dict[str, int] = {}
    for post_id, _ in invariants.likes:
        likes[post_id] = likes.get(post_id, 0) + 1
    for post_id, count in invariants.like_counts.items():
        if count != likes.get(post_id, 0):
            partitions = like_partitions(post_id, shards.get(post_id, 0))
            key = keys.like_count(post_id)
            yield from _agree(LikeCount, key, "likes", *partitions, before_each_look=drain)


def _agree(
    model: type[Item],
    key: Key,
    name: str,
    *partitions: str,
    count: Callable[[], int] | None = None,
    before_each_look: Callable[[], None] = lambda: None,
) -> Iterator[str]:
    """Sets a count to the number of items in the partitions, or to what `count` says."""
    attribute = getattr(model, name)
    for _ in range(LOOKS):
        before_each_look()
        try:
            stored = int(getattr(get(model, key, consistent=True), name))
        except NotFound:
            return
        counted = (
            count()
            if count
            else sum(1 for part in partitions for _ in query(part, consistent=True))
        )
        if stored == counted:
            return
        same = attribute == stored
        if not stored:  # accounts older than the count have none
            same = same | attribute.does_not_exist()
        try:
            change(model, key, [attribute.set(counted)], condition=same)
        except NotFound:  # it changed meanwhile: look again
            continue
        yield f"{key.pk} {name}: {stored} → {counted}"


def _clear_orphans(invariants: Invariants, likes: list[tuple[str, str, Key]]) -> None:
    orphans = [like for like in likes if like[0] not in invariants.posts]
    traces = [keys.like_trace(user_id, post_id) for post_id, user_id, _ in orphans]
    write_batch(deletes=[*(key for _, _, key in orphans), *traces])


def _mend_directory(invariants: Invariants) -> None:
    """Puts the entries that are missing, deletes those too many. Who is renamed meanwhile comes later in the stream."""
    stale = set(invariants.entries)
    missing = []
    for entry in invariants.wanted_entries():
        if entry.key in stale:
            stale.remove(entry.key)
        else:
            missing.append(entry)
    write_batch(puts=missing, deletes=stale)


def _enter_jobs(open_jobs: list[Key], crossing: list[str], active: list[str]) -> None:
    """Open jobs, whose next record may be lost, go on; crossings and timelines are begun anew."""
    now = datetime.now(UTC).isoformat()
    for key in open_jobs:
        with suppress(NotFound):
            change(Job, key, [Job.nudged_at.set(now)])
    new_jobs = [
        *(Job.new(kind=JobKind.CROSS_TO_PULL, job_id=who, subject_id=who) for who in crossing),
        *(Job.new(kind=JobKind.REBUILD, job_id=f"{who}-{now}", subject_id=who) for who in active),
    ]
    for job in new_jobs:
        with suppress(AlreadyExists):
            create(job)
