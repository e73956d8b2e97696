"""Deletes a post at its end, as DynamoDB may take days for that."""

from feed.expiring.ending import END_POST
from feed.models import Post
from socialsite.clock import utc_now
from socialsite.due.planning import done
from socialsite.due.work import due_work
from socialsite.models import Due
from socialsite.table import keys
from socialsite.table.actions import Delete
from socialsite.table.errors import NotFound, Unavailable
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.writing import transact


class GoneBefore(NotFound):
    """DynamoDB, the author or a moderator was quicker."""


class NotOver(Unavailable):
    """The end of the post has not come."""


@due_work(END_POST)
@access_pattern
def end_post(due: Due) -> None:
    """Deletes a post whose end has come. The stream worker then clears what hung on it (`clear_post`), as after every
    deletion. Nothing happens if it is gone. Safe to run twice, and beside DynamoDB's own deletion: one of them finds
    the post.

    One TransactWriteItems of the post and the due item, 4 write units, and if the post is gone a consistent
    BatchGetItem, 1 read unit. Raises `NotOver`, and comes again then.
    """
    place = keys.post(due.facts["author_id"], due.subject)
    try:
        transact(Delete(place, Post.ttl <= utc_now(), otherwise=GoneBefore), done(due))
    except GoneBefore as error:
        if fetch([place], consistent=True):  # reads drop what is past its end
            raise NotOver("the post is there for longer") from error
