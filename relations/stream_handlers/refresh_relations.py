"""Keeps what relationships copied from a person's profile up to date: location and pronouns."""

from contextlib import suppress

from accounts.models import UserInfo
from relations.models import COPYING, Relation, RelationType
from relations.relation import IN_FORCE, copy_profile
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.leases.late_writes import Recent, remember, settles
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.item import type_index_name
from socialsite.table.reading import get, query_index
from socialsite.table.row import row
from socialsite.table.writing import change as change_item
from socialsite.table.writing import create

PEOPLE_A_STEP = 25
AFTER = " after "


@on(UserInfo, "MODIFY")
def begin_refresh(change: Change, ledger: Ledger) -> None:
    """Enters the job when someone changes their location or pronouns, once for each change."""
    old, new = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(new, UserInfo)
    if (old.location, old.gender) == (new.location, new.gender):
        return
    remember(change, Recent.PROFILE, new.user_id)
    job_id = f"{new.user_id}-{change.sequence}"
    ledger.create(Job.new(kind=JobKind.REFRESH, job_id=job_id, subject_id=new.user_id))


@settles(Recent.PROFILE)
def refresh_again(user_id: str, _: str) -> None:
    """Enters the job once more, because an older profile may have been copied late."""
    create(Job.new(kind=JobKind.REFRESH, job_id=f"{user_id}-{ids.new_id()}", subject_id=user_id))


@job_step(JobKind.REFRESH)
def refresh_step(job: Job) -> Step:
    """Updates the next relationships with the person, by `typeIndex`: one Query, one GetItem, an UpdateItem each.

    It begins with the oldest `update_time`: one that its owner changes meanwhile moves to the end, where a later step
    finds it. Safe to run twice: it sets what the profile says now.
    """
    kind, after = _place(job.cursor)
    target = keys.relation_target(kind, job.subject_id)
    rows = query_index(type_index_name, target, after=after, forward=True, limit=PEOPLE_A_STEP)
    with suppress(NotFound):
        info = get(UserInfo, keys.user_info(job.subject_id), consistent=True)
        for raw in rows:
            _copy(info, reading.key_of(raw))
    if len(rows) == PEOPLE_A_STEP:
        return Step(len(rows), f"{int(kind)}{AFTER}{row(Relation, rows[-1]).update_time}")
    later = [other for other in COPYING if other > kind]
    return Step(len(rows), f"{int(later[0])}" if later else None)


def _place(cursor: str | None) -> tuple[RelationType, str | None]:
    if not cursor:
        return COPYING[0], None
    kind, _, after = cursor.partition(AFTER)
    # Older sites began with the newest, and wrote "1 <time>": those go over the kind again.
    return RelationType(int(kind.split()[0])), after or None


def _copy(info: UserInfo, key: keys.Key) -> None:
    actions = copy_profile(info.location or "", info.gender or "")
    with suppress(NotFound):  # ended meanwhile
        change_item(Relation, key, actions, condition=IN_FORCE)
