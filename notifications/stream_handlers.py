"""What the stream worker tells people. Every handler may run twice: it puts items with fixed keys."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import islice

import notifications.live.stream  # noqa: F401 - registers its handlers
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from feed.composing.models import Draft
from feed.likes.models import Like
from feed.notices import (
    LIKE,
    MENTION,
    POLL_ENDED,
    POSTED,
    QUOTE,
    REPLY,
    REPOST,
    UNPUBLISHED,
    day_of_author,
)
from feed.polls.models import Vote
from feed.polls.writes import CLOSE_POLL, is_settled
from feed.posts.models import Audience, Post, Reply, Reposter
from feed.posts.reads import (
    Head,
    Pointer,
    is_open,
    pointer_of,
    pointer_of_post,
    sight_keys,
    sight_of,
)
from feed.posts.writes import copied_difference, is_gone, is_there
from feed.sharing.reads import difference
from notifications.digest import stream as digest
from notifications.push import stream as push  # noqa: F401 - its handlers
from relations.models import Follower, PostSubscriber, Relation, RelationType
from relations.notices import ACCEPTED, FOLLOW, REQUESTS
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import done, due_work
from socialsite.streams import Change, Job, JobKind, Step, job_step, on
from socialsite.streams.ledger import Ledger, PlanMoved
from socialsite.table import (
    Check,
    Create,
    Item,
    Key,
    RawItem,
    Unavailable,
    WriteAction,
    access_pattern,
    fetch,
    ids,
    key_of,
    keys,
    query,
    reading,
    row,
    transact,
)
from socialsite.telling import Cause, Telling, tell

__all__ = ["digest"]


@on(Follower, "INSERT", "REMOVE")
def notify_of_follow(change: Change, ledger: Ledger) -> None:
    """Tells of a new follower. All of them are one group. A follow that was brought from elsewhere is told to
    nobody."""
    edge = change.item
    assert isinstance(edge, Follower)
    if edge.quietly:
        return
    tell(edge.user_id, FOLLOW, Cause(edge.follower_id, edge.key)).enter(ledger)


@on(Like, "INSERT", "REMOVE")
def notify_of_like(change: Change, ledger: Ledger) -> None:
    """Tells the author of a like. One group for each post."""
    like = change.item
    assert isinstance(like, Like)
    tell(
        like.author_id,
        LIKE,
        Cause(like.user_id, like.key, like.post_id, Pointer(like.post_id, like.author_id)),
    ).enter(ledger)


@on(Post, "INSERT", "MODIFY", "REMOVE")
def notify_of_mention(change: Change, ledger: Ledger) -> None:
    """Tells everyone whom a post mentions, once others can see it, and of an edit only those whom it adds; takes it
    back from those whom it leaves out. If it or its thread gets another audience, tells only those who could not see
    it before, and takes it back from those who cannot see it now: one consistent BatchGetItem of what they are to the
    author of the thread, 2 read units each. Those whom it answers or quotes are told of that."""
    was, now = _mentioned(change.old), _mentioned(change.new)
    post = change.item
    assert isinstance(post, Post)
    telling = Telling()
    concerned = (was ^ now) | _newly_or_no_longer_reached(change, was & now)
    for user_id in sorted(concerned - _notified_otherwise(post)):
        telling.add(
            user_id, MENTION, Cause(post.author_id, post.key, post.post_id, pointer_of_post(post))
        )
    telling.enter(ledger)


def _newly_or_no_longer_reached(change: Change, user_ids: set[str]) -> set[str]:
    old, new = change.old, change.new
    if not user_ids or not isinstance(old, Post) or not isinstance(new, Post):
        return set()
    if (old.audience, old.circle) == (new.audience, new.circle):
        return set()
    # A reply is for those whom its root is for, and has the audience of the root.
    head_author_id = new.root_author_id or new.author_id
    info, viewers = keys.user_info(head_author_id), [Viewer(one) for one in user_ids]
    between = [key for viewer in viewers for key in sight_keys(viewer, [head_author_id])]
    found = fetch([info, *between], consistent=True)
    if info not in found:  # the account is gone
        return set()
    author, before, after = PersonCard.from_raw(found[info]), old.serialize(), new.serialize()

    def reaches(raw: RawItem, viewer: Viewer) -> bool:
        return is_open(Head(raw, author, sight_of(viewer, head_author_id, found)))

    return {one.user_id for one in viewers if reaches(before, one) != reaches(after, one)}


def _notified_otherwise(post: Post) -> set[str | None]:
    return {post.reply_to_author_id, post.root_author_id, post.quote_of_author_id}


def _mentioned(post: Item | None) -> set[str]:
    if not isinstance(post, Post) or post.withheld or post.imported or not post.mentions:
        return set()
    return set(post.mentions.attribute_values.values())


# Tells authors and voters that a poll has ended.
#
# The clock waits until every vote is counted, then a job goes through the voters, 48 people a step. What a step
# changes in bells and notifications is written in the transaction that moves the job's cursor, so that nobody
# is notified twice.

WAITS_AT_MOST = 4  # tries, over two and a half hours: then people are told what was counted so far


class Unsettled(Unavailable):
    """The stream worker has not counted every vote yet."""


@due_work(CLOSE_POLL)
@access_pattern
def end_poll(due: Due) -> None:
    """Starts the job that tells of the end of a poll, once every vote is counted. Does nothing if the post is gone.
    Safe to run twice: the job is created in the transaction that ends the due item.

    A consistent GetItem of the post, a Query of each of the 16 shards of votes and a GetItem of the counts, 1 read unit
    for 4 KB, then one TransactWriteItems, 4 write units. In all 4 write units, 18 read units, and 1 for 4 KB of votes.
    Raises `Unsettled`, and comes again then.
    """
    post_id, author_id = due.subject, due.facts.get("author_id", "")
    key = keys.post(author_id, post_id)
    if key not in fetch([key], consistent=True):
        return
    if due.tries <= WAITS_AT_MOST and not is_settled(post_id):
        raise Unsettled("votes are still counted")
    job = Job.new(
        kind=JobKind.NOTIFY_OF_POLL, job_id=post_id, subject_id=post_id, author_id=author_id
    )
    transact(done(due), Create(job))


@job_step(JobKind.NOTIFY_OF_POLL)
def notify_of_poll_step(job: Job) -> Step:
    """Notifies the author and the next voters, 48 people, of those who may see the post now and did not leave its
    conversation. At most 16 Queries, and 8 or 9 read units and at most 4 write units for each. Nothing if the post is
    gone."""
    post_id, author_id = job.subject_id, str(job.author_id)
    key = keys.post(author_id, post_id)
    post = fetch([key], consistent=True).get(key)
    if post is None or not row(Post, post).poll:
        return Step(0, None)
    people = [] if job.cursor else [author_id]
    votes, cursor = _next_votes(post_id, job.cursor, PEOPLE_A_STEP - len(people))
    people += [row(Vote, raw).user_id for raw in votes]
    telling = Telling()
    for user_id in people:
        telling.add(user_id, POLL_ENDED, Cause(post_id, key, post_id, Pointer(post_id, author_id)))
    return Step(len(people), cursor, [unchanged(post, key), *telling.actions()])


def _next_votes(post_id: str, cursor: str, count: int) -> tuple[list[RawItem], str | None]:
    """Returns the next votes, and where those after them begin: the shard and the last sort key."""
    shard, after = cursor.split(" ") if cursor else ("0", "")
    found: list[RawItem] = []
    for place in range(int(shard), keys.VOTE_SHARDS):
        partition = keys.votes(post_id, place)
        start = keys.Key(partition, after) if after else None
        room = count - len(found)
        found += islice(query(partition, after=start, consistent=True, limit=room), room)
        if len(found) == count:
            return found, f"{place} {key_of(found[-1]).sk}"
        after = ""
    return found, None


# Notifies people of new posts of their favourites, if they asked for it (`relations/own_choices/writes.py`).
#
# However many they are, a job goes through them, 48 a step. What a step changes in bells and notifications is
# written in the transaction that moves the job's cursor, so that nobody is notified twice, whatever dies in
# between.

PEOPLE_A_STEP = 48  # of 100 actions: bell and notification of each, the cursor, the post, and the proof of the lease
NEW_FOR = timedelta(days=7)  # what an older post shows to more people is not new


@on(Post, "INSERT", "MODIFY", "REMOVE")
def notify_of_post(change: Change, ledger: Ledger) -> None:
    """Enters a job once a post is there for others, is there for different people, or is gone. Replies are left out.
    The posts of one author and day are one group, and a change counts for 7 days.

    One consistent Query of 1 read unit. Safe to run twice: the job is named after the record, and the ledger enters it
    once.
    """
    post = change.item
    assert isinstance(post, Post)
    if post.root_id or _audience_of(change.old) == _audience_of(change.new):
        return
    if post.imported or ids.time_of(post.post_id) < utc_now() - NEW_FOR:
        return
    subscribers = keys.post_subscribers(post.author_id)
    if next(query(subscribers, consistent=True, limit=1), None) is None:
        return
    ledger.create(
        Job.new(
            kind=JobKind.NOTIFY_OF_POST,
            job_id=f"{post.post_id}-{change.sequence}",
            subject_id=post.post_id,
            author_id=post.author_id,
        )
    )


@job_step(JobKind.NOTIFY_OF_POST)
def notify_of_post_step(job: Job) -> Step:
    """Brings the next 48 people's notifications in line with the post as it is now: notifies those who may see it, and
    takes it back from the others. A Query, and 7 or 8 read units and at most 4 write units for each."""
    author_id = str(job.author_id)
    partition = keys.post_subscribers(author_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    rows = query(partition, after=after, consistent=True, limit=PEOPLE_A_STEP)
    some = list(islice(rows, PEOPLE_A_STEP))
    people = [row(PostSubscriber, raw).subscriber_id for raw in some]
    more = len(some) == PEOPLE_A_STEP
    cursor = reading.key_of(some[-1]).sk if more else None
    return Step(len(some), cursor, _writes(Pointer(job.subject_id, author_id), people))


def _writes(pointer: Pointer, people: Sequence[str]) -> Sequence[WriteAction]:
    key = keys.post(pointer.author_id, pointer.post_id)
    post = fetch([key], consistent=True).get(key)
    telling = Telling()
    for user_id in people:
        telling.add(
            user_id,
            POSTED,
            Cause(
                pointer.post_id,
                key,
                day_of_author(pointer.author_id, ids.time_of(pointer.post_id)),
                pointer_of(post) if post else pointer,
            ),
        )
    return [unchanged(post, key), *telling.actions()]


def unchanged(post: RawItem | None, key: keys.Key) -> Check:
    """Otherwise a job of the post's end could pass this one, and leave behind what it writes."""
    if post is None:
        return Check(key, condition=is_gone(), otherwise=PlanMoved)
    condition = is_there()
    for attribute in (Post.withheld, Post.audience, Post.circle):
        value = getattr(row(Post, post), str(attribute.attr_name))
        condition &= attribute == value if value else attribute.does_not_exist()
    return Check(key, condition=condition, otherwise=PlanMoved)


