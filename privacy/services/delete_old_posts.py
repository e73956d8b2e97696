"""Deleting all of a person's posts at once. The stream worker carries it out
(`privacy/stream_handlers/delete_old_posts.py`)."""

from accounts.viewer import Viewer
from privacy.models import OldPostsWish
from privacy.old_posts.choice import Choice
from privacy.old_posts.runs import begun_now, job_key, new_run
from privacy.old_posts.state import find_wish
from socialsite.clock import utc_now_iso
from socialsite.table import ids, keys
from socialsite.table.actions import Change, Create
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact, write_batch
from socialsite.web.observing.security_log import Event, note_event


@access_pattern
def delete_old_posts(*, by: Viewer, choice: Choice, count: int = 0) -> None:
    """Asks the stream worker to delete the signed-in person's posts from before now, as far as they are chosen. `count`
    is how many were found, for the operators. Frozen people may delete, too.

    One consistent GetItem, 1 read unit, then one TransactWriteItems of the Job and OldPostsWish, 4 write units. One at
    a time for each person: raises `AlreadyDeleting`.
    """

    def attempt() -> None:
        run = new_run(by.user_id, choice=choice, until=ids.new_id(), count=count)
        if find_wish(by.user_id):
            noted: Change | Create = Change(
                OldPostsWish, keys.old_posts_wish(by.user_id), begun_now(), otherwise=Moved
            )
        else:
            fresh = OldPostsWish.new(user_id=by.user_id)
            fresh.ran_at = utc_now_iso()
            noted = Create(fresh, otherwise=Moved)
        transact(run, noted)

    write_as_read(attempt)
    note_event(Event.POSTS_DELETED, account=by.user_id)


@access_pattern
def stop_deleting(*, by: Viewer) -> None:
    """Stops deleting the signed-in person's posts: the step that is being made now changes nothing any more. Safe to
    repeat. One BatchWriteItem, 1 write unit."""
    write_batch(deletes=[job_key(by.user_id)])
