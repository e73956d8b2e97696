"""How the index of words follows posts and what their authors choose. Every handler may run twice: it puts items with
fixed keys, or deletes by key."""

from itertools import islice

# They all run first: a fault of the index holds up none of them.
import moderation.stream_handlers  # noqa: F401
import notifications.stream_handlers  # noqa: F401
import tags.stream_handlers  # noqa: F401
from accounts.models import UserInfo
from feed.posts.models import Post
from finding.checks import mend_words
from finding.writes import enter_words, leave_words, lets_find, word_items
from socialsite.streams import Change, Job, JobKind, Ledger, Step, job_step, on
from socialsite.streams.jobs import size_of_step
from socialsite.table import fetch, key_of, keys, query
from tags.models import whole_post

POSTS_A_STEP = 40


@on(Post, "INSERT", "MODIFY", "REMOVE")
def index_words(change: Change, ledger: Ledger) -> None:
    """Enters a post under its words once everyone can see it, anew when they change, and takes it away when it is
    deleted, withheld, closed, or does not have the word any more.

    For what comes a consistent BatchGetItem of the author, 1 read unit, and BatchWriteItems, 1 write unit for each word
    that came; all of them after an edit, as each entry names the others. For what goes 1 write unit for each word. Safe
    to run twice: entries have fixed keys, and both images of the post decide. A dead letter has no text, so what a post
    said before is then left to `manage.py index_posts`.
    """
    post, before, now = change.item, change.old, change.new
    assert isinstance(post, Post)
    assert before is None or isinstance(before, Post)
    assert now is None or isinstance(now, Post)
    old, new = word_items(before), word_items(whole_post(now))
    if [item.attribute_values for item in old] == [item.attribute_values for item in new]:
        return
    if gone := {item.word for item in old} - {item.word for item in new}:
        leave_words(post, sorted(gone))
    author = keys.user_info(post.author_id)
    if new and lets_find(fetch([author], consistent=True).get(author), post.post_id):
        enter_words(new, standing={item.word for item in old})
    ledger.note_effect()


@on(UserInfo, "MODIFY")
def follow_choice(change: Change, ledger: Ledger) -> None:
    """Enters a job when someone switches on or off that their posts are found, or keeps older ones for followers. Reads
    hold to it meanwhile. Safe to run twice: the job has the name of the change."""
    old, new = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(new, UserInfo)
    before, now = ((one.not_searched, one.archived_before) for one in (old, new))
    if before != now:
        job_id = f"{new.user_id}-{change.sequence}"
        ledger.create(Job.new(kind=JobKind.INDEX_POSTS, job_id=job_id, subject_id=new.user_id))


@job_step(JobKind.INDEX_POSTS)
def index_posts_step(job: Job) -> Step:
    """Enters the next forty posts of someone under their words, or takes them away, as they choose now. A Query, and
    what `mend_words` takes: safe to run twice, and beside a worker of another shard."""
    partition = keys.posts(job.subject_id)
    start = keys.Key(partition, job.cursor) if job.cursor else None
    size = size_of_step(POSTS_A_STEP)
    rows = list(islice(query(partition, after=start, consistent=True, limit=size), size))
    posts = [raw for raw in rows if raw["type"]["S"] == Post.__name__]
    mend_words(posts, ())
    return Step(len(rows), key_of(rows[-1]).sk if len(rows) == size else None)