def _audience_of(post: Item | None) -> tuple[str, str] | None:
    """Returns whom a post is for; None for nobody else."""
    if not isinstance(post, Post) or post.withheld or post.audience == Audience.ONLY_ME:
        return None
    return post.audience or "", post.circle or ""


@on(Post, "INSERT", "MODIFY", "REMOVE")
def notify_of_quote(change: Change, ledger: Ledger) -> None:
    """Tells of every quote, once others can see it, and not of the author's own taking it back."""
    post = change.item
    assert isinstance(post, Post)
    if not difference(change.old, change.new) or post.quote_withdrawn:
        return
    tell(
        str(post.quote_of_author_id),
        QUOTE,
        Cause(post.author_id, post.key, post.post_id, pointer_of_post(post)),
    ).enter(ledger)


@on(Reply, "INSERT", "MODIFY", "REMOVE")
def notify_of_reply(change: Change, ledger: Ledger) -> None:
    """Tells the person answered, and the author of the thread, each of every reply, once others can see it."""
    reply = change.item
    assert isinstance(reply, Reply)
    if not copied_difference(change.old, change.new):
        return
    telling = Telling()
    for user_id in people_answered(reply):
        telling.add(
            user_id,
            REPLY,
            Cause(
                reply.author_id,
                keys.post(reply.author_id, reply.post_id),
                reply.post_id,
                pointer_of_post(reply),
            ),
        )
    telling.enter(ledger)


