"""The order of the phases in which an account is erased, and those that belong to no other behaviour. The others stand
in the `erasure` module of theirs (`accounts/erasing.py`). Each deals with the next items that it finds, until it finds
none, so running one again changes nothing.

What is counted for others ends first, by the services that count it, so that others' counts are right; what they ended
softly is deleted after that. The stream worker clears what belongs to posts, as for every deleted post: likes with the
likers' traces, reposts of them, lists of quotes, earlier texts, entries under tags. Reports lose their reporter, and
what was decided about the person stays as evidence until its term ends. The person's own partitions go last, and are
looked through once more before the profile goes (`stream.py`).
"""

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from accounts.erasing import Handled, Leaver, Phase, erases, first_of, phases
from accounts.models import UserInfo
from accounts.people.cards import PersonCard, is_held
from accounts.people.viewer import Viewer
from feed.posts.models import Post, Repost
from feed.publishing.writes import delete_post
from feed.sharing.writes import take_repost_back
from moderation.cases.erasure import let_case_end
from moderation.cases.reads import CaseId
from moderation.models import CaseKind
from privacy.erasure.writes import EVIDENCE_KEPT
from socialsite.discovery import discover
from socialsite.streams import Job, JobKind
from socialsite.table import (
    Erase,
    Moved,
    RawItem,
    access_pattern,
    fetch,
    is_expired,
    key_of,
    keys,
    query,
    row,
    transact,
    write_batch,
)


@access_pattern
def read_leaver(job: Job) -> Leaver | None:
    """Returns the person of an erasure's job, None once they are erased. One consistent BatchGetItem, 1 read unit."""
    key = keys.user_info(job.subject_id)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        return None
    info = row(UserInfo, raw)
    viewer = Viewer(info.user_id, card=PersonCard.from_raw(raw))
    return Leaver(
        user_id=info.user_id,
        receipt_id=job.job_id,
        handle=info.handle,
        pictures=bool(info.avatar) + bool(info.header),
        role=info.role,
        evidence_until=datetime.fromisoformat(info.closing) + EVIDENCE_KEPT,
        viewer=viewer,
        held_until=info.held_until if is_held(info.held_until) else "",
    )


AT_ONCE = 25


@erases("posts")
def erase_posts(leaver: Leaver) -> Handled:
    """Deletes the next posts, replies and reposts. One Query; 8 write units and 1 read unit for a post as
    `delete_post`, 6 and 1 for a repost as `take_repost_back`."""
    handled = Handled()
    for raw in first_of(keys.posts(leaver.user_id), AT_ONCE):
        if raw["type"]["S"] == Post.__name__:
            _erase_post(leaver, raw)
            handled["posts"] += 1
        else:
            take_repost_back(by=leaver.viewer, post_id=row(Repost, raw).repost_of)
            transact(Erase(key_of(raw)))  # one whose post is gone has no trace
            handled["reposts"] += 1
    return handled


def _erase_post(leaver: Leaver, raw: RawItem) -> None:
    post = row(Post, raw)
    try:
        delete_post(by=leaver.viewer, post_id=post.post_id)
        is_stuck = is_expired(raw)  # it ended by itself, and DynamoDB has yet to delete it
    except Moved:  # without its counts, or without its place in the thread
        is_stuck = True
    if is_stuck:
        transact(Erase(key_of(raw)), Erase(keys.like_count(post.post_id)))
    if post.withheld:
        let_case_end(CaseId(CaseKind.POST, post.post_id), until=leaver.evidence_until)


ITEMS_AT_ONCE = 50


@erases("work")
def erase_work(leaver: Leaver) -> Handled:
    """Deletes the worker's jobs about the person and parked records that name them. A Query for each partition of
    jobs, and one of the dead letters, 1 read unit for each 4 KB. Those of their own partition go with it."""
    about = [
        key_of(raw)
        for kind in JobKind
        for partition in keys.job_partitions(kind)
        for raw in query(partition, consistent=True)
        if kind not in (JobKind.ERASE, JobKind.HOLD, JobKind.END_HOLD)
        and leaver.user_id in (row(Job, raw).subject_id, row(Job, raw).author_id)
    ]
    parked = [
        key_of(raw)
        for raw in query(keys.dead_letters(), consistent=True)
        if leaver.user_id in str(raw)
    ]
    write_batch(deletes=[*about, *parked])
    return Handled(jobs=len(about) + len(parked))


@erases("the rest")
def erase_the_rest(leaver: Leaver) -> Handled:
    """Deletes what is left in the person's own partitions: timeline, notifications, saved posts, drafts of the
    machinery. A Query of each, 1 read unit, and 1 write unit an item.

    A follow may have been accepted since its phase. Its other half lies with someone else and is counted there, so it
    must not go from here alone: if anything is left, the phases of `HALVES` look first, 1 read unit each, and deal with
    what they find.
    """
    found = [
        key_of(raw)
        for partition in keys.own_partitions(leaver.user_id)
        for raw in first_of(partition, ITEMS_AT_ONCE)
    ]
    for name in HALVES if found else ():
        came = phase_of(name)(leaver)
        if came.total():
            return came
    write_batch(deletes=found)
    return Handled(others=len(found))


# The phases whose items have another half, or a count, in someone else's partition.
HALVES = (
    "followers",
    "follows",
    "relations",
    "lists",
    "posts",
    "likes",
    "tags",
    "reports",
    "ballots",
    "messages",
)

# The order of the phases. What is counted for others ends before what it is counted by, and the person's own partitions
# are looked through last, where all that the others left is found.
NAMES = (
    "followers",
    "follows",
    "relations",
    "relations of others",
    "lists",
    "posts",
    "likes",
    "tags",
    "reports",
    "evidence",
    "work",
    "ballots",
    "messages",
    "the rest",
)


def phase_of(name: str) -> Phase:
    """Returns what a phase does. Raises `LookupError` if behaviours registered others than `NAMES`."""
    discover("erasure")
    if set(phases) != set(NAMES):
        raise LookupError(f"phases without a place or a function: {set(phases) ^ set(NAMES)}")
    return phases[name]


@dataclass(frozen=True, slots=True)
class Progress:
    """The cursor of the job. `was_empty` says that no phase of this round has found anything."""

    phase: int = 0
    was_empty: bool = True
    counts: Handled = field(default_factory=Handled)
    reads: float = 0
    writes: float = 0

    @classmethod
    def from_cursor(cls, cursor: str) -> Self:
        if not cursor:
            return cls()
        phase, was_empty, counts, reads, writes = json.loads(cursor)
        return cls(phase, was_empty, Handled(counts), reads, writes)

    def to_cursor(self) -> str:
        return json.dumps([self.phase, self.was_empty, self.counts, self.reads, self.writes])
