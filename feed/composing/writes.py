"""Publishing what a composer holds, now or at a time that its author chose, and taking what it continued in the same
transaction: a draft, or a post that was scheduled for later.

A scheduled post lies on its author's shelf, and a due item of its moment brings the clock. The post is judged and made
at that moment, so its id is that of a new post, which no reader has passed already. One transaction takes it from the
shelf, ends its due item and creates the post. So it is published once, however often and by however many clocks it is
tried.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from accounts.credentials.reencrypt import key_to_seal
from accounts.encryption.person_keys import NoPersonKey, OpenKey
from accounts.people.reads import read_actor
from accounts.people.restrictions import Frozen, Unconfirmed
from accounts.people.viewer import Viewer
from feed.composing.composer import free_photos, keep_photos
from feed.composing.composition import Composition, Seen, Taken, judge_composition, seal, take_draft
from feed.composing.models import Draft, Scheduled
from feed.composing.reads import (
    DRAFT_DAYS,
    MOST_SCHEDULED,
    Reason,
    ScheduledCard,
    Slot,
    cancel_publishing,
    count_scheduled,
    find_scheduled,
    plan_publishing,
    planned_in,
)
from feed.posts.content_checks import Refused, TooLarge
from feed.posts.models import Audience
from feed.publishing.models import Submission
from feed.publishing.photos import CannotAttach, read_photos, told_which
from feed.publishing.writes import (
    SUBMISSION_DAYS,
    SubmittedAndDeleted,
    TooManyEnding,
    once_for,
    publish_post,
)
from photos.writes import PhotoGone
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import done
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    Moved,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    get,
    ids,
    keys,
    transact,
    write_optimistically,
)


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
            write_optimistically(attempt)
    except AlreadyScheduled:
        return get(Submission, keys.submission(by.user_id, once), consistent=True).post_id
    return slot.scheduled_id


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


@access_pattern
def delete_scheduled(*, by: Viewer, slot: Slot, version: int) -> None:
    """Deletes one of the person's scheduled posts as they saw it, with its due item. Safe to repeat. Raises `Moved` if
    it was changed since.

    As `find_scheduled`, and one TransactWriteItems of two items, 4 write units.
    """
    card = find_scheduled(slot, user_id=by.user_id)
    if card is None:
        return
    if card.version != version:
        raise Moved
    transact(card.taken(), cancel_publishing(by.user_id, slot))


@dataclass(frozen=True, slots=True)
class Published:
    """`draft_stays` says that the draft was changed on another device since, so that it was kept."""

    post_id: str
    draft_stays: bool = False


@access_pattern
def publish_composed(
    *, by: Viewer, seen: Seen, slot: Slot | None = None, **composed: Any
) -> Published:
    """Publishes a post, and deletes the draft that the page has `seen`, or the scheduled post in `slot`: both or
    neither. Safe to repeat. `composed` are the other keywords of `publish_post`. Raises what that raises, `Conflict`,
    and `ScheduledGone` if the scheduled post is not as the page has seen it.

    As `publish_post`, and nothing more without a draft; else as `take_draft`, or `find_scheduled` and 4 write units. In
    all 10 write units; 12 with a draft, 14 before its first saving was answered, 14 with a scheduled post.
    """

    def attempt() -> Published:
        taken = _take_scheduled(by, slot, seen) if slot else take_draft(by=by, seen=seen)
        post_id = publish_post(by=by, also=taken.actions, **composed)
        return Published(post_id, taken.stays)

    return write_optimistically(attempt)


def _take_scheduled(by: Viewer, slot: Slot, seen: Seen) -> Taken:
    card = find_scheduled(slot, user_id=by.user_id)
    if card is None or card.version != seen.version:
        raise ScheduledGone
    return Taken((card.taken(), cancel_publishing(by.user_id, slot)))


class NotPublished(TableError):
    """The post cannot be published now. `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


@access_pattern
def publish_scheduled_now(*, by: Viewer, slot: Slot) -> str:
    """Publishes one of the person's scheduled posts at once, and returns the post's id. Raises `NotPublished`,
    `ScheduledGone`, `Conflict`.

    As `find_scheduled` and `publish_scheduled`.
    """

    def attempt() -> str:
        card = find_scheduled(slot, user_id=by.user_id)
        if card is None:
            raise ScheduledGone
        return publish_scheduled(by=by, card=card, ending=cancel_publishing(by.user_id, slot))

    return write_optimistically(attempt)


@access_pattern
def publish_scheduled(*, by: Viewer, card: ScheduledCard, ending: WriteAction) -> str:
    """Publishes a scheduled post as it was read, with the action that ends its due item. Raises `NotPublished`, `Moved`
    if it was changed or published since, and what `ending` raises.

    As `judge_post` and `publish_post`, 4 write units more. In all 14 write units.
    """
    composed = card.composition
    if composed.audience == Audience.CIRCLE and not by.circle_name(composed.circle):
        raise NotPublished(Reason.CIRCLE)
    if by.card is None or by.card.is_locked_out:
        raise NotPublished(Reason.AWAY)
    try:
        by.must_have_voice()
        return publish_post(
            by=by,
            nonce=card.slot.scheduled_id,
            also=(card.taken(), ending),
            **composed.for_service(),
        )
    except Frozen as error:
        raise NotPublished(Reason.FROZEN) from error
    except Unconfirmed as error:
        raise NotPublished(Reason.UNCONFIRMED) from error
    except TooLarge as error:
        raise NotPublished(Reason.LARGE) from error
    except TooManyEnding as error:
        raise NotPublished(Reason.ENDING) from error
    except Refused as error:
        raise NotPublished(Reason.RULES) from error
    except CannotAttach as error:
        if len(free_photos(by, composed.all_photos)) == len(composed.all_photos):
            raise Moved from error  # another clock was at it, too
        raise NotPublished(Reason.PHOTOS) from error


@access_pattern
def publish_due(due: Due) -> None:
    """Publishes the scheduled post of a due item. What cannot be published becomes a draft that says why, of which the
    stream worker notifies its author. Nothing happens if it was published, deleted or planned anew since.

    As `find_scheduled` and `read_actor`, then as `publish_scheduled`; a draft is written in one TransactWriteItems of
    three items and a check of the key, 2 write units for each KB and 6 more, and 2 for each of its photos, which stay
    with it. Safe to run twice, and at once in several processes: the transaction ends the due item.
    """
    user_id, slot = planned_in(due)

    def attempt() -> None:
        card = find_scheduled(slot, user_id=user_id)
        author = read_actor(user_id) if card else None
        if card is None or author is None:
            return
        try:
            publish_scheduled(by=author, card=card, ending=done(due))
        except NotPublished as refusal:
            _put_among_drafts(author, card, refusal.reason, due)
        except SubmittedAndDeleted:  # another clock published it, and it is deleted already
            return

    write_optimistically(attempt)


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
