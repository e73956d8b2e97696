"""What the clock does when the moment of a scheduled post has come, in its author's place."""

from datetime import timedelta

from accounts.encryption.person_keys import NoPersonKey
from accounts.services.reencrypt import key_to_seal
from accounts.viewer import Viewer
from feed.composing.author import read_author
from feed.composing.composition import seal
from feed.composing.drafts import DRAFT_DAYS
from feed.composing.planned import planned_in
from feed.composing.refusing import Reason
from feed.composing.scheduled import ScheduledCard, find_scheduled
from feed.models import Draft
from feed.photos.keeping import free_photos, keep_photos
from feed.services.composing.publish_scheduled import NotPublished, publish_scheduled
from feed.services.publish_post import SubmittedAndDeleted
from photos.attaching import PhotoGone
from socialsite.clock import utc_now
from socialsite.due.planning import done
from socialsite.models import Due
from socialsite.table import ids, keys
from socialsite.table.actions import Create
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def publish_due(due: Due) -> None:
    """Publishes the scheduled post of a due item. What cannot be published becomes a draft that says why, of which the
    stream worker notifies its author. Nothing happens if it was published, deleted or planned anew since.

    As `find_scheduled` and `read_author`, then as `publish_scheduled`; a draft is written in one TransactWriteItems of
    three items and a check of the key, 2 write units for each KB and 6 more, and 2 for each of its photos, which stay
    with it. Safe to run twice, and at once in several processes: the transaction ends the due item.
    """
    user_id, slot = planned_in(due)

    def attempt() -> None:
        card = find_scheduled(slot, user_id=user_id)
        author = read_author(user_id) if card else None
        if card is None or author is None:
            return
        try:
            publish_scheduled(by=author, card=card, ending=done(due))
        except NotPublished as refusal:
            _put_among_drafts(author, card, refusal.reason, due)
        except SubmittedAndDeleted:  # another clock published it, and it is deleted already
            return

    write_as_read(attempt)


def _put_among_drafts(author: Viewer, card: ScheduledCard, reason: Reason, due: Due) -> None:
    try:
        key = key_to_seal(card.user_id)
    except NoPersonKey:  # the account is being erased
        return
    draft_id, now = ids.new_id(), utc_now()
    place = keys.draft(card.user_id, draft_id)
    photos = free_photos(author, card.composition.all_photos)
    lost = set(card.composition.all_photos) - {photo.photo_id for photo in photos}
    composition = card.composition.without(lost)
    draft = Draft.new(
        user_id=card.user_id,
        draft_id=draft_id,
        saved_at=now,
        composition=seal(composition, key=key, place=place),
        ttl=now + timedelta(days=DRAFT_DAYS),
        reason=reason,
        planned_for=card.slot.publish_at.isoformat(timespec="seconds"),
        photos=composition.all_photos,
    )
    kept = keep_photos(photos, holder=draft_id)
    try:
        transact(card.taken(), done(due), Create(draft), *kept, key.check())
    except PhotoGone as error:  # since they were read
        raise Moved from error
