"""The stream's effects on relationships: follows of widely followed people are counted (all others by their own
transactions), people listed in the directory under their present handle and name, and what relationships copied from
a profile kept up to date: location, pronouns and level. Jobs look for people whom someone may know.

Only the stream worker calls them. Every handler may run twice: it puts items with fixed keys, deletes by key, or
enters in the ledger what must count only once.
"""

from contextlib import suppress

import relations.lists.stream  # noqa: F401 - its handlers
from accounts.models import UserCount, UserInfo
from relations.directory import directory_entries
from relations.follows.writes import WORKER
from relations.models import COPYING, Following, Relation, RelationType
from relations.relation import IN_FORCE, copy_profile, shown_level
from relations.suggested import look_for_people
from socialsite.streams import Change, Job, JobKind, Ledger, Step, job_step, on
from socialsite.streams.late_writes import Recent, remember, settles
from socialsite.table import (
    Erase,
    Item,
    Key,
    NotFound,
    Put,
    create,
    fetch,
    get,
    ids,
    keys,
    query_index,
    reading,
    row,
    transact,
    type_index_name,
)
from socialsite.table import change as change_item


@on(Following, "INSERT", "REMOVE")
def count_follow(change: Change, ledger: Ledger) -> None:
    """Adds a follow that began or ended to the followed person's count, if the edge says that the worker counts it.

    The ledger counts each record once. The record's own image of the edge says who counts, so nothing that changes
    later makes a follow count twice or not at all.

    As `count_like`: 2 write units for each person in a batch.
    """
    following = change.item
    assert isinstance(following, Following)
    if following.counted_by != WORKER:
        return
    difference = 1 if change.event == "INSERT" else -1
    key = keys.user_count(following.followed_id)
    ledger.add(UserCount, key, UserCount.followers, difference, if_gone=_leave)


def _leave() -> None:
    """Does nothing, because the count is gone with its account."""


@on(UserInfo, "INSERT", "MODIFY", "REMOVE")
def list_in_directory(change: Change, ledger: Ledger) -> None:
    """Lists someone who signed up, was renamed or is gone: puts the entries of their present name, deletes all others.

    One consistent read of the info and one TransactWriteItems of at most ten entries and twice as many deletions, 2
    write units each; a transaction, so that it is refused if the worker was replaced meanwhile. Other changes of the
    profile do nothing. Safe to run twice and in any order: it writes what the info says now, and every search drops
    leftover entries of an older name.
    """
    old, new = change.old, change.new
    if _called(old) and _called(old) == _called(new):
        return
    info = change.item
    assert isinstance(info, UserInfo)
    here = keys.user_info(info.user_id)
    found = fetch([here], consistent=True).get(here)
    now = []
    if found is not None:
        there = row(UserInfo, found)
        now = directory_entries(user_id=info.user_id, handle=there.handle, name=there.name)
    wanted = {entry.key: entry for entry in now}
    left = [key for key in _left(old, new) if key not in wanted]
    if wanted or left:
        transact(*map(Put, wanted.values()), *map(Erase, dict.fromkeys(left)))
    ledger.note_effect()


def _called(info: Item | None) -> tuple[str, str] | None:
    """Returns handle and name, None without info, and for info from a dead letter, which keeps no names."""
    if not isinstance(info, UserInfo) or not info.handle:
        return None
    return info.handle, info.name


def _left(*infos: Item | None) -> list[Key]:
    return [
        entry.key
        for info in infos
        if isinstance(info, UserInfo) and (called := _called(info))
        for entry in directory_entries(user_id=info.user_id, handle=called[0], name=called[1])
    ]


PEOPLE_A_STEP = 25
AFTER = " after "


@on(UserInfo, "MODIFY")
def begin_refresh(change: Change, ledger: Ledger) -> None:
    """Enters the job once for each change of someone's location, pronouns or the level that they show."""
    old, new = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(new, UserInfo)
    if _copied(old) == _copied(new):
        return
    remember(change, Recent.PROFILE, new.user_id)
    job_id = f"{new.user_id}-{change.sequence}"
    ledger.create(Job.new(kind=JobKind.REFRESH, job_id=job_id, subject_id=new.user_id))


def _copied(info: UserInfo) -> tuple[str, str, str]:
    return info.location or "", info.gender or "", shown_level(info)


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
    actions = copy_profile(*_copied(info))
    with suppress(NotFound):  # ended meanwhile
        change_item(Relation, key, actions, condition=IN_FORCE)


@job_step(JobKind.LOOK_FOR_PEOPLE)
def look_step(job: Job) -> Step:
    """Looks once, and keeps what it found. Safe to run twice: the list has a fixed key."""
    return Step(look_for_people(job.subject_id), None)
