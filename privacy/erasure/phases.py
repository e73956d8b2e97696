"""The person whose account is erased, and the phases of that, in order. Each deals with the next items that it finds,
until it finds none, so running one again changes nothing.

What is counted for others ends first, by the services that count it, so that others' counts are right; what they ended
softly is deleted after that. The stream worker clears what belongs to posts, as for every deleted post: likes with the
likers' traces, reposts of them, lists of quotes, earlier texts, entries under tags. Reports lose their reporter, and
what was decided about the person stays as evidence until its term ends. The person's own partitions go last, and are
looked through once more before the profile goes (`stream.py`).
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Self

from accounts.models import UserInfo
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from feed.likes.writes import unlike_post
from feed.posts.models import LikeTrace, Post, Repost
from feed.publishing.writes import delete_post
from feed.sharing.writes import take_repost_back
from moderation.cases.erasure import forget_reporter, let_case_end, let_strike_end
from moderation.cases.reads import CaseId
from moderation.models import CaseKind, ReportTrace
from privacy.erasure.writes import EVIDENCE_KEPT
from relations.follows.writes import remove_follower, unfollow
from relations.friends.writes import end_friendship
from relations.models import FollowedTag, Follower, Following, Relation, RelationType
from relations.own_choices.writes import unfollow_tag
from relations.relation import is_in_force
from site_votes.models import SiteBallot
from site_votes.writes import forget_voter
from socialsite.keys.key import Key
from socialsite.streams.models import Job, JobKind
from socialsite.table import (
    Conflict,
    Erase,
    Moved,
    NotFound,
    RawItem,
    access_pattern,
    as_model,
    fetch,
    is_expired,
    key_of,
    keys,
    query,
    query_index,
    row,
    transact,
    type_index_name,
    write_batch,
)

Handled = Counter[str]  # how many items of each kind a step dealt with


@dataclass(frozen=True, slots=True)
class Leaver:
    """Whose items these are. `viewer` is the actor for the services that end what people begin themselves."""

    user_id: str
    receipt_id: str
    handle: str
    pictures: int
    role: str
    evidence_until: datetime
    viewer: Viewer


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
    )


def first_of(
    partition: str, count: int, *, between: tuple[str, str] | None = None
) -> list[RawItem]:
    """Returns the first items of a partition, expired ones too. One consistent Query, 1 read unit for each 4 KB."""
    rows = query(partition, between=between, limit=count, consistent=True, with_expired=True)
    return list(islice(rows, count))


AT_ONCE = 25


def erase_followers(leaver: Leaver) -> Handled:
    """Ends the next follows of the person, before their posts go, so that the worker takes those out of the followers'
    timelines. One Query; 8 write units each, as `remove_follower`."""
    found = first_of(keys.followers(leaver.user_id), AT_ONCE)
    for raw in found:
        follower_id = row(Follower, raw).follower_id
        with _cleared(follower_id, leaver.user_id):
            remove_follower(by=leaver.viewer, user_id=follower_id)
    return Handled(followers=len(found))


def erase_followings(leaver: Leaver) -> Handled:
    """Ends the person's next follows of others. One Query; 8 write units each, as `unfollow`."""
    found = first_of(keys.followings(leaver.user_id), AT_ONCE)
    for raw in found:
        followed_id = row(Following, raw).followed_id
        with _cleared(leaver.user_id, followed_id):
            unfollow(by=leaver.viewer, user_id=followed_id)
    return Handled(follows=len(found))


def erase_own_relations(leaver: Leaver) -> Handled:
    """Deletes the person's next relationships, in force or ended, with whatever the other person has about them.

    One Query; of a friend 10 write units as `end_friendship`, then 9 each by BatchWriteItem.
    """
    found = first_of(keys.relations(leaver.user_id), AT_ONCE)
    for raw in found:
        _end(leaver, row(Relation, raw).other_id, raw)
    return Handled(relations=len(found))


def erase_relations_of_others(leaver: Leaver) -> Handled:
    """Deletes the next relationships in force that others have with the person: found by `typeIndex`, which does not
    know those that ended (the search does). Six Queries; 9 write units each."""
    found: list[RawItem] = []
    for kind in RelationType:
        target = keys.relation_target(kind, leaver.user_id)
        found += query_index(type_index_name, target, limit=AT_ONCE)
    for raw in found:
        _end(leaver, row(Relation, raw).user_id, raw)
    return Handled(relations=len(found))


def _end(leaver: Leaver, other_id: str, raw: RawItem) -> None:
    if row(Relation, raw).relation_type == RelationType.FRIEND and is_in_force(raw):
        with suppress(NotFound):
            end_friendship(by=leaver.viewer, user_id=other_id)
    write_batch(deletes=_between(leaver.user_id, other_id))


def _between(user_id: str, other_id: str) -> Iterator[Key]:
    for one, other in ((user_id, other_id), (other_id, user_id)):
        yield keys.post_subscriber(one, other)
        for kind in RelationType:
            yield keys.relation(one, kind, other)


