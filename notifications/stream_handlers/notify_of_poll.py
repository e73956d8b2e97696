"""Tells authors and voters that a poll has ended.

The clock waits until every vote is counted, then a job goes through the voters, 48 people a step. What a step changes
in bells and notifications is written in the transaction that moves the job's cursor, so that nobody is notified twice.
"""

from itertools import islice

from feed.models import Post, Vote
from feed.pointers import Pointer
from feed.polls.closing import CLOSE_POLL, is_settled
from notifications.kinds import Kind
from notifications.plan import Notifications
from notifications.stream_handlers.notify_of_post import PEOPLE_A_STEP, unchanged
from socialsite.due.planning import done
from socialsite.due.work import due_work
from socialsite.models import Due, Job, JobKind
from socialsite.streams.jobs import Step, job_step
from socialsite.table import keys
from socialsite.table.actions import Create
from socialsite.table.errors import Unavailable
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, key_of, query
from socialsite.table.row import row
from socialsite.table.writing import transact

WAITS_AT_MOST = 4  # tries, over two and a half hours: then people are told what was counted so far


class Unsettled(Unavailable):
    """The stream worker has not counted every vote yet."""


@due_work(CLOSE_POLL)
@access_pattern
def end_poll(due: Due) -> None:
    """Starts the job that tells of the end of a poll, once every vote is counted. Does nothing if the post is gone.
    Safe to run twice: the job is created in the transaction that ends the due item.

    A consistent GetItem of the post, a Query of each of the 16 shards of votes and a GetItem of the counts, 1 read unit
    for 4 KB, then one TransactWriteItems, 4 write units. Raises `Unsettled`, and comes again then.
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
    notifications = Notifications()
    for user_id in people:
        notifications.add(
            user_id,
            Kind.POLL_ENDED,
            actor=post_id,
            cause=key,
            subject_id=post_id,
            pointer=Pointer(post_id, author_id),
        )
    return Step(len(people), cursor, [unchanged(post, key), *notifications.actions()])


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
