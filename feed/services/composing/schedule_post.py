"""Scheduling a post: it lies on its author's shelf, and a due item of its moment brings the clock."""

from datetime import datetime, timedelta

from accounts.services.reencrypt import key_to_seal
from accounts.viewer import Viewer
from feed.composing.composition import Composition, seal
from feed.composing.judging import judge_composition
from feed.composing.planned import plan_publishing
from feed.composing.scheduled import MOST_SCHEDULED, Slot, count_scheduled
from feed.composing.taking import Seen, take_draft
from feed.models import Scheduled, Submission
from feed.photos.attaching import read_photos, told_which
from feed.photos.keeping import keep_photos
from feed.services.publish_post import SUBMISSION_DAYS, once_for
from socialsite.clock import utc_now
from socialsite.table import ids, keys
from socialsite.table.actions import Create
from socialsite.table.as_read import write_as_read
from socialsite.table.errors import AlreadyExists, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact


class TooManyScheduled(TableError):
    """The person has as many scheduled posts as they can have."""


class AlreadyScheduled(AlreadyExists):
    """This form was sent before."""


@access_pattern
def schedule_post(
    *,
    by: Viewer,
    composition: Composition,
    publish_at: datetime,
    zone: str,
    nonce: str,
    seen: Seen,
) -> str:
    """Schedules a post, deletes the draft that the page has `seen`, and returns the post's id on the shelf. Sending the
    same form (`nonce`) again returns the first one.

    The rules judge it now, so that its author hears of it at once, and again when it is published. Raises `Frozen`,
    `Unconfirmed`, `RefusedByRules`, `TooManyScheduled`, `CannotAttach`, `Conflict`.

    As `judge_post`, `count_scheduled`, `key_to_seal` and `take_draft`. Then one TransactWriteItems of Scheduled, due
    item, the form's Submission and a check of the key: 2 write units for each KB and 6 more, and what the draft takes.
    For photos as `get_photos`, and 2 write units each.
    """
    by.must_have_voice()
    photos = read_photos(by, composition.all_photos)
    judge_composition(by=by, composition=composition, photos=photos)
    key = key_to_seal(by.user_id)
    once = once_for(nonce, composition.to_text(), publish_at.isoformat())
    slot = Slot(publish_at, ids.new_id())
    scheduled = Scheduled.new(
        user_id=by.user_id,
        scheduled_id=slot.scheduled_id,
        version=1,
        publish_at=publish_at,
        zone=zone,
        composition=seal(composition, key=key, place=slot.key(by.user_id)),
        photos=composition.all_photos,
    )
    submission = Submission.new(
        user_id=by.user_id,
        nonce=once,
        post_id=slot.scheduled_id,
        ttl=utc_now() + timedelta(days=SUBMISSION_DAYS),
    )

    def attempt() -> None:
        taken = take_draft(by=by, seen=seen)
        transact(
            Create(submission, otherwise=AlreadyScheduled, over_expired=True),
            Create(scheduled),
            plan_publishing(by.user_id, slot),
            key.check(),
            *keep_photos(photos, holder=str(slot)),
            *taken.actions,
        )

    if count_scheduled(by.user_id) >= MOST_SCHEDULED:
        raise TooManyScheduled
    try:
        with told_which(composition.all_photos):
            write_as_read(attempt)
    except AlreadyScheduled:
        return get(Submission, keys.submission(by.user_id, once), consistent=True).post_id
    return slot.scheduled_id
