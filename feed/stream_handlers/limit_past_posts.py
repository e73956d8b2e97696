"""Limits all past posts of a person who asked for it (`feed/services/limit_past_posts.py`), by a job."""

from itertools import islice

from feed.editing.past_posts import is_for_everyone
from feed.models import Post
from feed.post_count import PostCount
from feed.services.change_audience import show_to
from socialsite.models import Job, JobKind
from socialsite.streams.jobs import Step, job_step
from socialsite.table import keys
from socialsite.table.reading import as_model, key_of, query

POSTS_A_STEP = 40  # a transaction has room for 100 actions


@job_step(JobKind.LIMIT_POSTS)
def limit_step(job: Job) -> Step:
    """Shows the next older posts to the audience of the job alone, and counts them apart, newest first.

    One consistent Query of 40 posts, replies and reposts. The posts that are for everyone, the post count and the
    cursor are written in one transaction: so each post is limited once, also by a worker that was frozen, and one that
    its author opens again later stays open. What follows from another audience follows from the record of each post, as
    after `change_audience`.
    """
    author_id, audience = job.subject_id, str(job.audience)
    partition = keys.posts(author_id)
    after = keys.Key(partition, job.cursor)
    rows = query(partition, after=after, forward=False, consistent=True, limit=POSTS_A_STEP)
    looked_at = list(islice(rows, POSTS_A_STEP))
    posts = [as_model(Post, raw) for raw in looked_at if is_for_everyone(raw)]
    count = PostCount(author_id)
    for post in posts:
        count.take(post)
        count.add(post, audience=audience, withheld="")
    writes = [write for post in posts for write in show_to(post, audience)]
    more = len(looked_at) == POSTS_A_STEP
    return Step(
        done=len(posts),
        cursor=key_of(looked_at[-1]).sk if more else None,
        writes=[*writes, *count.writes()],
    )