def people_answered(reply: Reply) -> set[str]:
    return {reply.reply_to_author_id, reply.root_author_id}


@on(Reposter, "INSERT", "REMOVE")
def notify_of_repost(change: Change, ledger: Ledger) -> None:
    """Tells the author of a repost. One group for each post."""
    reposter = change.item
    assert isinstance(reposter, Reposter)
    tell(
        reposter.author_id,
        REPOST,
        Cause(
            reposter.user_id,
            reposter.key,
            reposter.post_id,
            Pointer(reposter.post_id, reposter.author_id),
        ),
    ).enter(ledger)


@on(Relation, "INSERT", "MODIFY", "REMOVE")
def notify_of_request(change: Change, ledger: Ledger) -> None:
    """Tells of a request, and of its acceptance. A request that ended was accepted if the two are together now; a
    declined one is told to nobody, and one that was brought from elsewhere only waits where it is answered."""
    request = change.item
    assert isinstance(request, Relation)
    kind = RelationType(int(request.relation_type))
    was, now = _waits(change.old), _waits(change.new)
    if kind not in REQUESTS or was == now or (now and request.quietly):
        return
    asking, asked = request.user_id, request.other_id
    telling = Telling()
    telling.add(asked, REQUESTS[kind], Cause(asking, request.key, asking))
    if was:
        cause = _together(kind, asking, asked)
        telling.add(asking, ACCEPTED[kind], Cause(asked, cause, asked))
    telling.enter(ledger)


def _waits(request: Item | None) -> bool:
    return isinstance(request, Relation) and not request.delete_status


def _together(kind: RelationType, asking: str, asked: str) -> Key:
    if kind == RelationType.FOLLOW_REQUEST:
        return keys.following(asking, asked)
    return keys.relation(asking, RelationType.FRIEND, asked)


@on(Draft, "INSERT")
def notify_of_unpublished(change: Change, ledger: Ledger) -> None:
    """Tells an author that a scheduled post became a draft. Safe to run twice: the ledger counts a record once. If the
    draft is gone by then, nothing is told."""
    draft = change.item
    assert isinstance(draft, Draft)
    if not draft.reason:
        return
    tell(draft.user_id, UNPUBLISHED, Cause(draft.draft_id, draft.key, draft.draft_id)).enter(ledger)
