"""Releases the photos of drafts and scheduled posts that do not hold them any more, and publishes scheduled posts at
their time, by the clock beside the stream worker."""

from datetime import datetime

from feed.composing.composer import release_photos
from feed.composing.models import Draft, Scheduled
from feed.composing.reads import PUBLISH, Slot
from feed.composing.writes import publish_due
from socialsite.due.work import due_work
from socialsite.streams import Change, Ledger, on


@on(Draft, "MODIFY", "REMOVE")
def release_photos_of_draft(change: Change, ledger: Ledger) -> None:
    """Releases photos that a draft does not name any more, after a saving, publishing, deletion or expiry. As
    `release_photos`. Safe to run twice: the draft is read as it is now."""
    old, new = change.old, change.new
    assert isinstance(old, Draft)
    assert isinstance(new, Draft | None)
    if left := set(old.photos or ()) - set((new and new.photos) or ()):
        release_photos(old.user_id, left, holder=old.draft_id)
        ledger.note_effect()


@on(Scheduled, "MODIFY", "REMOVE")
def release_photos_of_scheduled(change: Change, ledger: Ledger) -> None:
    """Releases photos of a scheduled post, which is another one at another moment. As `release_photos`. Safe to run
    twice as well."""
    old, new = change.old, change.new
    assert isinstance(old, Scheduled)
    assert isinstance(new, Scheduled | None)
    if left := set(old.photos or ()) - set((new and new.photos) or ()):
        slot = Slot(datetime.fromisoformat(old.publish_at), old.scheduled_id)
        release_photos(old.user_id, left, holder=str(slot))
        ledger.note_effect()


due_work(PUBLISH)(publish_due)
