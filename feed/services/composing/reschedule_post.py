"""Changing a scheduled post: what it says, and when it is published."""

from collections.abc import Iterator
from datetime import datetime

from accounts.encryption.person_keys import OpenKey
from accounts.services.reencrypt import key_to_seal
from accounts.viewer import Viewer
from feed.composing.composition import Composition, seal
from feed.composing.judging import judge_composition
from feed.composing.planned import cancel_publishing, plan_publishing
from feed.composing.scheduled import ScheduledCard, Slot, find_scheduled
from feed.models import Scheduled
from feed.photos.attaching import read_photos, told_which
from feed.photos.keeping import keep_photos
from socialsite.table.actions import Change, Create, WriteAction
from socialsite.table.as_read import Moved
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


class ScheduledGone(NotFound):
    """The scheduled post was published, deleted or changed since."""


@access_pattern
def reschedule_post(
    *,
    by: Viewer,
    slot: Slot,
    version: int,
    composition: Composition,
    publish_at: datetime,
    zone: str,
) -> Slot:
    """Changes one of the person's scheduled posts as they saw it, and returns where it is now. Sending the same form
    again changes nothing. Raises `ScheduledGone`, `Frozen`, `Unconfirmed`, `RefusedByRules`, `CannotAttach`.

    As `judge_post` and `key_to_seal`, and one or two consistent BatchGetItems of the post. Then one TransactWriteItems:
    the post with a check of the key, 2 write units for each KB and 2 more; for another moment the old and the new item
    and the old and the new due item, 6 more. For photos as `get_photos`, and 2 write units for each that is new in it;
    for another moment for all of them.
    """
    by.must_have_voice()
    photos = read_photos(by, composition.all_photos)
    judge_composition(by=by, composition=composition, photos=photos)
    new = Slot(publish_at, slot.scheduled_id)
    wanted = ScheduledCard(by.user_id, new, version + 1, zone, composition)
    old = find_scheduled(slot, user_id=by.user_id)
    if old is None or old.version != version:
        return _changed_before(wanted)
    key = key_to_seal(by.user_id)
    try:
        with told_which(composition.all_photos):
            kept = keep_photos(photos, holder=str(new))
            transact(*_changes(old, wanted, key), *kept, key.check())
    except Moved:
        return _changed_before(wanted)
    return new


def _changes(old: ScheduledCard, new: ScheduledCard, key: OpenKey) -> Iterator[WriteAction]:
    place = new.slot.key(new.user_id)
    sealed = seal(new.composition, key=key, place=place)
    photos = set(new.composition.all_photos)
    if new.slot == old.slot:
        changes = [
            Scheduled.version.set(new.version),
            Scheduled.zone.set(new.zone),
            Scheduled.composition.set(sealed),
            Scheduled.photos.set(photos) if photos else Scheduled.photos.remove(),
        ]
        yield Change(Scheduled, place, changes, old.as_read(), otherwise=Moved)
        return
    yield old.taken()
    scheduled = Scheduled.new(
        user_id=new.user_id,
        scheduled_id=new.slot.scheduled_id,
        version=new.version,
        publish_at=new.slot.publish_at,
        zone=new.zone,
        composition=sealed,
        photos=photos,
    )
    yield Create(scheduled, otherwise=Moved)
    yield cancel_publishing(old.user_id, old.slot)
    yield plan_publishing(new.user_id, new.slot)


def _changed_before(wanted: ScheduledCard) -> Slot:
    """The same form may have been sent before. Raises `ScheduledGone` if it is not as it wants it."""
    if find_scheduled(wanted.slot, user_id=wanted.user_id) != wanted:
        raise ScheduledGone
    return wanted.slot
