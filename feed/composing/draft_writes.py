"""Saving a draft: what a person is writing, on their own shelf, so that it is there on every device; and deleting it.

A saving says which version its page has seen. If another page has saved since, both texts are kept: the other one as it
is, and this one as a draft of its own. A late saving never brings back a draft that was published or deleted.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice

from accounts.credentials.reencrypt import key_to_seal
from accounts.encryption.person_keys import OpenKey
from accounts.people.viewer import Viewer
from feed.composing.composer import free_photos, keep_photos
from feed.composing.composition import Composition, Seen, mark_of, seal, unseal
from feed.composing.models import Draft
from feed.composing.reads import DRAFT_DAYS, MOST_DRAFTS
from feed.publishing.models import Submission
from photos.models import Photo
from photos.writes import PhotoGone
from socialsite.clock import utc_now
from socialsite.table import (
    Change,
    Check,
    Create,
    Delete,
    Moved,
    NotFound,
    RawItem,
    TableError,
    access_pattern,
    fetch,
    ids,
    key_of,
    keys,
    query,
    row,
    transact,
    write_optimistically,
)


class TooManyDrafts(TableError):
    """The person has as many drafts as they can have."""


class DraftTooLong(TableError):
    """There is more text than a draft can hold."""


class DraftGone(NotFound):
    """The draft was published, scheduled or deleted since."""


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """What became of a saving. `is_beside` says that another page had saved, and that this one is a new draft now.
    `lost` are photos that it could not keep: they are gone, or a post shows them."""

    draft_id: str
    version: int
    is_beside: bool = False
    lost: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Saving:
    """What is saved: what the page holds, without photos that are `lost`, and those of the photos that are there."""

    composition: Composition
    seen: Seen
    key: OpenKey
    photos: Sequence[Photo]
    descriptions: Mapping[str, str]
    lost: Sequence[str]

    def kept_by(self, draft_id: str) -> list[Change]:
        """Returns the actions that keep the photos for the draft."""
        return keep_photos(self.photos, holder=draft_id, descriptions=self.descriptions)


@access_pattern
def save_draft(
    *,
    by: Viewer,
    composition: Composition,
    seen: Seen,
    descriptions: Mapping[str, str] | None = None,
) -> SavedDraft:
    """Saves what a page holds as the draft that it has `seen`, or as a new one, and keeps its photos, with these
    `descriptions`, by id. Photos that are gone do not keep the text from being saved. Safe to repeat. Frozen people
    may: nobody else sees it. Raises `DraftGone`, `TooManyDrafts`, `DraftTooLong`, `Conflict`.

    As `key_to_seal`, one consistent BatchGetItem of the Draft, 1 read unit for 4 KB and 1 more, and one
    TransactWriteItems of the Draft and a check of the key, 2 write units for each KB and 2 more. The first saving of a
    page counts the drafts, 1 read unit for 4 KB of them, and checks that the page was not published, 2 write units. A
    text that is kept beside another one takes a second BatchGetItem. With photos as `get_photos`, and 2 write units for
    each that is new in the draft, or described otherwise.
    """
    if composition.is_too_long:
        raise DraftTooLong
    key = key_to_seal(by.user_id)
    place = keys.draft(by.user_id, seen.draft_id)
    mark = mark_of(by.user_id, seen.draft_id)

    def attempt() -> SavedDraft:
        found = fetch([place, mark], consistent=True)
        photos = free_photos(by, composition.all_photos)
        lost = set(composition.all_photos) - {photo.photo_id for photo in photos}
        saving = Saving(
            composition.without(lost), seen, key, photos, descriptions or {}, sorted(lost)
        )
        try:
            if place in found:
                return _save_again(found[place], saving)
            if seen.version or mark in found:
                raise DraftGone
            return _save_first(saving)
        except PhotoGone as error:  # since it was read
            raise Moved from error

    return write_optimistically(attempt)


def _save_again(raw: RawItem, saving: Saving) -> SavedDraft:
    draft, place = row(Draft, raw), key_of(raw)
    version, draft_id, seen = int(draft.version), draft.draft_id, saving.seen
    if unseal(draft.composition, user_id=draft.user_id, place=place) == saving.composition:
        if kept := saving.kept_by(draft_id):
            transact(*kept, Check(place, Draft.version == version, otherwise=Moved))
        return SavedDraft(draft_id, version, lost=saving.lost)
    if seen.is_late(raw):
        return SavedDraft(draft_id, version)
    if not seen.is_latest(raw):
        return _save_beside(saving)
    now, photos = utc_now(), set(saving.composition.all_photos)
    changes = [
        Draft.version.set(version + 1),
        Draft.saved_at.set(now.isoformat(timespec="seconds")),
        Draft.composition.set(seal(saving.composition, key=saving.key, place=place)),
        Draft.ttl.set(now + timedelta(days=DRAFT_DAYS)),
        Draft.writer.set(seen.writer) if seen.writer else Draft.writer.remove(),
        Draft.turn.set(seen.turn) if seen.turn else Draft.turn.remove(),
        Draft.photos.set(photos) if photos else Draft.photos.remove(),
        Draft.reason.remove(),
    ]
    again = Change(Draft, place, changes, Draft.version == version, otherwise=Moved)
    transact(again, *saving.kept_by(draft_id), saving.key.check())
    return SavedDraft(draft_id, version + 1, lost=saving.lost)


def _save_beside(saving: Saving) -> SavedDraft:
    """Its id follows from the page and what it continued, so that the same saving again is the same draft."""
    seen, key = saving.seen, saving.key
    page = "\0".join((seen.draft_id, seen.writer or saving.composition.to_text()))
    number = hashlib.sha256(page.encode()).digest()[:10]
    own = replace(seen, draft_id=ids.id_at(ids.time_of(seen.draft_id), number))
    beside = replace(saving, seen=own)
    found = fetch([keys.draft(key.user_id, own.draft_id)], consistent=True)
    if found:
        (raw,) = found.values()
        return replace(_save_again(raw, beside), is_beside=True)
    kept = beside.kept_by(own.draft_id)
    transact(Create(_new(beside), otherwise=Moved), *kept, key.check())
    return SavedDraft(own.draft_id, 1, is_beside=True, lost=saving.lost)


def _save_first(saving: Saving) -> SavedDraft:
    key = saving.key
    if count_drafts(key.user_id) >= MOST_DRAFTS:
        raise TooManyDrafts
    draft = _new(saving)
    not_published = Check(
        mark_of(key.user_id, draft.draft_id), Submission.pk.does_not_exist(), otherwise=Moved
    )
    kept = saving.kept_by(draft.draft_id)
    transact(Create(draft, otherwise=Moved), not_published, *kept, key.check())
    return SavedDraft(draft.draft_id, 1, lost=saving.lost)


@access_pattern
def count_drafts(user_id: str) -> int:
    """Returns how many drafts a person has, as far as 100. One consistent Query, 1 read unit for 4 KB of drafts. At
    most 250 read units. Two pages that save at once may make one more."""
    found = query(
        keys.shelf(user_id), between=keys.draft_bounds(), limit=MOST_DRAFTS, consistent=True
    )
    return sum(1 for _ in islice(found, MOST_DRAFTS))


def _new(saving: Saving) -> Draft:
    key, draft_id, now = saving.key, saving.seen.draft_id, utc_now()
    place = keys.draft(key.user_id, draft_id)
    return Draft.new(
        user_id=key.user_id,
        draft_id=draft_id,
        saved_at=now,
        composition=seal(saving.composition, key=key, place=place),
        ttl=now + timedelta(days=DRAFT_DAYS),
        writer=saving.seen.writer,
        turn=saving.seen.turn,
        photos=saving.composition.all_photos,
    )


@access_pattern
def delete_draft(*, by: Viewer, draft_id: str, version: int) -> None:
    """Deletes one of the person's own drafts, as it was when they decided so. Safe to repeat. Raises `Moved` if it was
    saved since.

    One consistent BatchGetItem, 1 read unit for 4 KB, and one TransactWriteItems, 2 write units.
    """
    place = keys.draft(by.user_id, draft_id)
    if fetch([place], consistent=True):
        transact(Delete(place, Draft.version == version, otherwise=Moved))