@contextmanager
def _cleared(follower_id: str, followed_id: str) -> Iterator[None]:
    """Deletes what the service inside cannot end: edges with someone whose counts are gone, or only one of the two."""
    edges = keys.following(follower_id, followed_id), keys.follower(followed_id, follower_id)
    try:
        yield
    except NotFound:
        write_batch(deletes=edges)
    except Conflict:
        found = fetch(edges, consistent=True)
        if len(found) == len(edges):
            raise
        write_batch(deletes=found)


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


LIKES_AT_ONCE = 50


def erase_likes(leaver: Leaver) -> Handled:
    """Takes the next likes and votes back. The worker counts them off. One Query and one BatchGetItem of the posts, for
    the places of their likes; 4 write units each as `unlike_post`, 1 for a vote, and 1 for the trace."""
    found = first_of(keys.traces(leaver.user_id), LIKES_AT_ONCE, between=keys.like_trace_bounds())
    traces = [row(LikeTrace, raw) for raw in found]
    posts = fetch(keys.post(trace.author_id, trace.post_id) for trace in traces)
    for trace in traces:
        post = row(Post, posts.get(keys.post(trace.author_id, trace.post_id), {}))
        unlike_post(by=leaver.viewer, post_id=trace.post_id, shards=int(post.like_shards))
    # Votes before the traces that lead to them.
    write_batch(deletes=[keys.vote(one.post_id, one.user_id) for one in traces if one.choices])
    write_batch(deletes=map(key_of, found))
    return Handled(likes=len(found))


def erase_followed_tags(leaver: Leaver) -> Handled:
    """Unfollows the next tags. One Query; 4 write units each as `unfollow_tag`, and 1."""
    found = first_of(keys.followed_tags(leaver.user_id), LIKES_AT_ONCE)
    for raw in found:
        unfollow_tag(by=leaver.viewer, tag=row(FollowedTag, raw).tag)
    write_batch(deletes=map(key_of, found))
    return Handled(tags=len(found))


ABOUT_PEOPLE = (CaseKind.PERSON, CaseKind.SIGN_UP)


def erase_reports(leaver: Leaver) -> Handled:
    """Takes the person's name off their next reports. One Query; 8 write units each, as `forget_reporter`."""
    found = first_of(keys.report_traces(leaver.user_id), AT_ONCE)
    for raw in found:
        forget_reporter(as_model(ReportTrace, raw))
    return Handled(reports=len(found))


def let_evidence_end(leaver: Leaver) -> Handled:
    """Gives the cases about the person a term, with the strikes, and closes those without reports that wait. One Query
    of the strikes; what `let_case_end` costs for each case."""
    ended = sum(
        let_case_end(CaseId(kind, leaver.user_id), until=leaver.evidence_until)
        for kind in ABOUT_PEOPLE
    )
    strikes = query(keys.strikes(leaver.user_id), consistent=True)
    for raw in [raw for raw in strikes if "ttl" not in raw]:
        ended += let_strike_end(raw, until=leaver.evidence_until)
    return Handled(evidence=ended)


ITEMS_AT_ONCE = 50


def erase_work(leaver: Leaver) -> Handled:
    """Deletes the worker's jobs about the person and parked records that name them. A Query for each kind of job, and
    one of the dead letters, 0.5 read units for each 4 KB."""
    about = [
        key_of(raw)
        for kind in JobKind
        for raw in query(keys.jobs(kind), consistent=True)
        if kind != JobKind.ERASE
        and leaver.user_id in (row(Job, raw).subject_id, row(Job, raw).author_id)
    ]
    parked = [
        key_of(raw)
        for raw in query(keys.dead_letters(), consistent=True)
        if leaver.user_id in str(raw)
    ]
    write_batch(deletes=[*about, *parked])
    return Handled(jobs=len(about) + len(parked))


def erase_ballots(leaver: Leaver) -> Handled:
    """Deletes the next ballots; the votes stay counted. One Query, and 4 write units each as `forget_voter`."""
    found = first_of(keys.ballots(leaver.user_id), AT_ONCE)
    for raw in found:
        forget_voter(as_model(SiteBallot, raw))
    return Handled(ballots=len(found))


def erase_the_rest(leaver: Leaver) -> Handled:
    """Deletes what is left in the person's own partitions: timeline, notifications, saved posts, drafts of the
    machinery. A Query of each, 1 read unit, and 1 write unit an item."""
    found = [
        key_of(raw)
        for partition in keys.own_partitions(leaver.user_id)
        for raw in first_of(partition, ITEMS_AT_ONCE)
    ]
    write_batch(deletes=found)
    return Handled(others=len(found))


PHASES: dict[str, Callable[[Leaver], Handled]] = {
    "followers": erase_followers,
    "follows": erase_followings,
    "relations": erase_own_relations,
    "relations of others": erase_relations_of_others,
    "posts": erase_posts,
    "likes": erase_likes,
    "tags": erase_followed_tags,
    "reports": erase_reports,
    "evidence": let_evidence_end,
    "work": erase_work,
    "ballots": erase_ballots,
    "the rest": erase_the_rest,
}

NAMES = tuple(PHASES)


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
