"""From fan-out to pull: authors with more than 5,000 followers.

Their posts are no longer written into every timeline. Readers merge them in (`feed/access_patterns.get_timeline`). The
change happens in an order in which nobody misses a post:

1. the author's `reading` becomes `crossing`: from now on a new follower learns to pull (`follow_timeline.py`), and
   posts come into the list of the newest (`feed/pulled/recent.py`);
2. a job goes through all followers and lets each learn to pull; posts are still fanned out meanwhile, and a timeline
   shows a post that comes both ways once;
3. `reading` becomes `pulled`: fan-out stops. It never goes back by itself.

Likes of posts that they publish from step 1 on are spread over partitions from the start
(`feed/services/publish_post.py`).
"""

from itertools import islice

from django.conf import settings

from accounts.models import CROSSING, PULLED, UserInfo, UserSettings
from feed.pulled.recent import mend_recent
from relations.models import Follower
from socialsite.models import Job, JobKind
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound, TableError
from socialsite.table.reading import get, query
from socialsite.table.row import row
from socialsite.table.writing import change


class Crossed(TableError):
    """The author's posts are already pulled, or the account is gone."""


def begin_crossing(author_id: str, followers: int, ledger: Ledger) -> None:
    """Sets the author's state and enters the job, unless that is already done. Safe to run twice: the state is the
    same, and the job has a fixed key."""
    not_over = UserInfo.reading.does_not_exist() | (UserInfo.reading == CROSSING)
    crossing = [UserInfo.reading.set(CROSSING)]
    try:
        change(UserInfo, keys.user_info(author_id), crossing, condition=not_over, otherwise=Crossed)
    except Crossed:
        get(UserInfo, keys.user_info(author_id), consistent=True)  # raises if they are gone
        return
    ledger.create(
        Job.new(kind=JobKind.CROSS_TO_PULL, job_id=author_id, subject_id=author_id, total=followers)
    )


@job_step(JobKind.CROSS_TO_PULL)
def cross_step(job: Job) -> Step:
    """Makes the next followers pull: one Query, one UpdateItem each. The first step also sees to the list of the newest
    posts. After the last, fan-out stops."""
    if not job.cursor:
        mend_recent(job.subject_id)
    partition = keys.followers(job.subject_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    size = max(1, settings.FAN_OUT_STEP // 5)
    edges = list(islice(query(partition, after=after, consistent=True, limit=size), size))
    for raw in edges:
        learn_to_pull(row(Follower, raw).follower_id, job.subject_id)
    if len(edges) == size:
        return Step(size, reading.key_of(edges[-1]).sk)
    change(UserInfo, keys.user_info(job.subject_id), [UserInfo.reading.set(PULLED)])
    return Step(len(edges), None)


def learn_to_pull(user_id: str, author_id: str) -> None:
    """Notes in someone's settings whose posts to merge in. It is a set, so repeating changes nothing."""
    try:
        change(UserSettings, keys.user_settings(user_id), [UserSettings.pulled.add({author_id})])
    except NotFound:  # the account is gone
        return


def forget_to_pull(user_id: str, author_id: str) -> None:
    try:
        change(UserSettings, keys.user_settings(user_id), [UserSettings.pulled.delete({author_id})])
    except NotFound:
        return
