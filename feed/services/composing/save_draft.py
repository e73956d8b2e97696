"""Saving a draft: what a person is writing, on their own shelf, so that it is there on every device.

A saving says which version its page has seen. If another page has saved since, both texts are kept: the other one as it
is, and this one as a draft of its own. A late saving never brings back a draft that was published or deleted.
"""

import hashlib
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice

from accounts.encryption.person_keys import OpenKey
from accounts.services.reencrypt import key_to_seal
from accounts.viewer import Viewer
from feed.composing.composition import Composition, seal, unseal
from feed.composing.drafts import DRAFT_DAYS, MOST_DRAFTS
from feed.composing.taking import Seen, mark_of
from feed.models import Draft, Submission
from socialsite.clock import utc_now
from socialsite.table import ids, keys
from socialsite.table.actions import Change, Check, Create
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, key_of, query
from socialsite.table.row import row
from socialsite.table.writing import transact


class TooManyDrafts(TableError):
    """The person has as many drafts as they can have."""


class DraftTooLong(TableError):
    """There is more text than a draft can hold."""


class DraftGone(NotFound):
    """The draft was published, scheduled or deleted since."""


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """What became of a saving. `is_beside` says that another page had saved, and that this one is a new draft now."""

    draft_id: str
    version: int
    is_beside: bool = False


@access_pattern
def save_draft(*, by: Viewer, composition: Composition, seen: Seen) -> SavedDraft:
    """Saves what a page holds as the draft that it has `seen`, or as a new one. Safe to repeat. Frozen people may:
    nobody else sees it. Raises `DraftGone`, `TooManyDrafts`, `DraftTooLong`, `Conflict`.

    As `key_to_seal`, one consistent BatchGetItem of the Draft, 1 read unit for 4 KB and 1 more, and one
    TransactWriteItems of the Draft and a check of the key, 2 write units for each KB and 2 more. The first saving of a
    page counts the drafts, 1 read unit for 4 KB of them, and checks that the page was not published, 2 write units. A
    text that is kept beside another one takes a second BatchGetItem.
    """
    if composition.is_too_long:
        raise DraftTooLong
    key = key_to_seal(by.user_id)
    place = keys.draft(by.user_id, seen.draft_id)
    mark = mark_of(by.user_id, seen.draft_id)

    def attempt() -> SavedDraft:
        found = fetch([place, mark], consistent=True)
        if place in found:
            return _save_again(found[place], composition, seen, key)
        if seen.version or mark in found:
            raise DraftGone
        return _save_first(composition, seen, key)

    return write_as_read(attempt)


def _save_again(raw: RawItem, composition: Composition, seen: Seen, key: OpenKey) -> SavedDraft:
    draft, place = row(Draft, raw), key_of(raw)
    version = int(draft.version)
    if unseal(draft.composition, user_id=draft.user_id, place=place) == composition:
        return SavedDraft(draft.draft_id, version)
    if seen.is_late(raw):
        return SavedDraft(draft.draft_id, version)
    if not seen.is_latest(raw):
        return _save_beside(composition, seen, key)
    now = utc_now()
    changes = [
        Draft.version.set(version + 1),
        Draft.saved_at.set(now.isoformat(timespec="seconds")),
        Draft.composition.set(seal(composition, key=key, place=place)),
        Draft.ttl.set(now + timedelta(days=DRAFT_DAYS)),
        Draft.writer.set(seen.writer) if seen.writer else Draft.writer.remove(),
        Draft.turn.set(seen.turn) if seen.turn else Draft.turn.remove(),
        Draft.reason.remove(),
    ]
    transact(Change(Draft, place, changes, Draft.version == version, otherwise=Moved), key.check())
    return SavedDraft(draft.draft_id, version + 1)


def _save_beside(composition: Composition, seen: Seen, key: OpenKey) -> SavedDraft:
    """Its id follows from the page and what it continued, so that the same saving again is the same draft."""
    page = "\0".join((seen.draft_id, seen.writer or composition.to_text()))
    number = hashlib.sha256(page.encode()).digest()[:10]
    own = replace(seen, draft_id=ids.id_at(ids.time_of(seen.draft_id), number))
    found = fetch([keys.draft(key.user_id, own.draft_id)], consistent=True)
    if found:
        (raw,) = found.values()
        return replace(_save_again(raw, composition, own, key), is_beside=True)
    transact(Create(_new(composition, own, key), otherwise=Moved), key.check())
    return SavedDraft(own.draft_id, 1, is_beside=True)


def _save_first(composition: Composition, seen: Seen, key: OpenKey) -> SavedDraft:
    if count_drafts(key.user_id) >= MOST_DRAFTS:
        raise TooManyDrafts
    draft = _new(composition, seen, key)
    not_published = Check(
        mark_of(key.user_id, draft.draft_id), Submission.pk.does_not_exist(), otherwise=Moved
    )
    transact(Create(draft, otherwise=Moved), not_published, key.check())
    return SavedDraft(draft.draft_id, 1)


@access_pattern
def count_drafts(user_id: str) -> int:
    """Returns how many drafts a person has, as far as 100. One consistent Query, 1 read unit for 4 KB of drafts. Two
    pages that save at once may make one more."""
    found = query(
        keys.shelf(user_id), between=keys.draft_bounds(), limit=MOST_DRAFTS, consistent=True
    )
    return sum(1 for _ in islice(found, MOST_DRAFTS))


def _new(composition: Composition, seen: Seen, key: OpenKey) -> Draft:
    place, now = keys.draft(key.user_id, seen.draft_id), utc_now()
    return Draft.new(
        user_id=key.user_id,
        draft_id=seen.draft_id,
        saved_at=now,
        composition=seal(composition, key=key, place=place),
        ttl=now + timedelta(days=DRAFT_DAYS),
        writer=seen.writer,
        turn=seen.turn,
    )
