"""Rebuilds, by a job, the timeline of someone who comes back after a long time, because nothing was fanned out to it
meanwhile.

After stream records were lost, the same job is entered for everyone who uses the site (`operations/reconcile.py`).
"""

from datetime import date, timedelta
from itertools import islice

from django.conf import settings

from accounts.models import UserSettings
from feed.stream_handlers.follow_timeline import newest_entries, newest_entries_for_friend
from relations.models import Following, Relation, RelationType
from relations.relation import is_in_force
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import keys, reading
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.table.writing import write_batch

PEOPLE_A_STEP = 10
FRIENDS = keys.relation_bounds(RelationType.FRIEND)


@on(UserSettings, "MODIFY")
def begin_rebuild(change: Change, ledger: Ledger) -> None:
    """Enters the job when someone comes back after more than a month, once for each return."""
    old, new = change.old, change.new
    assert isinstance(old, UserSettings)
    assert isinstance(new, UserSettings)
    away = date.fromisoformat(new.seen) - date.fromisoformat(old.seen)
    if away >= timedelta(days=settings.ABSENT_AFTER_DAYS):
        job_id = f"{new.user_id}-{new.seen}"
        ledger.create(Job.new(kind=JobKind.REBUILD, job_id=job_id, subject_id=new.user_id))


@job_step(JobKind.REBUILD)
def rebuild_step(job: Job) -> Step:
    """Adds the newest posts of the next people they follow. After those, adds posts for friends by the next friends
    they do not follow. Leaves out muted people, so that a mute outlasts an absence.

    The cursor is a sort key of the first list, then of the second. A Query of 10 people, a consistent BatchGetItem of
    what is between (at most 10 read units, or 30), and for each a Query and BatchWriteItems of entries.
    """
    first_friend = FRIENDS[0]
    if job.cursor.startswith(first_friend):
        return _bring_friends(job)
    step = _bring_followed(job)
    return step if step.cursor else Step(step.done, first_friend)


def _bring_followed(job: Job) -> Step:
    user_id = job.subject_id
    chunk = _next_people(keys.followings(user_id), job.cursor)
    followed_ids = [row(Following, raw).followed_id for raw in chunk]
    mutes = {one: keys.relation(user_id, RelationType.MUTE, one) for one in followed_ids}
    found = fetch(mutes.values(), consistent=True)
    for followed_id in followed_ids:
        if not is_in_force(found.get(mutes[followed_id])):
            write_batch(puts=newest_entries(user_id, followed_id))
    return _step_over(chunk)


def _bring_friends(job: Job) -> Step:
    user_id = job.subject_id
    chunk = _next_people(keys.relations(user_id), job.cursor, between=FRIENDS)
    friend_ids = [row(Relation, raw).other_id for raw in chunk if is_in_force(raw)]
    edges = {one: keys.following(user_id, one) for one in friend_ids}
    mutes = {one: keys.relation(user_id, RelationType.MUTE, one) for one in friend_ids}
    friendships = {one: keys.relation(one, RelationType.FRIEND, user_id) for one in friend_ids}
    found = fetch([*edges.values(), *mutes.values(), *friendships.values()], consistent=True)
    for friend_id in friend_ids:
        if edges[friend_id] not in found and not is_in_force(found.get(mutes[friend_id])):
            friendship = found.get(friendships[friend_id])
            write_batch(puts=newest_entries_for_friend(user_id, friend_id, friendship))
    return _step_over(chunk)


def _next_people(
    partition: str, cursor: str, between: tuple[str, str] | None = None
) -> list[RawItem]:
    after = keys.Key(partition, cursor) if cursor else None
    people = query(partition, after=after, between=between, consistent=True, limit=PEOPLE_A_STEP)
    return list(islice(people, PEOPLE_A_STEP))


def _step_over(chunk: list[RawItem]) -> Step:
    more = len(chunk) == PEOPLE_A_STEP
    return Step(len(chunk), reading.key_of(chunk[-1]).sk if more else None)
